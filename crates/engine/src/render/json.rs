//! Answers for machines: commands with their outcomes, checks, and the content of a ruleset.
//!
//! An answer is a struct. Its JSON Schema is derived from the struct, and the doc comments of the
//! fields document the keys.

pub(crate) mod answers;

pub use answers::{AnswerKey, AnswerSchema, answer};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Value, json};

use crate::language::rule::RuleText;
use crate::language::schema::{Chart, Type};
use crate::names::is_invisible;
use crate::referee::{Audience, Binding, Check, Event, Outcome};
use crate::render::hands::ChangeFilter;
use crate::render::hands::item::TableItem;
use crate::render::rule::{self, RuleSummary};
use crate::render::table::{chart_value, template_source};
use crate::render::view::View;
use crate::render::{check, hands, odds};
use crate::ruleset::{Phase, Ruleset};
use crate::session::Entry;
use crate::tabletop::{self, Change};

/// Returns an answer as JSON.
pub fn to_json(answer: &impl Serialize) -> Value {
    // Only a map whose keys aren't strings can't become JSON, and answers contain no such map.
    serde_json::to_value(answer).unwrap_or_default()
}

/// Returns JSON in which every character that controls a terminal or is invisible is escaped. JSON
/// itself requires this only below U+0020.
pub fn escape_invisible(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        // Outside strings, JSON is plain ASCII. Line ends between keys stay unchanged.
        if c.is_ascii() && c != '\u{7f}' || !is_invisible(c) {
            escaped.push(c);
        } else {
            let units = c.encode_utf16(&mut [0; 2]).to_vec();
            escaped.extend(units.iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    escaped
}

/// A command with its outcome.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CommandAnswer {
    /// The number of the command. Players and sides don't see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The line that was typed.
    pub line: String,
    /// The events, in order.
    pub events: Vec<EventAnswer>,
    /// The pieces that changed, and their changes.
    pub changes: Vec<PieceChangesAnswer>,
    /// The tasks that the players must carry out on the table.
    pub on_the_table: Vec<PieceChangesAnswer>,
    /// The head of the journal, if a turn began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// The reason for the ruling, if the command overruled a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A piece and its changes in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PieceChangesAnswer {
    /// The piece, or `state` or `option`. In `on_the_table`, this is empty for a task that concerns
    /// no particular piece.
    pub piece: String,
    /// The changes of the piece, or the tasks for it, in words.
    pub changes: Vec<String>,
}

/// An event in the outcome of a command.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum EventAnswer {
    /// A rule begins.
    Call {
        /// The rule that begins.
        rule: String,
        /// The number of rules that were running when this rule was called.
        depth: usize,
        /// The values of the rule's parameters.
        bound: Vec<BoundNameAnswer>,
    },
    /// A sweep or loop continues with its next pieces.
    Bound {
        /// The values of the names that a sweep or loop sets.
        bound: Vec<BoundNameAnswer>,
    },
    /// A phase begins, or is skipped.
    Phase {
        /// The phase that begins or is skipped.
        phase: String,
        /// The turn of the phase.
        turn: i64,
        /// The number of the phase in the turn, counted from 1.
        number: usize,
        /// The side to move, if the sides play the phase in turn.
        side: Option<String>,
        /// True if the phase is skipped.
        skipped: bool,
    },
    /// Dice are rolled for a check.
    Check {
        /// The check for which the dice are rolled.
        check: CheckAnswer,
    },
    /// Dice are rolled with `roll`, outside any rule.
    Roll {
        /// The dice of the roll, in dice notation.
        roll: String,
        /// The faces, with marks (see dice.md).
        dice: String,
        /// The total of the dice.
        total: i64,
    },
    /// A card is drawn, or a piece is chosen at random.
    Taken {
        /// The card, or the piece.
        taken: String,
        /// The deck from which the card is drawn; `None` for a piece.
        deck: Option<String>,
        /// The number of cards or pieces from which this one is taken.
        of: usize,
    },
    /// A deck is shuffled.
    Shuffled {
        /// The deck that was shuffled.
        shuffled: String,
        /// The number of cards in the deck.
        count: usize,
    },
    /// A question is asked and answered.
    Asked {
        /// The question, in words.
        asked: String,
        /// The answer, in words.
        answer: String,
        /// True if the question was answered at random.
        random: bool,
    },
    /// A rule prints a line.
    Said {
        /// The line that the rule prints.
        said: String,
        /// The sides that the line is for, or `umpire` or `all`; left out if the rule names no
        /// audience.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<Vec<String>>,
    },
    /// The game ends.
    Ended {
        /// The text about the end of the game.
        ended: String,
        /// The side that wins; `None` if no side does.
        winner: Option<String>,
        /// The margin of victory, if the ruleset defines one.
        margin: Option<i64>,
    },
    /// A rule gives an instruction for the table.
    Instructed {
        /// The text of the instruction.
        instruction: String,
    },
    /// A rule shows a reminder.
    Remember {
        /// The text of the reminder.
        remember: String,
    },
    /// The umpire insists on something that the rules refuse.
    Insisted {
        /// The reason for the refusal.
        insisted: String,
    },
    /// The table changes.
    Changed {
        /// A change to the table, in the form used in the journal (see sessions.md).
        #[schemars(schema_with = "object_schema")]
        change: Change,
    },
}

