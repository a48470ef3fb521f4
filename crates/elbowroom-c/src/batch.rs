//! Many poses in one call, in the cell as a checker has it.
//!
//! Rows are cut into chunks of the engine's own size. Each thread has a batch in the checker's state. Answers
//! of a chunk do not depend on its thread, so they are the same on any number of threads.

use crate::answer::{ElbowroomQuestion, ElbowroomVerdict, read_question};
use crate::border::{CallFault, check_process, enter_call};
use crate::checker::{CheckerState, ElbowroomChecker, use_checker};
use crate::pointers::{borrow_array, borrow_room};
use crate::status::ElbowroomStatus;
use crate::world::ELBOWROOM_NONE;
use elbowroom::batch::{BatchCounts, BatchFault};
use elbowroom::tolerance::{BATCH_CHUNK, BATCH_FAULTS};
use elbowroom::{Answer, Batch, Checker, Question, Verdict};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::mem::MaybeUninit;

/// The most threads that a batch may ask for.
const MAX_THREADS: usize = 1024;

/// The clearance of one pose of many.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElbowroomInterval {
    /// The signed distance is at least this (metres); minus infinity for a pose that is refused.
    pub lower: f64,
    /// And at most this.
    pub upper: f64,
    /// The nearest pair; ELBOWROOM_NONE for none.
    pub pair: u32,
    /// What the interval means; unknown for a pose that is refused.
    pub verdict: ElbowroomVerdict,
}

/// Nothing is proved.
const UNPROVED_INTERVAL: ElbowroomInterval = ElbowroomInterval {
    lower: f64::NEG_INFINITY,
    upper: f64::INFINITY,
    pair: ELBOWROOM_NONE,
    verdict: ElbowroomVerdict::Unknown,
};

/// Writes that nothing is proved into all results, for the case that the call fails: to C, zeros would mean
/// clear.
fn fill_room<T: Copy>(room: &mut [MaybeUninit<T>], unproved: T) {
    room.fill(MaybeUninit::new(unproved));
}

/// A thread's batch, and buffers for the engine's answers.
struct Worker<'w> {
    batch: Batch<'w>,
    verdicts: Vec<Verdict>,
    answers: Vec<Answer>,
}

/// Asks the rows of a chunk, and writes the results for C.
type AskChunk<T> =
    fn(&mut Worker, &[f64], &Question, &mut [MaybeUninit<T>]) -> Result<BatchCounts, BatchFault>;

fn test_chunk(
    worker: &mut Worker,
    rows: &[f64],
    question: &Question,
    room: &mut [MaybeUninit<ElbowroomVerdict>],
) -> Result<BatchCounts, BatchFault> {
    let Worker { batch, verdicts, .. } = worker;
    verdicts.clear();
    verdicts.resize(room.len(), Verdict::Unknown);
    let asked = batch.test(rows, question, verdicts);
    for (place, verdict) in room.iter_mut().zip(verdicts) {
        place.write((*verdict).into());
    }
    asked
}

fn measure_chunk(
    worker: &mut Worker,
    rows: &[f64],
    question: &Question,
    room: &mut [MaybeUninit<ElbowroomInterval>],
) -> Result<BatchCounts, BatchFault> {
    let Worker { batch, answers, .. } = worker;
    answers.clear();
    answers.resize(room.len(), Answer::default());
    let asked = batch.ask(rows, question, answers);
    for (place, answer) in room.iter_mut().zip(answers) {
        place.write(ElbowroomInterval {
            lower: answer.interval.lower,
            upper: answer.interval.upper,
            pair: answer.pair.map_or(ELBOWROOM_NONE, |pair| pair.0),
            verdict: answer.verdict.into(),
        });
    }
    asked
}

/// Asks all rows on the threads of the current pool.
fn ask_rows<T: Send>(
    checker: &Checker,
    rows: &[f64],
    question: &Question,
    room: &mut [MaybeUninit<T>],
    ask: AskChunk<T>,
) -> Result<(), BatchFault> {
    let width = checker.world().dof_names().len();
    let make_worker = || {
        let mut batch = Batch::new(checker.world());
        batch.copy_state_from(checker);
        Worker { batch, verdicts: Vec::new(), answers: Vec::new() }
    };
    let chunk_of = |number: usize| {
        let start = number * BATCH_CHUNK * width;
        rows.get(start..(start + BATCH_CHUNK * width).min(rows.len())).unwrap_or_default()
    };
    let chunks = room.par_chunks_mut(BATCH_CHUNK).enumerate();
    let asked: Vec<Result<BatchCounts, BatchFault>> = chunks
        .map_init(make_worker, |worker, (number, room)| ask(worker, chunk_of(number), question, room))
        .collect();
    // Faults are named in the order of rows, so that the words do not depend on threads.
    let (mut named, mut refused) = (Vec::new(), 0);
    for (number, asked) in asked.into_iter().enumerate() {
        match asked {
            Ok(_) => {}
            Err(BatchFault::Poses { first, count }) => {
                refused += count;
                let left = BATCH_FAULTS.saturating_sub(named.len());
                let in_all = first.into_iter().map(|(row, fault)| (row + number * BATCH_CHUNK, fault));
                named.extend(in_all.take(left));
            }
            Err(other) => return Err(other),
        }
    }
    if refused == 0 { Ok(()) } else { Err(BatchFault::Poses { first: named, count: refused }) }
}

