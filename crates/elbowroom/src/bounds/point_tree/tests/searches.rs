//! Searches against all points.

use super::*;
use crate::bounds::hierarchy::WideScratch;

/// The least distance of some solids to any point.
fn least(tree: &PointTree, solids: &[Solid]) -> f64 {
    let each = |solid: &Solid| tree.points().iter().map(|p| solid.distance(*p)).fold(f64::INFINITY, f64::min);
    solids.iter().map(each).fold(f64::INFINITY, f64::min)
}

#[test]
fn the_nearest_point_is_found() {
    let (mut asked, mut all) = (0, 0);
    for cloud in &clouds(2000) {
        let tree = tree_of(&cloud.points);
        let mut scratch = tree.new_scratch(4);
        let mut rng = Rng::new(21);
        for _ in 0..60 {
            let solids: Vec<Solid> = (0..4).map(|_| solid(&mut rng, cloud)).collect();
            let queries: Vec<PointQuery> = solids.iter().map(|s| s.query(&tree)).collect();
            let (mut best, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
            let visits = tree.visit_nearest(&queries, f64::INFINITY, &mut scratch, |query, point, lower| {
                assert!(lower >= last, "in the order of their bounds");
                last = lower;
                asked += 1;
                best = solids[query].distance(tree.points()[point as usize]).min(best);
                best
            });
            let visits = visits.unwrap();
            all += solids.len() * tree.len();
            let truth = least(&tree, &solids);
            assert_eq!(best, truth, "{}", cloud.name);
            assert!(
                tree.is_empty()
                    || f64::from(visits.left) >= best - 1e-3 * best.abs()
                    || visits.left.is_finite()
            );
        }
    }
    assert!(asked * 20 < all, "{asked} of {all}");
}

#[test]
fn all_points_within_a_distance_are_reported_once() {
    let mut found = 0;
    for cloud in &clouds(1000) {
        let tree = tree_of(&cloud.points);
        // A short open list overflows, and changes nothing.
        let mut scratch = [WideScratch::for_levels(tree.most_levels(), 2, 4), tree.new_scratch(2)];
        let mut rng = Rng::new(23);
        for _ in 0..40 {
            let solids: Vec<Solid> = (0..2).map(|_| solid(&mut rng, cloud)).collect();
            let queries: Vec<PointQuery> = solids.iter().map(|s| s.query(&tree)).collect();
            let distance = rng.pick(&[0.0, 0.1, 0.5]) * cloud.size;
            let mut reported = vec![[0; 2]; tree.len()];
            tree.each_within(&queries, distance, &mut scratch[0], |q, p| reported[p as usize][q] += 1)
                .unwrap();
            for (p, reported) in tree.points().iter().zip(&reported) {
                for (solid, times) in solids.iter().zip(reported) {
                    let truth = solid.distance(*p);
                    let few = 1e-5 * (8.0 * cloud.size + (cloud.middle - tree.origin).max_abs());
                    assert!(*times == 1 || *times == 0 && truth > distance - rounding(solid, *p));
                    assert!(*times == 0 || truth <= distance + few, "{}: {truth}", cloud.name);
                    found += times;
                }
            }
            let is_within = |q: usize, p: u32| solids[q].distance(tree.points()[p as usize]) <= distance;
            let any = tree.any_within(&queries, distance, &mut scratch[1], is_within).unwrap();
            assert_eq!(any.is_some(), least(&tree, &solids) <= distance, "{}", cloud.name);
            assert!(any.is_none_or(|(q, p)| is_within(q, p)));
        }
    }
    assert!(found > 5000, "{found}");
}

/// A search that learns planes asks fewer points, and finds the same.
#[test]
fn planes_that_are_found_on_the_way_prune() {
    let cloud = clouds(4096).into_iter().find(|cloud| cloud.name == "plane").unwrap();
    let tree = tree_of(&cloud.points);
    let mut scratch = tree.new_scratch(1);
    let mut rng = Rng::new(29);
    let mut asked = [0, 0];
    for _ in 0..100 {
        let center = vec3(rng.range(-0.5, 0.5), rng.range(-0.5, 0.5), rng.range(0.6, 0.8));
        let half = vec3(0.2, 0.2, 0.05);
        let body = AlignedBox { low: center - half, high: center + half };
        let solid = Solid::Box(body);
        let truth = least(&tree, &[solid]);
        for (asked, learns) in asked.iter_mut().zip([false, true]) {
            let around = Capsule { a: center, b: center, radius: half.norm() };
            let queries = [tree.around_capsule(&around)];
            let mut best = f64::INFINITY;
            let visits = tree.visit_nearest(&queries, f64::INFINITY, &mut scratch, |_, point, _| {
                *asked += 1;
                let p = tree.points()[point as usize];
                let on_body = p.max(body.low).min(body.high);
                if let (true, Some(n)) = (learns, (p - on_body).normalized()) {
                    queries[0].add_plane(n, n.dot(on_body) + 1e-12);
                }
                best = best.min((p - on_body).norm());
                best
            });
            assert!(visits.is_ok() && best == truth);
        }
    }
    assert!(asked[1] * 10 < asked[0], "{asked:?}");
}
