//! One piece of a motion in time: joint values as polynomials of the seconds since it began, and how far an
//! execution may be from it.
//!
//! The makers from positions, velocities and accelerations at both ends are those of ROS 2's
//! `joint_trajectory_controller` (`trajectory.cpp`, `interpolate_between_points`): a line from positions
//! alone, a cubic with velocities, a quintic with accelerations too. A controller computes the same
//! coefficients to the last digits; what rounding makes of them is far below any tolerance.

use super::polynomial::Polynomial;
use super::route_bounds::RouteBounds;
use super::spline_fault::{SplineFault, SplineProblem, SplineValueFault};
use super::way::{Way, half_arc, half_turn, is_still, slerp};
use crate::model::kinematics::ValueKind;
use crate::model::world::World;
use alloc::vec::Vec;
use elbowroom_describe::limits::MAX_COORDINATE;
use elbowroom_describe::math::Vec3;
use elbowroom_pair::numeric::tolerance::ROUNDOFF;

const NAMES: [&str; 6] =
    ["coefficient 0", "coefficient 1", "coefficient 2", "coefficient 3", "coefficient 4", "coefficient 5"];

/// One piece of a motion in time, and the tolerance with which it is followed.
///
/// Each joint value is a polynomial of degree five at most in the seconds since the piece began (radians,
/// metres; the order of [`World::dof_names`]). So are the three values of a planar joint, whose angle goes
/// between the numbers as given, and the position of a floating joint. A floating joint's orientation turns
/// about one axis at constant speed along the shorter arc (SLERP), as in [`super::Way`].
///
/// [`MotionChecker::check_spline`](super::MotionChecker::check_spline) proves it free at every instant, with
/// its tolerance.
///
/// ```
/// use elbowroom::World;
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::motion::SplinePiece;
///
/// // In two seconds from rest at 0 to rest at 1 rad: half way after half the time.
/// let world = World::compile(&rod_and_post())?;
/// let rest = [&[0.0][..], &[0.0]];
/// let piece = SplinePiece::quintic_between(&world, 2.0, [&[0.0], &[1.0]], rest, rest)?;
/// let mut values = [0.0];
/// piece.write_values(0.5, &mut values);
/// assert!((values[0] - 0.5).abs() < 1e-15);
///
/// // A start at speed swings out beyond both ends.
/// let swings = SplinePiece::cubic_between(&world, 2.0, [&[0.0], &[0.0]], [&[1.0], &[-1.0]])?;
/// let [low, high] = swings.value_range(0, [0.0, 1.0]);
/// assert!(low < 1e-9 && (0.5..0.61).contains(&high));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SplinePiece {
    seconds: f64,
    /// By value; of quaternions nothing.
    polynomials: Vec<Polynomial>,
    turns: Vec<SplineTurn>,
    /// By value; of a quaternion an angle, in the first of the four. Empty where all are zero.
    tolerance: Vec<f64>,
}

/// A quaternion that turns from one orientation to another.
#[derive(Clone, Debug, PartialEq)]
struct SplineTurn {
    /// The index of its first number.
    value: usize,
    ends: [[f64; 4]; 2],
}

impl SplinePiece {
    /// Of a world, so long (seconds), with six coefficients for each joint value: `c[0] + c[1] t + ... +
    /// c[5] t^5` after `t` seconds. Of the four numbers of an orientation, `c[0]` is the start and `c[1]` the
    /// end of the turn, and the rest is 0.
    ///
    /// # Errors
    /// The length is no positive number, there are not six numbers for each value of the world, or some of
    /// them cannot be used: all of these are named.
    pub fn new(world: &World, seconds: f64, coefficients: &[[f64; 6]]) -> Result<SplinePiece, SplineFault> {
        let kinematics = &world.kinematics;
        let expected = kinematics.dof_names.len();
        if !(seconds > 0.0 && seconds.is_finite()) {
            return Err(SplineFault::Seconds(seconds));
        }
        check_count(expected, "rows of coefficients", coefficients.len())?;
        let mut faults = Vec::new();
        let mut polynomials = Vec::with_capacity(expected);
        for ((own, kind), name) in coefficients.iter().zip(&kinematics.value_kinds).zip(&kinematics.dof_names)
        {
            let turns = matches!(kind, ValueKind::Quaternion | ValueKind::QuaternionRest);
            let polynomial = Polynomial::new(if turns { &[0.0; 6] } else { own }, seconds);
            let bad = own.iter().zip(NAMES).find(|(c, _)| !c.is_finite());
            let problem = match bad {
                Some((value, what)) => Some(SplineProblem::NotFinite { what, value: *value }),
                None if turns && own[2..].iter().any(|c| *c != 0.0) => Some(SplineProblem::Orientation),
                None if !(polynomial.size() <= MAX_COORDINATE) => {
                    Some(SplineProblem::TooLarge { size: polynomial.size() })
                }
                None => None,
            };
            faults.extend(problem.map(|problem| SplineValueFault { name: name.clone(), problem }));
            polynomials.push(polynomial);
        }
        if !faults.is_empty() {
            return Err(SplineFault::Values(faults));
        }
        let starts =
            kinematics.value_kinds.iter().enumerate().filter(|(_, k)| matches!(k, ValueKind::Quaternion));
        let end = |value: usize, k: usize| [0, 1, 2, 3].map(|i| coefficients[value + i][k]);
        let turns = starts.map(|(value, _)| SplineTurn { value, ends: [end(value, 0), end(value, 1)] });
        Ok(SplinePiece { seconds, polynomials, turns: turns.collect(), tolerance: Vec::new() })
    }

