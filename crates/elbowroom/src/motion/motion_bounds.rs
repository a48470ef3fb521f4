//! How far a body can move per change of each joint value, whatever the other joints do.
//!
//! A turn by `a` moves a point by at most `min(a, 2)` times its distance from the axis. For the points of a
//! body, that distance is at most the lever arm. It is taken from a ball that contains all that the body can
//! sweep with the joints between ([`super::swept`]): the distance of its centre from the axis, plus its
//! radius. A slide moves every point by its own change. Joints are changed one after the other, so their
//! bounds add up.
//!
//! For two bodies only the joints count that carry one of them and not the other.

use super::ranges::ranges;
use super::swept::{axis, sweep_ball};
use crate::bounds::Ball;
use crate::model::id::{BodyId, StepId};
use crate::model::step::Motion;
use crate::model::world::World;
use crate::motion::tolerance::{MAX_LEVERS, MOTION_FACTOR, QUATERNION_TURN, SWEEP_ROUNDING};
use crate::pose::frames::Pose;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::{Vec3, sqrt};

/// A degree of freedom: what one number of a joint moves; for a quaternion, what four numbers turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dof {
    /// The step that it belongs to.
    pub step: StepId,
    /// Index of its value, or of the first of four.
    pub value: u32,
    /// Radians or metres per unit of the value; not negative.
    pub scale: f64,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// About this unit axis through the origin of the child's frame, in that frame.
    Turn(Vec3),
    Slide,
    /// About any axis through the origin of the child's frame: four numbers of a quaternion.
    Spin,
}

impl Dof {
    /// The most that it moves a point when values change by at most `change`: a slide in metres, a turn in
    /// metres of chord per metre of lever arm.
    #[inline]
    pub fn amount(&self, change: &[f64]) -> f64 {
        let i = self.value as usize;
        match self.kind {
            Kind::Turn(_) => (self.scale * change[i].abs()).min(2.0),
            Kind::Slide => self.scale * unbounded(change[i]),
            Kind::Spin => {
                let squares: f64 = change[i..i + 4].iter().map(|c| c * c).sum();
                (QUATERNION_TURN * sqrt(squares)).min(2.0)
            }
        }
    }
}

/// How much a number changes at most: NaN says nothing, so it becomes infinity.
#[inline]
fn unbounded(change: f64) -> f64 {
    if change.is_nan() { f64::INFINITY } else { change.abs() }
}

/// How far bodies can move for a change of joint values (metres). Computed once, read by all threads.
///
/// Where a distance is larger than the approach that a change allows, there is no contact.
///
/// ```
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::motion::bounds::MotionBounds;
/// use elbowroom::{Checker, Question, World};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0).
/// let world = World::compile(&rod_and_post())?;
/// let bounds = MotionBounds::new(&world);
/// let (arm, post) = (world.body_by_name("rod/arm").unwrap(), world.body_by_name("world/post").unwrap());
/// // Its farthest point is 1.1 m from the axis: a tenth of a radian moves it by 0.11 m.
/// assert!((bounds.moved(arm, &[0.1]) - 0.11).abs() < 1e-9);
///
/// let mut checker = Checker::new(&world);
/// checker.set(&[0.0])?;
/// let distance = checker.ask(&Question::distance()).interval.lower;
/// // From wherever the rod is, and from where it is now: a radian either way is safe.
/// assert!(bounds.approach(arm, post, &[1.0]) < distance);
/// assert!(bounds.approach_from(&checker, [arm, post], &[1.0]) < distance);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MotionBounds<'w> {
    pub(crate) world: &'w World,
    pub(crate) dofs: Vec<Dof>,
    /// By body, the range `first[body]..first[body + 1]` of `chain` and `lever`: the dofs from the base to
    /// the body, and its lever arm about each (metres; 1 for slides).
    first: Vec<u32>,
    chain: Vec<u32>,
    lever: Vec<f64>,
    /// Bodies whose chain did not fit in the table, and movable bodies: nothing is known of them that holds
    /// at all poses.
    lost: Vec<bool>,
    /// By value, the most that any two bodies approach each other per unit of it (metres).
    gain: Vec<f64>,
}

