//! Changes while a world is asked: [`Checker::place`] and its kin.

use crate::model::id::{BodyId, PairId};
use crate::model::movable_pairs::MovablePartner;
use crate::model::pairs::PairStatus;
use crate::pose::{ChangeFault, SpareShape};
use crate::query::checker::Checker;
use crate::query::workspace::Workspace;
use alloc::vec::Vec;
use elbowroom_describe::math::Transform;

impl Checker<'_> {
    /// Puts a movable body somewhere else (world frame). What it carries moves with it. It rests there: it is
    /// checked against the bodies that joints move and against what links carry, but not against fixed bodies
    /// or other bodies at rest. Nothing is allocated.
    ///
    /// A change applies to this checker alone: the world stays as it was compiled, and other checkers do not
    /// know of it. It holds at every pose until another change ends it.
    ///
    /// # Errors
    /// The body is not movable, or is carried, or the pose is not a rigid transform. Everything stays as it
    /// was.
    ///
    /// ```
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::math::{Transform, vec3};
    /// use elbowroom::{Checker, Question, Verdict, World};
    ///
    /// // The rod of the crate's first example, and a post that can be moved.
    /// let mut description = rod_and_post();
    /// description.obstacles[0].movable = true;
    /// let world = World::compile(&description)?;
    /// let [arm, post] = ["rod/arm", "world/post"].map(|name| world.body_by_name(name).expect(name));
    /// let mut checker = Checker::new(&world);
    /// assert_eq!(checker.ask(&Question::distance()).verdict, Verdict::Clear);
    ///
    /// // Where the rod is now.
    /// checker.place(post, &Transform::from_translation(vec3(1.0, 0.0, 0.0)))?;
    /// assert_eq!(checker.ask(&Question::test()).verdict, Verdict::Collision);
    ///
    /// // On the rod's other side, carried by it: it moves with the rod, and the two may touch.
    /// checker.place(post, &Transform::from_translation(vec3(-1.0, 0.0, 0.0)))?;
    /// checker.attach(post, arm, &[])?;
    /// checker.set(&[std::f64::consts::FRAC_PI_2])?;
    /// let at = checker.body_in_world(post).expect("a body of this world").translation;
    /// assert!((at - vec3(0.0, -1.0, 0.0)).norm() < 1e-15);
    /// // Nothing else is there, so no pair is left and nothing is proved.
    /// assert_eq!(checker.ask(&Question::distance()).verdict, Verdict::Unknown);
    ///
    /// // Let go, it stays where it is.
    /// checker.detach(post)?;
    /// checker.set(&[0.0])?;
    /// assert!(checker.ask(&Question::distance()).interval.contains(2.0_f64.sqrt() - 0.3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn place(&mut self, body: BodyId, body_in_world: &Transform) -> Result<(), ChangeFault> {
        self.space.pose.place_body(body, body_in_world)
    }

    /// Attaches a movable body to a carrier, from where both are now. The carrier is a link or another
    /// movable body; the body then moves with it. Once a link carries the body, directly or through other
    /// bodies, it counts as a part of that link: it is checked against everything that can move relative to
    /// the link, fixed bodies and bodies at rest included. `touch` names bodies that it may touch while it is
    /// carried. A rule that allows a pair of the link itself, such as that of two neighbours, does not hold
    /// for what the link carries: name such bodies in `touch`. Nothing is allocated.
    ///
    /// # Errors
    /// The body is not movable, is carried already, would carry itself, or too many pairs are allowed.
    /// Everything stays as it was.
    pub fn attach(&mut self, body: BodyId, carrier: BodyId, touch: &[BodyId]) -> Result<(), ChangeFault> {
        self.space.pose.attach_body(body, carrier, None, touch)
    }

    /// [`Checker::attach`] at a pose in the carrier's frame, wherever the body was: a gripper knows how it
    /// holds a part. The columns of the pose's matrix are made orthonormal.
    ///
    /// # Errors
    /// As [`Checker::attach`], and a pose that is not rigid. Everything stays as it was.
    pub fn attach_at(
        &mut self,
        body: BodyId,
        carrier: BodyId,
        body_in_carrier: &Transform,
        touch: &[BodyId],
    ) -> Result<(), ChangeFault> {
        self.space.pose.attach_body(body, carrier, Some(body_in_carrier), touch)
    }

    /// Lets a carried body go: it rests where it is now.
    ///
    /// # Errors
    /// The body is not movable, or not carried. Everything stays as it was.
    pub fn detach(&mut self, body: BodyId) -> Result<(), ChangeFault> {
        self.space.pose.detach_body(body)
    }

    /// Ends what a body may touch while it is carried, as its attachment said: from now on it is checked
    /// against these bodies too, at the place where it is.
    ///
    /// # Errors
    /// The body is not movable. Everything stays as it was.
    pub fn end_touch(&mut self, body: BodyId) -> Result<(), ChangeFault> {
        self.space.pose.end_touch(body)
    }

    /// Moves a carried body along the joint that its description gives it on its carrier
    /// ([`DoorDescription`](elbowroom_describe::DoorDescription)): the door of a box is opened or closed to a
    /// value (radians or metres). What it carries moves with it.
    ///
    /// # Errors
    /// The body has no such joint now, or the value is outside its limits. Everything stays as it was.
    ///
    /// ```
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::describe::{Attachment, DoorDescription, JointKind, JointLimits};
    /// use elbowroom::math::{Transform, Vec3};
    /// use elbowroom::{Checker, World};
    ///
    /// // The post of the crate's first example can be moved; its lid is another ball, which lifts off it.
    /// let mut description = rod_and_post();
    /// description.obstacles[0].movable = true;
    /// let mut lid = description.obstacles[0].clone();
    /// (lid.name, lid.pose) = ("lid".into(), Transform::IDENTITY);
    /// lid.attached_to = Some(Attachment { body: "world/post".into(), touch: vec![] });
    /// description.obstacles.push(lid);
    /// let limits = JointLimits { lower: 0.0, upper: 0.5 };
    /// let (body, kind) = ("world/lid".to_string(), JointKind::Prismatic);
    /// description.doors.push(DoorDescription { body, kind, axis: Vec3::Z, limits });
    /// let world = World::compile(&description)?;
    /// let lid = world.body_by_name("world/lid").expect("it is there");
    /// let mut checker = Checker::new(&world);
    /// checker.set_door(lid, 0.2)?;
    /// assert_eq!(checker.body_in_world(lid).expect("it is there").translation.z, 0.2);
    /// assert!(checker.set_door(lid, 0.6).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_door(&mut self, body: BodyId, value: f64) -> Result<(), ChangeFault> {
        self.space.pose.set_door(body, value)
    }

    /// Takes a movable body out of the cell: it is checked against nothing until [`Checker::show`]. It keeps
    /// its place and its carrier, and moves with the carrier.
    ///
    /// # Errors
    /// The body is not movable, or is hidden already. Everything stays as it was.
    pub fn hide(&mut self, body: BodyId) -> Result<(), ChangeFault> {
        self.space.pose.set_hidden(body, true)
    }

    /// Ends [`Checker::hide`].
    ///
    /// # Errors
    /// The body is not movable, or not hidden. Everything stays as it was.
    pub fn show(&mut self, body: BodyId) -> Result<(), ChangeFault> {
        self.space.pose.set_hidden(body, false)
    }

    /// Fills a spare place ([`SpareDescription`](elbowroom_describe::SpareDescription)) with a shape. What
    /// was in it before is gone. The place stays where it is, on its carrier if it has one, and what it may
    /// touch or is allowed stays too. Nothing is allocated: the checker shares the shape.
    ///
    /// # Errors
    /// The body is no spare place, or the shape has more corners than there is room for. Everything stays as
    /// it was.
    ///
    /// ```
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::describe::{PlacedShape, ShapeDescription, SpareDescription};
    /// use elbowroom::math::{Transform, vec3};
    /// use elbowroom::pose::SpareShape;
    /// use elbowroom::{Checker, Question, World};
    ///
    /// // The rod of the crate's first example, the post at (0, 1, 0), and a place for a part.
    /// let mut description = rod_and_post();
    /// description.spares.push(SpareDescription { name: "part".into(), corners: 64 });
    /// let world = World::compile(&description)?;
    /// let part = world.body_by_name("world/part").expect("it is there");
    /// let mut checker = Checker::new(&world);
    /// let pairs = checker.checked_pair_count();
    ///
    /// // A box that a camera found, 0.4 m in front of the rod's end.
    /// let shape = ShapeDescription::Box { size: [0.2; 3] };
    /// let shape_in_body = Transform::IDENTITY;
    /// let found = PlacedShape { name: String::new(), shape_in_body, shape, padding: 0.0 };
    /// checker.insert_obstacle(part, &SpareShape::new(&found)?)?;
    /// checker.place(part, &Transform::from_translation(vec3(1.6, 0.0, 0.0)))?;
    /// assert_eq!(checker.checked_pair_count(), pairs + 1);
    /// assert!(checker.ask(&Question::distance()).interval.contains(0.4));
    ///
    /// checker.remove_obstacle(part)?;
    /// assert_eq!(checker.checked_pair_count(), pairs);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert_obstacle(&mut self, body: BodyId, shape: &SpareShape) -> Result<(), ChangeFault> {
        let spare = self.space.pose.fill_spare(body, shape)?;
        self.space.forget_spare(spare);
        Ok(())
    }

    /// Takes out what fills a spare place: it is checked against nothing until it is filled again. It keeps
    /// its place, its carrier, and what it may touch or is allowed.
    ///
    /// # Errors
    /// The body is no spare place, or is empty already. Everything stays as it was.
    pub fn remove_obstacle(&mut self, body: BodyId) -> Result<(), ChangeFault> {
        let spare = self.space.pose.empty_spare(body)?;
        self.space.forget_spare(spare);
        Ok(())
    }

    /// The shape that fills a spare place now; `None` where it is empty, and for all other bodies.
    pub fn inserted_obstacle(&self, body: BodyId) -> Option<&SpareShape> {
        self.space.pose.filled_shape(body)
    }

    /// Replaces the points of a cloud (metres, world frame); each point counts as a ball. Until a cloud is
    /// given points, nothing is known of what is there, and no pose is clear. Allocates nothing.
    ///
    /// # Errors
    /// The body is no cloud; there is no point, or there are too many; or a point is not finite. The points
    /// before stay.
    ///
    /// ```
    /// use elbowroom::describe::CloudDescription;
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::{Checker, Question, Verdict, World};
    ///
    /// // The rod of the crate's first example, and what a camera sees: points with a radius of a centimetre.
    /// let mut description = rod_and_post();
    /// description.clouds.push(CloudDescription { name: "scan".into(), radius: 0.01, capacity: 1000 });
    /// let world = World::compile(&description)?;
    /// let scan = world.body_by_name("world/scan").expect("it is there");
    /// let mut checker = Checker::new(&world);
    /// assert_eq!(checker.ask(&Question::distance()).verdict, Verdict::Unknown);
    ///
    /// // The rod's end reaches to x = 1.1. The camera sees a wall at x = 1.5: 30 by 30 points, 0.1 m apart.
    /// let mut wall = Vec::new();
    /// for row in 0..30 {
    ///     for column in 0..30 {
    ///         wall.push([1.5, 0.1 * f64::from(column) - 1.5, 0.1 * f64::from(row) - 1.5]);
    ///     }
    /// }
    /// checker.update_cloud(scan, &wall)?;
    /// let answer = checker.ask(&Question::distance());
    /// assert!(answer.interval.contains(0.39), "{:?}", answer.interval);
    /// assert_eq!(world.pair_names(answer.pair.expect("it was asked")), Some(["rod/arm", "world/scan"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update_cloud(&mut self, cloud: BodyId, points: &[[f64; 3]]) -> Result<(), ChangeFault> {
        self.space.pose.update_cloud_points(cloud, points)
    }

    /// Finds the points of a cloud that are at most `within` (metres) from a body that joints move, or from
    /// what links carry, at this pose. These are the points where a camera saw the robot itself. `own` is
    /// overwritten with the number of each such point, in the order in which points were given, and with a
    /// body near it. A point near several bodies comes once. All other points are farther away. Bodies that
    /// are not checked against the cloud count too. Nothing is allocated if `own` has room. Where `within` is
    /// negative, it is a depth: found are points that are proved to be at least that deep in one shape. In a
    /// dented body a depth is only bracketed, so points that are a little deeper than that may be left out.
    ///
    /// # Errors
    /// The body is no cloud.
    ///
    /// ```
    /// use elbowroom::describe::CloudDescription;
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::{Checker, World};
    ///
    /// let mut description = rod_and_post();
    /// description.clouds.push(CloudDescription { name: "scan".into(), radius: 0.01, capacity: 1000 });
    /// let world = World::compile(&description)?;
    /// let [arm, scan] = ["rod/arm", "world/scan"].map(|name| world.body_by_name(name).expect(name));
    /// let mut checker = Checker::new(&world);
    ///
    /// // The rod's end is at x = 1.1: two points are on it, one is not.
    /// let mut points = vec![[1.11, 0.0, 0.0], [1.5, 0.0, 0.0], [0.95, 0.0, 0.1]];
    /// checker.update_cloud(scan, &points)?;
    /// let mut own = Vec::with_capacity(1000);
    /// checker.find_self_points(scan, 0.03, &mut own)?;
    /// assert_eq!(own, [(0, arm), (2, arm)]);
    /// own.iter().rev().for_each(|(point, _)| drop(points.swap_remove(*point)));
    /// checker.update_cloud(scan, &points)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_self_points(
        &mut self,
        cloud: BodyId,
        within: f64,
        own: &mut Vec<(usize, BodyId)>,
    ) -> Result<(), ChangeFault> {
        own.clear();
        let number = self.space.pose.find_cloud(cloud)?;
        let Workspace { pose, clouds, .. } = &mut self.space;
        let Some(work) = clouds else { return Ok(()) };
        work.clear();
        let moving = (0..pose.world.checks.pairs.movable.moving.len() as u32).map(MovablePartner::Moving);
        let held = pose.placements().into_iter().flat_map(|placements| &placements.held);
        for partner in moving.chain(held.map(|other| MovablePartner::Movable(*other))) {
            work.add(pose.world, partner);
        }
        // NaN is no distance, so no point is within it.
        if within.is_nan() {
            return Ok(());
        }
        let sort = |own: &mut Vec<(usize, BodyId)>| {
            own.sort_unstable();
            own.dedup_by_key(|(point, _)| *point);
        };
        work.each_within(pose, number, within, |point, body| {
            // A point that is near several shapes comes several times. Where the list is full, sorting it
            // drops the duplicates.
            if own.len() == own.capacity() {
                sort(own);
            }
            own.push((point as usize, body));
        });
        sort(own);
        Ok(())
    }

    /// Stops checking a pair that the world checks, until [`Checker::check_again`].
    ///
    /// # Errors
    /// The world never checks the pair, or too many pairs are allowed. Everything stays as it was.
    pub fn allow_contact(&mut self, a: BodyId, b: BodyId) -> Result<(), ChangeFault> {
        self.space.pose.set_allowed([a, b], true)
    }

    /// Ends [`Checker::allow_contact`].
    ///
    /// # Errors
    /// The pair was not allowed by it. Everything stays as it was.
    pub fn check_again(&mut self, a: BodyId, b: BodyId) -> Result<(), ChangeFault> {
        self.space.pose.set_allowed([a, b], false)
    }

    /// Who carries a movable body now; `None` for all other bodies.
    pub fn carrier(&self, body: BodyId) -> Option<BodyId> {
        self.space.pose.carrier_body(body)
    }

    /// Whether two bodies are checked against each other now, and if not, why.
    /// [`World::status`](crate::World::status) tells whether they can be. `None` for the same body twice, and
    /// for a number that this world does not have.
    pub fn status(&self, a: BodyId, b: BodyId) -> Option<PairStatus<'_>> {
        self.space.pose.pair_status(a, b)
    }

    /// Whether a pair of the world is checked now; `None` for a number that this world does not have.
    pub fn is_checked(&self, pair: PairId) -> Option<bool> {
        self.space.pose.is_checked(pair)
    }

    /// How many pairs are checked now.
    pub fn checked_pair_count(&self) -> usize {
        self.space.pose.checked_pair_count()
    }
}
