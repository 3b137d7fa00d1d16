//! Reloads the rules during a game: compares the new rules with the old ones, and applies them from
//! the next command on.

use std::sync::Arc;

use indexmap::IndexMap;

use super::history::HistoryStep;
use super::load::collect_files;
use super::record::{Record, RecordError, ReloadRecord, RuleFile};
use super::seal::sha256;
use super::{Session, SessionError};
use crate::referee::Referee;
use crate::ruleset::{FileText, Ruleset};

/// The maximum number of times that the rules can be reloaded in a session. Each reload loads the
/// complete rules, which then stay in memory. The limit protects against journals from strangers.
pub(super) const MAX_RELOADS: usize = 100;

/// The kind of change to a part of a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PartChange {
    /// The part is new.
    Added,
    /// The part has changed.
    Changed,
    /// The part was removed.
    Removed,
}

/// A part of a ruleset that differs after a reload.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct ChangedPart {
    /// The section of the part, such as `rule`.
    pub section: String,
    /// The name of the part, or its number in its list if it has no name.
    pub name: String,
    /// The change: `added`, `changed` or `removed`.
    pub became: PartChange,
}

/// A reload of the rules.
#[derive(Clone, Debug)]
pub struct RulesReload {
    /// The number of the first command under the new rules.
    pub from: u64,
    /// The changes, in alphabetical order by section and name.
    pub changes: Vec<ChangedPart>,
    /// The files that the rules were read from.
    pub(super) files: Arc<[FileText]>,
    /// The referee for these rules.
    pub(super) referee: Referee,
}

/// The reason why the rules could not be reloaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReloadError {
    /// The contents of the files are the same as before, apart from comments and formatting.
    #[error("nothing in the rules has changed")]
    Same,
    /// The rules were reloaded too often in this session.
    #[error(
        "a session can reload its rules only {MAX_RELOADS} times; write the table to a file with `scenario write FILE`, and play that file"
    )]
    TooOften,
    /// The table doesn't fit the new rules. The list has a sentence for each misfit.
    #[error("the current table doesn't fit these rules")]
    NoPlace(Vec<String>),
    /// The reload could not be recorded.
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl Session {
    /// Changes the rules from the next command on. Pieces and values on the table are matched by
    /// name, and new attributes get their start values. If this fails, the session does not change.
    pub fn reload(
        &mut self,
        files: &[FileText],
        ruleset: Arc<Ruleset>,
        at: u64,
    ) -> Result<Arc<RulesReload>, ReloadError> {
        let changes = ruleset_differences(&self.rules, files);
        if changes.is_empty() {
            return Err(ReloadError::Same);
        }
        if self.board.reloads() >= MAX_RELOADS {
            return Err(ReloadError::TooOften);
        }
        let referee = Referee::new(ruleset);
        let from = self.next;
        let before = self.board.clone();
        self.board.change_rules(from, referee.clone()).map_err(ReloadError::NoPlace)?;
        let record = Record::Reload(Arc::new(self.reload_record(files)));
        let written = self.write_record(at, &record).inspect_err(|_| self.board = before)?;
        let rules = Arc::new(RulesReload { from, changes, files: files.into(), referee });
        self.log_record(at, record, vec![HistoryStep::Rules(rules.clone())], &written);
        Ok(rules)
    }

    /// Returns the record of a reload with these files at this point of the session.
    pub(super) fn reload_record(&self, files: &[FileText]) -> ReloadRecord {
        ReloadRecord {
            from: self.next,
            files: files.iter().map(|file| rule_file(file, &self.rules)).collect(),
        }
    }

    /// Loads the rules of a record, and applies them to the board from the next command on. If this
    /// fails, the board does not change.
    pub(super) fn apply_reload(
        &mut self,
        record: &ReloadRecord,
    ) -> Result<Arc<RulesReload>, RecordError> {
        if record.from != self.next {
            return Err(RecordError::Number(record.from, self.next));
        }
        if self.board.reloads() >= MAX_RELOADS {
            return Err(RecordError::TooManyReloads);
        }
        let files = record.file_texts(&self.rules)?;
        let referee = super::load::load_referee(&files)?;
        self.board.change_rules(self.next, referee.clone()).map_err(RecordError::NoPlace)?;
        let changes = ruleset_differences(&self.rules, &files);
        Ok(Arc::new(RulesReload { from: record.from, changes, files: files.into(), referee }))
    }
}

/// Returns a file as the journal stores it, without its text if the previous rules have a file with
/// the same name, scenario and text.
fn rule_file(file: &FileText, before: &[FileText]) -> RuleFile {
    RuleFile {
        name: file.name.clone(),
        scenario: file.scenario.clone(),
        sha256: sha256(file.text.as_bytes()),
        text: (!before.contains(file)).then(|| file.text.clone()),
    }
}

