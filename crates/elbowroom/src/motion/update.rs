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

use super::ask::{Asker, Found, Question};
use super::lever::lever;
use super::reach::{Kind, Reach, common};
use crate::model::id::PairId;
use crate::model::world::World;
use crate::motion::tolerance::{MAX_REACH_ENTRIES, MOTION_FACTOR};
use crate::pair::clearance::{Ask, Geometry};
use crate::pair::witness::Witness;
use crate::pose::fault::PoseFault;
use crate::pose::frames::Pose;
use crate::query::check::{Options, smallest};
use crate::query::check_work::CheckWork;
use crate::query::report::{Counts, Report, told};
use crate::query::verdict::{Verdict, of_all};
use alloc::vec;
use alloc::vec::Vec;

/// For what answers are kept.
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
    lower: f64,
    upper: f64,
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

const NOTHING: Kept = Kept { lower: f64::NEG_INFINITY, upper: f64::INFINITY, witness: None };

/// A joint between the two bodies of a pair, with the levers of both where the pair was last asked.
#[derive(Clone, Copy, Debug)]
struct Link {
    part: u32,
    levers: [f64; 2],
}

/// Answers that are kept from pose to pose. Everything is allocated here.
#[derive(Clone, Debug)]
pub struct Update {
    keep: Keep,
    /// Pairs, or under [`Keep::Global`] the smallest distance, proved to be above this are not asked again
    /// (metres).
    pub above: f64,
    reach: Reach,
    asker: Asker,
    /// Global: the last report, and the values it is of.
    last: Option<Report>,
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

impl Update {
    /// Without any answers yet. `above` is the threshold (metres): infinite keeps nothing that is not exact.
    pub fn new(world: &World, keep: Keep, above: f64) -> Update {
        let keep = if world.pairs.crowds.is_empty() { keep } else { Keep::Global };
        let (reach, pairs) = (Reach::new(world), world.pairs.listed.clone());
        let (mut links, mut first) = (Vec::new(), vec![0_u32]);
        let n = world.value_names.len();
        let local = keep == Keep::Local;
        let room = local && pairs.len().saturating_mul(n.max(1)) <= MAX_REACH_ENTRIES;
        for pair in pairs.iter().filter(|_| local) {
            if let (true, Some(a), Some(b)) = (room, reach.chain(pair.a), reach.chain(pair.b)) {
                let common = common(a, b);
                if links.len() + a.len() + b.len() <= MAX_REACH_ENTRIES {
                    // From B's end of the way to A's.
                    let way = b[common..].iter().rev().chain(&a[common..]);
                    links.extend(way.map(|part| Link { part: *part, levers: [f64::INFINITY; 2] }));
                }
            }
            first.push(links.len() as u32);
        }
        let count = if local { pairs.len() } else { 0 };
        Update {
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
            reach,
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
                Some(report) => {
                    changes(&mut self.change, values, &self.last_values);
                    less(report.lower, self.reach.approach_of_any(&self.change))
                }
                None => f64::NEG_INFINITY,
            },
            // Where nothing is kept nothing is known.
            Keep::Local if self.kept.is_empty() => f64::NEG_INFINITY,
            Keep::Local => {
                let mut least = f64::INFINITY;
                for pair in 0..self.kept.len() {
                    let spent = self.spent(pair, values);
                    least = least.min(less(self.kept[pair].lower, spent));
                }
                least
            }
        }
    }

    /// The smallest signed distance of all checked pairs at joint values, to which the pose is set. An answer
    /// that was kept has no witnesses of its own: they are those of the pose where it was computed.
    pub fn smallest(
        &mut self,
        world: &World,
        checker: &mut CheckWork,
        values: &[f64],
        options: &Options,
    ) -> Result<Report, PoseFault> {
        if self.reach.fingerprint != world.fingerprint {
            return Err(PoseFault::OtherWorld);
        }
        checker.set(world, values)?;
        if self.geometry.replace(options.geometry).is_some_and(|g| g != options.geometry) {
            self.forget();
        }
        match self.keep {
            Keep::Global => Ok(self.global(world, checker, values, options)),
            // Without pairs nothing is kept; what that means is said there.
            Keep::Local if self.kept.is_empty() => Ok(smallest(world, checker, options)),
            Keep::Local => Ok(self.local(world, &checker.pose, values, options)),
        }
    }

    fn global(
        &mut self,
        world: &World,
        checker: &mut CheckWork,
        values: &[f64],
        options: &Options,
    ) -> Report {
        let still = self.still(values);
        let enough = still > self.above.max(options.margin) && still < f64::INFINITY;
        if let (true, Some(last)) = (enough, &self.last) {
            let upper = last.upper + (last.lower - still);
            let counts = Counts { pairs: last.counts.pairs, allowed: self.allowed, ..Counts::default() };
            return Report {
                verdict: of_all(world, Verdict::of(still, upper, options.margin)),
                lower: still,
                upper,
                distance: told(options.ask, still, upper),
                counts: Counts { pruned: counts.pairs, ..counts },
                ..*last
            };
        }
        let report = smallest(world, checker, options);
        self.last_values.copy_from_slice(values);
        self.last = Some(report);
        report
    }

