//! The way between two poses, and its certificate.

use crate::errors::{certificate_error, pose_error};
use elbowroom::World;
use elbowroom::motion::{Doubt, Edge, EdgeOptions, MotionChecker, Piece, verify};
use elbowroom::world::BodyPair;
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

self_cell::self_cell!(
    struct Cell {
        owner: Arc<World>,
        #[covariant]
        dependent: MotionChecker,
    }
);

/// A search of motions that owns a share of its world.
pub struct OwnedMotions(Cell);

impl OwnedMotions {
    /// For a world.
    pub fn new(world: Arc<World>) -> OwnedMotions {
        OwnedMotions(Cell::new(world, |world| MotionChecker::new(world)))
    }

    /// Lends the search.
    pub fn lend_mut<R>(&mut self, ask: impl for<'w> FnOnce(&mut MotionChecker<'w>) -> R) -> R {
        self.0.with_dependent_mut(|_, checker| ask(checker))
    }
}

/// How long a search runs before it looks for Ctrl-C.
const SIGNAL_TIME: Duration = Duration::from_millis(50);
/// Intervals between two looks at the clock.
const SIGNAL_STEPS: u32 = 64;

/// Asks about a way, without the interpreter's lock; Ctrl-C ends it.
pub fn ask_edge(
    py: Python<'_>,
    world: &Arc<World>,
    motions: &mut MotionChecker,
    ends: [Vec<f64>; 2],
    options: EdgeOptions,
) -> PyResult<PyEdge> {
    let found = py.detach(|| {
        let (mut steps, mut looked, mut broken) = (0, Instant::now(), None);
        let found = motions.check_edge_watched([&ends[0], &ends[1]], &options, &mut |_| {
            steps += 1;
            if steps % SIGNAL_STEPS == 0 && looked.elapsed() > SIGNAL_TIME {
                broken = Python::attach(|py| py.check_signals()).err();
                looked = Instant::now();
            }
            broken.is_none()
        });
        (found, broken)
    });
    let edge = match found {
        (_, Some(broken)) => return Err(broken),
        (Err(fault), None) => return Err(pose_error(py, &fault)),
        (Ok(edge), None) => edge,
    };
    let pieces = if edge == Edge::Free { motions.pieces().to_vec() } else { Vec::new() };
    Ok(PyEdge { world: world.clone(), edge, ends, options, pieces })
}

/// What is proved of the straight way between two poses. It is true only if the way is free at every instant.
/// Fractions of the way are numbers from 0, its start, to 1, its end.
#[pyclass(name = "Edge", module = "elbowroom", frozen)]
pub struct PyEdge {
    world: Arc<World>,
    edge: Edge,
    ends: [Vec<f64>; 2],
    options: EdgeOptions,
    pieces: Vec<Piece>,
}

#[pymethods]
impl PyEdge {
    /// Whether the way is proved free at every instant.
    #[getter]
    fn free(&self) -> bool {
        self.edge == Edge::Free
    }

    /// "free", "contact" or "unknown". Only the first allows the motion.
    #[getter]
    fn outcome(&self) -> &'static str {
        match self.edge {
            Edge::Free => "free",
            Edge::Contact { .. } => "contact",
            Edge::Unknown { .. } => "unknown",
        }
    }

    /// Two fractions of the way: before the first the pair is proved free, at the second it is proved in
    /// contact. None where no contact is proved.
    #[getter]
    fn first_contact(&self) -> Option<(f64, f64)> {
        match self.edge {
            Edge::Contact { first: [before, at], .. } => Some((before, at)),
            Edge::Free | Edge::Unknown { .. } => None,
        }
    }

    /// Before this fraction of the way every pair is proved free.
    #[getter]
    fn free_until(&self) -> f64 {
        match self.edge {
            Edge::Free => 1.0,
            Edge::Contact { free_until, .. } => free_until,
            Edge::Unknown { at, .. } => at[0],
        }
    }

    /// The names of the two bodies in contact, or of a pair of which nothing could be proved.
    #[getter]
    fn pair(&self) -> Option<(&str, &str)> {
        let pair = match self.edge {
            Edge::Free => return None,
            Edge::Contact { pair, .. } => pair,
            Edge::Unknown { pair, .. } => pair?,
        };
        self.world.body_names(pair).map(|[a, b]| (a, b))
    }

    /// Why nothing could be proved: "touching", "close", "work" or "nothing_known"; None where something was.
    #[getter]
    fn doubt(&self) -> Option<&'static str> {
        let Edge::Unknown { why, .. } = self.edge else { return None };
        Some(match why {
            Doubt::Touching => "touching",
            Doubt::Close => "close",
            Doubt::Work => "work",
            Doubt::NothingKnown => "nothing_known",
        })
    }

    /// What proves a free way: a `Certificate`; None where the way is not free.
    #[getter]
    fn certificate(&self) -> Option<PyCertificate> {
        self.free().then(|| PyCertificate {
            world: self.world.clone(),
            ends: self.ends.clone(),
            options: self.options,
            pieces: self.pieces.clone(),
        })
    }

    fn __bool__(&self) -> bool {
        self.free()
    }

    fn __repr__(&self) -> String {
        let of = self.pair().map_or(String::new(), |(a, b)| format!(", pair=({a:?}, {b:?})"));
        format!("Edge({}, free_until={}{of})", self.outcome(), self.free_until())
    }
}

/// Two names, and two fractions of a way.
type ToldPiece<'a> = ((&'a str, &'a str), (f64, f64));

/// The pieces that prove a way free: each says that one pair is free on one part of the way, which can be
/// proved again from the middle of that part.
#[pyclass(name = "Certificate", module = "elbowroom", frozen)]
pub struct PyCertificate {
    world: Arc<World>,
    ends: [Vec<f64>; 2],
    options: EdgeOptions,
    pieces: Vec<Piece>,
}

#[pymethods]
impl PyCertificate {
    fn __len__(&self) -> usize {
        self.pieces.len()
    }

    /// Each piece: the names of two bodies, and the two fractions of the way between which they are free.
    /// The same name twice stands for that body and every body without pieces of its own that does not move.
    #[getter]
    fn pieces(&self) -> Vec<ToldPiece<'_>> {
        let told = |piece: &Piece| {
            let BodyPair { a, b } = piece.pair;
            let [a, b] = self.world.body_names(BodyPair { a, b }).unwrap_or(["?", "?"]);
            ((a, b), (piece.t[0], piece.t[1]))
        };
        self.pieces.iter().map(told).collect()
    }

    /// Proves every piece again, without anything that the search left. Raises `CertificateError` where one
    /// does not hold.
    ///
    /// It takes about as long as to prove the way. The way is asked in the world as its file describes it:
    /// changes of a `Checker` are not in it.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let ends = [&*self.ends[0], &*self.ends[1]];
        let checked = py.detach(|| verify(&self.world, ends, &self.pieces, &self.options));
        checked.map_err(|fault| certificate_error(py, fault))
    }

    fn __repr__(&self) -> String {
        format!("Certificate of {} pieces", self.pieces.len())
    }
}
