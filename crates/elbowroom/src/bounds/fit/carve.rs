//! The room that the triangles of a mesh leave around a point: a convex polytope without any of them in it.
//!
//! Triangles are taken in the order of their distances. One that lies beyond a plane that was chosen before
//! is passed over. Any other gets a plane of its own, with all three corners on it or beyond: across the line
//! to its nearest point, or its own plane, whichever has more of the other triangles beyond it (the second
//! keeps the faces of a convex solid, the first goes around corners that point inward). It is the first half
//! of IRIS (Deits and Tedrake 2015), without growing an ellipsoid. The planes number at most
//! [`CARVE_PLANES`]; where these do not part the point from all triangles there is no polytope.
//!
//! The inside of the polytope is connected and meets no triangle, so all of it is on the side of the surface
//! on which the point is. Where cracks were closed, planes are drawn nearer by the width up to which the side
//! is not known.

use crate::bounds::tolerance::{CARVE_PLANES, GAP_ROUNDING};
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;
use elbowroom_pair::shape::mesh::Mesh;
use elbowroom_pair::shape::triangle::{Triangle, nearest_point, parting_directions};

/// Planes about a point of a closed mesh: unit normals and how far the point is behind each (metres), less
/// all rounding. None if the planes would not suffice.
pub(super) fn carve_planes(mesh: &Mesh, middle: Vec3) -> Vec<(Vec3, f64)> {
    let distance = |t: &Triangle| (nearest_point(t, middle) - middle).norm_squared();
    // In the order of the mesh, so that each plane reads memory once, from front to back.
    let mut rest: Vec<(f64, &Triangle)> = mesh.triangles.iter().map(|t| (distance(t), t)).collect();
    let beyond = Beyond { middle, slack: GAP_ROUNDING * 4.0 * (middle.norm() + mesh.extent) };
    let mut planes: Vec<(Vec3, f64)> = Vec::new();
    while let Some((_, t)) = rest.iter().min_by(|a, b| a.0.total_cmp(&b.0)) {
        if planes.len() == CARVE_PLANES {
            return Vec::new();
        }
        let [own, across] = parting_directions(t, middle);
        let best = [across, own]
            .into_iter()
            .flatten()
            .map(|normal| (normal, triangle_depth(t, middle, normal)))
            .filter(|(_, depth)| *depth > 0.0)
            .map(|plane| (rest.iter().filter(|(_, t)| beyond.is_triangle_beyond(t, plane)).count(), plane))
            .max_by_key(|(count, _)| *count);
        let Some((_, (normal, depth))) = best else { return Vec::new() };
        rest.retain(|(_, t)| !beyond.is_triangle_beyond(t, (normal, depth)));
        planes.push((normal, depth));
    }
    for (_, depth) in &mut planes {
        *depth -= 2.0 * mesh.crack_half_width();
    }
    if planes.iter().all(|(_, depth)| *depth > 0.0) { planes } else { Vec::new() }
}

/// How far a triangle lies beyond a point along a direction (metres), rounded down.
fn triangle_depth(t: &Triangle, middle: Vec3, normal: Vec3) -> f64 {
    let from = |corner: Vec3| {
        let way = corner - middle;
        way.dot(normal) - GAP_ROUNDING * (way.norm() + middle.norm() + corner.norm())
    };
    from(t[0]).min(from(t[1])).min(from(t[2]))
}

/// Whether triangles lie beyond planes about a point.
struct Beyond {
    middle: Vec3,
    /// More than rounding takes off any depth (metres).
    slack: f64,
}

impl Beyond {
    /// Whether a triangle lies beyond a plane: whether its [`triangle_depth`] is at least that of the plane.
    /// NaN does not. Where rounding cannot decide, it needs no lengths.
    fn is_triangle_beyond(&self, t: &Triangle, (normal, depth): (Vec3, f64)) -> bool {
        let [p, q, r] = t.map(|corner| (corner - self.middle).dot(normal));
        let least = p.min(q).min(r);
        if least - self.slack >= depth {
            return true;
        }
        least >= depth && self::triangle_depth(t, self.middle, normal) >= depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use alloc::vec;
    use core::f64::consts::PI;
    use elbowroom_describe::math::{sin_cos, vec3};
    use elbowroom_pair::shape::mesh::inside::contains;

    /// A ball of triangles with dents and bumps.
    fn stone(size: f64, dents: f64, rng: &mut Rng) -> Mesh {
        let (rings, around) = (3 + rng.below(12) as u32, 3 + rng.below(12) as u32);
        let mut vertices = vec![vec3(0.0, 0.0, size), vec3(0.0, 0.0, -size)];
        for ring in 1..=rings {
            let (across, up) = sin_cos(PI * f64::from(ring) / f64::from(rings + 1));
            for k in 0..around {
                let (y, x) = sin_cos(2.0 * PI * f64::from(k) / f64::from(around));
                vertices.push(vec3(across * x, across * y, up) * (size * rng.range(1.0 - dents, 1.0)));
            }
        }
        let at = |ring: u32, k: u32| 2 + ring * around + k % around;
        let mut triangles = Vec::new();
        for k in 0..around {
            triangles.push([0, at(0, k), at(0, k + 1)]);
            triangles.push([1, at(rings - 1, k + 1), at(rings - 1, k)]);
            for ring in 0..rings - 1 {
                triangles.push([at(ring, k), at(ring + 1, k), at(ring + 1, k + 1)]);
                triangles.push([at(ring, k), at(ring + 1, k + 1), at(ring, k + 1)]);
            }
        }
        Mesh::new(&vertices, &triangles).unwrap()
    }

    #[test]
    fn all_that_is_carved_is_inside() {
        let rng = &mut Rng::new(5);
        let (mut carved, mut wide, mut most) = (0, 0, 0);
        for _ in 0..200 {
            let (size, dents) = (rng.decades(-3.0, 3.0), rng.range(0.0, 0.6));
            let mesh = stone(size, dents, rng);
            let middle = rng.point(0.2 * size);
            if contains(&mesh, middle) != Some(true) {
                continue;
            }
            let planes = carve_planes(&mesh, middle);
            if planes.is_empty() {
                continue;
            }
            carved += 1;
            most = most.max(planes.len());
            let nearest = planes.iter().fold(f64::INFINITY, |d, plane| d.min(plane.1));
            for _ in 0..50 {
                let v = rng.direction();
                let extent = planes.iter().fold(f64::INFINITY, |extent, (normal, depth)| {
                    let along = normal.dot(v);
                    if along > 0.0 { extent.min(depth / along) } else { extent }
                });
                wide += usize::from(extent > 1.5 * nearest);
                let share = if rng.chance(0.5) { rng.unit() } else { 1.0 - 1e-9 };
                assert_eq!(contains(&mesh, middle + v * (extent * share)), Some(true));
            }
        }
        assert!(carved > 150 && wide > 1000 && most > 30, "{carved} {wide} {most}");
    }
}
