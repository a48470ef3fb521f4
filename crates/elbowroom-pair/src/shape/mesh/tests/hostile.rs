//! Meshes that are refused, and meshes made to be slow.

use super::*;
use crate::pair::tolerance::WORK_LIMIT;
use elbowroom_describe::fault::MeshFault;
use elbowroom_describe::math::Vec3;

#[test]
fn faults_are_named() {
    let v = [Vec3::ZERO, Vec3::X, Vec3::Y];
    assert_eq!(Mesh::new(&v, &[]).unwrap_err(), MeshFault::Empty);
    let e = Mesh::new(&v, &[[0, 1, 2], [0, 1, 3]]).unwrap_err();
    assert_eq!(e, MeshFault::IndexOutOfRange { triangle: 1, index: 3 });
    assert!(format!("{e}").contains("vertex 3"));
    let nan = [Vec3::ZERO, vec3(f64::NAN, 0.0, 0.0), Vec3::Y];
    assert_eq!(Mesh::new(&nan, &[[0, 1, 2]]).unwrap_err(), MeshFault::NotFinite { vertex: 1 });
    let far = [Vec3::ZERO, vec3(1e300, 0.0, 0.0), Vec3::Y];
    assert_eq!(Mesh::new(&far, &[[0, 1, 2]]).unwrap_err(), MeshFault::TooFar { vertex: 1 });
}

#[test]
fn nothing_that_is_not_finite_is_answered_clear() {
    let a = mesh(&cube(1.0));
    for t in [vec3(f64::NAN, 0.0, 0.0), vec3(f64::INFINITY, 0.0, 0.0), vec3(1e300, 0.0, 0.0)] {
        let g = ask(&a, &a, &Transform::from_translation(t));
        assert!(g.relation == Relation::Open && g.lower == f64::NEG_INFINITY, "{g:?}");
    }
}

#[test]
fn ugly_meshes_build_and_are_bounded() {
    // All triangles the same; all on a line, doubling in distance; one point.
    let same = (vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]; 5000]);
    let doubling: Parts = (
        (0..3000).map(|i| vec3(libm::exp2(-f64::from(i) * 0.3), 0.0, 0.0)).collect(),
        (0..2998).map(|i| [i, i + 1, i + 2]).collect(),
    );
    let point = (vec![vec3(1.0, 2.0, 3.0)], vec![[0, 0, 0]]);
    let all = [mesh(&same), mesh(&doubling), mesh(&point)];
    for a in &all {
        for b in &all {
            let g = ask(a, b, &Transform::from_translation(vec3(0.0, 0.0, 10.0)));
            // Millions of ties end in a wider interval, not in hours.
            assert!(g.relation == Relation::Apart && g.upper - g.lower < 1e-4, "{g:?}");
            assert!(
                g.counts.nodes + g.counts.triangles + g.counts.dropped
                    <= 1000 + crate::pair::tolerance::WORK_LIMIT
            );
        }
    }
    assert!(all[1].depth() < 60);
}

#[test]
fn meshes_made_to_be_slow_are_bounded() {
    // Many triangles on one line of many corners; fans of one edge; everything within one crack.
    let mut rng = Rng::new(12);
    let line: Parts = (
        (0..6000).map(|_| vec3(rng.unit(), rng.point(1e-8).y, 0.0)).collect(),
        (0..2000).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
    );
    let mut fan: Parts = (vec![Vec3::ZERO, Vec3::X], Vec::new());
    for i in 0..4001 {
        fan.0.extend([vec3(0.5, 1.0 + f64::from(i), 1.0), vec3(rng.unit(), 0.0, 0.0)]);
        fan.1.extend([[0, 1, 2 * i + 2], [1, 2 * i + 2, 2 * i + 3]]);
    }
    let mut dust = cracked(&ring(1e-8, 1e-9, 40, 40), 1e-9, &mut rng);
    dust.0.extend([Vec3::X, Vec3::Y, Vec3::Z]);
    dust.1.push([9600, 9601, 9602]);
    for p in [line, fan, dust] {
        let m = mesh(&p);
        assert!(!m.is_closed() && is_cycle(&m), "{:?}", m.shells);
    }
    // Powers of ten as far as they go.
    for s in [1e-320, 1e-160, 1e-100, 1e-30, 1e9] {
        let p = block(vec3(-s, -s, -s), vec3(s, s, s), 2);
        let mut open = p.clone();
        open.1.pop();
        assert!(!mesh(&open).is_closed());
        assert!(is_cycle(&mesh(&cracked(&p, 1e-9 * s, &mut rng))));
    }
}

