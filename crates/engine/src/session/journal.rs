//! The format of a journal: lines, each with a checksum that covers the line and all lines before
//! it.
//!
//! A line is a JSON object that begins with its checksum and its length:
//! `{"sum":"…","len":412,"v":2,…}`. The checksum consists of the first 32 hexadecimal digits of the
//! SHA-256 of two texts: the previous checksum ([`FIRST_CHECKSUM`] for the first line), and the
//! rest of the line itself from the key `len` up to, but not including, the line feed. A line that
//! was changed, duplicated, moved, or removed from the middle is therefore detected. The length is
//! the number of bytes from the key after it up to, but not including, the line feed. It shows that
//! a line is complete even if the line feed is damaged. The record is the last value of the object.

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::record::{FORM, Record};

/// The text that takes the place of the previous checksum in the first line.
const FIRST_CHECKSUM: &str = "adjutant journal";
/// The text at the beginning of a line, before the checksum.
const LINE_START: &[u8] = b"{\"sum\":\"";
/// The text after the checksum.
const CHECKSUM_END: &[u8] = b"\",";
/// The key of the length.
const LENGTH_KEY: &[u8] = b"\"len\":";
/// The number of hexadecimal digits in a checksum.
const CHECKSUM_DIGITS: usize = 32;

/// The key of the record, which is the last key in a line.
const RECORD_KEY: &str = "\"do\":";

/// The content of a line without its checksum and length. It includes the exact text of the record,
/// which is hashed into the heads.
#[derive(Debug)]
pub struct JournalLine<'a> {
    /// The time of the record, in milliseconds since 1970. Records that result from the same typed
    /// line have the same time. The time does not affect the game.
    pub at: u64,
    /// The number of the turn after the record, for lists of sessions.
    pub turn: i64,
    /// The record, parsed.
    pub what: Record,
    /// The JSON text of the record, exactly as written.
    pub(super) written: &'a str,
}

/// The checksum of the last line, or [`FIRST_CHECKSUM`] if there is none. The next checksum is
/// computed from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChecksumChain(String);

impl ChecksumChain {
    pub(super) fn new() -> ChecksumChain {
        ChecksumChain(FIRST_CHECKSUM.to_owned())
    }

    /// Returns the checksum of the next line; `rest` is the part of that line after its checksum.
    fn next(&self, rest: &[u8]) -> ChecksumChain {
        let mut hash = Sha256::new();
        hash.update(self.0.as_bytes());
        hash.update(rest);
        ChecksumChain(base16ct::lower::encode_string(&hash.finalize()[..CHECKSUM_DIGITS / 2]))
    }

    /// Returns the line for a record, including its line feed, and the chain after it. `written` is
    /// the JSON text of the record.
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

    /// Verifies the checksum of a line, which is given without its line feed, and parses the line.
    /// Returns the line and the chain after it.
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

/// The keys between the length and the record of a line.
#[derive(Deserialize)]
struct LineHeader {
    v: u32,
    at: u64,
    turn: i64,
}

/// Returns the format version of a journal line if this program cannot read that version; `None`
/// for any other line. The checksum is not verified.
pub fn other_form(line: &[u8]) -> Option<u32> {
    match parse(line) {
        Err(JournalLineError::OtherForm(form)) => Some(form),
        Ok(_) | Err(_) => None,
    }
}

/// Parses the JSON of a line, without verifying its checksum.
fn parse(json: &[u8]) -> Result<JournalLine<'_>, JournalLineError> {
    // Serde parses text faster than bytes.
    let text = std::str::from_utf8(json).map_err(|_| JournalLineError::NotText)?;
    // Quotation marks in a string are escaped, so this text can only be a key. If it were the key
    // of a nested object, the part before it could not be parsed.
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

/// Returns the part of a line after its length, and the length that the line states. Returns `None`
/// if it states none. `rest` is the part after the checksum.
fn body_and_length(rest: &[u8]) -> Option<(&[u8], usize)> {
    let rest = rest.strip_prefix(LENGTH_KEY)?;
    let end = rest.iter().position(|b| !b.is_ascii_digit())?;
    let (digits, rest) = rest.split_at(end);
    let length = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some((rest.strip_prefix(b",")?, length))
}

/// Returns the number of bytes in the first of these lines without its line feed, according to the
/// length that the line states. Returns `None` if it states none, or one that is greater than the
/// number of bytes that follow.
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
    #[error("it is a record in format {0}; this program reads format {FORM}")]
    OtherForm(u32),
}

