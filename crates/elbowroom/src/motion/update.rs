//! Distance update: answers are kept and reused until the joints have moved too far.
//!
//! The method is Faverjon's, as henrich92 (section 2) describes it. A distance that was computed is reduced
//! by how far the robot can have moved since. Only if the rest is below a threshold, it is computed again.
//! This is done globally, for the smallest distance alone, or locally, for every pair. In the paper the
//! vector is lost. Here it is kept as that of the pose where it was measured, with an interval for the
//! present pose: the lower bound is reduced, and the upper bound raised, by what the pair can have moved.
//!
//! Locally the kept lower bounds also give the order of a search. Pairs are asked in the order of these
//! bounds, until the next one is above the threshold or not below an upper bound. With an infinite threshold
//! the answer is as exact as without kept answers; these only make queries unnecessary. If the hulls of a
//! pair are farther apart than the smallest distance, only their lower bound is kept.

use super::asker::Asker;
use super::lever::lever;
use super::motion_bounds::{Kind, MotionBounds, common};
use crate::model::id::{BodyId, PairId};
use crate::model::world::World;
use crate::motion::tolerance::{MAX_LEVERS, MOTION_FACTOR};
use crate::pair::clearance::Ask;
use crate::pair::geometry::Geometry;
use crate::pair::interval::Interval;
use crate::pair::witness::Witness;
use crate::pose::fault::PoseFault;
use crate::query::answer::{Answer, one_number};
use crate::query::bodies::Measured;
use crate::query::checker::Checker;
use crate::query::counts::Counts;
use crate::query::question::Question;
use crate::query::resolved::Resolved;
use crate::query::search;
use alloc::vec;
use alloc::vec::Vec;

/// Which answers [`Update`] keeps. The smallest distance alone takes least memory, and any joint uses it up.
/// An answer for each pair is used up only by the joints between its bodies, so fewer pairs are asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The smallest distance alone.
    Global,
    /// Those of every pair; in a world with crowds of fixed bodies or movable ones, the smallest distance
    /// alone.
    Local,
}

/// What was proved of a pair when it was last asked.
#[derive(Clone, Copy, Debug)]
struct Kept {
    interval: Interval,
    witness: Option<Witness>,
}

/// A pair that waits to be asked.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    lower: f64,
    pair: u32,
    /// The least upper bound of this pair and all later ones, and the pair that has it.
    least: (f64, u32),
}

/// A dof between the two bodies of a pair, with the lever arms of both at the pose where the pair was last
/// asked.
#[derive(Clone, Copy, Debug)]
struct Between {
    dof: u32,
    levers: [f64; 2],
}

/// Keeps answers from pose to pose as long as they still prove enough: for controllers, whose steps are
/// small. It allocates everything when it is made.
///
/// It asks the world as it was compiled: movable bodies are where their descriptions have them, and spare
/// places are empty. In a world in which bodies are placed, carried or filled, ask a [`Checker`].
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
/// # use example::rod_and_post;
/// use elbowroom::motion::{Keep, Update};
/// use elbowroom::{Question, World};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0). Nothing is asked again as long as the
/// // distance is proved to be above half a metre.
/// let world = World::compile(&rod_and_post([0.0, 1.0, 0.0]))?;
/// let mut update = Update::new(&world, Keep::Global, 0.5);
/// let first = update.nearest(&[0.0], &Question::distance())?;
/// let next = update.nearest(&[0.01], &Question::distance())?;
/// assert_eq!((first.counts.shape_queries, next.counts.shape_queries), (1, 0));
/// // Nothing was asked, and the answer is proved all the same: its interval is only wider.
/// let distance = 2.0 * f64::sin((std::f64::consts::FRAC_PI_2 - 0.01) / 2.0) - 0.3;
/// assert!(next.interval.contains(distance) && next.interval.width() > first.interval.width());
/// assert!(update.still(&[0.1]) > 0.9, "metres, known before the rod moves there");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Update<'w> {
    checker: Checker<'w>,
    keep: Keep,
    /// The threshold (metres). What is proved to be above it is not asked again: a pair, or with
    /// [`Keep::Global`] the smallest distance.
    pub above: f64,
    bounds: MotionBounds<'w>,
    asker: Asker<'w>,
    /// Global: the last answer, and the values that it is for.
    last: Option<Answer>,
    /// The geometry of all answers that are kept.
    geometry: Option<Geometry>,
    last_values: Vec<f64>,
    /// Local: by pair, what is kept, the values that it is for (one row each), and the dofs between the
    /// bodies, `between[first[pair]..first[pair + 1]]`.
    kept: Vec<Option<Kept>>,
    values: Vec<f64>,
    between: Vec<Between>,
    first: Vec<u32>,
    change: Vec<f64>,
    waiting: Vec<Waiting>,
    allowed: usize,
}

