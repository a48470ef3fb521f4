//! Changes of the cell: bodies are placed, carried, hidden, put in and taken out.

use crate::border::{CallFault, enter_call};
use crate::checker::{ElbowroomChecker, use_checker};
use crate::pointers::{borrow_array, borrow_if_given, borrow_value};
use crate::pose::ElbowroomPose;
use crate::shape::ElbowroomShape;
use crate::status::ElbowroomStatus;
use elbowroom::Checker;
use elbowroom::math::Transform;
use elbowroom::pose::ChangeFault;
use elbowroom::world::BodyId;

impl From<ChangeFault> for CallFault {
    fn from(fault: ChangeFault) -> CallFault {
        CallFault::new(ElbowroomStatus::ChangeRefused, fault)
    }
}

/// Changes the cell. The next motion copies the change.
///
/// # Safety
/// The pointer is null or points to a checker that is not freed.
unsafe fn change_cell(
    checker: *mut ElbowroomChecker,
    change: impl FnOnce(&mut Checker) -> Result<(), ChangeFault>,
) -> Result<(), CallFault> {
    // SAFETY: the caller of this function guarantees it.
    unsafe {
        use_checker(checker, |state| {
            state.edges.note_change();
            Ok(state.checker.lend_mut(change)?)
        })
    }
}

/// Puts a movable body somewhere else (world frame). What it carries moves with it.
///
/// Thread: one at a time for each checker, as for all changes. Other checkers of the world do not see them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_place(
    checker: *mut ElbowroomChecker,
    body: u32,
    body_in_world: *const ElbowroomPose,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: `checker` is null or points to a checker that was not freed;
        // `body_in_world` is null or points to a pose.
        unsafe {
            let pose = Transform::from(borrow_value(body_in_world, "body_in_world")?);
            change_cell(checker, |checker| checker.place(BodyId(body), &pose))
        }
    })
}

/// Attaches a movable body to a carrier, a link or another movable body: from where both are now, or at a
/// pose in the carrier's frame. While it is carried it may touch the carrier, the bodies of `touch`, and what
/// the world file names for it. `body_in_carrier` may be null for where both are, `touch` for no bodies.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_attach(
    checker: *mut ElbowroomChecker,
    body: u32,
    carrier: u32,
    body_in_carrier: *const ElbowroomPose,
    touch: *const u32,
    touch_count: usize,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, the checker was not
        // freed, the pose can be read, `touch` has `touch_count` values.
        unsafe {
            let pose = borrow_if_given(body_in_carrier, "body_in_carrier")?.map(Transform::from);
            let touch = borrow_array(touch, touch_count, "touch")?;
            let (body, carrier) = (BodyId(body), BodyId(carrier));
            use_checker(checker, |state| {
                let named = state.parts.touch.get(&body).into_iter().flatten().copied();
                let touch: Vec<BodyId> = touch.iter().map(|body| BodyId(*body)).chain(named).collect();
                state.edges.note_change();
                state.checker.lend_mut(|checker| match pose {
                    Some(pose) => checker.attach_at(body, carrier, &pose, &touch),
                    None => checker.attach(body, carrier, &touch),
                })?;
                Ok(())
            })
        }
    })
}

/// Lets a carried body go: it rests where it is now.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_detach(
    checker: *mut ElbowroomChecker,
    body: u32,
) -> ElbowroomStatus {
    // SAFETY: `checker` is null or points to a checker that was not freed.
    enter_call(|| unsafe { change_cell(checker, |checker| checker.detach(BodyId(body))) })
}

/// Takes a movable body out of the cell, until elbowroom_checker_show. It keeps its place and its carrier.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_hide(
    checker: *mut ElbowroomChecker,
    body: u32,
) -> ElbowroomStatus {
    // SAFETY: `checker` is null or points to a checker that was not freed.
    enter_call(|| unsafe { change_cell(checker, |checker| checker.hide(BodyId(body))) })
}

/// Ends elbowroom_checker_hide.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_show(
    checker: *mut ElbowroomChecker,
    body: u32,
) -> ElbowroomStatus {
    // SAFETY: `checker` is null or points to a checker that was not freed.
    enter_call(|| unsafe { change_cell(checker, |checker| checker.show(BodyId(body))) })
}

/// Moves a door along its joint to a value (radians or metres).
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_set_door(
    checker: *mut ElbowroomChecker,
    body: u32,
    value: f64,
) -> ElbowroomStatus {
    // SAFETY: `checker` is null or points to a checker that was not freed.
    enter_call(|| unsafe { change_cell(checker, |checker| checker.set_door(BodyId(body), value)) })
}

/// Puts a shape into a spare place of the world (`[[spare]]` of a world file), instead of what was in it.
/// Where the place is, elbowroom_checker_place says. The checker keeps a share of the shape. A mesh must be
/// its own hull.
///
/// Thread: one at a time for each checker; the shape may be used by many at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_insert_obstacle(
    checker: *mut ElbowroomChecker,
    place: u32,
    shape: *const ElbowroomShape,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, the checker and the
        // shape were not freed.
        unsafe {
            let shape = borrow_value(shape, "shape")?.for_place()?;
            change_cell(checker, |checker| checker.insert_obstacle(BodyId(place), shape))
        }
    })
}

/// Takes out what fills a spare place.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_remove_obstacle(
    checker: *mut ElbowroomChecker,
    place: u32,
) -> ElbowroomStatus {
    // SAFETY: `checker` is null or points to a checker that was not freed.
    enter_call(|| unsafe { change_cell(checker, |checker| checker.remove_obstacle(BodyId(place))) })
}

/// Replaces the points of a cloud: three numbers each (metres, world frame). Until a cloud has points,
/// verdicts are unknown.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_update_cloud(
    checker: *mut ElbowroomChecker,
    cloud: u32,
    points: *const [f64; 3],
    point_count: usize,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: `checker` is null or points to a checker that was not freed;
        // `points` is null or valid for `point_count` points.
        unsafe {
            let points = borrow_array(points, point_count, "points")?;
            change_cell(checker, |checker| checker.update_cloud(BodyId(cloud), points))
        }
    })
}

/// Stops checking a pair that the world checks, until elbowroom_checker_check_again.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_allow_contact(
    checker: *mut ElbowroomChecker,
    a: u32,
    b: u32,
) -> ElbowroomStatus {
    // SAFETY: `checker` is null or points to a checker that was not freed.
    enter_call(|| unsafe { change_cell(checker, |checker| checker.allow_contact(BodyId(a), BodyId(b))) })
}

/// Ends elbowroom_checker_allow_contact.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_check_again(
    checker: *mut ElbowroomChecker,
    a: u32,
    b: u32,
) -> ElbowroomStatus {
    // SAFETY: `checker` is null or points to a checker that was not freed.
    enter_call(|| unsafe { change_cell(checker, |checker| checker.check_again(BodyId(a), BodyId(b))) })
}
