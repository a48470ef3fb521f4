//! Warnings of parts that overlap bodies which they are not checked against: bodies that move with a part,
//! when it is attached, and bodies that rest, when it is put down.
//!
//! Bodies that move together are never checked against each other, because their distance is the same at
//! every pose. So a part can be attached in a wrong place, inside of the hand, and every answer is clear.
//! Each such pair is asked once, where the part is attached, and an overlap is a warning. The part may touch
//! its carrier and what `touch` names. What `touch` names is not asked; the carrier is, and there is a
//! warning if the part is deep in it.
//!
//! Bodies that rest are not checked against each other either. So a part that is let go or placed is asked
//! once against all that rests. It may touch that, as it lies on a table; deep in it, there is a warning.

use crate::lengths::span_text;
use crate::limits::{CARRIER_DEPTH, HELD_NAMED, HELD_TOUCH};
use crate::note::Note;
use crate::placed::shapes_in_world;
use elbowroom::describe::{ObstacleDescription, WorldDescription};
use elbowroom::pair::{Ask, Query, Scratch, Warm, posed};
use elbowroom::world::{AllowedReason, BodyId, PairStatus};
use elbowroom::{Checker, World};

/// Why a part is not checked against a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldBy {
    /// That carries the part.
    Carrier,
    /// Both move with the same carrier.
    Company,
    /// Both rest.
    Rest,
}

/// A part and a body that it is not checked against where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldPair {
    /// The part.
    pub part: BodyId,
    /// The other body.
    pub other: BodyId,
    /// Why not.
    pub by: HeldBy,
    /// Their distance: it stays the same while the part is carried, or rests (metres).
    pub ends: [f64; 2],
}

impl HeldPair {
    /// Whether people must know of it: the part is not proved to be apart from a body that it may not touch,
    /// or proved to stand deep in its carrier or in what it lies on.
    pub fn is_told(&self) -> bool {
        let [lower, upper] = self.ends;
        match self.by {
            HeldBy::Carrier | HeldBy::Rest => upper < -CARRIER_DEPTH,
            HeldBy::Company => lower <= 0.0,
        }
    }

    /// Whether they are proved to overlap by more than rounding.
    fn overlaps_deeply(&self) -> bool {
        self.ends[1] < 0.0 && self.ends[0] < -HELD_TOUCH
    }

    /// The other body, and the depth if overlap is proved.
    fn pair_in_words(&self, world: &World) -> String {
        let other = body_name(world, self.other);
        let its = if self.by == HeldBy::Carrier { "its carrier " } else { "" };
        let [lower, upper] = self.ends;
        match self.overlaps_deeply() {
            true => format!("{its}{other} by {}", span_text(-upper, -lower)),
            false => format!("{its}{other}"),
        }
    }
}

/// The pairs of a part with all bodies that move with it, where a checker has it.
pub fn ask_held_pairs(checker: &Checker, part: BodyId, carrier: BodyId, touch: &[BodyId]) -> Vec<HeldPair> {
    let world = checker.world();
    let bodies = (0..world.bodies().len() as u32).map(BodyId);
    let others = bodies.filter(|other| *other != part && !touch.contains(other));
    let moves_with = |other: &BodyId| {
        let status = checker.status(part, *other);
        let held = *other == carrier && matches!(status, Some(PairStatus::Allowed(AllowedReason::Held)));
        held || matches!(status, Some(PairStatus::Allowed(AllowedReason::RigidlyJoined)))
    };
    let pair = |other: BodyId| {
        let ends = measure_pair(checker, [part, other]);
        let by = if other == carrier { HeldBy::Carrier } else { HeldBy::Company };
        HeldPair { part, other, by, ends }
    };
    others.filter(moves_with).map(pair).filter(|pair| pair.ends[0] < f64::INFINITY).collect()
}

/// The pairs of a part that rests with everything else that rests and may overlap it.
pub fn ask_resting_pairs(checker: &Checker, part: BodyId) -> Vec<HeldPair> {
    let world = checker.world();
    // An obstacle that nothing carries, whatever is allowed; or a link that no joint moves.
    let rests = |other: &BodyId| match checker.status(part, *other) {
        Some(PairStatus::Allowed(AllowedReason::Hidden | AllowedReason::NoShapes)) => false,
        Some(PairStatus::Allowed(AllowedReason::BothFixed)) => true,
        _ => world.bodies()[other.index()].robot.is_none() && checker.carrier(*other).is_none(),
    };
    let bodies = (0..world.bodies().len() as u32).map(BodyId).filter(|other| *other != part);
    let near = bodies.filter(|other| rests(other) && balls_meet(checker, [part, *other]));
    let pair = |other| HeldPair { part, other, by: HeldBy::Rest, ends: measure_pair(checker, [part, other]) };
    near.map(pair).filter(|pair| pair.ends[0] < f64::INFINITY).collect()
}

