//! Which links of a robot are not checked against each other by a rule of the engine: those that never move
//! relative to each other, and neighbours, between which is one joint that moves.

use elbowroom::describe::{JointDescription, JointKind, RobotDescription};
use std::collections::{BTreeMap, BTreeSet};

/// A robot's links, those together that never move relative to each other.
pub(super) struct Clusters {
    /// The uppermost link of each link's cluster.
    top: BTreeMap<String, String>,
    /// The cluster that each one hangs on by a joint that moves.
    above: BTreeMap<String, String>,
}

impl Clusters {
    /// Of a robot whose joints are a tree.
    pub fn from_robot(robot: &RobotDescription) -> Clusters {
        // Walk the tree of joints from its roots to its leaves.
        let mut below: BTreeMap<&str, Vec<&JointDescription>> = BTreeMap::new();
        for joint in &robot.joints {
            below.entry(&joint.parent).or_default().push(joint);
        }
        let moved: BTreeSet<&str> = robot.joints.iter().map(|j| &*j.child).collect();
        let roots = robot.links.iter().map(|l| &*l.name).filter(|l| !moved.contains(l));
        let mut top: BTreeMap<&str, &str> = roots.map(|root| (root, root)).collect();
        let mut open: Vec<&str> = top.keys().copied().collect();
        while let Some(link) = open.pop() {
            for joint in below.remove(link).unwrap_or_default() {
                let cluster = match joint.kind {
                    JointKind::Fixed => top.get(link).copied().unwrap_or(link),
                    _ => &joint.child,
                };
                top.insert(&joint.child, cluster);
                open.push(&joint.child);
            }
        }
        let hangs = |joint: &JointDescription| joint.kind != JointKind::Fixed;
        let above: BTreeMap<&str, &str> = (robot.joints.iter().filter(|joint| hangs(joint)))
            .filter_map(|joint| Some((&*joint.child, *top.get(&*joint.parent)?)))
            .collect();
        let owned = |map: BTreeMap<&str, &str>| -> BTreeMap<String, String> {
            map.into_iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
        };
        Clusters { top: owned(top), above: owned(above) }
    }

    /// Why two links are not checked, if they are not.
    pub fn why_unchecked(&self, a: &str, b: &str) -> Option<&'static str> {
        let (a, b) = (self.top.get(a)?, self.top.get(b)?);
        if a == b {
            return Some("never move relative to each other");
        }
        let hangs = |x: &String, y: &String| self.above.get(x) == Some(y);
        (hangs(a, b) || hangs(b, a)).then_some("are neighbours")
    }
}
