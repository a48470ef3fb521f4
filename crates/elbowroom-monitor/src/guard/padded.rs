//! Contact on pads: whether what the arms may pass presses one in deeper than it gives way.
//!
//! Two bodies may touch slowly where one of them has a pad, also if no task intends it. The depth is limited:
//! with the pads drawn back by their depths, `clearance` stays free between the two in all that the arms may
//! pass, until they rest. So a pad is pressed by its depth less `clearance` at most, and beside the pad the
//! bodies keep `clearance` as all others do. The question goes to the world with its pads drawn back, at the
//! same ranges of joint values. It asks only pairs that are not proved clear without that, so a cell in which
//! no pad is near pays nothing.

use super::clear::{Class, Clear, PADDED, PressBox};
use super::command::{Command, Reason, ReasonKind};
use super::now::{Now, WORK, range_ends};
use elbowroom::motion::{PairWork, RangeAnswer, RangeOptions};
use elbowroom::world::BodyPair;

impl Clear<'_> {
    /// Why the arms must not pass a box: a pad in it that is not proved to be pressed by less than its depth
    /// less `clearance`.
    pub(super) fn find_deep_press(
        &mut self,
        now: Now,
        asked: PressBox,
        command: &mut Command,
    ) -> Option<Reason> {
        let drawn_back = self.drawn_back.as_mut()?;
        // Pairs that move apart are asked too: they may be too deep already.
        let is_padded = |pair: BodyPair| {
            let is_open = self.open.iter().any(|(open, class)| open.pair == pair && *class != Class::Meant);
            is_open && now.parts.pad_depth(pair).is_some()
        };
        let first = self.open.iter().map(|(open, _)| open.pair).find(|pair| is_padded(*pair))?;
        let (ends, work) = match asked {
            PressBox::Near => (&self.near, WORK[0]),
            PressBox::Far => (&self.far, WORK[2]),
        };
        let options = RangeOptions { until_open: true, work, ..now.options };
        let each = |pair| if is_padded(pair) { PairWork::Halve } else { PairWork::Skip };
        let answer = drawn_back.check_ranges(range_ends(ends), &options, each);
        let found = match &answer {
            Ok(answer) if answer.is_free() => None,
            Ok(RangeAnswer { open: [open, ..], .. }) => Some((open.pair, -open.lower)),
            Ok(_) | Err(_) => Some((first, f64::INFINITY)),
        };
        command.work.add(drawn_back);
        // How deep the pads could be pressed: infinite where nothing bounds it.
        let (pair, beyond) = found?;
        let depth = now.parts.pad_depth(pair).unwrap_or(0.0);
        let limit = (depth - now.d.clearance).max(0.0);
        let reached = (depth + beyond).max(limit);
        Some(Reason::new(ReasonKind::Pad).of_pair(pair).with_limit(reached, limit).with_words(PADDED))
    }
}
