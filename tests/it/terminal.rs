//! The console at a terminal: prompt, completion, questions, Ctrl-C and Ctrl-D.

use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use expectrl::process::unix::WaitStatus;
use expectrl::session::OsSession;
use expectrl::{ControlCode, Eof, Expect, Session};

/// A game at a terminal of its own.
pub struct Terminal(OsSession);

impl Terminal {
    pub fn begin(home: &Path, arguments: &[&str]) -> Terminal {
        Terminal::with_environment(home, &[arguments, &["--color", "never"]].concat(), &[])
    }

    /// Begins with colours as the arguments choose, and these variables.
    fn with_environment(home: &Path, arguments: &[&str], set: &[(&str, &str)]) -> Terminal {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("adjutant"));
        command.args(arguments);
        command.env("XDG_DATA_HOME", home).env("XDG_CONFIG_HOME", home).env("TERM", "xterm");
        // What a machine of a CI service sets decides about colours, too.
        for name in ["PAGER", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
            command.env_remove(name);
        }
        command.envs(set.iter().copied());
        let mut game = Session::spawn(command).unwrap();
        game.set_expect_timeout(Some(Duration::from_secs(20)));
        Terminal(game)
    }

    pub fn shows(&mut self, wanted: impl AsRef<str>) {
        let wanted = wanted.as_ref();
        self.0.expect(wanted).unwrap_or_else(|e| panic!("`{wanted}`: {e}\n{}", self.unread()));
    }

    /// What is shown and was not expected.
    fn unread(&mut self) -> String {
        let all = self.0.check(expectrl::Regex("(?s).+")).ok();
        let bytes = all.as_ref().and_then(|found| found.get(0)).unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }

    fn matches(&mut self, wanted: &str) {
        self.0.expect(expectrl::Regex(wanted)).unwrap_or_else(|e| panic!("`{wanted}`: {e}"));
    }

    /// Types a line, and waits for this.
    pub fn line(&mut self, line: &str, wanted: impl AsRef<str>) {
        self.0.send_line(line).unwrap();
        self.shows(wanted);
    }

    /// Types keys, without waiting.
    pub fn types(&mut self, keys: &str) {
        self.0.send(keys).unwrap();
    }

    /// Types Ctrl-C.
    pub fn interrupt(&mut self) {
        self.0.send(ControlCode::EndOfText).unwrap();
    }

    /// Leaves a game that isn't kept.
    fn give_up(mut self) {
        self.line("quit", "leave? (yes or no)> ");
        self.leave("yes\n");
    }

    /// Leaves, and waits for the end.
    pub fn leave(mut self, how: impl AsRef<[u8]>) {
        self.0.send(how.as_ref()).unwrap();
        self.0.expect(Eof).unwrap();
        let status = self.0.get_process().wait().unwrap();
        assert!(matches!(status, WaitStatus::Exited(_, 0)), "{status:?}");
    }
}

/// Writes this to a game at once, as soon as it is started, waits for its end, and returns the lines of its commands.
fn typed_ahead(words: String) -> Vec<String> {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "tests/fixtures/orchard", "--seed", "candle", "--session", "ahead"];
    let mut game = Terminal::begin(home.path(), &arguments);
    game.0.get_process_mut().set_window_size(80, 24).unwrap();
    let mut to = game.0.get_process().get_raw_handle().unwrap();
    let mut from = game.0.get_process().get_raw_handle().unwrap();
    // The terminal takes some of it and waits until that is read, so what the game shows must be read meanwhile.
    thread::spawn(move || to.write_all(words.as_bytes()).unwrap());
    let (sender, shown) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        // Where the program is gone, reading fails.
        while let Ok(1..) = from.read(&mut bytes) {
            sender.send(()).unwrap();
        }
    });
    // A game that waits for lines which were lost falls silent.
    while let Ok(()) = match shown.recv_timeout(Duration::from_secs(20)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("the game waits for a line that was lost"),
        other => other,
    } {}
    let status = game.0.get_process().wait().unwrap();
    assert!(matches!(status, WaitStatus::Exited(_, 0)), "{status:?}");
    recorded_lines(home.path(), "ahead")
}

/// Returns the lines of the commands in the journal of a session.
fn recorded_lines(home: &Path, session: &str) -> Vec<String> {
    let journal = home.join("adjutant/sessions").join(session).join("journal.jsonl");
    let journal = std::fs::read_to_string(journal).unwrap();
    let records = journal.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines = records.filter_map(|record: serde_json::Value| {
        record["do"]["command"]["line"].as_str().map(str::to_owned)
    });
    lines.collect()
}

#[test]
fn the_closing_head_is_shown_however_the_umpire_leaves() {
    for leaves in ["quit\n", "\u{4}"] {
        let home = tempfile::tempdir().unwrap();
        let arguments = ["play", "tests/fixtures/orchard", "--seed", "candle", "--session", "club"];
        let mut game = Terminal::begin(home.path(), &arguments);
        game.shows("> ");
        game.line("note last", "last");
        game.shows("> ");
        game.0.send(leaves).unwrap();
        game.shows("closing head ");
        game.shows("continue with");
        game.0.expect(Eof).unwrap();
    }
}

#[test]
fn a_thousand_lines_written_at_once_are_all_played() {
    let notes: Vec<String> = (1..=1000).map(|i| format!("note {i} of 1000")).collect();
    assert_eq!(typed_ahead(format!("{}\nquit\n", notes.join("\n"))), notes);
}

#[test]
fn lines_typed_before_the_first_prompt_are_played() {
    // A long answer in between stops for Enter, and a line that fails in between drops none.
    let lines = "note one\nhelp\nnote two\nfrobnicate\nnote three\nquit\n";
    assert_eq!(typed_ahead(lines.to_owned()), ["note one", "note two", "note three"]);
}

