//! The paper's algorithm as one chain, beside the guard.
//!
//! At a sample each body is expected to go on as its arm does for the guard's look-ahead. The octree gives
//! the pairs whose boxes on that way meet (section 2.1, n objects). Of those that move against each other
//! Boyse's test on the links' polyhedra says which may touch. The table of roles says what such a contact is
//! (2.2): one that is meant slows the arms that are in it, any other stops them. So each arm has an answer of
//! its own, and one may be slowed towards a box and held back from a table at once, as in the paper.
//!
//! What the paper leaves open is answered as plainly as can be. It names no speed: an arm that is slowed has
//! the part of its speed at which the two bodies come to `contact_speed`, all of it if they are as slow. It
//! asks no task: roles alone decide, so that an arm that was told to touch nothing may still take a box. It
//! names no braking: what is not reached within the look-ahead is free. The boxes on the way are those at its
//! start, its middle and its end.
//!
//! Only the chain has an answer for each arm. The guard proves what the arms pass together until they rest,
//! and that holds for one part of the speed that all of them take.

use super::bodies::Bodies;
use super::links::{Screw, body_polyhedra};
use super::script::{Line, Script, build_guard, cell_error, follow_line, tell_guard};
use crate::boyse::Polyhedron;
use crate::error::LabError;
use crate::limits::{CHAIN_EVERY, CHAIN_STILL, OCTREE_OBJECTS};
use crate::tran91::{BodyExtent, Octree, Rule, Work};
use elbowroom::bounds::AlignedBox;
use elbowroom::math::{Transform, Vec3};
use elbowroom::pose::SetOptions;
use elbowroom::world::BodyId;
use elbowroom::{Checker, World};
use elbowroom_monitor::guard::{Action, Event};
use elbowroom_monitor::roles::{self, rule_contact};
use elbowroom_monitor::{Arm, Body, GuardDescription, Part, Role, ThingKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Numbers of links, apart from those of objects.
const LINKS: u32 = 1 << 24;

/// A contact that is foreseen.
#[derive(Clone, Debug, PartialEq)]
pub struct Foreseen {
    /// When it is foreseen (seconds).
    pub t: f64,
    /// The two bodies.
    pub pair: [String; 2],
    /// The paper's sentence.
    pub says: &'static str,
}

/// What an arm is told at a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArmAnswer {
    /// It nears what it may touch, slowly.
    pub slowed: bool,
    /// The part of its speed at which it may do so, from 0 to 1: 1 where it is slow enough already.
    pub speed: f64,
    /// There is something towards which it may go no further.
    pub held_back: bool,
}

impl ArmAnswer {
    const FREE: ArmAnswer = ArmAnswer { slowed: false, speed: 1.0, held_back: false };

    /// 0: go on, 1: slow, 2: stop.
    fn action_level(self) -> usize {
        if self.held_back { 2 } else { usize::from(self.slowed) }
    }
}

/// What the chain did on a script.
#[derive(Clone, Debug, Default)]
pub struct ChainReport {
    /// Samples that were judged.
    pub samples: u64,
    /// Pairs whose boxes meet on the way, those of them that move against each other, and those that may
    /// touch; summed over samples.
    pub pairs: [u64; 3],
    /// Questions to Boyse's test, each about two polyhedra.
    pub asked: u64,
    /// Samples by what the chain says (down) and what the guard says (across): go on, slow, stop. Of several
    /// arms the strictest answer counts.
    pub beside_guard: [[u64; 3]; 3],
    /// Samples at which the arms have different answers.
    pub arms_differ: u64,
    /// Samples at which an arm is slowed towards one thing and held back from another.
    pub both_at_once: u64,
    /// What slowed an arm first, and what stopped one first.
    pub first_slow: Option<Foreseen>,
    /// See `first_slow`.
    pub first_stop: Option<Foreseen>,
    /// The first sample at which guard and chain differ (seconds), and what each said.
    pub first_difference: Option<(f64, [usize; 2])>,
}

/// What is said, in words.
const WORDS: [&str; 3] = ["go on", "slow", "stop"];

impl ChainReport {
    /// The columns of [`ChainReport::to_csv`].
    pub(super) const COLUMNS: &str = "script,samples,boxes_meet,move,may_touch,boyse,permit,slow,stop,same,\
         arms_differ,both_at_once,first_slow,slow_a,slow_b,first_stop,stop_a,stop_b\n";

