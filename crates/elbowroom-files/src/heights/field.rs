//! A height field, and one in the making.

use crate::fault::Log;
use crate::limits;
use elbowroom::fault::Numeral;
use std::path::Path;

/// What the values of a file stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Raster {
    /// Edge of a cell (metres).
    pub cell: f64,
    /// Metres that a unit of the file stands for: 1 for an array in metres, 0.001 for a picture in
    /// millimetres. It is negative where the file counts downward, as a depth camera above a table does.
    pub scale: f64,
    /// The value of pixels whose height is unknown, such as the 0 of depth cameras. Arrays have NaN there.
    pub unknown: Option<u16>,
}

/// A height for each cell of a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeightField {
    /// Rows, from the first in the file.
    pub rows: usize,
    /// Columns, from the first in a row.
    pub columns: usize,
    /// Edge of a cell (metres).
    pub cell: f64,
    /// Heights (metres), row by row: that of a cell is at `row * columns + column`. NaN is unknown.
    pub heights: Vec<f64>,
}

/// A field in the making.
pub(super) struct GrowingField<'a> {
    raster: &'a Raster,
    columns: usize,
    heights: Vec<f64>,
    unknown: usize,
    faults: usize,
}

impl<'a> GrowingField<'a> {
    /// `columns` is not zero.
    pub fn new(raster: &'a Raster, columns: usize) -> GrowingField<'a> {
        GrowingField { raster, columns, heights: Vec::new(), unknown: 0, faults: 0 }
    }

    /// Takes the next value of the file; NaN is unknown.
    pub fn add(&mut self, path: &Path, value: f64, log: &mut Log) {
        let height = value * self.raster.scale;
        self.unknown += usize::from(value.is_nan());
        if height.is_infinite() {
            self.faults += 1;
            if !self.is_hopeless() {
                let (row, column) = (self.heights.len() / self.columns, self.heights.len() % self.columns);
                let what = format!("{} is not a height", Numeral(value));
                let place = format!("row {row}, column {column} (from 0)");
                log.add_fault(path, place, what, "correct it; NaN stands for what is unknown");
            }
        }
        self.heights.push(height);
    }

    /// True once no more faults are listed.
    pub fn is_hopeless(&self) -> bool {
        self.faults > limits::SENSOR_FAULTS
    }

    /// The field, which has whole rows.
    pub fn finish(self, path: &Path, help: &str, log: &mut Log) -> Option<HeightField> {
        let GrowingField { raster, columns, heights, unknown, .. } = self;
        if unknown == heights.len() {
            let what = format!("none of its {unknown} heights is known");
            log.add_fault(path, "", what, "give a field with heights");
            return None;
        }
        if unknown > 0 {
            let verb = if unknown == 1 { "is" } else { "are" };
            log.add_warning(path, "", format!("{unknown} of {} heights {verb} unknown", heights.len()), help);
        }
        Some(HeightField { rows: heights.len() / columns, columns, cell: raster.cell, heights })
    }
}
