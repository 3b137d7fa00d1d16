//! `help`: lists the commands, or explains one.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::{self, ANY_NUMBER, LineError, TypedLine, shorten_word, usage_text};
use crate::language::rule::{RuleText, UsagePart};
use crate::language::schema::{Kind, KindRole, RuleId, Type};
use crate::names;
use crate::render::json::answers::answer;
use crate::render::markup::{Line, Role, Text};
use crate::render::rule::{self, RuleAnswer};
use crate::ruleset::Ruleset;

use super::rule::rules_and_verbs;
use super::setup;
use crate::console::complete::complete;
use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Replied, Reply};

/// The answer to `help`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct HelpAnswer {
    /// The words of the console that match, or all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<Vec<WordAnswer>>,
    /// The rules of the game that match, or all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<RuleAnswer>>,
}

/// A word of the console.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(crate) struct WordAnswer {
    /// The word, as it is typed.
    pub name: &'static str,
    /// The usage of the word.
    pub usage: &'static str,
    /// The help for the word, in one line.
    pub help: &'static str,
    /// Examples and remarks.
    pub sample: &'static [&'static str],
}

/// The maximum number of verbs listed with their usage. If there are more, only their names are
/// listed.
const MAX_VERBS_IN_FULL: usize = 14;

/// The side named in the samples of the console's words; a side of the game replaces it.
const SAMPLE_SIDE: &str = "red";

/// The maximum number of words in a sample.
const MAX_SAMPLE_WORDS: usize = 12;

pub(super) const HELP: Word = Word {
    name: "help",
    short: &["?"],
    usage: "help [WORD]",
    help: "list the commands, or explain one",
    complete: |reading, given, to| {
        to.offer_first(given, rules_and_verbs(reading.ruleset()));
    },
    // Completes verbs and words, as at the beginning of a line.
    line: |given| given.is_empty().then_some(given),
    most: ANY_NUMBER,
    looks: true,
    ..Word::of(
        Handler::immediate(help)
            .with_answers(&[|| answer::<HelpAnswer>("answers to help", "`help`, `help WORD`")]),
    )
};

fn help(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let Some(word) = typed.text_after_first() else {
        return Ok(Reply::new(
            general_help(play, play.width),
            help_answer(play.words, play.referee().ruleset()),
        ));
    };
    // A word or verb with one of these names takes precedence.
    let all = match (explain_word(play, &word), word.as_str()) {
        (Err(_), "game") => game_help(play, play.width),
        (Err(_), "console") => console_help(play.words),
        (found, _) => return found,
    };
    Ok(Reply::new(all, help_answer(play.words, play.referee().ruleset())))
}

/// Returns all words of the console and rules of the game for machines.
fn help_answer(words: &[Word], ruleset: &Ruleset) -> HelpAnswer {
    let rules = (0..ruleset.schema.rules.len()).map(RuleId::from_index);
    HelpAnswer {
        words: Some(words.iter().map(word_data).collect()),
        rules: Some(rules.map(|id| rule::rule_answer(ruleset, id)).collect()),
    }
}

fn word_data(word: &Word) -> WordAnswer {
    WordAnswer { name: word.name, usage: word.usage, help: word.help, sample: word.sample }
}

