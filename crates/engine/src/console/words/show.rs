//! `show`: shows pieces, kinds and the state as tables, or only the pieces of a kind that match
//! some words.

use crate::command::{
    self, ANY_NUMBER, CompletionCandidates, LineError, Reading, Token, TypedLine, expand_name_row,
};
use crate::language::schema::{Attribute, Kind, KindId, KindRole, Type};
use crate::names;
use crate::render::json::answers::answer;
use crate::render::markup::{Role, Text};
use crate::render::show::ShowAnswer;
use crate::render::show::{self as render, ShowExtent, ShowSubject};
use crate::render::view::View;
use crate::ruleset::Ruleset;

use super::viewers::{offer_viewers, split_viewer};
use crate::console::play::{Handler, Play, Word};
use crate::console::question_words::QuestionAnswer;
use crate::console::reply::{Replied, Reply};

pub(super) const SHOW: Word = Word {
    name: "show",
    usage: "show [all] [KIND|PIECE|SIDE|state|WORD]… [as SIDE]",
    help: "show the roster, a piece, or all pieces that match some words",
    sample: &[
        "`show KIND WORD` shows the pieces that match the word, which can name a flag that is on, a number above 0, a side, a place or a value",
        "`show KIND with ATTRIBUTE`, `without ATTRIBUTE` and `ATTRIBUTE VALUE` select pieces by an attribute; `show all` leaves nothing out",
        "`show as red` and `show as players` show what they may see",
    ],
    complete,
    most: ANY_NUMBER,
    looks: true,
    shows_table: true,
    ..Word::of(Handler::immediate(show).with_answers(&[
        || answer::<ShowAnswer>("answers to show", "`show`, alone or with names and words"),
        || answer::<QuestionAnswer>("answers to questions", "`what PIECE`, `who can VERB`"),
    ]))
};

/// Returns true if a line of `show` can be read.
pub(in crate::console) fn is_shown(play: &Play, line: &str) -> bool {
    let referee = play.referee().with_budget();
    let view = View { referee: &referee, ..play.view(play.width) };
    let typed = TypedLine::read(line);
    typed.is_ok_and(|typed| ShowQuery::read(&view, typed.words_after_first()).is_ok())
}

/// Returns the kinds the ruleset declares, without the state and the options.
fn declared_kinds(ruleset: &Ruleset) -> impl Iterator<Item = (KindId, &Kind)> {
    ruleset.schema.all_kinds().skip(2)
}

/// A condition on a piece.
enum PieceTest {
    /// An attribute with this name, or with this other word for it, isn't empty, `none`, `no` or 0.
    Has(String),
    /// The attribute has this value.
    Is(String, String),
    /// Some attribute has this value.
    Any(String),
    /// The piece is on this side.
    Side(String),
}

/// The meaning of the words after `show`.
struct ShowQuery<'a> {
    view: &'a View<'a>,
    kinds: Vec<KindId>,
    subjects: Vec<ShowSubject>,
    /// The conditions on a piece. All must be true, but if several are joined by `or`, one of them
    /// is enough.
    tests: Vec<Vec<(bool, PieceTest)>>,
    extent: ShowExtent,
}

/// Returns the kind with this name or, if there is none, the kind whose plural matches the text, in
/// full or abbreviated.
fn find_kind(ruleset: &Ruleset, text: &str) -> Option<KindId> {
    let exact = declared_kinds(ruleset).find(|(_, k)| k.name.eq_ignore_ascii_case(text));
    let plurals = declared_kinds(ruleset).map(|(id, k)| (k.plural.as_str(), id));
    exact.map(|(id, _)| id).or_else(|| names::find(text, plurals).only())
}

