//! Everything that must hold of the answers to one pose.

use crate::bodies::{Body, Change};
use crate::claims::Proof;
use crate::pairs::{Found, Other, Posed, TIE};
use crate::support::slow;
use elbowroom::math::Vec3;
use elbowroom::pair::{Ask, Clearance, Effort, Query, Stop};
use elbowroom_reference::math;

/// Witnesses may be off by this much of the scale: roundings of results, not of proofs.
const ROUNDED: f64 = 1e-13;
/// Witnesses of padded bodies may be off by this much of the scale: they are moved along a computed
/// direction.
const ROUNDED_PADDED: f64 = 1e-9;
/// Interval width of bodies that are apart, relative to the scale.
const WIDTH: f64 = 1e-9;
/// The question with the bodies exchanged, at the inverse pose, which rounds.
pub const EXCHANGED: &str = "exchanged";

/// What a pose turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Far,
    Near,
    Touching,
    Shallow,
    Deep,
    Inside,
}

/// What came of a pose.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub class: Class,
    pub convex: bool,
    pub asked: u32,
    pub measured: u32,
    /// Apart or overlapping by far, and not told so.
    pub open: bool,
    pub wide: bool,
    pub proof: Option<Proof>,
    /// How many translations were looked at by their ends: free, crossing, inside, unclear.
    pub ways: [u32; 4],
    /// The number of the first mesh's file, and what was done to it.
    pub first: (usize, Change),
    pub faults: Option<String>,
}

/// An answer, and what was asked.
#[derive(Debug)]
pub struct Answer {
    pub what: &'static str,
    pub query: Query,
    pub c: Clearance,
}

impl Answer {
    pub fn said(&self) -> String {
        let (i, q) = (&self.c.interval, &self.query);
        format!("{} {:?}/{:e}: [{:e}, {:e}] {:?}", self.what, q.ask, q.cutoff, i.lower, i.upper, self.c.stop)
    }

    /// Whether the depth was searched: the way out need not lead out of the hulls, and what keeps the bodies
    /// overlapping need not be one crossing or one point. [`crate::ways`] checks these.
    pub fn deepened(&self) -> bool {
        let (q, c) = (&self.query, &self.c);
        let asked = q.ask == Ask::Distance && q.depth != Effort::Rough;
        asked && c.stop == Stop::Bracketed && c.interval.upper < 0.0
    }
}

/// A pose with its answers, the first of them the distance from a cold start.
pub struct Case<'a> {
    pub posed: &'a Posed<'a>,
    pub bodies: [&'a Body; 2],
    pub answers: &'a [Answer],
}

