//! The sub-distance of GJK: the feature of a simplex nearest to the origin.
//!
//! It is the geometric method of coulombe20 III-B: the newest point A is part of the nearest feature, so only
//! the regions of A, of the edges at A and of the faces at A can contain the origin. The paper decides by the
//! signs of region tests. Here every edge and face at A proposes its nearest point, all at once in four
//! lanes, and the nearest proposal wins. A proposal is always a point of the simplex, so for a needle-like
//! simplex it may be worse than the best, never wrong. The length of `v` can only shrink, so the search ends.

use crate::numeric::simd::{
    Lanes, V3, cross_vec3, dot_vec3, lane_numbers, select_vec3, splat_vec3, sub_vec3,
};
use crate::pair::farthest::Direction;
use crate::pair::simplex::{Order, Simplex};
use crate::pair::tolerance::FLAT;
use elbowroom_describe::math::{Mat3, Vec3, vec3};

/// The corners that are kept, their weights, and the point that they combine to.
#[derive(Clone, Copy)]
pub(super) struct Reduced {
    pub len: usize,
    pub order: Order,
    pub weight: [f64; 4],
    pub v: Direction,
}

impl Reduced {
    /// Reduces the simplex to these corners.
    #[inline(always)]
    pub fn keep_in(&self, s: &mut Simplex) {
        (s.len, s.order, s.weight) = (self.len, self.order, self.weight);
    }
}

/// The face, edge or corner of a simplex nearest to the origin; `None` where the origin is inside. `newest`
/// is its last corner, passed in a register instead of loaded. `rotation` is that of B in A.
#[inline(always)]
pub(super) fn reduce<L: Lanes>(l: L, s: &Simplex, newest: Vec3, rotation: &Mat3) -> Option<Reduced> {
    // Every search has one step with one corner and one with two: these have faster code.
    match s.len {
        1 => {
            let v = Direction::new(newest, rotation);
            Some(Reduced { len: 1, order: s.order, weight: [1.0, 0.0, 0.0, 0.0], v })
        }
        2 => Some(reduce_edge(s, newest, rotation)),
        _ => reduce_fan(l, s, newest, rotation),
    }
}

#[inline(always)]
fn reduce_edge(s: &Simplex, a: Vec3, rotation: &Mat3) -> Reduced {
    let b = s.corner(0).w;
    let ab = b - a;
    let (num, den) = (-a.dot(ab), ab.norm_squared());
    // Clamped to the edge, so always a point of it. NaN, from coinciding corners, becomes the newest.
    let t = num / den;
    let t = if t > 0.0 { t } else { 0.0 };
    let t = if t < 1.0 { t } else { 1.0 };
    let between = t > 0.0 && t < 1.0;
    let order = if between { s.order.0 } else { s.order.slot(usize::from(t < 0.5)) };
    let weight = [if between { t } else { 1.0 }, if between { 1.0 - t } else { 0.0 }, 0.0, 0.0];
    let v = Direction::new(a + ab * t, rotation);
    Reduced { len: 1 + usize::from(between), order: Order(order), weight, v }
}

