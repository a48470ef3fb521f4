//! Every format of text, as other computers write it: with a byte-order mark and CR LF it is the same file,
//! and in UTF-16 it is refused.

use crate::support::{below, folder};
use crate::write::{Cube, bt, ot, pcd, ply};
use elbowroom::World;
use elbowroom_files::cloud::load_cloud_from;
use elbowroom_files::contacts::load_contacts_from;
use elbowroom_files::guard::load_guard_from;
use elbowroom_files::mesh::load_mesh_from;
use elbowroom_files::motion::{Joints, PoseFile, load_motion_from, mimic_rules};
use elbowroom_files::octomap::load_octomap_from;
use elbowroom_files::rates::load_joint_limits_from;
use elbowroom_files::robot::load_robot_from;
use elbowroom_files::scene::load_scene_from;
use elbowroom_files::source::{Files, InMemory, Kind};
use elbowroom_files::srdf::load_srdf_from;
use elbowroom_files::states::read_line;
use elbowroom_files::text::decode_text;
use elbowroom_files::world::load_world_from;
use elbowroom_files::{Faults, Options, cases};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

/// Files whose bytes are changed as they are read.
struct Rewritten<'f> {
    files: &'f dyn Files,
    rewrite: fn(&[u8]) -> Vec<u8>,
}

impl Files for Rewritten<'_> {
    fn kind(&self, path: &Path) -> Kind {
        self.files.kind(path)
    }
    fn read(&self, path: &Path, max_bytes: u64) -> Result<Vec<u8>, String> {
        self.files.read(path, max_bytes).map(|bytes| (self.rewrite)(&bytes))
    }
    fn identity(&self, path: &Path) -> PathBuf {
        self.files.identity(path)
    }
    fn inside(&self, folder: &Path) -> Vec<PathBuf> {
        self.files.inside(folder)
    }
}

/// A file as it is.
fn keep(bytes: &[u8]) -> Vec<u8> {
    bytes.to_vec()
}

/// A text with a byte-order mark and CR LF; of a file that goes on in binary, the lines before that.
fn write_as_windows(bytes: &[u8]) -> Vec<u8> {
    let binary = bytes.windows(6).position(|part| part == b"\ndata\n").map_or(bytes.len(), |at| at + 6);
    let (text, rest) = bytes.split_at(binary);
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    [b"\xef\xbb\xbf", &lines.join(&b"\r\n"[..])[..], rest].concat()
}

fn write_utf16(bytes: &[u8], mark: u16, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes).replace('\n', "\r\n");
    [mark].into_iter().chain(text.encode_utf16()).flat_map(to_bytes).collect()
}

/// A text as `>` of Windows PowerShell writes it.
fn write_as_powershell(bytes: &[u8]) -> Vec<u8> {
    write_utf16(bytes, 0xfeff, u16::to_le_bytes)
}

fn write_utf16_of_big_endian(bytes: &[u8]) -> Vec<u8> {
    write_utf16(bytes, 0xfeff, u16::to_be_bytes)
}

const URDF: &str = "<?xml version=\"1.0\"?>\n<robot name=\"arm\">\n\
    \x20 <link name=\"a\"/>\n  <link name=\"b\">\n\
    <collision><geometry><mesh filename=\"package://parts/t.obj\"/></geometry></collision></link>\n\
    <joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 1\"/>\n\
    <limit lower=\"-1\" upper=\"1\" velocity=\"2\" effort=\"1\"/></joint>\n</robot>\n";

const WORLD: &str = "margin = 0.01\noffsets = \"offsets.toml\"\n[[robot]]\nurdf = \"arm.urdf\"\n\
    [[scene]]\nfile = \"scene.yaml\"\n[[template]]\nfile = \"table.template\"\nunit = \"inch\"\n\
    anchor = \"least_corner\"\n[[obstacle]]\nname = \"t\"\nxyz = [3, 0, 0]\n\
    mesh = { file = \"meshes/t.stl\" }\n";

