//! Gradients of real robots, beside central differences.

use crate::cells::{draw_values, robot_named};
use crate::support::number_from_environment;
use crate::support::rng::Rng;
use crate::support::slopes::{Compared, compare_gradients};
use elbowroom::{Checker, World};

/// Wider intervals say nothing about differences (metres).
const WIDTH: f64 = 1e-11;

#[test]
fn gradients_of_robots_are_those_of_differences() {
    let poses = number_from_environment("ELBOWROOM_GRADIENTS", 12);
    let mut depths = 0;
    for name in ["iiwa", "panda with its hand", "meca500", "lwa4d with an sdh hand", "sdh hand"] {
        let Some(cell) = robot_named(name) else { return };
        let world = World::compile(&cell.description).unwrap();
        let mut checker = Checker::new(&world);
        let (rng, mut sum) = (&mut Rng::new(41), Compared::default());
        for _ in 0..poses {
            compare_gradients(&mut checker, &draw_values(&world, rng), &[], WIDTH, &mut sum);
        }
        println!("{name}: {poses} poses, {sum:?}");
        depths += sum.depths;
        assert!(sum.smooth as u64 > 100 * poses && sum.moving > 0, "{name}: {sum:?}");
        assert!(sum.rough < sum.smooth, "{name}: {sum:?}");
    }
    assert!(depths > 0, "no overlap");
}
