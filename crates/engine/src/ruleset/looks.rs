//! Reads the appearance that a ruleset declares: colours, pictures of pieces, lines over the plan,
//! and webs of rings and sectors.

use std::collections::BTreeMap;

use toml::de::DeValue;

use crate::language::schema::{
    AttributeStorage, Colour, Element, Glyph, KindId, KindRole, RouteLine, Type, WebLook,
};
use crate::ruleset::format::forms;
use crate::ruleset::loader::Loader;
use crate::ruleset::raw::{Section, TomlNode};
use crate::source::Span;

impl Loader<'_> {
    fn read_colour(&mut self, node: TomlNode<'_>) -> Option<Colour> {
        let name = self.r.name(node)?;
        let found = Colour::ALL.into_iter().find(|colour| colour.name() == name.text);
        if found.is_none() {
            let known = Colour::ALL.map(Colour::name);
            self.r.report_no_such("unknown-look", "colour", &name, known);
        }
        found
    }

    fn read_glyph(&mut self, node: TomlNode<'_>) -> Option<Glyph> {
        let name = self.r.name(node)?;
        let found = Glyph::ALL.into_iter().find(|glyph| glyph.name() == name.text);
        if found.is_none() {
            let known = Glyph::ALL.map(Glyph::name);
            self.r.report_no_such("unknown-look", "picture", &name, known);
        }
        found
    }

    /// Reads the colours of an attribute: none, one colour, or one for each of its words.
    pub(super) fn read_colours(&mut self, section: &Section<'_>, ty: Type) -> Vec<Colour> {
        let Some(node) = section.get("colour") else { return Vec::new() };
        if !matches!(node.value, DeValue::Array(_)) {
            return self.read_colour(node).into_iter().collect();
        }
        let nodes = section.array("colour", &mut self.r);
        let count = nodes.len();
        let colours: Vec<Colour> =
            nodes.into_iter().filter_map(|colour| self.read_colour(colour)).collect();
        if let Type::Word(set) = ty {
            let words = self.schema.word_set(set).values.len();
            self.check_one_each(section, "colour", (count, "colours"), (words, "words"));
        } else if count != 1 {
            let message = "only an attribute with words can have several colours";
            let help = "write one colour: `colour = \"red\"`";
            self.r.error_with_help("bad-look", node.span, message, help);
        }
        colours
    }

    pub(super) fn read_side_colours(&mut self, section: &Section<'_>) -> Vec<Colour> {
        let nodes = section.array("colours", &mut self.r).into_iter();
        nodes.filter_map(|node| self.read_colour(node)).collect()
    }

    /// Reads the appearance of a kind and of its attributes, once all of them have been declared.
    pub(super) fn read_kind_looks(&mut self, id: KindId, role: KindRole, section: &Section<'_>) {
        for (name, node) in section.entries() {
            let Some(index) = self.schema.kind(id).attributes.index_of(&name.text) else {
                continue;
            };
            let is_table = matches!(node.value, DeValue::Table(_));
            if !is_table || self.schema.kind(id).attributes[index].span != name.span {
                continue;
            }
            let what = format!("the attribute `{}`", name.text);
            let Some(attribute) = self.r.section(what, *node) else { continue };
            // Attributes of other types can't have these keys. The fault has already been reported.
            let is_reference = attribute.has("of");
            let glyphs = if is_reference || attribute.has("one_of") {
                self.read_glyphs(id, index, &attribute)
            } else {
                BTreeMap::new()
            };
            let line = attribute.get("line").filter(|_| is_reference);
            let line = line.and_then(|key| self.read_line(id, index, key));
            let look = &mut self.schema.kinds[id.index()].attributes[index];
            look.glyphs = glyphs;
            look.line = line;
        }
        if role != KindRole::Pieces {
            return;
        }
        let glyph = section.get("glyph").and_then(|node| self.read_glyph(node));
        let caption = self.attribute_of_key(id, section, "title_attribute");
        let web = section.table("web", &mut self.r).and_then(|web| {
            let look = self.read_web(id, &web);
            web.check_keys(&forms::WEB, &mut self.r);
            look
        });
        let kind = &mut self.schema.kinds[id.index()];
        kind.glyph = glyph;
        kind.caption_attribute = caption;
        kind.web = web;
    }

    /// Returns the attribute that a key names, as an index in its kind; `None` if the key is
    /// missing or, after a fault has been reported, if there is no such attribute.
    fn attribute_of_key(&mut self, id: KindId, section: &Section<'_>, key: &str) -> Option<usize> {
        let name = section.name(key, &mut self.r)?;
        self.find_attribute(id, &name)
    }

    /// Reads the pictures of pieces, each listed under a word or row that the attribute can have.
    fn read_glyphs(
        &mut self,
        id: KindId,
        index: usize,
        section: &Section<'_>,
    ) -> BTreeMap<String, Glyph> {
        let mut glyphs = BTreeMap::new();
        let Some(table) = section.table("glyph", &mut self.r) else { return glyphs };
        let ty = self.schema.kind(id).attributes[index].ty;
        for (name, node) in table.entries() {
            match ty {
                Type::Word(set) if self.schema.word_set(set).index_of(&name.text).is_none() => {
                    let known = self.schema.word_set(set).values.clone();
                    let known = known.iter().map(String::as_str);
                    self.r.report_no_such("unknown-word", "word of the attribute", name, known);
                }
                // The rows of a list are not known before all lists have been read.
                Type::Piece(of) if self.schema.kind(of).role == KindRole::List => {
                    self.rows_with_pictures.push((of, name.clone()));
                }
                Type::Word(_) => {}
                _ => {
                    let message = "only words and rows of lists can have pictures";
                    self.r.error("bad-look", section.key_span("glyph"), message);
                    return glyphs;
                }
            }
            if let Some(glyph) = self.read_glyph(*node) {
                glyphs.insert(name.text.clone(), glyph);
            }
        }
        glyphs
    }

    /// Reads the line that an attribute draws over the plan. Returns `None` if it draws none, or
    /// after reporting a fault.
    fn read_line(&mut self, id: KindId, index: usize, node: TomlNode<'_>) -> Option<RouteLine> {
        let plan = self.schema.plan_kind();
        let ty = self.schema.kind(id).attributes[index].ty;
        if let DeValue::String(_) = node.value {
            let name = self.r.name(node)?;
            let from = self.find_attribute(id, &name)?;
            let area = plan.map(Type::Piece);
            let is_area = |of: usize| {
                let attribute = &self.schema.kind(id).attributes[of];
                let is_cell = matches!(attribute.storage, AttributeStorage::Cell(_));
                is_cell && Some(attribute.ty) == area
            };
            if is_area(index) && is_area(from) {
                return Some(RouteLine::From(from));
            }
        } else {
            if !self.r.flag(node)? {
                return None;
            }
            if plan.is_some_and(|plan| ty == Type::List(Element::Piece(plan))) {
                return Some(RouteLine::Along);
            }
        }
        let message = "only areas of the plan can be drawn as a line";
        let help = "write `line = true` for a list of areas, or name the attribute of the area where the line begins";
        self.r.error_with_help("bad-look", node.span, message, help);
        None
    }

    /// Reads the attributes that place the pieces of a kind on a web. Returns `None` after
    /// reporting a fault in the sector, the heading or the rings.
    fn read_web(&mut self, id: KindId, web: &Section<'_>) -> Option<WebLook> {
        let sector = self.attribute_of_key(id, web, "sector");
        let ring = self.attribute_of_key(id, web, "ring");
        let heading = self.attribute_of_key(id, web, "heading");
        let undivided = web.flag("undivided", &mut self.r);
        let ring_nodes = web.array("rings", &mut self.r);
        let sector = sector?;
        let sectors = self.word_set_of(id, sector, web.key_span("sector"))?;
        if let Some(heading) = heading
            && self.word_set_of(id, heading, web.key_span("heading"))? != sectors
        {
            let message = "the heading and the sector do not use the same words";
            self.r.error("bad-look", web.key_span("heading"), message);
        }
        let mut rings = Vec::new();
        if let Some(ring) = ring {
            let Type::Word(set) = self.word_set_of(id, ring, web.key_span("ring"))? else {
                return None;
            };
            for node in ring_nodes {
                let Some(name) = self.r.name(node) else { continue };
                match self.schema.word_set(set).index_of(&name.text) {
                    Some(word) => rings.push(word),
                    None => {
                        let known = self.schema.word_set(set).values.clone();
                        let known = known.iter().map(String::as_str);
                        self.r.report_no_such("unknown-word", "ring", &name, known);
                    }
                }
            }
            if rings.is_empty() {
                let message = "a web needs the words for its rings, from the middle outwards";
                let help = "write `rings = [\"inner\", \"outer\"]`";
                self.r.error_with_help("bad-look", web.span, message, help);
                return None;
            }
        }
        Some(WebLook { ring, sector, heading, rings, undivided })
    }

    /// Returns the type of a stored attribute whose values are words of a set; for any other
    /// attribute, reports a fault and returns `None`.
    fn word_set_of(&mut self, id: KindId, index: usize, span: Span) -> Option<Type> {
        let attribute = &self.schema.kind(id).attributes[index];
        if let (Type::Word(_), AttributeStorage::Cell(_)) = (attribute.ty, attribute.storage) {
            return Some(attribute.ty);
        }
        let message = format!("the values of `{}` are not words", attribute.name);
        self.r.error("bad-look", span, message);
        None
    }
}
