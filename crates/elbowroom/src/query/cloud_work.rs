//! Asks about a world's clouds with the bodies that can meet them, shape by shape.

use crate::bounds::Capsule;
use crate::bounds::lanes::CapsuleId;
use crate::model::id::{BodyId, ShapeId};
use crate::model::movable_pairs::MovablePartner;
use crate::model::movables::CloudSpec;
use crate::model::solids::BodyShape;
use crate::model::spare::SpareShape;
use crate::model::world::World;
use crate::numeric::work_list::WorkList;
use crate::pose::cloud_points::CloudPoints;
use crate::pose::frames::Pose;
use crate::pose::spare::spare_shape;
use crate::query::bodies::Measured;
use crate::query::cloud::{CloudAnswer, CloudChecker};
use crate::query::resolved::Resolved;
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use elbowroom_pair::numeric::tolerance::PRODUCT_ROTATION_ERROR;
use elbowroom_pair::shape::solid::Shape;
use elbowroom_pair::{Ask, Query};

/// A checker for each cloud. Everything is allocated when it is made.
#[derive(Clone, Debug)]
pub(crate) struct CloudWork<'w> {
    checkers: Vec<CloudChecker<'w>>,
    /// The shapes of the bodies that joints move, then of the movable ones that are no clouds: those of spare
    /// places are the last.
    shapes: Vec<u32>,
    /// The range of these shapes of each such body.
    of_body: Vec<Range<u32>>,
    /// By spare place, the shape that the checkers have.
    spares: Vec<Option<SpareShape>>,
    /// Scratch: numbers of shapes that are asked.
    which: WorkList<u32>,
}

