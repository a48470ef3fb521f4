//! Balls inside bodies: two that overlap prove that their bodies do, without a look at shapes.

use super::Ball;
use super::fit::inner_balls_with;
use crate::id::BodyId;
use crate::math::{Transform, Vec3};
use crate::tolerance::{INSIDE_BALLS, INSIDE_TRIES, NORM_ROUNDING, SHIFT_PER_OFFSET};
use crate::world::World;
use alloc::vec::Vec;

/// Balls in a body, in its frame, the largest first. None in bodies without an inside: open meshes, flat hulls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inside {
    balls: Vec<Ball>,
}

/// Two balls that overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overlap {
    /// By at least so much (metres).
    pub depth: f64,
    /// The point of each that is deepest in the other, and the direction in which the first escapes; cell frame.
    pub a: Vec3,
    pub b: Vec3,
    pub escape: Vec3,
}

impl Inside {
    /// Bytes it holds beside itself.
    pub(crate) fn held(&self) -> usize {
        crate::memory::held(&self.balls)
    }

    pub fn of_body(world: &World, body: BodyId) -> Inside {
        let mut balls = Vec::new();
        for number in world.bodies[body.index()].shapes.clone() {
            let placed = &world.shapes[number as usize];
            let at = &placed.shape_in_body();
            let moved =
                placed.size * (placed.defect() + SHIFT_PER_OFFSET) + at.translation.norm() * SHIFT_PER_OFFSET;
            balls.extend(inner_balls_with(&placed.shape, INSIDE_BALLS, INSIDE_TRIES).into_iter().map(
                |ball| Ball {
                    center: at.point(ball.center),
                    // Smaller by what its centre may be off by.
                    radius: (ball.radius - 2.0 * moved) * (1.0 - NORM_ROUNDING),
                },
            ));
        }
        balls.retain(|ball| ball.radius > 0.0 && ball.center.is_finite());
        balls.sort_by(|a, b| b.radius.total_cmp(&a.radius));
        balls.truncate(INSIDE_BALLS);
        Inside { balls }
    }

    /// The first balls of two placed bodies that are proved to overlap. `room`: how far the bodies may be from where they are placed,
    /// rounding here included.
    #[inline]
    pub fn overlap([a, b]: [&Inside; 2], [a_at, b_at]: [&Transform; 2], room: f64) -> Option<Overlap> {
        for q in &b.balls {
            let b_center = b_at.point(q.center);
            for p in &a.balls {
                let a_center = a_at.point(p.center);
                let (apart, reach) = (a_center - b_center, p.radius + q.radius - room);
                let distance = apart.norm();
                let depth = reach - distance - NORM_ROUNDING * (reach.abs() + distance);
                if depth > 0.0 {
                    let escape = apart.normalized().unwrap_or(Vec3::Z);
                    let (a, b) = (a_center - escape * p.radius, b_center + escape * q.radius);
                    return Some(Overlap { depth, a, b, escape });
                }
            }
        }
        None
    }
}