#[test]
fn a_line_with_too_many_faces_is_asked_for_again() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "blitz", "--seed", "candle", "--dice", "physical", "--in-memory"];
    let mut game = Terminal::begin(home.path(), &arguments);
    game.shows("set-up (not saved)> ");
    game.line("bomb-run", "roll 2d6: ");
    game.line("6 6", "roll 1d6: ");
    // No answer to the question that follows brings another die.
    game.line("1 4", "`1 4` has 1 face too many: expected 1 face");
    game.shows("type this line again");
    game.shows("roll 1d6: ");
    game.line("1", "Where did incendiary 1 of 2 land?");
    game.shows("to cancel)> ");
    game.line("a1", "Where did incendiary 2 of 2 land?");
    game.shows("to cancel)> ");
    game.line("a3", "a3 red die 1");
    game.shows("set-up (not saved)> ");
    // High explosive brings dice for the areas around it, but not as many as these: that shows at the end.
    game.line("undo", "undoes 1");
    game.shows("set-up (not saved)> ");
    game.line("bomb-run", "roll 2d6: ");
    let many = format!("2{}", " 1".repeat(60));
    game.line(&format!("6 6 {many}"), "Where did ");
    game.shows("to cancel)> ");
    game.line("a1", "faces too many: expected ");
    game.shows("roll 2d6: ");
    game.line("6 6 2 1", "Where did ");
    game.shows("to cancel)> ");
    // The last face is used by a die that follows.
    game.line("a1", "roll ");
    game.0.send(ControlCode::EndOfText).unwrap();
    game.shows("cancelled: nothing was changed");
    game.shows("set-up (not saved)> ");
    game.give_up();
}

/// Dice that are typed again in place of an offered answer must not be added to it: `3` and `3` are not 33.
#[test]
fn dice_typed_at_an_offered_answer_replace_it() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "blitz", "--seed", "candle", "--dice", "physical", "--in-memory"];
    let mut game = Terminal::begin(home.path(), &arguments);
    game.shows("set-up (not saved)> ");
    for (keys, rolled) in [("3 4\r", "[3 4]* = 7"), ("\r", "[3 4]* = 7"), ("\x7f5\r", "[3 5]* = 8")]
    {
        game.line("bomb-run", "roll 2d6: ");
        game.line("they rolled a 3 and a 4", "read as `3 4`: press Enter to accept this");
        game.shows("roll 2d6: ");
        // Keys that are pressed before anybody can have read the prompt don't count.
        thread::sleep(Duration::from_millis(200));
        game.types(keys);
        game.shows(rolled);
        game.shows("set-up (not saved)> ");
    }
    game.give_up();
}

#[test]
fn a_game_at_a_terminal() {
    let home = tempfile::tempdir().unwrap();
    let orchard = "tests/fixtures/orchard";
    let mut game = Terminal::begin(home.path(), &["play", orchard, "--seed", "candle"]);
    game.shows("The Orchard");
    game.shows("other scenarios (--scenario NAME): large");
    game.shows("orchard set-up> ");
    game.line("next", "orchard · turn 1 · 1 frost creeps");
    game.shows("orchard 1.1 frost> ");
    // A wrong word changes nothing, and the prompt is there again.
    game.line("frobnicate", "there is no command `frobnicate`");
    // Completion by place in the line.
    game.0.send("wal\tan\tto b2\n").unwrap();
    game.shows("ann to b2");
    // A question in mid-rule, first answered wrongly, then taken back.
    game.line("set b1.lamp on", "b1 lamp");
    game.line("set a1.lamp on", "a1 lamp");
    game.line("gust", "Which lamp does it hit?");
    game.shows("to cancel)> ");
    game.line("c1", "is not a possible answer");
    game.shows("to cancel)> ");
    game.0.send(ControlCode::EndOfText).unwrap();
    game.shows("cancelled: nothing was changed");
    // Real dice. Chance among two lamps takes a die.
    game.line("dice physical", "the players roll the dice");
    game.line("harvest", "Harvest · roll 2d6: ");
    game.line("12", "type each face, not the total");
    game.line("1 2", "[1 2]*");
    // Each prompt says what the dice are for, and which of how many throws it is.
    game.line("gather 3 with ann", "Gather apples: ann, 1 of 3 · roll 1d6: ");
    game.line("2 5", "ann, 3 of 3 · roll 1d6: ");
    game.line("6", "Gather apples");
    game.line("gust", "A gust: how strong · roll 1d6: ");
    game.line("4", "Which lamp does it hit?");
    game.line("?", "at random: Which lamp does it hit (1 ");
    game.line("1", "goes out at strength 4");
    // What answers nothing is told so.
    game.line("4", "nothing is being asked now");
    // Ctrl-C drops a line, Ctrl-D leaves.
    game.shows("orchard 1.1 frost> ");
    // Ghost text comes between the letters as they are shown.
    game.0.send("half a line").unwrap();
    game.shows("line");
    game.0.send(ControlCode::EndOfText).unwrap();
    // What is typed ahead of the new prompt goes with the dropped line.
    game.shows("orchard 1.1 frost> ");
    game.line("log", "harvest");
    game.shows("orchard 1.1 frost> ");
    game.leave("\u{4}");
    let history = home.path().join("adjutant/histories/orchard");
    let history = std::fs::read_to_string(history).unwrap();
    assert!(history.contains("frobnicate"), "{history}");
}

#[test]
fn without_a_subcommand_the_last_session_is_offered() {
    let home = tempfile::tempdir().unwrap();
    let mut game = Terminal::begin(home.path(), &[]);
    game.shows("which game? ");
    game.line("9", "there is no game `9`");
    game.line("tar", "tarr set-up> ");
    game.leave("quit\n");
    let mut game = Terminal::begin(home.path(), &[]);
    game.shows("which game? ");
    game.line("1", "blitz set-up> ");
    game.line("note we begin", "we begin");
    game.leave("quit\n");
    let mut game = Terminal::begin(home.path(), &[]);
    game.shows("last: note we begin");
    game.shows("Enter continues the last session) ");
    game.line("", "the last command was 1: note we begin");
    game.shows("blitz set-up> ");
    game.leave("quit\n");
}

#[test]
fn a_tour_explains_a_first_turn_line_by_line() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "blitz", "--seed", "candle", "--tour"];
    let mut game = Terminal::begin(home.path(), &arguments);
    for step in 1..=8 {
        game.shows(format!("{step} of 8"));
        game.shows("> ");
        // Something else in between; a line typed by hand; else Enter alone.
        if step == 3 {
            game.line("roll d6", "3 of 8");
            game.shows("> ");
        }
        let line = if step == 4 { "connect pump1 d3" } else { "" };
        game.0.send_line(line).unwrap();
    }
    game.shows("that was the tour");
    game.shows("> ");
    game.leave("quit\n");
    let mut game = Terminal::begin(home.path(), &arguments);
    game.shows("1 of 8");
    game.shows("> ");
    game.line("tour", "blitz set-up> ");
    game.leave("quit\n");
}

