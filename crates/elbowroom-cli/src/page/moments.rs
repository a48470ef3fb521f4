//! The worst moments, each with its pictures, points, vector and pose.

use super::html::escaped;
use super::picture::{Subject, picture};
use crate::arguments::GeometryChoice;
use crate::changes::{Changes, Course, words};
use crate::check::arguments::{Arguments, AskChoice};
use crate::check::outcome::{Ends, Outcome};
use crate::load::LoadedWorld;
use crate::out::{point, points};
use crate::summary;
use crate::worst_moments::Moment;
use elbowroom::fault::Numeral;
use elbowroom::pose::SetOptions;
use elbowroom::world::BodyId;
use elbowroom_files::motion::Motion;
use std::collections::BTreeSet;
use std::fmt::Write;

/// What all cards are made from, and the notes that are shown once for all of them.
struct Cards<'a> {
    arguments: &'a Arguments,
    loaded: &'a LoadedWorld,
    motion: &'a Motion,
    outcome: &'a Outcome,
    course: Course<'a>,
    clouds: Vec<(BodyId, &'a [[f64; 3]])>,
    notes: BTreeSet<String>,
}

/// Adds them: of a test, which measures nothing, the first sample that fails.
pub fn moments(
    s: &mut String,
    arguments: &Arguments,
    loaded: &LoadedWorld,
    motion: &Motion,
    changes: &Changes,
    outcome: &Outcome,
) {
    let test = outcome.ask == AskChoice::Test;
    let shown: &[Moment] = if test { outcome.first_bad.as_slice() } else { &outcome.moments };
    if shown.is_empty() {
        return;
    }
    let set = SetOptions { ignore_limits: arguments.ignore_limits };
    let course = Course::new(&loaded.world, changes, &motion.rows, set);
    let clouds = changes.clouds().collect();
    let mut cards = Cards { arguments, loaded, motion, outcome, course, clouds, notes: BTreeSet::new() };
    let mut html = String::new();
    for (i, moment) in shown.iter().enumerate() {
        let number = if shown.len() > 1 { format!("{}. ", i + 1) } else { String::new() };
        cards.add(&mut html, &number, moment);
    }
    let (heading, what) = match (test, outcome.samples) {
        (true, _) => ("First failing sample", String::new()),
        (false, 1) => ("The pose", String::new()),
        (false, _) if outcome.drawn => ("Worst samples", format!("{}. ", summary::moments_are(outcome))),
        (false, _) => ("Worst moments", format!("{}. ", summary::moments_are(outcome))),
    };
    // Writing to a string cannot fail, here and below.
    let _ = write!(s, "<h2>{heading}</h2><p class=\"lead\">{what}{PICTURES_ARE}");
    if shown.iter().any(|m| m.answer.pair.is_some()) {
        s.push_str(PAIRS_ARE);
    }
    if !test && shown.iter().any(|m| m.answer.witness.is_some()) {
        s.push_str(POINTS_ARE);
    }
    for note in cards.notes {
        let _ = write!(s, " {}", escaped(&note));
    }
    s.push_str("</p>");
    s.push_str(&html);
}

/// How to read pictures: any picture, one of a pair, and one with its nearest points.
const PICTURES_ARE: &str = "The pictures show the collision geometry, not the visual one.";
const PAIRS_ARE: &str = " <span class=\"key a\">A</span> is blue, <span class=\"key b\">B</span> is orange, \
    and where something stands in front of them they are pale with dashed outlines; what of one is inside or \
    behind the other shows through it.";
const POINTS_ARE: &str = " The line from point to point is the vector; a ring marks it where it is too short \
    to be seen, and the close-up shows A and B alone.";

impl Cards<'_> {
    /// Adds a moment.
    fn add(&mut self, s: &mut String, number: &str, moment: &Moment) {
        let (world, answer, outcome) = (&self.loaded.world, &moment.answer, self.outcome);
        let _ = write!(
            s,
            "<article class=\"card moment\"><h3>{number}{}<span class=\"{verdict}\">{verdict}</span>, \
                {}</h3>",
            if outcome.samples == 1 {
                String::new()
            } else {
                format!("Sample {}: ", escaped(&summary::when(moment)))
            },
            escaped(&summary::clearance(outcome, answer)),
            verdict = answer.verdict.word(),
        );
        let bodies = answer.pair.and_then(|p| world.pairs().get(p)).map(|p| [p.a, p.b]);
        if bodies.is_some() {
            let [a, b] = summary::pair(self.loaded, answer).map(|name| escaped(&name));
            let other = summary::other_end(self.loaded, outcome, Ends::of(answer));
            let _ = write!(
                s,
                "<p class=\"pair\"><span><span class=\"key a\">A</span> {a}</span> \
                 <span><span class=\"key b\">B</span> {b}</span>{}</p>",
                other.map_or(String::new(), |end| escaped(&end.words()))
            );
        }
        let row = self.motion.rows.get(moment.sample);
        let witness = answer.witness.filter(|_| outcome.ask != AskChoice::Test);
        // The values were taken before.
        let set = SetOptions { ignore_limits: true };
        let mut checker = self.course.at(moment.sample).clone();
        let hidden = self.course.hidden();
        if row.is_some_and(|row| checker.set_with(row, set).is_ok()) {
            let hulls = self.arguments.geometry == GeometryChoice::Hull;
            let subject = Subject {
                checker: &checker,
                pair: bodies,
                witness: witness.as_ref(),
                hulls,
                hidden: &hidden,
                clouds: &self.clouds,
                radius: self.arguments.seen.cloud_radius,
            };
            if let Some(drawn) = picture(subject) {
                let _ = write!(s, "<div class=\"views\">{}</div>", drawn.html);
                self.notes.extend(drawn.notes);
            }
        }
        let state = words::state(&checker, &self.course.opened(), &hidden);
        if !state.is_empty() {
            let _ = write!(s, "<p class=\"soft\">{}</p>", escaped(&state.join(" ")));
        }
        if let Some(w) = witness {
            let ([a, b], vector) = (points([w.a, w.b]), point(w.vector()));
            let _ = write!(
                s,
                "<dl><dt>point of A<dd>{a}<dt>point of B<dd>{b}<dt>vector from B to A<dd>{vector}</dl>"
            );
        }
        if let Some(row) = row.filter(|row| !row.is_empty()) {
            joint_values(s, world.value_names(), row);
        }
        s.push_str("</article>");
    }
}

/// The pose of a moment, joint by joint and as `--at` takes it, to the last digit.
fn joint_values(s: &mut String, names: &[String], row: &[f64]) {
    let values: Vec<String> = row.iter().map(|v| Numeral(*v).to_string()).collect();
    let named: Vec<String> =
        names.iter().zip(&values).map(|(name, value)| format!("{} = {value}", escaped(name))).collect();
    let _ = write!(
        s,
        "<details><summary>Joint values</summary>{}<br><code>--at {}</code></details>",
        named.join(", "),
        values.join(",")
    );
}
