//! Asking the ways between samples.
//!
//! Beyond the margin is free, apart but not proved beyond it is near, overlap is contact. So an edge is asked
//! with the margin first, and where that does not prove it free, again without. In a world with pads it is
//! asked a third time, with these drawn back: then contact is on pads alone. Where robots' clocks may be
//! wrong, pairs between robots are asked once more.

use crate::asked_way::AskedWay;
use crate::continuous::{ALONE, EdgeAnswer, EdgeKind, ToleranceAnswer};
use crate::least_between::LeastBetween;
use crate::way_watch::WayWatch;
use elbowroom::motion::{Edge, EdgeOptions, EdgePairs, MotionChecker, SplinePiece};
use elbowroom::pose::SetOptions;
use elbowroom::{Checker, Geometry, World};
use std::ops::Range;

/// What a thread asks edges with. The edges of a block of samples are sieved together. If the sieve proves
/// all further edges of a block free, none of them is searched. Before an edge that stays open all are
/// searched: a search starts from those before it, so the last digits of its answer depend on them.
pub struct EdgeAsker<'w> {
    checker: MotionChecker<'w>,
    /// In the world with its pads drawn back, if there are any.
    drawn_back: Option<MotionChecker<'w>>,
    sieves: bool,
    options: EdgeOptions,
    watch: WayWatch,
    free: Vec<bool>,
    /// From this sample of the block on, the edges that lead to samples are free.
    free_from: usize,
}

