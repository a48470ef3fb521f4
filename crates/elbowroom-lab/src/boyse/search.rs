//! All events of a motion, and what they say about its first contact.

use super::feature::{Meets, edges_cross};
use super::law::TimeSpan;
use super::motion::{Motion, Own};
use super::polyhedron::Polyhedron;
use super::still::{frame_rounding, solids_overlap};
use crate::limits::{BOYSE_PARALLEL, BOYSE_PROBES, BOYSE_STEP};
use elbowroom::math::Vec3;

/// What is known of a motion. Times are parts of it, from 0, its start, to 1, its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum First {
    /// Nothing ever touches.
    Free,
    /// Something does.
    Contact {
        /// Before this nothing touches.
        free_until: f64,
        /// Here something certainly does.
        touches_at: f64,
    },
    /// Something comes as near as the tolerance, and nothing certainly touches.
    Near {
        /// Before this nothing touches.
        free_until: f64,
    },
}

/// How far a feature reaches along each of three numbers that the motion does not change: x, y and the span
/// of z for a slide; the distance from the axis and z for a turn.
#[derive(Clone, Copy)]
struct Reach([[f64; 2]; 3]);

impl Reach {
    fn from_points(points: &[Vec3], own: &Own, moves: bool, slack: f64) -> Reach {
        let range = |value: &dyn Fn(&Vec3) -> f64| {
            let values = points.iter().map(value);
            let ends = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, m], v| [l.min(v), m.max(v)]);
            [ends[0] - slack, ends[1] + slack]
        };
        let mut z = range(&|p| p.z);
        if own.turns {
            let far = range(&|p| p.x.hypot(p.y))[1];
            return Reach([[distance_to_axis(points) - slack, far], z, [0.0, 0.0]]);
        }
        if moves {
            z[1] += own.end;
        }
        Reach([range(&|p| p.x), range(&|p| p.y), z])
    }

    /// Around all of them.
    fn cover_all<'a>(all: impl Iterator<Item = &'a Reach>) -> Reach {
        let nothing = Reach([[f64::INFINITY, f64::NEG_INFINITY]; 3]);
        all.fold(nothing, |Reach(sum), Reach(one)| {
            Reach([0, 1, 2].map(|k| [sum[k][0].min(one[k][0]), sum[k][1].max(one[k][1])]))
        })
    }

    fn meets_reach(&self, other: &Reach) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a[0] <= b[1] && b[0] <= a[1])
    }
}

/// How near a point, a segment or a triangle comes to the z axis.
fn distance_to_axis(points: &[Vec3]) -> f64 {
    let side = |a: Vec3, b: Vec3| {
        let (x, y) = (b.x - a.x, b.y - a.y);
        let square = x * x + y * y;
        let part = if square > 0.0 { (-(a.x * x + a.y * y) / square).clamp(0.0, 1.0) } else { 0.0 };
        (a.x + part * x).hypot(a.y + part * y)
    };
    let sides = (0..points.len()).map(|i| side(points[i], points[(i + 1) % points.len()]));
    let least = sides.fold(f64::INFINITY, f64::min);
    if let [a, b, c] = points {
        let cross = |a: &Vec3, b: &Vec3| a.x * b.y - a.y * b.x;
        let around = [cross(a, b), cross(b, c), cross(c, a)];
        if around.iter().all(|v| *v >= 0.0) || around.iter().all(|v| *v <= 0.0) {
            return 0.0;
        }
    }
    least
}

/// An event: when, and whether the two certainly meet then.
#[derive(Clone, Copy)]
struct Event {
    from: f64,
    to: f64,
    certain: bool,
}

struct Search<'a> {
    own: Own,
    moving: &'a Polyhedron,
    still: &'a Polyhedron,
    /// What rounding can do, and how near a corner is to a plane that it meets (metres).
    rounding: f64,
    tolerance: f64,
    events: Vec<Event>,
}

/// When a solid that moves first touches one that stands still; both at the start, in one frame (metres).
/// `None` if a number is not finite, or a turn has no axis.
pub fn first_contact(moving: &Polyhedron, still: &Polyhedron, motion: &Motion) -> Option<First> {
    let count = moving.corners.len().max(1) as f64;
    let center = moving.corners.iter().fold(Vec3::ZERO, |sum, c| sum + *c) * (1.0 / count);
    let own = motion.own_frame(center)?;
    let [moving, still] = [moving, still].map(|solid| solid.transformed_by(&own.from_world));
    if solids_overlap(&moving, &still) {
        return Some(First::Contact { free_until: 0.0, touches_at: 0.0 });
    }
    let rounding = frame_rounding(&moving, &still) + if own.turns { 0.0 } else { rounding_of_slide(&own) };
    let tolerance = rounding + BOYSE_PARALLEL * moving.longest_edge().max(still.longest_edge());
    let mut search = Search { own, moving: &moving, still: &still, rounding, tolerance, events: Vec::new() };
    search.search_corner_events(false);
    search.search_corner_events(true);
    search.search_edge_events();
    Some(search.finish())
}

/// What rounding adds far along a slide (metres).
fn rounding_of_slide(own: &Own) -> f64 {
    crate::limits::BOYSE_ROUNDING * own.end
}

