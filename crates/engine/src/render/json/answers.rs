//! The schemas of answers, and the tables of their keys for the documentation.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// The type of a missing value.
const NULL: &str = "`null`";

/// An answer for machines, with its documentation.
#[derive(Clone, Debug)]
pub struct AnswerSchema {
    /// The title of the section that describes the answer.
    pub section: &'static str,
    /// The shell command, or the line at the prompt, that returns the answer.
    pub given_by: &'static str,
    /// The JSON Schema of the answer.
    pub schema: Value,
}

/// A key of an answer, with its documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerKey {
    /// The path of the key. For example, `rows[].on` is the key `on` of each object in the list
    /// `rows`.
    pub path: String,
    /// The type of the key's value, in words.
    pub form: String,
    /// The meaning of the key's value.
    pub meaning: String,
}

/// Returns the schema of an answer.
pub fn answer<A: JsonSchema>(section: &'static str, given_by: &'static str) -> AnswerSchema {
    // The schema describes the printed JSON, so a key that may be left out is not required.
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    AnswerSchema { section, given_by, schema: generator.into_root_schema_for::<A>().to_value() }
}

impl AnswerSchema {
    /// Returns the keys of the answer, each before the keys inside it.
    ///
    /// If a type is described elsewhere (in its own section of `all` answers, or earlier in this
    /// answer), only a key `*` is listed for it.
    pub fn keys(&self, all: &[AnswerSchema]) -> Vec<AnswerKey> {
        self.list(all).keys
    }

    /// Writes the answer's keys in Markdown: a table of all keys, then a table for each object
    /// whose keys depend on its variant. `all` holds the answers that have sections.
    pub fn markdown(&self, all: &[AnswerSchema]) -> String {
        let list = self.list(all);
        let mut text = "| Key | Type | Meaning |\n|---|---|---|\n".to_owned();
        for AnswerKey { path, form, meaning } in list.keys {
            let meaning = meaning.replace('|', "\\|");
            text.push_str(&format!("| `{path}` | {form} | {meaning} |\n"));
        }
        for VariantKeys { path, variants } in list.variants {
            let of = match path.strip_suffix("[]") {
                Some(objects) => format!("One of `{objects}`"),
                None if path.is_empty() => "Answer".to_owned(),
                None => format!("`{path}`"),
            };
            text.push_str(&format!("\n| {of} | Keys |\n|---|---|\n"));
            for (variant, keys) in variants {
                text.push_str(&format!("| {variant} | `{}` |\n", keys.join("`, `")));
            }
        }
        text
    }

    fn list<'a>(&'a self, all: &'a [AnswerSchema]) -> KeyList<'a> {
        let mut list = KeyList {
            answer: self,
            all,
            described: BTreeMap::new(),
            keys: Vec::new(),
            variants: Vec::new(),
        };
        match all.iter().find(|other| other.type_name() == self.type_name()) {
            Some(first) if first.section != self.section => {
                list.refer("*".to_owned(), first.section);
            }
            _ => list.add(&[&self.schema], ""),
        }
        list
    }

    /// Returns the name of the answer's type.
    fn type_name(&self) -> &Value {
        &self.schema["title"]
    }

    /// Returns a key with the types and meanings of these schemas. `required` holds the key's
    /// schemas in the objects that always have the key, and `always` is true if all objects have
    /// it.
    fn key(&self, path: &str, schemas: &[&Value], required: &[&Value], always: bool) -> AnswerKey {
        let mut forms = self.forms(schemas, false);
        if !self.forms(required, false).iter().any(|form| form == NULL) {
            // An optional key is left out instead of being `null`.
            forms.retain(|form| form != NULL);
        }
        let missing = if always { "" } else { ", optional" };
        // The descriptions are Rust doc comments, in which `None` is a missing value.
        let none = if forms.iter().any(|form| form == NULL) { NULL } else { "absent" };
        let meanings: Vec<String> = schemas
            .iter()
            .filter_map(|schema| schema["description"].as_str())
            .map(|words| words.replace('\n', " ").replace("`None`", none))
            .collect();
        AnswerKey {
            path: path.to_owned(),
            form: format!("{}{missing}", forms.join(" or ")),
            meaning: unique(meanings).join(" "),
        }
    }

