//! A game played by lines, without a process: `Table::of("orchard").lines("next\nwalk ann b2").expect("ann to b2")`.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::rc::Rc;
use std::sync::Arc;

use adjutant::console::Game;
use adjutant::console::pipe::{self, PipeEnd};
use adjutant::shipped;
use adjutant_dice::Seed;
use adjutant_engine::referee::Referee;
use adjutant_engine::render::PrintLayout;
use adjutant_engine::ruleset::{self, FileText};
use adjutant_engine::session::{Beginning, Session};

use super::session::{Saved, fixture};

/// The layout of a pipe.
pub const LAYOUT: PrintLayout = PrintLayout::Columns { width: 80, styled: false };

/// A game being played, and what the last lines printed.
pub struct Table {
    pub game: Game,
    pub printed: String,
}

impl Table {
    /// The first scenario of a shipped game or of one in `tests/fixtures`, with the seed `candle`.
    pub fn of(game: &str) -> Table {
        Table::at(game, "", "candle")
    }

    /// A scenario, or the first if it has no name, with a seed.
    pub fn at(game: &str, scenario: &str, seed: &str) -> Table {
        let files = shipped::files(game).unwrap_or_else(|| fixture(game));
        Table::by(game, &files, scenario, seed)
    }

    /// A scenario of a game in these files.
    pub fn by(game: &str, files: &[FileText], scenario: &str, seed: &str) -> Table {
        let rules = ruleset::load(files.to_vec()).unwrap_or_else(|f| panic!("{:?}", f.faults));
        let found = match scenario {
            "" => rules.scenarios.iter().find(|s| !s.hidden).cloned(),
            name => rules.scenarios.iter().find(|s| s.name == name).cloned(),
        };
        let beginning = Beginning {
            game,
            files,
            shipped: shipped::files,
            scenario: &found.unwrap(),
            seed: Seed::from_text(seed),
            seed_text: Some(seed),
            at: 0,
        };
        Table::with(Session::begin(Referee::new(Arc::new(rules)), beginning).unwrap().0)
    }

    /// A session that is under way.
    pub fn with(session: Session) -> Table {
        Table { game: Game::new(session, None, false, false), printed: String::new() }
    }

    /// A saved session that is under way.
    pub fn saved(saved: Saved) -> Table {
        let game = Game::new(saved.session, Some(saved.folder), false, false);
        Table { game, printed: String::new() }
    }

    /// The session as it is.
    pub fn session(&self) -> &Session {
        self.game.console.session().unwrap()
    }

    /// The session, when play is over.
    pub fn into_session(self) -> Session {
        self.game.console.into_session().unwrap()
    }

    /// The prompt for the next line.
    pub fn prompt(&self) -> String {
        self.game.console.prompt(0)
    }

    /// Lets chance answer what the rules ask from now on, or the umpire.
    pub fn ask_random(self, random: bool) -> Table {
        let Game { console, mut folder, root, reread, .. } = self.game;
        let mut session = console.into_session().unwrap();
        adjutant::session_folder::record(folder.as_mut(), &mut session, |s| {
            s.set_ask_random(random, 0)
        })
        .unwrap();
        let mut game = Game::new(session, folder, false, false);
        game.root = root;
        game.reread = reread;
        Table { game, printed: String::new() }
    }

    /// Types these lines; all of them must go well.
    pub fn lines(mut self, lines: &str) -> Table {
        self.types(lines);
        self
    }

    /// Types these lines; all of them must go well. Returns what they printed.
    pub fn types(&mut self, lines: &str) -> &str {
        if let Some(error) = self.feed(lines) {
            panic!("{error}\n{lines}");
        }
        &self.printed
    }

    /// Types these lines, of which one must fail. Returns why.
    pub fn refuses(&mut self, lines: &str) -> String {
        self.feed(lines).unwrap_or_else(|| panic!("all went well:\n{}", self.printed))
    }

    /// What the last lines printed must hold this.
    pub fn expect(self, part: &str) -> Table {
        assert!(self.printed.contains(part), "no `{part}` in:\n{}", self.printed);
        self
    }

    /// Types lines until one fails, and says why it did.
    pub fn feed(&mut self, lines: &str) -> Option<String> {
        let mut out = Vec::new();
        let ended = pipe::run(&mut self.game, lines.as_bytes(), &mut out, LAYOUT);
        self.printed = String::from_utf8(out).unwrap();
        why(ended)
    }

    /// Types the lines that stand behind `> ` in a block. Returns the block with what each of them printed.
    pub fn retype(&mut self, block: &str) -> String {
        let lines = block.lines().filter_map(|l| l.strip_prefix("> "));
        let echo = Echo::default();
        let typed = Typed { lines: lines.map(str::to_owned).collect(), echo: echo.clone() };
        let ended = pipe::run(&mut self.game, BufReader::new(typed), echo.clone(), LAYOUT);
        let text = String::from_utf8(echo.0.take()).unwrap();
        text + &why(ended).unwrap_or_default()
    }
}

/// Why the lines ended before their end, as the program says it.
fn why(ended: PipeEnd) -> Option<String> {
    match ended {
        PipeEnd::Well => None,
        PipeEnd::Failed(number, text) => Some(format!("line {number}: {}", text.plain(80))),
        PipeEnd::Write(error) => panic!("{error}"),
    }
}

/// What is printed, shared with whoever types.
#[derive(Clone, Default)]
struct Echo(Rc<RefCell<Vec<u8>>>);

impl Write for Echo {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Lines that show in what is printed, each when it is read.
struct Typed {
    lines: VecDeque<String>,
    echo: Echo,
}

impl Read for Typed {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let Some(line) = self.lines.pop_front() else { return Ok(0) };
        writeln!(self.echo, "> {line}")?;
        room[..=line.len()].copy_from_slice(format!("{line}\n").as_bytes());
        Ok(line.len() + 1)
    }
}
