//! The players' screen: what it shows, to whom, and what strangers at the door get.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use adjutant::session_folder;
use adjutant_engine::console::Desk;
use adjutant_engine::referee::Viewer;
use adjutant_engine::render::screen::{self, Layout, Story};
use adjutant_engine::session::Session;
use serde_json::{Value, json};

use crate::kit::Table;
use crate::kit::driver::Driver;
use crate::kit::session::{keep, open};
use crate::plan_picture::{example, well_formed};

/// A game that is kept, and its screen beside it; both end with it.
pub(crate) struct Hall {
    pub(crate) home: tempfile::TempDir,
    play: (Child, ChildStdin),
    /// What is printed at the prompt, and when.
    printed: Receiver<(Instant, String)>,
    pub(crate) screen: (Child, ChildStdin, BufReader<ChildStdout>),
    url: String,
    sides: Vec<String>,
}

pub(crate) fn start(home: &Path, arguments: &[&str]) -> (Child, ChildStdin, ChildStdout) {
    let built = || assert_cmd::cargo::cargo_bin!("adjutant").into();
    let mut command = Command::new(std::env::var_os("ADJUTANT").unwrap_or_else(built));
    command.args(arguments).env("XDG_DATA_HOME", home).env("HOME", home);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    (child, stdin, stdout)
}

impl Hall {
    fn of(game: &str, more: &[&str]) -> Hall {
        Hall::at(&[game], more)
    }

    /// Plays a game with these arguments, and starts its screen with those in `more`.
    pub(crate) fn at(game: &[&str], more: &[&str]) -> Hall {
        let home = tempfile::tempdir().unwrap();
        let arguments = [&["play"], game, &["--seed", "candle", "--session", "evening"]].concat();
        let (play, lines, printed) = start(home.path(), &arguments);
        let (read_out, to_read) = channel();
        thread::spawn(move || {
            for line in BufReader::new(printed).lines().map_while(Result::ok) {
                let _ = read_out.send((Instant::now(), line));
            }
        });
        let journal = home.path().join("adjutant/sessions/evening/journal.jsonl");
        until("the game begins", || journal.exists());
        let arguments = ["screen", "evening", "--beside", "--port", "0"];
        let (child, stdin, stdout) = start(home.path(), &[&arguments, more].concat());
        let mut screen = (child, stdin, BufReader::new(stdout));
        let first = read(&mut screen.2);
        let url = first["data"]["addresses"][0].as_str().unwrap().to_owned();
        let lines_of = first["lines"].as_array().unwrap().iter().map(|l| l.as_str().unwrap());
        let sides = lines_of.filter_map(|l| Some(l.split_once(" alone: ")?.1.to_owned())).collect();
        Hall { home, play: (play, lines), printed: to_read, screen, url, sides }
    }

    pub(crate) fn types(&mut self, line: &str) {
        writeln!(self.play.1, "{line}").unwrap();
    }

    /// Asks the screen something.
    pub(crate) fn says(&mut self, line: &str) -> Value {
        writeln!(self.screen.1, "{line}").unwrap();
        read(&mut self.screen.2)
    }

    pub(crate) fn host(&self) -> String {
        self.url.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned()
    }

    /// Sends a request as it is, and returns all that comes back.
    pub(crate) fn sends(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        // A door that is shut on what was not read yet is an answer, too.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub(crate) fn gets(&self, path: &str) -> String {
        self.sends(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host()))
    }

    /// Follows a page.
    fn follows(&self, path: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let host = self.host();
        let head =
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        BufReader::new(stream)
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        for child in [&mut self.play.0, &mut self.screen.0] {
            let _ = child.kill();
            let _ = child.wait();
        }
        assert!(self.home.path().exists());
    }
}

pub(crate) fn read(from: &mut impl BufRead) -> Value {
    let mut line = String::new();
    from.read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))
}

/// Returns the next message.
fn message(from: &mut impl BufRead) -> Value {
    let mut line = String::new();
    loop {
        line.clear();
        assert!(from.read_line(&mut line).unwrap() > 0, "the stream has ended");
        if let Some(data) = line.strip_prefix("data: ") {
            return serde_json::from_str(data).unwrap();
        }
    }
}

pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "in a minute it did not come about that {what}"
        );
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_throw_comes_to_the_page_and_is_held_when_the_umpire_says() {
    let mut hall = Hall::of("blitz", &[]);
    let mut page = hall.follows("/");
    let first = message(&mut page);
    assert!(first["last"].as_str().unwrap().contains("nothing has been done yet"), "{first}");
    assert_eq!(first["left"], Value::Null);
    hall.types("next");
    let now = message(&mut page);
    let last = now["last"].as_str().unwrap();
    assert!(last.contains("class=\"die") && last.contains("≤ 3"), "{last}");
    assert!(now["hands"].as_str().unwrap().contains("red die"), "{now}");
    assert!(now["plan"].as_str().unwrap().contains("<svg class=\"plan\""));
    let who = hall.says("who");
    assert!(who["lines"][0].as_str().unwrap().contains("players, table: 1 page"), "{who}");
    // Held: modifiers and the chance, and no die.
    hall.says("hold");
    hall.types("next !");
    let held = message(&mut page);
    let last = held["last"].as_str().unwrap();
    assert!(last.contains("the umpire holds the dice") && last.contains(" each"), "{last}");
    assert!(!last.contains("class=\"pips\"") && !last.contains("verdict"), "{last}");
    assert_eq!(held["plan"], now["plan"]);
    hall.says("show");
    let shown = message(&mut page);
    assert!(shown["last"].as_str().unwrap().contains("fire growth"), "{shown}");
    // The clock is for all to see.
    writeln!(hall.screen.1, "clock 300000 1000").unwrap();
    let clock = message(&mut page)["left"].as_i64().unwrap();
    assert!((290_000..=299_000).contains(&clock), "{clock}");
    // Without a script the page holds all of it.
    let html = hall.gets("/");
    let (head, body) = html.split_once("\r\n\r\n").unwrap();
    assert!(
        head.contains("200 OK")
            && body.contains("fire growth")
            && body.contains("http-equiv=\"refresh\"")
    );
}

#[test]
fn the_door_is_shut_to_all_but_readers() {
    let mut hall = Hall::of("docs/examples/night-raid.toml", &[]);
    let host = hall.host();
    let page = hall.gets("/");
    for header in
        ["default-src 'none'", "no-store", "no-referrer", "nosniff", "frame-ancestors 'none'"]
    {
        assert!(page.contains(header), "{header} is missing in {page}");
    }
    assert!(!page.contains("unsafe") && !page.contains("mine1"));
    for method in ["POST", "HEAD", "PUT", "DELETE", "OPTIONS", "CONNECT"] {
        let answer = hall
            .sends(&format!("{method} / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n"));
        assert!(answer.contains(" 405 ") || answer.contains(" 400 "), "{method}: {answer}");
    }
    // Names of other sites, and no name at all.
    for name in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""] {
        let answer = hall.sends(&format!("GET / HTTP/1.1\r\nHost: {name}\r\n\r\n"));
        assert!(answer.contains(" 403 ") || answer.contains(" 400 "), "{name}: {answer}");
    }
    assert!(hall.sends("GET / HTTP/1.0\r\n\r\n").contains(" 403 "));
    // Two names, of which one reader takes the first, and another the last or the one in the first line.
    for two in [
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n"),
        format!("GET http://evil.example/ HTTP/1.1\r\nHost: {host}\r\n\r\n"),
    ] {
        assert!(hall.sends(&two).contains(" 403 "), "{two}");
    }
    // There is nothing else here, and a wrong key looks like any other path.
    let nothing = hall.gets("/side/0123456789abcdef");
    let body = |answer: &str| answer.split_once("\r\n\r\n").unwrap().1.to_owned();
    assert!(nothing.contains(" 404 "), "{nothing}");
    for path in [
        "/../journal.jsonl",
        "/side/",
        "/side/raid",
        "/%2e%2e/x",
        "/log/x",
        "/screen.json",
        "//",
        "/side//map",
    ] {
        let answer = hall.gets(path);
        assert!(answer.contains(" 404 "), "{path}: {answer}");
        assert_eq!(body(&answer), body(&nothing));
    }
    // Heads without end.
    let long =
        hall.sends(&format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "x".repeat(40_000)));
    assert!(!long.contains(" 200 "), "{long}");
    let many = "X: y\r\n".repeat(200);
    let many = hall.sends(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n{many}\r\n"));
    assert!(!many.contains(" 200 "), "{many}");
    assert!(hall.sends("\u{1}\u{2}\u{3}\r\n\r\n").contains(" 400 "));
    // One who says nothing is not waited for.
    let begun = Instant::now();
    assert!(!hall.sends("GET / HT").contains(" 200 ") && begun.elapsed() < Duration::from_secs(15));
    // A crowd does not keep the game waiting, and when it is gone the page is there.
    let crowd: Vec<_> = (0..300).filter_map(|_| TcpStream::connect(&host).ok()).collect();
    hall.types("note in a crowd");
    drop(crowd);
    until("the page is there", || hall.gets("/").contains("in a crowd"));
    assert_eq!(hall.says("new nobody")["lines"][0], "there is no side or player `nobody`");
}

