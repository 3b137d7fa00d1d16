//! Builds English sentences from a subject and a phrase, with plurals, negations and possessives.

/// Verbs that can begin a predicate. All but the last two are negated by a `not` after them.
pub(super) const AUXILIARIES: [&str; 20] = [
    "is", "are", "was", "were", "has", "have", "had", "can", "may", "must", "will", "would",
    "does", "do", "did", "should", "might", "could", "lies", "stands",
];
/// Participles after `has` that do not end in -ed or -en.
const PARTICIPLES: [&str; 15] = [
    "shot", "lost", "run", "made", "done", "gone", "come", "met", "left", "hit", "spent", "fled",
    "held", "set", "thrown",
];
/// Words that can't follow `has no`. They are negated with `does not have`, as in
/// `does not have the ball`.
const DETERMINERS: [&str; 12] = [
    "the", "its", "their", "his", "her", "this", "that", "these", "those", "all", "both", "enough",
];
/// Words that begin a description after a noun. The words before them determine whether the noun is
/// plural.
const POSTMODIFIERS: [&str; 15] = [
    "between", "of", "from", "to", "in", "on", "at", "by", "for", "with", "that", "whose", "where",
    "what", "each",
];

/// Returns a noun with its indefinite article.
pub(super) fn with_article(noun: &str) -> String {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) && !noun.starts_with("uni") {
        format!("an {noun}")
    } else {
        format!("a {noun}")
    }
}

/// Returns a possessive, such as `its branch` or `the hose’s branch`. If the owner is in quotation
/// marks or has more than three words, the form is `the branch of …`.
pub(super) fn possessive(owner: &str, noun: &str) -> String {
    match owner {
        "it" => format!("its {noun}"),
        _ if owner.starts_with('‘') || owner.split(' ').count() > 3 => {
            format!("the {noun} of {owner}")
        }
        _ => format!("{owner}’s {noun}"),
    }
}

/// Returns the plural form of conditions that are in the singular.
pub(super) fn plural_conditions(conditions: &str) -> String {
    conditions.replace(" that is ", " that are ").replace(" that has ", " that have ")
}

/// Returns a list in words, with `word` before its last element.
pub(super) fn join_with(mut all: Vec<String>, word: &str) -> String {
    match all.pop() {
        Some(last) if !all.is_empty() => format!("{} {word} {last}", all.join(", ")),
        Some(last) => last,
        None => String::new(),
    }
}

/// Returns true if a subject is plural, such as `the men` or `its turns of rest`.
fn is_plural(subject: &str) -> bool {
    let behind = |word: &&str| POSTMODIFIERS.contains(word) || word.starts_with('(');
    let mut words = subject.split(' ').take_while(|word| !behind(word));
    words.any(|word| {
        let singular = ["ss", "us", "is", "its", "’s"].iter().any(|end| word.ends_with(end));
        word == "men" || (word.len() > 2 && word.ends_with('s') && !singular)
    })
}

/// Returns a sentence made from a subject and a phrase such as `on fire`, `can burn` or `carries a
/// ladder`. The sentence is negated if `not` is true.
pub(super) fn sentence(subject: &str, phrase: &str, not: bool) -> String {
    let (first, rest) = phrase.split_once(' ').unwrap_or((phrase, ""));
    let many = is_plural(subject);
    let no = if not { " not" } else { "" };
    let verb = first.len() > 3 && first.ends_with('s') && !first.ends_with("ss");
    let said = match first {
        "can" if not => format!("cannot {rest}"),
        "has" | "have" => {
            let have = if many { "have" } else { first };
            let next = rest.split(' ').next().unwrap_or(rest);
            let done = next.ends_with("ed") || next.ends_with("en") || PARTICIPLES.contains(&next);
            let bare = rest.strip_prefix("a ").or(rest.strip_prefix("an "));
            match (not, bare) {
                (false, _) => format!("{have} {rest}"),
                (true, None) if done => format!("{have} not {rest}"),
                (true, None) if DETERMINERS.contains(&next) => {
                    format!("{} not have {rest}", if many { "do" } else { "does" })
                }
                (true, bare) => format!("{have} no {}", bare.unwrap_or(rest)),
            }
        }
        _ if AUXILIARIES[..18].contains(&first) => {
            let first = match first {
                "is" if many => "are",
                "was" if many => "were",
                "does" if many => "do",
                first => first,
            };
            format!("{first}{no} {rest}")
        }
        _ if verb && !not && !many => phrase.to_owned(),
        _ if verb => {
            let stem = match first.strip_suffix("ies") {
                Some(stem) => format!("{stem}y"),
                None => first.trim_end_matches('s').to_owned(),
            };
            let does = if many { "do not " } else { "does not " };
            format!("{}{stem} {rest}", if not { does } else { "" })
        }
        _ => format!("{}{no} {phrase}", if many { "are" } else { "is" }),
    };
    format!("{subject} {}", said.trim_end())
}

/// Returns a noun without its leading article.
pub(super) fn without_article(noun: &str) -> &str {
    ["the ", "a ", "an "].iter().find_map(|article| noun.strip_prefix(article)).unwrap_or(noun)
}

/// Returns the negation of a sentence.
pub(super) fn deny_sentence(affirmed: &str) -> String {
    let words: Vec<&str> = affirmed.split(' ').collect();
    match words.iter().position(|word| AUXILIARIES.contains(word)) {
        Some(at) if at > 0 => sentence(&words[..at].join(" "), &words[at..].join(" "), true),
        _ => format!("it is not the case that {affirmed}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{deny_sentence, without_article};

    #[test]
    fn what_is_had_is_denied_by_its_article() {
        let denied = |affirmed| deny_sentence(affirmed);
        assert_eq!(denied("the man has a gun"), "the man has no gun");
        assert_eq!(denied("the man has the ball"), "the man does not have the ball");
        assert_eq!(denied("the men have their orders"), "the men do not have their orders");
        assert_eq!(denied("the man has moved"), "the man has not moved");
    }

    #[test]
    fn an_article_is_given_once() {
        assert_eq!(without_article("the side to move"), "side to move");
        assert_eq!(without_article("another side"), "another side");
        assert_eq!(without_article("theory"), "theory");
    }
}
