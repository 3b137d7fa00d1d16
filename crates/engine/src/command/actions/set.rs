//! `set`: changes attributes of one or several pieces, or of the game's state, by a ruling of the
//! umpire.

use super::super::{
    ANY_NUMBER, CompletionCandidates, LineError, Reading, Token, TypedLine, Word, find_piece,
};
use super::remove::no_such_piece;
use super::{
    ReadAction, find_attribute, is_other_attribute, name_value_pair, read_value, read_values,
    settable_attributes,
};
use crate::language::schema::{KindId, Type};
use crate::referee::Action;
use crate::tabletop::Argument;

/// The word `set`, which changes attributes of pieces or of the game's state.
pub const SET: Word<ReadAction> = Word {
    name: "set",
    usage: "set PIECE.ATTRIBUTE VALUE…",
    help: "change a value by your ruling",
    sample: &["`set c3.fire 2`, `set t1,t2.at c4`, `set state.wind strong`"],
    complete,
    most: ANY_NUMBER,
    ..Word::of(read as ReadAction)
};

fn read(reading: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    let usage = "write `set PIECE.ATTRIBUTE VALUE`";
    let missing = format!("`{}` needs a piece and an attribute", typed.verb());
    let (first, rest) = typed.need_word(missing, usage)?;
    let (goal, value, after) =
        name_value_pair(typed.words_after_first()).unwrap_or((first.clone(), None, rest));
    if let Some((pieces, name)) = pieces_and_attribute(reading, &goal) {
        let pieces = pieces.with_attribute(reading, &name.text);
        let Some(value) = value else {
            find_attribute(reading.ruleset(), pieces.kind, &name)?;
            let message = format!("`{}` needs a value", name.text);
            return Err(LineError::new(None, message).help(usage));
        };
        let (value, after) = read_value(reading, pieces.kind, &name, &value, after)?;
        let mut all = vec![value];
        all.extend(read_values(reading, pieces.kind, after)?);
        return Ok(pieces.set_to(all));
    }
    let (pieces, pairs) = Pieces::at(reading, typed.words_after_first()).ok_or_else(|| {
        // In `t99.fatigue`, the piece `t99` is missing.
        let names = goal.text.rsplit_once('.').map_or(&*goal.text, |named| named.0);
        let mut names = names.split(',').filter(|name| !name.is_empty());
        let unknown = names.find(|name| find_piece(reading.table, name).is_none());
        no_such_piece(reading, first, unknown.unwrap_or(&goal.text))
    })?;
    let pieces = match name_value_pair(pairs) {
        Some((name, ..)) => pieces.with_attribute(reading, &name.text),
        None => pieces,
    };
    let values = read_values(reading, pieces.kind, pairs)?;
    if values.is_empty() {
        return Err(LineError::new(None, "set what?").help(usage));
    }
    Ok(pieces.set_to(values))
}

/// Pieces of one kind that are given the same values.
struct Pieces {
    kind: KindId,
    rows: Vec<u32>,
}

impl Pieces {
    /// Returns the pieces of a list of names with commas between them. Returns `None` if a name is
    /// missing or unknown, or if the pieces are of different kinds.
    fn named(reading: &Reading<'_>, list: &str) -> Option<Pieces> {
        let mut names = list.split(',');
        let (kind, first) = find_piece(reading.table, names.next()?)?;
        let mut pieces = Pieces { kind, rows: vec![first] };
        for name in names {
            let (_, row) = find_piece(reading.table, name).filter(|(of, _)| *of == kind)?;
            pieces.add(row);
        }
        Some(pieces)
    }

