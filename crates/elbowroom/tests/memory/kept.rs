//! What worlds, and those who ask them, keep, by an allocator that counts.

use crate::counting::held_bytes;
use crate::support::describe::*;
use crate::support::rng::Rng;
use elbowroom::describe::{
    AllowedPair, CloudDescription, ShapeDescription, SpareDescription, WorldDescription,
};
use elbowroom::pose::SpareShape;
use elbowroom::{Batch, Checker, Question, World};

/// Runs a test on one thread: the allocator counts by thread.
pub fn on_one_thread(test: impl FnOnce() + Send) {
    #[cfg(feature = "rayon")]
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(test);
    #[cfg(not(feature = "rayon"))]
    test();
}

/// What is made and kept, and the bytes that are allocated for it.
fn make_counted<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let before = held_bytes();
    let made = make();
    (made, (held_bytes() - before) as usize)
}

/// The bytes that a world keeps, and those of a checker. A checker and a batch keep no more, whatever is
/// asked, and their copies as much as they do.
fn count_kept(what: &str, d: &WorldDescription) -> [usize; 2] {
    let (world, world_bytes) = make_counted(|| World::compile(d).unwrap());
    let (mut checker, checker_bytes) = make_counted(|| Checker::new(&world));
    let (mut batch, batch_bytes) = make_counted(|| Batch::new(&world));
    // But for the slack of lists that grew while they were made, a copy has the same room.
    for (copy, bytes) in
        [(make_counted(|| checker.clone()).1, checker_bytes), (make_counted(|| batch.clone()).1, batch_bytes)]
    {
        assert!(copy <= bytes && bytes <= copy + 1024, "{what}: {copy} of {bytes} bytes");
    }
    let values = world.neutral_values();
    let question = Question::test();
    let (_, more) = make_counted(|| {
        checker.set(&values).unwrap();
        checker.ask(&Question::distance());
        checker.all_pairs(&Question::distance(), |_| {});
        let mut verdicts = [elbowroom::Verdict::Unknown];
        batch.test(&values, &question, &mut verdicts).unwrap();
    });
    assert_eq!(more, 0, "{what}");
    [world_bytes, checker_bytes]
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
fn what_asks_keeps_no_more_than_at_first() {
    on_one_thread(keeps_no_more);
}

fn keeps_no_more() {
    count_kept("nothing", &WorldDescription::default());
    count_kept("a robot", &alone(row_of_balls("arm", 7, 0.3, 0.1)));
    let mut d = alone(row_of_balls("arm", 7, 0.3, 0.1));
    for (link, shape) in d.robots[0].robot.links.iter_mut().zip(one_of_each()) {
        link.shapes = vec![shape];
    }
    d.obstacles.push(obstacle("kinds", [0.5, 0.6, 0.0], one_of_each()));
    d.allowed.push(AllowedPair { a: "world/kinds".into(), b: "*".into(), reason: "near".into() });
    d.allowed.push(AllowedPair { a: "world/kinds".into(), b: "arm/3".into(), reason: "nearer".into() });
    count_kept("shapes of all kinds", &d);
}

#[test]
fn a_filled_place_keeps_a_few_hundred_bytes_a_corner() {
    on_one_thread(filled_places_keep);
}

fn filled_places_keep() {
    let mut d = alone(row_of_balls("arm", 2, 0.3, 0.1));
    let rooms = [0, 4, 64, 120, 700];
    d.spares = rooms.map(|corners| SpareDescription { name: format!("part{corners}"), corners }).to_vec();
    d.clouds.push(CloudDescription { name: "scan".into(), radius: 0.01, capacity: 10 });
    let world = World::compile(&d).unwrap();
    let (mut rng, hand) = (Rng::new(2), world.body_by_name("arm/2").unwrap());
    let mut checker = Checker::new(&world);
    checker.update_cloud(world.body_by_name("world/scan").unwrap(), &[[9.0, 0.0, 0.0]]).unwrap();
    let mut fill = |checker: &mut Checker| {
        let before = held_bytes();
        for corners in rooms {
            let vertices: Vec<[f64; 3]> = (0..corners).map(|_| rng.direction().to_array()).collect();
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
        held_bytes() - before
    };
    // Vertices in fours, faces, and above a hundred corners what a climb needs: 300 bytes a corner at most.
    let most = 300 * rooms.iter().sum::<usize>() + 2000 * rooms.len();
    let first = fill(&mut checker);
    assert!(first > 0 && first < most as isize, "{first} bytes for {most}");
    // What was there before is not kept.
    let more = fill(&mut checker);
    assert!(more.abs() < first / 10, "{more} bytes more than {first}");
}

#[test]
fn a_crowd_keeps_little() {
    on_one_thread(keeps_little);
}

fn keeps_little() {
    let [world, checker] = count_kept("two thousand obstacles", &crowd(2000));
    let [fewer, few] = count_kept("a thousand obstacles", &crowd(1000));
    let beside = (world - fewer) as f64 / 1000.0 - 30.0 * 24.0;
    assert!(beside < 600.0, "{beside} bytes an obstacle");
    // Nor does a checker keep anything for each.
    assert!(checker < few + 8192, "{checker} {few}");
}
