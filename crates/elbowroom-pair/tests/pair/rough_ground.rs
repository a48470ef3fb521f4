//! Convex bodies that are sunk into rough ground and into concave solids: how long the way out is that an
//! ordinary depth tells.

use crate::support::bent::{LEGS, bent, ell};
use crate::support::engine::{ask, compile_unpadded};
use crate::support::rng::Rng;
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Mat3, Transform, vec3};
use elbowroom_pair::{Effort, Query, Stop};

/// Squares along a side of the ground.
const SIDE: u32 = 11;

/// Open ground of 242 triangles over a square of half side 1; heights are random up to `rough`.
pub fn ground(rng: &mut Rng, rough: f64) -> ShapeDescription {
    let along = |k: u32| 2.0 * f64::from(k) / f64::from(SIDE) - 1.0;
    let corners = (0..=SIDE).flat_map(|i| (0..=SIDE).map(move |j| [along(i), along(j)]));
    let vertices = corners.map(|[x, y]| [x, y, rough * rng.range(-1.0, 1.0)]).collect();
    let at = |i: u32, j: u32| i * (SIDE + 1) + j;
    let square = |i: u32, j: u32| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    let triangles = (0..SIDE).flat_map(|i| (0..SIDE).flat_map(move |j| square(i, j))).collect();
    ShapeDescription::Mesh { vertices, triangles }
}

/// A ball, a box or a cylinder.
fn convex(rng: &mut Rng) -> ShapeDescription {
    let r = rng.range(0.05, 0.4);
    match rng.below(4) {
        0 => ShapeDescription::Box { size: [r, 1.5 * r, 2.0 * r] },
        1 => ShapeDescription::Cylinder { radius: r, length: 2.0 * r },
        _ => ShapeDescription::Sphere { radius: r },
    }
}

#[test]
fn an_ordinary_way_out_is_at_most_a_quarter_too_long() {
    let mut rng = Rng::new(8);
    let (mut told, mut long) = ([0, 0], Vec::new());
    for k in 0..6000 {
        let rough = rng.pick(&[0.02, 0.05, 0.1, 0.2]);
        let body = convex(&mut rng);
        let turn = Mat3::from_quat_wxyz(rng.quaternion()).unwrap();
        let (concave, at) = if k % 2 == 0 {
            let at = vec3(rng.range(-0.8, 0.8), rng.range(-0.8, 0.8), rng.range(-0.2, 0.4));
            (ground(&mut rng, rough), at)
        } else {
            let at = vec3(rng.range(-0.1, 1.1), rng.range(-0.1, 1.1), rng.range(-0.6, 0.6));
            (if k % 4 == 1 { ell(LEGS, [-0.5, 0.5]) } else { bent(0.5) }, at)
        };
        let (a, b, pose) = (compile_unpadded(&concave), compile_unpadded(&body), Transform::new(turn, at));
        let depth = |depth| ask(&a, &b, &pose, &Query { depth, ..Query::default() });
        let ordinary = depth(Effort::Ordinary);
        if ordinary.stop != Stop::Bracketed || ordinary.interval.upper >= 0.0 {
            continue;
        }
        told[k % 2] += 1;
        // Where the bracket itself says so, nothing else need be asked.
        if ordinary.interval.lower < 1.25 * ordinary.interval.upper {
            let tight = depth(Effort::TIGHT);
            if ordinary.interval.lower < 1.25 * tight.interval.lower {
                long.push(format!("{rough} {body:?} {pose:?}: {ordinary:?} {tight:?}"));
            }
        }
    }
    assert!(told[0] > 1000 && told[1] > 1000, "{told:?}");
    assert!(1000 * long.len() <= told[0] + told[1], "{} of {told:?}: {long:#?}", long.len());
}

#[test]
fn out_of_a_notch_it_is_straight_through_the_nearest_face() {
    // A groove between two legs; a ball in one of them, nearest to the groove's wall.
    let notched = compile_unpadded(&ell(LEGS, [-1.0, 1.0]));
    let ball = compile_unpadded(&ShapeDescription::Sphere { radius: 0.15 });
    for depth in [Effort::Ordinary, Effort::TIGHT] {
        let pose = Transform::from_translation(vec3(0.6, 0.3, 0.1));
        let c = ask(&notched, &ball, &pose, &Query { depth, ..Query::default() });
        assert!(c.interval.contains(-0.05) && c.interval.lower > -0.05 * 1.01, "{c:?}");
    }
}
