//! Reads the conditions that end a game, each with the winner, the margin and the texts to show.

use toml::de::DeValue;

use crate::language::schema::Type;
use crate::ruleset::format::forms;
use crate::ruleset::loader::Loader;
use crate::ruleset::parts::GameEnd;
use crate::ruleset::raw::TomlNode;

impl Loader<'_> {
    /// Reads `[end]`, or every `[[end]]`, of a scenario, or of the game if the name of the scenario
    /// is empty.
    pub(super) fn read_ends<'a>(
        &mut self,
        nodes: impl IntoIterator<Item = TomlNode<'a>>,
        scenario: &str,
    ) {
        let of = match scenario {
            "" => String::new(),
            scenario => format!("scenario {scenario} "),
        };
        let mut index = 0;
        let ends = self.read_tables(nodes, "`[end]`", &forms::END, |l, section| {
            index += 1;
            section.prose("note", &mut l.r);
            if section.has("winner") {
                l.require_sides(section.key_span("winner"));
            }
            let texts = section.entries().iter().filter_map(|(key, node)| match node.value {
                DeValue::String(words) => Some((key.text.clone(), words.to_string())),
                _ => None,
            });
            let say = l.read_template_key(section, "say");
            let say = say.map(|words| l.add_text_function(Vec::new(), words));
            let notable = l.read_template_key(section, "notable");
            let notable = notable.map(|words| l.add_text_function(Vec::new(), words));
            let winner = l.read_value_function(section, "winner", l.schema.sides);
            let margin = l.read_value_function(section, "margin", Some(Type::Whole));
            let when = l.read_value_function(section, "when", Some(Type::Flag));
            let named = [
                ("winner", winner),
                ("margin", margin),
                ("when", when),
                ("say", say),
                ("notable", notable),
            ];
            for (key, function) in named {
                l.name_function(function, format!("{of}end {index} {key}"));
            }
            Some(GameEnd {
                written: texts.collect(),
                scenario: scenario.to_owned(),
                cite: section.prose("cite", &mut l.r),
                winner,
                margin,
                when: when?,
                say,
                notable,
            })
        });
        self.made.ends.extend(ends);
    }
}
