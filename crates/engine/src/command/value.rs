//! Parses typed words as values of parameters and attributes, and as answers to questions.

use adjutant_dice::DiceValue;

use super::units::INCH_SIGNS;
use super::{LineError, Reading, Token};
use crate::language::machine::{Answers, Question, World};
use crate::language::number::{MAX_WHOLE, Number};
use crate::language::schema::{Attribute, Element, KindId, KindRole, Param, Type};
use crate::names::{self, Match};
use crate::referee::Answer;
use crate::tabletop::Argument;

/// Returns the options whose parts, separated by hyphens, begin with the parts of the word: `k-h`
/// finds `king-hearts`. Returns an empty list if the word has no hyphen.
fn find_by_parts<'a, T: Copy>(
    word: &str,
    options: impl Iterator<Item = (&'a str, T)>,
) -> Vec<(&'a str, T)> {
    let lower = word.to_lowercase();
    if !lower.contains('-') {
        return Vec::new();
    }
    let fits = |name: &str| {
        let mut parts = name.split('-');
        lower.split('-').all(|p| parts.next().is_some_and(|n| n.to_lowercase().starts_with(p)))
    };
    options.filter(|(name, _)| fits(name)).collect()
}

/// Finds the option that a word names or abbreviates. Card notation (`9c`, `10h`, `Kh`) means that
/// card and no other, even if it also abbreviates another card's name: `ac` is not the ace of
/// hearts.
pub fn find_option<'a, T: Copy>(
    word: &str,
    options: impl Iterator<Item = (&'a str, T)> + Clone,
) -> Match<'a, T> {
    let is_whole_name = options.clone().any(|(name, _)| name.eq_ignore_ascii_case(word));
    match card_name(&word.to_lowercase()) {
        Some(card) if !is_whole_name => {
            match options.clone().find(|(name, _)| name.eq_ignore_ascii_case(&card)) {
                Some((_, found)) => Match::One(found),
                None => find_shortened(word, options.filter(|(name, _)| !is_card(name))),
            }
        }
        _ => find_shortened(word, options),
    }
}

/// Finds the option that a word names or abbreviates, either as a whole or part by part.
fn find_shortened<'a, T: Copy>(
    word: &str,
    options: impl Iterator<Item = (&'a str, T)> + Clone,
) -> Match<'a, T> {
    match names::find(word, options.clone()) {
        Match::None(near) => match find_by_parts(word, options).as_slice() {
            [] => Match::None(near),
            [(_, one)] => Match::One(*one),
            several => Match::Several(several.iter().map(|(name, _)| *name).collect()),
        },
        matched => matched,
    }
}

/// Returns the options that a word could become, or all options if the word is empty.
pub fn complete_option<'a>(word: &str, options: &'a [String]) -> Vec<&'a str> {
    let all = options.iter().map(|option| (option.as_str(), option.as_str()));
    match find_option(word, all.clone()) {
        _ if word.is_empty() => all.map(|(name, _)| name).collect(),
        Match::One(name) => vec![name],
        Match::Several(names) => names,
        Match::None(_) => Vec::new(),
    }
}

/// Returns the limits in words if the number `n` is outside them; otherwise `None`.
fn limits_exceeded<T: PartialOrd + std::fmt::Display>([low, n, high]: [T; 3]) -> Option<String> {
    (n < low || n > high).then(|| format!("from {low} to {high}"))
}

/// The names of the ranks of cards from 1 to 10.
const RANKS: [&str; 10] =
    ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// Returns the name of the card in card notation, which must be in lower case: `king-hearts` for
/// `kh`. Returns `None` if the text is not card notation.
pub(super) fn card_name(notation: &str) -> Option<String> {
    let suit = notation.chars().last().filter(|c| "cdhs♣♦♥♠".contains(*c))?;
    let rank = match &notation[..notation.len() - suit.len_utf8()] {
        "t" => "ten",
        "a" => "ace",
        "k" => "king",
        "q" => "queen",
        "j" => "jack",
        number => RANKS.get(number.parse::<usize>().ok()?.checked_sub(1)?)?,
    };
    let suit = match suit {
        'c' | '♣' => "clubs",
        'd' | '♦' => "diamonds",
        'h' | '♥' => "hearts",
        _ => "spades",
    };
    Some(format!("{rank}-{suit}"))
}

