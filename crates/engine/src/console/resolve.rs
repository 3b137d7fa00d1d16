//! Resolves an attempt, such as a command, step by step. Asks for answers to the rules' questions
//! and for real dice until the attempt is complete. Nothing changes before that.

use std::collections::VecDeque;

use crate::command::{self, LineError};
use crate::language::machine::{Answers, Halt, Question};
use crate::names::count_with_noun;
use crate::referee::{Answer, AttemptResult, Event, Outcome};
use crate::render::markup::Text;
use crate::render::view::View;
use crate::render::{message, outcome};
use crate::session::{CommandInput, Session};
use crate::tabletop::Tabletop;
use adjutant_dice::SourceError;

use super::ask::{self, DiceRequest};
use super::play::Play;
use super::purpose::{MAX_SUPPOSED_FACES, ThrowPurpose, ThrowingCommand};
use super::reply::Failure;

/// The maximum number of characters of a line that a message repeats.
const MAX_QUOTED: usize = 40;

/// The maximum number of attempts to find out whether dice could use faces that were typed ahead of
/// a question.
const MOST_TRIED: usize = 1000;

/// The maximum number of values tried as the answer to a question.
const MOST_NUMBERS: usize = 20;

/// Something that can be resolved with the answers known so far, such as a command.
pub(super) trait Attempt: Sync {
    /// The result of a complete resolution.
    type Done: Send;

    /// Resolves the attempt as far as the answers in `input` allow. The table is included if it may
    /// be shown before the end.
    fn attempt(
        &self,
        session: &Session,
        input: &CommandInput,
    ) -> Result<AttemptResult<Self::Done>, Failure>;

    /// Returns the failure for a refusal, with hints for the umpire.
    fn refused(&self, play: &Play, reason: String, input: &CommandInput) -> Failure;
}

/// An attempt that is being resolved, with all known answers.
struct Resolving<'a, A> {
    what: &'a A,
    input: CommandInput,
    /// The state before each line that was typed.
    before: Vec<BeforeLine>,
    /// The number of events that have been shown before a question.
    shown: usize,
    /// The fault in the last line, to be shown with the next question.
    wrong: Text,
    /// The last line of faces.
    thrown: ThrownLine,
    /// Faces that were typed ahead in a game whose d3 are halved d6, as the dice showed them. Only
    /// when dice are asked for is it known whether their faces are halved.
    faces_ahead: VecDeque<u32>,
    /// Answers that were typed ahead.
    ahead: VecDeque<String>,
    /// The number of lines before the line with the answers that were typed ahead.
    ahead_of: usize,
    /// The number of players' requests that the remaining lines carry out, if lines have just been
    /// dropped.
    kept_requests: Option<usize>,
}

/// The state before a typed line.
struct BeforeLine {
    input: CommandInput,
    /// The number of events shown.
    shown: usize,
    /// The number of players' requests that the command had carried out.
    taken: usize,
}

/// A line of faces that was typed.
#[derive(Default)]
struct ThrownLine {
    text: String,
    /// The number of faces on the line.
    faces: usize,
    /// The number of surplus faces: faces that were not asked for. These are the last faces that
    /// were typed, because more faces are asked for only when all have been used.
    beyond: usize,
    /// The number of lines before this one.
    before: usize,
}

