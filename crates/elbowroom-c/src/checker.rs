//! A checker, as C holds it: a pose of a world, and questions about it.

use crate::answer::{ElbowroomAnswer, ElbowroomQuestion, UNPROVED, read_question};
use crate::border::{CallFault, enter_call};
use crate::edge_state::EdgeState;
use crate::pointers::{
    borrow_array, borrow_place, borrow_room, borrow_value, check_count, copy_values, free_object,
    give_object, use_alone,
};
use crate::pose::ElbowroomPose;
use crate::status::ElbowroomStatus;
use crate::world::{ElbowroomWorld, WorldParts};
use elbowroom::pose::{PoseFault, SetOptions};
use elbowroom::world::BodyId;
use elbowroom::{Checker, OwnedChecker, PairAnswer, Question};
use rayon::ThreadPool;
use std::fmt;
use std::sync::{Arc, Mutex};

/// A pose of a world, what was changed in its cell, and the memory of searches.
///
/// Thread: any, one call at a time: make one for each thread. A call while another thread is in one ends with
/// `ELBOWROOM_STATUS_BUSY` and does nothing.
pub struct ElbowroomChecker {
    state: Mutex<CheckerState>,
}

impl fmt::Debug for ElbowroomChecker {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("ElbowroomChecker").finish_non_exhaustive()
    }
}

/// The state behind the lock.
pub(crate) struct CheckerState {
    pub parts: Arc<WorldParts>,
    pub checker: OwnedChecker,
    pub edges: EdgeState,
    /// Threads for batches, and their number. They are kept: to start them takes longer than a small batch.
    pub pool: Option<(usize, ThreadPool)>,
    /// A buffer for nearest pairs.
    nearest: Vec<PairAnswer>,
}

impl CheckerState {
    fn new(parts: Arc<WorldParts>, checker: OwnedChecker) -> CheckerState {
        let edges = EdgeState::new(parts.world.clone());
        CheckerState { parts, checker, edges, pool: None, nearest: Vec::new() }
    }

    /// Asks the checker; the answer is that for C.
    pub fn ask_for_c(&mut self, ask: impl FnOnce(&mut Checker) -> elbowroom::Answer) -> ElbowroomAnswer {
        let answer = self.checker.lend_mut(ask);
        ElbowroomAnswer::of_world(&answer, &self.parts)
    }
}

impl ElbowroomChecker {
    fn new(parts: Arc<WorldParts>, checker: OwnedChecker) -> ElbowroomChecker {
        ElbowroomChecker { state: Mutex::new(CheckerState::new(parts, checker)) }
    }
}

/// Runs a call on a checker, unless another call uses it.
///
/// # Safety
/// The pointer is null or points to a checker that is not freed.
pub(crate) unsafe fn use_checker<R>(
    checker: *const ElbowroomChecker,
    call: impl FnOnce(&mut CheckerState) -> Result<R, CallFault>,
) -> Result<R, CallFault> {
    // SAFETY: the caller of this function guarantees it.
    use_alone(unsafe { &borrow_value(checker, "checker")?.state }, call)
}

impl From<PoseFault> for CallFault {
    fn from(fault: PoseFault) -> CallFault {
        CallFault::new(ElbowroomStatus::PoseRefused, fault)
    }
}

/// Makes a checker at the world's neutral values. It allocates here, and hardly after.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_new(
    world: *const ElbowroomWorld,
    checker: *mut *mut ElbowroomChecker,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, the world was not
        // freed, `checker` has room for one value.
        let (place, parts) = unsafe {
            let place = borrow_place(checker, "checker")?;
            place.write(std::ptr::null_mut());
            (place, borrow_value(world, "world")?.parts.clone())
        };
        let owned = OwnedChecker::new(parts.world.clone());
        give_object(place, ElbowroomChecker::new(parts, owned));
        Ok(())
    })
}

