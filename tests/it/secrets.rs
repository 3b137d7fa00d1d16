//! What a side may not know cannot be told from anything it is shown.
//!
//! Two games are played that differ only in what red may not know: where blue lays its mines and what it plots, the
//! orders it writes, dice thrown in secret, how often any of it is taken back. Everything red is shown must be the same,
//! byte for byte. Planted leaks, each a page that forgets one part of the filter, show that the property would notice.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use adjutant::console::pipe;
use adjutant_dice::Seed;
use adjutant_engine::referee::{Player, Referee, Viewer};

use adjutant::shipped;
use adjutant_engine::render::report::{Report, ReportFormat};
#[cfg(feature = "screen")]
use adjutant_engine::render::screen::{Layout, Story};
use adjutant_engine::render::transcript::{Format, transcript};
use adjutant_engine::ruleset::{self, FileText};
use adjutant_engine::session::{Beginning, Session};

use crate::kit::{Table, file};

/// Numbers from a seed, the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// A game of some kind of secrets, with lines that all see and lines that red may not know of.
struct MadeUp {
    rules: String,
    units_hidden: bool,
    nerve_hidden: bool,
    orders_read: bool,
}

const AREAS: [&str; 6] = ["a1", "b1", "c1", "a2", "b2", "c2"];

fn made_up(numbers: &mut Numbers) -> MadeUp {
    let units = numbers.one(&["", "secret = true", "seen_by = 'viewer = self.side or self.seen'"]);
    let nerve = numbers.one(&[
        "",
        ", secret = true",
        ", seen_by = 'viewer = self.side'",
        ", seen_by = 'viewer = self.side and self.men > 0'",
    ]);
    let marker = numbers.one(&["", "marker = \"stand\""]);
    let plot = numbers.one(&["seen_by = 'viewer = unit.side'", "secret = true"]);
    let reads = numbers.one(&["true", "false"]);
    let armies = numbers.one(&[r#""red", "blue""#, r#""none", "red", "blue", "green""#]);
    let sides = numbers.one(&["words", "kind"]);
    let (declared, one_of, rows) = match sides {
        "words" => (format!("[words.army]\nvalues = [{armies}]"), "one_of", ""),
        _ => (
            "[kind.army]\nplural = \"armies\"".to_owned(),
            "of",
            "pieces.army = { red = {}, blue = {} }",
        ),
    };
    // What the scenario sets out may differ, too.
    let (mine, start) = (numbers.one(&AREAS), numbers.below(9));
    let goal = numbers.one(&AREAS);
    let start = if nerve.is_empty() { 3 } else { start };
    let rules = format!(
        r##"
[game]
title = "Made up"

{declared}

[sides]
are = "army"

[kind.area]
plan  = true
mined = {{ flag = true, marker = "tape", secret = true }}

[kind.unit]
prefix = "u"
{marker}
{units}
side   = {{ {one_of} = "army" }}
at     = {{ of = "area", marker = "stand" }}
seen   = {{ flag = true, bookkeeping = true }}
men    = {{ from = 0, to = 20, start = 9, marker = "die" }}
nerve  = {{ from = 0, to = 9, start = 3, marker = "chit"{nerve} }}
goal   = {{ of = "area", seen_by = 'viewer = self.side' }}
eyes   = {{ of = "unit", marker = "looks" }}
band   = {{ of = "unit", many = true }}
steady = {{ is = 'self.nerve >= 4' }}
near   = {{ is = 'count u in units: u.at = self.at' }}

[kind.mine]
secret = true
marker = "mine"
side   = {{ {one_of} = "army" }}
at     = {{ of = "area" }}

[rule.shift]
usage = "shift <unit:unit> <area:area>"
after = 'unit.at = area; say "{{unit}} goes to {{area}}"'

[rule.drill]
usage = "drill <unit:unit>"
roll  = '1d6'
label = "{{unit}}"
needs = '>= 4'
pass  = 'unit.nerve += 1'

[rule.plot]
usage = "plot <unit:unit> <area:area>"
{plot}
after = 'unit.goal = area; say "{{unit}} is to go to {{area}}"'

[rule.spy]
usage  = "spy <unit:unit>"
secret = true
roll   = '2d6'
label  = "{{unit}} spies"
needs  = '>= 7'

[rule.lay]
usage = "lay <unit:unit> <area:area>"
seen_by = 'viewer = unit.side'
after = 'let m = make mine {{ at = area, side = unit.side }}; say "{{unit}} lays {{m}}"'

[rule.listen]
usage  = "listen <unit:unit>"
secret = "umpire"
after  = 'say "{{unit}} hears bells" to unit.side; say "{{unit}} sleeps" to umpire'

[rule.scouts]
each    = 'u in units'
seen_by = 'viewer = u.side'
after   = 'say "{{u}} looks about"; u.men -= 1; u.men += 1'

[rule.muster]
usage = "muster <unit:unit>"
after = 'say "{{unit}} musters"; each u in units {{ say "{{u.nerve}} left" to u.side }}'

[rule.watch]
usage = "watch <unit:unit> <others:unit+>"
after = 'each o in others {{ unit.eyes = o; add o to unit.band; say "{{unit}} watches {{o}}" }}'

[rule.rally]
each  = 'u in units'
after = 'u.men += 1; say "{{u}} rallies"'

[[phase]]
name = "plots"

[[phase]]
name = "march"
reveal_orders = {reads}
do   = 'rally()'

[measure.men]
is = 'sum u in units: u.men'

[measure.nerve]
is = 'sum u in units: u.nerve'

[scenario.one]
{rows}
[[scenario.one.level]]
plan = """
###
###
"""
[scenario.one.legend]
"#" = {{}}
[scenario.one.pieces.unit]
rex1 = {{ side = "red", at = "a1" }}
rex2 = {{ side = "red", at = "b1" }}
rex3 = {{ side = "red", at = "c1" }}
bob1 = {{ side = "blue", at = "a2" }}
bob2 = {{ side = "blue", at = "b2", nerve = {start}, goal = "{goal}" }}
bob3 = {{ side = "blue", at = "c2" }}
[scenario.one.pieces.mine]
charge = {{ side = "blue", at = "{mine}" }}
"##
    );
    MadeUp {
        rules,
        units_hidden: !units.is_empty(),
        nerve_hidden: !nerve.is_empty(),
        orders_read: reads == "true",
    }
}

impl MadeUp {
    /// A line that red sees, and that says nothing of what it may not know.
    fn open(&self, numbers: &mut Numbers) -> String {
        let (unit, area) = (numbers.one(&["rex2", "rex3"]), numbers.one(&AREAS));
        match numbers.below(13) {
            0 | 1 => "next".to_owned(),
            9 => "scouts".to_owned(),
            10 => format!("listen {unit}"),
            11 => format!("muster {unit}"),
            2 => format!("shift {unit} {area}"),
            3 => format!("drill {unit}"),
            4 => format!("plot {unit} {area}"),
            5 => format!("orders red: {area} next"),
            6 => "roll 2d6".to_owned(),
            7 => format!("watch {unit} rex2 rex3"),
            8 => format!("set {unit}.men {}", numbers.below(20)),
            // What it sets out itself is named by the machine, whatever else there is.
            _ => match area {
                "a1" | "a2" => format!("lay {unit} {area}"),
                "b1" => format!("add mine at={area} side=red"),
                "b2" => format!("add unit at={area} side=red"),
                _ => "note the wind rises".to_owned(),
            },
        }
    }

    /// A line that red may not know of, in which no dice fall.
    fn secret(&self, numbers: &mut Numbers) -> String {
        let (unit, area) = (numbers.one(&["bob2", "bob3"]), numbers.one(&AREAS));
        match numbers.below(if self.units_hidden { 14 } else { 9 }) {
            0 if self.nerve_hidden => format!("set {unit}.nerve {}", numbers.below(9)),
            // What is read out in the next phase is known to all from then on.
            0 | 1 if !self.orders_read => format!("orders blue: {unit} to {area}"),
            2 => format!("plot {unit} {area} !"),
            3 => format!("set {area}.mined {}", numbers.one(&["yes", "no"])),
            4 => format!("add mine at={area} side=blue"),
            5 => "remove charge".to_owned(),
            0 | 1 | 6 => format!("set {unit}.goal {area}"),
            7 => "undo".to_owned(),
            8 => format!("listen {unit}"),
            9 | 10 => format!("shift {unit} {area}"),
            11 => format!("watch {unit} bob2 bob3 rex1"),
            12 => format!("set rex1.eyes {unit}"),
            _ if area == "a1" => format!("add unit at={area} side=blue"),
            _ if area == "b1" => format!("lay {unit} {area}"),
            _ => format!("set {unit}.men {}", numbers.below(20)),
        }
    }

    /// A line that red may not know of, in which dice fall once.
    fn throw(&self, numbers: &mut Numbers) -> String {
        numbers.one(&["spy bob2", "spy bob3", "roll secret 2d6", "roll secret 5d10"]).to_owned()
    }
}

fn begin(files: &[FileText], rules: &Arc<ruleset::Ruleset>, scenario: usize, seed: &str) -> Table {
    let beginning = Beginning {
        game: "made-up",
        files,
        shipped: shipped::files,
        scenario: &rules.scenarios[scenario],
        seed: Seed::from_text(seed),
        seed_text: None,
        at: 0,
    };
    Table::with(Session::begin(Referee::new(rules.clone()), beginning).unwrap().0)
}

/// Types a line into one of the games; `undo` takes back the last of its own lines.
fn whisper(table: &mut Table, lines: &mut Vec<u64>, line: &str) {
    if line == "undo" {
        if let Some(number) = lines.pop() {
            table.types(&format!("undo to {}", number - 1));
        }
        return;
    }
    let number = table.session().next_number();
    let refused = table.feed(line);
    // A mine that was taken off is not there any more.
    assert!(refused.is_none() || line.starts_with("remove"), "{line}: {refused:?}");
    lines.extend(refused.is_none().then_some(number));
}

/// Two made-up games that differ in what red may not know.
fn twins(case: u64) -> [Table; 2] {
    watched(case, &mut |_, _| {})
}

/// As [`twins`], with a look at each game after each of its lines.
fn watched(case: u64, look: &mut dyn FnMut(usize, &Table)) -> [Table; 2] {
    let kind = case / 7 + 1;
    let mut tables = [0, 1].map(|which| {
        // The kind of game is the same; what is set out in secret is not.
        let mut numbers = Numbers(kind);
        let mut game = made_up(&mut numbers);
        if which == 1 {
            let mut again = Numbers(kind);
            let other = made_up(&mut again);
            game.rules = other
                .rules
                .lines()
                .map(|line| {
                    if line.starts_with("charge") {
                        format!(
                            "charge = {{ side = \"blue\", at = \"{}\" }}",
                            AREAS[(case % 6) as usize]
                        )
                    } else {
                        line.to_owned()
                    }
                })
                .collect::<Vec<_>>()
                .join("\n");
        }
        let files = vec![file("made-up.toml", game.rules.clone())];
        let rules = ruleset::load(files.clone())
            .unwrap_or_else(|f| panic!("{:?}\n{}", f.faults, game.rules));
        (begin(&files, &Arc::new(rules), 0, "candle"), game)
    });
    for (which, (table, _)) in tables.iter().enumerate() {
        look(which, table);
    }
    let mut open = Numbers(case.wrapping_mul(31));
    let mut hidden = [Numbers(case.wrapping_mul(17)), Numbers(case.wrapping_mul(13) + 5)];
    for step in 0..8 {
        let throws = open.below(4) == 0;
        let mut own = [Vec::new(), Vec::new()];
        for (which, (table, game)) in tables.iter_mut().enumerate() {
            let numbers = &mut hidden[which];
            for _ in 0..numbers.below(4) {
                let line = game.secret(numbers);
                whisper(table, &mut own[which], &line);
                look(which, table);
            }
            if throws {
                whisper(table, &mut own[which], &game.throw(numbers));
                look(which, table);
            }
        }
        let line = tables[0].1.open(&mut open);
        let takes_back = open.below(6) == 0 && !throws;
        for (which, (table, game)) in tables.iter_mut().enumerate() {
            let number = table.session().next_number();
            table.types(&line);
            look(which, table);
            // What follows is taken back with it.
            whisper(table, &mut Vec::new(), &game.secret(&mut hidden[which]));
            look(which, table);
            if takes_back {
                table.types(&format!("undo to {}", number - 1));
                look(which, table);
            }
        }
        if step == 5 && tables[0].1.units_hidden {
            for (which, (table, _)) in tables.iter_mut().enumerate() {
                // What is opened is the same in both.
                table.types("reveal bob1");
                look(which, table);
                table.types("shift bob1 c2");
                look(which, table);
            }
        }
    }
    tables.map(|(table, _)| table)
}

/// Everything that a viewer is shown.
fn pages(table: &mut Table, viewer: &Viewer) -> String {
    let session = table.session();
    // Each format in turn.
    let formats = Format::all();
    let format = formats[session.referee().turn_number(session.table()) as usize % formats.len()];
    let mut shown = transcript(session, format, viewer).unwrap();
    let report = Report::of(session, viewer).unwrap();
    ReportFormat::ALL.into_iter().for_each(|format| shown.push_str(&report.print(format)));
    let plan = table.session().referee().ruleset().schema.plan_kind().is_some();
    let mut lines = format!("show as {viewer}\nshow all as {viewer}\nlog as {viewer}\n");
    if plan {
        lines += &format!("map as {viewer}\n");
    }
    shown += table.types(&lines);
    #[cfg(feature = "screen")]
    shown.push_str(&on_screen(table, viewer));
    let mut out = Vec::new();
    pipe::run_json(&mut table.game, lines.as_bytes(), &mut out);
    let data: serde_json::Value = serde_json::from_slice(&out).unwrap();
    shown + &data["replies"].to_string()
}

/// The pages of the players' screen.
#[cfg(feature = "screen")]
fn on_screen(table: &Table, viewer: &Viewer) -> String {
    let mut story = Story::new(table.session(), viewer).unwrap();
    let pages =
        |story: &Story| Layout::ALL.map(|(layout, ..)| story.page(layout, "/", "", ("", "")));
    let open = pages(&story).concat();
    story.set_held(story.pages_to_hold());
    open + &pages(&story).concat()
}

/// The messages that a viewer's page was sent in each of two games: one whenever it holds something else than before.
#[cfg(feature = "screen")]
fn messages(case: u64, viewer: &Viewer) -> [Vec<String>; 2] {
    let mut sent: [(Option<Story>, usize, Vec<String>); 2] = Default::default();
    watched(case, &mut |which, table| {
        let (story, looks, sent) = &mut sent[which];
        let session = table.session();
        let story = story.get_or_insert_with(|| Story::new(session, viewer).unwrap());
        story.update(session).unwrap();
        *looks += 1;
        let now = format!("{:?}", story.sections(Layout::All));
        if sent.last() != Some(&now) {
            sent.push(now);
        }
    });
    sent.map(|(_, _, sent)| sent)
}

#[test]
#[cfg(feature = "screen")]
fn a_side_is_sent_no_message_by_which_it_could_tell() {
    for case in 0..24 {
        for viewer in [Viewer::Side("red".to_owned()), Viewer::Players] {
            let [one, other] = messages(case, &viewer);
            assert_eq!(one, other, "case {case}, {viewer}");
        }
    }
}

/// Screens that forget part of the filter: the page of the umpire, that of the other side, and a message for each thing
/// that happens.
#[test]
#[cfg(feature = "screen")]
fn each_planted_leak_of_the_screen_is_caught() {
    let red = Viewer::Side("red".to_owned());
    let page = |table: &Table, viewer: Viewer| {
        Story::new(table.session(), &viewer).unwrap().page(Layout::All, "/", "", ("", ""))
    };
    let mut caught = [0; 3];
    for case in 0..40 {
        let mut looks = [0, 0];
        let [one, other] = watched(case, &mut |which, _| looks[which] += 1);
        let blue = || Viewer::Side("blue".to_owned());
        caught[0] += usize::from(page(&one, Viewer::Umpire) != page(&other, Viewer::Umpire));
        caught[1] += usize::from(page(&one, blue()) != page(&other, blue()));
        caught[2] += usize::from(looks[0] != looks[1]);
        assert_eq!(page(&one, red.clone()), page(&other, red.clone()));
    }
    assert!(caught.iter().all(|count| *count > 10), "{caught:?}");
}

type Pages = fn(&mut Table, &Viewer) -> String;

/// Pages that forget a part of the filter.
const LEAKS: [(&str, Pages); 7] = [
    ("how many commands there were", |table, _| table.session().log().len().to_string()),
    ("the roster as it is", |table, _| table.types("show all").to_owned()),
    ("the plan as it is", |table, _| match table.feed("map") {
        None => table.printed.clone(),
        Some(_) => String::new(),
    }),
    ("luck with the dice thrown in secret", |table, _| {
        serde_json::to_string(&table.session().luck()).unwrap()
    }),
    ("lines whatever they name", |table, viewer| {
        seen(table, viewer, |outcome| outcome.names.clear())
    }),
    ("dice whoever they are for", |table, viewer| {
        seen(table, viewer, |outcome| outcome.seen_by.clear())
    }),
    ("what is said of pieces whoever sees them", |table, viewer| {
        seen(table, viewer, |outcome| {
            outcome.events.retain(|e| matches!(e, adjutant_engine::referee::Event::Said(_)));
        })
    }),
];

/// What a viewer saw of each command that is left if some of it is forgotten before it is filtered.
fn seen(
    table: &Table,
    viewer: &Viewer,
    forget: fn(&mut adjutant_engine::referee::Outcome),
) -> String {
    let mut shown = String::new();
    let session = table.session();
    session
        .walk_records(0..session.log().len(), |board, logged| {
            let Some(entry) = logged.command() else { return };
            let mut outcome = adjutant_engine::referee::Outcome::clone(&entry.outcome);
            forget(&mut outcome);
            let seen = board.referee().seen_outcome(board.table(), &outcome, viewer);
            if !seen.is_nothing() {
                let line = if seen.line { &entry.line } else { "" };
                writeln!(shown, "{line} {:?}", seen.outcome.events).unwrap();
            }
        })
        .unwrap();
    shown
}

/// Fails if red or all players together are shown anything by which the two games can be told apart.
fn same(case: u64, tables: &mut [Table; 2]) {
    for viewer in [Viewer::Side("red".to_owned()), Viewer::Players] {
        let [one, other] = &mut *tables;
        let (one, other) = (pages(one, &viewer), pages(other, &viewer));
        if one != other {
            let at = one.lines().zip(other.lines()).find(|(a, b)| a != b);
            panic!("case {case}, {viewer}: {at:#?}\n{one}");
        }
    }
}

#[test]
fn a_side_cannot_tell_what_it_may_not_know() {
    // In the last one a line is said of a hidden piece whose turn changes nothing.
    (0..200).chain([6024]).for_each(|case| same(case, &mut twins(case)));
}

#[test]
#[ignore = "takes minutes: ten thousand pairs of games, and every scenario that is shipped a hundred times and more"]
fn a_side_cannot_tell_what_it_may_not_know_long() {
    (1_000..11_000).for_each(|case| same(case, &mut twins(case)));
    (0..100).for_each(shipped_twins);
    assert!((0..300).map(tarr_twins).sum::<usize>() > 2_000);
    #[cfg(feature = "screen")]
    for case in 1_000..11_000 {
        let [one, other] = messages(case, &Viewer::Side("red".to_owned()));
        assert_eq!(one, other, "case {case}");
    }
}

#[test]
fn each_planted_leak_is_caught() {
    let viewer = Viewer::Side("red".to_owned());
    let mut caught: BTreeMap<&str, u64> = BTreeMap::new();
    for case in 0..40 {
        let mut tables = twins(case);
        for (leak, pages) in LEAKS {
            let [one, other] = &mut tables;
            if pages(one, &viewer) != pages(other, &viewer) {
                caught.entry(leak).or_insert(case);
            }
        }
    }
    let missed: Vec<_> = LEAKS.iter().filter(|(leak, _)| !caught.contains_key(leak)).collect();
    assert!(
        missed.is_empty(),
        "{:?} of {caught:?}",
        missed.iter().map(|m| m.0).collect::<Vec<_>>()
    );
}

/// Plays every shipped scenario twice, with other orders and other dice in secret.
fn shipped_twins(case: u64) {
    for game in ["blitz", "firefight", "house-clearing", "mtb", "tarr"] {
        let files = shipped::files(game).unwrap();
        let rules = Arc::new(ruleset::load(files.clone()).unwrap());
        for scenario in 0..rules.scenarios.len() {
            if rules.scenarios[scenario].hidden {
                continue;
            }
            let mut tables =
                [0, 1].map(|_| begin(&files, &rules, scenario, &case.to_string()).ask_random(true));
            let sides: Vec<String> = tables[0]
                .session()
                .referee()
                .sides(tables[0].session().table())
                .into_iter()
                // Players who share everything are no sides.
                .filter(|_| rules.schema.sides.is_some())
                .collect();
            // A player's own page, and what the others of the same side know.
            let players = tables[0].session().referee().players(tables[0].session().table());
            let players: Vec<Player> =
                players.into_iter().filter(|_| rules.schema.players.is_some()).collect();
            let mut numbers = Numbers(case);
            for _ in 0..4 {
                let onward = numbers.below(3);
                for (which, table) in tables.iter_mut().enumerate() {
                    let ours = &mut Numbers(case * 2 + which as u64);
                    // What the rules ask is answered by chance.
                    let throw = ours.one(&["roll secret 2d6", "roll secret 3d10"]);
                    table.types(throw);
                    if let [_, .., other] = sides.as_slice() {
                        for _ in 0..ours.below(4) {
                            table.types(&format!("orders {other}: hold {}", ours.below(99)));
                        }
                    }
                    for player in players.iter().skip(1) {
                        let wish = ours.below(99);
                        table.types(&format!("set {}.wants \"aim {wish}\"", player.name));
                        table.types(&format!("briefing {}", player.name));
                    }
                    table.types("note ready\nroll 1d6");
                    if onward > 0 {
                        table.types("next !");
                    }
                }
            }
            let viewers = sides.first().map(|side| Viewer::Side(side.clone()));
            let player = players.first().cloned().map(Viewer::Player);
            for viewer in viewers.into_iter().chain(player).chain([Viewer::Players]) {
                let [one, other] = &mut tables;
                let (one, other) = (pages(one, &viewer), pages(other, &viewer));
                let at = one.lines().zip(other.lines()).find(|(a, b)| a != b);
                assert!(one == other, "{game} {scenario} {viewer}: {at:#?}");
            }
        }
    }
}

#[test]
fn a_side_cannot_tell_it_in_any_shipped_scenario() {
    shipped_twins(1);
}

/// Plays a scenario of Tarr's twice, as seen by one army: the mines of the other are not the same, nor is anything of what
/// it has concealed. Returns the number of lines by which the two differ.
fn tarr_twins(case: u64) -> usize {
    let files = shipped::files("tarr").unwrap();
    let rules = Arc::new(ruleset::load(files.clone()).unwrap());
    let scenarios: Vec<usize> =
        (0..rules.scenarios.len()).filter(|&s| !rules.scenarios[s].hidden).collect();
    let scenario = scenarios[case as usize % scenarios.len()];
    let armies = ["german", "russian"];
    let own = (case as usize / scenarios.len()) % 2;
    let (viewer, other) = (Viewer::Side(armies[own].to_owned()), armies[1 - own]);
    let mut tables =
        [0, 1].map(|_| begin(&files, &rules, scenario, &case.to_string()).ask_random(true));
    let mut hidden: Vec<String> = Vec::new();
    let names: Vec<String> =
        tables[0].session().table().names().map(|(name, ..)| name.to_owned()).collect();
    for name in names {
        if tables[0].feed(&format!("show {name} as {viewer}")).is_some() {
            hidden.push(name);
        }
    }
    let mut differ = 0;
    let mut open = Numbers(case);
    for _ in 0..5 {
        let onward = open.below(3);
        for (which, table) in tables.iter_mut().enumerate() {
            let ours = &mut Numbers(open.0.wrapping_mul(3) + which as u64);
            for _ in 0..ours.below(5) {
                let number = ours.below(30);
                let mines = ours.one(&["anti-tank", "anti-personnel"]);
                let what =
                    ours.one(&["width", "mines", "distance", "place", "men", "ranged", "moved"]);
                let value =
                    [number.to_string(), mines.to_owned(), "wood".to_owned(), "yes".to_owned()];
                let line = match hidden.get(ours.below(hidden.len() as u64 + 2) as usize) {
                    Some(name) => format!("set {name}.{what} {}", value[ours.below(4) as usize]),
                    None => format!("add minefield army={other} mines={mines} width={number}"),
                };
                // What such a piece does not have is refused, and changes nothing.
                differ += usize::from(table.feed(&line).is_none());
            }
            table.types("note ready\nroll 1d6");
            if onward > 0 {
                table.types("next !");
            }
        }
    }
    for viewer in [viewer, Viewer::Players] {
        let [one, two] = &mut tables;
        let (one, two) = (pages(one, &viewer), pages(two, &viewer));
        let at = one.lines().zip(two.lines()).find(|(a, b)| a != b);
        assert!(one == two, "case {case}, {viewer}: {at:#?}");
    }
    differ
}

#[test]
fn an_army_cannot_tell_the_mines_and_the_concealed_guns_of_the_other() {
    assert!((0..6).map(tarr_twins).sum::<usize>() > 20);
}

fn night_raid() -> Table {
    let text = std::fs::read_to_string(crate::kit::path("docs/examples/night-raid.toml")).unwrap();
    Table::by("night-raid", &[file("night-raid.toml", text)], "", "candle")
}

#[test]
fn each_side_sees_its_own() {
    let mut table = night_raid().lines("next\nplot swift east east\norders guard: wait for them");
    assert!(table.printed.contains("orders of guard, secret until phase 2"), "{}", table.printed);
    let shown = table.types("show as raid").to_owned();
    assert!(shown.contains("swift") && shown.contains("east east"), "{shown}");
    assert!(!shown.contains("warden") && !shown.contains("mine1") && !shown.contains("wait"));
    let shown = table.types("show as guard\nmap as guard").to_owned();
    assert!(shown.contains("wait for them") && shown.contains("mine1"), "{shown}");
    assert!(!shown.contains("swift"), "{shown}");
    // A piece that is hidden is not there: not even a near name is offered.
    let refused = table.refuses("show warden as raid");
    assert!(refused.contains("there is no `warden`") && !refused.contains("did you mean"));
    let listed = table.types("log as players").to_owned();
    assert!(!listed.contains("plot swift") && !listed.contains("wait"), "{listed}");
    assert!(table.types("log as raid").contains("plot swift east"));
    assert!(table.types("log 2 as guard").contains("guard sees none of it"));
    assert!(table.refuses("show as nobody").contains("there is no side `nobody`"));
    assert!(table.refuses("map as").contains("as whom?"));
    // What the other side doesn't see is for the boats' own side.
    let moved = table.types("next").to_owned();
    assert!(moved.contains("guard: wait for them"), "{moved}");
    assert!(moved.contains("raid only:     swift") && !moved.contains("On the table"), "{moved}");
    assert!(!table.types("show orders").contains("wait"));
}

#[test]
fn undoing_a_secret_piece_changes_only_the_map_of_its_side() {
    let mut table = night_raid().lines("add mine extra at=d4");
    let undone = table.types("undo").to_owned();
    assert!(undone.contains("raid only:     extra off"), "{undone}");
    assert!(!undone.contains("On the table"), "{undone}");
}

/// What a correction asks of the players doesn't depend on whether a secret piece is still there after it.
#[test]
fn correcting_a_secret_piece_asks_nothing_of_the_players() {
    let mut table = night_raid().lines("add mine extra at=d4\namend 1 add mine other at=d1\nundo");
    let redone = table.types("redo").to_owned();
    assert!(redone.contains("redoes the amendment of 1"), "{redone}");
    assert!(redone.contains("raid only:") && !redone.contains("On the table"), "{redone}");
    // Each step shows the table as it was after it.
    let mut table = night_raid().lines("add mine extra at=d4\nremove extra\nundo 2");
    let redone = table.types("redo 2").to_owned();
    assert!(redone.contains("raid only:     extra (mine) set out at d4"), "{redone}");
    assert!(redone.contains("raid only:     extra off"), "{redone}");
    assert!(!redone.contains("On the table"), "{redone}");
}

#[test]
fn the_answer_of_undo_lists_only_what_the_players_change() {
    let on_the_table = |lines: &str| {
        let night_raid = crate::kit::path("docs/examples/night-raid.toml");
        let play = crate::kit::adjutant([
            "play",
            &night_raid.display().to_string(),
            "--in-memory",
            "--json",
        ]);
        let document = play.stdin(lines).json();
        document["replies"][1]["answers"][0]["on_the_table"].clone()
    };
    assert_eq!(on_the_table("add mine extra at=d4\nundo"), serde_json::json!([]));
    assert_eq!(
        on_the_table("reveal mine1\nundo"),
        serde_json::json!([{ "piece": "mine1", "changes": ["off"] }])
    );
}

#[test]
fn what_is_revealed_comes_on_to_the_table() {
    let mut table = night_raid().lines("reveal mine1");
    let told = "On the table:  mine1 (mine) set out at d2";
    assert!(table.printed.contains(told), "{}", table.printed);
    assert!(table.types("show as raid").contains("mine1"));
    table.types("undo\nreveal mine1 to raid");
    assert!(table.types("show as raid").contains("mine1"));
    // All players see what every side sees.
    assert!(table.types("show as players").contains("mine1"));
    table.types("undo");
    assert!(!table.types("show as players").contains("mine1"));
    assert!(table.refuses("reveal h2").contains("`h2` is not secret"));
    assert!(table.refuses("reveal mine1 raid").contains("does not belong here"));
    assert!(table.refuses("orders raid:").contains("what are raid's orders?"));
    assert!(table.refuses("orders blue: on").contains("there is no side `blue`"));
    // Orders are read out by hand, too.
    let read =
        table.types("orders raid:by two and two\norders raid : keep close\nreveal raid").to_owned();
    assert!(read.contains("raid: by two and two") && read.contains("raid: keep close"), "{read}");
    let roll = table.types("roll secret 2d6\nroll 1d6").to_owned();
    let players = table.types("log as players").to_owned();
    assert!(roll.contains("2d6") && !players.contains("2d6") && players.contains("roll 1d6"));
}

#[test]
fn when_the_game_is_over_all_is_open() {
    let mut table = night_raid().lines("next\nset swift.at g3\nplot swift east\nplot warden west");
    let players = |table: &Table| {
        let session = table.session();
        transcript(session, Format::TEXT, &Viewer::Players).unwrap()
    };
    let hidden = players(&table);
    assert!(!hidden.contains("plot swift") && !hidden.contains("head"), "{hidden}");
    assert!(table.types("next").contains("winner: raid"), "{}", table.printed);
    let open = players(&table);
    assert!(open.contains("plot warden west"), "{open}");
    table.types("undo");
    assert_eq!(players(&table), hidden);
}

#[test]
fn all_that_speaks_of_sides_does_in_every_game() {
    for game in ["firefight", "house-clearing", "mtb", "tarr"] {
        let mut table = Table::of(game);
        let session = table.session();
        let (referee, board) = (session.referee(), session.table());
        let sides: Vec<String> = referee.sides(board).into_iter().collect();
        assert!(sides.len() > 1, "{game}: {sides:?}");
        for side in &sides {
            let roster = table.types(&format!("show {side}")).to_owned();
            let session = table.session();
            let (referee, board) = (session.referee(), session.table());
            for (name, kind, row) in board.names() {
                let of = referee.side_of_piece(board, kind, row);
                let listed = roster
                    .lines()
                    .any(|line| line.trim_start().split([' ', ':']).next() == Some(name));
                let is_piece = referee.ruleset().schema.sides
                    != Some(adjutant_engine::language::schema::Type::Piece(kind));
                if is_piece && of.is_some() {
                    assert_eq!(listed, of.as_ref() == Some(side), "{game}: {name} in\n{roster}");
                }
            }
            table.types(&format!(
                "dice physical {side}\ndice auto\nstats\norders {side}: hold\nshow as {side}"
            ));
            assert!(table.printed.contains("hold"), "{game}: {}", table.printed);
        }
    }
    // Where nobody has a side, nothing speaks of one.
    let mut table = Table::of("blitz");
    assert!(table.refuses("orders red: hold").contains("has no written orders"));
    table.types("dice physical\ndice auto\nstats\nshow as players");
}