/// Returns the names of the cards that a line lists in everyday words: `jack-clubs three-hearts` for
/// `jack of clubs and the 3 of hearts`. Returns `None` if the line has other words.
pub(crate) fn cards_in_words(line: &str) -> Option<String> {
    let words = line.split([' ', ',', ';']).map(|word| word.trim_matches('.').to_lowercase());
    let little = ["", "the", "a", "an", "of", "and", "then"];
    let words: Vec<String> = words.filter(|word| !little.contains(&word.as_str())).collect();
    let card = |pair: &[String]| {
        let [rank, suit] = pair else { return None };
        let suit = suit.strip_suffix('s').unwrap_or(suit);
        let rank = match rank.as_str() {
            "knave" => "jack",
            "king" | "queen" | "jack" => rank,
            text => {
                let at = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                at.and_then(|at| RANKS.get(at)).copied().unwrap_or(text)
            }
        };
        let is_rank = RANKS.contains(&rank) || ["king", "queen", "jack"].contains(&rank);
        let is_suit = ["club", "diamond", "heart", "spade"].contains(&suit);
        (is_rank && is_suit).then(|| format!("{rank}-{suit}s"))
    };
    let mut cards = Vec::new();
    let mut left = words.as_slice();
    while let [first, rest @ ..] = left {
        // Some cards of the list may be written in card notation.
        let (name, others) = match card_name(first) {
            Some(name) => (name, rest),
            None => (card(left.get(..2)?)?, &left[2..]),
        };
        cards.push(name);
        left = others;
    }
    (!cards.is_empty()).then(|| cards.join(" "))
}

/// Returns true if a name is the name of a playing card, such as `king-hearts`.
pub fn is_card(name: &str) -> bool {
    let suits = ["clubs", "diamonds", "hearts", "spades"];
    name.split_once('-').is_some_and(|(_, suit)| suits.contains(&suit))
}

/// Parses the words that people use for yes and no, such as `y` and `off`. Returns `None` for other
/// words.
pub(crate) fn yes_no(word: &str) -> Option<bool> {
    match word.to_lowercase().as_str() {
        "yes" | "y" | "on" | "true" | "1" => Some(true),
        "no" | "n" | "off" | "false" | "0" => Some(false),
        _ => None,
    }
}

/// Splits a list at its commas, and skips empty parts.
fn split_at_commas(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(|p| !p.is_empty())
}

/// Returns the text of a number without the comma or the inch unit that follows it: `9` for `9"`,
/// `9in` or `9,`.
pub(crate) fn bare_number(text: &str) -> &str {
    let text = text.trim_end_matches(',');
    let number = INCH_SIGNS.iter().find_map(|sign| text.strip_suffix(sign));
    number.filter(|n| n.ends_with(|c: char| c.is_ascii_digit())).unwrap_or(text)
}

/// The maximum number of names in a row of names.
const MAX_NAME_ROW: u64 = 100;

/// Returns the names in a row of names: `a4-6`, `a4..6` and `a4-a6` mean `a4`, `a5` and `a6`, and
/// `t34a-c` means `t34a`, `t34b` and `t34c`. Returns `None` if the text is not such a row, or if
/// its numbers go beyond `MAX_NAME_ROW` names.
pub fn expand_name_row(text: &str) -> Option<Vec<String>> {
    let (first, last) = text.split_once("..").or_else(|| text.rsplit_once('-'))?;
    let number = first.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let letter = last.strip_prefix(number).unwrap_or(last);
    if let ([from], [to]) = (&first.as_bytes()[number.len()..], letter.as_bytes())
        && number.ends_with(|c: char| c.is_ascii_digit())
        && (from + 1..=b'z').contains(to)
    {
        return Some((*from..=*to).map(|c| format!("{number}{}", char::from(c))).collect());
    }
    let stem = first.trim_end_matches(|c: char| c.is_ascii_digit());
    let last = last.strip_prefix(stem).unwrap_or(last);
    let from: u64 = first[stem.len()..].parse().ok()?;
    let to: u64 = last.parse().ok()?;
    let fits = !stem.is_empty() && from < to && to - from < MAX_NAME_ROW;
    fits.then(|| (from..=to).map(|n| format!("{stem}{n}")).collect())
}