impl<'w> Update<'w> {
    /// Without any answers yet. `above` is the threshold (metres). If it is infinite, answers are exact.
    pub fn new(world: &'w World, keep: Keep, above: f64) -> Update<'w> {
        let listed = world.checks.pairs.crowds.is_empty() && world.checks.pairs.movable.is_empty();
        let keep = if listed { keep } else { Keep::Global };
        let (bounds, pairs) = (MotionBounds::new(world), world.checks.pairs.listed.clone());
        let (mut between, mut first) = (Vec::new(), vec![0_u32]);
        let n = world.kinematics.value_names.len();
        let local = keep == Keep::Local;
        let fits = local && pairs.len().saturating_mul(n.max(1)) <= MAX_LEVERS;
        for pair in pairs.iter().filter(|_| local) {
            if let (true, Some(a), Some(b)) = (fits, bounds.chain(pair.a), bounds.chain(pair.b)) {
                let common = common(a, b);
                if between.len() + a.len() + b.len() <= MAX_LEVERS {
                    // From B's end of the chain to A's.
                    let chain = b[common..].iter().rev().chain(&a[common..]);
                    between.extend(chain.map(|dof| Between { dof: *dof, levers: [f64::INFINITY; 2] }));
                }
            }
            first.push(between.len() as u32);
        }
        let count = if local { pairs.len() } else { 0 };
        let checker = Checker::new(world);
        Update {
            keep,
            above,
            last: None,
            geometry: None,
            last_values: vec![0.0; n],
            kept: vec![None; count],
            values: vec![0.0; if fits { count * n } else { 0 }],
            between,
            first,
            change: vec![0.0; n],
            waiting: Vec::with_capacity(count),
            asker: Asker::new(&checker.space.pose, pairs),
            checker,
            allowed: world.allowed_count(),
            bounds,
        }
    }

    /// Forgets every answer.
    pub fn forget(&mut self) {
        self.last = None;
        self.kept.fill(None);
    }

    /// The lower bound on the smallest signed distance at other joint values that kept answers prove
    /// (metres); minus infinity if they prove none. Nothing is asked. The values must be a configuration of
    /// the world.
    pub fn still(&mut self, values: &[f64]) -> f64 {
        // NaN is refused; comparisons below would miss it.
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
            // Nothing is known if nothing is kept.
            Keep::Local if self.kept.is_empty() => f64::NEG_INFINITY,
            Keep::Local => {
                let mut least = f64::INFINITY;
                for pair in 0..self.kept.len() {
                    least = least.min(self.kept_interval(pair, values).lower);
                }
                least
            }
        }
    }

    /// The smallest signed distance of all checked pairs at joint values (radians, metres; order of
    /// [`World::value_names`]). The witness of an answer that was kept is that of the pose where it was
    /// computed.
    ///
    /// # Errors
    /// Values that are not a configuration within limits: all of them are named, and the pose stays.
    pub fn nearest(&mut self, values: &[f64], question: &Question) -> Result<Answer, PoseFault> {
        let world = self.checker.world();
        self.checker.set(values)?;
        let asked = Resolved::new(question, world);
        if self.geometry.replace(asked.geometry).is_some_and(|g| g != asked.geometry) {
            self.forget();
        }
        let answer = match self.keep {
            Keep::Global => self.global(values, &asked),
            // Without listed pairs nothing is kept.
            Keep::Local if self.kept.is_empty() => search::smallest(&mut self.checker.space, asked),
            Keep::Local => self.local(values, &asked),
        };
        Ok(answer.of_all(world))
    }

    fn global(&mut self, values: &[f64], asked: &Resolved) -> Answer {
        let still = self.still(values);
        let still_far = still > self.above.max(asked.margin) && still < f64::INFINITY;
        if let (true, Some(last)) = (still_far, &self.last) {
            let approach = last.interval.lower - still;
            let interval = Interval::new(still, last.interval.upper + approach, asked.geometry);
            let pairs = last.counts.pairs;
            return Answer {
                verdict: interval.verdict(asked.margin),
                interval,
                distance: one_number(asked, &interval),
                counts: Counts { pairs, allowed: self.allowed, pruned: pairs, ..Counts::default() },
                ..*last
            };
        }
        let answer = search::smallest(&mut self.checker.space, *asked);
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
        // The smallest upper bound of the pairs asked so far: the kept bounds of these pairs do not count.
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
            let measured = self.ask(pair as usize, at_most, asked);
            let Measured { interval, witness, .. } = measured;
            counts.asked(measured.outcome(f64::INFINITY));
            self.keep(pair as usize, values, Kept { interval, witness });
            if interval.lower < lower {
                (lower, lowest) = (interval.lower, pair);
            }
            if interval.upper < upper {
                (upper, best, stop) = (interval.upper, pair, measured.stop);
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
            witness: self.kept[named as usize].and_then(|kept| kept.witness),
            stop,
            counts,
        }
    }