    /// At constant speed between two configurations, as a controller moves from positions alone: the motion
    /// of [`super::Way`], also of a planar joint's angle, which takes the shorter arc.
    ///
    /// # Errors
    /// As [`SplinePiece::new`].
    pub fn linear_between(
        world: &World,
        seconds: f64,
        positions: [&[f64]; 2],
    ) -> Result<SplinePiece, SplineFault> {
        let end = Way::new(world).unwound_end(positions);
        SplinePiece::interpolate_between(world, seconds, [positions[0], &end], None, None)
    }

    /// The cubics between two configurations with velocities (1/s), as a controller moves from positions and
    /// velocities. The velocities of an orientation must be 0: it turns at constant speed.
    ///
    /// # Errors
    /// As [`SplinePiece::new`].
    pub fn cubic_between(
        world: &World,
        seconds: f64,
        positions: [&[f64]; 2],
        velocities: [&[f64]; 2],
    ) -> Result<SplinePiece, SplineFault> {
        SplinePiece::interpolate_between(world, seconds, positions, Some(velocities), None)
    }

    /// The quintics between two configurations with velocities (1/s) and accelerations (1/s^2), as a
    /// controller moves if it is given all three. Those of an orientation must be 0.
    ///
    /// # Errors
    /// As [`SplinePiece::new`].
    pub fn quintic_between(
        world: &World,
        seconds: f64,
        positions: [&[f64]; 2],
        velocities: [&[f64]; 2],
        accelerations: [&[f64]; 2],
    ) -> Result<SplinePiece, SplineFault> {
        SplinePiece::interpolate_between(world, seconds, positions, Some(velocities), Some(accelerations))
    }

    fn interpolate_between(
        world: &World,
        seconds: f64,
        positions: [&[f64]; 2],
        velocities: Option<[&[f64]; 2]>,
        accelerations: Option<[&[f64]; 2]>,
    ) -> Result<SplinePiece, SplineFault> {
        let kinds = &world.kinematics.value_kinds;
        for (what, ends) in
            [("positions", Some(positions)), ("velocities", velocities), ("accelerations", accelerations)]
        {
            for end in ends.iter().flatten() {
                check_count(kinds.len(), what, end.len())?;
            }
        }
        let rows = kinds.iter().enumerate().map(|(i, kind)| {
            let both = |ends: [&[f64]; 2]| ends.map(|end| end[i]);
            let (p, v, a) = (both(positions), velocities.map(both), accelerations.map(both));
            if matches!(kind, ValueKind::Quaternion | ValueKind::QuaternionRest) {
                let [first, second] = [v, a].map(|rates| rates.unwrap_or_default());
                return [p[0], p[1], first[0], first[1], second[0], second[1]];
            }
            match (v, a) {
                (None, _) => [p[0], (p[1] - p[0]) / seconds, 0.0, 0.0, 0.0, 0.0],
                (Some(v), None) => cubic_coefficients(seconds, p, v),
                (Some(v), Some(a)) => quintic_coefficients(seconds, p, v, a),
            }
        });
        let rows: Vec<[f64; 6]> = rows.collect();
        SplinePiece::new(world, seconds, &rows)
    }

