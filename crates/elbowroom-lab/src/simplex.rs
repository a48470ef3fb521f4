//! Two sub-distances: the point of a simplex of at most four corners that is nearest to the origin.
//!
//! [`Regions`] is coulombe20 III-B: the newest corner A is taken to be part of the nearest feature, so only
//! the regions of A, of the edges at A and of the faces at A are looked at, by signs of dot products. It is
//! written as the paper has it. Where it fails: the region past B of a line, and those of B, C and BC of a
//! triangle, are never looked at, which is right only as long as every step makes progress in exact
//! arithmetic; and normals of needles and of flat tetrahedra are differences of nearly equal numbers, so that
//! their signs are noise. The paper does not say what happens when no face has the origin outside because all
//! are noise: "inside", that is, a collision. That is no corner case: a search that has arrived on a facet of
//! more than three corners is offered a fourth one of its plane, and the paper's stop rule (the vector
//! repeats) asks for the sub-distance of that flat tetrahedron first.
//!
//! [`CheckedRegions`] mends that in two ways: the search ends before a corner that makes no progress is taken
//! in, and in a tetrahedron a proposal past the edge BC of its face is passed over, being nearer than any
//! point of the face. Its authors may have meant it; the text does not say it.
//!
//! [`SignedVolumes`] is Montanari, Petrinic and Barbieri 2017: barycentric coordinates from signed volumes,
//! areas and lengths, compared only with their own sum, projected to the coordinate plane in which the
//! simplex is largest. All features are looked at, the newest corner plays no special part.

use elbowroom::math::Vec3;

/// A corner of the Minkowski difference and the vertices it came from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    /// The point (metres).
    pub point: Vec3,
    /// Vertex of each body.
    pub of: [u32; 2],
}

/// At most four corners, the newest first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simplex {
    corners: [Corner; 4],
    count: usize,
}

impl Simplex {
    /// A simplex of the first four of these.
    pub fn new(corners: &[Corner]) -> Simplex {
        let mut simplex = Simplex::default();
        for corner in corners.iter().take(4) {
            simplex.corners[simplex.count] = *corner;
            simplex.count += 1;
        }
        simplex
    }
    /// The corners, the newest first.
    pub fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }
    /// Puts a corner in front; a fifth falls off the end.
    pub fn push(&mut self, corner: Corner) {
        self.corners.copy_within(0..3, 1);
        self.corners[0] = corner;
        self.count = (self.count + 1).min(4);
    }
    fn sub_simplex<const N: usize>(&self, places: [usize; N]) -> Simplex {
        Simplex::new(&places.map(|i| self.corners[i]))
    }
    fn point_at(&self, i: usize) -> Vec3 {
        self.corners[i].point
    }
}

/// What a sub-distance answers.
#[derive(Clone, Copy, Debug)]
pub struct NearestOnSimplex {
    /// From the simplex to the origin (metres): its length is the distance.
    pub v: Vec3,
    /// The corners of the feature that the nearest point lies on.
    pub kept: Simplex,
    /// The origin is in the simplex.
    pub inside: bool,
}

/// Finds the point of a simplex nearest to the origin.
pub trait SubDistance: Copy {
    /// A corner that brings no progress ends the search and is not taken in.
    const PROGRESS_FIRST: bool = false;
    /// For a simplex of one to four corners, the newest first.
    fn nearest_to_origin(self, simplex: &Simplex) -> NearestOnSimplex;
}

/// coulombe20 III-B.
#[derive(Clone, Copy, Debug)]
pub struct Regions;

impl SubDistance for Regions {
    #[inline]
    fn nearest_to_origin(self, s: &Simplex) -> NearestOnSimplex {
        nearest_by_regions(s, false)
    }
}

/// coulombe20 III-B, with progress and the faces of a tetrahedron checked.
#[derive(Clone, Copy, Debug)]
pub struct CheckedRegions;

impl SubDistance for CheckedRegions {
    const PROGRESS_FIRST: bool = true;
    #[inline]
    fn nearest_to_origin(self, s: &Simplex) -> NearestOnSimplex {
        nearest_by_regions(s, true)
    }
}

#[inline]
fn nearest_by_regions(s: &Simplex, checked: bool) -> NearestOnSimplex {
    match s.count {
        0 | 1 => nearest_outside(-s.point_at(0), s.sub_simplex([0])),
        2 => nearest_on_line(s, 1),
        3 => nearest_on_triangle(s, 1, 2),
        _ => nearest_on_tetrahedron(s, checked),
    }
}

/// Whether the nearest point lies in the feature it was found on, and not past the end across from A.
fn lies_in_feature(found: &NearestOnSimplex) -> bool {
    let k = &found.kept;
    match k.count {
        2 => (k.point_at(1) - k.point_at(0)).dot(k.point_at(1)) >= 0.0,
        3 => {
            let (ab, ac, bc) =
                (k.point_at(1) - k.point_at(0), k.point_at(2) - k.point_at(0), k.point_at(2) - k.point_at(1));
            bc.cross(ab.cross(ac)).dot(-k.point_at(1)) <= 0.0
        }
        _ => true,
    }
}

