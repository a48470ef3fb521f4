//! YAML, TOML and JSON into trees.

use super::node::{Node, Value};
use crate::fault::Log;
use crate::limits;
use crate::xml::short_text;
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// From YAML: one document, no aliases, bounded depth and size.
pub(crate) fn from_yaml(text: &str, path: &Path, log: &mut Log) -> Option<Node> {
    let mut documents = yaml_documents(text, path, "split the file", log)?;
    if let Some(second) = documents.get(1) {
        log.add_fault(path, format!("line {}", second.line), "holds more than one YAML document", "keep one");
        return None;
    }
    documents.pop()
}

/// From YAML: its documents that hold anything, at least one; no aliases, bounded depth and size. `too_long`
/// is what to do about a text that holds too much.
pub(crate) fn yaml_documents(text: &str, path: &Path, too_long: &str, log: &mut Log) -> Option<Vec<Node>> {
    enum Open {
        List(Vec<Node>),
        // The key that waits for its value.
        Map(Vec<(String, Node)>, BTreeSet<String>, Option<String>),
    }
    let mut stack: Vec<(usize, Open)> = Vec::new();
    let (mut documents, mut nodes) = (Vec::new(), 0_usize);
    for event in Parser::new_from_str(text) {
        let (event, span) = match event {
            Ok(found) => found,
            Err(e) => {
                let place = format!("line {}", e.marker().line());
                log.add_fault(
                    path,
                    place,
                    format!("is not well-formed YAML: {}", e.info()),
                    "correct the YAML",
                );
                return None;
            }
        };
        let line = span.start.line();
        let refuse = |log: &mut Log, what: &str, help: &str| {
            log.add_fault(path, format!("line {line}"), what, help);
        };
        nodes += 1;
        if nodes > limits::TREE_NODES || stack.len() > limits::TREE_DEPTH {
            refuse(log, "holds too many values, or nests them too deep", too_long);
            return None;
        }
        let done = match event {
            Event::Alias(_) => {
                refuse(log, "uses a YAML alias, which is not supported", "write the value out");
                return None;
            }
            Event::Scalar(text, style, _, _) => {
                let text = text.into_owned();
                let value = if style == ScalarStyle::Plain { Value::Plain(text) } else { Value::Text(text) };
                Node { line, value }
            }
            Event::SequenceStart(..) => {
                stack.push((line, Open::List(Vec::new())));
                continue;
            }
            Event::MappingStart(..) => {
                stack.push((line, Open::Map(Vec::new(), BTreeSet::new(), None)));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match stack.pop() {
                Some((line, Open::List(items))) => Node { line, value: Value::List(items) },
                Some((line, Open::Map(entries, _, _))) => Node { line, value: Value::Map(entries) },
                None => continue,
            },
            _ => continue,
        };
        match stack.last_mut() {
            None if done.is_null() => {}
            None => documents.push(done),
            Some((_, Open::List(items))) => items.push(done),
            Some((_, Open::Map(entries, keys, waiting))) => match waiting.take() {
                Some(key) => entries.push((key, done)),
                None => {
                    let Some(key) = done.as_text().map(str::to_string) else {
                        refuse(log, "has a key that is a list or map", "use plain keys");
                        return None;
                    };
                    if !keys.insert(key.clone()) {
                        refuse(log, &format!("the key {:?} comes twice", short_text(&key)), "keep one");
                        return None;
                    }
                    *waiting = Some(key);
                }
            },
        }
    }
    if documents.is_empty() {
        log.add_fault(path, "", "holds nothing", "give the right file");
        return None;
    }
    Some(documents)
}

/// From TOML; every syntax error is listed, and a key that comes twice is one.
pub(crate) fn from_toml(text: &str, path: &Path, log: &mut Log) -> Option<Node> {
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
    let line = |at: usize| starts.partition_point(|&s| s <= at);
    let (table, errors) = DeTable::parse_recoverable(text);
    for e in &errors {
        let place = e.span().map(|s| format!("line {}", line(s.start))).unwrap_or_default();
        let what = e.message().trim();
        // As in "C:\robots".
        let help = match what.contains("escape") {
            true => "correct the TOML: write paths with / or in single quotes, '...'",
            false => "correct the TOML",
        };
        log.add_fault(path, place, format!("is not well-formed TOML: {what}"), help);
    }
    if !errors.is_empty() {
        return None;
    }
    Some(Node { line: 1, value: toml_table(table.get_ref(), &line) })
}

fn toml_table(table: &DeTable<'_>, line: &dyn Fn(usize) -> usize) -> Value {
    let mut entries: Vec<(String, Node)> = table
        .iter()
        .map(|(k, v)| (k.get_ref().to_string(), toml_node(v.get_ref(), v.span().start, line)))
        .collect();
    // The parser sorts keys; people expect faults in file order.
    entries.sort_by_key(|(_, v)| v.line);
    Value::Map(entries)
}

/// The parser bounds the depth of its values at 80, so this recursion is bounded too.
fn toml_node(value: &DeValue<'_>, at: usize, line: &dyn Fn(usize) -> usize) -> Node {
    let value = match value {
        DeValue::String(s) => Value::Text(s.to_string()),
        DeValue::Integer(i) if i.radix() == 10 => Value::Number(i.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Integer(i) => {
            Value::Number(i64::from_str_radix(i.as_str(), i.radix()).map_or(f64::NAN, |v| v as f64))
        }
        DeValue::Float(f) => Value::Number(f.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(b) => Value::Bool(*b),
        DeValue::Datetime(d) => Value::Text(d.to_string()),
        DeValue::Array(items) => {
            Value::List(items.iter().map(|v| toml_node(v.get_ref(), v.span().start, line)).collect())
        }
        DeValue::Table(table) => toml_table(table, line),
    };
    Node { line: line(at), value }
}

/// From JSON. `serde_json` bounds the depth at 128, so this recursion is bounded too. A key that comes twice
/// stays twice, for [`TreeReader::check_keys`](super::TreeReader::check_keys) to find.
impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
        struct Json;
        impl<'de> Visitor<'de> for Json {
            type Value = Value;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any JSON value")
            }
            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }
            fn visit_bool<E>(self, b: bool) -> Result<Value, E> {
                Ok(Value::Bool(b))
            }
            fn visit_f64<E>(self, x: f64) -> Result<Value, E> {
                Ok(Value::Number(x))
            }
            fn visit_u64<E>(self, n: u64) -> Result<Value, E> {
                Ok(Value::Number(n as f64))
            }
            fn visit_i64<E>(self, n: i64) -> Result<Value, E> {
                Ok(Value::Number(n as f64))
            }
            fn visit_str<E>(self, text: &str) -> Result<Value, E> {
                Ok(Value::Text(text.to_string()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element()? {
                    list.push(item);
                }
                Ok(Value::List(list))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
                let mut map = Vec::new();
                while let Some(entry) = entries.next_entry()? {
                    map.push(entry);
                }
                Ok(Value::Map(map))
            }
        }
        Ok(Node { line: 0, value: deserializer.deserialize_any(Json)? })
    }
}