    /// This piece, followed within a tolerance: at every instant each joint value may be off by as much
    /// (radians, metres; the world's order), each by itself. Of an orientation it is the angle by which it
    /// may be turned about any axis, with the first of its four numbers; the others have 0.
    ///
    /// # Errors
    /// There is not one number for each value of the world, or some are negative, not finite, or with another
    /// number of a quaternion than the first: all of these are named.
    pub fn with_tolerance(mut self, world: &World, tolerance: &[f64]) -> Result<SplinePiece, SplineFault> {
        let kinematics = &world.kinematics;
        self.belongs_to(world)?;
        check_count(kinematics.dof_names.len(), "tolerances", tolerance.len())?;
        let problem = |(own, kind): (&f64, &ValueKind)| match kind {
            _ if !(*own >= 0.0 && own.is_finite()) => Some(SplineProblem::Tolerance(*own)),
            ValueKind::QuaternionRest if *own != 0.0 => Some(SplineProblem::TolerancePlace),
            _ => None,
        };
        let problems = tolerance.iter().zip(&kinematics.value_kinds).map(problem);
        let faults: Vec<_> = problems
            .zip(&kinematics.dof_names)
            .filter_map(|(problem, name)| Some(SplineValueFault { name: name.clone(), problem: problem? }))
            .collect();
        if !faults.is_empty() {
            return Err(SplineFault::Values(faults));
        }
        let none = tolerance.iter().all(|own| *own == 0.0);
        self.tolerance = if none { Vec::new() } else { tolerance.to_vec() };
        Ok(self)
    }

    /// This piece, followed exactly.
    #[must_use]
    pub fn without_tolerance(mut self) -> SplinePiece {
        self.tolerance.clear();
        self
    }

    /// How long it takes.
    pub fn duration_seconds(&self) -> f64 {
        self.seconds
    }

    /// The joint values at a fraction of the piece: 0 is its start, 1 its end. NaN where the slice does not
    /// have the world's length.
    pub fn write_values(&self, t: f64, values: &mut [f64]) {
        if values.len() != self.polynomials.len() {
            values.fill(f64::NAN);
            return;
        }
        for (value, polynomial) in values.iter_mut().zip(&self.polynomials) {
            *value = polynomial.value_at(t);
        }
        for SplineTurn { value, ends: [from, to] } in &self.turns {
            let now = if t >= 1.0 { *to } else { slerp(*from, *to, t) };
            values[*value..value + 4].copy_from_slice(&now);
        }
    }

    /// The least and the largest that a joint value has between two fractions of the piece, or a little
    /// beyond; its tolerance is not included. NaN for a number of an orientation and for a value that the
    /// world does not have.
    pub fn value_range(&self, value: usize, interval: [f64; 2]) -> [f64; 2] {
        let turns = self.turns.iter().any(|turn| (turn.value..turn.value + 4).contains(&value));
        match self.polynomials.get(value) {
            Some(polynomial) if !turns => polynomial.range_on(interval),
            _ => [f64::NAN; 2],
        }
    }

    /// The least and the largest rate of a joint value between two fractions of the piece, or a little
    /// beyond: its velocity (`order` 1), acceleration (2) or jerk (3), in units of seconds. NaN as in
    /// [`SplinePiece::value_range`].
    pub fn rate_range(&self, value: usize, order: u8, interval: [f64; 2]) -> [f64; 2] {
        let turns = self.turns.iter().any(|turn| (turn.value..turn.value + 4).contains(&value));
        let Some(polynomial) = self.polynomials.get(value).filter(|_| !turns) else { return [f64::NAN; 2] };
        let (mut rate, mut unit) = (*polynomial, 1.0);
        for _ in 0..order {
            (rate, unit) = (rate.derivative(), unit * self.seconds);
        }
        rate.range_on(interval).map(|own| own / unit)
    }

    /// The coefficients of a part of it, by power of the seconds since that part began, as
    /// [`SplinePiece::new`] takes them. They are rounded in their last digits.
    pub fn part_coefficients(&self, [from, to]: [f64; 2]) -> Vec<[f64; 6]> {
        let about = |polynomial: &Polynomial| polynomial.coefficients_about(from, self.seconds);
        let mut rows: Vec<[f64; 6]> = self.polynomials.iter().map(about).collect();
        for SplineTurn { value, ends: [first, last] } in &self.turns {
            let at = |t: f64| if t >= 1.0 { *last } else { slerp(*first, *last, t) };
            for (row, (start, end)) in rows[*value..].iter_mut().zip(at(from).into_iter().zip(at(to))) {
                *row = [start, end, 0.0, 0.0, 0.0, 0.0];
            }
        }
        rows
    }

