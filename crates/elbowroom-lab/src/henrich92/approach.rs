//! The paper's five approaches, and what it tries beside them: the other strategy to descend, combinations of
//! the last approach with those before, the other strategies for pairs of primitives. One step of a motion
//! each, after all corners were moved.
//!
//! All answer with the length of the collision vector, 0 where polytopes collide, and stop at the first pair
//! that does: no vector is shorter. Those with a threshold answer exactly below it, above it with a bound
//! that is above it too.

use super::class::Class;
use super::counts::ApproachCounts;
use crate::descend::{Descent, descend_trees};
use crate::polytope::{Start, polytope_distance};
use crate::primitives::{Kind, primitive_gap};
use crate::strategy::{Order, Step, Strategy};

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
    /// (e) with (b): each pair of polytopes that is asked starts where it ended when it was asked last.
    HierarchiesInitialization,
    /// (e) with the distance update of every pair: one whose last distance, less what both parts have moved,
    /// is above the threshold is not asked.
    HierarchiesLocal,
    /// (e) with the distance update of (c).
    HierarchiesGlobal,
    /// Pairs of primitives chosen by one of the paper's strategies (section 3.1). (d) takes the fixed order.
    Pairs(Strategy),
}

impl Approach {
    /// All of them.
    pub const ALL: [Approach; 12] = [
        Approach::Polytopes,
        Approach::Initialization,
        Approach::Update,
        Approach::Primitives,
        Approach::Hierarchies,
        Approach::Larger,
        Approach::HierarchiesInitialization,
        Approach::HierarchiesLocal,
        Approach::HierarchiesGlobal,
        Approach::Pairs(Strategy::Complexity),
        Approach::Pairs(Strategy::Error),
        Approach::Pairs(Strategy::BoxThenPolytope),
    ];
    /// The four strategies of section 3.1, in the paper's order.
    pub const STRATEGIES: [Approach; 4] = [
        Approach::Pairs(Strategy::Complexity),
        Approach::Pairs(Strategy::Error),
        Approach::Primitives,
        Approach::Pairs(Strategy::BoxThenPolytope),
    ];
    /// Its place in [`Approach::ALL`].
    pub fn index_in_all(self) -> usize {
        Approach::ALL.iter().position(|a| *a == self).unwrap_or(0)
    }
    /// Its name in the paper's Fig. 5.
    pub const fn name(self) -> &'static str {
        match self {
            Approach::Polytopes => "(a) convex polytopes",
            Approach::Initialization => "(b) initialization",
            Approach::Update => "(c) global distance update",
            Approach::Primitives => "(d) primitive approximation",
            Approach::Hierarchies => "(e) dynamic hierarchies",
            Approach::Larger => "(e) the larger side alone",
            Approach::HierarchiesInitialization => "(e) with initialization",
            Approach::HierarchiesLocal => "(e) with local update",
            Approach::HierarchiesGlobal => "(e) with global update",
            Approach::Pairs(Strategy::Complexity) => "(d) cheap pairs first",
            Approach::Pairs(Strategy::Error) => "(d) error falling",
            Approach::Pairs(Strategy::Fixed) => "(d) fixed order",
            Approach::Pairs(Strategy::BoxThenPolytope) => "(d) box, then polytopes",
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
    pub counts: ApproachCounts,
    starts: Vec<Start>,
    last: Option<f64>,
    /// Of each pair of parts its last distance, and how far both had come then (metres).
    known: Vec<Option<[f64; 2]>>,
    /// For each strategy and pair of parts the steps.
    orders: [Vec<Vec<Step>>; 4],
    work: Vec<[u32; 2]>,
}

impl Pair {
    /// A pair of two classes; the threshold in metres.
    pub fn new(classes: [Class; 2], threshold: f64) -> Pair {
        let [n, m] = classes.each_ref().map(|class| class.corners.len());
        // What is chosen by the errors of two bodies is chosen off-line.
        let orders = Strategy::ALL.map(|strategy| {
            let pairs = (0..n).flat_map(|i| (0..m).map(move |j| (i, j)));
            let order = |(i, j)| {
                Order::new(strategy, &classes[0].available_primitives(i), &classes[1].available_primitives(j))
                    .collect()
            };
            pairs.map(order).collect()
        });
        Pair {
            starts: vec![Start::default(); n * m],
            known: vec![None; n * m],
            orders,
            classes,
            threshold,
            counts: ApproachCounts::default(),
            last: None,
            work: Vec::new(),
        }
    }

    /// Forgets the steps before.
    pub fn forget_steps(&mut self) {
        self.starts.fill(Start::default());
        self.known.fill(None);
        self.last = None;
    }

