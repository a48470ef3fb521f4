//! Contact on pads: whether what the arms may pass presses one in deeper than it gives way.
//!
//! A pair with a pad that no task means to touch may touch on it all the same, slowly. How deep is limited:
//! with the pads drawn back by their depths the two bodies must be proved apart in all that the arms may
//! pass. The question goes to the world with its pads drawn back, at the same boxes of configurations. It
//! asks only pairs that are not proved clear without that, so a cell in which no pad is near pays nothing.

use super::clear::{Class, Clear, PADDED, PressBox};
use super::command::{Command, Reason, ReasonKind};
use super::now::{Now, WORK, range_ends};
use elbowroom::motion::{PairWork, RangeAnswer, RangeOptions};
use elbowroom::world::BodyPair;

impl Clear<'_> {
    /// Why the arms must not pass a box: a pad in it that is not proved to be pressed in no deeper than it
    /// gives way.
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
        // Apart is enough: what may be touched is soft.
        let options = RangeOptions { margin: Some(0.0), until_open: true, work, ..now.options };
        let each = |pair| if is_padded(pair) { PairWork::Halve } else { PairWork::Skip };
        let answer = drawn_back.check_ranges(range_ends(ends), &options, each);
        let found = match &answer {
            Ok(answer) if answer.is_free() => None,
            Ok(RangeAnswer { open: [open, ..], .. }) => Some((open.pair, -open.lower)),
            Ok(_) | Err(_) => Some((first, f64::INFINITY)),
        };
        command.work.add(drawn_back);
        // Beyond what the pads give way, as far as that is bounded.
        let (pair, beyond) = found?;
        let depth = now.parts.pad_depth(pair).unwrap_or(0.0);
        let reached = depth + beyond.clamp(0.0, 1e6);
        Some(Reason::new(ReasonKind::Pad).of_pair(pair).with_limit(reached, depth).with_words(PADDED))
    }
}
