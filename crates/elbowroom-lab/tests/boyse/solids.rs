//! Random polyhedra, as the engine's descriptions and as Boyse's.

use crate::support::rng::Rng;
use crate::support::star::star_mesh;
use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Mat3, Vec3};
use elbowroom::pair::shape::hull::Hull;
use elbowroom_lab::boyse::Polyhedron;

/// A solid twice: as the engine's description and as Boyse's polyhedron.
#[derive(Clone, Debug)]
pub struct Solid {
    pub shape: ShapeDescription,
    pub faces: Polyhedron,
    pub convex: bool,
}

/// The hull of points.
pub fn hull(points: &[Vec3]) -> Solid {
    let faces = Polyhedron::of_hull(&Hull::from_points(points).unwrap()).unwrap();
    let vertices = points.iter().map(|p| p.to_array()).collect();
    Solid { shape: ShapeDescription::Convex { vertices }, faces, convex: true }
}

/// Triangles.
pub fn mesh(corners: &[Vec3], triangles: &[[u32; 3]]) -> Solid {
    let faces = Polyhedron::new(corners, triangles).unwrap();
    let vertices = corners.iter().map(|p| p.to_array()).collect();
    Solid { shape: ShapeDescription::Mesh { vertices, triangles: triangles.to_vec() }, faces, convex: false }
}

/// A box around the origin.
pub fn block(size: [f64; 3]) -> Solid {
    let half: Vec3 = size.map(|s| s / 2.0).into();
    let faces = Polyhedron::from_box(-half, half).unwrap();
    Solid { shape: ShapeDescription::Box { size }, faces, convex: true }
}

/// A rotation: none, quarter turns, or any.
pub fn random_turn(rng: &mut Rng) -> Mat3 {
    let quarter = std::f64::consts::FRAC_PI_2;
    match rng.below(4) {
        0 => Mat3::IDENTITY,
        1 => Mat3::from_rpy(0.0, 0.0, quarter * rng.below(4) as f64),
        _ => Mat3::from_axis_angle(rng.direction(), rng.range(-3.0, 3.0)),
    }
}

/// A hull of points, a box, a star of an octahedron or of a cut sphere, an L.
pub fn random_solid(rng: &mut Rng, tenths: bool) -> Solid {
    let size = |rng: &mut Rng| if tenths { 0.2 * (1 + rng.below(4)) as f64 } else { rng.range(0.1, 0.8) };
    match rng.below(5) {
        0 => {
            let count = 4 + rng.below(20);
            let points: Vec<Vec3> = (0..count).map(|_| rng.direction() * rng.range(0.2, 0.5)).collect();
            hull(&points)
        }
        1 | 2 => block([size(rng), size(rng), size(rng)]),
        3 => star(rng),
        _ => {
            let bent = crate::support::bent::bent(size(rng) / 2.0);
            let ShapeDescription::Mesh { vertices, triangles } = bent else { unreachable!() };
            let corners: Vec<Vec3> = vertices.into_iter().map(Vec3::from).collect();
            mesh(&corners, &triangles)
        }
    }
}

/// A sphere of rings and sectors whose corners are at random distances from the middle: seen from there, no
/// face is behind another.
fn star(rng: &mut Rng) -> Solid {
    let (rings, sectors) = (2 + rng.below(4) as u32, 3 + rng.below(6) as u32);
    let (corners, triangles) = star_mesh(rings, sectors, |_| rng.range(0.15, 0.5));
    mesh(&corners, &triangles)
}