impl Search<'_> {
    /// Adds an event of one pair of features. `speed` is how far its points move in a unit of time, and
    /// `meets` tells how they meet at a time, where they are off by a tolerance and turned by an angle.
    fn add_event(&mut self, span: TimeSpan, speed: f64, meets: impl Fn(f64, f64, f64) -> Meets) {
        let half = 0.5 * (span.to - span.from);
        let turned = if self.own.turns { half } else { 0.0 };
        let how = meets(span.from + half, self.rounding + speed * half, turned);
        if how != Meets::No {
            let certain = span.crosses && how == Meets::Yes;
            self.events.push(Event { from: span.from, to: span.to, certain });
        }
    }

    /// Corners that move and faces that stand still; backwards the other way round.
    fn search_corner_events(&mut self, backwards: bool) {
        let (own, tolerance) = (self.own, self.tolerance);
        let (of_corners, of_faces) =
            if backwards { (self.still, self.moving) } else { (self.moving, self.still) };
        let mut used = vec![false; of_corners.corners.len()];
        of_corners.faces.iter().flatten().for_each(|i| used[*i as usize] = true);
        let points = of_corners.corners.iter().zip(used).filter(|(_, used)| *used).map(|(p, _)| *p);
        let mut points: Vec<(Vec3, Reach)> =
            points.map(|p| (p, Reach::from_points(&[p], &own, !backwards, tolerance))).collect();
        let all = Reach::cover_all(points.iter().map(|point| &point.1));
        let faces = of_faces.faces(self.rounding);
        let faces = faces.map(|face| (face, Reach::from_points(&face.corners, &own, backwards, tolerance)));
        let faces: Vec<_> = faces.filter(|(_, reach)| reach.meets_reach(&all)).collect();
        let all = Reach::cover_all(faces.iter().map(|face| &face.1));
        points.retain(|(_, reach)| reach.meets_reach(&all));
        for (face, around) in &faces {
            for (p, _) in points.iter().filter(|(_, reach)| around.meets_reach(reach)) {
                let law = own.height_law(*p, face.normal, face.offset, backwards);
                law.near_zero(tolerance, own.end, |span| {
                    self.add_event(span, own.point_speed(*p), |t, off, _| {
                        let t = if backwards { -t } else { t };
                        face.holds_point(own.moved_point(*p, t), off + tolerance)
                    });
                });
                // At the start, also what stays in the plane.
                let height = face.normal.dot(*p) - face.offset;
                if height.abs() <= tolerance && face.holds_point(*p, tolerance) != Meets::No {
                    self.events.push(Event { from: 0.0, to: 0.0, certain: false });
                }
            }
        }
    }

    /// Edges that move and edges that stand still.
    fn search_edge_events(&mut self) {
        let own = self.own;
        let all = |solid: &Polyhedron, moves: bool| -> Vec<([Vec3; 2], Reach)> {
            let ends = solid.edges.iter().map(|e| solid.edge_ends(*e));
            ends.map(|[p, q]| ([p, q - p], Reach::from_points(&[p, q], &own, moves, self.tolerance)))
                .collect()
        };
        let (mut moving, mut still) = (all(self.moving, true), all(self.still, false));
        let whole = Reach::cover_all(moving.iter().map(|edge| &edge.1));
        still.retain(|(_, reach)| reach.meets_reach(&whole));
        let whole = Reach::cover_all(still.iter().map(|edge| &edge.1));
        moving.retain(|(_, reach)| reach.meets_reach(&whole));
        let (rounding, tolerance) = (self.rounding, self.tolerance);
        for (one, reach) in &moving {
            let [p, e] = *one;
            let speed = own.point_speed(p).max(own.point_speed(p + e));
            for (other, around) in &still {
                if !reach.meets_reach(around) {
                    continue;
                }
                let [q, f] = *other;
                let lengths = e.norm() * f.norm();
                own.volume_law(*one, *other).near_zero(rounding * lengths, own.end, |span| {
                    self.add_event(span, speed, |t, off, turned| {
                        let now = [own.moved_point(p, t), own.moved_direction(e, t)];
                        // Parallel edges: their corners tell.
                        edges_cross(now, [q, f], off, turned).unwrap_or(Meets::No)
                    });
                });
                // At the start, also what stays coplanar.
                let n = e.cross(f);
                if (q - p).dot(n).abs() <= tolerance * n.norm()
                    && edges_cross(*one, *other, tolerance, 0.0).is_some_and(|how| how != Meets::No)
                {
                    self.events.push(Event { from: 0.0, to: 0.0, certain: false });
                }
            }
        }
    }

    fn finish(mut self) -> First {
        self.events.sort_by(|a, b| a.from.total_cmp(&b.from));
        let Some(first) = self.events.first() else { return First::Free };
        let end = self.own.end;
        let whole = self.own.whole;
        let part = |t: f64| if whole > 0.0 { t / whole } else { 0.0 };
        let free_until = part(first.from);
        let certain = self.events.iter().filter(|e| e.certain).map(|e| e.to);
        let mut touches = certain.fold(f64::INFINITY, f64::min);
        // A little after each event that is only possible.
        let speed = self.moving.corners.iter().fold(0.0, |most: f64, c| most.max(self.own.point_speed(*c)));
        let mut probes = 0;
        let mut last = f64::NEG_INFINITY;
        for event in self.events.iter().filter(|event| !event.certain) {
            let step = BOYSE_STEP / speed.max(f64::MIN_POSITIVE);
            if event.to >= touches || probes >= BOYSE_PROBES {
                break;
            }
            // Those that are about as late as one that was looked at.
            if event.to - last < step {
                continue;
            }
            last = event.to;
            let mut later = step;
            while event.to + later <= end.min(touches) && probes < BOYSE_PROBES {
                probes += 1;
                if self.overlap_at(event.to + later) {
                    touches = event.to + later;
                    break;
                }
                later *= 4.0;
            }
        }
        match touches.is_finite() {
            true => First::Contact { free_until, touches_at: part(touches) },
            false => First::Near { free_until },
        }
    }

    fn overlap_at(&self, t: f64) -> bool {
        solids_overlap(&self.moving.map_corners(|c| self.own.moved_point(c, t)), self.still)
    }
}
