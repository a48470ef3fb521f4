//! How large a body is: the extents of its shapes along the axes of its frame, as its file declares them.

use elbowroom::describe::{PlacedShape, ShapeDescription};
use elbowroom::math::Vec3;

/// The extents of shapes together (metres), without padding; `None` if there are none.
pub fn shape_extents(shapes: &[PlacedShape]) -> Option<[f64; 3]> {
    let farthest = |way: Vec3| shapes.iter().map(|placed| reach_along(placed, way)).reduce(f64::max);
    let along = |axis: Vec3| Some(farthest(axis)? + farthest(-axis)?);
    Some([along(Vec3::X)?, along(Vec3::Y)?, along(Vec3::Z)?])
}

/// How far a shape reaches along a unit direction in its body's frame.
fn reach_along(placed: &PlacedShape, way: Vec3) -> f64 {
    let at = &placed.shape_in_body;
    let d = at.rotation.transpose_mul(way);
    // Of what is round about z: across it, and along it.
    let (across, along) = (d.x.hypot(d.y), d.z);
    let farthest =
        |points: &[[f64; 3]]| points.iter().map(|p| Vec3::from(*p).dot(d)).fold(f64::NEG_INFINITY, f64::max);
    let own = match &placed.shape {
        ShapeDescription::Sphere { radius } => *radius,
        ShapeDescription::Box { size: [x, y, z] } => 0.5 * (x * d.x.abs() + y * d.y.abs() + z * d.z.abs()),
        ShapeDescription::Capsule { radius, length } => radius + 0.5 * length * along.abs(),
        ShapeDescription::Cylinder { radius, length } => radius * across + 0.5 * length * along.abs(),
        ShapeDescription::Cone { radius, length } => {
            (0.5 * length * along).max(radius * across - 0.5 * length * along)
        }
        ShapeDescription::Ellipsoid { radii: [a, b, c] } => {
            Vec3 { x: a * d.x, y: b * d.y, z: c * d.z }.norm()
        }
        ShapeDescription::Convex { vertices } | ShapeDescription::Mesh { vertices, .. } => farthest(vertices),
    };
    at.translation.dot(way) + own
}

/// Extents in words, in metres: `0.1200 x 0.1000 x 0.3000`; nothing where there is nothing.
pub fn extents_in_words(extents: Option<[f64; 3]>) -> String {
    let Some(extents) = extents else { return String::new() };
    let [x, y, z] = extents.map(|extent| format!("{extent:.4}"));
    format!("{x} x {y} x {z}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::math::{Mat3, Transform, vec3};

    #[test]
    fn extents_are_those_of_the_shapes_where_they_are() {
        // A quarter turn about x: z becomes y.
        let lying = Mat3::from_rows([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]);
        let put = |shape, rotation| PlacedShape {
            name: String::new(),
            shape_in_body: Transform { rotation, translation: vec3(5.0, 0.0, 0.0) },
            shape,
            padding: 0.5,
        };
        let cases = [
            (ShapeDescription::Sphere { radius: 0.5 }, [1.0, 1.0, 1.0]),
            (ShapeDescription::Box { size: [1.0, 2.0, 3.0] }, [1.0, 3.0, 2.0]),
            (ShapeDescription::Capsule { radius: 0.5, length: 2.0 }, [1.0, 3.0, 1.0]),
            (ShapeDescription::Cylinder { radius: 0.5, length: 2.0 }, [1.0, 2.0, 1.0]),
            (ShapeDescription::Cone { radius: 0.5, length: 2.0 }, [1.0, 2.0, 1.0]),
            (ShapeDescription::Ellipsoid { radii: [1.0, 2.0, 3.0] }, [2.0, 6.0, 4.0]),
            (ShapeDescription::Convex { vertices: vec![[0.0; 3], [1.0, 2.0, 3.0]] }, [1.0, 3.0, 2.0]),
        ];
        for (shape, wanted) in cases {
            let found = shape_extents(&[put(shape.clone(), lying)]).unwrap();
            let near = found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-12);
            assert!(near, "{shape:?} {found:?}");
        }
        // Of several all together.
        let two = [
            put(ShapeDescription::Sphere { radius: 0.5 }, lying),
            PlacedShape {
                shape_in_body: Transform::IDENTITY,
                ..put(ShapeDescription::Sphere { radius: 1.0 }, lying)
            },
        ];
        assert_eq!((shape_extents(&two), shape_extents(&[])), (Some([6.5, 2.0, 2.0]), None));
        assert_eq!(extents_in_words(Some([0.12, 0.1, 0.3])), "0.1200 x 0.1000 x 0.3000");
        assert_eq!(extents_in_words(Some([120.4, 0.012, 1.0])), "120.4000 x 0.0120 x 1.0000");
        assert_eq!(extents_in_words(None), "");
    }
}
