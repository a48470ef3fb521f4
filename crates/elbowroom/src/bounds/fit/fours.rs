//! Balls four at a time: searches visit them thousands of times. The numbers are those of one after the
//! other.

use crate::bounds::ball::Ball;
use alloc::vec::Vec;
use elbowroom_describe::math::{Mat3, Vec3};
use elbowroom_pair::numeric::simd::{Kernel, Lanes, V3, dispatch_kernel, dot_vec3, splat_vec3, sub_vec3};
use elbowroom_pair::shape::hull::Block;

/// Four balls.
#[derive(Clone, Copy)]
struct BallLanes {
    center: Block,
    radius: [f64; 4],
}

/// Balls, at least one; the last four repeat the last ball.
pub(super) struct Fours(Vec<BallLanes>);

/// The places of four balls along a line, and their distances from it.
pub(super) type Feet = ([f64; 4], [f64; 4]);

impl Fours {
    /// Packs balls, at least one.
    pub fn new(balls: &[Ball]) -> Fours {
        let four = |chunk: &[Ball]| {
            let ball = |lane: usize| &chunk[lane.min(chunk.len() - 1)];
            let center = Block::new([ball(0), ball(1), ball(2), ball(3)].map(|b| b.center));
            BallLanes { center, radius: [ball(0), ball(1), ball(2), ball(3)].map(|b| b.radius) }
        };
        Fours(balls.chunks(4).map(four).collect())
    }

    /// How far the balls reach back and forth along axes.
    pub fn extents_along(&self, axes: &Mat3) -> (Vec3, Vec3) {
        dispatch_kernel(AxisExtents(&self.0, axes))
    }

    /// The radius of the cylinder about a line that contains them, the share `more` larger; and the ends of
    /// the shortest capsule of that radius about the line. `feet` is work space.
    pub fn cylinder_about(&self, line: (Vec3, Vec3), more: f64, feet: &mut Vec<Feet>) -> [f64; 3] {
        dispatch_kernel(About { balls: &self.0, line, more, feet })
    }
}

/// Balls in four runs, a run to a lane: of equal heights the first ball counts.
pub(super) struct Runs(Vec<BallLanes>);

impl Runs {
    /// Packs balls, at least one; heights are above a point.
    pub fn new(balls: &[Ball], above: Vec3) -> Runs {
        let run = balls.len().div_ceil(4);
        // A short run is filled with the first ball, which never wins over itself.
        let four = |i: usize| {
            let ball = |lane: usize| balls.get(lane * run + i).unwrap_or(&balls[0]);
            let four = [ball(0), ball(1), ball(2), ball(3)];
            BallLanes { center: Block::new(four.map(|b| b.center - above)), radius: four.map(|b| b.radius) }
        };
        Runs((0..run).map(four).collect())
    }

    /// The number of the ball that reaches highest along a direction.
    pub fn find_highest(&self, along: Vec3) -> usize {
        dispatch_kernel(Highest(&self.0, along))
    }
}

struct Highest<'a>(&'a [BallLanes], Vec3);

impl Kernel for Highest<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> usize {
        let Highest(balls, along) = self;
        let along = splat_vec3(l, along);
        let (mut best, mut best_at) = (l.splat(f64::NEG_INFINITY), l.splat(0.0));
        let mut i = 0;
        while i < balls.len() {
            let height = l.add(dot_vec3(l, along, balls[i].center.load_lanes(l)), l.load(&balls[i].radius));
            best_at = l.select(l.gt(height, best), l.splat(i as f64), best_at);
            best = l.max(height, best);
            i += 1;
        }
        let (_, [lane, at]) = l.of_largest(best, [l.load(&[0.0, 1.0, 2.0, 3.0]), best_at]);
        lane as usize * balls.len() + at as usize
    }
}

/// Points of a plane, four at a time; the last four repeat the last point.
#[derive(Default)]
pub(super) struct Flat4(Vec<[[f64; 4]; 2]>);

