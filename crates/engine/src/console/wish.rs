//! Players' wishes, as their pages send them.

use serde::{Deserialize, Serialize};

use crate::session::TakenRequest;

/// A request that is waiting for the umpire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingRequest {
    /// The id of the request, and the player who sent it.
    pub request: TakenRequest,
    /// The wish to be carried out.
    pub wish: PlayerWish,
}

/// The wish of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum PlayerWish {
    /// Orders for some of the player's pieces.
    Orders(WrittenOrders),
    /// The faces of dice that the player has rolled.
    Faces(Vec<u32>),
}

/// Orders as a player writes them: short texts. All of them can be empty except `to`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WrittenOrders {
    /// The pieces that should act.
    pub who: String,
    /// The goal or the action of the pieces.
    pub to: String,
    /// The time or event that ends the orders.
    pub until: String,
    /// The alternative if the orders can't be carried out.
    pub otherwise: String,
}

impl WrittenOrders {
    /// Returns the orders without the pieces that they are for.
    pub(super) fn deed(&self) -> String {
        let parts = [("", &self.to), ("until ", &self.until), ("otherwise ", &self.otherwise)];
        let given = parts.iter().filter(|(_, text)| !text.is_empty());
        given.map(|(before, text)| format!("{before}{text}")).collect::<Vec<_>>().join(", ")
    }

    /// Returns the orders as one text: `mg: to the mill, until turn 6, otherwise hold`.
    pub(super) fn text(&self) -> String {
        let deed = self.deed();
        if self.who.is_empty() { deed } else { format!("{}: {deed}", self.who) }
    }
}
