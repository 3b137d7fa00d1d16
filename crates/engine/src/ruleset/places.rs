//! Finds the computed places of pieces, and adds the lists of the pieces in each place.

use super::declare::{PLACE_NAMES, new_attribute, unfit_attribute};
use super::loader::Loader;
use crate::language::compile;
use crate::language::schema::{
    Attribute, AttributeStorage, CodeUnit, Element, KindId, KindRole, Param, Schema, Type,
};
use crate::language::syntax::{Expr, ExprKind, MemberSource, Name, Operator};
use crate::source::Span;

/// The name of the variable for a piece in the expression that lists the pieces at a place.
const MEMBER: &str = "piece";

impl Loader<'_> {
    /// Sets the types of computed attributes, finds the computed places, and adds to each kind of
    /// place the lists of the pieces there.
    pub(super) fn complete_attributes(&mut self, schema: &mut Schema) {
        // Computed attributes may read these lists, and computed places add further lists.
        add_lists_of_pieces(schema);
        set_derived_types(schema);
        self.find_computed_places(schema);
        if add_lists_of_pieces(schema) {
            set_derived_types(schema);
        }
    }

    /// Chooses the place attribute of each kind that has no stored place: the computed attribute
    /// that `place_attribute` names or, without this key, the first attribute that has one of the
    /// usual names, refers to a piece and isn't secret. A named attribute that can't be a place is
    /// reported.
    fn find_computed_places(&mut self, schema: &mut Schema) {
        let kinds: Vec<KindId> = schema.piece_kinds().map(|(id, _)| id).collect();
        for id in kinds {
            let kind = schema.kind(id);
            let is_place = |index: usize| match kind.attributes[index].ty {
                // A secret value may be computed from open values, so it can't be hidden.
                _ if kind.attributes[index].secret.is_some() => false,
                Type::Piece(of) => schema.kind(of).role == KindRole::Pieces,
                _ => false,
            };
            let place = match kind.place_attribute {
                Some(index)
                    if is_place(index)
                        || kind.attributes[index].ty == Type::Unknown
                        || matches!(kind.attributes[index].storage, AttributeStorage::Cell(_)) =>
                {
                    continue;
                }
                Some(index) => {
                    let attribute = &kind.attributes[index];
                    let name = &attribute.name;
                    let message = if attribute.secret.is_some() {
                        format!("the computed place `{name}` can't be secret")
                    } else {
                        unfit_attribute("place_attribute", name)
                    };
                    self.r.error("wrong-type", attribute.span, message);
                    None
                }
                None => {
                    let mut usual =
                        PLACE_NAMES.iter().filter_map(|name| kind.attributes.index_of(name));
                    usual.find(|&index| is_place(index))
                }
            };
            schema.kinds[id.index()].place_attribute = place;
        }
    }
}

fn set_derived_types(schema: &mut Schema) {
    for (kind, index, ty) in compile::derived_types(schema) {
        schema.kinds[kind.index()].attributes[index].ty = ty;
    }
}

/// Adds to each kind of place, for each kind of piece that can be there, a list of the pieces
/// there. The name of the list is the plural of the piece's kind. The list is left out if the place
/// already has an attribute with this name. Returns true if any lists were added.
fn add_lists_of_pieces(schema: &mut Schema) -> bool {
    let mut new = Vec::new();
    for (id, kind) in schema.piece_kinds() {
        if let Some(&Attribute { ref name, ty: Type::Piece(place), .. }) = kind.location()
            && schema.kind(place).attribute(&kind.plural).is_none()
            && !["self", "state", "option"].contains(&kind.plural.as_str())
        {
            new.push((place, id, kind.plural.clone(), name.clone()));
        }
    }
    for (place, kind, plural, at) in &new {
        let function = schema.new_function();
        let itself = vec![Param::built_in("self", Type::Piece(*place))];
        let unit = CodeUnit::Value(itself, None, pieces_where_they_are(plural, at));
        schema.units[function.index()] = Some(unit);
        let list = new_attribute(plural, Type::List(Element::Piece(*kind)), Span::default());
        schema.kinds[place.index()].attributes.push(Attribute {
            storage: AttributeStorage::Computed(function),
            fixed: true,
            bookkeeping: true,
            pieces_there: true,
            ..list
        });
    }
    !new.is_empty()
}

