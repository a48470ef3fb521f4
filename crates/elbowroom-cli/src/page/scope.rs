//! What an answer proves and what it does not, and what was asked.

use super::allowed::{AllowedStretch, Leaves, allowed_stretches};
use super::html::escaped;
use crate::arguments::GeometryChoice;
use crate::arguments::check::{AskChoice, CheckArguments};
use crate::changes::Changes;
use crate::continuous::{EdgeKind, Edges};
use crate::lengths::length_text;
use crate::load::LoadedWorld;
use crate::motion::MotionSource;
use crate::outcome::Outcome;
use crate::summary::{self, bodies};
use elbowroom::world::{AllowedReason, BodyId, PairStatus};
use elbowroom::{Verdict, World};
use elbowroom_files::fault::counted_things;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Adds what is proved.
pub fn write_proved(
    s: &mut String,
    arguments: &CheckArguments,
    loaded: &LoadedWorld,
    changes: &Changes,
    outcome: &Outcome,
) {
    let world = &loaded.world;
    let one = outcome.samples == 1;
    s.push_str("<h2>What is proved, and what is not</h2><ul>");
    let at = match outcome.samples {
        1 => "At this pose".into(),
        n => format!("At each of the {n} samples"),
    };
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<li>{at}, the signed distance of every checked pair ({}) lies within its stated interval, \
         rounding errors included. <b>Clear</b> means a lower bound beyond the margin, <b>near</b> one above \
         zero, <b>collision</b> a proved overlap.",
        checked_in_words(world, outcome)
    );
    if !world.pads().is_empty() {
        let _ = write!(
            s,
            "<li><b>Expected contact</b> means that only pads are touched ({} in all): with each pad drawn \
             back by its depth, all bodies are proved apart. The depth that is told is that of the declared \
             bodies.",
            world.pads().len()
        );
    }
    if !loaded.movable.is_empty() {
        s.push_str(
            "<li>A pair of a movable obstacle is checked while the two can move against each other, and both \
             are there. It is not while both rest, while both move together (as a part and the bodies that \
             are fixed to what carries it), while the motion lets the two touch, and while one is hidden or \
             a spare place without a shape.",
        );
    }
    let unknown = outcome.verdict_count(Verdict::Unknown);
    if unknown > 0 {
        let at = if one { "At this pose".into() } else { format!("At {}", summary::samples(unknown)) };
        let _ =
            write!(s, "<li>{at} neither contact nor clearance could be proved: treat this as a collision.");
    }
    if !one {
        let free = outcome.edges.as_ref().is_some_and(|e| e.kind_count(EdgeKind::Free) == e.edge_count());
        let far = if free { world.margin() } else { 0.0 };
        let but = match outcome.edges.as_ref().map(Edges::all_apart) {
            None => None,
            Some(true) if !world.pads().is_empty() => {
                Some(" at every instant, but for pads where that is listed above")
            }
            Some(true) if far > 0.0 => {
                Some(" at every instant, and all checked pairs stay farther apart than the margin")
            }
            Some(true) => Some(" at every instant"),
            Some(false) => Some(
                ", except on the ways listed above. Behind the first contact on such a way, and behind a \
                 part that is not proved, nothing is known of it",
            ),
        };
        let _ = match but {
            None => write!(s, "<li>Between samples nothing is proved."),
            Some(but) => write!(
                s,
                "<li>Between samples, {}, the motion is proved free of contact{but}.",
                escaped(&outcome.ways)
            ),
        };
    }
    let stretches = allowed_stretches(world, changes, outcome.samples);
    let allowed = allowed_in_words(world, &stretches, outcome);
    if !allowed.is_empty() {
        let _ = write!(
            s,
            "<li><b>Not of pairs that the motion allows to touch</b>, at samples and between them: {}.",
            escaped(&allowed.join("; "))
        );
    }
    if !stretches.is_empty() {
        // Each pair counts once.
        let mut pairs: BTreeMap<[BodyId; 2], Leaves> = BTreeMap::new();
        for stretch in &stretches {
            let known = pairs.entry(stretch.ordered_pair()).or_insert(stretch.leaves);
            *known = (*known).min(stretch.leaves);
        }
        let of = |leaves: Leaves, words: &str| {
            let count = pairs.values().filter(|own| **own == leaves).count();
            (count > 0).then(|| format!("{count} {words}"))
        };
        let kinds = [
            of(Leaves::Allowed, "that events allow to touch"),
            of(Leaves::Carried, "of a part with what carries it, or may touch it there"),
            of(Leaves::Together, "of a part and what moves together with it"),
        ];
        let kinds: Vec<String> = kinds.into_iter().flatten().collect();
        let are = if pairs.len() == 1 { "is" } else { "are" };
        let _ = write!(
            s,
            "<li>{} {are} left out by the motion, for a time or all along: {}. They are listed below, with \
             their times.",
            counted_things(pairs.len(), "pair"),
            kinds.join(", ")
        );
    }
    s.push_str(match arguments.geometry {
        GeometryChoice::Hull => {
            "<li>Each mesh counts as its convex hull: dents are filled, so a collision may be the hulls' \
                alone."
        }
        GeometryChoice::Mesh => "<li>Each mesh counts as its triangles, and as solid where they close.",
    });
    let by_srdf = world.all_pairs().any(|(_, _, status)| match status {
        PairStatus::Allowed(reason) => matches!(reason, AllowedReason::Disabled(_)),
        PairStatus::Checked(_) => false,
    });
    let _ = write!(
        s,
        "<li>{} {} never checked; the reasons are below.{}\
         <li>The files are taken at their word: that the robot is built and moves as they say is not \
         proved.</ul>",
        counted_things(world.allowed_count(), "pair"),
        if world.allowed_count() == 1 { "is" } else { "are" },
        if by_srdf {
            " What the SRDF says of its pairs, as that they never meet, is not proved here."
        } else {
            ""
        }
    );
}