impl Case<'_> {
    /// Sum of the radii around the cores.
    pub fn radius(&self) -> f64 {
        self.bodies.iter().map(|b| b.shape.radius()).sum()
    }

    fn size(&self) -> f64 {
        self.bodies[0].size.min(self.bodies[1].size)
    }

    /// An interval of the cores: the radius and the slack are added again, which rounds.
    pub fn core(&self, x: &Answer) -> [f64; 2] {
        let (i, s, radius) = (&x.c.interval, x.query.slack, self.radius());
        let exchanged = if x.what == EXCHANGED { 1e-14 * self.posed.scale } else { 0.0 };
        let round = if radius + s > 0.0 { 4e-16 * (radius + s) } else { 0.0 } + exchanged;
        [i.lower + s + radius - round, i.upper - s + radius + round]
    }

    /// Checks all answers: what the pose is, and what the scan of all pairs found.
    pub fn check(&self, faults: &mut Vec<String>) -> (Outcome, Option<Found>) {
        for x in self.answers {
            self.alone(x, faults);
        }
        let simple = self.answers.iter().filter(|x| !x.deepened());
        let deepest = simple.min_by(|x, y| self.core(x)[1].total_cmp(&self.core(y)[1]));
        let (mut found, mut proof) = (None, None);
        match deepest.filter(|x| self.core(x)[1] < 0.0) {
            Some(deepest) => proof = self.overlapping(deepest, faults),
            None => found = Some(self.apart(faults)),
        }
        let class = self.class(proof, found);
        if matches!(class, Class::Far | Class::Near) {
            self.decided(found.map_or(0.0, |f| f.nearest[1]) - self.radius(), faults);
        }
        let first = &self.answers[0].c;
        let (lower, upper) = (first.interval.lower, first.interval.upper);
        let gave_up = matches!(first.stop, Stop::ShutIn | Stop::IterationLimit);
        let open = class != Class::Touching && lower <= 0.0 && upper >= 0.0;
        let outcome = Outcome {
            class,
            convex: matches!(self.posed.b, Other::Convex(_)),
            asked: self.answers.len() as u32,
            measured: found.map_or(0, |f| f.measured),
            open: open && first.stop != Stop::ShutIn,
            wide: lower > 0.0 && !gave_up && upper - lower > WIDTH * self.posed.scale,
            proof,
            ways: [0; 4],
            first: (0, Change::None),
            faults: None,
        };
        (outcome, found)
    }

    /// What an answer must keep to by itself.
    fn alone(&self, x: &Answer, faults: &mut Vec<String>) {
        let [lower, upper] = self.core(x);
        if !(x.c.interval.lower <= x.c.interval.upper) {
            faults.push(format!("{}: lower above upper, or NaN", x.said()));
        }
        if !((x.c.normal.norm() - 1.0).abs() <= 1e-12) {
            faults.push(format!("{}: the normal is no unit vector", x.said()));
        }
        // Along the normal leads a way out of that length. Of other answers it is that of the distance.
        let out = !x.deepened() && (upper < 0.0 || x.c.stop == Stop::Bracketed);
        if out && lower.is_finite() {
            let gap = self.posed.gap(slow::vector(x.c.normal));
            if gap < lower - ROUNDED_PADDED * self.posed.scale {
                faults.push(format!("{}: its normal leads out by {gap:e}", x.said()));
            }
        }
        // Of a claim that rounding alone made a distance, the points are those of an overlap.
        let rounded = if x.what == EXCHANGED { ROUNDED * self.posed.scale } else { 0.0 };
        if upper >= rounded && upper.is_finite() && x.c.stop != Stop::Bracketed {
            self.witnesses(x, upper, faults);
        }
    }

    /// The witnesses lie on the surfaces, and are as far apart as the upper end says.
    fn witnesses(&self, x: &Answer, upper: f64, faults: &mut Vec<String>) {
        let Some([p, q]) = self.on_cores(&x.c, upper) else { return };
        let round = if self.radius() > 0.0 { ROUNDED_PADDED } else { ROUNDED } * self.posed.scale;
        let [off_a, off_b] = self.posed.off([p, q]);
        if !(off_a <= round && off_b <= round) {
            faults.push(format!("{}: witnesses {off_a:e}, {off_b:e} off the surfaces", x.said()));
        }
        let apart = (p - q).norm();
        if !((apart - upper).abs() <= round) {
            faults.push(format!("{}: witnesses {apart:e} apart", x.said()));
        }
    }

    /// The witnesses on the cores (A's frame), where the line between them is known.
    fn on_cores(&self, c: &Clearance, upper: f64) -> Option<[math::Vec3; 2]> {
        let apart = c.witness_a - c.witness_b;
        let [ra, rb] = self.bodies.map(|b| b.shape.radius());
        let line = if ra + rb == 0.0 {
            Vec3::ZERO
        } else if upper > 1e-6 * self.size() && apart.norm() > 1e-3 * self.size() {
            apart.normalized()? * (upper - ra - rb).signum()
        } else {
            return None;
        };
        Some([c.witness_a + line * ra, c.witness_b - line * rb].map(slow::vector))
    }

    /// An overlap is claimed: what proves the deepest claim proves all. The points of any may show it.
    fn overlapping(&self, deepest: &Answer, faults: &mut Vec<String>) -> Option<Proof> {
        let [ra, rb] = self.bodies.map(|b| b.shape.radius());
        let h = -self.core(deepest)[1];
        if self.answers.iter().any(|x| self.core(x)[0] > 0.0) {
            faults.push("clear and overlapping".into());
        }
        let mut claims = self.answers.iter().filter(|x| !x.deepened() && self.core(x)[1] < 0.0);
        let proof = claims.find_map(|x| {
            let n = x.c.normal;
            let (a, b) = (x.c.witness_a + n * ra, x.c.witness_b - n * rb);
            // Of a bracket, what the second is told for is the way out.
            let points = [a, if x.c.stop == Stop::Bracketed { a } else { b }].map(slow::vector);
            self.posed.shown(h, points, slow::vector(n))
        });
        let proof = proof.or_else(|| self.posed.searched(h, slow::vector(deepest.c.normal)));
        let proof = proof.or_else(|| self.posed.convex_overlap(h));
        if proof.is_none() {
            faults.push(format!("{}: no such overlap is found", deepest.said()));
        }
        proof
    }

    /// No overlap is claimed: no pair is nearer than any lower end, some pair is no farther than any upper
    /// end, and what is called clear holds nothing inside.
    fn apart(&self, faults: &mut Vec<String>) -> Found {
        let (posed, first) = (self.posed, &self.answers[0]);
        let normal = slow::vector(first.c.normal);
        let known = self.on_cores(&first.c, self.core(first)[1]).and_then(|p| posed.at(p));
        let highest = self.answers.iter().max_by(|x, y| self.core(x)[0].total_cmp(&self.core(y)[0]));
        let prove = highest.map_or(0.0, |x| self.core(x)[0]).max(0.0);
        let mut found = posed.scan(prove, TIE * posed.scale, known, normal);
        if prove > found.nearest[1] {
            faults.push(format!(
                "{}: triangles {:?} are {:e} apart, nearer by {:e} of the scale",
                highest.map_or(String::new(), Answer::said),
                found.pair,
                found.nearest[1],
                (prove - found.nearest[1]) / posed.scale
            ));
        }
        // Paddings may overlap deeper than the cores could if these crossed: out of one wall, into the next.
        let simple = self.answers.iter().filter(|x| !x.deepened());
        let least = simple.map(|x| self.core(x)[1]).fold(f64::INFINITY, f64::min);
        if least < found.nearest[0] {
            // Ties were not measured: now all are.
            found = posed.scan(f64::INFINITY, 0.0, Some(found.pair), normal);
            if least < found.nearest[0] {
                faults.push(format!("upper {least:e} below the distance {:e}", found.nearest[0]));
            }
        }
        let closed = posed.a.closed && !matches!(posed.b, Other::Surface(s) if !s.closed);
        if closed && prove > 0.0 && found.lower > 0.0 && posed.contained() == Some(true) {
            faults.push("clear, but a piece lies inside".into());
        }
        if closed && self.answers.iter().any(|x| x.c.stop == Stop::ShutIn) {
            faults.push("shut in, though both meshes close".into());
        }
        found
    }

    /// What is farther than a cutoff is told so, unless the search gave up; a bound may be a tenth too low.
    fn decided(&self, apart: f64, faults: &mut Vec<String>) {
        let clear = self.answers[0].c.interval.lower > 0.0;
        for x in self.answers.iter().filter(|x| x.query.cutoff.is_finite() && x.query.slack == 0.0) {
            let gave_up = matches!(x.c.stop, Stop::ShutIn | Stop::IterationLimit);
            let beyond = apart - x.query.cutoff > 1e-8 * self.posed.scale && x.query.ask != Ask::LowerBound;
            if clear && beyond && !gave_up && !(x.c.interval.lower > x.query.cutoff) {
                faults.push(format!("{}: not decided at {apart:e}", x.said()));
            }
        }
    }

    fn class(&self, proof: Option<Proof>, found: Option<Found>) -> Class {
        let (posed, size, radius) = (self.posed, self.size(), self.radius());
        let near = found.map_or(0.0, |f| f.nearest[1]) - radius;
        let first = &self.answers[0].c;
        let touching = 1e-9 * posed.scale;
        // A point inside may be one of a piece that is inside as a whole.
        let whole = |p| match p {
            Proof::Crossing | Proof::Convex => false,
            Proof::Point => {
                posed.contained() == Some(true)
                    && posed.scan(0.0, f64::INFINITY, None, slow::vector(first.normal)).lower > touching
            }
            Proof::Inside => true,
        };
        match proof {
            Some(proof) if whole(proof) => Class::Inside,
            Some(_) if first.interval.lower + radius > -0.05 * size => Class::Shallow,
            Some(_) => Class::Deep,
            // The paddings overlap, the cores do not.
            None if near < -touching => Class::Shallow,
            None if near <= touching => Class::Touching,
            None if near <= 0.02 * size => Class::Near,
            None => Class::Far,
        }
    }
}
