//! Files that are out to hang, exhaust or crash a reader: each is refused, quickly.

mod support;

use elbowroom_files::heights::Raster;
use elbowroom_files::mesh::load_mesh_from;
use elbowroom_files::source::InMemory;
use elbowroom_files::{Options, cases, cloud, heights, mesh, motion, octomap, robot, scene, world};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Long enough for a loaded machine, far too short for anything quadratic in these inputs.
const SOON: Duration = Duration::from_secs(10);

const METRES: Raster = Raster { cell: 1.0, scale: 1.0, unknown: None };

fn load(name: &str, bytes: Vec<u8>) -> Result<(), String> {
    let start = Instant::now();
    let path = Path::new(name);
    let files = InMemory([(PathBuf::from(name), bytes)].into());
    let options = Options::default();
    let result = match path.extension().and_then(|e| e.to_str()) {
        Some("urdf") => robot::load_robot_from(&files, path, &options).map(|_| ()),
        Some("toml") => world::load_world_from(&files, path, &options).map(|_| ()),
        Some("yaml") => scene::load_scene_from(&files, path, &options).map(|_| ()),
        Some("csv" | "jsonl") => {
            let joints =
                motion::Joints { names: &["r/a".to_string()], mimics: &[], ..motion::Joints::default() };
            motion::load_motion_from(&files, path, joints, &options).map(|_| ())
        }
        Some("pcd" | "ply" | "xyz") => cloud::load_cloud_from(&files, path, &options).map(|_| ()),
        Some("bt") => octomap::load_octomap_from(&files, path, &options).map(|_| ()),
        Some("npy" | "png") => heights::load_heights_from(&files, path, &METRES, &options).map(|_| ()),
        _ => load_mesh_from(&files, path, &options).map(|_| ()),
    };
    assert!(start.elapsed() < SOON, "{name} took {:?}", start.elapsed());
    result.map_err(|f| f.to_string())
}

#[test]
fn xml_bombs_are_refused() {
    let laughs = "<!DOCTYPE l [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \
        \"&b;&b;&b;&b;\">]><robot name=\"&c;\"/>";
    let outside = "<!DOCTYPE r SYSTEM \"file:///etc/passwd\"><robot name=\"r\"/>";
    let deep = "<a>".repeat(1_000_000);
    let attributes: String = (0..200_000).map(|k| format!(" a{k}=\"\"")).collect();
    let spaces: String = (0..60_000).map(|k| format!("<a xmlns:n{k}=\"{k}\">")).collect();
    for (text, words) in [
        (laughs.to_string(), "document type declaration"),
        (outside.to_string(), "document type declaration"),
        (deep, "nesting than any real file"),
        (format!("<robot{attributes}/>"), "more attributes"),
        (spaces, "namespaces or nesting"),
        ("<".repeat(5_000_000), "not well-formed XML"),
        ("<!--".repeat(1_000_000), "not well-formed XML"),
        (format!("<robot name=\"{}", "x".repeat(5_000_000)), "not well-formed XML"),
        (format!("<robot name=\"r\">{}</robot>", "<a/>".repeat(2_100_000)), "nodes limit reached"),
        ("\0".repeat(1000), "not well-formed XML"),
    ] {
        // The largest once is enough: both kinds go through the same scan.
        for name in if text.len() < 4_000_000 { &["/a.urdf", "/a.dae"][..] } else { &["/a.urdf"] } {
            let refusal = load(name, text.clone().into_bytes()).unwrap_err();
            assert!(
                *name == "/a.dae" || refusal.contains(words),
                "{words}: {}",
                &refusal[..refusal.len().min(300)]
            );
        }
    }
    assert!(load("/a.urdf", vec![0xff; 100]).unwrap_err().contains("is not UTF-8"));
    // Many comments before the robot, and many elements in it that mean nothing.
    let (remarks, elements) = ("<!---->".repeat(300_000), "<a/><b><link/></b>".repeat(100_000));
    let urdf = format!("{remarks}<robot name=\"r\"><link name=\"a\"/>{elements}</robot>");
    load("/a.urdf", urdf.into_bytes()).unwrap();
    // Latin-1 is read where it is declared: old robot files hold names of people in comments.
    let latin = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><!-- M\xfcller --><robot name=\"r\">\
        <link name=\"a\"/></robot>";
    assert_eq!(load("/a.urdf", latin.to_vec()), Ok(()));
}

