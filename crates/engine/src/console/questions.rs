//! Questions about the game as people ask them: what a piece may do now, who can do something, how far it is, and why
//! something is as it is. A question never changes the game.

use super::corrections;
use super::play::Play;
use super::question_words::{self, QuestionAnswer, bare_name};
use super::reply::{Failure, Replied, Reply};
use super::rulings;
use super::suggest::{self, LineSearch};
use super::words::show;
use crate::command::{self, HintKind, LineError, NearLine, NearestBudget, Proposal, TypedLine};
use crate::language::schema::{Attribute, AttributeStorage, KindId, STATE_KIND, Type};
use crate::names;
use crate::referee::Action;
use crate::render::markup::{Line, Role, Text};
use crate::tabletop::Argument;

/// The most lines listed for a piece.
const MAX_LISTED: usize = 8;

/// The most lines proposed in place of one that can't be read.
const MAX_PROPOSED: usize = 3;

/// Words of a question about a piece that say nothing of what is asked.
pub(super) const QUESTION_WORDS: [&str; 33] = [
    "what",
    "which",
    "who",
    "how",
    "is",
    "are",
    "was",
    "does",
    "do",
    "did",
    "has",
    "have",
    "had",
    "got",
    "left",
    "the",
    "a",
    "an",
    "any",
    "much",
    "many",
    "of",
    "its",
    "it",
    "now",
    "still",
    "been",
    "taken",
    "remaining",
    "there",
    "s",
    "at",
    "where",
];

/// Words of a question about chances.
const CHANCES: [&str; 10] = [
    "odds",
    "chance",
    "chances",
    "probability",
    "likely",
    "likelihood",
    "need",
    "needs",
    "modifiers",
    "modifier",
];

/// Answers a question. Returns `None` if the line isn't a question that is answered here.
pub(super) fn answer(play: &Play, typed: &TypedLine<'_>) -> Option<Replied> {
    let first = typed.tokens.first().filter(|word| !word.quoted)?;
    if play.referee().ruleset().has_verb(&first.text) {
        return None;
    }
    let words = question_words::question_words(typed);
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    match texts.as_slice() {
        ["what", piece] | ["what", "can" | "may" | "could", piece, "do"] => {
            let (kind, row) = play.session.table().find(piece)?;
            Some(Ok(what_it_may_do(play, kind, row)))
        }
        ["who" | "what", "can" | "could", verb] => who_can(play, verb),
        ["can" | "could", _, _, ..] => can(play, typed),
        ["how", "far", rest @ ..] => how_far(play, rest),
        ["why", rest @ ..] if rest.len() > 1 => why(play, rest),
        _ => None,
    }
}

pub(super) fn reply(answer: String, listed: Vec<String>) -> Reply {
    let mut text = Text::from_iter([Line::of(Role::Plain, &answer).with_hanging_indent(2)]);
    for line in &listed {
        text.push(Line::of(Role::Plain, "  ").and(Role::Strong, line));
    }
    Reply::new(text, QuestionAnswer { answer, listed })
}

/// Lists what a piece may do now, a line for each verb.
fn what_it_may_do(play: &Play, kind: KindId, row: u32) -> Reply {
    let name = play.session.table().piece_name(kind, row);
    let lines = lines_of_piece(play, kind, row, MAX_LISTED);
    let answer = if lines.is_empty() {
        let nothing = can_do_nothing(play, kind, row);
        format!("{nothing}; `show {name}` shows all that is known of it")
    } else {
        format!("{name} can do this now, for example:")
    };
    reply(answer, lines)
}

/// Returns the sentence that a piece can do nothing now, with the reason if the other side is to move.
pub(super) fn can_do_nothing(play: &Play, kind: KindId, row: u32) -> String {
    let table = play.session.table();
    let name = table.piece_name(kind, row);
    let moving = play.referee().side_to_move(table);
    match (moving, play.referee().side_of_piece(table, kind, row)) {
        (Some(moving), Some(side)) if moving != side => {
            format!("{name} can do nothing now: {moving} is to move")
        }
        _ => format!("{name} can do nothing in this phase"),
    }
}

