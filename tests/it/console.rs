//! The console by lines from a pipe: what it prints, where it stops, and with which exit code.

use crate::kit::{Output, Table, adjutant};

/// From the project's folder, so that what is printed is the same on every machine.
const ORCHARD: &str = "tests/fixtures/orchard";

fn run(arguments: &[&str], lines: &str) -> Output {
    adjutant(["play", ORCHARD]).args(arguments).stdin(lines).output()
}

/// All lines succeed; what they print.
fn plays(lines: &str) -> String {
    Table::of("orchard").types(lines).to_owned()
}

/// The last line fails; what it says.
fn fails(lines: &str) -> String {
    Table::of("orchard").refuses(lines)
}

#[test]
fn a_question_is_answered_by_the_next_line() {
    let printed = plays("set b1.lamp on\ngust\nb1\nset b1.lamp on\ngust\n?\n");
    assert!(printed.contains("Which lamp does it hit? b1\n"), "{printed}");
    assert!(printed.contains("Which lamp does it hit? b1 (at random)\n"), "{printed}");
    assert_eq!(
        fails("set b1.lamp on\ngust\n"),
        "line 2: an answer was expected, but there are no more lines\n\
         the question was: Which lamp does it hit?\n"
    );
    assert!(
        fails("set b1.lamp on\ngust\nc1\n").starts_with("line 3: `c1` is not a possible answer")
    );
    let output = run(&["--ask", "random"], "set b1.lamp on\nset b2.lamp on\ngust\n");
    assert!(output.stdout.contains("(at random)"));
}

#[test]
fn a_look_in_mid_rule_is_read_as_anywhere() {
    let looks = |line: &str| plays(&format!("set b1.lamp on\ngust\n{line}\nb1\n"));
    assert!(looks("rule gust now").contains("unexpected `now`"));
    assert!(looks("table blankets 3 4").contains("unexpected `4`"));
    assert!(looks("clock 5 6").contains("unexpected `6`"));
    assert!(looks("le").contains("left in this phase") || looks("le").contains("nothing is left"));
    assert!(fails("set b1.lamp on\ngust\nb9\n").contains("`b9` is not a possible answer"));
    // What several answers begin with is asked, not guessed.
    let all = "set c1.lamp on\nset c2.lamp on\ngust\nc\n";
    assert!(fails(all).contains("`c` could be `c1`, `c2`"), "{}", fails(all));
}

#[test]
fn a_comparison_behind_an_explosion_says_how_it_is_read() {
    let printed = plays("roll 10d10!>=8\n");
    assert!(
        printed.contains("each die that shows 8 or more adds another, and all are added up"),
        "{printed}"
    );
    let printed = plays("roll 10d10!10>=8\n");
    assert!(printed.contains("each die that shows 10 adds another; dice that show"), "{printed}");
    assert!(!plays("roll 10d10!\n").contains("adds another"));
}

#[test]
fn real_dice_are_asked_for_and_checked() {
    let printed = plays("dice physical\ncreep a1\n1\n6\ngather 3 ann\n451\n");
    assert!(printed.contains("[1]*"), "{printed}");
    assert!(printed.contains("[5 4 1]*"), "{printed}");
    assert!(fails("dice physical\nroll 3d6\n12\n").contains("type each face, not the total"));
    assert!(fails("dice physical\nroll 1d6\n7\n").contains("`7` is not on a d6"));
    let printed =
        plays("dice physical gather\nroll 1d6\ngather 1 ann\n4\ndice auto\ngather 1 ann\n");
    assert!(printed.contains("1 of 1") || printed.contains("passed"), "{printed}");
}

#[test]
fn why_a_piece_stands_where_it_stands() {
    Table::of("orchard").lines("walk ann to b2\nwhy ann.at").expect("ann.at is b2");
}

#[test]
fn what_came_of_a_command_is_in_the_list() {
    let told = plays("gather 1 with ann\ngather 1 with ann\ngather 1 with ann\nlog");
    assert!(told.contains("2  gather 1 with ann — ann passed"), "{told}");
    // Also where nothing came of it.
    assert!(told.contains("3  gather 1 with ann — ann failed"), "{told}");
}