    /// Returns the schemas, with every reference resolved and every choice replaced by its
    /// alternatives.
    fn alternatives<'a>(&'a self, schemas: &[&'a Value]) -> Vec<&'a Value> {
        let mut alternatives = Vec::new();
        for schema in schemas {
            let reference = schema["$ref"].as_str().and_then(|to| to.strip_prefix('#'));
            let schema = reference.and_then(|to| self.schema.pointer(to)).unwrap_or(schema);
            match choices(schema) {
                Some(any) => {
                    alternatives.extend(self.alternatives(&any.iter().collect::<Vec<_>>()));
                }
                None => alternatives.push(schema),
            }
        }
        alternatives
    }

    /// Returns the name of the type that these schemas describe, if they describe only one and it
    /// has a name.
    fn named_type<'a>(&'a self, schemas: &[&'a Value]) -> Option<&'a str> {
        let mut named = None;
        for schema in schemas {
            let one = match (schema["$ref"].as_str(), choices(schema)) {
                (Some(reference), _) => reference.strip_prefix("#/$defs/")?,
                (None, Some(any)) => self.named_type(&any.iter().collect::<Vec<_>>())?,
                (None, None) if schema["type"] == "null" => continue,
                (None, None) => return None,
            };
            if named.replace(one).is_some_and(|other| other != one) {
                return None;
            }
        }
        named
    }

    /// Returns the types of a value that has one of these schemas, in words. If `several` is true,
    /// they are in the plural, for the members of a list.
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
                        let mut members: Vec<&Value> = schema.get("items").into_iter().collect();
                        members.extend(schema["prefixItems"].as_array().into_iter().flatten());
                        forms.push(format!("list of {}", self.forms(&members, true).join(" or ")));
                        continue;
                    }
                    _ => (NULL, NULL),
                };
                forms.push(if several { all } else { one }.to_owned());
            }
        }
        unique(forms)
    }
}

/// A list of the keys of an answer, under construction.
struct KeyList<'a> {
    answer: &'a AnswerSchema,
    all: &'a [AnswerSchema],
    /// The path at which each type was described.
    described: BTreeMap<&'a str, String>,
    keys: Vec<AnswerKey>,
    variants: Vec<VariantKeys<'a>>,
}

/// An object whose keys depend on its variant.
struct VariantKeys<'a> {
    path: String,
    /// Each variant in words, with its keys.
    variants: Vec<(&'a str, Vec<&'a str>)>,
}

impl<'a> KeyList<'a> {
    /// Adds a key that refers to the section where these keys are described.
    fn refer(&mut self, path: String, place: &str) {
        let meaning = format!("As in `{place}`.");
        self.keys.push(AnswerKey { path, form: String::new(), meaning });
    }

