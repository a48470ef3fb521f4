//! The shortest way out: translations of A that are proved to separate, each shorter than the one before.
//!
//! From a translation at which the bodies are apart, every translation within the gap is free as well, so the
//! nearest of them to the origin is a shorter way out. The contact there, with its normal, is a plane that
//! the way out must pass, as far as one can see from there. The point nearest to the origin beyond the planes
//! seen so far is where to look next ([`super::planes`]). If the bodies overlap there, half the way to it is
//! tried. This is PolyDepth (Je, Tang, Lee, Lee and Kim, "PolyDepth: real-time penetration depth computation
//! using iterative contact-space projection", 2012), with proved clearances in place of continuous collision
//! detection.
//!
//! It ends at a contact that is the nearest point of its planes, a locally shortest way out; after
//! [`WAY_OUT_LOOKS`] looks; or where nothing shorter can lead out.

use super::part::{Part, PartScratch};
use super::planes::Planes;
use super::sides::{GrowAim, Seen, Sides};
use super::space::DepthScratch;
use crate::numeric::tolerance::ROUNDOFF;
use crate::pair::clearance::Clearance;
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::tolerance::{
    LEAST_VISITS, SETTLED, SETTLING_LOOKS, THREAD_SIZE, THREAD_THINNER, VISITS_OF_WORK, WAY_OUT_BEYOND,
    WAY_OUT_HAIR, WAY_OUT_LOOKS,
};
use elbowroom_describe::math::Vec3;

/// What is known of the ways out.
pub(super) struct WayOut<'a> {
    pub sides: &'a Sides<'a>,
    /// Along it A is separated at the length [`WayOut::most`].
    pub out: Vec3,
    /// The length of the shortest way out that is known (metres).
    pub most: f64,
    /// Every translation of A that is shorter than this is proved to leave an overlap (metres).
    pub least: f64,
    /// The point of A, where it is now, that is nearest to B at the end of the way out.
    point: Option<Vec3>,
    looks: u32,
    /// Work that is left, in the units of [`COST_OF_LOOK`](crate::pair::tolerance::COST_OF_LOOK).
    pub work: i64,
    /// Nodes and triangles that may still be visited.
    pub visits: i64,
    /// Whether the search is a long one: then what regions look at counts as visits. A short one makes few.
    pub long: bool,
}

/// A way out: along what, how long (metres), and which point of A touches last.
pub(super) type Way = (Vec3, f64, Option<Vec3>);

/// What is at the end of a translation.
pub(super) enum Found {
    /// Nothing within a gap, whose direction is from B to A.
    Free { gap: f64, normal: Vec3 },
    /// An overlap.
    Overlap(Seen),
    /// Neither is proved.
    Open,
}

