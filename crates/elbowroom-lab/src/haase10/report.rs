//! What the experiment found, as text for people, as CSV and as files.

use super::closing::Closings;
use super::counts::LevelCounts;
use super::dimensions::TIP_RADIUS;
use super::late::{LateRow, arc_of};
use super::threshold::{LineErrors, ThresholdLine};
use super::tip::box_count;
use crate::error::LabError;
use crate::figure::{Axes, lines_svg};
use crate::limits::LEVEL_DEPTH;
use std::fmt::Write as _;

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
#[derive(Clone, Copy, Debug, Default)]
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
    /// Cells of the proved field that are free, overlap and are open.
    pub cells: [u64; 3],
    /// Bytes of the field.
    pub bytes: usize,
    /// Seconds that its proof took.
    pub seconds: f64,
    /// How the paper's line does in it.
    pub printed: LineErrors,
    /// The line that misses nothing, and how it does.
    pub fitted: Option<(ThresholdLine, LineErrors)>,
}

/// How long something takes.
#[derive(Clone, Debug)]
pub struct TimeRow {
    /// What.
    pub name: String,
    /// What the paper has for it.
    pub paper: &'static str,
    /// The median (nanoseconds).
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
    /// Section IV-A: late positions.
    pub late: Vec<LateRow>,
    /// Closings with the emergency stop and with the stop command.
    pub closings: [Closings; 2],
    /// Times.
    pub times: Vec<TimeRow>,
}

/// The name of the row that counts for a table of all poses.
const TEST_ROW: &str = "elbowroom, test, our hand, random poses";

