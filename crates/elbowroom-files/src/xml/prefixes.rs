//! Prefixes that a document uses and does not declare.
//!
//! `<sensor:camera>` is well-formed only where `xmlns:sensor` is declared. The parsers of ROS know no
//! namespaces, and old files, above all those for Gazebo, declare none. Such a prefix is declared in the
//! outermost element of a copy of the text. Its names are then foreign, and are passed over as others are.
//! The copy has no new lines. The parser names one prefix each time, so it runs again, at most
//! [`limits::XML_PREFIXES`] times.

use super::options::parsing_options;
use crate::limits;
use roxmltree::{Document, Error};

/// A text in which the prefixes are declared.
pub(super) struct Declared {
    pub text: String,
    /// The prefixes, and the line of the first use of each.
    pub prefixes: Vec<(String, u32)>,
    /// Where the declarations stand, and how long they are.
    start: usize,
    length: usize,
}

impl Declared {
    /// Where a place in this text was before.
    pub fn place_before(&self, at: usize) -> usize {
        if at <= self.start { at } else { at.saturating_sub(self.length).max(self.start) }
    }
}

/// Declares the prefixes that a text lacks, until it is well-formed or something else is wrong with it.
pub(super) fn declare_prefixes(text: &str) -> Declared {
    let mut out = Declared { text: text.into(), prefixes: Vec::new(), start: 0, length: 0 };
    let Some(start) = end_of_first_name(text) else { return out };
    out.start = start;
    while out.prefixes.len() < limits::XML_PREFIXES {
        let Err(Error::UnknownNamespace(prefix, at)) =
            Document::parse_with_options(&out.text, parsing_options())
        else {
            break;
        };
        let declaration = format!(" xmlns:{prefix}=\"undeclared:{prefix}\"");
        out.text.insert_str(start, &declaration);
        out.length += declaration.len();
        out.prefixes.push((prefix, at.row));
    }
    out
}

/// Where the name of the outermost element ends.
fn end_of_first_name(text: &str) -> Option<usize> {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        rest = if let Some(comment) = rest.strip_prefix("<!--") {
            comment.split_once("-->")?.1
        } else if let Some(instruction) = rest.strip_prefix("<?") {
            instruction.split_once("?>")?.1
        } else {
            break;
        };
    }
    let inside = rest.strip_prefix('<')?;
    let length = inside.find(|c: char| c.is_whitespace() || matches!(c, '/' | '>'))?;
    Some(text.len() - inside.len() + length)
}
