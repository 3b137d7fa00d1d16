//! What can be typed, in general and for a word.

use super::play::{Failure, Play};
use unicode_width::UnicodeWidthStr;

use crate::command::{BUILT_IN, built_in, usage_text};
use crate::language::rule::RuleText;
use crate::render::markup::{Line, Role, Text};
use crate::render::table;

/// Up to so many verbs are shown with how they are typed, more by their names: help is read at a glance.
const SPELT_OUT: usize = 14;

/// Help for a word, or in general.
pub(super) fn help(play: &Play, word: Option<&str>, width: usize) -> Result<Text, Failure> {
    match word {
        None => Ok(general(play, width)),
        // A verb of the game of one of these names goes first.
        Some(word) => of(play, word.trim()).or_else(|failure| match word.trim() {
            "game" => Ok(game(play, width)),
            "console" => Ok(console()),
            _ => Err(failure),
        }),
    }
}

/// The words of the console, the verbs of the game, and last, next to the prompt, those of this phase.
fn general(play: &Play, width: usize) -> Text {
    let ruleset = play.referee().ruleset();
    let rules: Vec<&RuleText> = ruleset.schema.rules.iter().collect();
    let now = play.referee().phase(play.session.table()).map(|p| &ruleset.phases[p]);
    let offered = |rule: &RuleText| {
        now.is_some_and(|p| p.verbs.iter().any(|(v, _)| v == verb(rule) || *v == rule.name))
    };
    let mut text = Text::of(Role::Header, "The console");
    text.push(names(BUILT_IN.iter().map(|word| word.name)));
    // What runs by itself is there on demand: rules that need no more than their name.
    let bare: Vec<&RuleText> = rules
        .iter()
        .copied()
        .filter(|r| r.usage.is_none() && r.params.is_empty() && !offered(r))
        .collect();
    if !bare.is_empty() {
        text.gap().line(Role::Header, "Rules that can be called at any time by their names");
        text.push(names(bare.iter().copied().map(verb)));
    }
    let (here, others): (Vec<&RuleText>, Vec<&RuleText>) =
        rules.iter().copied().filter(|r| r.usage.is_some() || offered(r)).partition(|r| offered(r));
    let phase = now.filter(|_| !here.is_empty());
    if phase.is_none() && !others.is_empty() {
        text.gap().line(Role::Header, "The game");
        verbs(&others, width, &mut text);
    } else if !others.is_empty() {
        // What belongs elsewhere is named, so that what belongs here is seen at a glance.
        text.gap().line(Role::Header, "In other phases, or at any time");
        text.push(names(others.iter().copied().map(verb)));
    }
    if let Some(phase) = phase {
        text.gap().line(Role::Header, format!("Now: {}", phase.title));
        verbs(&here, width, &mut text);
    }
    text.gap();
    let more = "`help WORD` tells how it is typed, `help game` and `help console` tell it of all; unambiguous beginnings are enough; `!` at the end of a line insists on what the rules refuse";
    text.push(Line::of(Role::Quiet, more).hanging(0));
    text
}

/// All verbs of the game, with how they are typed.
fn game(play: &Play, width: usize) -> Text {
    let rules = &play.referee().ruleset().schema.rules;
    let mut text = Text::of(Role::Header, "The game");
    text.lines.extend(rules.iter().filter(|r| r.usage.is_some()).map(|r| usage(r, width)));
    text
}

/// All words of the console, with how they are typed and what they do.
fn console() -> Text {
    let mut text = Text::of(Role::Header, "The console");
    for word in BUILT_IN {
        let mut line = Line::of(Role::Plain, "  ").and(Role::Strong, word.usage);
        line.pad_to(30, 2).push(Role::Quiet, word.does);
        text.push(line.hanging(32));
    }
    text
}

/// The word a rule is called by.
fn verb(rule: &RuleText) -> &str {
    rule.usage.as_ref().map_or(rule.name.as_str(), |u| u.verb.as_str())
}

/// Names in a row, each once.
fn names<'a>(all: impl Iterator<Item = &'a str>) -> Line {
    let mut once: Vec<&str> = Vec::new();
    for name in all {
        if !once.contains(&name) {
            once.push(name);
        }
    }
    Line::of(Role::Plain, format!("  {}", once.join(", "))).hanging(2)
}

/// A few verbs with how they are typed, many by their names.
fn verbs(rules: &[&RuleText], width: usize, text: &mut Text) {
    if rules.len() <= SPELT_OUT {
        text.lines.extend(rules.iter().map(|r| usage(r, width)));
    } else {
        text.push(names(rules.iter().copied().map(verb)));
    }
}

/// How a rule is typed, and its title where there is room.
fn usage(rule: &RuleText, width: usize) -> Line {
    let mut line = Line::of(Role::Plain, "  ").and(Role::Strong, short(&usage_text(rule)));
    let column = (line.width() + 2).max(width / 2 - 2);
    if column + rule.title.width() <= width {
        line.pad_to(column, 2).push(Role::Quiet, &rule.title);
    }
    line.hanging(6)
}

