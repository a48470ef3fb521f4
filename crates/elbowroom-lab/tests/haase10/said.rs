//! What the files of the hand say: seven values, their limits, its lengths, and its motion.

use elbowroom::describe::JointLimits;
use elbowroom::math::{Transform, Vec3};
use elbowroom::{Checker, Question, Verdict};
use elbowroom_files::motion::{Joints, load_motion, mimic_rules};
use elbowroom_lab::haase10::base_line::says_base_collides;
use elbowroom_lab::haase10::dimensions::{LIMB_LENGTH, TIP_LENGTH};
use elbowroom_lab::haase10::hand::{Hand, OUR_NAMES};
use elbowroom_lab::haase10::kinematics::place_fingers;
use elbowroom_lab::haase10::measured::tip_shape;
use elbowroom_testkit::robots::robots_folder;

fn hand() -> Hand {
    Hand::load_hand(Some(&robots_folder())).unwrap()
}

/// A random pose within the limits (radians).
pub fn random_pose(rng: &mut super::Rng) -> [f64; 7] {
    let quarter = std::f64::consts::FRAC_PI_2;
    std::array::from_fn(|i| if i == 0 { rng.range(0.0, quarter) } else { rng.range(-quarter, quarter) })
}

#[test]
fn the_hand_has_the_papers_seven_values_limits_and_lengths() {
    let hand = hand();
    let mut names: Vec<&str> = hand.world.dof_names().iter().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, OUR_NAMES.angles.map(|name| format!("hand/{name}")));
    for (name, limits) in hand.world.dof_names().iter().zip(hand.world.value_ranges()) {
        let JointLimits { lower, upper } = limits;
        let least = if name == "hand/phi_0" { 0.0_f64 } else { -90.0 };
        assert!(
            (lower.to_degrees() - least).abs() < 1e-6 && (upper.to_degrees() - 90.0).abs() < 1e-6,
            "{name}"
        );
    }
    assert!((LIMB_LENGTH - 0.0865).abs() < 1e-12 && (TIP_LENGTH - 0.0685).abs() < 1e-12);
    assert!((LIMB_LENGTH + TIP_LENGTH - 0.155).abs() < 1e-12);
    // Each finger reaches 155 mm beyond its proximal joint, and no farther.
    let (shape, at) = tip_shape(&hand).unwrap();
    let mut checker = Checker::new(&hand.world);
    checker.set(&hand.joint_values(&[0.0; 7])).unwrap();
    for finger in 1..=3 {
        let place = |part: &str| {
            let body = hand.world.body_by_name(&format!("hand/finger_{finger}_{part}")).unwrap();
            checker.body_in_world(body).unwrap()
        };
        let (limb, tip) = (place("limb"), place("tip"));
        assert!(((tip.translation - limb.translation) - Vec3::Z * 0.0865).norm() < 1e-9);
        let top = shape.clone();
        let over = |z: f64| {
            let ceiling = super::box_shape(&elbowroom_lab::primitives::OrientedBox {
                center: limb.translation + Vec3::Z * (z + 0.1),
                axes: Transform::IDENTITY.rotation,
                half: elbowroom::math::vec3(0.1, 0.1, 0.1),
            });
            super::distance(&top, &(tip * at), &ceiling.0, &ceiling.1).unwrap().interval
        };
        assert!(over(0.155 + 1e-6).lower > 0.0 && over(0.155 - 1e-6).upper < 0.0, "finger {finger}");
    }
}

