//! A cloud in the making.

use crate::fault::{Log, counted_things};
use crate::limits;
use elbowroom::describe::limits::MAX_COORDINATE;
use elbowroom::fault::Numeral;
use std::path::Path;

/// Points as they come in.
#[derive(Default)]
pub(super) struct Points {
    pub finite: Vec<[f64; 3]>,
    pub not_finite: usize,
    /// The line of the next point, where the file is text; otherwise 0.
    pub line: usize,
    /// The place of the first point that is not finite.
    pub first_not_finite: String,
    /// How many are farther than any world reaches, and the first of them with their places.
    too_far: usize,
    far: Vec<(String, [f64; 3])>,
}

impl Points {
    /// Takes a point, or counts it.
    pub fn push(&mut self, point: [f64; 3]) {
        if point.iter().all(|v| v.abs() <= MAX_COORDINATE) {
            self.finite.push(point);
        } else {
            self.add_unusual(point);
        }
    }

    /// Takes a point that is not finite, or too far away.
    #[cold]
    fn add_unusual(&mut self, point: [f64; 3]) {
        let place = match self.line {
            0 => format!("point {} (from 0)", self.point_count()),
            line => format!("line {line}"),
        };
        if point.iter().all(|v| v.is_finite()) {
            self.finite.push(point);
            self.too_far += 1;
            if self.far.len() < limits::SENSOR_FAULTS {
                self.far.push((place, point));
            }
            return;
        }
        if self.not_finite == 0 {
            self.first_not_finite = place;
        }
        self.not_finite += 1;
    }

    /// Faults the points that are too far away.
    pub fn fault_far(&self, path: &Path, log: &mut Log) {
        for (place, point) in &self.far {
            let [x, y, z] = point.map(Numeral);
            let what = format!("the point ({x}, {y}, {z}) is farther than {MAX_COORDINATE:e} m");
            log.add_fault(path, place.clone(), what, "give metres, or leave the point out");
        }
        let more = self.too_far - self.far.len();
        if more > 0 {
            let what = format!("{} are as far", counted_things(more, "more point"));
            log.add_fault(path, "", what, "give metres, or leave the points out");
        }
    }

    /// How many points were added, finite or not.
    pub fn point_count(&self) -> usize {
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
pub(super) fn check_bytes_behind(path: &Path, at: usize, rest: &[u8], room: usize, log: &mut Log) {
    let zeros = rest.len() < limits::PAGE_BYTES && rest.iter().all(|&b| b == 0);
    if rest.is_empty() || zeros {
        return;
    }
    let more = counted_things(rest.len(), "byte");
    let place = format!("byte {at}");
    if rest.len() < room {
        log.add_warning(path, place, format!("{more} behind the last point are ignored"), "");
    } else {
        let what = format!("{more} lie behind the last point: points would be lost");
        log.add_fault(path, place, what, "correct the count in the header, or write the file again");
    }
}
