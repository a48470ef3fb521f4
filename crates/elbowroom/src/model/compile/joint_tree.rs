//! The tree of a robot's joints.

use super::faults::FaultList;
use crate::model::body::Body;
use crate::model::id::BodyId;
use crate::model::kinematics::Joint;
use crate::numeric::layered::Layered;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use elbowroom_describe::fault::CompileFault;

/// A robot's name, and its links among all bodies.
pub(super) struct RobotLinks<'a> {
    pub name: &'a str,
    pub links: Range<u32>,
    pub bodies: &'a Layered<Body>,
}

/// Indices of a robot's joints with every parent before its children; `None` if they do not form a tree. An
/// end is the parent and the child of a joint; `None` if the joint has a fault.
pub(super) fn order_joints(
    of: &RobotLinks,
    joints: &[Joint],
    ends: &[Option<[BodyId; 2]>],
    faults: &mut FaultList,
) -> Option<Vec<usize>> {
    let RobotLinks { name, links, bodies } = of;
    let (first, count) = (links.start as usize, links.len());
    let link_name = |l: &usize| String::from(&*bodies[first + *l].name);
    let mut parents: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut whole = true;
    for (i, ends) in ends.iter().enumerate() {
        match ends {
            Some([parent, child]) => {
                parents[child.index() - first].push(i);
                children[parent.index() - first].push(i);
            }
            None => whole = false,
        }
    }
    let mut wrong = Vec::new();
    for (l, of) in parents.iter().enumerate().filter(|(_, of)| of.len() > 1) {
        let joints = of.iter().map(|j| joints[*j].name.clone()).collect();
        wrong.push(CompileFault::SeveralParents { link: link_name(&l), joints });
    }
    // A link that hangs on a joint with a fault looks like a root. That is no further fault.
    let roots: Vec<usize> = (0..count).filter(|l| parents[*l].is_empty()).collect();
    if whole && roots.len() > 1 {
        let roots = roots.iter().map(link_name).collect();
        wrong.push(CompileFault::SeveralRoots { robot: (*name).into(), roots });
    }
    let mut order = Vec::with_capacity(joints.len());
    let mut reached = vec![false; count];
    let mut waiting: Vec<usize> = roots.clone();
    while let Some(l) = waiting.pop() {
        if core::mem::replace(&mut reached[l], true) {
            continue;
        }
        order.extend(&children[l]);
        let below = children[l].iter().rev().filter_map(|j| ends[*j]);
        waiting.extend(below.map(|[_, child]| child.index() - first));
    }
    let unreached: Vec<String> = (0..count).filter(|l| !reached[*l]).map(|l| link_name(&l)).collect();
    if !unreached.is_empty() {
        wrong.push(CompileFault::Loop { robot: (*name).into(), links: unreached });
    }
    let good = whole && count > 0 && wrong.is_empty();
    faults.extend(wrong);
    good.then_some(order)
}
