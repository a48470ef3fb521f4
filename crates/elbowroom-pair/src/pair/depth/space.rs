//! The work space of a search for a depth: cuboids of translations that wait, regions, and parts.

use super::part::{Part, PartScratch};
use super::regions::Regions;
use crate::numeric::heap::Queued;
use crate::numeric::tolerance::ROUNDOFF;
use crate::pair::tolerance::CUBOIDS;
use alloc::vec::Vec;
use elbowroom_describe::math::{round_down, vec3};

/// A cuboid of translations, in the frame of the [`Regions`]; its coordinates are exact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cuboid {
    pub(super) center: [f32; 3],
    /// Half its sides.
    pub(super) half: [f32; 3],
    /// No translation in it is shorter (metres).
    pub(super) lower: f32,
    /// The region that held its middle, or that of the cuboid around it.
    pub(super) hint: u32,
}

impl Queued for Cuboid {
    type Bound = f32;
    #[inline(always)]
    fn lower_bound(&self) -> f32 {
        self.lower
    }
}

impl Cuboid {
    pub(super) fn new(center: [f32; 3], half: [f32; 3], hint: u32) -> Cuboid {
        let near = |k: usize| f64::from((center[k].abs() - half[k]).max(0.0));
        let nearest = vec3(near(0), near(1), near(2));
        Cuboid { center, half, lower: round_down(nearest.norm() * (1.0 - 16.0 * ROUNDOFF)), hint }
    }

    /// The part on the positive side of the middle along the axes whose bits are set in `which`, and on the
    /// negative side along the other ones that are set in `halved`.
    pub(super) fn part(&self, halved: u32, which: u32, hint: u32) -> Cuboid {
        let (mut center, mut half) = (self.center, self.half);
        for k in (0..3).filter(|k| halved >> k & 1 == 1) {
            half[k] *= 0.5;
            center[k] += if which >> k & 1 == 1 { half[k] } else { -half[k] };
        }
        Cuboid::new(center, half, hint)
    }
}

/// Work space of the search, of fixed size.
#[derive(Clone, Debug)]
pub(crate) struct DepthScratch {
    pub(super) cuboids: Vec<Cuboid>,
    pub(super) regions: Regions,
    pub(super) parts: [Part; 2],
    pub(super) grow: PartScratch,
}

impl Default for DepthScratch {
    fn default() -> DepthScratch {
        DepthScratch {
            cuboids: Vec::with_capacity(CUBOIDS),
            regions: Regions::default(),
            parts: Default::default(),
            grow: PartScratch::default(),
        }
    }
}
