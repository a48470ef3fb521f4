//! Whether a piece of a spline is free at every instant, with its tolerance. The search is that of straight
//! motions ([`super::edge_search`]).
//!
//! First the piece is held against the limits, between its ends as well ([`super::spline_peak`]). It leaves
//! them where a value is beyond them, or where the shortest interval is not proved within. Its tolerance may
//! lead beyond limits.
//!
//! Where a piece is not proved with its tolerance, it is asked once more without: what the piece itself
//! touches is a contact, whose place is that of the piece, and what only its tolerance may touch stays
//! unknown.

use super::certificate::{CertificateFault, verify_at, verify_spline};
use super::edge_answer::{Edge, EdgeSoFar};
use super::edge_options::{EdgeAsk, EdgeOptions};
use super::edge_search::EdgeSpace;
use super::motion_checker::MotionChecker;
use super::route::Route;
use super::spline::SplinePiece;
use super::spline_fault::{SplineFault, SplineProblem, SplineValueFault};
use super::spline_peak::{SplinePeak, measure_excess};
use super::tolerance::{TOLERANCE_FACTORS, TOLERANCE_SHARE};
use crate::model::kinematics::ValueLimits;
use crate::model::tolerance::LIMIT_ROUNDING;
use crate::model::world::World;
use crate::pose::fault::{PoseFault, SetOptions, value_faults};
use alloc::vec;
use alloc::vec::Vec;

