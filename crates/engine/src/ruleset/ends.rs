//! Reads when the game ends, and who wins.

use crate::language::schema::{Type, Unit};
use crate::language::syntax::{Expr, ExprKind};
use crate::ruleset::format::forms;
use crate::ruleset::loader::Loader;
use crate::ruleset::parts::GameEnd;
use crate::ruleset::raw::TomlNode;

impl Loader<'_> {
    /// Reads `[end]`, or each of `[[end]]`, of the game or of a scenario.
    pub(super) fn ends<'a>(
        &mut self,
        nodes: impl IntoIterator<Item = TomlNode<'a>>,
        scenario: &str,
    ) {
        let ends = self.parts(nodes, "`[end]`", &forms::END, |l, section| {
            section.words("note", &mut l.r);
            if section.has("winner") {
                l.need_sides(section.key_span("winner"));
            }
            let say = l.template(section, "say").map(|words| {
                let span = words.span;
                let text = Expr { kind: ExprKind::Text(words), span };
                l.function(Some(Unit::Value(Vec::new(), Some(Type::Text), text)))
            });
            Some(GameEnd {
                scenario: scenario.to_owned(),
                cite: section.words("cite", &mut l.r),
                winner: l.value_function(section, "winner", l.schema.sides),
                margin: l.value_function(section, "margin", Some(Type::Whole)),
                when: l.value_function(section, "when", Some(Type::Flag))?,
                say,
            })
        });
        self.made.ends.extend(ends);
    }
}
