//! Meshes made so that the answer is known: formats, placements, polygons, and what is wrong with the rest.

use crate::support::refused;
use elbowroom::math::Vec3;
use elbowroom_files::mesh::{MeshData, load_mesh_from};
use elbowroom_files::source::InMemory;
use elbowroom_files::{Faults, Loaded, Options};
use std::path::{Path, PathBuf};

fn load_bytes(name: &str, bytes: &[u8]) -> Result<Loaded<MeshData>, Faults> {
    let files = InMemory([(PathBuf::from(name), bytes.to_vec())].into());
    load_mesh_from(&files, Path::new(name), &Options::default())
}

fn load(name: &str, text: &str) -> Result<Loaded<MeshData>, Faults> {
    load_bytes(name, text.as_bytes())
}

/// Volume inside a closed mesh; positive if it faces outward.
fn volume(mesh: &MeshData) -> f64 {
    let corner = |i: u32| Vec3::from(mesh.vertices[i as usize]);
    mesh.triangles.iter().map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0).sum()
}

fn area(mesh: &MeshData) -> f64 {
    let corner = |i: u32| Vec3::from(mesh.vertices[i as usize]);
    mesh.triangles
        .iter()
        .map(|t| (corner(t[1]) - corner(t[0])).cross(corner(t[2]) - corner(t[0])).norm() / 2.0)
        .sum()
}

fn bounds(mesh: &MeshData) -> [[f64; 2]; 3] {
    std::array::from_fn(|axis| {
        let values = mesh.vertices.iter().map(|v| v[axis]);
        [values.clone().fold(f64::MAX, f64::min), values.fold(f64::MIN, f64::max)]
    })
}

const FACETS: [[[f32; 3]; 3]; 4] = [
    [[0., 0., 0.], [0., 1., 0.], [1., 0., 0.]],
    [[0., 0., 0.], [1., 0., 0.], [0., 0., 1.]],
    [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]],
    [[0., 0., 0.], [0., 0., 1.], [0., 1., 0.]],
];

fn binary(header: &[u8], facets: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut out = header.to_vec();
    out.resize(80, b' ');
    out.extend((facets.len() as u32).to_le_bytes());
    for facet in facets {
        out.extend([0; 12]);
        out.extend(facet.iter().flatten().flat_map(|v| v.to_le_bytes()));
        out.extend([0xff, 0xff]);
    }
    out
}

fn text(end: &str) -> String {
    let mut out = format!("solid a b c{end}");
    for facet in FACETS {
        out += &format!("facet normal nan nan nan{end}outer loop{end}");
        for v in facet {
            out += &format!("\tvertex {} {} {:e}{end}", v[0], v[1], v[2]);
        }
        out += &format!("endloop{end}endfacet{end}");
    }
    out + "endsolid a" + end
}

#[test]
fn stl_of_every_kind_is_the_same_tetrahedron() {
    let plain = load_bytes("a.stl", &binary(b"", &FACETS)).unwrap().value;
    assert_eq!((plain.vertices.len(), plain.triangles.len()), (4, 4));
    assert!((volume(&plain) - 1.0 / 6.0).abs() < 1e-15);
    let mut trailing = binary(b"x", &FACETS);
    trailing.extend(b"abc");
    let trailing = load_bytes("a.stl", &trailing).unwrap();
    assert!(trailing.warnings[0].what.contains("3 bytes behind the last of 4 triangles"));
    let with_mark = [b"\xef\xbb\xbf".as_slice(), text("\n").as_bytes()].concat();
    for (name, bytes) in [
        ("solid.stl", binary(b"solid facet normal vertex", &FACETS)),
        ("a.stlb", binary(b"", &FACETS)),
        ("no_extension", binary(b"", &FACETS)),
        ("a.stl", text("\n").into_bytes()),
        ("a.stl", text("\r\n").into_bytes()),
        ("a.stl", text("\r").into_bytes()),
        ("a.stl", text("\n\n  ").into_bytes()),
        ("a.stl", text("\n").to_uppercase().into_bytes()),
        ("a.stla", with_mark),
    ] {
        assert_eq!(load_bytes(name, &bytes).unwrap().value, plain, "{name}");
    }
    assert_eq!(trailing.value, plain);
    // A degenerate facet on an edge of another adds nothing; one off by itself is kept, or it would be lost.
    let mut facets = FACETS.to_vec();
    facets.push([[0., 0., 0.], [1., 0., 0.], [1., 0., -0.0]]);
    facets.push([[0., 1., 0.], [0., 1., 0.], [0., 1., 0.]]);
    assert_eq!(load_bytes("a.stl", &binary(b"", &facets)).unwrap().value, plain);
    facets.push([[5., 5., 5.], [5., 5., 5.], [1., 0., 0.]]);
    let more = load_bytes("a.stl", &binary(b"", &facets)).unwrap().value;
    assert_eq!((more.vertices.len(), &more.triangles[4..]), (5, &[[4, 4, 2]][..]));
}

