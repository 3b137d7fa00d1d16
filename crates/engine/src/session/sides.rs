//! Decides which dice the players roll.

use super::record::Record;
use super::{RealDice, Session, SessionError};
use adjutant_dice::SuppliedSource;

use crate::language::schema::Type;
use crate::referee::{Action, Dice, Inputs};

/// The number of invented faces with which a phase is tried out.
const MAX_INVENTED_FACES: usize = 500;

/// Pairs of invented faces, which are repeated. All of these faces exist on every die.
const INVENTED_FACES: [[u32; 2]; 2] = [[1, 1], [1, 2]];

impl Session {
    /// Returns the dice that the players roll.
    pub fn real_dice(&self) -> &RealDice {
        &self.real_dice
    }

    /// Records the dice that the players roll from now on.
    pub fn set_real_dice(&mut self, dice: RealDice, at: u64) -> Result<(), SessionError> {
        self.commit(at, Record::Dice(dice)).map(drop)
    }

    /// Returns true if the players roll the dice for an action, that is, if they roll all dice, the
    /// dice for its verb, or the dice for the side of the acting piece. If the rule allows pieces
    /// of any side, the side to move decides instead; if no side is to move, the players roll if
    /// they made the previous roll. For `next`, the rules that it calls decide, whatever their
    /// side.
    pub fn throws_real_dice(&self, verb: &str, action: &Action) -> bool {
        if self.real_dice.all || self.real_dice.of.contains(verb) {
            return true;
        }
        if self.real_dice.of.is_empty() {
            return false;
        }
        let (rule, arguments) = match action {
            Action::Rule { rule, arguments, .. } => (rule, arguments),
            Action::Next => return self.phase_throws_real_dice(action),
            _ => return false,
        };
        let Some(rule) = self.referee().ruleset().schema.rules.get(rule.index()) else {
            return false;
        };
        let side = if rule.any_side {
            self.referee().side_to_move(self.table())
        } else {
            // The acting piece is the first piece that has a side.
            rule.params.iter().zip(arguments).find_map(|(param, given)| {
                let Type::Piece(kind) = param.ty.member_or_self() else { return None };
                let row = given.as_ref()?.piece_rows().first().copied()?;
                self.referee().side_of_piece(self.table(), kind, row)
            })
        };
        match side {
            Some(side) => self.real_dice.of.contains(&side),
            None if rule.any_side => {
                let threw = self.entries().iter().rev().find(|e| !e.outcome.dice.is_empty());
                threw.is_some_and(|entry| entry.outcome.physical)
            }
            None => false,
        }
    }
}

impl Session {
    /// Returns true if the players roll the dice for a rule with a check that `next` calls. The
    /// phase is tried out with two series of invented faces, because the faces can decide which
    /// rules it calls.
    fn phase_throws_real_dice(&self, action: &Action) -> bool {
        let ruleset = self.referee().ruleset();
        let mut named: Vec<&str> = Vec::new();
        for name in &self.real_dice.of {
            let rules =
                ruleset.rules_for_verb(name).into_iter().chain(ruleset.schema.rule_named(name));
            named.extend(rules.map(|id| ruleset.schema.rules[id.index()].name.as_str()));
        }
        if named.is_empty() {
            return false;
        }
        INVENTED_FACES.iter().any(|pair| {
            let faces: Vec<u32> = pair.iter().copied().cycle().take(MAX_INVENTED_FACES).collect();
            let dice = Dice::Physical(SuppliedSource::new(faces));
            let inputs = Inputs { ask_random: true, insist: true, ..Inputs::with_dice(dice) };
            let attempted = self.stoppable_referee().attempt(self.table(), action, &inputs);
            attempted
                .outcome
                .checks()
                .any(|check| check.rule.as_deref().is_some_and(|rule| named.contains(&rule)))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::session::RealDice;
    use crate::session::testing::TestGame;

    const RULES: &str = r#"
[words.army]
values = ["none", "red", "blue"]
[sides]
are = "army"
[kind.hill]
[kind.man]
plural = "men"
side = { one_of = "army" }
[rule.shoot]
usage = "shoot <who:man> at <whom:man>"
roll = '1d6'
needs = '>= 5'
[rule.climb]
usage = "climb <hill:hill> <who:man>"
roll = '1d6'
needs = '>= 5'
[rule.charge]
usage = "charge <who:man+>"
roll = '1d6'
needs = '>= 5'
[rule.burst]
usage = "burst <who:man>"
any_side = true
roll = '1d6'
needs = '>= 5'
[scenario.one.pieces.hill]
knoll = {}
[scenario.one.pieces.man]
ann = { side = "red" }
bob = { side = "blue" }
cat = {}
"#;

    fn with(dice: &[&str]) -> TestGame {
        let mut game = TestGame::of(RULES);
        let of = dice.iter().map(|of| (*of).to_owned()).collect();
        game.session.set_real_dice(RealDice { all: false, of }, 0).unwrap();
        game
    }

    #[test]
    fn dice_are_real_for_everything_or_for_a_verb() {
        let none = with(&[]);
        assert!(!none.is_real("shoot ann at bob") && !none.is_real("roll 1d6"));
        let shoot = with(&["shoot"]);
        assert!(shoot.is_real("shoot ann at bob") && !shoot.is_real("charge ann"));
        let mut all = with(&[]);
        let dice = RealDice { all: true, ..RealDice::default() };
        all.session.set_real_dice(dice.clone(), 0).unwrap();
        assert_eq!(*all.session.real_dice(), dice);
        assert!(all.is_real("shoot ann at bob") && all.is_real("roll 1d6"));
    }

    #[test]
    fn dice_are_real_for_the_side_of_the_piece_that_is_named_first() {
        let red = with(&["red"]);
        assert!(red.is_real("shoot ann at bob") && !red.is_real("shoot bob at ann"));
        assert!(red.is_real("charge ann bob") && !red.is_real("charge bob ann"));
        // A hill has no side, so the man who climbs it is the first piece with a side.
        assert!(red.is_real("climb knoll ann") && !red.is_real("climb knoll bob"));
        assert!(!red.is_real("shoot cat at cat"));
        assert!(!red.is_real("roll 1d6") && !red.is_real("next !") && !red.is_real("note so"));
    }

    #[test]
    fn where_any_side_may_act_dice_are_real_for_the_side_to_move() {
        let mut red = with(&["red"]);
        red.types("set state.side red");
        assert!(red.is_real("burst bob"));
        red.types("set state.side blue");
        assert!(!red.is_real("burst ann"));
    }

    #[test]
    fn where_it_is_nobodys_move_dice_are_real_as_they_were_last() {
        let mut red = with(&["red"]);
        assert!(!red.is_real("burst ann"));
        let input = crate::session::CommandInput { faces: Some(vec![3]), ..Default::default() };
        red.accepts("shoot ann at bob", &input);
        assert!(red.is_real("burst bob"));
        // A line without dice does not count.
        red.types("note so");
        assert!(red.is_real("burst bob"));
        // The previous roll matters only for rules that allow any side.
        assert!(!red.is_real("shoot cat at cat"));
        red.types("shoot bob at ann");
        assert!(!red.is_real("burst ann"));
    }
}