const SCENE: &str = "name: table\nworld:\n  collision_objects:\n    - id: can\n\
    \x20     header: {frame_id: world}\n\
    \x20     primitives: [{type: cylinder, dimensions: [0.12, 0.03]}]\n\
    \x20     primitive_poses: [{position: [0.5, 0, 9.06], orientation: [0, 0, 0, 1]}]\n";

const SAVED_SCENE: &str = "kitchen\n* ball\n1\nsphere\n0.5\n1 2 3\n\
    0 0 0 1\n0 0 0 0\n* peak\n1\ncone\n0.2 0.4\n\
    0 0 1\n1 0 0 0\n0 0 0 0\n.\n";

const OBJ: &str = "# a tetrahedron\nmtllib t.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl red\nf 1 3 2\n\
    f 1 2 4\nf 2 3 \\\n4\nf 1 4 3\n";

const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 3\n\
    property float x\nproperty float y\nproperty float z\n\
    element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

const DAE: &str = "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" \
    version=\"1.4.1\">\n<asset><unit meter=\"0.001\"/></asset><library_geometries><geometry id=\"g\"><mesh>\n\
    <source id=\"p\"><float_array id=\"f\" count=\"9\">0 0 0\n1 0 0\n0 1 0</float_array><technique_common>\
    <accessor source=\"#f\" count=\"3\" stride=\"3\"/></technique_common></source><vertices id=\"v\">\
    <input semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"1\">\
    <input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1\n2</p></triangles></mesh></geometry>\
    </library_geometries>\n<library_visual_scenes><visual_scene id=\"s\"><node>\
    <instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes><scene>\
    <instance_visual_scene url=\"#s\"/></scene></COLLADA>\n";

