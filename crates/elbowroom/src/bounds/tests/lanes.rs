//! Four pairs of capsules at once against one at a time.

use crate::bounds::ball::Ball;
use crate::bounds::capsule::Capsule;
use crate::bounds::lanes::*;
use crate::rng::Rng;
use elbowroom_describe::math::{Vec3, vec3};
use std::vec;
use std::vec::Vec;

fn capsule(size: f64, rng: &mut Rng) -> Capsule {
    let (a, mut b) = (rng.point(size), rng.point(size));
    match rng.below(8) {
        0 => b = a,
        1 => b = a + Vec3::X * size,
        2 => b = a + (b - a) * 1e-9,
        _ => {}
    }
    Capsule { a, b, radius: size * rng.decades(-3.0, -0.5) }
}

/// The signed distance of two capsules, to rounding.
fn distance(a: &Capsule, b: &Capsule) -> f64 {
    let (u, v, r) = (a.b - a.a, b.b - b.a, b.a - a.a);
    let to_axis = |p: Vec3, c: &Capsule| {
        let along = c.b - c.a;
        let s = (p - c.a).dot(along) / along.norm_squared();
        (c.a + along * if s > 0.0 { s.min(1.0) } else { 0.0 } - p).norm()
    };
    let ends = [to_axis(a.a, b), to_axis(a.b, b), to_axis(b.a, a), to_axis(b.b, a)];
    let mut axes = ends.into_iter().fold(f64::INFINITY, f64::min);
    // Between the ends of both, across both.
    let n = u.cross(v);
    let (s, t) = (r.cross(v).dot(n) / n.norm_squared(), r.cross(u).dot(n) / n.norm_squared());
    if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
        axes = axes.min((a.a + u * s - (b.a + v * t)).norm());
    }
    axes - a.radius - b.radius
}

#[test]
fn capsules_as_one_by_one() {
    let rng = &mut Rng::new(1);
    let (mut apart, mut over, mut loose) = (0, 0, 0.0_f64);
    for round in 0..2_000 {
        let size = rng.decades(-3.0, 3.0);
        let capsules: Vec<Capsule> = (0..9).map(|_| capsule(size, rng)).collect();
        let records: Vec<CapsuleRecord> = capsules.iter().map(CapsuleRecord::new).collect();
        let pairs: Vec<[CapsuleId; 2]> =
            (0..round % 11).map(|_| [rng.below(9) as u32, rng.below(9) as u32].map(CapsuleId)).collect();
        let mut gaps = vec![0.0; pairs.len()];
        capsule_gaps(&records, &pairs, &mut gaps);
        for (p, g) in pairs.iter().zip(&gaps) {
            let (a, b) = (&capsules[p[0].index()], &capsules[p[1].index()]);
            let exact = distance(a, b);
            assert!(*g <= exact + 1e-13 * size, "{a:?} {b:?}: {g:e} {exact:e}");
            loose = loose.max((exact - g) / size);
            assert!(*g >= exact - 1e-7 * size, "{a:?} {b:?}: {g:e} {exact:e}");
            if exact > 0.0 { apart += 1 } else { over += 1 }
        }
    }
    assert!(apart > 1000 && over > 1000, "{apart} {over}");
    std::println!("largest shortfall of the lanes: {loose:e} of the size");
}

#[test]
fn what_is_not_finite_bounds_nothing() {
    let good = Capsule { a: Vec3::ZERO, b: Vec3::X, radius: 0.1 };
    let bad = [
        Capsule::UNBOUNDED,
        Capsule { a: vec3(f64::NAN, 0.0, 0.0), ..good },
        Capsule { b: vec3(f64::INFINITY, 0.0, 0.0), ..good },
        Capsule { radius: f64::NAN, ..good },
        Capsule { a: vec3(1e200, 0.0, 0.0), ..good },
    ];
    for b in bad {
        let records = [CapsuleRecord::new(&good), CapsuleRecord::new(&b)];
        let mut gaps = [0.0; 3];
        capsule_gaps(&records, &[[0, 1], [1, 0], [1, 1]].map(|p| p.map(CapsuleId)), &mut gaps);
        assert!(gaps.iter().all(|g| *g <= 0.0 || b.a.x == 1e200), "{b:?}: {gaps:?}");
    }
    // No records, too few results, too large numbers.
    let mut gaps = [1.0; 2];
    capsule_gaps(&[], &[[0, 0], [3, 4]].map(|p| p.map(CapsuleId)), &mut gaps);
    assert_eq!(gaps, [f64::NEG_INFINITY; 2]);
    capsule_gaps(&[CapsuleRecord::new(&good)], &[[7, 9]; 5].map(|p| p.map(CapsuleId)), &mut gaps);
    assert!(gaps.iter().all(|g| *g <= -0.2));
    // Tiny ones.
    let tiny =
        |x: f64| CapsuleRecord::new(&Capsule { a: vec3(x, 0.0, 0.0), b: vec3(x, 1e-160, 0.0), radius: 0.0 });
    capsule_gaps(&[tiny(0.0), tiny(1e-155)], &[[0, 1], [0, 0]].map(|p| p.map(CapsuleId)), &mut gaps);
    assert!(gaps.iter().all(|g| *g <= 0.0 && *g > -1e-145), "{gaps:?}");
}

/// A capsule that moves with a body still contains, as a box does around it, and its bound to a ball is one.
#[test]
fn a_placed_capsule_bounds_what_it_contains() {
    let rng = &mut Rng::new(6);
    let (mut apart, mut near) = (0, 0);
    for _ in 0..20_000 {
        let size = rng.decades(-3.0, 3.0);
        let one = capsule(size, rng);
        let at = rng.pose(size * 2.0);
        let radius =
            CapsuleRecord::posed_radius(one.radius, one.reach_from_origin(), at.translation.norm(), 0.0);
        let record = CapsuleRecord::new(&one).transform_by(&at, radius);
        assert!(radius >= one.radius && radius <= one.radius + 1e-12 * size * 10.0);
        let around = record.bounding_box();
        for s in [0.0, 0.3, 1.0] {
            let p = at.point(one.a + (one.b - one.a) * s) + rng.direction() * one.radius;
            assert!((0..3).all(|k| around.low[k] <= p[k] && p[k] <= around.high[k]), "{one:?} {at:?}");
        }
        let ball = Ball { center: rng.point(size * 2.0), radius: size * rng.decades(-2.0, 0.6) };
        let gap = record.ball_gap(&ball);
        let moved = Capsule { a: at.point(one.a), b: at.point(one.b), radius: one.radius };
        // The distance of the middle from the axis, by golden section.
        let distance = |s: f64| (moved.a + (moved.b - moved.a) * s - ball.center).norm();
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..90 {
            let (p, q) = (low + (high - low) * 0.382, low + (high - low) * 0.618);
            if distance(p) < distance(q) { high = q } else { low = p }
        }
        let truth = distance(low).min(distance(0.0)).min(distance(1.0)) - moved.radius - ball.radius;
        assert!(gap <= truth + 1e-15 * size, "{gap:e} above {truth:e}");
        assert!(gap >= truth - 1e-9 * size, "{gap:e} far below {truth:e}: {one:?} {ball:?}");
        *(if truth > 0.0 { &mut apart } else { &mut near }) += 1;
    }
    assert!(apart > 5000 && near > 1000, "{apart} {near}");
}
