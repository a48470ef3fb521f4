//! Whether two bodies overlap as deep as the engine claims, by the slow reference.
//!
//! A depth of `h` means: no translation shorter than `h` brings them apart. Any one of these proves it.
//!
//! * Two triangles that cross: what parts them is at least as long as what parts them along a normal of
//!   either, or along the product of a side of each; their difference has no other facets (separating axes).
//! * A triangle and a convex body that still meet after translations of that length in many directions.
//! * A point of one body inside the other, at least so far from its surface. If it is inside both, the two
//!   distances count together.
//! * Surfaces that are so far apart, with a piece of one inside the other.
//! * Convex bodies inside both that overlap so deep: the hulls of surfaces that are nearly convex, made
//!   smaller until no triangle reaches them.

use crate::pairs::{NONE, Other, Posed, TIE, exact, solid};
use crate::surface::{Surface, Triangle};
use elbowroom_reference::math::{Transform, Vec3, vec3};
use elbowroom_reference::nearest::nearest_points;
use elbowroom_reference::{Shape, Solid, prepare_shape};

/// Points count as on a surface within this, in units of the scale.
pub const ON: f64 = 1e-12;
/// Nearest points of needles are computed at least this well, in units of the scale.
const NEEDLES: f64 = 1e-9;
/// Rounding of a depth, in units of the scale.
const DEEP: f64 = 1e-13;
/// Most pairs of triangles that are looked at.
const LOOKS: usize = 4000;

/// How an overlap was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Proof {
    /// Two triangles cross, or a triangle and a convex body meet.
    Crossing,
    /// A point lies inside.
    Point,
    /// A whole piece lies inside.
    Inside,
    /// Convex bodies inside overlap.
    Convex,
}

/// Shares by which the hull of a nearly convex surface is made smaller, at most: as much again as the engine.
const SMALLER: f64 = 1.0 / 2048.0;
/// Halvings of the range of these shares.
const SMALLER_HALVINGS: usize = 24;

/// A large convex body that no triangle of a surface reaches, and that is inside of it: its hull, made
/// smaller about the middle of its box; `None` if it would have to be much smaller.
fn convex_within(s: &Surface) -> Option<Solid> {
    let middle = (s.low + s.high) * 0.5;
    let smaller = |share: f64| {
        let at = |p: &Vec3| (middle + (*p - middle) * (1.0 - share)).to_array();
        let vertices = s.triangles.iter().flatten().map(at).collect();
        prepare_shape(&Shape::Convex { vertices }, 0.0).unwrap()
    };
    let is_free = |share: f64| {
        let body = smaller(share);
        s.triangles.iter().all(|t| exact(&solid(t), &body, &Transform::IDENTITY)[0] > 0.0)
    };
    if s.contains(middle) != Some(true) || !is_free(SMALLER) {
        return None;
    }
    let (mut low, mut high) = (0.0, SMALLER);
    for _ in 0..SMALLER_HALVINGS {
        let share = 0.5 * (low + high);
        *(if is_free(share) { &mut high } else { &mut low }) = share;
    }
    Some(smaller(high))
}

/// The length of the shortest translation that parts two triangles, at least; below zero if they are apart.
pub fn depth(a: &Triangle, b: &Triangle) -> f64 {
    let sides = |t: &Triangle| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (e, f) = (sides(a), sides(b));
    let mut axes = vec![e[0].cross(e[1]), f[0].cross(f[1])];
    axes.extend(e.iter().flat_map(|e| f.iter().map(|f| e.cross(*f))));
    // Of flat ones, in the plane.
    axes.extend(e.iter().map(|e| e.cross(axes[0])).collect::<Vec<_>>());
    axes.extend(f.iter().map(|f| f.cross(axes[1])).collect::<Vec<_>>());
    let o = a[0];
    let span = |t: &Triangle, n: Vec3| {
        let h = t.map(|p| (p - o).dot(n));
        (h[0].min(h[1]).min(h[2]), h[0].max(h[1]).max(h[2]))
    };
    axes.iter().filter_map(|n| n.normalized()).fold(f64::INFINITY, |least, n| {
        let ((al, ah), (bl, bh)) = (span(a, n), span(b, n));
        least.min((ah - bl).min(bh - al))
    })
}

