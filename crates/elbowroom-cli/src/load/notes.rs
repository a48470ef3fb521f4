//! What a person must know about a world before believing an answer, in sentences.

use crate::arguments::{GeometryChoice, WorldArguments};
use crate::limits;
use crate::note::Note;
use crate::out::{say_line, say_remark};
use crate::shell::world_options;
use elbowroom::World;
use elbowroom::describe::WorldDescription;
use elbowroom::fault::Numeral;
use elbowroom::world::{AllowedReason, BodyId, PairStatus};
use elbowroom_files::fault::counted_things;
use std::collections::BTreeMap;

/// Says that the option was used, and for which pairs.
pub fn zero_overlaps_note(allowed: &[[String; 2]]) -> Note {
    if allowed.is_empty() {
        return Note::new_asked(
            "no pair is allowed for overlapping at the zero pose: none does with only links without shapes \
             between",
            "So --allow-zero-overlaps changes nothing",
        );
    }
    let names: Vec<String> =
        allowed.iter().take(limits::PAIRS_NAMED).map(|[a, b]| format!("{a} - {b}")).collect();
    let more = if allowed.len() > names.len() { ", ..." } else { "" };
    let fact = format!(
        "{} {} not checked, because they overlap at the zero pose and only links without shapes are between \
         them: {}{more}",
        counted_things(allowed.len(), "pair"),
        if allowed.len() == 1 { "is" } else { "are" },
        names.join(", ")
    );
    Note::new_asked(fact, "--allow-zero-overlaps asks for it")
}

/// That a list of checks leaves pairs out; nothing where it names all.
pub fn checks_note(world: &World) -> Option<Note> {
    let bodies = || (0..world.bodies().len() as u32).map(BodyId);
    let moves = |id: &BodyId| world.can_move(*id) == Some(true);
    // If neither moves, the list is not the reason.
    let others = |a: BodyId| bodies().filter(move |b| *b > a || !moves(b)).map(move |b| (a, b));
    let left_out = |(a, b): &(BodyId, BodyId)| {
        matches!(world.status(*a, *b), Some(PairStatus::Allowed(AllowedReason::NotAsked)))
    };
    let count = bodies().filter(moves).flat_map(others).filter(left_out).count();
    let fact = || format!("the world file's list of checks leaves {} out", counted_things(count, "pair"));
    (count > 0).then(|| Note::new_asked(fact(), "elbowroom pairs names them"))
}

/// That `checks` names pairs of two obstacles which are not checked while both rest.
pub fn resting_note(world: &World, description: &WorldDescription) -> Option<Note> {
    let obstacles = description.obstacles.iter().map(|o| (&o.name, o.movable));
    let spares = description.spares.iter().map(|spare| (&spare.name, true));
    let movable: BTreeMap<String, bool> =
        obstacles.chain(spares).map(|(name, movable)| (format!("world/{name}"), movable)).collect();
    let rests = |[a, b]: &&[String; 2]| {
        let id = |name: &String| world.body_by_name(name);
        let checked = id(a).zip(id(b)).and_then(|(a, b)| world.status(a, b));
        matches!(checked, Some(PairStatus::Checked(_)))
            && matches!((movable.get(a), movable.get(b)), (Some(a), Some(b)) if *a || *b)
    };
    let named: Vec<String> =
        description.checks.iter().filter(rests).map(|[a, b]| format!("{a} - {b}")).collect();
    let more = if named.len() > limits::PAIRS_NAMED { ", ..." } else { "" };
    let shown = named[..named.len().min(limits::PAIRS_NAMED)].join(", ");
    (!named.is_empty()).then(|| {
        let fact = format!(
            "`checks` names {} of two obstacles: {shown}{more}. While both rest they are not checked against \
             each other, only while a link that moves carries one of them",
            counted_things(named.len(), "pair")
        );
        Note::new_grave(fact, "")
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
fn narrowed_note(world: &World) -> Option<Note> {
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
            let (name, left) = (&world.dof_names()[own.value], ranges[own.value]);
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
        let fact =
            format!("limits of mimic joints leave little to the joints that they follow: {shown}{more}");
        Note::new_standing(fact, "")
    })
}

/// Missing geometry never means free: what is not checked at all is said.
pub fn world_notes(world: &World, geometry: GeometryChoice) -> Vec<Note> {
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
        let fact =
            format!("{}; a body inside one would be `unknown`: {shown}{more}", open_meshes(open.len()));
        notes.push(Note::new_standing(fact, "--geometry hull makes them solid"));
    }
    notes.extend(narrowed_note(world));
    for robot in world.robots_without_shapes() {
        let fact = format!(
            "robot `{}` has no collision shape at all: nothing is known about it, and every sample is \
             `unknown`",
            robot.name
        );
        notes.push(Note::new_grave(fact, ""));
    }
    if world.pairs().is_empty() {
        let advice = "`elbowroom pairs` says why each pair is left out";
        notes.push(Note::new_grave("no pair is checked, so nothing is proved", advice));
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
            let fact = format!(
                "{} of {links} links of `{}` have no collision shape and are not checked: {shown}{more}",
                bare.len(),
                robot.name
            );
            notes.push(Note::new_standing(fact, ""));
        }
    }
    notes
}

/// How notes about the files are printed.
#[derive(Clone, Copy, PartialEq)]
pub enum ToldNotes {
    /// Each in full.
    All,
    /// How many there are, which `info` lists.
    Counted,
}

/// Prints notes: grave ones and those about the question in full, the others as `told` says.
pub fn tell_notes(notes: &[Note], arguments: &WorldArguments, told: ToldNotes) {
    let all = told == ToldNotes::All;
    for note in notes.iter().filter(|note| all || !note.is_standing()) {
        if note.is_grave() { say_line(&note.to_string()) } else { say_remark(&note.to_string()) }
    }
    let left = notes.iter().filter(|note| !all && note.is_standing()).count();
    if left > 0 {
        let world = world_options(arguments);
        let verb = if left == 1 { "lists it" } else { "lists them" };
        say_remark(&format!(
            "note: {} about these files: elbowroom info {world} {verb}",
            counted_things(left, "note")
        ));
    }
}
