//! Shapes that fill spare places.

use crate::errors::engine_error;
use crate::shape::read_placed_shape;
use elbowroom::Checker;
use elbowroom::describe::{PlacedShape, ShapeDescription};
use elbowroom::math::Transform;
use elbowroom::pose::{ChangeFault, SpareShape};
use elbowroom::world::BodyId;
use pyo3::prelude::*;

/// A shape that fills a spare place, and what it is made from. `hull`: the hull of a mesh fills it.
pub fn spare_shape(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    hull: bool,
) -> PyResult<(SpareShape, PlacedShape)> {
    let mut placed = read_placed_shape(shape)?;
    let make = if hull { SpareShape::hull_of } else { SpareShape::new };
    let spare = py.detach(|| make(&placed)).map_err(|fault| engine_error(py, fault.to_string()))?;
    placed.shape = match placed.shape {
        ShapeDescription::Mesh { vertices, .. } => ShapeDescription::Convex { vertices },
        other => other,
    };
    Ok((spare, placed))
}

/// Fills a spare place, and moves it if a pose is given. If the pose is refused, the place stays as it was.
pub fn fill_place(
    checker: &mut Checker,
    place: BodyId,
    spare: &SpareShape,
    at: Option<&Transform>,
) -> Result<(), ChangeFault> {
    let before = checker.inserted_obstacle(place).cloned();
    checker.insert_obstacle(place, spare)?;
    let moved = at.map_or(Ok(()), |at| checker.place(place, at));
    if moved.is_err() {
        match before {
            Some(before) => checker.insert_obstacle(place, &before)?,
            None => checker.remove_obstacle(place)?,
        }
    }
    moved
}
