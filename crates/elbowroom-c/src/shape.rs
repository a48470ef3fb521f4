//! Shapes without a world, and the proved distance of two.

use crate::answer::ElbowroomStop;
use crate::border::{CallFault, check_process, enter_call};
use crate::pointers::{borrow_array, borrow_if_given, borrow_place, borrow_value, free_object, give_object};
use crate::pose::ElbowroomPose;
use crate::status::ElbowroomStatus;
use elbowroom::describe::{PlacedShape, ShapeDescription};
use elbowroom::math::Transform;
use elbowroom::pair::{Shape, distance};
use elbowroom::pose::{SpareFault, SpareShape};
use std::sync::OnceLock;

/// A shape in its own frame, compiled once.
///
/// Thread: any, many at once.
#[derive(Debug)]
pub struct ElbowroomShape {
    described: PlacedShape,
    shape: Shape,
    /// The shape for spare places, made when it is first put into one.
    spare: OnceLock<Result<SpareShape, SpareFault>>,
}

impl ElbowroomShape {
    fn new(shape: ShapeDescription, padding: f64) -> Result<ElbowroomShape, CallFault> {
        check_process()?;
        let compiled = Shape::new(&shape, padding)
            .map_err(|fault| CallFault::new(ElbowroomStatus::ShapeRefused, fault))?;
        let shape_in_body = Transform::IDENTITY;
        let described = PlacedShape { name: String::new(), shape_in_body, shape, padding };
        Ok(ElbowroomShape { described, shape: compiled, spare: OnceLock::new() })
    }

    /// The shape for a spare place.
    pub(crate) fn for_place(&self) -> Result<&SpareShape, CallFault> {
        if self.spare.get().is_none() {
            check_process()?;
        }
        let made = self.spare.get_or_init(|| SpareShape::new(&self.described));
        made.as_ref().map_err(|fault| CallFault::new(ElbowroomStatus::ShapeRefused, fault))
    }
}

/// The distance of two shapes. Points and directions are in the world frame (metres).
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElbowroomClearance {
    /// The signed distance is at least this.
    pub lower: f64,
    /// And at most this.
    pub upper: f64,
    /// Whether there are points.
    pub has_points: bool,
    /// Point of the first shape that is nearest, or deepest.
    pub point_a: [f64; 3],
    /// Point of the second shape.
    pub point_b: [f64; 3],
    /// Unit vector along which the first shape escapes from the second.
    pub normal: [f64; 3],
    /// Why the search stopped.
    pub stop: ElbowroomStop,
}

/// Makes a shape and hands it to C. Null is written first, for the case that it fails.
///
/// # Safety
/// The pointer is null or valid for one write.
unsafe fn make_shape(
    shape: *mut *mut ElbowroomShape,
    padding: f64,
    describe: impl FnOnce() -> Result<ShapeDescription, CallFault>,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller of this function guarantees it.
        let place = unsafe { borrow_place(shape, "shape")? };
        place.write(std::ptr::null_mut());
        give_object(place, ElbowroomShape::new(describe()?, padding)?);
        Ok(())
    })
}

/// A ball about the origin. `padding` grows it, as that of all shapes (metres).
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_shape_sphere(
    radius: f64,
    padding: f64,
    shape: *mut *mut ElbowroomShape,
) -> ElbowroomStatus {
    // SAFETY: `shape` is null or valid for one write.
    unsafe { make_shape(shape, padding, || Ok(ShapeDescription::Sphere { radius })) }
}

/// A box about the origin, with its full extents along x, y and z (metres).
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_shape_box(
    x: f64,
    y: f64,
    z: f64,
    padding: f64,
    shape: *mut *mut ElbowroomShape,
) -> ElbowroomStatus {
    // SAFETY: `shape` is null or valid for one write.
    unsafe { make_shape(shape, padding, || Ok(ShapeDescription::Box { size: [x, y, z] })) }
}

/// All points within `radius` of a segment of `length` on z, about the origin (metres).
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_shape_capsule(
    radius: f64,
    length: f64,
    padding: f64,
    shape: *mut *mut ElbowroomShape,
) -> ElbowroomStatus {
    // SAFETY: `shape` is null or valid for one write.
    unsafe { make_shape(shape, padding, || Ok(ShapeDescription::Capsule { radius, length })) }
}

