//! The words of the console as data, and the search for the verb that a line begins with.

use super::actions::ROLL;
use super::complete::CompletionCandidates;
use super::restate::number_of_word;
use super::usage::{UsageFit, UsageMismatch};
use super::value::{card_name, shorten_word};
use super::{HintKind, LineError, Reading, Token, TypedLine};
use crate::language::schema::RuleId;
use crate::names::{self, Match};

/// A function that offers the words that can follow a console word and the words already typed
/// after it.
pub(crate) type Complete = fn(&Reading<'_>, &[Token], &mut CompletionCandidates);

/// A function that finds a line of the game among the words after a console word, as in
/// `odds LINE`. That line can then be completed like any other line.
pub(crate) type LineWithin = for<'t> fn(&'t [Token]) -> Option<&'t [Token]>;

/// The value of `most` for a console word that can be followed by any number of words.
pub const ANY_NUMBER: usize = usize::MAX;

/// A word of the console, with its help and its functions.
#[derive(Clone, Copy, Debug)]
pub struct Word<R> {
    /// The word in full.
    pub name: &'static str,
    /// Other spellings of the word, such as its first letter.
    pub short: &'static [&'static str],
    /// The usage of the word, such as `remove PIECE`.
    pub usage: &'static str,
    /// The help for the word, in one line.
    pub help: &'static str,
    /// Examples and remarks, one line each.
    pub sample: &'static [&'static str],
    /// The maximum number of words that may be typed after this one.
    pub most: usize,
    /// True if a verb of the game with the same name takes precedence.
    pub yields: bool,
    /// True if the word only looks something up. Such a word may be typed while a question is being
    /// asked.
    pub looks: bool,
    /// True if the word's answer shows the table. While a command is being resolved, such an answer
    /// shows the table as it was before the command.
    pub shows_table: bool,
    /// The function that offers completions for the words after this one.
    pub complete: Complete,
    /// The function that returns the line of the game among the words typed after this one, if
    /// there is one.
    pub line: LineWithin,
    /// The function that carries out the word.
    pub run: R,
}

impl<R> Word<R> {
    /// Returns a word that has only a function, as the base for the definitions of words.
    pub(crate) const fn of(run: R) -> Word<R> {
        Word {
            name: "",
            short: &[],
            usage: "",
            help: "",
            sample: &[],
            most: 0,
            yields: false,
            looks: false,
            shows_table: false,
            complete: |_, _, _| {},
            line: |_| None,
            run,
        }
    }

    /// Returns the same word with another function.
    pub(crate) const fn with_run<S>(&self, run: S) -> Word<S> {
        Word {
            name: self.name,
            short: self.short,
            usage: self.usage,
            help: self.help,
            sample: self.sample,
            most: self.most,
            yields: self.yields,
            looks: self.looks,
            shows_table: self.shows_table,
            complete: self.complete,
            line: self.line,
            run,
        }
    }

    /// Returns true if the text is the word or one of its other spellings.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.name == text || self.short.contains(&text)
    }

    /// Returns the error for the first word beyond the maximum, if there is one.
    pub(crate) fn excess_error(&self, rest: &[Token]) -> Option<LineError> {
        let excess = rest.get(self.most)?;
        let message = format!("unexpected `{}`", shorten_word(&excess.text));
        Some(LineError::new(Some(excess), message).help(format!("write `{}`", self.usage)))
    }
}

/// The verb or console word that a line begins with.
pub enum LineVerb<'w, R> {
    /// A word of the console.
    Word(&'w Word<R>),
    /// A verb of the game, with the reading of the words after it.
    Rules(UsageFit),
}

impl<R> LineVerb<'_, R> {
    /// Returns the rank of a reading among readings with equally likely verbs. The lowest rank is
    /// the best.
    fn rank(&self) -> (usize, usize, usize) {
        match self {
            LineVerb::Word(_) => (0, 0, 0),
            LineVerb::Rules(fit) => fit.rank(),
        }
    }
}

