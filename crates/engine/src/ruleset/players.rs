//! Reads the declaration of a game's players, who are represented by pieces, and the template of
//! the line that gives their orders.

use crate::language::schema::KindRole;
use crate::ruleset::format::forms;
use crate::ruleset::loader::{Loader, NamedTable};
use crate::ruleset::raw::Section;
use crate::source::Span;

/// The name of the attribute that names the player to whom a piece belongs.
pub(crate) const PLAYER_ATTRIBUTE: &str = "player";

impl Loader<'_> {
    /// Reads `[players]`.
    pub(super) fn declare_players(&mut self, entries: &[NamedTable<'_>]) {
        let Some(entry) = entries.iter().find(|e| e.section == "players") else { return };
        let Some(section) = self.r.section("`[players]`", entry.node) else { return };
        section.prose("note", &mut self.r);
        let named = section.name("are", &mut self.r);
        self.schema.orders_line = self.read_orders_line(&section);
        section.check_keys(&forms::PLAYERS, &mut self.r);
        let Some(name) = named else { return };
        let schema = &self.schema;
        let of_pieces = |id: &_| schema.kind(*id).role == KindRole::Pieces;
        let kind = schema.kind_named(&name.text).filter(of_pieces);
        if kind.is_none() {
            let kinds = schema.piece_kinds().map(|(_, of)| of.name.as_str());
            self.r.report_no_such("unknown-players", "kind of piece", &name, kinds);
        }
        self.schema.players = kind;
    }

    /// Reads the template of the line that gives a player's orders. Returns `None` if the key is
    /// missing, or after reporting a fault.
    fn read_orders_line(&mut self, section: &Section<'_>) -> Option<String> {
        let line = section.text("orders", &mut self.r)?;
        let missing = ["{who}", "{text}"].into_iter().find(|part| !line.value.contains(part));
        if let Some(part) = missing {
            let message = format!("the line for a player's orders doesn't contain `{part}`");
            let help = "write it where it belongs, as in `order {who} to {text} by {player}`";
            self.r.error_with_help("orders-line", line.span, message, help);
            return None;
        }
        Some(line.value)
    }

    /// Reports a fault if only a thing's own player may see it, but the pieces of the ruleset
    /// belong to sides and not to players.
    pub(super) fn require_players(&mut self, span: Span) {
        if self.schema.players.is_none() && self.schema.sides.is_some() {
            let help =
                "write `[players]` with `are = \"…\"`, naming the kind whose pieces represent them";
            self.r.error_with_help("no-players", span, "this ruleset has no players", help);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ruleset::{FileText, load};

    fn faults(rules: &str) -> Vec<String> {
        let text = format!("[game]\ntitle = \"Trial\"\n{rules}\n");
        let file = FileText { name: "trial.toml".into(), text, scenario: None };
        let told = |f: &crate::diagnostic::Diagnostic| format!("{}: {}", f.code, f.message);
        load(vec![file]).err().map_or(Vec::new(), |f| f.faults.iter().map(told).collect())
    }

    const SIDES: &str = "[words.army]\nvalues = [\"red\", \"blue\"]\n[sides]\nare = \"army\"\n";

    #[test]
    fn players_are_pieces_of_a_kind_that_there_is() {
        let player = "[kind.player]\narmy = { one_of = \"army\" }\n";
        assert_eq!(faults(&format!("{SIDES}{player}[players]\nare = \"player\"\n")), [""; 0]);
        let told = faults(&format!("{SIDES}{player}[players]\nare = \"plaier\"\n"));
        assert_eq!(told, ["unknown-players: there is no kind of piece `plaier`"]);
        // The rows of a list can't represent players.
        let list = "[list.player]\ncolumns = [\"title\"]\nrows = { ann = [\"Ann\"] }\n";
        let told = faults(&format!("{list}[players]\nare = \"player\"\n"));
        assert_eq!(told, ["unknown-players: there is no kind of piece `player`"]);
    }

    #[test]
    fn a_secret_of_players_needs_players() {
        let man = "[kind.man]\nsecret = \"player\"\n";
        let told = faults(&format!("{SIDES}{man}"));
        assert_eq!(told, ["no-players: this ruleset has no players"]);
        // Without sides, the players are the people whose names are on the pieces.
        assert_eq!(faults(man), [""; 0]);
    }
}
