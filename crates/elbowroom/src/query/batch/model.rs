//! What lanes of a batch need of a world, in f32, with bounds on the rounding.

use crate::bounds::Capsule;
use crate::bounds::lanes::CapsuleId;
use crate::bounds::tolerance::GAP_ROUNDING;
use crate::model::body_bounds::BodyCapsule;
use crate::model::kinematics::ValueKind;
use crate::model::step::{Motion, Parent};
use crate::model::tolerance::LIMIT_ROUNDING;
use crate::model::world::World;
use crate::query::tolerance::{
    BATCH_AROUND, BATCH_AXIS, BATCH_BOX, BATCH_LINKS, BATCH_PAIRS, BATCH_ROOM, BATCH_SNAP, BATCH_SNAP_TURN,
    BATCH_UNIT,
};
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::limits::MAX_COORDINATE;
use elbowroom_describe::math::{Transform, Vec3, round_up};
use elbowroom_pair::numeric::pose_error::PoseError;
use elbowroom_pair::numeric::tolerance::{
    ERROR_FACTOR, PRODUCT_ROTATION_ERROR, ROUNDOFF, SHIFT_PER_DISTANCE, SHIFT_PER_OFFSET, SINE_LIMIT,
    UNDERFLOW_F32,
};

/// How a frame moves against its parent's.
#[derive(Clone, Copy, Debug)]
pub(super) enum LinkMotion {
    None,
    X,
    Y,
    Z,
    Axis([f32; 3]),
    Slide([f32; 3]),
}

/// A rotation that never changes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fixed {
    Same,
    /// Each column is one of the parent's, or its negative: most joints sit at right angles.
    Columns([(u8, bool); 3]),
    Full([[f32; 3]; 3]),
}

/// A joint that moves something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Index of its parent's frame.
    pub parent: u32,
    pub motion: LinkMotion,
    pub fixed: Fixed,
    pub offset: [f32; 3],
    /// It moves by `scale * value + shift`.
    pub value: u32,
    pub scale: f64,
    pub shift: f64,
}

/// A capsule that moves with a frame. Its radius pays for all rounding: of its frame and of the gap of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneCapsule {
    /// Index of its frame.
    pub frame: u32,
    pub center: [f32; 3],
    pub half: [f32; 3],
    /// See `CapsuleRecord::half`.
    pub inverse: f32,
    pub radius: f32,
    /// The body's box, and its number among the world's capsules.
    pub box_center: [f32; 3],
    pub box_half: [f32; 3],
    pub id: CapsuleId,
}

/// A pair to be bounded.
#[derive(Clone, Copy, Debug)]
pub(super) struct LanePair {
    /// The indices of its capsules.
    pub capsules: [u32; 2],
    /// What all rounding may add to a bound by boxes or planes, or to the depth of a point (metres).
    pub room: f32,
}

/// A moving body that is checked against the fixed shapes.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneCrowd {
    /// The index of its capsule.
    pub capsule: u32,
    /// How far its points may be from where its frame in f32 puts them (metres).
    pub slack: f32,
    /// What rounding may add to a box around it in the tree's frame (metres).
    pub room: f32,
}

/// `low < scale * value + shift < high`, or lanes do not decide the pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub value: u32,
    pub scale: f64,
    pub shift: f64,
    pub low: f64,
    pub high: f64,
}

impl Range {
    /// A range that includes its ends.
    fn with_ends(value: usize, scale: f64, shift: f64, low: f64, high: f64) -> Range {
        Range { value: value as u32, scale, shift, low: low.next_down(), high: high.next_up() }
    }
}

/// A world in f32.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// Number of joint values.
    pub values: usize,
    /// Frames that never move; the frames of `links` follow them.
    pub roots: Vec<[[f32; 3]; 4]>,
    pub links: Vec<Link>,
    pub capsules: Vec<LaneCapsule>,
    /// Those that tests ask, in the order of the world's proofs.
    pub pairs: Vec<LanePair>,
    /// The bodies that are checked against the fixed shapes, the groups that they are joined to, and where
    /// the frame of the tree over these shapes begins.
    pub crowds: Vec<LaneCrowd>,
    pub joins: Vec<[u32; 2]>,
    pub origin: [f32; 3],
    /// By value.
    pub ranges: Vec<Range>,
    /// All other listed pairs are proved to be no nearer than this at every configuration (metres); infinite
    /// if there are none.
    pub floor: f64,
}