impl<'w> CloudWork<'w> {
    /// For a world; `None` without clouds.
    pub fn new(world: &'w World, pose: &Pose) -> Option<CloudWork<'w>> {
        if pose.clouds.is_empty() {
            return None;
        }
        let (pairs, movables) = (&world.checks.pairs.movable, &world.movables);
        let moving = pairs.moving.iter().zip(&movables.moving);
        let movable = pairs.movable[..movables.solid_count()].iter().zip(&movables.capsules);
        let (mut shapes, mut of_body, mut within) = (Vec::new(), Vec::new(), Vec::new());
        for (body, capsule) in moving.chain(movable) {
            let first = shapes.len() as u32;
            for shape in world.solids.bodies[body.index()].shapes.clone() {
                shapes.push(shape);
                within.push((shape, *capsule));
            }
            of_body.push(first..shapes.len() as u32);
        }
        // Each spare place has one shape more, which no checker is asked about before it is there.
        let first = of_body.len() - movables.spares.len();
        for (spare, of_body) in of_body[first..].iter_mut().enumerate() {
            *of_body = shapes.len() as u32..shapes.len() as u32 + 1;
            shapes.push(spare_shape(spare).0);
        }
        let around = |&(shape, capsule): &(u32, CapsuleId)| {
            let shape = &world.solids.shapes[shape as usize];
            let of_body = &world.bounds.capsules[capsule.index()].capsule;
            (Cow::Borrowed(&shape.shape), around_shape(shape, of_body))
        };
        let nothing = Shape::ball(0.0);
        let spares = movables.spares.iter().map(|_| (Cow::Owned(nothing.clone()), Capsule::UNBOUNDED));
        let checker = |(cloud, points): (&CloudSpec, &CloudPoints)| {
            let shapes = within.iter().map(around).chain(spares.clone()).collect();
            CloudChecker::with_capsules(shapes, &points.tree, cloud.radius)
        };
        let checkers = movables.clouds.iter().zip(&pose.clouds).map(checker).collect();
        let which = vec![0; shapes.len()].into();
        let mut work =
            CloudWork { checkers, shapes, of_body, spares: vec![None; movables.spares.len()], which };
        work.take_spares(pose);
        Some(work)
    }

    /// Takes the shapes of spare places from a pose. A question asks about those of its own pose.
    pub fn take_spares(&mut self, pose: &Pose) {
        let CloudWork { checkers, shapes, spares, .. } = self;
        let first = shapes.len() - spares.len();
        for (number, (mine, theirs)) in (first..).zip(spares.iter_mut().zip(&pose.spares)) {
            let known = match (&*mine, &theirs.shape) {
                (Some(mine), Some(theirs)) => mine.is_copy_of(theirs),
                (mine, theirs) => mine.is_none() && theirs.is_none(),
            };
            if known {
                continue;
            }
            mine.clone_from(&theirs.shape);
            let Some(shape) = mine else { continue };
            let capsule = around_shape(shape.on_body(), &shape.bounds().capsule);
            checkers
                .iter_mut()
                .for_each(|checker| checker.replace_shape(number, shape.shape().clone(), capsule));
        }
    }

    /// Forgets what earlier questions left.
    pub fn forget_history(&mut self) {
        self.checkers.iter_mut().for_each(CloudChecker::forget_history);
    }

    /// Removes all bodies from the question.
    pub fn clear(&mut self) {
        self.which.clear();
    }

    /// Adds a body that meets clouds to the question.
    pub fn add(&mut self, world: &World, partner: MovablePartner) {
        let body = match partner {
            MovablePartner::Moving(i) => i as usize,
            MovablePartner::Movable(i) => world.checks.pairs.movable.moving.len() + i as usize,
            MovablePartner::Still(_) => return,
        };
        self.which.extend(self.of_body[body].clone());
    }

    /// The body of an asked shape, by the number in an answer.
    pub fn shape_body(&self, pose: &Pose, shape: usize) -> BodyId {
        pose.shape_with_body(ShapeId(self.shapes[shape])).1
    }

    /// The smallest distance of the bodies that were added and a cloud.
    pub fn measure_added(&mut self, pose: &Pose, cloud: usize, asked: &Resolved, cutoff: f64) -> CloudAnswer {
        self.take_spares(pose);
        let CloudWork { checkers, shapes, which, .. } = self;
        let points = &pose.clouds[cloud];
        let Resolved { ask, geometry, margin, depth, .. } = *asked;
        let query = Query { ask, cutoff, geometry, margin, slack: points.slack, depth };
        let posed = which.iter().map(|number| {
            let shape = ShapeId(shapes[*number as usize]);
            (*number, pose.shape_in_cell(shape))
        });
        checkers[cloud].nearest_of(&points.tree, posed, &query)
    }

    /// Gives `each` the points of a cloud that are at most `distance` (metres) from a body that was added,
    /// with that body. A point may come once for each shape.
    pub fn each_within(
        &mut self,
        pose: &Pose,
        cloud: usize,
        distance: f64,
        mut each: impl FnMut(u32, BodyId),
    ) {
        self.take_spares(pose);
        let CloudWork { checkers, shapes, which, .. } = self;
        let points = &pose.clouds[cloud];
        let query = Query { ask: Ask::Test, cutoff: distance, slack: points.slack, ..Query::default() };
        let posed = which.iter().map(|number| {
            let shape = ShapeId(shapes[*number as usize]);
            (*number, pose.shape_in_cell(shape))
        });
        checkers[cloud].each_within(&points.tree, posed, &query, |point, number| {
            each(point, pose.shape_with_body(ShapeId(shapes[number as usize])).1);
        });
    }

    /// The distance of one body and a cloud. Nothing is known of it as long as the cloud was given no points.
    pub fn measure_body(
        &mut self,
        pose: &Pose,
        (cloud, partner): (usize, MovablePartner),
        asked: &Resolved,
        cutoff: f64,
    ) -> Measured {
        self.clear();
        self.add(pose.world, partner);
        if !pose.clouds[cloud].seen {
            return Measured::from_lower_bound(f64::NEG_INFINITY, asked);
        }
        measured_in_world(pose, &self.measure_added(pose, cloud, asked, cutoff))
    }
}

/// The capsule around a body, in the frame of one of its shapes.
fn around_shape(shape: &BodyShape, of_body: &Capsule) -> Capsule {
    let body_in_shape = shape.shape_in_body().inverse();
    let far = of_body.a.norm().max(of_body.b.norm()) + of_body.radius + shape.arm();
    let slack = (shape.rotation_defect() + PRODUCT_ROTATION_ERROR) * far * 2.0;
    of_body.transform_by(&body_in_shape, slack)
}

/// What an answer measured, in the world frame.
pub(crate) fn measured_in_world(pose: &Pose, answer: &CloudAnswer) -> Measured {
    let origin = pose.world.kinematics.origin_in_world;
    let upper = answer.interval.upper < f64::INFINITY;
    let witness = answer.nearest.filter(|_| upper).map(|nearest| {
        let mut witness = nearest.witness;
        (witness.a, witness.b) = (witness.a + origin, witness.b + origin);
        witness
    });
    Measured { interval: answer.interval, witness, stop: answer.nearest.map(|nearest| nearest.stop) }
}
