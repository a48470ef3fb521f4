//! A strict checker of the part of JSON Schema 2020-12 that the schemas of the project use. It refuses
//! schemas that hold anything else, so that nothing in them goes unchecked, and objects that do not close
//! their lists of fields.

use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A schema of the project, and which of its fields were seen.
pub struct Schema {
    root: Value,
    seen: BTreeSet<String>,
}

const KEYWORDS: [&str; 19] = [
    "$schema",
    "$id",
    "$ref",
    "$defs",
    "title",
    "description",
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minItems",
    "maxItems",
    "enum",
    "const",
    "minimum",
    "oneOf",
    "anyOf",
    "examples",
];

impl Schema {
    /// `schema/NAME.json`.
    pub fn read(name: &str) -> Schema {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../schema/{name}.json"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let root: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert_eq!(root["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        let schema = Schema { root, seen: BTreeSet::new() };
        schema.understood(&schema.root, name);
        schema
    }

    /// Whether everything in a schema is understood, and every object closed.
    fn understood(&self, schema: &Value, at: &str) {
        let Some(object) = schema.as_object() else {
            assert!(schema.is_boolean(), "{at} is no schema");
            return;
        };
        for (key, value) in object {
            assert!(KEYWORDS.contains(&key.as_str()), "{at}: the checker knows no {key}");
            match key.as_str() {
                "properties" | "$defs" => {
                    for (name, inner) in value.as_object().unwrap() {
                        self.understood(inner, &format!("{at}/{name}"));
                    }
                }
                "items" | "additionalProperties" => self.understood(value, &format!("{at}/{key}")),
                "oneOf" | "anyOf" => {
                    value
                        .as_array()
                        .unwrap()
                        .iter()
                        .for_each(|inner| self.understood(inner, &format!("{at}/{key}")));
                }
                _ => {}
            }
        }
        if object.contains_key("properties") {
            // Fields may be added: who validates an answer must not refuse those of a later version.
            assert_eq!(object.get("additionalProperties"), None, "{at} is closed");
        }
    }

    /// Panics unless a value is as the schema says.
    pub fn check(&mut self, value: &Value) {
        let root = self.root.clone();
        if let Err(what) = self.validate(&root, value, "") {
            panic!("{what}\nin {value}");
        }
    }

    /// Panics unless each field of the schema was seen in what was checked.
    pub fn all_seen(&self) {
        let mut unseen = Vec::new();
        self.unseen(&self.root, &mut unseen);
        assert!(unseen.is_empty(), "no output had {unseen:?}");
    }

    fn unseen(&self, schema: &Value, out: &mut Vec<String>) {
        let Some(object) = schema.as_object() else { return };
        for (key, value) in object {
            match key.as_str() {
                "properties" => {
                    for (name, inner) in value.as_object().unwrap() {
                        if !self.seen.contains(&field(object, name)) {
                            out.push(name.clone());
                        }
                        self.unseen(inner, out);
                    }
                }
                "$defs" => value.as_object().unwrap().values().for_each(|inner| self.unseen(inner, out)),
                "items" | "additionalProperties" => self.unseen(value, out),
                "oneOf" | "anyOf" => {
                    value.as_array().unwrap().iter().for_each(|inner| self.unseen(inner, out))
                }
                _ => {}
            }
        }
    }

    fn validate(&mut self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let Some(schema) = schema.as_object() else {
            return if schema == &Value::Bool(true) {
                Ok(())
            } else {
                Err(format!("{at}: nothing may be here"))
            };
        };
        let wrong = |what: &str| Err(format!("{at}: {what}: {value}"));
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target = self.root.pointer(reference.strip_prefix('#').unwrap()).unwrap().clone();
            self.validate(&target, value, at)?;
        }
        if let Some(types) = schema.get("type") {
            let of = |name: &str| match name {
                "null" => value.is_null(),
                "boolean" => value.is_boolean(),
                "string" => value.is_string(),
                "integer" => value.is_i64() || value.is_u64(),
                "number" => value.is_number(),
                "array" => value.is_array(),
                "object" => value.is_object(),
                other => panic!("type {other}"),
            };
            let fits = match types {
                Value::Array(names) => names.iter().any(|name| of(name.as_str().unwrap())),
                name => of(name.as_str().unwrap()),
            };
            if !fits {
                return wrong(&format!("is not {types}"));
            }
        }
        if schema.get("const").is_some_and(|wanted| wanted != value) {
            return wrong("is another constant");
        }
        if schema.get("enum").is_some_and(|all| !all.as_array().unwrap().contains(value)) {
            return wrong("is none of the listed");
        }
        if let (Some(least), Some(number)) = (schema.get("minimum").and_then(Value::as_f64), value.as_f64())
            && number < least
        {
            return wrong("is too small");
        }
        if let Some(all) = schema.get("oneOf").or(schema.get("anyOf")) {
            let all = all.as_array().unwrap();
            let mut fitting = 0;
            for one in all {
                let before = self.seen.clone();
                match self.validate(one, value, at) {
                    Ok(()) => fitting += 1,
                    Err(_) => self.seen = before,
                }
            }
            if fitting == 0 || (schema.contains_key("oneOf") && fitting > 1) {
                return wrong(&format!("fits {fitting} of the alternatives"));
            }
        }
        match value {
            Value::Object(fields) => self.object(schema, fields, at),
            Value::Array(items) => {
                let count = |key: &str| schema.get(key).and_then(Value::as_u64).map(|n| n as usize);
                if count("minItems").is_some_and(|n| items.len() < n)
                    || count("maxItems").is_some_and(|n| items.len() > n)
                {
                    return wrong("has a wrong number of items");
                }
                let Some(each) = schema.get("items") else { return Ok(()) };
                items
                    .iter()
                    .enumerate()
                    .try_for_each(|(i, item)| self.validate(each, item, &format!("{at}/{i}")))
            }
            _ => Ok(()),
        }
    }

    fn object(
        &mut self,
        schema: &Map<String, Value>,
        fields: &Map<String, Value>,
        at: &str,
    ) -> Result<(), String> {
        for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
            if !fields.contains_key(name.as_str().unwrap()) {
                return Err(format!("{at}: has no {name}"));
            }
        }
        for (name, value) in fields {
            let known = schema.get("properties").and_then(|p| p.get(name));
            let other = schema.get("additionalProperties");
            // Here all fields are known: this version has no others.
            if known.is_none() && other.is_none() && schema.contains_key("properties") {
                return Err(format!("{at}/{name} is not described"));
            }
            let Some(inner) = known.or(other) else { continue };
            if known.is_some() {
                self.seen.insert(field(schema, name));
            }
            self.validate(inner, value, &format!("{at}/{name}"))?;
        }
        Ok(())
    }
}

/// A field of an object's schema, in one word.
fn field(schema: &Map<String, Value>, name: &str) -> String {
    let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    format!("{names:?} {name}")
}
