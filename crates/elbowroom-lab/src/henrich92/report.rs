//! What the experiment found, as text for people, as CSV and as files.

use super::approach::Approach;
use super::counts::ApproachCounts;
use crate::error::LabError;
use crate::figure::{Axes, DrawnTree, bars_svg, trees_svg};
use crate::limits::THRESHOLD;
use crate::median::median;
use std::fmt::Write as _;

/// What one approach did in one scene; arrays are for steps without and with collision.
#[derive(Clone, Debug)]
pub struct ApproachReport {
    /// What it is called.
    pub name: &'static str,
    /// Microseconds a step, mean of each walk.
    pub rounds_us: Vec<[f64; 2]>,
    /// What one walk computed, summed.
    pub counts: [ApproachCounts; 2],
    /// Steps at which its answer is not in the proved interval.
    pub disagreements: usize,
}

impl ApproachReport {
    pub(super) fn new(name: &'static str) -> ApproachReport {
        ApproachReport {
            name,
            rounds_us: Vec::new(),
            counts: [ApproachCounts::default(); 2],
            disagreements: 0,
        }
    }

    /// Microseconds a step without and with collision: the fastest walk.
    pub fn fastest_times(&self) -> [f64; 2] {
        [0, 1].map(|k| self.rounds_us.iter().map(|r| r[k]).fold(f64::INFINITY, f64::min))
    }

    /// Microseconds a step without and with collision: the median walk.
    pub fn median_times(&self) -> [f64; 2] {
        [0, 1].map(|k| median(self.rounds_us.iter().map(|r| r[k])))
    }
}

/// One scene.
#[derive(Clone, Debug)]
pub struct SceneReport {
    /// Its name.
    pub name: &'static str,
    /// Steps proved not to collide, or to be undecided, and steps proved to collide.
    pub steps: [usize; 2],
    /// Steps proved neither way.
    pub unknown: usize,
    /// Microseconds for kinematics and moving all corners, a step.
    pub moving_us: f64,
    /// The share of the steps at which the first arm's commonest structure is chosen.
    pub commonest: f64,
    /// The approaches, then the engine.
    pub methods: Vec<ApproachReport>,
}

/// The structures found with one cost.
#[derive(Clone, Debug)]
pub struct StructureRow {
    /// What was minimized.
    pub cost: &'static str,
    /// Configurations sampled.
    pub samples: u64,
    /// Structures that are best for one of them.
    pub found: usize,
    /// The share of the configurations for which the commonest is.
    pub commonest: f64,
    /// How many are kept.
    pub kept: usize,
    /// The share for which one of those is.
    pub kept_share: f64,
    /// Of each scene microseconds a step of (e) with these structures, a number a walk; and what one walk
    /// computes.
    pub walks: Vec<(Vec<f64>, ApproachCounts)>,
}

impl StructureRow {
    /// Microseconds a step of (e) in each scene: the median walk.
    pub fn median_times(&self) -> Vec<f64> {
        self.walks.iter().map(|(rounds_us, _)| median(rounds_us.iter().copied())).collect()
    }
}

/// Everything.
#[derive(Clone, Debug)]
pub struct Henrich92Report {
    /// The scenes.
    pub scenes: Vec<SceneReport>,
    /// The structures, the paper's cost first.
    pub structures: Vec<StructureRow>,
    /// Two of the first, as in Fig. 2.
    pub drawn: Vec<DrawnTree>,
}

