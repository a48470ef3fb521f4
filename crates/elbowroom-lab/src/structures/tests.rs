use super::*;
use crate::rng::Rng;
use elbowroom::math::{Vec3, sin_cos, vec3};

fn around(p: Vec3, half: Vec3) -> AlignedBox {
    AlignedBox { low: p - half, high: p + half }
}

/// Boxes in a cube of half extent `r`, with edges up to `edge`.
fn scattered(rng: &mut Rng, n: usize, r: f64, edge: f64) -> Vec<AlignedBox> {
    let half = |rng: &mut Rng| vec3(rng.range(0.1, 0.5), rng.range(0.1, 0.5), rng.range(0.1, 0.5)) * edge;
    (0..n).map(|_| around(rng.point(r), half(rng))).collect()
}

/// The boxes of a chain of rods of unequal length in space, joints turning about z and y by turns, as
/// capsules of radius 0.05.
fn chain(angles: &[f64]) -> Vec<AlignedBox> {
    let (mut p, mut yaw, mut pitch) = (Vec3::ZERO, 0.0, 0.0);
    let mut boxes = Vec::new();
    let r = vec3(0.05, 0.05, 0.05);
    for (k, &angle) in angles.iter().enumerate() {
        if k % 2 == 0 {
            yaw += angle
        } else {
            pitch += angle
        }
        let ((sy, cy), (sp, cp)) = (sin_cos(yaw), sin_cos(pitch));
        let length = [0.3, 0.4, 0.1, 0.35, 0.15, 0.2, 0.1][k % 7];
        let q = p + vec3(cy * cp, sy * cp, sp) * length;
        boxes.push(AlignedBox { low: p.min(q) - r, high: p.max(q) + r });
        p = q;
    }
    boxes
}

/// Configurations of a chain of `n` joints, the first three in steps of `step` over three quarters of a turn.
fn grid(n: usize, steps: usize) -> Vec<Vec<AlignedBox>> {
    let turn = |i: usize| (i as f64 / (steps - 1) as f64 - 0.5) * 4.7;
    let mut all = Vec::new();
    for i in 0..steps * steps * steps {
        let mut angles = vec![0.3; n];
        for (k, a) in angles.iter_mut().take(3).enumerate() {
            *a = turn(i / steps.pow(k as u32) % steps);
        }
        all.push(chain(&angles));
    }
    all
}

fn structures_of(all: &[Vec<AlignedBox>], n: usize, cost: Cost, keep: KeepStructures) -> Structures {
    Structures::sample_structures(n, cost, keep, |k, boxes| match all.get(k as usize) {
        Some(b) => {
            boxes.copy_from_slice(b);
            true
        }
        None => false,
    })
    .unwrap()
}

/// The cost of each level of a structure, as the list makes it: it takes the cheapest join whose two parts
/// exist, again and again.
fn levels(tree: &Tree, boxes: &[AlignedBox], cost: Cost) -> Vec<f64> {
    let mut all = vec![AlignedBox::EMPTY; tree.len()];
    tree.refit_boxes(boxes, &mut all);
    let n = tree.leaf_count();
    let mut done: Vec<bool> = (0..tree.len()).map(|i| i < n).collect();
    let mut costs = Vec::new();
    for _ in tree.joins() {
        let ready = |k: &usize| {
            let [l, r] = tree.joins()[*k];
            !done[n + k] && done[l as usize] && done[r as usize]
        };
        let of = |k: &usize| cost.box_cost(&all[n + k]);
        let k = (0..n - 1).filter(ready).min_by(|a, b| of(a).total_cmp(&of(b))).unwrap();
        done[n + k] = true;
        costs.push(of(&k));
    }
    costs
}

#[test]
fn choice_is_the_best_where_the_best_is_kept() {
    for cost in [Cost::Diameter, Cost::Surface, Cost::Volume] {
        let all = grid(7, 9);
        let s = structures_of(&all, 7, cost, KeepStructures::default());
        assert!(s.found_count() > 5 && s.commonest_share() > 0.05, "{} structures", s.found_count());
        assert_eq!(s.sample_count(), 729);
        let (mut best, mut missing, mut others) = (0, 0, 0);
        let mut choice = s.new_choice();
        let mut rng = Rng::new(4);
        let mut boxes = vec![AlignedBox::EMPTY; 13];
        for round in 0..2000 {
            let angles: Vec<f64> = (0..7).map(|k| if k < 3 { rng.range(-2.35, 2.35) } else { 0.3 }).collect();
            let leaves = chain(&angles);
            let chosen = s.refit(&leaves, &mut choice, &mut boxes);
            assert!(s.trees()[chosen].has_valid_boxes(&boxes));
            // The choice has the least sequence of costs; and a fresh memory says the same.
            assert_eq!(chosen, s.choose_structure(&leaves, &mut s.new_choice()), "round {round}");
            if round % 10 == 0 {
                let own = levels(&s.trees()[chosen], &leaves, cost);
                assert!(own.is_sorted());
                for tree in s.trees() {
                    assert!(own <= levels(tree, &leaves, cost), "round {round}, {cost:?}");
                }
            }
            let tree = canonical_tree(&agglomerate_boxes(&leaves, |b| cost.box_cost(b)).unwrap());
            match s.trees().iter().position(|t| *t == tree) {
                Some(there) => {
                    assert_eq!(chosen, there, "round {round}, {cost:?}");
                    best += 1;
                    others += usize::from(there > 0);
                }
                None => missing += 1,
            }
        }
        assert!(
            best > 1000 && others > 300,
            "{cost:?}: {best} best, {others} not the commonest, {missing} not kept"
        );
    }
}

