//! `adjutant play`: a game played at the prompt, or with lines from a pipe. If the program is
//! started without a subcommand, the umpire chooses a game first.

use std::io;
use std::io::{IsTerminal, Write};
use std::path::Path;

use adjutant_dice::Seed;
use adjutant_engine::console::Reply;
use adjutant_engine::names::count_with_noun;
use adjutant_engine::referee::Referee;
use adjutant_engine::render::markup::{Line, Role, Text};
use adjutant_engine::render::message;
use adjutant_engine::render::view::View;
use adjutant_engine::ruleset::Ruleset;
use adjutant_engine::session::{BeginError, Beginning, Notice, RealDice, Session};
use adjutant_engine::tabletop::{Scenario, TourLine};
use adjutant_engine::{names, render};
use anstream::ColorChoice;
use clap::ValueEnum;
use rand::TryRng;
use rand::rngs::SysRng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cli::config::{ColorSetting, Config};
use crate::cli::output::Screen;
use crate::cli::{Code, Ended, Failed, candidates, games, library, output, sessions};
use crate::clock::current_time;
use crate::console::interrupt::InterruptibleInput;
use crate::console::keyboard::{Keyboard, Look};
use crate::console::pipe::PipeEnd;
use crate::console::{Frontend, Game, keyboard, pipe};
use crate::session_folder::{Folder, StoreError, TRANSCRIPT_FILE};
use crate::{session_folder, shipped};

/// The arguments of `play`.
#[derive(Debug, Default, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant play blitz\n  adjutant play blitz --scenario st-pauls --seed candle\n  adjutant play blitz --dice physical\n  adjutant play my-rules/ --ask random < lines.txt"
)]
pub(super) struct Arguments {
    /// A game that comes with the program, or the path of a ruleset
    #[arg(add = candidates::games())]
    game: String,
    /// The name of a scenario, or your own .toml file [default: the first that isn't hidden]
    #[arg(long, value_name = "NAME", add = candidates::scenarios())]
    scenario: Option<String>,
    /// Any text, as the seed for the dice; the same text gives the same dice [default: random]
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// Who rolls the dice [default: auto; at the keyboard, the setting in `config.toml`]
    #[arg(long, value_enum)]
    dice: Option<DiceOption>,
    /// Who answers the questions that rules ask
    #[arg(long, value_enum, default_value_t = Ask::Umpire)]
    ask: Ask,
    /// The session's name [default: made from the game, scenario and date]
    #[arg(long, value_name = "NAME", conflicts_with = "in_memory")]
    session: Option<String>,
    /// Save nothing to disk
    #[arg(long)]
    in_memory: bool,
    /// Take a guided tour of a first turn, line by line
    #[arg(long)]
    tour: bool,
    /// If a line from a pipe fails, continue with the next, and report at the end how many failed
    #[arg(long)]
    keep_going: bool,
}

/// Who rolls the dice.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize, Serialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub(super) enum DiceOption {
    /// The program
    #[default]
    Auto,
    /// The players; the umpire types the faces
    Physical,
}

/// Who answers the questions that rules ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Ask {
    /// The umpire
    #[default]
    Umpire,
    /// Chance
    Random,
}

/// Returns the seed made from a text, or a random seed from the operating system.
pub(super) fn seed(text: Option<&str>) -> Result<Seed, Failed> {
    match text {
        Some(text) => Ok(Seed::from_text(text)),
        None => {
            let mut bytes = [0; 32];
            SysRng.try_fill_bytes(&mut bytes).map_err(|e| {
                Failed::Message(format!(
                    "the operating system provides no random numbers: {e}; use --seed"
                ))
            })?;
            Ok(Seed::from_bytes(bytes))
        }
    }
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let wanted = arguments.scenario.as_deref();
    let (found, ruleset) = library::load(&arguments.game, wanted, screen)?;
    let library::RulesetFiles { name, files, .. } = found;
    let toured = ruleset.scenarios.iter().find(|s| !s.tour.is_empty());
    let scenario = match (toured, wanted) {
        (Some(toured), None) if arguments.tour => toured,
        _ => scenario(&ruleset, wanted)?,
    };
    if arguments.tour && scenario.tour.is_empty() {
        return Err(Failed::Message(format!("the scenario `{}` has no `[[tour]]`", scenario.name)));
    }
    let beginning = Beginning {
        game: &library::from_anywhere(&arguments.game),
        files: &files,
        shipped: shipped::files,
        scenario,
        seed: seed(arguments.seed.as_deref())?,
        seed_text: arguments.seed.as_deref(),
        at: current_time(),
    };
    let (mut session, outcome) = match Session::begin(Referee::new(ruleset.clone()), beginning) {
        Ok(begun) => begun,
        Err(BeginError::Session(error)) => return Err(StoreError::from(error).into()),
        Err(BeginError::Halt(halt)) => {
            screen.tell_error(&message::halt(&halt, &ruleset.sources));
            return Err(Failed::Message(format!("`{}` cannot be set up", scenario.name)));
        }
    };
    let mut folder = None;
    if !arguments.in_memory {
        let kept = keep(&session, arguments.session.as_deref(), &name, &scenario.name)?;
        if !kept.is_locked() {
            screen.tell_error(&Text::of(Role::Notice, Notice::NoLocks.to_string()));
        }
        folder = Some(kept);
    }
    let (config, faults) = keyboard_settings(screen)?;
    let thrown_by = arguments.dice.or(config.settings.dice).unwrap_or_default();
    if thrown_by == DiceOption::Physical {
        let dice = RealDice { all: true, ..RealDice::default() };
        session_folder::record(folder.as_mut(), &mut session, |session| {
            session.set_real_dice(dice, current_time())
        })?;
    }
    let random = arguments.ask == Ask::Random;
    session_folder::record(folder.as_mut(), &mut session, |session| {
        session.set_ask_random(random, current_time())
    })?;
    let mut text = faults;
    text.extend(render::outcome::set_up(&view(&session, screen), &outcome));
    let unsaved = arguments.in_memory;
    let failed = arguments.keep_going.then_some(0);
    let tour = if arguments.tour { scenario.tour.as_slice() } else { &[] };
    go_on(UnderWay { session, folder, unsaved, failed, config }, &text, tour, screen)
}

