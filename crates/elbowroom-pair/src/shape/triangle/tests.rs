use super::*;
use crate::rng::Rng;
use elbowroom_describe::math::vec3;

/// Least distance by projecting back and forth between the triangles from many starts: knows nothing of
/// edges.
fn alternating(a: &Triangle, b: &Triangle) -> f64 {
    let mut best = f64::INFINITY;
    for i in 0..28 {
        let (s, t) = ((i % 7) as f64 / 6.0, (i / 7) as f64 / 3.0);
        let mut p = a[0] + (a[1] - a[0]) * (s * (1.0 - t)) + (a[2] - a[0]) * t;
        for _ in 0..300 {
            let q = nearest_point(b, p);
            p = nearest_point(a, q);
            best = best.min((p - q).norm());
        }
    }
    best
}

#[test]
fn intervals_hold_the_truth_at_every_scale() {
    let mut rng = Rng::new(21);
    let (mut apart, mut crossing, mut needles) = (0, 0, 0);
    for case in 0..4000 {
        let scale = [1e-3, 1.0, 1e3][case % 3];
        let far = rng.direction() * [0.0, 1.0, 1e3][(case / 3) % 3] * scale;
        let mut make = |spread: f64| {
            let c = rng.point(spread * scale) + far;
            let mut t = [(); 3].map(|()| c + rng.point(scale));
            match case % 7 {
                0 => t[2] = t[0] + (t[1] - t[0]) * 0.4 + rng.point(1e-12 * scale),
                1 => t[2] = t[1],
                2 => t = [t[0]; 3],
                _ => {}
            }
            t
        };
        let (a, b) = (make(0.8), make(0.8));
        let g = triangle_gap(&a, &b);
        let rounding = 1e-13 * (scale + far.norm());
        assert!(g.lower <= g.upper, "{a:?} {b:?} {g:?}");
        if g.upper < 0.0 {
            crossing += 1;
            // Moved by less than the depth, in any direction, they still meet.
            for _ in 0..20 {
                let d = rng.direction() * (-g.upper * 0.999);
                let moved = triangle_gap(&a, &b.map(|p| p + d));
                assert!(moved.lower <= rounding, "{a:?} {b:?} {g:?} {moved:?}");
            }
            // And the bound from below is a plane along which they come free.
            let free = triangle_gap(&a.map(|p| p + g.direction * (-g.lower + rounding)), &b);
            assert!(free.lower >= -rounding);
            continue;
        }
        let truth = alternating(&a, &b);
        assert!(
            g.lower <= truth + rounding && g.upper <= truth * (1.0 + 1e-9) + 1e-6 * scale,
            "{a:?} {b:?} {g:?} {truth}"
        );
        if g.lower > 0.0 {
            apart += 1;
            needles += usize::from(case % 7 < 3);
            assert!(g.upper - g.lower <= 1e-9 * scale, "{a:?} {b:?} {g:?}");
            assert!((g.point_a - g.point_b).norm() <= g.upper + rounding);
            assert!(triangle_gap(&a, &[g.point_a; 3]).upper <= rounding);
            assert!(triangle_gap(&b, &[g.point_b; 3]).upper <= rounding);
        }
    }
    assert!(apart > 1500 && crossing > 100 && needles > 500, "{apart} {crossing} {needles}");
}

#[test]
fn known_configurations() {
    let a = [vec3(0.0, 0.0, 0.0), vec3(2.0, 0.0, 0.0), vec3(0.0, 2.0, 0.0)];
    let at = |z: f64| [vec3(0.5, 0.5, z), vec3(0.5, 0.5, z + 1.0), vec3(0.7, 0.5, z + 1.0)];
    // A tip over the inside.
    for z in [1.0, 1e-3, 1e-9] {
        let g = triangle_gap(&a, &at(z));
        assert!(g.lower <= z && z <= g.upper && g.upper - g.lower < 1e-13, "{g:?}");
        assert!((g.direction + Vec3::Z).norm() < 1e-5);
    }
    // Touching: neither apart nor crossing.
    let g = triangle_gap(&a, &at(0.0));
    assert!(g.lower <= 0.0 && g.upper >= 0.0 && g.upper < 1e-13, "{g:?}");
    // Piercing by a tenth.
    let g = triangle_gap(&a, &at(-0.1));
    assert!(g.upper < -0.099 && g.upper >= -0.1 && g.lower <= -0.1 && g.lower > -0.1 - 1e-12, "{g:?}");
    // Coplanar and overlapping has no depth.
    let g = triangle_gap(&a, &a.map(|p| p + vec3(0.1, 0.1, 0.0)));
    assert!(g.lower <= 0.0 && g.lower > -1e-12 && g.upper >= 0.0 && g.upper < 1e-12, "{g:?}");
    // Parallel edges.
    let b = a.map(|p| p + vec3(0.0, -0.5, 0.0)).map(|p| vec3(p.x, -p.y - 1.0, p.z));
    let g = triangle_gap(&a, &b);
    assert!(g.lower <= 0.5 && g.upper >= 0.5 && g.upper - g.lower < 1e-12, "{g:?}");
    // Not a number.
    let g = triangle_gap(&a, &[vec3(f64::NAN, 0.0, 0.0); 3]);
    assert!(g.lower == f64::NEG_INFINITY && !(g.upper < f64::MAX), "{g:?}");
}
