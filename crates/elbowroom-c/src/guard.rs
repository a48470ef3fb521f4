//! The guard of `elbowroom-monitor`, as C holds it: a step is a call.

use crate::border::{CallFault, enter_call};
use crate::command::{ElbowroomCommand, STOP, reason_words};
use crate::load::TextAt;
use crate::pointers::{
    borrow_array, borrow_place, borrow_text, borrow_value, free_object, give_object, use_alone,
};
use crate::status::ElbowroomStatus;
use crate::world::{ELBOWROOM_NONE, ElbowroomWorld, WorldParts};
use elbowroom::World;
use elbowroom_files::Options;
use elbowroom_files::guard::load_guard_from;
use elbowroom_files::source::{Disk, Files};
use elbowroom_monitor::{Command, Guard, State};
use std::ffi::c_char;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex};

self_cell::self_cell!(
    pub(crate) struct OwnedGuard {
        owner: Arc<World>,
        #[covariant]
        dependent: Guard,
    }
);

/// A guard of a world: one for each stream of states.
///
/// Thread: any, one call at a time. A call while another thread is in one ends with `ELBOWROOM_STATUS_BUSY`,
/// and where it is a step its command is to stop.
pub struct ElbowroomGuard {
    state: Mutex<OwnedGuard>,
}

impl fmt::Debug for ElbowroomGuard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("ElbowroomGuard").finish_non_exhaustive()
    }
}

/// What was measured at one time, of all arms or of one. A null array was not measured.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ElbowroomState {
    /// When (s), on a clock that never runs back.
    pub t: f64,
    /// The arm, by the order of the robots that move; ELBOWROOM_NONE for all of them.
    pub arm: u32,
    /// How many values each of the following five has.
    pub count: usize,
    /// Positions (rad, m). They must be given.
    pub positions: *const f64,
    /// Velocities (rad/s, m/s). Without them they are taken from differences.
    pub velocities: *const f64,
    /// Velocities with which the controller would go on if nothing slowed it.
    pub asked: *const f64,
    /// Efforts (N m, N).
    pub efforts: *const f64,
    /// Currents of the motors (A).
    pub currents: *const f64,
    /// Forces on the hands (N, >= 0), of each arm of the state.
    pub forces: *const f64,
    /// How many forces there are.
    pub force_count: usize,
}

/// Runs a call on a guard, unless another call uses it.
///
/// # Safety
/// The pointer is null or points to a guard that is not freed.
pub(crate) unsafe fn use_guard<R>(
    guard: *const ElbowroomGuard,
    call: impl for<'w> FnOnce(&mut Guard<'w>) -> Result<R, CallFault>,
) -> Result<R, CallFault> {
    // SAFETY: the caller of this function guarantees it.
    let shared = unsafe { &borrow_value(guard, "guard")?.state };
    use_alone(shared, |guard| guard.with_dependent_mut(|_, guard| call(guard)))
}

/// Makes a guard of a world from the table `[guard]` of the world file that the world was made from. Where it
/// is refused, the words have every fault, one a line.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_load(
    world: *const ElbowroomWorld,
    path: *const c_char,
    guard: *mut *mut ElbowroomGuard,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, the world was not
        // freed, `path` ends in a zero, `guard` has room for one value.
        let (parts, path, place) = unsafe {
            let place = borrow_place(guard, "guard")?;
            place.write(std::ptr::null_mut());
            (&borrow_value(world, "world")?.parts, borrow_text(path, "path")?, place)
        };
        give_object(place, load_for(parts, &Disk, path)?);
        Ok(())
    })
}

/// [elbowroom_guard_load] of a text in memory, `length` bytes of UTF-8, read as if it lay at `path`.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_from_text(
    world: *const ElbowroomWorld,
    text: *const c_char,
    length: usize,
    path: *const c_char,
    guard: *mut *mut ElbowroomGuard,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, the world was not
        // freed, `text` has `length` bytes, `path` ends in a zero, `guard` has room for one value.
        let (parts, text, path, place) = unsafe {
            let place = borrow_place(guard, "guard")?;
            place.write(std::ptr::null_mut());
            let text = borrow_array(text.cast::<u8>(), length, "text")?;
            (&borrow_value(world, "world")?.parts, text, borrow_text(path, "path")?, place)
        };
        give_object(place, load_for(parts, &TextAt { path: path.into(), text }, path)?);
        Ok(())
    })
}

