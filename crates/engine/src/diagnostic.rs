//! Faults (errors and warnings) as data, each with its position and a hint on how to correct it.
//!
//! All code that reads text written by people reports faults in this form. The module `render`
//! converts them to text. Messages are in lower case, with names in backticks.

use std::borrow::BorrowMut;

use indexmap::IndexSet;

use crate::names::{nearest, quote_names};
use crate::source::Span;

/// The number of faults after which a check stops. No author would correct this many at a time.
pub const MAX_FAULTS: usize = 1_000;

/// The number of comparisons between unknown words and known names after which a run makes no more
/// suggestions. A malicious file may have thousands of unknown names and thousands of known ones; a
/// file written by an honest author has few unknown ones.
const MAX_COMPARISONS: usize = 500_000;

thread_local! {
    /// The number of comparisons that are left in the current run.
    static COMPARISONS_LEFT: std::cell::Cell<usize> = const { std::cell::Cell::new(MAX_COMPARISONS) };
}

/// Sets the number of comparisons left to [`MAX_COMPARISONS`], at the start of a run.
pub(crate) fn reset_comparisons() {
    COMPARISONS_LEFT.set(MAX_COMPARISONS);
}

/// The severity of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The ruleset can be played, but something looks wrong.
    Warning,
    /// The ruleset cannot be played until this is corrected.
    Error,
}

/// A declaration that other text refers to. If it is faulty, faults that follow from it are not
/// reported.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Declaration {
    /// A file of the ruleset that could not be read, so that its declarations are unknown.
    File,
    /// A kind, list, row, set of words, word, phase or deck.
    Name(String),
    /// A rule, definition or chart, or the verb of a rule.
    Callable(String),
    /// An attribute: the name of its kind or list, and the name of the attribute.
    Attribute(String, String),
    /// A piece of a scenario.
    Piece(String),
    /// The drawn plan of a scenario.
    Plan(String),
    /// A word of the rule language that is declared as a name.
    Reserved(String),
}

/// A fault, with its position and its hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable, short code of the fault, such as `unknown-attribute`.
    pub code: &'static str,
    /// The severity: error or warning.
    pub severity: Severity,
    /// One sentence that describes the fault, without a full stop.
    pub message: String,
    /// The span of the text at fault, if there is one.
    pub span: Option<Span>,
    /// The label under the underlined text, or an empty string.
    pub label: String,
    /// An optional second span that explains the first, with its label.
    pub other: Option<(Span, String)>,
    /// An optional hint on how to correct the fault.
    pub help: Option<String>,
    /// The declarations that cannot be used because of this fault.
    pub spoils: Vec<Declaration>,
    /// The declarations that may have caused this fault. If there are any, the fault is not
    /// reported when another fault spoils one of them, or a file could not be read.
    pub derived_from: Vec<Declaration>,
}

impl Diagnostic {
    /// Returns an error at a span.
    pub(crate) fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            span: Some(span),
            label: String::new(),
            other: None,
            help: None,
            spoils: Vec::new(),
            derived_from: Vec::new(),
        }
    }

    /// Returns a warning at a span.
    pub(crate) fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// Returns an error without a span.
    pub fn without_span(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { span: None, ..Self::error(code, Span::default(), message) }
    }
}

/// A fault to which details can be added, whether or not it has been reported already.
pub(crate) trait Fault: BorrowMut<Diagnostic> + Sized {
    /// Sets the label under the underlined text.
    fn label(mut self, label: impl Into<String>) -> Self {
        self.borrow_mut().label = label.into();
        self
    }

    /// Sets the second span and its label.
    fn other_span(mut self, span: Span, label: impl Into<String>) -> Self {
        self.borrow_mut().other = Some((span, label.into()));
        self
    }

    /// Sets the hint on how to correct the fault.
    fn help(mut self, help: impl Into<String>) -> Self {
        self.borrow_mut().help = Some(help.into());
        self
    }

    /// Adds a declaration that may have caused this fault, if one is given.
    fn derived_from(mut self, cause: impl Into<Option<Declaration>>) -> Self {
        self.borrow_mut().derived_from.extend(cause.into());
        self
    }

    /// Adds a declaration that cannot be used because of this fault.
    fn spoiling(mut self, cause: Declaration) -> Self {
        self.borrow_mut().spoils.push(cause);
        self
    }

    /// Suggests the name in `known` that is nearest to `word`. If no name is near enough, lists all
    /// names, unless there are more than twelve. Does nothing when no comparisons are left in the
    /// run.
    fn suggest<'a>(self, word: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        if COMPARISONS_LEFT.get() == 0 {
            return self;
        }
        let known: Vec<&str> = known.into_iter().take(MAX_COMPARISONS).collect();
        COMPARISONS_LEFT.set(COMPARISONS_LEFT.get().saturating_sub(known.len()));
        match nearest(word, known.iter().copied()) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None if !known.is_empty() && known.len() <= 12 => {
                self.help(format!("available: {}", quote_names(&known)))
            }
            None => self,
        }
    }
}

impl Fault for Diagnostic {}

impl Fault for &mut Diagnostic {}

/// A list to which faults can be added.
pub(crate) trait Faults {
    /// Adds an error to the list, and returns it so that the caller can add details.
    fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic;
}

impl Faults for Vec<Diagnostic> {
    fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let index = self.len();
        self.push(Diagnostic::error(code, span, message));
        &mut self[index]
    }
}

/// Sorts faults by file and span. Faults without a span come first, and faults with the same span
/// stay in their order.
pub(crate) fn sort_by_span(faults: &mut [Diagnostic]) {
    faults.sort_by_key(|fault| fault.span);
}

/// Removes faults that follow from other faults. If a file could not be read, any fault that a
/// declaration may have caused counts as one of these. A declaration is read before the text that
/// refers to it, so no two faults can follow from each other.
pub(crate) fn without_derived(faults: &mut Vec<Diagnostic>) {
    let spoilt: IndexSet<Declaration> =
        faults.iter().flat_map(|f| f.spoils.iter().cloned()).collect();
    let file = spoilt.contains(&Declaration::File);
    let follows = |f: &Diagnostic| {
        f.derived_from.iter().any(|c| file || (spoilt.contains(c) && !f.spoils.contains(c)))
    };
    faults.retain(|f| !follows(f));
}
