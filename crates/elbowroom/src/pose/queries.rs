//! Boxes around the bodies of a pose, as a wide tree is searched with them.

use super::frames::Pose;
use crate::bounds::hierarchy::{Tree, WideQuery};
use crate::bounds::lanes::CapsuleId;
use crate::bounds::posed_box::box_around;
use crate::numeric::padded::PaddedTransform;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;
use elbowroom_pair::numeric::simd::{Kernel, Lanes, dispatch_kernel};

impl Pose<'_> {
    /// Fills in the queries of moving bodies, whose capsules are given, and of the groups of them that a tree
    /// joins. `origin` is that of the trees that are searched (metres, in the cell).
    pub(crate) fn queries_around(
        &self,
        capsules: &[CapsuleId],
        bodies: &Tree,
        origin: &Vec3,
        queries: &mut Vec<WideQuery>,
    ) {
        queries.clear();
        dispatch_kernel(FillQueries { pose: self, capsules, origin, queries });
        for &[left, right] in bodies.joins() {
            let both = queries[left as usize].join(&queries[right as usize]);
            queries.push(both);
        }
    }
}

struct FillQueries<'a, 'w> {
    pose: &'a Pose<'w>,
    capsules: &'a [CapsuleId],
    origin: &'a Vec3,
    queries: &'a mut Vec<WideQuery>,
}

impl Kernel for FillQueries<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let FillQueries { pose, capsules, origin, queries } = self;
        for capsule in capsules {
            let of_body = &pose.world.bounds.capsules[capsule.index()];
            let places = &pose.world.kinematics.places;
            let still;
            let at = match places.moving_step(of_body.body) {
                Some(step) => &pose.frames[step.index()],
                None => {
                    still = PaddedTransform::new(&places.fixed_pose(of_body.body));
                    &still
                }
            };
            let bounds = (&of_body.body_box, of_body.capsule.radius);
            let record = &pose.records[capsule.index()];
            queries.push(WideQuery::from_rounded(&box_around(l, bounds, at, record, origin)));
        }
    }
}
