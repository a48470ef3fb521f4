//! Meshes against the slow way, against answers known by construction, and against real robots.

use super::*;
use crate::data::data;
use crate::math::{Transform, vec3};
use crate::rng::Rng;
use crate::triangle;
use alloc::{format, string::String, vec, vec::Vec};

type Parts = (Vec<Vec3>, Vec<[u32; 3]>);

/// A box from its corners, wound outwards, each face in `n * n * 2` triangles.
fn block(low: Vec3, high: Vec3, n: usize) -> Parts {
    let (mut v, mut t) = (Vec::new(), Vec::new());
    let size = high - low;
    for axis in 0..3 {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in 0..2 {
            let start = v.len() as u32;
            for a in 0..=n {
                for b in 0..=n {
                    let mut p = Vec3::ZERO;
                    p[axis] = if side == 1 { high[axis] } else { low[axis] };
                    p[i] = if a == n { high[i] } else { low[i] + size[i] * (a as f64 / n as f64) };
                    p[j] = if b == n { high[j] } else { low[j] + size[j] * (b as f64 / n as f64) };
                    v.push(p);
                }
            }
            let m = n as u32 + 1;
            for a in 0..n as u32 {
                for b in 0..n as u32 {
                    let c = start + a * m + b;
                    let quad = [[c, c + m, c + m + 1], [c, c + m + 1, c + 1]];
                    t.extend(quad.map(|[x, y, z]| if side == 1 { [x, y, z] } else { [x, z, y] }));
                }
            }
        }
    }
    (v, t)
}

