//! Held obstacles: those that are attached to a link.

use super::clusters::Clusters;
use super::faults::FaultList;
use crate::model::describe::WorldDescription;
use crate::model::fault::CompileFault;
use crate::model::id::{BodyId, ordered};
use crate::model::movables::FirstCarrier;
use crate::model::select::ByName;
use crate::model::solids::Body;
use crate::model::step::{Motion, Step};
use crate::numeric::math::Mat3;
use crate::numeric::rigid::rotation_defect;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// What follows from attachments.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// A step for each held obstacle.
    pub steps: Vec<Step>,
    /// Ordered pairs that may touch: a held obstacle with its carrier and with what it may touch there.
    pub pairs: BTreeSet<(BodyId, BodyId)>,
    /// By movable obstacle, who carries it at first.
    pub carriers: Vec<Option<FirstCarrier>>,
}

/// Attaches the held obstacles: each joins the rigid cluster of its carrier. A movable one stays by itself,
/// since who carries it can change.
pub(super) fn held(
    d: &WorldDescription,
    bodies: &[Body],
    by_name: &ByName,
    clusters: &mut Clusters,
    faults: &mut FaultList,
) -> Held {
    let mut held = Held::default();
    let first = bodies.len() - d.obstacles.len();
    for (i, obstacle) in d.obstacles.iter().enumerate() {
        let me = BodyId((first + i) as u32);
        if obstacle.movable {
            clusters.stand_alone(me);
            held.carriers.push(None);
        }
        let Some(attachment) = &obstacle.attached_to else { continue };
        // A movable one may hang on a movable obstacle before it.
        let carries = |id: &BodyId| {
            let other = id.index().checked_sub(first);
            other.is_none_or(|other| obstacle.movable && *id < me && d.obstacles[other].movable)
        };
        let mut find = |name: &String| {
            let id = by_name.get(bodies, name).filter(carries);
            if id.is_none() {
                let by = format!("the attachment of obstacle `{}`", obstacle.name);
                let movable = "link `robot/link` or movable obstacle before it `world/name`";
                let wanted = if obstacle.movable { movable } else { "link `robot/link`" };
                faults.push(CompileFault::UnknownName { by, wanted, name: name.clone() });
            }
            id
        };
        let carrier = find(&attachment.body);
        let touched: Vec<BodyId> = attachment.touch.iter().filter_map(find).collect();
        let Some(carrier) = carrier else { continue };
        if obstacle.movable {
            held.carriers.pop();
            held.carriers.push(Some(FirstCarrier {
                body: carrier,
                in_carrier: obstacle.pose,
                touch: touched,
            }));
            continue;
        }
        held.pairs.extend(touched.into_iter().chain([carrier]).map(|other| ordered(me, other)));
        clusters.join_fixed(carrier, me);
        held.steps.push(Step {
            parent: carrier,
            child: me,
            joint_in_parent: obstacle.pose,
            turned: obstacle.pose.rotation != Mat3::IDENTITY,
            motion: Motion::Fixed,
            value: 0,
            scale: 1.0,
            offset: 0.0,
            rounding: 0.0,
            rounding_offset: 0.0,
            defect: rotation_defect(&obstacle.pose.rotation).unwrap_or(0.0),
        });
    }
    held
}