impl<'a> ShowQuery<'a> {
    fn read(view: &'a View<'a>, words: &[Token]) -> Result<ShowQuery<'a>, LineError> {
        let mut query = ShowQuery {
            view,
            kinds: Vec::new(),
            subjects: Vec::new(),
            tests: Vec::new(),
            extent: ShowExtent::Roster,
        };
        let words = expand_name_rows(view, words);
        let mut words = words.iter().peekable();
        let mut or = false;
        while let Some(mut word) = words.next() {
            let text = word.text.to_lowercase();
            let next = words.peek().map(|token| token.text.clone());
            let tests = query.tests.len();
            let taken = match (text.as_str(), next.is_some()) {
                ("and", true) if tests + query.kinds.len() + query.subjects.len() > 0 => continue,
                ("or", true) if tests > 0 => {
                    or = true;
                    continue;
                }
                ("with" | "without", true) => {
                    let Some(behind) = words.next() else { continue };
                    word = behind;
                    let following = words.peek().map(|token| token.text.as_str());
                    query.read_word(word, following, text == "with", true)?
                }
                ("with" | "without", false) => {
                    let error = LineError::new(Some(word), format!("`{}` what?", word.text));
                    return Err(error.help("name an attribute"));
                }
                _ => query.read_word(word, next.as_deref(), true, false)?,
            };
            if taken {
                words.next();
            }
            if std::mem::take(&mut or) {
                let Some(test) = query.tests.pop().filter(|_| query.tests.len() >= tests) else {
                    let help = "`or` needs a condition on each side";
                    let message = format!("`{}` is not a condition", word.text);
                    return Err(LineError::new(Some(word), message).help(help));
                };
                if let Some(last) = query.tests.last_mut() {
                    last.extend(test);
                }
            }
        }
        Ok(query)
    }

    /// Reads a word. Returns true if the next word was used as well.
    fn read_word(
        &mut self,
        word: &Token,
        next: Option<&str>,
        holds: bool,
        is_test: bool,
    ) -> Result<bool, LineError> {
        let ruleset = self.view.referee.ruleset();
        let table = self.view.table;
        let text = word.text.as_str();
        if !is_test && text.eq_ignore_ascii_case("all") {
            self.extent = ShowExtent::All;
        } else if !is_test && text.eq_ignore_ascii_case("state") {
            self.subjects.push(ShowSubject::State);
        } else if let Some(side) = self.find_side(text) {
            self.tests.push(vec![(holds, PieceTest::Side(side))]);
        } else if let Some((kind, row)) =
            table.find(text).filter(|_| !is_test && self.kinds.is_empty())
        {
            self.subjects.push(ShowSubject::Piece(kind, row));
        } else if let Some(id) = find_kind(ruleset, text).filter(|_| !is_test) {
            self.kinds.push(id);
        } else if let Some((kind, row)) =
            self.piece_beginning_with(text).filter(|_| !is_test && self.kinds.is_empty())
        {
            self.subjects.push(ShowSubject::Piece(kind, row));
        } else if let Some(attribute) = self.find_attribute(text) {
            let value = next.filter(|value| self.is_value(Some(&attribute), value));
            let test = match value {
                Some(value) => PieceTest::Is(attribute, value.to_owned()),
                None => PieceTest::Has(attribute),
            };
            self.tests.push(vec![(holds, test)]);
            return Ok(value.is_some());
        } else if let Some(value) = self.find_value(text) {
            self.tests.push(vec![(holds, PieceTest::Any(value))]);
        } else if let Some((kind, row)) = table.find(text) {
            self.subjects.push(ShowSubject::Piece(kind, row));
        } else {
            return Err(self.unknown_word(word));
        }
        Ok(false)
    }

    /// Returns the side with this name, or with this plural, unless a piece that is not a side has the same
    /// name.
    fn find_side(&self, text: &str) -> Option<String> {
        let referee = self.view.referee;
        let table = self.view.table;
        let itself = |kind| referee.ruleset().schema.sides == Some(Type::Piece(kind));
        let other = table.find(text).is_some_and(|(kind, _)| !itself(kind));
        let singular = text.strip_suffix('s').unwrap_or(text);
        let mut sides = referee.sides(table).into_iter().filter(|_| !other);
        sides.find(|side| [text, singular].iter().any(|name| side.eq_ignore_ascii_case(name)))
    }

    /// Returns the piece that this text names or abbreviates, unless the text is the name of an
    /// attribute.
    fn piece_beginning_with(&self, text: &str) -> Option<(KindId, u32)> {
        if self.find_attribute(text).is_some_and(|name| name.eq_ignore_ascii_case(text)) {
            return None;
        }
        let pieces = self.view.table.names().map(|(name, kind, row)| (name, (kind, row)));
        names::find(text, pieces).only()
    }

    /// Returns the kinds to search: the named kinds, or all kinds of pieces.
    fn searched_kinds(&self) -> Vec<KindId> {
        if self.kinds.is_empty() {
            let pieces = declared_kinds(self.view.referee.ruleset());
            pieces.filter(|(_, k)| k.role == KindRole::Pieces).map(|(id, _)| id).collect()
        } else {
            self.kinds.clone()
        }
    }

    /// Returns the attribute with this name, or the attribute whose name begins with this text,
    /// among the kinds that are searched. If there is none and the line names a kind, returns the
    /// only attribute with this word in its title.
    fn find_attribute(&self, text: &str) -> Option<String> {
        let schema = &self.view.referee.ruleset().schema;
        let searched = self.searched_kinds();
        let all = || searched.iter().flat_map(|kind| schema.kind(*kind).attributes.iter());
        if all().any(|a| a.is_called(text)) {
            return Some(text.to_lowercase());
        }
        let named = names::find_name(text, all().map(|a| a.name.as_str())).only();
        // Otherwise, the only attribute with this word in its title: `with water` for the title
        // “has water this turn”.
        let titled = |a: &&Attribute| {
            let mut words = a.title.as_deref().unwrap_or_default().split(' ');
            !a.bookkeeping && words.any(|word| word.eq_ignore_ascii_case(text))
        };
        let mut titled = all().filter(titled).map(|a| a.name.as_str());
        let by_title = titled.next().filter(|_| !self.kinds.is_empty() && titled.next().is_none());
        named.or(by_title).map(str::to_owned)
    }

    /// Returns true if a word can be the value of this attribute, or of any attribute if none is
    /// given. In that case, a number or a piece counts only if an attribute has that value now.
    fn is_value(&self, attribute: Option<&str>, word: &str) -> bool {
        let schema = &self.view.referee.ruleset().schema;
        let could_be = |a: &Attribute| match a.ty {
            Type::Word(set) => {
                schema.word_set(set).values.iter().any(|v| v.eq_ignore_ascii_case(word))
            }
            Type::Whole | Type::Number => attribute.is_some() && word.parse::<f64>().is_ok(),
            Type::Piece(_) | Type::List(_) => {
                attribute.is_some() && self.view.table.find(word).is_some()
            }
            Type::Dice | Type::Flag | Type::Text | Type::Nothing | Type::Unknown => false,
        };
        self.searched_kinds().into_iter().any(|kind| {
            let mut meant = schema.kind(kind).attributes.iter();
            meant.any(|a| attribute.is_none_or(|name| a.name == name) && could_be(a))
                || self
                    .view
                    .table
                    .present_pieces(kind)
                    .any(|row| self.has_value(kind, row, attribute, word))
        })
    }

    /// Returns a word if it is a value of some attribute, or else its singular if that is one:
    /// `defenders` may mean `defender`.
    fn find_value(&self, text: &str) -> Option<String> {
        let one = text.strip_suffix('s').unwrap_or(text);
        let found = [text, one].into_iter().find(|t| !t.is_empty() && self.is_value(None, t));
        found.map(str::to_owned)
    }

    fn has_value(&self, kind: KindId, row: u32, attribute: Option<&str>, value: &str) -> bool {
        let all = self.view.referee.ruleset().schema.kind(kind).attributes.iter().enumerate();
        let mut meant =
            all.filter(|(_, a)| attribute.map_or(!a.bookkeeping, |name| a.name == name));
        meant.any(|(index, a)| {
            let words = self.view.referee.attribute_text(self.view.table, kind, row, index);
            let words = words.unwrap_or_default();
            // A list is written as its members. A word within a text says nothing about the piece.
            let members = words.split([' ', ',']).filter(|_| a.ty != Type::Text);
            members.chain([words.as_str()]).any(|one| one.eq_ignore_ascii_case(value))
        })
    }

    fn passes_tests(&self, kind: KindId, row: u32) -> bool {
        let referee = self.view.referee;
        let table = self.view.table;
        let holds = |test: &PieceTest| match test {
            PieceTest::Is(attribute, value) => self.has_value(kind, row, Some(attribute), value),
            PieceTest::Side(side) => referee.side_of_piece(table, kind, row).as_ref() == Some(side),
            PieceTest::Any(value) => self.has_value(kind, row, None, value),
            PieceTest::Has(attribute) => {
                let of = referee.ruleset().schema.kind(kind);
                let meant =
                    of.attributes.iter().enumerate().filter(|(_, a)| a.is_called(attribute));
                meant.map(|(index, _)| index).any(|index| {
                    let value = referee.attribute_text(table, kind, row, index);
                    !matches!(value.as_deref(), None | Some("" | "none" | "no" | "0"))
                })
            }
        };
        self.tests.iter().all(|any| any.iter().any(|(wanted, test)| *wanted == holds(test)))
    }

    /// Returns the subjects that answer the line.
    fn subjects(mut self) -> Vec<ShowSubject> {
        let searched =
            if self.tests.is_empty() { self.kinds.clone() } else { self.searched_kinds() };
        let named = !self.kinds.is_empty();
        let mut found = std::mem::take(&mut self.subjects);
        for kind in searched {
            let rows: Vec<u32> = self
                .view
                .table
                .present_pieces(kind)
                .filter(|row| self.passes_tests(kind, *row))
                .collect();
            if self.tests.is_empty() {
                found.push(ShowSubject::Kind(kind));
            } else if named || !rows.is_empty() {
                found.push(ShowSubject::Found(kind, rows));
            }
        }
        found
    }

    fn unknown_word(&self, word: &Token) -> LineError {
        let ruleset = self.view.referee.ruleset();
        let searched = self.searched_kinds();
        let attributes =
            searched.iter().flat_map(|kind| ruleset.schema.kind(*kind).attributes.iter());
        let attributes = attributes.filter(|a| !a.bookkeeping).map(|a| a.name.as_str());
        let pieces = self.view.table.names().map(|(name, ..)| name);
        let plurals: Vec<&str> = declared_kinds(ruleset).map(|(_, k)| k.plural.as_str()).collect();
        let known =
            pieces.chain(plurals.iter().copied()).chain(["state"]).chain(attributes.clone());
        let help = match names::nearest(&word.text, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.kinds.is_empty() => {
                format!("write a piece, or one of {}", names::quote_names(&plurals))
            }
            None => format!(
                "the attributes are {}",
                names::quote_names(&attributes.collect::<Vec<_>>())
            ),
        };
        LineError::new(Some(word), format!("there is no `{}`", word.text)).help(help)
    }
}

