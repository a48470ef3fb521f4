//! Depth of overlapping polytopes: the nearest facet of `D = A - B`.
//!
//! Every facet of `D` has the normal of a face of A, minus that of a face of B, or is spanned by an edge of
//! each. All are tried. Each direction gives a bound (`gap(n)` is never more than the signed distance), and
//! the best of them is it.

use crate::math::Vec3;
use crate::solid::Difference;
use crate::truth::{Method, Truth};

/// The signed distance of overlapping (or touching) polytope cores: minus their depth.
pub fn polytope_depth(d: &Difference) -> Truth {
    let (va, vb) = d.rounded_vertices();
    let (mut best, mut normal) = (f64::NEG_INFINITY, Vec3::Z);
    let mut attempt = |n: Vec3| {
        for n in [n, -n] {
            // min over A less max over B, left as soon as it cannot win.
            let mut top = f64::NEG_INFINITY;
            for b in vb {
                top = top.max(b.dot(n));
            }
            let mut gap = f64::INFINITY;
            for a in va {
                gap = gap.min(a.dot(n) - top);
                if gap <= best {
                    break;
                }
            }
            if gap > best {
                (best, normal) = (gap, n);
            }
        }
    };
    let edges_b: Vec<Vec3> = d.b.edges.iter().map(|&e| d.b_in_a.transform_direction(e)).collect();
    for &n in &d.a.normals {
        attempt(n);
    }
    for &n in &d.b.normals {
        attempt(d.b_in_a.transform_direction(n).normalized().unwrap_or(Vec3::Z));
    }
    for &ea in &d.a.edges {
        for &eb in &edges_b {
            if let Some(n) = ea.cross(eb).normalized() {
                attempt(n);
            }
        }
    }
    // Segments on one line, points on points: flat differences, which any perpendicular separates.
    for &e in d.a.edges.iter().chain(&edges_b) {
        attempt(e.any_perpendicular());
    }
    if d.a.edges.is_empty() && edges_b.is_empty() {
        attempt(Vec3::Z);
    }
    let (witness_a, witness_b) = d.least_rounded(normal);
    Truth {
        lower: best,
        upper: best,
        witness_a,
        witness_b,
        normal,
        scale: 0.0,
        method: Method::Facets,
        rank: [0, 0],
    }
}
