//! Groups and states of an SRDF against the robot that it is for.

use super::written::{Group, WithPlace};
use crate::fault::{Log, counted_things};
use crate::limits;
use crate::xml::short_text;
use elbowroom::describe::{LinkGroup, NamedState, RobotDescription};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What a robot's names stand for, and which names it does not have.
pub(super) struct Resolver<'a> {
    pub log: &'a mut Log,
    path: &'a Path,
    /// Links in file order, and by name.
    pub links: Vec<String>,
    known: BTreeSet<String>,
    /// The link that each joint moves.
    child: BTreeMap<String, String>,
    /// The link above each link.
    above: BTreeMap<String, String>,
    virtual_joints: BTreeSet<String>,
    /// Kind and name of what the robot has not: where each was named first, and how often.
    unknown: BTreeMap<(&'static str, String), (String, usize)>,
}

impl<'a> Resolver<'a> {
    pub fn new(
        log: &'a mut Log,
        path: &'a Path,
        robot: &RobotDescription,
        virtual_joints: BTreeSet<String>,
    ) -> Resolver<'a> {
        let links: Vec<String> = robot.links.iter().map(|l| l.name.clone()).collect();
        Resolver {
            log,
            path,
            known: links.iter().cloned().collect(),
            links,
            child: robot.joints.iter().map(|j| (j.name.clone(), j.child.clone())).collect(),
            above: robot.joints.iter().map(|j| (j.child.clone(), j.parent.clone())).collect(),
            virtual_joints,
            unknown: BTreeMap::new(),
        }
    }

    /// Whether the robot has the link; noted if it has not.
    pub fn has_link(&mut self, name: &str, place: impl FnOnce() -> String) -> bool {
        let has = self.known.contains(name);
        if !has {
            self.note_unknown("link", name, place);
        }
        has
    }

    fn note_unknown(&mut self, kind: &'static str, name: &str, place: impl FnOnce() -> String) {
        self.unknown.entry((kind, name.to_string())).or_insert_with(|| (place(), 0)).1 += 1;
    }

    /// Warns of names that the robot does not have: one warning a name. If there are many, the SRDF belongs
    /// to another robot, and one warning covers all.
    pub fn warn_of_unknown(&mut self) {
        let unknown: Vec<_> = std::mem::take(&mut self.unknown).into_iter().collect();
        for alike in unknown.chunk_by(|a, b| a.0.0 == b.0.0) {
            let kind = alike[0].0.0;
            if alike.len() > limits::PLACES {
                let names: Vec<String> =
                    alike.iter().map(|((_, name), _)| format!("{:?}", short_text(name))).collect();
                let others = counted_things(names.len() - limits::PLACES, "other");
                let what = format!(
                    "the robot has no {kind} {} and {others}: ignored",
                    names[..limits::PLACES].join(", ")
                );
                self.log.add_warning(self.path, &*alike[0].1.0, what, "check that the SRDF is this robot's");
                continue;
            }
            for ((_, name), (place, times)) in alike {
                let times = if *times == 1 { "once".into() } else { format!("{times} times") };
                let what = format!("the robot has no {kind} {:?}, named {times}: ignored", short_text(name));
                let help = match kind {
                    "link" => self.log.did_you_mean(name, self.known.iter().map(String::as_str)),
                    _ => self.log.did_you_mean(name, self.child.keys().map(String::as_str)),
                };
                self.log.add_warning(self.path, &**place, what, help);
            }
        }
    }

    /// The links of each group, without groups of which a chain or a part cannot be told.
    pub fn resolve_groups(&mut self, written: &[WithPlace<Group>]) -> Vec<LinkGroup> {
        let index: BTreeMap<&str, usize> =
            written.iter().enumerate().map(|(i, g)| (g.what.name.as_str(), i)).collect();
        let mut own: Vec<Option<Vec<String>>> = written.iter().map(|g| self.own_links(g)).collect();
        for (k, WithPlace { what: group, place }) in written.iter().enumerate() {
            if let Some(part) = group.groups.iter().find(|part| !index.contains_key(part.as_str())) {
                let what = format!("names a group {:?} that does not exist: left out", short_text(part));
                let help = self.log.did_you_mean(part, index.keys().copied());
                self.log.add_warning(self.path, place, what, help);
                own[k] = None;
            }
        }
        // All groups reachable from each; circles do no harm.
        let mut out = Vec::new();
        let mut left = limits::PAIRS;
        for (k, WithPlace { what: group, place }) in written.iter().enumerate() {
            let (mut seen, mut open, mut links) = (BTreeSet::from([k]), vec![k], Vec::new());
            let (mut have, mut whole) = (BTreeSet::new(), true);
            while let Some(g) = open.pop() {
                let Some(links_of) = &own[g] else {
                    whole = false;
                    break;
                };
                links.extend(links_of.iter().filter(|link| have.insert(link.as_str())).cloned());
                let parts = written[g].what.groups.iter().rev();
                open.extend(parts.filter_map(|part| index.get(part.as_str())).filter(|i| seen.insert(**i)));
                left = left.saturating_sub(1 + links_of.len() + written[g].what.groups.len());
            }
            if left == 0 {
                let what = "from here on the groups hold too many links: left out";
                self.log.add_warning(self.path, place, what, "this looks like a broken file");
                break;
            }
            if whole {
                out.push(LinkGroup { name: group.name.clone(), links });
            } else if own[k].is_some() {
                self.log.add_warning(self.path, place, "holds a group that was left out: left out too", "");
            }
        }
        out
    }

    /// The links of a group itself, or a warning and `None` where a chain cannot be followed.
    fn own_links(&mut self, WithPlace { what: group, place }: &WithPlace<Group>) -> Option<Vec<String>> {
        let here = || place.clone();
        let mut links: Vec<String> = Vec::new();
        for link in &group.links {
            if self.has_link(link, here) {
                links.push(link.clone());
            }
        }
        for joint in &group.joints {
            match self.child.get(joint) {
                Some(child) => links.push(child.clone()),
                // A virtual joint places the robot in the world. It belongs to no link.
                None if self.virtual_joints.contains(joint) => {}
                None => self.note_unknown("joint", joint, here),
            }
        }
        let mut whole = true;
        for [base, tip] in &group.chains {
            match self.chain_links(base, tip) {
                Some(chain) => links.extend(chain),
                None => {
                    let lost = [base, tip].into_iter().find(|end| !self.known.contains(*end));
                    let (what, help) = match lost {
                        Some(end) => (
                            format!(
                                "its chain names the link {:?}, which the robot has not",
                                short_text(end)
                            ),
                            self.log.did_you_mean(end, self.known.iter().map(String::as_str)),
                        ),
                        None => (
                            format!("no chain joins {:?} to {:?}", short_text(base), short_text(tip)),
                            "name two links of one tree".into(),
                        ),
                    };
                    self.log.add_warning(self.path, place, format!("{what}: the group is left out"), help);
                    whole = false;
                }
            }
        }
        whole.then_some(links)
    }

    /// The links from base to tip, both included, through their common ancestor if neither is above the
    /// other.
    fn chain_links(&self, base: &str, tip: &str) -> Option<Vec<String>> {
        let up = |from: &str| {
            let mut path = vec![self.known.get(from)?];
            while let Some(above) = path.last().and_then(|l| self.above.get(*l)) {
                path.push(above);
                if path.len() > self.known.len() {
                    return None;
                }
            }
            Some(path)
        };
        let (from_base, from_tip) = (up(base)?, up(tip)?);
        let place_of_base: BTreeMap<&str, usize> =
            from_base.iter().enumerate().map(|(i, l)| (l.as_str(), i)).collect();
        let (meet, at_base) =
            from_tip.iter().enumerate().find_map(|(i, l)| Some((i, *place_of_base.get(l.as_str())?)))?;
        let down = from_tip[..meet].iter().rev();
        Some(from_base[..=at_base].iter().chain(down).map(|l| l.to_string()).collect())
    }

    /// The states without joints that the robot has not.
    pub fn resolve_states(&mut self, written: Vec<WithPlace<NamedState>>) -> Vec<NamedState> {
        let known = |resolver: &mut Self, joint: &str, place: &str| {
            let known = resolver.child.contains_key(joint);
            if !known && !resolver.virtual_joints.contains(joint) {
                resolver.note_unknown("joint", joint, || place.to_string());
            }
            known
        };
        let resolved = written.into_iter().map(|WithPlace { what: mut state, place }| {
            state.values.retain(|(joint, _)| known(self, joint, &place));
            state
        });
        resolved.collect()
    }
}
