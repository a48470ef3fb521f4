//! Table I, and the errors of levels 1 and 2.

use elbowroom::bounds::AlignedBox;
use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom::pair::Shape;
use elbowroom_lab::haase10::dimensions::TIP_RADIUS;
use elbowroom_lab::haase10::finger::FingerModel;
use elbowroom_lab::haase10::hand::Hand;
use elbowroom_lab::haase10::measured::{measure_finger, measure_tip};
use elbowroom_lab::haase10::tip::{TipNode, TipTree, approximation_error, box_count};
use elbowroom_testkit::robots::robots_folder;

/// Depth and greatest error (millimetres) as Table I has them.
const TABLE: [(u32, f64, f64); 6] =
    [(3, 3.3, 0.05), (4, 1.74, 0.005), (5, 0.9, 0.05), (6, 0.46, 0.005), (7, 0.23, 0.005), (8, 0.12, 0.005)];

#[test]
fn table_1_follows_from_equations_1_to_4_and_from_measuring_the_boxes() {
    let hand = Hand::load_hand(Some(&robots_folder())).unwrap();
    for (depth, printed, rounding) in TABLE {
        let formula = 1e3 * approximation_error(TIP_RADIUS, box_count(depth));
        assert!((formula - printed).abs() <= rounding, "depth {depth}: {formula}, the paper {printed}");
        let measured = 1e3 * measure_tip(&hand, depth).unwrap();
        // The file's tip lies within the arc by 2.3 um.
        assert!((measured - formula).abs() < 0.003, "depth {depth}: measured {measured}, {formula}");
    }
    // Equal slabs are worst at the top, and this is what they come to.
    let n = 8.0_f64;
    let closed = TIP_RADIUS * ((1.0 + 2.0 / n - 1.0 / (n * n)).sqrt() - 1.0);
    assert!((approximation_error(TIP_RADIUS, 8) - closed).abs() < 1e-15);
}

#[test]
fn levels_1_and_2_err_by_what_the_tip_errs() {
    let hand = Hand::load_hand(Some(&robots_folder())).unwrap();
    let [first, second] = measure_finger(&hand).unwrap().map(|x| 1e3 * x);
    println!("level 1 errs by {first:.2} mm (the paper 9.5), level 2 by {second:.2} mm (the paper 8.8)");
    // One box and two boxes of the same series.
    for (measured, boxes) in [(first, 1), (second, 2)] {
        let formula = 1e3 * approximation_error(TIP_RADIUS, boxes);
        assert!((measured - formula).abs() < 0.003, "{boxes} boxes: {measured} {formula}");
    }
}

#[test]
fn a_box_of_the_tip_contains_both_its_halves_and_the_finest_all_of_the_tip() {
    let contains = |outer: &AlignedBox, inner: &AlignedBox| {
        let more = vec3(1e-15, 1e-15, 1e-15);
        (outer.low - more).max(inner.low) == inner.low && (outer.high + more).min(inner.high) == inner.high
    };
    for clearance in [0.0, 0.005] {
        let (tree, model) = (TipTree::new(6, clearance), FingerModel::new(6, clearance));
        for depth in 0..6 {
            for index in 0..box_count(depth) {
                let node = TipNode { depth, index };
                for half in node.split() {
                    assert!(contains(tree.node_box(node), tree.node_box(half)), "{node:?} {half:?}");
                }
            }
        }
        for element in 4..8 {
            assert!(contains(model.half_box(1), model.element_box(element)), "{element}");
        }
        for element in 0..4 {
            assert!(contains(model.half_box(0), model.element_box(element)), "{element}");
        }
        // Points of the tip, and within the clearance of it.
        let mut rng = super::Rng::new(8);
        let hand = Hand::load_hand(Some(&robots_folder())).unwrap();
        let tip = elbowroom_lab::haase10::measured::tip_shape(&hand).unwrap();
        let point = Shape::new(&ShapeDescription::Sphere { radius: 1e-9 }, 0.0).unwrap();
        let mut inside = 0;
        for _ in 0..4_000 {
            let p = Vec3::Z * 0.05 + rng.point(0.03);
            let at = Transform::from_translation(p);
            let c = super::distance(&tip.0, &tip.1, &point, &at).unwrap();
            if c.interval.upper > clearance - 1e-8 {
                continue;
            }
            inside += 1;
            let is_in = (0..box_count(6)).any(|index| {
                let b = tree.node_box(TipNode { depth: 6, index });
                b.low.max(p) == p && b.high.min(p) == p
            });
            assert!(is_in, "{p:?} is in no box of the tip");
        }
        assert!(inside > 200, "{inside}");
    }
}
