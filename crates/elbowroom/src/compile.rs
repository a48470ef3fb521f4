//! A description becomes a [`World`], or the list of everything that is wrong with it.
//!
//! The compiler goes on after a fault as long as there is something to look at, so that a person corrects a
//! description once. It works in the order in which the parts depend on each other: bodies and their names, shapes,
//! each robot's tree of joints, held obstacles, rules for pairs, and at last, only if nothing was wrong, the pairs.

use crate::bounds::{Ball, ball_around};
use crate::describe::{JointDescription, JointKind, PlacedShape, RobotDescription, WorldDescription};
use crate::fault::{CompileFault, TransformProblem};
use crate::id::{BodyId, RobotId};
use crate::kinematics::{Motion, PoseError, Step, rotation_defect};
use crate::math::{Mat3, Transform, Vec3};
use crate::pairs::{BodyFacts, CELL, PairRules, ordered};
use crate::select::{Names, bodies_by_name};
use crate::shape_compile::compile_shape;
use crate::tolerance::{
    LIMIT_ROUNDING, MAX_BODIES, MAX_CHECKED_PAIRS, MAX_COORDINATE, MAX_MIMIC_HOPS, MAX_REMEMBERED,
    MAX_SHAPES, MIMIC_ROUNDING, NORM_ROUNDING, ROTATION_DEFECT, SHIFT_PER_OFFSET,
};
use crate::world::{Body, BodyShape, COLD, Joint, Robot, ValueKind, ValueLimits, World};
use alloc::collections::BTreeMap;
use alloc::{format, string::String, string::ToString, vec, vec::Vec};

/// Compiles a description. On failure: every fault that was found, at least one.
pub fn compile(description: &WorldDescription) -> Result<World, Vec<CompileFault>> {
    let mut compiler = Compiler::new(description);
    compiler.numbers(description);
    compiler.bodies(description);
    for (index, placed) in description.robots.iter().enumerate() {
        compiler.robot(index, &placed.robot);
    }
    compiler.held(description);
    compiler.rules(description);
    compiler.finish(description)
}

struct Compiler {
    faults: Vec<CompileFault>,
    world: World,
}

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

impl Compiler {
    fn new(d: &WorldDescription) -> Compiler {
        // Everything is computed from the first robot's base, or the first obstacle where there is no robot.
        let first = d.robots.first().map(|r| r.base_in_world).or(d.obstacles.first().map(|o| o.pose));
        let origin_in_world = first.map(|t| t.translation).filter(|t| t.max_abs() <= MAX_COORDINATE);
        let world = World {
            robots: Vec::new(),
            bodies: Vec::new(),
            shapes: Vec::new(),
            joints: Vec::new(),
            value_names: Vec::new(),
            value_kinds: Vec::new(),
            limits: Vec::new(),
            steps: Vec::new(),
            start_in_cell: Vec::new(),
            errors: Vec::new(),
            bounded: true,
            moving: Vec::new(),
            rules: PairRules::default(),
            pairs: Vec::new(),
            memory: Vec::new(),
            memory_size: 0,
            origin_in_world: origin_in_world.unwrap_or(Vec3::ZERO),
            margin: d.margin,
            fingerprint: 0,
        };
        Compiler { faults: Vec::new(), world }
    }

    fn numbers(&mut self, d: &WorldDescription) {
        for (what, value) in [("the world's padding", d.padding), ("the world's margin", d.margin)] {
            if !(0.0..=MAX_COORDINATE).contains(&value) {
                self.faults.push(CompileFault::BadNumber { what, value });
            }
        }
    }

