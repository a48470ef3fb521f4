//! Eight points, and eight boxes, by coordinate.

use elbowroom_pair::numeric::wide::WIDTH;

/// A coordinate of lanes without a point: its square overflows, so such a lane is infinitely far away.
const FAR: f32 = 1e30;

/// A point relative to the tree's origin, and its number.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(super) struct Record {
    pub(super) at: [f32; 3],
    pub(super) point: u32,
}

/// Up to eight points.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct PointBlock {
    pub(super) at: [[f32; WIDTH]; 3],
    pub(super) point: [u32; WIDTH],
}

impl PointBlock {
    /// The block of up to eight points.
    pub(super) fn from_records(records: &[Record]) -> PointBlock {
        let mut block = PointBlock { at: [[FAR; WIDTH]; 3], point: [0; WIDTH] };
        for (lane, record) in records.iter().take(WIDTH).enumerate() {
            for k in 0..3 {
                block.at[k][lane] = record.at[k];
            }
            block.point[lane] = record.point;
        }
        block
    }
}

/// Up to eight boxes by their corners.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Boxes {
    pub(super) low: [[f32; WIDTH]; 3],
    pub(super) high: [[f32; WIDTH]; 3],
}

impl Boxes {
    /// No boxes.
    pub(super) const EMPTY: Boxes =
        Boxes { low: [[f32::INFINITY; WIDTH]; 3], high: [[f32::NEG_INFINITY; WIDTH]; 3] };

    /// Sets the box of a lane to the one around all lanes of a node below.
    pub(super) fn put_around(&mut self, lane: usize, below: &Boxes) {
        for k in 0..3 {
            self.low[k][lane] = least_of_eight(&below.low[k]);
            self.high[k][lane] = -least_of_eight(&below.high[k].map(|x| -x));
        }
    }

    /// Sets the box of a lane to the one around points.
    pub(super) fn put_points(&mut self, lane: usize, records: &[Record]) {
        let (low, high) = bounding_corners(records);
        for k in 0..3 {
            (self.low[k][lane], self.high[k][lane]) = (low[k], high[k]);
        }
    }
}

/// The corners of the box around points.
#[inline]
pub(super) fn bounding_corners(records: &[Record]) -> ([f32; 4], [f32; 4]) {
    let (mut low, mut high) = ([f32::INFINITY; 4], [f32::NEG_INFINITY; 4]);
    for record in records {
        let [x, y, z] = record.at;
        // Four lanes, so that it is one instruction.
        let at = [x, y, z, 0.0];
        for k in 0..4 {
            low[k] = if at[k] < low[k] { at[k] } else { low[k] };
            high[k] = if at[k] > high[k] { at[k] } else { high[k] };
        }
    }
    (low, high)
}

fn least_of_eight(of: &[f32; WIDTH]) -> f32 {
    of.iter().fold(f32::INFINITY, |least, x| if *x < least { *x } else { least })
}