#[test]
fn every_cut_of_a_file_is_refused() {
    let binary = binary(b"solid", &FACETS);
    let text = text("\n");
    let dae = dae("", &cube("<matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>"), "");
    for (name, bytes) in
        [("a.stl", &binary[..]), ("a.stl", text.trim_end().as_bytes()), ("a.dae", dae.as_bytes())]
    {
        let end = bytes.len() - if name == "a.dae" { 10 } else { 9 };
        for cut in 0..end {
            assert!(load_bytes(name, &bytes[..cut]).is_err(), "{name} cut at {cut}");
        }
    }
}

#[test]
fn broken_stl_says_where() {
    let mut facets = FACETS;
    facets[2][1][2] = f32::INFINITY;
    let faults = load_bytes("a.stl", &binary(b"", &facets)).unwrap_err();
    assert_eq!(faults.0[0].place, "facet 3");
    for (from, to, words) in [
        ("vertex 1 0 0e0", "vertex 1 0", "line 6, facet 1: a vertex has fewer than three numbers"),
        ("vertex 1 0 0e0", "vertex 1 0 0 0", "line 6, facet 1: a vertex has more than three numbers"),
        ("vertex 1 0 0e0", "vertex 1 0 1e999", "\"1e999\" is not a finite number"),
        ("vertex 1 0 0e0", "", "a facet has fewer than three vertices"),
        ("vertex 1 0 0e0", "vertex 1 0 0\nvertex 1 1 1", "more than three vertices"),
        ("outer loop", "outher loop", "\"outher loop\" does not belong here"),
    ] {
        let broken = text("\n").replacen(from, to, 1);
        refused(&broken, load("a.stl", &broken), &[words]);
    }
}

#[test]
fn obj_of_every_kind() {
    let cube = "mtllib lost.mtl\no a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\r\nv 0 0 1 1 0 0\nv 1 0 1\nv 1 1 1\n\
        v 0 1 1\nvn 0 0 1\nvt 0 0\ng one\nusemtl m\nf 4 3 2 1\nf 5//1 6//1 7//1 8//1\nf 1/1 2/1 6/1 5/1\n\
        f 2 3 \\\n7 6\ng two\nf -6 -5 -1 -2\nf 4 1 5 8 # end";
    let mesh = load("a.obj", cube).unwrap().value;
    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (8, 12));
    assert!((volume(&mesh) - 1.0).abs() < 1e-15);
    for (text, words) in [
        ("v 0 0 0\nv 1 0 0\nf 1 2 3\n", "line 3: face corner \"3\" is not one of the 2 vertices so far"),
        ("v 0 0 0\nf 0 1 1\n", "face corner \"0\""),
        ("v 0 0 0\nf -2 1 1\n", "face corner \"-2\""),
        ("v 0 0 0\nf 9223372036854775807 1 -9223372036854775808\n", "is not one of the 1"),
        ("v 0 0 0\nf 1 1\n", "fewer than three corners"),
        ("v 0 0\n", "a vertex has fewer than three numbers"),
        ("v 0 0 nan\n", "\"nan\" is not a finite number"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "holds no triangle"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 1 2\n", "this mesh holds 1 degenerate triangle, nothing else"),
        ("v 0 0 0\ncstype bezier\nsurf 0 1 0 1 1\n", "free-form curves and surfaces"),
    ] {
        refused(text, load("a.obj", text), &[words]);
    }
}

