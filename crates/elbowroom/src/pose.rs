//! All that moves: joint values, body poses, balls, and the memory of the last queries. One for each thread.
//!
//! A pose is made once for a world and allocates everything then. [`Pose::set`] refuses values that are not a
//! configuration of the world and leaves the pose as it was; it never clamps.

use crate::bounds::lanes::CapsuleRecord;
use crate::bounds::{AlignedBox, Ball, Capsule};
use crate::check::CrowdWork;
use crate::fault::Numeral;
use crate::id::{BodyId, ShapeId};
use crate::kinematics::sines::sines;
use crate::kinematics::{Motion, PoseError};
use crate::math::{Transform, sqrt};
use crate::narrow::{Scratch, Warm};
use crate::tolerance::{
    CROWD_MEMORY, LIMIT_ROUNDING, MAX_COORDINATE, NORM_ROUNDING, QUATERNION_DEFECT, TURN_OF_PRODUCT,
};
use crate::world::{ValueKind, World};
use alloc::{string::String, vec, vec::Vec};
use core::fmt;

/// What [`Pose::set_with`] lets pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetOptions {
    /// Accept values outside their joints' limits.
    pub ignore_limits: bool,
}

/// Why joint values are refused.
#[derive(Clone, Debug, PartialEq)]
pub enum PoseFault {
    /// The pose was made for another world.
    OtherWorld,
    /// Too few or too many values.
    WrongCount {
        /// How many the world has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// Values that cannot be used: all of them.
    Values(Vec<ValueFault>),
}

/// A joint value that is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueFault {
    /// Full name of the value, or of the mimic joint whose limits are violated.
    pub name: String,
    /// The value (radians or metres).
    pub value: f64,
    /// What is wrong with it.
    pub problem: ValueProblem,
}

/// What is wrong with a joint value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueProblem {
    /// Outside these limits.
    OutOfLimits {
        /// Smallest allowed (radians or metres).
        lower: f64,
        /// Largest allowed.
        upper: f64,
    },
    /// NaN or infinite.
    NotFinite,
    /// A length or angle beyond [`MAX_COORDINATE`].
    TooLarge,
    /// First of four numbers that are no unit quaternion.
    NotAUnitQuaternion {
        /// Their length.
        length: f64,
    },
}

impl fmt::Display for PoseFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PoseFault::OtherWorld => {
                f.write_str("the pose was made for another world: make one for this world")
            }
            PoseFault::WrongCount { expected, given } => {
                write!(f, "{given} joint values were given, but the world has {expected}")
            }
            PoseFault::Values(faults) => {
                for (i, fault) in faults.iter().enumerate() {
                    write!(f, "{}{fault}", if i == 0 { "" } else { "; " })?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for ValueFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ValueFault { name, value, problem } = self;
        let value = Numeral(*value);
        match problem {
            ValueProblem::OutOfLimits { lower, upper } => {
                let (lower, upper) = (Numeral(*lower), Numeral(*upper));
                write!(f, "`{name}` is {value}, outside its limits {lower} to {upper}")
            }
            ValueProblem::NotFinite => write!(f, "`{name}` is {value}: it must be finite"),
            ValueProblem::TooLarge => write!(f, "`{name}` is {value}: it must be within {MAX_COORDINATE:e}"),
            ValueProblem::NotAUnitQuaternion { length } => {
                let length = Numeral(*length);
                write!(f, "`{name}` begins a quaternion of length {length}: it must have length 1")
            }
        }
    }
}

impl core::error::Error for PoseFault {}

/// The moving half of a [`World`].
#[derive(Clone, Debug)]
pub struct Pose {
    pub(crate) fingerprint: u64,
    values: Vec<f64>,
    body_in_cell: Vec<Transform>,
    errors: Vec<PoseError>,
    /// Angles of the turning joints, and their sines and cosines: work space.
    angles: Vec<f64>,
    sines: Vec<[f64; 2]>,
    /// True if `errors` are not the world's worst errors but those of the present values.
    own_errors: bool,
    /// In the cell frame, by body and by shape, widened by the error of their centres.
    pub(crate) body_balls: Vec<Ball>,
    pub(crate) shape_balls: Vec<Ball>,
    /// By `World::capsules`, in the cell frame.
    pub(crate) records: Vec<CapsuleRecord>,
    /// What shape queries remember, by `World::memory`.
    pub(crate) memory: Vec<Warm>,
    pub(crate) scratch: Scratch,
    /// Lower bound of each checked pair, and the pairs still to be looked at: work space of queries.
    pub(crate) bounds: Vec<f64>,
    pub(crate) open: Vec<(f64, u32)>,
    pub(crate) crowd: Option<CrowdWork>,
    /// Which shapes the slots of `memory` are of that many pairs share, by slot.
    slots: Vec<[u32; 2]>,
}