/// Returns the first 40 characters of a typed word, for a message.
pub fn shorten_word(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Returns true if a typed list may have the same member twice: a boat may go `ahead ahead port`,
/// but nobody fires twice in one line.
pub(super) fn may_repeat(ty: Type) -> bool {
    matches!(ty, Type::List(Element::Word(_)))
}

impl Reading<'_> {
    /// Parses a word as the value of a parameter. A list must not be empty. Only a list of words
    /// may contain a member twice.
    pub(super) fn argument(&self, param: &Param, word: &Token) -> Result<Argument, LineError> {
        let value = self.value(&param.name, param.ty, param.bounds, word)?;
        if let Argument::Members(members) = &value {
            let name = &param.name;
            if members.is_empty() {
                let message = format!("`{name}` needs at least one value");
                return Err(LineError::new(Some(word), message));
            }
            let twice = (1..members.len())
                .find(|&i| !may_repeat(param.ty) && members[..i].contains(&members[i]));
            if let Some(part) =
                twice.and_then(|i| split_at_commas(&word.text).nth(i).or(Some(&word.text)))
            {
                let message = format!("`{}` appears twice in `{name}`", shorten_word(part));
                return Err(LineError::new(Some(word), message));
            }
        }
        Ok(value)
    }

    /// Returns true if a word is the full name of a value of the type: a piece on the table, or a
    /// word in a set.
    pub(super) fn is_whole_name(&self, ty: Type, word: &str) -> bool {
        match ty {
            Type::Piece(kind) | Type::List(Element::Piece(kind)) => self
                .table
                .present_pieces(kind)
                .any(|row| self.table.name(kind, row).eq_ignore_ascii_case(word)),
            Type::Word(set) | Type::List(Element::Word(set)) => {
                let values = &self.ruleset().schema.word_set(set).values;
                values.iter().any(|v| v.eq_ignore_ascii_case(word))
            }
            _ => false,
        }
    }

    /// Returns true if each part of a word between commas is the full name of a value of the type,
    /// or a row of names.
    pub(super) fn is_whole_names(&self, ty: Type, word: &str) -> bool {
        split_at_commas(word)
            .all(|part| self.is_whole_name(ty, part) || expand_name_row(part).is_some())
    }

    fn value(
        &self,
        name: &str,
        ty: Type,
        bounds: Option<(i64, i64)>,
        word: &Token,
    ) -> Result<Argument, LineError> {
        let text = match ty {
            Type::Whole | Type::Number => bare_number(&word.text),
            _ => word.text.as_str(),
        };
        let wrong = |message: String| LineError::new(Some(word), message);
        match ty {
            Type::Whole | Type::Number | Type::Flag => {
                let (read, wanted) = match ty {
                    Type::Whole => {
                        let part = || bounds.and_then(|(low, high)| part_of(text, low, high));
                        (text.parse().ok().or_else(part), "a whole number")
                    }
                    Type::Number => (Number::parse(text).map(Number::to_bits), "a number"),
                    _ => (yes_no(text).map(i64::from), "yes or no"),
                };
                let n: i64 = read.ok_or_else(|| {
                    wrong(format!("`{name}` must be {wanted}, not `{}`", shorten_word(text)))
                })?;
                let outside = bounds.and_then(|(low, high)| match ty {
                    Type::Number => limits_exceeded([low, n, high].map(Number::from_bits)),
                    _ => limits_exceeded([low, n, high]),
                });
                match outside {
                    Some(limits) => {
                        let given = shorten_word(text);
                        Err(wrong(format!("`{name}` must be {limits}, not {given}")))
                    }
                    _ if ty == Type::Whole && n.unsigned_abs() > MAX_WHOLE.unsigned_abs() => {
                        Err(wrong(format!("`{name}` is too large")))
                    }
                    _ => Ok(Argument::Value(n)),
                }
            }
            Type::Dice => DiceValue::parse(text)
                .map(|dice| Argument::Value(dice.to_bits()))
                .map_err(|error| wrong(format!("`{name}` must be dice: {error}"))),
            Type::Word(set) => {
                let values = &self.ruleset().schema.word_set(set).values;
                find_word_value(name, values, word).map(Argument::Value)
            }
            Type::Piece(kind) => self.piece(kind, word).map(|row| Argument::Value(i64::from(row))),
            Type::Text => Ok(Argument::Text(text.to_owned())),
            Type::List(element) => {
                let mut members = Vec::new();
                let row = |part: &str| {
                    if self.is_whole_name(element.member_type(), part) {
                        None
                    } else {
                        expand_name_row(part)
                    }
                };
                let names = split_at_commas(text)
                    .flat_map(|part| row(part).unwrap_or(vec![part.to_owned()]));
                for member in names {
                    let part = Token { text: member, ..word.clone() };
                    match self.value(name, element.member_type(), bounds, &part)? {
                        Argument::Value(n) => members.push(u32::try_from(n).unwrap_or(0)),
                        _ => return Err(wrong(format!("`{name}` is a list"))),
                    }
                }
                Ok(Argument::Members(members))
            }
            Type::Nothing | Type::Unknown => Err(wrong(format!("`{name}` cannot be given"))),
        }
    }

    /// Finds a piece or list row of a kind by its name or by an unambiguous abbreviation. Returns
    /// the index of its row.
    pub(super) fn piece(&self, kind: KindId, word: &Token) -> Result<u32, LineError> {
        let schema = &self.ruleset().schema;
        let what = &schema.kind(kind).name;
        let typed = word.text.trim_end_matches(',');
        let text = shorten_word(typed);
        if schema.kind(kind).role == KindRole::Pieces
            && let Some((found, row)) = self.table.find(typed)
        {
            if found == kind {
                return Ok(row);
            }
            let is = &schema.kind(found).name;
            let message = format!("`{text}` is of the kind `{is}`, not `{what}`");
            return Err(LineError::new(Some(word), message));
        }
        let rows: Vec<(&str, u32)> =
            self.table.present_pieces(kind).map(|row| (self.table.name(kind, row), row)).collect();
        match names::find(typed, rows.iter().copied()) {
            Match::One(row) => Ok(row),
            matched => {
                let message = format!("there is no {what} called `{text}`");
                let all: Vec<&str> = rows.iter().map(|r| r.0).collect();
                let few = (1..=12).contains(&all.len());
                let listing = few.then(|| format!("available: {}", names::quote_names(&all)));
                Err(LineError::unmatched(word, &matched, message, listing))
            }
        }
    }

    /// Parses a word as the value of an attribute that the umpire sets.
    pub(super) fn attribute_value(
        &self,
        attribute: &Attribute,
        word: &Token,
    ) -> Result<Argument, LineError> {
        let name = attribute.name.as_str();
        let nothing = word.text == "none" || word.text == "-";
        match attribute.ty {
            Type::Piece(_) if nothing => Ok(Argument::Value(-1)),
            Type::List(_) if nothing => Ok(Argument::Members(Vec::new())),
            // If the values of a number have names, a name can be typed: `set c3.damage heavy`.
            Type::Whole if !attribute.names.is_empty() && word.text.parse::<i64>().is_err() => {
                let index = find_word_value(name, &attribute.names, word)?;
                Ok(Argument::Value(attribute.low + index))
            }
            ty => {
                let bounds = match ty {
                    Type::Whole | Type::List(Element::Whole) => {
                        Some((attribute.low, attribute.high))
                    }
                    Type::Number => {
                        let bits = |n| Number::whole(n).unwrap_or(Number::ZERO).to_bits();
                        Some((bits(attribute.low), bits(attribute.high)))
                    }
                    _ => None,
                };
                self.value(name, ty, bounds, word)
            }
        }
    }
}

