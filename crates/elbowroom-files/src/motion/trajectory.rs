//! Trajectories in messages: points with times, with velocities and accelerations where they have them, and
//! the tolerance with which a controller is asked to follow them.
//!
//! Points mean what they mean to ROS 2's `joint_trajectory_controller`. If the first point comes later than
//! its trajectory starts, it is reached from the start that the message gives, and joints without limits take
//! the turn that is nearest to the first point (`wraparound_joint`). A start without velocities is at rest.
//! Times grow from point to point, and accelerations without velocities move nothing.

use super::data::Joints;
use super::message_reader::{Given, Messages, read_time};
use super::mimic::mimic_rate_contradiction;
use super::trajectory_halves::Halves;
use super::transforms::MovedJoint;
use super::ways::RowRates;
use crate::fault::counted_things;
use crate::limits;
use crate::tree::node::Node;
use crate::xml::short_text;
use elbowroom::fault::Numeral;
use std::f64::consts::{PI, TAU};

/// The joints of a trajectory, and the place of each among the values of the model.
type Columns<'c> = (&'c [String], &'c [Option<usize>]);

/// The keys of a point, in either half.
const POINT: [&str; 5] = ["positions", "velocities", "accelerations", "effort", "time_from_start"];
const TRANSFORMS: [&str; 4] = ["transforms", "velocities", "accelerations", "time_from_start"];

/// The lists of a point: the key, and the word for one number.
const POSITIONS: [&str; 2] = ["positions", "position"];
const VELOCITIES: [&str; 2] = ["velocities", "velocity"];
const ACCELERATIONS: [&str; 2] = ["accelerations", "acceleration"];

/// A point of a trajectory.
struct Point<'n> {
    node: &'n Node,
    label: String,
    /// From the start of its trajectory (s).
    time: Option<f64>,
    /// What it gives itself.
    given: Given,
    rates: RowRates,
}

impl Messages<'_, '_> {
    /// Adds the points of one trajectory, or of several, each of which begins where the one before ended.
    pub(super) fn read_trajectories(&mut self, message: &Node, found: &Node, mut start: Given) {
        let Some(all) = found.as_list() else {
            return self.read_robot_trajectory(found, "trajectory", &start);
        };
        // A detailed response has the stages of one plan: what it came to is the last.
        let stages =
            all.len() > 1 && ["description", "processing_time"].iter().any(|key| message.get(key).is_some());
        let skipped = if stages { all.len() - 1 } else { 0 };
        if stages {
            let what = format!("has {} of one plan: the last is taken", counted_things(all.len(), "stage"));
            self.tree_reader().add_warning(found, "trajectory", what, "");
        }
        for (k, found) in all.iter().enumerate().skip(skipped) {
            let before = self.motion.rows.len();
            self.read_robot_trajectory(found, &format!("trajectory {k}"), &start);
            if let Some(last) = self.motion.rows.get(before..).and_then(|rows| rows.last()) {
                start.iter_mut().zip(last).for_each(|(value, last)| *value = Some(*last));
            }
        }
    }