impl MotionChecker<'_> {
    /// Whether a piece of a spline is free at every instant, wherever its joints are within its tolerance.
    ///
    /// Fractions in the answer are those of the piece: times its seconds they are times.
    /// [`MotionChecker::pieces`] has the certificate of a free one, [`MotionChecker::verify_spline`] checks
    /// it, and [`MotionChecker::edge_counts`] says what it took. [`Edge::Contact`] is about the piece itself:
    /// at the second fraction of `first` it is proved in contact, and `free_until` and `open` say from where
    /// its tolerance is not proved. If it is free and its tolerance is not
    /// proved, the answer is [`Edge::Unknown`]; [`MotionChecker::largest_tolerance`] then finds one that is.
    ///
    /// ```
    /// use elbowroom::World;
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::motion::{Edge, EdgeOptions, MotionChecker, SplinePiece};
    ///
    /// // The rod of the crate's first example, and the post at (0, 1, 0), which it nears at 1.26.
    /// let world = World::compile(&rod_and_post())?;
    /// let (mut checker, options) = (MotionChecker::new(&world), EdgeOptions::default());
    ///
    /// // In a second from 1 to 1.1 rad. At rest at both ends it stays between them; at speed it swings out
    /// // beyond them, to 1.29 rad.
    /// let (ends, rest) = ([&[1.0][..], &[1.1]], [&[0.0][..], &[0.0]]);
    /// let calm = SplinePiece::cubic_between(&world, 1.0, ends, rest)?;
    /// assert_eq!(checker.check_spline(&calm, &options)?, Edge::Free);
    /// checker.verify_spline(&calm, &options)?;
    /// let fast = SplinePiece::cubic_between(&world, 1.0, ends, [&[0.9], &[-1.0]])?;
    /// assert!(matches!(checker.check_spline(&fast, &options)?, Edge::Contact { .. }));
    ///
    /// // Followed to within 0.05 rad the calm one is still free; to within 0.3 it is not proved. That is up
    /// // to what is left between its end and the post, about 0.15 rad.
    /// let within = |tolerance: f64| calm.clone().with_tolerance(&world, &[tolerance]);
    /// assert_eq!(checker.check_spline(&within(0.05)?, &options)?, Edge::Free);
    /// assert!(matches!(checker.check_spline(&within(0.3)?, &options)?, Edge::Unknown { .. }));
    /// let factor = checker.largest_tolerance(&within(0.3)?, &options)?.expect("it is free itself");
    /// assert!((0.12..0.16).contains(&(0.3 * factor)), "{factor}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The piece was made for a world with other joints, or leaves limits, also between its ends: all values
    /// that do are named, with where. [`EdgeOptions::set`] may say that limits do not count.
    pub fn check_spline(&mut self, spline: &SplinePiece, options: &EdgeOptions) -> Result<Edge, SplineFault> {
        self.check_spline_watched(spline, options, &mut |_| true)
    }

    /// [`MotionChecker::check_spline`], and calls `watch` before each interval with the progress so far. If
    /// `watch` returns false, the search ends as if its allowed work were spent.
    ///
    /// # Errors
    /// As [`MotionChecker::check_spline`].
    pub fn check_spline_watched(
        &mut self,
        spline: &SplinePiece,
        options: &EdgeOptions,
        watch: &mut dyn FnMut(&EdgeSoFar) -> bool,
    ) -> Result<Edge, SplineFault> {
        spline.accept_in(self.world, options.set)?;
        Ok(self.edge_space().check_tube(spline, 1.0, options, watch))
    }

    /// The largest factor, to within a hundredth of it, by which the tolerance of a piece can be multiplied
    /// so that the piece is still proved free with it: less than 1 where [`MotionChecker::check_spline`] says
    /// [`Edge::Unknown`]. `None` if the piece is not proved free without a tolerance; 0 if it is not with a
    /// millionth of it; a million if it is with as much, or if it has no tolerance. It asks the piece some
    /// tens of times, without regard to [`EdgeOptions::ask`], and leaves no certificate.
    ///
    /// # Errors
    /// As [`MotionChecker::check_spline`].
    pub fn largest_tolerance(
        &mut self,
        spline: &SplinePiece,
        options: &EdgeOptions,
    ) -> Result<Option<f64>, SplineFault> {
        spline.accept_in(self.world, options.set)?;
        let options = EdgeOptions { ask: EdgeAsk::IsFree, ..*options };
        let space = self.edge_space();
        let [least, most] = TOLERANCE_FACTORS;
        let mut is_free = |factor: f64| {
            let route = Route::Spline(spline, factor);
            space.check_route(route, spline.searched_interval(factor), &options, &mut |_| true) == Edge::Free
        };
        let answer = if !is_free(0.0) {
            None
        } else if !spline.has_tolerance() {
            Some(most)
        } else {
            let (mut low, mut high) = (0.0, 1.0);
            while high <= most && is_free(high) {
                (low, high) = (high, 2.0 * high);
            }
            while low == 0.0 && high > least {
                let half = 0.5 * high;
                if is_free(half) { low = half } else { high = half }
            }
            while low > 0.0 && low < most && high - low > TOLERANCE_SHARE * low {
                let middle = 0.5 * (low + high);
                if is_free(middle) { low = middle } else { high = middle }
            }
            Some(low)
        };
        space.pieces.clear();
        Ok(answer)
    }

    /// Checks [`MotionChecker::pieces`] of a free piece as [`verify_spline`] does, with movable bodies where
    /// they are now.
    ///
    /// # Errors
    /// What is wrong with the certificate.
    pub fn verify_spline(&self, spline: &SplinePiece, options: &EdgeOptions) -> Result<(), CertificateFault> {
        match &self.edges {
            Some(edges) => verify_at(edges.pose.clone(), Route::Spline(spline, 1.0), &edges.pieces, options),
            None => verify_spline(self.world, spline, &[], options),
        }
    }
}

