//! The lanes as an array, for every target.
//!
//! Every operation is written out lane by lane. Kernels consist of thousands of them, all inlined, and the
//! compiler's passes over loops would take more time than all else.

use super::lanes::{Lanes, Processor};
use elbowroom_describe::math::sqrt;

/// The lanes as an array.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Processor for Plain {
    fn detect() -> Option<Plain> {
        Some(Plain)
    }
}

const fn lane_mask(b: bool) -> f64 {
    f64::from_bits(if b { u64::MAX } else { 0 })
}

/// The rows of the table for arrays.
macro_rules! one_lane_rows {
    ($([$kind:ident $name:ident($($arg:ident),*) [$lane:expr] $avx2:tt $neon:tt $wasm:tt])*) => {$(
        #[inline(always)]
        fn $name(self, $($arg: Self::$kind),*) -> Self::$kind {
            each!($kind, |i| {
                let ($($arg,)*) = ($($arg[i],)*);
                $lane
            })
        }
    )*};
}

impl Lanes for Plain {
    type F = [f64; 4];
    type E = [f32; 8];
    type I = [u32; 8];
    with_table!(one_lane_rows);
    #[inline(always)]
    fn load(self, a: &[f64; 4]) -> [f64; 4] {
        *a
    }
    #[inline(always)]
    fn load8(self, a: &[f32; 8]) -> [f32; 8] {
        *a
    }
    #[inline(always)]
    fn splat(self, x: f64) -> [f64; 4] {
        [x; 4]
    }
    #[inline(always)]
    fn splat8(self, x: f32) -> [f32; 8] {
        [x; 8]
    }
    #[inline(always)]
    fn to_array(self, a: [f64; 4]) -> [f64; 4] {
        a
    }
    #[inline(always)]
    fn to_array8(self, a: [f32; 8]) -> [f32; 8] {
        a
    }
    #[inline(always)]
    fn mask_bits(self, m: [f64; 4]) -> u32 {
        let [a, b, c, d] = each!(F, |i| ((m[i].to_bits() >> 63) as u32) << i);
        a | b | c | d
    }
    #[inline(always)]
    fn rotate3(self, a: [f64; 4]) -> [f64; 4] {
        [a[1], a[2], a[0], a[3]]
    }
    #[inline(always)]
    fn transpose(self, r: [[f64; 4]; 4]) -> [[f64; 4]; 4] {
        each!(F, |i| each!(F, |j| r[j][i]))
    }
    #[inline(always)]
    fn narrow_lanes(self, low: [f64; 4], high: [f64; 4]) -> [f32; 8] {
        each!(E, |i| if i < 4 { low[i] as f32 } else { high[i - 4] as f32 })
    }
    #[inline(always)]
    fn above_mask8(self, a: [f32; 8], b: [f32; 8]) -> u32 {
        let [s, t, u, v, w, x, y, z] = each!(E, |i| u32::from(a[i] > b[i]) << i);
        s | t | u | v | w | x | y | z
    }
    #[inline(always)]
    fn to_indices8(self, a: [f32; 8]) -> [u32; 8] {
        each!(E, |i| a[i] as u32)
    }
    one_by_one!();
}
