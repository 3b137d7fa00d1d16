//! Plain English in the documentation: words and patterns that a native technical writer wouldn't use there.
//!
//! `tests/english/allowed.txt` has the number of such sentences that each page may still have. After a page has been
//! rewritten, `UPDATE_ENGLISH=1 cargo test --test it english::` lowers it. Pages about the
//! games aren't checked, as stands of figures stand and men fall there.
//!
//! `.ci/texts` lists all texts of the project, or a random sample of them, for a person to read.

use std::collections::BTreeMap;
use std::path::Path;

use regex::Regex;

/// Native phrases that contain words of [`PATTERNS`]. They are ignored.
const NATIVE: [&str; 11] = [
    r"\b([Aa]|each|every|two|refuse) stands?\b|\b[Yy]ou stand\b",
    r"\b(able|difficult|easy|hard) to tell\b|\btells? (you|us|me|apart)\b",
    r#"\b[Tt]hat said\b|\blet's say\b|\b(say|says|said):? ""#,
    r"\bkept in sync\b",
    r"\b(fall|falls|fell|fallen) (back|short|through|under)\b",
    r"\bcome back to\b|\bcomes first because\b",
    r"\b(track|regardless|aware|independent) of which\b",
    r"\bno more than\b|, so many\b|\bso much [a-z]+er\b",
    r"\b(leave|leaves|left) (it|them) alone\b",
    r"\bnon-blank\b|\bblank (lines?|page)\b",
    r"\bgoes on (a|an|the|top)\b",
];

/// Patterns, each with what to write instead.
const PATTERNS: [(&str, &str); 25] = [
    (r"\b[Tt]old\b|\btells\b", "shown, printed, reported"),
    (
        r"\btell (of|how|who|what|where|which|when|whether|all|every|everything|its|that|nothing|the (seed|umpire|hands|players))\b",
        "show, print, report",
    ),
    (r"\b[Kk]ept\b", "saved, stored"),
    (
        r"\bkeeps (it|them|its|a|all|the|every|dice|who|what)\b|\bis to keep\b|\bkeep (the )?dice\b",
        "saves, stores",
    ),
    (r"\bfalls?\b|\bfell\b|\bfallen\b", "roll, result"),
    (
        r"\bcomes? (after|back|by|of it|out|into sight|in an|screen|first|last|before)\b|\bcan come\b|\bcame (after|back|first|last|of|out|to|up|when)\b",
        "is, appears, returns",
    ),
    (r"\b[Ss]tands?\b|\bstood\b", "is, means, appears"),
    (r"\bby (itself|themselves)\b|\bof itself\b", "automatically"),
    (r"\bof (its|their|one's|his|your) own\b", "its own, separate"),
    (
        r"\banew\b|\bonce more\b|\b(no|any) more($|[.,;:]| (that|than|if|when|and)\b)",
        "again, any longer",
    ),
    (r"\bof which\b|\bthose (of|whom)\b|\bof whom\b", "whose, or a second sentence"),
    (r"\b(take|takes|took|taken|taking)\b[^.,;:]{0,40} back\b", "undo"),
    (r"\b(is|are) wanted\b|\bgoes by\b|\bcalled so\b", "expected, uses, is named"),
    (r"(^|[:;,.] )[Ww]hat [a-z]", "a noun"),
    (
        r"\b(and|or|but|only) what\b|\b[Ww]hat (a|an|is|was|stands|follows|lies|belongs|came|comes|somebody|nobody|it alone)\b",
        "a noun",
    ),
    (r"\bbesides?\b|\bin place of\b|\bfolded behind\b", "also, next to, instead of"),
    (
        r"\bright behind\b|\bbehind (a|an|the|its) (blank|colon|comma|name|number|pool|word)\b|\b(a|no|one|two|the) blanks?\b",
        "after; space",
    ),
    (r"\b(lie|lies|lay)\b", "is, are"),
    (r"\balone\b", "only"),
    (r"\bnothing else\b|\b(nobody|somebody)\b|\b[Ww]ho(so)?ever\b", "no one, someone, anyone who"),
    (
        r"\b[Mm]end(s|ed|ing)?\b|\bspoil(s|ed|t)?\b|\bslips?\b|\breckon(s|ed)?\b",
        "correct, mistake, calculate",
    ),
    (r"\bby hand\b", "manually, yourself"),
    (r"\bso (many|much)\b|\bas many as\b", "this many, all"),
    (r"\bgoes? (out|on|in|first|before)\b|\bwent before\b", "leaves, continues, previous"),
    (
        r"\b[Ss]ays\b|\bsaid\b|\bnot say\b|\bsay (so|who|what|where|which|how|when|whether)\b",
        "specifies, states",
    ),
];

/// The compiled patterns.
struct Patterns {
    native: Vec<Regex>,
    not_plain: Vec<(Regex, &'static str)>,
}

impl Patterns {
    fn new() -> Self {
        Patterns {
            native: NATIVE.map(|pattern| Regex::new(pattern).unwrap()).to_vec(),
            not_plain: PATTERNS
                .map(|(pattern, instead)| (Regex::new(pattern).unwrap(), instead))
                .to_vec(),
        }
    }

