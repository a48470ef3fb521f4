//! glTF 2, as text (`.gltf`) or with its numbers in one file (`.glb`): the triangles of its scene, each where
//! the nodes put it.
//!
//! Lengths are metres. In glTF y is up; it becomes z, as RViz (since 2025), Gazebo and Drake have it, and as
//! a warning says. Only what has area is read: points and lines are passed over with a warning. What moves
//! triangles and is not read (a skin, a morph, compression, instances on the GPU) is a fault.
//!
//! The structure is read by `serde_json` into plain values. Every index, offset and length in them is checked
//! before it is used; the crates for glTF rely on files to be whole.

mod buffers;
mod document;

use super::builder::{Builder, too_many_triangles};
use crate::fault::counted_things;
use crate::limits;
use crate::session::Session;
use crate::xml::short_text;
use buffers::{Buffers, buffer_of, decode_number};
use document::{Accessor, Document, FAN, GltfNode, Primitive, STRIP, TRIANGLES};
use elbowroom::math::{Mat3, Vec3};
use std::collections::BTreeSet;
use std::path::Path;

const EXPORT: &str = "export the mesh again";

/// Extensions that a file may require, by how they begin: they say how it looks, not where it is, or let
/// numbers be whole.
const HARMLESS: [&str; 6] = [
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_punctual",
    "KHR_mesh_quantization",
    "EXT_texture_",
    "MSFT_texture_",
];

/// An extension that places a mesh many times, whether required or not.
const INSTANCES: &str = "EXT_mesh_gpu_instancing";

/// A linear map and a shift.
#[derive(Clone, Copy)]
struct Placement {
    linear: Mat3,
    shift: Vec3,
}

/// The text of a file, and the bytes behind it.
fn split_parts(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), String> {
    let word = |bytes: &[u8], at: usize| -> Option<usize> {
        let word = bytes.get(at..at + 4)?;
        usize::try_from(u32::from_le_bytes(word.try_into().ok()?)).ok()
    };
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, None));
    }
    let version = word(bytes, 4).ok_or("it is cut off within its header")?;
    if version != 2 {
        return Err(format!("it is glTF {version}, and only glTF 2 is supported"));
    }
    let length = word(bytes, 8).ok_or("it is cut off within its header")?;
    let all = bytes.get(..length);
    let all = all.ok_or_else(|| format!("its header says {length} bytes, but it holds {}", bytes.len()))?;
    let (mut text, mut binary, mut at) = (None, None, 12);
    while at < all.len() {
        let size = word(all, at).ok_or("it is cut off between its parts")?;
        let kind = all.get(at + 4..at + 8).ok_or("it is cut off between its parts")?;
        let end = (at + 8).checked_add(size);
        let part = end.and_then(|end| all.get(at + 8..end)).ok_or("one of its parts is cut off")?;
        let slot = match kind {
            b"JSON" => &mut text,
            b"BIN\0" => &mut binary,
            // Others are passed over, as the format wants it.
            _ => {
                at += 8 + size;
                continue;
            }
        };
        if slot.replace(part).is_some() {
            return Err("it has two parts of one kind".into());
        }
        at += 8 + size;
    }
    Ok((text.ok_or("it has no part that says what it holds")?, binary))
}

pub(super) fn read(session: &mut Session<'_>, path: &Path, bytes: &[u8]) -> Builder {
    let (text, binary) = match split_parts(bytes) {
        Ok(parts) => parts,
        Err(what) => {
            session.log.add_fault(path, "", what, "copy or export the file again");
            return Builder::default();
        }
    };
    if text.len() > limits::TREE_BYTES {
        let what = format!("its text is longer than {} bytes", limits::TREE_BYTES);
        session.log.add_fault(path, "", what, "export it with its numbers beside the text (.glb)");
        return Builder::default();
    }
    let document: Document = match serde_json::from_slice(text) {
        Ok(document) => document,
        Err(e) => {
            session.log.add_fault(path, "", format!("is not glTF: {e}"), EXPORT);
            return Builder::default();
        }
    };
    let most = session.options.max_file_bytes;
    let builder = Builder::default();
    let buffers = Buffers::new(binary, most);
    let before = session.log.fault_count();
    let mut reader = GltfReader {
        session,
        path,
        document: &document,
        buffers,
        builder,
        before,
        without_area: 0,
        visits: 0,
    };
    reader.read_scene();
    reader.builder
}