/// Returns the index of the value that a word names or abbreviates unambiguously.
fn find_word_value(name: &str, values: &[String], word: &Token) -> Result<i64, LineError> {
    let all = (0..).zip(values).map(|(index, value)| (value.as_str(), index));
    match names::find(word.text.trim_end_matches(','), all) {
        Match::One(index) => Ok(index),
        matched => {
            let message = format!("`{name}` cannot be `{}`", shorten_word(&word.text));
            let known: Vec<&str> = values.iter().map(String::as_str).collect();
            let listing = Some(format!("it must be one of {}", names::quote_names(&known)));
            Err(LineError::unmatched(word, &matched, message, listing))
        }
    }
}

/// Parses a number that is typed with the upper limit of its range: `2/5` is 2 in the range 1 to 5.
/// Returns `None` if the text has another form, or if the range doesn't begin at 1.
fn part_of(text: &str, low: i64, high: i64) -> Option<i64> {
    let (part, whole) = text.split_once('/')?;
    (low == 1 && whole.parse() == Ok(high)).then(|| part.parse().ok()).flatten()
}

/// Parses a line as the answer to a question of a rule; `?` leaves the answer to chance.
pub fn parse_answer(question: &Question, text: &str) -> Result<Answer, LineError> {
    let (answer, rest) = parse_first_answer(question, text)?;
    match rest.first() {
        None => Ok(answer),
        Some(excess) => {
            let message = format!("unexpected `{}`", shorten_word(excess));
            Err(LineError::new(None, message).help("expected a single answer"))
        }
    }
}

