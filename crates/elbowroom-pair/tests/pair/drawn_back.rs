//! Shapes that are drawn back on their soft parts: random points are lost only near the patch, and no point
//! is won. What the patch is, is found here by other means than in the crate.

use crate::support::number_from_environment;
use crate::support::rng::Rng;
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::describe::fault::PadFault;
use elbowroom_pair::math::{Mat3, Transform, Vec3, sin_cos, vec3};
use elbowroom_pair::shape::drawn_back::{DrawnBack, SoftPart, draw_back};
use elbowroom_pair::shape::tolerance::PAD_SLACK;
use elbowroom_pair::shape::triangle::nearest_point;
use elbowroom_pair::{Effort, Interval, Query, Scratch, Shape, Warm, clearance};
use std::f64::consts::TAU;

type Triangle = [Vec3; 3];

/// What is drawn back, and how its surface is known.
struct Case {
    what: &'static str,
    shape: ShapeDescription,
    part: SoftPart,
    /// The triangles of the patch; of a round shape, triangles near it.
    patch: Vec<Triangle>,
    /// How far these may lie under the patch (metres); infinite where the patch is all of the surface.
    off: f64,
}

/// Where a point is against a shape.
fn place_of(shape: &Shape, p: Vec3) -> Interval {
    let (mut warm, mut scratch) = (Warm::default(), Scratch::new(shape.mesh_depth()));
    let at = Transform::from_translation(p).inverse();
    let query = Query { depth: Effort::Rough, ..Query::default() };
    clearance(&Shape::ball(0.0), shape, &at, &query, &mut warm, &mut scratch).interval
}

fn frame(rng: &mut Rng) -> Transform {
    Transform::new(Mat3::from_quat_wxyz(rng.quaternion()).unwrap(), rng.point(0.1))
}

fn region(at: Transform, half: Vec3, depth: f64) -> SoftPart {
    SoftPart { region_in_shape: at, half, depth }
}

/// The grid of a sphere, mapped to a surface: latitudes by longitudes.
fn grid(n: usize, map: impl Fn(Vec3) -> Vec3) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (rows, columns) = (n, 2 * n);
    let mut points = vec![map(Vec3::Z)];
    for i in 1..rows {
        for j in 0..columns {
            let (s, c) = sin_cos(0.5 * TAU * i as f64 / rows as f64);
            let (t, u) = sin_cos(TAU * (j as f64 + 0.3) / columns as f64);
            points.push(map(vec3(s * u, s * t, c)));
        }
    }
    points.push(map(-Vec3::Z));
    let at = |i: usize, j: usize| match i {
        0 => 0,
        _ if i == rows => points.len() as u32 - 1,
        _ => (1 + (i - 1) * columns + j % columns) as u32,
    };
    let mut triangles = Vec::new();
    for i in 0..rows {
        for j in 0..columns {
            for t in [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
            {
                if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
                    triangles.push(t);
                }
            }
        }
    }
    (points, triangles)
}

/// A column over an outline, counter-clockwise, its top scaled about the origin; the ends are fans.
fn column(outline: &[[f64; 2]], height: f64, top: f64, rings: usize) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let n = outline.len() as u32;
    let mut points = Vec::new();
    for (z, scale) in [(0.0, 1.0), (height, top)] {
        points.extend(outline.iter().map(|[x, y]| vec3(x * scale, y * scale, z)));
    }
    let mut triangles = Vec::new();
    for i in 0..n {
        let j = (i + 1) % n;
        triangles.extend([[i, j, n + j], [i, n + j, n + i]]);
    }
    // Rings from the rim to the middle, so that the inner ones can be pressed in.
    for (first, z, flip) in [(0, 0.0, true), (n, height, false)] {
        let (mut outer, scale) = (first, if flip { 1.0 } else { top });
        for ring in 1..rings as u32 {
            let share = scale * (1.0 - f64::from(ring) / rings as f64);
            let inner = points.len() as u32;
            points.extend(outline.iter().map(|[x, y]| vec3(x * share, y * share, z)));
            for i in 0..n {
                let j = (i + 1) % n;
                for [a, b, c] in [[outer + i, outer + j, inner + j], [outer + i, inner + j, inner + i]] {
                    triangles.push(if flip { [a, c, b] } else { [a, b, c] });
                }
            }
            outer = inner;
        }
        let middle = points.len() as u32;
        points.push(vec3(0.0, 0.0, z));
        for i in 0..n {
            let (a, b) = (outer + i, outer + (i + 1) % n);
            triangles.push(if flip { [b, a, middle] } else { [a, b, middle] });
        }
    }
    (points, triangles)
}

