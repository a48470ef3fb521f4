//! The proved smallest distance of posed shapes and a cloud of points, each a ball of one radius: what a
//! depth camera sees, asked many times a second.
//!
//! The points are in a [`PointTree`]. Each shape has a capsule around it; the search gives the points in the
//! order of their distances from the capsules, and each is asked as a pair of a shape and a ball, by the
//! certified query of all pairs (`pair`). It ends when the next bound is not below the best distance.
//!
//! A capsule is centimetres wider than a link, and a cloud has a point every few millimetres: hundreds of
//! points are nearer to the capsule than the nearest is to the link. So each pair that was asked gives a
//! plane: the support plane of the shape along the pair's normal. From then on the search bounds boxes and
//! points by that plane too. A cloud is seldom far from flat where it is nearest, so three or four pairs are
//! asked, not hundreds. These are cutting planes (Kelley, "The cutting-plane method for solving convex
//! programs", 1960), on the distance from a convex body as a function of the point. Planes belong to the
//! shape: they are kept in its frame, and serve the next pose and the next cloud.
//!
//! The planes of a mesh are those of its hull. They do not help where a cloud reaches into a hollow of the
//! mesh: there only the capsule and the asked pairs leave points out.

mod body;
mod fault;

use crate::bounds::hierarchy::WideScratch;
use crate::bounds::{Capsule, PointQuery, PointTree};
use crate::numeric::work_list::WorkList;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use body::CloudBody;
use elbowroom_describe::ShapeDescription;
use elbowroom_describe::fault::ShapeFault;
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::Interval;
use elbowroom_pair::Scratch;
use elbowroom_pair::Witness;
use elbowroom_pair::numeric::pose_error::PoseError;
use elbowroom_pair::numeric::tolerance::ROUNDOFF;
use elbowroom_pair::shape::solid::Shape;
use elbowroom_pair::{Ask, Effort, Query, Stop};
pub use fault::CloudFault;

/// Asks posed shapes about clouds. It holds all that a query needs, allocated once; one a thread.
#[derive(Clone, Debug)]
pub struct CloudChecker<'w> {
    bodies: Vec<CloudBody<'w>>,
    /// A point of the cloud.
    ball: Shape,
    /// By query, its shape.
    asked: WorkList<u32>,
    queries: WorkList<PointQuery>,
    points: WideScratch,
    pairs: Scratch,
}

/// The shape and the point that are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloudPair {
    /// The number of the shape.
    pub shape: usize,
    /// The number of the point.
    pub point: usize,
    /// Their nearest points, `a` of the shape and `b` of the point's ball, in the frame of the points.
    pub witness: Witness,
    /// Why its query ended.
    pub stop: Stop,
}

/// The smallest distance of all shapes and all points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloudAnswer {
    /// The signed distance; infinite for a cloud without points. Where no distance is asked for, the search
    /// ends once an overlap is proved, and the lower end is that of what was found and left.
    pub interval: Interval,
    /// The pair that the upper end is of; `None` where that is infinite.
    pub nearest: Option<CloudPair>,
    /// Pairs that were asked.
    pub asked: usize,
    /// Nodes of the tree that were bounded.
    pub nodes: u64,
}

