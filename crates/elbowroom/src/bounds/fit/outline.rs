//! Points whose convex hull contains a core: the corners of a polytope, or of a polytope around a round core.

use crate::bounds::tolerance::{OUTLINE_ROUNDING, RIM_CORNERS, SPHERE_RINGS};
use alloc::vec::Vec;
use core::f64::consts::PI;
use elbowroom_describe::math::{Vec3, sin_cos, vec3};
use elbowroom_pair::shape::solid::Core;

/// Points around `core`, and how far (metres) the core may stick out of their hull: by rounding of tiny
/// coordinates only.
pub(super) fn outline_core(core: &Core) -> (Vec<Vec3>, f64) {
    let mut points = Vec::new();
    match *core {
        Core::Point => points.push(Vec3::ZERO),
        Core::Segment { half_length } => {
            points.extend([-half_length, half_length].map(|z| vec3(0.0, 0.0, z)))
        }
        Core::Box { half } => {
            let sign = |i: u32, bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
            points.extend((0..8).map(|i| vec3(sign(i, 0), sign(i, 1), sign(i, 2)).scaled(half)));
        }
        Core::Cylinder { radius, half_length } => {
            add_rim(radius, -half_length, RIM_CORNERS, &mut points);
            add_rim(radius, half_length, RIM_CORNERS, &mut points);
        }
        Core::Cone { radius, half_length } => {
            add_rim(radius, -half_length, RIM_CORNERS, &mut points);
            points.push(vec3(0.0, 0.0, half_length));
        }
        Core::Ellipsoid { radii } => {
            add_sphere(&mut points);
            for p in &mut points {
                *p = p.scaled(radii);
            }
        }
        Core::Hull(ref hull) => return (hull.vertices().collect(), hull.defect()),
        Core::Mesh { ref hull, .. } => return (hull.vertices().collect(), hull.defect()),
    }
    (points, 0.0)
}

/// A polygon around the circle of `radius` at height `z`.
fn add_rim(radius: f64, z: f64, corners: usize, points: &mut Vec<Vec3>) {
    let step = PI / corners as f64;
    let out = radius / sin_cos(step).1 * OUTLINE_ROUNDING;
    points.extend((0..corners).map(|k| {
        let (s, c) = sin_cos((2 * k + 1) as f64 * step);
        vec3(out * c, out * s, z)
    }));
}

/// A polytope around the unit sphere. Its corners lie on rings of latitude. Every direction has a corner
/// within half the distance of two rings and half the distance of two corners on a ring. With corners on the
/// unit sphere, a ball whose radius is the cosine of both would fit inside; the corners are scaled by its
/// inverse.
fn add_sphere(points: &mut Vec<Vec3>) {
    let half = 0.5 * PI / SPHERE_RINGS as f64;
    let out = OUTLINE_ROUNDING / sin_cos(half * core::f64::consts::SQRT_2).1;
    for ring in 0..SPHERE_RINGS {
        let (z, r) = sin_cos((2 * ring + 1) as f64 * half - 0.5 * PI);
        // On the wider edge of its band the corners are no farther apart than the rings.
        let wide = sin_cos(((2 * ring + 1) as f64 * half - 0.5 * PI).abs() - half).1;
        let count = (wide * 2.0 * SPHERE_RINGS as f64) as usize + 1;
        points.extend((0..count).map(|k| {
            let (s, c) = sin_cos((2 * k + 1) as f64 * PI / count as f64);
            vec3(r * c, r * s, z) * out
        }));
    }
}
