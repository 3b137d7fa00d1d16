//! Instructions that are not in the way of a sweep: lists, dice by number, lines, pieces, cards, questions.

use super::super::code::{Binding, FilterId, Op, Reg, Sweep, Telling};
use super::super::number::Number;
use super::super::schema::{ColumnId, DeckId, Element, KindId, ListId, STATE, Type};
use super::run::passes;
use super::{
    Answers, Bound, Halt, Host, Lot, MAX_MEMBERS, MAX_REPEATS, Machine, Question, Step, Table,
    Trouble, pack, shown, too_large, too_many_members, trouble, unpack,
};

impl<'p> Machine<'p> {
    /// What is not in the way of a sweep.
    pub(super) fn rare<T: Table, H: Host>(
        &mut self,
        op: Op,
        base: usize,
        table: &mut T,
        host: &mut H,
    ) -> Step {
        let value = |reg: Reg| self.registers[base + reg as usize];
        let (d, result) = match op {
            Op::SameList { d, a, b } => {
                let same = self.members(value(a)) == self.members(value(b));
                (d, i64::from(same))
            }
            Op::SetList { list, row, value } => {
                let row = self.row(base, row)?;
                let members = self.members(self.registers[base + value as usize]).to_vec();
                self.steps += members.len() as u64;
                for &member in &members {
                    self.may_join(list, member, table)?;
                }
                change_list(list, row, &members, table, host);
                return Ok(());
            }
            Op::ListAdd { list, row, value: member } => {
                Self::not_too_much(host)?;
                let row = self.row(base, row)?;
                let member = u32::try_from(value(member))
                    .map_err(|_| trouble("`none` cannot be added to a list"))?;
                let mut members = table.list(list, row).to_vec();
                if members.len() >= MAX_MEMBERS / 10 {
                    return Err(trouble("this list has grown too long"));
                }
                self.may_join(list, member, table)?;
                self.steps += members.len() as u64;
                members.push(member);
                change_list(list, row, &members, table, host);
                return Ok(());
            }
            Op::ListTake { list, row, value: member } => {
                let row = self.row(base, row)?;
                let member = value(member);
                let mut members = table.list(list, row).to_vec();
                self.steps += members.len() as u64;
                if let Some(i) = members.iter().position(|&m| i64::from(m) == member) {
                    members.remove(i);
                    change_list(list, row, &members, table, host);
                }
                return Ok(());
            }
            Op::InList { d, a, value: member } => {
                let member = value(member);
                let length = unpack(value(a)).1 as u64;
                let found = self.members(value(a)).iter().any(|&m| i64::from(m) == member);
                self.steps += length;
                (d, i64::from(found))
            }
            Op::Size { d, a } => (d, unpack(value(a)).1 as i64),
            Op::Nth { d, a, n, must } => {
                let members = self.members(value(a));
                let n = value(n);
                let place = if n < 0 { members.len() as i64 + n } else { n - 1 };
                let member = usize::try_from(place).ok().and_then(|p| members.get(p));
                if must && member.is_none() {
                    let size = members.len();
                    return Err(trouble(format!("place {n} of a list of {size} is asked for")));
                }
                (d, member.map_or(-1, |&m| i64::from(m)))
            }
            Op::Join { d, a, b } => {
                let (a, b) = (value(a), value(b));
                match (unpack(a).1, unpack(b).1) {
                    (_, 0) => (d, a),
                    (0, _) => (d, b),
                    _ => {
                        let members = [self.members(a), self.members(b)].concat();
                        (d, self.push_all(&members)?)
                    }
                }
            }
            Op::Tally { d, over, filter } => {
                let start = self.store.len();
                let found = unpack(self.gather(over, filter, base, table)?).1 as i64;
                self.store.truncate(start);
                let before = self.registers[base + d as usize];
                (d, before.checked_add(found).ok_or_else(too_large)?)
            }
            Op::Gather { d, over, filter } => (d, self.gather(over, filter, base, table)?),
            Op::Way { d, way } => (d, self.way(way as usize, base, table, host)?),
            Op::Plan { op, d, a, b } => {
                let (a, b) = (self.row(base, a)?, self.row(base, b)?);
                (d, self.plan(op, a, b, table))
            }
            Op::Text { d, template } => {
                let text = self.render(template, base, table)?;
                let text = table.intern(&text);
                (d, text.ok_or_else(|| trouble("this game has more text than can be kept"))?)
            }
            Op::RollDice { d, count, sides } => {
                let limit = |n: i64, max: u32, what: &str| {
                    u32::try_from(n)
                        .ok()
                        .filter(|n| *n <= max)
                        .ok_or_else(|| trouble(format!("{n} {what} cannot be rolled")))
                };
                let count = limit(value(count).max(0), crate::dice::MAX_DICE, "dice")?;
                let sides = limit(value(sides), crate::dice::MAX_SIDES, "sides")?;
                let total = if count == 0 { 0 } else { host.dice(count, sides)? };
                Self::not_too_much(host)?;
                (d, total)
            }
            Op::Modify { value, template, fraction } => {
                let by = self.as_number(base, value, fraction);
                if by != Number::ZERO {
                    let reason = self.render(template, base, table)?;
                    host.modifier(by, reason);
                }
                return Ok(());
            }
            Op::Need { operator, value, fraction } => {
                if host.reports() {
                    host.need(operator, self.as_number(base, value, fraction));
                }
                return Ok(());
            }
            Op::TurnBegins { bindings } => {
                if host.reports() {
                    host.turn_begins(&self.bound(bindings, base));
                }
                return Ok(());
            }
            Op::Bound { bindings } => {
                if host.reports() {
                    self.bound(bindings, base).into_iter().for_each(|bound| host.bound(bound));
                }
                return Ok(());
            }
            Op::Verdict { template } => {
                let words = self.render(template, base, table)?;
                host.verdict(words);
                return Ok(());
            }
            Op::CheckEnd { label } => {
                let label = self.render(label, base, table)?;
                host.check_ends(label);
                return Ok(());
            }
            Op::Tell { how, template } => {
                Self::not_too_much(host)?;
                let text = self.render(template, base, table)?;
                return match how {
                    Telling::Say => {
                        host.said(text);
                        Ok(())
                    }
                    Telling::Remind => {
                        host.reminded(text);
                        Ok(())
                    }
                    Telling::Refuse if host.refused(text.clone()) => Ok(()),
                    Telling::Refuse => Err(Halt::Refused(text).into()),
                };
            }
            Op::Make { d, kind, template } => {
                let name = match template {
                    u32::MAX => None,
                    t => Some(self.render(t, base, table)?),
                };
                let row = table.make(kind, name.as_deref()).map_err(Trouble::Message)?;
                host.made(kind, row, table.name(kind, row));
                (d, i64::from(row))
            }
            Op::Remove { kind, row } => {
                let row = self.row(base, row)?;
                self.take_off(kind, row, table, host);
                return Ok(());
            }
            Op::Empty { deck } => {
                let list = self.schema.decks[deck.index()].list;
                change_list(list, 0, &[], table, host);
                return Ok(());
            }
            Op::Shuffled { deck } => {
                let list = self.schema.decks[deck.index()].list;
                host.shuffled(deck, table.list(list, 0).len());
                return Ok(());
            }
            Op::Put { deck, count, value: member } => {
                return self.put(deck, value(count), value(member), table, host);
            }
            Op::Draw { d, deck } => (d, self.draw(deck, table, host)?),
            Op::Pick { d, a, kind } => {
                let members = self.members(value(a)).to_vec();
                if members.is_empty() {
                    (d, -1)
                } else {
                    let lot = Lot { kind, members: &members, deck: None };
                    let names = names_of(lot, table, host);
                    let place = host.lot(lot, &names)?;
                    host.taken(lot, place, &names);
                    (d, members.get(place).map_or(-1, |&m| i64::from(m)))
                }
            }
            Op::AskAmong { d, a, template, ty } => {
                let members = self.members(value(a)).to_vec();
                let text = self.render(template, base, table)?;
                if members.is_empty() {
                    return Err(trouble(format!("nothing can be the answer to \"{text}\"")));
                }
                let options = match host.reports() {
                    true => members
                        .iter()
                        .map(|&m| shown(self.schema, table, i64::from(m), ty))
                        .collect(),
                    false => Vec::new(),
                };
                let answers = Answers::Among(ty, members);
                (d, host.ask(Question { text, answers, options })?)
            }
            Op::AskBetween { d, low, high, template } => {
                let (low, high) = (value(low), value(high));
                let text = self.render(template, base, table)?;
                if low > high {
                    return Err(trouble(format!("nothing can be the answer to \"{text}\"")));
                }
                let answers = Answers::Between(low, high);
                (d, host.ask(Question { text, answers, options: Vec::new() })?)
            }
            Op::AskFlag { d, template } => {
                let text = self.render(template, base, table)?;
                let answers = Answers::Flag;
                (d, host.ask(Question { text, answers, options: Vec::new() })?)
            }
            Op::NoMember => return Err(trouble("there is nothing to choose from")),
            Op::Within { a, limits, fraction } => {
                let limits = &self.program.limits[usize::from(limits)];
                let (value, name) = (self.as_number(base, a, fraction), &limits.name);
                let bound = |n: i64| match fraction {
                    true => Number::from_bits(n),
                    false => Number::whole(n).unwrap_or(Number::ZERO),
                };
                let (low, high) = (bound(limits.low), bound(limits.high));
                if value < low || value > high {
                    let message = format!("`{name}` would be {value}, but is from {low} to {high}");
                    return Err(trouble(message));
                }
                return Ok(());
            }
            Op::NoRow { total } => {
                let total = value(total);
                return Err(trouble(format!("no row of the table has the total {total}")));
            }
            Op::Repeats { a } if value(a) > MAX_REPEATS => {
                let n = value(a);
                return Err(trouble(format!("{n} times is more often than {MAX_REPEATS}")));
            }
            _ => return Ok(()),
        };
        self.registers[base + d as usize] = result;
        Ok(())
    }

