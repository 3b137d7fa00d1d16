//! Plays a ruleset at random, and reports errors: rules that fail and phases that never end. On
//! request, it also reports rules and phases that no game reaches, and rules that give secrets
//! away. The same seed finds the same errors.

mod pairs;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use adjutant_dice::{Seed, SeededSource};
use indexmap::{IndexMap, IndexSet};

use super::examples;
use super::random::{random_below, random_between};
use crate::diagnostic::{Diagnostic, Fault, sort_by_span};
use crate::language::machine::{Halt, World};
use crate::language::rule::{RuleText, UsagePart};
use crate::language::schema::{AttributeStorage, Element, FunctionId, KindId, RuleId, Type};
use crate::referee::{Action, Event, Inputs, Outcome, Referee};
use crate::ruleset::{Example, Ruleset};
use crate::source::Span;
use crate::tabletop::Tabletop;
use pairs::{HiddenChange, NoticedDifference};

/// The usual length of a game: the number of lines played and phases begun.
pub const USUAL_LENGTH: u32 = 75;
/// The greatest length of a game. Longer games would need more streams of dice.
pub const MAX_LENGTH: u32 = 3000;
/// The number of made-up lines that may be refused in a row before the game moves on to the next
/// phase.
const TRIES_PER_PHASE: u32 = 10;
/// A phase that refuses `next` this many times, without a line that is accepted in between, counts
/// as endless.
const MAX_REFUSED_NEXTS: u32 = 40;
/// The number of dice streams reserved for a game. Each line that is tried takes one stream for its
/// dice. Two more are used to set up the game and to make up its lines.
const STREAMS_PER_GAME: u64 = 1 << 16;
/// The first of the dice streams that choose the pairs of tables for each line.
const STREAMS_OF_PAIRS: u64 = 1 << 63;

/// The number of pairs of tables on which a line is played to find out whether it gives a secret
/// away.
const PAIRS_PER_LINE: usize = 3;

/// The games to play, and the faults to look for.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// The number of games.
    pub games: u64,
    /// The number of lines played and phases begun in each game, at most [`MAX_LENGTH`].
    pub length: u32,
    /// The seed for all dice.
    pub seed: Seed,
    /// True to report the rules and phases that no game reached.
    pub reports_unreached: bool,
    /// True to also play each line on pairs of tables that differ only in secrets, and to report
    /// the differences that a side or a player notices.
    pub compares_secrets: bool,
}

/// The games played, and the faults found in them.
#[derive(Clone, Debug, Default)]
pub struct PlayReport {
    /// The number of games.
    pub games: u64,
    /// The number of lines that the rules accepted.
    pub lines: u64,
    /// Errors in rules, phases that never end, rules and phases that no game reached, and secrets
    /// given away.
    pub faults: Vec<Diagnostic>,
}

/// A typed line with its own stream of dice, so that its outcome stays the same when lines before
/// it are left out.
type SeededLine = (String, u64);

/// The beginning of a game: a scenario, or a worked example.
#[derive(Clone, Copy)]
struct GameStart<'r> {
    scenario: usize,
    stream: u64,
    example: Option<&'r Example>,
    /// True if an example was played with its own dice; otherwise its set-up and its lines are part
    /// of the game's lines.
    played: bool,
}

/// The identity of an error: its code, its span, and the name of the rule or phase. For an error of
/// the dice, the message replaces the name.
type FaultKey = (&'static str, Span, String);

/// The shortest game that shows an error.
struct ShortestGame<'r> {
    start: GameStart<'r>,
    lines: Vec<SeededLine>,
    message: String,
}

/// The shortest game in which a line gives a secret away.
struct ShortestLeak<'r> {
    start: GameStart<'r>,
    /// The lines before the one that gives the secret away.
    lines: Vec<SeededLine>,
    /// The line that gives the secret away.
    line: String,
    change: HiddenChange,
    noticed: NoticedDifference,
}

/// The result of one line.
enum LineResult {
    /// The line was played.
    Played(Outcome),
    /// The rules refused the line.
    Refused(String),
    /// The game cannot continue: an error was found.
    Broken,
}

