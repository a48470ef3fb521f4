//! The paper's octree beside the engine, on the boxes of a script's bodies.

use super::report::IndexReport;
use super::script::{Line, Script, follow, wrong};
use crate::error::LabError;
use crate::limits::OCTREE_OBJECTS;
use crate::tran91::{Compatibility, Extent, Octree, Rule, Work};
use elbowroom::bounds::{AlignedBox, fit};
use elbowroom::math::{Vec3, vec3};
use elbowroom::pair::Ask;
use elbowroom::world::{AllowedReason, BodyId, PairStatus};
use elbowroom::{Checker, Question, World};
use std::collections::BTreeSet;
use std::hint::black_box;
use std::time::Instant;

/// All three on a script: the octree by both rules, then the engine.
pub fn race(world: &World, script: &Script, rounds: usize) -> Result<Vec<IndexReport>, LabError> {
    let bodies = Bodies::new(world);
    let mut samples = Vec::new();
    let mut checker = Checker::new(world);
    for (_, line) in script {
        follow(&mut checker, line)?;
        if let Line::State { sample: Some(_), .. } = line {
            samples.push(bodies.boxes(&checker));
        }
    }
    let few = Rule::Objects(OCTREE_OBJECTS);
    let compatible = Rule::Compatibility(bodies.table()?);
    Ok(vec![
        octree("octree, n objects", few, &bodies, &samples, rounds)?,
        octree("octree, compatibility", compatible, &bodies, &samples, rounds)?,
        engine("engine, test", Ask::Test, world, script, rounds)?,
        engine("engine, distance", Ask::Distance, world, script, rounds)?,
    ])
}

/// The bodies that have shapes.
struct Bodies {
    /// Each with the boxes of its shapes, own frame.
    boxes: Vec<(BodyId, Vec<AlignedBox>)>,
    /// Their classes: one for all that is fixed, and one of its own for each other.
    classes: Vec<u8>,
    /// Pairs that are checked, by their places here.
    checked: BTreeSet<[u32; 2]>,
}

impl Bodies {
    fn new(world: &World) -> Bodies {
        let mut boxes: Vec<(BodyId, Vec<AlignedBox>)> = Vec::new();
        for (id, _) in (0..).map(BodyId).zip(world.bodies()) {
            let of = world.shapes().iter().filter(|shape| shape.body == id);
            let around = of.filter_map(|shape| {
                let own = fit::aligned(&fit::Cloud::of_shape(&shape.shape))?;
                Some(turned(&own, |p| shape.shape_in_body().point(p)))
            });
            let around: Vec<AlignedBox> = around.collect();
            if !around.is_empty() {
                boxes.push((id, around));
            }
        }
        let place = |id: BodyId| boxes.iter().position(|(body, _)| *body == id).map(|place| place as u32);
        let (mut checked, mut fixed) = (BTreeSet::new(), BTreeSet::new());
        for (a, b, status) in world.all_pairs() {
            match (status, place(a), place(b)) {
                (PairStatus::Checked(_), Some(a), Some(b)) => _ = checked.insert([a.min(b), a.max(b)]),
                (PairStatus::Allowed(AllowedReason::BothFixed), Some(a), Some(b)) => fixed.extend([a, b]),
                _ => {}
            }
        }
        let mut next = 0;
        let classes = (0..boxes.len() as u32).map(|place| {
            next += u8::from(!fixed.contains(&place));
            if fixed.contains(&place) { 0 } else { next }
        });
        let classes = classes.collect();
        Bodies { boxes, classes, checked }
    }

    /// Boxes around all of them, world frame.
    fn boxes(&self, checker: &Checker) -> Vec<AlignedBox> {
        let around = |(id, boxes): &(BodyId, Vec<AlignedBox>)| {
            let Some(at) = checker.body_in_world(*id) else { return AlignedBox::EMPTY };
            let moved = boxes.iter().map(|own| turned(own, |p| at.point(p)));
            moved.fold(AlignedBox::EMPTY, |a, b| a.join(&b))
        };
        self.boxes.iter().map(around).collect()
    }

    fn table(&self) -> Result<Compatibility, LabError> {
        let classes = self.classes.iter().max().map_or(0, |most| *most as usize + 1);
        let mut table = Compatibility::none(classes).ok_or_else(|| wrong("too many bodies move"))?;
        let mut against = BTreeSet::new();
        for [a, b] in &self.checked {
            let [a, b] = [a, b].map(|place| self.classes[*place as usize]);
            against.insert([a.min(b), a.max(b)]);
        }
        for a in 0..classes as u8 {
            for b in a..classes as u8 {
                if !against.contains(&[a, b]) {
                    table.allow(a, b);
                }
            }
        }
        Ok(table)
    }
}

