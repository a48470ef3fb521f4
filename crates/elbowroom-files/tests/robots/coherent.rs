//! Long smooth motions: what is remembered from pose to pose never leads an answer astray. Step by step the
//! answer that starts from the last one is held against one that starts from nothing: the intervals meet, the
//! verdicts are the same, and the one is as narrow as the other, at the end as at the start.
//!
//! `ELBOWROOM_STEPS` is the number of steps of each robot (`cargo xtask race`: ten million in all).

use crate::cells::{Motion, pair_by_pair, robot_named, through_tree};
use crate::support::ask::intervals_meet;
use crate::support::number_from_environment;
use elbowroom::pair::Ask;
use elbowroom::{Checker, Geometry, Question, Verdict, World};

/// A warm answer may be wider than a cold one by this (metres): the last digits are found from elsewhere.
/// Depths of curved shapes are searched to as many digits and no further.
const WIDER: f64 = 1e-9;
const WIDER_DEPTH: f64 = 1e-7;
/// Verdicts may differ where a threshold is this near (metres).
const BORDER: f64 = 1e-9;

/// What a run showed.
#[derive(Clone, Debug, Default)]
struct Run {
    steps: u64,
    verdicts: [u64; 5],
    border: u64,
    /// Steps of the searches, cold and warm: what remembering is for.
    work: [u64; 2],
    /// The largest difference of the two numbers, and of the widths, in the first and in the last tenth
    /// (metres).
    apart: [f64; 2],
    wider: [f64; 2],
}

fn run(name: &str, world: &World, geometry: Geometry, steps: u64) -> Run {
    let (mut warm, mut cold) = (Checker::new(world), Checker::new(world));
    let mut tests = Checker::new(world);
    let mut motion = Motion::new(world, 9, 0);
    let question = Question::distance().geometry(geometry);
    let mut run = Run { steps, ..Run::default() };
    for step in 0..steps {
        motion.advance();
        let values = &motion.values;
        for checker in [&mut warm, &mut cold, &mut tests] {
            checker.set(values).unwrap();
        }
        cold.forget_history();
        let truth = cold.ask(&question);
        let answer = warm.ask(&question);
        let place = || format!("{name}, {geometry:?}, step {step}, {values:?}: {answer:?}, cold {truth:?}");
        let near = |t: f64| {
            [truth.interval.lower, truth.interval.upper, answer.interval.lower, answer.interval.upper]
                .iter()
                .any(|x| (x - t).abs() <= BORDER)
        };
        let border = near(0.0) || near(world.margin());
        assert!(
            answer.interval.lower <= answer.interval.upper && truth.interval.lower <= truth.interval.upper,
            "{}",
            place()
        );
        assert!(intervals_meet(&answer.interval, &truth.interval), "{}", place());
        assert!(answer.verdict == truth.verdict || border, "{}", place());
        // As narrow, where bodies are apart; the depth of triangles is only bracketed.
        let wider = answer.interval.width() - truth.interval.width();
        let bracketed = geometry != Geometry::Hull && truth.interval.lower <= 0.0;
        let most = if truth.interval.lower > 0.0 { WIDER } else { WIDER_DEPTH };
        assert!(wider <= most || bracketed, "wider by {wider:e}: {}", place());
        let test = tests.ask(&question.with_ask(Ask::Test));
        assert!(test.verdict == truth.verdict || border, "test {test:?}: {}", place());
        run.verdicts[truth.verdict as usize] += 1;
        run.border += u64::from(border);
        run.work = [run.work[0] + truth.counts.steps as u64, run.work[1] + answer.counts.steps as u64];
        let at = if step * 10 < steps {
            0
        } else if step * 10 >= steps * 9 {
            1
        } else {
            continue;
        };
        if truth.interval.lower > 0.0 {
            run.apart[at] = run.apart[at].max((answer.distance - truth.distance).abs());
            run.wider[at] = run.wider[at].max(wider);
        }
    }
    println!("{name}, {geometry:?}: {run:?}");
    run
}

#[test]
fn warm_starts_never_drift() {
    // Through the tree of what is fixed, and pair by pair; hulls, triangles, and a hand whose fingers mimic.
    let wanted = [
        ("iiwa", 0, Geometry::Hull, 4),
        ("puma before its bottleneck", 1, Geometry::Hull, 5),
        ("panda with its hand", 0, Geometry::Mesh, 3),
        ("two pandas of one robot", 1, Geometry::Hull, 2),
        ("meca500 and panda", 0, Geometry::Mesh, 2),
        ("meca500", 1, Geometry::Mesh, 1),
    ];
    let shares: u64 = wanted.iter().map(|w| w.3).sum();
    let steps = number_from_environment("ELBOWROOM_STEPS", 20_000);
    let cells: Option<Vec<_>> = wanted
        .iter()
        .map(|(name, which, geometry, share)| {
            let d = robot_named(name)?.description;
            let world = if *which == 0 { through_tree(&d) } else { pair_by_pair(&d) };
            Some((*name, world, *geometry, (steps * share).div_ceil(shares)))
        })
        .collect();
    let Some(cells) = cells else { return };
    let runs: Vec<Run> = std::thread::scope(|s| {
        let handles: Vec<_> = cells
            .iter()
            .map(|(name, world, geometry, steps)| s.spawn(move || run(name, world, *geometry, *steps)))
            .collect();
        handles.into_iter().map(|h| h.join().unwrap()).collect()
    });
    let sum = |of: fn(&Run) -> u64| runs.iter().map(of).sum::<u64>();
    let all = sum(|r| r.steps);
    assert!(all >= steps);
    let of = |v: Verdict| runs.iter().map(|r| r.verdicts[v as usize]).sum::<u64>();
    assert!(
        of(Verdict::Clear) * 5 > all && of(Verdict::Near) * 100 > all && of(Verdict::Collision) * 100 > all
    );
    assert!(sum(|r| r.border) * 100 <= all && of(Verdict::Unknown) * 1000 <= all, "{runs:?}");
    // Remembering spares work, and goes on doing so.
    assert!(sum(|r| r.work[1]) * 10 < sum(|r| r.work[0]) * 9, "{runs:?}");
    // The last tenth is no worse than the first, but for what a longer run meets more of.
    for run in &runs {
        assert!(run.apart[1] <= 1e-9 && run.wider[1] <= WIDER, "{run:?}");
    }
}
