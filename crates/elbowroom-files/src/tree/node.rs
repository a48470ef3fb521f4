//! The tree that every format is read into.

use crate::xml::short_text;

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
    /// The value under a key. YAML and TOML with a key that comes twice are refused; of JSON the first is
    /// taken here, and [`TreeReader::check_keys`](super::TreeReader::check_keys) refuses the second.
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

    pub fn as_number(&self) -> Option<f64> {
        match &self.value {
            Value::Number(v) => Some(*v).filter(|v| v.is_finite()),
            Value::Plain(text) => crate::xml::parse_number(text),
            _ => None,
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) | Value::Plain(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
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

    /// What it is, for a message: behind "is not a number, but".
    pub fn value_words(&self) -> String {
        match &self.value {
            Value::Null => "nothing".into(),
            Value::Bool(v) => v.to_string(),
            Value::Number(v) => v.to_string(),
            Value::Text(text) => format!("the text {:?}", short_text(text)),
            Value::Plain(text) => format!("{:?}", short_text(text)),
            Value::List(items) => format!("a list of {}", items.len()),
            Value::Map(_) => "a table".into(),
        }
    }

    pub fn as_list(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    pub fn as_map(&self) -> Option<&[(String, Node)]> {
        match &self.value {
            Value::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// A list of exactly `N` finite numbers.
    pub fn as_numbers<const N: usize>(&self) -> Option<[f64; N]> {
        let items = self.as_list().filter(|l| l.len() == N)?;
        let mut out = [0.0; N];
        for (slot, item) in out.iter_mut().zip(items) {
            *slot = item.as_number()?;
        }
        Some(out)
    }
}
