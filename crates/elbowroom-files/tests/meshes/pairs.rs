//! Every triangle of a mesh against every triangle of another, or against a convex body.
//!
//! A pair is decided in one of three ways, all of which are simple:
//!
//! * A ball around each, or around more triangles, and the distance of the balls less what f64 rounds: no
//!   pair below is nearer than that. It is left out where that is more than the distance of a pair that was
//!   found already.
//! * A plane: along a direction, every corner of one lies beyond every corner of the other by a gap. Whatever
//!   the direction is, the gap less the rounding is a lower bound. It is taken from the nearest points in
//!   f64.
//! * All else is measured in double-double arithmetic ([`elbowroom_reference::separated`]).

use crate::surface::{Surface, Triangle};
use elbowroom_reference::math::{Transform, Vec3};
use elbowroom_reference::nearest::nearest_points;
use elbowroom_reference::separated::nearest_core_points;
use elbowroom_reference::solid::Difference;
use elbowroom_reference::{Shape, Solid, TARGET, prepare_shape};

/// Rounding of a corner of B in A's frame and of a product with a unit vector, in units of the lengths: eight
/// roundings, times the root of three for a length.
const ROUNDED: f64 = 16.0 * 1.2e-16;
/// Rounding of a ball's centre in the other body's frame, in units of the lengths; generous.
pub const ROUNDED_BALL: f64 = 1e-14;
/// A pair that improves the distance by less than this, in units of the scale, is not measured if a plane
/// proves what must be proved of it.
pub const TIE: f64 = 1e-10;

/// The other body.
#[derive(Clone, Debug)]
pub enum Other {
    Surface(Surface),
    Convex(Convex),
}

/// A convex body without its radius.
#[derive(Clone, Debug)]
pub struct Convex {
    pub solid: Solid,
    /// Half extents and centre of a box around it.
    pub half: Vec3,
    pub center: Vec3,
    /// A point of it.
    pub inside: Vec3,
    /// Round about z, with this radius.
    pub round: Option<f64>,
}

impl Convex {
    /// At most the distance of a point from it (its own frame): that of its box, and of the round cylinder.
    pub fn off(&self, p: Vec3) -> f64 {
        let d = p - self.center;
        let beyond = |x: f64, h: f64| (x.abs() - h).max(0.0);
        let (x, y, z) = (beyond(d.x, self.half.x), beyond(d.y, self.half.y), beyond(d.z, self.half.z));
        let square = x * x + y * y;
        let across = self.round.map_or(square, |r| {
            let a = ((d.x * d.x + d.y * d.y).sqrt() - r).max(0.0);
            square.max(a * a)
        });
        (across + z * z).sqrt()
    }
}

impl Other {
    pub fn reach(&self) -> f64 {
        match self {
            Other::Surface(s) => s.reach,
            Other::Convex(c) => c.solid.reach,
        }
    }
    pub fn pieces(&self) -> Vec<Vec3> {
        match self {
            Other::Surface(s) => s.pieces.clone(),
            Other::Convex(c) => vec![c.inside],
        }
    }
}

/// What a scan found.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// No pair is nearer.
    pub lower: f64,
    /// The distance of the nearest measured pair: at least, at most.
    pub nearest: [f64; 2],
    pub pair: [usize; 2],
    /// Pairs that were measured in double-double.
    pub measured: u32,
}

pub const NONE: Found =
    Found { lower: f64::INFINITY, nearest: [f64::INFINITY; 2], pair: [0; 2], measured: 0 };

/// A mesh and another body, B's pose in A's frame, and the scale of rounding.
pub struct Posed<'a> {
    pub a: &'a Surface,
    pub b: &'a Other,
    pub pose: Transform,
    pub scale: f64,
}

/// The normals of two triangles, of any length, each also turned round.
pub fn face_directions(a: &Triangle, b: &Triangle) -> impl Iterator<Item = Vec3> {
    let normals = [a, b].map(|t| (t[1] - t[0]).cross(t[2] - t[0]));
    normals.into_iter().flat_map(|n| [n, -n])
}

pub fn solid(t: &Triangle) -> Solid {
    prepare_shape(&Shape::Convex { vertices: t.map(Vec3::to_array).to_vec() }, 0.0).unwrap()
}

/// The distance of two convex bodies in double-double: at least, at most. Zero and zero where they meet.
pub fn exact(a: &Solid, b: &Solid, pose: &Transform) -> [f64; 2] {
    let scale = a.reach + b.reach + pose.translation.norm();
    nearest_core_points(&Difference::new(a, b, pose), TARGET * scale)
        .map_or([0.0; 2], |t| [t.lower.max(0.0), t.upper])
}