#[test]
fn instances_of_instances_do_not_multiply_without_end() {
    let mut nodes = "<node id=\"n0\"><instance_geometry url=\"#g\"/></node>".to_string();
    for k in 1..60 {
        nodes += &format!(
            "<node id=\"n{k}\"><instance_node url=\"#n{}\"/><instance_node url=\"#n{}\"/></node>",
            k - 1,
            k - 1
        );
    }
    for geometry in [
        "<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2</p>\
         </triangles>",
        "",
    ] {
        let text = format!(
            "<COLLADA><library_geometries><geometry id=\"g\"><mesh><source id=\"p\">\
             <float_array>0 0 0 1 0 0 0 1 0</float_array></source>
             <vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>{geometry}</mesh>\
             </geometry></library_geometries>
             <library_nodes>{nodes}</library_nodes><library_visual_scenes><visual_scene id=\"s\">\
             <instance_node url=\"#n59\"/></visual_scene></library_visual_scenes></COLLADA>"
        );
        let refusal = load("/a.dae", text.into_bytes()).unwrap_err();
        assert!(refusal.contains("repeated too often"), "{refusal}");
    }
}

#[test]
fn meshes_that_claim_or_ask_too_much_are_refused() {
    let mut stl = vec![b' '; 80];
    stl.extend(1_000_000_000_u32.to_le_bytes());
    stl.extend(vec![0; 100]);
    assert!(load("/a.stl", stl).unwrap_err().contains("claims 1000000000 triangles but the file holds 2"));
    // A star of thousands of corners is no fan and costs many tests an ear.
    let mut obj = String::new();
    for k in 0..4000 {
        let (s, c) = elbowroom::math::sin_cos(f64::from(k) * 7.0);
        obj += &format!("v {} {} 0\n", c * f64::from(k), s * f64::from(k));
    }
    let face: Vec<String> = (1..=4000).map(|k| k.to_string()).collect();
    obj += &format!("f {}\n", face.join(" "));
    let _ = load("/a.obj", obj.clone().into_bytes());
    obj += &format!("f {} {}\n", face.join(" "), face.join(" "));
    assert!(load("/a.obj", obj.into_bytes()).unwrap_err().contains("more than 4096 corners"));
    let bad = "v 0 0 x\n".repeat(2_000_000);
    assert!(load("/a.obj", bad.into_bytes()).unwrap_err().lines().count() < 50);
    let dae = "<COLLADA><library_geometries><geometry id=\"g\"><mesh><polylist count=\"99999999999\">\
        <input semantic=\"VERTEX\" offset=\"18446744073709551615\"/></polylist></mesh></geometry>\
        </library_geometries></COLLADA>";
    assert!(load("/a.dae", dae.as_bytes().to_vec()).is_err());
}

#[test]
fn trees_too_deep_or_too_large_are_refused() {
    for n in [100, 1000, 1_000_000] {
        for (open, close) in [("[", "]"), ("{a: ", "}"), ("- ", ""), ("? ", "")] {
            let text = format!("world: \n  {}{}", open.repeat(n), close.repeat(n));
            assert!(load("/a.yaml", text.into_bytes()).is_err());
        }
        let toml = format!("a = {}{}", "[".repeat(n), "]".repeat(n));
        assert!(load("/a.toml", toml.into_bytes()).is_err());
        let toml = format!("a = {}1{}", "{a=".repeat(n), "}".repeat(n));
        assert!(load("/a.toml", toml.into_bytes()).is_err());
        let json = format!("{{\"a\":{}{}}}", "[".repeat(n), "]".repeat(n));
        assert!(cases::parse_case(&json).is_err());
    }
    let dotted = format!("{} = 1", vec!["a"; 100_000].join("."));
    assert!(load("/a.toml", dotted.into_bytes()).is_err());
    let laughs = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nworld: *c";
    assert!(load("/a.yaml", laughs.as_bytes().to_vec()).unwrap_err().contains("alias"));
    let many = format!("world: [{}]", "1,".repeat(1_100_000));
    assert!(load("/a.yaml", many.into_bytes()).unwrap_err().contains("too many values"));
}

