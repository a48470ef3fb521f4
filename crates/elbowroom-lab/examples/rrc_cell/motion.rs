//! Motions of both arms over time, and their lines.
//!
//! A move goes along a curve in joint space: the polynomial through a few nodes, two for a straight line of
//! all joints, four where the hand is to keep to a line. The way along the curve is the quintic that begins
//! and ends at rest without a jump of acceleration, so velocities are the exact derivative.

use super::arm::{Arm, Values};
use super::robot::short;
use anyhow::Result;
use elbowroom::math::Transform;

/// Samples a second: both arms report in each period.
pub const RATE: f64 = 100.0;
/// The arms' names, in the order of the world.
pub const NAMES: [&str; 2] = ["left", "right"];

struct Move {
    arm: usize,
    /// Its first sample, and how many there are to its last.
    first: usize,
    samples: usize,
    /// Joint values at equal parts of the curve.
    nodes: Vec<Values>,
}

/// What both arms do, as it is written down.
pub struct Script {
    arms: [Arm; 2],
    starts: [Values; 2],
    moves: Vec<Move>,
    /// Sample and line, in the order of time.
    events: Vec<(usize, String)>,
    now: usize,
}

fn samples(seconds: f64) -> usize {
    (seconds * RATE).round() as usize
}

impl Script {
    pub fn new(arms: [Arm; 2], starts: [Values; 2]) -> Script {
        Script { arms, starts, moves: Vec::new(), events: Vec::new(), now: 0 }
    }

    /// Joint values at the end of all moves so far.
    pub fn values_of_arm(&self, arm: usize) -> Values {
        let last = self.moves.iter().rev().find(|m| m.arm == arm).and_then(|m| m.nodes.last());
        *last.unwrap_or(&self.starts[arm])
    }

    /// Nothing moves.
    pub fn wait(&mut self, seconds: f64) {
        self.now += samples(seconds);
    }

    /// One arm moves, each joint from number to number.
    pub fn turn(&mut self, arm: usize, to: Values, seconds: f64) {
        self.both(&[(arm, to)], seconds);
    }

    /// Several arms do so at the same time.
    pub fn both(&mut self, ends: &[(usize, Values)], seconds: f64) {
        let (first, samples) = (self.now, samples(seconds));
        for (arm, to) in ends {
            let nodes = vec![self.values_of_arm(*arm), *to];
            self.moves.push(Move { arm: *arm, first, samples, nodes });
        }
        self.now += samples;
    }

    /// One arm's hand moves in a straight line to a frame, without turning.
    pub fn line(&mut self, arm: usize, to: &Transform, seconds: f64) -> Result<()> {
        let from = self.values_of_arm(arm);
        let start = self.arms[arm].tool(&from).translation;
        let mut nodes = vec![from];
        for part in [1.0 / 3.0, 2.0 / 3.0, 1.0] {
            let at = Transform::new(to.rotation, start + (to.translation - start) * part);
            let near = *nodes.last().unwrap_or(&from);
            nodes.push(self.arms[arm].solve(&at, &near)?);
        }
        let (first, samples) = (self.now, samples(seconds));
        self.moves.push(Move { arm, first, samples, nodes });
        self.now += samples;
        Ok(())
    }

    /// Something happens now, behind the states of this period: the fields of a line, without its time.
    pub fn event(&mut self, fields: &str) {
        self.events.push((self.now, fields.to_string()));
    }

    /// Joint values and velocities of an arm at a sample.
    fn state(&self, arm: usize, sample: usize) -> [Values; 2] {
        let begun = |m: &&Move| m.arm == arm && m.first <= sample;
        let Some(last) = self.moves.iter().rev().find(begun) else {
            return [self.starts[arm], [0.0; 7]];
        };
        let u = ((sample - last.first) as f64 / last.samples as f64).min(1.0);
        let seconds = last.samples as f64 / RATE;
        let way = u * u * u * (10.0 + u * (6.0 * u - 15.0));
        let speed = 30.0 * u * u * (1.0 - u) * (1.0 - u) / seconds;
        let [mut q, mut qd] = [[0.0; 7]; 2];
        for (i, node) in last.nodes.iter().enumerate() {
            let [weight, slope] = weight(i, last.nodes.len(), way);
            for k in 0..7 {
                q[k] += weight * node[k];
                qd[k] += slope * speed * node[k];
            }
        }
        [q, qd]
    }

    /// All lines, in the order of time.
    pub fn lines(&self) -> String {
        let mut text = String::new();
        let mut events = self.events.iter().peekable();
        for sample in 0..=self.now {
            let t = short(sample as f64 / RATE);
            for (arm, name) in NAMES.iter().enumerate() {
                let [q, qd] = self.state(arm, sample).map(|v| v.map(short).join(", "));
                text += &format!("{{\"t\": {t}, \"robot\": \"{name}\", \"q\": [{q}], \"qd\": [{qd}]}}\n");
            }
            while let Some((_, fields)) = events.next_if(|event| event.0 == sample) {
                text += &format!("{{\"t\": {t}, {fields}}}\n");
            }
        }
        text
    }
}

/// How much a node counts at a part of the curve, and how that changes: Lagrange's polynomial, which is one
/// at its node and zero at the others.
fn weight(node: usize, nodes: usize, at: f64) -> [f64; 2] {
    let place = |i: usize| i as f64 / (nodes - 1) as f64;
    let others = || (0..nodes).filter(move |i| *i != node);
    let factor = |i: usize| (at - place(i)) / (place(node) - place(i));
    let weight = others().map(factor).product();
    let slope = |left_out: usize| -> f64 {
        let rest: f64 = others().filter(|i| *i != left_out).map(factor).product();
        rest / (place(node) - place(left_out))
    };
    [weight, others().map(slope).sum()]
}
