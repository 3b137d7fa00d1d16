//! The console's own words.

use super::{Back, Command, Hands, LineError, Onward, Reading, ShowWhat, Shown, Word};
use crate::language::schema::{KindId, OPTION, Role, STATE};
use crate::referee::Action;
use crate::tabletop::{Given, PieceGiven};

/// A word of the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is described by its entry in `BUILT_IN`")]
pub enum BuiltIn {
    Next,
    Roll,
    Odds,
    Table,
    Rule,
    Add,
    Set,
    Remove,
    Show,
    Map,
    Undo,
    Redo,
    Amend,
    Overrule,
    Why,
    Dice,
    Note,
    Log,
    Stats,
    Option,
    Save,
    Reload,
    Mix,
    Reveal,
    Help,
    Quit,
}

/// How a word of the console is typed and what it does.
#[derive(Clone, Copy, Debug)]
pub struct BuiltInText {
    /// The word.
    pub name: &'static str,
    /// Which it is.
    pub which: BuiltIn,
    /// How it is typed.
    pub usage: &'static str,
    /// What it does, in one line.
    pub does: &'static str,
}

macro_rules! built_in {
    ($($name:literal $which:ident $usage:literal $does:literal;)*) => {
        /// All words of the console, in the order of help.
        pub const BUILT_IN: &[BuiltInText] = &[$(
            BuiltInText { name: $name, which: BuiltIn::$which, usage: $usage, does: $does },
        )*];
    };
}

built_in! {
    "next" Next "next [N|turn|to PHASE]" "go on to the next phase and run what it does by itself";
    "roll" Roll "roll DICE" "throw dice: roll 2d6+1";
    "odds" Odds "odds [exactly] DICE|LINE" "the odds of dice, or of any verb, before it is rolled; `exactly`: as fractions too";
    "table" Table "table NAME [TOTAL]" "show a chart, or look a total up in it";
    "rule" Rule "rule NAME" "show a rule as it stands in the ruleset";
    "add" Add "add KIND [NAME] [ATTRIBUTE VALUE]…" "set out a piece";
    "set" Set "set PIECE.ATTRIBUTE VALUE…" "change an attribute by your word";
    "remove" Remove "remove PIECE" "take a piece off the table";
    "show" Show "show [KIND|PIECE|state]…" "show what is kept";
    "map" Map "map [LEVEL]" "show the plan";
    "undo" Undo "undo [N|to NUMBER]" "take back the last command";
    "redo" Redo "redo [N]" "do again what was taken back";
    "amend" Amend "amend NUMBER LINE" "put another line in place of a command, with the same dice";
    "overrule" Overrule "overrule PIECE.ATTRIBUTE VALUE: REASON" "change a result, with the reason on record";
    "why" Why "why PIECE[.ATTRIBUTE]" "tell how it came to be so";
    "dice" Dice "dice auto|physical [VERB]" "let the machine throw, or the players";
    "note" Note "note TEXT" "write into the transcript";
    "log" Log "log [FILE]" "list the commands so far, or write the transcript to a file";
    "stats" Stats "stats [pace]" "expected against actual dice";
    "option" Option "option [NAME VALUE]" "list or change the house-rule switches";
    "save" Save "save [NAME]" "keep the session under a name";
    "reload" Reload "reload" "read the edited ruleset again and go on by it";
    "mix" Mix "mix WORDS" "mix words of the players into the dice, before the first falls";
    "reveal" Reveal "reveal" "tell the seed of the dice, so that all can verify them";
    "help" Help "help [WORD]" "what can be typed";
    "quit" Quit "quit" "leave; the session is kept";
}

impl BuiltIn {
    /// Whether a game may have a verb of that name, which then goes first.
    pub(super) fn gives_way(self) -> bool {
        matches!(self, BuiltIn::Reload | BuiltIn::Mix | BuiltIn::Reveal)
    }
}

/// The word of the console of that name.
pub fn built_in(name: &str) -> Option<BuiltIn> {
    match name {
        // What is typed most, in one letter.
        "n" => Some(BuiltIn::Next),
        "u" => Some(BuiltIn::Undo),
        "q" | "exit" => Some(BuiltIn::Quit),
        "?" => Some(BuiltIn::Help),
        // For games that have a verb `reload` of their own.
        "reread" => Some(BuiltIn::Reload),
        _ => BUILT_IN.iter().find(|b| b.name == name).map(|b| b.which),
    }
}

