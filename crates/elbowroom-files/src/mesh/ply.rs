//! PLY, as text or in binary: its vertices and its faces.
//!
//! Each `face` element has the list of its corners, `vertex_indices` or `vertex_index`. A file of vertices
//! alone is a point cloud, and refused as a mesh; so are strips of triangles. Colours, normals and what else
//! belongs to a vertex or a face are passed over; edges have no area.

use super::builder::Builder;
use super::polygon;
use crate::fault::{Log, counted_things};
use crate::limits;
use crate::lines::Head;
use crate::ply::body::{self, Refusal, Row};
use crate::ply::header::{self, Element, PropertyKind, Purpose};
use crate::xml::short_text;
use std::path::Path;

const EXPORT: &str = "export the mesh again";

const MESH: Purpose = Purpose {
    export: EXPORT,
    vertices: "export the mesh with the vertices x, y and z",
    faults: limits::MESH_FAULTS,
    check: check_elements,
};

/// Names of the list of a face's corners.
const CORNERS: [&str; 2] = ["vertex_indices", "vertex_index"];

/// Finds the faces.
fn check_elements(path: &Path, elements: &mut [Element], log: &mut Log) {
    let vertices = elements.iter().position(|element| element.name == "vertex");
    let faces = elements.iter().position(|element| element.name == "face" && element.count > 0);
    for strips in elements.iter().filter(|element| element.name == "tristrips" && element.count > 0) {
        let place = format!("line {}, tristrips", strips.line);
        log.add_fault(path, place, "strips of triangles are not supported", "export the mesh as triangles");
    }
    // More vertices than all triangles have corners would take memory and add nothing.
    let most = 3 * limits::MESH_TRIANGLES;
    if let Some(vertex) = vertices.and_then(|at| elements.get(at)).filter(|vertex| vertex.count > most) {
        let what = format!("holds more than {most} vertices");
        log.add_fault(
            path,
            format!("line {}, vertex", vertex.line),
            what,
            "use a coarser mesh for collision",
        );
    }
    let Some(faces) = faces else {
        let what = "has no faces: it is a point cloud, not a mesh";
        log.add_fault(path, "", what, "export the mesh with its faces, or give the file as a cloud");
        return;
    };
    let after = vertices.is_some_and(|vertices| faces < vertices);
    let Some(element) = elements.get_mut(faces) else { return };
    let place = format!("line {}, face", element.line);
    if after {
        log.add_fault(path, &*place, "its faces stand before its vertices", EXPORT);
    }
    if element.count > limits::MESH_TRIANGLES {
        log.add_fault(
            path,
            &*place,
            super::builder::too_many_triangles(),
            "use a coarser mesh for collision",
        );
    }
    let is_list = |kind: PropertyKind| matches!(kind, PropertyKind::List { item, .. } if item.is_integer());
    let mut lists = element.properties.iter().enumerate().filter(|(_, p)| CORNERS.contains(&&*p.name));
    match (lists.next(), lists.next()) {
        (Some((k, property)), None) if is_list(property.kind) => element.corners = Some(k),
        (Some(_), Some(_)) => {
            log.add_fault(path, place, "has both vertex_indices and vertex_index", "keep one");
        }
        _ => {
            log.add_fault(path, place, "has no list vertex_indices of whole numbers", EXPORT);
        }
    }
}

/// A mesh while it is read.
#[derive(Default)]
struct PlyMeshReader {
    builder: Builder,
    points: Vec<[f64; 3]>,
    /// Index in the mesh of each point, once a face has used it.
    used: Vec<Option<u32>>,
    polygon: Vec<u32>,
}

pub(super) fn read(path: &Path, bytes: &[u8], log: &mut Log) -> Builder {
    let mut head = Head::new(bytes);
    let mut reader = PlyMeshReader::default();
    let Some(header) = header::read(path, &mut head, &MESH, log) else { return reader.builder };
    for other in header.elements.iter().filter(|element| !element.is_wanted() && element.count > 0) {
        let what = format!("ignored: {} of its element {:?}", other.count, short_text(&other.name));
        log.add_warning(path, format!("line {}", other.line), what, "");
    }
    let mut take = |element: &Element, row: &Row| reader.take_element(element, row);
    let end = body::read(path, &head, &header, &MESH, log, &mut take);
    let behind = end.and_then(|end| bytes.get(end..)).unwrap_or(&[]);
    if behind.iter().any(|b| *b != 0 && !b.is_ascii_whitespace()) {
        let what = format!("{} lie behind the last of its elements", counted_things(behind.len(), "byte"));
        let help = "correct the counts in the header, or write the file again";
        log.add_fault(path, format!("byte {}", bytes.len() - behind.len()), what, help);
    }
    let loose = reader.used.iter().filter(|u| u.is_none()).count();
    if loose > 0 && end.is_some() {
        let what = format!("{loose} of {} vertices belong to no face and are ignored", reader.used.len());
        log.add_warning(path, "", what, "");
    }
    reader.builder
}

impl PlyMeshReader {
    /// Takes a vertex or a face.
    fn take_element(&mut self, element: &Element, row: &Row) -> Result<(), Refusal> {
        let bad = |what: String, help| Err(Refusal { what, help, stop: false });
        if element.corners.is_none() {
            self.points.push(row.point);
            self.used.push(None);
            if !row.point.iter().all(|v| v.is_finite()) {
                return bad(format!("{:?} is not a finite point", row.point), EXPORT);
            }
            return Ok(());
        }
        if row.corners.len() < 3 {
            return bad("a face has fewer than three corners".into(), EXPORT);
        }
        if row.corners.len() > limits::POLYGON_CORNERS {
            let what = format!("a face has more than {} corners", limits::POLYGON_CORNERS);
            return bad(what, "export the mesh as triangles");
        }
        self.polygon.clear();
        for corner in &row.corners {
            // The cast gives zero for what is below it or no number, and its value is compared.
            let index = *corner as usize;
            let place = self.points.get(index).zip(self.used.get_mut(index));
            let Some((point, slot)) = place.filter(|_| index as f64 == *corner) else {
                let what = format!("the corner {corner} is not one of its {} vertices", self.points.len());
                return bad(what, "indices count from 0; export the mesh again");
            };
            let vertex = match *slot {
                Some(vertex) => vertex,
                None => self.builder.add_vertex(*point),
            };
            *slot = Some(vertex);
            self.polygon.push(vertex);
        }
        polygon::cut_polygon(&mut self.builder, &self.polygon);
        match self.builder.excess_reason() {
            Some(what) => Err(Refusal { what, help: "use a coarser mesh for collision", stop: true }),
            None => Ok(()),
        }
    }
}
