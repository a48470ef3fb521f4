//! The paper's figures in kind. Those of stops have degrees on the left and millimetres on the right.

use super::{BaseRow, Haase10Report, TableColumn};
use crate::error::LabError;
use crate::figure::panels::{Drawn, Legend, Marks, Panel, panels_svg};
use crate::figure::{Axes, lines_svg};
use crate::haase10::base_line::PRINTED_LINE;
use crate::haase10::controller::{DELAY, FASTEST};
use crate::haase10::field_runs::{list_runs, state_word};

use crate::haase10::late::{DRIVE_NAMES, FollowedStop, MeasuredStop, arc_at, arc_of};
use crate::haase10::tip::box_count;
use elbowroom::motion::{FieldLine, FieldState};

/// Of the stops every so many is drawn: enough to see how they scatter.
const DRAWN_EVERY: usize = 7;
const BLUE: [u8; 3] = [31, 91, 172];
const ORANGE: [u8; 3] = [214, 106, 20];
const GREEN: [u8; 3] = [34, 139, 76];
const RED: [u8; 3] = [200, 30, 30];
const GREY: [u8; 3] = [150, 150, 150];
const BLACK: [u8; 3] = [0, 0, 0];
/// Of the drives, and of the three courses.
const COLOURS: [[u8; 3]; 3] = [BLUE, ORANGE, GREEN];
/// From where on Fig. 6 is drawn (degrees of both angles): all cells below are free.
const FIELD_FROM: [f64; 2] = [50.0, 20.0];
/// The paper's errors that are left (degrees, mm).
pub(super) const PAPER_LEFT: [f64; 2] = [0.55, 1.17];

/// Labels of the axes.
const SPEED: &str = "speed when the stop was told (degrees per second)";
const DEGREES: &str = "degrees";
const MILLIMETRES: &str = "mm at 155 mm from the joint";

fn lines(name: &str, drawn: Drawn, colour: [u8; 3], points: Vec<(f64, f64)>) -> Marks {
    Marks { name: name.into(), drawn, colour, points }
}

/// Dots of stops, a colour for each drive.
fn dots_by_drive(stops: &[MeasuredStop], place: &dyn Fn(&MeasuredStop) -> (f64, f64)) -> Vec<Marks> {
    let of_drive = |drive: usize| {
        let points = stops.iter().step_by(DRAWN_EVERY).filter(|s| s.drive == drive).map(place).collect();
        lines(DRIVE_NAMES[drive], Drawn::Dots, COLOURS[drive], points)
    };
    (0..DRIVE_NAMES.len()).map(of_drive).collect()
}

fn panel<'a>([x, y]: [&'a str; 2], marks: Vec<Marks>) -> Panel<'a> {
    let ranges = Panel::ranges_of(&marks);
    Panel { axes: Axes { caption: "", x, y }, ranges, marks, legend: Legend::UpperLeft }
}

/// Dashes at a height on both sides of zero.
fn both_sides(name: &str, height: f64) -> [Marks; 2] {
    let fastest = FASTEST.to_degrees();
    let line = |name: &str, y: f64| lines(name, Drawn::Dashes, BLACK, vec![(0.0, y), (fastest, y)]);
    [line(name, height), line("", -height)]
}

impl Haase10Report {
    /// Table I as a figure.
    ///
    /// # Errors
    /// The figure cannot be drawn.
    pub fn draw_figure(&self) -> Result<String, LabError> {
        let line = |value: &dyn Fn(&TableColumn) -> f64| {
            self.table.iter().map(|c| (f64::from(box_count(c.depth)), value(c))).collect::<Vec<_>>()
        };
        let axes = Axes {
            caption: "haase10, Table I: greatest error of the tip's boxes",
            x: "boxes (logarithmic)",
            y: "millimetres (logarithmic)",
        };
        let series = [("the paper", line(&|c| c.paper)), ("measured on our tip", line(&|c| c.measured))];
        lines_svg(&axes, &series)
    }