    /// Checks a pose and returns the defect of its rotation.
    fn transform(&mut self, t: &Transform, of: impl FnOnce() -> String) -> f64 {
        let problem = if !t.is_finite() {
            TransformProblem::NotFinite
        } else if t.translation.max_abs() > MAX_COORDINATE {
            TransformProblem::TooFar
        } else {
            match rotation_defect(&t.rotation) {
                None => TransformProblem::Mirrored,
                Some(defect) if defect <= ROTATION_DEFECT => return defect,
                Some(defect) => TransformProblem::NotARotation { defect },
            }
        };
        self.faults.push(CompileFault::BadTransform { of: of(), problem });
        0.0
    }

    // ---- Bodies ---------------------------------------------------------------------------------------------

    fn bodies(&mut self, d: &WorldDescription) {
        for (index, placed) in d.robots.iter().enumerate() {
            let name = &placed.name;
            self.check_robot_name(name);
            self.transform(&placed.base_in_world, || format!("robot `{name}`"));
            let first = self.world.bodies.len() as u32;
            if placed.robot.links.is_empty() {
                self.faults.push(CompileFault::NoLinks { robot: name.clone() });
            }
            for link in &placed.robot.links {
                let full = format!("{name}/{}", link.name);
                self.body(full, Some(RobotId(index as u32)), &link.shapes, d.padding);
            }
            self.world.robots.push(Robot {
                name: name.clone(),
                links: first..self.world.bodies.len() as u32,
                values: 0..0,
                base_in_world: placed.base_in_world,
            });
        }
        for obstacle in &d.obstacles {
            let full = format!("world/{}", obstacle.name);
            self.transform(&obstacle.pose, || format!("obstacle `{}`", obstacle.name));
            self.body(full, None, &obstacle.shapes, 0.0);
        }
        let mut names: Vec<&str> = d.robots.iter().map(|r| r.name.as_str()).collect();
        self.faults.extend(duplicates(&mut names, "robot"));
        let mut names: Vec<&str> = self.world.bodies.iter().map(|b| b.name.as_str()).collect();
        self.faults.extend(duplicates(&mut names, "body"));
    }

    fn check_robot_name(&mut self, name: &str) {
        let problem = match name {
            "" => "is empty: give it one",
            "world" | "*" => "has a meaning of its own: choose another",
            _ if name.contains('/') => "contains `/`, which separates a robot from its links: choose another",
            _ => return,
        };
        self.faults.push(CompileFault::BadName { kind: "robot", name: name.into(), problem });
    }

    fn body(&mut self, name: String, robot: Option<RobotId>, shapes: &[PlacedShape], extra_padding: f64) {
        let id = BodyId(self.world.bodies.len() as u32);
        if name.ends_with('/') {
            let problem = "is empty after the `/`: give the body a name";
            self.faults.push(CompileFault::BadName { kind: "body", name: name.clone(), problem });
        }
        let first = self.world.shapes.len();
        for (index, placed) in shapes.iter().enumerate() {
            let shape_name =
                if placed.name.is_empty() { (index + 1).to_string() } else { placed.name.clone() };
            let of = || format!("shape `{shape_name}` of body `{name}`");
            let defect = self.transform(&placed.shape_in_body, of);
            // Each padding must be sound by itself: a negative one is no correction of the other.
            let padding =
                if placed.padding >= 0.0 { placed.padding + extra_padding.max(0.0) } else { placed.padding };
            match compile_shape(&placed.shape, padding) {
                Err(fault) => {
                    self.faults.push(CompileFault::Shape { body: name.clone(), shape: shape_name, fault });
                }
                Ok(shape) => {
                    let at = &placed.shape_in_body;
                    let size = (shape.center.norm() + shape.reach) * (1.0 + NORM_ROUNDING);
                    // The ball moves into the body's frame, wider by what that may be off.
                    let moved = shape.center.norm() * (defect + SHIFT_PER_OFFSET)
                        + at.translation.norm() * SHIFT_PER_OFFSET;
                    let ball = Ball {
                        center: at.point(shape.center),
                        radius: (shape.reach + moved) * (1.0 + NORM_ROUNDING),
                    };
                    let placed = *at != Transform::IDENTITY;
                    let arm = at.translation.norm() * (1.0 + NORM_ROUNDING);
                    self.world.shapes.push(BodyShape {
                        name: shape_name,
                        body: id,
                        shape_in_body: *at,
                        shape,
                        placed,
                        defect,
                        arm,
                        size,
                        ball,
                    });
                }
            }
        }
        let balls: Vec<Ball> = self.world.shapes[first..].iter().map(|s| s.ball).collect();
        self.world.rules.bodies.push(BodyFacts {
            cluster: CELL,
            parent_cluster: CELL,
            robot: robot.map(|r| r.0),
            has_shapes: !balls.is_empty(),
        });
        self.world.bodies.push(Body {
            name,
            robot,
            shapes: first as u32..self.world.shapes.len() as u32,
            ball: ball_around(&balls),
        });
    }

