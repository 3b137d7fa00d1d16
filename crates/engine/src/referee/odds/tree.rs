//! Everything that can happen, with equal states grown together and what does not touch each other kept apart.
//!
//! A run stops where chance decides, and where it reads something that is not certain; it goes on once with each
//! value. The place at which it stops is what the rest of the run depends on besides the table: the machine's live
//! registers, and the pieces set out and taken off. Runs that come to the same place meet there (see
//! [`joint`](super::joint)); places are left in the order of the run, so that all that lead to one have come to it.

use std::collections::BTreeMap;
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use num_bigint::BigUint;
use num_integer::Integer;

use super::host::{LastWords, OddsHost, Outcomes};
use super::joint::{Held, Joint, Known, MAX_WORK, Share, State, Var, Way, apart, meet, put, sum};
use super::turns::Sums;
use super::veil::Veiled;
use crate::language::machine::{EqualTurns, Halt, LiveRegisters, Machine, SnapshotReader, World};
use crate::language::schema::{DeckId, KindId, ListId, Role};
use crate::referee::Referee;
use crate::referee::act::Field;
use crate::referee::phases::Onward;
use crate::ruleset::Ruleset;
use crate::tabletop::Tabletop;

/// The most places from which runs are followed.
const MAX_PLACES: usize = 60_000;
/// The most bytes that all different words and names may take.
const MAX_BYTES: usize = 8 << 20;

/// The end of a run: as it should, or the rules forbid it or went wrong.
pub(super) type RunEnd = Result<(), Halt>;

/// Returns how a run has ended, if it has.
pub(super) fn end_of(result: Result<i64, Halt>) -> Option<RunEnd> {
    match result {
        Err(Halt::Branch) => None,
        result => Some(result.map(|_| ())),
    }
}

/// Texts, names and lists with a number each, so that states are rows of numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    texts: IndexSet<String>,
    lists: IndexSet<Members>,
    /// The titles of cards that are alike.
    cards: IndexSet<Vec<String>>,
    bytes: usize,
}

/// The members of a list. Of a deck from which cards that are alike were drawn, those that stand for what is left, and
/// the number of the whole deck.
type Members = (Rc<[u32]>, Option<i64>);

/// The number of the first set of cards, as last words; the others follow downwards.
const CARDS: i64 = -2;

impl Names {
    /// Returns true if the texts have grown too long to go on.
    pub(super) fn is_full(&self) -> bool {
        self.bytes > MAX_BYTES
    }

    /// Returns the number of a text.
    pub(super) fn number(&mut self, text: &str) -> i64 {
        if let Some(place) = self.texts.get_index_of(text) {
            return place as i64;
        }
        self.bytes += text.len();
        self.texts.insert_full(text.to_owned()).0 as i64
    }

    pub(super) fn text(&self, number: i64) -> &str {
        let place = usize::try_from(number).ok();
        place.and_then(|n| self.texts.get_index(n)).map_or("", String::as_str)
    }

    /// Returns the number of a list of members.
    fn list_number(&mut self, members: &[u32], whole: Option<i64>) -> i64 {
        let (place, is_new) = self.lists.insert_full((members.into(), whole));
        self.bytes += if is_new { members.len() * 4 } else { 0 };
        place as i64
    }

    fn known(&self, number: i64) -> Option<&Members> {
        usize::try_from(number).ok().and_then(|n| self.lists.get_index(n))
    }

    pub(super) fn list(&self, number: i64) -> &[u32] {
        self.known(number).map_or(&[], |list| &list.0)
    }

    /// Returns the number of the whole deck of which a list is left; its own if it is known card by card.
    fn whole(&self, number: i64) -> i64 {
        self.known(number).and_then(|list| list.1).unwrap_or(number)
    }

    /// Returns the titles of the cards that last words of this number can name, each as likely as the others.
    pub(super) fn cards(&self, number: i64) -> Option<&[String]> {
        let place = usize::try_from(CARDS - number).ok();
        place.and_then(|n| self.cards.get_index(n)).map(Vec::as_slice)
    }
}

