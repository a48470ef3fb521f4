//! Contacts of a hand whose encoders are off, for its calibration: haase10's three kinds, simulated.
//!
//! Which kind a contact is follows from its gradient. A housing is a cylinder about its distal joint, so
//! where two housings touch, the distal joints change nothing: such contacts tell of the proximal joints
//! (Fig. 14, a and b). Fingers 1 and 3 bent alike and turned to each other touch along a line, and tell of
//! the pivot (c). Where tips touch, the distal joints count (d and e).

use super::robot::NAMES;
use anyhow::{Result, anyhow, ensure};
use elbowroom::math::Random;
use elbowroom::{Geometry, PairId, World};
use elbowroom_calibrate::{Closer, ENCODER_STEP, TouchingPose};
use std::fmt::Write as _;

/// What is added to the reading of each joint to have its angle (degrees): 0 to 3, as the paper has it.
pub const OFFSETS: [f64; 7] = [1.4, 2.3, -0.8, -1.9, 2.7, 0.6, -2.4];

/// How many contacts of each kind.
const COUNTS: [(ContactKind, usize); 3] =
    [(ContactKind::Proximal, 16), (ContactKind::Pivot, 8), (ContactKind::Distal, 56)];
/// Slopes of joints that a contact must not depend on (metres a radian): none of a distal joint at a housing,
/// and so little of the pivot that two degrees of it are a third of a millimetre.
const NO_SLOPE: f64 = 1e-6;
/// See [`NO_SLOPE`].
const LITTLE_SLOPE: f64 = 0.008;
/// The least share of a contact's squared slopes that is about the joints that it is for.
const SHARE: f64 = 0.4;
/// Random poses that are tried before this gives up.
const TRIES: usize = 1_000_000;

/// The values of the distal joints, and of the proximal ones.
const DISTAL: [usize; 3] = [2, 4, 6];
const PROXIMAL: [usize; 3] = [1, 3, 5];

/// What a contact is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactKind {
    Proximal,
    Pivot,
    Distal,
}

impl ContactKind {
    pub fn word(self) -> &'static str {
        match self {
            ContactKind::Proximal => "proximal",
            ContactKind::Pivot => "pivot",
            ContactKind::Distal => "distal",
        }
    }

    /// Whether a pose is of this kind.
    fn fits(self, pose: &TouchingPose) -> bool {
        let square = |values: &[usize]| values.iter().map(|v| pose.slopes[*v].powi(2)).sum::<f64>();
        let all: f64 = square(&[0, 1, 2, 3, 4, 5, 6]);
        match self {
            ContactKind::Proximal => {
                DISTAL.iter().all(|v| pose.slopes[*v].abs() < NO_SLOPE)
                    && pose.slopes[0].abs() < LITTLE_SLOPE
                    && square(&PROXIMAL) > SHARE * all
            }
            ContactKind::Pivot => square(&[0]) > SHARE * all,
            ContactKind::Distal => square(&DISTAL) > SHARE * all,
        }
    }
}

/// The tips of two fingers, by their numbers.
fn tips(world: &World, [a, b]: [u32; 2]) -> Option<PairId> {
    let body = |finger: u32| world.body_by_name(&format!("hand/finger_{finger}_tip"));
    match world.status(body(a)?, body(b)?)? {
        elbowroom::world::PairStatus::Checked(pair) => Some(pair),
        elbowroom::world::PairStatus::Allowed(_) => None,
    }
}

/// The file of contacts of a hand with these offsets and encoders of 360/1024 degrees.
pub fn contacts_file(world: &World) -> Result<String> {
    let (mut random, mut closer) = (Random(10), Closer::new(world, Geometry::Mesh));
    let mut text = String::new();
    for (kind, count) in COUNTS {
        let (mut found, mut tries) = (0, 0);
        while found < count {
            tries += 1;
            ensure!(tries < TRIES, "only {found} contacts are {}", kind.word());
            let fingers = match kind {
                ContactKind::Pivot => [1, 3],
                _ => [[1, 2], [2, 3], [1, 3]][found % 3],
            };
            let pair = tips(world, fingers).ok_or_else(|| anyhow!("no pair of tips"))?;
            let Some(mut from) = world.draw_configuration(|| random.unit()) else { continue };
            if kind == ContactKind::Pivot {
                // Bent alike: the plane between the two is a mirror, and the way of closing keeps it.
                (from[5], from[6]) = (from[1], from[2]);
            }
            let Some(pose) = closer.close_pair(pair, &from).filter(|pose| kind.fits(pose)) else { continue };
            found += 1;
            let read =
                |(q, offset): (&f64, &f64)| ((q - offset.to_radians()) / ENCODER_STEP).round() * ENCODER_STEP;
            let q: Vec<String> =
                pose.values.iter().zip(&OFFSETS).map(read).map(|q| format!("{q:.6}")).collect();
            let q: Vec<String> = NAMES.iter().zip(&q).map(|(name, q)| format!("\"{name}\": {q}")).collect();
            let [a, b] = fingers;
            let _ = writeln!(
                text,
                "{{\"name\": \"{} {found}\", \"a\": \"hand/finger_{a}_tip\", \"b\": \"hand/finger_{b}_tip\", \
                 \"q\": {{{}}}}}",
                kind.word(),
                q.join(", ")
            );
        }
    }
    Ok(text)
}
