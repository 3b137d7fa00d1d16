//! `adjutant screen`: a page for the players, that follows a game.

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
    after_help = "Examples:\n  adjutant screen\n  adjutant screen club-night --lan\n  adjutant screen club-night --lan --port 8080 --host umpire.local\nWhile it runs, type who, where, where SIDE, hold, show, new SIDE, new all or quit."
)]
pub(super) struct Arguments {
    /// Its name or folder; the one last played, if not given
    session: Option<String>,
    /// Let others on the network look, not this machine alone
    #[arg(long)]
    lan: bool,
    /// The port; the one it had before, if not given
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// A name of this machine under which the page may be asked for; can be given more than once
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Answer as data, and end with standard input
    #[arg(long, hide = true)]
    beside: bool,
}

pub(super) fn show(arguments: Arguments, screen: &mut Screen) -> Ended {
    let folder = sessions::folder_or_last(arguments.session.as_deref())?;
    let options =
        ScreenOptions { folder, lan: arguments.lan, port: arguments.port, hosts: arguments.host };
    let (lines, commands) = unbounded_channel();
    let beside = arguments.beside;
    if beside {
        // Ctrl-C at the prompt beside it is for the prompt.
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

/// Takes what the umpire types. Without a terminal the screen is shown until it is ended.
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