/// The reason why a run has stopped before its end.
#[derive(Clone, Debug, PartialEq)]
enum Stop {
    /// A value of chance.
    Chance(Outcomes),
    /// Something that is not certain.
    Read(Var),
    /// A card of a deck.
    Draw(DeckId),
}

/// A place at which runs meet: how far they have come, and what the rest depends on.
type Place = (Vec<i64>, Vec<i64>);

/// Where a run has come to.
#[derive(Debug, PartialEq)]
enum Reached {
    Place(Place, Stop),
    End(RunEnd),
}

/// A draw of one of the cards that are alike.
struct Draw {
    /// The number of the last words.
    card: i64,
    /// The cards; each is as likely as the others.
    cards: Vec<u32>,
    /// The number of cards that are shown.
    left: usize,
    /// The knowledge of the table then.
    known: Known,
    weight: BigUint,
    total: BigUint,
}

/// The news with which a run goes on from a place.
enum Given<'t> {
    /// None but what now lies open.
    Nothing,
    /// A value of chance.
    Value(i64),
    /// The sums that all turns left have added to their counters.
    Turns(&'t EqualTurns, &'t [i64]),
}

/// Where a run has come to, what it has changed, and the numbers it has said: the line and the number.
type Found = (Reached, Vec<(Var, i64)>, Vec<(i64, i64)>);

/// The cards of a deck that no rule tells apart, in groups.
type Alike = Vec<Vec<u32>>;

/// An end of all runs that come to it.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub end: RunEnd,
    pub share: Share,
    pub state: State,
}

/// Grows the tree.
pub(super) struct Tree<'a> {
    referee: &'a Referee,
    /// The progress of a change of phase, if the odds of one are asked.
    pub onward: Option<Onward>,
    /// The number of functions that a change of phase has begun.
    begun: i64,
    pub table: Veiled,
    pub names: Names,
    pub host: OddsHost,
    pub flow: LiveRegisters,
    open: BTreeMap<Place, (Stop, Vec<Way>)>,
    ends: Vec<(RunEnd, Vec<Way>)>,
    /// The number of different places that runs have come to.
    pub places: usize,
    /// Every progress of a change of phase that was met; states name it by its place.
    onwards: Vec<Onward>,
    /// The decks that no rule looks into: only the number of their cards matters until one is drawn. No other deck may
    /// show cards that stand for those that are in it.
    closed: Vec<ListId>,
    /// By deck, the cards that are alike as far as is known.
    alike: IndexMap<ListId, Alike>,
    /// True if cards that were taken for alike are not.
    told_apart: bool,
    /// The number that stands for the card that is drawn.
    card: Option<i64>,
    pub sums: Sums,
    /// The numbers that were said: the line, the number, and how likely it is said.
    pub numbers: BTreeMap<(i64, i64), Share>,
    /// The lines that may be said more than once.
    pub often: IndexSet<i64>,
    /// The work done so far.
    pub work: u64,
}

impl<'a> Tree<'a> {
    pub(super) fn new(referee: &'a Referee, table: &Tabletop, insist: bool) -> Self {
        let mut flow = LiveRegisters::default();
        Tree {
            closed: closed_decks(referee.ruleset(), &mut flow),
            referee,
            onward: None,
            begun: 0,
            table: Veiled::new(table.clone().logged()),
            names: Names::default(),
            host: OddsHost::new(insist),
            flow,
            open: BTreeMap::new(),
            ends: Vec::new(),
            places: 1,
            onwards: Vec::new(),
            alike: IndexMap::new(),
            told_apart: false,
            card: None,
            sums: Sums::default(),
            numbers: BTreeMap::new(),
            often: IndexSet::new(),
            work: 0,
        }
    }