    /// How many samples have an answer.
    pub fn answer_counts(&self) -> [u64; 3] {
        self.beside_guard.map(|row| row.iter().sum())
    }

    /// How many have the guard's.
    pub fn agreeing_count(&self) -> u64 {
        (0..3).map(|k| self.beside_guard[k][k]).sum()
    }

    pub(super) fn to_csv(&self) -> String {
        let [meet, moving, touch] = self.pairs;
        let [permit, slow, stop] = self.answer_counts();
        let of = |first: &Option<Foreseen>| {
            first.as_ref().map_or(",,".into(), |f| format!("{},{},{}", f.t, f.pair[0], f.pair[1]))
        };
        format!(
            "{},{meet},{moving},{touch},{},{permit},{slow},{stop},{},{},{},{},{}",
            self.samples,
            self.asked,
            self.agreeing_count(),
            self.arms_differ,
            self.both_at_once,
            of(&self.first_slow),
            of(&self.first_stop)
        )
    }

    pub(super) fn to_text(&self) -> String {
        let first = |f: &Option<Foreseen>| {
            f.as_ref().map_or("never".into(), |f| format!("{:.2} s, {} and {}", f.t, f.pair[0], f.pair[1]))
        };
        let [permit, slow, stop] = self.answer_counts();
        let mut t = String::new();
        let _ = writeln!(
            t,
            "  the paper's chain: {permit} permit, {slow} slow, {stop} stop of {} samples; \
             first slow {}; first stop {}",
            self.samples,
            first(&self.first_slow),
            first(&self.first_stop)
        );
        let differ = self.first_difference.map_or(String::new(), |(t, [chain, guard])| {
            format!(", first at {t:.2} s: {} there, {} by the guard", WORDS[chain], WORDS[guard])
        });
        let [meet, moving, touch] = self.pairs;
        let _ = writeln!(
            t,
            "    as the guard at {} samples{differ}; arms apart at {}, slow to one and no further to another \
             at {}\n    {meet} pairs of boxes, {moving} move, {touch} may touch; {} questions to Boyse's \
             test",
            self.agreeing_count(),
            self.arms_differ,
            self.both_at_once,
            self.asked
        );
        t
    }
}

/// The cell as the chain knows it.
struct Chain<'a> {
    world: &'a World,
    d: &'a GuardDescription,
    bodies: Bodies,
    solids: Vec<Vec<Polyhedron>>,
    roles: BTreeMap<BodyId, Role>,
    /// The object that each body belongs to.
    objects: BTreeMap<BodyId, Body>,
    held: BTreeMap<Body, Arm>,
}

/// Runs the chain once along a script.
pub fn run(world: &World, d: &GuardDescription, script: &Script) -> Result<ChainReport, LabError> {
    let mut watcher = build_guard(world, d)?;
    let bodies = Bodies::new(world);
    let solids = bodies.boxes.iter().map(|(id, _)| body_polyhedra(world, *id));
    let solids: Option<Vec<Vec<Polyhedron>>> = solids.collect();
    let objects = bodies.boxes.iter().map(|(id, _)| (*id, watcher.object_of(*id))).collect();
    let roles = d.objects.iter().flat_map(|o| o.parts.iter().copied()).collect();
    let solids = solids.ok_or_else(|| cell_error("there are shapes that are no polyhedra"))?;
    let mut chain = Chain { world, d, bodies, solids, roles, objects, held: BTreeMap::new() };
    // Where all is now, halfway and at the end of the look-ahead.
    let mut at = [Checker::new(world), Checker::new(world), Checker::new(world)];
    let mut octree: Option<Octree> = None;
    let (mut report, mut work) = (ChainReport::default(), Work::default());
    let mut velocities: Vec<Option<Vec<f64>>> = vec![None; d.arms.len()];
    let mut number = 0;
    for (t, line) in script {
        let command = tell_guard(&mut watcher, *t, line)?;
        match line {
            Line::State { arm, qd, .. } => velocities[*arm] = qd.clone(),
            Line::Event(event) => {
                for checker in &mut at {
                    follow_line(checker, line)?;
                }
                chain.note_event(event);
            }
        }
        let (Line::State { sample: Some(q), .. }, Some(command)) = (line, command) else { continue };
        number += 1;
        if number % CHAIN_EVERY != 0 || velocities.iter().any(Option::is_none) {
            continue;
        }
        let qd: Vec<f64> = velocities.iter().flatten().flatten().copied().collect();
        for (k, checker) in at.iter_mut().enumerate() {
            let ahead = d.look_ahead * 0.5 * k as f64;
            let q: Vec<f64> = q.iter().zip(&qd).map(|(q, v)| q + v * ahead).collect();
            checker
                .set_with(&q, SetOptions { ignore_limits: true })
                .map_err(|e| cell_error(e.to_string()))?;
        }
        let answers = chain.judge_sample(*t, &at, &mut octree, &mut work, &mut report)?;
        let strictest = answers.iter().map(|a| a.action_level()).max().unwrap_or(0);
        let by_guard = match command.action {
            Action::Permit => 0,
            Action::Slow => 1,
            Action::Stop => 2,
        };
        report.samples += 1;
        report.beside_guard[strictest][by_guard] += 1;
        if strictest != by_guard && report.first_difference.is_none() {
            report.first_difference = Some((*t, [strictest, by_guard]));
        }
        report.arms_differ += u64::from(answers.windows(2).any(|pair| pair[0] != pair[1]));
        report.both_at_once += u64::from(answers.iter().any(|a| a.held_back && a.slowed));
    }
    Ok(report)
}

