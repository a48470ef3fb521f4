//! Makes ground of a height field: boxes from a bottom up to the heights.

use super::field::HeightField;
use elbowroom::describe::limits::MAX_COORDINATE;
use elbowroom::describe::{PlacedShape, ShapeDescription};
use elbowroom::fault::Numeral;
use elbowroom::math::{Transform, Vec3};
use std::collections::BTreeMap;

/// What a cell of unknown height counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknown {
    /// As high as the highest cell of the field.
    #[default]
    Occupied,
    /// As if there were no ground.
    Free,
}

/// Where the first row of a field lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstRow {
    /// At the greatest y: as the top of a picture that is seen from above, with x to the right.
    #[default]
    Top,
    /// At the least y: y grows from row to row.
    Bottom,
}

/// How a field becomes ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ground {
    /// Down to where everything below the heights is solid (metres); without it, an edge of a cell below the
    /// lowest height.
    pub bottom: Option<f64>,
    /// What unknown cells count as.
    pub unknown: Unknown,
    /// Where the first row lies.
    pub first_row: FirstRow,
}

/// Cells of one height that make a box.
struct Slab {
    columns: [usize; 2],
    rows: [usize; 2],
    top: f64,
}

impl HeightField {
    /// The ground as boxes, which fill it without a gap. Its frame has z up, x along rows, and its origin at
    /// the corner of least x and y; all cells lie at x and y above zero. The top of a cell is flat. Cells of
    /// one height that fill a rectangle become one box, so a flat field is a single one.
    ///
    /// ```
    /// use elbowroom_files::heights::{Ground, HeightField};
    ///
    /// // A step of 20 cm; the cell in the corner is unknown.
    /// let heights = vec![0.0, 0.2, 0.0, f64::NAN];
    /// let field = HeightField { rows: 2, columns: 2, cell: 0.5, heights };
    /// let boxes = field.ground_boxes(&Ground::default(), 100)?;
    /// // Of the left column, the step, and what is unknown, which counts as high as the step.
    /// assert_eq!(boxes.len(), 2);
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong, in words: the bottom is not below all heights, the ground is too large, or it takes
    /// more boxes than `most`.
    pub fn ground_boxes(&self, ground: &Ground, most: usize) -> Result<Vec<PlacedShape>, String> {
        let known = || self.heights.iter().copied().filter(|height| !height.is_nan());
        let (lowest, highest) =
            (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
        let bottom = ground.bottom.unwrap_or(lowest - self.cell);
        // Nothing is below NaN.
        if !(bottom < lowest) {
            let [bottom, lowest] = [bottom, lowest].map(Numeral);
            return Err(format!("the bottom is at {bottom} m, not below the lowest height, {lowest} m"));
        }
        let longest = self.cell * self.rows.max(self.columns) as f64;
        if !(longest.max(bottom.abs()).max(highest.abs()) <= MAX_COORDINATE) {
            return Err(format!("the ground reaches farther than {MAX_COORDINATE:e} m"));
        }
        let top = |height: f64| match ground.unknown {
            _ if !height.is_nan() => Some(height + 0.0),
            Unknown::Occupied => Some(highest + 0.0),
            Unknown::Free => None,
        };
        let slabs = self.join_slabs(top, most).ok_or(format!("the ground takes more than {most} boxes"))?;
        let boxed = |slab: Slab| {
            let y = |row: usize| match ground.first_row {
                FirstRow::Top => (self.rows - row) as f64 * self.cell,
                FirstRow::Bottom => row as f64 * self.cell,
            };
            let ends =
                [slab.columns.map(|column| column as f64 * self.cell), slab.rows.map(y), [bottom, slab.top]];
            let centre = ends.map(|[a, b]| 0.5 * (a + b));
            PlacedShape {
                name: String::new(),
                shape_in_body: Transform::from_translation(Vec3::from(centre)),
                shape: ShapeDescription::Box { size: ends.map(|[a, b]| (b - a).abs()) },
                padding: 0.0,
            }
        };
        Ok(slabs.into_iter().map(boxed).collect())
    }

    /// Runs of cells of one height in a row, joined with the same runs of the rows behind; `None` if they are
    /// more than `most`.
    fn join_slabs(&self, top: impl Fn(f64) -> Option<f64>, most: usize) -> Option<Vec<Slab>> {
        let mut slabs: Vec<Slab> = Vec::new();
        // The slabs that the last row belongs to, by their columns and height.
        let mut open: BTreeMap<(usize, usize, u64), usize> = BTreeMap::new();
        for (row, heights) in self.heights.chunks(self.columns.max(1)).enumerate() {
            let mut still_open = BTreeMap::new();
            let mut end = 0;
            for run in heights.chunk_by(|a, b| top(*a) == top(*b)) {
                let start = end;
                end += run.len();
                let Some(top) = run.first().and_then(|height| top(*height)) else { continue };
                let key = (start, end, top.to_bits());
                let slab = open.get(&key).copied().unwrap_or(slabs.len());
                match slabs.get_mut(slab) {
                    Some(slab) => slab.rows[1] = row + 1,
                    None if slab == most => return None,
                    None => slabs.push(Slab { columns: [start, end], rows: [row, row + 1], top }),
                }
                still_open.insert(key, slab);
            }
            open = still_open;
        }
        Some(slabs)
    }
}