#[test]
fn ten_turns_of_blitz_at_a_terminal() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "blitz", "--seed", "candle", "--ask", "random"];
    let mut game = Terminal::begin(home.path(), &arguments);
    game.shows("BLITZ!");
    game.shows("blitz set-up> ");
    for turn in 1..=10 {
        if turn == 2 {
            // Nobody has moved: that is asked about once.
            game.line("next turn", "to continue");
        }
        game.line("next turn", format!("blitz {turn}.1"));
        // Something by hand in between: the crews move in their phase, and are refused out of it.
        game.line("move t1 d2", "refused");
        game.line("next to move", format!("blitz {turn}.6"));
    }
    game.line("undo 3", "undoes");
    game.leave("quit\n");
}

#[test]
fn a_game_that_is_not_kept_is_not_left_unasked() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "tests/fixtures/orchard", "--in-memory", "--seed", "candle"];
    let mut game = Terminal::begin(home.path(), &arguments);
    game.shows("(not saved)> ");
    game.line("next", "1.1 frost");
    game.shows("(not saved)> ");
    game.0.send(ControlCode::EndOfTransmission).unwrap();
    game.shows("leave? (yes or no)> ");
    // A command typed there is no answer, and is not swallowed as one.
    game.line("undo", "answer `yes` or `no`; nothing has been done yet");
    game.shows("leave? (yes or no)> ");
    game.line("no", "you are still in the game");
    game.shows("(not saved)> ");
    game.line("log", "next");
    game.shows("(not saved)> ");
    // A line of bytes that are no text is refused, and the game goes on.
    game.0.send(b"note \xff\xfe").unwrap();
    let mut refused = false;
    for _ in 0..100 {
        // The editor drops what it has read of such a line, so its end may have to be typed again.
        game.0.send("\n").unwrap();
        std::thread::sleep(Duration::from_millis(100));
        let shown = game.0.check("this line is not valid UTF-8: nothing was done").unwrap();
        refused |= !shown.is_empty();
        if refused {
            break;
        }
    }
    assert!(refused);
    game.shows("(not saved)> ");
    game.line("log 2", "there is no command 2");
    game.shows("(not saved)> ");
    game.0.send(ControlCode::EndOfTransmission).unwrap();
    game.shows("leave? (yes or no)> ");
    // The end of the input is the end.
    game.leave("\u{4}");
}

#[test]
fn a_line_that_can_be_read_twice_is_chosen_by_a_key() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "blitz", "--seed", "candle", "--in-memory"];
    let mut game = Terminal::begin(home.path(), &arguments);
    game.shows("set-up (not saved)> ");
    game.line("next to move", "1.6 move (not saved)> ");
    game.line("mo t d2", "1  mo t1 d2");
    game.shows("or another line> ");
    game.line("2", "t2 from d1 to d2");
    game.shows("1.6 move (not saved)> ");
    // Another line takes the place of the number.
    game.line("mo t d2", "or another line> ");
    game.line("enter next", "Enter on an empty line now means `next`");
    game.shows("1.6 move (not saved)> ");
    // What was typed in short is named where it is refused.
    game.line("drive e d1", "refused: escape1 is already at d1");
    game.shows("it was taken to mean escape1");
    game.shows("1.6 move (not saved)> ");
    game.line("", "turn 1 · ");
    game.shows("(not saved)> ");
    game.line("clock 5", "each turn has 5:00 min");
    game.shows("(not saved)> ");
    std::thread::sleep(Duration::from_secs(1));
    game.line("clock", "each turn has 5:00 min");
    game.shows(" 4:5");
    game.give_up();
}

#[test]
fn the_umpire_is_asked_before_a_file_is_replaced() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("notes.html");
    std::fs::write(&path, "my own words").unwrap();
    let mut game = Terminal::begin(home.path(), &["play", "tests/fixtures/orchard"]);
    game.shows("orchard set-up> ");
    let line = format!("log to {}", path.display());
    for answer in ["no\n", "\u{3}"] {
        game.line(&line, "already exists, and either adjutant didn't write it");
        game.shows("replace it? (yes or no)> ");
        game.0.send(answer).unwrap();
        game.shows("orchard set-up> ");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "my own words");
    }
    game.line(&line, "replace it? (yes or no)> ");
    game.line("yes", "notes.html");
    game.shows("orchard set-up> ");
    assert!(std::fs::read_to_string(&path).unwrap().contains("<!DOCTYPE html>"));
    // From then on it is its own.
    game.line(&line, "notes.html");
    game.shows("orchard set-up> ");
    game.leave("quit\n");
}

#[test]
fn what_is_left_is_said_before_the_phase_is_left() {
    let home = tempfile::tempdir().unwrap();
    let arguments =
        ["play", "house-clearing", "--seed", "one", "--dice", "physical", "--in-memory"];
    let mut game = Terminal::begin(home.path(), &arguments);
    game.shows("set-up (not saved)> ");
    // A d3 is thrown as a d6 and halved.
    game.line("roll-initiative hale", "roll 1d6, to be halved: ");
    game.line("7", "`7` is not on a d6");
    game.line("5", "[3]+1*");
    game.shows("set-up (not saved)> ");
    game.line("next to fire-four", "1.5 fire-four (not saved)> ");
    game.line("left", "left in this phase: ");
    game.shows("fire)");
    game.shows("1.5 fire-four (not saved)> ");
    // Nobody has fired, so the first `next` stays.
    game.line("next", "no one has acted: ");
    game.shows("fire)");
    game.shows("repeat `next` to continue");
    game.shows("1.5 fire-four (not saved)> ");
    game.line("next", "1.6 fire-three (not saved)> ");
    game.give_up();
}