impl Chain<'_> {
    /// Notes who holds what.
    fn note_event(&mut self, event: &Event) {
        match event {
            Event::Attach { body, carrier, .. } => {
                if let (Some(object), Some(arm)) = (self.objects.get(body), self.arm_of(*carrier)) {
                    self.held.insert(*object, arm);
                }
            }
            Event::Detach { body } => {
                if let Some(object) = self.objects.get(body) {
                    self.held.remove(object);
                }
            }
            _ => {}
        }
    }

    fn arm_of(&self, body: BodyId) -> Option<Arm> {
        let robot = self.world.bodies().get(body.index())?.robot?;
        let arm = self.d.arms.iter().position(|arm| arm.robot == robot)?;
        Some(Arm(arm as u32))
    }

    /// A body as the table of roles asks for it.
    fn body_part(&self, id: BodyId, moves: bool) -> Part {
        let role = self.roles.get(&id).copied().unwrap_or_default();
        let object = self.objects.get(&id).copied().unwrap_or(Body(id.0));
        let (body, kind) = match (self.arm_of(id), self.held.get(&object)) {
            (Some(arm), _) => {
                let hand = &self.d.arms[arm.0 as usize].end_effector;
                let kind =
                    if hand.contains(&id) { ThingKind::EndEffector(arm) } else { ThingKind::ArmLink(arm) };
                (Body(LINKS + id.0), kind)
            }
            (None, Some(arm)) => (object, ThingKind::Held(*arm)),
            (None, None) => (object, ThingKind::Object),
        };
        Part { body, kind, role, at_rest: !moves }
    }

    /// The pairs of bodies whose boxes meet on the way.
    fn find_candidates(
        &self,
        at: &[Checker; 3],
        octree: &mut Option<Octree>,
        work: &mut Work,
    ) -> Result<BTreeSet<[u32; 2]>, LabError> {
        let mut boxes = vec![AlignedBox::EMPTY; self.bodies.boxes.len()];
        for checker in at {
            boxes.iter_mut().zip(self.bodies.world_boxes(checker)).for_each(|(b, now)| *b = b.join(&now));
        }
        let octree = match octree {
            Some(octree) => {
                for (body, around) in (0..).zip(&boxes) {
                    octree.move_to(body, &BodyExtent::Box(*around));
                }
                octree
            }
            None => {
                let room = boxes.iter().fold(AlignedBox::EMPTY, |a, b| a.join(b));
                let new = Octree::new(&room, Rule::Objects(OCTREE_OBJECTS)).and_then(|mut octree| {
                    for (around, class) in boxes.iter().zip(&self.bodies.classes) {
                        octree.insert(&BodyExtent::Box(*around), *class)?;
                    }
                    Some(octree)
                });
                octree.insert(new.ok_or_else(|| cell_error("the octree does not take the cell"))?)
            }
        };
        let mut pairs = BTreeSet::new();
        octree.each_pair(work, |a, b| {
            let pair = [a.min(b), a.max(b)];
            if self.bodies.checked.contains(&pair) {
                pairs.insert(pair);
            }
        });
        Ok(pairs)
    }

    /// What each arm is told at a sample.
    fn judge_sample(
        &self,
        t: f64,
        at: &[Checker; 3],
        octree: &mut Option<Octree>,
        work: &mut Work,
        report: &mut ChainReport,
    ) -> Result<Vec<ArmAnswer>, LabError> {
        let mut answers = vec![ArmAnswer::FREE; self.d.arms.len()];
        for pair in self.find_candidates(at, octree, work)? {
            report.pairs[0] += 1;
            let ids = pair.map(|k| self.bodies.boxes[k as usize].0);
            let places =
                |checker: &Checker| ids.map(|id| checker.body_in_world(id).unwrap_or(Transform::IDENTITY));
            let (now, then) = (places(&at[0]), places(&at[2]));
            let [from, to] = [now, then].map(|[a, b]| b.relative(&a));
            let solids = pair.map(|k| &self.solids[k as usize]);
            let corners = solids[0].iter().flat_map(|solid| &solid.corners);
            let way = corners.fold(0.0_f64, |most, c| most.max((to.point(*c) - from.point(*c)).norm()));
            if way < CHAIN_STILL {
                continue;
            }
            report.pairs[1] += 1;
            let (touches, asked) = Screw::between_poses(&from, &to).may_touch(solids[0], solids[1]);
            report.asked += asked;
            if !touches {
                continue;
            }
            report.pairs[2] += 1;
            let moved = |k: usize| {
                let corners = solids[k].iter().flat_map(|solid| &solid.corners);
                corners.map(|c: &Vec3| (then[k].point(*c) - now[k].point(*c)).norm()).fold(0.0, f64::max)
            };
            let parts = [0, 1].map(|k| self.body_part(ids[k], moved(k) >= CHAIN_STILL));
            let ruled = rule_contact(&parts[0], &parts[1]);
            let meant = match ruled.rule {
                roles::Rule::Kept => continue,
                roles::Rule::Collision => false,
                roles::Rule::Pick { .. } | roles::Rule::Place { .. } => true,
            };
            let first = if meant { &mut report.first_slow } else { &mut report.first_stop };
            first.get_or_insert_with(|| {
                let pair = ids.map(|id| self.world.bodies()[id.index()].name.to_string());
                Foreseen { t, pair, says: ruled.says }
            });
            for part in parts {
                let (ThingKind::EndEffector(arm) | ThingKind::ArmLink(arm) | ThingKind::Held(arm)) =
                    part.kind
                else {
                    continue;
                };
                let answer = &mut answers[arm.0 as usize];
                if meant {
                    answer.slowed = true;
                    let speed = way / self.d.look_ahead;
                    answer.speed = answer.speed.min((self.d.contact_speed / speed).min(1.0));
                } else {
                    answer.held_back = true;
                }
            }
        }
        Ok(answers)
    }
}

#[cfg(test)]
mod tests {
    use super::super::script;
    use super::*;
    use elbowroom_files::{guard::load_guard, world::load_world};
    use std::path::Path;

    /// One of the paper's answers: an arm goes on slower towards one thing and no further towards another
    /// (section 2.2). Here the mug is the one: the script's hand, twelve times as fast.
    #[test]
    fn an_arm_is_slowed_to_one_thing_and_held_back_from_another() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/rrc_cell");
        let told = elbowroom_files::Options::default();
        let loaded = load_world(&folder.join("cell.toml"), &told).unwrap();
        let world = World::compile(&loaded.value).unwrap();
        let settings = load_guard(&folder.join("cell.toml"), &world, &told).unwrap().value;
        let mut script = script::read(&folder, "mug", &world, &settings, &loaded.touch).unwrap();
        for (_, line) in &mut script {
            if let Line::State { qd: Some(qd), .. } = line {
                qd.iter_mut().for_each(|v| *v *= 12.0);
            }
        }
        let report = run(&world, &settings, &script).unwrap();
        assert!(report.both_at_once > 0 && report.arms_differ >= report.both_at_once, "{report:?}");
    }
}