impl LaneCapsule {
    /// A capsule of the world on a frame that has this error.
    fn new(of_body: &BodyCapsule, id: CapsuleId, frame: u32, error: &PoseError) -> LaneCapsule {
        let (capsule, body_box) = (&of_body.capsule, &of_body.body_box);
        LaneCapsule {
            frame,
            center: round_vector(capsule.center()),
            half: round_vector((capsule.b - capsule.a) * 0.5),
            inverse: of_body.record.half[3] as f32,
            radius: lane_radius(capsule, error),
            box_center: round_vector(body_box.center()),
            box_half: round_vector(body_box.half_extents())
                .map(|h| round_up(f64::from(h) * (1.0 + BATCH_BOX))),
            id,
        }
    }
}

impl LaneCrowd {
    /// A body whose capsule in lanes is given, on a frame that has this error, where the tree's frame begins
    /// at `origin`.
    pub fn new(
        index: u32,
        (lane, of_body): (&LaneCapsule, &BodyCapsule),
        error: &PoseError,
        origin: Vec3,
    ) -> LaneCrowd {
        let sum = |v: Vec3| v.abs().dot(Vec3 { x: 1.0, y: 1.0, z: 1.0 });
        let (capsule, body_box) = (&of_body.capsule, &of_body.body_box);
        let half = if sum(body_box.half_extents()).is_finite() { sum(body_box.half_extents()) } else { 0.0 };
        let of_box = sum(body_box.center()) + half;
        let of_capsule = sum(capsule.center()) + sum(capsule.b - capsule.a) + f64::from(lane.radius);
        let far = error.distance + of_box + of_capsule + sum(origin);
        LaneCrowd {
            capsule: index,
            slack: round_up((f64::from(lane.radius) - capsule.radius) * (1.0 + 4.0 * ROUNDOFF)),
            room: round_up(BATCH_UNIT * BATCH_AROUND * far + 8.0 * UNDERFLOW_F32),
        }
    }
}

