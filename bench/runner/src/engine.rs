//! What an engine supplies, and the one loop, clock and line protocol that all engines share.
//!
//! The protocol and the loop are those of `bench/peers/common.hpp`; keep the two alike, or the figures do not
//! compare.

use crate::work::{Ask, Work};
use anyhow::{Context, Result};
use std::{
    io::{BufRead, Write},
    time::Instant,
};

/// Calls into one library. Shapes and poses are numbers into what `load` built; distances in metres.
pub trait Engine: Sized {
    /// Builds shapes and native poses, not timed. An error says why this work cannot be done.
    fn load_work(work: &Work) -> Result<Self>;
    /// What building takes: seconds, and bytes by which the process grows.
    fn measure_build(work: &Work) -> Result<(f64, f64)> {
        let (before, start) = (resident_bytes()?, Instant::now());
        let built = Self::load_work(work)?;
        let took = (start.elapsed().as_secs_f64(), resident_bytes()? - before);
        drop(built);
        Ok(took)
    }
    /// From now on answers with the lower end of its proved interval; false: it proves nothing, and answers
    /// as before.
    fn answer_with_lower(&mut self, _on: bool) -> bool {
        false
    }
    /// Forgets the previous query of a motion.
    fn restart(&mut self);
    /// Separation; anything not above zero if the shapes overlap.
    fn distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> f64;
    /// Separation, starting from the previous query where the library can.
    fn warm_distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> f64;
    /// Signed distance, negative: minus the penetration depth.
    fn signed_distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> f64;
    /// Whether the shapes overlap.
    fn collides(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> bool;
    /// Distance of triangles; may stop once it knows it is above `best`.
    fn mesh_distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize, best: f64) -> f64;
    /// A question about a whole robot: the smallest distance, or 0 for yes and -1 for no.
    fn answer_whole(&mut self, work: &Work, number: usize) -> f64;
    /// Distances of all pairs of a whole robot's bodies.
    fn all_distances(&mut self, work: &Work, number: usize, answers: &mut [f64]);
    /// [`Engine::whole`] of many steps, the first of them `from`; one by one where the library has no call
    /// for that.
    fn answer_batch(&mut self, work: &Work, from: usize, answers: &mut [f64]) {
        for (number, answer) in (from..).zip(answers) {
            *answer = self.answer_whole(work, number);
        }
    }
    /// The least of all pairs' distances of triangles, asked in the order that suits the library; shape `k`
    /// is at pose `first + k`. Without better knowledge: the given order, each pair told the best so far.
    fn smallest_mesh_distance(&mut self, pairs: &[[u32; 2]], first: usize) -> f64 {
        let place = |shape: u32| first + shape as usize;
        pairs
            .iter()
            .fold(f64::MAX, |best, &[a, b]| best.min(self.mesh_distance(a, b, place(a), place(b), best)))
    }
}

#[inline(always)]
fn answer_step<E: Engine>(engine: &mut E, work: &Work, number: usize, answers: &mut [f64]) {
    let first = number * work.poses_a_step;
    let place = |shape: u32| first + shape as usize;
    match work.ask {
        Ask::SelfAllDistances => engine.all_distances(work, number, answers),
        _ if work.is_whole() => answers[0] = engine.answer_whole(work, number),
        Ask::Distance => {
            let [a, b] = work.pairs[number];
            answers[0] = engine.distance(a, b, first, first + 1);
        }
        Ask::Coherent => {
            let [a, b] = work.pairs[number];
            answers[0] = engine.warm_distance(a, b, first, first + 1);
        }
        Ask::Depth => {
            let [a, b] = work.pairs[number];
            answers[0] = engine.signed_distance(a, b, first, first + 1);
        }
        Ask::AllDistances => {
            for (answer, &[a, b]) in answers.iter_mut().zip(&work.pairs) {
                *answer = engine.distance(a, b, place(a), place(b));
            }
        }
        Ask::FirstCollision => {
            let hit = work.pairs.iter().position(|&[a, b]| engine.collides(a, b, place(a), place(b)));
            answers[0] = hit.map_or(-1.0, |pair| pair as f64);
        }
        Ask::SmallestTriangleDistance => {
            answers[0] = engine.smallest_mesh_distance(&work.pairs, first);
        }
        _ => unreachable!("questions about whole robots are answered above"),
    }
}