/// Answers that leave a question to chance, besides `?`.
const AT_RANDOM: [&str; 8] = [
    "at random",
    "random",
    "randomly",
    "pick one",
    "you pick",
    "you choose",
    "roll for it",
    "dice for it",
];

/// Parses the first word of a line as the answer to a question of a rule. Returns the answer and
/// the other words, which may answer the next questions.
pub fn parse_first_answer(
    question: &Question,
    text: &str,
) -> Result<(Answer, Vec<String>), LineError> {
    let words = super::token::tokens(text)?;
    let Some((word, rest)) = words.split_first() else {
        return Err(LineError::new(None, "expected an answer").help("`?` leaves it to chance"));
    };
    if let Some(found) = answer_of_two_words(question, &words) {
        return Ok(found);
    }
    let spoken: Vec<String> = words.iter().map(Token::bare).collect();
    if AT_RANDOM.contains(&spoken.join(" ").as_str()) {
        return Ok((Answer::Random, Vec::new()));
    }
    let answer = parse_answer_word(question, word)?;
    // In `head to boots`, both words name an answer to this question.
    let named = |token: &Token| number_named(&question.text, token.text.trim_end_matches(','));
    if let Some(number) = named(word)
        && let Some((other, word_of_other)) =
            rest.iter().find_map(|token| Some((named(token)?, &token.text)))
        && other != number
    {
        let message = format!("`{}` is {number}, but `{word_of_other}` is {other}", word.text);
        let error = LineError::new(Some(word), message).help("answer with one of them");
        return Err(error.choices([&word.text, word_of_other].map(String::as_str)));
    }
    let rest = rest.iter().map(|token| token.text.clone()).collect();
    Ok((answer, rest))
}

/// Returns an answer that was typed as two words, such as `red guards` for `red-guards`, and the words
/// after it. Returns `None` if it is no answer to the question.
fn answer_of_two_words(question: &Question, words: &[Token]) -> Option<(Answer, Vec<String>)> {
    let Answers::Named(all) = &question.answers else { return None };
    let [first, second, rest @ ..] = words else { return None };
    let joined = format!("{}-{}", first.text, second.text);
    let known = all.iter().map(|(value, name)| (name.as_str(), *value));
    let value = find_shortened(&joined, known).only()?;
    Some((Answer::Value(value), rest.iter().map(|token| token.text.clone()).collect()))
}

