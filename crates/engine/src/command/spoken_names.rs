//! Finds the pieces that words mean without being their exact names: possessives such as `s1's`,
//! `keller's` and `vogts`, mistyped names, and names typed as two words, such as `hose 1` for `h1`
//! or `mgb1 bow` for `mgb1-bow`.

use super::described_pieces::rank_in_full;
use super::restate::{is_one_of, literal_words, trim_mark, written};
use super::{Reading, Token, TypedLine, known_words, nearest};
use crate::language::rule::{RuleText, UsagePart};
use crate::language::schema::{KindId, KindRole, Type};
use crate::names;
use crate::referee::Referee;
use crate::ruleset::PLAYER_ATTRIBUTE;
use crate::tabletop::Tabletop;

/// The minimum number of letters in a word that may be a mistyped name. Shorter names are too
/// similar to each other.
const MIN_MENDED: usize = 5;

/// Words for what stands on a table and for what happens there, which nobody types by mistake for a name
/// that is like them.
const NOT_NAMES: [&str; 18] = [
    "river", "bridge", "hedge", "fence", "ditch", "street", "window", "corner", "ridge", "field",
    "happens", "happen", "happened", "anybody", "anyone", "somebody", "someone", "nobody",
];

/// The minimum number of letters in a word that may be consonants of a word of the rules.
const MIN_CONSONANTS: usize = 4;

/// The minimum number of letters in a word that may mean a piece whose name begins or ends with it.
pub(super) const MIN_STEM: usize = 3;

/// Returns the name of the piece that a word means, if it means one. The word may have the ending
/// of a possessive or of `X is`, with or without its apostrophe: `s1's`, `vogts`.
pub(crate) fn find_spoken(table: &Tabletop, word: &str) -> Option<String> {
    let lower = word.to_lowercase().replace('’', "'");
    let bare = ["'s", "s'", "s"].into_iter().filter_map(|ending| lower.strip_suffix(ending));
    let mut forms = [word, lower.as_str()].into_iter().chain(bare);
    // A hyphen may be typed where the name has none: `T-34a`.
    let without_hyphens = || table.find(&lower.replace('-', ""));
    let (kind, row) = forms.find_map(|form| table.find(form)).or_else(without_hyphens)?;
    Some(table.piece_name(kind, row))
}

/// Returns true if a word is a part of a text that describes a piece: of its caption, or of the name of its
/// weapon.
pub(crate) fn is_described_by(referee: &Referee, table: &Tabletop, name: &str, word: &str) -> bool {
    let reading = Reading::new(referee, table, "");
    let lower = word.to_lowercase();
    table.find(name).is_some_and(|(kind, row)| {
        let captions = reading.captions(kind, row);
        captions.iter().any(|text| text.split(['-', ' ']).any(|part| part == lower))
    })
}

/// Returns the names of the pieces that a line mentions, each once, in the order of the line. A
/// piece may be mentioned the way people talk: with another ending, as two words, with a typing
/// mistake, or by the beginning or the end of its name if no other piece fits.
pub(crate) fn names_in(referee: &Referee, table: &Tabletop, line: &str) -> Vec<String> {
    let Ok(typed) = TypedLine::read(line) else { return Vec::new() };
    let reading = Reading::new(referee, table, line);
    let words: Vec<Token> = typed.tokens.iter().flat_map(parts_of_list).collect();
    let words = reading.with_joined_names(&words).unwrap_or(words);
    let mut names: Vec<String> = Vec::new();
    for (at, mut word) in words.into_iter().enumerate() {
        reading.name_meant(&mut word);
        let name = match table.find(&word.text) {
            Some((kind, row)) => Some(table.piece_name(kind, row)),
            None => reading.only_piece_named_after(&word.text, at == 0),
        };
        if let Some(name) = name.filter(|name| !names.contains(name)) {
            names.push(name);
        }
    }
    names
}

