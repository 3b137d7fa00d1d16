//! A guided first turn: lines to type, each with its reason. The lines are the scenario's.

use crate::render::markup::{Line, Role, Text};
use crate::tabletop::TourLine;

/// A guided turn, as far as it has come.
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

    /// Returns the words before the prompt: the line to be typed, and why.
    pub(super) fn next(&self) -> Text {
        let Some(step) = self.lines.get(self.done) else { return Text::new() };
        let place = format!("{} of {}  ", self.done + 1, self.lines.len());
        let hang = place.len();
        let line = Line::of(Role::Notice, place).and(Role::Strong, &step.line);
        let mut text = Text::from_iter([line]);
        text.line(Role::Plain, format!("{:hang$}{}", "", step.says));
        if self.done == 0 {
            let words = "Enter types it for you; any other line does what it always does; `tour` ends the tour";
            text.line(Role::Quiet, format!("{:hang$}{words}", ""));
        }
        text
    }

    /// Returns the typed line, or that of the tour if it is empty. `None` ends the tour.
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

    /// Moves to the next step if this line was that of the tour. Returns the closing words after the last step.
    pub(super) fn advance(&mut self, line: &str) -> Text {
        let Some(step) = self.lines.get(self.done) else { return Text::new() };
        if !step.line.split_whitespace().eq(line.split_whitespace()) {
            return Text::new();
        }
        self.done += 1;
        if self.done == self.lines.len() {
            Text::of(
                Role::Notice,
                "that was the tour: play on, or `quit`; `help` lists what can be typed",
            )
        } else {
            Text::new()
        }
    }
}
