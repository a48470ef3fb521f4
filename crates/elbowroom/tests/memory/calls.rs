//! Setting a pose and asking it allocate nothing, counted.

use crate::counting::allocation_count;
use crate::support::describe::*;
use crate::support::rng::Rng;
use elbowroom::describe::{CloudDescription, ShapeDescription, SpareDescription};
use elbowroom::pair::Ask;
use elbowroom::pose::SpareShape;
use elbowroom::{Checker, Question, World};

#[test]
fn poses_and_queries_allocate_nothing() {
    let mut d = alone(row_of_balls("arm", 7, 0.3, 0.1));
    for i in 0..40 {
        let x = f64::from(i) * 0.2 - 4.0;
        d.obstacles.push(obstacle(&i.to_string(), [x, x * x - 2.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.2); 3]));
    }
    let kinds = one_of_each();
    for (link, shape) in d.robots[0].robot.links.iter_mut().zip(&kinds) {
        link.shapes = vec![shape.clone()];
    }
    d.obstacles.push(obstacle("kinds", [0.5, 0.6, 0.0], kinds));
    let world = World::compile(&d).unwrap();
    let mut checker = Checker::new(&world);
    let mut rng = Rng::new(5);
    let mut kept = Vec::with_capacity(4);
    let (mut values, mut pairs, mut asked) = ([0.0; 7], 0, 0);
    let before = allocation_count();
    assert!(before > 0, "the counter counts");
    for _ in 0..100 {
        values.iter_mut().for_each(|v| *v = rng.range(-3.0, 3.0));
        checker.set(&values).unwrap();
        for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
            let question = Question::from_ask(ask).margin(0.1);
            let answer = checker.ask(&question);
            asked += answer.counts.shape_queries;
            answer.gradient(&mut checker);
            checker.nearest_k(4, &question, &mut kept);
            assert_eq!(kept.len(), 4);
            checker.all_pairs(&question, |_| pairs += 1);
        }
    }
    assert_eq!(allocation_count() - before, 0);
    assert!(pairs == 300 * world.pairs().len() && asked > 300);
}

#[test]
fn changes_allocate_nothing() {
    let mut d = alone(row_of_balls("arm", 4, 0.3, 0.1));
    d.obstacles.push(obstacle("table", [0.5, 0.6, 0.0], one_of_each()));
    for i in 0..100 {
        let place = [0.1 * f64::from(i) - 5.0, 1.0, 0.0];
        let mut part = obstacle(&i.to_string(), place, vec![ball(0.0, 0.0, 0.0, 0.05); 2]);
        part.movable = true;
        d.obstacles.push(part);
    }
    d.clouds.push(CloudDescription { name: "scan".into(), radius: 0.01, capacity: 500 });
    d.spares = (0..3).map(|k| SpareDescription { name: format!("spare{k}"), corners: 150 }).collect();
    let world = World::compile(&d).unwrap();
    let body = |name: &str| world.body_by_name(name).unwrap();
    let scan = body("world/scan");
    let (mut seen, mut own) = (vec![[0.0; 3]; 500], Vec::with_capacity(500));
    let (hand, finger, table) = (body("arm/4"), body("arm/3"), body("world/table"));
    let parts: Vec<_> = (0..100).map(|i| body(&format!("world/{i}"))).collect();
    let spares = [0, 1, 2].map(|k| body(&format!("world/spare{k}")));
    let mut shapes_rng = Rng::new(8);
    let hulls = [10, 150, 90].map(|corners| {
        let vertices = (0..corners).map(|_| (shapes_rng.direction() * 0.2).to_array()).collect();
        shape_at(ShapeDescription::Convex { vertices }, shapes_rng.pose(0.1))
    });
    let convex = one_of_each().into_iter().chain(hulls);
    let shapes: Vec<SpareShape> = convex.map(|shape| SpareShape::hull_of(&shape).unwrap()).collect();
    let (checker, mut rng, mut kept) = (Checker::new(&world), Rng::new(7), Vec::with_capacity(4));
    let mut asked = 0;
    // A copy has the same room.
    let mut checker = checker.clone();
    let before = allocation_count();
    for round in 0..200 {
        let count = if round % 10 == 0 { parts.len() } else { 1 + rng.below(5) };
        for part in &parts[..count] {
            checker.place(*part, &rng.pose(1.5)).unwrap();
        }
        seen.iter_mut().for_each(|p| *p = rng.point(1.5).to_array());
        checker.update_cloud(scan, &seen[..1 + rng.below(500)]).unwrap();
        checker.find_self_points(scan, 0.05, &mut own).unwrap();
        checker.find_self_points(scan, -0.01, &mut own).unwrap();
        checker.attach(parts[0], hand, &[finger, table]).unwrap();
        checker.attach(parts[1], parts[0], &[]).unwrap();
        for spare in spares {
            checker.insert_obstacle(spare, &shapes[rng.below(shapes.len())]).unwrap();
            checker.place(spare, &rng.pose(1.5)).unwrap();
        }
        checker.attach(spares[0], hand, &[finger]).unwrap();
        checker.attach(spares[1], parts[0], &[]).unwrap();
        checker.hide(parts[2]).unwrap();
        checker.allow_contact(parts[3], hand).unwrap();
        for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
            let values = [0; 4].map(|_| rng.range(-3.0, 3.0));
            checker.set(&values).unwrap();
            let question = Question::from_ask(ask).margin(0.1);
            let answer = checker.ask(&question);
            asked += answer.counts.shape_queries;
            answer.gradient(&mut checker);
            checker.nearest_k(4, &question, &mut kept);
        }
        checker.remove_obstacle(spares[rng.below(3)]).unwrap();
        checker.ask(&Question::distance());
        checker.detach(spares[1]).unwrap();
        checker.detach(spares[0]).unwrap();
        checker.check_again(hand, parts[3]).unwrap();
        checker.show(parts[2]).unwrap();
        checker.detach(parts[1]).unwrap();
        checker.detach(parts[0]).unwrap();
    }
    assert_eq!(allocation_count() - before, 0);
    assert!(asked > 300);
}

