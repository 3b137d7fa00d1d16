//! The host of a command at the table: takes dice from the session, answers from the umpire, and keeps
//! everything that happens.

use adjutant_dice::{Pool, Source, SourceError};

use super::chance;
use super::event::{Binding, Check, Event, Roll, Throw};
use super::inputs::UnusedAnswers;
use super::outcome::Outcome;
use super::{Answer, Dice, Inputs};
use crate::language::machine::{Answers, BoundName, Halt, Host, Lot, Question};
use crate::language::number::Number;
use crate::language::schema::{ColumnId, DeckId, KindId, ListId, RuleId, Schema, Type};
use crate::language::syntax::Operator;
use crate::tabletop::{Change, Splice, Spot, Tabletop};

/// An event as the machine reports it: values are still words of the machine, rows still numbers.
#[derive(Clone, Debug)]
enum RawEvent {
    Event(Event),
    Call(RuleId, Vec<RawBinding>),
    Bound(Vec<RawBinding>),
    Changed(RawChange, Option<usize>),
}

/// A change as the machine reports it.
#[derive(Clone, Debug)]
enum RawChange {
    Cell { column: ColumnId, row: u32, old: i64, new: i64 },
    List { list: ListId, row: u32, splice: Splice<u32> },
    Made(KindId, u32),
    Removed(KindId, u32),
}

impl RawChange {
    fn named(self, table: &Tabletop) -> Change {
        let kind = |id| table.schema().kind(id).name.clone();
        match self {
            RawChange::Cell { column, row, old, new } => {
                let ty = table.schema().column(column).ty;
                let old = table.to_value(ty, old);
                let new = table.to_value(ty, new);
                table.cell_change(column, row, old, new)
            }
            RawChange::List { list, row, splice } => table.list_change(list, row, &splice),
            RawChange::Made(id, row) => {
                Change::Made { kind: kind(id), piece: table.piece_name(id, row) }
            }
            RawChange::Removed(id, row) => {
                Change::Removed { kind: kind(id), piece: table.piece_name(id, row) }
            }
        }
    }
}

/// A name of a rule's text with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RawBinding {
    name: String,
    ty: Type,
    value: i64,
}

impl RawBinding {
    fn of(bound: &BoundName<'_>) -> RawBinding {
        RawBinding { name: bound.name.to_owned(), ty: bound.ty, value: bound.value }
    }

    fn named(self, table: &Tabletop) -> Binding {
        let kind = match self.ty {
            Type::Piece(kind) => Some(table.schema().kind(kind).name.clone()),
            _ => None,
        };
        Binding { kind, value: table.to_value(self.ty, self.value), name: self.name }
    }
}

/// A rule under way.
#[derive(Debug, Default)]
struct OpenCall {
    rule: Option<RuleId>,
    /// The names of its sweep and loops.
    bound: Vec<RawBinding>,
    /// Those names as the events have them.
    reported: Vec<RawBinding>,
    /// The place of the check that decides what happens now.
    check: Option<usize>,
}

/// The dice of a command, whose faces are all recorded.
struct RecordedDice<'a> {
    dice: &'a mut Dice,
    fallen: &'a mut Outcome,
}

impl Source for RecordedDice<'_> {
    fn fill(&mut self, sides: u32, faces: &mut [u32]) -> Result<(), SourceError> {
        match self.dice {
            Dice::Seeded(s) => s.fill(sides, faces)?,
            Dice::Scripted(s) => s.fill(sides, faces)?,
            Dice::Physical(s) => s.fill(sides, faces)?,
        }
        self.fallen.add_faces(sides, faces);
        if !faces.is_empty() && self.fallen.physical {
            self.fallen.prompts.push(u32::try_from(faces.len()).unwrap_or(u32::MAX));
        }
        Ok(())
    }
}

