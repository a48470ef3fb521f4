//! Boxes in f32, as trees hold them.

/// A box by its corners, in f32. The fourth lane is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Box32 {
    /// The least coordinates (metres).
    pub low: [f32; 4],
    /// The largest.
    pub high: [f32; 4],
}

impl Box32 {
    /// A box that contains nothing.
    pub const EMPTY: Box32 = Box32 {
        low: [f32::INFINITY, f32::INFINITY, f32::INFINITY, 0.0],
        high: [f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY, 0.0],
    };

    /// Grows to contain another box.
    #[inline(always)]
    pub fn add(&mut self, b: &Box32) {
        for k in 0..4 {
            self.low[k] = if b.low[k] < self.low[k] { b.low[k] } else { self.low[k] };
            self.high[k] = if b.high[k] > self.high[k] { b.high[k] } else { self.high[k] };
        }
    }
    /// The smallest box around boxes.
    pub(crate) fn around_boxes(run: &[Box32]) -> Box32 {
        let mut all = Box32::EMPTY;
        run.iter().for_each(|b| all.add(b));
        all
    }
    /// Half the surface of the box with its edges `grown` by some metres; zero for the empty box.
    #[inline(always)]
    pub fn half_surface(&self, grown: f32) -> f32 {
        let size =
            |k: usize| if self.high[k] >= self.low[k] { self.high[k] - self.low[k] + grown } else { 0.0 };
        let (x, y, z) = (size(0), size(1), size(2));
        x * y + y * z + z * x
    }
    /// Middle along a coordinate.
    #[inline(always)]
    pub fn middle_along(&self, k: usize) -> f32 {
        0.5 * self.low[k] + 0.5 * self.high[k]
    }
}
