//! The host of a command at the table, which takes dice from the session and answers from the
//! umpire, and records all events.

use adjutant_dice::{Pool, Source, SourceError};

use super::chance;
use super::event::{Audience, Binding, Check, Event, Roll, Throw};
use super::inputs::UnusedAnswers;
use super::outcome::Outcome;
use super::{Answer, Dice, Inputs};
use crate::language::machine::{Answers, BoundName, Halt, Hearers, Host, Question, RandomLot};
use crate::language::number::Number;
use crate::language::schema::{ColumnId, DeckId, KindId, ListId, RuleId, Schema, Type};
use crate::language::syntax::Operator;
use crate::tabletop::{AttributePath, Change, Splice, Tabletop};

/// An event as the machine reports it, with numbers instead of names. It is converted to an
/// [`Event`] when the command has ended.
#[derive(Clone, Debug)]
enum RawEvent {
    Event(Event),
    Call(RuleId, Vec<RawBinding>),
    Bound(Vec<RawBinding>),
    SaidToSides(Vec<u32>, String),
    Changed(RawChange, Option<usize>),
}

/// A change as the machine reports it, with numbers instead of names.
#[derive(Clone, Debug)]
enum RawChange {
    Cell { column: ColumnId, row: u32, old: i64, new: i64 },
    List { list: ListId, row: u32, splice: Splice<u32> },
    Made(KindId, u32),
    Removed(KindId, u32),
}

impl RawChange {
    fn into_change(self, table: &Tabletop) -> Change {
        let kind = |id| table.schema().kind(id).name.clone();
        match self {
            RawChange::Cell { column, row, old, new } => {
                let ty = table.schema().column_attribute(column).ty;
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

/// A name in a rule's text, with its value as a number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RawBinding {
    name: String,
    ty: Type,
    value: i64,
}

impl RawBinding {
    fn from_bound_name(bound: &BoundName<'_>) -> RawBinding {
        RawBinding { name: bound.name.to_owned(), ty: bound.ty, value: bound.value }
    }

    fn into_binding(self, table: &Tabletop) -> Binding {
        let kind = match self.ty {
            Type::Piece(kind) => Some(table.schema().kind(kind).name.clone()),
            _ => None,
        };
        Binding { kind, value: table.to_value(self.ty, self.value), name: self.name }
    }
}

/// A running rule.
#[derive(Debug, Default)]
struct OpenCall {
    rule: Option<RuleId>,
    /// The names of the rule's sweep and loops, with their current values.
    bound: Vec<RawBinding>,
    /// The names and values that were last recorded as an event.
    reported: Vec<RawBinding>,
    /// The index of the event with the check that decides the following changes.
    check: Option<usize>,
}

/// A source that rolls the dice of a command and records their faces.
struct RecordedDice<'a> {
    dice: &'a mut Dice,
    fallen: &'a mut Outcome,
}

impl Source for RecordedDice<'_> {
    fn fill(&mut self, sides: u32, faces: &mut [u32]) -> Result<(), SourceError> {
        match self.dice {
            Dice::Seeded(s) => s.fill(sides, faces)?,
            Dice::Scripted(s) => s.fill(sides, faces)?,
            Dice::Constant(s) => s.fill(sides, faces)?,
            Dice::Physical(s) => s.fill(sides, faces)?,
        }
        self.fallen.add_faces(sides, faces);
        if !faces.is_empty() && self.fallen.physical {
            self.fallen.prompts.push(u32::try_from(faces.len()).unwrap_or(u32::MAX));
        }
        Ok(())
    }
}

/// A host that records the dice, the prompts and the events of a command.
pub(super) struct Recorder<'a> {
    schema: &'a Schema,
    inputs: &'a Inputs,
    dice: Dice,
    /// The outcome so far, with the dice and prompts. The events are added at the end.
    fallen: Outcome,
    events: Vec<RawEvent>,
    answers: UnusedAnswers<'a>,
    draws: usize,
    /// The check that is being recorded. Modifiers and other data outside a check are stored in it
    /// too, but never reported.
    check: Check,
    checking: bool,
    /// The number of the check's rolls that have been used or rerolled.
    counted: usize,
    /// The running calls, the innermost last. The first entry represents everything outside rules.
    calls: Vec<OpenCall>,
    /// An estimate of the memory that the events take, in bytes.
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