#[test]
fn a_phase_in_which_somebody_acted_is_left_with_a_line_on_the_others() {
    let home = tempfile::tempdir().unwrap();
    let mut game =
        Terminal::begin(home.path(), &["play", "blitz", "--seed", "candle", "--in-memory"]);
    game.shows("set-up (not saved)> ");
    game.line("next to move", "1.6 move (not saved)> ");
    // Nothing is declared as left in this phase, but its verbs could be used.
    game.line("next", "no one has acted in phase 6 (Movement and hose laying)");
    game.shows("repeat `next` to continue");
    game.shows("1.6 move (not saved)> ");
    game.line("move t1 d2", "t1 from d1 to d2");
    game.shows("1.6 move (not saved)> ");
    game.line("next", "1.8 ");
    // Without a stop this time; what the others could have done is named with the way back.
    game.line("undo", "undoes");
    game.shows("1.6 move (not saved)> ");
    game.line("undo", "undoes");
    game.shows("1.6 move (not saved)> ");
    // Asked once more, as nobody has acted again.
    game.line("next", "repeat `next` to continue");
    game.line("next", "1.8 ");
    game.give_up();
}

#[test]
fn slips_in_haste_do_no_harm() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "firefight", "--scenario", "the-crossroads", "--seed", "candle"];
    let mut game = Terminal::begin(home.path(), &[&arguments[..], &["--session", "a"]].concat());
    game.shows("set-up> ");
    game.line("next", "the cup is shuffled");
    game.shows("chits> ");
    game.line("draw", "drawn from the cup");
    // What is refused is not said to go on.
    game.line("next", "refused: chits are left in the cup");
    game.line("next", "refused: chits are left in the cup");
    game.line("draw", "(Group Moves left)");
    game.shows("repeat `draw` to continue");
    // What came to nothing is no command to be mended.
    game.line("move x1 99", "`inches` must be from 0 to 48");
    game.line("oops move x1 8", "replace it with this line? (yes or no)> ");
    game.line("no", "nothing was amended; type `move x1 8` without `oops` for a new command");
    // A `q` for a pager that did not come leaves nothing.
    game.line("show x1-2", "soldier x2");
    game.line("q", "type `q` again to leave the game");
    game.line("show wounded or stunned", "nothing on the table matches");
    game.line("dice physical german", "the players roll the dice for `german`");
    game.leave("q\n");
    // Of a game under way less is told.
    let mut game = Terminal::begin(home.path(), &["resume", "a"]);
    game.shows("the last command was 2: draw");
    game.shows("the players roll the dice for `german`");
    game.leave("q\n");
}

/// The next faces: the same at every run.
struct Dice(u64);

impl Dice {
    fn face(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides + 1
    }
}

/// The most prompts that are answered in an evening, far more than any has.
const MAX_ANSWERS: u32 = 5_000;

/// Plays the lines of a recorded evening on a screen of 80 by 24, with faces and cards as they fall.
fn evening_with_real_dice(evening: &str, game: &str) {
    let script = std::fs::read_to_string(format!("tests/evenings/{evening}.txt")).unwrap();
    let (head, rest) = script.split_once('\n').unwrap();
    let mut arguments: Vec<&str> = head.trim_start_matches("# ").split(' ').collect();
    arguments.retain(|word| !matches!(*word, "--ask" | "random"));
    arguments.extend(["--dice", "physical", "--in-memory"]);
    let is_face = |line: &&str| line.chars().all(|c| c.is_ascii_digit() || c == ' ');
    let lines = rest.lines().filter(|l| !l.starts_with('#') && !is_face(l));
    let mut lines = lines.filter(|l| *l != "dice physical").peekable();
    let home = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::begin(home.path(), &arguments);
    terminal.0.get_process_mut().set_window_size(80, 24).unwrap();
    let main = format!(r"{game} (?:\d+\.\d+ [a-z-]+(?: [a-z-]+)?|set-up)(?: \(not saved\))?> ");
    let asks = r"yes or no\)> |to cancel\)> |another line> |to stop -- |roll \d+d\d+(?:, to be halved)?(?: \([^)]*at once\))?: ";
    let prompts = expectrl::Regex(format!("{main}|{asks}"));
    let (mut dice, mut card, mut again) = (Dice(7), 0, String::new());
    let (mut throws, mut cards, mut commands, mut keys) = (0, 0, 0, 0);
    // How often `next` stopped before a phase was lost, and the turn.
    let mut stops = Vec::new();
    let mut turn: usize = 0;
    let mut found = terminal.0.expect(&prompts).unwrap();
    // A prompt that is taken for another would be answered for ever.
    for answered in 0.. {
        let shown = String::from_utf8_lossy(found.before()).into_owned();
        let prompt = String::from_utf8_lossy(found.get(0).unwrap()).into_owned();
        assert!(answered < MAX_ANSWERS, "{evening}: too many prompts, the last: {shown}{prompt}");
        let line = if let Some(at) = prompt.find("roll ") {
            let words = prompt[at + 5..].split([':', ',', ' ']).next().unwrap();
            let (count, sides) = words.split_once('d').unwrap();
            let (count, sides): (u64, u64) = (count.parse().unwrap(), sides.parse().unwrap());
            throws += count;
            let faces: Vec<String> = (0..count).map(|_| dice.face(sides).to_string()).collect();
            faces.join(" ")
        } else if prompt.ends_with("to cancel)> ") {
            // The cards come in an order of their own; what is not in the deck any more is refused.
            if shown.contains("cards as") || shown.contains("is not a possible answer") {
                card = (card + 17) % 52;
                cards += 1;
                let rank =
                    ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"][card % 13];
                format!("{rank}{}", ["c", "d", "h", "s"][card / 13])
            } else {
                "?".to_owned()
            }
        } else if prompt.ends_with("another line> ") {
            "1".to_owned()
        } else if prompt.ends_with("no)> ") {
            "yes".to_owned()
        } else if prompt.ends_with("-- ") {
            String::new()
        } else if shown.contains("to continue") {
            stops.push(format!("{prompt}{again}: {shown}"));
            again.clone()
        } else {
            let number = prompt.strip_prefix(&format!("{game} ")).and_then(|at| at.split_once('.'));
            turn = number.map_or(turn, |(number, _)| number.parse().unwrap());
            let printed = shown.lines().count();
            let word = again.split(' ').next().unwrap_or_default();
            let short =
                word == "next" || !word.is_empty() && !adjutant_engine::console::is_word(word);
            assert!(!short || printed <= 24, "{evening}: {again}: {printed} lines\n{shown}");
            let Some(line) = lines.next() else { break };
            commands += 1;
            again = line.to_owned();
            line.to_owned()
        };
        keys += line.chars().count() + 1;
        terminal.0.send_line(&line).unwrap();
        // The editor has done with the line: before that, a long one is drawn on several rows, each time with its prompt.
        terminal.shows("\u{1b}[?2004l");
        found = match terminal.0.expect(&prompts) {
            Ok(found) => found,
            Err(e) => panic!("{evening}: {line}: {e}\n{}", terminal.unread()),
        };
    }
    // A stop at most once in five turns.
    assert!(stops.len() <= turn.div_ceil(5), "{evening}: {turn} turns, {stops:#?}");
    println!("{evening}: {commands} lines, {throws} dice, {cards} cards, {keys} keys");
    assert!(throws + cards > 50, "{evening}: {throws} dice, {cards} cards");
    terminal.line("quit", "leave? (yes or no)> ");
    terminal.leave("yes\n");
}

