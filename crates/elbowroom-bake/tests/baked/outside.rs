//! Values that are refused.

use crate::hand::baked_hand;
use crate::tally::Space;
use elbowroom::Checker;
use elbowroom_baked::{Scratch, Verdict};

#[test]
fn values_that_the_engine_refuses_are_faults() {
    let (world, baked) = baked_hand();
    let (small, mut checker) = (baked.world(), Checker::new(&world));
    let mut refused = 0;
    for value in 0..7 {
        let [lower, upper] = small.limits[value];
        for (v, good) in [
            (lower, true),
            (upper, true),
            (lower.next_down(), false),
            (upper.next_up(), false),
            (f32::NAN, false),
            (f32::INFINITY, false),
            (-9.0, false),
        ] {
            let mut values = [0.0_f32; 7];
            values[value] = v;
            let (answer, mut scratch) = (small.test(&values, &mut Space::new()), Space::new());
            assert_eq!(answer != Verdict::Fault, good, "value {value} is {v}");
            assert_eq!(small.lower_bound(&values, &mut scratch).is_some(), good);
            assert_eq!(checker.set(&values.map(f64::from)).is_ok(), good, "value {value} is {v}");
            refused += usize::from(!good);
        }
    }
    assert_eq!(refused, 35);
}

#[test]
fn a_wrong_count_and_a_small_work_space_are_faults() {
    let (_, baked) = baked_hand();
    let world = baked.world();
    assert_eq!(world.test(&[0.0; 6], &mut Space::new()), Verdict::Fault);
    assert_eq!(world.test(&[0.0; 8], &mut Space::new()), Verdict::Fault);
    assert_eq!(world.test(&[0.0; 7], &mut Scratch::<8, 25>::new()), Verdict::Fault);
    assert_eq!(world.test(&[0.0; 7], &mut Scratch::<7, 26>::new()), Verdict::Fault);
}