/// Returns a line in which every word that means a piece or a word of the rules in some other way,
/// for example as a range, by a caption or with a typing mistake, is replaced. Returns `None` if
/// there is no such word.
pub(crate) fn mended_line(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let reading = Reading::new(referee, table, line);
    let mut words = typed.tokens.clone();
    words.iter_mut().filter(|word| !word.quoted).for_each(trim_mark);
    let mut words = reading.with_joined_names(&words).unwrap_or(words);
    for (at, word) in words.iter_mut().enumerate().filter(|(_, word)| !word.quoted) {
        reading.name_meant(word);
        if table.find(&word.text).is_none()
            && let Some(name) = reading.only_piece_named_after(&word.text, at == 0)
        {
            word.text = name;
        }
    }
    let as_written = |all: &[Token]| all.iter().map(written).collect::<Vec<_>>().join(" ");
    let mended = as_written(&words);
    let mut bare = typed.tokens;
    bare.iter_mut().filter(|word| !word.quoted).for_each(trim_mark);
    (mended != as_written(&bare)).then_some(mended)
}

/// Returns the parts of a word between its commas, without the punctuation around them.
fn parts_of_list(word: &Token) -> Vec<Token> {
    let marks = |c: char| matches!(c, '.' | ';' | ':' | '!' | '?' | '(' | ')');
    let parts = word.text.split(',').map(|part| part.trim_matches(marks));
    let parts = parts.filter(|part| !part.is_empty());
    parts.map(|part| Token { text: part.to_owned(), ..word.clone() }).collect()
}

/// A piece with the texts that describe it, in lower case.
pub(super) struct CaptionedPiece {
    piece: (KindId, u32),
    captions: Vec<String>,
}

