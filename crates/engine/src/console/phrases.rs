//! Other phrases for lines of the console, in everyday English: `end turn` for `next turn`,
//! `where is t1` for `show t1`.

use super::acted;
use super::lookups;
use super::play::{Play, Word};
use super::question_words::{self, after};
use super::questions;
use super::rule_search;
use super::rulings;
use super::state_words;
use super::words::show;
use crate::command::{self, Token, TypedLine, spoken_number};
use crate::language::schema::Kind;
use crate::ruleset::{Phase, Ruleset};

/// Whole lines, each with the line that it means.
const LINES: &[(&str, &str)] = &[
    ("end", "next"),
    ("end phase", "next"),
    ("end the phase", "next"),
    ("end of phase", "next"),
    ("end of the phase", "next"),
    ("next phase", "next"),
    ("next step", "next"),
    ("finish phase", "next"),
    ("continue", "next"),
    ("go on", "next"),
    ("carry on", "next"),
    ("proceed", "next"),
    ("end turn", "next turn"),
    ("end the turn", "next turn"),
    ("end of turn", "next turn"),
    ("finish turn", "next turn"),
    ("new turn", "next turn"),
    ("go back", "undo"),
    ("take", "requests take"),
    ("take back", "undo"),
    ("take that back", "undo"),
    ("undo that", "undo"),
    ("undo last", "undo"),
    ("undo it", "undo"),
    ("undo the last", "undo"),
    ("undo the last one", "undo"),
    ("undo last one", "undo"),
    ("go back one", "undo"),
    ("back one", "undo"),
    ("oops go back", "undo"),
    ("take it back", "undo"),
    ("scratch that", "undo"),
    ("strike that", "undo"),
    ("forget that", "undo"),
    ("forget it", "undo"),
    ("cancel", "undo"),
    ("cancel that", "undo"),
    ("cancel it", "undo"),
    ("never mind", "undo"),
    ("nevermind", "undo"),
    ("belay that", "undo"),
    ("scrap that", "undo"),
    ("scrap it", "undo"),
    ("scrub that", "undo"),
    ("scrub it", "undo"),
    ("ignore that", "undo"),
    ("roll it for me", "dice auto"),
    ("roll for me", "dice auto"),
    ("you roll", "dice auto"),
    ("you roll it", "dice auto"),
    ("you roll them", "dice auto"),
    ("the program rolls", "dice auto"),
    ("program rolls", "dice auto"),
    ("program rolls again", "dice auto"),
    ("the computer rolls", "dice auto"),
    ("redo it", "redo"),
    ("redo that", "redo"),
    ("put it back", "redo"),
    ("all done", "next"),
    ("done", "next"),
    ("we are done", "next"),
    ("we're done", "next"),
    ("i'm done", "next"),
    ("im done", "next"),
    ("everyone is done", "next"),
    ("everyone's done", "next"),
    ("everybody is done", "next"),
    ("that's all", "next"),
    ("thats all", "next"),
    ("that is all", "next"),
    ("that's it", "next"),
    ("thats it", "next"),
    ("nobody else", "next"),
    ("no one else", "next"),
    ("pass", "next"),
    ("skip", "next"),
    ("skip it", "next"),
    ("skip this", "next"),
    ("skip this phase", "next"),
    ("move on", "next"),
    ("turn over", "next turn"),
    ("end the turn now", "next turn"),
    ("start next turn", "next turn"),
    ("start the next turn", "next turn"),
    ("go to next turn", "next turn"),
    ("skip to the end of the turn", "next turn"),
    ("skip to next turn", "next turn"),
    ("next player", "next"),
    ("who left", "left"),
    ("who is left", "left"),
    ("who can act", "left"),
    ("who goes", "left"),
    ("who starts", "left"),
    ("who begins", "left"),
    ("who moves first", "left"),
    ("who has not gone", "left"),
    ("who hasn't gone", "left"),
    ("who hasnt gone", "left"),
    ("who has not been", "left"),
    ("who hasn't been", "left"),
    ("who hasnt been", "left"),
    ("who goes next", "left"),
    ("who goes first", "left"),
    ("who is first", "left"),
    ("show everything", "show"),
    ("show all", "show"),
    ("status", "show"),
    ("show status", "show"),
    ("state of play", "show"),
    ("show me everything", "show"),
    ("who is next", "left"),
    ("who is up", "left"),
    ("who has not acted", "left"),
    ("who still has to move", "left"),
    ("what is left", "left"),
    ("what is left to do", "left"),
    ("what is next", "left"),
    ("what is still to do", "left"),
    ("what can be done", "left"),
    ("what now", "help"),
    ("what happens now", "help"),
    ("what do i do now", "help"),
    ("what do we do now", "help"),
    ("what do i type", "help"),
    ("what do i do first", "help"),
    ("what do we do first", "help"),
    ("what do i do next", "help"),
    ("what should i do", "help"),
    ("what should i do now", "help"),
    ("what should i type", "help"),
    ("what can i type here", "help"),
    ("what can i do here", "help"),
    ("what am i supposed to do", "help"),
    ("what was i supposed to do", "help"),
    ("what am i meant to do", "help"),
    ("what do i do", "help"),
    ("what do we do", "help"),
    ("what is on the board", "agree"),
    ("who is to go", "left"),
    ("what comes next", "left"),
    ("what happens next", "left"),
    ("who have we got", "show"),
    ("who have i got", "show"),
    ("what have we got", "show"),
    ("what can i do", "help"),
    ("what can i type", "help"),
    ("who is who", "show"),
    ("where is everybody", "show"),
    ("where is everyone", "show"),
    ("where are we", "show state"),
    ("how many turns left", "show state"),
    ("how many turns are left", "show state"),
    ("what turn", "show state"),
    ("what turn is it", "show state"),
    ("which turn", "show state"),
    ("which turn is it", "show state"),
    ("what phase", "show state"),
    ("what phase is it", "show state"),
    ("which phase", "show state"),
    ("which phase is it", "show state"),
    ("what happened", "log"),
    ("what has happened", "log"),
    ("what is happened", "log"),
    ("what happened this turn", "log"),
    ("what has happened this turn", "log"),
    ("what is happened this turn", "log"),
    ("what happened so far", "log"),
    ("what has happened so far", "log"),
    ("what is happened so far", "log"),
    ("what have we done", "log"),
    ("what did we do", "log"),
    ("what did we do this turn", "log"),
    ("what is on the table", "agree"),
    ("show the plan", "map"),
    ("show me the plan", "map"),
    ("show the map", "map"),
    ("show me the map", "map"),
    ("show me the table", "agree"),
    ("show me the board", "agree"),
    ("show the board", "agree"),
    ("what should be on the table", "agree"),
    ("check the table", "agree"),
    ("can i see the map", "map"),
    ("can i see the plan", "map"),
    ("can we see the map", "map"),
    ("can we see the plan", "map"),
    ("the map", "map"),
    ("the plan", "map"),
    ("rules", "rule"),
    ("the rules", "rule"),
    ("show the rules", "rule"),
    ("what are the rules", "rule"),
    ("how does this work", "help"),
    ("how does it work", "help"),
    ("how does this game work", "help"),
    ("tell me more", "more"),
    ("undo the undo", "redo"),
    ("undo that undo", "redo"),
    ("undo undo", "redo"),
    ("put that back", "redo"),
    ("i didn't want that undone", "redo"),
    ("i didnt want that undone", "redo"),
    ("didn't want that undone", "redo"),
    ("who rolls", "dice"),
    ("who rolls the dice", "dice"),
    ("who is rolling", "dice"),
    ("save and quit", "quit"),
    ("save and exit", "quit"),
    ("save and leave", "quit"),
    ("use your dice", "dice auto"),
    ("use your own dice", "dice auto"),
    ("use your own dice for this", "dice auto"),
    ("roll it yourself", "dice auto"),
    ("you roll the rest", "dice auto"),
    ("you roll again", "dice auto"),
    ("back to your dice", "dice auto"),
    ("your dice again", "dice auto"),
    ("your dice now", "dice auto"),
    ("roll them yourself", "dice auto"),
    ("put it all back", "redo"),
];