/// Returns the expression `(piece in PLURAL where piece.AT = self)` for this plural and this
/// attribute.
fn pieces_where_they_are(plural: &str, at: &str) -> Expr {
    let expr = |kind: ExprKind| Expr { kind, span: Span::default() };
    let name = |text: &str| Name { text: text.to_owned(), span: Span::default() };
    let variable = |text: &str| expr(ExprKind::Name(text.to_owned()));
    let place = expr(ExprKind::Member(Box::new(variable(MEMBER)), name(at)));
    let source = MemberSource {
        name: name(MEMBER),
        over: variable(plural),
        filter: Some(place.combined_with(Operator::Equal, variable("self"))),
    };
    expr(ExprKind::Filtered(Box::new(source), None))
}

#[cfg(test)]
mod tests {
    use crate::referee::testing::Trial;

    const GAME: &str = r#"
[kind.area]
plan = true

[kind.carrier]
at = { of = "area" }

[kind.man]
plural = "men"
inside = { of = "carrier" }
on     = { of = "area" }
at     = { is = 'if self.inside = none then self.on else self.inside.at' }

[scenario.start]
title = "Four"
walls = ["b1|b2"]
[scenario.start.legend]
x = {}
[[scenario.start.level]]
plan = """
xxxx
xx x"""

[scenario.start.pieces.carrier]
truck = { at = "b1" }
van = { at = "d1" }
[scenario.start.pieces.man]
ann = { inside = "truck" }
bob = { on = "b1" }
carl = { on = "a1" }
"#;
    #[test]
    fn a_place_lists_the_pieces_there() {
        let mut trial = Trial::set_up(GAME);
        assert_eq!(trial.attribute_text("b1.men"), "ann bob");
        assert_eq!(trial.attribute_text("b1.carriers"), "truck");
        assert_eq!(trial.attribute_text("a1.men"), "carl");
        trial.set_attribute("truck.at", "d1");
        assert_eq!(trial.attribute_text("b1.men"), "bob");
        assert_eq!(trial.attribute_text("d1.men"), "ann");
        assert_eq!(trial.attribute_text("d1.carriers"), "truck van");
    }

    #[test]
    fn squares_know_those_around_them() {
        let trial = Trial::set_up(GAME);
        // There is a wall between b1 and b2, and no square c2.
        assert_eq!(trial.attribute_text("a1.around"), "b1 b2 a2");
        assert_eq!(trial.attribute_text("b1.around"), "c1 a2 a1");
        assert_eq!(trial.attribute_text("c1.around"), "d1 d2 b1");
        assert_eq!(trial.attribute_text("b2.around"), "a2 a1");
        assert_eq!(trial.attribute_text("d2.around"), "d1 c1");
    }

    #[test]
    fn a_computed_attribute_can_be_the_place() {
        let trial = Trial::set_up(GAME);
        let man = trial.find_piece("ann").0;
        let kind = trial.referee.ruleset().schema.kind(man);
        assert_eq!(kind.location().map(|place| place.name.as_str()), Some("at"));
    }

    #[test]
    fn an_attribute_of_the_author_goes_before_such_a_list() {
        let rules =
            GAME.replace("plan = true", "plan = true\nmen = { from = 0, to = 9, start = 7 }");
        assert_eq!(Trial::set_up(&rules).attribute_text("b1.men"), "7");
    }

    #[test]
    fn what_older_rulesets_named_so_stays_theirs() {
        let own = r#"
[define.distance]
takes = "from: area, to: area"
is    = '10 * steps(from, to)'

[state]
far = { is = 'distance(first(areas), last(areas))' }
"#;
        let rules =
            GAME.replace("plan = true", "plan = true\naround = { is = 'size(self.beside)' }");
        let trial = Trial::set_up(&format!("{own}{rules}"));
        assert_eq!(trial.attribute_text("state.far"), "40");
        assert_eq!(trial.attribute_text("b2.around"), "1");
        let without =
            own.split_once("[state]").map(|(_, state)| format!("[state]{state}")).unwrap();
        let trial = Trial::set_up(&format!("{without}{GAME}"));
        assert_eq!(trial.attribute_text("state.far"), "3");
    }
}
