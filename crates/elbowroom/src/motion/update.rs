//! Distance update: an answer is kept until the joints have moved far enough to spend it.
//!
//! Faverjon, as henrich92 (section 2) tells it: along a motion, what the robot can have moved since a
//! distance was computed is taken off that distance; only where what remains is below a threshold is it
//! computed again. Globally, for the smallest distance alone, or locally, for every pair. In the paper the
//! vector is lost with it. Here it is kept, as the vector of the pose where it was measured, with an interval
//! that is right for the pose in hand: lower bound less, upper bound more what the pair can have approached
//! or parted.
//!
//! Locally the same bounds serve as the order of a search: pairs are asked in the order of what remains of
//! their lower bounds, until the next is above the threshold or not below an upper bound. With an infinite
//! threshold the answer is as exact as without any memory, and the kept bounds only spare queries. Of a pair
//! whose hulls are farther apart than that distance, the hulls' lower bound is all that is kept.

use super::ask::Asker;
use super::lever::lever;
use super::motion_bounds::{Kind, MotionBounds, common};
use crate::model::id::{BodyId, PairId};
use crate::model::world::World;
use crate::motion::tolerance::{MAX_REACH_ENTRIES, MOTION_FACTOR};
use crate::pair::clearance::Ask;
use crate::pair::geometry::Geometry;
use crate::pair::interval::Interval;
use crate::pair::witness::Witness;
use crate::pose::fault::PoseFault;
use crate::query::answer::{Answer, one_number};
use crate::query::bodies::Measured;
use crate::query::check;
use crate::query::checker::Checker;
use crate::query::counts::Counts;
use crate::query::question::Question;
use crate::query::resolved::Resolved;
use alloc::vec;
use alloc::vec::Vec;

/// For what [`Update`] keeps answers. The smallest distance alone takes least memory and is spent by any
/// joint. An answer a pair is spent by the joints between its bodies alone, so fewer pairs are asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// For the smallest distance alone.
    Global,
    /// For every pair; where a world has crowds of fixed bodies, for the smallest distance alone.
    Local,
}

/// What was proved of a pair when it was last asked.
#[derive(Clone, Copy, Debug)]
struct Kept {
    interval: Interval,
    witness: Option<Witness>,
}

/// A pair that is not asked yet.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    lower: f64,
    pair: u32,
    /// The least upper bound among this pair and those that come later, and whose it is.
    least: (f64, u32),
}

const NOTHING: Kept = Kept { interval: Interval::nothing(Geometry::Mesh), witness: None };

/// A joint between the two bodies of a pair, with the levers of both where the pair was last asked.
#[derive(Clone, Copy, Debug)]
struct Link {
    dof: u32,
    levers: [f64; 2],
}

/// Answers that are kept from pose to pose while the joints have not moved far enough to spend them: for
/// controllers, whose steps are small. Everything is allocated when it is made.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
/// # use example::rod_and_post;
/// use elbowroom::motion::{Keep, Update};
/// use elbowroom::{Question, World};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0). What is beyond half a metre is not
/// // asked again.
/// let world = World::compile(&rod_and_post([0.0, 1.0, 0.0]))?;
/// let mut update = Update::new(&world, Keep::Global, 0.5);
/// let first = update.nearest(&[0.0], &Question::distance())?;
/// let next = update.nearest(&[0.01], &Question::distance())?;
/// assert_eq!((first.counts.shape_queries, next.counts.shape_queries), (1, 0));
/// // Nothing was asked, and still it is proved: the interval holds the distance here, and is wider.
/// let distance = 2.0 * f64::sin((std::f64::consts::FRAC_PI_2 - 0.01) / 2.0) - 0.3;
/// assert!(next.interval.contains(distance) && next.interval.width() > first.interval.width());
/// assert!(update.still(&[0.1]) > 0.9, "metres, before going there");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Update<'w> {
    checker: Checker<'w>,
    keep: Keep,
    /// Pairs, or under [`Keep::Global`] the smallest distance, proved to be above this are not asked again
    /// (metres).
    pub above: f64,
    bounds: MotionBounds<'w>,
    asker: Asker,
    /// Global: the last answer, and the values it is of.
    last: Option<Answer>,
    /// What meshes stood for in all answers that are kept.
    geometry: Option<Geometry>,
    last_values: Vec<f64>,
    /// Local: by pair, what is kept, the values it is of (one row each), and the joints between.
    kept: Vec<Kept>,
    values: Vec<f64>,
    links: Vec<Link>,
    first: Vec<u32>,
    change: Vec<f64>,
    waiting: Vec<Waiting>,
    allowed: usize,
}

