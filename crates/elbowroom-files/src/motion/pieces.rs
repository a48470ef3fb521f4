//! Motions as polynomials, as planners of time-optimal motions compute them: a list of pieces, each with its
//! duration and the coefficients of each joint.
//!
//! ```json
//! {"joint_names": ["shoulder", "elbow"],
//!  "pieces": [{"duration": 0.5, "coefficients": [[0.1, 0, 0.8], [0.5]]},
//!             {"duration": 0.25, "coefficients": [[0.3, 0.8], [0.5]]}]}
//! ```
//!
//! Coefficients are by power of the seconds since the piece began, six of a joint at most; those that are not
//! given are zero. Other joints keep the values of `trajectory_start`. Where a piece ends, the next begins.

use super::message_reader::{Given, Messages, read_time};
use super::ways::RowRates;
use crate::fault::counted_things;
use crate::limits;
use crate::tree::node::Node;
use crate::xml::short_text;
use elbowroom::fault::Numeral;

/// Most coefficients of a joint on a piece.
const COEFFICIENTS: usize = 6;

impl Messages<'_, '_> {
    /// Adds the beginnings of all pieces, the end of the last, and their coefficients.
    pub(super) fn read_pieces(&mut self, message: &Node, start: &Given) {
        let label = "pieces";
        let names = self.tree_reader().read_texts(message, label, "joint_names");
        let Some(pieces) = self.read_whole_list(message, label, "pieces") else { return };
        if !self.motion.rows.is_empty() {
            let what = "stands behind another message";
            return self.tree_reader().add_fault(
                message,
                label,
                what,
                "give polynomials a file of their own",
            );
        }
        let Some(places) = self.read_columns(message, label, &names, pieces.is_empty(), start) else {
            return;
        };
        let (before, count) = (self.log.fault_count(), self.values.joints.names.len());
        let (mut time, mut end): (f64, Option<Vec<f64>>) = (0.0, None);
        for (k, piece) in pieces.iter().enumerate() {
            let label = format!("piece {k}");
            let seconds = piece.get("duration").and_then(read_time).filter(|seconds| *seconds > 0.0);
            if seconds.is_none() {
                let what = "has no duration that is a number of seconds above zero";
                self.tree_reader().add_fault(piece, &label, what, "give its duration");
            }
            let mut rows: Vec<[f64; COEFFICIENTS]> =
                start[..count].iter().map(|value| [value.unwrap_or(0.0), 0.0, 0.0, 0.0, 0.0, 0.0]).collect();
            self.read_coefficients(piece, &label, (&names, &places), &mut rows);
            let seconds = seconds.unwrap_or(1.0);
            if let Some(end) = &end {
                self.refuse_jumps(piece, &label, end, &rows);
            }
            self.push_row(piece, &label, rows.iter().map(|row| row[0]), time);
            end =
                Some(rows.iter().map(|row| row.iter().rev().fold(0.0, |sum, c| sum * seconds + c)).collect());
            self.pieces.push(rows);
            time += seconds;
            let values = self.pieces.len().saturating_mul(COEFFICIENTS).saturating_mul(count.max(1));
            if values > limits::MOTION_VALUES || self.log.fault_count() - before > limits::FAULTS {
                let what = "holds too many values or faults";
                return self.tree_reader().add_fault(piece, &label, what, "split the file");
            }
        }
        if let (Some(end), Some(last)) = (end, pieces.last()) {
            self.push_row(last, "the end", end.into_iter(), time);
        }
    }

    fn push_row(&mut self, node: &Node, label: &str, row: impl Iterator<Item = f64>, time: f64) {
        let mut given: Given = row.map(Some).collect();
        given.resize(self.empty_values().len(), None);
        self.push_pose(node, label, &given, Some(time), RowRates::default());
    }

    /// Reads the coefficients of a piece into those rows whose joints it names.
    fn read_coefficients(
        &mut self,
        piece: &Node,
        label: &str,
        (names, places): (&[String], &[Option<usize>]),
        rows: &mut [[f64; COEFFICIENTS]],
    ) {
        let all = self.tree_reader().read_list(piece, label, "coefficients");
        if all.len() != names.len() {
            let what =
                format!("has coefficients of {} for {}", all.len(), counted_things(names.len(), "joint"));
            return self.tree_reader().add_fault(piece, label, what, "give a list for each of joint_names");
        }
        for ((name, place), list) in names.iter().zip(places).zip(all) {
            let own = list.as_list().unwrap_or(&[]);
            if own.is_empty() || own.len() > COEFFICIENTS {
                let what = format!("the coefficients of {:?} are not one to six numbers", short_text(name));
                let help = "write [c0, c1, ...], by power of the seconds since the piece began";
                self.tree_reader().add_fault(list, label, what, help);
                continue;
            }
            let mut row = [0.0; COEFFICIENTS];
            for (slot, item) in row.iter_mut().zip(own) {
                *slot = self.read_item(item, label, "coefficient", name).unwrap_or(0.0);
            }
            // A mimic joint follows by its rule, whatever its coefficients are.
            if let Some(found) = place.and_then(|place| rows.get_mut(place)) {
                *found = row;
            }
        }
    }

    /// Refuses a piece that does not begin where the one before it ended.
    fn refuse_jumps(&mut self, piece: &Node, label: &str, end: &[f64], rows: &[[f64; COEFFICIENTS]]) {
        let names = self.values.joints.names;
        for ((name, end), [begin, ..]) in names.iter().zip(end).zip(rows) {
            let jump = (begin - end).abs();
            if !(jump <= limits::PIECE_JUMP) {
                let [end, begin] = Numeral::computed_apart([*end, *begin]);
                let what =
                    format!("{:?} jumps from {end} to {begin} where the piece begins", short_text(name));
                let help = "begin each piece where the one before it ended";
                self.tree_reader().add_fault(piece, label, what, help);
            }
        }
    }
}
