//! What a session adds to play: taking back, amending, overruling, why, luck and pace, and what happens when the
//! disk fails.

use std::time::{SystemTime, UNIX_EPOCH};

use super::play::{Desk, Failure, Flow, Heard, Play, answer, throw};
use crate::command::{Back, Hands};
use crate::dice::SourceError;
use crate::language::machine::Halt;
use crate::render;
use crate::render::markup::{Line, Role, Text};
use crate::session::{AmendError, Found, OverruleError, RealDice, Session, Step, StoreError};

/// So many of the slowest waits are shown.
const WAITS: usize = 5;

/// Now, in milliseconds since 1970.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// What can be answered, for completion.
fn yes_or_no() -> [String; 2] {
    ["yes", "no"].map(str::to_owned)
}

fn is_yes(line: &str) -> bool {
    matches!(line.trim().to_lowercase().as_str(), "yes" | "y")
}

impl Play {
    /// Does something that is kept on disk. If the disk fails and somebody is there to ask, play can go on in
    /// memory.
    pub(super) fn kept<T>(
        &mut self,
        desk: &mut dyn Desk,
        act: impl Fn(&mut Session, u64) -> Result<T, StoreError>,
    ) -> Result<T, Failure> {
        let error = match act(&mut self.session, now()) {
            Ok(done) => {
                if let Some(notice) = self.transcribe() {
                    self.notice = Some(notice);
                }
                return Ok(done);
            }
            Err(error) => error,
        };
        let mut text = Text::of(Role::Bad, error.to_string());
        if !error.can_go_on() {
            return Err(Failure::Told(text));
        }
        text.line(Role::Notice, "nothing has been done, and all before this line is kept");
        if !desk.patient() {
            return Err(Failure::Told(text));
        }
        text.line(Role::Notice, "go on in memory? nothing more is kept until `save NAME` succeeds");
        match desk.ask(&text, &yes_or_no(), "go on? (yes or no)> ") {
            Heard::Line(line) if is_yes(&line) => {}
            _ => return Err(Failure::of("not done; mend the disk and type the line again")),
        }
        self.session.forget_disk();
        self.unkept = true;
        act(&mut self.session, now()).map_err(|error| Failure::of(error.to_string()))
    }

    /// Leaves the game; one that is lost by it only if the umpire says so.
    pub(super) fn leave(&self, desk: &mut dyn Desk) -> Result<Flow, Failure> {
        if !self.unkept || self.session.log().is_empty() || !desk.patient() {
            return Ok(Flow::Leave);
        }
        let text = Text::of(
            Role::Notice,
            "what is not kept is lost when you leave; `save NAME` keeps all of it",
        );
        match desk.ask(&text, &yes_or_no(), "leave? (yes or no)> ") {
            Heard::Line(line) if is_yes(&line) => Ok(Flow::Leave),
            Heard::End => Ok(Flow::Leave),
            _ => Err(Failure::of("not left")),
        }
    }

    pub(super) fn undo(&mut self, back: Back, desk: &mut dyn Desk) -> Result<Text, Failure> {
        let width = desk.width();
        let steps = self.kept(desk, |session, at| match back {
            Back::Steps(n) => session.undo(n, at),
            Back::To(number) => session.undo_to(number, at),
        })?;
        if steps.is_empty() {
            return Err(Failure::of("there is nothing to take back"));
        }
        let mut text = Text::new();
        let mut changes = Vec::new();
        let restated = |entry| self.session.restated(entry);
        for step in &steps {
            match step {
                Step::Command(entry) => {
                    let mut line = Line::of(Role::Plain, format!("takes back {}: ", entry.number));
                    line.push(Role::Strong, &entry.line);
                    let words = self.summary(entry, width);
                    if !words.is_empty() {
                        line.push(Role::Plain, format!(" — {words}"));
                    }
                    text.push(line.hanging(4));
                    changes.extend(render::hands::backwards(restated(entry).outcome.changes()));
                }
                Step::Amendment(amendment) => {
                    let (now, before) = (amendment.now.first(), amendment.before.first());
                    let words = format!("takes back the amendment of {}: ", amendment.number);
                    let mut line = Line::of(Role::Plain, words);
                    line.push(Role::Strong, now.map_or("", |e| e.line.as_str()));
                    let before = before.map_or("", |e| e.line.as_str());
                    line.push(Role::Plain, format!("; it is again: {before}"));
                    text.push(line.hanging(4));
                    for entry in amendment.now.iter().rev() {
                        changes.extend(render::hands::backwards(restated(entry).outcome.changes()));
                    }
                    for entry in &amendment.before {
                        changes.extend(restated(entry).outcome.changes().cloned());
                    }
                }
            }
        }
        text.extend(render::hands::lines(&self.view(width), changes.iter()));
        let earlier = |step: &Step| match step {
            Step::Command(entry) => !self.session.board().is_now(entry.number),
            Step::Amendment(amendment) => !self.session.board().is_now(amendment.number),
        };
        if steps.iter().any(earlier) {
            text.line(Role::Quiet, "the rules stay as they were read last");
        }
        Ok(text)
    }

