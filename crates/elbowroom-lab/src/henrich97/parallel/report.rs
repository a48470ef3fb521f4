//! What the parallel search did, as text for people, as CSV, and as the paper's Figs. 4 to 6.

use super::experiment::{ParallelReport, ParallelRow};
use super::network::{PAPER_NETWORK, PAPER_WORK};
use super::scenes::{CELLS, PAPER_WBK1000_US};
use super::sweep::{sweep_csv, write_sweep};
use super::tasks::Tasks;
use crate::error::LabError;
use crate::figure::Axes;
use crate::figure::panels::{Drawn, Legend, Marks, Panel, panels_svg};
use crate::henrich97::breakdown::amdahl_bounds;
use crate::limits::PROCESSORS;
use std::fmt::Write as _;

/// The tasks of the paper's Fig. 4, with expanding apart: name, colour, and time.
type TaskTime = fn(&Tasks) -> f64;
type RowValue = fn(&ParallelRow) -> f64;
const TASKS: [(&str, [u8; 3], TaskTime); 6] = [
    ("distances of primitives", [86, 180, 233], |t| t.primitives),
    ("distances of polytopes", [0, 114, 178], |t| t.polytopes),
    ("expanding", [0, 158, 115], |t| t.expanding),
    ("communication", [230, 159, 0], |t| t.communication),
    ("other", [150, 150, 150], |t| t.other),
    ("waiting", [235, 235, 235], |t| t.waiting),
];

/// A colour for each cell, and one for each policy.
const COLOURS: [[u8; 3]; 4] = [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167]];
const BLACK: [u8; 3] = [0, 0, 0];

/// Speedups of eight processors that the paper's section 4 tells: cell and speedup.
const PAPER_SPEEDUPS: [(&str, f64); 2] = [(CELLS[0], 1.5), (CELLS[2], 3.0)];
/// The cells of Figs. 4 and 6.
const LARGE: [&str; 2] = [CELLS[2], CELLS[3]];

impl ParallelReport {
    /// All tables, for people.
    pub fn to_text(&self) -> String {
        let mut t = format!(
            "henrich97, section 3 in virtual time: {} configurations, {} times each, the distance asked\n",
            self.poses, self.rounds
        );
        let [least, most] = PAPER_NETWORK.latency_us;
        let _ = writeln!(
            t,
            "  Costs are the paper's: {} us a polytope pair, {} a primitive, {} a node, {:.0} before the \
             search; messages {least} to {most} us\n  and {} MB/s, a third of that time busy at each end \
             (ours: the paper does not say).",
            PAPER_WORK.polytopes,
            PAPER_WORK.primitives,
            PAPER_WORK.node,
            PAPER_WORK.serial,
            PAPER_NETWORK.bytes_per_us
        );
        self.write_rows(&mut t);
        self.write_savings(&mut t);
        write_sweep(&mut t, &self.tried, self.most_processors());
        self.write_threads(&mut t);
        t
    }

    fn write_rows(&self, t: &mut String) {
        let mut cell = "";
        for row in &self.rows {
            if row.cell != cell {
                cell = row.cell;
                let bounds = |p: f64| amdahl_bounds(row.sequential_us, PAPER_WORK.serial, p);
                let [most, shared] = bounds(PROCESSORS);
                let _ = writeln!(
                    t,
                    "\n{cell}: {:.0} us on one processor, {:.1} polytopes; speedup at most {most:.2}, on \
                     {PROCESSORS} processors {shared:.2}",
                    row.sequential_us, row.sequential_polytopes
                );
                let _ = writeln!(
                    t,
                    "  {:<12} {:>10} {:>9} {:>8} {:>7} {:>10} {:>9} {:>9} {:>8} {:>7}",
                    "policy",
                    "processors",
                    "us",
                    "speedup",
                    "bound",
                    "polytopes",
                    "busiest",
                    "messages",
                    "waiting",
                    "differ"
                );
            }
            let [_, bound] = amdahl_bounds(row.sequential_us, PAPER_WORK.serial, row.processors as f64);
            let waiting: f64 = row.tasks.iter().map(|tasks| tasks.waiting).sum();
            let _ = write!(
                t,
                "  {:<12} {:>10} {:>9.0} {:>8.2} {bound:>7.2} {:>8.2} x {:>7.2} x {:>9.1} {:>6.0} % {:>7}",
                row.policy,
                row.processors,
                row.time_us,
                row.speedup(),
                row.extra_work(),
                row.load_imbalance(),
                row.messages_sent(),
                100.0 * waiting / (row.time_us * row.processors as f64),
                row.disagreements
            );
            // The heavy cell stands for the paper's WBK1000.
            let told = if row.cell == CELLS[3] { CELLS[2] } else { row.cell };
            let paper = PAPER_SPEEDUPS.iter().find(|(name, _)| *name == told && row.processors == 8);
            match paper {
                Some((_, speedup)) => _ = writeln!(t, "   (the paper: about {speedup})"),
                None => t.push('\n'),
            }
        }
        t.push_str(
            "  polytopes: distances of all processors over those of one (the paper, on eight: more than \
             twice as many). busiest: the work of\n  the busiest over the mean. The paper says that the \
             serial share falls from about 20 % to below 2 %; its bound\n  of 26.95 is one of 3.7 %.\n",
        );
        if let Some(row) = self.rows.iter().find(|row| row.cell == LARGE[0]) {
            let _ = writeln!(
                t,
                "  The paper's WBK1000 takes {:.1} ms on one processor, and this one {:.1}: the {:.2} ms \
                 before the search, which\n  nobody shares, weigh more here. A pose that collides ends \
                 after a few \
                 nodes, each behind the one before.\n  The heavy cell is dense and leaves the path free, so \
                 that a detection costs there what it costs in the paper.",
                PAPER_WBK1000_US * 1e-3,
                row.sequential_us * 1e-3,
                PAPER_WORK.serial * 1e-3
            );
        }
    }

