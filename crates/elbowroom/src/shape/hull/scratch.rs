//! The work space in which hulls are built.

use super::{ball, small};
use alloc::boxed::Box;

/// Work space for building one hull after another.
pub(crate) struct HullScratch {
    pub(super) small: Box<small::Scratch>,
    pub(super) candidates: ball::Candidates,
}

impl HullScratch {
    pub fn new() -> HullScratch {
        HullScratch { small: small::Scratch::new(), candidates: ball::Candidates::default() }
    }
}
