//! Questions about who has acted this turn: `has gerber moved`, `have all hoses played`, `who has got
//! moves left`.

use super::play::Play;
use super::question_words::{self, QuestionAnswer};
use super::questions::{self, names_of_pieces};
use super::reply::Reply;
use super::suggest::LineSearch;
use crate::language::schema::{KindId, KindRole};
use crate::referee::Action;
use crate::render::markup::{Line, Role, Text};
use crate::session::{Entry, RecordedAction};
use crate::tabletop::Change;

/// Words that begin a question about past actions.
const ASKS: [&str; 3] = ["has", "have", "did"];

/// Words for the pieces of a question that are named before it: `birch and gale, have they fired`.
const PRONOUNS: [&str; 5] = ["he", "she", "it", "they", "any"];

/// Words for an action that aren't the base form of a verb with a regular ending.
const ACTIONS: [&str; 14] = [
    "acted", "act", "shot", "gone", "go", "been", "done", "do", "fought", "thrown", "run", "ran",
    "had", "played",
];

/// Words for the actions that a piece may still have.
const REMAINING: [&str; 10] =
    ["move", "moves", "go", "goes", "act", "action", "actions", "shot", "shots", "something"];

/// The maximum number of commands listed for one piece.
const MAX_COMMANDS: usize = 4;

/// Returns the `left` line for a question about who can still act, such as `who has got moves left`
/// or `any germans left to go`. Returns `None` for any other line, or if no phase has begun.
pub(super) fn left_line(play: &Play, words: &[String]) -> Option<String> {
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let first = words.first()?.as_str();
    let asks = ["who", "which", "any", "anyone", "anybody", "has", "have", "is"].contains(&first);
    let is_left = has(&["left", "still", "yet"]) && (has(&REMAINING) || has(&["do", "doing"]));
    let is_left = is_left && !questions::names_value(play, words);
    play.referee().phase_index(play.session.table()).filter(|_| asks && is_left)?;
    let names = names_of_pieces(play, words);
    match names.as_slice() {
        [] => Some("left".to_owned()),
        [name] => {
            let is_side = play.referee().sides(play.session.table()).contains(name);
            (is_side && first != "has").then(|| format!("left {name}"))
        }
        _ => None,
    }
}

/// Answers whether the pieces that a question names have acted this turn, with the commands of each.
/// Returns `None` for any other question.
pub(super) fn answer(play: &Play, words: &[String]) -> Option<Reply> {
    let asked = asked_action(play, words)?;
    let pieces = pieces_asked(play, words, asked);
    play.referee().phase_index(play.session.table())?;
    let (first, others) = pieces.split_first()?;
    let commands: Vec<(&String, Vec<&Entry>)> =
        pieces.iter().map(|name| (name, commands_of(play, name))).collect();
    let answer = if others.is_empty() {
        match commands.first().map(|(_, done)| done.as_slice()) {
            None | Some([]) => format!("{first} has not acted this turn"),
            Some(done) => format!("{first} this turn: {}", in_words(done)),
        }
    } else {
        let (acted, idle): (Vec<_>, Vec<_>) =
            commands.into_iter().partition(|(_, done)| !done.is_empty());
        let acted = acted.iter().map(|(name, done)| format!("{name} {}", in_words(done)));
        let acted: Vec<String> = acted.collect();
        let idle: Vec<&str> = idle.iter().map(|(name, _)| name.as_str()).collect();
        let acted = (!acted.is_empty()).then(|| format!("acted this turn: {}", acted.join("; ")));
        let idle = (!idle.is_empty()).then(|| format!("not yet: {}", idle.join(", ")));
        acted.into_iter().chain(idle).collect::<Vec<_>>().join("; ")
    };
    let line = Line::of(Role::Plain, &answer).with_hanging_indent(2);
    let listed = Vec::new();
    Some(Reply::new(Text::from_iter([line]), QuestionAnswer { answer, listed }))
}

/// Returns the part of a question that asks about an action, from the word that asks; `None` if the
/// question asks something else.
fn asked_action<'w>(play: &Play, words: &'w [String]) -> Option<&'w [String]> {
    let at = words.iter().position(|word| ASKS.contains(&word.as_str()))?;
    let asked = &words[at..];
    let begins = match at {
        0 => true,
        // `what did bruhn do`
        1 => words[0] == "what" && asked.iter().any(|word| ["do", "done"].contains(&word.as_str())),
        _ => false,
    };
    let after_names = asked.get(1).is_some_and(|word| PRONOUNS.contains(&word.as_str()));
    let is_action =
        |word: &String| ACTIONS.contains(&word.as_str()) || question_words::is_verb(play, word);
    let acts = asked.iter().skip(1).any(is_action);
    (acts && (begins || after_names)).then_some(asked)
}

