//! Spare places: what is known of them in closed form, and that nothing is left of the shape before.

use crate::support::ask::{every_pair, intervals_meet};
use crate::support::describe::*;
use crate::support::rng::Rng;
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3, sin_cos};
use elbowroom::motion::bounds::Swept;
use elbowroom::motion::{Claim, Edge, EdgeOptions, MotionChecker, ProveOptions, Prover};
use elbowroom::pair::Scratch;
use elbowroom::pose::{ChangeFault, SetOptions, SpareShape};
use elbowroom::world::{AllowedReason, BodyId, BodyPair, PairStatus};
use elbowroom::{Batch, Checker, Question, Verdict, World};

/// An arm of two links along x, that turns about (0.5, 0, 0); its hand is a ball of 0.1 about (1, 0, 0). A
/// post, and a place for a part.
fn cell() -> WorldDescription {
    let mut d = alone(row_of_balls("arm", 2, 0.5, 0.1));
    d.obstacles.push(obstacle("post", [0.0, 5.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]));
    d.spares.push(SpareDescription { name: "part".into(), corners: 12 });
    d
}

fn spare(shape: ShapeDescription) -> SpareShape {
    SpareShape::new(&shape_at(shape, Transform::IDENTITY)).unwrap()
}

fn sphere(radius: f64) -> SpareShape {
    spare(ShapeDescription::Sphere { radius })
}

fn cube(edge: f64) -> SpareShape {
    spare(ShapeDescription::Box { size: [edge; 3] })
}

fn at(x: f64, y: f64, z: f64) -> Transform {
    Transform::from_translation([x, y, z].into())
}

fn bodies<const N: usize>(world: &World, names: [&str; N]) -> [BodyId; N] {
    names.map(|name| world.body_by_name(name).unwrap_or_else(|| panic!("{name}")))
}

#[test]
fn a_place_is_as_far_as_the_shape_in_it() {
    let world = World::compile(&cell()).unwrap();
    let [hand, base, post, part] = bodies(&world, ["arm/2", "arm/0", "world/post", "world/part"]);
    assert_eq!((world.spare_room(part), world.spare_room(post)), (Some(12), None));
    assert!(world.bodies()[part.index()].shapes.is_empty());
    let mut checker = Checker::new(&world);
    let question = Question::distance();
    // Empty it meets nothing, wherever it is.
    let (pairs, alone) = (checker.checked_pair_count(), checker.ask(&question));
    checker.place(part, &at(1.0, 0.0, 0.0)).unwrap();
    let no_shapes = Some(PairStatus::Allowed(AllowedReason::NoShapes));
    assert_eq!((checker.checked_pair_count(), checker.status(part, hand)), (pairs, no_shapes));
    assert_eq!(checker.ask(&question).interval, alone.interval);
    // It has a pair in the world as a hidden obstacle has.
    assert!(matches!(world.status(part, hand), Some(PairStatus::Checked(_))));

    // The pose is kept. A ball of 0.3 about the tip: 0.4 deep. Then the same farther away, and a cube.
    checker.insert_obstacle(part, &sphere(0.3)).unwrap();
    assert_eq!(checker.checked_pair_count(), pairs + 2);
    assert!(checker.ask(&question).interval.contains(-0.4));
    checker.place(part, &at(1.0, 1.0, 0.0)).unwrap();
    let answer = checker.ask(&question);
    assert!(answer.interval.contains(0.6) && answer.verdict == Verdict::Clear, "{answer:?}");
    // A radian moves the hand by 0.5 towards the part.
    let slope = answer.gradient(&mut checker).unwrap()[0];
    assert!((slope + 0.5).abs() < 1e-9, "{slope}");
    checker.insert_obstacle(part, &cube(0.4)).unwrap();
    assert!(checker.ask(&question).interval.contains(0.7));
    let (mut near, mut all) = (Vec::new(), 0);
    checker.nearest_k(2, &question.cutoff(0.75), &mut near);
    assert!(near.len() == 1 && near[0].interval.contains(0.7), "{near:?}");
    checker.all_pairs(&question, |_| all += 1);
    assert_eq!(all, checker.checked_pair_count());

    // In the hand it moves with the hand: to the base, and to the post, which a part at rest does not meet.
    checker.place(part, &at(1.3, 0.0, 0.0)).unwrap();
    assert!(matches!(checker.status(part, post), Some(PairStatus::Allowed(AllowedReason::BothFixed))));
    checker.attach(part, hand, &[]).unwrap();
    assert!(matches!(checker.status(part, post), Some(PairStatus::Checked(_))));
    checker.set(&[std::f64::consts::FRAC_PI_2, 0.0]).unwrap();
    checker.insert_obstacle(part, &sphere(0.2)).unwrap();
    let mut distance = |other: BodyId| {
        let pair = world.pairs().find_pair(BodyPair { a: part.min(other), b: part.max(other) }).unwrap();
        let (all, _) = every_pair(&mut checker, &question);
        all.iter().find(|answer| answer.pair == pair).unwrap().interval
    };
    let from = Vec3 { x: 0.5, y: 0.8, z: 0.0 };
    assert!(distance(base).contains(from.norm() - 0.3));
    assert!(distance(post).contains((from - Vec3 { x: 0.0, y: 5.0, z: 0.0 }).norm() - 0.3));
    // Emptied it keeps its carrier and its pose; filled again it is there again.
    let held = checker.checked_pair_count();
    checker.remove_obstacle(part).unwrap();
    assert_eq!((checker.checked_pair_count(), checker.carrier(part)), (pairs, Some(hand)));
    assert!((checker.body_in_world(part).unwrap().translation - from).norm() < 1e-12);
    checker.insert_obstacle(part, &sphere(0.2)).unwrap();
    assert_eq!(checker.checked_pair_count(), held);
    checker.hide(part).unwrap();
    checker.remove_obstacle(part).unwrap();
    checker.show(part).unwrap();
    assert_eq!((checker.checked_pair_count(), checker.status(part, base)), (pairs, no_shapes));
    checker.detach(part).unwrap();
}