/// Makes another checker in the same state: joint values, changes of the cell, and memory.
///
/// Thread: any that may use `checker`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_clone(
    checker: *const ElbowroomChecker,
    copy: *mut *mut ElbowroomChecker,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, the checker was not
        // freed, and there is room for one value.
        let (place, made) = unsafe {
            let place = borrow_place(copy, "copy")?;
            place.write(std::ptr::null_mut());
            let made = use_checker(checker, |state| Ok((state.parts.clone(), state.checker.clone())))?;
            (place, made)
        };
        give_object(place, ElbowroomChecker::new(made.0, made.1));
        Ok(())
    })
}

/// Frees a checker; null is fine.
///
/// Thread: any, but no other thread may use this pointer any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_free(checker: *mut ElbowroomChecker) {
    // SAFETY: the pointer is null, or this library made it and it was not freed.
    unsafe { free_object(checker) }
}

/// Moves everything to joint values (radians, metres; order of elbowroom_world_dof_name). Values outside
/// limits are refused, never clamped, and the pose stays.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_set(
    checker: *mut ElbowroomChecker,
    values: *const f64,
    count: usize,
) -> ElbowroomStatus {
    // SAFETY: `checker` is null or points to a checker that was not freed;
    // the array is null or valid for `count` values.
    enter_call(|| unsafe { set_values(checker, values, count, SetOptions::default()) })
}

/// [elbowroom_checker_set], and values outside limits are taken.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_set_ignoring_limits(
    checker: *mut ElbowroomChecker,
    values: *const f64,
    count: usize,
) -> ElbowroomStatus {
    // SAFETY: `checker` is null or points to a checker that was not freed;
    // the array is null or valid for `count` values.
    enter_call(|| unsafe { set_values(checker, values, count, SetOptions { ignore_limits: true }) })
}

/// # Safety
/// `checker` is null or points to a checker that was not freed; `values` is null or valid for `count` values.
unsafe fn set_values(
    checker: *const ElbowroomChecker,
    values: *const f64,
    count: usize,
    options: SetOptions,
) -> Result<(), CallFault> {
    // SAFETY: the caller of this function guarantees it.
    unsafe {
        let values = borrow_array(values, count, "values")?;
        use_checker(checker, |state| {
            Ok(state.checker.lend_mut(|checker| checker.set_with(values, options))?)
        })
    }
}

/// The joint values of the pose.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_values(
    checker: *const ElbowroomChecker,
    values: *mut f64,
    count: usize,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: `checker` is null or points to a checker that was not freed;
        // the array is null or valid for `count` values.
        unsafe {
            let room = borrow_room(values, count, "values")?;
            use_checker(checker, |state| {
                state.checker.lend(|checker| copy_values(room, checker.values(), "values"))
            })
        }
    })
}

/// Where a body is at this pose (world frame).
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_body_pose(
    checker: *const ElbowroomChecker,
    body: u32,
    pose: *mut ElbowroomPose,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, the checker was not
        // freed, and there is room for one value.
        let (place, found) = unsafe {
            let place = borrow_place(pose, "pose")?;
            let body = BodyId(body);
            let found =
                use_checker(checker, |state| Ok(state.checker.lend(|checker| checker.body_in_world(body))))?;
            (place, found)
        };
        let none = || CallFault::of_argument(format!("the world has no body {body}"));
        place.write(ElbowroomPose::from(&found.ok_or_else(none)?));
        Ok(())
    })
}

/// Asks a question, and writes the answer. That nothing is proved is written first, for the case that it
/// fails.
///
/// # Safety
/// Each pointer is null or valid for its type.
unsafe fn ask_checker(
    checker: *const ElbowroomChecker,
    question: *const ElbowroomQuestion,
    answer: *mut ElbowroomAnswer,
    begun: Question,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller of this function guarantees it.
        unsafe {
            let place = borrow_place(answer, "answer")?;
            place.write(UNPROVED);
            let question = read_question(begun, question)?;
            use_checker(checker, |state| {
                place.write(state.ask_for_c(|checker| checker.ask(&question)));
                Ok(())
            })
        }
    })
}

/// Whether everything is farther apart than the margin: the quickest question. The interval is as wide as
/// the first proof left it. `question` may be null.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_test(
    checker: *mut ElbowroomChecker,
    question: *const ElbowroomQuestion,
    answer: *mut ElbowroomAnswer,
) -> ElbowroomStatus {
    // SAFETY: each of the three pointers is null or valid for its type.
    unsafe { ask_checker(checker, question, answer, Question::test()) }
}

