//! `<collision>`: its pose and its one shape.

use super::reader::UrdfReader;
use super::spelling;
use crate::limits::{self, FLAT_MESH};
use crate::mesh::data::{MeshData, UnitRule};
use crate::session::Session;
use crate::shape::Zero;
use crate::xml::{child_elements, is_own, parse_number, short_text};
use elbowroom::describe::limits::MIN_EXTENT;
use elbowroom::describe::{PlacedShape, ShapeDescription};
use elbowroom::fault::Numeral;
use roxmltree::Node;
use std::path::Path;

/// What to do about a shape without extent.
const NO_EXTENT: &str = "give it its true size, or remove the collision";

/// The elements that are shapes.
const SHAPES: [&str; 8] =
    ["box", "sphere", "cylinder", "capsule", "cone", "ellipsoid", "mesh", "convex_mesh"];

/// Elements beside a shape that say nothing of where it is or how large.
const SHAPELESS: [&str; 8] = [
    "declare_convex",
    "material",
    "color",
    "texture",
    "surface",
    "contact",
    "contact_coefficients",
    "verbose",
];

impl UrdfReader<'_, '_, '_> {
    pub(super) fn read_collision(&mut self, node: Node<'_, '_>) -> Option<PlacedShape> {
        // Each may search the disk for a mesh; a file with this many faults is refused whatever else it
        // holds.
        if self.session.log.is_full() {
            return None;
        }
        self.check_spelling(node, &spelling::COLLISION);
        let shape_in_body = self.read_origin(node);
        let help = "write one <collision> for each";
        let Some(geometry) = self.find_only(node, "geometry", "of one collision", help) else {
            self.add_fault(node, "has no geometry", "give it one, or remove the collision");
            return None;
        };
        let kind = self.find_shape(geometry)?;
        self.check_spelling(geometry, &spelling::GEOMETRY);
        let shape = self.read_shape(kind);
        let name = node.attribute("name").unwrap_or("").to_string();
        Some(PlacedShape { name, shape_in_body: shape_in_body?, shape: shape?, padding: 0.0 })
    }

    /// The one shape of a geometry.
    fn find_shape<'d, 'i>(&mut self, geometry: Node<'d, 'i>) -> Option<Node<'d, 'i>> {
        let is_shape = |node: &Node<'_, '_>| SHAPES.contains(&node.tag_name().name());
        let Some(kind) = child_elements(geometry).find(is_shape).or_else(|| child_elements(geometry).next())
        else {
            let help = "name a box, sphere, cylinder, capsule or mesh, or remove the collision";
            self.add_fault(geometry, "is empty", help);
            return None;
        };
        for other in child_elements(geometry).filter(|other| *other != kind) {
            if is_shape(&other) {
                let refusal = || "is the second shape of one geometry".to_string();
                self.judge_repeated(kind, other, refusal, "write one <collision> for each");
            } else {
                self.judge_no_shape(other);
            }
        }
        Some(kind)
    }

    /// What stands beside a shape and is none: no loader reads it. Where it may have been meant to move the
    /// shape, or to be one, it is refused.
    fn judge_no_shape(&mut self, node: Node<'_, '_>) {
        let tag = node.tag_name().name();
        let is_zero = |text: &str| text.split_whitespace().all(|word| parse_number(word) == Some(0.0));
        let what = format!("<{}> is not a shape, and has no effect in a <geometry>", short_text(tag));
        if !is_own(node) || SHAPELESS.contains(&tag) {
            self.add_warning(node, what, "remove it");
        } else if tag == "origin" && node.attributes().all(|a| is_zero(a.value())) {
            self.add_warning(node, what, "put it before the <geometry>, or remove it");
        } else if tag == "origin" {
            self.add_fault(node, what, "put it before the <geometry>, or remove it");
        } else {
            let meant = self.session.log.did_you_mean(tag, SHAPES);
            let help = "write one <collision> for each shape, or remove it";
            self.add_fault(node, what, if meant.is_empty() { help.into() } else { meant });
        }
    }

    fn read_shape(&mut self, node: Node<'_, '_>) -> Option<ShapeDescription> {
        let tag = node.tag_name().name();
        let known = match tag {
            "box" => &spelling::BOX,
            "ellipsoid" => &spelling::ELLIPSOID,
            "mesh" | "convex_mesh" => &spelling::MESH,
            _ => &spelling::ROUND,
        };
        self.check_spelling(node, known);
        Some(match tag {
            "box" => self.read_box(node)?,
            "sphere" => self.read_sphere(node)?,
            "cylinder" | "capsule" | "cone" => {
                let radius = self.read_size(node, "radius", Zero::Refused);
                let length = self.read_size(node, "length", Zero::of_length(tag));
                let (radius, length) = (radius?, length?);
                match tag {
                    "cylinder" => ShapeDescription::Cylinder { radius, length },
                    "capsule" => ShapeDescription::Capsule { radius, length },
                    _ => ShapeDescription::Cone { radius, length },
                }
            }
            "ellipsoid" => {
                let radii = if node.has_attribute("radii") {
                    self.read_sizes(node, "radii", Zero::Refused)?
                } else {
                    let [a, b, c] = ["a", "b", "c"].map(|key| self.read_size(node, key, Zero::Refused));
                    [a?, b?, c?]
                };
                ShapeDescription::Ellipsoid { radii }
            }
            "mesh" | "convex_mesh" => return self.read_mesh(node),
            _ => {
                let known = ["box", "sphere", "cylinder", "capsule", "cone", "ellipsoid", "mesh"];
                let mut help = self.session.log.did_you_mean(tag, known);
                if help.is_empty() {
                    help = format!("use one of {}", known.join(", "));
                }
                self.add_fault(node, format!("<{}> is not a supported shape", short_text(tag)), help);
                return None;
            }
        })
    }

    /// A sphere. Robots have some of radius 0, to mark a place: such a one is the point that it says.
    fn read_sphere(&mut self, node: Node<'_, '_>) -> Option<ShapeDescription> {
        let radius = self.read_size(node, "radius", Zero::Taken)?;
        if radius > 0.0 {
            return Some(ShapeDescription::Sphere { radius });
        }
        self.add_warning(node, "has radius 0: it is taken as a point", NO_EXTENT);
        Some(ShapeDescription::Convex { vertices: vec![[0.0; 3]] })
    }

    /// A box. One without extent along an axis is the rectangle, the segment or the point that it says.
    fn read_box(&mut self, node: Node<'_, '_>) -> Option<ShapeDescription> {
        let size = self.read_sizes(node, "size", Zero::Taken)?;
        let taken_as = match size.iter().filter(|extent| **extent == 0.0).count() {
            0 => return Some(ShapeDescription::Box { size }),
            1 => "a rectangle",
            2 => "a segment",
            _ => "a point",
        };
        self.add_warning(node, format!("has the size {size:?}: it is taken as {taken_as}"), NO_EXTENT);
        let mut vertices = vec![[0.0; 3]];
        for axis in [0, 1, 2].into_iter().filter(|axis| size[*axis] > 0.0) {
            let half = size[axis] / 2.0;
            let moved = |by: f64| {
                let put = move |mut corner: [f64; 3]| {
                    corner[axis] = by;
                    corner
                };
                vertices.iter().copied().map(put)
            };
            vertices = moved(-half).chain(moved(half)).collect();
        }
        Some(ShapeDescription::Convex { vertices })
    }

    fn read_mesh(&mut self, node: Node<'_, '_>) -> Option<ShapeDescription> {
        let file = self.read_name(node, "filename");
        let scale = self.read_triple(node, "scale", Some([1.0; 3]));
        let (file, scale) = (file?, scale?);
        let path = match self.session.resolve_reference(&file, &self.text.path) {
            Ok(path) => path,
            Err((what, help)) => {
                self.add_fault(node, what, help);
                return None;
            }
        };
        let convex = node.tag_name().name() == "convex_mesh"
            || child_elements(node).any(|n| n.tag_name().name() == "declare_convex" && !is_own(n));
        let place = self.text.node_place(node);
        let shape =
            read_mesh_shape(self.session, &self.text.path, &place, &path, scale, convex, UnitRule::Apply)?;
        if let Some((what, help)) = doubted_size(&shape, scale, limits::LINK_SIZES) {
            self.add_warning(node, what, help);
        }
        Some(shape)
    }
}