/// Keeps what happens in a command.
pub(super) struct Recorder<'a> {
    schema: &'a Schema,
    inputs: &'a Inputs,
    dice: Dice,
    /// Dice and prompts; the events are put in at the end.
    fallen: Outcome,
    events: Vec<RawEvent>,
    answers: UnusedAnswers<'a>,
    draws: usize,
    /// The check under way; dice outside a check are collected here and never reported.
    check: Check,
    checking: bool,
    /// The number of its rolls that belong to its throws so far, or are thrown again.
    counted: usize,
    /// The calls under way; the first is what runs outside rules.
    calls: Vec<OpenCall>,
    /// About the memory that the events take.
    bytes: usize,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(schema: &'a Schema, inputs: &'a Inputs) -> Self {
        let physical = matches!(inputs.dice, Dice::Physical(_));
        Recorder {
            schema,
            inputs,
            dice: inputs.dice.clone(),
            fallen: Outcome { physical, ..Outcome::default() },
            events: Vec::new(),
            answers: inputs.answers.unused(),
            draws: 0,
            check: Check::default(),
            checking: false,
            counted: 0,
            calls: vec![OpenCall::default()],
            bytes: 0,
        }
    }

    /// Takes in something that happened.
    pub(super) fn tell(&mut self, event: Event) {
        self.bytes += match &event {
            Event::Said(text) | Event::Reminded(text) => text.len(),
            Event::Check(check) => check.rolls.iter().map(|r| r.shown.len() + 64).sum(),
            _ => 0,
        };
        self.push(RawEvent::Event(event));
    }

    /// Takes in something that happened and that only these sides may see.
    pub(super) fn tell_to(&mut self, sides: &[&str], event: Event) {
        let sides = sides.iter().map(|&side| side.to_owned()).collect();
        self.fallen.seen_by.insert(self.events.len(), sides);
        self.tell(event);
    }

    /// Takes in what the line names of what can be hidden.
    pub(super) fn name(&mut self, of: Vec<Spot>) {
        self.fallen.names.extend(of);
    }

    fn push(&mut self, event: RawEvent) {
        self.bytes += size_of::<RawEvent>();
        self.events.push(event);
    }

    /// Reports the values of the names of the sweep before something happens to them.
    fn say_bound(&mut self) {
        if let Some(call) = self.calls.last_mut()
            && call.reported != call.bound
        {
            call.reported = call.bound.clone();
            let bound = call.bound.clone();
            self.push(RawEvent::Bound(bound));
        }
    }

    /// Takes in a change. The check that decides it is that of the innermost call that made one.
    fn changed(&mut self, change: RawChange) {
        self.say_bound();
        let check = self.calls.iter().rev().find_map(|call| call.check);
        self.push(RawEvent::Changed(change, check));
    }

    /// Returns the dice, for a roll outside rule text.
    pub(super) fn source(&mut self) -> impl Source + '_ {
        RecordedDice { dice: &mut self.dice, fallen: &mut self.fallen }
    }

    /// Returns all that happened, with the names of the table the command ran on.
    pub(super) fn outcome(self, table: &Tabletop) -> Outcome {
        let schema = self.schema;
        let all = |bound: Vec<RawBinding>| bound.into_iter().map(|b| b.named(table)).collect();
        let event = |raw| match raw {
            RawEvent::Event(event) => event,
            RawEvent::Call(rule, bound) => {
                Event::Call { rule: schema.rules[rule.index()].name.clone(), bound: all(bound) }
            }
            RawEvent::Bound(bound) => Event::Bound(all(bound)),
            RawEvent::Changed(change, check) => {
                Event::Changed { change: change.named(table), check }
            }
        };
        let events = self.events.into_iter().map(event).collect();
        Outcome { events, ..self.fallen }
    }

    /// Takes in dice that were rolled, if they belong to a check.
    fn rolled(&mut self, pool: Option<Pool>, shown: String, total: i64) {
        if self.checking {
            self.check.rolls.push(Roll { pool, shown, total, fixed: None, rerolled: false });
        }
    }

    /// Returns the card a script or the umpire names.
    fn named_card(&mut self, lot: Lot<'_>, names: &[String]) -> Result<Option<usize>, Halt> {
        let deck = lot.deck.map(|d| self.schema.decks[d.index()].name.clone());
        let Some(deck) = deck else { return Ok(None) };
        if let Some(name) = self.inputs.draws.get(self.draws) {
            self.draws += 1;
            let index = names.iter().position(|n| n == name);
            return match index {
                Some(index) => Ok(Some(index)),
                None => Err(Halt::Refused(format!("there is no `{name}` left in the {deck}"))),
            };
        }
        if !matches!(self.dice, Dice::Physical(_)) {
            return Ok(None);
        }
        let members = lot.members.iter().copied().map(i64::from);
        let mut cards: Vec<(i64, String)> = members.zip(names.iter().cloned()).collect();
        cards.sort();
        cards.dedup();
        let text = format!("What came from the {deck}?");
        let row = self.ask(Question { text, answers: Answers::Named(cards) })?;
        Ok(lot.members.iter().position(|&m| i64::from(m) == row))
    }
}

