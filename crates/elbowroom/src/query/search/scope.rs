//! The pairs that a question is about.

use crate::model::groups::{CollisionGroup, between};
use crate::model::id::BodyPair;

/// The pairs that a question is about.
#[derive(Clone, Copy)]
pub(super) enum Scope<'w> {
    All,
    Between(&'w CollisionGroup, &'w CollisionGroup),
}

impl Scope<'_> {
    #[inline]
    pub fn includes(&self, pair: BodyPair) -> bool {
        match self {
            Scope::All => true,
            Scope::Between(j, l) => between(j, l, pair),
        }
    }
}
