//! The world in the state of a sample, for pictures.

use super::picture::{Round, Subject};
use crate::arguments::GeometryChoice;
use crate::arguments::check::{AskChoice, CheckArguments};
use crate::changes::{ChangeCourse, Changes};
use crate::load::LoadedWorld;
use elbowroom::Checker;
use elbowroom::motion::Way;
use elbowroom::pair::Witness;
use elbowroom::pose::SetOptions;
use elbowroom::world::BodyId;
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
    checker: Checker<'w>,
    hidden: BTreeSet<BodyId>,
    pair: Option<[BodyId; 2]>,
    witness: Option<Witness>,
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
            balls.filter_map(|sample| Round::around_movers(&stage.at(sample)?.0)).collect();
        stage.reach = Round::of(&balls);
        stage
    }

    /// The checker at a sample, and what is hidden there. The values were taken before.
    pub fn at(&mut self, sample: usize) -> Option<(Checker<'a>, BTreeSet<BodyId>)> {
        let row = self.motion.rows.get(sample)?;
        let mut checker = self.course.checker_at(sample).clone();
        checker.set_with(row, SetOptions { ignore_limits: true }).ok()?;
        Some((checker, self.course.hidden_bodies()))
    }

    /// A sample with its nearest pair.
    pub fn posed(&mut self, sample: usize) -> Option<Posed<'a>> {
        let (checker, hidden) = self.at(sample)?;
        Some(self.pose_nearest(checker, hidden))
    }

    /// A part of the way that leads to a sample, with its nearest pair.
    pub fn posed_on_way(&mut self, sample: usize, part: f64) -> Option<Posed<'a>> {
        let ends = [sample.checked_sub(1)?, sample].map(|i| self.motion.rows.get(i).map(Vec::as_slice));
        let [Some(from), Some(to)] = ends else { return None };
        let (world, mut values) = (&self.loaded.world, vec![0.0; to.len()]);
        match self.motion.is_straight_to(sample) {
            true => Way::new(world).values_at([from, to], part, &mut values),
            false => self.motion.spline_to(world, sample).ok()?.write_values(part, &mut values),
        }
        let (mut checker, hidden) = self.at(sample)?;
        checker.set_with(&values, SetOptions { ignore_limits: true }).ok()?;
        Some(self.pose_nearest(checker, hidden))
    }

    fn pose_nearest(&self, mut checker: Checker<'a>, hidden: BTreeSet<BodyId>) -> Posed<'a> {
        let answer = checker.ask(&self.arguments.sample_question());
        let witness = answer.witness.filter(|_| self.arguments.ask != AskChoice::Test);
        let pair = answer.pair.and_then(|p| self.loaded.world.pairs().get(p)).map(|p| [p.a, p.b]);
        Posed { checker, hidden, pair, witness }
    }

    /// Makes something of a sample, with its nearest pair.
    pub fn with<T>(&mut self, sample: usize, make: impl FnOnce(Subject<'_>) -> T) -> Option<T> {
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