#[test]
fn motions_allocate_nothing_once_they_have_room() {
    use elbowroom::motion::{EdgeOptions, MotionChecker};
    let mut d = alone(row_of_balls("arm", 7, 0.3, 0.1));
    for i in 0..40 {
        let x = f64::from(i) * 0.2 - 4.0;
        d.obstacles.push(obstacle(&i.to_string(), [x, x * x - 2.0, 0.0], one_of_each()));
    }
    let world = World::compile(&d).unwrap();
    let mut edges = MotionChecker::new(&world);
    // The same motions twice: the second time there is room.
    let mut before = 0;
    for round in 0..2 {
        let mut rng = Rng::new(6);
        let mut values = [0.0; 7];
        for _ in 0..60 {
            let mut next = values;
            next.iter_mut().for_each(|v| *v = (*v + rng.range(-0.4, 0.4)).clamp(-3.9, 3.9));
            edges.check_edge([&values, &next], &EdgeOptions::default()).unwrap();
            values = next;
        }
        if round == 0 {
            before = allocation_count();
        }
    }
    assert!(before > 0);
    assert_eq!(allocation_count() - before, 0);
}

/// Every question in every odd world, crowds of thousands among them: not one allocation, the first time
/// included. Motions through them allocate as long as they grow, and then no more.
#[test]
fn no_world_makes_a_query_allocate() {
    use crate::support::worlds::odd_worlds;
    use elbowroom::Geometry;
    use elbowroom::motion::{EdgeOptions, MotionChecker, ranges};
    let (mut nodes, mut queries) = (0, 0);
    for of in odd_worlds(3000) {
        let world = World::compile(&of.description).unwrap();
        let mut checker = Checker::new(&world);
        let mut rng = Rng::new(8);
        let path: Vec<Vec<f64>> = (0..40)
            .map(|_| ranges(&world).iter().map(|[a, b]| rng.range(a.max(-3.0), b.min(3.0))).collect())
            .collect();
        let index: Vec<_> = world.index_set().collect();
        let before = allocation_count();
        for values in &path {
            checker.set(values).unwrap();
            for geometry in [Geometry::Hull, Geometry::Mesh] {
                for (ask, cutoff) in [
                    (Ask::Test, 0.0),
                    (Ask::LowerBound, f64::INFINITY),
                    (Ask::Distance, 0.1),
                    (Ask::Distance, f64::INFINITY),
                ] {
                    let question = Question::from_ask(ask).cutoff(cutoff).geometry(geometry);
                    let answer = checker.ask(&question);
                    nodes += answer.counts.nodes;
                    queries += answer.counts.shape_queries;
                    for pair in &index {
                        checker.between(*pair, &question).unwrap();
                    }
                }
            }
            let each = checker.all_pairs(&Question::distance().cutoff(0.1), |_| {});
            queries += each.counts.shape_queries;
            checker.forget_history();
        }
        assert_eq!(allocation_count() - before, 0, "{}", of.name);

        let mut edges = MotionChecker::new(&world);
        let mut before = 0;
        for round in 0..2 {
            for ends in path.windows(2) {
                let options = EdgeOptions { work: 20_000, ..EdgeOptions::default() };
                edges.check_edge([&ends[0], &ends[1]], &options).unwrap();
            }
            if round == 0 {
                before = allocation_count();
            }
        }
        assert_eq!(allocation_count() - before, 0, "{}: motions", of.name);
    }
    assert!(nodes > 100_000 && queries > 20_000, "{nodes} {queries}");
}

#[test]
fn ranges_allocate_nothing() {
    use elbowroom::motion::{MotionChecker, PairWork, RangeOptions};
    let mut d = alone(row_of_balls("arm", 7, 0.3, 0.1));
    for i in 0..300 {
        let (x, y) = (f64::from(i % 20) * 0.2 - 2.0, f64::from(i / 20) * 0.3 - 2.0);
        d.obstacles.push(obstacle(&i.to_string(), [x, y, 0.3], one_of_each()));
    }
    let mut part = obstacle("part", [0.5, 0.6, 0.0], one_of_each());
    part.movable = true;
    d.obstacles.push(part);
    let world = World::compile(&d).unwrap();
    let mut ranges = MotionChecker::for_ranges(&world);
    let (mut rng, options) = (Rng::new(15), RangeOptions::default());
    let ([mut low, mut high, mut inner], mut open, mut again) = ([[0.0; 7]; 3], 0, 0);
    let before = allocation_count();
    for _ in 0..300 {
        for k in 0..7 {
            low[k] = rng.range(-3.0, 2.5);
            high[k] = low[k] + rng.range(0.0, 0.2);
            inner[k] = rng.range(low[k], high[k]);
        }
        open += ranges
            .check_ranges([&low, &high], &options, |_| PairWork::Halve)
            .map_or(0, |answer| answer.open.len());
        again += ranges.range_counts().again;
        open += ranges
            .check_narrower_ranges([&low, &inner], &options, |_| PairWork::Halve)
            .map_or(0, |answer| answer.open.len());
    }
    assert_eq!(allocation_count() - before, 0);
    assert!(open > 300 && again > 300, "{open} {again}");
}
