//! The answer about one pose.

use crate::checkers::Checkers;
use crate::verdict::member_of;
use elbowroom::math::Vec3;
use elbowroom::pair::{Stop, Witness};
use elbowroom::{Answer, Checker, Geometry, Interval, PairAnswer, PairId, Question, Verdict};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;

/// The answer for one pose: the smallest signed distance of all checked pairs lies between `lower` and
/// `upper` (metres). `pair` has that distance. Points and directions are in the world's frame.
#[pyclass(name = "Answer", module = "elbowroom", frozen)]
pub struct PyAnswer {
    checkers: Arc<Checkers>,
    verdict: Verdict,
    interval: Interval,
    distance: f64,
    pair: Option<PairId>,
    witness: Option<Witness>,
    stop: Option<Stop>,
    slopes: Slopes,
}

/// Where the gradient of an answer comes from.
enum Slopes {
    /// It is computed when it is wanted: the pose of the world.
    AtPose(Box<[f64]>),
    /// It was computed with the changes of a checker. None where bounds alone decided.
    Known(Option<Box<[f64]>>),
}

impl PyAnswer {
    /// The answer of a world for a pose.
    pub fn at_pose(checkers: &Arc<Checkers>, pose: Vec<f64>, answer: &Answer) -> PyAnswer {
        PyAnswer::from_answer(checkers, Slopes::AtPose(pose.into_boxed_slice()), answer)
    }

    /// Asks a checker that is at the pose, and may have changes.
    pub fn ask_checker(checkers: &Arc<Checkers>, checker: &mut Checker, question: &Question) -> PyAnswer {
        let answer = checker.ask(question);
        PyAnswer::of_checker(checkers, checker, &answer)
    }

    /// From the answer that the checker just gave.
    pub fn of_checker(checkers: &Arc<Checkers>, checker: &mut Checker, answer: &Answer) -> PyAnswer {
        let slopes = Slopes::Known(answer.gradient(checker).map(Box::from));
        PyAnswer::from_answer(checkers, slopes, answer)
    }

    fn from_answer(checkers: &Arc<Checkers>, slopes: Slopes, answer: &Answer) -> PyAnswer {
        let Answer { verdict, interval, distance, pair, witness, stop, .. } = *answer;
        PyAnswer { checkers: checkers.clone(), verdict, interval, distance, pair, witness, stop, slopes }
    }

    /// From the answer for one pair that the checker just gave.
    pub fn of_pair(checkers: &Arc<Checkers>, checker: &mut Checker, answer: &PairAnswer) -> PyAnswer {
        let PairAnswer { pair, verdict, interval, distance, witness, stop } = *answer;
        let slopes = Slopes::Known(answer.gradient(checker).map(Box::from));
        let (checkers, pair) = (checkers.clone(), Some(pair));
        PyAnswer { checkers, verdict, interval, distance, pair, witness, stop, slopes }
    }

    fn find_names(&self) -> Option<[&str; 2]> {
        self.checkers.world.pair_names(self.pair?)
    }
}

#[pymethods]
impl PyAnswer {
    /// What the interval means: a `Verdict`.
    #[getter]
    fn verdict(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        member_of(py, self.verdict)
    }

    /// The distance is at least this (metres); minus infinity where nothing is proved.
    #[getter]
    fn lower(&self) -> f64 {
        self.interval.lower
    }

    /// The distance is at most this (metres); infinite where only a lower bound was wanted.
    #[getter]
    fn upper(&self) -> f64 {
        self.interval.upper
    }

    /// One number in the interval (metres), for display. It is not proved: decide by `lower` and `upper`.
    #[getter]
    fn distance(&self) -> f64 {
        self.distance
    }

    /// The full names of the two bodies, as `("panda/panda_link5", "world/table")`; None where no pair is
    /// checked.
    #[getter]
    fn pair(&self) -> Option<(&str, &str)> {
        self.find_names().map(|[a, b]| (a, b))
    }

    /// The number of the pair, as in `Clearances.pair`; -1 where no pair is checked.
    #[getter]
    fn pair_id(&self) -> i64 {
        self.pair.map_or(-1, |pair| i64::from(pair.0))
    }

    /// The point of the first body (metres, shape (3,)); None where bounds alone decided.
    #[getter]
    fn witness_a<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.witness.map(|w| vector_array(py, w.a))
    }

    /// The point of the second body (metres, shape (3,)); None where bounds alone decided.
    #[getter]
    fn witness_b<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.witness.map(|w| vector_array(py, w.b))
    }

    /// From the second body's point to the first's (metres, shape (3,)); None where bounds alone decided.
    #[getter]
    fn vector<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.witness.map(|w| vector_array(py, w.vector()))
    }

    /// The direction along which the first body escapes from the second (length 1, shape (3,)); None where
    /// bounds alone decided.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.witness.map(|w| vector_array(py, w.normal))
    }

    /// How the distance changes with each joint value (metres a radian, or metres a metre, shape (dof,));
    /// None where bounds alone decided.
    #[getter]
    fn gradient<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let pose = match &self.slopes {
            Slopes::Known(known) => return Ok(known.as_ref().map(|known| PyArray1::from_slice(py, known))),
            Slopes::AtPose(pose) => pose,
        };
        let (Some(pair), Some(witness)) = (self.pair, self.witness) else { return Ok(None) };
        let read = |checker: &mut Checker| checker.gradient(pair, &witness).map(<[f64]>::to_vec);
        Ok(self.checkers.ask_at(py, pose, read)?.map(|found| PyArray1::from_vec(py, found)))
    }

    /// Why the search stopped: "closed_form", "converged", "decided", "stalled", "iteration_limit",
    /// "bracketed" or "shut_in"; None where bounds alone decided.
    #[getter]
    fn stop(&self) -> Option<&'static str> {
        self.stop.map(stop_word)
    }

    /// What meshes counted as: "mesh" or "hull".
    #[getter]
    fn geometry(&self) -> &'static str {
        geometry_word(self.interval.geometry)
    }

    fn __repr__(&self) -> String {
        let Interval { lower, upper, .. } = self.interval;
        let pair = self.find_names().map_or(String::new(), |[a, b]| format!(", pair=({a:?}, {b:?})"));
        format!("Answer({}, lower={lower}, upper={upper}{pair})", self.verdict.word())
    }
}

/// The word for what meshes count as.
pub fn geometry_word(geometry: Geometry) -> &'static str {
    match geometry {
        Geometry::Mesh => "mesh",
        Geometry::Hull => "hull",
    }
}

/// The word for why a search stopped.
pub fn stop_word(stop: Stop) -> &'static str {
    match stop {
        Stop::ClosedForm => "closed_form",
        Stop::Converged => "converged",
        Stop::Decided => "decided",
        Stop::Stalled => "stalled",
        Stop::IterationLimit => "iteration_limit",
        Stop::Bracketed => "bracketed",
        Stop::ShutIn => "shut_in",
    }
}

/// A vector as an array of three.
pub fn vector_array(py: Python<'_>, vector: Vec3) -> Bound<'_, PyArray1<f64>> {
    PyArray1::from_slice(py, &vector.to_array())
}
