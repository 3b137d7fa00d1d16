//! The pages of the list of faults: one for each code, with samples of what is wrong and what is right.

/// The list, embedded in the binary, so that it is at hand wherever the program is.
const PAGES_TEXT: &str = include_str!("../../../../docs/faults.md");

/// A part of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultPagePart {
    /// Words of explanation, a paragraph.
    Words(&'static str),
    /// A ruleset with the fault.
    Bad(&'static str),
    /// The same ruleset without the fault.
    Good(&'static str),
}

/// The page of one code.
#[derive(Clone, Debug)]
pub struct FaultPage {
    /// The code, as shown in the brackets of a fault.
    pub code: &'static str,
    /// Its parts, in order.
    pub parts: Vec<FaultPagePart>,
}

impl FaultPage {
    /// Returns the first sentence.
    pub fn summary(&self) -> String {
        let words = self.parts.iter().find_map(|part| match part {
            FaultPagePart::Words(words) => Some(words.replace('\n', " ")),
            _ => None,
        });
        let words = words.unwrap_or_default();
        words.split_once(". ").map_or(words.clone(), |(first, _)| format!("{first}."))
    }
}

/// Returns all pages in alphabetical order.
pub fn pages() -> Vec<FaultPage> {
    PAGES_TEXT.split("\n## ").skip(1).filter_map(parse_page).collect()
}

/// Returns the paragraphs of a text.
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
