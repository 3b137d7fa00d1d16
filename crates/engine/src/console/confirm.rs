//! Questions of the console: yes or no, and which of several lines is meant.

use super::reply::Failure;
use super::step::{Channel, Prompt};
use crate::render::markup::{Line, Role, Text};

/// Asks a yes-or-no question.
pub(super) async fn ask_yes_no(text: Text, asked: &str, host: &Channel) -> Result<bool, Failure> {
    let mut prompt = Prompt {
        asked: asked.to_owned(),
        text,
        options: ["yes", "no"].map(str::to_owned).to_vec(),
        prompt: format!("{asked} (yes or no)> "),
        ..Prompt::default()
    };
    loop {
        let line = match host.ask(prompt.clone()).await {
            Err(Failure::Cancelled) => return Ok(false),
            line => line?,
        };
        match line.trim().to_lowercase().as_str() {
            "yes" | "y" => return Ok(true),
            "no" | "n" => return Ok(false),
            // A command that is typed here is no answer.
            _ => {
                prompt.text =
                    Text::of(Role::Bad, "answer `yes` or `no`; nothing has been done yet");
            }
        }
    }
}

/// Asks which of several lines is meant: by its number, or by another line. If there is only one, `yes` means it too.
pub(super) async fn ask_which_line(
    message: &str,
    mut lines: Vec<String>,
    host: &Channel,
) -> Result<String, Failure> {
    let mut text = Text::of(Role::Notice, message);
    for (i, line) in lines.iter().enumerate() {
        text.push(Line::of(Role::Plain, format!("  {}  ", i + 1)).and(Role::Strong, line));
    }
    let prompt = Prompt {
        asked: message.to_owned(),
        text,
        options: Vec::new(),
        prompt: match lines.len() {
            1 => "yes, no, or another line> ".to_owned(),
            count => format!("1 to {count}, or another line> "),
        },
        ..Prompt::default()
    };
    let line = host.ask(prompt).await?;
    let answer = line.trim().to_lowercase();
    // `n` would be `next`, which nobody means here.
    if ["", "n", "no"].contains(&answer.as_str()) {
        return Err(Failure::Cancelled);
    }
    let chosen = match answer.as_str() {
        "y" | "yes" if lines.len() == 1 => Some(0),
        number => number.parse::<usize>().ok().and_then(|number| number.checked_sub(1)),
    };
    match chosen {
        Some(index) if index < lines.len() => Ok(lines.swap_remove(index)),
        _ => Ok(line),
    }
}
