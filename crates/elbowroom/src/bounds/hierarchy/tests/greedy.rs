use super::*;

/// What [`WideTree::find_greedily`] finds, child by child: the query, the leaf and their bound.
fn obvious(
    tree: &WideTree,
    queries: &[WideQuery],
    below: f32,
    wanted: impl Fn(usize, u32) -> bool,
) -> Option<(usize, u32, f32)> {
    let mut nearest: Option<(usize, u32, f32)> = None;
    for (number, query) in queries.iter().enumerate() {
        let mut node = tree.root();
        while let Some(at) = node.take() {
            let gaps = tree.children_gaps(at, query);
            let possible = |lane: &usize| match gaps.child_at(*lane) {
                Child::Node(_) => true,
                Child::Leaf(leaf) => wanted(number, leaf),
            };
            let least =
                (0..gaps.count).filter(possible).min_by(|i, j| gaps.lower[*i].total_cmp(&gaps.lower[*j]));
            match least.map(|lane| (gaps.lower[lane], gaps.child_at(lane))) {
                Some((_, Child::Node(child))) => node = Some(child),
                Some((lower, Child::Leaf(leaf))) if lower < nearest.map_or(below, |(.., least)| least) => {
                    nearest = Some((number, leaf, lower));
                }
                Some((_, Child::Leaf(_))) | None => {}
            }
        }
    }
    nearest
}

#[test]
fn the_named_leaf_is_that_of_a_descent_child_by_child() {
    let rng = &mut Rng::new(21);
    let (mut found, mut refused, mut later, mut cut) = (0, 0, 0, 0);
    for round in 0..400 {
        let boxes = scattered(rng, 1 + round, 1.0, 0.2);
        let tree = WideTree::build(&boxes).unwrap();
        let near = rng.pick(&[1.0, 3.0]);
        let queries: Vec<WideQuery> =
            scattered(rng, 5, near, 0.3).iter().map(|b| tree.prepare_query(b)).collect();
        let share = rng.pick(&[1, 2, 30]);
        let wanted = |query: usize, leaf: u32| (leaf as usize + query).is_multiple_of(share);
        let below = rng.pick(&[f32::INFINITY, 0.0]);
        let told = tree.find_greedily(&queries, below, wanted);
        let expected = obvious(&tree, &queries, below, wanted);
        assert_eq!(told.map(|near| (near.query, near.leaf, near.lower)), expected);
        found += usize::from(told.is_some());
        refused += usize::from(share > 1 && told.is_some());
        later += usize::from(told.is_some_and(|near| near.query > 0));
        cut += usize::from(below == 0.0 && told.is_none());
    }
    assert!(found > 200 && refused > 50 && later > 100 && cut > 20, "{found} {refused} {later} {cut}");
    let tree = WideTree::build(&[]).unwrap();
    let query = tree.prepare_query(&around(Vec3::ZERO, Vec3::X));
    assert!(tree.find_greedily(&[query], f32::INFINITY, |_, _| true).is_none());
}

#[test]
fn the_query_of_a_group_is_that_of_the_box_around_it() {
    let rng = &mut Rng::new(22);
    let tree = WideTree::build(&scattered(rng, 50, 1.0, 0.2)).unwrap();
    for _ in 0..10_000 {
        let far = rng.pick(&[1e-9, 1.0, 1e6, 1e13]);
        let boxes = scattered(rng, 2, far, far);
        let [a, b] = [0, 1].map(|i| tree.prepare_query(&boxes[i]));
        let (joined, both) = (a.join(&b), tree.prepare_query(&boxes[0].join(&boxes[1])));
        assert_eq!(format!("{joined:?}"), format!("{both:?}"));
    }
}