/// A usage without the types of what is filled in: `fight <target> with <hose>`.
fn short(usage: &str) -> String {
    let mut out = String::new();
    let mut within = false;
    let mut typed = false;
    for c in usage.chars() {
        match c {
            '<' => within = true,
            '>' => (within, typed) = (false, false),
            ':' if within => typed = true,
            _ => {}
        }
        if !typed || c == '+' {
            out.push(c);
        }
    }
    out
}

/// What there is to say of one word.
fn of(play: &Play, word: &str) -> Result<Text, Failure> {
    let ruleset = play.referee().ruleset();
    let lower = word.to_lowercase();
    if let Some(which) = built_in(&lower)
        && let Some(word) = BUILT_IN.iter().find(|b| b.which == which)
    {
        let mut text = Text::new();
        text.push(Line::of(Role::Header, word.usage));
        text.push(Line::of(Role::Plain, format!("  {}", word.does)));
        for more in more(word.name) {
            text.push(Line::of(Role::Plain, format!("  {more}")));
        }
        return Ok(text);
    }
    let names: Vec<&str> = {
        let rules = ruleset.schema.rules.iter().map(|r| r.name.as_str());
        ruleset.verbs().into_iter().chain(rules).collect()
    };
    let exact = names.iter().copied().find(|n| *n == lower);
    let mut begun: Vec<&str> = names.iter().copied().filter(|n| n.starts_with(&lower)).collect();
    begun.sort_unstable();
    begun.dedup();
    let found = exact.or(if begun.len() == 1 { begun.first().copied() } else { None });
    let Some(found) = found else {
        let known = names.iter().copied().chain(BUILT_IN.iter().map(|b| b.name));
        let near = crate::diagnostic::nearest(&lower, known);
        let shown: String = word.chars().take(40).collect();
        return Err(Failure::of(match near {
            Some(near) => format!("there is no `{shown}`; did you mean `{near}`?"),
            None => format!("there is no `{shown}`; `help` lists what there is"),
        }));
    };
    let mut text = Text::new();
    for id in ruleset.rules_of(found) {
        let rule = &ruleset.schema.rules[id.index()];
        text.gap().push(Line::of(Role::Header, usage_text(rule)).hanging(4));
        let mut line = Line::of(Role::Plain, format!("  {}", rule.title));
        if !rule.cite.is_empty() {
            line.push(Role::Quiet, format!(" · {}", rule.cite));
        }
        text.push(line);
        if !rule.note.is_empty() {
            text.push(Line::of(Role::Plain, format!("  {}", rule.note.trim())).hanging(2));
        }
        for param in &rule.params {
            let ty = ruleset.schema.type_name(param.ty);
            let bounds = match param.bounds {
                Some((low, high)) if param.ty == crate::language::schema::Type::Whole => {
                    format!(" from {low} to {high}")
                }
                _ => String::new(),
            };
            let words = format!("  {}: {ty}{bounds}", param.name);
            text.push(Line::of(Role::Quiet, words).hanging(6));
        }
        for need in &rule.require {
            let because = table::template(&ruleset.sources, &need.because);
            text.push(Line::of(Role::Quiet, format!("  refused: {because}")).hanging(6));
        }
        let phases: Vec<String> =
            rule.phases.iter().map(|(p, _)| play.referee().phase_title(p)).collect();
        if !phases.is_empty() {
            text.push(Line::of(Role::Quiet, format!("  in {}", phases.join(" or "))).hanging(6));
        }
    }
    Ok(text)
}

/// Examples of a word of the console.
fn more(word: &str) -> &'static [&'static str] {
    match word {
        "next" => &[
            "`next` is one phase, `next 3` three, `next turn` all up to the next turn, `next to PHASE` up to a phase by name or number",
        ],
        "roll" => &["`roll 2d6+1`, `roll 4d6kh3`, `roll 5d10>=7`, `roll d66`"],
        "table" => {
            &["`table` alone says which there are; with a total, only the row it falls on is shown"]
        }
        "set" => &["`set c3.fire 2`, `set t1.at c4`, `set state.wind strong`"],
        "add" => &["`add team t9 at c4`; without a name the machine gives one"],
        "undo" => &[
            "`undo` takes one command back, `undo 3` three, `undo to 12` all after number 12; `log` shows the numbers",
        ],
        "dice" => &[
            "`dice physical` asks for the faces of every die the players throw; `dice physical fight` only for those of `fight`; `dice auto` goes back",
        ],
        "log" => &[
            "`log` lists the commands with their numbers; `log battle.md` writes all that was shown so far to a file",
        ],
        "reload" => &[
            "reads the files the game was started from. If they have faults, or what stands on the table has no place under them, play goes on as before; `reread` is the same word, for games with a verb `reload` of their own",
        ],
        "mix" => &[
            "`mix six will do`: before the first die of the seed falls, once for each who likes; see docs/fair-dice.md",
        ],
        "reveal" => &[
            "tells the seed at the end of a game, so that anybody can derive every die from it; whoever knows it can also tell every die to come",
        ],
        "map" => &["`map 2` shows level 2 alone"],
        _ => &[],
    }
}