    /// Returns the pieces that these words begin with, and the words after them. A list may have
    /// spaces or `and` between its names, and a group of pieces may be named together, as in
    /// `all mtbs`.
    fn at<'w>(reading: &Reading<'_>, words: &'w [Token]) -> Option<(Pieces, &'w [Token])> {
        let names = |word: &Token| Pieces::named(reading, word.text.trim_end_matches(','));
        let Some(mut pieces) = words.first().and_then(names) else {
            let (group, taken) = reading.group_at(words)?;
            return Some((Pieces { kind: group.kind, rows: group.rows }, words.get(taken..)?));
        };
        let mut rest = words.get(1..)?;
        loop {
            let joins = |word: &&Token| ["and", "&"].contains(&word.text.as_str());
            let skipped = usize::from(rest.first().filter(joins).is_some());
            let Some(word) = rest.get(skipped) else { break };
            // The name of an attribute goes before a piece.
            let is_attribute = find_attribute(reading.ruleset(), pieces.kind, word).is_ok();
            let more = names(word).filter(|more| more.kind == pieces.kind);
            let Some(more) = more.filter(|_| !is_attribute || skipped > 0) else { break };
            more.rows.into_iter().for_each(|row| pieces.add(row));
            rest = rest.get(skipped + 1..)?;
        }
        Some((pieces, rest))
    }

    /// Adds a piece of the same kind that isn't among them yet.
    fn add(&mut self, row: u32) {
        if !self.rows.contains(&row) {
            self.rows.push(row);
        }
    }

    /// Returns the members of the only piece, if they have an attribute which that piece lacks;
    /// otherwise the same pieces.
    fn with_attribute(self, reading: &Reading<'_>, name: &str) -> Pieces {
        let has = |kind: KindId| reading.ruleset().schema.kind(kind).attribute(name).is_some();
        let [only] = self.rows.as_slice() else { return self };
        if has(self.kind) {
            return self;
        }
        let mut members = reading.member_groups(self.kind, *only).into_iter();
        match members.find(|group| has(group.kind)) {
            Some(group) => Pieces { kind: group.kind, rows: group.rows },
            None => self,
        }
    }

    fn set_to(self, values: Vec<(usize, Argument)>) -> Action {
        Action::Set { kind: self.kind, rows: self.rows, values }
    }
}

/// Returns the pieces and the name of the attribute in a word such as `b3.2.fire` or `ann,bob.hits`.
/// The pieces are everything before the last dot. Returns `None` if the word has no dot or there are no
/// such pieces of one kind.
fn pieces_and_attribute(reading: &Reading<'_>, word: &Token) -> Option<(Pieces, Token)> {
    let (pieces, name) = word.text.rsplit_once('.')?;
    let pieces = Pieces::named(reading, pieces)?;
    Some((pieces, Token { text: name.to_owned(), ..word.clone() }))
}

/// Offers `PIECE.ATTRIBUTE`, then the values of the attribute, then the other attributes of the
/// piece and their values.
pub fn complete(reading: &Reading<'_>, given: &[Token], to: &mut CompletionCandidates) {
    let ruleset = reading.ruleset();
    let Some((first, rest)) = given.split_first() else {
        if let Some((pieces, _)) = to.prefix().to_owned().rsplit_once('.')
            && let Some(Pieces { kind, .. }) = Pieces::named(reading, pieces)
        {
            settable_attributes(ruleset, kind)
                .for_each(|a| to.offer(&format!("{pieces}.{}", a.name)));
        }
        to.offer_later("state.");
        reading.table.names().for_each(|(name, ..)| to.offer_later(&format!("{name}.")));
        return;
    };
    if let Some((pieces, name)) = pieces_and_attribute(reading, first) {
        let kind = pieces.with_attribute(reading, &name.text).kind;
        complete_pairs(reading, kind, &[&[name], rest].concat(), to);
    } else if let Some((pieces, pairs)) = Pieces::at(reading, given) {
        complete_pairs(reading, pieces.kind, pairs, to);
    }
}

