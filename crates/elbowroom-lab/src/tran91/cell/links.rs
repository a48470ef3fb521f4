//! Links and objects as polyhedra, and a motion of one against another as a turn and a slide: what Boyse's
//! test is asked about.

use crate::boyse::{First, Motion, Polyhedron, first_contact};
use crate::limits::{CHAIN_TURN, PRISM_SIDES};
use elbowroom::World;
use elbowroom::math::{Mat3, Transform, Vec3, sin_cos, vec3};
use elbowroom::pair::shape::Core;
use elbowroom::pair::shape::hull::Hull;
use elbowroom::world::BodyId;

/// The shapes of a body as polyhedra, own frame; a round one as the prism around it. `None` for a shape that
/// is neither a box, a cylinder nor a polytope, and for padding.
pub fn body_polyhedra(world: &World, body: BodyId) -> Option<Vec<Polyhedron>> {
    let of = world.shapes().iter().filter(|shape| shape.body == body);
    let around = of.map(|shape| {
        let own = match shape.shape.core() {
            Core::Box { half } => Polyhedron::from_box(-*half, *half)?,
            Core::Cylinder { radius, half_length } => cylinder_prism(*radius, *half_length)?,
            Core::Hull(hull) => Polyhedron::of_hull(hull)?,
            _ => return None,
        };
        (shape.shape.radius() == 0.0).then(|| own.transformed_by(&shape.shape_in_body()))
    });
    around.collect()
}

/// The prism around a cylinder along z.
fn cylinder_prism(radius: f64, half_length: f64) -> Option<Polyhedron> {
    let half = std::f64::consts::PI / f64::from(PRISM_SIDES);
    let (sin, cos) = sin_cos(half);
    let out = radius * (1.0 + (sin / cos) * (sin / cos)).sqrt();
    let corners = (0..PRISM_SIDES).flat_map(|k| {
        let (y, x) = sin_cos(2.0 * half * f64::from(k));
        [-half_length, half_length].map(|z| vec3(out * x, out * y, z))
    });
    let corners: Vec<Vec3> = corners.collect();
    Polyhedron::of_hull(&Hull::from_points(&corners).ok()?)
}

/// A motion from one place to another, in the frame of what stands still: a turn about an axis, then a slide
/// along it. What really moves does both at once; both ends are the same.
pub struct Screw {
    turn: Option<Motion>,
    slide: Motion,
    /// Where it is after the turn.
    turned: Transform,
    from: Transform,
}

impl Screw {
    /// From one place to another.
    pub fn between_poses(from: &Transform, to: &Transform) -> Screw {
        let moved = *to * from.inverse();
        let [x, y, z] = moved.rotation.cols;
        // Twice the sine along the axis, and the trace.
        let twice = vec3(y.z - z.y, z.x - x.z, x.y - y.x);
        let angle = (0.5 * twice.norm()).atan2(0.5 * (x.x + y.y + z.z - 1.0));
        let axis = if angle > CHAIN_TURN { twice.normalized() } else { None };
        let Some(axis) = axis else {
            let along = to.translation - from.translation;
            return Screw { turn: None, slide: Motion::Slide(along), turned: *from, from: *from };
        };
        let along = axis * axis.dot(moved.translation);
        let across = moved.translation - along;
        let half = 0.5 * angle;
        let (sin, cos) = sin_cos(half);
        let at = (across + axis.cross(across) * (cos / sin)) * 0.5;
        let turn = Mat3::from_axis_angle(axis, angle);
        let about = Transform::new(turn, at - Transform::new(turn, Vec3::ZERO).point(at));
        Screw {
            turn: Some(Motion::Turn { at, axis, angle }),
            slide: Motion::Slide(along),
            turned: about * *from,
            from: *from,
        }
    }

    /// Whether anything of one body may touch anything of another that stands still, on this way; and how
    /// many questions that took.
    pub fn may_touch(&self, moving: &[Polyhedron], still: &[Polyhedron]) -> (bool, u64) {
        let mut asked = 0;
        let turn = self.turn.iter().map(|turn| (turn, &self.from));
        for (motion, at) in turn.chain([(&self.slide, &self.turned)]) {
            for one in moving {
                let one = one.transformed_by(at);
                for other in still {
                    asked += 1;
                    // A number that is not finite is no proof.
                    if first_contact(&one, other, motion) != Some(First::Free) {
                        return (true, asked);
                    }
                }
            }
        }
        (false, asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::math::Random;

    #[test]
    fn a_turn_and_a_slide_end_where_the_motion_does() {
        let mut random = Random(91);
        let (mut turns, mut slides) = (0, 0);
        for k in 0..500 {
            let mut place = |turn: f64| {
                let axis = random.direction();
                let at = vec3(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
                Transform::new(Mat3::from_axis_angle(axis, turn * random.range(0.1, 3.0)), at)
            };
            let from = place(1.0);
            let to = if k % 5 == 0 { Transform { translation: Vec3::X, ..from } } else { place(1.0) };
            let screw = Screw::between_poses(&from, &to);
            let Motion::Slide(along) = screw.slide else { panic!("no slide") };
            *(if screw.turn.is_some() { &mut turns } else { &mut slides }) += 1;
            for p in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
                let error = screw.turned.point(p) + along - to.point(p);
                assert!(error.norm() < 1e-9, "{k}: {error:?}");
            }
        }
        assert!(turns > 300 && slides > 50, "{turns} {slides}");
    }

    #[test]
    fn a_prism_holds_its_cylinder() {
        let prism = cylinder_prism(0.5, 2.0).unwrap();
        for k in 0..100 {
            let (y, x) = sin_cos(0.0628 * f64::from(k));
            for z in [-1.99, 0.0, 1.99] {
                assert!(crate::boyse::contains(&prism, vec3(0.499 * x, 0.499 * y, z)));
            }
        }
    }
}