fn nearest_outside(v: Vec3, kept: Simplex) -> NearestOnSimplex {
    NearestOnSimplex { v, kept, inside: false }
}

fn nearest_on_line(s: &Simplex, b: usize) -> NearestOnSimplex {
    let (ao, ab) = (-s.point_at(0), s.point_at(b) - s.point_at(0));
    let along = ab.dot(ao);
    if along > 0.0 {
        nearest_outside(ao - ab * (along / ab.norm_squared()), s.sub_simplex([0, b]))
    } else {
        nearest_outside(ao, s.sub_simplex([0]))
    }
}

fn nearest_on_triangle(s: &Simplex, b: usize, c: usize) -> NearestOnSimplex {
    let (ao, ab, ac) = (-s.point_at(0), s.point_at(b) - s.point_at(0), s.point_at(c) - s.point_at(0));
    let abc = ab.cross(ac);
    // Beyond AC, beyond AB, or at A; otherwise over the face.
    if abc.cross(ac).dot(ao) > 0.0 {
        if ac.dot(ao) > 0.0 {
            return nearest_on_line(s, c);
        }
        return if ab.dot(ao) > 0.0 {
            nearest_on_line(s, b)
        } else {
            nearest_outside(ao, s.sub_simplex([0]))
        };
    }
    if ab.cross(abc).dot(ao) > 0.0 {
        return if ab.dot(ao) > 0.0 {
            nearest_on_line(s, b)
        } else {
            nearest_outside(ao, s.sub_simplex([0]))
        };
    }
    nearest_outside(abc * (abc.dot(ao) / abc.norm_squared()), s.sub_simplex([0, b, c]))
}

fn nearest_on_tetrahedron(s: &Simplex, checked: bool) -> NearestOnSimplex {
    let ao = -s.point_at(0);
    let mut best: Option<NearestOnSimplex> = None;
    let mut is_outside = false;
    // Each face at A, and the corner it leaves out, which says which side is outside.
    for (b, c, d) in [(1, 2, 3), (2, 3, 1), (3, 1, 2)] {
        let n = (s.point_at(b) - s.point_at(0)).cross(s.point_at(c) - s.point_at(0));
        if n.dot(s.point_at(d) - s.point_at(0)) * n.dot(ao) < 0.0 {
            let found = nearest_on_triangle(s, b, c);
            is_outside = true;
            if checked && !lies_in_feature(&found) {
                continue;
            }
            if best.is_none_or(|best| found.v.norm_squared() < best.v.norm_squared()) {
                best = Some(found);
            }
        }
    }
    // Outside, but nowhere: A is no part of the nearest feature. Stay at A; the search makes no progress and
    // ends.
    let at_a = nearest_outside(ao, s.sub_simplex([0]));
    best.unwrap_or(if is_outside { at_a } else { NearestOnSimplex { v: Vec3::ZERO, kept: *s, inside: true } })
}

/// Montanari, Petrinic and Barbieri 2017.
#[derive(Clone, Copy, Debug)]
pub struct SignedVolumes;

impl SubDistance for SignedVolumes {
    #[inline]
    fn nearest_to_origin(self, s: &Simplex) -> NearestOnSimplex {
        match s.count {
            0 | 1 => nearest_outside(-s.point_at(0), s.sub_simplex([0])),
            2 => volume_1(s, [0, 1]),
            3 => volume_2(s, [0, 1, 2]),
            _ => volume_3(s),
        }
    }
}

fn same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

/// The length of a vector of which only the largest coordinate matters: which one it is.
fn largest_coordinate(v: Vec3) -> usize {
    let a = v.abs();
    if a.x >= a.y && a.x >= a.z {
        0
    } else if a.y >= a.z {
        1
    } else {
        2
    }
}

fn keep_shorter(best: Option<NearestOnSimplex>, found: NearestOnSimplex) -> Option<NearestOnSimplex> {
    match best {
        Some(best) if best.v.norm_squared() <= found.v.norm_squared() => Some(best),
        _ => Some(found),
    }
}

fn volume_1(s: &Simplex, [a, b]: [usize; 2]) -> NearestOnSimplex {
    let (p, q) = (s.point_at(a), s.point_at(b));
    let t = q - p;
    let foot = q - t * (q.dot(t) / t.norm_squared());
    let axis = largest_coordinate(t);
    let [p1, q1, f1] = [p, q, foot].map(|x| x.to_array()[axis]);
    let whole = p1 - q1;
    let (of_p, of_q) = (f1 - q1, p1 - f1);
    if same_sign(whole, of_p) && same_sign(whole, of_q) {
        nearest_outside(-(p * (of_p / whole) + q * (of_q / whole)), s.sub_simplex([a, b]))
    } else if same_sign(whole, of_q) {
        nearest_outside(-q, s.sub_simplex([b]))
    } else {
        nearest_outside(-p, s.sub_simplex([a]))
    }
}

