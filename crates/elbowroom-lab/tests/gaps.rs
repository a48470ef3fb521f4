//! Bounds between primitives against the slow reference, and of those that are degenerate, moved or not
//! finite.
//!
//! A lower bound above the true distance anywhere is a fault, and so is one far below it. `ELBOWROOM_RACE`
//! sets how many placements (fifty thousand by default).

use elbowroom_testkit as support;

use elbowroom::bounds::{AlignedBox, Ball, Capsule};
use elbowroom::describe::ShapeDescription as Shape;
use elbowroom::math::{Mat3, Transform, Vec3, vec3};
use elbowroom_lab::primitives::{Kind, OrientedBox, Primitive, box_gap, primitive_gap};
use elbowroom_reference::Solid;
use support::number_from_environment;
use support::rng::Rng;
use support::slow::{prepare, truth_of};
use support::threads::run_each;

/// A primitive and the same as a described shape in a pose. What rounding makes of the one but not of the
/// other is below `1e-15` of the size.
fn random(kind: Kind, size: f64, far: f64, rng: &mut Rng) -> (Primitive, Solid, Transform) {
    let pose = rng.place(size, far);
    let [x, y, z] = [0; 3].map(|_| rng.side(size));
    let at = |p: Vec3| pose.point(p);
    match kind {
        Kind::Ball => {
            let shape = Shape::Sphere { radius: x };
            (Primitive::Ball(Ball { center: at(Vec3::ZERO), radius: x }), prepare(&shape, 0.0).unwrap(), pose)
        }
        Kind::Capsule => {
            let length = if rng.chance(0.1) { 0.0 } else { y };
            let radius = if rng.chance(0.3) { x * 0.01 } else { x };
            let h = vec3(0.0, 0.0, 0.5 * length);
            let capsule = Capsule { a: at(-h), b: at(h), radius };
            let shape = Shape::Capsule { radius, length };
            (Primitive::Capsule(capsule), prepare(&shape, 0.0).unwrap(), pose)
        }
        Kind::Oriented => {
            let b = OrientedBox { center: pose.translation, axes: pose.rotation, half: vec3(x, y, z) * 0.5 };
            (Primitive::Oriented(b), prepare(&Shape::Box { size: [x, y, z] }, 0.0).unwrap(), pose)
        }
        Kind::Aligned => {
            let (c, h) = (pose.translation, vec3(x, y, z) * 0.5);
            let b = AlignedBox { low: c - h, high: c + h };
            let pose = Transform::from_translation(b.center());
            let solid = prepare(&Shape::Box { size: b.size().to_array() }, 0.0).unwrap();
            (Primitive::Aligned(b), solid, pose)
        }
    }
}

/// One placement: the kinds, whether the two are apart and overlap, and what is wrong.
struct Outcome {
    kinds: [Kind; 2],
    apart: bool,
    overlap: bool,
    positive: bool,
    faults: Vec<String>,
}

fn run(seed: u64) -> Outcome {
    let rng = &mut Rng::new(seed);
    let kinds = [Kind::ALL[(seed % 4) as usize], Kind::ALL[(seed / 4 % 4) as usize]];
    let size = rng.decades(-3.0, 3.0);
    let far = size * rng.pick(&[0.02, 0.1, 0.4, 1.5]);
    let (a, solid_a, a_at) = random(kinds[0], size, far, rng);
    let (b, solid_b, b_at) = random(kinds[1], size * rng.decades(-1.0, 0.0), far, rng);
    let truth = truth_of(&solid_a, &solid_b, &a_at.relative(&b_at));
    let scale = truth.scale + a_at.translation.norm() + b_at.translation.norm();

    let found = primitive_gap(&a, &b);
    let mut bounds = vec![("gap", found), ("the other way around", primitive_gap(&b, &a))];
    let view = rng.pose(2.0 * size);
    bounds.push(("moved", primitive_gap(&a.transformed_by(&view, 0.0), &b.transformed_by(&view, 0.0))));
    if let (Primitive::Aligned(x), Primitive::Aligned(y)) = (&a, &b) {
        let [x, y] = [x, y].map(|b| Primitive::Oriented(OrientedBox::from_aligned(b)));
        bounds.push(("boxes as oriented ones", primitive_gap(&x, &y)));
    }

    // The reference's own error is part of its bracket; that of the pose relative to it is not.
    let (upper, lower) = (truth.upper + 2e-15 * scale, truth.lower);
    // No number is no bound either.
    let wrong = bounds.iter().filter(|(_, bound)| !(*bound <= upper));
    let mut faults: Vec<String> =
        wrong.map(|(name, bound)| format!("{name}: {bound:e} above {upper:e}: {a:?} {b:?}")).collect();
    // The reference brackets the depth of long thin boxes less sharply.
    let tight = if lower > 0.0 { 1e-12 } else { 1e-9 };
    if !(found >= lower - tight * scale - (truth.upper - lower).max(0.0)) {
        let by = (lower - found) / scale;
        faults.push(format!("{found:e} below {lower:e} by {by:e} of the scale: {a:?} {b:?}"));
    }
    Outcome { kinds, apart: lower > 0.0, overlap: truth.upper < 0.0, positive: found > 0.0, faults }
}

