//! Table 1 of the paper: what the work of the sequential detection consists of, on one cell.
//!
//! Distances of primitives take less than reading a clock. So each kind of work is run again by itself, as
//! often as the detection ran it, on what it ran it on: the trace of a search says which distances it
//! computed, and a search that is told them again does nothing but expand nodes and keep its list. No row is
//! a difference, and none is below zero; all of it is their sum. The detection as a whole is timed beside it
//! ([`Breakdown::whole`]), and how far the two are apart says how much the rows are worth.
//!
//! Of several runs the fastest counts: what else the machine does only makes work slower.

use super::counts::DetectionCounts;
use super::system::{Computed, Stop, System};
use crate::error::LabError;
use crate::limits::{PROCESSORS, RUNS};
use crate::parts::robot_error;
use crate::puma::Puma;
use elbowroom::Checker;
use elbowroom::bounds::hierarchy::Tree;
use elbowroom::math::Vec3;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

/// One kind of work, and the paper's row: calls, microseconds a call, seconds in all, per cent.
#[derive(Clone, Debug)]
pub struct Row {
    /// What.
    pub task: &'static str,
    /// How often.
    pub calls: usize,
    /// Seconds in all.
    pub seconds: f64,
    /// Whether it is a part of the search, which the paper shares out among processors.
    pub in_search: bool,
    /// The paper's numbers; `None` where it has no such row.
    pub paper: Option<[f64; 4]>,
}

impl Row {
    /// Microseconds a call.
    pub fn us_per_call(&self) -> f64 {
        self.seconds * 1e6 / self.calls.max(1) as f64
    }
}

/// The table.
#[derive(Clone, Debug)]
pub struct Breakdown {
    /// The cell's name.
    pub cell: String,
    /// Detections.
    pub detections: usize,
    /// The rows.
    pub rows: Vec<Row>,
    /// Seconds of all detections, each timed as a whole.
    pub whole: f64,
}

impl Breakdown {
    /// Seconds of all rows.
    pub fn total_seconds(&self) -> f64 {
        self.rows.iter().map(|r| r.seconds).sum()
    }

    /// What of [`Breakdown::total_seconds`] is no part of the search.
    pub fn serial_seconds(&self) -> f64 {
        self.rows.iter().filter(|r| !r.in_search).map(|r| r.seconds).sum()
    }

    /// How much faster a detection can become at most if the search takes no time, and if `processors` share
    /// it without a loss.
    pub fn speedup_bounds(&self, processors: f64) -> [f64; 2] {
        amdahl_bounds(self.total_seconds(), self.serial_seconds(), processors)
    }

    /// The paper's table, bounded in the same way; `None` where it has no such table.
    pub fn paper_bounds(&self, processors: f64) -> Option<[f64; 2]> {
        let paper = |r: &&Row| r.paper.map_or(0.0, |[calls, us, ..]| calls * us * 1e-6);
        let all: f64 = self.rows.iter().map(|r| paper(&r)).sum();
        let serial: f64 = self.rows.iter().filter(|r| !r.in_search).map(|r| paper(&r)).sum();
        (all > 0.0).then(|| amdahl_bounds(all, serial, processors))
    }
}

impl Breakdown {
    /// The table and what follows from it, for people.
    pub(super) fn to_text(&self) -> String {
        let mut t = format!(
            "\n  {:<32} {:>9} {:>10} {:>9} {:>7}   {:>9} {:>10} {:>7} {:>7}\n",
            self.cell, "calls", "us a call", "s", "%", "calls", "us a call", "s", "%"
        );
        let all = self.total_seconds();
        for r in &self.rows {
            let share = 100.0 * r.seconds / all;
            let _ = write!(
                t,
                "  {:<32} {:>9} {:>10.4} {:>9.6} {share:>7.2}",
                r.task,
                r.calls,
                r.us_per_call(),
                r.seconds
            );
            if let Some([calls, us, s, share]) = r.paper {
                let _ = write!(t, "   {calls:>9} {us:>10.3} {s:>7.2} {share:>7.2}");
            }
            t.push('\n');
        }
        let whole = self.whole * 1e6 / self.detections as f64;
        let a_call = all * 1e6 / self.detections as f64;
        let _ = writeln!(
            t,
            "  {:<32} {:>9} {a_call:>10.4} {all:>9.6} {:>7.2}   (timed as a whole: {whole:.4} us)",
            "all", self.detections, 100.0
        );
        let [most, shared] = self.speedup_bounds(PROCESSORS);
        let _ = write!(
            t,
            "  Speedup at most {most:.2} if the search takes no time, {shared:.2} if {PROCESSORS} processors \
             share it"
        );
        let _ = match self.paper_bounds(PROCESSORS) {
            Some([most, shared]) => writeln!(t, " (the paper: {most:.2} and {shared:.2})"),
            None => writeln!(t),
        };
        t
    }
}

