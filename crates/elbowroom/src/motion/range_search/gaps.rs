//! Questions about two bodies over ranges of joint values: how fast they meet, how near they come, and
//! whether they come nearer at all.

use super::{ANY_VALUES, RangeSpace};
use crate::model::id::{BodyId, BodyPair};
use crate::motion::asker::Around;
use crate::motion::speed::{Moving, speed};
use crate::motion::tolerance::{FALL_ROUNDING, SHAPE_PAIRS};
use crate::pose::fault::PoseFault;

impl RangeSpace<'_> {
    /// `MotionChecker::bound_speed`.
    pub fn bound_speed(
        &mut self,
        ends: [&[f64]; 2],
        velocities: [&[f64]; 2],
        of: BodyId,
        against: Option<BodyId>,
    ) -> Result<f64, PoseFault> {
        let world = self.pose.world;
        let known = world.has_body(of) && against.is_none_or(|body| world.has_body(body));
        let fits = velocities.iter().all(|velocities| velocities.len() == self.middle.len());
        if !self.set_middle(ends, &ANY_VALUES)? || !known || !fits {
            return Ok(f64::INFINITY);
        }
        let moving = Moving { change: &self.change, velocities };
        Ok(speed(&self.bounds, &self.pose, of, against, moving))
    }

    /// `MotionChecker::bound_gap`.
    pub fn bound_gap(&mut self, ends: [&[f64]; 2], pair: BodyPair) -> Result<f64, PoseFault> {
        let world = self.pose.world;
        let known = world.has_body(pair.a) && world.has_body(pair.b);
        if !self.set_middle(ends, &ANY_VALUES)? || !known {
            return Ok(f64::NEG_INFINITY);
        }
        let around = Around::all(&self.bounds, &self.change);
        if let Ok(index) = world.checks.pairs.listed.binary_search(&pair) {
            return Ok(self.asker.least_along(&self.pose, index, around));
        }
        let index = self.asker.add_cold(pair);
        let least = self.asker.least_along(&self.pose, index as usize, around);
        self.asker.drop_last();
        Ok(least)
    }

    /// `MotionChecker::keeps_away`.
    pub fn keeps_away(
        &mut self,
        ranges: [[&[f64]; 2]; 3],
        pair: BodyPair,
        [margin, slack]: [f64; 2],
    ) -> Result<bool, PoseFault> {
        let world = self.pose.world;
        if !(world.has_body(pair.a) && world.has_body(pair.b)) {
            return Ok(false);
        }
        let listed = world.checks.pairs.listed.binary_search(&pair).ok();
        let index = listed.unwrap_or_else(|| self.asker.add_cold(pair) as usize);
        let kept = self.gaps_are_kept(ranges, index, [margin, slack]);
        if listed.is_none() {
            self.asker.drop_last();
        }
        kept
    }

    fn gaps_are_kept(
        &mut self,
        ranges: [[&[f64]; 2]; 3],
        index: usize,
        [margin, slack]: [f64; 2],
    ) -> Result<bool, PoseFault> {
        let mut gaps = [[0.0; SHAPE_PAIRS]; 3];
        let mut count = 0;
        for (k, ends) in ranges.into_iter().enumerate() {
            // The widest ranges are asked for what has come nearer.
            let near = gaps[0].iter().zip(&gaps[1]).take(count);
            if k == 2 && near.clone().all(|(from, to)| is_kept(*from, *to, slack)) {
                return Ok(true);
            }
            if !self.set_middle(ends, &ANY_VALUES)? {
                return Ok(false);
            }
            let around = Around::all(&self.bounds, &self.change);
            let faithful = (k == 0).then_some(slack);
            match self.asker.gaps_along(&self.pose, index, around, faithful, &mut gaps[k]) {
                Some(known) => count = known,
                None => return Ok(false),
            }
        }
        let [from, to, far] = &gaps;
        Ok((0..count).all(|k| is_kept(from[k], to[k], slack) || far[k] > margin))
    }
}

/// Whether a gap hardly falls (metres). One that may close must not fall at all: bodies that slide along each
/// other could touch, as fast as they slide.
fn is_kept(from: f64, to: f64, slack: f64) -> bool {
    to >= from - if to > 0.0 { slack } else { FALL_ROUNDING }
}
