//! The limits of a run.

/// The maximum number of steps of one command. Each instruction is a step, and long lists take
/// further steps.
pub const MAX_STEPS: u64 = 50_000_000;
/// The maximum depth of calls between rules and definitions.
pub const MAX_CALLS: usize = 64;
/// The maximum number of members in all lists of a command together.
pub const MAX_MEMBERS: usize = 1_000_000;
/// The maximum number of repetitions for `repeat` and `times`.
pub const MAX_REPEATS: i64 = 1000;
/// The number of steps that a path search returns if there is no path.
pub const NO_WAY: i64 = 1_000_000;
/// The maximum length, in bytes, of a text that a rule makes.
pub const MAX_TEXT: usize = 10_000;