#[test]
fn rare_structures_are_cut_off() {
    let all = grid(7, 7);
    let whole = structures_of(&all, 7, Cost::Diameter, KeepStructures::default());
    let few = structures_of(&all, 7, Cost::Diameter, KeepStructures { most: 3, share: 0.0 });
    let share = whole.counts()[1] as f64 / whole.sample_count() as f64;
    let common = structures_of(&all, 7, Cost::Diameter, KeepStructures { most: 99, share });
    assert!(whole.trees().len() > 3 && few.trees().len() == 3);
    assert_eq!(few.trees(), &whole.trees()[..3]);
    assert!(whole.counts().is_sorted_by(|a, b| a >= b));
    assert_eq!(common.trees().len(), whole.counts().iter().filter(|c| **c >= whole.counts()[1]).count());
    assert!(few.found_count() == whole.found_count() && few.kept_share() < whole.kept_share());
    let one = structures_of(&all, 7, Cost::Diameter, KeepStructures { most: 0, share: 2.0 });
    assert_eq!(one.trees(), &whole.trees()[..1]);
    assert_eq!(one.choose_structure(&all[0], &mut one.new_choice()), 0);
}

#[test]
fn groups_without_choice() {
    for n in 0..4 {
        let none = Structures::sample_structures(n, Cost::Diameter, KeepStructures::default(), |_, _| false)
            .unwrap();
        assert_eq!((none.trees().len(), none.found_count(), none.sample_count()), (1, 0, 0));
        let boxes = scattered(&mut Rng::new(5), n, 1.0, 0.1);
        let same = structures_of(&vec![boxes.clone(); 10], n, Cost::Diameter, KeepStructures::default());
        assert_eq!((same.found_count(), same.commonest_share()), (1, 1.0));
        let mut all = vec![AlignedBox::EMPTY; same.trees()[0].len()];
        assert_eq!(same.refit(&boxes, &mut same.new_choice(), &mut all), 0);
    }
    // All boxes alike: all structures tie on all levels, and the commonest is taken.
    let all = grid(5, 5);
    let s = structures_of(&all, 5, Cost::Diameter, KeepStructures::default());
    assert!(s.trees().len() > 1);
    assert_eq!(s.choose_structure(&[around(Vec3::ZERO, Vec3::X); 5], &mut s.new_choice()), 0);
}

#[test]
fn ties_go_to_the_next_level() {
    // Two structures with the same first level; then pair 2-3 is nearer than 3-4, or the other way about.
    let at = |xs: [f64; 5]| xs.map(|x| around(vec3(x, 0.0, 0.0), vec3(0.1, 0.1, 0.1))).to_vec();
    let (near_two, near_four) = (at([0.0, 0.3, 5.0, 6.0, 7.5]), at([0.0, 0.3, 5.0, 6.5, 7.5]));
    let s = structures_of(
        &[near_two.clone(), near_two.clone(), near_four.clone()],
        5,
        Cost::Diameter,
        KeepStructures::default(),
    );
    assert_eq!(s.trees().len(), 2);
    let mut choice = s.new_choice();
    assert_eq!(
        [s.choose_structure(&near_two, &mut choice), s.choose_structure(&near_four, &mut choice)],
        [0, 1]
    );
    // Different pairs cost as much on the first levels of both trees: the next level decides.
    let even = at([0.0, 0.25, 5.0, 6.0, 7.0]);
    let chosen = s.choose_structure(&even, &mut choice);
    let costs = s.trees().iter().map(|t| levels(t, &even, Cost::Diameter)).collect::<Vec<_>>();
    assert!(costs[0][..2] == costs[1][..2] && costs[chosen] <= costs[1 - chosen]);
}

#[test]
fn structures_are_alike_whatever_their_order() {
    let a = Tree::from_joins(4, vec![[0, 1], [2, 3], [4, 5]]).unwrap();
    let b = Tree::from_joins(4, vec![[3, 2], [1, 0], [4, 5]]).unwrap();
    let c = Tree::from_joins(4, vec![[0, 2], [1, 3], [4, 5]]).unwrap();
    assert_eq!(canonical_tree(&a), canonical_tree(&b));
    assert_ne!(canonical_tree(&a), canonical_tree(&c));
    assert_eq!(canonical_tree(&canonical_tree(&a)), canonical_tree(&a));
}

/// Without ties the order of the list does not matter.
#[test]
fn boxes_in_any_order_join_alike() {
    let mut rng = Rng::new(1);
    for round in 0..100 {
        let n = 2 + round % 39;
        let around = |p: Vec3, h: Vec3| AlignedBox { low: p - h, high: p + h };
        let mut boxes: Vec<AlignedBox> = (0..n)
            .map(|_| {
                let half =
                    Vec3 { x: rng.range(0.03, 0.15), y: rng.range(0.03, 0.15), z: rng.range(0.03, 0.15) };
                around(rng.point(1.0), half)
            })
            .collect();
        for cost in Cost::ALL {
            let tree = agglomerate_boxes(&boxes, |b| cost.box_cost(b)).unwrap();
            boxes.reverse();
            let other = agglomerate_boxes(&boxes, |b| cost.box_cost(b)).unwrap();
            boxes.reverse();
            let turn = |c: u32| if (c as usize) < n { n as u32 - 1 - c } else { c };
            let turned = other.joins().iter().map(|j| j.map(turn)).collect();
            assert_eq!(
                canonical_tree(&tree),
                canonical_tree(&Tree::from_joins(n, turned).unwrap()),
                "{round}, {cost:?}"
            );
        }
    }
}
