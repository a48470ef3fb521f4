//! The work space in which hulls are built.

use super::{ball, small};
use alloc::boxed::Box;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;

/// Work space for building one hull after another.
pub(crate) struct HullScratch {
    pub(super) small: Box<small::SmallHullScratch>,
    pub(super) candidates: ball::Candidates,
}

impl HullScratch {
    pub fn new() -> HullScratch {
        HullScratch { small: small::SmallHullScratch::new(), candidates: ball::Candidates::default() }
    }

    /// The centre of a ball around points; the origin if there are none.
    pub fn ball_center(&mut self, points: &[Vec3]) -> Vec3 {
        ball::ball_center(points, &mut self.candidates)
    }

    /// By set of points, its [`HullScratch::ball_center`], in less time than one by one.
    pub fn ball_centers(&mut self, sets: &[&[Vec3]]) -> Vec<Vec3> {
        ball::ball_centers(sets, &mut self.candidates)
    }
}
