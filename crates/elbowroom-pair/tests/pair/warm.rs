//! A warm start may make a query slower, never wrong: not even the memory of another pair.

use crate::support::ask::intervals_meet;
use elbowroom_pair::Geometry;
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Mat3, Transform, vec3};
use elbowroom_pair::{Query, Scratch, Shape, Warm, clearance};

/// Points on a wavy ball.
fn points(count: usize) -> Vec<[f64; 3]> {
    (0..count)
        .map(|i| {
            let (z, turn) = (1.0 - 2.0 * (i as f64 + 0.5) / count as f64, 2.4 * i as f64);
            let r = (1.0 - z * z).sqrt() * (1.0 + 0.1 * (i % 3) as f64);
            [0.3 * r * libm::cos(turn), 0.3 * r * libm::sin(turn), 0.2 * z]
        })
        .collect()
}

fn shapes() -> Vec<Shape> {
    let notch = ShapeDescription::Mesh {
        vertices: vec![[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5], [0.5, 0.5, 0.4]],
        triangles: vec![[0, 1, 2], [0, 2, 3], [1, 4, 2]],
    };
    let mut all = vec![
        ShapeDescription::Box { size: [0.3, 0.2, 0.1] },
        ShapeDescription::Cylinder { radius: 0.1, length: 0.4 },
        notch,
    ];
    all.extend([4, 8, 30, 200, 3000].map(|n| ShapeDescription::Convex { vertices: points(n) }));
    all.iter().map(|s| Shape::new(s, 0.0).unwrap()).collect()
}

#[test]
fn the_memory_of_another_pair_changes_no_bound() {
    let shapes = shapes();
    let depth = shapes.iter().map(Shape::mesh_depth).max().unwrap();
    let (mut warm, mut scratch, mut kept) = (Warm::default(), Scratch::new(depth), 0);
    for round in 0..40usize {
        let turn = 0.37 * round as f64;
        let (s, c) = (libm::sin(turn), libm::cos(turn));
        let pose = Transform::new(
            Mat3::from_rows([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]),
            vec3(0.9 * c, 0.7 * s, 0.3 - 0.02 * round as f64),
        );
        for (i, a) in shapes.iter().enumerate() {
            // Another partner each time, and every second time the pair swapped.
            let b = &shapes[(i * 3 + round) % shapes.len()];
            let (a, b) = if round % 2 == 0 { (a, b) } else { (b, a) };
            for geometry in [Geometry::Hull, Geometry::Mesh] {
                let query = Query { geometry, ..Query::default() };
                let hot = clearance(a, b, &pose, &query, &mut warm, &mut scratch);
                let cold = clearance(a, b, &pose, &query, &mut Warm::default(), &mut Scratch::new(depth));
                assert!(intervals_meet(&hot.interval, &cold.interval), "{hot:?} {cold:?}");
                kept += usize::from(hot.interval.width() < 1e-9);
            }
        }
    }
    assert!(kept > 300, "{kept} narrow answers");
}
