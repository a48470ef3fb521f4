//! Verdicts are numbers in arrays, and members of `elbowroom.Verdict` elsewhere.

use elbowroom::Verdict;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The number of a verdict in `elbowroom.Verdict` and in C: 0 is clear, 4 is unknown.
pub fn code_of(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Clear => 0,
        Verdict::Near => 1,
        Verdict::ExpectedContact => 2,
        Verdict::Collision => 3,
        Verdict::Unknown => 4,
    }
}

/// The member of `elbowroom.Verdict`.
pub fn member_of(py: Python<'_>, verdict: Verdict) -> PyResult<Py<PyAny>> {
    static MEMBERS: PyOnceLock<Vec<Py<PyAny>>> = PyOnceLock::new();
    let members = MEMBERS.get_or_try_init(py, || {
        let class = py.import("elbowroom._verdict")?.getattr("Verdict")?;
        (0..5).map(|code| class.call1((code,)).map(Bound::unbind)).collect::<PyResult<Vec<_>>>()
    })?;
    Ok(members[usize::from(code_of(verdict))].clone_ref(py))
}
