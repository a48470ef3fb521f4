//! Bounds between poses: never exceeded by what random poses show.

use crate::cells::{compile_world, draw_step, draw_values, load_description};
use crate::support::rng::Rng;
use elbowroom::math::Vec3;
use elbowroom::motion::bounds::{MotionBounds, Swept};
use elbowroom::pair::Scratch;
use elbowroom::world::BodyId;
use elbowroom::{Checker, Geometry, PairId, Question, World};

pub const ROBOTS: [&str; 4] = [
    "kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf",
    "dual_panda_moveit/panda.urdf",
    "ur5_robotiq_vamp/ur5.urdf",
    "puma260/bottleneck.toml",
];

pub fn hulls() -> Question {
    Question::distance().geometry(Geometry::Hull)
}

/// Points of a body in its own frame.
fn points(world: &World, body: BodyId) -> Vec<Vec3> {
    let mut points = Vec::new();
    for shape in world.bodies()[body.index()].shapes.clone().map(|i| &world.shapes()[i as usize]) {
        match shape.shape.core().hull() {
            Some(hull) => {
                let some = hull.vertices().step_by(hull.vertex_count().div_ceil(40));
                points.extend(some.map(|v| shape.shape_in_body().point(v)));
            }
            None => points.push(shape.shape_in_body().point(shape.shape.center())),
        }
    }
    points
}

#[test]
fn no_point_moves_farther_than_its_bound() {
    let mut worst: f64 = 0.0;
    for name in ROBOTS {
        let Some(description) = load_description(name, true) else { return };
        let world = compile_world(&description);
        let (bounds, mut rng) = (MotionBounds::new(&world), Rng::new(11));
        let (mut p, mut q) = (Checker::new(&world), Checker::new(&world));
        let (mut sum, mut count) = (0.0, 0.0);
        for k in 0..60 {
            let from = draw_values(&world, &mut rng);
            let size = if k % 2 == 0 { 3.0 } else { 0.01 };
            let mut to = draw_step(&world, &mut rng, &from, size);
            if k % 3 == 0 {
                // One joint alone: there the bound may be sharp.
                let only = rng.below(to.len());
                (0..to.len()).filter(|i| *i != only).for_each(|i| to[i] = from[i]);
            }
            let change: Vec<f64> = from.iter().zip(&to).map(|(a, b)| (a - b).abs()).collect();
            p.set(&from).unwrap();
            q.set(&to).unwrap();
            for body in (0..world.bodies().len() as u32).map(BodyId) {
                let bound = bounds.moved(body, &change);
                let (a, b) = (p.body_in_world(body).unwrap(), q.body_in_world(body).unwrap());
                let moved = points(&world, body).into_iter().map(|x| (a.point(x) - b.point(x)).norm());
                let moved = moved.fold(0.0, f64::max);
                assert!(
                    moved <= bound + 1e-12,
                    "{name}: {} moves {moved}, bound {bound}",
                    world.bodies()[body.index()].name
                );
                if moved > 1e-6 {
                    worst = worst.max(moved / bound);
                    sum += moved / bound;
                    count += 1.0;
                }
            }
        }
        eprintln!("{name}: points move {:.2} of their bound on average", sum / count);
        assert!(sum / count > 0.1, "{name}: the bounds say nothing");
    }
    assert!(worst > 0.8, "no bound came near: {worst}");
}

