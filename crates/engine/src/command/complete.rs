//! Finds the words that could be typed at a position in a line of the game.

use super::token::tokens;
use super::{Reading, Token};
use crate::language::machine::World;
use crate::language::schema::{Attribute, Element, KindId, Param, Type};
use crate::names::abbreviates;
use crate::referee::{PartialCall, Referee};
use crate::tabletop::Tabletop;

/// The maximum number of words offered, counted separately for near and far words.
const MAX_OFFERED: usize = 500;

/// The possible completions of the word that is being typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The byte offset in the line at which the word begins.
    pub start: usize,
    /// The full words that the typed word could become.
    pub words: Vec<String>,
    /// The part of the usage that may follow; empty if nothing may follow, or if the usage isn't
    /// known.
    pub rest: String,
}

/// The possible meanings of an unfinished line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BegunLine {
    /// The rule calls that the line may become.
    pub calls: Vec<PartialCall>,
    /// True if the line may also become something other than a rule call.
    pub is_more: bool,
}

/// The words that could complete the word being typed. Near words may come next; far words are
/// offered only if no near word fits.
pub struct CompletionCandidates {
    begun: String,
    /// The meanings of the typed words, if meanings are being collected. `None` if the words that
    /// could follow are being collected instead.
    meanings: Option<BegunLine>,
    near: Vec<String>,
    far: Vec<String>,
    /// The rest of the usage that best fits the words before the current one, with its rank. The
    /// lowest rank is the best.
    rest: Option<((usize, usize, usize), String)>,
}

impl CompletionCandidates {
    fn of(begun: &str) -> CompletionCandidates {
        CompletionCandidates {
            begun: begun.to_lowercase(),
            meanings: None,
            near: Vec::new(),
            far: Vec::new(),
            rest: None,
        }
    }

    /// Returns the typed beginning of the word, in lower case.
    pub(crate) fn prefix(&self) -> &str {
        &self.begun
    }

    /// Offers a word that may come next.
    pub(crate) fn offer(&mut self, word: &str) {
        self.add(word, false);
    }

    /// Offers a word that is used only if no word from [`offer`](Self::offer) fits.
    pub(crate) fn offer_later(&mut self, word: &str) {
        self.add(word, true);
    }

    /// Offers words if the position is directly after the verb.
    pub(crate) fn offer_first<S: AsRef<str>>(
        &mut self,
        given: &[Token],
        words: impl IntoIterator<Item = S>,
    ) {
        if given.is_empty() {
            words.into_iter().for_each(|word| self.offer(word.as_ref()));
        }
    }

    /// Returns true if meanings are being collected instead of words that could follow.
    pub(crate) fn wants_meanings(&self) -> bool {
        self.meanings.is_some()
    }

    /// If meanings are being collected, adds a rule call that the line may become.
    pub(super) fn add_call(&mut self, call: impl FnOnce() -> PartialCall) {
        let Some(meanings) = &mut self.meanings else { return };
        let call = call();
        if !meanings.calls.contains(&call) {
            meanings.calls.push(call);
        }
    }

    /// If meanings are being collected, records that the line may become something other than a
    /// rule call.
    pub(crate) fn add_other_meaning(&mut self) {
        if let Some(meanings) = &mut self.meanings {
            meanings.is_more = true;
        }
    }

    pub(super) fn add(&mut self, word: &str, far: bool) {
        if self.wants_meanings() {
            return;
        }
        let lower = word.to_lowercase();
        if !lower.starts_with(&self.begun) && !abbreviates(&lower, &self.begun) {
            return;
        }
        let list = if far { &mut self.far } else { &mut self.near };
        if list.len() < MAX_OFFERED && !list.iter().any(|w| w == word) {
            list.push(word.to_owned());
        }
    }

    /// Offers the rest of a usage. It replaces the current one only if its rank is lower, which
    /// means that its usage fits the typed words better.
    pub(super) fn offer_rest(&mut self, rank: (usize, usize, usize), rest: String) {
        if self.rest.as_ref().is_none_or(|(best, _)| rank < *best) {
            self.rest = Some((rank, rest));
        }
    }

    fn into_words(self) -> Vec<String> {
        if self.near.is_empty() { self.far } else { self.near }
    }
}

