//! A cylinder and a box (haase10, section III-C): the paper's steps, as printed and mended.
//!
//! 1. The nearest points of the cylinder's axis (a segment) and the box are found, `P_cyl` and `P_OBB`, and
//!    their distance `d`.
//! 2. `d > R`: the capsule around the cylinder does not meet the box, so the cylinder does not.
//! 3. Otherwise, with `alpha` the angle between the axis and the way from `P_cyl` to `P_OBB`: if it is 90
//!    degrees, they collide. If not, `P_cyl` is the middle of an end cap, and nothing is established.
//! 4. The cap's plane and the plane of the box intersect in a line, at distance `f` from `P_cyl`.
//! 5. If `f < R`, a piece of the line lies in the cap. They collide if that piece touches the box's face,
//!    else not.
//!
//! In step 5 "P_cyl < R" is printed: a misprint for `f`. Steps 2 and 3 are exact. So are 4 and 5, if every
//! face is asked that has `P_cyl` on its outer side. `P_OBB` lies beyond the cap and within `R` of the axis.
//! Let a point of the box lie in the cylinder. The segment from `P_OBB` to it lies in the box and crosses the
//! cap, at a point `Q`. The cap's middle `P_cyl` is outside of the box. So the segment from `P_cyl` to `Q`
//! lies in the cap and enters the box through a face that has `P_cyl` on its outer side.
//!
//! The paper has one plane, "the OBB plane". We read it as the plane of `P_OBB` ([`overlaps_as_printed`]).
//! Then a box is missed if `P_OBB` is a corner or lies on an edge, and the cap crosses the face beside it.
//!
//! A box's nearest point to a segment is found as in the papers that it cites: it is an end's nearest point,
//! or lies on an edge, unless the segment passes the box.

use super::cylinders::FlatCylinder;
use crate::primitives::OrientedBox;
use elbowroom::math::Vec3;

/// How a test of a cylinder and a box ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapEnd {
    /// Step 2: the axis is too far away.
    Far,
    /// The axis passes the box.
    AxisInside,
    /// Step 3: beside the axis.
    Beside,
    /// Step 4: no line passes the cap.
    LinesOutside,
    /// Step 5: a line passes the cap, but outside of the box's face.
    BesideFace,
    /// Step 5: the cap meets a face.
    CapMeets,
}

impl CapEnd {
    /// Whether they meet.
    pub fn is_meeting(self) -> bool {
        matches!(self, CapEnd::AxisInside | CapEnd::Beside | CapEnd::CapMeets)
    }
}

/// The nearest points of a segment and a box, in the box's frame.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    /// Their distance, squared.
    square: f64,
    /// Where on the segment: -1 is one end, 1 the other.
    along: f64,
    on_box: Vec3,
}

/// A cylinder in a box's frame.
struct Seen {
    center: Vec3,
    axis: Vec3,
    radius: f64,
    half_length: f64,
}

impl Seen {
    #[inline]
    fn from_box(cylinder: &FlatCylinder, b: &OrientedBox) -> Seen {
        Seen {
            center: b.axes.transpose_mul(cylinder.center - b.center),
            axis: b.axes.transpose_mul(cylinder.axis),
            radius: cylinder.radius,
            half_length: cylinder.half_length,
        }
    }

    #[inline]
    fn axis_point(&self, along: f64) -> Vec3 {
        self.center + self.axis * (along * self.half_length)
    }

    /// Whether the axis passes the box: what is left of the segment between the planes of each pair of faces.
    #[inline]
    fn passes_box(&self, half: Vec3) -> bool {
        let (mut from, mut to) = (-self.half_length, self.half_length);
        for k in 0..3 {
            let (at, slope) = (self.center[k], self.axis[k]);
            if slope == 0.0 {
                if at.abs() > half[k] {
                    return false;
                }
                continue;
            }
            let (one, other) = ((-half[k] - at) / slope, (half[k] - at) / slope);
            from = from.max(one.min(other));
            to = to.min(one.max(other));
        }
        from <= to
    }

    /// Step 1, for a segment that does not pass the box.
    #[inline]
    fn find_nearest(&self, half: Vec3) -> Nearest {
        let end = |along: f64| {
            let p = self.axis_point(along);
            let on_box = p.max(-half).min(half);
            Nearest { square: (p - on_box).norm_squared(), along, on_box }
        };
        let (one, other) = (end(-1.0), end(1.0));
        let mut nearest = if other.square < one.square { other } else { one };
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            for (side_i, side_j) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                let mut corner = Vec3::ZERO;
                corner[i] = side_i * half[i];
                corner[j] = side_j * half[j];
                let found = self.nearest_on_edge(corner, k, half[k]);
                if found.square < nearest.square {
                    nearest = found;
                }
            }
        }
        nearest
    }

    /// The nearest points of the axis and an edge along coordinate `k`, whose middle is given.
    #[inline]
    fn nearest_on_edge(&self, middle: Vec3, k: usize, half: f64) -> Nearest {
        let way = self.center - middle;
        // Both directions have length 1: the least of |way + s axis - t e_k|.
        let (cosine, along_axis, along_edge) = (self.axis[k], self.axis.dot(way), way[k]);
        let flat = 1.0 - cosine * cosine;
        let free = if flat > 0.0 { (cosine * along_edge - along_axis) / flat } else { 0.0 };
        let mut s = free.clamp(-self.half_length, self.half_length);
        let t = (along_edge + cosine * s).clamp(-half, half);
        s = (cosine * t - along_axis).clamp(-self.half_length, self.half_length);
        let mut on_box = middle;
        on_box[k] = t;
        let point = self.center + self.axis * s;
        let along = if self.half_length > 0.0 { s / self.half_length } else { 0.0 };
        Nearest { square: (point - on_box).norm_squared(), along, on_box }
    }
}

