//! What the experiment found, as text for people, as CSV and as files.

use super::methods::{CHECKED, TEST};
use crate::error::LabError;
use crate::figure::{Axes, histogram_svg};
use crate::limits::{REAL_TIME, SIMPLICES, WRONG_DISTANCE};
use crate::median::median;
use elbowroom::Verdict;
use std::fmt::Write as _;

/// What one method did.
#[derive(Clone, Debug)]
pub struct MethodReport {
    /// What it is called.
    pub name: &'static str,
    /// Microseconds of every pose, in order.
    pub times_us: Vec<f64>,
    /// Poses it says collide; `None` where it does not say.
    pub colliding: Option<usize>,
    /// Poses at which it says other than what is proved.
    pub disagreements: usize,
    /// The largest proved |distance| at which it does so (metres; 0 without any).
    pub worst: f64,
    /// The time of the slowest pose when it is asked again and again (microseconds).
    pub slowest_us: f64,
    /// Most steps of searches at a pose, and most pairs of shapes that were asked.
    pub most_steps: usize,
    /// See `most_steps`.
    pub most_pairs: usize,
}

impl MethodReport {
    pub(super) fn new(name: &'static str) -> MethodReport {
        MethodReport {
            name,
            times_us: Vec::new(),
            colliding: None,
            disagreements: 0,
            worst: 0.0,
            slowest_us: 0.0,
            most_steps: 0,
            most_pairs: 0,
        }
    }

    /// The slowest pose by the clock, whatever else the machine did (microseconds); and how many poses took
    /// longer than [`REAL_TIME`].
    pub fn by_the_clock(&self) -> (f64, usize) {
        let late = self.times_us.iter().filter(|t| **t > REAL_TIME).count();
        (self.times_us.iter().copied().fold(0.0, f64::max), late)
    }

    /// Mean and standard deviation (microseconds).
    pub fn mean_and_deviation(&self) -> [f64; 2] {
        let n = self.times_us.len().max(1) as f64;
        let mean = self.times_us.iter().sum::<f64>() / n;
        let variance = self.times_us.iter().map(|t| (t - mean) * (t - mean)).sum::<f64>() / n;
        [mean, variance.sqrt()]
    }

    /// Half the poses take at most this (microseconds).
    pub fn median_time(&self) -> f64 {
        median(self.times_us.iter().copied())
    }

    pub(super) fn add_answer(&mut self, colliding: bool, proved: Verdict, distance: f64) {
        *self.colliding.get_or_insert(0) += usize::from(colliding);
        let wrong = match proved {
            Verdict::Collision => !colliding,
            Verdict::Clear => colliding,
            _ => false,
        };
        if wrong {
            self.disagreements += 1;
            self.worst = self.worst.max(distance.abs());
        }
    }
}

/// What was wrong with distances of pairs by the paper's method, all pairs of all poses.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairErrors {
    /// Pairs asked.
    pub asked: usize,
    /// Answers farther than [`WRONG_DISTANCE`] outside the proved interval.
    pub wrong: usize,
    /// The farthest of them (metres).
    pub worst: f64,
    /// Searches that were given up.
    pub capped: usize,
}

/// One robot.
#[derive(Clone, Debug)]
pub struct RobotReport {
    /// Its name.
    pub name: &'static str,
    /// How many poses.
    pub poses: usize,
    /// How many pairs of links are checked.
    pub pairs: usize,
    /// The paper's times for FCL and its own method: mean and standard deviation (microseconds).
    pub paper_us: [[f64; 2]; 2],
    /// Proved to collide.
    pub colliding: usize,
    /// Proved neither way.
    pub unknown: usize,
    /// The methods, the paper's first.
    pub methods: Vec<MethodReport>,
    /// Its distances with its own sub-distance, with that one checked, and with signed volumes.
    pub errors: [PairErrors; 3],
}

impl RobotReport {
    /// The worst pose of each method, by the clock, asked again, and by counts.
    fn worst_poses(&self) -> String {
        let mut t = format!(
            "  {:<24} {:>12} {:>12} {:>12} {:>12} {:>12}\n",
            "worst pose", "first, us", "above 1 ms", "again, us", "most steps", "most pairs"
        );
        for m in &self.methods {
            let (first, late) = m.by_the_clock();
            let _ = writeln!(
                t,
                "  {:<24} {first:>12.1} {late:>12} {:>12.1} {:>12} {:>12}",
                m.name, m.slowest_us, m.most_steps, m.most_pairs
            );
        }
        t
    }