/// What to say of a mesh that is likely in another unit than it is read in; no size, so that those that are
/// alike are told as one.
pub(crate) fn doubted_size(
    shape: &ShapeDescription,
    scale: [f64; 3],
    sizes: [f64; 2],
) -> Option<(String, &'static str)> {
    let (ShapeDescription::Mesh { vertices, .. } | ShapeDescription::Convex { vertices }) = shape else {
        return None;
    };
    let most = axis_extents(vertices).into_iter().fold(0.0, f64::max);
    let is_scaled = scale.iter().any(|factor| factor.abs() < 1.0);
    if most > sizes[1] {
        let what = format!("is a mesh of more than {} m: metres are meant", Numeral(sizes[1]));
        return Some((
            what,
            "if its file is in millimetres, scale it by 0.001; `elbowroom info` shows sizes",
        ));
    }
    (is_scaled && most < sizes[0]).then(|| {
        let what = "is a mesh of less than a millimetre once it is scaled".into();
        (what, "if its file is in metres, leave the scale out; `elbowroom info` shows sizes")
    })
}

/// How far points reach along each axis.
fn axis_extents(vertices: &[[f64; 3]]) -> [f64; 3] {
    [0, 1, 2].map(|k| {
        let values = || vertices.iter().map(|v| v[k]);
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    })
}

