//! Questions and requests in forms that people use when they talk, put into the form that is answered: `tell
//! me what ann did` becomes `what did ann do`, and `read me back the last three` becomes `log`. A question
//! about what comes later in the turn is answered here.

use super::phrases;
use super::play::Play;
use super::question_words::{self, QuestionAnswer};
use super::questions::{self, names_of_pieces};
use super::reply::Reply;
use super::rule_search;
use super::state_words;
use super::verb_relevance::rules_of;
use super::words::show;
use crate::command::{self, TypedLine};
use crate::language::machine::World;
use crate::language::schema::{KindId, Type};
use crate::render::markup::{Line, Role, Text};

/// Phrases in front of a question.
const BEFORE_QUESTIONS: [&str; 18] = [
    "can you tell me",
    "just tell me",
    "tell me",
    "tell us",
    "can you remind me",
    "remind me",
    "remind us",
    "say again",
    "say that again",
    "do you know",
    "does anyone know",
    "any idea",
    "i wonder",
    "i forgot",
    "i've forgotten",
    "let me know",
    "sorry",
    "someone's asking",
];

/// Words that begin a question.
const ASKS: [&str; 11] =
    ["what", "what's", "who", "who's", "which", "where", "where's", "how", "when", "why", "whose"];

/// Phrases that ask to show something.
const SHOWS: [&str; 10] = [
    "give me just",
    "give me a list of",
    "give me",
    "give us",
    "read me",
    "show me just",
    "show me only",
    "show us just",
    "let me see",
    "let's see",
];

/// Phrases that ask for the rules about something, the longest first.
const RULES_ABOUT: [&str; 13] = [
    "what do the rules say about",
    "what does the rule book say about",
    "what does the rulebook say about",
    "what does the rule say about",
    "what does the book say about",
    "what is the rule about",
    "what is the rule for",
    "what is the rule on",
    "what are the rules about",
    "what are the rules for",
    "what are the rules on",
    "remind me of the rule about",
    "remind me of the rule for",
];

/// Phrases that begin a question about what anybody may do.
const GENERALLY: [&str; 13] = [
    "when does a",
    "when does an",
    "when is a",
    "what happens to a",
    "what happens when a",
    "can you",
    "can a",
    "can an",
    "can someone",
    "can somebody",
    "can two",
    "do you have to",
    "are you allowed to",
];

/// The minimum number of words in such a question, without the last.
const MIN_GENERAL: usize = 4;

/// Answers a question that asks for the rules about something, with their text. Returns `None` for any other
/// question, and if no text fits.
pub(super) fn rules_about(play: &Play, words: &[String]) -> Option<Reply> {
    let spoken = words.join(" ");
    // `can you shoot from full cover?` isn't about a certain piece.
    let asks_generally =
        GENERALLY.iter().any(|begun| question_words::after(&spoken, begun).is_some())
            && words.len() > MIN_GENERAL
            && names_of_pieces(play, words).is_empty();
    let subject = RULES_ABOUT.iter().find_map(|begun| question_words::after(&spoken, begun));
    // `what does tired mean`
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    let meaning = match texts.as_slice() {
        ["what", "does", "being" | "a" | "an" | "the", word, "do" | "mean" | "cost"]
        | ["what", "does", word, "do" | "mean"] => Some(*word),
        _ => None,
    };
    let is_piece = |word: &&str| command::find_spoken(play.session.table(), word).is_some();
    let subject = subject.or_else(|| meaning.filter(|word| !is_piece(word)));
    match subject {
        Some(subject) => {
            let subject: Vec<String> = subject.split(' ').map(str::to_owned).collect();
            rule_search::quoted_reply(play, &subject)
        }
        None if asks_generally => rule_search::quoted_reply(play, words),
        None => None,
    }
}

/// Verbs that ask to read out what happened.
const READS: [&str; 6] = ["read", "say", "repeat", "show", "list", "tell"];