/// The two bounds on the speedup of work of which `serial` cannot be shared.
pub fn amdahl_bounds(all: f64, serial: f64, processors: f64) -> [f64; 2] {
    [all / serial, all / (serial + (all - serial) / processors)]
}

/// The paper's rows: management, robot's position, dynamic hierarchy, expanding nodes, distances of polytopes
/// and of primitives.
const PAPER: [[f64; 4]; 6] = [
    [11_900.0, 42.864, 0.51, 1.03],
    [11_900.0, 789.085, 9.39, 19.01],
    [11_900.0, 21.432, 0.26, 0.52],
    [1_013_000.0, 5.445, 5.52, 11.17],
    [155_000.0, 214.054, 33.18, 67.18],
    [852_500.0, 0.626, 0.53, 1.08],
];

/// Breaks the detections of one cell down; `in_paper`: the paper's table is of this cell.
pub(super) fn measure_breakdown(
    (cell, objects): (&str, &[Vec<Vec3>]),
    in_paper: bool,
    puma: &Puma,
    moving: &Tree,
    rounds: usize,
) -> Result<Breakdown, LabError> {
    let rounds = rounds.max(1);
    let mut system = System::new(objects, &puma.parts, moving, true)?;
    let mut checker = Checker::new(&puma.world);
    let mut total = DetectionCounts::default();
    // Management, position, corners, hierarchy, expanding, polytopes, primitives, everything (seconds).
    let mut spent = [0.0; 8];
    for q in &puma.path {
        checker.set(q).map_err(|e| robot_error(&e.to_string()))?;
        system.update_position(&checker);
        system.update_hierarchy();
        system.begin();
        let mut trace = Vec::new();
        system.search_pairs(Stop::Distance, |system, asked| {
            let distance = system.compute_distance(asked);
            trace.push((asked, distance));
            distance
        });
        total += &system.counts;
        let known: Vec<f64> = trace.iter().map(|(_, distance)| *distance).collect();
        let asked = trace.into_iter().map(|(asked, _)| asked);
        let (polytopes, primitives): (Vec<Computed>, Vec<Computed>) =
            asked.partition(|c| matches!(c, Computed::Polytopes(..)));
        let mut clock = |kind: usize, work: &mut dyn FnMut()| {
            let run = |_| {
                let start = Instant::now();
                for _ in 0..rounds {
                    work();
                }
                start.elapsed().as_secs_f64()
            };
            spent[kind] += (0..RUNS).map(run).fold(f64::INFINITY, f64::min);
        };
        clock(7, &mut || {
            // A pose that was just set is one.
            _ = checker.set(q);
            black_box(system.detect_collision(&checker, Stop::Distance));
        });
        clock(0, &mut || black_box(&mut system).begin());
        clock(1, &mut || {
            _ = checker.set(q);
            system.update_position(&checker);
        });
        clock(2, &mut || {
            system.forget_corners();
            system.move_again(&polytopes);
        });
        clock(3, &mut || system.update_hierarchy());
        clock(4, &mut || {
            system.begin();
            let mut next = known.iter();
            black_box(system.search_pairs(Stop::Distance, |_, _| next.next().copied().unwrap_or(0.0)));
        });
        clock(5, &mut || polytopes.iter().for_each(|c| _ = black_box(system.compute_distance(*c))));
        clock(6, &mut || primitives.iter().for_each(|c| _ = black_box(system.compute_distance(*c))));
    }
    let n = puma.path.len();
    let row = |kind: usize, task, calls: usize, paper_row: Option<usize>| Row {
        task,
        calls: calls * rounds,
        seconds: spent[kind],
        // Corners are moved when the search asks for their polytopes.
        in_search: kind == 2 || kind >= 4,
        paper: paper_row.filter(|_| in_paper).map(|k| PAPER[k]),
    };
    let rows = vec![
        row(0, "management", n, Some(0)),
        row(1, "robot's position", n, Some(1)),
        row(2, "  corners of parts, when asked", total.moved, None),
        row(3, "dynamic hierarchy", n, Some(2)),
        row(4, "expanding nodes", total.expanded, Some(3)),
        row(5, "distance of polytopes", total.polytopes, Some(4)),
        row(6, "distance of primitives", total.primitives, Some(5)),
    ];
    Ok(Breakdown { cell: cell.into(), detections: n * rounds, rows, whole: spent[7] })
}