/// Returns a line for each verb with which a piece could act now, at most so many; only of verbs of this phase if there
/// are some.
fn lines_of_piece(play: &Play, kind: KindId, row: u32, most: usize) -> Vec<String> {
    let referee = play.referee();
    let table = play.session.table();
    let name = table.piece_name(kind, row);
    let acting = |action: &Action| acting_rows(play, action, kind).contains(&row);
    let ruleset = referee.ruleset();
    let phase = referee.phase_index(table).map(|index| &ruleset.phases[index]);
    let belongs = |verb: &&str| phase.is_some_and(|p| p.verbs.iter().any(|(v, _)| v == verb));
    let search = LineSearch::new(play.words, referee, table);
    let lines = |verbs: Vec<&str>| -> Vec<String> {
        let lines = verbs.into_iter();
        let lines = lines.filter_map(|verb| search.line_with(verb, &[&name], &acting));
        lines.take(most).collect()
    };
    let (here, elsewhere): (Vec<&str>, Vec<&str>) =
        ruleset.verbs().filter(|verb| takes_kind(play, verb, kind)).partition(belongs);
    let found = lines(here);
    if found.is_empty() { lines(elsewhere) } else { found }
}

/// Returns true if a piece of this kind can be typed after a verb.
fn takes_kind(play: &Play, verb: &str, kind: KindId) -> bool {
    let ruleset = play.referee().ruleset();
    ruleset.rules_for_verb(verb).iter().any(|id| {
        let rule = &ruleset.schema.rules[id.index()];
        rule.usage.is_some()
            && !rule.takes_text()
            && rule.params.iter().any(|param| param.ty.member_or_self() == Type::Piece(kind))
    })
}

/// Returns the pieces of a kind that an action names first.
fn acting_rows(play: &Play, action: &Action, kind: KindId) -> Vec<u32> {
    let Action::Rule { rule, arguments, .. } = action else { return Vec::new() };
    let rule = &play.referee().ruleset().schema.rules[rule.index()];
    let index = rule.params.iter().position(|p| p.ty.member_or_self() == Type::Piece(kind));
    let rows = index.and_then(|index| arguments.get(index)?.as_ref()).map(Argument::piece_rows);
    rows.unwrap_or_default()
}

/// Returns the verb that a word is, or is another word for.
fn verb_of<'p>(play: &'p Play, word: &str) -> Option<&'p str> {
    let ruleset = play.referee().ruleset();
    let mut verbs = ruleset.verbs().filter(|verb| ruleset.is_typed_verb(verb));
    let verb = verbs.find(|verb| verb.eq_ignore_ascii_case(word));
    verb.or_else(|| ruleset.synonyms().find(|(phrase, _)| *phrase == word).map(|(_, meant)| meant))
}

/// Lists the pieces that could act by a verb now.
fn who_can(play: &Play, word: &str) -> Option<Replied> {
    let verb = verb_of(play, word)?;
    let ruleset = play.referee().ruleset();
    let table = play.session.table();
    let rules = ruleset.rules_for_verb(verb);
    let mut kinds: Vec<KindId> = Vec::new();
    for id in &rules {
        let rule = &ruleset.schema.rules[id.index()];
        let acting = rule.acting_piece().map(|index| rule.params[index].ty.member_or_self());
        if let Some(Type::Piece(kind)) = acting
            && !kinds.contains(&kind)
        {
            kinds.push(kind);
        }
    }
    let search = LineSearch::new(play.words, play.referee(), table);
    let mut able = Vec::new();
    let mut untried = Vec::new();
    let mut example = None;
    for kind in kinds {
        for row in table.present_pieces(kind) {
            let name = table.piece_name(kind, row);
            let acting = |action: &Action| acting_rows(play, action, kind).contains(&row);
            if let Some(line) = search.line_with(verb, &[&name], &acting) {
                example.get_or_insert(line);
                able.push(name);
            } else if search.is_exhausted() {
                untried.push(name);
            }
        }
    }
    let mut answer = match example {
        None if untried.is_empty() => format!("nobody can `{verb}` now"),
        None => format!("no line of `{verb}` was found that would be accepted now"),
        Some(line) => format!("`{verb}` now: {}; for example `{line}`", able.join(", ")),
    };
    if !untried.is_empty() {
        answer.push_str(&format!("; not tried: {}", untried.join(", ")));
    }
    let text = Text::from_iter([Line::of(Role::Plain, &answer).with_hanging_indent(2)]);
    Some(Ok(Reply::new(text, QuestionAnswer { answer, listed: able })))
}