    /// Every end; none if the tree is too large.
    pub(super) fn grow(&mut self, machine: &Machine<'a>) -> Option<Vec<Leaf>> {
        let onward = self.onward;
        loop {
            if let Some(leaves) = self.grown(machine.clone()) {
                return Some(leaves);
            }
            if !std::mem::take(&mut self.told_apart) || self.work > MAX_WORK {
                return None;
            }
            // From the beginning, with fewer cards alike.
            (self.onward, self.begun) = (onward, 0);
            self.open.clear();
            self.ends.clear();
            self.numbers.clear();
            self.often.clear();
            self.places = 1;
            self.card = None;
            self.host.leave();
            self.table.renew();
        }
    }

    fn grown(&mut self, mut machine: Machine<'a>) -> Option<Vec<Leaf>> {
        let one = (BigUint::from(1u32), BigUint::from(1u32));
        self.table.begin();
        let result = self.go_on(&mut machine);
        // The decks are always known by number, so that what is drawn can be told from what is left.
        let mut delta = Vec::new();
        for deck in &self.referee.ruleset().schema.decks {
            let number = self.names.list_number(self.table.under.list(deck.list, 0), None);
            put(&mut delta, Var::List(deck.list, 0), Held::Sure(number));
        }
        let way = Way { from: Rc::default(), delta, share: one, spoken: Vec::new() };
        let found = self.come_to(&machine, result)?;
        self.arrive(found, way);
        while let Some((place, (stop, ways))) = self.open.pop_first() {
            self.places += 1;
            let (share, state) = self.meet(&ways)?;
            self.follow(&place.1, &stop, &share, &Rc::new(state), &mut machine)?;
            if self.places > MAX_PLACES || self.work > MAX_WORK || self.names.is_full() {
                return None;
            }
        }
        self.table.renew();
        let ends = std::mem::take(&mut self.ends);
        let leaf = |(end, ways): (RunEnd, Vec<Way>)| {
            let (share, state) = self.meet(&ways)?;
            Some(Leaf { end, share, state })
        };
        ends.into_iter().map(leaf).collect()
    }

    /// Joins the ways to a place.
    fn meet(&mut self, ways: &[Way]) -> Option<(Share, State)> {
        self.table.renew();
        let table = &self.table;
        let base = |var| match var {
            Var::Cell(column, row) => table.get(column, row),
            Var::Words | Var::List(..) | Var::Made(..) => -1,
            Var::Removed(..) => 0,
        };
        meet(ways, &base, &mut self.work)
    }

    /// Runs on until the next stop or the end: of a rule, or of all that belongs to a change of phase.
    pub(super) fn go_on(&mut self, machine: &mut Machine<'a>) -> Result<i64, Halt> {
        loop {
            let result = machine.go_on(&mut self.table, &mut self.host);
            self.work += machine.steps();
            let value = result?;
            let Some(onward) = &mut self.onward else { return Ok(value) };
            let (table, host) = (&mut self.table, &mut self.host);
            let mut field = Field { referee: self.referee, machine, table, host };
            let next = field.step(onward, value)?;
            let Some(next) = next else { return Ok(0) };
            let rules = self.referee.ruleset();
            *machine = Machine::new(&rules.schema, &rules.program);
            machine.begin(next, &[]);
            self.begun += 1;
        }
    }

