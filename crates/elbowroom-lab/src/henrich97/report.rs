//! What the experiment found, as text for people, as CSV and as files.

use super::breakdown::Breakdown;
use super::capsules::Costs;
use super::counts::{DetectionCounts, Near};
use crate::error::LabError;
use crate::figure::{Axes, lines_svg};
use crate::limits::CAPSULES_SAVE;
use crate::median::median;
use std::fmt::Write as _;

/// What one method did in one cell.
#[derive(Clone, Debug)]
pub struct CellMethodReport {
    /// What it is called.
    pub name: &'static str,
    /// Microseconds a detection, means of each walk of the path: over all poses, those without and those with
    /// collision.
    pub rounds_us: Vec<[f64; 3]>,
    /// Counts of one walk of the path, summed. Of the engine: nodes of its trees, and pairs of shapes.
    pub counts: DetectionCounts,
    /// Poses at which its answer is not in the proved interval.
    pub disagreements: usize,
}

impl CellMethodReport {
    pub(super) fn new(name: &'static str) -> CellMethodReport {
        CellMethodReport { name, rounds_us: Vec::new(), counts: DetectionCounts::default(), disagreements: 0 }
    }

    /// Microseconds a detection: the median walk.
    pub fn median_time(&self) -> f64 {
        self.median_times()[0]
    }

    /// Microseconds a detection in the median walk: over all poses, over those without and those with
    /// collision.
    pub fn median_times(&self) -> [f64; 3] {
        [0, 1, 2].map(|k| median(self.rounds_us.iter().map(|r| r[k])))
    }
}

pub(super) fn system_methods() -> Vec<CellMethodReport> {
    [
        "the paper's, distance",
        "the paper's, test",
        "the paper's, weak distance",
        "boxes alone, distance",
        "boxes alone, test",
        "boxes alone, weak distance",
    ]
    .map(CellMethodReport::new)
    .to_vec()
}

/// One cell.
#[derive(Clone, Debug)]
pub struct CellReport {
    /// Its name.
    pub name: String,
    /// Objects in it.
    pub objects: usize,
    /// Corners of an object, on average.
    pub corners: f64,
    /// Poses of the path.
    pub poses: usize,
    /// Poses proved to collide.
    pub colliding: usize,
    /// Proved neither way.
    pub unknown: usize,
    /// The least upper bound of the signed distance (metres).
    pub least: f64,
    /// Pairs whose approximations are near, summed over poses without and with collision.
    pub near: [Near; 2],
    /// The paper's system with r-cylinders and without, three ends each; the engine.
    pub methods: Vec<CellMethodReport>,
}

impl CellReport {
    /// By how much of the time without r-cylinders they make a detection shorter, for the three ends.
    pub fn capsules_save(&self) -> [f64; 3] {
        [0, 1, 2].map(|k| 1.0 - self.methods[k].median_time() / self.methods[k + 3].median_time())
    }
}

/// Everything.
#[derive(Clone, Debug)]
pub struct Henrich97Report {
    /// How often each configuration was asked by each method.
    pub rounds: usize,
    /// Configurations of the path.
    pub poses: usize,
    /// Table 1, of the paper's cell first.
    pub breakdowns: Vec<Breakdown>,
    /// The cells.
    pub scenes: Vec<CellReport>,
}

impl Henrich97Report {
    /// Both tables, for people.
    pub fn to_text(&self) -> String {
        let mut t =
            String::from("henrich97, Table 1: the work of the sequential detection, the distance asked\n");
        let _ = writeln!(
            t,
            "  {} configurations, {} times each; the paper's numbers (one 133 MHz Pentium) to the right",
            self.poses, self.rounds
        );
        self.breakdowns.iter().for_each(|b| t += &b.to_text());
        for s in &self.scenes {
            let _ = writeln!(
                t,
                "\n{}: {} objects of {:.1} corners; proved: {} of {} poses collide, {} unknown",
                s.name, s.objects, s.corners, s.colliding, s.poses, s.unknown
            );
            let _ = writeln!(
                t,
                "  {:<28} {:>9} {:>9} {:>9} {:>9} {:>10} {:>9} {:>7} {:>7}",
                "a detection",
                "us",
                "free",
                "collide",
                "expanded",
                "primitives",
                "polytopes",
                "moved",
                "differ"
            );
            for (k, m) in s.methods.iter().enumerate() {
                let per = |n: usize| n as f64 / s.poses as f64;
                let c = &m.counts;
                let [all, free, collide] = m.median_times();
                let _ = write!(
                    t,
                    "  {:<28} {all:>9.2} {free:>9.2} {collide:>9.2} {:>9.1}",
                    m.name,
                    per(c.expanded)
                );
                let _ = if k < 6 {
                    let (p, q) = (per(c.primitives), per(c.polytopes));
                    writeln!(t, " {p:>10.1} {q:>9.2} {:>7.2} {:>7}", per(c.moved), m.disagreements)
                } else {
                    writeln!(t, " {:>10} {:>9.2}", "", per(c.polytopes))
                };
            }
            let [distance, test, weak] = s.capsules_save().map(|x| 100.0 * x);
            let _ = writeln!(
                t,
                "  r-cylinders save: distance {distance:.0} %, test {test:.0} %, weak distance {weak:.0} % \
                 (the paper: about 30 %)"
            );
            t += &self.explain_savings(s);
        }
        t += "\n  The paper asks 13 polytopes a detection in BOTTLENECK, of 70 pairs, though half its poses \
              collide and end at the first collision.\n  Here 1.5 are asked, and if all were asked whose \
              r-cylinders collide, about 4: no reading of the paper makes\n  13 of this cell. Its objects \
              must lie closer around its robot, or be flat: the r-cylinder of a wall holds most of\n  an \
              arm. \
              A part's corners are moved here in at most a tenth of a distance of polytopes, so there is \
              little for\n  r-cylinders to save.\n";
        t += "\n  The paper: BOTTLENECK 4,150 us a detection; WBK1000 about 23,000 \
              (its bound of 26.95 on the speedup, the serial parts as\n  \
              in BOTTLENECK), under 10,000 on eight processors. Kinematics are in all times. \
              The engine also proves how deep a collision\n  \
              is; it leaves out the foot, which moves against nothing. \
              Its expanded are nodes of its trees.\n";
        t
    }

