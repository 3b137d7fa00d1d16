//! Checks a journal of Adjutant by `docs/sessions.md` and `docs/fair-dice.md` alone: everything that needs no rules. It uses
//! nothing of the project, so that what both verifiers accept was understood twice.
//!
//! It checks the checksums and lengths of the lines, the seal, the players' words, every die, the order of the throws, the
//! numbers of commands and turns, the dice of cards that were drawn, and that each recorded change begins where the one
//! before it ended, through undo, redo and amendments. It doesn't know what the rules do with the dice.

mod dice;
mod shown;
mod table;

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use dice::{Key, faces, mix, plain};
use table::{Direction, Table};

/// What was checked.
#[derive(Debug, Default)]
pub struct Checked {
    /// The number of lines.
    pub lines: usize,
    /// The number of dice derived from the seed.
    pub dice: usize,
    /// The number of throws.
    pub throws: u64,
    /// The number of dice that were typed in; their faces are the displayed ones.
    pub shown_by_hand: usize,
    /// The number of cards, chits and pieces that were drawn by a die.
    pub drawn: usize,
    /// The number of changes whose old value was known and fits.
    pub linked_changes: usize,
    /// After each line, the turn and the running hash.
    pub hashes: Vec<(i64, [u8; 32])>,
}

/// A command as it was accepted or amended.
struct Command {
    number: u64,
    throw: Option<u64>,
    out: Value,
}

/// An amendment: the commands from one number on, as they were and as they are.
struct Amendment {
    number: u64,
    before: Vec<Rc<Command>>,
    now: Vec<Rc<Command>>,
}

/// A step that can be undone or redone.
enum Step {
    Command(Rc<Command>),
    Amendment(Amendment),
}

/// A game as far as it can be followed without rules.
struct Game {
    seed: [u8; 32],
    /// The keys, each with the first throw it counts for.
    keys: Vec<(u64, Key)>,
    next_throw: u64,
    next_number: u64,
    turn: i64,
    hash: [u8; 32],
    table: Table,
    standing: Vec<Rc<Command>>,
    done: Vec<Step>,
    undone: Vec<Step>,
    checked: Checked,
}

/// Checks a journal.
///
/// # Errors
/// The first line that doesn't fit, and why.
pub fn check(journal: &str) -> Result<Checked, String> {
    let mut sum = "adjutant journal".to_owned();
    let mut game: Option<Game> = None;
    if !journal.ends_with('\n') {
        return Err("the last line has no end".to_owned());
    }
    for (index, line) in journal.lines().enumerate() {
        let at_line = |why: String| format!("line {}: {why}", index + 1);
        let written = record(line, &mut sum).map_err(at_line)?;
        let line: Value = serde_json::from_str(line).map_err(|e| at_line(e.to_string()))?;
        let turn = line["turn"].as_i64().ok_or_else(|| at_line("no turn".to_owned()))?;
        if line["v"] != 3 || !line["at"].is_u64() {
            return Err(at_line("another form".to_owned()));
        }
        let what = &line["do"];
        // Of two keys of one name, one reader might see the first, and another the last.
        if what.to_string().len() != written.len() {
            return Err(at_line("a key twice, or not as a program writes it".to_owned()));
        }
        match &mut game {
            None => game = Some(Game::begin(what, &line["v"]).map_err(at_line)?),
            Some(game) => game.record(what, written).map_err(at_line)?,
        }
        let game = game.as_mut().ok_or_else(|| at_line("no beginning".to_owned()))?;
        game.turn = turn;
        game.checked.lines += 1;
        game.checked.hashes.push((turn, game.hash));
    }
    let game = game.ok_or("there is no line")?;
    Ok(Checked { throws: game.next_throw - 1, ..game.checked })
}

/// Returns the head that belongs to a turn and a running hash.
pub fn head((turn, mut hash): (i64, [u8; 32])) -> String {
    for _ in 0..65_536 {
        hash = sha(&[&hash]);
    }
    let bit = |n: usize| usize::from(hash[n / 8] >> (7 - n % 8) & 1);
    let letter = |n: usize| (0..5).fold(0, |value, i| value * 2 + bit(5 * n + i));
    let letters = (0..12).map(|n| char::from(b"0123456789abcdefghjkmnpqrstvwxyz"[letter(n)]));
    format!("{turn}:{}", letters.collect::<String>())
}

