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
mod plain;

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

/// Four f64 lanes and eight f32 lanes of one processor. Comparisons give masks of all ones or all zeros;
/// `select` picks by mask.
pub trait Lanes: Copy {
    /// Four numbers.
    type F: Copy;
    /// Eight numbers of half the width.
    type E: Copy;
    /// Eight indices.
    type I: Copy;
    /// Four numbers from memory.
    fn load(self, a: &[f64; 4]) -> Self::F;
    /// The same number four times.
    fn splat(self, x: f64) -> Self::F;
    /// Four numbers into memory.
    fn to_array(self, a: Self::F) -> [f64; 4];
    /// `a + b` in each lane, as are the next ones.
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a - b`.
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a * b`.
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a / b`.
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    /// Correctly rounded square root.
    fn sqrt(self, a: Self::F) -> Self::F;
    /// `a < b ? a : b` in each lane (the second operand where unordered).
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a > b ? a : b` in each lane (the second operand where unordered).
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    /// Mask of `a > b`, false where unordered.
    fn gt(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a & b` of masks.
    fn and(self, a: Self::F, b: Self::F) -> Self::F;
    /// `mask ? a : b` in each lane.
    fn select(self, mask: Self::F, a: Self::F, b: Self::F) -> Self::F;
    /// Bit i is lane i of the mask.
    fn mask_bits(self, mask: Self::F) -> u32;
    /// Lanes 1, 2, 0, 3.
    fn rotate3(self, a: Self::F) -> Self::F;
    /// Lane j of result i is lane i of argument j.
    fn transpose(self, rows: [Self::F; 4]) -> [Self::F; 4];
    /// Four lanes and four more, each rounded to the nearest f32.
    fn narrow_lanes(self, low: Self::F, high: Self::F) -> Self::E;
    /// The largest key, and what `with` holds in its lane. Of equal keys the first counts.
    fn of_largest<const N: usize>(self, key: Self::F, with: [Self::F; N]) -> (f64, [f64; N]);

    /// Eight numbers from memory.
    fn load8(self, a: &[f32; 8]) -> Self::E;
    /// The same number eight times.
    fn splat8(self, x: f32) -> Self::E;
    /// Eight numbers into memory.
    fn to_array8(self, a: Self::E) -> [f32; 8];
    /// `a + b` in each lane, as are the next ones.
    fn add8(self, a: Self::E, b: Self::E) -> Self::E;
    /// `a - b`.
    fn sub8(self, a: Self::E, b: Self::E) -> Self::E;
    /// `a * b`.
    fn mul8(self, a: Self::E, b: Self::E) -> Self::E;
    /// `a / b`.
    fn div8(self, a: Self::E, b: Self::E) -> Self::E;
    /// Correctly rounded square root.
    fn sqrt8(self, a: Self::E) -> Self::E;
    /// `a < b ? a : b` in each lane (the second operand where unordered).
    fn min8(self, a: Self::E, b: Self::E) -> Self::E;
    /// `a > b ? a : b` in each lane (the second operand where unordered).
    fn max8(self, a: Self::E, b: Self::E) -> Self::E;
    /// The least value and its lane. Of equal values the first counts. No lane may be NaN.
    fn least_lane8(self, a: Self::E) -> (f32, u32);
    /// `c > 0 ? a : b` in each lane.
    fn positive8(self, c: Self::E, a: Self::E, b: Self::E) -> Self::E;
    /// Bit i is `a > b` in lane i, false where unordered.
    fn above_mask8(self, a: Self::E, b: Self::E) -> u32;
    /// Whole numbers from zero to 2^22 as indices.
    fn to_indices8(self, a: Self::E) -> Self::I;
    /// Eight indices from memory.
    fn load_indices8(self, a: &[u32; 8]) -> Self::I;
    /// What a table has at each index plus `offset`; at its end for an index beyond it. The table is not
    /// empty.
    fn gather8(self, table: &[f32], at: Self::I, offset: u32) -> Self::E;
    /// What a table has at each index and behind it; its last two for an index beyond those. The table has
    /// two at least.
    fn gather_two8(self, table: &[f32], at: Self::I) -> [Self::E; 2];
}

/// Lanes that are entered from outside.
trait Processor: Lanes {
    /// Its lanes, if this machine has them.
    fn detect() -> Option<Self>;
    /// Runs a kernel in them.
    #[inline(always)]
    fn run<K: Kernel>(self, k: K) -> K::Output {
        k.run(self)
    }
}

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

/// A computation over lanes.
pub trait Kernel {
    /// What it computes.
    type Output;
    /// This function and all that it calls must be `#[inline(always)]`, or the lanes do not become registers.
    fn run<L: Lanes>(self, l: L) -> Self::Output;
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
