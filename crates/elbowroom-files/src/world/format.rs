//! Which format a file has that was given as a world, and what is said of those that are none.

use crate::limits;
use crate::scene;
use crate::session::Session;
use crate::text::strip_mark;
use std::path::Path;

/// What a file is read as.
pub(super) enum WorldFormat {
    /// A bare URDF.
    Urdf,
    /// A world file.
    World,
    /// Neither: what it is, and what to do.
    Other(String, &'static str),
}

const WITH_SCENE: &str = "write a world file (.toml) with a [[robot]] and a [[scene]] file = \"...\"";

const GIVE: &str = "give a URDF or a world file (.toml)";

/// By its name, and where that tells nothing, by what it holds.
pub(super) fn detect_world_format(session: &Session<'_>, path: &Path) -> WorldFormat {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match extension.as_str() {
        "toml" => return WorldFormat::World,
        // What else is XML is told by its outermost element.
        "urdf" | "xacro" | "xml" | "sdf" | "mjcf" | "world" => return WorldFormat::Urdf,
        "yaml" | "yml" => {
            let what = "is a YAML file; a planning scene alone has no robot".into();
            return WorldFormat::Other(what, WITH_SCENE);
        }
        _ => {}
    }
    let most = session.options.max_file_bytes.min(limits::DESCRIPTION_BYTES);
    let Ok(bytes) = session.files.read(path, most) else { return WorldFormat::World };
    // What cannot be read is told by whoever reads it.
    let Ok(bytes) = strip_mark(&bytes) else { return WorldFormat::World };
    if bytes.trim_ascii_start().starts_with(b"<") {
        return WorldFormat::Urdf;
    }
    match extension.as_str() {
        "csv" | "npy" | "jsonl" => {
            let what = format!("is a .{extension} file, a motion, and neither a URDF nor a world file");
            WorldFormat::Other(
                what,
                "give the robot's URDF or a world file (.toml), and this file with --motion",
            )
        }
        "stl" | "obj" | "dae" | "ply" | "off" | "glb" | "gltf" => {
            let what = format!("is a .{extension} file, a mesh, and neither a URDF nor a world file");
            WorldFormat::Other(what, "name it in an [[obstacle]] of a world file (.toml), or give a URDF")
        }
        _ if is_like_a_world(bytes) => WorldFormat::World,
        _ if is_scene_text(bytes) => WorldFormat::Other(
            "is a planning scene as RViz saves it; a scene alone has no robot".into(),
            WITH_SCENE,
        ),
        "" => WorldFormat::Other("is neither a URDF (XML) nor a world file (TOML)".into(), GIVE),
        _ => WorldFormat::Other(format!("is a .{extension} file, neither a URDF nor a world file"), GIVE),
    }
}

/// Whether a file is a planning scene in RViz's words.
fn is_scene_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(scene::is_scene_text)
}

/// Whether a file is TOML, or means to be.
fn is_like_a_world(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let (_, errors) = toml::de::DeTable::parse_recoverable(text);
    errors.is_empty() || text.lines().any(|line| line.trim_start().starts_with("[["))
}
