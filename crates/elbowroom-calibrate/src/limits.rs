//! Every number that decides something in a calibration, with unit and reason.

use std::f64::consts::PI;

/// What an encoder of a joint that turns resolves (radians): a 1024th of a turn (source: haase10 section
/// IV-C).
pub const ENCODER_STEP: f64 = 2.0 * PI / 1024.0;
/// What an encoder of a joint that slides resolves (metres): a tenth of a millimetre, as common linear scales
/// do.
pub const SLIDE_STEP: f64 = 1e-4;
/// The largest offset that is believed of a joint that turns (radians): 5 degrees. Offsets of 0 to 3 degrees
/// are usual (source: haase10 section IV-C); beyond five, encoders are mounted wrong.
pub const TURN_BOUND: f64 = 5.0 * PI / 180.0;
/// The largest offset that is believed of a joint that slides (metres).
pub const SLIDE_BOUND: f64 = 5e-3;
/// How far apart two bodies may be that are said to touch (metres): a sheet of paper.
pub const WITHIN: f64 = 1e-4;

/// What is known of an offset before the first contact, as information in units of its bound: it is uniform
/// between the bounds, and the variance of that is a third.
pub(crate) const PRIOR: f64 = 3.0;
/// A joint is determined where the deviation of its offset is below this, in units of its bound: a quarter.
/// Before any contact it is 0.58.
pub(crate) const DETERMINED: f64 = 0.25;
/// How far offsets may go, in bounds, while contacts are held against each other: a little farther than the
/// four deviations at which what is known before makes a contact suspicious, which are 2.3 bounds.
pub(crate) const REACH: f64 = 3.0;
/// A contact is suspected where its residual is more than so many deviations. Of a thousand good contacts
/// with normal errors, none is on average.
pub(crate) const SUSPECT: f64 = 4.0;
/// How often outliers that fit after all come back, each time with a new fit: those that come back may take
/// others' places.
pub(crate) const RETURNS: usize = 4;
/// By how much outliers may be more than the contacts that witness against them: the sum of redundancies is a
/// whole number but for what is known before.
pub(crate) const HALF_A_WITNESS: f64 = 0.5;
/// Of two contacts, either of which explains what is wrong, one is named where its squared deviations exceed
/// the other's by this: three deviations.
pub(crate) const APART: f64 = 9.0;
/// The squared deviations that a contact counts in the sum of squares whose distance is not known to be used:
/// what a suspected one has.
pub(crate) const UNKNOWN_COST: f64 = SUSPECT * SUSPECT;
/// The largest ratio of scatter to noise that is no contradiction: the noise is only known to a factor of
/// about that.
pub(crate) const SCATTER: f64 = 2.0;
/// Contacts that check each other so little cannot tell of scatter: the redundancy of two of them.
pub(crate) const LEAST_REDUNDANCY: f64 = 2.0;

/// Steps of a fit. Good contacts take four to eight; twenty halvings of a step fit in besides.
pub(crate) const FIT_STEPS: usize = 60;
/// A fit ends where its step is shorter than this, in units of the bounds: 5e-7 degrees of five.
pub(crate) const FIT_STEP: f64 = 1e-7;
/// Damping of a fit: the first, by how much it grows where a step is refused, and the most. Beyond it a step
/// is shorter than [`FIT_STEP`].
pub(crate) const DAMPING: [f64; 3] = [1e-3, 10.0, 1e12];
/// Sweeps of Jacobi's method: it converges quadratically, and six are enough for any matrix of some hundred.
pub(crate) const SWEEPS: usize = 30;

/// Steps that close a pair, and the distance at which it is closed (metres): far below any tolerance.
pub(crate) const CLOSING_STEPS: usize = 40;
/// See [`CLOSING_STEPS`].
pub(crate) const CLOSED: f64 = 1e-8;
/// The longest way of a joint in one step of closing, as a share of its range.
pub(crate) const CLOSING_SHARE: f64 = 0.1;
/// How deep other pairs may overlap at a pose where one is closed (metres).
pub(crate) const OTHERS_OVERLAP: f64 = 1e-6;
/// Candidates that are looked at for the next contact: for the hand of haase10, 60 of 400 determine all
/// joints to 0.07 degrees, 60 of 60 to 0.18. Random poses that are tried for each: one in thirty to a hundred
/// leads to a contact.
pub(crate) const CANDIDATES: usize = 400;
/// See [`CANDIDATES`].
pub(crate) const TRIES: usize = 200;
/// Ranges of joints without an end, for random poses and for how far a joint goes in one step (radians or
/// metres): a turn.
pub(crate) const ENDLESS: f64 = 2.0 * PI;
/// How many of the nearest pairs of a random pose one is drawn from: all pairs of a hand, and the near ones
/// of a cell.
pub(crate) const NEAREST: usize = 64;
