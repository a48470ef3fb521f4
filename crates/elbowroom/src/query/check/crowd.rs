//! The search among what never moves: the leaves of the tree over fixed shapes, handed out to the moving bodies in the order of their bounds.

use super::Scope;
use super::ask::{Memory, ask_ranges};
use super::best::{Answer, Best};
use crate::bounds::AlignedBox;
use crate::bounds::hierarchy::{Child, WideQuery, WideScratch};
use crate::model::id::{BodyPair, PairId, ShapeId, ordered};
use crate::model::world::World;
use crate::numeric::held::held;
use crate::numeric::tolerance::{CROWD_MEMORY, LEAVES_WAITING};
use crate::pose::frames::Pose;
use crate::query::report::Counts;
use alloc::vec;
use alloc::vec::Vec;

/// Work space of the search, kept with the pose.
#[derive(Clone, Debug)]
pub(crate) struct CrowdWork {
    /// Boxes of the moving bodies and of what joins them, by node of `World::crowd_tree`.
    boxes: Vec<AlignedBox>,
    pub(super) queries: Vec<WideQuery>,
    pub(super) scratch: WideScratch,
    pub(super) turns: Turns,
}

impl CrowdWork {
    pub fn new(world: &World) -> CrowdWork {
        let crowds = world.pairs.crowds.len();
        let pairs = if world.fixed.shared { crowds * world.pairs.fixed.len() } else { 0 };
        let asked = Asked { last: vec![0; pairs], search: 0 };
        let turns = Turns { waiting: Vec::with_capacity(LEAVES_WAITING), asked };
        let nodes = world.crowd_tree.len();
        let scratch = WideScratch::new(&world.fixed.tree, crowds);
        let boxes = vec![AlignedBox::EMPTY; nodes];
        CrowdWork { boxes, queries: Vec::with_capacity(nodes), scratch, turns }
    }

    /// Bytes it holds beside itself.
    pub fn held(&self) -> usize {
        let Turns { waiting, asked } = &self.turns;
        held(&self.boxes) + held(&self.queries) + self.scratch.bytes() + held(waiting) + held(&asked.last)
    }

