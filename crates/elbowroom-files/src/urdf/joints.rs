//! Joints of a URDF: each by itself, what follows what, and that all of them make one tree.

use super::reader::{UrdfReader, name_list};
use super::spelling;
use crate::limits::{FAR_SLIDE, JOINT_RANGE, TURNS};
use crate::xml::{named_children, parse_number, short_text};
use elbowroom::describe::{
    JointDescription, JointKind, JointLimits, LinkDescription, Mimic, RobotDescription,
};
use elbowroom::fault::Numeral;
use elbowroom::math::Vec3;
use roxmltree::Node;
use std::collections::{BTreeMap, BTreeSet};

/// What limits of kilometres do.
const FAR_SLIDE_FACT: &str = "distances are known to some nanometres only, since rounding grows with limits";

impl UrdfReader<'_, '_, '_> {
    pub(super) fn read_joint(
        &mut self,
        node: Node<'_, '_>,
        links: &mut BTreeMap<String, String>,
        all_links: &mut Vec<LinkDescription>,
    ) -> Option<JointDescription> {
        let name = self.read_name(node, "name");
        let kind = self.read_joint_kind(node);
        let parent = self.read_end(node, "parent", links, Some(all_links));
        let child = self.read_end(node, "child", links, None);
        let joint_in_parent = self.read_origin(node);
        let mut axis = Vec3::X;
        let mut axis_is_good = true;
        self.check_spelling(node, &spelling::JOINT);
        if let Some(element) = self.find_only(node, "axis", "here", "keep one") {
            // A fixed joint's axis is never used; exporters write zeros there.
            let needed = !matches!(kind, Some(JointKind::Fixed | JointKind::Floating));
            if needed && element.has_attribute("xyz") {
                self.warn_of_others(element, "xyz");
            } else if needed {
                self.refuse_others(element, &["xyz"]);
            }
            match self.read_triple(element, "xyz", if needed { None } else { Some([1.0, 0.0, 0.0]) }) {
                Some(xyz) => axis = xyz.into(),
                None => axis_is_good = false,
            }
            if axis_is_good && axis.normalized().is_none() {
                if needed {
                    self.add_fault(
                        element,
                        format!("the axis {:?} has no direction", axis.to_array()),
                        "give it a direction, e.g. xyz=\"0 0 1\"",
                    );
                    axis_is_good = false;
                } else {
                    axis = Vec3::X;
                }
            }
        }
        let limits = self.read_limits(node, kind);
        if let Some(name) = &name {
            self.read_rates(node, name, kind);
        }
        if let Some(Some(limits)) = &limits {
            self.warn_of_soft_limits(node, *limits);
        }
        // Limits that are none: it turns without end.
        let endless = kind == Some(JointKind::Revolute) && limits == Some(None);
        let kind = if endless { Some(JointKind::Continuous) } else { kind };
        let mimic = self.read_mimic(node, kind);
        if parent.is_some() && parent == child {
            self.add_fault(node, "joins a link to itself", "name two links");
            return None;
        }
        if !axis_is_good {
            return None;
        }
        Some(JointDescription {
            name: name?,
            kind: kind?,
            parent: parent?,
            child: child?,
            joint_in_parent: joint_in_parent?,
            axis,
            limits: limits?,
            mimic: mimic?,
        })
    }

    fn read_joint_kind(&mut self, node: Node<'_, '_>) -> Option<JointKind> {
        let kind = self.read_name(node, "type")?;
        let known = [
            ("fixed", JointKind::Fixed),
            ("revolute", JointKind::Revolute),
            ("continuous", JointKind::Continuous),
            ("prismatic", JointKind::Prismatic),
            ("planar", JointKind::Planar),
            ("floating", JointKind::Floating),
        ];
        if let Some((_, found)) = known.iter().find(|(n, _)| *n == kind) {
            return Some(*found);
        }
        let mut help = self.session.log.did_you_mean(&kind, known.map(|(n, _)| n));
        if help.is_empty() {
            help = format!("URDF knows {}", known.map(|(n, _)| n).join(", "));
        }
        self.add_fault(node, format!("the joint type {:?} is unknown", short_text(&kind)), help);
        None
    }

    /// The link at one end of a joint. Only a parent called `world` may be undeclared.
    fn read_end(
        &mut self,
        node: Node<'_, '_>,
        end: &'static str,
        links: &mut BTreeMap<String, String>,
        all_links: Option<&mut Vec<LinkDescription>>,
    ) -> Option<String> {
        let Some(element) = self.find_only(node, end, "of one joint", "keep one") else {
            self.add_fault(node, format!("has no <{end}>"), format!("write <{end} link=\"...\"/>"));
            return None;
        };
        let name = self.read_name(element, "link")?;
        if links.contains_key(&name) {
            return Some(name);
        }
        if let (Some(all_links), "world") = (all_links, name.as_str()) {
            self.add_warning(
                element,
                "the link \"world\" is not declared; an empty one is used",
                "write <link name=\"world\"/>",
            );
            links.insert(name.clone(), self.text.node_place(element));
            all_links.push(LinkDescription { name: name.clone(), shapes: Vec::new() });
            return Some(name);
        }
        let mut help = self.session.log.did_you_mean(&name, links.keys().map(String::as_str));
        if help.is_empty() {
            help = format!("write <link name={name:?}/> or correct the name");
        }
        self.add_fault(element, format!("there is no link {:?}", short_text(&name)), help);
        None
    }

    /// `Some(None)` where the joint needs no limits and has none, or is revolute and its limits are so wide
    /// that they mean none.
    fn read_limits(&mut self, node: Node<'_, '_>, kind: Option<JointKind>) -> Option<Option<JointLimits>> {
        let limit = self.find_only(node, "limit", "here", "keep one");
        if !matches!(kind, Some(JointKind::Revolute | JointKind::Prismatic)) {
            return Some(None);
        }
        let Some(limit) = limit else {
            let help = if kind == Some(JointKind::Revolute) {
                "write <limit lower=\"...\" upper=\"...\" effort=\"...\" velocity=\"...\"/>, or make it \
                 continuous"
            } else {
                "write <limit lower=\"...\" upper=\"...\" effort=\"...\" velocity=\"...\"/>"
            };
            self.add_fault(node, "has no limits", help);
            return None;
        };
        self.check_spelling(limit, &spelling::LIMIT);
        if !limit.has_attribute("lower") && !limit.has_attribute("upper") {
            self.add_warning(
                limit,
                "has neither lower nor upper: both are 0 and the joint cannot move",
                "write lower and upper",
            );
        }
        let lower = self.read_limit(limit, "lower");
        let upper = self.read_limit(limit, "upper");
        let (lower, upper) = (lower?, upper?);
        if lower > upper {
            self.add_fault(
                limit,
                format!("the lower limit {} is above the upper limit {}", Numeral(lower), Numeral(upper)),
                "swap or correct them",
            );
            return None;
        }
        let none = [lower < -JOINT_RANGE, upper > JOINT_RANGE];
        // Limits beyond the range on the same side leave no value at all, which compiling refuses.
        if none == [false; 2] || lower > JOINT_RANGE || upper < -JOINT_RANGE {
            let most = lower.abs().max(upper.abs());
            if kind == Some(JointKind::Revolute) && (TURNS[0]..=TURNS[1]).contains(&most) {
                let what = "its limits are more than three turns: radians are meant";
                let help = "if these are degrees, multiply them by 0.01745329 (pi / 180); a joint that turns \
                     without end is continuous";
                self.add_warning(limit, what, help);
            }
            if kind == Some(JointKind::Prismatic) && most >= FAR_SLIDE {
                self.add_warning(limit, FAR_SLIDE_FACT, "write the true limits");
            }
            return Some(Some(JointLimits { lower, upper }));
        }
        let what = format!("its limits {} to {} stand for none", Numeral(lower), Numeral(upper));
        let turns = kind == Some(JointKind::Revolute);
        if turns && none == [true; 2] {
            let what = format!("{what}: taken as continuous");
            self.add_warning(node, what, "write type=\"continuous\", or the true limits");
            return Some(None);
        }
        let (lower, upper) = (lower.max(-JOINT_RANGE), upper.min(JOINT_RANGE));
        let unit = if turns { "rad" } else { "m" };
        let mut what = format!("{what}: {} to {} {unit} are taken", Numeral(lower), Numeral(upper));
        if !turns {
            what = format!("{what}; {FAR_SLIDE_FACT}");
        }
        self.add_warning(node, what, "write the true limits");
        Some(Some(JointLimits { lower, upper }))
    }

    /// Says that soft limits are not applied, where they are narrower.
    fn warn_of_soft_limits(&mut self, joint: Node<'_, '_>, limits: JointLimits) {
        for safety in named_children(joint, "safety_controller") {
            let soft = |key: &str, end: f64, narrower: fn(&f64, &f64) -> bool| {
                let value = safety.attribute(key).and_then(parse_number);
                value.is_some_and(|soft| narrower(&soft, &end))
            };
            if soft("soft_lower_limit", limits.lower, f64::gt)
                || soft("soft_upper_limit", limits.upper, f64::lt)
            {
                let what = "its soft limits are narrower than its limits, and are not applied";
                self.add_warning(safety, what, "write them into <limit> if the joint keeps to them");
            }
        }
    }

    /// A limit, zero where it is missing: a number, or infinity of either sign.
    fn read_limit(&mut self, node: Node<'_, '_>, key: &str) -> Option<f64> {
        let endless =
            node.attribute(key).and_then(|text| text.trim().parse::<f64>().ok()).filter(|v| v.is_infinite());
        endless.or_else(|| self.read_number(node, key, Some(0.0)))
    }

    /// `Some(None)` where the joint follows no other.
    fn read_mimic(&mut self, node: Node<'_, '_>, kind: Option<JointKind>) -> Option<Option<Mimic>> {
        let Some(element) = self.find_only(node, "mimic", "of one joint", "keep one") else {
            return Some(None);
        };
        self.check_spelling(element, &spelling::MIMIC);
        let joint = self.read_name(element, "joint");
        let multiplier = self.read_number(element, "multiplier", Some(1.0));
        let offset = self.read_number(element, "offset", Some(0.0));
        match kind {
            Some(JointKind::Fixed) => {
                self.add_warning(element, "<mimic> on a fixed joint is ignored", "remove the mimic");
                return Some(None);
            }
            Some(JointKind::Planar | JointKind::Floating) => {
                self.add_fault(
                    element,
                    "a joint with several values cannot mimic another",
                    "remove the mimic",
                );
                return None;
            }
            _ => {}
        }
        Some(Some(Mimic { joint: joint?, multiplier: multiplier?, offset: offset? }))
    }

    pub(super) fn check_mimics(
        &mut self,
        robot: &RobotDescription,
        places: &BTreeMap<String, String>,
        root: Node<'_, '_>,
    ) {
        let index: BTreeMap<&str, usize> =
            robot.joints.iter().enumerate().map(|(i, j)| (j.name.as_str(), i)).collect();
        let leader =
            |j: &JointDescription| j.mimic.as_ref().and_then(|m| index.get(m.joint.as_str()).copied());
        // 0: not looked at, 1: on the present chain, 2: known to end.
        let mut state = vec![0_u8; robot.joints.len()];
        for (i, joint) in robot.joints.iter().enumerate() {
            let Some(mimic) = &joint.mimic else { continue };
            let place = places.get(&joint.name).cloned().unwrap_or_else(|| self.text.node_place(root));
            let Some(target) = leader(joint) else {
                let mut help = self.session.log.did_you_mean(&mimic.joint, index.keys().copied());
                if help.is_empty() {
                    help = "name a joint of this robot".into();
                }
                let what = format!("mimics the joint {:?}, which does not exist", short_text(&mimic.joint));
                self.session.log.add_fault(&self.text.path, place, what, help);
                continue;
            };
            if !matches!(
                robot.joints[target].kind,
                JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic
            ) {
                let what = format!(
                    "mimics the joint {:?}, which does not have exactly one value",
                    short_text(&mimic.joint)
                );
                self.session.log.add_fault(
                    &self.text.path,
                    &*place,
                    what,
                    "mimic a revolute, continuous or prismatic joint",
                );
            }
            let (mut chain, mut at) = (Vec::new(), Some(i));
            while let Some(k) = at {
                if state[k] == 1 {
                    let what = format!("mimics itself, through {:?}", robot.joints[k].name);
                    self.session.log.add_fault(&self.text.path, &*place, what, "break the loop of mimics");
                }
                if state[k] != 0 {
                    break;
                }
                state[k] = 1;
                chain.push(k);
                at = leader(&robot.joints[k]);
            }
            for k in chain {
                state[k] = 2;
            }
        }
    }

    /// One root, every other link the child of exactly one joint, no circle.
    pub(super) fn check_tree(
        &mut self,
        robot: &RobotDescription,
        links: &BTreeMap<String, String>,
        joints: &BTreeMap<String, String>,
        root: Node<'_, '_>,
        joints_complete: bool,
    ) {
        let mut parent_joint: BTreeMap<&str, &str> = BTreeMap::new();
        let mut children: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for joint in &robot.joints {
            if let Some(first) = parent_joint.get(joint.child.as_str()) {
                let what = format!(
                    "the link {:?} is already the child of joint {first:?}",
                    short_text(&joint.child)
                );
                let place = joints.get(&joint.name).cloned().unwrap_or_default();
                self.session.log.add_fault(
                    &self.text.path,
                    place,
                    what,
                    "a link has one parent joint; remove or reverse one of them",
                );
                continue;
            }
            parent_joint.insert(&joint.child, &joint.name);
            children.entry(&joint.parent).or_default().push(&joint.child);
        }
        // If a joint is missing, faults about roots and circles would only echo its own.
        if !joints_complete || robot.links.is_empty() {
            return;
        }
        let roots: Vec<&str> =
            robot.links.iter().map(|l| l.name.as_str()).filter(|l| !parent_joint.contains_key(l)).collect();
        if roots.len() > 1 {
            let what = format!("has {} roots: {}", roots.len(), name_list(&roots));
            self.add_fault(root, what, "join them with fixed joints; a robot is one tree");
        }
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open = roots;
        while let Some(link) = open.pop() {
            if seen.insert(link) {
                open.extend(children.get(link).into_iter().flatten());
            }
        }
        let lost: Vec<&str> =
            robot.links.iter().map(|l| l.name.as_str()).filter(|l| !seen.contains(l)).collect();
        if let Some(first) = lost.first() {
            let what = format!("the links {} form a loop", name_list(&lost));
            let place = links.get(*first).cloned().unwrap_or_default();
            self.session.log.add_fault(&self.text.path, place, what, "remove the joint that closes the loop");
        }
    }
}
