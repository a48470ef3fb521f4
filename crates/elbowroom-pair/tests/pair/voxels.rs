//! Bodies of unit cubes on a common grid: which volume two of them share is known by counting, and their
//! faces lie in common planes.

use crate::support::rng::Rng;
use elbowroom_pair::Geometry;
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Mat3, Transform, Vec3, vec3};
use elbowroom_pair::{Ask, Clearance, Query, Scratch, Shape, Warm, clearance};
use std::collections::BTreeMap;

/// Cubes by their lower corners.
#[derive(Clone, Debug)]
struct Voxels(Vec<[i32; 3]>);

impl Voxels {
    fn block(size: [i32; 3], keep: impl FnMut(&[i32; 3]) -> bool) -> Voxels {
        let [x, y, z] = size;
        let all = (0..x).flat_map(|i| (0..y).flat_map(move |j| (0..z).map(move |k| [i, j, k])));
        Voxels(all.filter(keep).collect())
    }

    fn has(&self, cube: [i32; 3]) -> bool {
        self.0.contains(&cube)
    }

    /// A block of cubes without some of them; at least one is left.
    fn random(rng: &mut Rng) -> Voxels {
        let size = [0, 1, 2].map(|_| 1 + rng.below(3) as i32);
        let share = rng.range(0.4, 1.0);
        let some = Voxels::block(size, |_| rng.chance(share));
        if some.0.is_empty() { Voxels(vec![[0; 3]]) } else { some }
    }

    /// The surface of their union, each unit square in two triangles cut along either diagonal, carried over
    /// by `place`.
    fn mesh(&self, rng: &mut Rng, place: impl Fn(Vec3) -> Vec3) -> ShapeDescription {
        let mut numbers: BTreeMap<[i32; 3], u32> = BTreeMap::new();
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for &cube in &self.0 {
            for (axis, side) in (0..3).flat_map(|axis| [(axis, 0), (axis, 1)]) {
                let mut beside = cube;
                beside[axis] += 2 * side - 1;
                if self.has(beside) {
                    continue;
                }
                let corner = |u: i32, v: i32| {
                    let mut at = cube;
                    at[axis] += side;
                    at[(axis + 1) % 3] += u;
                    at[(axis + 2) % 3] += v;
                    at
                };
                let mut quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)].map(|at| {
                    *numbers.entry(at).or_insert_with(|| {
                        vertices.push(place(Vec3::from(at.map(f64::from))).to_array());
                        vertices.len() as u32 - 1
                    })
                });
                if side == 0 {
                    quad.reverse();
                }
                quad.rotate_left(rng.below(2));
                let [a, b, c, d] = quad;
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        ShapeDescription::Mesh { vertices, triangles }
    }
}

/// How many cubes two bodies share, the second shifted; and whether they come as near as touching.
fn common(a: &Voxels, b: &Voxels, shift: [i32; 3]) -> (usize, bool) {
    let (mut shared, mut near) = (0, false);
    for q in &b.0 {
        let at = [0, 1, 2].map(|k| q[k] + shift[k]);
        shared += usize::from(a.has(at));
        near |= a.0.iter().any(|p| (0..3).all(|k| (p[k] - at[k]).abs() <= 1));
    }
    (shared, near)
}

fn ask(a: &Shape, b: &Shape, b_in_a: &Transform, ask: Ask, scratch: &mut Scratch) -> Clearance {
    let query = Query { ask, geometry: Geometry::Mesh, ..Query::default() };
    clearance(a, b, b_in_a, &query, &mut Warm::default(), scratch)
}

/// What is told of two bodies in one frame, turned as a whole and put into frames of their own, against what
/// is true by counting. Returns the number of cubes they share.
fn check(a: &Voxels, b: &Voxels, shift: [i32; 3], rng: &mut Rng, scratch: &mut Scratch) -> (usize, bool) {
    let (shared, near) = common(a, b, shift);
    let moved = vec3(shift[0].into(), shift[1].into(), shift[2].into());
    let turn = Mat3::from_quat_wxyz(rng.quaternion()).unwrap();
    let own = Transform::new(Mat3::from_quat_wxyz(rng.quaternion()).unwrap(), rng.point(2.0));
    let back = own.inverse();
    let compile = |shape: ShapeDescription| Shape::new(&shape, 0.0).unwrap();
    let plain = [compile(a.mesh(rng, |p| p)), compile(b.mesh(rng, |p| p))];
    let turned = [compile(a.mesh(rng, |p| turn * p)), compile(b.mesh(rng, |p| turn * p))];
    let carried = compile(b.mesh(rng, |p| back.point(turn * (p + moved))));
    for (way, [first, second], pose) in [
        ("plain", [&plain[0], &plain[1]], Transform::from_translation(moved)),
        ("turned", [&turned[0], &turned[1]], Transform::from_translation(turn * moved)),
        ("in its own frame", [&turned[0], &carried], own),
    ] {
        for swapped in [false, true] {
            let (first, second, pose) =
                if swapped { (second, first, pose.inverse()) } else { (first, second, pose) };
            for asked in [Ask::Distance, Ask::Test] {
                let c = ask(first, second, &pose, asked, scratch);
                let what = format!(
                    "{way}, {asked:?}, swapped {swapped}, {shared} shared: {a:?} {b:?} {shift:?}: {c:?}"
                );
                assert!(c.interval.lower <= c.interval.upper, "{what}");
                if shared > 0 {
                    assert!(c.interval.upper < 0.0, "{what}");
                } else {
                    // They only touch, which may be unknown; but nothing overlaps.
                    assert!(
                        c.interval.upper >= 0.0
                            && (near || c.interval.lower > if asked == Ask::Test { 0.0 } else { 0.9 }),
                        "{what}"
                    );
                }
            }
        }
    }
    (shared, near)
}

#[test]
fn frames_on_a_grid_overlap_whichever_way_they_are_shifted() {
    let frame = Voxels::block([3, 3, 1], |&[x, y, _]| [x, y] != [1, 1]);
    let (mut rng, mut scratch) = (Rng::new(1), Scratch::new(16));
    for (shift, cubes) in [
        ([0, 1, 0], 4),
        ([0, -1, 0], 4),
        ([1, 0, 0], 4),
        ([-1, 0, 0], 4),
        ([1, 1, 0], 2),
        ([0, 2, 0], 3),
        ([2, 2, 0], 1),
        ([0; 3], 8),
    ] {
        assert_eq!(check(&frame, &frame, shift, &mut rng, &mut scratch).0, cubes);
    }
}

#[test]
fn random_bodies_on_a_grid_overlap_where_they_share_a_cube_and_nowhere_else() {
    let (mut rng, mut scratch) = (Rng::new(12), Scratch::new(16));
    let mut seen = [0; 3];
    for _ in 0..500 {
        let (a, b) = (Voxels::random(&mut rng), Voxels::random(&mut rng));
        let shift = [0, 1, 2].map(|_| rng.below(5) as i32 - 2);
        let (shared, near) = check(&a, &b, shift, &mut rng, &mut scratch);
        seen[if shared > 0 { 0 } else { 1 + usize::from(near) }] += 1;
    }
    assert!(seen.iter().all(|n| *n > 60), "shared, apart, touching: {seen:?}");
}