/// The face, edge or corner of a simplex of three or four corners nearest to the origin; `None` where the
/// origin is inside.
///
/// Lane i has the face (A, B, C) and the edge (A, B), with A the newest corner, and B and C the corners i and
/// i + 1 of the others. If there are fewer than three others they are repeated. That makes faces without
/// area, which never win, and equal edges, of which any may win. So one code without branches serves all
/// sizes. Lane 3 is such an edge too.
#[inline(always)]
fn reduce_fan<L: Lanes>(l: L, s: &Simplex, newest: Vec3, rotation: &Mat3) -> Option<Reduced> {
    let others = s.len.wrapping_sub(2) & 3;
    let indices = [0, others.min(1), others];
    let [p, q, r] = indices.map(|k| s.corner(k).w);
    let b = V3 {
        x: l.load(&[p.x, q.x, r.x, p.x]),
        y: l.load(&[p.y, q.y, r.y, p.y]),
        z: l.load(&[p.z, q.z, r.z, p.z]),
    };
    let a = splat_vec3(l, newest);
    let (zero, one) = (l.splat(0.0), l.splat(1.0));
    // Lanes are rotated before the subtraction, while the new corner is not yet known.
    let c = V3 { x: l.rotate3(b.x), y: l.rotate3(b.y), z: l.rotate3(b.z) };
    let d = V3 { x: l.rotate3(c.x), y: l.rotate3(c.y), z: l.rotate3(c.z) };
    let (ab, ac, opposite) = (sub_vec3(l, b, a), sub_vec3(l, c, a), sub_vec3(l, d, a));
    let ao = V3 { x: l.sub(zero, a.x), y: l.sub(zero, a.y), z: l.sub(zero, a.z) };

    // Faces: the normal, the height of the plane along it, and the barycentric coordinates of the foot point.
    let n = cross_vec3(l, ab, ac);
    let nn = dot_vec3(l, n, n);
    let height = dot_vec3(l, n, a);
    let sb = dot_vec3(l, n, cross_vec3(l, ao, ac));
    let sc = dot_vec3(l, n, cross_vec3(l, ab, ao));
    let sa = l.sub(l.sub(nn, sb), sc);
    let on_face = l.gt(l.min(l.min(sa, sb), sc), zero);

    // The origin is inside if for every face at A it lies on the side of the fourth corner. The face opposite
    // to A needs no test: A lies beyond it, on the origin's side. A tetrahedron that is flat up to rounding
    // has no inside.
    let other = dot_vec3(l, n, opposite);
    let size = dot_vec3(l, opposite, opposite);
    let not_flat = l.gt(l.mul(other, other), l.mul(l.splat(FLAT * FLAT), l.mul(nn, size)));
    let same_side = l.gt(zero, l.mul(other, height));
    if l.mask_bits(l.and(not_flat, same_side)) & 7 == 7 {
        return None;
    }

    // Edges: clamped to the segment, so always a point of the simplex; NaN (no length) becomes A.
    let t = l.div(dot_vec3(l, ao, ab), dot_vec3(l, ab, ab));
    let t = l.min(l.max(t, zero), one);
    let edge =
        V3 { x: l.add(a.x, l.mul(t, ab.x)), y: l.add(a.y, l.mul(t, ab.y)), z: l.add(a.z, l.mul(t, ab.z)) };
    let inv = l.div(one, nn);
    let foot = l.mul(height, inv);
    let face = V3 { x: l.mul(n.x, foot), y: l.mul(n.y, foot), z: l.mul(n.z, foot) };
    let v = select_vec3(l, on_face, face, edge);
    let vv = l.select(on_face, l.mul(l.mul(height, height), inv), dot_vec3(l, edge, edge));
    // All four rotated to B's frame before the winner is known: afterwards it would take longer.
    let [p, q, r] = rotation.cols;
    let (in_b_x, in_b_y, in_b_z) = (
        dot_vec3(l, splat_vec3(l, p), v),
        dot_vec3(l, splat_vec3(l, q), v),
        dot_vec3(l, splat_vec3(l, r), v),
    );
    let (_, [x, y, z, in_b_x, in_b_y, in_b_z, lane]) =
        l.of_largest(l.sub(zero, vv), [v.x, v.y, v.z, in_b_x, in_b_y, in_b_z, lane_numbers(l)]);
    let lane = (lane.to_bits() & 3) as usize;

    // Selects instead of branches, because no branch predictor can learn the winner. The newest corner stays
    // last.
    let between = l.and(l.gt(t, zero), l.gt(one, t));
    let weight_b = l.select(on_face, l.mul(sb, inv), l.select(between, t, one));
    let weight_c = l.select(on_face, l.mul(sc, inv), l.select(between, l.sub(one, t), zero));
    let weight_a = l.select(on_face, l.mul(sa, inv), zero);
    let bit = |mask: L::F| l.mask_bits(mask) >> lane & 1 != 0;
    let (face_wins, edge_wins, moved) = (bit(on_face), bit(between), bit(l.gt(t, zero)));
    let [first, second, third] = indices.map(|k| s.order.slot(k));
    let oa = s.order.slot(s.len.wrapping_sub(1));
    let ob = Order::from_slots([first, second, third, first]).slot(lane);
    let oc = Order::from_slots([second, third, first, first]).slot(lane);
    let first = if face_wins | moved { ob } else { oa };
    let second = if face_wins { oc } else { oa };
    Some(Reduced {
        len: if face_wins { 3 } else { 1 + usize::from(edge_wins) },
        order: Order::from_slots([first, second, oa, oa]),
        weight: [l.to_array(weight_b)[lane], l.to_array(weight_c)[lane], l.to_array(weight_a)[lane], 0.0],
        v: Direction { in_a: vec3(x, y, z), in_b: vec3(in_b_x, in_b_y, in_b_z) },
    })
}
