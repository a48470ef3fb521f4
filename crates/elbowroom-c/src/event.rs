//! Events of the cell, for a guard. The guard refuses an event that contradicts what it knows, and the arms
//! then stop until a reset.

use crate::border::{CallFault, enter_call};
use crate::guard::{ElbowroomGuard, use_guard};
use crate::pointers::{borrow_array, borrow_value};
use crate::pose::ElbowroomPose;
use crate::shape::ElbowroomShape;
use crate::status::ElbowroomStatus;
use crate::world::ELBOWROOM_NONE;
use elbowroom::math::Transform;
use elbowroom::world::BodyId;
use elbowroom_monitor::{Arm, Event, Guard, Intent};

/// Tells a guard of an event.
///
/// # Safety
/// The pointer is null or points to a guard that is not freed.
unsafe fn tell_guard(
    guard: *mut ElbowroomGuard,
    t: f64,
    event: impl for<'w> FnOnce(&Guard<'w>) -> Result<Event, CallFault>,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller of this function guarantees it.
        unsafe {
            use_guard(guard, |guard| {
                let event = event(guard)?;
                guard.event(t, &event).map_err(|fault| CallFault::new(ElbowroomStatus::GuardRefused, fault))
            })
        }
    })
}

/// A person has seen to a fault: the guard judges again. `t` is a time on the clock of the states (s), as in
/// all events.
///
/// Thread: one at a time for each guard. So for all events.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_reset(guard: *mut ElbowroomGuard, t: f64) -> ElbowroomStatus {
    // SAFETY: `guard` is null or points to a guard that was not freed.
    unsafe { tell_guard(guard, t, |_| Ok(Event::Reset)) }
}

/// A body is somewhere else (world frame). `teleport` says that it may be anywhere: somebody carried it
/// there.
///
/// Thread: one at a time for each guard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_place(
    guard: *mut ElbowroomGuard,
    t: f64,
    body: u32,
    body_in_world: *const ElbowroomPose,
    teleport: bool,
) -> ElbowroomStatus {
    // SAFETY: `guard` is null or points to a guard that was not freed;
    // `body_in_world` is null or points to a pose.
    unsafe {
        tell_guard(guard, t, |_| {
            let body_in_world = Transform::from(borrow_value(body_in_world, "body_in_world")?);
            Ok(Event::Place { body: BodyId(body), body_in_world, teleport })
        })
    }
}

/// A link takes a body, at the place where it is. `touch` names the bodies that it touches now, and may until
/// they part; null for none.
///
/// Thread: one at a time for each guard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_attach(
    guard: *mut ElbowroomGuard,
    t: f64,
    body: u32,
    carrier: u32,
    touch: *const u32,
    touch_count: usize,
) -> ElbowroomStatus {
    // SAFETY: `guard` is null or points to a guard that was not freed;
    // `touch` is null or valid for `touch_count` values.
    unsafe {
        tell_guard(guard, t, |_| {
            let touch = borrow_array(touch, touch_count, "touch")?;
            let touch = touch.iter().map(|body| BodyId(*body)).collect();
            Ok(Event::Attach { body: BodyId(body), carrier: BodyId(carrier), touch })
        })
    }
}

/// A body is let go where it is.
///
/// Thread: one at a time for each guard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_detach(
    guard: *mut ElbowroomGuard,
    t: f64,
    body: u32,
) -> ElbowroomStatus {
    // SAFETY: `guard` is null or points to a guard that was not freed.
    unsafe { tell_guard(guard, t, |_| Ok(Event::Detach { body: BodyId(body) })) }
}

/// A body is gone. For a cloud or a person: nothing is there until the next report of it.
///
/// Thread: one at a time for each guard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_hide(
    guard: *mut ElbowroomGuard,
    t: f64,
    body: u32,
) -> ElbowroomStatus {
    // SAFETY: `guard` is null or points to a guard that was not freed.
    unsafe { tell_guard(guard, t, |_| Ok(Event::Hide { body: BodyId(body) })) }
}

/// A body is there again.
///
/// Thread: one at a time for each guard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_show(
    guard: *mut ElbowroomGuard,
    t: f64,
    body: u32,
) -> ElbowroomStatus {
    // SAFETY: `guard` is null or points to a guard that was not freed.
    unsafe { tell_guard(guard, t, |_| Ok(Event::Show { body: BodyId(body) })) }
}