    /// Adds the points of a `RobotTrajectory`, or of one of its halves alone.
    pub(super) fn read_robot_trajectory(&mut self, node: &Node, label: &str, start: &Given) {
        let Some(halves) = self.read_halves(node, label) else { return };
        let Halves { lead, names, points, transforms, mut moved, .. } = halves;
        let mut covered = start.clone();
        moved.iter().filter_map(|own| own.joint).for_each(|joint| {
            covered[joint.values.clone()].fill(Some(0.0));
        });
        let places = self.read_columns(lead, label, &names, points.is_empty(), &covered);
        let Some(places) = places else { return };
        self.refuse_twice_given(lead, label, &moved, |value| places.contains(&Some(value)));
        if points.is_empty() && !transforms.is_empty() {
            self.require_all(lead, label, &covered);
        }
        let columns: Columns<'_> = (&names, &places);
        let begin = self.times.last().copied().flatten().unwrap_or(0.0);
        let cubic = self.goes_by_cubics(&moved);
        let moves = cubic || points.iter().any(|point| has_items(point, "velocities"));
        let stamp = lead.get("header").and_then(|header| header.get("stamp")).and_then(read_time);
        if self.motion.rows.is_empty() {
            self.motion.stamp = stamp.filter(|stamp| *stamp != 0.0);
        }
        let (before, held) = (self.log.fault_count(), self.motion.rows.len());
        let mut read: Vec<Point<'_>> = Vec::new();
        for k in 0..points.len().max(transforms.len()) {
            let label = format!("{label}, point {k}");
            let point = self.read_point(&label, [points.get(k), transforms.get(k)], columns, &mut moved);
            read.extend(point);
            let values =
                held.saturating_add(read.len()).saturating_mul(self.values.joints.names.len().max(1));
            if values > limits::MOTION_VALUES || self.log.fault_count() - before > limits::FAULTS {
                let what = "holds too many values or faults";
                return self.tree_reader().add_fault(lead, &label, what, "split the file");
            }
        }
        if let Some(first) = read.first() {
            self.check_begin(first, (columns, &moved), start);
            self.add_start((lead, label), first, (columns, &moved), begin, (start, moves));
        }
        let mut last: Option<f64> = None;
        for Point { node, label, time, given, rates } in read {
            let given: Given = given.iter().zip(start).map(|(point, start)| point.or(*start)).collect();
            if let (Some(time), Some(last)) = (time, last.filter(|_| moves))
                && time <= last
            {
                let [time, last] = Numeral::computed_apart([time, last]);
                let what = format!(
                    "comes at {time} s, the point before it at {last} s: a controller refuses times that do \
                     not grow"
                );
                self.tree_reader().add_fault(node, &label, what, "correct time_from_start");
            }
            last = time.or(last);
            self.push_pose(node, &label, &given, time.map(|time| begin + time), rates);
        }
        if cubic {
            self.make_cubic((lead, label), held, &moved);
        }
    }

    /// What a point gives, from its node in each half that there is; `None` where it was cut off.
    fn read_point<'n>(
        &mut self,
        label: &str,
        [point, transforms]: [Option<&'n Node>; 2],
        columns: Columns<'_>,
        moved: &mut [MovedJoint<'_>],
    ) -> Option<Point<'n>> {
        let node = point.or(transforms)?;
        let (mut given, mut rates) = (self.empty_values(), RowRates::default());
        if let Some(point) = point {
            self.tree_reader().check_keys(point, label, &POINT);
            given = self.read_point_list(point, label, POSITIONS, columns)?;
            rates = self.read_rates(point, label, columns);
        }
        if let Some(transforms) = transforms {
            self.tree_reader().check_keys(transforms, label, &TRANSFORMS);
            self.put_transforms(transforms, label, moved, &mut given);
        }
        leave_free(&mut rates, moved);
        let time = node.get("time_from_start").and_then(read_time);
        if time.is_none() {
            let what = "has no time_from_start that is a number or {sec, nanosec}";
            self.tree_reader().add_fault(node, label, what, "give its time from the start");
        }
        Some(Point { node, label: label.into(), time, given, rates })
    }

    /// The places of the joints of a trajectory; `None` where it names none. A joint that nothing gives is a
    /// fault.
    pub(super) fn read_columns(
        &mut self,
        trajectory: &Node,
        label: &str,
        names: &[String],
        is_empty: bool,
        start: &Given,
    ) -> Option<Vec<Option<usize>>> {
        if self.refuse_other_robot(trajectory, label, names) {
            return None;
        }
        let places: Vec<Option<usize>> =
            names.iter().map(|name| self.find_place(trajectory, label, name)).collect();
        // Once, and not at every point.
        let mut named = self.empty_values();
        for (name, place) in names.iter().zip(&places) {
            self.put_value(trajectory, label, name, *place, Some(0.0), &mut named);
        }
        if names.is_empty() && !is_empty {
            let what = "has points and no joint_names";
            self.tree_reader().add_fault(trajectory, label, what, "name the joints of its columns");
            return None;
        }
        if !is_empty {
            let whole: Given = named.iter().zip(start).map(|(named, start)| named.or(*start)).collect();
            self.require_all(trajectory, label, &whole);
        }
        Some(places)
    }

    /// A list of a point, by value of the model; `None` where it was cut off.
    fn read_point_list(
        &mut self,
        point: &Node,
        label: &str,
        [key, one]: [&str; 2],
        columns: Columns<'_>,
    ) -> Option<Given> {
        let items = self.read_whole_list(point, label, key)?;
        let mut given = self.empty_values();
        let (names, places) = columns;
        if items.len() == names.len() {
            for ((name, place), item) in names.iter().zip(places).zip(items) {
                let Some(place) = *place else { continue };
                given[place] = self.read_item(item, label, one, name);
            }
        } else {
            let what = format!(
                "has {} for {}",
                match (items.len(), key) {
                    (1, _) => format!("1 {one}"),
                    (count, _) => format!("{count} {key}"),
                },
                counted_things(names.len(), "joint")
            );
            self.tree_reader().add_fault(point, label, what, "give one for each of joint_names");
        }
        Some(given)
    }

