//! Shapes that are none are refused, never measured.

use elbowroom_reference::{Shape, prepare_shape};

#[test]
fn nonsense_is_refused() {
    let bad = [
        Shape::Sphere { radius: f64::NAN },
        Shape::Box { size: [1.0, -1.0, 1.0] },
        Shape::Convex { vertices: vec![] },
        Shape::Convex { vertices: vec![[0.0, f64::INFINITY, 0.0]] },
        Shape::Mesh { vertices: vec![[0.0; 3]; 3], triangles: vec![[0, 1, 3]] },
        Shape::Mesh { vertices: vec![[0.0; 3]; 3], triangles: vec![] },
    ];
    for shape in &bad {
        assert!(prepare_shape(shape, 0.0).is_none(), "{shape:?}");
    }
    assert!(prepare_shape(&Shape::Sphere { radius: 1.0 }, -1.0).is_none());
}
