//! Triangle meshes: STL, OBJ, DAE, PLY and glTF, told apart by what they hold, not by what they are called.
//!
//! ```
//! use elbowroom_files::{Options, mesh::load_mesh_from, source::InMemory};
//!
//! let mut files = InMemory::default();
//! files.0.insert("plate.obj".into(), "v 0 0 0\nv 500 0 0\nv 500 20 0\nv 0 20 0\nf 1 2 3 4\n".into());
//! let plate = load_mesh_from(&files, "plate.obj".as_ref(), &Options::default())?.value;
//! assert_eq!((plate.vertices.len(), plate.triangles.len()), (4, 2));
//! // It was drawn in millimetres.
//! assert_eq!(plate.scaled_by([0.001; 3]).vertices[1], [0.5, 0.0, 0.0]);
//! # Ok::<(), elbowroom_files::Faults>(())
//! ```

pub(crate) mod builder;
pub(crate) mod data;

mod dae;
mod gltf;
mod obj;
mod ply;
mod polygon;
mod stl;

pub use data::MeshData;

use crate::fault::{Faults, Loaded};
use crate::session::Session;
use crate::source::{Disk, Files, Options};
use crate::text::strip_mark_of;
use builder::NO_SURFACE;
use data::UnitRule;
use std::path::Path;
use std::rc::Rc;

/// Reads a mesh from the disk. Units are those of the file (a DAE's unit is applied), normally metres.
///
/// # Errors
/// All faults of the file, or that it is too large.
pub fn load_mesh(path: &Path, options: &Options) -> Result<Loaded<MeshData>, Faults> {
    load_mesh_from(&Disk, path, options)
}

/// Reads a mesh from any [`Files`].
///
/// # Errors
/// See [`load_mesh`].
pub fn load_mesh_from(files: &dyn Files, path: &Path, options: &Options) -> Result<Loaded<MeshData>, Faults> {
    let mut session = Session::new(files, options);
    let mesh = session.read_mesh(path, UnitRule::Apply);
    session.finish(mesh.map(|m| (*m).clone()))
}

impl Session<'_> {
    /// A mesh, read once however often it is used.
    pub fn read_mesh(&mut self, path: &Path, unit: UnitRule) -> Option<Rc<MeshData>> {
        let key = (self.files.identity(path), unit == UnitRule::Ignore);
        if let Some(known) = self.meshes.get(&key) {
            return known.clone();
        }
        let mesh =
            self.read(path, self.options.max_file_bytes).and_then(|b| parse_mesh(self, path, &b, unit));
        let mesh = mesh.map(Rc::new);
        self.meshes.insert(key, mesh.clone());
        mesh
    }
}

fn parse_mesh(session: &mut Session<'_>, path: &Path, bytes: &[u8], unit: UnitRule) -> Option<MeshData> {
    let before = session.log.fault_count();
    // A header of binary STL may begin with anything.
    let bytes = match stl::length_fits(bytes) {
        true => bytes,
        false => strip_mark_of(path, bytes, &mut session.log)?,
    };
    let text = without_end_mark(bytes);
    let format = detect_mesh_format(path, bytes);
    let log = &mut session.log;
    let builder = match format {
        MeshFormat::Gltf => gltf::read(session, path, bytes),
        MeshFormat::BinaryStl => stl::read_binary_stl(path, bytes, log),
        MeshFormat::AsciiStl => stl::read_ascii_stl(path, text, log),
        MeshFormat::Obj => obj::read(path, text, log),
        MeshFormat::Dae => dae::read(path, bytes, log, session.options.honour_up_axis, unit),
        MeshFormat::Ply => ply::read(path, bytes, log),
        MeshFormat::Other(what) => {
            log.add_fault(path, "", what, "convert it to STL, OBJ, DAE, PLY or glTF");
            return None;
        }
    };
    if session.log.fault_count() > before {
        return None;
    }
    let finished = builder.finish();
    finished
        .map_err(|what| session.log.add_fault(path, "", format!("this mesh holds {what}"), NO_SURFACE))
        .ok()
}

