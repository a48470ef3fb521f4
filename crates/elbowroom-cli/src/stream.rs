//! Answers of several threads in the order of the questions, with bounded memory.
//!
//! Blocks of questions are handed out in order. Their answers are taken in order too: those of the front
//! block as they come, while those of later blocks wait. Before a thread makes an answer it asks for room. In
//! the front block it gets room as soon as its last answer was taken, so that the line always moves. In later
//! blocks it gets room only while all answers that wait or are being made stay within the room. So at most
//! the room and two answers more are held, however many threads there are.

use anyhow::{Context, Result};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// No more threads than there are blocks; and more than cores only wait for each other. Zero asks for as many
/// as there are cores.
pub fn thread_count(asked: usize, blocks: usize) -> usize {
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let asked = if asked == 0 { available } else { asked };
    asked.min(available).clamp(1, blocks.max(1))
}

/// How the work is shared out.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// Threads that answer.
    pub threads: usize,
    /// Blocks of questions.
    pub blocks: usize,
    /// Bytes that answers may hold together.
    pub room: usize,
}

/// Makes the answers of all blocks, each thread with a `worker` of its own, and takes them in order until
/// `take` says that it wants no more. It is given `None` where the next answer is not there yet: time to hand
/// on what it has.
///
/// # Errors
/// Those of `take`, and of threads that cannot be started.
pub fn in_order<W, T: Send>(
    share: Share,
    worker: impl Fn() -> W + Sync,
    answer: impl Fn(&mut W, &Place<'_, T>) + Sync,
    mut take: impl FnMut(Option<T>) -> Result<bool>,
) -> Result<()> {
    if cfg!(target_family = "wasm") {
        return in_order_alone(share.blocks, worker, answer, take);
    }
    let line = Line { state: Mutex::new(State::default()), moved: Condvar::new(), room: share.room };
    let next = AtomicUsize::new(0);
    let work = || {
        // However a thread ends, the others do not wait for it for ever.
        let _end = StopOnPanic(&line);
        let mut worker = worker();
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= share.blocks || line.lock().stopped {
                return;
            }
            answer(&mut worker, &Place { line: &line, block });
            line.lock().waiting.entry(block).or_default().done = true;
            line.moved.notify_all();
        }
    };
    std::thread::scope(|scope| {
        let mut taken = Ok(());
        for _ in 0..share.threads {
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, work) {
                taken = Err(error).context("the threads could not be started: ask for fewer with --threads");
                break;
            }
        }
        let taken = taken.and_then(|()| line.take_all(share.blocks, &mut take));
        line.stop();
        taken
    })
}

/// As [`in_order`], where there are no threads: one block after the other, each with all its answers before
/// they are taken.
fn in_order_alone<W, T: Send>(
    blocks: usize,
    worker: impl Fn() -> W,
    answer: impl Fn(&mut W, &Place<'_, T>),
    mut take: impl FnMut(Option<T>) -> Result<bool>,
) -> Result<()> {
    let line = Line { state: Mutex::new(State::default()), moved: Condvar::new(), room: usize::MAX };
    let (mut worker, mut wanted) = (worker(), true);
    for block in 0..blocks {
        answer(&mut worker, &Place { line: &line, block });
        line.lock().waiting.entry(block).or_default().done = true;
        line.take_all(block + 1, &mut |answer| {
            wanted = take(answer)?;
            Ok(wanted)
        })?;
        if !wanted {
            break;
        }
    }
    Ok(())
}

/// One block: where its answers go.
pub struct Place<'l, T> {
    line: &'l Line<T>,
    /// Its number.
    pub block: usize,
}

impl<T> Place<'_, T> {
    /// Waits for room of so many bytes; false if no more answers are wanted.
    pub fn room(&self, bytes: usize) -> bool {
        let mut state = self.line.lock();
        loop {
            let mine = state.front == self.block
                && state.waiting.get(&self.block).is_none_or(|w| w.answers.is_empty());
            if state.stopped {
                return false;
            }
            if mine || state.held.saturating_add(bytes) <= self.line.room {
                state.held += bytes;
                return true;
            }
            state = self.line.wait(state);
        }
    }

    /// Hands an answer over that holds so many bytes, for which there was room of `reserved`.
    pub fn give(&self, answer: T, reserved: usize, bytes: usize) {
        let mut state = self.line.lock();
        state.held = state.held.saturating_sub(reserved) + bytes;
        state.waiting.entry(self.block).or_default().answers.push_back((answer, bytes));
        drop(state);
        self.line.moved.notify_all();
    }
}

struct Line<T> {
    state: Mutex<State<T>>,
    moved: Condvar,
    room: usize,
}

struct State<T> {
    /// The block whose answers are taken now.
    front: usize,
    waiting: BTreeMap<usize, Waiting<T>>,
    /// Bytes of the answers that wait or are being made.
    held: usize,
    stopped: bool,
}