impl<'a> WayOut<'a> {
    /// From a bracket whose normal leads out; no work is allowed yet.
    pub fn new(sides: &'a Sides<'a>, c: &Clearance) -> WayOut<'a> {
        let most = -c.interval.lower;
        let (out, least) = (c.normal * most, -c.interval.upper);
        WayOut { sides, out, most, least, point: None, looks: 0, work: 0, visits: 0, long: false }
    }

    /// The shortest way out so far.
    pub fn current_way(&self) -> Way {
        (self.out, self.most, self.point)
    }

    /// Takes an earlier one instead.
    pub fn go_back(&mut self, way: Way) {
        (self.out, self.most, self.point) = way;
    }

    /// Allows so much work, and the visits that go with it.
    pub fn allow_work(&mut self, work: u32) {
        self.work = work.into();
        self.visits = LEAST_VISITS.max(VISITS_OF_WORK * self.work);
    }

    /// Writes what was found over a bracket.
    pub fn write_bracket(&self, c: &mut Clearance) {
        c.steps = c.steps.saturating_add(self.looks);
        c.interval.upper = c.interval.upper.min(-self.least);
        if let Some(point) = self.point {
            c.witness_a = point;
        }
        if let Some(normal) = self.out.normalized()
            && -self.most > c.interval.lower
        {
            (c.interval.lower, c.normal) = (-self.most, normal);
        }
        c.interval.lower = c.interval.lower.min(c.interval.upper);
    }

    /// Whether the work or the visits are spent.
    pub fn is_spent(&self) -> bool {
        self.work <= 0 || self.visits <= 0
    }

    /// Looks at the end of a translation. `normal` is a guess of the direction of a gap. Nothing is proved
    /// where that would take more visits than are left.
    pub fn look(&mut self, t: Vec3, normal: Vec3, warm: &mut Warm, scratch: &mut Scratch) -> Found {
        self.looks += 1;
        let left = u32::try_from(self.visits.max(0)).unwrap_or(u32::MAX);
        let mesh = &mut scratch.mesh;
        let (before, limits) = (mesh.nearest.visits, [mesh.work_limit, mesh.nearest.limit]);
        [mesh.work_limit, mesh.nearest.limit] = limits.map(|limit| limit.min(left));
        let c = self.sides.moved(t, normal, warm, scratch);
        let mesh = &mut scratch.mesh;
        [mesh.work_limit, mesh.nearest.limit] = limits;
        self.visits -= (mesh.nearest.visits - before) as i64;
        let radius = self.sides.radius();
        if c.interval.upper < radius {
            let triangles = [warm.mesh.triangle_a, warm.mesh.triangle_b];
            return Found::Overlap(Seen { at: c.witness_a + t, triangles });
        }
        let gap = c.interval.lower - radius - self.sides.error;
        if !(gap > 0.0) {
            return Found::Open;
        }
        let shorter = (t.norm() - gap) * (1.0 + 16.0 * ROUNDOFF) + self.sides.error;
        // Who looks at the end itself sees which point touches last, though the way is no shorter.
        let at_end = (t - self.end()).norm() < 2.0 * WAY_OUT_HAIR * self.most;
        if shorter < self.most {
            (self.most, self.out) = (shorter, t);
        }
        if at_end || self.out == t {
            self.point = Some(self.sides.surface_of_a(c.witness_a, c.normal));
        }
        Found::Free { gap, normal: c.normal }
    }

    /// The nearest face beyond which the parts of both bodies that were seen to overlap after A was moved by
    /// `t` are apart, as a plane of translations, to the last digit.
    pub fn find_exit_plane(
        &mut self,
        seen: &Seen,
        t: Vec3,
        space: &mut DepthScratch,
        scratch: &mut Scratch,
    ) -> Option<(Vec3, f64)> {
        let DepthScratch { parts, grow, .. } = space;
        let size = (THREAD_SIZE * self.least.max(t.norm())).min(self.most);
        let aim = GrowAim { size, reach: self.most, faces: true, solid: true };
        // The overlap may be far thinner than the way; or so thin that no point is known to be in it.
        let thin = GrowAim { size: size * THREAD_THINNER, ..aim };
        let loose = [self.most, size].map(|size| GrowAim { size, solid: false, ..aim });
        let mut aims = [aim, thin].into_iter().chain(loose);
        if !aims.any(|aim| self.grow_parts(seen, t, aim, (parts, grow), scratch)) {
            return None;
        }
        self.sides.nearest_face_plane(parts, t).filter(|(normal, height)| *height > normal.dot(t))
    }

    /// Grows a part of each body where they were seen to overlap after A was moved by `t`:
    /// [`Sides::grow_parts`].
    pub fn grow_parts(
        &mut self,
        seen: &Seen,
        t: Vec3,
        aim: GrowAim,
        (parts, space): (&mut [Part; 2], &mut PartScratch),
        scratch: &mut Scratch,
    ) -> bool {
        let before = scratch.mesh.nearest.visits + space.visits();
        let grown = self.sides.grow_parts(seen, t, aim, (parts, space), scratch);
        let now = scratch.mesh.nearest.visits + space.visits();
        self.visits -= (now - before) as i64;
        grown
    }

    /// The translation at the end of the way out.
    fn end(&self) -> Vec3 {
        self.out.normalized().map_or(self.out, |way| way * self.most)
    }

    /// Follows the way out back towards the bodies, if its end is farther from them than a share of it.
    pub fn settle(&mut self, warm: &mut Warm, scratch: &mut Scratch) {
        for _ in 0..SETTLING_LOOKS {
            let most = self.most;
            if !(self.out.norm() - most > SETTLED * most) {
                break;
            }
            // A hair beyond, so that it may be proved.
            let t = self.end() * (1.0 + WAY_OUT_HAIR);
            self.look(t, t, warm, scratch);
            if self.most > most * (1.0 - SETTLED) {
                break;
            }
        }
    }

    /// From a guess down to a locally shortest way out.
    pub fn descend(&mut self, mut guess: Vec3, warm: &mut Warm, scratch: &mut Scratch) {
        let mut planes = Planes::NONE;
        let mut direction = guess;
        // The last translation that was free, and its gap.
        let mut free: Option<(Vec3, f64)> = None;
        for _ in 0..WAY_OUT_LOOKS {
            let hair = WAY_OUT_HAIR * self.most;
            if guess.norm() <= self.least || self.visits <= 0 {
                break;
            }
            match (self.look(guess, direction, warm, scratch), free) {
                (Found::Free { gap, normal }, _) => {
                    (direction, free) = (normal, Some((guess, gap)));
                    planes.add(normal, normal.dot(guess) - gap);
                    let Some(next) = planes.nearest() else { break };
                    if (next - guess).norm() < 2.0 * hair {
                        break;
                    }
                    // A hair beyond, so that it may be proved.
                    guess = next + normal * hair;
                }
                (_, Some((from, gap))) => {
                    let step = guess - from;
                    if step.norm() < 2.0 * hair {
                        break;
                    }
                    guess = from + step * (gap / step.norm()).max(0.5);
                }
                (_, None) => guess = guess * WAY_OUT_BEYOND,
            }
        }
    }
}
