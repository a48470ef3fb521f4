//! What the experiment found, as text for people, as CSV and as files.

use super::chain::ChainReport;
use crate::error::LabError;
use crate::figure::{Axes, bars_svg};
use crate::median::median;
use std::fmt::Write as _;

/// What the guard said first of its kind.
#[derive(Clone, Debug)]
pub struct Said {
    /// When (seconds).
    pub t: f64,
    /// The word of its reason.
    pub kind: &'static str,
    /// The two bodies, if it is about two.
    pub pair: Option<[String; 2]>,
    /// What was measured or proved, in the unit of the limit.
    pub measured: f64,
    /// The limit.
    pub limit: f64,
    /// The paper's sentence.
    pub says: &'static str,
}

/// When something overlaps, if nobody stops the arms.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// When (seconds).
    pub t: f64,
    /// What.
    pub pair: [String; 2],
}

/// What an index did on one script.
#[derive(Clone, Debug)]
pub struct IndexReport {
    /// What it is called.
    pub name: &'static str,
    /// Samples of the script.
    pub samples: usize,
    /// Checked pairs that share a leaf, summed over samples; of the engine nothing.
    pub shared: u64,
    /// Checked pairs whose boxes meet, summed over samples; of the engine the distances of two shapes.
    pub candidates: u64,
    /// Most nodes: of the octree those there are, of the engine those searched at a sample.
    pub nodes: usize,
    /// Moves of bodies, and those that changed leaves.
    pub moves: u64,
    /// See `moves`.
    pub changed: u64,
    /// Samples at which the pairs are not those of all boxes compared.
    pub differ: usize,
    /// Microseconds a sample of each round: to follow the bodies, and to ask.
    pub rounds_us: Vec<[f64; 2]>,
}

impl IndexReport {
    pub(super) fn new(name: &'static str, samples: usize) -> IndexReport {
        let rounds_us = Vec::new();
        let (shared, candidates, nodes, moves, changed, differ) = (0, 0, 0, 0, 0, 0);
        IndexReport { name, samples, shared, candidates, nodes, moves, changed, differ, rounds_us }
    }

    /// Adds a round: seconds to follow and to ask, over all samples.
    pub(super) fn add_round(&mut self, seconds: [f64; 2]) {
        self.rounds_us.push(seconds.map(|s| s * 1e6 / self.samples.max(1) as f64));
    }

    /// Microseconds a sample to follow and to ask: medians of rounds.
    pub fn median_times(&self) -> [f64; 2] {
        [0, 1].map(|k| median(self.rounds_us.iter().map(|round| round[k])))
    }

    fn per_sample(&self, count: u64) -> f64 {
        count as f64 / self.samples.max(1) as f64
    }
}

/// One script.
#[derive(Clone, Debug, Default)]
pub struct ScriptReport {
    /// Its name.
    pub name: &'static str,
    /// What the task means, and what happens.
    pub means: &'static str,
    /// How long it takes (seconds).
    pub seconds: f64,
    /// States that the guard judged.
    pub states: u64,
    /// Commands by kind, once all arms had reported.
    pub permit: u64,
    /// See `permit`.
    pub slow: u64,
    /// See `permit`.
    pub stop: u64,
    /// What it said first.
    pub first_slow: Option<Said>,
    /// What it said first.
    pub first_stop: Option<Said>,
    /// What overlaps first.
    pub meets: Option<Meeting>,
    /// The least distance at a sample (metres).
    pub least: f64,
    /// Questions about ranges, pairs in them and queries of two shapes, summed over states.
    pub work: [u64; 3],
    /// Most pairs of one state.
    pub most_pairs: u32,
    /// Microseconds a step of the guard, mean of each round.
    pub step_us: Vec<f64>,
    /// The paper's algorithm as a whole, beside the guard.
    pub chain: ChainReport,
    /// The octree by both rules, and the engine.
    pub indices: Vec<IndexReport>,
}