/// All steps once. Receives the mean ns a step of each batch.
fn time_pass<E: Engine>(engine: &mut E, work: &Work, answers: &mut [f64], batch_ns: &mut Vec<f64>) {
    let (batch, stride) = ((work.steps / 20).max(1), work.answers_a_step());
    engine.restart();
    let mut from = 0;
    while from < work.steps {
        let to = (from + batch).min(work.steps);
        let start = Instant::now();
        let together = work.ask == Ask::SelfTestBatch;
        if together {
            engine.answer_batch(work, from, &mut answers[from..to]);
        }
        for i in (from..to).take_while(|_| !together) {
            if work.ask == Ask::Coherent && i > 0 && work.pairs[i] != work.pairs[i - 1] {
                engine.restart();
            }
            answer_step(engine, work, i, &mut answers[i * stride..(i + 1) * stride]);
        }
        batch_ns.push(start.elapsed().as_nanos() as f64 / (to - from) as f64);
        from = to;
    }
}

struct Loaded<E> {
    work: Work,
    engine: E,
    answers: Vec<f64>,
}

impl<E: Engine> Loaded<E> {
    fn load_path(path: &str) -> Result<Loaded<E>> {
        let work = Work::read(path)?;
        let engine = E::load_work(&work)?;
        let answers = vec![0.0; work.steps * work.answers_a_step()];
        Ok(Loaded { work, engine, answers })
    }

    fn write_answers(&mut self, path: &str) -> Result<String> {
        time_pass(&mut self.engine, &self.work, &mut self.answers, &mut Vec::new());
        write_numbers(path, &self.answers)?;
        Ok(format!("written {}", self.answers.len()))
    }

    fn write_lower(&mut self, path: &str) -> Result<String> {
        anyhow::ensure!(self.engine.answer_with_lower(true), "prove anything");
        let reply = self.write_answers(path);
        self.engine.answer_with_lower(false);
        reply
    }

    fn run(&mut self, seconds: f64) -> String {
        let (start, mut batches, mut passes) = (Instant::now(), Vec::new(), 0);
        while passes == 0 || start.elapsed().as_secs_f64() < seconds {
            time_pass(&mut self.engine, &self.work, &mut self.answers, &mut batches);
            passes += 1;
        }
        let mean = batches.iter().sum::<f64>() / batches.len() as f64;
        batches.sort_by(f64::total_cmp);
        let count = batches.len();
        let median = 0.5 * (batches[(count - 1) / 2] + batches[count / 2]);
        format!("ran {median:.3} {mean:.3} {passes}")
    }
}

/// Little-endian f64, nothing else.
pub fn write_numbers(path: &str, numbers: &[f64]) -> Result<()> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    std::fs::write(path, bytes).with_context(|| format!("cannot write {path}"))
}

/// Prints `built SECONDS BYTES`: what building shapes and world took, and by how much the process grew;
/// vertices as they are given are there before.
pub fn tell_built<E: Engine>(path: &str) -> Result<()> {
    let work = Work::read(path)?;
    match E::measure_build(&work) {
        Ok((seconds, bytes)) => println!("built {seconds} {bytes}"),
        Err(error) => println!("cannot {}", format!("{error:#}").replace('\n', " ")),
    }
    Ok(())
}

/// Resident memory of this process, bytes; pages are of four kilobytes.
pub fn resident_bytes() -> Result<f64> {
    let text = std::fs::read_to_string("/proc/self/statm").context("no /proc/self/statm")?;
    let pages = text.split_whitespace().nth(1).context("/proc/self/statm holds no number")?;
    Ok(4096.0 * pages.parse::<f64>()?)
}

/// Answers lines on stdin until `quit` or the end of it.
pub fn serve_lines<E: Engine>() -> Result<()> {
    let mut loaded: Option<Loaded<E>> = None;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let reply = match (verb, loaded.as_mut()) {
            ("quit", _) => return Ok(()),
            ("load", _) => {
                loaded = None;
                Loaded::load_path(rest).map(|new| {
                    let reply = format!("loaded {}", new.work.steps);
                    loaded = Some(new);
                    reply
                })
            }
            ("answers", Some(loaded)) => loaded.write_answers(rest),
            ("lower", Some(loaded)) => loaded.write_lower(rest),
            ("run", Some(loaded)) => rest.parse().context("seconds").map(|seconds| loaded.run(seconds)),
            _ => Err(anyhow::anyhow!("do {verb:?} now")),
        };
        let mut out = std::io::stdout().lock();
        match reply {
            Ok(reply) => writeln!(out, "{reply}")?,
            Err(error) => writeln!(out, "cannot {}", format!("{error:#}").replace('\n', " "))?,
        }
        out.flush()?;
    }
    Ok(())
}
