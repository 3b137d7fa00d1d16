//! Reads words, kinds, attributes, lists, options and the state from TOML into the schema.

use toml::de::DeValue;

use crate::diagnostic::{Declaration, Diagnostic, Fault};
use crate::language::grid::Grid;
use crate::language::named::Named;
use crate::language::number::Number;
use crate::language::schema::{
    Attribute, AttributeStorage, CodeUnit, ColumnId, DIRECTION_WORDS, Element, FunctionId, Kind,
    KindId, KindRole, ListId, OPTION_KIND, Param, STATE_KIND, Schema, Type, WordSet, WordsId,
};
use crate::language::syntax::{Assignment, Expr, ExprKind, Name, Statement, StatementKind};
use crate::ruleset::format::{Form, forms};
use crate::ruleset::loader::{Loader, NamedTable};
use crate::ruleset::raw::{Section, TomlNode};
use crate::source::Span;
use crate::tabletop::Argument;

/// The highest value of a number attribute that has no `to`. If `to` is negative and there is no
/// `from`, the lowest value is minus this number.
const NO_LIMIT: i64 = 1_000_000_000;

/// Returns the form of an attribute, which depends on the key that determines its type.
fn attribute_form(section: &Section<'_>) -> &'static Form {
    match () {
        () if section.has("is") => &forms::ATTRIBUTE_DERIVED,
        () if section.has("flag") => &forms::ATTRIBUTE_FLAG,
        () if section.has("dice") => &forms::ATTRIBUTE_DICE,
        () if section.has("text") => &forms::ATTRIBUTE_TEXT,
        () if section.has("one_of") => &forms::ATTRIBUTE_WORD,
        () if section.has("of") => &forms::ATTRIBUTE_REFERENCE,
        () => &forms::ATTRIBUTE_NUMBER,
    }
}

/// Returns a new kind with this name and no attributes.
pub(super) fn new_kind(name: &Name, role: KindRole) -> Kind {
    Kind {
        name: name.text.clone(),
        plural: format!("{}s", name.text),
        title: name.text.clone(),
        prefix: name.text.clone(),
        role,
        span: name.span,
        ..Kind::default()
    }
}

/// Returns an attribute with the default limits and start value of its type.
pub(super) fn new_attribute(name: &str, ty: Type, span: Span) -> Attribute {
    let (low, high, start) = match ty {
        Type::Whole => (0, NO_LIMIT, 0),
        Type::Number => (0, NO_LIMIT, Number::ZERO.to_bits()),
        Type::Piece(_) => (i64::MIN, i64::MAX, -1),
        _ => (i64::MIN, i64::MAX, 0),
    };
    Attribute { name: name.to_owned(), ty, low, high, start, span, ..Attribute::default() }
}

/// Returns the message for a `title_attribute` or `place_attribute` of the wrong type.
pub(super) fn unfit_attribute(key: &str, name: &str) -> String {
    let wanted = match key {
        "title_attribute" => "a text written in the rows",
        _ => "a reference to a piece",
    };
    format!("the `{key}` must be {wanted}, but `{name}` is not")
}

/// Returns true if a text is a single word of lower-case letters and hyphens.
pub(super) fn is_single_word(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_lowercase() || c == '-';
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(is_letter)
}

/// The name of the title attribute, which every list has.
const TITLE_NAME: &str = "title";
/// The usual names of the attribute for a piece's place.
pub(super) const PLACE_NAMES: [&str; 2] = ["at", "place"];
/// The name of the attribute that lists all neighbours of a square, including those at its corners.
const AROUND: &str = "around";
/// The usual name of the attribute for a piece's side.
const SIDE_NAME: &str = "side";

impl Loader<'_> {
    /// Declares the names of all kinds, lists and named sets of words, so that they can refer to
    /// each other.
    pub(super) fn declare_names(&mut self, entries: &[NamedTable<'_>]) {
        let fixed = |name: &str| Name { text: name.to_owned(), span: Span::default() };
        let mut state = new_kind(&fixed("state"), KindRole::Single);
        state.plural = "state".into();
        let mut option = new_kind(&fixed("option"), KindRole::Single);
        option.plural = "option".into();
        self.schema.kinds = [state, option].into_iter().collect();
        self.schema.words = Named::default();
        let grid = self.read_grid(entries);
        self.schema.words.push(WordSet {
            name: "direction".into(),
            values: grid.directions().iter().map(|&d| d.to_owned()).collect(),
            round: true,
            ..WordSet::default()
        });
        for entry in entries {
            match entry.section.as_str() {
                "words" => self.declare_words(entry),
                "kind" => self.declare_kind(entry, KindRole::Pieces),
                "list" => self.declare_kind(entry, KindRole::List),
                _ => {}
            }
        }
        let plans: Vec<Span> =
            self.schema.kinds.iter().filter(|k| k.plan).map(|k| k.span).collect();
        if let [first, second, ..] = plans.as_slice() {
            let message = "only one kind can have the drawn plan";
            let fault = self.r.error("two-plans", *second, message);
            fault.other = Some((*first, "this kind already has the plan".to_owned()));
        }
    }

    /// Finds the grid of the plan, or squares if no plan has hexes. This happens before any kind is
    /// declared, because the words for directions depend on the grid.
    fn read_grid(&mut self, entries: &[NamedTable<'_>]) -> Grid {
        let kinds = entries.iter().filter(|e| e.section == "kind");
        let mut plans = kinds.filter_map(|e| match e.node.value {
            toml::de::DeValue::Table(kind) => kind.get("plan")?.get_ref().as_str(),
            _ => None,
        });
        plans.find_map(grid_of_hexes).unwrap_or(Grid::Square)
    }

    /// Returns the grid of the plan if the pieces of a kind are the areas of the plan, or `None` if
    /// they are not. Reports an unknown grid, and treats it as squares.
    fn read_plan(&mut self, section: &Section<'_>) -> Option<Grid> {
        let node = section.get("plan")?;
        let toml::de::DeValue::String(name) = node.value else {
            return self.r.flag(node)?.then_some(Grid::Square);
        };
        let found = grid_of_hexes(name);
        if found.is_none() {
            let message = format!("there is no grid `{}`", name.escape_debug());
            let help = "write `true` for squares, or `\"hex\"` or `\"hex-flat\"` for hexes";
            self.r.error_with_help("unknown-plan", node.span, message, help);
        }
        Some(found.unwrap_or(Grid::Square))
    }

    fn declare_words(&mut self, entry: &NamedTable<'_>) {
        let name = &entry.name;
        let cause = Declaration::Name(name.text.clone());
        // A set with a bad name still gets that name, so that no second fault follows.
        let good = self.with_spoiled(&cause, |l| l.r.check_name(name, "a set of words"));
        if good && self.is_name_taken(name) {
            return;
        }
        let what = format!("the set of words `{}`", name.text);
        let Some(section) = self.with_spoiled(&cause, |l| l.r.section(what, entry.node)) else {
            return;
        };
        section.read_unshown_keys(&mut self.r);
        let values = self.with_spoiled(&cause, |l| l.read_word_values(&section, "values"));
        let marks = section.prose_list("marks", &mut self.r);
        let says = section.prose_list("says", &mut self.r);
        self.check_one_each(&section, "marks", (marks.len(), "marks"), (values.len(), "words"));
        self.check_one_each(&section, "says", (says.len(), "phrases"), (values.len(), "words"));
        let also = self.read_other_words(&section, &values);
        let round = section.flag("round", &mut self.r);
        if values.is_empty() {
            return self.with_spoiled(&cause, |l| section.check_keys(&forms::WORDS, &mut l.r));
        }
        section.check_keys(&forms::WORDS, &mut self.r);
        self.schema.words.push(WordSet {
            name: name.text.clone(),
            values,
            marks,
            says,
            also,
            round,
            span: name.span,
        });
    }

    /// Reads the other words for the words of a set, each with the word that it means.
    fn read_other_words(
        &mut self,
        section: &Section<'_>,
        values: &[String],
    ) -> Vec<(String, String)> {
        let mut also = Vec::new();
        let Some(table) = section.table("also", &mut self.r) else { return also };
        for (other, node) in table.entries() {
            let Some(meant) = self.r.prose(*node) else { continue };
            if !values.contains(&meant) {
                let name = Name { text: meant, span: node.span };
                let known = values.iter().map(String::as_str);
                self.r.report_no_such("unknown-word", "word of the set", &name, known);
            } else if !other.text.split(' ').all(is_single_word) || values.contains(&other.text) {
                let message = format!("`{}` can't be another word for `{meant}`", other.text);
                let help = "write words of lower-case letters, with single spaces, that aren't a word of the set";
                self.r.error_with_help("other-word", other.span, message, help);
            } else {
                also.push((other.text.clone(), meant));
            }
        }
        also
    }

    fn read_word_values(&mut self, section: &Section<'_>, key: &str) -> Vec<String> {
        let mut values: Vec<String> = Vec::new();
        for node in section.array(key, &mut self.r) {
            let Some(word) = self.r.prose(node) else { continue };
            if self.is_at_limit(values.len(), "words in a set", node.span) {
                break;
            }
            let name = Name { text: word.clone(), span: node.span };
            // `none` is a word of the language, but a set may contain it, too. A bad word is still
            // added to the set, so that no second fault follows where it is used.
            let cause = Declaration::Name(word.clone());
            if word != "none" && !self.with_spoiled(&cause, |l| l.r.check_name(&name, "a word")) {
                // The fault has been reported.
            } else if values.contains(&word) {
                self.r.error("twice", node.span, format!("the word `{word}` appears twice here"));
            }
            values.push(word);
        }
        values
    }

    fn declare_kind(&mut self, entry: &NamedTable<'_>, role: KindRole) {
        let name = &entry.name;
        let what = if role == KindRole::List { "a list" } else { "a kind" };
        let mut new = new_kind(name, role);
        let one = Declaration::Name(name.text.clone());
        let all = Declaration::Name(new.plural.clone());
        let section = self.with_spoiled(&one, |l| {
            l.with_spoiled(&all, |l| {
                if !l.r.check_name(name, what) || l.is_name_taken(name) {
                    return None;
                }
                l.r.section(what, entry.node)
            })
        });
        let Some(section) = section else { return };
        if let Some(plural) = section.name("plural", &mut self.r) {
            let cause = Declaration::Name(plural.text.clone());
            if self.with_spoiled(&cause, |l| l.r.check_name(&plural, "the pieces of a kind")) {
                new.plural = plural.text;
            }
        }
        if role == KindRole::Pieces {
            let grid = self.read_plan(&section);
            new.plan = grid.is_some();
            new.grid = grid.unwrap_or_default();
            if let Some(prefix) = section.get("prefix").and_then(|n| self.r.prose(n)) {
                // The names of the pieces consist of the prefix and a number.
                match crate::tabletop::check_name(&format!("{prefix}1")) {
                    Ok(_) => new.prefix = prefix,
                    Err(reason) => {
                        let span = section.key_span("prefix");
                        self.r.error("bad-name", span, reason.to_string());
                    }
                }
            }
        }
        if self.schema.plural_named(&new.plural).is_some() {
            let message = format!("two kinds have the plural `{}`", new.plural);
            self.r.error_with_help(
                "twice",
                name.span,
                message,
                "give one of them another `plural`",
            );
        }
        self.schema.kinds.push(new);
    }

    /// Returns true, and reports a fault, if a kind, a list or a set of words already has this
    /// name.
    fn is_name_taken(&mut self, name: &Name) -> bool {
        let kind = self.schema.kinds.named(&name.text).map(|k| k.span);
        let words = self.schema.words.named(&name.text).map(|w| w.span);
        self.r.is_taken(name, kind.or(words), "this name is part of every game; choose another")
    }

    /// Declares the built-in attributes, the options, and the attributes of the state and of all
    /// kinds and lists.
    pub(super) fn declare_attributes(&mut self, entries: &[NamedTable<'_>]) {
        self.add_built_in(STATE_KIND, "turn", Type::Whole);
        let phases = self.schema.words_named("phase").unwrap_or(DIRECTION_WORDS);
        self.add_built_in(STATE_KIND, "phase", Type::Word(phases));
        self.add_side_attributes();
        self.add_order_attributes();
        self.declare_activations(entries);
        for entry in entries {
            match entry.section.as_str() {
                "option" => {
                    let cause = self.attribute_declaration(OPTION_KIND, &entry.name);
                    self.with_spoiled(&cause, |l| l.declare_option(entry));
                }
                "state" => self.declare_attribute(STATE_KIND, &entry.name, entry.node),
                "kind" | "list" => self.declare_members(entry),
                _ => {}
            }
        }
    }

    /// Adds a built-in attribute, which rule text can't change.
    pub(super) fn add_built_in(&mut self, kind: KindId, name: &str, ty: Type) {
        let new = new_attribute(name, ty, Span::default());
        self.add_attribute(kind, Attribute { fixed: true, ..new });
    }

    /// Assigns storage to an attribute, and adds the attribute to its kind.
    pub(super) fn add_attribute(&mut self, kind: KindId, mut new: Attribute) {
        let index = self.schema.kind(kind).attributes.len();
        new.storage = match (new.ty, new.storage) {
            (_, AttributeStorage::Computed(f)) => AttributeStorage::Computed(f),
            (Type::List(_), _) => {
                self.schema.lists.push((kind, index));
                AttributeStorage::List(ListId::from_index(self.schema.lists.len() - 1))
            }
            _ => {
                self.schema.columns.push((kind, index));
                AttributeStorage::Cell(ColumnId::from_index(self.schema.columns.len() - 1))
            }
        };
        self.schema.kinds[kind.index()].attributes.push(new);
    }

    fn declare_option(&mut self, entry: &NamedTable<'_>) {
        let name = &entry.name;
        if !self.r.check_name(name, "an option") {
            return;
        }
        let what = format!("the option `{}`", name.text);
        let Some(section) = self.r.section(what, entry.node) else { return };
        let title = Some(section.prose("title", &mut self.r));
        let cite = section.prose("cite", &mut self.r);
        section.prose("note", &mut self.r);
        let (ty, form) = match section.get("default").map(|n| n.value) {
            Some(DeValue::Boolean(_)) => (Some(Type::Flag), &forms::OPTION_FLAG),
            Some(DeValue::Integer(_)) => (Some(Type::Whole), &forms::OPTION_NUMBER),
            Some(DeValue::String(_)) => {
                (self.read_word_type(&section).map(Type::member_or_self), &forms::OPTION_WORD)
            }
            _ => {
                let message = format!("the option `{}` has no `default`", name.text);
                let help =
                    "set `default` to `true` or `false`, to a number, or to a word of `one_of`";
                self.r.error_with_help("missing-key", name.span, message, help);
                return;
            }
        };
        let Some(ty) = ty else { return section.check_keys(form, &mut self.r) };
        let mut new = Attribute { title, cite, ..new_attribute(&name.text, ty, name.span) };
        self.read_range_and_start(&section, OPTION_KIND, &mut new);
        section.check_keys(form, &mut self.r);
        if self.schema.kind(OPTION_KIND).attribute(&name.text).is_some() {
            let message = format!("the option `{}` is declared twice", name.text);
            self.r.error("twice", name.span, message);
            return;
        }
        self.add_attribute(OPTION_KIND, new);
    }

    fn attribute_declaration(&self, kind: KindId, name: &Name) -> Declaration {
        Declaration::Attribute(self.schema.kind(kind).name.clone(), name.text.clone())
    }

    fn declare_attribute(&mut self, kind: KindId, name: &Name, node: TomlNode<'_>) {
        let cause = self.attribute_declaration(kind, name);
        let read = self.with_spoiled(&cause, |l| l.read_attribute(kind, name, node));
        if let Some((new, section)) = read {
            self.add_attribute(kind, new);
            self.read_attribute_secrecy(kind, name, &section);
        }
    }

    fn declare_members(&mut self, entry: &NamedTable<'_>) {
        let Some(id) = self.schema.kind_named(&entry.name.text) else { return };
        if self.schema.kind(id).span != entry.name.span {
            return;
        }
        let role = self.schema.kind(id).role;
        let form = if role == KindRole::List { &forms::LIST } else { &forms::KIND };
        let what = format!("the {} `{}`", form.name, entry.name.text);
        let Some(section) = self.r.section(what, entry.node) else { return };
        let title = section.prose("title", &mut self.r);
        section.read_unshown_keys(&mut self.r);
        if !title.is_empty() {
            self.schema.kinds[id.index()].title = title;
        }
        if role == KindRole::Pieces {
            let marker = section.prose("marker", &mut self.r);
            self.schema.kinds[id.index()].marker = (!marker.is_empty()).then_some(marker);
            if self.schema.kind(id).plan {
                self.add_plan_attributes(id);
            }
        } else {
            // Every printed list has a column of titles, empty if none are given.
            self.add_built_in(id, TITLE_NAME, Type::Text);
        }
        self.schema.kinds[id.index()].secret = self.read_kind_secrecy(id, role, &section);
        for (name, node) in section.entries() {
            if form.has(&name.text) {
                continue;
            }
            if !matches!(node.value, toml::de::DeValue::Table(_)) {
                let message = format!("{} has no key `{}`", section.what, name.text.escape_debug());
                let cause = self.attribute_declaration(id, name);
                let fault = Diagnostic::error("unknown-key", name.span, message).spoiling(cause);
                let attribute = match node.value {
                    toml::de::DeValue::Boolean(_) => "{ flag = true }".to_owned(),
                    toml::de::DeValue::Integer(n) => format!("{{ from = 0, to = {} }}", n.as_str()),
                    _ => "{ text = true }".to_owned(),
                };
                let near = crate::names::nearest(&name.text, form.keys.iter().map(|k| k.name));
                self.r.push(fault).help = Some(match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("for an attribute, write `{} = {attribute}`", name.text),
                });
                continue;
            }
            self.declare_attribute(id, name, *node);
        }
        if role == KindRole::List {
            self.declare_combined_attributes(id, &section);
        }
        self.add_list_of_squares_around(id);
        self.find_special_attributes(id, role, &section);
        self.read_kind_looks(id, role, &section);
        let [on_add, on_set] =
            ["on_add", "on_set"].map(|key| self.read_statements_function(&section, key, Some(id)));
        let computed_starts = self.add_computed_starts(id);
        let kind = &mut self.schema.kinds[id.index()];
        kind.computed_starts = computed_starts;
        kind.on_add = on_add;
        kind.on_set = on_set;
    }

    /// Finds the attributes that have a special meaning: the side; the title of a list's rows; and,
    /// for a kind of piece, the place and the attributes shown in rosters.
    fn find_special_attributes(&mut self, id: KindId, role: KindRole, section: &Section<'_>) {
        let is_text = |_: &Schema, a: &Attribute| {
            a.ty == Type::Text && matches!(a.storage, AttributeStorage::Cell(_))
        };
        let is_place = |schema: &Schema, a: &Attribute| match (a.ty, a.storage) {
            (Type::Piece(of), AttributeStorage::Cell(_)) => {
                schema.kind(of).role == KindRole::Pieces
            }
            _ => false,
        };
        let side = self.special_attribute(id, section, "side_attribute", &[SIDE_NAME], |_, _| true);
        let side = side.or_else(|| self.find_side_attribute(id));
        self.schema.kinds[id.index()].side_attribute = side;
        if role == KindRole::List {
            let title =
                self.special_attribute(id, section, "title_attribute", &[TITLE_NAME], is_text);
            self.schema.kinds[id.index()].title_attribute = title;
        } else {
            let index =
                self.special_attribute(id, section, "place_attribute", &PLACE_NAMES, is_place);
            self.schema.kinds[id.index()].place_attribute = index;
            for node in section.array("shown", &mut self.r) {
                let shown = self.r.name(node).and_then(|name| self.find_attribute(id, &name));
                self.schema.kinds[id.index()].roster.extend(shown);
            }
        }
    }

    /// Returns the attribute that a key names or, without the key, the first suitable attribute
    /// with one of the usual names. Returns `None` if there is no such attribute, and reports the
    /// fault if the key names one.
    fn special_attribute(
        &mut self,
        id: KindId,
        section: &Section<'_>,
        key: &str,
        usual: &[&str],
        fits: impl Fn(&Schema, &Attribute) -> bool,
    ) -> Option<usize> {
        let attributes = &self.schema.kind(id).attributes;
        let Some(node) = section.get(key) else {
            let mut there = usual.iter().filter_map(|name| attributes.index_of(name));
            return there.find(|&index| fits(&self.schema, &attributes[index]));
        };
        let name = self.r.name(node)?;
        let index = self.find_attribute(id, &name)?;
        let attribute = &self.schema.kind(id).attributes[index];
        if !fits(&self.schema, attribute) {
            let is_computed = matches!(attribute.storage, AttributeStorage::Computed(_));
            // The type of a computed attribute is known only when all attributes have been
            // declared.
            if is_computed && key == "place_attribute" {
                return Some(index);
            }
            self.r.error("wrong-type", node.span, unfit_attribute(key, &name.text));
            return None;
        }
        Some(index)
    }

    fn add_plan_attributes(&mut self, id: KindId) {
        for name in ["column", "row", "level"] {
            let new = new_attribute(name, Type::Whole, Span::default());
            self.add_attribute(id, Attribute { low: -NO_LIMIT, fixed: true, ..new });
        }
        let ty = Type::List(Element::Piece(id));
        for (name, says) in
            [("beside", "neighbours"), ("above", "areas above"), ("below", "areas below")]
        {
            let new = new_attribute(name, ty, Span::default());
            self.add_attribute(id, Attribute { says: Some(says.to_owned()), ..new });
        }
        let grid = self.schema.kind(id).grid;
        for side in grid.neighbour_directions() {
            self.add_built_in(id, grid.directions()[side], ty);
        }
    }

    /// If the pieces of a kind are the squares of the plan, adds the list of all neighbours of a
    /// square, unless the ruleset declares an attribute with the same name.
    fn add_list_of_squares_around(&mut self, id: KindId) {
        let kind = self.schema.kind(id);
        if kind.plan && !kind.grid.is_hexes() && kind.attribute(AROUND).is_none() {
            let new = new_attribute(AROUND, Type::List(Element::Piece(id)), Span::default());
            self.add_attribute(id, Attribute { says: Some("areas around".to_owned()), ..new });
        }
    }

    /// Reads an attribute, or reports a fault and returns `None`.
    fn read_attribute<'a>(
        &mut self,
        kind: KindId,
        name: &Name,
        node: TomlNode<'a>,
    ) -> Option<(Attribute, Section<'a>)> {
        if !self.r.check_name(name, "an attribute") {
            return None;
        }
        if let Some(first) = self.schema.kind(kind).attribute(&name.text) {
            let message = format!("the attribute `{}` is declared twice", name.text);
            self.r.report_duplicate(
                name,
                message,
                first.span,
                "it always exists; choose another name",
            );
            return None;
        }
        let section = self.r.section(format!("the attribute `{}`", name.text), node)?;
        let mut new = new_attribute(&name.text, Type::Unknown, name.span);
        if section.has("is") {
            let expr = self.parse_expr_key(&section, "is");
            let itself = vec![Param::built_in("self", Type::Piece(kind))];
            let unit = expr.map(|e| CodeUnit::Value(itself, None, e));
            new.storage = AttributeStorage::Computed(self.add_function(unit));
            new.fixed = true;
        } else {
            new = new_attribute(
                &name.text,
                self.read_attribute_type(&section, &name.text)?,
                name.span,
            );
            self.read_range_and_start(&section, kind, &mut new);
        }
        self.read_settings(&section, &mut new);
        section.check_keys(attribute_form(&section), &mut self.r);
        Some((new, section))
    }

    /// Reads the limits of a number, or of the numbers in a list, and the start value of any
    /// attribute or option.
    fn read_range_and_start(&mut self, section: &Section<'_>, kind: KindId, new: &mut Attribute) {
        if matches!(new.ty, Type::Whole | Type::Number | Type::List(Element::Whole)) {
            self.read_limits(section, new);
        }
        if new.ty == Type::List(Element::Whole) {
            new.start = 0;
            if new.low < 0 || section.has("fractions") {
                let message = "the numbers in a list must be whole and not below 0";
                self.r.error("bad-range", section.span, message);
            }
        }
        let key = if kind == OPTION_KIND { "default" } else { "start" };
        let Some(node) = section.get(key) else { return };
        if let Some(start) = self.read_computed_start(kind, node) {
            new.computed_start = start;
            return;
        }
        match new.ty {
            // The rows of a list are not known before all lists have been read.
            Type::Piece(of) if self.schema.kind(of).role == KindRole::List => {
                let row = self.r.name(node);
                self.starts.extend(row.map(|row| (kind, new.name.clone(), of, row)));
            }
            Type::Piece(_) | Type::List(_) | Type::Text => {
                let message = format!("`{}` cannot have a `start`", new.name);
                let help = "references begin as `none`, and lists and texts begin empty; set the value in `on_add`";
                self.r.error_with_help("bad-start", node.span, message, help);
            }
            _ => {
                if let Some(Argument::Value(start)) = self.read_value(new, node) {
                    new.start = start;
                }
            }
        }
    }

    /// Reads a start value that is computed from other attributes of the piece, such as
    /// `self.class.hull`. Returns `None` if the start value isn't computed, and `Some(None)` after
    /// reporting a fault.
    fn read_computed_start(&mut self, kind: KindId, node: TomlNode<'_>) -> Option<Option<Expr>> {
        let toml::de::DeValue::String(written) = node.value else { return None };
        let has_pieces = kind != STATE_KIND && self.schema.kind(kind).role == KindRole::Pieces;
        if !has_pieces || !written.contains("self.") {
            return None;
        }
        let text = self.r.text(node);
        Some(text.and_then(|text| self.parse_expr(&text)))
    }

    /// Adds a function for each computed start value of a kind's attributes. The function sets the
    /// attribute of a new piece to this value.
    fn add_computed_starts(&mut self, id: KindId) -> Vec<FunctionId> {
        let mut blocks = Vec::new();
        for attribute in &self.schema.kind(id).attributes {
            let Some(start) = &attribute.computed_start else { continue };
            let span = start.span;
            let itself = Expr { kind: ExprKind::Name("self".to_owned()), span };
            let name = Name { text: attribute.name.clone(), span };
            let target = Expr { kind: ExprKind::Member(Box::new(itself), name), span };
            let kind = StatementKind::Assign(target, Assignment::Set, start.clone());
            blocks.push(vec![Statement { kind, span }]);
        }
        let itself = || vec![Param::built_in("self", Type::Piece(id))];
        let add = |block| self.add_function(Some(CodeUnit::Block(itself(), block)));
        blocks.into_iter().map(add).collect()
    }

    /// Sets the rows with which references to printed lists start, and reports rows that don't
    /// exist, both here and where a picture is given for a row.
    pub(super) fn set_starting_rows(&mut self) {
        for (kind, attribute, list, row) in std::mem::take(&mut self.starts) {
            if row.text == "none" {
                continue;
            }
            let Some(start) = self.find_row(list, &row) else { continue };
            if let Some(index) = self.schema.kind(kind).attributes.index_of(&attribute) {
                self.schema.kinds[kind.index()].attributes[index].start = start;
            }
        }
        for (list, row) in std::mem::take(&mut self.rows_with_pictures) {
            self.find_row(list, &row);
        }
    }

    fn read_attribute_type(&mut self, section: &Section<'_>, name: &str) -> Option<Type> {
        for (key, ty) in [("flag", Type::Flag), ("dice", Type::Dice), ("text", Type::Text)] {
            let Some(node) = section.get(key) else { continue };
            // A value that isn't a flag has been reported. `false` gives no type.
            if self.r.flag(node) != Some(false) {
                return Some(ty);
            }
        }
        if section.has("one_of") {
            return self.read_word_type(section);
        }
        if section.has("of") {
            let of = section.name("of", &mut self.r)?;
            let many = section.flag("many", &mut self.r);
            let kind = self.find_kind(&of)?;
            return Some(if many { Type::List(Element::Piece(kind)) } else { Type::Piece(kind) });
        }
        if section.has("from") || section.has("to") {
            let fractions = section.flag("fractions", &mut self.r);
            let many = section.flag("many", &mut self.r);
            return Some(match (many, fractions) {
                (true, _) => Type::List(Element::Whole),
                (false, true) => Type::Number,
                (false, false) => Type::Whole,
            });
        }
        let message = format!("the attribute `{name}` has no type");
        let help = "write `from`, `to`, `dice = true`, `flag = true`, `one_of = […]`, `of = \"…\"`, `text = true` or `is = '…'`";
        self.r.error_with_help("missing-key", section.span, message, help);
        None
    }

    /// Returns the type of an attribute with `one_of`, whose value is the name of a set or a list
    /// of words. The type is a word of the set or, with `many`, a list of such words. Adds a set
    /// without a name for a list of words that is new. Returns `None` after reporting a fault.
    fn read_word_type(&mut self, section: &Section<'_>) -> Option<Type> {
        let node = section.get("one_of")?;
        let many = section.flag("many", &mut self.r);
        let set = if let toml::de::DeValue::String(_) = node.value {
            let set = self.r.name(node)?;
            let found = self.schema.words_named(&set.text);
            if found.is_none() {
                let known = self.schema.words.iter().map(|w| w.name.as_str());
                self.r.report_no_such("unknown-words", "set of words", &set, known);
            }
            found?
        } else {
            let values = self.read_word_values(section, "one_of");
            // The same words always form the same set, wherever they are written.
            match self.anonymous.get(&values) {
                Some(found) => *found,
                None => {
                    let id = WordsId::from_index(self.schema.words.len());
                    self.anonymous.insert(values.clone(), id);
                    let span = section.span;
                    self.schema.words.push(WordSet { values, span, ..WordSet::default() });
                    id
                }
            }
        };
        Some(if many { Type::List(Element::Word(set)) } else { Type::Word(set) })
    }

    fn read_limits(&mut self, section: &Section<'_>, new: &mut Attribute) {
        section.flag("fractions", &mut self.r);
        new.high = section.whole_number("to", &mut self.r).unwrap_or(NO_LIMIT);
        let lowest = if new.high < 0 { -NO_LIMIT } else { 0 };
        new.low = section.whole_number("from", &mut self.r).unwrap_or(lowest);
        if new.high < new.low {
            let message = format!("`to` ({}) is lower than `from` ({})", new.high, new.low);
            self.r.error("empty-range", section.key_span("to"), message);
        }
        let nearest = new.high.min(0).max(new.low);
        new.start = match new.ty {
            Type::Number => Number::whole(nearest).unwrap_or(Number::ZERO).to_bits(),
            _ if section.has("from") => new.low,
            _ => nearest,
        };
    }

    fn read_settings(&mut self, section: &Section<'_>, new: &mut Attribute) {
        let marker = section.prose("marker", &mut self.r);
        let title = section.prose("title", &mut self.r);
        section.prose("note", &mut self.r);
        new.cite = section.prose("cite", &mut self.r);
        new.marker = (!marker.is_empty()).then_some(marker);
        if let (Type::Word(set), Some(node)) = (new.ty, section.get("unmarked"))
            && let Some(Argument::Value(index)) = self.read_value(new, node)
        {
            new.unmarked = self.schema.word_set(set).values.get(index as usize).cloned();
        }
        new.title = (!title.is_empty()).then_some(title);
        new.says = section.phrase(&mut self.r);
        new.also = section.prose_lines("also", &mut self.r);
        new.bookkeeping = section.flag("bookkeeping", &mut self.r);
        if new.bookkeeping && new.marker.is_some() {
            let message =
                format!("`{}` is shown by a marker, so it cannot be bookkeeping", new.name);
            let help = "leave out either `bookkeeping` or `marker`";
            self.r.error_with_help(
                "marked-bookkeeping",
                section.key_span("bookkeeping"),
                message,
                help,
            );
        }
        new.signs = match section.get("sign") {
            Some(node) if matches!(node.value, toml::de::DeValue::Array(_)) => {
                section.prose_list("sign", &mut self.r)
            }
            _ => Some(section.prose("sign", &mut self.r))
                .filter(|s| !s.is_empty())
                .into_iter()
                .collect(),
        };
        if let (2.., Type::Word(set)) = (new.signs.len(), new.ty) {
            let words = self.schema.word_set(set).values.len();
            self.check_one_each(section, "sign", (new.signs.len(), "signs"), (words, "words"));
        }
        new.colours = self.read_colours(section, new.ty);
        new.names = section.prose_list("names", &mut self.r);
        if new.ty == Type::Whole {
            let numbers = new.high.saturating_sub(new.low).saturating_add(1);
            let numbers = usize::try_from(numbers).unwrap_or_default();
            self.check_one_each(section, "names", (new.names.len(), "names"), (numbers, "numbers"));
        }
    }

    /// Reports a fault unless there is one text for each thing or there are no texts at all.
    pub(super) fn check_one_each(
        &mut self,
        section: &Section<'_>,
        key: &str,
        (given, texts): (usize, &str),
        (wanted, things): (usize, &str),
    ) {
        if given > 0 && given != wanted {
            let message = format!("{given} {texts} are given for {wanted} {things}");
            self.r.error("wrong-names", section.key_span(key), message);
        }
    }

    /// Returns the index of an attribute in its kind, or reports a fault and returns `None`.
    pub(super) fn find_attribute(&mut self, id: KindId, name: &Name) -> Option<usize> {
        let kind = self.schema.kind(id);
        let index = kind.attributes.index_of(&name.text);
        if index.is_none() {
            let shown = name.text.escape_debug();
            let message = match id {
                STATE_KIND => format!("the state has no `{shown}`"),
                OPTION_KIND => format!("there is no option `{shown}`"),
                _ => format!("`{}` has no attribute `{shown}`", kind.name),
            };
            let known = kind.attributes.iter().map(|a| a.name.as_str());
            let cause = self.attribute_declaration(id, name);
            self.r.report_unknown("unknown-attribute", name, cause, message, known);
        }
        index
    }
}
/// Returns the grid of hexes with this name; `None` if there is none. Squares are written as `true`
/// instead.
fn grid_of_hexes(name: &str) -> Option<Grid> {
    Grid::ALL.into_iter().find(|grid| *grid != Grid::Square && grid.name() == name)
}
