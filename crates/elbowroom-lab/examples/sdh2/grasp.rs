//! The motion: the fingers turn to each other, close on nothing, and stop before they touch.

use super::robot::NAMES;
use std::f64::consts::PI;

/// What a motion goes through, from rest to rest (degrees), and samples from each to the next.
pub type Vias<'a> = &'a [([f64; 7], usize)];

/// Those of the grasp.
pub const VIAS: [([f64; 7], usize); 3] = [
    ([0.0, -60.0, -30.0, -60.0, -30.0, -60.0, -30.0], 60),
    ([60.0, -20.0, 15.0, -20.0, 15.0, -20.0, 15.0], 60),
    ([60.0, 8.0, -6.0, 8.0, -6.0, 8.0, -6.0], 0),
];

/// The joint values of every sample (radians): half a cosine from each via to the next.
pub fn samples(vias: Vias) -> Vec<[f64; 7]> {
    let mut rows = Vec::new();
    for pair in vias.windows(2) {
        let [(from, n), (to, _)] = pair else { continue };
        for k in 0..*n {
            let (_, cos) = elbowroom::math::sin_cos(PI * k as f64 / *n as f64);
            let part = 0.5 * (1.0 - cos);
            rows.push(std::array::from_fn(|j| (from[j] + part * (to[j] - from[j])).to_radians()));
        }
    }
    rows.extend(vias.last().map(|(last, _)| last.map(f64::to_radians)));
    rows
}

pub fn grasp_file() -> String {
    motion_file(&VIAS)
}

/// A motion as a file.
pub fn motion_file(vias: Vias) -> String {
    let mut text = NAMES.join(",") + "\n";
    for row in samples(vias) {
        let row = row.map(|q| format!("{:.6}", (q * 1e6).round() / 1e6 + 0.0));
        text += &row.join(",");
        text.push('\n');
    }
    text
}
