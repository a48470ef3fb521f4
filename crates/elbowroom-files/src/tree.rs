//! YAML, TOML and JSON as one kind of tree with line numbers, and reading it without stopping at the first
//! fault.

use crate::fault::Log;
use crate::limits;
use crate::xml::shortened;
use elbowroom::math::{Mat3, Transform};
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// A value and the line it begins on; 0 where lines mean nothing.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub line: usize,
    pub value: Value,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(f64),
    /// Quoted text, never a number.
    Text(String),
    /// An unquoted YAML scalar: what it is depends on what is asked.
    Plain(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl Node {
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Map(entries) => {
                entries.iter().find(|(k, _)| k == key).map(|(_, v)| v).filter(|v| !v.is_null())
            }
            _ => None,
        }
    }

    pub fn is_null(&self) -> bool {
        match &self.value {
            Value::Null => true,
            Value::Plain(text) => matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"),
            _ => false,
        }
    }

    pub fn number(&self) -> Option<f64> {
        match &self.value {
            Value::Number(v) => Some(*v).filter(|v| v.is_finite()),
            Value::Plain(text) => crate::xml::number(text),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) | Value::Plain(text) => Some(text),
            _ => None,
        }
    }

    pub fn bool(&self) -> Option<bool> {
        match &self.value {
            Value::Bool(v) => Some(*v),
            Value::Plain(text) => match text.as_str() {
                "true" | "True" | "TRUE" => Some(true),
                "false" | "False" | "FALSE" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    pub fn map(&self) -> Option<&[(String, Node)]> {
        match &self.value {
            Value::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// A list of exactly `N` finite numbers.
    pub fn numbers<const N: usize>(&self) -> Option<[f64; N]> {
        let items = self.list().filter(|l| l.len() == N)?;
        let mut out = [0.0; N];
        for (slot, item) in out.iter_mut().zip(items) {
            *slot = item.number()?;
        }
        Some(out)
    }
}

/// From YAML: one document, no aliases, bounded depth and size.
pub(crate) fn from_yaml(text: &str, path: &Path, log: &mut Log) -> Option<Node> {
    enum Open {
        List(Vec<Node>),
        // The key that waits for its value.
        Map(Vec<(String, Node)>, BTreeSet<String>, Option<String>),
    }
    let mut stack: Vec<(usize, Open)> = Vec::new();
    let (mut root, mut nodes) = (None, 0_usize);
    for event in Parser::new_from_str(text) {
        let (event, span) = match event {
            Ok(found) => found,
            Err(e) => {
                let place = format!("line {}", e.marker().line());
                log.fault(path, place, format!("is not well-formed YAML: {}", e.info()), "mend the YAML");
                return None;
            }
        };
        let line = span.start.line();
        let refuse = |log: &mut Log, what: &str, help: &str| {
            log.fault(path, format!("line {line}"), what, help);
        };
        nodes += 1;
        if nodes > limits::TREE_NODES || stack.len() > limits::TREE_DEPTH {
            refuse(log, "holds more values, or nests them deeper, than is read", "split the file");
            return None;
        }
        let done = match event {
            Event::Alias(_) => {
                refuse(log, "uses a YAML alias, which is not read", "write the value out");
                return None;
            }
            Event::DocumentStart(_) if root.is_some() => {
                refuse(log, "holds more than one YAML document", "keep one");
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
            None => root = Some(done),
            Some((_, Open::List(items))) => items.push(done),
            Some((_, Open::Map(entries, keys, waiting))) => match waiting.take() {
                Some(key) => entries.push((key, done)),
                None => {
                    let Some(key) = done.text().map(str::to_string) else {
                        refuse(log, "has a key that is a list or map", "use plain keys");
                        return None;
                    };
                    if !keys.insert(key.clone()) {
                        refuse(log, &format!("the key {:?} comes twice", shortened(&key)), "keep one");
                        return None;
                    }
                    *waiting = Some(key);
                }
            },
        }
    }
    if root.is_none() {
        log.fault(path, "", "holds nothing", "give the right file");
    }
    root
}

/// From TOML; every syntax error is listed.
pub(crate) fn from_toml(text: &str, path: &Path, log: &mut Log) -> Option<Node> {
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
    let line = |at: usize| starts.partition_point(|&s| s <= at);
    let (table, errors) = DeTable::parse_recoverable(text);
    for e in &errors {
        let place = e.span().map(|s| format!("line {}", line(s.start))).unwrap_or_default();
        log.fault(path, place, format!("is not well-formed TOML: {}", e.message().trim()), "mend the TOML");
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

/// From JSON. `serde_json` bounds the depth at 128, so this recursion is bounded too. A key that comes twice stays twice, for
/// [`Reading::keys`] to find.
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

/// Takes values out of a tree and logs what is wrong with them.
pub(crate) struct Reading<'l> {
    pub file: &'l Path,
    pub log: &'l mut Log,
}

impl Reading<'_> {
    /// `label` says in the file's own words what is being read, e.g. `obstacle "table"`.
    pub fn fault(&mut self, node: &Node, label: &str, what: impl Into<String>, help: impl Into<String>) {
        let place = place(node, label);
        self.log.fault(self.file, place, what, help);
    }

    pub fn warn(&mut self, node: &Node, label: &str, what: impl Into<String>, help: impl Into<String>) {
        let place = place(node, label);
        self.log.warn(self.file, place, what, help);
    }

    /// Faults every key that is not known here, or comes twice; true if the node is a map.
    pub fn keys(&mut self, node: &Node, label: &str, known: &[&str]) -> bool {
        let Some(entries) = node.map() else {
            self.fault(node, label, "is not a table of keys and values", "write keys and values");
            return false;
        };
        let mut seen = BTreeSet::new();
        for (key, value) in entries {
            if !seen.insert(key) {
                self.fault(value, label, format!("the key {:?} comes twice", shortened(key)), "keep one");
            } else if !known.contains(&key.as_str()) {
                let mut help = self.log.did_you_mean(key, known.iter().copied());
                help.push_str(if help.is_empty() { "" } else { " " });
                help.push_str(&format!("known here: {}", known.join(", ")));
                self.fault(value, label, format!("the key {:?} is not known here", shortened(key)), help);
            }
        }
        true
    }

    /// A finite number under a key; the default where it is missing.
    pub fn number(&mut self, node: &Node, label: &str, key: &str, default: Option<f64>) -> Option<f64> {
        let Some(found) = node.get(key) else {
            if default.is_none() {
                self.fault(node, label, format!("{key} is missing"), format!("give {key} as a number"));
            }
            return default;
        };
        let value = found.number();
        if value.is_none() {
            self.fault(found, label, format!("{key} is not a finite number"), "mend the number");
        }
        value
    }

    /// A number that is zero or more.
    pub fn size(&mut self, node: &Node, label: &str, key: &str, default: Option<f64>) -> Option<f64> {
        let value = self.number(node, label, key, default)?;
        if value < 0.0 {
            let found = node.get(key).unwrap_or(node);
            self.fault(found, label, format!("{key} is {value}, below zero"), "give zero or more");
            return None;
        }
        Some(value)
    }

    pub fn numbers<const N: usize>(
        &mut self,
        node: &Node,
        label: &str,
        key: &str,
        default: Option<[f64; N]>,
    ) -> Option<[f64; N]> {
        let Some(found) = node.get(key) else {
            if default.is_none() {
                self.fault(node, label, format!("{key} is missing"), format!("give {key} as {N} numbers"));
            }
            return default;
        };
        let value = found.numbers::<N>();
        if value.is_none() {
            self.fault(
                found,
                label,
                format!("{key} is not {N} finite numbers"),
                format!("give {key} as {N} numbers"),
            );
        }
        value
    }

    /// Text under a key, or `None`; a fault if it is something else or missing without `optional`.
    pub fn text<'n>(&mut self, node: &'n Node, label: &str, key: &str, optional: bool) -> Option<&'n str> {
        let Some(found) = node.get(key) else {
            if !optional {
                self.fault(node, label, format!("{key} is missing"), format!("give {key} as text"));
            }
            return None;
        };
        let text = found.text();
        match text {
            None => self.fault(found, label, format!("{key} is not text"), "put it in quotes"),
            Some("") if !optional => {
                self.fault(found, label, format!("{key} is empty"), format!("give {key}"));
                return None;
            }
            _ => {}
        }
        text
    }

    /// The items of a list under a key; none where it is missing.
    pub fn list<'n>(&mut self, node: &'n Node, label: &str, key: &str) -> &'n [Node] {
        match node.get(key) {
            None => &[],
            Some(found) => match found.list() {
                Some(items) => items,
                None => {
                    self.fault(found, label, format!("{key} is not a list"), "write a list");
                    &[]
                }
            },
        }
    }

    /// A list of texts under a key; none where it is missing.
    pub fn texts(&mut self, node: &Node, label: &str, key: &str) -> Vec<String> {
        let mut out = Vec::new();
        for item in self.list(node, label, key) {
            match item.text() {
                Some(text) => out.push(text.to_string()),
                None => self.fault(
                    item,
                    label,
                    format!("{key} holds something that is not text"),
                    "put it in quotes",
                ),
            }
        }
        out
    }

    /// `xyz` with `rpy` or `quat_wxyz`, all optional.
    pub fn pose(&mut self, node: &Node, label: &str) -> Option<Transform> {
        let xyz = self.numbers::<3>(node, label, "xyz", Some([0.0; 3]));
        if let (Some(_), Some(second)) = (node.get("rpy"), node.get("quat_wxyz")) {
            self.fault(second, label, "both rpy and quat_wxyz are given", "keep one");
            return None;
        }
        if node.get("quat_wxyz").is_some() {
            let quat = self.numbers::<4>(node, label, "quat_wxyz", None)?;
            let Some(rotation) = Mat3::from_quat_wxyz(quat) else {
                self.fault(node, label, "quat_wxyz is zero", "the identity is [1, 0, 0, 0]");
                return None;
            };
            return Some(Transform::new(rotation, xyz?.into()));
        }
        let rpy = self.numbers::<3>(node, label, "rpy", Some([0.0; 3]));
        Some(Transform::from_xyz_rpy(xyz?, rpy?))
    }
}

fn place(node: &Node, label: &str) -> String {
    match (node.line, label) {
        (0, label) => label.to_string(),
        (line, "") => format!("line {line}"),
        (line, label) => format!("line {line}, {label}"),
    }
}