    // ---- Joints ---------------------------------------------------------------------------------------------

    fn robot(&mut self, index: usize, robot: &RobotDescription) {
        let first_link = self.world.robots[index].links.start;
        let first_joint = self.world.joints.len();
        let name = self.world.robots[index].name.clone();
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
        self.faults.extend(duplicates(&mut borrowed, "joint"));

        let checked: Vec<Option<CheckedJoint>> =
            robot.joints.iter().zip(&full_names).map(|(j, full)| self.joint(j, full, &links)).collect();

        // Values in file order, then the joints that follow others.
        let first_value = self.world.value_names.len();
        for (i, joint) in robot.joints.iter().enumerate() {
            let values = self.values_of(joint, &full_names[i]);
            self.world.joints.push(Joint {
                name: core::mem::take(&mut full_names[i]),
                kind: joint.kind,
                parent: checked[i].as_ref().map_or(BodyId(first_link), |c| c.parent),
                child: checked[i].as_ref().map_or(BodyId(first_link), |c| c.child),
                values,
            });
        }
        self.world.robots[index].values = first_value..self.world.value_names.len();
        let rules: Vec<Option<Rule>> =
            (0..robot.joints.len()).map(|i| self.rule(robot, &by_name, first_joint, i)).collect();
        for (i, (joint, rule)) in robot.joints.iter().zip(&rules).enumerate() {
            self.limits_of(joint, first_joint + i, *rule);
        }

        if let Some(order) = self.tree(index, &checked) {
            self.steps(index, robot, first_joint, &checked, &rules, &order);
        }
    }

    fn joint(
        &mut self,
        joint: &JointDescription,
        full: &str,
        links: &BTreeMap<&str, BodyId>,
    ) -> Option<CheckedJoint> {
        let mut link = |name: &String, role: &str| {
            let id = links.get(name.as_str()).copied();
            if id.is_none() {
                let by = format!("joint `{full}`, its {role},");
                self.faults.push(CompileFault::UnknownName {
                    by,
                    wanted: "link of this robot",
                    name: name.clone(),
                });
            }
            id
        };
        let (parent, child) = (link(&joint.parent, "parent"), link(&joint.child, "child"));
        if joint.name.is_empty() {
            let problem = "is empty after the `/`: give the joint a name";
            self.faults.push(CompileFault::BadName { kind: "joint", name: full.into(), problem });
        }
        let defect = self.transform(&joint.joint_in_parent, || format!("joint `{full}`"));
        let motion = motion_of(joint.kind, joint.axis);
        if motion.is_none() {
            self.faults.push(CompileFault::BadAxis { joint: full.into(), axis: joint.axis.to_array() });
        }
        let (motion, sign) = motion?;
        Some(CheckedJoint { parent: parent?, child: child?, motion, sign, defect })
    }

