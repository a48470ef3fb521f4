use super::*;

type Cost = fn(&AlignedBox) -> f64;

/// One that is zero for flat boxes: many tie.
fn volume(b: &AlignedBox) -> f64 {
    let s = b.size().max(Vec3::ZERO);
    s.x * s.y * s.z
}

const COSTS: [Cost; 2] = [volume, squared_diagonal];

/// The algorithm as the paper puts it: all pairs of the list, every time.
fn obvious(boxes: &[AlignedBox], cost: Cost) -> Tree {
    let mut list: Vec<(u32, AlignedBox)> = (0..).zip(boxes.iter().copied()).collect();
    let mut joins = Vec::new();
    while list.len() > 1 {
        let (mut least, mut pair) = (f64::INFINITY, (0, 1));
        for i in 0..list.len() {
            for j in i + 1..list.len() {
                let c = cost(&list[i].1.join(&list[j].1));
                if c < least {
                    (least, pair) = (c, (i, j));
                }
            }
        }
        let (i, j) = pair;
        joins.push([list[i].0, list[j].0]);
        list[j] = ((boxes.len() + joins.len() - 1) as u32, list[i].1.join(&list[j].1));
        list.remove(i);
    }
    Tree::from_joins(boxes.len(), joins).unwrap()
}

fn check(tree: &Tree, boxes: &[AlignedBox]) {
    let mut all = vec![AlignedBox::EMPTY; tree.len()];
    tree.refit_boxes(boxes, &mut all);
    assert!(tree.has_valid_boxes(&all));
    let whole = boxes.iter().fold(AlignedBox::EMPTY, |a, b| a.join(b));
    match tree.root() {
        Some(root) => assert_eq!(all[root as usize], whole),
        None => assert!(boxes.is_empty()),
    }
    // From the root every leaf is reached once.
    let mut seen = vec![0; boxes.len()];
    let mut work: Vec<u32> = tree.root().into_iter().collect();
    while let Some(node) = work.pop() {
        match (tree.children(node), tree.leaf_number(node)) {
            (Some((l, r)), None) => work.extend([l, r]),
            (None, Some(leaf)) => seen[leaf as usize] += 1,
            other => panic!("{other:?}"),
        }
    }
    assert!(seen.iter().all(|&s| s == 1));
}

#[test]
fn joins_as_the_obvious_version_does() {
    let mut rng = Rng::new(1);
    let mut sizes = 0;
    for round in 0..300 {
        let n = rng.below(40);
        sizes = sizes.max(n);
        let mut boxes = scattered(&mut rng, n, 1.0, 0.3);
        if round % 3 == 0 {
            // Whole numbers, so that costs tie.
            for b in &mut boxes {
                let cut = |v: Vec3| {
                    vec3((v.x * 3.0) as i32 as f64, (v.y * 3.0) as i32 as f64, (v.z * 3.0) as i32 as f64)
                };
                *b = AlignedBox { low: cut(b.low), high: cut(b.high) };
            }
        }
        for cost in COSTS {
            let tree = agglomerate_boxes(&boxes, cost).unwrap();
            assert_eq!(tree, obvious(&boxes, cost), "round {round}");
            check(&tree, &boxes);
        }
    }
    assert_eq!(sizes, 39);
}

#[test]
fn hard_sets_become_trees() {
    for (name, boxes) in hard_sets(150) {
        for cost in COSTS {
            let tree = agglomerate_boxes(&boxes, cost).unwrap();
            assert_eq!(tree, obvious(&boxes, cost), "{name}");
            check(&tree, &boxes);
        }
        check(&Tree::build_balanced(boxes.len()).unwrap(), &boxes);
    }
}

#[test]
fn thousands_are_joined_in_time() {
    // Whatever the boxes: so many costs at most, so this test ends.
    let mut sets = hard_sets(1500);
    let mut rng = Rng::new(2);
    sets.push(("scattered", scattered(&mut rng, 1500, 1.0, 0.05)));
    for (name, boxes) in sets {
        let tree = agglomerate_boxes(&boxes, squared_diagonal).unwrap();
        assert_eq!(tree.leaf_count(), boxes.len(), "{name}");
        check(&tree, &boxes);
    }
}

#[test]
fn joined_by_hand() {
    let b = AlignedBox { low: vec3(1.0, 1.0, 1.0), high: vec3(3.0, 4.0, 7.0) };
    assert_eq!([squared_diagonal(&b), squared_diagonal(&AlignedBox::EMPTY)], [49.0, 0.0]);
    // Two close pairs and one far.
    let at = |x: f64| around(vec3(x, 0.0, 0.0), vec3(0.1, 0.1, 0.1));
    let boxes = [at(0.0), at(5.0), at(0.3), at(5.2), at(20.0)];
    for cost in COSTS {
        let tree = agglomerate_boxes(&boxes, cost).unwrap();
        assert_eq!(tree.joins(), [[1, 3], [0, 2], [6, 5], [7, 4]].as_slice());
    }
}

#[test]
fn what_is_no_tree_is_noticed() {
    let a = Tree::from_joins(4, vec![[0, 1], [2, 3], [4, 5]]).unwrap();
    for wrong in [
        vec![],
        vec![[0, 1]],
        vec![[0, 1], [2, 3], [4, 4]],
        vec![[0, 5], [2, 3], [4, 1]],
        vec![[0, 1], [0, 2], [4, 5]],
    ] {
        assert_eq!(Tree::from_joins(4, wrong), None);
    }
    // A box that does not contain what it joins is noticed.
    let boxes = scattered(&mut Rng::new(3), 4, 1.0, 0.1);
    let mut all = vec![AlignedBox::EMPTY; 7];
    a.refit_boxes(&boxes, &mut all);
    all[6].high.x -= 1e-9;
    assert!(!a.has_valid_boxes(&all));
}
