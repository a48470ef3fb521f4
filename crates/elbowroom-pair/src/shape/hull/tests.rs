//! Hulls of ugly sets, held against brute force with the exact predicate.

use super::predicate::{are_collinear, compare_points, plane_side};
use super::*;
use crate::shape::tolerance::CLIMB_FROM;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::{Vec3, vec3};

mod climbs;
#[cfg(feature = "std")]
mod real;
mod sets;

fn vertices(hull: &Hull) -> Vec<Vec3> {
    hull.vertices().collect()
}

fn faces(hull: &Hull) -> Vec<[u32; 3]> {
    hull.faces().collect()
}

/// Everything that can be said about any hull of any points; containment by brute force where that is
/// affordable.
fn examine(points: &[Vec3], hull: &Hull) {
    let v = &vertices(hull)[..];
    assert!(!v.is_empty());
    assert!(
        v.len() > crate::shape::tolerance::HULL_TABLE_VERTICES
            || v.windows(2).all(|w| compare_points(w[0], w[1]).is_lt())
    );
    if hull.defect() == 0.0 {
        let mut sorted = points.to_vec();
        sorted.sort_unstable_by(|&a, &b| compare_points(a, b));
        assert!(
            v.iter().all(|&x| sorted.binary_search_by(|&p| compare_points(p, x)).is_ok()),
            "vertices are input points"
        );
    }
    match hull.rank() {
        Rank::Point => assert!(v.len() == 1 && points.iter().all(|&p| p == v[0])),
        Rank::Segment => {
            assert_eq!(v.len(), 2);
            for &p in points {
                assert!(
                    are_collinear(v[0], v[1], p)
                        && !compare_points(p, v[0]).is_lt()
                        && !compare_points(p, v[1]).is_gt()
                );
            }
        }
        Rank::Polygon => {
            assert!(v.len() >= 3 && hull.faces().len() == 2 * (v.len() - 2));
            let [a, b, c] = faces(hull)[0].map(|i| v[i as usize]);
            assert!(points.iter().all(|&p| plane_side(a, b, c, p) == 0.0));
            if v.len() * points.len() < 4_000_000 {
                contains_flat(points, hull, (b - a).cross(c - a));
            }
        }
        Rank::Solid => {
            check::check_convex(v, &faces(hull)).unwrap();
            if hull.faces().len() * points.len() < 4_000_000 {
                for f in hull.faces() {
                    let [a, b, c] = f.map(|i| v[i as usize]);
                    assert!(points.iter().all(|&p| plane_side(a, b, c, p) <= 0.0), "a point is outside");
                }
            }
        }
    }
    // Neighbours are mutual, connected, packed as promised.
    let mut reached = vec![false; v.len()];
    let mut stack = vec![0];
    reached[0] = true;
    while let Some(i) = stack.pop() {
        let (blocks, ids) = hull.neighbour_blocks(i);
        let ns = hull.neighbours(i);
        assert_eq!(blocks.len(), ns.len().div_ceil(4));
        assert_eq!(blocks.len(), ids.len());
        for (k, (b, id)) in blocks.iter().zip(ids).enumerate() {
            for lane in 0..4 {
                let w = ns[(4 * k + lane).min(ns.len() - 1)];
                assert_eq!(id[lane], w);
                assert_eq!(v[w as usize], vec3(b.x[lane], b.y[lane], b.z[lane]));
            }
        }
        for &w in ns {
            assert!(hull.neighbours(w as usize).contains(&(i as u32)) && w as usize != i);
            if !reached[w as usize] {
                reached[w as usize] = true;
                stack.push(w as usize);
            }
        }
    }
    assert!(reached.iter().all(|&r| r));
    for (i, b) in hull.blocks().iter().enumerate() {
        for lane in 0..4 {
            assert_eq!(v[(4 * i + lane).min(v.len() - 1)], vec3(b.x[lane], b.y[lane], b.z[lane]));
        }
    }
    assert_eq!(hull.blocks().len(), v.len().div_ceil(4));
    // Ball and norm.
    let InBall { center, radius, .. } = Hull::with_ball(points).unwrap();
    for &x in v {
        assert!((x - center).norm() <= radius && x.norm() <= hull.max_abs());
    }
    let diameter = v.iter().map(|&x| (x - v[0]).norm()).fold(0.0, f64::max);
    assert!(radius <= diameter * 1.001 + f64::MIN_POSITIVE, "{} {}", radius, diameter);
}

