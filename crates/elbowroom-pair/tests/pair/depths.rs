//! Depths of solids that are not convex, against the exact depth of unions of boxes and against translations
//! drawn at random.

use crate::support::bent::{LEGS, ell};
use crate::support::engine::{ask, compile_unpadded};
use crate::support::rng::Rng;
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Mat3, Transform, Vec3, vec3};
use elbowroom_pair::{Ask, Clearance, Effort, Query, Shape, Stop};

pub type Boxes = Vec<[Vec3; 2]>;

/// Boxes by their lower and upper corners, as one mesh; carried over by `place`.
pub fn mesh_of_boxes(boxes: &Boxes, place: impl Fn(Vec3) -> Vec3) -> ShapeDescription {
    const QUADS: [[u32; 4]; 6] =
        [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for [low, high] in boxes {
        let first = vertices.len() as u32;
        for k in 0..8 {
            let pick = |axis: usize| if k >> (2 - axis) & 1 == 0 { low[axis] } else { high[axis] };
            vertices.push(place(vec3(pick(0), pick(1), pick(2))).to_array());
        }
        for [a, b, c, d] in QUADS.map(|q| q.map(|v| v + first)) {
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    ShapeDescription::Mesh { vertices, triangles }
}

/// The exact depth of two unions of boxes in one frame. Moving the first by a translation in the open
/// difference of two boxes leaves them overlapping. Of the point outside all differences that is nearest to
/// the origin, each coordinate is zero or that of a face.
pub fn depth_of_boxes(a: &Boxes, b: &Boxes) -> f64 {
    let differences: Boxes = a.iter().flat_map(|p| b.iter().map(|q| [q[0] - p[1], q[1] - p[0]])).collect();
    let coordinates = |axis: usize| {
        let mut all: Vec<f64> = differences.iter().flatten().map(|v| v[axis]).collect();
        all.push(0.0);
        all
    };
    let [xs, ys, zs] = [0, 1, 2].map(coordinates);
    let mut least = f64::INFINITY;
    for &x in &xs {
        for &y in &ys {
            for &z in &zs {
                let t = vec3(x, y, z);
                let inside = |d: &[Vec3; 2]| (0..3).all(|k| d[0][k] + 1e-12 < t[k] && t[k] < d[1][k] - 1e-12);
                if t.norm() < least && !differences.iter().any(inside) {
                    least = t.norm();
                }
            }
        }
    }
    least
}

fn tight(effort: Effort) -> Query {
    Query { depth: effort, ..Query::default() }
}

/// What must hold of every bracket: the vector lies along the normal, which leads out, and no shorter
/// translation than the upper end does. Returns the width in units of the depth.
fn check(
    a: &Shape,
    b: &Shape,
    pose: &Transform,
    effort: Effort,
    rng: &mut Rng,
    what: &str,
) -> (Clearance, f64) {
    let c = ask(a, b, pose, &tight(effort));
    let what = format!("{what}, {effort:?}: {c:?}");
    assert!(c.interval.lower <= c.interval.upper && c.interval.upper < 0.0, "{what}");
    let moved = |t: Vec3| {
        let pose = Transform::new(pose.rotation, pose.translation - t);
        ask(a, b, &pose, &tight(Effort::Rough)).interval
    };
    let vector = c.witness_a - c.witness_b;
    if c.stop == Stop::Bracketed {
        assert!((vector - c.normal * c.interval.lower).norm() < 1e-12, "{what}: {vector:?}");
    }
    let out = moved(c.normal * (-c.interval.lower * (1.0 + 1e-9)));
    assert!(out.upper >= 0.0 && out.lower > -1e-9, "{what}: {out:?}");
    for _ in 0..20 {
        let t = rng.direction() * (-c.interval.upper * rng.range(0.8, 0.999_999));
        let there = moved(t);
        assert!(there.lower <= 0.0, "{what}: free after {t:?}: {there:?}");
    }
    (c, 1.0 - c.interval.upper / c.interval.lower)
}

/// Some boxes that hang together, around the origin.
fn random(rng: &mut Rng) -> Boxes {
    let mut boxes: Boxes = Vec::new();
    for k in 0..1 + rng.below(4) {
        let half = vec3(rng.range(0.05, 0.6), rng.range(0.05, 0.6), rng.range(0.05, 0.6));
        let about = if k == 0 { Vec3::ZERO } else { (boxes[k - 1][0] + boxes[k - 1][1]) * 0.5 };
        let reach = if k == 0 { half } else { (boxes[k - 1][1] - boxes[k - 1][0]) * 0.5 + half };
        let step = vec3(rng.range(-0.9, 0.9), rng.range(-0.9, 0.9), rng.range(-0.9, 0.9));
        let at = about + reach.scaled(step) * f64::from(u8::from(k > 0));
        boxes.push([at - half, at + half]);
    }
    boxes
}

fn shifted(boxes: &Boxes, by: Vec3) -> Boxes {
    boxes.iter().map(|b| b.map(|corner| corner + by)).collect()
}

#[test]
fn brackets_of_unions_of_boxes_hold_their_exact_depth() {
    let mut rng = Rng::new(31);
    let (mut overlaps, mut bracketed) = (0, 0);
    let (mut widths, mut ordinary) = (Vec::new(), Vec::new());
    while overlaps < 200 {
        let (a, b) = (random(&mut rng), shifted(&random(&mut rng), rng.point(0.8)));
        let truth = depth_of_boxes(&a, &b);
        if truth < 1e-3 {
            continue;
        }
        overlaps += 1;
        // Both turned together, and the second in a frame of its own.
        let turn = Mat3::from_quat_wxyz(rng.quaternion()).unwrap();
        let own = Transform::new(Mat3::from_quat_wxyz(rng.quaternion()).unwrap(), rng.point(2.0));
        let back = own.inverse();
        let shapes = [mesh_of_boxes(&a, |p| turn * p), mesh_of_boxes(&b, |p| back.point(turn * p))]
            .map(|m| compile_unpadded(&m));
        for (efforts, widths) in [(Effort::Ordinary, &mut ordinary), (Effort::TIGHT, &mut widths)] {
            let what = format!("{a:?} {b:?}, depth {truth}");
            let (c, width) = check(&shapes[0], &shapes[1], &own, efforts, &mut rng, &what);
            assert!(c.interval.lower <= -truth + 1e-9 && -truth - 1e-9 <= c.interval.upper, "{what}: {c:?}");
            if c.stop == Stop::Bracketed {
                bracketed += 1;
                widths.push(width);
            }
        }
    }
    assert!(bracketed > 250, "{bracketed}");
    let share = |widths: &mut Vec<f64>, share: f64| {
        widths.sort_by(f64::total_cmp);
        widths[(widths.len() as f64 * share) as usize]
    };
    let told = [0.5, 0.9].map(|s| (share(&mut ordinary, s), share(&mut widths, s)));
    assert!(told[0].0 < 0.18 && told[1].0 < 0.8, "{told:?}");
    assert!(told[0].1 < 0.01 && told[1].1 < 0.5, "{told:?}");
}

#[test]
fn pegs_in_slots_come_out_the_way_they_went_in() {
    let mut rng = Rng::new(5);
    let bar = |low: [f64; 3], high: [f64; 3]| [Vec3::from(low), Vec3::from(high)];
    // A U, a comb, and a tube of four walls with a floor.
    let u = vec![
        bar([-1.0, -1.0, 0.0], [1.0, 1.0, 0.2]),
        bar([-1.0, -1.0, 0.2], [-0.3, 1.0, 1.2]),
        bar([0.3, -1.0, 0.2], [1.0, 1.0, 1.2]),
    ];
    let mut comb = vec![bar([-1.0, -0.5, 0.0], [1.0, 0.5, 0.2])];
    comb.extend((0..5).map(|k| {
        let x = -0.9 + 0.4 * f64::from(k);
        bar([x, -0.5, 0.2], [x + 0.15, 0.5, 0.8])
    }));
    let tube = vec![
        bar([-1.0, -1.0, 0.0], [1.0, 1.0, 0.1]),
        bar([-1.0, -1.0, 0.1], [-0.8, 1.0, 1.0]),
        bar([0.8, -1.0, 0.1], [1.0, 1.0, 1.0]),
        bar([-0.8, -1.0, 0.1], [0.8, -0.8, 1.0]),
        bar([-0.8, 0.8, 0.1], [0.8, 1.0, 1.0]),
    ];
    let mut told = 0;
    for (name, walls, peg, at) in [
        ("too wide for the U", &u, vec![bar([-0.32, -0.4, 0.0], [0.32, 0.4, 2.0])], vec3(0.0, 0.0, 0.25)),
        ("beside the slot", &u, vec![bar([-0.25, -0.4, 0.0], [0.25, 0.4, 2.0])], vec3(0.1, 0.0, 0.5)),
        (
            "slabs",
            &vec![bar([-1.0, -1.0, -0.1], [1.0, 1.0, 0.1])],
            vec![bar([-1.0, -0.1, -1.0], [1.0, 0.1, 1.0])],
            vec3(0.1, 0.2, 0.5),
        ),
        ("through the floor", &u, vec![bar([-0.25, -0.2, 0.0], [0.25, 0.2, 1.0])], vec3(0.0, 0.0, 0.1)),
        ("comb in comb", &comb, comb.clone(), vec3(0.1, 0.05, 0.3)),
        ("tube in tube", &tube, tube.clone(), vec3(0.3, 0.2, 0.5)),
    ] {
        let peg = shifted(&peg, at);
        let truth = depth_of_boxes(&peg, walls);
        let turn = Mat3::from_rpy(0.3, -0.7, 1.1);
        let shapes = [mesh_of_boxes(&peg, |p| turn * p), mesh_of_boxes(walls, |p| turn * p)]
            .map(|m| compile_unpadded(&m));
        for [p, q] in [[0, 1], [1, 0]] {
            let (c, width) =
                check(&shapes[p], &shapes[q], &Transform::IDENTITY, Effort::TIGHT, &mut rng, name);
            assert!(c.interval.lower <= -truth + 1e-9 && -truth - 1e-9 <= c.interval.upper, "{name}: {c:?}");
            // Parts end at the faces between the boxes of a body; where two regions of translations meet and
            // do not overlap, no cube that both share is proved.
            let most = if name.contains(" in ") { 0.6 } else { 0.0101 };
            assert!(width < most, "{name}, depth {truth}: {c:?}");
            told += 1;
        }
    }
    assert_eq!(told, 12);
}

#[test]
fn round_and_padded_bodies_come_out_of_a_notch() {
    let mut rng = Rng::new(9);
    let l = ell(LEGS, [-1.0, 1.0]);
    let notched = compile_unpadded(&l);
    // From the inner edge at (0.2, 0.2): out of both legs at once, by the diagonal.
    let ball = compile_unpadded(&ShapeDescription::Sphere { radius: 0.6 });
    let at = Transform::from_translation(vec3(0.7, 0.7, 0.0));
    let truth = 0.1 * core::f64::consts::SQRT_2;
    for (a, b, pose) in [(&notched, &ball, at), (&ball, &notched, at.inverse())] {
        let (c, width) = check(a, b, &pose, Effort::TIGHT, &mut rng, "a ball");
        assert!(c.interval.contains(-truth) && width < 0.01, "{c:?}");
        let (c, width) = check(a, b, &pose, Effort::Ordinary, &mut rng, "a ball");
        assert!(c.interval.contains(-truth) && width < 0.2, "{c:?}");
    }
    // A tenth of padding in the place of as much of the ball's radius; and a padded mesh against a mesh.
    let padded = Shape::new(&l, 0.1).unwrap();
    let smaller = compile_unpadded(&ShapeDescription::Sphere { radius: 0.5 });
    let (c, width) = check(&padded, &smaller, &at, Effort::TIGHT, &mut rng, "padded");
    assert!(c.interval.contains(-truth) && width < 0.01, "{c:?}");
    let rod = compile_unpadded(&ShapeDescription::Cylinder { radius: 0.45, length: 1.0 });
    let mut narrow = 0;
    for _ in 0..40 {
        let pose = Transform::new(
            Mat3::from_quat_wxyz(rng.quaternion()).unwrap(),
            vec3(rng.range(0.0, 0.7), rng.range(0.0, 0.7), rng.range(-0.8, 0.8)),
        );
        for body in [&rod, &padded, &ball] {
            if ask(&padded, body, &pose, &tight(Effort::Rough)).interval.upper < -1e-3 {
                let (_, width) = check(&padded, body, &pose, Effort::TIGHT, &mut rng, "notched");
                narrow += u32::from(width < 0.01);
                check(body, &padded, &pose.inverse(), Effort::Ordinary, &mut rng, "notched");
            }
        }
    }
    assert!(narrow > 60, "{narrow}");
}

/// Sizes and places that are exact in floating point, and symmetric, as in drawings.
#[test]
fn a_ball_in_the_middle_of_a_notch_is_as_deep_as_beside_it() {
    let mut rng = Rng::new(4);
    let outline = [[-1.0, -1.0], [1.0, -1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [-1.0, 1.0]];
    for (half, radius) in [(0.5, 0.6), (0.4999, 0.6), (0.3, 0.6), (0.8, 0.6), (0.5, 0.55), (0.5, 0.7)] {
        let notched = compile_unpadded(&ell(outline, [-half, half]));
        let ball = compile_unpadded(&ShapeDescription::Sphere { radius });
        let at = Transform::from_translation(vec3(0.5, 0.5, 0.0));
        let truth = (radius - 0.5) * core::f64::consts::SQRT_2;
        for (a, b, pose) in [(&notched, &ball, at), (&ball, &notched, at.inverse())] {
            let (c, width) = check(a, b, &pose, Effort::TIGHT, &mut rng, "in a notch");
            assert!(c.interval.contains(-truth) && width < 0.01, "{half} {radius}: {c:?}");
        }
    }
}

#[test]
fn a_depth_is_as_narrow_as_is_asked() {
    let l = compile_unpadded(&ell(LEGS, [0.0, 0.2]));
    let pose = Transform::from_xyz_rpy([0.31, 0.27, 0.05], [0.1, 0.2, 0.7]);
    let width = |depth| ask(&l, &l, &pose, &Query { depth, ..Query::default() }).interval.width();
    let rough = width(Effort::Rough);
    let mut last = rough;
    for share in [0.15, 0.05, 0.02, 0.0095] {
        let c = ask(&l, &l, &pose, &Query { depth: Effort::Within(share), ..Query::default() });
        let now = c.interval.width();
        assert!(now <= last && now <= -share * c.interval.lower * 1.01, "{share}: {now} {last}");
        last = now;
    }
    assert!(last < 0.1 * rough && width(Effort::Ordinary) < rough);
    assert_eq!(width(Effort::Within(f64::NAN)), width(Effort::TIGHT));
    assert_eq!(width(Effort::Within(-1.0)), width(Effort::Within(1e-9)));
    // A yes or no does not pay for it.
    let asked = |depth| ask(&l, &l, &pose, &Query { ask: Ask::Test, cutoff: 0.0, depth, ..Query::default() });
    assert_eq!(asked(Effort::TIGHT), asked(Effort::Rough));
}

#[test]
fn two_triangles_that_cross_have_an_exact_depth() {
    let mut rng = Rng::new(12);
    let mut crossing = 0;
    for _ in 0..300 {
        let mut triangle = || {
            let vertices = [(); 3].map(|()| rng.point(1.0).to_array()).to_vec();
            compile_unpadded(&ShapeDescription::Mesh { vertices, triangles: vec![[0, 1, 2]] })
        };
        let (a, b) = (triangle(), triangle());
        let c = ask(&a, &b, &Transform::IDENTITY, &Query::default());
        assert!(c.stop != Stop::Bracketed && c.interval.width() < 1e-9, "{c:?}");
        crossing += u32::from(c.interval.upper <= 1e-12);
    }
    assert!(crossing > 30, "{crossing}");
}
