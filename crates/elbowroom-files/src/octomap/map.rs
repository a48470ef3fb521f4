//! A map as its file has it.

use elbowroom::describe::{PlacedShape, ShapeDescription};
use elbowroom::math::{Transform, Vec3};

/// A cube that is occupied, or free, as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Its centre (metres).
    pub centre: [f64; 3],
    /// Length of its edges (metres), which are parallel to the axes: the resolution, times a power of two.
    pub edge: f64,
}

impl Cell {
    /// The cell as a shape of an obstacle, whose frame is that of the map.
    pub fn placed_box(&self) -> PlacedShape {
        PlacedShape {
            name: String::new(),
            shape_in_body: Transform::from_translation(Vec3::from(self.centre)),
            shape: ShapeDescription::Box { size: [self.edge; 3] },
            padding: 0.0,
        }
    }
}

/// The cells of a map. They do not overlap, and are in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OctoMap {
    /// Edge of the smallest cells that there can be (metres).
    pub resolution: f64,
    /// Cells that are occupied: with a probability of at least one half, as OctoMap decides it.
    pub occupied: Vec<Cell>,
    /// Cells that are free. Space in neither list is unknown.
    pub free: Vec<Cell>,
}
