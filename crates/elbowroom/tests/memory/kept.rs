//! What a world says it and those who ask it keep, held against an allocator that counts.

use crate::counting::held_bytes;
use crate::support::describe::*;
use crate::support::rng::Rng;
use elbowroom::describe::{
    AllowedPair, CloudDescription, ShapeDescription, SpareDescription, WorldDescription,
};
use elbowroom::pose::SpareShape;
use elbowroom::world::Memory;
use elbowroom::{Batch, Checker, Question, World};

/// Runs a test on one thread: the allocator counts by thread.
pub fn on_one_thread(test: impl FnOnce() + Send) {
    #[cfg(feature = "rayon")]
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(test);
    #[cfg(not(feature = "rayon"))]
    test();
}

/// What is made and kept, and the bytes that are allocated for it.
fn made<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let before = held_bytes();
    let made = make();
    (made, (held_bytes() - before) as usize)
}

/// `exact`: nothing is kept in trees of the standard library, which are only bounded.
fn examine(what: &str, d: &WorldDescription, exact: bool) -> Memory {
    let (world, bytes) = made(|| World::compile(d).unwrap());
    let memory = world.memory();
    let said = memory.world - size_of_val(&world);
    assert!(bytes <= said, "{what}: {bytes} bytes are kept, not {said}");
    if exact {
        assert_eq!(bytes, said, "{what}");
    }
    assert!(said <= bytes + bytes / 5 + 4096, "{what}: {said} bytes for {bytes} are no bound worth having");
    let (mut checker, bytes) = made(|| Checker::new(&world));
    assert_eq!(memory.checker, bytes + size_of::<Checker>(), "{what}");
    let (mut batch, bytes) = made(|| Batch::new(&world));
    assert_eq!(memory.batch, bytes + size_of::<Batch>(), "{what}");
    // And no more, whatever is asked.
    let values = world.neutral_values();
    let question = Question::test();
    let (_, more) = made(|| {
        checker.set(&values).unwrap();
        checker.ask(&Question::distance());
        checker.all_pairs(&Question::distance(), |_| {});
        let mut verdicts = [elbowroom::Verdict::Unknown];
        batch.test(&values, &question, &mut verdicts).unwrap();
    });
    assert_eq!(more, 0, "{what}");
    memory
}

fn crowd(count: usize) -> WorldDescription {
    let mut rng = Rng::new(3);
    let mut d = alone(row_of_balls("arm", 7, 0.3, 0.1));
    for i in 0..count {
        let vertices = (0..30).map(|_| (rng.direction() * 0.05).to_array()).collect();
        let hull = shape(ShapeDescription::Convex { vertices });
        let at = std::array::from_fn(|_| rng.range(-9.0, 9.0));
        d.obstacles.push(obstacle(&format!("o{i}"), at, vec![hull]));
    }
    d
}

#[test]
fn a_world_keeps_what_it_says() {
    on_one_thread(says_what_it_keeps);
}

fn says_what_it_keeps() {
    examine("nothing", &WorldDescription::default(), true);
    examine("a robot", &alone(row_of_balls("arm", 7, 0.3, 0.1)), true);
    let mut d = alone(row_of_balls("arm", 7, 0.3, 0.1));
    for (link, shape) in d.robots[0].robot.links.iter_mut().zip(one_of_each()) {
        link.shapes = vec![shape];
    }
    d.obstacles.push(obstacle("kinds", [0.5, 0.6, 0.0], one_of_each()));
    d.allowed.push(AllowedPair { a: "world/kinds".into(), b: "*".into(), reason: "near".into() });
    d.allowed.push(AllowedPair { a: "world/kinds".into(), b: "arm/3".into(), reason: "nearer".into() });
    examine("shapes of all kinds", &d, false);
}

#[test]
fn a_filled_place_keeps_no_more_than_is_said() {
    on_one_thread(filled_places_keep);
}

fn filled_places_keep() {
    let mut d = alone(row_of_balls("arm", 2, 0.3, 0.1));
    let rooms = [0, 4, 64, 120, 700];
    d.spares = rooms.map(|corners| SpareDescription { name: format!("part{corners}"), corners }).to_vec();
    d.clouds.push(CloudDescription { name: "scan".into(), radius: 0.01, capacity: 10 });
    let world = World::compile(&d).unwrap();
    let said = world.memory().checker;
    let (mut rng, hand) = (Rng::new(2), world.body_by_name("arm/2").unwrap());
    let (checker, bytes) = made(|| {
        let mut checker = Checker::new(&world);
        checker.update_cloud(world.body_by_name("world/scan").unwrap(), &[[9.0, 0.0, 0.0]]).unwrap();
        // Twice: what was there before is not kept.
        for corners in rooms.iter().chain(&rooms) {
            let vertices: Vec<[f64; 3]> = (0..*corners).map(|_| rng.direction().to_array()).collect();
            let described = match corners {
                0 => ShapeDescription::Sphere { radius: 0.3 },
                _ => ShapeDescription::Convex { vertices },
            };
            // The checker alone has the shape in the end.
            let compiled = SpareShape::new(&shape_at(described, rng.pose(1.0))).unwrap();
            let part = world.body_by_name(&format!("world/part{corners}")).unwrap();
            checker.insert_obstacle(part, &compiled).unwrap();
            if checker.carrier(part).is_none() {
                checker.attach(part, hand, &[]).unwrap();
            }
            checker.ask(&Question::distance());
            assert!(checker.inserted_obstacle(part).unwrap().corner_count() * 10 >= corners * 9);
        }
        checker
    });
    let kept = bytes + size_of_val(&checker);
    assert!(kept <= said && said < kept + kept / 2, "{kept} bytes are kept, and {said} said");
}

#[test]
fn a_crowd_keeps_little() {
    on_one_thread(keeps_little);
}

fn keeps_little() {
    let memory = examine("two thousand obstacles", &crowd(2000), true);
    let few = examine("a thousand obstacles", &crowd(1000), true);
    let beside = (memory.world - few.world) as f64 / 1000.0 - 30.0 * 24.0;
    assert!(beside < 600.0, "{beside} bytes an obstacle");
    // Nor does a checker keep anything for each.
    assert!(memory.checker < few.checker + 8192, "{} {}", memory.checker, few.checker);
}
