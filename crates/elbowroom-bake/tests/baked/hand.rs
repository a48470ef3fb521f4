//! The hand of `robots/sdh2`.

use crate::support::rng::Rng;
use crate::support::threads::run_each;
use crate::tally::{Space, Tally, draw_values, race_pose};
use crate::{first_seed, pose_count};
use elbowroom::{Checker, World};
use elbowroom_bake::{Baked, bake_world};
use elbowroom_baked::Verdict;
use elbowroom_files::Options;
use elbowroom_files::world::load_world;
use elbowroom_testkit::robots::robots_folder;

pub fn baked_hand() -> (World, Baked) {
    let loaded = load_world(&robots_folder().join("sdh2/hand.toml"), &Options::default()).expect("the hand");
    let world = World::compile(&loaded.value).expect("the hand compiles");
    let baked = bake_world(&loaded.value, &world).expect("the hand can be baked");
    (world, baked)
}

#[test]
fn the_hand_says_no_more_than_the_engine() {
    let (world, baked) = baked_hand();
    let (poses, first) = (pose_count(), first_seed());
    let chunks = poses.div_ceil(1_000);
    let tallies = run_each(chunks as usize, |chunk| {
        let (mut checker, mut tally) = (Checker::new(&world), Tally::default());
        for seed in (first + chunk as u64 * 1_000..).take(1_000.min(poses as usize)) {
            let mut rng = Rng::new(seed);
            // Near the upright fingers too, where most is clear.
            let share = if rng.chance(0.5) { 1.0 } else { 0.3 };
            let values: Vec<f32> = draw_values(&baked, &mut rng).iter().map(|v| v * share).collect();
            race_pose(&baked, &mut checker, &values, &format!("seed {seed}"), &mut tally);
        }
        tally
    });
    let mut all = Tally::default();
    tallies.iter().for_each(|tally| all.add(tally));
    let bytes = baked.world().constant_bytes();
    let (error, worst) = (baked.largest_error(), baked.world().worst_iterations());
    println!("hand: {all:?}, {bytes} bytes, error {error:e} m, worst case {worst} iterations");
    assert!(all.clear * 5 > all.poses && all.overlaps * 20 > all.poses, "{all:?}");
    // A hundredth of what is clear at most: poses within micrometres of the margin.
    assert!(all.missed * 100 <= all.clear && all.weak * 100 <= all.poses, "{all:?}");
}

#[test]
fn the_hand_is_small() {
    let (engine, baked) = baked_hand();
    let world = baked.world();
    assert_eq!(world.fingerprint, engine.fingerprint());
    let bytes = world.constant_bytes() - size_of_val(world.vertices);
    assert!(bytes < 8 * 1024, "{bytes}");
    assert!(baked.largest_error() < 2e-5, "{}", baked.largest_error());
    assert_eq!(world.pairs.len(), baked.pair_names.len());
    assert_eq!(world.test(&[0.0; 7], &mut Space::new()), Verdict::Clear);
}

/// How long a test takes, of a thousand poses: `cargo test --release -- --ignored --nocapture times`.
#[test]
#[ignore = "a measurement"]
fn times_of_the_hand() {
    let (engine, baked) = baked_hand();
    let world = baked.world();
    let mut rng = Rng::new(1);
    let mut scratch = elbowroom_baked::Scratch::<8, 26>::new();
    for (name, share, wanted) in [("upright", 0.3, true), ("anywhere, not clear", 1.0, false)] {
        let mut poses = Vec::new();
        while poses.len() < 1_000 {
            let values: Vec<f32> = draw_values(&baked, &mut rng).iter().map(|v| v * share).collect();
            if (world.test(&values, &mut scratch) == Verdict::Clear) == wanted {
                poses.push(values);
            }
        }
        let start = std::time::Instant::now();
        let mut clear = 0;
        for _ in 0..20 {
            for values in &poses {
                clear +=
                    usize::from(world.test(std::hint::black_box(values), &mut scratch) == Verdict::Clear);
            }
        }
        let test = start.elapsed().as_nanos() / 20_000;
        let start = std::time::Instant::now();
        for values in &poses {
            std::hint::black_box(world.lower_bound(std::hint::black_box(values), &mut scratch));
        }
        let bound = start.elapsed().as_nanos() / 1_000;
        let mut checker = elbowroom::Checker::new(&engine);
        let exact: Vec<Vec<f64>> =
            poses.iter().map(|values| values.iter().map(|v| f64::from(*v)).collect()).collect();
        let start = std::time::Instant::now();
        for values in &exact {
            checker.set(values).expect("within limits");
            std::hint::black_box(checker.test());
        }
        let engine = start.elapsed().as_nanos() / 1_000;
        println!("{name}: test {test} ns, lower bound {bound} ns, {clear}; the engine's test {engine} ns");
    }
}