    /// The velocities and accelerations of a point. Joints that its trajectory does not move are at rest.
    fn read_rates(&mut self, point: &Node, label: &str, columns: Columns<'_>) -> RowRates {
        let mut read = |list: [&'static str; 2]| {
            if !has_items(point, list[0]) {
                return Vec::new();
            }
            let given = self.read_point_list(point, label, list, columns).unwrap_or_default();
            let count = self.values.joints.names.len();
            let rates: Vec<f64> = given.iter().take(count).map(|rate| rate.unwrap_or(0.0)).collect();
            self.check_mimic_rates(point, label, list[1], &given, &rates);
            rates
        };
        let [velocities, accelerations] = [read(VELOCITIES), read(ACCELERATIONS)];
        if velocities.is_empty() && !accelerations.is_empty() {
            let what = "has accelerations and no velocities, of which a controller makes no motion";
            self.tree_reader().add_fault(point, label, what, "give velocities too, or no accelerations");
        }
        RowRates { velocities, accelerations }
    }

    /// Refuses rates of mimic joints that contradict those of the joints that they follow.
    fn check_mimic_rates(&mut self, point: &Node, label: &str, word: &str, given: &Given, rates: &[f64]) {
        let Joints { names, mimics, .. } = self.values.joints;
        for ((name, follows), own) in mimics.iter().zip(given.iter().skip(names.len())) {
            let wrong =
                own.and_then(|own| mimic_rate_contradiction(word, (name, follows), own, names, rates));
            if let Some(what) = wrong {
                let help = "correct the number, or leave the joint out";
                self.tree_reader().add_fault(point, label, what, help);
            }
        }
    }