/// In the plane: every point is left of every ring edge, seen along the normal, exactly.
fn contains_flat(points: &[Vec3], hull: &Hull, normal: Vec3) {
    let v = &vertices(hull)[..];
    let [a, b, c] = faces(hull)[0].map(|i| v[i as usize]);
    let size = |d: usize| predicate::projected_orientation(d, a, b, c).abs();
    let drop = (1..3).fold(0, |best, d| if size(d) > size(best) { d } else { best });
    let mut ring_edges = 0;
    for i in 0..v.len() {
        for &j in hull.neighbours(i) {
            let side: Vec<f64> = points
                .iter()
                .map(|&p| predicate::projected_orientation(drop, v[i], v[j as usize], p))
                .collect();
            if side.iter().all(|&s| s >= 0.0) {
                ring_edges += 1;
                // Strict corners: nothing but the two ends and what lies between them is on the line.
                assert!(
                    v.iter()
                        .filter(|&&x| predicate::projected_orientation(drop, v[i], v[j as usize], x) == 0.0)
                        .count()
                        == 2
                );
            }
        }
    }
    assert_eq!(ring_edges, v.len(), "{normal:?}");
}

fn hull(points: &[Vec3]) -> Hull {
    let InBall { hull: h, center, radius } = Hull::with_ball(points).unwrap();
    assert_eq!(h.defect(), 0.0);
    examine(points, &h);
    let scratch = &mut HullScratch::new();
    let draft = Draft::for_queries(points, scratch).unwrap();
    let middle = scratch.ball_centers(&[draft.points()])[0];
    let InBall { hull: ask, center: asked_center, radius: asked_radius } = draft.finish_hull(middle);
    assert_eq!((vertices(&ask), faces(&ask)), (vertices(&h), faces(&h)));
    assert_eq!((asked_center, asked_radius, ask.max_abs()), (center, radius, h.max_abs()));
    assert_eq!(ask.graph().is_some(), ask.vertex_count() >= CLIMB_FROM);
    if points.len() <= small::MOST {
        // The growth that is for many points.
        let many = Hull::with_budget(points, Some(u64::MAX)).unwrap().hull;
        assert_eq!((vertices(&many), faces(&many)), (vertices(&h), faces(&h)));
    }
    h
}

/// Hulls in one store are those that have a store of their own.
#[test]
fn a_store_keeps_hulls_apart() {
    let mut rng = crate::rng::Rng::new(4);
    let mut scratch = HullScratch::new();
    let mut drafts = |_| -> Vec<Draft> {
        let mut rng = crate::rng::Rng::new(9);
        [1, 2, 3, 4, 5, 9, 15, 16, 17, 40, 130, 300, 6]
            .map(|n| {
                let points: Vec<Vec3> = (0..n).map(|_| rng.direction()).collect();
                Draft::for_queries(&points, &mut scratch).unwrap()
            })
            .into()
    };
    let alone: Vec<Hull> = drafts(0).into_iter().map(|d| d.finish_hull(Vec3::ZERO).hull).collect();
    let mut filling = Draft::room_for(drafts(0).iter());
    let laid: Vec<Laid> = drafts(0).into_iter().map(|d| d.lay_in_store(Vec3::ZERO, &mut filling)).collect();
    let store = filling.into_shared();
    let together: Vec<Hull> = laid.into_iter().map(|l| l.in_store(&store).hull).collect();
    for (a, b) in alone.iter().zip(&together) {
        assert_eq!((vertices(a), faces(a)), (vertices(b), faces(b)));
        assert_eq!((a.rank(), a.max_abs(), a.blocks()), (b.rank(), b.max_abs(), b.blocks()));
        assert_eq!(b.shares_store(&together[0]), b.vertex_count() < CLIMB_FROM);
        let d = rng.direction();
        assert_eq!(a.climb_from(0, d), b.climb_from(0, d));
    }
    // A shape that is a hull is not larger than one that is a box.
    assert_eq!(size_of::<crate::shape::solid::Core>(), size_of::<Hull>());
}

