//! Short forms that people type in a hurry, such as `nxt pls`.

use super::play::Play;
use crate::command::{self, TypedLine};

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
    for token in typed.tokens.iter().filter(|token| !token.quoted) {
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
