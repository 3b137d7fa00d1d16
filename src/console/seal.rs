//! `mix` and `reveal`: the players' words go into the dice, and at the end the seed is told.

use super::play::{Desk, Failure, Play};
use crate::render::markup::{Line, Role, Text};
use crate::session::MAX_WORDS;

impl Play {
    /// Mixes words of the players into the dice, as long as none has fallen.
    pub(super) fn mix(&mut self, words: &str, desk: &mut dyn Desk) -> Result<Text, Failure> {
        let words = words.trim();
        if words.len() > MAX_WORDS {
            return Err(Failure::of(format!("words of at most {MAX_WORDS} bytes can be mixed in")));
        }
        if let Some(entry) = self.session.first_dice() {
            let mut text = Text::of(
                Role::Bad,
                format!("dice have fallen already, in command {}: `{}`", entry.number, entry.line),
            );
            text.line(
                Role::Plain,
                "words said now would change dice that somebody may have looked at; they are \
                 mixed in before the first die falls",
            );
            return Err(Failure::Told(text));
        }
        self.kept(desk, |session, at| session.mix(words, at))?;
        let mut text = Text::new();
        let told = format!("mixed into the dice from here on: {words}");
        text.push(Line::of(Role::Plain, told).hanging(2));
        Ok(text)
    }

    /// Tells the seed and keeps that it was told.
    pub(super) fn reveal(&mut self, desk: &mut dyn Desk) -> Result<Text, Failure> {
        let told = self.session.revealed().is_some();
        if !told {
            self.kept(desk, |session, at| session.reveal(at))?;
        }
        let mut text = Text::new();
        let seed = format!("seed  {}", self.session.seed().to_hex());
        text.push(Line::of(Role::Strong, seed).hanging(6));
        if let Some(words) = self.session.seed_text() {
            text.push(Line::of(Role::Plain, format!("made from the text `{words}`")).hanging(2));
        }
        let seal = format!("seal  {}", self.session.seal());
        text.push(Line::of(Role::Plain, seal).hanging(6));
        for (from, words) in self.session.words() {
            let words = format!("words `{words}` (from command {from} on)");
            text.push(Line::of(Role::Plain, words).hanging(2));
        }
        let open = match told {
            true => "it was told before; this session is open",
            false => {
                "from now on this session is open: whoever knows the seed can tell every die to \
                 come, unless the players throw (`dice physical`)"
            }
        };
        text.push(Line::of(Role::Notice, open).hanging(0));
        Ok(text)
    }
}
