//! Recorded stops out of a record of the monitor: how far each joint still went when the arms were told to
//! stop.
//!
//! An episode begins with the answer `stop` behind one that was none. A joint moves in it if it comes to be
//! faster than [`MOVES`] times its `velocity_error`. It goes on as it did until the brake acts, and may even
//! speed up: so the brake acts from the last state on at which the joint is as fast as it ever is after the
//! answer, but for `velocity_error`. The way counts from there to where it is farthest until it rests: until
//! two states follow each other that are no faster than `velocity_error`. The brake may act up to a period
//! later than that state, so the way is rather too long than too short.
//!
//! An episode that ends before the joint rests, since the arms may go on, says nothing and is counted. A
//! joint that moves until the record ends never rests as far as anybody knows: a fit without it would be too
//! good.

use crate::monitor::load_settings;
use crate::monitor::record_reader::{NextEntry, RecordReader};
use anyhow::{Result, bail};
use elbowroom_files::states::{StateLine, read_line};
use elbowroom_files::text::strip_mark;
use elbowroom_monitor::stopping::RecordedStop;
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A joint that is slower than so many times `velocity_error` rests, or creeps: the error is more than a
/// tenth of its speed.
const MOVES: f64 = 10.0;

/// The words with which a record begins.
const HEAD: &[u8] = b"{\"elbowroom_record\"";

/// Whether a file is a record of the monitor.
pub fn is_record(path: &Path) -> bool {
    // A mark of three bytes may stand before it.
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD.len() as u64 + 3).read_to_end(&mut head));
    read.is_ok() && strip_mark(&head).is_ok_and(|head| head.starts_with(HEAD))
}

/// Recorded stops of a joint.
#[derive(Debug, Default)]
pub struct RecordedStops {
    /// Its name, where a record tells it.
    pub joint: Option<String>,
    pub stops: Vec<RecordedStop>,
    /// Least and most from the state that was told to stop until the brake acts (s).
    pub delay: Option<[f64; 2]>,
    /// Stops that ended before the joint rested.
    pub cut_short: usize,
}

/// A joint at a state.
#[derive(Clone, Copy, Debug)]
struct Sample {
    t: f64,
    q: f64,
    speed: f64,
}

/// A joint value, and its episode.
struct Joint {
    error: f64,
    last: Option<Sample>,
    /// When the arms were told to stop, and the states since.
    episode: Option<(f64, Vec<Sample>)>,
    found: RecordedStops,
}

impl Joint {
    fn take_state(&mut self, t: f64, q: f64, qd: Option<f64>) {
        let before = self.last.filter(|last| last.t < t);
        // A time that runs back is no new state.
        if self.last.is_some() && before.is_none() {
            return;
        }
        let differs = before.map_or(0.0, |last| (q - last.q) / (t - last.t));
        let new = Sample { t, q, speed: qd.unwrap_or(differs).abs() };
        self.last = Some(new);
        let Some((_, states)) = &mut self.episode else { return };
        states.push(new);
        let rests = |sample: &Sample| sample.speed <= self.error;
        if states.len() >= 2 && states.iter().rev().take(2).all(rests) {
            self.end_at_rest();
        }
    }

    /// The arms are told to stop at a time.
    fn begin_episode(&mut self, t: f64) {
        self.episode = Some((t, self.last.into_iter().collect()));
    }

    /// The greatest speed of the episode, if the joint moves in it.
    fn fastest_speed(&self) -> Option<f64> {
        let (_, states) = self.episode.as_ref()?;
        let fastest = states.iter().map(|sample| sample.speed).fold(0.0, f64::max);
        (fastest > MOVES * self.error).then_some(fastest)
    }

    /// The joint has come to rest.
    fn end_at_rest(&mut self) {
        let fastest = self.fastest_speed();
        let (Some(fastest), Some((told, states))) = (fastest, self.episode.take()) else { return };
        let Some(at) = states.iter().rposition(|sample| sample.speed >= fastest - self.error) else { return };
        let Some(brakes) = states.get(at) else { return };
        let ways = states.iter().skip(at).map(|sample| (sample.q - brakes.q).abs());
        self.found.stops.push(RecordedStop { speed: brakes.speed, way: ways.fold(0.0, f64::max) });
        let delay = (brakes.t - told).max(0.0);
        let [least, most] = self.found.delay.unwrap_or([delay; 2]);
        self.found.delay = Some([least.min(delay), most.max(delay)]);
    }

