//! Triangle meshes: STL, OBJ and DAE, told apart by what they hold, not by what they are called.

mod dae;
mod obj;
mod polygon;
mod stl;

use crate::fault::{Faults, Loaded, counted};
use crate::limits;
use crate::session::Session;
use crate::source::{Disk, Files, Options};
use elbowroom::math::Vec3;
use elbowroom::mesh::area::have_area;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::rc::Rc;

/// A triangle mesh. Corner points that agree exactly are one vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshData {
    /// Corner points, all of them used; those of degenerate triangles too, so that a hull contains them.
    pub vertices: Vec<[f64; 3]>,
    /// Three indices into `vertices` each, counter-clockwise seen from outside. Two are equal only in a
    /// triangle that is a mere segment or point and lies on no edge of the others: leaving it out would lose
    /// it.
    pub triangles: Vec<[u32; 3]>,
}

impl MeshData {
    /// The mesh with each coordinate multiplied; a mirroring scale turns the triangles round so that outside
    /// stays outside.
    pub fn scaled(&self, scale: [f64; 3]) -> MeshData {
        let mirrored = scale.iter().filter(|s| **s < 0.0).count() % 2 == 1;
        let vertices =
            self.vertices.iter().map(|v| [v[0] * scale[0], v[1] * scale[1], v[2] * scale[2]]).collect();
        let turn = |&[a, b, c]: &[u32; 3]| if mirrored { [a, c, b] } else { [a, b, c] };
        MeshData { vertices, triangles: self.triangles.iter().map(turn).collect() }
    }
}

/// Reads a mesh from the disk. Units are those of the file (a DAE's unit is applied), normally metres.
pub fn load_mesh(path: &Path, options: &Options) -> Result<Loaded<MeshData>, Faults> {
    load_mesh_from(&Disk, path, options)
}

/// Reads a mesh from any [`Files`].
pub fn load_mesh_from(files: &dyn Files, path: &Path, options: &Options) -> Result<Loaded<MeshData>, Faults> {
    let mut session = Session::new(files, options);
    let mesh = session.mesh(path, UnitRule::Apply);
    session.finish(mesh.map(|m| (*m).clone()))
}

/// What to do with the length unit that a DAE states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnitRule {
    /// Multiply by it, as viewers and simulators do.
    Apply,
    /// Leave it out and warn, as MoveIt does; scales in its scenes make up for it.
    Ignore,
}

impl Session<'_> {
    /// A mesh, read once however often it is used.
    pub fn mesh(&mut self, path: &Path, unit: UnitRule) -> Option<Rc<MeshData>> {
        let key = (self.files.identity(path), unit == UnitRule::Ignore);
        if let Some(known) = self.meshes.get(&key) {
            return known.clone();
        }
        let mesh = self.read(path, self.options.max_file_bytes).and_then(|b| parse(self, path, &b, unit));
        let mesh = mesh.map(Rc::new);
        self.meshes.insert(key, mesh.clone());
        mesh
    }
}

fn parse(session: &mut Session<'_>, path: &Path, bytes: &[u8], unit: UnitRule) -> Option<MeshData> {
    let before = session.log.count();
    let log = &mut session.log;
    let builder = match sniff(path, bytes) {
        Format::BinaryStl => stl::binary(path, bytes, log),
        Format::AsciiStl => stl::ascii(path, bytes, log),
        Format::Obj => obj::read(path, bytes, log),
        Format::Dae => dae::read(path, bytes, log, session.options.honour_up_axis, unit),
        Format::Other(what) => {
            log.fault(path, "", what, "convert it to STL, OBJ or DAE");
            return None;
        }
    };
    if log.count() > before {
        return None;
    }
    let finished = builder.finish();
    finished.map_err(|what| log.fault(path, "", format!("this mesh holds {what}"), NO_SURFACE)).ok()
}

enum Format {
    BinaryStl,
    AsciiStl,
    Obj,
    Dae,
    Other(String),
}

