//! Reads `secret` and `seen_by` of kinds, attributes and rules, and declares the written orders of
//! the sides.

use crate::language::schema::{
    Attribute, AttributeStorage, CodeUnit, ColumnId, FunctionId, Kind, KindId, KindRole, Param,
    Schema, Secrecy, SecretFor, Type,
};
use crate::language::syntax::{MemberSource, Name};
use crate::ruleset::declare::{new_attribute, new_kind};
use crate::ruleset::loader::Loader;
use crate::ruleset::raw::Section;
use crate::source::Span;

/// The name of the viewing side in `seen_by`.
const VIEWER_NAME: &str = "viewer";
/// The name of the flag that is true if a piece has been revealed to everyone. For an attribute
/// `strength`, the name is `strength-revealed`.
const REVEALED_FLAG: &str = "revealed";
/// The possible names of the kind whose pieces are the written orders. The first free name is used.
const ORDERS_NAMES: [&str; 2] = ["order", "written-order"];

/// Returns true if a declaration has a key that makes it secret.
fn is_secret(section: &Section<'_>) -> bool {
    section.has("secret") || section.has("seen_by")
}

impl Loader<'_> {
    /// Reads who may see the pieces of a kind. Returns `None` if everyone may, or after reporting
    /// that the pieces can't be hidden.
    pub(super) fn read_kind_secrecy(
        &mut self,
        id: KindId,
        role: KindRole,
        section: &Section<'_>,
    ) -> Option<Secrecy> {
        if !is_secret(section) {
            return None;
        }
        let why = match (role, self.schema.kind(id).plan) {
            (KindRole::List, _) => "the rows of a list are printed, so everyone can read them",
            (_, true) => "the plan is drawn for everyone, so all players see its areas",
            (_, false) => return self.read_secrecy(id, REVEALED_FLAG, section),
        };
        let help = "instead, give a secret attribute to the areas, or to the pieces that point to the list";
        self.report_not_hideable(section, why, help);
        None
    }

    /// Reads who may see an attribute, and stores it in the attribute. Reports attributes that
    /// can't be hidden.
    pub(super) fn read_attribute_secrecy(
        &mut self,
        kind: KindId,
        name: &Name,
        section: &Section<'_>,
    ) {
        if !is_secret(section) {
            return;
        }
        if self.schema.kind(kind).role == KindRole::List {
            let why = "the rows of a list are printed, so everyone can read them";
            return self.report_not_hideable(
                section,
                why,
                "make the attribute that points to the list secret",
            );
        }
        let index = self.schema.kind(kind).attributes.index_of(&name.text);
        let secret = self.read_secrecy(kind, &format!("{}-{REVEALED_FLAG}", name.text), section);
        if let Some(index) = index {
            self.schema.kinds[kind.index()].attributes[index].secret = secret;
        }
    }

    fn report_not_hideable(&mut self, section: &Section<'_>, why: &str, help: &str) {
        let key = if section.has("secret") { "secret" } else { "seen_by" };
        self.r.error_with_help("cannot-hide", section.key_span(key), why, help);
    }

    /// Reads `secret` and `seen_by` of a kind or an attribute. If it is secret, adds the attributes
    /// that record to whom it was revealed; otherwise, returns `None`.
    fn read_secrecy(&mut self, id: KindId, flag: &str, section: &Section<'_>) -> Option<Secrecy> {
        let of = [Param::built_in("self", Type::Piece(id))];
        let secret_for = self.read_secret_for(section, &of, &[], SecretFor::OwnSide)?;
        if let Some(first) = self.schema.kind(id).attribute(flag).map(|a| a.span) {
            let name = Name { text: flag.to_owned(), span: first };
            let message = format!(
                "`{flag}` is the name of the flag that records whether it was revealed, so the attribute needs another name"
            );
            self.r.report_duplicate(
                &name,
                message,
                section.span,
                "it always exists; choose another name",
            );
        }
        Some(self.add_revealed_attributes(id, flag, secret_for))
    }

    /// Reads `secret` and `seen_by`. Returns `None` if nothing is secret. If both are given,
    /// `seen_by` counts. Its condition can use the viewing side, the names in `of` (the piece, or
    /// the parameters of a rule other than lists), and the names of a sweep. `of_true` is the
    /// meaning of `secret = true`.
    pub(super) fn read_secret_for(
        &mut self,
        section: &Section<'_>,
        of: &[Param],
        sweep: &[MemberSource],
        of_true: SecretFor,
    ) -> Option<SecretFor> {
        let secret = self.read_secret(section, of_true);
        if section.has("seen_by") {
            let condition = self.read_seen_by(section, of, sweep);
            return Some(condition.map_or(SecretFor::Umpire, SecretFor::Condition));
        }
        secret
    }

    /// Reads `secret`, which is `"side"`, `"player"`, `"umpire"` or a flag. Returns `None` if it is
    /// missing or false; any other value is reported and means `"umpire"`.
    fn read_secret(&mut self, section: &Section<'_>, of_true: SecretFor) -> Option<SecretFor> {
        let node = section.get("secret")?;
        let toml::de::DeValue::String(word) = node.value else {
            let toml::de::DeValue::Boolean(flag) = node.value else {
                self.r.report_wrong_type(
                    node.span,
                    "`\"side\"`, `\"player\"` or `\"umpire\"`",
                    node.value,
                );
                return Some(SecretFor::Umpire);
            };
            return flag.then_some(of_true);
        };
        match word.as_ref() {
            "side" => Some(SecretFor::OwnSide),
            "umpire" => Some(SecretFor::Umpire),
            "player" => {
                self.require_players(node.span);
                Some(SecretFor::OwnPlayer)
            }
            other => {
                let message = format!("`secret` cannot be `{}`", other.escape_debug());
                let help = "write `\"side\"` if only its own side sees it, `\"player\"` if only its own player does, or `\"umpire\"` if no one does; for other conditions write `seen_by`";
                self.r.error_with_help("unknown-audience", node.span, message, help);
                Some(SecretFor::Umpire)
            }
        }
    }

    /// Reads `seen_by` as a function. Returns `None` after reporting that its value isn't a text or
    /// that there are no sides.
    fn read_seen_by(
        &mut self,
        section: &Section<'_>,
        of: &[Param],
        sweep: &[MemberSource],
    ) -> Option<FunctionId> {
        let text = section.text("seen_by", &mut self.r)?;
        let ty = self.require_sides(text.span)?;
        let viewer = Param::built_in(VIEWER_NAME, ty);
        let single = of.iter().filter(|p| !matches!(p.ty, Type::List(_))).cloned();
        let params = std::iter::once(viewer).chain(single).collect();
        let expr = self.parse_expr(&text);
        let unit = |e| match sweep {
            [] => CodeUnit::Value(params, Some(Type::Flag), e),
            _ => CodeUnit::SeenInSweep(params, sweep.to_vec(), e),
        };
        Some(self.add_function(expr.map(unit)))
    }

    /// Adds the attributes that record to whom a piece or one of its attributes was revealed: a
    /// flag for everyone and, if there are sides, a list of sides.
    pub(super) fn add_revealed_attributes(
        &mut self,
        id: KindId,
        flag: &str,
        secret_for: SecretFor,
    ) -> Secrecy {
        let index = self.schema.kind(id).attributes.len();
        let kept = |name: &str, ty| Attribute {
            bookkeeping: true,
            ..new_attribute(name, ty, Span::default())
        };
        self.add_attribute(id, kept(flag, Type::Flag));
        if let Some(sides) = self.schema.sides {
            self.add_attribute(id, kept(&format!("{flag}-to"), Type::List(sides.as_element())));
        }
        let stored = |at: usize| self.schema.kind(id).attributes.get(at).map(|a| a.storage);
        // The first attribute has just been added as a flag.
        let revealed = stored(index).and_then(AttributeStorage::cell).unwrap_or(ColumnId(0));
        let revealed_to = stored(index + 1).and_then(AttributeStorage::list);
        Secrecy { secret_for, revealed, revealed_to }
    }

    /// Declares the kind whose pieces are the written orders of the sides, if there are sides and a
    /// free name.
    pub(super) fn declare_orders(&mut self) {
        let free = ORDERS_NAMES.into_iter().find(|name| is_name_free(&self.schema, name));
        let (Some(_), Some(name)) = (self.schema.sides, free) else { return };
        let name = Name { text: name.to_owned(), span: Span::default() };
        let orders =
            Kind { title: "Written orders".to_owned(), ..new_kind(&name, KindRole::Pieces) };
        self.schema.kinds.push(orders);
    }

    /// Adds the attributes of the written orders, if there are sides and the kind was declared.
    pub(super) fn add_order_attributes(&mut self) {
        let Some(sides) = self.schema.sides else { return };
        let Some(id) = self.schema.orders_kind() else { return };
        // The side that the orders belong to, and their text.
        let side = new_attribute("side", sides, Span::default());
        self.add_attribute(id, Attribute { start: self.schema.no_side(), ..side });
        self.add_attribute(id, new_attribute("text", Type::Text, Span::default()));
        let secret = self.add_revealed_attributes(id, REVEALED_FLAG, SecretFor::OwnSide);
        let kind = &mut self.schema.kinds[id.index()];
        kind.secret = Some(secret);
        kind.side_attribute = Some(0);
    }
}

