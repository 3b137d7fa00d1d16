//! A fault as data: what is wrong, where, why, and what would be right.
//!
//! Everything that reads what people write gives its faults in this form; `render` makes text of them.
//! Messages are lower case, with names in backticks.

pub use crate::names::{list, nearest};
use crate::source::Span;

/// After so many faults nothing more is looked at: nobody mends them all before the next check.
pub const MOST: usize = 1_000;

/// So many names may be compared for the suggestions of one run. A file made to be slow has thousands of unknown names and
/// thousands of known ones; a person's has a few of both.
const COMPARISONS: usize = 500_000;

thread_local! {
    /// What is left of [`COMPARISONS`].
    static LEFT: std::cell::Cell<usize> = const { std::cell::Cell::new(COMPARISONS) };
}

/// Begins a run: suggestions are made again, as in every run before.
pub fn begin() {
    LEFT.set(COMPARISONS);
}

/// How grave a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The ruleset can be played, but something looks wrong.
    Warning,
    /// The ruleset cannot be played until this is mended.
    Error,
}

/// One fault with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// A short lasting name of the kind of fault, such as `unknown-attribute`.
    pub code: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where; none when no text is at fault.
    pub span: Option<Span>,
    /// What to write under the underlined text; may be empty.
    pub label: String,
    /// A second place that explains the first.
    pub other: Option<(Span, String)>,
    /// What would be right.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            span: Some(span),
            label: String::new(),
            other: None,
            help: None,
        }
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// An error of no particular place.
    pub fn general(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { span: None, ..Self::error(code, Span::default(), message) }
    }

    /// Adds the words under the underlined text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn other(mut self, span: Span, label: impl Into<String>) -> Self {
        self.other = Some((span, label.into()));
        self
    }

    /// Adds what would be right.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a suggestion, where one of `known` is near to `word`; otherwise the short list of what there is.
    #[must_use]
    pub fn suggest<'a>(self, word: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        if LEFT.get() == 0 {
            return self;
        }
        let known: Vec<&str> = known.into_iter().take(COMPARISONS).collect();
        LEFT.set(LEFT.get().saturating_sub(known.len()));
        match nearest(word, known.iter().copied()) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None if !known.is_empty() && known.len() <= 12 => {
                self.help(format!("there is: {}", list(&known)))
            }
            None => self,
        }
    }
}
