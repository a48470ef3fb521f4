//! A cloud in the making.

use crate::fault::{Log, counted};
use crate::limits;
use std::path::Path;

/// Points as they come in.
#[derive(Default)]
pub(super) struct Points {
    pub finite: Vec<[f64; 3]>,
    pub not_finite: usize,
}

impl Points {
    /// Takes a point, or counts it.
    pub fn push(&mut self, point: [f64; 3]) {
        if point.iter().all(|v| v.is_finite()) {
            self.finite.push(point);
        } else {
            self.not_finite += 1;
        }
    }

    /// How many came in.
    pub fn count(&self) -> usize {
        self.finite.len() + self.not_finite
    }
}

/// What is wrong with a header that claims too many points.
pub(super) fn too_many(points: usize) -> String {
    format!("claims {points} points; at most {} are read", limits::CLOUD_POINTS)
}

/// What to do about too many points.
pub(super) const THIN_OUT: &str = "thin the cloud out, or split the file";

/// Says what bytes behind the last point mean, where a point takes `room` bytes.
pub(super) fn behind(path: &Path, at: usize, rest: &[u8], room: usize, log: &mut Log) {
    let zeros = rest.len() < limits::PAGE_BYTES && rest.iter().all(|&b| b == 0);
    if rest.is_empty() || zeros {
        return;
    }
    let more = counted(rest.len(), "byte");
    let place = format!("byte {at}");
    if rest.len() < room {
        log.warn(path, place, format!("{more} behind the last point are ignored"), "");
    } else {
        let what = format!("{more} lie behind the last point: points would be lost");
        log.fault(path, place, what, "correct the count in the header, or write the file again");
    }
}