/// Phrases that begin a question about a piece, the longest first.
const ABOUT_A_PIECE: [&str; 9] = [
    "where is",
    "where",
    "how is",
    "what is",
    "take a look at",
    "have a look at",
    "look at",
    "what about",
    "how about",
];

/// Phrases that begin a question about who can still act.
const WHO_CAN: [&str; 15] = [
    "who is still to",
    "who still has to",
    "who has still to",
    "who has yet to",
    "what is left to",
    "what still has to",
    "who can still",
    "who can",
    "who could",
    "who has not",
    "who hasn't",
    "who may still",
    "who is left to",
    "who still",
    "who",
];

/// Words at the end of a question that don't change its meaning.
const LAST_WORDS: [&str; 6] = [" now", " yet", " next", " still", " doing", " so far"];

/// Lines that end the set-up.
const BEGINS: [&str; 26] = [
    "kick off",
    "off we start",
    "begin the first turn",
    "begin the game please",
    "start play",
    "let's begin",
    "lets begin",
    "let's start",
    "lets start",
    "go",
    "begin turn 1",
    "begin turn one",
    "start the first turn",
    "begin",
    "start",
    "start the game",
    "start game",
    "begin the game",
    "start turn 1",
    "start turn one",
    "turn 1",
    "first turn",
    "off we go",
    "here we go",
    "let's go",
    "lets go",
];