/// Returns true if no kind or set of words has this name, and no kind has its plural.
fn is_name_free(schema: &Schema, name: &str) -> bool {
    schema.kind_named(name).is_none()
        && schema.words_named(name).is_none()
        && schema.plural_named(&format!("{name}s")).is_none()
}

#[cfg(test)]
mod tests {
    use crate::ruleset::{FileText, Ruleset, load};

    const SIDES: &str = "[words.army]\nvalues = [\"none\", \"red\"]\n[sides]\nare = \"army\"\n";

    fn loaded(rules: &str) -> Result<Ruleset, Vec<String>> {
        let text = format!("[game]\ntitle = \"Trial\"\n{rules}\n");
        let file = FileText { name: "trial.toml".into(), text, scenario: None };
        let codes = |f: &crate::diagnostic::Diagnostic| format!("{}: {}", f.code, f.message);
        load(vec![file]).map_err(|faulty| faulty.faults.iter().map(codes).collect())
    }

    fn faults(rules: &str) -> Vec<String> {
        loaded(rules).err().unwrap_or_default()
    }

    #[test]
    fn what_is_printed_or_drawn_for_all_cannot_be_hidden() {
        let printed = "cannot-hide: the rows of a list are printed, so everyone can read them";
        let gun = |keys: &str| {
            format!("[list.gun]\n{keys}columns = [\"title\"]\nrows = {{ big = [\"Big\"] }}\n")
        };
        assert_eq!(faults(&gun("")), [""; 0]);
        assert_eq!(faults(&gun("secret = true\n"))[0], printed);
        assert_eq!(faults(&gun("shots = { from = 0, to = 9, secret = true }\n")), [printed]);
        assert_eq!(
            faults("[kind.area]\nplan = true\nsecret = true\n"),
            ["cannot-hide: the plan is drawn for everyone, so all players see its areas"]
        );
        // An attribute of an area can be secret.
        assert_eq!(
            faults("[kind.area]\nplan = true\nmined = { flag = true, secret = true }\n"),
            [""; 0]
        );
    }

