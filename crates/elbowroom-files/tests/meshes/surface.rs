//! A mesh as the slow reference has it: triangles, balls around them, and what is asked of one surface.
//!
//! Balls lie in a tree: a ball holds all corners of the triangles below it, whichever way they were grouped.
//! So the grouping decides how fast a scan is, and never what it finds.

use elbowroom_reference::math::{Vec3, vec3};
use elbowroom_reference::nearest::nearest_point;
use std::collections::{BTreeMap, BTreeSet};

pub type Triangle = [Vec3; 3];

/// Radii are larger by this than computed: ten thousand roundings.
const GROWN: f64 = 1.0 + 1e-12;
/// Triangles below the last balls.
const FEW: usize = 4;
/// Pieces of a surface that are tested for being inside; of more, the first.
const PIECES: usize = 16;

/// A ball that holds triangles.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    pub center: Vec3,
    pub radius: f64,
    /// The triangles.
    pub first: usize,
    pub end: usize,
    /// The two balls below it; none below the last.
    pub below: Option<[usize; 2]>,
}

#[derive(Clone, Debug)]
pub struct Surface {
    /// In the order of the balls.
    pub triangles: Vec<Triangle>,
    /// Around each of them: centre and radius.
    pub around: Vec<(Vec3, f64)>,
    /// The first holds all.
    pub balls: Vec<Ball>,
    /// Farthest corner from the origin of the frame.
    pub reach: f64,
    pub low: Vec3,
    pub high: Vec3,
    /// Every edge, compared exactly, is shared by two triangles.
    pub closed: bool,
    /// Of triangles with the same corners the first; empty where there are none such.
    once: Vec<bool>,
    /// A corner of each piece that is connected by corners.
    pub pieces: Vec<Vec3>,
}

fn each(a: Vec3, b: Vec3, f: fn(f64, f64) -> f64) -> Vec3 {
    vec3(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z))
}

/// A ball around points.
fn around<'a>(points: impl Iterator<Item = &'a Vec3> + Clone) -> (Vec3, f64) {
    let far = vec3(f64::INFINITY, f64::INFINITY, f64::INFINITY);
    let (low, high) =
        points.clone().fold((far, -far), |(l, h), p| (each(l, *p, f64::min), each(h, *p, f64::max)));
    let center = low * 0.5 + high * 0.5;
    (center, points.fold(0.0, |r: f64, p| r.max((*p - center).norm())) * GROWN)
}