fn sha(parts: &[&[u8]]) -> [u8; 32] {
    Sha256::digest(parts.concat()).into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Checks the checksum and the length of a line, and returns its record byte by byte.
fn record<'l>(line: &'l str, sum: &mut String) -> Result<&'l str, String> {
    let rest = line.strip_prefix("{\"sum\":\"").ok_or("no checksum")?;
    let (told, rest) = rest.split_once("\",").ok_or("no checksum")?;
    *sum = hex(&sha(&[sum.as_bytes(), rest.as_bytes()])[..16]);
    if told != sum {
        return Err("its checksum doesn't fit".to_owned());
    }
    let (length, body) =
        rest.strip_prefix("\"len\":").and_then(|r| r.split_once(',')).ok_or("no length")?;
    if length.parse() != Ok(body.len()) {
        return Err("its length doesn't fit".to_owned());
    }
    let (_, record) = body.split_once(",\"do\":").ok_or("no record")?;
    record.strip_suffix('}').ok_or_else(|| "no end".to_owned())
}

/// Returns the sides and faces of the dice of an outcome, in order.
fn recorded_dice(out: &Value) -> Result<Vec<(u64, u64)>, String> {
    let mut recorded = Vec::new();
    for run in out["dice"].as_array().unwrap_or(&Vec::new()) {
        let sides = run[0].as_u64().filter(|sides| (1..=1 << 32).contains(sides));
        let sides = sides.ok_or("a die with an impossible number of sides")?;
        for face in run[1].as_array().ok_or("no faces")? {
            recorded.push((sides, face.as_u64().ok_or("no face")?));
        }
    }
    Ok(recorded)
}

