//! What a guard is told that is not so.

use crate::rng::Rng;
use elbowroom_monitor::GuardDescription;
use elbowroom_monitor::guard::{Action, Category, Command, Guard, ReasonKind};

/// A lie: of what is measured, or of the model. Times are those from which on it holds (s).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lie {
    /// Everything is as the guard was told.
    None,
    /// All velocities are told as zero.
    Zero(f64),
    /// All velocities are told as they were at that time.
    Stuck(f64),
    /// The velocities of two joints are swapped.
    Swapped([usize; 2], f64),
    /// All velocities are told so many times as great.
    Scaled(f64, f64),
    /// The clock of the states is so many times as fast.
    Drift(f64),
    /// The brakes have this part of what is declared.
    Brakes(f64),
    /// One of two monitors hangs: the twin says stop when the command before it has been late.
    FrozenTwin(f64),
    /// The force on a hand is not measured any more.
    ForceLost(f64),
    /// The force on a hand stays the same to the last bit.
    ForceStill(f64),
    /// The position of a joint stays as it was at that time; its velocity is told as it is.
    Frozen(usize, f64),
}

/// How long a force may be the same in these motions (s).
const STILL: f64 = 0.1;

impl Lie {
    /// The classes of lies.
    pub const CLASSES: [&str; 11] = [
        "velocities zero",
        "velocities stuck",
        "velocities swapped",
        "velocities scaled",
        "clocks that drift",
        "brakes at 0.8",
        "brakes at 0.6",
        "frozen twins",
        "forces lost",
        "forces still",
        "encoders frozen",
    ];

    /// A lie of a class.
    pub fn draw(class: usize, rng: &mut Rng) -> Lie {
        let at = if rng.chance(0.5) { 0.0 } else { rng.range(0.0, 1.5) };
        let first = rng.below(6);
        match class {
            0 => Lie::Zero(at),
            1 => Lie::Stuck(rng.range(0.05, 1.5)),
            2 => Lie::Swapped([first, (first + 1 + rng.below(5)) % 6], at),
            // Degrees for radians and the other way, and wrong gears.
            3 => Lie::Scaled([1_f64.to_degrees(), 1_f64.to_radians(), 0.5, -1.0][rng.below(4)], at),
            4 => Lie::Drift(if rng.chance(0.5) { 1.01 } else { 1.0 / 1.01 }),
            5 => Lie::Brakes(0.8),
            6 => Lie::Brakes(0.6),
            7 => Lie::FrozenTwin(rng.range(0.05, 1.5)),
            8 => Lie::ForceLost(rng.range(0.05, 1.5)),
            9 => Lie::ForceStill(rng.range(0.05, 1.5)),
            _ => Lie::Frozen(first, rng.range(0.05, 1.5)),
        }
    }

    /// The part of the declared brakes that there is.
    pub fn brake(self) -> f64 {
        if let Lie::Brakes(part) = self { part } else { 1.0 }
    }

    /// What the guard must be told to find it.
    pub fn describe(self, d: &mut GuardDescription) {
        if let Lie::ForceLost(_) | Lie::ForceStill(_) = self {
            (d.contact_force, d.force_still) = (50.0, STILL);
        }
    }

    /// Whether a reason names the lie.
    pub fn is_named_by(self, kind: ReasonKind) -> bool {
        match self {
            Lie::None => false,
            Lie::Zero(_)
            | Lie::Stuck(_)
            | Lie::Swapped(..)
            | Lie::Scaled(..)
            | Lie::Drift(_)
            | Lie::Frozen(..) => {
                matches!(
                    kind,
                    ReasonKind::Implausible
                        | ReasonKind::BeyondModel
                        | ReasonKind::Velocity
                        | ReasonKind::Acceleration
                )
            }
            Lie::Brakes(_) => kind == ReasonKind::BeyondModel,
            Lie::FrozenTwin(_) => kind == ReasonKind::Disagreement,
            Lie::ForceLost(_) | Lie::ForceStill(_) => kind == ReasonKind::ForceLost,
        }
    }
}

/// Who tells a lie.
pub struct Liar {
    lie: Lie,
    late: f64,
    stuck: Option<Vec<f64>>,
    frozen: Option<f64>,
    force: f64,
    /// When a state was permitted last (s), and whether the twin has said stop.
    permitted: f64,
    said: bool,
}

impl Liar {
    pub fn new(lie: Lie, late: f64) -> Liar {
        Liar { lie, late, stuck: None, frozen: None, force: 0.0, permitted: f64::NEG_INFINITY, said: false }
    }

    /// The time that is told.
    pub fn time(&self, t: f64) -> f64 {
        if let Lie::Drift(times) = self.lie { t * times } else { t }
    }

    /// Whether the lie is about velocities that are told.
    pub fn tells_velocities(&self) -> bool {
        let of = self.lie;
        matches!(of, Lie::Zero(_) | Lie::Stuck(_) | Lie::Swapped(..) | Lie::Scaled(..) | Lie::Frozen(..))
    }

    /// Makes positions what is told.
    pub fn positions(&mut self, t: f64, q: &mut [f64]) {
        if let Lie::Frozen(joint, from) = self.lie
            && t >= from
        {
            q[joint] = *self.frozen.get_or_insert(q[joint]);
        }
    }

    /// Makes velocities what is told.
    pub fn velocities(&mut self, t: f64, v: &mut [f64]) {
        match self.lie {
            Lie::Zero(from) if t >= from => v.fill(0.0),
            Lie::Stuck(from) if t >= from => {
                v.copy_from_slice(self.stuck.get_or_insert_with(|| v.to_vec()));
            }
            Lie::Swapped([one, other], from) if t >= from => v.swap(one, other),
            Lie::Scaled(times, from) if t >= from => v.iter_mut().for_each(|v| *v *= times),
            _ => {}
        }
    }

    /// The forces on both hands, where they are measured.
    pub fn forces(&mut self, t: f64, noise: &mut Rng) -> Option<[f64; 2]> {
        match self.lie {
            Lie::ForceLost(from) => Some([if t >= from { f64::NAN } else { noise.range(0.0, 1.0) }, 1.0 + t]),
            Lie::ForceStill(from) => {
                if t < from {
                    self.force = noise.range(0.0, 1.0);
                }
                Some([1.0 + t, self.force])
            }
            _ => None,
        }
    }

    /// Hears what the guard says, as the twin does.
    pub fn hear(&mut self, t: f64, command: &Command) {
        if command.action != Action::Stop {
            self.permitted = t;
        }
    }

    /// What the twin says while a monitor hangs: nothing, until the command before has been late; then stop.
    /// `None` while both answer.
    pub fn twin(&mut self, t: f64, guard: &mut Guard) -> Option<Option<Command>> {
        let Lie::FrozenTwin(from) = self.lie else { return None };
        if t < from {
            return None;
        }
        let is_due = t >= self.permitted + self.late && !self.said;
        self.said |= is_due;
        Some(is_due.then(|| {
            let command = guard.step_without(t, Some(ReasonKind::Disagreement));
            assert_eq!((command.action, command.category), (Action::Stop, Some(Category::Zero)));
            command
        }))
    }
}
