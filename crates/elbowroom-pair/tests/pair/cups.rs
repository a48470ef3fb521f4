//! Half a ball in a cup, and a key in a slot, with little play or a little too thick: meshes whose distances
//! and depths are known exactly.

use crate::depths::{Boxes, depth_of_boxes, mesh_of_boxes};
use crate::efforts::bowl;
use crate::support::engine::{ask, compile_unpadded};
use crate::support::rng::Rng;
use crate::tight_fits::{frame, seen_from};
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Vec3, vec3};
use elbowroom_pair::{Clearance, Effort, Query};

const RINGS: u32 = 6;
const AROUND: u32 = 24;
/// The hollow of the cup and its outside (metres).
const RADII: [f64; 2] = [0.4, 0.5];

/// Half a ball that fills the hollow of a [`bowl`] exactly.
fn plug() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let ShapeDescription::Mesh { vertices, triangles } = bowl(RINGS, AROUND, RADII) else { panic!() };
    let hollow = RINGS * AROUND + 1;
    let vertices = vertices[..hollow as usize].iter().map(|v| Vec3::from(*v)).collect();
    // The triangles of the hollow look into it; a lid closes it.
    let inside = triangles.iter().filter(|t| t.iter().all(|i| *i < hollow)).map(|[a, b, c]| [*a, *c, *b]);
    let lid = (1..AROUND - 1).map(|k| [0, k, k + 1]);
    (vertices, inside.chain(lid).collect())
}

/// How far the faces of the plug, but for its lid, are from its middle at least (metres), and the way up that
/// clears all faces of the hollow for each metre of them that it is too large.
fn plug_faces() -> [f64; 2] {
    let (vertices, triangles) = plug();
    let (mut nearest, mut up) = (f64::INFINITY, 0.0_f64);
    for [a, b, c] in triangles.iter().map(|t| t.map(|i| vertices[i as usize])) {
        let normal = (b - a).cross(c - a).normalized().unwrap();
        let height = normal.dot(a);
        if normal.z < 0.0 {
            nearest = nearest.min(height);
            up = up.max(height / -normal.z);
        }
    }
    [nearest, up / nearest]
}

/// The plug in the cup, larger by `excess` where its faces are nearest to its middle, and moved.
fn ask_plug(excess: f64, by: Vec3, depth: Effort, rng: &mut Rng) -> Clearance {
    let (vertices, triangles) = plug();
    let scale = 1.0 + excess / plug_faces()[0];
    let vertices = vertices.iter().map(|v| (*v * scale + by).to_array()).collect();
    let (own, other) = (frame(rng), frame(rng));
    let plug = compile_unpadded(&seen_from(&ShapeDescription::Mesh { vertices, triangles }, &own));
    let cup = compile_unpadded(&seen_from(&bowl(RINGS, AROUND, RADII), &other));
    ask(&plug, &cup, &own.relative(&other), &Query { depth, ..Query::default() })
}

#[test]
fn a_ball_in_its_socket_is_as_far_from_it_as_it_is() {
    let mut rng = Rng::new(1);
    for gap in [1e-2, 1e-4, 1e-5, 1e-6, 1e-7] {
        let c = ask_plug(-gap, Vec3::ZERO, Effort::Ordinary, &mut rng);
        assert!(c.interval.contains(gap) && c.interval.width() < 1e-9, "{gap:e}: {c:?}");
    }
}

#[test]
fn a_ball_that_is_too_large_for_its_socket_comes_out_upwards() {
    let (mut rng, up) = (Rng::new(2), plug_faces()[1]);
    for excess in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
        for (effort, most) in [(Effort::Ordinary, 1.5), (Effort::TIGHT, 1.03)] {
            let c = ask_plug(excess, Vec3::ZERO, effort, &mut rng);
            let (truth, what) = (excess * up, format!("{excess:e}, {effort:?}, {}: {c:?}", excess * up));
            assert!(c.interval.lower <= -truth + 1e-9 && -truth - 1e-9 <= c.interval.upper, "{what}");
            assert!(c.interval.lower > -truth * most - 1e-9, "{what}");
            assert!(c.steps < 1500, "{what}");
        }
    }
}

