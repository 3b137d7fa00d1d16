//! Lints, which check a valid ruleset for things that are never used, can never happen, are
//! missing, or reveal a secret.
//!
//! Each lint is a module with a sample of the problem and a function `lint`. All of these functions
//! are listed in `PASSES`, except that of `no_example`, which also needs the rules that the worked
//! examples reached. Each warning has a section in `docs/faults.md`. A ruleset silences a warning
//! with `[[allow]]`, which names the code, the subject (optional), and the reason.

mod conditions;
mod empty_phase;
mod endless;
mod endless_axis;
mod findings;
mod idle_example;
mod leaks;
mod modifiers;
mod needs;
mod never_set;
mod no_cite;
mod no_example;
mod no_reads;
mod order;
mod phase_verbs;
mod same_marker;
mod unused;
mod used;

use findings::Findings;
use indexmap::IndexSet;

use crate::diagnostic::{Diagnostic, Fault, sort_by_span};
use crate::language::schema::RuleId;
use crate::ruleset::Ruleset;
use crate::ruleset::parts::AllowedWarning;

/// All lints except `no_example`.
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
    leaks::lint,
    same_marker::lint,
    idle_example::lint,
    no_cite::lint,
    no_reads::lint,
];

/// Returns all warnings that are not silenced, and a warning for each `[[allow]]` that silences
/// nothing although its warning could be found here. The warnings are in the order of their
/// positions in the files. `reached` contains the rules called by the worked examples, if all of
/// them were run.
pub fn lint(ruleset: &Ruleset, reached: Option<&IndexSet<RuleId>>) -> Vec<Diagnostic> {
    let mut used = vec![false; ruleset.allowed.len()];
    let mut warnings = Vec::new();
    let mut found = Findings::default();
    PASSES.iter().for_each(|pass| pass(ruleset, &mut found));
    reached.into_iter().for_each(|reached| no_example::lint(ruleset, reached, &mut found));
    for (about, warning) in found.0 {
        let silences = |a: &AllowedWarning| a.silences(warning.code, &about);
        match ruleset.allowed.iter().position(silences) {
            Some(index) => used[index] = true,
            None => warnings.push(warning),
        }
    }
    for (allowed, silenced) in ruleset.allowed.iter().zip(used) {
        let unseen = allowed.code == "no-example" && reached.is_none();
        // These warnings are found only when games are played.
        let is_played = matches!(allowed.code.as_str(), "never-reached" | "leak-at-play");
        if !silenced && !unseen && !is_played {
            let message = format!("there is no warning `{}` here", allowed.code);
            let warning = Diagnostic::warning("idle-allow", allowed.span, message);
            warnings.push(warning.help("remove this entry"));
        }
    }
    sort_by_span(&mut warnings);
    warnings
}
