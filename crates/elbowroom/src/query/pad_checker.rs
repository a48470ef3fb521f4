//! Tells contact on pads from collisions.

use crate::model::id::PairId;
use crate::model::pads::Pad;
use crate::model::world::World;
use crate::pose::fault::SetOptions;
use crate::query::answer::{Answer, PairAnswer};
use crate::query::checker::Checker;
use crate::query::pressed_pads::{UntouchedPads, find_untouched_pads};
use crate::query::question::Question;
use crate::query::resolved::Resolved;
use crate::query::search;
use alloc::vec::Vec;
use elbowroom_pair::{Ask, Interval, Scratch, Verdict};

/// Judges what a [`Checker`] finds in a world with pads (source: haase10 section IV-D).
///
/// A checker asks the declared bodies, and every overlap of theirs is a collision, in a test too. Who wants
/// contact on pads told apart hands the answer on to this. Where the declared bodies are not proved apart, it
/// asks the world in which all pads are pressed in as far as they go ([`World::drawn_back`]), at the same
/// pose. If all pairs are proved apart there, only pads are touched, and no deeper than they give way: the
/// verdict becomes [`Verdict::ExpectedContact`]. The interval stays that of the declared bodies, so the depth
/// is that of the press. In doubt the verdict stays as it is.
///
/// ```
/// use elbowroom::describe::PadDescription;
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::math::{Transform, vec3};
/// use elbowroom::{Checker, PadChecker, Question, Verdict, World};
///
/// // The rod of the crate's first example, with a ball of 0.1 m at its end, which is soft by 2 cm.
/// let mut description = rod_and_post();
/// description.pads = vec![PadDescription {
///     name: "tip".into(),
///     link: "rod/arm".into(),
///     depth: 0.02,
///     region_in_link: Transform::from_translation(vec3(1.0, 0.0, 0.0)),
///     size: [0.21; 3],
/// }];
/// let world = World::compile(&description)?;
/// let (mut checker, question) = (Checker::new(&world), Question::distance());
/// let mut pads = PadChecker::new(&world).expect("it has pads");
/// let mut ask = |value: f64| {
///     checker.set(&[value]).expect("within limits");
///     let answer = checker.ask(&question);
///     (answer.verdict, pads.judge_answer(&mut checker, &question, answer).verdict)
/// };
/// // The post is reached at 1.268 rad.
/// assert_eq!(ask(1.2), (Verdict::Clear, Verdict::Clear));
/// assert_eq!(ask(1.28), (Verdict::Collision, Verdict::ExpectedContact), "1.2 cm deep");
/// assert_eq!(ask(1.3), (Verdict::Collision, Verdict::Collision), "3.2 cm");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PadChecker<'w> {
    world: &'w World,
    /// In the drawn-back world.
    drawn_back: Checker<'w>,
    /// Whether that is in the state of the checker that is judged.
    follows: bool,
    near: Vec<PairAnswer>,
    presses: Vec<PadPress>,
    scratch: Scratch,
}

/// A pair in contact on pads alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PadPress {
    /// The pair, in the declared world.
    pub pair: PairId,
    /// Its signed distance, of the declared bodies: minus the depth of the press (metres).
    pub interval: Interval,
    /// How much is left at least until the pads are pressed in as far as they go: a lower bound on the
    /// clearance of the drawn-back bodies (metres, > 0).
    pub left: f64,
    untouched: UntouchedPads,
}

impl PadPress {
    /// The pads of the two bodies that may be pressed. Pads that are proved not to be pressed are left out.
    /// Any contact is on one or more of the others.
    pub fn pads<'w>(&self, world: &'w World) -> impl Iterator<Item = &'w Pad> {
        let (bodies, untouched) = (world.pairs().get(self.pair), self.untouched);
        let pads = bodies.into_iter().flat_map(|bodies| world.pads_of(bodies));
        pads.enumerate().filter(move |(place, _)| !untouched.contains(*place)).map(|(_, pad)| pad)
    }
}

