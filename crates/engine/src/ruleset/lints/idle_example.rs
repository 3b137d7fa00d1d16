//! Warns about worked examples that check nothing.
//!
//! ```toml
//! [[example]]
//! run = ["fight b1"]   # without `expect`, `says` and `refused`
//! ```

use crate::diagnostic::Fault;
use crate::ruleset::lints::findings::Findings;
use crate::ruleset::{Example, Ruleset};

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    let idle = |e: &&Example| {
        let lists = [e.expect.len(), e.says.len(), e.seen.len(), e.unseen.len()];
        lists == [0; 4] && e.refused.is_none()
    };
    for example in ruleset.examples.iter().filter(idle) {
        let message = "this example checks nothing".to_owned();
        let fault = found.add("idle-example", &example.title, example.span, message);
        fault.help("write `expect`, `says` or `refused`");
    }
}
