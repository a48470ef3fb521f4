//! Is the straight motion of all joints from one configuration to another free, at every instant?
//! [`super::way`] defines straight motions, and [`super::edge_search`] searches them. An answer
//! [`Edge::Free`] has a certificate, which [`super::verify`] checks from its numbers.

use super::edge_answer::{Doubt, Edge, EdgeCounts, EdgeSoFar};
use super::edge_options::EdgeOptions;
use super::edge_progress::Progress;
use super::edge_search::{EdgeSearch, EdgeSpace};
use super::route::Route;
use super::tolerance::EDGE_VISITS;
use crate::pose::fault::PoseFault;

const NOTHING_KNOWN: Edge = Edge::Unknown { at: [0.0, 1.0], pair: None, why: Doubt::NothingKnown };

impl EdgeSpace<'_> {
    /// Whether a straight motion is free: [`MotionChecker::check_edge_watched`](super::MotionChecker).
    pub fn check_edge(
        &mut self,
        [from, to]: [&[f64]; 2],
        options: &EdgeOptions,
        watch: &mut dyn FnMut(&EdgeSoFar) -> bool,
    ) -> Result<Edge, PoseFault> {
        self.pose.set_with(to, options.set)?;
        self.pose.set_with(from, options.set)?;
        let whole = if from == to { [0.0, 0.0] } else { [0.0, 1.0] };
        Ok(self.check_route(Route::Straight([from, to]), whole, options, watch))
    }

    /// Whether a motion is free on the interval `whole`, which is empty if nothing moves. The caller has
    /// checked that its values are accepted.
    pub fn check_route(
        &mut self,
        route: Route,
        whole: [f64; 2],
        options: &EdgeOptions,
        watch: &mut dyn FnMut(&EdgeSoFar) -> bool,
    ) -> Edge {
        let world = self.pose.world;
        let margin = options.policy.margin_in(world);
        self.pieces.clear();
        // As for poses, nothing is proved if no pair is checked.
        if self.pose.checked_pair_count() == 0 || margin.is_nan() {
            return NOTHING_KNOWN;
        }
        self.asker.work.queries = 0;
        // Both ends of an edge were set.
        let poses = if matches!(route, Route::Straight(_)) { 2 } else { 0 };
        self.counts = EdgeCounts { poses, ..EdgeCounts::default() };
        route.write_tolerance(&mut self.tolerance);
        let (visits, progress) = (self.asker.visits(), Progress::NONE);
        let mut search = EdgeSearch { space: self, route, margin, options, progress, visits, watch };
        let edge = search.run(whole);
        let visited = self.asker.visits() - visits;
        self.counts.work = self.counts.asked + visited / EDGE_VISITS;
        self.counts.shape_queries = self.asker.work.queries as u64;
        if whole[1] == 0.0 {
            self.pieces.iter_mut().for_each(|piece| piece.t = [0.0, 1.0]);
        }
        // Nothing is known of a robot without shapes.
        let blind = world.blind && edge == Edge::Free;
        if blind { NOTHING_KNOWN } else { edge }
    }
}
