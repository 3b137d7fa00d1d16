//! Statements about the state of pieces, in everyday words, that set attributes of one piece or of
//! several together: `baker is in cover`, `ann and bob are hurt`, `mark a fire in g1`, `s1 isn't sunk`,
//! `r3 has 11 men, should be 14`. Every word of the clause must be understood; [`super::rulings`] reads
//! looser statements about one piece.

use super::play::Play;
use super::pronouns;
use super::question_words;
use super::rulings;
use super::state_words;
use super::suggest;
use super::suggest::LineSearch;
use crate::command::{self, TypedLine};
use crate::language::rule::RuleText;
use crate::language::schema::{Attribute, KindId, Schema, Type};

/// Words that begin a statement and add nothing to it.
const OPENING: [&str; 21] = [
    "and", "but", "so", "also", "then", "no", "ok", "okay", "right", "well", "actually", "sorry",
    "wait", "oh", "wrong", "now", "please", "anyway", "here", "because", "as",
];

/// Verbs of a statement that describes pieces, among them the end of `they're` and `he's`.
const IS: [&str; 14] = [
    "is", "are", "'s", "'re", "was", "were", "be", "has", "have", "had", "got", "gets", "shows",
    "show",
];

/// Verbs of a statement in which the umpire gives pieces a state.
const GIVES: [&str; 5] = ["mark", "make", "put", "give", "add"];

/// Words that deny the statement.
const NOT: [&str; 12] = [
    "not", "no", "never", "isn't", "isnt", "aren't", "arent", "wasn't", "hasn't", "haven't",
    "weren't", "n't",
];

/// Words for what should be the case.
const SHOULD: [&str; 3] = ["should", "must", "ought"];

/// Words of a statement that don't change what it says.
const LITTLE: [&str; 44] = [
    "over", "some", "doing", "among", "a", "an", "the", "to", "of", "as", "at", "in", "on", "into",
    "inside", "under", "behind", "with", "down", "up", "back", "again", "now", "just", "only",
    "really", "still", "already", "all", "both", "one", "his", "her", "its", "their", "marker",
    "markers", "counter", "counters", "token", "left", "been", "instead", "too",
];

/// Pronouns that may stand for pieces.
const PRONOUNS: [&str; 9] = ["he", "she", "it", "they", "them", "him", "her", "those", "these"];

/// The lines that a statement about the state of pieces leads to.
pub(super) struct SaidState {
    /// The lines that set it; several if the statement can mean several attributes.
    pub lines: Vec<String>,
    /// The same statement about the other pieces, if a line can only name one.
    pub rest: Option<String>,
    /// The other clauses of the line, which aren't carried out.
    pub remark: Option<String>,
    /// True if all the pieces have that state already.
    pub is_so: bool,
}

/// The lines that one clause of a statement leads to.
struct ClauseLines {
    /// The index of the clause.
    at: usize,
    lines: Vec<String>,
    /// The same statement about the other pieces, if a line can only name one.
    rest: Option<String>,
    should: bool,
    is_denied: bool,
    is_so: bool,
}

/// Pieces whose state is stated.
#[derive(Clone)]
struct StatedPieces {
    /// The pieces as the line that sets their attributes names them.
    names: String,
    /// The pieces among which the attribute is looked for, grouped by kind: first the named pieces,
    /// then the members of any named squad.
    having: Vec<(KindId, Vec<u32>)>,
}

