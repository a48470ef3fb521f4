//! The slow reference of the bench: for each answer an interval that contains the true one, computed without any of the
//! engines and in the most obvious way.
//!
//! Separation: the point of the Minkowski difference nearest to the origin, by trying *all* subsets of at most four
//! points for the nearest point of a simplex and scanning *all* vertices for the next point (Wolfe 1976, Gilbert 1988).
//! Upper bound: the length of that point, a convex combination of vertices. Lower bound: the gap along it, over all vertices.
//! Depth: the smallest width over every face normal of either hull and every pair of their edges; exact, and quadratic, so
//! only for small hulls and some steps of larger ones. Triangles: every pair of them, by separation. Both ends are widened by `ROUNDING`. What is not computed is written as [-inf, inf].

use crate::{
    engine::write_numbers,
    truth_whole::Bodies,
    work::{Ask, ShapeData, Work},
};
use anyhow::Result;
use elbowroom::math::{Mat3, Transform, Vec3, vec3};

/// Widening of both ends (metres): vertices and translations are below 4 m, a coordinate of a difference is the result
/// of fewer than 20 operations, 4 * 20 * 2^-53 is below 1e-14; two orders of margin.
pub(crate) const ROUNDING: f64 = 1e-12;
/// Depth is never enumerated above this product of the hulls' edge counts: a step would take minutes.
const MAX_EDGE_PAIRS: usize = 3_000_000;
/// Below this product depth is enumerated in every step, above it in one of so many more: seconds an item.
const EDGE_PAIRS_EVERY_STEP: usize = 10_000;
/// Steps after which the interval is given as it is.
const MAX_STEPS: usize = 1000;

/// Writes `lower, upper` for every answer of the work; for first collisions both are the number of the first colliding pair.
pub fn write(work: &str, out: &str) -> Result<()> {
    let work = Work::read(work)?;
    if work.is_whole() {
        let bodies = Bodies::new(&work);
        let numbers: Vec<f64> = (0..work.steps).flat_map(|step| bodies.answer(step)).collect();
        return write_numbers(out, &numbers);
    }
    let hulls: Vec<Hull> = work.shapes.iter().map(Hull::new).collect();
    let poses: Vec<Transform> = work.poses.iter().map(pose).collect();
    let mut numbers = Vec::new();
    for step in 0..work.steps {
        let first = step * work.poses_a_step;
        let relative = |a: usize, b: usize| poses[first + a].relative(&poses[first + b]);
        let pair = |&[a, b]: &[u32; 2]| (a as usize, b as usize);
        match work.ask {
            Ask::Distance | Ask::Coherent => {
                let (a, b) = pair(&work.pairs[step]);
                numbers.extend(separation(&hulls[a], &hulls[b], &relative(0, 1), false));
            }
            Ask::Depth => {
                let (a, b) = pair(&work.pairs[step]);
                let edge_pairs = hulls[a].edges.len() * hulls[b].edges.len();
                let chosen = step % (edge_pairs / EDGE_PAIRS_EVERY_STEP + 1) == 0;
                numbers.extend(if chosen && edge_pairs <= MAX_EDGE_PAIRS {
                    depth(&hulls[a], &hulls[b], &relative(0, 1))
                } else {
                    [f64::NEG_INFINITY, f64::INFINITY]
                });
            }
            Ask::AllDistances => {
                for (a, b) in work.pairs.iter().map(pair) {
                    numbers.extend(separation(&hulls[a], &hulls[b], &relative(a, b), false));
                }
            }
            Ask::FirstCollision => numbers.extend(first_collision(&work, |a, b| {
                separation(&hulls[a], &hulls[b], &relative(a, b), true)
            })),
            Ask::SmallestTriangleDistance => {
                numbers.extend(smallest_triangle_distance(&work, &poses[first..first + work.poses_a_step]));
            }
            _ => unreachable!("answers about whole robots are made above"),
        }
    }
    write_numbers(out, &numbers)
}

/// The first pair that surely collides, or -1; [-inf, inf] if an undecided pair comes before it.
fn first_collision(work: &Work, interval: impl Fn(usize, usize) -> [f64; 2]) -> [f64; 2] {
    for (number, &[a, b]) in work.pairs.iter().enumerate() {
        let [lower, upper] = interval(a as usize, b as usize);
        if upper < 0.0 {
            return [number as f64; 2];
        }
        if lower <= 0.0 {
            return [f64::NEG_INFINITY, f64::INFINITY];
        }
    }
    [-1.0, -1.0]
}

