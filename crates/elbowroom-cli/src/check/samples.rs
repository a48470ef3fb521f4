//! What is asked of each sample of a motion, and the answer that a thread makes of it.

use super::verdicts::Verdicts;
use crate::arguments::check::{AskChoice, CheckArguments};
use crate::asked_way::AskedWay;
use crate::changes::{ChangeCourse, Changes, words};
use crate::continuous::{self, EdgeAnswer, EdgeKind};
use crate::edge_asker::EdgeAsker;
use crate::least_between::LeastBetween;
use crate::load::LoadedWorld;
use crate::outcome::sides::is_own;
use crate::rates::Rates;
use crate::touch;
use crate::way_watch::WayWatch;
use crate::ways::Ways;
use crate::worst_moments::Moment;
use crate::{answer, limits};
use elbowroom::motion::{SplineFault, SplinePiece};
use elbowroom::pair::Ask;
use elbowroom::pose::SetOptions;
use elbowroom::{Answer, Checker, Counts, PadChecker, PadPress, PairAnswer, Question, Verdict};
use elbowroom_files::motion::Motion;
use indicatif::ProgressBar;
use serde_json::{Map, Value};
use std::ops::Range;
use std::time::{Duration, Instant};

/// The samples, and what is asked of each.
pub struct Samples<'a> {
    /// What the command was given.
    pub arguments: &'a CheckArguments,
    /// The world.
    pub loaded: &'a LoadedWorld,
    motion: &'a Motion,
    ways: &'a Ways<'a>,
    rates: Option<&'a Rates>,
    /// The changes between samples.
    changes: &'a Changes,
    question: Question,
    ask: Ask,
    set: SetOptions,
    /// Whether each answer is a line of JSON too.
    lines: bool,
    /// What threads ask verdicts with, if nothing else is told.
    verdicts: Option<Verdicts<'a>>,
}

/// What a thread works with, and remembers from one sample to the next.
pub struct Memory<'w> {
    checker: Checker<'w>,
    /// The course of the changes, if bodies are movable or something changes.
    course: Option<ChangeCourse<'w>>,
    edges: Option<EdgeAsker<'w>>,
    /// What tells contact on pads from collisions, if there are pads.
    pads: Option<PadChecker<'w>>,
    verdicts: Option<Verdicts<'w>>,
}

impl Memory<'_> {
    /// Whether blocks are asked by [`Samples::verdicts`].
    pub fn asks_verdicts(&self) -> bool {
        self.verdicts.is_some()
    }

    /// The pads that the last answer is about, if it is contact on pads alone.
    fn presses(&self) -> Vec<PadPress> {
        self.pads.as_ref().map_or(Vec::new(), |pads| pads.presses().to_vec())
    }
}

/// What a thread answers for one sample.
pub struct AnsweredSample {
    /// Which sample, from 0.
    pub sample: usize,
    /// The answer.
    pub answer: Answer,
    /// The answers for all pairs, if a page is asked for.
    pub pairs: Vec<PairAnswer>,
    /// Whether each is a pair of the robot's own links.
    pub own: Vec<bool>,
    /// Its line, in parts.
    pub line: Option<Vec<String>>,
    /// The way from the sample before, if asked for.
    pub edge: Option<continuous::EdgeAnswer>,
    /// The answer for the same pose after the changes behind the sample, if it was asked.
    pub after: Option<Box<Moment>>,
    /// The answers for all pairs there, if a page is asked for.
    pub pairs_after: Vec<PairAnswer>,
    /// How long it took.
    pub took: Duration,
}

impl AnsweredSample {
    /// An answer without pairs and line, for a sample of which nothing else is told.
    fn with_answer_only(sample: usize, answer: Answer) -> AnsweredSample {
        let (pairs, own, took) = (Vec::new(), Vec::new(), Duration::ZERO);
        let pairs_after = Vec::new();
        AnsweredSample { sample, answer, pairs, own, line: None, edge: None, after: None, pairs_after, took }
    }

    /// What it holds until it is written (bytes).
    pub fn held_bytes(&self) -> usize {
        limits::SAMPLE_BYTES
            + self.line.iter().flatten().map(String::capacity).sum::<usize>()
            + (self.pairs.capacity() + self.pairs_after.capacity()) * size_of::<PairAnswer>()
            + self.own.capacity() * size_of::<bool>()
    }
}