/// Steps 4 and 5 for one face: the plane in which coordinate `k` is `side`. `None` if its line passes outside
/// of the cap, otherwise whether the piece in the cap touches the face.
#[inline]
fn cap_meets_face(middle: Vec3, normal: Vec3, radius: f64, k: usize, side: f64, half: Vec3) -> Option<bool> {
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    // Of the cap's points with coordinate k at `side`: the nearest to the middle lies along the steepest way
    // in the cap.
    let flat = normal[i] * normal[i] + normal[j] * normal[j];
    let rise = side - middle[k];
    // Parallel planes have no line. If they are one plane, a face beside this one has it.
    if flat <= f64::EPSILON * f64::EPSILON {
        return None;
    }
    let distance = rise.abs() / flat.sqrt();
    if distance >= radius {
        return None;
    }
    // The steepest way is e_k less its part along the normal; its rise is `flat`.
    let step = rise / flat;
    let foot = [middle[i] - step * normal[k] * normal[i], middle[j] - step * normal[k] * normal[j]];
    let length = flat.sqrt();
    let direction = [-normal[j] / length, normal[i] / length];
    let reach = (radius * radius - distance * distance).sqrt();
    let (mut from, mut to) = (-reach, reach);
    for (at, slope, most) in [(foot[0], direction[0], half[i]), (foot[1], direction[1], half[j])] {
        if slope == 0.0 {
            if at.abs() > most {
                return Some(false);
            }
            continue;
        }
        let (one, other) = ((-most - at) / slope, (most - at) / slope);
        from = from.max(one.min(other));
        to = to.min(one.max(other));
    }
    Some(from <= to)
}

/// Which planes step 4 asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Planes {
    /// The one of `P_OBB`; of several the first.
    OfNearest,
    /// All that have `P_cyl` on their outer side.
    Visible,
}

/// Whether a cylinder and a box of one frame meet, and how that was found: the paper's steps, for every face
/// that has `P_cyl` on its outer side. Exact to rounding.
#[inline]
pub fn does_cylinder_meet_box(cylinder: &FlatCylinder, b: &OrientedBox) -> CapEnd {
    run_steps(cylinder, b, Planes::Visible)
}

/// The paper's steps with one plane, that of `P_OBB`. It misses boxes that a cap meets beside their nearest
/// edge or corner.
pub fn overlaps_as_printed(cylinder: &FlatCylinder, b: &OrientedBox) -> CapEnd {
    run_steps(cylinder, b, Planes::OfNearest)
}

#[inline]
fn run_steps(cylinder: &FlatCylinder, b: &OrientedBox, planes: Planes) -> CapEnd {
    let seen = Seen::from_box(cylinder, b);
    if seen.passes_box(b.half) {
        return CapEnd::AxisInside;
    }
    let nearest = seen.find_nearest(b.half);
    if nearest.square > seen.radius * seen.radius {
        return CapEnd::Far;
    }
    let outward = if nearest.along < 0.0 { -seen.axis } else { seen.axis };
    let middle = seen.axis_point(nearest.along);
    // The angle is 90 degrees inside of the segment; at its end, unless the box's point lies beyond it.
    if nearest.along.abs() < 1.0 || outward.dot(nearest.on_box - middle) <= 0.0 {
        return CapEnd::Beside;
    }
    let mut end = CapEnd::LinesOutside;
    for k in 0..3 {
        // Only a face that has the cap's middle on its outer side is asked.
        let is_asked = match planes {
            Planes::Visible => middle[k].abs() > b.half[k],
            Planes::OfNearest => nearest.on_box[k].abs() >= b.half[k],
        };
        if !is_asked {
            continue;
        }
        let side = b.half[k].copysign(if planes == Planes::Visible { middle[k] } else { nearest.on_box[k] });
        match cap_meets_face(middle, outward, seen.radius, k, side, b.half) {
            Some(true) => return CapEnd::CapMeets,
            Some(false) => end = CapEnd::BesideFace,
            None => {}
        }
        if planes == Planes::OfNearest {
            break;
        }
    }
    end
}
