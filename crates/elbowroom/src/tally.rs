//! How much the engine did, by thread: for unit tests that hold its work in counts.

use std::cell::Cell;
use std::thread_local;

/// What is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    /// Poses whose frames were computed.
    Poses,
    /// Pairs asked whether they stay clear around a pose.
    Pairs,
    /// Joints of which the part in a bound on a pair was computed.
    Terms,
    /// Warm starts that were overwritten to forget them.
    Forgotten,
    /// Pairs of movable bodies asked whether they are checked.
    Movable,
}

thread_local! {
    static DONE: [Cell<u64>; 5] = const { [const { Cell::new(0) }; 5] };
}

/// Adds to a count.
pub(crate) fn add(work: Work, more: usize) {
    DONE.with(|done| {
        let count = &done[work as usize];
        count.set(count.get() + more as u64);
    });
}

/// What this thread did of one thing in the course of an action.
pub(crate) fn count_in(work: Work, action: impl FnOnce()) -> u64 {
    let count = || DONE.with(|done| done[work as usize].get());
    let before = count();
    action();
    count() - before
}