/// A number that the clearance is not below, without a search for its last digits. `question` may be null.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_lower_bound(
    checker: *mut ElbowroomChecker,
    question: *const ElbowroomQuestion,
    answer: *mut ElbowroomAnswer,
) -> ElbowroomStatus {
    // SAFETY: each of the three pointers is null or valid for its type.
    unsafe { ask_checker(checker, question, answer, Question::lower_bound()) }
}

/// The clearance: the smallest signed distance of all checked pairs, its pair and its two points. `question`
/// may be null.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_nearest(
    checker: *mut ElbowroomChecker,
    question: *const ElbowroomQuestion,
    answer: *mut ElbowroomAnswer,
) -> ElbowroomStatus {
    // SAFETY: each of the three pointers is null or valid for its type.
    unsafe { ask_checker(checker, question, answer, Question::distance()) }
}

/// The nearest pairs, at most `room`, the nearest first, with their points; `count` is how many there are.
/// With a cutoff in the question they are all pairs that are not proved to be farther apart. `all` gets the
/// answer for all pairs together, and null is allowed. A `count` of 0 does not mean clear: where no pair is
/// checked, or a robot has no shape, the verdict of `all` is unknown. `question` may be null.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_nearest_pairs(
    checker: *mut ElbowroomChecker,
    question: *const ElbowroomQuestion,
    answers: *mut ElbowroomAnswer,
    room: usize,
    count: *mut usize,
    all: *mut ElbowroomAnswer,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, the checker was not
        // freed, the question is what `read_question` requires, `answers` has room for `room`, `count` and
        // `all` for one.
        unsafe {
            let all = if all.is_null() { None } else { Some(borrow_place(all, "all")?.write(UNPROVED)) };
            let place = borrow_place(count, "count")?;
            place.write(0);
            let answers = borrow_room(answers, room, "answers")?;
            let question = read_question(Question::distance(), question)?;
            use_checker(checker, |state| {
                let CheckerState { checker, nearest, parts, .. } = state;
                let answer = checker.lend_mut(|checker| checker.nearest_k(room, &question, nearest));
                if let Some(all) = all {
                    *all = ElbowroomAnswer::of_world(&answer, parts);
                }
                for (answer, pair) in answers.iter_mut().zip(nearest.iter()) {
                    answer.write(ElbowroomAnswer::of_pair(pair, parts));
                }
                place.write(nearest.len().min(room));
                Ok(())
            })
        }
    })
}

/// How the signed distance of an answer's pair changes with each joint value (metres a radian, or metres a
/// metre), while the checker is at the pose of this answer. This library must have written the answer.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_gradient(
    checker: *mut ElbowroomChecker,
    answer: *const ElbowroomAnswer,
    gradient: *mut f64,
    count: usize,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, the checker was not
        // freed, the answer can be read, `gradient` has room for `count` values.
        unsafe {
            let room = borrow_room(gradient, count, "gradient")?;
            let Some((pair, points)) = ElbowroomAnswer::read_points(answer)? else {
                let words = "the answer has no points: ask elbowroom_checker_nearest";
                return Err(CallFault::of_argument(words));
            };
            use_checker(checker, |state| {
                check_count(count, state.parts.world.dof_names().len(), "gradient")?;
                state.checker.lend_mut(|checker| {
                    let none = || CallFault::of_argument(format!("the world has no pair {}", pair.0));
                    copy_values(room, checker.gradient(pair, &points).ok_or_else(none)?, "gradient")
                })
            })
        }
    })
}

/// Forgets what earlier questions left. That changes how fast an answer comes and the last digits of a
/// distance, never what is proved. Call it where an answer must not depend on earlier questions.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_forget_history(checker: *mut ElbowroomChecker) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: `checker` is null or points to a checker that was not freed.
        unsafe {
            use_checker(checker, |state| {
                state.checker.lend_mut(|checker| checker.forget_history());
                state.edges.forget_history();
                Ok(())
            })
        }
    })
}
