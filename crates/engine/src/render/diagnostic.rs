//! Faults as text, with the faulty part of the ruleset underlined.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::markup::{Role, Text, sanitize, sanitize_lines};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Sources, Span};

/// Returns a fault as several lines of text, styled or plain, for a terminal of `width` columns.
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
            // Escaped characters take more room than the originals.
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

/// Returns a fault as plain text: a line with the message, two lines with the position and the
/// source line of each span, and a line with the help.
pub fn linear(fault: &Diagnostic, sources: &Sources) -> Text {
    let severity = match fault.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut text = Text::of(Role::Plain, format!("{severity} {}: {}", fault.code, fault.message));
    let own = fault.span.map(|span| (span, fault.label.as_str()));
    let other = fault.other.as_ref().map(|(span, label)| (*span, label.as_str()));
    for (span, label) in own.into_iter().chain(other) {
        let Some(file) = sources.get(span.file) else { continue };
        let (line, column) = sources.line_column(span.file, span.start as usize);
        let sign = if label.is_empty() { "" } else { ": " };
        let place = format!("at {}, line {line}, column {column}{sign}{label}", file.name);
        text.line(Role::Plain, place);
        let written = file.text.lines().nth(line.saturating_sub(1)).unwrap_or_default().trim();
        if !written.is_empty() {
            text.line(Role::Plain, format!("the line: {written}"));
        }
    }
    if let Some(help) = &fault.help {
        text.line(Role::Plain, format!("help: {help}"));
    }
    text
}

/// Returns a span limited to the text and widened to whole characters.
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