/// A case of triangles: seen from a random frame, as a mesh or as a hull.
fn faceted(
    what: &'static str,
    (points, triangles): (Vec<Vec3>, Vec<[u32; 3]>),
    (at, half): (Transform, Vec3),
    depth: f64,
    hull: bool,
    rng: &mut Rng,
) -> Case {
    let from = frame(rng);
    let moved: Vec<Vec3> = points.iter().map(|p| from.point(*p)).collect();
    let vertices: Vec<[f64; 3]> = moved.iter().map(|p| p.to_array()).collect();
    let holds = |p: Vec3| {
        let local = at.inverse().point(p).abs();
        local.x < half.x && local.y < half.y && local.z < half.z
    };
    let soft = |t: &&[u32; 3]| t.iter().all(|k| holds(points[*k as usize]));
    let patch = triangles.iter().filter(soft).map(|t| t.map(|k| moved[k as usize])).collect();
    let shape = if hull {
        ShapeDescription::Convex { vertices }
    } else {
        ShapeDescription::Mesh { vertices, triangles }
    };
    Case { what, shape, part: region(from * at, half, depth), patch, off: 0.0 }
}

/// A case that formulas bound: its surface is a fine grid, all of it or what lies above a height.
fn round(
    what: &'static str,
    shape: ShapeDescription,
    map: impl Fn(Vec3) -> Vec3,
    rng: &mut Rng,
    depth: f64,
) -> Case {
    let at = Transform::new(Mat3::from_quat_wxyz(rng.quaternion()).unwrap(), Vec3::ZERO);
    let (points, triangles) = grid(40, map);
    let patch = triangles.iter().map(|t| t.map(|k| points[k as usize])).collect();
    Case { what, shape, part: region(at, vec3(1.0, 1.0, 1.0), depth), patch, off: f64::INFINITY }
}

fn draw_case(kind: usize, rng: &mut Rng) -> Case {
    let depth = rng.decades(-4.0, -2.2);
    let size = [rng.range(0.02, 0.1), rng.range(0.02, 0.1), rng.range(0.02, 0.1)];
    let cap = |rng: &mut Rng, radius: f64| {
        let height = radius * rng.range(-0.2, 0.8);
        (Transform::from_translation(vec3(0.0, 0.0, height + 0.5)), vec3(0.5, 0.5, 0.5))
    };
    let polygon = |n: usize, r: f64| -> Vec<[f64; 2]> {
        let corner = |i: usize| sin_cos(TAU * (i as f64 + 0.1) / n as f64);
        (0..n).map(|i| [r * corner(i).1, r * corner(i).0]).collect()
    };
    match kind {
        0 => {
            // The top of a box, in its own frame; with luck more of its faces.
            let low = if rng.chance(0.3) { -0.6 * size[2] } else { rng.range(-0.4, 0.4) * size[2] };
            let half = vec3(0.2, 0.2, 0.5 * (0.1 - low));
            let at = Transform::from_translation(vec3(0.0, 0.0, low + half.z));
            let h = Vec3::from(size) * 0.5;
            let (points, triangles) =
                column(&[[h.x, h.y], [-h.x, h.y], [-h.x, -h.y], [h.x, -h.y]], size[2], 1.0, 1);
            let points: Vec<Vec3> = points.iter().map(|p| *p - Vec3::Z * h.z).collect();
            let soft = |t: &&[u32; 3]| t.iter().all(|k| points[*k as usize].z > low);
            let patch = triangles.iter().filter(soft).map(|t| t.map(|k| points[k as usize])).collect();
            let shape = ShapeDescription::Box { size };
            Case { what: "box", shape, part: region(at, half, depth), patch, off: 0.0 }
        }
        1 => {
            let radius = size[0];
            round("sphere", ShapeDescription::Sphere { radius }, |u| u * radius, rng, depth)
        }
        2 => {
            let (radius, length) = (size[0], size[1]);
            let end = |u: Vec3| vec3(0.0, 0.0, 0.5 * length.copysign(u.z));
            round(
                "capsule",
                ShapeDescription::Capsule { radius, length },
                |u| end(u) + u * radius,
                rng,
                depth,
            )
        }
        3 => {
            let (radius, length) = (size[0], size[1]);
            let low = if rng.chance(0.5) { -length } else { 0.3 * length };
            let half = vec3(0.3, 0.3, 0.15);
            let at = Transform::from_translation(vec3(0.0, 0.0, low + half.z));
            let rings = column(&polygon(180, radius), length, 1.0, 8);
            let points: Vec<Vec3> = rings.0.iter().map(|p| *p - Vec3::Z * (0.5 * length)).collect();
            let soft = |t: &&[u32; 3]| t.iter().all(|k| points[*k as usize].z > low);
            let patch = rings.1.iter().filter(soft).map(|t| t.map(|k| points[k as usize])).collect();
            let shape = ShapeDescription::Cylinder { radius, length };
            // The polygon's sides are so far inside the circle.
            let off = radius * (1.0 - sin_cos(0.5 * TAU / 180.0).1);
            Case { what: "cylinder", shape, part: region(at, half, depth), patch, off }
        }
        4 => {
            let shape = ShapeDescription::Ellipsoid { radii: size };
            round("ellipsoid", shape, |u| u.scaled(size.into()), rng, depth)
        }
        5 => {
            let radius = size[0];
            let surface = grid(6 + rng.below(12), |u| u * radius);
            let at = cap(rng, radius);
            faceted("hull", surface, at, depth, true, rng)
        }
        6 => {
            let sides = 3 + rng.below(6);
            let surface = column(&polygon(sides, size[0]), size[2], rng.range(0.6, 1.0), 1);
            let at = (Transform::from_translation(vec3(0.0, 0.0, size[2])), vec3(0.2, 0.2, 0.5 * size[2]));
            faceted("frustum", surface, at, depth, true, rng)
        }
        7 => {
            let (radius, waves) = (size[0], 1.0 + rng.below(3) as f64);
            let lumps = rng.range(0.0, 0.25);
            let lumpy = |u: Vec3| u * (radius * (1.0 + lumps * sin_cos(waves * 3.0 * u.x).0 * u.y));
            let surface = grid(8 + rng.below(16), lumpy);
            let at = cap(rng, radius);
            faceted("lumpy ball", surface, at, depth, false, rng)
        }
        8 => {
            // The end of an angle bracket.
            let [a, b] = [size[0], rng.range(0.25, 0.6) * size[0]];
            let outline = [[-b, -b], [a, -b], [a, 0.5 * b], [0.5 * b, 0.5 * b], [0.5 * b, a], [-b, a]];
            let surface = column(&outline, size[2], 1.0, 1 + rng.below(4));
            let at = (Transform::from_translation(vec3(0.0, 0.0, size[2])), vec3(0.2, 0.2, 0.5 * size[2]));
            faceted("bracket", surface, at, depth, false, rng)
        }
        _ => {
            // The middle of a face alone: a dent.
            let surface = column(&polygon(12, size[0]), size[2], 1.0, 6);
            let reach = rng.range(0.35, 0.9) * size[0];
            let at =
                (Transform::from_translation(vec3(0.0, 0.0, size[2])), vec3(reach, reach, 0.4 * size[2]));
            faceted("dent", surface, at, depth, rng.chance(0.3), rng)
        }
    }
}

