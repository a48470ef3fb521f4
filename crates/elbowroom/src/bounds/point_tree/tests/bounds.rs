//! No bound is above the truth, nor far below it.

use super::super::lanes::{bound_boxes, bound_points};
use super::*;
use elbowroom_pair::numeric::simd::{Kernel, Lanes, Plain, dispatch_kernel};
use elbowroom_pair::numeric::wide::WIDTH;

/// The bounds of all blocks and all nodes.
struct All<'a> {
    tree: &'a PointTree,
    query: &'a PointQuery,
}

impl Kernel for All<'_> {
    type Output = (Vec<[f32; 8]>, Vec<[f32; 8]>);
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Self::Output {
        let All { tree, query } = self;
        let (mut points, mut boxes) = (Vec::new(), Vec::new());
        for block in &tree.blocks {
            points.push(l.to_array8(bound_points(l, block, query)));
        }
        for node in &tree.nodes {
            boxes.push(l.to_array8(bound_boxes(l, node, query)));
        }
        (points, boxes)
    }
}

/// Planes that a box lies behind: of its faces, and of any direction.
fn add_planes(rng: &mut Rng, query: &PointQuery, body: &AlignedBox) {
    for _ in 0..rng.below(7) {
        let n = if rng.chance(0.3) { Vec3::Z } else { rng.direction() };
        let n = if rng.chance(0.5) { n } else { -n };
        let side = |k: usize| n[k] * if n[k] > 0.0 { body.high[k] } else { body.low[k] };
        let height = side(0) + side(1) + side(2);
        query.add_plane(n, height + 1e-15 * (body.low.max_abs() + body.high.max_abs()));
    }
}

/// Signed distance of a point and a box.
fn signed(b: &AlignedBox, p: Vec3) -> f64 {
    let deepest = (0..3).map(|k| (b.low[k] - p[k]).max(p[k] - b.high[k])).fold(f64::NEG_INFINITY, f64::max);
    if deepest > 0.0 { Solid::Box(*b).distance(p) } else { deepest }
}

#[test]
fn bounds_are_below_the_truth_and_near_it() {
    let (mut checked, mut near, mut behind) = (0, 0, 0);
    for cloud in &clouds(1000) {
        let tree = tree_of(&cloud.points);
        let mut rng = Rng::new(11);
        for round in 0..60 {
            let solid = solid(&mut rng, cloud);
            let query = solid.query(&tree);
            // Planes of a body that lies in a box.
            let body = match solid {
                Solid::Box(b) if round % 2 == 0 => Some(b),
                Solid::Box(_) | Solid::Capsule(_) => None,
            };
            if let Some(body) = &body {
                add_planes(&mut rng, &query, body);
            }
            let (points, boxes) = dispatch_kernel(All { tree: &tree, query: &query });
            for (number, (block, lower)) in tree.blocks.iter().zip(&points).enumerate() {
                let count = WIDTH.min(tree.len() - WIDTH * number);
                assert!(lower[count..].iter().all(|x| *x == f32::INFINITY));
                for lane in 0..count {
                    let p = tree.points()[block.point[lane] as usize];
                    let truth = body.map_or(solid.distance(p), |body| signed(&body, p));
                    let (lower, error) = (f64::from(lower[lane]), rounding(&solid, p));
                    assert!(lower <= truth + error, "{}: {lower} above {truth}, {solid:?}", cloud.name);
                    let scale = truth.abs() + 8.0 * cloud.size + (cloud.middle - tree.origin).max_abs();
                    near += usize::from(body.is_none() && lower > truth - 1e-5 * scale);
                    behind += usize::from(body.is_some() && lower > solid.distance(p) + 1e-3 * cloud.size);
                    checked += usize::from(body.is_none());
                    // And those of all boxes above it.
                    let mut node = tree.first_block + number;
                    while node > 0 {
                        let around = f64::from(boxes[(node - 1) / WIDTH][(node - 1) % WIDTH]);
                        assert!(around <= truth + error, "{}: {around} above {truth}", cloud.name);
                        node = (node - 1) / WIDTH;
                    }
                }
            }
        }
    }
    assert!(near as f64 > 0.999 * checked as f64 && checked > 100_000, "{near} {behind} {checked}");
}

#[test]
fn planes_raise_bounds() {
    let cloud = &clouds(1000)[8];
    let tree = tree_of(&cloud.points);
    // A thin plate in a ball around it.
    let ball = Capsule { a: Vec3::ZERO, b: Vec3::ZERO, radius: 0.5 };
    let (without, with) = (tree.around_capsule(&ball), tree.around_capsule(&ball));
    with.add_plane(Vec3::Z, 0.01);
    with.add_plane(-Vec3::Z, 0.01);
    with.add_plane(vec3(2.0, 0.0, 0.0), -1.0);
    with.add_plane(vec3(f64::NAN, 0.0, 0.0), 0.0);
    with.add_plane(Vec3::X, f64::NAN);
    let before = dispatch_kernel(All { tree: &tree, query: &without });
    let after = dispatch_kernel(All { tree: &tree, query: &with });
    let pairs = |a: &[[f32; 8]], b: &[[f32; 8]]| {
        let better = a.as_flattened().iter().zip(b.as_flattened()).filter(|(a, b)| a < b).count();
        let worse = a.as_flattened().iter().zip(b.as_flattened()).filter(|(a, b)| a > b).count();
        (better, worse)
    };
    let (points, boxes) = (pairs(&before.0, &after.0), pairs(&before.1, &after.1));
    assert!(points.0 > 500 && points.1 == 0 && boxes.0 > 20 && boxes.1 == 0, "{points:?} {boxes:?}");
    for (block, lower) in tree.blocks.iter().zip(&after.0) {
        for (number, lower) in block.point.iter().zip(lower).take(tree.len().min(8)) {
            let p = tree.points()[*number as usize];
            let exact = (p.z.abs() - 0.01).max(p.norm() - 0.5);
            assert!((f64::from(*lower) - exact).abs() < 2e-5, "{lower} {exact}");
        }
    }
}

#[test]
fn wide_lanes_give_the_bits_of_arrays() {
    let mut compared = 0;
    for cloud in &clouds(300) {
        let tree = tree_of(&cloud.points);
        let mut rng = Rng::new(5);
        for _ in 0..20 {
            let solid = solid(&mut rng, cloud);
            let query = solid.query(&tree);
            if let Solid::Box(body) = &solid {
                add_planes(&mut rng, &query, body);
            }
            let all = All { tree: &tree, query: &query };
            let plain = All { tree: &tree, query: &query }.run(Plain);
            let wide = dispatch_kernel(all);
            let bits = |r: &[[f32; 8]]| r.as_flattened().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!((bits(&plain.0), bits(&plain.1)), (bits(&wide.0), bits(&wide.1)), "{}", cloud.name);
            compared += plain.0.len();
        }
    }
    assert!(compared > 5000);
}
