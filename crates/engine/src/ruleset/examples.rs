//! Reads worked examples, each with a set-up, dice, commands and the expected results.

use crate::diagnostic::Declaration;
use crate::language::schema::OPTION_KIND;
use crate::ruleset::format::forms;
use crate::ruleset::loader::{Loader, NamedTable};
use crate::ruleset::parts::{Example, ViewerTexts};
use crate::ruleset::raw::Section;
use crate::ruleset::scenarios::ScenarioDraft;

impl Loader<'_> {
    pub(super) fn read_examples(
        &mut self,
        entries: &[NamedTable<'_>],
        drafts: &[ScenarioDraft],
    ) -> Vec<Example> {
        let nodes = entries.iter().filter(|e| e.section == "example").map(|e| e.node);
        self.read_tables(nodes, "the example", &forms::EXAMPLE, |l, section| {
            l.read_example(section, drafts)
        })
    }

    fn read_example(&mut self, section: &Section<'_>, drafts: &[ScenarioDraft]) -> Option<Example> {
        let scenario = match section.get("scenario") {
            Some(node) => {
                let name = self.r.name(node)?;
                let known = drafts.iter().map(|d| d.scenario.name.as_str());
                if !known.clone().any(|known| known == name.text) {
                    let message = format!("there is no scenario `{}`", name.text.escape_debug());
                    self.r.report_unknown(
                        "unknown-scenario",
                        &name,
                        Declaration::File,
                        message,
                        known,
                    );
                }
                name.text
            }
            None => drafts.first().map(|d| d.scenario.name.clone()).unwrap_or_default(),
        };
        let title = section.prose("title", &mut self.r);
        let options = self.read_example_options(section);
        let refused = section.name("refused", &mut self.r).map(|words| (words.text, words.span));
        let phase = section.get("phase").and_then(|n| self.read_phase_name(n));
        let dice_span = section.key_span("dice");
        let mut dice = Vec::new();
        for node in section.array("dice", &mut self.r) {
            let Some(n) = self.r.whole_number(node) else { continue };
            match u32::try_from(n) {
                Ok(face) => dice.push(face),
                Err(_) => {
                    self.r.error("bad-dice", node.span, format!("`{n}` is not a face of any die"));
                }
            }
        }
        let mut expect = Vec::new();
        for node in section.array("expect", &mut self.r) {
            if let Some(text) = self.r.text(node)
                && let Some(expr) = self.parse_expr(&text)
            {
                expect.push((expr, text));
            }
        }
        Some(Example {
            title,
            shows: section.prose_list("shows", &mut self.r),
            scenario,
            options,
            phase,
            set: section.prose_lines("set", &mut self.r),
            dice,
            draws: section.prose_list("draws", &mut self.r),
            answers: section.prose_list("answers", &mut self.r),
            run: section.prose_lines("run", &mut self.r),
            expect,
            says: section.prose_lines("says", &mut self.r),
            seen: self.read_viewer_texts("seen", section),
            unseen: self.read_viewer_texts("unseen", section),
            refused,
            span: section.span,
            dice_span,
        })
    }

    /// Reads the texts that viewers must see, or must not see. The viewers' names are not checked
    /// here, because the viewers are known only once the scenario has been set out.
    fn read_viewer_texts(&mut self, key: &str, section: &Section<'_>) -> Vec<ViewerTexts> {
        let Some(table) = section.table(key, &mut self.r) else { return Vec::new() };
        let viewers = table.entries().iter().map(|(name, _)| ViewerTexts {
            viewer: name.text.clone(),
            span: name.span,
            texts: table.prose_lines(&name.text, &mut self.r),
        });
        viewers.collect()
    }

    fn read_phase_name(&mut self, node: super::raw::TomlNode<'_>) -> Option<String> {
        let name = self.r.name(node)?;
        if !self.made.phases.iter().any(|p| p.name == name.text) {
            self.report_unknown_phase(&name);
        }
        Some(name.text)
    }

    fn read_example_options(&mut self, section: &Section<'_>) -> Vec<(String, String)> {
        use toml::de::DeValue;
        let Some(table) = section.table("option", &mut self.r) else { return Vec::new() };
        let mut options = Vec::new();
        for (name, node) in table.entries() {
            if self.schema.kind(OPTION_KIND).attribute(&name.text).is_none() {
                let message = format!("there is no option `{}`", name.text.escape_debug());
                let cause = Declaration::Attribute("option".to_owned(), name.text.clone());
                let known =
                    self.schema.kind(OPTION_KIND).attributes.iter().map(|o| o.name.as_str());
                self.r.report_unknown("unknown-option", name, cause, message, known);
            }
            let value = match node.value {
                DeValue::Boolean(b) => if *b { "on" } else { "off" }.to_owned(),
                DeValue::Integer(_) => self.r.whole_number(*node).unwrap_or_default().to_string(),
                _ => self.r.prose(*node).unwrap_or_default(),
            };
            options.push((name.text.clone(), value));
        }
        options
    }
}
