//! Two shapes and a pose from any bytes, all questions asked of them, both ways round.
//!
//! What must hold: nothing panics or hangs; every answer is an interval; the answers to different questions
//! about the same pair contain the same number, and so does the answer with the shapes swapped and, for small
//! polytopes and meshes, the slow reference's.

#![no_main]

use elbowroom::Geometry;
use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Mat3, Transform, Vec3};
use elbowroom::pair::{Ask, Clearance, Query, Scratch, Shape, Warm, clearance};
use elbowroom_reference::engine as slow;
use libfuzzer_sys::fuzz_target;

/// Numbers that break things.
const NASTY: [f64; 32] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    0.1,
    1e-3,
    1e-6,
    1e-9,
    1e-12,
    1e-17,
    1e-150,
    1e-300,
    f64::MIN_POSITIVE,
    5e-324,
    1.0 + f64::EPSILON,
    1.0 - f64::EPSILON,
    2.0,
    3.0,
    10.0,
    1e3,
    1e4,
    1e6,
    1e9,
    1e100,
    1e200,
    1e300,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    0.30000000000000004,
];

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }
    /// Mostly tame numbers, so that shapes compile; a nasty one now and then, and any bits at all.
    fn number(&mut self) -> f64 {
        match self.byte() {
            kind @ 0..=15 => f64::from(kind) - 8.0,
            kind @ 16..=31 => (f64::from(kind) - 24.0) * 0.1,
            kind @ 32..=63 => NASTY[usize::from(kind - 32)],
            64..=67 => f64::from_bits(u64::from_le_bytes(std::array::from_fn(|_| self.byte()))),
            68..=99 => f64::from(i16::from_le_bytes([self.byte(), self.byte()])) * 1e-9,
            100..=131 => 1.0 + f64::from(self.byte() as i8) * f64::EPSILON,
            _ => f64::from(i16::from_le_bytes([self.byte(), self.byte()])) * 1e-4,
        }
    }
    fn three(&mut self) -> [f64; 3] {
        [self.number(), self.number(), self.number()]
    }
    fn size(&mut self) -> f64 {
        self.number().abs()
    }
    /// Points, some of them copies or nearly copies of earlier ones, or on a line or plane with them.
    fn points(&mut self) -> Vec<[f64; 3]> {
        let count = self.byte() % 24;
        let mut points: Vec<[f64; 3]> = Vec::new();
        for _ in 0..count {
            let earlier =
                |k: u8| points.get(usize::from(k) % points.len().max(1)).copied().unwrap_or_default();
            let kind = self.byte();
            let point = match kind % 8 {
                0 => earlier(kind / 8),
                1 => earlier(kind / 8).map(|c| c * (1.0 + f64::EPSILON)),
                2 => {
                    let (p, q) = (earlier(kind / 8), earlier(kind / 16));
                    [0, 1, 2].map(|i| 0.5 * (p[i] + q[i]))
                }
                3 => [self.number(), self.number(), 0.0],
                _ => self.three(),
            };
            points.push(point);
        }
        points
    }
    fn shape(&mut self) -> ShapeDescription {
        match self.byte() % 12 {
            0 => ShapeDescription::Sphere { radius: self.size() },
            1 => ShapeDescription::Box { size: self.three().map(f64::abs) },
            2 => ShapeDescription::Capsule { radius: self.size(), length: self.size() },
            3 => ShapeDescription::Cylinder { radius: self.size(), length: self.size() },
            4 => ShapeDescription::Cone { radius: self.size(), length: self.size() },
            5 => ShapeDescription::Ellipsoid { radii: self.three().map(f64::abs) },
            6..=8 => ShapeDescription::Convex { vertices: self.points() },
            _ => {
                let vertices = self.points();
                let n = vertices.len().max(1) as u32;
                let count = self.byte() % 16;
                let triangles =
                    (0..count).map(|_| std::array::from_fn(|_| u32::from(self.byte()) % n)).collect();
                ShapeDescription::Mesh { vertices, triangles }
            }
        }
    }
    /// A pose, and whether it is a rotation and a shift.
    fn pose(&mut self) -> (Transform, bool) {
        let kind = self.byte() % 8;
        let translation = Vec3::from(self.three());
        if kind == 0 {
            let cols = [(); 3].map(|()| Vec3::from(self.three()));
            return (Transform::new(Mat3 { cols }, translation), false);
        }
        let quaternion = [self.number(), self.number(), self.number(), self.number()];
        let rotation = if kind < 3 { None } else { Mat3::from_quat_wxyz(quaternion) };
        let rotation = rotation.unwrap_or(Mat3::IDENTITY);
        let columns = [Vec3::X, Vec3::Y, Vec3::Z].map(|e| rotation * e);
        let rigid = columns.iter().all(|c| (c.norm() - 1.0).abs() < 1e-12);
        (
            Transform::new(rotation, translation),
            rigid && translation.is_finite() && translation.max_abs() < 1e7,
        )
    }
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let (pose, rigid) = bytes.pose();
    let paddings =
        [bytes.byte(), bytes.byte()].map(|b| if b < 128 { 0.0 } else { f64::from(b - 128) * 1e-3 });
    let descriptions = [bytes.shape(), bytes.shape()];
    let (Ok(a), Ok(b)) =
        (Shape::new(&descriptions[0], paddings[0]), Shape::new(&descriptions[1], paddings[1]))
    else {
        return;
    };
    let mut scratch = Scratch::new(a.mesh_depth().max(b.mesh_depth()));
    let mut warm = Warm::default();
    let sizes = a.bounding_radius() + b.bounding_radius();
    let scale = sizes + a.center().norm() + b.center().norm() + pose.translation.norm();
    let back = pose.inverse();
    // The hulls' greatest lower bound, which is one of the triangles too.
    let mut of_hulls = f64::NEG_INFINITY;
    for geometry in [Geometry::Hull, Geometry::Mesh] {
        let mut all: Vec<(Clearance, &str)> = Vec::new();
        for (ask, cutoff) in [
            (Ask::Test, 0.0),
            (Ask::Test, 0.01 * scale),
            (Ask::LowerBound, f64::INFINITY),
            (Ask::Distance, f64::INFINITY),
            (Ask::Distance, 0.0),
        ] {
            let query = Query { ask, cutoff, geometry, ..Query::default() };
            all.push((clearance(&a, &b, &pose, &query, &mut Warm::default(), &mut scratch), "cold"));
            all.push((clearance(&a, &b, &pose, &query, &mut warm, &mut scratch), "warm"));
        }
        if !rigid {
            continue;
        }
        for (c, how) in &all {
            assert!(
                c.interval.lower <= c.interval.upper,
                "{geometry:?} {how}: {c:?} of {descriptions:?} at {pose:?}"
            );
        }
        let lower = all.iter().map(|(c, _)| c.interval.lower).fold(f64::NEG_INFINITY, f64::max);
        let upper = all.iter().map(|(c, _)| c.interval.upper).fold(f64::INFINITY, f64::min);
        let slack = 1e-13 * scale;
        let query = Query { geometry, ..Query::default() };
        let swapped = clearance(&b, &a, &back, &query, &mut Warm::default(), &mut scratch);
        of_hulls = of_hulls.max(lower);
        assert!(
            of_hulls <= upper.min(swapped.interval.upper) + slack,
            "{geometry:?}: hulls at least {of_hulls:e}, but {upper:e} and {swapped:?}, \
             of {descriptions:?} at {pose:?}"
        );
        assert!(lower <= upper, "{geometry:?}: questions disagree: {all:#?} of {descriptions:?} at {pose:?}");
        assert!(
            swapped.interval.lower <= upper + slack && swapped.interval.upper >= lower - slack,
            "{geometry:?}: [{lower:e}, {upper:e}] one way and {swapped:?} the other, \
             of {descriptions:?} at {pose:?}"
        );

        let flat = |d: &ShapeDescription| match d {
            ShapeDescription::Convex { vertices } => vertices.len() <= 10,
            ShapeDescription::Mesh { vertices, triangles } => vertices.len() <= 10 && triangles.len() <= 6,
            ShapeDescription::Box { .. } => true,
            _ => false,
        };
        if !descriptions.iter().all(flat) {
            continue;
        }
        let [Some(x), Some(y)] = [0, 1].map(|i| slow::prepare(&descriptions[i], paddings[i])) else {
            continue;
        };
        let truth = if geometry == Geometry::Hull {
            slow::convex(&x, &y, &pose)
        } else {
            slow::truth_of(&x, &y, &pose)
        };
        assert!(
            truth.lower <= upper && truth.upper >= lower,
            "{geometry:?}: [{lower:e}, {upper:e}] but the reference says {truth:?}, \
             of {descriptions:?} at {pose:?}"
        );
    }
});
