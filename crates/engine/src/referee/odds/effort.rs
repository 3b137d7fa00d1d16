//! The effort spent on odds, counted in steps and never in seconds, so that every machine gives the
//! same answer.

/// The maximum number of steps for a tree at an effort of 1. Each instruction is a step, and the
/// work of writing and merging states is counted in steps as well.
const TREE_STEPS: u64 = 60_000_000;
/// The maximum number of steps for all samples together, at an effort of 1.
const SAMPLE_STEPS: u64 = 35_000_000;
/// The number of beliefs that are copied or compared in the time of one step.
const BELIEFS_PER_STEP: u64 = 4;

/// The number of steps that may be spent, and how many of them are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    limit: u64,
    left: u64,
}

impl Effort {
    /// Returns the unspent effort for a tree. Its limit is `times` times the usual one.
    pub(super) fn of_tree(times: u32) -> Effort {
        Effort::up_to(TREE_STEPS.saturating_mul(times.into()))
    }

    /// Returns the unspent effort for all samples. Its limit is `times` times the usual one.
    pub(super) fn of_samples(times: u32) -> Effort {
        Effort::up_to(SAMPLE_STEPS.saturating_mul(times.into()))
    }

    fn up_to(limit: u64) -> Effort {
        Effort { limit, left: limit }
    }

    /// Returns the number of steps spent so far.
    pub(super) fn spent(&self) -> u64 {
        self.limit - self.left
    }

    /// Spends steps.
    pub(super) fn spend(&mut self, steps: u64) {
        self.left = self.left.saturating_sub(steps);
    }

    /// Spends this number of steps for each of `count` things.
    pub(super) fn spend_each(&mut self, count: usize, steps: u64) {
        self.spend(steps.saturating_mul(count as u64));
    }

    /// Spends the steps for copying or comparing `count` beliefs.
    pub(super) fn spend_on_beliefs(&mut self, count: usize) {
        self.spend(count as u64 / BELIEFS_PER_STEP);
    }

    /// Returns true if no steps are left.
    pub(super) fn is_spent(&self) -> bool {
        self.left == 0
    }
}
