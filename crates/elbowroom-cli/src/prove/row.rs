//! A pair whose proof was tried: what an SRDF says of it, what is proved, and both in words.

use crate::lengths::length_text;
use crate::limits;
use elbowroom::fault::Numeral;
use elbowroom::motion::{Claim, Proof};
use elbowroom::world::BodyPair;
use elbowroom_files::fault::counted_things;

/// A pair, what an SRDF says of it, and what is proved.
pub struct Row {
    /// The pair.
    pub pair: BodyPair,
    /// Why an SRDF disables it, if one does.
    pub disabled: Option<String>,
    /// What is proved within all limits.
    pub proof: Proof,
    /// What is proved without the limits of mimics, if an SRDF is wanted and these limits matter.
    pub leaders: Option<Proof>,
}

impl Row {
    /// What holds for other tools, which may not know limits of mimics.
    pub fn for_all_tools(&self) -> &Proof {
        self.leaders.as_ref().unwrap_or(&self.proof)
    }

    /// Whether an SRDF leaves the pair to be checked though it needs no check within all limits.
    pub fn is_left(&self) -> bool {
        settled(self.proof.claim) && !settled(self.for_all_tools().claim)
    }
}

/// Whether a claim spares a check.
pub fn settled(claim: Claim) -> bool {
    matches!(claim, Claim::Never { .. } | Claim::Always)
}

/// A claim in JSON and in the list.
pub fn word(claim: Claim) -> &'static str {
    match claim {
        Claim::Never { .. } => "never",
        Claim::Always => "always",
        Claim::Sometimes => "sometimes",
        Claim::Open => "open",
    }
}

/// What a proof took, in words.
pub fn proof_in_words(proof: &Proof) -> String {
    let boxes = if proof.boxes == 1 { "1 box".into() } else { format!("{} boxes", proof.boxes) };
    let work = format!("{boxes} over {}", counted_things(proof.joints, "joint value"));
    match proof.claim {
        Claim::Never { least } if least < limits::SHOWN_LEAST => {
            format!("never touch (the distance that is proved is below 1 nm), {work}")
        }
        Claim::Never { least } => format!("at least {} apart, {work}", length_text(least)),
        Claim::Always | Claim::Sometimes => work,
        Claim::Open => {
            let proved = format!("{:.1} % proved in {work}", 100.0 * proof.share);
            match &proof.overlap_at {
                Some(values) => {
                    format!("overlaps at --at {}, no pose found where they are clear; {proved}", pose(values))
                }
                None => proved,
            }
        }
    }
}

/// Joint values as `--at` takes them.
pub fn pose(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(|v| Numeral(*v).to_string()).collect();
    values.join(",")
}

/// Why a pair that needs no check within all limits does where only the limits of the joint count that a
/// mimic follows.
pub fn why_left(row: &Row) -> String {
    let within = if row.proof.claim == Claim::Always { "they always overlap" } else { "they never touch" };
    let beyond = match (row.for_all_tools().claim, row.proof.claim) {
        (Claim::Sometimes, Claim::Always) => "they are clear",
        (Claim::Sometimes, _) => "they collide",
        _ => "that is not proved",
    };
    format!(
        "{within} within the limits that mimic joints have of their own, which many tools do not enforce, \
         and without these {beyond}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tiny_proof_tells_no_distance() {
        let proof = |least| Proof {
            claim: Claim::Never { least },
            boxes: 2,
            share: 1.0,
            joints: 1,
            overlap_at: None,
        };
        let words = "never touch (the distance that is proved is below 1 nm), 2 boxes over 1 joint value";
        assert_eq!(proof_in_words(&proof(1e-12)), words);
        assert_eq!(proof_in_words(&proof(0.5)), "at least 500.00 mm apart, 2 boxes over 1 joint value");
    }
}
