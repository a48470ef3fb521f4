//! A hand for the engine: its world, its seven angles, and which pairs are two fingers. Ours is in
//! `robots/sdh2`; the machine's is the maker's URDF.

use super::kinematics::HandPose;
use super::levels::FINGER_PAIRS;
use crate::error::LabError;
use elbowroom::world::{BodyId, BodyPair, PairStatus};
use elbowroom::{Checker, Geometry, Interval, PairId, Question, World};
use elbowroom_files::world::load_world;
use std::path::Path;

/// How a file names what the paper numbers.
#[derive(Clone, Copy, Debug)]
pub struct HandNames {
    /// `phi_0` to `phi_6`.
    pub angles: [&'static str; 7],
    /// Limb and tip of fingers 1, 2 and 3.
    pub fingers: [[&'static str; 2]; 3],
    /// The palm: the paper's basic unit.
    pub palm: &'static str,
}

/// The names of our hand.
pub const OUR_NAMES: HandNames = HandNames {
    angles: ["phi_0", "phi_1", "phi_2", "phi_3", "phi_4", "phi_5", "phi_6"],
    fingers: [
        ["finger_1_limb", "finger_1_tip"],
        ["finger_2_limb", "finger_2_tip"],
        ["finger_3_limb", "finger_3_tip"],
    ],
    palm: "palm",
};
/// The names of the maker's URDF. Finger 2 is its thumb, and finger 3 its finger 2.
pub const MACHINE_NAMES: HandNames = HandNames {
    angles: [
        "sdh_knuckle_joint",
        "sdh_finger_12_joint",
        "sdh_finger_13_joint",
        "sdh_thumb_2_joint",
        "sdh_thumb_3_joint",
        "sdh_finger_22_joint",
        "sdh_finger_23_joint",
    ],
    fingers: [
        ["sdh_finger_12_link", "sdh_finger_13_link"],
        ["sdh_thumb_2_link", "sdh_thumb_3_link"],
        ["sdh_finger_22_link", "sdh_finger_23_link"],
    ],
    palm: "sdh_palm_link",
};

/// A hand, compiled.
#[derive(Debug)]
pub struct Hand {
    /// The hand alone.
    pub world: World,
    /// Limb and tip of fingers 1, 2 and 3.
    pub fingers: [[BodyId; 2]; 3],
    /// Which of the world's values each angle is.
    values: [usize; 7],
    /// The pairs of two links of two fingers, knuckles left out: what the levels test.
    finger_pairs: Vec<PairId>,
    /// The tip of finger 2 and the palm.
    base_pair: PairId,
}

impl Hand {
    /// Reads `sdh2/hand.toml` in a folder.
    ///
    /// # Errors
    /// It is not there, cannot be read, or has other names.
    pub fn load_hand(data: Option<&Path>) -> Result<Hand, LabError> {
        let file = data.unwrap_or(Path::new("robots")).join("sdh2/hand.toml");
        if file.is_file() { Hand::load_file(&file, &OUR_NAMES) } else { Err(LabError::NoHand(file)) }
    }

    /// Reads a world or robot with these names.
    ///
    /// # Errors
    /// It cannot be read, or has other names.
    pub fn load_file(file: &Path, names: &HandNames) -> Result<Hand, LabError> {
        let options = elbowroom_files::Options { no_srdf: true, ..elbowroom_files::Options::default() };
        let described = load_world(file, &options)?.value;
        let world = World::compile(&described).map_err(|faults| {
            hand_error(&faults.iter().map(|f| f.to_string()).collect::<Vec<_>>().join("; "))
        })?;
        // The world puts the robot's name before each.
        let is_called = |full: &str, name: &str| full.rsplit('/').next() == Some(name);
        if world.dof_names().len() != 7 {
            return Err(hand_error(&format!("it has {} joint values, not seven", world.dof_names().len())));
        }
        let mut values = [0; 7];
        for (value, name) in values.iter_mut().zip(names.angles) {
            let found = world.dof_names().iter().position(|full| is_called(full, name));
            *value = found.ok_or_else(|| hand_error(&format!("there is no value {name}")))?;
        }
        let body = |name: &str| {
            let found = world.bodies().iter().position(|body| is_called(&body.name, name));
            found.map(|i| BodyId(i as u32)).ok_or_else(|| hand_error(&format!("there is no link {name}")))
        };
        let links =
            |[limb, tip]: [&str; 2]| -> Result<[BodyId; 2], LabError> { Ok([body(limb)?, body(tip)?]) };
        let [one, two, three] = names.fingers;
        let (fingers, palm) = ([links(one)?, links(two)?, links(three)?], body(names.palm)?);
        let pair = |a: BodyId, b: BodyId| match world.status(a, b) {
            Some(PairStatus::Checked(id)) => Ok(id),
            _ => Err(hand_error("a pair of two fingers, or of finger 2 and the palm, is not checked")),
        };
        let mut finger_pairs = Vec::new();
        for [f, g] in FINGER_PAIRS {
            for a in fingers[f] {
                for b in fingers[g] {
                    finger_pairs.push(pair(a, b)?);
                }
            }
        }
        let base_pair = pair(fingers[1][1], palm)?;
        Ok(Hand { fingers, values, finger_pairs, base_pair, world })
    }

    /// The world's values at a pose.
    pub fn joint_values(&self, phi: &HandPose) -> [f64; 7] {
        let mut q = [0.0; 7];
        self.values.iter().zip(phi).for_each(|(at, angle)| q[*at] = *angle);
        q
    }

    /// Sets a checker's pose.
    ///
    /// # Errors
    /// An angle is no number.
    pub fn set_pose(&self, checker: &mut Checker, phi: &HandPose) -> Result<(), LabError> {
        checker.set(&self.joint_values(phi)).map_err(|e| hand_error(&e.to_string()))
    }

    /// The proved interval of the smallest signed distance of two fingers at the checker's pose (metres).
    pub fn finger_clearance(&self, checker: &mut Checker) -> Interval {
        self.least_of(&self.finger_pairs, checker)
    }

    /// The bodies of the tip of finger 2 and the palm.
    pub(super) fn base_bodies(&self) -> Option<BodyPair> {
        self.world.pairs().get(self.base_pair)
    }

    /// The proved interval of the signed distance of the tip of finger 2 and the palm at the checker's pose
    /// (metres).
    pub fn base_clearance(&self, checker: &mut Checker) -> Interval {
        self.least_of(&[self.base_pair], checker)
    }

    fn least_of(&self, pairs: &[PairId], checker: &mut Checker) -> Interval {
        let mut least = Interval::new(f64::INFINITY, f64::INFINITY, Geometry::Mesh);
        checker.all_pairs(&Question::distance(), |pair| {
            if pairs.contains(&pair.pair) {
                let Interval { lower, upper, geometry, .. } = pair.interval;
                least = Interval::new(least.lower.min(lower), least.upper.min(upper), geometry);
            }
        });
        least
    }
}

pub(super) fn hand_error(why: &str) -> LabError {
    LabError::Robot { robot: "SDH-2", why: why.into() }
}