/// A name in rule text, with its value.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BoundNameAnswer {
    /// The name in the rule text.
    pub name: String,
    /// The kind of the piece or row; left out for any other value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The value of the name. A piece or row is given by its name.
    #[schemars(schema_with = "any_value_schema")]
    pub value: tabletop::Value,
}

/// A check: dice that were rolled to decide something.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckAnswer {
    /// The rule for which the dice were rolled; `None` if no rule was called.
    pub rule: Option<String>,
    /// The label of the roll, such as the name of the piece that rolls.
    pub label: String,
    /// The dice of each roll, with marks (see dice.md).
    pub dice: Vec<String>,
    /// The result of each roll. Dice that were rerolled have none.
    pub throws: Vec<ThrowAnswer>,
    /// The modifiers that were added.
    pub modifiers: Vec<ModifierAnswer>,
    /// The comparison that decides success, if there is one.
    pub needs: Option<String>,
    /// The result of the check in words.
    pub verdict: String,
    /// True if the players rolled the dice.
    pub physical: bool,
}

/// A roll of a check, with its result.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ThrowAnswer {
    /// The total without modifiers.
    pub natural: String,
    /// The total with modifiers.
    pub total: String,
    /// True if the roll succeeded; `None` if it isn't compared with a number.
    pub passed: Option<bool>,
}

/// A modifier of a check.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModifierAnswer {
    /// The number that is added.
    pub by: String,
    /// The reason for the modifier.
    pub because: String,
}

/// The content of a ruleset.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Sheet {
    /// The name of the game.
    pub name: String,
    /// The title of the game.
    pub title: String,
    /// The author of the rules.
    pub author: String,
    /// The edition, or an empty string.
    pub edition: String,
    /// The phases of a turn, in order.
    pub phases: Vec<SheetPhase>,
    /// The rules, in the order of the ruleset.
    pub rules: Vec<SheetRule>,
    /// The charts of the ruleset.
    pub charts: Vec<SheetChart>,
    /// The reference sheet as text or, if a topic was given, only that topic.
    pub text: String,
}

/// A phase of a ruleset.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SheetPhase {
    /// The name of the phase.
    pub name: String,
    /// The title of the phase.
    pub title: String,
    /// The page in the rule book, or an empty string.
    pub cite: String,
    /// The verbs that can be used in the phase.
    pub verbs: Vec<String>,
}

/// A rule of a ruleset.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SheetRule {
    #[serde(flatten)]
    pub(crate) summary: RuleSummary,
    /// The rows of results.
    pub table: Vec<SheetRow>,
}

/// A row of results.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SheetRow {
    /// The totals of the row.
    pub on: String,
    /// The text of the row, if it has one.
    pub says: Option<String>,
    /// The probability of the row without modifiers, as a fraction; `None` if it is unknown.
    pub unmodified: Option<String>,
}

