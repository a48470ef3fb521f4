//! The smallest distance of robots that collide with themselves: its depth, and the way out that is told.

use crate::cells::{compile_world, draw_values, load_description};
use crate::support::ask::every_pair;
use crate::support::rng::Rng;
use elbowroom::pair::Effort;
use elbowroom::{Answer, Checker, Question, Verdict, World};

const SDH: &str = "schunk_sdh2/schunk_sdh.urdf";
const UR5: &str = "ur5_robotiq_vamp/ur5.urdf";
const LWA4D: &str = "schunk_lwa4d_sdh/lwa4d_sdh.urdf";

fn asked(effort: Effort) -> Question {
    Question::distance().depth(effort)
}

fn at(world: &World, values: &[f64], effort: Effort) -> Answer {
    let mut checker = Checker::new(world);
    checker.set(values).unwrap();
    checker.ask(&asked(effort))
}

/// The pair that is named has the lower end, and its points lie on a way out of that length.
fn is_way_out(answer: &Answer) {
    let (lower, witness) = (answer.interval.lower, answer.witness.unwrap());
    let off = (witness.vector() - witness.normal * lower).norm();
    assert!(answer.pair == answer.lower_pair && off <= 1e-7 * (1.0 - lower), "{off:e} {answer:?}");
}

fn share(answer: &Answer) -> f64 {
    answer.interval.width() / -answer.interval.lower
}

#[test]
fn a_depth_that_the_hulls_have_too_shows_its_way_out() {
    let Some(description) = load_description(SDH, true) else { return };
    let world = compile_world(&description);
    let values = [
        1.2901253168387528,
        -0.6847096298281905,
        -0.4875714662498247,
        0.03830107221181622,
        1.3358439296037687,
        0.9810417343886417,
        -0.8971632671077487,
    ];
    let answer = at(&world, &values, Effort::TIGHT);
    assert!(answer.verdict == Verdict::Collision && share(&answer) < 0.01, "{answer:?}");
    is_way_out(&answer);
    assert!((answer.interval.lower + 0.00242).abs() < 1e-5, "{answer:?}");
}

#[test]
fn a_pair_that_is_clear_does_not_deepen_another() {
    let Some(description) = load_description(UR5, true) else { return };
    let world = compile_world(&description);
    let values = [
        0.26106548255649376,
        2.6737987470014866,
        2.2270713855846744,
        0.5026770387750088,
        -2.9309728018153485,
        2.6394218619141214,
    ];
    let answer = at(&world, &values, Effort::TIGHT);
    is_way_out(&answer);
    assert!(share(&answer) < 0.01 && (answer.interval.lower + 0.00201).abs() < 1e-5, "{answer:?}");
}

#[test]
fn the_deepest_pair_of_robots_is_the_one_that_is_told() {
    for (file, least) in [(SDH, 20), (UR5, 10), (LWA4D, 40)] {
        let Some(description) = load_description(file, true) else { return };
        let world = compile_world(&description);
        let (mut checker, mut rng) = (Checker::new(&world), Rng::new(14));
        let (mut collisions, mut several, mut narrow) = (0, 0, 0);
        for _ in 0..60 {
            checker.set(&draw_values(&world, &mut rng)).unwrap();
            for effort in [Effort::Ordinary, Effort::TIGHT] {
                let answer = checker.ask(&asked(effort));
                if answer.verdict != Verdict::Collision {
                    continue;
                }
                is_way_out(&answer);
                let (pairs, together) = every_pair(&mut checker, &asked(effort));
                is_way_out(&together);
                let overlapping = pairs.iter().filter(|pair| pair.interval.upper < 0.0);
                several += u32::from(overlapping.clone().count() > 1);
                for pair in overlapping {
                    let witness = pair.witness.unwrap();
                    let off = (witness.vector() - witness.normal * pair.interval.lower).norm();
                    assert!(off <= 1e-7 * (1.0 - pair.interval.lower), "{pair:?}");
                }
                if effort == Effort::TIGHT {
                    collisions += 1;
                    narrow += u32::from(share(&answer) <= share(&together).max(0.01) * 1.5);
                }
            }
        }
        assert!(collisions >= least && several > 5, "{file}: {collisions} {several}");
        // Searches that start from other queries may end with other brackets.
        assert!(narrow * 10 >= collisions * 9, "{file}: {narrow} as narrow of {collisions}");
    }
}