impl Reading<'_> {
    pub(super) fn built_in(
        &self,
        which: BuiltIn,
        verb: &Word,
        rest: &[Word],
        insist: bool,
    ) -> Result<Command, LineError> {
        let text = || self.rest_of_line(rest);
        let optional_text = || (!rest.is_empty()).then(text);
        Ok(match which {
            BuiltIn::Next => Command::Next(self.onward(rest)?),
            BuiltIn::Roll => self.roll(rest)?,
            BuiltIn::Odds => {
                let exactly = rest.len() > 1 && rest[0].text == "exactly" && !rest[0].quoted;
                let rest = if exactly { &rest[1..] } else { rest };
                let line = self.need_text(verb, rest, "odds [exactly] DICE|LINE")?;
                // Insistence is for the line that is foretold.
                let line = if insist { format!("{line} !") } else { line };
                Command::Odds { line, exactly }
            }
            BuiltIn::Table => self.table_shown(verb, rest)?,
            BuiltIn::Rule => self.rule_shown(verb, rest)?,
            BuiltIn::Add => Command::Act(self.add(verb, rest)?, insist),
            BuiltIn::Set => Command::Act(self.set(verb, rest)?, insist),
            BuiltIn::Remove => Command::Act(self.remove(verb, rest)?, insist),
            BuiltIn::Show => Command::Show(self.show(rest)?),
            BuiltIn::Map => Command::Map(match rest.first() {
                Some(word) => Some(number(word)?),
                None => None,
            }),
            BuiltIn::Undo => Command::Undo(self.back(rest)?),
            BuiltIn::Redo => Command::Redo(match rest.first() {
                Some(word) => positive(word)?,
                None => 1,
            }),
            BuiltIn::Amend => {
                let usage = "write `amend NUMBER LINE`";
                let Some((first, line)) = rest.split_first() else {
                    return Err(LineError::new(None, "which command?").help(usage));
                };
                if line.is_empty() {
                    return Err(LineError::new(None, "what in its place?").help(usage));
                }
                Command::Amend(positive(first)? as u64, self.rest_of_line(line))
            }
            BuiltIn::Overrule => Command::Overrule(self.need_text(
                verb,
                rest,
                "overrule PIECE.ATTRIBUTE VALUE: REASON",
            )?),
            BuiltIn::Why => Command::Why(self.need_text(verb, rest, "why PIECE[.ATTRIBUTE]")?),
            BuiltIn::Dice => self.dice(rest)?,
            BuiltIn::Note => {
                Command::Act(Action::Note(self.need_text(verb, rest, "note TEXT")?), insist)
            }
            BuiltIn::Log => Command::Log(optional_text()),
            BuiltIn::Stats => Command::Stats(optional_text()),
            BuiltIn::Option => self.option(rest, insist)?,
            BuiltIn::Save => Command::Save(optional_text()),
            BuiltIn::Reload => Command::Reload,
            BuiltIn::Mix => Command::Mix(self.need_text(verb, rest, "mix WORDS")?),
            BuiltIn::Reveal => Command::Reveal,
            BuiltIn::Help => Command::Help(optional_text()),
            BuiltIn::Quit => Command::Quit,
        })
    }

    /// The line from the first of these words on, as typed.
    fn rest_of_line(&self, rest: &[Word]) -> String {
        match (rest.first(), rest.last()) {
            (Some(only), Some(_)) if rest.len() == 1 && only.quoted => only.text.clone(),
            (Some(first), Some(last)) => {
                self.line.get(first.start..last.end).unwrap_or("").trim().to_owned()
            }
            _ => String::new(),
        }
    }

    fn need_text(&self, verb: &Word, rest: &[Word], usage: &str) -> Result<String, LineError> {
        if rest.is_empty() {
            let message = format!("`{}` needs more", verb.text);
            return Err(LineError::new(None, message).help(format!("write `{usage}`")));
        }
        Ok(self.rest_of_line(rest))
    }

    fn onward(&self, rest: &[Word]) -> Result<Onward, LineError> {
        let Some(first) = rest.first() else { return Ok(Onward::Phases(1)) };
        let phases = &self.referee.ruleset().phases;
        if first.text == "turn" && rest.len() == 1 {
            return Ok(Onward::Turn);
        }
        if let Ok(n) = first.text.parse::<u32>()
            && rest.len() == 1
        {
            if (1..=1000).contains(&n) {
                return Ok(Onward::Phases(n));
            }
            return Err(LineError::new(Some(first), "go on by 1 to 1000 phases"));
        }
        let name = if first.text == "to" { rest.get(1) } else { Some(first) };
        let Some(name) = name else {
            let names: Vec<&str> = phases.iter().map(|p| p.name.as_str()).collect();
            let help = format!("there is: {}", crate::diagnostic::list(&names));
            return Err(LineError::new(None, "to which phase?").help(help));
        };
        let lower = name.text.to_lowercase();
        let by_number = lower.parse::<usize>().ok().filter(|n| (1..=phases.len()).contains(n));
        let exact = phases.iter().position(|p| p.name == lower);
        let begun: Vec<usize> =
            (0..phases.len()).filter(|&i| phases[i].name.starts_with(&lower)).collect();
        match (by_number, exact, begun.as_slice()) {
            (Some(n), ..) => Ok(Onward::To(n - 1)),
            (_, Some(place), _) => Ok(Onward::To(place)),
            (_, _, [one]) => Ok(Onward::To(*one)),
            _ => {
                let names: Vec<&str> = phases.iter().map(|p| p.name.as_str()).collect();
                let message = format!("there is no phase `{}`", name.text);
                let error = LineError::new(Some(name), message);
                let error = error.suggest(&lower, names.iter().copied());
                Err(match error.help {
                    None => error.help(format!("there is: {}", crate::diagnostic::list(&names))),
                    Some(_) => error,
                })
            }
        }
    }

    fn roll(&self, rest: &[Word]) -> Result<Command, LineError> {
        let Some(first) = rest.first() else {
            return Err(LineError::new(None, "roll what?").help("for example `roll 2d6+1`"));
        };
        let text = self.rest_of_line(rest);
        match crate::dice::parse(&text) {
            Ok(expression) => Ok(Command::Act(Action::Roll(expression), false)),
            Err(error) => Err(LineError {
                message: error.to_string(),
                place: Some((first.start + error.span.start, first.start + error.span.end)),
                help: error.help,
            }),
        }
    }

    fn table_shown(&self, verb: &Word, rest: &[Word]) -> Result<Command, LineError> {
        let schema = &self.referee.ruleset().schema;
        let charts = schema.charts.iter().map(|c| c.name.as_str());
        let rows = schema.rules.iter().filter(|r| !r.table.is_empty()).map(|r| r.name.as_str());
        let lists = schema.kinds.iter().filter(|k| k.role == Role::List).map(|k| k.name.as_str());
        let known: Vec<&str> = charts.chain(rows).chain(lists).collect();
        let Some(word) = rest.first() else {
            let message = format!("`{}` needs a name", verb.text);
            let help = match known.is_empty() {
                true => "this game has no tables".to_owned(),
                false => format!("there is: {}", crate::diagnostic::list(&known)),
            };
            return Err(LineError::new(None, message).help(help));
        };
        let name = self.named(word, &known, "table")?;
        let total = match rest.get(1) {
            Some(word) => Some(number(word)?),
            None => None,
        };
        let shown = if let Some(chart) = schema.chart_named(name) {
            Shown::Chart(chart)
        } else if let Some(rule) = schema.rule_named(name) {
            Shown::Rows(rule)
        } else {
            Shown::List(schema.kind_named(name).unwrap_or(STATE))
        };
        Ok(Command::Table(shown, total))
    }

    /// The one of the names that is the word or alone begins with it.
    fn named<'n>(&self, word: &Word, known: &[&'n str], what: &str) -> Result<&'n str, LineError> {
        let lower = word.text.to_lowercase();
        if let Some(found) = known.iter().find(|k| **k == lower) {
            return Ok(found);
        }
        let begun: Vec<&str> = known.iter().copied().filter(|k| k.starts_with(&lower)).collect();
        match begun.as_slice() {
            [one] => Ok(one),
            [] => {
                let message = format!("there is no {what} `{}`", word.text);
                let error = LineError::new(Some(word), message);
                let error = error.suggest(&lower, known.iter().copied());
                Err(match error.help {
                    None if !known.is_empty() => {
                        error.help(format!("there is: {}", crate::diagnostic::list(known)))
                    }
                    _ => error,
                })
            }
            several => {
                let listed = crate::diagnostic::list(several);
                Err(LineError::new(Some(word), format!("`{lower}` could be {listed}")))
            }
        }
    }

    fn rule_shown(&self, verb: &Word, rest: &[Word]) -> Result<Command, LineError> {
        let rules = self.referee.ruleset();
        let mut known: Vec<&str> = rules.schema.rules.iter().map(|r| r.name.as_str()).collect();
        known.extend(rules.verbs());
        let Some(word) = rest.first() else {
            let message = format!("`{}` needs the name of a rule or verb", verb.text);
            return Err(LineError::new(None, message).help("write `rule NAME`; `help` lists them"));
        };
        known.sort_unstable();
        known.dedup();
        let name = self.named(word, &known, "rule")?;
        let rule = rules.schema.rule_named(name).or_else(|| rules.rules_of(name).first().copied());
        match rule {
            Some(rule) => Ok(Command::Rule(rule)),
            None => Err(LineError::new(Some(word), format!("there is no rule `{name}`"))),
        }
    }

    fn kind_of(&self, word: &Word) -> Result<KindId, LineError> {
        let schema = &self.referee.ruleset().schema;
        let pieces = || schema.kinds.iter().filter(|k| k.role == Role::Pieces && !k.plan);
        let known: Vec<&str> = pieces().map(|k| k.name.as_str()).collect();
        let by_plural = schema.plural_named(&word.text.to_lowercase());
        if let Some(kind) = by_plural.filter(|&k| schema.kind(k).role == Role::Pieces) {
            return Ok(kind);
        }
        let name = self.named(word, &known, "kind of piece")?;
        Ok(schema.kind_named(name).unwrap_or(STATE))
    }

    fn add(&self, verb: &Word, rest: &[Word]) -> Result<Action, LineError> {
        let Some((kind_word, rest)) = rest.split_first() else {
            let message = format!("`{}` needs a kind of piece", verb.text);
            let kinds = self.referee.ruleset().schema.kinds.iter();
            let kinds = kinds.filter(|k| k.role == Role::Pieces && !k.plan);
            let kinds: Vec<&str> = kinds.map(|k| k.name.as_str()).collect();
            let kinds = crate::diagnostic::list(&kinds);
            let help = format!("write `add KIND NAME`; there is: {kinds}");
            return Err(LineError::new(None, message).help(help));
        };
        let kind = self.kind_of(kind_word)?;
        let attributes = &self.referee.ruleset().schema.kind(kind).attributes;
        let is_attribute = |w: &Word| attributes.iter().any(|a| a.name == w.text);
        let (name, rest) = match rest.split_first() {
            Some((word, rest)) if !is_attribute(word) && !word.text.contains('=') => {
                crate::tabletop::check_name(&word.text)
                    .map_err(|reason| LineError::new(Some(word), reason))?;
                (word.text.to_lowercase(), rest)
            }
            _ => (String::new(), rest),
        };
        let values = self.values(kind, rest)?;
        Ok(Action::Add(PieceGiven { kind, name, values }))
    }

    /// `ATTRIBUTE VALUE …` or `ATTRIBUTE=VALUE …`
    fn values(&self, kind: KindId, words: &[Word]) -> Result<Vec<(usize, Given)>, LineError> {
        let mut values = Vec::new();
        let mut rest = words;
        while let Some((word, after)) = rest.split_first() {
            let (name, value, after) = match word.text.split_once('=') {
                Some((name, value)) if !value.is_empty() => {
                    (name.to_owned(), Word { text: value.to_owned(), ..word.clone() }, after)
                }
                Some((name, _)) => {
                    let Some((value, after)) = after.split_first() else {
                        return Err(LineError::new(None, format!("`{name}` needs a value")));
                    };
                    (name.to_owned(), value.clone(), after)
                }
                None => {
                    let skipped = match after.split_first() {
                        Some((sign, after)) if sign.text == "=" => after,
                        _ => after,
                    };
                    let Some((value, after)) = skipped.split_first() else {
                        let message = format!("`{}` needs a value", word.text);
                        return Err(LineError::new(None, message));
                    };
                    (word.text.clone(), value.clone(), after)
                }
            };
            let name = Word { text: name, ..word.clone() };
            values.push(self.one_value(kind, &name, &value)?);
            rest = after;
        }
        Ok(values)
    }

    fn one_value(
        &self,
        kind: KindId,
        name: &Word,
        value: &Word,
    ) -> Result<(usize, Given), LineError> {
        let of = self.referee.ruleset().schema.kind(kind);
        let known: Vec<&str> = of.attributes.iter().map(|a| a.name.as_str()).collect();
        let found = self.named(name, &known, "attribute")?;
        let place = of.attributes.iter().position(|a| a.name == found).unwrap_or(0);
        let attribute = &of.attributes[place];
        // Which phase it is, is the referee's to say: `next to PHASE`.
        if attribute.fixed && kind == STATE && found != "turn" {
            let message = format!("`{found}` cannot be set");
            return Err(LineError::new(Some(name), message).help("`next` goes on through the turn"));
        }
        Ok((place, self.given(attribute, value)?))
    }

    fn set(&self, verb: &Word, rest: &[Word]) -> Result<Action, LineError> {
        let usage = "write `set PIECE.ATTRIBUTE VALUE`";
        let Some((first, after)) = rest.split_first() else {
            let message = format!("`{}` needs a piece and an attribute", verb.text);
            return Err(LineError::new(None, message).help(usage));
        };
        let (target, first_value) = match first.text.split_once('=') {
            Some((target, value)) => (target.to_owned(), Some(value.to_owned())),
            None => (first.text.clone(), None),
        };
        // `b3.2.fire`: the piece is all up to the last point that leaves a piece before it.
        if let Some((piece, attribute)) = target.rsplit_once('.')
            && self.target(piece).is_some()
        {
            let (kind, row) = self.target(piece).unwrap_or((STATE, 0));
            let name = Word { text: attribute.to_owned(), ..first.clone() };
            let after = match after.split_first() {
                Some((sign, after)) if sign.text == "=" => after,
                _ => after,
            };
            let value =
                first_value.filter(|v| !v.is_empty()).map(|text| Word { text, ..first.clone() });
            let (value, after) = match (value, after.split_first()) {
                (Some(value), _) => (value, after),
                (None, Some((value, after))) => (value.clone(), after),
                (None, None) => {
                    let attributes = &self.referee.ruleset().schema.kind(kind).attributes;
                    let known: Vec<&str> = attributes.iter().map(|a| a.name.as_str()).collect();
                    self.named(&name, &known, "attribute")?;
                    let message = format!("`{attribute}` needs a value");
                    return Err(LineError::new(None, message).help(usage));
                }
            };
            let mut values = vec![self.one_value(kind, &name, &value)?];
            values.extend(self.values(kind, after)?);
            return Ok(Action::Set { kind, row, values });
        }
        let Some((kind, row)) = self.target(&target) else {
            let message = format!("there is no piece `{target}`");
            let names: Vec<&str> = self.table.names().map(|(n, ..)| n).collect();
            let error = LineError::new(Some(first), message);
            return Err(error.suggest(&target, names));
        };
        let values = self.values(kind, after)?;
        if values.is_empty() {
            return Err(LineError::new(None, "set what?").help(usage));
        }
        Ok(Action::Set { kind, row, values })
    }

    /// A piece, the state or the options by name.
    fn target(&self, name: &str) -> Option<(KindId, u32)> {
        match name {
            "state" => Some((STATE, 0)),
            "option" => Some((OPTION, 0)),
            _ => self.table.find(name),
        }
    }

    fn remove(&self, verb: &Word, rest: &[Word]) -> Result<Action, LineError> {
        let Some(word) = rest.first() else {
            let message = format!("`{}` needs a piece", verb.text);
            return Err(LineError::new(None, message).help("write `remove PIECE`"));
        };
        let Some((kind, row)) = self.table.find(&word.text) else {
            let names: Vec<&str> = self.table.names().map(|(n, ..)| n).collect();
            let error = LineError::new(Some(word), format!("there is no piece `{}`", word.text));
            return Err(error.suggest(&word.text, names));
        };
        if self.referee.ruleset().schema.kind(kind).plan {
            let message = "an area of the plan cannot be removed";
            return Err(LineError::new(Some(word), message));
        }
        Ok(Action::Remove(kind, row))
    }

    fn show(&self, rest: &[Word]) -> Result<Vec<ShowWhat>, LineError> {
        let schema = &self.referee.ruleset().schema;
        let mut shown = Vec::new();
        for word in rest {
            let lower = word.text.to_lowercase();
            if lower == "state" {
                shown.push(ShowWhat::State);
                continue;
            }
            if let Some((kind, row)) = self.table.find(&word.text) {
                shown.push(ShowWhat::Piece(kind, row));
                continue;
            }
            let kinds = || schema.kinds.iter().skip(2);
            let exact = kinds().position(|k| k.name == lower || k.plural == lower);
            let begun: Vec<usize> = kinds()
                .enumerate()
                .filter(|(_, k)| k.plural.starts_with(&lower))
                .map(|(i, _)| i)
                .collect();
            let found = exact.or(match begun.as_slice() {
                [one] => Some(*one),
                _ => None,
            });
            match found {
                Some(place) => shown.push(ShowWhat::Kind(KindId::from_index(place + 2))),
                None => {
                    let names: Vec<&str> = self
                        .table
                        .names()
                        .map(|(n, ..)| n)
                        .chain(kinds().map(|k| k.plural.as_str()))
                        .chain(["state"])
                        .collect();
                    let message = format!("there is no `{}`", word.text);
                    let error = LineError::new(Some(word), message).suggest(&lower, names);
                    return Err(match error.help {
                        None => {
                            let kinds: Vec<&str> = kinds().map(|k| k.plural.as_str()).collect();
                            error.help(format!("a piece, or {}", crate::diagnostic::list(&kinds)))
                        }
                        Some(_) => error,
                    });
                }
            }
        }
        Ok(shown)
    }

    fn back(&self, rest: &[Word]) -> Result<Back, LineError> {
        match rest {
            [] => Ok(Back::Steps(1)),
            [to, n] if to.text == "to" => Ok(Back::To(positive(n)? as u64)),
            [n, ..] => Ok(Back::Steps(positive(n)?)),
        }
    }

    fn dice(&self, rest: &[Word]) -> Result<Command, LineError> {
        let Some(first) = rest.first() else {
            let help = "write `dice auto`, `dice physical`, or `dice physical VERB`";
            return Err(LineError::new(None, "whose dice?").help(help));
        };
        let verb = rest.get(1).map(|w| w.text.clone());
        let lower = first.text.to_lowercase();
        let whose = ["auto", "physical", "real"].into_iter().find(|w| w.starts_with(&lower));
        match whose {
            Some("auto") => Ok(Command::Dice(Hands::Auto)),
            Some(_) => Ok(Command::Dice(Hands::Physical(verb))),
            None => {
                let message = format!("dice are `auto` or `physical`, not `{}`", first.text);
                let help = "`dice physical VERB` is for the dice of a verb or a side";
                Err(LineError::new(Some(first), message).help(help))
            }
        }
    }

    fn option(&self, rest: &[Word], insist: bool) -> Result<Command, LineError> {
        let Some((name, after)) = rest.split_first() else { return Ok(Command::Options) };
        let options = &self.referee.ruleset().options;
        let known: Vec<&str> = options.iter().map(|o| o.name.as_str()).collect();
        let found = self.named(name, &known, "option")?;
        let place = options.iter().find(|o| o.name == found).map_or(0, |o| o.attribute);
        let attribute = &self.referee.ruleset().schema.kind(OPTION).attributes[place];
        let given = match after.first() {
            Some(word) => self.given(attribute, word)?,
            None => {
                let help = format!("write `option {found} VALUE`");
                return Err(LineError::new(None, "to what?").help(help));
            }
        };
        let values = vec![(place, given)];
        Ok(Command::Act(Action::Set { kind: OPTION, row: 0, values }, insist))
    }
}

/// A whole number.
fn number(word: &Word) -> Result<i64, LineError> {
    word.text
        .parse()
        .map_err(|_| LineError::new(Some(word), format!("`{}` is no whole number", word.text)))
}

/// A whole number from 1 to a million.
fn positive(word: &Word) -> Result<usize, LineError> {
    match number(word)? {
        n @ 1..=1_000_000 => Ok(n as usize),
        n => Err(LineError::new(Some(word), format!("{n} is not from 1 to a million"))),
    }
}
