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

use crate::{hull::Hull, limits::ROUNDING, signed_distance::separation, work::ShapeData};
use elbowroom::math::{Transform, Vec3, vec3};
use std::{collections::BTreeMap, ops::Range};

/// Triangles in a leaf.
const LEAF: usize = 2;
/// A volume (cubic metres) is above rounding if it is above this: coordinates below 4 m are exact to 1e-15,
/// and edges below 1 m, so six times a volume is exact to 1e-14.
const SURE: f64 = 1e-13;

struct Ball {
    center: Vec3,
    radius: f64,
    /// Two children, or none and a range of triangles.
    inner: Option<[usize; 2]>,
    triangles: Range<usize>,
}

/// A shape's triangles under balls, own frame.
pub struct Tree {
    triangles: Vec<[Vec3; 3]>,
    balls: Vec<Ball>,
    shells: Vec<Shell>,
}

/// Triangles that are connected, and the corners of the box around them.
struct Shell {
    triangles: Vec<[Vec3; 3]>,
    box_around: [Vec3; 2],
    closed: bool,
}

impl Tree {
    /// Of all triangles of a shape.
    pub fn new(shape: &ShapeData) -> Tree {
        let corner = |&i: &u32| vec3_of(shape.vertices[i as usize]);
        let triangles: Vec<[Vec3; 3]> =
            shape.triangles.iter().map(|t| [corner(&t[0]), corner(&t[1]), corner(&t[2])]).collect();
        let shells = shells(&triangles);
        let mut tree = Tree { triangles, balls: Vec::new(), shells };
        tree.ball(0..tree.triangles.len());
        tree
    }

    /// A ball around triangles that lie one after the other, and those below it.
    fn ball(&mut self, range: Range<usize>) -> usize {
        let points = || self.triangles[range.clone()].iter().flatten();
        let center = points().fold(Vec3::ZERO, |sum, &p| sum + p) * (1.0 / (3 * range.len()).max(1) as f64);
        let radius = points().map(|&p| (p - center).norm()).fold(0.0, f64::max) + ROUNDING;
        let number = self.balls.len();
        self.balls.push(Ball { center, radius, inner: None, triangles: range.clone() });
        if range.len() > LEAF {
            let [low, high] = box_around(points());
            let size = (high - low).to_array();
            let axis = (0..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best });
            let middle = |t: &[Vec3; 3]| (t[0] + t[1] + t[2]).to_array()[axis];
            self.triangles[range.clone()].sort_by(|s, t| middle(s).total_cmp(&middle(t)));
            let half = range.start + range.len() / 2;
            let inner = [self.ball(range.start..half), self.ball(half..range.end)];
            self.balls[number].inner = Some(inner);
        }
        number
    }

    /// The ball around all.
    pub fn around(&self) -> (Vec3, f64) {
        (self.balls[0].center, self.balls[0].radius)
    }

    /// Whether one shape has a part inside the other, whose surfaces do not meet; `None` where that is not
    /// known.
    pub fn inside(&self, other: &Tree, other_in_self: &Transform) -> Option<bool> {
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
    pub fn nearest(&self, other: &Tree, other_in_self: &Transform, found: &mut [f64; 2], any: bool) {
        let moved: Vec<Vec3> = other.balls.iter().map(|ball| other_in_self.point(ball.center)).collect();
        let gap = |a: usize, b: usize| {
            (moved[b] - self.balls[a].center).norm() - self.balls[a].radius - other.balls[b].radius - ROUNDING
        };
        let mut left = vec![(gap(0, 0), 0, 0)];
        while let Some((bound, a, b)) = left.pop() {
            if bound > found[1].max(0.0) {
                continue;
            }
            let (one, two) = (&self.balls[a], &other.balls[b]);
            let next = match (one.inner, two.inner) {
                (None, None) => {
                    self.leaves(one, other, two, other_in_self, found, any);
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

    fn leaves(
        &self,
        one: &Ball,
        other: &Tree,
        two: &Ball,
        other_in_self: &Transform,
        found: &mut [f64; 2],
        any: bool,
    ) {
        for triangle in &other.triangles[two.triangles.clone()] {
            let triangle = triangle.map(|p| other_in_self.point(p));
            for mine in &self.triangles[one.triangles.clone()] {
                if any && cross(mine, &triangle) {
                    *found = [-ROUNDING; 2];
                    return;
                }
                let (one, two) = (Hull::of_points(mine), Hull::of_points(&triangle));
                let [lower, upper] = separation(&one, &two, &Transform::IDENTITY, any);
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
            let crossed = self.triangles.iter().filter(|corners| {
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
fn shells(triangles: &[[Vec3; 3]]) -> Vec<Shell> {
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
    let mut found: BTreeMap<usize, (Vec<[Vec3; 3]>, BTreeMap<[usize; 2], usize>)> = BTreeMap::new();
    for (triangle, &[a, b, c]) in triangles.iter().zip(&corners) {
        let shell = found.entry(last(&mut connected, a)).or_default();
        shell.0.push(*triangle);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *shell.1.entry([from.min(to), from.max(to)]).or_insert(0) += 1;
        }
    }
    let made = |(triangles, edges): (Vec<[Vec3; 3]>, BTreeMap<[usize; 2], usize>)| {
        let closed = edges.values().all(|count| count % 2 == 0);
        Shell { box_around: box_around(triangles.iter().flatten()), triangles, closed }
    };
    found.into_values().map(made).collect()
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

/// Whether two triangles cross for certain.
fn cross(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let edges = |t: &[Vec3; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    edges(a).iter().any(|edge| pierces(edge, b)) || edges(b).iter().any(|edge| pierces(edge, a))
}

/// Whether a segment goes through a triangle for certain.
fn pierces(&[p, q]: &[Vec3; 2], &[a, b, c]: &[Vec3; 3]) -> bool {
    let volume = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| (b - a).cross(c - a).dot(d - a);
    let ends = [volume(a, b, c, p), volume(a, b, c, q)];
    if ends.iter().any(|v| v.abs() <= SURE) || (ends[0] > 0.0) == (ends[1] > 0.0) {
        return false;
    }
    let sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
    sides.iter().all(|&v| v > SURE) || sides.iter().all(|&v| v < -SURE)
}
