//! A watchdog: it knows when a step began, and acts if the step has not ended in time.
//!
//! The guard has no clock, and a bound on its work is no bound on its time: the machine may be busy, the disk
//! of a record may hang, the guard may be wrong. A command that comes too late was proved of a state that is
//! long past. So a step is watched from outside, by a thread of its own with a clock of its own.
//!
//! The contract of [`Watchdog::watch_work`]:
//!
//! * If the work has not ended after `most`, the watchdog calls `bark` on its own thread, once. That stops
//!   the arms: it says so to the controller, or opens a contact. It must not wait for the work.
//! * While `bark` runs, `watch` does not return: what `bark` says is said whole, and before anything else.
//! * Work that took longer is an [`Overrun`], whether it was told or not: it may have ended just before the
//!   watchdog woke. What it gave must not be used to permit a motion. [`Watchdog::step`] does all this for a
//!   guard: a late step stops, and the stop waits for a reset.
//! * Without its thread, if `bark` has panicked, every step is an overrun.
//! * The clock is monotonic: one that is set, or jumps, changes nothing. A process that is stopped as a whole
//!   is not noticed; that takes a second process.
//!
//! The watchdog sleeps for `most` while there is nothing to watch. A step that begins then cannot be late
//! before it wakes and sees when the step has begun; so it needs no signal, and a step costs two times of the
//! clock and two writes of a number. Work that was due earlier has less time, and wakes it. Nothing is
//! allocated in a step.

use crate::guard::{Command, Guard, ReasonKind, State};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Work that took longer than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overrun {
    /// How long it took.
    pub took: Duration,
    /// Whether the watchdog has told so: else the work ended just before it woke.
    pub told: bool,
}

/// Watches work that must end in time. The [module](self) has the contract.
pub struct Watchdog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What both threads see.
struct Shared {
    start: Instant,
    most: Duration,
    /// When the work began, or was due ([`Shared::now`]); [`IDLE`]; or with [`BARKED`] once the watchdog acts
    /// on it.
    work: AtomicU64,
    /// Held by the watchdog while it barks.
    barking: Mutex<()>,
    ended: AtomicBool,
}

/// Times are counted from this long before the start (ns), since work may have been due before it.
const BEFORE: u64 = 1 << 60;

/// No work is watched.
const IDLE: u64 = 0;

/// Work that began late may be noticed too late, by this part of the longest time.
const WAVERS: u32 = 8;

/// The watchdog acts on this work, or has done so. Times do not reach this bit for two hundred years.
const BARKED: u64 = 1 << 63;

impl Shared {
    /// Now (ns since [`BEFORE`] the start); never [`IDLE`].
    fn now(&self) -> u64 {
        (self.start.elapsed().as_nanos() as u64).saturating_add(BEFORE)
    }

    /// The watchdog's thread.
    fn keep_watch(&self, mut bark: impl FnMut()) {
        let most = self.most.as_nanos() as u64;
        while !self.ended.load(Ordering::Acquire) {
            let begun = self.work.load(Ordering::Acquire);
            let mut wait = most;
            if begun != IDLE && begun & BARKED == 0 {
                let age = self.now().saturating_sub(begun);
                if age < most {
                    wait = most - age;
                } else {
                    let _barking = self.barking.lock().unwrap_or_else(PoisonError::into_inner);
                    // It may have ended in between. The same time is the same work: later work begins later.
                    let (order, seen) = (Ordering::AcqRel, Ordering::Acquire);
                    if self.work.compare_exchange(begun, begun | BARKED, order, seen).is_ok() {
                        bark();
                    }
                }
            }
            std::thread::park_timeout(Duration::from_nanos(wait));
        }
    }
}

impl fmt::Debug for Watchdog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watchdog").field("most", &self.shared.most).finish_non_exhaustive()
    }
}