/// Returns what a line states about the state of pieces. Returns `None` for any other line, if the
/// state isn't one that the umpire can set, or if a clause has words that aren't understood.
pub(super) fn said_state(play: &Play, typed: &TypedLine<'_>) -> Option<SaidState> {
    // `c1 to c5 are in cover`
    let spelled =
        command::with_ranges_spelled_out(play.referee(), play.session.table(), typed.line);
    if let Some(spelled) = spelled {
        return said_state(play, &TypedLine::read(&spelled).ok()?);
    }
    // A verb of the game goes first: `put ladder1 up`.
    let gives = typed.tokens.first().is_some_and(|word| GIVES.contains(&word.bare().as_str()));
    if gives && command::begins_with_phrase(play.referee(), play.session.table(), typed) {
        return None;
    }
    let line = typed.line.trim().trim_end_matches(['.', '!']);
    let parts = clauses_of(play, line);
    let clauses: Vec<Vec<String>> = parts.iter().map(|part| words_of(part)).collect();
    let found = stated_in(play, &clauses)?;
    let others = || parts.iter().enumerate().filter(|(other, _)| *other != found.at);
    // What is done goes before what is the case: `ann shoots bob, bob's in cover`.
    if others().any(|(other, part)| is_done(play, part, &clauses[other], other < found.at)) {
        return None;
    }
    let only_opens = |words: &[String]| {
        words.iter().all(|word| OPENING.contains(&word.as_str())) || rulings::only_overrules(words)
    };
    let remarks = others().filter(|(other, _)| !only_opens(&clauses[*other]));
    let remark: Vec<&str> = remarks.map(|(_, part)| part.as_str()).collect();
    let remark = (!remark.is_empty()).then(|| remark.join(", "));
    let rules = rulings::overrules(&question_words::question_words(typed));
    // A reason shows that a denial contradicts a result.
    let is_ruling = found.should || rules || found.is_denied && remark.is_some();
    if !is_ruling {
        return Some(SaidState {
            lines: found.lines,
            rest: found.rest,
            remark,
            is_so: found.is_so,
        });
    }
    let reason = remark.as_deref().unwrap_or("umpire's ruling");
    let as_ruling = |stated: &String| match stated.strip_prefix("set ") {
        Some(values) => format!("overrule {values}: {reason}"),
        // A verb of the game needs no ruling.
        None => stated.clone(),
    };
    let lines = found.lines.iter().map(as_ruling).collect();
    Some(SaidState { lines, rest: found.rest, remark: None, is_so: found.is_so })
}

/// Returns the lines for the clause that states something: the first one or, if there is one, the last that
/// says what should be the case.
fn stated_in(play: &Play, clauses: &[Vec<String>]) -> Option<ClauseLines> {
    let mut subject: Option<StatedPieces> = None;
    // The attribute of an earlier clause: `r3 has 11 men, should be 14`.
    let mut attribute: Option<String> = None;
    let mut found: Option<ClauseLines> = None;
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    for (at, words) in clauses.iter().enumerate() {
        let Some(clause) = Clause::read(play, words, subject.as_ref()) else {
            // An earlier part may only name the pieces: `able too, they are hurt`.
            if subject.is_none() {
                subject = named_in(play, words);
            }
            continue;
        };
        let mut values: Vec<&str> = clause.values.iter().map(String::as_str).collect();
        // `s1 is down to speed b`, in a phase with the verb `speed`
        if values.len() > 1 && search.belongs_here(values[0]) {
            continue;
        }
        if let ([number], Some(attribute)) = (values.as_slice(), attribute.as_deref())
            && number.parse::<i64>().is_ok()
        {
            values.insert(0, attribute);
        }
        let lines = ClauseLines::of(play, at, &clause, &values, words);
        if let [only] = lines.lines.as_slice() {
            let named = only.split(' ').nth(1).and_then(|path| path.rsplit_once('.'));
            attribute = named.map(|(_, name)| name.to_owned());
        }
        subject = Some(clause.subject);
        if !lines.lines.is_empty() && (found.is_none() || lines.should) {
            found = Some(lines);
        }
    }
    found
}