/// The bytes of a text without what ends it in DOS: Ctrl-Z, and blanks around it.
fn without_end_mark(bytes: &[u8]) -> &[u8] {
    let is_end = |b: &u8| b.is_ascii_whitespace() || *b == 0x1a;
    let (text, end) = bytes.split_at(bytes.iter().rposition(|b| !is_end(b)).map_or(0, |last| last + 1));
    if end.contains(&0x1a) { text } else { bytes }
}

enum MeshFormat {
    BinaryStl,
    AsciiStl,
    Obj,
    Dae,
    Ply,
    Gltf,
    Other(String),
}

/// Which format the bytes are. The name decides only where the bytes tell nothing.
fn detect_mesh_format(path: &Path, bytes: &[u8]) -> MeshFormat {
    let other = |what: &str| MeshFormat::Other(what.to_string());
    if bytes.is_empty() {
        return other("this file is empty");
    }
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    // An exact length settles it, whatever the 80 bytes of header say.
    if stl::length_fits(bytes) {
        return MeshFormat::BinaryStl;
    }
    let text = bytes.trim_ascii_start();
    let starts = |what: &[u8]| text.len() >= what.len() && text[..what.len()].eq_ignore_ascii_case(what);
    if starts(b"glTF") || starts(b"{") {
        return MeshFormat::Gltf;
    }
    if starts(b"# vtk") {
        return other("this is a VTK file, which is not supported");
    }
    if starts(b"ply\n") || starts(b"ply\r") {
        return MeshFormat::Ply;
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
    let head = without_end_mark(bytes);
    let head = &head[..head.len().min(512)];
    let is_text = !head.iter().any(|&b| b == 0 || (b < 9) || (b > 13 && b < 32));
    if starts(b"solid") && is_text {
        return MeshFormat::AsciiStl;
    }
    if is_text && obj::looks_like_obj(text) {
        return MeshFormat::Obj;
    }
    match extension.as_str() {
        "obj" if is_text => MeshFormat::Obj,
        "stl" | "stlb" | "stla" => MeshFormat::BinaryStl,
        "ply" => other("this is not a PLY file: its first line is not `ply`"),
        "glb" | "gltf" => other("this is not a glTF file: it begins with neither `glTF` nor `{`"),
        "vtk" | "vtu" | "off" | "3ds" | "fbx" | "step" | "stp" | "iges" | "igs" | "wrl" | "blend" | "bt"
        | "ot" | "pcd" | "mesh" => {
            MeshFormat::Other(format!("this is a .{extension} file, which is not supported"))
        }
        _ if !is_text && bytes.len() >= 84 => MeshFormat::BinaryStl,
        _ => other("this is not a supported mesh format"),
    }
}

fn xml_format(text: &[u8]) -> MeshFormat {
    let head = String::from_utf8_lossy(&text[..text.len().min(4096)]).into_owned();
    // The first element that is neither declaration nor comment names the format.
    let mut rest = head.as_str();
    let name = loop {
        let Some((_, after)) = rest.split_once('<') else { break "" };
        rest = after;
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
        } else if !rest.starts_with(['?', '!']) {
            break rest.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next().unwrap_or("");
        }
    };
    match name {
        "COLLADA" | "" => MeshFormat::Dae,
        n if n.ends_with(":COLLADA") => MeshFormat::Dae,
        "mesh" => MeshFormat::Other("this is an OGRE mesh XML file, which is not supported".into()),
        "VTKFile" => MeshFormat::Other("this is a VTK XML file, which is not supported".into()),
        "X3D" => MeshFormat::Other("this is an X3D file, which is not supported".into()),
        "NXUSTREAM2" => {
            MeshFormat::Other("this is a PhysX (NxuStream) XML file, which is not supported".into())
        }
        "robot" | "sdf" | "mujoco" => {
            MeshFormat::Other(format!("this is a robot description (<{name}>), not a mesh"))
        }
        n => MeshFormat::Other(format!(
            "this is an XML file of <{}>, which is not supported as a mesh",
            crate::xml::short_text(n)
        )),
    }
}
