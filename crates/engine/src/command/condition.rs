//! Parses a condition on the table: an expression of the rule language, or a word that pieces can
//! show, such as `sunk`, with or without a piece's name in front of it.

use super::{LineError, Token, shorten_word};
use crate::diagnostic::Diagnostic;
use crate::language::machine::World;
use crate::language::parser::parse_expression;
use crate::language::schema::{Attribute, KindRole, STATE_KIND, Type};
use crate::names::{self, Match};
use crate::referee::Referee;
use crate::referee::odds::Condition;
use crate::source::StringMap;
use crate::tabletop::Tabletop;

/// A property that a typed word can mean: an attribute, and the comparison that its value must
/// satisfy.
struct Property<'r> {
    kind: &'r str,
    plural: &'r str,
    is_state: bool,
    attribute: &'r str,
    comparison: String,
}

/// Parses a condition: `sunk` (for any piece that is not sunk yet), `coal1 sunk`, or an expression
/// such as `coal1.damage >= 3`.
///
/// # Errors
///
/// Returns an error if the text is neither a valid expression of the rule language nor a word that
/// pieces can show, with or without a piece's name in front of it.
pub fn read_condition(
    referee: &Referee,
    table: &Tabletop,
    words: &[Token],
    text: &str,
) -> Result<Condition, LineError> {
    let compiled = match condition_of_word(referee, table, words) {
        Some(expression) => compile(referee, table, &expression),
        None => compile(referee, table, text),
    };
    compiled.map_err(|faults| {
        let reason = faults.first().map_or("", |fault| fault.message.as_str());
        let message = format!("`{}` is not a condition", shorten_word(text));
        let known = shown_words(referee);
        let near = match names::find(text, known.iter().map(|word| (word.as_str(), ()))) {
            Match::None(Some(near)) => Some(near.to_owned()),
            _ => None,
        };
        let error = LineError::new(words.first(), message);
        match near {
            Some(near) => error.near_name(&near),
            None => error.help(format!(
                "{reason}; write a word that a piece can show, on its own or after the piece's \
                 name, or a comparison such as `PIECE.ATTRIBUTE >= 2`"
            )),
        }
    })
}

/// Parses and compiles an expression of the rule language as a condition.
fn compile(referee: &Referee, table: &Tabletop, text: &str) -> Result<Condition, Vec<Diagnostic>> {
    let mut faults = Vec::new();
    let expression = parse_expression(text, &StringMap::default(), &mut faults);
    match expression {
        Some(expression) => referee.condition(table, &expression),
        None => Err(faults),
    }
}

/// Returns the expression for a word that pieces can show, or for such a word after a piece's name.
/// Returns `None` for any other words.
fn condition_of_word(referee: &Referee, table: &Tabletop, words: &[Token]) -> Option<String> {
    let phrase = |tokens: &[Token]| {
        tokens.iter().map(|word| word.text.to_lowercase()).collect::<Vec<_>>().join(" ")
    };
    let all = properties(referee, &phrase(words));
    if !all.is_empty() {
        let parts: Vec<String> =
            all.iter().map(|property| property.newly_shown(referee, table)).collect();
        return Some(parts.join(" or "));
    }
    let (piece, rest) = words.split_first()?;
    let named = names::find(&piece.text, table.names().map(|(name, kind, _)| (name, (name, kind))));
    let (name, kind) = named.only()?;
    let kind = &referee.ruleset().schema.kind(kind).name;
    let of_kind = properties(referee, &phrase(rest)).into_iter().filter(|p| p.kind == kind);
    let parts: Vec<String> = of_kind.map(|p| p.expression_for(name)).collect();
    (!parts.is_empty()).then(|| parts.join(" or "))
}

impl Property<'_> {
    fn expression_for(&self, piece: &str) -> String {
        format!("{piece}.{}{}", self.attribute, self.comparison)
    }

    /// Returns an expression that becomes true when a piece that now lacks the property gets it.
    /// For a property of the game's state, the expression is true while the state has the property.
    fn newly_shown(&self, referee: &Referee, table: &Tabletop) -> String {
        if self.is_state {
            return self.expression_for("state");
        }
        let kind = referee.ruleset().schema.kind_named(self.kind);
        let pieces: Vec<String> = kind.map_or(Vec::new(), |kind| {
            table.present_pieces(kind).map(|row| table.name(kind, row).to_owned()).collect()
        });
        let mut copy = table.clone();
        let mut have_it = Vec::new();
        for piece in pieces {
            let mut faults = Vec::new();
            let text = self.expression_for(&piece);
            let expression = parse_expression(&text, &StringMap::default(), &mut faults);
            let value =
                expression.and_then(|e| referee.evaluate(&mut copy, Some(Type::Flag), &e).ok());
            if value.is_some_and(|(value, ..)| value != 0) {
                have_it.push(format!(" and one-of-them != {piece}"));
            }
        }
        let new = have_it.concat();
        format!("(any one-of-them in {}: {}{new})", self.plural, self.expression_for("one-of-them"))
    }
}

/// Returns the properties that a word means. The word may also be the name of a marker.
fn properties<'r>(referee: &'r Referee, word: &str) -> Vec<Property<'r>> {
    let schema = &referee.ruleset().schema;
    let mut found = Vec::new();
    for (id, kind) in schema.all_kinds() {
        if kind.role == KindRole::List || (kind.role == KindRole::Single && id != STATE_KIND) {
            continue;
        }
        // A condition can't name the phase.
        let is_phase = |name: &str| id == STATE_KIND && name == "phase";
        let shown = kind.attributes.iter().filter(|a| !a.bookkeeping && !is_phase(&a.name));
        for attribute in shown {
            found.extend(comparison_for(referee, attribute, word).map(|comparison| Property {
                kind: &kind.name,
                plural: &kind.plural,
                is_state: id == STATE_KIND,
                attribute: &attribute.name,
                comparison,
            }));
        }
    }
    found
}

/// Returns the comparison, such as ` > 0`, that is true of an attribute when it shows a word.
/// Returns an empty text for a flag, and `None` if the attribute can't show the word.
fn comparison_for(referee: &Referee, attribute: &Attribute, word: &str) -> Option<String> {
    let is_marker = attribute.marker.as_deref().is_some_and(|marker| marker == word);
    match attribute.ty {
        Type::Flag
            if is_marker || attribute.name == word || attribute.says.as_deref() == Some(word) =>
        {
            Some(String::new())
        }
        Type::Word(set) => {
            let set = referee.ruleset().schema.word_set(set);
            let said = set.says.iter().position(|phrase| phrase == word);
            let index = set.index_of(word).or(said.map(|index| index as i64))?;
            set.word(index).map(|shown| format!(" = {shown}"))
        }
        Type::Whole => {
            let index = attribute.names.iter().position(|name| name == word);
            let named = index.map(|index| format!(" = {}", attribute.low + index as i64));
            named.or_else(|| is_marker.then(|| " > 0".to_owned()))
        }
        _ => None,
    }
}

/// Returns the words that pieces can show, in alphabetical order, for suggestions.
fn shown_words(referee: &Referee) -> Vec<String> {
    let schema = &referee.ruleset().schema;
    let mut words = Vec::new();
    for attribute in schema.piece_kinds().flat_map(|(_, kind)| &kind.attributes) {
        match attribute.ty {
            Type::Flag => words.push(attribute.name.clone()),
            Type::Word(set) => words.extend(schema.word_set(set).values.iter().cloned()),
            _ => words.extend(attribute.names.iter().cloned()),
        }
        words.extend(attribute.marker.clone());
    }
    words.sort_unstable();
    words.dedup();
    words
}
