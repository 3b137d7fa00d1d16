//! Source files as they were read, and spans in them.
//!
//! A [`Span`] is a range of bytes in one file of a [`Sources`] store. Rule text is written in TOML
//! strings; a [`StringMap`] maps an offset in the value of a string to an offset in the file. This
//! module does not read the disk: the caller passes in the text.

use std::ops::Range;
use std::sync::Arc;

/// The index of a file in a [`Sources`] store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u32);

/// A range of bytes in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The file that contains the bytes.
    pub file: FileId,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the span of `range` in `file`. Offsets beyond 4 GiB are reduced to 4 GiB.
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        let cut = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { file, start: cut(range.start), end: cut(range.end) }
    }

    /// Returns the range of bytes, without the file.
    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the smallest span that contains both spans. Both must be in the same file.
    pub(crate) fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A file that was read, with its name and text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The file name that messages show.
    pub name: String,
    /// The text of the whole file.
    pub text: Arc<str>,
}

/// The files of one ruleset, in the order in which they were read.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Returns an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file and returns its id.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile { name: name.into(), text: text.into() });
        id
    }

    /// Returns the file with this id; `None` if it is not in this store.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// Returns the text that a span covers; empty if the span is not within the file.
    pub(crate) fn text(&self, span: Span) -> &str {
        self.get(span.file).and_then(|f| f.text.get(span.range())).unwrap_or("")
    }

    /// Returns the line and the column of a byte offset, both counted from 1. Columns count
    /// characters. An offset after the end of the file counts as its end. Returns `(1, 1)` if the
    /// file is not in this store.
    pub fn line_column(&self, file: FileId, offset: usize) -> (usize, usize) {
        let Some(file) = self.get(file) else { return (1, 1) };
        let mut offset = offset.min(file.text.len());
        while !file.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &file.text[..offset];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        (line, before[start..].chars().count() + 1)
    }
}

/// A map from offsets in the value of a TOML string to offsets in its file.
///
/// In a literal string, both offsets grow at the same rate. In a basic string, each escape is
/// longer than its value, so the map has a table of the offsets at which the difference changes.
/// The default map is empty; it is for text that isn't from a file.
#[derive(Clone, Debug, Default)]
pub struct StringMap {
    file: FileId,
    /// Pairs of an offset in the value and an offset in the file, in ascending order. Between two
    /// entries, both offsets grow at the same rate.
    steps: Vec<(u32, u32)>,
}

impl StringMap {
    /// Returns the map for the TOML string at `span`, which includes its quotes.
    pub fn new(sources: &Sources, span: Span) -> Self {
        let raw = sources.text(span);
        let quote = if raw.starts_with("'''") || raw.starts_with("\"\"\"") { 3 } else { 1 };
        let basic = raw.starts_with('"');
        let bytes = raw.as_bytes();
        let mut at = quote;
        if quote == 3 {
            // A line break directly after the opening quotes is not part of the value.
            if bytes.get(at) == Some(&b'\r') {
                at += 1;
            }
            if bytes.get(at) == Some(&b'\n') {
                at += 1;
            }
        }
        let mut value = 0usize;
        let mut steps = vec![(0, span.start + at as u32)];
        while basic && at < bytes.len().saturating_sub(quote) {
            if bytes[at] != b'\\' {
                at += 1;
                value += 1;
                continue;
            }
            let (taken, gives) = escape_lengths(&raw[at..]);
            at += taken;
            value += gives;
            steps.push((value as u32, span.start + at as u32));
        }
        StringMap { file: span.file, steps }
    }

    /// Returns the map for the part of the value that starts at offset `base`.
    #[must_use]
    pub(crate) fn shifted(&self, base: usize) -> StringMap {
        let first = (0, self.offset(base));
        let base = u32::try_from(base).unwrap_or(u32::MAX);
        let later = self.steps.iter().filter(|s| s.0 > base).map(|&(v, f)| (v - base, f));
        StringMap { file: self.file, steps: std::iter::once(first).chain(later).collect() }
    }

    /// Returns the offset in the file that corresponds to an offset in the value; 0 if the map is
    /// empty.
    pub(crate) fn offset(&self, value: usize) -> u32 {
        let value = u32::try_from(value).unwrap_or(u32::MAX);
        let i = self.steps.partition_point(|&(v, _)| v <= value).saturating_sub(1);
        self.steps.get(i).map_or(0, |&(v, f)| f + (value - v.min(value)))
    }

    /// Returns the span in the file that corresponds to a range in the value.
    pub(crate) fn span(&self, range: Range<usize>) -> Span {
        let start = self.offset(range.start);
        let end = if range.end > range.start { self.offset(range.end - 1) + 1 } else { start };
        Span { file: self.file, start, end: end.max(start) }
    }
}

/// Returns the number of bytes that an escape takes in the source, and the number that it takes in
/// the value.
fn escape_lengths(raw: &str) -> (usize, usize) {
    let bytes = raw.as_bytes();
    let code = |n: usize| {
        let digits = raw.get(2..2 + n).unwrap_or("");
        let scalar = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        (2 + digits.len(), scalar.map_or(1, char::len_utf8))
    };
    match bytes.get(1) {
        Some(b'u') => code(4),
        Some(b'U') => code(8),
        Some(b'x') => code(2),
        Some(b'\n' | b'\r' | b' ' | b'\t') => {
            let white = raw[1..].len() - raw[1..].trim_start().len();
            (1 + white, 0)
        }
        Some(_) => (2, 1),
        None => (1, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_escapes_back_to_the_file() {
        let mut sources = Sources::new();
        let text = "a = \"x\\ty\\u00e9z\"";
        let file = sources.add("t", text);
        let map = StringMap::new(&sources, Span::new(file, 4..text.len()));
        let value = "x\tyéz";
        for (i, c) in value.char_indices() {
            let at = map.offset(i) as usize;
            match c {
                '\t' => assert_eq!(&text[at..at + 2], "\\t"),
                'é' => assert_eq!(&text[at..at + 6], "\\u00e9"),
                c => assert_eq!(text[at..].chars().next(), Some(c)),
            }
        }
    }

    #[test]
    fn literal_block_strings_skip_the_first_newline() {
        let mut sources = Sources::new();
        let text = "a = '''\nfire'''";
        let file = sources.add("t", text);
        let map = StringMap::new(&sources, Span::new(file, 4..text.len()));
        assert_eq!(sources.text(map.span(0..4)), "fire");
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        let mut sources = Sources::new();
        let file = sources.add("t", "é1\n23");
        assert_eq!(sources.line_column(file, 2), (1, 2));
        assert_eq!(sources.line_column(file, 5), (2, 2));
        assert_eq!(sources.line_column(file, 99), (2, 3));
    }
}