    /// Fig. 6 and Figs. 8 to 13, with the names of their files.
    pub(super) fn draw_figures(&self) -> Result<Vec<(String, String)>, LabError> {
        let figures = [
            (6, self.draw_field()?),
            (8, self.draw_late()?),
            (9, self.draw_stop_command()?),
            (10, self.draw_courses()?),
            (11, self.draw_emergency_stop()?),
            (12, self.draw_breaking_distance()?),
            (13, self.draw_left_over()?),
        ];
        Ok(figures.map(|(number, svg)| (format!("haase10_fig{number}.svg"), svg)).to_vec())
    }

    fn draw_field(&self) -> Result<String, LabError> {
        let axes = |row: &BaseRow| Axes { caption: row.name, x: "phi_3 (degrees)", y: "phi_4 (degrees)" };
        let draw = |row: &BaseRow| {
            let mut marks: Vec<Marks> = [
                (FieldState::Free, [222, 239, 224]),
                (FieldState::Overlap, [206, 92, 84]),
                (FieldState::Open, [60, 60, 60]),
            ]
            .map(|(state, colour)| {
                let runs = row.field.iter().flat_map(list_runs).filter(|run| run.state == state);
                let in_sight = runs.filter(|run| run.across[1] > FIELD_FROM[0] && run.up[1] > FIELD_FROM[1]);
                let corners = in_sight.flat_map(|run| {
                    let low = (run.across[0].max(FIELD_FROM[0]), run.up[0].max(FIELD_FROM[1]));
                    [low, (run.across[1], run.up[1])]
                });
                lines(state_word(state), Drawn::Rectangles, colour, corners.collect())
            })
            .to_vec();
            // The line is drawn for fields whose collisions lie at larger angles of both joints.
            let fitted = row.fitted.map(|(line, _)| line).filter(|line| line.above == [true, true]);
            let fitted = fitted.map(|line| ("fitted line", Drawn::Line, line));
            for (name, drawn, line) in
                [("the paper's line (5)", Drawn::Dashes, PRINTED_LINE)].into_iter().chain(fitted)
            {
                marks.push(lines(name, drawn, if drawn == Drawn::Line { BLUE } else { BLACK }, trace(&line)));
            }
            let ranges = [[FIELD_FROM[0], 90.0], [FIELD_FROM[1], 90.0]];
            Panel { axes: axes(row), ranges, marks, legend: Legend::LowerLeft }
        };
        let panels: Vec<Panel> = self.base.iter().map(draw).collect();
        panels_svg("haase10, Fig. 6: finger 2 against the palm, proved for every angle of a cell", &panels)
    }

    fn draw_late(&self) -> Result<String, LabError> {
        let panel_of = |y, scale: fn(f64) -> f64| {
            let mut marks = dots_by_drive(&self.late.emergency, &|s| (s.speeds[1], scale(s.moving)));
            let fastest = FASTEST.to_degrees();
            let ends = vec![(0.0, 0.0), (fastest, scale(DELAY * fastest))];
            marks.push(lines("30 ms at this speed (6, 7)", Drawn::Dashes, BLACK, ends));
            panel([SPEED, y], marks)
        };
        panels_svg(
            "haase10, Fig. 8: how far the joint is from its last position, without prediction",
            &[panel_of(DEGREES, |x| x), panel_of(MILLIMETRES, arc_of)],
        )
    }

    /// Degrees by speed, millimetres by the distance to the joint.
    fn draw_divergence(&self, caption: &str, stops: &[MeasuredStop]) -> Result<String, LabError> {
        let degrees = dots_by_drive(stops, &|s| (s.speeds[1], s.rest));
        let millimetres = dots_by_drive(stops, &|s| (s.lever, arc_at(s.rest, s.lever)));
        let panels =
            [panel([SPEED, DEGREES], degrees), panel(["distance to the joint (mm)", "mm"], millimetres)];
        panels_svg(caption, &panels)
    }

    fn draw_stop_command(&self) -> Result<String, LabError> {
        let caption = "haase10, Fig. 9: stop command, from the last position to rest";
        self.draw_divergence(caption, &self.late.command)
    }

    fn draw_emergency_stop(&self) -> Result<String, LabError> {
        let caption = "haase10, Fig. 11: emergency stop, overrun from the last position to rest";
        self.draw_divergence(caption, &self.late.emergency)
    }

