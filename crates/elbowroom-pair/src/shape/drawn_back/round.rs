//! Shapes that formulas bound: faces of boxes and ends of cylinders move inwards, and round shapes get a
//! smaller radius.

use super::left::DrawnBack;
use super::soft_part::SoftPart;
use crate::shape::tolerance::PAD_LEFT;
use elbowroom_describe::ShapeDescription;
use elbowroom_describe::fault::PadFault;
use elbowroom_describe::math::{Vec3, sqrt, vec3};

type Drawn = Result<DrawnBack, (usize, PadFault)>;

/// The part whose region holds something, by its number, and its depth (metres).
fn find_part(parts: &[SoftPart], holds: impl Fn(&SoftPart) -> bool) -> Option<(usize, f64)> {
    parts.iter().enumerate().find(|(_, part)| holds(part)).map(|(number, part)| (number, part.depth))
}

/// What is left of an extent from which parts take something, or the fault that nothing is.
fn shorten(extent: f64, taken: &[Option<(usize, f64)>]) -> Result<f64, (usize, PadFault)> {
    let drawn: f64 = taken.iter().flatten().map(|(_, depth)| depth).sum();
    match taken.iter().flatten().next_back() {
        Some((number, _)) if !(extent - drawn >= PAD_LEFT) => {
            Err((*number, PadFault::TooDeep { extent, drawn }))
        }
        _ => Ok(extent - drawn),
    }
}

/// A fault for a part that holds nothing.
fn check_used(
    parts: &[SoftPart],
    used: &[Option<(usize, f64)>],
    fault: PadFault,
) -> Result<(), (usize, PadFault)> {
    let is_used = |number: &usize| used.iter().flatten().any(|(of, _)| of == number);
    match (0..parts.len()).find(|number| !is_used(number)) {
        Some(number) => Err((number, fault)),
        None => Ok(()),
    }
}

/// A box: each face whose four corners lie in a region moves inwards by its depth.
pub(super) fn draw_box(size: [f64; 3], parts: &[SoftPart]) -> Drawn {
    let half = Vec3::from(size) * 0.5;
    let corner = |k: usize| {
        let sign = |bit: usize| if k & bit == 0 { -1.0 } else { 1.0 };
        half.scaled(vec3(sign(1), sign(2), sign(4)))
    };
    let face = |axis: usize, high: usize| {
        let on_face = |k: &usize| (k >> axis & 1) == high;
        find_part(parts, |part| (0..8).filter(on_face).all(|k| part.contains(corner(k))))
    };
    let taken = [0, 1, 2].map(|axis| [face(axis, 0), face(axis, 1)]);
    let (mut left, mut offset) = (size, [0.0; 3]);
    for (axis, taken) in taken.iter().enumerate() {
        left[axis] = shorten(size[axis], taken)?;
        let [low, high] = taken.map(|taken| taken.map_or(0.0, |(_, depth)| depth));
        offset[axis] = 0.5 * (low - high);
    }
    check_used(parts, taken.as_flattened(), PadFault::NoSurface { part: "face" })?;
    Ok(DrawnBack { shape: ShapeDescription::Box { size: left }, offset: offset.into() })
}

/// A cylinder: an end moves inwards if its rim lies in a region; if both do in one, the side is in it too,
/// and gets a smaller radius.
pub(super) fn draw_cylinder(radius: f64, length: f64, parts: &[SoftPart]) -> Drawn {
    let end = |z: f64| {
        find_part(parts, |part| {
            // The extent of the rim along each axis of the region.
            let extents = part.region_axes().map(|axis| radius * sqrt((1.0 - axis.z * axis.z).max(0.0)));
            part.contains_ball(vec3(0.0, 0.0, z), extents.into())
        })
    };
    let ends = [end(-0.5 * length), end(0.5 * length)];
    let side = match ends {
        [Some(low), Some(high)] if low.0 == high.0 => Some(low),
        _ => None,
    };
    let left = shorten(length, &ends)?;
    let thinner = shorten(radius, &[side])?;
    let [low, high] = ends.map(|taken| taken.map_or(0.0, |(_, depth)| depth));
    check_used(parts, &ends, PadFault::NoSurface { part: "end" })?;
    let shape = ShapeDescription::Cylinder { radius: thinner, length: left };
    Ok(DrawnBack { shape, offset: vec3(0.0, 0.0, 0.5 * (low - high)) })
}

/// A sphere: a smaller radius.
pub(super) fn draw_sphere(radius: f64, parts: &[SoftPart]) -> Drawn {
    let whole = find_part(parts, |part| part.contains_ball(Vec3::ZERO, vec3(1.0, 1.0, 1.0) * radius));
    check_used(parts, &[whole], PadFault::NotWhole { kind: "sphere" })?;
    let shape = ShapeDescription::Sphere { radius: shorten(radius, &[whole])? };
    Ok(DrawnBack { shape, offset: Vec3::ZERO })
}

/// A capsule: a smaller radius around the same segment.
pub(super) fn draw_capsule(radius: f64, length: f64, parts: &[SoftPart]) -> Drawn {
    let around = vec3(1.0, 1.0, 1.0) * radius;
    let whole = find_part(parts, |part| {
        [-0.5, 0.5].iter().all(|end| part.contains_ball(vec3(0.0, 0.0, end * length), around))
    });
    check_used(parts, &[whole], PadFault::NotWhole { kind: "capsule" })?;
    let shape = ShapeDescription::Capsule { radius: shorten(radius, &[whole])?, length };
    Ok(DrawnBack { shape, offset: Vec3::ZERO })
}

/// An ellipsoid: smaller half axes. The point in the direction `u` of the unit ball moves by `depth * u`, so
/// by the depth.
pub(super) fn draw_ellipsoid(radii: [f64; 3], parts: &[SoftPart]) -> Drawn {
    let whole = find_part(parts, |part| {
        let extents = part.region_axes().map(|axis| axis.scaled(radii.into()).norm());
        part.contains_ball(Vec3::ZERO, extents.into())
    });
    check_used(parts, &[whole], PadFault::NotWhole { kind: "ellipsoid" })?;
    let mut left = radii;
    for radius in &mut left {
        *radius = shorten(*radius, &[whole])?;
    }
    Ok(DrawnBack { shape: ShapeDescription::Ellipsoid { radii: left }, offset: Vec3::ZERO })
}
