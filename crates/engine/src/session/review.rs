//! The receipt at the beginning of a game, and the review, which lists everything that a player
//! might want to question.

use indexmap::IndexSet;
use schemars::JsonSchema;
use serde::Serialize;

use super::history::{Amendment, Entry};
use super::record::FORM;
use super::reload::RulesReload;
use super::seal::sha256;
use super::{RecordedAction, Session};
use crate::referee::Event;
use crate::ruleset::{FileText, ShippedFiles};

/// The facts that identify the dice and the rules, fixed before the first roll.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Receipt {
    /// The seal: the hash of the seed.
    pub seal: String,
    /// The text given with `--seed`; `None` if the seed came from the operating system.
    pub seed_text: Option<String>,
    /// The rules that the game is played with.
    pub rules: RulesReceipt,
    /// The version number of the journal's format.
    pub form: u32,
    /// The version number of the recipe that derives dice and heads from the seed.
    pub recipe: u32,
}

/// The identity of a game's rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RulesReceipt {
    /// The game that was chosen: the name of a game that comes with the program, or a path.
    pub game: String,
    /// True if the rules are the same as those of the game with this name that comes with the
    /// program.
    pub as_shipped: bool,
    /// The first 32 hexadecimal digits of a hash of the files' texts and scenario names.
    pub hash: String,
}

impl RulesReceipt {
    /// Returns the receipt of a ruleset's files, which are compared with those that come with the
    /// program under the name `game`.
    pub fn of(game: &str, files: &[FileText], shipped: ShippedFiles) -> RulesReceipt {
        let identities = file_identities(files);
        let as_shipped = shipped(game).is_some_and(|own| file_identities(&own) == identities);
        let mut hash = sha256(identities.as_bytes());
        hash.truncate(32);
        RulesReceipt { game: game.to_owned(), as_shipped, hash }
    }
}

/// Returns a line for each file: the SHA-256 of its text, and the name of its scenario if it has
/// one. Without the names, two files could swap their scenarios unnoticed.
fn file_identities(files: &[FileText]) -> String {
    let identity = |file: &FileText| {
        let scenario = file.scenario.as_ref().map_or(String::new(), |name| format!(" {name}"));
        format!("{}{scenario}\n", sha256(file.text.as_bytes()))
    };
    files.iter().map(identity).collect()
}

/// A command or another event that a player may have a question about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReviewedCommand {
    /// The number of the command. For a break, the number of the last command before it; for a
    /// reload, that of the first command under the new rules; for a preview, that of the command
    /// that was to be amended. `None` for a previewed new command.
    pub number: Option<u64>,
    /// The line of the command, or a description of the event.
    pub words: String,
}

/// The facts about a session that a player may have questions about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Review {
    /// The commands that rolled dice but are no longer in force, because they were undone or
    /// dropped by an amendment.
    pub undone: Vec<ReviewedCommand>,
    /// The amendments, each with the old line and the new line of the command.
    pub amended: Vec<ReviewedCommand>,
    /// The commands, or planned amendments, whose dice were previewed but not used.
    pub looked: Vec<ReviewedCommand>,
    /// The rulings with which the umpire changed results.
    pub overruled: Vec<ReviewedCommand>,
    /// The commands on which the umpire insisted, so that any refusal was overridden, except
    /// rulings.
    pub insisted: Vec<ReviewedCommand>,
    /// The commands with which the umpire changed the table without a rule (`set`, `add`, `remove`
    /// and `option`), except rulings.
    pub edited: Vec<ReviewedCommand>,
    /// The commands that rolled dice outside any rule, including secret rolls.
    pub idle_rolls: Vec<ReviewedCommand>,
    /// The commands whose dice were real dice, typed in by the umpire.
    pub by_hand: Vec<ReviewedCommand>,
    /// The commands whose dice were rolled from the seed after it was revealed. Anyone could have
    /// predicted those dice.
    pub after_reveal: Vec<ReviewedCommand>,
    /// The reloads of the rules.
    pub reloads: Vec<ReviewedCommand>,
    /// The resumptions of the session, each with the number of the last command before it.
    pub breaks: Vec<ReviewedCommand>,
    /// The words that the players mixed in. Each entry also has the number of the first throw that
    /// its words affect.
    pub words: Vec<(u64, String)>,
    /// The number of throws that took dice from the seed, without the set-up.
    pub throws: u64,
    /// The number of dice in the set-up, which were rolled before anyone could mix in words.
    pub set_up_dice: usize,
    /// The text given with `--seed`; `None` if, according to the session, the seed came from the
    /// operating system.
    pub seed_text: Option<String>,
    /// The version number of the journal's format.
    pub form: u32,
    /// The version number of the recipe that derives dice and heads from the seed.
    pub recipe: u32,
    /// The number of the last command added to the review so far.
    #[serde(skip)]
    last: u64,
    /// True once the seed has been revealed.
    #[serde(skip)]
    pub(super) is_revealed: bool,
    /// The numbers of the commands that rolled dice but are no longer in force.
    #[serde(skip)]
    without_effect: IndexSet<u64>,
}