#[test]
fn a_side_has_a_key_of_its_own_that_can_be_made_anew() {
    let mut hall = Hall::of("docs/examples/night-raid.toml", &[]);
    let path = |url: &str| format!("/{}", url.splitn(4, '/').last().unwrap());
    let [guard, raid] = [0, 1].map(|side: usize| path(&hall.sides[side]));
    assert!(guard.len() >= "/side/".len() + 16);
    let (mut of_guard, mut of_raid) = (hall.follows(&guard), hall.follows(&raid));
    let mut of_all = hall.follows("/");
    message(&mut of_all);
    assert!(message(&mut of_guard)["knows"].as_str().unwrap().contains("mine1"));
    assert!(!message(&mut of_raid).to_string().contains("mine1"));
    // What is sent is what `secrets` looks at, byte for byte.
    let folder = hall.home.path().join("adjutant/sessions/evening");
    let session = session_folder::read_session(&folder).unwrap().session;
    let side = |side: &str| Viewer::Side(side.to_owned());
    let pages = [("/", Viewer::Players), (&guard, side("guard")), (&raid, side("raid"))];
    for (path, viewer) in pages {
        let story = Story::new(&session, &viewer).unwrap();
        for (layout, part, _) in Layout::ALL {
            let address = format!("{}/{part}", path.trim_end_matches('/'));
            let page = format!("\r\n{}\r\n0\r\n\r\n", story.page(layout, path, "", ("", "")));
            assert!(hall.gets(&address).ends_with(&page), "{address}");
            let mut sent = message(&mut hall.follows(&address));
            sent.as_object_mut().unwrap().remove("left");
            assert_eq!(sent, json!(story.sections(layout)), "{address}");
        }
    }
    // Neither raid nor all are sent anything when guard writes its orders.
    hall.types("orders guard: look south");
    assert!(message(&mut of_guard)["knows"].as_str().unwrap().contains("look south"));
    hall.types("note all is written");
    for page in [&mut of_raid, &mut of_all] {
        let next = message(page).to_string();
        assert!(
            next.contains("all is written") && !next.contains("south") && !next.contains("orders"),
            "{next}"
        );
    }
    let said = hall.says("new raid");
    let renewed = path(said["data"]["addresses"][0].as_str().unwrap());
    assert_ne!(renewed, raid);
    // The page that had the old key is let go.
    of_raid.read_to_end(&mut Vec::new()).unwrap();
    assert!(hall.gets(&raid).contains(" 404 ") && hall.gets(&renewed).contains(" 200 "));
    assert!(hall.gets(&format!("{renewed}/map")).contains("<svg"));
}

#[test]
fn on_the_network_all_need_a_key_too() {
    let mut hall = Hall::of("blitz", &["--lan"]);
    let said = hall.says("where");
    let lines = said["lines"].to_string();
    assert!(
        lines.contains("█") && lines.contains("hotspot") && lines.contains("can read what is sent"),
        "{lines}"
    );
    let query = hall.url.split_once('?').unwrap().1.to_owned();
    for path in ["/", "/map", "/?key=", "/?key=000000"] {
        let answer = hall.sends(&format!("GET {path} HTTP/1.1\r\nHost: 192.0.2.7\r\n\r\n"));
        assert!(answer.contains(" 404 "), "{path}: {answer}");
    }
    let page = hall.gets(&format!("/map?{query}"));
    assert!(page.contains(" 200 ") && page.contains(&format!("href=\"/log?{query}\"")), "{page}");
    hall.says("new all");
    assert!(hall.gets(&format!("/?{query}")).contains(" 404 "));
}

