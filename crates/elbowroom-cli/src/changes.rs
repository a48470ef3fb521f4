//! Changes in the course of a check: those that options make before the first sample, and the events of a
//! motion.
//!
//! All changes are resolved and tried once, in order, before anything is asked, so that every refusal is
//! told. Then each thread makes the changes up to a sample in a checker of its own. It asks copies of this
//! checker and never the checker itself, so no answer depends on the samples that the thread asked before.

pub mod change;
pub mod resolve;
pub mod words;

use crate::arguments::changes::Given;
use crate::held::{HeldPair, ask_held_pairs, ask_resting_pairs};
use crate::limits;
use crate::load::LoadedWorld;
use crate::load::carried::far_words;
use crate::out::{say_line, say_remark};
use crate::seen::Seen;
use anyhow::{Result, bail};
use change::{ResolvedChange, TimedChange};
use elbowroom::describe::JointKind;
use elbowroom::pose::SetOptions;
use elbowroom::world::BodyId;
use elbowroom::{Checker, World};
use elbowroom_files::fault::counted_things;
use elbowroom_files::motion::Motion;
use elbowroom_files::motion::event::Event;
use resolve::{Resolver, Unknown};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// All changes of a check, in their order.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    all: Vec<TimedChange>,
    /// The bodies that move with a carried part, of each change that brings it there.
    held: BTreeMap<usize, Vec<HeldPair>>,
}