/// How many pairs were checked at a sample, and why not all that can be.
fn checked_in_words(world: &World, outcome: &Outcome) -> String {
    let (checked, all) = (outcome.pairs.len(), world.pairs().len());
    match all.saturating_sub(checked) {
        0 => format!("{checked} in all"),
        1 => format!("{checked} in all; one more, of a movable obstacle, was checked at no sample"),
        more => format!("{checked} in all; {more} more, of movable obstacles, were checked at no sample"),
    }
}

/// Which pairs the motion allows to touch by events, and when.
fn allowed_in_words(world: &World, stretches: &[AllowedStretch], outcome: &Outcome) -> Vec<String> {
    let words = |stretch: &AllowedStretch| {
        let [a, b] = stretch.pair.map(|body| &*world.bodies()[body.index()].name);
        let because = stretch.reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
        format!("{a} and {b} {}{because}", stretch.when_in_words(outcome))
    };
    stretches.iter().filter(|stretch| stretch.leaves == Leaves::Allowed).map(words).collect()
}

/// The world and the motion, for a title.
pub fn inputs_in_words(arguments: &CheckArguments, source: &MotionSource<'_>) -> String {
    let world = arguments.world.world.file_name().map_or(String::new(), |name| name.to_string_lossy().into());
    format!("{world}, {}", motion_in_words(source))
}

/// The motion, or what is asked in its place.
fn motion_in_words(source: &MotionSource<'_>) -> String {
    match source {
        MotionSource::Robots(parts) => {
            let name = |(robot, path): &(&str, &Path)| {
                let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                format!("{robot}={file}")
            };
            parts.iter().map(name).collect::<Vec<_>>().join(", ")
        }
        MotionSource::File(path) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into(),
        MotionSource::Values(poses) => format!("poses {}", poses.join("; ")),
        MotionSource::Random { count, seed } => format!("{count} random poses within limits, seed {seed}"),
        MotionSource::Neutral => "the zero pose (each joint at zero, or at the limit nearest to it)".into(),
    }
}

/// Adds what was asked.
pub fn write_asked(
    s: &mut String,
    arguments: &CheckArguments,
    loaded: &LoadedWorld,
    source: &MotionSource<'_>,
    outcome: &Outcome,
) {
    let world = &loaded.world;
    let motion = motion_in_words(source);
    let ask = match arguments.ask {
        AskChoice::Test => "whether everything is farther apart than the margin",
        AskChoice::LowerBound => "lower bounds of the distances",
        AskChoice::Distance => "signed distances",
    };
    let geometry = match arguments.geometry {
        GeometryChoice::Hull => "their convex hulls",
        GeometryChoice::Mesh => "their triangles",
    };
    let shapes =
        format!("{} on {}", counted_things(world.shapes().len(), "shape"), bodies(world.bodies().len()));
    let srdfs: Vec<String> =
        loaded.srdfs.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into())).collect();
    let srdf = if srdfs.is_empty() { "none used".into() } else { srdfs.join(", ") };
    let padding = match loaded.more_padding {
        more if more > 0.0 => {
            format!(
                "{}, and up to {} more on some robot shapes",
                length_text(loaded.padding),
                length_text(more)
            )
        }
        _ => length_text(loaded.padding),
    };
    s.push_str("<h2>What was asked</h2><div class=\"card\"><dl>");
    let name = |path: &Path| path.file_name().map_or(String::new(), |name| name.to_string_lossy().into());
    let xacro = &arguments.world.xacro;
    let given = if xacro.is_empty() { None } else { Some(("arguments of xacro", xacro.join(", "))) };
    for (what, value) in [("world", name(&arguments.world.world))].into_iter().chain(given).chain([
        ("SRDF", srdf),
        ("motion", motion),
        ("samples", outcome.samples.to_string()),
        ("question", ask.into()),
        ("meshes count as", geometry.into()),
        ("margin", length_text(world.margin())),
        ("padding", padding),
        ("joint limits", if arguments.ignore_limits { "ignored".into() } else { "respected".into() }),
        ("model", shapes),
    ]) {
        let _ = write!(s, "<dt>{what}<dd>{}", escaped(&value));
    }
    if outcome.edges.is_some() {
        let _ = write!(s, "<dt>between samples<dd>{}", escaped(&outcome.ways));
    }
    if let Some(changes) = &outcome.changes {
        let changes = changes.strip_prefix("changes ").unwrap_or(changes);
        let _ = write!(s, "<dt>changes<dd>{}", escaped(changes));
    }
    s.push_str("</dl>");
    s.push_str("</div>");
}