impl<'w> PadChecker<'w> {
    /// For a world with pads; `None` for one without.
    pub fn new(world: &'w World) -> Option<PadChecker<'w>> {
        let drawn_back = Checker::new(world.drawn_back()?);
        let scratch = Scratch::new(world.solids.mesh_depth);
        let (near, presses) = (Vec::new(), Vec::new());
        Some(PadChecker { world, drawn_back, follows: false, near, presses, scratch })
    }

    /// Takes over the pose of a checker of the same world, and all that changed there: for
    /// [`PadChecker::judge_pair`]. False for a checker of another world; then every verdict stays.
    pub fn copy_state_from(&mut self, checker: &Checker) -> bool {
        let options = SetOptions { ignore_limits: true };
        self.follows = core::ptr::eq(self.world, checker.world())
            && self.drawn_back.set_with(checker.values(), options).is_ok()
            && self.drawn_back.space.copy_state_from(&checker.space);
        self.follows
    }

    /// Judges the answer of a checker to a question about all pairs, at the pose where it is: the answer with
    /// its verdict. [`PadChecker::presses`] has the pairs in contact. Only where that is not known already
    /// does it ask anything.
    pub fn judge_answer(&mut self, checker: &mut Checker<'w>, question: &Question, answer: Answer) -> Answer {
        self.presses.clear();
        if !may_be_press(answer.verdict) || !self.copy_state_from(checker) {
            return answer;
        }
        let apart = question.with_ask(Ask::Test).margin(0.0);
        if self.drawn_back.ask(&apart).verdict != Verdict::Clear {
            return answer;
        }
        // What is not proved apart of the declared bodies is a contact.
        let contacts = question.with_ask(Ask::Distance).margin(0.0).cutoff(0.0);
        let mut near = core::mem::take(&mut self.near);
        checker.nearest_k(usize::MAX, &contacts, &mut near);
        near.retain(|pair| may_be_press(pair.verdict));
        let are_pressed = near.iter().all(|pair| match self.press_of(question, pair) {
            Some(press) => {
                self.presses.push(press);
                true
            }
            None => false,
        });
        self.near = near;
        if !are_pressed || self.presses.is_empty() {
            self.presses.clear();
            return answer;
        }
        Answer { verdict: Verdict::ExpectedContact, ..answer }
    }

    /// The pairs in contact on pads that [`PadChecker::judge_answer`] found last, if it gave the verdict of
    /// that.
    pub fn presses(&self) -> &[PadPress] {
        &self.presses
    }

    /// Forgets what it keeps from pose to pose, as [`Checker::forget_history`].
    pub fn forget_history(&mut self) {
        self.drawn_back.forget_history();
    }

    /// Judges the answer for one pair, as [`Checker::all_pairs`] gives it, at the pose that
    /// [`PadChecker::copy_state_from`] took over: the answer with its verdict, and the press if it is one.
    pub fn judge_pair(&mut self, question: &Question, pair: &PairAnswer) -> (PairAnswer, Option<PadPress>) {
        let press =
            if may_be_press(pair.verdict) && self.follows { self.press_of(question, pair) } else { None };
        let verdict = press.map_or(pair.verdict, |_| Verdict::ExpectedContact);
        (PairAnswer { verdict, ..*pair }, press)
    }

    /// The press that a pair is, if one of its bodies has a pad and the drawn-back ones are proved apart.
    fn press_of(&mut self, question: &Question, of: &PairAnswer) -> Option<PadPress> {
        let bodies = self.world.checks.pairs.get(of.pair)?;
        self.world.pads_of(bodies).next()?;
        let question = question.with_ask(Ask::Distance).margin(0.0).cutoff(f64::INFINITY);
        let asked = Resolved::new(&question, self.drawn_back.world());
        let measured = search::measure_alone(&mut self.drawn_back.space, of.pair, bodies, &asked);
        let left = measured.interval.lower;
        if left <= 0.0 || left.is_nan() {
            return None;
        }
        let pose = &self.drawn_back.space.pose;
        let untouched = find_untouched_pads(self.world, pose, bodies, &mut self.scratch);
        Some(PadPress { pair: of.pair, interval: of.interval, left, untouched })
    }
}

/// Whether a verdict may be one about a press.
fn may_be_press(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Collision | Verdict::Unknown)
}