#[test]
fn no_pair_comes_nearer_than_its_bound() {
    for name in ROBOTS {
        let Some(description) = load_description(name, true) else { return };
        let world = compile_world(&description);
        let (bounds, mut rng) = (MotionBounds::new(&world), Rng::new(12));
        let mut checker = Checker::new(&world);
        let question = hulls();
        let (mut sum, mut count, mut tight) = (0.0, 0, 0.0_f64);
        for k in 0..40 {
            let from = draw_values(&world, &mut rng);
            let size = [0.5, 0.02][k % 2];
            let to = draw_step(&world, &mut rng, &from, size);
            let change: Vec<f64> = from.iter().zip(&to).map(|(a, b)| (a - b).abs()).collect();
            checker.set(&from).unwrap();
            let approaches: Vec<[f64; 2]> = world
                .pairs()
                .iter()
                .map(|p| {
                    [bounds.approach_from(&checker, [p.a, p.b], &change), bounds.approach(p.a, p.b, &change)]
                })
                .collect();
            let mut before = Vec::new();
            checker.all_pairs(&question, |r| before.push(r.interval));
            checker.set(&to).unwrap();
            let mut after = Vec::new();
            checker.all_pairs(&question, |r| after.push(r.interval));
            for (i, [at, any]) in approaches.into_iter().enumerate() {
                // Depths of convex shapes change no faster than distances.
                let nearer = before[i].lower - after[i].upper;
                assert!(
                    nearer <= at && nearer <= any,
                    "{name} {:?}: {nearer} of {at}, {any}",
                    world.pairs().get(PairId(i as u32))
                );
                assert!(nearer <= bounds.approach_of_any(&change), "{name}");
                if nearer > 1e-6 {
                    sum += nearer / at;
                    count += 1;
                    tight = tight.max(nearer / at);
                }
            }
        }
        assert!(count > 50, "{name}");
        eprintln!(
            "{name}: pairs approach {:.2} of their bound on average, {tight:.2} at most",
            sum / f64::from(count)
        );
        assert!(tight > 0.3, "{name}: the bounds say nothing");
    }
}

#[test]
fn nothing_leaves_what_it_can_sweep() {
    for name in ROBOTS {
        let Some(description) = load_description(name, true) else { return };
        let world = compile_world(&description);
        let (swept, mut rng, mut checker) = (Swept::new(&world), Rng::new(16), Checker::new(&world));
        let mut fill = 0.0_f64;
        for _ in 0..200 {
            let values = draw_values(&world, &mut rng);
            checker.set(&values).unwrap();
            for body in swept.bodies() {
                let ball = swept.ball_in_world(body).unwrap();
                let at = checker.body_in_world(body).unwrap();
                for p in points(&world, body) {
                    let out = (at.point(p) - ball.center).norm();
                    assert!(out <= ball.radius + 1e-12, "{name}: {}", world.bodies()[body.index()].name);
                    fill = fill.max(out / ball.radius);
                }
            }
        }
        eprintln!("{name}: swept balls are filled to {fill:.2}");
        assert!(fill > 0.5, "{name}: {fill}");
    }
}

#[test]
fn obstacles_out_of_reach_are_never_nearer() {
    let Some(description) = load_description(ROBOTS[3], true) else { return };
    let world = compile_world(&description);
    let (swept, mut rng, mut checker) = (Swept::new(&world), Rng::new(17), Checker::new(&world));
    let mut scratch = Scratch::default();
    let mut out = 0;
    let mut gaps = Vec::new();
    for (i, pair) in world.pairs().iter().enumerate() {
        if world.bodies()[pair.b.index()].robot.is_none() {
            let gap = swept.gap(pair.a, pair.b, &mut scratch);
            out += usize::from(gap > 0.0);
            gaps.push((i, gap));
        }
    }
    let names: Vec<_> =
        gaps.iter().filter(|g| g.1 > 0.0).map(|g| world.pair_names(PairId(g.0 as u32))).collect();
    eprintln!("out of bounds: {out} of {}: {names:?}", gaps.len());
    assert!(!gaps.is_empty());
    for _ in 0..300 {
        let values = draw_values(&world, &mut rng);
        checker.set(&values).unwrap();
        let mut at = Vec::new();
        checker.all_pairs(&hulls(), |r| at.push(r.interval.upper));
        for (i, gap) in &gaps {
            assert!(at[*i] >= *gap, "{:?}: {} < {gap}", world.pairs().get(PairId(*i as u32)), at[*i]);
        }
    }
}
