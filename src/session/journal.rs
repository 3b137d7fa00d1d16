//! The form of a journal: lines, each sealed to all before it.
//!
//! A line is a JSON object that begins with its checksum: `{"sum":"…","v":1,…}`. The checksum is the SHA-256 of
//! the checksum before it (of [`FIRST`] for the first line) and of all bytes that follow it on its own line, its
//! first 32 hexadecimal digits. So a line that was changed, left out, doubled or moved is found.

use sha2::{Digest, Sha256};

use super::record::{Body, VERSION};

/// What stands for the checksum before the first line.
const FIRST: &str = "adjutant journal";
/// How a line begins.
const HEAD: &[u8] = b"{\"sum\":\"";
/// What follows the checksum.
const AFTER: &[u8] = b"\",";
/// Digits of a checksum.
const DIGITS: usize = 32;

/// The checksum of the last line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chain(String);

impl Chain {
    pub fn new() -> Chain {
        Chain(FIRST.to_owned())
    }

    /// The checksum of a line after this one.
    fn next(&self, rest: &[u8]) -> Chain {
        let mut hash = Sha256::new();
        hash.update(self.0.as_bytes());
        hash.update(rest);
        let digest = hash.finalize();
        Chain(digest.iter().take(DIGITS / 2).map(|b| format!("{b:02x}")).collect())
    }

    /// The line of a record, with its end, and the chain after it.
    pub fn line(&self, body: &Body) -> Result<(Vec<u8>, Chain), serde_json::Error> {
        let json = serde_json::to_vec(body)?;
        let rest = json.get(1..).unwrap_or_default();
        let chain = self.next(rest);
        let mut line = Vec::with_capacity(rest.len() + HEAD.len() + DIGITS + AFTER.len() + 1);
        line.extend_from_slice(HEAD);
        line.extend_from_slice(chain.0.as_bytes());
        line.extend_from_slice(AFTER);
        line.extend_from_slice(rest);
        line.push(b'\n');
        Ok((line, chain))
    }

    /// Reads a line without its end; the error says what is wrong with it.
    fn read(&self, line: &[u8]) -> Result<(Body, Chain), String> {
        let split = line.strip_prefix(HEAD).and_then(|l| l.split_at_checked(DIGITS));
        let parts = split.and_then(|(sum, l)| Some((sum, l.strip_prefix(AFTER)?)));
        let Some((sum, rest)) = parts else {
            return Err("it does not begin with a checksum".to_owned());
        };
        let chain = self.next(rest);
        if chain.0.as_bytes() != sum {
            return Err("it was changed, or a line before it is missing or doubled".to_owned());
        }
        let mut json = Vec::with_capacity(rest.len() + 1);
        json.push(b'{');
        json.extend_from_slice(rest);
        match serde_json::from_slice::<Body>(&json) {
            Ok(body) if body.v <= VERSION => Ok((body, chain)),
            Ok(body) => Err(newer(body.v)),
            Err(error) => {
                let version = serde_json::from_slice::<Versioned>(&json);
                match version {
                    Ok(Versioned { v }) if v > VERSION => Err(newer(v)),
                    _ => Err(format!("it cannot be read: {error}")),
                }
            }
        }
    }
}

#[derive(serde::Deserialize)]
struct Versioned {
    v: u32,
}

fn newer(version: u32) -> String {
    format!("it was written by a newer adjutant (form {version}; this one reads up to {VERSION})")
}

/// A line that cannot be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// What was read of a journal.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    /// The records up to the first that cannot be trusted.
    pub bodies: Vec<Body>,
    /// How many bytes they take.
    pub whole: usize,
    /// The checksum of the last.
    pub chain: Chain,
    /// Whether the last lacks only the end of its line.
    pub unended: bool,
    /// How many bytes of a line that was never finished follow.
    pub torn: usize,
    /// What is wrong with the next line.
    pub damage: Option<Damage>,
}

impl Lines {
    /// Leaves only the first records of these bytes: the line after them is sound, but says what cannot have been.
    pub fn cut(&mut self, bytes: &[u8], records: usize, reason: String) {
        self.bodies.truncate(records);
        let (mut whole, mut last) = (0, &[][..]);
        for line in bytes.split_inclusive(|&b| b == b'\n').take(records) {
            (whole, last) = (whole + line.len(), line);
        }
        let sum = last.get(HEAD.len()..HEAD.len() + DIGITS).unwrap_or_default();
        self.chain = Chain(String::from_utf8_lossy(sum).into_owned());
        (self.whole, self.unended, self.torn) = (whole, false, 0);
        self.damage = Some(Damage { line: records + 1, reason });
    }
}

/// Reads the bytes of a journal.
pub(super) fn read(bytes: &[u8]) -> Lines {
    let mut lines = Lines {
        bodies: Vec::new(),
        whole: 0,
        chain: Chain::new(),
        unended: false,
        torn: 0,
        damage: None,
    };
    for part in bytes.split_inclusive(|&b| b == b'\n') {
        let (line, ended) = match part.split_last() {
            Some((b'\n', line)) => (line, true),
            _ => (part, false),
        };
        match lines.chain.read(line) {
            Ok((body, chain)) => {
                lines.bodies.push(body);
                lines.chain = chain;
                lines.whole += part.len();
                lines.unended = !ended;
            }
            Err(_) if !ended => lines.torn = part.len(),
            Err(reason) => {
                lines.damage = Some(Damage { line: lines.bodies.len() + 1, reason });
                return lines;
            }
        }
    }
    lines
}

/// The records among the last bytes of a journal, the last first, without a look at those before them. Nothing
/// is checked: this is for lists of sessions, not for play.
pub(super) fn backwards(tail: &[u8]) -> impl Iterator<Item = Body> + '_ {
    tail.rsplit(|&b| b == b'\n').filter_map(|line| serde_json::from_slice(line).ok())
}