struct GltfReader<'a, 's> {
    session: &'a mut Session<'s>,
    path: &'a Path,
    document: &'a Document,
    buffers: Buffers<'a>,
    builder: Builder,
    before: usize,
    /// Points and lines.
    without_area: usize,
    visits: usize,
}

impl<'a> GltfReader<'a, '_> {
    fn add_fault(&mut self, place: &str, what: impl Into<String>, help: &str) {
        self.session.log.add_fault(self.path, place, what, help);
    }

    fn must_stop(&self) -> bool {
        self.session.log.fault_count() - self.before >= limits::MESH_FAULTS
    }

    fn read_scene(&mut self) {
        let document = self.document;
        let version = &document.asset.version;
        if version.split('.').next() != Some("2") {
            let what = format!("is glTF {}, and only glTF 2 is supported", short_text(version));
            return self.add_fault("", what, "export it as glTF 2");
        }
        let strange = |name: &&String| !HARMLESS.iter().any(|known| name.starts_with(known));
        let used = document.extensions_used.iter().filter(|name| *name == INSTANCES);
        let needed: BTreeSet<&String> =
            document.extensions_required.iter().filter(strange).chain(used).collect();
        for name in needed.into_iter().take(limits::MESH_FAULTS) {
            let what = format!("needs the extension {:?}, which is not supported", short_text(name));
            self.add_fault("", what, "export the mesh without it (no compression, no instances)");
        }
        let Some(roots) = self.find_roots() else { return };
        let mut placed = BTreeSet::new();
        // y becomes z.
        let linear = Mat3::from_rows([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]);
        let up = Placement { linear, shift: Vec3::ZERO };
        let mut open: Vec<(usize, Placement, usize)> =
            roots.into_iter().rev().map(|node| (node, up, 0)).collect();
        while let Some((index, parent, depth)) = open.pop() {
            self.visits += 1;
            let place = format!("node {index}");
            if depth > limits::SCENE_DEPTH || self.visits > limits::SCENE_VISITS {
                let what = "its nodes are nested too deep or repeated too often";
                return self.add_fault(
                    &place,
                    what,
                    "a node must not be below itself; export the mesh again",
                );
            }
            if self.must_stop() || self.builder.excess_reason().is_some() {
                return;
            }
            let Some(node) = document.nodes.get(index) else {
                self.add_fault(&place, "does not exist, and is named", EXPORT);
                continue;
            };
            let Some(local) = node_placement(node) else {
                let what = "its transform is not made of finite numbers, or is given twice";
                self.add_fault(&place, what, EXPORT);
                continue;
            };
            let linear = parent.linear * local.linear;
            let here = Placement { linear, shift: parent.linear * local.shift + parent.shift };
            if let Some(mesh) = node.mesh {
                placed.insert(mesh);
                self.add_mesh(node, &place, mesh, &here);
            }
            self.visits = self.visits.saturating_add(node.children.len());
            open.extend(node.children.iter().rev().map(|child| (*child, here, depth + 1)));
        }
        let lost = document.meshes.len().saturating_sub(placed.len());
        if lost > 0 && self.session.log.fault_count() == self.before {
            let all = document.meshes.len();
            let what = format!("ignored: {lost} of its {all} meshes, which no node of its scene places");
            self.session.log.add_warning(self.path, "", what, "");
        }
        if self.without_area > 0 {
            let what = format!(
                "ignored: {} without area (lines, points)",
                counted_things(self.without_area, "element")
            );
            self.session.log.add_warning(self.path, "", what, "");
        }
        let what = "its y axis, which is up in glTF, becomes z, as in RViz since 2025, Gazebo and Drake";
        let help = "where it was made for MoveIt or an older RViz, which leave it, turn its <origin>";
        self.session.log.add_warning(self.path, "", what, help);
    }

    /// The nodes of the scene that is meant.
    fn find_roots(&mut self) -> Option<Vec<usize>> {
        let document = self.document;
        match (document.scene, &document.scenes[..]) {
            (Some(scene), scenes) => {
                let found = scenes.get(scene).map(|scene| scene.nodes.clone());
                if found.is_none() {
                    self.add_fault("", format!("its scene {scene} does not exist"), EXPORT);
                }
                found
            }
            (None, [scene]) => Some(scene.nodes.clone()),
            (None, []) => {
                let below: BTreeSet<usize> =
                    document.nodes.iter().flat_map(|node| node.children.iter().copied()).collect();
                let what = "has no scene: all its nodes are used";
                self.session.log.add_warning(self.path, "", what, "");
                Some((0..document.nodes.len()).filter(|node| !below.contains(node)).collect())
            }
            (None, scenes) => {
                let what = format!(
                    "has {}, and does not say which of them is meant",
                    counted_things(scenes.len(), "scene")
                );
                self.add_fault("", what, "export one scene");
                None
            }
        }
    }

    /// Adds a mesh where a node puts it.
    fn add_mesh(&mut self, node: &GltfNode, place: &str, index: usize, here: &Placement) {
        let document = self.document;
        let Some(mesh) = document.meshes.get(index) else {
            return self.add_fault(place, format!("its mesh {index} does not exist"), EXPORT);
        };
        if node.skin.is_some() {
            let what = "is skinned: where its skin puts the mesh is not read";
            return self.add_fault(
                place,
                what,
                "export the mesh without its skin, in the shape that is meant",
            );
        }
        let weights = if node.weights.is_empty() { &mesh.weights } else { &node.weights };
        if weights.iter().any(|weight| *weight != 0.0) {
            let what = "is morphed: its shape between targets is not read";
            return self.add_fault(place, what, "export the mesh in the shape that is meant");
        }
        for (k, primitive) in mesh.primitives.iter().enumerate() {
            if self.must_stop() {
                return;
            }
            let name =
                if mesh.name.is_empty() { String::new() } else { format!(" {:?}", short_text(&mesh.name)) };
            let place = format!("mesh {index}{name}, primitive {k}");
            if let Err(what) = self.add_primitive(primitive, here) {
                self.add_fault(&place, what, EXPORT);
            }
        }
    }

    /// Makes the buffers ready that a part of a mesh needs; false after a fault of one.
    fn load_buffers(&mut self, primitive: &Primitive) -> bool {
        let document = self.document;
        let wanted = [primitive.attributes.get("POSITION").copied(), primitive.indices];
        let accessors = wanted.into_iter().flatten().filter_map(|index| document.accessors.get(index));
        let buffers = accessors.filter_map(|accessor| buffer_of(document, accessor));
        let exist = buffers.filter(|buffer| *buffer < document.buffers.len());
        // All that are missing are told.
        let missing =
            |buffer: &usize| self.buffers.load_buffer(self.session, self.path, document, *buffer).is_none();
        exist.filter(missing).count() == 0
    }

    /// The accessor of this number.
    fn find_accessor(&self, index: usize, kind: &str) -> Result<&'a Accessor, String> {
        let accessor =
            self.document.accessors.get(index).ok_or_else(|| format!("there is no accessor {index}"))?;
        if accessor.kind != kind {
            return Err(format!("its accessor {index} holds {}, not {kind}", short_text(&accessor.kind)));
        }
        if accessor.sparse.is_some() {
            return Err(format!("its accessor {index} is sparse, which is not supported"));
        }
        if accessor.count > 3 * limits::MESH_TRIANGLES {
            return Err(too_many_triangles());
        }
        Ok(accessor)
    }

    /// Adds a part of a mesh.
    fn add_primitive(&mut self, primitive: &Primitive, here: &Placement) -> Result<(), String> {
        if !(TRIANGLES..=FAN).contains(&primitive.mode) {
            if primitive.mode > FAN {
                return Err(format!("{} is no way to make triangles", primitive.mode));
            }
            self.without_area += 1;
            return Ok(());
        }
        let positions = *primitive.attributes.get("POSITION").ok_or("has no positions")?;
        if !self.load_buffers(primitive) {
            return Ok(());
        }
        let (document, accessor) = (self.document, self.find_accessor(positions, "VEC3")?);
        // Placing costs its points, so that many placings of a large mesh are bounded too.
        self.visits = self.visits.saturating_add(accessor.count / 100);
        let mut points = Vec::new();
        for (k, item) in self.buffers.item_bytes(document, accessor, 3)?.enumerate() {
            let size = item.len() / 3;
            let mut numbers = item.chunks(size.max(1)).map(|bytes| decode_number(accessor, bytes));
            let [x, y, z] = [(); 3].map(|()| numbers.next().unwrap_or(f64::NAN));
            let p = here.linear * Vec3 { x, y, z } + here.shift;
            if !p.is_finite() {
                return Err(format!("its vertex {k} is not a finite point"));
            }
            points.push(p.to_array());
        }
        let corners: Vec<u32> = match primitive.indices {
            None => (0..points.len() as u32).collect(),
            Some(index) => {
                let accessor = self.find_accessor(index, "SCALAR")?;
                if accessor.normalized || !matches!(accessor.component_type, 5121 | 5123 | 5125) {
                    return Err("its corners are not numbers of vertices".into());
                }
                let items = self.buffers.item_bytes(document, accessor, 1)?;
                items.map(|item| decode_number(accessor, item) as u32).collect()
            }
        };
        let mut placed: Vec<Option<u32>> = vec![None; points.len()];
        for triangle in corner_triangles(&corners, primitive.mode)? {
            let mut at = [0; 3];
            for (slot, corner) in at.iter_mut().zip(triangle) {
                let vertex = placed.get_mut(corner as usize);
                let vertex = vertex.ok_or_else(|| format!("its corner {corner} is none of its vertices"))?;
                let point = points.get(corner as usize).copied().unwrap_or_default();
                *slot = *vertex.get_or_insert_with(|| self.builder.add_vertex(point));
            }
            if here.linear.determinant() < 0.0 {
                at.swap(1, 2);
            }
            self.builder.add_triangle(at);
            if let Some(what) = self.builder.excess_reason() {
                return Err(what);
            }
        }
        Ok(())
    }
}

