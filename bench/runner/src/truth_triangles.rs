//! Proved distances of triangles, and whether they cross, by a tree of balls over the triangles of each
//! shape: two balls that are farther apart than the smallest distance so far hold nothing that matters. What
//! is left is looked at triangle by triangle.
//!
//! A shell is triangles that are connected by corners; it is closed if each of its edges is in an even number
//! of them. A point is inside a closed shell if a ray from it crosses the shell an odd number of times; three
//! rays must say the same.
//!
//! Triangles cross for certain where an edge of one goes through the other and all five volumes that say so
//! are larger than rounding.

use crate::{hull::Hull, limits::ROUNDING, signed_distance::separation_interval, work::ShapeData};
use elbowroom::math::{Transform, Vec3, vec3};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// Triangles in a leaf.
const LEAF: usize = 2;
/// A volume (cubic metres) is above rounding if it is above this: coordinates below 4 m are exact to 1e-15,
/// and edges below 1 m, so six times a volume is exact to 1e-14.
const SURE: f64 = 1e-13;

struct TreeBall {
    center: Vec3,
    radius: f64,
    /// Two children, or none and a range of triangles.
    inner: Option<[usize; 2]>,
    triangles: Range<usize>,
}

/// A shape's triangles under balls, own frame.
pub struct Tree {
    triangles: Vec<[Vec3; 3]>,
    balls: Vec<TreeBall>,
    shells: Vec<Shell>,
}

/// Triangles that are connected, and the corners of the box around them.
struct Shell {
    triangles: Vec<[Vec3; 3]>,
    /// Around each of them.
    balls: Vec<(Vec3, f64)>,
    box_around: [Vec3; 2],
    closed: bool,
}

impl Tree {
    /// A tree of all triangles of a shape.
    pub fn new(shape: &ShapeData) -> Tree {
        let corner = |&i: &u32| vec3_of(shape.vertices[i as usize]);
        let triangles: Vec<[Vec3; 3]> =
            shape.triangles.iter().map(|t| [corner(&t[0]), corner(&t[1]), corner(&t[2])]).collect();
        let shells = find_shells(&triangles);
        let mut tree = Tree { triangles, balls: Vec::new(), shells };
        tree.build_ball(0..tree.triangles.len());
        tree
    }

    /// A ball around triangles that lie one after the other, and those below it.
    fn build_ball(&mut self, range: Range<usize>) -> usize {
        let points = || self.triangles[range.clone()].iter().flatten();
        let center = points().fold(Vec3::ZERO, |sum, &p| sum + p) * (1.0 / (3 * range.len()).max(1) as f64);
        let radius = points().map(|&p| (p - center).norm()).fold(0.0, f64::max) + ROUNDING;
        let number = self.balls.len();
        self.balls.push(TreeBall { center, radius, inner: None, triangles: range.clone() });
        if range.len() > LEAF {
            let [low, high] = box_around(points());
            let size = (high - low).to_array();
            let axis = (0..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best });
            let middle = |t: &[Vec3; 3]| (t[0] + t[1] + t[2]).to_array()[axis];
            self.triangles[range.clone()].sort_by(|s, t| middle(s).total_cmp(&middle(t)));
            let half = range.start + range.len() / 2;
            let inner = [self.build_ball(range.start..half), self.build_ball(half..range.end)];
            self.balls[number].inner = Some(inner);
        }
        number
    }

    /// The ball around all.
    pub fn bounding_ball(&self) -> (Vec3, f64) {
        (self.balls[0].center, self.balls[0].radius)
    }

    /// Whether one shape has a part inside the other, whose surfaces do not meet; `None` where that is not
    /// known.
    pub fn is_inside(&self, other: &Tree, other_in_self: &Transform) -> Option<bool> {
        let of = |one: &Tree, other: &Tree, other_in_one: &Transform| {
            for shell in one.shells.iter().filter(|shell| shell.closed) {
                for point in other.shells.iter().map(|other| other.triangles[0][0]) {
                    if shell.contains(other_in_one.point(point))? {
                        return Some(true);
                    }
                }
            }
            Some(false)
        };
        let mine = of(self, other, other_in_self)?;
        Some(mine || of(other, self, &other_in_self.inverse())?)
    }

    /// Lowers `found`, an interval of the smallest distance so far, to that of these two where it is smaller.
    /// `any` ends it where triangles surely cross: then both ends are below zero.
    pub fn refine_distance(&self, other: &Tree, other_in_self: &Transform, found: &mut [f64; 2], any: bool) {
        let gap = |a: usize, b: usize| {
            let (one, two) = (&self.balls[a], &other.balls[b]);
            (other_in_self.point(two.center) - one.center).norm() - one.radius - two.radius - ROUNDING
        };
        let mut left = vec![(gap(0, 0), 0, 0)];
        while let Some((bound, a, b)) = left.pop() {
            if bound > found[1].max(0.0) {
                continue;
            }
            let (one, two) = (&self.balls[a], &other.balls[b]);
            let next = match (one.inner, two.inner) {
                (None, None) => {
                    self.refine_leaves(one, other, two, other_in_self, found, any);
                    if any && found[1] < 0.0 {
                        return;
                    }
                    continue;
                }
                (Some(inner), None) => inner.map(|a| (gap(a, b), a, b)),
                (Some(inner), Some(_)) if one.radius > two.radius => inner.map(|a| (gap(a, b), a, b)),
                (_, Some(inner)) => inner.map(|b| (gap(a, b), a, b)),
            };
            // The nearer one is looked at first.
            let [first, second] = if next[0].0 < next[1].0 { [1, 0] } else { [0, 1] };
            left.extend([next[first], next[second]]);
        }
    }

    fn refine_leaves(
        &self,
        one: &TreeBall,
        other: &Tree,
        two: &TreeBall,
        other_in_self: &Transform,
        found: &mut [f64; 2],
        any: bool,
    ) {
        for triangle in &other.triangles[two.triangles.clone()] {
            let triangle = triangle.map(|p| other_in_self.point(p));
            for mine in &self.triangles[one.triangles.clone()] {
                // For yes or no it is enough that they are apart.
                let enough = if any { 1e3 * ROUNDING } else { found[1].max(0.0) };
                if plane_gap(mine, &triangle).max(plane_gap(&triangle, mine)) - 1e3 * ROUNDING > enough {
                    continue;
                }
                if any && cross(mine, &triangle) {
                    *found = [-ROUNDING; 2];
                    return;
                }
                let (one, two) = (Hull::of_points(mine), Hull::of_points(&triangle));
                let [lower, upper] = separation_interval(&one, &two, &Transform::IDENTITY, any);
                *found = [found[0].min(lower), found[1].min(upper)];
            }
        }
    }
}

