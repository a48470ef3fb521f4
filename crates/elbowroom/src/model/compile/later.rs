//! Bodies whose geometry comes later: clouds of points, and spare places. In the world each is a movable body
//! without shapes.

use super::faults::FaultList;
use crate::model::movables::CloudSpec;
use alloc::vec::Vec;
use elbowroom_describe::fault::CompileFault;
use elbowroom_describe::limits::MAX_COORDINATE;
use elbowroom_describe::limits::{MAX_CLOUD, MAX_SPARE_CORNERS};
use elbowroom_describe::math::Transform;
use elbowroom_describe::{ObstacleDescription, WorldDescription};

/// The number of spare places and of clouds.
pub(super) fn count_later(d: &WorldDescription) -> usize {
    d.spares.len() + d.clouds.len()
}

/// A description in which they are movable obstacles without shapes, after all others: spare places, then
/// clouds.
pub(super) fn as_bodies(d: &WorldDescription) -> WorldDescription {
    let mut d = d.clone();
    let body = |name: &str| ObstacleDescription {
        name: name.into(),
        pose: Transform::IDENTITY,
        shapes: Vec::new(),
        attached_to: None,
        movable: true,
    };
    d.obstacles.extend(d.spares.iter().map(|spare| body(&spare.name)));
    d.obstacles.extend(d.clouds.iter().map(|cloud| body(&cloud.name)));
    d
}

/// The faults of their numbers.
pub(super) fn check_later(d: &WorldDescription, faults: &mut FaultList) {
    for cloud in &d.clouds {
        if !(cloud.radius > 0.0 && cloud.radius <= MAX_COORDINATE) {
            faults.push(CompileFault::BadNumber {
                what: "the radius of a cloud's points, which must be above zero,",
                value: cloud.radius,
            });
        }
        if cloud.capacity > MAX_CLOUD {
            faults.push(CompileFault::TooMany { what: "points in a cloud", limit: MAX_CLOUD });
        }
    }
    for spare in d.spares.iter().filter(|spare| spare.corners > MAX_SPARE_CORNERS) {
        let (body, corners) = (["world/", &spare.name].concat(), spare.corners);
        faults.push(CompileFault::SpareRoom { body, corners });
    }
}

/// What queries need to know of the clouds.
pub(super) fn cloud_specs(d: &WorldDescription) -> Vec<CloudSpec> {
    d.clouds.iter().map(|cloud| CloudSpec { radius: cloud.radius, capacity: cloud.capacity }).collect()
}

/// By spare place, how many corners there is room for.
pub(super) fn spare_capacities(d: &WorldDescription) -> Vec<usize> {
    d.spares.iter().map(|spare| spare.corners).collect()
}