/// Returns the completions of the word before `cursor`, which is a byte offset in the line. `offer`
/// is called with the earlier words of the line, and offers the words that can follow them.
pub fn complete<'a>(
    referee: &'a Referee,
    table: &'a Tabletop,
    (line, cursor): (&'a str, usize),
    offer: impl FnOnce(&Reading<'a>, &[Token], &mut CompletionCandidates),
) -> Completion {
    let Some(before) = line.get(..cursor) else { return Completion::default() };
    let start = before.trim_end_matches(|c: char| !c.is_whitespace()).len();
    let (head, begun) = before.split_at(start);
    let Ok(head) = tokens(head) else { return Completion { start, ..Completion::default() } };
    // An exclamation mark before the line overrides a refusal; it is not part of the word.
    let (start, begun) = match begun.strip_prefix('!') {
        Some(rest) if head.is_empty() => (start + 1, rest),
        _ => (start, begun),
    };
    let mut candidates = CompletionCandidates::of(begun);
    offer(&Reading::new(referee, table, line), &head, &mut candidates);
    let rest = candidates.rest.take().map_or(String::new(), |(_, rest)| rest);
    Completion { start, words: candidates.into_words(), rest }
}

/// Returns the possible meanings of an unfinished line; `None` if it can't be split into words.
/// `offer` is called with all words, and adds their meanings.
pub(crate) fn meanings<'a>(
    referee: &'a Referee,
    table: &'a Tabletop,
    line: &'a str,
    offer: impl FnOnce(&Reading<'a>, &[Token], &mut CompletionCandidates),
) -> Option<BegunLine> {
    let words = tokens(line).ok()?;
    let mut candidates = CompletionCandidates::of("");
    candidates.meanings = Some(BegunLine::default());
    offer(&Reading::new(referee, table, line), &words, &mut candidates);
    candidates.meanings
}

impl Reading<'_> {
    /// Offers the values of a parameter.
    pub(super) fn offer_values(&self, param: &Param, far: bool, to: &mut CompletionCandidates) {
        if to.wants_meanings() {
            return;
        }
        match (param.ty, param.bounds) {
            (Type::Whole, Some((low, high))) => offer_whole_numbers(low, high, far, to),
            (ty, _) => self.offer_type(ty, far, to),
        }
    }

    /// Returns the names of the pieces of a kind that belong to the side to move. Returns no
    /// names if no side is to move.
    pub(super) fn pieces_of_side_to_move(&self, kind: KindId) -> Vec<&str> {
        let Some(side) = self.referee.side_to_move(self.table) else { return Vec::new() };
        let own =
            |row: &u32| self.referee.side_of_piece(self.table, kind, *row).as_ref() == Some(&side);
        let rows = self.table.present_pieces(kind).filter(own);
        rows.map(|row| self.table.name(kind, row)).collect()
    }

    fn offer_type(&self, ty: Type, far: bool, to: &mut CompletionCandidates) {
        match ty {
            Type::Piece(kind) | Type::List(Element::Piece(kind)) => {
                let rows = self.table.present_pieces(kind);
                rows.for_each(|row| to.add(self.table.name(kind, row), far));
            }
            Type::Word(set) | Type::List(Element::Word(set)) => {
                let words = &self.ruleset().schema.word_set(set).values;
                words.iter().for_each(|word| to.add(word, far));
            }
            Type::Flag => ["on", "off"].iter().for_each(|word| to.add(word, far)),
            _ => {}
        }
    }

    /// Offers the values of an attribute.
    pub(crate) fn offer_attribute(&self, attribute: &Attribute, to: &mut CompletionCandidates) {
        match attribute.ty {
            Type::Whole => {
                offer_whole_numbers(attribute.low, attribute.high, false, to);
                attribute.names.iter().for_each(|name| to.offer(name));
            }
            Type::Piece(_) | Type::List(_) => to.offer("none"),
            _ => {}
        }
        self.offer_type(attribute.ty, false, to);
    }
}

/// Offers the numbers of a range if there are at most 13.
fn offer_whole_numbers(low: i64, high: i64, far: bool, to: &mut CompletionCandidates) {
    if high.saturating_sub(low) < 13 {
        (low..=high).for_each(|n| to.add(&n.to_string(), far));
    }
}