fn volume_2(s: &Simplex, places: [usize; 3]) -> NearestOnSimplex {
    let [p, q, r] = places.map(|i| s.point_at(i));
    let n = (q - p).cross(r - p);
    let foot = n * (p.dot(n) / n.norm_squared());
    let axis = largest_coordinate(n);
    let flat = |v: Vec3| {
        let v = v.to_array();
        (v[(axis + 1) % 3], v[(axis + 2) % 3])
    };
    let area = |a: Vec3, b: Vec3, c: Vec3| {
        let ((ax, ay), (bx, by), (cx, cy)) = (flat(a), flat(b), flat(c));
        (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    };
    let whole = n.to_array()[axis];
    let parts = [area(foot, q, r), area(p, foot, r), area(p, q, foot)];
    if parts.iter().all(|part| same_sign(whole, *part)) {
        let v = p * (parts[0] / whole) + q * (parts[1] / whole) + r * (parts[2] / whole);
        return nearest_outside(-v, s.sub_simplex(places));
    }
    let mut best = None;
    for (k, part) in parts.iter().enumerate() {
        // The edge across from a corner whose part is not positive; all edges where nothing can be compared.
        if !same_sign(whole, *part) {
            best = keep_shorter(best, volume_1(s, [places[(k + 1) % 3], places[(k + 2) % 3]]));
        }
    }
    best.unwrap_or(nearest_outside(-p, s.sub_simplex([places[0]])))
}

fn volume_3(s: &Simplex) -> NearestOnSimplex {
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| s.point_at(i));
    let volume = |p: Vec3, q: Vec3, r: Vec3| p.dot(q.cross(r));
    // Cofactors of the matrix of corners: each is the volume of the origin with the face across.
    let parts = [volume(b, c, d), -volume(a, c, d), volume(a, b, d), -volume(a, b, c)];
    let whole: f64 = parts.iter().sum();
    if parts.iter().all(|part| same_sign(whole, *part)) {
        return NearestOnSimplex { v: Vec3::ZERO, kept: *s, inside: true };
    }
    let mut best = None;
    for (k, part) in parts.iter().enumerate() {
        if !same_sign(whole, *part) {
            let face = [(k + 1) % 4, (k + 2) % 4, (k + 3) % 4];
            best = keep_shorter(best, volume_2(s, face));
        }
    }
    best.unwrap_or(nearest_outside(-a, s.sub_simplex([0])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::math::vec3;

    fn simplex(points: &[Vec3]) -> Simplex {
        let corners: Vec<Corner> = points.iter().map(|p| Corner { point: *p, of: [0; 2] }).collect();
        Simplex::new(&corners)
    }

    /// Simplices whose newest corner belongs to the nearest feature: both answer, and alike.
    #[test]
    fn both_find_known_points() {
        let known = [
            (vec![vec3(1.0, 2.0, 3.0)], vec3(1.0, 2.0, 3.0), 1),
            (vec![vec3(1.0, -1.0, 0.0), vec3(1.0, 2.0, 0.0)], vec3(1.0, 0.0, 0.0), 2),
            (vec![vec3(1.0, 0.5, 0.0), vec3(1.0, 2.0, 0.0)], vec3(1.0, 0.5, 0.0), 1),
            (vec![vec3(-1.0, -1.0, 2.0), vec3(3.0, -1.0, 2.0), vec3(-1.0, 3.0, 2.0)], vec3(0.0, 0.0, 2.0), 3),
            (vec![vec3(-1.0, 1.0, 2.0), vec3(3.0, 1.0, 2.0), vec3(-1.0, 3.0, 2.0)], vec3(0.0, 1.0, 2.0), 2),
            (
                vec![vec3(-1.0, -1.0, 1.0), vec3(3.0, -1.0, 1.0), vec3(-1.0, 3.0, 1.0), vec3(0.0, 0.0, 5.0)],
                vec3(0.0, 0.0, 1.0),
                3,
            ),
        ];
        for (points, point, corners) in known {
            let s = simplex(&points);
            for found in [
                Regions.nearest_to_origin(&s),
                CheckedRegions.nearest_to_origin(&s),
                SignedVolumes.nearest_to_origin(&s),
            ] {
                assert!((found.v + point).norm() < 1e-15 && !found.inside, "{points:?}: {found:?}");
                assert_eq!(found.kept.corners().len(), corners, "{points:?}");
            }
        }
        let around =
            simplex(&[vec3(1.0, 1.0, 1.0), vec3(-1.0, 0.0, 1.0), vec3(0.0, -1.0, 1.0), vec3(0.0, 0.0, -2.0)]);
        assert!(Regions.nearest_to_origin(&around).inside && SignedVolumes.nearest_to_origin(&around).inside);
        assert!(CheckedRegions.nearest_to_origin(&around).inside);
    }
}
