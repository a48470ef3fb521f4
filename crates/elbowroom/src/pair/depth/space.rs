//! The work space of a search for a depth: cubes of translations that wait, regions, and parts.

use super::part::{Part, PartScratch};
use super::regions::Regions;
use crate::numeric::heap::Queued;
use crate::numeric::heap_bytes::heap_bytes;
use crate::numeric::math::{round_down, vec3};
use crate::numeric::tolerance::ROUNDOFF;
use crate::pair::tolerance::CUBES;
use alloc::vec::Vec;

/// A cube of translations, whose coordinates are exact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cube {
    pub(super) center: [f32; 3],
    /// Half its side.
    pub(super) half: f32,
    /// No translation in it is shorter (metres).
    pub(super) lower: f32,
    /// The region that held its middle, or that of the cube around it.
    pub(super) hint: u32,
}

impl Queued for Cube {
    type Bound = f32;
    #[inline(always)]
    fn lower(&self) -> f32 {
        self.lower
    }
}

impl Cube {
    pub(super) fn new(center: [f32; 3], half: f32, hint: u32) -> Cube {
        let [x, y, z] = center.map(|c| f64::from((c.abs() - half).max(0.0)));
        Cube { center, half, lower: round_down(vec3(x, y, z).norm() * (1.0 - 8.0 * ROUNDOFF)), hint }
    }

    pub(super) fn eighth(&self, which: u32, hint: u32) -> Cube {
        let half = 0.5 * self.half;
        let side = |k: usize| if which >> k & 1 == 1 { half } else { -half };
        Cube::new([0, 1, 2].map(|k| self.center[k] + side(k)), half, hint)
    }
}

/// Work space of the search, of fixed size.
#[derive(Clone, Debug)]
pub(crate) struct DepthScratch {
    pub(super) cubes: Vec<Cube>,
    pub(super) regions: Regions,
    pub(super) parts: [Part; 2],
    pub(super) grow: PartScratch,
}

impl Default for DepthScratch {
    fn default() -> DepthScratch {
        DepthScratch {
            cubes: Vec::with_capacity(CUBES),
            regions: Regions::default(),
            parts: Default::default(),
            grow: PartScratch::default(),
        }
    }
}

impl DepthScratch {
    /// Bytes that it allocated.
    pub(crate) fn heap_bytes(&self) -> usize {
        heap_bytes(&self.cubes)
            + self.regions.heap_bytes()
            + self.parts.iter().map(Part::heap_bytes).sum::<usize>()
            + self.grow.heap_bytes()
    }
}
