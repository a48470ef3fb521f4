//! Tip and tip by recursion: section III-B.

use super::{Truth, race};
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom_lab::haase10::counts::LevelCounts;
use elbowroom_lab::haase10::dimensions::{ARC_MIDDLE, TIP_RADIUS};
use elbowroom_lab::haase10::finger::{FingerModel, place_box};
use elbowroom_lab::haase10::hand::Hand;
use elbowroom_lab::haase10::levels::tips_overlap;
use elbowroom_lab::haase10::measured::tip_shape;
use elbowroom_lab::haase10::separating::{KeptAxis, boxes_overlap};
use elbowroom_lab::haase10::tip::{TipNode, approximation_error, box_count};
use elbowroom_testkit::robots::robots_folder;

#[test]
fn the_recursion_says_what_all_pairs_of_boxes_say_and_the_tips_lie_within_the_boxes() {
    const DEPTH: u32 = 4;
    let hand = Hand::load_hand(Some(&robots_folder())).unwrap();
    let (tip, tip_in_link) = tip_shape(&hand).unwrap();
    let model = FingerModel::new(DEPTH, 0.0);
    let error = approximation_error(TIP_RADIUS, box_count(DEPTH));
    let outcomes = race(0.5, |rng| {
        // About the middles of the tips, not of their joints.
        let middle = Vec3::from(ARC_MIDDLE) + vec3(0.45 * TIP_RADIUS, 0.0, 0.45 * TIP_RADIUS);
        let places = [rng.place(0.03, 0.0), rng.place(0.03, 0.025)]
            .map(|at| at * Transform::from_translation(-middle));
        let mut counts = LevelCounts::default();
        let root = TipNode { depth: 0, index: 0 };
        let places_of = [&places[0], &places[1]];
        let meet = tips_overlap(&model, [root, root], places_of, &mut KeptAxis::default(), &mut counts);
        let [boxes_a, boxes_b]: [Vec<_>; 2] = places.map(|at| {
            let node = |index| TipNode { depth: DEPTH, index };
            (0..box_count(DEPTH)).map(|i| place_box(model.tip().node_box(node(i)), &at)).collect()
        });
        let all = boxes_a.iter().any(|a| {
            boxes_b.iter().any(|b| boxes_overlap(a, b, &mut KeptAxis::default(), &mut LevelCounts::default()))
        });
        let found = super::distance(&tip, &(places[0] * tip_in_link), &tip, &(places[1] * tip_in_link));
        let interval = found.unwrap().interval;
        let truth = Truth::of_interval(interval.lower, interval.upper, TIP_RADIUS);
        // Boxes lie around the tips, and out of them by the error of the depth.
        if meet != all || (truth == Truth::Meet && !meet) {
            return Err(format!("{meet} by recursion, {all} by all pairs, {truth:?}: {places:?}"));
        }
        if meet && interval.lower > 2.0 * error + 1e-5 {
            return Err(format!("they meet, but are {} m apart: {places:?}", interval.lower));
        }
        Ok((meet, truth, counts.passes))
    });
    let count = |meet: bool, truth: Truth| outcomes.iter().filter(|o| o.0 == meet && o.1 == truth).count();
    let (hits, frees) = (count(true, Truth::Meet), count(false, Truth::Apart));
    let false_alarms = count(true, Truth::Apart);
    let most = outcomes.iter().map(|o| o.2).max().unwrap();
    let mean = outcomes.iter().map(|o| o.2).sum::<u64>() as f64 / outcomes.len() as f64;
    println!(
        "{} pairs of tips: {hits} meet, {frees} apart, {false_alarms} apart whose boxes meet; passes: \
         {mean:.1} on average, {most} at most, {} by all pairs",
        outcomes.len(),
        box_count(DEPTH) * box_count(DEPTH)
    );
    assert!([hits, frees].iter().all(|n| n * 10 > outcomes.len()) && false_alarms > 0);
    assert!(mean * 4.0 < f64::from(box_count(DEPTH) * box_count(DEPTH)));
}