fn load_for(parts: &WorldParts, files: &dyn Files, path: &str) -> Result<ElbowroomGuard, CallFault> {
    let loaded = load_guard_from(files, Path::new(path), &parts.world, &Options::default())
        .map_err(|faults| CallFault::new(ElbowroomStatus::FileRefused, faults))?;
    reason_words();
    let made = OwnedGuard::try_new(parts.world.clone(), |world| Guard::new(world, &loaded.value));
    let guard = made.map_err(|faults| CallFault::new(ElbowroomStatus::GuardRefused, faults))?;
    Ok(ElbowroomGuard { state: Mutex::new(guard) })
}

/// Frees a guard; null is fine.
///
/// Thread: any, but no other thread may use this pointer any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_free(guard: *mut ElbowroomGuard) {
    // SAFETY: the pointer is null, or this library made it and it was not freed.
    unsafe { free_object(guard) }
}

/// Runs a step, and writes its command. A stop is written first, for the case that the step fails.
///
/// # Safety
/// Each pointer is null or valid for its type.
unsafe fn run_step(
    guard: *mut ElbowroomGuard,
    command: *mut ElbowroomCommand,
    step: impl for<'w> FnOnce(&mut Guard<'w>) -> Result<Command, CallFault>,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller of this function guarantees it.
        unsafe {
            let place = borrow_place(command, "command")?;
            place.write(STOP);
            let told = use_guard(guard, step)?;
            place.write(ElbowroomCommand::from(&told));
            Ok(())
        }
    })
}

/// Judges a state. `command` is written whatever the status is: where no step could be made, it is to stop at
/// once. A step allocates nothing, and its work is bounded.
///
/// Thread: one at a time for each guard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_step(
    guard: *mut ElbowroomGuard,
    state: *const ElbowroomState,
    command: *mut ElbowroomCommand,
) -> ElbowroomStatus {
    // SAFETY: each of the three pointers is null or valid for its type.
    unsafe { run_step(guard, command, |guard| Ok(guard.step(&read_state(state)?))) }
}

/// Judges silence: no state came until `now` (s, clock of the states). Call this when the setting `late` has
/// passed since the last state.
///
/// Thread: one at a time for each guard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_guard_step_without(
    guard: *mut ElbowroomGuard,
    now: f64,
    command: *mut ElbowroomCommand,
) -> ElbowroomStatus {
    // SAFETY: both pointers are null or valid for their types.
    unsafe { run_step(guard, command, |guard| Ok(guard.step_without(now, None))) }
}

/// Reads a state, and the arrays that it points to.
///
/// # Safety
/// The pointer is null or points to a state. The pointers in the state are null or valid for its counts.
unsafe fn read_state<'a>(state: *const ElbowroomState) -> Result<State<'a>, CallFault> {
    // SAFETY: the caller of this function guarantees it, here and below.
    let said = unsafe { borrow_value(state, "state")? };
    let values = |pointer: *const f64, name: &str| {
        // SAFETY: as above.
        let array = || unsafe { borrow_array(pointer, said.count, name) };
        (!pointer.is_null()).then(array).transpose()
    };
    // SAFETY: as above.
    let forces = || unsafe { borrow_array(said.forces, said.force_count, "forces") };
    Ok(State {
        t: said.t,
        arm: (said.arm != ELBOWROOM_NONE).then_some(said.arm as usize),
        // SAFETY: as above.
        positions: unsafe { borrow_array(said.positions, said.count, "positions")? },
        velocities: values(said.velocities, "velocities")?,
        asked: values(said.asked, "asked")?,
        efforts: values(said.efforts, "efforts")?,
        currents: values(said.currents, "currents")?,
        forces: (!said.forces.is_null()).then(forces).transpose()?,
    })
}
