//! The effort that odds take, counted in steps and never in seconds: every machine gives the same answer.

/// The most steps of a tree at an effort of 1: instructions run, and as much for what is written down and put together.
const TREE_STEPS: u64 = 60_000_000;
/// The most steps of all samples together at an effort of 1.
const SAMPLE_STEPS: u64 = 35_000_000;

/// Steps spent, of those that may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    spent: u64,
    most: u64,
}

impl Effort {
    /// Returns the steps that a tree may take; `times` is a multiple of the usual effort.
    pub(super) fn of_tree(times: u32) -> Effort {
        Effort { spent: 0, most: TREE_STEPS.saturating_mul(times.into()) }
    }

    /// Returns the steps that all samples may take.
    pub(super) fn of_samples(times: u32) -> Effort {
        Effort { spent: 0, most: SAMPLE_STEPS.saturating_mul(times.into()) }
    }

    /// Counts steps.
    pub(super) fn spend(&mut self, steps: u64) {
        self.spent = self.spent.saturating_add(steps);
    }

    /// Returns true if more steps were taken than may be.
    pub(super) fn is_spent(&self) -> bool {
        self.spent > self.most
    }
}