/// Whether balls around the shapes of two bodies meet.
fn balls_meet(checker: &Checker, [a, b]: [BodyId; 2]) -> bool {
    shapes_in_world(checker, a).any(|(a, a_in_world)| {
        shapes_in_world(checker, b).any(|(b, b_in_world)| {
            // Rounding is far below the depth that is told.
            let apart = (a_in_world.point(a.center()) - b_in_world.point(b.center())).norm();
            apart <= a.bounding_radius() + b.bounding_radius()
        })
    })
}

/// Bounds on the distance of two bodies (metres). Infinite where one has no shape. Where they are apart, no
/// more than that is found out.
fn measure_pair(checker: &Checker, pair: [BodyId; 2]) -> [f64; 2] {
    let (mut warm, mut scratch) = (Warm::default(), Scratch::default());
    let mut least = [f64::INFINITY; 2];
    for (a, at) in shapes_in_world(checker, pair[0]) {
        for (b, to) in shapes_in_world(checker, pair[1]) {
            let mut ask = |ask: Ask| {
                let query = Query { ask, ..Query::default() };
                let found = posed::clearance([a, b], [&at, &to], &query, &mut warm, &mut scratch);
                found.map_or([f64::NEG_INFINITY, f64::INFINITY], |f| [f.interval.lower, f.interval.upper])
            };
            let bound = ask(Ask::LowerBound);
            let ends = if bound[0] > 0.0 { bound } else { ask(Ask::Distance) };
            least = [least[0].min(ends[0]), least[1].min(ends[1])];
        }
    }
    least
}

/// A warning that names the pairs of one part that must be known; `None` if none must. `when` is put behind
/// the part's name.
pub fn held_note(world: &World, pairs: &[HeldPair], when: &str) -> Option<Note> {
    let told: Vec<&HeldPair> = pairs.iter().filter(|pair| pair.is_told()).collect();
    let part = body_name(world, told.first()?.part);
    let of = |overlaps: bool, word: &str| {
        let some: Vec<String> =
            told.iter().filter(|p| p.overlaps_deeply() == overlaps).map(|p| p.pair_in_words(world)).collect();
        let more = match some.len().saturating_sub(HELD_NAMED) {
            0 => String::new(),
            1 => " and 1 more body".into(),
            count => format!(" and {count} more bodies"),
        };
        let named = some[..some.len().min(HELD_NAMED)].join(", ");
        (!some.is_empty()).then(|| format!("{word} {named}{more}"))
    };
    let words: Vec<String> = [of(true, "overlapping"), of(false, "touching")].into_iter().flatten().collect();
    let words = words.join(", and ");
    if told.iter().all(|pair| pair.by == HeldBy::Rest) {
        let fact = format!("{part} is put down{when} {words}; bodies that rest are not checked");
        return Some(Note::new_grave(fact, "Put it down where it lies on them, not in them"));
    }
    let fact = format!("{part} is attached{when} {words}; bodies that move together are not checked");
    Some(Note::new_grave(fact, "Place it where it is held, or name what it may overlap in `touch`"))
}

/// A warning for each obstacle that the world file attaches so.
pub fn held_notes(world: &World, description: &WorldDescription) -> Vec<Note> {
    let checker = Checker::new(world);
    let of = |obstacle: &ObstacleDescription| {
        let held = obstacle.attached_to.as_ref()?;
        let part = world.body_by_name(&format!("world/{}", obstacle.name))?;
        let touch: Vec<BodyId> = held.touch.iter().filter_map(|name| world.body_by_name(name)).collect();
        let pairs = ask_held_pairs(&checker, part, world.body_by_name(&held.body)?, &touch);
        held_note(world, &pairs, "")
    };
    description.obstacles.iter().filter_map(of).collect()
}

fn body_name(world: &World, body: BodyId) -> &str {
    let name = &*world.bodies()[body.index()].name;
    name.strip_prefix("world/").unwrap_or(name)
}
