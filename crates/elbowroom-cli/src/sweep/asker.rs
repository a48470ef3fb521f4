//! What a thread of a sweep asks a chunk of rows with.
//!
//! A chunk begins without memory of earlier ones, so that its answers depend on its rows alone: not on the
//! number of threads, nor on which part of the sweep it belongs to, nor on where earlier work stopped.

use super::arguments::{MoreColumns, SweepArguments};
use super::columns::OutColumns;
use super::row::{FAULT, RowCell, SweptRow, verdict_number};
use super::tally::SweepTally;
use crate::arguments::check::AskChoice;
use crate::continuous::{EdgeAnswer, EdgeKind};
use crate::edge_asker::EdgeAsker;
use crate::way_watch::WayWatch;
use elbowroom::motion::Edge;
use elbowroom::pose::SetOptions;
use elbowroom::{Answer, Batch, Checker, Geometry, PadChecker, PairAnswer, Question, Verdict, World};
use elbowroom_files::motion::RowFault;
use std::ops::Range;

/// What is asked of each row, or of each two.
#[derive(Clone, Debug)]
pub struct SweepQuestion {
    ask: AskChoice,
    question: Question,
    geometry: Geometry,
    set: SetOptions,
    edges: bool,
    more: Vec<MoreColumns>,
    nearest: usize,
}

impl SweepQuestion {
    /// What the command was given.
    pub fn from_arguments(arguments: &SweepArguments) -> SweepQuestion {
        let mut more = arguments.more.clone();
        more.sort_unstable();
        more.dedup();
        SweepQuestion {
            ask: arguments.ask,
            question: Question::from_ask(arguments.ask.to_ask())
                .geometry(arguments.geometry.to_geometry())
                .depth(arguments.depth.to_effort()),
            geometry: arguments.geometry.to_geometry(),
            set: SetOptions { ignore_limits: arguments.ignore_limits },
            edges: arguments.edges,
            more,
            nearest: arguments.nearest.map_or(0, |k| k as usize),
        }
    }

    /// How many rows one answer takes.
    pub fn rows_each(&self) -> u64 {
        if self.edges { 2 } else { 1 }
    }

    /// Whether verdicts alone are asked, which batches give. They do not tell contact on pads from
    /// collisions.
    fn is_batched(&self, world: &World) -> bool {
        self.ask == AskChoice::Test && !self.edges && !self.set.ignore_limits && world.pads().is_empty()
    }
}

/// What a thread works with.
pub struct Asker<'a, 'w> {
    question: &'a SweepQuestion,
    columns: &'a OutColumns<'w>,
    checker: Checker<'w>,
    batch: Option<Batch<'w>>,
    edges: Option<EdgeAsker<'w>>,
    /// What tells contact on pads from collisions, if there are pads.
    pads: Option<PadChecker<'w>>,
    verdicts: Vec<Verdict>,
    nearest: Vec<PairAnswer>,
    cells: Vec<RowCell>,
}

/// The answers of a chunk.
#[derive(Default)]
pub struct AnsweredChunk {
    /// The rows as they are written.
    pub bytes: Vec<u8>,
    /// What was found.
    pub tally: SweepTally,
}

impl<'a, 'w> Asker<'a, 'w> {
    /// For a world.
    pub fn new(question: &'a SweepQuestion, columns: &'a OutColumns<'w>, world: &'w World) -> Asker<'a, 'w> {
        Asker {
            question,
            columns,
            checker: Checker::new(world),
            batch: question.is_batched(world).then(|| Batch::new(world)),
            edges: question.edges.then(|| {
                EdgeAsker::new(world, question.geometry, question.set, true, WayWatch::new_hidden())
            }),
            pads: PadChecker::new(world),
            verdicts: Vec::new(),
            nearest: Vec::new(),
            cells: Vec::new(),
        }
    }

