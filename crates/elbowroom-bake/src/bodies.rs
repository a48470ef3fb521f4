//! Bodies and their shapes, convex, in the frames that they move with.

use crate::kinematics::{Kinematics, Place};
use crate::limits::{BALL_SURPLUS, MAX_CORNERS};
use crate::refusal::Refusal;
use crate::round::{round_axes, round_up, round_vector};
use elbowroom::World;
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom::pair::shape::solid;
use elbowroom::world::{BodyId, BodyShape};
use elbowroom_baked::{BakedBody, BakedShape, Core};
use std::collections::BTreeMap;

/// What is baked of a world's bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bodies {
    pub bodies: Vec<BakedBody>,
    pub shapes: Vec<BakedShape>,
    pub vertices: Vec<[f32; 3]>,
    /// Numbers in the engine's world, by number here.
    pub ids: Vec<BodyId>,
    /// How far each body reaches (metres): centre of its ball and radius.
    pub reaches: Vec<f64>,
    /// What is lost where a given rotation matrix is not quite one, for each body (metres).
    pub slacks: Vec<f64>,
    /// Hulls that are kept once, by the bits of their corners.
    hulls: BTreeMap<Vec<[u32; 3]>, u16>,
}

/// The bodies with these numbers, in order.
pub(crate) fn bake_bodies(
    world: &World,
    kinematics: &Kinematics,
    ids: impl Iterator<Item = BodyId>,
    refusals: &mut Vec<Refusal>,
) -> Bodies {
    let mut all = Bodies::default();
    for id in ids {
        let body = &world.bodies()[id.index()];
        let Some(place) = kinematics.places[id.index()] else {
            refusals.push(Refusal::new(&*body.name, "hangs on nothing that can be baked"));
            continue;
        };
        let first = all.shapes.len();
        let mut slack = 0.0_f64;
        for number in body.shapes.clone() {
            let shape = &world.shapes()[number as usize];
            let at = place.with_pose(&shape.shape_in_body());
            let named = format!("{}{}", body.name, shape.name().map_or(String::new(), |n| format!("/{n}")));
            match all.bake_shape(shape, &at) {
                Ok((baked, reach)) => {
                    all.shapes.push(baked);
                    slack = slack.max(at.slack + at.defect * reach);
                }
                Err(problem) => refusals.push(Refusal::new(named, problem)),
            }
        }
        all.add_body(id, &place, first, slack);
    }
    all
}

impl Bodies {
    fn add_body(&mut self, id: BodyId, place: &Place, first: usize, slack: f64) {
        let shapes = &self.shapes[first..];
        let center_of = |shape: &BakedShape| vec_of(shape.center);
        let (mut low, mut high) = (vec3(f64::MAX, f64::MAX, f64::MAX), vec3(f64::MIN, f64::MIN, f64::MIN));
        for shape in shapes {
            let r = f64::from(shape.ball);
            low = low.min(center_of(shape) - vec3(r, r, r));
            high = high.max(center_of(shape) + vec3(r, r, r));
        }
        let center = round_vector(if shapes.is_empty() { Vec3::ZERO } else { (low + high) * 0.5 });
        let reach = |shape: &BakedShape| (center_of(shape) - vec_of(center)).norm() + f64::from(shape.ball);
        let ball = shapes.iter().map(reach).fold(0.0, f64::max) * (1.0 + BALL_SURPLUS);
        self.reaches.push(vec_of(center).norm() + ball);
        self.slacks.push(slack);
        self.ids.push(id);
        self.bodies.push(BakedBody {
            frame: place.frame as u16,
            first: first as u16,
            count: shapes.len() as u16,
            center,
            ball: round_up(ball),
        });
    }

    /// A shape, and how far its points are from the origin of its own frame (metres).
    fn bake_shape(&mut self, shape: &BodyShape, at: &Place) -> Result<(BakedShape, f64), String> {
        let core = shape.shape.core();
        let (radius, own) = (shape.shape.radius(), shape.shape.center());
        let round = |radius: f64, half_length: f64| vec3(radius, radius, half_length);
        let plain = |core: Core, stretch: Vec3, far: f64| (core, stretch, Vec3::ZERO, far);
        let (core, stretch, center, far) = match core {
            solid::Core::Point => plain(Core::Point, Vec3::ZERO, 0.0),
            solid::Core::Segment { half_length } => {
                plain(Core::Segment, vec3(0.0, 0.0, *half_length), *half_length)
            }
            solid::Core::Box { half } => plain(Core::Box, *half, half.norm()),
            solid::Core::Cylinder { radius, half_length } => {
                let stretch = round(*radius, *half_length);
                plain(Core::Cylinder, stretch, vec3(*radius, 0.0, *half_length).norm())
            }
            solid::Core::Cone { radius, half_length } => {
                let stretch = round(*radius, *half_length);
                plain(Core::Cone, stretch, vec3(*radius, 0.0, *half_length).norm())
            }
            solid::Core::Ellipsoid { radii } => plain(Core::Ellipsoid, *radii, radii.max_abs()),
            solid::Core::Mesh { .. } if !shape.shape.has_inside() => {
                let problem = "is an open mesh, a surface without an inside, of which nothing is baked: \
                               close it, or give its convex hull or a primitive";
                return Err(problem.into());
            }
            solid::Core::Hull(hull) => (self.bake_hull(hull.vertices(), own)?, ONES, own, 0.0),
            solid::Core::Mesh { hull, .. } => (self.bake_hull(hull.vertices(), own)?, ONES, own, 0.0),
        };
        let far = match core {
            Core::Hull { first, count } => {
                let own = self.vertices.iter().skip(usize::from(first)).take(usize::from(count));
                own.map(|p| vec_of(*p).norm()).fold(0.0, f64::max)
            }
            _ => far,
        };
        let placed: Transform = at.in_frame;
        let center = placed.point(center);
        let ball = round_up((far + radius) * (1.0 + BALL_SURPLUS));
        let axes = round_axes(&placed, stretch);
        let baked = BakedShape { core, center: round_vector(center), axes, radius: round_up(radius), ball };
        Ok((baked, own.norm() + far + radius))
    }

    /// The corners of a hull about a centre, kept once.
    fn bake_hull(&mut self, corners: impl Iterator<Item = Vec3>, center: Vec3) -> Result<Core, String> {
        let corners: Vec<[f32; 3]> = corners.map(|p| round_vector(p - center)).collect();
        if corners.len() > MAX_CORNERS {
            return Err(format!(
                "has a convex hull of {} corners, and at most {MAX_CORNERS} can be baked: give a coarser \
                 mesh or a primitive around it",
                corners.len()
            ));
        }
        let count = corners.len() as u16;
        let key: Vec<[u32; 3]> = corners.iter().map(|p| p.map(f32::to_bits)).collect();
        if let Some(first) = self.hulls.get(&key) {
            return Ok(Core::Hull { first: *first, count });
        }
        let first = self.vertices.len() as u16;
        self.vertices.extend(corners);
        self.hulls.insert(key, first);
        Ok(Core::Hull { first, count })
    }
}

const ONES: Vec3 = Vec3 { x: 1.0, y: 1.0, z: 1.0 };

fn vec_of(p: [f32; 3]) -> Vec3 {
    let [x, y, z] = p.map(f64::from);
    Vec3 { x, y, z }
}
