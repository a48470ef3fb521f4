//! PCD, the format of the Point Cloud Library: its points as text, binary or compressed.

mod header;

use super::lzf;
use super::points::{Points, check_bytes_behind};
use crate::fault::{Log, counted_things};
use crate::limits;
use crate::lines::{Head, numbered_lines};
use crate::scalar::Order;
use crate::text::DECIMAL_POINT;
use crate::xml::short_text;
use elbowroom::math::Transform;
use header::{Data, PcdHeader};
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
        Data::Ascii => read_ascii_points(path, &head, &header, &mut points, log),
        Data::Binary => read_binary_points(path, &head, &header, &mut points, log)?,
        Data::Compressed => read_compressed_points(path, &head, &header, &mut points, log)?,
    }
    Some((points, header.viewpoint))
}

/// Reads points as text, one a line. Tells every fault, up to the most that are listed.
fn read_ascii_points(path: &Path, head: &Head<'_>, header: &PcdHeader, points: &mut Points, log: &mut Log) {
    let width: usize = header.fields.iter().map(|field| field.count).sum();
    let axes = header.axes.map(|axis| header.fields[..axis].iter().map(|field| field.count).sum::<usize>());
    let (before, mut seen) = (log.fault_count(), 0_usize);
    for (number, raw) in numbered_lines(head.rest_bytes()) {
        if raw.trim_ascii().is_empty() {
            continue;
        }
        if log.fault_count() - before >= limits::SENSOR_FAULTS {
            return;
        }
        let place = || format!("line {}", head.line + number);
        if seen == header.points {
            let what =
                format!("holds more than the {} that its header counts", counted_things(seen, "point"));
            log.add_fault(path, place(), what, "correct WIDTH, HEIGHT and POINTS, or remove the line");
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
                        let what = format!("{:?} is not a number", short_text(&word));
                        let help = if word.contains(',') { DECIMAL_POINT } else { AGAIN };
                        log.add_fault(path, place(), what, help);
                    }
                }
            }
            count += 1;
        }
        if count == width {
            points.push(point);
        } else {
            let what =
                format!("has {}, and the fields of a point take {width}", counted_things(count, "value"));
            log.add_fault(path, place(), what, AGAIN);
        }
    }
    if seen < header.points {
        let what = format!("ends after {seen} of {} points", header.points);
        log.add_fault(path, "", what, AGAIN);
    }
}

/// Reads binary points: one behind the other, each with all its fields.
fn read_binary_points(
    path: &Path,
    head: &Head<'_>,
    header: &PcdHeader,
    points: &mut Points,
    log: &mut Log,
) -> Option<()> {
    let size = header.point_size(true);
    let held = head.rest_bytes().len() / size;
    if held < header.points {
        let what = format!(
            "its header claims {} of {size} bytes, and the {} behind it hold {held}",
            counted_things(header.points, "point"),
            counted_things(head.rest_bytes().len(), "byte")
        );
        log.add_fault(path, format!("byte {}", head.at), what, AGAIN);
        return None;
    }
    let (data, rest) = head.rest_bytes().split_at(header.points * size);
    check_bytes_behind(path, head.at + data.len(), rest, size, log);
    let offsets = header.axes.map(|axis| header.field_offset(axis, true));
    points.finite.reserve(header.points);
    for bytes in data.chunks_exact(size) {
        points.push(header.read_point(|k| bytes.get(offsets[k]..))?);
    }
    Some(())
}

/// Reads compressed points: the first field of all points, then the second of all, and so on, compressed as a
/// whole. PCL leaves padding out.
fn read_compressed_points(
    path: &Path,
    head: &Head<'_>,
    header: &PcdHeader,
    points: &mut Points,
    log: &mut Log,
) -> Option<()> {
    let place = format!("byte {}", head.at);
    let mut bad = |what: String| {
        log.add_fault(path, &*place, what, AGAIN);
        None
    };
    let [a, b, c, d, e, f, g, h, rest @ ..] = head.rest_bytes() else {
        return bad("is cut off before the sizes of its compressed points".into());
    };
    let [packed, size] = [[*a, *b, *c, *d], [*e, *f, *g, *h]].map(|size| u32::from_le_bytes(size) as usize);
    let Some((data, rest)) = rest.split_at_checked(packed) else {
        let what = format!("claims {packed} compressed bytes, and {} follow", rest.len());
        return bad(what);
    };
    let wanted = [false, true].map(|padding| header.points.checked_mul(header.point_size(padding)));
    let Some(padding) = wanted.iter().position(|wanted| *wanted == Some(size)) else {
        let what = format!(
            "holds {size} bytes when unpacked, and {} of {} bytes take others",
            counted_things(header.points, "point"),
            header.point_size(false)
        );
        return bad(what);
    };
    if size > limits::UNPACKED_BYTES {
        let what = format!("unpacks to {size} bytes; at most {} are read", limits::UNPACKED_BYTES);
        log.add_fault(path, &*place, what, "write it uncompressed, or split the file");
        return None;
    }
    let Some(unpacked) = lzf::unpack_lzf(data, size) else {
        return bad(format!("its {packed} compressed bytes do not unpack to {size}"));
    };
    check_bytes_behind(path, head.at + 8 + packed, rest, header.point_size(false), log);
    let fields = header.axes.map(|axis| {
        let start = header.field_offset(axis, padding == 1) * header.points;
        (start, header.fields[axis].size)
    });
    points.finite.reserve(header.points);
    for i in 0..header.points {
        points.push(header.read_point(|k| unpacked.get(fields[k].0 + i * fields[k].1..))?);
    }
    Some(())
}

impl PcdHeader {
    /// Bytes of all fields of a point, with or without padding.
    fn point_size(&self, padding: bool) -> usize {
        self.field_offset(self.fields.len(), padding)
    }

    /// Bytes of the fields before a given one.
    fn field_offset(&self, field: usize, padding: bool) -> usize {
        let before = self.fields.iter().take(field);
        before.filter(|field| padding || !field.is_padding).map(|field| field.size * field.count).sum()
    }

    /// The point whose coordinates begin these bytes.
    fn read_point<'b>(&self, bytes: impl Fn(usize) -> Option<&'b [u8]>) -> Option<[f64; 3]> {
        let mut point = [0.0; 3];
        for (k, value) in point.iter_mut().enumerate() {
            *value = self.scalars[k].read(bytes(k)?, Order::LittleEndian)?;
        }
        Some(point)
    }
}
