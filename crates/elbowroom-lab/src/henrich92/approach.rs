//! The paper's five approaches, the last with both strategies to descend: one step of a motion each, after
//! all corners were moved.
//!
//! All answer with the length of the collision vector, 0 where polytopes collide, and stop at the first pair
//! that does: no vector is shorter. Those with a threshold answer exactly below it, above it with a bound
//! that is above it too.

use super::class::Class;
use super::counts::Counts;
use crate::descend::{Descent, descend};
use crate::polytope::{Start, distance};
use crate::primitives::{Kind, gap};
use crate::strategy::{Available, Order, Step, Strategy};

/// Which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// (a): the polytopes of all pairs.
    Polytopes,
    /// (b): the same, each pair starting where it ended a step before.
    Initialization,
    /// (c): the last distance less what the arms have moved, until that is below the threshold; then as (a).
    Update,
    /// (d): of every pair the primitives, from simple to complex, until one is above the threshold; then the
    /// polytopes.
    Primitives,
    /// (e): the hierarchies that are best now, both sides taken apart until boxes are above the threshold;
    /// then the polytopes.
    Hierarchies,
    /// The paper's other strategy: the same, of two sides the larger taken apart alone.
    Larger,
}

impl Approach {
    /// All of them.
    pub const ALL: [Approach; 6] = [
        Approach::Polytopes,
        Approach::Initialization,
        Approach::Update,
        Approach::Primitives,
        Approach::Hierarchies,
        Approach::Larger,
    ];
    /// Its name in the paper's Fig. 5.
    pub const fn name(self) -> &'static str {
        match self {
            Approach::Polytopes => "(a) convex polytopes",
            Approach::Initialization => "(b) initialization",
            Approach::Update => "(c) global distance update",
            Approach::Primitives => "(d) primitive approximation",
            Approach::Hierarchies => "(e) dynamic hierarchies",
            Approach::Larger => "(e) the larger side alone",
        }
    }
    /// Whether an answer above the threshold is only a bound.
    pub const fn has_threshold(self) -> bool {
        !matches!(self, Approach::Polytopes | Approach::Initialization)
    }
}

/// Two classes, and what the approaches remember of them.
#[derive(Debug)]
pub struct Pair {
    /// The classes.
    pub classes: [Class; 2],
    /// Answers above it need not be exact (metres).
    pub threshold: f64,
    /// What was computed since the counts were last reset.
    pub counts: Counts,
    starts: Vec<Start>,
    last: Option<f64>,
    descent: Vec<Step>,
    work: Vec<[u32; 2]>,
}

impl Pair {
    /// A pair of two classes; the threshold in metres.
    pub fn new(classes: [Class; 2], threshold: f64) -> Pair {
        let all = Kind::ALL.map(|kind| Available { kind, excess: 0.0 });
        Pair {
            starts: vec![Start::default(); classes[0].corners.len() * classes[1].corners.len()],
            // The symmetric descent takes one primitive of each side at a time.
            descent: Order::new(Strategy::Fixed, &all, &all).collect(),
            classes,
            threshold,
            counts: Counts::default(),
            last: None,
            work: Vec::new(),
        }
    }

    /// Forgets the steps before.
    pub fn forget(&mut self) {
        self.starts.fill(Start::default());
        self.last = None;
    }

    /// The length of the collision vector (metres; 0: collision).
    pub fn step(&mut self, approach: Approach) -> f64 {
        match approach {
            Approach::Polytopes => self.all_pairs(false),
            Approach::Initialization => self.all_pairs(true),
            Approach::Update => self.update(),
            Approach::Primitives => self.by_primitives(),
            Approach::Hierarchies => self.by_hierarchies(Descent::Both),
            Approach::Larger => self.by_hierarchies(Descent::Larger),
        }
    }

    fn polytopes(&mut self, i: usize, j: usize, start: &mut Start) -> f64 {
        let [a, b] = &self.classes;
        let found = distance(&a.corners[i], &b.corners[j], start);
        self.counts.polytopes += 1;
        self.counts.steps += found.steps as usize;
        found.distance
    }

    fn all_pairs(&mut self, warm: bool) -> f64 {
        let (n, m) = (self.classes[0].corners.len(), self.classes[1].corners.len());
        let mut best = f64::INFINITY;
        for i in 0..n {
            for j in 0..m {
                let mut start = if warm { self.starts[i * m + j] } else { Start::default() };
                best = best.min(self.polytopes(i, j, &mut start));
                if warm {
                    self.starts[i * m + j] = start;
                }
                if best <= 0.0 {
                    return 0.0;
                }
            }
        }
        best
    }

    fn update(&mut self) -> f64 {
        let covered = self.classes[0].covered() + self.classes[1].covered();
        if let Some(left) = self.last.map(|d| d - covered).filter(|left| *left > self.threshold) {
            self.last = Some(left);
            return left;
        }
        let found = self.all_pairs(false);
        self.last = Some(found);
        found
    }

    fn by_primitives(&mut self) -> f64 {
        self.classes.iter_mut().for_each(Class::move_primitives);
        let (n, m) = (self.classes[0].corners.len(), self.classes[1].corners.len());
        let mut best = f64::INFINITY;
        for i in 0..n {
            for j in 0..m {
                let mut k = 0;
                while let Some(Step::Primitives(a, b)) = self.descent.get(k).copied() {
                    self.counts.primitives += 1;
                    let [p, q] = &self.classes;
                    let d = gap(&p.primitives[i][a as usize], &q.primitives[j][b as usize]);
                    if d > self.threshold {
                        best = best.min(d);
                        break;
                    }
                    k += 1;
                }
                if let Some(Step::Polytopes) = self.descent.get(k) {
                    best = best.min(self.polytopes(i, j, &mut Start::default()));
                    if best <= 0.0 {
                        return 0.0;
                    }
                }
            }
        }
        best
    }

    fn by_hierarchies(&mut self, descent: Descent) -> f64 {
        self.classes.iter_mut().for_each(Class::update_hierarchy);
        let mut work = std::mem::take(&mut self.work);
        let Pair { classes: [a, b], counts, threshold, .. } = self;
        let mut best = f64::INFINITY;
        let done =
            descend([a.tree(), b.tree()], [&a.boxes, &b.boxes], descent, *threshold, &mut work, |i, j, _| {
                let found = distance(&a.corners[i as usize], &b.corners[j as usize], &mut Start::default());
                counts.polytopes += 1;
                counts.steps += found.steps as usize;
                best = best.min(found.distance);
                if best <= 0.0 { f64::NEG_INFINITY } else { *threshold }
            });
        counts.primitives += done.gaps;
        self.work = work;
        // The boxes of nodes that were not taken apart bound the vector.
        if best <= 0.0 { best } else { best.min(done.left) }
    }
}