/// A torus around z, wound outwards.
fn ring(major: f64, minor: f64, n: u32, m: u32) -> Parts {
    let turn = |k: u32, n: u32| crate::math::sin_cos(core::f64::consts::TAU * f64::from(k) / f64::from(n));
    let (mut v, mut t) = (Vec::new(), Vec::new());
    for i in 0..n {
        let (si, ci) = turn(i, n);
        for j in 0..m {
            let (sj, cj) = turn(j, m);
            let r = major + minor * cj;
            v.push(vec3(r * ci, r * si, minor * sj));
        }
    }
    for i in 0..n {
        for j in 0..m {
            let at = |i: u32, j: u32| (i % n) * m + j % m;
            t.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            t.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    (v, t)
}

fn joined(parts: &[&Parts]) -> Parts {
    let (mut v, mut t) = (Vec::new(), Vec::new());
    for p in parts {
        let start = v.len() as u32;
        v.extend_from_slice(&p.0);
        t.extend(p.1.iter().map(|i| i.map(|k| k + start)));
    }
    (v, t)
}

fn turned_over(p: &Parts) -> Parts {
    (p.0.clone(), p.1.iter().map(|&[a, b, c]| [a, c, b]).collect())
}

fn mesh(p: &Parts) -> Mesh {
    let m = Mesh::new(&p.0, &p.1).unwrap();
    assert!(tree::validate(&m));
    m
}

fn cube(h: f64) -> Parts {
    block(vec3(-h, -h, -h), vec3(h, h, h), 1)
}

fn ask(a: &Mesh, b: &Mesh, pose: &Transform) -> MeshGap {
    let mut scratch = MeshScratch::for_depths(a.depth(), b.depth());
    let before = scratch.capacity();
    let mut warm = MeshWarm::default();
    let cold = distance(a, b, pose, &MeshAsk::DISTANCE, &mut warm, &mut scratch);
    let again = distance(a, b, pose, &MeshAsk::DISTANCE, &mut warm, &mut scratch);
    assert_eq!(scratch.capacity(), before, "a query must not allocate");
    if cold.relation == Relation::Apart {
        assert!(again.relation == Relation::Apart);
        assert!(again.lower <= cold.upper && cold.lower <= again.upper);
    }
    cold
}

/// Every triangle of a binary STL file, its vertices in file order.
fn read_stl(path: &std::path::Path) -> Parts {
    let bytes = std::fs::read(path).unwrap();
    let n = u32::from_le_bytes(bytes[80..84].try_into().unwrap()) as usize;
    let mut v = Vec::new();
    for i in 0..n {
        for k in 0..9 {
            let at = 84 + 50 * i + 12 + 4 * k;
            v.push(f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())));
        }
    }
    let v: Vec<Vec3> = v.chunks(3).map(|c| vec3(c[0], c[1], c[2])).collect();
    let t = (0..n as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    (v, t)
}

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
fn cubes_apart_touching_crossing_and_nested_at_every_scale() {
    for scale in [1e-3, 1.0, 1e3] {
        for far in [0.0, 1e4] {
            let s = scale;
            let a = mesh(&block(vec3(-s + far, -s, -s), vec3(s + far, s, s), 3));
            let b = mesh(&cube(s));
            assert!(a.is_closed() && b.is_closed());
            let eps = 1e-9 * s.max(far * 1e-3);
            let at = |x: f64| Transform::from_translation(vec3(x + far, 0.25 * s, 0.0));
            let g = ask(&a, &b, &at(3.0 * s));
            assert_eq!(g.relation, Relation::Apart);
            let truth = (3.0 * s + far) - far - 2.0 * s;
            assert!(
                g.lower <= truth + eps && g.upper >= truth - eps && g.upper - g.lower < eps.max(1e-9 * s),
                "{g:?}"
            );
            assert!((g.normal - -Vec3::X).norm() < 1e-6);
            // Overlapping.
            let g = ask(&a, &b, &Transform::from_translation(vec3(1.9 * s + far, 0.3 * s, 0.2 * s)));
            assert_eq!(g.relation, Relation::Crossing, "{g:?}");
            assert!(g.upper < 0.0 && g.upper >= -0.1 * s - eps);
            // Nested: a cube a tenth the size, in the middle and near a wall.
            let small = mesh(&cube(0.1 * s));
            for (x, gap) in [(0.0, 0.9), (0.85, 0.05)] {
                let pose = Transform::from_translation(vec3(x * s + far, 0.0, 0.0));
                let g = ask(&a, &small, &pose);
                assert_eq!(g.relation, Relation::Inside, "{g:?}");
                assert!(g.upper < -(gap * s - 1e-3 * s) && g.upper >= -gap * s - eps, "{g:?}");
                let g = ask(&small, &a, &pose.inverse());
                assert_eq!(g.relation, Relation::Inside);
            }
            // In contact: never clear, and no overlap claimed either.
            let g = ask(&a, &b, &at(2.0 * s));
            assert!(g.relation == Relation::Open || g.lower <= eps, "{g:?}");
            assert!(g.upper >= -eps && g.upper <= eps, "{g:?}");
        }
    }
}

#[test]
fn a_rod_through_a_ring_is_free_and_a_link_of_two_rings_too() {
    let torus = mesh(&ring(1.0, 0.2, 96, 48));
    let rod = mesh(&block(vec3(-0.1, -0.1, -3.0), vec3(0.1, 0.1, 3.0), 4));
    let g = ask(&torus, &rod, &Transform::IDENTITY);
    assert_eq!(g.relation, Relation::Apart);
    let truth = 0.8 - 0.1 * core::f64::consts::SQRT_2;
    assert!((g.upper - truth).abs() < 2e-3 && g.upper - g.lower < 1e-9, "{g:?}");
    let chain = Transform::from_xyz_rpy([1.0, 0.0, 0.0], [core::f64::consts::FRAC_PI_2, 0.0, 0.0]);
    let g = ask(&torus, &torus, &chain);
    assert_eq!(g.relation, Relation::Apart);
    assert!((g.upper - 0.6).abs() < 3e-3, "{g:?}");
    let g = ask(&torus, &rod, &Transform::from_translation(vec3(0.75, 0.0, 0.0)));
    assert_eq!(g.relation, Relation::Crossing);
}

#[test]
fn two_angles_whose_hulls_overlap() {
    let bar = |x: f64, y: f64| block(vec3(0.0, 0.0, 0.0), vec3(x, y, 0.2), 2);
    let angle = mesh(&joined(&[&bar(2.0, 0.2), &bar(0.2, 2.0)]));
    // The second is turned half around and pushed in until its legs are 0.3 from the first's.
    let pose = Transform::from_xyz_rpy([1.0, 1.0, 0.0], [0.0, 0.0, core::f64::consts::PI]);
    let g = ask(&angle, &angle, &pose);
    // Every edge that crosses meets another edge there: only a point inside proves it.
    assert!(g.relation == Relation::Inside && g.upper < -1e-3, "{g:?}");
    let pose = Transform::from_xyz_rpy([1.03, 1.01, 0.02], [0.0, 0.0, core::f64::consts::PI]);
    assert_eq!(ask(&angle, &angle, &pose).relation, Relation::Crossing);
    let pose = Transform::from_xyz_rpy([2.5, 1.5, 0.0], [0.0, 0.0, core::f64::consts::PI]);
    let g = ask(&angle, &angle, &pose);
    assert_eq!(g.relation, Relation::Apart);
    assert!((g.upper - 0.3).abs() < 1e-12 && g.upper - g.lower < 1e-9, "{g:?}");
}

#[test]
fn what_encloses_a_volume_and_what_does_not() {
    let (outer, inner) = (cube(1.0), cube(0.5));
    let dot = mesh(&cube(0.01));
    let place = |m: &Mesh, x: f64| ask(m, &dot, &Transform::from_translation(vec3(x, 0.02, 0.03))).relation;
    // A hollow body: free in the hole, not in the wall.
    let hollow = mesh(&joined(&[&outer, &turned_over(&inner)]));
    assert!(hollow.is_closed());
    assert_eq!(
        (place(&hollow, 0.0), place(&hollow, 0.75), place(&hollow, 2.0)),
        (Relation::Apart, Relation::Inside, Relation::Apart)
    );
    // The same with everything turned over.
    let over = mesh(&joined(&[&turned_over(&outer), &inner]));
    assert_eq!((place(&over, 0.0), place(&over, 0.75)), (Relation::Apart, Relation::Inside));
    // Both outwards: solid throughout.
    let filled = mesh(&joined(&[&outer, &inner]));
    assert_eq!((place(&filled, 0.0), place(&filled, 0.75)), (Relation::Inside, Relation::Inside));
    // Two that overlap, one wound inwards: material where they overlap too.
    let other = block(vec3(0.2, -1.0, -1.0), vec3(2.2, 1.0, 1.0), 1);
    for pair in [
        joined(&[&outer, &other]),
        joined(&[&outer, &turned_over(&other)]),
        joined(&[&turned_over(&outer), &other]),
    ] {
        let both = mesh(&pair);
        for x in [-0.5, 0.6, 1.8] {
            assert_eq!(place(&both, x), Relation::Inside, "at {x}");
        }
    }
    // Some triangles wound the wrong way.
    let mut mixed = cube(1.0);
    for k in [1, 4, 7] {
        mixed.1[k].swap(0, 1);
    }
    let m = mesh(&mixed);
    assert!(m.is_closed());
    assert_eq!((place(&m, 0.0), place(&m, 2.0)), (Relation::Inside, Relation::Apart));
    // One triangle missing: a surface only.
    let mut open = cube(1.0);
    open.1.pop();
    let m = mesh(&open);
    assert!(!m.is_closed() && !m.encloses());
    assert_eq!(place(&m, 0.0), Relation::Apart);
    // Degenerate triangles change nothing, but are still there to be hit.
    let mut spiked = cube(1.0);
    spiked.0.push(vec3(3.0, 0.0, 0.0));
    spiked.1.push([0, 24, 24]);
    let m = mesh(&spiked);
    assert!(m.is_closed());
    assert_eq!(place(&m, 0.0), Relation::Inside);
    let tip = ask(&m, &dot, &Transform::from_translation(vec3(3.51, 0.0, 0.0)));
    assert!((tip.upper - 0.5).abs() < 1e-12 && tip.upper - tip.lower < 1e-9, "{tip:?}");
}

#[test]
fn random_soups_agree_with_all_pairs() {
    let mut rng = Rng::new(11);
    let mut reached = [0; 3];
    for case in 0..450 {
        let scale = [1e-3, 1.0, 1e3][case % 3];
        let soup = |rng: &mut Rng| {
            let n = 1 + rng.below(60);
            let mut v = Vec::new();
            for _ in 0..n {
                let c = rng.point(scale);
                let size = scale * [0.6, 0.02, 0.0][rng.below(3)];
                let mut t = [(); 3].map(|()| c + rng.point(size));
                // Needles and points among them.
                match rng.bits() % 8 {
                    0 => t[2] = t[1],
                    1 => t[2] = t[0] * 0.5 + t[1] * 0.5 + rng.point(1e-9 * scale),
                    _ => {}
                }
                v.extend(t);
            }
            let t: Vec<[u32; 3]> = (0..n as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            mesh(&(v, t))
        };
        let (a, b) = (soup(&mut rng), soup(&mut rng));
        let spread = scale * [0.2, 1.5, 3.0][rng.below(3)];
        let pose = rng.pose(spread);
        let (fast, slow) = (ask(&a, &b, &pose), reference::distance(&a, &b, &pose));
        match slow.relation {
            Relation::Crossing => {
                reached[0] += 1;
                assert!(fast.relation == Relation::Crossing && fast.upper < 0.0, "{case}: {fast:?}");
            }
            _ => {
                reached[1 + usize::from(slow.surfaces > 0.3 * scale)] += 1;
                assert!(fast.lower <= slow.surfaces, "{case}: {fast:?} {slow:?}");
                assert!((fast.upper - slow.surfaces).abs() <= 1e-12 * scale, "{case}: {fast:?} {slow:?}");
                assert!(fast.upper - fast.lower <= 1e-9 * scale, "{case}: {fast:?} {slow:?}");
            }
        }
    }
    assert!(reached.iter().all(|&n| n > 40), "{reached:?}");
}

#[test]
fn real_meshes_agree_with_all_pairs() {
    let Some(data) = data() else { return };
    let robots = data.join("robots");
    let read = |p: &str| mesh(&read_stl(&robots.join(p)));
    let kuka = "kuka_lbr_iiwa_7_r800_pr31/kuka_lbr_iiwa_support/meshes/lbr_iiwa_7_r800/collision/";
    let meca = "mecademic_meca500_r3/mecademic_description/meshes/";
    let list: Vec<Mesh> = [
        format!("{kuka}link_1.stl"),
        format!("{kuka}link_5.stl"),
        format!("{meca}meca_500_r3_j1_collision.stl"),
        format!("{meca}meca_500_r3_j4_collision.stl"),
        String::from("dual_panda_moveit/moveit_resources_panda_description/meshes/collision/finger.stl"),
        String::from("dual_panda_moveit/moveit_resources_panda_description/meshes/collision/link5.stl"),
    ]
    .iter()
    .map(|p| read(p))
    .collect();
    let mut rng = Rng::new(5);
    let (mut clear, mut near, mut crossing, mut inside) = (0, 0, 0, 0);
    for case in 0..40 {
        let (a, b) = (&list[rng.below(6)], &list[rng.below(6)]);
        if a.triangle_count() * b.triangle_count() > 200_000 {
            continue;
        }
        let spread = (a.reach + b.reach) * [0.2, 0.5, 0.8, 1.2][case % 4];
        let mut pose = rng.pose(0.0);
        pose.translation = a.origin - pose.rotation * b.origin + rng.direction() * spread;
        let (fast, slow) = (ask(a, b, &pose), reference::distance(a, b, &pose));
        match slow.relation {
            Relation::Crossing => {
                crossing += 1;
                assert!(fast.relation == Relation::Crossing && fast.upper < 0.0, "{fast:?}");
            }
            Relation::Inside => {
                inside += 1;
                assert!(fast.relation == Relation::Inside && fast.upper < 0.0, "{fast:?}");
                assert!(-fast.upper <= slow.surfaces && -fast.upper >= slow.surfaces - 1e-9);
            }
            _ => {
                if slow.surfaces < 0.01 {
                    near += 1
                } else {
                    clear += 1
                }
                assert_eq!(fast.relation, Relation::Apart);
                assert!(fast.lower <= slow.surfaces && fast.upper - fast.lower < 1e-9, "{fast:?} {slow:?}");
                assert!((fast.upper - slow.surfaces).abs() < 1e-12, "{fast:?} {slow:?}");
            }
        }
    }
    assert!(clear > 3 && near > 1 && crossing > 3, "{clear} {near} {crossing} {inside}");
}

#[test]
fn shortcuts_stay_proved() {
    let (a, b) = (mesh(&ring(1.0, 0.2, 48, 24)), mesh(&ring(0.5, 0.1, 32, 16)));
    let mut scratch = MeshScratch::for_depths(a.depth(), b.depth());
    let mut rng = Rng::new(3);
    let mut stopped = [0; 3];
    for _ in 0..200 {
        let pose = rng.pose(2.0);
        let full = ask(&a, &b, &pose);
        if full.relation != Relation::Apart {
            continue;
        }
        let near = full.upper * rng.range(0.2, 1.8);
        let mut run = |ask: MeshAsk| distance(&a, &b, &pose, &ask, &mut MeshWarm::default(), &mut scratch);
        // Farther than asked for: proved, with less work.
        let g = run(MeshAsk { stop_above: near, ..MeshAsk::DISTANCE });
        assert!(g.lower <= full.upper && g.upper >= full.lower);
        if near < full.lower {
            assert!(g.lower >= near * (1.0 - 1e-9), "{g:?} {near}");
            stopped[0] += 1;
        } else {
            assert!((g.upper - full.upper).abs() < 1e-12);
        }
        // An upper bound from elsewhere.
        let g = run(MeshAsk { upper: near, ..MeshAsk::DISTANCE });
        assert!(g.lower <= full.upper + 1e-12);
        if near >= full.upper {
            assert!((g.upper - full.upper).abs() < 1e-12 && g.triangles.is_some());
            stopped[1] += 1;
        }
        let g = run(MeshAsk { stop_below: near, ..MeshAsk::DISTANCE });
        assert!(g.lower <= full.upper && g.upper >= full.lower);
        if near > full.upper {
            assert!(g.upper < near);
            stopped[2] += 1;
        }
        // A known lower bound ends the search when it is met, and a wrong direction does no harm.
        let g = run(MeshAsk { lower: full.lower, normal: rng.direction(), ..MeshAsk::DISTANCE });
        assert!(g.relation == Relation::Apart && g.lower <= full.upper && g.upper - g.lower < 1e-9);
    }
    assert!(stopped.iter().all(|&n| n > 20), "{stopped:?}");
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
                g.counts.nodes + g.counts.triangles + g.counts.dropped <= 1000 + crate::tolerance::WORK_LIMIT
            );
        }
    }
    assert!(all[1].depth() < 60);
}

