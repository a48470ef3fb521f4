//! A disabled pair, what was found of it, and both in words.

use super::search::{Overlap, Shown};
use crate::lengths::{length_text, span_text};
use elbowroom::fault::Numeral;
use elbowroom::motion::{Claim, Proof};
use elbowroom::world::BodyPair;
use elbowroom_files::fault::counted_things;

/// A pair that SRDFs disable.
pub struct Disabled {
    /// The pair.
    pub pair: BodyPair,
    /// The reasons that are given, each once.
    pub reasons: Vec<String>,
    /// Whether one moving joint joins the two, so that they are not checked for that either.
    pub neighbours: bool,
}

impl Disabled {
    /// All reasons as one.
    pub fn joined_reasons(&self) -> String {
        self.reasons.join(", ")
    }

    /// Whether one of the reasons is this word.
    fn is_for(&self, word: &str) -> bool {
        self.reasons.iter().any(|reason| reason.eq_ignore_ascii_case(word))
    }
}

/// What was found of a pair.
#[derive(Clone, Debug)]
pub enum Finding {
    /// It overlaps here, and is apart elsewhere.
    Collides(Overlap),
    /// It overlaps at every pose: proved.
    Always(Overlap),
    /// It overlaps at this pose, and at no pose that was asked it is apart.
    Everywhere(Overlap),
    /// It touches at no pose: proved.
    Never {
        /// It stays so far apart at least (metres).
        least: f64,
    },
    /// At no pose that was asked it overlaps.
    NotFound {
        /// Part of the joint values for which it is proved.
        share: f64,
    },
}

impl Finding {
    /// What poses showed of a pair, and what is proved of it where they did not settle it.
    pub fn new(shown: Shown, proof: Option<&Proof>) -> Finding {
        let (claim, share) = proof.map_or((Claim::Open, 0.0), |proof| (proof.claim, proof.share));
        match (claim, shown.overlap) {
            (Claim::Never { least }, _) => Finding::Never { least },
            (_, None) => Finding::NotFound { share },
            (Claim::Always, Some(overlap)) => Finding::Always(overlap),
            (Claim::Sometimes, Some(overlap)) => Finding::Collides(overlap),
            (Claim::Open, Some(overlap)) if shown.apart => Finding::Collides(overlap),
            (Claim::Open, Some(overlap)) => Finding::Everywhere(overlap),
        }
    }

    /// A pose where it overlaps.
    pub fn found_overlap(&self) -> Option<&Overlap> {
        match self {
            Finding::Collides(overlap) | Finding::Always(overlap) | Finding::Everywhere(overlap) => {
                Some(overlap)
            }
            Finding::Never { .. } | Finding::NotFound { .. } => None,
        }
    }

    /// The word in JSON.
    pub fn json_word(&self) -> &'static str {
        match self {
            Finding::Collides(_) => "can_collide",
            Finding::Always(_) => "always_overlaps",
            Finding::Everywhere(_) => "overlaps_at_every_pose_asked",
            Finding::Never { .. } => "never_touches",
            Finding::NotFound { .. } => "not_found",
        }
    }

    /// The order in which people want to know.
    pub fn sort_rank(&self) -> u8 {
        match self {
            Finding::Collides(_) => 0,
            Finding::Everywhere(_) => 1,
            Finding::Always(_) => 2,
            Finding::NotFound { .. } => 3,
            Finding::Never { .. } => 4,
        }
    }
}

/// A disabled pair and what was found.
pub struct AuditRow {
    /// The pair.
    pub disabled: Disabled,
    /// What was found.
    pub finding: Finding,
    /// How many poses were asked.
    pub poses: u64,
    /// No joint moves between the two.
    pub fixed: bool,
}

impl AuditRow {
    /// Whether the SRDF calls the pair adjacent and it always overlaps, as most such pairs do.
    pub fn is_expected(&self) -> bool {
        self.disabled.is_for("adjacent")
            && matches!(self.finding, Finding::Always(_) | Finding::Everywhere(_))
    }

    /// Whether it is proved never to touch, and the SRDF does not say otherwise.
    pub fn is_sure_apart(&self) -> bool {
        matches!(self.finding, Finding::Never { .. }) && !self.is_contradicted()
    }

    /// Whether the SRDF's reason is proved wrong.
    pub fn is_contradicted(&self) -> bool {
        let never = self.disabled.is_for("never") && self.finding.found_overlap().is_some();
        let collides = matches!(self.finding, Finding::Collides(_) | Finding::Never { .. });
        never || (self.disabled.is_for("always") && collides)
    }

    /// What was found, in words.
    pub fn finding_in_words(&self, values: &[(String, f64)], seed: u64) -> String {
        let poses = format!("{} (seed {seed})", counted_things(self.poses as usize, "pose"));
        let at = if values.is_empty() { String::new() } else { format!("  --at {}", pose_argument(values)) };
        let deep = |overlap: &Overlap| {
            let [upper, lower] = [overlap.interval.upper, overlap.interval.lower].map(|end| -end);
            if lower.is_finite() {
                format!("overlap of {}", span_text(upper, lower))
            } else {
                "overlap".into()
            }
        };
        match &self.finding {
            Finding::Collides(overlap) => format!("can collide: {}{at}", deep(overlap)),
            Finding::Always(overlap) if values.is_empty() => {
                format!("always overlaps: no joint moves between them; {}", deep(overlap))
            }
            Finding::Always(overlap) => format!("always overlaps, proved; here {}{at}", deep(overlap)),
            Finding::Everywhere(overlap) => {
                format!(
                    "overlaps at every pose asked, {poses}, not proved for the others; here {}{at}",
                    deep(overlap)
                )
            }
            Finding::Never { least } => {
                format!("never touches, proved: at least {} apart", length_text(*least))
            }
            Finding::NotFound { share } => {
                let why = if self.fixed {
                    "no joint moves between them, and they are too near each other to tell".into()
                } else if *share > 0.0 {
                    format!(
                        "the work ended with {:.1} % of the range proved; --boxes allows more",
                        100.0 * share
                    )
                } else {
                    "the work ended before any part of the range was proved; --boxes allows more".into()
                };
                format!("not found: no overlap in {poses}, and none is ruled out elsewhere; {why}")
            }
        }
    }
}

/// Joint values as `--at` takes them.
pub fn pose_argument(values: &[(String, f64)]) -> String {
    let values: Vec<String> = values.iter().map(|(name, v)| format!("{name}={}", Numeral(*v))).collect();
    values.join(",")
}
