//! The octree against all bodies and all pairs of them, while bodies come, move and go.
//!
//! `ELBOWROOM_OCTREE` sets how many operations (two hundred thousand by default), `ELBOWROOM_RACE_FROM` the
//! first seed. A scene that fails is named by its seed.

use elbowroom_testkit as support;

mod degenerate;
mod scene;

use elbowroom_lab::limits::{OCTREE_LEVELS, OCTREE_OBJECTS};
use elbowroom_lab::tran91::{OctreeCounts, Rule};
use scene::{Scene, Style, compatibility};
use support::number_from_environment;
use support::rng::Rng;
use support::threads::run_each;

/// Operations a scene.
const OPERATIONS: u64 = 1000;
/// What a scene reached.
struct Reached {
    counts: OctreeCounts,
    told: [u64; 4],
    most_nodes: usize,
}

fn run(seed: u64) -> Reached {
    let rng = &mut Rng::new(seed);
    let rule = match seed % 3 {
        0 => Rule::Objects(OCTREE_OBJECTS),
        1 => Rule::Objects(rng.pick(&[0, 1, 2, 8])),
        _ => Rule::Compatibility(compatibility()),
    };
    let style = Style::of(seed / 3);
    let mut scene = Scene::new(rule, &style, rng);
    let mut most_nodes = 0;
    for _ in 0..OPERATIONS {
        scene.step(&style, rng);
        most_nodes = most_nodes.max(scene.octree.node_count());
        if rng.chance(0.1) {
            scene.check(&style, rng);
        }
    }
    scene.check_rebuilt(rng);
    let counts = *scene.octree.counts();
    for body in scene.bodies.keys() {
        assert!(scene.octree.remove(*body));
    }
    scene.octree.check_invariants().unwrap();
    assert!(scene.octree.is_empty() && scene.octree.node_count() == 1);
    Reached { counts, told: scene.told, most_nodes }
}

#[test]
fn answers_are_those_of_all_bodies_while_they_come_move_and_go() {
    let (from, n) = (
        number_from_environment("ELBOWROOM_RACE_FROM", 0),
        number_from_environment("ELBOWROOM_OCTREE", 200_000),
    );
    let scenes = n.div_ceil(OPERATIONS).max(30);
    let reached = run_each(scenes as usize, |i| {
        let seed = from + i as u64;
        std::panic::catch_unwind(|| run(seed)).unwrap_or_else(|_| panic!("seed {seed}"))
    });
    let (mut all, mut told, mut most_nodes) = (OctreeCounts::default(), [0; 4], 0);
    for r in &reached {
        all.splits += r.counts.splits;
        all.merges += r.counts.merges;
        all.stays += r.counts.stays;
        (0..all.climbs.len()).for_each(|k| all.climbs[k] += r.counts.climbs[k]);
        (0..4).for_each(|k| told[k] += r.told[k]);
        most_nodes = most_nodes.max(r.most_nodes);
    }
    println!("{scenes} scenes of {OPERATIONS} operations: {all:?}, near {told:?}, {most_nodes} nodes");
    assert!(all.splits > n / 4 && all.merges > n / 4 && all.stays > n / 100, "{all:?}");
    // To every height, and from voxels to the root.
    assert!(all.climbs.iter().all(|count| *count > 0) && all.climbs.len() == OCTREE_LEVELS as usize + 1);
    assert!(told.iter().all(|count| *count > n / 100) && most_nodes > 1000, "{told:?} {most_nodes}");
}
