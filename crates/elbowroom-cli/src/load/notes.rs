//! What a person must know about a world before believing an answer, in sentences.

use crate::arguments::GeometryChoice;
use crate::limits;
use elbowroom::World;
use elbowroom::describe::WorldDescription;
use elbowroom::fault::Numeral;
use elbowroom::world::{AllowedReason, BodyId, PairStatus};
use elbowroom_files::fault::counted;
use std::collections::BTreeMap;

/// Says that the option was used, and for which pairs.
pub fn zero_overlaps_note(allowed: &[[String; 2]]) -> String {
    if allowed.is_empty() {
        return "note: --allow-zero-overlaps allows no pair: none overlaps at the zero pose with only links \
            without shapes between"
            .into();
    }
    let names: Vec<String> =
        allowed.iter().take(limits::PAIRS_NAMED).map(|[a, b]| format!("{a} - {b}")).collect();
    let more = if allowed.len() > names.len() { ", ..." } else { "" };
    format!(
        "note: --allow-zero-overlaps: {} {} not checked, because they overlap at the zero pose and only \
         links without shapes are between them: {}{more}",
        counted(allowed.len(), "pair"),
        if allowed.len() == 1 { "is" } else { "are" },
        names.join(", ")
    )
}

/// That a list of checks leaves pairs out; nothing where it names all.
pub fn checks_note(world: &World) -> Option<String> {
    let bodies = || (0..world.bodies().len() as u32).map(BodyId);
    let moves = |id: &BodyId| world.moves(*id) == Some(true);
    // If neither moves, the list is not the reason.
    let others = |a: BodyId| bodies().filter(move |b| *b > a || !moves(b)).map(move |b| (a, b));
    let left_out = |(a, b): &(BodyId, BodyId)| {
        matches!(world.status(*a, *b), Some(PairStatus::Allowed(AllowedReason::NotAsked)))
    };
    let count = bodies().filter(moves).flat_map(others).filter(left_out).count();
    (count > 0)
        .then(|| format!("note: `checks` leaves {} out (elbowroom pairs names them)", counted(count, "pair")))
}

/// That `checks` names pairs of two obstacles which are not checked while both rest.
pub fn resting_note(world: &World, description: &WorldDescription) -> Option<String> {
    let obstacles = description.obstacles.iter().map(|o| (&o.name, o.movable));
    let spares = description.spares.iter().map(|spare| (&spare.name, true));
    let movable: BTreeMap<String, bool> =
        obstacles.chain(spares).map(|(name, movable)| (format!("world/{name}"), movable)).collect();
    let rests = |[a, b]: &&[String; 2]| {
        let id = |name: &String| world.body_named(name);
        let checked = id(a).zip(id(b)).and_then(|(a, b)| world.status(a, b));
        matches!(checked, Some(PairStatus::Checked(_)))
            && matches!((movable.get(a), movable.get(b)), (Some(a), Some(b)) if *a || *b)
    };
    let named: Vec<String> =
        description.checks.iter().filter(rests).map(|[a, b]| format!("{a} - {b}")).collect();
    let more = if named.len() > limits::PAIRS_NAMED { ", ..." } else { "" };
    let shown = named[..named.len().min(limits::PAIRS_NAMED)].join(", ");
    (!named.is_empty()).then(|| {
        format!(
            "WARNING: `checks` names {} of two obstacles: {shown}{more}. While both rest they are not \
             checked against each other, only while a link that moves carries one of them",
            counted(named.len(), "pair")
        )
    })
}

/// So many bodies with meshes that do not close.
fn open_meshes(count: usize) -> String {
    if count == 1 {
        "1 body has an open mesh and is treated as a surface".into()
    } else {
        format!("{count} bodies have open meshes and are treated as surfaces")
    }
}

/// Joints that can move less than their own limits say, because mimic joints that follow them have limits
/// too.
fn narrowed(world: &World) -> Option<String> {
    // No negative zero.
    let range = |lower: f64, upper: f64| format!("{} to {}", Numeral(lower + 0.0), Numeral(upper + 0.0));
    let ranges = world.value_ranges();
    let own = world.limits().iter().filter(|limit| !world.joints()[limit.joint].values.is_empty());
    let narrowed: Vec<String> = own
        .filter(|own| {
            let left = ranges[own.value];
            left.upper - left.lower < limits::MIMICS_LEAVE * (own.upper - own.lower)
        })
        .map(|own| {
            let (name, left) = (&world.value_names()[own.value], ranges[own.value]);
            match left.lower <= left.upper {
                true => format!(
                    "{name} {} instead of {}",
                    range(left.lower, left.upper),
                    range(own.lower, own.upper)
                ),
                false => format!("{name} no value at all, so that no pose is within limits"),
            }
        })
        .collect();
    let shown = narrowed.iter().take(6).cloned().collect::<Vec<_>>().join(", ");
    let more = if narrowed.len() > 6 { ", ..." } else { "" };
    (!narrowed.is_empty()).then(|| {
        format!("note: limits of mimic joints leave little to the joints that they follow: {shown}{more}")
    })
}

/// Missing geometry never means free: what is not checked at all is said.
pub fn notes(world: &World, geometry: GeometryChoice) -> Vec<String> {
    let mut notes = Vec::new();
    let open: Vec<&str> = world
        .bodies()
        .iter()
        .filter(|b| {
            b.shapes.clone().any(|s| world.shapes()[s as usize].shape.mesh().is_some_and(|m| !m.is_closed()))
        })
        .map(|b| &*b.name)
        .collect();
    if !open.is_empty() && geometry == GeometryChoice::Mesh {
        let shown = open.iter().take(6).copied().collect::<Vec<_>>().join(", ");
        let more = if open.len() > 6 { ", ..." } else { "" };
        notes.push(format!(
            "note: {}; a body inside one would be `unknown` (--geometry hull makes them solid): \
             {shown}{more}",
            open_meshes(open.len())
        ));
    }
    notes.extend(narrowed(world));
    for robot in world.robots_without_shapes() {
        notes.push(format!(
            "WARNING: robot `{}` has no collision shape at all: nothing is known about it, and every sample \
             is `unknown`",
            robot.name
        ));
    }
    if world.pairs().is_empty() {
        notes.push(
            "WARNING: no pair is checked, so nothing is proved. `elbowroom pairs` says why each pair is left \
             out"
                .into(),
        );
    }
    for robot in world.robots() {
        let bare: Vec<&str> = robot
            .links
            .clone()
            .map(|l| &world.bodies()[l as usize])
            .filter(|b| b.shapes.is_empty())
            .map(|b| b.name.split_once('/').map_or(&*b.name, |(_, link)| link))
            .collect();
        let links = robot.links.len();
        if !bare.is_empty() && bare.len() < links {
            let shown = bare.iter().take(6).copied().collect::<Vec<_>>().join(", ");
            let more = if bare.len() > 6 { ", ..." } else { "" };
            notes.push(format!(
                "note: {} of {links} links of `{}` have no collision shape and are not checked: \
                 {shown}{more}",
                bare.len(),
                robot.name
            ));
        }
    }
    notes
}