impl Game {
    fn begin(what: &Value, form: &Value) -> Result<Game, String> {
        let start = what.get("start").ok_or("a session begins with `start`")?;
        let text = start["seed"].as_str().ok_or("no seed")?;
        let byte =
            |at: usize| text.get(at..at + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
        let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(byte).collect();
        let seed: [u8; 32] =
            bytes.and_then(|bytes| bytes.try_into().ok()).ok_or("the seed isn't 32 bytes")?;
        if start["seal"] != hex(&sha(&[&seed])) {
            return Err("the seal doesn't fit the seed".to_owned());
        }
        if start["seed_text"].as_str().is_some_and(|text| sha(&[text.as_bytes()]) != seed) {
            return Err("the seed doesn't fit its text".to_owned());
        }
        if start["recipe"] != 4 {
            return Err("another recipe".to_owned());
        }
        let files: Vec<Value> = start["files"]
            .as_array()
            .ok_or("no files")?
            .iter()
            .map(|file| json!([file["sha256"], file["scenario"]]))
            .collect();
        let all = json!([
            form,
            start["recipe"],
            start["seal"],
            start["seed_text"],
            start["scenario"],
            files,
            start["set_up"]
        ]);
        let blind = sha(&[b"adjutant blind", &seed]);
        let mut game = Game {
            seed,
            keys: vec![(0, seed)],
            next_throw: 1,
            next_number: 1,
            turn: 0,
            hash: sha(&[&blind, format!("adjutant head\n{all}").as_bytes()]),
            table: Table::default(),
            standing: Vec::new(),
            done: Vec::new(),
            undone: Vec::new(),
            checked: Checked::default(),
        };
        let set_up = &start["set_up"];
        game.check_dice(0, set_up, true)?;
        game.checked.linked_changes += game.table.apply(set_up, Direction::Forward)?;
        Ok(game)
    }

    /// Does what a record says.
    fn record(&mut self, what: &Value, written: &str) -> Result<(), String> {
        let record = what.as_object().filter(|all| all.len() == 1);
        let (name, content) = record.and_then(|all| all.iter().next()).ok_or("not one record")?;
        match name.as_str() {
            "command" => self.command(content)?,
            "undo" => self.steps(content, Game::undo)?,
            "redo" => self.steps(content, Game::redo)?,
            "amend" => self.amend(content)?,
            "words" => {
                let words = content.as_str().ok_or("no words")?;
                if plain(words) != words || words.is_empty() {
                    return Err("the words aren't in their plain form".to_owned());
                }
                let (_, key) = self.keys[self.keys.len() - 1];
                self.keys.push((self.next_throw, mix(&key, words)));
            }
            "reveal" if *content != hex(&self.seed) => {
                return Err("another seed is revealed".to_owned());
            }
            "reload" => {
                if content["from"] != self.next_number {
                    return Err("rules count from another command".to_owned());
                }
                self.table.read_rules_again();
            }
            "dice" | "players" | "report" | "ask-random" | "look" | "reveal" | "resume" => {}
            other => return Err(format!("there is no record `{other}`")),
        }
        let bound = if name == "resume" { "resume" } else { written };
        self.hash = sha(&[&self.hash, bound.as_bytes()]);
        Ok(())
    }

    /// Takes a new command in.
    fn command(&mut self, content: &Value) -> Result<(), String> {
        let command = self.read(content)?;
        if command.number != self.next_number {
            return Err(format!("command {} where {} should be", command.number, self.next_number));
        }
        if content["turn"] != self.turn {
            return Err("a command of another turn".to_owned());
        }
        let expected = self.throw_of(&command.out, None);
        self.take_throw(&command, expected, true)?;
        self.next_number += 1;
        self.checked.linked_changes += self.table.apply(&command.out, Direction::Forward)?;
        self.standing.push(command.clone());
        self.done.push(Step::Command(command));
        self.undone.clear();
        Ok(())
    }

    fn read(&self, content: &Value) -> Result<Rc<Command>, String> {
        let number = content["n"].as_u64().ok_or("a command has no number")?;
        Ok(Rc::new(Command {
            number,
            throw: content["throw"].as_u64(),
            out: content["out"].clone(),
        }))
    }

    /// Returns the throw that a command must have: that of the command it replaces, or the next if it has dice of the seed.
    fn throw_of(&self, out: &Value, old: Option<u64>) -> Option<u64> {
        let has_dice = out["dice"].as_array().is_some_and(|dice| !dice.is_empty());
        old.or((has_dice && out["by_hand"] != true).then_some(self.next_throw))
    }

    /// Checks the throw of a command, and its dice. The table before it is known if it `is_new`.
    fn take_throw(
        &mut self,
        command: &Command,
        expected: Option<u64>,
        is_new: bool,
    ) -> Result<(), String> {
        if command.throw != expected {
            return Err(format!("throw {:?} where {expected:?} should be", command.throw));
        }
        match command.throw {
            // A command that was amended may have the throw of dice that are typed in now.
            Some(throw) => {
                self.next_throw = self.next_throw.max(throw + 1);
                self.check_dice(throw, &command.out, is_new)?;
            }
            None => self.check_dice_by_hand(&command.out)?,
        }
        Ok(())
    }

    /// Checks that what is shown of dice that were typed in is what was typed.
    fn check_dice_by_hand(&mut self, out: &Value) -> Result<(), String> {
        let recorded = recorded_dice(out)?;
        if recorded.iter().any(|(sides, face)| face > sides || *face == 0) {
            return Err("a die has no such face".to_owned());
        }
        self.checked.shown_by_hand += recorded.len();
        table::check_events(out, &recorded, None).map(drop)
    }

    /// Derives the dice of a throw, and finds the die of each card that was drawn.
    fn check_dice(&mut self, throw: u64, out: &Value, is_new: bool) -> Result<(), String> {
        if out["by_hand"] == true {
            return self.check_dice_by_hand(out);
        }
        let recorded = recorded_dice(out)?;
        let (_, key) = self.keys.iter().rev().find(|(from, _)| *from <= throw).ok_or("no key")?;
        let sides: Vec<u64> = recorded.iter().map(|(sides, _)| *sides).collect();
        let told: Vec<u64> = recorded.iter().map(|(_, face)| *face).collect();
        let derived = faces(key, throw, &sides);
        if derived != told {
            return Err(format!("throw {throw}: {told:?} is recorded, {derived:?} follows"));
        }
        self.checked.dice += told.len();
        self.checked.drawn += table::check_events(out, &recorded, is_new.then_some(&self.table))?;
        Ok(())
    }

    fn steps(
        &mut self,
        content: &Value,
        step: fn(&mut Game, &str, u64) -> Result<(), String>,
    ) -> Result<(), String> {
        for name in content.as_array().ok_or("no steps")? {
            let (kind, number) =
                name.as_object().and_then(|all| all.iter().next()).ok_or("no step")?;
            step(self, kind, number.as_u64().ok_or("a step without a number")?)?;
        }
        Ok(())
    }

    fn undo(&mut self, kind: &str, number: u64) -> Result<(), String> {
        let wrong = || format!("{kind} {number} can't be undone here");
        if kind == "command" {
            let command = self.standing.pop().filter(|c| c.number == number).ok_or_else(wrong)?;
            self.checked.linked_changes += self.table.apply(&command.out, Direction::Backward)?;
            // Amendments made since go with the command.
            while let Some(step) = self.done.pop() {
                if matches!(step, Step::Command(done) if done.number == number) {
                    break;
                }
            }
            self.undone.push(Step::Command(command));
            return Ok(());
        }
        match self.done.pop() {
            Some(Step::Amendment(amendment)) if amendment.number == number => {
                self.exchange(&amendment.now, &amendment.before)?;
                self.undone.push(Step::Amendment(amendment));
                Ok(())
            }
            _ => Err(wrong()),
        }
    }

    fn redo(&mut self, kind: &str, number: u64) -> Result<(), String> {
        match self.undone.pop() {
            Some(Step::Command(command)) if kind == "command" && command.number == number => {
                self.checked.linked_changes +=
                    self.table.apply(&command.out, Direction::Forward)?;
                self.standing.push(command.clone());
                self.done.push(Step::Command(command));
            }
            Some(Step::Amendment(amendment))
                if kind == "amendment" && amendment.number == number =>
            {
                self.exchange(&amendment.before, &amendment.now)?;
                self.done.push(Step::Amendment(amendment));
            }
            _ => return Err(format!("{kind} {number} can't be redone here")),
        }
        Ok(())
    }

    /// Takes the last commands in force off the table, the last first, and puts others in their place.
    fn exchange(&mut self, off: &[Rc<Command>], on: &[Rc<Command>]) -> Result<(), String> {
        for command in off.iter().rev() {
            let last = self.standing.pop().filter(|last| Rc::ptr_eq(last, command));
            last.ok_or("what was amended is no longer in force")?;
            self.checked.linked_changes += self.table.apply(&command.out, Direction::Backward)?;
        }
        for command in on {
            self.checked.linked_changes += self.table.apply(&command.out, Direction::Forward)?;
            self.standing.push(command.clone());
        }
        Ok(())
    }

    fn amend(&mut self, content: &Value) -> Result<(), String> {
        let number = content["n"].as_u64().ok_or("no number")?;
        let from = self.standing.iter().position(|command| command.number == number);
        let before = self.standing[from.ok_or("nothing to amend")?..].to_vec();
        let mut new = BTreeMap::new();
        for command in content["now"].as_array().ok_or("no commands")? {
            let command = self.read(command)?;
            new.insert(command.number, command);
        }
        let none = Vec::new();
        let dropped = content["dropped"].as_array().unwrap_or(&none);
        let mut now = Vec::new();
        for old in &before {
            if dropped.contains(&old.number.into()) {
                continue;
            }
            match new.remove(&old.number) {
                Some(command) => {
                    let expected = self.throw_of(&command.out, old.throw);
                    self.take_throw(&command, expected, false)?;
                    now.push(command);
                }
                None => now.push(old.clone()),
            }
        }
        if !new.is_empty() {
            return Err("a command is amended that isn't in force".to_owned());
        }
        self.exchange(&before, &now)?;
        self.done.push(Step::Amendment(Amendment { number, before, now }));
        self.undone.clear();
        Ok(())
    }
}