/// Offers the values of the last attribute if its value is missing or is a list that may continue.
/// Offers the names of attributes if no value is missing.
pub(super) fn complete_pairs(
    reading: &Reading<'_>,
    kind: KindId,
    given: &[Token],
    to: &mut CompletionCandidates,
) {
    let ruleset = reading.ruleset();
    let mut rest = given;
    while let Some((name, after)) = rest.split_first() {
        let Ok((_, attribute)) = find_attribute(ruleset, kind, name) else { return };
        let list = matches!(attribute.ty, Type::List(_));
        let named = |w: &&Token| list && !is_other_attribute(reading, kind, attribute, w);
        let more = after.iter().skip(1).take_while(named).count();
        if after.is_empty() || (list && after.len() == more + 1) {
            reading.offer_attribute(attribute, to);
        }
        if after.is_empty() {
            return;
        }
        rest = &after[more + 1..];
    }
    settable_attributes(ruleset, kind).for_each(|a| to.offer(&a.name));
}

#[cfg(test)]
mod tests {
    use crate::session::testing::TestGame;

    /// Two squads of different sizes, and men in them. A squad has no hits of its own.
    const SQUADS: &str = r#"
[words.army]
values = ["none", "red", "blue"]
[sides]
are = "army"
[kind.squad]
side = { one_of = "army" }
[kind.man]
plural = "men"
side = { one_of = "army" }
squad = { of = "squad" }
hits = { from = 0, to = 9 }
[kind.chit]
squad = { of = "squad" }
[scenario.one.pieces.chit]
blue-one = { squad = "able" }
[scenario.one.pieces.squad]
able = { side = "red" }
baker = { side = "red" }
[scenario.one.pieces.man]
ann = { side = "red", squad = "able" }
bob = { side = "red", squad = "able" }
cat = { side = "red", squad = "baker" }
"#;

    /// Returns the hits of Ann, Bob and Cat after a line.
    fn hits_after(line: &str) -> [String; 3] {
        let mut game = TestGame::of(SQUADS);
        game.types(line);
        assert!(game.session.verify().mismatch.is_none(), "{line}");
        ["ann.hits", "bob.hits", "cat.hits"].map(|spot| game.value(spot))
    }

    #[test]
    fn several_pieces_are_given_the_same_value() {
        for line in [
            "set ann,cat.hits 3",
            "set ann,cat hits 3",
            "set ann, cat hits=3",
            "set ann and cat hits 3",
            "set ann cat hits 3",
        ] {
            assert_eq!(hits_after(line), ["3", "0", "3"], "{line}");
        }
        assert_eq!(hits_after("set all men hits 2"), ["2", "2", "2"]);
    }

    #[test]
    fn a_squad_stands_for_its_members_if_it_has_no_such_attribute() {
        for line in ["set able.hits 3", "set able hits 3"] {
            assert_eq!(hits_after(line), ["3", "3", "0"], "{line}");
        }
        let mut game = TestGame::of(SQUADS);
        game.types("set able.side blue");
        assert_eq!(
            (game.value("able.side").as_str(), game.value("ann.side").as_str()),
            ("blue", "red")
        );
    }

    #[test]
    fn one_undo_takes_back_the_values_of_all_pieces() {
        let mut game = TestGame::of(SQUADS);
        game.types("set ann.hits 1");
        game.types("set able.hits 4");
        game.session.undo(1, 0).unwrap();
        let hits = ["ann.hits", "bob.hits"].map(|spot| game.value(spot));
        assert_eq!(hits, ["1", "0"]);
        let ruling = game.session.overrule("ann,bob.hits 7: both were seen", 0).unwrap();
        assert_eq!(ruling.reason.as_deref(), Some("both were seen"));
        assert_eq!(["ann.hits", "bob.hits"].map(|spot| game.value(spot)), ["7", "7"]);
        let words: Vec<String> =
            game.session.verify().ledger.into_iter().map(|entry| entry.words).collect();
        assert!(words.iter().any(|w| w.contains("set man ann and bob hits=7")), "{words:?}");
    }
}
