//! The point nearest to the origin of up to four points' hull.
//!
//! Each case is Ericson's (Real-Time Collision Detection, 5.1): regions of Voronoi, corner by edge by face.
//! Nothing is proved here: the result leads the search to its next direction, and no bound stands on it.

use crate::arithmetic::{V3, add, cross, difference, dot, scaled};

/// Up to four points, the newest last.
#[derive(Clone, Copy)]
pub(crate) struct Simplex {
    points: [V3; 4],
    count: usize,
}

/// A face of a simplex, or less, with its point nearest to the origin.
#[derive(Clone, Copy)]
struct Nearest {
    kept: Simplex,
    point: V3,
}

impl Simplex {
    pub const EMPTY: Simplex = Simplex { points: [[0.0; 3]; 4], count: 0 };

    fn from_points<const N: usize>(points: [V3; N]) -> Simplex {
        let mut all = Simplex::EMPTY;
        for (to, from) in all.points.iter_mut().zip(points) {
            *to = from;
        }
        all.count = N;
        all
    }

    /// Whether a point is one of them.
    pub fn has_point(&self, p: V3) -> bool {
        self.points.iter().take(self.count).any(|q| *q == p)
    }

    /// Adds a point and drops the points that the nearest one does not need. Returns the point of the hull
    /// that is nearest to the origin, or `None` if the origin lies inside.
    pub fn nearest_with(&mut self, p: V3) -> Option<V3> {
        let [a, b, c, _] = self.points;
        let found = match self.count {
            0 => Nearest { kept: Simplex::from_points([p]), point: p },
            1 => nearest_of_edge(p, a),
            2 => nearest_of_face(p, a, b),
            _ => nearest_of_solid(p, a, b, c)?,
        };
        *self = found.kept;
        Some(found.point)
    }
}

fn nearest_of_edge(a: V3, b: V3) -> Nearest {
    let ab = difference(b, a);
    let (along, whole) = (-dot(a, ab), dot(ab, ab));
    if !(along > 0.0) {
        Nearest { kept: Simplex::from_points([a]), point: a }
    } else if along >= whole {
        Nearest { kept: Simplex::from_points([b]), point: b }
    } else {
        Nearest { kept: Simplex::from_points([b, a]), point: add(a, scaled(ab, along / whole)) }
    }
}

fn nearest_of_face(a: V3, b: V3, c: V3) -> Nearest {
    let (ab, ac) = (difference(b, a), difference(c, a));
    let (d1, d2) = (-dot(ab, a), -dot(ac, a));
    let (d3, d4) = (-dot(ab, b), -dot(ac, b));
    let (d5, d6) = (-dot(ab, c), -dot(ac, c));
    let (of_a, of_b, of_c) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    let whole = of_a + of_b + of_c;
    if of_a > 0.0 && of_b > 0.0 && of_c > 0.0 && whole > 0.0 {
        let n = cross(ab, ac);
        // Along the normal: more digits than a sum of corners has.
        let square = dot(n, n);
        let by_normal = scaled(n, dot(n, a) / square);
        if square > f32::MIN_POSITIVE {
            return Nearest { kept: Simplex::from_points([c, b, a]), point: by_normal };
        }
    }
    let edges = [nearest_of_edge(a, b), nearest_of_edge(a, c), nearest_of_edge(b, c)];
    least_of(edges)
}

/// The nearest of three.
fn least_of([mut best, second, third]: [Nearest; 3]) -> Nearest {
    for other in [second, third] {
        if dot(other.point, other.point) < dot(best.point, best.point) {
            best = other;
        }
    }
    best
}

fn nearest_of_solid(a: V3, b: V3, c: V3, d: V3) -> Option<Nearest> {
    let faces = [[a, b, c, d], [a, c, d, b], [a, d, b, c], [b, d, c, a]];
    let mut best: Option<Nearest> = None;
    for [p, q, r, inner] in faces {
        let n = cross(difference(q, p), difference(r, p));
        let (origin, other) = (-dot(n, p), dot(n, difference(inner, p)));
        // On the inner side of this face, and the solid is no pancake: another face is nearer.
        if origin * other > 0.0 {
            continue;
        }
        let found = nearest_of_face(p, q, r);
        if best.is_none_or(|best| dot(found.point, found.point) < dot(best.point, best.point)) {
            best = Some(found);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::Simplex;
    use crate::arithmetic::{V3, difference, norm};
    use std::vec::Vec;

    /// The nearest of many points of the hull.
    fn slow(points: &[V3]) -> f32 {
        let steps = 40;
        let mut least = f32::INFINITY;
        for i in 0..=steps {
            for j in 0..=steps - i {
                for k in 0..=steps - i - j {
                    let shares = [i, j, k, steps - i - j - k].map(|s| s as f32 / steps as f32);
                    let mut at = [0.0; 3];
                    for (p, s) in points.iter().zip(shares) {
                        (0..3).for_each(|x| at[x] += p[x] * s);
                    }
                    least = least.min(norm(at));
                }
            }
        }
        least
    }

    #[test]
    fn a_simplex_has_its_nearest_point() {
        let mut state = 7_u32;
        let mut unit = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 16_777_216.0
        };
        let (mut inside, mut outside) = (0, 0);
        for _ in 0..400 {
            let away = [unit() * 1.5, 0.0, 0.0];
            let points: Vec<V3> =
                (0..4).map(|_| difference([unit() - 0.5, unit() - 0.5, unit() - 0.5], away)).collect();
            let mut simplex = Simplex { points: [points[0], points[1], points[2], [0.0; 3]], count: 3 };
            match simplex.nearest_with(points[3]) {
                Some(nearest) => {
                    let reference = slow(&points);
                    assert!(norm(nearest) <= reference + 1e-5, "{points:?}");
                    assert!(norm(nearest) >= reference - 0.04, "{points:?}");
                    outside += 1;
                }
                None => {
                    assert!(slow(&points) < 0.04, "{points:?}");
                    inside += 1;
                }
            }
        }
        assert!(inside > 3 && outside > 200, "{inside} {outside}");
    }
}
