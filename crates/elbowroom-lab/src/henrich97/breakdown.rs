//! Table 1 of the paper: what the work of the sequential detection consists of, on BOTTLENECK.
//!
//! Distances of primitives take less than reading a clock. So each kind of work is run again by itself, as
//! often as the detection ran it, on what it ran it on: the trace of a search says which distances it
//! computed. What remains of the search is expanding and the open list; what remains of the detection is its
//! management.

use super::counts::Counts;
use super::system::{Computed, Stop, System};
use crate::error::LabError;
use crate::parts::wrong;
use crate::puma::Puma;
use elbowroom::Checker;
use elbowroom::bounds::hierarchy::Tree;
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
    /// The paper's numbers; `None` where it has no such row.
    pub paper: Option<[f64; 4]>,
}

/// The table.
#[derive(Clone, Debug)]
pub struct Breakdown {
    /// Detections.
    pub detections: usize,
    /// The rows; the last is all of it.
    pub rows: Vec<Row>,
}

pub(super) fn measure(puma: &Puma, moving: &Tree, rounds: usize) -> Result<Breakdown, LabError> {
    let rounds = rounds.max(1);
    let mut system = System::new(&puma.bottleneck, &puma.parts, moving, true)?;
    let mut checker = Checker::new(&puma.world);
    let mut total = Counts::default();
    // Position, hierarchy, search, primitives, corners, polytopes, everything (seconds).
    let mut spent = [0.0; 7];
    for q in &puma.path {
        checker.set(q).map_err(|e| wrong(&e.to_string()))?;
        system.detect(&checker, Stop::Distance);
        system.forget_corners();
        let mut trace = Vec::new();
        system.search(Stop::Distance, |c| trace.push(c));
        total += &system.counts;
        let (polytopes, primitives): (Vec<Computed>, Vec<Computed>) =
            trace.into_iter().partition(|c| matches!(c, Computed::Polytopes(..)));
        let mut clock = |kind: usize, work: &mut dyn FnMut()| {
            let start = Instant::now();
            for _ in 0..rounds {
                work();
            }
            spent[kind] += start.elapsed().as_secs_f64();
        };
        clock(6, &mut || {
            // A pose that was just set is one.
            _ = checker.set(q);
            black_box(system.detect(&checker, Stop::Distance));
        });
        clock(0, &mut || {
            _ = checker.set(q);
            system.update_position(&checker);
        });
        clock(1, &mut || system.update_hierarchy());
        clock(2, &mut || {
            system.forget_corners();
            black_box(system.search(Stop::Distance, |_| ()));
        });
        clock(3, &mut || primitives.iter().for_each(|c| _ = black_box(system.again(*c))));
        clock(4, &mut || {
            system.forget_corners();
            system.move_again(&polytopes);
        });
        clock(5, &mut || polytopes.iter().for_each(|c| _ = black_box(system.again(*c))));
    }
    let [position, hierarchy, search, primitives, corners, polytopes, all] = spent;
    let n = puma.path.len();
    let row = |task, calls: usize, seconds: f64, paper| {
        let (calls, seconds) = (calls * rounds, seconds.max(0.0));
        Row { task, calls, seconds, paper }
    };
    let expanding = search - primitives - corners - polytopes;
    let rows = vec![
        row("management", n, all - position - hierarchy - search, Some([11_900.0, 42.864, 0.51, 1.03])),
        row("robot's position", n, position, Some([11_900.0, 789.085, 9.39, 19.01])),
        row("  corners of parts, when asked", total.moved, corners, None),
        row("dynamic hierarchy", n, hierarchy, Some([11_900.0, 21.432, 0.26, 0.52])),
        row("expanding nodes", total.expanded, expanding, Some([1_013_000.0, 5.445, 5.52, 11.17])),
        row("distance of polytopes", total.polytopes, polytopes, Some([155_000.0, 214.054, 33.18, 67.18])),
        row("distance of primitives", total.primitives, primitives, Some([852_500.0, 0.626, 0.53, 1.08])),
        row("all", n, all, Some([11_900.0, 4150.0, 49.39, 100.0])),
    ];
    Ok(Breakdown { detections: n * rounds, rows })
}
