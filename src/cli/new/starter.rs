//! The text of the starter: a commented template, filled in with numbers that fit the dice.

use adjutant_dice::{self, Die};

/// The lines of the starter. A word such as `@grid` or `@initiative` marks a line that only some
/// starters have, and `{{name}}` is a placeholder.
const TEMPLATE: &str = include_str!("starter.toml");

/// A kind of table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum TableKind {
    /// Distances are measured on the table and typed
    Open,
    /// A drawn plan of squares
    #[value(aliases = ["square", "squares"])]
    Grid,
    /// A drawn plan of hexes
    #[value(alias = "hexes")]
    Hex,
}

/// An order in which the sides act in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum TurnStyle {
    /// All sides act in the same phases
    Together,
    /// One side after another, always in the same order
    Fixed,
    /// One side after another; a die decides who goes first
    Initiative,
    /// One piece at a time, with the sides taking turns
    Alternation,
}

/// Dice of one kind, added up.
#[derive(Clone, Copy, Debug)]
pub(super) struct StarterDice {
    count: i64,
    sides: i64,
}

impl StarterDice {
    /// Parses plain dice that are added up, such as `2d6`. Returns `None` for other dice, for more
    /// than 20 dice, for dice with more than 1,000 sides, and for dice with fewer than six totals,
    /// because these are too few for a table of three rows.
    pub(super) fn read(text: &str) -> Option<StarterDice> {
        let pool = adjutant_dice::parse_pool(&text.trim().to_lowercase()).ok()?;
        let Die::Plain(sides) = pool.die() else { return None };
        let dice = StarterDice { count: i64::from(pool.count()), sides: i64::from(sides) };
        let fits = dice.span() >= 5 && dice.count <= 20 && dice.sides <= 1000;
        (pool.is_plain() && fits).then_some(dice)
    }

    fn span(self) -> i64 {
        self.count * (self.sides - 1)
    }

    fn highest(self) -> i64 {
        self.count * self.sides
    }

    /// Returns the total that is a given percentage of the way from the lowest to the highest,
    /// rounded up.
    fn at(self, hundredths: i64) -> i64 {
        self.count + (self.span() * hundredths + 99) / 100
    }

    /// Returns faces, separated by commas, that add up to a total.
    fn faces(self, total: i64) -> String {
        let mut over = (total - self.count).clamp(0, self.span());
        let faces: Vec<String> = (0..self.count)
            .map(|_| {
                let more = over.min(self.sides - 1);
                over -= more;
                (1 + more).to_string()
            })
            .collect();
        faces.join(", ")
    }
}

/// The answers from which a starter is made.
pub(super) struct Starter {
    pub title: String,
    pub author: String,
    pub dice: StarterDice,
    pub table: TableKind,
    /// The sides, two to four.
    pub sides: Vec<String>,
    pub turn: TurnStyle,
    /// The path, as it was typed.
    pub path: String,
    /// The name of the schema file next to the ruleset.
    pub schema: String,
}

/// Returns the text of the whole ruleset.
pub(super) fn text(plan: &Starter) -> String {
    let dice = plan.dice;
    let easy = dice.at(35);
    let even = dice.at(55);
    let hard = dice.at(75);
    let step = (dice.span() / 8).max(1);
    let light = dice.count + dice.span() / 2;
    let grave = dice.count + dice.span() * 4 / 5;
    let (measure, near, middle, far, shot) = match plan.table {
        TableKind::Grid => ("squares", "0-2", "3-5", "6", "7"),
        TableKind::Hex => ("hexes", "0-2", "3-5", "6", "6"),
        TableKind::Open => ("inches", "0-12", "13-24", "25", "18"),
    };
    let sides = &plan.sides;
    let side = |place: usize| sides.get(place).cloned().unwrap_or_default();
    let first: Vec<String> = (1..)
        .zip(sides)
        .map(|(face, army)| {
            format!(
                "  {{ on = \"{face}\", say = \"{army} goes first\", do = 'state.first = {army}' }},"
            )
        })
        .collect();
    let values = [
        ("sides", sides.iter().map(|s| quoted(s)).collect::<Vec<_>>().join(", ")),
        ("one", side(0)),
        ("two", side(1)),
        ("three", side(2)),
        ("four", side(3)),
        ("last", side(sides.len() - 1)),
        ("side-count", sides.len().to_string()),
        ("first-rows", first.join("\n")),
        ("schema", plan.schema.clone()),
        ("comment", plan.title.clone()),
        ("path", plan.path.clone()),
        ("title", quoted(&plan.title)),
        ("author", quoted(&plan.author)),
        ("dice", format!("{}d{}", dice.count, dice.sides)),
        ("measure", measure.into()),
        ("near", near.into()),
        ("middle", middle.into()),
        ("far", far.into()),
        ("easy", easy.to_string()),
        ("even", even.to_string()),
        ("hard", hard.to_string()),
        ("step", step.to_string()),
        ("twice", (2 * step).to_string()),
        ("light", range(dice.count, light)),
        ("grave", range(light + 1, grave)),
        ("fatal", range(grave + 1, dice.highest())),
        ("worst", dice.highest().to_string()),
        ("shot", shot.into()),
        ("hit-dice", dice.faces(even)),
        ("far-dice", dice.faces(hard)),
        ("worst-dice", dice.faces(dice.highest())),
    ];
    let open = plan.table == TableKind::Open;
    let turn = plan.turn;
    let holds = |word: &str| match word {
        "open" => open,
        "grid" => !open,
        "square" => plan.table == TableKind::Grid,
        "hex" => plan.table == TableKind::Hex,
        "together" => turn == TurnStyle::Together,
        "sided" => turn != TurnStyle::Together,
        "initiative" => turn == TurnStyle::Initiative,
        "alternation" => turn == TurnStyle::Alternation,
        "steady" => turn != TurnStyle::Alternation,
        "three" => plan.sides.len() > 2,
        _ => plan.sides.len() > 3,
    };
    let mut out = String::with_capacity(TEMPLATE.len());
    'lines: for mut line in TEMPLATE.lines() {
        while let Some(marked) = line.strip_prefix('@') {
            let (word, rest) = marked.split_once(' ').unwrap_or((marked, ""));
            if !holds(word) {
                continue 'lines;
            }
            line = rest;
        }
        out.push_str(&filled(line, &values));
        out.push('\n');
    }
    out
}

/// Returns a line with its placeholders filled in. Placeholders in the inserted text are left as
/// they are.
fn filled(line: &str, values: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, behind)) = after.split_once("}}") else { break };
        out.push_str(before);
        out.push_str(values.iter().find(|(n, _)| *n == name).map_or("", |(_, value)| value));
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// Returns a text as a TOML string.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.trim().replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns a range of totals as it is written in a table, such as `3` or `3-5`.
fn range(low: i64, high: i64) -> String {
    if low == high { low.to_string() } else { format!("{low}-{high}") }
}