/// Hundreds of thousands of faults of the kinds that cost most to describe.
#[test]
fn many_faults_cost_little() {
    let links: String =
        (0..2000).map(|k| format!("<link name=\"a_long_enough_name_of_a_link_{k}\"/>")).collect();
    let joints: String = (0..100_000)
        .map(|k| {
            format!(
                "<joint name=\"j{k}\" type=\"fixd\">\
                 <parent link=\"a_long_enough_name_of_a_lnk_{k}\"/><child link=\"x{k}\"/></joint>"
            )
        })
        .collect();
    assert!(load("/a.urdf", format!("<robot name=\"r\">{links}{joints}</robot>").into_bytes()).is_err());
    let meshes =
        "<collision><geometry><mesh filename=\"package://p/m.stl\"/></geometry></collision>".repeat(100_000);
    assert!(
        load("/a.urdf", format!("<robot name=\"r\"><link name=\"a\">{meshes}</link></robot>").into_bytes())
            .is_err()
    );
    let keys: String = (0..100_000).map(|k| format!("margine{k} = 1\n")).collect();
    assert!(load("/a.toml", keys.into_bytes()).is_err());
    let robots = "[[robot]]\nurdf = \"a.toml\"\n".repeat(100_000);
    assert!(load("/a.toml", robots.into_bytes()).unwrap_err().contains("more than 1000"));
    let frames: String =
        (0..50_000).map(|k| format!("  - {{id: o{k}, header: {{frame_id: f{k}}}}}\n")).collect();
    assert!(load("/a.yaml", format!("world:\n  collision_objects:\n{frames}").into_bytes()).is_err());
}

#[test]
fn motions_too_strange_are_refused() {
    for text in
        ["a,".repeat(200_000), "a\n1,2,3\n".repeat(100_000), "\"".repeat(1_000_000), "\n".repeat(1_000_000)]
    {
        assert!(load("/a.csv", text.into_bytes()).is_err());
    }
}

#[test]
fn sensor_files_that_claim_or_ask_too_much_are_refused() {
    let many = 9_999_999_999_999_usize;
    let pcd = format!("FIELDS x y z\nSIZE 1 1 1\nTYPE I I I\nPOINTS {many}\nDATA ");
    let header = "property char x\nproperty char y\nproperty char z\nend_header\n";
    let format = "ply\nformat binary_big_endian 1.0\n";
    let face = format!("element face {many}\nproperty list uchar uchar v\n");
    let bt = format!("# Octomap OcTree binary file\nid OcTree\nsize {many}\nres 1\ndata\n");
    let bytes = |head: &str, byte: u8| [head.as_bytes(), &vec![byte; 10_000_000]].concat();
    for (name, bytes) in [
        ("/a.pcd", bytes(&format!("{pcd}binary\n"), 1)),
        ("/a.pcd", bytes(&format!("{}binary_compressed\n", pcd.replace(&many.to_string(), "60000000")), 255)),
        ("/a.pcd", bytes(&format!("{}ascii\n", pcd.replace(&many.to_string(), "60000000")), b'\n')),
        ("/a.pcd", bytes("FIELDS ", b'x')),
        ("/a.pcd", "VERSION .7\n".repeat(1_000_000).into_bytes()),
        ("/a.ply", bytes(&format!("{format}{face}element vertex 1\n{header}"), 0)),
        ("/a.ply", bytes(&format!("{format}element vertex 60000000\n{header}"), 0)),
        ("/a.ply", bytes(&format!("{format}element vertex {many}\nproperty list char char v\n{header}"), 0)),
        ("/a.ply", (format.to_string() + &"property char x\n".repeat(1_000_000)).into_bytes()),
        ("/a.ply", (format.to_string() + "element a 1\n" + &"property int x\n".repeat(500_000)).into_bytes()),
        ("/a.xyz", bytes("1 2 3", b' ')),
        ("/a.xyz", "1,".repeat(5_000_000).into_bytes()),
        ("/a.xyz", "1 2\n".repeat(2_000_000).into_bytes()),
        ("/a.xyz", ("1 2 3\n".to_string() + &"1 2\n".repeat(2_000_000)).into_bytes()),
        ("/a.xyz", "# x y z\n".repeat(2_000_000).into_bytes()),
        ("/a.bt", bytes(&bt, 0xff)),
        ("/a.bt", bytes(&bt, 0x55)),
        ("/a.bt", bytes(&bt, 0x0f)),
        ("/a.bt", bytes("# Octomap OcTree file\n", b'\n')),
        ("/a.bt", ("# Octomap OcTree file\n".to_string() + &"res 1\n".repeat(1_000_000)).into_bytes()),
        ("/a.png", bytes("\u{89}PNG", 0)),
    ] {
        let refusal = load(name, bytes).expect_err(name);
        assert!(refusal.lines().count() < 25 && refusal.len() < 10_000, "{refusal}");
    }
}

