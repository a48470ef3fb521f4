//! A straight line in a proved field: how far it errs on each side, and the best one (haase10, section
//! III-D).
//!
//! The paper puts one line in the place of a field of two angles. A line errs by calling free what overlaps,
//! which costs a finger, and by calling colliding what is free, which costs reach. Each cell of the field is
//! proved for all angles in it, so both are counted in cells, by the middle of the cell. The line that is
//! fitted calls no overlapping cell free, and of those the fewest free cells colliding.

use super::base_line::says_base_collides;
use elbowroom::motion::{Field, FieldState};

/// A rule `phi_4 > slope phi_3 + offset` where `phi_3 > from` (degrees).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThresholdLine {
    /// Degrees of `phi_4` for a degree of `phi_3`.
    pub slope: f64,
    /// Degrees of `phi_4`.
    pub offset: f64,
    /// Degrees of `phi_3`.
    pub from: f64,
}

/// Equation (5), as [`says_base_collides`].
pub const PRINTED_LINE: ThresholdLine = ThresholdLine { slope: -1.6, offset: 209.0, from: 74.0 };

/// How many cells a line calls wrongly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineErrors {
    /// Overlap is proved, and the line says free.
    pub missed: u64,
    /// Free is proved, and the line says collision.
    pub false_alarms: u64,
}

/// The middle of a cell (degrees), and what is proved of it.
type DegreeCell = ([f64; 2], FieldState);

/// The cells of a field of two angles, the first across; empty for another field.
fn degree_cells(field: &Field) -> Vec<Vec<DegreeCell>> {
    let [across, up] = field.joints() else { return Vec::new() };
    let middle = |ends: [f64; 2]| (0.5 * (ends[0] + ends[1])).to_degrees();
    let column = |i: u32| {
        let cell = |j: u32| {
            let angles = [middle(across.range_of_cells(i, i + 1)), middle(up.range_of_cells(j, j + 1))];
            (angles, field.cell_state([i, j, 0]))
        };
        (0..up.cells).map(cell).collect()
    };
    (0..across.cells).map(column).collect()
}

/// How the paper's line (5) does in a field of `phi_3` and `phi_4`.
pub fn judge_printed_line(field: &Field) -> LineErrors {
    count_errors(&degree_cells(field), says_base_collides)
}

fn count_errors(columns: &[Vec<DegreeCell>], says: impl Fn(f64, f64) -> bool) -> LineErrors {
    let mut errors = LineErrors::default();
    for ([phi_3, phi_4], state) in columns.iter().flatten() {
        let said = says(*phi_3, *phi_4);
        errors.missed += u64::from(*state == FieldState::Overlap && !said);
        errors.false_alarms += u64::from(*state == FieldState::Free && said);
    }
    errors
}

/// The line with slopes of tenths that misses no cell and calls the fewest free ones colliding, and its
/// errors; `None` where nothing overlaps.
pub fn fit_line(field: &Field) -> Option<(ThresholdLine, LineErrors)> {
    let columns = degree_cells(field);
    let overlapping: Vec<[f64; 2]> = columns
        .iter()
        .flatten()
        .filter(|(_, state)| *state == FieldState::Overlap)
        .map(|(angles, _)| *angles)
        .collect();
    let first = overlapping.iter().map(|[phi_3, _]| *phi_3).fold(f64::INFINITY, f64::min);
    // Just below the least cell of each: the strict comparison then holds for it.
    let below = |value: f64| (value * 1e3).floor() / 1e3 - 1e-3;
    let lines = (0..=60).map(|tenths| {
        let slope = -0.1 * f64::from(tenths);
        let offset = overlapping.iter().map(|[x, y]| y - slope * x).fold(f64::INFINITY, f64::min);
        let line = ThresholdLine { slope, offset: below(offset), from: below(first) };
        let says = |x: f64, y: f64| x > line.from && y > line.slope * x + line.offset;
        (line, count_errors(&columns, says))
    });
    let best = lines.min_by_key(|(_, errors)| (errors.missed, errors.false_alarms))?;
    (!overlapping.is_empty()).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::World;
    use elbowroom::describe::*;
    use elbowroom::math::{Transform, Vec3};
    use elbowroom::motion::{FieldOptions, Prover};
    use elbowroom::world::BodyPair;

    /// Two links of a decimetre in a plane, and a ball beside them.
    fn finger() -> World {
        let ball = |x: f64, radius: f64| PlacedShape {
            name: String::new(),
            shape_in_body: Transform::from_translation(Vec3 { x, y: 0.0, z: 0.0 }),
            shape: ShapeDescription::Sphere { radius },
            padding: 0.0,
        };
        let joint = |k: usize, x: f64| JointDescription {
            name: format!("j{k}"),
            kind: JointKind::Revolute,
            parent: k.to_string(),
            child: (k + 1).to_string(),
            joint_in_parent: Transform::from_translation(Vec3 { x, y: 0.0, z: 0.0 }),
            axis: Vec3::Z,
            limits: Some(JointLimits { lower: 0.0, upper: 1.6 }),
            mimic: None,
        };
        let link = |k: usize, shapes: Vec<PlacedShape>| LinkDescription { name: k.to_string(), shapes };
        let robot = RobotDescription {
            name: "f".into(),
            links: vec![link(0, vec![ball(-0.08, 0.09)]), link(1, vec![]), link(2, vec![ball(0.1, 0.02)])],
            joints: vec![joint(0, 0.0), joint(1, 0.1)],
            ..RobotDescription::default()
        };
        let placed = PlacedRobot { name: "f".into(), base_in_world: Transform::IDENTITY, robot };
        World::compile(&WorldDescription { robots: vec![placed], ..WorldDescription::default() }).unwrap()
    }

    #[test]
    fn the_fitted_line_misses_no_cell_and_the_printed_one_is_judged_in_cells() {
        let world = finger();
        let [a, b] = ["f/2", "f/0"].map(|name| world.body_by_name(name).unwrap());
        let field = Prover::new(&world).field(BodyPair { a, b }, &FieldOptions::default()).unwrap();
        let [free, overlap, _] = field.count_cells();
        let (line, errors) = fit_line(&field).expect("the tip reaches the ball");
        assert!(errors.missed == 0 && errors.false_alarms < free, "{line:?} {errors:?}");
        assert!(
            line.slope < 0.0,
            "the farther the first joint is bent, the less the second may be: {line:?}"
        );
        let printed = judge_printed_line(&field);
        assert!(printed.missed <= overlap && printed.false_alarms <= free, "{printed:?}");
        assert!(printed != LineErrors::default(), "the line of another hand errs here");
    }
}