#[test]
fn the_first_line_that_fails_is_the_last() {
    let output = run(&[], "next\nfrobnicate\nnext\n");
    assert_eq!(output.code, 1);
    assert!(output.stderr.starts_with("line 2: there is no command `frobnicate`\n"));
    assert_eq!(output.stdout.matches("turn 1").count(), 1);
    assert!(fails("next\nlight a1 by ann").contains("belongs to phase 2"));
    assert!(fails("next\nnext\nlight a1 ann").contains("ann is too far from a1"));
    assert!(fails("wlk ann a1").contains("did you mean `walk ann a1`?"));
    assert!(fails("walk ann z9").contains("there is no plot called `z9`"));
    assert!(fails("undo").contains("nothing to undo"));
}

#[test]
fn a_correction_in_other_words_is_offered_as_oops() {
    let proposed = |line: &str| {
        let message = fails(&format!("next\nwalk ann to a2\n{line}"));
        let (_, lines) = message.split_once("did you mean").unwrap_or_default();
        lines.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<String>>()
    };
    // A line of its own, a piece or a place alone, and what is not meant is left out.
    for line in
        ["sorry, ann walks to b1", "no, it was b1", "actually b1 not a2", "make that b1", "oops b1"]
    {
        assert_eq!(proposed(line), ["oops walk ann to b1"], "{line}");
    }
    assert_eq!(proposed("amend 2 b1"), ["amend 2 walk ann to b1"]);
    // What the amendment would refuse isn't proposed, nor is what changes nothing.
    for line in ["sorry, it was c9", "no, it was a2", "no water left in bob", "oops a2"] {
        assert!(proposed(line).iter().all(|line| !line.starts_with("oops")), "{line}");
    }
}

#[test]
fn what_no_umpire_types_is_refused_by_name() {
    let long = format!("next\n{}\n", "x".repeat(1 << 20));
    assert!(fails(&long).starts_with("line 2: this line is longer than 4096 bytes"));
    let message = adjutant(["play", ORCHARD]).stdin(b"next\nwalk \xff\xfe\n").failure();
    assert!(message.starts_with("line 2: this line is not valid UTF-8 (byte 6)"));
    let message = fails("note a\u{1b}[2Jb\n");
    assert!(message.contains("control character"), "{message}");
    assert!(!message.contains('\u{1b}'), "{message}");
    let message = fails("note \u{202e}evil\nfrob\u{202e}\n");
    assert!(!message.contains('\u{202e}'), "{message}");
}

/// Plays lines, goes on after those that fail, and returns all that is printed.
fn goes_on(lines: &[u8]) -> String {
    adjutant(["play", ORCHARD, "--keep-going"]).stdin(lines).success()
}

#[test]
fn a_line_that_is_too_long_is_one_line() {
    for end in ["\n", "\r\n"] {
        for excess in [1, 2, 3, 5000, 1 << 20] {
            let long = "x".repeat(4096 + excess);
            // Wherever the line is cut, its rest would be a command.
            let rests = "note cut ".repeat(1000);
            for long in [long, rests] {
                let printed = goes_on(format!("note one{end}{long}{end}frob{end}").as_bytes());
                assert_eq!(printed.matches("this line is longer than 4096 bytes").count(), 1);
                assert!(printed.contains("line 2: this line is longer"), "{printed}");
                assert!(printed.contains("line 3: there is no command `frob`"), "{printed}");
                assert!(!printed.contains("cut"), "{printed}");
            }
        }
    }
    // The longest line there may be.
    let note = format!("note {}", "y".repeat(4091));
    assert!(!goes_on(format!("{note}\r\nfrob\n").as_bytes()).contains("longer"));
    // Line feeds do not make a line shorter.
    let printed = goes_on(format!("note {}\r\r\r\r\nfrob\n", "y".repeat(4089)).as_bytes());
    assert!(printed.contains("line 2: there is no command `frob`"), "{printed}");
}

#[test]
fn the_last_line_needs_no_end() {
    assert!(goes_on(b"frob\nnote the end").contains("the end"));
    let long = format!("frob\n{}", "x".repeat(5000));
    assert!(goes_on(long.as_bytes()).contains("line 2: this line is longer than 4096 bytes"));
    assert!(goes_on(b"frob\nnote \xff").contains("line 2: this line is not valid UTF-8 (byte 6)"));
}

