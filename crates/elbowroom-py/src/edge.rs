//! A motion, straight between two poses or a piece of a spline, and its certificate.

use crate::errors::{certificate_error, spline_error};
use elbowroom::motion::{
    Doubt, Edge, EdgeOptions, EdgeSoFar, MotionChecker, Piece, SplineFault, SplinePiece, verify,
    verify_spline,
};
use elbowroom::world::AskedWorld;
use elbowroom::{OwnedChecker, World};
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

self_cell::self_cell!(
    struct MotionsCell {
        owner: Arc<World>,
        #[covariant]
        dependent: MotionChecker,
    }
);

/// A motion checker that owns a share of its world.
pub struct OwnedMotions(MotionsCell);

impl OwnedMotions {
    /// For a world.
    pub fn new(world: Arc<World>) -> OwnedMotions {
        OwnedMotions(MotionsCell::new(world, |world| MotionChecker::new(world)))
    }

    /// Lends the motion checker.
    pub fn lend_mut<R>(&mut self, ask: impl for<'w> FnOnce(&mut MotionChecker<'w>) -> R) -> R {
        self.0.with_dependent_mut(|_, checker| ask(checker))
    }
}

/// How long a search runs before it looks for Ctrl-C.
const SIGNAL_TIME: Duration = Duration::from_millis(50);
/// Intervals between two looks at the clock.
const SIGNAL_STEPS: u32 = 64;

/// Looks for Ctrl-C now and then, on a thread without the interpreter's lock.
pub struct Signals {
    steps: u32,
    looked: Instant,
    /// What Ctrl-C raises.
    pub broken: Option<PyErr>,
}

impl Signals {
    pub fn new() -> Signals {
        Signals { steps: 0, looked: Instant::now(), broken: None }
    }

    /// Whether a search may go on; asked before each interval.
    pub fn allow_work(&mut self) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(SIGNAL_STEPS) && self.looked.elapsed() > SIGNAL_TIME {
            self.broken = Python::attach(|py| py.check_signals()).err();
            self.looked = Instant::now();
        }
        self.broken.is_none()
    }
}

/// A motion that is asked about.
#[derive(Clone)]
pub enum AskedMotion {
    /// Straight between these poses.
    Straight([Vec<f64>; 2]),
    /// A piece of a spline.
    Spline(SplinePiece),
}

/// Asks about a motion, without the interpreter's lock; Ctrl-C ends it.
pub fn ask_edge(
    py: Python<'_>,
    world: &Arc<World>,
    motions: &mut MotionChecker,
    asked: AskedMotion,
    options: EdgeOptions,
) -> PyResult<PyEdge> {
    let found = py.detach(|| {
        let mut signals = Signals::new();
        let mut watch = |_: &EdgeSoFar| signals.allow_work();
        let found = match &asked {
            AskedMotion::Straight([from, to]) => {
                motions.check_edge_watched([from, to], &options, &mut watch).map_err(SplineFault::Pose)
            }
            AskedMotion::Spline(piece) => motions.check_spline_watched(piece, &options, &mut watch),
        };
        (found, signals.broken)
    });
    let edge = match found {
        (_, Some(broken)) => return Err(broken),
        (Err(fault), None) => return Err(spline_error(py, &fault)),
        (Ok(edge), None) => edge,
    };
    let pieces = if edge == Edge::Free { motions.pieces().to_vec() } else { Vec::new() };
    Ok(PyEdge { world: world.clone(), edge, asked, options, pieces, changed: None })
}

/// The answer for a motion: straight between two poses, or a piece of a spline. `bool(edge)` is True only if
/// the motion is proved free at every instant. Fractions of the motion are numbers from 0, its start, to 1,
/// its end.
#[pyclass(name = "Edge", module = "elbowroom", frozen)]
pub struct PyEdge {
    world: Arc<World>,
    edge: Edge,
    asked: AskedMotion,
    options: EdgeOptions,
    pieces: Vec<Piece>,
    /// A checker with the changes that it was asked with.
    changed: Option<Arc<OwnedChecker>>,
}

impl PyEdge {
    /// This answer, if it was asked with the changes of a checker. A free motion keeps them, for its
    /// certificate.
    pub fn with_changes(self, copy_checker: impl FnOnce() -> Arc<OwnedChecker>) -> PyEdge {
        let changed = (self.edge == Edge::Free).then(copy_checker);
        PyEdge { changed, ..self }
    }
}