fn parse_answer_word(question: &Question, word: &Token) -> Result<Answer, LineError> {
    let given = word.text.trim_end_matches(',');
    if given == "?" {
        return Ok(Answer::Random);
    }
    let wrong = |message: String| LineError::new(Some(word), message);
    match &question.answers {
        Answers::Between(low, high) => match given
            .parse()
            .ok()
            .or(part_of(given, *low, *high))
            .or_else(|| number_named(&question.text, given))
        {
            Some(n) if n >= *low && n <= *high => Ok(Answer::Value(n)),
            _ => {
                let error = wrong(format!("`{}` is not a possible answer", shorten_word(given)));
                Err(error.help(format!("answer with a number from {low} to {high}")))
            }
        },
        Answers::Named(all) => {
            let known = all.iter().map(|(value, name)| (name.as_str(), *value));
            let matched = match yes_no(given) {
                Some(yes) if question.answers.are_yes_or_no() => Match::One(yes.into()),
                _ => find_option(given, known.clone()),
            };
            match matched {
                Match::One(value) => Ok(Answer::Value(value)),
                matched => {
                    // A card that can't be answered has been drawn already.
                    let is_drawn = is_card(given) && all.iter().any(|(_, name)| is_card(name));
                    let reason = if is_drawn {
                        "is no longer in the pack"
                    } else {
                        "is not a possible answer"
                    };
                    let message = format!("`{}` {reason}", shorten_word(given));
                    let some: Vec<&str> = known.map(|(name, _)| name).take(12).collect();
                    let listing = if all.len() > some.len() {
                        format!("for example {}", names::quote_names(&some))
                    } else {
                        format!("answer with one of {}", names::quote_names(&some))
                    };
                    Err(LineError::unmatched(word, &matched, message, Some(listing)))
                }
            }
        }
    }
}

/// The minimum number of letters with which a name of a number may be abbreviated.
const MIN_NAME: usize = 3;

