//! What fills the spare places of a pose. The shape of a spare place is found here, never in the world: the
//! world has a body without shapes there.

use super::change_fault::ChangeFault;
use super::frames::Pose;
use super::spare::{FIRST_SPARE, Spare, spare_shape};
use crate::bounds::Ball;
use crate::bounds::lanes::CapsuleId;
use crate::model::body_bounds::BodyCapsule;
use crate::model::id::{BodyId, ShapeId};
use crate::model::solids::BodyShape;
use crate::model::spare::SpareShape;
use core::ops::Range;

impl Pose<'_> {
    /// The movable body that is a spare place, and its number among these.
    fn find_spare(&self, body: BodyId) -> Result<(u32, usize), ChangeFault> {
        let movable = self.find_movable(body)?;
        match self.world.movables.spare_number(movable) {
            Some(spare) => Ok((movable, spare)),
            None => Err(ChangeFault::NotSpare { body: self.name(body) }),
        }
    }

    /// [`Checker::insert_obstacle`](crate::Checker::insert_obstacle). Returns the number of the place.
    pub(crate) fn fill_spare(&mut self, body: BodyId, shape: &SpareShape) -> Result<usize, ChangeFault> {
        let (movable, spare) = self.find_spare(body)?;
        let (corners, room) = (shape.corner_count(), self.world.movables.spares[spare]);
        if corners > room {
            return Err(ChangeFault::TooManyCorners { body: self.name(body), corners, room });
        }
        self.put_shape(movable, spare, Some(shape));
        self.count_pairs();
        Ok(spare)
    }

    /// [`Checker::remove_obstacle`](crate::Checker::remove_obstacle). Returns the number of the place.
    pub(crate) fn empty_spare(&mut self, body: BodyId) -> Result<usize, ChangeFault> {
        let (movable, spare) = self.find_spare(body)?;
        if self.spares[spare].shape.is_none() {
            return Err(ChangeFault::NotFilled { body: self.name(body) });
        }
        self.put_shape(movable, spare, None);
        self.count_pairs();
        Ok(spare)
    }

    /// The shape that fills a spare place now.
    pub(crate) fn filled_shape(&self, body: BodyId) -> Option<&SpareShape> {
        let spare = self.world.movables.spare_number(self.world.checks.pairs.movable.index(body)?)?;
        self.spares[spare].shape.as_ref()
    }

    /// Puts a shape into a place, or takes out the one that is there; pairs are not counted anew.
    fn put_shape(&mut self, movable: u32, spare: usize, shape: Option<&SpareShape>) {
        let world = self.world;
        let of_world = &world.bounds.capsules[world.movables.capsules[movable as usize].index()];
        let bounds = shape.map_or(of_world, SpareShape::bounds);
        let bounds = BodyCapsule { body: of_world.body, step: of_world.step, ..*bounds };
        self.spares[spare] = Spare { shape: shape.cloned(), bounds };
        if let Some(placements) = &mut self.placements {
            placements.set_empty(movable, shape.is_none());
        }
        self.put_again(movable);
    }

    /// Takes over what fills the places of a pose of the same world, or of an edit of it.
    pub(super) fn take_spares(&mut self, other: &Pose) {
        let first = self.world.movables.first_spare().unwrap_or(0) as u32;
        for spare in 0..self.spares.len() {
            self.put_shape(first + spare as u32, spare, other.spares[spare].shape.as_ref());
        }
    }

    /// The bounds of a movable body that is a spare place.
    #[inline]
    pub(super) fn spare_bounds(&self, movable: u32) -> Option<&BodyCapsule> {
        if self.spares.is_empty() {
            return None;
        }
        self.world.movables.spare_number(movable).map(|spare| &self.spares[spare].bounds)
    }

    /// Whether a movable body is a spare place without a shape.
    #[inline]
    pub(super) fn is_empty(&self, movable: u32) -> bool {
        let empty = |spare: usize| self.spares[spare].shape.is_none();
        !self.spares.is_empty() && self.world.movables.spare_number(movable).is_some_and(empty)
    }

    /// A shape and its body. Shapes of empty places have no numbers.
    #[inline(always)]
    pub(crate) fn shape_with_body(&self, shape: ShapeId) -> (&BodyShape, BodyId) {
        if shape.0 < FIRST_SPARE {
            let shape = &self.world.solids.shapes[shape.index()];
            (shape, shape.body)
        } else {
            self.shape_of_spare((shape.0 - FIRST_SPARE) as usize)
        }
    }

    #[inline(never)]
    fn shape_of_spare(&self, spare: usize) -> (&BodyShape, BodyId) {
        let Spare { shape, bounds } = &self.spares[spare];
        let shape = shape.as_ref().unwrap_or_else(|| unreachable!("an empty place has no shape"));
        (shape.on_body(), bounds.body)
    }

    /// The numbers of a body's shapes.
    #[inline]
    pub(crate) fn shapes_of(&self, body: BodyId) -> Range<u32> {
        let shapes = self.world.solids.bodies[body.index()].shapes.clone();
        if shapes.is_empty() { self.shapes_of_spare(body) } else { shapes }
    }

    #[inline(never)]
    fn shapes_of_spare(&self, body: BodyId) -> Range<u32> {
        let movable = self.world.checks.pairs.movable.index(body);
        match movable.and_then(|movable| self.world.movables.spare_number(movable)) {
            Some(spare) if self.spares[spare].shape.is_some() => {
                let ShapeId(shape) = spare_shape(spare);
                shape..shape + 1
            }
            _ => 0..0,
        }
    }

    /// The bounds around the body of a capsule, in the body's frame.
    #[inline(always)]
    pub(super) fn bounds_of(&self, capsule: CapsuleId) -> &BodyCapsule {
        if self.spares.is_empty() {
            return &self.world.bounds.capsules[capsule.index()];
        }
        self.bounds_with_spares(capsule)
    }

    #[inline(never)]
    fn bounds_with_spares(&self, capsule: CapsuleId) -> &BodyCapsule {
        let of_world = &self.world.bounds.capsules[capsule.index()];
        let movables = &self.world.movables;
        // The capsules of movable bodies have numbers in the order of the bodies.
        let first = movables.first_spare().map_or(0, |first| movables.capsules[first].index());
        let spare = capsule.index().checked_sub(first).and_then(|spare| self.spares.get(spare));
        spare.map_or(of_world, |spare| &spare.bounds)
    }

    /// A ball around the shape of a spare place, in the body's frame.
    #[inline(never)]
    pub(super) fn ball_of_spare(&self, body: BodyId) -> Option<Ball> {
        self.filled_shape(body).map(|shape| shape.on_body().ball())
    }
}
