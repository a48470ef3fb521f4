//! Replacing a cloud of points and asking it allocate nothing, counted.

use crate::counting::allocation_count;
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
    let mut scratch = tree.new_scratch(13);
    let mut queries: Vec<PointQuery> = Vec::with_capacity(13);
    let (mut asked, mut found, mut refused) = (0, 0, 0);
    let before = allocation_count();
    assert!(before > 0, "the counter counts");
    for cloud in &clouds {
        tree.replace_points(cloud).unwrap();
        refused += usize::from(tree.replace_points(&[[f64::NAN; 3]]).is_err());
        queries.clear();
        for _ in 0..12 {
            let (a, b) = (rng.point(2.0), rng.point(2.0));
            queries.push(tree.around_capsule(&Capsule { a, b, radius: 0.1 }));
        }
        queries.push(tree.around_box(&AlignedBox { low: Vec3::ZERO, high: rng.point(1.0).max(Vec3::ZERO) }));
        // All points of all queries; planes on the way.
        let visits = tree.visit_nearest(&queries, f64::INFINITY, &mut scratch, |query, _, lower| {
            asked += 1;
            if asked % 100 == 0 {
                queries[query].add_plane(Vec3::Z, lower);
            }
            f64::INFINITY
        });
        assert!(visits.is_ok());
        tree.each_within(&queries, 0.1, &mut scratch, |_, _| found += 1).unwrap();
        found += usize::from(tree.any_within(&queries, 1.0, &mut scratch, |_, p| p > 5).unwrap().is_some());
    }
    assert_eq!(allocation_count() - before, 0);
    assert!(asked > 100_000 && found > 100 && refused == clouds.len(), "{asked} {found} {refused}");
}

#[test]
fn shapes_are_asked_about_points_without_allocating() {
    use crate::support::describe::one_of_each;
    use elbowroom::cloud::CloudChecker;
    use elbowroom::math::Transform;
    use elbowroom::pair::{Ask, Query, Shape};
    let shapes: Vec<Shape> = one_of_each().iter().map(|s| Shape::new(&s.shape, s.padding).unwrap()).collect();
    let shapes: Vec<&Shape> = shapes.iter().collect();
    let mut rng = Rng::new(6);
    let points: Vec<[f64; 3]> = (0..3000).map(|_| rng.point(3.0).to_array()).collect();
    let mut tree = PointTree::new(3000).unwrap();
    let mut checker = CloudChecker::new(&shapes, &tree, 0.01).unwrap();
    let mut poses = vec![Transform::IDENTITY; shapes.len()];
    let (before, mut asked) = (allocation_count(), 0);
    for _ in 0..50 {
        tree.replace_points(&points).unwrap();
        poses.iter_mut().for_each(|pose| *pose = rng.pose(2.0));
        for (ask, cutoff) in
            [(Ask::Test, 0.1), (Ask::LowerBound, f64::INFINITY), (Ask::Distance, f64::INFINITY)]
        {
            asked += checker
                .find_nearest(&tree, &poses, &Query { ask, cutoff, ..Query::default() })
                .unwrap()
                .asked;
        }
    }
    assert_eq!(allocation_count() - before, 0);
    assert!(asked > 150, "{asked}");
}
