//! Meshes without area and scales that flatten: one rule, whichever way the mesh comes in.

use crate::support::{files, refused};
use elbowroom_files::cases::parse_case;
use elbowroom_files::scene::load_scene_from;
use elbowroom_files::world::load_world_from;
use elbowroom_files::{Faults, Options};
use std::fmt::Write;
use std::path::Path;

/// A tetrahedron, a square in the plane z = 1, and a needle as thin as a hair.
const SOLID: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
const SQUARE: &str = "v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 1 2 3 4\n";
const NEEDLE: &str = "v 0 0 0\nv 1 0 0\nv 2 1e-8 0\nf 1 2 3\n";

type Corners = Vec<[f64; 3]>;
type Triangles = Vec<[usize; 3]>;

fn obj(corners: &[[f64; 3]], triangles: &[[usize; 3]]) -> String {
    let mut text = String::new();
    corners.iter().for_each(|[x, y, z]| writeln!(text, "v {x} {y} {z}").unwrap());
    triangles.iter().for_each(|[a, b, c]| writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1).unwrap());
    text
}

/// What readers say of one mesh file, with a scale of each axis: a URDF names it, a world file, and a scene.
fn by_every_way(mesh: &str, scale: [f64; 3]) -> [(&'static str, Result<(), Faults>); 4] {
    let [x, y, z] = scale;
    let urdf = |tag: &str| {
        format!(
            "<robot name=\"r\"><link name=\"a\"><collision><geometry>\
             <{tag} filename=\"m.obj\" scale=\"{x} {y} {z}\"/></geometry></collision></link></robot>"
        )
    };
    let world = format!(
        "[[robot]]\nurdf = \"b.urdf\"\n[[obstacle]]\nname = \"o\"\n\
         mesh = {{ file = \"m.obj\", scale = [{x:?}, {y:?}, {z:?}] }}\n"
    );
    let scene = format!(
        "name: x\nworld:\n  collision_objects:\n    - id: o\n      meshes: [{{resource: \"m.obj\", \
         dimensions: [{x}, {y}, {z}]}}]\n      mesh_poses: [{{position: [0, 0, 0]}}]\n"
    );
    let all = files(&[
        ("/r/m.obj", mesh),
        ("/r/a.urdf", &urdf("mesh")),
        ("/r/c.urdf", &urdf("convex_mesh")),
        ("/r/b.urdf", "<robot name=\"b\"><link name=\"a\"/></robot>"),
        ("/r/w.toml", &world),
        ("/r/s.yaml", &scene),
    ]);
    let options = Options::default();
    let world = |path: &str| load_world_from(&all, Path::new(path), &options).map(drop);
    let scene = load_scene_from(&all, Path::new("/r/s.yaml"), &options).map(drop);
    [
        ("urdf", world("/r/a.urdf")),
        ("convex", world("/r/c.urdf")),
        ("world", world("/r/w.toml")),
        ("scene", scene),
    ]
}

#[test]
fn a_scale_that_flattens_is_refused_however_small_it_is() {
    for scale in [0.0, 1e-300, -1e-300, 1e-13] {
        for axis in 0..3 {
            let mut factors = [1.0; 3];
            factors[axis] = scale;
            let words = format!(
                "flattens the mesh: thinner than 1e-12 m along {}; correct the scale",
                ["x", "y", "z"][axis]
            );
            for (way, result) in by_every_way(SOLID, factors) {
                refused(&format!("{way} {factors:?}"), result, &[&words]);
            }
        }
        for (way, result) in by_every_way(SOLID, [scale; 3]) {
            refused(&format!("{way} {scale}"), result, &["flattens the mesh: thinner than 1e-12 m along x"]);
        }
    }
    // What is flat in the file may be; so may what is thin, but no thinner than other shapes.
    for (mesh, scale) in [
        (SOLID, [1e-3; 3]),
        (SOLID, [1e-11, 1.0, -1e3]),
        (SQUARE, [1.0, 2.0, 1e-13]),
        (NEEDLE, [1e-3; 3]),
        (&SOLID.replace("v 0 0 1", "v 0 0 1e-13"), [1.0; 3]),
    ] {
        for (way, result) in by_every_way(mesh, scale) {
            assert!(result.is_ok(), "{way} {mesh} {scale:?}: {}", result.unwrap_err());
        }
    }
}

#[test]
fn a_mesh_without_area_is_refused_whatever_makes_it_one() {
    let line = |t: f64| [0.1 + 0.3 * t, 0.7 + 0.1 * t, -0.3 + 0.7 * t];
    let meshes: [(&str, Corners, Triangles); 4] = [
        ("a segment", vec![[0.0; 3], [1.0, 0.0, 0.0]], vec![[0, 1, 1], [0, 0, 1]]),
        ("a point", vec![[1.0, 2.0, 3.0]; 3], vec![[0, 1, 2]]),
        ("on a line", [0.0, 1.0, 2.0, 0.7].map(line).to_vec(), vec![[0, 1, 2], [1, 2, 3]]),
        (
            "lines in all directions",
            vec![
                [0.0; 3],
                [1.0, 0.0, 0.0],
                [2.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [0.0, 3.0, 0.0],
                [0.0, 0.0, 2.0],
            ],
            vec![[0, 1, 2], [0, 3, 4], [0, 5, 5]],
        ),
    ];
    for (name, corners, triangles) in meshes {
        for (way, result) in by_every_way(&obj(&corners, &triangles), [1.0; 3]) {
            let faults = refused(
                &format!("{name}, {way}"),
                result,
                &["/r/m.obj: this mesh holds ", "degenerate triangle"],
            );
            assert!(faults.to_string().contains(", nothing else; export the mesh again"), "{faults}");
        }
        let case = format!(
            "{{\"a\":{{\"type\":\"mesh\",\"vertices\":{corners:?},\"triangles\":{triangles:?}}},\
             \"b\":{{\"type\":\"sphere\",\"radius\":1}}}}"
        );
        let (_, text) = parse_case(&case).unwrap_err();
        assert!(
            text.contains("the mesh holds") && text.contains("nothing else; export the mesh again"),
            "{text}"
        );
    }
}