impl SceneReport {
    /// Which strategy for pairs of primitives is the fastest, and what combinations do to (e): by the fastest
    /// walk of each, since what else a machine does makes no walk faster.
    fn format_fastest(&self) -> String {
        let steps = (self.steps[0] + self.steps[1]).max(1) as f64;
        let mean = |a: Approach| {
            let us = self.methods[a.index_in_all()].fastest_times();
            (us[0] * self.steps[0] as f64 + us[1] * self.steps[1] as f64) / steps
        };
        let by_time = |all: &[Approach]| {
            let mut order = all.to_vec();
            order.sort_by(|a, b| mean(*a).total_cmp(&mean(*b)));
            order.iter().map(|a| format!("{} {:.2}", a.name(), mean(*a))).collect::<Vec<_>>().join(", ")
        };
        let combined = [
            Approach::Hierarchies,
            Approach::HierarchiesInitialization,
            Approach::HierarchiesLocal,
            Approach::HierarchiesGlobal,
        ];
        format!(
            "  Strategies for pairs of primitives, us a step, the fastest walks; (d) is the fixed order \
             (the paper: box,\n  then polytopes, is the fastest):\n    \
             {}\n  (e) and its combinations \
             (the paper: initialization and the local update make it slower):\n    \
             {}\n",
            by_time(&Approach::STRATEGIES),
            by_time(&combined)
        )
    }
}

impl Henrich92Report {
    /// Both tables, for people.
    pub fn to_text(&self) -> String {
        let mut t = String::from("henrich92, Fig. 5: a step of the motion, microseconds and counts\n");
        for s in &self.scenes {
            let _ = writeln!(
                t,
                "\n{}: {} steps without and {} with collision, {} unknown; threshold {THRESHOLD} m",
                s.name, s.steps[0], s.steps[1], s.unknown
            );
            let _ = writeln!(
                t,
                "  {:<28} | {:^43} | {:^43} |\n  \
                 {:<28} | {:>10} {:>10} {:>10} {:>10} | {:>10} {:>10} {:>10} {:>10} | {:>6}",
                "",
                "without collision",
                "with collision",
                "",
                "us",
                "polytopes",
                "steps",
                "primitives",
                "us",
                "polytopes",
                "steps",
                "primitives",
                "differ"
            );
            for m in &s.methods {
                let _ = write!(t, "  {:<28} |", m.name);
                for k in 0..2 {
                    let per = |n: usize| n as f64 / s.steps[k].max(1) as f64;
                    let c = &m.counts[k];
                    let (p, q, r) = (per(c.polytopes), per(c.steps), per(c.primitives));
                    let _ = write!(t, " {:>10.2} {p:>10.2} {q:>10.1} {r:>10.1} |", m.median_times()[k]);
                }
                let _ = writeln!(t, " {:>6}", m.disagreements);
            }
            let _ = writeln!(
                t,
                "  Not in (a) to (e): kinematics and moving all corners, {:.2} us (the paper: about 25,000). \
                 The commonest structure is\n  \
                 chosen at {:.0} % of the steps. The engine's times have its kinematics in them, \
                 and how deep a collision is.",
                s.moving_us,
                100.0 * s.commonest
            );
            t += &s.format_fastest();
        }
        t += "\nStructures of the arm's hierarchy, its first three joints sampled by 15 degrees\n";
        let _ = writeln!(
            t,
            "  {:<10} {:>9} {:>7} {:>17} {:>6} {:>14}   \
             of (e), each scene: us, polytopes, gaps of boxes a step",
            "least", "samples", "found", "commonest best", "kept", "kept are best"
        );
        t += "  the paper's (diameter)        19             66.7 %\n";
        for r in &self.structures {
            let _ = write!(
                t,
                "  {:<10} {:>9} {:>7} {:>15.1} % {:>6} {:>12.1} %  ",
                r.cost,
                r.samples,
                r.found,
                100.0 * r.commonest,
                r.kept,
                100.0 * r.kept_share
            );
            for (s, ((_, counts), us)) in self.scenes.iter().zip(r.walks.iter().zip(r.median_times())) {
                let steps = (s.steps[0] + s.steps[1]).max(1) as f64;
                let [polytopes, gaps] = [counts.polytopes, counts.primitives].map(|n| n as f64 / steps);
                let _ = write!(t, " {us:>7.2} {polytopes:>5.2} {gaps:>5.1};");
            }
            t.push('\n');
        }
        t += "  The paper finds the diameter to be the best of the three. \
              By polytopes and gaps the three are alike here.\n\nTwo of the structures (Fig. 2)\n";
        for tree in &self.drawn {
            let _ = writeln!(t, "  {}\n    {}", tree.title, tree.in_words());
        }
        t
    }