impl Shell {
    fn contains(&self, p: Vec3) -> Option<bool> {
        let [low, high] = self.box_around.map(|corner| corner.to_array());
        if (0..3).any(|axis| p.to_array()[axis] < low[axis] || p.to_array()[axis] > high[axis]) {
            return Some(false);
        }
        let rays =
            [vec3(0.5377, 0.6191, 0.5722), vec3(-0.7312, 0.4129, 0.5431), vec3(0.2713, -0.8377, 0.4739)];
        let said = rays.map(|ray| {
            let crossed = self.triangles.iter().zip(&self.balls).filter(|(corners, (center, radius))| {
                let to = *center - p;
                if to.cross(ray).norm_squared() > radius * radius {
                    return false;
                }
                let [a, b, c] = corners.map(|corner| corner - p);
                let sides = [a.cross(b).dot(ray), b.cross(c).dot(ray), c.cross(a).dot(ray)];
                let through = sides.iter().all(|&s| s > 0.0) || sides.iter().all(|&s| s < 0.0);
                let volume = a.dot(b.cross(c));
                through && volume != 0.0 && (volume > 0.0) == (sides[0] > 0.0)
            });
            crossed.count() % 2 == 1
        });
        (said[0] == said[1] && said[1] == said[2]).then_some(said[0])
    }
}

/// The shells of triangles. Corners are the same if their coordinates are.
fn find_shells(triangles: &[[Vec3; 3]]) -> Vec<Shell> {
    let key = |p: Vec3| p.to_array().map(f64::to_bits);
    let mut number = BTreeMap::new();
    let mut corners = Vec::new();
    for triangle in triangles {
        corners.push(triangle.map(|p| {
            let next = number.len();
            *number.entry(key(p)).or_insert(next)
        }));
    }
    // Each corner names one that it is connected with; the last of such a chain names itself.
    let mut connected: Vec<usize> = (0..number.len()).collect();
    fn last(connected: &mut [usize], mut corner: usize) -> usize {
        while connected[corner] != corner {
            connected[corner] = connected[connected[corner]];
            corner = connected[corner];
        }
        corner
    }
    for &[a, b, c] in &corners {
        let [a, b, c] = [a, b, c].map(|corner| last(&mut connected, corner));
        connected[a] = c;
        let b = last(&mut connected, b);
        connected[b] = c;
    }
    let mut found: BTreeMap<usize, Vec<[Vec3; 3]>> = BTreeMap::new();
    let mut counts: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    let edges = |&[a, b, c]: &[usize; 3]| [(a, b), (b, c), (c, a)].map(|(a, b)| [a.min(b), a.max(b)]);
    for (triangle, corners) in triangles.iter().zip(&corners) {
        found.entry(last(&mut connected, corners[0])).or_default().push(*triangle);
        for edge in edges(corners) {
            *counts.entry(edge).or_insert(0) += 1;
        }
    }
    let odd = counts.iter().filter(|(_, count)| **count % 2 == 1);
    let open: BTreeSet<usize> = odd.map(|(edge, _)| last(&mut connected, edge[0])).collect();
    let made = |(number, triangles): (usize, Vec<[Vec3; 3]>)| {
        let ball = |t: &[Vec3; 3]| {
            let center = (t[0] + t[1] + t[2]) * (1.0 / 3.0);
            (center, 1.01 * t.iter().map(|&p| (p - center).norm()).fold(0.0, f64::max) + ROUNDING)
        };
        let balls = triangles.iter().map(ball).collect();
        let box_around = box_around(triangles.iter().flatten());
        Shell { box_around, triangles, balls, closed: !open.contains(&number) }
    };
    found.into_iter().map(made).collect()
}