/// A new or resumed session.
struct UnderWay {
    session: Session,
    folder: Option<Folder>,
    /// True if the umpire chose not to save the game.
    unsaved: bool,
    /// The number of failed lines so far, if a pipe continues after a failed line.
    failed: Option<u64>,
    /// The keyboard settings.
    config: Config,
}

/// Returns a view of the table in its current state.
fn view<'s>(session: &'s Session, screen: &Screen) -> View<'s> {
    View::of_session(session, session.board(), screen.width())
}

/// Saves a new session, under the given name or under an unused one.
fn keep(
    session: &Session,
    name: Option<&str>,
    game: &str,
    scenario: &str,
) -> Result<Folder, Failed> {
    loop {
        let place = sessions::place(name, game, scenario)?;
        match session_folder::save_new(session, &place) {
            Ok(folder) => return Ok(folder),
            // Another game that is starting at this moment has taken the free name.
            Err(StoreError::Exists(_)) if name.is_none() => {}
            Err(error) => {
                let help = "`--in-memory` plays without saving";
                let message = format!("the session cannot be saved: {error}\n{help}");
                return Err(Failed::Message(message));
            }
        }
    }
}

/// Resumes a saved session.
pub(super) fn resume(arguments: &sessions::Resume, screen: &mut Screen) -> Ended {
    let (opened, mut folder) = sessions::resume(arguments)?;
    let mut text = Text::new();
    for notice in &opened.notices {
        text.line(Role::Notice, notice.to_string());
    }
    screen.tell_error(&text);
    let mut session = opened.session;
    if let Some(ask) = arguments.ask {
        let random = ask == Ask::Random;
        session_folder::record(folder.as_mut(), &mut session, |session| {
            session.set_ask_random(random, current_time())
        })?;
    }
    let (config, mut where_it_was) = keyboard_settings(screen)?;
    if let Some(entry) = session.entries().last() {
        let words = format!("the last command was {}: {}", entry.number, entry.line);
        where_it_was.push(Line::of(Role::Plain, words).with_hanging_indent(2));
    }
    let dice = session.real_dice();
    if dice.all || !dice.of.is_empty() {
        let of: Vec<&str> = dice.of.iter().map(String::as_str).collect();
        let of = if dice.all { String::new() } else { format!(" for {}", names::quote_names(&of)) };
        where_it_was.line(Role::Plain, format!("the players roll the dice{of}"));
    }
    let unsaved = arguments.in_memory;
    let failed = arguments.keep_going.then_some(0);
    go_on(UnderWay { session, folder, unsaved, failed, config }, &where_it_was, &[], screen)
}

/// Returns true if an umpire plays at a terminal.
fn is_at_keyboard(screen: &Screen) -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && !screen.json
}

/// Returns the keyboard settings, with a notice if they can't be used. Without a terminal, the
/// defaults are used.
fn keyboard_settings(screen: &mut Screen) -> io::Result<(Config, Text)> {
    if !is_at_keyboard(screen) {
        return Ok((Config::default(), Text::new()));
    }
    let config = match Config::load() {
        Ok(config) => config,
        // Wrong settings don't prevent play.
        Err(error) => {
            let words = format!("{error}. Your settings don't apply until you correct this.");
            return Ok((Config::default(), Text::of(Role::Bad, words)));
        }
    };
    if config.settings.plain == Some(true) {
        screen.make_plain()?;
    }
    screen.prefer_color(match config.settings.color {
        None | Some(ColorSetting::Auto) => ColorChoice::Auto,
        Some(ColorSetting::Always) => ColorChoice::Always,
        Some(ColorSetting::Never) => ColorChoice::Never,
    })?;
    Ok((config, Text::new()))
}

