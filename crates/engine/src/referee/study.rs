//! A study: the simulation of one scenario, either complete or in shards. Shards can be played on
//! different machines and merged.

use serde::Deserialize;

use super::simulate::SimulationResult;

/// A simulation, or a shard of one, as a JSON document with its parameters and results.
#[derive(Clone, Debug, Deserialize)]
pub struct SimulationDocument {
    /// The game that was chosen: a shipped name or a path.
    pub game: String,
    /// The name of the scenario.
    pub scenario: String,
    /// The titles of the game and the scenario.
    pub title: String,
    /// The first 32 hexadecimal digits of the hash of the rules.
    pub rules: String,
    /// The text that the seed was made from, or the seed in hexadecimal.
    pub seed: String,
    /// The value of `--orders`: the orders that the simulated players follow.
    pub orders: String,
    /// The maximum number of threads used at the same time.
    pub threads: usize,
    /// The time that the simulation took, in seconds. For merged shards, it is the sum of their
    /// times.
    pub seconds: f64,
    /// The results of the simulated games.
    #[serde(flatten)]
    pub simulated: SimulationResult,
}

/// The reason why a shard cannot be added to a study.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// The shard belongs to another study: the value of this key differs.
    #[error("belongs to another study: its `{0}` differs")]
    Other(&'static str),
    /// The counts of the shard do not add up to its number of games.
    #[error("is damaged: its counts do not add up")]
    Damaged,
    /// The shard repeats the game with this number.
    #[error("plays game {0} a second time")]
    Repeated(u64),
    /// Games before the shard are missing.
    #[error("comes after games {from} to {}, which are missing\nplay them with `--from {from} --games {}`", .to - 1, .to - .from)]
    Missing {
        /// The number of the first missing game.
        from: u64,
        /// The number of the first game after the missing ones.
        to: u64,
    },
}

impl SimulationDocument {
    /// Adds a shard whose games directly follow the games of this document. The figures are then
    /// the same as if all games had been played in one run. Fails if the shard belongs to another
    /// study or doesn't directly follow.
    pub fn merge(&mut self, shard: SimulationDocument) -> Result<(), MergeError> {
        let ours = &self.simulated;
        let theirs = &shard.simulated;
        let measures = |s: &SimulationResult| -> Vec<_> {
            s.measures.iter().map(|m| (m.name.clone(), m.piece.clone())).collect()
        };
        let same = [
            ("scenario", self.scenario == shard.scenario),
            ("rules", self.rules == shard.rules),
            ("seed", self.seed == shard.seed),
            ("orders", self.orders == shard.orders),
            ("turns", ours.turns == theirs.turns),
            ("measures", measures(ours) == measures(theirs)),
            ("ends", ours.ends.is_some() == theirs.ends.is_some()),
        ];
        if let Some((key, _)) = same.into_iter().find(|(_, same)| !same) {
            return Err(MergeError::Other(key));
        }
        let next = ours.from.saturating_add(ours.games);
        let from = theirs.from;
        if from < next {
            return Err(MergeError::Repeated(from));
        }
        if from > next {
            return Err(MergeError::Missing { from: next, to: from });
        }
        self.threads = self.threads.max(shard.threads);
        self.seconds += shard.seconds;
        self.simulated.merge(shard.simulated);
        Ok(())
    }

    /// Returns the document, or an error if a measure lacks the counts of a turn, if the counts of
    /// a measure don't add up to the number of games, or if more games ended than were played.
    pub fn validate(self) -> Result<SimulationDocument, MergeError> {
        let SimulationResult { games, turns, measures, ends, .. } = &self.simulated;
        let whole = measures.iter().all(|measure| {
            measure.turns.len() == *turns as usize + 1
                && measure.turns.iter().all(|spread| spread.total() == *games)
        });
        let ended = ends.iter().flatten().fold(0, |sum: u64, end| sum.saturating_add(end.games));
        if whole && ended <= *games { Ok(self) } else { Err(MergeError::Damaged) }
    }
}
