//! Where hulls are made.

use super::{ball, small};
use alloc::boxed::Box;

/// Room for making one hull after another.
pub(crate) struct Room {
    pub(super) small: Box<small::Room>,
    pub(super) near: ball::Near,
}

impl Room {
    pub fn new() -> Room {
        Room { small: small::Room::new(), near: ball::Near::default() }
    }
}