/// Everything.
#[derive(Clone, Debug)]
pub struct Tran91Report {
    /// How often each script was played for the clock.
    pub rounds: usize,
    /// Bodies of the cell.
    pub bodies: usize,
    /// Pairs that are checked.
    pub pairs: usize,
    /// The scripts.
    pub scripts: Vec<ScriptReport>,
}

fn format_command(first: Option<&Said>) -> String {
    first.map_or("never".into(), |said| {
        let pair = said.pair.as_ref().map_or(String::new(), |[a, b]| format!(", {a} and {b}"));
        format!("{:.2} s, {}{pair}", said.t, said.kind)
    })
}

impl Tran91Report {
    /// Both tables, for people.
    pub fn to_text(&self) -> String {
        let mut t = format!(
            "tran91: two arms, {} bodies, {} pairs checked; scripts are played on as if nobody stopped\n",
            self.bodies, self.pairs
        );
        for s in &self.scripts {
            let _ = writeln!(t, "\n{}: {}", s.name, s.means);
            let _ = writeln!(t, "  first slow      {}", format_command(s.first_slow.as_ref()));
            let _ = writeln!(t, "  first stop      {}", format_command(s.first_stop.as_ref()));
            let meets = s.meets.as_ref().map_or_else(
                || format!("never; at least {:.2} mm apart", s.least * 1e3),
                |m| format!("{:.2} s, {} and {}", m.t, m.pair[0], m.pair[1]),
            );
            let _ = writeln!(t, "  would overlap   {meets}");
            let decides = s.first_stop.as_ref().or(s.first_slow.as_ref());
            if let Some(says) = decides.map(|said| said.says).filter(|says| !says.is_empty()) {
                let _ = writeln!(t, "  the rule        {says}");
            }
            let _ = writeln!(
                t,
                "  commands        {} permit, {} slow, {} stop in {:.2} s",
                s.permit, s.slow, s.stop, s.seconds
            );
            t += &s.chain.to_text();
        }
        let _ = writeln!(
            t,
            "\nThe octree beside the engine; means a sample, times in microseconds (medians of {} rounds)\n  \
             {:<10} {:<22} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9}",
            self.rounds, "script", "", "a leaf", "meet", "nodes", "changed", "follow", "ask"
        );
        for s in &self.scripts {
            for i in &s.indices {
                let [follow, ask] = i.median_times();
                // The engine has no leaves.
                let of_octree = |count| match i.moves {
                    0 => String::new(),
                    _ => format!("{:.1}", i.per_sample(count)),
                };
                let (shared, changed) = (of_octree(i.shared), of_octree(i.changed));
                let candidates = i.per_sample(i.candidates);
                let _ = writeln!(
                    t,
                    "  {:<10} {:<22} {shared:>8} {candidates:>8.1} {:>8} {changed:>8} {follow:>9.2} \
                     {ask:>9.2}",
                    s.name, i.name, i.nodes
                );
            }
            let [ranges, pairs, shapes] = s.work.map(|n| n as f64 / s.states.max(1) as f64);
            let step = median(s.step_us.iter().copied());
            let _ = writeln!(
                t,
                "  {:<10} a step of the guard: {ranges:.1} questions, {pairs:.1} pairs (at most {}), \
                 {shapes:.1} shape queries, {step:.1} us",
                s.name, s.most_pairs
            );
        }
        t += "\n  a leaf: checked pairs that share one. meet: those whose boxes meet, still to be \
              asked;\n  of the engine the distances of two shapes that it computed. changed: bodies that \
              came to other leaves.\n  The octree's times are without kinematics and boxes; the engine's \
              have its kinematics, and its\n  answer is proved.\n";
        t
    }