const GLTF: &str = concat!(
    r##"{
"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
{"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
"bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
"buffers": [{"byteLength": 72, "uri": "data:application/octet-stream;base64,"##,
    r##"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAA"##,
    r##"AEBAAAACAAEAAAABAAMAAAADAAIAAQACAAMA"}]
}
"##
);

const STL: &str = "solid t\nfacet normal 0 0 1\n\
    outer loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n\
    endfacet\nendsolid t\n";

const REQUEST: &str = "start_state: {joint_state: {name: [j], position: [0.5]}}\ngoal_constraints: []\n";

/// Files of each format, and those of the repository's robots and examples.
fn all_files() -> InMemory {
    let tree =
        Cube::Parts(Box::new(std::array::from_fn(|k| if k == 3 { Cube::Occupied } else { Cube::Free })));
    let points = [[1.0, 2.0, 3.0], [-1.0, 0.5, 0.25]];
    let texts = [
        ("arm.urdf", URDF),
        ("arm.srdf", "<robot name=\"arm\">\n<group name=\"g\"><link name=\"b\"/></group>\n</robot>\n"),
        ("parts-main/package.xml", "<?xml version=\"1.0\"?>\n<package>\n<name>parts</name>\n</package>\n"),
        ("parts-main/t.obj", OBJ),
        ("w.toml", WORLD),
        ("offsets.toml", "\"arm/j\" = 0.02\n"),
        ("scene.yaml", SCENE),
        ("saved.scene", SAVED_SCENE),
        ("table.template", "(table (supporting (30 42 38) (60 50 0)))\n"),
        ("joint_limits.yaml", "joint_limits:\n  j:\n    has_velocity_limits: true\n    max_velocity: 0.5\n"),
        ("m.csv", "t,j\n0,0.5\n0.5,0.25\n"),
        ("excel.csv", "t;j\n0;0.5\n0.5;0.25\n"),
        ("m.jsonl", "{\"t\": 0, \"q\": [0.5]}\n{\"t\": 1, \"q\": {\"j\": 0.25}}\n"),
        (
            "m.yaml",
            "joint_trajectory:\n  joint_names: [j]\n  points:\n  - positions: [0.5]\n    \
                    time_from_start: {sec: 0, nanosec: 0}\n",
        ),
        (
            "m.json",
            "{\"joint_names\": [\"j\"], \"points\":\n [{\"positions\": [1], \"time_from_start\": 3}]}\n",
        ),
        ("request.yaml", REQUEST),
        ("t.obj", OBJ),
        ("meshes/t.stl", STL),
        ("t.ply", PLY),
        ("t.dae", DAE),
        ("t.gltf", GLTF),
        ("c.xyz", "# x y z\n1 2 3\n4 5 6\n"),
    ];
    let mut files: BTreeMap<PathBuf, Vec<u8>> =
        texts.iter().map(|(name, text)| (Path::new("/f").join(name), text.as_bytes().to_vec())).collect();
    files.insert("/f/c.pcd".into(), pcd(&points, "ascii"));
    files.insert("/f/c.ply".into(), ply(&points, "ascii"));
    files.insert("/f/room.bt".into(), bt(&tree, 0.5, "OcTree", 9));
    files.insert("/f/room.ot".into(), ot(&tree, 0.5, "OcTree", 9));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let endings = [".urdf", ".obj", ".toml", ".csv", ".jsonl", ".json", ".yaml", ".xyz"];
    for part in ["robots", "examples", "crates/elbowroom-files/examples"] {
        for path in below(&root.join(part), &endings) {
            let name = Path::new("/root").join(path.strip_prefix(&root).unwrap());
            files.insert(name, std::fs::read(&path).unwrap());
        }
    }
    InMemory(files)
}

fn tell<T: Debug>(result: Result<T, Faults>) -> Result<String, String> {
    result.map(|value| format!("{value:?}")).map_err(|faults| faults.to_string())
}

/// What each file says once it is rewritten, by its name: a reader of the library for each format.
fn read_all(
    files: &InMemory,
    rewrite: fn(&[u8]) -> Vec<u8>,
    scratch: &Path,
) -> Vec<(String, Result<String, String>)> {
    let files = &Rewritten { files, rewrite };
    let options = Options::default();
    let of = |name: &str| Path::new("/f").join(name);
    let mut all = Vec::new();
    let mut add = |name: &Path, result| all.push((name.display().to_string(), result));
    let bare = URDF.replace("mesh filename=\"package://parts/t.obj\"", "sphere radius=\"1\"");
    let bare = InMemory([(of("arm.urdf"), bare.into_bytes())].into());
    let arm = World::compile(&load_world_from(&bare, &of("arm.urdf"), &options).unwrap().value).unwrap();
    let mimics = mimic_rules(&arm);
    let joints = Joints { names: arm.dof_names(), mimics: &mimics, ..Joints::default() };

    add(&of("arm.urdf"), tell(load_robot_from(files, &of("arm.urdf"), &options)));
    add(&of("arm.srdf"), tell(load_srdf_from(files, &of("arm.srdf"), &options)));
    add(&of("w.toml"), tell(load_world_from(files, &of("w.toml"), &options)));
    for name in ["scene.yaml", "saved.scene"] {
        add(&of(name), tell(load_scene_from(files, &of(name), &options)));
    }
    let limits = of("joint_limits.yaml");
    add(&limits, tell(load_joint_limits_from(files, &limits, &arm, &BTreeMap::new(), &options)));
    for name in ["m.csv", "excel.csv", "m.jsonl", "m.yaml", "m.json", "request.yaml"] {
        add(&of(name), tell(load_motion_from(files, &of(name), joints, &options)));
    }
    for name in ["m.csv", "excel.csv"] {
        let path = scratch.join(name);
        std::fs::write(&path, files.read(&of(name), u64::MAX).unwrap()).unwrap();
        let read = PoseFile::open(&path, joints, &options).map(|file| {
            let mut values = Vec::new();
            let faults = file.value.read_rows(0..9, &mut values).unwrap();
            (values, faults.len())
        });
        add(&path, tell(read));
    }
    for name in ["t.obj", "meshes/t.stl", "t.ply", "t.dae", "t.gltf"] {
        add(&of(name), tell(load_mesh_from(files, &of(name), &options)));
    }
    for name in ["c.xyz", "c.pcd", "c.ply"] {
        add(&of(name), tell(load_cloud_from(files, &of(name), &options)));
    }
    for name in ["room.bt", "room.ot"] {
        add(&of(name), tell(load_octomap_from(files, &of(name), &options)));
    }
    // The robots of the repository, with all that they name, and what they do.
    for (world, motions, contacts) in [
        ("robots/puma260/bottleneck.toml", &["robots/puma260/path.csv"][..], None),
        ("robots/rrc_cell/cell.toml", &[], None),
        ("robots/sdh2/hand.toml", &["robots/sdh2/grasp.csv"], Some("robots/sdh2/contacts.jsonl")),
        ("robots/pick_and_place/cell.toml", &["robots/pick_and_place/pick.jsonl"], None),
        (
            "examples/trajectories/cell.toml",
            &["examples/trajectories/pick.yaml", "examples/trajectories/toppra.json"],
            None,
        ),
    ] {
        let path = Path::new("/root").join(world);
        let loaded = load_world_from(files, &path, &options);
        let compiled = loaded.as_ref().map(|loaded| World::compile(&loaded.value).unwrap());
        add(&path, tell(loaded.clone()));
        let Ok(compiled) = compiled else { continue };
        let mimics = mimic_rules(&compiled);
        let joints = Joints { names: compiled.dof_names(), mimics: &mimics, ..Joints::default() };
        for motion in motions {
            let path = Path::new("/root").join(motion);
            add(&path, tell(load_motion_from(files, &path, joints, &options)));
        }
        if let Some(contacts) = contacts {
            let path = Path::new("/root").join(contacts);
            add(&path, tell(load_contacts_from(files, &path, &compiled, &options)));
            let guard = load_guard_from(files, &Path::new("/root").join(world), &compiled, &options);
            add(Path::new("a guard"), tell(guard));
        }
    }
    // Lines that programs hand over.
    let state = rewrite(b"{\"t\": 0.5, \"robot\": \"arm\", \"q\": [1]}\n");
    add(Path::new("a state"), tell(read_line(&state)));
    let ball = "{\"type\": \"sphere\", \"radius\": 1}";
    let case = rewrite(format!("{{\"a\": {ball}, \"b\": {ball}}}\n").as_bytes());
    let case = decode_text(&case).map_err(|refused| format!("{}: {}", refused.what, refused.help));
    add(Path::new("a case"), case.map(|text| format!("{:?}", cases::parse_case(text).unwrap())));
    all
}

#[test]
fn a_mark_and_cr_lf_change_nothing_in_any_format() {
    let files = all_files();
    let scratch = folder("foreign-lines");
    let ours = read_all(&files, keep, &scratch);
    for (name, read) in &ours {
        assert!(read.is_ok(), "{name}: {read:?}");
    }
    let theirs = read_all(&files, write_as_windows, &scratch);
    assert_eq!(ours.len(), theirs.len());
    for ((name, ours), (_, theirs)) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs, "{name}");
    }
    let _ = std::fs::remove_dir_all(scratch);
}

#[test]
fn utf16_is_refused_by_its_name_in_every_format() {
    let files = all_files();
    let scratch = folder("foreign-utf16");
    for rewrite in [write_as_powershell, write_utf16_of_big_endian] {
        let read = read_all(&files, rewrite, &scratch);
        assert!(read.len() > 25);
        for (name, read) in read {
            let told = read.expect_err(&name);
            for words in ["UTF-16", "-Encoding utf8", "iconv"] {
                assert!(told.contains(words), "{name}: {told}");
            }
            assert!(told.lines().count() <= 2, "{name}: one fault for one reason:\n{told}");
        }
    }
    let _ = std::fs::remove_dir_all(scratch);
}