#[test]
fn a_refusal_leaves_everything_as_it_was() {
    let mut d = cell();
    d.obstacles.push(ObstacleDescription {
        movable: true,
        ..obstacle("crate", [0.0, 2.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)])
    });
    let world = World::compile(&d).unwrap();
    let [hand, part, movable] = bodies(&world, ["arm/2", "world/part", "world/crate"]);
    let mut checker = Checker::new(&world);
    checker.insert_obstacle(part, &cube(0.2)).unwrap();
    checker.place(part, &at(1.0, 1.0, 0.0)).unwrap();
    let before = checker.ask(&Question::distance());
    // Points on a circle: all are corners.
    let rim = |k: u32| {
        let (sin, cos) = sin_cos(f64::from(k) * 0.4);
        [cos, sin, 0.1]
    };
    let plate = |corners: u32| spare(ShapeDescription::Convex { vertices: (0..corners).map(rim).collect() });
    let refused = |result: Result<(), ChangeFault>, words: &[&str]| {
        let told = result.expect_err(words[0]).to_string();
        assert!(words.iter().all(|word| told.contains(word)), "{told}");
    };
    refused(
        checker.insert_obstacle(part, &plate(13)),
        &["`world/part` has room for 12 corners", "has 13", "give"],
    );
    refused(checker.insert_obstacle(movable, &plate(3)), &["`world/crate` is no spare place"]);
    refused(checker.insert_obstacle(hand, &plate(3)), &["`arm/2` is not movable"]);
    refused(checker.insert_obstacle(BodyId(99), &plate(3)), &["no body number 99"]);
    refused(checker.remove_obstacle(movable), &["`world/crate` is no spare place"]);
    let mut bad = at(0.0, 0.0, 0.0);
    bad.translation.x = f64::NAN;
    refused(checker.place(part, &bad), &["not finite"]);
    assert_eq!(checker.inserted_obstacle(part).map(SpareShape::corner_count), Some(8));
    let after = checker.ask(&Question::distance());
    assert_eq!((before.interval, before.pair, before.witness), (after.interval, after.pair, after.witness));
    checker.insert_obstacle(part, &plate(12)).unwrap();
    checker.remove_obstacle(part).unwrap();
    refused(checker.remove_obstacle(part), &["`world/part` is empty already"]);
    // Places for nothing but what is round.
    d.spares[0].corners = 0;
    let world = World::compile(&d).unwrap();
    let mut checker = Checker::new(&world);
    refused(checker.insert_obstacle(part, &cube(0.1)), &["room for 0 corners"]);
    checker.insert_obstacle(part, &sphere(0.1)).unwrap();
}

