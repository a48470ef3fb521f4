//! Held obstacles: those that are attached to a link.

use super::clusters::Clusters;
use super::faults::FaultList;
use crate::model::body::Body;
use crate::model::by_name::ByName;
use crate::model::id::{BodyId, order_pair};
use crate::model::movables::{Door, FirstCarrier};
use crate::model::step::{KinematicStep, Motion};
use crate::numeric::layered::Layered;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use elbowroom_describe::fault::CompileFault;
use elbowroom_describe::limits::MAX_COORDINATE;
use elbowroom_describe::math::Mat3;
use elbowroom_describe::{JointKind, JointLimits, WorldDescription};
use elbowroom_pair::numeric::rigid::rotation_defect;

/// What follows from attachments.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// A step for each held obstacle.
    pub steps: Vec<KinematicStep>,
    /// Ordered pairs that may touch: a held obstacle with its carrier and with what it may touch there.
    pub pairs: BTreeSet<(BodyId, BodyId)>,
    /// By movable obstacle, who carries it at first.
    pub carriers: Vec<Option<FirstCarrier>>,
}

/// Attaches the held obstacles: each joins the rigid cluster of its carrier. A movable one stays by itself,
/// since who carries it can change.
pub(super) fn attach_held(
    d: &WorldDescription,
    bodies: &Layered<Body>,
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
        let mut find = |name: &String, touched: bool| {
            // A movable one may touch anything there: it is not part of its carrier for ever.
            let id = by_name.get(bodies, name).filter(|id| carries(id) || touched && obstacle.movable);
            if id.is_none() {
                let by = format!("the attachment of obstacle `{}`", obstacle.name);
                let wanted = match (obstacle.movable, touched) {
                    (false, _) => "link `robot/link`",
                    (true, false) => "link `robot/link` or movable obstacle before it `world/name`",
                    (true, true) => "body `robot/link` or `world/name`",
                };
                faults.push(CompileFault::UnknownName { by, wanted, name: name.clone() });
            }
            id
        };
        let carrier = find(&attachment.body, false);
        let touched: Vec<BodyId> = attachment.touch.iter().filter_map(|name| find(name, true)).collect();
        let Some(carrier) = carrier else { continue };
        if obstacle.movable {
            held.carriers.pop();
            held.carriers.push(Some(FirstCarrier {
                body: carrier,
                in_carrier: obstacle.pose,
                touch: touched,
                door: None,
            }));
            continue;
        }
        held.pairs.extend(touched.into_iter().chain([carrier]).map(|other| order_pair(me, other)));
        clusters.join_fixed(carrier, me);
        held.steps.push(KinematicStep {
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
    attach_doors(d, first, bodies, by_name, &mut held, faults);
    held
}

/// Hangs the doors on their carriers.
fn attach_doors(
    d: &WorldDescription,
    first: usize,
    bodies: &Layered<Body>,
    by_name: &ByName,
    held: &mut Held,
    faults: &mut FaultList,
) {
    let movable: Vec<usize> = (0..d.obstacles.len()).filter(|i| d.obstacles[*i].movable).collect();
    for door in &d.doors {
        let id = by_name.get(bodies, &door.body).and_then(|id| id.index().checked_sub(first));
        let number = id.and_then(|id| movable.binary_search(&id).ok());
        let Some(Some(carrier)) = number.map(|number| &mut held.carriers[number]) else {
            let wanted = "movable obstacle that is attached, `world/name`";
            faults.push(CompileFault::UnknownName { by: "a door".into(), wanted, name: door.body.clone() });
            continue;
        };
        let JointLimits { lower, upper } = door.limits;
        let within = |x: f64| x.abs() <= MAX_COORDINATE;
        let kind = matches!(door.kind, JointKind::Revolute | JointKind::Prismatic);
        let joint = door.body.clone();
        match door.axis.normalized() {
            _ if carrier.door.is_some() => {
                faults.push(CompileFault::BadDoor { joint, problem: "the obstacle has two doors" });
            }
            _ if !kind => {
                faults.push(CompileFault::BadDoor { joint, problem: "it must turn or slide" });
            }
            None => faults.push(CompileFault::BadDoor {
                joint,
                problem: "its axis is too long or too short to have a direction: give one of length one",
            }),
            _ if !(within(lower) && within(upper) && lower <= upper) => {
                faults.push(CompileFault::BadDoor {
                    joint,
                    problem: "its limits must be two numbers up to 1e9, the smaller first",
                });
            }
            Some(axis) => {
                let turns = door.kind == JointKind::Revolute;
                let motion = if turns { Motion::Turn(axis) } else { Motion::Slide(axis) };
                carrier.door = Some(Door { motion, limits: [lower, upper] });
            }
        }
    }
}
