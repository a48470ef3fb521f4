//! What r-cylinders save and what they cost, by counts: the paper says that they save about 30 %.
//!
//! They leave out moving the corners of parts whose polytopes are not asked. They are looser than the boxes
//! of the corners, so more nodes are expanded and more polytopes asked. Whether that pays depends on what
//! moving a part's corners costs beside the distance of two polytopes, and that is the machine's and the
//! program's. So what is computed is the price from which on they save so much ([`Costs::corners_for`]).

use super::breakdown::{Breakdown, Row};
use super::counts::DetectionCounts;
use super::parallel::network::WorkCosts;

/// What each piece of a detection costs (microseconds).
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// Management and the dynamic hierarchy of a detection.
    overhead: f64,
    /// A node of the search, for each distance that was asked: so the paper counts.
    node: f64,
    polytopes: f64,
    primitives: f64,
    /// Moving the corners of a part; `None`: not known.
    pub corners: Option<f64>,
}

impl Costs {
    /// Ours, of a broken-down cell; `None` where a row is missing.
    pub fn measured_costs(breakdown: &Breakdown) -> Option<Costs> {
        let [management, _, corners, hierarchy, expanding, polytopes, primitives] = &breakdown.rows[..]
        else {
            return None;
        };
        let asked = polytopes.calls + primitives.calls;
        Some(Costs {
            overhead: management.us_per_call() + hierarchy.us_per_call(),
            node: expanding.seconds * 1e6 / asked.max(1) as f64,
            polytopes: polytopes.us_per_call(),
            primitives: primitives.us_per_call(),
            corners: Some(corners.us_per_call()),
        })
    }

    /// The paper's; `None` where the cell is not in its table. What it pays for corners is not known: they
    /// are somewhere in its 789 us for the robot's position.
    pub fn paper_costs(breakdown: &Breakdown) -> Option<Costs> {
        let us = |row: &Row| row.paper.map(|[_, us, ..]| us);
        let [management, _, _, hierarchy, expanding, polytopes, primitives] = &breakdown.rows[..] else {
            return None;
        };
        Some(Costs {
            overhead: us(management)? + us(hierarchy)?,
            node: us(expanding)?,
            polytopes: us(polytopes)?,
            primitives: us(primitives)?,
            corners: None,
        })
    }

    /// Those of a machine in virtual time, its corners not counted.
    pub fn from_work(work: &WorkCosts) -> Costs {
        let WorkCosts { serial, node, primitives, polytopes, .. } = *work;
        Costs { overhead: serial, node, polytopes, primitives, corners: None }
    }

    /// What so many pieces cost, corners apart (microseconds).
    fn price_without_corners(&self, counts: &DetectionCounts) -> f64 {
        let [polytopes, primitives] = [counts.polytopes, counts.primitives].map(|n| n as f64);
        self.node * (polytopes + primitives) + self.polytopes * polytopes + self.primitives * primitives
    }

    /// What moving a part's corners must cost for r-cylinders to save `share` of `detections` (microseconds);
    /// infinite if they never do. Counts are sums over the detections.
    pub fn corners_for(
        &self,
        share: f64,
        with: &DetectionCounts,
        without: &DetectionCounts,
        detections: usize,
    ) -> f64 {
        let base = self.price_without_corners(without) + self.overhead * detections as f64;
        let added = self.price_without_corners(with) - self.price_without_corners(without);
        // ((without - with) corners - added) / (base + without corners) = share
        let spared = without.moved as f64 * (1.0 - share) - with.moved as f64;
        if spared > 0.0 { (share * base + added) / spared } else { f64::INFINITY }
    }

    /// Microseconds of the distance of two polytopes.
    pub fn polytope_cost(&self) -> f64 {
        self.polytopes
    }
}