impl Surface {
    pub fn new(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Surface {
        let (closed, pieces) = topology(vertices, triangles);
        let mut all: Vec<(Triangle, (Vec3, f64))> = triangles
            .iter()
            .map(|t| t.map(|i| Vec3::from(vertices[i as usize])))
            .map(|t| (t, around(t.iter())))
            .collect();
        let mut balls = Vec::new();
        let n = all.len();
        grow(&mut all, 0, n, &mut balls);
        let corners = all.iter().flat_map(|t| &t.0);
        let far = vec3(f64::INFINITY, f64::INFINITY, f64::INFINITY);
        let (low, high) =
            corners.clone().fold((far, -far), |(l, h), p| (each(l, *p, f64::min), each(h, *p, f64::max)));
        let reach = corners.fold(0.0, |r: f64, p| r.max(p.norm())) * GROWN;
        let (triangles, around): (Vec<Triangle>, _) = all.into_iter().unzip();
        let mut seen = BTreeSet::new();
        let mut once: Vec<bool> = triangles.iter().map(|t| seen.insert(corners_of(t))).collect();
        if once.iter().all(|o| *o) {
            once.clear();
        }
        Surface { triangles, around, balls, reach, low, high, closed, once, pieces }
    }

    /// Whether the point lies inside: crossings of three rays by majority, the winding number, and the
    /// crossings where of triangles with the same corners only one counts, as in bodies of two-sided faces.
    /// `None` where they differ, as in two layers of one file.
    pub fn contains(&self, p: Vec3) -> Option<bool> {
        let out = |p: f64, low: f64, high: f64| p < low || p > high;
        let (l, h) = (self.low, self.high);
        if out(p.x, l.x, h.x) || out(p.y, l.y, h.y) || out(p.z, l.z, h.z) {
            return Some(false);
        }
        let (odd, wound) = (self.odd(p), self.winding(p).abs() > 0.5);
        let once = if self.once.is_empty() { odd } else { self.crossed(p, &self.once) };
        (odd == wound && odd == once).then_some(odd)
    }

    /// Whether most of three rays of odd directions cross an odd number of triangles.
    pub fn odd(&self, p: Vec3) -> bool {
        self.crossed(p, &[])
    }

    /// Whether most of three rays of odd directions cross an odd number of the triangles that count. If
    /// `count` is empty, all do.
    fn crossed(&self, p: Vec3, count: &[bool]) -> bool {
        let rays =
            [vec3(0.5377, 0.6191, 0.5722), vec3(-0.7312, 0.4129, 0.5431), vec3(0.2713, -0.8377, 0.4739)];
        let odd = rays.iter().filter(|r| {
            let r = **r;
            let mut crossed = 0;
            for (i, (t, (center, radius))) in self.triangles.iter().zip(&self.around).enumerate() {
                // A ball that the line misses, or that lies behind.
                let (c, far) = (*center - p, *radius * 1.001 + 1e-9 * self.reach);
                let along = c.dot(r);
                let skipped = count.get(i) == Some(&false);
                if skipped || along < -far || (c - r * along).norm() > far + 0.01 * c.norm() {
                    continue;
                }
                let [a, b, c] = t.map(|v| v - p);
                let s = [a.cross(b).dot(r), b.cross(c).dot(r), c.cross(a).dot(r)];
                let through = s.iter().all(|s| *s > 0.0) || s.iter().all(|s| *s < 0.0);
                let volume = a.dot(b.cross(c));
                crossed += usize::from(through && volume != 0.0 && (volume > 0.0) == (s[0] > 0.0));
            }
            crossed % 2 == 1
        });
        odd.count() >= 2
    }

    /// How often the surface goes around the point: the sum of the solid angles (van Oosterom and Strackee
    /// 1983). A whole number where it closes.
    pub fn winding(&self, p: Vec3) -> f64 {
        let angle = |t: &Triangle| {
            let [a, b, c] = t.map(|v| v - p);
            let [x, y, z] = [a, b, c].map(Vec3::norm);
            a.dot(b.cross(c)).atan2(x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y)
        };
        self.triangles.iter().map(angle).sum::<f64>() / std::f64::consts::TAU
    }

    /// The triangles no farther from the point than `within`, and the distance of the nearest of all.
    pub fn at(&self, p: Vec3, within: f64) -> (Vec<usize>, f64) {
        let (mut found, mut least) = (Vec::new(), f64::INFINITY);
        for (i, (center, radius)) in self.around.iter().enumerate() {
            if (p - *center).norm() - radius <= least.max(within) {
                let off = (nearest_point(&self.triangles[i], p) - p).norm();
                least = least.min(off);
                if off <= within {
                    found.push(i);
                }
            }
        }
        (found, least)
    }
}

/// Adds the ball of these triangles and all below it; its number.
fn grow(all: &mut [(Triangle, (Vec3, f64))], first: usize, end: usize, balls: &mut Vec<Ball>) -> usize {
    let (center, radius) = around(all[first..end].iter().flat_map(|t| &t.0));
    let number = balls.len();
    balls.push(Ball { center, radius, first, end, below: None });
    if end - first > FEW {
        let middle = |t: &(Triangle, (Vec3, f64))| t.1.0;
        let part = &mut all[first..end];
        let spread = |k: usize| {
            let of = part.iter().map(|t| middle(t).to_array()[k]);
            of.clone().fold(f64::NEG_INFINITY, f64::max) - of.fold(f64::INFINITY, f64::min)
        };
        let axis = (0..3).max_by(|&i, &j| spread(i).total_cmp(&spread(j))).unwrap_or(0);
        let half = part.len() / 2;
        part.select_nth_unstable_by(half, |a, b| {
            middle(a).to_array()[axis].total_cmp(&middle(b).to_array()[axis])
        });
        let left = grow(all, first, first + half, balls);
        let right = grow(all, first + half, end, balls);
        balls[number].below = Some([left, right]);
    }
    number
}

/// The bits of the corners of a triangle, in one order.
fn corners_of(t: &Triangle) -> [[u64; 3]; 3] {
    let mut corners = t.map(|p| p.to_array().map(|c| (c + 0.0).to_bits()));
    corners.sort_unstable();
    corners
}

/// Whether every edge has two triangles, and a corner of each piece.
fn topology(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> (bool, Vec<Vec3>) {
    // Equal corners have one number.
    let mut numbers = BTreeMap::new();
    let of: Vec<usize> = vertices
        .iter()
        .map(|v| {
            let next = numbers.len();
            *numbers.entry(v.map(|c| (c + 0.0).to_bits())).or_insert(next)
        })
        .collect();
    let mut edges: BTreeMap<[usize; 2], u32> = BTreeMap::new();
    let mut next: Vec<usize> = (0..numbers.len()).collect();
    let root = |next: &mut Vec<usize>, mut i: usize| {
        while next[i] != i {
            next[i] = next[next[i]];
            i = next[i];
        }
        i
    };
    for t in triangles {
        let t = t.map(|i| of[i as usize]);
        for k in 0..3 {
            let (i, j) = (t[k], t[(k + 1) % 3]);
            *edges.entry([i.min(j), i.max(j)]).or_default() += 1;
            let (i, j) = (root(&mut next, i), root(&mut next, j));
            next[i.max(j)] = i.min(j);
        }
    }
    let mut seen = BTreeMap::new();
    for t in triangles {
        let piece = root(&mut next, of[t[0] as usize]);
        if seen.len() < PIECES || seen.contains_key(&piece) {
            seen.entry(piece).or_insert_with(|| Vec3::from(vertices[t[0] as usize]));
        }
    }
    (edges.values().all(|n| *n == 2), seen.into_values().collect())
}