impl Reading<'_> {
    /// Returns the name of the only piece whose name ends with a hyphen and this word, or is this
    /// word followed by a number (or by a letter, if the word ends in a digit). If there are no
    /// such pieces, returns the name of the only piece that players call by this word. Returns
    /// `None` for short words, verbs and, unless the word begins the line, other words of the rules.
    fn only_piece_named_after(&self, word: &str, begins_line: bool) -> Option<String> {
        let lower = word.to_lowercase();
        let lower = ["'s", "s'"].iter().find_map(|end| lower.strip_suffix(end)).unwrap_or(&lower);
        let is_short = lower.chars().count() < MIN_STEM;
        // No usage begins with a word other than its verb.
        let is_of_rules = !begins_line && self.is_word_of_rules(lower);
        if is_short || is_of_rules || self.ruleset().has_verb(lower) {
            return None;
        }
        let is_named_after = |name: &str| {
            let name = name.to_lowercase();
            let numbered = name.strip_prefix(lower).is_some_and(|end| {
                let is_letter = end.len() == 1 && end.bytes().all(|b| b.is_ascii_lowercase());
                let after_digit = lower.ends_with(|c: char| c.is_ascii_digit());
                (is_letter && after_digit) || end.bytes().all(|b| b.is_ascii_digit())
            });
            numbered || name.rsplit_once('-').is_some_and(|(_, last)| last == lower)
        };
        let mut named = self.table.names().filter(|(name, ..)| is_named_after(name));
        let Some((_, kind, row)) = named.next() else {
            return match self.pieces_described_as(lower).as_slice() {
                [(kind, row)] => Some(self.table.piece_name(*kind, *row)),
                _ => None,
            };
        };
        named.next().is_none().then(|| self.table.piece_name(kind, row))
    }

    /// Returns the pieces that this word describes: their caption is the word, ends with it after a
    /// hyphen or space, or has it as two parts or more without the hyphens. `wagon` means the pieces
    /// of the type `hay-wagon`, and so does `haywagon`. If some of them belong to the side to move,
    /// returns only those.
    pub(super) fn pieces_described_as(&self, word: &str) -> Vec<(KindId, u32)> {
        let squashed = word.replace('-', "");
        self.pieces_with_caption(|text| {
            let parts: Vec<&str> = text.split(['-', ' ']).collect();
            text == word || parts.last() == Some(&word) || has_run(&parts, &squashed)
        })
    }

    /// Returns the pieces that two words describe: they are parts of the caption that follow each
    /// other. If some of the pieces belong to the side to move, returns only those.
    pub(super) fn pieces_described_by_two(&self, first: &str, second: &str) -> Vec<(KindId, u32)> {
        self.pieces_with_caption(|text| {
            let parts: Vec<&str> = text.split(['-', ' ']).collect();
            parts.windows(2).any(|pair| pair == [first, second])
                || has_run(&parts, &format!("{first}{second}"))
        })
    }

    /// Returns the texts that describe a piece, in lower case: its caption, and the rows of the lists
    /// to which it refers, such as its weapon.
    pub(super) fn captions(&self, kind: KindId, row: u32) -> Vec<String> {
        let schema = &self.ruleset().schema;
        let of = schema.kind(kind);
        let describes = |index: &usize| {
            let attribute = &of.attributes[*index];
            let is_row = matches!(attribute.ty, Type::Piece(list) if schema.kind(list).role == KindRole::List);
            of.caption_attribute == Some(*index) || is_row && !attribute.bookkeeping
        };
        let attributes: Vec<usize> = (0..of.attributes.len()).filter(describes).collect();
        let text = |index| self.referee.attribute_text(self.table, kind, row, index);
        let names = attributes.iter().filter_map(|&index| text(index));
        // A row of a list may have a title as well: `Farm cart, covered`.
        let title = |&index: &usize| {
            let attribute = &of.attributes[index];
            let Type::Piece(list) = attribute.ty else { return None };
            let title = schema.kind(list).title_attribute?;
            let listed = self.referee.attribute_value(self.table, row, attribute)?;
            let listed = u32::try_from(listed).ok()?;
            self.referee.attribute_text(self.table, list, listed, title)
        };
        let titles = attributes.iter().filter_map(title).map(|long| long.replace(',', ""));
        // Its picture shows what it is, such as a tank.
        let picture = self.referee.glyph(self.table, kind, row, |_| true);
        // `ships` means the kind of that name.
        let is_kind = |word: &str| {
            schema.piece_kinds().any(|(_, named)| named.name == word || named.plural == word)
        };
        let picture = picture.map(|glyph| glyph.name().to_owned()).filter(|word| !is_kind(word));
        names.chain(titles).chain(picture).map(|caption| caption.to_lowercase()).collect()
    }

    /// Returns the pieces on the table, except places, with the texts that describe them.
    fn described_pieces(&self) -> Vec<CaptionedPiece> {
        let kinds = self.ruleset().schema.piece_kinds();
        let kinds = kinds.filter(|(_, of)| !of.plan && of.role == KindRole::Pieces);
        let pieces =
            kinds.flat_map(|(kind, _)| self.table.present_pieces(kind).map(move |row| (kind, row)));
        let described =
            pieces.map(|piece| CaptionedPiece { piece, captions: self.captions(piece.0, piece.1) });
        described.collect()
    }

    /// Returns the pieces with a wanted caption, which is tested in lower case. If some of them
    /// belong to the side to move, returns only those.
    fn pieces_with_caption(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<(KindId, u32)> {
        let described = self.captions.get_or_init(|| self.described_pieces());
        let has = |piece: &&CaptionedPiece| piece.captions.iter().any(|text| is_wanted(text));
        let found: Vec<(KindId, u32)> = described.iter().filter(has).map(|d| d.piece).collect();
        if let Some(moving) = self.referee.side_to_move(self.table) {
            let side =
                |(kind, row): &(KindId, u32)| self.referee.side_of_piece(self.table, *kind, *row);
            let is_moving = |piece: &&(KindId, u32)| side(piece).as_deref() == Some(&moving);
            let own: Vec<(KindId, u32)> = found.iter().filter(is_moving).copied().collect();
            if !own.is_empty() {
                return own;
            }
        }
        found
    }

    /// Removes the punctuation at the end of a word. If the word then means a piece, for example as
    /// a possessive or with a typing mistake, replaces it with the piece's name.
    pub(super) fn name_meant(&self, word: &mut Token) {
        trim_mark(word);
        if let Some(name) = self.piece_meant(&word.text) {
            word.text = name;
        }
    }

    /// Returns the name of the piece that a word means. Returns `None` if the word is already the
    /// exact name of a piece, or means no piece.
    fn piece_meant(&self, text: &str) -> Option<String> {
        if self.table.find(text).is_some() {
            return None;
        }
        if let Some(name) = find_spoken(self.table, text) {
            return Some(name);
        }
        let lower = text.to_lowercase();
        if let Some(name) = rank_in_full(&lower).and_then(|rank| find_spoken(self.table, rank)) {
            return Some(name);
        }
        // `tanks` means `tank1` and `tank2`, not the mistyped `tanker`.
        let is_stem = |name: &str| {
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).to_lowercase();
            stem.len() < name.len()
                && [lower.as_str(), lower.trim_end_matches('s')].contains(&stem.as_str())
        };
        if self.table.names().filter(|(name, ..)| is_stem(name)).count() > 1 {
            return None;
        }
        let token = Token { text: lower.clone(), start: 0, end: 0, quoted: false };
        let is_short = lower.chars().count() < MIN_MENDED;
        let is_known = lower.chars().count() + 1 < MIN_MENDED
            || is_short && known_words::is_common_word(&lower)
            || NOT_NAMES.contains(&lower.as_str())
            || lower.bytes().any(|b| !b.is_ascii_alphanumeric() && b != b'-')
            || !self.verbs_in_full(std::slice::from_ref(&token)).is_empty()
            || self.is_word_of_rules(&lower);
        if is_known {
            return None;
        }
        let names = self.table.names().map(|(name, ..)| name);
        let initial = lower.chars().next();
        let alike =
            names.filter(|name| name.chars().next() == initial && has_same_digits(name, &lower));
        // A short word may only lack a letter.
        let alike = alike.filter(|name| !is_short || name.chars().count() > lower.chars().count());
        let nearest = names::nearest(&lower, alike).map(str::to_owned);
        let nearest = nearest.filter(|_| !self.names_kind_or_attribute(&lower));
        nearest.or_else(|| self.numbered_name_like(&lower)).or_else(|| {
            let singular = lower.strip_suffix("s").filter(|one| !one.ends_with('s'))?;
            self.piece_meant(singular)
        })
    }

    /// Returns the name of the only piece whose name, without the number at its end, is nearly this
    /// word: `ambulence` means `ambulance1`. Returns `None` for a word with digits.
    fn numbered_name_like(&self, word: &str) -> Option<String> {
        if word.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).to_lowercase();
        let initial = word.chars().next();
        let numbered = self.table.names().filter(|(name, ..)| {
            name.ends_with(|c: char| c.is_ascii_digit()) && stem(name).chars().next() == initial
        });
        let numbered: Vec<(String, &str)> = numbered
            .map(|(name, ..)| (stem(name), name))
            .filter(|(bare, _)| bare.len() >= MIN_MENDED)
            .collect();
        let meant = names::nearest(word, numbered.iter().map(|(bare, _)| bare.as_str()))?;
        let mut alike = numbered.iter().filter(|(bare, _)| bare == meant);
        let (_, name) = alike.next()?;
        alike.next().is_none().then(|| (*name).to_owned())
    }

    /// Returns true if a word, in lower case, occurs in the usage of a rule or in a synonym, or is
    /// a value of a parameter.
    pub(super) fn is_word_of_rules(&self, word: &str) -> bool {
        let ruleset = self.ruleset();
        let rules: Vec<&RuleText> = ruleset.schema.rules.iter().collect();
        let is_value = || {
            let mut params = rules.iter().flat_map(|rule| &rule.params);
            params.any(|param| self.is_whole_name(param.ty, word))
        };
        let mut phrases = ruleset.synonyms().flat_map(|(phrase, _)| phrase.split(' '));
        phrases.any(|part| part == word) || is_one_of(word, &literal_words(&rules)) || is_value()
    }

    /// Returns true if a word is the name of a kind or of an attribute, in the singular or the plural, or
    /// a word in the title of an attribute. Nobody types it by mistake for the name of a piece.
    fn names_kind_or_attribute(&self, word: &str) -> bool {
        self.ruleset().schema.all_kinds().any(|(_, kind)| {
            let is_kind =
                [&kind.name, &kind.plural].iter().any(|name| name.eq_ignore_ascii_case(word));
            is_kind
                || kind.attributes.iter().any(|attribute| {
                    let title = attribute.title.as_deref().unwrap_or_default();
                    attribute.is_called_in_either_number(word)
                        || title.split(' ').any(|part| part.eq_ignore_ascii_case(word))
                })
        })
    }

    /// Returns the forms in which words are tried when near lines are sought, the likeliest first:
    /// with each name that was typed as two words joined into one; with the parts of pieces after
    /// the rest, as in `fire mgb1 at s1 mgb1-bow`; and unchanged.
    pub(super) fn spoken_forms(&self, words: &[Token]) -> Vec<Vec<Token>> {
        let joined = self.with_joined_names(words);
        let parts_last = self.with_parts_last(words);
        let mut forms: Vec<Vec<Token>> = [joined, parts_last].into_iter().flatten().collect();
        forms.push(words.to_vec());
        forms
    }

    /// Returns the words with the parts of pieces moved to the end; `None` if there are no parts. A
    /// part is a piece named after another piece. Its name may be typed in full or in part:
    /// `mgb1-bow` may be just `bow` in a line that names `mgb1`.
    fn with_parts_last(&self, words: &[Token]) -> Option<Vec<Token>> {
        let is_piece = |name: &str| self.table.find(name).is_some();
        let owners: Vec<&str> =
            words.iter().map(|word| word.text.as_str()).filter(|text| is_piece(text)).collect();
        let part_of = |owner: &str, part: &str| {
            let name = format!("{owner}-{}", part.to_lowercase());
            is_piece(&name).then_some(name)
        };
        let mut kept = Vec::new();
        let mut parts: Vec<Token> = Vec::new();
        for word in words {
            if word.quoted {
                kept.push(word.clone());
                continue;
            }
            let owner_in_name =
                word.text.rsplit_once('-').map(|(owner, _)| owner).filter(|owner| is_piece(owner));
            let named = owners.iter().find_map(|owner| part_of(owner, &word.text));
            if let Some(owner) = owner_in_name.filter(|_| is_piece(&word.text)) {
                kept.push(Token { text: owner.to_owned(), ..word.clone() });
                parts.push(word.clone());
            } else if let Some(text) = named.filter(|_| !is_piece(&word.text)) {
                parts.push(Token { text, ..word.clone() });
            } else {
                kept.push(word.clone());
            }
        }
        if parts.is_empty() {
            return None;
        }
        kept.append(&mut parts);
        Some(kept)
    }

    /// Joins names and words of the rules that were typed as two words, adds the hyphens to words
    /// that were typed without them, and replaces ranges of pieces; returns `None` if there is
    /// nothing of the kind. `hose 1` means the piece `hose1` or `hose-1`, or else the only hose with
    /// that number in its name; `mgb1 bow` means `mgb1-bow`, `port beam` means `port-beam`, and
    /// `light pump` means the only piece with that caption.
    pub(super) fn with_joined_names(&self, words: &[Token]) -> Option<Vec<Token>> {
        let ranges = self.with_ranges(words);
        let words = ranges.as_deref().unwrap_or(words);
        let mut joined = Vec::new();
        let mut at = 0;
        let words_of_rules = self.words_of_rules();
        let hyphenated: Vec<&String> =
            words_of_rules.iter().filter(|word| word.contains('-')).collect();
        let squashed = |typed: &str| {
            let lower = typed.to_lowercase();
            let text = lower.trim_end_matches(['.', ',', ';', '!']);
            if text.len() < lower.len() && self.is_word_of_rules(text) {
                return Some(text.to_owned());
            }
            let unhyphenated = hyphenated.iter().find(|known| known.replace('-', "") == text);
            let meant = unhyphenated.map(|known| (*known).clone());
            meant
                .or_else(|| self.mistyped_word(text, &words_of_rules))
                .or_else(|| self.word_in_consonants(text, &words_of_rules))
        };
        let mut is_changed = ranges.is_some();
        while let Some(word) = words.get(at) {
            let pair = words.get(at + 1).and_then(|next| {
                let of_rules = || {
                    let is_bare = !word.quoted && !next.quoted;
                    let both = format!("{}-{}", word.text, next.text).to_lowercase();
                    (is_bare && hyphenated.contains(&&both)).then_some(both)
                };
                self.joined_name(word, next).or_else(of_rules)
            });
            match pair {
                Some(text) => {
                    let end = words[at + 1].end;
                    joined.push(Token { text, end, ..word.clone() });
                    at += 2;
                }
                None => {
                    let text = squashed(&word.text).filter(|_| !word.quoted);
                    is_changed |= text.is_some();
                    joined.push(
                        text.map_or_else(|| word.clone(), |text| Token { text, ..word.clone() }),
                    );
                    at += 1;
                }
            }
        }
        (is_changed || joined.len() < words.len()).then_some(joined)
    }

    /// Joins two words that are a word of a usage without its hyphen: `take cover` is `take-cover`, and not
    /// the beginning of that word and the word `cover`. Words of lines that take the umpire's own text
    /// aren't joined.
    pub(super) fn join_flags(&self, words: &mut Vec<Token>) {
        let is_word = |word: &Token| !word.quoted && word.text.chars().all(char::is_alphabetic);
        let mut at = 1;
        while at + 1 < words.len() {
            if is_word(&words[at]) && is_word(&words[at + 1]) {
                let joined = format!("{}-{}", words[at].text, words[at + 1].text).to_lowercase();
                // In `clark take cover`, the two words are the verb.
                let has_verb = || (0..at).any(|first| !self.verbs_at(&words[first..at]).is_empty());
                if self.is_flag(&joined) && has_verb() && !self.takes_text_after(&words[0]) {
                    let end = words[at + 1].end;
                    words[at] = Token { text: joined, end, ..words[at].clone() };
                    words.remove(at + 1);
                }
            }
            at += 1;
        }
    }

    /// Returns true if a word with a hyphen stands in a usage as it is.
    fn is_flag(&self, word: &str) -> bool {
        let mut usages = self.ruleset().schema.rules.iter().filter_map(|rule| rule.usage.as_ref());
        usages.any(|usage| has_literal(&usage.parts, word))
    }

    /// Returns true if this word begins a line with free text.
    fn takes_text_after(&self, verb: &Token) -> bool {
        let verbs = self.verbs_in_full(std::slice::from_ref(verb));
        verbs.iter().any(|(name, _)| self.ruleset().takes_text(name))
    }

    /// Returns the word of the rules, among these, that a long unknown word nearly is: `starborad`
    /// means `starboard`.
    fn mistyped_word(&self, word: &str, words_of_rules: &[String]) -> Option<String> {
        let is_candidate = word.chars().count() > MIN_MENDED
            && word.bytes().all(|b| b.is_ascii_lowercase())
            && self.table.find(word).is_none()
            && !self.is_word_of_rules(word);
        if !is_candidate {
            return None;
        }
        let initial = word.chars().next();
        let alike = words_of_rules.iter().filter(|known| known.chars().next() == initial);
        names::nearest(word, alike.map(String::as_str)).map(str::to_owned)
    }

    /// Returns the word of the rules, among these, that consonants of it are short for: `stbd`
    /// means `starboard`, but not `starboard-beam`, which begins with it.
    fn word_in_consonants(&self, word: &str, words_of_rules: &[String]) -> Option<String> {
        let is_candidate = word.len() >= MIN_CONSONANTS
            && self.table.find(word).is_none()
            && !self.is_word_of_rules(word)
            && !self.ruleset().has_verb(word);
        let mut meant = words_of_rules.iter().filter(|known| nearest::is_shorthand(word, known));
        let shortest = meant.clone().min_by_key(|known| known.len()).filter(|_| is_candidate)?;
        meant.all(|known| known.starts_with(shortest.as_str())).then(|| shortest.clone())
    }

    /// Returns the words that rules take: words of usages, and values of sets of words.
    fn words_of_rules(&self) -> Vec<String> {
        let schema = &self.ruleset().schema;
        let rules: Vec<&RuleText> = schema.rules.iter().collect();
        let literals = literal_words(&rules).into_iter().map(str::to_owned);
        let mut values: Vec<String> = Vec::new();
        for param in rules.iter().flat_map(|rule| &rule.params) {
            if let Type::Word(set) = param.ty.member_or_self() {
                values.extend(schema.word_set(set).values.iter().cloned());
            }
        }
        let mut all: Vec<String> = literals.chain(values).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the name of the piece that two words mean together, if there is one.
    fn joined_name(&self, one: &Token, other: &Token) -> Option<String> {
        if one.quoted || other.quoted {
            return None;
        }
        let first = one.text.to_lowercase();
        let second = other.text.to_lowercase();
        let name = |text: &str| {
            let (kind, row) = self.table.find(text)?;
            Some(self.table.piece_name(kind, row))
        };
        // A part of a piece is often named after the piece.
        let numbered = || {
            self.only_numbered(&first)
                .filter(|owner| self.only_piece_of_owner(owner, &second).is_some())
        };
        if let Some(owner) = find_spoken(self.table, &first).or_else(numbered) {
            return name(&format!("{owner}-{second}"))
                .or_else(|| self.only_piece_of_owner(&owner, &second));
        }
        // `van shop` means `van-shop`.
        let is_long = [&first, &second]
            .into_iter()
            .all(|word| word.chars().count() >= MIN_STEM && !known_words::is_common_word(word));
        if let Some(hyphenated) = name(&format!("{first}-{second}")).filter(|_| is_long) {
            return Some(hyphenated);
        }
        // Common words, as in `a man in the cart`, describe nothing.
        let are_common = [&first, &second].into_iter().all(|w| known_words::is_common_word(w));
        if !are_common
            && let [(kind, row)] = self.pieces_described_by_two(&first, &second).as_slice()
        {
            return Some(self.table.piece_name(*kind, *row));
        }
        let is_number = !second.is_empty() && second.bytes().all(|b| b.is_ascii_digit());
        let is_letter = second.len() == 1 && second.bytes().all(|b| b.is_ascii_lowercase());
        if !is_number && !is_letter {
            return None;
        }
        name(&format!("{first}{second}"))
            .or_else(|| name(&format!("{first}-{second}")))
            .or_else(|| self.only_one_with_number(&first, &second))
    }

    /// Returns the name of the only piece whose name is a word followed by a number: `cart1` for `cart` or
    /// `cart's`.
    fn only_numbered(&self, word: &str) -> Option<String> {
        let word = word.replace('’', "'");
        let stem = word.strip_suffix("'s").unwrap_or(&word);
        let is_numbered = |name: &str| {
            let end = name.to_lowercase().strip_prefix(stem).map(str::to_owned);
            end.is_some_and(|end| !end.is_empty() && end.bytes().all(|b| b.is_ascii_digit()))
        };
        let mut numbered =
            self.table.names().map(|(name, ..)| name).filter(|name| is_numbered(name));
        let only = numbered.next().filter(|_| stem.chars().count() >= MIN_STEM)?;
        numbered.next().is_none().then(|| only.to_owned())
    }

    /// Returns the name of the only piece that belongs to an owner and that a word describes: `van`
    /// after `cyril's` means the only van that has Cyril as its player.
    fn only_piece_of_owner(&self, owner: &str, word: &str) -> Option<String> {
        let (owner_kind, owner_row) = self.table.find(owner)?;
        if word.chars().count() < MIN_STEM || self.table.find(word).is_some() {
            return None;
        }
        let schema = &self.ruleset().schema;
        let describes = |kind: KindId, row: u32| {
            let of = schema.kind(kind);
            let name = self.table.piece_name(kind, row).to_lowercase();
            let captions = self.captions(kind, row);
            let mut parts = captions.iter().flat_map(|text| text.split(['-', ' ']));
            of.name.eq_ignore_ascii_case(word)
                || name.trim_end_matches(|c: char| c.is_ascii_digit()) == word
                || parts.any(|part| part == word)
        };
        // An officer's van is a van of the officer's player.
        let player = |kind: KindId, row: u32| {
            let attribute = schema.kind(kind).attribute(PLAYER_ATTRIBUTE)?;
            self.referee.attribute_value(self.table, row, attribute).filter(|player| *player >= 0)
        };
        let owners_player = player(owner_kind, owner_row);
        let refers = |kind: KindId, row: u32| {
            schema.kind(kind).attributes.iter().any(|attribute| {
                attribute.ty == Type::Piece(owner_kind)
                    && self.referee.attribute_value(self.table, row, attribute)
                        == Some(owner_row.into())
            })
        };
        let described = || {
            let kinds = schema.piece_kinds().filter(|(_, of)| !of.plan);
            let pieces = kinds
                .flat_map(|(kind, _)| self.table.present_pieces(kind).map(move |row| (kind, row)));
            pieces.filter(|&(kind, row)| {
                (kind, row) != (owner_kind, owner_row) && describes(kind, row)
            })
        };
        let only = |found: Vec<(KindId, u32)>| match found.as_slice() {
            [(kind, row)] => Some(self.table.piece_name(*kind, *row)),
            _ => None,
        };
        // What refers to the owner is more clearly its own than what has the same player.
        only(described().filter(|&(kind, row)| kind != owner_kind && refers(kind, row)).collect())
            .or_else(|| {
                let has_player =
                    |kind, row| owners_player.is_some() && player(kind, row) == owners_player;
                only(described().filter(|&(kind, row)| has_player(kind, row)).collect())
            })
    }

    /// Returns the name of the only piece of a kind whose name contains this number and no other
    /// digits.
    fn only_one_with_number(&self, kind: &str, number: &str) -> Option<String> {
        let mut kinds = self.ruleset().schema.all_kinds();
        let (kind, _) = kinds.find(|(_, of)| of.name.eq_ignore_ascii_case(kind))?;
        let mut numbered = self.table.present_pieces(kind).filter(|&row| {
            let name = self.table.piece_name(kind, row);
            let digits: String = name.chars().filter(char::is_ascii_digit).collect();
            digits == number
        });
        let only = numbered.next().filter(|_| numbered.next().is_none())?;
        Some(self.table.piece_name(kind, only))
    }
}

/// Returns true if parts of a usage have this word as it is.
fn has_literal(parts: &[UsagePart], word: &str) -> bool {
    parts.iter().any(|part| match part {
        UsagePart::Word(literal) | UsagePart::Flag(literal, _) => literal == word,
        UsagePart::Optional(inner) => has_literal(inner, word),
        UsagePart::Fill(..) => false,
    })
}

/// Returns true if at least two of these parts, one after the other, make up a word. A longer word may
/// differ in one letter.
fn has_run(parts: &[&str], word: &str) -> bool {
    let is_long = word.chars().count() >= MIN_MENDED;
    let is_meant = |run: &str| {
        run == word
            || is_long && run.chars().next() == word.chars().next() && names::is_nearly(run, word)
    };
    let begins = 0..parts.len();
    begins.into_iter().any(|first| {
        let ends = first + 2..=parts.len();
        ends.into_iter().any(|end| is_meant(&parts[first..end].concat()))
    })
}

/// Returns true if two words have the same digits: `t34a` isn't a mistyped `t35a`.
fn has_same_digits(one: &str, other: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    digits(one) == digits(other)
}
