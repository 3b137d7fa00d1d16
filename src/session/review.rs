//! The receipt at the beginning of an evening, and at its end everything a player may want to ask about.

use std::sync::Arc;

use serde::Serialize;

use super::history::{Entry, Step};
use super::record::Record;
use super::seal::sha256;
use super::{Session, Standing};
use crate::referee::Event;
use crate::ruleset::{FileText, shipped};

/// All that is fixed before the first die falls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// The hash of the seed.
    pub seal: String,
    /// The text the seed was made from; none if the operating system gave it.
    pub seed_text: Option<String>,
    /// The rules.
    pub rules: RulesReceipt,
    /// The players' words at the start.
    pub words: Vec<String>,
}

/// Which rules a game is played by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RulesReceipt {
    /// The game as it was chosen.
    pub game: String,
    /// True if they are those this program came with.
    pub as_shipped: bool,
    /// The first sixteen digits of the hash of all files.
    pub hash: String,
}

impl RulesReceipt {
    pub(super) fn of(game: &str, files: &[FileText]) -> RulesReceipt {
        let texts = |files: &[FileText]| -> Vec<String> {
            files.iter().map(|file| sha256(file.text.as_bytes())).collect()
        };
        let (hashes, own) = (texts(files), shipped::files(game));
        let as_shipped = own.is_some_and(|own| texts(&own) == hashes);
        let mut hash = sha256(hashes.concat().as_bytes());
        hash.truncate(16);
        RulesReceipt { game: game.to_owned(), as_shipped, hash }
    }
}

/// A command that may be asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// Its number; none if it was never accepted.
    pub number: Option<u64>,
    /// Its line, and what is to be said about it.
    pub words: String,
}

/// Everything a player may want to ask about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Review {
    /// Commands whose dice fell and that were taken back.
    pub undone: Vec<Asked>,
    /// Commands that got other words.
    pub amended: Vec<Asked>,
    /// Dice that were looked at and not taken.
    pub looked: Vec<Asked>,
    /// Rulings against the rules.
    pub overruled: Vec<Asked>,
    /// Commands that were insisted on against a refusal.
    pub insisted: Vec<Asked>,
    /// Commands whose dice were typed in.
    pub by_hand: Vec<Asked>,
    /// Rules that were read again.
    pub reloads: Vec<Asked>,
    /// Breaks after which play went on, with the command before.
    pub breaks: Vec<Asked>,
    /// The players' words with the first throw they count for.
    pub words: Vec<(u64, String)>,
    /// The number of throws.
    pub throws: u64,
}

impl Session {
    /// Returns what is fixed before the first die falls.
    pub fn receipt(&self) -> Receipt {
        Receipt {
            seal: self.start.seal.clone(),
            seed_text: self.start.seed_text.clone(),
            rules: RulesReceipt::of(&self.start.game, &self.files),
            words: self.start.words.clone(),
        }
    }

    /// Returns what a player may want to ask about.
    pub fn review(&self) -> Review {
        let mut review = Review {
            words: self.keys.words().to_vec(),
            throws: self.keys.next().saturating_sub(1),
            ..Review::default()
        };
        let of = |entry: &Arc<Entry>, more: &str| Asked {
            number: Some(entry.number),
            words: format!("{}{more}", entry.line),
        };
        let mut last = 0;
        for (logged, standing) in self.log.iter().zip(self.standings()) {
            match &logged.what {
                Record::Command(entry) => {
                    last = entry.number;
                    if standing == Standing::TakenBack && !entry.outcome.dice.is_empty() {
                        review.undone.push(of(entry, ""));
                    }
                    if entry.reason.is_some() {
                        review.overruled.push(of(entry, ""));
                    } else if entry.outcome.events.iter().any(|e| matches!(e, Event::Insisted(_))) {
                        review.insisted.push(of(entry, ""));
                    }
                    if entry.outcome.physical && !entry.outcome.dice.is_empty() {
                        review.by_hand.push(of(entry, ""));
                    }
                }
                Record::Amend(_) => {
                    for step in &logged.steps {
                        if let Step::Amendment(amendment) = step
                            && let (Some(old), Some(new)) =
                                (amendment.before.first(), amendment.now.first())
                        {
                            review.amended.push(of(old, &format!(" → {}", new.line)));
                        }
                    }
                }
                Record::Look(look) => {
                    review.looked.push(Asked { number: look.number, words: look.line.clone() });
                }
                Record::Reload(record) => {
                    let files: Vec<FileText> = record.file_texts();
                    let rules = RulesReceipt::of(&self.start.game, &files);
                    let as_shipped = if rules.as_shipped { ", as shipped" } else { "" };
                    let words = format!("rules {}{as_shipped}", rules.hash);
                    review.reloads.push(Asked { number: Some(record.from), words });
                }
                Record::Resume(version) => review.breaks.push(Asked {
                    number: Some(last),
                    words: format!("resumed with adjutant {version}"),
                }),
                Record::Start(_)
                | Record::Undo(_)
                | Record::Redo(_)
                | Record::Dice(_)
                | Record::Words(_)
                | Record::AskRandom(_)
                | Record::Reveal(_) => {}
            }
        }
        review
    }
}
