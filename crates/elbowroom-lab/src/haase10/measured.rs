//! How far the boxes of a finger stick out of the finger, measured with the engine.
//!
//! Which point of a box is farthest from the solids in it? With one convex solid it is a corner; with several
//! it need not be. So points are sampled on all faces, corners included. The largest distance found is a
//! lower bound of the error. It is the error itself where that is at a corner, as for this hand.

use super::finger::{ELEMENTS, FingerModel, HALVES};
use super::hand::{Hand, hand_error};
use super::tip::{TipNode, box_count};
use crate::error::LabError;
use crate::limits::{FACE_POINTS, PROBE};
use elbowroom::bounds::AlignedBox;
use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Transform, Vec3};
use elbowroom::pair::shape::Core;
use elbowroom::pair::{Shape, distance};

/// A shape and where it is in its link.
pub type ShapeInLink = (Shape, Transform);

/// The shapes of finger 1's limb (0) or tip (1).
fn link_shapes(hand: &Hand, link: usize) -> Vec<ShapeInLink> {
    let of_link = hand.world.shapes().iter().filter(|s| s.body == hand.fingers[0][link]);
    of_link.map(|s| (s.shape.clone(), s.shape_in_body())).collect()
}

/// The tip of finger 1, in its link's frame.
///
/// # Errors
/// The hand has none.
pub fn tip_shape(hand: &Hand) -> Result<ShapeInLink, LabError> {
    let found = link_shapes(hand, 1).into_iter().find(|s| matches!(s.0.core(), Core::Hull(_)));
    found.ok_or_else(|| hand_error("finger 1 has no tip"))
}

/// The greatest distance of a point of a box's faces from the nearest of some shapes (metres).
fn farthest_point(b: &AlignedBox, shapes: &[ShapeInLink]) -> Result<f64, LabError> {
    let point = Shape::new(&ShapeDescription::Sphere { radius: PROBE }, 0.0);
    let point = point.map_err(|e| hand_error(&e.to_string()))?;
    let mut farthest = 0.0_f64;
    for [i, j, k] in face_points() {
        let part = [i, j, k].map(|n| f64::from(n) / f64::from(FACE_POINTS - 1));
        let size = b.high - b.low;
        let at = Transform::from_translation(b.low + size.scaled(Vec3::from(part)));
        let mut nearest = f64::INFINITY;
        for (shape, place) in shapes {
            let found = distance(shape, place, &point, &at).map_err(|e| hand_error(&e.to_string()))?;
            nearest = nearest.min(found.interval.upper + PROBE);
        }
        farthest = farthest.max(nearest);
    }
    Ok(farthest)
}

/// Places on the faces of a box, counted along its edges.
fn face_points() -> impl Iterator<Item = [u32; 3]> {
    let all = |i: u32| (0..FACE_POINTS).flat_map(move |j| (0..FACE_POINTS).map(move |k| [i, j, k]));
    let is_end = |n: u32| n == 0 || n == FACE_POINTS - 1;
    (0..FACE_POINTS).flat_map(all).filter(move |p| p.iter().any(|n| is_end(*n)))
}

/// The greatest error of the tip's boxes at a depth (metres): Table I, measured.
///
/// # Errors
/// The hand has no tip.
pub fn measure_tip(hand: &Hand, depth: u32) -> Result<f64, LabError> {
    let (model, tip) = (FingerModel::new(depth, 0.0), [tip_shape(hand)?]);
    let mut most = 0.0_f64;
    for index in 0..box_count(depth) {
        most = most.max(farthest_point(model.tip().node_box(TipNode { depth, index }), &tip)?);
    }
    Ok(most)
}

/// The greatest errors of the boxes of levels 1 and 2 (metres).
///
/// # Errors
/// The hand has other links.
pub fn measure_finger(hand: &Hand) -> Result<[f64; 2], LabError> {
    let (model, tip) = (FingerModel::new(1, 0.0), link_shapes(hand, 1));
    // The lower half has the distal joint, which is of the tip's link, one limb farther up.
    let limb = Vec3::Z * super::dimensions::LIMB_LENGTH;
    let mut lower = link_shapes(hand, 0);
    lower.extend(
        tip.iter().take(1).map(|(shape, at)| (shape.clone(), Transform::from_translation(limb) * *at)),
    );
    let halves = [&lower, &tip];
    let mut most = [0.0_f64; 2];
    for (half, shapes) in halves.into_iter().enumerate() {
        most[0] = most[0].max(farthest_point(model.half_box(half), shapes)?);
    }
    for element in 0..ELEMENTS {
        let shapes = halves[usize::from(element >= HALVES[1].start)];
        most[1] = most[1].max(farthest_point(model.element_box(element), shapes)?);
    }
    Ok(most)
}