impl<'w> Update<'w> {
    /// Without any answers yet. `above` is the threshold (metres): infinite keeps nothing that is not exact.
    pub fn new(world: &'w World, keep: Keep, above: f64) -> Update<'w> {
        let keep = if world.checks.pairs.crowds.is_empty() { keep } else { Keep::Global };
        let (bounds, pairs) = (MotionBounds::new(world), world.checks.pairs.listed.clone());
        let (mut links, mut first) = (Vec::new(), vec![0_u32]);
        let n = world.kinematics.value_names.len();
        let local = keep == Keep::Local;
        let room = local && pairs.len().saturating_mul(n.max(1)) <= MAX_REACH_ENTRIES;
        for pair in pairs.iter().filter(|_| local) {
            if let (true, Some(a), Some(b)) = (room, bounds.chain(pair.a), bounds.chain(pair.b)) {
                let common = common(a, b);
                if links.len() + a.len() + b.len() <= MAX_REACH_ENTRIES {
                    // From B's end of the way to A's.
                    let way = b[common..].iter().rev().chain(&a[common..]);
                    links.extend(way.map(|dof| Link { dof: *dof, levers: [f64::INFINITY; 2] }));
                }
            }
            first.push(links.len() as u32);
        }
        let count = if local { pairs.len() } else { 0 };
        Update {
            checker: Checker::new(world),
            keep,
            above,
            last: None,
            geometry: None,
            last_values: vec![0.0; n],
            kept: vec![NOTHING; count],
            values: vec![f64::NAN; if room { count * n } else { 0 }],
            links,
            first,
            change: vec![0.0; n],
            waiting: Vec::with_capacity(count),
            asker: Asker::new(world, pairs),
            allowed: world.allowed_count(),
            bounds,
        }
    }

    /// Forgets every answer.
    pub fn forget(&mut self) {
        self.last = None;
        self.kept.fill(NOTHING);
    }

    /// What is still proved of the smallest signed distance at other joint values, without asking anything
    /// (metres); minus infinity if nothing is. The values must be a configuration of the world.
    pub fn still(&mut self, values: &[f64]) -> f64 {
        // NaN is refused, however far anything reaches.
        if values.len() != self.change.len() || !values.iter().all(|v| v.is_finite()) {
            return f64::NEG_INFINITY;
        }
        match self.keep {
            Keep::Global => match &self.last {
                Some(last) => {
                    changes(&mut self.change, values, &self.last_values);
                    less(last.interval.lower, self.bounds.approach_of_any(&self.change))
                }
                None => f64::NEG_INFINITY,
            },
            // Where nothing is kept nothing is known.
            Keep::Local if self.kept.is_empty() => f64::NEG_INFINITY,
            Keep::Local => {
                let mut least = f64::INFINITY;
                for pair in 0..self.kept.len() {
                    let spent = self.spent(pair, values);
                    least = least.min(less(self.kept[pair].interval.lower, spent));
                }
                least
            }
        }
    }

    /// The smallest signed distance of all checked pairs at joint values (radians, metres; order of
    /// [`World::value_names`]). An answer that was kept has no witnesses of its own: they are those of the
    /// pose where it was computed.
    ///
    /// # Errors
    /// Values that are not a configuration within limits: all of them are named, and nothing moves.
    pub fn nearest(&mut self, values: &[f64], question: &Question) -> Result<Answer, PoseFault> {
        let world = self.checker.world();
        self.checker.set(values)?;
        let asked = Resolved::new(question, world);
        if self.geometry.replace(asked.geometry).is_some_and(|g| g != asked.geometry) {
            self.forget();
        }
        let answer = match self.keep {
            Keep::Global => self.global(values, &asked),
            // Without pairs nothing is kept; what that means is said there.
            Keep::Local if self.kept.is_empty() => check::smallest(&mut self.checker.space, asked),
            Keep::Local => self.local(values, &asked),
        };
        Ok(answer.of_all(world))
    }

    fn global(&mut self, values: &[f64], asked: &Resolved) -> Answer {
        let still = self.still(values);
        let enough = still > self.above.max(asked.margin) && still < f64::INFINITY;
        if let (true, Some(last)) = (enough, &self.last) {
            let spent = last.interval.lower - still;
            let interval = Interval::new(still, last.interval.upper + spent, asked.geometry);
            let pairs = last.counts.pairs;
            return Answer {
                verdict: interval.verdict(asked.margin),
                interval,
                distance: one_number(asked, &interval),
                counts: Counts { pairs, allowed: self.allowed, pruned: pairs, ..Counts::default() },
                ..*last
            };
        }
        let answer = check::smallest(&mut self.checker.space, *asked);
        self.last_values.copy_from_slice(values);
        self.last = Some(answer);
        answer
    }

    fn local(&mut self, values: &[f64], asked: &Resolved) -> Answer {
        self.line_up(values);
        let mut counts = Counts { pairs: self.kept.len(), allowed: self.allowed, ..Counts::default() };
        let (mut lower, mut lowest) = (f64::INFINITY, self.waiting[0].pair);
        let mut asked_pairs = 0;
        self.asker.work.queries = 0;
        // The smallest upper bound of the pairs asked so far. A new answer replaces the bound that was kept
        // for its pair.
        let (mut upper, mut best, mut stop) = (f64::INFINITY, self.waiting[0].least.1, None);
        let test = asked.ask == Ask::Test;
        for k in 0..self.waiting.len() {
            let Waiting { lower: bound, pair, least } = self.waiting[k];
            let at_most = upper.min(least.0);
            if bound > self.above.max(asked.margin) || (!test && bound >= at_most) || (test && at_most < 0.0)
            {
                if least.0 < upper {
                    (upper, best, stop) = (least.0, least.1, None);
                }
                if bound < lower {
                    (lower, lowest) = (bound, pair);
                }
                break;
            }
            asked_pairs += 1;
            let found = self.ask(pair as usize, at_most, asked);
            let Measured { interval, witness, .. } = found;
            counts.asked(found.outcome(f64::INFINITY));
            self.keep(pair as usize, values, Kept { interval, witness });
            if interval.lower < lower {
                (lower, lowest) = (interval.lower, pair);
            }
            if interval.upper < upper {
                (upper, best, stop) = (interval.upper, pair, found.stop);
            }
        }
        counts.pruned = counts.pairs - asked_pairs;
        counts.shape_queries = self.asker.work.queries;
        let named = if upper < f64::INFINITY { best } else { lowest };
        let interval = Interval::new(lower, upper, asked.geometry);
        Answer {
            verdict: interval.verdict(asked.margin),
            interval,
            distance: one_number(asked, &interval),
            pair: Some(PairId(named)),
            lower_pair: Some(PairId(lowest)),
            upper_pair: (upper < f64::INFINITY).then_some(PairId(best)),
            witness: self.kept[named as usize].witness,
            stop,
            counts,
        }
    }

    /// Lines all pairs up by what is kept of their lower bounds, or by what the balls say, whichever is more.
    fn line_up(&mut self, values: &[f64]) {
        self.waiting.clear();
        for pair in 0..self.kept.len() {
            let spent = self.spent(pair, values);
            let kept = self.kept[pair].interval;
            let lower = less(kept.lower, spent).max(self.asker.gap(&self.checker.space.pose, pair));
            let least = (kept.upper + spent, pair as u32);
            self.waiting.push(Waiting { lower, pair: pair as u32, least });
        }
        self.waiting.sort_unstable_by(|a, b| a.lower.total_cmp(&b.lower).then(a.pair.cmp(&b.pair)));
        let mut least = (f64::INFINITY, self.waiting[0].pair);
        for pair in self.waiting.iter_mut().rev() {
            least = if pair.least.0 <= least.0 { pair.least } else { least };
            pair.least = least;
        }
    }

    /// Asks a pair, where another is at most `at_most` apart (metres).
    fn ask(&mut self, pair: usize, at_most: f64, asked: &Resolved) -> Measured {
        let (pose, asker) = (&self.checker.space.pose, &mut self.asker);
        let ask = if asked.ask == Ask::Distance { Ask::Distance } else { Ask::LowerBound };
        let question = Resolved { ask, cutoff: f64::INFINITY, ..*asked };
        // Where hulls are farther apart than another pair is, their triangles would tell no more.
        let meshes = asked.geometry == Geometry::Mesh && asker.has_mesh(pose.world, pair);
        if meshes && ask == Ask::Distance {
            let hulls = asker.ask(pose, pair, &Resolved { geometry: Geometry::Hull, ..question });
            if hulls.interval.lower > at_most {
                return Measured::bound(hulls.interval.lower, asked);
            }
        }
        let found = asker.ask(pose, pair, &question);
        // A bound that is good enough to be kept may still leave open on which side of the margin the pair
        // is.
        let Interval { lower, upper, .. } = found.interval;
        let open = lower <= asked.margin && !(upper <= asked.margin);
        if asked.ask == Ask::Test && (open || !found.interval.is_decided()) {
            return asker.ask(pose, pair, &Resolved { ask: Ask::Distance, ..question });
        }
        found
    }

    /// Remembers an answer with the values and the levers that it is of.
    fn keep(&mut self, pair: usize, values: &[f64], kept: Kept) {
        self.kept[pair] = kept;
        let n = values.len();
        if let Some(row) = self.values.get_mut(pair * n..(pair + 1) * n) {
            row.copy_from_slice(values);
        }
        let bodies = self.asker.pairs[pair];
        let pose = &self.checker.space.pose;
        let balls = [bodies.a, bodies.b].map(|id| pose.body_ball(id));
        for link in &mut self.links[self.first[pair] as usize..self.first[pair + 1] as usize] {
            let dof = &self.bounds.dofs[link.dof as usize];
            link.levers = balls.map(|ball| lever(dof, pose, &ball));
        }
    }

    /// How much of a pair's distance its motion since the last answer may have spent: as
    /// [`MotionBounds::approach_from`], with the levers of then.
    fn spent(&mut self, pair: usize, values: &[f64]) -> f64 {
        let (n, bodies) = (values.len(), self.asker.pairs[pair]);
        let links = &self.links[self.first[pair] as usize..self.first[pair + 1] as usize];
        let Some(row) = self.values.get(pair * n..(pair + 1) * n) else { return f64::INFINITY };
        if links.is_empty() && !self.same_carrier(bodies.a, bodies.b) {
            return f64::INFINITY;
        }
        changes(&mut self.change, values, row);
        let (mut sum, mut b_moved) = (0.0, 0.0);
        for link in links {
            let dof = &self.bounds.dofs[link.dof as usize];
            let amount = dof.amount(&self.change);
            if amount <= 0.0 {
                continue;
            }
            let (add, moves_b) = if matches!(dof.kind, Kind::Slide) {
                (amount, amount)
            } else {
                let of_b = link.levers[1] + b_moved;
                (amount * link.levers[0].min(of_b), amount * of_b)
            };
            sum += add;
            b_moved += moves_b;
        }
        sum * MOTION_FACTOR
    }

    fn same_carrier(&self, a: BodyId, b: BodyId) -> bool {
        matches!((self.bounds.chain(a), self.bounds.chain(b)), (Some(a), Some(b)) if a == b)
    }
}

/// Absolute differences, by value, their rounding included.
fn changes(change: &mut [f64], values: &[f64], from: &[f64]) {
    for ((change, a), b) in change.iter_mut().zip(values).zip(from) {
        *change = (a - b).abs() * MOTION_FACTOR;
    }
}

/// What remains of a bound, rounded down; minus infinity for NaN, and infinities as they are.
fn less(bound: f64, spent: f64) -> f64 {
    let rest = bound - spent;
    if rest.is_nan() {
        f64::NEG_INFINITY
    } else if rest.is_infinite() {
        rest
    } else {
        rest - 4.0 * crate::numeric::tolerance::ROUNDOFF * rest.abs()
    }
}
