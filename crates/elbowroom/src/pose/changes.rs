//! Changes of a pose that are no joint values: bodies are placed, carried, let go, hidden and shown, and
//! pairs are allowed. Nothing is allocated, and what is refused changes nothing.

use super::allowed_now::{AllowedBy, AllowedNow};
use super::change_fault::ChangeFault;
use super::fault::SetOptions;
use super::frames::Pose;
use super::movable_boxes::MovableBoxes;
use super::placements::{Carrier, MovableState, Placements};
use crate::bounds::hierarchy::WideTree;
use crate::model::compile::fingerprint::of_body;
use crate::model::id::{BodyId, BodyPair, order_pair};
use crate::model::tolerance::LIMIT_ROUNDING;
use crate::model::world::World;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use elbowroom_describe::math::{Mat3, Transform, Vec3};
use elbowroom_pair::numeric::pose_error::PoseError;
use elbowroom_pair::numeric::rigid::{pose_defect, rotation_defect};

/// The full name of a body of the world.
fn name(world: &World, body: BodyId) -> String {
    world.solids.bodies[body.index()].name.to_string()
}

/// The pose with its columns made orthonormal again, so that the rounding of many changes does not add up.
fn made_rigid(at: Transform) -> Transform {
    let [x, y, _] = at.rotation.cols;
    let columns = x.normalized().and_then(|x| {
        let z = x.cross(y).normalized()?;
        Some([x, z.cross(x), z])
    });
    let cols = columns.unwrap_or(at.rotation.cols);
    Transform::new(Mat3 { cols }, at.translation)
}

/// Whether a number means the same body in two worlds, of which one is an edit of the other: links and
/// movable bodies stay, and a fixed obstacle is compared. Two edits may each have added another obstacle.
fn is_same(mine: &World, theirs: &World, body: BodyId) -> bool {
    if !(mine.has_body(body) && theirs.has_body(body)) {
        return false;
    }
    let own = &mine.solids.bodies[body.index()];
    let stays = own.robot.is_some() || mine.checks.rules.bodies[body.index()].movable;
    let hash = |world: &World| of_body(&world.solids, &world.kinematics.places, body);
    stays || hash(mine) == hash(theirs)
}

