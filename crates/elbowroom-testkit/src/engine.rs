//! The engine, as the tests ask it.

use super::cases::Case;
use super::threads::run_in_chunks;
use elbowroom::describe::ShapeDescription;
use elbowroom::math::Transform;
use elbowroom::pair::{Ask, Clearance, Query, Scratch, Shape, Warm, clearance};

/// Memory that a thread of questions keeps.
#[derive(Debug, Default)]
pub struct Engine {
    pub scratch: Scratch,
}

/// Two compiled shapes.
#[derive(Debug)]
pub struct Pair {
    pub a: Shape,
    pub b: Shape,
}

/// Two shapes, from a cold start.
pub fn ask(a: &Shape, b: &Shape, b_in_a: &Transform, query: &Query) -> Clearance {
    let mut scratch = Scratch::new(a.mesh_depth().max(b.mesh_depth()));
    clearance(a, b, b_in_a, query, &mut Warm::default(), &mut scratch)
}

/// A shape that has no fault, without padding.
pub fn compile_unpadded(shape: &ShapeDescription) -> Shape {
    compile_shape(shape, 0.0).unwrap()
}

/// A shape with padding, or why not.
pub fn compile_shape(shape: &ShapeDescription, padding: f64) -> Result<Shape, String> {
    Shape::new(shape, padding).map_err(|fault| fault.to_string())
}

/// Both shapes compiled, or why not.
pub fn compile_pair(c: &Case) -> Result<Pair, String> {
    Ok(Pair { a: compile_shape(&c.a, c.padding[0])?, b: compile_shape(&c.b, c.padding[1])? })
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

/// Runs `work` on the numbers below `n`, on `threads` threads. Results come in the order of the numbers.
pub fn on_threads<T: Send>(n: u64, threads: usize, work: impl Fn(u64, &mut Engine) -> T + Sync) -> Vec<T> {
    run_in_chunks(n, threads, 64, Engine::default, work)
}
