//! The tree after its points were replaced.

use super::super::blocks::Boxes;
use super::super::query::PointQuery;
use super::*;
use crate::counting::{allocation_count, held_bytes};
use elbowroom_pair::numeric::wide::WIDTH;

fn contains(boxes: &Boxes, lane: usize, at: [f32; 3]) -> bool {
    (0..3).all(|k| boxes.low[k][lane] <= at[k] && at[k] <= boxes.high[k][lane])
}

/// Whether each point is in one block, and in every box above it.
fn is_whole(tree: &PointTree) -> bool {
    let mut seen = vec![0; tree.len()];
    let mut ok = tree.blocks.len() == tree.len().div_ceil(WIDTH);
    for (number, block) in tree.blocks.iter().enumerate() {
        for lane in 0..WIDTH.min(tree.len() - WIDTH * number) {
            seen[block.point[lane] as usize] += 1;
            let at = [0, 1, 2].map(|k| block.at[k][lane]);
            let given = tree.points()[block.point[lane] as usize] - tree.origin;
            ok &= at == given.to_array().map(|x| x as f32);
            let mut node = tree.first_block + number;
            while node > 0 {
                let lane = (node - 1) % WIDTH;
                node = (node - 1) / WIDTH;
                ok &= contains(&tree.nodes[node], lane, at);
            }
        }
    }
    ok && seen.iter().all(|n| *n == 1)
}

#[test]
fn every_point_is_there_once_and_below_its_boxes() {
    let all = clouds(4000);
    let most = all.iter().map(|cloud| cloud.points.len()).max().unwrap();
    let before = held_bytes();
    let mut tree = PointTree::new(most).unwrap();
    let bytes = held_bytes() - before;
    for cloud in &all {
        let before = allocation_count();
        tree.replace_points(&cloud.points).unwrap();
        assert_eq!(allocation_count(), before, "memory grew");
        assert!(is_whole(&tree), "{}: {}", cloud.name, cloud.points.len());
        assert_eq!((tree.len(), tree.capacity()), (cloud.points.len(), most));
    }
    // Around each change of the number of levels.
    for n in (1..70).chain(505..520).chain(4090..4105) {
        let mut rng = Rng::new(n as u64);
        let tree = tree_of(&(0..n).map(|_| rng.point(1.0).to_array()).collect::<Vec<_>>());
        assert!(is_whole(&tree), "{n}");
    }
    assert!(bytes < 66 * most as isize + 1000, "{bytes}");
}

#[test]
fn what_is_refused_leaves_the_old_points() {
    let mut tree = PointTree::new(3).unwrap();
    let good = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    tree.replace_points(&good).unwrap();
    assert_eq!(tree.replace_points(&[[0.0; 3]; 4]), Err(PointFault::TooMany { given: 4, capacity: 3 }));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.1e9] {
        let fault = tree.replace_points(&[[0.0; 3], [0.0, bad, 0.0], [bad; 3]]).unwrap_err();
        let PointFault::Coordinates { count: 2, first: 1, point } = fault else { panic!("{fault}") };
        assert!(point[1].to_bits() == bad.to_bits() && point[0] == 0.0);
        assert!(alloc::format!("{fault}").contains("2 points"), "{fault}");
    }
    let kept: Vec<[f64; 3]> = tree.points().iter().map(|p| p.to_array()).collect();
    assert!(kept == good && is_whole(&tree));
    tree.replace_points(&[[1e9; 3], [-1e9; 3], [0.0; 3]]).unwrap();
    assert!(is_whole(&tree));
    assert!(PointTree::new((1 << 30) + 1).is_none());
}

#[test]
fn an_empty_tree_answers() {
    for mut tree in [PointTree::new(0).unwrap(), PointTree::new(10).unwrap()] {
        tree.replace_points(&[]).unwrap();
        let query: PointQuery = tree.around_capsule(&Capsule::UNBOUNDED);
        let mut scratch = tree.new_scratch(1);
        let visits = tree.visit_nearest(&[query], f64::INFINITY, &mut scratch, |_, _, _| panic!("no point"));
        assert!(tree.is_empty() && visits.unwrap().left == f32::INFINITY);
    }
}

#[test]
fn queries_of_other_points_are_refused() {
    let (here, there) = (vec![[0.0; 3]; 9], vec![[0.0, 0.0, 5.0]; 9]);
    let mut tree = PointTree::new(9).unwrap();
    tree.replace_points(&here).unwrap();
    let mut scratch = tree.new_scratch(2);
    let solid = Capsule { a: Vec3::ZERO, b: Vec3::X, radius: 0.1 };
    let old = tree.around_capsule(&solid);
    tree.replace_points(&there).unwrap();
    let queries = [tree.around_capsule(&solid), old];
    let fault = tree.visit_nearest(&queries, 1.0, &mut scratch, |_, _, _| panic!("refused")).unwrap_err();
    assert!(fault == StaleQuery { query: 1 } && alloc::format!("{fault}").contains("query 1"));
    assert!(tree.any_within(&queries, 1.0, &mut scratch, |_, _| true).is_err());
    assert!(tree.each_within(&queries, 1.0, &mut scratch, |_, _| ()).is_err());
    tree.replace_points(&here).unwrap();
    assert!(tree.any_within(&queries[1..], 1.0, &mut scratch, |_, _| true).unwrap().is_some());
}
