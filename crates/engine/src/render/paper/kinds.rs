//! Options, printed lists, and the attributes of each kind.

use super::blocks::{heading, table, text_cell};
use super::english::{English, Scope};
use crate::language::number::Number;
use crate::language::schema::{
    Attribute, AttributeStorage, CodeUnit, Element, Kind, KindId, KindRole, Param, STATE_KIND,
    SecretFor, Type,
};
use crate::render::document::{Block, Cell};
use crate::render::table::{attribute_heading, chart_value, list_cells};
use crate::ruleset::Ruleset;

/// Returns the names and titles of the options.
pub(super) fn options_in_short(ruleset: &Ruleset) -> Vec<Block> {
    let options = ruleset.options().iter().map(|option| {
        let cite = if option.cite.is_empty() { "" } else { " · " };
        let title = option.title.as_deref().unwrap_or_default();
        (option.name.clone(), vec![text_cell(format!("{title}{cite}{}", option.cite))])
    });
    let options: Vec<_> = options.collect();
    if options.is_empty() {
        return Vec::new();
    }
    vec![Block::Heading("House-rule switches".into(), String::new()), Block::Parts(options)]
}

/// Returns the options with their starting values and ranges.
pub(super) fn options(ruleset: &Ruleset) -> Vec<Block> {
    let mut blocks = Vec::new();
    for option in ruleset.options() {
        let start = match option.ty {
            Type::Flag => if option.start == 0 { "off" } else { "on" }.to_owned(),
            ty => {
                let start = chart_value(ruleset, ty, option.start);
                format!("{start} (can be {})", attribute_range(ruleset, option))
            }
        };
        let title = format!("{}: {start}", option.name);
        blocks.extend(heading(&title, &option.cite, option.title.as_deref().unwrap_or_default()));
    }
    blocks
}

/// The widths of a page, of the space between columns and of a wrapped column, in characters.
const PAGE_WIDTH: usize = 112;
const COLUMN_GAP: usize = 3;
const COLUMN_WIDTH: usize = 30;

/// Returns all printed lists.
pub(super) fn list_sections(ruleset: &Ruleset) -> Vec<Block> {
    let kinds = ruleset.schema.kinds.iter().enumerate();
    let lists = kinds.filter(|(_, kind)| kind.role == KindRole::List && !kind.rows.is_empty());
    lists.flat_map(|(index, _)| list_blocks(ruleset, KindId::from_index(index))).collect()
}

/// Returns a printed list.
pub(super) fn list_blocks(ruleset: &Ruleset, kind: KindId) -> Vec<Block> {
    let (headings, rows) = list_cells(ruleset, kind);
    let mut blocks = heading(&ruleset.schema.kind(kind).title, "", "");
    let mut widths = Vec::new();
    for (column, heading) in headings.iter().enumerate() {
        let words = heading.split(' ').map(str::len).max().unwrap_or(0);
        let cells = rows.iter().map(|row| row[column].len().min(COLUMN_WIDTH)).max().unwrap_or(0);
        widths.push(words.max(cells) + COLUMN_GAP);
    }
    // A table wider than a page is split into several tables, each with the column of names.
    let mut parts: Vec<Vec<usize>> = vec![vec![0]];
    for column in 1..headings.len() {
        let part = parts.len() - 1;
        let taken: usize = parts[part].iter().map(|&taken| widths[taken]).sum();
        if taken + widths[column] > PAGE_WIDTH {
            parts.push(vec![0, column]);
        } else {
            parts[part].push(column);
        }
    }
    for part in parts {
        let rows = rows.iter().map(|row| select_cells(row, &part));
        blocks.push(Block::table(select_cells(&headings, &part), rows.collect()));
    }
    blocks
}

/// Returns the cells of a row in these columns.
fn select_cells(row: &[String], wanted: &[usize]) -> Vec<String> {
    wanted.iter().map(|&column| row[column].clone()).collect()
}

/// Returns the attributes of the game as a whole and of each kind of piece.
pub(super) fn kind_sections(english: &English<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (index, kind) in english.ruleset.schema.kinds.iter().enumerate() {
        let whole_game = index == STATE_KIND.index();
        if kind.role == KindRole::List || (kind.is_built_in() && !whole_game) {
            continue;
        }
        let attributes = kind.attributes.iter().filter(|a| !a.is_built_in());
        let rows: Vec<Vec<Cell>> = attributes.map(|a| attribute_row(english, a)).collect();
        if rows.is_empty() && whole_game {
            continue;
        }
        let title = if whole_game { "The game as a whole".to_owned() } else { kind_heading(kind) };
        blocks.push(Block::Heading(title, String::new()));
        blocks.extend(secrets_of_kind(english, kind));
        if let Some(marker) = &kind.marker {
            blocks.push(Block::paragraph(format!("On the table: {marker}.")));
        }
        if !rows.is_empty() {
            let headings = ["", "called", "can be", "at the start", "marker"];
            blocks.push(table(headings, rows));
        }
    }
    blocks
}

