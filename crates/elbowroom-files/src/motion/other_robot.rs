//! Motions of another robot than the one that is asked: told in one sentence, not joint by joint.

use super::data::Joints;
use super::names::{Named, ValueNames};
use crate::fault::did_you_mean;
use crate::limits::{JOINTS_SHOWN, UNKNOWN_COLUMNS};
use crate::xml::short_text;
use std::collections::{BTreeMap, BTreeSet};

/// What is wrong, and what to do, if none of these names is a joint's and they are not slips of the pen;
/// otherwise `None`, as of a single name that no robot has.
pub(super) fn tell_other_robot<'n>(
    given: impl Iterator<Item = &'n str> + Clone,
    joints: Joints<'_>,
) -> Option<(String, String)> {
    let own = || joints.names.iter().chain(joints.mimics.iter().map(|(name, _)| name)).map(String::as_str);
    let known = ValueNames::new(own());
    let first = given.clone().next()?;
    if given.clone().any(|name| !matches!(known.find_value(name), Named::Nothing)) {
        return None;
    }
    let shown = list_names(given.clone().map(short_text));
    let elsewhere = || joints.elsewhere.iter().map(String::as_str);
    if let Some((robot, _)) = find_robot(elsewhere(), |robot, has| {
        let own_part = |name: &'n str| name.strip_prefix(robot).and_then(|rest| rest.strip_prefix('/'));
        given.clone().all(|name| has.contains(own_part(name).unwrap_or(name)))
    }) {
        let what = format!("all its joints are those of another robot, {robot:?}: {shown}");
        return Some((what, format!("give it as the motion of that robot: {robot}=FILE")));
    }
    let bare = |name: &'n str| name.split_once('/').map_or(name, |(_, bare)| bare);
    let found = find_robot(own().chain(elsewhere()), |_, has| given.clone().all(|n| has.contains(bare(n))));
    if let Some((robot, _)) = found {
        let what = format!("no robot is called as in {shown}; {robot:?} has joints of these names");
        return Some((what, format!("write {robot}/{}, and the others alike", short_text(bare(first)))));
    }
    let is_slip = |name: &str| !did_you_mean(name, own()).is_empty();
    if given.clone().count() < 2 || given.take(UNKNOWN_COLUMNS).any(is_slip) {
        return None;
    }
    let what = format!("none of its joints is a joint of this model: {shown}");
    let known = list_names(joints.names.iter().map(String::as_str));
    Some((what, format!("its joints are {known}: is it another robot's?")))
}

/// The first robot, by its name, of which this holds; it is asked with the joints that it has.
fn find_robot<'a>(
    names: impl Iterator<Item = &'a str>,
    mut holds: impl FnMut(&str, &BTreeSet<&str>) -> bool,
) -> Option<(&'a str, BTreeSet<&'a str>)> {
    let mut robots: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (robot, joint) in names.filter_map(|name| name.split_once('/')) {
        robots.entry(robot).or_default().insert(joint);
    }
    robots.into_iter().find(|(robot, has)| holds(robot, has))
}

/// Some names, and whether there are more.
fn list_names<T: AsRef<str>>(names: impl Iterator<Item = T> + Clone) -> String {
    let some: Vec<String> = names.clone().take(JOINTS_SHOWN).map(|name| name.as_ref().to_string()).collect();
    let more = if names.count() > JOINTS_SHOWN { ", ..." } else { "" };
    format!("{}{more}", some.join(", "))
}