#[test]
fn copies_of_a_triangle_are_no_work() {
    // Every pair of the many copies ties.
    let same = (vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]; 2000]);
    let up = Transform::from_translation(vec3(0.0, 0.0, 10.0));
    let g = ask(&mesh(&same), &mesh(&same), &up);
    assert!(!g.limited && g.relation == Relation::Apart && g.lower > 10.0 - 1e-8, "{g:?}");
    // Copies in a row of gaps that the hulls do not see.
    let comb = |z: f64| -> Parts {
        let quad = |x: f64, z: f64| [vec3(x, 0.0, z), vec3(x + 1.0, 0.0, z), vec3(x, 1.0, z)];
        let mut p = (Vec::new(), Vec::new());
        p.0.extend(quad(0.0, z));
        p.1.extend(vec![[0, 1, 2]; 2000]);
        p.0.extend(quad(0.0, z + 4.0));
        p.1.push([3, 4, 5]);
        p
    };
    let (a, b) = (shape(&comb(0.0)), shape(&comb(1.0)));
    let query = Query { geometry: Geometry::Mesh, ..Query::default() };
    let mut scratch = Scratch::new(a.mesh_depth());
    let c = narrow::clearance(&a, &b, &Transform::IDENTITY, &query, &mut Warm::default(), &mut scratch);
    assert!(c.stop == Stop::Converged && c.interval.contains(1.0) && c.interval.width() < 1e-8, "{c:?}");
}

#[test]
fn a_search_that_ends_at_its_limit_says_so() {
    // Two brushes, the tips of one between those of the other. The hulls of a few bristles are a tenth apart,
    // and no two tips are nearer than the half of a diagonal: only triangles can settle it.
    let side = 40_u32;
    let brush = |at: f64, tip: f64, end: f64| -> Parts {
        let mut p = (Vec::new(), Vec::new());
        for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
            let (x, y) = (f64::from(i) + at, f64::from(j) + at);
            let first = p.0.len() as u32;
            p.0.extend([vec3(x, y, tip), vec3(x, y, end), vec3(x + 1e-3, y, end)]);
            p.1.push([first, first + 1, first + 2]);
        }
        p
    };
    let (a, b) = (shape(&brush(0.0, 0.0, -9.0)), shape(&brush(0.5, 0.1, 9.0)));
    let query = Query { geometry: Geometry::Mesh, ..Query::default() };
    let mut scratch = Scratch::new(a.mesh_depth().max(b.mesh_depth()));
    let mut ask = |work_limit: u32| {
        scratch.mesh.work_limit = work_limit;
        narrow::clearance(&a, &b, &Transform::IDENTITY, &query, &mut Warm::default(), &mut scratch)
    };
    let c = ask(WORK_LIMIT);
    let tips = (0.5_f64 + 0.01).sqrt() - 5e-4;
    assert!(c.stop == Stop::Converged && c.interval.width() < 1e-7 && c.interval.lower > tips, "{c:?}");
    for limit in [1, 10, 100, 1000] {
        let told = ask(limit);
        let Interval { lower, upper, .. } = told.interval;
        assert!(told.stop == Stop::IterationLimit, "{told:?}");
        assert!(0.0999 < lower && lower <= c.interval.upper && upper >= c.interval.lower, "{told:?}");
    }
}
