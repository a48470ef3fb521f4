//! The code for machines without wide lanes gives the same bits.

use super::*;
use crate::pair::convex::against;
use crate::pair::cores::Cores;
use crate::pair::gjk::GjkStart;
use crate::pair::scratch::Work;
use crate::rng::Rng;
use crate::with_support;
use alloc::vec::Vec;
use elbowroom_describe::ShapeDescription;

/// A shape of each kind of support: few and many vertices, straight and curved formulas.
fn shapes(rng: &mut Rng) -> Vec<Shape> {
    let mut ball = |n: usize| ShapeDescription::Convex {
        vertices: (0..n).map(|_| (rng.direction() * 0.5).to_array()).collect(),
    };
    let few_and_many = [ball(12), ball(300)];
    let drawn = [
        ShapeDescription::Box { size: [0.4, 0.7, 1.0] },
        ShapeDescription::Capsule { radius: 0.2, length: 0.6 },
        ShapeDescription::Cylinder { radius: 0.4, length: 0.9 },
        ShapeDescription::Cone { radius: 0.5, length: 0.8 },
        ShapeDescription::Ellipsoid { radii: [0.3, 0.5, 0.6] },
    ];
    few_and_many.into_iter().chain(drawn).map(|d| Shape::new(&d, 0.0).unwrap()).collect()
}

#[test]
fn plain_lanes_give_the_bits_of_wide_ones() {
    let mut rng = Rng::new(5);
    let shapes = shapes(&mut rng);
    // Pairs that were apart, and that overlapped.
    let mut reached = [0; 2];
    for (i, j) in (0..400).map(|k| (k % shapes.len(), k / shapes.len() % shapes.len())) {
        let (a, b, b_in_a) = (&shapes[i], &shapes[j], rng.pose(0.9));
        for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
            let goal = Goal { ask, above: f64::INFINITY, below: 0.0, ratio: 2.0 };
            let answer = |plain: bool| {
                let (mut memory, mut work) = (GjkStart::default(), Work::default());
                let mut told = Clearance::NOTHING;
                with_support!(&a.core, core_a => with_support!(&b.core, core_b => {
                    if plain {
                        let cores = Cores::new(core_a, core_b, &b_in_a, a.center, b.center);
                        in_plain(&cores.plainly(), goal, &mut memory, &mut work, &mut told);
                    } else {
                        against((core_a, a.center), b, &b_in_a, goal, &mut memory, &mut work, &mut told);
                    }
                }));
                told
            };
            let (plain, wide) = (answer(true), answer(false));
            assert_eq!(std::format!("{plain:?}"), std::format!("{wide:?}"), "{i}, {j}, {ask:?}, {b_in_a:?}");
            reached[usize::from(plain.interval.upper < 0.0)] += 1;
        }
    }
    assert!(reached[0] > 300 && reached[1] > 300, "{reached:?}");
}
