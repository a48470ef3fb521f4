//! A straight line in the place of a field of two joints, and how far it errs on each side (haase10, section
//! III-D).
//!
//! The paper puts one line in the place of a field of two angles: a collision where `phi_3 > 74` and
//! `phi_4 > -1.6 phi_3 + 209` (degrees). A line errs by calling free what overlaps, which costs a finger, and
//! by calling colliding what is free, which costs reach. Each cell of a field is proved for all values in it,
//! so both are counted in cells, by the middle of the cell. The fitted line calls no overlapping cell free,
//! and of all such lines it calls the fewest free cells colliding. It is no proof: between middles it may cut
//! through a cell, and of cells for which neither is proved it may call some free. These are counted too.
//!
//! Its numbers are tenths of the units that the caller names, as people write such lines, so the line that is
//! printed is the line that was counted. For each slope and side the best offset is known: the line goes by
//! the overlapping cell that is farthest on its free side.

use super::field::{Field, FieldState};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Slopes that are tried go up to so many tenths, with both signs.
const STEEPEST: u32 = 60;

/// An axis of a line: a joint of the field, and the unit in which the line is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineAxis {
    /// Its place among [`Field::joints`].
    pub place: usize,
    /// The radians or metres of one unit.
    pub unit: f64,
}

/// A rule for two joint values `x` and `y`: bodies collide where `x` is beyond `from`, and `y` beyond
/// `slope x + offset`, each on its side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldLine {
    /// Units of `y` for one of `x`.
    pub slope: f64,
    /// Units of `y`.
    pub offset: f64,
    /// Units of `x`.
    pub from: f64,
    /// Whether collisions have an `x` above `from`, and a `y` above the line; else below.
    pub above: [bool; 2],
}

impl FieldLine {
    /// Whether the rule says that the bodies collide at two values in its units.
    #[inline]
    pub fn says_collision(&self, [x, y]: [f64; 2]) -> bool {
        let is_beyond = |value: f64, end: f64, above: bool| if above { value > end } else { value < end };
        is_beyond(x, self.from, self.above[0]) && is_beyond(y, self.slope * x + self.offset, self.above[1])
    }

    /// The rule with the names of the two values, as in `y > -1.6 x + 209.0 where x > 74.0`.
    pub fn rule_text(&self, [x, y]: [&str; 2]) -> String {
        let [beyond_from, beyond_line] = self.above.map(|above| if above { '>' } else { '<' });
        let sign = if self.offset < 0.0 { '-' } else { '+' };
        format!(
            "{y} {beyond_line} {:.1} {x} {sign} {:.1} where {x} {beyond_from} {:.1}",
            self.slope,
            self.offset.abs(),
            self.from
        )
    }
}

/// How many cells a line calls wrongly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineErrors {
    /// Overlap is proved, and the line says free.
    pub missed: u64,
    /// Free is proved, and the line says collision.
    pub false_alarms: u64,
    /// Neither is proved, and the line says free.
    pub unproved: u64,
}

/// Cells of a column that follow each other and are alike.
struct Run {
    state: FieldState,
    cells: [usize; 2],
}

/// The cells with one value of `x`.
struct Column {
    x: f64,
    runs: Vec<Run>,
    /// The lowest and the highest overlapping middle.
    overlap: Option<[f64; 2]>,
}

/// A field along two axes in their units.
struct LineCells {
    /// The middles along `y`.
    rows: Vec<f64>,
    columns: Vec<Column>,
}