#[test]
fn an_evening_of_blitz_with_real_dice() {
    evening_with_real_dice("blitz-lamb-alley", "blitz");
}

#[test]
fn an_evening_of_firefight_with_real_dice() {
    evening_with_real_dice("firefight", "firefight");
}

#[test]
fn an_evening_of_house_clearing_with_real_dice() {
    evening_with_real_dice("house-clearing", "house-clearing");
}

#[test]
fn an_evening_of_mtb_with_real_dice_and_cards() {
    evening_with_real_dice("mtb", "mtb");
}

#[test]
fn an_evening_of_tarr_with_real_dice() {
    evening_with_real_dice("tarr", "tarr");
}

#[test]
fn a_history_that_is_a_pipe_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("adjutant/histories");
    std::fs::create_dir_all(&folder).unwrap();
    let made = Command::new("mkfifo").arg(folder.join("orchard")).status().unwrap();
    assert!(made.success());
    let mut game = Terminal::begin(home.path(), &["play", "tests/fixtures/orchard"]);
    game.shows("orchard set-up> ");
    game.line("next", "orchard 1.1 frost> ");
    game.leave("quit\n");
}

/// The orchard at a terminal of 80 columns and 24 rows, before it begins.
fn orchard(home: &Path, arguments: &[&str], set: &[(&str, &str)]) -> Terminal {
    let begin = ["play", "tests/fixtures/orchard", "--seed", "candle"];
    let mut game = Terminal::with_environment(home, &[&begin[..], arguments].concat(), set);
    game.0.get_process_mut().set_window_size(80, 24).unwrap();
    game
}

/// The orchard at a terminal, not kept, in the phase in which lamps are lit.
fn orchard_at_work(home: &Path, arguments: &[&str], set: &[(&str, &str)]) -> Terminal {
    let mut game = orchard(home, &[&["--in-memory"], arguments].concat(), set);
    game.shows("set-up (not saved)> ");
    game.line("next to work", "work (not saved)> ");
    game
}

#[test]
fn a_tab_lists_what_would_be_accepted_with_descriptions() {
    let home = tempfile::tempdir().unwrap();
    let mut game = orchard_at_work(home.path(), &["--color", "never"], &[]);
    // One Tab is enough. Lamps can be lit now, so the verb is listed with its title, and words of the console with theirs.
    game.0.send("l\t").unwrap();
    game.matches(r"left +list what can still be done");
    game.matches(r"light +Light a lamp");
    game.line("ight b1 by ", "`who` is missing");
    game.shows("work (not saved)> ");
    game.0.send("light b1 by \t").unwrap();
    game.shows("ann ");
    // Ann is at c1, too far from a2: she isn't offered, except in a line that insists.
    game.0.send("\u{15}light a2 by \tx").unwrap();
    game.shows("light a2 by x");
    game.0.send("\u{15}!light a2 by \t").unwrap();
    game.shows("ann ");
    game.0.send("\u{15}").unwrap();
    game.line("", "(not saved)> ");
    game.line("next", "repeat `next` to continue");
    game.shows("(not saved)> ");
    game.line("next", "(not saved)> ");
    // In another phase the verb isn't offered.
    game.0.send("li\tx").unwrap();
    game.matches("li\u{7}?x");
    game.0.send("\u{15}quit\n").unwrap();
    game.shows("leave? (yes or no)> ");
    game.leave("yes\n");
}

#[test]
fn ghost_text_is_the_last_such_line_or_the_rest_of_the_usage() {
    let home = tempfile::tempdir().unwrap();
    let mut game = orchard_at_work(home.path(), &["--color", "never"], &[]);
    game.line("walk ann to b1", "On the table");
    game.shows("> ");
    game.0.send("wa").unwrap();
    game.shows("walk ann to b1");
    // The usage after the verb, and after each argument.
    game.0.send("\u{15}gather ").unwrap();
    game.shows("gather <baskets> with <who>");
    game.0.send("3 ").unwrap();
    game.shows("gather 3 with <who>");
    // It isn't text: the key that accepts an earlier line leaves it alone.
    game.0.send("\u{5}\n").unwrap();
    game.shows("`who` is missing");
    game.shows("> ");
    // Right accepts an earlier line, Alt-F its next word.
    game.0.send("wal\u{1b}f\u{1b}f\n").unwrap();
    game.shows("`place` is missing");
    game.shows("> ");
    game.0.send("wal\u{1b}[C\n").unwrap();
    game.shows("Walk");
    game.shows("> ");
    game.line("log", "3  walk ann to b1");
    game.give_up();
}

#[test]
fn up_searches_by_what_is_typed_in_the_history_of_the_game() {
    let home = tempfile::tempdir().unwrap();
    let histories = home.path().join("adjutant/histories");
    std::fs::create_dir_all(&histories).unwrap();
    std::fs::write(histories.join("orchard"), "#V2\nnote one\nroll d6\nnote two\n").unwrap();
    std::fs::write(histories.join("blitz"), "#V2\nnote of blitz\n").unwrap();
    let arguments = ["--color", "never"];
    let mut game = orchard_at_work(home.path(), &arguments, &[]);
    game.0.send("no\u{1b}[A\u{1b}[A\n").unwrap();
    game.shows("one");
    game.shows("> ");
    // Down comes back to what was typed.
    game.0.send("no\u{1b}[A\u{1b}[A\u{1b}[B\u{1b}[B\u{1b}[Bte three\n").unwrap();
    game.shows("three");
    game.shows("> ");
    game.line("log", "note three");
    game.shows("> ");
    game.give_up();
    let kept = std::fs::read_to_string(histories.join("orchard")).unwrap();
    assert!(kept.contains("note three"), "{kept}");
    let other = std::fs::read_to_string(histories.join("blitz")).unwrap();
    assert!(!other.contains("note three"), "{other}");
}