/// Answers whether the rest of the line would be accepted.
fn can(play: &Play, typed: &TypedLine<'_>) -> Option<Replied> {
    let line = command::typed_text(typed.line, typed.words_after_first());
    let line = line.trim_end_matches(['?', ' ']);
    let Ok(Some(command)) = command::parse(play.referee(), play.session.table(), line) else {
        let [piece, verb] = typed.words_after_first() else { return None };
        let (kind, row) = play.session.table().find(&piece.text)?;
        let verb = verb_of(play, verb.text.trim_end_matches('?'))?;
        let name = play.session.table().piece_name(kind, row);
        let acting = |action: &Action| acting_rows(play, action, kind).contains(&row);
        let search = LineSearch::new(play.words, play.referee(), play.session.table());
        return Some(Ok(match search.line_with(verb, &[&name], &acting) {
            Some(example) => reply(format!("yes, for example `{example}`"), vec![example]),
            None => {
                reply(format!("no way was found in which {name} could `{verb}` now"), Vec::new())
            }
        }));
    };
    let meant = command.restated.as_deref().unwrap_or(line).to_owned();
    Some(Ok(match play.refusal(&command) {
        None => reply(format!("yes: `{meant}`"), vec![meant]),
        Some(reason) => reply(format!("no: {reason}"), Vec::new()),
    }))
}

/// Answers how many steps it is from one place of the plan to another.
fn how_far(play: &Play, words: &[&str]) -> Option<Replied> {
    let little = ["is", "it", "from", "to", "between", "and", "away", "the", "of"];
    let mut places = words.iter().filter(|word| !little.contains(word));
    let one = places.next()?;
    let other = places.next()?;
    if places.next().is_some() {
        return None;
    }
    let table = play.session.table();
    let Some(plan) = play.referee().ruleset().schema.plan_kind() else {
        let error = LineError::new(None, "this game has no drawn plan, so distances aren't known");
        return Some(Err(error
            .help("measure on the table, and type the inches: `help` lists the verbs")
            .into()));
    };
    let place = |typed: &str| {
        let (kind, row) = table.find(typed)?;
        let name = table.piece_name(kind, row);
        if kind == plan {
            return Some(name);
        }
        let attributes = &play.referee().ruleset().schema.kind(kind).attributes;
        let at = attributes.iter().find(|a| a.ty == Type::Piece(plan) && !a.bookkeeping)?;
        Some(format!("{name}.{}", at.name))
    };
    let steps = play.evaluate(&format!("steps({}, {})", place(one)?, place(other)?))?;
    let steps = names::count_with_noun(usize::try_from(steps).ok()?, "step");
    Some(Ok(reply(format!("from {one} to {other}: {steps} on the plan"), Vec::new())))
}

/// Answers why something is as it is, if a piece and one of its attributes or values are asked for.
fn why(play: &Play, words: &[&str]) -> Option<Replied> {
    let table = play.session.table();
    let (kind, row) = words.iter().find_map(|word| table.find(bare_name(word)))?;
    let name = table.piece_name(kind, row);
    let rest: Vec<&str> = words
        .iter()
        .filter(|word| !QUESTION_WORDS.contains(word) && table.find(bare_name(word)).is_none())
        .copied()
        .collect();
    if words.iter().filter(|word| table.find(bare_name(word)).is_some()).count() == 1
        && let [asked] = rest.as_slice()
        && let Some(attribute) = attribute_asked(play, kind, asked)
    {
        let line = format!("why {name}.{attribute}");
        let typed = TypedLine::read(&line).ok()?;
        return Some(super::words::why::explain(play, &typed));
    }
    if words == [name.as_str()] {
        return None;
    }
    let error = LineError::new(None, "this question can't be answered");
    let help = format!(
        "`why {name}` shows how {name} came to be as it is, `why` alone how the last result came about"
    );
    Some(Err(Failure::from(error.help(help))))
}