#[test]
fn what_makes_no_place_is_refused() {
    let fault = |change: &dyn Fn(&mut WorldDescription)| {
        let mut d = cell();
        change(&mut d);
        World::compile(&d).unwrap_err().to_string()
    };
    let more = |d: &mut WorldDescription, name: &str, corners: usize| {
        d.spares.push(SpareDescription { name: name.into(), corners });
    };
    for (told, words) in [
        (fault(&|d| more(d, "part", 8)), "`world/part`"),
        (fault(&|d| more(d, "post", 8)), "`world/post`"),
        (fault(&|d| more(d, "", 8)), "give the body a name"),
        (fault(&|d| more(d, "much", (1 << 16) + 1)), "ask for up to 65536"),
        (fault(&|d| more(d, "much", usize::MAX)), "`world/much` asks for room for 18446744073709551615"),
    ] {
        assert!(told.contains(words), "{told}");
    }
    // Rules may name a place, and what an edit cannot do it says.
    let mut d = cell();
    let [a, b] = ["arm/2", "world/part"].map(String::from);
    d.allowed.push(AllowedPair { a, b, reason: "it is soft".into() });
    let world = World::compile(&d).unwrap();
    let [hand, part] = bodies(&world, ["arm/2", "world/part"]);
    let mut checker = Checker::new(&world);
    checker.insert_obstacle(part, &sphere(0.1)).unwrap();
    checker.place(part, &at(1.0, 0.0, 0.0)).unwrap();
    let soft = Some(PairStatus::Allowed(AllowedReason::User("it is soft")));
    assert_eq!(checker.status(part, hand), soft);
    let told = world.edit().remove("world/part").finish().unwrap_err().to_string();
    assert!(told.contains("`world/part`") && told.contains("movable"), "{told}");
    assert_ne!(world.fingerprint(), World::compile(&cell()).unwrap().fingerprint());
}

#[test]
fn an_edit_keeps_what_is_in_a_place() {
    let mut d = cell();
    // With and without a tree over what is fixed.
    for crowd in [0, 30] {
        d.obstacles.extend((0..crowd).map(|k| {
            obstacle(&format!("far{k}"), [9.0 + f64::from(k), 9.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)])
        }));
        let world = World::compile(&d).unwrap();
        let [hand, part] = bodies(&world, ["arm/2", "world/part"]);
        let mut checker = Checker::new(&world);
        checker.insert_obstacle(part, &sphere(0.2)).unwrap();
        checker.place(part, &at(1.3, 0.0, 0.0)).unwrap();
        checker.attach(part, hand, &[]).unwrap();
        checker.ask(&Question::distance());
        let mut edit = world.edit();
        edit.add(obstacle("new", [1.3, 0.6, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]));
        edit.remove("world/post");
        let next = edit.finish().unwrap();
        let padded = next.edit().pad("arm", 0.05).finish().unwrap();
        for world in [&next, &padded] {
            let mut there = checker.migrate_to(world).unwrap();
            assert_eq!(there.inserted_obstacle(part).map(|shape| shape.shape().radius()), Some(0.2));
            assert_eq!(there.carrier(part), Some(hand));
            let answer = there.ask(&Question::distance());
            let [a, b] = world.pair_names(answer.pair.unwrap()).unwrap();
            assert!(answer.interval.contains(0.3), "{a} {b} {answer:?}");
            let new = world.body_by_name("world/new").unwrap();
            assert!(matches!(there.status(part, new), Some(PairStatus::Checked(_))));
            // And back.
            let mut back = there.migrate_to(checker.world()).unwrap();
            let (mine, then) = (checker.ask(&Question::distance()), back.ask(&Question::distance()));
            assert!(intervals_meet(&mine.interval, &then.interval), "{mine:?} {then:?}");
            // The place is free for another shape there, and the first checker keeps its own.
            there.insert_obstacle(part, &sphere(0.3)).unwrap();
            assert!(there.ask(&Question::distance()).interval.contains(0.2));
            assert_eq!(checker.inserted_obstacle(part).map(|shape| shape.shape().radius()), Some(0.2));
        }
    }
}

