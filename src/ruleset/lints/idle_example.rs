//! Worked examples that pass whatever comes of them.
//!
//! ```toml
//! [[example]]
//! run = ["fight b1"]   # without `expect`, `says` and `refused`
//! ```

use super::prelude::*;
use crate::ruleset::Example;

pub(super) fn lint(ruleset: &Ruleset) -> Vec<Finding> {
    let idle = |e: &&Example| e.expect.is_empty() && e.says.is_empty() && e.refused.is_none();
    let tell = |e: &Example| {
        let message = "this example expects nothing".to_owned();
        Finding::new("idle-example", &e.title, e.span, message)
            .help("write `expect`, `says` or `refused`")
    };
    ruleset.examples.iter().filter(idle).map(tell).collect()
}
