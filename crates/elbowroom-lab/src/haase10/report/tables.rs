//! Its tables, for people.

use super::{Haase10Report, TableColumn, TimeRow};
use crate::haase10::dimensions::TIP_RADIUS;
use crate::haase10::tip::box_count;
use crate::limits::LEVEL_DEPTH;
use std::fmt::Write as _;

/// The name of the row that counts for a table of all poses.
const TEST_ROW: &str = "elbowroom, test, our hand, random poses";

/// Nanoseconds in a unit that is easy to read.
fn format_time(ns: f64) -> String {
    if ns < 1000.0 { format!("{ns:.0} ns") } else { format!("{:.2} us", 1e-3 * ns) }
}

impl Haase10Report {
    pub(super) fn table_text(&self) -> String {
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

    pub(super) fn levels_text(&self) -> String {
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
    pub(super) fn passes_text(&self) -> String {
        let ([mean, most], n) = (self.tip_passes, box_count(LEVEL_DEPTH));
        format!(
            "\nSection III-B: passes of the separating axis test for two tips whose halves meet\n  by \
             recursion, b = {LEVEL_DEPTH}: {mean:.1} on average, {most:.0} at most; all pairs of {n} boxes: \
             {} (the paper: 900 for 30)\n",
            n * n
        )
    }

    pub(super) fn base_text(&self) -> String {
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
                 {} bytes, {:.2} s; of these the line misses {}, and calls {} colliding that are free and \
                 {} open ones free",
                "", r.bytes, r.seconds, printed.missed, printed.false_alarms, printed.unproved
            );
            if let Some((line, errors)) = r.fitted {
                let _ = writeln!(
                    t,
                    "  {:<22} fitted: {} misses {} and calls {} colliding that are free, and {} open ones \
                     free (the paper: -1.6, 209, 74)",
                    "",
                    line.rule_text(["phi_3", "phi_4"]),
                    errors.missed,
                    errors.false_alarms,
                    errors.unproved
                );
            }
        }
        t += "  The line was drawn for the maker's CAD data of 2010. Public meshes have another palm, and \
              ours is two boxes.\n";
        t
    }

    pub(super) fn times_text(&self) -> String {
        let mut t = String::from("\nTimes, one thread, kinematics included where a pose is set\n");
        let _ = writeln!(
            t,
            "  {:<72} {:>10} {:>10} {:>8}  the paper (Dell Optiplex 745)",
            "", "median", "slowest", "asked"
        );
        for r in &self.times {
            let slowest = r.slowest_ns.map(format_time).unwrap_or_default();
            let _ = writeln!(
                t,
                "  {:<72} {:>10} {slowest:>10} {:>8}  {}",
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

    /// The rows of Table II, each with what the paper has for it.
    pub(super) fn cycle_rows(&self) -> Vec<(&'static str, &TimeRow)> {
        let find = |paper, name: &str| self.times.iter().find(|r| r.name == name).map(|r| (paper, r));
        [
            find("12 to 142 us (C)", "levels, random poses"),
            find("12 to 142 us (C)", TEST_ROW),
            find("12 to 142 us (C)", "elbowroom, test, the machine's meshes, random poses"),
            find("4 us (1 kHz target)", "levels, small steps"),
            find("4 us (1 kHz target)", "elbowroom, test, our hand, small steps"),
            find("4 us (1 kHz target)", "elbowroom, test, the machine's meshes, small steps"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Table II: a test of the whole hand.
    pub(super) fn cycle_text(&self) -> String {
        let mut t = String::from("\nTable II: calculation time of a test of the whole hand\n");
        let _ = writeln!(
            t,
            "  {:<54} {:>10} {:>10} {:>10} {:>12}  the paper",
            "", "fastest", "median", "slowest", "of 1 ms"
        );
        let _ = writeln!(
            t,
            "  {:<54} {:>10} {:>10} {:>10} {:>12}  874 us (Matlab M-code)",
            "no counterpart", "", "", "", ""
        );
        for (paper, r) in self.cycle_rows() {
            let cell = |ns: Option<f64>| ns.map(format_time).unwrap_or_default();
            let share = format!("{:.3} %", 1e-4 * r.median_ns);
            let _ = writeln!(
                t,
                "  {:<54} {:>10} {:>10} {:>10} {share:>12}  {paper}",
                r.name,
                cell(r.fastest_ns),
                format_time(r.median_ns),
                cell(r.slowest_ns)
            );
        }
        t += "  The paper's target at 1 kHz: 0.3 % of the processor without the test and 0.7 % with it.\n";
        t
    }

    /// Section I-A: a table of all poses in steps of one degree.
    pub(super) fn all_poses_text(&self) -> String {
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
}