/// Returns the attribute that a word names, or the only attribute that can have the word as its value.
fn attribute_asked<'p>(play: &'p Play, kind: KindId, word: &str) -> Option<&'p str> {
    let schema = &play.referee().ruleset().schema;
    let attributes = || schema.kind(kind).attributes.iter().filter(|a| !a.bookkeeping);
    let named = |a: &&Attribute| a.name.eq_ignore_ascii_case(word);
    let is_value = |a: &&Attribute| question_words::is_value(schema, a, word);
    let mut values = attributes().filter(is_value);
    let by_value = values.next().filter(|_| values.next().is_none());
    attributes().find(named).or(by_value).map(|a| a.name.as_str())
}

/// Returns true if every word of a question about a piece is one that its attributes explain, so that showing the piece
/// answers it.
pub(super) fn shows_piece(play: &Play, words: &[String]) -> Option<String> {
    let table = play.session.table();
    let first = words.first()?.as_str();
    let asks = ["what", "which", "how", "is", "are", "does", "do", "has", "have", "where", "did"];
    let mut pieces = words.iter().filter_map(|word| table.find(bare_name(word)));
    let (kind, row) = pieces.next().filter(|_| asks.contains(&first))?;
    if pieces.next().is_some() {
        return None;
    }
    let attributes = &play.referee().ruleset().schema.kind(kind).attributes;
    let explains = |word: &str| {
        let one = word.strip_suffix('s').unwrap_or(word);
        attributes.iter().filter(|a| !a.bookkeeping).any(|a| {
            let title = a.title.as_deref().unwrap_or_default().to_lowercase();
            let mut known = a.name.split('-').chain(title.split(' '));
            known.any(|known| known.strip_suffix('s').unwrap_or(known) == one)
        }) || attribute_asked(play, kind, word).is_some()
    };
    let understood = words.iter().all(|word| {
        QUESTION_WORDS.contains(&word.as_str())
            || table.find(bare_name(word)).is_some()
            || explains(word)
    });
    understood.then(|| format!("show {}", table.piece_name(kind, row)))
}

/// Returns the line that shows the state if a question without a piece is about one of its values: `is it night`.
pub(super) fn shows_state(play: &Play, words: &[String]) -> Option<String> {
    let table = play.session.table();
    if words.iter().any(|word| table.find(bare_name(word)).is_some()) {
        return None;
    }
    let attributes = &play.referee().ruleset().schema.kind(STATE_KIND).attributes;
    let is_asked = |word: &String| {
        let mut shown = attributes.iter().filter(|attribute| !attribute.bookkeeping);
        word.len() > 3 && shown.any(|a| a.name.eq_ignore_ascii_case(word))
    };
    words.iter().skip(1).any(is_asked).then(|| "show state".to_owned())
}

/// Returns true if a question is about chances.
pub(super) fn asks_chances(words: &[String]) -> bool {
    words.iter().any(|word| CHANCES.contains(&word.as_str()))
}

