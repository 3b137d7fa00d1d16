//! `dice`: determines whether the program or the players roll.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::{CompletionCandidates, LineError, Reading, Token, TypedLine, shorten_word};
use crate::names;
use crate::names::Match;
use crate::render::json::answers::answer;
use crate::render::markup::{Role, Text};
use crate::session::RealDice;

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Replied, Reply};

/// The answer to `dice`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct DiceAnswer {
    /// The dice that the players roll.
    pub physical: RealDice,
}

pub(super) const DICE: Word = Word {
    name: "dice",
    usage: "dice auto|physical [VERB|SIDE]",
    help: "let the program or the players roll the dice",
    sample: &[
        "`dice physical` asks for the face of every die the players roll; `dice physical fight` asks only for the dice of `fight`, and `dice physical red` only for those of red; `dice auto` hands the rolling back to the program",
        "`dice real` is the same as `dice physical`",
    ],
    complete,
    most: 2,
    ..Word::of(
        Handler::stepwise(|play, typed| Box::pin(dice(play, typed)))
            .with_answers(&[|| answer::<DiceAnswer>("answers to dice", "`dice`")]),
    )
};

async fn dice(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let help = "write `dice auto`, `dice physical`, `dice physical VERB` or `dice physical SIDE`";
    let (first, of) = typed.need_word("whose dice?", help)?;
    let mut dice = play.session.real_dice().clone();
    let throwers = [("auto", false), ("physical", true), ("real", true)];
    let real = names::find(&first.text, throwers).only().ok_or_else(|| {
        let message = format!("dice are `auto` or `physical`, not `{}`", shorten_word(&first.text));
        LineError::new(Some(first), message).help(help)
    })?;
    let who = if real { "the players roll" } else { "the program rolls" };
    let words = match of.first() {
        None if real => {
            dice.all = true;
            format!("{who} the dice: type the faces as rolled")
        }
        None => {
            dice = RealDice::default();
            format!("{who} the dice")
        }
        Some(of) => {
            let name = verb_or_side(play, of)?;
            if !real && !dice.of.remove(&name) {
                let message = format!("`dice physical {name}` is not in force");
                let error = LineError::new(Some(of), message);
                return Err(error.help("`dice auto` lets the program roll them all").into());
            }
            dice.of.extend(real.then(|| name.clone()));
            format!("{who} the dice for `{name}`")
        }
    };
    play.record(|session, at| session.set_real_dice(dice.clone(), at)).await?;
    let data = DiceAnswer { physical: dice };
    Ok(Reply::new(Text::of(Role::Plain, words), data))
}

/// Returns the verb or side that a word names or abbreviates, or the rule that it names.
fn verb_or_side(play: &Play, of: &Token) -> Result<String, LineError> {
    let ruleset = play.referee().ruleset();
    let sides = play.referee().sides(play.session.table());
    let verbs = ["next", "roll"].into_iter().chain(ruleset.verbs());
    let known: Vec<&str> = verbs.chain(sides.iter().map(String::as_str)).collect();
    match names::find_name(&of.text, known.iter().copied()) {
        Match::One(name) => Ok(name.to_owned()),
        _ if ruleset.schema.rule_named(&of.text).is_some() => Ok(of.text.clone()),
        matched => {
            let message = format!("there is no verb or side `{}`", shorten_word(&of.text));
            let listing = if sides.is_empty() {
                "this game has no sides: write `dice physical VERB`".to_owned()
            } else {
                format!(
                    "write a verb, or one of {}",
                    names::quote_names(&known[known.len() - sides.len()..])
                )
            };
            Err(LineError::unmatched(of, &matched, message, Some(listing)))
        }
    }
}

fn complete(reading: &Reading<'_>, given: &[Token], to: &mut CompletionCandidates) {
    match given {
        [] => ["auto", "physical"].iter().for_each(|word| to.offer(word)),
        [_] => {
            reading.ruleset().verbs().for_each(|verb| to.offer(verb));
            reading.sides().iter().for_each(|side| to.offer(side));
        }
        _ => {}
    }
}
