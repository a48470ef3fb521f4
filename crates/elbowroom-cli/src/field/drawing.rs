//! A field as a picture: the first joint across, the second up, and of a third a picture for each of nine of
//! its cells (haase10, Fig. 6, has two joints).

use super::axis::FieldAxis;
use super::rows::alike_stretches;
use crate::page::html::escaped;
use crate::page::ticks::{NUMBERS, Ticks};
use elbowroom::motion::{Field, FieldState};
use std::fmt::Write;

/// Width and height of a picture, and the room for what stands beside it (units of the drawing).
const SIDE: f64 = 360.0;
const BESIDE: f64 = 60.0;
/// Height of a picture of one joint.
const STRIP: f64 = 40.0;
/// Pictures of a field of three joints, and how many lie beside each other.
const SLICES: u32 = 9;
const ACROSS: u32 = 3;
/// Most ticks of an axis.
const TICKS: usize = 7;

/// The picture as a file; `title` names the pair.
pub fn draw_field(field: &Field, axes: &[FieldAxis], title: &str) -> String {
    let slices = axes.get(2).map_or(1, |axis| axis.joint.cells.min(SLICES));
    let height = if axes.len() > 1 { SIDE } else { STRIP };
    let (columns, rows) = (slices.min(ACROSS), slices.div_ceil(ACROSS));
    let size = [f64::from(columns) * (SIDE + BESIDE) + 20.0, f64::from(rows) * (height + BESIDE) + 70.0];
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"14\" y=\"18\" font-size=\"12\">{}</text>\n",
        size[0],
        size[1],
        escaped(title)
    );
    let legend =
        [(FieldState::Free, "free"), (FieldState::Overlap, "overlap"), (FieldState::Open, "not proved")];
    for (k, (state, word)) in legend.into_iter().enumerate() {
        let x = BESIDE + 110.0 * k as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"27\" width=\"11\" height=\"11\" fill=\"{}\" stroke=\"#888\"/><text x=\"{}\" \
             y=\"37\">{word}</text>",
            state_colour(state),
            x + 16.0
        );
    }
    for slice in 0..slices {
        let x = BESIDE + f64::from(slice % ACROSS) * (SIDE + BESIDE);
        let y = 60.0 + f64::from(slice / ACROSS) * (height + BESIDE);
        let cell = axes.get(2).map_or(0, |axis| (2 * slice + 1) * axis.joint.cells / (2 * slices));
        draw_slice(&mut svg, field, axes, cell, [x, y, height]);
    }
    svg.push_str("</svg>\n");
    svg
}

/// One picture, with its left upper corner and its height.
fn draw_slice(svg: &mut String, field: &Field, axes: &[FieldAxis], slice: u32, [x, y, height]: [f64; 3]) {
    let [Some(across), up] = [axes.first(), axes.get(1)] else { return };
    let rows = up.map_or(1, |axis| axis.joint.cells);
    let [wide, tall] = [SIDE / f64::from(across.joint.cells), height / f64::from(rows)];
    if let Some(third) = axes.get(2) {
        let [low, high] = third.joint.range_of_cells(slice, slice + 1).map(|value| third.value_text(value));
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{}\">{}: {low} to {high}</text>",
            y - 6.0,
            escaped(&third.name)
        );
    }
    for state in [FieldState::Overlap, FieldState::Open] {
        // One path for each state: a rectangle for each stretch of cells.
        let mut path = String::new();
        for row in 0..rows {
            let [bottom, top] = [row, row + 1].map(|edge| y + height - f64::from(edge) * tall);
            for run in alike_stretches(field, axes, [row, slice]).iter().filter(|run| run.state == state) {
                let [from, to] = run.cells.map(|cell| x + f64::from(cell) * wide);
                let _ = write!(path, "M{from:.2} {top:.2}H{to:.2}V{bottom:.2}H{from:.2}z");
            }
        }
        if !path.is_empty() {
            let _ = writeln!(
                svg,
                "<path fill=\"{}\" shape-rendering=\"crispEdges\" d=\"{path}\"/>",
                state_colour(state)
            );
        }
    }
    let _ = writeln!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{height}\" fill=\"none\" stroke=\"#333\"/>"
    );
    for (value, label) in axis_ticks(across) {
        let at = x + SIDE * value;
        let _ = writeln!(
            svg,
            "<path stroke=\"#333\" d=\"M{at:.2} {0}v4\"/><text x=\"{at:.2}\" y=\"{1}\" \
             text-anchor=\"middle\">{label}</text>",
            y + height,
            y + height + 16.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{} ({})</text>",
        x + SIDE / 2.0,
        y + height + 31.0,
        escaped(&across.name),
        across.unit
    );
    let Some(up) = up else { return };
    for (value, label) in axis_ticks(up) {
        let at = y + height * (1.0 - value);
        let _ = writeln!(
            svg,
            "<path stroke=\"#333\" d=\"M{x} {at:.2}h-4\"/><text x=\"{}\" y=\"{:.2}\" \
             text-anchor=\"end\">{label}</text>",
            x - 6.0,
            at + 4.0
        );
    }
    let (left, middle) = (x - 42.0, y + height / 2.0);
    let _ = writeln!(
        svg,
        "<text x=\"{left}\" y=\"{middle}\" text-anchor=\"middle\" transform=\"rotate(-90 {left} {middle})\">\
         {} ({})</text>",
        escaped(&up.name),
        up.unit
    );
}

/// Round values of an axis in its unit, as parts of its range, and their labels.
fn axis_ticks(axis: &FieldAxis) -> Vec<(f64, String)> {
    let [low, high] = axis.joint.range.map(|value| value * axis.factor);
    let ticks = Ticks::new(low, high, TICKS, &NUMBERS, false);
    ticks.at.into_iter().map(|(value, label)| ((value - low) / (high - low), label)).collect()
}

fn state_colour(state: FieldState) -> &'static str {
    match state {
        FieldState::Free => "#fff",
        FieldState::Overlap => "#b3362b",
        FieldState::Open => "#c9c9c9",
    }
}