/// Returns a line in the form in which it is answered; `None` if it has no other form.
pub(super) fn reworded(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let line = typed.line.trim().replace('’', "'");
    let line = line.as_str();
    let lower = line.to_lowercase();
    // The places of the words are the same in both.
    if lower.len() != line.len() {
        return None;
    }
    if let Some(question) = BEFORE_QUESTIONS.iter().find_map(|phrase| {
        let rest = lower.strip_prefix(phrase)?.strip_prefix([' ', ','])?.trim_start();
        let first = rest.split([' ', '?']).next()?;
        ASKS.contains(&first).then(|| &line[line.len() - rest.len()..])
    }) {
        return Some(question.to_owned());
    }
    // `hang on, read out the last three`
    if let Some(bare) = phrases::without_courtesies(line)
        && let Ok(inner) = TypedLine::read(&bare)
        && let Some(reworded) = reworded(play, &inner)
    {
        return Some(reworded);
    }
    let words = question_words::question_words(typed);
    if let Some(question) = in_order_of_question(&words).or_else(|| asks_if_able(&words)) {
        return Some(question);
    }
    if play.referee().ruleset().has_verb(typed.verb()) {
        return None;
    }
    if reads_out(play, &words) {
        return Some("log".to_owned());
    }
    if let Some(roll) = asks_for_dice(&words) {
        return Some(roll);
    }
    if let Some(shown) = asks_what_burns(play, &words) {
        return Some(shown);
    }
    // `ann's chances on bob`
    if let [owner, chances, ..] = words.as_slice()
        && CHANCES.contains(&chances.as_str())
        && owner.ends_with("'s")
    {
        return Some(format!("what are {line}"));
    }
    if question_words::is_question(typed)
        && let Some(shorter) =
            ENDINGS.iter().find_map(|end| lower.trim_end_matches('?').strip_suffix(end))
    {
        return Some(format!("{}?", &line[..shorter.len()]));
    }
    if let Some(shown) = SHOWS.iter().find_map(|phrase| question_words::after(&lower, phrase)) {
        let names = names_of_pieces(play, &[shown.to_owned()]);
        let show = format!("show {}", names.join(" "));
        if !names.is_empty() && show::is_shown(play, &show) {
            return Some(show);
        }
    }
    asks_who_of_group(play, &words).or_else(|| asks_how(play, &words))
}

/// Returns the question for words such as `what ann did`: `what did ann do`. Returns `None` for any other
/// words.
fn in_order_of_question(words: &[String]) -> Option<String> {
    let [what, who @ .., did] = words else { return None };
    let is_asked = what == "what" && did == "did" && !who.is_empty();
    is_asked.then(|| format!("what did {} do", who.join(" ")))
}

/// Returns the question for words such as `is ann able to fire the gun`: `can ann fire the gun`. Returns `None`
/// for any other words.
fn asks_if_able(words: &[String]) -> Option<String> {
    let [is, who @ ..] = words else { return None };
    let at = who
        .windows(2)
        .position(|pair| ["able", "allowed"].contains(&pair[0].as_str()) && pair[1] == "to")?;
    let asks = ["is", "are"].contains(&is.as_str()) && at > 0;
    asks.then(|| format!("can {} {}?", who[..at].join(" "), who[at + 2..].join(" ")))
}

/// Words of a question about what is on fire that don't change what it asks.
const OF_FIRE: [&str; 16] = [
    "how", "many", "where", "which", "what", "is", "are", "it", "still", "there", "the", "now",
    "on", "areas", "places", "fires",
];

/// Returns the `show` line for a question about what is on fire: `where is it still burning`. Returns `None`
/// for any other question.
fn asks_what_burns(play: &Play, words: &[String]) -> Option<String> {
    let asks = ["how", "where", "which", "what"].contains(&words.first()?.as_str());
    let burns = |word: &String| state_words::BURNING.contains(&word.trim_end_matches('s'));
    let is_about_fire = words.iter().any(burns)
        && words.iter().all(|word| burns(word) || OF_FIRE.contains(&word.as_str()));
    let mut lines = state_words::BURNING.iter().map(|word| format!("show {word}"));
    if asks && is_about_fire { lines.find(|line| show::is_shown(play, line)) } else { None }
}

/// Words for chances after the name of a piece.
const CHANCES: [&str; 3] = ["chances", "chance", "odds"];

/// Phrases at the end of a question that don't change what it asks.
const ENDINGS: [&str; 6] =
    [" so far", " at the moment", " right now", " by the way", " exactly", " then"];