#[test]
fn joint_0_turns_fingers_1_and_3_together() {
    let hand = hand();
    let mut checker = Checker::new(&hand.world);
    let mut rng = super::Rng::new(2);
    let bodies: Vec<[_; 2]> = (1..=3)
        .map(|f| ["limb", "tip"].map(|p| hand.world.body_by_name(&format!("hand/finger_{f}_{p}")).unwrap()))
        .collect();
    for _ in 0..200 {
        let phi = random_pose(&mut rng);
        checker.set(&hand.joint_values(&phi)).unwrap();
        // Our own kinematics are those of the file.
        for (links, frames) in bodies.iter().zip(place_fingers(&phi)) {
            for (body, frame) in links.iter().zip(frames) {
                let at = checker.body_in_world(*body).unwrap();
                let turned =
                    (0..3).map(|k| (at.rotation.cols[k] - frame.rotation.cols[k]).norm()).fold(0.0, f64::max);
                assert!((at.translation - frame.translation).norm() < 1e-9 && turned < 1e-8, "{phi:?}");
            }
        }
        // What is left of finger 1 is right of finger 3 if their angles are the same.
        let mut mirrored = phi;
        (mirrored[5], mirrored[6]) = (phi[1], phi[2]);
        let [one, _, three] = place_fingers(&mirrored);
        let (p, q) = (one[1].translation, three[1].translation);
        assert!((p.x - q.x).abs() + (p.y + q.y).abs() + (p.z - q.z).abs() < 1e-12);
    }
}

#[test]
fn the_grasp_is_clear_at_every_sample_and_ends_close() {
    let hand = hand();
    let file = robots_folder().join("sdh2/grasp.csv");
    let joints =
        Joints { names: hand.world.dof_names(), mimics: &mimic_rules(&hand.world), ..Joints::default() };
    let rows = load_motion(&file, joints, &elbowroom_files::Options::default()).unwrap().value.rows;
    assert!(rows.len() > 100);
    let mut checker = Checker::new(&hand.world);
    let mut last = f64::INFINITY;
    for (i, row) in rows.iter().enumerate() {
        checker.set(row).unwrap();
        let answer = checker.ask(&Question::distance());
        assert_eq!(answer.verdict, Verdict::Clear, "sample {i}");
        last = answer.distance;
    }
    assert!((0.002..0.005).contains(&last), "{last}");
}

#[test]
fn every_shape_of_the_file_is_the_one_of_the_dimensions() {
    use elbowroom::pair::shape::Core;
    use elbowroom_lab::haase10::dimensions::{JOINT_LENGTH, JOINT_RADIUS, LIMB_BOXES, SHAFT_BOX};
    let hand = hand();
    for finger in 1..=3 {
        for (part, boxes) in [("limb", &LIMB_BOXES[..]), ("tip", &[SHAFT_BOX][..])] {
            let body = hand.world.body_by_name(&format!("hand/finger_{finger}_{part}")).unwrap();
            let (mut found, mut joints) = (0, 0);
            for shape in hand.world.shapes().iter().filter(|s| s.body == body) {
                let at = shape.shape_in_body();
                match shape.shape.core() {
                    Core::Box { half } => {
                        let is_same = |[low, high]: &[[f64; 3]; 2]| {
                            let (low, high) = (Vec3::from(*low), Vec3::from(*high));
                            (at.translation - (low + high) * 0.5).norm() < 1e-8
                                && (*half - (high - low) * 0.5).norm() < 1e-8
                        };
                        assert!(boxes.iter().any(is_same), "{half:?}");
                        found += 1;
                    }
                    Core::Cylinder { radius, half_length } => {
                        assert!(
                            (radius - JOINT_RADIUS).abs() < 1e-9
                                && (half_length - 0.5 * JOINT_LENGTH).abs() < 1e-9
                        );
                        assert!(at.translation.norm() < 1e-12 && at.rotation.cols[2].y.abs() > 1.0 - 1e-12);
                        joints += 1;
                    }
                    _ => assert_eq!(part, "tip"),
                }
            }
            assert_eq!((found, joints), (boxes.len(), 1), "finger {finger}, {part}");
        }
    }
}

#[test]
fn equation_5_is_a_line_in_degrees() {
    assert!(!says_base_collides(74.0, 91.0) && !says_base_collides(74.5, 89.7));
    assert!(says_base_collides(90.0, 65.1) && !says_base_collides(90.0, 64.9));
    assert!(says_base_collides(80.0, 81.1) && !says_base_collides(80.0, 80.9));
}