/// A flat-capped cylinder along z, about the origin (metres).
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_shape_cylinder(
    radius: f64,
    length: f64,
    padding: f64,
    shape: *mut *mut ElbowroomShape,
) -> ElbowroomStatus {
    // SAFETY: `shape` is null or valid for one write.
    unsafe { make_shape(shape, padding, || Ok(ShapeDescription::Cylinder { radius, length })) }
}

/// A cone along z: its base at minus half of its length, its apex at half of it (metres).
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_shape_cone(
    radius: f64,
    length: f64,
    padding: f64,
    shape: *mut *mut ElbowroomShape,
) -> ElbowroomStatus {
    // SAFETY: `shape` is null or valid for one write.
    unsafe { make_shape(shape, padding, || Ok(ShapeDescription::Cone { radius, length })) }
}

/// An ellipsoid about the origin, with its half axes along x, y and z (metres).
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_shape_ellipsoid(
    x: f64,
    y: f64,
    z: f64,
    padding: f64,
    shape: *mut *mut ElbowroomShape,
) -> ElbowroomStatus {
    // SAFETY: `shape` is null or valid for one write.
    unsafe { make_shape(shape, padding, || Ok(ShapeDescription::Ellipsoid { radii: [x, y, z] })) }
}

/// The convex hull of points, three numbers each (metres).
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_shape_convex(
    points: *const [f64; 3],
    point_count: usize,
    padding: f64,
    shape: *mut *mut ElbowroomShape,
) -> ElbowroomStatus {
    // SAFETY: the caller promised that a pointer is null or valid. If it is not null, `points` has
    // `point_count` points, `shape` has room for one value.
    unsafe {
        make_shape(shape, padding, || {
            let vertices = borrow_array(points, point_count, "points")?.to_vec();
            Ok(ShapeDescription::Convex { vertices })
        })
    }
}

/// Triangles: a solid if they close, a surface otherwise. Three numbers a corner (metres), three numbers of
/// corners a triangle.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_shape_mesh(
    vertices: *const [f64; 3],
    vertex_count: usize,
    triangles: *const [u32; 3],
    triangle_count: usize,
    padding: f64,
    shape: *mut *mut ElbowroomShape,
) -> ElbowroomStatus {
    // SAFETY: the caller promised that a pointer is null or valid. If it is not null, the arrays have as many
    // values as their counts say, `shape` has room for one value.
    unsafe {
        make_shape(shape, padding, || {
            let vertices = borrow_array(vertices, vertex_count, "vertices")?.to_vec();
            let triangles = borrow_array(triangles, triangle_count, "triangles")?.to_vec();
            Ok(ShapeDescription::Mesh { vertices, triangles })
        })
    }
}

/// Frees a shape; null is fine. Checkers that have it keep it.
///
/// Thread: any, but no other thread may use this pointer any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_shape_free(shape: *mut ElbowroomShape) {
    // SAFETY: the pointer is null, or this library made it and it was not freed.
    unsafe { free_object(shape) }
}

/// The proved signed distance of two shapes at poses in the world. A null pose is the identity.
///
/// Thread: any, many at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_shape_distance(
    a: *const ElbowroomShape,
    a_in_world: *const ElbowroomPose,
    b: *const ElbowroomShape,
    b_in_world: *const ElbowroomPose,
    clearance: *mut ElbowroomClearance,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, the shapes and
        // poses can be read, `clearance` has room for one value.
        let (a, b, poses, place) = unsafe {
            let poses =
                [borrow_if_given(a_in_world, "a_in_world")?, borrow_if_given(b_in_world, "b_in_world")?];
            (borrow_value(a, "a")?, borrow_value(b, "b")?, poses, borrow_place(clearance, "clearance")?)
        };
        let [a_in_world, b_in_world] = poses.map(|pose| pose.map_or(Transform::IDENTITY, Transform::from));
        let found = distance(&a.shape, &a_in_world, &b.shape, &b_in_world)
            .map_err(|fault| CallFault::new(ElbowroomStatus::ShapeRefused, fault))?;
        place.write(ElbowroomClearance {
            lower: found.interval.lower,
            upper: found.interval.upper,
            has_points: found.interval.upper.is_finite(),
            point_a: found.witness_a.to_array(),
            point_b: found.witness_b.to_array(),
            normal: found.normal.to_array(),
            stop: Some(found.stop).into(),
        });
        Ok(())
    })
}
