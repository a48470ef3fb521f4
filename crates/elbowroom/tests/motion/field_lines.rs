//! Lines in the place of fields: what they call wrongly, counted cell by cell.

use crate::support::describe::*;
use elbowroom::World;
use elbowroom::describe::{JointKind, JointLimits};
use elbowroom::math::Vec3;
use elbowroom::motion::{Field, FieldLine, FieldOptions, FieldState, LineAxis, LineErrors, Prover};
use elbowroom::world::BodyPair;

const DEGREE: f64 = std::f64::consts::PI / 180.0;
const AXES: [LineAxis; 2] = [LineAxis { place: 0, unit: DEGREE }, LineAxis { place: 1, unit: DEGREE }];

/// A finger of so many joints, and a ball at its base that its tip reaches when all are bent. A mirrored
/// joint bends to negative angles.
fn finger(mirrored: &[bool]) -> (World, Field) {
    let axis = |mirrored: &bool| if *mirrored { Vec3::Z * -1.0 } else { Vec3::Z };
    let joints: Vec<_> = mirrored
        .iter()
        .zip([0.0, 0.1, 0.0])
        .map(|(mirrored, x)| (JointKind::Revolute, [x, 0.0, 0.0], axis(mirrored)))
        .collect();
    let mut robot = chain("f", &joints);
    for (joint, mirrored) in robot.joints.iter_mut().zip(mirrored) {
        let [lower, upper] = if *mirrored { [-1.6, 0.0] } else { [0.0, 1.6] };
        joint.limits = Some(JointLimits { lower, upper });
    }
    robot.links[0].shapes.push(ball(-0.08, 0.0, 0.0, 0.09));
    robot.links[joints.len()].shapes.push(ball(0.1, 0.0, 0.0, 0.05));
    let world = World::compile(&alone(robot)).unwrap();
    let [a, b] = [format!("f/{}", joints.len()), "f/0".into()].map(|name| world.body_by_name(&name).unwrap());
    let options = FieldOptions { cells: Some(64), ..FieldOptions::default() };
    let field = Prover::new(&world).field(BodyPair { a, b }, &options).unwrap();
    (world, field)
}

/// The errors of a line, from each cell by itself.
fn errors_by_cell(field: &Field, axes: [LineAxis; 2], line: &FieldLine) -> LineErrors {
    let mut errors = LineErrors::default();
    let counts = axes.map(|axis| field.joints()[axis.place].cells);
    for i in 0..counts[0] {
        for j in 0..counts[1] {
            let mut cell = [0; 3];
            let values = [(axes[0], i), (axes[1], j)].map(|(axis, at)| {
                cell[axis.place] = at;
                let [low, high] = field.joints()[axis.place].range_of_cells(at, at + 1);
                0.5 * (low + high) / axis.unit
            });
            match (field.cell_state(cell), line.says_collision(values)) {
                (FieldState::Overlap, false) => errors.missed += 1,
                (FieldState::Free, true) => errors.false_alarms += 1,
                (FieldState::Open, false) => errors.unproved += 1,
                _ => {}
            }
        }
    }
    errors
}

#[test]
fn the_fitted_line_misses_no_overlapping_cell_on_whichever_side_they_are() {
    for mirrored in [[false, false], [false, true], [true, false], [true, true]] {
        let (_, field) = finger(&mirrored);
        let [free, overlap, _] = field.count_cells();
        for axes in [AXES, [AXES[1], AXES[0]]] {
            let (line, errors) = field.fit_line(axes).expect("the tip reaches the ball");
            let said = format!("{mirrored:?}: {line:?} {errors:?} of {free} free and {overlap} overlapping");
            assert!(errors.missed == 0 && errors.false_alarms * 10 < free && overlap > 20, "{said}");
            assert_eq!(line.above[1], !mirrored[axes[1].place], "{said}");
            // The farther one joint is bent, the less the other may be.
            assert_eq!(line.slope < 0.0, mirrored[0] == mirrored[1], "{said}");
            assert_eq!(errors, errors_by_cell(&field, axes, &line), "{said}");
            // What is printed with one digit is the line itself.
            for number in [line.slope, line.offset, line.from] {
                assert_eq!(format!("{number:.1}").parse(), Ok(number), "{said}");
            }
        }
    }
}

#[test]
fn a_line_that_errs_is_counted_on_both_sides() {
    let (_, field) = finger(&[false, false]);
    let (fitted, _) = field.fit_line(AXES).unwrap();
    // Beside the fitted line, along it and across.
    for (offset, slope, from) in [(15.0, 0.0, 0.0), (-15.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 1.0, 20.0)] {
        for above in [[true, true], [false, true], [true, false], [false, false]] {
            let line = FieldLine {
                slope: fitted.slope + slope,
                offset: fitted.offset + offset,
                from: fitted.from + from,
                above,
            };
            let errors = field.count_line_errors(AXES, &line).unwrap();
            assert_eq!(errors, errors_by_cell(&field, AXES, &line), "{line:?}");
            assert!(errors != LineErrors::default(), "{line:?}");
        }
    }
}

#[test]
fn a_field_without_two_joints_or_without_overlap_has_no_line() {
    let (_, of_three) = finger(&[false, false, false]);
    assert!(of_three.fit_line(AXES).is_none());
    let (_, field) = finger(&[false, false]);
    for places in [[0, 0], [1, 1], [0, 2]] {
        let axes = places.map(|place| LineAxis { place, unit: DEGREE });
        assert!(field.fit_line(axes).is_none(), "{places:?}");
    }
    // Bent to the other side, the tip never comes near.
    let mut robot = chain("f", &[(JointKind::Revolute, [0.0; 3], Vec3::Z); 2]);
    robot.links[0].shapes.push(ball(5.0, 0.0, 0.0, 0.01));
    robot.links[2].shapes.push(ball(0.1, 0.0, 0.0, 0.02));
    let world = World::compile(&alone(robot)).unwrap();
    let [a, b] = ["f/2", "f/0"].map(|name| world.body_by_name(name).unwrap());
    let free = Prover::new(&world).field(BodyPair { a, b }, &FieldOptions::default()).unwrap();
    assert_eq!(free.count_cells()[1..], [0, 0]);
    assert!(free.fit_line(AXES).is_none());
}
