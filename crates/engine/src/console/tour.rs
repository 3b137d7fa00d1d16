//! A guided first turn: lines to type, each with its reason. The scenario provides the lines.

use crate::render::markup::{Line, Role, Text};
use crate::tabletop::TourLine;

/// The progress through a guided turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Tour {
    lines: Vec<TourLine>,
    done: usize,
}

impl Tour {
    /// Returns a tour of these lines.
    pub(super) fn of(lines: &[TourLine]) -> Tour {
        Tour { lines: lines.to_vec(), done: 0 }
    }

    /// Returns the text before the prompt: the line to type, and the reason for it.
    pub(super) fn next(&self) -> Text {
        let Some(step) = self.lines.get(self.done) else { return Text::new() };
        let place = format!("{} of {}  ", self.done + 1, self.lines.len());
        let hang = place.len();
        let line = Line::of(Role::Notice, place).and(Role::Strong, &step.line);
        let mut text = Text::from_iter([line]);
        text.line(Role::Plain, format!("{:hang$}{}", "", step.says));
        if self.done == 0 {
            let words =
                "press Enter to type it; any other line works as usual; `tour` ends the tour";
            text.line(Role::Quiet, format!("{:hang$}{words}", ""));
        }
        text
    }

    /// Returns the typed line, or the next line of the tour if nothing was typed. If `tour` was
    /// typed, ends the tour and returns `None`.
    pub(super) fn replace_empty_line(&mut self, typed: String) -> Option<String> {
        match (self.lines.get(self.done), typed.trim()) {
            (Some(step), "") => Some(step.line.clone()),
            (Some(_), "tour") => {
                self.done = self.lines.len();
                None
            }
            _ => Some(typed),
        }
    }

    /// Moves to the next step if this was the line of the tour. Returns a closing text after the
    /// last step, and otherwise an empty text.
    pub(super) fn advance(&mut self, line: &str) -> Text {
        let Some(step) = self.lines.get(self.done) else { return Text::new() };
        if !step.line.split_whitespace().eq(line.split_whitespace()) {
            return Text::new();
        }
        self.done += 1;
        if self.done == self.lines.len() {
            Text::of(
                Role::Notice,
                "that was the tour: play on, or `quit`; `help` lists the commands",
            )
        } else {
            Text::new()
        }
    }
}
