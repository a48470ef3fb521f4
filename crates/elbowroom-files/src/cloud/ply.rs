//! PLY, the polygon file format: the coordinates of its vertices. All other elements and properties are
//! passed over, but a file that breaks off among them is refused.

mod header;

use super::points::{Points, behind};
use super::scalar::{Order, Scalar};
use crate::fault::{Log, counted};
use crate::limits;
use crate::lines::{Head, lines};
use crate::xml::shortened;
use header::{Element, Format, Kind};
use std::path::Path;

/// What to do about a file that is not whole.
const AGAIN: &str = "copy or write the file again";

/// The points; `None` after a fault.
pub(super) fn read(path: &Path, bytes: &[u8], log: &mut Log) -> Option<Points> {
    let mut head = Head::new(bytes);
    let header = header::read(path, &mut head, log)?;
    let mut points = Points::default();
    match header.format {
        Format::Ascii => ascii(path, &head, &header.elements, &mut points, log),
        Format::Binary(order) => binary(path, &head, &header.elements, order, &mut points, log)?,
    }
    Some(points)
}

/// Reads elements as text, a line for each. Tells every fault, up to the most that are listed.
fn ascii(path: &Path, head: &Head<'_>, elements: &[Element], points: &mut Points, log: &mut Log) {
    let before = log.count();
    let mut all = lines(head.rest()).filter(|(_, raw)| !raw.trim_ascii().is_empty());
    for element in elements {
        for seen in 0..element.count {
            if log.count() - before >= limits::SENSOR_FAULTS {
                return;
            }
            let Some((number, raw)) = all.next() else {
                log.fault(path, "", cut(element, seen), AGAIN);
                return;
            };
            match written(element, raw) {
                Ok(point) if element.is_vertex() => points.push(point),
                Ok(_) => {}
                Err(what) => {
                    let place = format!("line {}, {} {seen}", head.line + number, shortened(&element.name));
                    let help = if what.contains(',') { "write decimals with a point" } else { AGAIN };
                    log.fault(path, place, what, help);
                }
            }
        }
    }
    if let Some((number, _)) = all.next() {
        let what = "lies behind the last of the elements that the header counts";
        let help = "correct the counts in the header, or remove the line";
        log.fault(path, format!("line {}", head.line + number), what, help);
    }
}

/// What is said of a file that ends too early.
fn cut(element: &Element, seen: usize) -> String {
    format!("ends after {seen} of {} of its element {:?}", element.count, shortened(&element.name))
}

/// The coordinates in a line, if the element has any; or what is wrong with the line.
fn written(element: &Element, raw: &[u8]) -> Result<[f64; 3], String> {
    let mut point = [0.0; 3];
    let mut words = raw.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mut next = || words.next().ok_or_else(|| "has fewer values than its properties".to_string());
    for (k, property) in element.properties.iter().enumerate() {
        let word = String::from_utf8_lossy(next()?);
        match property.kind {
            Kind::Scalar(_) => {
                if let Some(axis) = element.axis(k) {
                    let bad = |_| format!("{} is {:?}, not a number", property.name, shortened(&word));
                    point[axis] = word.parse().map_err(bad)?;
                }
            }
            Kind::List { .. } => {
                let name = shortened(&property.name);
                let bad = |_| format!("the list {name} has {:?} values", shortened(&word));
                for _ in 0..word.parse::<usize>().map_err(bad)? {
                    next()?;
                }
            }
        }
    }
    if words.next().is_some() {
        return Err("has more values than its properties".into());
    }
    Ok(point)
}

/// Reads binary elements, one behind the other.
fn binary(
    path: &Path,
    head: &Head<'_>,
    elements: &[Element],
    order: Order,
    points: &mut Points,
    log: &mut Log,
) -> Option<()> {
    let (bytes, mut at) = (head.rest(), 0);
    let mut room = usize::MAX;
    for element in elements {
        let left = bytes.get(at..).unwrap_or(&[]);
        let fixed = element.fixed_size();
        if element.is_vertex() {
            room = fixed.unwrap_or(1);
        }
        if let Some(size) = fixed {
            let held = left.len() / size;
            if held < element.count {
                log.fault(path, format!("byte {}", head.at + at), cut(element, held), AGAIN);
                return None;
            }
            if !element.is_vertex() {
                at += element.count * size;
                continue;
            }
            points.finite.reserve(element.count);
        }
        for seen in 0..element.count {
            match packed(element, bytes, at, order) {
                Ok((point, next)) => {
                    at = next;
                    if element.is_vertex() {
                        points.push(point);
                    }
                }
                Err(what) => {
                    let what = what.unwrap_or_else(|| cut(element, seen));
                    log.fault(path, format!("byte {}", head.at + at), what, AGAIN);
                    return None;
                }
            }
        }
    }
    behind(path, head.at + at, bytes.get(at..).unwrap_or(&[]), room, log);
    Some(())
}

/// Reads the element that begins at a byte. Returns its coordinates, if it has any, and where the next
/// element begins; or else what is wrong with it, `None` if the file just ends.
fn packed(
    element: &Element,
    bytes: &[u8],
    mut at: usize,
    order: Order,
) -> Result<([f64; 3], usize), Option<String>> {
    let mut point = [0.0; 3];
    let number = |kind: Scalar, at: usize| bytes.get(at..).and_then(|bytes| kind.read(bytes, order));
    for (k, property) in element.properties.iter().enumerate() {
        match property.kind {
            Kind::Scalar(kind) => {
                let value = number(kind, at).ok_or(None)?;
                if let Some(axis) = element.axis(k) {
                    point[axis] = value;
                }
                at += kind.size();
            }
            Kind::List { count, item } => {
                let length = number(count, at).ok_or(None)?;
                let name = shortened(&property.name);
                if length < 0.0 {
                    return Err(Some(format!("the list {name} has {length} values")));
                }
                // The length is whole and not negative. The cast keeps it, or gives the largest number.
                let size = (length as usize).saturating_mul(item.size());
                at = at.saturating_add(count.size()).saturating_add(size);
                if at > bytes.len() {
                    let held = counted(bytes.len(), "byte");
                    let what = format!("the list {name} of {length} values ends behind the last of {held}");
                    return Err(Some(what));
                }
            }
        }
    }
    Ok((point, at))
}