fn round_vector(v: Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

/// The room of a pair whose bodies reach so far from frames that have these errors.
///
/// Bounds are computed in A's frame, from B's pose `(R', t')` in it. The planes that they stand for are those
/// of the true frame of A, or for the faces of B's box of that of B. `R'` is off by the errors of both
/// rotations and that of their product, `t'` by both shifts, and by A's rotation acting on what lies between
/// the frames. So is the image of a point of B in A's frame, `R' p + t'`, by `R'` acting on the point. The
/// image of a point of A in B's frame, `R'^T (p - t')`, is off by `R'` acting on the point and on `t'`.
/// Twice the error of `R'`, acting on all of these, bounds each of them.
fn rounding_room([a, b]: [(f64, &PoseError); 2]) -> f32 {
    let turned = a.1.rotation + b.1.rotation + BATCH_UNIT * PRODUCT_ROTATION_ERROR;
    let between = a.0 + b.0 + a.1.distance + b.1.distance;
    let far = (2.0 * turned + BATCH_UNIT * BATCH_ROOM) * between;
    round_up(ERROR_FACTOR * (a.1.shift + b.1.shift + far) + 4.0 * UNDERFLOW_F32)
}

/// The radius with which a capsule contains its body, if its frame and bounds are computed in f32: see
/// [`BodyCapsule::radius_with`](crate::model::body_bounds::BodyCapsule::radius_with).
fn lane_radius(c: &Capsule, error: &PoseError) -> f32 {
    // Bounds along the axes of such a frame do not hold.
    if error.rotation > f64::from(BATCH_AXIS) {
        return f32::INFINITY;
    }
    let arm = c.reach_from_origin();
    let far = (arm + error.distance) * (1.0 + 8.0 * ROUNDOFF);
    let slack = error.of_point_in(arm, BATCH_UNIT) + 2.0 * BATCH_UNIT * SHIFT_PER_OFFSET * far;
    let radius = c.radius + slack;
    round_up(radius + 2.0 * BATCH_UNIT * GAP_ROUNDING * (4.0 * far + radius) + 4.0 * UNDERFLOW_F32)
}

impl Model {
    /// Takes the pairs that a test has to ask. `None` if lanes cannot be used: a body hangs on a floating or
    /// planar joint, limits do not bound it, there are movable bodies, or too much to keep.
    pub fn new(world: &World) -> Option<Model> {
        let near = &world.proofs.capsules[..world.proofs.near];
        let movable = !world.checks.pairs.movable.is_empty();
        if !world.kinematics.bounded || movable || near.len() > BATCH_PAIRS {
            return None;
        }
        let asked = || near.iter().flatten().chain(&world.bounds.crowds);
        // Steps that move a capsule, and the steps that these hang on.
        let mut needed = vec![false; world.kinematics.steps.len()];
        for capsule in asked().map(|c| &world.bounds.capsules[c.index()]) {
            let mut at = capsule.step;
            while let Some(step) = at.filter(|step| !needed[step.index()]) {
                needed[step.index()] = true;
                at = match world.kinematics.parents[step.index()] {
                    Parent::Step(above) => Some(above),
                    Parent::Root(_) => None,
                };
            }
        }
        let mut model = Model {
            values: world.kinematics.dof_names.len(),
            roots: Vec::new(),
            links: Vec::new(),
            capsules: Vec::new(),
            pairs: Vec::new(),
            crowds: Vec::new(),
            joins: world.bounds.crowd_tree.joins().to_vec(),
            origin: round_vector(world.bounds.fixed.origin()),
            ranges: Vec::new(),
            floor: world.proofs.floor.map_or(f64::INFINITY, |(floor, _)| floor),
        };
        let root = |at: &Transform| {
            let [x, y, z] = at.rotation.cols.map(round_vector);
            [x, y, z, round_vector(at.translation)]
        };
        let at_rest = |e: &PoseError| PoseError {
            rotation: e.rotation + 4.0 * ROUNDOFF * BATCH_UNIT,
            shift: e.shift + 2.0 * SHIFT_PER_DISTANCE * BATCH_UNIT * e.distance,
            distance: e.distance,
        };
        model.roots.extend(world.kinematics.roots.iter().map(|r| root(&r.as_transform())));
        let mut still = vec![];
        for capsule in asked().map(|c| &world.bounds.capsules[c.index()]) {
            if capsule.step.is_none() && !still.contains(&capsule.body) {
                still.push(capsule.body);
                model.roots.push(root(&world.kinematics.places.fixed_pose(capsule.body)));
            }
        }
        let (first_still, links) = (world.kinematics.roots.len() as u32, model.roots.len() as u32);
        // By step, the index of its frame; `None` for a step that no capsule needs.
        let mut frames: Vec<Option<u32>> = vec![None; world.kinematics.steps.len()];
        let mut errors: Vec<PoseError> = vec![PoseError::default(); world.kinematics.steps.len()];
        let size = world.kinematics.largest_values();
        for (i, step) in world.kinematics.steps.iter().enumerate().filter(|(i, _)| needed[*i]) {
            let above = world.kinematics.parents[i];
            let (parent, error) = match above {
                Parent::Root(root) => (root, at_rest(&world.kinematics.places.pose_error(step.parent))),
                Parent::Step(above) => (frames[above.index()]?, errors[above.index()]),
            };
            errors[i] = step.error_in(error, |v| size[v], BATCH_UNIT);
            frames[i] = Some(links + model.links.len() as u32);
            let motion = match step.motion {
                Motion::Fixed => LinkMotion::None,
                Motion::TurnX => LinkMotion::X,
                Motion::TurnY => LinkMotion::Y,
                Motion::TurnZ => LinkMotion::Z,
                Motion::Turn(axis) => LinkMotion::Axis(round_vector(axis)),
                Motion::Slide(axis) => LinkMotion::Slide(round_vector(axis)),
                Motion::Planar { .. } | Motion::Floating => return None,
            };
            let largest = step.scale.abs() * size.get(step.value).copied().unwrap_or(0.0) + step.offset.abs();
            if !matches!(motion, LinkMotion::None | LinkMotion::Slide(_)) && !(largest < 0.5 * SINE_LIMIT) {
                return None;
            }
            model.links.push(Link {
                parent,
                motion,
                fixed: fixed_rotation(&step.joint_in_parent, &mut errors[i].rotation),
                offset: round_vector(step.joint_in_parent.translation),
                value: step.value as u32,
                scale: step.scale,
                shift: step.offset,
            });
        }
        let mut indices: Vec<Option<(u32, PoseError)>> = vec![None; world.bounds.capsules.len()];
        for id in asked() {
            let capsule = &world.bounds.capsules[id.index()];
            if indices[id.index()].is_some() {
                continue;
            }
            let (frame, error) = match capsule.step {
                None => {
                    let index = still.iter().position(|b| *b == capsule.body)? as u32;
                    (first_still + index, at_rest(&world.kinematics.places.pose_error(capsule.body)))
                }
                Some(step) => (frames[step.index()]?, errors[step.index()]),
            };
            indices[id.index()] = Some((model.capsules.len() as u32, error));
            model.capsules.push(LaneCapsule::new(capsule, *id, frame, &error));
        }
        for [a, b] in near {
            let (a_error, b_error) = (indices[a.index()]?, indices[b.index()]?);
            let arm = |id: &CapsuleId| world.bounds.capsules[id.index()].capsule.reach_from_origin();
            let room = rounding_room([(arm(a), &a_error.1), (arm(b), &b_error.1)]);
            model.pairs.push(LanePair { capsules: [a_error.0, b_error.0], room });
        }
        for id in &world.bounds.crowds {
            let (index, error) = indices[id.index()]?;
            let (lane, of_body) = (&model.capsules[index as usize], &world.bounds.capsules[id.index()]);
            of_body.step?;
            model.crowds.push(LaneCrowd::new(index, (lane, of_body), &error, world.bounds.fixed.origin()));
        }
        if model.links.len() > BATCH_LINKS {
            return None;
        }
        if !model.capsules.iter().all(|c| c.radius.is_finite() && c.inverse.is_finite()) {
            return None;
        }
        // The conditions of `Pose::set`.
        for (i, kind) in world.kinematics.value_kinds.iter().enumerate() {
            if !matches!(kind, ValueKind::Length | ValueKind::Angle) {
                return None;
            }
            model.ranges.push(Range::with_ends(i, 1.0, 0.0, -MAX_COORDINATE, MAX_COORDINATE));
        }
        for l in &world.kinematics.limits {
            let (low, high) = (l.lower - LIMIT_ROUNDING, l.upper + LIMIT_ROUNDING);
            let range = Range::with_ends(l.value, l.scale, l.offset, low, high);
            match &mut model.ranges[l.value] {
                // One pair of ends for the value itself.
                own if range.scale == 1.0 && range.shift == 0.0 => {
                    (own.low, own.high) = (own.low.max(range.low), own.high.min(range.high));
                }
                _ => model.ranges.push(range),
            }
        }
        model.ranges.sort_by_key(|range| range.value);
        model.ranges.shrink_to_fit();
        Some(model)
    }
}

/// A rotation in f32. Entries that differ from zero only by rounding become zero; the error `turn` pays for
/// it.
fn fixed_rotation(at: &Transform, turn: &mut f64) -> Fixed {
    let snap = |x: f64| if x.abs() < BATCH_SNAP { 0.0 } else { x as f32 };
    let entries = at.rotation.cols.map(|v| v.to_array().map(snap));
    *turn += BATCH_SNAP_TURN;
    let mut columns = [(0_u8, false); 3];
    for (column, out) in entries.iter().zip(&mut columns) {
        let ones = column.iter().filter(|x| x.abs() == 1.0).count();
        let zeros = column.iter().filter(|x| **x == 0.0).count();
        let Some(at) = column.iter().position(|x| x.abs() == 1.0).filter(|_| ones == 1 && zeros == 2) else {
            return Fixed::Full(entries);
        };
        *out = (at as u8, column[at] < 0.0);
    }
    if columns == [(0, false), (1, false), (2, false)] { Fixed::Same } else { Fixed::Columns(columns) }
}
