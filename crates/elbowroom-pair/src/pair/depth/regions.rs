//! Translations that are proved to leave an overlap, as convex regions.
//!
//! Each region is a polytope of translations at which a convex part of A overlaps one of B. Only the planes
//! that cut the ball of all translations are kept. A cuboid of translations lies in a region if it is behind
//! all its planes; that takes a nanosecond a plane, so thousands of cuboids can be asked. Numbers are f32
//! with their rounding taken off. Where that decides, a test takes off only what the cuboid's own coordinates
//! round: a cuboid along the axis of a peg is a metre long and a micrometre wide, and so are the overlaps
//! that hold it.
//!
//! All is in a frame whose third axis is the way out: where only that leads out, as for a peg in a hole, few
//! long cuboids along it do what cubes as wide as the overlap would.

use crate::pair::tolerance::{
    REGION_NORMAL_ROUNDING, REGION_PLANES, REGION_ROUNDING, REGION_TURN_ROUNDING, REGIONS,
};
use alloc::vec::Vec;
use core::ops::Range;
use elbowroom_describe::math::{Vec3, round_down};

/// The planes of all regions by coordinates, so that many are tested at once; their room is of fixed size.
#[derive(Clone, Debug)]
pub(crate) struct Regions {
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
    height: Vec<f32>,
    /// The heights of the planes for close tests, less `close_error`; those in `height` are less `error`.
    full: Vec<f32>,
    /// The planes of each region end here.
    ends: Vec<u32>,
    /// Rounding of a test (metres).
    error: f64,
    /// Rounding of a close test, beyond that of the cuboid's own coordinates (metres).
    close_error: f64,
    /// Whether tests that fail by no more than their rounding are made again, closely.
    pub close: bool,
    /// The axes of the frame (A's frame).
    axes: [Vec3; 3],
}

impl Default for Regions {
    fn default() -> Regions {
        let planes = || Vec::with_capacity(REGION_PLANES);
        let ends = Vec::with_capacity(REGIONS);
        Regions {
            x: planes(),
            y: planes(),
            z: planes(),
            height: planes(),
            full: planes(),
            ends,
            error: 0.0,
            close_error: 0.0,
            close: false,
            axes: [Vec3::X, Vec3::Y, Vec3::Z],
        }
    }
}