impl Changes {
    /// The changes that options and the events of a motion make; `name` is the motion's file. Tells every
    /// refusal.
    ///
    /// # Errors
    /// One of them is refused.
    pub fn resolve_all(
        loaded: &LoadedWorld,
        seen: &Seen,
        given: Vec<Given>,
        motion: &Motion,
        name: &str,
        set: SetOptions,
    ) -> Result<Changes> {
        if given.is_empty() && motion.events.is_empty() && seen.clouds.is_empty() {
            return Ok(Changes::default());
        }
        let mut resolver = Resolver::new(loaded);
        let options = given.into_iter().map(|Given { change, place }| (change, 0, place));
        let event =
            |event: &Event| (event.change.clone(), event.sample, format!("{name}: line {}", event.line));
        let mut changes = Changes::default();
        let mut checker = Checker::new(&loaded.world);
        // Bodies whose carrier is unknown, because the change that attaches them has an unknown name.
        let mut open = BTreeSet::new();
        let (mut refused, mut faults) = (0, 0);
        // Clouds get their points before all other changes.
        for cloud in &seen.clouds {
            let Some(body) = loaded.world.body_by_name(&format!("world/{}", cloud.name)) else { continue };
            let change =
                TimedChange { what: ResolvedChange::See(body, Arc::clone(&cloud.points)), sample: 0 };
            if let Err(fault) = change.make_change(&mut checker, &motion.rows, set) {
                (refused, faults) = (refused + 1, faults + 1);
                say_line(&format!("{}: {fault}", cloud.place));
            }
            changes.all.push(change);
        }
        for (change, sample, place) in options.chain(motion.events.iter().map(event)) {
            let wrong = match resolver.resolve_change(&change) {
                Ok(what) => {
                    let judged = what.changed_body().is_none_or(|body| !open.contains(&body));
                    let change = TimedChange { what, sample };
                    let fault =
                        judged.then(|| change.make_change(&mut checker, &motion.rows, set).err()).flatten();
                    if let (true, None, ResolvedChange::Attach(part, carrier, touch)) =
                        (judged, &fault, &change.what)
                        && let Some(words) = far_words(&checker, *part, *carrier, touch)
                    {
                        say_remark(&format!("note: {place}: {words}"));
                    }
                    if judged && fault.is_none() {
                        changes.add_held_pairs(&checker, &change.what);
                    }
                    changes.all.push(change);
                    fault.iter().map(ToString::to_string).collect()
                }
                Err(Unknown { body, faults }) => {
                    open.extend(body);
                    faults
                }
            };
            refused += usize::from(!wrong.is_empty());
            for fault in wrong {
                faults += 1;
                if faults <= limits::CHANGE_FAULTS {
                    say_line(&format!("{place}: {fault}"));
                }
            }
        }
        if faults > limits::CHANGE_FAULTS {
            say_line(&format!("and {}", counted_things(faults - limits::CHANGE_FAULTS, "more fault")));
        }
        match refused {
            0 => Ok(changes),
            1 => bail!("1 change is refused"),
            count => bail!("{count} changes are refused"),
        }
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// All changes, in their order.
    pub fn all_changes(&self) -> &[TimedChange] {
        &self.all
    }

    /// The clouds that were seen before the first sample, with their points (metres, world frame).
    pub fn seen_clouds(&self) -> impl Iterator<Item = (BodyId, &[[f64; 3]])> {
        self.all.iter().filter_map(|change| match &change.what {
            ResolvedChange::See(body, points) => Some((*body, &points[..])),
            _ => None,
        })
    }

    /// Asks a part against all that moves with it, if the next change brings a part to where it is carried;
    /// or against all that rests, if it brings it to where it rests.
    fn add_held_pairs(&mut self, checker: &Checker, what: &ResolvedChange) {
        if let ResolvedChange::Detach(part) | ResolvedChange::Place(part, _) = what {
            if checker.carrier(*part).is_none() {
                self.held.insert(self.all.len(), ask_resting_pairs(checker, *part));
            }
            return;
        }
        let touch = match what {
            ResolvedChange::Attach(_, _, touch) => touch.clone(),
            // What may touch was named where it was attached.
            ResolvedChange::Open(part, ..) | ResolvedChange::Close(part, _) => self.touch_of(*part),
            _ => return,
        };
        let carried = what.changed_body().and_then(|part| Some((part, checker.carrier(part)?)));
        if let Some((part, carrier)) = carried {
            self.held.insert(self.all.len(), ask_held_pairs(checker, part, carrier, &touch));
        }
    }

    /// What a part may touch, by the last change that attached it.
    fn touch_of(&self, part: BodyId) -> Vec<BodyId> {
        let attached = self.all.iter().rev().find_map(|change| match &change.what {
            ResolvedChange::Attach(body, _, touch) if *body == part => Some(touch.clone()),
            _ => None,
        });
        attached.unwrap_or_default()
    }

    /// The bodies that are not checked against a part that a change brings to where it is carried or rests,
    /// by the change's number.
    pub fn held_pairs(&self, change: usize) -> &[HeldPair] {
        self.held.get(&change).map_or(&[], Vec::as_slice)
    }

    /// The changes that bring a part to where it is carried or rests, each with those bodies.
    pub fn held_changes(&self) -> impl Iterator<Item = (&TimedChange, &[HeldPair])> {
        self.held.iter().filter_map(|(change, pairs)| Some((self.all.get(*change)?, &pairs[..])))
    }

    /// The number of the first change that is made between the sample before this one and this one.
    pub fn first_change_at(&self, sample: usize) -> usize {
        sample.checked_sub(1).map_or(0, |last| self.count_before(last))
    }

    /// How many changes are made before a sample is asked.
    fn count_before(&self, sample: usize) -> usize {
        self.all.partition_point(|change| change.sample <= sample)
    }

    /// The changes that are made between the sample before this one and this one.
    pub fn changes_at(&self, sample: usize) -> &[TimedChange] {
        &self.all[self.first_change_at(sample)..self.count_before(sample)]
    }
}

/// Makes the changes, sample after sample.
#[derive(Clone)]
pub struct ChangeCourse<'w> {
    changes: &'w Changes,
    rows: &'w [Vec<f64>],
    set: SetOptions,
    /// The checker that is changed; it is never asked.
    checker: Checker<'w>,
    /// How many changes were made.
    made: usize,
}

