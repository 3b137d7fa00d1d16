//! `adjutant screen`: a page that shows the players a game as it is played.

use std::io::{self, BufRead, IsTerminal, Write};

use adjutant_engine::render::json;
use adjutant_engine::render::markup::{Line, Role, Text};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::output::Screen;
use super::{Code, Ended, Failed, sessions};
use adjutant_engine::console::ScreenReport;

use crate::screen::{ScreenOptions, run};

/// The arguments of `screen`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant screen\n  adjutant screen club-night --lan\n  adjutant screen club-night --lan --port 8080 --host umpire.local\nWhile it runs, type who, where, where SIDE, players, hold, show, new SIDE, new all or quit."
)]
pub(super) struct Arguments {
    /// The session's name or folder [default: the last one played]
    session: Option<String>,
    /// Let other machines on the network open the page
    #[arg(long)]
    lan: bool,
    /// The port [default: the port that the session used before, or 7373, or any free port]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Another name for this machine that browsers may use to open the page; can be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Let players send orders, dice and `ready` from personal pages
    #[arg(long)]
    requests: bool,
    /// Print answers as JSON, and end when standard input ends
    #[arg(long, hide = true)]
    beside: bool,
}

pub(super) fn show(arguments: Arguments, screen: &mut Screen) -> Ended {
    let folder = sessions::folder_or_last(arguments.session.as_deref())?;
    let options = ScreenOptions {
        folder,
        lan: arguments.lan,
        port: arguments.port,
        hosts: arguments.host,
        requests: arguments.requests,
    };
    let (lines, commands) = unbounded_channel();
    let beside = arguments.beside;
    if beside {
        // Ctrl-C at the prompt that started this process is meant for the prompt.
        let _ = ctrlc::set_handler(|| {});
    }
    std::thread::spawn(move || listen(&lines, beside));
    let mut written = Ok(());
    run(&options, commands, |said| {
        if written.is_ok() {
            written = tell(said, beside || screen.json, screen);
        }
    })
    .map_err(Failed::of)?;
    written?;
    Ok(Code::Done)
}

/// Passes on the lines that the umpire types. If standard input isn't a terminal, its end doesn't
/// end the screen, unless a console started the screen (`beside`).
fn listen(to: &UnboundedSender<String>, beside: bool) {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        if matches!(line.trim(), "quit" | "q" | "exit") || to.send(line).is_err() {
            return;
        }
    }
    while !beside && !io::stdin().is_terminal() {
        std::thread::park();
    }
}

fn tell(said: &ScreenReport, as_data: bool, screen: &mut Screen) -> io::Result<()> {
    if as_data {
        writeln!(screen.out(), "{}", json::to_json(said))?;
    } else {
        let line = |line: &String| Line::of(Role::Plain, line).unbreakable();
        screen.show(&said.lines.iter().map(line).collect::<Text>())?;
    }
    screen.flush()
}