#[test]
fn an_answer_that_is_too_long_is_one_line() {
    let answer = "a1 ".repeat(2000);
    let lines = format!("scout anna\n{answer}\nfrob\nnote after\n");
    let game = "tests/fixtures/skirmish";
    let printed = adjutant(["play", game, "--keep-going"]).stdin(lines).success();
    assert_eq!(printed.matches("this line is longer than 4096 bytes").count(), 1, "{printed}");
    assert!(printed.contains("line 3: there is no command `frob`"), "{printed}");
    assert!(printed.contains("after"), "{printed}");
}

#[cfg(unix)]
#[test]
fn lines_that_cannot_be_read_are_not_read_for_ever() {
    let built = assert_cmd::cargo::cargo_bin!("adjutant");
    let mut command = std::process::Command::new("timeout");
    command.arg("20").arg(built).args(["play", ORCHARD, "--keep-going"]);
    // A folder can be opened, but not read.
    command.stdin(std::fs::File::open("/").unwrap());
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.env("XDG_DATA_HOME", tempfile::tempdir().unwrap().path()).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.matches("cannot be read").count(), 1, "{printed}");
}

#[test]
fn blank_lines_remarks_and_the_mark_of_byte_order_are_nothing() {
    let printed = plays("\u{feff}# a remark\r\n\r\nnext\r\n");
    assert!(printed.contains("turn 1"));
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let lines = "next turn\nnext turn\nharvest\nroll 10d6\nforecast\n";
    assert_eq!(plays(lines), plays(lines));
    // What was taken back is not rolled again with the same dice.
    let printed = plays("roll 20d6\nundo\nroll 20d6\n");
    let rolls: Vec<&str> = printed.lines().filter(|l| l.contains("20d6   ")).collect();
    assert_eq!(rolls.len(), 2, "{printed}");
    assert_ne!(rolls[0], rolls[1]);
}

#[test]
fn colours_only_where_they_are_wanted() {
    assert!(!plays("next\n").contains('\u{1b}'));
    assert!(run(&["--color", "always"], "next\n").stdout.contains("\u{1b}["));
    let output = run(&["--color", "never"], "next\nfrob\n");
    assert!(!output.stdout.contains('\u{1b}') && !output.stderr.contains('\u{1b}'));
}

#[test]
fn a_log_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frost.md");
    let printed = plays(&format!("next\nlog to \"{}\"\n", path.display()));
    assert!(printed.contains("written to "), "{printed}");
    let log = std::fs::read_to_string(&path).unwrap();
    assert!(log.starts_with("# The Orchard: A small orchard\n"), "{log}");
    assert!(log.contains("**1** `next`") && log.contains("1 frost creeps"), "{log}");
    assert!(fails("log to /no/such/folder/x.txt\n").contains("cannot write"));
}

#[test]
fn one_document_for_machines() {
    let output = run(&["--seed", "x", "--json"], "next\nfrob\n");
    assert_eq!(output.code, 1);
    let document: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(document["scenario"], "small");
    assert_eq!(document["commands"][0]["line"], "next");
    assert_eq!(document["error"]["line"], 2);
    let checks = &document["commands"][0]["events"];
    assert!(checks.as_array().unwrap().iter().any(|e| e["check"]["label"] == "a1 (frost 2) → b1"));
}

#[test]
fn a_line_with_too_many_faces_is_named() {
    let dice = ["--dice", "physical", "--in-memory"];
    let bombs = |lines: &str| adjutant(["play", "blitz"]).args(dice).stdin(lines).output();
    let output = bombs("bomb-run\n6 6\n1 4\na1\na3\n");
    assert_eq!(output.code, 1);
    assert_eq!(
        output.stderr,
        "line 3: `1 4` has 1 face too many: expected 1 face\nnothing was changed\n"
    );
    // Faces for the dice that follow may be typed ahead.
    let output = bombs("bomb-run\n6 6 1\na1\na3\n");
    assert_eq!(output.stderr, "");
    // Those for the dice after a question as well.
    let around = |faces: usize| bombs(&format!("bomb-run\n6 6 2{}\na1\n", " 1".repeat(faces)));
    assert!((1..60).any(|faces| around(faces).code == 0));
    let output = around(60);
    assert!(output.stderr.starts_with("line 3: `6 6 2 1 1"), "{}", output.stderr);
    assert!(output.stderr.contains("…` has 58 faces too many:"), "{}", output.stderr);
}

