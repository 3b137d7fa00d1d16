//! Everyday English phrases for actions that occur in many games.
//!
//! A ruleset names its verbs and, with `also`, other words for them. Lines with these words are
//! carried out. The phrases in this file only help to propose a line: if someone types that a piece
//! `goes` somewhere and the ruleset's verb is `move`, the program proposes a line with `move`. None
//! of the phrases belongs to a particular game.

use super::Token;
use super::restate::words_of_phrase;

/// Everyday phrases for one kind of action at the table.
struct Act {
    /// The names that rulesets give to this act. A verb of a ruleset means this act if its name, or
    /// another word for it, is in this list.
    verbs: &'static [&'static str],
    /// Other phrases for the act, with the first word in its base form.
    said: &'static [&'static str],
}

/// The acts that everyday phrases can mean. A word that is usually a noun, such as `head` or
/// `step`, appears only in phrases whose second word shows that it is a verb.
const ACTS: [Act; 19] = [
    Act {
        verbs: &["move", "go", "advance", "walk", "march", "run", "shift", "manoeuvre"],
        said: &[
            "come",
            "travel",
            "proceed",
            "get",
            "dash",
            "sprint",
            "rush",
            "hurry",
            "crawl",
            "creep",
            "sneak",
            "jog",
            "trot",
            "wander",
            "make for",
            "pull back",
            "fall back",
            "drop back",
            "back off",
            "retire",
            "retreat",
            "withdraw",
            "leg it",
            "head for",
            "head to",
            "head towards",
            "head off",
            "head up",
            "head down",
            "head over",
            "head back",
            "step into",
            "step over",
            "step back",
            "edge up",
            "edge forward",
            "cross to",
            "drive",
            "motor",
            "roll up",
            "roll on",
            "slip into",
            "slip out",
            "nip over",
            "close up",
            "cut through",
            "push on",
            "push up",
        ],
    },
    Act {
        verbs: &["drive", "motor", "roll"],
        said: &[
            "go",
            "come",
            "move",
            "pull up",
            "reverse",
            "back up",
            "get",
            "race",
            "head for",
            "head to",
            "head towards",
            "head off",
            "steer",
            "park",
        ],
    },
    Act {
        verbs: &["climb", "scale", "vault", "clamber", "jump"],
        said: &[
            "hop",
            "leap",
            "go up",
            "go down",
            "come down",
            "come up",
            "get up",
            "get over",
            "go over",
            "hop over",
            "jump over",
            "climb over",
        ],
    },
    Act {
        verbs: &["board", "mount", "embark"],
        said: &[
            "get in",
            "get into",
            "get on",
            "get onto",
            "get aboard",
            "climb on",
            "climb onto",
            "climb in",
            "climb into",
            "climb aboard",
            "jump on",
            "jump in",
            "jump into",
            "hop on",
            "hop in",
            "hop into",
            "pile in",
            "pile into",
            "load up",
        ],
    },
    Act {
        verbs: &["dismount", "disembark", "alight", "unload", "leave", "get down", "get out"],
        said: &[
            "get off",
            "climb off",
            "climb out",
            "climb down",
            "jump off",
            "jump out",
            "jump down",
            "hop off",
            "hop out",
            "bail out",
            "pile out",
            "tumble out",
        ],
    },
    Act {
        verbs: &["enter", "occupy", "break in"],
        said: &[
            "go in",
            "go into",
            "get in",
            "get into",
            "move into",
            "break into",
            "burst into",
            "step into",
            "storm into",
            "run into",
        ],
    },
    Act {
        verbs: &["occupy", "capture", "seize", "take", "garrison"],
        said: &["grab", "secure", "claim", "take over", "move into", "set up in"],
    },
    Act {
        verbs: &["fire", "shoot", "engage", "volley"],
        said: &[
            "open fire",
            "open up",
            "let fly",
            "let rip",
            "let loose",
            "blaze away",
            "pop",
            "plug",
            "loose off",
            "take a shot",
            "take a snap shot",
            "take a pot shot",
            "take potshots",
            "have a shot",
            "take a pop",
            "have a pop",
            "have a go",
            "take aim",
            "aim",
            "target",
            "bombard",
            "shell",
            "return fire",
            "snipe",
            "attack",
            "hit",
            "give",
        ],
    },
    Act {
        verbs: &["burst", "spray", "rake", "strafe"],
        said: &["hose", "fire a burst", "let off a burst", "empty a magazine"],
    },
    Act {
        verbs: &["throw", "lob", "toss", "hurl"],
        said: &["chuck", "sling", "fling", "bung", "heave", "bowl"],
    },
    Act {
        verbs: &["fight", "melee", "close combat", "charge", "assault", "attack"],
        said: &[
            "close with",
            "stab",
            "bayonet",
            "punch",
            "tackle",
            "grapple",
            "brawl",
            "go for",
            "lay into",
            "rush",
            "storm",
            "set about",
            "get stuck in",
            "go in with",
        ],
    },
    Act {
        verbs: &["cover", "take cover", "hide", "hug", "duck"],
        said: &[
            "duck down",
            "crouch",
            "drop",
            "drop down",
            "drop flat",
            "go prone",
            "go flat",
            "go to ground",
            "hit the dirt",
            "hit the deck",
            "lie down",
            "get down",
            "keep low",
            "shelter",
            "dive",
        ],
    },
    Act {
        verbs: &["stand", "stand up", "get up", "rise", "leave cover"],
        said: &["jump up", "break cover"],
    },
    Act {
        verbs: &["carry", "lift", "load", "bear"],
        said: &["pick up", "grab", "collect", "hoist", "take up", "take away"],
    },
    Act { verbs: &["draw", "pull"], said: &["pick", "take", "turn over", "flip"] },
    Act {
        verbs: &["extinguish", "put out", "douse", "quench"],
        said: &[
            "hose",
            "hose down",
            "pour water",
            "put water",
            "play on",
            "soak",
            "knock down",
            "tackle",
            "hit",
            "attack",
            "have a go",
            "take on",
            "work on",
            "fight",
        ],
    },
    Act {
        verbs: &["connect", "couple", "join", "attach", "link", "hook up", "tow"],
        said: &["hook on", "plug in", "plug into", "hitch", "tie in"],
    },
    Act {
        verbs: &["turn", "steer", "wheel", "face", "bank"],
        said: &["swing", "swing round", "come about", "come round", "veer", "helm"],
    },
    Act {
        verbs: &["speed", "throttle"],
        said: &["speed up", "slow", "slow down", "accelerate", "drop speed", "brake"],
    },
];