impl ClauseLines {
    /// Returns the lines for a clause, which set attributes or, if there are none, have verbs.
    fn of(
        play: &Play,
        at: usize,
        clause: &Clause,
        values: &[&str],
        words: &[String],
    ) -> ClauseLines {
        let should = clause.should;
        let is_denied = clause.is_denied;
        let (lines, is_so) = clause.subject.lines(play, values, is_denied);
        if !lines.is_empty() || is_denied {
            return ClauseLines { at, lines, rest: None, should, is_denied, is_so };
        }
        let (with_verbs, others) = clause.subject.lines_of_verbs(play, values);
        let said = words.iter().skip_while(|word| !IS.contains(&word.as_str()));
        let said: Vec<&str> = said.map(String::as_str).collect();
        let others = others.filter(|_| !with_verbs.is_empty());
        let rest = others.map(|others| format!("{others} {}", said.join(" ")));
        ClauseLines { at, lines: with_verbs, rest, should, is_denied, is_so: false }
    }
}

/// Returns true if a clause is a command: it begins with a verb or, if it comes before the statement, has
/// one.
fn is_done(play: &Play, part: &str, words: &[String], comes_before: bool) -> bool {
    let mut said = words.iter().skip_while(|word| OPENING.contains(&word.as_str()));
    let begins_with_verb = said.next().is_some_and(|first| question_words::is_verb(play, first));
    let verb_at = command::verb_at(play.referee(), play.session.table(), part);
    begins_with_verb || verb_at == Some(0) || verb_at.is_some() && comes_before
}

/// Returns the clauses of a line. A comma after the name of a piece joins a list: `ann, bob and carl are
/// hurt` is one clause.
fn clauses_of(play: &Play, line: &str) -> Vec<String> {
    let is_piece = |part: &str| command::find_spoken(play.session.table(), part).is_some();
    let mut clauses: Vec<String> = Vec::new();
    let mut is_list = false;
    for part in line.split([',', ';', ':']).map(str::trim) {
        match clauses.last_mut().filter(|_| is_list) {
            Some(list) => *list = format!("{list} and {part}"),
            None => clauses.push(part.to_owned()),
        }
        is_list = is_piece(part);
    }
    clauses
}