#[test]
fn no_gap_is_above_the_distance_and_none_far_below() {
    let n = number_from_environment("ELBOWROOM_RACE", 50_000);
    let outcomes = run_each(n as usize, |i| run(i as u64));
    let (mut failed, mut apart, mut told) = (0, 0, 0);
    let mut counts = [[[0_u64; 2]; 4]; 4];
    for (seed, o) in (0_u64..).zip(&outcomes) {
        if !o.faults.is_empty() {
            failed += 1;
            if failed <= 10 {
                println!("seed {seed}: {}", o.faults.join("; "));
            }
        }
        (apart, told) = (apart + u64::from(o.apart), told + u64::from(o.apart && o.positive));
        let count = &mut counts[o.kinds[0] as usize][o.kinds[1] as usize];
        count[1] += u64::from(o.apart);
        count[0] += u64::from(o.overlap);
    }
    println!("{n} placements, {apart} apart, {told} by their gaps");
    assert_eq!(failed, 0, "gaps above the distance or far below it, named above");
    let few = counts.iter().flatten().flatten().any(|c| *c * 400 < n);
    assert!(!few && told * 100 > apart * 99, "too few of a kind, overlapping or apart: {counts:?}");
}

#[test]
fn what_is_not_finite_bounds_nothing() {
    let nan = vec3(f64::NAN, 0.0, 0.0);
    let good = [
        Primitive::Ball(Ball { center: Vec3::X, radius: 1.0 }),
        Primitive::Capsule(Capsule { a: Vec3::X, b: Vec3::Y, radius: 1.0 }),
        Primitive::Aligned(AlignedBox { low: Vec3::ZERO, high: Vec3::X }),
        Primitive::Oriented(OrientedBox { center: Vec3::Z, axes: Mat3::IDENTITY, half: Vec3::X }),
    ];
    let inf = vec3(f64::INFINITY, 0.0, 0.0);
    for bad in [
        Primitive::Ball(Ball::UNBOUNDED),
        Primitive::Ball(Ball { center: nan, radius: 1.0 }),
        Primitive::Capsule(Capsule::UNBOUNDED),
        Primitive::Capsule(Capsule { a: nan, b: Vec3::Y, radius: 1.0 }),
        Primitive::Capsule(Capsule { a: Vec3::Z, b: inf, radius: 1.0 }),
        Primitive::Oriented(OrientedBox { center: Vec3::Z, axes: Mat3::IDENTITY, half: nan }),
        Primitive::Oriented(OrientedBox { center: Vec3::Z, axes: Mat3::IDENTITY, half: inf }),
        Primitive::Oriented(OrientedBox { center: inf, axes: Mat3::IDENTITY, half: Vec3::X }),
        Primitive::Oriented(OrientedBox {
            center: vec3(1e200, 0.0, 0.0),
            axes: Mat3::IDENTITY,
            half: Vec3::X,
        }),
    ] {
        for other in good {
            assert_eq!(primitive_gap(&bad, &other), f64::NEG_INFINITY, "{bad:?} {other:?}");
            assert_eq!(primitive_gap(&other, &bad), f64::NEG_INFINITY, "{other:?} {bad:?}");
        }
    }
    for other in good {
        assert_eq!(primitive_gap(&Primitive::Aligned(AlignedBox::EMPTY), &other), f64::INFINITY, "{other:?}");
    }
}

