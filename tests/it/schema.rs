//! The JSON Schema for editors: it is the one in `docs/schema`, and whatever loads passes it.

use std::path::{Path, PathBuf};

use adjutant::shipped;
use adjutant_engine::ruleset::format::{ruleset_schema, scenario_schema};
use adjutant_engine::ruleset::{FileText, load};
use serde_json::{Value, json};
use toml::de::{DeTable, DeValue};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_schemas_in_the_documentation_are_current() {
    for (name, schema) in [("ruleset", ruleset_schema()), ("scenario", scenario_schema())] {
        let path = root().join(format!("docs/schema/{name}.schema.json"));
        let current = format!("{schema:#}\n");
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(&path, &current).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        let how = "`UPDATE_SCHEMA=1 cargo test --test it schema::` renews it";
        assert!(kept == current, "{} is not current: {how}", path.display());
    }
}

fn form(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(s) => json!(s),
        DeValue::Integer(n) => json!(n.as_str().replace('_', "").parse::<i64>().unwrap_or(0)),
        DeValue::Float(n) => json!(n.as_str().parse::<f64>().unwrap_or(0.5)),
        DeValue::Boolean(b) => json!(b),
        DeValue::Datetime(d) => json!(d.to_string()),
        DeValue::Array(items) => items.iter().map(|i| form(i.get_ref())).collect(),
        DeValue::Table(table) => object(table),
    }
}

fn object(table: &DeTable<'_>) -> Value {
    let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
        let key: &std::borrow::Cow<'_, str> = key.get_ref();
        (key.to_string(), form(value.get_ref()))
    };
    Value::Object(table.iter().map(entry).collect())
}

/// What a schema finds wrong with a TOML text.
fn wrong(schema: &Value, text: &str) -> Vec<String> {
    let table = DeTable::parse(text).unwrap();
    let mut found = Vec::new();
    validate(schema, schema, &object(table.get_ref()), "", &mut found);
    found
}

/// As much of JSON Schema as the schemas use; anything else in them is a failure, so that nothing goes unjudged.
fn validate(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let object = match schema {
        Value::Bool(true) => return,
        Value::Bool(false) => return found.push(format!("{at}: nothing can stand here")),
        Value::Object(object) => object,
        other => panic!("{other}"),
    };
    for (keyword, given) in object {
        match keyword.as_str() {
            "$schema" | "title" | "description" | "definitions" => {}
            "$ref" => {
                let pointer = given.as_str().unwrap().strip_prefix('#').unwrap();
                validate(root, root.pointer(pointer).unwrap(), value, at, found);
            }
            "anyOf" => {
                let passes = |schema: &Value| {
                    let mut inner = Vec::new();
                    validate(root, schema, value, at, &mut inner);
                    inner.is_empty()
                };
                if !given.as_array().unwrap().iter().any(passes) {
                    found.push(format!("{at}: fits none of the forms"));
                }
            }
            "type" => {
                let is = |name: &Value| match name.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64(),
                    "number" => value.is_number(),
                    other => panic!("{other}"),
                };
                let fits = given.as_array().map_or_else(|| is(given), |all| all.iter().any(is));
                if !fits {
                    found.push(format!("{at}: is no {given}"));
                }
            }
            "required" => {
                for key in given.as_array().unwrap() {
                    if value.is_object() && value.get(key.as_str().unwrap()).is_none() {
                        found.push(format!("{at}: lacks {key}"));
                    }
                }
            }
            "properties" | "additionalProperties" => {
                let properties = object.get("properties").and_then(Value::as_object);
                for (key, value) in value.as_object().into_iter().flatten() {
                    let known = properties.and_then(|p| p.get(key));
                    let schema = match (keyword.as_str(), known) {
                        ("properties", Some(schema)) => schema,
                        ("additionalProperties", None) => given,
                        _ => continue,
                    };
                    validate(root, schema, value, &format!("{at}/{key}"), found);
                }
            }
            "items" => {
                for (i, value) in value.as_array().into_iter().flatten().enumerate() {
                    validate(root, given, value, &format!("{at}/{i}"), found);
                }
            }
            other => panic!("the schema says `{other}`, which this test does not know"),
        }
    }
}

#[test]
fn every_ruleset_and_scenario_at_hand_passes_the_schema() {
    let rulesets = ruleset_schema();
    let scenarios = scenario_schema();
    let mut files: Vec<FileText> =
        shipped::names().iter().flat_map(|n| shipped::files(n).unwrap()).collect();
    for entry in std::fs::read_dir(root().join("docs/examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "toml") {
            let (name, text) = (path.display().to_string(), std::fs::read_to_string(path).unwrap());
            files.push(FileText { name, text, scenario: None });
        }
    }
    assert!(files.len() > 20);
    for file in &files {
        let schema = if file.scenario.is_some() { &scenarios } else { &rulesets };
        let wrong = wrong(schema, &file.text);
        assert!(wrong.is_empty(), "{}: {}", file.name, wrong.join("\n"));
    }
}

/// What the loader refuses for its keys, the schema refuses; what loads, passes.
#[test]
fn the_schema_agrees_with_the_loader_on_the_corpus() {
    let schema = ruleset_schema();
    let mut refused = 0;
    for entry in std::fs::read_dir(Path::new(&root()).join("tests/check")).unwrap() {
        let path = entry.unwrap().path();
        let Some(text) = path
            .extension()
            .filter(|e| *e == "toml")
            .and_then(|_| std::fs::read_to_string(&path).ok())
        else {
            continue;
        };
        if DeTable::parse(&text).is_err() {
            continue;
        }
        let file = FileText { name: "case".into(), text: text.clone(), scenario: None };
        // The places of a usage are named by its author: no schema knows them.
        let codes: Vec<&str> = match load(vec![file]) {
            Ok(_) => Vec::new(),
            Err(faulty) => faulty
                .faults
                .iter()
                .map(|f| if f.message.starts_with("the usage") { "usage" } else { f.code })
                .collect(),
        };
        let wrong = wrong(&schema, &text);
        if codes.is_empty() {
            assert!(wrong.is_empty(), "{}: {}", path.display(), wrong.join("\n"));
        }
        if codes.iter().any(|c| matches!(*c, "unknown-key" | "unknown-section")) {
            assert!(!wrong.is_empty(), "{}", path.display());
            refused += 1;
        }
    }
    assert!(refused >= 2, "{refused}");
}
