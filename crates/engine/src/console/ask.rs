//! Questions in the middle of a line: questions from the rules, and requests for real dice.

use unicode_width::UnicodeWidthStr;

use super::answers;
use super::confirm;
use super::lookups;
use super::nearest_answers::{self, NearestAnswer};
use super::phrases;
use super::play::Play;
use super::purpose::{Following, ThrowPurpose};
use super::question_forms;
use super::question_words;
use super::reply::{Failure, Reply};
use super::reported_dice;
use super::requests::{self, TAKE, TAKE_LINE};
use super::step::{HandDice, Prompt};
use super::wish::WaitingRequest;
use crate::command::{self, LineError, TypedLine, find_option};
use crate::language::machine::{Answers, Question};
use crate::referee::Answer;
use crate::render::markup::{Line, Role, Text, sanitize};
use crate::render::message;

/// The heading of an answer that shows the table while a command is being resolved.
const BEFORE_COMMAND: &str = "The table before this command:";

/// The number of columns reserved for typed faces on a prompt line.
const FACES_WIDTH: usize = 12;

/// Asks until `read` accepts the line. Returns `None` if the umpire undoes the previous line.
/// Without an umpire, fails at the first line that is neither accepted nor a lookup. `again` is
/// the text that is repeated after a lookup.
///
/// When dice are asked for, `take` puts the faces that a player has sent into the answer; the
/// umpire accepts them with Enter.
async fn ask_until_read<T>(
    mut prompt: Prompt,
    again: &Text,
    play: &mut Play,
    read: impl Fn(&str) -> Result<T, LineError>,
) -> Result<Option<T>, Failure> {
    let mut offered: Option<(WaitingRequest, String)> = None;
    let mut proposed = Some(prompt.initial.clone()).filter(|faces| !faces.is_empty());
    loop {
        let typed = play.host.ask(prompt.clone()).await?;
        // Not every terminal shows the faces in the line that is edited.
        let agrees = typed.trim().is_empty() || confirm::is_yes(&confirm::bare_answer(&typed));
        let line = proposed.take().filter(|_| agrees).unwrap_or(typed);
        prompt.initial.clear();
        prompt.is_repeated = true;
        let mut error = match read(&line) {
            Ok(answer) => {
                // Any other faces come from dice rolled at the table.
                if let Some((WaitingRequest { request, .. }, faces)) = offered
                    && line.split_whitespace().eq(faces.split(' '))
                {
                    play.host.take_request(request);
                }
                return Ok(Some(answer));
            }
            Err(error) => error,
        };
        offered = None;
        let wants_auto = prompt.dice.is_some() && asks_for_program(&line);
        if !wants_auto
            && play.is_interactive
            && let Some(faces) = faces_in_words(&prompt, &line)
        {
            let accepts =
                format!("read as `{faces}`: press Enter to accept this, or type other dice");
            prompt.text = again.clone();
            prompt.text.line(Role::Notice, accepts);
            proposed = Some(faces.clone());
            prompt.initial = faces;
            continue;
        }
        if prompt.dice.is_some() && play.is_interactive && [TAKE, TAKE_LINE].contains(&line.trim())
        {
            prompt.text = again.clone();
            let whose = prompt.hand_dice.as_ref().map_or("", |dice| dice.whose.as_str());
            match requests::waiting_faces(play, whose).await {
                Some((waiting, faces)) => {
                    let words = format!("{} has rolled {faces}", waiting.request.player);
                    prompt.text.line(Role::Notice, words);
                    prompt.initial.clone_from(&faces);
                    offered = Some((waiting, faces));
                }
                None => {
                    prompt.text.line(Role::Quiet, "no player has sent dice");
                }
            }
            continue;
        }
        if play.is_interactive && undoes(&line) {
            return Ok(None);
        }
        // A word that several answers begin with more likely means one of them than a lookup.
        if error.choices.is_empty() && look_up(play, &line).await {
            prompt.text.clone_from(again);
            continue;
        }
        if !play.is_interactive {
            return Err(Failure::Line(error, Some(line)));
        }
        let out = if wants_auto {
            "to let the program roll, cancel the command with Ctrl-C, then type `dice auto` and the line again"
        } else {
            "`undo` undoes the last line; Ctrl-C cancels the command"
        };
        let help = error.help.map_or(out.to_owned(), |help| format!("{help}; {out}"));
        error.help = Some(help.into());
        prompt.text = message::line_error(&error, &line);
    }
}