impl ReloadRecord {
    /// Returns the files of the record. `before` has the previous files, from which unchanged texts
    /// are taken. Fails if there are too many files, if they are too large, or if a text does not
    /// match its hash.
    pub(super) fn file_texts(&self, before: &[FileText]) -> Result<Vec<FileText>, RecordError> {
        let files = self.files.iter().map(|file| file_text(file, before));
        collect_files(files, || RecordError::TooLarge)
    }
}

/// Returns a file with its text. If the record has no text, the text is taken from the previous
/// files. Fails if the text does not match its hash.
fn file_text(file: &RuleFile, before: &[FileText]) -> Result<FileText, RecordError> {
    let text = match &file.text {
        Some(text) => text.clone(),
        None => before
            .iter()
            .find(|f| f.name == file.name && f.scenario == file.scenario)
            .map_or(String::new(), |f| f.text.clone()),
    };
    if sha256(text.as_bytes()) != file.sha256 {
        return Err(RecordError::Hash(file.name.clone()));
    }
    Ok(FileText { name: file.name.clone(), text, scenario: file.scenario.clone() })
}

/// Returns the parts of a ruleset by section and name (or number). A scenario file is one part, and
/// so is a file that cannot be parsed.
fn ruleset_parts(files: &[FileText]) -> IndexMap<(String, String), toml::Value> {
    let mut parts = IndexMap::new();
    for file in files {
        let read = file.text.parse::<toml::Table>();
        let table = match (&file.scenario, read) {
            (None, Ok(table)) => table,
            (Some(name), Ok(table)) => {
                parts.insert(("scenario".to_owned(), name.clone()), toml::Value::Table(table));
                continue;
            }
            (_, Err(_)) => {
                let text = toml::Value::String(file.text.clone());
                parts.insert(("file".to_owned(), file.name.clone()), text);
                continue;
            }
        };
        for (section, value) in table {
            let named: Vec<(String, toml::Value)> = match value {
                toml::Value::Array(all) => (1..).zip(all).map(name_part).collect(),
                toml::Value::Table(named) => named.into_iter().collect(),
                other => vec![(String::new(), other)],
            };
            parts.extend(named.into_iter().map(|(name, part)| ((section.clone(), name), part)));
        }
    }
    parts
}

/// Returns an element of a list with its name, or with its number if it has no name.
fn name_part((number, part): (usize, toml::Value)) -> (String, toml::Value) {
    let name = part.get("name").and_then(toml::Value::as_str);
    (name.map_or_else(|| number.to_string(), str::to_owned), part)
}

/// Returns the parts that differ between two rulesets, in alphabetical order by section and name.
fn ruleset_differences(old: &[FileText], new: &[FileText]) -> Vec<ChangedPart> {
    let old = ruleset_parts(old);
    let new = ruleset_parts(new);
    let mut all: Vec<_> = old.keys().chain(new.keys()).collect();
    all.sort();
    all.dedup();
    let differs = |key: &(String, String)| match (old.get(key), new.get(key)) {
        (None, Some(_)) => Some(PartChange::Added),
        (Some(_), None) => Some(PartChange::Removed),
        (Some(old), Some(new)) if old != new => Some(PartChange::Changed),
        _ => None,
    };
    let part = |key: &(String, String)| {
        let (section, name) = key.clone();
        differs(key).map(|became| ChangedPart { section, name, became })
    };
    all.into_iter().filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::{PartChange, ruleset_differences};
    use crate::ruleset::FileText;

    fn file(text: &str) -> Vec<FileText> {
        vec![FileText { name: "game.toml".into(), text: text.into(), scenario: None }]
    }

    #[test]
    fn parts_that_differ_are_named() {
        let old = file(
            "[game]\ntitle = 'x'\n[rule.a]\nroll = '1d6'\n[rule.b]\nroll = '1d6'\n[state]\nwind = { from = 0 }\n\
             [[phase]]\nname = 'fire'\ndo = 'a()'",
        );
        let new = file(
            "# a remark\n[game]\ntitle = 'x'\n[rule.a]\nroll = '2d6'\n[rule.c]\nroll = '1d6'\n\
             [state]\nwind = { from = 1 }\n[[phase]]\nname = 'fire'\ndo = 'c()'",
        );
        let told: Vec<String> = ruleset_differences(&old, &new)
            .iter()
            .map(|c| format!("{} {} {:?}", c.section, c.name, c.became))
            .collect();
        assert_eq!(
            told,
            [
                "phase fire Changed",
                "rule a Changed",
                "rule b Removed",
                "rule c Added",
                "state wind Changed"
            ]
        );
        assert!(ruleset_differences(&old, &old).is_empty());
        let broken = file("[rule");
        assert!(ruleset_differences(&old, &broken).iter().any(|c| c.became == PartChange::Removed));
    }
}