/// Phrases for doing nothing, which needs no command.
const IDLE: [&str; 34] = [
    "hold",
    "pass",
    "stay",
    "stay put",
    "sit tight",
    "stand fast",
    "keep down",
    "halt",
    "wait",
    "remain",
    "sit",
    "rest",
    "hang back",
    "hang about",
    "keep still",
    "keep quiet",
    "hold back",
    "do nothing",
    "stand still",
    "stand by",
    "hold on",
    "hold fire",
    "hold his fire",
    "hold her fire",
    "hold their fire",
    "save his",
    "save her",
    "save their",
    "save there",
    "not moving",
    "not firing",
    "not shooting",
    "no move",
    "no fire",
];

/// Words that deny the action of the verb after them.
const DENYING: [&str; 22] = [
    "can't", "cant", "cannot", "doesn't", "doesnt", "don't", "dont", "won't", "wont", "isn't",
    "isnt", "aren't", "arent", "didn't", "didnt", "not", "needn't", "neednt", "wouldn't",
    "wouldnt", "shan't", "never",
];

/// Auxiliary verbs in front of a denial or of an action that is going on.
const AUXILIARY: [&str; 10] =
    ["is", "are", "was", "were", "does", "do", "will", "would", "has", "have"];

/// Verbs that a piece which does nothing is said not to do, in any game.
const NOT_DONE: [&str; 14] = [
    "move", "fire", "shoot", "act", "go", "do", "attack", "moving", "firing", "shooting", "going",
    "acting", "doing", "want",
];

/// Returns the acts whose phrases these words begin with: for each act, its verbs and the number of
/// words in the phrase. Only the longest phrases count, so `get off` does not count as `get`.
pub(super) fn acts_at(words: &[Token]) -> Vec<(&'static [&'static str], usize)> {
    let mut found: Vec<(&'static [&'static str], usize)> = Vec::new();
    for act in &ACTS {
        let phrases = act.verbs.iter().chain(act.said);
        let begun = phrases.filter_map(|phrase| words_of_phrase(words, phrase, true));
        if let Some(taken) = begun.max() {
            found.push((act.verbs, taken));
        }
    }
    let longest = found.iter().map(|(_, taken)| *taken).max();
    found.retain(|(_, taken)| Some(*taken) == longest);
    found
}

