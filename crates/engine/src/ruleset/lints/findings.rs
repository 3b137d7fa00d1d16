//! The warnings of the lints, while they are being collected.

use crate::diagnostic::Diagnostic;
use crate::language::syntax::Operator;
use crate::source::Span;

/// The warnings, each with the name of its subject, such as `area.fire` or `spread`.
#[derive(Default)]
pub(super) struct Findings(pub(super) Vec<(String, Diagnostic)>);

impl Findings {
    /// Adds a warning, and returns it so that the caller can add details.
    pub(super) fn add(
        &mut self,
        code: &'static str,
        about: &str,
        span: Span,
        message: String,
    ) -> &mut Diagnostic {
        let index = self.0.len();
        self.0.push((about.to_owned(), Diagnostic::warning(code, span, message)));
        &mut self.0[index].1
    }
}

/// Returns the result of a comparison with `n`, if it is the same for all numbers within the
/// limits; otherwise, or if the operator isn't a comparison, returns `None`.
pub(super) fn constant_result(operator: Operator, n: i64, (low, high): (i64, i64)) -> Option<bool> {
    // Between these numbers, the result of the comparison doesn't change.
    let near = [low, n.saturating_sub(1), n, n.saturating_add(1), high];
    let within = near.into_iter().filter(|m| (low..=high).contains(m));
    let mut results = within.map(|m| operator.holds(m, n));
    let first = results.next()??;
    results.all(|result| result == Some(first)).then_some(first)
}