    /// Adds the keys of a value that has one of these schemas.
    fn add(&mut self, schemas: &[&'a Value], path: &str) {
        let alternatives = self.answer.alternatives(schemas);
        let objects: Vec<&'a Value> = alternatives
            .iter()
            .copied()
            .filter(|schema| schema["properties"].is_object())
            .collect();
        if let Some(name) = self.answer.named_type(schemas).filter(|_| !objects.is_empty()) {
            let all = self.all;
            if let Some(other) = all.iter().find(|other| other.type_name() == name) {
                return self.refer(format!("{path}.*"), other.section);
            }
            if let Some(place) = self.described.get(name).cloned() {
                return self.refer(format!("{path}.*"), &place);
            }
            self.described.insert(name, path.trim_end_matches("[]").to_owned());
        }
        let variants: Vec<(&str, Vec<&str>)> = objects
            .iter()
            .filter_map(|object| Some((object["description"].as_str()?, names(&[object]))))
            .collect();
        if variants.len() > 1 {
            self.variants.push(VariantKeys { path: path.to_owned(), variants });
        }
        for name in names(&objects) {
            let of: Vec<&Value> =
                objects.iter().filter_map(|o| o["properties"].get(name)).collect();
            let always = objects.iter().all(|object| requires(object, name));
            let required = objects.iter().filter(|object| requires(object, name));
            let required: Vec<&Value> = required.map(|o| &o["properties"][name]).collect();
            let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            self.keys.push(self.answer.key(&path, &of, &required, always));
            self.add(&of, &path);
        }
        let any: Vec<&Value> =
            alternatives.iter().filter_map(|schema| schema.get("additionalProperties")).collect();
        if !any.is_empty() {
            let path = format!("{path}.*");
            let each = self.answer.key(&path, &any, &any, true);
            self.keys.push(AnswerKey { meaning: "One value for each name.".to_owned(), ..each });
            self.add(&any, &path);
        }
        if alternatives.iter().any(|schema| is_open(schema)) {
            let meaning = "Any keys.".to_owned();
            self.keys.push(AnswerKey { path: format!("{path}.*"), form: String::new(), meaning });
        }
        let items: Vec<&Value> =
            alternatives.iter().filter_map(|schema| schema.get("items")).collect();
        if !items.is_empty() {
            self.add(&items, &format!("{path}[]"));
        }
    }
}

/// Returns the names of all keys of the objects, without duplicates. For each object, the required
/// keys come first, in the order of the fields in the struct.
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

/// Returns the schemas of the alternatives in a choice; `None` for any other schema.
fn choices(schema: &Value) -> Option<&Vec<Value>> {
    schema["anyOf"].as_array().or(schema["oneOf"].as_array())
}

/// Returns true if an object can have arbitrary keys.
fn is_open(schema: &Value) -> bool {
    let keys = schema.get("properties").or(schema.get("additionalProperties"));
    schema["type"] == "object" && keys.is_none()
}

fn requires(object: &Value, name: &str) -> bool {
    object["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name))
}

/// Returns the items in their order, without duplicates.
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
        /// The place where it is shown.
        shown: Place,
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
        /// The side of the king.
        Head {
            /// True if it is worn.
            worn: bool,
            /// The king.
            king: Option<String>,
        },
        /// The other side.
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
| `shown` | object | The place where it is shown. |
| `shown.town` | text | The town. |
| `sides` | list of objects | Its sides, `head\\|tail`. |
| `sides[].worn` | true or false | True if it is worn. |
| `sides[].king` | text or `null`, optional | The king. |
| `sides[].beasts` | object, optional | The heraldic beasts by number. |
| `sides[].beasts.*` | number | One value for each name. |
| `years` | list of lists | The years in which it was struck. |
| `from` | object, optional | Where it was found. |
| `from.*` |  | As in `shown`. |

| One of `sides` | Keys |
|---|---|
| The side of the king. | `worn`, `king` |
| The other side. | `worn`, `beasts` |
";
        assert_eq!(answer::<Coin>("coins", "`coin`").markdown(&[]), expected);
    }

    /// A purse.
    #[derive(Serialize, JsonSchema)]
    struct Purse {
        /// The coins in it.
        coins: Vec<Coin>,
        /// Anything else in it.
        #[schemars(schema_with = "crate::render::json::objects")]
        rest: Vec<Value>,
    }

    #[test]
    fn an_answer_with_a_section_of_its_own_is_described_there() {
        let all = [
            answer::<Coin>("coins", "`coin`"),
            answer::<Purse>("purses", "`purse`"),
            answer::<Coin>("coins again", "`coin again`"),
        ];
        let purse = "\
| Key | Type | Meaning |
|---|---|---|
| `coins` | list of objects | The coins in it. |
| `coins[].*` |  | As in `coins`. |
| `rest` | list of objects | Anything else in it. |
| `rest[].*` |  | Any keys. |
";
        assert_eq!(all[1].markdown(&all), purse);
        let again = "| Key | Type | Meaning |\n|---|---|---|\n| `*` |  | As in `coins`. |\n";
        assert_eq!(all[2].markdown(&all), again);
    }

    #[test]
    fn an_answer_has_the_keys_that_are_described() {
        let coin = Coin {
            name: "penny".to_owned(),
            worth: None,
            from: Some(Place { town: "York".to_owned() }),
            shown: Place { town: "Leeds".to_owned() },
            sides: vec![
                Side::Head { worn: true, king: Some("Edward".to_owned()) },
                Side::Tail { worn: false, beasts: [("lion".to_owned(), 3.0)].into() },
            ],
            years: vec![vec![1280]],
        };
        let json = super::super::to_json(&coin);
        let keys = answer::<Coin>("coins", "`coin`").keys(&[]);
        for key in keys.iter().filter(|key| !key.meaning.starts_with("As in")) {
            let pointer = key.path.replace("[]", "").replace(".*", ".lion").replace('.', "/");
            // The second side has keys that the first side lacks.
            let at = |side| format!("/{}", pointer.replace("sides/", &format!("sides/{side}/")));
            let found = [0, 1].into_iter().any(|side| json.pointer(&at(side)).is_some());
            assert!(found, "{}: {json}", key.path);
        }
    }
}
