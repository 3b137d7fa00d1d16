//! `adjutant check --explain`: the page of a fault's code, or the list of all codes.

use adjutant_engine::check::pages::{FaultPage, FaultPagePart, pages};
use adjutant_engine::names::no_such_name;
use adjutant_engine::render::markup::{Line, Role, Text};
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::Screen;
use crate::cli::{Ended, Failed};

/// The answer to `check --explain CODE`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ExplanationAnswer {
    /// The code of the fault or warning.
    code: &'static str,
    /// The paragraphs of the explanation.
    explanation: Vec<&'static str>,
    /// The samples with the fault.
    bad: Vec<&'static str>,
    /// The same samples, corrected.
    good: Vec<&'static str>,
}

/// The answer to `check --explain`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FaultCodesAnswer {
    /// All codes.
    codes: Vec<FaultCode>,
}

/// The code of a fault.
#[derive(Debug, Serialize, JsonSchema)]
struct FaultCode {
    /// The code of a fault or warning.
    code: &'static str,
    /// The first sentence of the explanation.
    summary: String,
}

pub(super) fn run(code: Option<&str>, screen: &mut Screen) -> Ended {
    let pages = pages();
    let Some(code) = code else {
        return list(&pages, screen);
    };
    // A code may be typed with the brackets around it.
    let wanted = code.trim_matches(['[', ']', ' ']).to_lowercase();
    let Some(page) = pages.iter().find(|p| p.code == wanted) else {
        let codes = pages.iter().map(|p| p.code);
        let message =
            no_such_name("code", &wanted, codes, "`adjutant check --explain` lists all codes");
        return Err(Failed::Message(message));
    };
    screen.answer(&text(page), &document(page))
}

fn list(pages: &[FaultPage], screen: &mut Screen) -> Ended {
    let codes = pages.iter().map(|page| FaultCode { code: page.code, summary: page.summary() });
    let answer = FaultCodesAnswer { codes: codes.collect() };
    let widest = pages.iter().map(|p| p.code.len()).max().unwrap_or(0);
    let mut text = Text::new();
    for page in pages {
        let mut line = Line::of(Role::Strong, page.code).with_hanging_indent(widest + 2);
        line.pad_to(widest + 2, 2).push(Role::Plain, page.summary());
        text.push(line);
    }
    screen.answer(&text, &answer)
}

fn text(page: &FaultPage) -> Text {
    let mut text = Text::of(Role::Header, page.code);
    for part in &page.parts {
        text.push_empty_line();
        let (role, head, block) = match part {
            FaultPagePart::Words(words) => {
                let words: Vec<&str> = words.lines().map(str::trim).collect();
                text.line(Role::Plain, words.join(" "));
                continue;
            }
            FaultPagePart::Bad(block) => (Role::Bad, "wrong:", block),
            FaultPagePart::Good(block) => (Role::Good, "right:", block),
        };
        text.line(role, head);
        for line in block.lines() {
            text.push(Line::of(Role::Plain, format!("    {line}")).unbreakable());
        }
    }
    text
}

fn document(page: &FaultPage) -> ExplanationAnswer {
    let of = |pick: fn(&FaultPagePart) -> Option<&'static str>| -> Vec<&'static str> {
        page.parts.iter().filter_map(pick).collect()
    };
    ExplanationAnswer {
        code: page.code,
        explanation: of(|p| if let FaultPagePart::Words(w) = p { Some(w) } else { None }),
        bad: of(|p| if let FaultPagePart::Bad(b) = p { Some(b) } else { None }),
        good: of(|p| if let FaultPagePart::Good(g) = p { Some(g) } else { None }),
    }
}