impl LineCells {
    /// `None` for a field of another number of joints, and for axes that are not its two.
    fn new(field: &Field, axes: [LineAxis; 2]) -> Option<LineCells> {
        let joints = match (field.joints(), axes.map(|axis| axis.place)) {
            ([x, y], [0, 1]) => [x, y],
            ([y, x], [1, 0]) => [x, y],
            _ => return None,
        };
        let middle = |k: usize, cell: u32| {
            let [low, high] = joints[k].range_of_cells(cell, cell + 1);
            0.5 * (low + high) / axes[k].unit
        };
        let rows: Vec<f64> = (0..joints[1].cells).map(|cell| middle(1, cell)).collect();
        let column = |at: u32| {
            let mut cell = [0; Field::MOST_JOINTS];
            cell[axes[0].place] = at;
            let (mut runs, mut overlap) = (Vec::<Run>::new(), None);
            for (row, y) in rows.iter().enumerate() {
                cell[axes[1].place] = row as u32;
                let state = field.cell_state(cell);
                if state == FieldState::Overlap {
                    overlap = Some([overlap.map_or(*y, |[low, _]: [f64; 2]| low), *y]);
                }
                match runs.last_mut() {
                    Some(run) if run.state == state => run.cells[1] = row + 1,
                    _ => runs.push(Run { state, cells: [row, row + 1] }),
                }
            }
            Column { x: middle(0, at), runs, overlap }
        };
        let columns = (0..joints[0].cells).map(column).collect();
        Some(LineCells { rows, columns })
    }

    fn count_errors(&self, line: &FieldLine) -> LineErrors {
        let mut errors = LineErrors::default();
        for column in &self.columns {
            // Along a column the rule says collision on one side of one row.
            let says = |y: &f64| line.says_collision([column.x, *y]);
            let called = if line.above[1] {
                [self.rows.partition_point(|y| !says(y)), self.rows.len()]
            } else {
                [0, self.rows.partition_point(says)]
            };
            for Run { state, cells: [first, end] } in &column.runs {
                let colliding = (*end).min(called[1]).saturating_sub((*first).max(called[0])) as u64;
                let free = (end - first) as u64 - colliding;
                match state {
                    FieldState::Overlap => errors.missed += free,
                    FieldState::Free => errors.false_alarms += colliding,
                    FieldState::Open => errors.unproved += free,
                }
            }
        }
        errors
    }

    /// The line with a slope and sides that goes by the overlapping cells; `None` where nothing overlaps.
    fn draw_line(&self, slope: f64, above: [bool; 2]) -> Option<FieldLine> {
        let overlapping = || self.columns.iter().filter_map(|column| Some((column.x, column.overlap?)));
        let from = outermost(overlapping().map(|(x, _)| x), above[0])?;
        let side = usize::from(!above[1]);
        let offset = outermost(overlapping().map(|(x, ends)| ends[side] - slope * x), above[1])?;
        Some(FieldLine { slope, offset, from, above })
    }
}

/// A tenth that all values are above of, or below of.
fn outermost(values: impl Iterator<Item = f64>, above: bool) -> Option<f64> {
    let sign = if above { 1.0 } else { -1.0 };
    let least = values.map(|value| sign * value).reduce(f64::min)?;
    // Begins at or above the value; a step or two down are enough.
    let mut tenths = (10.0 * least) as i64 as f64 + 1.0;
    for _ in 0..3 {
        if tenths / 10.0 >= least {
            tenths -= 1.0;
        }
    }
    Some(sign * (tenths / 10.0) + 0.0)
}

impl Field {
    /// How many cells a line calls wrongly. `None` for a field of one or three joints, and where the axes are
    /// not its two joints.
    pub fn count_line_errors(&self, axes: [LineAxis; 2], line: &FieldLine) -> Option<LineErrors> {
        Some(LineCells::new(self, axes)?.count_errors(line))
    }

    /// The line that calls no overlapping cell free, and of the others the fewest colliding that are free,
    /// with what it calls wrongly. Slopes go from -6 to 6 by tenths. Of equal lines the flattest counts.
    /// `None` also where no cell overlaps.
    pub fn fit_line(&self, axes: [LineAxis; 2]) -> Option<(FieldLine, LineErrors)> {
        let cells = LineCells::new(self, axes)?;
        let slopes = (0..=STEEPEST).flat_map(|tenths| {
            let slope = f64::from(tenths) / 10.0;
            [-slope, slope]
        });
        let sides = [[true, true], [true, false], [false, true], [false, false]];
        slopes
            .flat_map(|slope| sides.map(|above| (slope + 0.0, above)))
            .filter_map(|(slope, above)| {
                let line = cells.draw_line(slope, above)?;
                Some((line, cells.count_errors(&line)))
            })
            .min_by_key(|(_, errors)| (errors.missed, errors.false_alarms, errors.unproved))
    }
}
