//! The sub-distance of GJK for long thin simplices: slower and more accurate.
//!
//! The four lanes of [`mod@super::reduce`] measure every face from the newest corner. The tilt of a normal is
//! the rounding of the corners over the width of the face. Where the newest corner is thousands of times
//! farther away than the face is wide, that distance multiplies the tilt, and the search stalls some digits
//! early. Here every face is measured from its corner nearest to the origin, and all faces, edges and corners
//! propose, not only those of the newest corner.

use super::reduce::Reduced;
use crate::pair::farthest::Direction;
use crate::pair::simplex::{Order, Simplex};
use crate::pair::tolerance::FLAT;
use elbowroom_describe::math::{Mat3, Vec3};

/// The face, edge or corner of a simplex nearest to the origin. `None` where the origin is inside.
#[cold]
#[inline(never)]
pub(super) fn reduce(s: &Simplex, rotation: &Mat3) -> Option<Reduced> {
    let len = s.len.min(4);
    // Indices into the order of the simplex, the nearest corner first.
    let mut nearest = [0, 1, 2, 3];
    nearest[..len].sort_by(|i, j| s.corner(*i).w.norm_squared().total_cmp(&s.corner(*j).w.norm_squared()));
    let w = nearest.map(|k| s.corner(k).w);
    if len == 4 && inside(&w) {
        return None;
    }
    let mut best = Proposal { corners: [0; 3], len: 1, weight: [1.0, 0.0, 0.0], v: w[0] };
    let mut offer = |p: Proposal| {
        if p.v.norm_squared() < best.v.norm_squared() {
            best = p;
        }
    };
    for i in 0..len {
        for j in i + 1..len {
            edge(&w, i, j).into_iter().for_each(&mut offer);
            for k in j + 1..len {
                face(&w, i, j, k).into_iter().for_each(&mut offer);
            }
        }
    }
    // The newest corner stays last, as the fast method expects.
    let mut kept: [(usize, f64); 3] = core::array::from_fn(|i| (nearest[best.corners[i]], best.weight[i]));
    kept[..best.len].sort_by_key(|k| k.0);
    let v = Direction::new(best.v, rotation);
    let mut r = Reduced { len: best.len, order: Order::default(), weight: [0.0; 4], v };
    for (i, (at, weight)) in kept[..best.len].iter().enumerate() {
        r.order = r.order.with_slot(i, s.order.slot(*at));
        r.weight[i] = *weight;
    }
    Some(r)
}

/// Corners, their weights, and the point that they combine to.
struct Proposal {
    corners: [usize; 3],
    len: usize,
    weight: [f64; 3],
    v: Vec3,
}

/// The foot point on an edge, if it lies between the ends.
fn edge(w: &[Vec3; 4], i: usize, j: usize) -> Option<Proposal> {
    let e = w[j] - w[i];
    let t = -w[i].dot(e) / e.norm_squared();
    (t > 0.0 && t < 1.0).then(|| Proposal {
        corners: [i, j, 0],
        len: 2,
        weight: [1.0 - t, t, 0.0],
        v: w[i] + e * t,
    })
}

/// The foot point on a face, if it lies inside; `i` is the nearest corner.
fn face(w: &[Vec3; 4], i: usize, j: usize, k: usize) -> Option<Proposal> {
    let (e, f, o) = (w[j] - w[i], w[k] - w[i], -w[i]);
    let n = e.cross(f);
    let nn = n.norm_squared();
    let (u, v) = (n.dot(o.cross(f)) / nn, n.dot(e.cross(o)) / nn);
    (u > 0.0 && v > 0.0 && u + v < 1.0).then(|| Proposal {
        corners: [i, j, k],
        len: 3,
        weight: [1.0 - u - v, u, v],
        v: n * (n.dot(w[i]) / nn),
    })
}

/// Whether the origin is on the inner side of all four faces of a tetrahedron with volume.
fn inside(w: &[Vec3; 4]) -> bool {
    [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]].iter().all(|[i, j, k, l]| {
        let n = (w[*j] - w[*i]).cross(w[*k] - w[*i]);
        let across = w[*l] - w[*i];
        let height = n.dot(across);
        height.abs() > FLAT * n.norm() * across.norm() && height * -n.dot(w[*i]) > 0.0
    })
}

/// Reduces a simplex to its feature nearest to the origin; false where the origin is inside.
pub(crate) fn keep_nearest(s: &mut Simplex) -> bool {
    let r = reduce(s, &Mat3::IDENTITY);
    r.inspect(|r| r.keep_in(s)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::simplex::Corner;

    /// Two corners beside the origin and two far away, a needle of 240 by 0.015: the lanes lose half of the
    /// digits.
    #[test]
    fn a_far_corner_does_not_blur_a_near_face() {
        let mut s = Simplex::default();
        for (x, y, z) in [
            (-94.70575369620991, -200.13094830826014, 92.93006391428776),
            (0.014762514911389246, -0.0019518509443230414, -0.005787608826359758),
            (0.01090025103508907, -0.009765105894615544, 0.006102421193297403),
            (-94.70501458989968, -200.12715129779897, 92.91696911151581),
        ] {
            s.push(Corner { w: Vec3 { x, y, z }, ..Corner::default() });
        }
        let r = reduce(&s, &Mat3::IDENTITY).unwrap();
        assert_eq!((r.len, [0, 1, 2].map(|k| r.order.slot(k))), (3, [1, 2, 3]));
        // By exact rational arithmetic.
        assert!((r.v.in_a.norm() - 0.014105811825218058).abs() < 1e-15, "{:?}", r.v.in_a.norm());
        assert!((r.weight[2] - 1.0620015041399855e-07).abs() < 1e-15);
    }
}
