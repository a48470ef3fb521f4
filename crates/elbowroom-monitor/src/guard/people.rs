//! People in the cell: ISO/TS 15066's protective separation distance, from all that the arms may pass.

use super::command::{Category, Command, Reason, ReasonKind};
use super::description::PeopleDescription;
use super::now::{Now, WORK};
use elbowroom::motion::{MotionChecker, RangeAnswer, RangeOptions};
use elbowroom::world::{BodyId, BodyPair};
use elbowroom::{Checker, World};

/// Asks about people alone: their margin is another than that of the cell.
#[derive(Clone, Debug)]
pub(super) struct People<'w> {
    ranges: MotionChecker<'w>,
    d: PeopleDescription,
    /// Whether any are near.
    near: bool,
}

impl<'w> People<'w> {
    pub fn new(world: &'w World, d: &PeopleDescription) -> People<'w> {
        People { ranges: MotionChecker::for_ranges(world), d: d.clone(), near: false }
    }

    /// Nothing is remembered of the steps before.
    pub fn forget_answers(&mut self) {
        self.ranges.forget_history();
    }

    /// Takes over what was changed in the world.
    pub fn copy_state_from(&mut self, checker: &Checker) {
        self.ranges.copy_state_from(checker);
    }

    /// Whether any were near at the last [`People::judge_separation`].
    pub fn are_near(&self) -> bool {
        self.near
    }

    /// Stops if it was not reported in time where they are.
    pub fn check_reports(&self, now: Now, command: &mut Command) {
        for body in &self.d.bodies {
            let age = now.parts.unseen_for(*body);
            // A report from the future is of another clock.
            if !(age.abs() <= self.d.late) {
                command.stop_for(
                    Category::One,
                    reason_about(ReasonKind::Unseen, *body).with_limit(age, self.d.late),
                );
            }
        }
    }

    /// Keeps them apart from the near box; `far` holds it.
    pub fn judge_separation(&mut self, now: Now, far: [&[f64]; 2], near: [&[f64]; 2], command: &mut Command) {
        let separation = self.d.separation_distance().next_up();
        let margin = separation.max(self.d.near);
        let wide = RangeOptions { work: WORK[1], ..now.options.margin(margin) };
        let work = |pair| now.parts.work_of_people(pair);
        self.near = !self.ranges.check_ranges(far, &wide, work).is_ok_and(|answer| answer.is_free());
        command.work.add(&self.ranges);
        if self.near
            && let Some(reason) = self.in_the_way(now, near, WORK[0], command)
        {
            command.stop_for(Category::One, reason);
        }
    }

    /// Who is not proved to be far enough from a box within the last far one.
    pub fn in_the_way(
        &mut self,
        now: Now,
        ends: [&[f64]; 2],
        work: u32,
        command: &mut Command,
    ) -> Option<Reason> {
        let separation = self.d.separation_distance().next_up();
        let options = RangeOptions { work, ..now.options.margin(separation) };
        let found =
            match self.ranges.check_narrower_ranges(ends, &options, |pair| now.parts.work_of_people(pair)) {
                Ok(answer) if answer.is_free() => None,
                Ok(RangeAnswer { open, .. }) => {
                    Some(match open.iter().min_by(|a, b| a.lower.total_cmp(&b.lower)) {
                        Some(open) => Reason::new(ReasonKind::Separation)
                            .of_pair(open.pair)
                            .with_limit(open.lower, separation),
                        None => Reason::new(ReasonKind::Unproved),
                    })
                }
                Err(_) => Some(Reason::new(ReasonKind::Unproved)),
            };
        command.work.add(&self.ranges);
        found
    }
}

fn reason_about(kind: ReasonKind, body: BodyId) -> Reason {
    Reason::new(kind).of_pair(BodyPair { a: body, b: body })
}
