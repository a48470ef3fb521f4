//! Climbs to the support: from the table, over neighbours, and what the slack promises of where they stop.

use super::*;
use crate::numeric::tolerance::ROUNDOFF;
use crate::rng::Rng;
use crate::shape::hull::cell::direction_cell;
use crate::shape::tolerance::HULL_TABLE_SIDE;
use elbowroom_describe::math::Vec3;

/// Starting vertices, climbs, and the promise of the slack.
pub(super) fn examine_climbs(h: &Hull, rng: &mut Rng, directions: usize) -> f64 {
    let v = vertices(h);
    let mut steps = 0;
    for _ in 0..directions {
        let d = rng.direction();
        let top = v.iter().map(|&x| d.dot(x)).fold(f64::NEG_INFINITY, f64::max);
        let s = h.start_vertex(d);
        let at = h.climb_from(s, d);
        let e = 4.0 * ROUNDOFF * 2.0 * h.max_abs();
        let short = top - d.dot(v[at as usize]);
        assert!(short <= e * (1.0 + h.climb_slack(at as usize)), "{short}");
        let mut w = s;
        while w != at {
            w = *h
                .neighbours(w as usize)
                .iter()
                .max_by(|&&a, &&b| d.dot(v[a as usize]).total_cmp(&d.dot(v[b as usize])))
                .unwrap();
            steps += 1;
            assert!(steps < 100 * directions);
        }
    }
    // The promise where it is hard to keep: along face normals, turned a little, where several vertices tie
    // to within rounding, for all that a climb could stop at.
    let mut ties = 0;
    for _ in 0..directions {
        let f = faces(h)[rng.below(h.faces().len())];
        let [a, b, c] = f.map(|i| v[i as usize]);
        let Some(n) = (b - a).cross(c - a).normalized() else { continue };
        let lean = [0.0, 1e-16, 1e-15, 1e-13][rng.below(4)];
        let Some(d) = (n + rng.direction() * lean).normalized() else { continue };
        let top = v.iter().map(|&x| d.dot(x)).fold(f64::NEG_INFINITY, f64::max);
        let e = 8.0 * ROUNDOFF * h.max_abs();
        for u in f.map(|u| u as usize) {
            let rise = |&w: &u32| d.dot(v[w as usize] - v[u]);
            let t = h.neighbours(u).iter().map(rise).fold(0.0, f64::max) + e;
            if t <= h.climb_error() {
                assert!(top - d.dot(v[u]) <= t * h.climb_slack(u) + e);
                ties += 1;
            }
        }
    }
    assert!(ties > directions / 4, "{ties} ties");
    steps as f64 / directions as f64
}

#[test]
fn climbing_finds_the_support() {
    let mut rng = Rng::new(6);
    for n in [4, 20, 100, 700, 3000] {
        let points: Vec<Vec3> = (0..n).map(|_| rng.direction().scaled(vec3(1.0, 0.3, 2.0))).collect();
        let h = hull(&points);
        let steps = examine_climbs(&h, &mut rng, 500);
        assert!(n < 100 || steps < 6.0, "{n} {steps}");
    }
    let n = 3000;
    let prism: Vec<Vec3> = (0..2 * n)
        .map(|i| {
            let (s, c) =
                elbowroom_describe::math::sin_cos((i / 2) as f64 * core::f64::consts::TAU / n as f64);
            vec3(c, s, if i % 2 == 0 { 1.0 } else { -1.0 })
        })
        .collect();
    let h = Hull::from_points(&prism).unwrap();
    let steps = examine_climbs(&h, &mut rng, 200);
    assert!(steps < 20.0, "{steps}");
    for d in [Vec3::ZERO, vec3(f64::NAN, 1.0, 0.0), vec3(f64::INFINITY, 1.0, 0.0), vec3(0.0, -0.0, f64::NAN)]
    {
        assert!((h.start_vertex(d) as usize) < h.vertex_count());
    }
}

#[test]
fn every_direction_has_its_cell() {
    let mut rng = Rng::new(7);
    let mut seen = vec![0; 6 * 256];
    for _ in 0..40_000 {
        let d = rng.direction() * 1e-3;
        let c = direction_cell(d, HULL_TABLE_SIDE);
        let (f, i, j) = (c / 256, c / 16 % 16, c % 16);
        let axis = f / 2;
        assert!(d[axis].abs() == d.max_abs() && (d[axis] < 0.0) == (f % 2 == 1));
        assert_eq!(libm::floor((d[(axis + 1) % 3] / d.max_abs() + 1.0) * 8.0).min(15.0), i as f64);
        assert_eq!(libm::floor((d[(axis + 2) % 3] / d.max_abs() + 1.0) * 8.0).min(15.0), j as f64);
        seen[c] += 1;
    }
    assert!(seen.iter().all(|&n| n > 0));
}

#[test]
fn huge_hulls_keep_their_table() {
    let mut rng = Rng::new(8);
    let points: Vec<Vec3> = (0..70_000).map(|_| rng.direction()).collect();
    let h = Hull::from_points(&points).unwrap();
    assert!(h.vertex_count() > 1 << 16);
    let steps = examine_climbs(&h, &mut rng, 50);
    assert!(steps < 30.0, "{steps}");
}