/// Resolves an attempt, asking for answers and faces. Returns its result and outcome. A line with
/// faces that no dice use is rejected and asked for again. `seen` is set once dice from the seed
/// have been shown, which happens before the end if a question is asked.
pub(super) async fn resolve<A: Attempt>(
    play: &mut Play,
    what: &A,
    input: CommandInput,
    seen: &mut bool,
) -> Result<(A::Done, Outcome), Failure> {
    let mut now = Resolving {
        what,
        input,
        before: Vec::new(),
        shown: 0,
        wrong: Text::new(),
        thrown: ThrownLine::default(),
        faces_ahead: VecDeque::new(),
        ahead: VecDeque::new(),
        ahead_of: 0,
        kept_requests: None,
    };
    let mut throwing = ThrowingCommand::default();
    loop {
        if let Some(count) = now.kept_requests.take() {
            play.host.keep_taken(count);
        }
        let attempted = what.attempt(&play.session, &now.input)?;
        // At the end of the command, no question is left that these words could answer.
        let is_done = play.is_interactive && attempted.done.is_ok();
        if is_done && now.ahead.iter().all(|word| ask::is_talk(word)) {
            now.ahead.clear();
        }
        if let Some(excess) = now.find_excess(&attempted, &play.session) {
            now.reject_excess(excess, play.is_interactive)?;
            continue;
        }
        match attempted.done {
            Ok(done) => return Ok((done, attempted.outcome)),
            Err(Halt::Question(question)) => {
                if play.is_interactive
                    && now.ahead.is_empty()
                    && let Some(answer) = now.only_answer(&question, &attempted.outcome, play)
                {
                    now.input.answers.typed.push(answer);
                    continue;
                }
                let known = now.input.clone();
                if let Some(word) = now.ahead.pop_front() {
                    match command::parse_answer(&question, &word) {
                        Ok(answer) => {
                            now.input.answers.typed.push(answer);
                            continue;
                        }
                        Err(error) if !play.is_interactive => {
                            return Err(Failure::Line(error, Some(word)));
                        }
                        // In `5 boots`, the word only accompanies the answer.
                        Err(_) if ask::is_talk(&word) => continue,
                        Err(error) => {
                            now.ahead.clear();
                            now.wrong = message::line_error(&error, &word);
                        }
                    }
                }
                let text = now.events_not_shown(&attempted.outcome, attempted.table, play, seen);
                let of = now.card_purpose(&attempted.outcome, play);
                match ask::ask_question(text, &question, &of, play).await? {
                    Some((answer, rest)) => {
                        now.input.answers.typed.push(answer);
                        now.ahead_of = now.before.len();
                        now.ahead.extend(rest);
                        let taken = play.host.taken_count();
                        now.before.push(BeforeLine { input: known, shown: now.shown, taken });
                    }
                    None => now.drop_last_line()?,
                }
            }
            // A die with one face needs no roll.
            Err(Halt::Dice(SourceError::Wanted { count, sides: 1 })) if play.is_interactive => {
                now.input.add_faces(std::iter::repeat_n(1, count as usize));
            }
            Err(Halt::Dice(SourceError::Wanted { count, sides })) => {
                // Only people roll a d3 as a halved d6.
                let halves = play.is_interactive && play.referee().ruleset().game.halved_d3;
                let halved = sides == 3 && halves;
                if now.uses_faces_ahead(count, sides, halved) {
                    continue;
                }
                let is_public = attempted
                    .table
                    .as_ref()
                    .is_some_and(|table| play.may_ask_players(table, &attempted.outcome));
                let text = now.events_not_shown(&attempted.outcome, attempted.table, play, seen);
                let purpose = now.purpose(&mut throwing, (count, sides), play);
                let dice = DiceRequest { count, sides, halved, is_public };
                let taken = play.host.taken_count();
                match ask::ask_throw(text, &purpose, dice, play).await? {
                    Some((faces, text)) => {
                        let typed = faces.len();
                        let before = now.before.len();
                        let mut faces = faces;
                        if halves && typed > count as usize {
                            now.faces_ahead = faces.split_off(count as usize).into();
                        }
                        let beyond = faces.len().saturating_sub(count as usize);
                        now.thrown = ThrownLine { text, faces: typed, beyond, before };
                        let known = now.input.clone();
                        now.before.push(BeforeLine { input: known, shown: now.shown, taken });
                        now.input.add_faces(faces);
                    }
                    None => now.drop_last_line()?,
                }
            }
            Err(Halt::Refused(reason)) => return Err(what.refused(play, reason, &now.input)),
            Err(halt) => return Err(halt.into()),
        }
    }
}

/// Typed input that cannot be used.
struct ExcessInput {
    error: LineError,
    line: String,
    /// The number of lines before the line that contained the input.
    before: usize,
}

