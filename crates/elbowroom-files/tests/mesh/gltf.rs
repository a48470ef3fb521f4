//! glTF, as text, with its numbers beside it, and as one binary file.

use crate::support::refused;
use elbowroom_files::mesh::{MeshData, load_mesh_from};
use elbowroom_files::source::InMemory;
use elbowroom_files::{Faults, Loaded, Options};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A tetrahedron's corners and the three corners of each of its faces, as a file has them.
fn numbers() -> Vec<u8> {
    let points: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0];
    let corners: [u16; 12] = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
    let points = points.iter().flat_map(|v| v.to_le_bytes());
    points.chain(corners.iter().flat_map(|v| v.to_le_bytes())).collect()
}

fn document(uri: Option<&str>) -> Value {
    let mut buffer = json!({"byteLength": 72});
    if let Some(uri) = uri {
        buffer["uri"] = uri.into();
    }
    json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"name": "body", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
        "buffers": [buffer],
    })
}

/// The numbers of [`numbers`] within the text of a document.
const DATA: &str = "data:application/octet-stream;base64,\
    AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAEBAAAACAAEAAAABAAMAAAADAAIAAQACAAMA";

/// A binary file of a document and the bytes behind it.
fn binary(document: &Value, behind: &[u8]) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let word = |n: usize| (n as u32).to_le_bytes();
    let length = word(12 + 8 + text.len() + 8 + behind.len());
    [
        &b"glTF"[..],
        &word(2),
        &length,
        &word(text.len()),
        b"JSON",
        &text,
        &word(behind.len()),
        b"BIN\0",
        behind,
    ]
    .concat()
}

fn load(bytes: Vec<u8>) -> Result<Loaded<MeshData>, Faults> {
    let mut files = InMemory::default();
    files.0.insert("m/a.glb".into(), bytes);
    files.0.insert("m/the numbers.bin".into(), numbers());
    load_mesh_from(&files, "m/a.glb".as_ref(), &Options::default())
}

/// The triangles by their corners, each beginning with its least: where a mesh is, whatever its vertices'
/// order.
fn triangles(mesh: &MeshData) -> BTreeSet<[[i64; 3]; 3]> {
    let at = |i: u32| mesh.vertices[i as usize].map(|x| (x * 1e6).round() as i64);
    let turned = |t: &[u32; 3]| {
        let mut t = t.map(at);
        let least = (0..3).min_by_key(|k| t[*k]).unwrap();
        t.rotate_left(least);
        t
    };
    mesh.triangles.iter().map(turned).collect()
}

#[test]
fn text_files_and_binary_ones_hold_the_same_mesh_with_y_turned_to_z() {
    let wanted: BTreeSet<[[i64; 3]; 3]> = {
        // In the file (x, y, z), here (x, -z, y).
        let at = [[0, 0, 0], [1_000_000, 0, 0], [0, 0, 2_000_000], [0, -3_000_000, 0]];
        let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let mesh = MeshData {
            vertices: at.map(|p: [i64; 3]| p.map(|x| x as f64 * 1e-6)).to_vec(),
            triangles: faces.to_vec(),
        };
        triangles(&mesh)
    };
    for bytes in [
        document(Some(DATA)).to_string().into_bytes(),
        document(Some("the%20numbers.bin")).to_string().into_bytes(),
        binary(&document(None), &numbers()),
    ] {
        let loaded = load(bytes).unwrap();
        assert_eq!(triangles(&loaded.value), wanted);
        let said: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
        assert!(
            said.len() == 1 && said[0].contains("its y axis, which is up in glTF, becomes z"),
            "{said:?}"
        );
    }
    let loaded = load(document(Some("the%20numbers.bin")).to_string().into_bytes()).unwrap();
    assert!(loaded.files.iter().any(|file| file.ends_with("the numbers.bin")), "{:?}", loaded.files);
}