/// Returns true if an answer takes the line before it back: `undo`, or `undo that, wrong man`.
fn undoes(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    line.trim() == "u" || first.trim_end_matches([',', '.', '!']).eq_ignore_ascii_case("undo")
}

/// Returns true if an answer at a prompt for dice asks the program to roll them: `you roll`, `roll
/// them for me`.
fn asks_for_program(line: &str) -> bool {
    let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    has(&["auto", "automatic", "computer", "program"])
        || (has(&["roll", "throw"]) && has(&["you", "me", "it", "them"]))
}

/// Returns the faces that an answer at a prompt for dice reports in words, if there are enough of
/// them.
fn faces_in_words(prompt: &Prompt, line: &str) -> Option<String> {
    let (count, _) = prompt.dice?;
    // Digits without words are faces already, if there are enough of them.
    if !line.contains(char::is_alphabetic) {
        return None;
    }
    faces_for(count, &reported_dice::faces(line)).or_else(|| {
        // In `5 5 4, he brewed up`, the other words only comment on the dice.
        let numbers = reported_dice::numbers(line, count);
        let is_exact = usize::try_from(count).is_ok_and(|count| numbers.len() == count);
        faces_for(count, &numbers).filter(|_| is_exact)
    })
}

/// Returns faces the way they are typed, if there are enough for this many dice.
fn faces_for(count: u32, faces: &[u32]) -> Option<String> {
    let is_enough = usize::try_from(count).is_ok_and(|count| faces.len() >= count.max(1));
    let faces: Vec<String> = faces.iter().map(u32::to_string).collect();
    is_enough.then(|| faces.join(" "))
}

/// Asks the umpire a question from the rules. `before` is the text that led to it, and `of` is the
/// subject of its answer. Returns the answer and any words after it, which may answer the questions
/// that follow; `None` if the umpire undoes the previous line.
pub(super) async fn ask_question(
    before: Text,
    question: &Question,
    of: &str,
    play: &mut Play,
) -> Result<Option<(Answer, Vec<String>)>, Failure> {
    let mut text = before;
    let again = message::question(question, of);
    text.extend(again.clone());
    let options: Vec<String> = match &question.answers {
        Answers::Named(all) => all.iter().map(|(_, name)| name.clone()).collect(),
        Answers::Between(..) => Vec::new(),
    };
    let asks_cards = options.iter().any(|option| command::is_card(option));
    let prompt = Prompt {
        asked: question.text.clone(),
        text,
        options,
        prompt: "answer (? at random, Ctrl-C to cancel)> ".to_owned(),
        ..Prompt::default()
    };
    let may_talk = play.is_interactive && question.answers.are_yes_or_no();
    let sets = play.referee().ruleset().schema.words.iter();
    let phrases: Vec<(String, String)> = sets.flat_map(|set| set.also.iter().cloned()).collect();
    ask_until_read(prompt, &again, play, |line| {
        let bare = line.trim().trim_end_matches(['.', '!']).replace(',', "").to_lowercase();
        let meant = phrases.iter().find(|(phrase, _)| *phrase == bare);
        let line = meant.map_or(line, |(_, word)| word.as_str());
        let cards = command::cards_in_words(line).filter(|_| asks_cards);
        let line = cards.as_deref().unwrap_or(line);
        let (answer, mut rest) = command::parse_first_answer(question, line)?;
        if may_talk && rest.iter().all(|word| is_talk(word)) {
            rest.clear();
        }
        Ok((answer, rest))
    })
    .await
}

/// Returns true if a word after `yes` or `no` only accompanies that answer: `yes out the back`,
/// `no, nobody`. Names with digits, numbers and further answers may answer the next question.
pub(super) fn is_talk(word: &str) -> bool {
    let word = word.trim_end_matches([',', '.', '!']).to_lowercase();
    let letters = word.chars().all(|c| c.is_alphabetic() || c == '\'' || c == '’');
    letters && command::yes_no(&word).is_none()
}

/// Dice that the players throw.
#[derive(Clone, Copy)]
pub(super) struct DiceRequest {
    pub count: u32,
    pub sides: u32,
    /// True if each roll uses a die with twice as many sides, and its face is halved.
    pub halved: bool,
    /// True if the players who roll the dice may know about the roll.
    pub is_public: bool,
}