    /// The arms may go on.
    fn end_episode(&mut self) {
        self.found.cut_short += usize::from(self.fastest_speed().is_some());
        self.episode = None;
    }
}

/// The stops of each joint in a record, or of one. `world` is where the world file is now.
pub fn read_stops(path: &Path, world: Option<&Path>, only: Option<&str>) -> Result<Vec<RecordedStops>> {
    let name = path.display();
    let (mut record, header) = RecordReader::open(path)?;
    let mut from = header.world_arguments();
    from.world = world.map_or(from.world, Path::to_path_buf);
    let (loaded, settings) = load_settings(&from)?;
    let robots = loaded.world.robots();
    let mut arms = Vec::new();
    for arm in &settings.arms {
        let Some(robot) = robots.get(arm.robot.0 as usize) else { continue };
        let names = loaded.world.dof_names().get(robot.values.clone()).unwrap_or_default();
        let joints = names.iter().zip(&arm.joints).map(|(name, joint)| Joint {
            error: joint.velocity_error,
            last: None,
            episode: None,
            found: RecordedStops { joint: Some(name.clone()), ..RecordedStops::default() },
        });
        arms.push((&*robot.name, joints.collect::<Vec<_>>()));
    }
    let is_known = |only: &str| arms.iter().flat_map(|(_, joints)| joints).any(|joint| joint.is_named(only));
    if let Some(only) = only.filter(|only| !is_known(only)) {
        let known: Vec<&str> =
            arms.iter().flat_map(|(_, joints)| joints).filter_map(|j| j.found.joint.as_deref()).collect();
        bail!("--joint {only} is no joint of the record; it has {}", known.join(", "));
    }
    let mut stops = true;
    // A record that was cut is read up to there.
    while let NextEntry::Entry(entry) = record.read_entry()? {
        if let Some(line) = entry.line.as_deref().and_then(|line| read_line(line.as_bytes()).ok())
            && let (Some(t), Some(state)) = (line.t, &line.state)
        {
            take_state_line(&mut arms, t, state);
        }
        let Some(out) = entry.out.and_then(|out| serde_json::from_str::<Value>(out.get()).ok()) else {
            continue;
        };
        let stopped = out.get("command").is_some_and(|command| command == "stop");
        let joints = arms.iter_mut().flat_map(|(_, joints)| joints);
        match (stops, stopped, out.get("t").and_then(Value::as_f64)) {
            (false, true, Some(t)) => joints.for_each(|joint| joint.begin_episode(t)),
            (true, false, _) => joints.for_each(Joint::end_episode),
            _ => {}
        }
        stops = stopped;
    }
    let mut found = Vec::new();
    for joint in arms.into_iter().flat_map(|(_, joints)| joints) {
        if only.is_some_and(|only| !joint.is_named(only)) {
            continue;
        }
        if joint.fastest_speed().is_some() {
            bail!(
                "{name}: {} was told to stop and moves until the record ends: nobody knows whether it ever \
                 rested; record until it does",
                joint.found.joint.as_deref().unwrap_or("a joint")
            );
        }
        found.push(joint.found);
    }
    Ok(found)
}

impl Joint {
    /// Whether it has a name.
    fn is_named(&self, name: &str) -> bool {
        self.found.joint.as_deref() == Some(name)
    }
}

/// Takes a state of a robot, or of all. One whose lists do not fit was not believed.
fn take_state_line(arms: &mut [(&str, Vec<Joint>)], t: f64, state: &StateLine) {
    let is_of = |name: &str| state.robot.as_deref().is_none_or(|robot| robot == name);
    let joints = || arms.iter().filter(|(name, _)| is_of(name)).map(|(_, joints)| joints.len());
    let count: usize = joints().sum();
    if state.q.len() != count || state.qd.as_ref().is_some_and(|qd| qd.len() != count) {
        return;
    }
    let joints = arms.iter_mut().filter(|(name, _)| is_of(name)).flat_map(|(_, joints)| joints);
    for (k, (joint, q)) in joints.zip(&state.q).enumerate() {
        joint.take_state(t, *q, state.qd.as_ref().and_then(|qd| qd.get(k).copied()));
    }
}
