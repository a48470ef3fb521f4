//! The search among what never moves: the leaves of the tree over fixed shapes, handed out to the moving bodies in the order of their bounds.

use super::Scope;
use super::ask::{Memory, ask_ranges};
use super::best::{Answer, Best};
use crate::bounds::{AlignedBox, ball_gap};
use crate::hierarchy::{Child, WideQuery, WideScratch};
use crate::id::PairId;
use crate::math::vec3;
use crate::pairs::{BodyPair, ordered};
use crate::pose::Pose;
use crate::report::Counts;
use crate::tolerance::CROWD_MEMORY;
use crate::world::World;
use alloc::{vec, vec::Vec};

/// Work space of the search, kept with the pose.
#[derive(Clone, Debug)]
pub(crate) struct CrowdWork {
    pub(super) queries: Vec<WideQuery>,
    pub(super) scratch: WideScratch,
    pub(super) asked: Asked,
}

impl CrowdWork {
    pub fn new(world: &World) -> CrowdWork {
        let crowds = world.pairs.crowds.len();
        let pairs = if world.fixed.shared { crowds * world.pairs.fixed.len() } else { 0 };
        let asked = Asked { last: vec![0; pairs], search: 0 };
        CrowdWork { queries: Vec::with_capacity(crowds), scratch: WideScratch::new(&world.fixed.tree), asked }
    }

    /// Makes ready for the bodies where they are.
    pub(super) fn start(&mut self, world: &World, pose: &Pose) {
        self.queries.clear();
        for crowd in &world.pairs.crowds {
            let ball = &pose.body_balls[crowd.body.index()];
            let r = vec3(ball.radius, ball.radius, ball.radius);
            let around = AlignedBox { low: ball.center - r, high: ball.center + r };
            self.queries.push(world.fixed.tree.query(&around));
        }
        self.asked.search += 2;
        if self.asked.search >= u32::MAX - 1 {
            self.asked.last.fill(0);
            self.asked.search = 2;
        }
    }
}

/// What was asked in this search, so that a pair of bodies counts once, however many of its shapes are asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// For each crowd and each fixed body, if bodies have several shapes: the number of the search that asked them last, and a last
    /// bit for a pair that was not told.
    last: Vec<u32>,
    search: u32,
}

impl Asked {
    /// Counts a pair as told, or as unknown if one of its shapes was not.
    fn count(&mut self, at: usize, told: bool, counts: &mut Counts) {
        let Some(last) = self.last.get_mut(at) else {
            *(if told { &mut counts.proved } else { &mut counts.unknown }) += 1;
            return;
        };
        let before = if *last & !1 == self.search { Some(*last & 1 == 0) } else { None };
        *last = self.search | u32::from(!(told && before != Some(false)));
        match (before, told) {
            (None, true) => counts.proved += 1,
            (None, false) => counts.unknown += 1,
            (Some(true), false) => (counts.proved, counts.unknown) = (counts.proved - 1, counts.unknown + 1),
            (Some(_), _) => {}
        }
    }
}

fn bodies(world: &World, crowd: usize, place: u32) -> BodyPair {
    let (a, b) = ordered(world.pairs.crowds[crowd].body, world.pairs.fixed[place as usize]);
    BodyPair { a, b }
}

/// A leaf that was handed out to a crowd with a lower bound: asks for the proved distance if it is checked and still matters.
pub(super) fn ask_leaf(
    world: &World,
    pose: &mut Pose,
    work: &mut Asked,
    [number, leaf]: [usize; 2],
    scope: Scope,
    best: &mut Best,
) {
    let crowd = &world.pairs.crowds[number];
    let place = world.fixed.places[leaf];
    let pair = bodies(world, number, place);
    if !crowd.checks(place) || !scope.includes(pair) {
        return;
    }
    let fixed = world.fixed.shapes[leaf];
    let bound = ball_gap(&pose.body_balls[crowd.body.index()], &pose.shape_balls[fixed as usize]);
    if !best.matters(bound) {
        best.leave(bound, crowd.pair(place));
        return;
    }
    let mover = world.bodies[crowd.body.index()].shapes.clone();
    let shapes = if pair.a == crowd.body { [mover, fixed..fixed + 1] } else { [fixed..fixed + 1, mover] };
    let memory = Memory::Slots(world.memory_size + number * CROWD_MEMORY);
    let cutoff = best.cutoff();
    let (answer, told) = ask_ranges(world, pose, shapes, memory, best.options, cutoff, &mut best.counts);
    work.count(number * world.pairs.fixed.len() + place as usize, told, &mut best.counts);
    best.take(Answer { pair: crowd.pair(place), ..answer });
}

/// A pair of the crowds that is near by its bounds: what to name where nothing was asked.
pub(super) fn near_pair(world: &World, queries: &[WideQuery]) -> Option<PairId> {
    let tree = &world.fixed.tree;
    let mut nearest: Option<(f32, PairId)> = None;
    for (number, query) in queries.iter().enumerate() {
        let crowd = &world.pairs.crowds[number];
        let mut node = tree.root();
        while let Some(at) = node.take() {
            let gaps = tree.children_gaps(at, query);
            let wanted = |lane: &usize| match gaps.child(*lane) {
                Child::Node(_) => true,
                Child::Leaf(leaf) => crowd.checks(world.fixed.places[leaf as usize]),
            };
            let best =
                (0..gaps.count).filter(wanted).min_by(|i, j| gaps.lower[*i].total_cmp(&gaps.lower[*j]));
            match best.map(|lane| (gaps.lower[lane], gaps.child(lane))) {
                Some((_, Child::Node(below))) => node = Some(below),
                Some((lower, Child::Leaf(leaf))) => {
                    if nearest.is_none_or(|(least, _)| lower < least) {
                        nearest = Some((lower, crowd.pair(world.fixed.places[leaf as usize])));
                    }
                }
                None => {}
            }
        }
    }
    nearest.map(|(_, pair)| pair)
}
