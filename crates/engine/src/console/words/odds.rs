//! `odds`: shows the odds of dice, or of a line if it were played now. The session and the table
//! don't change.

use crate::command::actions::{self, NextGoal};
use crate::command::{self, ANY_NUMBER, Command, LineError, Token, TypedLine};
use crate::language::machine::Halt;
use crate::referee::Action;
use crate::referee::odds::{Condition, MAX_EFFORT, OddsQuestion, OddsStep, OddsUntil};
use crate::render::chances;
use crate::render::chances::{ConditionAnswer, DiceOdds, VerbOdds};
use crate::render::json::answers::answer;
use crate::render::markup::{Role, Text};
use adjutant_dice;

use crate::console::play::{Handler, OddsShown, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};

pub(super) const ODDS: Word = Word {
    name: "odds",
    usage: "odds [exactly] DICE|LINE [for CONDITION]",
    help: "show the odds of dice or of a command before the roll; `exactly` adds fractions; `for sunk` shows only the odds that something is sunk; `LINE; LINE` takes several commands; `until PHASE` continues like `next to`; `answers 2 yes` at the end answers questions",
    line: |given| match given {
        [first, rest @ ..] if is_exactly(first) => Some(rest),
        [first, _, rest @ ..] if is_effort(first) => Some(rest),
        _ => Some(given),
    },
    most: ANY_NUMBER,
    looks: true,
    ..Word::of(Handler::immediate(odds).with_answers(&[
        || answer::<DiceOdds>("answers to odds with dice", "`odds DICE`"),
        || answer::<VerbOdds>("answers to odds with a line", "`odds LINE`"),
        || {
            answer::<ConditionAnswer>(
                "answers to odds with a condition",
                "`odds LINE for CONDITION`",
            )
        },
    ]))
};

/// The options of a question about odds.
struct OddsOptions {
    /// True if fractions are shown too.
    exactly: bool,
    /// The limit on the computation, as a multiple of the usual effort.
    effort: u32,
}

impl OddsOptions {
    /// Splits off `exactly` and `effort N`, unless nothing else would be left.
    fn split(words: &[Token]) -> Result<(OddsOptions, &[Token]), LineError> {
        let mut options = OddsOptions { exactly: false, effort: 1 };
        let mut rest = words;
        loop {
            match rest {
                [first, next @ ..] if is_exactly(first) && !next.is_empty() => {
                    options.exactly = true;
                    rest = next;
                }
                [first, number, next @ ..] if is_effort(first) && !next.is_empty() => {
                    let given = number.text.parse().ok();
                    options.effort =
                        given.filter(|n| (1..=MAX_EFFORT).contains(n)).ok_or_else(|| {
                            let message =
                                format!("the effort must be a number from 1 to {MAX_EFFORT}");
                            LineError::new(Some(number), message)
                        })?;
                    rest = next;
                }
                _ => return Ok((options, rest)),
            }
        }
    }
}

fn is_exactly(word: &Token) -> bool {
    word.text == "exactly" && !word.quoted
}

fn is_effort(word: &Token) -> bool {
    (word.text == "effort" || word.text == "--effort") && !word.quoted
}

/// Splits off the answers that follow the last word `answers`, if there are any.
fn split_answers(words: &[Token]) -> (&[Token], Vec<String>) {
    let is_marker = |word: &Token| word.text == "answers" && !word.quoted;
    match words.iter().rposition(is_marker) {
        Some(index) if index > 0 && index + 1 < words.len() => {
            let answers = words[index + 1..].iter().map(|word| word.text.to_string());
            (&words[..index], answers.collect())
        }
        _ => (words, Vec::new()),
    }
}

/// The parts of a question about the odds of lines.
struct AskedWords<'w> {
    /// The lines, in order of play.
    lines: &'w [Token],
    /// The phase at which play stops afterwards: the words after `until`.
    until: Option<&'w [Token]>,
    /// The condition: the words after `for`.
    condition: Option<&'w [Token]>,
}

impl<'w> AskedWords<'w> {
    /// Splits off `until PHASE` and `for CONDITION`, each at the last `until` or `for`. `until`
    /// doesn't need a line before it.
    fn split(words: &'w [Token]) -> AskedWords<'w> {
        let (words, condition) = split_at_last(words, "for");
        let (lines, until) = match words {
            [first, phase @ ..] if first.text == "until" && !first.quoted && !phase.is_empty() => {
                (&words[..0], Some(phase))
            }
            _ => split_at_last(words, "until"),
        };
        AskedWords { lines, until, condition }
    }
}

/// Returns the words before the last unquoted `marker` and the words after it, if there are words
/// on both sides.
fn split_at_last<'w>(words: &'w [Token], marker: &str) -> (&'w [Token], Option<&'w [Token]>) {
    match words.iter().rposition(|word| word.text == marker && !word.quoted) {
        Some(index) if index > 0 && index + 1 < words.len() => {
            (&words[..index], Some(&words[index + 1..]))
        }
        _ => (words, None),
    }
}

