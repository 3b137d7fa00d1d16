//! Messages about wrong usage of the command line, in the style of the program's other messages.

use adjutant_engine::names;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::shipped;

/// A message about wrong usage, with lines of help.
pub(super) struct UsageError {
    pub message: String,
    pub help: Vec<String>,
}

/// The error for a text that is not a number, or whose number is out of range.
#[derive(Debug, thiserror::Error)]
#[error("expected a number from {low} to {high}")]
pub(super) struct NumberError {
    low: u64,
    high: u64,
}

/// Returns a parser of whole numbers from `low` to `high`.
pub(super) fn number_between<N: TryFrom<u64>>(
    low: u64,
    high: u64,
) -> impl Fn(&str) -> Result<N, NumberError> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse::<u64>().ok().filter(|n| (low..=high).contains(n));
        number.and_then(|n| N::try_from(n).ok()).ok_or(NumberError { low, high })
    }
}

/// Returns the message for an error from the command-line parser; `None` if help or the version was
/// requested, and for errors without a special message.
pub(super) fn explain(error: &clap::Error, subcommands: &[String]) -> Option<UsageError> {
    let argument = || name_of(&first(error, ContextKind::InvalidArg));
    let value = || first(error, ContextKind::InvalidValue);
    let mut help = Vec::new();
    let message = match error.kind() {
        ErrorKind::InvalidValue => {
            let valid: Vec<String> = all(error, ContextKind::ValidValue);
            if !valid.is_empty() {
                let valid: Vec<String> = valid.iter().map(|one| format!("`{one}`")).collect();
                help.push(match valid.split_last() {
                    Some((last, others)) if !others.is_empty() => {
                        format!("expected {} or {last}", others.join(", "))
                    }
                    _ => format!("expected {}", valid.join("")),
                });
            }
            match value().as_str() {
                "" => format!("`{}` needs a value", argument()),
                value => format!("`{}` can't be `{value}`", argument()),
            }
        }
        ErrorKind::ValueValidation => {
            help.extend(std::error::Error::source(error).map(ToString::to_string));
            format!("`{}` can't be `{}`", argument(), value())
        }
        ErrorKind::UnknownArgument => {
            let given = first(error, ContextKind::InvalidArg);
            let meant = first(error, ContextKind::SuggestedArg);
            help.extend(
                (!meant.is_empty()).then(|| format!("did you mean `{}`?", name_of(&meant))),
            );
            if given.starts_with('-') {
                format!("there is no option `{}`", name_of(&given))
            } else {
                format!("unexpected `{given}`")
            }
        }
        ErrorKind::InvalidSubcommand => {
            let given = first(error, ContextKind::InvalidSubcommand);
            let meant = first(error, ContextKind::SuggestedSubcommand);
            help.extend(if shipped::names().contains(&given) {
                Some(format!("`adjutant play {given}` plays this game"))
            } else {
                (!meant.is_empty()).then(|| format!("did you mean `{meant}`?"))
            });
            format!("there is no command `{given}`")
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = all(error, ContextKind::InvalidArg);
            let missing: Vec<String> = missing.iter().map(|one| name_of(one)).collect();
            format!("{} is missing", quoted(&missing))
        }
        ErrorKind::ArgumentConflict => {
            let other = all(error, ContextKind::PriorArg);
            let other: Vec<String> = other.iter().map(|one| name_of(one)).collect();
            if other.is_empty() || other.contains(&argument()) {
                format!("`{}` can be given only once", argument())
            } else {
                format!("`{}` can't be used with {}", argument(), quoted(&other))
            }
        }
        ErrorKind::TooManyValues => format!("`{}` takes no more than one value", argument()),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            format!("`{}` has the wrong number of values", argument())
        }
        ErrorKind::NoEquals => format!("`{}` needs a value after `=`", argument()),
        ErrorKind::MissingSubcommand => "a command is missing".to_owned(),
        ErrorKind::InvalidUtf8 => "an argument is not valid UTF-8".to_owned(),
        _ => return None,
    };
    let usage = first(error, ContextKind::Usage);
    let usage = usage.trim().trim_start_matches("Usage:").trim();
    let command: Vec<&str> = usage
        .split_whitespace()
        .take_while(|word| word.chars().all(|c| c.is_ascii_lowercase()))
        .collect();
    if command.len() > 1 {
        help.push(format!("usage: {}", usage.lines().next().unwrap_or_default()));
    }
    let command = match command.as_slice() {
        [] => typed_command(subcommands),
        words => words.join(" "),
    };
    help.push(format!("`{command} --help` explains the command"));
    Some(UsageError { message, help })
}

/// Returns the command that was typed, with its subcommand if it has one.
fn typed_command(subcommands: &[String]) -> String {
    let typed = std::env::args().skip(1).find(|word| subcommands.contains(word));
    typed.map_or("adjutant".to_owned(), |word| format!("adjutant {word}"))
}

/// Returns the name of an argument without its value or brackets, such as `--dice` for `--dice
/// <DICE>`, or `GAME` for `<GAME>`.
fn name_of(argument: &str) -> String {
    let name = argument.split([' ', '=']).next().unwrap_or_default();
    name.trim_start_matches(['<', '[']).trim_end_matches(['.', '>', ']']).to_owned()
}

fn quoted(names: &[String]) -> String {
    names::quote_names(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

fn first(error: &clap::Error, kind: ContextKind) -> String {
    all(error, kind).into_iter().next().unwrap_or_default()
}

fn all(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        Some(ContextValue::StyledStr(text)) => vec![text.to_string()],
        Some(ContextValue::StyledStrs(texts)) => texts.iter().map(ToString::to_string).collect(),
        Some(ContextValue::Number(n)) => vec![n.to_string()],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{name_of, number_between};

    #[test]
    fn a_number_is_in_its_range() {
        let parse = number_between::<u8>(1, 300);
        assert_eq!(
            parse("300").map_err(|e| e.to_string()),
            Err("expected a number from 1 to 300".to_owned())
        );
        assert_eq!(parse("255").unwrap(), 255);
        assert!(["0", "301", "x", "-1", "1.5", ""].iter().all(|text| parse(text).is_err()));
    }

    #[test]
    fn arguments_are_named_without_what_they_take() {
        let named = ["--dice <DICE>", "<GAME>", "[TOPIC]", "<EXPR>...", "--seed=x"].map(name_of);
        assert_eq!(named, ["--dice", "GAME", "TOPIC", "EXPR", "--seed"]);
    }
}
