//! What the experiment found, as text for people, as CSV and as figures.

mod csv;
mod figures;
mod stops;
mod tables;

use super::closing::Closings;
use super::counts::LevelCounts;
use super::late::LateStops;
use crate::error::LabError;
use elbowroom::motion::{Field, FieldLine, LineErrors};

/// A column of Table I; errors in millimetres.
#[derive(Clone, Copy, Debug)]
pub struct TableColumn {
    /// Depth of the recursion.
    pub depth: u32,
    /// As printed.
    pub paper: f64,
    /// By equations 1 to 4.
    pub formula: f64,
    /// Of the boxes against the tip of the file.
    pub measured: f64,
}

/// The levels over many poses.
#[derive(Clone, Debug, Default)]
pub struct LevelRow {
    /// Which poses, which levels.
    pub name: String,
    /// How many poses.
    pub poses: usize,
    /// Poses free at level 1, 2 and 3, and with a collision.
    pub ended: [usize; 4],
    /// Counts of all poses.
    pub counts: LevelCounts,
    /// Collisions of fingers that are proved more than `2 s` apart, and by how much at most (metres).
    pub false_alarms: usize,
    /// See `false_alarms`.
    pub farthest: f64,
    /// Fingers called free that are proved less than `2 s` apart, and by how much at most (metres).
    pub missed: usize,
    /// See `missed`.
    pub deepest: f64,
}

/// Equation (5) beside the engine.
#[derive(Clone, Debug, Default)]
pub struct BaseRow {
    /// Which hand.
    pub name: &'static str,
    /// Pairs of angles asked.
    pub asked: usize,
    /// Proved to collide.
    pub colliding: usize,
    /// Of them, those that the line calls free.
    pub missed: usize,
    /// Proved free, and called colliding.
    pub false_alarms: usize,
    /// The least `phi_3` and `phi_4` of a collision (degrees).
    pub least: [f64; 2],
    /// The proved field (Fig. 6).
    pub field: Option<Field>,
    /// Cells of it that are free, overlap and are open.
    pub cells: [u64; 3],
    /// Bytes of the field.
    pub bytes: usize,
    /// Seconds that its proof took.
    pub seconds: f64,
    /// How the paper's line does in it.
    pub printed: LineErrors,
    /// The line that misses nothing, and how it does.
    pub fitted: Option<(FieldLine, LineErrors)>,
}

/// How long something takes.
#[derive(Clone, Debug)]
pub struct TimeRow {
    /// What.
    pub name: String,
    /// What the paper has for it.
    pub paper: &'static str,
    /// The fastest pose, where poses were timed one by one (nanoseconds).
    pub fastest_ns: Option<f64>,
    /// The median.
    pub median_ns: f64,
    /// The slowest pose, where poses were timed one by one.
    pub slowest_ns: Option<f64>,
    /// How many poses or pairs.
    pub asked: usize,
}

/// Everything.
#[derive(Clone, Debug)]
pub struct Haase10Report {
    /// Random poses, and small steps.
    pub poses: usize,
    /// How often each was timed.
    pub rounds: usize,
    /// Random poses at which two fingers are proved to overlap.
    pub overlapping: usize,
    /// Whether the machine's own meshes were at hand.
    pub has_machine: bool,
    /// Passes of the separating axis test for two tips that level 3 is asked about: on average and at most.
    pub tip_passes: [f64; 2],
    /// Table I.
    pub table: Vec<TableColumn>,
    /// Greatest errors of levels 1 and 2, measured (millimetres).
    pub errors: [f64; 2],
    /// The levels: depths 3 to 8 at random poses, as printed, and small steps with and without kept axes.
    pub levels: Vec<LevelRow>,
    /// Equation (5) on our hand and the machine's.
    pub base: Vec<BaseRow>,
    /// Section IV-A: late positions, and stops.
    pub late: LateStops,
    /// Closings with the emergency stop and with the stop command.
    pub closings: [Closings; 2],
    /// Times.
    pub times: Vec<TimeRow>,
}

impl Haase10Report {
    /// All tables, for people.
    pub fn to_text(&self) -> String {
        self.table_text()
            + &self.levels_text()
            + &self.passes_text()
            + &self.base_text()
            + &self.stops_text()
            + &self.times_text()
            + &self.cycle_text()
            + &self.all_poses_text()
    }

    /// Its files by name: `haase10.txt`; tables as CSV (`haase10.csv`: times; `_levels`, `_table1`,
    /// `_table2`, `_fig6`: the fields, `_stops`: all stops of Figs. 8, 9 and 11 to 13, `_fig10`: courses);
    /// `haase10.svg`, which is Table I, and `haase10_fig6.svg` to `haase10_fig13.svg`.
    ///
    /// # Errors
    /// A figure cannot be drawn.
    pub fn output_files(&self) -> Result<Vec<(String, String)>, LabError> {
        let tables = [
            ("haase10.txt", self.to_text()),
            ("haase10.csv", self.to_csv()),
            ("haase10_levels.csv", self.levels_csv()),
            ("haase10_table1.csv", self.table_csv()),
            ("haase10_table2.csv", self.cycle_csv()),
            ("haase10_fig6.csv", self.field_csv()),
            ("haase10_stops.csv", self.stops_csv()),
            ("haase10_fig10.csv", self.courses_csv()),
            ("haase10.svg", self.draw_figure()?),
        ];
        let mut files = tables.map(|(name, text)| (name.to_string(), text)).to_vec();
        files.extend(self.draw_figures()?);
        Ok(files)
    }
}