    /// Why r-cylinders save what they save in a cell, and why so many polytopes are asked.
    fn explain_savings(&self, s: &CellReport) -> String {
        let mut t = String::new();
        let Some(ours) = self.breakdowns.first().and_then(Costs::measured_costs) else { return t };
        let [with, without] = [0, 3].map(|k| s.methods[k].counts);
        let price = |costs: &Costs| costs.corners_for(CAPSULES_SAVE, &with, &without, s.poses);
        let _ = write!(
            t,
            "  by counts they save {CAPSULES_SAVE} of a distance if moving a part's corners costs {:.2} of a \
             distance of polytopes; here it is {:.2}",
            price(&ours) / ours.polytope_cost(),
            ours.corners.unwrap_or(0.0) / ours.polytope_cost()
        );
        if let Some(paper) = self.breakdowns.first().and_then(Costs::paper_costs) {
            let _ = write!(t, ", by the paper's costs {:.2}", price(&paper) / paper.polytope_cost());
        }
        let free = (s.poses - s.colliding).max(1) as f64;
        let per = |n: usize| n as f64 / free;
        let all = (s.near[0].colliding + s.near[1].colliding) as f64 / s.poses.max(1) as f64;
        let _ = writeln!(
            t,
            "\n  polytopes that no order leaves out: {:.2} a pose without collision; by r-cylinders without \
             boxes {:.2}; all whose r-cylinders collide {all:.2}",
            per(s.near[0].both),
            per(s.near[0].capsules)
        );
        t
    }

    /// The cells as CSV: one row a cell and method.
    pub fn to_csv(&self) -> String {
        let mut t = String::from(
            "cell,objects,corners,poses,colliding,method,us,us_free,us_colliding,\
             expanded,primitives,polytopes,moved,disagreements\n",
        );
        for s in &self.scenes {
            for m in &s.methods {
                let c = &m.counts;
                let [all, free, collide] = m.median_times();
                let _ = writeln!(
                    t,
                    "{},{},{:.3},{},{},\"{}\",{:.4},{:.4},{:.4},{},{},{},{},{}",
                    s.name,
                    s.objects,
                    s.corners,
                    s.poses,
                    s.colliding,
                    m.name,
                    all,
                    free,
                    collide,
                    c.expanded,
                    c.primitives,
                    c.polytopes,
                    c.moved,
                    m.disagreements
                );
            }
        }
        t
    }

    /// Table 1 as CSV.
    pub fn breakdown_csv(&self) -> String {
        let mut t =
            String::from("cell,task,calls,seconds,paper_calls,paper_us_a_call,paper_seconds,paper_percent\n");
        for b in &self.breakdowns {
            for r in &b.rows {
                let paper = r.paper.map_or(",,,".into(), |p| p.map(|x| x.to_string()).join(","));
                let _ = writeln!(t, "{},\"{}\",{},{:.6},{paper}", b.cell, r.task.trim(), r.calls, r.seconds);
            }
        }
        t
    }

    /// How the time of a detection grows with the cell.
    ///
    /// # Errors
    /// The figure cannot be drawn.
    pub fn draw_figure(&self) -> Result<String, LabError> {
        let shown = [0, 1, 2, 3, 7, 8, 9];
        let series: Vec<(&str, Vec<(f64, f64)>)> = shown
            .iter()
            .map(|&m| {
                let spread = self.scenes.iter().filter(|s| s.name != "WBK1000");
                let points = spread.map(|s| (s.objects as f64, s.methods[m].median_time()));
                (self.scenes[0].methods[m].name, points.collect())
            })
            .collect();
        lines_svg(
            &Axes {
                caption: "henrich97: time a detection, Puma 260 along its path",
                x: "objects in the cell (logarithmic)",
                y: "microseconds (logarithmic)",
            },
            &series,
        )
    }

    /// Its files by name: `henrich97.txt`, `henrich97.csv`, `henrich97_table1.csv` and `henrich97.svg`.
    ///
    /// # Errors
    /// The figure cannot be drawn.
    pub fn output_files(&self) -> Result<Vec<(String, String)>, LabError> {
        let files = [
            ("henrich97.txt", self.to_text()),
            ("henrich97.csv", self.to_csv()),
            ("henrich97_table1.csv", self.breakdown_csv()),
            ("henrich97.svg", self.draw_figure()?),
        ];
        Ok(files.map(|(name, text)| (name.to_string(), text)).to_vec())
    }
}
