//! A world, as C holds it: a share of the compiled world, and its names as texts for C.

use crate::border::{CallFault, enter_call, enter_query, text_for_c};
use crate::pointers::{
    borrow_place, borrow_room, borrow_text, borrow_value, check_count, copy_values, free_object,
};
use crate::status::ElbowroomStatus;
use elbowroom::describe::JointLimits;
use elbowroom::math::Random;
use elbowroom::world::{AllowedReason, BodyId, BodyPair, PairStatus};
use elbowroom::{PairId, World};
use std::collections::BTreeMap;
use std::ffi::{CString, c_char};
use std::sync::Arc;

/// Stands for no body, no pair, no joint value and no arm.
pub const ELBOWROOM_NONE: u32 = 0xffff_ffff;

/// Robots and their cell, compiled. It never changes.
///
/// Thread: any, many at once. What is made of a world keeps a share of it, so the world may be freed before.
#[derive(Debug)]
pub struct ElbowroomWorld {
    pub(crate) parts: Arc<WorldParts>,
}

/// The data that all objects of a world share.
#[derive(Debug)]
pub(crate) struct WorldParts {
    pub world: Arc<World>,
    /// By body: the bodies that the world file lets it touch while it is carried.
    pub touch: BTreeMap<BodyId, Vec<BodyId>>,
    dof_names: Vec<CString>,
    body_names: Vec<CString>,
    ranges: Vec<JointLimits>,
    warnings: CString,
}

impl WorldParts {
    pub fn new(world: Arc<World>, warnings: CString, touch: &BTreeMap<String, Vec<String>>) -> WorldParts {
        let numbered =
            |names: &Vec<String>| names.iter().filter_map(|name| world.body_by_name(name)).collect();
        let touch =
            touch.iter().filter_map(|(body, names)| Some((world.body_by_name(body)?, numbered(names))));
        WorldParts {
            touch: touch.collect(),
            dof_names: world.dof_names().iter().map(|name| text_for_c(name)).collect(),
            body_names: world.bodies().iter().map(|body| text_for_c(&body.name)).collect(),
            ranges: world.value_ranges(),
            warnings,
            world,
        }
    }

    /// The numbers of the two bodies of a pair, for C.
    pub fn bodies_of(&self, pair: Option<PairId>) -> [u32; 2] {
        body_numbers(pair.and_then(|pair| self.world.pairs().get(pair)))
    }
}

/// The numbers of two bodies; [`ELBOWROOM_NONE`] for none.
pub(crate) fn body_numbers(pair: Option<BodyPair>) -> [u32; 2] {
    pair.map_or([ELBOWROOM_NONE; 2], |pair| [pair.a.0, pair.b.0])
}

/// Reads from a world. If the pointer is null or the number unknown, the answer is `otherwise`.
///
/// # Safety
/// The pointer is null or points to a world that is not freed.
unsafe fn ask_world<T>(
    world: *const ElbowroomWorld,
    otherwise: T,
    look: impl FnOnce(&WorldParts) -> Result<T, CallFault>,
) -> T {
    // SAFETY: the caller of this function guarantees it.
    enter_query(otherwise, || look(unsafe { &borrow_value(world, "world")?.parts }))
}

fn find_name(names: &[CString], number: u32, what: &str) -> Result<*const c_char, CallFault> {
    let name = names.get(number as usize).map(|name| name.as_ptr());
    name.ok_or_else(|| CallFault::of_argument(format!("the world has no {what} {number}")))
}

/// Frees a world; null is fine. What was made of it stays. Its texts are gone.
///
/// Thread: any, but no other thread may use this pointer any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_free(world: *mut ElbowroomWorld) {
    // SAFETY: the pointer is null, or this library made it and it was not freed.
    unsafe { free_object(world) }
}

/// What was noticed while the world was read, one a line; empty for nothing. It lives as long as `world`.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_warnings(world: *const ElbowroomWorld) -> *const c_char {
    // SAFETY: `world` is null or points to a world that was not freed.
    unsafe { ask_world(world, c"".as_ptr(), |parts| Ok(parts.warnings.as_ptr())) }
}

/// How many joint values a pose has; 0 where `world` is null.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_dof_count(world: *const ElbowroomWorld) -> usize {
    // SAFETY: `world` is null or points to a world that was not freed.
    unsafe { ask_world(world, 0, |parts| Ok(parts.dof_names.len())) }
}

/// The full name of a joint value (`robot/joint`), in the order of values; null for a number that the world
/// does not have. It lives as long as `world`.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_dof_name(world: *const ElbowroomWorld, dof: u32) -> *const c_char {
    // SAFETY: `world` is null or points to a world that was not freed.
    unsafe { ask_world(world, std::ptr::null(), |parts| find_name(&parts.dof_names, dof, "joint value")) }
}

/// The number of the joint value with a full name; ELBOWROOM_NONE where there is none.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_find_dof(world: *const ElbowroomWorld, name: *const c_char) -> u32 {
    // SAFETY: `world` is null or points to a world that was not freed;
    // `name` is null or a text that ends with a zero.
    unsafe {
        ask_world(world, ELBOWROOM_NONE, |parts| {
            let name = borrow_text(name, "name")?;
            let found = parts.world.dof_by_name(name).map(|dof| dof as u32);
            found.ok_or_else(|| CallFault::of_argument(format!("no joint value is called {name:?}")))
        })
    }
}

