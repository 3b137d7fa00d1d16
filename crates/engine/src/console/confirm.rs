//! Questions that the console itself asks: yes-or-no questions, and the question which of several
//! lines is meant.

use super::reply::Failure;
use super::step::{Channel, Prompt};
use crate::render::markup::{Line, Role, Text};

/// Answers that mean yes.
const YES: [&str; 36] = [
    "go on then",
    "go ahead then",
    "do it then",
    "go",
    "go on",
    "thats it",
    "thats right",
    "yes",
    "y",
    "yep",
    "yeah",
    "yea",
    "ok",
    "okay",
    "sure",
    "right",
    "correct",
    "aye",
    "ja",
    "good",
    "fine",
    "exactly",
    "go ahead",
    "go for it",
    "please do",
    "that's right",
    "do it",
    "yes please",
    "that's it",
    "that one",
    "yup",
    "ya",
    "ys",
    "yse",
    "yess",
    "yy",
];

/// Answers that mean no.
const NO: [&str; 10] =
    ["no", "n", "nope", "nah", "none", "neither", "no thanks", "forget it", "cancel", "never mind"];

/// Words that undo something. Where a line is only proposed, nothing has been done yet, so they
/// discard the proposal.
const UNDOES: [&str; 8] =
    ["undo", "u", "undo that", "back", "go back", "take that back", "scratch that", "belay that"];

/// Words that choose one of several lines, in order.
const ORDINALS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];

/// Words that add nothing to a yes.
const WITH_YES: [&str; 9] =
    ["thanks", "thank", "you", "please", "mate", "ta", "do", "it", "that's"];

/// Returns true if an answer means yes, such as `yes thanks` or `go on then, do it`.
pub(super) fn is_yes(answer: &str) -> bool {
    let mut rest = answer;
    let mut agrees = false;
    while !rest.is_empty() {
        let begins = |phrase: &&str| {
            rest.strip_prefix(*phrase)
                .is_some_and(|after| after.is_empty() || after.starts_with([' ', ',']))
        };
        let longest = |phrases: &[&'static str]| {
            phrases.iter().copied().filter(begins).max_by_key(|phrase| phrase.len())
        };
        let Some(phrase) = longest(&YES).or_else(|| longest(&WITH_YES)) else { return false };
        agrees |= YES.contains(&phrase);
        rest = rest[phrase.len()..].trim_start_matches([' ', ',']);
    }
    agrees
}

/// Returns an answer in lower case, without punctuation at its end.
pub(super) fn bare_answer(answer: &str) -> String {
    answer.trim().trim_end_matches(['.', '!', ',']).to_lowercase()
}

/// Returns the index of the line that an answer chooses: by its number, or with words such as
/// `the first` and `the last one`. Returns `None` if the answer chooses no line.
fn chosen_index(answer: &str, count: usize) -> Option<usize> {
    let begun = ["the ", "number ", "option ", "no. "];
    let word = begun.iter().find_map(|begun| answer.strip_prefix(begun)).unwrap_or(answer);
    let word = word.strip_suffix(" one").unwrap_or(word);
    let by_ordinal = ORDINALS.iter().position(|ordinal| *ordinal == word);
    let last = (word == "last").then(|| count - 1);
    let by_number = word.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    by_ordinal.or(last).or(by_number).filter(|index| *index < count)
}

/// Returns the index of the only line that has all words of an answer, such as `chest` in a choice
/// between `fire ann at bob chest` and `fire ann at bob head`. Returns `None` if there is no such
/// line, or if the answer could be a line.
fn line_with_words(answer: &str, lines: &[String]) -> Option<usize> {
    let words: Vec<&str> = answer.split(' ').collect();
    let has_all = |line: &&String| {
        let parts: Vec<String> = line.split([' ', ',']).skip(1).map(str::to_lowercase).collect();
        words.iter().all(|word| parts.iter().any(|part| part == word))
    };
    let mut fitting = lines.iter().filter(has_all);
    let only = fitting.next().filter(|_| fitting.next().is_none() && lines.len() > 1)?;
    lines.iter().position(|line| line == only)
}

/// The meaning of the first word of a longer answer to proposed lines.
pub(super) enum Verdict {
    Yes,
    No,
    /// The line with this index was chosen.
    Line(usize),
}

/// Words that agree only if a comma follows. Otherwise, they belong to the words after them.
const AGREE_WITH_COMMA: [&str; 3] = ["right", "correct", "sure"];

/// Splits an answer to `count` proposed lines into what its first word says and the words after it.
/// Returns `None` if the first word is neither a yes, a no nor the number of one of several lines,
/// or if nothing follows it.
pub(super) fn split_verdict(answer: &str, count: usize) -> Option<(Verdict, &str)> {
    // `forget it. ann moves 4`
    if let Some((first, more)) = answer.trim().split_once(['.', ',', ';'])
        && first.contains(' ')
        && discards(first)
        && !more.trim().is_empty()
    {
        return Some((Verdict::No, more.trim()));
    }
    let (first, more) = answer.trim().split_once(' ')?;
    let more = more.trim_start_matches([' ', ',', '-', '–']);
    let word = first.trim_end_matches([',', '.', '!', ';', ':']).to_lowercase();
    let is_marked = first.len() > word.len();
    let agrees =
        YES.contains(&word.as_str()) && (is_marked || !AGREE_WITH_COMMA.contains(&word.as_str()));
    let verdict = if agrees {
        Verdict::Yes
    } else if NO.contains(&word.as_str()) {
        Verdict::No
    } else {
        Verdict::Line(chosen_index(&word, count).filter(|_| count > 1)?)
    };
    (!more.is_empty()).then_some((verdict, more))
}