/// Returns all phrases for acts, with the first word in its base form.
pub(super) fn phrases() -> impl Iterator<Item = &'static str> {
    ACTS.iter().flat_map(|act| act.verbs.iter().chain(act.said).copied())
}

/// Returns true if a word is an auxiliary verb such as `is`.
pub(super) fn is_auxiliary(word: &Token) -> bool {
    AUXILIARY.contains(&word.text.to_lowercase().as_str())
}

/// Returns true if these words begin with a phrase for doing nothing: `stays put`, `doesn't move`,
/// `are saving their shots`.
pub(super) fn says_idle(words: &[Token]) -> bool {
    let is_one_of = |word: &Token, list: &[&str]| {
        !word.quoted && list.contains(&word.text.to_lowercase().replace('’', "'").as_str())
    };
    let auxiliary = words.iter().take_while(|word| is_auxiliary(word)).count();
    let after = &words[auxiliary..];
    let denies = after.first().is_some_and(|word| is_one_of(word, &DENYING))
        && after.get(1).is_some_and(|word| is_one_of(word, &NOT_DONE));
    let begins =
        |part: &[Token]| IDLE.iter().any(|phrase| words_of_phrase(part, phrase, true).is_some());
    let is_over = || is_finished(after) || auxiliary == 0 && is_finished(words);
    // `is held` says something else than `is holding`.
    let goes_on = after
        .first()
        .is_some_and(|word| word.text.ends_with("ing") || is_one_of(word, &["not", "no"]));
    // `are staying put`
    let gerund_stem =
        after.first().and_then(|word| word.text.strip_suffix("ing")).map(str::to_owned);
    let begins_in_base_form = |stem: String| {
        let mut base = after.to_vec();
        base.iter_mut().take(1).for_each(|first| first.text.clone_from(&stem));
        begins(&base)
    };
    denies
        || begins(words)
        || goes_on && begins(after)
        || gerund_stem.is_some_and(begins_in_base_form)
        || is_over()
}

/// Words for somebody who has done all he wants to do.
const FINISHED: [&str; 3] = ["done", "finished", "through"];

/// Words around those in [`FINISHED`] that don't change what they say.
const BESIDE_FINISHED: [&str; 14] = [
    "all", "now", "too", "as", "well", "also", "for", "here", "this", "turn", "phase", "moving",
    "firing", "shooting",
];

/// Returns true if these words say that somebody has finished: `done now`, `all finished shooting`.
fn is_finished(words: &[Token]) -> bool {
    let is = |word: &Token, known: &[&str]| known.contains(&word.text.to_lowercase().as_str());
    // In `done with both guns`, the rest says with what.
    let end = words.iter().position(|word| is(word, &["with"])).unwrap_or(words.len());
    let words = &words[..end];
    words.iter().any(|word| is(word, &FINISHED))
        && words.iter().all(|word| is(word, &FINISHED) || is(word, &BESIDE_FINISHED))
}

/// Words after `skip` for a phase or a turn, which ends with it.
const NOT_SKIPPED: [&str; 9] =
    ["it", "that", "this", "phase", "turn", "step", "to", "ahead", "round"];

/// The maximum number of words for those who are skipped.
const MAX_SKIPPED: usize = 5;

/// Returns the words for those whom a line leaves out, up to the first comma: `the two guards` in `skip the
/// two guards, they're asleep`. Returns `None` for any other line.
pub(super) fn words_skipped(words: &[Token]) -> Option<&[Token]> {
    let (skip, rest) = words.split_first()?;
    let is = |word: &Token, known: &[&str]| known.contains(&word.bare().as_str());
    let end = rest.iter().position(|word| word.text.ends_with([',', ';'])).map(|at| at + 1);
    let skipped = &rest[..end.unwrap_or(rest.len())];
    let is_of_phase = skipped.iter().take(2).any(|word| is(word, &NOT_SKIPPED));
    let joins = skipped.iter().any(|word| is(word, &["and", "then"]));
    let is_somebody = (1..=MAX_SKIPPED).contains(&skipped.len()) && !is_of_phase && !joins;
    // In a game with the verb `pass`, more words are a command.
    let skips = is(skip, &["skip"]) || is(skip, &["pass"]) && skipped.len() == 1;
    (skips && is_somebody).then_some(skipped)
}