/// Nanoseconds in a unit that is easy to read.
fn format_time(ns: f64) -> String {
    if ns < 1000.0 { format!("{ns:.0} ns") } else { format!("{:.2} us", 1e-3 * ns) }
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
            + &self.all_poses_text()
    }

    fn table_text(&self) -> String {
        let mut t = String::from("haase10, Table I: greatest error of the tip's boxes, mm\n");
        let mut line = |name: &str, value: &dyn Fn(&TableColumn) -> String| {
            let _ = write!(t, "  {name:<36}");
            self.table.iter().for_each(|c| _ = write!(t, " {:>7}", value(c)));
            t.push('\n');
        };
        line("depth b", &|c| c.depth.to_string());
        line("boxes n (1)", &|c| box_count(c.depth).to_string());
        line("the paper", &|c| c.paper.to_string());
        line("equations 2 to 4, R + s = 29.6 mm", &|c| format!("{:.3}", c.formula));
        line("measured on our tip", &|c| format!("{:.3}", c.measured));
        let [first, second] = self.errors;
        let _ = writeln!(
            t,
            "  level 1 errs by {first:.2} mm (the paper: 9.5), level 2 by {second:.2} mm (the paper: 8.8). \
             Ours are the same series, n = 1 and 2:\n  of R + s = {:.1} mm the paper's are not, so its two \
             coarse \
             levels have other boxes than halves of one.",
            1e3 * TIP_RADIUS
        );
        t
    }

    fn levels_text(&self) -> String {
        let mut t =
            String::from("\nSection II: three pairs of fingers by three levels; s = 0 unless it is said\n");
        let _ = writeln!(
            t,
            "  {} poses; at {} of the random ones two fingers are proved to overlap. Counts are means a pose",
            self.poses, self.overlapping
        );
        let _ = writeln!(
            t,
            "  {:<24} {:>7} {:>7} {:>7} {:>7}  {:>5} {:>6} {:>6} {:>6} {:>6} {:>7} {:>6}  {:>5} {:>7}  {:>6} \
             {:>7}",
            "",
            "free: 1",
            "2",
            "3",
            "hit",
            "pairs",
            "to 2",
            "pairs",
            "to 3",
            "passes",
            "axes",
            "kept",
            "false",
            "by mm",
            "missed",
            "by mm"
        );
        for r in &self.levels {
            let per = |n: u64| n as f64 / r.poses.max(1) as f64;
            let (c, [one, two, three, hit]) = (&r.counts, r.ended);
            let _ = writeln!(
                t,
                "  {:<24} {one:>7} {two:>7} {three:>7} {hit:>7}  {:>5.2} {:>6.3} {:>6.2} {:>6.3} {:>6.2} \
                 {:>7.2} {:>6.2}  {:>5} {:>7.3}  {:>6} {:>7.3}",
                r.name,
                per(c.first_pairs),
                per(c.second_entered),
                per(c.second_pairs),
                per(c.third_entered),
                per(c.passes),
                per(c.axes),
                per(c.kept),
                r.false_alarms,
                1e3 * r.farthest,
                r.missed,
                1e3 * r.deepest
            );
        }
        t += "  Pairs: of half fingers in level 1, of boxes in level 2. Passes: runs of the separating axis \
              test; kept: those that end\n  with the axis of the time before. False: called colliding, and \
              proved more than 2 s apart; missed: called free,\n  and proved less than 2 s apart; by up to \
              so much. As printed: III-A cuts two joints half-way between their axes,\n  III-C asks one \
              plane of the box. Both miss overlaps. With s boxes also grow at their corners, by more than \
              s:\n  false alarms.\n";
        t
    }

    /// Section III-B: what the recursion saves.
    fn passes_text(&self) -> String {
        let ([mean, most], n) = (self.tip_passes, box_count(LEVEL_DEPTH));
        format!(
            "\nSection III-B: passes of the separating axis test for two tips whose halves meet\n  by \
             recursion, b = {LEVEL_DEPTH}: {mean:.1} on average, {most:.0} at most; all pairs of {n} boxes: \
             {} (the paper: 900 for 30)\n",
            n * n
        )
    }

    fn base_text(&self) -> String {
        let mut t = String::from(
            "\nSection III-D: finger 2 against the palm, equation (5) beside the engine, each degree from 0 \
             to 90\n",
        );
        for r in &self.base {
            let _ = writeln!(
                t,
                "  {:<22} {} of {} collide, from phi_3 = {:.0} and phi_4 = {:.0} on; the line misses {}, and \
                 calls {} colliding that are free",
                r.name, r.colliding, r.asked, r.least[0], r.least[1], r.missed, r.false_alarms
            );
            let ([free, overlap, open], printed) = (r.cells, r.printed);
            let _ = writeln!(
                t,
                "  {:<22} proved for all angles (Fig. 6): {free} cells free, {overlap} overlap, {open} open, \
                 {} bytes, {:.2} s; of these the line misses {} and calls {} colliding that are free",
                "", r.bytes, r.seconds, printed.missed, printed.false_alarms
            );
            if let Some((line, errors)) = r.fitted {
                let ThresholdLine { slope, offset, from } = line;
                let _ = writeln!(
                    t,
                    "  {:<22} fitted: phi_4 > {slope:.1} phi_3 + {offset:.1} where phi_3 > {from:.1} misses \
                     {} and calls {} colliding that are free (the paper: -1.6, 209, 74)",
                    "", errors.missed, errors.false_alarms
                );
            }
        }
        t += "  The line was drawn for the maker's CAD data of 2010. Public meshes have another palm, and \
              ours is two boxes.\n";
        t
    }

    fn stops_text(&self) -> String {
        let mut t = String::from(
            "\nSection IV-A: the largest error of where a joint is taken to be, of 2,000 simulated stops \
             at each speed\n  (degrees, and mm at 155 mm)\n",
        );
        let _ = writeln!(
            t,
            "  {:<8} {:>20} {:>20} {:>20} {:>20}",
            "deg/s", "last position", "predicted (8)", "last one, at rest", "with the brake"
        );
        for r in &self.late {
            let cell = |degrees: f64| format!("{degrees:.2} ({:.2})", arc_of(degrees));
            let _ = writeln!(
                t,
                "  {:<8} {:>20} {:>20} {:>20} {:>20}",
                r.speed,
                cell(r.moving),
                cell(r.predicted),
                cell(r.at_rest),
                cell(r.with_brake)
            );
        }
        t += "  the paper: 3 degrees, 8.11 mm without prediction; 0.55 degrees, 1.17 mm with it and \
              the brake (0.55 degrees at\n  155 mm are 1.49 mm)\n\nSection IV-A: random closings under the \
              guard, told the delay, the encoder and the emergency stop\n";
        for (name, c) in ["emergency stop", "stop command, which turns back"].iter().zip(&self.closings) {
            let _ = writeln!(
                t,
                "  {name:<32} {} closings, {} would touch: {} touched, {} stopped; {} of {} braked \
                 joints left the positions that the guard proved clear; nearest at rest {:.2} mm",
                c.count,
                c.colliding,
                c.touched,
                c.stopped,
                c.left,
                c.joints,
                1e3 * c.nearest
            );
        }
        t
    }

    fn times_text(&self) -> String {
        let mut t = String::from("\nTimes, one thread, kinematics included where a pose is set\n");
        let _ = writeln!(
            t,
            "  {:<66} {:>10} {:>10} {:>8}  the paper (Dell Optiplex 745)",
            "", "median", "slowest", "asked"
        );
        for r in &self.times {
            let slowest = r.slowest_ns.map(format_time).unwrap_or_default();
            let _ = writeln!(
                t,
                "  {:<66} {:>10} {slowest:>10} {:>8}  {}",
                r.name,
                format_time(r.median_ns),
                r.asked,
                r.paper
            );
        }
        let _ = writeln!(
            t,
            "  Each pose is timed {} times, and its fastest run counts; so does the fastest walk over parts. \
             M-code has no counterpart\n  here. The levels test fingers, and finger 2 against the palm by a \
             line; the engine tests all pairs of the\n  hand, knuckles too, and proves its answer. Where \
             fingers overlap the smallest distance has the depth.",
            self.rounds
        );
        if !self.has_machine {
            t += "  The machine's meshes were not at hand: ELBOWROOM_DATA or --data names a folder that has \
                  robots/schunk_sdh2.\n";
        }
        t
    }

    /// Section I-A: a table of all poses in steps of one degree.
    fn all_poses_text(&self) -> String {
        let positions = 180.0_f64.powi(6) * 90.0;
        let mut t = String::from("\nSection I-A: a table of all poses, one bit each, in steps of a degree\n");
        let _ = writeln!(
            t,
            "  {positions:.4e} poses; at the paper's 0.5 ms {:.3e} s; {:.1}e3 GiB (the paper: 3.06e15, \
             1.53e12 s, 356e3 \"Gb\")",
            positions * 0.5e-3,
            positions / 8.0 / 1024.0_f64.powi(3) / 1e3
        );
        if let Some(test) = self.times.iter().find(|r| r.name == TEST_ROW) {
            let years = positions * test.median_ns * 1e-9 / (365.25 * 86_400.0);
            let _ = writeln!(
                t,
                "  By the engine's test it would take {years:.0} years on one thread, and stay as large."
            );
        }
        t
    }

    /// The times as CSV.
    pub fn to_csv(&self) -> String {
        let mut t = String::from("what,paper,median_ns,slowest_ns,asked\n");
        for r in &self.times {
            let slowest = r.slowest_ns.map(|ns| format!("{ns:.0}")).unwrap_or_default();
            let _ = writeln!(t, "\"{}\",\"{}\",{:.1},{slowest},{}", r.name, r.paper, r.median_ns, r.asked);
        }
        t
    }

    /// The levels as CSV.
    pub fn levels_csv(&self) -> String {
        let mut t = String::from(
            "levels,poses,free_at_1,free_at_2,free_at_3,colliding,first_pairs,second_entered,second_pairs,\
             third_entered,tip_pairs,joint_pairs,passes,axes,kept,false_alarms,farthest_m,missed,deepest_m\n",
        );
        for r in &self.levels {
            let (c, [one, two, three, hit]) = (&r.counts, r.ended);
            let _ = writeln!(
                t,
                "\"{}\",{},{one},{two},{three},{hit},{},{},{},{},{},{},{},{},{},{},{:e},{},{:e}",
                r.name,
                r.poses,
                c.first_pairs,
                c.second_entered,
                c.second_pairs,
                c.third_entered,
                c.tip_pairs,
                c.joint_pairs,
                c.passes,
                c.axes,
                c.kept,
                r.false_alarms,
                r.farthest,
                r.missed,
                r.deepest
            );
        }
        t
    }

    /// Table I as CSV.
    pub fn table_csv(&self) -> String {
        let mut t = String::from("depth,boxes,paper_mm,formula_mm,measured_mm\n");
        for c in &self.table {
            let n = box_count(c.depth);
            let _ = writeln!(t, "{},{n},{},{:.6},{:.6}", c.depth, c.paper, c.formula, c.measured);
        }
        t
    }

    /// Table I as a figure.
    ///
    /// # Errors
    /// The figure cannot be drawn.
    pub fn draw_figure(&self) -> Result<String, LabError> {
        let line = |value: &dyn Fn(&TableColumn) -> f64| {
            self.table.iter().map(|c| (f64::from(box_count(c.depth)), value(c))).collect::<Vec<_>>()
        };
        let axes = Axes {
            caption: "haase10, Table I: greatest error of the tip's boxes",
            x: "boxes (logarithmic)",
            y: "millimetres (logarithmic)",
        };
        let series = [("the paper", line(&|c| c.paper)), ("measured on our tip", line(&|c| c.measured))];
        lines_svg(&axes, &series)
    }

    /// Its files by name: `haase10.txt`, `haase10.csv`, `haase10_levels.csv`, `haase10_table1.csv` and
    /// `haase10.svg`.
    ///
    /// # Errors
    /// The figure cannot be drawn.
    pub fn output_files(&self) -> Result<Vec<(String, String)>, LabError> {
        let files = [
            ("haase10.txt", self.to_text()),
            ("haase10.csv", self.to_csv()),
            ("haase10_levels.csv", self.levels_csv()),
            ("haase10_table1.csv", self.table_csv()),
            ("haase10.svg", self.draw_figure()?),
        ];
        Ok(files.map(|(name, text)| (name.to_string(), text)).to_vec())
    }
}