    /// Appends the joint's values to the flat vector.
    fn values_of(&mut self, joint: &JointDescription, full: &str) -> core::ops::Range<usize> {
        use ValueKind::{Angle, Length, Quaternion, QuaternionRest};
        let first = self.world.value_names.len();
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
            self.world.value_names.push(format!("{full}{suffix}"));
            self.world.value_kinds.push(*kind);
        }
        first..self.world.value_names.len()
    }

    /// Follows mimics from joint `start` of the robot to the joint that has a value. `None`: no single value, or a
    /// fault (reported).
    fn rule(
        &mut self,
        robot: &RobotDescription,
        by_name: &BTreeMap<&str, usize>,
        first_joint: usize,
        start: usize,
    ) -> Option<Rule> {
        let has_one_value = |kind: JointKind| {
            matches!(kind, JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic)
        };
        let full = |i: usize| self.world.joints[first_joint + i].name.clone();
        let mut rule = Rule { value: 0, scale: 1.0, offset: 0.0, hops: 0, offset_size: 0.0 };
        let mut at = start;
        loop {
            let joint = &robot.joints[at];
            if !has_one_value(joint.kind) {
                if at != start || (joint.mimic.is_some() && joint.kind != JointKind::Fixed) {
                    let problem = "follows or is a joint without exactly one value: only revolute, continuous and \
                                   prismatic joints can follow and be followed";
                    self.faults.push(CompileFault::BadMimic { joint: full(start), problem });
                }
                return None;
            }
            let Some(mimic) = &joint.mimic else {
                rule.value = self.world.joints[first_joint + at].values.start;
                return Some(rule);
            };
            if rule.hops >= MAX_MIMIC_HOPS {
                self.faults.push(CompileFault::MimicLoop { joint: full(start) });
                return None;
            }
            let in_range = |v: f64| v.abs() <= MAX_COORDINATE;
            if !(in_range(mimic.multiplier) && in_range(mimic.offset)) {
                // Reported once, at the joint that has it.
                if at == start {
                    let problem = "has a multiplier or offset that is not finite or beyond 1e9: correct it";
                    self.faults.push(CompileFault::BadMimic { joint: full(start), problem });
                }
                return None;
            }
            let Some(&next) = by_name.get(mimic.joint.as_str()) else {
                if at == start {
                    let by = format!("mimic joint `{}`", full(start));
                    let wanted = "joint of this robot";
                    self.faults.push(CompileFault::UnknownName { by, wanted, name: mimic.joint.clone() });
                }
                return None;
            };
            // scale * (multiplier * value + offset) + offset'
            rule.offset += rule.scale * mimic.offset;
            rule.offset_size += (rule.scale * mimic.offset).abs();
            rule.scale *= mimic.multiplier;
            rule.hops += 1;
            at = next;
        }
    }

    fn limits_of(&mut self, joint: &JointDescription, index: usize, rule: Option<Rule>) {
        let name = || self.world.joints[index].name.clone();
        if !matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic) {
            return;
        }
        let Some(limits) = joint.limits else {
            if joint.mimic.is_none() {
                self.faults.push(CompileFault::MissingLimits { joint: name() });
            }
            return;
        };
        let (lower, upper) = (limits.lower, limits.upper);
        if !(lower <= upper && lower.abs() <= MAX_COORDINATE && upper.abs() <= MAX_COORDINATE) {
            self.faults.push(CompileFault::BadLimits { joint: name(), lower, upper });
        } else if let Some(Rule { value, scale, offset, .. }) = rule {
            self.world.limits.push(ValueLimits { value, joint: index, scale, offset, lower, upper });
        }
    }

    /// The robot's joints (by position) with every parent before its children, or `None` if they form no tree.
    fn tree(&mut self, index: usize, joints: &[Option<CheckedJoint>]) -> Option<Vec<usize>> {
        let Robot { name, links, .. } = self.world.robots[index].clone();
        let (first, count) = (links.start as usize, links.len());
        let first_joint = self.world.joints.len() - joints.len();
        let link_name = |l: &usize| self.world.bodies[first + *l].name.clone();
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
        let mut faults = Vec::new();
        for (l, of) in parents.iter().enumerate().filter(|(_, of)| of.len() > 1) {
            let joints = of.iter().map(|j| self.world.joints[first_joint + j].name.clone()).collect();
            faults.push(CompileFault::SeveralParents { link: link_name(&l), joints });
        }
        // With a joint missing, what hangs on it looks like a root: not a fault of its own.
        let roots: Vec<usize> = (0..count).filter(|l| parents[*l].is_empty()).collect();
        if whole && roots.len() > 1 {
            let roots = roots.iter().map(link_name).collect();
            faults.push(CompileFault::SeveralRoots { robot: name.clone(), roots });
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
            faults.push(CompileFault::Loop { robot: name, links: unreached });
        }
        let good = whole && count > 0 && faults.is_empty();
        self.faults.append(&mut faults);
        good.then_some(order)
    }

    fn steps(
        &mut self,
        index: usize,
        robot: &RobotDescription,
        first_joint: usize,
        joints: &[Option<CheckedJoint>],
        rules: &[Option<Rule>],
        order: &[usize],
    ) {
        // Fixed joints keep their child in the parent's rigid cluster; every other joint begins a new one. The first
        // number of this robot's clusters is its first body's: they are unique because no cluster is shared.
        let mut next_cluster = self.world.robots[index].links.start + 1;
        for &j in order {
            let Some(joint) = &joints[j] else { continue };
            let fixed = joint.motion == Motion::Fixed;
            let parent_cluster = self.world.rules.bodies[joint.parent.index()].cluster;
            let above = self.world.rules.bodies[joint.parent.index()].parent_cluster;
            let child = &mut self.world.rules.bodies[joint.child.index()];
            if fixed {
                (child.cluster, child.parent_cluster) = (parent_cluster, above);
            } else {
                (child.cluster, child.parent_cluster) = (next_cluster, parent_cluster);
                next_cluster += 1;
            }
            let joint_in_parent = robot.joints[j].joint_in_parent;
            let values = self.world.joints[first_joint + j].values.start;
            let mut step = Step {
                parent: joint.parent,
                child: joint.child,
                joint_in_parent,
                turned: joint_in_parent.rotation != Mat3::IDENTITY,
                motion: joint.motion,
                value: if fixed { 0 } else { values },
                scale: joint.sign,
                offset: 0.0,
                rounding: 0.0,
                rounding_offset: 0.0,
                defect: joint.defect,
            };
            if let Some(rule) = &rules[j] {
                step.value = rule.value;
                step.scale = joint.sign * rule.scale;
                step.offset = joint.sign * rule.offset;
                step.rounding = MIMIC_ROUNDING * f64::from(rule.hops);
                step.rounding_offset = rule.offset_size;
            }
            self.world.steps.push(step);
        }
    }

    // ---- Obstacles that are held --------------------------------------------------------------------------------

    fn held(&mut self, d: &WorldDescription) {
        let by_name = bodies_by_name(&self.world.bodies);
        let first = self.world.bodies.len() - d.obstacles.len();
        for (i, obstacle) in d.obstacles.iter().enumerate() {
            let Some(attachment) = &obstacle.attached_to else { continue };
            let me = BodyId((first + i) as u32);
            let mut find = |name: &String| {
                let id = by_name.get(name).copied().filter(|id| id.index() < first);
                if id.is_none() {
                    let by = format!("the attachment of obstacle `{}`", obstacle.name);
                    let wanted = "link `robot/link`";
                    self.faults.push(CompileFault::UnknownName { by, wanted, name: name.clone() });
                }
                id
            };
            let carrier = find(&attachment.body);
            let touched: Vec<BodyId> = attachment.touch.iter().filter_map(find).collect();
            let Some(carrier) = carrier else { continue };
            for other in touched.into_iter().chain([carrier]) {
                self.world.rules.held.insert(ordered(me, other));
            }
            let BodyFacts { cluster, parent_cluster, .. } = self.world.rules.bodies[carrier.index()];
            let facts = &mut self.world.rules.bodies[me.index()];
            (facts.cluster, facts.parent_cluster) = (cluster, parent_cluster);
            self.world.steps.push(Step {
                parent: carrier,
                child: me,
                joint_in_parent: obstacle.pose,
                turned: obstacle.pose.rotation != Mat3::IDENTITY,
                motion: Motion::Fixed,
                value: 0,
                scale: 1.0,
                offset: 0.0,
                rounding: 0.0,
                rounding_offset: 0.0,
                defect: rotation_defect(&obstacle.pose.rotation).unwrap_or(0.0),
            });
        }
    }

    // ---- Pairs --------------------------------------------------------------------------------------------------

    fn rules(&mut self, d: &WorldDescription) {
        let names = Names::new(d, &self.world, &mut self.faults);
        for allowed in &d.allowed {
            let by = format!("the allowed pair `{}` - `{}`", allowed.a, allowed.b);
            let a = names.resolve(&allowed.a, &by, &mut self.faults);
            let b = names.resolve(&allowed.b, &by, &mut self.faults);
            if let (Some(a), Some(b)) = (a, b) {
                match (a.one(), b.one()) {
                    (Some(a), Some(b)) => {
                        let reason = allowed.reason.clone();
                        self.world.rules.allowed_by_name.entry(ordered(a, b)).or_insert(reason);
                    }
                    _ => self.world.rules.allowed.push((a, b, allowed.reason.clone())),
                }
            }
        }
        self.world.rules.only_asked = !d.checks.is_empty();
        for [a, b] in &d.checks {
            let by = format!("the check `{a}` - `{b}`");
            let (x, y) = (names.resolve(a, &by, &mut self.faults), names.resolve(b, &by, &mut self.faults));
            let (Some(x), Some(y)) = (x, y) else { continue };
            match (x.one(), y.one()) {
                (Some(x), Some(y)) => {
                    let shapeless =
                        |id: &&(BodyId, &String, &String)| !self.world.rules.bodies[id.0.index()].has_shapes;
                    for (_, body, other) in [(x, a, b), (y, b, a)].iter().filter(shapeless) {
                        let (body, other) = ((*body).clone(), (*other).clone());
                        self.faults.push(CompileFault::NothingToCheck { body, other });
                    }
                    self.world.rules.asked_by_name.insert(ordered(x, y));
                }
                _ => self.world.rules.asked.push((x, y)),
            }
        }
        // A disabled pair whose links do not exist disables nothing, and SRDF files are full of them.
        for placed in &d.robots {
            for disabled in &placed.robot.disabled_pairs {
                let link = |name: &str| names.body(&format!("{}/{name}", placed.name));
                if let (Some(a), Some(b)) = (link(&disabled.link_a), link(&disabled.link_b)) {
                    self.world.rules.disabled.entry(ordered(a, b)).or_insert(disabled.reason.clone());
                }
            }
        }
    }

    fn finish(mut self, d: &WorldDescription) -> Result<World, Vec<CompileFault>> {
        for (what, count, limit) in
            [("bodies", self.world.bodies.len(), MAX_BODIES), ("shapes", self.world.shapes.len(), MAX_SHAPES)]
        {
            if count > limit {
                self.faults.push(CompileFault::TooMany { what, limit });
            }
        }
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        let Some(pairs) = self.world.rules.checked_pairs(MAX_CHECKED_PAIRS) else {
            return Err(vec![CompileFault::TooMany { what: "checked pairs", limit: MAX_CHECKED_PAIRS }]);
        };
        self.world.pairs = pairs;
        self.memory();
        self.start(d);
        self.world.fingerprint = fingerprint(&self.world, d);
        Ok(self.world)
    }

    /// Gives each checked pair a place for what its shape queries remember, until there is no more room.
    fn memory(&mut self) {
        for pair in &self.world.pairs {
            let [a, b] = [pair.a, pair.b].map(|id| self.world.bodies[id.index()].shapes.len());
            match self.world.memory_size.checked_add(a.saturating_mul(b)) {
                Some(end) if end <= MAX_REMEMBERED => {
                    self.world.memory.push(self.world.memory_size as u32);
                    self.world.memory_size = end;
                }
                _ => self.world.memory.push(COLD),
            }
        }
    }

    /// Poses and errors before any joint moves, and the worst errors while all values are within limits.
    fn start(&mut self, d: &WorldDescription) {
        let world = &mut self.world;
        let origin = world.origin_in_world;
        let roots = world.bodies.iter().map(|body| body.robot.map(|r| world.robots[r.index()].base_in_world));
        let mut obstacles = d.obstacles.iter().map(|o| o.pose);
        let given: Vec<Transform> =
            roots.map(|base| base.or_else(|| obstacles.next()).unwrap_or(Transform::IDENTITY)).collect();
        for pose in given {
            let in_cell = Transform::new(pose.rotation, pose.translation - origin);
            let defect = rotation_defect(&pose.rotation).unwrap_or(0.0);
            world.errors.push(PoseError::of_placement(in_cell.translation.norm(), defect));
            world.start_in_cell.push(in_cell);
        }
        let mut size = vec![f64::INFINITY; world.value_names.len()];
        for limit in world.limits.iter().filter(|l| !world.joints[l.joint].values.is_empty()) {
            size[limit.value] = limit.lower.abs().max(limit.upper.abs()) + LIMIT_ROUNDING;
        }
        for step in &world.steps {
            let error = step.error(world.errors[step.parent.index()], |i| size[i]);
            world.bounded &= error.turn.is_finite() && error.shift.is_finite() && error.reach.is_finite();
            world.errors[step.child.index()] = error;
        }
        let ids = world.steps.iter().map(|s| s.child);
        world.moving = ids.filter(|id| world.bodies[id.index()].ball.is_some()).collect();
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
            // x and y of the plane: for the axes x, y, z they are (y, z), (z, x), (x, y); for others the projection
            // of the same first axis.
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

/// A fault for each name that occurs more than once.
fn duplicates(names: &mut Vec<&str>, kind: &'static str) -> Vec<CompileFault> {
    names.sort_unstable();
    let mut twice: Vec<&str> = names.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
    twice.dedup();
    twice.into_iter().map(|name| CompileFault::DuplicateName { kind, name: name.into() }).collect()
}

/// A hash (FNV-1a) of everything that a pose's memory must fit: counts, names, pairs, and the numbers of the shapes.
fn fingerprint(world: &World, d: &WorldDescription) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut word = |w: u64| hash = (hash ^ w).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    for name in world.bodies.iter().map(|b| &b.name).chain(&world.value_names) {
        name.bytes().for_each(|b| word(u64::from(b)));
    }
    for pair in &world.pairs {
        word(u64::from(pair.a.0) << 32 | u64::from(pair.b.0));
    }
    for shape in &world.shapes {
        word(u64::from(shape.body.0));
        let s = &shape.shape;
        [s.radius, s.reach, s.center.x, s.center.y, s.center.z].iter().for_each(|v| word(v.to_bits()));
    }
    let links = d.robots.iter().flat_map(|r| &r.robot.links).flat_map(|l| &l.shapes);
    for placed in links.chain(d.obstacles.iter().flat_map(|o| &o.shapes)) {
        use crate::describe::ShapeDescription::{Convex, Mesh};
        if let Convex { vertices } | Mesh { vertices, .. } = &placed.shape {
            vertices.iter().flatten().for_each(|v| word(v.to_bits()));
        }
        if let Mesh { triangles, .. } = &placed.shape {
            triangles.iter().flatten().for_each(|i| word(u64::from(*i)));
        }
    }
    hash
}
