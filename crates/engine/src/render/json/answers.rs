//! The schemas of answers, and the tables of their keys for the documentation.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// An answer for machines, as it is documented.
#[derive(Clone, Debug)]
pub struct AnswerSchema {
    /// The title of the section that describes it.
    pub section: &'static str,
    /// The command of the shell, or the line at the prompt, that gives it.
    pub given_by: &'static str,
    /// Its JSON Schema.
    pub schema: Value,
}

/// A key of an answer, as it is documented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerKey {
    /// The key after those it is in: `rows[].on` is the key `on` of each object in the list `rows`.
    pub path: String,
    /// The type of its value, in words.
    pub form: String,
    /// Its meaning.
    pub meaning: String,
}

/// Returns the schema of an answer.
pub fn answer<A: JsonSchema>(section: &'static str, given_by: &'static str) -> AnswerSchema {
    // What is printed counts: a key that may be left out is not required.
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    AnswerSchema { section, given_by, schema: generator.into_root_schema_for::<A>().to_value() }
}

impl AnswerSchema {
    /// Returns its keys, each before those within it.
    pub fn keys(&self) -> Vec<AnswerKey> {
        let mut keys = Vec::new();
        self.add_keys(&[&self.schema], "", &mut keys);
        keys
    }

    /// Writes the table of its keys in Markdown.
    pub fn markdown(&self) -> String {
        let mut text = "| Key | Type | Meaning |\n|---|---|---|\n".to_owned();
        for AnswerKey { path, form, meaning } in self.keys() {
            let meaning = meaning.replace('|', "\\|");
            text.push_str(&format!("| `{path}` | {form} | {meaning} |\n"));
        }
        text
    }

    /// Adds the keys of a value that has one of these schemas.
    fn add_keys(&self, schemas: &[&Value], path: &str, keys: &mut Vec<AnswerKey>) {
        let alternatives = self.alternatives(schemas);
        let objects: Vec<&Value> = alternatives
            .iter()
            .copied()
            .filter(|schema| schema["properties"].is_object())
            .collect();
        for name in names(&objects) {
            let of: Vec<&Value> =
                objects.iter().filter_map(|o| o["properties"].get(name)).collect();
            let always = objects.iter().all(|object| requires(object, name));
            let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            keys.push(self.key(&path, &of, always));
            self.add_keys(&of, &path, keys);
        }
        let any: Vec<&Value> =
            alternatives.iter().filter_map(|schema| schema.get("additionalProperties")).collect();
        if !any.is_empty() {
            let path = format!("{path}.*");
            let each = self.key(&path, &any, true);
            keys.push(AnswerKey { meaning: "Each by its name.".to_owned(), ..each });
            self.add_keys(&any, &path, keys);
        }
        let items: Vec<&Value> =
            alternatives.iter().filter_map(|schema| schema.get("items")).collect();
        if !items.is_empty() {
            self.add_keys(&items, &format!("{path}[]"), keys);
        }
    }

    fn key(&self, path: &str, schemas: &[&Value], always: bool) -> AnswerKey {
        let mut forms = self.forms(schemas, false);
        if !always {
            // What would be `null` is left out.
            forms.retain(|form| form != "`null`");
        }
        let missing = if always { "" } else { ", may be missing" };
        let meanings: Vec<String> = schemas
            .iter()
            .filter_map(|schema| schema["description"].as_str())
            .map(|words| words.replace('\n', " "))
            .collect();
        AnswerKey {
            path: path.to_owned(),
            form: format!("{}{missing}", forms.join(" or ")),
            meaning: unique(meanings).join(" "),
        }
    }

