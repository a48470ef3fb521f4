//! Clouds of points: each is a body without shapes that does not move, and whose points come later.

use super::faults::FaultList;
use crate::model::describe::{ObstacleDescription, WorldDescription};
use crate::model::fault::CompileFault;
use crate::model::movables::Cloud;
use crate::model::tolerance::MAX_CLOUD;
use crate::numeric::math::Transform;
use crate::numeric::tolerance::MAX_COORDINATE;
use alloc::vec::Vec;

/// A description in which clouds are movable obstacles without shapes, after all others.
pub(super) fn as_bodies(d: &WorldDescription) -> WorldDescription {
    let mut d = d.clone();
    let body = |name: &str| ObstacleDescription {
        name: name.into(),
        pose: Transform::IDENTITY,
        shapes: Vec::new(),
        attached_to: None,
        movable: true,
    };
    d.obstacles.extend(d.clouds.iter().map(|cloud| body(&cloud.name)));
    d
}

/// The faults of their numbers.
pub(super) fn check(d: &WorldDescription, faults: &mut FaultList) {
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
}

/// What queries need to know of them.
pub(super) fn clouds(d: &WorldDescription) -> Vec<Cloud> {
    d.clouds.iter().map(|cloud| Cloud { radius: cloud.radius, capacity: cloud.capacity }).collect()
}
