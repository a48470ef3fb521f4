//! Four f64 lanes and eight f32 lanes, in a processor's registers or in plain arrays, with the same bits
//! everywhere.
//!
//! Code is written once over [`Lanes`] with every function `#[inline(always)]`, and entered through
//! [`dispatch_kernel`], which chooses the instruction set once a query. No fused multiply-add is used:
//! results would then differ between machines. Eight f32 lanes serve bounds that only prune. The operations
//! stand in one table (`table`), with a column for each processor: AVX2, NEON, WebAssembly's `simd128`. Other
//! processors compute with arrays.
#![allow(unsafe_code)]

use elbowroom_describe::math::Vec3;

/// An array of what an expression gives for each of four (`F`) or eight (`E`) lanes, written out: `plain`
/// says why.
macro_rules! each {
    (F, |$i:ident| $e:expr) => { each!([0 1 2 3], |$i| $e) };
    (E, |$i:ident| $e:expr) => { each!([0 1 2 3 4 5 6 7], |$i| $e) };
    ([$($n:literal)*], |$i:ident| $e:expr) => { [$({ let $i: usize = $n; $e }),*] };
}

#[macro_use]
mod table;
mod lanes;
mod plain;

use lanes::Processor;
pub use lanes::{Kernel, Lanes};
pub use plain::Plain;

#[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")))]
mod avx2;
#[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")))]
use avx2::Avx2 as Widest;

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod neon;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
use neon::Neon as Widest;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128::Simd128 as Widest;

#[cfg(not(any(
    all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")),
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128"),
)))]
use Plain as Widest;

/// Three coordinates of four points.
#[derive(Clone, Copy, Debug)]
pub struct V3<F> {
    /// x of each.
    pub x: F,
    /// y of each.
    pub y: F,
    /// z of each.
    pub z: F,
}

/// One point four times.
#[inline(always)]
pub fn splat_vec3<L: Lanes>(l: L, v: Vec3) -> V3<L::F> {
    V3 { x: l.splat(v.x), y: l.splat(v.y), z: l.splat(v.z) }
}
/// `a - b` in each lane.
#[inline(always)]
pub fn sub_vec3<L: Lanes>(l: L, a: V3<L::F>, b: V3<L::F>) -> V3<L::F> {
    V3 { x: l.sub(a.x, b.x), y: l.sub(a.y, b.y), z: l.sub(a.z, b.z) }
}
/// The scalar product in each lane.
#[inline(always)]
pub fn dot_vec3<L: Lanes>(l: L, a: V3<L::F>, b: V3<L::F>) -> L::F {
    l.add(l.add(l.mul(a.x, b.x), l.mul(a.y, b.y)), l.mul(a.z, b.z))
}
/// The magnitude in each lane.
#[inline(always)]
pub fn abs_lanes<L: Lanes>(l: L, a: L::F) -> L::F {
    l.max(a, l.sub(l.splat(0.0), a))
}
/// The magnitude in each of eight lanes.
#[inline(always)]
pub fn abs_lanes8<L: Lanes>(l: L, a: L::E) -> L::E {
    l.max8(a, l.sub8(l.splat8(0.0), a))
}
#[inline(always)]
pub(crate) fn cross_vec3<L: Lanes>(l: L, a: V3<L::F>, b: V3<L::F>) -> V3<L::F> {
    V3 {
        x: l.sub(l.mul(a.y, b.z), l.mul(a.z, b.y)),
        y: l.sub(l.mul(a.z, b.x), l.mul(a.x, b.z)),
        z: l.sub(l.mul(a.x, b.y), l.mul(a.y, b.x)),
    }
}
#[inline(always)]
pub(crate) fn select_vec3<L: Lanes>(l: L, m: L::F, a: V3<L::F>, b: V3<L::F>) -> V3<L::F> {
    V3 { x: l.select(m, a.x, b.x), y: l.select(m, a.y, b.y), z: l.select(m, a.z, b.z) }
}

/// 2^52. A whole number plus this is exact in f64, and its low bits are the number itself; reading them costs
/// less than a conversion.
pub(crate) const NUMBER: f64 = 4_503_599_627_370_496.0;

/// The numbers of the lanes, 0, 1, 2, 3, each plus [`NUMBER`].
#[inline(always)]
pub(crate) fn lane_numbers<L: Lanes>(l: L) -> L::F {
    l.load(&[NUMBER, NUMBER + 1.0, NUMBER + 2.0, NUMBER + 3.0])
}

/// The largest value, and the number ([`NUMBER`]) in its lane. Of equal values the first counts.
#[inline(always)]
pub(crate) fn largest_lane<L: Lanes>(l: L, value: L::F, number: L::F) -> (f64, u32) {
    let (value, [number]) = l.of_largest(value, [number]);
    (value, number.to_bits() as u32)
}

/// The widest lanes of this build, if this machine has them.
#[derive(Clone, Copy)]
pub(crate) struct WideLanes(Widest);

impl WideLanes {
    /// Runs the kernel in these lanes.
    #[inline(always)]
    pub(crate) fn run<K: Kernel>(self, k: K) -> K::Output {
        self.0.run(k)
    }
}

/// The widest lanes of this build, if this machine has them.
#[inline(always)]
pub(crate) fn detect_wide_lanes() -> Option<WideLanes> {
    Widest::detect().map(WideLanes)
}

/// Runs the kernel with the widest lanes this machine has.
#[inline(always)]
pub fn dispatch_kernel<K: Kernel>(k: K) -> K::Output {
    match detect_wide_lanes() {
        Some(l) => l.run(k),
        None => k.run(Plain),
    }
}

#[cfg(test)]
mod tests;