impl Pose {
    /// A pose at the world's neutral values.
    pub fn new(world: &World) -> Pose {
        let mut pose = Pose {
            fingerprint: world.fingerprint,
            values: world.neutral_values(),
            body_in_cell: world.start_in_cell.clone(),
            errors: world.errors.clone(),
            angles: Vec::with_capacity(world.steps.len()),
            sines: vec![[0.0, 1.0]; world.steps.len()],
            own_errors: false,
            body_balls: vec![Ball::UNBOUNDED; world.bodies.len()],
            shape_balls: vec![Ball::UNBOUNDED; world.shapes.len()],
            records: vec![CapsuleRecord::new(&Capsule::UNBOUNDED); world.capsules.len()],
            memory: vec![Warm::default(); world.memory_size + world.pairs.crowds.len() * CROWD_MEMORY],
            scratch: Scratch::new(world.shapes.iter().map(|s| s.shape.mesh_depth()).max().unwrap_or(0)),
            bounds: vec![0.0; world.pairs.listed.len()],
            open: Vec::with_capacity(world.pairs.listed.len()),
            crowd: (!world.pairs.crowds.is_empty()).then(|| CrowdWork::new(world)),
            slots: vec![[u32::MAX; 2]; world.pairs.crowds.len() * CROWD_MEMORY],
        };
        pose.place(world, true);
        for body in 0..world.bodies.len() {
            pose.move_balls(world, BodyId(body as u32));
        }
        pose.move_capsules(world, world.capsules.len());
        pose
    }

    /// Moves everything to joint values (radians, metres; order of [`World::value_names`]). On a fault nothing moves.
    pub fn set(&mut self, world: &World, values: &[f64]) -> Result<(), PoseFault> {
        self.set_with(world, values, SetOptions::default())
    }

    /// [`Pose::set`] with options.
    pub fn set_with(&mut self, world: &World, values: &[f64], options: SetOptions) -> Result<(), PoseFault> {
        if self.fingerprint != world.fingerprint {
            return Err(PoseFault::OtherWorld);
        }
        if values.len() != world.value_names.len() {
            return Err(PoseFault::WrongCount { expected: world.value_names.len(), given: values.len() });
        }
        if !acceptable(world, values, options) {
            return Err(PoseFault::Values(value_faults(world, values, options)));
        }
        self.values.copy_from_slice(values);
        self.place(world, options.ignore_limits);
        for body in &world.moving {
            self.move_balls(world, *body);
        }
        self.move_capsules(world, world.moving.len());
        Ok(())
    }

    /// The joint values.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Where a body is, or `None` for a body or a pose of another world.
    pub fn body_in_world(&self, world: &World, body: BodyId) -> Option<Transform> {
        let in_cell =
            self.body_in_cell.get(body.index()).filter(|_| self.fingerprint == world.fingerprint)?;
        Some(Transform::new(in_cell.rotation, in_cell.translation + world.origin_in_world))
    }

    /// Forgets the last queries. Their memory never changes what is proved, only how fast and to which last digits:
    /// poses that must not depend on what was asked before start from here.
    pub fn forget(&mut self) {
        self.memory.fill(Warm::default());
    }

    /// The place in `memory` of two shapes, among a few from `first` on. What other shapes left there is forgotten.
    pub(crate) fn slot(&mut self, first: usize, shapes: [u32; 2]) -> usize {
        let at = first + (shapes[0] ^ shapes[1]) as usize % CROWD_MEMORY;
        let own = self.memory.len() - self.slots.len();
        let known = &mut self.slots[at - own];
        if *known != shapes {
            *known = shapes;
            self.memory[at] = Warm::default();
        }
        at
    }

    /// The pose of a body in the cell frame and its error.
    #[inline]
    pub(crate) fn body_at(&self, body: BodyId) -> (&Transform, &PoseError) {
        (&self.body_in_cell[body.index()], &self.errors[body.index()])
    }

    /// The pose of a shape in the cell frame and its error.
    #[inline]
    pub(crate) fn shape_in_cell(&self, world: &World, shape: ShapeId) -> (Transform, PoseError) {
        let shape = &world.shapes[shape.index()];
        let (body, error) = (&self.body_in_cell[shape.body.index()], &self.errors[shape.body.index()]);
        if shape.placed {
            (*body * shape.shape_in_body, error.then(shape.arm, shape.defect + TURN_OF_PRODUCT))
        } else {
            (*body, *error)
        }
    }

    /// Poses of all bodies from the values. The world's worst errors hold while limits hold; otherwise they are
    /// computed along.
    fn place(&mut self, world: &World, beyond_limits: bool) {
        // Sines of all angles at once: one after the other they would take most of the time.
        self.angles.clear();
        self.angles.extend(world.steps.iter().filter_map(|step| step.angle(&self.values)));
        sines(&self.angles, &mut self.sines);
        let mut next = self.sines.iter();
        for step in &world.steps {
            let turn = match step.motion {
                Motion::TurnX | Motion::TurnY | Motion::TurnZ | Motion::Turn(_) => {
                    next.next().map_or((0.0, 1.0), |&[s, c]| (s, c))
                }
                Motion::Fixed | Motion::Slide(_) | Motion::Planar { .. } | Motion::Floating => (0.0, 1.0),
            };
            let parent = self.body_in_cell[step.parent.index()];
            self.body_in_cell[step.child.index()] = step.place_turned(&parent, &self.values, turn);
        }
        if beyond_limits || !world.bounded {
            for step in &world.steps {
                let parent = self.errors[step.parent.index()];
                self.errors[step.child.index()] = step.error(parent, |i| self.values[i].abs());
            }
            self.own_errors = true;
        } else if core::mem::replace(&mut self.own_errors, false) {
            self.errors.copy_from_slice(&world.errors);
        }
    }