impl<'w> MotionBounds<'w> {
    /// Over all values that joints can have.
    pub fn new(world: &'w World) -> MotionBounds<'w> {
        let ranges = ranges(world);
        let (mut dofs, mut own) = (Vec::new(), vec![0..0_u32; world.solids.bodies.len()]);
        for (number, step) in world.kinematics.steps.iter().enumerate() {
            let first = dofs.len() as u32;
            let mut dof = |value: usize, scale: f64, kind: Kind| {
                dofs.push(Dof { step: StepId(number as u32), value: value as u32, scale: scale.abs(), kind });
            };
            match step.motion {
                Motion::Fixed => {}
                // A mimic with factor zero stands still.
                _ if step.scale == 0.0 => {}
                Motion::Slide(_) => dof(step.value, step.scale, Kind::Slide),
                Motion::Planar { axis, .. } => {
                    dof(step.value, 1.0, Kind::Slide);
                    dof(step.value + 1, 1.0, Kind::Slide);
                    dof(step.value + 2, 1.0, Kind::Turn(axis));
                }
                Motion::Floating => {
                    (0..3).for_each(|i| dof(step.value + i, 1.0, Kind::Slide));
                    dof(step.value + 3, 1.0, Kind::Spin);
                }
                Motion::TurnX | Motion::TurnY | Motion::TurnZ | Motion::Turn(_) => {
                    if let Some(axis) = axis(&step.motion) {
                        dof(step.value, step.scale, Kind::Turn(axis));
                    }
                }
            }
            own[step.child.index()] = first..dofs.len() as u32;
        }
        let mut bounds = MotionBounds {
            world,
            dofs,
            first: vec![0],
            chain: Vec::new(),
            lever: Vec::new(),
            lost: world.checks.rules.bodies.iter().map(|facts| facts.movable).collect(),
            gain: vec![0.0; world.kinematics.dof_names.len()],
        };
        for body in 0..world.solids.bodies.len() {
            let begin = bounds.chain.len();
            let mut ball = world.solids.ball_of(BodyId(body as u32));
            let mut at = body;
            while let Some(step) = world.kinematics.step_of(BodyId(at as u32)) {
                if bounds.chain.len() > MAX_LEVERS {
                    bounds.lost[body] = true;
                    break;
                }
                // From the body to the base; reversed below.
                for dof in own[at].clone().rev() {
                    let lever = ball.as_ref().map_or(0.0, |b| bounds.dofs[dof as usize].lever_in_child(b));
                    bounds.chain.push(dof);
                    bounds.lever.push(lever);
                }
                ball = ball.map(|b| sweep_ball(&b, step, &ranges));
                at = step.parent.index();
            }
            if bounds.lost[body] {
                bounds.chain.truncate(begin);
                bounds.lever.truncate(begin);
            }
            bounds.chain[begin..].reverse();
            bounds.lever[begin..].reverse();
            bounds.first.push(bounds.chain.len() as u32);
        }
        bounds.gains();
        bounds
    }

    fn gains(&mut self) {
        let mut most = vec![0.0_f64; self.dofs.len()];
        for (dof, lever) in self.chain.iter().zip(&self.lever) {
            most[*dof as usize] = most[*dof as usize].max(*lever);
        }
        for (dof, lever) in self.dofs.iter().zip(most) {
            match dof.kind {
                // The change of a quaternion is at most the sum of the changes of its four numbers.
                Kind::Spin => {
                    for i in 0..4 {
                        self.gain[dof.value as usize + i] += QUATERNION_TURN * lever * MOTION_FACTOR;
                    }
                }
                _ => self.gain[dof.value as usize] += dof.scale * lever * MOTION_FACTOR,
            }
        }
        if self.lost.contains(&true) {
            self.gain.fill(f64::INFINITY);
        }
    }

    /// The dofs that move a body. The pose says who carries it. `None` if nothing is known of the body.
    #[inline]
    pub(crate) fn carried(&self, pose: &Pose, body: BodyId) -> Option<&[u32]> {
        match pose.hangs_on(body) {
            Some(link) => self.chain(link),
            None => Some(&[]),
        }
    }

    /// The dofs between the base and a body; `None` if nothing is known of it.
    #[inline]
    pub(crate) fn chain(&self, body: BodyId) -> Option<&[u32]> {
        let i = body.index();
        if *self.lost.get(i)? {
            None
        } else {
            Some(&self.chain[self.first[i] as usize..self.first[i + 1] as usize])
        }
    }

    /// Counts what a dof adds for its joint value.
    #[inline]
    pub(crate) fn add(&self, dof: u32, add: f64, adds: &mut [f64]) {
        adds[self.dofs[dof as usize].value as usize] += add;
    }

    fn levers(&self, body: BodyId) -> &[f64] {
        let i = body.index();
        &self.lever[self.first[i] as usize..self.first[i + 1] as usize]
    }

    /// How far any point of a body can move against the cell while the joint values change by at most
    /// `change` (absolute, by value; radians and metres), from and to any values within limits (metres). NaN
    /// counts as a change without end: a joint that turns still moves no point farther than to its other
    /// side, one that slides moves it without end. Infinite for a movable body, and for a number that this
    /// world does not have. A number of another world means something else here.
    pub fn moved(&self, body: BodyId, change: &[f64]) -> f64 {
        self.along(body, change, 0)
    }

    /// How much nearer two bodies can come to each other for such a change of values (metres). NaN and
    /// numbers are taken as by [`MotionBounds::moved`].
    pub fn approach(&self, a: BodyId, b: BodyId, change: &[f64]) -> f64 {
        let (Some(ca), Some(cb)) = (self.chain(a), self.chain(b)) else { return f64::INFINITY };
        let common = common(ca, cb);
        self.along(a, change, common) + self.along(b, change, common)
    }

    /// How much nearer any two bodies can come to each other for such a change of values (metres). Infinite
    /// in a world with movable bodies. Infinite for NaN, unless no body moves by that joint value.
    pub fn approach_of_any(&self, change: &[f64]) -> f64 {
        if change.len() != self.gain.len() {
            return f64::INFINITY;
        }
        // Zero times what is without end: nothing moves.
        let none = |gain: f64, change: f64| gain == 0.0 || change == 0.0;
        let product = |(g, c): (&f64, &f64)| if none(*g, *c) { 0.0 } else { g * unbounded(*c) };
        self.gain.iter().zip(change).map(product).sum::<f64>() * MOTION_FACTOR
    }

    /// How much nearer two bodies come, at most, for each unit of a joint value: the sum of these gains times
    /// the changes is at least their approach. `each` is given values and gains, a value once for each of the
    /// degrees of freedom that it moves.
    pub(crate) fn gains_of(&self, [a, b]: [BodyId; 2], mut each: impl FnMut(usize, f64)) {
        let (Some(ca), Some(cb)) = (self.chain(a), self.chain(b)) else { return each(0, f64::INFINITY) };
        let common = common(ca, cb);
        for (body, chain) in [(a, ca), (b, cb)] {
            for (dof, lever) in chain.iter().zip(self.levers(body)).skip(common) {
                let dof = &self.dofs[*dof as usize];
                match dof.kind {
                    Kind::Turn(_) | Kind::Slide => {
                        each(dof.value as usize, dof.scale * lever * MOTION_FACTOR);
                    }
                    Kind::Spin => each(dof.value as usize, f64::INFINITY),
                }
            }
        }
    }

    fn along(&self, body: BodyId, change: &[f64], from: usize) -> f64 {
        let (Some(chain), true) = (self.chain(body), change.len() == self.gain.len()) else {
            return f64::INFINITY;
        };
        let mut sum = 0.0;
        for (dof, lever) in chain.iter().zip(self.levers(body)).skip(from) {
            let amount = self.dofs[*dof as usize].amount(change);
            // Zero times an infinite lever arm is zero, and so is an infinite amount of no lever arm.
            if amount <= 0.0 || *lever == 0.0 {
                continue;
            }
            sum += amount * lever;
        }
        sum * MOTION_FACTOR
    }
}

/// How many dofs carry both bodies.
#[inline]
pub(crate) fn common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

impl Dof {
    /// The lever arm of a ball (in the child's frame): the largest distance of its points from the axis; 1
    /// for slides.
    fn lever_in_child(&self, ball: &Ball) -> f64 {
        if ball.radius == f64::INFINITY && !matches!(self.kind, Kind::Slide) {
            return f64::INFINITY;
        }
        let arm = ball.center.norm();
        let lever = match self.kind {
            Kind::Slide => return 1.0,
            Kind::Turn(axis) => axis.cross(ball.center).norm() + ball.radius,
            Kind::Spin => arm + ball.radius,
        };
        lever + SWEEP_ROUNDING * (arm + ball.radius)
    }
}