impl<'w> EdgeAsker<'w> {
    /// For a world; with a sieve, if nothing changes in the course of the samples. `watch` waits for ways
    /// that take long.
    pub fn new(
        world: &'w World,
        geometry: Geometry,
        set: SetOptions,
        sieves: bool,
        watch: WayWatch,
    ) -> EdgeAsker<'w> {
        let options = EdgeOptions { set, ..EdgeOptions::default().geometry(geometry) };
        EdgeAsker {
            checker: MotionChecker::new(world),
            drawn_back: world.drawn_back().map(MotionChecker::new),
            sieves,
            options,
            watch,
            free: Vec::new(),
            free_from: usize::MAX,
        }
    }

    /// Takes over where a checker has the movable bodies and which pairs it allows, and forgets earlier
    /// edges.
    pub fn copy_state_from(&mut self, checker: &Checker) {
        for edges in std::iter::once(&mut self.checker).chain(&mut self.drawn_back) {
            edges.forget_history();
            edges.copy_state_from(checker);
        }
    }

    /// Begins with the edges that lead to a block of samples, and forgets earlier ones.
    pub fn begin_block(&mut self, rows: &[Vec<f64>], block: Range<usize>) {
        let first = block.start.max(1);
        let ways: Vec<[&[f64]; 2]> =
            rows[first - 1..block.end].windows(2).map(|w| [&*w[0], &*w[1]]).collect();
        let searched = self.sieve_ways(&ways).iter().rposition(|free| !free).map_or(0, |last| last + 1);
        self.free_from = if self.sieves { first + searched } else { usize::MAX };
    }

    /// Which of these ways are proved free by the sieve, if there is one. Forgets earlier edges.
    pub fn sieve_ways(&mut self, ways: &[[&[f64]; 2]]) -> &[bool] {
        std::iter::once(&mut self.checker)
            .chain(&mut self.drawn_back)
            .for_each(MotionChecker::forget_history);
        self.free.clear();
        self.free.resize(ways.len(), false);
        if self.sieves {
            self.checker.sieve_edges(ways, &self.options, &mut self.free);
        }
        &self.free
    }

    /// Begins with the way that leads to a sample, however often it will be searched.
    pub fn begin_way(&mut self, sample: usize) {
        self.watch.begin_way(sample);
    }

    /// Nothing more is asked of that way.
    pub fn end_way(&mut self) {
        self.watch.end_way();
    }

    /// The edge that leads to a sample of the block, between these poses.
    pub fn ask_edge(&mut self, sample: usize, ends: [&[f64]; 2]) -> EdgeAnswer {
        if sample >= self.free_from {
            return EdgeAnswer::FREE;
        }
        self.search_way(ends)
    }

    /// The answer for a way between two poses, by search. Contact on pads is told apart.
    pub fn search_way(&mut self, ends: [&[f64]; 2]) -> EdgeAnswer {
        self.search_asked_way(AskedWay::Straight(ends))
    }

    /// [`EdgeAsker::search_way`] for a spline with its tolerance; `widest` asks too, where it is not proved,
    /// how much of the tolerance would be.
    pub fn search_spline(&mut self, spline: &SplinePiece, widest: bool) -> EdgeAnswer {
        let mut answer = self.search_asked_way(AskedWay::Spline(spline));
        if spline.has_tolerance() && matches!(answer.edge_kind(), EdgeKind::Unknown) {
            let apart = self.options.margin(0.0);
            let exact = spline.clone().without_tolerance();
            let alone =
                AskedWay::Spline(&exact).check_free(&mut self.checker, &apart, &mut self.watch) == Edge::Free;
            let mut largest = || self.checker.largest_tolerance(spline, &apart).ok().flatten();
            let largest = if widest && alone { largest() } else { None };
            answer.tolerance = Some(ToleranceAnswer { alone, largest, ..ALONE });
        }
        answer
    }

    /// The least clearance on a way that leads to a sample, from the clearance there; `None` if it is not
    /// proved apart. A tolerance does not count.
    pub fn find_least_clearance(
        &mut self,
        answer: &EdgeAnswer,
        way: AskedWay<'_>,
        at_end: LeastBetween,
    ) -> Option<LeastBetween> {
        let apart = match answer.edge_kind() {
            EdgeKind::Free => self.checker.world().margin().max(0.0),
            EdgeKind::Near => 0.0,
            _ => return None,
        };
        let exact;
        let way = match way {
            AskedWay::Straight(_) => way,
            AskedWay::Spline(spline) => {
                exact = spline.clone().without_tolerance();
                AskedWay::Spline(&exact)
            }
        };
        let EdgeAsker { checker, options, watch, .. } = self;
        Some(LeastBetween::find_least(checker, way, options, apart, at_end, watch))
    }

    /// The worse of two answers for a way: its own, and that for robots whose clocks are wrong.
    pub fn search_late_spline(&mut self, own: EdgeAnswer, late: &SplinePiece) -> EdgeAnswer {
        let options = EdgeOptions { pairs: EdgePairs::BetweenRobots, ..self.options };
        let late = AskedWay::Spline(late);
        let by_clocks = Some(ToleranceAnswer { by_clocks: true, ..ALONE });
        match own.edge_kind() {
            EdgeKind::Contact | EdgeKind::Unknown => own,
            EdgeKind::Pressed => {
                // Where pads are touched already, robots must stay apart with these drawn back.
                let apart = options.margin(0.0);
                let checker = self.drawn_back.as_mut().unwrap_or(&mut self.checker);
                match late.check_free(checker, &apart, &mut self.watch) {
                    Edge::Free => own,
                    found => {
                        EdgeAnswer { margin: found, apart: found, tolerance: by_clocks, ..EdgeAnswer::FREE }
                    }
                }
            }
            EdgeKind::Free | EdgeKind::Near => {
                let found = ask_margin_then_apart(&mut self.checker, late, &options, &mut self.watch);
                match found.edge_kind() {
                    EdgeKind::Free => own,
                    EdgeKind::Near if own.edge_kind() == EdgeKind::Near => own,
                    EdgeKind::Near => found,
                    _ => EdgeAnswer { tolerance: by_clocks, ..found },
                }
            }
        }
    }

    fn search_asked_way(&mut self, way: AskedWay<'_>) -> EdgeAnswer {
        let answer = ask_margin_then_apart(&mut self.checker, way, &self.options, &mut self.watch);
        let asks_pads = !matches!(answer.edge_kind(), EdgeKind::Free | EdgeKind::Near);
        let Some(drawn_back) = self.drawn_back.as_mut().filter(|_| asks_pads) else { return answer };
        let apart = self.options.margin(0.0);
        EdgeAnswer { pressed: way.check_free(drawn_back, &apart, &mut self.watch) == Edge::Free, ..answer }
    }
}

/// The edge between two samples.
fn ask_margin_then_apart(
    checker: &mut MotionChecker,
    way: AskedWay<'_>,
    options: &EdgeOptions,
    watch: &mut WayWatch,
) -> EdgeAnswer {
    let positive = checker.world().margin() > 0.0;
    let margin = way.check_free(checker, options, watch);
    let apart = if margin == Edge::Free || !positive {
        margin
    } else {
        way.check_free(checker, &options.margin(0.0), watch)
    };
    EdgeAnswer { margin, apart, ..EdgeAnswer::FREE }
}
