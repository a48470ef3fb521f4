//! The paper's octree beside the engine, on the boxes of a script's bodies.

use super::bodies::Bodies;
use super::report::IndexReport;
use super::script::{Line, Script, cell_error, follow_line};
use crate::error::LabError;
use crate::limits::OCTREE_OBJECTS;
use crate::tran91::{BodyExtent, Octree, Rule, Work};
use elbowroom::bounds::AlignedBox;
use elbowroom::pair::Ask;
use elbowroom::{Checker, Question, World};
use std::collections::BTreeSet;
use std::hint::black_box;
use std::time::Instant;

/// All three on a script: the octree by both rules, then the engine.
pub fn compare_indices(world: &World, script: &Script, rounds: usize) -> Result<Vec<IndexReport>, LabError> {
    let bodies = Bodies::new(world);
    let mut samples = Vec::new();
    let mut checker = Checker::new(world);
    for (_, line) in script {
        follow_line(&mut checker, line)?;
        if let Line::State { sample: Some(_), .. } = line {
            samples.push(bodies.world_boxes(&checker));
        }
    }
    let few = Rule::Objects(OCTREE_OBJECTS);
    let compatible = Rule::Compatibility(bodies.compatibility_table()?);
    Ok(vec![
        measure_octree("octree, n objects", few, &bodies, &samples, rounds)?,
        measure_octree("octree, compatibility", compatible, &bodies, &samples, rounds)?,
        measure_engine("engine, test", Ask::Test, world, script, rounds)?,
        measure_engine("engine, distance", Ask::Distance, world, script, rounds)?,
    ])
}

fn measure_octree(
    name: &'static str,
    rule: Rule,
    bodies: &Bodies,
    samples: &[Vec<AlignedBox>],
    rounds: usize,
) -> Result<IndexReport, LabError> {
    let Some(first) = samples.first() else { return Err(cell_error("a script has no sample")) };
    let room = first.iter().fold(AlignedBox::EMPTY, |a, b| a.join(b));
    let begin = || -> Option<Octree> {
        let mut octree = Octree::new(&room, rule.clone())?;
        for (around, class) in first.iter().zip(&bodies.classes) {
            octree.insert(&BodyExtent::Box(*around), *class)?;
        }
        Some(octree)
    };
    let no_room = || cell_error("the octree does not take the cell");
    let mut report = IndexReport::new(name, samples.len());
    let (mut octree, mut work) = (begin().ok_or_else(no_room)?, Work::default());
    let update = |octree: &mut Octree, boxes: &[AlignedBox]| {
        for (body, around) in (0..).zip(boxes) {
            // What is fixed is put in once.
            if bodies.classes[body as usize] != 0 {
                octree.move_to(body, &BodyExtent::Box(*around));
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
        report.nodes = report.nodes.max(octree.node_count());
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
        report.add_round([moving, asking]);
    }
    Ok(report)
}

fn measure_engine(
    name: &'static str,
    ask: Ask,
    world: &World,
    script: &Script,
    rounds: usize,
) -> Result<IndexReport, LabError> {
    let question = Question::from_ask(ask).margin(0.0);
    let count = script.iter().filter(|(_, line)| matches!(line, Line::State { sample: Some(_), .. })).count();
    let mut report = IndexReport::new(name, count);
    for round in 0..=rounds.max(1) {
        let mut checker = Checker::new(world);
        let (mut moving, mut asking) = (0.0, 0.0);
        for (_, line) in script {
            let start = Instant::now();
            follow_line(&mut checker, line)?;
            if !matches!(line, Line::State { sample: Some(_), .. }) {
                continue;
            }
            let between = Instant::now();
            let answer = black_box(checker.ask(&question));
            moving += (between - start).as_secs_f64();
            asking += between.elapsed().as_secs_f64();
            // The first round is for the counts.
            if round == 0 {
                report.nodes = report.nodes.max(answer.counts.nodes);
                report.candidates += answer.counts.shape_queries as u64;
            }
        }
        if round > 0 {
            report.add_round([moving, asking]);
        }
    }
    Ok(report)
}