    /// Records an event.
    pub(super) fn record_event(&mut self, event: Event) {
        self.bytes += match &event {
            Event::Said(text)
            | Event::Instructed(text)
            | Event::Reminded(text)
            | Event::SaidTo { words: text, .. } => text.len(),
            Event::Check(check) => check.rolls.iter().map(|r| r.shown.len() + 64).sum(),
            _ => 0,
        };
        self.push_event(RawEvent::Event(event));
    }

    /// Records an event that only these sides may see.
    pub(super) fn record_event_for(&mut self, sides: &[&str], event: Event) {
        let sides = sides.iter().map(|&side| side.to_owned()).collect();
        self.fallen.seen_by.insert(self.events.len(), sides);
        self.record_event(event);
    }

    /// Records attributes and pieces that the line names and that can be hidden.
    pub(super) fn record_names(&mut self, of: Vec<AttributePath>) {
        self.fallen.names.extend(of);
    }

    fn push_event(&mut self, event: RawEvent) {
        self.bytes += size_of::<RawEvent>();
        self.events.push(event);
    }

    /// Records the current names and values of the innermost call's sweep and loops, if they have
    /// changed since they were last recorded.
    fn record_bound_names(&mut self) {
        if let Some(call) = self.calls.last_mut()
            && call.reported != call.bound
        {
            call.reported = call.bound.clone();
            let bound = call.bound.clone();
            self.push_event(RawEvent::Bound(bound));
        }
    }

    /// Records a change, with the latest check of the innermost call that has made a check.
    fn record_change(&mut self, change: RawChange) {
        self.record_bound_names();
        let check = self.calls.iter().rev().find_map(|call| call.check);
        self.push_event(RawEvent::Changed(change, check));
    }

    /// Returns the dice of the command. All faces rolled with them are recorded.
    pub(super) fn dice_source(&mut self) -> impl Source + '_ {
        RecordedDice { dice: &mut self.dice, fallen: &mut self.fallen }
    }

    /// Returns the recorded outcome. `table` is the table after the command, which supplies the
    /// names.
    pub(super) fn into_outcome(self, table: &Tabletop) -> Outcome {
        let schema = self.schema;
        let all =
            |bound: Vec<RawBinding>| bound.into_iter().map(|b| b.into_binding(table)).collect();
        let event = |raw| match raw {
            RawEvent::Event(event) => event,
            RawEvent::Call(rule, bound) => {
                Event::Call { rule: schema.rules[rule.index()].name.clone(), bound: all(bound) }
            }
            RawEvent::Bound(bound) => Event::Bound(all(bound)),
            RawEvent::SaidToSides(sides, words) => {
                let side = |value| {
                    let ty = schema.sides.unwrap_or(Type::Unknown);
                    table.to_value(ty, i64::from(value)).to_string()
                };
                let to = Audience::Sides(sides.into_iter().map(side).collect());
                Event::SaidTo { to, words }
            }
            RawEvent::Changed(change, check) => {
                Event::Changed { change: change.into_change(table), check }
            }
        };
        let events = self.events.into_iter().map(event).collect();
        Outcome { events, ..self.fallen }
    }

    /// Adds rolled dice to the check that is being recorded, if there is one.
    fn record_roll(&mut self, pool: Option<Pool>, shown: String, total: i64) {
        if self.checking {
            self.check.rolls.push(Roll { pool, shown, total, fixed: None, rerolled: false });
        }
    }

    /// Returns the index of the drawn card if a script names it, or if the players draw real cards
    /// and the umpire types its name. Returns `None` if the card is to be drawn at random.
    fn named_card(&mut self, lot: RandomLot<'_>, names: &[String]) -> Result<Option<usize>, Halt> {
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
        let text = format!("What was drawn from the {deck}?");
        let row = self.ask(Question { text, answers: Answers::Named(cards), best: None })?;
        Ok(lot.members.iter().position(|&m| i64::from(m) == row))
    }
}

