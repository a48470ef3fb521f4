//! What contacts say of offsets.

use crate::contact::{Contact, Refusal, find_refusals};
use crate::doubt::{Check, ContactState, check_row, fit_without_doubt};
use crate::fit::{Problem, Reading, Row};
use crate::limits::{DETERMINED, LEAST_REDUNDANCY, PRIOR, SCATTER, SUSPECT};
use crate::options::CalibrateOptions;
use crate::symmetric::{dot, multiply_vector};
use elbowroom::{Interval, World};

/// The offset of a free joint: what is added to a reading.
#[derive(Clone, Debug, PartialEq)]
pub struct JointOffset {
    /// Its value, in the order of [`World::dof_names`].
    pub value: usize,
    /// What is added to its reading (radians, metres).
    pub offset: f64,
    /// The standard deviation of that (radians, metres).
    pub deviation: f64,
    /// Whether the contacts determine it: the deviation is below a quarter of the bound. Without any contact
    /// it is 0.58 of the bound.
    pub is_determined: bool,
    /// Whether it ended at its bound: the contacts ask for more.
    pub is_at_bound: bool,
}

/// Joints that change together without a contact that notices.
#[derive(Clone, Debug, PartialEq)]
pub struct LooseDirection {
    /// By free joint, how far its offset goes along this direction in one standard deviation (radians,
    /// metres).
    pub moves: Vec<f64>,
}

/// A contact, held against all others.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactReport {
    /// Whether it counts.
    pub state: ContactState,
    /// The proved signed distance of its bodies at the offsets that were found (metres): zero if all were
    /// exact.
    pub interval: Interval,
    /// That distance as one number (metres); `None` where it is not known well enough for that.
    pub residual: Option<f64>,
    /// The deviation that encoders and the contact's tolerance give it (metres).
    pub deviation: Option<f64>,
    /// The distance in the deviations that it has if the contact is good: more than 4 is suspicious.
    pub deviations: Option<f64>,
    /// The share of an error of this contact that shows in its distance: 0 where no other contact checks it,
    /// 1 where all others do.
    pub redundancy: Option<f64>,
    /// By free joint, the share of what the contact says that is about this joint. They sum to one.
    pub shares: Vec<f64>,
}

/// What contacts say of offsets.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// The free joints.
    pub joints: Vec<JointOffset>,
    /// Covariance of their offsets (radians and metres, squared). What is known without contacts, that an
    /// offset is within its bound, is in it.
    pub covariance: Vec<Vec<f64>>,
    /// What no contact determines.
    pub loose: Vec<LooseDirection>,
    /// Each contact, in their order.
    pub contacts: Vec<ContactReport>,
    /// Residuals in units of what was expected: about one. `None` where contacts hardly check each other.
    pub scatter: Option<f64>,
    /// Whether the search came to its end.
    pub has_converged: bool,
}

impl Calibration {
    /// Whether the contacts that count scatter more than their noise explains: all of them together, or one
    /// that only offsets beyond their bounds would explain.
    pub fn is_scattered(&self) -> bool {
        let is_suspicious = |contact: &ContactReport| {
            let deviations = contact.deviations.filter(|_| contact.state == ContactState::Used);
            deviations.is_some_and(|deviations| !(deviations.abs() <= SUSPECT))
        };
        self.scatter.is_some_and(|scatter| !(scatter <= SCATTER)) || self.contacts.iter().any(is_suspicious)
    }

    /// Whether all joints are determined within their bounds, and by all contacts.
    pub fn is_settled(&self) -> bool {
        self.has_converged
            && !self.is_scattered()
            && self.joints.iter().all(|joint| joint.is_determined && !joint.is_at_bound)
            && self.contacts.iter().all(|contact| contact.state == ContactState::Used)
    }

    /// The offsets of all joint values (radians, metres): those of joints that are not free are the known
    /// ones.
    pub fn offsets(&self, options: &CalibrateOptions) -> Vec<f64> {
        let mut offsets = options.start.clone();
        self.joints.iter().for_each(|joint| offsets[joint.value] = joint.offset);
        offsets
    }
}

