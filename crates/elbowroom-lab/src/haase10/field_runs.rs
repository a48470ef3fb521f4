//! A proved field of two angles as rectangles of cells that are alike: what Fig. 6 draws.

use elbowroom::motion::{Field, FieldState};

/// Cells of one column that lie above each other and are alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldRun {
    /// From where to where the column goes (degrees of the first angle).
    pub across: [f64; 2],
    /// From where to where the cells go (degrees of the second).
    pub up: [f64; 2],
    /// What is proved of them.
    pub state: FieldState,
}

/// All runs of a field, column by column; none of a field of other than two angles.
pub fn list_runs(field: &Field) -> Vec<FieldRun> {
    let [across, up] = field.joints() else { return Vec::new() };
    let mut runs = Vec::new();
    for i in 0..across.cells {
        let states: Vec<FieldState> = (0..up.cells).map(|j| field.cell_state([i, j, 0])).collect();
        let mut first = 0;
        for alike in states.chunk_by(|a, b| a == b) {
            let end = first + alike.len() as u32;
            runs.push(FieldRun {
                across: across.range_of_cells(i, i + 1).map(f64::to_degrees),
                up: up.range_of_cells(first, end).map(f64::to_degrees),
                state: alike[0],
            });
            first = end;
        }
    }
    runs
}

/// A state in a word.
pub fn state_word(state: FieldState) -> &'static str {
    match state {
        FieldState::Free => "free",
        FieldState::Overlap => "colliding",
        FieldState::Open => "undecided",
    }
}
