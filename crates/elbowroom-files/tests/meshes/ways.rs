//! The two ends of a searched depth, by the slow reference: A is moved, and all pairs of triangles are asked.
//!
//! * The lower end is the length of a way out. After A was moved by it, nothing may overlap. What lies inside
//!   an open mesh does not count.
//! * The upper end says that every shorter translation leaves an overlap. One that is free refutes it.
//!   Translations are drawn over the sphere, along faces of both bodies and about the way out, of all lengths
//!   up to just below the claim.
//!
//! Where the surfaces meet within [`HAIR`], or where it is a matter of opinion what is inside, nothing is
//! refuted.

use crate::checks::{Answer, Case};
use crate::claims::depth;
use crate::pairs::{Other, Posed, ROUNDED_BALL, face_directions};
use crate::support::rng::Rng;
use crate::support::slow::vector;
use crate::surface::Surface;
use elbowroom::math::Vec3;
use elbowroom::pair::Ask;
use elbowroom_reference::math::{self, Transform};
use elbowroom_reference::nearest::nearest_points;

/// Surfaces that are nearer than this, or cross by less, touch; in units of the scale. Far above the rounding
/// of a translated pose, and far below the depths that are drawn.
const HAIR: f64 = 1e-12;
/// Translations that are tried against an upper end.
const TRIED: usize = 24;
/// How far they stay below the claim, as a share of it: the rounding of their lengths.
const SHORT: f64 = 1e-12;

/// What is at the end of a translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum There {
    /// Nothing is nearer than a hair, and nothing is inside.
    Free,
    /// The surfaces cross by more than a hair.
    Overlap,
    /// The surfaces are apart, and a piece of one lies inside the other.
    Inside,
    /// Neither for certain.
    Unclear,
}

/// Bodies without their radii, and the pair of triangles that overlapped last: it often does so again.
pub struct Ways<'a> {
    posed: &'a Posed<'a>,
    radius: f64,
    last: Option<[usize; 2]>,
    /// How often each was the end.
    pub ends: [u32; 4],
}

impl<'a> Ways<'a> {
    pub fn new(posed: &'a Posed<'a>, radius: f64) -> Ways<'a> {
        Ways { posed, radius, last: None, ends: [0; 4] }
    }

    /// Moves A.
    pub fn there(&mut self, t: math::Vec3) -> There {
        let pose = Transform { translation: self.posed.pose.translation - t, ..self.posed.pose };
        let moved = Posed { pose, ..*self.posed };
        let there = self.look(&moved);
        self.ends[there as usize] += 1;
        there
    }

    fn look(&mut self, moved: &Posed) -> There {
        if self.last.is_some_and(|pair| self.pair(moved, pair) == There::Overlap) {
            return There::Overlap;
        }
        let surfaces = match moved.b {
            Other::Surface(_) => self.descend(moved, [0, 0]),
            Other::Convex(_) => self.triangles(moved),
        };
        match surfaces {
            There::Free => match moved.contained() {
                Some(true) => There::Inside,
                Some(false) => There::Free,
                None => There::Unclear,
            },
            met => met,
        }
    }

    /// A triangle of A and one of B, or all of a convex B.
    fn pair(&self, moved: &Posed, [i, j]: [usize; 2]) -> There {
        let (hair, u) = (HAIR * moved.scale, &moved.a.triangles[i]);
        let far = self.radius + hair;
        if let Some(t) = moved.placed(j) {
            // Most pairs are apart along the normal of one of them.
            if face_directions(u, &t).any(|n| moved.between(u, &t, n) > far) {
                return There::Free;
            }
            let (p, q) = nearest_points(u, &t);
            if moved.between(u, &t, p - q) > far {
                return There::Free;
            }
            if (p - q).norm() < self.radius - hair || depth(u, &t) > hair {
                return There::Overlap;
            }
        }
        let [lower, upper] = moved.measure([i, j]);
        if lower > far {
            There::Free
        } else if upper < self.radius - hair || lower <= 0.0 && moved.meet(i, hair, math::Vec3::X) {
            There::Overlap
        } else {
            There::Unclear
        }
    }

    fn take(&mut self, moved: &Posed, pair: [usize; 2], all: &mut There) {
        match self.pair(moved, pair) {
            There::Overlap => (*all, self.last) = (There::Overlap, Some(pair)),
            There::Unclear => *all = There::Unclear,
            There::Free | There::Inside => {}
        }
    }

    fn triangles(&mut self, moved: &Posed) -> There {
        let Other::Convex(b) = moved.b else { return There::Unclear };
        let far = self.radius + (HAIR + ROUNDED_BALL) * moved.scale;
        let (inverse, mut all) = (moved.pose.inverse(), There::Free);
        for (i, (center, radius)) in moved.a.around.iter().enumerate() {
            if b.off(inverse.transform_point(*center)) - radius <= far {
                self.take(moved, [i, 0], &mut all);
            }
            if all == There::Overlap {
                break;
            }
        }
        all
    }

    /// All pairs of triangles below two balls, until one overlaps.
    fn descend(&mut self, moved: &Posed, [x, y]: [usize; 2]) -> There {
        let Other::Surface(b) = moved.b else { return There::Unclear };
        let far = self.radius + (HAIR + ROUNDED_BALL) * moved.scale;
        let (p, q) = (&moved.a.balls[x], &b.balls[y]);
        let mut all = There::Free;
        if (p.center - moved.pose.transform_point(q.center)).norm() > p.radius + q.radius + far {
            return all;
        }
        let (of, first) = match (p.below, q.below) {
            (Some(of), None) => (of, true),
            (None, Some(of)) => (of, false),
            (Some(of), Some(_)) if p.radius >= q.radius => (of, true),
            (_, Some(of)) => (of, false),
            (None, None) => {
                for j in q.first..q.end {
                    let center = moved.pose.transform_point(b.around[j].0);
                    for i in p.first..p.end {
                        let (other, radius) = moved.a.around[i];
                        if (other - center).norm() <= radius + b.around[j].1 + far && all != There::Overlap {
                            self.take(moved, [i, j], &mut all);
                        }
                    }
                }
                return all;
            }
        };
        for n in of {
            match self.descend(moved, if first { [n, y] } else { [x, n] }) {
                There::Overlap => return There::Overlap,
                There::Unclear => all = There::Unclear,
                There::Free | There::Inside => {}
            }
        }
        all
    }
}