/// Points that are kept of a held shape before a cloud, and planes in front of it, are not those of the next.
#[test]
fn clouds_before_what_is_held() {
    let mut d = cell();
    d.obstacles.clear();
    for name in ["left", "right"] {
        d.clouds.push(CloudDescription { name: name.into(), radius: 0.01, capacity: 100 });
    }
    let world = World::compile(&d).unwrap();
    let [base, arm, hand, part] = bodies(&world, ["arm/0", "arm/1", "arm/2", "world/part"]);
    let [left, right] = bodies(&world, ["world/left", "world/right"]);
    let wall = |x: f64| -> Vec<[f64; 3]> {
        (0..100).map(|k| [x, 0.1 * f64::from(k % 10) - 0.45, 0.1 * f64::from(k / 10) - 0.45]).collect()
    };
    let (mut checker, mut own) = (Checker::new(&world), Vec::new());
    checker.update_cloud(left, &wall(3.0)).unwrap();
    checker.update_cloud(right, &wall(-3.0)).unwrap();
    checker.place(part, &at(1.3, 0.0, 0.0)).unwrap();
    checker.attach(part, hand, &[base, arm]).unwrap();
    checker.allow_contact(base, hand).unwrap();
    let mut edges = MotionChecker::new(&world);
    let mut rng = Rng::new(4);
    let way = [&[-0.3, 0.0][..], &[0.3, 0.0][..]];
    let (mut free, mut contact) = (0, 0);
    for round in 0..60 {
        // Along x: the half edge of a cube, or the radius of a ball, and where the nearest point is.
        let size = rng.range(0.1, 1.6);
        let ball = rng.chance(0.5);
        let shape = if ball { sphere(size) } else { cube(2.0 * size) };
        if checker.inserted_obstacle(part).is_some() && rng.chance(0.3) {
            checker.remove_obstacle(part).unwrap();
            assert!(checker.ask(&Question::distance()).interval.lower > 1.8);
        }
        checker.insert_obstacle(part, &shape).unwrap();
        // The wall has points at 0.05 from the axis, and for a cube one straight ahead of a face.
        let gap = 3.0 - 1.3;
        let off = 0.05_f64 * 0.05 * 2.0;
        let distance = if ball { (gap * gap + off).sqrt() - size } else { gap - size } - 0.01;
        let answer = checker.ask(&Question::distance());
        assert!(answer.interval.contains(distance), "{round}: {size} {answer:?} {distance}");
        let [a, b] = world.pair_names(answer.pair.unwrap()).unwrap();
        assert_eq!([a, b], ["world/part", "world/left"]);
        checker.find_self_points(left, distance + 1e-6, &mut own).unwrap();
        assert!(!own.is_empty() && own.iter().all(|(_, body)| *body == part), "{round}: {own:?}");
        checker.find_self_points(left, distance - 1e-6, &mut own).unwrap();
        assert!(own.is_empty(), "{round}: {own:?}");
        // The motion checker agrees on a way around that pose.
        assert!(edges.copy_state_from(&checker));
        match edges.check_edge(way, &EdgeOptions::default()).unwrap() {
            Edge::Free => {
                assert!(distance > 0.0);
                edges.verify(way, &EdgeOptions::default()).unwrap();
                free += 1;
            }
            Edge::Contact { .. } => contact += 1,
            other @ Edge::Unknown { .. } => panic!("{round}: {other:?}"),
        }
        // Other checkers do not know of it.
        assert!(Checker::new(&world).inserted_obstacle(part).is_none());
    }
    assert!(free > 10 && contact > 3, "{free} {contact}");
}

#[test]
fn motions_batches_and_proofs_know_what_is_in_a_place() {
    let world = World::compile(&cell()).unwrap();
    let [base, hand, post, part] = bodies(&world, ["arm/0", "arm/2", "world/post", "world/part"]);
    let pair = |a: BodyId, b: BodyId| BodyPair { a: a.min(b), b: a.max(b) };
    let (mut checker, mut edges) = (Checker::new(&world), MotionChecker::new(&world));
    let (mut batch, mut prover) = (Batch::new(&world), Prover::new(&world));
    let claim = |prover: &mut Prover, other| prover.pair(pair(part, other), &ProveOptions::default()).claim;
    // Of an empty place nothing is claimed, for it has no shape.
    assert_eq!(claim(&mut prover, hand), Claim::Open);
    assert_eq!(Swept::new(&world).gap(hand, part, &mut Scratch::default()), f64::NEG_INFINITY);

    let (way, options) = ([&[0.0, 0.0][..], &[1.5, 0.0][..]], EdgeOptions::default());
    let row = [0.75, 0.0];
    let (sin, cos) = sin_cos(0.75);
    let in_the_way = at(0.5 + 0.5 * cos, 0.5 * sin, 0.0);
    checker.place(part, &in_the_way).unwrap();
    let mut ask = |checker: &Checker| {
        assert!(edges.copy_state_from(checker) && batch.copy_state_from(checker));
        let edge = edges.check_edge(way, &options).unwrap();
        let mut verdicts = [Verdict::Unknown];
        batch.test(&row, &Question::test(), &mut verdicts).unwrap();
        if edge == Edge::Free {
            edges.verify(way, &options).unwrap();
        }
        (edge, verdicts[0])
    };
    assert_eq!(ask(&checker), (Edge::Free, Verdict::Clear));
    let copy = checker.clone();
    checker.insert_obstacle(part, &cube(0.2)).unwrap();
    let (edge, verdict) = ask(&checker);
    let Edge::Contact { first: [from, to], pair: touching, .. } = edge else { panic!("{edge:?}") };
    assert!(verdict == Verdict::Collision && touching == pair(hand, part), "{verdict} {touching:?}");
    assert!(0.0 < from && to < 0.5, "{from} {to}");
    // A certificate of the empty place is none of the filled one; the copy has the empty one still.
    assert_eq!(ask(&copy), (Edge::Free, Verdict::Clear));
    edges.copy_state_from(&copy);
    assert_eq!(edges.check_edge(way, &options).unwrap(), Edge::Free);
    edges.copy_state_from(&checker);
    assert!(edges.verify(way, &options).is_err());

    // In the hand: never near the post, 5 m away, and it touches the base where the arm is turned back.
    checker.insert_obstacle(part, &sphere(0.25)).unwrap();
    checker.place(part, &at(1.3, 0.0, 0.0)).unwrap();
    checker.attach(part, hand, &[]).unwrap();
    assert!(prover.copy_state_from(&checker));
    assert!(matches!(claim(&mut prover, post), Claim::Never { .. }));
    assert_eq!(claim(&mut prover, base), Claim::Sometimes);
    // Larger, it always overlaps what it is near.
    checker.insert_obstacle(part, &sphere(3.0)).unwrap();
    prover.copy_state_from(&checker);
    assert_eq!(claim(&mut prover, base), Claim::Always);
    checker.remove_obstacle(part).unwrap();
    prover.copy_state_from(&checker);
    assert_eq!(claim(&mut prover, base), Claim::Open);
}

