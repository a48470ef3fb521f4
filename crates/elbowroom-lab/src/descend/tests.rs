use super::*;
use crate::rng::Rng;
use elbowroom::bounds::hierarchy::{agglomerate_boxes, squared_diagonal};
use elbowroom::math::Vec3;

/// Leaves of random boxes in two groups, some of them at the same place.
fn group(n: usize, at: Vec3, rng: &mut Rng) -> (Tree, Vec<AlignedBox>) {
    let boxes: Vec<AlignedBox> = (0..n)
        .map(|_| {
            let (center, half) = (rng.point(1.0) + at, rng.point(0.2).abs());
            AlignedBox { low: center - half, high: center + half }
        })
        .collect();
    let tree = agglomerate_boxes(&boxes, squared_diagonal).unwrap();
    let mut all = vec![AlignedBox::EMPTY; tree.len()];
    tree.refit_boxes(&boxes, &mut all);
    (tree, all)
}

#[test]
fn descents_hand_out_all_that_is_within_the_limit() {
    let rng = &mut Rng::new(12);
    let (mut work, mut handed, mut spared, mut fewer) = (Vec::new(), 0, 0, 0);
    for _ in 0..1000 {
        let [n, m] = [0, 1].map(|_| (rng.unit() * 12.0) as usize);
        let (a, a_boxes) = group(n, Vec3::ZERO, rng);
        let (b, b_boxes) = group(m, rng.point(3.0), rng);
        let gap = |i: usize, j: usize| box_gap(&a_boxes[i], &b_boxes[j]);
        let limit = rng.range(-0.2, 1.5);
        for descent in Descent::ALL {
            // A fixed limit tells each pair within it once.
            let mut told = vec![0; n * m];
            let done =
                descend_trees([&a, &b], [&a_boxes, &b_boxes], descent, limit, &mut work, |i, j, bound| {
                    told[i as usize * m + j as usize] += 1;
                    assert_eq!(bound, gap(i as usize, j as usize));
                    limit
                });
            let mut left = f64::INFINITY;
            for i in 0..n {
                for j in 0..m {
                    let within = told[i * m + j] == 1;
                    assert!(told[i * m + j] <= 1 && (within || gap(i, j) >= done.left.max(limit)));
                    if !within {
                        left = left.min(gap(i, j));
                    }
                    handed += usize::from(within);
                }
            }
            assert!(done.left <= left && done.leaves == told.iter().sum::<usize>());
            spared += usize::from(done.gaps < n * m);
            // The best so far: the smallest gap.
            let least = (0..n * m).map(|k| gap(k / m, k % m)).fold(f64::INFINITY, f64::min);
            let mut best = f64::INFINITY;
            let search =
                descend_trees([&a, &b], [&a_boxes, &b_boxes], descent, best, &mut work, |_, _, bound| {
                    best = best.min(bound);
                    best
                });
            assert!(best == least && search.left >= least, "{best} {least}");
            fewer += usize::from(search.leaves < n * m);
            // Ended at once.
            let end = descend_trees([&a, &b], [&a_boxes, &b_boxes], descent, 9e9, &mut work, |_, _, _| {
                f64::NEG_INFINITY
            });
            assert!(n * m == 0 || (end.leaves == 1 && end.left == f64::NEG_INFINITY));
        }
    }
    assert!(handed > 1000 && spared > 100 && fewer > 300, "{handed} {spared} {fewer}");
}