/// The triangles of corners.
fn corner_triangles(corners: &[u32], mode: u32) -> Result<Box<dyn Iterator<Item = [u32; 3]> + '_>, String> {
    let three = |t: &[u32]| match *t {
        [a, b, c] => [a, b, c],
        _ => [0; 3],
    };
    Ok(match mode {
        STRIP => Box::new(corners.windows(3).enumerate().map(move |(k, t)| {
            let [a, b, c] = three(t);
            if k % 2 == 0 { [a, b, c] } else { [a, c, b] }
        })),
        FAN => {
            let first = corners.first().copied().unwrap_or(0);
            Box::new(corners.get(1..).unwrap_or(&[]).windows(2).map(move |t| match *t {
                [b, c] => [b, c, first],
                _ => [0; 3],
            }))
        }
        _ if !corners.len().is_multiple_of(3) => {
            return Err(format!("its {} corners do not make whole triangles", corners.len()));
        }
        _ => Box::new(corners.chunks_exact(3).map(three)),
    })
}

/// The transform of a node; `None` where it is not made of finite numbers, or given twice.
fn node_placement(node: &GltfNode) -> Option<Placement> {
    let parts = node.translation.is_some() || node.rotation.is_some() || node.scale.is_some();
    if let Some(m) = &node.matrix {
        let affine = [m[3], m[7], m[11], m[15] - 1.0].iter().all(|v| v.abs() < limits::AFFINE);
        if parts || !affine || m.iter().any(|v| !v.is_finite()) {
            return None;
        }
        let linear = Mat3::from_rows([[m[0], m[4], m[8]], [m[1], m[5], m[9]], [m[2], m[6], m[10]]]);
        return Some(Placement { linear, shift: Vec3 { x: m[12], y: m[13], z: m[14] } });
    }
    let shift = Vec3::from(node.translation.as_deref().copied().unwrap_or([0.0; 3]));
    let [x, y, z, w] = node.rotation.as_deref().copied().unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let turn = Mat3::from_quat_wxyz([w, x, y, z])?;
    let [a, b, c] = node.scale.as_deref().copied().unwrap_or([1.0; 3]);
    let scale = Mat3 { cols: [Vec3::X * a, Vec3::Y * b, Vec3::Z * c] };
    let all = [shift.x, shift.y, shift.z, a, b, c];
    all.iter().all(|v| v.is_finite()).then(|| Placement { linear: turn * scale, shift })
}