/// Phrases that begin a question whether everyone has acted.
const ARE_ALL_DONE: [&str; 11] = [
    "is that all",
    "is that everyone",
    "is that everybody",
    "is that it",
    "is everyone done",
    "is everybody done",
    "are we done",
    "has everyone",
    "has everybody",
    "have they all",
    "have we all",
];

/// Lines that ask for the reason for the last result.
const ABOUT_THE_LAST: [&str; 8] = [
    "why",
    "why that",
    "why so",
    "why not",
    "why's that",
    "how come",
    "what just happened",
    "say that again",
];

/// Phrases that begin a question about the pieces that match some words, the longest first.
const WHO_IS: [&str; 50] = [
    "who still has got",
    "who still has",
    "who has still got",
    "who is still got",
    "which still have",
    "which ones still have",
    "is anything still",
    "is anyone still",
    "is anybody still",
    "what is still",
    "what has been",
    "who has been",
    "who is been",
    "has anyone been",
    "has anybody been",
    "has anything been",
    "did anyone get",
    "did anybody get",
    "was anyone",
    "was anybody",
    "who has got",
    "who is got",
    "who is still",
    "who is",
    "who are",
    "who has",
    "which is",
    "which are",
    "which ones are",
    "what is",
    "what are",
    "where are",
    "where is",
    "is anyone",
    "is anybody",
    "is anything",
    "is any",
    "are any",
    "are there any",
    "how many",
    "any",
    "who",
    "which",
    "what",
    "show me the",
    "show us the",
    "show the",
    "show me",
    "show us",
    "list",
];

/// Words that add nothing at the end of a question about several pieces.
const LAST_OF_SEVERAL: [&str; 9] = [
    " are there",
    " there are",
    " are left",
    " is there",
    " left",
    " alive",
    " at the moment",
    " right now",
    " right",
];

/// Polite or introductory words at the beginning of a line.
const COURTESIES_FIRST: [&str; 60] = [
    "go on,",
    "come on,",
    "i allow it",
    "i'll allow it",
    "a",
    "an",
    "ah fair enough",
    "fair enough",
    "oh go on",
    "oh yes",
    "fine",
    "enough",
    "cheers",
    "oi",
    "oh",
    "ah",
    "what?",
    "eh?",
    "no!",
    "hang on",
    "hold on",
    "good evening",
    "evening",
    "hello",
    "hi",
    "hey",
    "all right",
    "alright",
    "that's",
    "thats",
    "that is",
    "ready",
    "yes",
    "yeah",
    "yep",
    "please",
    "ok",
    "okay",
    "right",
    "so",
    "well",
    "now",
    "then",
    "and",
    "um",
    "er",
    "let's",
    "lets",
    "let us",
    "can you",
    "could you",
    "can we",
    "could we",
    "i want to",
    "i'd like to",
    "we want to",
    "i think",
    "just",
    "let me",
    "umpire",
];

/// Polite words at the end of a line.
const COURTESIES_LAST: [&str; 9] =
    ["please", "now", "then", "thanks", "thank you", "ta", "cheers", "for me", "this turn"];

/// Words after the name of a phase that mean that the phase is over.
const OVER: [&str; 8] =
    ["is done", "is over", "is finished", "is complete", "done", "over", "finished", "complete"];

/// Words in front of the name of a phase that mean that the phase ends.
const ENDS: [&str; 15] = [
    "done",
    "finished",
    "end of the",
    "end of",
    "end the",
    "end",
    "finish the",
    "finished with",
    "finish",
    "stop",
    "done with",
    "that is the",
    "that's the",
    "that's",
    "thats",
];

/// Words that mean no one, in front of a verb.
const NOBODY: [&str; 8] =
    ["nobody else", "nobody", "no one else", "no one", "noone", "none", "no more", "no"];

/// Phrases in front of a verb or a word of the console in a question about its use.
const HOW_DO_I: [&str; 6] =
    ["how do i", "how do we", "how do you", "how can i", "how can we", "how to"];

/// Nouns for commands, which may follow `undo`.
const COMMANDS: [&str; 12] = [
    "move", "moves", "command", "commands", "line", "lines", "action", "actions", "step", "steps",
    "one", "thing",
];

