//! Lower bounds on the signed distances of eight points, or eight boxes of points, to a query, in f32.
//!
//! The rounding error is derived at [`POINT_ROUNDING`](crate::bounds::tolerance::POINT_ROUNDING). NaN comes
//! only from lanes without a point or box, and is dropped by `max8`, which takes its second operand then.
//! There are no closures: they would not be compiled for AVX2.

use super::blocks::{Boxes, PointBlock};
use super::query::PointQuery;
use crate::bounds::tolerance::{LEAST_LINE, POINT_ROUNDING_F32};
use elbowroom_pair::numeric::simd::{Lanes, abs_lanes8};

/// Three coordinates of eight points.
#[derive(Clone, Copy)]
struct Three<E> {
    x: E,
    y: E,
    z: E,
}

#[inline(always)]
fn splat_vec<L: Lanes>(l: L, v: &[f32; 3]) -> Three<L::E> {
    Three { x: l.splat8(v[0]), y: l.splat8(v[1]), z: l.splat8(v[2]) }
}
#[inline(always)]
fn sub<L: Lanes>(l: L, a: Three<L::E>, b: Three<L::E>) -> Three<L::E> {
    Three { x: l.sub8(a.x, b.x), y: l.sub8(a.y, b.y), z: l.sub8(a.z, b.z) }
}
#[inline(always)]
fn dot<L: Lanes>(l: L, a: Three<L::E>, b: Three<L::E>) -> L::E {
    l.add8(l.add8(l.mul8(a.x, b.x), l.mul8(a.y, b.y)), l.mul8(a.z, b.z))
}
#[inline(always)]
fn abs_vec<L: Lanes>(l: L, a: Three<L::E>) -> Three<L::E> {
    Three { x: abs_lanes8(l, a.x), y: abs_lanes8(l, a.y), z: abs_lanes8(l, a.z) }
}
/// Positive coordinates as they are, and zero in place of all others.
#[inline(always)]
fn clamp_to_positive<L: Lanes>(l: L, a: Three<L::E>) -> Three<L::E> {
    let zero = l.splat8(0.0);
    Three { x: l.max8(a.x, zero), y: l.max8(a.y, zero), z: l.max8(a.z, zero) }
}

/// For each of eight points, the vector to it from the nearest point of the query's axis. `from` has the
/// vectors from the query's middle to the points.
#[inline(always)]
fn from_axis<L: Lanes>(l: L, query: &PointQuery, from: Three<L::E>) -> Three<L::E> {
    let half = splat_vec(l, &query.half);
    let along = l.mul8(dot(l, from, half), l.splat8(query.inverse));
    let along = l.min8(l.max8(along, l.splat8(-1.0)), l.splat8(1.0));
    let step = Three { x: l.mul8(half.x, along), y: l.mul8(half.y, along), z: l.mul8(half.z, along) };
    sub(l, from, step)
}

/// The signed distance of boxes with these gaps along the axes, less what rounding may have added. Where they
/// overlap it is minus the least translation along an axis that separates them.
#[inline(always)]
fn signed_distance<L: Lanes>(l: L, apart: Three<L::E>) -> L::E {
    let least = l.max8(l.max8(apart.x, apart.y), apart.z);
    let apart = clamp_to_positive(l, apart);
    let distance = l.mul8(l.sqrt8(dot(l, apart, apart)), l.splat8(1.0 - POINT_ROUNDING_F32));
    l.positive8(least, distance, l.mul8(least, l.splat8(1.0 + POINT_ROUNDING_F32)))
}

/// The bounds of a block's points.
#[inline(always)]
pub(super) fn bound_points<L: Lanes>(l: L, block: &PointBlock, query: &PointQuery) -> L::E {
    let at = Three { x: l.load8(&block.at[0]), y: l.load8(&block.at[1]), z: l.load8(&block.at[2]) };
    let from = sub(l, at, splat_vec(l, &query.center));
    let line = from_axis(l, query, from);
    let distance = signed_distance(l, sub(l, abs_vec(l, line), splat_vec(l, &query.edge)));
    let mut lower = l.sub8(distance, l.splat8(query.radius));
    let planes = query.plane_slots();
    if !planes.is_empty() {
        let rounding = l.mul8(l.sqrt8(dot(l, line, line)), l.splat8(POINT_ROUNDING_F32));
        let mut i = 0;
        while i < planes.len() {
            let plane = planes[i].get();
            let height = l.sub8(dot(l, from, splat_vec(l, &plane.normal)), l.splat8(plane.height));
            lower = l.max8(l.sub8(height, rounding), lower);
            i += 1;
        }
    }
    lower
}

/// The bounds of a node's boxes: by the gap of the box around the query, by the gap along the line to the
/// middle of each box, and by the planes.
#[inline(always)]
pub(super) fn bound_boxes<L: Lanes>(l: L, boxes: &Boxes, query: &PointQuery) -> L::E {
    let low = Three { x: l.load8(&boxes.low[0]), y: l.load8(&boxes.low[1]), z: l.load8(&boxes.low[2]) };
    let high = Three { x: l.load8(&boxes.high[0]), y: l.load8(&boxes.high[1]), z: l.load8(&boxes.high[2]) };
    let above = sub(l, low, splat_vec(l, &query.high));
    let below = sub(l, splat_vec(l, &query.low), high);
    let apart =
        Three { x: l.max8(above.x, below.x), y: l.max8(above.y, below.y), z: l.max8(above.z, below.z) };
    let by_box = l.max8(signed_distance(l, apart), l.splat8(query.nearest));

    let two = l.splat8(0.5);
    let middle = Three {
        x: l.mul8(l.add8(low.x, high.x), two),
        y: l.mul8(l.add8(low.y, high.y), two),
        z: l.mul8(l.add8(low.z, high.z), two),
    };
    let (size, edge) = (sub(l, high, middle), splat_vec(l, &query.edge));
    let from = sub(l, middle, splat_vec(l, &query.center));
    let line = from_axis(l, query, from);
    let length = l.sqrt8(dot(l, line, line));
    let both = Three { x: l.add8(size.x, edge.x), y: l.add8(size.y, edge.y), z: l.add8(size.z, edge.z) };
    let reach =
        l.add8(dot(l, abs_vec(l, line), both), abs_lanes8(l, dot(l, line, splat_vec(l, &query.half))));
    let gap = l.div8(l.sub8(dot(l, line, from), reach), l.max8(length, l.splat8(LEAST_LINE)));
    let rounding = l.splat8(POINT_ROUNDING_F32);
    let by_line = l.mul8(l.sub8(gap, l.mul8(length, rounding)), l.splat8(1.0 - POINT_ROUNDING_F32));
    // The rounding error is derived for positive gaps only.
    let by_line = l.positive8(by_line, by_line, by_box);
    let mut lower = l.sub8(l.max8(by_line, by_box), l.splat8(query.radius));

    let planes = query.plane_slots();
    if !planes.is_empty() {
        let sizes = l.add8(l.add8(size.x, size.y), l.add8(size.z, length));
        let rounding = l.mul8(sizes, rounding);
        let mut i = 0;
        while i < planes.len() {
            let plane = planes[i].get();
            let normal = splat_vec(l, &plane.normal);
            let least = l.sub8(dot(l, from, normal), dot(l, abs_vec(l, normal), size));
            let height = l.sub8(least, l.splat8(plane.height));
            lower = l.max8(l.sub8(height, rounding), lower);
            i += 1;
        }
    }
    lower
}