    /// The length of the collision vector (metres; 0: collision).
    pub fn measure_step(&mut self, approach: Approach) -> f64 {
        match approach {
            Approach::Polytopes => self.all_pairs(false),
            Approach::Initialization => self.all_pairs(true),
            Approach::Update => self.update_or_measure(|pair| pair.all_pairs(false)),
            Approach::Primitives => self.by_primitives(Strategy::Fixed),
            Approach::Pairs(strategy) => self.by_primitives(strategy),
            Approach::Hierarchies => self.by_hierarchies(Descent::Both, Keeps::Nothing),
            Approach::Larger => self.by_hierarchies(Descent::Larger, Keeps::Nothing),
            Approach::HierarchiesInitialization => self.by_hierarchies(Descent::Both, Keeps::Starts),
            Approach::HierarchiesLocal => self.by_hierarchies(Descent::Both, Keeps::Distances),
            Approach::HierarchiesGlobal => {
                self.update_or_measure(|pair| pair.by_hierarchies(Descent::Both, Keeps::Nothing))
            }
        }
    }

    fn polytope_distance(&mut self, i: usize, j: usize, start: &mut Start) -> f64 {
        let [a, b] = &self.classes;
        let found = polytope_distance(&a.corners[i], &b.corners[j], start);
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
                best = best.min(self.polytope_distance(i, j, &mut start));
                if warm {
                    self.starts[i * m + j] = start;
                    self.counts.kept += 1;
                }
                if best <= 0.0 {
                    return 0.0;
                }
            }
        }
        best
    }

    fn update_or_measure(&mut self, anew: impl FnOnce(&mut Pair) -> f64) -> f64 {
        let covered = self.classes[0].covered_distance() + self.classes[1].covered_distance();
        self.counts.kept += self.classes.iter().map(Class::moving_corners).sum::<usize>();
        if let Some(left) = self.last.map(|d| d - covered).filter(|left| *left > self.threshold) {
            self.last = Some(left);
            return left;
        }
        let found = anew(self);
        self.last = Some(found);
        found
    }

    fn by_primitives(&mut self, strategy: Strategy) -> f64 {
        let kinds: &[Kind] = match strategy {
            Strategy::BoxThenPolytope => &[Kind::Aligned],
            _ => &Kind::ALL,
        };
        self.classes.iter_mut().for_each(|class| class.move_primitives(kinds));
        let (n, m) = (self.classes[0].corners.len(), self.classes[1].corners.len());
        let mut best = f64::INFINITY;
        for i in 0..n {
            for j in 0..m {
                for k in 0..self.orders[strategy as usize][i * m + j].len() {
                    let step = self.orders[strategy as usize][i * m + j][k];
                    let Step::Primitives(a, b) = step else {
                        best = best.min(self.polytope_distance(i, j, &mut Start::default()));
                        break;
                    };
                    self.counts.primitives += 1;
                    let [p, q] = &self.classes;
                    let d = primitive_gap(&p.primitives[i][a as usize], &q.primitives[j][b as usize]);
                    if d > self.threshold {
                        best = best.min(d);
                        break;
                    }
                }
                if best <= 0.0 {
                    return 0.0;
                }
            }
        }
        best
    }

    fn by_hierarchies(&mut self, descent: Descent, keeps: Keeps) -> f64 {
        self.classes.iter_mut().for_each(Class::update_hierarchy);
        if keeps == Keeps::Distances {
            self.counts.kept += self.classes.iter_mut().map(Class::add_travelled).sum::<usize>();
        }
        let mut work = std::mem::take(&mut self.work);
        let Pair { classes: [a, b], counts, threshold, starts, known, .. } = self;
        let m = b.corners.len();
        let mut best = f64::INFINITY;
        let done = descend_trees(
            [a.chosen_tree(), b.chosen_tree()],
            [&a.boxes, &b.boxes],
            descent,
            *threshold,
            &mut work,
            |i, j, _| {
                let (i, j) = (i as usize, j as usize);
                let come = a.travelled[i] + b.travelled[j];
                if keeps == Keeps::Distances
                    && let Some([found, then]) = known[i * m + j]
                    && found - (come - then) > *threshold
                {
                    best = best.min(found - (come - then));
                    return *threshold;
                }
                let mut start = if keeps == Keeps::Starts { starts[i * m + j] } else { Start::default() };
                let found = polytope_distance(&a.corners[i], &b.corners[j], &mut start);
                counts.polytopes += 1;
                counts.steps += found.steps as usize;
                counts.kept += usize::from(keeps != Keeps::Nothing);
                match keeps {
                    Keeps::Nothing => {}
                    Keeps::Starts => starts[i * m + j] = start,
                    Keeps::Distances => known[i * m + j] = Some([found.distance, come]),
                }
                best = best.min(found.distance);
                if best <= 0.0 { f64::NEG_INFINITY } else { *threshold }
            },
        );
        counts.primitives += done.gaps;
        self.work = work;
        // The boxes of nodes that were not taken apart bound the vector.
        if best <= 0.0 { best } else { best.min(done.left) }
    }
}

/// What a descent keeps of the pairs of polytopes that it asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keeps {
    Nothing,
    /// Where their searches ended.
    Starts,
    /// Their distances.
    Distances,
}