impl<'a> Posed<'a> {
    pub fn new(a: &'a Surface, b: &'a Other, pose: Transform) -> Posed<'a> {
        Posed { a, b, pose, scale: a.reach + b.reach() + pose.translation.norm() }
    }

    /// A triangle of B in A's frame.
    pub fn placed(&self, j: usize) -> Option<Triangle> {
        let Other::Surface(b) = self.b else { return None };
        Some(b.triangles[j].map(|p| self.pose.transform_point(p)))
    }

    /// The distance of a triangle of A and one of B (or all of it), in double-double.
    pub fn measure(&self, [i, j]: [usize; 2]) -> [f64; 2] {
        let a = solid(&self.a.triangles[i]);
        match self.b {
            Other::Surface(b) => exact(&a, &solid(&b.triangles[j]), &self.pose),
            Other::Convex(b) => exact(&a, &b.solid, &self.pose),
        }
    }

    /// The gap between everything along a unit vector, which points to A.
    pub fn gap(&self, along: Vec3) -> f64 {
        let low = self.a.triangles.iter().flatten().fold(f64::INFINITY, |l, p| l.min(p.dot(along)));
        let high = match self.b {
            Other::Surface(b) => {
                let (n, shift) = (self.pose.rotation.transpose_mul(along), self.pose.translation.dot(along));
                let all = b.triangles.iter().flatten();
                all.fold(f64::NEG_INFINITY, |h, p| h.max(p.dot(n))) + shift
            }
            Other::Convex(_) => self.high(&self.difference(), along),
        };
        low - high - ROUNDED * self.scale
    }

    fn difference(&self) -> Option<Difference<'a>> {
        let Other::Convex(b) = self.b else { return None };
        Some(Difference::new(&b.solid, &b.solid, &self.pose))
    }

    /// How far a convex B reaches along a direction.
    fn high(&self, of: &Option<Difference>, along: Vec3) -> f64 {
        of.as_ref().map_or(f64::INFINITY, |d| d.least_rounded(along).1.dot(along))
    }

    /// Scans all pairs. Of none that is left out the distance is below `prove`, nor below that of the nearest
    /// pair by more than `tie`. `known` is a pair to begin with, `along` a direction to try for all.
    pub fn scan(&self, prove: f64, tie: f64, known: Option<[usize; 2]>, along: Vec3) -> Found {
        let mut found = NONE;
        if let Some(pair) = known {
            self.take(pair, &mut found);
            let all = self.gap(along);
            if all >= prove && all >= found.nearest[1] - tie {
                return Found { lower: all, ..found };
            }
        }
        match self.b {
            Other::Surface(b) => self.descend(b, [0, 0], (prove, tie, &along), &mut found),
            Other::Convex(b) => {
                let difference = self.difference();
                let high = self.high(&difference, along);
                let inverse = self.pose.inverse();
                for (i, (center, radius)) in self.a.around.iter().enumerate() {
                    let ball = b.off(inverse.transform_point(*center)) - radius - ROUNDED_BALL * self.scale;
                    if ball > found.nearest[1] {
                        continue;
                    }
                    let low = self.a.triangles[i].iter().fold(f64::INFINITY, |l, p| l.min(p.dot(along)));
                    let gap = low - high - ROUNDED * self.scale;
                    if gap >= prove && gap >= found.nearest[1] - tie {
                        found.lower = found.lower.min(gap);
                        continue;
                    }
                    self.take([i, 0], &mut found);
                }
            }
        }
        found.lower = found.lower.min(found.nearest[0]);
        found
    }

    /// The gap between two triangles along a direction of any length, less the rounding; zero without one.
    pub fn between(&self, a: &Triangle, b: &Triangle, along: Vec3) -> f64 {
        let Some(n) = along.normalized() else { return 0.0 };
        let o = b[0];
        let low = a.iter().fold(f64::INFINITY, |l, p| l.min((*p - o).dot(n)));
        low - b.iter().fold(0.0, |h: f64, p| h.max((*p - o).dot(n))) - ROUNDED * self.scale
    }

    fn take(&self, pair: [usize; 2], found: &mut Found) {
        let t = self.measure(pair);
        found.measured += 1;
        found.lower = found.lower.min(t[0]);
        if t[1] < found.nearest[1] {
            (found.nearest, found.pair) = (t, pair);
        }
    }

    fn descend(
        &self,
        b: &Surface,
        [x, y]: [usize; 2],
        wanted @ (prove, tie, along): (f64, f64, &Vec3),
        found: &mut Found,
    ) {
        let (p, q) = (&self.a.balls[x], &b.balls[y]);
        let bound = |x: usize, y: usize| {
            let (p, q) = (&self.a.balls[x], &b.balls[y]);
            let apart = (p.center - self.pose.transform_point(q.center)).norm();
            apart - p.radius - q.radius - ROUNDED_BALL * self.scale
        };
        if bound(x, y) > found.nearest[1] {
            return;
        }
        // The larger one first; of its halves the nearer one first.
        let split = match (p.below, q.below) {
            (Some(of), None) => Some((of, true)),
            (None, Some(of)) => Some((of, false)),
            (Some(of), Some(_)) if p.radius >= q.radius => Some((of, true)),
            (_, Some(of)) => Some((of, false)),
            (None, None) => None,
        };
        if let Some((of, a)) = split {
            let mut next = of.map(|n| if a { [n, y] } else { [x, n] });
            if bound(next[1][0], next[1][1]) < bound(next[0][0], next[0][1]) {
                next.swap(0, 1);
            }
            next.into_iter().for_each(|n| self.descend(b, n, wanted, found));
            return;
        }
        for j in q.first..q.end {
            let (center, radius) = b.around[j];
            let (center, t) =
                (self.pose.transform_point(center), b.triangles[j].map(|p| self.pose.transform_point(p)));
            for i in p.first..p.end {
                let ball = (self.a.around[i].0 - center).norm() - self.a.around[i].1 - radius;
                if ball - ROUNDED_BALL * self.scale > found.nearest[1] {
                    continue;
                }
                // Cheap directions first: that of all, that of the balls, and those of the faces.
                let u = &self.a.triangles[i];
                let enough = |gap: f64| gap >= prove && gap >= found.nearest[1] - tie;
                let gap = [*along, self.a.around[i].0 - center]
                    .into_iter()
                    .chain(face_directions(u, &t))
                    .map(|n| self.between(u, &t, n))
                    .find(|gap| enough(*gap))
                    .unwrap_or_else(|| {
                        let (p, q) = nearest_points(u, &t);
                        self.between(u, &t, p - q)
                    });
                if enough(gap) {
                    found.lower = found.lower.min(gap);
                } else {
                    self.take([i, j], found);
                }
            }
        }
    }
}
