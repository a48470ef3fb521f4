//! The messages of a file: YAML documents, a JSON object a line, or one list of them.

use super::values::line_error_words;
use crate::fault::Log;
use crate::limits;
use crate::tree::formats::yaml_documents;
use crate::tree::node::{Node, Value};
use std::path::Path;

/// What to do with a message of more values than a tree holds: tables are read row by row.
const TOO_LONG: &str = "split the file, or give its points as CSV or JSON lines, which may be longer";

/// Splits a text into its messages; `None` after at least one fault.
pub(super) fn split_messages(text: &str, path: &Path, log: &mut Log) -> Option<Vec<Node>> {
    let documents = if has_message_lines(text) {
        read_message_lines(text, path, log)?
    } else {
        yaml_documents(text, path, TOO_LONG, log)?
    };
    let mut messages = Vec::new();
    for document in documents {
        match document.value {
            Value::List(items) => messages.extend(items),
            _ => messages.push(document),
        }
    }
    Some(messages)
}

/// Whether the first line is a whole JSON object, and others follow. A YAML flow over several lines is not.
fn has_message_lines(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(first) = lines.next().filter(|line| line.trim_start().starts_with('{')) else { return false };
    let follows = lines.next().is_some_and(|line| line.trim_start().starts_with('{'));
    follows && serde_json::from_str::<Node>(first).is_ok()
}

/// Faults every line that is not JSON.
fn read_message_lines(text: &str, path: &Path, log: &mut Log) -> Option<Vec<Node>> {
    let before = log.fault_count();
    let mut messages = Vec::new();
    for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
        match serde_json::from_str::<Node>(line) {
            Ok(mut message) => {
                place_at_line(&mut message, number);
                messages.push(message);
            }
            Err(e) => {
                let what = format!("is not JSON: {}", line_error_words(&e));
                log.add_fault(path, format!("line {number}"), what, "write one message a line");
            }
        }
        if log.fault_count() - before > limits::FAULTS {
            break;
        }
    }
    (log.fault_count() == before).then_some(messages)
}

/// JSON of one line knows no lines by itself.
fn place_at_line(node: &mut Node, line: usize) {
    node.line = line;
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| place_at_line(item, line)),
        Value::Map(entries) => entries.iter_mut().for_each(|(_, value)| place_at_line(value, line)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Plain(_) => {}
    }
}
