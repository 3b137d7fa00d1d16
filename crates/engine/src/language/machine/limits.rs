//! Limits of a run.

/// The most instructions that one command may run.
pub const MAX_STEPS: u64 = 50_000_000;
/// The most rules and definitions that may call each other, one inside the other.
pub const MAX_CALLS: usize = 64;
/// The most members that all lists of a command may have together.
pub const MAX_MEMBERS: usize = 1_000_000;
/// The most rounds of `repeat` and `times`.
pub const MAX_REPEATS: i64 = 1000;
/// The length of a way that does not exist, in steps.
pub const NO_WAY: i64 = 1_000_000;
/// The longest text a rule may make, in bytes.
pub const MAX_TEXT: usize = 10_000;
