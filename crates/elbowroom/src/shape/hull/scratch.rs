//! The work space in which hulls are built.

use super::{ball, small};
use crate::numeric::math::Vec3;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Work space for building one hull after another.
pub(crate) struct HullScratch {
    pub(super) small: Box<small::Scratch>,
    pub(super) candidates: ball::Candidates,
}

impl HullScratch {
    pub fn new() -> HullScratch {
        HullScratch { small: small::Scratch::new(), candidates: ball::Candidates::default() }
    }

    /// The centre of a ball around points; the origin if there are none.
    pub fn center(&mut self, points: &[Vec3]) -> Vec3 {
        ball::center(points, &mut self.candidates)
    }

    /// The same by set of points, in less time.
    pub fn centers(&mut self, sets: &[&[Vec3]]) -> Vec<Vec3> {
        ball::centers(sets, &mut self.candidates)
    }
}