/// Words after `who` that ask for something other than the values that `show` prints.
const NOT_SHOWN: [&str; 7] = ["has", "have", "had", "can", "could", "did", "will"];

/// A question about what is left may be about a piece or a kind if it has at most this many words.
const MIN_LEFT_WORDS: usize = 4;

/// The maximum number of words that a question may use to describe pieces.
const MAX_SHOW_WORDS: usize = 5;

/// Phrases that give something up. They undo the last command, unless the last line did nothing.
const GIVES_UP: [&str; 10] = [
    "forget it",
    "forget that",
    "never mind",
    "nevermind",
    "scratch that",
    "cancel that",
    "scrap that",
    "scrap it",
    "scrub that",
    "scrub it",
];

/// Words with which a line takes itself back at its end, after a comma, a dash or dots.
const WITHDRAWS: [&str; 8] = [
    "no wait",
    "no, wait",
    "wait no",
    "wait, no",
    "no hang on",
    "no, hang on",
    "never mind",
    "nevermind",
];

/// Returns true if a line takes itself back at its end, as in `ann goes to b2.. no wait`.
pub(super) fn withdraws(play: &Play, typed: &TypedLine<'_>) -> bool {
    // A note or a report may end like this.
    let first = typed.tokens.first().map(Token::bare).unwrap_or_default();
    if play.words.iter().any(|word| word.is(&first)) {
        return false;
    }
    let line = typed.line.trim_end_matches(['.', '!', '?', ' ', '…']).to_lowercase();
    WITHDRAWS.iter().any(|words| {
        let before = line.strip_suffix(words).map(str::trim_end);
        before.is_some_and(|before| {
            before.ends_with([',', ';', '…', '-', '–']) || before.ends_with("..")
        })
    })
}

/// Returns true if a line gives up a line that was refused, so that nothing has to be undone.
pub(super) fn gives_up_refused(play: &Play, words: &[String]) -> bool {
    play.refused.is_some() && GIVES_UP.contains(&words.join(" ").as_str())
}

/// Returns the line that a phrase means; `None` if it is not a known phrase, or if its first word
/// takes precedence.
pub(super) fn replace_phrase(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let first = typed.tokens.first().filter(|word| !word.quoted)?;
    // A verb of the game takes precedence. So does a word that takes another line, because the line
    // after `odds` isn't a question about the table.
    let takes_line =
        |word: &Word| word.name == first.text && (word.line)(typed.words_after_first()).is_some();
    if play.referee().ruleset().is_typed_verb(&first.text) || play.words.iter().any(takes_line) {
        return None;
    }
    meaning(play, typed)
}

/// Returns the `next`, `next turn` or `next side` that a phrase means, even if its first word is a
/// verb of the game.
pub(super) fn progress(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    meaning(play, typed).filter(|line| matches!(line.as_str(), "next" | "next turn" | "next side"))
}

/// Returns true if a phrase that ends a turn means the turn of the side to move: in a round, the
/// other sides still have theirs.
fn ends_turn_of_side(play: &Play, phrase: &str) -> bool {
    let ends = phrase.starts_with("end ") || phrase.starts_with("finish ") || phrase == "turn over";
    ends && sides_have_turns(play)
}

/// Returns true if a side has several phases in a row, as its own turn, before the next side.
pub(super) fn sides_have_turns(play: &Play) -> bool {
    let here = play.referee().phase_index(play.session.table());
    let phase = here.map(|index| &play.referee().ruleset().phases[index]);
    phase.is_some_and(|phase| phase.round.is_some() && phase.turns.is_some())
}

