//! Reads the sides of a game and their turns, adds the attributes for the side to move, and finds
//! and checks the attributes that give the sides of pieces.

use crate::diagnostic::{Declaration, Diagnostic, Fault};
use crate::language::schema::{
    Attribute, AttributeStorage, KindId, KindRole, STATE_KIND, Schema, Type,
};
use crate::ruleset::format::forms;
use crate::ruleset::loader::{Loader, NamedTable};
use crate::ruleset::parts::SideTurns;
use crate::ruleset::raw::Section;
use crate::source::Span;

/// The name of the state's attribute for the side to move.
pub(crate) const SIDE_TO_MOVE: &str = "side";
/// The name of the state's attribute that lists the sides still to move in a phase or round.
pub(crate) const SIDES_WAITING: &str = "sides-left";

impl Loader<'_> {
    /// Reads `[sides]`.
    pub(super) fn declare_sides(&mut self, entries: &[NamedTable<'_>]) {
        let Some(entry) = entries.iter().find(|e| e.section == "sides") else { return };
        let Some(section) = self.r.section("`[sides]`", entry.node) else { return };
        section.prose("note", &mut self.r);
        let named = section.name("are", &mut self.r);
        self.schema.side_colours = self.read_side_colours(&section);
        section.check_keys(&forms::SIDES, &mut self.r);
        let Some(name) = named else { return };
        let schema = &self.schema;
        let words = schema.words_named(&name.text).map(Type::Word);
        let kind =
            schema.kind_named(&name.text).filter(|&k| schema.kind(k).role != KindRole::Single);
        let sides = words.or(kind.map(Type::Piece));
        if sides.is_none() {
            let word_sets = schema.words.iter();
            let kinds = schema.kinds.iter();
            let known = word_sets.map(|w| w.name.as_str()).chain(kinds.map(|k| k.name.as_str()));
            self.r.report_no_such("unknown-sides", "set of words, kind or list", &name, known);
        }
        self.schema.sides = sides;
    }

    /// If the ruleset declares its sides, adds two attributes to the state: the side to move, and
    /// the sides still to move.
    pub(super) fn add_side_attributes(&mut self) {
        let Some(ty) = self.schema.sides else { return };
        let moving = super::declare::new_attribute(SIDE_TO_MOVE, ty, Span::default());
        self.add_attribute(
            STATE_KIND,
            Attribute { start: self.schema.no_side(), bookkeeping: true, ..moving },
        );
        let list = Type::List(ty.as_element());
        let waiting = super::declare::new_attribute(SIDES_WAITING, list, Span::default());
        self.add_attribute(STATE_KIND, Attribute { fixed: true, bookkeeping: true, ..waiting });
    }

    /// Returns the index of the first stored attribute of a kind that holds a side; `None` if there
    /// is none, or if the ruleset does not declare its sides.
    pub(super) fn find_side_attribute(&self, id: KindId) -> Option<usize> {
        let sides = self.schema.sides?;
        let fits = |a: &Attribute| a.ty == sides && matches!(a.storage, AttributeStorage::Cell(_));
        self.schema.kind(id).attributes.iter().position(fits)
    }

    /// Reads the turns of the sides in a phase or round, and reports faults. Returns `None` if the
    /// key `by` is missing or isn't a text.
    pub(super) fn read_turns(&mut self, section: &Section<'_>) -> Option<SideTurns> {
        let by = section.name("by", &mut self.r);
        let alternate = section.name("alternate", &mut self.r);
        if let Some(by) = &by {
            if by.text != "side" {
                let message = format!("`by` must be `side`, not `{}`", by.text.escape_debug());
                self.r.error("no-sides", by.span, message);
            } else {
                self.require_sides(by.span);
            }
        } else if let Some(key) = ["order", "alternate"].into_iter().find(|key| section.has(key)) {
            let span = section.get(key).map_or(section.span, |node| node.span);
            let message = "only a phase that the sides play in turn can have this";
            self.r.error_with_help("no-sides", span, message, "write `by = \"side\"`");
        }
        if let Some(flag) = &alternate {
            let all = || self.schema.kinds.iter().flat_map(|kind| &kind.attributes);
            if all().all(|a| a.name != flag.text || !matches!(a.ty, Type::Flag | Type::Unknown)) {
                let message = format!("no kind has a flag `{}`", flag.text.escape_debug());
                let known = all().filter(|a| a.ty == Type::Flag).map(|a| a.name.as_str());
                let cause = Declaration::Name(flag.text.clone());
                self.r.report_unknown("unknown-attribute", flag, cause, message, known);
            }
        }
        let order = self.read_value_function(section, "order", Some(Type::Whole));
        by?;
        Some(SideTurns { order, alternate: alternate.map(|flag| flag.text) })
    }

    /// Returns the type of the sides. If there are no sides, reports a fault and returns `None`.
    pub(super) fn require_sides(&mut self, span: Span) -> Option<Type> {
        if self.schema.sides.is_none() {
            let help =
                "write `[sides]` with `are = \"…\"`, naming a set of words, a kind or a list";
            self.r.error_with_help("no-sides", span, "this ruleset has no sides", help);
        }
        self.schema.sides
    }

    /// If the ruleset declares its sides, reports attributes that give a piece's side but don't
    /// lead to one of them.
    pub(super) fn check_sides(&mut self, schema: &Schema) {
        let Some(sides) = schema.sides else { return };
        for (id, kind) in schema.all_kinds() {
            let Some(attribute) = kind.side() else { continue };
            let mut passed = vec![id];
            let mut ty = attribute.ty;
            let why = loop {
                match ty {
                    ty if ty == sides || ty == Type::Unknown => break None,
                    Type::Piece(other) if passed.contains(&other) => {
                        break Some("leads back to itself");
                    }
                    Type::Piece(other) => match schema.kind(other).side() {
                        Some(next) => (ty, _) = (next.ty, passed.push(other)),
                        None => break Some("points to something without a side"),
                    },
                    _ => break Some("is not one of the sides"),
                }
            };
            if let Some(why) = why {
                let name = &attribute.name;
                let kind = &kind.name;
                let message = format!("`{name}` gives the side of `{kind}`, but {why}");
                let sides = schema.type_name(sides);
                let help = format!("it must be {sides}, or a reference to a piece that has a side");
                self.r.push(Diagnostic::error("wrong-side", attribute.span, message).help(&help));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ruleset::{FileText, Ruleset, load};

    const SIDES: &str = "[words.army]\nvalues = [\"red\", \"blue\"]\n[sides]\nare = \"army\"\n";

    fn loaded(rules: &str) -> Result<Ruleset, Vec<String>> {
        let text = format!("[game]\ntitle = \"Trial\"\n{rules}\n");
        let file = FileText { name: "trial.toml".into(), text, scenario: None };
        let told = |f: &crate::diagnostic::Diagnostic| format!("{}: {}", f.code, f.message);
        load(vec![file]).map_err(|faulty| faulty.faults.iter().map(told).collect())
    }

    fn faults(rules: &str) -> Vec<String> {
        loaded(rules).err().unwrap_or_default()
    }

    #[test]
    fn a_side_leads_to_one_of_the_sides() {
        let men = "[kind.man]\nside = { one_of = \"army\" }\n";
        let gun = "[kind.gun]\nside_attribute = \"crew\"\ncrew = { of = \"man\" }\n";
        assert_eq!(faults(&format!("{SIDES}{men}{gun}")), [""; 0]);
        assert_eq!(
            faults(&format!("{SIDES}[kind.man]\nside = {{ text = true }}\n")),
            ["wrong-side: `side` gives the side of `man`, but is not one of the sides"]
        );
        let hill = "[kind.hill]\n[kind.man]\nside = { of = \"hill\" }\n";
        assert_eq!(
            faults(&format!("{SIDES}{hill}")),
            ["wrong-side: `side` gives the side of `man`, but points to something without a side"]
        );
        let round = "[kind.one]\nside = { of = \"two\" }\n[kind.two]\nside = { of = \"one\" }\n";
        let told = faults(&format!("{SIDES}{round}"));
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told.iter().all(|told| told.ends_with("but leads back to itself")), "{told:?}");
        // Without sides, the attribute may be anything.
        assert_eq!(faults("[kind.man]\nside = { text = true }\n"), [""; 0]);
    }

    #[test]
    fn without_another_word_the_first_attribute_of_the_sides_says_the_side() {
        let men = "[kind.man]\nhits = { from = 0, to = 9 }\nowner = { one_of = \"army\" }\n\
                   foe = { one_of = \"army\" }\n";
        let schema = loaded(&format!("{SIDES}{men}")).unwrap().schema;
        let man = schema.kind(schema.kind_named("man").unwrap());
        assert_eq!(man.attributes[man.side_attribute.unwrap()].name, "owner");
    }

    #[test]
    fn of_a_misspelt_flag_only_flags_are_suggested() {
        let text = format!(
            "[game]\ntitle = \"Trial\"\n{SIDES}[kind.man]\nout = {{ flag = true }}\nour2 = {{ from = 0 }}\n\
             [[phase]]\nname = \"go\"\nby = \"side\"\nalternate = \"our\"\n"
        );
        let file = FileText { name: "trial.toml".into(), text, scenario: None };
        let faults = load(vec![file]).err().unwrap().faults;
        let help = faults.iter().find(|f| f.code == "unknown-attribute").unwrap().help.clone();
        assert!(help.as_ref().is_some_and(|help| help.contains("`out`")), "{help:?}");
    }

    #[test]
    fn sides_are_words_or_pieces_that_are_there() {
        let told =
            faults("[sides]\nare = \"armies\"\n[words.army]\nvalues = [\"red\", \"blue\"]\n");
        assert!(told[0].starts_with("unknown-sides: "), "{told:?}");
        assert_eq!(faults("[sides]\nare = \"army\"\n[kind.army]\nplural = \"armies\"\n"), [""; 0]);
        let state = faults("[sides]\nare = \"state\"\n[state]\nn = { from = 0 }\n");
        assert!(state[0].starts_with("unknown-sides: "), "{state:?}");
    }

    #[test]
    fn the_state_says_whose_move_it_is() {
        let state = |rules: &str| {
            let rules = loaded(rules).unwrap();
            let state = rules.schema.kind(crate::language::schema::STATE_KIND);
            (state.attribute("side").is_some(), state.attribute("sides-left").is_some())
        };
        assert_eq!(state(SIDES), (true, true));
        assert_eq!(state("[kind.man]\n"), (false, false));
    }

    #[test]
    fn phases_are_played_by_sides_that_there_are() {
        let phase = |keys: &str| {
            format!("[kind.man]\nout = {{ flag = true }}\n[[phase]]\nname = \"go\"\n{keys}\n")
        };
        let with_sides = |keys: &str| faults(&format!("{SIDES}{}", phase(keys)));
        assert_eq!(with_sides("by = \"side\"\nalternate = \"out\"\norder = '1'"), [""; 0]);
        assert_eq!(faults(&phase("by = \"side\"")), ["no-sides: this ruleset has no sides"]);
        assert_eq!(with_sides("by = \"player\""), ["no-sides: `by` must be `side`, not `player`"]);
        for key in ["order = '1'", "alternate = \"out\""] {
            let told = ["no-sides: only a phase that the sides play in turn can have this"];
            assert_eq!(with_sides(key), told, "{key}");
        }
        assert_eq!(
            with_sides("by = \"side\"\nalternate = \"our\""),
            ["unknown-attribute: no kind has a flag `our`"]
        );
        let turns = |keys: &str| {
            let rules = loaded(&format!("{SIDES}{}", phase(keys))).unwrap();
            let turns = rules.phases[0].turns.as_ref();
            turns.map(|turns| (turns.order.is_some(), turns.alternate.clone()))
        };
        assert_eq!(turns(""), None);
        assert_eq!(turns("by = \"side\""), Some((false, None)));
        let alternate = turns("by = \"side\"\nalternate = \"out\"\norder = '1'");
        assert_eq!(alternate, Some((true, Some("out".to_owned()))));
    }
}
