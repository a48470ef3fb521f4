//! Rates in words: for the table, the summary, notes, the page and JSON.

use super::{JointLimit, JudgedRate, KINDS, RateExcess, Rates};
use crate::answer::json_number;
use crate::limits::{NAMES_SHOWN, PAIRS_NAMED, RATE_DIGITS};
use crate::note::Note;
use crate::out::{clean_text, rounded_seconds};
use elbowroom::fault::Numeral;
use elbowroom_files::fault::counted_things;
use serde_json::{Value, json};

/// A row of the page's table: one rate.
pub struct RateRow {
    /// The joint.
    pub joint: String,
    /// `velocity`, `acceleration` or `jerk`.
    pub kind: &'static str,
    /// The largest, its limit and its unit.
    pub reached: String,
    /// See `reached`.
    pub most: String,
    /// See `reached`.
    pub unit: &'static str,
    /// As a part of the limit.
    pub share: String,
    /// When, with its unit.
    pub at: String,
    /// Whether it is beyond.
    pub is_beyond: bool,
}

impl Rates {
    /// A line for each rate beyond its limit. For a kind without one, the rate that is nearest to its limit.
    pub fn rate_lines(&self) -> Vec<String> {
        let beyond: Vec<&JudgedRate> = self.judged.iter().filter(|rate| rate.beyond > 0).collect();
        let mut lines: Vec<String> =
            beyond.iter().take(NAMES_SHOWN).map(|rate| rate.excess_words()).collect();
        if beyond.len() > NAMES_SHOWN {
            lines.push(format!("and {}", counted_things(beyond.len() - NAMES_SHOWN, "more rate")));
        }
        lines.extend((1_u8..).zip(KINDS).filter_map(|(order, kind)| {
            let of_kind = || self.judged.iter().filter(|rate| rate.limit.order == order);
            let nearest = of_kind()
                .filter(|rate| !rate.t.is_nan())
                .max_by(|a, b| a.share_of_limit().total_cmp(&b.share_of_limit()))?;
            if nearest.beyond > 0 || of_kind().any(|rate| rate.beyond > 0) {
                return None;
            }
            let (joint, share, t) = (&nearest.limit.joint, nearest.share_text(), rounded_seconds(nearest.t));
            let joint = clean_text(joint);
            Some(format!("within all {kind} limits: nearest {joint} at {share} at t = {t} s"))
        }));
        lines
    }

    /// How many are beyond their limits.
    pub fn beyond_count(&self) -> usize {
        self.judged.iter().filter(|rate| rate.beyond > 0).count()
    }

    /// All rates in one line: the one that is farthest beyond its limit, if any is.
    pub fn rates_in_words(&self) -> String {
        let beyond = || self.judged.iter().filter(|rate| rate.beyond > 0);
        if let Some(worst) = beyond().max_by(|a, b| a.share_of_limit().total_cmp(&b.share_of_limit())) {
            let worst = worst.excess_words();
            return match beyond().count() {
                1 => worst,
                count => format!("{count} rates are beyond their limits, the farthest: {worst}"),
            };
        }
        match self.judged.iter().any(|rate| !rate.t.is_nan()) {
            true => "within all limits of rates that are judged".into(),
            false => "no limit of a rate is judged".into(),
        }
    }

