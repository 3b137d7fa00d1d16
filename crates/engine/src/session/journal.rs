//! The format of a journal: lines, each with a checksum that covers all lines before it.
//!
//! A line is a JSON object that begins with its checksum and its length:
//! `{"sum":"…","len":412,"v":2,…}`. The checksum is the first 32 hexadecimal digits of the SHA-256
//! of the previous checksum ([`FIRST_CHECKSUM`] for the first line) and of all following bytes of
//! its own line. So a line that was changed, removed, duplicated or moved is detected. The length
//! counts the bytes after it, up to the line feed, so that a line is known to be complete even if
//! the line feed is damaged. The record comes last on its line.

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::record::{FORM, Record};

/// The checksum before the first line.
const FIRST_CHECKSUM: &str = "adjutant journal";
/// The beginning of a line.
const LINE_START: &[u8] = b"{\"sum\":\"";
/// The text after the checksum.
const CHECKSUM_END: &[u8] = b"\",";
/// The key of the length.
const LENGTH_KEY: &[u8] = b"\"len\":";
/// The number of digits in a checksum.
const CHECKSUM_DIGITS: usize = 32;

/// The key of the record, which is the last key in a line.
const RECORD_KEY: &str = "\"do\":";

/// The content of a line other than its checksum and length, including the exact text of its
/// record: heads cover that text, and only that text is parsed as the record.
#[derive(Debug)]
pub struct JournalLine<'a> {
    /// The time of the first record that the same typed line led to, in milliseconds since 1970; it
    /// does not affect the game.
    pub at: u64,
    /// The turn after the record, for lists of sessions.
    pub turn: i64,
    /// The record in the line.
    pub what: Record,
    /// The exact text of the record.
    pub(super) written: &'a str,
}

/// The checksum of the last line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChecksumChain(String);

impl ChecksumChain {
    pub(super) fn new() -> ChecksumChain {
        ChecksumChain(FIRST_CHECKSUM.to_owned())
    }

    /// Returns the checksum of a line after this one.
    fn next(&self, rest: &[u8]) -> ChecksumChain {
        let mut hash = Sha256::new();
        hash.update(self.0.as_bytes());
        hash.update(rest);
        ChecksumChain(base16ct::lower::encode_string(&hash.finalize()[..CHECKSUM_DIGITS / 2]))
    }

    /// Returns the line for a record with this text, including its end, and the chain after it.
    pub(super) fn line(&self, at: u64, turn: i64, written: &str) -> (Vec<u8>, ChecksumChain) {
        let body = format!("\"v\":{FORM},\"at\":{at},\"turn\":{turn},{RECORD_KEY}{written}}}");
        let rest = format!("\"len\":{},{body}", body.len()).into_bytes();
        let chain = self.next(&rest);
        let mut line = Vec::with_capacity(
            rest.len() + LINE_START.len() + CHECKSUM_DIGITS + CHECKSUM_END.len() + 1,
        );
        line.extend_from_slice(LINE_START);
        line.extend_from_slice(chain.0.as_bytes());
        line.extend_from_slice(CHECKSUM_END);
        line.extend_from_slice(&rest);
        line.push(b'\n');
        (line, chain)
    }

    /// Parses a line without its end.
    fn read<'a>(
        &self,
        line: &'a [u8],
    ) -> Result<(JournalLine<'a>, ChecksumChain), JournalLineError> {
        let split = line.strip_prefix(LINE_START).and_then(|l| l.split_at_checked(CHECKSUM_DIGITS));
        let parts = split.and_then(|(sum, l)| Some((sum, l.strip_prefix(CHECKSUM_END)?)));
        let (sum, rest) = parts.ok_or(JournalLineError::Head)?;
        let chain = self.next(rest);
        if chain.0.as_bytes() != sum {
            return Err(JournalLineError::Sum);
        }
        Ok((parse(line)?, chain))
    }
}

/// The keys of a line before its record.
#[derive(Deserialize)]
struct LineHeader {
    v: u32,
    at: u64,
    turn: i64,
}

/// Returns the format of a journal's line, if this program does not read that format.
pub fn other_form(line: &[u8]) -> Option<u32> {
    match parse(line) {
        Err(JournalLineError::OtherForm(form)) => Some(form),
        Ok(_) | Err(_) => None,
    }
}

/// Parses the JSON of a line.
fn parse(json: &[u8]) -> Result<JournalLine<'_>, JournalLineError> {
    // Text is parsed faster than bytes.
    let text = std::str::from_utf8(json).map_err(|_| JournalLineError::NotText)?;
    // Quotation marks in a string are escaped, so this is a key; the part in front of it can only
    // be parsed if it is a key of the line itself.
    let (before, rest) = text.split_once(RECORD_KEY).ok_or(JournalLineError::Form)?;
    let (before, written) =
        before.strip_suffix(',').zip(rest.strip_suffix('}')).ok_or(JournalLineError::Form)?;
    let LineHeader { v, at, turn } = serde_json::from_str(&format!("{before}}}"))?;
    if v != FORM {
        return Err(JournalLineError::OtherForm(v));
    }
    let what = serde_json::from_str(written)?;
    Ok(JournalLine { at, turn, what, written })
}

/// Returns the part of a line after its length, and that length; `None` if the line has no length.
fn body_and_length(rest: &[u8]) -> Option<(&[u8], usize)> {
    let rest = rest.strip_prefix(LENGTH_KEY)?;
    let end = rest.iter().position(|b| !b.is_ascii_digit())?;
    let (digits, rest) = rest.split_at(end);
    let length = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some((rest.strip_prefix(b",")?, length))
}