impl<'w> ChangeCourse<'w> {
    /// A course before its first change.
    pub fn new(
        world: &'w World,
        changes: &'w Changes,
        rows: &'w [Vec<f64>],
        set: SetOptions,
    ) -> ChangeCourse<'w> {
        ChangeCourse { changes, rows, set, checker: Checker::new(world), made: 0 }
    }

    /// The checker with all changes up to a sample. Its joint values are not those of the sample.
    pub fn checker_at(&mut self, sample: usize) -> &Checker<'w> {
        let wanted = self.changes.count_before(sample);
        if wanted < self.made {
            (self.checker, self.made) = (Checker::new(self.checker.world()), 0);
        }
        for change in &self.changes.all[self.made..wanted] {
            // All changes were tried before, so none is refused.
            let _ = change.make_change(&mut self.checker, self.rows, self.set);
        }
        self.made = wanted;
        &self.checker
    }

    /// The doors that were opened in the state that was last asked for, and how far.
    pub fn opened_doors(&self) -> BTreeMap<BodyId, (f64, JointKind)> {
        let mut opened = BTreeMap::new();
        for change in &self.changes.all[..self.made] {
            match change.what {
                ResolvedChange::Open(body, value, kind) => _ = opened.insert(body, (value, kind)),
                // A detached body has no joint any more.
                ResolvedChange::Close(body, _) | ResolvedChange::Detach(body) => _ = opened.remove(&body),
                _ => {}
            }
        }
        opened
    }

    /// The bodies that are hidden in the state that was last asked for.
    pub fn hidden_bodies(&self) -> BTreeSet<BodyId> {
        let mut hidden = BTreeSet::new();
        for change in &self.changes.all[..self.made] {
            match change.what {
                ResolvedChange::Hide(body) => _ = hidden.insert(body),
                ResolvedChange::Show(body) => _ = hidden.remove(&body),
                _ => {}
            }
        }
        hidden
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::math::{Transform, vec3};
    use elbowroom_files::source::InMemory;
    use elbowroom_files::world::load_world_from;

    const ROBOT: &str = r#"<robot name="r"><link name="a"/><link name="b"><collision><geometry>
        <sphere radius="0.1"/></geometry></collision></link><joint name="j" type="prismatic">
        <parent link="a"/><child link="b"/><axis xyz="1 0 0"/><limit lower="-9" upper="9"/></joint></robot>"#;
    const CELL: &str = "[[robot]]\nurdf = 'r.urdf'\n[[obstacle]]\nname = 'part'\nmovable = true\n\
        xyz = [0, 1, 0]\nshape = { type = 'sphere', radius = 0.1 }";

    #[test]
    fn a_state_is_the_same_from_before_and_from_behind() {
        let files = [("r.urdf", ROBOT), ("c.toml", CELL)].map(|(path, text)| (path.into(), text.into()));
        let files = InMemory(files.into());
        let options = elbowroom_files::Options::default();
        let world = World::compile(&load_world_from(&files, "c.toml".as_ref(), &options).unwrap().value);
        let world = world.unwrap();
        let [link, part] = ["r/b", "world/part"].map(|name| world.body_by_name(name).unwrap());
        let at = |sample: usize, what: ResolvedChange| TimedChange { what, sample };
        let changes = Changes {
            held: BTreeMap::new(),
            all: vec![
                at(0, ResolvedChange::Place(part, Transform::from_translation(vec3(0.0, 2.0, 0.0)))),
                at(0, ResolvedChange::Attach(part, link, Vec::new())),
                at(3, ResolvedChange::Detach(part)),
                at(3, ResolvedChange::Hide(part)),
                at(5, ResolvedChange::Show(part)),
                at(5, ResolvedChange::Attach(part, link, Vec::new())),
            ],
        };
        let rows: Vec<Vec<f64>> = (0..7).map(|i| vec![f64::from(i)]).collect();
        let mut course = ChangeCourse::new(&world, &changes, &rows, SetOptions::default());
        // Attached at 0, let go where the link was at sample 2, attached again where it was at sample 4.
        let expected = [0.0, 1.0, 2.0, 2.0, 2.0, 3.0, 4.0];
        for sample in [0, 1, 2, 3, 4, 5, 6, 4, 0, 6, 3, 5] {
            let mut checker = course.checker_at(sample).clone();
            checker.set(&rows[sample]).unwrap();
            let place = checker.body_in_world(part).unwrap().translation;
            assert_eq!(place.to_array(), [expected[sample], 2.0, 0.0], "{sample}");
            let held = !(3..5).contains(&sample);
            assert_eq!(checker.carrier(part), held.then_some(link), "{sample}");
            assert_eq!(course.hidden_bodies().contains(&part), !held, "{sample}");
        }
        let counts: Vec<usize> = (0..8).map(|sample| changes.changes_at(sample).len()).collect();
        assert_eq!(counts, [2, 0, 0, 2, 0, 2, 0, 0]);
    }
}