/// A chart of a ruleset.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SheetChart {
    /// The name of the chart.
    pub name: String,
    /// The title of the chart.
    pub title: String,
    /// The page in the rule book, or an empty string.
    pub cite: String,
    /// The labels of the rows.
    pub rows: Vec<String>,
    /// The labels of the columns. Empty if there is only one column.
    pub columns: Vec<String>,
    /// The values, row by row. Whole numbers are JSON numbers, and all other values are texts.
    pub values: Vec<ChartValue>,
}

/// A value of a chart.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ChartValue {
    /// A whole number.
    Whole(i64),
    /// Anything else, as it is printed.
    Text(String),
}

/// Returns the schema of an arbitrary object.
fn object_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object" })
}

/// Returns the schema of a list of arbitrary objects.
pub fn objects(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": { "type": "object" } })
}

/// Returns the schema of a value on the table.
fn any_value_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["string", "integer", "boolean", "null"] })
}

/// Returns the schema of a [`Number`](crate::language::number::Number).
pub(super) fn number_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["integer", "string"] })
}

/// Returns the schema of a list of pairs, each with a value and a number of games.
pub(super) fn counts_schema(_: &mut SchemaGenerator) -> Schema {
    let value = json!({ "type": ["integer", "string"] });
    let pair = json!({ "type": "array", "prefixItems": [value, { "type": "integer" }] });
    json_schema!({ "type": "array", "items": pair })
}

/// Returns a command with its outcome, and with its number if the viewer may know it.
pub fn command_answer(view: &View<'_>, number: Option<u64>, entry: &Entry) -> CommandAnswer {
    let outcome = &entry.outcome;
    CommandAnswer {
        number,
        line: entry.line.clone(),
        events: event_answers(outcome),
        changes: piece_changes(hands::changes_in_words(view, outcome.changes(), ChangeFilter::All)),
        on_the_table: item_answers(hands::outcome_items(view, outcome)),
        head: None,
        reason: None,
    }
}

fn event_answers(outcome: &Outcome) -> Vec<EventAnswer> {
    let mut depth = 0;
    let mut events = Vec::new();
    for event in &outcome.events {
        events.push(match event.clone() {
            Event::Call { rule, bound } => {
                depth += 1;
                EventAnswer::Call { rule, depth: depth - 1, bound: bound_names(bound) }
            }
            Event::End => {
                depth -= 1;
                continue;
            }
            Event::Bound(bound) => EventAnswer::Bound { bound: bound_names(bound) },
            Event::Phase { turn, phase, place: index, side, skipped } => {
                EventAnswer::Phase { phase, turn, number: index + 1, side, skipped }
            }
            Event::Check(check) => EventAnswer::Check { check: check_answer(&check) },
            Event::Rolled { written, shown, total } => {
                EventAnswer::Roll { roll: written, dice: shown, total }
            }
            Event::Taken { deck, what, of } => EventAnswer::Taken { taken: what, deck, of },
            Event::Shuffled { deck, count } => EventAnswer::Shuffled { shuffled: deck, count },
            Event::Asked { question, answer, random } => {
                EventAnswer::Asked { asked: question, answer, random }
            }
            Event::Said(said) => EventAnswer::Said { said, to: None },
            Event::SaidTo { to, words } => {
                EventAnswer::Said { said: words, to: Some(audience_names(to)) }
            }
            Event::Ended { words, winner, margin } => {
                EventAnswer::Ended { ended: words, winner, margin }
            }
            Event::Instructed(instruction) => EventAnswer::Instructed { instruction },
            Event::Reminded(remember) => EventAnswer::Remember { remember },
            Event::Insisted(insisted) => EventAnswer::Insisted { insisted },
            Event::Changed { change, .. } => EventAnswer::Changed { change },
        });
    }
    events
}

fn audience_names(to: Audience) -> Vec<String> {
    match to {
        Audience::All => vec!["all".to_owned()],
        Audience::Umpire => vec!["umpire".to_owned()],
        Audience::Sides(sides) => sides,
    }
}