/// Returns the words of a clause in lower case. The end of `they're`, `he's` and `isn't` is a word of
/// its own.
fn words_of(clause: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in clause.split_whitespace() {
        let word = word.to_lowercase().replace('’', "'");
        let word = word.trim_matches(['.', '!', '"']);
        let ending = ["'s", "'re", "'ve", "n't"].into_iter().find(|end| word.ends_with(end));
        match ending.and_then(|end| Some((word.strip_suffix(end)?, end))) {
            Some((stem, end)) => words.extend([stem.to_owned(), end.to_owned()]),
            None => words.push(word.to_owned()),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A clause that states something about pieces.
struct Clause {
    subject: StatedPieces,
    /// The words that name the state.
    values: Vec<String>,
    is_denied: bool,
    /// True if the clause says what should be the case.
    should: bool,
}

impl Clause {
    /// Reads the words of a clause. A pronoun, or a missing subject, stands for the subject of an earlier
    /// clause or, if there is none, for the pieces that acted last.
    fn read(play: &Play, words: &[String], earlier: Option<&StatedPieces>) -> Option<Clause> {
        let opening = words.iter().take_while(|word| OPENING.contains(&word.as_str())).count();
        let words = words.get(opening..)?;
        let first = words.first()?.as_str();
        // `there's mud all over b2` marks it there.
        let is_there =
            first == "there" && words.get(1).is_some_and(|verb| IS.contains(&verb.as_str()));
        if GIVES.contains(&first) || is_there {
            let mut values = words[if is_there { 2 } else { 1 }..].to_vec();
            let subject = match subject_at(play, &values, earlier) {
                Some((subject, taken)) => {
                    values.drain(..taken);
                    subject
                }
                // `mark a fire in g1`
                None => subject_at_end(play, &mut values)?,
            };
            return Clause::of(subject, &values, false);
        }
        let (subject, taken) = match subject_at(play, words, earlier) {
            Some(found) => found,
            None => (earlier?.clone(), 0),
        };
        // `weiss now shows`
        let between = words.get(taken..)?.iter();
        let between = between.take_while(|word| LITTLE.contains(&word.as_str())).count();
        let rest = words.get(taken + between..)?;
        let states = |word: &String| {
            IS.contains(&word.as_str())
                || NOT.contains(&word.as_str())
                || SHOULD.contains(&word.as_str())
        };
        let verb = rest.first().filter(|verb| states(verb))?;
        // Who has left a place isn't there.
        if rest.get(1).is_some_and(|next| next == "left") && rest.len() > 2 {
            return None;
        }
        // `it was b1` corrects the last command.
        let is_pronoun = PRONOUNS.contains(&first) && earlier.is_none();
        if is_pronoun && ["was", "were"].contains(&verb.as_str()) {
            return None;
        }
        let should = rest.iter().any(|word| SHOULD.contains(&word.as_str()));
        Clause::of(subject, rest, should)
    }

    fn of(subject: StatedPieces, words: &[String], should: bool) -> Option<Clause> {
        let is_denied = words.iter().any(|word| NOT.contains(&word.as_str()));
        let says = |word: &&String| {
            let known = [&IS[..], &NOT, &SHOULD, &LITTLE];
            !known.iter().any(|known| known.contains(&word.as_str()))
        };
        let number = |word: &String| {
            command::spoken_number(word).map_or_else(|| word.clone(), |number| number.to_string())
        };
        let values: Vec<String> = words.iter().filter(says).map(number).collect();
        (!values.is_empty()).then_some(Clause { subject, values, is_denied, should })
    }
}

/// Returns the pieces that some words begin with, and the number of words that name them.
fn subject_at(
    play: &Play,
    words: &[String],
    earlier: Option<&StatedPieces>,
) -> Option<(StatedPieces, usize)> {
    let first = words.first()?.as_str();
    if PRONOUNS.contains(&first) {
        let subject = match earlier {
            Some(earlier) => earlier.clone(),
            None => StatedPieces::of_names(play, &pronouns::last_actors(play)?)?,
        };
        return Some((subject, 1));
    }
    let table = play.session.table();
    let mut names: Vec<String> = Vec::new();
    let mut taken = 0;
    while let Some(word) = words.get(taken) {
        let joins = ["and", "&"].contains(&word.as_str()) && !names.is_empty();
        let named = words.get(taken + usize::from(joins))?;
        let Some(found) = command::find_spoken(table, named) else { break };
        if !names.is_empty() && !joins {
            break;
        }
        names.push(found);
        taken += 1 + usize::from(joins);
    }
    if !names.is_empty() {
        return Some((StatedPieces::of_names(play, &names.join(","))?, taken));
    }
    let (group, length) = command::group_at(play.referee(), table, &words.join(" "))?;
    Some((StatedPieces::of_names(play, &group.join(","))?, length))
}

/// Removes the pieces at the end of some words, and returns them.
fn subject_at_end(play: &Play, words: &mut Vec<String>) -> Option<StatedPieces> {
    let ends = |at: usize| {
        let (subject, taken) = subject_at(play, &words[at..], None)?;
        (at + taken == words.len()).then_some((at, subject))
    };
    let (at, subject) = (1..words.len()).find_map(ends)?;
    words.truncate(at);
    Some(subject)
}

/// Returns the pieces that a clause names.
fn named_in(play: &Play, words: &[String]) -> Option<StatedPieces> {
    let names = command::names_in(play.referee(), play.session.table(), &words.join(" "));
    StatedPieces::of_names(play, names.first()?)
}

impl StatedPieces {
    /// Returns the subject for a list of names with commas between them; `None` if the pieces are of
    /// different kinds.
    fn of_names(play: &Play, list: &str) -> Option<StatedPieces> {
        let table = play.session.table();
        let found: Option<Vec<(KindId, u32)>> =
            list.split(',').map(|name| table.find(name)).collect();
        let found = found?;
        let (kind, first) = *found.first()?;
        if found.iter().any(|(other, _)| *other != kind) {
            return None;
        }
        let mut having = vec![(kind, found.iter().map(|(_, row)| *row).collect())];
        if found.len() == 1 {
            having.extend(command::members_by_kind(play.referee(), table, kind, first));
        }
        Some(StatedPieces { names: list.to_owned(), having })
    }

    /// Returns the lines that give the pieces the state which some words name: one line for each attribute
    /// that can be meant. Also returns true if all the pieces have that state already. Returns no lines if
    /// some word isn't understood.
    fn lines(&self, play: &Play, words: &[&str], is_denied: bool) -> (Vec<String>, bool) {
        let table = play.session.table();
        let schema = &play.referee().ruleset().schema;
        for (kind, rows) in &self.having {
            let mut lines: Vec<String> = Vec::new();
            let mut in_use: Vec<String> = Vec::new();
            let mut holds = true;
            for (index, attribute) in schema.kind(*kind).attributes.iter().enumerate() {
                let values = Values { play, attribute, kind: *kind, index, row: rows[0] };
                let named = values.named(words, is_denied).filter(|_| attribute.can_be_set());
                let Some(value) = named else { continue };
                let line = format!("set {}.{} {value}", self.names, attribute.name);
                if command::parse(play.referee(), table, &line).is_err() {
                    continue;
                }
                let now = |row: &u32| play.referee().attribute_text(table, *kind, *row, index);
                holds &= rows.iter().all(|row| now(row).is_some_and(|now| now == value));
                // Of several places that a piece can have, the one where it is may be meant.
                if matches!(attribute.ty, Type::Piece(_))
                    && rows.iter().all(|row| now(row).is_some())
                {
                    in_use.push(line.clone());
                }
                lines.push(line);
            }
            if in_use.len() == 1 {
                lines = in_use;
            }
            if !lines.is_empty() {
                return (lines, holds);
            }
        }
        (Vec::new(), false)
    }
}

impl StatedPieces {
    /// Returns the lines with verbs of this phase that give the pieces the state: the verb takes the state
    /// as a value, as in `stand r1 in wood`, or it has another word for it, as in `take cover`; then there
    /// is a line for each of its values. If a line can only name one piece, it names the first, and the
    /// other pieces are returned, too.
    fn lines_of_verbs(&self, play: &Play, words: &[&str]) -> (Vec<String>, Option<String>) {
        let table = play.session.table();
        let accepts =
            |line: &String| suggest::would_be_accepted(play.words, play.referee(), table, line);
        let ends = verbs_with_state(play, &self.having, words);
        let lines_for = |names: &str| -> Vec<String> {
            let lines = ends.iter().map(|(verb, value)| format!("{verb} {names} {value}"));
            lines.filter(accepts).collect()
        };
        let of_all = lines_for(&self.names);
        match self.names.split_once(',').filter(|_| of_all.is_empty()) {
            Some((first, others)) => (lines_for(first), Some(others.replace(',', " and "))),
            None => (of_all, None),
        }
    }
}

/// Returns the verbs that take pieces of one of these kinds and give them the state which some words
/// name, each with the value that it takes.
fn verbs_with_state(
    play: &Play,
    having: &[(KindId, Vec<u32>)],
    words: &[&str],
) -> Vec<(String, String)> {
    let ruleset = play.referee().ruleset();
    let schema = &ruleset.schema;
    let takes = |rule: &RuleText| {
        let mut params = rule.params.iter().map(|param| param.ty.member_or_self());
        params.any(|ty| having.iter().any(|(kind, _)| ty == Type::Piece(*kind)))
    };
    let mut found: Vec<(String, String)> = Vec::new();
    for rule in schema.rules.iter().filter(|rule| rule.usage.is_some() && takes(rule)) {
        let mut sets = rule.params.iter().filter_map(|param| match param.ty {
            Type::Word(set) => Some(schema.word_set(set)),
            _ => None,
        });
        let Some(set) = sets.next().filter(|_| sets.next().is_none()) else { continue };
        let is_value = |value: &&String| value.eq_ignore_ascii_case(&words.join("-"));
        let also = set.also.iter().find(|(other, _)| is_value(&other)).map(|(_, value)| value);
        let phrases = rule.also.iter().flat_map(|(phrase, _)| phrase.split(' '));
        let starts_as = |value: &str| {
            let kinds = having.iter().flat_map(|(kind, _)| &schema.kind(*kind).attributes);
            let mut starts = kinds.filter_map(|attribute| match attribute.ty {
                Type::Word(of) => {
                    schema.word_set(of).values.get(usize::try_from(attribute.start).ok()?)
                }
                _ => None,
            });
            starts.any(|start| start == value)
        };
        let has_phrase = || words.len() == 1 && phrases.clone().any(|part| part == words[0]);
        let values: Vec<&String> = match set.values.iter().find(is_value).or(also) {
            Some(value) => vec![value],
            // The value at the beginning of the game is no special state.
            None if has_phrase() => set.values.iter().filter(|value| !starts_as(value)).collect(),
            None => Vec::new(),
        };
        found.extend(values.into_iter().map(|value| (rule.verb().to_owned(), value.clone())));
    }
    found
}

/// The values of an attribute of a piece that words can name.
struct Values<'p> {
    play: &'p Play,
    attribute: &'p Attribute,
    kind: KindId,
    /// The index of the attribute in the kind.
    index: usize,
    row: u32,
}

impl Values<'_> {
    /// Returns the value that all of these words name together, or the opposite if they are denied.
    /// Returns `None` if they don't name a value of this attribute.
    fn named(&self, words: &[&str], is_denied: bool) -> Option<String> {
        let a = self.attribute;
        let whole = words.join("-");
        let is_name = |said: &str| {
            a.is_called_in_either_number(said) || self.is_phrase(said) || self.ends_with(said)
        };
        let is_like = |said: &str| {
            state_words::BURNING.contains(&said)
                && state_words::BURNING.iter().any(|w| a.is_called(w))
        };
        match a.ty {
            Type::Flag if is_name(&whole) || is_like(&whole) => {
                Some(if is_denied { "no" } else { "yes" }.to_owned())
            }
            Type::Flag => match words {
                [value @ ("yes" | "no"), name @ ..] | [name @ .., value @ ("yes" | "no")]
                    if is_name(&name.join("-")) =>
                {
                    Some((*value).to_owned())
                }
                _ => None,
            },
            Type::Whole | Type::Number => {
                let is_number = |word: &&&str| word.parse::<f64>().is_ok();
                let number = words.iter().find(is_number);
                let name: Vec<&str> =
                    words.iter().filter(|word| !is_number(word)).copied().collect();
                match number {
                    Some(number) if !is_denied && is_name(&name.join("-")) => {
                        Some((*number).to_owned())
                    }
                    None if is_denied && is_name(&whole) => Some("0".to_owned()),
                    // `ann is on fire`
                    None if a.ty == Type::Whole && is_name(&whole) && self.is_zero() => {
                        Some("1".to_owned())
                    }
                    _ => self.value_like(&whole).filter(|_| !is_denied),
                }
            }
            Type::Piece(of) => {
                let table = self.play.session.table();
                let (kind, row) =
                    words.first().filter(|_| words.len() == 1).and_then(|w| table.find(w))?;
                (kind == of && !is_denied).then(|| table.piece_name(kind, row))
            }
            _ => {
                let name = words.split_first().filter(|(name, _)| a.is_called(name));
                let said = name.map_or_else(|| whole.clone(), |(_, value)| value.join("-"));
                let value = self.value_like(&said)?;
                if is_denied { self.instead_of(&value) } else { Some(value) }
            }
        }
    }

    /// Returns true if the name of the attribute, and of no other one of the kind, ends with a word after a
    /// hyphen: `hose-lengths` with `lengths`.
    fn ends_with(&self, said: &str) -> bool {
        let ends = |a: &Attribute| a.name.rsplit_once('-').is_some_and(|(_, last)| last == said);
        let attributes = &self.play.referee().ruleset().schema.kind(self.kind).attributes;
        ends(self.attribute) && attributes.iter().filter(|a| ends(a)).count() == 1
    }

    /// Returns true if the value is 0 now.
    fn is_zero(&self) -> bool {
        let table = self.play.session.table();
        let now = self.play.referee().attribute_text(table, self.kind, self.row, self.index);
        now.as_deref() == Some("0")
    }

    /// Returns true if some words, joined by hyphens, are the phrase of a flag in a sentence, or the name
    /// of its marker.
    fn is_phrase(&self, said: &str) -> bool {
        let phrases = [&self.attribute.says, &self.attribute.marker];
        let mut phrases = phrases.into_iter().flatten().map(|phrase| phrase.to_lowercase());
        // What is put on the table isn't over the table.
        self.attribute.ty == Type::Flag
            && !["table", "board"].contains(&said)
            && phrases.any(|phrase| {
                let words = phrase.split(' ').filter(|word| !LITTLE.contains(word));
                words.collect::<Vec<_>>().join("-") == said
            })
    }

    /// Returns the value that a word names: the value itself, another word for it, or one that means
    /// much the same in everyday English.
    fn value_like(&self, said: &str) -> Option<String> {
        let schema = &self.play.referee().ruleset().schema;
        let like = state_words::words_like(said);
        std::iter::once(said).chain(like).find_map(|word| value_named(schema, self.attribute, word))
    }

    /// Returns the value that a piece has if it doesn't have the denied one: the value at the beginning of
    /// the game. Returns `None` if the denied value is that one, or isn't the present one.
    fn instead_of(&self, denied: &str) -> Option<String> {
        let table = self.play.session.table();
        let now = self.play.referee().attribute_text(table, self.kind, self.row, self.index)?;
        let Type::Word(set) = self.attribute.ty else { return None };
        let values = &self.play.referee().ruleset().schema.word_set(set).values;
        let start = values.get(usize::try_from(self.attribute.start).ok()?)?;
        (now == denied && start != denied).then(|| start.clone())
    }
}

/// Returns the value of an attribute that a word names.
fn value_named(schema: &Schema, attribute: &Attribute, word: &str) -> Option<String> {
    if question_words::is_value(schema, attribute, word) {
        return Some(word.to_owned());
    }
    let Type::Word(set) = attribute.ty else { return None };
    let also = &schema.word_set(set).also;
    also.iter().find(|(other, _)| other.eq_ignore_ascii_case(word)).map(|(_, value)| value.clone())
}

/// Returns help for a statement about a piece with words that belong to the commands of this phase and
/// not to the state of pieces, such as `ann is in cover` in a game where cover is said with each shot.
/// Returns `None` for any other line.
pub(super) fn said_with_commands(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let clause = Clause::read(play, &words_of(typed.line.trim()), None)?;
    let ruleset = play.referee().ruleset();
    let phase = play.referee().phase_index(play.session.table())?;
    let words: Vec<String> = clause.values.into_iter().filter(|word| word != "and").collect();
    let mut typed_here: Vec<&str> = Vec::new();
    let mut verbs: Vec<String> = Vec::new();
    for (verb, _) in &ruleset.phases.get(phase)?.verbs {
        let options = command::options_of_verb(play.referee(), verb, &words);
        if !options.is_empty() {
            verbs.push(format!("`{verb}`"));
            for option in options {
                if !typed_here.contains(&option) {
                    typed_here.push(option);
                }
            }
        }
    }
    if typed_here.len() < words.len() {
        return None;
    }
    let said: Vec<String> = typed_here.iter().map(|word| format!("`{word}`")).collect();
    let verb = verbs.first()?.trim_matches('`').to_owned();
    let (are, them) = if said.len() == 1 { ("is", "it") } else { ("are", "them") };
    Some(format!(
        "{} {are} typed in each command that needs {them} ({}); `help {verb}` shows where",
        said.join(" and "),
        verbs.join(", ")
    ))
}
