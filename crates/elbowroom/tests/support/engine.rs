//! The engine, as the tests ask it.

use super::cases::Case;
use elbowroom::describe::ShapeDescription;
use elbowroom::math::Transform;
use elbowroom::narrow::{Ask, Clearance, Query, Scratch, Warm, clearance};
use elbowroom::shape_compile::compile_shape;

/// Memory that a thread of questions keeps.
#[derive(Default)]
pub struct Engine {
    pub scratch: Scratch,
}

/// Two compiled shapes.
pub struct Pair {
    pub a: elbowroom::shape::Shape,
    pub b: elbowroom::shape::Shape,
}

/// False as long as the engine's pair query is not there.
pub fn exists() -> bool {
    true
}

fn compile(shape: &ShapeDescription, padding: f64) -> Result<elbowroom::shape::Shape, String> {
    compile_shape(shape, padding).map_err(|fault| fault.to_string())
}

/// Both shapes compiled, or why not.
pub fn pair(c: &Case) -> Result<Pair, String> {
    Ok(Pair { a: compile(&c.a, c.padding[0])?, b: compile(&c.b, c.padding[1])? })
}

impl Engine {
    /// The signed distance, from a cold start.
    pub fn distance(&mut self, p: &Pair, b_in_a: &Transform) -> Clearance {
        self.ask(p, b_in_a, Ask::Distance, f64::INFINITY, &mut Warm::default())
    }
    pub fn ask(&mut self, p: &Pair, b_in_a: &Transform, ask: Ask, cutoff: f64, warm: &mut Warm) -> Clearance {
        clearance(
            &p.a,
            &p.b,
            b_in_a,
            // With an infinite margin, lower bounds are those of the triangles as well.
            &Query { ask, cutoff, margin: f64::INFINITY, ..Query::default() },
            warm,
            &mut self.scratch,
        )
    }
}

/// Runs `work` on the numbers below `n`, on all cores; results in the order of the numbers.
pub fn on_all_cores<T: Send>(n: u64, threads: usize, work: impl Fn(u64, &mut Engine) -> T + Sync) -> Vec<T> {
    use std::sync::atomic::{AtomicU64, Ordering};
    const CHUNK: u64 = 64;
    let next = AtomicU64::new(0);
    let mut parts: Vec<(u64, Vec<T>)> = std::thread::scope(|s| {
        let run = || {
            let (mut engine, mut mine) = (Engine::default(), Vec::new());
            loop {
                let start = next.fetch_add(CHUNK, Ordering::Relaxed);
                if start >= n {
                    return mine;
                }
                mine.push((
                    start,
                    (start..n.min(start + CHUNK)).map(|i| work(i, &mut engine)).collect::<Vec<_>>(),
                ));
            }
        };
        let handles: Vec<_> = (0..threads).map(|_| s.spawn(run)).collect();
        handles.into_iter().flat_map(|h| h.join().unwrap()).collect()
    });
    parts.sort_by_key(|p| p.0);
    parts.into_iter().flat_map(|p| p.1).collect()
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}