/// Returns the `roll` line for a line that asks to be given dice: `give me a d6`. Returns `None` for any other
/// line.
fn asks_for_dice(words: &[String]) -> Option<String> {
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    let ["give", "me" | "us", dice @ ..] = texts.as_slice() else { return None };
    let is_die = |word: &&str| {
        ["die", "dice"].contains(word)
            || word
                .strip_prefix('d')
                .is_some_and(|sides| sides.starts_with(|c: char| c.is_ascii_digit()))
    };
    dice.iter().take(2).any(is_die).then(|| format!("roll {}", dice.join(" ")))
}

/// Returns true if a line asks to read out what happened, as in `read me back the last three`.
fn reads_out(play: &Play, words: &[String]) -> bool {
    // Nothing else can be read out, except what belongs to a piece.
    let reads = words.first().is_some_and(|first| first == "read");
    reads && names_of_pieces(play, words).is_empty() || asks_for_last(words)
}

/// Returns true if a line asks for some of the last commands: `list the last three`.
fn asks_for_last(words: &[String]) -> bool {
    let Some(at) = words.iter().position(|word| word == "last") else { return false };
    let reads = words.first().is_some_and(|first| READS.contains(&first.as_str()));
    let counts = words.get(at + 1).is_some_and(|next| command::spoken_number(next).is_some());
    let is_of_commands = words.get(at + 2).is_none_or(|noun| {
        ["things", "commands", "lines", "entries", "ones", "moves", "results"]
            .contains(&noun.as_str())
    });
    reads && counts && is_of_commands && words.len() <= at + 3
}

/// Phrases with which a question asks for the members of a group.
const OF_GROUP: [&str; 13] = [
    "who is left",
    "who is still alive",
    "who is alive",
    "who is still",
    "who is still standing",
    "how many are left",
    "how many left",
    "how many men are left",
    "is anyone",
    "is anybody",
    "has anyone",
    "anyone left",
    "anyone",
];

/// Returns the line that shows the members of the group that a question is about, as in `who is left in
/// able`. Returns `None` for any other question.
fn asks_who_of_group(play: &Play, words: &[String]) -> Option<String> {
    let spoken = words.join(" ");
    let rest = OF_GROUP.iter().find_map(|phrase| question_words::after(&spoken, phrase))?;
    let mut rest = rest.split(' ').filter(|word| !["in", "of", "the", "from", "on"].contains(word));
    let group = rest.next()?;
    let more = rest.count();
    let table = play.session.table();
    let name = command::find_spoken(table, group)?;
    let (kind, row) = table.find(&name)?;
    // `is anyone in able hurt`
    if more > 1 || play.referee().ruleset().schema.kind(kind).plan {
        return None;
    }
    let members = members_of(play, kind, row)?;
    let line = format!("show {members} {name}");
    show::is_shown(play, &line).then_some(line)
}

/// Returns the plural of the kind of the pieces that refer to a piece of another kind, such as the men of a
/// squad; `None` if no pieces do, or pieces of several kinds.
fn members_of(play: &Play, kind: KindId, row: u32) -> Option<String> {
    let table = play.session.table();
    let schema = &play.referee().ruleset().schema;
    let mut found = schema.piece_kinds().filter(|(other, of)| {
        let mut refers = of
            .attributes
            .iter()
            .filter(|a| a.ty == Type::Piece(kind) && !a.bookkeeping && a.secret.is_none());
        *other != kind
            && !of.plan
            && refers.any(|a| {
                a.storage.cell().is_some_and(|cell| {
                    table
                        .present_pieces(*other)
                        .filter(|&r| table.get(cell, r) == i64::from(row))
                        .count()
                        > 1
                })
            })
    });
    let (_, only) = found.next()?;
    found.next().is_none().then(|| only.plural.clone())
}

/// Words between `how` and the action in a question about how something is done.
const HOW_DO: [&str; 9] = ["do", "does", "can", "could", "should", "would", "must", "to", "may"];

/// Words for those who do it.
const WHO: [&str; 10] = ["i", "we", "you", "he", "she", "they", "one", "a", "the", "it"];

