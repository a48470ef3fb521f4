//! A hash of a world. Each body has a hash of its own, and the sum of these is a part of the world's. So a
//! world with one body more has its hash without visiting the others.

use crate::model::checked_pairs::CheckedPairs;
use crate::model::id::BodyId;
use crate::model::kinematics::Kinematics;
use crate::model::movables::Movables;
use crate::model::places::BodyPlace;
use crate::model::solids::Solids;
use crate::model::step::Motion;
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::shape::solid::Core;

/// FNV-1a over words.
struct Hash(u64);

impl Hash {
    fn new() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
    fn add_word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    }
    fn name(&mut self, name: &str) {
        name.bytes().for_each(|b| self.add_word(u64::from(b)));
        self.add_word(u64::MAX);
    }
    fn add_numbers(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|v| self.add_word(v.to_bits()));
    }
    fn add_point(&mut self, p: Vec3) {
        self.add_numbers(&p.to_array());
    }
    fn add_transform(&mut self, t: &Transform) {
        t.rotation.cols.iter().chain([&t.translation]).for_each(|v| self.add_point(*v));
    }
}

/// The hash of one body: of its number and name, where it starts, and all numbers of its shapes.
pub(crate) fn of_body(solids: &Solids, places: &BodyPlace, body: BodyId) -> u64 {
    let mut hash = Hash::new();
    hash.add_word(u64::from(body.0));
    let described = &solids.bodies[body.index()];
    hash.name(&described.name);
    hash.add_transform(&places.fixed_pose(body));
    let shapes = described.shapes.start as usize..described.shapes.end as usize;
    for placed in solids.shapes.slice_range(shapes) {
        let shape = &placed.shape;
        hash.add_transform(&placed.shape_in_body());
        hash.add_numbers(&[shape.radius(), shape.bounding_radius()]);
        hash.add_point(shape.center());
        match &shape.core() {
            Core::Point => hash.add_word(0),
            Core::Segment { half_length } => {
                hash.add_word(1);
                hash.add_numbers(&[*half_length]);
            }
            Core::Box { half } => {
                hash.add_word(2);
                hash.add_point(*half);
            }
            Core::Cylinder { radius, half_length } => {
                hash.add_word(3);
                hash.add_numbers(&[*radius, *half_length]);
            }
            Core::Cone { radius, half_length } => {
                hash.add_word(4);
                hash.add_numbers(&[*radius, *half_length]);
            }
            Core::Ellipsoid { radii } => {
                hash.add_word(5);
                hash.add_point(*radii);
            }
            Core::Hull(hull) => {
                hash.add_word(6);
                hull.vertices().for_each(|v| hash.add_point(v));
            }
            Core::Mesh { mesh, .. } => {
                hash.add_word(7);
                mesh.triangles.iter().flatten().for_each(|v| hash.add_point(*v));
            }
        }
    }
    hash.0
}

/// The sum of the hashes of all bodies that are there.
pub(super) fn of_bodies(solids: &Solids, places: &BodyPlace) -> u64 {
    let bodies = (0..solids.bodies.len() as u32).map(BodyId).filter(|body| !solids.is_removed(*body));
    bodies.fold(0, |sum, body| sum.wrapping_add(of_body(solids, places, body)))
}

/// The hash of everything that poses and proofs depend on: bodies, whose hashes have the sum `of_bodies`,
/// checked pairs, and all numbers of joints, limits, carriers, spare places and clouds.
pub(crate) fn hash_world(
    of_bodies: u64,
    kinematics: &Kinematics,
    pairs: &CheckedPairs,
    movables: &Movables,
    margin: f64,
) -> u64 {
    let mut hash = Hash::new();
    hash.add_word(of_bodies);
    kinematics.dof_names.iter().for_each(|name| hash.name(name));
    for pair in &pairs.listed {
        hash.add_word(u64::from(pair.a.0) << 32 | u64::from(pair.b.0));
    }
    for crowd in &pairs.crowds {
        hash.add_word(u64::from(crowd.body.0));
        crowd.except.iter().for_each(|index| hash.add_word(u64::from(*index)));
    }
    pairs.movable.movable.iter().for_each(|body| hash.add_word(u64::from(body.0)));
    pairs.movable.excluded_places().iter().for_each(|pair| hash.add_word(u64::from(*pair)));
    for carrier in movables.carriers.iter().flatten() {
        hash.add_word(u64::from(carrier.body.0));
        hash.add_transform(&carrier.in_carrier);
        carrier.touch.iter().for_each(|body| hash.add_word(u64::from(body.0)));
        if let Some(door) = &carrier.door {
            hash_motion(&mut hash, &door.motion);
            hash.add_numbers(&door.limits);
        }
    }
    movables.spares.iter().for_each(|corners| hash.add_word(*corners as u64));
    for cloud in &movables.clouds {
        hash.add_numbers(&[cloud.radius]);
        hash.add_word(cloud.capacity as u64);
    }
    for step in &kinematics.steps {
        hash.add_transform(&step.joint_in_parent);
        hash.add_word(u64::from(step.parent.0) << 32 | u64::from(step.child.0));
        hash.add_word(step.value as u64);
        hash_motion(&mut hash, &step.motion);
        hash.add_numbers(&[step.scale, step.offset]);
    }
    for limit in &kinematics.limits {
        hash.add_word(limit.value as u64);
        hash.add_numbers(&[limit.lower, limit.upper, limit.scale, limit.offset]);
    }
    hash.add_numbers(&[margin]);
    hash.0
}

/// The hash of a world with pads: of the declared bodies, and of the drawn-back ones.
pub(super) fn hash_pads(declared: u64, drawn_back: u64) -> u64 {
    let mut hash = Hash::new();
    hash.add_word(declared);
    hash.add_word(drawn_back);
    hash.0
}

fn hash_motion(hash: &mut Hash, motion: &Motion) {
    let (kind, u, v) = match *motion {
        Motion::Fixed => (0, Vec3::ZERO, Vec3::ZERO),
        Motion::TurnX => (1, Vec3::ZERO, Vec3::ZERO),
        Motion::TurnY => (2, Vec3::ZERO, Vec3::ZERO),
        Motion::TurnZ => (3, Vec3::ZERO, Vec3::ZERO),
        Motion::Turn(axis) => (4, axis, Vec3::ZERO),
        Motion::Slide(axis) => (5, axis, Vec3::ZERO),
        Motion::Planar { u, v, .. } => (6, u, v),
        Motion::Floating => (7, Vec3::ZERO, Vec3::ZERO),
    };
    hash.add_word(kind);
    hash.add_point(u);
    hash.add_point(v);
}
