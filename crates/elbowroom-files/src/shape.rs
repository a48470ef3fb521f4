//! Shapes in words: the same in JSON cases and in world files.

use crate::mesh::builder::{Builder, NO_SURFACE};
use crate::mesh::data::MeshData;
use crate::tree::TreeReader;
use crate::tree::node::Node;
use crate::xml::short_text;
use elbowroom::describe::ShapeDescription;
use elbowroom::describe::limits::{MAX_COORDINATE, MIN_EXTENT};
use elbowroom::fault::Numeral;

/// The types that exist.
const TYPES: [&str; 8] = ["sphere", "box", "capsule", "cylinder", "cone", "ellipsoid", "convex", "mesh"];

/// The keys of a type beside `type` and `padding`.
pub(crate) fn keys_of(kind: &str) -> &'static [&'static str] {
    match kind {
        "sphere" => &["radius"],
        "box" => &["size"],
        "capsule" | "cylinder" | "cone" => &["radius", "length"],
        "ellipsoid" => &["radii"],
        "convex" => &["vertices"],
        "mesh" => &["vertices", "triangles"],
        _ => &[],
    }
}

/// Whether a size may be zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zero {
    /// A shape without it would have no inside.
    Refused,
    /// The length of a capsule, which is then a ball; a size of a URDF's sphere or box, which is then a point
    /// or flat.
    Taken,
}

impl Zero {
    /// What a length of zero means for a shape of this type.
    pub fn of_length(kind: &str) -> Zero {
        if kind == "capsule" { Zero::Taken } else { Zero::Refused }
    }
}

/// The sizes that are accepted (metres), in words.
pub(crate) fn size_range() -> String {
    format!("from {MIN_EXTENT:e} to {MAX_COORDINATE:e}")
}

/// What is wrong with a size (metres), and what to give.
pub(crate) fn size_problem(value: f64, zero: Zero) -> Option<(&'static str, String)> {
    let what = match value {
        0.0 if zero == Zero::Taken => return None,
        v if v < 0.0 => "below zero",
        v if v < MIN_EXTENT => "too small",
        v if v <= MAX_COORDINATE => return None,
        _ => "too large",
    };
    let or_zero = if zero == Zero::Taken { "zero, or " } else { "" };
    Some((what, format!("give {or_zero}metres {}", size_range())))
}

/// A shape and its padding (metres).
pub(crate) fn read(
    reading: &mut TreeReader<'_>,
    node: &Node,
    label: &str,
) -> Option<(ShapeDescription, f64)> {
    if node.as_map().is_none() {
        reading.add_fault(
            node,
            label,
            "is not a shape",
            "write {\"type\":\"sphere\",\"radius\":...} or another shape",
        );
        return None;
    }
    let padding = reading.read_size(node, label, "padding", Some(0.0));
    let kind = reading.read_text(node, label, "type", false)?;
    let shape = match kind {
        "sphere" => {
            ShapeDescription::Sphere { radius: read_size(reading, node, label, "radius", Zero::Refused)? }
        }
        "box" => ShapeDescription::Box { size: read_sizes(reading, node, label, "size")? },
        "ellipsoid" => ShapeDescription::Ellipsoid { radii: read_sizes(reading, node, label, "radii")? },
        "capsule" | "cylinder" | "cone" => {
            let radius = read_size(reading, node, label, "radius", Zero::Refused);
            let length = read_size(reading, node, label, "length", Zero::of_length(kind));
            let (radius, length) = (radius?, length?);
            match kind {
                "capsule" => ShapeDescription::Capsule { radius, length },
                "cylinder" => ShapeDescription::Cylinder { radius, length },
                _ => ShapeDescription::Cone { radius, length },
            }
        }
        "convex" => ShapeDescription::Convex { vertices: read_vertices(reading, node, label)? },
        "mesh" => {
            let vertices = read_vertices(reading, node, label)?;
            read_mesh(reading, node, label, &vertices)?
        }
        other => {
            let mut help = reading.log.did_you_mean(other, TYPES);
            if help.is_empty() {
                help = format!("use one of {}", TYPES.join(", "));
            }
            reading.add_fault(
                node,
                label,
                format!("the shape type {:?} is unknown", short_text(other)),
                help,
            );
            return None;
        }
    };
    Some((shape, padding?))
}

