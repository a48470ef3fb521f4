//! The answer about one pose.

use crate::verdict::member_of;
use elbowroom::math::Vec3;
use elbowroom::pair::{Stop, Witness};
use elbowroom::{Answer, Checker, Geometry, Interval, PairAnswer, PairId, Question, Verdict, World};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;

/// The answer for one pose: the smallest signed distance of all checked pairs lies between `lower` and
/// `upper` (metres). `pair` has that distance. Points and directions are in the world's frame.
#[pyclass(name = "Answer", module = "elbowroom", frozen)]
pub struct PyAnswer {
    world: Arc<World>,
    pub verdict: Verdict,
    pub interval: Interval,
    pub distance: f64,
    pub pair: Option<PairId>,
    pub witness: Option<Witness>,
    pub stop: Option<Stop>,
    gradient: Option<Box<[f64]>>,
}

impl PyAnswer {
    /// Asks a checker that is at the pose.
    pub fn ask_checker(world: &Arc<World>, checker: &mut Checker, question: &Question) -> PyAnswer {
        let answer = checker.ask(question);
        PyAnswer::from_answer(world, checker, &answer)
    }

    /// From the answer that the checker just gave.
    pub fn from_answer(world: &Arc<World>, checker: &mut Checker, answer: &Answer) -> PyAnswer {
        let Answer { verdict, interval, distance, pair, witness, stop, .. } = *answer;
        let gradient = answer.gradient(checker).map(Box::from);
        PyAnswer { world: world.clone(), verdict, interval, distance, pair, witness, stop, gradient }
    }

    /// From the answer for one pair.
    pub fn from_pair_answer(world: &Arc<World>, checker: &mut Checker, answer: &PairAnswer) -> PyAnswer {
        let PairAnswer { pair, verdict, interval, distance, witness, stop } = *answer;
        let gradient = answer.gradient(checker).map(Box::from);
        let pair = Some(pair);
        PyAnswer { world: world.clone(), verdict, interval, distance, pair, witness, stop, gradient }
    }

    fn find_names(&self) -> Option<[&str; 2]> {
        self.world.pair_names(self.pair?)
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
    fn gradient<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.gradient.as_ref().map(|gradient| PyArray1::from_slice(py, gradient))
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
