//! Proved distances of a robot to what sensors saw: every point and every cell is looked at whose ball is
//! near enough to matter.

use crate::{
    hull::Hull, limits::ROUNDING, seen::Seen, signed_distance::separation_interval, truth_placed::Placed,
};
use elbowroom::math::{Transform, Vec3, vec3};

/// Narrows the interval of the smallest distance by what was seen in a step; `any` ends it at the first sure
/// overlap.
pub fn nearest_seen(seen: &Seen, step: usize, robot: &[Placed], found: [f64; 2], any: bool) -> [f64; 2] {
    // A point is in the middle of its ball: of the ball's distance its radius is taken off, and rounding.
    let points = seen.step_cloud(step).iter().map(|&point| (Vec3::from(point), 0.0, seen.radius));
    let half_diagonal = 0.75_f64.sqrt() * (1.0 + ROUNDING);
    let cells = seen.cells.iter().map(|&(centre, edge)| (Vec3::from(centre), edge, half_diagonal * edge));
    let mut found = found;
    for (middle, edge, around) in points.chain(cells) {
        for Placed { body, at, center } in robot {
            let apart = body.radius + around + found[1].max(0.0) + ROUNDING;
            if (middle - *center).norm_squared() > apart * apart {
                continue;
            }
            let (other, radius) =
                if edge > 0.0 { (cube_hull(edge), 0.0) } else { (point_hull(), seen.radius) };
            let other_in_body = at.relative(&Transform::from_translation(middle));
            let [lower, upper] = separation_interval(&body.hull, &other, &other_in_body, false);
            found = [found[0].min(lower - radius), found[1].min(upper - radius)];
            if any && found[1] < 0.0 {
                return found;
            }
        }
    }
    found
}

fn point_hull() -> Hull {
    Hull::of_points(&[Vec3::ZERO])
}

fn cube_hull(edge: f64) -> Hull {
    let corner = |k: usize| 0.5 * edge * if k == 0 { -1.0 } else { 1.0 };
    let corners: Vec<Vec3> =
        (0..8).map(|k| vec3(corner(k & 1), corner(k >> 1 & 1), corner(k >> 2))).collect();
    Hull::of_points(&corners)
}
