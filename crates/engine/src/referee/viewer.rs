//! The viewers of a game: the umpire, all players together, one side or one player.

use std::fmt;

/// A person who plays in a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Player {
    /// The name of the piece that represents the player, or the name that is written on the
    /// player's pieces.
    pub name: String,
    /// The player's side, if the ruleset declares sides and the player has one.
    pub side: Option<String>,
}

/// A viewer of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Viewer {
    /// The umpire, who sees everything.
    #[default]
    Umpire,
    /// All players together. They see only pieces and events that every side sees.
    Players,
    /// One side.
    Side(String),
    /// One player, who sees everything that the player's side sees, and everything that only this
    /// player may see.
    Player(Player),
}

impl Viewer {
    /// Returns the side of the viewer. Returns `None` for the umpire, for all players together, and
    /// for a player without a side.
    pub(crate) fn side(&self) -> Option<&str> {
        match self {
            Viewer::Umpire | Viewer::Players => None,
            Viewer::Side(side) => Some(side),
            Viewer::Player(player) => player.side.as_deref(),
        }
    }

    /// Returns true if the viewer is the player with this name.
    pub(super) fn is_player(&self, name: &str) -> bool {
        matches!(self, Viewer::Player(player) if player.name == name)
    }
}

impl fmt::Display for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Viewer::Umpire => "umpire",
            Viewer::Players => "players",
            Viewer::Side(side) => side,
            Viewer::Player(player) => &player.name,
        })
    }
}