/// Explains one word: of the game, of the console, or of both.
fn explain_word(play: &Play, word: &str) -> Replied {
    let ruleset = play.referee().ruleset();
    let lower = word.to_lowercase();
    let names = rules_and_verbs(ruleset);
    let exact = play.words.iter().find(|w| w.is(&lower));
    let is_rule = names.iter().any(|name| *name == lower);
    let means_verb = || !command::verbs_in(play.referee(), play.session.table(), &lower).is_empty();
    if exact.is_none()
        && !is_rule
        && !means_verb()
        && let Some(reply) = explain_kind(play, &lower)
    {
        return Ok(reply);
    }
    let rule = names::find_name(&lower, names.iter().copied()).only();
    // A name typed in full takes precedence over names that begin with it.
    let rule = rule.filter(|found| exact.is_none() || *found == lower);
    let begun = || names::find(&lower, play.words.iter().map(|w| (w.name, w))).only();
    let console = exact.or_else(|| begun().filter(|_| rule.is_none()));
    let mut text = Text::new();
    let mut data = HelpAnswer { words: None, rules: None };
    if let Some(found) = rule {
        let rules = ruleset.rules_for_verb(found);
        if let Some(sample) = sample_of_verb(play, found, found) {
            text.line(Role::Plain, format!("for example: {sample}")).push_empty_line();
        }
        for id in &rules {
            text.extend(explain_rule(play, &ruleset.schema.rules[id.index()]));
        }
        let more = format!("`rule {found}` shows what it rolls, and when it is refused");
        text.line(Role::Quiet, more);
        data.rules = Some(rules.into_iter().map(|id| rule::rule_answer(ruleset, id)).collect());
    }
    if let Some(found) = console {
        text.push_empty_line().extend(explain_console_word(play, found));
        data.words = Some(vec![word_data(found)]);
    }
    if text.is_empty() {
        let known = names.into_iter().chain(play.words.iter().map(|w| w.name));
        let hint = names::nearest(&lower, known).map(|near| format!("did you mean `{near}`?"));
        let error = LineError::new(None, format!("there is no `{}`", shorten_word(word)));
        return Err(error.help(hint.unwrap_or("`help` lists the commands".to_owned())).into());
    }
    Ok(Reply::new(text, data))
}

/// Lists the commands that take a piece of the kind that a word names, in the singular or the plural, or of
/// the kind of the piece with this name. Returns `None` if there is no such kind, or no command takes it.
fn explain_kind(play: &Play, word: &str) -> Option<Reply> {
    let ruleset = play.referee().ruleset();
    let schema = &ruleset.schema;
    let mut kinds = schema.piece_kinds().filter(|(_, kind)| kind.role == KindRole::Pieces);
    let is_named = |kind: &Kind| [&kind.name, &kind.plural].into_iter().any(|name| name == word);
    let named = kinds.find(|(_, kind)| is_named(kind)).map(|(id, _)| id);
    let kind = named.or_else(|| play.session.table().find(word).map(|(kind, _)| kind))?;
    if schema.kind(kind).plan {
        return None;
    }
    let takes = |id: &RuleId| {
        let rule = &schema.rules[id.index()];
        rule.usage.is_some()
            && rule.params.iter().any(|param| param.ty.member_or_self() == Type::Piece(kind))
    };
    let ids: Vec<RuleId> = (0..schema.rules.len()).map(RuleId::from_index).filter(takes).collect();
    let kind = schema.kind(kind);
    let what = if kind.title.is_empty() { &kind.name } else { &kind.title };
    let mut text = Text::of(Role::Header, format!("Commands with {what}"));
    for id in &ids {
        let rule = &schema.rules[id.index()];
        let line = Line::of(Role::Plain, "  ").and(Role::Strong, usage_text(rule));
        text.push(line.and(Role::Plain, format!("  {}", rule.title)).with_hanging_indent(4));
    }
    text.line(Role::Quiet, "`help VERB` explains one, with its phases");
    let rules = ids.iter().map(|id| rule::rule_answer(ruleset, *id)).collect();
    let data = HelpAnswer { words: None, rules: Some(rules) };
    (!ids.is_empty()).then(|| Reply::new(text, data))
}

/// Explains a word of the console. Its samples name a side of this game, if it has any.
fn explain_console_word(play: &Play, word: &Word) -> Text {
    let mut text = Text::of(Role::Header, word.usage);
    let sides = play.referee().sides(play.session.table());
    let side = sides.first().map_or(SAMPLE_SIDE, String::as_str);
    for line in std::iter::once(&word.help).chain(word.sample) {
        text.line(Role::Plain, format!("  {}", sample_in_game(line, side)));
    }
    text
}

/// Returns a sample in which a side of the game replaces the side that the sample names.
fn sample_in_game(sample: &str, side: &str) -> String {
    let mut words = Vec::new();
    for word in sample.split(' ') {
        words.push(match word.trim_matches(|c: char| !c.is_alphabetic()) {
            SAMPLE_SIDE => word.replace(SAMPLE_SIDE, side),
            _ => word.to_owned(),
        });
    }
    words.join(" ")
}

