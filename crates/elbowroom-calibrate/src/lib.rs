//! Offsets of joints from contacts.
//!
//! Encoders are mounted by hand, so what a joint reads is off by a constant, its offset. A robot can measure
//! that without any instrument: it moves until two of its bodies touch, or until one touches its cell. Then
//! the signed distance of these bodies is zero at the readings with their offsets added, and enough such
//! contacts give all offsets (source: haase10 section IV-C, which does it by hand for a hand of three
//! fingers).
//!
//! [`calibrate`] takes [`Contact`]s and gives a [`Calibration`]: offsets with their covariance, which joints
//! the contacts do not determine, what each contact says, and which contacts are wrong. [`propose_contacts`]
//! says which contact to measure next. [`Closer`] finds poses at which bodies touch.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![warn(clippy::missing_errors_doc)]

mod calibration;
mod closing;
mod contact;
mod doubt;
mod fit;
mod limits;
mod meter;
mod options;
mod proposal;
mod symmetric;

pub use calibration::{Calibration, ContactReport, JointOffset, LooseDirection, SUSPICIOUS, calibrate};
pub use closing::{Closer, TouchingPose};
pub use contact::{Contact, Refusal};
pub use doubt::ContactState;
pub use limits::{ENCODER_STEP, SLIDE_BOUND, SLIDE_STEP, TURN_BOUND, WITHIN};
pub use options::CalibrateOptions;
pub use proposal::{Proposal, propose_contacts};
