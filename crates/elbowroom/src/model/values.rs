//! What all limits together allow each joint value; neutral values; random configurations.

use crate::model::kinematics::{Kinematics, ValueKind, ValueLimits};
use crate::model::tolerance::{DRAWN_RANGE, LIMIT_ROUNDING};
use crate::model::world::World;
use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::PI;
use elbowroom_describe::{JointKind, JointLimits};
use elbowroom_pair::numeric::tolerance::ROUNDOFF;

impl ValueLimits {
    /// The values for which `scale * value + offset` lies within these limits, widened by `loose`. Infinite
    /// where the scale is zero, because then every value gives the same.
    pub(crate) fn value_range(&self, loose: f64) -> [f64; 2] {
        if self.scale == 0.0 {
            return [f64::NEG_INFINITY, f64::INFINITY];
        }
        let ends = [self.lower - self.offset - loose, self.upper - self.offset + loose];
        let [a, b] = ends.map(|end| end / self.scale);
        [a.min(b), a.max(b)]
    }
}

impl World {
    /// The smallest and the largest number that each joint value may be (radians or metres), in the order of
    /// [`World::dof_names`]. The limits of its joint count, and those of all mimic joints that follow it.
    /// Infinite where nothing limits it: continuous, planar and floating joints. Where limits contradict each
    /// other, `lower` is above `upper`, and no configuration is within them.
    ///
    /// ```
    /// # use elbowroom::{World, describe::*, math::{Transform, Vec3}};
    /// # let joint = |name: &str, child: &str, upper: f64, mimic| JointDescription {
    /// #     name: name.into(), kind: JointKind::Prismatic, parent: "palm".into(), child: child.into(),
    /// #     joint_in_parent: Transform::IDENTITY, axis: Vec3::X,
    /// #     limits: Some(JointLimits { lower: 0.0, upper }), mimic,
    /// # };
    /// # let link = |name: &str| LinkDescription { name: name.into(), shapes: vec![] };
    /// # let robot = RobotDescription {
    /// #     name: "gripper".into(), links: vec![link("palm"), link("left"), link("right")],
    /// #     joints: vec![
    /// #         joint("a", "left", 0.04, None),
    /// #         joint("b", "right", 0.03, Some(Mimic { joint: "a".into(), multiplier: 1.0, offset: 0.0 })),
    /// #     ],
    /// #     ..RobotDescription::default()
    /// # };
    /// # let placed = PlacedRobot { name: "gripper".into(), base_in_world: Transform::IDENTITY, robot };
    /// # let description = WorldDescription { robots: vec![placed], ..WorldDescription::default() };
    /// // A gripper: the finger `b` follows `a`, which may open to 0.04, but `b` only to 0.03.
    /// let world = World::compile(&description).expect("no faults");
    /// assert_eq!(world.dof_names(), ["gripper/a"]);
    /// assert_eq!(world.joints()[1].follows.map(|rule| (rule.value, rule.scale)), Some((0, 1.0)));
    /// assert_eq!(world.limits().len(), 2, "as they are declared: of `a`, and of `b` on the value of `a`");
    /// assert_eq!(world.value_ranges(), [JointLimits { lower: 0.0, upper: 0.03 }]);
    ///
    /// // Random configurations; any source of numbers from 0 to 1 does.
    /// let mut share = 0.0;
    /// let mut unit = || { share = (share + 0.618) % 1.0; share };
    /// let mut pose = elbowroom::Checker::new(&world);
    /// for _ in 0..10 {
    ///     let values = world.draw_configuration(&mut unit).expect("limits that allow some");
    ///     pose.set(&values).expect("within limits");
    /// }
    /// ```
    pub fn value_ranges(&self) -> Vec<JointLimits> {
        self.kinematics.value_ranges()
    }