/// Returns the names of the pieces that a question is about: those it names, those of a side, or
/// those of a kind.
fn pieces_asked(play: &Play, words: &[String], asked: &[String]) -> Vec<String> {
    let table = play.session.table();
    let names = names_of_pieces(play, words);
    let of_kind = |kind: KindId| table.present_pieces(kind).map(move |row| (kind, row));
    let schema = &play.referee().ruleset().schema;
    let of_pieces = |kind: &KindId| {
        let kind = schema.kind(*kind);
        kind.role == KindRole::Pieces && !kind.plan
    };
    if let [side] = names.as_slice()
        && play.referee().sides(table).contains(side)
    {
        let kinds = schema.piece_kinds().map(|(kind, _)| kind).filter(of_pieces);
        let of_side = kinds.flat_map(of_kind).filter(|&(kind, row)| {
            play.referee().side_of_piece(table, kind, row).as_ref() == Some(side)
        });
        let of_side = of_side.map(|(kind, row)| table.piece_name(kind, row));
        return of_side.filter(|name| name != side).collect();
    }
    if !names.is_empty() {
        // With a second piece, the question is about what one did to the other.
        let is_joined = asked.iter().any(|word| word == "they")
            || words.iter().any(|w| w == "and" || w == "or");
        return if names.len() == 1 || is_joined { names } else { Vec::new() };
    }
    let named = |word: &String| {
        let mut kinds = schema.piece_kinds();
        let kind = kinds.find(|(_, kind)| kind.plural.eq_ignore_ascii_case(word));
        kind.map(|(kind, _)| kind).filter(of_pieces)
    };
    let rows = asked.iter().find_map(named).into_iter().flat_map(of_kind);
    rows.map(|(kind, row)| table.piece_name(kind, row)).collect()
}

/// The maximum number of pieces that [`still_to_act`] tries.
const MAX_TRIED: usize = 60;

/// Returns the names of the pieces of the side to move, or of all sides, that could act now and that no
/// command of this phase names. Returns an empty list if there are too many pieces to try.
pub(super) fn still_to_act(play: &Play) -> Vec<String> {
    let referee = play.referee();
    let table = play.session.table();
    let Some(index) = referee.phase_index(table) else { return Vec::new() };
    let phase = &referee.ruleset().phases[index];
    let verbs: Vec<&str> = phase.verbs.iter().map(|(verb, _)| verb.as_str()).collect();
    let kinds = questions::acting_kinds(play, verbs.iter().copied()).into_iter();
    let pieces = kinds.flat_map(|kind| table.present_pieces(kind).map(move |row| (kind, row)));
    let has_acted = |name: &str| {
        let of_phase = |entry: &&Entry| entry.phase.as_ref() == Some(&phase.name);
        commands_of(play, name).iter().any(of_phase)
    };
    let tried: Vec<(KindId, u32, String)> = pieces
        .filter(|&(kind, row)| questions::may_move(play, kind, row))
        .map(|(kind, row)| (kind, row, table.piece_name(kind, row)))
        .filter(|(.., name)| !has_acted(name))
        .take(MAX_TRIED + 1)
        .collect();
    if tried.len() > MAX_TRIED {
        return Vec::new();
    }
    let search = LineSearch::new(play.words, referee, table).about_one();
    let can_act = |(kind, row, name): &(KindId, u32, String)| {
        let acts = |action: &Action| questions::acting_rows(play, action, *kind).contains(row);
        let mut own = verbs.iter().filter(|verb| questions::takes_kind(play, verb, *kind));
        own.any(|verb| search.line_with(verb, &[name], &acts).is_some())
    };
    tried.into_iter().filter(can_act).map(|(.., name)| name).collect()
}

/// Returns the commands of this turn whose lines name a piece. A command whose line names no piece of this
/// kind, but which changed the piece, counts too: the rules chose the piece for it.
fn commands_of<'p>(play: &'p Play, name: &str) -> Vec<&'p Entry> {
    let board = play.session.board();
    let table = play.session.table();
    let turn = play.referee().turn_number(table);
    let entries = play.session.entries().iter().map(AsRef::as_ref);
    let kind = |word: &str| table.find(word).map(|(kind, _)| kind);
    let concerns_it = |entry: &&Entry| {
        let mut words = entry.line.split([' ', ',']).skip(1);
        let is_rule = matches!(entry.action, RecordedAction::Rule { .. });
        let was_chosen = || {
            let mut changed = entry.outcome.changes().filter_map(Change::attribute_path);
            is_rule && changed.any(|path| path.piece == name)
        };
        let names_it = words.clone().any(|word| word == name);
        entry.turn == turn
            && board.is_current(entry.number)
            && !entry.outcome.only_looks()
            && (names_it || words.all(|word| kind(word) != kind(name)) && was_chosen())
    };
    entries.filter(concerns_it).collect()
}

/// Returns the lines of commands with their numbers, the latest ones if there are many.
fn in_words(commands: &[&Entry]) -> String {
    let from = commands.len().saturating_sub(MAX_COMMANDS);
    let listed = commands[from..].iter().map(|entry| format!("{} `{}`", entry.number, entry.line));
    listed.collect::<Vec<_>>().join(", ")
}
