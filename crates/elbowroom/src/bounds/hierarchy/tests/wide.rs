use super::*;

/// All pairs of queries and boxes in the order of their gaps.
fn obvious(queries: &[AlignedBox], boxes: &[AlignedBox]) -> Vec<(f64, usize, usize)> {
    let mut all = Vec::new();
    for (q, a) in queries.iter().enumerate() {
        all.extend(boxes.iter().enumerate().map(|(i, b)| (box_distance(a, b), q, i)));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

/// The least gap that a search finds with the gaps in f64 as its leaves, and what it did.
fn search(tree: &WideTree, queries: &[AlignedBox], boxes: &[AlignedBox], open: usize) -> (f64, Visits) {
    let asked: Vec<WideQuery> = queries.iter().map(|q| tree.prepare_query(q)).collect();
    let mut scratch = WideScratch::with_open_list(tree, queries.len(), open);
    let (mut best, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut order = true;
    let mut handed = vec![false; queries.len() * boxes.len()];
    let before = allocation_count();
    let visits = tree.visit_nearest(&asked, f64::INFINITY, &mut scratch, |q, leaf, lower| {
        handed[q * boxes.len() + leaf as usize] = true;
        let gap = box_distance(&queries[q], &boxes[leaf as usize]);
        assert!(lower <= gap, "a bound {lower:e} above the gap {gap:e} of leaf {leaf}");
        order &= lower >= last;
        last = lower;
        best = best.min(gap);
        best
    });
    assert_eq!(allocation_count(), before, "memory grew");
    assert!(order || visits.overflows > 0, "out of order");
    let single = best;
    // The search once more, with the queries in a tree.
    let bodies = agglomerate_boxes(queries, squared_diagonal).unwrap();
    let mut around = vec![AlignedBox::EMPTY; bodies.len()];
    bodies.refit_boxes(queries, &mut around);
    let asked: Vec<WideQuery> = around.iter().map(|q| tree.prepare_query(q)).collect();
    (best, last, order) = (f64::INFINITY, f64::NEG_INFINITY, true);
    let before = allocation_count();
    let together = tree.nearest_of_tree(&bodies, &asked, f64::INFINITY, &mut scratch, |q, leaf, lower| {
        let gap = box_distance(&queries[q], &boxes[leaf as usize]);
        assert!(lower <= gap, "a bound {lower:e} above the gap {gap:e} of leaf {leaf}");
        order &= lower >= last;
        last = lower;
        best = best.min(gap);
        best
    });
    assert_eq!(allocation_count(), before, "memory grew");
    assert!(order || together.unwrap().overflows > 0, "out of order");
    assert_eq!(best, single);
    // All that are near, in no order, some at a time.
    let mut within = WithinScratch::for_levels(tree.depth(), queries.len());
    let target = best + 0.1 * (1.0 + best.abs());
    let mut found = vec![false; queries.len() * boxes.len()];
    let before = allocation_count();
    within.start_search(tree, &bodies);
    let go_on = |within: &mut WithinScratch, found: &mut [bool]| {
        tree.within_of_tree(&bodies, &asked, target as f32, within, |q, leaf| {
            let at = q as usize * boxes.len() + leaf as usize;
            assert!(!core::mem::replace(&mut found[at], true), "leaf {leaf} twice");
            leaf % 3 == 0
        })
    };
    while !go_on(&mut within, &mut found) {}
    let gaps = queries.iter().flat_map(|q| boxes.iter().map(move |b| box_distance(q, b)));
    let slack = 1e-5 * (1.0 + best.abs());
    for (gap, found) in gaps.zip(&found) {
        assert!(*found || gap > target - slack, "{gap:e} is near, and was not found");
    }
    assert_eq!(allocation_count(), before, "memory grew");
    let pairs = queries.iter().flat_map(|q| boxes.iter().map(move |b| box_distance(q, b)));
    let left = pairs.zip(&handed).filter(|(_, h)| !**h).map(|(gap, _)| gap).fold(f64::INFINITY, f64::min);
    assert!(f64::from(visits.left) <= left, "{} is left, {left} is", visits.left);
    assert!(visits.left.is_finite() == left.is_finite(), "{} is left, {left} is", visits.left);
    (best, visits)
}

#[test]
fn finds_the_nearest() {
    let mut rng = Rng::new(11);
    let (mut overlapping, mut apart, mut overflows, mut pruned) = (0, 0, 0, 0);
    for round in 0..300 {
        let n = 1 + rng.below(if round % 10 == 0 { 5000 } else { 300 });
        let size = rng.decades(-3.0, 3.0);
        let edge = size * rng.range(0.01, 0.5);
        let boxes = scattered(&mut rng, n, size, edge);
        let tree = WideTree::build(&boxes).unwrap();
        assert!(tree.has_valid_boxes(&boxes));
        let bodies = 1 + rng.below(10);
        let spread = size * rng.range(0.5, 3.0);
        let queries = scattered(&mut rng, bodies, spread, edge);
        let expected = obvious(&queries, &boxes)[0].0;
        let open = if round % 2 == 0 { 4096 } else { rng.below(8) };
        let (found, visits) = search(&tree, &queries, &boxes, open);
        assert_eq!(found, expected, "round {round}");
        if expected < 0.0 {
            overlapping += 1
        } else {
            apart += 1
        }
        overflows += usize::from(visits.overflows > 0);
        pruned += usize::from(visits.leaves * 10 < (n * bodies) as u64);
    }
    assert!(
        overlapping > 50 && apart > 50 && overflows > 50 && pruned > 100,
        "{overlapping} overlapping, {apart} apart, {overflows} overflows, {pruned} pruned"
    );
}

#[test]
fn nothing_below_the_cutoff_is_left_out() {
    let mut rng = Rng::new(12);
    let mut handed = 0;
    for round in 0..200 {
        let boxes = scattered(&mut rng, 500, 1.0, 0.1);
        let tree = WideTree::build(&boxes).unwrap();
        let queries = scattered(&mut rng, 3, 1.0, 0.2);
        let asked: Vec<WideQuery> = queries.iter().map(|q| tree.prepare_query(q)).collect();
        let cutoff = rng.range(-0.05, 0.4);
        let mut scratch = WideScratch::with_open_list(&tree, 3, if round % 2 == 0 { 4096 } else { 8 });
        let mut seen = vec![0; 1500];
        let visits = tree.visit_nearest(&asked, cutoff, &mut scratch, |q, leaf, lower| {
            assert!(lower < cutoff);
            seen[q * 500 + leaf as usize] += 1;
            cutoff
        });
        handed += visits.leaves;
        for (gap, q, i) in obvious(&queries, &boxes) {
            let s = seen[q * 500 + i];
            assert!(s <= 1 && (s == 1 || gap >= cutoff), "round {round}: {gap} below {cutoff} left out");
            assert!(s == 0 || gap <= cutoff + 1e-5, "round {round}: {gap} above {cutoff} handed out");
        }
        // Minus infinity ends it with the first leaf.
        let ended = tree.visit_nearest(&asked, cutoff, &mut scratch, |_, _, _| f64::NEG_INFINITY);
        assert_eq!(ended.leaves, visits.leaves.min(1));
    }
    assert!(handed > 4000, "{handed} leaves");
}

#[test]
fn hard_sets_become_trees() {
    let mut rng = Rng::new(13);
    for (name, boxes) in hard_sets(3000) {
        let (tree, bytes) = build_counted(&boxes);
        assert!(tree.has_valid_boxes(&boxes), "{name}");
        assert!(tree.depth() <= 4 + 2 * 4 + 12, "{name}: {} levels", tree.depth());
        assert!(boxes.len() < 100 || bytes <= 100 * boxes.len(), "{name}: {bytes} bytes");
        for open in [0, 4096] {
            let queries = scattered(&mut rng, 3, 2.0, 0.5);
            let expected = obvious(&queries, &boxes).first().map_or(f64::INFINITY, |e| e.0);
            assert_eq!(search(&tree, &queries, &boxes, open).0, expected, "{name}");
        }
    }
}

#[test]
fn what_is_no_box_is_near_or_nowhere() {
    let mut boxes = scattered(&mut Rng::new(14), 100, 1.0, 0.1);
    let nan = f64::NAN;
    boxes[3] = AlignedBox { low: vec3(nan, 0.0, 0.0), high: vec3(nan, 1.0, 1.0) };
    boxes[5] = AlignedBox { low: vec3(-1.0, f64::NEG_INFINITY, 0.0), high: vec3(1.0, f64::INFINITY, 1.0) };
    boxes[7] = AlignedBox::EMPTY;
    boxes[9] = AlignedBox { low: vec3(1e300, 0.0, 0.0), high: vec3(f64::MAX, 1.0, 1.0) };
    let tree = WideTree::build(&boxes).unwrap();
    assert!(tree.has_valid_boxes(&boxes));
    let mut scratch = WideScratch::new(&tree, 10);
    let everything =
        AlignedBox { low: vec3(-1.0, -1.0, -1.0) * f64::INFINITY, high: vec3(1.0, 1.0, 1.0) * f64::INFINITY };
    let nowhere = AlignedBox { low: vec3(nan, nan, nan), high: vec3(nan, nan, nan) };
    let far = around(vec3(1e300, 0.0, 0.0), vec3(1e290, 1.0, 1.0));
    for asked in
        [around(vec3(0.0, 0.5, 0.5), vec3(0.1, 0.1, 0.1)), everything, nowhere, far, AlignedBox::EMPTY]
    {
        let mut seen = [false; 100];
        tree.visit_nearest(&[tree.prepare_query(&asked)], f64::INFINITY, &mut scratch, |_, leaf, lower| {
            assert!(!lower.is_nan());
            seen[leaf as usize] = true;
            f64::INFINITY
        });
        let expected = asked != AlignedBox::EMPTY;
        assert!((0..100).all(|i| i == 7 || seen[i] == expected), "{asked:?}: {seen:?}");
        let mut touched = [false; 100];
        tree.visit_nearest(&[tree.prepare_query(&asked)], 0.0, &mut scratch, |_, leaf, _| {
            touched[leaf as usize] = true;
            0.0
        });
        // A box that may be anywhere is never left out.
        assert!(!expected || touched[3] || asked == far, "{asked:?}");
    }
    for cutoff in [nan, f64::NEG_INFINITY] {
        let q = tree.prepare_query(&boxes[0]);
        let visits = tree.visit_nearest(&[q], cutoff, &mut scratch, |_, _, _| nan);
        assert_eq!(visits.leaves > 90, cutoff.is_nan());
    }
    let visits = tree.visit_nearest(&[], 1.0, &mut scratch, |_, _, _| 0.0);
    assert!(visits.nodes == 0 && visits.left == f32::INFINITY);
}

#[test]
fn one_step_at_a_time() {
    let boxes = scattered(&mut Rng::new(15), 400, 1.0, 0.1);
    let tree = WideTree::build(&boxes).unwrap();
    let q = around(Vec3::ZERO, vec3(0.2, 0.1, 0.3));
    let (query, mut seen, mut overlapping) = (tree.prepare_query(&q), 0, 0);
    let mut work: Vec<u32> = tree.root().into_iter().collect();
    while let Some(node) = work.pop() {
        let gaps = tree.children_gaps(node, &query);
        for lane in 0..gaps.count {
            match gaps.child_at(lane) {
                Child::Node(n) => work.push(n),
                Child::Leaf(leaf) => {
                    let (gap, lower) = (box_distance(&q, &boxes[leaf as usize]), f64::from(gaps.lower[lane]));
                    assert!(lower <= gap && gap - lower < 1e-5, "{lower} {gap}");
                    seen += 1;
                    overlapping += usize::from(gap < 0.0);
                }
            }
        }
    }
    assert!(seen == 400 && overlapping > 0 && tree.children_gaps(u32::MAX, &query).count == 0);
}
