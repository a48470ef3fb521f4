//! What a world is made of: bodies and their shapes, each in its body's frame.

use crate::bounds::fit::{BallSet, fit_aligned_box};
use crate::bounds::on_body::OnBody;
use crate::bounds::{Ball, BodyBox};
use crate::model::body::Body;
use crate::model::by_name::ByName;
use crate::model::id::BodyId;
use crate::numeric::layered::Layered;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;
use elbowroom_describe::PlacedShape;
use elbowroom_describe::math::Transform;
use elbowroom_pair::numeric::pose_error::PoseError;
use elbowroom_pair::numeric::tolerance::{NORM_ROUNDING, PRODUCT_ROTATION_ERROR, SHIFT_PER_OFFSET};
use elbowroom_pair::shape::solid::Shape;

/// A shape on a body.
#[derive(Clone, Debug)]
pub struct BodyShape {
    /// The body that has it.
    pub body: BodyId,
    /// The shape.
    pub shape: Shape,
    /// Bound on the distance of the shape's points from its frame's origin (metres).
    pub(crate) size: f64,
    /// Where it is, what it is called, and a box around it; `None` where it has its body's frame and neither
    /// name nor box.
    pub(crate) placed: Option<Box<Placed>>,
}

/// The place and the name of a shape, which few obstacles have.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    /// Its name in the file, if it has one.
    pub name: Option<Box<str>>,
    /// Where it is on the body; `None` for the identity.
    pub placement: Option<Placement>,
    /// A box around it in the body's frame, if it has one.
    pub around: Option<BodyBox>,
}

/// Where a shape is on its body.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    pub shape_in_body: Transform,
    /// Defect of its rotation.
    pub defect: f64,
    /// Length of its translation (metres).
    pub arm: f64,
    /// The shape's ball in the body's frame.
    pub ball: Ball,
}

impl BodyShape {
    /// A shape on a body, as it is described there, without a box. The rotation of its frame has this defect.
    pub(crate) fn placed_as(body: BodyId, described: &PlacedShape, shape: Shape, defect: f64) -> BodyShape {
        let at = &described.shape_in_body;
        let placement = || {
            let arm = at.translation.norm() * (1.0 + NORM_ROUNDING);
            let ball = Placement::bounding_ball(&shape, at, defect);
            Placement { shape_in_body: *at, defect, arm, ball }
        };
        let placement = (*at != Transform::IDENTITY).then(placement);
        let name = (!described.name.is_empty()).then(|| described.name.as_str().into());
        let is_placed = name.is_some() || placement.is_some();
        let placed = is_placed.then(|| Box::new(Placed { name, placement, around: None }));
        BodyShape { body, size: BodyShape::size_of(&shape), shape, placed }
    }

    /// A shape on a body, as it is described there, with a box around it. The rotation of its frame has this
    /// defect.
    pub(crate) fn placed_in_box(
        body: BodyId,
        described: &PlacedShape,
        shape: Shape,
        defect: f64,
    ) -> BodyShape {
        let shape = BodyShape::placed_as(body, described, shape, defect);
        let around = Some(shape.fit_own_box());
        let (name, placement) = shape.placed.map_or((None, None), |placed| (placed.name, placed.placement));
        BodyShape { placed: Some(Box::new(Placed { name, placement, around })), ..shape }
    }

    /// A box around it in its body's frame.
    pub(crate) fn fit_own_box(&self) -> BodyBox {
        BodyBox::new(fit_aligned_box(&BallSet::of_shapes(core::iter::once(self.on_body()))))
    }
    /// Bound on the distance of a shape's points from its frame's origin (metres).
    pub(crate) fn size_of(shape: &Shape) -> f64 {
        (shape.center().norm() + shape.bounding_radius()) * (1.0 + NORM_ROUNDING)
    }
    /// Where it is on the body; `None` for the identity.
    #[inline(always)]
    fn placement(&self) -> Option<&Placement> {
        self.placed.as_ref().and_then(|placed| placed.placement.as_ref())
    }
    /// Its frame in the body's frame.
    pub fn shape_in_body(&self) -> Transform {
        self.placement().map_or(Transform::IDENTITY, |p| p.shape_in_body)
    }
    /// A box around it in its body's frame, if it has one.
    #[inline]
    pub(crate) fn box_on_body(&self) -> Option<&BodyBox> {
        self.placed.as_ref().and_then(|placed| placed.around.as_ref())
    }
    /// Its name in the file; `None` if it has none.
    pub fn name(&self) -> Option<&str> {
        self.placed.as_ref().and_then(|placed| placed.name.as_deref())
    }
    /// Distance of its frame's origin from the body's (metres).
    pub(crate) fn arm(&self) -> f64 {
        self.placement().map_or(0.0, |p| p.arm)
    }
    /// Defect of the rotation of its frame in the body's.
    pub(crate) fn rotation_defect(&self) -> f64 {
        self.placement().map_or(0.0, |p| p.defect)
    }
    /// The shape on its body, as bounds take it.
    pub(crate) fn on_body(&self) -> OnBody<'_> {
        let (shape_in_body, defect, arm) = (self.shape_in_body(), self.rotation_defect(), self.arm());
        OnBody { shape: &self.shape, shape_in_body, size: self.size, defect, arm }
    }
    /// Its frame in the cell and the error of that, from the frame and the error of its body.
    #[inline]
    pub(crate) fn in_cell(&self, body_in_cell: Transform, error: PoseError) -> (Transform, PoseError) {
        match self.placement() {
            Some(p) => (
                body_in_cell * p.shape_in_body,
                error.compose_frame(p.arm, p.defect + PRODUCT_ROTATION_ERROR),
            ),
            None => (body_in_cell, error),
        }
    }
    /// Its ball in the body's frame.
    #[inline]
    pub(crate) fn ball(&self) -> Ball {
        match self.placement() {
            Some(placement) => placement.ball,
            None => Placement::bounding_ball(&self.shape, &Transform::IDENTITY, 0.0),
        }
    }
}

