//! Features that stand still: corners and faces, edges and edges, edges and faces.

use crate::limits::BOYSE_PARALLEL;
use elbowroom::math::Vec3;

/// Whether two features meet, by more than a tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meets {
    /// Apart by more.
    No,
    /// Neither is known.
    Maybe,
    /// Inside by more.
    Yes,
}

/// A face with what is asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    pub corners: [Vec3; 3],
    /// Unit normal, and how far the plane lies along it from the origin (metres).
    pub normal: Vec3,
    pub offset: f64,
    /// Of each side, inward in the plane.
    sides: [Side; 3],
    /// Where a side only divides a flat face: the two other sides of the triangle behind it.
    behind: [Option<[Side; 2]>; 3],
}

/// A line in a plane: a point of it, and the unit vector in the plane that points inward.
#[derive(Clone, Copy, Debug)]
struct Side {
    at: Vec3,
    inward: Vec3,
}

impl Side {
    fn new(from: Vec3, to: Vec3, normal: Vec3) -> Option<Side> {
        Some(Side { at: from, inward: normal.cross(to - from).normalized()? })
    }

    fn depth_inside(&self, p: Vec3) -> f64 {
        self.inward.dot(p - self.at)
    }
}

impl Face {
    /// From its corners and those of the faces behind its sides, which are in its plane if they are no
    /// farther from it than `flat` (metres). `None` of three corners on a line.
    pub fn new(corners: [Vec3; 3], behind: [Option<Vec3>; 3], flat: f64) -> Option<Face> {
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).normalized()?;
        let offset = normal.dot(a);
        let ends = [[a, b], [b, c], [c, a]];
        let [one, two, three] = ends.map(|[from, to]| Side::new(from, to, normal));
        let sides = [one?, two?, three?];
        let behind = [0, 1, 2].map(|k| {
            let ([from, to], d) = (ends[k], behind[k]?);
            // Beyond the side, and in the plane.
            let flat = (normal.dot(d) - offset).abs() <= flat && sides[k].depth_inside(d) < 0.0;
            if !flat {
                return None;
            }
            Some([Side::new(from, d, normal)?, Side::new(d, to, normal)?])
        });
        Some(Face { corners, normal, offset, sides, behind })
    }

    /// How far a point is from the face, or less (metres): from its plane where it is over the face, else
    /// from the nearest side's line.
    pub fn distance_to_point(&self, p: Vec3) -> f64 {
        let beyond = self.sides.iter().fold(0.0, |most: f64, side| most.max(-side.depth_inside(p)));
        (self.normal.dot(p) - self.offset).abs().max(beyond)
    }

    /// Whether a point of the plane lies in the face, or behind one of its sides in the same plane where that
    /// is not farther than the tolerance.
    pub fn holds_point(&self, p: Vec3, tolerance: f64) -> Meets {
        let depths = self.sides.map(|side| side.depth_inside(p));
        let least = depths.iter().copied().fold(f64::INFINITY, f64::min);
        let alone = meets_within(least, tolerance);
        // Near one side that only divides a face: all around the point is in the one triangle or in the
        // other.
        let mut near = (0..3).filter(|k| depths[*k] <= tolerance);
        let (Some(k), None) = (near.next(), near.next()) else { return alone };
        match self.behind[k] {
            Some(sides)
                if alone == Meets::Maybe && sides.iter().all(|side| side.depth_inside(p) > tolerance) =>
            {
                Meets::Yes
            }
            Some(_) | None => alone,
        }
    }
}

/// How deep inside something is, against a tolerance. Without a number nothing is known.
fn meets_within(inside: f64, tolerance: f64) -> Meets {
    if inside > tolerance {
        Meets::Yes
    } else if inside < -tolerance {
        Meets::No
    } else {
        Meets::Maybe
    }
}

/// Whether two edges cross, if their lines meet; each is a point and a direction. Points may be off by a
/// tolerance (metres), and one of the edges turned by an angle (radians); where the edges cross is known the
/// worse the smaller their angle is. `None` of parallel edges: their corners tell.
pub fn edges_cross([p, e]: [Vec3; 2], [q, f]: [Vec3; 2], tolerance: f64, turned: f64) -> Option<Meets> {
    let n = e.cross(f);
    let (lengths, area) = (e.norm() * f.norm(), n.norm());
    if area <= BOYSE_PARALLEL * lengths {
        return (turned > BOYSE_PARALLEL).then_some(Meets::Maybe);
    }
    let sine = (area / lengths - turned).max(BOYSE_PARALLEL);
    let tolerance = 4.0 * tolerance / sine;
    let along = |other: Vec3| (q - p).cross(other).dot(n) / (area * area);
    let inside = |part: f64, length: f64| part.min(1.0 - part) * length;
    let depth = inside(along(f), e.norm()).min(inside(along(e), f.norm()));
    Some(meets_within(depth, tolerance))
}

/// Whether an edge goes through a face by more than a tolerance (metres) on all sides: certainly, then.
pub fn edge_pierces_face([p, q]: [Vec3; 2], face: &Face, tolerance: f64) -> bool {
    let [from, to] = [p, q].map(|end| face.normal.dot(end) - face.offset);
    if from.min(to) >= -tolerance || from.max(to) <= tolerance {
        return false;
    }
    let at = p + (q - p) * (from / (from - to));
    // An error of both heights moves this point along the edge.
    let spread = tolerance * (1.0 + 2.0 * (q - p).norm() / (from - to).abs());
    face.holds_point(at, spread) == Meets::Yes
}