/// Returns the line that a phrase means; `None` if it is not a known phrase.
fn meaning(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let first = typed.tokens.first().filter(|word| !word.quoted)?;
    let ruleset = play.referee().ruleset();
    let words = question_words::question_words(typed);
    let spoken = words.join(" ");
    // `what can I do, I'm lost`
    if question_words::is_question(typed)
        && let Some((asked, remark)) = typed.line.split_once(',')
        && ["i'm ", "im ", "i am ", "i've "]
            .iter()
            .any(|p| remark.trim().to_lowercase().starts_with(p))
        && let Ok(asked) = TypedLine::read(asked)
    {
        return meaning(play, &asked);
    }
    if let Some(word) = HOW_DO_I.iter().find_map(|begun| after(&spoken, begun)) {
        let is_word = play.words.iter().any(|known| known.name == word);
        if is_word || play.referee().ruleset().is_typed_verb(word) {
            return Some(format!("help {word}"));
        }
    }
    if rule_search::asks_for_all_tables(&words) {
        return Some("table".to_owned());
    }
    // A game may keep who goes first.
    if spoken.starts_with("who ")
        && words.iter().any(|word| word == "first")
        && let Some(line) = questions::shows_state(play, &words)
    {
        return Some(line);
    }
    if let Some((phrase, line)) = LINES.iter().find(|(phrase, _)| *phrase == spoken) {
        let names_phase = phrase
            .strip_prefix("next ")
            .is_some_and(|name| ruleset.phases.iter().any(|phase| phase.name == name));
        let insist = if typed.insist { " !" } else { "" };
        let line = if *line == "next turn" && ends_turn_of_side(play, phrase) {
            "next side"
        } else {
            line
        };
        return (!names_phase).then(|| format!("{line}{insist}"));
    }
    if let Some(line) = acted::left_line(play, &words) {
        return Some(line);
    }
    if asks_who_has_not_acted(play, &words) {
        return Some("left".to_owned());
    }
    if question_words::is_question(typed)
        && words.len() > MIN_LEFT_WORDS
        && let Some(line) = lookups::left(play, &words)
    {
        return Some(line);
    }
    if ARE_ALL_DONE.iter().any(|begun| spoken == *begun || after(&spoken, begun).is_some()) {
        return Some("left".to_owned());
    }
    // `everyone fired?`
    let asks_all = typed.line.trim_end().ends_with('?')
        && words.len() > 1
        && words.len() <= MIN_LEFT_WORDS
        && ["everyone", "everybody", "all"].contains(&words[0].as_str());
    if asks_all {
        return Some("left".to_owned());
    }
    // `why only two` is about the last result, too.
    let asks_of_last = || {
        words.len() > 2
            && words[0] == "why"
            && questions::names_of_pieces(play, &words).is_empty()
            && words[1..].iter().all(|word| !word.contains('.') && word != "state")
    };
    if ABOUT_THE_LAST.contains(&spoken.as_str()) || asks_of_last() {
        return last_command(play).map(|number| format!("log {number}"));
    }
    let spoken = without_last_word(&spoken, &LAST_WORDS).unwrap_or(&spoken);
    let verb = WHO_CAN.iter().find_map(|begun| word_after(spoken, begun));
    if verb.is_some_and(|verb| question_words::is_verb(play, verb)) {
        return Some("left".to_owned());
    }
    let is_set_up = play.referee().phase_index(play.session.table()).is_none();
    if is_set_up && BEGINS.contains(&spoken) {
        return Some("next".to_owned());
    }
    if let Some(line) = roll_phrase(spoken)
        .or_else(|| own_dice_phrase(play, spoken).filter(|_| is_one_clause(typed)))
        .or_else(|| undo_phrase(spoken))
        .or_else(|| end_phrase(play, spoken))
        .or_else(|| rulings::ruling(play, typed))
    {
        return Some(line);
    }
    let about = ABOUT_A_PIECE.iter().find_map(|begun| word_after(spoken, begun));
    let table = play.session.table();
    if let Some(name) = about.filter(|name| table.find(name).is_some()) {
        return Some(format!("show {name}"));
    }
    if let Some(line) = questions::shows_piece(play, &words) {
        return Some(line);
    }
    let is_asked = matches!(first.text.to_lowercase().as_str(), "is" | "are");
    let subject = typed.tokens.get(1).filter(|word| is_asked && !word.quoted);
    if subject.is_some_and(|word| table.find(&word.text).is_some()) {
        return Some(format!("show {}", questions::names_of_pieces(play, &words).join(" ")));
    }
    if question_words::is_question(typed)
        && let Some(line) = questions::shows_state(play, &words)
    {
        return Some(line);
    }
    let counts = matches!(words.as_slice(), [how, many, ..] if how == "how" && many == "many");
    // What the rules list themselves is more than the pieces: `how many chits are left in the cup`.
    let asks_rest = counts && words.iter().any(|word| word == "left");
    if asks_rest && let Some(look) = rule_search::looking_line(play, &words) {
        return Some(look);
    }
    show_phrase(play, spoken, counts)
        .or_else(|| show_phrase(play, without_last_word(spoken, &LAST_OF_SEVERAL)?, counts))
}

/// Returns a text without the first of these endings that matches; `None` if none does.
fn without_last_word<'t>(text: &'t str, endings: &[&str]) -> Option<&'t str> {
    endings.iter().find_map(|ending| text.strip_suffix(ending))
}

