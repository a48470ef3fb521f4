//! Where hulls are made.

use super::{ball, small};
use alloc::boxed::Box;

/// HullScratch for making one hull after another.
pub(crate) struct HullScratch {
    pub(super) small: Box<small::HullScratch>,
    pub(super) near: ball::Near,
}

impl HullScratch {
    pub fn new() -> HullScratch {
        HullScratch { small: small::HullScratch::new(), near: ball::Near::default() }
    }
}
