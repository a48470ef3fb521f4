//! A field as a table: a row for each stretch along the first joint that is alike.

use super::axis::FieldAxis;
use crate::out::Sink;
use anyhow::Result;
use elbowroom::motion::{Field, FieldState};
use std::fmt::Write;

/// A stretch of cells along the first axis with one state.
pub struct AlikeStretch {
    /// Its first cell, and the one behind its last.
    pub cells: [u32; 2],
    pub state: FieldState,
}

/// The stretches of a row of cells: `others` are the numbers of its cells along the other axes.
pub fn alike_stretches(field: &Field, axes: &[FieldAxis], others: [u32; 2]) -> Vec<AlikeStretch> {
    let Some(first) = axes.first() else { return Vec::new() };
    let mut cell = [0; Field::MOST_JOINTS];
    for (axis, at) in axes[1..].iter().zip(others) {
        cell[axis.place] = at;
    }
    let mut stretches: Vec<AlikeStretch> = Vec::new();
    for at in 0..first.joint.cells {
        cell[first.place] = at;
        let state = field.cell_state(cell);
        match stretches.last_mut() {
            Some(last) if last.state == state => last.cells[1] = at + 1,
            _ => stretches.push(AlikeStretch { cells: [at, at + 1], state }),
        }
    }
    stretches
}

/// The word for a state.
pub fn state_word(state: FieldState) -> &'static str {
    match state {
        FieldState::Open => "open",
        FieldState::Free => "free",
        FieldState::Overlap => "overlap",
    }
}

/// Writes the table: the lowest and the highest value of each joint (radians, metres), and the state.
///
/// # Errors
/// It cannot be written.
pub fn write_rows(field: &Field, axes: &[FieldAxis], out: &mut Sink) -> Result<()> {
    let mut text = String::new();
    for axis in axes {
        let name = axis.name.replace(',', " ");
        let _ = write!(text, "{name} from,{name} to,");
    }
    text.push_str("state\n");
    let count = |k: usize| axes.get(k).map_or(1, |axis| axis.joint.cells);
    for z in 0..count(2) {
        for y in 0..count(1) {
            for stretch in alike_stretches(field, axes, [y, z]) {
                let [from, to] = stretch.cells;
                for (axis, [from, to]) in axes.iter().zip([[from, to], [y, y + 1], [z, z + 1]]) {
                    let [low, high] = axis.joint.range_of_cells(from, to);
                    let _ = write!(text, "{low},{high},");
                }
                let _ = writeln!(text, "{}", state_word(stretch.state));
            }
            out.put_text(&text)?;
            text.clear();
        }
    }
    Ok(())
}
