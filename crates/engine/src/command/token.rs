//! Splits typed lines into words.

use super::LineError;

/// The maximum length of a line, in bytes.
pub const MAX_LINE: usize = 4096;

/// A word of a typed line, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The word, without quotes.
    pub text: String,
    /// The byte offset of the word in the line.
    pub start: usize,
    /// The byte offset after the end of the word.
    pub end: usize,
    /// True if the word was in quotes.
    pub quoted: bool,
}

/// Punctuation marks after a word.
pub(super) const MARKS: [char; 5] = [',', '.', ';', '!', '?'];

impl Token {
    /// Returns the word in lower case, without the punctuation after it.
    pub(crate) fn bare(&self) -> String {
        self.text.to_lowercase().trim_end_matches(MARKS).to_owned()
    }

    /// Returns the byte offset in the line after the word, without these marks at its end.
    pub(crate) fn end_before(&self, marks: &[char]) -> usize {
        let marked = self.text.len() - self.text.trim_end_matches(marks).len();
        self.end.saturating_sub(marked)
    }
}

/// Splits a line at spaces. Words between double quotes form one token. A `#` at the start of a
/// word begins a remark, which is left out.
pub(crate) fn tokens(line: &str) -> Result<Vec<Token>, LineError> {
    split_at_spaces(line, Some('#'))
}

/// Splits a line at spaces, as in [`tokens`]. If `remark` is given, that character begins a remark
/// if it is at the start of a word. Fails if the line is too long, has a control character, or
/// lacks a closing quote.
pub(super) fn split_at_spaces(line: &str, remark: Option<char>) -> Result<Vec<Token>, LineError> {
    if line.len() > MAX_LINE {
        let message = format!("this line has {} bytes; the limit is {MAX_LINE}", line.len());
        return Err(LineError::new(None, message));
    }
    if let Some(at) = line.find(|c: char| c.is_control() && c != '\t') {
        let message = "this line contains a control character";
        let span = Some((at, at + 1));
        return Err(LineError { span, ..LineError::new(None, message) });
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = line[at..].chars().next() {
        let start = at;
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if Some(c) == remark {
            break;
        } else if c == '"' {
            let inner = start + 1;
            let Some(length) = line[inner..].find('"') else {
                let word = Token { text: String::new(), start, end: line.len(), quoted: true };
                return Err(LineError::new(Some(&word), "this text has no closing `\"`"));
            };
            at = inner + length + 1;
            let text = line[inner..inner + length].to_owned();
            found.push(Token { text, start, end: at, quoted: true });
        } else {
            let rest = &line[start..];
            let length = word_length(rest);
            at = start + length;
            let text = rest[..length].to_owned();
            // A comma between spaces has no meaning.
            if text != "," {
                found.push(Token { text, start, end: at, quoted: false });
            }
        }
    }
    Ok(found)
}

/// Returns the length, in bytes, of the unquoted word that a text begins with. A `"` after a digit
/// at the end of a word means inches and belongs to the word.
fn word_length(text: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || c == '"';
    let length = text.find(ends).unwrap_or(text.len());
    let (word, rest) = text.split_at(length);
    let behind = rest.strip_prefix('"').filter(|_| word.ends_with(|c: char| c.is_ascii_digit()));
    let inches =
        behind.is_some_and(|b| b.is_empty() || b.starts_with([' ', '\t', ',', '?', '.', ';', '!']));
    length + usize::from(inches)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<String> {
        tokens(line).unwrap().into_iter().map(|w| w.text).collect()
    }

    #[test]
    fn splits_at_blanks_and_quotes() {
        assert_eq!(texts("  fight c3  with h1"), ["fight", "c3", "with", "h1"]);
        assert_eq!(texts("note \"two words\" more # remark"), ["note", "two words", "more"]);
        assert!(texts("# nothing").is_empty());
        assert_eq!(texts("a4 , a5, a6"), ["a4", "a5,", "a6"]);
        assert_eq!(
            texts("move t1 9\" \"two words\" 8\""),
            ["move", "t1", "9\"", "two words", "8\""]
        );
        assert_eq!(texts("is it 11\"?"), ["is", "it", "11\"", "?"]);
    }

    #[test]
    fn refuses_what_no_umpire_types() {
        assert!(tokens("a\u{1b}[2Jb").is_err());
        assert!(tokens("say \"open").is_err());
        assert!(tokens(&"x".repeat(MAX_LINE + 1)).is_err());
    }
}