#[test]
fn an_unknown_word_turns_red_as_it_is_typed() {
    let home = tempfile::tempdir().unwrap();
    let mut game = orchard_at_work(home.path(), &["--color", "always"], &[]);
    game.0.send("wa").unwrap();
    game.0.send("x").unwrap();
    game.shows("\u{1b}[31mwax\u{1b}[0m");
    // What begins a word is none yet; a wrong name is one, wherever the cursor is.
    game.0.send("\u{15}walk an").unwrap();
    game.0.send("x to").unwrap();
    game.shows("walk \u{1b}[31manx\u{1b}[0m to");
    // Without colours nothing is coloured.
    game.0.send("\u{15}quit\n").unwrap();
    game.shows("leave?");
    game.leave("yes\n");
    for (arguments, set) in [
        (&["--color", "never"][..], &[][..]),
        (&[], &[("NO_COLOR", "1")]),
        (&[], &[("TERM", "dumb")]),
    ] {
        let mut game = orchard_at_work(home.path(), arguments, set);
        game.0.send("walk anx to b2\n").unwrap();
        let found = game.0.expect("did you mean this?").unwrap();
        let shown = String::from_utf8_lossy(found.before());
        assert!(!shown.contains("\u{1b}[31m"), "{shown:?}");
        game.shows("> ");
        game.give_up();
    }
}

#[test]
fn a_single_key_leaves_a_long_answer_and_a_slash_searches_it() {
    let home = tempfile::tempdir().unwrap();
    let mut game = orchard_at_work(home.path(), &["--color", "never"], &[]);
    game.line("help console", "to stop -- ");
    game.0.send("/").unwrap();
    game.0.send_line("QUIT").unwrap();
    let found = game.0.expect(expectrl::Regex(r"quit +leave")).unwrap();
    let shown = String::from_utf8_lossy(found.before()).into_owned();
    assert!(!shown.contains("reload"), "{shown}");
    game.shows("> ");
    game.line("help console", "to stop -- ");
    game.0.send("/").unwrap();
    game.line("no such words", "`no such words` doesn't appear further down");
    game.shows("to stop -- ");
    game.0.send(" ").unwrap();
    game.shows("to stop -- ");
    game.0.send("q").unwrap();
    game.shows("work (not saved)> ");
    // Another key is the beginning of the next line.
    game.line("help console", "to stop -- ");
    game.0.send("note begun\n").unwrap();
    game.shows("begun");
    game.shows("> ");
    game.line("log", "note begun");
    game.shows("> ");
    game.give_up();
}

#[test]
fn the_pager_of_the_umpire_is_used() {
    let home = tempfile::tempdir().unwrap();
    let pager = [("PAGER", "sed 's/^/PAGED /'")];
    let mut game = orchard_at_work(home.path(), &["--color", "never"], &pager);
    game.line("help console", "PAGED ");
    game.shows("work (not saved)> ");
    // What fits the screen isn't paged, and a pager that isn't there is no reason to show nothing.
    let found = {
        game.0.send_line("left").unwrap();
        game.0.expect("(not saved)> ").unwrap()
    };
    assert!(!String::from_utf8_lossy(found.before()).contains("PAGED"));
    game.give_up();
    let pager = [("PAGER", "/nowhere/at-all")];
    let mut game = orchard_at_work(home.path(), &["--color", "never"], &pager);
    game.line("help console", "to stop -- ");
    game.0.send("q").unwrap();
    game.shows("work (not saved)> ");
    game.give_up();
}

#[test]
fn a_line_typed_ahead_may_begin_with_the_key_that_stops_a_long_answer() {
    assert_eq!(typed_ahead("note one\nhelp console\nquit\n".to_owned()), ["note one"]);
}

#[test]
fn a_line_from_elsewhere_is_printed_above_a_half_typed_one() {
    let home = tempfile::tempdir().unwrap();
    let mut game = orchard_at_work(home.path(), &["--color", "never"], &[]);
    // The clock can't be set to less than a minute, so this waits for it.
    game.0.set_expect_timeout(Some(Duration::from_secs(90)));
    game.line("clock 1", "each turn has 1:00 min");
    game.shows("> ");
    game.0.send("note half").unwrap();
    game.shows("time is up: 1:00 min for turn 1");
    // What was typed is there again, and goes on.
    game.shows("note half");
    game.line(" and half", "  half and half");
    game.shows("> ");
    let found = {
        game.0.send_line("log").unwrap();
        game.0.expect("half and half").unwrap()
    };
    assert!(!String::from_utf8_lossy(found.before()).contains("time is up"));
    game.give_up();
}

#[test]
fn agree_asks_for_each_place_until_it_is_right() {
    let home = tempfile::tempdir().unwrap();
    let mut game = orchard_at_work(home.path(), &["--color", "never"], &[]);
    game.line("agree", "The table should look like this:");
    game.shows("  a1  white die");
    game.shows("Enter if your table matches, `all`");
    // What can't be read, and a look, come back to the same place.
    game.line("wlak ann", "Enter if your table matches, `all`");
    game.line("set ann.at b1", "ann to b1");
    game.shows("  a1  white die");
    game.shows("Enter if your table matches, `all`");
    game.line("", "  a2  white die");
    game.shows("Enter if your table matches, `all`");
    game.interrupt();
    // b1 is among them, as a correction brought Ann there.
    game.shows("not agreed yet; the next `agree` will ask about a2, b1");
    game.shows("> ");
    // What was agreed on isn't asked for again.
    game.line("agree", "  a1  white die");
    game.shows("* b1  ann");
    game.shows("  a2  white die");
    game.shows("Enter if your table matches, `all`");
    game.line("", "  b1  ann");
    game.shows("Enter if your table matches, `all`");
    game.line("yes", "agreed");
    game.shows("> ");
    game.line("agree", "Nothing has changed");
    game.shows("> ");
    game.line("set ann.at c2", "ann to c2");
    game.line("set c1.lamp on", "c1");
    game.line("agree", "Enter if your table matches, `all`");
    game.line("yes, it all matches", "agreed");
    game.shows("> ");
    game.line("agree", "Nothing has changed");
    game.shows("> ");
    game.give_up();
}

