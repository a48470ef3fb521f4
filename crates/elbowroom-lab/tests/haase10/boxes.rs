//! Two boxes by 15 axes and the line between their middles.

use super::{Truth, box_shape, race, random_box, truth_of};
use elbowroom_lab::haase10::counts::LevelCounts;
use elbowroom_lab::haase10::separating::{AXES, KeptAxis, boxes_overlap};

#[test]
fn two_boxes_meet_if_and_only_if_no_axis_separates_them() {
    let outcomes = race(1.0, |rng| {
        let [a, b] = [(); 2].map(|()| random_box(rng, 1.0));
        let (mut kept, mut counts) = (KeptAxis::default(), LevelCounts::default());
        let meet = boxes_overlap(&a, &b, &mut kept, &mut counts);
        let truth = truth_of(&box_shape(&a), &box_shape(&b), 1.0);
        if !truth.allows(meet) {
            return Err(format!("{meet}, but {truth:?}: {a:?} {b:?}"));
        }
        // The axis that was kept separates them at once.
        let mut again = LevelCounts::default();
        if boxes_overlap(&a, &b, &mut kept, &mut again) != meet || (!meet && again.axes != 1) {
            return Err(format!("another answer by the kept axis {kept:?}: {a:?} {b:?}"));
        }
        Ok((truth, meet, kept, counts.axes))
    });
    let (mut met, mut by_axis) = (0, [0; AXES as usize]);
    for (_, meet, kept, axes) in &outcomes {
        met += usize::from(*meet);
        if *meet {
            assert_eq!(*axes, u64::from(AXES), "all axes are tried before boxes are said to meet");
        } else {
            by_axis[usize::from(kept.0)] += 1;
        }
    }
    println!("{} pairs, {met} meet, by axis {by_axis:?}", outcomes.len());
    let known = outcomes.iter().filter(|o| o.0 != Truth::Open).count();
    assert!(known * 100 > outcomes.len() * 95 && met * 5 > outcomes.len() && met * 5 < outcomes.len() * 4);
    assert!(by_axis.iter().all(|n| *n > 0), "an axis that never separated: {by_axis:?}");
}
