//! Where the movable bodies of a pose are: placed in the cell, or carried by another body; seen or hidden.
//!
//! A body that is carried keeps its pose in its carrier's frame. Its own frame follows after the joints were
//! set, carriers before what they carry. A body that hangs on a link, directly or through others, moves with
//! that link's rigid cluster, and counts as a part of it. All others rest in the cell: they are checked
//! neither against fixed bodies nor against each other.

use crate::model::id::BodyId;
use crate::model::movable_pairs::MovablePartner;
use crate::model::movables::Door;
use crate::model::pairs::FIXED_CLUSTER;
use crate::model::step::{KinematicStep, Motion};
use crate::model::world::World;
use crate::numeric::work_list::WorkList;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::{Mat3, Transform};
use elbowroom_pair::numeric::rigid::rotation_defect;

/// Who carries a body, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carrier {
    pub body: BodyId,
    /// From the carrier's frame to the body's, by a door's value.
    pub step: KinematicStep,
    /// The value of the door; zero without one.
    pub value: f64,
    /// Limits of that value; `None` without a door.
    pub limits: Option<[f64; 2]>,
}

impl Carrier {
    /// A body that is carried at a pose in its carrier's frame.
    pub fn new(body: BodyId, child: BodyId, in_carrier: Transform, door: Option<Door>) -> Carrier {
        let step = KinematicStep {
            parent: body,
            child,
            joint_in_parent: in_carrier,
            turned: in_carrier.rotation != Mat3::IDENTITY,
            motion: door.map_or(Motion::Fixed, |door| door.motion),
            value: 0,
            scale: 1.0,
            offset: 0.0,
            rounding: 0.0,
            rounding_offset: 0.0,
            defect: rotation_defect(&in_carrier.rotation).unwrap_or(0.0),
        };
        let limits = door.map(|door| door.limits);
        Carrier { body, step, value: limits.map_or(0.0, |[low, high]| 0.0_f64.max(low).min(high)), limits }
    }
}

/// What is known of a movable body beside its frame and its carrier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovableState {
    pub hidden: bool,
    /// Whether it is a spare place without a shape.
    pub empty: bool,
    pub carried: bool,
    /// The rigid cluster that it moves with; that of the cell if it rests.
    pub cluster: u32,
}

impl MovableState {
    /// Whether it is hidden or an empty place: it then meets no other body.
    #[inline]
    pub fn is_away(&self) -> bool {
        self.hidden | self.empty
    }
}

/// The movable bodies of a pose. Everything is allocated when it is made.
#[derive(Clone, Debug)]
pub(crate) struct Placements {
    pub states: Vec<MovableState>,
    /// Who carries each.
    pub carriers: Vec<Option<Carrier>>,
    /// Those that are carried; carriers come before what they carry.
    pub carried: WorkList<u32>,
    /// Those that a joint moves, without hidden bodies and empty places.
    pub held: WorkList<u32>,
    /// Scratch: bodies that are not yet in `carried`, because their carriers are not.
    waiting: WorkList<u32>,
    /// How many are hidden or empty places.
    away: usize,
}

impl Placements {
    /// All bodies at rest and seen, spare places empty. `None` without movable bodies.
    pub fn new(world: &World) -> Option<Placements> {
        let count = world.checks.pairs.movable.movable.len();
        let is_spare = |movable: u32| world.movables.spare_number(movable).is_some();
        let state = |movable| MovableState {
            hidden: false,
            empty: is_spare(movable),
            carried: false,
            cluster: FIXED_CLUSTER,
        };
        (count > 0).then(|| Placements {
            states: (0..count as u32).map(state).collect(),
            carriers: vec![None; count],
            carried: WorkList::with_capacity(count),
            held: WorkList::with_capacity(count),
            waiting: WorkList::with_capacity(count),
            away: world.movables.spares.len(),
        })
    }

    /// Takes what another has; allocates nothing for the same world.
    pub fn copy_from(&mut self, other: &Placements) {
        self.states.clone_from(&other.states);
        self.carriers.clone_from(&other.carriers);
        self.carried.clone_from(&other.carried);
        self.held.clone_from(&other.held);
        self.away = other.away;
    }

