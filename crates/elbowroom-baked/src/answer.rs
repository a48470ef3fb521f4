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
        /// The first pair that is not proved clear.
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

/// The lesser of two gaps. One that is not a number proves nothing, so it stays.
fn lesser(least: f32, gap: f32) -> f32 {
    if gap < least || gap.is_nan() { gap } else { least }
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

    /// The least of the gaps that were found between the shapes of two bodies, before the error is taken off;
    /// `None` for a pair that the world does not have. Adds the directions that were tried.
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
                // Its bound counts too.
                least = lesser(least, ball_gap(first.center, first.shape.ball, center_b, b.ball));
                continue;
            }
            for j in 0..usize::from(b.count) {
                let second = self.place_shape(b, j)?;
                // What is above the least so far changes nothing.
                let enough = wanted.enough.min(least);
                let (gap, steps) = shape_gap(&first, &second, Wanted { enough, ..wanted });
                *tried += steps;
                least = lesser(least, gap);
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

    /// Whether it is proved that no checked pair is within the margin, and how many directions were tried: at
    /// most [`BakedWorld::worst_iterations`].
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

#[cfg(test)]
mod tests {
    use super::{LowerBound, Verdict};
    use crate::frames::Scratch;
    use crate::world::{BakedBody, BakedPair, BakedShape, BakedWorld, Core};

    /// Three bodies in a row, the first with three balls. `radius` is that of the second of these.
    fn ask_three_bodies(radius: f32) -> (Verdict, Option<LowerBound>) {
        let ball = |x: f32, radius: f32| BakedShape {
            core: Core::Point,
            center: [x, 0.0, 0.0],
            axes: [[0.0; 3]; 3],
            radius,
            ball: radius,
        };
        let body = |first: u16, count: u16, x: f32, ball: f32| BakedBody {
            frame: 0,
            first,
            count,
            center: [x, 0.0, 0.0],
            ball,
        };
        let pair =
            |a: u16, b: u16| BakedPair { a, b, error: 1e-5, enough: 0.01002, floor: f32::NEG_INFINITY };
        let world = BakedWorld {
            fingerprint: 1,
            margin: 0.01,
            limits: &[],
            joints: &[],
            // The first ball is so large that those of the bodies decide nothing, and those of shapes do.
            bodies: &[body(0, 3, 0.0, 10.0), body(3, 1, 5.0, 0.1), body(4, 1, 7.0, 0.1)],
            shapes: &[ball(0.0, 0.1), ball(0.0, radius), ball(0.1, 0.1), ball(5.0, 0.1), ball(7.0, 0.1)],
            vertices: &[],
            pairs: &[pair(1, 2), pair(0, 1)],
        };
        let mut scratch = Scratch::<0, 5>::new();
        (world.test(&[], &mut scratch), world.lower_bound(&[], &mut scratch))
    }

    #[test]
    fn a_gap_that_is_no_number_proves_nothing_whatever_comes_behind_it() {
        let (verdict, bound) = ask_three_bodies(0.1);
        assert!(verdict == Verdict::Clear && bound.is_some_and(|bound| bound.metres > 1.7), "{bound:?}");
        let (verdict, bound) = ask_three_bodies(f32::NAN);
        assert_eq!(verdict, Verdict::NotClear { pair: 1 });
        assert_eq!(bound, Some(LowerBound { metres: f32::NEG_INFINITY, pair: 1 }));
    }
}