    /// A box around the body of a capsule, in the cell frame.
    #[inline]
    pub(crate) fn box_around(&self, world: &World, capsule: u32) -> AlignedBox {
        let of_body = &world.capsules[capsule as usize];
        of_body.around(&self.body_in_cell[of_body.body.index()], &self.records[capsule as usize])
    }

    /// Brings the first so many capsules to where their bodies are.
    fn move_capsules(&mut self, world: &World, count: usize) {
        for (of_body, record) in world.capsules[..count].iter().zip(&mut self.records) {
            let body = of_body.body.index();
            let radius = if self.own_errors {
                radius_placed(&of_body.capsule, &self.errors[body])
            } else {
                of_body.radius
            };
            *record = of_body.record.placed(&self.body_in_cell[body], radius);
        }
    }

    /// Brings the balls of a body and its shapes to where the body is.
    #[inline]
    fn move_balls(&mut self, world: &World, id: BodyId) {
        let body = &world.bodies[id.index()];
        let Some(around) = &body.ball else { return };
        let (at, error) = (self.body_in_cell[id.index()], self.errors[id.index()]);
        let radius = if self.own_errors { ball_radius(around, &error) } else { body.ball_radius };
        self.body_balls[id.index()] = Ball { center: at.point(around.center), radius };
        if body.shapes.len() == 1 {
            self.shape_balls[body.shapes.start as usize] = self.body_balls[id.index()];
        } else {
            for shape in body.shapes.start as usize..body.shapes.end as usize {
                let ball = &world.shapes[shape].ball;
                let radius = ball_radius(ball, &error);
                self.shape_balls[shape] = Ball { center: at.point(ball.center), radius };
            }
        }
    }
}

/// The radius of a ball of a body, in its frame, where the body is placed with such an error.
pub(crate) fn ball_radius(ball: &Ball, error: &PoseError) -> f64 {
    let arm = ball.center.x.abs() + ball.center.y.abs() + ball.center.z.abs();
    (ball.radius + error.of_point(arm)) * (1.0 + NORM_ROUNDING)
}

/// The same of a capsule, made ready.
pub(crate) fn radius_placed(capsule: &Capsule, error: &PoseError) -> f64 {
    let arm = capsule.a.norm().max(capsule.b.norm()) + capsule.radius;
    CapsuleRecord::radius_placed(capsule, error.reach, error.of_point(arm))
}

/// True if a pose can be set to these values: the same conditions as in [`value_faults`], without a list.
fn acceptable(world: &World, values: &[f64], options: SetOptions) -> bool {
    let good = |(i, kind): (usize, &ValueKind)| value_problem(*kind, i, values).is_none();
    world.value_kinds.iter().enumerate().all(good)
        && (options.ignore_limits
            || world.limits.iter().all(|l| {
                let value = l.scale * values[l.value] + l.offset;
                value >= l.lower - LIMIT_ROUNDING && value <= l.upper + LIMIT_ROUNDING
            }))
}

fn value_problem(kind: ValueKind, i: usize, values: &[f64]) -> Option<ValueProblem> {
    if !values[i].is_finite() {
        return Some(ValueProblem::NotFinite);
    }
    match kind {
        ValueKind::Length | ValueKind::Angle if values[i].abs() > MAX_COORDINATE => {
            Some(ValueProblem::TooLarge)
        }
        ValueKind::Quaternion => {
            let squares: f64 = values[i..i + 4].iter().map(|v| v * v).sum();
            let length = sqrt(squares);
            let good = (length - 1.0).abs() <= QUATERNION_DEFECT || length.is_nan();
            (!good).then_some(ValueProblem::NotAUnitQuaternion { length })
        }
        _ => None,
    }
}

#[cold]
fn value_faults(world: &World, values: &[f64], options: SetOptions) -> Vec<ValueFault> {
    let mut faults = Vec::new();
    for (i, kind) in world.value_kinds.iter().enumerate() {
        if let Some(problem) = value_problem(*kind, i, values) {
            faults.push(ValueFault { name: world.value_names[i].clone(), value: values[i], problem });
        }
    }
    let limits = world.limits.iter().filter(|l| !options.ignore_limits && values[l.value].is_finite());
    for l in limits {
        let value = l.scale * values[l.value] + l.offset;
        if !(value >= l.lower - LIMIT_ROUNDING && value <= l.upper + LIMIT_ROUNDING) {
            let problem = ValueProblem::OutOfLimits { lower: l.lower, upper: l.upper };
            faults.push(ValueFault { name: world.joints[l.joint].name.clone(), value, problem });
        }
    }
    faults
}