/// A running game.
struct RandomGame {
    table: Tabletop,
    lines: Vec<SeededLine>,
    /// The number of times `next` was refused since the last line that was accepted.
    stuck: u32,
}

struct RandomPlayer<'r> {
    referee: Referee,
    ruleset: &'r Arc<Ruleset>,
    examples: examples::SharedWork,
    /// The number of calls of each rule.
    reached: Vec<u64>,
    /// True for each phase that a game reached.
    phases: Vec<bool>,
    /// For each rule, the last of its lines that was refused, with the reason.
    refused: IndexMap<usize, String>,
    found: BTreeMap<FaultKey, ShortestGame<'r>>,
    /// The leaks found, by the name of the rule or phase, and the name of the secret.
    leaks: BTreeMap<(String, String), ShortestLeak<'r>>,
    options: &'r PlayOptions,
    lines: u64,
}

/// Plays random games, unless the ruleset has no scenarios. Before each game, `go_on` receives the
/// number of games played so far, and returns true to continue.
pub fn play(
    ruleset: &Arc<Ruleset>,
    options: &PlayOptions,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> PlayReport {
    let mut player = RandomPlayer {
        referee: Referee::new(ruleset.clone()),
        ruleset,
        examples: examples::SharedWork::default(),
        reached: vec![0; ruleset.schema.rules.len()],
        phases: vec![false; ruleset.phases.len()],
        refused: IndexMap::new(),
        found: BTreeMap::new(),
        leaks: BTreeMap::new(),
        options,
        lines: 0,
    };
    let mut played = 0;
    while played < options.games && !ruleset.scenarios.is_empty() && go_on(played) {
        player.play_game(played);
        played += 1;
    }
    // A rule that failed was reached.
    let wrong: BTreeSet<String> = player.found.keys().map(|(.., rule)| rule.clone()).collect();
    let mut faults = player.shortened_faults();
    if options.reports_unreached {
        for (about, warning) in player.unreached(played) {
            let silenced = ruleset.allowed.iter().any(|a| a.silences(warning.code, &about));
            faults.extend((!silenced && !wrong.contains(&about)).then_some(warning));
        }
    }
    faults.extend(player.shortened_leaks());
    sort_by_span(&mut faults);
    PlayReport { games: played, lines: player.lines, faults }
}

impl<'r> RandomPlayer<'r> {
    fn inputs(&self, stream: u64) -> Inputs {
        Inputs { ask_random: true, ..Inputs::seeded(&self.options.seed, stream) }
    }

    /// Sets up a game; `None` if the set-up fails, or if the example that begins the game does not
    /// pass. If `report` is true, an error in the rules is recorded.
    fn begin(&mut self, start: GameStart<'r>, report: bool) -> Option<RandomGame> {
        let game = |table| RandomGame { table, lines: Vec::new(), stuck: 0 };
        if let Some(example) = start.example.filter(|_| start.played) {
            let table = examples::table_after(self.ruleset, example, &mut self.examples)?;
            for rule in std::mem::take(&mut self.examples.called) {
                self.reached[rule.index()] += 1;
            }
            return Some(game(table));
        }
        let scenario = &self.ruleset.scenarios[start.scenario];
        let mut table = match self.referee.set_up(scenario, &self.inputs(start.stream)) {
            Ok((table, set_up)) => {
                self.note_reached(&set_up);
                table
            }
            Err(halt) => {
                if let (true, Some((key, message))) = (report, fault_of_halt(&halt)) {
                    self.found.entry(key).or_insert(ShortestGame {
                        start,
                        lines: Vec::new(),
                        message,
                    });
                }
                return None;
            }
        };
        if let Some(phase) = start.example.and_then(|e| e.phase.as_ref()) {
            self.referee.put_into_phase(&mut table, phase);
        }
        Some(game(table))
    }

    fn play_game(&mut self, number: u64) {
        let all = &self.ruleset.examples;
        let stream = number * STREAMS_PER_GAME;
        let index = (number / 2) as usize;
        let example = (number % 2 == 1 && !all.is_empty()).then(|| &all[index % all.len()]);
        let scenarios = &self.ruleset.scenarios;
        let named = example.and_then(|e| scenarios.iter().position(|s| s.name == e.scenario));
        let scenario = named.unwrap_or(index % scenarios.len());
        // With its own dice, an example ends as intended; with other dice, the table at its end is
        // only similar.
        let played = example.is_some() && (index / all.len()).is_multiple_of(2);
        let mut start = GameStart { scenario, stream, example, played };
        let begun = self.begin(start, true).or_else(|| {
            start.played = false;
            self.begin(start, true).filter(|_| played)
        });
        let Some(mut game) = begun else { return };
        let mut dice = SeededSource::new(&self.options.seed, stream + 1);
        let mut next = stream + 2;
        let mut type_line = |player: &mut Self, on: &mut RandomGame, line: String| {
            next += 1;
            player.play_line(start, on, (line, next))
        };
        let options = self.option_lines(&mut dice, example.is_some());
        let example = example.filter(|_| !start.played);
        for line in options.into_iter().chain(example.into_iter().flat_map(lines_of)) {
            if let LineResult::Broken = type_line(self, &mut game, line) {
                return;
            }
        }
        let ends =
            |outcome: &Outcome| outcome.events.iter().any(|e| matches!(e, Event::Ended { .. }));
        for _ in 0..self.options.length.min(MAX_LENGTH) {
            let on = !self.ruleset.phases.is_empty() && random_below(&mut dice, 5) == 0;
            let mut accepted = on;
            for _ in 0..if on { 0 } else { TRIES_PER_PHASE } {
                let Some((rule, line)) = self.make_up_line(&game, &mut dice) else { break };
                match type_line(self, &mut game, line.clone()) {
                    LineResult::Broken => return,
                    LineResult::Played(outcome) => {
                        accepted = true;
                        if ends(&outcome) {
                            return;
                        }
                        break;
                    }
                    LineResult::Refused(reason) => {
                        self.refused.insert(rule.index(), format!("`{line}` is refused: {reason}"));
                    }
                }
            }
            if (on || !accepted) && !self.ruleset.phases.is_empty() {
                match type_line(self, &mut game, "next".to_owned()) {
                    LineResult::Played(outcome) if !ends(&outcome) => {}
                    LineResult::Refused(_) if game.stuck < MAX_REFUSED_NEXTS => {}
                    LineResult::Played(_) | LineResult::Refused(_) | LineResult::Broken => return,
                }
            }
        }
    }

    /// Returns lines that set some options at random, or no lines if the game begins with an
    /// example (`given`).
    fn option_lines(&self, dice: &mut SeededSource, given: bool) -> Vec<String> {
        let mut lines = Vec::new();
        for option in self.ruleset.options().iter().filter(|_| !given) {
            let value = match option.ty {
                _ if random_below(dice, 4) > 0 => continue,
                Type::Flag => ["on", "off"][random_below(dice, 2)].to_owned(),
                Type::Word(set) => {
                    let values = &self.ruleset.schema.word_set(set).values;
                    values[random_below(dice, values.len())].clone()
                }
                _ => continue,
            };
            lines.push(format!("option {} {value}", option.name));
        }
        lines
    }

    /// Plays a line, and records any error. The result is `Refused` if the rules refuse it, and
    /// `Broken` if the game can't continue.
    fn play_line(
        &mut self,
        start: GameStart<'r>,
        game: &mut RandomGame,
        typed: SeededLine,
    ) -> LineResult {
        if self.options.compares_secrets && self.referee.has_secrets() {
            self.compare_pairs(start, game, &typed);
        }
        match self.act(&mut game.table, &typed) {
            Ok(outcome) => {
                self.lines += 1;
                game.stuck = 0;
                game.lines.push(typed);
                self.note_reached(&outcome);
                LineResult::Played(outcome)
            }
            Err(halt) => {
                let (key, message) = match fault_of_halt(&halt) {
                    Some(fault) => fault,
                    None => {
                        let reason = halt.to_string();
                        if typed.0 != "next" {
                            return LineResult::Refused(reason);
                        }
                        game.stuck += 1;
                        if game.stuck < MAX_REFUSED_NEXTS {
                            return LineResult::Refused(reason);
                        }
                        let phase =
                            self.referee.phase_index(&game.table).map(|p| &self.ruleset.phases[p]);
                        let (name, span) = phase
                            .map_or((String::new(), Span::default()), |p| (p.name.clone(), p.span));
                        let message = format!("the phase `{name}` never ends: {reason}");
                        (("endless-phase", span, name), message)
                    }
                };
                let lines = game.lines.iter().cloned().chain([typed]).collect::<Vec<_>>();
                let shorter = self.found.get(&key).is_none_or(|f| f.lines.len() > lines.len());
                if shorter {
                    self.found.insert(key, ShortestGame { start, lines, message });
                }
                LineResult::Broken
            }
        }
    }

    /// Plays a line on pairs of tables that differ only in something that a viewer may not know,
    /// and remembers the differences that the viewer notices.
    fn compare_pairs(
        &mut self,
        start: GameStart<'r>,
        game: &RandomGame,
        (line, stream): &SeededLine,
    ) {
        let Some(action) = self.single_action(&game.table, line) else { return };
        let mut dice = SeededSource::new(&self.options.seed, STREAMS_OF_PAIRS + stream);
        for _ in 0..PAIRS_PER_LINE {
            let change = HiddenChange::pick(&self.referee, &game.table, &mut dice);
            let Some(change) = change else { continue };
            let noticed = change.find_difference(&self.referee, &game.table, &action);
            let Some(noticed) = noticed else { continue };
            let place = self.place_of_leak(&noticed, &action, &game.table);
            let key = (place, change.secret_name());
            let shorter =
                self.leaks.get(&key).is_none_or(|known| known.lines.len() > game.lines.len());
            if shorter {
                let lines = game.lines.clone();
                let line = line.clone();
                self.leaks.insert(key, ShortestLeak { start, lines, line, change, noticed });
            }
        }
    }

    /// Returns the action of a line; `None` unless the line has exactly one action and does not
    /// override a refusal.
    fn single_action(&self, table: &Tabletop, line: &str) -> Option<Action> {
        let actions = examples::read_actions(&self.referee, table, line).ok()?;
        let [(action, insist)] = <[_; 1]>::try_from(actions).ok()?;
        (!insist).then_some(action)
    }

    /// Returns the name of the rule or phase in which a difference was noticed. If it is unknown,
    /// returns the name of the rule that was called or, for any other action, of the current phase.
    fn place_of_leak(
        &self,
        noticed: &NoticedDifference,
        action: &Action,
        table: &Tabletop,
    ) -> String {
        match (&noticed.place, action) {
            (Some(place), _) => place.clone(),
            (None, Action::Rule { rule, .. }) => {
                self.ruleset.schema.rules[rule.index()].name.clone()
            }
            (None, _) => self.referee.phase_name(table).to_owned(),
        }
    }

    /// Plays lines from the start, and leaves out any that are refused. Returns the game; `None` if
    /// it can't begin, or after an error.
    fn replay(&mut self, start: GameStart<'r>, lines: &[SeededLine]) -> Option<RandomGame> {
        let mut game = self.begin(start, false)?;
        for line in lines {
            match self.act(&mut game.table, line) {
                Ok(_) => {}
                Err(halt) if fault_of_halt(&halt).is_some() => return None,
                Err(_) => {}
            }
        }
        Some(game)
    }

    /// Returns the leaks found, except leaks that the ruleset allows, each with only the lines that
    /// are needed to show it.
    fn shortened_leaks(&mut self) -> Vec<Diagnostic> {
        let mut faults = Vec::new();
        for ((place, secret), leak) in std::mem::take(&mut self.leaks) {
            let about = format!("{place}: {secret}");
            let mut allowed = self.ruleset.allowed.iter();
            if allowed.any(|a| a.silences("leak", &about) || a.silences("leak-at-play", &about)) {
                continue;
            }
            let leak = self.shorten_leak(&place, leak);
            let schema = &self.ruleset.schema;
            let rule = schema.rules.named(&place).map(|rule| rule.span);
            let phase = self.ruleset.phases.iter().find(|phase| phase.name == place);
            let span = rule.or_else(|| phase.map(|phase| phase.span));
            let message = format!(
                "`{place}` shows `{}` something about `{secret}`, which {}",
                leak.change.viewer(),
                schema.knowers(leak.change.secrecy(schema)),
            );
            let fault = match span {
                Some(span) => Diagnostic::error("leak-at-play", span, message),
                None => Diagnostic::without_span("leak-at-play", message),
            };
            faults.push(fault.help(self.describe_leak(&leak)));
        }
        faults
    }

    /// Returns a leak without the lines that aren't needed to show it.
    fn shorten_leak(&mut self, place: &str, leak: ShortestLeak<'r>) -> ShortestLeak<'r> {
        let ShortestLeak { start, lines, line, change, mut noticed } = leak;
        let lines = super::minimize(lines, |fewer| {
            let Some(game) = self.replay(start, fewer) else { return false };
            let Some(action) = self.single_action(&game.table, &line) else { return false };
            let found = change.find_difference(&self.referee, &game.table, &action);
            let found = found.filter(|f| self.place_of_leak(f, &action, &game.table) == place);
            let holds = found.is_some();
            if let Some(found) = found {
                noticed = found;
            }
            holds
        });
        ShortestLeak { start, lines, line, change, noticed }
    }

    /// Describes the game that shows a leak and, for each of the two cases that should look the
    /// same to the viewer, lists the lines seen only in that case.
    fn describe_leak(&mut self, leak: &ShortestLeak<'r>) -> String {
        let mut words = self.describe_start(leak.start);
        let Some(game) = self.describe_lines(leak.start, &leak.lines, &mut words) else {
            return words;
        };
        let action = self.single_action(&game.table, &leak.line);
        let faces = action.map(|action| leak.change.faces(&self.referee, &game.table, &action));
        words.push_str(&described_line(&leak.line, &faces.unwrap_or_default()));
        for (case, seen) in leak.change.cases(&game.table).iter().zip(&leak.noticed.noticed) {
            let seen = if seen.is_empty() { "nothing".to_owned() } else { seen.join(" / ") };
            words.push_str(&format!("\n{case}, `{}` notices: {seen}", leak.change.viewer()));
        }
        words
    }

    fn act(&self, table: &mut Tabletop, (line, stream): &SeededLine) -> Result<Outcome, Halt> {
        let actions = examples::read_actions(&self.referee, table, line)
            .map_err(|error| Halt::Refused(error.to_string()))?;
        let mut all = Outcome::default();
        for (action, insist) in actions {
            let inputs = Inputs { insist, ..self.inputs(*stream) };
            let outcome = self.referee.resolve(table, &action, &inputs)?;
            _ = outcome.apply(table);
            all.dice.extend(outcome.dice);
            all.events.extend(outcome.events);
        }
        Ok(all)
    }

    fn note_reached(&mut self, outcome: &Outcome) {
        for event in &outcome.events {
            match event {
                Event::Call { rule, .. } => {
                    let index = self.ruleset.schema.rules.index_of(rule);
                    index.into_iter().for_each(|index| self.reached[index] += 1);
                }
                Event::Phase { place: index, skipped: false, .. } => self.phases[*index] = true,
                _ => {}
            }
        }
    }

    /// Writes a line for a rule that can be used in the current phase. Of two rules picked at
    /// random, it uses the one that has been reached less often. Returns `None` if there is no such
    /// rule, or if nothing fits a parameter that the line must have.
    fn make_up_line(&self, game: &RandomGame, dice: &mut SeededSource) -> Option<(RuleId, String)> {
        let table = &game.table;
        let phase = self.referee.phase_index(table).map(|index| &self.ruleset.phases[index]);
        let now = self.referee.phase_name(table);
        let rules = &self.ruleset.schema.rules;
        let fits = |rule: &RuleText| {
            let offered = phase.is_some_and(|p| p.verbs.iter().any(|(v, _)| *v == rule.name));
            let bound = rule.phases.iter().any(|(p, _)| p == now);
            (rule.usage.is_some() && rule.phases.is_empty()) || bound || offered
        };
        let fitting: Vec<usize> = (0..rules.len()).filter(|&i| fits(&rules[i])).collect();
        let mut any = || fitting.get(random_below(dice, fitting.len())).copied();
        let a = any()?;
        let b = any()?;
        let chosen = if self.reached[a] <= self.reached[b] { a } else { b };
        let rule = &rules[chosen];
        let acts = rule.acting_piece().filter(|_| random_below(dice, 8) > 0);
        let side = self.referee.side_to_move(table);
        let may_act = |kind, row| {
            side.is_none()
                || self.referee.side_of_piece(table, kind, row).is_none_or(|s| Some(s) == side)
        };
        let mut writer =
            LineWriter { table, dice, chosen: IndexSet::new(), acts, may_act: &may_act };
        let mut words = vec![rule.verb().to_owned()];
        if let Some(usage) = &rule.usage {
            writer.write_parts(rule, &usage.parts, &mut words)?;
        }
        Some((RuleId::from_index(chosen), words.join(" ")))
    }

    /// Returns true if the lines reproduce the fault with this key.
    fn reproduces_fault(
        &mut self,
        start: GameStart<'r>,
        lines: &[SeededLine],
        key: &FaultKey,
    ) -> bool {
        let Some((last, before)) = lines.split_last() else { return false };
        // Lines that the longer game accepted may be refused here, so the phase must be compared,
        // too.
        let Some(mut game) = self.replay(start, before) else { return false };
        let phase = self.referee.phase_name(&game.table).to_owned();
        match self.act(&mut game.table, last) {
            Ok(_) => false,
            Err(halt) => match fault_of_halt(&halt) {
                Some((found, _)) => found == *key,
                None => key.0 == "endless-phase" && phase == key.2,
            },
        }
    }

    /// Plays lines from the start, and adds each line with its dice to `words`. Returns the game;
    /// `None` if it can't begin.
    fn describe_lines(
        &mut self,
        start: GameStart<'r>,
        lines: &[SeededLine],
        words: &mut String,
    ) -> Option<RandomGame> {
        let mut game = self.begin(start, false)?;
        for line in lines {
            let outcome = self.act(&mut game.table, line).unwrap_or_default();
            words.push_str(&described_line(&line.0, &outcome.faces().collect::<Vec<_>>()));
        }
        Some(game)
    }

    /// Describes the beginning of a game in words.
    fn describe_start(&self, start: GameStart<'r>) -> String {
        let scenario = &self.ruleset.scenarios[start.scenario].name;
        match start.example {
            Some(example) if start.played => {
                format!("in `{scenario}`, after the example “{}”", example.title)
            }
            Some(Example { phase: Some(phase), .. }) => {
                format!("in `{scenario}`, from the phase `{phase}`")
            }
            Some(_) | None => format!("in `{scenario}`"),
        }
    }

    /// Returns the faults found, each with only the lines that are needed to show it.
    fn shortened_faults(&mut self) -> Vec<Diagnostic> {
        let mut faults = Vec::new();
        for (key, ShortestGame { start, lines, message }) in std::mem::take(&mut self.found) {
            let lines = super::minimize(lines, |fewer| self.reproduces_fault(start, fewer, &key));
            let mut help = self.describe_start(start);
            self.describe_lines(start, &lines, &mut help);
            let (code, span, _) = key;
            let fault = if span == Span::default() {
                Diagnostic::without_span(code, message)
            } else {
                Diagnostic::error(code, span, message)
            };
            faults.push(fault.help(help));
        }
        faults
    }

    /// Returns a warning for each rule and phase that no game reached, with its name. Rules that
    /// are called only by the standing orders of a simulation are left out.
    fn unreached(&self, games: u64) -> Vec<(String, Diagnostic)> {
        let rules = &self.ruleset.schema.rules;
        let phases = &self.ruleset.phases;
        let calls = self.ruleset.rule_calls();
        let called_from = |roots: Vec<FunctionId>| -> IndexSet<RuleId> {
            let functions = self.ruleset.program.reachable_from(&roots);
            let from = calls.iter().filter(|(caller, _)| functions.contains(caller));
            from.map(|(_, rule)| *rule).collect()
        };
        let ordered = called_from(phases.iter().filter_map(|p| p.orders).collect());
        let typed = rules.iter().filter(|r| r.usage.is_some()).map(|r| r.function);
        let begun = phases.iter().flat_map(|p| [p.begin, p.end]).flatten();
        let played = called_from(typed.chain(begun).collect());
        let mut found = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            let id = RuleId::from_index(index);
            let only_ordered = rule.usage.is_none() && !played.contains(&id);
            if self.reached[index] > 0 || (only_ordered && ordered.contains(&id)) {
                continue;
            }
            let message = format!("in {games} games, the rule `{}` was never reached", rule.name);
            let warning = Diagnostic::warning("never-reached", rule.span, message);
            let why = self.refused.get(&index).cloned();
            let help = why.unwrap_or_else(|| "none of the lines played calls it".to_owned());
            found.push((rule.name.clone(), warning.help(help)));
        }
        for (index, phase) in phases.iter().enumerate() {
            if !self.phases[index] {
                let message =
                    format!("in {games} games, the phase `{}` was never reached", phase.name);
                let warning = Diagnostic::warning("never-reached", phase.span, message);
                found.push((phase.name.clone(), warning));
            }
        }
        found
    }
}

/// Returns a line feed, followed by a line of a game with the faces of its dice.
fn described_line(line: &str, faces: &[u32]) -> String {
    if faces.is_empty() {
        return format!("\n{line}");
    }
    let faces: Vec<String> = faces.iter().map(u32::to_string).collect();
    format!("\n{line}   # dice {}", faces.join(" "))
}

/// Returns the lines of an example, starting with its set-up.
fn lines_of(example: &Example) -> impl Iterator<Item = String> + '_ {
    let options = example.options.iter().map(|(name, value)| format!("option {name} {value}"));
    options.chain(example.set.iter().chain(&example.run).map(|(line, _)| line.clone()))
}