    /// A random configuration within all limits, those of mimic joints included. Each value is uniform over
    /// its range ([`World::value_ranges`]). `unit` gives a number uniform in `[0, 1)` for each value that is
    /// drawn, in order. A number outside counts as the nearer end of 0 to 1, NaN as 0. Where a range is
    /// longer than 1000, as for continuous joints, only what lies within pi (radians or metres) of the
    /// neutral value is drawn from. Planar and floating joints stay neutral. `None` where limits contradict
    /// each other.
    pub fn draw_configuration(&self, mut unit: impl FnMut() -> f64) -> Option<Vec<f64>> {
        let mut values = self.neutral_values();
        for (value, range) in self.value_ranges().into_iter().enumerate() {
            if range.lower > range.upper {
                return None;
            }
            if self.kinematics.is_free(value) {
                continue;
            }
            let JointLimits { mut lower, mut upper } = range;
            if !(upper - lower <= DRAWN_RANGE) {
                (lower, upper) = (lower.max(values[value] - PI), upper.min(values[value] + PI));
            }
            // `max` turns NaN into zero.
            let share = unit().max(0.0);
            let share = share.min(1.0);
            values[value] = (lower + (upper - lower) * share).clamp(lower, upper);
        }
        Some(values)
    }

    /// Joint values to start from: zero, or the number nearest to zero that all limits allow; the identity
    /// for floating joints. Where limits contradict each other, those of mimic joints are ignored.
    pub fn neutral_values(&self) -> Vec<f64> {
        self.kinematics.neutral_values()
    }
}

impl Kinematics {
    /// [`World::value_ranges`].
    pub fn value_ranges(&self) -> Vec<JointLimits> {
        let free = JointLimits { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
        let mut ranges = vec![free; self.dof_names.len()];
        for limit in &self.limits {
            let range = &mut ranges[limit.value];
            let outside =
                limit.offset < limit.lower - LIMIT_ROUNDING || limit.offset > limit.upper + LIMIT_ROUNDING;
            if limit.scale == 0.0 && outside {
                *range = JointLimits { lower: f64::INFINITY, upper: f64::NEG_INFINITY };
                continue;
            }
            let [low, high] = limit.value_range(0.0);
            (range.lower, range.upper) = (range.lower.max(low), range.upper.min(high));
        }
        for range in &mut ranges {
            // Limits that meet in one point allow that point, even if rounding moved one past the other.
            let rounding = LIMIT_ROUNDING + 8.0 * ROUNDOFF * range.lower.abs();
            let met = range.lower.is_finite() && range.lower - range.upper <= rounding;
            if range.lower > range.upper && met {
                range.lower = range.upper;
            }
        }
        ranges
    }

    /// Whether a value belongs to a planar or a floating joint.
    fn is_free(&self, value: usize) -> bool {
        let free = |kind: &JointKind| matches!(kind, JointKind::Planar | JointKind::Floating);
        self.joints.iter().any(|j| free(&j.kind) && j.values.contains(&value))
    }

    /// [`World::neutral_values`].
    pub fn neutral_values(&self) -> Vec<f64> {
        let is_quaternion = |kind: &ValueKind| if *kind == ValueKind::Quaternion { 1.0 } else { 0.0 };
        let mut values: Vec<f64> = self.value_kinds.iter().map(is_quaternion).collect();
        for limit in self.own_limits() {
            values[limit.value] = 0.0_f64.max(limit.lower).min(limit.upper);
        }
        for (value, range) in values.iter_mut().zip(self.value_ranges()) {
            if range.lower <= range.upper {
                *value = value.max(range.lower).min(range.upper);
            }
        }
        values
    }

    /// The largest absolute number that each value may be (radians or metres); infinite without limits.
    pub fn largest_values(&self) -> Vec<f64> {
        let mut largest = vec![f64::INFINITY; self.dof_names.len()];
        for limit in self.own_limits() {
            largest[limit.value] = limit.lower.abs().max(limit.upper.abs()) + LIMIT_ROUNDING;
        }
        largest
    }

    /// The limits of joints that have values, without those of mimic joints.
    fn own_limits(&self) -> impl Iterator<Item = &ValueLimits> {
        self.limits.iter().filter(|l| !self.joints[l.joint].values.is_empty())
    }
}