impl Placement {
    /// A ball around a shape, in the body's frame. Its radius covers the rounding of the move into that
    /// frame.
    #[inline]
    pub fn bounding_ball(shape: &Shape, at: &Transform, defect: f64) -> Ball {
        let moved =
            shape.center().norm() * (defect + SHIFT_PER_OFFSET) + at.translation.norm() * SHIFT_PER_OFFSET;
        Ball {
            center: at.point(shape.center()),
            radius: (shape.bounding_radius() + moved) * (1.0 + NORM_ROUNDING),
        }
    }
}

/// The bodies of a world and their shapes: links robot by robot, then the obstacles.
#[derive(Clone, Debug)]
pub(crate) struct Solids {
    pub bodies: Layered<Body>,
    pub shapes: Layered<BodyShape>,
    /// Sorted by their bodies, balls around all shapes of those bodies for which the ball of their first
    /// shape does not serve, in the body's frame.
    pub balls: Layered<(BodyId, Ball)>,
    pub by_name: ByName,
    /// The bodies that an edit has removed, sorted. Their numbers are not used again.
    pub removed: Vec<BodyId>,
    /// How many of them had been removed when the world was made whole.
    pub removed_before: usize,
    /// Levels of the deepest tree of a mesh.
    pub mesh_depth: usize,
    /// By shape of the links, which come first, its radius without padding (metres).
    pub own_radii: Vec<f64>,
}

impl Solids {
    /// The shapes of a body, in its frame; none for a number that this world does not have.
    pub fn on_body(&self, body: BodyId) -> impl Iterator<Item = OnBody<'_>> {
        let shapes = self.bodies.get(body.index()).map_or(0..0, |b| b.shapes.clone());
        self.shapes.slice_range(shapes.start as usize..shapes.end as usize).iter().map(BodyShape::on_body)
    }

    /// What a body's bounds are fitted around, in its frame; empty for a body without shapes, and for a
    /// number that this world does not have.
    pub fn ball_set(&self, body: BodyId) -> BallSet {
        BallSet::of_shapes(self.on_body(body))
    }

    /// A ball around a body's shapes, in the body's frame; `None` without shapes.
    #[inline]
    pub fn ball_of(&self, body: BodyId) -> Option<Ball> {
        match self.balls.find_by(|(of, _)| of.cmp(&body)) {
            Ok(at) => Some(self.balls[at].1),
            Err(_) => {
                let shapes = &self.bodies[body.index()].shapes;
                self.shapes
                    .slice_range(shapes.start as usize..shapes.end as usize)
                    .first()
                    .map(BodyShape::ball)
            }
        }
    }

    /// How many shapes a body has.
    pub fn shape_count(&self, body: BodyId) -> usize {
        self.bodies[body.index()].shapes.len()
    }

    /// Whether an edit has removed a body.
    pub fn is_removed(&self, body: BodyId) -> bool {
        !self.removed.is_empty() && self.removed.binary_search(&body).is_ok()
    }

    /// The body with a full name.
    pub fn find_body(&self, name: &str) -> Option<BodyId> {
        self.by_name.bodies_named(&self.bodies, name).find(|id| !self.is_removed(*id))
    }

    /// Whether none of these links has a shape.
    pub fn is_bare(&self, links: Range<u32>) -> bool {
        links.into_iter().all(|link| self.bodies[link as usize].shapes.is_empty())
    }
}