    pub(super) fn redo(&mut self, n: usize, desk: &mut dyn Desk) -> Result<Text, Failure> {
        let steps = self.kept(desk, |session, at| session.redo(n, at))?;
        let mut text = Text::new();
        for step in &steps {
            let view = self.view(desk.width());
            match step {
                Step::Command(entry) => {
                    let words = format!("again {}: {}", entry.number, entry.line);
                    text.push(Line::of(Role::Plain, words).hanging(4));
                    let view = view.of_command(self.session.board(), entry.number);
                    text.extend(render::outcome::outcome(
                        &view,
                        &entry.outcome,
                        Some(entry.number),
                    ));
                }
                Step::Amendment(amendment) => {
                    let line = amendment.now.first().map_or("", |e| e.line.as_str());
                    let words = format!("amended again {}: {line}", amendment.number);
                    text.push(Line::of(Role::Plain, words).hanging(4));
                }
            }
        }
        if text.is_empty() {
            return Err(Failure::of("there is nothing to do again"));
        }
        Ok(text)
    }

    pub(super) fn whose_dice(
        &mut self,
        hands: &Hands,
        desk: &mut dyn Desk,
    ) -> Result<Text, Failure> {
        let mut dice = self.session.real_dice().clone();
        let words = match hands {
            Hands::Auto => {
                dice = RealDice::default();
                "the machine throws the dice".to_owned()
            }
            Hands::Physical(None) => {
                dice.all = true;
                "the players throw the dice: type the faces as they fall".to_owned()
            }
            Hands::Physical(Some(of)) => {
                let sides = self.session.sides();
                let ruleset = self.referee().ruleset();
                let verbs = ruleset.verbs();
                let verb = verbs.contains(&of.as_str())
                    || of == "next"
                    || of == "roll"
                    || ruleset.schema.rule_named(of).is_some();
                if !verb && !sides.contains(of) {
                    let known = verbs.into_iter().chain(sides.iter().map(String::as_str));
                    let near = crate::diagnostic::nearest(of, known);
                    let near = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
                    return Err(Failure::of(format!("there is no verb or side `{of}`{near}")));
                }
                dice.of.insert(of.clone());
                format!("the players throw the dice of `{of}`")
            }
        };
        self.kept(desk, |session, at| session.set_real_dice(dice.clone(), at))?;
        Ok(Text::of(Role::Plain, words))
    }