/// A pool with this number of threads: the one that the checker kept, or a new one.
fn find_pool(pool: &mut Option<(usize, ThreadPool)>, threads: usize) -> Result<&ThreadPool, CallFault> {
    if threads > MAX_THREADS {
        let words =
            format!("a batch on {threads} threads: ask for at most {MAX_THREADS}, or 0 for all cores");
        return Err(CallFault::of_argument(words));
    }
    if pool.as_ref().is_none_or(|(count, _)| *count != threads) {
        let made = ThreadPoolBuilder::new().num_threads(threads).build();
        let made =
            made.map_err(|fault| CallFault::of_argument(format!("no threads could be started: {fault}")));
        *pool = Some((threads, made?));
    }
    match pool {
        Some((_, pool)) => Ok(pool),
        None => Err(CallFault::of_argument("no threads could be started")),
    }
}

fn ask_state<T: Send>(
    state: &mut CheckerState,
    rows: &[f64],
    question: &Question,
    (room, threads): (&mut [MaybeUninit<T>], usize),
    ask: AskChunk<T>,
) -> Result<(), CallFault> {
    let width = state.parts.world.dof_names().len();
    let (poses, given) = (room.len(), rows.len());
    if poses.checked_mul(width) != Some(given) {
        let words = format!("{given} joint values were given for {poses} poses of {width} values each");
        return Err(CallFault::of_argument(words));
    }
    check_process()?;
    let CheckerState { checker, pool, .. } = state;
    let asked = if threads == 0 {
        checker.lend(|checker| ask_rows(checker, rows, question, room, ask))
    } else {
        let pool = find_pool(pool, threads)?;
        checker.lend(|checker| pool.install(|| ask_rows(checker, rows, question, room, ask)))
    };
    asked.map_err(|fault| CallFault::new(ElbowroomStatus::PoseRefused, fault))
}

/// The verdict of each of many poses, as of elbowroom_checker_test, in the cell as this checker has it.
/// `rows` has `value_count` numbers, one row of joint values for each of `pose_count` poses. `threads` is the
/// number of threads, 0 for all cores. Where rows are no configurations, their verdicts are unknown, the
/// status is `ELBOWROOM_STATUS_POSE_REFUSED`, the words name the first of them, and all other rows have their
/// answers. `question` may be null.
///
/// Thread: one at a time for each checker; it starts threads of its own, which end with the checker or, where
/// `threads` is 0, with the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_test_batch(
    checker: *mut ElbowroomChecker,
    rows: *const f64,
    value_count: usize,
    question: *const ElbowroomQuestion,
    threads: usize,
    verdicts: *mut ElbowroomVerdict,
    pose_count: usize,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, `rows` has
        // `value_count` values, the results have room for `pose_count`, the others for one value.
        unsafe {
            let room = borrow_room(verdicts, pose_count, "verdicts")?;
            fill_room(room, ElbowroomVerdict::Unknown);
            let rows = borrow_array(rows, value_count, "rows")?;
            let question = read_question(Question::test(), question)?;
            use_checker(checker, |state| ask_state(state, rows, &question, (room, threads), test_chunk))
        }
    })
}

/// The clearance of each of many poses, as of elbowroom_checker_nearest, without the points. All else is as
/// for elbowroom_checker_test_batch.
///
/// Thread: as elbowroom_checker_test_batch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_nearest_batch(
    checker: *mut ElbowroomChecker,
    rows: *const f64,
    value_count: usize,
    question: *const ElbowroomQuestion,
    threads: usize,
    intervals: *mut ElbowroomInterval,
    pose_count: usize,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, `rows` has
        // `value_count` values, the results have room for `pose_count`, the others for one value.
        unsafe {
            let room = borrow_room(intervals, pose_count, "intervals")?;
            fill_room(room, UNPROVED_INTERVAL);
            let rows = borrow_array(rows, value_count, "rows")?;
            let question = read_question(Question::distance(), question)?;
            use_checker(checker, |state| ask_state(state, rows, &question, (room, threads), measure_chunk))
        }
    })
}
