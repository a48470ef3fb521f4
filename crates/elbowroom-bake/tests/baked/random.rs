//! Random worlds.

use crate::support::rng::Rng;
use crate::support::threads::run_each;
use crate::tally::{Tally, draw_values, race_pose};
use crate::worlds::draw_world;
use crate::{first_seed, pose_count};
use elbowroom::{Checker, World};
use elbowroom_bake::{Refusal, bake_world};

const POSES_EACH: u64 = 20;

#[test]
fn random_worlds_say_no_more_than_the_engine() {
    let (worlds, first) = (pose_count().div_ceil(POSES_EACH), first_seed());
    let race_world = |number: usize| {
        let (seed, mut tally) = (first + number as u64, Tally::default());
        let description = draw_world(seed);
        let Ok(world) = World::compile(&description) else { return (tally, [0; 4]) };
        let baked = match bake_world(&description, &world) {
            Ok(baked) => baked,
            Err(refusals) => {
                let known = |r: &Refusal| {
                    ["no f32", "may be off by", "checks no pair"].iter().any(|w| r.problem.contains(w))
                };
                assert!(refusals.iter().all(known), "world {seed}: {refusals:?}");
                return (tally, [0, 1, 0, 0]);
            }
        };
        let (mut checker, mut rng) = (Checker::new(&world), Rng::new(!seed));
        for _ in 0..POSES_EACH {
            let values = draw_values(&baked, &mut rng);
            race_pose(&baked, &mut checker, &values, &format!("world {seed}"), &mut tally);
        }
        let mimics = world.joints().iter().any(|joint| joint.follows.is_some());
        let held = description.obstacles.iter().any(|obstacle| obstacle.attached_to.is_some());
        (tally, [1, 0, u64::from(mimics), u64::from(held)])
    };
    let (mut all, mut counts) = (Tally::default(), [0; 4]);
    for (tally, counted) in run_each(worlds as usize, race_world) {
        all.add(&tally);
        (0..4).for_each(|i| counts[i] += counted[i]);
    }
    let [baked, refused, mimics, held] = counts;
    println!("random: {all:?}; {baked} worlds, {refused} refused, {mimics} with mimics, {held} with held");
    assert!(baked * 2 > worlds && mimics * 20 > baked && held * 5 > baked, "{counts:?}");
    assert!(all.clear * 20 > all.poses && all.overlaps * 20 > all.poses, "{all:?}");
    assert!(all.missed * 20 <= all.clear, "{all:?}");
}
