//! The mesh query compiled twice: for the machine the program was built for, and for AVX2, chosen while running.
//!
//! Both come from the same source, and neither may fuse or reorder operations, so they give the same bits; only the number of
//! lanes differs.
#![allow(unsafe_code)]

use super::Mesh;
use super::distance::{self, MeshAsk, MeshGap, MeshScratch, MeshWarm};
use crate::math::Transform;

/// [`distance::search`] with the widest registers this machine has.
pub(super) fn search(
    a: &Mesh,
    b: &Mesh,
    b_in_a: &Transform,
    ask: &MeshAsk,
    warm: &MeshWarm,
    scratch: &mut MeshScratch,
) -> MeshGap {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2.
        return unsafe { search_avx2(a, b, b_in_a, ask, warm, scratch) };
    }
    distance::search(a, b, b_in_a, ask, warm, scratch)
}

#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[target_feature(enable = "avx2")]
fn search_avx2(
    a: &Mesh,
    b: &Mesh,
    b_in_a: &Transform,
    ask: &MeshAsk,
    warm: &MeshWarm,
    scratch: &mut MeshScratch,
) -> MeshGap {
    distance::search(a, b, b_in_a, ask, warm, scratch)
}