/// Writes the settings of the keyboard into a home.
fn set_up(home: &Path, settings: &str) {
    let folder = home.join("adjutant");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), settings).unwrap();
}

#[test]
fn an_alias_is_carried_out_and_recorded_as_what_it_stands_for() {
    let home = tempfile::tempdir().unwrap();
    set_up(
        home.path(),
        "[alias]\nsay = \"note said\"\nwalk = \"note never\"\nw = \"next to work\"\ngoto = \"next to\"\n",
    );
    let mut game = orchard(home.path(), &["--session", "own", "--color", "always"], &[]);
    game.shows("set-up> ");
    game.line("w", "next to work");
    game.shows("work> ");
    // Tab lists aliases beside words, and completes the line that one stands for.
    game.0.send("sa\t").unwrap();
    game.shows("means note said");
    game.0.send("\u{15}goto wo\t").unwrap();
    game.shows("goto work");
    game.0.send("\u{15}").unwrap();
    // An alias is no unknown word, and its meaning is shown as it is typed.
    game.0.send("say").unwrap();
    game.shows("  means note said");
    game.0.send_line(" hello").unwrap();
    game.shows("note said hello");
    game.shows("work> ");
    // A verb of the game goes first.
    game.line("walk ann c2", "to c2");
    game.shows("work> ");
    game.leave("quit\n");
    let lines = recorded_lines(home.path(), "own");
    assert_eq!(lines.last().unwrap(), "walk ann c2");
    assert!(lines.contains(&"note said hello".to_owned()), "{lines:?}");
    let journal = home.path().join("adjutant/sessions/own/journal.jsonl");
    assert!(!std::fs::read_to_string(journal).unwrap().contains("never"));
}

#[test]
fn settings_choose_dice_clock_colours_and_pager() {
    let home = tempfile::tempdir().unwrap();
    set_up(
        home.path(),
        "dice = \"physical\"\nclock = 7\ncolor = \"never\"\npager = \"sed s/^/pager:/\"\n",
    );
    let mut game = orchard(home.path(), &["--in-memory"], &[("PAGER", "cat")]);
    game.shows("each turn has 7:00 min");
    game.shows("(not saved)> ");
    game.line("next", "roll 1d6 (or 2 rolls at once): ");
    game.interrupt();
    let found = game.0.expect("> ").unwrap();
    let shown = String::from_utf8_lossy(found.before()).into_owned();
    assert!(!shown.contains("\u{1b}[1m"), "{shown:?}");
    game.line("help console", "pager:");
    game.shows("> ");
    game.give_up();
    // The command line goes first.
    let chosen = ["--in-memory", "--dice", "auto", "--color", "always"];
    let mut game = orchard(home.path(), &chosen, &[]);
    game.shows("\u{1b}[1m");
    game.shows("each turn has 7:00 min");
    game.shows("(not saved)> ");
    game.line("next", "frost creeps");
    game.shows("> ");
    game.give_up();
}

#[test]
fn settings_with_a_slip_are_named_and_the_game_begins() {
    let home = tempfile::tempdir().unwrap();
    set_up(home.path(), "clock = 5\ncolour = \"never\"\n");
    let mut game = orchard(home.path(), &["--in-memory", "--color", "never"], &[]);
    game.shows("config.toml`, line 2: unknown field `colour`");
    game.shows("set-up (not saved)> ");
    game.give_up();
}

/// What is on the screen up to the first prompt, without what moves the cursor.
fn opening(home: &Path, game: &str) -> String {
    let arguments = ["play", game, "--color", "never"];
    let mut terminal = Terminal::with_environment(home, &arguments, &[]);
    let found = terminal.0.expect("set-up> ").unwrap();
    anstream::adapter::strip_str(&String::from_utf8_lossy(found.before())).to_string()
}

#[test]
fn the_opening_fits_a_low_screen_and_spells_out_no_hash() {
    for game in ["blitz", "firefight", "house-clearing", "mtb", "tarr"] {
        let home = tempfile::tempdir().unwrap();
        let shown = opening(home.path(), game);
        let rows: usize =
            shown.lines().map(|line| line.trim_end().chars().count().div_ceil(80).max(1)).sum();
        assert!(rows <= 23, "{game}: {rows} rows\n{shown}");
        let is_hash = |word: &str| word.len() > 20 && word.chars().all(|c| c.is_ascii_hexdigit());
        assert!(!shown.split_whitespace().any(is_hash), "{shown}");
        assert!(shown.contains("the dice are sealed by "), "{shown}");
    }
}

#[test]
fn what_is_looked_up_during_a_question_is_the_table_before_the_command() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "blitz", "--seed", "plover", "--in-memory", "--dice", "physical"];
    let mut game = Terminal::begin(home.path(), &arguments);
    game.shows("set-up (not saved)> ");
    // Four dice are thrown, one after the other or together.
    game.line("next", "roll 1d6 (or 4 rolls at once): ");
    for (line, shown) in [
        ("map", "ground"),
        ("show t1", "team t1"),
        ("where t1", "team t1"),
        ("why a2", "a2 is unchanged"),
    ] {
        game.line(line, "The table before this command:");
        game.shows(shown);
        game.shows("roll 1d6 (or 4 rolls at once): ");
    }
    // What has nothing to do with the table doesn't.
    game.0.send_line("seal").unwrap();
    let found = game.0.expect("roll 1d6 (or 4 rolls at once): ").unwrap();
    assert!(!String::from_utf8_lossy(found.before()).contains("before this command"));
    game.line("6 6 6 6", "a2 (fire 1) → a1    [6]*");
    // With these faces a fifth follows.
    game.line("6", "1.1 spread (not saved)> ");
    game.give_up();
}

#[test]
fn dice_of_one_rule_are_real_when_a_phase_rolls_them() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "blitz", "--seed", "plover", "--in-memory"];
    let mut game = Terminal::begin(home.path(), &arguments);
    game.shows("set-up (not saved)> ");
    game.line("dice physical bomb-run", "the players roll the dice for `bomb-run`");
    // The phases before it are the machine's.
    game.line("next", "1.1 spread (not saved)> ");
    game.line("next", "1.2 growth (not saved)> ");
    game.line("next", "Bomb run · roll 2d6: ");
    game.line("3 4", "[3 4]* = 7");
    game.shows("1.5 bombs (not saved)> ");
    game.give_up();
}