/// Finds the offsets of the free joints from contacts. It takes tens of asks of each contact, and as many
/// again for each outlier.
///
/// ```
/// use elbowroom::describe::*;
/// use elbowroom::math::{Transform, Vec3, vec3};
/// use elbowroom::{PairId, World};
/// use elbowroom_calibrate::{CalibrateOptions, Contact, calibrate};
///
/// // A ball that slides along x towards a wall whose face is at x = 0.5.
/// let shape = |shape: ShapeDescription| PlacedShape {
///     name: String::new(),
///     shape_in_body: Transform::IDENTITY,
///     shape,
///     padding: 0.0,
/// };
/// let ball = ShapeDescription::Sphere { radius: 0.1 };
/// let robot = RobotDescription {
///     name: "probe".into(),
///     links: vec![
///         LinkDescription { name: "rail".into(), shapes: vec![] },
///         LinkDescription { name: "ball".into(), shapes: vec![shape(ball)] },
///     ],
///     joints: vec![JointDescription {
///         name: "slide".into(),
///         kind: JointKind::Prismatic,
///         parent: "rail".into(),
///         child: "ball".into(),
///         joint_in_parent: Transform::IDENTITY,
///         axis: Vec3::X,
///         limits: Some(JointLimits { lower: 0.0, upper: 0.6 }),
///         mimic: None,
///     }],
///     ..RobotDescription::default()
/// };
/// let wall = ObstacleDescription {
///     name: "wall".into(),
///     pose: Transform::from_translation(vec3(0.6, 0.0, 0.0)),
///     shapes: vec![shape(ShapeDescription::Box { size: [0.2, 1.0, 1.0] })],
///     attached_to: None,
///     movable: false,
/// };
/// let world = World::compile(&WorldDescription {
///     robots: vec![PlacedRobot { name: "arm".into(), base_in_world: Transform::IDENTITY, robot }],
///     obstacles: vec![wall],
///     ..WorldDescription::default()
/// })?;
///
/// // It touches where it reads 398 mm: the reading is 2 mm short.
/// let touch = |name: &str, reading: f64| Contact {
///     name: name.into(),
///     pair: PairId(0),
///     readings: vec![reading],
///     within: 1e-4,
/// };
/// let contacts = [touch("first", 0.398), touch("second", 0.39801), touch("third", 0.39799)];
/// let found = calibrate(&world, &contacts, &CalibrateOptions::for_world(&world)).expect("good contacts");
/// assert!((found.joints[0].offset - 2e-3).abs() < 2e-5 && found.is_settled());
///
/// // One that is wrong is named, and does not count.
/// let wrong = [&contacts[..], &[touch("fourth", 0.393)]].concat();
/// let found = calibrate(&world, &wrong, &CalibrateOptions::for_world(&world)).expect("contacts");
/// assert_eq!(found.contacts[3].state, elbowroom_calibrate::ContactState::Outlier);
/// assert!((found.joints[0].offset - 2e-3).abs() < 2e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Everything that makes contacts or options unusable: pairs that the world does not check, readings that are
/// no values of it, and numbers that are not finite. Contacts that are wrong, too few or contradictory are no
/// error: the calibration says so.
pub fn calibrate(
    world: &World,
    contacts: &[Contact],
    options: &CalibrateOptions,
) -> Result<Calibration, Vec<Refusal>> {
    let refusals = find_refusals(world, contacts, options);
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let free: Vec<usize> = (0..options.free.len()).filter(|value| options.free[*value]).collect();
    let bounds: Vec<f64> = free.iter().map(|value| options.bounds[*value]).collect();
    let problem = Problem { world, contacts, options, free };
    let (fit, states) = fit_without_doubt(&problem);
    let scaled = fit.eigen.inverse_with(PRIOR);
    let offsets = problem.offsets(&fit.shifts);
    let joint = |(i, value): (usize, &usize)| {
        let deviation = scaled[i][i].max(0.0).sqrt();
        JointOffset {
            value: *value,
            offset: offsets[*value],
            deviation: deviation * bounds[i],
            is_determined: deviation < DETERMINED,
            is_at_bound: fit.shifts[i].abs() >= 1.0,
        }
    };
    let report = |(reading, state): (&Reading, ContactState)| {
        let row = reading.row.as_ref();
        let check = row.map(|row| match state {
            ContactState::Used => check_row(row, &scaled),
            _ => check_outside(row, &scaled),
        });
        ContactReport {
            state,
            interval: reading.interval,
            residual: row.map(|row| row.residual),
            deviation: row.map(|row| row.deviation),
            deviations: check.as_ref().map(|check| check.deviations),
            redundancy: check.map(|check| check.redundancy),
            shares: row.map(shares_of).unwrap_or_default(),
        }
    };
    let joints = problem.free.iter().enumerate().map(joint).collect();
    let contacts: Vec<ContactReport> = fit.readings.iter().zip(states).map(report).collect();
    let covariance = scaled
        .iter()
        .zip(&bounds)
        .map(|(row, bound)| row.iter().zip(&bounds).map(|(c, other)| c * bound * other).collect())
        .collect();
    let loosest = DETERMINED.powi(-2) - PRIOR;
    let loose = fit.eigen.values.iter().zip(&fit.eigen.vectors).filter(|(value, _)| **value < loosest);
    let along = |(value, vector): (&f64, &Vec<f64>)| {
        let deviation = 1.0 / (value.max(0.0) + PRIOR).sqrt();
        LooseDirection { moves: vector.iter().zip(&bounds).map(|(v, bound)| v * bound * deviation).collect() }
    };
    let loose = loose.map(along).collect();
    let scatter = scatter_of(&contacts);
    Ok(Calibration { joints, covariance, loose, contacts, scatter, has_converged: fit.has_converged })
}

/// Holds a row against a fit that it is no part of.
fn check_outside(row: &Row, covariance: &[Vec<f64>]) -> Check {
    let leverage = dot(&row.slopes, &multiply_vector(covariance, &row.slopes));
    Check { deviations: row.residual / row.deviation / (1.0 + leverage).sqrt(), redundancy: 1.0 }
}

fn shares_of(row: &Row) -> Vec<f64> {
    let all = dot(&row.slopes, &row.slopes);
    row.slopes.iter().map(|slope| if all > 0.0 { slope * slope / all } else { 0.0 }).collect()
}

fn scatter_of(contacts: &[ContactReport]) -> Option<f64> {
    let used = contacts.iter().filter(|contact| contact.state == ContactState::Used);
    let (mut squares, mut redundancy) = (0.0, 0.0);
    for contact in used {
        squares += (contact.residual? / contact.deviation?).powi(2);
        redundancy += contact.redundancy?;
    }
    (redundancy >= LEAST_REDUNDANCY).then(|| (squares / redundancy).sqrt())
}

/// The deviations from which on a contact is suspicious.
pub const SUSPICIOUS: f64 = SUSPECT;
