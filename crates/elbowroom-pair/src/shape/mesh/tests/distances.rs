//! Distances between meshes against the slow way, against answers known by construction, and against real
//! robots.

use super::*;
use crate::shape::triangle::Triangle;
use elbowroom_describe::math::Vec3;

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
        let (fast, slow) = (ask(&a, &b, &pose), slow::distance(&a, &b, &pose));
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
        let spread = (a.radius + b.radius) * [0.2, 0.5, 0.8, 1.2][case % 4];
        let mut pose = rng.pose(0.0);
        pose.translation = a.origin - pose.rotation * b.origin + rng.direction() * spread;
        let (fast, slow) = (ask(a, b, &pose), slow::distance(a, b, &pose));
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
        let mut run = |ask: MeshQuery| distance(&a, &b, &pose, &ask, &mut MeshWarm::default(), &mut scratch);
        // Farther than asked for: proved, with less work.
        let g = run(MeshQuery { stop_above: near, ..MeshQuery::DISTANCE });
        assert!(g.lower <= full.upper && g.upper >= full.lower);
        if near < full.lower {
            assert!(g.lower >= near * (1.0 - 1e-9), "{g:?} {near}");
            stopped[0] += 1;
        } else {
            assert!((g.upper - full.upper).abs() < 1e-12);
        }
        // An upper bound from elsewhere.
        let g = run(MeshQuery { upper: near, ..MeshQuery::DISTANCE });
        assert!(g.lower <= full.upper + 1e-12);
        if near >= full.upper {
            assert!((g.upper - full.upper).abs() < 1e-12 && g.triangles.is_some());
            stopped[1] += 1;
        }
        let g = run(MeshQuery { stop_below: near, ..MeshQuery::DISTANCE });
        assert!(g.lower <= full.upper && g.upper >= full.lower);
        if near > full.upper {
            assert!(g.upper < near);
            stopped[2] += 1;
        }
        // A known lower bound ends the search when it is met, and a wrong direction does no harm.
        let g = run(MeshQuery { lower: full.lower, normal: rng.direction(), ..MeshQuery::DISTANCE });
        assert!(g.relation == Relation::Apart && g.lower <= full.upper && g.upper - g.lower < 1e-9);
    }
    assert!(stopped.iter().all(|&n| n > 20), "{stopped:?}");
}

/// Rings, one through the other, in small steps and jumps, and what another pair left.
#[test]
fn what_a_query_leaves_saves_work_and_changes_no_distance() {
    let (a, b) = (mesh(&ring(1.0, 0.2, 48, 24)), mesh(&ring(0.8, 0.15, 40, 20)));
    let mut scratch = MeshScratch::for_depths(a.depth(), b.depth());
    let mut rng = Rng::new(21);
    let (mut warm, mut other) = (MeshWarm::default(), MeshWarm::default());
    let mut hulls = [0; 2];
    let (mut apart, mut crossing) = (0, 0);
    let through = Transform::from_xyz_rpy([1.3, 0.0, 0.1], [core::f64::consts::FRAC_PI_2, 0.0, 0.0]);
    let mut pose = through;
    for step in 0..600 {
        if step % 60 == 0 {
            pose = if step % 120 == 0 { through } else { rng.pose(1.5) };
        }
        let mut little = || [(); 3].map(|()| rng.range(-0.004, 0.004));
        pose = pose * Transform::from_xyz_rpy(little(), little());
        let mut run = |ask: &MeshQuery, warm: &mut MeshWarm| distance(&a, &b, &pose, ask, warm, &mut scratch);
        let g = run(&MeshQuery::DISTANCE, &mut warm);
        // A pair with the same meshes, that stops at a cutoff.
        let stop_above = rng.range(0.0, 0.3);
        run(&MeshQuery { stop_above, ..MeshQuery::DISTANCE }, &mut other);
        let mut fresh = MeshScratch::for_depths(a.depth(), b.depth());
        let ask = MeshQuery::DISTANCE;
        // A cold search begins with the triangles that the warm one left, and has nothing else of it.
        let known = &mut { warm };
        let cold = distance(&a, &b, &pose, &ask, known, &mut fresh);
        assert_eq!(g.relation, cold.relation, "{g:?} {cold:?}");
        if g.relation == Relation::Apart {
            assert!(g.lower <= cold.upper && cold.lower <= g.upper && g.upper - g.lower < 1e-9);
            assert!((g.upper - cold.upper).abs() < 1e-9, "{g:?} {cold:?}");
            apart += 1;
            hulls[0] += g.counts.hulls;
            hulls[1] += cold.counts.hulls;
        } else {
            crossing += 1;
        }
    }
    assert!(apart > 300 && crossing > 5, "{apart} {crossing}");
    assert!(hulls[0] * 4 < hulls[1] * 3, "{hulls:?}");
}

/// A few queries from a cold start, with a scratch space in which hundreds of others left something under the
/// same triangles, and with a new one.
#[test]
fn after_a_cold_start_nothing_depends_on_what_was_left() {
    let (a, b) = (mesh(&ring(1.0, 0.2, 12, 8)), mesh(&ring(0.8, 0.15, 12, 8)));
    let mut used = MeshScratch::for_depths(a.depth(), b.depth());
    let mut rng = Rng::new(22);
    let (mut saved, mut unsearched, mut about) = (0, 0, Transform::IDENTITY);
    for run in 0..2000 {
        if run % 40 == 0 {
            about = rng.pose(0.3);
            about.translation += Vec3::X * rng.range(0.0, 3.0);
        }
        let mut jitter = |by: f64| [(); 3].map(|()| rng.range(-by, by));
        let mut pose = about * Transform::from_xyz_rpy(jitter(0.05), jitter(0.05));
        let mut new = MeshScratch::for_depths(a.depth(), b.depth());
        let known = distance(&a, &b, &pose, &MeshQuery::DISTANCE, &mut MeshWarm::default(), &mut new);
        new = MeshScratch::for_depths(a.depth(), b.depth());
        let mut warm = [MeshWarm::default(); 2];
        for step in 0..4 {
            // The first may end before it searches, and then it leaves no more than its triangles.
            let mut ask = MeshQuery::DISTANCE;
            if step == 0 && run % 2 == 0 && known.relation == Relation::Apart {
                (ask.lower, ask.stop_below) = (0.5 * known.lower, f64::INFINITY);
                ask.witnesses = Some((known.point_a, known.point_b));
            }
            let [x, y] = [(&mut used, 0), (&mut new, 1)]
                .map(|(scratch, k)| distance(&a, &b, &pose, &ask, &mut warm[k], scratch));
            assert_eq!(x, y);
            assert_eq!(warm[0], warm[1]);
            saved += u32::from(step > 1 && x.counts.hulls == 0 && x.counts.nodes > 0);
            unsearched += u32::from(x.counts.nodes == 0 && x.triangles.is_some());
            pose = pose * Transform::from_xyz_rpy(jitter(0.03), jitter(0.03));
        }
    }
    assert!(saved > 200 && unsearched > 200, "{saved} {unsearched}");
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
        let truth = torus
            .triangles
            .iter()
            .map(|t| triangle::triangle_gap(t, &point).upper)
            .fold(f64::INFINITY, f64::min);
        let probe = nearest::Probe { center: p, half: Vec3::ZERO, plane: None };
        let g = nearest::search_nearest(
            &torus,
            &probe,
            [f64::INFINITY, f64::NEG_INFINITY],
            None,
            &mut scratch,
            |_, t| {
                let g = triangle::triangle_gap(t, &point);
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