    /// Names of the program with the values they stand for now.
    fn bound(&self, bindings: u16, base: usize) -> Vec<Bound<'p>> {
        let bindings = self.program.bindings.get(usize::from(bindings)).into_iter().flatten();
        let bound = |binding: &'p Binding| {
            let value = self.registers[base + usize::from(binding.reg)];
            Bound { name: &binding.name, ty: binding.ty, value }
        };
        bindings.map(bound).collect()
    }

    /// All that is swept over and passes, as a list at the end of the store.
    fn gather<T: Table>(
        &mut self,
        over: Sweep,
        filter: FilterId,
        base: usize,
        table: &T,
    ) -> Result<i64, Trouble> {
        let start = self.store.len();
        let mut from = 0;
        match over {
            Sweep::Pieces(kind) => {
                while let Some(row) = table.next_piece(kind, from) {
                    from = row + 1;
                    if passes(&self.program.filters, filter, row, table) {
                        self.push(i64::from(row))?;
                    }
                }
            }
            Sweep::Marked(column) => {
                let filters = &self.program.filters;
                let mut fits = true;
                table.each_marked(column, |row| {
                    from += 1;
                    if passes(filters, filter, row, table) {
                        self.store.push(row);
                        fits = self.store.len() <= MAX_MEMBERS;
                    }
                    fits
                });
                if !fits {
                    return Err(too_many_members());
                }
            }
            Sweep::Of(list, row) => {
                for &member in table.list(list, self.row(base, row)?) {
                    if passes(&self.program.filters, filter, member, table) {
                        self.push(i64::from(member))?;
                    }
                }
                from = (self.store.len() - start) as u32;
            }
            Sweep::In(list) => {
                let (first, length) = unpack(self.registers[base + usize::from(list)]);
                for place in first..first + length {
                    let Some(&member) = self.store.get(place) else { break };
                    if passes(&self.program.filters, filter, member, table) {
                        self.push(i64::from(member))?;
                    }
                }
                from = length as u32;
            }
        }
        self.steps += u64::from(from);
        self.tick()?;
        Ok(pack(start, self.store.len() - start))
    }

    /// A list of pieces takes none that has been taken off.
    fn may_join<T: Table>(&self, list: ListId, member: u32, table: &T) -> Step {
        let (of, attribute) = self.schema.lists[list.index()];
        match self.schema.kind(of).attributes.get(attribute).map(|a| a.ty) {
            Some(Type::List(Element::Piece(kind))) => {
                self.still_there(kind, i64::from(member), table)
            }
            _ => Ok(()),
        }
    }

    /// Takes a piece off the table.
    pub fn take_off<T: Table, H: Host>(
        &mut self,
        kind: KindId,
        row: u32,
        table: &mut T,
        host: &mut H,
    ) {
        if table.is_there(kind, row) {
            self.forget(kind, row, table, host);
            table.remove(kind, row);
            host.removed(kind, row);
        }
    }

    /// Nothing points to a piece that is taken off: references become `none`, and lists let it go.
    fn forget<T: Table, H: Host>(&mut self, kind: KindId, gone: u32, table: &mut T, host: &mut H) {
        for (index, &(of, attribute)) in self.schema.columns.iter().enumerate() {
            if self.schema.kind(of).attributes[attribute].ty != Type::Piece(kind) {
                continue;
            }
            let column = ColumnId::from_index(index);
            let mut from = 0;
            self.steps += 1;
            while let Some(row) = table.next_piece(of, from) {
                from = row + 1;
                self.steps += 1;
                if table.get(column, row) == i64::from(gone) {
                    table.set(column, row, -1);
                    host.cell_changed(column, row, i64::from(gone), -1);
                }
            }
        }
        let decks = self.schema.decks.iter().map(|d| (d.list, STATE, d.of));
        let lists =
            self.schema.lists.iter().enumerate().filter_map(|(index, &(of, attribute))| match self
                .schema
                .kind(of)
                .attributes
                .get(attribute)?
                .ty
            {
                Type::List(Element::Piece(k)) => Some((ListId::from_index(index), of, k)),
                _ => None,
            });
        for (list, of, _) in decks.chain(lists).filter(|&(_, _, k)| k == kind) {
            let mut from = 0;
            while let Some(row) = table.next_piece(of, from) {
                from = row + 1;
                self.steps += 1 + table.list(list, row).len() as u64;
                if table.list(list, row).contains(&gone) {
                    let kept: Vec<u32> =
                        table.list(list, row).iter().copied().filter(|&m| m != gone).collect();
                    change_list(list, row, &kept, table, host);
                }
            }
        }
    }

    fn put<T: Table, H: Host>(
        &mut self,
        deck: DeckId,
        count: i64,
        member: i64,
        table: &mut T,
        host: &mut H,
    ) -> Step {
        Self::not_too_much(host)?;
        let list = self.schema.decks[deck.index()].list;
        let member =
            u32::try_from(member).map_err(|_| trouble("`none` cannot be put into a deck"))?;
        if count > MAX_REPEATS {
            return Err(trouble(format!("{count} times is more often than {MAX_REPEATS}")));
        }
        self.still_there(self.schema.decks[deck.index()].of, i64::from(member), table)?;
        let mut members = table.list(list, 0).to_vec();
        self.steps += members.len() as u64;
        members.extend(std::iter::repeat_n(member, usize::try_from(count).unwrap_or(0)));
        if members.len() > MAX_MEMBERS / 10 {
            return Err(trouble("this deck has grown too large"));
        }
        change_list(list, 0, &members, table, host);
        Ok(())
    }

    fn draw<T: Table, H: Host>(
        &mut self,
        deck: DeckId,
        table: &mut T,
        host: &mut H,
    ) -> Result<i64, Trouble> {
        Self::not_too_much(host)?;
        let of = &self.schema.decks[deck.index()];
        let mut members = table.list(of.list, 0).to_vec();
        if members.is_empty() {
            return Ok(-1);
        }
        let lot = Lot { kind: of.of, members: &members, deck: Some(deck) };
        let names = names_of(lot, table, host);
        let place = host.lot(lot, &names)?;
        host.taken(lot, place, &names);
        let drawn = members.get(place).copied();
        if place < members.len() {
            members.remove(place);
        }
        change_list(of.list, 0, &members, table, host);
        Ok(drawn.map_or(-1, i64::from))
    }
}

/// The names of what can come, where they are wanted.
fn names_of<T: Table, H: Host>(lot: Lot<'_>, table: &T, host: &H) -> Vec<String> {
    match host.reports() {
        true => lot.members.iter().map(|&m| table.name(lot.kind, m).to_owned()).collect(),
        false => Vec::new(),
    }
}

fn change_list<T: Table, H: Host>(
    list: ListId,
    row: u32,
    members: &[u32],
    table: &mut T,
    host: &mut H,
) {
    let old = table.list(list, row);
    if old != members {
        host.list_changed(list, row, old, members);
        table.set_list(list, row, members);
    }
}