    /// The time a pose takes by each method: a histogram as SVG.
    ///
    /// # Errors
    /// The figure cannot be drawn.
    pub fn draw_figure(&self) -> Result<String, LabError> {
        let series: Vec<(&str, &[f64])> = self.methods.iter().map(|m| (m.name, &m.times_us[..])).collect();
        let axes = Axes {
            caption: &format!("{}: time a pose, {} random poses", self.name, self.poses),
            x: "microseconds (logarithmic)",
            y: "% of poses",
        };
        histogram_svg(&axes, &series)
    }
}

/// Sub-distances on simplices of one kind.
#[derive(Clone, Copy, Debug)]
pub struct SubRow {
    /// Corners of the simplices.
    pub corners: usize,
    /// The older corners are as flat too: a short line, a needle.
    pub needle: bool,
    /// How flat: progress of the newest corner over the size of the simplex.
    pub flatness: f64,
    /// Worst relative error of the length: the paper's, the paper's checked, signed volumes.
    pub worst: [f64; 3],
    /// How often each says inside when it is outside, or has no number.
    pub lost: [usize; 3],
    /// Nanoseconds a simplex.
    pub ns: [f64; 3],
}

/// Both tables.
#[derive(Clone, Debug)]
pub struct Coulombe20Report {
    /// The robots in the paper's order.
    pub robots: Vec<RobotReport>,
    /// The sub-distances.
    pub sub: Vec<SubRow>,
}

/// A ratio as the paper's text has it: of what share of the time one takes of another (per cent), or by how
/// much a time grows.
fn format_percent(part: f64, of: f64) -> String {
    let share = 100.0 * part / of;
    if share < 10.0 { format!("{share:.2} %") } else { format!("{share:.0} %") }
}

impl Coulombe20Report {
    /// The four ratios that the paper draws from its Table I, of the paper's rows and of ours.
    pub fn format_ratios(&self) -> String {
        let mut t = String::from("\nWhat the paper reads off its Table I (ours: medians)\n");
        let [small, large] = &self.robots[..] else { return String::new() };
        for robot in [large, small] {
            let [fcl, own] = robot.paper_us.map(|row| row[0]);
            let _ = writeln!(
                t,
                "  {}: its method takes {} of the time of FCL; here elbowroom's test takes {} of that of its \
                 method, checked",
                robot.name,
                format_percent(own, fcl),
                format_percent(robot.methods[TEST].median_time(), robot.methods[CHECKED].median_time())
            );
        }
        let grows = |of: &dyn Fn(&RobotReport) -> f64| format_percent(of(large) - of(small), of(small));
        let _ = writeln!(
            t,
            "  From {} to {}: its method {} longer, FCL {}; here its method, checked, {}, elbowroom's \
             test {}",
            small.name,
            large.name,
            grows(&|r| r.paper_us[1][0]),
            grows(&|r| r.paper_us[0][0]),
            grows(&|r| r.methods[CHECKED].median_time()),
            grows(&|r| r.methods[TEST].median_time())
        );
        t += "  FCL as it may have run it is in bench/peers (fcl_obb.cpp); figures in docs/performance.md.\n";
        t
    }