/// A polygon is cut so that its area is its own, whatever its form and the plane it lies in.
#[test]
fn polygons_keep_their_area() {
    let spiral: Vec<[f64; 2]> = vec![
        [0., 0.],
        [5., 0.],
        [5., 5.],
        [1., 5.],
        [1., 2.],
        [3., 2.],
        [3., 3.],
        [2., 3.],
        [2., 4.],
        [4., 4.],
        [4., 1.],
        [0., 1.],
    ];
    let comb: Vec<[f64; 2]> = (0..40)
        .map(|k| [f64::from(k), if k % 2 == 0 { 1.0 } else { 5.0 }])
        .chain([[39.0, 0.0], [0.0, 0.0]])
        .collect();
    let l: Vec<[f64; 2]> = vec![[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 1.], [1., 2.], [0., 2.]];
    let mut reached_concave = 0;
    for shape in [spiral, comb, l] {
        let n = shape.len();
        let expected: f64 = (0..n)
            .map(|k| {
                let (a, b) = (shape[k], shape[(k + 1) % n]);
                (a[0] * b[1] - a[1] * b[0]) / 2.0
            })
            .sum::<f64>()
            .abs();
        for turned in [false, true] {
            for tilt in [0.0, 0.7] {
                let mut text = String::new();
                for p in &shape {
                    let c = elbowroom::math::Mat3::from_rpy(tilt, 0.3 * tilt, 0.0)
                        * Vec3::from([p[0], p[1], 0.0]);
                    text += &format!("v {:?} {:?} {:?}\n", c.x, c.y, c.z);
                }
                let order: Vec<String> = (1..=n).map(|k| k.to_string()).collect();
                let order = if turned { order.into_iter().rev().collect() } else { order };
                let mesh = load("a.obj", &format!("{text}f {}\n", order.join(" "))).unwrap().value;
                assert!((area(&mesh) - expected).abs() < 1e-12 * expected, "{} {expected}", area(&mesh));
                reached_concave += 1;
            }
        }
    }
    assert_eq!(reached_concave, 12);
}

/// The cube [0,1]³ as a DAE geometry with one node of the given transforms.
fn cube(transforms: &str) -> String {
    format!("<node id=\"n\">{transforms}<instance_geometry url=\"#g\"/></node>")
}

fn dae(asset: &str, nodes: &str, library: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" \
         version=\"1.4.1\">
<asset>{asset}<up_axis>Z_UP</up_axis></asset><library_geometries><geometry id=\"g\"><mesh>
<source id=\"p\"><float_array id=\"pa\" count=\"25\">9  0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1\
</float_array>
<technique_common><accessor source=\"#pa\" count=\"8\" offset=\"1\" stride=\"3\"><param name=\"X\" \
type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor>\
</technique_common></source>
<source id=\"q\"><float_array count=\"3\">0 0 1</float_array></source>
<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>
<lines count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1</p></lines>
<polylist count=\"2\"><input semantic=\"NORMAL\" source=\"#q\" offset=\"0\"/><input semantic=\"VERTEX\" \
source=\"#v\" offset=\"1\"/><vcount>4 4</vcount><p>0 3 0 2 0 1 0 0 0 4 0 5 0 6 0 7</p></polylist>
<polygons count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 5 4</p></polygons>
<trifans count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>1 2 6 5</p></trifans>
<tristrips count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>2 3 6 7</p></tristrips>
<triangles count=\"2\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>3 0 4 <!-- split --> 3 4 7\
</p></triangles>
</mesh></geometry></library_geometries>{library}
<library_visual_scenes><visual_scene id=\"s\"><node><lookat>1 2 3 0 0 0 0 0 1</lookat>\
<instance_camera url=\"#c\"/></node>{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"
    )
}

