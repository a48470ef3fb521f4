//! Meshes that would silently lose a part, or move it, to a reader that passes over what it does not know:
//! each is refused where it says so.

use crate::support::refused;
use elbowroom_files::mesh::{MeshData, load_mesh_from};
use elbowroom_files::source::InMemory;
use elbowroom_files::{Faults, Loaded, Options};
use std::path::{Path, PathBuf};

fn mesh(name: &str, bytes: &[u8]) -> Result<Loaded<MeshData>, Faults> {
    let files = InMemory([(PathBuf::from(name), bytes.to_vec())].into());
    load_mesh_from(&files, Path::new(name), &Options::default())
}

/// The twelve triangles of a unit cube shifted along x.
fn cube(shift: f32) -> Vec<[[f32; 3]; 3]> {
    let mut out = Vec::new();
    for axis in 0..3 {
        for side in [0.0, 1.0] {
            let corner = |u: f32, v: f32| {
                let mut p = [0.0; 3];
                (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (side, u, v);
                [p[0] + shift, p[1], p[2]]
            };
            let [a, b, c, d] = [corner(0., 0.), corner(1., 0.), corner(1., 1.), corner(0., 1.)];
            out.extend([[a, b, c], [a, c, d]]);
        }
    }
    out
}

#[test]
fn an_stl_with_more_facets_than_it_counts_is_refused() {
    let body = |count: u32, more: usize| {
        let mut out = vec![b' '; 80];
        out.extend(count.to_le_bytes());
        for facet in cube(0.0).into_iter().chain(cube(5.0)) {
            out.extend([0; 12]);
            out.extend(facet.iter().flatten().flat_map(|v| v.to_le_bytes()));
            out.extend([0, 0]);
        }
        out.extend(vec![7; more]);
        out
    };
    assert_eq!(mesh("a.stl", &body(24, 0)).unwrap().value.triangles.len(), 24);
    assert_eq!(mesh("a.stl", &body(24, 49)).unwrap().warnings.len(), 1);
    for (count, more, words) in [
        (12, 0, "its header claims 12 triangles, but 600 bytes lie behind them, room for 12 more"),
        (23, 0, "50 bytes lie behind them, room for 1 more"),
        (24, 50, "50 bytes lie behind them, room for 1 more"),
        (12, 7, "607 bytes lie behind them"),
    ] {
        let faults = refused(words, mesh("a.stl", &body(count, more)), &[words, "export the file again"]);
        assert_eq!((faults.0[0].file.as_path(), &*faults.0[0].place), (Path::new("a.stl"), "byte 80"));
    }
}

#[test]
fn no_line_of_an_obj_is_lost() {
    let points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    let read = |more: &str| mesh("a.obj", format!("{points}{more}").as_bytes());
    for more in [
        "f 1 3 2\nf 1 2 4\\",
        "f 1 3 2\nf 1 2 4 \\",
        "f 1 3 2\nf 1 2 \\\r\n4\\",
        "f 1 3 2\nf 1 2\\\n4 \\\n",
        "f 1 3 2\nf 1 2 4\nvn 0 0 1\nstep 1\nusemtl a\nlod 2\n# F 1 2 3\nl 1 2",
    ] {
        assert_eq!(read(more).unwrap().value.triangles.len(), 2, "{more}");
    }
    for (more, words) in [
        ("F 2 3 4\n", "line 6: \"F\" is not an OBJ statement; write \"f\""),
        ("V 2 3 4\n", "write \"v\""),
        ("Usemtl 2\n", "write \"usemtl\""),
        ("call more.obj\n", "line 6: \"call\" takes in what another file"),
        ("csh cat more.obj\n", "\"csh\" takes in"),
        ("curv 0 1 1 2 3\n", "\"curv\": free-form curves and surfaces are not supported"),
        ("surf 0 1 0 1 1 2\n", "\"surf\": free-form"),
        ("sp 1\n", "\"sp\": free-form"),
        ("fo 2 3 4\n", "\"fo\": free-form"),
        ("face 2 3 4\n", "\"face\" is not an OBJ statement; export the mesh again, or remove the line"),
        ("f1 2 3\n", "\"f1\" is not an OBJ statement"),
        // A continuation whose backslash went missing.
        ("f 1 2 3\n4\n", "line 7: \"4\" is not an OBJ statement"),
        ("f 1 2\\", "a face has fewer than three corners"),
    ] {
        let faults = refused(more, read(&format!("f 1 3 2\n{more}")), &[words]);
        assert!(faults.0.iter().all(|f| f.file == Path::new("a.obj") && !f.help.is_empty()), "{faults}");
    }
    // Counts of points and faces may come first.
    let counted = mesh("a.obj", format!("4 1\n{points}f 1 2 3\n").as_bytes()).unwrap();
    assert!(counted.warnings[0].what.contains("\"4\" is not an OBJ statement"), "{:?}", counted.warnings);
    refused("prose", mesh("a.obj", b"Dear all,\nhere is the mesh\n"), &["does not look like an OBJ file"]);
}

fn dae(mesh: &str, scenes: &str) -> Result<Loaded<MeshData>, Faults> {
    let text = format!(
        "<COLLADA><asset><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id=\"g\"><mesh>\
         <source id=\"p\"><float_array>0 0 0 1 0 0 0 1 0 0 0 1</float_array></source>\
         <vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\
         {mesh}</mesh></geometry></library_geometries><library_visual_scenes>{scenes}</COLLADA>"
    );
    self::mesh("a.dae", text.as_bytes())
}

#[test]
fn nothing_of_a_dae_is_lost() {
    let input = "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>";
    let part =
        |tag: &str, count: usize, rest: &str| format!("<{tag} count=\"{count}\">{input}{rest}</{tag}>");
    let one = part("triangles", 1, "<p>0 1 2</p>");
    let node = "<node><instance_geometry url=\"#g\"/></node>";
    let scene = |nodes: &str| format!("<visual_scene id=\"s\">{nodes}</visual_scene>");
    let plain = format!("{}</library_visual_scenes>", scene(node));
    let runs = "<p>0 1 2</p><p>1 2 3</p>";
    for more in [
        part("tristrips", 2, runs),
        part("trifans", 2, runs),
        part("lines", 1, "<p>0 1</p>"),
        "<extra><sheet/></extra>".into(),
        "<x:sheet xmlns:x=\"x\"/>".into(),
    ] {
        assert!(dae(&format!("{one}{more}"), &plain).is_ok(), "{more}");
    }
    for (more, words) in [
        (part("tristrips", 3, runs), "<tristrips>: claims 3 runs of triangles but holds 2"),
        (part("trifans", 3, runs), "<trifans>: claims 3 runs of triangles but holds 2"),
        (part("trianglez", 1, "<p>0 1 3</p>"), "<trianglez>: is unknown in <mesh>, and may be geometry"),
        (part("Triangles", 1, "<p>0 1 3</p>"), "<Triangles>: is unknown in <mesh>"),
        (part("spline", 1, ""), "<spline>: is unknown in <mesh>"),
        (format!("<triangles>{input}<P>0 1 3</P></triangles>"), "<P>: is unknown in <triangles>"),
        (format!("</mesh><mesh>{one}"), "<mesh>: is the second shape of one geometry"),
    ] {
        let faults = refused(&more, dae(&format!("{one}{more}"), &plain), &[words]);
        assert!(faults.0.iter().all(|f| !f.help.is_empty() && f.place.starts_with("line ")), "{faults}");
    }
    let other = "<visual_scene id=\"t\"/>";
    let stated = |ids: &[&str]| {
        let all: String = ids.iter().map(|i| format!("<instance_visual_scene url=\"#{i}\"/>")).collect();
        format!("{}{other}</library_visual_scenes><scene>{all}</scene>", scene(node))
    };
    assert!(dae(&one, &stated(&["s"])).is_ok());
    for (scenes, words) in [
        (format!("{other}{plain}"), "is the second visual scene, and no <scene> says which"),
        (stated(&[]), "is the second visual scene, and no <scene> says which"),
        (stated(&["s", "t"]), "is the second visual scene to be shown"),
        (
            format!("{}</library_visual_scenes>", scene(&format!("{node}<nod>{node}</nod>"))),
            "<nod>: is unknown in <visual_scene>",
        ),
        (
            format!(
                "{}</library_visual_scenes>",
                scene(&node.replace("</node>", "<instance_geometri/></node>"))
            ),
            "<instance_geometri>: is unknown in <node>",
        ),
    ] {
        refused(&scenes, dae(&one, &scenes), &[words]);
    }
}
