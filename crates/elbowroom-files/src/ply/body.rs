//! What stands behind the header of a PLY: the elements, one after the other.

use super::header::{Element, PlyFormat, PlyHeader, PropertyKind, Purpose};
use crate::fault::{Log, counted_things};
use crate::limits;
use crate::lines::{Head, numbered_lines};
use crate::scalar::{Order, Scalar};
use crate::text::DECIMAL_POINT;
use crate::xml::short_text;
use std::path::Path;

/// What to do about a file that is not whole.
const AGAIN: &str = "copy or write the file again";

/// What is wanted of one element.
#[derive(Default)]
pub(crate) struct Row {
    /// The coordinates, of a vertex.
    pub point: [f64; 3],
    /// The corners, of a face: at most one more than a polygon may have.
    pub corners: Vec<f64>,
}

/// What is wrong with an element, what to do, and whether to read on.
pub(crate) struct Refusal {
    pub what: String,
    pub help: &'static str,
    pub stop: bool,
}

/// Hands what is wanted of each element to `take`, in the order of the file. Returns where the last one ends
/// (bytes); `None` after a fault that ends the reading.
pub(crate) fn read(
    path: &Path,
    head: &Head<'_>,
    header: &PlyHeader,
    purpose: &Purpose,
    log: &mut Log,
    take: &mut dyn FnMut(&Element, &Row) -> Result<(), Refusal>,
) -> Option<usize> {
    let mut body = Body { path, head, faults: log.fault_count().saturating_add(purpose.faults), log, take };
    match header.format {
        PlyFormat::Ascii => body.read_ascii_elements(&header.elements),
        PlyFormat::Binary(order) => body.read_binary_elements(&header.elements, order),
    }
}

struct Body<'a, 'b> {
    path: &'a Path,
    head: &'a Head<'b>,
    /// From so many faults in all on no more are told.
    faults: usize,
    log: &'a mut Log,
    take: &'a mut dyn FnMut(&Element, &Row) -> Result<(), Refusal>,
}

impl Body<'_, '_> {
    /// Hands an element on; `None` if nothing more is to be read.
    fn hand_on(&mut self, element: &Element, row: &Row, place: impl FnOnce() -> String) -> Option<()> {
        let Err(Refusal { what, help, stop }) = (self.take)(element, row) else { return Some(()) };
        self.log.add_fault(self.path, place(), what, help);
        (!stop && self.log.fault_count() < self.faults).then_some(())
    }

    /// Reads elements as text, a line for each. Tells every fault, up to the most that are listed.
    fn read_ascii_elements(&mut self, elements: &[Element]) -> Option<usize> {
        let head = self.head;
        let mut all = numbered_lines(head.rest_bytes()).filter(|(_, raw)| !raw.trim_ascii().is_empty());
        let mut row = Row::default();
        for element in elements {
            for seen in 0..element.count {
                let Some((number, raw)) = all.next() else {
                    self.log.add_fault(self.path, "", cut_message(element, seen), AGAIN);
                    return None;
                };
                let place = || format!("line {}, {} {seen}", head.line + number, short_text(&element.name));
                match read_text_element(element, raw, &mut row) {
                    Ok(()) if element.is_wanted() => self.hand_on(element, &row, place)?,
                    Ok(()) => {}
                    Err(what) => {
                        let help = if what.contains(',') { DECIMAL_POINT } else { AGAIN };
                        self.log.add_fault(self.path, place(), what, help);
                        if self.log.fault_count() >= self.faults {
                            return None;
                        }
                    }
                }
            }
        }
        if let Some((number, _)) = all.next() {
            let what = "lies behind the last of the elements that the header counts";
            let help = "correct the counts in the header, or remove the line";
            self.log.add_fault(self.path, format!("line {}", head.line + number), what, help);
        }
        Some(head.at + head.rest_bytes().len())
    }

