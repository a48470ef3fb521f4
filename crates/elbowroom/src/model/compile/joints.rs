//! The joints of a robot: their values, the limits of these, mimic rules, and a step for each joint.

use super::clusters::Clusters;
use super::faults::{FaultList, find_duplicates};
use super::joint_motion::motion_of;
pub(super) use super::joint_tree::RobotLinks;
use super::joint_tree::order_joints;
use crate::model::id::BodyId;
use crate::model::kinematics::{Follows, Joint, ValueKind, ValueLimits};
use crate::model::step::{KinematicStep, Motion};
use crate::model::tolerance::MIMIC_ROUNDING;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use elbowroom_describe::fault::CompileFault;
use elbowroom_describe::limits::MAX_COORDINATE;
use elbowroom_describe::limits::MAX_MIMIC_HOPS;
use elbowroom_describe::math::{Mat3, Transform};
use elbowroom_describe::{JointDescription, JointKind, RobotDescription};

/// A joint that is checked by itself; its tree is not.
struct CheckedJoint {
    parent: BodyId,
    child: BodyId,
    motion: Motion,
    /// -1 for a turn about a negative coordinate axis, otherwise 1.
    sign: f64,
    defect: f64,
}

/// The rule of a joint with one value, `scale * value + offset`, with mimics followed to their source.
#[derive(Clone, Copy)]
struct JointRule {
    value: usize,
    scale: f64,
    offset: f64,
    /// Number of mimics that were followed.
    hops: u32,
    /// Sum of the absolute terms that the offset was made from.
    offset_size: f64,
}

/// The joints of all robots, and the steps that they make.
#[derive(Debug, Default)]
pub(super) struct Joints {
    pub joints: Vec<Joint>,
    pub dof_names: Vec<String>,
    pub value_kinds: Vec<ValueKind>,
    pub limits: Vec<ValueLimits>,
    pub steps: Vec<KinematicStep>,
}

impl Joints {
    /// Adds the joints of a robot: values, limits, and steps with parents before children. Returns the range
    /// of its values.
    pub fn add_robot(
        &mut self,
        robot: &RobotDescription,
        of: &RobotLinks,
        clusters: &mut Clusters,
        faults: &mut FaultList,
    ) -> Range<usize> {
        let first_link = of.links.start;
        let first_joint = self.joints.len();
        let full = |joint: &str| format!("{}/{joint}", of.name);

        // If several links or joints have one name, the first keeps it. The others are a fault already.
        let mut links: BTreeMap<&str, BodyId> = BTreeMap::new();
        for (i, link) in robot.links.iter().enumerate() {
            links.entry(&link.name).or_insert(BodyId(first_link + i as u32));
        }
        let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
        for (i, joint) in robot.joints.iter().enumerate() {
            by_name.entry(&joint.name).or_insert(i);
        }
        let mut full_names: Vec<String> = robot.joints.iter().map(|j| full(&j.name)).collect();
        let mut borrowed: Vec<&str> = full_names.iter().map(|n| n.as_str()).collect();
        faults.extend(find_duplicates(&mut borrowed, "joint"));

        let checked: Vec<Option<CheckedJoint>> = robot
            .joints
            .iter()
            .zip(&full_names)
            .map(|(j, full)| check_joint(j, full, &links, faults))
            .collect();

        // Values in file order; then the rules of mimics, which may follow any of them.
        let first_value = self.dof_names.len();
        for (i, joint) in robot.joints.iter().enumerate() {
            let values = self.values_of(joint, &full_names[i]);
            self.joints.push(Joint {
                name: core::mem::take(&mut full_names[i]),
                kind: joint.kind,
                parent: checked[i].as_ref().map_or(BodyId(first_link), |c| c.parent),
                child: checked[i].as_ref().map_or(BodyId(first_link), |c| c.child),
                values,
                plane: checked[i].as_ref().and_then(|c| c.motion.plane()),
                follows: None,
            });
        }
        let values = first_value..self.dof_names.len();
        let rules: Vec<Option<JointRule>> = (0..robot.joints.len())
            .map(|i| self.resolve_rule(robot, &by_name, first_joint + i, faults))
            .collect();
        for (i, (joint, rule)) in robot.joints.iter().zip(&rules).enumerate() {
            if joint.mimic.is_some() {
                let follows =
                    rule.map(|JointRule { value, scale, offset, .. }| Follows { value, scale, offset });
                self.joints[first_joint + i].follows = follows;
            }
            self.limits_of(joint, first_joint + i, *rule, faults);
        }

        let ends: Vec<_> = checked.iter().map(|j| j.as_ref().map(|j| [j.parent, j.child])).collect();
        if let Some(order) = order_joints(of, &self.joints[first_joint..], &ends, faults) {
            let mut next_cluster = clusters.of_robot(first_link);
            for &j in &order {
                let Some(joint) = &checked[j] else { continue };
                if joint.motion == Motion::Fixed {
                    clusters.join_fixed(joint.parent, joint.child);
                } else {
                    clusters.join_moving(joint.parent, joint.child, next_cluster);
                    next_cluster += 1;
                }
                let first_value = self.joints[first_joint + j].values.start;
                self.steps.push(joint_step(joint, robot.joints[j].joint_in_parent, first_value, rules[j]));
            }
        }
        values
    }

