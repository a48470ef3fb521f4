//! Sound lower bounds on the signed distance of any two primitives.
//!
//! All ten pairs are one problem. With the radii taken off, a ball is a point, a capsule a segment, a box a
//! box, and their difference is a zonotope ([`Sum`]): a middle plus up to six generators, each times a number
//! between -1 and 1. Its signed distance from the origin is the pair's. Two pairs are simpler still and go
//! their own way.

use super::oriented_box::OrientedBox;
use super::primitive::Primitive;
use super::sum::Sum;
use elbowroom::bounds::{AlignedBox, Ball, Capsule, ball_gap};
use elbowroom::math::Vec3;
use elbowroom::pair::numeric::tolerance::{NORM_ROUNDING, ROUNDOFF};

/// A lower bound on the signed distance of whatever two primitives of one frame contain (metres), rounding
/// included. Within rounding of the primitives' own signed distance: the distance of those apart (Lumelsky's
/// for segments, 1985, Meyer's for boxes, 1986), minus the least way out of each other of those that overlap.
/// Minus infinity where a number is not finite; infinity for [`AlignedBox::EMPTY`].
pub fn primitive_gap(a: &Primitive, b: &Primitive) -> f64 {
    use Primitive as P;
    match (a, b) {
        (P::Ball(a), P::Ball(b)) => ball_gap(a, b),
        (P::Aligned(a), P::Aligned(b)) => box_gap(a, b),
        (P::Ball(a), P::Capsule(b)) | (P::Capsule(b), P::Ball(a)) => ball_capsule_gap(a, b),
        (P::Ball(a), P::Oriented(b)) | (P::Oriented(b), P::Ball(a)) => ball_oriented_gap(a, b),
        (P::Ball(a), P::Aligned(b)) | (P::Aligned(b), P::Ball(a)) => ball_box_gap(a, b),
        (P::Capsule(a), P::Capsule(b)) => capsule_gap(a, b),
        (P::Capsule(a), P::Oriented(b)) | (P::Oriented(b), P::Capsule(a)) => capsule_oriented_gap(a, b),
        (P::Capsule(a), P::Aligned(b)) | (P::Aligned(b), P::Capsule(a)) => capsule_box_gap(a, b),
        (P::Oriented(a), P::Oriented(b)) => oriented_gap(a, b),
        (P::Oriented(a), P::Aligned(b)) | (P::Aligned(b), P::Oriented(a)) => oriented_box_gap(a, b),
    }
}

/// A lower bound on the signed distance of whatever two boxes of one frame contain (metres), rounding
/// included: the distance of the boxes, or minus the least way along an axis that takes them apart.
#[inline]
pub fn box_gap(a: &AlignedBox, b: &AlignedBox) -> f64 {
    let apart = (a.low - b.high).max(b.low - a.high);
    let least = apart.x.max(apart.y).max(apart.z);
    let gap = if least > 0.0 {
        let p = apart.max(Vec3::ZERO);
        let square = p.dot(p);
        // If it is too far to be squared, its largest coordinate is enough.
        let length = if square < f64::INFINITY { square.sqrt() } else { least };
        length * (1.0 - NORM_ROUNDING - 4.0 * ROUNDOFF)
    } else {
        least * (1.0 + 4.0 * ROUNDOFF)
    };
    // `max` turns NaN, which bounds nothing, into minus infinity.
    gap.max(f64::NEG_INFINITY)
}

/// [`primitive_gap`] of a ball and a capsule.
pub fn ball_capsule_gap(a: &Ball, b: &Capsule) -> f64 {
    sum_gap(|s| s.add_ball(a), |s| s.add_capsule(b))
}
/// [`primitive_gap`] of a ball and a box.
pub fn ball_oriented_gap(a: &Ball, b: &OrientedBox) -> f64 {
    sum_gap(|s| s.add_ball(a), |s| s.add_oriented_box(b))
}
/// [`primitive_gap`] of a ball and a box parallel to the axes.
pub fn ball_box_gap(a: &Ball, b: &AlignedBox) -> f64 {
    if is_empty_box(b) { f64::INFINITY } else { sum_gap(|s| s.add_ball(a), |s| s.add_aligned_box(b)) }
}
/// [`primitive_gap`] of two capsules.
pub fn capsule_gap(a: &Capsule, b: &Capsule) -> f64 {
    sum_gap(|s| s.add_capsule(a), |s| s.add_capsule(b))
}
/// [`primitive_gap`] of a capsule and a box.
pub fn capsule_oriented_gap(a: &Capsule, b: &OrientedBox) -> f64 {
    sum_gap(|s| s.add_capsule(a), |s| s.add_oriented_box(b))
}
/// [`primitive_gap`] of a capsule and a box parallel to the axes.
pub fn capsule_box_gap(a: &Capsule, b: &AlignedBox) -> f64 {
    if is_empty_box(b) { f64::INFINITY } else { sum_gap(|s| s.add_capsule(a), |s| s.add_aligned_box(b)) }
}
/// [`primitive_gap`] of two boxes.
pub fn oriented_gap(a: &OrientedBox, b: &OrientedBox) -> f64 {
    sum_gap(|s| s.add_oriented_box(a), |s| s.add_oriented_box(b))
}
/// [`primitive_gap`] of two boxes, one of them parallel to the axes.
pub fn oriented_box_gap(a: &OrientedBox, b: &AlignedBox) -> f64 {
    if is_empty_box(b) { f64::INFINITY } else { sum_gap(|s| s.add_oriented_box(a), |s| s.add_aligned_box(b)) }
}

/// Only [`AlignedBox::EMPTY`] itself: what else is upside down bounds nothing.
fn is_empty_box(b: &AlignedBox) -> bool {
    *b == AlignedBox::EMPTY
}

#[inline(always)]
fn sum_gap(a: impl Fn(&mut Sum) -> Vec3, b: impl Fn(&mut Sum) -> Vec3) -> f64 {
    let mut sum = Sum::new();
    let (center_a, center_b) = (a(&mut sum), b(&mut sum));
    sum.signed_distance(center_a - center_b)
}