    /// What is not judged.
    pub fn rate_notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        let named = |free: &Vec<String>| match free.len() {
            count if count == self.joints => "any joint".into(),
            count => {
                let shown =
                    free.iter().take(PAIRS_NAMED).map(|name| clean_text(name)).collect::<Vec<_>>().join(", ");
                if count > PAIRS_NAMED { format!("{shown} and {} more", count - PAIRS_NAMED) } else { shown }
            }
        };
        let mut free: Vec<(Vec<&str>, String)> = Vec::new();
        for (kind, joints) in KINDS.iter().zip(&self.free).filter(|(_, joints)| !joints.is_empty()) {
            let names = named(joints);
            match free.last_mut() {
                Some((kinds, other)) if *other == names => kinds.push(kind),
                _ => free.push((vec![kind], names)),
            }
        }
        if !free.is_empty() {
            let parts: Vec<String> =
                free.iter().map(|(kinds, names)| format!("no {} of {names}", kinds.join(" or "))).collect();
            let fact = format!("{} is judged, since no limit of it is known", parts.join(", and "));
            let advice = "Give limits in the URDF's <limit>, or with --limits=joint_limits.yaml";
            notes.push(Note::new_asked(fact, advice));
        }
        let wanted = self.judged.iter().any(|rate| rate.limit.order > 1);
        if self.is_straight && wanted {
            let fact = "the motion is straight between samples: its velocities jump, and no acceleration or \
                        jerk is judged";
            notes.push(Note::new_asked(fact, "Velocities in the motion make it a spline"));
        }
        if let Some((jump, judged, sample)) = self.jumps.worst.filter(|_| !self.is_straight) {
            let limit = &self.judged[judged].limit;
            let unit = if limit.is_angle { "rad/s" } else { "m/s" };
            let fact = format!(
                "velocities jump at {}, which no acceleration is judged for; the farthest: {} by {:.3} \
                 {unit} at sample {sample}",
                counted_things(self.jumps.samples, "sample"),
                clean_text(&limit.joint),
                jump
            );
            notes.push(Note::new_asked(fact, ""));
        }
        notes
    }

    /// The rates beyond limits on the way to a sample, for a line of JSON; nothing where there are none.
    pub fn json_at(&self, sample: usize) -> Option<Value> {
        let each = |excess: &RateExcess| {
            let JointLimit { joint, most, .. } = &self.judged[excess.judged].limit;
            let kind = self.judged[excess.judged].limit.kind_word();
            let [value, limit, t] = [excess.reached, *most, excess.t].map(json_number);
            json!({"joint": joint, "kind": kind, "value": value, "limit": limit, "t": t})
        };
        self.excesses.get(&sample).map(|found| found.iter().map(each).collect())
    }

    /// All that is judged, for a page.
    pub fn rate_rows(&self) -> Vec<RateRow> {
        let row = |rate: &JudgedRate| {
            let both = [rate.reached, rate.limit.most];
            let [reached, most] = Numeral::apart(both, RATE_DIGITS).map(|rate| rate.to_string());
            let at = if rate.t.is_nan() { "-".into() } else { format!("{} s", rounded_seconds(rate.t)) };
            let share = if rate.t.is_nan() { "not judged".into() } else { rate.share_text() };
            let (joint, kind, unit) =
                (rate.limit.joint.clone(), rate.limit.kind_word(), rate.limit.rate_unit());
            RateRow { joint, kind, reached, most, unit, share, at, is_beyond: rate.beyond > 0 }
        };
        self.judged.iter().map(row).collect()
    }
}

impl JudgedRate {
    /// As a part of the limit.
    fn share_of_limit(&self) -> f64 {
        self.reached / self.limit.most
    }

    /// As a part of the limit in percent: at most 100 for what is within its limit.
    fn share_text(&self) -> String {
        let percent = 100.0 * self.share_of_limit();
        let whole =
            if self.beyond > 0 { (percent - 1e-6).ceil().max(101.0) } else { percent.round().min(100.0) };
        format!("{} %", Numeral(whole))
    }

    fn excess_words(&self) -> String {
        let JointLimit { joint, most, .. } = &self.limit;
        let [reached, most] = Numeral::apart([self.reached, *most], RATE_DIGITS);
        let (kind, unit, t) = (self.limit.kind_word(), self.limit.rate_unit(), rounded_seconds(self.t));
        let more = match self.beyond {
            1 => String::new(),
            count => format!(" (beyond it on {count} ways)"),
        };
        format!(
            "{kind} of {} reaches {reached} {unit} at t = {t} s, beyond its limit {most}{more}",
            clean_text(joint)
        )
    }
}

impl JointLimit {
    /// The unit of the rate.
    fn rate_unit(&self) -> &'static str {
        let units = if self.is_angle { ["rad/s", "rad/s^2", "rad/s^3"] } else { ["m/s", "m/s^2", "m/s^3"] };
        units[usize::from(self.order) - 1]
    }
}
