//! A command to what does it. What the console can do, it does here.

use super::help;
use super::play::{Desk, Failure, Flow, Play};
use crate::command::{Command, Onward};
use crate::language::schema::OPTION;
use crate::referee::Action;
use crate::render;
use crate::render::markup::{Line, Role, Text};
use crate::session::Entry;

impl Play {
    /// Does what a command wants.
    pub(super) fn dispatch(
        &mut self,
        command: Command,
        line: &str,
        desk: &mut dyn Desk,
    ) -> Result<Flow, Failure> {
        let width = desk.width();
        let text = match command {
            Command::Act(action, insist) => {
                self.act(line, &action, insist, desk)?;
                return Ok(Flow::On);
            }
            Command::Next(onward) => {
                self.next(&onward, desk)?;
                return Ok(Flow::On);
            }
            Command::Quit => return self.leave(desk),
            Command::Table(shown, total) => {
                render::table::shown(self.referee(), shown, total, width)
            }
            Command::Rule(rule) => render::rule::rule(self.referee().ruleset(), rule),
            Command::Show(what) => render::show::show(&self.view(width), &what),
            Command::Map(level) => match render::plan::map(&self.view(width), level) {
                Some(text) => text,
                None => return Err(self.no_plan(level)),
            },
            Command::Undo(back) => self.undo(back, desk)?,
            Command::Redo(n) => self.redo(n, desk)?,
            Command::Dice(hands) => self.whose_dice(&hands, desk)?,
            Command::Log(None) => self.lines_so_far(),
            Command::Log(Some(path)) => self.write_log(&path)?,
            Command::Options => self.options(),
            Command::Help(word) => help::help(self, word.as_deref(), width)?,
            Command::Odds { line, exactly } => self.odds(&line, exactly, width)?,
            Command::Amend(number, line) => self.amend(number, &line, desk)?,
            Command::Overrule(text) => self.overrule(&text, desk)?,
            Command::Why(target) => self.why(&target, width)?,
            Command::Stats(what) => self.stats(what.as_deref())?,
            Command::Save(name) => self.save(name.as_deref())?,
            Command::Reload => self.reload(desk)?,
            Command::Mix(words) => self.mix(&words, desk)?,
            Command::Reveal => self.reveal(desk)?,
        };
        self.tell(text, desk);
        Ok(Flow::On)
    }

    fn no_plan(&self, level: Option<i64>) -> Failure {
        match (self.referee().ruleset().schema.plan_kind(), level) {
            (Some(_), Some(level)) => Failure::of(format!("the plan has no level {level}")),
            _ => Failure::of("this game has no drawn plan; `show` tells what is kept"),
        }
    }

    /// The odds of dice, or of a line as it would be played now; nothing is changed.
    fn odds(&self, line: &str, exactly: bool, width: usize) -> Result<Text, Failure> {
        if let Ok(expression) = crate::dice::parse(line) {
            let odds = expression.distribution().map_err(|error| Failure::of(error.to_string()))?;
            return Ok(render::chances::dice(&expression, &odds, width));
        }
        let table = self.session.table();
        let command = crate::command::parse(self.referee(), table, line);
        let (action, insist) = match command {
            Ok(Some(Command::Act(action, insist))) => (action, insist),
            Ok(Some(Command::Next(_))) => (Action::Next, false),
            Ok(_) => return Err(Failure::of("only dice and what takes dice have odds")),
            Err(error) => return Err(Failure::Told(render::message::line_error(&error, line))),
        };
        match self.referee().odds(table, &action, insist) {
            Ok(odds) => Ok(render::chances::verb(line, &odds, exactly, width)),
            Err(halt) => {
                let sources = &self.referee().ruleset().sources;
                Err(Failure::Told(render::message::halt(&halt, sources)))
            }
        }
    }

    /// On through phases, each an outcome of its own.
    fn next(&mut self, onward: &Onward, desk: &mut dyn Desk) -> Result<(), Failure> {
        let phases = self.referee().ruleset().phases.len();
        let began = self.referee().turn(self.session.table());
        let most = match onward {
            Onward::Phases(n) => *n as usize,
            Onward::Turn | Onward::To(_) => phases * 2,
        };
        for _ in 0..most.max(1) {
            self.act("next", &Action::Next, false, desk)?;
            let table = self.session.table();
            let there = match onward {
                Onward::Phases(_) => false,
                Onward::Turn => self.referee().turn(table) > began,
                Onward::To(place) => self.referee().phase(table) == Some(*place),
            };
            if there {
                return Ok(());
            }
            if desk.interrupted() {
                self.tell(Text::of(Role::Quiet, "stopped here"), desk);
                return Ok(());
            }
        }
        match onward {
            Onward::To(place) => {
                let title = &self.referee().ruleset().phases[*place].title;
                let words = format!("`{title}` is passed over: there is nothing to do in it");
                self.tell(Text::of(Role::Quiet, words), desk);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// What came of a command in a few words: what its checks came to, else what it changed.
    pub(super) fn summary(&self, entry: &Entry, width: usize) -> String {
        let view = self.view(width).of_command(self.session.board(), entry.number);
        render::summary::words(&view, &entry.outcome)
    }

    fn lines_so_far(&self) -> Text {
        let mut text = Text::new();
        for entry in self.session.entries() {
            let mut line = Line::of(Role::Quiet, format!("{:>4}  ", entry.number));
            line.push(Role::Strong, &entry.line);
            let words = self.summary(entry, 80);
            if !words.is_empty() {
                line.push(Role::Quiet, format!(" — {words}"));
            }
            text.push(line.hanging(8));
        }
        if text.is_empty() {
            text.line(Role::Quiet, "nothing has been done yet");
        }
        text
    }

    fn write_log(&self, path: &str) -> Result<Text, Failure> {
        let file = std::path::Path::new(path);
        let markdown = file.extension().is_some_and(|e| e == "md" || e == "markdown");
        let ruleset = self.referee().ruleset();
        let title = match ruleset.scenario(self.session.scenario()) {
            Some(s) if !s.title.is_empty() => format!("{}: {}", ruleset.game.title, s.title),
            _ => ruleset.game.title.clone(),
        };
        let words = self.log.write(&title, markdown);
        match std::fs::write(file, words) {
            Ok(()) => Ok(Text::of(Role::Plain, format!("written to {path}"))),
            Err(error) => Err(Failure::of(format!("cannot write `{path}`: {error}"))),
        }
    }

    fn options(&self) -> Text {
        let ruleset = self.referee().ruleset();
        let mut text = Text::new();
        for option in &ruleset.options {
            let value = self.referee().attribute(self.session.table(), OPTION, 0, option.attribute);
            let mut line = Line::of(Role::Strong, format!("  {}", option.name));
            line.push(Role::Plain, format!(" {}", value.unwrap_or_default()));
            line.push(Role::Quiet, format!("  {}", option.title));
            text.push(line.hanging(6));
        }
        match text.is_empty() {
            true => text.line(Role::Quiet, "this game has no house-rule switches"),
            false => text.line(Role::Quiet, "change one with `option NAME VALUE`"),
        };
        text
    }
}
