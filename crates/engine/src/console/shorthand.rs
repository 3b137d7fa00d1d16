//! Short forms that people type in a hurry, such as `nxt pls`.

use super::play::Play;
use crate::command::{self, Token, TypedLine};

/// Short forms, each with the word that it stands for.
const SHORT: [(&str, &str); 36] = [
    ("nxt", "next"),
    ("nx", "next"),
    ("pls", "please"),
    ("plz", "please"),
    ("thx", "thanks"),
    ("w/", "with"),
    ("w/o", "without"),
    ("frm", "from"),
    ("bk", "back"),
    ("yr", "your"),
    ("ur", "your"),
    ("u", "you"),
    ("em", "them"),
    ("'em", "them"),
    ("any1", "anyone"),
    ("every1", "everyone"),
    ("some1", "someone"),
    ("whos", "who's"),
    ("whats", "what's"),
    ("wheres", "where's"),
    ("where've", "where"),
    ("gimme", "give me"),
    ("lemme", "let me"),
    ("gonna", "going to"),
    ("gotta", "has to"),
    ("mv", "move"),
    ("trn", "turn"),
    ("fwd", "forward"),
    ("rng", "range"),
    ("dmg", "damage"),
    ("grp", "group"),
    ("grps", "groups"),
    ("tot", "total"),
    ("comp", "computer"),
    ("cos", "because"),
    ("abt", "about"),
];

/// Returns the line with the long forms of its short words; `None` if it has none. A word that the
/// game or the console knows is not a short form.
pub(super) fn expand(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let table = play.session.table();
    let is_known = |word: &str| {
        command::find_spoken(table, word).is_some()
            || command::is_usage_word(play.referee(), word)
            || command::is_parameter_value(play.referee(), word)
            || play.referee().ruleset().has_verb(word)
            || play.words.iter().any(|known| known.is(word))
    };
    let mut line = String::new();
    let mut end = 0;
    for (at, token) in typed.tokens.iter().enumerate().filter(|(_, token)| !token.quoted) {
        if let Some((number, taken)) =
            number_with_half(&typed.tokens[at..]).filter(|_| token.start >= end)
        {
            line.push_str(&typed.line[end..token.start]);
            line.push_str(&number);
            end = typed.tokens[at + taken - 1].end;
            continue;
        }
        if token.start < end {
            continue;
        }
        let text = token.text.to_lowercase().replace('’', "'");
        let bare = text.trim_end_matches([',', '.', '!', '?', ';']);
        let long = SHORT.iter().find(|(short, _)| *short == bare).filter(|_| !is_known(bare));
        if let Some((_, long)) = long {
            line.push_str(&typed.line[end..token.start]);
            line.push_str(long);
            line.push_str(&text[bare.len()..]);
            end = token.end;
        }
    }
    line.push_str(&typed.line[end..]);
    (end > 0).then_some(line)
}

/// Returns the number that words such as `5 and a half` or `3½` begin with, in figures, and the
/// number of these words.
fn number_with_half(words: &[Token]) -> Option<(String, usize)> {
    let bare = |at: usize| {
        let word = words.get(at).filter(|word| !word.quoted)?;
        Some(word.text.to_lowercase())
    };
    let first = bare(0)?;
    if let Some(whole) = first.strip_suffix('½').or_else(|| first.strip_suffix("1/2")) {
        let is_whole = !whole.is_empty() && whole.bytes().all(|b| b.is_ascii_digit());
        return is_whole.then(|| (format!("{whole}.5"), 1));
    }
    let whole = command::spoken_number(&first)?;
    let half = |text: &str| ["half", "½", "1/2"].contains(&text.trim_end_matches([',', '.', ';']));
    let ends_with = |text: &str| {
        text.trim_start_matches(|c: char| c.is_alphanumeric() || c == '½' || c == '/').to_owned()
    };
    let taken = match (bare(1)?.as_str(), bare(2), bare(3)) {
        ("and", Some(a), Some(last)) if a == "a" && half(&last) => 4,
        ("and", Some(last), _) if half(&last) => 3,
        (last, ..) if half(last) && last != "half" => 2,
        _ => return None,
    };
    let last = bare(taken - 1)?;
    Some((format!("{whole}.5{}", ends_with(&last)), taken))
}

#[cfg(test)]
mod tests {
    use super::number_with_half;
    use crate::command::TypedLine;

    #[test]
    fn halves_are_numbers() {
        let number = |line: &str| number_with_half(&TypedLine::read(line).unwrap().tokens);
        let some = |number: &str, taken| Some((number.to_owned(), taken));
        assert_eq!(number("5 and a half inches"), some("5.5", 4));
        assert_eq!(number("four and a half, chest"), some("4.5,", 4));
        assert_eq!(number("6 and half"), some("6.5", 3));
        assert_eq!(number("3½ inches"), some("3.5", 1));
        assert_eq!(number("3 1/2"), some("3.5", 2));
        assert_eq!(number("2 half tracks"), None);
        assert_eq!(number("5 and a halftrack"), None);
        assert_eq!(number("half"), None);
    }
}
