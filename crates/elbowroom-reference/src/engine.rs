//! The truth, asked in the engine's words: descriptions of shapes and poses are copied over. Nothing of it is
//! found by the engine.
//!
//! Tests of the engine's units take this file by `#[path]`: they have an engine of their own, whose types are
//! not those that this crate links.
#![allow(dead_code)]

use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Transform, Vec3};
use elbowroom_reference::{Shape, Solid, Truth, math};

/// The engine's vector as the reference's.
pub fn vector(v: Vec3) -> math::Vec3 {
    math::vec3(v.x, v.y, v.z)
}

/// The reference's vector as the engine's.
pub fn back(v: math::Vec3) -> Vec3 {
    v.to_array().into()
}

/// The engine's transform as the reference's.
pub fn transform(t: &Transform) -> math::Transform {
    let rotation = math::Mat3 { cols: t.rotation.cols.map(vector) };
    math::Transform { rotation, translation: vector(t.translation) }
}

/// The engine's description as the reference's shape.
pub fn shape(description: &ShapeDescription) -> Shape {
    match description.clone() {
        ShapeDescription::Sphere { radius } => Shape::Sphere { radius },
        ShapeDescription::Box { size } => Shape::Box { size },
        ShapeDescription::Capsule { radius, length } => Shape::Capsule { radius, length },
        ShapeDescription::Cylinder { radius, length } => Shape::Cylinder { radius, length },
        ShapeDescription::Cone { radius, length } => Shape::Cone { radius, length },
        ShapeDescription::Ellipsoid { radii } => Shape::Ellipsoid { radii },
        ShapeDescription::Convex { vertices } => Shape::Convex { vertices },
        ShapeDescription::Mesh { vertices, triangles } => Shape::Mesh { vertices, triangles },
    }
}

/// [`elbowroom_reference::prepare`] of a description.
pub fn prepare(description: &ShapeDescription, padding: f64) -> Option<Solid> {
    elbowroom_reference::prepare_shape(&shape(description), padding)
}

/// [`elbowroom_reference::truth`] of descriptions.
pub fn truth(
    a: &ShapeDescription,
    padding_a: f64,
    b: &ShapeDescription,
    padding_b: f64,
    b_in_a: &Transform,
) -> Option<Truth> {
    elbowroom_reference::shape_distance(&shape(a), padding_a, &shape(b), padding_b, &transform(b_in_a))
}

/// [`elbowroom_reference::truth_of`] solids in the engine's pose.
pub fn truth_of(a: &Solid, b: &Solid, b_in_a: &Transform) -> Truth {
    elbowroom_reference::truth_of(a, b, &transform(b_in_a))
}

/// [`elbowroom_reference::convex`] of solids in the engine's pose.
pub fn convex(a: &Solid, b: &Solid, b_in_a: &Transform) -> Truth {
    elbowroom_reference::convex_distance(a, b, &transform(b_in_a))
}
