//! Pegs in holes that are a little too tight, or that touch the wall of one that is not: meshes of 6, 24 and
//! 64 sides in frames of their own, so that nothing is exact in floating point.

use crate::support::engine::{ask, compile_unpadded};
use crate::support::number_from_environment;
use crate::support::rng::Rng;
use crate::support::turned::{peg_mesh, polygon, ring_mesh};
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Mat3, Transform, Vec3, sin_cos, vec3};
use elbowroom_pair::{Clearance, Effort, Query, Scratch, Shape, Stop, Warm, clearance};
use std::f64::consts::TAU;

/// Half the height of the hole, and half the length of the peg (metres).
const HALF: [f64; 2] = [0.2, 1.0];
/// How far the sides of the hole are from its axis (metres).
const HOLE: f64 = 0.5;

pub fn frame(rng: &mut Rng) -> Transform {
    Transform::new(Mat3::from_quat_wxyz(rng.quaternion()).unwrap(), rng.point(2.0))
}

/// A mesh in another frame.
pub fn seen_from(mesh: &ShapeDescription, frame: &Transform) -> ShapeDescription {
    let ShapeDescription::Mesh { vertices, triangles } = mesh else { panic!("no mesh: {mesh:?}") };
    let place = |v: &[f64; 3]| frame.inverse().point(Vec3::from(*v)).to_array();
    ShapeDescription::Mesh { vertices: vertices.iter().map(place).collect(), triangles: triangles.clone() }
}

/// A peg in the hole. Its sides are `apothem` from its axis, and it is moved by `aside` towards one of the
/// hole.
fn depth(sides: u32, apothem: f64, aside: f64, effort: Effort, rng: &mut Rng) -> Clearance {
    let hole = ring_mesh(&polygon(sides, HOLE), &polygon(sides, 2.0 * HOLE), [-HALF[0], HALF[0]]);
    let peg = peg_mesh(&polygon(sides, apothem), [-HALF[1], HALF[1]]);
    let (own, other) = (frame(rng), frame(rng));
    let (a, b) = (compile_unpadded(&seen_from(&peg, &own)), compile_unpadded(&seen_from(&hole, &other)));
    let (sine, cosine) = sin_cos(TAU / f64::from(sides));
    let moved = Transform::new(own.rotation, own.translation + vec3(cosine, sine, 0.0) * aside);
    let mut scratch = Scratch::new(a.mesh_depth().max(b.mesh_depth()));
    let query = Query { depth: effort, ..Query::default() };
    clearance(&a, &b, &moved.relative(&other), &query, &mut Warm::default(), &mut scratch)
}

#[test]
fn a_peg_that_touches_one_wall_comes_out_straight_from_it() {
    let mut rng = Rng::new(1);
    for sides in [6, 24, 64] {
        for overlap in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
            for effort in [Effort::Ordinary, Effort::TIGHT] {
                let c = depth(sides, HOLE - 0.02, 0.02 + overlap, effort, &mut rng);
                let what = format!("{sides} sides, {overlap:e}, {effort:?}: {c:?}");
                assert!(c.interval.contains(-overlap), "{what}");
                // Parts of the meshes are smaller by some nanometres, and roundings are as large as these.
                let most = if effort == Effort::TIGHT { 1.011 } else { 1.26 };
                assert!(c.interval.lower > -overlap * most - 1e-8, "{what}");
                if effort == Effort::TIGHT {
                    assert!(c.interval.upper < -overlap / most + 1e-8, "{what}");
                }
            }
        }
    }
}

#[test]
fn a_peg_that_is_too_thick_comes_out_along_its_axis_only() {
    let mut rng = Rng::new(2);
    let truth = HALF[0] + HALF[1];
    let mut narrow = 0;
    for sides in [6, 24, 64] {
        for excess in [1e-2, 1e-3, 1e-4, 1e-5, 1e-7] {
            for effort in [Effort::Ordinary, Effort::TIGHT] {
                let c = depth(sides, HOLE + excess, 0.0, effort, &mut rng);
                let what = format!("{sides} sides, {excess:e}, {effort:?}: {c:?}");
                assert!(c.stop == Stop::Bracketed && c.interval.contains(-truth), "{what}");
                assert!(c.interval.lower > -truth * 1.000_001, "{what}");
                assert!(c.interval.upper <= -excess * 0.99 + 1e-8, "{what}");
                if effort == Effort::TIGHT && excess >= 1e-3 {
                    narrow += u32::from(c.interval.upper < -truth * 0.99);
                }
                // What help promises, in counts: a look costs thirty of the forty thousand units of work.
                assert!(c.steps < 1500, "{what}");
            }
        }
    }
    assert!(narrow >= 4, "{narrow} of 6 are known to a hundredth");
}

#[test]
fn a_peg_that_fits_is_as_far_from_the_wall_as_it_is() {
    let mut rng = Rng::new(3);
    for sides in [6, 24, 64] {
        for gap in [1e-2, 1e-4, 1e-6, 1e-7] {
            for (apothem, aside) in [(HOLE - gap, 0.0), (HOLE - 0.02, 0.02 - gap)] {
                let c = depth(sides, apothem, aside, Effort::Ordinary, &mut rng);
                assert!(c.interval.contains(gap) && c.interval.width() < 1e-9, "{sides} {gap:e}: {c:?}");
            }
        }
    }
}