/// The maximum number of words between `how` and the verb.
const MAX_BEFORE_VERB: usize = 4;

/// Returns the `help` line for a question how something is done: `how do I set up the gun` for a verb that
/// players also call `set up`. Returns `None` if no verb of the game is named.
fn asks_how(play: &Play, words: &[String]) -> Option<String> {
    let [how, helper, rest @ ..] = words else { return None };
    if how != "how" || !HOW_DO.contains(&helper.as_str()) || rest.is_empty() {
        return None;
    }
    let table = play.session.table();
    let is_who =
        |word: &String| WHO.contains(&word.as_str()) || command::find_spoken(table, word).is_some();
    let who = rest.iter().take_while(|word| is_who(word)).count();
    let act = rest.get(who..)?;
    if who > MAX_BEFORE_VERB || act.is_empty() || *helper != "to" && who == 0 {
        return None;
    }
    // In `get the damage done`, the first word says nothing, but in `get off` it does.
    let takes_noun = act.get(1).is_none_or(|next| !AFTER_VAGUE.contains(&next.as_str()));
    if VAGUE.contains(&act[0].as_str()) && takes_noun {
        return None;
    }
    // The verb has to be what is asked, not a noun later in the question.
    let begins = command::verbs_in(play.referee(), table, &act[..act.len().min(2)].join(" "));
    let ruleset = play.referee().ruleset();
    let mut typed = begins.iter().filter(|verb| ruleset.is_typed_verb(verb));
    let verb = typed.next()?;
    // `how do I recover the driver` isn't about a verb that only takes hoses.
    let takes = |name: &String| {
        table.find(name).is_none_or(|(kind, _)| questions::takes_kind(play, verb, kind))
    };
    names_of_pieces(play, act).iter().all(takes).then(|| format!("help {verb}"))
}

/// Phrases that begin a question about what is done with a piece.
const DONE_WITH: [&str; 6] = [
    "what can be done with",
    "what can i do with",
    "what can we do with",
    "what do i do with",
    "what do we do with",
    "what now with",
];

/// The maximum number of commands listed for a piece.
const MAX_COMMANDS: usize = 8;

/// Answers a question how something is done with a piece, if no verb in it takes the piece, with the commands
/// that do: `how do I get bob out`. Returns `None` for any other question.
pub(super) fn commands_for_piece(play: &Play, words: &[String]) -> Option<Reply> {
    let spoken = words.join(" ");
    let helps = |word: &String| ["do", "to", "can"].contains(&word.as_str());
    let asks = matches!(words, [how, helper, ..] if how == "how" && helps(helper))
        || DONE_WITH.iter().any(|phrase| question_words::after(&spoken, phrase).is_some());
    let names = names_of_pieces(play, words);
    let [name] = names.as_slice() else { return None };
    let table = play.session.table();
    let (kind, _) = table.find(name).filter(|_| asks)?;
    let ruleset = play.referee().ruleset();
    if ruleset.schema.kind(kind).plan || asks_how(play, words).is_some() {
        return None;
    }
    let here = play.referee().phase_index(table);
    let phase_of = |verb: &str| {
        let has = |index: &usize| ruleset.phases[*index].verbs.iter().any(|(own, _)| own == verb);
        here.filter(has).or_else(|| (0..ruleset.phases.len()).find(has))
    };
    let takes =
        |verb: &&str| ruleset.is_typed_verb(verb) && questions::takes_kind(play, verb, kind);
    let mut verbs: Vec<(&str, Option<usize>)> =
        ruleset.verbs().filter(takes).map(|verb| (verb, phase_of(verb))).collect();
    // Commands of this phase come first, and those of no phase, which are for the umpire, come last.
    verbs.sort_by_key(|(_, index)| (index.is_none(), *index != here));
    verbs.truncate(MAX_COMMANDS);
    let listed = verbs.into_iter().filter_map(|(verb, index)| {
        let rule = rules_of(play, verb).find(|rule| rule.usage.is_some())?;
        let when = match index {
            Some(index) if Some(index) != here => {
                format!(", phase {}", index + 1)
            }
            _ => String::new(),
        };
        Some(format!("{} ({}{when})", command::usage_text(rule), rule.title))
    });
    let listed: Vec<String> = listed.collect();
    let of_kind = &ruleset.schema.kind(kind).name;
    let answer = format!("{name} is a {of_kind}; these commands take one:");
    (!listed.is_empty()).then(|| questions::reply(answer, listed))
}