/// Words after a no that ask for nothing else.
const WITH_NO: [&str; 12] = [
    "leave it",
    "leave that",
    "leave it as it is",
    "leave it be",
    "not that",
    "don't",
    "dont",
    "thank you",
    "skip it",
    "skip that",
    "nothing",
    "no",
];

/// Returns true if the words after a no only discard the proposed lines, too.
pub(super) fn discards(more: &str) -> bool {
    let more = bare_answer(more);
    let more = more.as_str();
    WITH_NO.contains(&more) || NO.contains(&more) || UNDOES.contains(&more) || more == "thanks"
}

/// Returns the words of an answer after a no and after everything that only discards the proposed
/// lines, too: `ann moves 4` in `scratch that, ann moves 4`.
pub(super) fn after_discarding(more: &str) -> &str {
    let mut rest = more.trim();
    loop {
        let discards = NO.iter().chain(&UNDOES).chain(&WITH_NO);
        let after_phrase = |phrase: &&str| {
            let (start, end) = rest.split_at_checked(phrase.len())?;
            let is_phrase =
                start.eq_ignore_ascii_case(phrase) && end.starts_with([',', '.', ';', '!']);
            is_phrase.then_some(end)
        };
        // The longest phrase leaves the fewest words.
        let shortest = discards.filter_map(after_phrase).min_by_key(|end| end.len());
        let Some(end) = shortest else { return rest };
        rest = end.trim_start_matches([' ', ',', '.', ';', '!', '-', '–']);
    }
}

/// Returns the part of an answer that undoes something, such as `undo that, too far` in `no, undo that, too
/// far`. Returns `None` if the answer doesn't begin in this way.
pub(super) fn undoing(answer: &str) -> Option<&str> {
    let undoes = |text: &str| {
        let lower = text.to_lowercase();
        UNDOES.iter().any(|phrase| {
            let after = lower.strip_prefix(phrase);
            after.is_some_and(|after| after.is_empty() || after.starts_with([',', '.', ';', '!']))
        })
    };
    let text = answer.trim();
    let after_no =
        text.split_once([' ', ',']).filter(|(no, _)| NO.contains(&bare_answer(no).as_str()));
    let rest = after_no.map_or(text, |(_, rest)| rest.trim_start_matches([' ', ',', ';', '-']));
    undoes(rest).then_some(rest)
}

/// Asks a yes-or-no question until it is answered. Cancelling means no.
pub(super) async fn ask_yes_no(text: Text, asked: &str, host: &Channel) -> Result<bool, Failure> {
    let mut prompt = Prompt {
        asked: asked.to_owned(),
        text,
        options: ["yes", "no"].map(str::to_owned).to_vec(),
        prompt: format!("{asked} (yes or no)> "),
        ..Prompt::default()
    };
    loop {
        let line = match host.ask(prompt.clone()).await {
            Err(Failure::Cancelled) => return Ok(false),
            line => line?,
        };
        match bare_answer(&line).as_str() {
            answer if is_yes(answer) => return Ok(true),
            answer if NO.contains(&answer) => return Ok(false),
            // A command typed here is not an answer.
            _ => {
                prompt.text =
                    Text::of(Role::Bad, "answer `yes` or `no`; nothing has been done yet");
            }
        }
    }
}

/// Asks which of several lines is meant. The answer is the number of a line, or another line. If
/// there is only one line, `yes` chooses it too. An empty answer, or one that means no, cancels. So does
/// one that undoes, unless the lines follow something that has been done (`follows`).
pub(super) async fn ask_which_line(
    message: &str,
    mut lines: Vec<String>,
    follows: bool,
    host: &Channel,
) -> Result<String, Failure> {
    let mut text = Text::of(Role::Notice, message);
    for (i, line) in lines.iter().enumerate() {
        text.push(Line::of(Role::Plain, format!("  {}  ", i + 1)).and(Role::Strong, line));
    }
    let mut prompt = Prompt {
        asked: message.to_owned(),
        text,
        options: Vec::new(),
        prompt: match lines.len() {
            1 => "yes, no (Enter), or another line> ".to_owned(),
            count => format!("1 to {count}, or another line> "),
        },
        ..Prompt::default()
    };
    loop {
        let line = host.ask(prompt.clone()).await?;
        let answer = bare_answer(&line);
        // `take that back` agrees to a proposed `undo`.
        if lines.len() == 1 && lines[0] == "undo" && UNDOES.contains(&answer.as_str()) {
            return Ok(lines.swap_remove(0));
        }
        // `n` would otherwise be read as `next`, which nobody means here.
        let discards = |words: &[&str]| words.contains(&answer.as_str());
        if answer.is_empty() || discards(&NO) || discards(&UNDOES) && !follows {
            return Err(Failure::Cancelled);
        }
        let agrees = is_yes(&answer);
        if agrees && lines.len() > 1 {
            prompt.text = Text::of(Role::Bad, format!("which of them? Type 1 to {}", lines.len()));
            prompt.is_repeated = true;
            continue;
        }
        let chosen = if agrees { Some(0) } else { chosen_index(&answer, lines.len()) };
        let chosen = chosen.or_else(|| line_with_words(&answer, &lines));
        return Ok(chosen.map_or(line, |index| lines.swap_remove(index)));
    }
}
