//! Eight f32 lanes: like the four f64 lanes, the same bits as registers and as arrays.

/// Eight f32 lanes, of the same machine as [`Lanes`](super::Lanes).
pub trait Eight: Copy {
    /// Eight numbers.
    type E: Copy;
    /// Eight indices.
    type I: Copy;
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