/// A damaged line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedLine {
    /// The number of the line, from 1.
    pub line: usize,
    /// The reason why the line counts as damaged, in words.
    pub reason: String,
}

/// A reader of a journal that stops at the first damaged or incomplete line.
#[derive(Clone, Debug)]
pub(super) struct JournalLines<'a> {
    /// The bytes that have not been read yet.
    rest: &'a [u8],
    /// The progress of the reader.
    pub read: JournalProgress,
}

/// The progress of a [`JournalLines`] reader, and its reason for stopping.
#[derive(Clone, Debug)]
pub(super) struct JournalProgress {
    /// The number of records read.
    pub records: usize,
    /// The number of bytes in the lines of these records.
    pub whole: usize,
    /// The chain after the last of these records.
    pub chain: ChecksumChain,
    /// The version of the next line's format if this program cannot read that version.
    pub other_form: Option<u32>,
    /// True if the last record is complete, but its line feed is missing or damaged.
    pub unended: bool,
    /// The number of bytes in an incomplete line after the records.
    pub torn: usize,
    /// True if parts of the incomplete line are zeros. The line may have been complete before a
    /// crash.
    pub zeroed: bool,
    /// The next line, if it is damaged.
    pub damage: Option<DamagedLine>,
}

/// The state of a line's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEnding {
    /// The line ends with a line feed.
    Whole,
    /// The journal ends before the line does.
    Missing,
    /// Another byte is found where the line feed should be.
    Damaged,
}

/// Returns the number of bytes in the first of these lines, with and without its line feed, and the
/// state of its end.
fn line_end(bytes: &[u8]) -> (usize, usize, LineEnding) {
    // If the line states its length, it can be separated from the next line even if its line feed
    // is damaged.
    let end = stated_length(bytes).or_else(|| bytes.iter().position(|&b| b == b'\n'));
    match end.and_then(|end| Some((end, bytes.get(end)?))) {
        Some((end, b'\n')) => (end + 1, end, LineEnding::Whole),
        Some((end, _)) => (end + 1, end, LineEnding::Damaged),
        None => (bytes.len(), bytes.len(), LineEnding::Missing),
    }
}

/// The minimum number of successive zero bytes in a hole. Damage to a single byte cannot cause a
/// hole.
const MIN_HOLE: usize = 16;

/// Returns true if part of a line seems never to have been written to disk. Such a part consists of
/// zero bytes, which no intact line contains.
fn has_hole(line: &[u8]) -> bool {
    line.windows(MIN_HOLE).any(|bytes| bytes == [0; MIN_HOLE])
}

impl<'a> JournalLines<'a> {
    /// Returns a reader for a journal.
    pub(super) fn of(bytes: &'a [u8]) -> JournalLines<'a> {
        JournalLines::after(ChecksumChain::new(), bytes)
    }

    /// Returns a reader for the lines of a journal after the line that `chain` belongs to.
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
            // A damaged line feed is ignored in the last line. In any other line, it counts as
            // damage.
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
            // If the rest of the journal has no line feed, the line was never finished.
            Err(_) if !self.rest.contains(&b'\n') => self.read.torn = length,
            // The disk may write the end of a line before its beginning.
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

/// Returns the lines in the last bytes of a journal, the latest first, without those that can't be
/// parsed. Checksums are not verified, so the function is suitable for lists of sessions but not
/// for play.
pub fn records_backwards(tail: &[u8]) -> impl Iterator<Item = JournalLine<'_>> {
    tail.rsplit(|&b| b == b'\n').filter_map(|line| parse(line).ok())
}