impl Flat4 {
    /// Packs other points instead, at least one.
    pub fn pack_points(&mut self, points: &[(f64, f64)]) {
        self.0.clear();
        self.0.extend(points.chunks(4).map(|chunk| {
            let point = |lane: usize| chunk[lane.min(chunk.len() - 1)];
            let four = [point(0), point(1), point(2), point(3)];
            [four.map(|p| p.0), four.map(|p| p.1)]
        }));
    }

    /// The sides of the rectangle around them whose first axis is the unit vector (c, s).
    pub fn rectangle_sides(&self, c: f64, s: f64) -> [f64; 2] {
        dispatch_kernel(Rectangle(&self.0, c, s))
    }
}

struct Rectangle<'a>(&'a [[[f64; 4]; 2]], f64, f64);

impl Kernel for Rectangle<'_> {
    type Output = [f64; 2];
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> [f64; 2] {
        let Rectangle(points, c, s) = self;
        let (c, s) = (l.splat(c), l.splat(s));
        let (mut low, mut high) = ([l.splat(f64::INFINITY); 2], [l.splat(f64::NEG_INFINITY); 2]);
        let mut i = 0;
        while i < points.len() {
            let (x, y) = (l.load(&points[i][0]), l.load(&points[i][1]));
            let at = [l.add(l.mul(c, x), l.mul(s, y)), l.sub(l.mul(c, y), l.mul(s, x))];
            for k in 0..2 {
                low[k] = l.min(at[k], low[k]);
                high[k] = l.max(at[k], high[k]);
            }
            i += 1;
        }
        [max_lane(l, high[0]) - min_lane(l, low[0]), max_lane(l, high[1]) - min_lane(l, low[1])]
    }
}

/// The least lane.
#[inline(always)]
fn min_lane<L: Lanes>(l: L, a: L::F) -> f64 {
    l.to_array(a).into_iter().fold(f64::INFINITY, f64::min)
}

/// The largest lane.
#[inline(always)]
fn max_lane<L: Lanes>(l: L, a: L::F) -> f64 {
    l.to_array(a).into_iter().fold(f64::NEG_INFINITY, f64::max)
}

struct AxisExtents<'a>(&'a [BallLanes], &'a Mat3);

impl Kernel for AxisExtents<'_> {
    type Output = (Vec3, Vec3);
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> (Vec3, Vec3) {
        let AxisExtents(balls, axes) = self;
        let [u, v, w] = axes.cols;
        let axes = [splat_vec3(l, u), splat_vec3(l, v), splat_vec3(l, w)];
        let (mut low, mut high) = ([l.splat(f64::INFINITY); 3], [l.splat(f64::NEG_INFINITY); 3]);
        let mut i = 0;
        while i < balls.len() {
            let (center, radius) = (balls[i].center.load_lanes(l), l.load(&balls[i].radius));
            i += 1;
            for k in 0..3 {
                let p = dot_vec3(l, axes[k], center);
                low[k] = l.min(l.sub(p, radius), low[k]);
                high[k] = l.max(l.add(p, radius), high[k]);
            }
        }
        let [a, b, c] = [min_lane(l, low[0]), min_lane(l, low[1]), min_lane(l, low[2])];
        let [d, e, f] = [max_lane(l, high[0]), max_lane(l, high[1]), max_lane(l, high[2])];
        (Vec3 { x: a, y: b, z: c }, Vec3 { x: d, y: e, z: f })
    }
}

struct About<'a> {
    balls: &'a [BallLanes],
    /// A point and a direction.
    line: (Vec3, Vec3),
    more: f64,
    feet: &'a mut Vec<Feet>,
}

