//! Tight depths beside ordinary ones: neither end of a tight bracket is ever the worse, whatever the meshes.

use crate::rough_ground::ground;
use crate::support::engine::{ask, compile_unpadded};
use crate::support::number_from_environment;
use crate::support::rng::Rng;
use crate::support::turned::{peg_mesh, polygon, ring_mesh};
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Mat3, Transform, sin_cos, vec3};
use elbowroom_pair::{Effort, Query};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Half a hollow ball: two surfaces of `rings` times `n` squares, joined at the rim.
pub fn bowl(rings: u32, n: u32, [inner, outer]: [f64; 2]) -> ShapeDescription {
    let mut vertices = Vec::new();
    for radius in [inner, outer] {
        for i in 0..rings {
            let (down, out) = sin_cos(FRAC_PI_2 * f64::from(i) / f64::from(rings));
            for k in 0..n {
                let (s, c) = sin_cos(TAU * f64::from(k) / f64::from(n));
                vertices.push((vec3(c * out, s * out, -down) * radius).to_array());
            }
        }
        vertices.push([0.0, 0.0, -radius]);
    }
    let (size, mut triangles) = (rings * n + 1, Vec::new());
    for (first, flip) in [(0, true), (size, false)] {
        let mut add = |[a, b, c]: [u32; 3]| {
            let t = [a, b, c].map(|i| i + first);
            triangles.push(if flip { [t[0], t[2], t[1]] } else { t });
        };
        for k in 0..n {
            let next = (k + 1) % n;
            for i in 0..rings - 1 {
                let [a, b] = [i * n + k, i * n + next];
                add([a, a + n, b + n]);
                add([a, b + n, b]);
            }
            let last = (rings - 1) * n;
            add([last + k, rings * n, last + next]);
        }
    }
    for k in 0..n {
        let next = (k + 1) % n;
        triangles.extend([[k, next, next + size], [k, next + size, k + size]]);
    }
    ShapeDescription::Mesh { vertices, triangles }
}

fn turned(rng: &mut Rng) -> Mat3 {
    Mat3::from_quat_wxyz(rng.quaternion()).unwrap()
}

#[test]
fn a_tight_depth_is_never_worse_than_an_ordinary_one() {
    let mut rng = Rng::new(31);
    let bowl = compile_unpadded(&bowl(6, 24, [0.4, 0.45]));
    let rings =
        [4, 12, 48].map(|n| compile_unpadded(&ring_mesh(&polygon(n, 0.3), &polygon(n, 0.4), [-0.1, 0.1])));
    let pegs = [4, 12, 48].map(|n| compile_unpadded(&peg_mesh(&polygon(n, 0.3), [-0.5, 0.5])));
    let grounds = [0.02, 0.1].map(|rough| compile_unpadded(&ground(&mut rng, rough)));
    let ball = compile_unpadded(&ShapeDescription::Sphere { radius: 0.25 });
    let [mut overlaps, mut wide, mut narrower] = [[0; 4]; 3];
    // So many reach wide depths of each kind.
    let count = number_from_environment("ELBOWROOM_TIGHT", 320).max(320);
    for k in 0..count as usize {
        let kind = k % 4;
        let (turn, off) = (turned(&mut rng), rng.direction() * rng.decades(-6.0, -0.4));
        let (a, b, pose) = match kind {
            0 => (&bowl, &bowl, Transform::new(turn, off)),
            1 => (
                rng.pick(&[&rings[0], &rings[1], &rings[2]]),
                rng.pick(&[&rings[0], &rings[1], &rings[2]]),
                Transform::new(turn, off),
            ),
            2 => {
                let i = rng.below(3);
                let small = Mat3::from_quat_wxyz({
                    let lean = rng.direction() * rng.decades(-8.0, -2.0);
                    [1.0, lean.x, lean.y, lean.z]
                });
                (&pegs[i], &rings[i], Transform::new(small.unwrap(), off))
            }
            _ => {
                let at = vec3(rng.range(-0.8, 0.8), rng.range(-0.8, 0.8), rng.range(-0.1, 0.3));
                let body = rng.pick(&[&ball, &pegs[1], &rings[0]]);
                (rng.pick(&[&grounds[0], &grounds[1]]), body, Transform::new(turn, at))
            }
        };
        let depth = |depth| ask(a, b, &pose, &Query { depth, ..Query::default() });
        let ordinary = depth(Effort::Ordinary);
        if ordinary.interval.upper >= 0.0 {
            continue;
        }
        overlaps[kind] += 1;
        wide[kind] += u32::from(ordinary.interval.upper > 0.8 * ordinary.interval.lower);
        let found = [Effort::TIGHT, Effort::Within(rng.decades(-3.5, -0.5)), Effort::Within(0.003)];
        let answers = found.map(depth);
        let [tight, _, narrow] = answers.map(|c| c.interval);
        assert!(
            narrow.lower >= tight.lower && narrow.upper <= tight.upper,
            "{kind} {pose:?} {tight:?} {narrow:?}"
        );
        for (effort, tight) in found.iter().zip(&answers).take(2) {
            let what = || format!("{kind} {pose:?} {effort:?}: {ordinary:?} {tight:?}");
            assert!(tight.interval.lower >= ordinary.interval.lower, "{}", what());
            assert!(tight.interval.upper <= ordinary.interval.upper, "{}", what());
            narrower[kind] += u32::from(tight.interval.width() < ordinary.interval.width());
        }
    }
    assert!(
        overlaps.iter().chain(&narrower).all(|n| u64::from(*n) * 20 > count),
        "{overlaps:?} {narrower:?}"
    );
    assert!(
        wide.iter().all(|n| u64::from(*n) * 160 > count),
        "{wide:?} of {overlaps:?} ordinary ones are wide"
    );
}