#[pymethods]
impl PyEdge {
    /// Whether the motion is proved free at every instant.
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

    /// Two fractions of the motion: before the first, `pair` is proved free; at the second, it is proved in
    /// contact. With `first=False` the first is 0 and another contact may come earlier. None if no contact is
    /// proved.
    #[getter]
    fn first_contact(&self) -> Option<(f64, f64)> {
        match self.edge {
            Edge::Contact { first: [before, at], .. } => Some((before, at)),
            Edge::Free | Edge::Unknown { .. } => None,
        }
    }

    /// All pairs are proved free from the start up to this fraction of the motion.
    #[getter]
    fn free_until(&self) -> f64 {
        match self.edge {
            Edge::Free => 1.0,
            Edge::Contact { free_until, .. } => free_until,
            Edge::Unknown { at, .. } => at[0],
        }
    }

    /// The names of the two bodies in contact. If the outcome is "unknown": of an undecided pair, or None.
    #[getter]
    fn pair(&self) -> Option<(&str, &str)> {
        let pair = match self.edge {
            Edge::Free => return None,
            Edge::Contact { pair, .. } => pair,
            Edge::Unknown { pair, .. } => pair?,
        };
        self.world.body_names(pair).map(|[a, b]| (a, b))
    }

    /// Why the outcome is unknown: "touching", "close" (to the margin), "work" (used up) or "nothing_known"
    /// (no pair is checked, a cloud has no points, or a robot has no shapes). None for other outcomes.
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

    /// The proof of a free motion: a `Certificate`. None if the motion is not proved free.
    #[getter]
    fn certificate(&self) -> Option<PyCertificate> {
        self.free().then(|| PyCertificate {
            world: self.world.clone(),
            asked: self.asked.clone(),
            options: self.options,
            pieces: self.pieces.clone(),
            changed: self.changed.clone(),
        })
    }

    fn __bool__(&self) -> bool {
        self.free()
    }

    fn __repr__(&self) -> String {
        let pair = self.pair().map_or(String::new(), |(a, b)| format!(", pair=({a:?}, {b:?})"));
        format!("Edge({}, free_until={}{pair})", self.outcome(), self.free_until())
    }
}

/// Two names, and two fractions of a motion.
type NamedPiece<'a> = ((&'a str, &'a str), (f64, f64));

/// The proof that a motion is free. Each piece says that one pair is free on one part of the motion. `verify`
/// proves each piece again, from the pose in the middle of its part.
#[pyclass(name = "Certificate", module = "elbowroom", frozen)]
pub struct PyCertificate {
    world: Arc<World>,
    asked: AskedMotion,
    options: EdgeOptions,
    pieces: Vec<Piece>,
    changed: Option<Arc<OwnedChecker>>,
}

#[pymethods]
impl PyCertificate {
    fn __len__(&self) -> usize {
        self.pieces.len()
    }

    /// Each piece: the names of two bodies, and the two fractions of the motion between which they are free.
    /// A piece with the same name twice covers all pairs of that body that have no pieces of their own.
    #[getter]
    fn pieces(&self) -> Vec<NamedPiece<'_>> {
        let name_piece = |piece: &Piece| {
            let [a, b] = self.world.body_names(piece.pair).unwrap_or(["?", "?"]);
            ((a, b), (piece.t[0], piece.t[1]))
        };
        self.pieces.iter().map(name_piece).collect()
    }

    /// Proves every piece again, with nothing kept from the search. Raises `CertificateError` if a piece does
    /// not hold. It takes about as long as the search. A motion of `Checker.edge` is proved with the changes
    /// that the checker had when it was asked.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let (pieces, options) = (&self.pieces, &self.options);
        let verify_in = |asked: AskedWorld<'_>| match &self.asked {
            AskedMotion::Straight([from, to]) => verify(asked, [from, to], pieces, options),
            AskedMotion::Spline(piece) => verify_spline(asked, piece, pieces, options),
        };
        let checked = py.detach(|| match &self.changed {
            Some(changed) => changed.lend(|checker| verify_in(checker.into())),
            None => verify_in((&*self.world).into()),
        });
        checked.map_err(|fault| certificate_error(py, fault))
    }

    fn __repr__(&self) -> String {
        format!("Certificate of {} pieces", self.pieces.len())
    }
}