impl EdgeSpace<'_> {
    /// Whether a piece is free with its tolerance times a factor. The caller has checked that the world
    /// accepts the piece.
    fn check_tube(
        &mut self,
        spline: &SplinePiece,
        factor: f64,
        options: &EdgeOptions,
        watch: &mut dyn FnMut(&EdgeSoFar) -> bool,
    ) -> Edge {
        let tube =
            self.check_route(Route::Spline(spline, factor), spline.searched_interval(factor), options, watch);
        // From where on the tolerance is not proved, and of which pair.
        let (start, doubted) = match tube {
            Edge::Free => return tube,
            Edge::Contact { free_until, open, pair, .. } => (free_until, open.or(Some(pair))),
            Edge::Unknown { at, pair, .. } => (at[0], pair),
        };
        if !spline.has_tolerance() || options.ask == EdgeAsk::IsFree && matches!(tube, Edge::Contact { .. }) {
            return tube;
        }
        // Keep the pieces that the first search proved, and add up the work of both.
        let (pieces, counts) = (core::mem::take(&mut self.pieces), self.counts);
        let work = EdgeOptions { work: options.work.saturating_sub(counts.work), ..*options };
        let own = self.check_route(Route::Spline(spline, 0.0), spline.searched_interval(0.0), &work, watch);
        self.pieces = pieces;
        self.counts.add(&counts);
        match own {
            Edge::Contact { first, pair: touching, free_until, .. } => Edge::Contact {
                first,
                pair: touching,
                free_until: free_until.min(start),
                open: doubted.filter(|_| start < first[0]),
            },
            _ => tube,
        }
    }
}

impl SplinePiece {
    /// The interval to search: empty where nothing moves.
    fn searched_interval(&self, factor: f64) -> [f64; 2] {
        if self.is_constant() && (factor == 0.0 || !self.has_tolerance()) { [0.0; 2] } else { [0.0, 1.0] }
    }

    /// Whether a world takes the piece, as [`MotionChecker::check_spline`] asks first: it has its joints, its
    /// ends are configurations, and it stays within limits, if they count.
    ///
    /// # Errors
    /// As [`MotionChecker::check_spline`].
    pub fn accept_in(&self, world: &World, set: SetOptions) -> Result<(), SplineFault> {
        self.belongs_to(world)?;
        let mut values = vec![0.0; world.kinematics.dof_names.len()];
        for t in [0.0, 1.0] {
            self.write_values(t, &mut values);
            let faults = value_faults(world, &values, SetOptions { ignore_limits: true });
            if !faults.is_empty() {
                return Err(SplineFault::Pose(PoseFault::Values(faults)));
            }
        }
        if set.ignore_limits {
            return Ok(());
        }
        let faults: Vec<_> =
            world.kinematics.limits.iter().filter_map(|l| self.find_limit_fault(world, l)).collect();
        if faults.is_empty() { Ok(()) } else { Err(SplineFault::Values(faults)) }
    }

    /// Where a value leaves its limits.
    fn find_limit_fault(&self, world: &World, limits: &ValueLimits) -> Option<SplineValueFault> {
        let ValueLimits { value, scale, offset, lower, upper, .. } = *limits;
        let own_on = |interval: [f64; 2]| {
            let [a, b] = self.value_range(value, interval).map(|v| scale * v + offset);
            [a.min(b), a.max(b)]
        };
        let beyond = |interval: [f64; 2]| measure_excess(own_on(interval), [lower, upper]);
        let is_enough = |p: &SplinePeak| p.bound <= LIMIT_ROUNDING || p.reached > LIMIT_ROUNDING;
        let SplinePeak { reached, bound, at, seconds } = self.find_peak(beyond, is_enough);
        if bound <= LIMIT_ROUNDING {
            return None;
        }
        let [low, high] = own_on([at; 2]);
        let found = 0.5 * (low + high);
        // Where nothing is proved beyond, how far it may be.
        let found = match reached > LIMIT_ROUNDING {
            true => found,
            false if lower - found > found - upper => lower - bound,
            false => upper + bound,
        };
        let joint = &world.kinematics.joints[limits.joint];
        let follows = joint.follows.map(|rule| world.kinematics.dof_names[rule.value].clone());
        let problem = SplineProblem::OutOfLimits { follows, value: found, lower, upper, at, seconds };
        Some(SplineValueFault { name: joint.name.clone(), problem })
    }
}
