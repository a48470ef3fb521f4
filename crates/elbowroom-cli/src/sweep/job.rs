//! A sweep at work: chunks of rows, answered on several threads, and written in order.

use super::asker::{AnsweredChunk, Asker, SweepQuestion};
use super::columns::OutColumns;
use super::output::GrowingOutput;
use super::source::PoseSource;
use super::tally::hash_chunk;
use crate::bar::progress_bar;
use crate::limits::{SWEEP_CHUNK, WAITING_BYTES};
use crate::stream::{Place, Share, in_order, thread_count};
use anyhow::Result;
use elbowroom::World;
use std::ops::Range;

/// What all threads share.
pub struct SweepJob<'a, 'w> {
    /// The world.
    pub world: &'w World,
    /// The poses.
    pub source: &'a PoseSource<'w>,
    /// What is asked of each.
    pub question: &'a SweepQuestion,
    /// What is written of each.
    pub columns: &'a OutColumns<'w>,
}

impl SweepJob<'_, '_> {
    /// Answers these rows, the first of which begins a chunk.
    pub fn answer_rows(&self, rows: Range<u64>, threads: usize, output: &mut GrowingOutput) -> Result<()> {
        // The end of all rows need not begin a chunk: no rows there would become the last chunk.
        if rows.is_empty() {
            return Ok(());
        }
        let first = rows.start / SWEEP_CHUNK;
        let blocks = (rows.end.div_ceil(SWEEP_CHUNK) - first) as usize;
        let bar = progress_bar(rows.end - rows.start, "{human_pos}/{human_len} rows, {per_sec}, {eta} left");
        let reserved = SWEEP_CHUNK as usize * self.columns.row_bytes();
        let answer = |(asker, values): &mut (Asker<'_, '_>, Vec<f64>), place: &Place<'_, _>| {
            if place.room(reserved) {
                let from = (first + place.block as u64) * SWEEP_CHUNK;
                let chunk = from..(from + SWEEP_CHUNK).min(rows.end);
                let answered = self.answer_chunk(asker, chunk, values);
                let held = answered.as_ref().map_or(0, |answered| answered.bytes.capacity());
                place.give(answered, reserved, held);
            }
        };
        let worker = || (Asker::new(self.question, self.columns, self.world), Vec::new());
        let share = Share { threads: thread_count(threads, blocks), blocks, room: WAITING_BYTES };
        let done = in_order(share, worker, answer, |answered| {
            let Some(answered) = answered else { return Ok(true) };
            let AnsweredChunk { bytes, tally } = answered?;
            bar.inc(tally.row_count() * self.question.rows_each());
            output.put_rows(&bytes, tally)?;
            Ok(true)
        });
        bar.finish_and_clear();
        if done.is_err() {
            // What was answered before is kept; where that fails too, the first error says why.
            let _ = output.make_sure();
        }
        done
    }

    fn answer_chunk(
        &self,
        asker: &mut Asker<'_, '_>,
        rows: Range<u64>,
        values: &mut Vec<f64>,
    ) -> Result<AnsweredChunk> {
        let faults = self.source.read_rows(rows.clone(), values)?;
        let hash = hash_chunk(rows.start / SWEEP_CHUNK, values);
        let mut answered = asker.answer_chunk(rows, values, &faults);
        answered.tally.poses_hash = hash;
        Ok(answered)
    }
}
