//! The surfaces of shapes as triangles, for pictures only: flat faces as they are, round ones as many flat
//! ones.

use elbowroom::math::{Vec3, sin_cos, vec3};
use elbowroom::pair::Shape;
use elbowroom::pair::shape::Core;
use elbowroom::pair::shape::hull::Hull;
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, PI};

/// Three corners (metres).
pub type Triangle = [Vec3; 3];

/// How finely shapes are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// Flat faces around something round.
    pub round: usize,
    /// Meshes as their convex hulls.
    pub hulls: bool,
}

/// The surface of a shape in its frame. Rounded by its radius where it is a point or a segment; everything
/// else that has a radius (padding) grows with sharp corners.
pub fn surface(shape: &Shape, detail: Detail) -> Vec<Triangle> {
    let n = detail.round;
    let sharp = match shape.core() {
        Core::Point => return lathe(&ball(shape.radius(), 0.0, n), n),
        Core::Segment { half_length } => return lathe(&ball(shape.radius(), *half_length, n), n),
        Core::Box { half } => cuboid(*half),
        Core::Cylinder { radius, half_length: h } => {
            lathe(&[[0.0, *h], [*radius, *h], [*radius, -h], [0.0, -h]], n)
        }
        Core::Cone { radius, half_length: h } => lathe(&[[0.0, *h], [*radius, -h], [0.0, -h]], n),
        Core::Ellipsoid { radii } => {
            let unit = lathe(&ball(1.0, 0.0, n), n);
            unit.into_iter().map(|t| t.map(|p| p.scaled(*radii))).collect()
        }
        Core::Hull(hull) => of_hull(hull),
        Core::Mesh { hull, .. } if detail.hulls => of_hull(hull),
        Core::Mesh { mesh, .. } => {
            (0..mesh.triangle_count() as u32).filter_map(|i| mesh.triangle(i).copied()).collect()
        }
    };
    if shape.radius() > 0.0 { grown(&sharp, shape.radius()) } else { sharp }
}

/// How many triangles [`surface`] makes, about.
pub fn count(shape: &Shape, detail: Detail) -> usize {
    match shape.core() {
        Core::Mesh { mesh, .. } if !detail.hulls => mesh.triangle_count(),
        Core::Mesh { hull, .. } => hull.faces().len(),
        Core::Hull(hull) => hull.faces().len(),
        Core::Box { .. } => 12,
        Core::Cylinder { .. } | Core::Cone { .. } => 4 * detail.round,
        Core::Point | Core::Segment { .. } | Core::Ellipsoid { .. } => detail.round * detail.round,
    }
}

fn of_hull(hull: &Hull) -> Vec<Triangle> {
    hull.faces().map(|face| face.map(|v| hull.vertex(v as usize))).collect()
}

/// Radius and height of points from the top of a ball to its bottom, its halves drawn apart.
fn ball(radius: f64, half_length: f64, round: usize) -> Vec<[f64; 2]> {
    let steps = (round / 4).max(2);
    let quarter = |from: f64, shift: f64| {
        (0..=steps).map(move |k| {
            let (sin, cos) = sin_cos(from + FRAC_PI_2 * k as f64 / steps as f64);
            [radius * sin.max(0.0), radius * cos + shift]
        })
    };
    let mut points: Vec<[f64; 2]> = quarter(0.0, half_length).collect();
    points.extend(quarter(FRAC_PI_2, -half_length).skip(usize::from(half_length == 0.0)));
    // The sine of pi is a little more than nothing.
    if let Some(last) = points.last_mut() {
        last[0] = 0.0;
    }
    points
}

/// A profile of radii and heights, turned around z.
fn lathe(profile: &[[f64; 2]], round: usize) -> Vec<Triangle> {
    let ring: Vec<(f64, f64)> =
        (0..=round).map(|k| sin_cos(2.0 * PI * (k % round) as f64 / round as f64)).collect();
    let mut triangles = Vec::with_capacity(2 * round * profile.len());
    for ends in profile.windows(2) {
        let [top, bottom] = [ends[0], ends[1]];
        for sides in ring.windows(2) {
            let at = |[r, z]: [f64; 2], (sin, cos): (f64, f64)| vec3(r * cos, r * sin, z);
            let [a, b] = [at(top, sides[0]), at(top, sides[1])];
            let [c, d] = [at(bottom, sides[0]), at(bottom, sides[1])];
            if top[0] > 0.0 {
                triangles.push([a, c, b]);
            }
            if bottom[0] > 0.0 {
                triangles.push([b, c, d]);
            }
        }
    }
    triangles
}

fn cuboid(half: Vec3) -> Vec<Triangle> {
    let corner = |i: usize| {
        let side = |bit: usize, h: f64| if i >> bit & 1 == 0 { -h } else { h };
        vec3(side(0, half.x), side(1, half.y), side(2, half.z))
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).map(|t| t.map(corner)).collect()
}