    fn write_savings(&self, t: &mut String) {
        t.push_str("\nr-cylinders in parallel (the paper's policy; it expects more than the 30 % of one)\n");
        for row in &self.capsules {
            if row.corners_us.is_infinite() {
                let _ = writeln!(
                    t,
                    "  {:<12} they would not save 30 % on one processor, whatever corners cost",
                    row.cell
                );
                continue;
            }
            let _ = write!(
                t,
                "  {:<12} if moving a part's corners cost {:.0} us, they would save",
                row.cell, row.corners_us
            );
            for (count, saved) in &row.saved {
                let _ = write!(t, "  {:.0} % on {count}", 100.0 * saved);
            }
            t.push('\n');
        }
    }

    fn write_threads(&self, t: &mut String) {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let _ = writeln!(
            t,
            "\nOn threads in earnest ({cores} cores here): us a detection, and the sequential system's \
             in the same run"
        );
        for row in &self.threads {
            let [parallel, alone] = row.times_us;
            let _ = writeln!(
                t,
                "  {:<12} {:<12} {:>2} threads {parallel:>9.1} us, one {alone:>7.1} us: {:.2} x; {} answers \
                 differ",
                row.cell,
                row.policy,
                row.threads,
                alone / parallel,
                row.disagreements
            );
        }
        t.push_str(
            "  A detection takes microseconds and a message between threads as many: nothing is gained here. \
             Batches of poses are\n  what threads are for: `elbowroom sweep`.\n",
        );
    }

    /// Tables as CSV, figures as SVG: name and text.
    ///
    /// # Errors
    /// A figure cannot be drawn.
    pub fn output_files(&self) -> Result<Vec<(String, String)>, LabError> {
        Ok(vec![
            ("henrich97_parallel.csv".into(), self.rows_csv()),
            ("henrich97_sweep.csv".into(), sweep_csv(&self.tried)),
            ("henrich97_threads.csv".into(), self.threads_csv()),
            ("henrich97_fig4.svg".into(), self.draw_load()?),
            ("henrich97_fig5.svg".into(), self.draw_speedups()?),
            ("henrich97_fig6.svg".into(), self.draw_polytopes()?),
        ])
    }

    fn rows_csv(&self) -> String {
        let mut t = String::from(
            "cell,policy,processors,processor,time_us,sequential_us,polytopes,sequential_polytopes,\
             primitives_us,polytopes_us,expanding_us,communication_us,other_us,waiting_us,disagreements\n",
        );
        for row in &self.rows {
            for (rank, (tasks, polytopes)) in row.tasks.iter().zip(&row.polytopes).enumerate() {
                let _ = write!(
                    t,
                    "{},{},{},{},{},{},{polytopes},{}",
                    row.cell,
                    row.policy,
                    row.processors,
                    processor_name(rank),
                    row.time_us,
                    row.sequential_us,
                    row.sequential_polytopes
                );
                TASKS.iter().for_each(|(.., time)| _ = write!(t, ",{}", time(tasks)));
                let _ = writeln!(t, ",{}", row.disagreements);
            }
        }
        t
    }

    fn threads_csv(&self) -> String {
        let mut t = String::from("cell,policy,threads,time_us,sequential_us,disagreements\n");
        for row in &self.threads {
            let [parallel, alone] = row.times_us;
            let _ = writeln!(
                t,
                "{},{},{},{parallel},{alone},{}",
                row.cell, row.policy, row.threads, row.disagreements
            );
        }
        t
    }

    fn most_processors(&self) -> usize {
        self.rows.iter().map(|row| row.processors).max().unwrap_or(1)
    }

    /// The rows of a cell on most processors, one a policy.
    fn rows_on_most(&self, cell: &str) -> Vec<&ParallelRow> {
        let most = self.most_processors();
        self.rows.iter().filter(|row| row.processors == most && row.cell == cell).collect()
    }

