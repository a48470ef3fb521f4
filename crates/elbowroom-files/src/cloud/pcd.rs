//! PCD, the format of the Point Cloud Library: its points as text, binary or compressed.

mod header;

use super::lzf;
use super::points::{Points, behind};
use crate::fault::{Log, counted};
use crate::limits;
use crate::lines::{Head, lines};
use crate::scalar::Order;
use crate::xml::shortened;
use elbowroom::math::Transform;
use header::{Data, Header};
use std::path::Path;

/// What to do about a file that is not whole.
const AGAIN: &str = "copy or write the file again, or correct its header";

/// Whether the first line that is not a comment belongs to a header.
pub(super) fn looks_like_pcd(bytes: &[u8]) -> bool {
    let mut lines = Head::new(&bytes[..bytes.len().min(4096)]).map(<[u8]>::trim_ascii);
    let Some(first) = lines.find(|line| !line.is_empty() && !line.starts_with(b"#")) else {
        return bytes.starts_with(b"# .PCD");
    };
    let word = first.split(u8::is_ascii_whitespace).next();
    bytes.starts_with(b"# .PCD") || matches!(word, Some(b"VERSION" | b"FIELDS" | b"COLUMNS"))
}

/// The points and the viewpoint; `None` after a fault.
pub(super) fn read(path: &Path, bytes: &[u8], log: &mut Log) -> Option<(Points, Option<Transform>)> {
    let mut head = Head::new(bytes);
    let header = header::read(path, &mut head, log)?;
    let mut points = Points::default();
    match header.data {
        Data::Ascii => ascii(path, &head, &header, &mut points, log),
        Data::Binary => binary(path, &head, &header, &mut points, log)?,
        Data::Compressed => compressed(path, &head, &header, &mut points, log)?,
    }
    Some((points, header.viewpoint))
}

/// Reads points as text, one a line. Tells every fault, up to the most that are listed.
fn ascii(path: &Path, head: &Head<'_>, header: &Header, points: &mut Points, log: &mut Log) {
    let width: usize = header.fields.iter().map(|field| field.count).sum();
    let axes = header.axes.map(|axis| header.fields[..axis].iter().map(|field| field.count).sum::<usize>());
    let (before, mut seen) = (log.count(), 0_usize);
    for (number, raw) in lines(head.rest()) {
        if raw.trim_ascii().is_empty() {
            continue;
        }
        if log.count() - before >= limits::SENSOR_FAULTS {
            return;
        }
        let place = || format!("line {}", head.line + number);
        if seen == header.points {
            let what = format!("holds more than the {} that its header counts", counted(seen, "point"));
            log.fault(path, place(), what, "correct WIDTH, HEIGHT and POINTS, or remove the line");
            return;
        }
        seen += 1;
        let (mut point, mut count) = ([0.0; 3], 0);
        for word in raw.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            if let Some(axis) = axes.iter().position(|&column| column == count) {
                let word = String::from_utf8_lossy(word);
                match word.parse() {
                    Ok(value) => point[axis] = value,
                    Err(_) => {
                        let what = format!("{:?} is not a number", shortened(&word));
                        let help = if word.contains(',') { "write decimals with a point" } else { AGAIN };
                        log.fault(path, place(), what, help);
                    }
                }
            }
            count += 1;
        }
        if count == width {
            points.push(point);
        } else {
            let what = format!("has {}, and the fields of a point take {width}", counted(count, "value"));
            log.fault(path, place(), what, AGAIN);
        }
    }
    if seen < header.points {
        let what = format!("ends after {seen} of {} points", header.points);
        log.fault(path, "", what, AGAIN);
    }
}

/// Reads binary points: one behind the other, each with all its fields.
fn binary(path: &Path, head: &Head<'_>, header: &Header, points: &mut Points, log: &mut Log) -> Option<()> {
    let size = header.size_of_point(true);
    let held = head.rest().len() / size;
    if held < header.points {
        let what = format!(
            "its header claims {} of {size} bytes, and the {} behind it hold {held}",
            counted(header.points, "point"),
            counted(head.rest().len(), "byte")
        );
        log.fault(path, format!("byte {}", head.at), what, AGAIN);
        return None;
    }
    let (data, rest) = head.rest().split_at(header.points * size);
    behind(path, head.at + data.len(), rest, size, log);
    let offsets = header.axes.map(|axis| header.offset(axis, true));
    points.finite.reserve(header.points);
    for bytes in data.chunks_exact(size) {
        points.push(header.point(|k| bytes.get(offsets[k]..))?);
    }
    Some(())
}

/// Reads compressed points: the first field of all points, then the second of all, and so on, compressed as a
/// whole. PCL leaves padding out.
fn compressed(
    path: &Path,
    head: &Head<'_>,
    header: &Header,
    points: &mut Points,
    log: &mut Log,
) -> Option<()> {
    let place = format!("byte {}", head.at);
    let mut bad = |what: String| {
        log.fault(path, &*place, what, AGAIN);
        None
    };
    let [a, b, c, d, e, f, g, h, rest @ ..] = head.rest() else {
        return bad("is cut off before the sizes of its compressed points".into());
    };
    let [packed, size] = [[*a, *b, *c, *d], [*e, *f, *g, *h]].map(|size| u32::from_le_bytes(size) as usize);
    let Some((data, rest)) = rest.split_at_checked(packed) else {
        let what = format!("claims {packed} compressed bytes, and {} follow", rest.len());
        return bad(what);
    };
    let wanted = [false, true].map(|padding| header.points.checked_mul(header.size_of_point(padding)));
    let Some(padding) = wanted.iter().position(|wanted| *wanted == Some(size)) else {
        let what = format!(
            "holds {size} bytes when unpacked, and {} of {} bytes take others",
            counted(header.points, "point"),
            header.size_of_point(false)
        );
        return bad(what);
    };
    if size > limits::UNPACKED_BYTES {
        let what = format!("unpacks to {size} bytes; at most {} are read", limits::UNPACKED_BYTES);
        log.fault(path, &*place, what, "write it uncompressed, or split the file");
        return None;
    }
    let Some(unpacked) = lzf::unpack(data, size) else {
        return bad(format!("its {packed} compressed bytes do not unpack to {size}"));
    };
    behind(path, head.at + 8 + packed, rest, header.size_of_point(false), log);
    let fields = header.axes.map(|axis| {
        let start = header.offset(axis, padding == 1) * header.points;
        (start, header.fields[axis].size)
    });
    points.finite.reserve(header.points);
    for i in 0..header.points {
        points.push(header.point(|k| unpacked.get(fields[k].0 + i * fields[k].1..))?);
    }
    Some(())
}

impl Header {
    /// Bytes of all fields of a point, with or without padding.
    fn size_of_point(&self, padding: bool) -> usize {
        self.offset(self.fields.len(), padding)
    }

    /// Bytes of the fields before a given one.
    fn offset(&self, field: usize, padding: bool) -> usize {
        let before = self.fields.iter().take(field);
        before.filter(|field| padding || !field.is_padding).map(|field| field.size * field.count).sum()
    }

    /// The point whose coordinates begin these bytes.
    fn point<'b>(&self, bytes: impl Fn(usize) -> Option<&'b [u8]>) -> Option<[f64; 3]> {
        let mut point = [0.0; 3];
        for (k, value) in point.iter_mut().enumerate() {
            *value = self.scalars[k].read(bytes(k)?, Order::LittleEndian)?;
        }
        Some(point)
    }
}
