//! Asking all samples: in blocks, on several threads, and taken in order.

use super::samples::{AnsweredSample, Memory, Samples};
use crate::arguments::check::CheckArguments;
use crate::bar::progress_bar;
use crate::changes::{Changes, words};
use crate::continuous::Edges;
use crate::interval::is_bracketed;
use crate::least::SamplePlace;
use crate::load::LoadedWorld;
use crate::out::Sink;
use crate::outcome::{Outcome, Point, count_verdict};
use crate::rates::Rates;
use crate::stream::{Place, Share, in_order, thread_count};
use crate::ways::Ways;
use crate::worst_moments::{Dips, Moment};
use crate::{least, limits};
use anyhow::Result;
use elbowroom_files::motion::Motion;
use indicatif::ProgressBar;
use std::time::Instant;

/// Asks them all; lines of JSON go to `json` as they come.
pub fn ask_all(
    arguments: &CheckArguments,
    loaded: &LoadedWorld,
    motion: &Motion,
    ways: &Ways<'_>,
    rates: Option<&Rates>,
    changes: &Changes,
    json: Option<&mut Sink>,
) -> Result<Outcome> {
    let samples = Samples::from_motion(arguments, loaded, motion, ways, rates, changes, json.is_some());
    let block = samples.block_size();
    let blocks = samples.sample_count().div_ceil(block);
    let threads = thread_count(arguments.threads, blocks);
    let answer = |memory: &mut Memory, place: &Place<'_, Vec<AnsweredSample>>| {
        answer_block(&samples, motion, block, memory, place);
    };
    let bar = progress_bar(samples.sample_count() as u64, "{pos}/{len} samples, {eta} left{msg}");
    let mut taken = TakenAnswers::new_empty(&samples, threads, json, bar.clone());
    let share = Share { threads, blocks, room: limits::WAITING_BYTES };
    in_order(share, || samples.new_memory(&bar), answer, |answers| taken.take_answers(answers))?;
    taken.outcome.changes = words::changes_in_words(&loaded.world, changes, motion);
    Ok(taken.finish())
}

/// Answers the samples of a block of so many, and hands the answers over.
fn answer_block(
    samples: &Samples<'_>,
    motion: &Motion,
    block: usize,
    memory: &mut Memory,
    place: &Place<'_, Vec<AnsweredSample>>,
) {
    let (first, room) = (place.block * block, samples.room_each());
    let own = first..(first + block).min(samples.sample_count());
    if memory.asks_verdicts() {
        let reserved = own.len() * room;
        if let (true, Some(answers)) = (place.room(reserved), samples.answer_verdicts(memory, own)) {
            let held = answers.iter().map(AnsweredSample::held_bytes).sum();
            place.give(answers, reserved, held);
        }
        return;
    }
    samples.begin_block(memory, own.clone());
    // Asking for room takes as long as a quick answer, so quick answers ask for it together.
    let together = if samples.pairs_each() == 1 { own.len() } else { 1 };
    let (mut batch, mut reserved, mut held, mut begun) = (Vec::new(), 0, 0, Instant::now());
    let mut before = begun;
    for (k, sample) in own.enumerate() {
        if k % together == 0 {
            if !place.room(together * room) {
                return;
            }
            before = Instant::now();
        }
        reserved += room;
        let mut answered = samples.answer_sample(memory, sample, &motion.rows[sample]);
        let now = Instant::now();
        answered.took = now - before;
        before = now;
        held += answered.held_bytes();
        batch.push(answered);
        // Handing over costs more than a quick answer, so quick answers go together.
        if held >= limits::HAND_OVER_BYTES || now - begun >= limits::HAND_OVER_TIME {
            place.give(std::mem::take(&mut batch), reserved, held);
            (reserved, held, begun) = (0, 0, Instant::now());
            before = begun;
        }
    }
    place.give(batch, reserved, held);
}

/// The answers that were taken so far.
struct TakenAnswers<'a> {
    samples: &'a Samples<'a>,
    json: Option<&'a mut Sink>,
    outcome: Outcome,
    dips: Dips,
    bar: ProgressBar,
}

impl<'a> TakenAnswers<'a> {
    /// None so far.
    fn new_empty(
        samples: &'a Samples<'a>,
        threads: usize,
        json: Option<&'a mut Sink>,
        bar: ProgressBar,
    ) -> TakenAnswers<'a> {
        let arguments = samples.arguments;
        let outcome = Outcome {
            threads,
            ask: arguments.ask,
            geometry: arguments.geometry,
            depth: arguments.depth,
            touch: arguments.touch,
            drawn: arguments.random.is_some(),
            is_motion: !arguments.motion.is_empty(),
            edges: arguments.continuous.then(|| Edges::with_tolerance(samples.has_tolerance())),
            ways: samples.ways_in_words(),
            ..Outcome::default()
        };
        let dips = if outcome.drawn { Dips::scattered() } else { Dips::default() };
        TakenAnswers { samples, json, outcome, dips, bar }
    }

    /// Takes the next answers, or `None` while there are none; false if no more are wanted.
    fn take_answers(&mut self, answers: Option<Vec<AnsweredSample>>) -> Result<bool> {
        let Some(answers) = answers else {
            // A program that reads along gets each sample before the next one is asked.
            self.json.as_deref_mut().map_or(Ok(()), Sink::flush)?;
            return Ok(true);
        };
        for answered in answers {
            self.add(answered)?;
            self.bar.inc(1);
        }
        // If the reader has left, and nothing else is made of the other samples, they are not asked.
        let read = self.json.as_ref().is_none_or(|sink| !sink.closed);
        Ok(self.samples.arguments.report.is_some() || read)
    }

    fn add(&mut self, answered: AnsweredSample) -> Result<()> {
        let AnsweredSample { sample, answer, pairs, own, line, edge, after, pairs_after, took } = answered;
        let Samples { arguments, loaded, .. } = self.samples;
        let outcome = &mut self.outcome;
        outcome.elapsed += took / outcome.threads as u32;
        for part in line.into_iter().flatten() {
            self.json.as_deref_mut().map_or(Ok(()), |sink| sink.put_text(&part))?;
        }
        if let (Some(edges), Some(edge)) = (&mut outcome.edges, edge) {
            edges.add(sample, edge, self.samples.way_times(sample));
        }
        outcome.bracketed += usize::from(is_bracketed(&loaded.world, arguments, &answer));
        let moment = Moment { sample, t: self.samples.sample_time(sample), answer, after_changes: false };
        outcome.add(moment);
        self.dips.add(moment);
        let last = sample + 1 == self.samples.sample_count();
        if let Some(after) = after {
            outcome.after = last.then_some(after.answer);
            outcome.add_least(*after);
            self.dips.add(*after);
            if !last {
                count_verdict(&mut outcome.after_verdicts, after.answer.verdict);
            }
            if arguments.report.is_some() {
                outcome.changed.push(*after);
            }
        }
        if arguments.report.is_some() {
            outcome.points.push(Point::from_moment(&moment));
            outcome.cell_pairs.add_answers(&mut outcome.points, &pairs, &own);
            for (after_changes, pairs) in [(false, &pairs), (true, &pairs_after)] {
                least::add_answers(&mut outcome.pairs, SamplePlace { sample, after_changes }, pairs);
            }
            outcome.stretches.add_sample(sample, pairs.iter().chain(&pairs_after));
        }
        Ok(())
    }

    fn finish(mut self) -> Outcome {
        self.bar.finish_and_clear();
        self.outcome.moments = self.dips.finish();
        self.outcome
    }
}
