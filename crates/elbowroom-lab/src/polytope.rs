//! Distance of two convex polytopes as henrich92 and henrich97 have it: Gilbert, Johnson and Keerthi (1988).
//!
//! Both polytopes are lists of corners in one frame, all of which are scanned for the farthest one; the
//! sub-distance is that of signed volumes, which loses no region. The search ends when the plane through the
//! newest corner is as far from the origin as the simplex but for [`POLYTOPE_GAP`], when no better simplex
//! can be formed, or after [`RGJK_STEPS`]. Overlapping polytopes are at distance 0: the papers know no depth.
//!
//! It may start from the simplex of the last pose (henrich92's initialization): the corners are the same,
//! only moved.

use crate::limits::{POLYTOPE_GAP, RGJK_STEPS, TOUCHING};
use crate::simplex::{Corner, SignedVolumes, Simplex, SubDistance};
use elbowroom::math::Vec3;

/// The corners that the last search ended with; `Default` is a cold start.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start {
    corners: [[u32; 2]; 4],
    count: usize,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Metres; 0 where they overlap.
    pub distance: f64,
    /// Steps of the search.
    pub steps: u32,
}

/// The distance of two polytopes by their corners, in one frame (metres). Neither may be empty.
pub fn polytope_distance(a: &[Vec3], b: &[Vec3], start: &mut Start) -> Found {
    let corner = |[i, j]: [u32; 2]| Corner { point: a[i as usize] - b[j as usize], of: [i, j] };
    let mut simplex = Simplex::default();
    let mut v = b[0] - a[0];
    let mut best = f64::INFINITY;
    if start.count > 0 {
        // A simplex that spanned a facet may be flat now; the sub-distance copes with that.
        start.corners[..start.count].iter().rev().for_each(|of| simplex.push(corner(*of)));
        let nearest = SignedVolumes.nearest_to_origin(&simplex);
        let length = nearest.v.norm();
        if !nearest.inside && length > TOUCHING {
            (v, best, simplex) = (nearest.v, length, nearest.kept);
        } else if nearest.inside && simplex.corners().len() == 4 {
            return Found { distance: 0.0, steps: 0 };
        } else {
            simplex = Simplex::default();
        }
    }
    let mut steps = 0;
    while steps < RGJK_STEPS {
        steps += 1;
        let new = corner([farthest_point(a, v), farthest_point(b, -v)]);
        // The polytopes are on the far side of a plane this far away.
        let plane = -v.dot(new.point) / v.norm();
        let known = simplex.corners().iter().any(|c| c.of == new.of);
        if best.is_finite() && (best - plane <= POLYTOPE_GAP || known) {
            break;
        }
        let mut next = simplex;
        next.push(new);
        let nearest = SignedVolumes.nearest_to_origin(&next);
        let length = nearest.v.norm();
        if nearest.inside || length <= TOUCHING {
            start.keep_corners(&next);
            return Found { distance: 0.0, steps };
        }
        // Also the way out for NaN.
        if length.is_nan() || length >= best {
            break;
        }
        (best, v, simplex) = (length, nearest.v, nearest.kept);
    }
    start.keep_corners(&simplex);
    Found { distance: best, steps }
}

impl Start {
    fn keep_corners(&mut self, simplex: &Simplex) {
        self.count = simplex.corners().len();
        for (to, from) in self.corners.iter_mut().zip(simplex.corners()) {
            *to = from.of;
        }
    }
}

fn farthest_point(points: &[Vec3], direction: Vec3) -> u32 {
    let (mut at, mut height) = (0, f64::NEG_INFINITY);
    for (i, p) in points.iter().enumerate() {
        let h = p.dot(direction);
        if h > height {
            (at, height) = (i as u32, h);
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::math::vec3;

    #[test]
    fn cubes_at_known_distances() {
        let cube = |at: Vec3| -> Vec<Vec3> {
            let sign = |i: u32, bit: u32| if i & bit == 0 { -0.5 } else { 0.5 };
            (0..8).map(|i| at + vec3(sign(i, 1), sign(i, 2), sign(i, 4))).collect()
        };
        let mut start = Start::default();
        // One start for all: warm from somewhere else must not matter.
        for (at, expected) in [
            (vec3(3.0, 0.0, 0.0), 2.0),
            (vec3(4.0, 5.0, 0.0), 5.0),
            (vec3(0.9, 0.1, 0.2), 0.0),
            (vec3(-1.5, 0.2, 0.3), 0.5),
            (vec3(0.0, 0.0, 0.0), 0.0),
            (vec3(0.2, -0.3, 1.25), 0.25),
        ] {
            for mut s in [Start::default(), start] {
                let found = polytope_distance(&cube(Vec3::ZERO), &cube(at), &mut s);
                assert!((found.distance - expected).abs() < 1e-9, "{at:?}: {found:?}");
                start = s;
            }
        }
    }
}