/// Interval of the smallest distance between triangles of the pairs' shapes (their surfaces). Every pair of triangles is
/// looked at; one is skipped only if balls around the two are farther apart than the smallest distance so far.
fn smallest_triangle_distance(work: &Work, poses: &[Transform]) -> [f64; 2] {
    let world: Vec<Vec<Ball>> = work
        .shapes
        .iter()
        .zip(poses)
        .map(|(shape, pose)| {
            let corner = |i: u32| {
                let [x, y, z] = shape.vertices[i as usize];
                pose.point(vec3(x, y, z))
            };
            shape.triangles.iter().map(|triangle| Ball::around(triangle.map(corner))).collect()
        })
        .collect();
    let (mut lower, mut upper) = (f64::INFINITY, f64::INFINITY);
    for &[a, b] in &work.pairs {
        for one in &world[a as usize] {
            for other in &world[b as usize] {
                let reach = one.radius + other.radius + upper + ROUNDING;
                if (other.center - one.center).norm_squared() > reach * reach {
                    continue;
                }
                let (one, other) = (Hull::of_points(&one.corners), Hull::of_points(&other.corners));
                let [low, high] = separation(&one, &other, &Transform::IDENTITY, false);
                lower = lower.min(low);
                upper = upper.min(high);
            }
        }
    }
    [lower, upper]
}

/// A triangle and a ball around it.
struct Ball {
    corners: [Vec3; 3],
    center: Vec3,
    radius: f64,
}

impl Ball {
    fn around(corners: [Vec3; 3]) -> Ball {
        let center = (corners[0] + corners[1] + corners[2]) * (1.0 / 3.0);
        let radius = corners.iter().map(|&corner| (corner - center).norm()).fold(0.0, f64::max);
        Ball { corners, center, radius }
    }
}

/// A convex shape.
pub(crate) struct Hull {
    vertices: Vec<Vec3>,
    normals: Vec<Vec3>,
    edges: Vec<Vec3>,
}

impl Hull {
    fn of_points(points: &[Vec3]) -> Hull {
        Hull { vertices: points.to_vec(), normals: Vec::new(), edges: Vec::new() }
    }

    /// Of vertices and triangles.
    pub(crate) fn new(shape: &ShapeData) -> Hull {
        let vertices: Vec<Vec3> = shape.vertices.iter().map(|&[x, y, z]| vec3(x, y, z)).collect();
        let (mut normals, mut edges) = (Vec::new(), Vec::new());
        for triangle in &shape.triangles {
            let [a, b, c] = triangle.map(|i| vertices[i as usize]);
            normals.extend((b - a).cross(c - a).normalized());
            for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                // Each edge lies in two triangles, once each way.
                if triangle[from] < triangle[to] {
                    edges.push(vertices[triangle[to] as usize] - vertices[triangle[from] as usize]);
                }
            }
        }
        Hull { vertices, normals, edges }
    }

    /// Its vertices, own frame.
    pub(crate) fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    fn support(&self, direction: Vec3) -> Vec3 {
        let mut best = (f64::NEG_INFINITY, Vec3::ZERO);
        for &vertex in &self.vertices {
            let along = vertex.dot(direction);
            if along > best.0 {
                best = (along, vertex);
            }
        }
        best.1
    }
}

/// Point of A minus B farthest along a direction, in A's frame.
fn difference_support(a: &Hull, b: &Hull, b_in_a: &Transform, direction: Vec3) -> Vec3 {
    a.support(direction) - b_in_a.point(b.support(b_in_a.rotation.transpose_mul(-direction)))
}