    /// Puts all pairs in order by their kept lower bounds, or by those of the balls where they are larger.
    fn line_up(&mut self, values: &[f64]) {
        self.waiting.clear();
        for pair in 0..self.kept.len() {
            let kept = self.kept_interval(pair, values);
            let lower = kept.lower.max(self.asker.gap(&self.checker.space.pose, pair));
            let least = (kept.upper, pair as u32);
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
        // If the hulls are farther apart than another pair, the triangles need not be asked.
        let meshes = asked.geometry == Geometry::Mesh && asker.has_mesh(pose, pair);
        if meshes && ask == Ask::Distance {
            let hulls = asker.ask(pose, pair, &Resolved { geometry: Geometry::Hull, ..question });
            if hulls.interval.lower > at_most {
                return Measured::bound(hulls.interval.lower, asked);
            }
        }
        let measured = asker.ask(pose, pair, &question);
        // A bound may leave open on which side of the margin the pair is.
        let Interval { lower, upper, .. } = measured.interval;
        let open = lower <= asked.margin && !(upper <= asked.margin);
        if asked.ask == Ask::Test && (open || !measured.interval.is_decided()) {
            return asker.ask(pose, pair, &Resolved { ask: Ask::Distance, ..question });
        }
        measured
    }

    /// Keeps an answer with the values and the lever arms of its pose.
    fn keep(&mut self, pair: usize, values: &[f64], kept: Kept) {
        self.kept[pair] = Some(kept);
        let n = values.len();
        if let Some(row) = self.values.get_mut(pair * n..(pair + 1) * n) {
            row.copy_from_slice(values);
        }
        let bodies = self.asker.pairs[pair];
        let pose = &self.checker.space.pose;
        let balls = [bodies.a, bodies.b].map(|id| pose.body_ball(id));
        for kept in &mut self.between[self.first[pair] as usize..self.first[pair + 1] as usize] {
            let dof = &self.bounds.dofs[kept.dof as usize];
            kept.levers = balls.map(|ball| lever(dof, pose, &ball));
        }
    }

    /// What a kept answer proves of a pair at other joint values; nothing where none is kept.
    fn kept_interval(&mut self, pair: usize, values: &[f64]) -> Interval {
        let Some(Kept { interval, .. }) = self.kept[pair] else { return Interval::nothing(Geometry::Mesh) };
        let moved = self.moved(pair, values);
        Interval::new(less(interval.lower, moved), interval.upper + moved, interval.geometry)
    }

    /// How much nearer or farther apart a pair can be than at its last answer (metres): as
    /// [`MotionBounds::approach_from`], with the lever arms of that pose.
    fn moved(&mut self, pair: usize, values: &[f64]) -> f64 {
        let (n, bodies) = (values.len(), self.asker.pairs[pair]);
        let between = &self.between[self.first[pair] as usize..self.first[pair + 1] as usize];
        let Some(row) = self.values.get(pair * n..(pair + 1) * n) else { return f64::INFINITY };
        if between.is_empty() && !self.same_carrier(bodies.a, bodies.b) {
            return f64::INFINITY;
        }
        changes(&mut self.change, values, row);
        let (mut sum, mut b_moved) = (0.0, 0.0);
        for Between { dof, levers } in between {
            let dof = &self.bounds.dofs[*dof as usize];
            let amount = dof.amount(&self.change);
            if amount <= 0.0 {
                continue;
            }
            let (add, moves_b) = if matches!(dof.kind, Kind::Slide) {
                (amount, amount)
            } else {
                let of_b = levers[1] + b_moved;
                (amount * levers[0].min(of_b), amount * of_b)
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

/// A bound less a motion, rounded down. NaN becomes minus infinity; infinities stay.
fn less(bound: f64, motion: f64) -> f64 {
    let rest = bound - motion;
    if rest.is_nan() {
        f64::NEG_INFINITY
    } else if rest.is_infinite() {
        rest
    } else {
        rest - 4.0 * crate::numeric::tolerance::ROUNDOFF * rest.abs()
    }
}
