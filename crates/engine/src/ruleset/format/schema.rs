//! Generates a JSON Schema from the forms, so that editors can complete keys and underline errors.

use serde_json::{Map, Value as Json, json};

use super::{Form, KeyValue, forms};

/// Returns the JSON Schema of a ruleset file.
pub fn ruleset_schema() -> Json {
    document_schema(&forms::RULESET, "An Adjutant ruleset")
}

/// Returns the JSON Schema of a scenario that has its own file.
pub fn scenario_schema() -> Json {
    document_schema(&forms::SCENARIO, "An Adjutant scenario")
}

fn document_schema(form: &'static Form, title: &str) -> Json {
    let mut definitions = Map::new();
    let mut schema = form_schema(form, &mut definitions);
    schema.insert("$schema".into(), json!("http://json-schema.org/draft-07/schema#"));
    schema.insert("title".into(), json!(title));
    // Editors with TOML support read draft 7 with `definitions`.
    schema.insert("definitions".into(), Json::Object(definitions));
    Json::Object(schema)
}

/// Returns the complete schema of a form, and adds the definitions of the forms that it refers to.
fn form_schema(form: &'static Form, definitions: &mut Map<String, Json>) -> Map<String, Json> {
    let mut properties = Map::new();
    for key in form.keys {
        let mut schema = value_schema(key.value, definitions);
        // Keywords next to `$ref` are ignored, so the description of the definition is shown
        // instead.
        if let Some(object) = schema.as_object_mut().filter(|o| !o.contains_key("$ref")) {
            object.insert("description".into(), json!(key.about));
        }
        properties.insert(key.name.into(), schema);
    }
    let mut schema = Map::new();
    schema.insert("description".into(), json!(form.about));
    schema.insert("type".into(), json!("object"));
    schema.insert("properties".into(), Json::Object(properties));
    if !form.needed.is_empty() {
        schema.insert("required".into(), json!(form.needed));
    }
    let others = form.others.map_or(json!(false), |others| value_schema(others, definitions));
    schema.insert("additionalProperties".into(), others);
    schema
}

/// Returns a reference to the definition of a form, and adds the definition if it is missing.
fn form_reference(form: &'static Form, definitions: &mut Map<String, Json>) -> Json {
    if !definitions.contains_key(form.name) {
        definitions.insert(form.name.into(), Json::Null);
        let schema = form_schema(form, definitions);
        definitions.insert(form.name.into(), Json::Object(schema));
    }
    json!({ "$ref": format!("#/definitions/{}", form.name) })
}

fn value_schema(of: KeyValue, definitions: &mut Map<String, Json>) -> Json {
    match of {
        KeyValue::Text | KeyValue::Rule => json!({ "type": "string" }),
        KeyValue::Flag => json!({ "type": "boolean" }),
        KeyValue::Whole => json!({ "type": "integer" }),
        KeyValue::WholeOrRule => json!({ "type": ["integer", "string"] }),
        KeyValue::Single => json!({ "type": ["string", "boolean", "number"] }),
        KeyValue::Form(form) => form_reference(form, definitions),
        KeyValue::OneOf(forms) => {
            let forms: Vec<Json> = forms.iter().map(|f| form_reference(f, definitions)).collect();
            json!({ "anyOf": forms })
        }
        KeyValue::Either(values) => {
            let values: Vec<Json> = values.iter().map(|v| value_schema(*v, definitions)).collect();
            json!({ "anyOf": values })
        }
        KeyValue::List(member) => {
            json!({ "type": "array", "items": value_schema(*member, definitions) })
        }
        KeyValue::Named(member) => {
            json!({ "type": "object", "additionalProperties": value_schema(*member, definitions) })
        }
    }
}
