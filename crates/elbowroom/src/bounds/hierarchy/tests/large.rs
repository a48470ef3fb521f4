//! Sets of a million boxes.

use super::*;
use std::println;
use std::time::Instant;

#[test]
#[ignore = "a long run: cargo xtask race 1000000 race"]
fn a_million_of_each_hard_set() {
    for (name, boxes) in hard_sets(1_000_000) {
        let start = Instant::now();
        let (tree, bytes) = build_counted(&boxes);
        let built = start.elapsed();
        assert!(tree.has_valid_boxes(&boxes), "{name}");
        assert!(boxes.len() < 100 || bytes <= 100 * boxes.len(), "{name}: {bytes} bytes");
        println!(
            "{name:>20}: built in {built:?}, {} levels, {:.1} bytes a leaf",
            tree.depth(),
            bytes as f64 / boxes.len().max(1) as f64
        );
        assert!(tree.depth() <= 4 + 2 * 7 + 20, "{name}: {} levels", tree.depth());
        let q = around(vec3(0.3, 0.2, 3.0), vec3(0.1, 0.1, 0.1));
        let expected = boxes.iter().map(|b| box_distance(&q, b)).fold(f64::INFINITY, f64::min);
        let mut best = f64::INFINITY;
        tree.visit_nearest(&[tree.prepare_query(&q)], best, &mut WideScratch::new(&tree, 1), |_, leaf, _| {
            best = best.min(box_distance(&q, &boxes[leaf as usize]));
            best
        });
        assert_eq!(best, expected, "{name}");
    }
}