/// Returns the error for a first word that could be several verbs. The error offers `choices` to
/// the umpire.
fn ambiguous_verb_error(first: &Token, names: Vec<&str>, choices: &[&str]) -> LineError {
    let error = LineError::unmatched(first, &Match::<&str>::Several(names), String::new(), None);
    error.choices(choices.iter().copied())
}

/// Returns the letters of a name in lower case.
fn lower_case_letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().flat_map(char::to_lowercase)
}

/// Returns true if a word begins like a dice expression, such as `2d6`.
pub(super) fn is_dice(word: &Token) -> bool {
    let digits = word.text.trim_start_matches(|c: char| c.is_ascii_digit());
    let sides = digits.strip_prefix(['d', 'D']);
    !word.quoted && sides.is_some_and(|s| s.starts_with(|c: char| c.is_ascii_digit() || c == '%'))
}

/// A verb or console word that the first word of a line may mean.
enum VerbCandidate<'w, 'r, R> {
    Word(&'w Word<R>),
    Rules(&'r str, Vec<RuleId>),
}

impl<'r, R> VerbCandidate<'_, 'r, R> {
    fn name(&self) -> &'r str {
        match self {
            VerbCandidate::Word(word) => word.name,
            VerbCandidate::Rules(name, _) => name,
        }
    }
}

/// Pronouns and other little words. In a sentence, they are never read as abbreviated verbs.
const PRONOUNS: [&str; 11] =
    ["he", "she", "it", "its", "we", "they", "i", "you", "that", "thats", "over"];

/// The minimum number of words in a line that is more likely to be a sentence than a command with
/// an abbreviated verb.
const MIN_SENTENCE: usize = 3;

/// The maximum number of words in a line that is only an answer.
const MAX_OF_ANSWER: usize = 2;

/// Words that begin a question.
const QUESTION_WORDS: [&str; 20] = [
    "who", "whose", "which", "what", "where", "how", "when", "is", "are", "does", "did", "whats",
    "what's", "whos", "who's", "wheres", "where's", "hows", "has", "have",
];

/// Words that a line reporting a roll may consist of, in addition to numbers.
const ROLLED: [&str; 24] = [
    "i", "we", "he", "she", "it", "they", "is", "was", "were", "got", "rolled", "threw", "scored",
    "a", "an", "and", "then", "it's", "that's", "dice", "rolls", "roll", "the", "came",
];

/// Verbs that show that a line reports a roll, even if it contains other words.
const HAVE_ROLLED: [&str; 5] = ["rolled", "threw", "rolls", "drew", "drawn"];

/// Returns true if a line reports a roll: it contains a number, and a word such as `rolled` or
/// `dice`.
pub(super) fn says_rolled(tokens: &[Token]) -> bool {
    let is_face = |word: &Token| {
        let text = word.text.trim_end_matches([',', ';', '.']);
        let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        is_number || number_of_word(word).is_some()
    };
    let says = |word: &Token| {
        let text = word.text.to_lowercase();
        let text = text.trim_end_matches([':', ',']);
        HAVE_ROLLED.contains(&text) || ["dice", "die"].contains(&text)
    };
    tokens.iter().any(is_face) && tokens.iter().any(says)
}

/// Returns true if a line reports the faces of dice: `i rolled 34`, `it was a 57`, `threw 5 5 3`.
/// Such a line consists only of numbers and words such as `it was a`, or it contains a number, a
/// verb such as `rolled`, and no piece's name. `names_piece` returns true for a piece's name.
fn reports_faces(tokens: &[Token], names_piece: &dyn Fn(&str) -> bool) -> bool {
    let texts: Vec<String> = tokens
        .iter()
        .map(|word| word.text.trim_end_matches([',', ';', '.']).to_lowercase())
        .collect();
    let is_face = |text: &&String| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let says = |text: &&String| ROLLED.contains(&text.as_str());
    let faces = texts.iter().filter(is_face).count();
    let has_rolled = texts.iter().any(|text| HAVE_ROLLED.contains(&text.as_str()));
    let names_any = || texts.iter().any(|text| !text.is_empty() && names_piece(text));
    let says_all = texts.iter().all(|text| is_face(&text) || says(&text));
    faces > 0 && (says_all || (has_rolled && !names_any()))
}