    /// Bounds an interval, with a factor of the tolerance.
    pub(super) fn bound_interval(&self, [start, end]: [f64; 2], factor: f64, bounds: &mut RouteBounds) {
        let RouteBounds { change, half, beside } = bounds;
        for (i, polynomial) in self.polynomials.iter().enumerate() {
            let stretch = polynomial.stretch_on([start, end]);
            let own = self.tolerance.get(i).map_or(0.0, |own| own * factor);
            (half[i], change[i], beside[i]) = (stretch.half, stretch.change + own, stretch.beside + own);
        }
        for SplineTurn { value, ends } in &self.turns {
            let (i, part) = (*value, 0.5 * (end - start));
            half[i..i + 4].copy_from_slice(&half_turn(*ends, part));
            change[i..i + 4].copy_from_slice(&half_arc(*ends, part * (1.0 + 8.0 * ROUNDOFF)));
            let [x, y, z] = [half[i], half[i + 1], half[i + 2]];
            let angle = Vec3 { x, y, z }.norm();
            // A turn by an angle changes a quaternion by half of it, and may be about any axis.
            let own = self.tolerance.get(i).map_or(0.0, |own| own * factor);
            beside[i..i + 4].copy_from_slice(&[(2.0 * change[i] - angle).abs(), own, 0.0, 0.0]);
            change[i] += 0.5 * own;
        }
    }

    /// What a factor of the tolerance changes values by, alone; nothing where there is none.
    pub(super) fn write_tolerance(&self, factor: f64, change: &mut Vec<f64>) {
        if factor > 0.0 {
            change.extend(self.tolerance.iter().map(|own| own * factor));
            if !change.is_empty() {
                self.turns.iter().for_each(|turn| change[turn.value] *= 0.5);
            }
        }
    }

    /// Whether nothing moves.
    pub(super) fn is_constant(&self) -> bool {
        let still = |turn: &SplineTurn| is_still(turn.ends[0], turn.ends[1]);
        self.polynomials.iter().all(Polynomial::is_still) && self.turns.iter().all(still)
    }

    /// Whether it has a tolerance.
    pub fn has_tolerance(&self) -> bool {
        !self.tolerance.is_empty()
    }

    /// Whether it was made for a world with as many values, and quaternions in the same places.
    pub(super) fn belongs_to(&self, world: &World) -> Result<(), SplineFault> {
        let kinds = &world.kinematics.value_kinds;
        let begins = |(i, kind): (usize, &ValueKind)| matches!(kind, ValueKind::Quaternion).then_some(i);
        let same = self.polynomials.len() == kinds.len()
            && kinds.iter().enumerate().filter_map(begins).eq(self.turns.iter().map(|turn| turn.value));
        if same { Ok(()) } else { Err(SplineFault::OtherWorld) }
    }
}

fn check_count(expected: usize, what: &'static str, given: usize) -> Result<(), SplineFault> {
    if given == expected { Ok(()) } else { Err(SplineFault::WrongCount { what, expected, given }) }
}

/// The cubic with these positions and velocities at its ends.
fn cubic_coefficients(seconds: f64, [p, q]: [f64; 2], [v, w]: [f64; 2]) -> [f64; 6] {
    let (t, square) = (seconds, seconds * seconds);
    let second = (3.0 * (q - p) - (2.0 * v + w) * t) / square;
    let third = (2.0 * (p - q) + (v + w) * t) / (square * t);
    [p, v, second, third, 0.0, 0.0]
}

/// The quintic with these positions, velocities and accelerations at its ends.
fn quintic_coefficients(seconds: f64, [p, q]: [f64; 2], [v, w]: [f64; 2], [a, b]: [f64; 2]) -> [f64; 6] {
    let (t, square) = (seconds, seconds * seconds);
    let third = 20.0 * (q - p) - (12.0 * v + 8.0 * w) * t - (3.0 * a - b) * square;
    let fourth = 30.0 * (p - q) + (16.0 * v + 14.0 * w) * t + (3.0 * a - 2.0 * b) * square;
    let fifth = 12.0 * (q - p) - 6.0 * (v + w) * t - (a - b) * square;
    let cube = 2.0 * square * t;
    [p, v, 0.5 * a, third / cube, fourth / (cube * t), fifth / (cube * square)]
}