/// Checks both ends of what is claimed: that A is free after it was moved by `-lower` along `normal`, and
/// that no translation shorter than `-upper` frees it.
pub fn refuted(ways: &mut Ways, (lower, upper, normal): (f64, f64, Vec3), rng: &mut Rng) -> Vec<String> {
    let mut faults = Vec::new();
    let posed = ways.posed;
    let out = vector(normal) * -lower;
    let closed = posed.a.closed && !matches!(posed.b, Other::Surface(s) if !s.closed);
    let there = if lower.is_finite() { ways.there(out) } else { There::Free };
    if there == There::Overlap || there == There::Inside && closed {
        faults.push(format!("the way out {out:?} leads into an overlap"));
    }
    let face = |s: &Surface, rng: &mut Rng| {
        let [a, b, c] = s.triangles[rng.below(s.triangles.len())];
        (b - a).cross(c - a).normalized()
    };
    for k in 0..TRIED {
        let way = match (k % 4, posed.b) {
            (0, _) => None,
            (1, Other::Surface(b)) if k % 8 == 1 => face(b, rng).map(|n| posed.pose.transform_direction(n)),
            (1, _) => face(posed.a, rng),
            // About the way out, and along it.
            _ => (normal + rng.direction() * rng.decades(-4.0, 0.0)).normalized().map(vector),
        };
        let way = way.unwrap_or_else(|| vector(rng.direction()));
        let way = if k % 4 == 1 && rng.chance(0.5) { -way } else { way };
        let share = if k % 3 == 0 { rng.unit() } else { 1.0 - rng.decades(-6.0, -1.0) };
        let by = way * (-upper * share.min(1.0 - SHORT));
        if ways.there(by) == There::Free {
            faults.push(format!("the bodies are free after {by:?}, of length {:e}", by.norm()));
            break;
        }
    }
    faults
}

impl Case<'_> {
    /// Checks the ends of all depths; each once. No end of an answer may exclude another's.
    pub fn ways(&self, rng: &mut Rng, faults: &mut Vec<String>) -> [u32; 4] {
        let mut ways = Ways::new(self.posed, self.radius());
        let deep = |x: &&Answer| x.query.ask == Ask::Distance && x.c.interval.upper < 0.0;
        let mut seen: Vec<[f64; 2]> = Vec::new();
        for x in self.answers.iter().filter(deep) {
            let ends = [x.c.interval.lower, x.c.interval.upper];
            if seen.contains(&ends) {
                continue;
            }
            seen.push(ends);
            for fault in refuted(&mut ways, (ends[0], ends[1], x.c.normal), rng) {
                faults.push(format!("{}: {fault}", x.said()));
            }
        }
        let highest = self.answers.iter().map(|x| self.core(x)[0]).fold(f64::NEG_INFINITY, f64::max);
        let least = self.answers.iter().map(|x| self.core(x)[1]).fold(f64::INFINITY, f64::min);
        if least < 0.0 && highest > least + HAIR * self.posed.scale {
            faults.push(format!("one answer says at least {highest:e}, another at most {least:e}"));
        }
        ways.ends
    }
}
