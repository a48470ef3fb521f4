//! Replacing a cloud of points and asking it allocate nothing, counted.

use crate::counting::calls;
use crate::support::rng::Rng;
use elbowroom::bounds::{AlignedBox, Capsule, PointQuery, PointTree};
use elbowroom::math::Vec3;

#[test]
fn points_are_replaced_and_asked_without_allocating() {
    let mut rng = Rng::new(4);
    let clouds: Vec<Vec<[f64; 3]>> = [5000, 0, 1, 4097, 300, 5000]
        .map(|n| (0..n).map(|_| rng.point(1.0).to_array()).collect())
        .into_iter()
        .chain([vec![[0.5; 3]; 5000], (0..5000).map(|i| [f64::from(i), 0.0, 0.0]).collect()])
        .collect();
    let mut tree = PointTree::new(5000).unwrap();
    let mut scratch = tree.scratch(5);
    let mut queries: Vec<PointQuery> = Vec::with_capacity(5);
    let (mut asked, mut found, mut refused) = (0, 0, 0);
    let before = calls();
    assert!(before > 0, "the counter counts");
    for cloud in &clouds {
        tree.replace(cloud).unwrap();
        refused += usize::from(tree.replace(&[[f64::NAN; 3]]).is_err());
        queries.clear();
        for _ in 0..4 {
            let (a, b) = (rng.point(2.0), rng.point(2.0));
            queries.push(tree.around_capsule(&Capsule { a, b, radius: 0.1 }));
        }
        queries.push(tree.around_box(&AlignedBox { low: Vec3::ZERO, high: rng.point(1.0).max(Vec3::ZERO) }));
        // All points of all queries, so that the open list overflows; planes on the way.
        tree.nearest(&queries, f64::INFINITY, &mut scratch, |query, _, lower| {
            asked += 1;
            if asked % 100 == 0 {
                queries[query].add_plane(Vec3::Z, lower);
            }
            f64::INFINITY
        });
        tree.each_within(&queries, 0.1, &mut scratch, |_, _| found += 1);
        found += usize::from(tree.any_within(&queries, 1.0, &mut scratch, |_, p| p > 5).is_some());
    }
    assert_eq!(calls() - before, 0);
    assert!(asked > 100_000 && found > 100 && refused == clouds.len(), "{asked} {found} {refused}");
}
