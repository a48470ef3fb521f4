//! A robot's joints: which values they take, which limits those have, and in which order they place the
//! links.

use super::clusters::Clusters;
use super::faults::{FaultList, duplicates};
use crate::model::describe::{JointDescription, JointKind, RobotDescription};
use crate::model::fault::CompileFault;
use crate::model::id::BodyId;
use crate::model::kinematics::{Follows, Joint, ValueKind, ValueLimits};
use crate::model::solids::Body;
use crate::model::step::{Motion, Step};
use crate::model::tolerance::{MAX_MIMIC_HOPS, MIMIC_ROUNDING};
use crate::numeric::math::{Mat3, Transform, Vec3};
use crate::numeric::tolerance::MAX_COORDINATE;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::ops::Range;

/// A joint after its own checks, before its place in the tree is known.
struct CheckedJoint {
    parent: BodyId,
    child: BodyId,
    motion: Motion,
    /// -1 for a turn about the opposite of a coordinate axis.
    sign: f64,
    defect: f64,
}

/// What a joint's one value is made from: `scale * value + offset`, after following mimics to their source.
#[derive(Clone, Copy)]
struct Rule {
    value: usize,
    scale: f64,
    offset: f64,
    /// Number of mimics on the way.
    hops: u32,
    /// Sum of the absolute terms that the offset was made from.
    offset_size: f64,
}

/// The joints of all robots, and the steps that they make.
#[derive(Debug, Default)]
pub(super) struct Joints {
    pub joints: Vec<Joint>,
    pub value_names: Vec<String>,
    pub value_kinds: Vec<ValueKind>,
    pub limits: Vec<ValueLimits>,
    pub steps: Vec<Step>,
}

/// A robot in hand: where its links are, and its name.
struct RobotLinks<'a> {
    name: &'a str,
    links: Range<u32>,
    bodies: &'a [Body],
}

impl Joints {
    /// Adds the joints of a robot whose links are these: values, limits, and steps with parents before
    /// children. Returns its values.
    pub fn robot(
        &mut self,
        (name, robot): (&str, &RobotDescription),
        (links, bodies): (Range<u32>, &[Body]),
        clusters: &mut Clusters,
        faults: &mut FaultList,
    ) -> Range<usize> {
        let of = RobotLinks { name, links, bodies };
        let first_link = of.links.start;
        let first_joint = self.joints.len();
        let full = |joint: &str| format!("{name}/{joint}");

        // The first of several links or joints of one name answers to it; the second is a fault already.
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
        faults.extend(duplicates(&mut borrowed, "joint"));

        let checked: Vec<Option<CheckedJoint>> =
            robot.joints.iter().zip(&full_names).map(|(j, full)| joint(j, full, &links, faults)).collect();

        // Values in file order, then the joints that follow others.
        let first_value = self.value_names.len();
        for (i, joint) in robot.joints.iter().enumerate() {
            let values = self.values_of(joint, &full_names[i]);
            self.joints.push(Joint {
                name: core::mem::take(&mut full_names[i]),
                kind: joint.kind,
                parent: checked[i].as_ref().map_or(BodyId(first_link), |c| c.parent),
                child: checked[i].as_ref().map_or(BodyId(first_link), |c| c.child),
                values,
                follows: None,
            });
        }
        let values = first_value..self.value_names.len();
        let rules: Vec<Option<Rule>> =
            (0..robot.joints.len()).map(|i| self.rule(robot, &by_name, first_joint + i, faults)).collect();
        for (i, (joint, rule)) in robot.joints.iter().zip(&rules).enumerate() {
            if joint.mimic.is_some() {
                let follows = rule.map(|Rule { value, scale, offset, .. }| Follows { value, scale, offset });
                self.joints[first_joint + i].follows = follows;
            }
            self.limits_of(joint, first_joint + i, *rule, faults);
        }

        if let Some(order) = self.tree(&of, &checked, faults) {
            let mut next_cluster = clusters.of_robot(first_link);
            for &j in &order {
                let Some(joint) = &checked[j] else { continue };
                clusters.join(joint.parent, joint.child, joint.motion == Motion::Fixed, &mut next_cluster);
                let first_value = self.joints[first_joint + j].values.start;
                self.steps.push(step(joint, robot.joints[j].joint_in_parent, first_value, rules[j]));
            }
        }
        values
    }