    /// Appends the joint's values to the flat vector.
    fn values_of(&mut self, joint: &JointDescription, full: &str) -> Range<usize> {
        use ValueKind::{Angle, Length, Quaternion, QuaternionRest};
        let first = self.dof_names.len();
        let own: &[(&str, ValueKind)] = match joint.kind {
            _ if joint.mimic.is_some() => &[],
            JointKind::Fixed => &[],
            JointKind::Revolute | JointKind::Continuous => &[("", Angle)],
            JointKind::Prismatic => &[("", Length)],
            JointKind::Planar => &[("/x", Length), ("/y", Length), ("/theta", Angle)],
            JointKind::Floating => &[
                ("/trans_x", Length),
                ("/trans_y", Length),
                ("/trans_z", Length),
                ("/rot_w", Quaternion),
                ("/rot_x", QuaternionRest),
                ("/rot_y", QuaternionRest),
                ("/rot_z", QuaternionRest),
            ],
        };
        for (suffix, kind) in own {
            self.dof_names.push(format!("{full}{suffix}"));
            self.value_kinds.push(*kind);
        }
        first..self.dof_names.len()
    }

    /// The rule of a joint, by its number: mimics are followed to the joint that has a value. `None` if that
    /// has not exactly one value, or if there is a fault, which is reported.
    fn resolve_rule(
        &self,
        robot: &RobotDescription,
        by_name: &BTreeMap<&str, usize>,
        number: usize,
        faults: &mut FaultList,
    ) -> Option<JointRule> {
        let first_joint = self.joints.len() - robot.joints.len();
        let start = number - first_joint;
        let has_one_value = |kind: JointKind| {
            matches!(kind, JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic)
        };
        let full = |i: usize| self.joints[first_joint + i].name.clone();
        let mut rule = JointRule { value: 0, scale: 1.0, offset: 0.0, hops: 0, offset_size: 0.0 };
        let mut at = start;
        loop {
            let joint = &robot.joints[at];
            if !has_one_value(joint.kind) {
                if at != start || (joint.mimic.is_some() && joint.kind != JointKind::Fixed) {
                    let problem = "follows or is a joint without exactly one value: only revolute, \
                                   continuous and prismatic joints can follow and be followed";
                    faults.push(CompileFault::BadMimic { joint: full(start), problem });
                }
                return None;
            }
            let Some(mimic) = &joint.mimic else {
                rule.value = self.joints[first_joint + at].values.start;
                return Some(rule);
            };
            if rule.hops >= MAX_MIMIC_HOPS {
                faults.push(CompileFault::MimicLoop { joint: full(start) });
                return None;
            }
            let in_range = |v: f64| v.abs() <= MAX_COORDINATE;
            if !(in_range(mimic.multiplier) && in_range(mimic.offset)) {
                // Reported once, for the joint that has it.
                if at == start {
                    let problem = "has a multiplier or offset that is not finite or beyond 1e9: correct it";
                    faults.push(CompileFault::BadMimic { joint: full(start), problem });
                }
                return None;
            }
            let Some(&next) = by_name.get(mimic.joint.as_str()) else {
                if at == start {
                    let by = format!("mimic joint `{}`", full(start));
                    let wanted = "joint of this robot";
                    faults.push(CompileFault::UnknownName { by, wanted, name: mimic.joint.clone() });
                }
                return None;
            };
            // scale * (multiplier * value + offset) + offset'
            rule.offset += rule.scale * mimic.offset;
            rule.offset_size += (rule.scale * mimic.offset).abs();
            rule.scale *= mimic.multiplier;
            rule.hops += 1;
            if !(in_range(rule.scale) && in_range(rule.offset_size)) {
                let problem = "follows a chain whose multipliers or offsets grow beyond 1e9: correct them";
                faults.push(CompileFault::BadMimic { joint: full(start), problem });
                return None;
            }
            at = next;
        }
    }

