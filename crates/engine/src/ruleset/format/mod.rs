//! The keys that the files of a ruleset may have, and the values of each.
//!
//! The loader refuses every key that the form of its section does not allow. The JSON Schema for
//! editors is generated from the same forms, so the loader and the editors accept the same keys.

pub(super) mod forms;
mod schema;

pub use schema::{ruleset_schema, scenario_schema};

/// The kind of value that a key can have.
#[derive(Clone, Copy, Debug)]
pub(super) enum KeyValue {
    /// A text for people, a name, or another text that isn't rule text.
    Text,
    /// Rule text.
    Rule,
    /// `true` or `false`.
    Flag,
    /// A whole number.
    Whole,
    /// A whole number, or rule text with a whole number as its value.
    WholeOrRule,
    /// One value: a text, a flag or a number.
    Single,
    /// A table of this form.
    Form(&'static Form),
    /// A table of one of these forms.
    OneOf(&'static [&'static Form]),
    /// A value of one of these kinds.
    Either(&'static [KeyValue]),
    /// A list whose members are values of this kind, in brackets.
    List(&'static KeyValue),
    /// A table whose keys are names that the author chooses, and whose values are of this kind.
    Named(&'static KeyValue),
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    pub name: &'static str,
    pub value: KeyValue,
    /// An explanation of the key, in one line.
    pub about: &'static str,
}

/// A type of table, with its keys.
#[derive(Debug)]
pub(super) struct Form {
    /// The name of the form in the schema.
    pub name: &'static str,
    /// An explanation of the form, in one line.
    pub about: &'static str,
    pub keys: &'static [Key],
    /// The required keys.
    pub needed: &'static [&'static str],
    /// The value of all other keys, if other keys are allowed.
    pub others: Option<KeyValue>,
}

impl Form {
    /// Returns true if the form has a key with this name.
    pub(super) fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|k| k.name == key)
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, KeyValue, forms};

    /// Collects every form once.
    fn forms_of(value: KeyValue, found: &mut Vec<&'static Form>) {
        let inner: Vec<KeyValue> = match value {
            KeyValue::Form(form) => {
                vec![KeyValue::OneOf(if found.iter().any(|f| f.name == form.name) {
                    &[]
                } else {
                    found.push(form);
                    return form.keys.iter().map(|k| k.value).chain(form.others).for_each(|v| {
                        forms_of(v, found);
                    });
                })]
            }
            KeyValue::OneOf(forms) => forms.iter().map(|f| KeyValue::Form(f)).collect(),
            KeyValue::Either(values) => values.to_vec(),
            KeyValue::List(v) | KeyValue::Named(v) => vec![*v],
            _ => return,
        };
        inner.into_iter().for_each(|v| forms_of(v, found));
    }

    #[test]
    fn every_key_is_asked_for_by_the_loader() {
        let mut found = Vec::new();
        forms_of(KeyValue::Form(&forms::RULESET), &mut found);
        assert!(found.len() > 20, "{}", found.len());
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ruleset");
        let mut loader = String::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                loader.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
        for form in found {
            for key in form.keys {
                assert!(
                    loader.contains(&format!("\"{}\"", key.name)),
                    "{}.{}",
                    form.name,
                    key.name
                );
            }
        }
    }
}
