//! Proofs about two bodies over all poses.

use crate::question::geometry_of;
use elbowroom::World;
use elbowroom::motion::{Claim, Proof, ProveOptions, Prover};
use elbowroom::world::BodyPair;
use numpy::PyArray1;
use pyo3::prelude::*;

/// The proof about two bodies over all poses within limits.
#[pyclass(name = "Proof", module = "elbowroom", frozen)]
pub struct PyProof {
    proof: Proof,
}

#[pymethods]
impl PyProof {
    /// "never" if the two never touch, "always" if they overlap at every pose, "sometimes" if they overlap at
    /// some poses and are clear at others, "open" if none of these is proved.
    #[getter]
    fn claim(&self) -> &'static str {
        match self.proof.claim {
            Claim::Never { .. } => "never",
            Claim::Always => "always",
            Claim::Sometimes => "sometimes",
            Claim::Open => "open",
        }
    }

    /// They are at least this far apart at every pose (metres); None unless they never touch.
    #[getter]
    fn least(&self) -> Option<f64> {
        match self.proof.claim {
            Claim::Never { least } => Some(least),
            Claim::Always | Claim::Sometimes | Claim::Open => None,
        }
    }

    /// The fraction of all poses that was proved when the work ended, from 0 to 1.
    #[getter]
    fn share(&self) -> f64 {
        self.proof.share
    }

    /// Joint values at which the two overlap, shape (dof,); None if no overlap was found.
    #[getter]
    fn overlap_at<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.proof.overlap_at.as_ref().map(|values| PyArray1::from_slice(py, values))
    }

    fn __repr__(&self) -> String {
        format!("Proof({}, share={})", self.claim(), self.proof.share)
    }
}

/// Proves a pair, without the interpreter's lock.
pub fn prove_pair(py: Python<'_>, world: &World, pair: BodyPair, hulls: bool, boxes: Option<u64>) -> PyProof {
    let usual = ProveOptions::default();
    let geometry = geometry_of(hulls);
    let options = ProveOptions { boxes: boxes.unwrap_or(usual.boxes), geometry, ..usual };
    PyProof { proof: py.detach(|| Prover::new(world).pair(pair, &options)) }
}