fn box_around<'a>(points: impl Iterator<Item = &'a Vec3>) -> [Vec3; 2] {
    let start = [vec3(f64::MAX, f64::MAX, f64::MAX), vec3(f64::MIN, f64::MIN, f64::MIN)];
    points.fold(start, |[low, high], p| {
        let least = vec3(low.x.min(p.x), low.y.min(p.y), low.z.min(p.z));
        [least, vec3(high.x.max(p.x), high.y.max(p.y), high.z.max(p.z))]
    })
}

fn vec3_of([x, y, z]: [f64; 3]) -> Vec3 {
    vec3(x, y, z)
}

/// How far all of a triangle is on one side of the plane of another. A plane whose normal is too short to be
/// sure of says nothing.
fn plane_gap(plane: &[Vec3; 3], other: &[Vec3; 3]) -> f64 {
    let normal = (plane[1] - plane[0]).cross(plane[2] - plane[0]);
    let length = normal.norm();
    if length <= SURE {
        return f64::NEG_INFINITY;
    }
    let beside = other.map(|p| normal.dot(p - plane[0]) / length);
    let [low, high] =
        [beside.iter().copied().fold(f64::MAX, f64::min), beside.iter().copied().fold(f64::MIN, f64::max)];
    low.max(-high)
}

/// Whether two triangles cross for certain.
fn cross(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let edges = |t: &[Vec3; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    edges(a).iter().any(|edge| segment_pierces(edge, b))
        || edges(b).iter().any(|edge| segment_pierces(edge, a))
}

/// Whether a segment goes through a triangle for certain.
fn segment_pierces(&[p, q]: &[Vec3; 2], &[a, b, c]: &[Vec3; 3]) -> bool {
    let volume = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| (b - a).cross(c - a).dot(d - a);
    let ends = [volume(a, b, c, p), volume(a, b, c, q)];
    if ends.iter().any(|v| v.abs() <= SURE) || (ends[0] > 0.0) == (ends[1] > 0.0) {
        return false;
    }
    let sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
    sides.iter().all(|&v| v > SURE) || sides.iter().all(|&v| v < -SURE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube about the origin.
    fn cube(size: f64) -> ShapeData {
        let corner = |k: usize| [0, 1, 2].map(|axis| size * ((k >> axis & 1) as f64 - 0.5));
        let faces: [[u32; 4]; 6] =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        ShapeData { vertices: (0..8).map(corner).collect(), triangles }
    }

    fn nearest(a: &Tree, b: &Tree, at: Vec3, any: bool) -> [f64; 2] {
        let mut found = [if any { ROUNDING } else { f64::INFINITY }; 2];
        a.refine_distance(b, &Transform::from_translation(at), &mut found, any);
        found
    }

    #[test]
    fn cubes_are_as_far_apart_as_their_faces_edges_and_corners() {
        let (a, b) = (Tree::new(&cube(1.0)), Tree::new(&cube(0.5)));
        let (gap, far) = (0.3, 0.75 + 0.3);
        for (at, axes) in [(vec3(far, 0.1, 0.0), 1.0), (vec3(far, far, 0.1), 2.0), (vec3(far, far, far), 3.0)]
        {
            let ([lower, upper], true_one) = (nearest(&a, &b, at, false), gap * f64::sqrt(axes));
            assert!(lower <= true_one && true_one <= upper && upper - lower < 1e-10, "{lower} {upper}");
            assert_eq!(nearest(&a, &b, at, true), [ROUNDING; 2]);
        }
    }

    #[test]
    fn cubes_that_cross_collide_and_one_inside_the_other_does_too() {
        let (a, b) = (Tree::new(&cube(1.0)), Tree::new(&cube(0.5)));
        assert!(nearest(&a, &b, vec3(0.61, 0.07, 0.05), true)[1] < 0.0);
        let inside = |at| a.is_inside(&b, &Transform::from_translation(at));
        assert_eq!(inside(vec3(0.1, 0.07, 0.05)), Some(true));
        assert_eq!(inside(vec3(2.1, 0.07, 0.05)), Some(false));
        assert_eq!(b.is_inside(&a, &Transform::from_translation(vec3(-0.1, 0.0, 0.0))), Some(true));
        // Without one of its triangles the cube has no inside.
        let mut open = cube(1.0);
        open.triangles.pop();
        assert_eq!(Tree::new(&open).is_inside(&b, &Transform::IDENTITY), Some(false));
    }
}