#[test]
fn undo_after_a_briefing_undoes_the_briefing_alone_and_keeps_the_secret() {
    let game = ["play", "firefight", "--scenario", "the-crossroads", "--seed", "candle"];
    let plays = |lines: &str| {
        let output = adjutant(game).args(["--in-memory"]).stdin(lines).output();
        assert_eq!(output.code, 0, "{}", output.stderr);
        output.stdout
    };
    const SECRET: &str = "miller wants";
    let lines = "next\ndraw\nbriefing miller\n";
    let before = plays(lines);
    assert!(before.contains(SECRET), "{before}");
    let after =
        |more: &str| plays(&format!("{lines}{more}")).strip_prefix(&before).unwrap().to_owned();
    // The command before the briefing is undone by an `undo` of its own.
    assert_eq!(after("undo\n"), "undoes 3: briefing miller\n");
    let twice = after("undo\nundo\n");
    assert!(twice.contains("undoes 2: draw"), "{twice}");
    let redone = after("undo\nredo\n");
    assert!(redone.ends_with("redoes 3: briefing miller\n"), "{redone}");
    for shown in [twice, redone, after("undo 2\n"), after("undo to 0\n")] {
        assert!(!shown.contains(SECRET), "{shown}");
    }
}

#[test]
fn a_long_growth_of_fires_is_summed_up_in_a_pipe() {
    let row = |row: u32| ('a'..='g').map(move |column| format!("{column}{row}"));
    // 25 rolls, of which 11 don't grow.
    let fires: Vec<String> = [1, 4, 7].into_iter().flat_map(row).collect();
    let lit: Vec<String> = fires.iter().map(|area| format!("set {area}.fire 1")).collect();
    let mut table = Table::at("blitz", "st-pauls", "candle");
    let printed = table.types(&format!("{}\ngrowth", lit.join("\n"))).to_owned();
    let growth = printed.split("Fire growth").last().unwrap();
    let rolls = growth.lines().filter(|line| line.contains("≥ 6  ")).count();
    let grows = growth.matches("≥ 6  grows").count();
    assert_eq!(rolls, grows, "{growth}");
    assert!(growth.contains("\n  no (≥ 6): ") && growth.contains(" rolls: "), "{growth}");
}

#[test]
fn the_layout_shows_weapons_and_leaders_without_the_briefings() {
    let layout = |game: &str, scenario: &str| {
        Table::at(game, scenario, "candle").types("layout").replace("\n      ", " ")
    };
    let school = layout("house-clearing", "the-school-by-the-ramp");
    assert!(school.contains("krafft  officer, smg, (figure) set out"), "{school}");
    assert!(!school.contains("grenadiers"), "{school}");
    let docks = layout("blitz", "surrey-docks");
    assert!(docks.contains("escape1  escape-carrying-unit, (model) set out at c6"), "{docks}");
    assert!(docks.contains("ann  officer, (stand) set out at c6"), "{docks}");
    assert!(!docks.contains("rum") && !docks.contains("brief"), "{docks}");
    let coal = layout("mtb", "coal-by-night");
    assert!(coal.contains("sgb1  steam-gunboat, speed b,"), "{coal}");
}

#[test]
fn questions_are_answered_as_people_ask_them() {
    let answer = |line: &str| {
        let mut table = Table::of("blitz");
        table.types("next to move\nmove t1 d2");
        table.types(line).to_owned()
    };
    for (asked, typed) in [
        ("which phase", "show state"),
        ("who is exhausted", "show exhausted"),
        ("which areas fire", "show areas fire"),
        ("who has fire", "show fire"),
        ("how is t1 doing?", "show t1"),
        ("who is left to move", "left"),
        ("who moves next?", "left"),
        ("where is everybody", "show"),
        ("why", "log 5"),
        ("undo\nwhy", "undo\nlog 4"),
        ("what are the hoses?", "show hoses"),
        ("what is t1", "show t1"),
        ("roll 3 d6", "roll 3d6"),
        ("roll 2 d6+1", "roll 2d6+1"),
    ] {
        assert_eq!(answer(asked), answer(typed), "{asked}");
    }
    assert_eq!(answer("is c3 damp?"), "c3: damp 0\n");
    assert!(answer("whose turn is it?").contains("isn't the turn of one side"));
    // Other questions are not taken for these; what is wrong is marked in the line that was read.
    for asked in ["who is nowhere", "who comes first", "how far is it"] {
        let wrong = Table::of("blitz").refuses(asked);
        assert!(wrong.contains("can't be answered") && wrong.contains("`left`"), "{wrong}");
    }
    let wrong = Table::of("blitz").refuses("roll 3 d6x");
    assert!(wrong.contains("\n  roll 3d6x\n"), "{wrong}");
}

