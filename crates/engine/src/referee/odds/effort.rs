//! The effort spent on odds, counted in steps and never in seconds, so that every machine gives the
//! same answer.

/// The maximum number of steps for a tree at an effort of 1. Each instruction is a step, and the
/// work of writing and merging states is counted in steps as well.
const TREE_STEPS: u64 = 60_000_000;
/// The maximum number of steps for all samples together, at an effort of 1.
const SAMPLE_STEPS: u64 = 35_000_000;

/// The number of steps used so far, and its limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    spent: u64,
    most: u64,
}

impl Effort {
    /// Returns the unspent effort for a tree. Its limit is `times` times the usual one.
    pub(super) fn of_tree(times: u32) -> Effort {
        Effort { spent: 0, most: TREE_STEPS.saturating_mul(times.into()) }
    }

    /// Returns the unspent effort for all samples. Its limit is `times` times the usual one.
    pub(super) fn of_samples(times: u32) -> Effort {
        Effort { spent: 0, most: SAMPLE_STEPS.saturating_mul(times.into()) }
    }

    /// Adds steps to those already spent.
    pub(super) fn spend(&mut self, steps: u64) {
        self.spent = self.spent.saturating_add(steps);
    }

    /// Returns true if the limit is exceeded.
    pub(super) fn is_spent(&self) -> bool {
        self.spent > self.most
    }
}
