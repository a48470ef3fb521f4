//! The numbers of a glTF file: from the part behind its text, from text in base 64, or from files beside it.

use super::document::{Accessor, Document};
use crate::fault::counted_things;
use crate::foreign_path::{forward_strokes, has_drive};
use crate::session::Session;
use crate::source::Kind;
use crate::xml::short_text;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;
use std::path::Path;

/// The kinds of numbers of an accessor, by their code, with their sizes (bytes).
const KINDS: [(u32, usize); 6] = [(5120, 1), (5121, 1), (5122, 2), (5123, 2), (5125, 4), (FLOAT, 4)];

const FLOAT: u32 = 5126;

/// What is wrong with a number of a file.
pub(super) type Problem = String;

/// All buffers of a file, as they are asked for.
pub(super) struct Buffers<'b> {
    /// The part behind the text.
    pub binary: Option<&'b [u8]>,
    known: BTreeMap<usize, Option<Vec<u8>>>,
    /// Bytes that may still be read.
    left: u64,
}

impl<'b> Buffers<'b> {
    pub fn new(binary: Option<&'b [u8]>, left: u64) -> Buffers<'b> {
        Buffers { binary, known: BTreeMap::new(), left }
    }

    /// Makes a buffer ready; `None` after a fault.
    pub fn load_buffer(
        &mut self,
        session: &mut Session<'_>,
        path: &Path,
        document: &Document,
        index: usize,
    ) -> Option<()> {
        let buffer = document.buffers.get(index)?;
        if self.known.contains_key(&index) {
            return self.known.get(&index)?.as_ref().map(|_| ());
        }
        let place = format!("buffer {index}");
        let read = match &buffer.uri {
            None => match self.binary.filter(|_| index == 0) {
                Some(bytes) => Ok(bytes.to_vec()),
                None => Err(Some("has no uri, and no binary part of the file stands for it".to_string())),
            },
            Some(uri) => read_uri(session, path, uri, self.left),
        };
        let bytes = match read {
            Ok(bytes) if bytes.len() < buffer.byte_length => {
                let what =
                    format!("holds {}, not {}", counted_things(bytes.len(), "byte"), buffer.byte_length);
                session.log.add_fault(path, place, what, "copy or export the file again");
                None
            }
            Ok(bytes) => {
                self.left = self.left.saturating_sub(bytes.len() as u64);
                Some(bytes)
            }
            Err(what) => {
                let help = "export the mesh as one file (.glb), or put the named file beside it";
                what.into_iter().for_each(|what| session.log.add_fault(path, &*place, what, help));
                None
            }
        };
        let is_there = bytes.is_some();
        self.known.insert(index, bytes);
        is_there.then_some(())
    }

    /// The bytes of an accessor's items, each with the size of its numbers, one behind the other.
    pub fn item_bytes(
        &self,
        document: &Document,
        accessor: &Accessor,
        numbers: usize,
    ) -> Result<impl Iterator<Item = &[u8]>, Problem> {
        let size = component_size(accessor)? * numbers;
        let view = accessor.buffer_view.ok_or("has no buffer view, so all its numbers are zero")?;
        let view =
            document.buffer_views.get(view).ok_or_else(|| format!("there is no buffer view {view}"))?;
        let bytes = self.known.get(&view.buffer).and_then(Option::as_deref);
        let bytes = bytes.ok_or_else(|| format!("there is no buffer {}", view.buffer))?;
        let end = view.byte_offset.checked_add(view.byte_length);
        let bytes = end.and_then(|end| bytes.get(view.byte_offset..end));
        let bytes = bytes.ok_or("its buffer view goes beyond the end of its buffer")?;
        let stride = view.byte_stride.unwrap_or(size);
        if stride < size {
            return Err(format!("its items of {size} bytes overlap: the stride is {stride}"));
        }
        let count = accessor.count;
        let span = count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(size));
        let span = span.and_then(|span| accessor.byte_offset.checked_add(span));
        let bytes = span.and_then(|end| bytes.get(accessor.byte_offset..end));
        let bytes = bytes.ok_or_else(|| format!("its {count} items go beyond the end of its buffer view"))?;
        Ok((0..count).map(move |item| bytes.get(item * stride..item * stride + size).unwrap_or(&[])))
    }
}

/// Which buffer an accessor needs, if its numbers lie in one.
pub(super) fn buffer_of(document: &Document, accessor: &Accessor) -> Option<usize> {
    document.buffer_views.get(accessor.buffer_view?).map(|view| view.buffer)
}

/// The size of an accessor's numbers (bytes).
fn component_size(accessor: &Accessor) -> Result<usize, Problem> {
    let known = KINDS.iter().find(|(code, _)| *code == accessor.component_type);
    known.map(|(_, size)| *size).ok_or_else(|| format!("{} is no type of numbers", accessor.component_type))
}

/// The numbers of an item. Whole numbers that are normalized stand for the part of their range.
pub(super) fn decode_number(accessor: &Accessor, bytes: &[u8]) -> f64 {
    let (value, most) = match (accessor.component_type, bytes) {
        (5120, &[a]) => (f64::from(a as i8), 127.0),
        (5121, &[a]) => (f64::from(a), 255.0),
        (5122, &[a, b]) => (f64::from(i16::from_le_bytes([a, b])), 32767.0),
        (5123, &[a, b]) => (f64::from(u16::from_le_bytes([a, b])), 65535.0),
        (5125, &[a, b, c, d]) => (f64::from(u32::from_le_bytes([a, b, c, d])), f64::from(u32::MAX)),
        (FLOAT, &[a, b, c, d]) => return f64::from(f32::from_le_bytes([a, b, c, d])),
        _ => return f64::NAN,
    };
    if accessor.normalized { (value / most).max(-1.0) } else { value }
}

/// The bytes that a reference names, or what is wrong with it, if that is not told already.
fn read_uri(session: &mut Session<'_>, path: &Path, uri: &str, most: u64) -> Result<Vec<u8>, Option<String>> {
    if let Some(rest) = uri.strip_prefix("data:") {
        let Some((_, text)) = rest.split_once(";base64,") else {
            return Err(Some("holds data that is not in base 64".into()));
        };
        return STANDARD.decode(text).map_err(|e| Some(format!("its base 64 cannot be read: {e}")));
    }
    let Ok(name) = percent_decode_str(uri).decode_utf8() else {
        return Err(Some("its uri is not UTF-8".into()));
    };
    let leads_away = |name: &str| name.contains("://") || name.starts_with(['/', '\\']) || has_drive(name);
    if leads_away(uri) || leads_away(&name) {
        let uri = short_text(uri);
        return Err(Some(format!("its uri {uri:?} is not a path beside the file: nothing else is read")));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let readings = [Some(name.to_string()), forward_strokes(&name)];
    let mut files = readings.into_iter().flatten().map(|name| folder.join(name));
    let Some(file) = files.find(|file| session.files.kind(file) != Kind::Missing) else {
        return Err(Some(format!("the file {:?} does not exist", short_text(uri))));
    };
    session.read(&file, most).ok_or(None)
}
