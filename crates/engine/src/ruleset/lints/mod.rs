//! Passes over a ruleset that loads, for what is never used, can never happen, or is missing.
//!
//! Each pass is a file with a sample of what it sees and a function `lint`, listed in `PASSES`; its warning has a
//! page in `docs/faults.md`. A ruleset silences a warning with `[[allow]]`, naming the code, the thing it is about
//! if wanted, and the reason.

use crate::diagnostic::Fault;
mod conditions;
mod empty_phase;
mod endless;
mod endless_axis;
mod idle_example;
mod modifiers;
mod needs;
mod never_set;
mod no_cite;
mod no_example;
mod order;
mod phase_verbs;
mod same_marker;
mod unused;
mod used;

use indexmap::IndexSet;

use crate::diagnostic::{Diagnostic, sort_by_place};
use crate::language::schema::RuleId;
use crate::language::syntax::Operator;
use crate::ruleset::Ruleset;
use crate::source::Span;

/// The warnings of the passes, each after the name of the thing it is about: `area.fire`, `spread`.
#[derive(Default)]
struct Findings(Vec<(String, Diagnostic)>);

impl Findings {
    /// Adds a warning; more can be said of it.
    fn add(
        &mut self,
        code: &'static str,
        about: &str,
        span: Span,
        message: String,
    ) -> &mut Diagnostic {
        let place = self.0.len();
        self.0.push((about.to_owned(), Diagnostic::warning(code, span, message)));
        &mut self.0[place].1
    }
}

/// Returns the result of a comparison with `n` that is the same for all numbers within limits.
fn certain(operator: Operator, n: i64, (low, high): (i64, i64)) -> Option<bool> {
    // Between these nothing changes.
    let near = [low, n.saturating_sub(1), n, n.saturating_add(1), high];
    let within = near.into_iter().filter(|m| (low..=high).contains(m));
    let mut results = within.map(|m| operator.holds(m, n));
    let first = results.next()??;
    results.all(|result| result == Some(first)).then_some(first)
}

/// A warning the ruleset's author has thought about.
#[derive(Clone, Debug)]
pub struct Allowed {
    /// The code of the warning.
    pub code: String,
    /// The name of the thing it is about; any, if empty.
    pub about: String,
    /// Why it is right as it is.
    pub because: String,
    /// Where it was written.
    pub span: Span,
}

impl Allowed {
    /// Returns true if it silences warnings of this code about this thing.
    pub(crate) fn silences(&self, code: &str, about: &str) -> bool {
        self.code == code && (self.about.is_empty() || self.about == about)
    }
}

/// Every pass.
const PASSES: &[fn(&Ruleset, &mut Findings)] = &[
    unused::lint,
    never_set::lint,
    conditions::lint,
    modifiers::lint,
    needs::lint,
    order::lint,
    endless::lint,
    endless_axis::lint,
    empty_phase::lint,
    phase_verbs::lint,
    same_marker::lint,
    idle_example::lint,
    no_cite::lint,
];

/// Returns all warnings that are not silenced, in the order of the files, and each `[[allow]]` that silences nothing.
/// `reached` are the rules to which the worked examples came, if all have been run.
pub fn lint(ruleset: &Ruleset, reached: Option<&IndexSet<RuleId>>) -> Vec<Diagnostic> {
    let mut used = vec![false; ruleset.allowed.len()];
    let mut warnings = Vec::new();
    let mut found = Findings::default();
    PASSES.iter().for_each(|pass| pass(ruleset, &mut found));
    reached.into_iter().for_each(|reached| no_example::lint(ruleset, reached, &mut found));
    for (about, warning) in found.0 {
        let silences = |a: &Allowed| a.silences(warning.code, &about);
        match ruleset.allowed.iter().position(silences) {
            Some(place) => used[place] = true,
            None => warnings.push(warning),
        }
    }
    for (allowed, used) in ruleset.allowed.iter().zip(used) {
        let unseen = allowed.code == "no-example" && reached.is_none();
        // What no game comes to is seen where games are played.
        if !used && !unseen && allowed.code != "never-reached" {
            let message = format!("nothing brings the warning `{}` here", allowed.code);
            let warning = Diagnostic::warning("idle-allow", allowed.span, message);
            warnings.push(warning.help("take it out"));
        }
    }
    sort_by_place(&mut warnings);
    warnings
}
