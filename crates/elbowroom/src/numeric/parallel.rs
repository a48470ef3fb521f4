//! Work on all threads: those of the current rayon pool with the feature `rayon`, else the caller's alone.
//! Results come in the order of what they are made of, so nothing depends on the number of threads.

use alloc::vec::Vec;

/// `f` of each item, in the order of the items. Each item is a task: worth some microseconds.
#[cfg(feature = "rayon")]
pub(crate) fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    use rayon::prelude::*;
    if items.len() < 2 {
        return items.iter().map(f).collect();
    }
    items.par_iter().with_max_len(1).map(&f).collect()
}

/// `f` of each item, in the order of the items.
#[cfg(not(feature = "rayon"))]
pub(crate) fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    items.iter().map(f).collect()
}

/// The results of two functions, which may run at once.
#[cfg(feature = "rayon")]
pub(crate) fn both<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    rayon::join(a, b)
}

/// The results of two functions.
#[cfg(not(feature = "rayon"))]
pub(crate) fn both<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    (a(), b())
}

/// Items in runs of neighbours: a run ends where the sizes of its items have reached `size`.
pub(crate) fn runs<T>(items: &[T], size: usize, size_of: impl Fn(&T) -> usize) -> Vec<&[T]> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_have_every_item_once() {
        let items = [1, 1, 5, 0, 0, 9, 1];
        let runs = runs(&items, 2, |i| *i);
        let expected: [&[usize]; 4] = [&[1, 1], &[5], &[0, 0, 9], &[1]];
        assert_eq!(runs, expected);
        assert!(super::runs(&items[..0], 2, |i| *i).is_empty());
        assert_eq!(map(&runs, |r| r.len()), [2, 1, 3, 1]);
        assert_eq!(both(|| 1, || 2), (1, 2));
    }
}
