//! Its tables, its field and its stops as CSV.

use super::Haase10Report;
use crate::haase10::field_runs::{list_runs, state_word};
use crate::haase10::late::DRIVE_NAMES;
use crate::haase10::tip::box_count;
use std::fmt::Write as _;

impl Haase10Report {
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

    /// Table II as CSV.
    pub fn cycle_csv(&self) -> String {
        let mut t = String::from("what,paper,fastest_ns,median_ns,slowest_ns\n");
        for (paper, r) in self.cycle_rows() {
            let [fastest, slowest] = [r.fastest_ns, r.slowest_ns].map(|ns| ns.unwrap_or(r.median_ns));
            let _ = writeln!(t, "\"{}\",\"{paper}\",{fastest:.0},{:.1},{slowest:.0}", r.name, r.median_ns);
        }
        t
    }

    /// Fig. 6 as CSV: cells of a column that are alike, in degrees.
    pub fn field_csv(&self) -> String {
        let mut t = String::from("hand,phi_3_from,phi_3_to,phi_4_from,phi_4_to,state\n");
        for r in &self.base {
            for run in r.field.iter().flat_map(list_runs) {
                let ([left, right], [low, high]) = (run.across, run.up);
                let state = state_word(run.state);
                let _ = writeln!(t, "\"{}\",{left:.4},{right:.4},{low:.4},{high:.4},{state}", r.name);
            }
        }
        t
    }

    /// All stops as CSV: angles in degrees from the last position that was told.
    pub fn stops_csv(&self) -> String {
        let mut t = String::from(
            "stop,delay_ms,drive,peak_deg_s,speed_deg_s,moving_deg,predicted_error_deg,rest_deg,left_deg,\
             lever_mm\n",
        );
        let stops = &self.late;
        let kinds = [
            ("emergency", "27 to 30", &stops.emergency),
            ("emergency", "0 to 30", &stops.unsteady),
            ("command", "27 to 30", &stops.command),
        ];
        for (kind, delay, stops) in kinds {
            for s in stops {
                let (drive, [peak, speed]) = (DRIVE_NAMES[s.drive], s.speeds);
                let _ = writeln!(
                    t,
                    "{kind},{delay},{drive},{peak:.3},{speed:.3},{:.4},{:.4},{:.4},{:.4},{:.1}",
                    s.moving, s.predicted, s.rest, s.left, s.lever
                );
            }
        }
        t
    }

    /// Fig. 10 as CSV.
    pub fn courses_csv(&self) -> String {
        let mut t = String::from("speed_deg_s,after_ms,angle_deg\n");
        for course in &self.late.courses {
            for (ms, angle) in course.angles.iter().enumerate() {
                let _ = writeln!(t, "{:.0},{ms},{angle:.4}", course.speed);
            }
        }
        t
    }
}