/// Returns an error with lines that would be accepted in place of the one that can't be read, if there are some, or with
/// what comes nearest.
pub(super) fn with_proposals(play: &Play, error: LineError, typed: &TypedLine<'_>) -> LineError {
    // A name that was mistyped, or a word that could be several, has a better help of its own.
    let proposes_name =
        matches!(error.proposal.as_deref(), Some(Proposal::Name(_) | Proposal::Lines(_)));
    if proposes_name || !error.choices.is_empty() || error.hint_kind == HintKind::NearName {
        return error;
    }
    let is_question = question_words::is_question(typed);
    if let Some(said) = corrections::corrected_part(typed).filter(|_| !is_question)
        && let Some(entry) = corrections::last_replaceable(play)
    {
        let lines = corrections::replacing_lines(play, entry, said);
        if !lines.is_empty() {
            return error.proposing(lines.into_iter().map(|line| format!("oops {line}")).collect());
        }
    }
    let words = question_words::question_words(typed);
    let budget = NearestBudget::new();
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    if asks_chances(&words) {
        let mut lines = lines_asked_for(play, &words, &budget, &search);
        if lines.is_empty() && !is_question {
            let rest: Vec<String> =
                words.iter().filter(|word| !CHANCES.contains(&word.as_str())).cloned().collect();
            let near = lines_with_verb(play, &rest.join(" "), &rest, &budget);
            lines = accepted_lines(&near, &search);
        }
        if !lines.is_empty() {
            return error.proposing(lines.into_iter().map(|line| format!("odds {line}")).collect());
        }
        let names_all =
            |line: &String| names_of_pieces(play, &words).iter().all(|name| line.contains(name));
        if let Some(example) = lines_about(play, &words).into_iter().find(names_all) {
            let help = format!("`odds LINE` shows the chances of a line: `odds {example}`");
            return LineError { wants_sample: false, ..error }.help(help);
        }
    }
    let is_complete = error.span.is_some();
    if !is_question && is_complete {
        let near =
            command::nearest_lines(play.referee(), play.session.table(), typed.line, &budget);
        let accepted = accepted_lines(&near, &search);
        if !accepted.is_empty() {
            return error.proposing(accepted);
        }
        if let [only] = near.as_slice()
            && let Some(help) = refusal_of(play, &only.line)
        {
            return LineError { wants_sample: false, ..error }.help(help);
        }
    }
    if is_question {
        return with_help_for_question(play, error, &words);
    }
    if error.hint_kind == HintKind::Overview {
        return with_help_without_verb(play, error, typed, &words, &budget, &search);
    }
    with_example_of_verb(play, error, typed)
}

