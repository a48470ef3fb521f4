//! What a baked world answers.

use crate::frames::{Posed, Scratch, pose_world};
use crate::gap::{Wanted, ball_gap, shape_gap};
use crate::support::Placed;
use crate::tolerance::MAX_ITERATIONS;
use crate::world::{BakedBody, BakedPair, BakedWorld, Core};

/// The answer to [`BakedWorld::test`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Proved: no checked pair is within the margin.
    Clear,
    /// Not proved. The engine may still prove it.
    NotClear {
        /// The first pair of which it is not proved.
        pair: u16,
    },
    /// A value is outside its limits or not a number, there are too few or too many, the work space is too
    /// small, or the world checks no pair. Nothing is proved.
    Fault,
}

/// The answer to [`BakedWorld::lower_bound`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LowerBound {
    /// Proved: no checked pair is nearer (metres). Below zero it bounds how deep they overlap.
    pub metres: f32,
    /// The pair with the least bound.
    pub pair: u16,
}

impl Posed<'_> {
    /// A shape where it is now.
    #[inline]
    fn place_shape(&self, body: &BakedBody, shape: usize) -> Option<Placed<'_>> {
        let number = usize::from(body.first) + shape;
        let shape = self.world.shapes.get(number)?;
        let vertices = match shape.core {
            Core::Hull { first, count } => {
                let first = usize::from(first);
                self.world.vertices.get(first..first + usize::from(count))?
            }
            _ => &[],
        };
        let (frame, center) = (self.frame(body.frame)?, *self.centers.get(number)?);
        Some(Placed { shape, frame, vertices, center })
    }

    /// The least gap of a pair's shapes that was found, as it is computed; `None` for a pair that the world
    /// does not have. Adds the directions that were tried.
    fn pair_gap(&self, pair: &BakedPair, wanted: Wanted, tried: &mut u32) -> Option<f32> {
        let body = |number: u16| self.world.bodies.get(usize::from(number));
        let (a, b) = (body(pair.a)?, body(pair.b)?);
        let place = |body: &BakedBody| Some(self.frame(body.frame)?.place_point(body.center));
        let (center_a, center_b) = (place(a)?, place(b)?);
        let far = ball_gap(center_a, a.ball, center_b, b.ball);
        if far > wanted.enough {
            return Some(far);
        }
        let mut least = f32::INFINITY;
        for i in 0..usize::from(a.count) {
            let first = self.place_shape(a, i)?;
            if ball_gap(first.center, first.shape.ball, center_b, b.ball) > wanted.enough.min(least) {
                // Its bound counts all the same.
                least = least.min(ball_gap(first.center, first.shape.ball, center_b, b.ball));
                continue;
            }
            for j in 0..usize::from(b.count) {
                let second = self.place_shape(b, j)?;
                // What is above the least so far changes nothing.
                let enough = wanted.enough.min(least);
                let (gap, steps) = shape_gap(&first, &second, Wanted { enough, ..wanted });
                *tried += steps;
                // A gap that is not a number proves nothing.
                least = if gap < least || gap.is_nan() { gap } else { least };
                if !(least > wanted.enough) && wanted.all_or_nothing {
                    return Some(least);
                }
            }
        }
        Some(least)
    }
}

impl BakedWorld<'_> {
    /// Whether it is proved that no checked pair is within the margin.
    pub fn test<const JOINTS: usize, const SHAPES: usize>(
        &self,
        values: &[f32],
        scratch: &mut Scratch<JOINTS, SHAPES>,
    ) -> Verdict {
        self.test_counting(values, scratch).0
    }

    /// The same, and how many directions were tried: at most [`BakedWorld::worst_iterations`].
    pub fn test_counting<const JOINTS: usize, const SHAPES: usize>(
        &self,
        values: &[f32],
        scratch: &mut Scratch<JOINTS, SHAPES>,
    ) -> (Verdict, u32) {
        let mut tried = 0;
        let Some(posed) = pose_world(self, values, &mut scratch.frames, &mut scratch.centers) else {
            return (Verdict::Fault, tried);
        };
        for (number, pair) in self.pairs.iter().enumerate().filter(|(_, pair)| !self.is_always_clear(pair)) {
            let wanted = Wanted { enough: pair.enough, all_or_nothing: true, error: pair.error };
            let Some(gap) = posed.pair_gap(pair, wanted, &mut tried) else { return (Verdict::Fault, tried) };
            if !(gap > pair.enough) {
                return (Verdict::NotClear { pair: number as u16 }, tried);
            }
        }
        (Verdict::Clear, tried)
    }

    /// A bound below the clearance of all checked pairs; `None` where [`BakedWorld::test`] finds a fault.
    pub fn lower_bound<const JOINTS: usize, const SHAPES: usize>(
        &self,
        values: &[f32],
        scratch: &mut Scratch<JOINTS, SHAPES>,
    ) -> Option<LowerBound> {
        let posed = pose_world(self, values, &mut scratch.frames, &mut scratch.centers)?;
        let mut least = LowerBound { metres: f32::INFINITY, pair: 0 };
        let mut tried = 0;
        for (number, pair) in self.pairs.iter().enumerate() {
            if pair.floor >= least.metres {
                continue;
            }
            let wanted =
                Wanted { enough: least.metres + pair.error, all_or_nothing: false, error: pair.error };
            let gap = posed.pair_gap(pair, wanted, &mut tried)? - pair.error;
            let gap = if gap > pair.floor { gap } else { pair.floor };
            if !(gap >= least.metres) {
                least = LowerBound { metres: gap, pair: number as u16 };
            }
        }
        Some(least)
    }

    /// Whether a pair is proved clear at all values within limits.
    fn is_always_clear(&self, pair: &BakedPair) -> bool {
        pair.floor > self.margin
    }

    /// How many directions [`BakedWorld::test`] can try at most: [`MAX_ITERATIONS`] for every two shapes of
    /// pairs that are not always clear.
    pub fn worst_iterations(&self) -> u32 {
        let count =
            |number: u16| self.bodies.get(usize::from(number)).map_or(0, |body| u32::from(body.count));
        let asked = self.pairs.iter().filter(|pair| !self.is_always_clear(pair));
        asked.map(|pair| count(pair.a) * count(pair.b) * MAX_ITERATIONS).sum()
    }
}