impl Watchdog {
    /// Watches work that may take `most` (at least a microsecond). `bark` is called on the watchdog's thread.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn new(most: Duration, bark: impl FnMut() + Send + 'static) -> std::io::Result<Watchdog> {
        let shared = Arc::new(Shared {
            start: Instant::now(),
            most: most.max(Duration::from_micros(1)),
            work: AtomicU64::new(IDLE),
            barking: Mutex::new(()),
            ended: AtomicBool::new(false),
        });
        let its = shared.clone();
        let thread = std::thread::Builder::new().name("watchdog".into());
        let thread = thread.spawn(move || its.keep_watch(bark))?;
        Ok(Watchdog { shared, thread: Some(thread) })
    }

    /// How long work may take.
    pub fn longest_time(&self) -> Duration {
        self.shared.most
    }

    /// Does some work under the watchdog's eyes. After an [`Overrun`] its result must not permit a motion.
    ///
    /// ```
    /// use elbowroom_monitor::watchdog::Watchdog;
    /// use std::time::Duration;
    ///
    /// let mut watchdog = Watchdog::new(Duration::from_secs(1), || println!("stop"))?;
    /// let (sum, overrun) = watchdog.watch_work(|| 1 + 1);
    /// assert_eq!((sum, overrun), (2, None));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn watch_work<T>(&mut self, work: impl FnOnce() -> T) -> (T, Option<Overrun>) {
        self.watch_behind(Duration::ZERO, work)
    }

    /// Does some work, as [`Watchdog::watch_work`], that should have begun earlier, by `behind`. That time
    /// counts as a part of the work.
    pub fn watch_behind<T>(&mut self, behind: Duration, work: impl FnOnce() -> T) -> (T, Option<Overrun>) {
        let shared = &self.shared;
        let begun = shared.now().saturating_sub(behind.as_nanos() as u64).max(IDLE + 1);
        shared.work.store(begun, Ordering::Release);
        // The watchdog may sleep for as long as work may take, and this work has less time. If that is much
        // less, it is woken.
        if behind > shared.most / WAVERS
            && let Some(thread) = &self.thread
        {
            thread.thread().unpark();
        }
        let done = work();
        let told = shared.work.swap(IDLE, Ordering::AcqRel) & BARKED != 0;
        if told {
            // It says all it has to say first.
            drop(shared.barking.lock().unwrap_or_else(PoisonError::into_inner));
        }
        let took = Duration::from_nanos(shared.now().saturating_sub(begun));
        let watched = self.thread.as_ref().is_some_and(|thread| !thread.is_finished());
        let overrun = told || took >= shared.most || !watched;
        (done, overrun.then_some(Overrun { took, told }))
    }

    /// A step of a guard. If it overruns, the command is a stop, and the guard waits for a reset.
    pub fn step(&mut self, guard: &mut Guard, state: &State) -> Command {
        let (command, overrun) = self.watch_work(|| guard.step(state));
        if overrun.is_some() { guard.step_without(state.t, Some(ReasonKind::Overrun)) } else { command }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    const MOST: Duration = Duration::from_millis(30);

    #[test]
    fn slow_work_is_told_while_it_runs_and_once() {
        let (tell, told) = channel();
        let mut dog = Watchdog::new(MOST, move || tell.send(()).unwrap()).unwrap();
        for _ in 0..3 {
            // The work hangs until the watchdog has barked: it needs no clock of the test.
            let (heard, overrun) = dog.watch_work(|| told.recv_timeout(Duration::from_secs(20)));
            assert_eq!(heard, Ok(()));
            let overrun = overrun.unwrap();
            assert!(overrun.told && overrun.took >= MOST, "{overrun:?}");
        }
        let (_, overrun) = dog.watch_work(|| std::thread::sleep(5 * MOST));
        assert!(overrun.unwrap().told);
        told.recv().unwrap();
        drop(dog);
        assert!(told.recv().is_err(), "once for each");
    }

    #[test]
    fn what_begins_late_ends_as_early_as_if_it_had_not() {
        let (tell, told) = channel();
        let mut dog = Watchdog::new(Duration::from_secs(30), move || tell.send(()).unwrap()).unwrap();
        // It sleeps for half a minute, and is woken.
        let behind = Duration::from_secs(30) - MOST;
        let (heard, overrun) = dog.watch_behind(behind, || told.recv_timeout(Duration::from_secs(20)));
        assert_eq!(heard, Ok(()));
        assert!(overrun.unwrap().took >= Duration::from_secs(30));
        // Nothing is left: it is late however quick.
        assert!(dog.watch_behind(Duration::from_secs(31), || ()).1.is_some());
        assert!(dog.watch_behind(behind, || ()).1.is_none());
    }

    #[test]
    fn what_it_says_is_said_before_the_work_returns() {
        let said = Arc::new(AtomicBool::new(false));
        let (begin, begun) = channel();
        let its = said.clone();
        let mut dog = Watchdog::new(MOST, move || {
            begin.send(()).unwrap();
            std::thread::sleep(2 * MOST);
            its.store(true, Ordering::Release);
        })
        .unwrap();
        let (_, overrun) = dog.watch_work(|| begun.recv().unwrap());
        assert!(said.load(Ordering::Acquire) && overrun.unwrap().told);
    }

    #[test]
    fn quick_work_is_left_alone() {
        let count = Arc::new(AtomicU64::new(0));
        let its = count.clone();
        let mut dog = Watchdog::new(Duration::from_secs(60), move || {
            its.fetch_add(1, Ordering::Relaxed);
        })
        .unwrap();
        for k in 0..100_000 {
            assert_eq!(dog.watch_work(|| k), (k, None));
        }
        // It ends at once, although it sleeps.
        drop(dog);
        assert_eq!(count.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn without_its_thread_everything_is_an_overrun() {
        let mut dog = Watchdog::new(MOST, || std::panic::resume_unwind(Box::new(()))).unwrap();
        let (_, overrun) = dog.watch_work(|| std::thread::sleep(5 * MOST));
        assert!(overrun.unwrap().told);
        while !dog.thread.as_ref().unwrap().is_finished() {
            std::thread::yield_now();
        }
        assert!(dog.watch_work(|| ()).1.is_some());
    }
}