    /// Fig. 4: what each processor's time went into.
    fn draw_load(&self) -> Result<String, LabError> {
        let rows: Vec<_> = LARGE.iter().flat_map(|cell| self.rows_on_most(cell)).collect();
        let top = rows.iter().map(|row| row.time_us).fold(0.0, f64::max) * 1e-3;
        let captions: Vec<_> = rows.iter().map(|row| format!("{}, {}", row.cell, row.policy)).collect();
        let panels: Vec<Panel> = rows
            .iter()
            .zip(&captions)
            .map(|(row, caption)| {
                let mut heights = vec![0.0; row.tasks.len()];
                let mut marks: Vec<Marks> = TASKS
                    .iter()
                    .map(|(name, colour, time)| {
                        let corners = row.tasks.iter().zip(&mut heights).enumerate();
                        let points = corners.flat_map(|(rank, (tasks, height))| {
                            let below = *height;
                            *height += time(tasks) * 1e-3;
                            [(rank as f64 + 0.15, below), (rank as f64 + 0.85, *height)]
                        });
                        draw_marks(name, Drawn::Rectangles, *colour, points.collect())
                    })
                    .collect();
                let count = row.tasks.len() as f64;
                let whole = vec![(0.0, row.time_us * 1e-3), (count, row.time_us * 1e-3)];
                marks.push(draw_marks("a detection", Drawn::Dashes, BLACK, whole));
                Panel {
                    axes: Axes { caption, x: "processor: the master, then the slaves", y: "ms a detection" },
                    ranges: [[0.0, count], [0.0, 1.75 * top]],
                    marks,
                    legend: Legend::UpperLeft,
                }
            })
            .collect();
        panels_svg("henrich97, Fig. 4: load, virtual time, the paper's costs", &panels)
    }

    /// Fig. 5: times and speedups over the number of processors.
    fn draw_speedups(&self) -> Result<String, LabError> {
        let mut panels = Vec::new();
        let values: [(&str, RowValue); 2] =
            [("ms a detection", |row| row.time_us * 1e-3), ("speedup", ParallelRow::speedup)];
        for (y, value) in values {
            let mut marks = Vec::new();
            let cells = self.rows.iter().map(|row| row.cell);
            for (k, cell) in unique(cells).into_iter().enumerate() {
                for (policy, drawn) in unique(self.rows.iter().map(|row| row.policy))
                    .into_iter()
                    .zip([Drawn::Dashes, Drawn::Line])
                {
                    let rows = self.rows.iter().filter(|row| row.cell == cell && row.policy == policy);
                    let points = rows.map(|row| (row.processors as f64, value(row))).collect();
                    let name = format!("{cell}, {policy}");
                    marks.push(draw_marks(&name, drawn, COLOURS[k % COLOURS.len()], points));
                }
                let paper = PAPER_SPEEDUPS.iter().find(|(name, _)| *name == cell && y == "speedup");
                if let Some((_, speedup)) = paper {
                    let name = format!("{cell}, printed in the paper");
                    marks.push(draw_marks(
                        &name,
                        Drawn::Places,
                        COLOURS[k % COLOURS.len()],
                        vec![(8.0, *speedup)],
                    ));
                }
            }
            let ranges = Panel::ranges_of(&marks);
            let axes = Axes { caption: "", x: "processors", y };
            panels.push(Panel { axes, ranges, marks, legend: Legend::UpperLeft });
        }
        panels_svg("henrich97, Fig. 5: times and speedups, virtual time, the paper's costs", &panels)
    }

    /// Fig. 6: distances of polytopes of each processor, under both policies.
    fn draw_polytopes(&self) -> Result<String, LabError> {
        let panels = LARGE.map(|cell| {
            let rows = self.rows_on_most(cell);
            let mut marks = Vec::new();
            for (k, row) in rows.iter().enumerate() {
                let wide = 0.8 / rows.len() as f64;
                let bars = row.polytopes.iter().enumerate().flat_map(|(rank, polytopes)| {
                    let left = rank as f64 + 0.1 + k as f64 * wide;
                    [(left, 0.0), (left + 0.9 * wide, *polytopes)]
                });
                let name = format!("{}: {:.1} in all", row.policy, row.polytopes.iter().sum::<f64>());
                marks.push(draw_marks(&name, Drawn::Rectangles, COLOURS[k % COLOURS.len()], bars.collect()));
            }
            if let Some(row) = rows.first() {
                let (count, share) = (row.polytopes.len() as f64, row.sequential_polytopes);
                let name = format!("one processor's {share:.1}, shared evenly");
                let line = vec![(0.0, share / count), (count, share / count)];
                marks.push(draw_marks(&name, Drawn::Dashes, BLACK, line));
            }
            let ranges = Panel::ranges_of(&marks);
            let axes = Axes {
                caption: cell,
                x: "processor: the master, then the slaves",
                y: "distances of polytopes a detection",
            };
            Panel { axes, ranges, marks, legend: Legend::UpperLeft }
        });
        panels_svg("henrich97, Fig. 6: distances of polytopes", &panels)
    }
}

fn draw_marks(name: &str, drawn: Drawn, colour: [u8; 3], points: Vec<(f64, f64)>) -> Marks {
    Marks { name: name.into(), drawn, colour, points }
}

/// Each once, in their order.
fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

/// The name of a processor in the paper's figures.
fn processor_name(rank: usize) -> String {
    if rank == 0 { "M".into() } else { format!("S{rank}") }
}