/// Returns the `show` line for a question that describes pieces: `who is burning`. If the question
/// asks how many there are, the description must begin with a kind or a side. Returns `None` if
/// `show` can't read the description.
fn show_phrase(play: &Play, question: &str, counts: bool) -> Option<String> {
    WHO_IS.iter().filter_map(|begun| shown_words(question, begun)).find_map(|described| {
        let words: Vec<&str> =
            described.split(' ').filter(|word| !SHOWN_LITTLE.contains(word)).collect();
        if words.is_empty() || (counts && !names_several(play, words.first())) {
            return None;
        }
        let line = format!("show {}", words.join(" "));
        // `who has smoke bombs` may ask for `smoke-bombs`.
        let mut forms = vec![line.clone(), format!("show {}", words.join("-"))];
        for (ending, singular) in [("s", ""), ("es", ""), ("ies", "y")] {
            let stem = line.strip_suffix(ending);
            forms.extend(stem.map(|stem| format!("{stem}{singular}")));
        }
        // `who has the smoke` isn't about the kind of the clouds, if there are none.
        let asks_who = after(question, "who has").is_some();
        let is_shown = |form: &String| {
            let word = form.strip_prefix("show ").unwrap_or(form);
            show::is_shown(play, form) && !(asks_who && begins_kind_without_pieces(play, word))
        };
        forms.into_iter().find(is_shown).or_else(|| {
            // `who is still standing` asks for a state that has another name in this game.
            // `show the board` asks for a drawing.
            let asks = !question.starts_with("show") && !question.starts_with("list");
            let (asked, before) = words.split_last()?;
            let states = if asks { state_words::words_like(asked) } else { Vec::new() };
            let of = match before {
                [] => "show".to_owned(),
                // `which reds are down`
                [side] => format!("show {}", side.trim_end_matches('s')),
                _ => return None,
            };
            states.iter().map(|state| format!("{of} {state}")).find(is_shown)
        })
    })
}

/// Returns true if the name of a kind without pieces begins with a word.
fn begins_kind_without_pieces(play: &Play, word: &str) -> bool {
    let mut kinds = play.referee().ruleset().schema.piece_kinds();
    let is_meant = |kind: &Kind| kind.plural.starts_with(word) || kind.name.starts_with(word);
    kinds.any(|(id, kind)| {
        is_meant(kind) && play.session.table().present_pieces(id).next().is_none()
    })
}

/// Returns true if a word is the plural of a kind, or the name of a side.
fn names_several(play: &Play, word: Option<&&str>) -> bool {
    let mut kinds = play.referee().ruleset().schema.all_kinds();
    let sides = play.referee().sides(play.session.table());
    word.is_some_and(|word| {
        kinds.any(|(_, kind)| kind.plural.eq_ignore_ascii_case(word))
            || sides.iter().any(|side| side.eq_ignore_ascii_case(word))
    })
}

/// Words that add nothing within a question about several pieces.
const SHOWN_LITTLE: [&str; 9] = ["the", "in", "on", "are", "is", "of", "a", "any", "still"];

/// Returns a line without a polite phrase at its beginning or, if there is none, at its end.
/// Returns `None` if it has neither.
pub(super) fn without_courtesies(line: &str) -> Option<String> {
    let trimmed = line.trim();
    let lower = trimmed.to_lowercase();
    if lower.len() != trimmed.len() {
        return None;
    }
    let first = COURTESIES_FIRST.iter().find_map(|words| {
        let rest = lower.strip_prefix(words)?;
        let rest = rest.strip_prefix([',', ' ', '.', '!', ';'])?.trim_start();
        Some(&trimmed[trimmed.len() - rest.len()..])
    });
    let last = || {
        let bare = lower.trim_end_matches(['.', '!', '?']);
        COURTESIES_LAST.iter().find_map(|words| {
            let rest = bare.strip_suffix(words)?.strip_suffix(' ')?;
            Some(trimmed[..rest.len()].trim_end_matches([',', ' ']))
        })
    };
    let bare = first.or_else(last)?;
    (!bare.is_empty()).then(|| bare.to_owned())
}

/// Returns a line with `and` in place of the signs for it; `None` if it has none.
pub(super) fn with_and(line: &str) -> Option<String> {
    let spelled = line.replace(" + ", " and ").replace(" & ", " and ");
    (spelled != line).then_some(spelled)
}

