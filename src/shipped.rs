//! The rulesets that come with Adjutant, embedded in the binary. The functions that order the files
//! and name the scenarios also serve rulesets on disk.

use adjutant_engine::ruleset::FileText;
use include_dir::{Dir, include_dir};

static RULESETS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rulesets");

/// Returns the names of the shipped rulesets, in alphabetical order.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = RULESETS
        .dirs()
        .filter_map(|d| d.path().file_name().map(|n| n.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    names
}

/// Returns the files of a shipped ruleset; `None` if no shipped ruleset has this name.
pub fn files(name: &str) -> Option<Vec<FileText>> {
    let folder = RULESETS.get_dir(name)?;
    let mut files = texts(folder, false);
    if let Some(scenarios) = folder.get_dir(folder.path().join("scenarios")) {
        files.extend(texts(scenarios, true));
    }
    Some(in_order(files))
}

fn texts(folder: &Dir<'_>, scenario: bool) -> Vec<FileText> {
    let toml = folder.files().filter(|f| f.path().extension().is_some_and(|e| e == "toml"));
    toml.map(|file| {
        let name = file.path().to_string_lossy().into_owned();
        let text = file.contents_utf8().unwrap_or_default().to_owned();
        FileText { scenario: scenario.then(|| scenario_name(&name)), name, text }
    })
    .collect()
}

/// Returns the name of the scenario in a file, such as `lamb-alley` for
/// `scenarios/1-lamb-alley.toml`.
pub fn scenario_name(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = file.strip_suffix(".toml").unwrap_or(file);
    name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-').to_owned()
}

/// Returns the files in order: `game.toml`, then the other files of the rules by name, then the
/// scenarios by name.
pub fn in_order(mut files: Vec<FileText>) -> Vec<FileText> {
    files.sort_by_cached_key(|file| {
        let is_other = file.name.rsplit(['/', '\\']).next() != Some("game.toml");
        (file.scenario.is_some(), is_other, file.name.clone())
    });
    files
}

#[cfg(test)]
mod tests {
    use super::scenario_name;

    #[test]
    fn scenarios_are_named_by_their_files() {
        assert_eq!(scenario_name("a/scenarios/1-lamb-alley.toml"), "lamb-alley");
        assert_eq!(scenario_name("st-pauls.toml"), "st-pauls");
    }
}
