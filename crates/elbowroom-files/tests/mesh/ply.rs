//! PLY meshes: as text and in binary, and what is refused of them.

use crate::support::refused;
use elbowroom_files::mesh::{MeshData, load_mesh_from};
use elbowroom_files::source::InMemory;
use elbowroom_files::{Faults, Loaded, Options};
use std::path::{Path, PathBuf};

fn load(bytes: &[u8]) -> Result<Loaded<MeshData>, Faults> {
    let files = InMemory([(PathBuf::from("a.ply"), bytes.to_vec())].into());
    load_mesh_from(&files, Path::new("a.ply"), &Options::default())
}

/// A square with colours and an edge, and a triangle on it; one vertex is not used.
const TEXT: &str = "ply
format ascii 1.0
comment made by hand
element vertex 6
property float x
property float y
property float z
property uchar red
element face 2
property uchar material
property list uchar int vertex_indices
property list uchar float texcoord
element edge 1
property int vertex1
property int vertex2
end_header
0 0 0 255
2 0 0 255
2 1 0 255
0 1 0 255
0 0 3 0
9 9 9 0
7 4 0 1 2 3 2 0.5 0.5
7 3 0 1 4 0
0 1
";

fn mesh() -> MeshData {
    MeshData {
        vertices: vec![[0., 0., 0.], [2., 0., 0.], [2., 1., 0.], [0., 1., 0.], [0., 0., 3.]],
        triangles: vec![[0, 1, 2], [0, 2, 3], [0, 1, 4]],
    }
}

/// [`TEXT`] as a binary file, with the `big` byte of each number first or last.
fn binary(big: bool) -> Vec<u8> {
    let format = if big { "binary_big_endian" } else { "binary_little_endian" };
    let (head, body) = TEXT.split_at(TEXT.find("end_header\n").unwrap() + "end_header\n".len());
    let mut out = head.replace("ascii", format).into_bytes();
    let float = |v: f32| if big { v.to_be_bytes() } else { v.to_le_bytes() };
    let int = |v: i32| if big { v.to_be_bytes() } else { v.to_le_bytes() };
    for (k, line) in body.lines().enumerate() {
        let words: Vec<f32> = line.split(' ').map(|word| word.parse().unwrap()).collect();
        if k < 6 {
            words[..3].iter().for_each(|v| out.extend(float(*v)));
            out.push(words[3] as u8);
        } else if k < 8 {
            let corners = words[1] as usize;
            out.extend([words[0] as u8, words[1] as u8]);
            words[2..2 + corners].iter().for_each(|v| out.extend(int(*v as i32)));
            out.push(words[2 + corners] as u8);
            words[3 + corners..].iter().for_each(|v| out.extend(float(*v)));
        } else {
            words.iter().for_each(|v| out.extend(int(*v as i32)));
        }
    }
    out
}

#[test]
fn a_mesh_is_the_same_as_text_and_in_both_binaries() {
    let short = TEXT.replace("vertex_indices", "vertex_index").replace("list uchar int", "list int ushort");
    for bytes in [
        TEXT.as_bytes().to_vec(),
        TEXT.replace('\n', "\r\n").into_bytes(),
        short.into_bytes(),
        binary(false),
        binary(true),
        [&binary(false)[..], b"\0\0\n"].concat(),
    ] {
        let loaded = load(&bytes).unwrap();
        assert_eq!(loaded.value, mesh(), "{}", String::from_utf8_lossy(&bytes));
        let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
        for words in [
            "line 13: ignored: 1 of its element \"edge\"",
            "1 of 6 vertices belong to no face and are ignored",
        ] {
            assert!(warnings.iter().any(|w| w.contains(words)), "{warnings:?}");
        }
    }
    // The bytes tell what it is, not the name.
    let files = InMemory([(PathBuf::from("a.stl"), TEXT.as_bytes().to_vec())].into());
    assert_eq!(load_mesh_from(&files, Path::new("a.stl"), &Options::default()).unwrap().value, mesh());
}

#[test]
fn every_cut_of_a_ply_is_refused() {
    for bytes in [TEXT.trim_end().as_bytes(), &binary(false), &binary(true)] {
        // A text that ends within its last number is another number.
        let end = bytes.len() - usize::from(bytes[4] == b'f' && bytes[11] == b'a');
        for cut in 0..end {
            assert!(load(&bytes[..cut]).is_err(), "cut at {cut} of {end}");
        }
    }
}