    /// Lets a body be carried, or rest.
    pub fn set_carrier(&mut self, world: &World, movable: u32, carrier: Option<Carrier>) {
        self.states[movable as usize].carried = carrier.is_some();
        self.carriers[movable as usize] = carrier;
        self.waiting.clear();
        self.waiting.append(&mut self.carried);
        if carrier.is_some() {
            self.waiting.push(movable);
        } else {
            self.waiting.retain(|other| *other != movable);
            self.states[movable as usize].cluster = FIXED_CLUSTER;
        }
        // Each pass takes the bodies whose carriers are already in `carried`. No body carries itself, so
        // every pass takes one at least.
        let pairs = &world.checks.pairs.movable;
        let Placements { states, carriers, carried, waiting, .. } = self;
        while !waiting.is_empty() {
            let before = waiting.len();
            waiting.retain(|&movable| {
                let Some(carrier) = carriers[movable as usize] else { return false };
                let cluster = match pairs.index(carrier.body) {
                    None => world.checks.rules.bodies[carrier.body.index()].cluster,
                    Some(other) if !states[other as usize].carried => FIXED_CLUSTER,
                    Some(other) if carried.contains(&other) => states[other as usize].cluster,
                    Some(_) => return true,
                };
                states[movable as usize].cluster = cluster;
                carried.push(movable);
                false
            });
            if waiting.len() == before {
                break;
            }
        }
        self.note_held();
    }

    /// Hides a body that is shown, or shows one that is hidden.
    pub fn set_hidden(&mut self, movable: u32, hidden: bool) {
        self.change_state(movable, |state| state.hidden = hidden);
    }

    /// Notes that a spare place has a shape now, or none.
    pub fn set_empty(&mut self, movable: u32, empty: bool) {
        self.change_state(movable, |state| state.empty = empty);
    }

    fn change_state(&mut self, movable: u32, change: impl FnOnce(&mut MovableState)) {
        let state = &mut self.states[movable as usize];
        let before = state.is_away();
        change(state);
        let after = state.is_away();
        self.away = self.away + usize::from(after) - usize::from(before);
        if before != after {
            self.note_held();
        }
    }

    /// Whether a body is hidden.
    pub fn is_hidden(&self, movable: u32) -> bool {
        self.states[movable as usize].hidden
    }

    fn note_held(&mut self) {
        let Placements { states, carried, held, .. } = self;
        let state = |movable: &&u32| &states[**movable as usize];
        held.clear();
        held.extend(carried.iter().filter(|m| state(m).cluster != FIXED_CLUSTER && !state(m).is_away()));
    }

    /// Whether a movable body and its partner can move relative to each other, and neither is hidden or
    /// empty.
    #[inline]
    pub fn can_meet(&self, world: &World, movable: u32, partner: MovablePartner) -> bool {
        let state = &self.states[movable as usize];
        let pairs = &world.checks.pairs.movable;
        let other = match partner {
            MovablePartner::Moving(_) | MovablePartner::Still(_) => {
                world.checks.rules.bodies[pairs.partner_body(partner).index()].cluster
            }
            MovablePartner::Movable(other) => {
                let other = &self.states[other as usize];
                if other.is_away() {
                    return false;
                }
                other.cluster
            }
        };
        !state.is_away() && state.cluster != other
    }

    /// How many pairs meet. Pairs that the rules exclude are counted too.
    pub fn count_meeting_pairs(&self, world: &World) -> usize {
        let pairs = &world.checks.pairs.movable;
        let seen = self.states.len() - self.away;
        let cluster = |movable: u32| self.states[movable as usize].cluster;
        let mut count =
            seen * pairs.moving.len() + self.held.len() * (pairs.still.len() + seen - self.held.len());
        for (i, &movable) in self.held.iter().enumerate() {
            let mine = |body: &&BodyId| world.checks.rules.bodies[body.index()].cluster == cluster(movable);
            count -= pairs.moving.iter().filter(mine).count();
            count += self.held[..i].iter().filter(|other| cluster(**other) != cluster(movable)).count();
        }
        count
    }
}