    fn local(&mut self, world: &World, pose: &Pose, values: &[f64], options: &Options) -> Report {
        // What is kept, or what the balls say, whichever is more.
        self.waiting.clear();
        for pair in 0..self.kept.len() {
            let spent = self.spent(pair, values);
            let lower = less(self.kept[pair].lower, spent).max(self.asker.gap(world, pose, pair));
            let least = (self.kept[pair].upper + spent, pair as u32);
            self.waiting.push(Waiting { lower, pair: pair as u32, least });
        }
        self.waiting.sort_unstable_by(|a, b| a.lower.total_cmp(&b.lower).then(a.pair.cmp(&b.pair)));
        let mut least = (f64::INFINITY, self.waiting[0].pair);
        for pair in self.waiting.iter_mut().rev() {
            least = if pair.least.0 <= least.0 { pair.least } else { least };
            pair.least = least;
        }

        let mut counts = Counts { pairs: self.kept.len(), allowed: self.allowed, ..Counts::default() };
        let (mut lower, mut lowest) = (f64::INFINITY, self.waiting[0].pair);
        let (mut asked, queries) = (0, self.asker.queries);
        // The smallest upper bound of the pairs asked so far. A new answer replaces the bound that was kept
        // for its pair.
        let (mut upper, mut best, mut stop) = (f64::INFINITY, least.1, None);
        let test = options.ask == Ask::Test;
        for k in 0..self.waiting.len() {
            let Waiting { lower: bound, pair, least } = self.waiting[k];
            let at_most = upper.min(least.0);
            if bound > self.above.max(options.margin)
                || (!test && bound >= at_most)
                || (test && at_most < 0.0)
            {
                if least.0 < upper {
                    (upper, best, stop) = (least.0, least.1, None);
                }
                if bound < lower {
                    (lower, lowest) = (bound, pair);
                }
                break;
            }
            asked += 1;
            let ask = if options.ask == Ask::Distance { Ask::Distance } else { Ask::LowerBound };
            let (margin, geometry) = (options.margin, options.geometry);
            let question = Question { ask, cutoff: f64::INFINITY, margin, geometry };
            let hulls = Question { geometry: Geometry::Hull, ..question };
            // Where hulls are farther apart than another pair is, their triangles would tell no more.
            let meshes = geometry == Geometry::Mesh && self.asker.has_mesh(world, pair as usize);
            let bound = (meshes && ask == Ask::Distance)
                .then(|| self.asker.ask(world, pose, pair as usize, &hulls).lower)
                .filter(|lower| *lower > at_most);
            let mut found = match bound {
                Some(lower) => Found { lower, ..Found::NOTHING },
                None => self.asker.ask(world, pose, pair as usize, &question),
            };
            // A bound that is good enough to be kept may still leave open on which side of the margin the
            // pair is.
            let open = found.lower <= options.margin && !(found.upper <= options.margin);
            if test && (open || !(found.lower > 0.0 || found.upper < 0.0)) {
                let question = Question { ask: Ask::Distance, ..question };
                found = self.asker.ask(world, pose, pair as usize, &question);
            }
            let told = found.lower > 0.0 || found.upper < 0.0;
            *(if told { &mut counts.proved } else { &mut counts.unknown }) += 1;
            self.keep(
                world,
                pair as usize,
                pose,
                values,
                Kept { lower: found.lower, upper: found.upper, witness: found.witness },
            );
            if found.lower < lower {
                (lower, lowest) = (found.lower, pair);
            }
            if found.upper < upper {
                (upper, best, stop) = (found.upper, pair, found.stop);
            }
        }
        counts.pruned = counts.pairs - asked;
        counts.shape_queries = (self.asker.queries - queries) as usize;
        let named = if upper < f64::INFINITY { best } else { lowest };
        Report {
            verdict: of_all(world, Verdict::of(lower, upper, options.margin)),
            lower,
            upper,
            distance: told(options.ask, lower, upper),
            pair: Some(PairId(named)),
            lower_pair: Some(PairId(lowest)),
            upper_pair: (upper < f64::INFINITY).then_some(PairId(best)),
            witness: self.kept[named as usize].witness,
            stop,
            counts,
        }
    }

    /// Remembers an answer with the values and the levers that it is of.
    fn keep(&mut self, world: &World, pair: usize, pose: &Pose, values: &[f64], kept: Kept) {
        self.kept[pair] = kept;
        let n = values.len();
        if let Some(row) = self.values.get_mut(pair * n..(pair + 1) * n) {
            row.copy_from_slice(values);
        }
        let bodies = self.asker.pairs[pair];
        let balls = [bodies.a, bodies.b].map(|id| pose.body_ball(world, id));
        for link in &mut self.links[self.first[pair] as usize..self.first[pair + 1] as usize] {
            let part = &self.reach.parts[link.part as usize];
            link.levers = balls.map(|ball| lever(part, pose, &ball));
        }
    }

    /// How much of a pair's distance its motion since the last answer may have spent: as
    /// [`super::approach_at`], with the levers of then.
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
            let part = &self.reach.parts[link.part as usize];
            let amount = part.amount(&self.change);
            if amount <= 0.0 {
                continue;
            }
            let (add, moves_b) = if matches!(part.kind, Kind::Slide) {
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

    fn same_carrier(&self, a: crate::model::id::BodyId, b: crate::model::id::BodyId) -> bool {
        matches!((self.reach.chain(a), self.reach.chain(b)), (Some(a), Some(b)) if a == b)
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