/// The limits of all joint values (radians, metres), mimics included; infinite where there are none. Each
/// array has room for as many numbers as there are joint values.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_limits(
    world: *const ElbowroomWorld,
    lower: *mut f64,
    upper: *mut f64,
    count: usize,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: `world` is null or points to a world that was not freed;
        // each array is null or valid for `count` writes.
        let (parts, lower, upper) = unsafe {
            let parts = &borrow_value(world, "world")?.parts;
            (parts, borrow_room(lower, count, "lower")?, borrow_room(upper, count, "upper")?)
        };
        check_count(count, parts.ranges.len(), "the arrays of limits")?;
        for ((lower, upper), range) in lower.iter_mut().zip(upper).zip(&parts.ranges) {
            lower.write(range.lower);
            upper.write(range.upper);
        }
        Ok(())
    })
}

/// Joint values to start from: zero, or the number nearest to zero that all limits allow.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_neutral(
    world: *const ElbowroomWorld,
    values: *mut f64,
    count: usize,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: `world` is null or points to a world that was not freed;
        // `values` is null or valid for `count` writes.
        let (parts, room) =
            unsafe { (&borrow_value(world, "world")?.parts, borrow_room(values, count, "values")?) };
        copy_values(room, &parts.world.neutral_values(), "values")
    })
}

/// Draws a random pose within all limits. `seed` is any number at first, and changes: the same seed gives the
/// same poses on every machine.
///
/// Thread: any; each with a seed of its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_draw(
    world: *const ElbowroomWorld,
    seed: *mut u64,
    values: *mut f64,
    count: usize,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, the world was not
        // freed, `seed` can be read and written, `values` has room for `count` values.
        let (parts, start, room) = unsafe {
            let parts = &borrow_value(world, "world")?.parts;
            (parts, *borrow_value(seed, "seed")?, borrow_room(values, count, "values")?)
        };
        let mut random = Random(start);
        let Some(drawn) = parts.world.draw_configuration(|| random.unit()) else {
            let words = "the limits of a joint and of what follows it contradict each other";
            return Err(CallFault::new(ElbowroomStatus::PoseRefused, words));
        };
        copy_values(room, &drawn, "values")?;
        // SAFETY: as above.
        unsafe { borrow_place(seed, "seed")? }.write(random.0);
        Ok(())
    })
}

/// How many bodies the world has: links, obstacles, spare places and clouds.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_body_count(world: *const ElbowroomWorld) -> usize {
    // SAFETY: `world` is null or points to a world that was not freed.
    unsafe { ask_world(world, 0, |parts| Ok(parts.body_names.len())) }
}

/// The full name of a body (`robot/link`, `world/obstacle`); null for a number that the world does not have.
/// It lives as long as `world`.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_body_name(world: *const ElbowroomWorld, body: u32) -> *const c_char {
    // SAFETY: `world` is null or points to a world that was not freed.
    unsafe { ask_world(world, std::ptr::null(), |parts| find_name(&parts.body_names, body, "body")) }
}

/// The number of the body with a full name; ELBOWROOM_NONE where there is none.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_find_body(world: *const ElbowroomWorld, name: *const c_char) -> u32 {
    // SAFETY: `world` is null or points to a world that was not freed;
    // `name` is null or a text that ends with a zero.
    unsafe {
        ask_world(world, ELBOWROOM_NONE, |parts| {
            let name = borrow_text(name, "name")?;
            let found = parts.world.body_by_name(name).map(|body| body.0);
            found.ok_or_else(|| CallFault::of_argument(format!("no body is called {name:?}")))
        })
    }
}

/// How many pairs of bodies are checked.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_pair_count(world: *const ElbowroomWorld) -> usize {
    // SAFETY: `world` is null or points to a world that was not freed.
    unsafe { ask_world(world, 0, |parts| Ok(parts.world.pairs().len())) }
}

/// Why two bodies are not checked against each other.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElbowroomPairStatus {
    /// They are checked.
    Checked = 0,
    /// A file says so: an SRDF, or `[[allow]]` in a world file.
    AllowedByFile = 1,
    /// It follows from the world: neighbours, bodies without shapes, bodies that move as one, what is held.
    AllowedByRule = 2,
    /// There are no two such bodies.
    NoPair = 3,
}

/// Whether two bodies are checked against each other in this world, before a checker changes it.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_pair_status(
    world: *const ElbowroomWorld,
    a: u32,
    b: u32,
) -> ElbowroomPairStatus {
    // SAFETY: `world` is null or points to a world that was not freed.
    unsafe {
        ask_world(world, ElbowroomPairStatus::NoPair, |parts| {
            Ok(match parts.world.status(BodyId(a), BodyId(b)) {
                None => ElbowroomPairStatus::NoPair,
                Some(PairStatus::Checked(_)) => ElbowroomPairStatus::Checked,
                Some(PairStatus::Allowed(
                    AllowedReason::User(_) | AllowedReason::Disabled(_) | AllowedReason::NotAsked,
                )) => ElbowroomPairStatus::AllowedByFile,
                Some(PairStatus::Allowed(_)) => ElbowroomPairStatus::AllowedByRule,
            })
        })
    }
}

/// The margin of the world (metres): closer than this is `near`. NaN where `world` is null.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_margin(world: *const ElbowroomWorld) -> f64 {
    // SAFETY: `world` is null or points to a world that was not freed.
    unsafe { ask_world(world, f64::NAN, |parts| Ok(parts.world.margin())) }
}