#[test]
fn dae_places_geometry_where_its_nodes_say() {
    // Transforms, and where the corner of the cube's box ends up.
    for (transforms, expected, size) in [
        ("", [[0., 1.], [0., 1.], [0., 1.]], 1.0),
        ("<translate>1 2 3</translate><scale>2 2 2</scale>", [[1., 3.], [2., 4.], [3., 5.]], 8.0),
        ("<scale>2 2 2</scale><translate>1 2 3</translate>", [[2., 4.], [4., 6.], [6., 8.]], 8.0),
        ("<translate>1 0 0</translate><rotate>0 0 2 90</rotate>", [[0., 1.], [0., 1.], [0., 1.]], 1.0),
        ("<rotate>0 0 1 90</rotate><translate>1 0 0</translate>", [[-1., 0.], [1., 2.], [0., 1.]], 1.0),
        ("<rotate>0 0 0 0</rotate>", [[0., 1.], [0., 1.], [0., 1.]], 1.0),
        ("<scale>-1 1 3</scale>", [[-1., 0.], [0., 1.], [0., 3.]], 3.0),
        ("<matrix>0 1 0 5 1 0 0 6 0 0 1 7 0 0 0 1</matrix>", [[5., 6.], [6., 7.], [7., 8.]], 1.0),
    ] {
        let loaded = load("a.dae", &dae("", &cube(transforms), "")).unwrap();
        let mesh = loaded.value;
        for (found, wanted) in bounds(&mesh).iter().flatten().zip(expected.iter().flatten()) {
            assert!((found - wanted).abs() < 1e-15 * 10.0, "{transforms}: {:?}", bounds(&mesh));
        }
        assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (8, 12), "{transforms}");
        // Mirrored or not, it faces outward.
        assert!((volume(&mesh) - size).abs() < 1e-13, "{transforms}: {}", volume(&mesh));
        assert!(loaded.warnings[0].what.contains("ignored: 1 line without area"));
    }
}

#[test]
fn dae_is_read_as_other_programs_write_it() {
    let text = dae("", &cube("<translate>1 2 3</translate>"), "");
    let sound = load("a.dae", &text).unwrap();
    let extra = text.replacen("</asset>", "<extra><fcol:constraint p:on=\"1\"/></extra></asset>", 1);
    let prefixes = ["the prefix \"fcol\" is not declared: its", "the prefix \"p\" is not declared: its"];
    for (odd, words) in [
        (format!("{text}\0\0\n"), &["ends in NUL bytes or Ctrl-Z: dropped"][..]),
        (format!("{text}\r\n\u{1a}"), &["ends in NUL bytes or Ctrl-Z: dropped"]),
        (extra, &prefixes),
    ] {
        let read = load("a.dae", &odd).unwrap();
        assert_eq!(read.value, sound.value);
        assert_eq!(read.warnings.len(), sound.warnings.len() + words.len(), "{:?}", read.warnings);
        for words in words {
            assert!(read.warnings.iter().any(|w| w.what.contains(words)), "{:?}", read.warnings);
        }
    }
    let within = text.replacen("9  0 0 0", "9 \0 0 0 0", 1);
    refused("within", load("a.dae", &within), &["line 3: holds a NUL byte"]);
}

#[test]
fn dae_instances_nest() {
    let library = "<library_nodes><node id=\"twice\"><translate>10 0 0</translate>\
        <instance_node url=\"#once\"/></node>
        <node id=\"once\"><scale>1 1 -1</scale><node><translate>0 0 5</translate>\
        <instance_geometry url=\"#g\"/></node></node></library_nodes>";
    let nodes = "<node><translate>0 100 0</translate><instance_node url=\"#twice\"/></node>\
        <instance_node url=\"#once\"/><node><instance_node url=\"#once\"/></node>";
    let mesh = load("a.dae", &dae("<unit meter=\"0.5\" name=\"x\"/>", nodes, library)).unwrap().value;
    // Nothing hangs on the scene itself, so the middle instance of three is one too, in visual_scene.
    assert_eq!(mesh.triangles.len(), 36);
    let [x, y, z] = bounds(&mesh);
    assert_eq!((x, y, z), ([0.0, 5.5], [0.0, 50.5], [-3.0, -2.5]));
    assert!((volume(&mesh) - 3.0 / 8.0).abs() < 1e-12);
}