/// Places that are filled, placed and emptied at random, beside a world that has their shapes.
#[test]
fn many_places() {
    let mut d = alone(row_of_balls("arm", 3, 0.4, 0.05));
    d.spares =
        (0..300).map(|k| SpareDescription { name: format!("part{k}"), corners: 8 * (k % 3) }).collect();
    let world = World::compile(&d).unwrap();
    let parts: Vec<BodyId> = (0..300).map(|k| bodies(&world, [&format!("world/part{k}")])[0]).collect();
    let (mut checker, mut rng) = (Checker::new(&world), Rng::new(9));
    let mut there: Vec<Option<PlacedShape>> = vec![None; parts.len()];
    let (mut compared, mut nearest) = (0, 0);
    for round in 0..400 {
        let k = rng.below(parts.len());
        let shape = match rng.below(3) {
            0 => ShapeDescription::Sphere { radius: rng.range(0.02, 0.2) },
            1 => ShapeDescription::Box { size: [0; 3].map(|_| rng.range(0.02, 0.3)) },
            _ => {
                let vertices = (0..10).map(|_| rng.point(0.2).to_array()).collect();
                ShapeDescription::Convex { vertices }
            }
        };
        let placed = shape_at(shape, rng.pose(0.1));
        if checker.insert_obstacle(parts[k], &SpareShape::new(&placed).unwrap()).is_ok() {
            there[k] = Some(placed);
        } else if checker.remove_obstacle(parts[k]).is_ok() {
            there[k] = None;
        }
        checker.place(parts[rng.below(parts.len())], &rng.pose(2.0)).unwrap();
        let values: Vec<f64> = (0..3).map(|_| rng.range(-3.0, 3.0)).collect();
        checker.set_with(&values, SetOptions::default()).unwrap();
        let now = checker.ask(&Question::distance());
        if round % 20 != 19 {
            continue;
        }
        let mut described = d.clone();
        described.spares.clear();
        described.obstacles = (parts.iter().zip(&there).enumerate())
            .map(|(k, (body, shape))| ObstacleDescription {
                pose: checker.body_in_world(*body).unwrap(),
                ..obstacle(&format!("part{k}"), [0.0; 3], shape.iter().cloned().collect())
            })
            .collect();
        let fresh = World::compile(&described).unwrap();
        let mut other = Checker::new(&fresh);
        other.set(&values).unwrap();
        let then = other.ask(&Question::distance());
        assert!(intervals_meet(&now.interval, &then.interval), "{round}: {now:?} {then:?}");
        assert_eq!(checker.checked_pair_count(), fresh.pairs().len(), "{round}");
        let of_part = now.pair.and_then(|pair| world.pair_names(pair)).unwrap();
        nearest += u32::from(of_part.iter().any(|name| name.starts_with("world/part")));
        compared += 1;
    }
    assert!(compared == 20 && nearest > 5, "{compared} {nearest}");
}