/// `screen lan` ends the screen and starts it again at its port. A page on the umpire's own machine has no key then.
#[test]
fn a_page_on_this_machine_outlives_the_opening_to_the_network() {
    let mut hall = Hall::of("blitz", &[]);
    let mut page = hall.follows("/");
    assert!(message(&mut page)["last"].is_string());
    let port = hall.host().rsplit_once(':').unwrap().1.to_owned();
    hall.screen.0.kill().unwrap();
    hall.screen.0.wait().unwrap();
    let arguments = ["screen", "evening", "--beside", "--lan", "--port", &port];
    let (child, stdin, stdout) = start(hall.home.path(), &arguments);
    hall.screen = (child, stdin, BufReader::new(stdout));
    let first = read(&mut hall.screen.2);
    let query = first["data"]["addresses"][0].as_str().unwrap().split_once('?').unwrap().1;
    let mut page = hall.follows("/");
    assert!(message(&mut page)["last"].is_string());
    let opened = hall.gets("/");
    assert!(opened.contains(" 200 ") && !opened.contains(query), "{opened}");
    // Another key is no reason to let it go; a wrong one is wrong here, too.
    hall.says("new all");
    assert!(hall.gets("/").contains(" 200 "));
    assert!(hall.gets(&format!("/?{query}")).contains(" 404 "));
}

#[test]
fn names_and_notes_are_text() {
    let files = adjutant::shipped::files("blitz").unwrap();
    let mut table = Table::by("<b>game", &files, "", "candle");
    table.types("next\nnote <script>alert(1)</script> {{plan}} &amp; \"quoted\"");
    let story = Story::new(table.session(), &Viewer::Players).unwrap();
    for (layout, ..) in Layout::ALL {
        let page = story.page(layout, "/", "", ("4:10", ""));
        assert!(!page.contains("<script>alert") && !page.contains("<b>game"), "{page}");
        assert!(page.contains("4:10"));
        // What a note says is never taken for a place in the page.
        assert!(layout != Layout::All || page.contains("{{plan}} &amp;amp;"), "{page}");
        well_formed(&page);
    }
}

/// Of the phases that the line goes through, fire spreads to three areas in the first and grows in one in the second.
#[test]
fn all_that_one_line_brought_about_is_shown() {
    let mut table = Table::at("blitz", "surrey-docks", "candle");
    let mut followed = Story::new(table.session(), &Viewer::Players).unwrap();
    table.types("next to move");
    followed.update(table.session()).unwrap();
    let shown = followed.sections(Layout::All);
    // Areas for which the same is to be done are named together.
    for (areas, dice) in [("e1, d2, a8.1", 1), ("b1", 4)] {
        let change = format!("<b>{areas}</b> red die {dice}");
        assert!(shown["hands"].contains(&change), "{}", shown["hands"]);
    }
    assert!(shown["last"].contains("catches"), "{}", shown["last"]);
    assert_eq!(shown["plan"].matches("class=\"new\"").count(), 4);
    let log = &followed.sections(Layout::Log)["log"];
    assert_eq!(log.matches("<article>").count(), 1, "{log}");
}

