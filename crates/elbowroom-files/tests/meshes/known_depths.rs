//! Depths that are known by hand, and that the checks of [`crate::ways`] refute what is wrong by a twentieth.

use crate::bodies::convex_of;
use crate::pairs::{Other, Posed};
use crate::support::bent::{LEGS, ell};
use crate::support::rng::Rng;
use crate::support::slow;
use crate::surface::Surface;
use crate::ways::{Ways, refuted};
use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Mat3, Transform, Vec3, vec3};

fn surface(description: &ShapeDescription, by: Vec3) -> Surface {
    let ShapeDescription::Mesh { vertices, triangles } = description else { panic!("no mesh") };
    let moved: Vec<[f64; 3]> = vertices.iter().map(|v| (Vec3::from(*v) + by).to_array()).collect();
    Surface::new(&moved, triangles)
}

/// A prism over an outline in x and z, from one y to the other; `faces` are the triangles of the outline.
fn prism(outline: &[[f64; 2]], [low, high]: [f64; 2], faces: &[[u32; 3]]) -> Surface {
    let n = outline.len() as u32;
    let at = |y: f64| outline.iter().map(move |[x, z]| [*x, y, *z]);
    let vertices: Vec<[f64; 3]> = at(low).chain(at(high)).collect();
    let mut triangles: Vec<[u32; 3]> = faces.to_vec();
    triangles.extend(faces.iter().map(|t| [t[0], t[2], t[1]].map(|i| i + n)));
    for i in 0..n {
        let j = (i + 1) % n;
        triangles.extend([[i, i + n, j], [j, i + n, j + n]]);
    }
    Surface::new(&vertices, &triangles)
}

fn block(half: Vec3) -> Surface {
    let outline = [[-half.x, -half.z], [half.x, -half.z], [half.x, half.z], [-half.x, half.z]];
    prism(&outline, [-half.y, half.y], &[[0, 1, 2], [0, 2, 3]])
}

#[test]
fn known_depths_stand_and_wrong_ones_are_refuted() {
    let mut rng = Rng::new(17);
    let notched = surface(&ell(LEGS, [-1.0, 1.0]), Vec3::ZERO);
    let ball = convex_of(&ShapeDescription::Sphere { radius: 0.6 });
    // A slot from -0.3 to 0.3, as deep as z = 0.2.
    let u =
        [[-1.0, 0.0], [1.0, 0.0], [1.0, 1.2], [0.3, 1.2], [0.3, 0.2], [-0.3, 0.2], [-0.3, 1.2], [-1.0, 1.2]];
    let u = prism(&u, [-1.0, 1.0], &[[0, 5, 6], [0, 6, 7], [0, 1, 4], [0, 4, 5], [1, 2, 3], [1, 3, 4]]);
    let slab = block(vec3(1.0, 1.0, 0.1));
    let (across, peg) = (block(vec3(1.0, 0.1, 1.0)), block(vec3(0.32, 0.4, 1.0)));
    let moved = |x, y, z| Transform::new(Mat3::IDENTITY, vec3(x, y, z));
    // A, B, where B is, the radius, the way out of A, its length.
    let cases = [
        (
            "ball in a notch",
            &notched,
            ball,
            moved(0.7, 0.7, 0.0),
            0.6,
            vec3(-1.0, -1.0, 0.0),
            0.02_f64.sqrt(),
        ),
        ("slabs", &slab, Other::Surface(across), moved(0.1, 0.2, 0.5), 0.0, -Vec3::Z, 0.6),
        ("peg in a slot", &u, Other::Surface(peg), moved(0.0, 0.0, 1.25), 0.0, -Vec3::Z, 0.95),
    ];
    for (name, a, b, pose, radius, way, truth) in cases {
        let posed = Posed::new(a, &b, slow::transform(&pose));
        let mut ways = Ways::new(&posed, radius);
        let normal = way.normalized().unwrap();
        let mut ask = |lower: f64, upper: f64| refuted(&mut ways, (lower, upper, normal), &mut rng);
        for _ in 0..20 {
            let said = ask(-truth * (1.0 + 1e-9), -truth * (1.0 - 1e-9));
            assert!(said.is_empty(), "{name}: {said:?}");
        }
        assert!(!ask(-truth * 0.95, 0.0).is_empty(), "{name}: too short a way out stands");
        let refutes = (0..20).filter(|_| !ask(f64::NEG_INFINITY, -truth * 1.05).is_empty()).count();
        assert!(refutes >= 18, "{name}: too deep a claim is refuted {refutes} times");
    }
}