/// What is listed is what would be accepted, tried line by line.
#[test]
fn what_can_be_acted_on_is_what_would_be_accepted() {
    let mut table = Table::at("mtb", "two-boats", "7");
    table.types("next\nnext to fire");
    let answer = table.types("what can mgb1 hit").to_owned();
    let fire = answer.lines().find_map(|line| line.strip_prefix("  fire: ")).unwrap();
    let listed: Vec<&str> = fire.split(", ").collect();
    assert!(!listed.is_empty(), "{answer}");
    for target in ["s1", "r1", "mtb1", "mgb1", "vp1", "coaster1"] {
        let line = format!("fire mgb1 at {target}");
        let is_done = table.feed(&line).is_none();
        assert_eq!(is_done && target != "mtb1", listed.contains(&target), "{line}: {answer}");
        if is_done {
            table.types("undo");
        }
    }
    // No one of the other side is asked about, so the piece alone is shown.
    assert!(table.types("what can r1 see").contains("ship r1"));
}

/// A number of every piece that has it, from `show`.
#[test]
fn what_everyone_has_left_is_listed() {
    let mut table = Table::at("mtb", "coal-by-night", "7");
    assert_eq!(
        table.types("how many torpedoes are left"),
        "torpedoes: sgb1 2, s1 2, s2 2, s3 2, s4 2, s5 2, s6 2\n"
    );
    table.types("set s2.torpedoes 0\nset s4.torpedoes 1");
    assert_eq!(
        table.types("how many torpedoes"),
        "torpedoes: sgb1 2, s1 2, s3 2, s4 1, s5 2, s6 2\n"
    );
    let counted = table.types("who's winning");
    assert!(counted.contains("  Vessels sunk: Friendly 0, Hostile 0\n"), "{counted}");
}

#[test]
fn a_no_is_no_note() {
    let said = Table::of("blitz").refuses("no");
    assert!(said.contains("`no` is an answer, but nothing is being asked now"), "{said}");
    let said = Table::of("blitz").refuses("not a bomb yet");
    assert!(!said.contains("note a bomb yet"), "{said}");
}

#[test]
fn agree_lists_the_places_and_marks_those_that_changed() {
    let before = "The table should look like this:\n  a1  white die 2\n  c1  ann\n";
    let printed = plays("agree\nagree\nset b1.lamp on\nset ann.at a1\nagree\nundo 2\nagree\n");
    assert!(printed.contains(before), "{printed}");
    assert!(printed.contains("Nothing has changed since the last `agree`:\n  a1"), "{printed}");
    // What was taken from a place is named, too.
    let changed = "(* marks changes since the last `agree`):\n\
        * a1  white die 2; ann\n* b1  lamp\n* c1  nothing\n";
    assert!(printed.contains(changed), "{printed}");
    let back = "(* marks changes since the last `agree`):\n\
        * a1  white die 2\n* c1  ann\n* b1  nothing\n";
    assert!(printed.contains(back), "{printed}");
    // Other words for it.
    assert!(plays("what is on the table?\n").contains(before));
}

/// A secret is no thing on the table for the players to see: night-raid's boats and mines are each side's own.
#[test]
fn agree_keeps_to_what_all_may_see() {
    let game = ["play", "docs/examples/night-raid.toml", "--seed", "candle", "--in-memory"];
    let printed = adjutant(game).stdin("agree\n").output().stdout;
    assert_eq!(printed, "The table should look like this:\n  h2  mole\n  h3  mole\n");
}

#[test]
fn help_before_the_first_turn_says_how_to_begin() {
    let words = "The game hasn't begun: `setup` lists what to lay out";
    let printed = Table::of("blitz").types("help").to_owned();
    assert!(printed.starts_with(words), "{printed}");
    let mut begun = Table::of("blitz");
    begun.types("next");
    let printed = begun.types("help").to_owned();
    assert!(!printed.contains("hasn't begun"), "{printed}");
}
