//! The pages about errors: one for each code, with a wrong and a corrected sample.

/// The pages are embedded in the binary, so they are always available.
const PAGES_TEXT: &str = include_str!("../../../../docs/faults.md");

/// A part of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultPagePart {
    /// An explanation in one paragraph.
    Words(&'static str),
    /// A sample with the error.
    Bad(&'static str),
    /// The same sample, corrected.
    Good(&'static str),
}

/// The page about one error code.
#[derive(Clone, Debug)]
pub struct FaultPage {
    /// The code in the brackets of an error message.
    pub code: &'static str,
    /// The parts of the page, in order.
    pub parts: Vec<FaultPagePart>,
}

impl FaultPage {
    /// Returns the first sentence of the page.
    pub fn summary(&self) -> String {
        let words = self.parts.iter().find_map(|part| match part {
            FaultPagePart::Words(words) => Some(words.replace('\n', " ")),
            _ => None,
        });
        let words = words.unwrap_or_default();
        words.split_once(". ").map_or(words.clone(), |(first, _)| format!("{first}."))
    }
}

/// Returns all pages, in the order of `docs/faults.md`.
pub fn pages() -> Vec<FaultPage> {
    PAGES_TEXT.split("\n## ").skip(1).filter_map(parse_page).collect()
}

/// Returns the paragraphs of a text as parts of a page.
fn parse_paragraphs(text: &'static str) -> impl Iterator<Item = FaultPagePart> {
    text.split("\n\n").map(str::trim).filter(|p| !p.is_empty()).map(FaultPagePart::Words)
}

fn parse_page(text: &'static str) -> Option<FaultPage> {
    let (code, mut rest) = text.split_once('\n')?;
    let mut parts = Vec::new();
    while let Some((before, after)) = rest.split_once("```toml ") {
        parts.extend(parse_paragraphs(before));
        let (which, block) = after.split_once('\n')?;
        let (block, behind) = block.split_once("```")?;
        parts.push(if which == "bad" {
            FaultPagePart::Bad(block)
        } else {
            FaultPagePart::Good(block)
        });
        rest = behind;
    }
    parts.extend(parse_paragraphs(rest));
    Some(FaultPage { code: code.trim(), parts })
}