impl<T> Default for State<T> {
    fn default() -> State<T> {
        State { front: 0, waiting: BTreeMap::new(), held: 0, stopped: false }
    }
}

/// Answers of a block, with their bytes, that were not taken yet.
struct Waiting<T> {
    answers: VecDeque<(T, usize)>,
    /// There will be no more.
    done: bool,
}

impl<T> Default for Waiting<T> {
    fn default() -> Waiting<T> {
        Waiting { answers: VecDeque::new(), done: false }
    }
}

impl<T> Line<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, state: MutexGuard<'g, State<T>>) -> MutexGuard<'g, State<T>> {
        self.moved.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.moved.notify_all();
    }

    fn take_all(&self, blocks: usize, take: &mut impl FnMut(Option<T>) -> Result<bool>) -> Result<()> {
        let (mut state, mut idle) = (self.lock(), false);
        while state.front < blocks && !state.stopped {
            let front = state.front;
            let waiting = state.waiting.entry(front).or_default();
            if let Some((answer, bytes)) = waiting.answers.pop_front() {
                drop(state);
                let wanted = take(Some(answer))?;
                (state, idle) = (self.lock(), false);
                state.held = state.held.saturating_sub(bytes);
                self.moved.notify_all();
                if !wanted {
                    return Ok(());
                }
            } else if waiting.done {
                state.waiting.remove(&front);
                state.front += 1;
                self.moved.notify_all();
            } else if !idle {
                drop(state);
                let wanted = take(None)?;
                (state, idle) = (self.lock(), true);
                if !wanted {
                    return Ok(());
                }
            } else {
                state = self.wait(state);
            }
        }
        Ok(())
    }
}

/// Stops the line when its thread panics: the panic itself goes on where the threads are joined.
struct StopOnPanic<'l, T>(&'l Line<T>);

impl<T> Drop for StopOnPanic<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicI64;

    /// Answers of ten bytes each; how many were held at most, and what was taken.
    fn run(threads: usize, room: usize, wanted: usize) -> (i64, Vec<(usize, usize)>) {
        let (held, most) = (AtomicI64::new(0), AtomicI64::new(0));
        let mut taken = Vec::new();
        let done = in_order(
            Share { threads, blocks: 40, room },
            || (),
            |(), place| {
                for item in 0..place.block % 7 {
                    if !place.room(10) {
                        return;
                    }
                    most.fetch_max(held.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    if (place.block + item) % 5 == 0 {
                        std::thread::sleep(std::time::Duration::from_micros(300));
                    }
                    place.give((place.block, item), 10, 10);
                }
            },
            |answer| {
                if let Some(answer) = answer {
                    taken.push(answer);
                    held.fetch_sub(1, Ordering::SeqCst);
                }
                Ok(taken.len() < wanted)
            },
        );
        done.unwrap();
        (most.into_inner(), taken)
    }

    #[test]
    fn without_threads_the_answers_are_the_same() {
        let mut taken = Vec::new();
        let answer = |(): &mut (), place: &Place<'_, (usize, usize)>| {
            for item in 0..place.block % 7 {
                assert!(place.room(10));
                place.give((place.block, item), 10, 10);
            }
        };
        for wanted in [1, 60, usize::MAX] {
            taken.clear();
            let done = in_order_alone(
                40,
                || (),
                answer,
                |answer| {
                    taken.extend(answer);
                    Ok(taken.len() < wanted)
                },
            );
            done.unwrap();
            let (_, threaded) = run(2, 1000, wanted);
            assert_eq!(taken, threaded);
        }
    }

    #[test]
    fn answers_come_in_order_and_stay_within_their_room() {
        let all: Vec<(usize, usize)> =
            (0..40).flat_map(|block| (0..block % 7).map(move |i| (block, i))).collect();
        for threads in [1, 2, 5] {
            for room in [0, 10, 35, 1000] {
                let (most, taken) = run(threads, room, usize::MAX);
                assert_eq!(taken, all, "{threads} threads, room {room}");
                assert!(most <= room as i64 / 10 + 2, "{most} answers at once, room {room}");
            }
        }
        // With room enough, later blocks are answered while the first waits.
        assert!((0..20).any(|_| run(5, 1000, usize::MAX).0 > 3));
        assert_eq!(run(5, 35, 17).1, all[..17]);
    }

    #[test]
    fn errors_end_it() {
        let share = Share { threads: 3, blocks: 1000, room: 20 };
        let answer = |(): &mut (), place: &Place<'_, usize>| {
            if place.room(10) {
                place.give(place.block, 10, 10);
            }
        };
        let done =
            in_order(share, || (), answer, |n| if n < Some(30) { Ok(true) } else { anyhow::bail!("full") });
        assert_eq!(done.unwrap_err().to_string(), "full");
    }
}