fn bound_names(bound: Vec<Binding>) -> Vec<BoundNameAnswer> {
    let names = bound.into_iter().map(|Binding { name, kind, value }| BoundNameAnswer {
        name,
        kind,
        value,
    });
    names.collect()
}

/// Returns pieces and their changes in words.
pub(crate) fn piece_changes(items: Vec<(String, Vec<String>)>) -> Vec<PieceChangesAnswer> {
    items.into_iter().map(|(piece, changes)| PieceChangesAnswer { piece, changes }).collect()
}

/// Returns the tasks for each piece on the table.
pub(crate) fn item_answers(items: Vec<TableItem>) -> Vec<PieceChangesAnswer> {
    piece_changes(items.into_iter().map(TableItem::into_pair).collect())
}

/// Returns a check as an answer for machines.
pub(crate) fn check_answer(check: &Check) -> CheckAnswer {
    let throws = check.throws.iter().map(|throw| ThrowAnswer {
        natural: throw.natural.to_string(),
        total: throw.total.to_string(),
        passed: throw.passed,
    });
    let modifiers = check
        .modifiers
        .iter()
        .map(|(by, because)| ModifierAnswer { by: by.to_string(), because: because.clone() });
    CheckAnswer {
        rule: check.rule.clone(),
        label: check.label.clone(),
        dice: check.rolls.iter().map(|roll| roll.faces_text()).collect(),
        throws: throws.collect(),
        modifiers: modifiers.collect(),
        needs: check.need.map(|(operator, number)| format!("{} {number}", operator.symbol())),
        verdict: check::verdict(check).1,
        physical: check.physical,
    }
}

/// Returns the content of a ruleset. `name` is the name of its game, and `text` is the page as it
/// is printed.
pub fn sheet(ruleset: &Ruleset, name: &str, text: String) -> Sheet {
    let game = &ruleset.game;
    Sheet {
        name: name.to_owned(),
        title: game.title.clone(),
        author: game.author.clone(),
        edition: game.edition.clone(),
        phases: ruleset.phases.iter().map(sheet_phase).collect(),
        rules: ruleset.schema.rules.iter().map(|rule| sheet_rule(ruleset, rule)).collect(),
        charts: ruleset.schema.charts.iter().map(|chart| sheet_chart(ruleset, chart)).collect(),
        text,
    }
}

fn sheet_phase(phase: &Phase) -> SheetPhase {
    SheetPhase {
        name: phase.name.clone(),
        title: phase.title.clone(),
        cite: phase.cite.clone(),
        verbs: phase.verbs.iter().map(|verb| verb.0.clone()).collect(),
    }
}

fn sheet_rule(ruleset: &Ruleset, rule: &RuleText) -> SheetRule {
    let sources = &ruleset.sources;
    let odds = odds::table_distribution(rule);
    let rows = rule.table.iter().map(|row| {
        let chance = odds.as_ref().and_then(|odds| odds::row_chance(odds, &rule.table, row));
        SheetRow {
            on: row.label.clone(),
            says: row.say.as_ref().map(|say| template_source(sources, say)),
            unmodified: chance.map(|chance| chance.to_string()),
        }
    });
    SheetRule { summary: rule::rule_summary(sources, rule), table: rows.collect() }
}

fn sheet_chart(ruleset: &Ruleset, chart: &Chart) -> SheetChart {
    let value = |&value: &i64| match chart.gives {
        Type::Whole => ChartValue::Whole(value),
        ty => ChartValue::Text(chart_value(ruleset, ty, value)),
    };
    SheetChart {
        name: chart.name.clone(),
        title: chart.title.clone(),
        cite: chart.cite.clone(),
        rows: chart.row_labels.clone(),
        columns: chart.column_labels.clone(),
        values: chart.values.iter().map(value).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{escape_invisible, to_json};

    #[test]
    fn what_a_terminal_acts_on_is_escaped() {
        let words = "a\u{9b}31m\u{202e}\u{7f}\u{e0041} \u{e4}\n";
        let escaped = escape_invisible(&to_json(&words).to_string());
        assert_eq!(escaped, r#""a\u009b31m\u202e\u007f\udb40\udc41 ä\n""#);
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), words);
    }
}