#[test]
fn what_is_wrong_with_a_ply_is_told() {
    let cloud = TEXT.replace("element face 2", "element spots 2");
    for (from, to, words) in [
        ("format ascii 1.0\n", "", "its header has no line format; add: format ascii 1.0"),
        (
            "property float y\n",
            "",
            "line 4, vertex: has no property y that is a number; export the mesh with",
        ),
        ("element vertex 6", "element vertx 6", "has no element \"vertex\""),
        (
            "list uchar int vertex_indices",
            "list uchar int corners",
            "line 9, face: has no list vertex_indices",
        ),
        (
            "list uchar int vertex_indices",
            "int vertex_indices",
            "has no list vertex_indices of whole numbers",
        ),
        (
            "list uchar int vertex_indices",
            "list uchar float vertex_indices",
            "has no list vertex_indices of whole",
        ),
        (
            "uchar material",
            "list uchar int vertex_index",
            "has both vertex_indices and vertex_index; keep one",
        ),
        ("element edge 1", "element tristrips 1", "strips of triangles are not supported"),
        ("7 4 0 1 2 3", "7 4 0 1 2 6", "line 23, face 0: the corner 6 is not one of its 6 vertices"),
        ("7 4 0 1 2 3", "7 4 0 1 2 -1", "the corner -1 is not one of its 6 vertices"),
        ("7 4 0 1 2 3", "7 4 0 1 2 2.5", "the corner 2.5 is not one of"),
        ("7 4 0 1 2 3", "7 4 0 1 2 nan", "the corner NaN is not one of"),
        ("7 4 0 1 2 3", "7 2 0 1", "a face has fewer than three corners"),
        ("7 4 0 1 2 3", "7 9 0 1 2 3", "has fewer values than its properties"),
        ("0 1 0 255", "0 inf 0 255", "line 20, vertex 3: [0.0, inf, 0.0] is not a finite point"),
        ("0 1 0 255", "0 x 0 255", "line 20, vertex 3: y is \"x\", not a number"),
        ("0 1 0 255", "0 1,5 0 255", "write decimals with a point"),
        ("\n0 1\n", "\n0 1\n0 1\n", "lies behind the last of the elements that the header counts"),
        ("element vertex 6", "element vertex 30000001", "line 4, vertex: holds more than 30000000 vertices"),
        ("element face 2", "element face 20000000", "holds more than 10000000 triangles"),
        (
            "element face 2",
            "element face 0",
            "has no faces: it is a point cloud, not a mesh; export the mesh",
        ),
    ] {
        assert!(TEXT.contains(from), "{from}");
        refused(to, load(TEXT.replace(from, to).as_bytes()), &[words]);
    }
    refused("cloud", load(cloud.as_bytes()), &["it is a point cloud, not a mesh"]);
    // All faults at once, up to the most that are listed of a mesh.
    let many = TEXT.replace("7 4 0 1 2 3", "7 4 0 1 2 6").replace("7 3 0 1 4", "7 3 0 1 8");
    assert_eq!(load(many.as_bytes()).unwrap_err().0.len(), 2);
    // Faces before vertices.
    let (face, vertex) = ("element face 1\nproperty list uchar int vertex_indices\n", "element vertex 1\n");
    let xyz = "property float x\nproperty float y\nproperty float z\n";
    let turned = format!("ply\nformat ascii 1.0\n{face}{vertex}{xyz}end_header\n3 0 0 0\n0 0 0\n");
    refused("turned", load(turned.as_bytes()), &["its faces stand before its vertices"]);
    // Bytes behind the last element.
    let more = [&binary(false)[..], &[1, 2, 3]].concat();
    refused("more", load(&more), &["3 bytes lie behind the last of its elements; correct the counts"]);
    // A list that claims more than the file has, or more than a polygon may have.
    let list = "element face 1\nproperty list uint uchar vertex_indices\n";
    let head = format!("ply\nformat binary_little_endian 1.0\n{vertex}{xyz}{list}end_header\n");
    let with = |count: u32, held: usize| {
        [head.as_bytes(), &[0; 12], &count.to_le_bytes(), &vec![0; held][..]].concat()
    };
    refused("list", load(&with(u32::MAX, 9)), &["the list vertex_indices of 4294967295 values ends behind"]);
    refused("polygon", load(&with(5000, 5000)), &["byte 182, face 0: a face has more than 4096 corners"]);
    let files = InMemory([(PathBuf::from("a.ply"), b"plywood".to_vec())].into());
    let named = load_mesh_from(&files, Path::new("a.ply"), &Options::default());
    refused("named", named, &["this is not a PLY file: its first line is not `ply`"]);
}