impl<A: Attempt> Resolving<'_, A> {
    /// Returns an answer to a question that need not be asked, because there is no other answer or
    /// all answers have the same result. Each answer is tried. Returns `None` if one of them leads
    /// to another question, to real dice or to a refusal, or if there are too many to try.
    fn only_answer(&self, question: &Question, here: &Outcome, play: &Play) -> Option<Answer> {
        let answers = match &question.answers {
            Answers::Between(low, high) if high - low >= MOST_NUMBERS as i64 => return None,
            Answers::Named(all) if all.len() > MOST_NUMBERS => return None,
            Answers::Between(..) | Answers::Named(_) => answers_to_try(question),
        };
        let first = *answers.first()?;
        if answers.iter().all(|answer| *answer == first) {
            return Some(first);
        }
        let what_follows = |answer: Answer| {
            let mut input = self.input.clone();
            input.answers.typed.push(answer);
            let mut attempted = self.what.attempt(&play.session, &input).ok()?;
            attempted.done.ok()?;
            let mut events = attempted.outcome.events.split_off(here.events.len());
            events.retain(|event| !matches!(event, Event::Asked { .. }));
            Some(events)
        };
        let expected = what_follows(first)?;
        let mut others = answers.iter().skip(1);
        let alike = |answer: &Answer| what_follows(*answer).as_ref() == Some(&expected);
        others.all(alike).then_some(first)
    }

    /// Uses faces that were typed ahead for these dice. Returns false if there are none, or if they
    /// don't fit the dice; then they are dropped, and the umpire is told so.
    fn uses_faces_ahead(&mut self, count: u32, sides: u32, halved: bool) -> bool {
        if self.faces_ahead.is_empty() {
            return false;
        }
        let count = count as usize;
        let shown = if halved { sides * 2 } else { sides };
        let fits = self.faces_ahead.len() >= count
            && self.faces_ahead.iter().take(count).all(|face| (1..=shown).contains(face));
        if !fits {
            let dropped = std::mem::take(&mut self.faces_ahead);
            let faces: Vec<String> = dropped.iter().map(u32::to_string).collect();
            let message = format!("`{}` doesn't fit the next dice", faces.join(" "));
            self.wrong = message::line_error(&LineError::new(None, message), &self.thrown.text);
            return false;
        }
        let faces = self.faces_ahead.drain(..count);
        let faces: Vec<u32> =
            faces.map(|face| if halved { face.div_ceil(2) } else { face }).collect();
        self.input.add_faces(faces);
        true
    }

    /// Returns typed input that can't be used, if there is any: surplus faces, a face that its die
    /// does not have, or surplus words.
    fn find_excess(
        &self,
        attempted: &AttemptResult<A::Done>,
        session: &Session,
    ) -> Option<ExcessInput> {
        let given = self.input.face_count();
        let message = match &attempted.done {
            Ok(_) if !self.faces_ahead.is_empty() => {
                self.thrown.too_many_faces(self.faces_ahead.len())
            }
            Ok(_) => match given.saturating_sub(attempted.outcome.face_count()) {
                0 => {
                    return self.ahead.front().map(|word| ExcessInput {
                        error: LineError::new(None, format!("unexpected `{word}`")),
                        line: word.clone(),
                        before: self.ahead_of,
                    });
                }
                unused => self.thrown.too_many_faces(unused),
            },
            Err(Halt::Question(question)) => match self.unused_faces(session) {
                0 => return None,
                unused if self.could_lead_to_dice(unused, question, session) => return None,
                unused => self.thrown.too_many_faces(unused),
            },
            Err(Halt::Dice(error @ SourceError::OutOfRange { .. })) => {
                format!("`{}` doesn't match the dice: {error}", self.thrown.quoted())
            }
            Err(_) => return None,
        };
        let error = LineError::new(None, message);
        Some(ExcessInput { error, line: self.thrown.text.clone(), before: self.thrown.before })
    }

    /// Returns the number of faces of the last line that no dice had used when the command stopped
    /// at this question. Without these faces, the command would still stop at a question.
    fn unused_faces(&self, session: &Session) -> usize {
        let mut fewer = self.input.clone();
        for unused in 0..self.thrown.beyond {
            fewer.truncate_faces(fewer.face_count() - 1);
            let attempted = self.what.attempt(session, &fewer);
            if !attempted.is_ok_and(|attempted| matches!(attempted.done, Err(Halt::Question(_)))) {
                return unused;
            }
        }
        self.thrown.beyond
    }

    /// Returns true if an answer to the question could lead to dice for the faces that no dice have
    /// used so far. Each answer is tried, and the questions after it are answered by the first or
    /// the last answer. Also returns true if there is too much to try. In that case, the end of the
    /// command shows whether the faces are used.
    fn could_lead_to_dice(&self, unused: usize, question: &Question, session: &Session) -> bool {
        let mut used = self.input.clone();
        used.truncate_faces(used.face_count() - unused);
        let mut left = MOST_TRIED;
        for pick in [<[Answer]>::first, <[Answer]>::last] {
            for first in answers_to_try(question) {
                let mut supposed = used.clone();
                let mut next = Some(first);
                while let Some(answer) = next.take() {
                    if left == 0 {
                        return true;
                    }
                    left -= 1;
                    supposed.answers.typed.push(answer);
                    match self.what.attempt(session, &supposed).map(|attempted| attempted.done) {
                        Ok(Err(Halt::Dice(_))) => return true,
                        Ok(Err(Halt::Question(following))) => {
                            next = pick(&answers_to_try(&following)).copied();
                        }
                        Ok(_) | Err(_) => {}
                    }
                }
            }
        }
        false
    }

    /// Goes back to the state before a line that can't be used, and asks for it again. Fails if
    /// there is no umpire to ask.
    fn reject_excess(&mut self, excess: ExcessInput, is_interactive: bool) -> Result<(), Failure> {
        let ExcessInput { error, line, before } = excess;
        self.before.truncate(before + 1);
        let known = self.before.pop().filter(|_| is_interactive);
        let Some(state) = known else {
            return Err(Failure::Line(error.help("nothing was changed"), Some(line)));
        };
        self.go_back(state);
        self.thrown = ThrownLine::default();
        self.faces_ahead.clear();
        self.ahead.clear();
        self.wrong = message::line_error(&error.help("type this line again"), &line);
        Ok(())
    }

    /// Returns the events before the question that have not been shown yet, and then the error of
    /// the last line. Without an umpire, or if the table may not be shown yet, returns only the
    /// error.
    fn events_not_shown(
        &mut self,
        here: &Outcome,
        table: Option<Tabletop>,
        play: &Play,
        seen: &mut bool,
    ) -> Text {
        let mut text = Text::new();
        if let Some(table) = table.filter(|_| play.is_interactive) {
            let view = View { table: &table, ..play.view(play.width) };
            text = outcome::outcome_so_far(&view, here, self.shown);
            self.shown = here.events.len();
            *seen |= here.has_seeded_dice();
        }
        text.extend(std::mem::take(&mut self.wrong));
        text
    }

    /// Returns the purpose of the next dice, if there is an umpire to read it.
    fn purpose(
        &self,
        throwing: &mut ThrowingCommand,
        wanted: (u32, u32),
        play: &Play,
    ) -> ThrowPurpose {
        if !play.is_interactive {
            return ThrowPurpose::default();
        }
        let supposing = |faces: &[u32]| {
            let mut input = self.input.clone();
            input.add_faces(faces.iter().copied());
            let supposed = self.what.attempt(&play.session, &input).ok()?.outcome;
            Some(supposed).filter(|outcome| !outcome.events.is_empty())
        };
        let rules = &play.referee().ruleset().schema.rules;
        throwing.purpose(rules, &supposing, self.input.face_count(), wanted)
    }

    /// Returns the recipient of the next real card, and the number of cards that follow.
    fn card_purpose(&self, here: &Outcome, play: &Play) -> String {
        if !here.physical || !play.is_interactive {
            return String::new();
        }
        let mut ahead = self.input.clone();
        ahead.answers.typed.extend(std::iter::repeat_n(Answer::Random, MAX_SUPPOSED_FACES));
        ahead.add_faces([1; MAX_SUPPOSED_FACES]);
        let ahead = self.what.attempt(&play.session, &ahead);
        ahead.map_or(String::new(), |ahead| {
            ThrowingCommand::card_purpose(&ahead.outcome, here.events.len())
        })
    }

    /// Goes back to the state before a line.
    fn go_back(&mut self, before: BeforeLine) {
        self.input = before.input;
        self.shown = before.shown;
        self.kept_requests = Some(before.taken);
    }

    /// Goes back to the answers and faces known before the last line. Fails as cancelled if no line
    /// has been typed.
    fn drop_last_line(&mut self) -> Result<(), Failure> {
        let last = self.before.pop().ok_or(Failure::Cancelled)?;
        self.go_back(last);
        if self.before.len() <= self.thrown.before {
            self.thrown = ThrownLine::default();
        }
        self.faces_ahead.clear();
        self.ahead.clear();
        Ok(())
    }
}

/// Returns the answers to try for a question. Of a large range, these are the lowest numbers and
/// the highest one.
fn answers_to_try(question: &Question) -> Vec<Answer> {
    match &question.answers {
        Answers::Named(all) => all.iter().map(|(value, _)| Answer::Value(*value)).collect(),
        Answers::Between(low, high) => {
            (*low..=*high).take(MOST_NUMBERS).chain([*high]).map(Answer::Value).collect()
        }
    }
}

impl ThrownLine {
    /// Returns the beginning of the line, for a message.
    fn quoted(&self) -> String {
        let text = self.text.trim();
        match text.char_indices().nth(MAX_QUOTED) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        }
    }

    /// Returns a message for faces that no dice used.
    fn too_many_faces(&self, unused: usize) -> String {
        let unused_faces = count_with_noun(unused, "face");
        let used = count_with_noun(self.faces.saturating_sub(unused), "face");
        format!("`{}` has {unused_faces} too many: expected {used}", self.quoted())
    }
}