    /// The scripts as CSV: one row a script.
    pub fn to_csv(&self) -> String {
        let mut t = String::from(
            "script,seconds,states,permit,slow,stop,first_slow,slow_kind,slow_a,slow_b,first_stop,stop_kind,\
             stop_a,stop_b,overlap,overlap_a,overlap_b,least,step_us,says\n",
        );
        for s in &self.scripts {
            let of = |said: Option<&Said>| {
                let [a, b] = said.and_then(|said| said.pair.clone()).unwrap_or_default();
                said.map_or(",,,".into(), |said| format!("{},{},{a},{b}", said.t, said.kind))
            };
            let meets = s.meets.as_ref();
            let meets = meets.map_or(",,".into(), |m| format!("{},{},{}", m.t, m.pair[0], m.pair[1]));
            let says = s.first_stop.as_ref().or(s.first_slow.as_ref()).map_or("", |said| said.says);
            let _ = writeln!(
                t,
                "{},{},{},{},{},{},{},{},{meets},{:.6},{:.3},\"{}\"",
                s.name,
                s.seconds,
                s.states,
                s.permit,
                s.slow,
                s.stop,
                of(s.first_slow.as_ref()),
                of(s.first_stop.as_ref()),
                s.least,
                median(s.step_us.iter().copied()),
                says.replace('"', "\"\"")
            );
        }
        t
    }

    /// The paper's algorithm as CSV: one row a script.
    pub fn chain_csv(&self) -> String {
        let mut t = String::from(ChainReport::COLUMNS);
        for s in &self.scripts {
            let _ = writeln!(t, "{},{}", s.name, s.chain.to_csv());
        }
        t
    }

    /// The indices as CSV: one row a script and index.
    pub fn octree_csv(&self) -> String {
        let mut t = String::from(
            "script,index,samples,share_a_leaf,meet,nodes,moves,changed,differ,follow_us,ask_us\n",
        );
        for s in &self.scripts {
            for i in &s.indices {
                let [follow, ask] = i.median_times();
                let _ = writeln!(
                    t,
                    "{},\"{}\",{},{},{},{},{},{},{},{follow:.4},{ask:.4}",
                    s.name, i.name, i.samples, i.shared, i.candidates, i.nodes, i.moves, i.changed, i.differ
                );
            }
        }
        t
    }

    /// Times of all indices on each script.
    ///
    /// # Errors
    /// The figure cannot be drawn.
    pub fn draw_figure(&self) -> Result<String, LabError> {
        let groups: Vec<&str> = self.scripts.iter().map(|s| s.name).collect();
        let names = self.scripts.first().map_or(&[][..], |s| &s.indices[..]);
        let mut series: Vec<(&str, Vec<f64>)> = Vec::new();
        for (k, index) in names.iter().enumerate() {
            let times = self.scripts.iter().filter_map(|s| s.indices.get(k));
            series.push((index.name, times.map(|i| i.median_times().iter().sum()).collect()));
        }
        let steps = self.scripts.iter().map(|s| median(s.step_us.iter().copied())).collect();
        series.push(("a step of the guard", steps));
        let axes = Axes {
            caption: "tran91: a sample of each script",
            x: "the octree: boxes that meet; the engine: proved distances; the guard: the way to rest",
            y: "microseconds (logarithmic)",
        };
        bars_svg(&axes, &groups, &series)
    }

    /// Its files by name: `tran91.txt`, `tran91.csv`, `tran91_octree.csv`,
    /// `tran91_chain.csv` and `tran91.svg`.
    ///
    /// # Errors
    /// The figure cannot be drawn.
    pub fn output_files(&self) -> Result<Vec<(String, String)>, LabError> {
        let files = [
            ("tran91.txt", self.to_text()),
            ("tran91.csv", self.to_csv()),
            ("tran91_octree.csv", self.octree_csv()),
            ("tran91_chain.csv", self.chain_csv()),
            ("tran91.svg", self.draw_figure()?),
        ];
        Ok(files.map(|(name, text)| (name.to_string(), text)).to_vec())
    }
}
