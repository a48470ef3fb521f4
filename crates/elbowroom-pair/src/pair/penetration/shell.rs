//! A polytope in A - B, by its planes: which translations are proved to keep two convex cores overlapping.
//!
//! It grows as the polytope of a depth search does, but all faces that matter are pushed out, not only the
//! nearest: those within `reach` of a given point, until none could be pushed out by more than a tolerance,
//! or until there are as many corners as allowed.
//!
//! If the surface is closed and winds around the origin ([`enclosed_ball`]), the intersection of the faces'
//! half spaces lies in the hull of the corners, and so in A - B: on the way from the origin to a point of it
//! no face is met, since each face lies beyond its plane, so the surface winds around that point as often.

use super::Polytope;
use super::start::{solid, tetrahedron};
use crate::numeric::simd::{Kernel, Lanes};
use crate::pair::certify::enclosed::enclosed_ball;
use crate::pair::certify::rounding;
use crate::pair::clearance::Ask;
use crate::pair::cores::Cores;
use crate::pair::farthest::Farthest;
use crate::pair::gjk::{End, GjkStart, Goal, nearest};
use crate::pair::scratch::Work;
use crate::pair::tolerance::{LEVEL, REGION_TOLERANCE};
use crate::shape::extreme::Support;
use elbowroom_describe::math::Vec3;

/// What a shell is wanted for.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    /// Faces matter whose plane is at most `reach` from this point of A - B (metres).
    pub about: Vec3,
    pub reach: f64,
    /// Faces need not be pushed out by less than this (metres), nor by a small share of how far they are.
    pub tolerance: f64,
    /// Most corners.
    pub corners: usize,
}

/// Grows a shell and gives `plane` the outward unit normal and the height of each face that matters, as far
/// as it is proved. Returns the nearest support plane that was seen: beyond it the cores are apart. None if
/// the cores are not proved to overlap, and nothing is known.
pub(crate) struct Shell<'a, A, B, F> {
    pub cores: &'a Cores<A, B>,
    pub wanted: Wanted,
    pub work: &'a mut Work,
    pub plane: F,
}

impl<A: Support, B: Support, F: FnMut(Vec3, f64)> Kernel for Shell<'_, A, B, F> {
    type Output = Option<(Vec3, f64)>;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Option<(Vec3, f64)> {
        let Shell { cores, wanted, work, mut plane } = self;
        let Wanted { about, reach, tolerance, corners } = wanted;
        let goal = Goal { ask: Ask::Distance, above: 0.0, below: 0.0, ratio: 2.0 };
        nearest(l, cores, goal, &mut GjkStart::default(), &mut work.nearest);
        if work.nearest.end != End::Inside {
            return None;
        }
        let slack = rounding(cores);
        let polytope: &mut Polytope = &mut work.polytope;
        polytope.clear();
        if solid(&work.nearest.simplex, cores.scale) {
            polytope.first.extend(work.nearest.simplex.corners());
        } else if tetrahedron(&cores.plainly(), &work.nearest.simplex, &mut polytope.first).is_err() {
            return None;
        }
        polytope.level = LEVEL * cores.scale;
        polytope.first_faces(l);
        let mut steps = 0;
        let mut exit = (Vec3::ZERO, f64::INFINITY);
        while steps < 2 * corners {
            steps += 1;
            let (f, d) = polytope.nearest(l);
            if d == f64::INFINITY {
                break;
            }
            let n = polytope.surface.plane(f).0;
            if d - n.dot(about) > reach {
                polytope.set_offset(f, f64::INFINITY);
                continue;
            }
            let c = Farthest::new(l, cores, -n).corner(cores);
            let h = n.dot(c.w);
            if h < exit.1 {
                exit = (n, h);
            }
            if h - d <= tolerance.min(REGION_TOLERANCE * h)
                || polytope.surface.corners() >= corners
                || polytope.surface.has(l, c.w)
                || !polytope.expand(l, c, f)
            {
                polytope.set_offset(f, f64::INFINITY);
            }
        }
        if !(enclosed_ball(&polytope.surface, cores.scale, slack) > 0.0) {
            return None;
        }
        for f in 0..polytope.surface.slots() as u16 {
            if polytope.surface.is_alive(f) {
                let (n, d) = polytope.surface.plane(f);
                if d - n.dot(about) <= reach {
                    plane(n, d - slack);
                }
            }
        }
        Some(exit)
    }
}