/// Splits a text into lines at each `;` outside quotes, and skips empty lines.
fn split_lines(text: &str) -> Vec<&str> {
    let mut quoted = false;
    let parts = text.split(|c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn odds(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    typed.need_text(ODDS.usage)?;
    let (OddsOptions { exactly, effort }, asked) = OddsOptions::split(typed.words_after_first())?;
    let (rest, answers) = split_answers(asked);
    let line = typed.inner_line(rest);
    let width = play.width;
    if let Ok(expression) = adjutant_dice::parse(&line) {
        let odds = expression.distribution().map_err(Failure::of)?;
        let text = chances::dice_text(&expression, &odds, width);
        // With many totals, the answer for machines takes longer than the odds themselves.
        return Ok(Reply::with_large_data(text, move || chances::dice_json(&expression, &odds)));
    }
    // A line of the game may have `for` and `until` in it, too.
    let mut odds_shown = None;
    let table = play.session.table();
    let is_one_line = command::parse(play.referee(), table, &line).is_ok();
    let words = if is_one_line {
        AskedWords { lines: rest, until: None, condition: None }
    } else {
        AskedWords::split(rest)
    };
    let mut question = OddsQuestion { answers, effort, ..OddsQuestion::default() };
    let said = command::typed_text(typed.line, words.lines);
    let parts = split_lines(&said);
    for part in &parts {
        let step = read_step(play, part, typed.insist)?;
        question.steps.push(step);
    }
    if let [part] = parts.as_slice()
        && words.until.is_none()
        && let Ok(Some(command)) = command::parse(play.referee(), table, part)
    {
        let meant = command.restated.unwrap_or_else(|| (*part).to_owned());
        odds_shown = Some(OddsShown { line: meant, log_length: play.session.log().len() });
    }
    if let Some(until) = words.until {
        let phase = command::typed_text(typed.line, until);
        question.until = Some(read_until(play, &phase)?);
        question.insist_until = typed.insist;
    }
    let condition = match words.condition {
        Some(words) => {
            let text = command::typed_text(typed.line, words);
            Some(command::read_condition(play.referee(), table, words, &text)?)
        }
        None => None,
    };
    let mut asked = AskedOdds { line: &typed.inner_line(asked), exactly, width, refused: None };
    let answered = match asked.answer(play, &question, condition.as_ref()) {
        Err(Halt::Refused(reason)) if !question.steps.iter().all(|step| step.insist) => {
            // The odds of a line are useful even before the rules allow it.
            question.steps.iter_mut().for_each(|step| step.insist = true);
            question.insist_until = true;
            asked.refused = Some(reason.clone());
            let answer = asked.answer(play, &question, condition.as_ref());
            answer.map_err(|_| Failure::from(Halt::Refused(reason)))
        }
        answer => Ok(answer?),
    };
    play.odds_shown = odds_shown;
    answered
}

/// Reads a line whose odds are asked for. Fails if it isn't a command of the game, or if it is a
/// `roll`.
fn read_step(play: &Play, line: &str, insist: bool) -> Result<OddsStep, Failure> {
    let within = |error| Failure::Line(error, Some(line.to_owned()));
    let command = match play.non_action_word(line).map_err(within)? {
        None => command::parse(play.referee(), play.session.table(), line).map_err(within)?,
        Some(_) => None,
    };
    if let Some(Command { action: Action::Roll { .. }, .. }) = &command {
        let error = LineError::new(None, "`odds` takes only one pool of dice");
        return Err(error.help("write them separately, or joined as in `odds d6+d8`").into());
    }
    let command = command.ok_or_else(|| {
        let error = LineError::new(None, "only dice and commands that roll dice have odds");
        error.help("for example `odds 2d6+1`, or `odds` before a line of the game")
    })?;
    Ok(OddsStep { action: command.action, insist: insist || command.insist })
}

/// Reads the point at which play stops: a phase, or the next turn for `turn`.
fn read_until(play: &Play, phase: &str) -> Result<OddsUntil, Failure> {
    let line = if phase == "turn" { "next turn".to_owned() } else { format!("next to {phase}") };
    let within = |error| Failure::Line(error, Some(line.clone()));
    let typed = TypedLine::read(&line).map_err(within)?;
    let here = play.referee().phase_index(play.session.table());
    match actions::parse_next(play.referee().ruleset(), here, &typed).map_err(within)? {
        NextGoal::Phase(index) => Ok(OddsUntil::Phase(index)),
        NextGoal::Turn | NextGoal::Side | NextGoal::Phases(_) => Ok(OddsUntil::Turn),
    }
}

/// The settings of an answer about odds.
struct AskedOdds<'l> {
    /// The question, as typed.
    line: &'l str,
    /// True if fractions are shown too.
    exactly: bool,
    /// The width of the screen, in columns.
    width: usize,
    /// The reason why the rules refuse the lines now. In that case, the odds are computed as if the
    /// umpire insisted.
    refused: Option<String>,
}

impl AskedOdds<'_> {
    fn answer(
        &self,
        play: &Play,
        question: &OddsQuestion,
        condition: Option<&Condition>,
    ) -> Result<Reply, Halt> {
        let referee = play.session.stoppable_referee();
        let table = play.session.table();
        let mut text = Text::new();
        if let Some(reason) = &self.refused {
            let notice = format!("the rules refuse this now: {reason}. If they allowed it:");
            text.line(Role::Notice, notice);
        }
        Ok(match condition {
            Some(condition) => {
                let odds = referee.chance_of_condition(table, question, condition)?;
                text.extend(chances::condition_text(self.line, &odds, self.exactly));
                let refused_now = self.refused.clone();
                let answer = chances::condition_json(self.line, &odds);
                Reply::new(text, ConditionAnswer { refused_now, ..answer })
            }
            None => {
                let odds = referee.odds_of_question(table, question)?;
                text.extend(chances::verb_text(self.line, &odds, self.exactly, self.width));
                let refused_now = self.refused.clone();
                let answer = chances::verb_json(self.line, &odds);
                Reply::new(text, VerbOdds { refused_now, ..answer })
            }
        })
    }
}