impl Regions {
    /// Forgets all regions. The third axis of the frame becomes that of `out`. No coordinate of a cuboid is
    /// larger than `span`, and no height of a plane (metres).
    pub fn clear(&mut self, out: Vec3, span: f64) {
        self.error = REGION_ROUNDING * span;
        self.close_error = REGION_TURN_ROUNDING * span;
        self.axes = axes_with_third(out);
        self.ends.clear();
        self.close(false);
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is room for another region.
    pub fn has_room(&self) -> bool {
        self.ends.len() < REGIONS && self.x.len() < REGION_PLANES
    }

    /// Adds a plane `normal . t <= height`, of unit normal, to the region that is being made. False without
    /// room: then the region must not be kept.
    pub fn add(&mut self, normal: Vec3, height: f64) -> bool {
        let room = self.x.len() < REGION_PLANES;
        if room {
            for (coordinate, axis) in [&mut self.x, &mut self.y, &mut self.z].into_iter().zip(self.axes) {
                coordinate.push(axis.dot(normal) as f32);
            }
            self.height.push(round_down(height - self.error));
            self.full.push(round_down(height - self.close_error));
        }
        room
    }

    /// Ends the region that is being made, or drops it.
    pub fn close(&mut self, keep: bool) {
        if keep && self.ends.len() < REGIONS {
            self.ends.push(self.x.len() as u32);
        }
        let end = self.ends.last().map_or(0, |end| *end as usize);
        for planes in [&mut self.x, &mut self.y, &mut self.z, &mut self.height, &mut self.full] {
            planes.truncate(end);
        }
    }

    /// A translation, given in this frame.
    pub fn translation(&self, [x, y, z]: [f32; 3]) -> Vec3 {
        let [a, b, c] = self.axes;
        a * f64::from(x) + b * f64::from(y) + c * f64::from(z)
    }

    /// Where the planes of region `k` are.
    fn range(&self, k: usize) -> Range<usize> {
        let start = if k == 0 { 0 } else { self.ends[k - 1] as usize };
        start..self.ends[k] as usize
    }

    /// The planes of region `k`: normals and heights.
    fn planes(&self, k: usize) -> impl Iterator<Item = ([f32; 3], f32)> {
        let [x, y, z, height] = [&self.x, &self.y, &self.z, &self.height].map(|all| &all[self.range(k)]);
        x.iter().zip(y).zip(z).zip(height).map(|(((x, y), z), height)| ([*x, *y, *z], *height))
    }

    /// A region that holds all of a cuboid, beginning with region `hint`. The planes that were tested are
    /// counted.
    pub fn find(&self, hint: u32, center: [f32; 3], half: [f32; 3], tested: &mut usize) -> Option<usize> {
        let known = self.len();
        (0..known).map(|k| (hint as usize + k) % known).find(|k| {
            *tested += self.range(*k).len();
            self.holds(*k, center, half)
        })
    }

    /// Whether region `k` holds all of a cuboid, given by its centre and half its sides (metres).
    pub fn holds(&self, k: usize, center: [f32; 3], half: [f32; 3]) -> bool {
        let mut most = f32::NEG_INFINITY;
        for (n, height) in self.planes(k) {
            let above = height_of_corner(n, center, half) - height;
            most = if above > most { above } else { most };
        }
        most <= 0.0
            || self.close && f64::from(most) <= 2.0 * self.error && self.holds_closely(k, center, half)
    }

    /// Whether region `k` holds all of a cuboid, given by its centre and half its sides (metres), where only
    /// the rounding of these coordinates is taken off.
    #[cold]
    fn holds_closely(&self, k: usize, center: [f32; 3], half: [f32; 3]) -> bool {
        let far = [0, 1, 2].map(|k| f64::from(center[k].abs()) + f64::from(half[k]));
        let range = self.range(k);
        self.planes(k).zip(&self.full[range]).all(|((n, _), height)| {
            let size = (0..3).map(|k| f64::from(n[k].abs()) * far[k]).sum::<f64>();
            let above = (0..3)
                .map(|k| f64::from(n[k]) * f64::from(center[k]) + f64::from(n[k].abs()) * f64::from(half[k]));
            above.sum::<f64>() + REGION_NORMAL_ROUNDING * size <= f64::from(*height)
        })
    }

    /// Along which axes to halve a cuboid, as bits, so that more of it is in region `k`: those along which it
    /// reaches farthest beyond a plane that it crosses. Only those with a half in `large` can be halved.
    pub fn crossed(&self, k: usize, center: [f32; 3], half: [f32; 3], large: [f32; 3]) -> u32 {
        let (mut most, mut along) = (0.0, large);
        for (n, height) in self.planes(k) {
            let above = height_of_corner(n, center, half) - height;
            let reach = [0, 1, 2].map(|k| large[k] * n[k].abs());
            if above > most && reach.iter().any(|r| *r > 0.0) {
                (most, along) = (above, reach);
            }
        }
        longest(along)
    }
}

/// How far a cuboid reaches along a direction.
#[inline(always)]
fn height_of_corner(n: [f32; 3], center: [f32; 3], half: [f32; 3]) -> f32 {
    let reach = half[0] * n[0].abs() + half[1] * n[1].abs() + half[2] * n[2].abs();
    (n[0] * center[0] + n[1] * center[1] + n[2] * center[2]) + reach
}

/// The axes along which something is longest, as bits: more than half as long as along any other.
pub(super) fn longest(along: [f32; 3]) -> u32 {
    let most = along[0].max(along[1]).max(along[2]);
    (0..3).map(|k| u32::from(2.0 * along[k] > most) << k).sum()
}

/// Three axes at right angles, of which the third is that of `out`.
fn axes_with_third(out: Vec3) -> [Vec3; 3] {
    let third = out.normalized().unwrap_or(Vec3::Z);
    let least = if third.x.abs() < 0.6 { Vec3::X } else { Vec3::Y };
    let first = least.cross(third).normalized().unwrap_or(Vec3::X);
    [first, third.cross(first), third]
}