    /// Both tables, for people.
    pub fn to_text(&self) -> String {
        let mut t =
            String::from("coulombe20, Table I: self-collision at random poses, microseconds a pose\n");
        for robot in &self.robots {
            let _ = writeln!(
                t,
                "\n{}: {} poses, {} pairs of links; proved: {} collide, {} clear, {} unknown",
                robot.name,
                robot.poses,
                robot.pairs,
                robot.colliding,
                robot.poses - robot.colliding - robot.unknown,
                robot.unknown
            );
            let _ = writeln!(
                t,
                "  {:<24} {:>10} {:>10} {:>10} {:>9} {:>9} {:>11}",
                "", "mean", "std dev", "median", "collide", "differ", "at most by"
            );
            for (name, [mean, deviation]) in
                ["the paper: FCL", "the paper: its method"].iter().zip(robot.paper_us)
            {
                let _ = writeln!(t, "  {name:<24} {mean:>10.2} {deviation:>10.2}");
            }
            for m in &robot.methods {
                let [mean, deviation] = m.mean_and_deviation();
                let _ =
                    write!(t, "  {:<24} {mean:>10.2} {deviation:>10.2} {:>10.2}", m.name, m.median_time());
                if let Some(colliding) = m.colliding {
                    let _ = write!(t, " {colliding:>9} {:>9} {:>9.1e} m", m.disagreements, m.worst);
                }
                t.push('\n');
            }
            t += &robot.worst_poses();
            for (e, name) in robot.errors.iter().zip([
                "its own sub-distance",
                "progress and faces checked",
                "signed volumes",
            ]) {
                let _ = writeln!(
                    t,
                    "  RGJK with {name}: {} of {} pair distances wrong by more than {WRONG_DISTANCE:.0e} m \
                     (worst {:.1e} m), {} given up",
                    e.wrong, e.asked, e.worst, e.capped
                );
            }
        }
        t += &self.format_ratios();
        t += "\nSub-distances on simplices as GJK meets them, against the reference\n";
        let _ = writeln!(
            t,
            "  {:>7} {:>6} {:>8}  {:>32}  {:>17}  {:>26}",
            "corners",
            "kind",
            "flatness",
            "error: letter, checked, volumes",
            "lost: the same",
            "nanoseconds: the same"
        );
        for r in &self.sub {
            let _ = write!(
                t,
                "  {:>7} {:>6} {:>8.0e} ",
                r.corners,
                if r.needle { "needle" } else { "flat" },
                r.flatness
            );
            r.worst.iter().for_each(|e| _ = write!(t, " {e:>10.1e}"));
            t.push(' ');
            r.lost.iter().for_each(|n| _ = write!(t, " {n:>5}"));
            t.push(' ');
            r.ns.iter().for_each(|ns| _ = write!(t, " {ns:>8.1}"));
            t.push('\n');
        }
        let _ = writeln!(
            t,
            "  Error: worst relative error of the length of {SIMPLICES} simplices; lost: said inside, \
             or no number, where the origin is outside."
        );
        t
    }

    /// The first table as CSV: one row a robot and method; times in microseconds, lengths in metres.
    pub fn to_csv(&self) -> String {
        let mut t = String::from(
            "robot,method,poses,mean_us,std_us,median_us,colliding,disagreements,worst_disagreement_m,\
             slowest_first_us,slowest_again_us,most_steps,most_pairs\n",
        );
        for robot in &self.robots {
            for (name, [mean, deviation]) in ["paper FCL", "paper RGJK"].iter().zip(robot.paper_us) {
                let _ = writeln!(t, "{},{name},20000,{mean},{deviation},,,,,,,,", robot.name);
            }
            for m in &robot.methods {
                let [mean, deviation] = m.mean_and_deviation();
                let colliding = m.colliding.map(|n| n.to_string()).unwrap_or_default();
                let _ = writeln!(
                    t,
                    "{},\"{}\",{},{mean:.4},{deviation:.4},{:.4},{colliding},{},{:e},{:.2},{:.2},{},{}",
                    robot.name,
                    m.name,
                    robot.poses,
                    m.median_time(),
                    m.disagreements,
                    m.worst,
                    m.by_the_clock().0,
                    m.slowest_us,
                    m.most_steps,
                    m.most_pairs
                );
            }
        }
        t
    }

    /// The second table as CSV.
    pub fn sub_csv(&self) -> String {
        let mut t = String::from("corners,needle,flatness,method,worst_error,lost,ns\n");
        for r in &self.sub {
            for (k, method) in ["letter", "checked", "volumes"].iter().enumerate() {
                let _ = writeln!(
                    t,
                    "{},{},{:e},{method},{:e},{},{:.1}",
                    r.corners, r.needle, r.flatness, r.worst[k], r.lost[k], r.ns[k]
                );
            }
        }
        t
    }

    /// Its files by name: `coulombe20.csv`, `coulombe20_subdistance.csv`, `coulombe20.txt` and one SVG a
    /// robot.
    ///
    /// # Errors
    /// A figure cannot be drawn.
    pub fn output_files(&self) -> Result<Vec<(String, String)>, LabError> {
        let mut files = vec![
            ("coulombe20.csv".to_string(), self.to_csv()),
            ("coulombe20_subdistance.csv".to_string(), self.sub_csv()),
            ("coulombe20.txt".to_string(), self.to_text()),
        ];
        for robot in &self.robots {
            let name = robot.name.to_lowercase().replace(' ', "_");
            files.push((format!("coulombe20_{name}.svg"), robot.draw_figure()?));
        }
        Ok(files)
    }
}
