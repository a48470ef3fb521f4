//! PLY as a point cloud: the coordinates of its vertices.

use super::points::{Points, THIN_OUT, check_bytes_behind, too_many};
use crate::fault::Log;
use crate::limits;
use crate::lines::Head;
use crate::ply::body;
use crate::ply::header::{self, Element, PlyFormat, Purpose};
use std::path::Path;

const CLOUD: Purpose = Purpose {
    export: "export the cloud again",
    vertices: "export the cloud with the vertices x, y and z",
    faults: limits::SENSOR_FAULTS,
    check: check_elements,
};

/// Compares the count with the limits.
fn check_elements(path: &Path, elements: &mut [Element], log: &mut Log) {
    let Some(vertex) = elements.iter().find(|element| element.name == "vertex") else { return };
    let place = format!("line {}, vertex", vertex.line);
    if vertex.count == 0 {
        log.add_fault(path, &*place, "the cloud has no point", "give a cloud with points");
    }
    if vertex.count > limits::CLOUD_POINTS {
        log.add_fault(path, &*place, too_many(vertex.count), THIN_OUT);
    }
}

/// The points; `None` after a fault.
pub(super) fn read(path: &Path, bytes: &[u8], log: &mut Log) -> Option<Points> {
    let mut head = Head::new(bytes);
    let header = header::read(path, &mut head, &CLOUD, log)?;
    let mut points = Points::default();
    // Bytes that a point takes at the least: its lists may be empty.
    let mut room = 1;
    let vertex = header.elements.iter().find(|element| element.is_vertex());
    if let Some((vertex, size)) = vertex.and_then(|vertex| Some((vertex, vertex.fixed_size()?))) {
        room = size;
        if header.format != PlyFormat::Ascii {
            points.finite.reserve(vertex.count.min(head.rest_bytes().len() / size));
        }
    }
    let mut take = |_: &Element, row: &body::Row| {
        points.push(row.point);
        Ok(())
    };
    let end = body::read(path, &head, &header, &CLOUD, log, &mut take)?;
    check_bytes_behind(path, end, bytes.get(end..).unwrap_or(&[]), room, log);
    Some(points)
}
