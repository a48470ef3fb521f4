//! The whole hand by three levels: each contains the next, and the last contains the fingers.

use super::{race, said::random_pose};
use elbowroom::Checker;
use elbowroom_lab::haase10::counts::LevelCounts;
use elbowroom_lab::haase10::dimensions::TIP_RADIUS;
use elbowroom_lab::haase10::hand::Hand;
use elbowroom_lab::haase10::kinematics::place_fingers;
use elbowroom_lab::haase10::levels::{HandCollision, HandLevels, Level};
use elbowroom_lab::haase10::tip::{approximation_error, box_count};
use elbowroom_testkit::robots::robots_folder;

#[test]
fn free_at_a_level_is_free_at_the_next_and_the_fingers_are_twice_the_clearance_apart() {
    let hand = Hand::load_hand(Some(&robots_folder())).unwrap();
    let outcomes = race(0.25, |rng| {
        let (depth, s) = (rng.pick(&[3, 5, 8]), rng.pick(&[0.0, 0.0, 0.001, 0.005]));
        let mut levels = HandLevels::new(depth, s);
        let phi = random_pose(rng);
        let frames = place_fingers(&phi);
        let free = [Level::First, Level::Second, Level::Third].map(|l| levels.is_free_at(l, &frames));
        if (free[0] && !free[1]) || (free[1] && !free[2]) {
            return Err(format!("free at the levels: {free:?} at {phi:?}"));
        }
        let found = levels.find_meeting_fingers(&frames);
        if found.is_none() != free[2] {
            return Err(format!("{found:?}, but level 3 is free: {}, at {phi:?}", free[2]));
        }
        // The answer does not hang on the axes of another pose.
        let mut fresh = HandLevels::new(depth, s).without_kept_axes();
        if fresh.find_meeting_fingers(&frames) != found || levels.find_meeting_fingers(&frames) != found {
            return Err(format!("another answer from other axes at {phi:?}"));
        }
        let mut checker = Checker::new(&hand.world);
        checker.set(&hand.joint_values(&phi)).map_err(|e| e.to_string())?;
        let proved = hand.finger_clearance(&mut checker);
        if free[2] && proved.upper < 2.0 * s - 1e-9 {
            return Err(format!("free with s = {s}, but {proved:?} at {phi:?}"));
        }
        // What level 3 adds is twice the error of the tip.
        let error = approximation_error(TIP_RADIUS + s, box_count(depth));
        if s == 0.0 && !free[2] && proved.lower > 2.0 * error + 1e-5 {
            return Err(format!("{found:?}, but {proved:?} at {phi:?}"));
        }
        Ok((free, proved.overlaps(), s > 0.0, fresh.counts))
    });
    let count = |free: [bool; 3]| outcomes.iter().filter(|o| o.0 == free).count();
    let ends = [
        count([true, true, true]),
        count([false, true, true]),
        count([false, false, true]),
        count([false; 3]),
    ];
    let overlap = outcomes.iter().filter(|o| o.1).count();
    let false_alarms = outcomes.iter().filter(|o| !o.2 && !o.0[2] && !o.1).count();
    let mut sum = LevelCounts::default();
    outcomes.iter().for_each(|o| sum += &o.3);
    println!(
        "{} poses: free at level 1 {}, at 2 {}, at 3 {}, not free {}; {overlap} overlap, {false_alarms} \
         false alarms at s = 0; {sum:?}",
        outcomes.len(),
        ends[0],
        ends[1],
        ends[2],
        ends[3]
    );
    assert!(ends.iter().all(|n| n * 100 > outcomes.len()), "{ends:?}");
    assert!(overlap * 20 > outcomes.len());
    assert!(sum.joint_pairs > 0 && sum.tip_pairs > 0 && sum.third_entered > 0, "{sum:?}");
}

#[test]
fn a_hand_at_rest_takes_twelve_pairs_and_kept_axes_take_one_try_each() {
    let mut levels = HandLevels::new(5, 0.0);
    let open = [0.0, -0.5, 0.0, -0.5, 0.0, -0.5, 0.0];
    assert_eq!(levels.find_collision(&open), None);
    let first = levels.counts;
    assert_eq!((first.first_pairs, first.passes, first.second_entered), (12, 12, 0));
    assert_eq!(levels.find_collision(&open), None);
    let again = levels.counts;
    assert_eq!((again.axes, again.kept), (12, 12));
    assert!(first.axes >= again.axes);
}

#[test]
fn finger_2_against_the_palm_is_the_line_of_equation_5() {
    let mut levels = HandLevels::new(5, 0.0);
    let at = |phi_3: f64, phi_4: f64| {
        let mut phi = [90.0, -60.0, 0.0, phi_3, phi_4, -60.0, 0.0];
        phi.iter_mut().for_each(|x| *x = x.to_radians());
        phi
    };
    assert_eq!(levels.find_collision(&at(85.0, 80.0)), Some(HandCollision::Base));
    assert_eq!(levels.find_collision(&at(85.0, 70.0)), None);
}
