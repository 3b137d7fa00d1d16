//! The names that a session can have, which are also the names of folders.

/// A name that is not valid for a session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` cannot be the name of a session: use letters, digits, `-`, `_` and `.`, with a letter or digit first and no `.` last, and avoid the names of Windows devices such as `con` or `com1`"
)]
pub struct NameError(String);

/// Checks that a folder can have this name on every system.
///
/// # Errors
/// Fails if some system could refuse the name, if it begins with a punctuation mark, or if it is
/// longer than 80 characters.
pub fn check_session_name(name: &str) -> Result<(), NameError> {
    let first = name.chars().next().is_some_and(char::is_alphanumeric);
    let long = name.chars().count() > 80;
    if first && !long && name.chars().all(is_plain) && !name.ends_with('.') && !is_device(name) {
        return Ok(());
    }
    let shown: String = name.chars().take(80).flat_map(char::escape_default).collect();
    Err(NameError(shown))
}

/// Returns true for a character that is valid in the name of a session.
pub(super) fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// Returns true for the names that Windows reserves for devices, with or without an extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let numbered = stem.strip_prefix("com").or(stem.strip_prefix("lpt"));
    matches!(&*stem, "con" | "prn" | "aux" | "nul")
        || numbered.is_some_and(|n| n.len() == 1 && n.chars().all(|c| c.is_ascii_digit()))
}