/// A mesh file as a shape, within the budget of the whole description.
pub(crate) fn read_mesh_shape(
    session: &mut Session<'_>,
    file: &Path,
    place: &str,
    path: &Path,
    scale: [f64; 3],
    convex: bool,
    unit: UnitRule,
) -> Option<ShapeDescription> {
    let before = session.log.fault_count();
    let Some(mesh) = session.read_mesh(path, unit) else {
        // The mesh's own faults are listed once; each use of it says so too.
        if session.log.fault_count() == before {
            let what = format!("uses the mesh {}, which has faults", path.display());
            session.log.add_fault(file, place, what, "see the faults of that mesh above");
        }
        return None;
    };
    let size = mesh.triangles.len() + mesh.vertices.len() / 2;
    if size > session.triangles_left {
        let what = format!("all meshes together hold more than {} triangles", limits::TOTAL_TRIANGLES);
        session.log.add_fault(file, place, what, "use coarser meshes for collision");
        return None;
    }
    session.triangles_left -= size;
    if let Some(problem) = scale_problem(&mesh, scale) {
        session.log.add_fault(file, place, format!("the scale {scale:?} {problem}"), "correct the scale");
        return None;
    }
    let scaled = mesh.scaled_by(scale);
    Some(if convex {
        ShapeDescription::Convex { vertices: scaled.vertices }
    } else {
        ShapeDescription::Mesh { vertices: scaled.vertices, triangles: scaled.triangles }
    })
}

/// What is wrong with scaling a mesh like this, if anything is.
fn scale_problem(mesh: &MeshData, scale: [f64; 3]) -> Option<String> {
    let extents = axis_extents(&mesh.vertices);
    let far = mesh.vertices.iter().any(|v| !(0..3).all(|k| (v[k] * scale[k]).is_finite()));
    if far {
        return Some("makes vertices infinite".into());
    }
    // A mesh that is flat in the file may stay so.
    let least = extents.iter().fold(0.0, |m: f64, e| m.max(*e)) * FLAT_MESH;
    let flat =
        |k: &usize| scale[*k] == 0.0 || (extents[*k] > least && extents[*k] * scale[*k].abs() < MIN_EXTENT);
    let axis = (0..3).find(flat)?;
    Some(format!("flattens the mesh: thinner than {MIN_EXTENT:e} m along {}", ["x", "y", "z"][axis]))
}
