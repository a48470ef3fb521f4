//! Two flat-capped cylinders (haase10, section III-A): as printed, and exact.
//!
//! All joints of the hand bend about horizontal axes. So a plane at any height cuts two joints in rectangles,
//! and two rectangles meet if and only if none of their four edge directions separates them. The paper says:
//! if the axes are more than both radii apart in height, the joints are apart; otherwise the rectangles
//! half-way between the axes decide, since all joints are equally wide ([`joints_overlap_as_printed`]).
//!
//! That is exact for parallel joints alone. The cap of one joint can meet the side of the other where only
//! that side must be wide: at the height of its own axis, where half-way it is narrower. The printed test
//! then says apart, and they overlap by up to a fifth of a radius. It is never wrong the other way round.
//!
//! [`cylinders_overlap`] looks for the height at which the rectangles meet. The overlap of two rectangles
//! along one of the four directions is concave over the height `h`, a sum of roots `sqrt(r^2 - h^2)`, and so
//! is the least of the four. If one direction separates them at a height, the rectangles can only meet
//! towards where its overlap grows: half of the heights are left out at once, and all of them where the
//! tangent stays below zero. It begins half-way between the axes, as the paper does, where most pairs are
//! decided, and ends after [`CYLINDER_STEPS`] halvings: what is still open then touches to rounding, and
//! counts as meeting.
//!
//! Any two cylinders have a direction that is perpendicular to both axes. Seen along it they are horizontal,
//! so nothing here needs the hand, nor equal radii.

use crate::limits::CYLINDER_STEPS;
use elbowroom::math::Vec3;

/// A flat-capped cylinder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatCylinder {
    /// Its middle.
    pub center: Vec3,
    /// The direction of its axis, of length 1.
    pub axis: Vec3,
    /// Radius (metres).
    pub radius: f64,
    /// Half its length (metres).
    pub half_length: f64,
}

/// How a test of two cylinders ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CylinderEnd {
    /// The axes are too far apart in height.
    Above,
    /// Apart half-way between the axes, and then everywhere.
    ApartAtCut,
    /// The rectangles half-way between the axes meet.
    MeetAtCut,
    /// Apart, after a search over the height.
    ApartAfterSearch,
    /// They meet elsewhere than half-way between the axes.
    MeetAfterSearch,
}

impl CylinderEnd {
    /// Whether they meet.
    pub fn is_meeting(self) -> bool {
        matches!(self, CylinderEnd::MeetAtCut | CylinderEnd::MeetAfterSearch)
    }
}

/// Two cylinders seen along the direction in which both are horizontal.
struct Horizontal {
    /// How far the second lies above the first.
    rise: f64,
    radii: [f64; 2],
    /// For each of the four directions: the overlap without the widths of the cuts, and how the two half
    /// widths count.
    directions: [[f64; 3]; 4],
}

impl Horizontal {
    #[inline]
    fn of_cylinders(a: &FlatCylinder, b: &FlatCylinder) -> Horizontal {
        let product = a.axis.cross(b.axis).normalized().unwrap_or_else(|| a.axis.any_perpendicular());
        // Of nearly parallel axes the product is mostly rounding. What is perpendicular to one is then nearly
        // so to the other.
        let level = product - a.axis * product.dot(a.axis);
        let up = level.normalized().unwrap_or_else(|| a.axis.any_perpendicular());
        Horizontal::seen_along(up, a, b)
    }

    /// Seen along a direction that is perpendicular to both axes. Each edge of the cuts is an axis or a
    /// quarter of a turn from one, so a sine and a cosine say how far each cut reaches along the edges of the
    /// other.
    #[inline]
    fn seen_along(up: Vec3, a: &FlatCylinder, b: &FlatCylinder) -> Horizontal {
        let way = b.center - a.center;
        // `(up x axis) . way` is `axis . (way x up)`.
        let turned = way.cross(up);
        let (cosine, sine) = (a.axis.dot(b.axis).abs(), a.axis.dot(b.axis.cross(up)).abs());
        let [long, other] = [a.half_length, b.half_length];
        Horizontal {
            rise: up.dot(way).abs(),
            radii: [a.radius, b.radius],
            directions: [
                [other * sine - a.axis.dot(turned).abs(), 1.0, cosine],
                [long * sine - b.axis.dot(turned).abs(), cosine, 1.0],
                [long + other * cosine - a.axis.dot(way).abs(), 0.0, sine],
                [long * cosine + other - b.axis.dot(way).abs(), sine, 0.0],
            ],
        }
    }

    /// Half widths of both cuts at a height over the first axis.
    #[inline]
    fn half_widths(&self, height: f64) -> [f64; 2] {
        let [r, s] = self.radii;
        let below = self.rise - height;
        [(r * r - height * height).max(0.0).sqrt(), (s * s - below * below).max(0.0).sqrt()]
    }

    /// The direction along which two cuts overlap least.
    #[inline]
    fn least_overlap(&self, [a, b]: [f64; 2]) -> (f64, &[f64; 3]) {
        let mut least = (f64::INFINITY, &self.directions[0]);
        for direction in &self.directions {
            let overlap = direction[0] + direction[1] * a + direction[2] * b;
            if overlap < least.0 {
                least = (overlap, direction);
            }
        }
        least
    }
}

/// Whether two joints meet by the steps of section III-A: seen along `up`, to which both axes are
/// perpendicular; both have one radius. It misses joints whose cap meets the other's side.
pub fn joints_overlap_as_printed(a: &FlatCylinder, b: &FlatCylinder, up: Vec3) -> bool {
    let seen = Horizontal::seen_along(up, a, b);
    seen.rise <= a.radius + b.radius && seen.least_overlap(seen.half_widths(0.5 * seen.rise)).0 >= 0.0
}

/// Whether two cylinders meet, and how that was found. Exact to rounding.
#[inline]
pub fn cylinders_overlap(a: &FlatCylinder, b: &FlatCylinder) -> CylinderEnd {
    decide_end(&Horizontal::of_cylinders(a, b))
}

/// Whether two joints of the hand meet, `up` being perpendicular to both axes. Exact to rounding.
#[inline]
pub fn joints_overlap(a: &FlatCylinder, b: &FlatCylinder, up: Vec3) -> CylinderEnd {
    decide_end(&Horizontal::seen_along(up, a, b))
}

#[inline]
fn decide_end(seen: &Horizontal) -> CylinderEnd {
    let [r, s] = seen.radii;
    if seen.rise > r + s {
        return CylinderEnd::Above;
    }
    let (mut low, mut high) = ((-r).max(seen.rise - s), r.min(seen.rise + s));
    for step in 0..CYLINDER_STEPS {
        let height = 0.5 * (low + high);
        let widths = seen.half_widths(height);
        let (overlap, direction) = seen.least_overlap(widths);
        if overlap >= 0.0 {
            return if step == 0 { CylinderEnd::MeetAtCut } else { CylinderEnd::MeetAfterSearch };
        }
        let slope = direction[2] * (seen.rise - height) / widths[1] - direction[1] * height / widths[0];
        let (left, right) = if slope > 0.0 { (height, high) } else { (low, height) };
        // The tangent lies above the overlap. A slope that is no number says nothing, and the search goes on.
        if overlap + slope.abs() * (right - left) < 0.0 {
            return if step == 0 { CylinderEnd::ApartAtCut } else { CylinderEnd::ApartAfterSearch };
        }
        (low, high) = (left, right);
    }
    CylinderEnd::MeetAfterSearch
}