/// Interval of the separation. `upper < 0` only if the origin is inside a simplex of the difference, by more than rounding.
pub(crate) fn separation(a: &Hull, b: &Hull, b_in_a: &Transform, only_sign: bool) -> [f64; 2] {
    let start = if b_in_a.translation.norm_squared() > 0.0 { b_in_a.translation } else { Vec3::X };
    let mut simplex = vec![difference_support(a, b, b_in_a, start)];
    let mut lower = f64::NEG_INFINITY;
    let mut upper = f64::INFINITY;
    for _ in 0..MAX_STEPS {
        let (nearest, kept) = nearest_of_simplex(&simplex);
        if kept.len() == 4 {
            let inside = inner_radius(&kept);
            return if inside > ROUNDING { [f64::NEG_INFINITY, -ROUNDING] } else { [-ROUNDING, ROUNDING] };
        }
        let length = nearest.norm();
        upper = upper.min(length);
        if length <= ROUNDING {
            return [-ROUNDING, ROUNDING];
        }
        let next = difference_support(a, b, b_in_a, -nearest);
        lower = lower.max(next.dot(nearest) / length);
        let decided = only_sign && lower > 1e3 * ROUNDING;
        if decided || upper - lower <= ROUNDING || kept.contains(&next) {
            break;
        }
        simplex = kept;
        simplex.push(next);
    }
    [lower - ROUNDING, upper + ROUNDING]
}

/// Nearest point to the origin of the hull of one to four points, and the points it is made of: every subset is tried.
fn nearest_of_simplex(points: &[Vec3]) -> (Vec3, Vec<Vec3>) {
    let mut best = (points[0], vec![points[0]]);
    for mask in 1..1_usize << points.len() {
        let subset: Vec<Vec3> = (0..points.len()).filter(|i| mask >> i & 1 == 1).map(|i| points[i]).collect();
        let Some(nearest) = inside_nearest(&subset) else { continue };
        let closer = nearest.norm_squared() < best.0.norm_squared();
        if closer || subset.len() == 4 {
            best = (nearest, subset);
        }
    }
    best
}

/// The nearest point of the points' affine hull if all its weights are positive.
fn inside_nearest(points: &[Vec3]) -> Option<Vec3> {
    let p = points[0];
    match *points {
        [_] => Some(p),
        [_, q] => {
            let d = q - p;
            let t = -p.dot(d) / d.norm_squared();
            (t > 0.0 && t < 1.0).then(|| p + d * t)
        }
        [_, q, r] => {
            let normal = (q - p).cross(r - p);
            let square = normal.norm_squared();
            let weights = [q.cross(r), r.cross(p), p.cross(q)].map(|w| w.dot(normal));
            (square > 0.0 && weights.iter().all(|&w| w > 0.0)).then(|| normal * (p.dot(normal) / square))
        }
        [_, q, r, s] => {
            let volume = (q - p).cross(r - p).dot(s - p);
            let parts = [q.cross(r).dot(s), -(p.cross(r).dot(s)), p.cross(q).dot(s), -(p.cross(q).dot(r))];
            (volume != 0.0 && parts.iter().all(|part| part / volume > 0.0)).then_some(Vec3::ZERO)
        }
        _ => None,
    }
}

/// Distance of the origin, which is inside, to the nearest face of a tetrahedron.
fn inner_radius(points: &[Vec3]) -> f64 {
    (0..4)
        .filter_map(|left_out| {
            let face: Vec<Vec3> = (0..4).filter(|&i| i != left_out).map(|i| points[i]).collect();
            let normal = (face[1] - face[0]).cross(face[2] - face[0]).normalized()?;
            Some(normal.dot(face[0]).abs())
        })
        .fold(f64::INFINITY, f64::min)
}

/// Interval of the signed distance of overlapping hulls.
fn depth(a: &Hull, b: &Hull, b_in_a: &Transform) -> [f64; 2] {
    let width = |normal: Vec3| difference_support(a, b, b_in_a, normal).dot(normal);
    let mut least = f64::INFINITY;
    for &normal in &a.normals {
        least = least.min(width(normal));
    }
    for &normal in &b.normals {
        least = least.min(width(-b_in_a.direction(normal)));
    }
    for &edge_a in &a.edges {
        for &edge_b in &b.edges {
            let Some(normal) = edge_a.cross(b_in_a.direction(edge_b)).normalized() else { continue };
            least = least.min(width(normal)).min(width(-normal));
        }
    }
    [-least - ROUNDING, -least + ROUNDING]
}

fn pose(x: &[f64; 12]) -> Transform {
    let rotation = Mat3::from_rows([[x[0], x[1], x[2]], [x[3], x[4], x[5]], [x[6], x[7], x[8]]]);
    Transform::new(rotation, vec3(x[9], x[10], x[11]))
}