impl Kernel for About<'_> {
    type Output = [f64; 3];
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> [f64; 3] {
        let About { balls, line, more, feet } = self;
        let (at, along) = (splat_vec3(l, line.0), splat_vec3(l, line.1));
        let zero = l.splat(0.0);
        feet.resize(balls.len(), ([0.0; 4], [0.0; 4]));
        let mut radius = zero;
        let mut i = 0;
        while i < balls.len() {
            let from = sub_vec3(l, balls[i].center.load_lanes(l), at);
            let t = dot_vec3(l, from, along);
            let foot = V3 { x: l.mul(along.x, t), y: l.mul(along.y, t), z: l.mul(along.z, t) };
            let away = sub_vec3(l, from, foot);
            let off = l.sqrt(dot_vec3(l, away, away));
            radius = l.max(l.add(off, l.load(&balls[i].radius)), radius);
            feet[i] = (l.to_array(t), l.to_array(off));
            i += 1;
        }
        let radius = max_lane(l, radius) * (1.0 + more);
        let (mut low, mut high) = (l.splat(f64::INFINITY), l.splat(f64::NEG_INFINITY));
        let mut i = 0;
        while i < balls.len() {
            let (t, off) = (l.load(&feet[i].0), l.load(&feet[i].1));
            let slack = l.sub(l.splat(radius), l.load(&balls[i].radius));
            let end = l.sqrt(l.max(l.sub(l.mul(slack, slack), l.mul(off, off)), zero));
            low = l.min(l.add(t, end), low);
            high = l.max(l.sub(t, end), high);
            i += 1;
        }
        [radius, min_lane(l, low), max_lane(l, high)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use elbowroom_describe::math::{sqrt, vec3};

    /// Four balls at a time give the same bits as one ball after the other.
    #[test]
    fn four_at_a_time_are_as_one_after_the_other() {
        let rng = &mut Rng::new(11);
        for n in [1, 2, 3, 4, 5, 8, 31, 200] {
            for _ in 0..50 {
                let mut balls: Vec<Ball> =
                    (0..n).map(|_| Ball { center: rng.direction(), radius: rng.range(0.0, 0.2) }).collect();
                // Equal heights.
                let copy = balls[n / 2];
                balls.push(copy);
                let (at, along, more) = (rng.direction() * 0.1, rng.direction(), rng.range(0.0, 0.3));
                let (mut radius, mut low, mut high) = (0.0_f64, f64::INFINITY, f64::NEG_INFINITY);
                let mut best = (f64::NEG_INFINITY, 0);
                let foot = |b: &Ball| {
                    let from = b.center - at;
                    let t = from.dot(along);
                    (t, (from - along * t).norm())
                };
                for (i, b) in balls.iter().enumerate() {
                    radius = radius.max(foot(b).1 + b.radius);
                    let height = along.dot(b.center - at) + b.radius;
                    if height > best.0 {
                        best = (height, i);
                    }
                }
                radius *= 1.0 + more;
                for b in &balls {
                    let ((t, off), slack) = (foot(b), radius - b.radius);
                    let end = sqrt((slack * slack - off * off).max(0.0));
                    (low, high) = (low.min(t + end), high.max(t - end));
                }
                let fours = Fours::new(&balls);
                assert_eq!(fours.cylinder_about((at, along), more, &mut Vec::new()), [radius, low, high]);
                assert_eq!(Runs::new(&balls, at).find_highest(along), best.1);
                let axes = Mat3 { cols: [along, at, vec3(0.0, 1.0, 0.5)] };
                let mut ends = (vec3(9.0, 9.0, 9.0), vec3(-9.0, -9.0, -9.0));
                for b in &balls {
                    let (p, r) = (axes.transpose_mul(b.center), vec3(b.radius, b.radius, b.radius));
                    ends = (ends.0.min(p - r), ends.1.max(p + r));
                }
                assert_eq!(fours.extents_along(&axes), ends);
                let mut flat = Flat4::default();
                flat.pack_points(&balls.iter().map(|b| (b.center.x, b.center.y)).collect::<Vec<_>>());
                let (c, s) = (along.x, along.y);
                let turned = |b: &Ball| (c * b.center.x + s * b.center.y, c * b.center.y - s * b.center.x);
                let mut around = [[9.0_f64, -9.0_f64]; 2];
                for (x, y) in balls.iter().map(turned) {
                    around = [
                        [around[0][0].min(x), around[0][1].max(x)],
                        [around[1][0].min(y), around[1][1].max(y)],
                    ];
                }
                assert_eq!(flat.rectangle_sides(c, s), around.map(|[low, high]| high - low));
            }
        }
    }
}
