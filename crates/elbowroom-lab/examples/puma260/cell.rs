//! The cell: seven convex objects whose corners are moved a little, so that nothing is exactly parallel.

use super::rounded;
use anyhow::{Result, anyhow, ensure};
use elbowroom::math::Random;
use elbowroom::math::{Vec3, vec3};
use elbowroom::pair::shape::hull::Hull;
use std::fmt::Write as _;

/// Where the corners of the cell's objects move to.
const SEED: u64 = 260;
/// How far a corner may move along each axis (metres).
const JITTER: f64 = 0.003;

/// Name, and corners before they are moved (metres, world frame): five blocks and two wedges.
pub fn objects() -> Vec<(&'static str, Vec<Vec3>)> {
    let block = |lower: [f64; 3], upper: [f64; 3]| {
        let pick = |i: usize, k: usize| if i >> k & 1 == 0 { lower[k] } else { upper[k] };
        (0..8).map(|i| vec3(pick(i, 0), pick(i, 1), pick(i, 2))).collect::<Vec<_>>()
    };
    // A wedge: a block whose upper edge has shrunk to the side `y = upper[1]`.
    let wedge = |lower: [f64; 3], upper: [f64; 3]| {
        let corners = block(lower, upper);
        [0, 1, 2, 3, 6, 7].map(|i| corners[i]).to_vec()
    };
    vec![
        ("bench", block([-0.25, 0.24, 0.16], [0.50, 0.70, 0.26])),
        ("pillar_left", block([-0.05, 0.27, 0.27], [0.05, 0.37, 0.64])),
        ("pillar_right", block([0.20, 0.27, 0.27], [0.30, 0.37, 0.64])),
        ("lintel", block([-0.10, 0.27, 0.65], [0.35, 0.37, 0.73])),
        ("crate", block([0.20, 0.46, 0.27], [0.36, 0.62, 0.40])),
        ("ramp", wedge([-0.04, 0.42, 0.27], [0.12, 0.60, 0.36])),
        ("brace", wedge([-0.16, 0.38, 0.27], [-0.08, 0.48, 0.50])),
    ]
}

pub fn world_file() -> Result<String> {
    let mut text = String::from(
        "# The Puma 260 before a window between two pillars, a bench and a lintel: the cell BOTTLENECK.\n\
         # Seven convex objects with 52 corners. Written by `cargo xtask puma260`; metres.\n\n\
         margin = 0.01\n\n\
         [[robot]]\nname = \"puma\"\nurdf = \"puma260.urdf\"\n",
    );
    let mut random = Random(SEED);
    for (name, corners) in objects() {
        let moved: Vec<Vec3> = corners
            .into_iter()
            .map(|c| {
                let [x, y, z] = [(); 3].map(|()| random.range(-1.0, 1.0));
                rounded(c + vec3(x, y, z) * JITTER)
            })
            .collect();
        let hull = Hull::from_points(&moved).map_err(|e| anyhow!("{name}: {e:?}"))?;
        ensure!(hull.vertices().len() == moved.len(), "{name}: a corner is not one");
        write!(text, "\n[[obstacle]]\nname = \"{name}\"\nshape = {{ type = \"convex\", vertices = [")?;
        for v in moved {
            write!(text, "\n  [{:.5}, {:.5}, {:.5}],", v.x, v.y, v.z)?;
        }
        text += "\n] }\n";
    }
    Ok(text)
}
