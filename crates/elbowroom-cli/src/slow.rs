//! The slow reference, asked in the engine's words: it has vectors and shapes of its own and knows nothing of
//! the engine's.

use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Transform, Vec3};
use elbowroom_reference::{Shape, Solid, Truth, math};

/// [`elbowroom_reference::prepare`] of a description.
pub fn prepare(description: &ShapeDescription, padding: f64) -> Option<Solid> {
    elbowroom_reference::prepare(&shape(description), padding)
}

/// [`elbowroom_reference::truth_of`] solids in the engine's pose.
pub fn truth_of(a: &Solid, b: &Solid, b_in_a: &Transform) -> Truth {
    let rotation = math::Mat3 { cols: b_in_a.rotation.cols.map(vector) };
    let b_in_a = math::Transform { rotation, translation: vector(b_in_a.translation) };
    elbowroom_reference::truth_of(a, b, &b_in_a)
}

/// The reference's vector as the engine's.
pub fn back(v: math::Vec3) -> Vec3 {
    v.to_array().into()
}

fn vector(v: Vec3) -> math::Vec3 {
    math::vec3(v.x, v.y, v.z)
}

fn shape(description: &ShapeDescription) -> Shape {
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
