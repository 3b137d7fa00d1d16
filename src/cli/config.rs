//! `adjutant config`, and the keyboard settings in `config.toml`. They apply only at the keyboard,
//! so pipes, `--json`, examples and tests behave the same on every machine.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use adjutant_engine::render::markup::{Line, Role, Text};
use etcetera::BaseStrategy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cli::output::Screen;
use crate::cli::play::DiceOption;
use crate::cli::{Ended, Failed, shown};
use crate::console::Aliases;
use crate::files;

/// The maximum size of the settings file, in bytes.
const MAX_BYTES: u64 = 64 * 1024;

/// The maximum length of a turn, in minutes: a day.
const MAX_CLOCK: u32 = 24 * 60;

/// The keyboard settings, as written in `config.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Settings {
    /// When to use colours. The option `--color` takes precedence over this setting, and this
    /// setting over `NO_COLOR`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<ColorSetting>,
    /// True for output that suits a screen reader, as with `--plain`: one fact per line, without
    /// columns, colours or pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plain: Option<bool>,
    /// The program that shows long answers, as a shell command. With an empty string, Adjutant
    /// shows them itself, screen by screen. This setting takes precedence over the variable `PAGER`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pager: Option<String>,
    /// Who rolls the dice in a new game, unless `--dice` is given. The session records the
    /// choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<DiceOption>,
    /// The time allowed for each turn, in minutes, as with `clock` at the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1440))]
    pub clock: Option<u32>,
    /// Your own abbreviations for the beginning of a line, such as `nf = "next to fight"`. The
    /// session records the full line.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub alias: BTreeMap<String, String>,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ColorSetting {
    /// At a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The reason why settings can't be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum SettingsError {
    /// The file can't be read.
    #[error("cannot read `{0}`: {1}")]
    Unreadable(String, files::DiskError),
    /// The file contains something that is not a valid setting.
    #[error("`{path}`{}: {message}", line.map_or(String::new(), |line| format!(", line {line}")))]
    Wrong {
        /// The path of the file, in a form that is safe to show.
        path: String,
        /// The line, from 1, if it is known.
        line: Option<usize>,
        /// The error, in one sentence.
        message: String,
    },
}

/// The settings that apply, with the aliases in the form in which the prompt uses them.
#[derive(Debug, Default)]
pub(super) struct Config {
    pub settings: Settings,
    pub aliases: Aliases,
}

impl Config {
    /// Returns this user's settings, or the defaults if there is no file.
    pub(super) fn load() -> Result<Config, SettingsError> {
        match path() {
            Some(path) => Config::read(&path),
            None => Ok(Config::default()),
        }
    }

    fn read(path: &Path) -> Result<Config, SettingsError> {
        let bytes = match files::read_named(path, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Config::default()),
            Err(error) => return Err(SettingsError::Unreadable(shown(path), error)),
        };
        let wrong =
            |line, message: String| SettingsError::Wrong { path: shown(path), line, message };
        let text = String::from_utf8(bytes)
            .map_err(|_| wrong(None, "this isn't UTF-8 text".to_owned()))?;
        let settings: Settings = toml::from_str(&text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.map(|before| before.matches('\n').count() + 1);
            wrong(line, error.message().replace('\n', ", "))
        })?;
        if settings.clock.is_some_and(|minutes| !(1..=MAX_CLOCK).contains(&minutes)) {
            let message = format!("`clock` must be a number of minutes from 1 to {MAX_CLOCK}");
            return Err(wrong(None, message));
        }
        let aliases =
            Aliases::new(settings.alias.clone()).map_err(|error| wrong(None, error.to_string()))?;
        Ok(Config { settings, aliases })
    }
}

/// Returns the path of this user's settings; `None` if there is no home folder.
fn path() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.config_dir().join("adjutant/config.toml"))
}

/// The answer to `config`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ConfigAnswer {
    /// The path of the settings file, whether or not it exists; `null` if there is no home folder.
    path: Option<String>,
    /// The settings in the file.
    settings: Settings,
}

/// Shows the settings, and the path of their file.
pub(super) fn run(screen: &mut Screen) -> Ended {
    let Config { settings, aliases } = Config::load().map_err(Failed::of)?;
    let path = path();
    let is_there = path.as_deref().is_some_and(Path::exists);
    let mut text = Text::new();
    match &path {
        Some(path) => {
            let remark = if is_there {
                ""
            } else {
                " (this file does not exist: every setting has its default)"
            };
            let line = Line::of(Role::Strong, shown(path)).and(Role::Quiet, remark);
            text.push(line.unbreakable());
        }
        None => {
            text.line(Role::Notice, "there is no home folder, so there are no settings");
        }
    }
    let color = match settings.color {
        None | Some(ColorSetting::Auto) => "auto: at a terminal, unless NO_COLOR is set",
        Some(ColorSetting::Always) => "always",
        Some(ColorSetting::Never) => "never",
    };
    let pager = match settings.pager.as_deref() {
        None => "the program named in PAGER; without one, output is shown one screen at a time",
        Some("") => "output is shown one screen at a time",
        Some(program) => program,
    };
    let dice = match settings.dice {
        None | Some(DiceOption::Auto) => "auto: the program rolls",
        Some(DiceOption::Physical) => "physical: the players roll, and the umpire types the faces",
    };
    let clock = match settings.clock {
        None => "off".to_owned(),
        Some(1) => "1 minute".to_owned(),
        Some(minutes) => format!("{minutes} minutes"),
    };
    let mut tell = |name: &str, value: &str| {
        let line = Line::of(Role::Strong, format!("  {name:<8}")).and(Role::Plain, value);
        text.push(line.with_hanging_indent(10));
    };
    tell("color", color);
    let plain = if settings.plain == Some(true) {
        "yes: one fact per line, for a screen reader"
    } else {
        "no, unless `--plain` is given"
    };
    tell("plain", plain);
    tell("pager", pager);
    tell("dice", dice);
    tell("clock", &clock);
    for (name, line) in aliases.iter() {
        tell("alias", &format!("{name} = {line}"));
    }
    text.line(
        Role::Quiet,
        "These settings apply only at the keyboard. `adjutant schema config` describes the file.",
    );
    let path = path.as_deref().map(shown);
    screen.answer(&text, &ConfigAnswer { path, settings })
}