/// Rules with a question whose answer matters, and with one whose answer doesn't.
const QUESTIONS: &str = r#"
[game]
title = "Questions"
[kind.man]
loud = { flag = true }
[rule.whisper]
usage = "whisper <who:man>"
after = """
let heard = ask "Does anybody hear it?"
who.loud = false
say "{who} whispers"
"""
[rule.shout]
usage = "shout <who:man>"
after = """
let heard = ask "Does anybody hear it?"
who.loud = heard
say "{who} shouts"
"""
[rule.call]
usage = "call <who:man>"
after = """
let whom = ask "Whom?" among m in men where m != who
say "{who} calls {whom}"
"""
[scenario.yard.pieces.man]
ann = {}
bob = {}
"#;

#[test]
fn a_question_whose_answers_come_to_the_same_is_not_asked() {
    let home = tempfile::tempdir().unwrap();
    let rules = home.path().join("questions.toml");
    std::fs::write(&rules, QUESTIONS.replace("[kind.man]", "[kind.man]\nplural = \"men\""))
        .unwrap();
    let rules = rules.to_str().unwrap();
    let mut game = Terminal::begin(home.path(), &["play", rules, "--in-memory"]);
    game.shows("(not saved)> ");
    game.line("shout ann", "Does anybody hear it?");
    game.line("yes", "ann shouts");
    game.shows("(not saved)> ");
    // Nothing depends on the answer, and of the other there is only one.
    for (line, shown) in [("whisper bob", "bob whispers"), ("call ann", "ann calls bob")] {
        game.0.send_line(line).unwrap();
        let found = game.0.expect(shown).unwrap();
        let before = String::from_utf8_lossy(found.before()).into_owned();
        assert!(!before.contains("answer ("), "{before}");
        game.shows("(not saved)> ");
    }
    // Words that people say with a yes or no are no answers to further questions.
    for answer in ["yes out the back", "No, nobody.", "n he stays put"] {
        game.line("shout ann", "Does anybody hear it?");
        game.shows("to cancel)> ");
        game.line(answer, "ann shouts");
        game.shows("(not saved)> ");
    }
    game.line("shout ann", "Does anybody hear it?");
    game.shows("to cancel)> ");
    game.line("yes 3", "unexpected `3`");
    game.shows("to cancel)> ");
    game.line("yes", "ann shouts");
    game.shows("(not saved)> ");
    game.give_up();
    // From a pipe it is answered as before: a script is the same for every program that reads it.
    let lines = "whisper bob\nno\n";
    let test = crate::kit::adjutant(["play", rules, "--in-memory"]).stdin(lines);
    test.stdout_has("Does anybody hear it? no").success();
}

#[test]
fn a_whole_armys_move_does_not_pass_in_silence() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "tarr", "--seed", "plover", "--in-memory"];
    let mut game = Terminal::begin(home.path(), &arguments);
    game.shows("set-up (not saved)> ");
    game.line("next", "1.1 order (not saved)> ");
    game.line("next", "1.2 move german (not saved)> ");
    game.line("next", "no one has acted in phase 2 (Moves)");
    game.shows("1.2 move german (not saved)> ");
    game.line("next", "1.2 move russian (not saved)> ");
    // The umpire knows by now that `next` lets a side pass.
    game.line("next", "no one acted in phase 2 (Moves); `undo` goes back to it");
    game.shows("1.3 fire");
    game.give_up();
}

#[test]
fn steps_that_were_let_pass_once_are_left_with_a_line() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "house-clearing", "--seed", "plover", "--in-memory"];
    let mut game = Terminal::begin(home.path(), &arguments);
    game.shows("set-up (not saved)> ");
    game.line("next to fire-three", "1.6 fire-three (not saved)> ");
    game.line("next", "repeat `next` to continue");
    game.shows("1.6 fire-three (not saved)> ");
    game.line("next", "1.7 fire-two (not saved)> ");
    // The other fire steps don't stop any more, in this turn and the next.
    game.line(
        "next",
        "not done: attackers's doxey; defenders's braun (still to fire); `undo` goes",
    );
    game.shows("1.8 fire-one (not saved)> ");
    game.line("next", "not done: ");
    game.shows("1.9 fire-zero (not saved)> ");
    game.give_up();
}

#[test]
fn for_a_screen_reader_nothing_is_drawn_again() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "blitz", "--seed", "plover", "--in-memory", "--plain"];
    let mut game = Terminal::with_environment(home.path(), &arguments, &[]);
    game.shows("set-up (not saved)> ");
    // No ghost text, no colours; a long answer isn't stopped.
    game.line("show", "ladder3, belongs to: pump1");
    let found = game.0.expect("set-up (not saved)> ").unwrap();
    assert!(!String::from_utf8_lossy(found.before()).contains("more lines"));
    game.line("map", "b1: building, fire 3");
    game.shows("set-up (not saved)> ");
    game.0.send("next").unwrap();
    game.shows("next");
    thread::sleep(Duration::from_millis(300));
    let unread = game.unread();
    assert!(!unread.contains("phases"), "{unread}");
    game.line("", "1.1 spread (not saved)> ");
    game.give_up();
}

#[test]
fn what_is_typed_ahead_is_echoed_once_and_ctrl_d_is_not_lost() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["play", "blitz", "--scenario", "st-pauls", "--session", "ahead"];
    let mut game = Terminal::begin(home.path(), &arguments);
    game.shows("set-up> ");
    // A line that takes a while, and more while it is carried out.
    game.0.send_line("next turn").unwrap();
    thread::sleep(Duration::from_millis(40));
    game.0.send_line("note typed-ahead").unwrap();
    game.0.send("\u{4}").unwrap();
    let found = game.0.expect(Eof).unwrap();
    let shown = anstream::adapter::strip_str(&String::from_utf8_lossy(found.before())).to_string();
    // The terminal echoes nothing: what is typed is drawn after its prompt only.
    assert!(!shown.lines().any(|line| line.trim() == "note typed-ahead"), "{shown}");
    let status = game.0.get_process().wait().unwrap();
    assert!(matches!(status, WaitStatus::Exited(_, 0)), "{status:?}");
    assert_eq!(recorded_lines(home.path(), "ahead").last().unwrap(), "note typed-ahead");
}
