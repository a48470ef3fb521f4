//! What to do about a robot that overlaps itself at the zero pose: without an SRDF, and where the SRDF in use
//! leaves such pairs.

use crate::arguments::WorldArguments;
use crate::limits;
use crate::load::{LoadedWorld, is_urdf};
use crate::outcome::Outcome;
use crate::placed::shapes_in_world;
use crate::shell::{shell, world_options};
use elbowroom::pair::{Ask, Query, Scratch, Warm, posed};
use elbowroom::pose::SetOptions;
use elbowroom::world::{BodyId, BodyPair};
use elbowroom::{Checker, Question, Verdict};
use elbowroom_files::fault::counted_things;
use elbowroom_files::motion::Motion;
use std::path::PathBuf;

/// The lines to say behind an answer with a collision. There are none for a robot that does not overlap
/// itself at zero, or whose links that do are apart at the samples: then only something else collides.
pub fn zero_collisions(
    arguments: &WorldArguments,
    loaded: &LoadedWorld,
    motion: &Motion,
    outcome: &Outcome,
) -> Vec<String> {
    let bare = |robot: usize| loaded.srdf_parts.get(robot).is_some_and(|parts| !parts.disables);
    let robots = loaded.world.robots().len();
    if outcome.verdict_count(Verdict::Collision) == 0 {
        return Vec::new();
    }
    let overlaps = overlaps_at_zero(loaded);
    let mut lines = Vec::new();
    for robot in 0..robots {
        let pairs: Vec<BodyPair> =
            overlaps.iter().filter(|(r, _)| *r == robot).map(|(_, pair)| *pair).collect();
        if pairs.is_empty() || !any_pair_overlaps(loaded, motion, outcome, &pairs) {
            continue;
        }
        if !bare(robot) {
            lines.extend(leftover_hints(arguments, loaded, robot, &pairs));
            continue;
        }
        if let Some(first) = pairs.first() {
            let first = [first.a, first.b].map(|id| &*loaded.world.bodies()[id.index()].name);
            let name = &loaded.world.robots()[robot].name;
            let more = if pairs.len() > 1 { ", ..." } else { "" };
            lines.push(format!(
                "hint: {} of links of `{name}` {} at the zero pose ({} - {}{more}), and no SRDF says which \
                 pairs need no check",
                counted_things(pairs.len(), "pair"),
                if pairs.len() == 1 { "overlaps" } else { "overlap" },
                first[0],
                first[1]
            ));
            let near = loaded.world.near_neighbours(&pairs).len();
            lines.extend(help_lines(arguments, loaded, robot));
            if !arguments.allow_zero_overlaps && near > 0 {
                lines.push(format!(
                    "  or leave out {}, which have only links without shapes between them: \
                     --allow-zero-overlaps",
                    if near == pairs.len() { "these pairs".into() } else { format!("{near} of them") }
                ));
            }
        }
    }
    lines
}

/// Whether one of these pairs overlaps at a sample that the summary names. The pair that decided the sample
/// may be another one, which overlaps deeper, so all of these are asked.
fn any_pair_overlaps(loaded: &LoadedWorld, motion: &Motion, outcome: &Outcome, pairs: &[BodyPair]) -> bool {
    let named = outcome.first_bad.iter().chain(&outcome.smallest).chain(&outcome.moments);
    let mut rows = named.filter_map(|moment| motion.rows.get(moment.sample));
    let mut checker = Checker::new(&loaded.world);
    let query =
        Query { ask: Ask::Test, cutoff: 0.0, geometry: outcome.geometry.to_geometry(), ..Query::default() };
    rows.any(|row| {
        checker.set_with(row, SetOptions { ignore_limits: true }).is_ok()
            && pairs.iter().any(|pair| is_overlapping(&checker, *pair, &query))
    })
}

/// Whether two bodies are proved to overlap.
fn is_overlapping(checker: &Checker, pair: BodyPair, query: &Query) -> bool {
    let shapes = |id: BodyId| shapes_in_world(checker, id);
    let (mut warm, mut scratch) = (Warm::default(), Scratch::default());
    shapes(pair.a).any(|(a, at)| {
        shapes(pair.b).any(|(b, to)| {
            posed::clearance([a, b], [&at, &to], query, &mut warm, &mut scratch)
                .is_ok_and(|found| found.interval.upper < 0.0)
        })
    })
}