/// Every point looked at at every step.
#[test]
fn balls_are_those_of_the_whole_walk() {
    let mut rng = crate::rng::Rng::new(8);
    let mut left_out = 0;
    for n in [1, 2, 3, 4, 5, 8, 20, 30, 60, 200, 5000] {
        for round in 0..20 {
            let scale = [1.0, 1e-3, 1e3, 1e-80][round % 4];
            let mut points: Vec<Vec3> = (0..n)
                .map(|_| rng.direction().scaled(vec3(1.0, [1.0, 0.3, 0.0][round % 3], 2.0)) * scale)
                .collect();
            if round % 5 == 0 {
                // Many that are equally far.
                points.iter_mut().for_each(|p| *p = vec3(p.x.signum(), p.y.signum(), p.z.signum()) * scale);
            }
            let farthest = |c: Vec3| {
                points.iter().fold((0.0, c), |(d, at), &p| {
                    let e = (p - c).norm_squared();
                    if e > d { (e, p) } else { (d, at) }
                })
            };
            let (low, high) = points.iter().fold((points[0], points[0]), |(l, h), &p| (l.min(p), h.max(p)));
            let mut c = low + (high - low) * 0.5;
            let (mut d, mut at) = farthest(c);
            let mut best = (c, d);
            for i in 0..(crate::shape::tolerance::HULL_BALL_WORK / n).clamp(8, 256) {
                c += (at - c) * (1.0 / (i as f64 + 4.0));
                (d, at) = farthest(c);
                if d < best.1 {
                    best = (c, d);
                }
            }
            let mut candidates = ball::Candidates::default();
            // Beside shorter sets and alone.
            let cut = |n: usize| &points[..points.len().min(n)];
            let mut scratch = HullScratch::new();
            assert_eq!(scratch.ball_centers(&[cut(3), &points, &[], cut(7), cut(1)])[1], best.0);
            assert_eq!(scratch.ball_centers(&[&points]), [best.0]);
            assert_eq!(scratch.ball_center(&points), best.0);
            assert_eq!(ball::approximate_ball(&points, &mut candidates), best);
            left_out += usize::from(candidates.points() < n);
        }
    }
    assert!(left_out > 100, "{left_out}");
}

/// The extreme points by brute force: those that the hull of all others does not contain.
fn extreme(points: &[Vec3]) -> Vec<Vec3> {
    let mut set = points.to_vec();
    set.sort_unstable_by(|&a, &b| compare_points(a, b));
    set.dedup();
    (0..set.len())
        .filter(|&i| {
            let mut others = set.clone();
            let p = others.remove(i);
            if others.is_empty() {
                return true;
            }
            let h = Hull::from_points(&others).unwrap();
            let v = vertices(&h);
            match h.rank() {
                Rank::Solid => h.faces().any(|f| {
                    let [a, b, c] = f.map(|i| v[i as usize]);
                    plane_side(a, b, c, p) > 0.0
                }),
                // Flat others: the union has at least as high a rank, and p is extreme unless its hull is
                // theirs.
                _ => {
                    let all = Hull::from_points(&set).unwrap();
                    vertices(&all) != v
                }
            }
        })
        .map(|i| set[i])
        .collect()
}