#[test]
fn dae_up_axis_is_left_alone_unless_asked_for() {
    let text = dae("", &cube("<translate>1 2 3</translate>"), "").replace("Z_UP", "Y_UP");
    let loaded = load("a.dae", &text).unwrap();
    assert_eq!(bounds(&loaded.value), [[1., 2.], [2., 3.], [3., 4.]]);
    assert!(loaded.warnings[0].what.contains("Y_UP and is not applied"));
    let honour = Options { honour_up_axis: true, ..Options::default() };
    for (axis, expected) in
        [("Y_UP", [[1., 2.], [-4., -3.], [2., 3.]]), ("X_UP", [[-3., -2.], [-4., -3.], [1., 2.]])]
    {
        let files = crate::support::files(&[("/a.dae", &text.replace("Y_UP", axis))]);
        let mesh = load_mesh_from(&files, Path::new("/a.dae"), &honour).unwrap().value;
        assert_eq!(bounds(&mesh), expected, "{axis}");
        assert!((volume(&mesh) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn broken_dae_is_refused() {
    let good = dae("<unit meter=\"1\"/>", &cube("<translate>1 2 3</translate>"), "");
    assert!(load("a.dae", &good).is_ok());
    for (from, to, words) in [
        ("<translate>1 2 3", "<translate>1 2", "does not hold the finite numbers"),
        ("<translate>1 2 3", "<translate>1 2 nan", "does not hold the finite numbers"),
        (
            "<translate>1 2 3</translate>",
            "<skew>1 0 0 0 1 0 0</skew>",
            "is a transform that is not supported",
        ),
        ("<translate>1 2 3</translate>", "<rotate>0 0 0 30</rotate>", "does not hold the finite numbers"),
        ("<translate>1 2 3</translate>", "<instance_node url=\"#n\"/>", "nested too deep"),
        ("instance_geometry url=\"#g\"", "instance_geometry url=\"#h\"", "does not name a <geometry>"),
        (
            "instance_geometry url=\"#g\"",
            "instance_geometry url=\"other.dae#g\"",
            "does not name a <geometry>",
        ),
        (
            "instance_visual_scene url=\"#s\"",
            "instance_visual_scene url=\"#t\"",
            "does not name a <visual_scene>",
        ),
        ("meter=\"1\"", "meter=\"0\"", "is not a positive number of metres"),
        ("9  0 0 0", "9  0 0 x", "value 4 of \"x\" is not a finite number"),
        ("count=\"8\"", "count=\"9\"", "claims more points than the 8 that are there"),
        ("stride=\"3\"", "stride=\"0\"", "does not give three coordinates"),
        ("stride=\"3\"", "stride=\"2\"", "does not give three coordinates"),
        ("offset=\"1\" stride", "offset=\"-1\" stride", "is not a whole number"),
        ("3 0 4 ", "3 0 8 ", "index \"8\" is not one of its 8 vertices"),
        ("3 0 4 ", "3 0 ", "ends in the middle of a triangle"),
        ("<triangles count=\"2\"", "<triangles count=\"3\"", "claims 3 polygons but holds 2"),
        ("<vcount>4 4", "<vcount>4 5", "asks for more corners than are there"),
        ("<vcount>4 4", "<vcount>4 3", "asks for fewer corners than are there"),
        ("<p>0 1 5 4</p>", "<ph><p>0 1 5 4</p><h>0 1 2</h></ph>", "polygons with holes"),
        ("source=\"#p\"", "source=\"#zz\"", "does not name a <source>"),
        ("source=\"#v\"", "source=\"#zz\"", ""),
        ("Z_UP", "W_UP", "is not X_UP, Y_UP or Z_UP"),
        ("<mesh>", "<brep>", "not well-formed XML"),
    ] {
        let broken = good.replacen(from, to, 1);
        assert_ne!(broken, good, "{from}");
        match load("a.dae", &broken) {
            // The first use of the vertices is that of the lines, which are passed over.
            Ok(_) => assert_eq!(words, ""),
            Err(faults) => assert!(faults.to_string().contains(words), "{words}: {faults}"),
        }
    }
}

#[test]
fn a_text_may_end_as_texts_of_dos_do() {
    let obj = "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n";
    let plain = load("a.obj", obj).unwrap().value;
    for end in ["\x1a", "\x1a\r\n", "\x1a\x1a\n\x1a"] {
        assert_eq!(load("a.obj", &format!("{obj}{end}")).unwrap().value, plain, "{end:?}");
        let stl = text("\n");
        assert_eq!(load("a.stl", &format!("{stl}{end}")).unwrap().value, load("a.stl", &stl).unwrap().value);
    }
    refused("within", load("a.obj", &obj.replace("f 1", "\x1a\nf 1")), &[]);
}