impl<'a> Samples<'a> {
    /// Those of a motion.
    pub fn from_motion(
        arguments: &'a CheckArguments,
        loaded: &'a LoadedWorld,
        motion: &'a Motion,
        ways: &'a Ways<'a>,
        rates: Option<&'a Rates>,
        changes: &'a Changes,
        lines: bool,
    ) -> Self {
        let ask = arguments.ask.to_ask();
        let question = arguments.sample_question();
        let set = SetOptions { ignore_limits: arguments.ignore_limits };
        let more = lines || !changes.is_empty() || !loaded.world.pads().is_empty();
        let verdicts = Verdicts::new_if_useful(arguments, &loaded.world, &question, motion.rows.len(), more);
        Samples { arguments, loaded, motion, ways, rates, changes, question, ask, set, lines, verdicts }
    }

    /// How many.
    pub fn sample_count(&self) -> usize {
        self.motion.rows.len()
    }

    /// The time of one (seconds), if the motion has it.
    pub fn sample_time(&self, sample: usize) -> Option<f64> {
        self.motion.t.as_ref().and_then(|t| t.get(sample).copied())
    }

    /// The times of both ends of the way that leads to one, if the motion has times.
    pub fn way_times(&self, sample: usize) -> Option<[f64; 2]> {
        Some([self.sample_time(sample.checked_sub(1)?)?, self.sample_time(sample)?])
    }

    /// Whether executions may be beside the ways.
    pub fn has_tolerance(&self) -> bool {
        self.ways.has_tolerance()
    }

    /// What is asked of the ways, in words.
    pub fn ways_in_words(&self) -> String {
        self.ways.ways_in_words()
    }

    /// Pairs that are asked of each: all, or the nearest alone.
    pub fn pairs_each(&self) -> usize {
        if self.wants_pairs() { self.loaded.world.pairs().len().max(1) } else { 1 }
    }

    /// How many samples a block has. That depends on what is asked of which world, and never on the number of
    /// threads.
    pub fn block_size(&self) -> usize {
        match self.verdicts {
            Some(_) => limits::BATCH_BLOCK,
            None => (limits::PAIRS_A_BLOCK / self.pairs_each()).clamp(1, limits::BLOCK),
        }
    }

    /// What an answer may hold (bytes).
    pub fn room_each(&self) -> usize {
        let line = if self.pairs_in_line() { limits::PAIR_BYTES } else { 0 };
        let page =
            if self.arguments.report.is_some() { size_of::<PairAnswer>() + size_of::<bool>() } else { 0 };
        limits::SAMPLE_BYTES + self.pairs_each() * (line + page)
    }