/// Returns the words with ranges of names written out in full: `x1-4` is four pieces. A word that
/// is the name of a piece does not change.
fn expand_name_rows(view: &View<'_>, words: &[Token]) -> Vec<Token> {
    let one = |word: &Token| {
        let row = expand_name_row(&word.text).filter(|_| view.table.find(&word.text).is_none());
        let names = row.unwrap_or_else(|| vec![word.text.clone()]);
        names.into_iter().map(|text| Token { text, ..word.clone() }).collect::<Vec<_>>()
    };
    words.iter().flat_map(one).collect()
}

/// Returns a word for the only piece that these words name in some way.
fn only_piece_named(play: &Play, words: &[Token]) -> Option<Token> {
    let first = words.first()?;
    let said: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    match command::names_in(play.referee(), play.session.table(), &said.join(" ")).as_slice() {
        [name] => Some(Token { text: name.clone(), ..first.clone() }),
        _ => None,
    }
}

fn show(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let (viewer, words) = split_viewer(play, typed.words_after_first())?;
    let referee = play.referee().with_budget();
    let sight = referee.sight(play.session.table(), &viewer);
    let view = View { referee: &referee, ..play.view(play.width) }.seen_by(&sight);
    let query = ShowQuery::read(&view, words)?;
    let mut extent = query.extent;
    let chooses = !query.tests.is_empty();
    let mut subjects = query.subjects();
    // `antons men` shows the piece, and so its men.
    if chooses
        && subjects.is_empty()
        && let Some(piece) = only_piece_named(play, words)
    {
        let of_piece = ShowQuery::read(&view, &[piece])?;
        extent = of_piece.extent;
        subjects = of_piece.subjects();
    }
    referee.check_budget()?;
    // An empty list of subjects would show everything.
    if chooses && subjects.is_empty() {
        let asked: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let nothing = format!("nothing on the table matches `{}`", asked.join(" "));
        let nothing = Text::of(Role::Quiet, nothing);
        return Ok(Reply::new(nothing, render::ShowAnswer { pieces: Vec::new() }));
    }
    let reply =
        Reply::new(render::show(&view, &subjects, extent), render::show_answer(&view, &subjects));
    referee.check_budget()?;
    Ok(reply)
}

fn complete(reading: &Reading<'_>, given: &[Token], to: &mut CompletionCandidates) {
    offer_viewers(reading, given, to);
    to.offer("state");
    to.offer("all");
    reading.sides().iter().for_each(|side| to.offer(side));
    declared_kinds(reading.ruleset()).for_each(|(_, kind)| to.offer(&kind.plural));
    reading.table.names().for_each(|(name, ..)| to.offer(name));
    let named = |kind: &Kind| given.iter().any(|word| word.text.eq_ignore_ascii_case(&kind.plural));
    for (_, kind) in declared_kinds(reading.ruleset()).filter(|(_, kind)| named(kind)) {
        let seen = kind.attributes.iter().filter(|a| !a.bookkeeping);
        seen.for_each(|attribute| to.offer(&attribute.name));
    }
}
