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

/// Patterns, each with what to write instead.
const PATTERNS: [(&str, &str); 24] = [
    (r"\b(is|are|be|was|were|not) told\b", "shown, printed, reported"),
    (
        r"\btells? (how|who|what|where|which|when|whether|all|every|its|that|nothing|nobody|the (seed|umpire))\b",
        "shows, prints, reports",
    ),
    (r"\b[Kk]ept\b", "saved, stored"),
    (r"\bkeeps (it|them|its|the game|dice|who|what)\b|\bis to keep\b", "saves, stores"),
    (r"\bfalls?\b|\bfell\b|\bfallen\b", "roll, result"),
    (
        r"\bcomes? (back by|of it|into sight|up|in an|screen|first|last|before)\b|\bcome back\b",
        "is, appears, returns",
    ),
    (r"\b[Ss]tands?\b", "is, means, appears"),
    (r"\bby (itself|themselves)\b|\bof itself\b", "automatically"),
    (r"\bof (its|their|one's|his|your) own\b", "its own, separate"),
    (r"\banew\b|\bonce more\b|\bno more\b|\bany more\b", "again, any longer"),
    (r"\bof which\b|\bthose (of|whom|with)\b|\bof whom\b", "whose, or a second sentence"),
    (r"\b(take|takes|took|taken) (it |them )?back\b", "undo"),
    (r"\b(is|are) wanted\b|\bgoes by\b|\bcalled so\b", "expected, uses, is named"),
    (r"(^|[:;,.] )[Ww]hat [a-z]", "a noun"),
    (
        r"\b(and|or|but|only|than) what\b|\bwhat (stands|follows|lies|belongs|somebody|nobody|it alone)\b",
        "a noun",
    ),
    (r"\bbesides?\b|\bin place of\b|\bfolded behind\b", "also, next to, instead of"),
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
        r"\bsays? (so|who|what|where|which|how|when|whether|that|`)|\bsaid\b|\bnot say\b",
        "specifies, states",
    ),
];

fn patterns() -> Vec<(Regex, &'static str)> {
    PATTERNS.map(|(pattern, instead)| (Regex::new(pattern).unwrap(), instead)).to_vec()
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

/// Returns what to write instead in a sentence; `None` if it has none of the patterns.
fn flagged(patterns: &[(Regex, &'static str)], sentence: &str) -> Option<&'static str> {
    patterns.iter().find(|(pattern, _)| pattern.is_match(sentence)).map(|(_, instead)| *instead)
}

fn pages() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned).to_vec();
    for entry in std::fs::read_dir(root.join("docs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        // Its tables are written by the program.
        if name.ends_with(".md") && name != "json.md" {
            pages.push(format!("docs/{name}"));
        }
    }
    pages.sort();
    pages
}

#[test]
fn the_documentation_is_in_plain_english() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let list = root.join("tests/english/allowed.txt");
    let patterns = patterns();
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for page in pages() {
        let text = std::fs::read_to_string(root.join(&page)).unwrap();
        let marked = sentences(&text).into_iter().filter_map(|sentence| {
            flagged(&patterns, &sentence).map(|instead| format!("{sentence} [{instead}]"))
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

/// Sentences of earlier documentation that readers marked, a line each.
#[test]
fn four_in_five_marked_sentences_are_found() {
    let patterns = patterns();
    let marked = include_str!("../english/not-plain.txt");
    let total = marked.lines().count();
    let missed: Vec<&str> = marked
        .lines()
        .filter(|line| sentences(line).iter().all(|s| flagged(&patterns, s).is_none()))
        .collect();
    assert!(total >= 50 && missed.len() * 5 <= total, "{} of {total}: {missed:#?}", missed.len());
}