/// Returns a line with this verb that begins with `begun` and can be read. Each missing word is
/// filled in with the first completion, or with `1` if there is none. Returns `None` if no such
/// line is found, if the verb needs no other words, or if it takes a text and `begun` contains more
/// than the verb.
pub(in crate::console) fn sample_of_verb(play: &Play, verb: &str, begun: &str) -> Option<String> {
    let referee = play.referee();
    let table = play.session.table();
    let rules = &referee.ruleset().schema.rules;
    let of_verb = referee.ruleset().rules_for_verb(verb);
    let mut of_verb = of_verb.iter().map(|id| &rules[id.index()]);
    if let Some(rule) = of_verb.find(|rule| rule.takes_text()) {
        return sample_with_text(play, verb, rule).filter(|_| begun == verb);
    }
    let mut line = begun.to_owned();
    for _ in 0..MAX_SAMPLE_WORDS {
        if command::parse(referee, table, &line).is_ok() {
            return (line != verb).then_some(line);
        }
        line.push(' ');
        let word = first_completion(play, &line).unwrap_or("1".to_owned());
        line.push_str(&word);
    }
    None
}

/// Returns the first completion that is not yet in the line, or the first of all if every one is.
fn first_completion(play: &Play, line: &str) -> Option<String> {
    let found = complete(play.words, play.referee(), play.session.table(), line, line.len());
    let is_new = |word: &&String| !line.split(' ').any(|typed| typed == word.as_str());
    found.words.iter().find(is_new).or(found.words.first()).cloned()
}

/// Returns a line for a rule that takes a text, which completion can't supply; `None` if the line
/// couldn't be read.
fn sample_with_text(play: &Play, verb: &str, rule: &RuleText) -> Option<String> {
    let mut line = verb.to_owned();
    for part in &rule.usage.as_ref()?.parts {
        line.push(' ');
        match part {
            UsagePart::Word(word) => line.push_str(word),
            UsagePart::Fill(param, _) if rule.params[*param].ty == Type::Text => {
                line.push_str("hurry");
            }
            UsagePart::Fill(..) => line.push_str(&first_completion(play, &line)?),
            UsagePart::Flag(..) | UsagePart::Optional(_) => drop(line.pop()),
        }
    }
    command::parse(play.referee(), play.session.table(), &line).is_ok().then_some(line)
}

fn explain_rule(play: &Play, rule: &RuleText) -> Text {
    let ruleset = play.referee().ruleset();
    let mut text = Text::from_iter([Line::of(Role::Header, usage_text(rule))]);
    let mut line = Line::of(Role::Plain, format!("  {}", rule.title));
    if !rule.cite.is_empty() {
        line.push(Role::Quiet, format!(" · {}", rule.cite));
    }
    text.push(line);
    if !rule.note.is_empty() {
        text.line(Role::Plain, format!("  {}", rule.note.trim()));
    }
    let mut remark = |words: String| {
        text.line(Role::Quiet, format!("  {words}"));
    };
    // The usage shows the kinds and the bounds.
    for param in &rule.params {
        if let Type::Word(set) = param.ty {
            let words = &ruleset.schema.word_set(set).values;
            remark(format!("{}: {}", param.name, words.join(", ")));
        }
    }
    let phases: Vec<String> =
        rule.phases.iter().map(|(p, _)| play.referee().phase_title(p)).collect();
    if !phases.is_empty() {
        remark(format!("in {}", phases.join(" or ")));
    }
    text
}