/// A peg with play that crosses a wall by more or less than the play: what leads out ends in a space as wide
/// as the play. Where a hole has many faces, several are crossed at once, and some ways out stay long.
#[test]
fn a_peg_with_little_play_comes_out_straight_from_the_wall() {
    let mut rng = Rng::new(4);
    let (mut all, mut long) = ([0; 2], [0; 2]);
    for sides in [6, 24, 64] {
        for play in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
            for overlap in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
                for (which, effort) in [Effort::Ordinary, Effort::TIGHT].into_iter().enumerate() {
                    let c = depth(sides, HOLE - play, play + overlap, effort, &mut rng);
                    let what =
                        format!("{sides} sides, play {play:e}, overlap {overlap:e}, {effort:?}: {c:?}");
                    assert!(c.interval.contains(-overlap), "{what}");
                    let most = [1.26, 1.011][which];
                    let is_long = c.interval.lower < -overlap * most - 1e-8;
                    assert!(!is_long || sides > 6, "{what}");
                    (all[which], long[which]) = (all[which] + 1, long[which] + u32::from(is_long));
                }
            }
        }
    }
    assert!(long[0] * 5 < all[0] && long[1] * 10 < all[1], "{long:?} of {all:?} are long");
}

/// A peg that fits into a hole, turned and tilted a little as its play allows, and moved aside by more than
/// that: the bodies, where the hole is as the peg sees it, and a way out.
fn press_peg(play: f64, overlap: f64, rng: &mut Rng) -> (Shape, Shape, Transform, Vec3) {
    let sides = rng.pick(&[3, 4, 6, 12, 24, 64]);
    let (radius, half_hole, half_peg) = (rng.range(0.1, 0.6), rng.range(0.05, 0.4), rng.range(0.3, 1.2));
    let hole = ring_mesh(&polygon(sides, radius), &polygon(sides, 2.0 * radius), [-half_hole, half_hole]);
    let peg = peg_mesh(&polygon(sides, radius - play), [-half_peg, half_peg]);
    let (own, other) = (frame(rng), frame(rng));
    let (a, b) = (compile_unpadded(&seen_from(&peg, &own)), compile_unpadded(&seen_from(&hole, &other)));
    let aside = |rng: &mut Rng| {
        let (sine, cosine) = sin_cos(rng.range(0.0, TAU));
        vec3(cosine, sine, 0.0)
    };
    let share = rng.pick(&[0.0, 0.25]);
    let lean = aside(rng) * (rng.range(0.0, share) * play / half_hole);
    let turn = Vec3::Z * (rng.range(0.0, share) * play / radius);
    let half = (lean + turn) * 0.5;
    let lean = Mat3::from_quat_wxyz([1.0, half.x, half.y, half.z]).unwrap();
    let inside = Transform::new(lean, vec3(0.0, 0.0, rng.range(-0.2, 0.2) * half_peg));
    let way = (aside(rng) + Vec3::Z * rng.pick(&[0.0, 0.2, -0.3])) * (overlap + play);
    let fits = inside * own;
    let moved = Transform::new(fits.rotation, fits.translation + way);
    let free = ask(&a, &b, &fits.relative(&other), &Query::default());
    assert!(free.interval.lower > 0.0, "{sides} {play:e}: {free:?}");
    (a, b, moved.relative(&other), way)
}

#[test]
fn a_peg_that_is_pressed_into_walls_of_a_tight_hole_comes_out_by_the_short_way() {
    let mut rng = Rng::new(77);
    let (mut told, mut long) = ([0; 5], [Vec::new(), Vec::new()]);
    let count = number_from_environment("ELBOWROOM_TIGHT", 400) as usize;
    for _ in 0..count {
        let (play, overlap) = (rng.decades(-7.0, -2.0), rng.decades(-7.0, -2.0));
        let (a, b, pose, way) = press_peg(play, overlap, &mut rng);
        let depth = |depth| ask(&a, &b, &pose, &Query { depth, ..Query::default() });
        let ordinary = depth(Effort::Ordinary);
        if ordinary.interval.upper >= 0.0 {
            continue;
        }
        told[(-2.0 - play.log10()) as usize] += 1;
        for (k, (c, most)) in [(ordinary, 1.26), (depth(Effort::TIGHT), 1.02)].into_iter().enumerate() {
            // Nor can any translation that is shorter by the overlap's rounding lead out.
            assert!(c.interval.upper >= -way.norm() * (1.0 + 1e-6) - 1e-12, "{c:?} {way:?}");
            if c.interval.lower < -way.norm() * most - 2e-8 {
                long[k].push(format!("{play:e} {overlap:e} {way:?}: {c:?}"));
            }
        }
    }
    let all: usize = told.iter().sum();
    assert!(told.iter().all(|n| *n * 12 > count), "{told:?}");
    // Nearly all: the others hold corner to corner, or there are too many sides to go round. A twentieth, and
    // two deviations more of such a number.
    let most = 0.05 * all as f64 + 2.0 * (0.05 * all as f64).sqrt();
    let few = long.iter().all(|long| long.len() as f64 <= most);
    assert!(few, "{:?} of {told:?}: {long:#?}", [long[0].len(), long[1].len()]);
}
