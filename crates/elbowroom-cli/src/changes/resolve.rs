//! Names of bodies in changes, as people write them: obstacles with `world/` or without.

use super::change::ResolvedChange;
use crate::load::LoadedWorld;
use crate::placed::shape_type;
use elbowroom::World;
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

/// What kind of body a name stands for. For an unknown name, only bodies of that kind are suggested.
#[derive(Clone, Copy, PartialEq)]
pub enum NameRole {
    /// Any body.
    Body,
    /// An obstacle.
    Obstacle,
    /// What can carry others: links, and what is movable.
    Carrier,
    /// What can be placed, attached, hidden.
    Movable,
    /// What has a joint on its carrier.
    Door,
    /// A place for a shape.
    Spare,
    /// What a sensor sees.
    Cloud,
}

/// The bodies of a world by their names.
struct BodyNames<'w> {
    world: &'w World,
    names: BTreeMap<&'w str, BodyId>,
    doors: &'w BTreeMap<BodyId, DoorDescription>,
    /// How many names were unknown so far.
    hints: usize,
}

/// Finds the bodies of changes by their names.
pub struct Resolver<'w> {
    known: BodyNames<'w>,
    /// What the world file lets movable bodies touch while they are carried.
    touch: BTreeMap<BodyId, &'w [String]>,
}

impl BodyNames<'_> {
    /// The body with a name, or what is wrong with the name. For the first unknown names, the message says
    /// which body of this role may be meant.
    fn find_body(&mut self, name: &str, role: NameRole) -> Result<BodyId, String> {
        let found = self.names.get(name).or_else(|| self.names.get(&*format!("{CELL}{name}")));
        if let Some(id) = found {
            return Ok(*id);
        }
        self.hints += 1;
        let fits = self.names.iter().filter(|(_, id)| self.has_role(**id, role)).map(|(full, _)| *full);
        let known = fits.clone().chain(fits.filter_map(|full| full.strip_prefix(CELL)));
        let meant = if self.hints > HINTS { String::new() } else { did_you_mean(name, known) };
        let help = if meant.is_empty() { "`elbowroom info` lists them".into() } else { meant };
        Err(format!("no body is called `{name}`; {help}"))
    }

    /// Whether a body can be what a name is for.
    fn has_role(&self, id: BodyId, role: NameRole) -> bool {
        let world = self.world;
        let is_link = world.bodies()[id.index()].robot.is_some();
        let is_cloud = world.cloud_room(id).is_some();
        let is_movable = world.is_movable(id) == Some(true) && !is_cloud;
        match role {
            NameRole::Body => true,
            NameRole::Obstacle => !is_link,
            NameRole::Carrier => is_link || is_movable,
            NameRole::Movable => is_movable,
            NameRole::Door => self.doors.contains_key(&id),
            NameRole::Spare => world.spare_room(id).is_some(),
            NameRole::Cloud => is_cloud,
        }
    }
}

impl<'w> Resolver<'w> {
    /// For the bodies of a world.
    pub fn new(loaded: &'w LoadedWorld) -> Resolver<'w> {
        let LoadedWorld { world, touch, doors, .. } = loaded;
        let named = (0..).map(BodyId).zip(world.bodies()).map(|(id, body)| (&*body.name, id));
        let names: BTreeMap<&str, BodyId> = named.collect();
        let touch = touch.iter().filter_map(|(name, touch)| Some((*names.get(&**name)?, &**touch)));
        Resolver { touch: touch.collect(), known: BodyNames { world, names, doors, hints: 0 } }
    }

    /// See [`BodyNames::find_body`].
    pub fn find_body(&mut self, name: &str, role: NameRole) -> Result<BodyId, String> {
        self.known.find_body(name, role)
    }

    /// The change with its bodies, or what is wrong with each unknown name.
    pub fn resolve_change(&mut self, change: &Change) -> Result<ResolvedChange, Unknown> {
        let (mut faults, mut of_shape) = (Vec::new(), None);
        let mut carried = None;
        let doors = self.known.doors;
        let known = &mut self.known;
        let mut find =
            |name: &str, role| known.find_body(name, role).map_err(|fault| faults.push(fault)).ok();
        let what = match change {
            Change::Place { name, pose } => {
                find(name, NameRole::Movable).map(|body| ResolvedChange::Place(body, *pose))
            }
            Change::Attach { name, attached_to, touch } => {
                let (body, carrier) = (find(name, NameRole::Movable), find(attached_to, NameRole::Carrier));
                carried = body;
                let mut find = |name: &String| find(name, NameRole::Body);
                let mut touch: Vec<BodyId> = touch.iter().filter_map(&mut find).collect();
                let of_file = body.and_then(|body| self.touch.get(&body)).copied().unwrap_or_default();
                touch.extend(of_file.iter().filter_map(find));
                touch.sort_unstable();
                touch.dedup();
                body.zip(carrier).map(|(body, carrier)| ResolvedChange::Attach(body, carrier, touch))
            }
            Change::Open { name, value } => find(name, NameRole::Door).map(|body| {
                let kind = doors.get(&body).map_or(JointKind::Fixed, |door| door.kind);
                ResolvedChange::Open(body, *value, kind)
            }),
            Change::Close { name } => find(name, NameRole::Door).map(|body| {
                // The value that a joint begins with. A body without a joint is refused later.
                let begins = |door: &DoorDescription| 0.0_f64.max(door.limits.lower).min(door.limits.upper);
                ResolvedChange::Close(body, doors.get(&body).map_or(0.0, begins))
            }),
            Change::Detach { name } => find(name, NameRole::Movable).map(ResolvedChange::Detach),
            Change::Hide { name } => find(name, NameRole::Movable).map(ResolvedChange::Hide),
            Change::Show { name } => find(name, NameRole::Movable).map(ResolvedChange::Show),
            Change::Fill { name, shape } => {
                let body = find(name, NameRole::Spare);
                let compiled =
                    SpareShape::new(shape).map_err(|fault| of_shape = Some(refusal_in_words(&fault))).ok();
                body.zip(compiled)
                    .map(|(body, compiled)| ResolvedChange::Fill(body, shape_type(&shape.shape), compiled))
            }
            Change::Empty { name } => find(name, NameRole::Spare).map(ResolvedChange::Empty),
            Change::Allow { a, b, reason } => {
                let pair = (find(a, NameRole::Body), find(b, NameRole::Body));
                pair.0.zip(pair.1).map(|(a, b)| ResolvedChange::Allow([a, b], reason.clone()))
            }
            Change::Forbid { a, b } => {
                let pair = (find(a, NameRole::Body), find(b, NameRole::Body));
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