impl<'w> CloudChecker<'w> {
    /// For these shapes, and clouds in this tree whose points have a radius (metres).
    ///
    /// # Errors
    /// A radius that is no radius of a ball.
    pub fn new(shapes: &[&'w Shape], tree: &PointTree, radius: f64) -> Result<CloudChecker<'w>, ShapeFault> {
        let ball = Shape::new(&ShapeDescription::Sphere { radius }, 0.0)?;
        let depth = shapes.iter().map(|shape| shape.mesh_depth()).max().unwrap_or(0);
        Ok(CloudChecker {
            bodies: shapes.iter().map(|shape| CloudBody::new(shape)).collect(),
            ball,
            asked: WorkList::with_capacity(shapes.len()),
            queries: WorkList::with_capacity(shapes.len()),
            points: tree.new_scratch(shapes.len()),
            pairs: Scratch::new(depth),
        })
    }

    /// For shapes with capsules around them, in their frames, and clouds in this tree whose points have a
    /// radius (metres).
    pub(crate) fn with_capsules(
        shapes: Vec<(Cow<'w, Shape>, Capsule)>,
        tree: &PointTree,
        radius: f64,
    ) -> CloudChecker<'w> {
        let depth = shapes.iter().map(|(shape, _)| shape.mesh_depth()).max().unwrap_or(0);
        let count = shapes.len();
        CloudChecker {
            bodies: shapes
                .into_iter()
                .map(|(shape, capsule)| CloudBody::with_capsule(shape, capsule))
                .collect(),
            ball: Shape::ball(radius),
            asked: WorkList::with_capacity(count),
            queries: WorkList::with_capacity(count),
            points: tree.new_scratch(count),
            pairs: Scratch::new(depth),
        }
    }

    /// The smallest distance of the shapes at these poses and the points, as far as the query wants it. Poses
    /// are in the frame of the points. With [`Ask::Test`] the interval says whether all are farther apart
    /// than the cutoff.
    ///
    /// # Errors
    /// The numbers of poses and of shapes differ, or a pose is not a rigid transform of ordinary size.
    pub fn find_nearest(
        &mut self,
        tree: &PointTree,
        poses: &[Transform],
        query: &Query,
    ) -> Result<CloudAnswer, CloudFault> {
        if poses.len() != self.bodies.len() {
            return Err(CloudFault::Poses { given: poses.len(), shapes: self.bodies.len() });
        }
        for (number, (body, pose)) in self.bodies.iter_mut().zip(poses).enumerate() {
            let usable = body.set_pose(pose, query.slack);
            usable.map_err(|problem| CloudFault::Pose { shape: number, problem })?;
        }
        self.asked.clear();
        self.asked.extend(0..poses.len() as u32);
        Ok(self.search_shapes(tree, query))
    }

    /// The smallest distance of some shapes and the points, as far as the query wants it. Shapes are given by
    /// their numbers, each with its pose in the frame of the points and the error of that. With [`Ask::Test`]
    /// the interval says whether all are farther apart than the cutoff.
    pub(crate) fn nearest_of(
        &mut self,
        tree: &PointTree,
        posed: impl Iterator<Item = (u32, (Transform, PoseError))>,
        query: &Query,
    ) -> CloudAnswer {
        self.asked.clear();
        for (number, (pose, error)) in posed {
            self.bodies[number as usize].place_with(pose, error, query.slack);
            self.asked.push(number);
        }
        self.search_shapes(tree, query)
    }

    /// Puts another shape in the place of one, with a capsule around it, in its frame. What earlier questions
    /// left of the one before is dropped.
    pub(crate) fn replace_shape(&mut self, number: usize, shape: Shape, capsule: Capsule) {
        self.bodies[number] = CloudBody::with_capsule(Cow::Owned(shape), capsule);
    }

    /// Forgets what earlier questions left: warm starts and planes.
    pub(crate) fn forget_history(&mut self) {
        self.bodies.iter_mut().for_each(CloudBody::forget_history);
    }

    /// Gives `each` the numbers of a point and of a shape that are at most the query's cutoff apart, for some
    /// shapes at poses with these errors. A point may come once for each shape. All other pairs are farther
    /// apart. Below zero the cutoff is a depth: then these are surely as deep, and of the others none is
    /// proved to be.
    pub(crate) fn each_within(
        &mut self,
        tree: &PointTree,
        posed: impl Iterator<Item = (u32, (Transform, PoseError))>,
        query: &Query,
        mut each: impl FnMut(u32, u32),
    ) {
        let CloudChecker { bodies, ball, asked, queries, points, pairs } = self;
        asked.clear();
        queries.clear();
        for (number, (pose, error)) in posed {
            let body = &mut bodies[number as usize];
            body.place_with(pose, error, query.slack);
            asked.push(number);
            queries.push(body.point_query(tree));
        }
        let horizon = to_point(query.cutoff, ball.radius());
        // A test ends at the first pair within the cutoff. Its depth is not known then: that takes a bracket.
        let is_deep = query.cutoff < 0.0;
        let whole = Query { ask: Ask::Distance, cutoff: f64::INFINITY, depth: Effort::TIGHT, ..*query };
        let found = tree.each_within(queries, horizon, points, |number, point| {
            let body = &mut bodies[asked[number] as usize];
            let (pair, warm) = body.pair_with_point(tree.points()[point as usize], ball, query.slack);
            let (c, _) = pair.ask(*query, warm, pairs);
            if c.interval.lower > query.cutoff {
                return;
            }
            if !is_deep || pair.ask(whole, warm, pairs).0.interval.upper <= query.cutoff {
                each(point, asked[number]);
            }
        });
        // The queries were made for these points, so none is refused.
        debug_assert!(found.is_ok());
    }

    /// Searches with the shapes in `asked`, where they were placed.
    fn search_shapes(&mut self, tree: &PointTree, query: &Query) -> CloudAnswer {
        let CloudChecker { bodies, ball, asked, queries, points, pairs } = self;
        queries.clear();
        queries.extend(asked.iter().map(|number| bodies[*number as usize].point_query(tree)));
        let radius = ball.radius();
        let mut found = CloudSearch::new(query);
        let first = to_point(found.limit, radius);
        let visits = tree.visit_nearest(queries, first, points, |number, point, _| {
            let shape = asked[number] as usize;
            let body = &mut bodies[shape];
            let at = tree.points()[point as usize];
            found.measure_pair(body, (shape, point as usize), at, ball, pairs);
            if found.limit > f64::NEG_INFINITY
                && let Some((normal, height)) = body.last_plane()
            {
                queries[number].add_plane(normal, height);
            }
            to_point(found.limit, radius)
        });
        // The queries were made for these points, so none is refused.
        let (left, nodes) = visits.map_or((f64::NEG_INFINITY, 0), |v| (f64::from(v.left), v.nodes));
        found.answer.interval.lower_to(left - radius - 2.0 * ROUNDOFF * (left.abs() + radius));
        found.answer.nodes = nodes;
        found.answer
    }
}

/// How far away a point is if its ball is `limit` away (metres). A little is added, since taking the radius
/// off again rounds.
fn to_point(limit: f64, radius: f64) -> f64 {
    // Infinite ones stay as they are.
    let rounding = if limit.is_finite() { 8.0 * ROUNDOFF * (limit.abs() + radius) } else { 0.0 };
    limit + radius + rounding
}

/// What a search has found, and what it still looks for.
struct CloudSearch<'q> {
    query: &'q Query,
    answer: CloudAnswer,
    /// Pairs whose distance is not below this are not asked (metres).
    limit: f64,
}

impl CloudSearch<'_> {
    fn new(query: &Query) -> CloudSearch<'_> {
        let interval = Interval::new(f64::INFINITY, f64::INFINITY, query.geometry);
        let answer = CloudAnswer { interval, nearest: None, asked: 0, nodes: 0 };
        // A pair at the cutoff itself is not beyond it, so it is asked. NaN means that there is no cutoff.
        let limit = if query.cutoff.is_nan() { f64::INFINITY } else { query.cutoff.next_up() };
        CloudSearch { query, answer, limit }
    }

    /// Asks a shape and a point.
    fn measure_pair(
        &mut self,
        body: &mut CloudBody,
        (shape, point): (usize, usize),
        at: Vec3,
        ball: &Shape,
        scratch: &mut Scratch,
    ) {
        let (pair, warm) = body.pair_with_point(at, ball, self.query.slack);
        let cutoff = if self.query.ask == Ask::Test { self.query.cutoff } else { self.limit };
        let (c, _) = pair.ask(Query { cutoff, ..*self.query }, warm, scratch);
        let answer = &mut self.answer;
        answer.asked += 1;
        answer.interval.lower_to(c.interval.lower);
        if c.interval.upper < answer.interval.upper {
            answer.nearest = Some(CloudPair { shape, point, witness: pair.witness(&c), stop: c.stop });
            answer.interval.upper = c.interval.upper;
        }
        body.add_plane(-c.normal);
        let known = match self.query.ask {
            _ if c.interval.upper < 0.0 && self.query.ask != Ask::Distance => f64::NEG_INFINITY,
            // Only what may overlap can still change the verdict.
            Ask::Test if c.interval.lower <= self.query.cutoff => (0.5 * c.interval.lower).max(0.0),
            Ask::Test => f64::INFINITY,
            Ask::LowerBound => c.interval.lower.max(0.0),
            Ask::Distance => c.interval.upper,
        };
        self.limit = if known < self.limit { known } else { self.limit };
    }
}