/// Lists the words of the console, the verbs of the game, and last, next to the prompt, the verbs
/// of this phase.
fn general_help(play: &Play, width: usize) -> Text {
    let ruleset = play.referee().ruleset();
    let rules: Vec<&RuleText> = ruleset.schema.rules.iter().collect();
    let now = play.referee().phase_index(play.session.table()).map(|p| &ruleset.phases[p]);
    let offered = |rule: &RuleText| {
        now.is_some_and(|p| p.verbs.iter().any(|(v, _)| v == rule.verb() || *v == rule.name))
    };
    // A verb of the same name takes precedence over the word.
    let hides = |word: &Word| ruleset.has_verb(word.name);
    let name = |word: &Word| word.short.first().filter(|_| hides(word)).map_or(word.name, |s| s);
    let mut text = Text::new();
    if play.referee().turn_number(play.session.table()) == 0 && !ruleset.phases.is_empty() {
        let setup = name(&setup::SETUP);
        let begin = format!(
            "The game hasn't begun: `{setup}` lists what to lay out, and `next` begins the first turn. `help` then lists the commands of each phase."
        );
        text.push(Line::of(Role::Notice, begin));
        text.push_empty_line();
    }
    text.line(Role::Header, "The console");
    text.push(join_names(play.words.iter().map(name)));
    let (here, others): (Vec<&RuleText>, Vec<&RuleText>) =
        rules.iter().copied().filter(|r| r.usage.is_some() || offered(r)).partition(|r| offered(r));
    let phase = now.filter(|_| !here.is_empty());
    if phase.is_none() && !others.is_empty() {
        text.push_empty_line().line(Role::Header, "The game");
        add_verbs(&others, width, &mut text);
    } else if !others.is_empty() {
        // Verbs of other phases are only named, so that the verbs of this phase stand out.
        text.push_empty_line().line(Role::Header, "In other phases, or at any time");
        text.push(join_names(others.iter().copied().map(RuleText::verb)));
    }
    if let Some(phase) = phase {
        text.push_empty_line().line(Role::Header, format!("Now: {}", phase.title));
        add_verbs(&here, width, &mut text);
    }
    text.push_empty_line();
    let more = "`help WORD` explains a command; `help game` and `help console` explain them all; words can be shortened as long as they are unambiguous; `!` at the end of a line overrides a refusal";
    text.line(Role::Quiet, more);
    text
}

/// Lists all verbs of the game with their usages, and then the rules that are called only by name.
fn game_help(play: &Play, width: usize) -> Text {
    let rules = &play.referee().ruleset().schema.rules;
    let mut text = Text::of(Role::Header, "The game");
    rules.iter().filter(|r| r.usage.is_some()).for_each(|r| add_usage(r, width, &mut text));
    // A rule without a usage or parameters is called by typing only its name.
    let bare = || rules.iter().filter(|r| r.usage.is_none() && r.params.is_empty());
    if bare().next().is_some() {
        text.push_empty_line().line(Role::Header, "Rules that can be called by name at any time");
        text.push(join_names(bare().map(RuleText::verb)));
    }
    text
}

/// Lists all words of the console with their usage and help.
fn console_help(words: &[Word]) -> Text {
    let mut text = Text::of(Role::Header, "The console");
    for word in words {
        let mut line = Line::of(Role::Plain, "  ").and(Role::Strong, word.usage);
        line.pad_to(30, 2).push(Role::Quiet, word.help);
        text.push(line.with_hanging_indent(32));
    }
    text
}

/// Joins names in one line, without duplicates.
fn join_names<'a>(all: impl Iterator<Item = &'a str>) -> Line {
    let mut once: Vec<&str> = Vec::new();
    for name in all {
        if !once.contains(&name) {
            once.push(name);
        }
    }
    Line::of(Role::Plain, format!("  {}", once.join(", "))).with_hanging_indent(2)
}

/// Lists verbs with their usage, or only by name if there are many.
fn add_verbs(rules: &[&RuleText], width: usize, text: &mut Text) {
    if rules.len() <= MAX_VERBS_IN_FULL {
        rules.iter().for_each(|r| add_usage(r, width, text));
    } else {
        text.push(join_names(rules.iter().copied().map(RuleText::verb)));
    }
}

/// Adds the usage of a rule, with its title next to it, or below it if the usage is long.
fn add_usage(rule: &RuleText, width: usize, text: &mut Text) {
    let mut line =
        Line::of(Role::Plain, "  ").and(Role::Strong, usage_text(rule)).with_hanging_indent(6);
    let column = width / 2 - 2;
    if line.width() + 2 > column {
        text.push(std::mem::replace(&mut line, Line::new()));
    }
    line.pad_to(column, 0).push(Role::Quiet, &rule.title);
    text.push(line.with_hanging_indent(column));
}