/// The box around a box that was moved.
fn turned(own: &AlignedBox, moved: impl Fn(Vec3) -> Vec3) -> AlignedBox {
    let (low, high) = (own.low, own.high);
    let corners = (0..8).map(|k: u32| {
        let pick = |bit: u32, low: f64, high: f64| if k >> bit & 1 == 1 { high } else { low };
        moved(vec3(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z)))
    });
    corners.fold(AlignedBox::EMPTY, |b, p| AlignedBox { low: b.low.min(p), high: b.high.max(p) })
}

fn octree(
    name: &'static str,
    rule: Rule,
    bodies: &Bodies,
    samples: &[Vec<AlignedBox>],
    rounds: usize,
) -> Result<IndexReport, LabError> {
    let Some(first) = samples.first() else { return Err(wrong("a script has no sample")) };
    let room = first.iter().fold(AlignedBox::EMPTY, |a, b| a.join(b));
    let begin = || -> Option<Octree> {
        let mut octree = Octree::new(&room, rule.clone())?;
        for (around, class) in first.iter().zip(&bodies.classes) {
            octree.insert(&Extent::Box(*around), *class)?;
        }
        Some(octree)
    };
    let no_room = || wrong("the octree does not take the cell");
    let mut report = IndexReport::new(name, samples.len());
    let (mut octree, mut work) = (begin().ok_or_else(no_room)?, Work::default());
    let update = |octree: &mut Octree, boxes: &[AlignedBox]| {
        for (body, around) in (0..).zip(boxes) {
            // What is fixed is put in once.
            if bodies.classes[body as usize] != 0 {
                octree.move_to(body, &Extent::Box(*around));
            }
        }
    };
    for boxes in samples {
        update(&mut octree, boxes);
        let mut shared = BTreeSet::new();
        let is_checked = |a: u32, b: u32| bodies.checked.contains(&[a.min(b), a.max(b)]);
        octree.each_in_common_leaf(&mut work, |a, b| {
            if is_checked(a, b) {
                shared.insert([a.min(b), a.max(b)]);
            }
        });
        report.shared += shared.len() as u64;
        let mut met = BTreeSet::new();
        octree.each_pair(&mut work, |a, b| {
            if is_checked(a, b) {
                met.insert([a.min(b), a.max(b)]);
            }
        });
        report.candidates += met.len() as u64;
        let meet =
            |p: &AlignedBox, q: &AlignedBox| (0..3).all(|k| p.low[k] <= q.high[k] && q.low[k] <= p.high[k]);
        let all = bodies.checked.iter().filter(|[a, b]| meet(&boxes[*a as usize], &boxes[*b as usize]));
        report.differ += usize::from(!all.eq(met.iter()));
        report.nodes = report.nodes.max(octree.nodes());
    }
    let counts = octree.counts();
    let changed: u64 = counts.climbs.iter().sum();
    (report.moves, report.changed) = (counts.stays + changed, changed);
    for _ in 0..rounds.max(1) {
        let mut octree = begin().ok_or_else(no_room)?;
        let (mut moving, mut asking) = (0.0, 0.0);
        for boxes in samples {
            let start = Instant::now();
            update(&mut octree, boxes);
            let between = Instant::now();
            let mut count = 0_u64;
            octree.each_pair(&mut work, |_, _| count += 1);
            black_box(count);
            moving += (between - start).as_secs_f64();
            asking += between.elapsed().as_secs_f64();
        }
        report.round([moving, asking]);
    }
    Ok(report)
}

fn engine(
    name: &'static str,
    ask: Ask,
    world: &World,
    script: &Script,
    rounds: usize,
) -> Result<IndexReport, LabError> {
    let question = Question::of(ask).margin(0.0);
    let count = script.iter().filter(|(_, line)| matches!(line, Line::State { sample: Some(_), .. })).count();
    let mut report = IndexReport::new(name, count);
    for round in 0..=rounds.max(1) {
        let mut checker = Checker::new(world);
        let (mut moving, mut asking) = (0.0, 0.0);
        for (_, line) in script {
            let start = Instant::now();
            follow(&mut checker, line)?;
            if !matches!(line, Line::State { sample: Some(_), .. }) {
                continue;
            }
            let between = Instant::now();
            let answer = black_box(checker.nearest(&question));
            moving += (between - start).as_secs_f64();
            asking += between.elapsed().as_secs_f64();
            // The first round is for the counts.
            if round == 0 {
                report.nodes = report.nodes.max(answer.counts.nodes);
                report.candidates += answer.counts.shape_queries as u64;
            }
        }
        if round > 0 {
            report.round([moving, asking]);
        }
    }
    Ok(report)
}