impl Pose<'_> {
    /// The full name of a body.
    pub(super) fn name(&self, body: BodyId) -> String {
        name(self.world, body)
    }

    /// The number of a movable body.
    #[inline]
    pub(super) fn find_movable(&self, body: BodyId) -> Result<u32, ChangeFault> {
        self.check_body_known(body)?;
        let index = self.world.checks.pairs.movable.index(body);
        index.ok_or_else(|| ChangeFault::NotMovable { body: name(self.world, body) })
    }

    /// The number of a movable body that is not a cloud.
    #[inline]
    fn find_solid(&self, body: BodyId) -> Result<u32, ChangeFault> {
        let movable = self.find_movable(body)?;
        match self.world.movables.cloud_number(movable) {
            Some(_) => Err(ChangeFault::Cloud { body: name(self.world, body) }),
            None => Ok(movable),
        }
    }

    #[inline]
    fn check_body_known(&self, body: BodyId) -> Result<(), ChangeFault> {
        if self.world.has_body(body) { Ok(()) } else { Err(ChangeFault::NoBody { number: body.0 }) }
    }

    pub(super) fn movable_state(&self, movable: u32) -> Option<&MovableState> {
        self.placements.as_ref().map(|p| &p.states[movable as usize])
    }

    pub(super) fn carrier_of(&self, movable: u32) -> Option<&Carrier> {
        self.placements.as_ref().and_then(|p| p.carriers[movable as usize].as_ref())
    }

    #[inline]
    fn is_hidden(&self, movable: u32) -> bool {
        self.placements.as_ref().is_some_and(|placements| placements.is_hidden(movable))
    }

    /// Who carries a body.
    pub(crate) fn carrier_body(&self, body: BodyId) -> Option<BodyId> {
        let movable = self.world.checks.pairs.movable.index(body)?;
        self.carrier_of(movable).map(|carrier| carrier.body)
    }

    /// The body that is not movable and that carries this one, directly or through others; the body itself if
    /// it is not movable. `None` for a movable body that rests.
    #[inline]
    pub(crate) fn hangs_on(&self, body: BodyId) -> Option<BodyId> {
        let movable = &self.world.checks.pairs.movable;
        let mut at = body;
        while !movable.is_empty() && movable.index(at).is_some() {
            at = self.carrier_body(at)?;
        }
        Some(at)
    }

    /// Puts the movable bodies where the world's description has them.
    pub(super) fn place_all(&mut self) {
        let world = self.world;
        for (movable, body) in (0..).zip(&world.checks.pairs.movable.movable) {
            let (at, error) =
                (world.kinematics.places.fixed_pose(*body), world.kinematics.places.pose_error(*body));
            self.set_frame(movable, &at, &Vec3::ZERO, error);
        }
        for (movable, first) in (0..).zip(&world.movables.carriers) {
            let Some(first) = first else { continue };
            first.touch.iter().for_each(|other| self.let_touch(movable, *other));
            let child = world.checks.pairs.movable.movable[movable as usize];
            let carrier = Carrier::new(first.body, child, first.in_carrier, first.door);
            if let Some(placements) = &mut self.placements {
                placements.set_carrier(world, movable, Some(carrier));
            }
        }
        self.update_carried();
        self.count_pairs();
    }

    /// Moves what is carried with its carriers.
    #[inline]
    pub(super) fn update_carried(&mut self) {
        if self.placements.as_ref().is_some_and(|placements| !placements.carried.is_empty()) {
            self.follow_carriers();
        }
    }

    fn follow_carriers(&mut self) {
        let carried =
            |p: &Placements, k: usize| Some((*p.carried.get(k)?, p.carriers[p.carried[k] as usize]));
        let mut next = 0;
        while let Some((movable, carrier)) = self.placements.as_ref().and_then(|p| carried(p, next)) {
            next += 1;
            let Some(Carrier { body, step, value, .. }) = carrier else { continue };
            let (at, error) = (self.body_frame(body), self.frame_error(body));
            let error = step.child_pose_error(error, |_| value.abs());
            self.set_frame(movable, &step.child_frame(&at, &[value]), &Vec3::ZERO, error);
        }
    }

    /// [`Checker::place`](crate::Checker::place).
    pub(crate) fn place_body(&mut self, body: BodyId, in_world: &Transform) -> Result<(), ChangeFault> {
        let movable = self.find_solid(body)?;
        if self.movable_state(movable).is_some_and(|state| state.carried)
            && let Some(carrier) = self.carrier_of(movable)
        {
            let [body, carrier] = [body, carrier.body].map(|id| name(self.world, id));
            return Err(ChangeFault::Carried { body, carrier });
        }
        let defect = pose_defect(in_world)
            .map_err(|problem| ChangeFault::BadPose { body: name(self.world, body), problem })?;
        let origin = &self.world.kinematics.origin_in_world;
        let distance = (in_world.translation - *origin).norm();
        self.set_frame(movable, in_world, origin, PoseError::of_placement(distance, defect));
        self.update_carried();
        Ok(())
    }

    /// [`Checker::attach_at`](crate::Checker::attach_at), or from where both are now.
    pub(crate) fn attach_body(
        &mut self,
        body: BodyId,
        carrier: BodyId,
        body_in_carrier: Option<&Transform>,
        touch: &[BodyId],
    ) -> Result<(), ChangeFault> {
        let movable = self.find_solid(body)?;
        body_in_carrier
            .map_or(Ok(0.0), pose_defect)
            .map_err(|problem| ChangeFault::BadPose { body: name(self.world, body), problem })?;
        self.check_body_known(carrier)?;
        touch.iter().try_for_each(|other| self.check_body_known(*other))?;
        let is_cloud = |id: BodyId| {
            let movable = self.world.checks.pairs.movable.index(id);
            movable.and_then(|movable| self.world.movables.cloud_number(movable)).is_some()
        };
        if is_cloud(carrier) {
            return Err(ChangeFault::Cloud { body: name(self.world, carrier) });
        }
        if let Some(carrier) = self.carrier_body(body) {
            let [body, carrier] = [body, carrier].map(|id| name(self.world, id));
            return Err(ChangeFault::Carried { body, carrier });
        }
        let above = core::iter::successors(Some(carrier), |at| self.carrier_body(*at));
        if above.into_iter().any(|at| at == body) {
            let [body, carrier] = [body, carrier].map(|id| name(self.world, id));
            return Err(ChangeFault::Circle { body, carrier });
        }
        if touch.len() > self.allowed_now.free_count() {
            return Err(ChangeFault::TooManyAllowed);
        }
        // Where no pose is given, the computed frames of both bodies give it. So attaching moves nothing.
        let now = || self.body_frame(carrier).relative(&self.body_frame(body));
        let in_carrier = made_rigid(body_in_carrier.copied().unwrap_or_else(now));
        touch.iter().for_each(|other| self.let_touch(movable, *other));
        self.set_carrier(movable, Some(Carrier::new(carrier, body, in_carrier, None)));
        Ok(())
    }

    /// [`Checker::detach`](crate::Checker::detach).
    pub(crate) fn detach_body(&mut self, body: BodyId) -> Result<(), ChangeFault> {
        let movable = self.find_movable(body)?;
        if self.carrier_body(body).is_none() {
            return Err(ChangeFault::NotCarried { body: name(self.world, body) });
        }
        // It rests where it was computed to be.
        let at = made_rigid(self.body_frame(body));
        let defect = rotation_defect(&at.rotation).unwrap_or(0.0);
        self.set_frame(movable, &at, &Vec3::ZERO, PoseError::of_placement(at.translation.norm(), defect));
        self.allowed_now.let_go(movable);
        self.set_carrier(movable, None);
        Ok(())
    }

    /// [`Checker::end_touch`](crate::Checker::end_touch).
    pub(crate) fn end_touch(&mut self, body: BodyId) -> Result<(), ChangeFault> {
        let movable = self.find_movable(body)?;
        self.allowed_now.let_go(movable);
        self.count_pairs();
        Ok(())
    }

    /// [`Checker::set_door`](crate::Checker::set_door).
    pub(crate) fn set_door(&mut self, body: BodyId, value: f64) -> Result<(), ChangeFault> {
        let movable = self.find_solid(body)?;
        let world = self.world;
        let carrier = self.placements.as_mut().and_then(|p| p.carriers[movable as usize].as_mut());
        let Some((carrier, [lower, upper])) = carrier.and_then(|c| Some((c.limits?, c))).map(|(l, c)| (c, l))
        else {
            return Err(ChangeFault::NoDoor { body: name(world, body) });
        };
        // NaN fails this test too.
        if !(value >= lower - LIMIT_ROUNDING && value <= upper + LIMIT_ROUNDING) {
            return Err(ChangeFault::BadOpening { body: name(world, body), value, lower, upper });
        }
        carrier.value = value;
        self.update_carried();
        Ok(())
    }

    fn set_carrier(&mut self, movable: u32, carrier: Option<Carrier>) {
        if let Some(placements) = &mut self.placements {
            placements.set_carrier(self.world, movable, carrier);
        }
        self.update_carried();
        self.count_pairs();
    }

    /// Lets a movable body touch another while it is carried.
    fn let_touch(&mut self, movable: u32, other: BodyId) {
        let body = self.world.checks.pairs.movable.movable[movable as usize];
        let (a, b) = order_pair(body, other);
        if let Some(pair) = self.world.checks.pairs.find_pair(BodyPair { a, b }) {
            self.allowed_now.allow_pair(pair, AllowedBy::Held(movable));
        }
    }

    /// [`Checker::hide`](crate::Checker::hide) and [`Checker::show`](crate::Checker::show).
    pub(crate) fn set_hidden(&mut self, body: BodyId, hidden: bool) -> Result<(), ChangeFault> {
        let movable = self.find_movable(body)?;
        if self.is_hidden(movable) == hidden {
            let body = name(self.world, body);
            return Err(if hidden { ChangeFault::Hidden { body } } else { ChangeFault::NotHidden { body } });
        }
        if let Some(placements) = &mut self.placements {
            placements.set_hidden(movable, hidden);
        }
        self.put_again(movable);
        self.count_pairs();
        Ok(())
    }

    /// [`Checker::allow_contact`](crate::Checker::allow_contact) and
    /// [`Checker::check_again`](crate::Checker::check_again).
    pub(crate) fn set_allowed(&mut self, [a, b]: [BodyId; 2], allowed: bool) -> Result<(), ChangeFault> {
        self.check_body_known(a)?;
        self.check_body_known(b)?;
        let (first, second) = order_pair(a, b);
        let names = || [a, b].map(|id| name(self.world, id));
        let Some(pair) = self.world.checks.pairs.find_pair(BodyPair { a: first, b: second }) else {
            let [a, b] = names();
            return Err(ChangeFault::NeverChecked { a, b });
        };
        if allowed && self.allowed_now.free_count() == 0 {
            return Err(ChangeFault::TooManyAllowed);
        }
        if allowed {
            self.allowed_now.allow_pair(pair, AllowedBy::User);
        } else if !self.allowed_now.forbid_pair(pair) {
            let [a, b] = names();
            return Err(ChangeFault::NotAllowed { a, b });
        }
        self.count_pairs();
        Ok(())
    }

    /// Takes over from another pose of the same world, or of the one that this is drawn back from, where
    /// movable bodies are, who carries them, and which pairs are allowed. False for one of another world,
    /// from which nothing is taken. Allocates nothing.
    pub(crate) fn copy_state_from(&mut self, other: &Pose) -> bool {
        if !core::ptr::eq(self.world, other.world) && !self.world.is_drawn_back_from(other.world) {
            return false;
        }
        self.allowed_now.copy_from(&other.allowed_now);
        self.checked_pair_count = other.checked_pair_count;
        self.take_bodies(other);
        true
    }

    /// Takes over joint values and all that changed from a pose of a world that this one is an edit of, or
    /// the other way round. A pair that was allowed stays so if both of its bodies are still there; what was
    /// replaced, or came under an old name, is checked, but for what the description lets a body touch.
    pub(crate) fn take_over(&mut self, other: &Pose) {
        // They were accepted there, and the joints are the same.
        let accepted = self.set_with(other.values(), SetOptions { ignore_limits: true });
        debug_assert!(accepted.is_ok());
        self.allowed_now = AllowedNow::new();
        for (pair, by) in other.allowed_now.entries() {
            let stays = |b: &BodyPair| [b.a, b.b].iter().all(|id| is_same(self.world, other.world, *id));
            let bodies = other.world.checks.pairs.get(pair);
            let touched = bodies.and_then(|b| self.find_touch_pair(b, by, other.world));
            let bodies = touched.or(bodies.filter(stays));
            if let Some(pair) = bodies.and_then(|b| self.world.checks.pairs.find_pair(b)) {
                self.allowed_now.allow_pair(pair, by);
            }
        }
        self.take_bodies(other);
        self.count_pairs();
    }

    /// The pair that a pair of another edit of the world is here, if the description lets the two touch: what
    /// it names may have been replaced, and has the same place in the list.
    fn find_touch_pair(&self, pair: BodyPair, by: AllowedBy, theirs: &World) -> Option<BodyPair> {
        let AllowedBy::Held(movable) = by else { return None };
        let body = theirs.checks.pairs.movable.movable[movable as usize];
        let other = if pair.a == body { pair.b } else { pair.a };
        let [mine, theirs] =
            [self.world, theirs].map(|world| world.movables.carriers[movable as usize].as_ref());
        let at = theirs?.touch.iter().position(|touched| *touched == other)?;
        let (a, b) = order_pair(body, *mine?.touch.get(at)?);
        Some(BodyPair { a, b })
    }

    /// Takes over where movable bodies are, who carries them, what fills spare places, and what was seen.
    fn take_bodies(&mut self, other: &Pose) {
        debug_assert_eq!(self.clouds.len(), other.clouds.len());
        for (mine, theirs) in self.clouds.iter_mut().zip(&other.clouds) {
            mine.copy_from(theirs);
        }
        if let (Some(mine), Some(theirs)) = (&mut self.placements, &other.placements) {
            mine.copy_from(theirs);
        }
        self.take_spares(other);
        let steps = self.world.kinematics.steps.len();
        for movable in 0..self.frames.len() - steps {
            let frame = steps + movable;
            let at = other.frames[frame].as_transform();
            self.set_frame(movable as u32, &at, &Vec3::ZERO, other.errors[frame]);
        }
        self.update_carried();
    }

    /// Where movable bodies are, if there are any.
    pub(crate) fn placements(&self) -> Option<&Placements> {
        self.placements.as_ref()
    }

    /// The tree over the movable bodies, if there are any; it may be behind.
    pub(crate) fn movable_tree(&self) -> Option<&WideTree> {
        self.movable_boxes.as_ref().map(|boxes| boxes.tree())
    }

    /// The tree over the movable bodies is built again for the next question.
    pub(crate) fn forget_movable_boxes(&mut self) {
        if let Some(boxes) = &mut self.movable_boxes {
            boxes.mark_old();
        }
    }

    /// Brings the tree over the movable bodies up to date, and hands it out, for [`Pose::give_boxes`].
    pub(crate) fn take_boxes(&mut self) -> Option<Box<MovableBoxes>> {
        let mut boxes = self.movable_boxes.take()?;
        boxes.refresh_tree();
        Some(boxes)
    }

    /// Takes the tree back.
    pub(crate) fn give_boxes(&mut self, boxes: Box<MovableBoxes>) {
        self.movable_boxes = Some(boxes);
    }
}