#[test]
fn json_lines_are_bounded() {
    for (text, words) in [
        ("{\"q\":".to_string() + &"[".repeat(1_000_000), "is not JSON"),
        ("{\"hide\":{\"name\":\"p\"}}\n".repeat(1_100_000), "holds too many values, events or faults"),
        ("{\"q\": {".to_string() + &"\"x\": 1, ".repeat(500_000) + "\"a\": 1}}", "499999 more times"),
        ("[1]\n".repeat(1_000_000), "line 1, and 999999 more times: is not a JSON object"),
        (format!("{{\"q\": [{}1]}}", "1,".repeat(9_000_000)), "is longer than"),
        ("\n".repeat(50_000_000), "has no sample"),
    ] {
        let said = load("/a.jsonl", text.into_bytes()).expect_err(words);
        assert!(said.contains(words), "{words:?} is not in\n{}", said.chars().take(500).collect::<String>());
    }
}

/// Every byte of a sound file changed a little, and every cut: refused or read, never a panic.
#[test]
fn mangled_files_do_no_harm() {
    let urdf = "<robot name=\"r\"><link name=\"a\"><collision><origin rpy=\"0 0 1\"/><geometry>\
        <box size=\"1 1 1\"/></geometry></collision></link><link name=\"b\"/>\
        <joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 1\"/>\
        <limit lower=\"-1\" upper=\"1\"/></joint></robot>";
    let yaml = "world:\n  collision_objects:\n    - id: o\n      primitives: [{type: box, \
        dimensions: [1, 1, 1]}]\n      primitive_poses: [{position: [0, 0, 0], orientation: [0, 0, 0, 1]}]\n\
        allowed_collision_matrix: {entry_names: [a], entry_values: [[true]]}\n";
    let toml = "margin = 0.1\n[[obstacle]]\nname = \"a\"\nshape = { type = \"box\", size = [1, 1, 1] }\n\
        [[group]]\nname = 'x'\nmembers = [\"a\"]\n";
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4 3\nf -1 -2 -3\n";
    let stl = "solid\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n\
        endfacet\nendsolid\n";
    let csv = "t,a\n0,1\n1,2\n";
    let jsonl = "{\"t\": 0, \"q\": [1]}\n{\"attach\": {\"name\": \"p\", \"attached_to\": \"r/a\"}}\n\
        {\"place\": {\"name\": \"p\", \"xyz\": [1, 2, 3]}}\n{\"t\": 1, \"q\": {\"a\": 2}}\n";
    let (mut read, mut refused) = (0, 0);
    for (name, text) in [
        ("/a.urdf", urdf),
        ("/a.yaml", yaml),
        ("/a.toml", toml),
        ("/a.obj", obj),
        ("/a.stl", stl),
        ("/a.csv", csv),
        ("/a.jsonl", jsonl),
    ] {
        for i in 0..text.len() {
            for change in [b'0', b' ', b'<', b'"', b'-', b'9', 0, 0xff, b'\n'] {
                let mut bytes = text.as_bytes().to_vec();
                bytes[i] = change;
                match load(name, bytes) {
                    Ok(()) => read += 1,
                    Err(_) => refused += 1,
                }
            }
            let _ = load(name, text.as_bytes()[..i].to_vec());
        }
    }
    assert!(read > 500 && refused > 2000, "{read} read, {refused} refused");
}

