//! COLLADA (DAE): the geometry of the scene, each piece where the scene puts it.
//!
//! A node's transforms are multiplied in the order they stand in the file, a child's frame lies in its
//! parent's, and geometry is placed by `instance_geometry`, in nodes that may themselves be instances. A
//! mirroring placement turns the triangles round. Lengths are multiplied by the file's unit; the up axis is
//! left as it is unless asked for, as in ROS. Only what has area is read: lines are passed over with a
//! warning, cameras and lights silently; curved surfaces are refused.

mod geometry;
mod ids;
mod reader;

use super::builder::Builder;
use super::data::UnitRule;
use super::polygon;
use crate::fault::{Log, counted_things};
use crate::limits;
use crate::xml::{XmlText, child_elements, parse_number, parse_numbers, short_text};
use elbowroom::fault::Numeral;
use elbowroom::math::{Mat3, Vec3, vec3};
use ids::Ids;
use reader::DaeReader;
use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// What a node or a scene may hold beside nodes and instances of geometry: transforms, and what has no area.
const PASSED_OVER: [&str; 11] = [
    "asset",
    "extra",
    "evaluate_scene",
    "instance_camera",
    "instance_light",
    "translate",
    "rotate",
    "scale",
    "matrix",
    "skew",
    "lookat",
];

/// A linear map and a shift.
#[derive(Clone, Copy)]
struct Affine {
    linear: Mat3,
    shift: Vec3,
}

impl Affine {
    const IDENTITY: Affine = Affine { linear: Mat3::IDENTITY, shift: Vec3::ZERO };

    fn compose_inner(&self, inner: &Affine) -> Affine {
        Affine { linear: self.linear * inner.linear, shift: self.linear * inner.shift + self.shift }
    }

    fn map_point(&self, p: Vec3) -> Vec3 {
        self.linear * p + self.shift
    }
}

pub(super) fn read(path: &Path, bytes: &[u8], log: &mut Log, honour_up: bool, unit: UnitRule) -> Builder {
    let Some(text) = XmlText::new(path, bytes, log) else { return Builder::default() };
    let Some(document) = text.parse(log) else { return Builder::default() };
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        let what =
            format!("its outermost element is <{}>, not <COLLADA>", short_text(root.tag_name().name()));
        log.add_fault(path, "", what, "give a mesh in STL, OBJ, DAE or PLY");
        return Builder::default();
    }
    let ids = Ids::collect_below(root);
    let before = log.fault_count();
    let (geometries, builder) = (BTreeMap::new(), Builder::default());
    let mut reader = DaeReader { text: &text, log, before, ids, geometries, builder, lines: 0, visits: 0 };
    let frame = reader.read_file_frame(root, honour_up, unit);
    reader.read_scene(&document, frame);
    let placed = reader.geometries.len();
    if placed == 0 && reader.log.fault_count() == before {
        let held = reader.ids.count_kind("geometry");
        let what = format!(
            "its visual scene places none of its {held} geometries (a physics scene alone is not supported)"
        );
        reader.log.add_fault(path, "", what, "export the mesh again, or use an STL of it");
    }
    if reader.lines > 0 {
        let what = format!("ignored: {} without area", counted_things(reader.lines, "line"));
        reader.log.add_warning(path, "", what, "");
    }
    reader.builder
}