    /// Returns the schemas with each choice among several in the place of the choice.
    fn alternatives<'a>(&'a self, schemas: &[&'a Value]) -> Vec<&'a Value> {
        let mut alternatives = Vec::new();
        for schema in schemas {
            let reference = schema["$ref"].as_str().and_then(|to| to.strip_prefix('#'));
            let schema = reference.and_then(|to| self.schema.pointer(to)).unwrap_or(schema);
            match schema["anyOf"].as_array() {
                Some(any) => {
                    alternatives.extend(self.alternatives(&any.iter().collect::<Vec<_>>()));
                }
                None => alternatives.push(schema),
            }
        }
        alternatives
    }

    /// Returns the types of a value that has one of these schemas, in words; `several` for the members of a list.
    fn forms(&self, schemas: &[&Value], several: bool) -> Vec<String> {
        let mut forms = Vec::new();
        for schema in self.alternatives(schemas) {
            let types = match &schema["type"] {
                Value::Array(types) => types.iter().collect(),
                one => vec![one],
            };
            for name in types.into_iter().filter_map(Value::as_str) {
                let (one, all) = match name {
                    "string" => ("text", "texts"),
                    "integer" => ("whole number", "whole numbers"),
                    "number" => ("number", "numbers"),
                    "boolean" => ("true or false", "true or false"),
                    "object" => ("object", "objects"),
                    "array" if several => ("list", "lists"),
                    "array" => {
                        let members: Vec<&Value> = schema.get("items").into_iter().collect();
                        forms.push(format!("list of {}", self.forms(&members, true).join(" or ")));
                        continue;
                    }
                    _ => ("`null`", "`null`"),
                };
                forms.push(if several { all } else { one }.to_owned());
            }
        }
        unique(forms)
    }
}

/// Returns the names of all keys of objects: of each object first those it always has, in the order of its struct.
fn names<'a>(objects: &[&'a Value]) -> Vec<&'a str> {
    let mut names = Vec::new();
    for object in objects {
        let required = object["required"].as_array().into_iter().flatten();
        names.extend(required.filter_map(Value::as_str));
        let properties = object["properties"].as_object().into_iter().flatten();
        names.extend(properties.map(|(name, _)| name.as_str()));
    }
    unique(names)
}

fn requires(object: &Value, name: &str) -> bool {
    object["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name))
}

/// Returns the items without those that came before.
fn unique<T: Clone + Ord>(items: Vec<T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    items.into_iter().filter(|item| seen.insert(item.clone())).collect()
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;

    /// A coin.
    #[derive(Serialize, JsonSchema)]
    struct Coin {
        /// Its name in
        /// the catalogue.
        name: String,
        /// Its worth.
        worth: Option<i64>,
        /// Where it was found.
        #[serde(skip_serializing_if = "Option::is_none")]
        from: Option<Place>,
        /// Its sides, `head|tail`.
        sides: Vec<Side>,
        /// The years in which it was struck.
        years: Vec<Vec<u32>>,
    }

    #[derive(Serialize, JsonSchema)]
    struct Place {
        /// The town.
        town: String,
    }

    #[derive(Serialize, JsonSchema)]
    #[serde(untagged)]
    enum Side {
        Head {
            /// True if it is worn.
            worn: bool,
            /// The king.
            king: String,
        },
        Tail {
            /// True if it is worn.
            worn: bool,
            /// The heraldic beasts by number.
            beasts: std::collections::BTreeMap<String, f64>,
        },
    }

    #[test]
    fn the_table_has_a_row_for_each_key() {
        let expected = "\
| Key | Type | Meaning |
|---|---|---|
| `name` | text | Its name in the catalogue. |
| `worth` | whole number or `null` | Its worth. |
| `sides` | list of objects | Its sides, `head\\|tail`. |
| `sides[].worn` | true or false | True if it is worn. |
| `sides[].king` | text, may be missing | The king. |
| `sides[].beasts` | object, may be missing | The heraldic beasts by number. |
| `sides[].beasts.*` | number | Each by its name. |
| `years` | list of lists | The years in which it was struck. |
| `from` | object, may be missing | Where it was found. |
| `from.town` | text | The town. |
";
        assert_eq!(answer::<Coin>("coins", "`coin`").markdown(), expected);
    }

    #[test]
    fn an_answer_has_the_keys_that_are_described() {
        let coin = Coin {
            name: "penny".to_owned(),
            worth: None,
            from: Some(Place { town: "York".to_owned() }),
            sides: vec![
                Side::Head { worn: true, king: "Edward".to_owned() },
                Side::Tail { worn: false, beasts: [("lion".to_owned(), 3.0)].into() },
            ],
            years: vec![vec![1280]],
        };
        let json = super::super::value(&coin);
        for key in answer::<Coin>("coins", "`coin`").keys() {
            let pointer = key.path.replace("[]", "").replace(".*", ".lion").replace('.', "/");
            // The second side has what the first has not.
            let at = |side| format!("/{}", pointer.replace("sides/", &format!("sides/{side}/")));
            let found = [0, 1].into_iter().any(|side| json.pointer(&at(side)).is_some());
            assert!(found, "{}: {json}", key.path);
        }
    }
}