/// Describes the viewers who see something secret, as in `only its own side`.
pub(super) fn secret_for_words(english: &English<'_>, secret_for: SecretFor) -> String {
    let condition = match secret_for {
        SecretFor::Umpire => None,
        SecretFor::OwnSide => return "only its own side".to_owned(),
        SecretFor::OwnPlayer => return "only its own player".to_owned(),
        SecretFor::Condition(function) => english.unit(function),
    };
    let condition = match condition {
        Some(CodeUnit::Value(params, _, expr)) => {
            Some(english.condition_clause(expr, &Scope::of(params)))
        }
        Some(CodeUnit::SeenInSweep(params, sweep, expr)) => {
            let (_, scope) = english.sweeps(sweep, &Scope::of(params));
            Some(english.condition_clause(expr, &scope))
        }
        _ => None,
    };
    match condition {
        Some(condition) => format!("the sides for which {condition}"),
        None => "only the umpire".to_owned(),
    }
}

/// Describes who sees the pieces of a kind, and its secret attributes, before they are revealed.
fn secrets_of_kind(english: &English<'_>, kind: &Kind) -> Vec<Block> {
    let mut blocks = Vec::new();
    if let Some(secret) = &kind.secret {
        let seen_by = secret_for_words(english, secret.secret_for);
        blocks
            .push(Block::paragraph(format!("Until a piece is revealed, it is seen by {seen_by}.")));
    }
    for attribute in &kind.attributes {
        if let Some(secret) = &attribute.secret {
            let seen_by = secret_for_words(english, secret.secret_for);
            let heading = attribute_heading(attribute);
            let words = format!("Until {heading} is revealed, it is seen by {seen_by}.");
            blocks.push(Block::paragraph(words));
        }
    }
    blocks
}

fn kind_heading(kind: &Kind) -> String {
    if kind.title == kind.name {
        kind.name.clone()
    } else {
        format!("{} ({})", kind.title, kind.name)
    }
}

fn attribute_row(english: &English<'_>, attribute: &Attribute) -> Vec<Cell> {
    let unit = match attribute.storage {
        AttributeStorage::Computed(function) => english.unit(function),
        AttributeStorage::Cell(_) | AttributeStorage::List(_) => None,
    };
    let computed = match unit {
        Some(CodeUnit::Value(params, _, expr)) => {
            let ty = params.first().map_or(Type::Unknown, |p| p.ty);
            Some(english.value_or_condition(expr, attribute.ty, &Scope::about("self", ty)))
        }
        _ => None,
    };
    let start = match (attribute.ty, &attribute.computed_start) {
        _ if computed.is_some() => String::new(),
        (_, Some(start)) => english.value_phrase(start, &Scope::about("self", Type::Unknown)),
        (Type::List(_) | Type::Text | Type::Piece(_) | Type::Nothing | Type::Unknown, None) => {
            String::new()
        }
        (ty, None) => chart_value(english.ruleset, ty, attribute.start),
    };
    let can_be = computed.unwrap_or_else(|| attribute_range(english.ruleset, attribute));
    let marker = attribute.marker.clone().unwrap_or_default();
    [attribute_heading(attribute), attribute.name.clone(), can_be, start, marker]
        .map(text_cell)
        .to_vec()
}

/// Returns the possible values of a parameter of a rule, in words.
pub(super) fn param_values(ruleset: &Ruleset, param: &Param) -> String {
    let (low, high) = param.bounds.unwrap_or((i64::MIN, i64::MAX));
    match param.ty {
        Type::Whole if param.bounds.is_none() => "a whole number".to_owned(),
        Type::Number => "a number".to_owned(),
        ty => possible_values(ruleset, ty, (low, high), &[]),
    }
}

/// Returns the range of an attribute in words.
fn attribute_range(ruleset: &Ruleset, attribute: &Attribute) -> String {
    possible_values(ruleset, attribute.ty, (attribute.low, attribute.high), &attribute.names)
}

/// Returns the possible values of a type in words.
fn possible_values(
    ruleset: &Ruleset,
    ty: Type,
    (low, high): (i64, i64),
    names: &[String],
) -> String {
    let schema = &ruleset.schema;
    match ty {
        Type::Whole if !names.is_empty() => {
            let named = (low..).zip(names);
            named.map(|(n, name)| format!("{n} {name}")).collect::<Vec<_>>().join(", ")
        }
        Type::Whole => range_words(&low.to_string(), high),
        Type::Number => {
            let lowest = Number::whole(low).map_or(String::new(), |n| n.to_string());
            range_words(&lowest, high) + ", with fractions"
        }
        Type::Dice => "dice or a number".into(),
        Type::Flag => "yes or no".into(),
        Type::Text => "words".into(),
        Type::Word(set) => schema.word_set(set).values.join(", "),
        Type::List(Element::Word(set)) => {
            format!("some of: {}", schema.word_set(set).values.join(", "))
        }
        Type::Piece(kind) => format!("one of the {}", schema.kind(kind).plural),
        Type::List(Element::Piece(kind)) => format!("some of the {}", schema.kind(kind).plural),
        Type::List(Element::Whole) => "numbers".into(),
        Type::List(_) | Type::Nothing | Type::Unknown => String::new(),
    }
}

/// Returns a range of numbers in words.
fn range_words(low: &str, high: i64) -> String {
    // A limit of a billion or more means that the ruleset specifies no limit.
    if high >= 1_000_000_000 { format!("{low} or more") } else { format!("{low} to {high}") }
}
