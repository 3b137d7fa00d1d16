//! Faults as text, with the place underlined.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::markup::{sanitize, sanitize_lines};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Sources, Span};

/// Returns a fault as text of several lines, styled or plain, for a terminal of `width` columns.
pub fn diagnostic(fault: &Diagnostic, sources: &Sources, styled: bool, width: usize) -> String {
    let level = match fault.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(sanitize_lines(&fault.message)).id(fault.code);
    let mut group = Group::with_title(title);
    let mut places: Vec<(Span, AnnotationKind, &str)> = Vec::new();
    if let Some(span) = fault.span {
        places.push((span, AnnotationKind::Primary, &fault.label));
    }
    if let Some((span, label)) = &fault.other {
        places.push((*span, AnnotationKind::Context, label));
    }
    while let Some(&(first, ..)) = places.first() {
        // One snippet for each file.
        let (here, rest): (Vec<_>, Vec<_>) =
            places.into_iter().partition(|(span, ..)| span.file == first.file);
        places = rest;
        let Some(file) = sources.get(first.file) else { continue };
        let mut snippet = Snippet::source(sanitize_lines(&file.text)).path(sanitize(&file.name));
        for (span, kind, label) in here {
            let range = clamp_to_characters(&file.text, span);
            // What is written out takes more room than it did.
            let shown = |end: usize| sanitize_lines(file.text.get(..end).unwrap_or_default()).len();
            let range = shown(range.start)..shown(range.end);
            snippet = snippet.annotation(match label {
                "" => kind.span(range),
                label => kind.span(range).label(sanitize(label)),
            });
        }
        group = group.element(snippet);
    }
    if let Some(help) = &fault.help {
        group = group.element(Level::HELP.message(sanitize_lines(help)));
    }
    let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(width).render(&[group])
}

/// Returns a span cut to the text and widened to whole characters.
fn clamp_to_characters(text: &str, span: Span) -> std::ops::Range<usize> {
    let mut start = span.range().start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = span.range().end.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}