/// Asks for real dice, and shows their purpose. If a die chooses among several things, the name of
/// one of them can be typed instead. Returns the faces and the typed line; `None` if the umpire
/// undoes the previous line.
pub(super) async fn ask_throw(
    before: Text,
    purpose: &ThrowPurpose,
    request: DiceRequest,
    play: &mut Play,
) -> Result<Option<(Vec<u32>, String)>, Failure> {
    let mut text = before;
    let mut again = Text::new();
    let DiceRequest { count, sides, halved, is_public } = request;
    let words = sanitize(&purpose.words);
    let (hand, half) = if halved { (sides * 2, ", to be halved") } else { (sides, "") };
    let asked = if purpose.names.is_empty() {
        format!("roll {count}d{hand}{half}")
    } else {
        format!("which one, or roll {count}d{hand}{half}")
    };
    // Several throws may be typed on one line.
    let asked = match purpose.following {
        Following::None => asked,
        Following::Exactly(more) | Following::AtLeast(more) => {
            format!("{asked} (or {} rolls at once)", more + 1)
        }
    };
    let mut prompt = format!("{asked}: ");
    if !words.is_empty() {
        if words.width() + prompt.width() + FACES_WIDTH > play.width {
            again.push(Line::of(Role::Notice, &words).with_hanging_indent(2));
            text.extend(again.clone());
        } else {
            prompt = format!("{words} · {prompt}");
        }
    }
    let dice = Some((count, sides));
    let options = purpose.names.clone();
    let whose_dice = play.whose_dice();
    let hand_dice = is_public.then_some(HandDice { whose: whose_dice, sides: hand });
    let said = std::mem::take(&mut play.faces_said);
    let initial = faces_for(count, &said).unwrap_or_default();
    if !initial.is_empty() {
        text.line(Role::Notice, format!("`{initial}` was typed: press Enter to accept it"));
    }
    let prompt =
        Prompt { asked, text, options, prompt, dice, hand_dice, initial, ..Prompt::default() };
    ask_until_read(prompt, &again, play, |line| {
        // A number is always a face. As the name of a value, it would be a face that is never rolled.
        let is_number = line.trim().parse::<u32>().is_ok();
        let numbered = purpose.names.iter().map(String::as_str).zip(1..);
        if let Some(face) = find_option(line.trim(), numbered).only().filter(|_| !is_number) {
            return Ok((vec![face], line.to_owned()));
        }
        // Extra faces are for later dice, which may not be halved.
        let mut faces = parse_faces(line, count, hand)?;
        for face in faces.iter_mut().take(count as usize).filter(|_| halved) {
            *face = face.div_ceil(2);
        }
        Ok((faces, line.to_owned()))
    })
    .await
}

/// Puts a heading above a reply to explain that it shows the table as it was before the command.
fn about_table_before(mut reply: Reply) -> Reply {
    let mut text = Text::of(Role::Notice, BEFORE_COMMAND);
    text.extend(std::mem::take(&mut reply.text));
    reply.text = text;
    reply
}

/// Carries out a lookup in the middle of a command. Returns false if the line isn't one.
async fn look_up(play: &mut Play, line: &str) -> bool {
    let Ok(plain) = TypedLine::read(line) else { return false };
    let reworded = question_forms::reworded(play, &plain);
    let line = reworded.as_deref().unwrap_or(line);
    let Ok(as_typed) = TypedLine::read(line) else { return false };
    let words = question_words::question_words(&as_typed);
    if let Some(Ok(reply)) = answers::find(play, &as_typed, &words) {
        play.host.show(about_table_before(reply)).await;
        return true;
    }
    let meant = phrases::replace_phrase(play, &as_typed);
    let is_word = play.words.iter().any(|word| word.is(&as_typed.verb().to_lowercase()));
    let meant = meant.or_else(|| lookups::line(play, &as_typed).filter(|_| !is_word));
    let near = if meant.is_none() && !is_word && question_words::is_question(&as_typed) {
        nearest_answers::find(play, &as_typed)
    } else {
        None
    };
    let meant = match near {
        Some(NearestAnswer::Reply(reply)) => {
            play.host.show(about_table_before(*reply)).await;
            return true;
        }
        Some(NearestAnswer::Look(look)) => Some(look),
        None => meant,
    };
    let line = meant.as_deref().unwrap_or(line);
    let Ok(typed) = TypedLine::read(line) else { return false };
    // The first word decides whether the line is a lookup.
    let first = TypedLine { tokens: typed.tokens.iter().take(1).cloned().collect(), ..typed };
    let word = match command::find_console_word(
        play.referee(),
        play.session.table(),
        play.words,
        &first,
    ) {
        Ok(Some(word)) if word.looks => word,
        Ok(_) | Err(_) => return false,
    };
    // A request that is taken now would become a command within this one.
    if word.name == requests::WORD && !typed.words_after_first().is_empty() {
        play.host.show(Reply::remark("finish or cancel this command first")).await;
        return true;
    }
    let done = match word.excess_error(typed.words_after_first()) {
        Some(error) => Err(error.into()),
        None => play.run(word, &typed).await,
    };
    let reply = match done {
        Ok(reply) if word.shows_table => about_table_before(reply),
        Ok(reply) => reply,
        Err(failure) => Reply::new(play.failure(&failure, line), failure.answer()),
    };
    play.host.show(reply).await;
    true
}

