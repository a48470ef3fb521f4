//! What a processor's lanes offer, and what runs in them.

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
    /// One number in all four lanes.
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
    /// One number in all eight lanes.
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
pub(super) trait Processor: Lanes {
    /// Its lanes, if this machine has them.
    fn detect() -> Option<Self>;
    /// Runs a kernel in them.
    #[inline(always)]
    fn run<K: Kernel>(self, k: K) -> K::Output {
        k.run(self)
    }
}

/// A computation over lanes.
pub trait Kernel {
    /// What it computes.
    type Output;
    /// This function and all that it calls must be `#[inline(always)]`, or the lanes do not become registers.
    fn run<L: Lanes>(self, l: L) -> Self::Output;
}