    /// Goes on from a place with everything that can come next.
    fn follow(
        &mut self,
        place: &[i64],
        stop: &Stop,
        share: &Share,
        state: &Rc<State>,
        machine: &mut Machine<'a>,
    ) -> Option<()> {
        let mut reader = SnapshotReader::new(place);
        self.lay_out(&mut reader, state);
        let mark = self.table.under.savepoint();
        let before = self.onward;
        let (onward, begun) = match before {
            Some(_) => (self.onwards.get(reader.count()).copied(), reader.take()),
            None => (None, 0),
        };
        let unknown_deck = self.may_be_empty(stop, state).map(Stop::Read);
        let stop = unknown_deck.as_ref().unwrap_or(stop);
        let equal = match stop {
            Stop::Chance(outcomes) => {
                machine.restore(&mut self.flow, &mut reader.clone());
                let equal = self.equal_turns(machine, outcomes);
                self.host.leave();
                self.table.take_back(mark);
                equal
            }
            Stop::Read(_) | Stop::Draw(_) => None,
        };
        // Runs on with a value; where that leads and what it changes.
        let mut go = |tree: &mut Self, given: Given<'_>| {
            machine.restore(&mut tree.flow, &mut reader.clone());
            (tree.onward, tree.begun) = (onward, begun);
            tree.table.start();
            tree.host.words = None;
            match given {
                Given::Nothing => {}
                Given::Value(value) => tree.host.next = Some(value),
                Given::Turns(turns, added) => machine.end_turns(turns, added),
            }
            let result = tree.go_on(machine);
            tree.work += place.len() as u64;
            let found = tree.come_to(machine, result);
            tree.table.take_back(mark);
            found
        };
        let way = |delta, part: &BigUint, total: &BigUint| {
            let share = (&share.0 * part, &share.1 * total);
            Way { from: state.clone(), delta, share, spoken: Vec::new() }
        };
        match stop {
            Stop::Chance(outcomes) => {
                let each = outcomes.iter().map(|(value, weight)| (Given::Value(*value), weight));
                let sums = equal.iter().flat_map(|(turns, sums)| {
                    sums.iter().map(move |(added, weight)| (Given::Turns(turns, added), weight))
                });
                let all: Vec<_> = if equal.is_some() { sums.collect() } else { each.collect() };
                let total = all.iter().map(|(_, weight)| *weight).sum();
                for (given, weight) in all {
                    let found = go(self, given)?;
                    self.arrive(found, way(Vec::new(), weight, &total));
                }
            }
            Stop::Read(var) => {
                let Some(Held::In(joint)) = state.get(*var) else { return None };
                for (value, weight, mut known) in joint.cases(*var, &mut self.work) {
                    put(&mut known, *var, Held::Sure(value));
                    self.reveal_all(&known);
                    let found = go(self, Given::Nothing)?;
                    self.arrive(found, way(known, &weight, &joint.total));
                }
            }
            Stop::Draw(deck) => {
                let list = self.referee.ruleset().schema.decks[deck.index()].list;
                let groups = self.groups(list);
                let mut parted: Alike = Vec::new();
                for draw in self.draws(list, &groups, state)? {
                    let mut found: Vec<(Vec<u32>, Found)> = Vec::new();
                    self.card = Some(draw.card);
                    for &card in &draw.cards {
                        self.reveal_all(&draw.known);
                        let others = std::iter::repeat_n(card, draw.left);
                        self.table.show(list, others.collect());
                        let next = go(self, Given::Value(0))?;
                        match found.iter_mut().find(|(_, known)| *known == next) {
                            Some((cards, _)) => cards.push(card),
                            None => found.push((vec![card], next)),
                        }
                    }
                    self.card = None;
                    if found.len() > 1 {
                        parted.extend(found.into_iter().map(|(cards, _)| cards));
                    } else if let Some((_, found)) = found.pop() {
                        self.arrive(found, way(draw.known, &draw.weight, &draw.total));
                    }
                }
                if !parted.is_empty() {
                    self.tell_apart(list, &parted);
                    return None;
                }
            }
        }
        self.onward = before;
        Some(())
    }

    /// Returns the deck from which a run draws a card, if it may be empty. A run that knew that it is not has come to the
    /// same place. Nothing comes of drawing from an empty deck, so that must be known first.
    fn may_be_empty(&self, stop: &Stop, state: &State) -> Option<Var> {
        let Stop::Draw(deck) = stop else { return None };
        let var = Var::List(self.referee.ruleset().schema.decks[deck.index()].list, 0);
        let Some(Held::In(joint)) = state.get(var) else { return None };
        let place = joint.vars.binary_search(&var).ok()?;
        let empty = joint.rows.iter().any(|row| self.names.list(row.0[place]).is_empty());
        empty.then_some(var)
    }

    /// Lays the table out as a state has it: what is certain lies open, the rest under the veil.
    fn lay_out(&mut self, reader: &mut SnapshotReader<'_>, state: &State) {
        self.table.renew();
        for _ in 0..reader.count() {
            let kind = KindId(reader.take() as u16);
            // It was set out before, so there is room for it.
            _ = self.table.under.add(kind, self.names.text(reader.take()));
        }
        self.reveal_all(state.iter());
        for _ in 0..reader.count() {
            let (kind, row) = (KindId(reader.take() as u16), reader.take() as u32);
            self.table.remove(kind, row);
        }
        self.table.laid_out();
    }

    /// Lays open what is certain among these; what is not stays veiled.
    fn reveal_all<'k>(&mut self, known: impl IntoIterator<Item = &'k (Var, Held)>) {
        for (var, held) in known {
            match held {
                Held::Sure(value) => self.reveal(*var, *value),
                Held::In(joint) => self.hide(*var, joint),
            }
        }
    }

    /// Hides what is not certain. Of a deck that no rule looks into, the number of cards can be seen if it is certain.
    fn hide(&mut self, var: Var, joint: &Joint) {
        let place = joint.vars.binary_search(&var).unwrap_or(0);
        let mut numbers = joint.rows.iter().map(|row| row.0[place]);
        if let Var::List(list, row) = var
            && self.closed.contains(&list)
            && self.alike.contains_key(&list)
            && let Some(first) = numbers.next()
            && numbers.all(|n| self.names.list(n).len() == self.names.list(first).len())
        {
            self.table.lift(var);
            self.table.stand_for(list, row, self.names.list(first));
            return;
        }
        self.table.veil(var);
    }

    /// Lays a value open on the table.
    fn reveal(&mut self, var: Var, value: i64) {
        self.table.lift(var);
        match var {
            Var::Cell(column, row) => self.table.under.set(column, row, value),
            Var::List(list, row) if value >= 0 => match self.names.whole(value) == value {
                true => self.table.under.set_list(list, row, self.names.list(value)),
                false => self.table.stand_for(list, row, self.names.list(value)),
            },
            _ => {}
        }
    }

    /// Returns where a run has come to and what it has changed; none if that cannot be followed.
    fn come_to(&mut self, machine: &Machine<'_>, result: Result<i64, Halt>) -> Option<Found> {
        let numbers = self.numbers();
        if let Some(list) = self.table.spoilt {
            // What is put to cards that stand for others must be known card by card.
            let groups = self.groups(list);
            let each: Alike = groups.concat().into_iter().map(|card| vec![card]).collect();
            self.told_apart |= each.len() > groups.len();
            self.alike.insert(list, each);
            return None;
        }
        let asked = self.table.asked();
        let Some(end) = end_of(result) else {
            let stop = match (asked, self.host.drawn.take()) {
                (Some(var), _) => Stop::Read(var),
                (None, Some(deck)) => Stop::Draw(deck),
                (None, None) => Stop::Chance(self.host.outcomes.take()?),
            };
            let changes = self.changes(false);
            let place = self.place(machine);
            self.work += place.1.len() as u64;
            return Some((Reached::Place(place, stop), changes, numbers));
        };
        if asked.is_some() {
            // It was read between two rules, where nothing stops.
            return None;
        }
        // What was refused or went wrong changes nothing.
        let changes = if end.is_ok() { self.changes(true) } else { Vec::new() };
        Some((Reached::End(end), changes, numbers))
    }

    /// Notes a way to where a run has come to.
    fn arrive(&mut self, (reached, changes, numbers): Found, mut way: Way) {
        for (line, number) in numbers {
            if way.has_said(line) {
                self.often.insert(line);
            }
            way.spoken.push(line);
            let place = self.numbers.entry((line, number)).or_default();
            *place = sum(std::mem::take(place), way.share.clone());
        }
        match reached {
            Reached::Place(place, stop) => {
                let (_, ways) = self.open.entry(place).or_insert_with(|| (stop, Vec::new()));
                add(ways, way.with(&changes, &mut self.work));
            }
            Reached::End(end) => {
                let way = match end {
                    Ok(()) => way.with(&changes, &mut self.work),
                    Err(_) => Way { from: Rc::default(), delta: Vec::new(), ..way },
                };
                match self.ends.iter_mut().find(|(known, _)| *known == end) {
                    Some((_, ways)) => add(ways, way),
                    None => self.ends.push((end, vec![way])),
                }
            }
        }
    }

    /// Returns the cards of a deck in groups that are alike as far as is known: all of them at first, unless some rule
    /// looks into the deck.
    fn groups(&mut self, list: ListId) -> Alike {
        let rules = self.referee.ruleset();
        let Some(deck) = rules.schema.decks.iter().find(|deck| deck.list == list) else {
            return Vec::new();
        };
        let kind = rules.schema.kind(deck.of);
        let cards = 0..(kind.rows.len() as u32).max(self.table.under.rows(deck.of));
        if !self.closed.contains(&list) {
            // The pieces that have been set out since are among them.
            return cards.map(|card| vec![card]).collect();
        }
        self.alike.entry(list).or_insert_with(|| vec![cards.collect()]).clone()
    }

    /// Notes groups of cards that are not alike.
    fn tell_apart(&mut self, list: ListId, parted: &[Vec<u32>]) {
        self.told_apart = true;
        let Some(groups) = self.alike.get_mut(&list) else { return };
        for part in parted {
            for group in std::mem::take(groups) {
                let (inside, outside): (Vec<u32>, Vec<u32>) =
                    group.into_iter().partition(|card| part.contains(card));
                groups.extend([inside, outside].into_iter().filter(|cards| !cards.is_empty()));
            }
        }
    }

    /// Returns everything that can be drawn from a deck: of cards that are alike how likely one of them is, and what is
    /// left then.
    fn draws(&mut self, list: ListId, groups: &Alike, state: &State) -> Option<Vec<Draw>> {
        let var = Var::List(list, 0);
        let before = match state.get(var)? {
            Held::Sure(number) => Joint::sure(var, *number),
            Held::In(joint) => Joint::clone(joint),
        };
        let schema = &self.referee.ruleset().schema;
        let kind = schema.decks.iter().find(|deck| deck.list == list)?.of;
        let place = before.vars.binary_search(&var).ok()?;
        let numbers: Vec<i64> = before.rows.iter().map(|row| row.0[place]).collect();
        let mut wholes: Vec<i64> = numbers.iter().map(|n| self.names.whole(*n)).collect();
        wholes.sort_unstable();
        wholes.dedup();
        let lengths: Vec<usize> = numbers.iter().map(|n| self.names.list(*n).len()).collect();
        if lengths.contains(&0) {
            // Nothing can be drawn then, see `may_be_empty`.
            return None;
        }
        let mut common = BigUint::from(1u32);
        for length in &lengths {
            common = common.lcm(&BigUint::from(*length));
        }
        let closed = self.closed.contains(&list);
        let mut draws = Vec::new();
        for whole in wholes {
            for group in groups {
                let mut cards: Vec<u32> = self.names.list(whole).to_vec();
                cards.retain(|card| group.contains(card));
                let one_of_many = cards.iter().any(|card| *card != cards[0]);
                let mut rows = Vec::new();
                for ((values, weight), length) in before.rows.iter().zip(&lengths) {
                    let number = values[place];
                    if self.names.whole(number) != whole {
                        continue;
                    }
                    let members = self.names.list(number).to_vec();
                    let cards = (0..members.len()).filter(|&n| group.contains(&members[n]));
                    let mut taken: Vec<(usize, usize)> = cards.map(|place| (place, 1)).collect();
                    if closed {
                        // The order of what is left matters to nobody.
                        taken =
                            taken.last().map(|last| (last.0, taken.len())).into_iter().collect();
                    }
                    let vague = one_of_many || whole != number;
                    for (card, count) in taken {
                        let mut left = members.clone();
                        left.remove(card);
                        let mut values = values.clone();
                        values[place] = self.names.list_number(&left, vague.then_some(whole));
                        rows.push((values, weight * &common * count / length));
                    }
                }
                self.work += (before.rows.len() * 16) as u64;
                if rows.is_empty() {
                    continue;
                }
                let weight = rows.iter().map(|row| &row.1).sum();
                let title = |&card: &u32| super::drawn(schema, &self.table.under, kind, card);
                let titles: Vec<String> = cards.iter().map(title).collect();
                let card = match one_of_many {
                    true => CARDS - self.names.cards.insert_full(titles).0 as i64,
                    false => self.names.number(&titles[0]),
                };
                cards.sort_unstable();
                cards.dedup();
                draws.push(Draw {
                    card,
                    cards,
                    left: lengths.iter().copied().max().unwrap_or(1),
                    known: apart(before.vars.clone(), rows, &mut self.work),
                    weight,
                    total: &before.total * &common,
                });
            }
        }
        Some(draws)
    }

    /// Returns the numbers that the run has said, with the numbers of the lines.
    pub(super) fn numbers(&mut self) -> Vec<(i64, i64)> {
        let said = std::mem::take(&mut self.host.numbers);
        said.into_iter().map(|(what, number)| (self.names.number(&what), number)).collect()
    }

    /// Returns what the run has changed, in order; at its end the pieces set out and taken off too.
    pub(super) fn changes(&mut self, ended: bool) -> Vec<(Var, i64)> {
        let mut changes = Vec::new();
        let words = self.host.words.take().map(|words| match words {
            LastWords::Text(text) => self.names.number(&text),
            LastWords::Taken(kind, row) => self.card.unwrap_or_else(|| {
                let schema = &self.referee.ruleset().schema;
                self.names.number(&super::drawn(schema, &self.table.under, kind, row))
            }),
        });
        changes.extend(words.map(|words| (Var::Words, words)));
        for var in self.table.changed() {
            let value = match var {
                Var::Cell(column, row) => self.table.under.get(column, row),
                Var::List(list, row) => {
                    self.names.list_number(self.table.under.list(list, row), None)
                }
                Var::Words | Var::Made(..) | Var::Removed(..) => continue,
            };
            changes.push((var, value));
        }
        if ended {
            let (made, removed) = self.table.pieces();
            for (kind, row) in made {
                let name = self.names.number(self.table.under.name(kind, row));
                changes.push((Var::Made(kind, row), name));
            }
            changes.extend(removed.into_iter().map(|(kind, row)| (Var::Removed(kind, row), 1)));
            changes.sort_unstable();
        }
        changes
    }

    /// The place at which a run has stopped.
    fn place(&mut self, machine: &Machine<'_>) -> Place {
        let (mut progress, mut place) = (Vec::new(), Vec::new());
        let (made, mut removed) = self.table.pieces();
        place.push(made.len() as i64);
        for (kind, row) in made {
            let name = self.names.number(self.table.under.name(kind, row));
            place.extend([i64::from(kind.0), name]);
        }
        removed.sort_unstable();
        place.push(removed.len() as i64);
        for (kind, row) in removed {
            place.extend([i64::from(kind.0), i64::from(row)]);
        }
        if let Some(onward) = self.onward {
            let known = self.onwards.iter().position(|known| *known == onward);
            place.extend([known.unwrap_or(self.onwards.len()) as i64, self.begun]);
            if known.is_none() {
                self.onwards.push(onward);
            }
            progress.push(self.begun);
        }
        machine.progress(&mut self.flow, &mut progress);
        machine.save(&mut self.flow, &mut place);
        (progress, place)
    }
}

/// Adds a way, or its share to one that is the same.
fn add(ways: &mut Vec<Way>, way: Way) {
    match ways.iter_mut().rev().take(8).find(|known| known.same(&way)) {
        Some(known) => known.share = sum(std::mem::take(&mut known.share), way.share),
        None => ways.push(way),
    }
}

/// Returns the decks of which rules only count the cards, besides drawing them. Pieces are not among them: one that is
/// taken off leaves the decks it is in.
fn closed_decks(rules: &Ruleset, flow: &mut LiveRegisters) -> Vec<ListId> {
    let cards = rules.schema.decks.iter().filter(|d| rules.schema.kind(d.of).role == Role::List);
    cards.map(|deck| deck.list).filter(|list| flow.only_counts(&rules.program, *list)).collect()
}
