//! The proof that a motion is free, and its check.

use super::ask::Asker;
use super::checked;
use super::edge::EdgeOptions;
use super::reach::Reach;
use crate::pairs::BodyPair;
use crate::pose::Pose;
use crate::tolerance::ROUNDOFF;
use crate::world::World;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// One pair is free on one interval of the motion: at the middle of the interval it is farther apart than it can come
/// nearer until either end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// The pair; a body twice: that body and every fixed one without pieces of its own.
    pub pair: BodyPair,
    /// The interval, in parts of the motion: 0 its start, 1 its end.
    pub t: [f64; 2],
    /// Lower bound at the middle on the signed distance, or on the room along one direction (metres).
    pub lower: f64,
    /// Bound on how much of that the motion within the interval can spend (metres).
    pub approach: f64,
}

/// What is wrong with a certificate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CertificateFault {
    /// The pieces of a checked pair leave a gap that begins here.
    Gap {
        /// The pair.
        pair: BodyPair,
        /// Part of the motion.
        t: f64,
    },
    /// A piece is not proved when it is computed again.
    NotProved {
        /// Its number.
        piece: usize,
    },
    /// The motion is no motion of this world.
    BadMotion,
    /// No pair is checked: nothing can be proved.
    NothingKnown,
}

impl fmt::Display for CertificateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertificateFault::Gap { pair: BodyPair { a, b }, t } => {
                write!(f, "from {t} of the motion on no piece proves bodies {} and {} free", a.0, b.0)
            }
            CertificateFault::NotProved { piece } => {
                write!(f, "piece {piece} is not proved when it is computed again")
            }
            CertificateFault::BadMotion => {
                f.write_str("an end of the motion is no configuration of this world")
            }
            CertificateFault::NothingKnown => f.write_str("no pair is checked: nothing can be proved"),
        }
    }
}

impl core::error::Error for CertificateFault {}

/// The most that each value changes from the middle of an interval of the motion to either end, rounding included.
pub(crate) fn half_change(from: &[f64], to: &[f64], [start, end]: [f64; 2], change: &mut [f64]) {
    let half = 0.5 * (end - start) * (1.0 + 8.0 * ROUNDOFF);
    for ((change, a), b) in change.iter_mut().zip(from).zip(to) {
        *change = if a == b { 0.0 } else { (b - a).abs() * half + 8.0 * ROUNDOFF * (a.abs() + b.abs()) };
    }
}

/// The joint values at a part of the motion.
pub(crate) fn values_at(from: &[f64], to: &[f64], t: f64, values: &mut [f64]) {
    for ((value, a), b) in values.iter_mut().zip(from).zip(to) {
        *value = if t >= 1.0 { *b } else { a + (b - a) * t };
    }
}

/// Checks a certificate from its numbers alone: each checked pair's pieces must cover the motion, and each piece is computed
/// again, cold. Allocates; the pose is moved.
pub fn verify(
    world: &World,
    pose: &mut Pose,
    [from, to]: [&[f64]; 2],
    pieces: &[Piece],
    options: &EdgeOptions,
) -> Result<(), CertificateFault> {
    let options = &options.sound();
    let good = |values| pose.clone().set_with(world, values, options.set).is_ok();
    if !(good(from) && good(to)) {
        return Err(CertificateFault::BadMotion);
    }
    if world.pairs.is_empty() {
        return Err(CertificateFault::NothingKnown);
    }
    let reach = Reach::new(world);
    let mut pairs = checked(world);
    pairs.sort_unstable();
    let mut asker = Asker::new(world, pairs);
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by(|x, y| {
        let key = |i: usize| (pieces[i].pair, pieces[i].t[0]);
        let ((p, s), (q, t)) = (key(*x), key(*y));
        p.cmp(&q).then(s.total_cmp(&t))
    });
    let [mut values, mut change, mut adds] = [(); 3].map(|()| vec![0.0; from.len()]);
    let mut next = 0;
    for index in 0..asker.pairs.len() {
        let pair = asker.pairs[index];
        while next < order.len() && pieces[order[next]].pair < pair {
            next += 1;
        }
        let mut covered = 0.0;
        // Left to the piece of its moving body: proved here by itself.
        let own = next < order.len() && pieces[order[next]].pair == pair;
        let whole =
            |body| pieces.iter().position(|p| p.pair == BodyPair { a: body, b: body } && p.t == [0.0, 1.0]);
        if let (false, Some(piece)) = (own, whole(pair.a).or_else(|| whole(pair.b))) {
            values_at(from, to, 0.5, &mut values);
            half_change(from, to, [0.0, 1.0], &mut change);
            let fault = CertificateFault::NotProved { piece };
            pose.set_with(world, &values, options.set).map_err(|_| fault)?;
            let (clearance, geometry) = (options.clearance, options.geometry);
            if !asker.clears(world, pose, &reach, index, &change, clearance, geometry, &mut adds).free {
                return Err(fault);
            }
            covered = 1.0;
        }
        while next < order.len() && pieces[order[next]].pair == pair {
            let piece = &pieces[order[next]];
            let [start, end] = piece.t;
            if start > covered {
                break;
            }
            values_at(from, to, 0.5 * (start + end), &mut values);
            half_change(from, to, piece.t, &mut change);
            let fault = CertificateFault::NotProved { piece: order[next] };
            pose.set_with(world, &values, options.set).map_err(|_| fault)?;
            asker.forget();
            let (clearance, geometry) = (options.clearance, options.geometry);
            if !asker.clears(world, pose, &reach, index, &change, clearance, geometry, &mut adds).free {
                return Err(fault);
            }
            covered = f64::max(covered, end);
            next += 1;
        }
        if !(covered >= 1.0) {
            return Err(CertificateFault::Gap { pair, t: covered });
        }
    }
    Ok(())
}