/// Returns the `undo` line that a line such as `undo the last two moves` means; `None` for any
/// other line.
fn undo_phrase(text: &str) -> Option<String> {
    let mut words = text.split(' ');
    let begins = match (words.next()?, words.clone().next()) {
        ("undo", _) => true,
        ("take" | "go", Some("back")) => words.next().is_some(),
        _ => false,
    };
    let rest: Vec<&str> =
        words.filter(|word| !["the", "last", "my", "previous"].contains(word)).collect();
    match rest.as_slice() {
        _ if !begins => None,
        [] => Some("undo".to_owned()),
        [count] | [count, _] if spoken_number(count).is_some_and(|n| n > 1) => {
            let noun_fits = rest.get(1).is_none_or(|noun| COMMANDS.contains(noun));
            noun_fits.then(|| format!("undo {}", spoken_number(count).unwrap_or(1)))
        }
        [noun] if COMMANDS.contains(noun) => Some("undo".to_owned()),
        _ => None,
    }
}

/// Returns the `next` line for a line that reports the end of the current phase, or of the activity
/// in it; `None` for any other line.
fn end_phrase(play: &Play, text: &str) -> Option<String> {
    let phase = play.referee().phase_index(play.session.table())?;
    let phase = &play.referee().ruleset().phases[phase];
    let behind = OVER.iter().find_map(|over| text.strip_suffix(over)?.strip_suffix(' '));
    let named = behind.or_else(|| ENDS.iter().find_map(|begun| after(text, begun)));
    let done = NOBODY.iter().find_map(|begun| after(text, begun));
    let title = phase.title.to_lowercase();
    let words =
        named.or(done)?.split(' ').filter(|word| !["the", "phase", "step", "of"].contains(word));
    let mut count = 0;
    let fits = words.into_iter().all(|word| {
        count += 1;
        let of_title = title.split(|c: char| !c.is_alphanumeric());
        let mut known = of_title
            .chain(phase.name.split('-'))
            .chain(phase.verbs.iter().map(|(v, _)| v.as_str()))
            .chain(other_words(play.referee().ruleset(), phase));
        known.any(|known| question_words::is_alike(known, word))
    });
    (fits && count > 0).then(|| "next".to_owned())
}

/// Returns the other words for the verbs of a phase.
fn other_words<'p>(ruleset: &'p Ruleset, phase: &'p Phase) -> impl Iterator<Item = &'p str> {
    let of_phase = |verb: &str| phase.verbs.iter().any(|(own, _)| own == verb);
    ruleset.synonyms().filter(move |(_, verb)| of_phase(verb)).map(|(phrase, _)| phrase)
}

/// Returns the word after a phrase, without `the` in front of it, if it is the only one.
fn word_after<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let rest = after(text, phrase)?;
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    (!rest.contains(' ')).then_some(rest)
}

/// Returns the words after a phrase that describe pieces; `None` if they don't, or if there are too
/// many.
fn shown_words<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let rest = after(text, phrase)?;
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    let mut words = rest.split(' ');
    let asks_else = words.next().is_none_or(|first| NOT_SHOWN.contains(&first));
    (!asks_else && words.count() < MAX_SHOW_WORDS).then_some(rest)
}

/// Returns the `roll` line for a roll as people describe it: `roll 3 d6`, `roll a d10`,
/// `throw two d6`, `roll percentage dice`. Returns `None` for any other line.
fn roll_phrase(text: &str) -> Option<String> {
    let mut words = text.split(' ').peekable();
    if !["roll", "rolls", "throw", "toss"].contains(&words.next()?) {
        return None;
    }
    // `roll me a d3 for bruhn`
    let rest: Vec<&str> = words
        .filter(|word| !["me", "us"].contains(word))
        .take_while(|word| !["for", "would", "will", "please"].contains(word))
        .collect();
    let is_die = |word: &str| {
        let sides = word.strip_prefix('d');
        // A modifier, or a mistake in the dice, is left to `roll`.
        sides.is_some_and(|s| s.starts_with(|c: char| c == '%' || c.is_ascii_digit()))
    };
    match rest.as_slice() {
        ["a" | "an" | "one" | "1", die] | [die] if is_die(die) => Some(format!("roll {die}")),
        [count, die] if is_die(die) && spoken_number(count).is_some_and(|n| n > 0) => {
            Some(format!("roll {}{die}", spoken_number(count).unwrap_or(1)))
        }
        // Without the number of sides, they have six.
        ["a" | "one", "die" | "dice"] => Some("roll d6".to_owned()),
        [count, "dice"] if spoken_number(count).is_some_and(|n| n > 1) => {
            Some(format!("roll {}d6", spoken_number(count).unwrap_or(1)))
        }
        ["percentage" | "percentile" | "percent", ..] if rest.len() < 3 => {
            Some("roll d100".to_owned())
        }
        _ => None,
    }
}

