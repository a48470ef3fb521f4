//! Random closings of a simulated hand under the guard of arms.

use crate::support::number_from_environment;
use crate::support::threads::run_each;
use elbowroom_lab::haase10::closing::{Closings, run_closings};
use elbowroom_lab::haase10::hand::Hand;
use elbowroom_lab::haase10::joint::StopKind;
use elbowroom_testkit::robots::robots_folder;

/// Closings a task.
const TOGETHER: usize = 25;

fn run_many(hand: &Hand, kind: StopKind, count: usize) -> Closings {
    let from = number_from_environment("ELBOWROOM_RACE_FROM", 0);
    let runs = run_each(count.div_ceil(TOGETHER), |i| {
        run_closings(&hand.world, kind, from + (i * TOGETHER) as u64, TOGETHER).unwrap()
    });
    runs.into_iter().fold(Closings { nearest: f64::INFINITY, ..Closings::default() }, |all, run| Closings {
        count: all.count + run.count,
        colliding: all.colliding + run.colliding,
        touched: all.touched + run.touched,
        stopped: all.stopped + run.stopped,
        left: all.left + run.left,
        joints: all.joints + run.joints,
        nearest: all.nearest.min(run.nearest),
    })
}

/// A twentieth of `ELBOWROOM_HAND` closings, two hundred unless told.
#[test]
fn fingers_rest_before_they_touch_with_the_emergency_stop() {
    let count = number_from_environment("ELBOWROOM_HAND", 4_000) as usize / 20;
    let hand = Hand::load_hand(Some(&robots_folder())).unwrap();
    let emergency = run_many(&hand, StopKind::Emergency, count);
    println!("{emergency:?}");
    assert!(emergency.colliding * 5 > emergency.count, "{emergency:?}");
    assert_eq!((emergency.touched, emergency.left), (0, 0), "{emergency:?}");
    assert!(emergency.stopped >= emergency.colliding && emergency.joints > 0);
}

/// It turns back, which the guard's model does not know: joints leave the positions that it proved clear.
#[test]
fn the_stop_command_leaves_what_the_guard_was_told() {
    let hand = Hand::load_hand(Some(&robots_folder())).unwrap();
    let command = run_many(&hand, StopKind::Command, 100);
    println!("{command:?}");
    assert!(command.left * 4 > command.joints, "{command:?}");
}
