//! Solids that are not convex and overlap: the depth is only bracketed, the answer says so, and its normal
//! leads out.

use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Transform, vec3};
use elbowroom::narrow::{Ask, Clearance, Query, Scratch, Stop, Warm, clearance};
use elbowroom::shape::Shape;
use elbowroom::shape_compile::compile_shape;

/// An L of two unit legs a fifth thick, a fifth high, wound outwards.
fn ell(padding: f64) -> Shape {
    let outline = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.2], [0.2, 0.2], [0.2, 1.0], [0.0, 1.0]];
    let vertices = [0.0, 0.2].iter().flat_map(|z| outline.map(|[x, y]| [x, y, *z])).collect();
    let mut triangles = vec![];
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        triangles.extend([[a, c, b], [a + 6, b + 6, c + 6]]);
    }
    for i in 0..6 {
        let j = (i + 1) % 6;
        triangles.extend([[i, j, j + 6], [i, j + 6, i + 6]]);
    }
    let shape = compile_shape(&ShapeDescription::Mesh { vertices, triangles }, padding).unwrap();
    assert!(shape.mesh().unwrap().is_closed());
    shape
}

fn ask(a: &Shape, b: &Shape, pose: &Transform, ask: Ask) -> Clearance {
    let query = Query { ask, cutoff: 0.0, ..Query::default() };
    let query = if ask == Ask::Distance { Query { cutoff: f64::INFINITY, ..query } } else { query };
    clearance(a, b, pose, &query, &mut Warm::default(), &mut Scratch::default())
}

/// The answer is a bracket, and moving A along the normal by the depth at most frees it.
fn leads_out(a: &Shape, b: &Shape, pose: &Transform, what: &str) {
    let c = ask(a, b, pose, Ask::Distance);
    assert_eq!(c.stop, Stop::Bracketed, "{what}: {c:?}");
    assert!(c.lower < c.upper && c.upper < 0.0, "{what}: {c:?}");
    // B goes the other way than A would.
    let out = c.normal * c.lower;
    let moved = Transform::new(pose.rotation, pose.translation + out * (1.0 + 1e-9));
    let free = ask(a, b, &moved, Ask::Distance);
    assert!(free.upper > 0.0 && free.lower > -1e-9, "{what}: {free:?}");
    // The yes or no question is answered in full.
    assert_eq!(ask(a, b, pose, Ask::Test).stop, Stop::Decided, "{what}");
}

#[test]
fn overlap_of_dented_solids_is_bracketed_and_its_normal_leads_out() {
    let cube = |size| compile_shape(&ShapeDescription::Box { size: [size; 3] }, 0.0).unwrap();
    for padding in [0.0, 0.05] {
        let l = ell(padding);
        let turned = Transform::from_xyz_rpy([0.31, 0.27, 0.05], [0.1, 0.2, 0.7]);
        leads_out(&l, &l, &turned, "mesh and mesh");
        let through = Transform::from_xyz_rpy([0.5, 0.1, 0.1], [0.3, 0.1, 0.2]);
        leads_out(&l, &cube(0.3), &through, "mesh and box");
        leads_out(&cube(0.3), &l, &through.inverse(), "box and mesh");
        let within = Transform::from_translation(vec3(0.5, 0.1, 0.1));
        leads_out(&l, &cube(0.05), &within, "a box inside");
    }
}

#[test]
fn what_is_free_in_a_dent_has_converged() {
    let (l, cube) = (ell(0.0), compile_shape(&ShapeDescription::Box { size: [0.1; 3] }, 0.0).unwrap());
    let c = ask(&l, &cube, &Transform::from_translation(vec3(0.4, 0.4, 0.1)), Ask::Distance);
    assert_eq!(c.stop, Stop::Converged);
    assert!(c.lower > 0.0 && (c.upper - 0.15).abs() < 1e-9 && c.upper - c.lower < 1e-9, "{c:?}");
}