/// What a case showed.
#[derive(Default)]
struct Tally {
    cases: usize,
    refused: usize,
    core: usize,
    lost: usize,
    left: usize,
}

fn race(kind: usize, seed: u64, tally: &mut Tally) {
    let rng = &mut Rng::new(seed);
    let case = draw_case(kind, rng);
    let depth = case.part.depth;
    let what = || format!("{} {seed}, depth {depth}", case.what);
    let DrawnBack { shape, offset } = match draw_back(&case.shape, &[case.part]) {
        Ok(drawn) => drawn,
        Err((0, fault)) => {
            let known = matches!(
                fault,
                PadFault::Crossing { .. }
                    | PadFault::Held { .. }
                    | PadFault::NoSurface { .. }
                    | PadFault::TooDeep { .. }
            );
            assert!(known, "{}: {fault}", what());
            tally.refused += 1;
            return;
        }
        Err(other) => panic!("{}: {other:?}", what()),
    };
    tally.cases += 1;
    let declared = Shape::new(&case.shape, 0.0).unwrap();
    let wider = Shape::new(&case.shape, 3.0 * PAD_SLACK).unwrap();
    let left = Shape::new(&shape, PAD_SLACK).unwrap();
    assert!(left.has_inside(), "{}", what());
    for _ in 0..24 {
        let [a, b, c] = case.patch[rng.below(case.patch.len())];
        let (s, t) = (rng.unit(), rng.unit());
        let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
        let on = a + (b - a) * s + (c - a) * t;
        let Some(normal) = (b - a).cross(c - a).normalized() else { continue };
        let aside =
            if rng.chance(0.5) { rng.direction() * (depth * rng.range(0.0, 3.0)) } else { Vec3::ZERO };
        let p = on - normal * (depth * rng.range(-0.2, 2.5)) + aside;
        let (in_declared, in_left) = (place_of(&declared, p), place_of(&left, p - offset));
        if in_left.upper < 0.0 {
            tally.left += 1;
            assert!(place_of(&wider, p).lower <= 0.0, "{}: {p:?} is won", what());
        }
        if in_declared.upper < 0.0 && in_left.lower > 0.0 {
            tally.lost += 1;
        }
        let near =
            || case.patch.iter().map(|t| (nearest_point(t, p) - p).norm()).fold(f64::INFINITY, f64::min);
        let near = if case.off < f64::INFINITY { near() - case.off } else { -in_declared.upper };
        if in_declared.upper < 0.0 && near > depth {
            tally.core += 1;
            assert!(in_left.lower <= 0.0, "{}: {p:?} of the core is lost, {near} from the patch", what());
        }
    }
}

#[test]
fn points_are_lost_only_near_the_patch_and_none_is_won() {
    let count = number_from_environment("ELBOWROOM_PADS", 60);
    for kind in 0..10 {
        let mut tally = Tally::default();
        (0..count).for_each(|seed| race(kind, 1000 * kind as u64 + seed, &mut tally));
        let Tally { cases, refused, core, lost, left } = tally;
        println!(
            "kind {kind}: {cases} drawn back, {refused} refused; points: core {core}, lost {lost}, left \
             {left}"
        );
        let most = count as usize;
        assert!(
            2 * cases > most && core > most && lost > most && left > most,
            "kind {kind} was hardly tried"
        );
    }
}