/// Words after a vague verb with which it says how something moves: `get off`, `go into`.
const AFTER_VAGUE: [&str; 18] = [
    "off", "out", "down", "up", "in", "on", "into", "onto", "to", "over", "through", "across",
    "past", "away", "back", "round", "from", "by",
];

/// Verbs that say nothing about how something is done if a noun follows.
const VAGUE: [&str; 9] = ["get", "make", "do", "go", "put", "have", "take", "use", "give"];

/// Words for what is going on, after `after`.
const THIS: [&str; 14] = [
    "this", "that", "these", "those", "it", "the", "them", "him", "her", "us", "me", "phase",
    "two", "lot",
];

/// Answers what comes later in the turn: `what's after this`, `what comes after the firing`. Returns `None`
/// for any other question.
pub(super) fn answer_what_follows(play: &Play, words: &[String]) -> Option<Reply> {
    let first = words.first()?.as_str();
    let after = words.iter().position(|word| word == "after")?;
    let asks = ["what", "who", "anything", "which", "whose"].contains(&first);
    let about: Vec<&String> = words[after + 1..].iter().take_while(|word| *word != "or").collect();
    let ruleset = play.referee().ruleset();
    let index = play.referee().phase_index(play.session.table()).filter(|_| asks)?;
    // After a piece come the others, which may belong to a later phase.
    let is_this = |word: &&String| {
        THIS.contains(&word.as_str())
            || command::find_spoken(play.session.table(), word).is_some()
                && first.starts_with("who")
    };
    let is_named = |at: &usize| {
        let phase = &ruleset.phases[*at];
        let mut known = phase.title.split(|c: char| !c.is_alphanumeric());
        about.iter().filter(|word| !is_this(word)).any(|word| {
            known.any(|known| question_words::has_same_stem(&known.to_lowercase(), word))
                || phase.name == **word
        })
    };
    let named = || {
        let order = std::iter::once(index).chain(0..ruleset.phases.len());
        order.into_iter().find(is_named)
    };
    let from = if about.iter().all(is_this) { index } else { named()? };
    let later = &ruleset.phases[from + 1..];
    let later = later.iter().enumerate().map(|(at, phase)| {
        let number = from + at + 2;
        format!("{number} {}", phase.title)
    });
    let later: Vec<String> = later.collect();
    let here = format!("phase {}, {}", from + 1, ruleset.phases[from].title);
    let answer = if later.is_empty() {
        format!("after {here}, the next turn begins")
    } else {
        format!("after {here}: {}; then the next turn begins", later.join(", "))
    };
    let line = Line::of(Role::Plain, &answer).with_hanging_indent(2);
    Some(Reply::new(Text::from_iter([line]), QuestionAnswer { answer, listed: Vec::new() }))
}

/// Words for dice in a question about what was rolled.
const ROLLED: [&str; 6] = ["roll", "rolled", "throw", "threw", "score", "scored"];

/// Returns the line that shows the outcome of the latest command with the pieces of a question about its dice:
/// `what did ann roll on bob`. Returns `None` for any other question.
pub(super) fn what_was_rolled(play: &Play, words: &[String]) -> Option<String> {
    let asks = words.first().is_some_and(|first| ["what", "how"].contains(&first.as_str()));
    let is_past =
        words.iter().any(|word| ["did", "was", "rolled", "threw"].contains(&word.as_str()));
    if !asks || !is_past || !words.iter().any(|word| ROLLED.contains(&word.as_str())) {
        return None;
    }
    let names = names_of_pieces(play, words);
    let board = play.session.board();
    let mut latest = play.session.entries().iter().rev();
    let entry = latest.find(|entry| {
        let parts: Vec<&str> = entry.line.split([' ', ',']).collect();
        board.is_current(entry.number) && names.iter().all(|name| parts.contains(&name.as_str()))
    })?;
    (!names.is_empty()).then(|| format!("log {}", entry.number))
}