    /// Answers the rows of a chunk, of which some are known to be no poses.
    pub fn answer_chunk(&mut self, rows: Range<u64>, values: &[f64], faults: &[RowFault]) -> AnsweredChunk {
        let mut chunk = AnsweredChunk::default();
        let width = self.checker.world().dof_names().len();
        let count = (rows.end - rows.start) as usize;
        let each = move |k: usize| &values[k * width..(k + 1) * width];
        if self.question.edges {
            self.answer_edges(rows.start, (0..count / 2).map(|k| [each(2 * k), each(2 * k + 1)]), &mut chunk);
        } else if self.batch.is_some() {
            self.answer_verdicts(rows.start, values, count, &mut chunk);
        } else {
            self.checker.forget_history();
            for k in 0..count {
                self.answer_row(rows.start + k as u64, each(k), &mut chunk);
            }
        }
        for fault in self.row_faults(rows.start, (0..count).map(each), faults) {
            chunk.tally.add_fault(|| fault);
        }
        chunk
    }

    /// What is wrong with rows that are no poses, the first of them: as their reader said it, or as the world
    /// does.
    fn row_faults<'v>(
        &self,
        first: u64,
        rows: impl Iterator<Item = &'v [f64]>,
        faults: &[RowFault],
    ) -> Vec<String> {
        let mut words = Vec::new();
        for (row, values) in (first..).zip(rows) {
            let Err(refused) = self.checker.accepts(values, self.question.set) else { continue };
            let mut read = faults.iter().filter(|fault| fault.row == row).peekable();
            if read.peek().is_none() {
                let refused = refused.to_string();
                words.push(format!("row {row}: {}", refused.lines().next().unwrap_or("")));
            }
            words.extend(read.map(RowFault::to_string));
            if words.len() > crate::limits::ROW_FAULTS_SHOWN {
                break;
            }
        }
        words
    }

    /// Verdicts of a whole chunk.
    fn answer_verdicts(&mut self, first: u64, values: &[f64], count: usize, chunk: &mut AnsweredChunk) {
        let Some(batch) = &mut self.batch else { return };
        self.verdicts.clear();
        self.verdicts.resize(count, Verdict::Unknown);
        // Rows that are no poses stay unknown, and are found below.
        let _ = batch.test(values, &self.question.question, &mut self.verdicts);
        let width = values.len() / count.max(1);
        for k in 0..count {
            let row = &values[k * width..(k + 1) * width];
            let mut verdict = verdict_number(self.verdicts[k]);
            if self.verdicts[k] == Verdict::Unknown && self.checker.accepts(row, self.question.set).is_err() {
                verdict = FAULT;
            }
            self.put_row(first + k as u64, row, &SweptRow::from_verdict(verdict), None, chunk);
        }
    }

    /// One row.
    fn answer_row(&mut self, row: u64, values: &[f64], chunk: &mut AnsweredChunk) {
        let question = &self.question.question;
        self.nearest.clear();
        if self.checker.set_with(values, self.question.set).is_err() {
            self.put_row(row, values, &SweptRow::from_verdict(FAULT), None, chunk);
            return;
        }
        let answer = match (self.question.ask, self.question.nearest) {
            (AskChoice::Test, _) => {
                self.checker.forget_history();
                self.checker.ask(question)
            }
            (_, 0) => self.checker.ask(question),
            (_, k) => self.checker.nearest_k(k, question, &mut self.nearest),
        };
        let answer = match &mut self.pads {
            Some(pads) => pads.judge_answer(&mut self.checker, question, answer),
            None => answer,
        };
        let mut found = SweptRow::from_verdict(verdict_number(answer.verdict));
        if self.question.ask != AskChoice::Test {
            found.interval = [answer.interval.lower, answer.interval.upper];
            found.pair = answer.pair;
        }
        self.put_row(row, values, &found, Some(&answer), chunk);
    }

    /// The ways of a chunk. A row that is no pose makes its way none.
    fn answer_edges<'v>(
        &mut self,
        first: u64,
        ways: impl Iterator<Item = [&'v [f64]; 2]>,
        chunk: &mut AnsweredChunk,
    ) {
        let Some(mut edges) = self.edges.take() else { return };
        let ways: Vec<[&[f64]; 2]> = ways.collect();
        let free = edges.sieve_ways(&ways).to_vec();
        let world = self.checker.world();
        for ((way, free), k) in ways.iter().zip(&free).zip(0..) {
            let are_poses = way.iter().all(|row| self.checker.accepts(row, self.question.set).is_ok());
            let found = match (free, are_poses) {
                (_, false) => SweptRow::from_verdict(FAULT),
                (true, true) => swept_edge(world, &EdgeAnswer::FREE),
                (false, true) => swept_edge(world, &edges.search_way(*way)),
            };
            self.put_row(first / 2 + k, way[0], &found, None, chunk);
        }
        self.edges = Some(edges);
    }

    /// Counts a row and writes it.
    fn put_row(
        &mut self,
        row: u64,
        values: &[f64],
        found: &SweptRow,
        answer: Option<&Answer>,
        chunk: &mut AnsweredChunk,
    ) {
        chunk.tally.add_row(row, found);
        let [lower, upper] = found.interval.map(RowCell::Number);
        let cells = &mut self.cells;
        cells.clear();
        cells.extend([
            RowCell::Sample(row),
            RowCell::Verdict(found.verdict),
            lower,
            upper,
            RowCell::Pair(found.pair),
        ]);
        let numbers = |count: usize| std::iter::repeat_n(RowCell::Number(f64::NAN), count);
        for more in &self.question.more {
            match more {
                MoreColumns::Q => cells.extend(values.iter().copied().map(RowCell::Number)),
                MoreColumns::Witness => match answer.and_then(|answer| answer.witness) {
                    Some(witness) => {
                        let points = [witness.a, witness.b, witness.normal].map(|p| p.to_array());
                        cells.extend(points.as_flattened().iter().copied().map(RowCell::Number));
                    }
                    None => cells.extend(numbers(9)),
                },
                MoreColumns::Gradient => match answer.and_then(|answer| answer.gradient(&mut self.checker)) {
                    Some(gradient) => cells.extend(gradient.iter().copied().map(RowCell::Number)),
                    None => cells.extend(numbers(values.len())),
                },
            }
        }
        if self.question.nearest > 0 {
            let nearest = |k: usize| self.nearest.get(k);
            let all = || (0..self.question.nearest).map(nearest);
            cells.extend(all().map(|pair| RowCell::Pair(pair.map(|pair| pair.pair))));
            cells
                .extend(all().map(|pair| RowCell::Number(pair.map_or(f64::NAN, |pair| pair.interval.lower))));
            cells
                .extend(all().map(|pair| RowCell::Number(pair.map_or(f64::NAN, |pair| pair.interval.upper))));
        }
        self.columns.put_row(cells, &mut chunk.bytes);
    }
}

/// The answer for a way as a row: which part of it is near, in contact or open.
fn swept_edge(world: &World, answer: &EdgeAnswer) -> SweptRow {
    let verdict = match answer.edge_kind() {
        EdgeKind::Free => Verdict::Clear,
        EdgeKind::Near => Verdict::Near,
        EdgeKind::Pressed => Verdict::ExpectedContact,
        EdgeKind::Contact => Verdict::Collision,
        EdgeKind::Unknown => Verdict::Unknown,
    };
    let (interval, pair) = match answer.told_edge() {
        Edge::Free => ([f64::NAN; 2], None),
        Edge::Contact { first, pair, .. } => (first, Some(pair)),
        Edge::Unknown { at, pair, .. } => (at, pair),
    };
    let pair = pair.and_then(|pair| world.pairs().find_pair(pair));
    SweptRow { verdict: verdict_number(verdict), interval, pair }
}