    /// Makes ready for the bodies where they are.
    pub(super) fn start(&mut self, world: &World, pose: &Pose) {
        self.queries.clear();
        let tree = &world.fixed.tree;
        for (slot, around) in world.crowd_capsules.iter().zip(&mut self.boxes) {
            *around = pose.box_around(world, *slot);
            self.queries.push(tree.query(around));
        }
        world.crowd_tree.refit_above(&mut self.boxes);
        self.queries.extend(self.boxes[world.pairs.crowds.len()..].iter().map(|around| tree.query(around)));
        self.turns.waiting.clear();
        self.turns.asked.search += 2;
        if self.turns.asked.search >= u32::MAX - 1 {
            self.turns.asked.last.fill(0);
            self.turns.asked.search = 2;
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

/// A moving body and a fixed shape that wait to be asked, with their bound.
#[derive(Clone, Copy, Debug)]
struct Turn {
    bound: f64,
    crowd: u32,
    leaf: u32,
}

/// Leaves that were handed out by their boxes and wait for their turn by a better bound.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    /// The nearest last, of equals the first that came.
    waiting: Vec<Turn>,
    asked: Asked,
}

impl Turns {
    /// The bound of the leaf whose turn is next.
    #[inline]
    pub(super) fn bound(&self) -> Option<f64> {
        self.waiting.last().map(|t| t.bound)
    }

    /// A leaf was handed out: it waits if it is checked and may matter.
    pub(super) fn add(
        &mut self,
        world: &World,
        pose: &mut Pose,
        [number, leaf]: [usize; 2],
        lower: f64,
        scope: Scope,
        best: &mut Best,
    ) {
        let crowd = &world.pairs.crowds[number];
        let place = world.fixed.places[leaf];
        if !is_asked(world, number, place, scope) {
            return;
        }
        // What is found of the first of twins is true of the others, and of equals the first is named.
        let first = world.fixed.twins.get(leaf).map_or(leaf, |first| *first as usize);
        if first != leaf && is_asked(world, number, world.fixed.places[first], scope) {
            return;
        }
        let record = &pose.records[world.crowd_capsules[number] as usize];
        let ball = &world.fixed.balls[leaf];
        let bound = record.ball_gap(ball).max(lower);
        if !best.asks(bound) {
            best.leave(bound, crowd.pair(place));
            return;
        }
        if self.waiting.len() == LEAVES_WAITING {
            // No room: the nearest goes at once, whatever its turn.
            self.ask_next(world, pose, best);
        }
        let at = self.waiting.partition_point(|t| t.bound > bound);
        self.waiting.insert(at, Turn { bound, crowd: number as u32, leaf: leaf as u32 });
    }

    /// Asks for the proved distance of the leaf whose turn it is.
    pub(super) fn ask_next(&mut self, world: &World, pose: &mut Pose, best: &mut Best) {
        let Some(Turn { bound, crowd: number, leaf }) = self.waiting.pop() else { return };
        let crowd = &world.pairs.crowds[number as usize];
        let place = world.fixed.places[leaf as usize];
        if !best.asks(bound) {
            best.leave(bound, crowd.pair(place));
            return;
        }
        let fixed = world.fixed.shapes[leaf as usize];
        // A plane is found sooner than a distance; without a distance to hold it against it tells only tests.
        if best.bound_is_enough() {
            let capsule = world.crowd_capsules[number as usize];
            let better = pose.plane_bound_to(world, capsule, ShapeId(fixed), bound, best.enough());
            if !best.asks(better) {
                best.leave(better, crowd.pair(place));
                return;
            }
        }
        let pair = bodies(world, number as usize, place);
        let mover = world.bodies[crowd.body.index()].shapes.clone();
        let shapes = if pair.a == crowd.body { [mover, fixed..fixed + 1] } else { [fixed..fixed + 1, mover] };
        let memory = Memory::Slots(world.memory_size + number as usize * CROWD_MEMORY);
        let cutoff = best.cutoff();
        let (answer, told) = ask_ranges(world, pose, shapes, memory, best.options, cutoff, &mut best.counts);
        let at = number as usize * world.pairs.fixed.len() + place as usize;
        self.asked.count(at, told, &mut best.counts);
        best.take(Answer { pair: crowd.pair(place), ..answer });
    }

    /// What still waits bounds the answer.
    pub(super) fn leave(&self, world: &World, best: &mut Best) {
        if let Some(t) = self.waiting.last() {
            let crowd = &world.pairs.crowds[t.crowd as usize];
            best.leave(t.bound, crowd.pair(world.fixed.places[t.leaf as usize]));
        }
    }
}

/// Whether a crowd is checked against the fixed body at a place, and the question is about that.
#[inline]
fn is_asked(world: &World, crowd: usize, place: u32, scope: Scope) -> bool {
    world.pairs.crowds[crowd].checks(place) && scope.includes(bodies(world, crowd, place))
}

/// The first pair of the crowds that the question is about; `None` if it is about none.
#[cold]
pub(super) fn any_pair(world: &World, scope: Scope) -> Option<PairId> {
    let places = 0..world.pairs.fixed.len() as u32;
    let mut pairs = (0..world.pairs.crowds.len()).flat_map(|c| places.clone().map(move |p| (c, p)));
    let (crowd, place) = pairs.find(|&(crowd, place)| is_asked(world, crowd, place, scope))?;
    Some(world.pairs.crowds[crowd].pair(place))
}

/// A pair of the crowds that is near by its bounds: what to name where nothing was asked.
pub(super) fn near_pair(world: &World, queries: &[WideQuery], scope: Scope) -> Option<PairId> {
    let tree = &world.fixed.tree;
    let mut nearest: Option<(f32, PairId)> = None;
    for (number, (crowd, query)) in world.pairs.crowds.iter().zip(queries).enumerate() {
        let mut node = tree.root();
        while let Some(at) = node.take() {
            let gaps = tree.children_gaps(at, query);
            let wanted = |lane: &usize| match gaps.child(*lane) {
                Child::Node(_) => true,
                Child::Leaf(leaf) => is_asked(world, number, world.fixed.places[leaf as usize], scope),
            };
            let best =
                (0..gaps.count).filter(wanted).min_by(|i, j| gaps.lower[*i].total_cmp(&gaps.lower[*j]));
            match best.map(|lane| (gaps.lower[lane], gaps.child(lane))) {
                Some((_, Child::Node(below))) => node = Some(below),
                Some((lower, Child::Leaf(leaf))) if nearest.is_none_or(|(least, _)| lower < least) => {
                    nearest = Some((lower, crowd.pair(world.fixed.places[leaf as usize])));
                }
                Some((_, Child::Leaf(_))) | None => {}
            }
        }
    }
    nearest.map(|(_, pair)| pair)
}