/// Returns true if no word that joins another clause follows a comma or a stop.
fn is_one_clause(typed: &TypedLine<'_>) -> bool {
    let joins = |word: &Token| ["and", "then"].contains(&word.text.to_lowercase().as_str());
    let pairs = typed.tokens.windows(2);
    pairs.into_iter().all(|pair| !pair[0].text.ends_with([',', '.', ';']) || !joins(&pair[1]))
}

/// Words for people's own dice or cards.
const OWN: [&str; 7] = ["own", "real", "physical", "ourselves", "themselves", "himself", "herself"];

/// Words for the use of dice or cards.
const DICE: [&str; 8] = ["dice", "cards", "chits", "roll", "rolls", "rolling", "draw", "drawing"];

/// The maximum number of words in a line that states who rolls from now on.
const MAX_WORDS_OF_DICE: usize = 9;

/// Words after `for` that are about all dice.
const FOR_ALL: [&str; 10] =
    ["me", "us", "them", "now", "everything", "all", "this", "it", "the rest", "rest"];

/// Words for the program as the one that rolls.
const PROGRAM: [&str; 6] = ["computer", "program", "machine", "app", "adjutant", "yourself"];

/// Returns the `dice` line for a line that states who rolls from now on: people with their own dice
/// or cards, as in `we're rolling our own dice` or `cards physical`, or the program, as in `the
/// computer rolls again`. Returns `None` for any other line, for example if it reports numbers.
///
/// If the line names a rule after `for`, as in `physical dice for the damage`, only the dice of that
/// rule are meant.
fn own_dice_phrase(play: &Play, text: &str) -> Option<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    let reports = text.contains(|c: char| c.is_ascii_digit()) || words[0] == "dice";
    let states = words.len() > 1
        && words.len() <= MAX_WORDS_OF_DICE
        && !reports
        && has(&DICE)
        && !has(&["no", "not", "don't", "why", "how", "did", "what", "who", "except", "but"]);
    let is_program =
        has(&PROGRAM) || has(&["off"]) && has(&OWN) || has(&["you"]) && !has(&["we", "i"]);
    // `you roll the dice` is said to the program.
    let who = match (states && has(&OWN), states && is_program) {
        (_, true) => "auto",
        (true, false) => "physical",
        (false, false) => return None,
    };
    let ruleset = play.referee().ruleset();
    let subject = text.split_once(" for ").map_or("", |(_, subject)| subject);
    let table = play.session.table();
    let is_rule = |word: &str| ruleset.schema.rules.iter().any(|rule| rule.name == word);
    let subject = subject.strip_prefix("the ").unwrap_or(subject);
    let of_verb = |word: &str| command::verbs_in(play.referee(), table, word).into_iter().next();
    let joined = subject.replace(' ', "-");
    let is_named = ruleset.has_verb(&joined) || is_rule(&joined);
    let rule = if is_named { Some(joined) } else { of_verb(subject) };
    // Dice for something that isn't understood aren't all dice.
    let is_about_all = subject.is_empty() || FOR_ALL.iter().any(|word| subject.starts_with(word));
    if rule.is_none() && !is_about_all {
        return None;
    }
    Some(rule.map_or_else(|| format!("dice {who}"), |rule| format!("dice {who} {rule}")))
}

/// Words with which a question asks who hasn't done something.
const HAS_NOT: [&str; 6] = ["not", "hasn't", "hasnt", "haven't", "havent", "ain't"];

/// Words for having acted.
const ACTED: [&str; 8] = ["acted", "gone", "been", "moved", "fired", "done", "shot", "played"];

/// Returns true if a question asks who hasn't acted yet: `who's not moved yet this turn`.
fn asks_who_has_not_acted(play: &Play, words: &[String]) -> bool {
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let is_under_way = play.referee().phase_index(play.session.table()).is_some();
    let asks = words.first().is_some_and(|first| {
        first.starts_with("who") || ["which", "what"].contains(&first.as_str())
    });
    let is_form = |word: &String| {
        command::base_forms(word).iter().any(|form| question_words::is_verb(play, form))
    };
    let acts = has(&ACTED) || words.iter().any(is_form);
    is_under_way && asks && has(&HAS_NOT) && acts
}

/// Returns the number of the last command in force, if there is one.
fn last_command(play: &Play) -> Option<u64> {
    let board = play.session.board();
    let mut latest = play.session.entries().iter().rev();
    latest.find(|entry| board.is_current(entry.number)).map(|entry| entry.number)
}
