//! A script under the guard, and what would have met if nobody had stopped it.

use super::report::{Meeting, Said, ScriptReport};
use super::script::{Line, Script, build_guard, follow_line, tell_guard};
use crate::error::LabError;
use elbowroom::{Checker, Question, Verdict, World};
use elbowroom_monitor::guard::{Action, ReasonKind};
use elbowroom_monitor::{Command, GuardDescription};
use std::hint::black_box;
use std::time::Instant;

/// Plays a script to its end `rounds` times for the clock, the first time also for what is said.
pub fn play_script(
    world: &World,
    d: &GuardDescription,
    script: &Script,
    rounds: usize,
) -> Result<ScriptReport, LabError> {
    let mut report = ScriptReport { least: f64::INFINITY, ..ScriptReport::default() };
    let (mut watcher, mut checker) = (build_guard(world, d)?, Checker::new(world));
    let question = Question::distance().margin(0.0);
    // Whether the checker stands where the arms are.
    let mut known = false;
    let mut seconds = 0.0;
    for (t, line) in script {
        let start = Instant::now();
        let command = tell_guard(&mut watcher, *t, line)?;
        let taken = start.elapsed().as_secs_f64();
        if let Some(command) = command {
            seconds += taken;
            note_command(world, &command, &mut report);
        }
        let moved = follow_line(&mut checker, line)?;
        known |= matches!(line, Line::State { sample: Some(_), .. });
        report.seconds = *t;
        if !(known && moved) {
            continue;
        }
        let answer = checker.ask(&question);
        report.least = report.least.min(answer.distance);
        if answer.verdict != Verdict::Clear && report.meets.is_none() {
            let names = answer.pair.and_then(|pair| world.pair_names(pair)).unwrap_or([""; 2]);
            report.meets = Some(Meeting { t: *t, pair: names.map(String::from) });
        }
    }
    let states = report.states.max(1) as f64;
    report.step_us.push(seconds * 1e6 / states);
    for _ in 1..rounds {
        let mut watcher = build_guard(world, d)?;
        let mut seconds = 0.0;
        for (t, line) in script {
            let start = Instant::now();
            black_box(tell_guard(&mut watcher, *t, line)?);
            if let Line::State { .. } = line {
                seconds += start.elapsed().as_secs_f64();
            }
        }
        report.step_us.push(seconds * 1e6 / states);
    }
    Ok(report)
}

/// Notes what a command says.
fn note_command(world: &World, command: &Command, report: &mut ScriptReport) {
    report.states += 1;
    let [ranges, pairs, shapes] = &mut report.work;
    *ranges += u64::from(command.work.ranges);
    *pairs += u64::from(command.work.pairs);
    *shapes += u64::from(command.work.shapes);
    report.most_pairs = report.most_pairs.max(command.work.pairs);
    // Before all arms have reported it says nothing of the motion.
    if command.reasons().any(|reason| reason.kind == ReasonKind::Waiting) {
        return;
    }
    let place = match command.action {
        Action::Permit => {
            report.permit += 1;
            return;
        }
        Action::Slow => {
            report.slow += 1;
            &mut report.first_slow
        }
        Action::Stop => {
            report.stop += 1;
            &mut report.first_stop
        }
    };
    let reason =
        command.reasons().find(|reason| !matches!(reason.kind, ReasonKind::Rising | ReasonKind::Latched));
    if let (None, Some(reason)) = (&place, reason) {
        let pair = reason.pair.and_then(|pair| world.body_names(pair));
        *place = Some(Said {
            t: command.t,
            kind: reason.kind.word(),
            pair: pair.map(|names| names.map(String::from)),
            measured: reason.measured,
            limit: reason.limit,
            says: reason.says,
        });
    }
}