/// Returns the number that a question names with a word, such as 2 for `chest` in `how many fifths?
/// 1 head, 2 chest`. The word may be abbreviated if only one number has such a name.
fn number_named(question: &str, word: &str) -> Option<i64> {
    let parts: Vec<&str> = question.split([' ', ',', '.', ':', ';', '?', '=']).collect();
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let word = word.to_lowercase();
    let mut numbers = parts.windows(2).filter_map(|pair| {
        let number: i64 = pair[0].parse().ok()?;
        let name = pair[1].to_lowercase();
        (word.len() >= MIN_NAME && name.starts_with(&word)).then_some(number)
    });
    numbers.next().filter(|_| numbers.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::{cards_in_words, complete_option, parse_answer};
    use crate::language::machine::{Answers, Question};
    use crate::referee::Answer;

    const RANKS: [&str; 13] = [
        "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack",
        "queen", "king",
    ];
    const SUITS: [&str; 4] = ["clubs", "diamonds", "hearts", "spades"];

    /// Returns a question whose answers are these cards.
    fn which_card(cards: &[String]) -> Question {
        let named = (0..).zip(cards.iter().cloned()).collect();
        Question { text: "which card?".to_owned(), answers: Answers::Named(named), best: None }
    }

    #[test]
    fn a_number_from_1_may_be_written_with_its_limit() {
        let question = |low, high| Question {
            text: "how many fifths?".to_owned(),
            answers: Answers::Between(low, high),
            best: None,
        };
        assert_eq!(parse_answer(&question(1, 5), "2/5").unwrap(), Answer::Value(2));
        assert_eq!(parse_answer(&question(1, 5), "5/5").unwrap(), Answer::Value(5));
        for (low, typed) in [(1, "2/6"), (1, "6/5"), (1, "2/"), (0, "2/5"), (1, "0/5")] {
            assert!(parse_answer(&question(low, 5), typed).is_err(), "{typed}");
        }
    }

    #[test]
    fn a_number_may_be_given_by_its_name_in_the_question() {
        let question = Question {
            text: "How many fifths? 1 head, 2 chest, 3 stomach, 5 boots".to_owned(),
            answers: Answers::Between(1, 5),
            best: None,
        };
        assert_eq!(parse_answer(&question, "Chest").unwrap(), Answer::Value(2));
        assert_eq!(parse_answer(&question, "boo").unwrap(), Answer::Value(5));
        for typed in ["he", "many", "fifths", "legs"] {
            assert!(parse_answer(&question, typed).is_err(), "{typed}");
        }
    }

    #[test]
    fn card_notation_means_one_card_at_tab_and_enter() {
        // The usual card notation: a letter or number for the rank, and the initial of the suit.
        let notation = ["a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k"];
        let pack: Vec<String> =
            SUITS.iter().flat_map(|s| RANKS.map(|r| format!("{r}-{s}"))).collect();
        let mut typed: Vec<String> =
            SUITS.iter().flat_map(|s| notation.map(|n| format!("{n}{}", &s[..1]))).collect();
        assert_eq!(typed[0], "ac");
        let question = which_card(&pack);
        for upper in [false, true] {
            for (index, (word, card)) in (0..).zip(typed.iter().zip(&pack)) {
                assert_eq!(parse_answer(&question, word).unwrap(), Answer::Value(index), "{word}");
                assert_eq!(complete_option(word, &pack), [card], "{word}");
            }
            if !upper {
                typed.iter_mut().for_each(|word| *word = word.to_uppercase());
            }
        }
        assert_eq!(complete_option("td", &pack), ["ten-diamonds"]);
        assert_eq!(complete_option("A♣", &pack), ["ace-clubs"]);
    }

    #[test]
    fn card_notation_is_no_beginning_of_another_card() {
        let left = ["ace-hearts", "ace-spades", "acorn", "king-clubs"].map(str::to_owned);
        // The ace of clubs is gone, and `ac` means no other ace.
        assert_eq!(complete_option("as", &left), ["ace-spades"]);
        assert_eq!(complete_option("ac", &left), ["acorn"]);
        assert!(complete_option("ac", &left[..2]).is_empty());
        assert!(parse_answer(&which_card(&left[..1]), "ac").is_err());
        // A full name takes precedence over card notation.
        let names = ["ace-clubs", "ac"].map(str::to_owned);
        assert_eq!(complete_option("AC", &names), ["ac"]);
    }

    #[test]
    fn names_are_found_by_the_beginnings_of_their_parts() {
        let cards = ["two-hearts", "three-hearts", "king-hearts", "king-spades"].map(str::to_owned);
        let found = |word| complete_option(word, &cards);
        assert_eq!(found("K-h"), ["king-hearts"]);
        assert_eq!(found("t-h"), ["two-hearts", "three-hearts"]);
        assert_eq!(found("kh"), ["king-hearts"]);
        assert_eq!(found("2H"), ["two-hearts"]);
        assert!(found("9h").is_empty());
        assert!(found("x").is_empty());
        assert!(found("k-h-x").is_empty());
    }

    #[test]
    fn cards_are_understood_in_everyday_words() {
        let cards = |line| cards_in_words(line).unwrap_or_default();
        assert_eq!(cards("jack of clubs, 3 hearts"), "jack-clubs three-hearts");
        assert_eq!(cards("The Queen of Spades and the ten diamonds."), "queen-spades ten-diamonds");
        assert_eq!(cards("knave of hearts then 1 of clubs"), "jack-hearts ace-clubs");
        assert_eq!(cards("7d king of spades, 2C"), "seven-diamonds king-spades two-clubs");
        for other in
            ["", "and", "11 of hearts", "0 clubs", "jack", "jack of", "jack of clubs maybe"]
        {
            assert_eq!(cards_in_words(other), None, "{other}");
        }
    }

    #[test]
    fn an_answer_with_a_hyphen_may_be_typed_as_two_words() {
        let question = which_card(&["red-guards", "red-hussars", "blue"].map(str::to_owned));
        let parse = |text| super::parse_first_answer(&question, text);
        assert_eq!(parse("red hussars").unwrap(), (Answer::Value(1), Vec::new()));
        assert_eq!(parse("red gua then").unwrap(), (Answer::Value(0), vec!["then".to_owned()]));
        assert_eq!(parse("blue hussars").unwrap(), (Answer::Value(2), vec!["hussars".to_owned()]));
        assert!(parse("red").is_err());
    }
}