#[test]
fn a_node_puts_its_mesh_into_its_parent_s_frame() {
    let mut moved = document(Some(DATA));
    let half = std::f64::consts::FRAC_1_SQRT_2;
    // A quarter turn about y, then a shift; below it a mirror along x as a matrix.
    moved["nodes"] = json!([
        {"children": [1], "translation": [10, 20, 30], "rotation": [0, half, 0, half], "scale": [2, 2, 2]},
        {"mesh": 0, "matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1]}]);
    let mesh = load(moved.to_string().into_bytes()).unwrap().value;
    // The corner (1, 2, 3) would be: mirrored and moved (4, 2, 3); doubled (8, 4, 6); turned (6, 4, -8).
    let placed = |p: [f64; 3]| {
        let [x, y, z] = [2.0 * (5.0 - p[0]), 2.0 * p[1], 2.0 * p[2]];
        let [x, y, z] = [z + 10.0, y + 20.0, -x + 30.0];
        [x, -z, y]
    };
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]].map(placed);
    // A mirror turns each triangle round, so that outside stays outside.
    let faces = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
    let wanted = triangles(&MeshData { vertices: corners.to_vec(), triangles: faces.to_vec() });
    assert_eq!(triangles(&mesh), wanted);
}

#[test]
fn strips_fans_and_lists_without_corners_are_triangles_and_lines_are_told() {
    let mut other = document(Some(DATA));
    let primitive = |mode: u32| json!({"attributes": {"POSITION": 0}, "mode": mode});
    let faces = |mode: Value| {
        let mut document = other.clone();
        document["meshes"][0]["primitives"] = mode;
        load(document.to_string().into_bytes())
    };
    let corners = |points: [[i64; 3]; 4], faces: &[[u32; 3]]| {
        let vertices = points.map(|[x, y, z]| [x as f64, -z as f64, y as f64]).to_vec();
        triangles(&MeshData { vertices, triangles: faces.to_vec() })
    };
    let points = [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]];
    let strip = faces(json!([primitive(5)])).unwrap();
    assert_eq!(triangles(&strip.value), corners(points, &[[0, 1, 2], [1, 3, 2]]));
    let fan = faces(json!([primitive(6), primitive(1), primitive(0)])).unwrap();
    assert_eq!(triangles(&fan.value), corners(points, &[[1, 2, 0], [2, 3, 0]]));
    let said = fan.warnings.iter().map(ToString::to_string).collect::<String>();
    assert!(said.contains("ignored: 2 elements without area (lines, points)"), "{said}");
    refused("four corners", faces(json!([primitive(4)])), &["its 4 corners do not make whole triangles"]);
    refused("lines alone", faces(json!([primitive(1)])), &["this mesh holds no triangle"]);
    // Whole numbers, normalized or not.
    other["accessors"][0] =
        json!({"bufferView": 1, "componentType": 5121, "count": 3, "type": "VEC3", "normalized": true});
    other["bufferViews"][1] = json!({"buffer": 1, "byteLength": 12, "byteStride": 4});
    other["buffers"] =
        json!([{"byteLength": 72, "uri": DATA}, {"byteLength": 12, "uri": "data:;base64,AAAAAP8AAAAA/wAA"}]);
    other["meshes"][0]["primitives"] = json!([primitive(4)]);
    other["extensionsRequired"] = json!(["KHR_mesh_quantization", "KHR_materials_unlit"]);
    let mesh = load(other.to_string().into_bytes()).unwrap().value;
    assert_eq!(triangles(&mesh), corners([[0, 0, 0], [1, 0, 0], [0, 1, 0], [9, 9, 9]], &[[0, 1, 2]]));
}