impl<'d> DaeReader<'_, 'd> {
    /// Unit and up axis.
    fn read_file_frame(&mut self, root: Node<'d, 'd>, honour_up: bool, unit: UnitRule) -> Affine {
        let mut frame = Affine::IDENTITY;
        let Some(asset) = self.find_child(root, "asset") else { return frame };
        if let Some(node) = self.find_child(asset, "unit") {
            let meter = node.attribute("meter").map_or(Some(1.0), parse_number);
            match meter {
                Some(m) if m > 0.0 && unit == UnitRule::Apply => {
                    frame.linear = Mat3 { cols: [Vec3::X * m, Vec3::Y * m, Vec3::Z * m] };
                }
                Some(m) if m > 0.0 => {
                    if m != 1.0 {
                        let what = format!("its unit of {} m is not applied here, as in MoveIt", Numeral(m));
                        let help = "the scale in the scene must make up for it";
                        self.log.add_warning(&self.text.path, self.text.node_place(node), what, help);
                    }
                }
                _ => self.add_fault(node, "its unit is not a positive number of metres", "write meter=\"1\""),
            }
        }
        let up = self.find_child(asset, "up_axis").and_then(|n| n.text()).map_or("Y_UP", str::trim);
        let turn = match up {
            "Z_UP" => return frame,
            "Y_UP" => Mat3::from_rows([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
            "X_UP" => Mat3::from_rows([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]]),
            other => {
                let what = format!("its up_axis {:?} is not X_UP, Y_UP or Z_UP", short_text(other));
                self.add_fault(asset, what, "export the mesh again with z up");
                return frame;
            }
        };
        if honour_up {
            frame.linear = turn * frame.linear;
        } else {
            let what = format!("its up axis is {up} and is not applied, as in ROS");
            self.log.add_warning(&self.text.path, "", what, "export it with z up, or use --honour-up-axis");
        }
        frame
    }

    fn read_scene(&mut self, document: &'d Document<'d>, frame: Affine) {
        let root = document.root_element();
        let mut instances = child_elements(root)
            .filter(|n| n.tag_name().name() == "scene")
            .flat_map(child_elements)
            .filter(|n| n.tag_name().name() == "instance_visual_scene");
        let stated = instances.next();
        if let Some(second) = instances.next() {
            return self.add_fault(second, "is the second visual scene to be shown", "keep one");
        }
        let mut all =
            document.descendants().filter(|n| n.is_element() && n.tag_name().name() == "visual_scene");
        let scene = match stated {
            Some(instance) => match self.find_target(instance, "visual_scene", "url") {
                Some(scene) => Some(scene),
                None => return,
            },
            None => {
                let only = all.next();
                if let Some(second) = all.next() {
                    let what = "is the second visual scene, and no <scene> says which of them is meant";
                    return self.add_fault(
                        second,
                        what,
                        "name one: <scene><instance_visual_scene url=\"#...\"/></scene>",
                    );
                }
                only
            }
        };
        let Some(scene) = scene else {
            // A library without a scene gives all its geometries, unplaced.
            let what = "has no scene; all its geometries are used, without placement";
            self.log.add_warning(&self.text.path, "", what, "");
            for node in document.descendants().filter(|n| n.is_element() && n.tag_name().name() == "geometry")
            {
                self.place_geometry(node, &frame);
            }
            return;
        };
        // Nodes still to visit, with their parent's frame and their depth.
        let mut open: Vec<(Node<'d, 'd>, Affine, usize)> = vec![(scene, frame, 0)];
        while let Some((node, parent, depth)) = open.pop() {
            self.visits += 1;
            if depth > limits::SCENE_DEPTH || self.visits > limits::SCENE_VISITS {
                let what = "its nodes are nested too deep or repeated too often";
                self.add_fault(node, what, "a node must not be an instance of itself; export the mesh again");
                return;
            }
            if self.must_stop() || self.builder.excess_reason().is_some() {
                return;
            }
            let Some(local) = self.read_transform(node) else { continue };
            let here = parent.compose_inner(&local);
            let first = open.len();
            for part in child_elements(node) {
                self.visits += 1;
                match part.tag_name().name() {
                    "node" => open.push((part, here, depth + 1)),
                    "instance_node" => {
                        if let Some(target) = self.find_target(part, "node", "url") {
                            open.push((target, here, depth + 1));
                        }
                    }
                    "instance_geometry" => {
                        if let Some(target) = self.find_target(part, "geometry", "url") {
                            self.place_geometry(target, &here);
                        }
                    }
                    "instance_controller" => self.place_skinned(part, &here),
                    name if PASSED_OVER.contains(&name) => {}
                    _ => self.refuse_unknown(part, node),
                }
            }
            // The last in is the first out; file order makes for steady vertex numbers.
            open[first..].reverse();
        }
    }

    /// The product of a node's transforms, in file order.
    fn read_transform(&mut self, node: Node<'d, 'd>) -> Option<Affine> {
        let mut total = Affine::IDENTITY;
        for part in child_elements(node) {
            let text = part.text().unwrap_or("");
            let step = match part.tag_name().name() {
                "translate" => {
                    parse_numbers::<3>(text).map(|t| Affine { linear: Mat3::IDENTITY, shift: t.into() })
                }
                "scale" => parse_numbers::<3>(text).map(|s| Affine {
                    linear: Mat3 { cols: [Vec3::X * s[0], Vec3::Y * s[1], Vec3::Z * s[2]] },
                    shift: Vec3::ZERO,
                }),
                "rotate" => parse_numbers::<4>(text).and_then(|[x, y, z, degrees]| {
                    let angle = degrees * (core::f64::consts::PI / 180.0);
                    let linear = match vec3(x, y, z).normalized() {
                        Some(axis) => Mat3::from_axis_angle(axis, angle),
                        // A turn by zero needs no axis. Some files have it.
                        None if degrees == 0.0 => Mat3::IDENTITY,
                        None => return None,
                    };
                    Some(Affine { linear, shift: Vec3::ZERO })
                }),
                "matrix" => parse_numbers::<16>(text).and_then(|m| {
                    // A projection is no placement.
                    (m[12..15].iter().all(|v| v.abs() < 1e-9) && (m[15] - 1.0).abs() < 1e-9).then(|| Affine {
                        linear: Mat3::from_rows([
                            [m[0], m[1], m[2]],
                            [m[4], m[5], m[6]],
                            [m[8], m[9], m[10]],
                        ]),
                        shift: vec3(m[3], m[7], m[11]),
                    })
                }),
                "skew" | "lookat" if has_geometry(node) => {
                    self.add_fault(
                        part,
                        "is a transform that is not supported",
                        "export the mesh again with matrices",
                    );
                    return None;
                }
                _ => continue,
            };
            match step {
                Some(step) => total = total.compose_inner(&step),
                None => {
                    let what = "does not hold the finite numbers of such a transform";
                    self.add_fault(part, what, "export the mesh again");
                    return None;
                }
            }
        }
        Some(total)
    }

    /// A skin is taken as it is bound, a morph as its base.
    fn place_skinned(&mut self, instance: Node<'d, 'd>, here: &Affine) {
        let Some(controller) = self.find_target(instance, "controller", "url") else { return };
        let mut kinds =
            child_elements(controller).filter(|n| matches!(n.tag_name().name(), "skin" | "morph"));
        let Some(kind) = kinds.next() else {
            return self.add_fault(controller, "holds neither a skin nor a morph", "export the mesh again");
        };
        if let Some(second) = kinds.next() {
            return self.add_fault(second, "is the second skin or morph of one controller", "keep one");
        }
        let Some(geometry) = self.find_target(kind, "geometry", "source") else { return };
        let bind = match self.find_child(kind, "bind_shape_matrix").and_then(|n| n.text()) {
            None => Affine::IDENTITY,
            Some(text) => match parse_numbers::<16>(text) {
                Some(m) => Affine {
                    linear: Mat3::from_rows([[m[0], m[1], m[2]], [m[4], m[5], m[6]], [m[8], m[9], m[10]]]),
                    shift: vec3(m[3], m[7], m[11]),
                },
                None => {
                    return self.add_fault(
                        kind,
                        "its bind_shape_matrix is not 16 numbers",
                        "export the mesh again",
                    );
                }
            },
        };
        let what = "a skinned or morphed mesh is used in its rest shape";
        self.log.add_warning(&self.text.path, self.text.node_place(instance), what, "");
        self.place_geometry(geometry, &here.compose_inner(&bind));
    }

    /// Adds a geometry to the mesh.
    fn place_geometry(&mut self, node: Node<'d, 'd>, frame: &Affine) {
        let key = node.range().start;
        if !self.geometries.contains_key(&key) {
            let geometry = self.read_geometry(node).map(Rc::new);
            self.geometries.insert(key, geometry);
        }
        let Some(Some(geometry)) = self.geometries.get(&key).cloned() else { return };
        // Each placing costs its points, so that many placings of a large geometry are bounded too.
        self.visits = self.visits.saturating_add(geometry.points.len() / 100);
        let mirrored = frame.linear.determinant() < 0.0;
        let mut placed: Vec<Option<u32>> = vec![None; geometry.points.len()];
        let mut from = 0;
        let mut polygon: Vec<u32> = Vec::new();
        for &end in &geometry.ends {
            polygon.clear();
            for &corner in &geometry.corners[from..end] {
                let slot = &mut placed[corner as usize];
                let index = match *slot {
                    Some(i) => i,
                    None => {
                        let p = frame.map_point(Vec3::from(geometry.points[corner as usize]));
                        if !p.is_finite() {
                            return self.add_fault(
                                node,
                                "a vertex is not finite where the scene puts it",
                                "export the mesh again",
                            );
                        }
                        let i = self.builder.add_vertex(p.to_array());
                        *slot = Some(i);
                        i
                    }
                };
                polygon.push(index);
            }
            from = end;
            if mirrored {
                polygon.reverse();
            }
            polygon::cut_polygon(&mut self.builder, &polygon);
            if let Some(what) = self.builder.excess_reason() {
                return self.add_fault(node, what, "use a coarser mesh for collision");
            }
        }
    }
}

/// True if a node or one below it places geometry.
fn has_geometry(node: Node<'_, '_>) -> bool {
    node.descendants()
        .any(|n| matches!(n.tag_name().name(), "instance_geometry" | "instance_controller" | "instance_node"))
}