/// Devices, pipes and folders behind a mesh's path, directly and through links.
#[cfg(unix)]
#[test]
fn only_regular_files_are_opened() {
    let folder = support::folder("special");
    let fifo = folder.join("pipe.stl");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().is_ok_and(|s| s.success());
    assert!(made, "mkfifo is needed for this test");
    for (name, target) in [
        ("zero.stl", "/dev/zero"),
        ("tty.stl", "/dev/null"),
        ("to_pipe.stl", "pipe.stl"),
        ("self.stl", "self.stl"),
    ] {
        std::os::unix::fs::symlink(target, folder.join(name)).unwrap();
    }
    std::fs::create_dir(folder.join("dir.stl")).unwrap();
    let start = Instant::now();
    for (name, words) in [
        ("pipe.stl", "it is a device, pipe or socket"),
        ("zero.stl", "it is a device, pipe or socket"),
        ("tty.stl", "it is a device, pipe or socket"),
        ("to_pipe.stl", "it is a device, pipe or socket"),
        ("dir.stl", "it is a folder"),
        ("self.stl", "does not exist"),
    ] {
        let urdf = format!(
            "<robot name=\"r\"><link name=\"a\"><collision><geometry><mesh filename=\"{name}\"/></geometry>\
             </collision></link></robot>"
        );
        std::fs::write(folder.join("r.urdf"), urdf).unwrap();
        let faults = robot::load_robot(&folder.join("r.urdf"), &Options::default()).unwrap_err().to_string();
        assert!(faults.contains(words), "{name}: {faults}");
    }
    assert!(robot::load_robot(&fifo, &Options::default()).is_err());
    assert!(world::load_world(&fifo, &Options::default()).is_err());
    assert!(scene::load_scene(&fifo, &Options::default()).is_err());
    assert!(
        motion::load_motion(
            &fifo,
            motion::Joints { names: &[], mimics: &[], ..motion::Joints::default() },
            &Options::default()
        )
        .is_err()
    );
    assert!(cloud::load_cloud(&fifo, &Options::default()).is_err());
    assert!(octomap::load_octomap(&fifo, &Options::default()).is_err());
    assert!(heights::load_heights(&fifo, &METRES, &Options::default()).is_err());
    let large = folder.join("large.stl");
    std::fs::File::create(&large).unwrap().set_len(1 << 40).unwrap();
    assert!(
        mesh::load_mesh(&large, &Options::default())
            .unwrap_err()
            .to_string()
            .contains("larger than the limit")
    );
    assert!(start.elapsed() < SOON);
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn names_that_repeat_or_are_strange_without_end_cost_little() {
    // Sources of one id in each of many geometries, and all in one.
    let source = "<source id=\"s\"><float_array>0 0 0</float_array></source>";
    let asks = "<triangles count=\"1\"><input semantic=\"POSITION\" source=\"#s\"/><p>0 0 0</p></triangles>";
    let dae =
        |inside: String| format!("<COLLADA><library_geometries>{inside}</library_geometries></COLLADA>");
    let apart = format!("<geometry><mesh>{source}{asks}</mesh></geometry>").repeat(50_000);
    let together =
        format!("<geometry><mesh>{}{}</mesh></geometry>", source.repeat(100_000), asks.repeat(50_000));
    for inside in [apart, together] {
        assert!(load("/a.dae", dae(inside).into_bytes()).is_err());
    }
    // An SRDF of elements whose names are long and nearly known, and pairs of a long chain of links.
    let odd: String = (0..300_000).map(|k| format!("<disable_default_colisions_{k:06}/>")).collect();
    let links: String = (0..30_000).map(|k| format!("<link name=\"l{k}\"/>")).collect();
    let joint = |k: usize| {
        let kind = if k.is_multiple_of(2) { "fixed" } else { "continuous" };
        format!(
            "<joint name=\"j{k}\" type=\"{kind}\"><parent link=\"l{k}\"/><child link=\"l{}\"/></joint>",
            k + 1
        )
    };
    let joints: String = (0..29_999).map(joint).collect();
    let pairs: String = (0..30_000)
        .map(|k| format!("<enable_collisions link1=\"l{k}\" link2=\"l{}\"/>", 29_999 - k))
        .collect();
    let files = [
        ("/a.urdf", format!("<robot name=\"r\">{links}{joints}</robot>")),
        ("/a.srdf", format!("<robot name=\"r\">{odd}{pairs}</robot>")),
    ];
    let files = InMemory(files.map(|(path, text)| (PathBuf::from(path), text.into_bytes())).into());
    let start = Instant::now();
    robot::load_robot_from(&files, Path::new("/a.urdf"), &Options::default()).unwrap();
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

#[test]
fn ply_meshes_that_claim_or_ask_too_much_are_refused() {
    let many = 9_999_999_999_999_usize;
    let xyz = "property char x\nproperty char y\nproperty char z\n";
    let head = |vertices: usize, faces: usize, list: &str| {
        format!(
            "ply\nformat binary_little_endian 1.0\nelement vertex {vertices}\n{xyz}element face {faces}\n\
             property list {list} vertex_indices\nend_header\n"
        )
    };
    let with = |head: &str, byte: u8| [head.as_bytes(), &vec![byte; 10_000_000]].concat();
    for bytes in [
        with(&head(many, 1, "uchar uchar"), 0),
        with(&head(1, many, "uchar uchar"), 3),
        with(&head(20_000_000, 1, "uchar uchar"), 3),
        with(&head(4, 9_000_000, "uchar uchar"), 3),
        with(&head(4, 1_000_000, "uchar uchar"), 0),
        with(&head(4, 1, "uint uchar"), 0x7f),
        with(&head(4, 3, "ushort uchar"), 0x0f),
        head(4, 1, "uchar uchar").replace("binary_little_endian", "ascii").into_bytes(),
    ] {
        let refusal = load("/a", bytes).unwrap_err();
        assert!(refusal.lines().count() < 25 && refusal.len() < 10_000, "{refusal}");
    }
}