    /// Other words for a command: shows what would change, asks, and makes it so. From a pipe there is nobody to
    /// ask, and it is made so at once.
    pub(super) fn amend(
        &mut self,
        number: u64,
        line: &str,
        desk: &mut dyn Desk,
    ) -> Result<Text, Failure> {
        let mut found = Found::default();
        let old = self.session.entries().iter().find(|e| e.number == number).cloned();
        if let Some(old) = old.filter(|e| e.outcome.physical) {
            // The same words again mean that the faces were typed wrongly. To other words the dice stay as they
            // fell, if they are just those that are wanted.
            let planned = self.session.plan_amend(number, line, &found).ok();
            let stay = planned.filter(|_| line != old.line).is_some_and(|plan| {
                plan.entry().is_some_and(|new| {
                    (&new.outcome.faces, &new.outcome.sides)
                        == (&old.outcome.faces, &old.outcome.sides)
                })
            });
            found.anew = !stay;
        }
        let plan = loop {
            match self.session.plan_amend(number, line, &found) {
                Ok(plan) => break plan,
                Err(AmendError::Halt(Halt::Question(question))) => {
                    found.answers.push(answer(Text::new(), &question, desk)?);
                }
                Err(AmendError::Halt(Halt::Dice(SourceError::Wanted { count, sides }))) => {
                    found.faces.extend(throw(Text::new(), "", count, sides, desk)?);
                }
                Err(AmendError::Halt(halt)) => {
                    let sources = &self.referee().ruleset().sources;
                    return Err(Failure::Told(render::message::halt(&halt, sources)));
                }
                Err(error) => return Err(Failure::of(error.to_string())),
            }
        };
        let used = plan.entry().map_or(0, |e| e.outcome.faces.len());
        if found.faces.len() > used {
            let over = found.faces.len() - used;
            let dice = if over == 1 { "face" } else { "faces" };
            return Err(Failure::of(format!("{over} {dice} too many: nothing was amended")));
        }
        let text = render::amend::plan(&self.view(desk.width()), self.session.board(), &plan);
        if plan.changes_nothing() {
            return Ok(text);
        }
        if desk.patient() {
            match desk.ask(&text, &yes_or_no(), "make it so? (yes or no)> ") {
                Heard::Line(line) if is_yes(&line) => {}
                _ => return Err(Failure::of("nothing was amended")),
            }
        }
        let amendment = self.kept(desk, |session, at| session.amend(&plan, at))?;
        let mut told = if desk.patient() { Text::new() } else { text };
        told.line(Role::Plain, format!("{number} is amended"));
        let mut changes = Vec::new();
        for entry in amendment.before.iter().rev() {
            let entry = self.session.restated(entry);
            changes.extend(render::hands::backwards(entry.outcome.changes()));
        }
        for entry in &amendment.now {
            changes.extend(self.session.restated(entry).outcome.changes().cloned());
        }
        told.extend(render::hands::lines(&self.view(desk.width()), changes.iter()));
        Ok(told)
    }

    pub(super) fn overrule(&mut self, text: &str, desk: &mut dyn Desk) -> Result<Text, Failure> {
        let entry = self.kept(desk, |session, at| match session.overrule(text, at) {
            Ok(entry) => Ok(Ok(entry)),
            Err(OverruleError::Store(error)) => Err(error),
            Err(OverruleError::Refused(reason)) => Ok(Err(reason)),
        })?;
        let entry = entry.map_err(Failure::of)?;
        let mut told = Text::new();
        let mut line = Line::of(Role::Quiet, format!("{} · ", entry.number));
        line.push(Role::Header, "the umpire rules: ");
        line.push(Role::Plain, entry.reason.as_deref().unwrap_or_default());
        told.push(line.hanging(4));
        told.extend(render::outcome::outcome(&self.view(desk.width()), &entry.outcome, None));
        Ok(told)
    }

    pub(super) fn why(&self, target: &str, width: usize) -> Result<Text, Failure> {
        let why = self.session.why(target).map_err(Failure::of)?;
        Ok(render::why::why(&self.view(width), &why))
    }

    pub(super) fn stats(&self, what: Option<&str>) -> Result<Text, Failure> {
        match what.map(str::trim) {
            None | Some("dice" | "luck") => Ok(render::luck::luck(&self.session.luck())),
            Some("pace") => Ok(render::luck::pace(&self.session.pace(WAITS))),
            Some(other) => {
                let shown: String = other.chars().take(40).collect();
                Err(Failure::of(format!("stats are of `dice` or `pace`, not `{shown}`")))
            }
        }
    }

    pub(super) fn save(&mut self, name: Option<&str>) -> Result<Text, Failure> {
        let told = |session: &Session| {
            let folder = session.folder().map(|f| f.display().to_string());
            folder.map_or("the session is kept nowhere".to_owned(), |f| format!("kept in {f}"))
        };
        if let Some(name) = name {
            let root = self.root.clone().ok_or_else(|| {
                Failure::of("there is no folder for sessions here; play with `--session NAME`")
            })?;
            let saved = self.session.save(&root, name.trim());
            saved.map_err(|error| Failure::of(error.to_string()))?;
            self.unkept = false;
            self.notice = self.transcribe();
        } else if self.session.folder().is_none() {
            return Err(Failure::of("nothing is kept; write `save NAME` to keep it"));
        }
        Ok(Text::of(Role::Plain, told(&self.session)))
    }
}