/// Returns an error whose help is a usage with a line of the same verb that would be accepted, about as many of the pieces
/// that were typed as possible.
fn with_example_of_verb(play: &Play, error: LineError, typed: &TypedLine<'_>) -> LineError {
    let verb = match error.proposal.as_deref() {
        Some(Proposal::Verb(verb)) if error.span.is_some() => verb,
        _ => return error,
    };
    let table = play.session.table();
    let mut names: Vec<String> = Vec::new();
    for token in typed.tokens.iter().filter(|token| !token.quoted) {
        if let Some(name) = command::find_spoken(table, &token.text)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    let search = LineSearch::new(play.words, play.referee(), table);
    let example = (1..=names.len()).rev().find_map(|count| {
        let names: Vec<&str> = names[..count].iter().map(String::as_str).collect();
        search.line_with(verb, &names, &|_| true)
    });
    match (example, &error.help) {
        (Some(example), Some(help)) => {
            let help = format!("{help}, for example `{example}`");
            LineError { wants_sample: false, ..error }.help(help)
        }
        _ => error,
    }
}

/// Returns the error of a question that can't be answered with what shows the piece that it names, or with the verbs that
/// it may be about.
fn with_help_for_question(play: &Play, error: LineError, words: &[String]) -> LineError {
    // How far it is has been answered, or it has been said why it can't be.
    if words.get(1).is_some_and(|second| second == "far") {
        return error;
    }
    let table = play.session.table();
    if let Some((kind, row)) =
        words.iter().find_map(|word| table.find(&command::find_spoken(table, word)?))
    {
        let name = table.piece_name(kind, row);
        let why = format!("`why {name}` how it came about");
        return error.help(format!(
            "`show {name}` shows what is known of {name}, {why}, `what {name}` what it can do now"
        ));
    }
    // Who does something is a question about pieces, not about a verb.
    if words.first().is_some_and(|first| first.starts_with("who")) {
        return error;
    }
    match help_about_verbs(play, words) {
        Some(help) => error.help(help),
        None => error,
    }
}

/// Returns the error of a line without a verb with the line that comes nearest, or else with what its first piece can do
/// or with the verbs that it may be about.
fn with_help_without_verb(
    play: &Play,
    error: LineError,
    typed: &TypedLine<'_>,
    words: &[String],
    budget: &NearestBudget,
    search: &LineSearch<'_>,
) -> LineError {
    let corrects =
        "`oops LINE` puts another line in place of the last command, `undo` takes it back";
    if corrections::takes_back(typed) {
        return error.help(corrects);
    }
    let stated = word_with_comment(play, typed)
        .or_else(|| rulings::stated(play, typed))
        .or_else(|| rulings::stated_of_game(play, words));
    if let Some(line) = stated {
        return error.proposing(vec![line]);
    }
    if words.first().is_some_and(|first| ["nobody", "nothing", "noone"].contains(&first.as_str())) {
        return error.help("nothing has to be typed for that; `next` goes on when all have acted");
    }
    // Doing nothing is a line only where the game has a verb for it.
    if let Some(name) = command::idle_piece(play.session.table(), &typed.tokens) {
        let line = format!("{name} stay");
        let near = command::nearest_lines(play.referee(), play.session.table(), &line, budget);
        let accepted = accepted_lines(&near, search);
        if !accepted.is_empty() {
            return error.proposing(accepted);
        }
        return error.help(format!(
            "nothing has to be typed if {name} does nothing; `next` goes on when all have acted"
        ));
    }
    let near = lines_with_verb(play, typed.line, words, budget);
    let accepted = accepted_lines(&near, search);
    if !accepted.is_empty() {
        return error.proposing(accepted);
    }
    // What is refused must be what was meant, as nothing else is proposed then.
    let likely = near.first().filter(|near| near.left_out * 2 < words.len());
    if let Some(help) = likely.and_then(|one| refusal_of(play, &one.line)) {
        return LineError { wants_sample: false, ..error }.help(help);
    }
    if command::says_rolled(typed) {
        return LineError { span: error.span, ..LineError::no_dice_asked(None) };
    }
    let shown = format!("show {}", words.join(" "));
    let acts = |word: &String| verb_of(play, word).is_some() || question_words::is_verb(play, word);
    let names_few = names_of_pieces(play, words).len() < 2;
    if names_few && !words.iter().any(acts) && show::is_shown(play, &shown) {
        return error.proposing(vec![shown]);
    }
    if corrections::corrected_part(typed).is_some() {
        return error.help(corrects);
    }
    let table = play.session.table();
    if let Some((kind, row)) =
        words.iter().find_map(|word| table.find(&command::find_spoken(table, word)?))
    {
        let name = table.piece_name(kind, row);
        let set = how_to_set(play, kind, &name);
        let lines = lines_about(play, words);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        return error.help(if lines.is_empty() {
            format!("{}; `show {name}` shows it, {set}", can_do_nothing(play, kind, row))
        } else {
            format!("{name} can, for example: {}; {set}", names::quote_names(&lines))
        });
    }
    match help_about_verbs(play, words) {
        Some(help) => error.help(help),
        None => with_example_of_phase(play, error),
    }
}

/// Returns those of some lines that would be accepted, as many as are proposed.
fn accepted_lines(near: &[NearLine], search: &LineSearch<'_>) -> Vec<String> {
    let lines = near.iter().map(|near| &near.line);
    lines.filter(|line| search.accepts(line)).take(MAX_PROPOSED).cloned().collect()
}

/// Returns a help that names the verbs whose titles have a word of a line; `None` if none has.
fn help_about_verbs(play: &Play, words: &[String]) -> Option<String> {
    let verbs = verbs_about(play, words);
    let lines: Vec<String> = verbs.iter().map(|verb| format!("help {verb}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    (!lines.is_empty()).then(|| format!("it may be about {}", names::quote_names(&lines)))
}

/// Returns a help with the reason why a line would be refused; `None` if it wouldn't be, or can't be read.
pub(super) fn refusal_of(play: &Play, line: &str) -> Option<String> {
    let command = command::parse(play.referee(), play.session.table(), line).ok()??;
    let reason = play.refusal(&command)?;
    Some(format!("read as `{line}`, it would be refused: {reason}"))
}

/// Returns the word of the console that a line begins with, without the comment after it: `undo, it was t34b`.
fn word_with_comment(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let first = typed.tokens.first().filter(|word| !word.quoted)?;
    let text = first.text.strip_suffix([',', ':', ';', '.'])?.to_lowercase();
    let word = play.words.iter().find(|word| word.is(&text))?;
    suggest::would_be_accepted(play.words, play.referee(), play.session.table(), word.name)
        .then(|| word.name.to_owned())
}

/// Returns the names of the pieces that a line has, each once.
pub(super) fn names_of_pieces(play: &Play, words: &[String]) -> Vec<String> {
    let table = play.session.table();
    let mut names: Vec<String> = Vec::new();
    for name in words.iter().filter_map(|word| command::find_spoken(table, word)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns examples for the pieces that a line names: lines of this phase that would be accepted, name all of them, and
/// have the first one act. If there are none, returns lines in which the first one acts.
pub(super) fn lines_about(play: &Play, words: &[String]) -> Vec<String> {
    let referee = play.referee();
    let table = play.session.table();
    let names = names_of_pieces(play, words);
    let Some((kind, row)) = names.first().and_then(|name| table.find(name)) else {
        return Vec::new();
    };
    if let Some(phase) = referee.phase_index(table).filter(|_| names.len() > 1) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let acting = |action: &Action| acting_rows(play, action, kind).contains(&row);
        let search = LineSearch::new(play.words, referee, table);
        let verbs = referee.ruleset().phases[phase].verbs.iter();
        let lines = verbs.filter_map(|(verb, _)| search.line_with(verb, &names, &acting));
        let lines: Vec<String> = lines.take(MAX_PROPOSED).collect();
        if !lines.is_empty() {
            return lines;
        }
    }
    lines_of_piece(play, kind, row, MAX_PROPOSED)
}

/// The most attributes named in a help.
const MAX_ATTRIBUTES: usize = 6;

/// Returns how the values of a piece are changed, in words.
fn how_to_set(play: &Play, kind: KindId, name: &str) -> String {
    let attributes = play.referee().ruleset().schema.kind(kind).attributes.iter();
    let settable = attributes.filter(|a| !a.bookkeeping && !a.fixed);
    let stored = settable.filter(|a| matches!(a.storage, AttributeStorage::Cell(_)));
    let names: Vec<&str> = stored.map(|a| a.name.as_str()).take(MAX_ATTRIBUTES).collect();
    let list = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
    format!("`set {name}.ATTRIBUTE VALUE` changes a value{list}")
}

/// Returns the verbs whose titles have a word of a line, those of this phase first.
fn verbs_about(play: &Play, words: &[String]) -> Vec<String> {
    let ruleset = play.referee().ruleset();
    let phase = play.referee().phase_index(play.session.table());
    let here = |verb: &str| {
        phase.is_some_and(|phase| ruleset.phases[phase].verbs.iter().any(|(v, _)| v == verb))
    };
    let asked: Vec<&String> = words
        .iter()
        .filter(|word| word.len() > 3 && !QUESTION_WORDS.contains(&word.as_str()))
        .collect();
    let is_about = |verb: &&str| {
        ruleset.rules_for_verb(verb).iter().any(|id| {
            let title = ruleset.schema.rules[id.index()].title.to_lowercase();
            let mut title = title.split(|c: char| !c.is_alphanumeric()).filter(|w| w.len() > 3);
            title.any(|known| asked.iter().any(|word| question_words::is_alike(known, word)))
        })
    };
    let verbs = ruleset.verbs().filter(|verb| ruleset.is_typed_verb(verb)).filter(is_about);
    let (mut verbs, others): (Vec<&str>, Vec<&str>) = verbs.partition(|verb| here(verb));
    verbs.extend(others);
    verbs.truncate(MAX_PROPOSED);
    verbs.into_iter().map(str::to_owned).collect()
}

/// Returns an error with a line that would be accepted in this phase as its help.
fn with_example_of_phase(play: &Play, error: LineError) -> LineError {
    let referee = play.referee();
    let table = play.session.table();
    let Some(phase) = referee.phase_index(table) else { return error };
    let verbs = referee.ruleset().phases[phase].verbs.iter().map(|(verb, _)| verb.as_str());
    match suggest::accepted_line(play.words, referee, table, verbs) {
        Some(example) => error.help(format!(
            "`{example}` could be typed now, for example; `help` lists what there is"
        )),
        None => error,
    }
}

/// Words that say nothing of what is done.
const LITTLE: [&str; 16] = [
    "and", "to", "at", "on", "in", "into", "onto", "with", "from", "over", "up", "down", "off",
    "out", "by", "for",
];

/// The most other words of a line without a verb and without numbers for which lines are proposed.
const MAX_UNKNOWN: usize = 2;

/// Returns the lines of this phase's verbs that come nearest to a line without a verb: `ann to b2`, `t34a 10 down the
/// road`. They have all of its numbers, and at least two of its words.
fn lines_with_verb(
    play: &Play,
    line: &str,
    words: &[String],
    budget: &NearestBudget,
) -> Vec<NearLine> {
    let number = |word: &str| -> Option<String> {
        let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
        (!digits.is_empty()).then_some(digits)
    };
    let numbers: Vec<String> = words.iter().filter_map(|word| number(word)).collect();
    // Without a number, too many other words say something else.
    let others = words.iter().filter(|word| {
        let is_little = QUESTION_WORDS.contains(&word.as_str()) || LITTLE.contains(&word.as_str());
        !is_little && command::find_spoken(play.session.table(), word).is_none()
    });
    let says_more = numbers.is_empty() && others.count() > MAX_UNKNOWN;
    let has_all = |near: &str| {
        let parts: Vec<&str> = near.split([' ', ',']).collect();
        let has = |wanted: &String| parts.iter().any(|w| number(w).as_ref() == Some(wanted));
        !says_more && near.split(' ').count() > 2 && numbers.iter().all(has)
    };
    let mut lines = lines_of_phase(play, line, budget);
    lines.retain(|near| has_all(&near.line));
    command::nearest_of(lines)
}

/// Returns the lines that a question about chances could be about: the verbs of this phase with the pieces, values and
/// numbers of the question.
fn lines_asked_for(
    play: &Play,
    words: &[String],
    budget: &NearestBudget,
    search: &LineSearch<'_>,
) -> Vec<String> {
    let rest: Vec<&str> =
        words.iter().map(|word| bare_name(word)).filter(|w| !CHANCES.contains(w)).collect();
    // Without a verb it isn't known which of them the question is about.
    let is_asked = |verb: &str| {
        rest.iter().any(|word| {
            let stems = ["", "s", "es", "ed", "ing"].map(|ending| word.strip_suffix(ending));
            stems.into_iter().flatten().any(|stem| verb_of(play, stem) == Some(verb))
        })
    };
    let lines = lines_of_phase(play, &rest.join(" "), budget);
    let mut lines: Vec<String> = lines.into_iter().map(|near| near.line).collect();
    lines.retain(|near| near.split(' ').next().is_some_and(is_asked) && search.accepts(near));
    lines.truncate(MAX_PROPOSED);
    lines
}

/// Tries each verb of this phase with some words after it. Returns the lines that come near, in order of the number of
/// words that they leave out.
fn lines_of_phase(play: &Play, words: &str, budget: &NearestBudget) -> Vec<NearLine> {
    let referee = play.referee();
    let table = play.session.table();
    let Some(phase) = referee.phase_index(table) else { return Vec::new() };
    let mut found: Vec<NearLine> = Vec::new();
    for (verb, _) in &referee.ruleset().phases[phase].verbs {
        let line = format!("{verb} {words}");
        for near in command::nearest_lines(referee, table, &line, budget) {
            let is_known = found.iter().any(|other| other.line == near.line);
            if near.line.split(' ').next() == Some(verb.as_str()) && !is_known {
                found.push(near);
            }
        }
    }
    found.sort_by_key(|near| near.left_out);
    found
}
