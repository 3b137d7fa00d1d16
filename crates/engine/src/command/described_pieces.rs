//! Finds the pieces that a line describes instead of naming them, such as `the hmg gunner`, `a boy`
//! or `the lt`: by a part of the name, the caption, a value such as the weapon, or the squad.

use super::known_words::COMMON;
use super::restate::{ARTICLES, UNITS, is_number, is_one_of, number_of_word, trim_mark, written};
use super::{Reading, Token, TypedLine, everyday_verbs};
use crate::language::machine::World;
use crate::language::schema::{Attribute, AttributeStorage, KindId, KindRole, Type};
use crate::referee::Referee;
use crate::tabletop::Tabletop;

/// The minimum number of letters in a word that describes a piece.
const MIN_LETTERS: usize = 3;

/// The maximum number of pieces that a description may fit. A description that fits more of them
/// says too little.
const MAX_FITTING: usize = 12;

/// Abbreviations of ranks, each with the rank.
const RANKS: [(&str, &str); 8] = [
    ("lt", "lieutenant"),
    ("lieut", "lieutenant"),
    ("sgt", "sergeant"),
    ("sarge", "sergeant"),
    ("cpl", "corporal"),
    ("capt", "captain"),
    ("maj", "major"),
    ("col", "colonel"),
];

/// Returns the rank that an abbreviation, in lower case, stands for.
pub(super) fn rank_in_full(word: &str) -> Option<&'static str> {
    RANKS.iter().find(|(short, _)| *short == word).map(|(_, rank)| *rank)
}

/// Returns the lines that a line becomes if its first description is replaced by each of the pieces
/// that fit it. Returns an empty list if there is no description, or if it fits too many pieces.
pub(crate) fn lines_with_described_pieces(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
) -> Vec<String> {
    let Ok(typed) = TypedLine::read(line) else { return Vec::new() };
    let reading = Reading::new(referee, table, line);
    let mut words = typed.tokens;
    words.iter_mut().filter(|word| !word.quoted).for_each(trim_mark);
    let words = reading.with_joined_names(&words).unwrap_or(words);
    let pieces = reading.pieces_with_descriptions();
    let found = (0..words.len()).find_map(|at| {
        let (fitting, taken) = reading.pieces_described_at(&words[at..], &pieces)?;
        (fitting.len() <= MAX_FITTING).then_some((at, fitting, taken))
    });
    let Some((at, fitting, taken)) = found else { return Vec::new() };
    let is_article = |word: &Token| !word.quoted && is_one_of(&word.text, &ARTICLES);
    let start = if at > 0 && is_article(&words[at - 1]) { at - 1 } else { at };
    let text = |part: &[Token]| part.iter().map(written).collect::<Vec<_>>();
    let with = |(kind, row): TablePiece| {
        let name = vec![table.piece_name(kind, row)];
        [text(&words[..start]), name, text(&words[at + taken..])].concat().join(" ")
    };
    fitting.into_iter().map(with).collect()
}

/// A piece on the table.
type TablePiece = (KindId, u32);

/// A piece with the words that describe it.
struct DescribedPiece {
    piece: TablePiece,
    /// The name in lower case.
    name: String,
    /// The parts of the name and of the caption, and the values that are words, in lower case.
    words: Vec<String>,
}