    fn limits_of(
        &mut self,
        joint: &JointDescription,
        index: usize,
        rule: Option<JointRule>,
        faults: &mut FaultList,
    ) {
        let name = || self.joints[index].name.clone();
        if !matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic) {
            return;
        }
        let Some(limits) = joint.limits else {
            if joint.mimic.is_none() {
                faults.push(CompileFault::MissingLimits { joint: name() });
            }
            return;
        };
        let (lower, upper) = (limits.lower, limits.upper);
        if !(lower <= upper && lower.abs() <= MAX_COORDINATE && upper.abs() <= MAX_COORDINATE) {
            faults.push(CompileFault::BadLimits { joint: name(), lower, upper });
        } else if let Some(JointRule { value, scale, offset, .. }) = rule {
            self.limits.push(ValueLimits { value, joint: index, scale, offset, lower, upper });
        }
    }
}

/// Checks a joint by itself.
fn check_joint(
    joint: &JointDescription,
    full: &str,
    links: &BTreeMap<&str, BodyId>,
    faults: &mut FaultList,
) -> Option<CheckedJoint> {
    let mut link = |name: &String, role: &str| {
        let id = links.get(name.as_str()).copied();
        if id.is_none() {
            let by = format!("joint `{full}`, its {role},");
            faults.push(CompileFault::UnknownName { by, wanted: "link of this robot", name: name.clone() });
        }
        id
    };
    let (parent, child) = (link(&joint.parent, "parent"), link(&joint.child, "child"));
    if joint.name.is_empty() {
        let problem = "is empty after the `/`: give the joint a name";
        faults.push(CompileFault::BadName { kind: "joint", name: full.into(), problem });
    }
    let defect = faults.check_transform(&joint.joint_in_parent, || format!("joint `{full}`"));
    let motion = motion_of(joint.kind, joint.axis);
    if motion.is_none() {
        faults.push(CompileFault::BadAxis { joint: full.into(), axis: joint.axis.to_array() });
    }
    let (motion, sign) = motion?;
    Some(CheckedJoint { parent: parent?, child: child?, motion, sign, defect })
}

/// The step of a joint whose own values begin at `first_value`.
fn joint_step(
    joint: &CheckedJoint,
    joint_in_parent: Transform,
    first_value: usize,
    rule: Option<JointRule>,
) -> KinematicStep {
    let fixed = joint.motion == Motion::Fixed;
    let plain = KinematicStep {
        parent: joint.parent,
        child: joint.child,
        joint_in_parent,
        turned: joint_in_parent.rotation != Mat3::IDENTITY,
        motion: joint.motion,
        value: if fixed { 0 } else { first_value },
        scale: joint.sign,
        offset: 0.0,
        rounding: 0.0,
        rounding_offset: 0.0,
        defect: joint.defect,
    };
    match rule {
        None => plain,
        Some(rule) => KinematicStep {
            value: rule.value,
            scale: joint.sign * rule.scale,
            offset: joint.sign * rule.offset,
            rounding: MIMIC_ROUNDING * f64::from(rule.hops),
            rounding_offset: rule.offset_size,
            ..plain
        },
    }
}