/// Reads the faces of dice: `3 5 1`, or `351` if that can't be a total. On a d10, 0 is ten. On a
/// d100, 00 is a hundred. Extra faces are for the next dice.
fn parse_faces(line: &str, count: u32, sides: u32) -> Result<Vec<u32>, LineError> {
    let help = match count {
        1 => format!("type the face of the d{sides}"),
        _ => {
            let some: Vec<String> =
                (0..count.min(4)).map(|i| (i * 2 % sides + 1).to_string()).collect();
            format!("type each face of the {count}d{sides}, such as `{}`", some.join(" "))
        }
    };
    let wrong = |message: String| LineError::new(None, message).help(help.clone());
    let words: Vec<&str> =
        line.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()).collect();
    let texts: Vec<String> = match words.as_slice() {
        [all]
            if all.bytes().all(|b| b.is_ascii_digit())
                && (all.len() > 2 && sides < 10
                    || sides == 10 && all.len() > 2 && all.len() == count as usize) =>
        {
            all.chars().map(String::from).collect()
        }
        words => words.iter().map(ToString::to_string).collect(),
    };
    let not_on = |text: &str| {
        let shown: String = text.chars().take(20).collect();
        wrong(format!("`{shown}` is not on a d{sides}"))
    };
    if texts.is_empty() {
        return Err(wrong("type the dice now".to_owned()));
    }
    let face = |text: &String| match (text.as_str(), sides) {
        ("0", 10) => Ok(10),
        ("00", 100) => Ok(100),
        _ => text.parse::<u32>().map_err(|_| not_on(text)),
    };
    let faces: Vec<u32> = texts.iter().map(face).collect::<Result<_, _>>()?;
    if faces.len() < count as usize {
        let is = faces.len();
        return Err(wrong(format!("{is} of {count} faces: type each face, not the total")));
    }
    match faces.iter().position(|shown| !(1..=sides).contains(shown)) {
        Some(index) => Err(not_on(&texts[index])),
        None => Ok(faces),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_faces;

    #[test]
    fn faces_are_checked() {
        assert_eq!(parse_faces("3 5 1", 3, 6).unwrap(), [3, 5, 1]);
        assert_eq!(parse_faces("351", 3, 6).unwrap(), [3, 5, 1]);
        assert_eq!(parse_faces(" 3, 5,1 ", 3, 6).unwrap(), [3, 5, 1]);
        assert_eq!(parse_faces("12", 1, 20).unwrap(), [12]);
        assert_eq!(parse_faces("0", 1, 10).unwrap(), [10]);
        assert_eq!(parse_faces("307", 3, 10).unwrap(), [3, 10, 7]);
        assert_eq!(parse_faces("00", 1, 100).unwrap(), [100]);
        assert!(parse_faces("0", 1, 6).is_err());
        assert_eq!(parse_faces("4 5 1", 1, 6).unwrap(), [4, 5, 1]);
        assert!(parse_faces("12", 2, 6).is_err());
        let said = |line: &str, count| parse_faces(line, count, 6).unwrap_err().message;
        assert_eq!(said("undo", 1), "`undo` is not on a d6");
        assert_eq!(said("", 1), "type the dice now");
        assert_eq!(said("4", 2), "1 of 2 faces: type each face, not the total");
        for wrong in ["", "9", "3 5", "3 5 7", "3 5 0", "x y z"] {
            assert!(parse_faces(wrong, 3, 6).is_err(), "{wrong}");
        }
    }
}