/// A door has another value (rad, m).
///
/// Thread: one at a time for each guard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_open(
    guard: *mut ElbowroomGuard,
    t: f64,
    body: u32,
    value: f64,
) -> ElbowroomStatus {
    // SAFETY: `guard` is null or points to a guard that was not freed.
    unsafe { tell_guard(guard, t, |_| Ok(Event::Open { body: BodyId(body), value })) }
}

/// The points that a sensor sees now, at least one (world frame, metres).
///
/// Thread: one at a time for each guard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_see(
    guard: *mut ElbowroomGuard,
    t: f64,
    cloud: u32,
    points: *const [f64; 3],
    point_count: usize,
) -> ElbowroomStatus {
    // SAFETY: `guard` is null or points to a guard that was not freed;
    // `points` is null or valid for `point_count` points.
    unsafe {
        tell_guard(guard, t, |_| {
            let points = borrow_array(points, point_count, "points")?.to_vec();
            Ok(Event::See { cloud: BodyId(cloud), points })
        })
    }
}

/// A spare place has this shape now.
///
/// Thread: one at a time for each guard; the shape may be used by many at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_insert_obstacle(
    guard: *mut ElbowroomGuard,
    t: f64,
    place: u32,
    shape: *const ElbowroomShape,
) -> ElbowroomStatus {
    // SAFETY: `guard` is null or points to a guard that was not freed;
    // `shape` is null or points to a shape that was not freed.
    unsafe {
        tell_guard(guard, t, |_| {
            let shape = Box::new(borrow_value(shape, "shape")?.for_place()?.clone());
            Ok(Event::Fill { body: BodyId(place), shape })
        })
    }
}

/// A spare place is empty now.
///
/// Thread: one at a time for each guard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_remove_obstacle(
    guard: *mut ElbowroomGuard,
    t: f64,
    place: u32,
) -> ElbowroomStatus {
    // SAFETY: `guard` is null or points to a guard that was not freed.
    unsafe { tell_guard(guard, t, |_| Ok(Event::Empty { body: BodyId(place) })) }
}

fn given_arm(arm: u32) -> Option<Arm> {
    (arm != ELBOWROOM_NONE).then_some(Arm(arm))
}

/// The task of an arm from now on: it takes the object of `body` until `until` (s), from the support `from`.
/// ELBOWROOM_NONE as `from` means no support that the object may still touch; as `arm` it means all arms. The
/// new task replaces the old one.
///
/// Thread: one at a time for each guard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_mean_pick(
    guard: *mut ElbowroomGuard,
    t: f64,
    arm: u32,
    body: u32,
    from: u32,
    until: f64,
) -> ElbowroomStatus {
    let arm = given_arm(arm);
    // SAFETY: `guard` is null or points to a guard that was not freed.
    unsafe {
        tell_guard(guard, t, |guard| {
            let from = (from != ELBOWROOM_NONE).then(|| guard.object_of(BodyId(from)));
            let intent = Some(Intent::Pick { object: guard.object_of(BodyId(body)), from, arm });
            Ok(Event::Intent { arm, intent, until })
        })
    }
}

/// The task of an arm from now on: it puts the object of `body` on the support `on`, until `until` (s).
///
/// Thread: one at a time for each guard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_mean_place(
    guard: *mut ElbowroomGuard,
    t: f64,
    arm: u32,
    body: u32,
    on: u32,
    until: f64,
) -> ElbowroomStatus {
    let arm = given_arm(arm);
    // SAFETY: `guard` is null or points to a guard that was not freed.
    unsafe {
        tell_guard(guard, t, |guard| {
            let [object, on] = [body, on].map(|body| guard.object_of(BodyId(body)));
            Ok(Event::Intent { arm, intent: Some(Intent::Place { object, on, arm }), until })
        })
    }
}

/// The arm, or all of them with ELBOWROOM_NONE, has no task from now on.
///
/// Thread: one at a time for each guard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_mean_nothing(
    guard: *mut ElbowroomGuard,
    t: f64,
    arm: u32,
) -> ElbowroomStatus {
    let arm = given_arm(arm);
    // SAFETY: `guard` is null or points to a guard that was not freed.
    unsafe { tell_guard(guard, t, |_| Ok(Event::Intent { arm, intent: None, until: f64::INFINITY })) }
}