#[test]
fn a_ball_that_presses_on_its_socket_comes_out_straight_from_it() {
    let mut rng = Rng::new(3);
    for play in [1e-2, 1e-4, 1e-6] {
        for overlap in [1e-4, 1e-5, 1e-6, 1e-7] {
            for (effort, most) in [(Effort::Ordinary, 2.5), (Effort::TIGHT, 1.011)] {
                // Down onto the floor, whose faces about the pole look nearly straight up.
                let (vertices, triangles) = plug();
                let normal = |t: &[u32; 3]| {
                    let [a, b, c] = t.map(|i| vertices[i as usize]);
                    (b - a).cross(c - a).normalized().unwrap()
                };
                let floor = triangles.iter().map(normal).map(|n| n.z).fold(0.0, f64::min);
                let heights = triangles.iter().filter(|t| normal(t).z < floor + 1e-9);
                let height = heights.map(|t| normal(t).dot(vertices[t[0] as usize])).fold(0.0, f64::max);
                // Its play at these faces, and how far it goes down.
                let gap = play * height / plug_faces()[0];
                let down = (gap + overlap) / -floor;
                let c = ask_plug(-play, vec3(0.0, 0.0, -down), effort, &mut rng);
                let what = format!("play {play:e}, overlap {overlap:e}, {effort:?}: {c:?}");
                // Straight up is the shortest way, since the faces stand around it alike.
                let truth = overlap / -floor;
                assert!(c.interval.lower <= -truth + 1e-9 && -truth - 1e-9 <= c.interval.upper, "{what}");
                assert!(c.interval.lower > -truth * most - 2e-8, "{what}");
                assert!(c.steps < 1500, "{what}");
            }
        }
    }
}

/// A key of some width in a slot of 0.6 m, moved aside.
fn ask_key(width: f64, aside: f64, depth: Effort, rng: &mut Rng) -> (Clearance, f64) {
    let bar = |low: [f64; 3], high: [f64; 3]| [Vec3::from(low), Vec3::from(high)];
    let slot: Boxes = vec![
        bar([-1.0, -1.0, 0.0], [1.0, 1.0, 0.2]),
        bar([-1.0, -1.0, 0.2], [-0.3, 1.0, 1.2]),
        bar([0.3, -1.0, 0.2], [1.0, 1.0, 1.2]),
    ];
    let half = 0.5 * width;
    let key: Boxes = vec![bar([aside - half, -0.4, 0.7], [aside + half, 0.4, 2.0])];
    let (own, other) = (frame(rng), frame(rng));
    let [a, b] = [(&key, &own), (&slot, &other)]
        .map(|(boxes, frame)| compile_unpadded(&seen_from(&mesh_of_boxes(boxes, |p| p), frame)));
    let c = ask(&a, &b, &own.relative(&other), &Query { depth, ..Query::default() });
    (c, depth_of_boxes(&key, &slot))
}

#[test]
fn a_key_in_its_slot_is_known_with_little_play_and_when_it_is_too_wide() {
    let mut rng = Rng::new(4);
    for little in [1e-2, 1e-4, 1e-5, 1e-6, 1e-7] {
        let (c, _) = ask_key(0.6 - 2.0 * little, 0.0, Effort::Ordinary, &mut rng);
        assert!(c.interval.contains(little) && c.interval.width() < 1e-9, "{little:e}: {c:?}");
        for (effort, most) in [(Effort::Ordinary, 2.5), (Effort::TIGHT, 1.011)] {
            // Beside the slot, with play on the other side; and too wide: half a metre up.
            for (width, aside) in [(0.56, 0.02 + little), (0.6 + 2.0 * little, 0.0)] {
                let (c, truth) = ask_key(width, aside, effort, &mut rng);
                let what = format!("{width} {aside:e}, {effort:?}, {truth:e}: {c:?}");
                assert!(c.interval.lower <= -truth + 1e-9 && -truth - 1e-9 <= c.interval.upper, "{what}");
                assert!(c.interval.lower > -truth * most - 2e-8, "{what}");
                assert!(c.steps < 1500, "{what}");
            }
        }
    }
}
