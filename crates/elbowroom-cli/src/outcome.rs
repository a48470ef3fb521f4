//! What `check` found: the answers for all samples together.

pub mod sides;

use crate::arguments::check::AskChoice;
use crate::arguments::{DepthChoice, GeometryChoice};
use crate::continuous::Edges;
use crate::least::Least;
use crate::rates::Rates;
use crate::stretches::Stretches;
use crate::touch::is_touch;
use crate::worst_moments::{Moment, proved_of};
use elbowroom::pair::Stop;
use elbowroom::{Answer, Interval, PairId, Verdict};
use sides::{CellPairs, Sides};
use std::time::Duration;

/// Verdicts from harmless to worst.
pub const VERDICTS: [Verdict; 5] =
    [Verdict::Clear, Verdict::Near, Verdict::ExpectedContact, Verdict::Collision, Verdict::Unknown];

/// The pairs that an interval is told of.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// The pair that is named.
    pub named: Option<PairId>,
    /// The pair that the lower end is a bound of.
    pub lower: Option<PairId>,
    /// The pair that the upper end is a bound of.
    pub upper: Option<PairId>,
}

impl Ends {
    /// Those of an answer.
    pub fn from_answer(answer: &Answer) -> Ends {
        Ends { named: answer.pair, lower: answer.lower_pair, upper: answer.upper_pair }
    }
}

/// One sample in the plot.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Time (seconds), if the motion has it.
    pub t: Option<f64>,
    /// The interval.
    pub interval: Interval,
    /// What it means.
    pub verdict: Verdict,
    /// The pair it is told of, and those of its ends.
    pub ends: Ends,
    /// The intervals of the robots to themselves and to the cell.
    pub sides: Sides,
}

impl AsMut<Sides> for Point {
    fn as_mut(&mut self) -> &mut Sides {
        &mut self.sides
    }
}

impl Point {
    /// That of a sample.
    pub fn from_moment(moment: &Moment) -> Point {
        let sides = Sides::default();
        let Answer { interval, verdict, .. } = moment.answer;
        Point { t: moment.t, interval, verdict, ends: Ends::from_answer(&moment.answer), sides }
    }
}

/// Counts a verdict in the order of [`VERDICTS`].
pub fn count_verdict(counts: &mut [usize; VERDICTS.len()], verdict: Verdict) {
    VERDICTS.iter().zip(counts).filter(|(v, _)| **v == verdict).for_each(|(_, count)| *count += 1);
}

/// All answers together.
#[derive(Default)]
pub struct Outcome {
    /// How much was asked.
    pub ask: AskChoice,
    /// What meshes counted as.
    pub geometry: GeometryChoice,
    /// How narrowly depths of meshes were bracketed.
    pub depth: DepthChoice,
    /// How many samples.
    pub samples: usize,
    /// How many of each verdict, in the order of `VERDICTS`.
    pub verdicts: [usize; VERDICTS.len()],
    /// How many of each verdict, of poses after events that a sample follows.
    pub after_verdicts: [usize; VERDICTS.len()],
    /// Whether the samples were drawn at random: then they have no order.
    pub drawn: bool,
    /// Whether the samples are those of a motion.
    pub is_motion: bool,
    /// The worst moments, worst first; of samples without an order the worst samples.
    pub moments: Vec<Moment>,
    /// The sample with the smallest clearance, as far as it is proved: the deepest proved overlap, or, where
    /// none is proved, the smallest lower bound. A pose that was asked again after events counts too.
    pub smallest: Option<Moment>,
    /// The sample with the smallest lower bound: where depths are only bracketed it may be another.
    pub lowest: Option<Moment>,
    /// The first sample.
    pub first: Option<Moment>,
    /// The first sample that collides or could not be proved.
    pub first_bad: Option<Moment>,
    /// How many samples collide with a depth of meshes that is only bracketed.
    pub bracketed: usize,
    /// Contact within this counts as near (metres), if anything does.
    pub touch: Option<f64>,
    /// How many samples are unknown because bodies touch as far as can be told, and the first of them.
    pub touching: Option<(usize, Moment)>,
    /// How many samples are unknown because an open mesh encloses a body, and the first of them.
    pub shut_in: Option<(usize, Moment)>,
    /// All samples, if a page is asked for.
    pub points: Vec<Point>,
    /// Which pairs with the cell change, if a page is asked for.
    pub cell_pairs: CellPairs,
    /// All pairs, if a page is asked for.
    pub pairs: Vec<Least>,
    /// When each pair is within the margin, for a page.
    pub stretches: Stretches,
    /// The ways between samples, if asked for.
    pub edges: Option<Edges>,
    /// What is asked of the ways, to be put behind `between samples`.
    pub ways: String,
    /// How fast the joints go, if asked for.
    pub rates: Option<Rates>,
    /// The answer for the last pose after the changes that no sample follows, if there are any.
    pub after: Option<Answer>,
    /// The poses that were asked once more after the changes behind them, if a page is asked for.
    pub changed: Vec<Moment>,
    /// The changes between samples, in words.
    pub changes: Option<String>,
    /// Time in which all samples were answered.
    pub elapsed: Duration,
    /// Threads that answered.
    pub threads: usize,
}

impl Outcome {
    /// How many samples have a verdict.
    pub fn verdict_count(&self, verdict: Verdict) -> usize {
        VERDICTS.iter().position(|v| *v == verdict).map_or(0, |i| self.verdicts[i])
    }

    /// A sample as it was asked once more after changes, if it was.
    pub fn changed_at(&self, sample: usize) -> Option<&Moment> {
        let place = self.changed.binary_search_by_key(&sample, |changed| changed.sample).ok()?;
        self.changed.get(place)
    }

    /// Adds the answer for the next sample.
    pub fn add(&mut self, moment: Moment) {
        self.samples += 1;
        self.first.get_or_insert(moment);
        count_verdict(&mut self.verdicts, moment.answer.verdict);
        if moment.answer.stop == Some(Stop::ShutIn) {
            self.shut_in.get_or_insert((0, moment)).0 += 1;
        }
        if moment.answer.verdict == Verdict::Unknown && is_touch(&moment.answer.interval) {
            self.touching.get_or_insert((0, moment)).0 += 1;
        }
        self.add_least(moment);
        if matches!(moment.answer.verdict, Verdict::Collision | Verdict::Unknown) {
            self.first_bad.get_or_insert(moment);
        }
    }

    /// Takes a moment as the smallest, or the lowest, if its clearance is less than that of all before.
    pub fn add_least(&mut self, moment: Moment) {
        let apart = |m: &Moment| m.answer.verdict != Verdict::Collision;
        let smaller = |s: &Moment| match (apart(&moment), apart(s)) {
            (false, true) => true,
            (true, false) => false,
            _ => proved_of(&moment.answer) < proved_of(&s.answer),
        };
        if self.smallest.as_ref().is_none_or(smaller) {
            self.smallest = Some(moment);
        }
        if self.lowest.is_none_or(|l| moment.answer.interval.lower < l.answer.interval.lower) {
            self.lowest = Some(moment);
        }
    }
}
