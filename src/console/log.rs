//! What was typed and told, as it can be written to a file.

use crate::render::markup::Text;

/// So many lines are kept; older ones go.
const MOST: usize = 50_000;

/// Something that was typed or told.
#[derive(Clone, Debug)]
enum Said {
    Typed(String),
    Told(Text),
}

/// What was typed and told.
#[derive(Clone, Debug, Default)]
pub struct Log {
    said: std::collections::VecDeque<Said>,
}

impl Log {
    fn push(&mut self, said: Said) {
        if self.said.len() >= MOST {
            self.said.pop_front();
        }
        self.said.push_back(said);
    }

    /// A line was typed.
    pub fn typed(&mut self, line: &str) {
        self.push(Said::Typed(line.trim().to_owned()));
    }

    /// A text was told.
    pub fn told(&mut self, text: Text) {
        if !text.is_empty() {
            self.push(Said::Told(text));
        }
    }

    /// All of it as text; as Markdown, what was told stands in blocks.
    pub fn write(&self, title: &str, markdown: bool) -> String {
        let mut out = match markdown {
            true => format!("# {title}\n"),
            false => format!("{title}\n"),
        };
        for said in &self.said {
            match (said, markdown) {
                (Said::Typed(line), true) => {
                    let fence = if line.contains('`') { "``" } else { "`" };
                    out.push_str(&format!("\n{fence}> {line}{fence}\n"));
                }
                (Said::Typed(line), false) => out.push_str(&format!("\n> {line}\n")),
                (Said::Told(text), true) => {
                    out.push_str(&format!("\n~~~\n{}~~~\n", text.plain(100)));
                }
                (Said::Told(text), false) => out.push_str(&text.plain(100)),
            }
        }
        out
    }
}