#[test]
fn convex_shapes_are_measured_through_a_probe() {
    let torus = mesh(&ring(1.0, 0.2, 64, 32));
    let mut scratch = nearest::NearestScratch::default();
    scratch.reserve(torus.depth());
    let mut rng = Rng::new(8);
    let mut asked = 0;
    for _ in 0..200 {
        let p = rng.point(2.0);
        let point: Triangle = [p; 3];
        let truth =
            torus.triangles.iter().map(|t| triangle::gap(t, &point).upper).fold(f64::INFINITY, f64::min);
        let probe = nearest::Probe { center: p, half: Vec3::ZERO, plane: None };
        let g = nearest::nearest(
            &torus,
            &probe,
            f64::INFINITY,
            f64::INFINITY,
            f64::NEG_INFINITY,
            None,
            &mut scratch,
            |_, t| {
                let g = triangle::gap(t, &point);
                let n = g.direction;
                let plane =
                    (n != Vec3::ZERO).then(|| nearest::HalfSpace { normal: n, offset: n.dot(p) + 1e-14 });
                nearest::LeafGap { lower: g.lower, upper: g.upper, plane }
            },
        );
        assert!(
            g.lower <= truth && (g.upper - truth).abs() < 1e-12 && g.upper - g.lower < 1e-9,
            "{g:?} {truth}"
        );
        asked += g.leaves;
    }
    assert!(asked < 200 * 200, "{asked}");
}

#[test]
fn a_triangle_written_twice_leaves_a_solid_solid() {
    let v: Vec<Vec3> = (0..4)
        .map(|i| vec3((i == 1) as i32 as f64, (i == 2) as i32 as f64, (i == 3) as i32 as f64))
        .collect();
    let mut t = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    assert!(Mesh::new(&v, &t).unwrap().is_closed());
    // A copy, begun at another corner.
    t.push([2, 1, 0]);
    assert!(Mesh::new(&v, &t).unwrap().is_closed());
    assert!(!Mesh::new(&v, &t[1..4]).unwrap().is_closed());
}

mod solid;
