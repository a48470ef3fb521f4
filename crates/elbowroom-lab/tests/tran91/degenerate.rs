//! Bodies that lie on each other, are larger than the root or outside of it, and those that are compatible.

use super::scene::{EDGE, KINDS, Style, around, compatibility, room};
use super::support::rng::Rng;
use elbowroom::bounds::{AlignedBox, Ball};
use elbowroom::math::vec3;
use elbowroom_lab::limits::OCTREE_LEVELS;
use elbowroom_lab::tran91::{BodyExtent, Octree, Rule, Work};

/// A tree by the n-objects rule with these bodies.
fn tree(most: u32, extents: impl IntoIterator<Item = AlignedBox>) -> Octree {
    let mut tree = Octree::new(&room(), Rule::Objects(most)).unwrap();
    for extent in extents {
        tree.insert(&BodyExtent::Box(extent), 0).unwrap();
    }
    tree.check_invariants().unwrap();
    tree
}

fn cube(at: f64, half: f64) -> AlignedBox {
    around(vec3(at, at, at), vec3(half, half, half))
}

#[test]
fn bodies_on_each_other_end_with_the_levels() {
    // Points: one node on each level is split, down to a voxel.
    let mut points = tree(3, [cube(0.5, 0.0); 50]);
    assert_eq!(points.node_count(), 1 + 8 * OCTREE_LEVELS as usize);
    let (mut pairs, mut work) = (0, Work::default());
    points.each_pair(&mut work, |_, _| pairs += 1);
    assert_eq!(pairs, 50 * 49 / 2);
    for body in 0..47 {
        assert!(points.move_to(body, &BodyExtent::Box(cube(0.9, 0.0))));
    }
    points.check_invariants().unwrap();
    // Boxes: nodes end above half of their size; those along their surfaces are no smaller.
    let boxes = tree(3, [cube(0.9, 0.3); 50]);
    assert!(boxes.node_count() < 1000, "{}", boxes.node_count());
    // Larger than the root, on its border and without end.
    let infinite = AlignedBox { low: vec3(-1e300, -1e300, -1e300), high: vec3(1e300, 1e300, 1e300) };
    let large = tree(0, [cube(1.0, 50.0), infinite, cube(3.0, 2.0)]);
    assert_eq!(large.node_count(), 1);
    assert!(tree(3, []).is_empty() && tree(3, [AlignedBox::EMPTY]).node_count() == 1);
}

#[test]
fn what_lies_outside_the_root_is_found() {
    let outside = |x: f64| around(vec3(x, 0.0, 0.5), vec3(0.1, 0.1, 0.1));
    let mut octree = tree(1, [outside(50.0), outside(50.15), outside(-70.0), outside(90.0)]);
    let mut work = Work::default();
    let mut pairs = Vec::new();
    octree.each_pair(&mut work, |a, b| pairs.push((a.min(b), a.max(b))));
    assert_eq!(pairs, [(0, 1)]);
    let nearest = |octree: &Octree, x: f64, work: &mut Work| {
        octree.find_nearest(&outside(x), f64::INFINITY, work, |_| true)
    };
    for (x, body, gap) in [(200.0, 3, 109.8), (-20.0, 2, 49.8), (2.0, 0, 47.8), (50.3, 1, -0.05)] {
        let found = nearest(&octree, x, &mut work).unwrap();
        assert!(found.body == body && found.lower <= gap && found.lower > gap - 1e-12, "{x}: {found:?}");
    }
    // It comes in, and goes out again.
    assert!(octree.move_to(3, &BodyExtent::Box(outside(1.0))));
    octree.check_invariants().unwrap();
    assert_eq!(nearest(&octree, 2.0, &mut work).unwrap().body, 3);
    assert!(octree.move_to(3, &BodyExtent::Box(AlignedBox::EMPTY)));
    octree.check_invariants().unwrap();
    assert_eq!(nearest(&octree, 2.0, &mut work).unwrap().body, 0);
    assert!(
        octree.move_to(3, &BodyExtent::Box(outside(2.5)))
            && !octree.move_to(4, &BodyExtent::Box(outside(0.0)))
    );
    assert_eq!(nearest(&octree, 2.0, &mut work).unwrap().body, 3);
}

#[test]
fn fixed_bodies_stay_in_one_leaf_until_one_moves_among_them() {
    let mut octree = Octree::new(&room(), Rule::Compatibility(compatibility())).unwrap();
    let rng = &mut Rng::new(1);
    for _ in 0..300 {
        let at = room().low + (rng.point(0.5) + vec3(0.5, 0.5, 0.5)) * EDGE;
        octree.insert(&BodyExtent::Box(around(at, vec3(0.05, 0.05, 0.05))), 0).unwrap();
    }
    assert_eq!(octree.node_count(), 1);
    let mut links = Vec::new();
    for class in [2, 3] {
        links.push(
            octree
                .insert(&BodyExtent::Ball(Ball { center: vec3(5.0, 0.0, 1.0), radius: 0.1 }), class)
                .unwrap(),
        );
    }
    octree.check_invariants().unwrap();
    let first = octree.node_count();
    assert!(first > 1);
    let mut work = Work::default();
    let mut shared = 0;
    for step in 0..200 {
        for link in &links {
            let center = vec3(3.0 - 0.02 * f64::from(step), 0.01 * f64::from(step), 1.0);
            octree.move_to(*link, &BodyExtent::Ball(Ball { center, radius: 0.1 }));
        }
        octree.check_invariants().unwrap();
        octree.each_pair(&mut work, |a, b| {
            assert!(links.contains(&a) != links.contains(&b), "compatible: {a} {b}");
            shared += 1;
        });
    }
    assert!(shared > 50, "{shared}");
    assert!(links.iter().all(|link| octree.remove(*link)) && octree.node_count() == 1);
    assert_eq!(octree.insert(&BodyExtent::Box(cube(0.5, 0.1)), KINDS as u8), None);
    octree.check_invariants().unwrap();
}

#[test]
fn the_same_calls_give_the_same_order() {
    let told = || {
        let rng = &mut Rng::new(8);
        let mut octree = Octree::new(&room(), Rule::Objects(2)).unwrap();
        let style = Style::of(0);
        let mut told = Vec::new();
        let mut work = Work::default();
        for step in 0..600 {
            let extent = style.draw(&[], rng);
            if step < 100 {
                octree.insert(&extent, 0).unwrap();
            } else {
                octree.move_to(rng.below(100) as u32, &extent);
            }
            octree.each_pair(&mut work, |a, b| told.extend([a, b]));
            octree.visit_near_bodies(&extent.bounding_box(), &mut work, |body| told.push(body));
        }
        (told, *octree.counts(), octree.allocated_bytes())
    };
    assert!(told() == told() && told().0.len() > 1000);
}
