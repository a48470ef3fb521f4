//! The straight way between two configurations, by other means than the engine's: what a planar joint's angle
//! turns by from sine and cosine, an orientation by a product of quaternions.

use elbowroom::World;
use elbowroom::math::sin_cos;

/// `a b` of quaternions w, x, y, z.
fn multiply_quaternions(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let ([p, q, r, s], [w, x, y, z]) = (a, b);
    [
        p * w - q * x - r * y - s * z,
        p * x + q * w + r * z - s * y,
        p * y - q * z + r * w + s * x,
        p * z + q * y - r * x + s * w,
    ]
}

fn normalize_quaternion(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
    q.map(|v| v / length)
}

/// `a` times so much of the turn that leads from it to `b`, the shorter way round.
fn part_of_turn(a: [f64; 4], b: [f64; 4], t: f64) -> [f64; 4] {
    let (a, b) = (normalize_quaternion(a), normalize_quaternion(b));
    let [w, x, y, z] = multiply_quaternions([a[0], -a[1], -a[2], -a[3]], b);
    let sign = if w < 0.0 { -1.0 } else { 1.0 };
    let [w, x, y, z] = [w, x, y, z].map(|v| sign * v);
    let sine = (x * x + y * y + z * z).sqrt();
    if sine == 0.0 {
        return a;
    }
    let (s, c) = sin_cos(sine.atan2(w) * t);
    multiply_quaternions(a, [c, s * x / sine, s * y / sine, s * z / sine])
}

/// The joint values at a part of the way, where each joint has one value.
pub fn mix_values([from, to]: [&[f64]; 2], t: f64) -> Vec<f64> {
    from.iter().zip(to).map(|(a, b)| a + (b - a) * t).collect()
}

/// The joint values at a part of the way.
pub fn straight_values(world: &World, [from, to]: [&[f64]; 2], t: f64) -> Vec<f64> {
    let mut values = mix_values([from, to], t);
    for (i, name) in world.dof_names().iter().enumerate() {
        if name.ends_with("/theta") {
            let (s, c) = sin_cos(to[i] - from[i]);
            values[i] = from[i] + s.atan2(c) * t;
        } else if name.ends_with("/rot_w") {
            let four = |q: &[f64]| [q[i], q[i + 1], q[i + 2], q[i + 3]];
            values[i..i + 4].copy_from_slice(&part_of_turn(four(from), four(to), t));
        }
    }
    values
}