/// The maximum memory that the outcome of one command may take, in bytes.
const MAX_OUTCOME_BYTES: usize = 64 * 1024 * 1024;
/// An estimate, in bytes, of the memory that one face takes until it is stored in the journal. It
/// covers the face, its die, and both as text.
const BYTES_PER_FACE: usize = 64;

impl Host for Recorder<'_> {
    fn is_full(&self) -> bool {
        self.bytes + self.fallen.face_count() * BYTES_PER_FACE > MAX_OUTCOME_BYTES
    }

    fn wants_reports(&self) -> bool {
        true
    }

    fn roll_pool(&mut self, pool: &Pool) -> Result<i64, Halt> {
        let rolled = pool.roll(&mut self.dice_source()).map_err(Halt::Dice)?;
        self.record_roll(Some(pool.clone()), rolled.to_string(), rolled.total);
        Ok(rolled.total)
    }

    fn roll_dice(&mut self, count: u32, sides: u32) -> Result<i64, Halt> {
        let mut faces = Vec::new();
        self.dice_source().roll(count, sides, &mut faces).map_err(Halt::Dice)?;
        let total = faces.iter().copied().map(i64::from).sum();
        let shown: Vec<String> = faces.iter().map(u32::to_string).collect();
        self.record_roll(Pool::plain(count, sides), format!("[{}]", shown.join(" ")), total);
        Ok(total)
    }

    fn on_number_added(&mut self, fixed: i64) {
        if let Some(roll) = self.check.rolls.last_mut() {
            roll.fixed = Some(fixed);
        }
    }

    fn draw_lot(&mut self, lot: RandomLot<'_>, names: &[String]) -> Result<usize, Halt> {
        if lot.deck.is_some()
            && let Some(index) = self.named_card(lot, names)?
        {
            return Ok(index);
        }
        chance::random_index(&mut self.dice_source(), lot.members.len())
    }

    fn ask(&mut self, question: Question) -> Result<i64, Halt> {
        let answer = self.answers.take_answer(&question)?;
        // The prompt is recorded first, because the dice of a random answer are rolled after it.
        if self.fallen.physical {
            self.fallen.prompts.push(0);
        }
        let (value, random) = match answer {
            Some(Answer::Value(value)) => (value, false),
            None if !self.inputs.ask_random => return Err(Halt::Question(question)),
            Some(Answer::Random) | None => {
                (chance::random_answer(&mut self.dice_source(), &question.answers)?, true)
            }
        };
        let shown = question.answers.answer_text(value);
        self.record_bound_names();
        self.record_event(Event::Asked { question: question.text, answer: shown, random });
        Ok(value)
    }

    fn overrides_refusal(&mut self, reason: String) -> bool {
        if self.inputs.insist {
            self.record_bound_names();
            self.record_event(Event::Insisted(reason));
        }
        self.inputs.insist
    }

    fn on_call_begin(&mut self, rule: RuleId, bound: &[BoundName<'_>]) {
        self.record_bound_names();
        self.push_event(RawEvent::Call(
            rule,
            bound.iter().map(RawBinding::from_bound_name).collect(),
        ));
        self.calls.push(OpenCall { rule: Some(rule), ..OpenCall::default() });
    }

    fn on_call_end(&mut self, value_used: bool) {
        if self.calls.len() < 2 {
            return;
        }
        self.push_event(RawEvent::Event(Event::End));
        // If the caller uses the value of the call, the caller's changes depend on the check that
        // decided the value.
        let inner = self.calls.pop().and_then(|call| call.check);
        if let (Some(outer), Some(check), true) = (self.calls.last_mut(), inner, value_used) {
            outer.check = Some(check);
        }
    }

    fn on_names_bound(&mut self, bound: &[BoundName<'_>], turn: bool) {
        if let Some(call) = self.calls.last_mut() {
            call.bound = bound.iter().map(RawBinding::from_bound_name).collect();
            if turn {
                call.check = None;
            }
        }
    }

    fn on_check_begin(&mut self) {
        self.record_bound_names();
        let rule = self.calls.last().and_then(|c| c.rule);
        let rule = rule.map(|r| self.schema.rules[r.index()].name.clone());
        self.counted = 0;
        self.check = Check { rule, physical: self.fallen.physical, ..Check::default() };
        self.checking = true;
    }

    fn on_modifier(&mut self, value: Number, reason: String) {
        self.check.modifiers.push((value, reason));
    }

    fn on_reroll(&mut self) {
        self.check.rolls.iter_mut().skip(self.counted).for_each(|roll| roll.rerolled = true);
        self.counted = self.check.rolls.len();
    }

    fn on_throw(&mut self, natural: Number, total: Number, passed: Option<bool>) {
        self.check.throws.push(Throw { natural, total, passed });
        self.counted = self.check.rolls.len();
    }

    fn on_need(&mut self, operator: Operator, value: Number) {
        self.check.need = Some((operator, value));
    }

    fn on_verdict(&mut self, words: String) {
        self.check.verdict = Some(words);
    }

    fn on_check_end(&mut self, label: String) {
        let check = Check { label, ..std::mem::take(&mut self.check) };
        if std::mem::take(&mut self.checking) {
            if let Some(call) = self.calls.last_mut() {
                call.check = Some(self.events.len());
            }
            self.record_event(Event::Check(Box::new(check)));
        }
    }

    fn on_say(&mut self, text: String) {
        self.record_bound_names();
        self.record_event(Event::Said(text));
    }

    fn on_say_to(&mut self, to: Hearers<'_>, words: String) {
        self.record_bound_names();
        let to = match to {
            Hearers::All => Audience::All,
            Hearers::Umpire => Audience::Umpire,
            Hearers::Sides(sides) => {
                self.bytes += words.len();
                return self.push_event(RawEvent::SaidToSides(sides.to_vec(), words));
            }
        };
        self.record_event(Event::SaidTo { to, words });
    }

    fn on_instruct(&mut self, text: String) {
        self.record_bound_names();
        self.record_event(Event::Instructed(text));
    }

    fn on_remind(&mut self, text: String) {
        self.record_event(Event::Reminded(text));
    }

    fn on_cell_change(&mut self, column: ColumnId, row: u32, old: i64, new: i64) {
        if old != new {
            self.record_change(RawChange::Cell { column, row, old, new });
        }
    }

    fn on_list_change(&mut self, list: ListId, row: u32, old: &[u32], new: &[u32]) {
        if old == new {
            return;
        }
        let splice = match self.schema.list_attribute(list) {
            Some(_) => Splice { at: 0, old: old.to_vec(), new: new.to_vec() },
            // A deck may be long, so only the part that changed is recorded. Successive changes of
            // one deck are merged.
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
        self.record_change(RawChange::List { list, row, splice });
    }

    fn on_piece_made(&mut self, kind: KindId, row: u32, _: &str) {
        self.record_change(RawChange::Made(kind, row));
    }

    fn on_piece_removed(&mut self, kind: KindId, row: u32) {
        self.record_change(RawChange::Removed(kind, row));
    }

    fn on_lot_drawn(&mut self, lot: RandomLot<'_>, index: usize, names: &[String]) {
        let deck = lot.deck.map(|d| self.schema.decks[d.index()].name.clone());
        let row = lot.members.get(index).copied().unwrap_or_default();
        let printed = self.schema.kind(lot.kind).rows.get(row as usize);
        let title = printed.map(|card| self.schema.row_title(lot.kind, card));
        let title = title.filter(|title| !title.is_empty());
        let what = title.or_else(|| names.get(index).cloned()).unwrap_or_default();
        self.record_bound_names();
        self.record_event(Event::Taken { deck, what, of: lot.members.len() });
    }

    fn on_phase(
        &mut self,
        turn: i64,
        (index, name): (usize, &str),
        side: Option<String>,
        skipped: bool,
    ) {
        if let Some(base) = self.calls.first_mut() {
            *base = OpenCall::default();
        }
        self.record_event(Event::Phase {
            turn,
            phase: name.to_owned(),
            place: index,
            side,
            skipped,
        });
    }

    fn on_game_end(&mut self, words: String, winner: Option<String>, margin: Option<i64>) {
        self.record_event(Event::Ended { words, winner, margin });
    }

    fn on_shuffle(&mut self, deck: DeckId, count: usize) {
        let deck = self.schema.decks[deck.index()].name.clone();
        self.record_bound_names();
        self.record_event(Event::Shuffled { deck, count });
    }
}
