//! Solids that are not convex and overlap: the depth is only bracketed, the answer says so, and its normal
//! leads out.

use crate::support::bent::{self, LEGS};
use crate::support::engine;
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Transform, vec3};
use elbowroom_pair::{Ask, Clearance, Query, Shape, Stop};

/// An L of two unit legs a fifth thick, a fifth high.
fn ell(padding: f64) -> Shape {
    let shape = Shape::new(&bent::ell(LEGS, [0.0, 0.2]), padding).unwrap();
    assert!(shape.mesh().unwrap().is_closed());
    shape
}

fn ask(a: &Shape, b: &Shape, pose: &Transform, ask: Ask) -> Clearance {
    let cutoff = if ask == Ask::Distance { f64::INFINITY } else { 0.0 };
    engine::ask(a, b, pose, &Query { ask, cutoff, ..Query::default() })
}

/// The answer is a bracket, and moving A along the normal by the depth at most frees it.
fn leads_out(a: &Shape, b: &Shape, pose: &Transform, what: &str) {
    let c = ask(a, b, pose, Ask::Distance);
    assert_eq!(c.stop, Stop::Bracketed, "{what}: {c:?}");
    assert!(c.interval.lower < c.interval.upper && c.interval.upper < 0.0, "{what}: {c:?}");
    // B goes the other way than A would.
    let out = c.normal * c.interval.lower;
    let moved = Transform::new(pose.rotation, pose.translation + out * (1.0 + 1e-9));
    let free = ask(a, b, &moved, Ask::Distance);
    assert!(free.interval.upper > 0.0 && free.interval.lower > -1e-9, "{what}: {free:?}");
    // The yes or no question is answered in full.
    assert_eq!(ask(a, b, pose, Ask::Test).stop, Stop::Decided, "{what}");
}

#[test]
fn overlap_of_dented_solids_is_bracketed_and_its_normal_leads_out() {
    let cube = |size| Shape::new(&ShapeDescription::Box { size: [size; 3] }, 0.0).unwrap();
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
    let (l, cube) = (ell(0.0), Shape::new(&ShapeDescription::Box { size: [0.1; 3] }, 0.0).unwrap());
    let c = ask(&l, &cube, &Transform::from_translation(vec3(0.4, 0.4, 0.1)), Ask::Distance);
    assert_eq!(c.stop, Stop::Converged);
    assert!(
        c.interval.lower > 0.0 && (c.interval.upper - 0.15).abs() < 1e-9 && c.interval.width() < 1e-9,
        "{c:?}"
    );
}
