//! Fits bounds around bodies: capsules and boxes, and the tree of the crowds' moving bodies.

use super::fixed::fixed_shapes;
use super::neutral::Neutral;
use crate::bounds::fit::{self, BallSet, FitEffort};
use crate::bounds::hierarchy::{Tree, agglomerate_boxes, squared_diagonal};
use crate::bounds::lanes::{CapsuleId, CapsuleRecord};
use crate::bounds::{AlignedBox, BodyBox, Capsule};
use crate::model::body_bounds::{BodyBounds, BodyCapsule};
use crate::model::checks::Checks;
use crate::model::fixed::FixedShapes;
use crate::model::id::{BodyId, StepId};
use crate::model::kinematics::Kinematics;
use crate::model::movables::{FirstCarrier, Movables};
use crate::model::solids::{BodyShape, Solids};
use crate::model::tolerance::FIT_THOROUGH;
use crate::model::world_before::WorldBefore;
use alloc::collections::btree_map::{BTreeMap, Entry};
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;
use elbowroom_pair::numeric::parallel;
use elbowroom_pair::numeric::tolerance::PRODUCT_ROTATION_ERROR;
use elbowroom_pair::shape::solid::Core;

/// The bounds of a world, and its movable bodies with these carriers; `None` if it has more fixed shapes than
/// a tree can number. Capsules are taken from a world that is alike where it has them.
pub(super) fn build_bounds(
    solids: &Solids,
    kinematics: &Kinematics,
    checks: &Checks,
    carriers: Vec<Option<FirstCarrier>>,
    before: Option<&WorldBefore>,
) -> Option<(BodyBounds, Movables)> {
    let pairs = &checks.pairs;
    let (capsules, ids) = build_capsules(solids, kinematics, checks, before);
    let radius = |c: &BodyCapsule| c.radius_with(&kinematics.places.pose_error(c.body));
    let id = |body: BodyId| ids.get(&body).copied().unwrap_or(CapsuleId(0));
    let crowds: Vec<CapsuleId> = pairs.crowds.iter().map(|c| id(c.body)).collect();
    let (mut fixed, mut crowd_tree) = (FixedShapes::without_shapes(), no_tree());
    if !crowds.is_empty() {
        fixed = fixed_shapes(solids, kinematics, checks, &pairs.fixed)?;
        crowd_tree = join(kinematics, &capsules, &crowds);
    } else if !pairs.movable.is_empty() {
        fixed = fixed_shapes(solids, kinematics, checks, &pairs.movable.still)?;
    }
    let [of_movable, moving]: [Vec<CapsuleId>; 2] =
        [&pairs.movable.movable, &pairs.movable.moving].map(|list| list.iter().map(|b| id(*b)).collect());
    let moving_tree = join(kinematics, &capsules, &moving);
    let (spares, clouds) = (Vec::new(), Vec::new());
    let movables = Movables { carriers, capsules: of_movable, moving, moving_tree, spares, clouds };
    let bounds = BodyBounds {
        radii: capsules.iter().map(radius).collect(),
        listed: pairs.listed.iter().map(|p| [id(p.a), id(p.b)]).collect(),
        capsules,
        fixed,
        crowds,
        crowd_tree,
    };
    Some((bounds, movables))
}

/// Capsules around the moving bodies, the movable ones and the bodies of listed pairs, and the capsule of
/// each body. Those of a world that is alike are taken from it.
fn build_capsules(
    solids: &Solids,
    kinematics: &Kinematics,
    checks: &Checks,
    before: Option<&WorldBefore>,
) -> (Vec<BodyCapsule>, BTreeMap<BodyId, CapsuleId>) {
    let (mut bodies, mut ids) = (Vec::new(), BTreeMap::new());
    let listed = checks.pairs.listed.iter().flat_map(|p| [p.a, p.b]);
    let movable = checks.pairs.movable.movable.iter().copied();
    for body in kinematics.moving.iter().copied().chain(movable).chain(listed) {
        let next = bodies.len() as u32;
        if let Entry::Vacant(entry) = ids.entry(body) {
            entry.insert(CapsuleId(next));
            bodies.push((body, if next < FIT_THOROUGH { FitEffort::Thorough } else { FitEffort::Quick }));
        }
    }
    let capsules = parallel::map(&bodies, |&(body, effort)| {
        if let Some(known) = before.and_then(|before| before.known_capsule(body)) {
            return *known;
        }
        let shapes = solids.bodies[body.index()].shapes.clone();
        let only = (shapes.len() == 1).then(|| &solids.shapes[shapes.start as usize]);
        let step = kinematics.places.moving_step(body);
        body_capsule((body, step), &solids.ball_set(body), only, effort)
    });
    (capsules, ids)
}

/// Bounds around a body and its balls, in its frame. `only` is its shape if it has but one.
pub(crate) fn body_capsule(
    (body, step): (BodyId, Option<StepId>),
    set: &BallSet,
    only: Option<&BodyShape>,
    effort: FitEffort,
) -> BodyCapsule {
    let capsule = capsule_around(set, only, effort);
    let (record, body_box) = (CapsuleRecord::new(&capsule), BodyBox::new(fit::fit_aligned_box(set)));
    BodyCapsule { body, step, capsule, arm: capsule.reach_from_origin(), record, body_box }
}

/// A tree of moving bodies. Those near each other at the neutral pose are joined first. Bodies that are far
/// from everything fixed are then searched as one.
fn join(kinematics: &Kinematics, capsules: &[BodyCapsule], moving: &[CapsuleId]) -> Tree {
    let neutral = Neutral::new(kinematics);
    let boxes: Vec<AlignedBox> = moving.iter().map(|id| neutral.box_around(&capsules[id.index()])).collect();
    agglomerate_boxes(&boxes, squared_diagonal)
        .or_else(|| Tree::build_balanced(moving.len()))
        .unwrap_or_else(no_tree)
}

/// The empty tree.
fn no_tree() -> Tree {
    Tree::build_balanced(0).unwrap_or_else(|| unreachable!("an empty tree fits"))
}

/// A capsule around a body and its balls, in its frame. A body that is one sphere or capsule is its own
/// bound.
fn capsule_around(set: &BallSet, only: Option<&BodyShape>, effort: FitEffort) -> Capsule {
    if let Some(shape) = only {
        let half = match shape.shape.core() {
            Core::Point => Some(0.0),
            Core::Segment { half_length } => Some(*half_length),
            _ => None,
        };
        if let Some(half) = half {
            let axis = Vec3 { x: 0.0, y: 0.0, z: half };
            let own = Capsule { a: -axis, b: axis, radius: shape.shape.radius() };
            return own.transform_by(
                &shape.shape_in_body(),
                half * (shape.rotation_defect() + PRODUCT_ROTATION_ERROR),
            );
        }
    }
    fit::fit_capsule(set, effort).unwrap_or(Capsule::UNBOUNDED)
}