    /// Reads binary elements, one behind the other.
    fn read_binary_elements(&mut self, elements: &[Element], order: Order) -> Option<usize> {
        let head = self.head;
        let (bytes, mut at) = (head.rest_bytes(), 0);
        let mut row = Row::default();
        for element in elements {
            let left = bytes.get(at..).unwrap_or(&[]);
            if let Some(size) = element.fixed_size() {
                let held = left.len() / size;
                if held < element.count {
                    self.log.add_fault(
                        self.path,
                        format!("byte {}", head.at + at),
                        cut_message(element, held),
                        AGAIN,
                    );
                    return None;
                }
                if !element.is_wanted() {
                    at += element.count * size;
                    continue;
                }
            }
            for seen in 0..element.count {
                let place = || format!("byte {}, {} {seen}", head.at + at, short_text(&element.name));
                match read_packed_element(element, bytes, at, order, &mut row) {
                    Ok(next) => {
                        if element.is_wanted() {
                            self.hand_on(element, &row, place)?;
                        }
                        at = next;
                    }
                    Err(what) => {
                        let what = what.unwrap_or_else(|| cut_message(element, seen));
                        self.log.add_fault(self.path, format!("byte {}", head.at + at), what, AGAIN);
                        return None;
                    }
                }
            }
        }
        Some(head.at + at)
    }
}

/// What is said of a file that ends too early.
fn cut_message(element: &Element, seen: usize) -> String {
    format!("ends after {seen} of {} of its element {:?}", element.count, short_text(&element.name))
}

/// Reads an element in a line; or says what is wrong with the line.
fn read_text_element(element: &Element, raw: &[u8], row: &mut Row) -> Result<(), String> {
    row.corners.clear();
    let mut words = raw.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mut next = || words.next().ok_or_else(|| "has fewer values than its properties".to_string());
    for (k, property) in element.properties.iter().enumerate() {
        let word = String::from_utf8_lossy(next()?);
        let name = short_text(&property.name);
        match property.kind {
            PropertyKind::Scalar(_) => {
                if let Some(slot) = element.property_axis(k).and_then(|axis| row.point.get_mut(axis)) {
                    let bad = |_| format!("{name} is {:?}, not a number", short_text(&word));
                    *slot = word.parse().map_err(bad)?;
                }
            }
            PropertyKind::List { .. } => {
                let bad = |_| format!("the list {name} has {:?} values", short_text(&word));
                for _ in 0..word.parse::<usize>().map_err(bad)? {
                    let word = next()?;
                    if element.corners == Some(k) && row.corners.len() <= limits::POLYGON_CORNERS {
                        let word = String::from_utf8_lossy(word);
                        let bad = |_| format!("the list {name} holds {:?}, not a number", short_text(&word));
                        row.corners.push(word.parse().map_err(bad)?);
                    }
                }
            }
        }
    }
    if words.next().is_some() {
        return Err("has more values than its properties".into());
    }
    Ok(())
}

/// Reads the element that begins at a byte. Returns where the next element begins; or else what is wrong with
/// it, `None` if the file just ends.
fn read_packed_element(
    element: &Element,
    bytes: &[u8],
    mut at: usize,
    order: Order,
    row: &mut Row,
) -> Result<usize, Option<String>> {
    row.corners.clear();
    let number = |kind: Scalar, at: usize| bytes.get(at..).and_then(|bytes| kind.read(bytes, order));
    for (k, property) in element.properties.iter().enumerate() {
        match property.kind {
            PropertyKind::Scalar(kind) => {
                let value = number(kind, at).ok_or(None)?;
                if let Some(slot) = element.property_axis(k).and_then(|axis| row.point.get_mut(axis)) {
                    *slot = value;
                }
                at += kind.byte_size();
            }
            PropertyKind::List { count, item } => {
                let length = number(count, at).ok_or(None)?;
                let name = short_text(&property.name);
                if length < 0.0 {
                    return Err(Some(format!("the list {name} has {length} values")));
                }
                let first = at.saturating_add(count.byte_size());
                // The length is whole and not negative. The cast keeps it, or gives the largest number.
                at = first.saturating_add((length as usize).saturating_mul(item.byte_size()));
                if at > bytes.len() {
                    let held = counted_things(bytes.len(), "byte");
                    let what = format!("the list {name} of {length} values ends behind the last of {held}");
                    return Err(Some(what));
                }
                if element.corners == Some(k) {
                    let wanted = (length as usize).min(limits::POLYGON_CORNERS + 1);
                    let values = (0..wanted).map_while(|i| number(item, first + i * item.byte_size()));
                    row.corners.extend(values);
                }
            }
        }
    }
    Ok(at)
}
