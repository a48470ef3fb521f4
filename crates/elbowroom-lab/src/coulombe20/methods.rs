//! The methods of the experiment, each asked about one pose with its kinematics in the time.

use crate::error::LabError;
use crate::rgjk::{Collides, Model};
use crate::simplex::{CheckedRegions, Regions, SignedVolumes};
use elbowroom::pair::Ask;
use elbowroom::{Checker, Geometry, Interval, Question, Verdict, World};
use std::hint::black_box;
use std::time::Instant;

/// Their names, in the order in which they are run.
pub const METHODS: [&str; 7] = [
    "RGJK, to the letter",
    "RGJK, checked",
    "RGJK, signed volumes",
    "elbowroom, test",
    "elbowroom, distance",
    "elbowroom, all pairs",
    "kinematics alone",
];

/// The paper's, with its sub-distance checked.
pub const CHECKED: usize = 1;
/// The engine's yes or no.
pub const TEST: usize = 3;
/// The one whose distance judges the others.
pub const PROVES: usize = 4;

/// What a method did at a pose.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Microseconds.
    pub us: f64,
    /// Whether it says that the robot collides; `None` where it does not say.
    pub said: Option<bool>,
    /// What is proved (metres), of a method that proves.
    pub proved: (Verdict, f64),
    /// Pairs of shapes that were asked, and steps of their searches.
    pub pairs: usize,
    /// See `pairs`.
    pub steps: usize,
}

/// All of them for one robot.
pub struct Methods<'w> {
    robot: &'static str,
    /// The paper's.
    pub model: Model,
    /// A checker each, so that no method profits from what another left behind.
    checkers: [Checker<'w>; METHODS.len()],
    /// Of every pair, what the one about all pairs proved last (metres).
    pub intervals: Vec<Interval>,
}

impl<'w> Methods<'w> {
    /// # Errors
    /// A shape is no mesh.
    pub fn new(robot: &'static str, world: &'w World) -> Result<Methods<'w>, LabError> {
        let why = "has shapes that are not meshes".to_string();
        Ok(Methods {
            robot,
            model: Model::new(world).ok_or(LabError::Robot { robot, why })?,
            checkers: METHODS.map(|_| Checker::new(world)),
            intervals: vec![Interval::nothing(Geometry::Hull); world.pairs().len()],
        })
    }

    /// Forgets what method `m` knows of the pose before.
    pub fn forget_pose(&mut self, m: usize) {
        self.checkers[m].forget_history();
    }

    /// Asks method `m` about a pose.
    ///
    /// # Errors
    /// The pose is none.
    pub fn ask_method(&mut self, m: usize, q: &[f64]) -> Result<Asked, LabError> {
        let hulls = Question::distance().geometry(Geometry::Hull);
        let Methods { robot, model, checkers, intervals } = self;
        let checker = &mut checkers[m];
        let mut asked = Asked { us: 0.0, said: None, proved: (Verdict::Unknown, 0.0), pairs: 0, steps: 0 };
        let start = Instant::now();
        checker.set(q).map_err(|e| LabError::Robot { robot, why: e.to_string() })?;
        match m {
            0..=2 => {
                model.update_vertices(checker);
                let Collides { hit, pairs, steps } = black_box(match m {
                    0 => model.any_pair_collides(0.0, Regions),
                    CHECKED => model.any_pair_collides(0.0, CheckedRegions),
                    _ => model.any_pair_collides(0.0, SignedVolumes),
                });
                (asked.said, asked.pairs, asked.steps) = (Some(hit), pairs, steps);
            }
            3..=5 => {
                let answer = match m {
                    TEST => checker.ask(&hulls.with_ask(Ask::Test)),
                    PROVES => checker.ask(&hulls),
                    _ => checker.all_pairs(&hulls, |pair| intervals[pair.pair.index()] = pair.interval),
                };
                asked.proved = (answer.verdict, answer.distance);
                asked.said = verdict_collides(answer.verdict);
                (asked.pairs, asked.steps) = (answer.counts.shape_queries, answer.counts.steps);
            }
            _ => _ = black_box(&checker),
        }
        asked.us = start.elapsed().as_nanos() as f64 * 1e-3;
        Ok(asked)
    }
}

/// `None` where nothing was proved.
pub fn verdict_collides(verdict: Verdict) -> Option<bool> {
    match verdict {
        Verdict::Collision => Some(true),
        Verdict::Clear | Verdict::Near => Some(false),
        Verdict::ExpectedContact | Verdict::Unknown => None,
    }
}
