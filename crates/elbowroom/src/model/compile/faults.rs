//! The list of faults that all stages of the compiler add to.

use alloc::string::String;
use alloc::vec::Vec;
use elbowroom_describe::WorldDescription;
use elbowroom_describe::fault::CompileFault;
use elbowroom_describe::limits::MAX_COORDINATE;
use elbowroom_describe::math::Transform;
use elbowroom_pair::numeric::rigid::pose_defect;

/// All faults so far.
#[derive(Debug, Default)]
pub(crate) struct FaultList(pub Vec<CompileFault>);

impl FaultList {
    pub fn push(&mut self, fault: CompileFault) {
        self.0.push(fault);
    }

    pub fn extend(&mut self, faults: impl IntoIterator<Item = CompileFault>) {
        self.0.extend(faults);
    }

    /// Checks a pose and returns the defect of its rotation.
    pub fn check_transform(&mut self, t: &Transform, of: impl FnOnce() -> String) -> f64 {
        pose_defect(t).unwrap_or_else(|problem| {
            self.push(CompileFault::BadTransform { of: of(), problem });
            0.0
        })
    }

    /// Checks the numbers of the world itself.
    pub fn check_numbers(&mut self, d: &WorldDescription) {
        for (what, value) in [("the world's padding", d.padding), ("the world's margin", d.margin)] {
            if !(0.0..=MAX_COORDINATE).contains(&value) {
                self.push(CompileFault::BadNumber { what, value });
            }
        }
    }
}

/// A fault for each name that occurs more than once.
pub(crate) fn find_duplicates(names: &mut Vec<&str>, kind: &'static str) -> Vec<CompileFault> {
    names.sort_unstable();
    let mut twice: Vec<&str> = names.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
    twice.dedup();
    twice.into_iter().map(|name| CompileFault::DuplicateName { kind, name: name.into() }).collect()
}