/// Plays the game, at the keyboard or from a pipe.
fn go_on(under_way: UnderWay, first: &Text, tour: &[TourLine], screen: &mut Screen) -> Ended {
    let UnderWay { session, folder, unsaved, failed, config } = under_way;
    let at_keyboard = is_at_keyboard(screen);
    let mut text = if at_keyboard { banner(&session, folder.as_ref()) } else { Text::new() };
    text.extend(first.clone());
    let mut game = Game::new(session, folder, at_keyboard, unsaved);
    game.root = sessions::root().ok();
    game.reread = Some(|name| Ok(library::reread(name)?));
    game.failed = failed;
    if at_keyboard {
        game.console.set_tour(tour);
        return at_the_keyboard(&mut game, text, &config, screen);
    }
    from_a_pipe(&mut game, screen)
}

/// Returns the scenario with this name. The beginning of the name, or of a later word in it, is
/// enough if it fits only one scenario that isn't hidden. Without a name, returns the first scenario
/// that isn't hidden, or the first of all if there is none.
pub(super) fn scenario<'r>(
    ruleset: &'r Ruleset,
    name: Option<&str>,
) -> Result<&'r Scenario, Failed> {
    let open = || ruleset.scenarios.iter().filter(|s| !s.hidden);
    let Some(name) = name else {
        let first = open().next().or(ruleset.scenarios.first());
        return first.ok_or_else(|| Failed::Message("this game has no scenario".to_owned()));
    };
    let file = library::scenario_of_file(name);
    let name = file.as_deref().unwrap_or(name);
    let matched = names::find(name, open().map(|s| (s.name.as_str(), s)));
    // The beginning of a later word is enough if it fits only one name.
    let part = format!("-{name}");
    let mut by_part = open().filter(|s| s.name.contains(&part));
    let by_part = by_part.next().filter(|_| by_part.next().is_none());
    ruleset.scenario(name).or(matched.only()).or(by_part).ok_or_else(|| {
        let names: Vec<&str> = open().map(|s| s.name.as_str()).collect();
        let there_is = format!("available: {}", names::quote_names(&names));
        Failed::Message(names::no_such_name("scenario", name, names, &there_is))
    })
}

fn from_a_pipe(game: &mut Game, screen: &mut Screen) -> Ended {
    let layout = screen.layout();
    let stdin = InterruptibleInput::new(io::stdin().lock(), game.console.stop_handle());
    let ended = if screen.json {
        pipe::run_json(game, stdin, screen.out())
    } else {
        pipe::run(game, stdin, screen.out(), layout)
    };
    match ended {
        PipeEnd::Well => {
            if let Some(failed) = game.failed {
                let lines = count_with_noun(failed as usize, "line");
                screen.tell_error(&Text::of(Role::Plain, format!("{lines} failed")));
            }
            Ok(Code::Done)
        }
        PipeEnd::Write(error) => Err(Failed::Write(error)),
        PipeEnd::Failed(number, mut text) => {
            text.prefix(Role::Bad, format!("line {number}: "));
            screen.tell_error(&text);
            Ok(Code::Failed)
        }
    }
}

fn at_the_keyboard(game: &mut Game, first: Text, config: &Config, screen: &mut Screen) -> Ended {
    let heading = game.console.session().map_or("", Session::heading).to_owned();
    let pager = config.settings.pager.clone().or_else(|| std::env::var("PAGER").ok());
    let look = Look {
        styled: screen.styled(),
        plain: screen.plain,
        widest: if screen.plain { screen.width() } else { output::WIDE },
        pages: screen.pages,
        pager: pager.filter(|pager| !pager.trim().is_empty()),
        aliases: config.aliases.clone(),
    };
    let mut desk = Keyboard::new(&heading, look, game.console.stop_handle())?;
    desk.show(&Reply::for_people(first));
    // This acts as if `clock` were typed first. A verb of the game named `clock` takes
    // precedence.
    let session = game.console.session();
    let is_verb = session.is_some_and(|session| session.referee().ruleset().has_verb("clock"));
    if let Some(minutes) = config.settings.clock.filter(|_| !is_verb) {
        let _ = game.line(&format!("clock {minutes}"), &mut desk);
    }
    desk.flush();
    keyboard::run(game, &mut desk)?;
    screen.show(&farewell(game.folder.as_ref()))?;
    Ok(Code::Done)
}