/// Pairs that overlap at zero though the robot has an SRDF. Covers of neighbours may be meant to touch, which
/// is for a person to say; links far apart along the robot hardly are: they collide at that pose.
fn leftover_hints(
    arguments: &WorldArguments,
    loaded: &LoadedWorld,
    robot: usize,
    pairs: &[BodyPair],
) -> Vec<String> {
    let name = &loaded.world.robots()[robot].name;
    let link = |id: BodyId| {
        let full = &*loaded.world.bodies()[id.index()].name;
        full.strip_prefix(&format!("{name}/")).unwrap_or(full)
    };
    let near = loaded.world.near_neighbours(pairs);
    let far: Vec<&BodyPair> = pairs.iter().filter(|pair| !near.contains(pair)).collect();
    let overlap = |count: usize| if count == 1 { "overlaps" } else { "overlap" };
    let mut lines = Vec::new();
    if !near.is_empty() {
        lines.push(format!(
            "hint: {} of neighbouring links of `{name}` {} at the zero pose, and the SRDF leaves {} to be \
             checked. Disable in it what is meant to touch, as covers are:",
            counted_things(near.len(), "pair"),
            overlap(near.len()),
            if near.len() == 1 { "it" } else { "them" }
        ));
    }
    lines.extend(near.iter().take(limits::PAIRS_NAMED).map(|pair| {
        let [a, b] = [pair.a, pair.b].map(link);
        format!("  <disable_collisions link1=\"{a}\" link2=\"{b}\" reason=\"User\"/>")
    }));
    if near.len() > limits::PAIRS_NAMED {
        lines.push(format!("  and {}", counted_things(near.len() - limits::PAIRS_NAMED, "more pair")));
    }
    if !far.is_empty() {
        let named: Vec<String> = far
            .iter()
            .take(limits::PAIRS_NAMED)
            .map(|pair| format!("{} - {}", link(pair.a), link(pair.b)))
            .collect();
        let more = if near.is_empty() { "pair" } else { "more pair" };
        let links = if near.is_empty() { format!(" of links of `{name}`") } else { String::new() };
        lines.push(format!(
            "hint: {}{links} {} at the zero pose and {} far apart along the robot: probably {} there ({}{})",
            counted_things(far.len(), more),
            overlap(far.len()),
            if far.len() == 1 { "is" } else { "are" },
            if far.len() == 1 { "a real collision" } else { "real collisions" },
            named.join(", "),
            if far.len() > named.len() { ", ..." } else { "" }
        ));
    }
    if near.len().max(far.len()) > limits::PAIRS_NAMED {
        lines.push(format!(
            "  all pairs at that pose: elbowroom check {} --all-pairs --json -",
            world_options(arguments)
        ));
    }
    lines
}

/// Pairs of links of one robot that overlap at the zero pose, with the robot.
fn overlaps_at_zero(loaded: &LoadedWorld) -> Vec<(usize, BodyPair)> {
    let world = &loaded.world;
    let question = Question::test().margin(0.0);
    let mut found = Vec::new();
    Checker::new(world).all_pairs(&question, |answer| {
        let robot = |id: BodyId| world.bodies()[id.index()].robot;
        let pair = world.pairs().get(answer.pair).filter(|_| answer.verdict == Verdict::Collision);
        if let Some(pair) = pair
            && let (Some(a), b) = (robot(pair.a), robot(pair.b))
            && b == Some(a)
        {
            found.push((a.index(), pair));
        }
    });
    found
}

fn help_lines(arguments: &WorldArguments, loaded: &LoadedWorld, robot: usize) -> Vec<String> {
    let alone = is_urdf(&arguments.world) && loaded.world.robots().len() == 1;
    let near = loaded.robot_srdfs().find_near(robot);
    let urdf = if alone { arguments.world.clone() } else { PathBuf::from("ROBOT.urdf") };
    let packages: String =
        arguments.package_path.iter().map(|path| format!(" --package-path {}", shell(path))).collect();
    let srdf = urdf.with_extension("srdf");
    let mut lines = Vec::new();
    if !near.is_empty() {
        let shown: Vec<String> = near.iter().take(limits::PAIRS_NAMED).map(|path| shell(path)).collect();
        let use_it =
            if alone { "use one with --srdf FILE" } else { "name one in the world file: srdf = \"...\"" };
        lines.push(format!("  SRDFs of this robot found nearby ({use_it}): {}", shown.join(", ")));
    }
    lines.push(format!(
        "  prove which pairs need no check, and use it: elbowroom pairs {}{packages} --prove --srdf-out {}",
        shell(&urdf),
        shell(&srdf)
    ));
    if !alone {
        lines.push(
            "  (with the URDF of the robot; an SRDF beside it is used, or name it in the world file)".into(),
        );
    }
    lines
}