impl Posed<'_> {
    /// Whether the overlap is at least `h` deep, and why. The points are the engine's (A's frame, on the
    /// cores): where to look first.
    pub fn shown(&self, h: f64, [x, y]: [Vec3; 2], normal: Vec3) -> Option<Proof> {
        let (on, h) = (ON * self.scale, h - DEEP * self.scale);
        let inverse = self.pose.inverse();
        let (near_a, off_a) = self.a.at(x, on);
        match self.b {
            Other::Surface(b) => {
                let (near_b, _) = b.at(inverse.transform_point(y), on);
                let mut pairs = near_a.iter().flat_map(|i| near_b.iter().map(|j| [*i, *j])).take(LOOKS);
                if pairs.any(|[i, j]| self.cross(b, [i, j], h)) {
                    return Some(Proof::Crossing);
                }
                for x in [x, y] {
                    let at = inverse.transform_point(x);
                    let (off_a, off_b) = (self.a.at(x, 0.0).1, b.at(at, 0.0).1);
                    let (in_a, in_b) = (self.a.contains(x) != Some(false), b.contains(at) != Some(false));
                    let both = if in_a && in_b { off_a + off_b } else { 0.0 };
                    let one = if in_b && (in_a || off_a <= on) { off_b } else { 0.0 };
                    let other = if in_a && (in_b || off_b <= on) { off_a } else { 0.0 };
                    let most = both.max(one).max(other);
                    if most > 0.0 && most >= h {
                        return Some(Proof::Point);
                    }
                }
            }
            Other::Convex(b) => {
                if near_a.iter().take(8).any(|i| self.meet(*i, h, normal)) {
                    return Some(Proof::Crossing);
                }
                // A point of the convex body inside the mesh.
                let point = [x, x, x];
                let has = exact(&solid(&point), &b.solid, &self.pose)[1] <= on;
                if has && self.a.contains(x) != Some(false) && off_a >= h {
                    return Some(Proof::Point);
                }
            }
        }
        None
    }

    /// Whether the overlap is at least `h` deep, and why, without points to look at first: a piece of one
    /// lies inside the other, or any triangles cross.
    pub fn searched(&self, h: f64, normal: Vec3) -> Option<Proof> {
        let (on, h) = (ON * self.scale, h - DEEP * self.scale);
        let found = self.scan(h.max(0.0), TIE * self.scale, None, normal);
        if found.lower > on && found.lower >= h && self.contained() != Some(false) {
            return Some(Proof::Inside);
        }
        self.crossings(h, normal).then_some(Proof::Crossing)
    }

    /// Whether the overlap is at least `h` deep, shown by convex bodies that lie inside the two.
    pub fn convex_overlap(&self, h: f64) -> Option<Proof> {
        let a = convex_within(self.a)?;
        let b = match self.b {
            Other::Surface(b) => convex_within(b)?,
            Other::Convex(b) => b.solid.clone(),
        };
        let truth = elbowroom_reference::truth_of(&a, &b, &self.pose);
        (truth.upper <= -(h - DEEP * self.scale)).then_some(Proof::Convex)
    }

    /// Whether two triangles cross, and this deep.
    fn cross(&self, b: &Surface, [i, j]: [usize; 2], h: f64) -> bool {
        let t = b.triangles[j].map(|p| self.pose.transform_point(p));
        depth(&self.a.triangles[i], &t) >= h && self.measure([i, j])[1] <= 1e-20 * self.scale
    }

    /// Whether a triangle and the convex body meet, after translations too.
    pub fn meet(&self, i: usize, h: f64, normal: Vec3) -> bool {
        let Other::Convex(b) = self.b else { return false };
        let t = self.a.triangles[i];
        let face = (t[1] - t[0]).cross(t[2] - t[0]).normalized().unwrap_or(normal);
        let side = face.any_perpendicular();
        let ways = [Vec3::ZERO, face, normal, side, face.cross(side), vec3(0.6, -0.48, 0.64)];
        let t = solid(&t);
        ways.iter().flat_map(|w| [*w, -*w]).all(|w| {
            let by = w * (h.max(0.0) * 0.999);
            let pose = Transform { translation: self.pose.translation + by, ..self.pose };
            exact(&t, &b.solid, &pose)[1] <= 1e-20 * self.scale
        })
    }

    /// Whether any triangles cross as deep as that.
    fn crossings(&self, h: f64, normal: Vec3) -> bool {
        match self.b {
            Other::Surface(b) => {
                let mut looks = 0;
                self.crossing(b, [0, 0], h, &mut looks)
            }
            Other::Convex(_) => (0..self.a.triangles.len()).any(|i| self.meet(i, h, normal)),
        }
    }

    fn crossing(&self, b: &Surface, [x, y]: [usize; 2], h: f64, looks: &mut usize) -> bool {
        let (p, q) = (&self.a.balls[x], &b.balls[y]);
        if (p.center - self.pose.transform_point(q.center)).norm() > p.radius + q.radius
            || *looks > 100 * LOOKS
        {
            return false;
        }
        match (p.below, q.below) {
            (Some(of), _) if q.below.is_none() || p.radius >= q.radius => {
                of.into_iter().any(|n| self.crossing(b, [n, y], h, looks))
            }
            (_, Some(of)) => of.into_iter().any(|n| self.crossing(b, [x, n], h, looks)),
            _ => (p.first..p.end).any(|i| {
                (q.first..q.end).any(|j| {
                    *looks += 1;
                    self.cross(b, [i, j], h)
                })
            }),
        }
    }

    /// Whether a piece of one lies inside the other, where the surfaces are apart; `None` where that is a
    /// matter of opinion.
    pub fn contained(&self) -> Option<bool> {
        let inverse = self.pose.inverse();
        let b = match self.b {
            Other::Surface(b) => Some(b),
            Other::Convex(_) => None,
        };
        let in_a = self.b.pieces().into_iter().map(|p| self.a.contains(self.pose.transform_point(p)));
        let in_b = b
            .into_iter()
            .flat_map(|b| self.a.pieces.iter().map(move |p| b.contains(inverse.transform_point(*p))));
        let mut known = true;
        for said in in_a.chain(in_b) {
            if said == Some(true) {
                return said;
            }
            known &= said.is_some();
        }
        known.then_some(false)
    }

    /// The least measured pair of triangles at two points (A's frame).
    pub fn at(&self, [x, y]: [Vec3; 2]) -> Option<[usize; 2]> {
        let on = ON * self.scale;
        let (near_a, _) = self.a.at(x, on);
        let near_b = match self.b {
            Other::Surface(b) => b.at(self.pose.inverse().transform_point(y), on).0,
            Other::Convex(_) => vec![0],
        };
        let mut best = (NONE.nearest[1], None);
        for (i, j) in near_a.iter().flat_map(|i| near_b.iter().map(|j| (*i, *j))).take(LOOKS) {
            let off = match self.placed(j) {
                Some(t) => {
                    let (p, q) = nearest_points(&self.a.triangles[i], &t);
                    (p - q).norm()
                }
                None => 0.0,
            };
            if off < best.0 {
                best = (off, Some([i, j]));
            }
        }
        best.1
    }

    /// How far a point (A's frame) lies off the surface of A, and off that of B or outside of its core. Where
    /// f64 says that it is off, as it may for needles, the triangles near it are measured in double-double.
    pub fn off(&self, [x, y]: [Vec3; 2]) -> [f64; 2] {
        let off = |s: &Surface, p: Vec3| {
            let (near, off) = s.at(p, NEEDLES * self.scale);
            if off <= 1e-14 * self.scale {
                return off;
            }
            let point = solid(&[p; 3]);
            let exactly = |i: &usize| exact(&solid(&s.triangles[*i]), &point, &Transform::IDENTITY)[0];
            near.iter().take(LOOKS / 100).map(exactly).fold(off, f64::min)
        };
        let off_b = match self.b {
            Other::Surface(b) => off(b, self.pose.inverse().transform_point(y)),
            Other::Convex(b) => exact(&solid(&[y; 3]), &b.solid, &self.pose)[0],
        };
        [off(self.a, x), off_b]
    }
}