fn read_size(reading: &mut TreeReader<'_>, node: &Node, label: &str, key: &str, zero: Zero) -> Option<f64> {
    let value = reading.read_number(node, label, key, None)?;
    if let Some((problem, help)) = size_problem(value, zero) {
        let found = node.get(key).unwrap_or(node);
        reading.add_fault(found, label, format!("{key} is {}, {problem}", Numeral(value)), help);
        return None;
    }
    Some(value)
}

fn read_sizes(reading: &mut TreeReader<'_>, node: &Node, label: &str, key: &str) -> Option<[f64; 3]> {
    let values = reading.read_numbers::<3>(node, label, key, None)?;
    for value in values {
        if let Some((problem, help)) = size_problem(value, Zero::Refused) {
            let found = node.get(key).unwrap_or(node);
            let what = format!("{key} {values:?} holds {}, {problem}", Numeral(value));
            reading.add_fault(found, label, what, help);
            return None;
        }
    }
    Some(values)
}

fn read_vertices(reading: &mut TreeReader<'_>, node: &Node, label: &str) -> Option<Vec<[f64; 3]>> {
    let items = reading.read_list(node, label, "vertices");
    if items.is_empty() {
        reading.add_fault(node, label, "vertices are missing", "give at least one as [x, y, z]");
        return None;
    }
    let mut out = Vec::with_capacity(items.len());
    for (k, item) in items.iter().enumerate() {
        match item.as_numbers::<3>() {
            // Adding zero makes the two zeros one.
            Some(p) => out.push(p.map(|v| v + 0.0)),
            None => {
                reading.add_fault(
                    item,
                    label,
                    format!("vertex {k} is not three finite numbers"),
                    "correct it",
                );
                return None;
            }
        }
    }
    Some(out)
}

/// A mesh from its lists; equal vertices become one, so that a mesh that closes is seen to close.
fn read_mesh(
    reading: &mut TreeReader<'_>,
    node: &Node,
    label: &str,
    vertices: &[[f64; 3]],
) -> Option<ShapeDescription> {
    let items = reading.read_list(node, label, "triangles");
    if items.is_empty() {
        reading.add_fault(node, label, "triangles are missing", "give at least one as [i, j, k]");
        return None;
    }
    let mut builder = Builder::default();
    let welded: Vec<u32> = vertices.iter().map(|v| builder.add_vertex(*v)).collect();
    for (k, item) in items.iter().enumerate() {
        match item.as_numbers::<3>().and_then(|t| whole_indices(t, vertices.len())) {
            Some(t) => builder.add_triangle(t.map(|i| welded[i as usize])),
            None => {
                let what = format!("triangle {k} is not three indices of its {} vertices", vertices.len());
                reading.add_fault(item, label, what, "indices count from 0");
                return None;
            }
        }
    }
    match builder.finish() {
        Ok(MeshData { vertices, triangles }) => Some(ShapeDescription::Mesh { vertices, triangles }),
        Err(what) => {
            reading.add_fault(node, label, format!("the mesh holds {what}"), NO_SURFACE);
            None
        }
    }
}

/// Whole numbers below `count`.
pub(crate) fn whole_indices(t: [f64; 3], count: usize) -> Option<[u32; 3]> {
    let fits = |v: f64| v >= 0.0 && v < count as f64 && v <= f64::from(u32::MAX) && v.fract() == 0.0;
    t.iter().all(|v| fits(*v)).then(|| t.map(|v| v as u32))
}
