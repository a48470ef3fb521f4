//! What it says about late positions and stops, for people.

use super::Haase10Report;
use super::figures::PAPER_LEFT;
use crate::haase10::late::{LateRow, arc_of};
use std::fmt::Write as _;

/// An angle, and its way at the finger's length.
fn format_error(degrees: f64) -> String {
    format!("{degrees:.2} ({:.2})", arc_of(degrees))
}

impl Haase10Report {
    pub(super) fn stops_text(&self) -> String {
        let mut t = String::from(
            "\nSection IV-A: the largest errors of simulated stops, up to each speed: degrees (mm at 155 \
             mm)\n",
        );
        let mut line = |cells: [&str; 11]| {
            let [speed, rest @ ..] = cells;
            let _ = write!(t, "  {speed:<5}");
            rest.iter().for_each(|cell| _ = write!(t, " {cell:>13}"));
            t.push('\n');
        };
        let [moving, rest] = ["moving", "at rest"];
        line(["", moving, moving, moving, moving, rest, rest, rest, rest, rest, rest]);
        let told = ["last", "predicted"];
        line(["", told[0], told[1], told[1], told[1], told[0], told[1], told[1], told[1], told[1], "stop"]);
        line([
            "deg/s",
            "position",
            "ramp (8)",
            "sin^2",
            "velocity (10)",
            "position",
            "ramp",
            "sin^2",
            "velocity",
            "0 to 30 ms",
            "command",
        ]);
        line(["", "Fig. 8", "", "", "", "Figs. 11, 12", "Fig. 13", "Fig. 13", "Fig. 13", "", "Figs. 9, 10"]);
        let rows = self.late.rows();
        for r in &rows {
            let mut cells = vec![format!("{:.0}", r.speed), format_error(r.moving)];
            cells.extend(r.predicted.map(format_error));
            cells.push(format_error(r.at_rest));
            cells.extend(r.steady.map(format_error));
            cells.extend([r.unsteady, r.turned_back].map(format_error));
            line(std::array::from_fn(|k| cells[k].as_str()));
        }
        t += &self.largest_text(&rows);
        t + &self.closings_text()
    }

    /// The largest errors beside the paper's, and the line of Fig. 12.
    fn largest_text(&self, rows: &[LateRow]) -> String {
        let most = |of: fn(&LateRow) -> f64| rows.iter().map(of).fold(0.0, f64::max);
        let mut t = String::new();
        let [degrees, millimetres] = PAPER_LEFT;
        let steady: [f64; 3] = std::array::from_fn(|k| rows.iter().map(|r| r.steady[k]).fold(0.0, f64::max));
        let [ramp, sine, velocity] = steady.map(format_error);
        let _ = writeln!(
            t,
            "  Without prediction, while it moves: {} (the paper: 3 (8.11); half a step of the encoder is \
             0.18 more)\n  With prediction and the brake's model, the delay steady to 3 ms: ramp {ramp}, \
             sin^2 {sine}, velocity {velocity};\n  the delay anything up to 30 ms: {} (the paper: {degrees} \
             ({millimetres}); {degrees} degrees are {:.2} mm at 155 mm, and 5.5 ms at 100\n  degrees per \
             second: its delay was steady). A ramp's speed is that of two positions a period apart: a step \
             of\n  the encoder makes it wrong by 10 degrees per second.",
            format_error(most(|r| r.moving)),
            format_error(most(|r| r.unsteady)),
            arc_of(degrees)
        );
        let line = &self.late.line;
        let _ = writeln!(
            t,
            "  Fig. 12: the way to rest is {:.1} ms of the speed and {:.2} degrees, by least squares of {} \
             stops; they lie {:.2} degrees from it\n  (standard deviation), {:.2} at most",
            1e3 * line.slope,
            line.offset.to_degrees(),
            line.residuals.len(),
            line.deviation.to_degrees(),
            line.residuals.iter().map(|r| r.abs().to_degrees()).fold(0.0, f64::max)
        );
        t
    }

    fn closings_text(&self) -> String {
        let mut t = String::from(
            "\nSection IV-A: random closings under the guard, told the delay, the encoder and the emergency \
             stop\n",
        );
        for (name, c) in ["emergency stop", "stop command, which turns back"].iter().zip(&self.closings) {
            let _ = writeln!(
                t,
                "  {name:<32} {} closings, {} would touch: {} touched, {} stopped; {} of {} braked joints \
                 left the positions that the guard proved clear; nearest at rest {:.2} mm",
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
}
