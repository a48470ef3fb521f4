//! What happens in truth, for whoever watches arms that a guard does not know of.

use crate::cells::Cells;
use elbowroom::pose::SetOptions;
use elbowroom::{Checker, Question, World};

/// How far the hand is from the part where it is of no interest how far it is (m).
const BEYOND: f64 = 0.2;

/// Asks about true joint values.
pub struct Truth<'w> {
    all: Checker<'w>,
    meant: Checker<'w>,
    picks: bool,
    /// The values that were asked about last, and what is true of them.
    last: (Vec<f64>, Seen),
}

/// What is true of joint values.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Whether bodies overlap that must not touch.
    pub touches: bool,
    /// How far the hand is from the part that it is to take (m); infinite if it is far, or is to take none.
    pub meant: f64,
}

impl<'w> Truth<'w> {
    /// With `picks`, the left hand is meant to take the part, so the two may touch.
    pub fn new(world: &'w World, cells: &'w Cells, picks: bool) -> Truth<'w> {
        let mut all = Checker::new(world);
        if picks {
            let [hand, part] = ["left/3", "world/part"].map(|name| world.body_by_name(name).unwrap());
            all.allow_contact(hand, part).unwrap();
        }
        let nothing = Seen { touches: false, meant: f64::INFINITY };
        Truth { all, meant: Checker::new(&cells.only_meant), picks, last: (Vec::new(), nothing) }
    }

    /// What is true of joint values. What rests is not asked about again.
    pub fn of(&mut self, q: &[f64]) -> Seen {
        if self.last.0 == q {
            return self.last.1;
        }
        self.last.0.clear();
        self.last.0.extend_from_slice(q);
        self.all.set_with(q, SetOptions { ignore_limits: true }).unwrap();
        let interval = self.all.ask(&Question::test()).interval;
        assert!(interval.lower > 0.0 || interval.upper <= 0.0, "not decided: {interval:?}");
        let meant = if self.picks { self.meant_at(q) } else { f64::INFINITY };
        self.last.1 = Seen { touches: interval.upper <= 0.0, meant };
        self.last.1
    }

    /// How far the hand is from the part (m), at most; infinite beyond [`BEYOND`].
    pub fn meant_at(&mut self, q: &[f64]) -> f64 {
        self.meant.set_with(q, SetOptions { ignore_limits: true }).unwrap();
        self.meant.ask(&Question::distance().cutoff(BEYOND)).interval.upper
    }

    /// Whether anything that must not touch may be nearer than a margin (m).
    pub fn is_near(&mut self, q: &[f64], margin: f64) -> bool {
        self.all.set_with(q, SetOptions { ignore_limits: true }).unwrap();
        !(self.all.ask(&Question::test().margin(margin)).interval.lower > margin)
    }
}