impl Session {
    /// Returns everything that is fixed before the first roll.
    pub fn receipt(&self) -> Receipt {
        Receipt {
            seal: self.start.seal.clone(),
            seed_text: self.start.seed_text.clone(),
            rules: self.rules_receipt(&self.files),
            form: FORM,
            recipe: self.start.recipe,
        }
    }

    /// Returns the receipt of some files that the game was played with.
    fn rules_receipt(&self, files: &[FileText]) -> RulesReceipt {
        RulesReceipt::of(&self.start.game, files, self.shipped)
    }

    /// Returns the review of the session so far.
    pub fn review(&self) -> Review {
        let mut review = Review {
            words: self.keys.words().to_vec(),
            throws: self.keys.next_throw().saturating_sub(1),
            set_up_dice: self.start.set_up.face_count(),
            seed_text: self.start.seed_text.clone(),
            form: FORM,
            recipe: self.start.recipe,
            without_effect: self.rolled_without_effect(),
            ..Review::default()
        };
        self.log.iter().for_each(|logged| logged.add_to_review(&mut review, self));
        review
    }

    /// Returns the numbers of the commands that rolled dice, originally or when they were amended,
    /// but are not in force. Their dice were seen but don't count.
    fn rolled_without_effect(&self) -> IndexSet<u64> {
        let versions = self.log.iter().flat_map(|logged| logged.what.commands());
        let rolled = versions.filter(|entry| !entry.outcome.dice.is_empty());
        let in_force: IndexSet<u64> = self.entries().iter().map(|entry| entry.number).collect();
        rolled.map(|entry| entry.number).filter(|number| !in_force.contains(number)).collect()
    }
}

impl Review {
    pub(super) fn add_command(&mut self, entry: &Entry) {
        self.last = entry.number;
        if self.without_effect.contains(&entry.number) {
            self.undone.push(ReviewedCommand::of(entry, ""));
        }
        self.add_decision(entry);
    }

    /// Adds the decisions in a new or amended command with which the umpire went beyond the rules.
    /// Also adds the command if its dice are real, or were rolled after the seed was revealed.
    fn add_decision(&mut self, entry: &Entry) {
        let outcome = &entry.outcome;
        if entry.reason.is_some() {
            self.overruled.push(ReviewedCommand::of(entry, ""));
        } else if entry.insist || outcome.events.iter().any(|e| matches!(e, Event::Insisted(_))) {
            self.insisted.push(ReviewedCommand::of(entry, ""));
        }
        match &entry.action {
            RecordedAction::Set { .. } if entry.reason.is_some() => {}
            RecordedAction::Set { .. } | RecordedAction::Add { .. } => {
                self.edited.push(ReviewedCommand::of(entry, ""));
            }
            RecordedAction::Remove { .. } => self.edited.push(ReviewedCommand::of(entry, "")),
            RecordedAction::Roll { .. } => self.idle_rolls.push(ReviewedCommand::of(entry, "")),
            RecordedAction::Rule { .. } | RecordedAction::Next => {}
            RecordedAction::Note(_) | RecordedAction::Order { .. } => {}
        }
        if outcome.dice.is_empty() {
            return;
        }
        if outcome.physical {
            self.by_hand.push(ReviewedCommand::of(entry, ""));
        } else if self.is_revealed {
            self.after_reveal.push(ReviewedCommand::of(entry, ""));
        }
    }

    pub(super) fn add_amendment(&mut self, amendment: &Amendment) {
        if let (Some(old), Some(new)) = (amendment.before.first(), amendment.now.first()) {
            self.amended.push(ReviewedCommand::of(old, &format!(" → {}", new.line)));
            self.add_decision(new);
        }
    }

    pub(super) fn add_reload(&mut self, rules: &RulesReload, session: &Session) {
        let receipt = session.rules_receipt(&rules.files);
        let as_shipped = if receipt.as_shipped { ", as shipped" } else { "" };
        let words = format!("rules {}{as_shipped}", receipt.hash);
        self.reloads.push(ReviewedCommand { number: Some(rules.from), words });
    }

    pub(super) fn add_resume(&mut self, version: &str) {
        let words = format!("resumed with adjutant {version}");
        self.breaks.push(ReviewedCommand { number: Some(self.last), words });
    }
}

impl ReviewedCommand {
    fn of(entry: &Entry, more: &str) -> ReviewedCommand {
        ReviewedCommand { number: Some(entry.number), words: format!("{}{more}", entry.line) }
    }
}
