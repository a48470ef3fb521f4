//! DAE files of which ids are repeated, as the exporters of trimesh and scikit-robot write them.

use crate::support::{files, refused};
use elbowroom_files::mesh::{MeshData, load_mesh_from};
use elbowroom_files::{Faults, Loaded, Options};
use std::path::Path;

fn load(text: &str) -> Result<Loaded<MeshData>, Faults> {
    load_mesh_from(&files(&[("/a.dae", text)]), Path::new("/a.dae"), &Options::default())
}

/// A triangle whose corners have these heights, with the ids that every geometry of such a file has.
fn geometry(id: &str, z: f64) -> String {
    format!(
        "<geometry id=\"{id}\"><mesh>
<source id=\"verts-array\"><float_array id=\"verts-array-array\" count=\"9\">0 0 {z} 1 0 {z} 0 1 {z}\
</float_array><technique_common><accessor source=\"#verts-array-array\" count=\"3\" stride=\"3\"/>\
</technique_common></source>
<vertices id=\"verts\"><input semantic=\"POSITION\" source=\"#verts-array\"/></vertices>
<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#verts\" offset=\"0\"/><p>0 1 2</p></triangles>
</mesh></geometry>"
    )
}

fn scene(geometries: &str, nodes: &str, library: &str) -> String {
    format!(
        "<COLLADA><asset><up_axis>Z_UP</up_axis></asset><library_geometries>{geometries}\
         </library_geometries>{library}<library_visual_scenes><visual_scene id=\"s\">{nodes}</visual_scene>\
         </library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"
    )
}

fn placed(id: &str) -> String {
    format!("<node><instance_geometry url=\"#{id}\"/></node>")
}

fn heights(mesh: &MeshData) -> Vec<f64> {
    let mut heights: Vec<f64> = mesh.vertices.iter().map(|v| v[2]).collect();
    heights.dedup();
    heights
}

#[test]
fn each_geometry_has_its_own_sources_though_their_ids_repeat() {
    let three = [geometry("a", 1.0), geometry("b", 2.0), geometry("c", 3.0)].concat();
    let nodes = [placed("a"), placed("b"), placed("c")].concat();
    let mesh = load(&scene(&three, &nodes, "")).unwrap().value;
    assert_eq!(heights(&mesh), [1.0, 2.0, 3.0]);
    // Without a scene too.
    let unplaced = format!("<COLLADA><library_geometries>{three}</library_geometries></COLLADA>");
    assert_eq!(heights(&load(&unplaced).unwrap().value), [1.0, 2.0, 3.0]);
    // An id that is not in the geometry that asks may be another's, if that is the only one.
    let borrowed = geometry("b", 2.0).replace("source=\"#verts\"", "source=\"#only\"");
    let lender = geometry("a", 1.0).replace("\"verts\"", "\"only\"").replace("#verts\"", "#only\"");
    let mesh = load(&scene(&[lender, borrowed].concat(), &placed("b"), "")).unwrap().value;
    assert_eq!(heights(&mesh), [1.0]);
    // An accessor may take the numbers of another source.
    let other = geometry("a", 1.0).replace(
        "<vertices",
        "<source id=\"x\"><float_array id=\"far\" count=\"9\">0 0 7 1 0 7 0 1 7</float_array></source>\
         <vertices",
    );
    let far = other.replace("source=\"#verts-array-array\"", "source=\"#far\"");
    assert_eq!(heights(&load(&scene(&other, &placed("a"), "")).unwrap().value), [1.0]);
    assert_eq!(heights(&load(&scene(&far, &placed("a"), "")).unwrap().value), [7.0]);
}

#[test]
fn an_id_that_may_mean_two_things_is_refused() {
    let two = [geometry("a", 1.0), geometry("b", 2.0)].concat();
    let (a, b) = (placed("a"), placed("b"));
    let node = |id: &str, z: u8| {
        format!("<node id=\"{id}\"><translate>0 0 {z}</translate><instance_geometry url=\"#a\"/></node>")
    };
    let skin = |id: &str, of: &str| format!("<controller id=\"{id}\"><skin source=\"#{of}\"/></controller>");
    let nodes = format!("<library_nodes>{}{}</library_nodes>", node("n", 1), node("n", 2));
    let skins = format!("<library_controllers>{}{}</library_controllers>", skin("k", "a"), skin("k", "b"));
    let second =
        "<source id=\"verts-array\"><float_array count=\"9\">0 0 9 1 0 9 0 1 9</float_array></source>";
    let one = geometry("a", 1.0);
    for (text, words) in [
        (
            scene(&two.replace("geometry id=\"b\"", "geometry id=\"a\""), &a, ""),
            "its url \"#a\" names more than one <geometry>, at lines 1 and 5; give each an id of its own",
        ),
        (
            scene(&two, "<instance_node url=\"#n\"/>", &nodes),
            "its url \"#n\" names more than one <node>, at lines 9 and 9",
        ),
        (
            scene(&two, "<node><instance_controller url=\"#k\"/></node>", &skins),
            "its url \"#k\" names more than one <controller>",
        ),
        (
            scene(&one, &a, "").replace("<vertices", &format!("{second}<vertices")),
            "its source \"#verts-array\" names more than one <source>, at lines 2 and 3",
        ),
        (
            // Neither of two is in the geometry that asks.
            scene(
                &format!("{two}{}", geometry("c", 3.0).replace("id=\"verts", "id=\"other")),
                &placed("c"),
                "",
            ),
            "its source \"#verts\" names more than one <vertices>",
        ),
        (
            scene(&one, &a, "").replace("<scene>", "<visual_scene id=\"s\"/><scene>"),
            "names more than one <visual_scene>",
        ),
        (
            scene(&one, &a, "").replace(
                "<triangles count=\"1\">",
                "<triangles count=\"1\">\
             <input semantic=\"POSITION\" source=\"#verts-array\" offset=\"0\"/>",
            ),
            "is the second input of vertices here; keep one",
        ),
        (
            scene(&one, &a, "")
                .replace("</vertices>", "<input semantic=\"POSITION\" source=\"#x\"/></vertices>"),
            "is the second POSITION input of these vertices",
        ),
        (
            scene(&one, &a, "").replace("</float_array>", "</float_array><float_array>1 2 3</float_array>"),
            "is the second array of one source",
        ),
        (
            scene(&one, &a, "").replace("</asset>", "<up_axis>Y_UP</up_axis></asset>"),
            "is the second <up_axis> of this <asset>; keep one",
        ),
        (
            scene(&one, &a, "").replace(
                "stride=\"3\"/>",
                "stride=\"3\"><param name=\"X\"/><param name=\"X\"/>\
             <param name=\"Y\"/></accessor>",
            ),
            "its accessor has X twice",
        ),
    ] {
        refused(&text, load(&text), &[words]);
    }
    // What nobody looks up harms nobody: names of nodes repeat often.
    let nodes = [node("n", 1), node("n", 2), b].concat();
    assert_eq!(heights(&load(&scene(&two, &nodes, "")).unwrap().value), [2.0, 3.0]);
    // Elements of two kinds may share an id.
    let shared = scene(&one, &placed("a").replace("<node>", "<node id=\"a\">"), "");
    assert_eq!(heights(&load(&shared).unwrap().value), [1.0]);
}
