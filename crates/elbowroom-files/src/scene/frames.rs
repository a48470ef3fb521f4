//! The frames that a robot gives a scene: those of its links, as far as no joint moves them.

use elbowroom::describe::{JointDescription, JointKind, RobotDescription};
use elbowroom::math::Transform;
use std::collections::BTreeMap;

/// A link, and what carries it by fixed joints alone.
struct CarriedLink {
    /// The link nearest to the root that is fixed to it.
    carrier: String,
    link_in_carrier: Transform,
    /// The joint that moves the carrier; none where it is the root.
    mover: Option<String>,
}

/// The links of a robot by name, each with the link that it is fixed to.
#[derive(Default)]
pub(crate) struct RobotFrames(BTreeMap<String, CarriedLink>);

impl RobotFrames {
    pub fn new(robot: &RobotDescription) -> RobotFrames {
        let mut below: BTreeMap<&str, Vec<&JointDescription>> = BTreeMap::new();
        for joint in &robot.joints {
            below.entry(&joint.parent).or_default().push(joint);
        }
        let is_root = |name: &str| robot.joints.iter().all(|joint| joint.child != name);
        let root = robot.links.iter().map(|link| &*link.name).find(|name| is_root(name));
        let mut found: BTreeMap<String, CarriedLink> = BTreeMap::new();
        let mut open: Vec<(&str, &str, Transform, Option<&str>)> =
            root.into_iter().map(|root| (root, root, Transform::IDENTITY, None)).collect();
        while let Some((link, carrier, link_in_carrier, mover)) = open.pop() {
            for joint in below.remove(link).into_iter().flatten() {
                open.push(match joint.kind {
                    JointKind::Fixed => {
                        (&joint.child, carrier, link_in_carrier * joint.joint_in_parent, mover)
                    }
                    _ => (&joint.child, &joint.child, Transform::IDENTITY, Some(&joint.name)),
                });
            }
            let (carrier, mover) = (carrier.to_string(), mover.map(str::to_string));
            found.insert(link.to_string(), CarriedLink { carrier, link_in_carrier, mover });
        }
        RobotFrames(found)
    }

    /// The names of all links.
    pub fn link_names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Where a link is in the root link, if nothing moves it.
    pub fn find_in_root(&self, link: &str) -> Option<Transform> {
        self.0.get(link).filter(|found| found.mover.is_none()).map(|found| found.link_in_carrier)
    }

    /// The last joint before a link that moves it.
    pub fn find_mover(&self, link: &str) -> Option<&str> {
        self.0.get(link)?.mover.as_deref()
    }

    /// Where a link is in another one, if fixed joints alone join them.
    pub fn find_between(&self, link: &str, other: &str) -> Option<Transform> {
        let [link, other] = [self.0.get(link)?, self.0.get(other)?];
        (link.carrier == other.carrier).then(|| other.link_in_carrier.inverse() * link.link_in_carrier)
    }
}

/// What is known of a scene's frames outside its file.
pub(crate) struct ScenePlace {
    /// Empty where it is not known which robot is meant.
    pub robot: RobotFrames,
    pub base_in_world: Transform,
    /// The pose that the world file gives the scene, and whether it gives one.
    pub pose: Transform,
    pub is_placed: bool,
    /// Whether a robot could not be read. Then an unknown frame is no fault of the scene.
    pub is_open: bool,
}

impl ScenePlace {
    /// That of a scene by itself.
    pub fn without_robots() -> ScenePlace {
        let still = Transform::IDENTITY;
        let robot = RobotFrames::default();
        ScenePlace { robot, base_in_world: still, pose: still, is_placed: false, is_open: false }
    }

    /// Where the planning frame is in the world: its link is there, or nothing but the given pose is known.
    pub fn planning_in_world(&self, planning: &str) -> Transform {
        match self.robot.find_in_root(planning) {
            Some(link) => self.base_in_world * link * self.pose,
            None => self.pose,
        }
    }

    /// Where another frame is in the planning frame.
    pub fn find_in_planning(&self, planning: &str, name: &str) -> Option<Transform> {
        match (self.robot.find_in_root(planning), self.robot.find_in_root(name)) {
            (Some(planning), Some(link)) => Some((planning * self.pose).inverse() * link),
            (None, Some(link)) => Some(self.pose.inverse() * (self.base_in_world * link)),
            // Where a scene is moved, it is not known whether its world is moved with it.
            (Some(_), None) if name == "world" && !self.is_placed => {
                Some(self.planning_in_world(planning).inverse())
            }
            _ => None,
        }
    }
}