    /// Appends the joint's values to the flat vector.
    fn values_of(&mut self, joint: &JointDescription, full: &str) -> Range<usize> {
        use ValueKind::{Angle, Length, Quaternion, QuaternionRest};
        let first = self.value_names.len();
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
            self.value_names.push(format!("{full}{suffix}"));
            self.value_kinds.push(*kind);
        }
        first..self.value_names.len()
    }

    /// Follows mimics from a joint of the robot, by its number, to the joint that has a value. `None`: no single value,
    /// or a fault (reported).
    fn rule(
        &self,
        robot: &RobotDescription,
        by_name: &BTreeMap<&str, usize>,
        number: usize,
        faults: &mut FaultList,
    ) -> Option<Rule> {
        let first_joint = self.joints.len() - robot.joints.len();
        let start = number - first_joint;
        let has_one_value = |kind: JointKind| {
            matches!(kind, JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic)
        };
        let full = |i: usize| self.joints[first_joint + i].name.clone();
        let mut rule = Rule { value: 0, scale: 1.0, offset: 0.0, hops: 0, offset_size: 0.0 };
        let mut at = start;
        loop {
            let joint = &robot.joints[at];
            if !has_one_value(joint.kind) {
                if at != start || (joint.mimic.is_some() && joint.kind != JointKind::Fixed) {
                    let problem = "follows or is a joint without exactly one value: only revolute, continuous and \
                                   prismatic joints can follow and be followed";
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
                // Reported once, at the joint that has it.
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
        rule: Option<Rule>,
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
        } else if let Some(Rule { value, scale, offset, .. }) = rule {
            self.limits.push(ValueLimits { value, joint: index, scale, offset, lower, upper });
        }
    }

    /// The robot's joints (by position) with every parent before its children, or `None` if they form no
    /// tree.
    fn tree(
        &self,
        of: &RobotLinks,
        joints: &[Option<CheckedJoint>],
        faults: &mut FaultList,
    ) -> Option<Vec<usize>> {
        let RobotLinks { name, links, bodies } = of;
        let (first, count) = (links.start as usize, links.len());
        let first_joint = self.joints.len() - joints.len();
        let link_name = |l: &usize| String::from(&*bodies[first + *l].name);
        let mut parents: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut whole = true;
        for (i, joint) in joints.iter().enumerate() {
            match joint {
                Some(joint) => {
                    parents[joint.child.index() - first].push(i);
                    children[joint.parent.index() - first].push(i);
                }
                None => whole = false,
            }
        }
        let mut of_tree = Vec::new();
        for (l, of) in parents.iter().enumerate().filter(|(_, of)| of.len() > 1) {
            let joints = of.iter().map(|j| self.joints[first_joint + j].name.clone()).collect();
            of_tree.push(CompileFault::SeveralParents { link: link_name(&l), joints });
        }
        // With a joint missing, what hangs on it looks like a root: not a fault of its own.
        let roots: Vec<usize> = (0..count).filter(|l| parents[*l].is_empty()).collect();
        if whole && roots.len() > 1 {
            let roots = roots.iter().map(link_name).collect();
            of_tree.push(CompileFault::SeveralRoots { robot: (*name).into(), roots });
        }
        let mut order = Vec::with_capacity(joints.len());
        let mut reached = vec![false; count];
        let mut waiting: Vec<usize> = roots.clone();
        while let Some(l) = waiting.pop() {
            if core::mem::replace(&mut reached[l], true) {
                continue;
            }
            order.extend(&children[l]);
            let next = children[l].iter().rev().filter_map(|j| joints[*j].as_ref());
            waiting.extend(next.map(|j| j.child.index() - first));
        }
        let unreached: Vec<String> = (0..count).filter(|l| !reached[*l]).map(|l| link_name(&l)).collect();
        if !unreached.is_empty() {
            of_tree.push(CompileFault::Loop { robot: (*name).into(), links: unreached });
        }
        let good = whole && count > 0 && of_tree.is_empty();
        faults.extend(of_tree);
        good.then_some(order)
    }
}

fn joint(
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
    let defect = faults.transform(&joint.joint_in_parent, || format!("joint `{full}`"));
    let motion = motion_of(joint.kind, joint.axis);
    if motion.is_none() {
        faults.push(CompileFault::BadAxis { joint: full.into(), axis: joint.axis.to_array() });
    }
    let (motion, sign) = motion?;
    Some(CheckedJoint { parent: parent?, child: child?, motion, sign, defect })
}

/// The step of a joint whose own values begin at `first_value`.
fn step(joint: &CheckedJoint, joint_in_parent: Transform, first_value: usize, rule: Option<Rule>) -> Step {
    let fixed = joint.motion == Motion::Fixed;
    let plain = Step {
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
        Some(rule) => Step {
            value: rule.value,
            scale: joint.sign * rule.scale,
            offset: joint.sign * rule.offset,
            rounding: MIMIC_ROUNDING * f64::from(rule.hops),
            rounding_offset: rule.offset_size,
            ..plain
        },
    }
}

/// How a joint of a kind moves about or along its axis, and the sign of its value; `None` for a bad axis.
fn motion_of(kind: JointKind, axis: Vec3) -> Option<(Motion, f64)> {
    // Scaled first, so that very long and very short axes are normalized as well as others.
    let unit = || {
        let largest = axis.max_abs();
        if axis.is_finite() && largest > 0.0 { vec_over(axis, largest).normalized() } else { None }
    };
    Some(match kind {
        JointKind::Fixed => (Motion::Fixed, 1.0),
        JointKind::Floating => (Motion::Floating, 1.0),
        JointKind::Prismatic => (Motion::Slide(unit()?), 1.0),
        JointKind::Revolute | JointKind::Continuous => {
            let n = unit()?;
            let exact = |v: Vec3| [Vec3::X, Vec3::Y, Vec3::Z].iter().position(|e| *e == v);
            let (which, sign) = match (exact(n), exact(-n)) {
                (Some(i), _) => (Some(i), 1.0),
                (_, Some(i)) => (Some(i), -1.0),
                _ => (None, 1.0),
            };
            let motion = match which {
                Some(0) => Motion::TurnX,
                Some(1) => Motion::TurnY,
                Some(_) => Motion::TurnZ,
                None => Motion::Turn(n),
            };
            (motion, sign)
        }
        JointKind::Planar => {
            // x and y of the plane: for the axes x, y, z they are (y, z), (z, x), (x, y); for others the
            // projection of the same first axis.
            let n = unit()?;
            let a = n.abs();
            let next = if a.z >= a.x && a.z >= a.y {
                Vec3::X
            } else if a.x >= a.y {
                Vec3::Y
            } else {
                Vec3::Z
            };
            let u = (next - n * n.dot(next)).normalized()?;
            (Motion::Planar { u, v: n.cross(u), axis: n }, 1.0)
        }
    })
}

fn vec_over(v: Vec3, s: f64) -> Vec3 {
    Vec3 { x: v.x / s, y: v.y / s, z: v.z / s }
}