/// Returns the path of the transcript, and the command that resumes the game. Returns an empty text
/// if the game isn't saved.
fn farewell(folder: Option<&Folder>) -> Text {
    let Some((folder, name)) = folder.and_then(|f| Some((f.path(), f.path().file_name()?))) else {
        return Text::new();
    };
    let transcript = folder.join(TRANSCRIPT_FILE);
    let name = name.to_string_lossy();
    let path = format!("the transcript: {}", transcript.display());
    let mut text = Text::from_iter([Line::of(Role::Plain, path).unbreakable()]);
    text.line(Role::Plain, format!("continue with: adjutant resume {name}"));
    text
}

/// Returns the banner: the game and its author, the scenario, the other scenarios, and the first
/// commands to type. It is shorter for a resumed game.
fn banner(session: &Session, folder: Option<&Folder>) -> Text {
    let ruleset = session.referee().ruleset();
    let begins = session.entries().is_empty();
    let mut text = Text::from_iter([render::paper::title_line(&ruleset.game)]);
    if let Some(scenario) = ruleset.scenario(session.scenario()) {
        let mut line = Line::of(Role::Strong, &scenario.title).with_hanging_indent(2);
        if begins && !scenario.note.is_empty() {
            line.push(Role::Plain, format!(". {}", scenario.note.trim()));
        }
        text.push(line);
    }
    let others: Vec<&str> = ruleset
        .scenarios
        .iter()
        .filter(|s| !s.hidden && s.name != session.scenario())
        .map(|s| s.name.as_str())
        .collect();
    if begins && !others.is_empty() {
        let words = format!("other scenarios (--scenario NAME): {}", others.join(", "));
        text.line(Role::Quiet, words);
    }
    match folder.and_then(|folder| folder.path().file_name()) {
        Some(name) => {
            let name = name.to_string_lossy();
            let words = format!("saved as {name}; `adjutant resume {name}` continues it");
            text.line(Role::Quiet, words);
        }
        None => {
            text.line(Role::Notice, "nothing is saved: this game is in memory only");
        }
    }
    text.line(Role::Quiet, render::fair::receipt_in_short(&session.receipt()));
    if session.last_before_reveal().is_some() {
        text.line(Role::Notice, "the seed has been revealed: rolls from it can now be predicted");
    }
    if !begins {
        return text;
    }
    let layout = if ruleset.has_verb("setup") { "layout" } else { "setup" };
    let words = format!(
        "`{layout}` lists what to lay out, `next` begins the first turn, `help` lists the commands, and `quit` leaves"
    );
    text.line(Role::Quiet, words);
    text
}

/// Lists the games, asks until the umpire chooses one, and plays it. Runs if there is no
/// subcommand.
pub(super) fn choose(screen: &mut Screen) -> Ended {
    let all = games::all();
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let words = "which game? `adjutant play GAME` begins one; `adjutant resume` continues the last session\n\
                     `adjutant games` lists the games; `adjutant --help` explains the program";
        return Err(Failed::Usage(words.into()));
    }
    // A game can begin even if the folder of sessions is unreadable.
    let last = sessions::last().ok().flatten();
    if let Some(last) = &last {
        screen.show(&Text::of(Role::Quiet, "the last session:"))?;
        screen.show(&Text::from_iter([sessions::one(last)]))?;
        screen.show(&Text::of(Role::Quiet, "or a new game:"))?;
    }
    screen.show(&games::numbered(&all))?;
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    let more = if last.is_some() { "; Enter continues the last session" } else { "" };
    loop {
        write!(screen.out(), "which game? (a number or a name{more}) ")?;
        screen.flush()?;
        let mut line = String::new();
        let read = io::stdin().read_line(&mut line)?;
        let wanted = line.trim();
        match (&last, wanted) {
            (_, "") if read == 0 => return Ok(Code::Done),
            (Some(last), "") => {
                let session = Some(last.name.clone());
                return resume(&sessions::Resume { session, ..Default::default() }, screen);
            }
            (None, "") => continue,
            (_, "q" | "quit" | "exit") => return Ok(Code::Done),
            _ => {}
        }
        let number = wanted.parse::<usize>().ok().and_then(|n| names.get(n.checked_sub(1)?));
        let found = names::find_name(wanted, names.iter().copied()).only();
        // The umpire can also type the path of a ruleset.
        let path = Some(wanted).filter(|w| Path::new(w).exists());
        if let Some(game) = number.copied().or(found).or(path) {
            return run(&Arguments { game: game.to_owned(), ..Arguments::default() }, screen);
        }
        let words = names::no_such_name("game", wanted, names.iter().copied(), "");
        screen.show(&Text::of(Role::Bad, words))?;
    }
}