    /// Returns what to write instead in a sentence; `None` if it has none of the patterns.
    fn flagged(&self, sentence: &str) -> Option<&'static str> {
        let mut text = sentence.to_owned();
        for native in &self.native {
            text = native.replace_all(&text, "").into_owned();
        }
        let found = self.not_plain.iter().find(|(pattern, _)| pattern.is_match(&text));
        found.map(|(_, instead)| *instead)
    }

    /// Returns the lines that have a flagged sentence.
    fn flagged_lines<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let is_flagged = |line: &&str| sentences(line).iter().any(|s| self.flagged(s).is_some());
        text.lines().filter(is_flagged).collect()
    }
}

/// Returns the sentences of a Markdown page, without code, tables and headings.
fn sentences(page: &str) -> Vec<String> {
    let mut paragraphs: Vec<String> = vec![String::new()];
    let mut is_in_code = false;
    for line in page.lines() {
        let text = line.trim();
        if text.starts_with("```") {
            is_in_code = !is_in_code;
            continue;
        }
        let is_skipped =
            is_in_code || line.starts_with("    ") || text.starts_with(['#', '|', '<']);
        let begins = text.is_empty() || text.starts_with("- ") || text.starts_with("* ");
        if is_skipped || begins {
            paragraphs.push(String::new());
        }
        if !is_skipped {
            let paragraph = paragraphs.last_mut().unwrap();
            paragraph.push(' ');
            paragraph.push_str(text.trim_start_matches(['-', '*', ' ']));
        }
    }
    let code = Regex::new("`[^`]*`").unwrap();
    let end = Regex::new(r"[.!?:] +").unwrap();
    let mut sentences = Vec::new();
    for paragraph in paragraphs {
        let text = code.replace_all(&paragraph, "`x`").into_owned();
        let mut from = 0;
        for found in end.find_iter(&text) {
            sentences.push(text[from..found.end()].trim().to_owned());
            from = found.end();
        }
        sentences.push(text[from..].trim().to_owned());
    }
    sentences.retain(|sentence| !sentence.is_empty() && !sentence.ends_with('?'));
    sentences
}

/// Returns the pages that people write, except those about the games, and except `json.md`, whose tables are written by
/// the program.
fn pages() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = Vec::new();
    for folder in ["", "docs/", "docs/decisions/", "docs/examples/"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") && name != "json.md" {
                pages.push(format!("{folder}{name}"));
            }
        }
    }
    pages.sort();
    pages
}

#[test]
fn the_documentation_is_in_plain_english() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let list = root.join("tests/english/allowed.txt");
    let patterns = Patterns::new();
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for page in pages() {
        let text = std::fs::read_to_string(root.join(&page)).unwrap();
        let marked = sentences(&text).into_iter().filter_map(|sentence| {
            patterns.flagged(&sentence).map(|instead| format!("{sentence} [{instead}]"))
        });
        found.insert(page, marked.collect());
    }
    if std::env::var_os("UPDATE_ENGLISH").is_some() {
        let counts = found.iter().filter(|(_, marked)| !marked.is_empty());
        let counts = counts.map(|(page, marked)| format!("{} {page}\n", marked.len()));
        std::fs::write(&list, counts.collect::<String>()).unwrap();
    }
    let allowed = std::fs::read_to_string(&list).unwrap();
    let allowed: BTreeMap<&str, usize> = allowed
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .map(|(count, page)| (page, count.parse().unwrap()))
        .collect();
    for (page, marked) in &found {
        let most = allowed.get(page.as_str()).copied().unwrap_or(0);
        assert!(marked.len() <= most, "{page}: {most} allowed:\n{}", marked.join("\n"));
    }
}

/// `not-plain.txt` has 50 sentences of earlier documentation, a line each. They were drawn at random from those with
/// words or constructions that readers had marked, after the patterns had been written (46 were flagged at first).
#[test]
fn nine_in_ten_marked_sentences_are_flagged() {
    let marked = include_str!("../english/not-plain.txt");
    let found = Patterns::new().flagged_lines(marked);
    assert_eq!(marked.lines().count(), 50);
    let missed: Vec<&str> = marked.lines().filter(|line| !found.contains(line)).collect();
    assert!(found.len() >= 45, "{} of 50: {missed:#?}", found.len());
}

/// `plain.txt` has 200 sentences, drawn at random from the documentation of just (CC0 1.0) and of Jujutsu (Apache
/// License 2.0).
#[test]
fn at_most_one_in_a_hundred_native_sentences_is_flagged() {
    let native = include_str!("../english/plain.txt");
    let found = Patterns::new().flagged_lines(native);
    assert_eq!(native.lines().count(), 200);
    assert!(found.len() <= 2, "{found:#?}");
}