/// Each corner is moved so that the faces around it move outward by a length.
fn grown(triangles: &[Triangle], by: f64) -> Vec<Triangle> {
    let key = |p: Vec3| p.to_array().map(|x| (x + 0.0).to_bits());
    let mut around: BTreeMap<[u64; 3], Vec<Vec3>> = BTreeMap::new();
    for [a, b, c] in triangles {
        let Some(normal) = (*b - *a).cross(*c - *a).normalized() else { continue };
        for corner in [a, b, c] {
            let known = around.entry(key(*corner)).or_default();
            if known.iter().all(|n| n.dot(normal) < 0.999) {
                known.push(normal);
            }
        }
    }
    let moved = |p: Vec3| p + around.get(&key(p)).map_or(Vec3::ZERO, |normals| outward(normals, by));
    triangles.iter().map(|t| t.map(moved)).collect()
}

/// The shortest step by which faces with such normals move outward by a length, as nearly as one step can
/// (least squares).
fn outward(normals: &[Vec3], by: f64) -> Vec3 {
    // Faces that all look one way say nothing about other directions. So little is added that the step stays
    // along theirs.
    let mut columns = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis * 1e-4);
    let mut wanted = Vec3::ZERO;
    for n in normals {
        columns = [columns[0] + *n * n.x, columns[1] + *n * n.y, columns[2] + *n * n.z];
        wanted += *n * by;
    }
    let [a, b, c] = columns;
    let volume = a.dot(b.cross(c));
    let step = vec3(wanted.dot(b.cross(c)), a.dot(wanted.cross(c)), a.dot(b.cross(wanted))) * (1.0 / volume);
    // At a needle's tip it would be far: no farther than four times the length.
    if step.norm() > 4.0 * by { step * (4.0 * by / step.norm()) } else { step }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::describe::ShapeDescription;

    fn shape(description: ShapeDescription, padding: f64) -> Shape {
        Shape::new(&description, padding).unwrap()
    }

    /// Six times the volume inside, if the surface closes and looks outward.
    fn volume(triangles: &[Triangle]) -> f64 {
        triangles.iter().map(|[a, b, c]| a.dot(b.cross(*c))).sum::<f64>() / 6.0
    }

    #[test]
    fn surfaces_close_and_have_their_volume() {
        let size = [2.0, 1.0, 0.5];
        let cases = [
            (shape(ShapeDescription::Sphere { radius: 2.0 }, 0.0), 4.0 / 3.0 * PI * 8.0),
            (shape(ShapeDescription::Capsule { radius: 1.0, length: 3.0 }, 0.0), PI * 3.0 + 4.0 / 3.0 * PI),
            (shape(ShapeDescription::Box { size }, 0.0), 1.0),
            // Padding grows it on every side.
            (shape(ShapeDescription::Box { size }, 0.25), 2.5 * 1.5 * 1.0),
            (shape(ShapeDescription::Cylinder { radius: 1.0, length: 1.0 }, 0.0), PI),
            (shape(ShapeDescription::Cylinder { radius: 1.0, length: 1.0 }, 0.5), PI * 2.25 * 2.0),
            (shape(ShapeDescription::Cone { radius: 1.0, length: 3.0 }, 0.0), PI),
            (shape(ShapeDescription::Ellipsoid { radii: [1.0, 0.5, 0.25] }, 0.0), 4.0 / 3.0 * PI * 0.125),
        ];
        let detail = Detail { round: 96, hulls: false };
        for (shape, truth) in cases {
            let triangles = surface(&shape, detail);
            let found = volume(&triangles);
            assert!((found / truth - 1.0).abs() < 0.01, "{shape:?}: {found} {truth}");
            assert!(triangles.len() <= count(&shape, detail).max(12), "{shape:?}: {}", triangles.len());
        }
    }

    #[test]
    fn a_mesh_is_its_triangles_or_its_hull() {
        // A box with a notch: the hull fills it.
        let corners: Vec<Vec3> = cuboid(vec3(1.0, 1.0, 1.0)).concat();
        let dent = vec3(0.0, 0.0, 0.5);
        let vertices = [&corners[..], &[dent]].concat();
        let vertices: Vec<[f64; 3]> = vertices.into_iter().map(Vec3::to_array).collect();
        let mut triangles: Vec<[u32; 3]> = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        triangles[11][2] = 36;
        let shape = shape(ShapeDescription::Mesh { vertices, triangles }, 0.0);
        assert_eq!(surface(&shape, Detail { round: 8, hulls: false }).len(), 12);
        assert!((volume(&surface(&shape, Detail { round: 8, hulls: true })) - 8.0).abs() < 1e-9);
    }
}
