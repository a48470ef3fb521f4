//! The time of a processor, divided into tasks.

use std::ops::AddAssign;

/// The time of a processor by tasks (us): those of the paper's Fig. 4, with expanding apart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tasks {
    /// Distances of primitives.
    pub primitives: f64,
    /// Distances of polytopes.
    pub polytopes: f64,
    /// Taking nodes apart, and keeping the list.
    pub expanding: f64,
    /// Sending and receiving.
    pub communication: f64,
    /// Position, hierarchy, management, and corners.
    pub other: f64,
    /// Nothing to do.
    pub waiting: f64,
}

impl Tasks {
    /// Each of them times a factor.
    pub fn scale_by(&self, factor: f64) -> Tasks {
        Tasks {
            primitives: self.primitives * factor,
            polytopes: self.polytopes * factor,
            expanding: self.expanding * factor,
            communication: self.communication * factor,
            other: self.other * factor,
            waiting: self.waiting * factor,
        }
    }

    /// All but waiting (us).
    pub fn busy_time(&self) -> f64 {
        self.primitives + self.polytopes + self.expanding + self.communication + self.other
    }
}

impl AddAssign<&Tasks> for Tasks {
    fn add_assign(&mut self, more: &Tasks) {
        self.primitives += more.primitives;
        self.polytopes += more.polytopes;
        self.expanding += more.expanding;
        self.communication += more.communication;
        self.other += more.other;
        self.waiting += more.waiting;
    }
}