/// Returns the number of bytes of the first line without its end, as stated by the length in it;
/// `None` if it has no length.
fn stated_length(bytes: &[u8]) -> Option<usize> {
    let before = LINE_START.len() + CHECKSUM_DIGITS + CHECKSUM_END.len();
    let rest = bytes.get(before..).filter(|_| bytes.starts_with(LINE_START))?;
    let (body, length) = body_and_length(rest)?;
    (length <= body.len()).then(|| bytes.len() - body.len() + length)
}

/// The reason why a line is damaged.
#[derive(Debug, thiserror::Error)]
enum JournalLineError {
    #[error("it does not begin with a checksum")]
    Head,
    #[error("it was changed, or a line before it is missing or duplicated")]
    Sum,
    #[error("its end is damaged")]
    End,
    #[error("it cannot be read: it is not UTF-8")]
    NotText,
    #[error("it cannot be read: it does not end with a record")]
    Form,
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    #[error("it is a record of form {0}; this program reads form {FORM}")]
    OtherForm(u32),
}

/// A damaged line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedLine {
    /// The number of the line, from 1.
    pub line: usize,
    /// The reason why the line counts as damaged.
    pub reason: String,
}

/// A reader of a journal that stops at the first damaged line.
#[derive(Clone, Debug)]
pub(super) struct JournalLines<'a> {
    /// The bytes that have not been read yet.
    rest: &'a [u8],
    /// The part that has been read.
    pub read: JournalProgress,
}

/// The part of a journal that has been read.
#[derive(Clone, Debug)]
pub(super) struct JournalProgress {
    /// The number of records in this part.
    pub records: usize,
    /// The number of bytes in these records.
    pub whole: usize,
    /// The checksum of the last record.
    pub chain: ChecksumChain,
    /// The format of the next line, if it is a different one.
    pub other_form: Option<u32>,
    /// True if the last line only lacks its line feed.
    pub unended: bool,
    /// The number of bytes in an incomplete line after the records.
    pub torn: usize,
    /// True if parts of that line are zeros, which means that the line may once have been complete.
    pub zeroed: bool,
    /// The damage of the next line.
    pub damage: Option<DamagedLine>,
}

/// The end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEnding {
    /// A line feed.
    Whole,
    /// The end of the journal.
    Missing,
    /// Another byte, after the full length of the line.
    Damaged,
}

/// Returns the number of bytes of the first line, with and without its end, and how the line ends.
fn line_end(bytes: &[u8]) -> (usize, usize, LineEnding) {
    // If the line states its length, a damaged line feed does not join it to the next.
    let end = stated_length(bytes).or_else(|| bytes.iter().position(|&b| b == b'\n'));
    match end.and_then(|end| Some((end, bytes.get(end)?))) {
        Some((end, b'\n')) => (end + 1, end, LineEnding::Whole),
        Some((end, _)) => (end + 1, end, LineEnding::Damaged),
        None => (bytes.len(), bytes.len(), LineEnding::Missing),
    }
}

/// A hole has at least this many successive zero bytes, which damage to a single byte cannot cause.
const MIN_HOLE: usize = 16;

/// Returns true if part of a line was never written to disk: it consists of zeros, which no line
/// contains.
fn has_hole(line: &[u8]) -> bool {
    line.windows(MIN_HOLE).any(|bytes| bytes == [0; MIN_HOLE])
}

impl<'a> JournalLines<'a> {
    /// Returns a reader for a journal.
    pub(super) fn of(bytes: &'a [u8]) -> JournalLines<'a> {
        JournalLines::after(ChecksumChain::new(), bytes)
    }

    /// Returns a reader for the part of a journal after a line with this checksum.
    pub(super) fn after(chain: ChecksumChain, bytes: &'a [u8]) -> JournalLines<'a> {
        let read = JournalProgress {
            records: 0,
            whole: 0,
            chain,
            other_form: None,
            unended: false,
            torn: 0,
            zeroed: false,
            damage: None,
        };
        JournalLines { rest: bytes, read }
    }
}

impl<'a> Iterator for JournalLines<'a> {
    type Item = JournalLine<'a>;

    fn next(&mut self) -> Option<JournalLine<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (length, end, ending) = line_end(self.rest);
        let line = &self.rest[..end];
        let after = &self.rest[length..];
        let read = match self.read.chain.read(line) {
            // The last line is complete even if its line feed is damaged; if other lines follow, it
            // counts as damaged.
            Ok(_) if ending == LineEnding::Damaged && !after.is_empty() => {
                Err(JournalLineError::End)
            }
            read => read,
        };
        match read {
            Ok((body, chain)) => {
                self.read.records += 1;
                self.read.whole += end + usize::from(ending == LineEnding::Whole);
                self.read.unended = ending != LineEnding::Whole;
                self.read.chain = chain;
                self.rest = after;
                return Some(body);
            }
            // If there is a line feed further on, the line is damaged; if not, it was never
            // finished.
            Err(_) if !self.rest.contains(&b'\n') => self.read.torn = length,
            // The end of a line can reach the disk before its beginning.
            Err(_) if after.is_empty() && has_hole(line) => {
                self.read.torn = length;
                self.read.zeroed = true;
            }
            Err(error) => {
                if let JournalLineError::OtherForm(form) = error {
                    self.read.other_form = Some(form);
                }
                self.read.damage =
                    Some(DamagedLine { line: self.read.records + 1, reason: error.to_string() });
            }
        }
        self.rest = &[];
        None
    }
}

/// Returns the records in the last bytes of a journal, the latest first, without reading the
/// earlier ones: the time, the turn, and the typed text. Checksums are not verified: this is for
/// lists of sessions, not for play.
pub fn records_backwards(tail: &[u8]) -> impl Iterator<Item = JournalLine<'_>> {
    tail.rsplit(|&b| b == b'\n').filter_map(|line| parse(line).ok())
}
