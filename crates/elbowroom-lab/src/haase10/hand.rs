//! The hand of `robots/sdh2` for the engine: its world, its seven angles, and which pairs are two fingers.

use crate::error::LabError;
use elbowroom::{Checker, Interval, PairId, Question, World};
use elbowroom_files::world::load_world;
use std::path::Path;

/// The names of the angles `phi_0` to `phi_6` in the file.
pub const ANGLES: [&str; 7] = ["phi_0", "phi_1", "phi_2", "phi_3", "phi_4", "phi_5", "phi_6"];

/// The hand, compiled.
#[derive(Debug)]
pub struct Hand {
    /// The hand alone.
    pub world: World,
    /// Which of the world's values each angle is.
    values: [usize; 7],
    /// Whether a pair is two links of two fingers, knuckles left out: what the levels test.
    finger_pairs: Vec<bool>,
}

impl Hand {
    /// Reads `sdh2/hand.toml` in a folder.
    ///
    /// # Errors
    /// It is not there, cannot be read, or has other angles.
    pub fn load_hand(data: Option<&Path>) -> Result<Hand, LabError> {
        let file = data.unwrap_or(Path::new("robots")).join("sdh2/hand.toml");
        if !file.is_file() {
            return Err(LabError::NoHand(file));
        }
        let described = load_world(&file, &elbowroom_files::Options::default())?.value;
        let world = World::compile(&described).map_err(|faults| {
            hand_error(&faults.iter().map(|f| f.to_string()).collect::<Vec<_>>().join("; "))
        })?;
        let mut values = [0; 7];
        for (value, name) in values.iter_mut().zip(ANGLES) {
            let missing = || hand_error(&format!("there is no value {name}"));
            // The world puts the robot's name before it.
            let is_it = |full: &String| full.rsplit('/').next() == Some(name);
            *value = world.dof_names().iter().position(is_it).ok_or_else(missing)?;
        }
        let pairs = (0..world.pairs().len() as u32).map(|i| world.pair_names(PairId(i)));
        let finger_pairs = pairs.map(|names| names.is_some_and(|[a, b]| are_two_fingers(a, b))).collect();
        Ok(Hand { world, values, finger_pairs })
    }

    /// The world's values at a pose.
    pub fn joint_values(&self, phi: &[f64; 7]) -> Vec<f64> {
        let mut q = vec![0.0; self.world.dof_names().len()];
        self.values.iter().zip(phi).for_each(|(at, angle)| q[*at] = *angle);
        q
    }

    /// Whether a pair is two links of two fingers.
    pub fn is_finger_pair(&self, pair: PairId) -> bool {
        self.finger_pairs.get(pair.0 as usize).copied().unwrap_or(false)
    }

    /// The proved interval of the smallest signed distance of two fingers at the checker's pose (metres).
    pub fn finger_clearance(&self, checker: &mut Checker) -> Interval {
        let mut least: Option<Interval> = None;
        checker.all_pairs(&Question::distance(), |pair| {
            if self.is_finger_pair(pair.pair) {
                let found = pair.interval;
                least = Some(least.map_or(found, |l| {
                    Interval::new(l.lower.min(found.lower), l.upper.min(found.upper), found.geometry)
                }));
            }
        });
        least.unwrap_or(Interval::new(f64::NEG_INFINITY, f64::INFINITY, elbowroom::Geometry::Mesh))
    }
}

/// Whether two names, as `hand/finger_1_tip`, are limbs or tips of two fingers.
fn are_two_fingers(a: &str, b: &str) -> bool {
    let finger = |name: &str| {
        let link = name.rsplit('/').next()?.strip_prefix("finger_")?;
        let (number, part) = link.split_once('_')?;
        ["limb", "tip"].contains(&part).then(|| number.to_string())
    };
    matches!((finger(a), finger(b)), (Some(a), Some(b)) if a != b)
}

pub(super) fn hand_error(why: &str) -> LabError {
    LabError::Robot { robot: "SDH-2", why: why.into() }
}