#[test]
fn what_is_not_known_to_be_the_geometry_is_refused() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut document = document(Some(DATA));
        change(&mut document);
        load(document.to_string().into_bytes())
    };
    type Change = fn(&mut Value);
    let cases: [(&str, Change); 24] = [
        ("only glTF 2 is supported", |d| d["asset"]["version"] = "1.0".into()),
        ("is not glTF: missing field `asset`", |d| drop(d.as_object_mut().unwrap().remove("asset"))),
        ("needs the extension \"KHR_draco_mesh_compression\"", |d| {
            d["extensionsRequired"] = json!(["KHR_draco_mesh_compression"])
        }),
        ("needs the extension \"EXT_mesh_gpu_instancing\"", |d| {
            d["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"])
        }),
        ("node 0: is skinned", |d| d["nodes"][0]["skin"] = 0.into()),
        ("node 0: is morphed", |d| d["meshes"][0]["weights"] = json!([0.5])),
        ("its scene 3 does not exist", |d| d["scene"] = 3.into()),
        ("has 2 scenes, and does not say which", |d| {
            d["scenes"] = json!([{"nodes": [0]}, {"nodes": []}]);
            d.as_object_mut().unwrap().remove("scene");
        }),
        ("node 9: does not exist, and is named", |d| d["nodes"][0]["children"] = json!([9])),
        ("nested too deep or repeated too often", |d| d["nodes"][0]["children"] = json!([0])),
        ("or is given twice", |d| {
            d["nodes"][0]["scale"] = json!([1, 1, 1]);
            d["nodes"][0]["matrix"] = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
        }),
        ("its mesh 4 does not exist", |d| d["nodes"][0]["mesh"] = 4.into()),
        ("mesh 0 \"body\", primitive 0: has no positions", |d| {
            d["meshes"][0]["primitives"][0]["attributes"] = json!({"NORMAL": 0})
        }),
        ("9 is no way to make triangles", |d| d["meshes"][0]["primitives"][0]["mode"] = 9.into()),
        ("there is no accessor 7", |d| d["meshes"][0]["primitives"][0]["indices"] = 7.into()),
        ("its accessor 0 holds VEC2, not VEC3", |d| d["accessors"][0]["type"] = "VEC2".into()),
        ("is sparse, which is not supported", |d| d["accessors"][0]["sparse"] = json!({"count": 1})),
        ("its 5 items go beyond the end of its buffer view", |d| d["accessors"][0]["count"] = 5.into()),
        ("go beyond the end of its buffer view", |d| {
            d["accessors"][0]["byteOffset"] = u64::MAX.into();
        }),
        ("its buffer view goes beyond the end of its buffer", |d| {
            d["bufferViews"][0]["byteOffset"] = (u64::MAX - 3).into()
        }),
        ("its items of 12 bytes overlap: the stride is 4", |d| d["bufferViews"][0]["byteStride"] = 4.into()),
        ("buffer 0: holds 72 bytes, not 73", |d| d["buffers"][0]["byteLength"] = 73.into()),
        ("is not a path beside the file: nothing else is read", |d| {
            d["buffers"][0]["uri"] = "https://example.org/a.bin".into()
        }),
        ("the file \"none.bin\" does not exist", |d| d["buffers"][0]["uri"] = "none.bin".into()),
    ];
    for (words, change) in cases {
        refused(words, with(&change), &[words]);
    }
    // A corner that is no vertex.
    let mut wild = numbers();
    wild[70] = 4;
    refused("a corner", load(binary(&document(None), &wild)), &["its corner 4 is none of its vertices"]);
    let mut far = numbers();
    far[..4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    refused("infinite", load(binary(&document(None), &far)), &["its vertex 0 is not a finite point"]);
}

#[test]
fn broken_binary_files_are_refused_and_never_panic() {
    let whole = binary(&document(None), &numbers());
    let (mut good, mut bad) = (0, 0);
    for end in 0..whole.len() {
        assert!(load(whole[..end].to_vec()).is_err(), "{end}");
    }
    // Each byte of the headers and of the text changed, and numbers in the text made huge or small.
    for at in 0..whole.len() {
        for new in [0, 0xff, b'9', whole[at] ^ 1] {
            let mut broken = whole.clone();
            broken[at] = new;
            match load(broken) {
                Ok(_) => good += 1,
                Err(_) => bad += 1,
            }
        }
    }
    assert!(good > 50 && bad > 1000, "{good} {bad}");
}