    /// What a thread begins with. Ways that take long are told on a bar.
    pub fn new_memory(&self, bar: &ProgressBar) -> Memory<'a> {
        let world = &self.loaded.world;
        let changing = !self.changes.is_empty() || !self.loaded.movable.is_empty();
        let geometry = self.arguments.geometry.to_geometry();
        let (sieves, watch) = (!changing && !self.ways.has_splines(), || WayWatch::new(bar.clone()));
        let edges = || EdgeAsker::new(world, geometry, self.set, sieves, watch());
        Memory {
            checker: Checker::new(world),
            course: changing.then(|| ChangeCourse::new(world, self.changes, &self.motion.rows, self.set)),
            edges: self.arguments.continuous.then(edges),
            pads: PadChecker::new(world),
            verdicts: self.verdicts.clone(),
        }
    }

    /// Begins with a block of samples, and forgets those before.
    pub fn begin_block(&self, memory: &mut Memory, block: Range<usize>) {
        memory.checker.forget_history();
        if let Some(edges) = &mut memory.edges {
            edges.begin_block(&self.motion.rows, block.clone());
        }
        self.enter_state(memory, block.start);
    }

    /// Goes over to the state in which a sample is asked, and forgets those before.
    fn enter_state(&self, memory: &mut Memory, sample: usize) {
        let Some(course) = &mut memory.course else { return };
        // The trees over movable bodies depend on earlier questions, and the last digits of answers on the
        // trees. So earlier questions are forgotten.
        memory.checker = course.checker_at(sample).clone();
        if let Some(edges) = &mut memory.edges {
            edges.copy_state_from(&memory.checker);
        }
    }

    /// The answer for one sample, whose pose is a row of the motion. The caller knows how long it took.
    pub fn answer_sample(&self, memory: &mut Memory, sample: usize, row: &[f64]) -> AnsweredSample {
        if !self.changes.changes_at(sample).is_empty() {
            self.enter_state(memory, sample);
        }
        let spline = self.ways.spline_to(sample);
        memory.edges.iter_mut().for_each(|edges| edges.begin_way(sample));
        let mut edge = self.ask_edge(memory, sample, row, spline.as_ref());
        let Memory { checker, pads, .. } = memory;
        let (answer, pairs, text) = self.ask_clearance(checker, pads.as_mut(), row);
        let presses = memory.presses();
        if let Some(edge) = &mut edge {
            let spline = spline.and_then(Result::ok);
            let way = match (&spline, sample.checked_sub(1).and_then(|before| self.motion.rows.get(before))) {
                (Some(spline), _) => Some(AskedWay::Spline(spline)),
                // Of a way in time one wants to know how near it comes, and when. Any other that is straight
                // has its bound beyond the margin, and only within it one wants to know more.
                (None, Some(before)) if self.motion.t.is_some() || edge.edge_kind() == EdgeKind::Near => {
                    Some(AskedWay::Straight([before, row]))
                }
                (None, _) => None,
            };
            edge.least = way.and_then(|way| self.find_least_clearance(memory, way, edge, &answer));
        }
        memory.edges.iter_mut().for_each(EdgeAsker::end_way);
        let is_own = |found: &PairAnswer| {
            let pair = self.loaded.world.pairs().get(found.pair);
            pair.is_some_and(|pair| is_own(&memory.checker, pair))
        };
        let own = pairs.iter().map(is_own).collect();
        let (after, pairs_after) = self.answer_after_changes(memory, sample, row);
        let line = self.lines.then(|| {
            let pressed_after = memory.presses();
            let after = after.as_deref().map(|after| (&after.answer, &pressed_after[..]));
            self.json_line(sample, row, (&answer, &presses), edge, after, text)
        });
        AnsweredSample { sample, answer, pairs, own, line, edge, after, pairs_after, took: Duration::ZERO }
    }

    /// The answer for a sample's pose after the changes behind it: of the last sample always, of the others
    /// where the way to the next is asked, which begins like this.
    fn answer_after_changes(
        &self,
        memory: &mut Memory,
        sample: usize,
        row: &[f64],
    ) -> (Option<Box<Moment>>, Vec<PairAnswer>) {
        let asked = self.arguments.continuous || sample + 1 == self.sample_count();
        if !asked || self.changes.changes_at(sample + 1).is_empty() {
            return (None, Vec::new());
        }
        self.enter_state(memory, sample + 1);
        let Memory { checker, pads, .. } = memory;
        let (answer, pairs, _) = self.ask_clearance(checker, pads.as_mut(), row);
        let moment = Moment { sample, t: self.sample_time(sample), answer, after_changes: true };
        (Some(Box::new(moment)), pairs)
    }

    /// The verdicts of a block of samples. The first that collides, and each that is unknown, is asked by
    /// itself, because more is told of it.
    pub fn answer_verdicts(&self, memory: &mut Memory, block: Range<usize>) -> Option<Vec<AnsweredSample>> {
        let (started, first) = (Instant::now(), block.start);
        let rows = &self.motion.rows[block];
        let mut found = false;
        let Memory { checker, verdicts, .. } = memory;
        let verdicts = verdicts.as_mut()?.ask_poses(rows, &self.question);
        let mut answers: Vec<AnsweredSample> = Vec::with_capacity(rows.len());
        for ((row, verdict), sample) in rows.iter().zip(verdicts).zip(first..) {
            let told = *verdict == Verdict::Unknown || (*verdict == Verdict::Collision && !found);
            found |= *verdict == Verdict::Collision;
            let answer = if told {
                checker.forget_history();
                self.ask_clearance(checker, None, row).0
            } else {
                Answer { verdict: *verdict, ..Answer::default() }
            };
            answers.push(AnsweredSample::with_answer_only(sample, answer));
        }
        let took = started.elapsed() / rows.len().max(1) as u32;
        answers.iter_mut().for_each(|answered| answered.took = took);
        Some(answers)
    }

    fn wants_pairs(&self) -> bool {
        self.arguments.all_pairs || self.arguments.report.is_some()
    }

    fn pairs_in_line(&self) -> bool {
        self.arguments.all_pairs && self.lines
    }

    /// The way from the sample before, if it is asked for and there is one.
    fn ask_edge(
        &self,
        memory: &mut Memory,
        sample: usize,
        row: &[f64],
        spline: Option<&Result<SplinePiece, SplineFault>>,
    ) -> Option<continuous::EdgeAnswer> {
        let before = self.motion.rows.get(sample.checked_sub(1)?)?;
        let edges = memory.edges.as_mut()?;
        let answer = match spline {
            None => edges.ask_edge(sample, [before, row]),
            Some(Ok(spline)) => edges.search_spline(spline, self.arguments.largest_tolerance),
            // Ways were checked before.
            Some(Err(_)) => EdgeAnswer::NOTHING_KNOWN,
        };
        Some(match self.ways.late_spline_to(sample) {
            None => answer,
            Some(Ok(late)) => edges.search_late_spline(answer, &late),
            Some(Err(_)) => EdgeAnswer::NOTHING_KNOWN,
        })
    }

    /// The least clearance on a way that leads to a sample with this answer, if answers are distances.
    fn find_least_clearance(
        &self,
        memory: &mut Memory,
        way: AskedWay<'_>,
        edge: &EdgeAnswer,
        answer: &Answer,
    ) -> Option<LeastBetween> {
        if self.arguments.ask != AskChoice::Distance || !(answer.interval.upper > 0.0) {
            return None;
        }
        let pair = answer.upper_pair.and_then(|pair| self.loaded.world.pairs().get(pair));
        let interval = [answer.interval.lower, answer.interval.upper];
        memory.edges.as_mut()?.find_least_clearance(edge, way, LeastBetween { interval, part: 1.0, pair })
    }

    /// The answer itself; all pairs for a page, and as text for a line, where they are wanted.
    fn ask_clearance<'w>(
        &self,
        checker: &mut Checker<'w>,
        mut pads: Option<&mut PadChecker<'w>>,
        row: &[f64],
    ) -> (Answer, Vec<PairAnswer>, answer::Pairs) {
        let world = &self.loaded.world;
        let (mut pairs, mut text) = (Vec::new(), answer::Pairs::default());
        let tolerance = self.arguments.touch;
        // Values were checked before: a refusal here would mean that nothing is known of this sample.
        if checker.set_with(row, self.set).is_err() {
            return (unknown_answer(checker), pairs, text);
        }
        if let Some(pads) = pads.as_mut().filter(|_| self.wants_pairs()) {
            pads.copy_state_from(checker);
        }
        let each = |pair: &PairAnswer| {
            let (pair, press) = match &mut pads {
                Some(pads) => pads.judge_pair(&self.question, pair),
                None => (*pair, None),
            };
            let pair = &touch::pair_with_tolerance(&pair, tolerance);
            if self.pairs_in_line() {
                text.add(world, self.ask, pair, press);
            }
            if self.arguments.report.is_some() {
                pairs.push(*pair);
            }
        };
        let answer = match self.wants_pairs() {
            true => checker.all_pairs(&self.question, each),
            false => checker.ask(&self.question),
        };
        let answer = match pads {
            Some(pads) => pads.judge_answer(checker, &self.question, answer),
            None => answer,
        };
        (touch::answer_with_tolerance(world, answer, tolerance), pairs, text)
    }

    /// The answer as a line of JSON, in parts.
    fn json_line(
        &self,
        sample: usize,
        row: &[f64],
        (answer, presses): (&Answer, &[PadPress]),
        edge: Option<continuous::EdgeAnswer>,
        after: Option<(&Answer, &[PadPress])>,
        pairs: answer::Pairs,
    ) -> Vec<String> {
        let Samples { arguments, loaded, .. } = self;
        let mut line = answer::sample_fields(loaded, self.ask, sample, self.sample_time(sample), answer);
        answer::add_presses(&mut line, &loaded.world, presses);
        line.insert("geometry".into(), arguments.geometry.json_word().into());
        if let Some(most) = arguments.touch {
            line.insert("touch".into(), answer::json_number(most));
        }
        if let Some(events) = words::json_events(&loaded.world, self.changes, sample) {
            line.insert("events".into(), events);
        }
        // Poses that were drawn are in no file.
        if arguments.random.is_some() {
            line.insert("q".into(), row.iter().map(|v| answer::json_number(*v)).collect());
        }
        if arguments.continuous {
            let times = self.way_times(sample);
            let edge = edge.map_or(Value::Null, |e| continuous::json_edge(&loaded.world, &e, times));
            line.insert("edge".into(), edge);
        }
        line.extend(self.rates.and_then(|r| r.json_at(sample)).map(|found| ("limits".into(), found)));
        if let Some((after, presses)) = after {
            let mut object = Map::new();
            object.extend(
                words::json_events(&loaded.world, self.changes, sample + 1).map(|e| ("events".into(), e)),
            );
            answer::add_answer(&mut object, loaded, self.ask, after);
            answer::add_presses(&mut object, &loaded.world, presses);
            line.insert("after".into(), object.into());
        }
        answer::line_parts(line, arguments.all_pairs.then_some(pairs))
    }
}

/// The answer where nothing is known.
fn unknown_answer(checker: &Checker) -> Answer {
    let (pairs, allowed) = (checker.checked_pair_count(), checker.world().allowed_count());
    Answer { counts: Counts { pairs, unknown: pairs, allowed, ..Counts::default() }, ..Answer::default() }
}
