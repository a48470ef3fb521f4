//! Work on all threads: those of the current rayon pool with the feature `rayon`, else the caller's alone.
//! Results come in the order of what they are made of, so nothing depends on the number of threads.

use super::tolerance::PART;
use alloc::vec::Vec;

/// `f` of each item, in the order of the items. Each item is a task: worth some microseconds.
#[cfg(feature = "rayon")]
pub fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    use rayon::prelude::*;
    if items.len() < 2 {
        return items.iter().map(f).collect();
    }
    items.par_iter().with_max_len(1).map(&f).collect()
}

/// `f` of each item, in the order of the items.
#[cfg(not(feature = "rayon"))]
pub fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    items.iter().map(f).collect()
}

/// The results of two functions, which may run at once.
#[cfg(feature = "rayon")]
pub fn both<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    rayon::join(a, b)
}

/// The results of two functions.
#[cfg(not(feature = "rayon"))]
pub fn both<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    (a(), b())
}

/// Items in runs of neighbours: a run ends where the sizes of its items have reached `size`.
pub fn split_runs<T>(items: &[T], size: usize, size_of: impl Fn(&T) -> usize) -> Vec<&[T]> {
    let (mut runs, mut start, mut sum) = (Vec::new(), 0, 0_usize);
    for (i, item) in items.iter().enumerate() {
        sum = sum.saturating_add(size_of(item));
        if sum >= size {
            runs.push(&items[start..=i]);
            (start, sum) = (i + 1, 0);
        }
    }
    if start < items.len() {
        runs.push(&items[start..]);
    }
    runs
}

/// [`map`] of many items, a part of them at a time, when its results are asked for. So not all results are in
/// memory at once, and the next ones are put where they were.
pub fn in_parts<T: Sync, R: Send>(items: Vec<T>, f: impl Fn(&T) -> R + Sync) -> impl Iterator<Item = R> {
    (0..items.len()).step_by(PART).flat_map(move |from| {
        let part = &items[from..items.len().min(from.saturating_add(PART))];
        map(part, &f)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_have_every_item_once() {
        let items = [1, 1, 5, 0, 0, 9, 1];
        let runs = split_runs(&items, 2, |i| *i);
        let expected: [&[usize]; 4] = [&[1, 1], &[5], &[0, 0, 9], &[1]];
        assert_eq!(runs, expected);
        assert!(super::split_runs(&items[..0], 2, |i| *i).is_empty());
        assert_eq!(map(&runs, |r| r.len()), [2, 1, 3, 1]);
        let many: Vec<usize> = (0..3 * PART + 5).collect();
        assert!(in_parts(many.clone(), |i| 2 * i).eq(many.iter().map(|i| 2 * i)));
        assert_eq!(in_parts(Vec::<u32>::new(), |i| *i).count(), 0);
        assert_eq!(both(|| 1, || 2), (1, 2));
    }
}
