//! A whole robot with the engine of this project: joint values in, so kinematics are in every time. All it
//! answers is proved: a distance by its interval, "free" by a lower bound above zero or, for a motion, by its
//! certificate. Whatever is not proved free counts as collision.

use crate::{
    changing::Changing,
    described::bodies_of,
    limits::PROOF_BOXES,
    work::{Ask, Work},
};
use anyhow::{Context, Result, anyhow, ensure};
use elbowroom::{
    Batch, Checker, Question, Verdict, World,
    describe::WorldDescription,
    motion::{Edge, EdgeAsk, EdgeOptions, MotionChecker},
    pair,
};
use std::hint::black_box;

/// Who asks a compiled world. The world itself stays as long as the program runs.
pub struct Whole {
    checker: Checker<'static>,
    batch: Batch<'static>,
    verdicts: Vec<Verdict>,
    edges: MotionChecker<'static>,
    distance: bool,
    /// The work's rows without joints that follow others; empty where there are none.
    values: Vec<f64>,
    width: usize,
    /// The number in the work of each pair of the world, by its number there.
    slots: Vec<usize>,
    changing: Changing,
}

impl Whole {
    /// Compiles, and checks that the pairs are those of the item.
    pub fn new(work: &Work, description: &WorldDescription) -> Result<Whole> {
        let mut world = World::compile(description).map_err(|faults| {
            anyhow!("{}", faults.iter().map(|fault| fault.to_string()).collect::<Vec<_>>().join("; "))
        })?;
        let moving = work.mounts.iter().filter(|mount| mount.number > 0).count();
        let body_pairs = work.body_pairs();
        let seen = usize::from(!work.seen.frames.is_empty()) + usize::from(!work.seen.cells.is_empty());
        let expected = body_pairs.len() + moving * (work.obstacles.len() + seen);
        let pairs = Checker::new(&world).checked_pair_count();
        ensure!(pairs == expected, "check the same pairs: {pairs} instead of {expected}");
        // As a planner does once for its robot; excluded from the time, as building is for everyone.
        if matches!(work.ask, Ask::SelfTest | Ask::SelfTestBatch) {
            world = world.with_proofs(PROOF_BOXES);
        }
        let world: &'static World = Box::leak(Box::new(world));
        let (mut checker, batch, edges) = (Checker::new(world), Batch::new(world), MotionChecker::new(world));
        let own: Vec<usize> = (0..work.joints.len()).filter(|&k| work.joints[k].follows.is_none()).collect();
        let rows = work.values.chunks_exact(work.joints.len().max(1));
        let values = rows.flat_map(|row| own.iter().map(|&k| row[k])).collect();
        let mut slots = Vec::new();
        if work.ask == Ask::SelfAllDistances {
            let names = bodies_of(work);
            for pair in world.pairs().iter() {
                let number = world.pairs().find_pair(pair).context("a pair without a number")?.index();
                let asked = world.body_names(pair).unwrap_or_default();
                let same = |name: &str| {
                    names.iter().position(|body| name.strip_prefix("robot/") == Some(body.as_str()))
                };
                let [a, b] = asked.map(same);
                let slot = body_pairs.iter().position(|(bodies, _)| {
                    [bodies[0], bodies[1]].map(Some) == [a, b] || [bodies[1], bodies[0]].map(Some) == [a, b]
                });
                slots.resize(slots.len().max(number + 1), 0);
                slots[number] = slot.context("a pair that is not in the work")?;
            }
        }
        Ok(Whole {
            changing: Changing::new(work, world, &mut checker)?,
            checker,
            batch,
            verdicts: Vec::new(),
            edges,
            distance: work.wants_distance(),
            values,
            width: own.len(),
            slots,
        })
    }

    /// The distance of each pair, cold; `lower`: the lower ends of their intervals.
    pub fn ask_pairs(&mut self, number: usize, lower: bool, answers: &mut [f64]) {
        let row = &self.values[number * self.width..][..self.width];
        if self.checker.set(row).is_err() {
            return;
        }
        self.checker.forget_history();
        self.checker.all_pairs(&Question::distance(), |told| {
            let end = if lower { told.interval.lower } else { told.interval.upper };
            answers[self.slots[told.pair.index()]] = end;
        });
    }

    /// Whether poses collide, many in one call: 0 for collision and -1 for free; NaN if one is refused.
    pub fn ask_all(&mut self, from: usize, answers: &mut [f64]) {
        self.verdicts.resize(answers.len(), Verdict::Unknown);
        let rows = &self.values[from * self.width..][..answers.len() * self.width];
        let told = self.batch.test(rows, &Question::test(), &mut self.verdicts);
        for (answer, verdict) in answers.iter_mut().zip(&self.verdicts) {
            *answer = match (&told, verdict) {
                (Err(_), _) => f64::NAN,
                (Ok(_), Verdict::Clear) => -1.0,
                (Ok(_), _) => 0.0,
            };
        }
    }

    /// Whether its answers are distances.
    pub fn tells_distance(&self) -> bool {
        self.distance
    }

    /// Forgets earlier poses.
    pub fn forget_poses(&mut self) {
        self.checker.forget_history();
        self.edges.forget_history();
        self.changing.begin(&mut self.checker);
    }

    /// The smallest distance (`lower`: the lower end of its interval), or 0 for collision and -1 for free;
    /// NaN if refused.
    #[inline]
    pub fn answer_step(&mut self, work: &Work, number: usize, lower: bool) -> f64 {
        if work.ask == Ask::Edge {
            let motion =
                [2 * number, 2 * number + 1].map(|row| &self.values[row * self.width..][..self.width]);
            let options = EdgeOptions { ask: EdgeAsk::IsFree, ..EdgeOptions::default() };
            let edge = self.edges.check_edge(motion, &options);
            return match edge {
                Ok(Edge::Free) => -1.0,
                Ok(_) => 0.0,
                Err(_) => f64::NAN,
            };
        }
        let row = &self.values[number * self.width..][..self.width];
        if self.checker.set(row).is_err() {
            return f64::NAN;
        }
        if work.ask == Ask::SelfDistance {
            self.checker.forget_history();
        }
        if !self.changing.apply_before(work, number, &mut self.checker) {
            return f64::NAN;
        }
        let ask = if self.distance { pair::Ask::Distance } else { pair::Ask::Test };
        let answer = self.checker.ask(&Question::from_ask(ask));
        if !self.changing.apply_after(work, number, &mut self.checker) {
            return f64::NAN;
        }
        if work.ask == Ask::Gradient && black_box(answer.gradient(&mut self.checker)).is_none() {
            return f64::NAN;
        }
        match (self.distance, lower) {
            (true, true) => answer.interval.lower,
            (true, false) => answer.interval.upper,
            (false, _) if answer.interval.lower > 0.0 => -1.0,
            (false, _) => 0.0,
        }
    }
}