impl Reading<'_> {
    /// Returns all pieces that aren't part of the plan, with the words that describe them.
    fn pieces_with_descriptions(&self) -> Vec<DescribedPiece> {
        let schema = &self.ruleset().schema;
        let mut found = Vec::new();
        let kinds = schema.piece_kinds().filter(|(_, of)| !of.plan && of.role == KindRole::Pieces);
        for (kind, of) in kinds {
            let is_word = |attribute: &Attribute| {
                matches!(attribute.ty, Type::Word(_))
                    && matches!(attribute.storage, AttributeStorage::Cell(_))
                    && !attribute.bookkeeping
            };
            let attributes: Vec<usize> = (0..of.attributes.len())
                .filter(|&index| {
                    of.caption_attribute == Some(index) || is_word(&of.attributes[index])
                })
                .collect();
            for row in self.table.present_pieces(kind) {
                let name = self.table.name(kind, row).to_lowercase();
                let value =
                    |&index: &usize| self.referee.attribute_text(self.table, kind, row, index);
                let values = attributes.iter().filter_map(value).map(|text| text.to_lowercase());
                let captions = self.captions(kind, row);
                let words = std::iter::once(name.clone()).chain(values).chain(captions);
                let words = words
                    .flat_map(|text| text.split(['-', ' ']).map(str::to_owned).collect::<Vec<_>>());
                found.push(DescribedPiece { piece: (kind, row), words: words.collect(), name });
            }
        }
        found
    }

    /// Returns the pieces that fit the description with which these words begin, and the number of
    /// words in it. Returns `None` if they begin with no description.
    fn pieces_described_at(
        &self,
        words: &[Token],
        pieces: &[DescribedPiece],
    ) -> Option<(Vec<TablePiece>, usize)> {
        let mut fitting = self.pieces_fitting(words.first()?, pieces);
        let mut taken = 1;
        while let Some(word) = words.get(taken).filter(|_| !fitting.is_empty()) {
            let narrower = self.pieces_fitting(word, pieces);
            let both: Vec<TablePiece> =
                fitting.iter().filter(|piece| narrower.contains(piece)).copied().collect();
            if both.is_empty() {
                break;
            }
            fitting = both;
            taken += 1;
        }
        (!fitting.is_empty()).then_some((fitting, taken))
    }

    /// Returns the pieces that one word of a description fits. A word that names a piece fits the
    /// members of that piece, if it has several.
    fn pieces_fitting(&self, word: &Token, pieces: &[DescribedPiece]) -> Vec<TablePiece> {
        let lower = word.text.to_lowercase();
        let rank = rank_in_full(&lower);
        if word.quoted || (rank.is_none() && !self.may_describe(word)) {
            return Vec::new();
        }
        if let Some((kind, row)) = self.table.find(&word.text) {
            let members = self.pieces_of(kind, row);
            return if members.len() > 1 { members } else { Vec::new() };
        }
        let described = rank.unwrap_or(&lower);
        let fits = |piece: &&DescribedPiece| {
            piece.name.starts_with(described) || piece.words.iter().any(|own| own == described)
        };
        let mut found: Vec<TablePiece> =
            pieces.iter().filter(fits).map(|piece| piece.piece).collect();
        if found.len() <= MAX_FITTING {
            let members: Vec<TablePiece> =
                found.iter().flat_map(|&(kind, row)| self.pieces_of(kind, row)).collect();
            found.extend(members);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the members of a piece.
    fn pieces_of(&self, kind: KindId, row: u32) -> Vec<TablePiece> {
        let members = self.only_members(kind, row);
        members.map_or_else(Vec::new, |group| {
            group.rows.iter().map(|&member| (group.kind, member)).collect()
        })
    }

    /// Returns true if a word may belong to a description: it isn't a number, a verb, another word
    /// of the rules or a common English word.
    fn may_describe(&self, word: &Token) -> bool {
        let lower = word.text.to_lowercase();
        let is_common = is_one_of(&lower, &COMMON)
            || is_one_of(&lower, &ARTICLES)
            || is_one_of(&lower, &UNITS)
            || is_number(word)
            || number_of_word(word).is_some();
        let is_verb = || {
            let words = std::slice::from_ref(word);
            !self.verbs_named(words).is_empty() || !everyday_verbs::acts_at(words).is_empty()
        };
        let names_piece = self.table.find(&word.text).is_some();
        names_piece || (lower.chars().count() >= MIN_LETTERS && !is_common && !is_verb())
    }
}
