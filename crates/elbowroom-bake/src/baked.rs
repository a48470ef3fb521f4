//! A world that was baked.

use crate::bodies::{Bodies, bake_bodies};
use crate::kinematics::bake_kinematics;
use crate::limits::MAX_COUNT;
use crate::pairs::bake_pairs;
use crate::refusal::Refusal;
use crate::round::round_up;
use crate::values::value_limits;
use elbowroom::World;
use elbowroom::describe::WorldDescription;
use elbowroom::world::BodyId;
use elbowroom_baked::{BakedBody, BakedJoint, BakedPair, BakedShape, BakedWorld, Core};
use std::collections::BTreeSet;

/// What [`BakedWorld`] is where a pointer has 32 bits.
type BakedWorld32 = (u64, f32, [[u32; 2]; 6]);

/// Bodies that are named where there is no room for all.
const NAMED: usize = 3;

/// The constants of a world, and the names that they stand for.
#[derive(Clone, Debug)]
pub struct Baked {
    /// Names of the joint values.
    pub value_names: Vec<String>,
    /// Names of the bodies that have shapes and are checked.
    pub body_names: Vec<String>,
    /// Names of the two bodies of each pair.
    pub pair_names: Vec<[String; 2]>,
    pub(crate) fingerprint: u64,
    pub(crate) margin: f32,
    pub(crate) limits: Vec<[f32; 2]>,
    pub(crate) joints: Vec<BakedJoint>,
    pub(crate) bodies: Vec<BakedBody>,
    pub(crate) shapes: Vec<BakedShape>,
    pub(crate) vertices: Vec<[f32; 3]>,
    pub(crate) pairs: Vec<BakedPair>,
}

impl Baked {
    /// The world as the microcontroller has it.
    pub fn world(&self) -> BakedWorld<'_> {
        BakedWorld {
            fingerprint: self.fingerprint,
            margin: self.margin,
            limits: &self.limits,
            joints: &self.joints,
            bodies: &self.bodies,
            shapes: &self.shapes,
            vertices: &self.vertices,
            pairs: &self.pairs,
        }
    }
    /// The numbers of joints and shapes: what a [`Scratch`](elbowroom_baked::Scratch) must be made for.
    pub fn scratch_sizes(&self) -> [usize; 2] {
        [self.joints.len(), self.shapes.len()]
    }
    /// The bytes of the constants, and of those the corners of hulls.
    pub fn constant_bytes(&self) -> [usize; 2] {
        // A pointer and a length of 32 bits for each list.
        let lists = size_of::<BakedWorld<'_>>() - size_of::<BakedWorld32>();
        [self.world().constant_bytes() - lists, size_of_val(&*self.vertices)]
    }
    /// Refuses constants that take more than so many bytes: the bodies whose shapes take most are named.
    ///
    /// # Errors
    /// That they are too large.
    pub fn fit_into(&self, most: usize) -> Result<(), Refusal> {
        let [bytes, _] = self.constant_bytes();
        if bytes <= most {
            return Ok(());
        }
        let corners = |shape: &BakedShape| match shape.core {
            Core::Hull { count, .. } => usize::from(count) * size_of::<[f32; 3]>(),
            _ => 0,
        };
        let size = |body: &BakedBody| {
            let first = usize::from(body.first);
            let own = &self.shapes[first..first + usize::from(body.count)];
            own.iter().map(|shape| size_of::<BakedShape>() + corners(shape)).sum::<usize>()
        };
        let mut sizes: Vec<(usize, &String)> = self.bodies.iter().map(size).zip(&self.body_names).collect();
        sizes.sort_by_key(|(size, _)| core::cmp::Reverse(*size));
        let named: Vec<String> =
            sizes.iter().take(NAMED).map(|(size, name)| format!("`{name}` {size}")).collect();
        let problem = format!(
            "takes {bytes} bytes of constants, and {most} is the most: coarser meshes, primitives or fewer \
             pairs make it smaller. The shapes that take most: {}",
            named.join(", ")
        );
        Err(Refusal::new("world", problem))
    }
    /// The largest error of a pair (metres).
    pub fn largest_error(&self) -> f32 {
        self.pairs.iter().map(|pair| pair.error).fold(0.0, f32::max)
    }
}

/// The constants of a compiled world, from the description that it was compiled from; or every reason why it
/// cannot be baked.
///
/// # Errors
/// All that a microcontroller could not hold or answer, by name.
pub fn bake_world(description: &WorldDescription, world: &World) -> Result<Baked, Vec<Refusal>> {
    let mut refusals = Vec::new();
    refuse_changes(description, world, &mut refusals);
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let limits = value_limits(world, &mut refusals);
    let kinematics = bake_kinematics(description, world, &limits, &mut refusals);
    let checked: BTreeSet<BodyId> = world.pairs().iter().flat_map(|pair| [pair.a, pair.b]).collect();
    let bodies = bake_bodies(world, &kinematics, checked.into_iter(), &mut refusals);
    let pairs = bake_pairs(world, &kinematics, &bodies, &mut refusals);
    let Bodies { bodies, shapes, vertices, ids, .. } = bodies;
    let counts = [
        ("joints", kinematics.joints.len()),
        ("values", limits.len()),
        ("bodies", bodies.len()),
        ("shapes", shapes.len()),
        ("corners of hulls", vertices.len()),
        ("pairs", world.pairs().len()),
    ];
    for (what, count) in counts.into_iter().filter(|(_, count)| *count > MAX_COUNT) {
        let problem = format!("has {count} {what}, and {MAX_COUNT} is the most: leave some out");
        refusals.push(Refusal::new("world", problem));
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let names = |pair| world.body_names(pair).unwrap_or_default().map(String::from);
    Ok(Baked {
        value_names: world.dof_names().to_vec(),
        body_names: ids.iter().map(|id| world.bodies()[id.index()].name.to_string()).collect(),
        pair_names: world.pairs().iter().map(names).collect(),
        fingerprint: world.fingerprint(),
        margin: round_up(world.margin()),
        limits,
        joints: kinematics.joints,
        bodies,
        shapes,
        vertices,
        pairs,
    })
}

/// Refuses what can change while a world is asked, and what proves nothing.
fn refuse_changes(description: &WorldDescription, world: &World, refusals: &mut Vec<Refusal>) {
    for robot in world.robots_without_shapes() {
        let problem = "has no collision shape, so nothing can be proved about it: give it shapes, or leave \
                       it out";
        refusals.push(Refusal::new(robot.name.clone(), problem));
    }
    if world.pairs().is_empty() {
        let problem = "checks no pair, so nothing can be proved: see `elbowroom pairs`";
        refusals.push(Refusal::new("world", problem));
    }
    let named = |name: &str| format!("world/{name}");
    for obstacle in description.obstacles.iter().filter(|obstacle| obstacle.movable) {
        let problem = "is movable, and a baked world does not change: fix it, or leave it out";
        refusals.push(Refusal::new(named(&obstacle.name), problem));
    }
    for cloud in &description.clouds {
        let problem = "is a cloud of points, and a baked world has none: leave it out";
        refusals.push(Refusal::new(named(&cloud.name), problem));
    }
    for spare in &description.spares {
        let problem = "is a spare place, and a baked world does not change: leave it out";
        refusals.push(Refusal::new(named(&spare.name), problem));
    }
}
