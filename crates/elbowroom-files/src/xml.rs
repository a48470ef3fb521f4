//! XML with places for messages, and without what makes XML dangerous.
//!
//! `roxmltree` reads in linear time and bounded depth but for three things: attributes of one element are
//! compared pairwise, namespaces are copied where a new one is declared, and entities may nest. A scan over
//! the bytes refuses the excess beforehand; document type declarations, which real robot files never hold,
//! are refused whole.

mod options;
mod prefixes;

use crate::fault::Log;
use crate::limits;
use crate::text::{decode_text, strip_mark_of};
use options::parsing_options;
use prefixes::{Declared, declare_prefixes};
use roxmltree::{Document, Error, Node};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The text of an XML file and where its lines begin.
pub(crate) struct XmlText {
    pub path: PathBuf,
    pub text: String,
    lines: Vec<usize>,
    /// What its lines are of, where that is not the file.
    lines_of: &'static str,
    /// The text with the prefixes that it lacks, if it lacks any.
    declared: OnceCell<Declared>,
}

impl XmlText {
    /// Decodes and scans; says what is wrong if it must be refused.
    pub fn new(path: &Path, bytes: &[u8], log: &mut Log) -> Option<XmlText> {
        XmlText::from_bytes(path, bytes, "", log)
    }

    /// Decodes and scans what another program made of the file, as xacro does. Places of faults say that
    /// their lines are of the expanded text.
    pub fn from_expanded(path: &Path, bytes: &[u8], log: &mut Log) -> Option<XmlText> {
        XmlText::from_bytes(path, bytes, " of the expanded text", log)
    }

    fn from_bytes(path: &Path, bytes: &[u8], lines_of: &'static str, log: &mut Log) -> Option<XmlText> {
        let bytes = strip_mark_of(path, bytes, log)?;
        let bytes = match end_of_text(bytes) {
            end if end == bytes.len() => bytes,
            end => {
                let what = "ends in NUL bytes or Ctrl-Z: dropped";
                log.add_warning(path, "", what, "save it again as text");
                &bytes[..end]
            }
        };
        let mut text = match decode_xml(bytes) {
            Some(t) => t.into_owned(),
            None => {
                log.add_fault(path, "", "is not UTF-8 text", "save it as UTF-8");
                return None;
            }
        };
        if let Some(late) = late_declaration(&text) {
            let line = 1 + text.bytes().take(late.start).filter(|b| *b == b'\n').count();
            let what = "its <?xml ...?> does not stand at the very beginning: ignored";
            log.add_warning(path, format!("line {line}{lines_of}"), what, "put it first, or remove it");
            let blank: String = text
                .get(late.clone())
                .unwrap_or("")
                .chars()
                .map(|c| if c == '\n' { c } else { ' ' })
                .collect();
            text.replace_range(late, &blank);
        }
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        let out = XmlText { path: path.to_path_buf(), text, lines, lines_of, declared: OnceCell::new() };
        let nul =
            out.text.find('\0').map(|at| (at, "holds a NUL byte", "save the file as UTF-8 text without it"));
        match nul.or_else(|| find_excess(out.text.as_bytes())) {
            None => Some(out),
            Some((at, what, help)) => {
                let place = format!("line {}{lines_of}", out.line_at(at));
                log.add_fault(path, place, what, help);
                None
            }
        }
    }

    pub fn parse(&self, log: &mut Log) -> Option<Document<'_>> {
        let mut parsed = Document::parse_with_options(&self.text, parsing_options());
        if matches!(parsed, Err(Error::UnknownNamespace(..))) {
            let declared = self.declared.get_or_init(|| declare_prefixes(&self.text));
            for (prefix, line) in &declared.prefixes {
                let what =
                    format!("the prefix {:?} is not declared: its names are passed over", short_text(prefix));
                let place = format!("line {line}{}", self.lines_of);
                log.add_warning(&self.path, place, what, "declare it with xmlns in the outermost element");
            }
            parsed = Document::parse_with_options(&declared.text, parsing_options());
        }
        match parsed {
            Ok(document) => Some(document),
            Err(e) => {
                let at = e.pos();
                let help = if self.text.trim_start().starts_with('<') {
                    "correct the XML"
                } else {
                    "this is not an XML file; give the right one"
                };
                log.add_fault(
                    &self.path,
                    format!("line {}{}", at.row, self.lines_of),
                    format!("is not well-formed XML: {e}"),
                    help,
                );
                None
            }
        }
    }

    /// The line of a place in the document.
    pub fn line_at(&self, at: usize) -> usize {
        let at = self.declared.get().map_or(at, |declared| declared.place_before(at));
        self.lines.partition_point(|&start| start <= at)
    }

    /// `line 12, <joint name="elbow">`.
    pub fn node_place(&self, node: Node<'_, '_>) -> String {
        let mut tag = node.tag_name().name().to_string();
        for key in ["name", "id", "sid", "link", "link1", "link2", "filename"] {
            if let Some(value) = node.attribute(key) {
                tag.push_str(&format!(" {key}={:?}", short_text(value)));
                if key != "link1" {
                    break;
                }
            }
        }
        format!("line {}{}, <{tag}>", self.line_at(node.range().start), self.lines_of)
    }
}