    /// Adds the start that a first point is reached from, if it comes later than that.
    fn add_start(
        &mut self,
        (trajectory, label): (&Node, &str),
        first: &Point<'_>,
        (columns, moved): (Columns<'_>, &[MovedJoint<'_>]),
        begin: f64,
        (start, moves): (&Given, bool),
    ) {
        let Some(late) = first.time.filter(|late| *late > 0.0 && self.motion.rows.is_empty()) else { return };
        let count = self.values.joints.names.len();
        if start[..count].iter().any(Option::is_none) {
            let what = format!(
                "its first point comes after {} s: the way there is not known, and not asked",
                Numeral::computed(late)
            );
            let help = "give the start: trajectory_start: {joint_state: {name: [...], position: [...]}}";
            return self.tree_reader().add_warning(trajectory, label, what, help);
        }
        let mut given = start.clone();
        for place in columns.1.iter().flatten().filter(|place| self.values.joints.turning.contains(place)) {
            if let (Some(value), Some(target)) = (given[*place].as_mut(), first.given[*place]) {
                *value = target - shortest_way(*value, target);
            }
        }
        let given_rates = std::mem::take(&mut self.start_velocities);
        let velocities = given_rates.into_iter().take(count).map(|rate| rate.unwrap_or(0.0)).collect();
        // The controller takes zero for rates that the start does not give.
        let accelerates = moves && !first.rates.accelerations.is_empty();
        let accelerations = if accelerates { vec![0.0; count] } else { Vec::new() };
        let mut rates = if moves { RowRates { velocities, accelerations } } else { RowRates::default() };
        leave_free(&mut rates, moved);
        self.push_pose(trajectory, label, &given, Some(begin), rates);
    }

    /// Checks how a trajectory begins. It may not begin before its start, or depend on what the controller
    /// did at the end of the trajectory before it. There is a warning if it begins elsewhere than where the
    /// robot is.
    fn check_begin(
        &mut self,
        point: &Point<'_>,
        (columns, moved): (Columns<'_>, &[MovedJoint<'_>]),
        start: &Given,
    ) {
        let Point { node, label, time: Some(first), given, .. } = point else { return };
        if *first < 0.0 {
            let what = format!("its first point comes {} s before its start", Numeral::computed(-first));
            self.tree_reader().add_fault(node, label, what, "correct time_from_start");
        }
        let turns = |place: usize| self.values.joints.turning.contains(&place);
        let mut changes: Vec<(f64, &str, bool)> = Vec::new();
        for (name, place) in columns.0.iter().zip(columns.1) {
            let Some(place) = *place else { continue };
            let (Some(Some(from)), Some(to)) = (start.get(place), given[place]) else { continue };
            let way = if turns(place) { shortest_way(*from, to) } else { to - from };
            changes.push((way.abs(), name, turns(place) && (to - from - way).abs() > 1.0));
        }
        for joint in moved.iter().filter_map(|own| own.joint) {
            let values =
                |all: &Given| all[joint.values.clone()].iter().copied().collect::<Option<Vec<f64>>>();
            let (Some(from), Some(to)) = (values(start), values(given)) else { continue };
            changes.push((joint.find_change(&from, &to), &joint.name, false));
        }
        let most = changes.iter().fold(None, |most: Option<&(f64, &str, bool)>, change| {
            if most.is_none_or(|most| change.0 > most.0) { Some(change) } else { most }
        });
        if let Some((most, name, _)) = most.filter(|(most, ..)| *most > limits::START_JUMP && *first == 0.0) {
            let what = format!(
                "its first point is at its start, and {:?} is {} rad or m from there: a controller jumps",
                short_text(name),
                Numeral::computed(*most)
            );
            self.tree_reader().add_warning(node, label, what, "begin where the robot is, or later");
        }
        // To the controller a trajectory after another one is a new one, and the robot is at rest by then.
        if !self.motion.rows.is_empty() && *first > 0.0 {
            let moves = !point.rates.velocities.is_empty() || self.goes_by_cubics(moved);
            let speeds = self.rates.last().is_some_and(|own| own.velocities.iter().any(|v| v.abs() > 0.0));
            let wraps = most.is_some_and(|(_, _, wraps)| *wraps);
            if moves || speeds || wraps {
                let what = "begins later than its start, behind another trajectory";
                let help =
                    "give it a file of its own, with the start: how a controller goes there depends on it";
                self.tree_reader().add_fault(node, label, what, help);
            }
        }
    }

    /// Reads the tolerances with which an action asks a controller to follow, by joint.
    pub(super) fn read_path_tolerance(&mut self, message: &Node) {
        let label = "path_tolerance";
        let Some(items) = self.read_whole_list(message, "", label) else { return };
        for item in items {
            let name = self.tree_reader().read_text(item, label, "name", false);
            let position = self.tree_reader().read_number(item, label, "position", Some(0.0));
            let (Some(name), Some(position)) = (name, position) else { continue };
            let place = self.find_place(item, label, name);
            let Some(place) = place.filter(|place| *place < self.values.joints.names.len()) else { continue };
            if position < 0.0 {
                let what = format!(
                    "{:?} may be anywhere (a negative tolerance): its way is asked without one",
                    short_text(name)
                );
                self.tree_reader().add_warning(item, label, what, "give the tolerance that is kept");
            } else if position == 0.0 {
                let what = format!(
                    "{:?} has the tolerance 0, which is the controller's own: its way is asked without one",
                    short_text(name)
                );
                self.tree_reader().add_warning(item, label, what, "give the tolerance that is kept");
            } else {
                let count = self.values.joints.names.len();
                self.motion.tolerance.resize(count, 0.0);
                self.motion.tolerance[place] = position;
            }
        }
    }
}

/// Joints with transforms have no velocities of their own.
fn leave_free(rates: &mut RowRates, moved: &[MovedJoint<'_>]) {
    for value in moved.iter().filter_map(|own| own.joint).flat_map(|joint| joint.values.clone()) {
        for list in [&mut rates.velocities, &mut rates.accelerations] {
            list.get_mut(value).into_iter().for_each(|rate| *rate = f64::NAN);
        }
    }
}

/// The change from one angle to another along the shorter arc. At exactly half a turn it has the sign of the
/// difference of the numbers, as in the controller's `wraparound_joint`.
fn shortest_way(from: f64, to: f64) -> f64 {
    let way = (to - from) - TAU * ((to - from) / TAU).round();
    if (way.abs() - PI).abs() < HALF_TURN_SLACK { PI.copysign(to - from) } else { way }
}

/// What is this near to half a turn counts as half a turn (rad): the controller's number.
const HALF_TURN_SLACK: f64 = 1e-9;

fn has_items(point: &Node, key: &str) -> bool {
    point.get(key).is_some_and(|list| list.as_list().is_none_or(|items| !items.is_empty()))
}