/// Neither a slow machine nor a fast typist changes what one line brought about, and it is the same after `resume`.
#[test]
fn what_one_line_brought_about_does_not_depend_on_the_clock() {
    for pace in [0, 5_000] {
        let session = Table::at("blitz", "surrey-docks", "candle").into_session();
        let mut driver = Driver::at(Desk::default(), session);
        driver.pace = pace;
        let articles = |session: &Session| {
            let story = Story::new(session, &Viewer::Players).unwrap();
            story.sections(Layout::Log)["log"].matches("<article>").count()
        };
        let evening = [
            ("next to move", 1),
            ("next !", 2),
            ("next !", 3),
            ("undo", 2),
            ("redo", 3),
            ("next 2 !", 4),
        ];
        for (line, expected) in evening {
            driver.line(line).unwrap();
            assert_eq!(articles(driver.session()), expected, "after {line}, pace {pace}");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("evening");
        drop(keep(driver.console.into_session().unwrap(), &path));
        assert_eq!(articles(&open(&path, 1).session), 4);
    }
}

/// What is added one by one is what is told from the beginning.
#[test]
fn a_page_is_the_same_however_it_came_about() {
    for mut table in [Table::of("blitz"), Table::of("tarr"), example("night-raid")] {
        let viewers = [Viewer::Players, Viewer::Side("raid".to_owned()), Viewer::Umpire];
        let stories =
            |table: &Table| viewers.clone().map(|v| Story::new(table.session(), &v).unwrap());
        let mut followed = stories(&table);
        for line in [
            "next",
            "roll 3d6",
            "note one",
            "next !",
            "undo",
            "redo",
            "note two",
            "undo 2",
            "next !",
            "roll secret d6",
        ] {
            table.feed(line);
            for story in &mut followed {
                story.update(table.session()).unwrap();
            }
            for (followed, anew) in followed.iter().zip(&stories(&table)) {
                for (layout, ..) in Layout::ALL {
                    assert_eq!(followed.sections(layout), anew.sections(layout), "after {line}");
                }
            }
        }
    }
}

/// Returns the sections of a page.
fn page_of(table: &Table, viewer: &Viewer, layout: Layout) -> screen::Sections {
    Story::new(table.session(), viewer).unwrap().sections(layout)
}

/// With real dice the umpire answers which card was drawn. The page shows the answer as the draw, not as a question too.
#[test]
fn a_card_drawn_by_hand_is_shown_once() {
    let mut table = Table::of("firefight");
    table.types("dice physical\nnext\ndraw\namerican-able");
    let last = &page_of(&table, &Viewer::Players, Layout::All)["last"];
    assert!(last.contains("drawn from the cup"), "{last}");
    assert!(!last.contains("What was drawn from"), "{last}");
}

/// Players read neither numbers of phases nor names of parameters.
#[test]
fn an_outcome_is_in_the_words_of_players() {
    let mut table = example("modern-skirmish");
    let page = |table: &Table| page_of(table, &Viewer::Players, Layout::All);
    table.types("next");
    let last = page(&table)["last"].clone();
    assert!(last.contains(">shooting · wardens<"), "{last}");
    table.types("shoot alpha at claws with shredder 12");
    let last = page(&table)["last"].clone();
    assert!(last.contains("Shoot: alpha, claws, shredder, 12 inches<"), "{last}");
    table.types("note what it came to\nnext");
    let log = &page(&table)["log"];
    assert!(log.contains("turn 1, shooting · wardens") && !log.contains("1 shooting"), "{log}");
}

/// A television shows earlier outcomes below one that changes nothing on the table.
/// Orchard: frost creeps by itself, then the keepers work. A lamp is a marker, and a throw for apples changes nothing.
#[test]
fn an_outcome_without_instructions_says_so() {
    let mut table = Table::of("orchard");
    let note = |table: &Table| {
        let page = page_of(table, &Viewer::Players, Layout::All);
        let television = page_of(table, &Viewer::Players, Layout::Television);
        let says = |words: &str| page["last"].contains(words) && television["last"].contains(words);
        let begins = says("the phase begins; no markers to change");
        (begins, says("no markers to change"), !page["hands"].is_empty())
    };
    table.types("next to work");
    assert_eq!(note(&table), (false, false, true), "frost has crept on");
    table.types("light c1 by ann");
    assert_eq!(note(&table), (false, false, true));
    table.types("gather 1 with ann");
    assert_eq!(note(&table), (false, true, false));
    let mut quiet = Table::of("orchard");
    quiet.types("set a1.frost 0\nnext");
    assert_eq!(note(&quiet), (true, true, false), "{}", quiet.printed);
}

#[test]
fn a_television_has_the_earlier_outcomes() {
    let mut table = Table::of("blitz");
    table.types("next\nnote first\nnote second");
    let page = page_of(&table, &Viewer::Players, Layout::Television);
    assert!(page["last"].contains("second") && page["hands"].is_empty(), "{page:?}");
    assert!(page["log"].contains("first") && !page["log"].contains("second"), "{}", page["log"]);
}

#[test]
fn the_hands_are_told_what_to_put_back() {
    let mut table = Table::of("blitz");
    let page = |table: &Table| page_of(table, &Viewer::Players, Layout::All);
    table.types("next\nset a1.damp 2");
    assert!(page(&table)["hands"].contains("<b>a1</b> blue die 2"), "{}", page(&table)["hands"]);
    table.types("undo");
    let undone = page(&table);
    assert!(undone["hands"].contains("<b>a1</b> blue die off"), "{}", undone["hands"]);
    assert!(undone["last"].contains("has undone this"), "{}", undone["last"]);
    // The frame is around the area that changed back.
    assert_eq!(undone["plan"].matches("class=\"new\"").count(), 1);
    // Looks leave the page as it is, and so does what players don't see.
    table.types("show\nodds 2d6\nmap");
    assert_eq!(page(&table), undone);
    table.types("redo");
    let redone = page(&table);
    assert!(redone["hands"].contains("blue die 2") && redone["last"].contains("redone"));
    table.types("note on it goes");
    let after = page(&table);
    assert!(after["hands"].is_empty() && after["last"].contains("on it goes"), "{after:?}");
    // After two undos in a row, the page lists what to put back for both.
    table.types("set a1.damp 1\nset b1.damp 1\nundo\nundo");
    let undone = page(&table);
    let hands = &undone["hands"];
    assert!(hands.contains("<b>a1</b> blue die 2"), "{hands}");
    assert!(hands.contains("<b>b1</b> blue die off"), "{hands}");
}

#[test]
fn a_figure_goes_back_when_its_move_is_undone_or_amended() {
    let mut table = Table::at("house-clearing", "window-and-doorway", "candle");
    let hands = |table: &Table| page_of(table, &Viewer::Players, Layout::All)["hands"].clone();
    table.types("next\nmove pike 4");
    assert!(hands(&table).contains("pike</b> moves 4 in"), "{}", hands(&table));
    table.types("amend 2 move pike 3");
    let amended = hands(&table);
    assert!(amended.contains("pike</b> back (moves 4 in"), "{amended}");
    assert!(amended.contains("moves 3 in"), "{amended}");
    table.types("undo 2");
    // The figure has gone 3 inches; the amendment and the command are both undone.
    let undone = hands(&table);
    assert!(undone.contains("pike</b> back (moves 3 in"), "{undone}");
    assert!(!undone.contains("moves 4 in"), "{undone}");
}

#[test]
fn a_game_that_goes_on_after_its_end_says_so() {
    let mut table = example("modern-skirmish");
    let header = |table: &Table| page_of(table, &Viewer::Players, Layout::All)["place"].clone();
    table.types("next\nset state.turn 6\nnote well played");
    assert!(header(&table).contains("night falls</p>"), "{}", header(&table));
    table.types("next");
    assert!(header(&table).contains("night falls; play continues</p>"), "{}", header(&table));
}

/// One `undo` goes back through the amendment, and then through the command as it was first typed.
#[test]
fn undoing_an_amended_command_puts_back_what_was_before_it() {
    let mut table = Table::of("blitz");
    table.types("next\nset a1.damp 2\namend 2 set a1.damp 3");
    let page = page_of(&table, &Viewer::Players, Layout::All);
    assert!(page["hands"].contains("<b>a1</b> blue die 3"), "{}", page["hands"]);
    table.types("undo 2");
    let page = page_of(&table, &Viewer::Players, Layout::All);
    assert!(page["hands"].contains("<b>a1</b> blue die off"), "{}", page["hands"]);
}

#[test]
fn undoing_a_secret_tells_nobody() {
    let mut table = example("night-raid");
    table.types("next\nnote a quiet night");
    let pages = |table: &Table| {
        let viewers = [Viewer::Players, Viewer::Side("raid".to_owned())];
        viewers.map(|viewer| Layout::ALL.map(|(layout, ..)| page_of(table, &viewer, layout)))
    };
    let before = pages(&table);
    table.types("orders guard: look south\nundo");
    assert_eq!(pages(&table), before);
    // After an undoing that all saw, a secret one leaves that on the page.
    table.types("note one\nset swift.hull 1\nundo");
    let before = pages(&table);
    table.types("orders guard: look south\nundo");
    assert_eq!(pages(&table), before);
}

#[test]
fn one_address_follows_at_most_48_pages_and_may_still_ask() {
    let mut hall = Hall::of("blitz", &[]);
    let mut pages: Vec<_> = (0..48).map(|_| hall.follows("/log")).collect();
    pages.iter_mut().for_each(|page| drop(message(page)));
    // One more is refused, and takes nothing from the others.
    let mut refused = String::new();
    hall.follows("/log").read_to_string(&mut refused).unwrap();
    assert!(refused.is_empty() || refused.contains("too many pages"), "{refused}");
    hall.types("note to all of them");
    for page in &mut pages {
        assert!(message(page)["log"].as_str().unwrap().contains("to all of them"));
    }
    until("a page is read", || hall.gets("/log").contains("to all of them"));
    pages.pop();
    until("there is room again", || {
        let mut page = hall.follows("/log");
        let mut line = String::new();
        page.read_line(&mut line).is_ok_and(|bytes| bytes > 0)
    });
}

/// Five hundred connections that say nothing and 64 readers of one page, each lot from an address of its own, and one
/// who asks from a third: this machine has a whole network of addresses. More of both come between any two requests.
#[cfg(target_os = "linux")]
#[test]
fn nobody_locks_others_out() {
    let mut hall = Hall::of("blitz", &[]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let host = hall.host();
    let connect = |from: &str| -> TcpStream {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
        let stream = runtime.block_on(socket.connect(host.parse().unwrap())).unwrap();
        let stream = runtime.block_on(async { stream.into_std() }).unwrap();
        stream.set_nonblocking(false).unwrap();
        stream
    };
    let request = format!("GET /log HTTP/1.1\r\nHost: {host}\r\n");
    let reads = || {
        let mut reader = connect("127.0.0.3");
        let _ = write!(reader, "{request}Accept: text/event-stream\r\n\r\n");
        reader
    };
    let mut silent: Vec<TcpStream> = (0..500).map(|_| connect("127.0.0.2")).collect();
    let mut readers: Vec<TcpStream> = (0..64).map(|_| reads()).collect();
    hall.types("note still here");
    until("the page is up to date", || hall.gets("/log").contains("still here"));
    for asked in 0..60 {
        // Whoever was shut out comes back at once.
        silent.extend((0..2).map(|_| connect("127.0.0.2")));
        readers.push(reads());
        let answer = hall.gets("/log");
        assert!(answer.starts_with("HTTP/1.1 200"), "request {asked}: {answer}");
    }
    let mut page = hall.follows("/log");
    assert!(message(&mut page)["log"].as_str().unwrap().contains("still here"));
    drop((silent, readers));
}

/// Connects from an address of this machine.
#[cfg(target_os = "linux")]
fn connect_from(from: &str, host: &str) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
    let stream = runtime.block_on(socket.connect(host.parse().unwrap())).unwrap();
    let stream = runtime.block_on(async { stream.into_std() }).unwrap();
    stream.set_nonblocking(false).unwrap();
    stream
}

/// Other ways to fill the hall: requests that are never finished, many addresses with few connections each, readers at
/// many addresses who never read.
#[cfg(target_os = "linux")]
#[test]
fn nobody_locks_others_out_by_patience_or_by_numbers() {
    let mut hall = Hall::of("blitz", &[]);
    let host = hall.host();
    let follow = format!("GET /log HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n\r\n");
    let crowds: [(&str, usize, usize, &str); 3] = [
        ("half a request", 1, 300, "GET /log HTTP/1.1\r\nHost: "),
        ("many addresses", 100, 4, ""),
        ("readers who never read", 8, 40, &follow),
    ];
    for (number, (crowd, addresses, each, words)) in crowds.into_iter().enumerate() {
        let mut open = Vec::new();
        for address in 0..addresses {
            for _ in 0..each {
                let mut stream =
                    connect_from(&format!("127.0.{}.{}", number + 1, address + 2), &host);
                // The door may be shut already.
                let _ = stream.write_all(words.as_bytes());
                open.push(stream);
            }
        }
        hall.types(&format!("note in spite of {crowd}"));
        until("the page is up to date", || hall.gets("/log").contains(crowd));
        for asked in 0..60 {
            let answer = hall.gets("/log");
            assert!(answer.starts_with("HTTP/1.1 200"), "{crowd}, request {asked}: {answer}");
        }
        drop(open);
    }
}

/// A thousand strangers at the door, while it is asked for: some say nothing, some half of a request, some nonsense, and
/// the oldest makes room for the next.
fn crowd(host: String, is_there: Arc<AtomicBool>) {
    let said = ["", "GET / HT", "\u{1}\u{2}\r\n\r\n", "POST / HTTP/1.1\r\nHost: x\r\n\r\n"];
    let mut open = VecDeque::new();
    thread::spawn(move || {
        for words in said.iter().cycle() {
            while !is_there.load(Ordering::Relaxed) {
                open.clear();
                thread::sleep(Duration::from_millis(1));
            }
            if let Ok(mut stream) = TcpStream::connect(&host) {
                let _ = stream.write_all(words.as_bytes());
                open.push_back(stream);
            }
            if open.len() > 1_000 {
                open.pop_front();
                thread::sleep(Duration::from_millis(1));
            }
        }
    });
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// From a line typed to the slowest of twenty pages, and to its answer at the prompt: in a game without a screen, in one
/// with twenty pages, in one with a crowd at the door, and in one with pages that take nothing. What it says of a
/// machine stands in `docs/performance.md`.
#[test]
#[ignore = "a benchmark: ADJUTANT names a release build, and the machine should have nothing else to do"]
fn pages_are_quick_and_hold_up_nothing_long() {
    const LINES: usize = 100;
    let mut halls = [(); 4].map(|()| Hall::of("blitz", &[]));
    halls[0].screen.0.kill().unwrap();
    let (arrived, arrivals) = channel();
    for _ in 0..20 {
        let (mut page, arrived) = (halls[1].follows("/"), arrived.clone());
        thread::spawn(move || {
            let mut line = String::new();
            while page.read_line(&mut line).is_ok_and(|read| read > 0) {
                let _ = arrived.send((Instant::now(), std::mem::take(&mut line)));
            }
        });
    }
    let is_crowded = Arc::new(AtomicBool::new(false));
    crowd(halls[2].host(), is_crowded.clone());
    let stopped: Vec<_> = (0..20).map(|_| halls[3].follows("/")).collect();
    let mut prompts = [(); 4].map(|()| Vec::new());
    let mut pages = Vec::new();
    for number in 0..LINES {
        for (place, hall) in halls.iter_mut().enumerate() {
            is_crowded.store(place == 2, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(if place == 2 { 400 } else { 60 }));
            let typed = format!("roll 4d6+{number}");
            let begun = Instant::now();
            hall.types(&typed);
            let (answered, words) = hall.printed.recv().unwrap();
            assert!(words.contains(&format!("+ {number} = ")), "{words}");
            prompts[place].push(1e3 * (answered - begun).as_secs_f64());
            if place == 1 {
                // Pages show no typed lines, and the total is in another element.
                let faces = format!("] + {number}<");
                let shown = arrivals.iter().filter(|(_, line)| line.contains(&faces));
                let slowest = shown.take(20).map(|(at, _)| at).max().unwrap();
                pages.push(1e3 * (slowest - begun).as_secs_f64());
            }
        }
    }
    drop(stopped);
    let slowest = median(&mut pages);
    let [alone, others @ ..] = prompts.each_mut().map(|times| median(times));
    println!("to the slowest of 20 pages: {slowest:.1} ms; at worst {:.1} ms", pages[LINES - 1]);
    println!(
        "at the prompt: {alone:.2} ms; with 20 pages, a crowd, stopped pages: {others:.2?} ms"
    );
    // Among the other long tests, and unoptimised, it is no benchmark.
    if std::env::var_os("ADJUTANT").is_some() {
        assert!(slowest < 100.0 && others.iter().all(|time| time - alone < 1.0));
    }
}
