//! The worst moments, each with its pictures, points, vector and pose.

use super::html::escaped;
use super::picture::picture;
use super::stage::Stage;
use crate::arguments::check::AskChoice;
use crate::changes::words;
use crate::out::{point_text, points_text};
use crate::outcome::{Ends, Outcome};
use crate::summary;
use crate::worst_moments::Moment;
use elbowroom::World;
use elbowroom::fault::Numeral;
use elbowroom::pair::Witness;
use std::collections::BTreeSet;
use std::fmt::Write;

/// What all cards are made from, and the notes that are shown once for all of them.
struct Cards<'s, 'a> {
    stage: &'s mut Stage<'a>,
    outcome: &'s Outcome,
    notes: BTreeSet<String>,
}

/// The moments that are shown. Of a motion the start is always one of them, and what may be the least clear;
/// of a test, which measures nothing, the first sample that fails.
fn shown(outcome: &Outcome) -> Vec<Moment> {
    let worst: &[Moment] =
        if outcome.ask == AskChoice::Test { outcome.first_bad.as_slice() } else { &outcome.moments };
    let mut shown: Vec<Moment> = worst.to_vec();
    let mut add = |moment: Option<Moment>, at: usize| {
        if let Some(moment) = moment.filter(|m| shown.iter().all(|s| s.place() != m.place())) {
            shown.insert(at.min(shown.len()), moment);
        }
    };
    if outcome.ask != AskChoice::Test {
        add(outcome.lowest, 1);
    }
    if !outcome.drawn {
        add(outcome.first, usize::MAX);
    }
    shown
}

/// Adds them.
pub fn moments(s: &mut String, stage: &mut Stage<'_>, outcome: &Outcome) {
    let shown = shown(outcome);
    if shown.is_empty() {
        return;
    }
    let test = outcome.ask == AskChoice::Test;
    let mut cards = Cards { stage, outcome, notes: BTreeSet::new() };
    let mut html = String::new();
    for (i, moment) in shown.iter().enumerate() {
        let number = if shown.len() > 1 { format!("{}. ", i + 1) } else { String::new() };
        cards.add(&mut html, &number, moment);
    }
    let (heading, what) = match (test, outcome.samples) {
        (true, _) => ("First failing sample", String::new()),
        (false, 1) => ("The pose", String::new()),
        (false, _) if outcome.drawn => ("Worst samples", format!("{}. ", summary::moments_are(outcome))),
        (false, _) => ("Worst moments, and the start", format!("{}. ", summary::moments_are(outcome))),
    };
    // Writing to a string cannot fail, here and below.
    let _ = write!(s, "<h2>{heading}</h2><p class=\"lead\">{what}{PICTURES_ARE}");
    for note in cards.notes {
        let _ = write!(s, " {}", escaped(&note));
    }
    s.push_str("</p>");
    if outcome.samples == 1 || outcome.drawn {
        s.push_str(LEGEND);
    }
    s.push_str(&html);
}

/// What pictures show.
const PICTURES_ARE: &str = "The pictures show the collision geometry, not the visual one.";

/// How to read them.
pub const LEGEND: &str = "<ul class=\"legend\">\
    <li><i class=\"a\"></i><b>A</b>, the first of the two nearest bodies, strong in colour near the contact\
    <li><i class=\"b\"></i><b>B</b>, the second\
    <li><i class=\"l\"></i>other links\
    <li><i class=\"o\"></i>other obstacles\
    <li><i class=\"g\"></i>large bodies of the cell, seen through; those that go on beyond the picture end \
    in its round edge\
    <li><i class=\"h\"></i>dashed: behind something\
    <li><i class=\"v\"></i>from the nearest point of B to that of A; where bodies overlap, the shortest way \
    out that was found\
    <li><i class=\"r\"></i>where that is too short to be seen: see the close-up of A and B alone</ul>";

impl Cards<'_, '_> {
    /// Adds a moment.
    fn add(&mut self, s: &mut String, number: &str, moment: &Moment) {
        let (loaded, answer, outcome) = (self.stage.loaded, &moment.answer, self.outcome);
        let world = &loaded.world;
        let _ = write!(
            s,
            "<article class=\"card moment\"><h3>{number}{}<span class=\"{verdict}\">{verdict}</span>, \
                {}</h3>",
            if outcome.samples == 1 {
                String::new()
            } else {
                let start = if moment.sample == 0 && !outcome.drawn { "The start, sample" } else { "Sample" };
                format!("{start} {}: ", escaped(&summary::when(moment)))
            },
            escaped(&summary::clearance(outcome, answer)),
            verdict = answer.verdict.word(),
        );
        let bodies = answer.pair.and_then(|p| world.pairs().get(p)).map(|p| [p.a, p.b]);
        if bodies.is_some() {
            let other = summary::other_end(loaded, outcome, Ends::from_answer(answer));
            let other = other.map_or(String::new(), |end| end.words());
            write_bodies(s, summary::pair(loaded, answer), &other);
        }
        let row = self.stage.motion.rows.get(moment.sample);
        let witness = answer.witness.filter(|_| outcome.ask != AskChoice::Test);
        let Some((checker, hidden)) = self.stage.at_moment(moment) else {
            s.push_str("</article>");
            return;
        };
        if let Some(drawn) = picture(self.stage.subject(&checker, &hidden, bodies, witness.as_ref())) {
            let _ = write!(s, "<div class=\"views\">{}</div>", drawn.html);
            self.notes.extend(drawn.notes);
        }
        let state = words::state_in_words(&checker, &self.stage.course.opened_doors(), &hidden);
        write_facts(s, world, &state, witness.as_ref(), row.map(Vec::as_slice));
        s.push_str("</article>");
    }
}

/// Adds the names of A and B.
pub fn write_bodies(s: &mut String, names: [String; 2], other: &str) {
    let [a, b] = names.map(|name| escaped(&name));
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<p class=\"pair\"><span><span class=\"key a\">A</span> {a}</span> \
         <span><span class=\"key b\">B</span> {b}</span>{}</p>",
        escaped(other)
    );
}

/// Adds the state of the world, the nearest points and the joint values.
pub fn write_facts(
    s: &mut String,
    world: &World,
    state: &[String],
    witness: Option<&Witness>,
    row: Option<&[f64]>,
) {
    if !state.is_empty() {
        let _ = write!(s, "<p class=\"soft\">{}</p>", escaped(&state.join(" ")));
    }
    if let Some(w) = witness {
        let ([a, b], vector) = (points_text([w.a, w.b]), point_text(w.vector()));
        let _ = write!(
            s,
            "<dl><dt>point of A<dd>{a}<dt>point of B<dd>{b}<dt>vector from B to A<dd>{vector}</dl>"
        );
    }
    if let Some(row) = row.filter(|row| !row.is_empty()) {
        joint_values(s, world.dof_names(), row);
    }
}

/// The pose of a moment, joint by joint, to the last digit.
fn joint_values(s: &mut String, names: &[String], row: &[f64]) {
    let values: Vec<String> = row.iter().map(|v| Numeral(*v).to_string()).collect();
    let named: Vec<String> =
        names.iter().zip(&values).map(|(name, value)| format!("{} = {value}", escaped(name))).collect();
    let _ = write!(s, "<details><summary>Joint values</summary>{}</details>", named.join(", "));
}