impl<'a> Reading<'a> {
    /// Returns the verbs and console words that the first word may mean, in tiers, the likeliest
    /// tier first. If the word is a verb or console word in full, there are no alternatives. If it
    /// is a short spelling of a console word, the first tier has that console word, and the others
    /// have the verbs that begin with the spelling. Otherwise, the first tier has the verbs of this
    /// phase that begin with the word, the second the console words, and the third the other verbs.
    /// A verb whose rules all lack a usage must be typed in full. There are no candidates for `no`,
    /// and none for a pronoun in a sentence.
    fn candidates<'w, R>(
        &self,
        words: &'w [Word<R>],
        first: &Token,
        is_sentence: bool,
    ) -> Vec<Vec<VerbCandidate<'w, 'a, R>>> {
        let text = first.text.to_lowercase();
        let ruleset = self.ruleset();
        let rules = |name: &'a str| VerbCandidate::Rules(name, ruleset.rules_for_verb(name));
        let is_synonym = |name: &str| ruleset.synonyms().any(|(phrase, _)| phrase == name);
        let whole = ruleset
            .verbs()
            .filter(|name| lower_case_letters(name).eq(text.chars()))
            .find(|name| ruleset.is_typed_verb(name) || !is_synonym(name));
        let word = words.iter().find(|w| w.is(&text) && (whole.is_none() || !w.yields));
        match word.map(VerbCandidate::Word).or(whole.map(rules)) {
            // A short spelling of a console word may also abbreviate a verb, if the line has more
            // words than the console word takes.
            Some(word @ VerbCandidate::Word(_)) if word.name() != text => {
                let [here, _, elsewhere] = self.candidates_beginning_with(words, &text);
                vec![vec![word], here, elsewhere]
            }
            Some(other) => vec![vec![other]],
            // `no` and `not` do not abbreviate `note`, and in a sentence `he` does not abbreviate
            // `help`.
            None if text.is_empty() || text == "no" || text == "not" => Vec::new(),
            None if is_sentence && PRONOUNS.contains(&text.as_str()) => Vec::new(),
            None => self.candidates_beginning_with(words, &text).into(),
        }
    }

    /// Returns three lists of words that begin with this text: the verbs of this phase, the console
    /// words, and the other verbs.
    fn candidates_beginning_with<'w, R>(
        &self,
        words: &'w [Word<R>],
        text: &str,
    ) -> [Vec<VerbCandidate<'w, 'a, R>>; 3] {
        let ruleset = self.ruleset();
        let now = self.referee.phase_index(self.table).map(|index| &ruleset.phases[index]);
        let [mut here, mut elsewhere] = [Vec::new(), Vec::new()];
        let begins = |name: &&str| {
            let mut letters = lower_case_letters(name);
            text.chars().all(|letter| letters.next() == Some(letter))
        };
        for name in ruleset.verbs().filter(begins) {
            let rules = ruleset.rules_for_verb(name);
            let rule = |id: &RuleId| &ruleset.schema.rules[id.index()];
            if rules.iter().all(|id| rule(id).usage.is_none()) {
                continue;
            }
            let offered = now.is_some_and(|phase| {
                let belongs = |id: &RuleId| rule(id).phases.iter().any(|(p, _)| *p == phase.name);
                phase.verbs.iter().any(|(v, _)| v == name) || rules.iter().any(belongs)
            });
            let verbs = if offered { &mut here } else { &mut elsewhere };
            verbs.push(VerbCandidate::Rules(name, rules));
        }
        let console = words.iter().filter(|w| w.name.starts_with(text)).map(VerbCandidate::Word);
        [here, console.collect(), elsewhere]
    }

    /// Finds the best reading of a line: the verb or console word that its first word means, and
    /// the meaning of the words after it.
    pub(crate) fn find_verb<'w, R>(
        &self,
        words: &'w [Word<R>],
        typed: &TypedLine<'_>,
    ) -> Result<LineVerb<'w, R>, LineError> {
        let Some(first) = typed.tokens.first() else {
            return Err(LineError::new(None, "this line is empty"));
        };
        let is_sentence = typed.tokens.len() >= MIN_SENTENCE;
        let tiers = self.candidates(words, first, is_sentence);
        if tiers.iter().all(Vec::is_empty)
            && let Some(roll) = words.iter().find(|w| w.name == ROLL.name && is_dice(first))
            // In `d3 is burning`, `d3` is an area.
            && (typed.tokens.len() == 1 || self.table.find(&first.text).is_none())
        {
            return Ok(LineVerb::Word(roll));
        }
        // The readings that did not fit: the tier, the name of the verb, and the mismatch.
        let mut mismatches: Vec<(usize, &str, UsageMismatch)> = Vec::new();
        for (index, tier) in tiers.iter().enumerate() {
            // At this point, the words after a console word are only counted, not parsed. If the
            // first word may also abbreviate a verb of this phase and other words follow, it does
            // not abbreviate a console word.
            let verbs_alone = !mismatches.is_empty() && !typed.words_after_first().is_empty();
            let mut fits: Vec<(&str, LineVerb<'w, R>)> = Vec::new();
            for candidate in tier {
                let read = match candidate {
                    VerbCandidate::Word(_) if verbs_alone => continue,
                    VerbCandidate::Word(word) => match word.excess_error(typed.words_after_first())
                    {
                        Some(error) => Err(UsageMismatch { at: 1, error }),
                        None => Ok(LineVerb::Word(word)),
                    },
                    VerbCandidate::Rules(_, rules) => {
                        self.best_call(rules, typed.words_after_first()).map(LineVerb::Rules)
                    }
                };
                match read {
                    Ok(verb) => fits.push((candidate.name(), verb)),
                    Err(mismatch) => mismatches.push((index, candidate.name(), mismatch)),
                }
            }
            let best = fits.iter().map(|(_, verb)| verb.rank()).min();
            fits.retain(|(_, verb)| Some(verb.rank()) == best);
            let meant: Vec<&str> = fits.iter().map(|(name, _)| *name).collect();
            match fits.pop() {
                Some((_, verb)) if fits.is_empty() => return Ok(verb),
                Some(_) => return Err(ambiguous_verb_error(first, meant.clone(), &meant)),
                None => {}
            }
        }
        // Among the mismatches that got furthest, only the likeliest explain the mistake.
        let furthest = mismatches.iter().map(|(.., mismatch)| mismatch.at).max();
        mismatches.retain(|(.., mismatch)| Some(mismatch.at) == furthest);
        if let Some(&(likeliest, ..)) = mismatches.first()
            && matches!(tiers[likeliest].first(), Some(VerbCandidate::Rules(..)))
        {
            mismatches.retain(|(index, ..)| *index == likeliest);
        }
        let names = mismatches.iter().map(|(_, name, _)| *name).collect();
        match mismatches.pop() {
            // If several verbs got equally far, any of them could be meant.
            Some((.., mismatch)) if mismatches.is_empty() => Err(mismatch.error),
            Some(_) => Err(ambiguous_verb_error(first, names, &[])),
            None => Err(self.no_verb_error(words, typed, first)),
        }
    }

    /// Returns true if the first word only abbreviates this console word, but is the name of a side or,
    /// if other words follow, another word for a verb of the game in full.
    pub(crate) fn begins_with_other_meaning<R>(
        &self,
        word: &Word<R>,
        typed: &TypedLine<'_>,
    ) -> bool {
        let Some((first, rest)) = typed.tokens.split_first() else { return false };
        let text = first.text.to_lowercase();
        if first.quoted || word.is(&text) {
            return false;
        }
        let is_synonym = || self.ruleset().synonyms().any(|(phrase, _)| phrase == text);
        let is_side = || self.sides().iter().any(|side| side.eq_ignore_ascii_case(&text));
        (!rest.is_empty() && is_synonym()) || is_side()
    }

    /// Returns the names of the verbs and console words that the first word of a line most likely
    /// means.
    pub(crate) fn verbs_begun<'w, R>(&self, words: &'w [Word<R>], first: &Token) -> Vec<&'a str>
    where
        'w: 'a,
    {
        let tiers = self.candidates(words, first, false);
        let tier = tiers.into_iter().find(|tier| !tier.is_empty()).unwrap_or_default();
        tier.iter().map(VerbCandidate::name).collect()
    }

    /// Returns the error for a line that doesn't begin with a verb.
    fn no_verb_error<R>(
        &self,
        words: &[Word<R>],
        typed: &TypedLine<'_>,
        token: &Token,
    ) -> LineError {
        let text = token.text.to_lowercase();
        let shown = shorten_word(&token.text);
        let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit() || b == b',');
        let is_face = typed.tokens.iter().all(|word| is_number(&word.text));
        let names_piece = |name: &str| self.table.find(name).is_some();
        let reports = !is_face && reports_faces(&typed.tokens, &names_piece);
        if reports {
            return LineError::no_dice_asked(Some(token));
        }
        let is_card = text.bytes().any(|b| b.is_ascii_digit()) || text.chars().count() == 2;
        let is_card = is_card && card_name(text.trim_end_matches([',', ';'])).is_some();
        let answers = matches!(text.as_str(), "yes" | "y" | "no") || is_face || is_card;
        if answers {
            let message = format!("`{shown}` is an answer, but nothing is being asked now");
            let help = if text == "no" {
                "`undo` undoes the last command; `oops LINE` replaces it"
            } else {
                "`next` goes on; `help` lists what can be typed"
            };
            let error = LineError::new(Some(token), message).help(help);
            // Other words may show what was meant.
            let says_more = !is_face && !is_card && typed.tokens.len() > MAX_OF_ANSWER;
            let hint_kind = if says_more { HintKind::Overview } else { error.hint_kind };
            return LineError { hint_kind, ..error };
        }
        if QUESTION_WORDS.contains(&text.as_str()) {
            let message = "this question can't be answered";
            let help = "`show WORD` lists the pieces that match a word, `left` lists who can still act, \
                        and `why PIECE` explains why";
            return LineError::new(Some(token), message).help(help);
        }
        let ruleset = self.ruleset();
        let verbs = ruleset.verbs().filter(|verb| ruleset.is_typed_verb(verb));
        let known = words.iter().map(|w| w.name).chain(verbs);
        // Nobody types `not` by mistake for `note`.
        let near = names::nearest(&text, known).filter(|_| !super::is_common_word(&text));
        let near = near.filter(|near| self.is_readable_with(words, typed, near));
        let message = format!("there is no command `{shown}`");
        let error = LineError::new(Some(token), message);
        match near {
            Some(near) => error.near_name(near),
            None => {
                let error = error.help("`help` lists the commands");
                LineError { hint_kind: HintKind::Overview, is_unclear: true, ..error }
            }
        }
    }

    /// Returns true if a line can be read with this verb or console word instead of its first word.
    /// The words after a console word are only counted, so a console word must be a likely
    /// correction of a typing mistake.
    fn is_readable_with<R>(&self, words: &[Word<R>], typed: &TypedLine<'_>, verb: &str) -> bool {
        let Some((first, rest)) = typed.tokens.split_first() else { return false };
        let meant = Token { text: verb.to_owned(), ..first.clone() };
        let word = words.iter().find(|word| word.name == verb);
        let is_game = self.ruleset().has_verb(verb);
        let is_action = super::actions::ACTIONS.iter().any(|action| action.name == verb);
        if let Some(word) = word.filter(|_| !is_game && !is_action) {
            let alike = verb.chars().next() == first.text.to_lowercase().chars().next();
            return alike && first.text.len() > 3 && word.excess_error(rest).is_none();
        }
        let tokens = [&[meant], rest].concat();
        self.command(&TypedLine { line: typed.line, tokens, insist: typed.insist }).is_ok()
    }
}
