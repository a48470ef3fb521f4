//! Translations that are proved to leave an overlap, as convex regions.
//!
//! Each region is a polytope of translations at which a convex part of A overlaps one of B. Only the planes
//! that cut the cube of all translations are kept. A cube of translations lies in a region if it is behind
//! all its planes; that takes a nanosecond a plane, so thousands of cubes can be asked. Numbers are f32 with
//! their rounding taken off.

use crate::numeric::heap_bytes::heap_bytes;
use crate::numeric::math::{Vec3, round_down};
use crate::pair::tolerance::{REGION_PLANES, REGION_ROUNDING, REGIONS};
use alloc::vec::Vec;

/// The planes of all regions by coordinates, so that many are tested at once; their room is of fixed size.
#[derive(Clone, Debug)]
pub(crate) struct Regions {
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
    height: Vec<f32>,
    /// The planes of each region end here.
    ends: Vec<u32>,
    /// Rounding of a test (metres).
    error: f64,
}

impl Default for Regions {
    fn default() -> Regions {
        let planes = || Vec::with_capacity(REGION_PLANES);
        let ends = Vec::with_capacity(REGIONS);
        Regions { x: planes(), y: planes(), z: planes(), height: planes(), ends, error: 0.0 }
    }
}

impl Regions {
    /// Bytes that it allocated.
    pub fn heap_bytes(&self) -> usize {
        heap_bytes(&self.x)
            + heap_bytes(&self.y)
            + heap_bytes(&self.z)
            + heap_bytes(&self.height)
            + heap_bytes(&self.ends)
    }

    /// Forgets all regions. No coordinate of a cube is larger than `span`, and no height of a plane (metres).
    pub fn clear(&mut self, span: f64) {
        self.error = REGION_ROUNDING * span;
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
            self.x.push(normal.x as f32);
            self.y.push(normal.y as f32);
            self.z.push(normal.z as f32);
            self.height.push(round_down(height - self.error));
        }
        room
    }

    /// Ends the region that is being made, or drops it.
    pub fn close(&mut self, keep: bool) {
        if keep && self.ends.len() < REGIONS {
            self.ends.push(self.x.len() as u32);
        }
        let end = self.ends.last().map_or(0, |end| *end as usize);
        for planes in [&mut self.x, &mut self.y, &mut self.z, &mut self.height] {
            planes.truncate(end);
        }
    }

    /// Whether region `k` holds all of a cube, given by its centre and half its side (metres).
    pub fn holds(&self, k: usize, center: [f32; 3], half: f32) -> bool {
        let start = if k == 0 { 0 } else { self.ends[k - 1] as usize };
        let all = start..self.ends[k] as usize;
        let (x, y, z, height) =
            (&self.x[all.clone()], &self.y[all.clone()], &self.z[all.clone()], &self.height[all]);
        let mut most = f32::NEG_INFINITY;
        for (((x, y), z), height) in x.iter().zip(y).zip(z).zip(height) {
            let reach = half * (x.abs() + y.abs() + z.abs());
            let above = (x * center[0] + y * center[1] + z * center[2]) + reach - height;
            most = if above > most { above } else { most };
        }
        most <= 0.0
    }
}