#[test]
fn tiny_and_degenerate_ones() {
    // Points, segments and flat boxes as boxes and capsules, of any size.
    for s in [1e-200, 1e-100, 1e-12, 1.0, 1e12] {
        let flat = OrientedBox { center: Vec3::ZERO, axes: Mat3::IDENTITY, half: vec3(s, s, 0.0) };
        let line = OrientedBox { half: vec3(s, 0.0, 0.0), ..flat };
        let along = Capsule { a: vec3(-s, 0.0, 3.0 * s), b: vec3(s, 0.0, 3.0 * s), radius: s };
        let point = Capsule { a: vec3(0.0, 0.0, 3.0 * s), b: vec3(0.0, 0.0, 3.0 * s), radius: s };
        let give = 1e-13 * s + 1e-139;
        for (b, c) in [(flat, along), (flat, point), (line, along), (line, point)] {
            let g = primitive_gap(&Primitive::Oriented(b), &Primitive::Capsule(c));
            assert!(g <= 2.0 * s && g >= 2.0 * s - give, "{s:e} {b:?} {c:?}: {g:e}");
        }
        // Crossing in a plane: no depth but that of the radii.
        let through = Capsule { a: vec3(0.0, -s, 0.0), b: vec3(0.0, s, 0.0), radius: 0.0 };
        for b in [flat, line] {
            let g = primitive_gap(&Primitive::Oriented(b), &Primitive::Capsule(through));
            assert!(g <= 0.0 && g >= -give, "{s:e} {b:?}: {g:e}");
        }
    }
}

#[test]
fn moved_ones_contain_their_images() {
    let rng = &mut Rng::new(7);
    for seed in 0..2_000_u64 {
        let size = rng.decades(-3.0, 3.0);
        let (p, _, _) = random(Kind::ALL[(seed % 4) as usize], size, size, rng);
        let (at, slack) = (rng.pose(3.0 * size), size * rng.pick(&[0.0, 1e-3]));
        let moved = p.transformed_by(&at, slack);
        assert_eq!(moved.kind(), p.kind());
        // A point of it, and anything within the slack of its image.
        let mut t = || rng.pick(&[-1.0, 1.0, -1.0, 1.0, 0.3]);
        let point = match p {
            Primitive::Ball(b) => b.center,
            Primitive::Capsule(c) => c.center() + (c.b - c.a) * (0.5 * t()),
            Primitive::Aligned(b) => b.center() + (b.size() * 0.5).scaled(vec3(t(), t(), t())),
            Primitive::Oriented(b) => b.center + b.axes * b.half.scaled(vec3(t(), t(), t())),
        };
        let radius = match p {
            Primitive::Ball(Ball { radius, .. }) | Primitive::Capsule(Capsule { radius, .. }) => radius,
            Primitive::Aligned(_) | Primitive::Oriented(_) => 0.0,
        };
        let image = Primitive::Ball(Ball { center: at.point(point), radius: radius + slack });
        let g = primitive_gap(&image, &moved);
        // Inside, with the ball touching at most: as deep as the ball is wide.
        assert!(g <= -2.0 * (radius + slack) * (1.0 - 1e-12), "{p:?} {at:?}: {g:e}");
    }
}

#[test]
fn gaps_of_boxes() {
    let at = |x: f64, y: f64, z: f64, r: f64| {
        let r = vec3(r, r, r);
        AlignedBox { low: vec3(x, y, z) - r, high: vec3(x, y, z) + r }
    };
    let one = at(0.0, 0.0, 0.0, 1.0);
    for (other, gap) in [
        (at(3.0, 0.0, 0.0, 1.0), 1.0),
        (at(5.0, 6.0, 0.0, 1.0), 5.0),
        (at(1.5, 0.0, 0.0, 1.0), -0.5),
        (at(2.0, 0.0, 0.0, 1.0), 0.0),
    ] {
        let g = box_gap(&one, &other);
        assert!(g <= gap && g >= gap - 1e-14, "{other:?}: {g}");
    }
    assert_eq!(box_gap(&one, &AlignedBox::EMPTY), f64::INFINITY);
    // Too far to be squared.
    let far = box_gap(&one, &at(0.0, 0.0, 1e160, 1.0));
    assert!(far <= 1e160 && far > 0.99e160, "{far}");
}