/// The most memory that the outcome of one command may take, in bytes.
const MAX_OUTCOME: usize = 64 * 1024 * 1024;
/// The memory that a face takes until it is in the journal: itself, its die, and both as text.
const A_FACE: usize = 64;

impl Host for Recorder<'_> {
    fn is_full(&self) -> bool {
        self.bytes + self.fallen.face_count() * A_FACE > MAX_OUTCOME
    }

    fn reports(&self) -> bool {
        true
    }

    fn roll(&mut self, pool: &Pool) -> Result<i64, Halt> {
        let rolled = pool.roll(&mut self.source()).map_err(Halt::Dice)?;
        self.rolled(Some(pool.clone()), rolled.to_string(), rolled.total);
        Ok(rolled.total)
    }

    fn dice(&mut self, count: u32, sides: u32) -> Result<i64, Halt> {
        let mut faces = Vec::new();
        self.source().roll(count, sides, &mut faces).map_err(Halt::Dice)?;
        let total = faces.iter().copied().map(i64::from).sum();
        let shown: Vec<String> = faces.iter().map(u32::to_string).collect();
        self.rolled(Pool::plain(count, sides), format!("[{}]", shown.join(" ")), total);
        Ok(total)
    }

    fn added(&mut self, fixed: i64) {
        if let Some(roll) = self.check.rolls.last_mut() {
            roll.fixed = Some(fixed);
        }
    }

    fn lot(&mut self, lot: Lot<'_>, names: &[String]) -> Result<usize, Halt> {
        if lot.deck.is_some()
            && let Some(index) = self.named_card(lot, names)?
        {
            return Ok(index);
        }
        chance::one_of(&mut self.source(), lot.members.len())
    }

    fn ask(&mut self, question: Question) -> Result<i64, Halt> {
        let answer = self.answers.take(&question)?;
        // Before chance answers, as its dice come after the answer.
        if self.fallen.physical {
            self.fallen.prompts.push(0);
        }
        let (value, random) = match answer {
            Some(Answer::Value(value)) => (value, false),
            None if !self.inputs.ask_random => return Err(Halt::Question(question)),
            Some(Answer::Random) | None => {
                (chance::answer(&mut self.source(), &question.answers)?, true)
            }
        };
        let shown = question.answers.shown(value);
        self.say_bound();
        self.tell(Event::Asked { question: question.text, answer: shown, random });
        Ok(value)
    }

    fn refused(&mut self, reason: String) -> bool {
        if self.inputs.insist {
            self.say_bound();
            self.tell(Event::Insisted(reason));
        }
        self.inputs.insist
    }

    fn call_begins(&mut self, rule: RuleId, bound: &[BoundName<'_>]) {
        self.say_bound();
        self.push(RawEvent::Call(rule, bound.iter().map(RawBinding::of).collect()));
        self.calls.push(OpenCall { rule: Some(rule), ..OpenCall::default() });
    }

    fn call_ends(&mut self, value_used: bool) {
        if self.calls.len() < 2 {
            return;
        }
        self.push(RawEvent::Event(Event::End));
        // Who goes on by the value goes on by the check that gave it.
        let inner = self.calls.pop().and_then(|call| call.check);
        if let (Some(outer), Some(check), true) = (self.calls.last_mut(), inner, value_used) {
            outer.check = Some(check);
        }
    }

    fn bound(&mut self, bound: &[BoundName<'_>], turn: bool) {
        if let Some(call) = self.calls.last_mut() {
            call.bound = bound.iter().map(RawBinding::of).collect();
            if turn {
                call.check = None;
            }
        }
    }

    fn check_begins(&mut self) {
        self.say_bound();
        let rule = self.calls.last().and_then(|c| c.rule);
        let rule = rule.map(|r| self.schema.rules[r.index()].name.clone());
        self.counted = 0;
        self.check = Check { rule, physical: self.fallen.physical, ..Check::default() };
        self.checking = true;
    }

    fn modifier(&mut self, value: Number, reason: String) {
        self.check.modifiers.push((value, reason));
    }

    fn thrown_again(&mut self) {
        self.check.rolls.iter_mut().skip(self.counted).for_each(|roll| roll.rerolled = true);
        self.counted = self.check.rolls.len();
    }

    fn thrown(&mut self, natural: Number, total: Number, passed: Option<bool>) {
        self.check.throws.push(Throw { natural, total, passed });
        self.counted = self.check.rolls.len();
    }

    fn need(&mut self, operator: Operator, value: Number) {
        self.check.need = Some((operator, value));
    }

    fn verdict(&mut self, words: String) {
        self.check.verdict = Some(words);
    }

    fn check_ends(&mut self, label: String) {
        let check = Check { label, ..std::mem::take(&mut self.check) };
        if std::mem::take(&mut self.checking) {
            if let Some(call) = self.calls.last_mut() {
                call.check = Some(self.events.len());
            }
            self.tell(Event::Check(Box::new(check)));
        }
    }

    fn said(&mut self, text: String) {
        self.say_bound();
        self.tell(Event::Said(text));
    }

    fn reminded(&mut self, text: String) {
        self.tell(Event::Reminded(text));
    }

    fn cell_changed(&mut self, column: ColumnId, row: u32, old: i64, new: i64) {
        if old != new {
            self.changed(RawChange::Cell { column, row, old, new });
        }
    }

    fn list_changed(&mut self, list: ListId, row: u32, old: &[u32], new: &[u32]) {
        if old == new {
            return;
        }
        let splice = match self.schema.list(list) {
            Some(_) => Splice { at: 0, old: old.to_vec(), new: new.to_vec() },
            // A deck may be long, and is told by what changed in it, its cards put in together.
            None => {
                let mut before = old.to_vec();
                if let Some(RawEvent::Changed(RawChange::List { list: of, splice, .. }, _)) =
                    self.events.last()
                    && *of == list
                {
                    let Splice { at, old: removed, new: inserted } = splice;
                    self.bytes -= size_of::<RawEvent>() + 4 * (removed.len() + inserted.len());
                    before.splice(*at..at + inserted.len(), removed.iter().copied());
                    self.events.pop();
                }
                Splice::between(&before, new)
            }
        };
        if splice.old == splice.new {
            return;
        }
        self.bytes += 4 * (splice.old.len() + splice.new.len());
        self.changed(RawChange::List { list, row, splice });
    }

    fn made(&mut self, kind: KindId, row: u32, _: &str) {
        self.changed(RawChange::Made(kind, row));
    }

    fn removed(&mut self, kind: KindId, row: u32) {
        self.changed(RawChange::Removed(kind, row));
    }

    fn taken(&mut self, lot: Lot<'_>, index: usize, names: &[String]) {
        let deck = lot.deck.map(|d| self.schema.decks[d.index()].name.clone());
        let row = lot.members.get(index).copied().unwrap_or_default();
        let printed = self.schema.kind(lot.kind).rows.get(row as usize);
        let title = printed.map(|card| self.schema.row_title(lot.kind, card));
        let title = title.filter(|title| !title.is_empty());
        let what = title.or_else(|| names.get(index).cloned()).unwrap_or_default();
        self.say_bound();
        self.tell(Event::Taken { deck, what, of: lot.members.len() });
    }

    fn phase(
        &mut self,
        turn: i64,
        (index, name): (usize, &str),
        side: Option<String>,
        skipped: bool,
    ) {
        if let Some(base) = self.calls.first_mut() {
            *base = OpenCall::default();
        }
        self.tell(Event::Phase { turn, phase: name.to_owned(), place: index, side, skipped });
    }

    fn ended(&mut self, words: String, winner: Option<String>, margin: Option<i64>) {
        self.tell(Event::Ended { words, winner, margin });
    }

    fn shuffled(&mut self, deck: DeckId, count: usize) {
        let deck = self.schema.decks[deck.index()].name.clone();
        self.say_bound();
        self.tell(Event::Shuffled { deck, count });
    }
}