/// At most 80 characters of a value, for messages.
pub(crate) fn short_text(value: &str) -> Cow<'_, str> {
    match value.char_indices().nth(80) {
        Some((i, _)) => Cow::Owned(format!("{}...", value.split_at(i).0)),
        None => Cow::Borrowed(value),
    }
}

/// Text from UTF-8, or from Latin-1 where the XML declaration says so.
fn decode_xml(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if let Ok(text) = decode_text(bytes) {
        return Some(Cow::Borrowed(text));
    }
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).to_ascii_lowercase();
    let declared = head.split("?>").next().unwrap_or("");
    let latin = ["iso-8859-1", "latin1", "latin-1", "windows-1252"].iter().any(|n| declared.contains(n));
    latin.then(|| Cow::Owned(bytes.iter().map(|&b| char::from(b)).collect()))
}

/// Where an XML declaration stands behind blanks or comments. XML allows it only at the very beginning, but
/// what follows means the same.
fn late_declaration(text: &str) -> Option<Range<usize>> {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let start = text.len() - rest.len();
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->")?.1;
            continue;
        }
        let inside = rest.strip_prefix("<?xml").filter(|inside| inside.starts_with(char::is_whitespace))?;
        let (head, behind) = inside.split_once("?>")?;
        if start > 0 {
            return Some(start..text.len() - behind.len()).filter(|_| !head.contains('<'));
        }
        rest = behind;
    }
}

/// Where a text ends, if what writes files in whole blocks filled the last one up.
fn end_of_text(bytes: &[u8]) -> usize {
    let is_filler = |b: u8| matches!(b, 0 | 0x1a);
    let end = bytes.iter().rposition(|&b| !is_filler(b) && !b.is_ascii_whitespace()).map_or(0, |at| at + 1);
    // White space alone is no filler.
    if bytes[end..].iter().any(|&b| is_filler(b)) { end } else { bytes.len() }
}

/// The first place that asks for too much, if any.
fn find_excess(bytes: &[u8]) -> Option<(usize, &'static str, &'static str)> {
    let (mut i, mut depth, mut namespaces) = (0, 0_usize, 0_usize);
    while let Some(found) = bytes[i..].iter().position(|&b| b == b'<') {
        let start = i + found;
        let rest = &bytes[start..];
        if rest.starts_with(b"<!--") {
            i = start + find_end(rest, b"-->")?;
            continue;
        }
        if rest.starts_with(b"<![CDATA[") {
            i = start + find_end(rest, b"]]>")?;
            continue;
        }
        if rest.starts_with(b"<?") {
            i = start + find_end(rest, b"?>")?;
            continue;
        }
        if rest.starts_with(b"<!") {
            return Some((
                start,
                "holds a document type declaration, which is not supported",
                "remove the <!DOCTYPE ...> with its entities",
            ));
        }
        let (mut quote, mut attributes, mut end) = (0_u8, 0, None);
        for (k, &b) in rest.iter().enumerate().skip(1) {
            match (quote, b) {
                (0, b'"' | b'\'') => quote = b,
                (0, b'=') => attributes += 1,
                (0, b'>') => {
                    end = Some(k);
                    break;
                }
                (0, b'<') => break,
                (0, b'x') if rest[k..].starts_with(b"xmlns") => namespaces += 1,
                (q, b) if q == b => quote = 0,
                _ => {}
            }
        }
        // An unfinished tag is the parser's to report.
        let end = end?;
        if rest[1] == b'/' {
            depth = depth.saturating_sub(1);
        } else if rest[end - 1] != b'/' {
            depth += 1;
        }
        if attributes > limits::XML_ATTRIBUTES
            || depth > limits::XML_DEPTH
            || namespaces > limits::XML_NAMESPACES
        {
            return Some((
                start,
                "has more attributes, namespaces or nesting than any real file",
                "this looks like a broken or hostile file; create it again",
            ));
        }
        i = start + end + 1;
    }
    None
}

fn find_end(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|w| w == what).map(|i| i + what.len())
}

/// A finite number, with nothing around it but white space.
pub(crate) fn parse_number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|v| v.is_finite())
}

/// Exactly `N` finite numbers separated by white space.
pub(crate) fn parse_numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let mut out = [0.0; N];
    let mut words = text.split_whitespace();
    for slot in &mut out {
        *slot = parse_number(words.next()?)?;
    }
    words.next().is_none().then_some(out)
}

/// Child elements.
pub(crate) fn child_elements<'d, 'i>(node: Node<'d, 'i>) -> impl Iterator<Item = Node<'d, 'i>> {
    node.children().filter(|c| c.is_element())
}

/// Child elements of one name in the document's own namespace.
pub(crate) fn named_children<'d, 'i>(
    node: Node<'d, 'i>,
    name: &'static str,
) -> impl Iterator<Item = Node<'d, 'i>> {
    child_elements(node).filter(move |c| c.tag_name().name() == name && is_own(*c))
}

/// True if the element is not of a foreign namespace, such as `drake:` or `xacro:`.
pub(crate) fn is_own(node: Node<'_, '_>) -> bool {
    // Upward, as depth is bounded; the comments before the outermost element are not.
    let root = node.ancestors().filter(Node::is_element).last();
    root.is_some_and(|root| node.tag_name().namespace() == root.tag_name().namespace())
}