/// Returns the key and the message of an error in the rules or the dice; `None` if the line stopped
/// for another reason, such as a refusal.
fn fault_of_halt(halt: &Halt) -> Option<(FaultKey, String)> {
    match halt {
        Halt::Fault(error) => {
            let message = format!("`{}` failed: {}", error.rule, error.fault);
            Some((("fails-at-play", error.span, error.rule.clone()), message))
        }
        Halt::Dice(error) => {
            Some((("fails-at-play", Span::default(), error.to_string()), error.to_string()))
        }
        Halt::Refused(_)
        | Halt::Question(_)
        | Halt::NoSuchAnswer(_)
        | Halt::Ended(_)
        | Halt::Branch
        | Halt::Stopped => None,
    }
}

/// A writer that makes up the words after a verb.
struct LineWriter<'t> {
    table: &'t Tabletop,
    dice: &'t mut SeededSource,
    /// The pieces named so far, and the pieces to which they refer.
    chosen: IndexSet<(KindId, u32)>,
    /// The index of the parameter whose piece must satisfy `may_act`, if there is one.
    acts: Option<usize>,
    may_act: &'t dyn Fn(KindId, u32) -> bool,
}

impl LineWriter<'_> {
    /// Writes the parts of a usage, and omits some optional parts at random; `None` if nothing fits
    /// a required part.
    fn write_parts(
        &mut self,
        rule: &RuleText,
        parts: &[UsagePart],
        to: &mut Vec<String>,
    ) -> Option<()> {
        for part in parts {
            match part {
                UsagePart::Word(word) => to.push(word.clone()),
                UsagePart::Fill(param, _) => to.push(self.write_value(rule, *param)?),
                UsagePart::Flag(..) | UsagePart::Optional(_) if random_below(self.dice, 2) == 0 => {
                }
                UsagePart::Flag(word, _) => to.push(word.clone()),
                UsagePart::Optional(inner) => {
                    let before = to.len();
                    if self.write_parts(rule, inner, to).is_none() {
                        to.truncate(before);
                    }
                }
            }
        }
        Some(())
    }

    fn write_value(&mut self, rule: &RuleText, index: usize) -> Option<String> {
        let param = &rule.params[index];
        let acts = self.acts == Some(index);
        let schema = self.table.schema().clone();
        let word = |set| &schema.word_set(set).values;
        Some(match param.ty {
            Type::Whole => {
                let (low, high) = param.bounds.unwrap_or(match random_below(self.dice, 3) {
                    0 => (0, 30),
                    _ => (1, 6),
                });
                random_between(self.dice, low, high).to_string()
            }
            Type::Number => (random_below(self.dice, 24) + 1).to_string(),
            Type::Flag => ["yes", "no"][random_below(self.dice, 2)].to_owned(),
            Type::Text => "words".to_owned(),
            Type::Dice => format!("{}d6", random_below(self.dice, 3) + 1),
            Type::Word(set) => {
                let values = word(set);
                values.get(random_below(self.dice, values.len()))?.clone()
            }
            Type::Piece(kind) => self.pick_piece(kind, acts, &BTreeSet::new())?,
            Type::List(element) => {
                let mut names = BTreeSet::new();
                let mut list = Vec::new();
                for _ in 0..=random_below(self.dice, 3) {
                    let name = match element {
                        Element::Piece(kind) => self.pick_piece(kind, acts, &names),
                        Element::Word(set) => {
                            let values = word(set);
                            values.get(random_below(self.dice, values.len())).cloned()
                        }
                        Element::Whole | Element::Any => None,
                    };
                    let Some(name) = name.filter(|name| names.insert(name.clone())) else { break };
                    list.push(name);
                }
                (!list.is_empty()).then(|| list.join(" "))?
            }
            Type::Nothing | Type::Unknown => return None,
        })
    }

    /// Picks a piece and returns its name; `None` if no piece fits. The piece is usually related to
    /// the pieces already in the line.
    fn pick_piece(&mut self, kind: KindId, acts: bool, but: &BTreeSet<String>) -> Option<String> {
        let table = self.table;
        let fits = |row: &u32| {
            !but.contains(table.name(kind, *row)) && (!acts || (self.may_act)(kind, *row))
        };
        let all: Vec<u32> = table.present_pieces(kind).filter(fits).collect();
        let near: Vec<u32> = match random_below(self.dice, 4) {
            0 => Vec::new(),
            _ => {
                let is_near = |row: &&u32| {
                    let piece = (kind, **row);
                    self.chosen.contains(&piece)
                        || referenced_pieces(table, piece).iter().any(|p| self.chosen.contains(p))
                };
                all.iter().filter(is_near).copied().collect()
            }
        };
        let from = if near.is_empty() { &all } else { &near };
        let row = *from.get(random_below(self.dice, from.len()))?;
        self.chosen.insert((kind, row));
        for piece in referenced_pieces(table, (kind, row)) {
            self.chosen.insert(piece);
        }
        Some(table.name(kind, row).to_owned())
    }
}

/// Returns the pieces to which the stored attributes of a piece refer.
fn referenced_pieces(table: &Tabletop, (kind, row): (KindId, u32)) -> Vec<(KindId, u32)> {
    let mut found = Vec::new();
    for attribute in &table.schema().kind(kind).attributes {
        match (attribute.ty, attribute.storage) {
            (Type::Piece(of), AttributeStorage::Cell(column)) => {
                found.extend(u32::try_from(table.get(column, row)).ok().map(|row| (of, row)));
            }
            (Type::List(Element::Piece(of)), AttributeStorage::List(list)) => {
                found.extend(table.list(list, row).iter().map(|&row| (of, row)));
            }
            _ => {}
        }
    }
    found
}
