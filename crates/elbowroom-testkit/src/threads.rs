//! Work on all cores.

use std::sync::atomic::{AtomicU64, Ordering};

pub fn core_count() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

/// Runs `work` on the numbers below `n`, on all cores: whichever is free takes the next. Results come in the
/// order of the numbers.
pub fn run_each<T: Send>(n: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    run_in_chunks(n as u64, core_count(), 1, || (), |i, ()| work(i as usize))
}

/// Runs `work` on the numbers below `n`, on so many threads, in chunks of numbers, with a state that each
/// thread keeps. Results come in the order of the numbers.
pub fn run_in_chunks<S, T: Send>(
    n: u64,
    threads: usize,
    chunk: u64,
    state: impl Fn() -> S + Sync,
    work: impl Fn(u64, &mut S) -> T + Sync,
) -> Vec<T> {
    // Not every computer has other threads than this one.
    let threads = if cfg!(target_family = "wasm") { 1 } else { threads };
    let next = AtomicU64::new(0);
    let run = || {
        let (mut state, mut mine) = (state(), Vec::new());
        loop {
            let start = next.fetch_add(chunk, Ordering::Relaxed);
            if start >= n {
                return mine;
            }
            let part: Vec<T> = (start..n.min(start + chunk)).map(|i| work(i, &mut state)).collect();
            mine.push((start, part));
        }
    };
    let mut parts: Vec<(u64, Vec<T>)> = match threads {
        0 | 1 => run(),
        _ => std::thread::scope(|s| {
            let handles: Vec<_> = (0..threads).map(|_| s.spawn(run)).collect();
            handles.into_iter().flat_map(|h| h.join().unwrap()).collect()
        }),
    };
    parts.sort_by_key(|p| p.0);
    parts.into_iter().flat_map(|p| p.1).collect()
}
