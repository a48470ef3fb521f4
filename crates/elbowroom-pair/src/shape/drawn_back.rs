//! What is left of a body when its soft parts are pressed in as far as they go (source: haase10 section IV-D,
//! which "bares out" the tactile pads of a hand from its geometry).
//!
//! **What.** `G` is the declared shape. A *soft part* is a box, the region, and a depth. The *patch* is what
//! lies wholly in the region of the surface of `G`: whole faces of a box or cylinder, whole triangles of
//! anything else, or a round shape as a whole. The *rigid core* is `G` without all points that are nearer to
//! the patch than the depth. The result `D` contains the core and lies in `G`. So if a body is proved apart
//! from `D`, then whatever it shares with `G` is soft: it presses the pad, by no more than the depth.
//!
//! **Why a body, and not a tolerance on depths.** The depth of an overlap does not say from which side the
//! other body came. A body drawn back on the patch alone does: beside the pad `D` is `G`.
//!
//! **How.** `round` has the shapes that formulas bound. All others are closed surfaces of triangles
//! (`surface`), also the hull of points; their vertices move inwards (`vertices`). The result is a mesh,
//! since a pad drawn back in the middle of a face leaves a dent.
//!
//! **`D` contains the core.** *Faces of a box, ends of a cylinder*: a face moves by the depth, and what lies
//! between is within the depth of the face, straight above, since the sides are perpendicular. *Round shapes*
//! as wholes: each surface point moves by the depth. *Triangles*: let `S(0)` be the surface, and `S(t)` the
//! surface whose vertices have gone the part `t` of their ways. A point of `G` has the winding number one in
//! `S(0)`. While `t` grows, the winding number of a point changes only when `S(t)` passes it. A point that a
//! triangle passes is no farther from where the triangle was than its vertices go. Only two kinds of
//! triangles move. Those of the patch: what they pass is within the depth of the patch, so it is not in the
//! core. Those that *slide*: not in the patch, but their vertices move in their own plane, so they pass
//! nothing but points of this plane. Such a point, if it lies in the core and not in `D`, has a neighbourhood
//! that is lost but for that plane, so it is a limit of points within the depth of the patch; and the core
//! has none of these. So every point of the core keeps the winding number one and lies in `D`, also where
//! `S(1)` should cross itself.
//!
//! **Rounding.** Coordinates are up to a kilometre ([`MAX_PAD_REACH`]); a vertex that slides is within
//! [`PAD_SLIDE`] of the planes of its triangles. [`PAD_SLACK`] around `D`, a tenth of a micrometre, covers
//! both: the caller adds it to the padding of the shape.
//!
//! **`D` lies in `G`** (`proof`), or the pad is refused. Nothing unsafe would come of a `D` that sticks out:
//! it would only collide more often. But it is a sign that the depth is too large for the body.
//!
//! [`MAX_PAD_REACH`]: elbowroom_describe::limits::MAX_PAD_REACH
//! [`PAD_SLIDE`]: crate::shape::tolerance::PAD_SLIDE
//! [`PAD_SLACK`]: crate::shape::tolerance::PAD_SLACK

mod left;
mod proof;
mod round;
mod soft_part;
mod surface;
mod vertices;

use alloc::vec::Vec;
use elbowroom_describe::ShapeDescription;
use elbowroom_describe::fault::PadFault;
use elbowroom_describe::limits::MAX_PAD_REACH;
use elbowroom_describe::math::Vec3;
pub use left::DrawnBack;
pub use soft_part::{SoftPart, check_numbers};
use surface::ClosedSurface;

/// Draws a shape back on its soft parts, whose regions must be apart. The shape must be one that compiles.
///
/// ```
/// use elbowroom_pair::describe::ShapeDescription;
/// use elbowroom_pair::math::{Transform, vec3};
/// use elbowroom_pair::shape::drawn_back::{SoftPart, draw_back};
///
/// // A finger of 20 x 20 x 60 mm with a pad on the face towards +x, 1.3 mm deep.
/// let finger = ShapeDescription::Box { size: [0.02, 0.02, 0.06] };
/// let pad = SoftPart {
///     region_in_shape: Transform::from_translation(vec3(0.01, 0.0, 0.0)),
///     half: vec3(0.002, 0.011, 0.031),
///     depth: 0.0013,
/// };
/// let drawn = draw_back(&finger, &[pad]).expect("the region holds the face");
/// let ShapeDescription::Box { size } = drawn.shape else { panic!("a box stays one") };
/// assert!((size[0] - 0.0187).abs() < 1e-12 && (drawn.offset.x + 0.00065).abs() < 1e-12);
/// ```
///
/// # Errors
/// The first part that cannot be drawn back, by its number, and why.
pub fn draw_back(shape: &ShapeDescription, parts: &[SoftPart]) -> Result<DrawnBack, (usize, PadFault)> {
    for (number, part) in parts.iter().enumerate() {
        check_numbers(part).map_err(|fault| (number, fault))?;
    }
    let reach = largest_coordinate(shape);
    if !(reach <= MAX_PAD_REACH) {
        return Err((0, PadFault::Reach { value: reach }));
    }
    match shape {
        ShapeDescription::Sphere { radius } => round::draw_sphere(*radius, parts),
        ShapeDescription::Box { size } => round::draw_box(*size, parts),
        ShapeDescription::Capsule { radius, length } => round::draw_capsule(*radius, *length, parts),
        ShapeDescription::Cylinder { radius, length } => round::draw_cylinder(*radius, *length, parts),
        ShapeDescription::Cone { .. } => Err((0, PadFault::Kind { kind: "cone" })),
        ShapeDescription::Ellipsoid { radii } => round::draw_ellipsoid(*radii, parts),
        ShapeDescription::Convex { vertices } => {
            let surface = ClosedSurface::of_hull(vertices).map_err(|fault| (0, fault))?;
            draw_surface(&surface, parts)
        }
        ShapeDescription::Mesh { vertices, triangles } => {
            let surface = ClosedSurface::of_mesh(vertices, triangles).map_err(|fault| (0, fault))?;
            draw_surface(&surface, parts)
        }
    }
}

/// The surface with its vertices moved, proved to lie in the declared one.
fn draw_surface(surface: &ClosedSurface, parts: &[SoftPart]) -> Result<DrawnBack, (usize, PadFault)> {
    let moved = vertices::move_vertices(surface, parts)?;
    proof::check_inside(surface, &moved)?;
    let vertices: Vec<[f64; 3]> = moved.points.iter().map(|p| p.to_array()).collect();
    let shape = ShapeDescription::Mesh { vertices, triangles: surface.triangles.clone() };
    Ok(DrawnBack { shape, offset: Vec3::ZERO })
}

/// The largest coordinate of a shape in its frame (metres), or a bound on it.
fn largest_coordinate(shape: &ShapeDescription) -> f64 {
    match shape {
        ShapeDescription::Sphere { radius } => *radius,
        ShapeDescription::Box { size } => 0.5 * Vec3::from(*size).max_abs(),
        ShapeDescription::Capsule { radius, length } => radius + 0.5 * length,
        ShapeDescription::Cylinder { radius, length } | ShapeDescription::Cone { radius, length } => {
            radius.max(0.5 * length)
        }
        ShapeDescription::Ellipsoid { radii } => Vec3::from(*radii).max_abs(),
        ShapeDescription::Convex { vertices } | ShapeDescription::Mesh { vertices, .. } => {
            vertices.iter().fold(0.0, |most, v| Vec3::from(*v).max_abs().max(most))
        }
    }
}
