//! The world in the state of a sample, for pictures.

use super::picture::{Round, Subject};
use crate::arguments::GeometryChoice;
use crate::arguments::check::{AskChoice, CheckArguments};
use crate::changes::{ChangeCourse, Changes};
use crate::load::LoadedWorld;
use crate::worst_moments::Moment;
use elbowroom::motion::Way;
use elbowroom::pair::Witness;
use elbowroom::pose::SetOptions;
use elbowroom::world::{BodyId, BodyPair};
use elbowroom::{Checker, Question};
use elbowroom_files::motion::Motion;
use std::collections::BTreeSet;

/// Samples of a motion that tell how far what moves reaches.
const REACHED: usize = 64;

/// What pictures are made from: the world in the state of a sample.
pub struct Stage<'a> {
    arguments: &'a CheckArguments,
    /// The world.
    pub loaded: &'a LoadedWorld,
    /// The poses.
    pub motion: &'a Motion,
    /// The changes.
    pub course: ChangeCourse<'a>,
    clouds: Vec<(BodyId, &'a [[f64; 3]])>,
    reach: Option<Round>,
}

/// A sample's state, and its nearest pair.
pub struct Posed<'w> {
    /// The checker.
    pub checker: Checker<'w>,
    /// The bodies that are hidden.
    pub hidden: BTreeSet<BodyId>,
    pair: Option<[BodyId; 2]>,
    /// Its nearest points, if they were asked.
    pub witness: Option<Witness>,
}

impl<'a> Stage<'a> {
    /// That of a motion.
    pub fn new(
        arguments: &'a CheckArguments,
        loaded: &'a LoadedWorld,
        motion: &'a Motion,
        changes: &'a Changes,
    ) -> Stage<'a> {
        let set = SetOptions { ignore_limits: arguments.ignore_limits };
        let course = ChangeCourse::new(&loaded.world, changes, &motion.rows, set);
        let mut stage =
            Stage { arguments, loaded, motion, course, clouds: changes.seen_clouds().collect(), reach: None };
        let step = motion.rows.len().div_ceil(REACHED).max(1);
        let balls = (0..motion.rows.len()).step_by(step);
        let balls: Vec<Round> =
            balls.filter_map(|sample| Round::around_movers(&stage.checker_at(sample)?.0)).collect();
        stage.reach = Round::enclose_balls(&balls);
        stage
    }

    /// What is asked of each sample.
    pub fn sample_question(&self) -> Question {
        self.arguments.sample_question()
    }

    /// The checker at a sample, and what is hidden there. The values were taken before.
    pub fn checker_at(&mut self, sample: usize) -> Option<(Checker<'a>, BTreeSet<BodyId>)> {
        self.posed_after(sample, sample)
    }

    /// The checker at a moment, which may be one after changes, and what is hidden there.
    pub fn at_moment(&mut self, moment: &Moment) -> Option<(Checker<'a>, BTreeSet<BodyId>)> {
        self.posed_after(moment.sample, moment.sample + usize::from(moment.after_changes))
    }

    /// The pose of a sample after all changes up to those of another.
    fn posed_after(&mut self, sample: usize, changes: usize) -> Option<(Checker<'a>, BTreeSet<BodyId>)> {
        let row = self.motion.rows.get(sample)?;
        let mut checker = self.course.checker_at(changes).clone();
        checker.set_with(row, SetOptions { ignore_limits: true }).ok()?;
        Some((checker, self.course.hidden_bodies()))
    }

    /// A sample with its nearest pair.
    pub fn posed(&mut self, sample: usize) -> Option<Posed<'a>> {
        let (checker, hidden) = self.checker_at(sample)?;
        Some(self.pose_nearest(checker, hidden))
    }

    /// The joint values at a part of the way that leads to a sample.
    pub fn values_on_way(&self, sample: usize, part: f64) -> Option<Vec<f64>> {
        let ends = [sample.checked_sub(1)?, sample].map(|i| self.motion.rows.get(i).map(Vec::as_slice));
        let [Some(from), Some(to)] = ends else { return None };
        let (world, mut values) = (&self.loaded.world, vec![0.0; to.len()]);
        match self.motion.is_straight_to(sample) {
            true => Way::new(world).values_at([from, to], part, &mut values),
            false => self.motion.spline_to(world, sample).ok()?.write_values(part, &mut values),
        }
        Some(values)
    }

    /// A part of the way that leads to a sample, with a pair.
    pub fn posed_on_way(&mut self, sample: usize, part: f64, pair: BodyPair) -> Option<Posed<'a>> {
        let values = self.values_on_way(sample, part)?;
        let (mut checker, hidden) = self.checker_at(sample)?;
        checker.set_with(&values, SetOptions { ignore_limits: true }).ok()?;
        let mut witness = None;
        if self.arguments.ask != AskChoice::Test {
            checker.all_pairs(&self.sample_question(), |answer| {
                let of = self.loaded.world.pairs().get(answer.pair);
                if of.is_some_and(|of| [of.a, of.b] == [pair.a, pair.b]) {
                    witness = answer.witness;
                }
            });
        }
        Some(Posed { checker, hidden, pair: Some([pair.a, pair.b]), witness })
    }

    fn pose_nearest(&self, mut checker: Checker<'a>, hidden: BTreeSet<BodyId>) -> Posed<'a> {
        let answer = checker.ask(&self.sample_question());
        let witness = answer.witness.filter(|_| self.arguments.ask != AskChoice::Test);
        let pair = answer.pair.and_then(|p| self.loaded.world.pairs().get(p)).map(|p| [p.a, p.b]);
        Posed { checker, hidden, pair, witness }
    }

    /// Makes something of a sample, with its nearest pair.
    pub fn show_sample<T>(&mut self, sample: usize, make: impl FnOnce(Subject<'_>) -> T) -> Option<T> {
        let posed = self.posed(sample)?;
        Some(make(self.subject_of(&posed)))
    }

    /// What a picture of a sample is of.
    pub fn subject_of<'s>(&'s self, posed: &'s Posed<'s>) -> Subject<'s> {
        let Posed { checker, hidden, pair, witness } = posed;
        self.subject(checker, hidden, *pair, witness.as_ref())
    }

    /// What a picture is of.
    pub fn subject<'s>(
        &'s self,
        checker: &'s Checker<'s>,
        hidden: &'s BTreeSet<BodyId>,
        pair: Option<[BodyId; 2]>,
        witness: Option<&'s Witness>,
    ) -> Subject<'s> {
        let hulls = self.arguments.geometry == GeometryChoice::Hull;
        let radius = self.arguments.seen.cloud_radius;
        Subject { checker, pair, witness, hulls, hidden, clouds: &self.clouds, radius, reach: self.reach }
    }
}
