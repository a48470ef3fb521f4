//! Names of bodies in changes, as people write them: obstacles with `world/` or without.

use super::change::ResolvedChange;
use crate::info::facts::shape_type;
use crate::load::LoadedWorld;
use elbowroom::describe::{DoorDescription, JointKind};
use elbowroom::pose::{SpareFault, SpareShape};
use elbowroom::world::BodyId;
use elbowroom_files::fault::did_you_mean;
use elbowroom_files::limits::HINTS;
use elbowroom_files::motion::event::Change;
use std::collections::BTreeMap;

/// What the names of obstacles begin with.
const CELL: &str = "world/";

/// A change in which some names are unknown.
pub struct Unknown {
    /// The body that was to be attached, if its own name is known.
    pub body: Option<BodyId>,
    /// What is wrong with each name.
    pub faults: Vec<String>,
}

/// Finds bodies by their names.
pub struct Resolver<'w> {
    names: BTreeMap<&'w str, BodyId>,
    /// What the world file lets movable bodies touch while they are carried.
    touch: BTreeMap<BodyId, &'w [String]>,
    doors: &'w BTreeMap<BodyId, DoorDescription>,
    hints: usize,
}

impl<'w> Resolver<'w> {
    /// For the bodies of a world.
    pub fn new(loaded: &'w LoadedWorld) -> Resolver<'w> {
        let LoadedWorld { world, touch, doors, .. } = loaded;
        let named = (0..).map(BodyId).zip(world.bodies()).map(|(id, body)| (&*body.name, id));
        let names: BTreeMap<&str, BodyId> = named.collect();
        let touch = touch.iter().filter_map(|(name, touch)| Some((*names.get(&**name)?, &**touch)));
        Resolver { touch: touch.collect(), names, doors, hints: 0 }
    }

    /// The body with a name, or what is wrong with the name.
    pub fn find_body(&mut self, name: &str) -> Result<BodyId, String> {
        look_up_body(&self.names, &mut self.hints, name)
    }

    /// The change with its bodies, or what is wrong with each unknown name.
    pub fn resolve_change(&mut self, change: &Change) -> Result<ResolvedChange, Unknown> {
        let (mut faults, mut of_shape) = (Vec::new(), None);
        let mut carried = None;
        let (names, hints) = (&self.names, &mut self.hints);
        let mut find = |name: &str| look_up_body(names, hints, name).map_err(|fault| faults.push(fault)).ok();
        let what = match change {
            Change::Place { name, pose } => find(name).map(|body| ResolvedChange::Place(body, *pose)),
            Change::Attach { name, attached_to, touch } => {
                let (body, carrier) = (find(name), find(attached_to));
                carried = body;
                let of_file = body.and_then(|body| self.touch.get(&body)).copied().unwrap_or_default();
                let mut touch: Vec<BodyId> = touch.iter().chain(of_file).filter_map(|n| find(n)).collect();
                touch.sort_unstable();
                touch.dedup();
                body.zip(carrier).map(|(body, carrier)| ResolvedChange::Attach(body, carrier, touch))
            }
            Change::Open { name, value } => find(name).map(|body| {
                let kind = self.doors.get(&body).map_or(JointKind::Fixed, |door| door.kind);
                ResolvedChange::Open(body, *value, kind)
            }),
            Change::Close { name } => find(name).map(|body| {
                // The value that a joint begins with. A body without a joint is refused later.
                let begins = |door: &DoorDescription| 0.0_f64.max(door.limits.lower).min(door.limits.upper);
                ResolvedChange::Close(body, self.doors.get(&body).map_or(0.0, begins))
            }),
            Change::Detach { name } => find(name).map(ResolvedChange::Detach),
            Change::Hide { name } => find(name).map(ResolvedChange::Hide),
            Change::Show { name } => find(name).map(ResolvedChange::Show),
            Change::Fill { name, shape } => {
                let body = find(name);
                let compiled =
                    SpareShape::new(shape).map_err(|fault| of_shape = Some(refusal_in_words(&fault))).ok();
                body.zip(compiled)
                    .map(|(body, compiled)| ResolvedChange::Fill(body, shape_type(&shape.shape), compiled))
            }
            Change::Empty { name } => find(name).map(ResolvedChange::Empty),
            Change::Allow { a, b, reason } => {
                let pair = (find(a), find(b));
                pair.0.zip(pair.1).map(|(a, b)| ResolvedChange::Allow([a, b], reason.clone()))
            }
            Change::Forbid { a, b } => {
                let pair = (find(a), find(b));
                pair.0.zip(pair.1).map(|(a, b)| ResolvedChange::Forbid([a, b]))
            }
        };
        faults.extend(of_shape);
        what.filter(|_| faults.is_empty()).ok_or(Unknown { body: carried, faults })
    }
}

/// Why a shape cannot fill a spare place, in the words of motions.
fn refusal_in_words(fault: &SpareFault) -> String {
    match fault {
        SpareFault::NotConvex => {
            "a spare place takes convex shapes, and the mesh is not its own hull: if the \
            hull is meant, write \"type\": \"convex\""
                .into()
        }
        other => other.to_string(),
    }
}

/// The body with a name. `hints` counts the unknown names; for the first of them, the message says which
/// known name may be meant.
fn look_up_body(names: &BTreeMap<&str, BodyId>, hints: &mut usize, name: &str) -> Result<BodyId, String> {
    let found = names.get(name).or_else(|| names.get(&*format!("{CELL}{name}")));
    if let Some(id) = found {
        return Ok(*id);
    }
    *hints += 1;
    let bare = names.keys().filter_map(|full| full.strip_prefix(CELL));
    let known = names.keys().copied().chain(bare);
    let meant = if *hints > HINTS { String::new() } else { did_you_mean(name, known) };
    let help = if meant.is_empty() { "`elbowroom info` lists them".into() } else { meant };
    Err(format!("no body is called `{name}`; {help}"))
}