    /// The approaches as CSV: one row a scene, approach and kind of step.
    pub fn to_csv(&self) -> String {
        let mut t = String::from(
            "scene,approach,collision,steps,us,polytopes_a_step,search_steps_a_step,\
             primitives_a_step,disagreements\n",
        );
        for s in &self.scenes {
            for m in &s.methods {
                for (k, collision) in ["no", "yes"].iter().enumerate() {
                    let per = |n: usize| n as f64 / s.steps[k].max(1) as f64;
                    let c = &m.counts[k];
                    let _ = writeln!(
                        t,
                        "\"{}\",\"{}\",{collision},{},{:.4},{:.4},{:.4},{:.4},{}",
                        s.name,
                        m.name,
                        s.steps[k],
                        m.median_times()[k],
                        per(c.polytopes),
                        per(c.steps),
                        per(c.primitives),
                        m.disagreements
                    );
                }
            }
        }
        t
    }

    /// The structures as CSV.
    pub fn structures_csv(&self) -> String {
        let mut t = String::from(
            "cost,samples,found,commonest_share,kept,kept_share,us_scene_1,us_scene_2\npaper,,19,0.667,,,,\n",
        );
        for r in &self.structures {
            let _ = writeln!(
                t,
                "{},{},{},{:.4},{},{:.4},{}",
                r.cost,
                r.samples,
                r.found,
                r.commonest,
                r.kept,
                r.kept_share,
                r.median_times().iter().map(|us| format!("{us:.4}")).collect::<Vec<_>>().join(",")
            );
        }
        t
    }

    /// The paper's Fig. 5.
    ///
    /// # Errors
    /// The figure cannot be drawn.
    pub fn draw_figure(&self) -> Result<String, LabError> {
        let groups: Vec<String> = self
            .scenes
            .iter()
            .flat_map(|s| ["free", "colliding"].map(|k| format!("{}, {k}", s.name)))
            .collect();
        let names: Vec<&str> = groups.iter().map(String::as_str).collect();
        let count = self.scenes.first().map_or(0, |s| s.methods.len());
        // The paper's, and the engine: what is tried beside them is in the tables.
        let beside = Approach::Larger.index_in_all() + 1..Approach::ALL.len();
        let series: Vec<(&str, Vec<f64>)> = (0..count)
            .filter(|m| !beside.contains(m))
            .map(|m| {
                let heights = self.scenes.iter().flat_map(|s| s.methods[m].median_times()).collect();
                (self.scenes[0].methods[m].name, heights)
            })
            .collect();
        let axes = Axes {
            caption: "henrich92, Fig. 5: time of a motion step",
            x: "(a) to (e) without kinematics and moving corners, the engine with its kinematics",
            y: "microseconds (logarithmic)",
        };
        bars_svg(&axes, &names, &series)
    }

    /// Its files by name: `henrich92.txt`, `henrich92.csv`, `henrich92_structures.csv`,
    /// `henrich92.svg` and `henrich92_structures.svg`.
    ///
    /// # Errors
    /// The figure cannot be drawn.
    pub fn output_files(&self) -> Result<Vec<(String, String)>, LabError> {
        let files = [
            ("henrich92.txt", self.to_text()),
            ("henrich92.csv", self.to_csv()),
            ("henrich92_structures.csv", self.structures_csv()),
            ("henrich92.svg", self.draw_figure()?),
            (
                "henrich92_structures.svg",
                trees_svg("henrich92, Fig. 2: two structures of the arm", &self.drawn)?,
            ),
        ];
        Ok(files.map(|(name, text)| (name.to_string(), text)).to_vec())
    }
}
