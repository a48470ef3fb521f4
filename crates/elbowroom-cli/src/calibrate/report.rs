//! A calibration for people: a table of joints, a table of contacts, and what is wrong.

use crate::arguments::GeometryChoice;
use crate::limits;
use crate::out::clean_text;
use crate::units::value_text;
use elbowroom::World;
use elbowroom_calibrate::{
    Calibration, ContactReport, ContactState, JointOffset, LooseDirection, Proposal, SUSPICIOUS,
};
use elbowroom_files::contacts::ContactLine;
use elbowroom_files::fault::counted_things;
use std::fmt::Write as _;

/// What is told.
pub struct Report<'r> {
    pub world: &'r World,
    pub contacts: &'r [ContactLine],
    pub found: &'r Calibration,
    pub next: &'r [Proposal],
    pub geometry: GeometryChoice,
    /// Whether contacts were to be proposed.
    pub is_proposing: bool,
}

impl Report<'_> {
    fn joint_name(&self, value: usize) -> String {
        clean_text(&self.world.dof_names()[value])
    }

    fn pair_name(&self, line: &ContactLine) -> String {
        let [a, b] = self.world.pair_names(line.pair).unwrap_or(["?", "?"]);
        clean_text(&format!("{a} - {b}"))
    }

    /// All of it.
    pub fn to_words(&self) -> String {
        let mut text = self.joint_table();
        self.found.loose.iter().for_each(|direction| text += &self.loose_words(direction));
        text.push('\n');
        text += &self.contact_table();
        for (line, told) in self.contacts.iter().zip(&self.found.contacts) {
            text += &self.fault_words(line, told);
        }
        text += &self.whole_words();
        self.next.iter().for_each(|next| text += &self.proposal_words(next));
        if self.is_proposing && self.next.is_empty() {
            text += "next: none of the random poses leads to a contact at which nothing else overlaps\n";
        }
        text
    }

    fn joint_table(&self) -> String {
        let width =
            self.found.joints.iter().map(|joint| self.joint_name(joint.value).len()).fold(5, usize::max);
        let mut text = format!("{:width$}  {:>12}  {:>11}\n", "joint", "offset", "deviation");
        for joint in &self.found.joints {
            let [offset, deviation] =
                [joint.offset, joint.deviation].map(|x| value_text(self.world, joint.value, x, 3));
            let note = match (joint.is_determined, joint.is_at_bound) {
                (_, true) => "  at its bound: the contacts ask for more (--bound)",
                (false, _) => "  not determined",
                (true, _) => "",
            };
            let name = self.joint_name(joint.value);
            let _ = writeln!(text, "{name:width$}  {offset:>12}  {deviation:>11}{note}");
        }
        text
    }

    fn loose_words(&self, direction: &LooseDirection) -> String {
        let parts = self.found.joints.iter().zip(&direction.moves);
        // In deviations of the joints, so that degrees and millimetres compare.
        let size = |(joint, far): &(&JointOffset, &f64)| far.abs() / joint.deviation;
        let most = parts.clone().map(|part| size(&part)).fold(0.0, f64::max);
        let named: Vec<(String, String)> = parts
            .filter(|part| size(part) >= limits::LOOSE_PART * most)
            .map(|(joint, far)| (self.joint_name(joint.value), value_text(self.world, joint.value, *far, 2)))
            .collect();
        match &named[..] {
            [(one, _)] => format!("no contact says how far {one} is off\n"),
            several => {
                let parts: Vec<String> =
                    several.iter().map(|(name, far)| format!("{name} by {far}")).collect();
                format!("no contact notices if all of these change: {}\n", parts.join(", "))
            }
        }
    }

    fn contact_table(&self) -> String {
        let names = self.contacts.iter().map(|line| clean_text(&line.name));
        let width = names.clone().map(|name| name.chars().count()).fold(7, usize::max);
        let mut text = format!(
            "{:width$}  {:>10}  {:>9}  {:>10}  {:>7}  says most of\n",
            "contact", "distance", "deviation", "deviations", "checked"
        );
        for (name, told) in names.zip(&self.found.contacts) {
            let length = |x: Option<f64>| x.map_or("-".into(), |x| format!("{:.3} mm", 1e3 * x));
            let checked = told.redundancy.map_or("-".into(), |share| format!("{:.0} %", 100.0 * share));
            let deviations = told.deviations.map_or("-".into(), |x| format!("{x:.1}"));
            let mut shares: Vec<(f64, usize)> = told
                .shares
                .iter()
                .zip(&self.found.joints)
                .map(|(s, joint)| (100.0 * s, joint.value))
                .collect();
            shares.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let of = shares.iter().filter(|(share, _)| *share >= limits::CONTACT_SHARE);
            let of: Vec<String> =
                of.map(|(share, value)| format!("{} {share:.0} %", self.joint_name(*value))).collect();
            let state = match told.state {
                ContactState::Used => String::new(),
                _ => format!("; {}", state_word(&told.state)),
            };
            let of = if of.is_empty() { "no joint".into() } else { of.join(", ") };
            let [distance, deviation] = [told.residual, told.deviation].map(length);
            let _ = writeln!(
                text,
                "{name:width$}  {distance:>10}  {deviation:>9}  {deviations:>10}  {checked:>7}  {of}{state}"
            );
        }
        text
    }

    /// What is wrong with a contact; nothing if it counts.
    fn fault_words(&self, line: &ContactLine, told: &ContactReport) -> String {
        let what = match &told.state {
            ContactState::Used => return String::new(),
            ContactState::Outlier => format!("is wrong: {}, and all others say zero", distance_words(told)),
            ContactState::Contradicts { others } => {
                let named = others.iter().take(limits::CONTRADICTIONS_NAMED);
                let names: Vec<&str> = named.map(|k| &*self.contacts[*k].name).collect();
                let more = match others.len().saturating_sub(limits::CONTRADICTIONS_NAMED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let names = clean_text(&names.join(", "));
                format!("contradicts {names}{more}: no other contact says which is wrong")
            }
            ContactState::Unmeasured => {
                let [lower, upper] = [told.interval.lower, told.interval.upper].map(|x| 1e3 * x);
                format!(
                    "is not measured: its distance is between {lower:.3} and {upper:.3} mm, and a bracket is \
                     no number"
                )
            }
        };
        let place = format!("{} (line {}, {})", clean_text(&line.name), line.line, self.pair_name(line));
        format!("{place} {what}; it does not count\n")
    }

    /// What is to be said of all together.
    fn whole_words(&self) -> String {
        let found = self.found;
        let used = found.contacts.iter().filter(|contact| contact.state == ContactState::Used).count();
        let mut text = format!(
            "{} of {} count, for {}",
            used,
            counted_things(found.contacts.len(), "contact"),
            counted_things(found.joints.len(), "joint")
        );
        match found.scatter {
            Some(scatter) => {
                let _ = writeln!(
                    text,
                    "; they scatter {scatter:.2} times as much as noise and tolerance explain"
                );
            }
            None if used == 0 => text += "\n",
            None => text += "; they hardly check each other: a wrong one would not be noticed\n",
        }
        if found.is_scattered() {
            text += "that is a contradiction of all: the encoders are coarser than --noise says, the bodies \
                     are not those of the machine, or an offset is beyond its bound; deviations are larger \
                     by as much\n";
        }
        if !found.has_converged {
            text += "the search did not come to its end: take these offsets as a start only (--offset)\n";
        }
        let open = found.joints.iter().filter(|joint| !joint.is_determined).count();
        if open > 0 {
            let _ = writeln!(
                text,
                "{} not determined: {}; `next` is what helps most",
                if open == 1 { "1 joint is".into() } else { format!("{open} joints are") },
                match used {
                    0 => "no contact counts".into(),
                    1 => "1 contact is too little".into(),
                    _ => format!("{used} contacts are too few, or say the same"),
                }
            );
        }
        if let Some(note) = self.geometry.geometry_note() {
            let _ = writeln!(text, "{note}");
        }
        text
    }

    fn proposal_words(&self, next: &Proposal) -> String {
        let [a, b] = self.world.pair_names(next.pair).unwrap_or(["?", "?"]);
        let [before, with] = next.deviation.map(|x| value_text(self.world, next.value, x, 3));
        let values: Vec<String> = next.readings.iter().map(|q| format!("{q:.4}")).collect();
        clean_text(&format!(
            "next: {a} - {b} near {}; the deviation of {} goes from {before} to {with}\n",
            values.join(","),
            self.world.dof_names()[next.value]
        ))
    }
}

/// How far the bodies of a contact are from touching, and how far is suspicious.
fn distance_words(told: &ContactReport) -> String {
    let (Some(residual), Some(deviations)) = (told.residual, told.deviations) else { return String::new() };
    let (far, how) = (1e3 * residual.abs(), if residual > 0.0 { "apart" } else { "deep in each other" });
    format!(
        "its bodies are {far:.3} mm {how}, {:.1} deviations where {SUSPICIOUS} are the most",
        deviations.abs()
    )
}

/// The word for what became of a contact.
pub fn state_word(state: &ContactState) -> &'static str {
    match state {
        ContactState::Used => "used",
        ContactState::Outlier => "outlier",
        ContactState::Contradicts { .. } => "contradicts",
        ContactState::Unmeasured => "unmeasured",
    }
}
