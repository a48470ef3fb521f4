//! Searches among the points.

use super::fault::StaleQuery;
use super::lanes::{bound_boxes, bound_points};
use super::query::PointQuery;
use super::tree::PointTree;
use crate::bounds::hierarchy::{Searched, Visits, WideScratch, search_nearest};
use crate::bounds::tolerance::OPEN_LIST;
use elbowroom_pair::numeric::simd::Lanes;
use elbowroom_pair::numeric::wide::LEAF;

impl Searched for PointTree {
    type Query = PointQuery;

    #[inline(always)]
    fn level_bound(&self) -> usize {
        self.most_levels()
    }
    #[inline(always)]
    fn root_node(&self) -> Option<u32> {
        (!self.is_empty()).then_some(0)
    }
    #[inline(always)]
    fn bound_children<L: Lanes>(&self, l: L, node: u32, query: &PointQuery) -> L::E {
        match (node as usize).checked_sub(self.first_block) {
            Some(block) => bound_points(l, &self.blocks[block], query),
            None => bound_boxes(l, &self.nodes[node as usize], query),
        }
    }
    #[inline(always)]
    fn child_at(&self, node: u32, lane: u32) -> u32 {
        match (node as usize).checked_sub(self.first_block) {
            Some(block) => LEAF | self.blocks[block].point[lane as usize],
            None => 8 * node + 1 + lane,
        }
    }
    #[inline(always)]
    fn parts_bodies(&self, _node: u32, _lane: u32, _query: &PointQuery) -> bool {
        true
    }
    #[inline(always)]
    fn query_version(query: &PointQuery) -> u32 {
        query.added_plane_count()
    }
}

impl PointTree {
    /// Scratch space for searches with up to so many queries, however often the points are replaced.
    pub fn new_scratch(&self, queries: usize) -> WideScratch {
        WideScratch::for_levels(self.most_levels(), queries, OPEN_LIST)
    }

    /// Reports the points near any of the queries. `on_point(query, point, lower)` gets the number of the
    /// query, that of the point, and a lower bound on the signed distance of the query's body to the point
    /// (metres); it returns the cutoff from then on, and may add planes to that query. Every pair of a query
    /// and a point that is not reported has a bound that is not below the last cutoff. A cutoff larger than
    /// before is ignored; minus infinity ends the search. The order is deterministic, and that of the bounds
    /// unless the open list overflows. Allocates nothing with the scratch space of this tree.
    ///
    /// # Errors
    /// A query that was prepared for other points.
    pub fn visit_nearest<F: FnMut(usize, u32, f64) -> f64>(
        &self,
        queries: &[PointQuery],
        cutoff: f64,
        scratch: &mut WideScratch,
        on_point: F,
    ) -> Result<Visits, StaleQuery> {
        // A query and the points must have the same origin.
        match queries.iter().position(|query| query.origin != self.origin) {
            Some(query) => Err(StaleQuery { query }),
            None => Ok(search_nearest(self, queries, None, cutoff, scratch, on_point)),
        }
    }

    /// The first pair of a query and a point whose bound is not above `distance` (metres) and of which
    /// `is_within(query, point)` holds. The nearest are tried first.
    ///
    /// # Errors
    /// A query that was prepared for other points.
    pub fn any_within(
        &self,
        queries: &[PointQuery],
        distance: f64,
        scratch: &mut WideScratch,
        mut is_within: impl FnMut(usize, u32) -> bool,
    ) -> Result<Option<(usize, u32)>, StaleQuery> {
        let mut found = None;
        self.visit_nearest(queries, distance.next_up(), scratch, |query, point, _| {
            if is_within(query, point) {
                found = Some((query, point));
                return f64::NEG_INFINITY;
            }
            distance.next_up()
        })?;
        Ok(found)
    }

    /// Reports each pair of a query and a point that may be within a distance (metres): the nearer first. All
    /// other pairs are farther apart. A few reported pairs may be farther apart too, by a rounding error.
    ///
    /// # Errors
    /// A query that was prepared for other points.
    pub fn each_within(
        &self,
        queries: &[PointQuery],
        distance: f64,
        scratch: &mut WideScratch,
        mut on_point: impl FnMut(usize, u32),
    ) -> Result<(), StaleQuery> {
        self.visit_nearest(queries, distance.next_up(), scratch, |query, point, _| {
            on_point(query, point);
            f64::INFINITY
        })?;
        Ok(())
    }
}