/// Which format the bytes are. The name decides only where the bytes tell nothing.
fn sniff(path: &Path, bytes: &[u8]) -> Format {
    let other = |what: &str| Format::Other(what.to_string());
    if bytes.is_empty() {
        return other("this file is empty");
    }
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    // An exact length settles it, whatever the 80 bytes of header say.
    if stl::length_fits(bytes) {
        return Format::BinaryStl;
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let starts = |what: &[u8]| text.len() >= what.len() && text[..what.len()].eq_ignore_ascii_case(what);
    if starts(b"glTF") {
        return other("this is a binary glTF file, which is not supported");
    }
    if starts(b"{") {
        return other("this is JSON (glTF?), which is not supported");
    }
    if starts(b"# vtk") {
        return other("this is a VTK file, which is not supported");
    }
    if starts(b"ply\n") || starts(b"ply\r") {
        return other("this is a PLY file, which is not supported");
    }
    if starts(b"version https://git-lfs") {
        return other("this is a Git LFS pointer, not the mesh itself; run `git lfs pull`");
    }
    if starts(b"OFF") && extension == "off" {
        return other("this is an OFF file, which is not supported");
    }
    if starts(b"<") {
        return xml_format(text);
    }
    let head = &bytes[..bytes.len().min(512)];
    let is_text = !head.iter().any(|&b| b == 0 || (b < 9) || (b > 13 && b < 32));
    if starts(b"solid") && is_text {
        return Format::AsciiStl;
    }
    if is_text && obj::looks_like_obj(text) {
        return Format::Obj;
    }
    match extension.as_str() {
        "obj" if is_text => Format::Obj,
        "stl" | "stlb" | "stla" => Format::BinaryStl,
        "ply" | "glb" | "gltf" | "vtk" | "vtu" | "off" | "3ds" | "fbx" | "step" | "stp" | "iges" | "igs"
        | "wrl" | "blend" | "bt" | "ot" | "pcd" | "mesh" => {
            Format::Other(format!("this is a .{extension} file, which is not supported"))
        }
        _ if !is_text && bytes.len() >= 84 => Format::BinaryStl,
        _ => other("this is not a supported mesh format"),
    }
}

fn xml_format(text: &[u8]) -> Format {
    let head = String::from_utf8_lossy(&text[..text.len().min(4096)]).into_owned();
    // The first element that is neither declaration nor comment names the format.
    let mut rest = head.as_str();
    let name = loop {
        let Some(i) = rest.find('<') else { break "" };
        rest = &rest[i + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.find("-->").map_or("", |e| &comment[e..]);
        } else if !rest.starts_with(['?', '!']) {
            break rest.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next().unwrap_or("");
        }
    };
    match name {
        "COLLADA" | "" => Format::Dae,
        n if n.ends_with(":COLLADA") => Format::Dae,
        "mesh" => Format::Other("this is an OGRE mesh XML file, which is not supported".into()),
        "VTKFile" => Format::Other("this is a VTK XML file, which is not supported".into()),
        "X3D" => Format::Other("this is an X3D file, which is not supported".into()),
        "NXUSTREAM2" => Format::Other("this is a PhysX (NxuStream) XML file, which is not supported".into()),
        "robot" | "sdf" | "mujoco" => {
            Format::Other(format!("this is a robot description (<{name}>), not a mesh"))
        }
        n => Format::Other(format!(
            "this is an XML file of <{}>, which is not supported as a mesh",
            crate::xml::shortened(n)
        )),
    }
}

/// What to do about a mesh without a surface.
pub(crate) const NO_SURFACE: &str =
    "export the mesh again, or use another shape: box, cylinder, sphere, capsule or the hull of points";

/// A mesh in the making.
#[derive(Default)]
pub(crate) struct Builder {
    pub mesh: MeshData,
    /// Triangles of which two corners are the same point.
    pub degenerate: Vec<[u32; 3]>,
    /// Corner tests spent on cutting polygons, against [`limits::POLYGON_WORK`].
    pub polygon_work: usize,
    index: HashMap<[u64; 3], u32>,
}

impl Builder {
    /// Index of a point, which is the old one where the same point came before. The caller has checked it is
    /// finite.
    pub fn vertex(&mut self, p: [f64; 3]) -> u32 {
        // Adding zero makes the two zeros one.
        let p = p.map(|x| x + 0.0);
        let next = self.mesh.vertices.len() as u32;
        let index = *self.index.entry(p.map(f64::to_bits)).or_insert(next);
        if index == next {
            self.mesh.vertices.push(p);
        }
        index
    }

    pub fn triangle(&mut self, [a, b, c]: [u32; 3]) {
        if a == b || b == c || c == a {
            self.degenerate.push([a, b, c]);
        } else {
            self.mesh.triangles.push([a, b, c]);
        }
    }

    /// The mesh, or what there is instead of one. Degenerate triangles on an edge (or corner) of another are
    /// left out; they add nothing.
    pub fn finish(mut self) -> Result<MeshData, String> {
        let at = |i: u32| Vec3::from(self.mesh.vertices[i as usize]);
        if !have_area(self.mesh.triangles.iter().map(|t| t.map(at))) {
            let count = self.mesh.triangles.len() + self.degenerate.len();
            return Err(match count {
                0 => "no triangle".into(),
                _ => format!("{}, nothing else", counted(count, "degenerate triangle")),
            });
        }
        let segment = |a: u32, b: u32| (a.min(b), a.max(b));
        let ends = |t: &[u32; 3]| {
            let [a, b, c] = *t;
            if a == b { segment(a, c) } else { segment(a, b) }
        };
        let mut stray: BTreeMap<(u32, u32), [u32; 3]> =
            self.degenerate.iter().map(|t| (ends(t), *t)).collect();
        for [a, b, c] in &self.mesh.triangles {
            if stray.is_empty() {
                break;
            }
            for (a, b) in [(*a, *b), (*b, *c), (*c, *a)] {
                stray.remove(&segment(a, b));
                stray.remove(&(a, a));
            }
        }
        self.mesh.triangles.extend(stray.into_values());
        Ok(self.mesh)
    }

    /// Why no more may be added, once that is so.
    pub fn excess(&self) -> Option<String> {
        if self.mesh.triangles.len() + self.degenerate.len() > limits::MESH_TRIANGLES {
            return Some(too_many_triangles());
        }
        (self.polygon_work > limits::POLYGON_WORK)
            .then(|| "its polygons are too complex to split into triangles".into())
    }
}

/// Lines by any of LF, CR LF and CR.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut rest = Some(bytes);
    let mut line = 0;
    std::iter::from_fn(move || {
        let now = rest?;
        line += 1;
        match now.iter().position(|&b| b == b'\n' || b == b'\r') {
            Some(i) => {
                let next = if now[i..].starts_with(b"\r\n") { i + 2 } else { i + 1 };
                rest = Some(&now[next..]);
                Some((line, &now[..i]))
            }
            None => {
                rest = None;
                Some((line, now))
            }
        }
    })
}

/// The message for a mesh that grew beyond the limit.
pub(crate) fn too_many_triangles() -> String {
    format!("holds more than {} triangles", limits::MESH_TRIANGLES)
}