    #[test]
    fn what_is_secret_can_be_revealed() {
        let names = |rules: &str, kind: &str| {
            let rules = loaded(rules).unwrap();
            let kind = rules.schema.kind(rules.schema.kind_named(kind).unwrap());
            let names =
                kind.attributes.iter().map(|a| a.name.clone()).collect::<Vec<_>>().join(" ");
            (names, kind.secret.is_some())
        };
        let man = |keys: &str| format!("{SIDES}[kind.man]\n{keys}\n");
        assert_eq!(names(&man("hits = { from = 0 }"), "man"), ("hits".to_owned(), false));
        let all = "revealed revealed-to hits".to_owned();
        assert_eq!(names(&man("secret = true\nhits = { from = 0 }"), "man"), (all.clone(), true));
        assert_eq!(names(&man("seen_by = 'true'\nhits = { from = 0 }"), "man"), (all, true));
        assert_eq!(
            names(&man("secret = false\nhits = { from = 0 }"), "man"),
            ("hits".to_owned(), false)
        );
        let hits = "hits hits-revealed hits-revealed-to".to_owned();
        assert_eq!(names(&man("hits = { from = 0, secret = true }"), "man"), (hits, false));
        // Without sides, the attribute can only be revealed to all.
        let alone = "[kind.man]\nhits = { from = 0, secret = true }\n";
        assert_eq!(names(alone, "man"), ("hits hits-revealed".to_owned(), false));
        let told = faults(&man("secret = true\nrevealed = { flag = true }"));
        assert_eq!(told, ["twice: the attribute `revealed` is declared twice"]);
    }

    #[test]
    fn a_condition_on_the_side_that_looks_needs_sides() {
        let told = faults("[kind.man]\nseen_by = 'true'\n");
        assert!(told.contains(&"no-sides: this ruleset has no sides".to_owned()), "{told:?}");
    }

    #[test]
    fn written_orders_take_a_name_that_is_free() {
        let orders = |rules: &str| {
            let schema = loaded(rules).unwrap().schema;
            schema.orders_kind().map(|id| schema.kind(id).name.clone())
        };
        assert_eq!(orders("[kind.man]\n"), None);
        let schema = loaded(SIDES).unwrap().schema;
        assert_eq!(schema.kind(schema.orders_kind().unwrap()).title, "Written orders");
        assert_eq!(orders(SIDES).as_deref(), Some("order"));
        for taken in [
            "[kind.order]\nplural = \"all-orders\"\n",
            "[words.order]\nvalues = [\"go\", \"wait\"]\n",
            "[kind.paper]\nplural = \"orders\"\n",
        ] {
            assert_eq!(
                orders(&format!("{SIDES}{taken}")).as_deref(),
                Some("written-order"),
                "{taken}"
            );
        }
        let both = "[kind.order]\n[kind.written-order]\n";
        assert_eq!(orders(&format!("{SIDES}{both}")), None);
    }
}