    fn draw_courses(&self) -> Result<String, LabError> {
        let panel_of = |y, scale: fn(f64) -> f64| {
            let course = |(stop, colour): (&FollowedStop, [u8; 3])| {
                let points = stop.angles.iter().enumerate().map(|(ms, x)| (ms as f64, scale(*x)));
                let name = format!("{:.0} degrees per second", stop.speed);
                lines(&name, Drawn::Line, colour, points.collect())
            };
            let mut marks: Vec<Marks> = self.late.courses.iter().zip(COLOURS).map(course).collect();
            let end = |place: &dyn Fn(&FollowedStop) -> usize| -> Vec<(f64, f64)> {
                let point = |stop: &FollowedStop| {
                    let ms = place(stop);
                    (ms as f64, scale(stop.angles.get(ms).copied().unwrap_or(0.0)))
                };
                self.late.courses.iter().map(point).collect()
            };
            marks.push(lines(
                "u: farthest behind",
                Drawn::Places,
                BLACK,
                end(&FollowedStop::farthest_behind),
            ));
            marks.push(lines("f: at rest", Drawn::Places, RED, end(&|s| s.angles.len() - 1)));
            panel(["after the stop command was told (ms)", y], marks)
        };
        panels_svg(
            "haase10, Fig. 10: a joint under the stop command, from where it was told",
            &[panel_of(DEGREES, |x| x), panel_of(MILLIMETRES, arc_of)],
        )
    }

    fn draw_breaking_distance(&self) -> Result<String, LabError> {
        let line = &self.late.line;
        let through = |offset: f64, scale: fn(f64) -> f64| {
            let at = |speed: f64| (speed, scale(line.slope * speed + offset.to_degrees()));
            vec![at(0.0), at(FASTEST.to_degrees())]
        };
        let panel_of = |y, scale: fn(f64) -> f64| {
            let mut marks = dots_by_drive(&self.late.emergency, &|s| (s.speeds[1], scale(s.rest)));
            marks.push(lines("line of least squares", Drawn::Line, BLACK, through(line.offset, scale)));
            marks.push(lines("above all stops", Drawn::Dashes, BLACK, through(line.envelope.1, scale)));
            panel([SPEED, y], marks)
        };
        panels_svg(
            "haase10, Fig. 12: breaking distance of the emergency stop, delays included",
            &[panel_of(DEGREES, |x| x), panel_of(MILLIMETRES, arc_of)],
        )
    }

    fn draw_left_over(&self) -> Result<String, LabError> {
        let panel_of = |y, scale: fn(f64) -> f64, paper: f64| {
            let place = |s: &MeasuredStop| (s.speeds[1], scale(s.left));
            let any = self.late.unsteady.iter().step_by(DRAWN_EVERY).map(place).collect();
            let mut marks = vec![lines("any delay up to 30 ms", Drawn::Dots, GREY, any)];
            for mut steady in dots_by_drive(&self.late.emergency, &place) {
                steady.name += ", delay steady to 3 ms";
                marks.push(steady);
            }
            marks.extend(both_sides("the paper's largest", paper));
            panel([SPEED, y], marks)
        };
        let [degrees, millimetres] = PAPER_LEFT;
        panels_svg(
            "haase10, Fig. 13: what prediction and the brake's model leave of the emergency stop's overrun",
            &[panel_of(DEGREES, |x| x, degrees), panel_of(MILLIMETRES, arc_of, millimetres)],
        )
    }
}

/// Where a line parts free from colliding: up along its least `phi_3`, and on to the right.
fn trace(line: &FieldLine) -> Vec<(f64, f64)> {
    let height = |phi_3: f64| (line.slope * phi_3 + line.offset).clamp(FIELD_FROM[1], 90.0);
    // Above 90 degrees of phi_4 there is nothing.
    let enters = if line.slope < 0.0 { (90.0 - line.offset) / line.slope } else { line.from };
    let from = line.from.max(enters).clamp(FIELD_FROM[0], 90.0);
    vec![(from, 90.0), (from, height(from)), (90.0, height(90.0))]
}
