//! Arms that do what they were asked to, as late and as badly as they may: what the guard is held against.

use crate::cell::Facts;
use crate::rng::Rng;
use elbowroom_monitor::guard::Action;

/// How finely the plant is simulated (s).
pub const TICK: f64 = 0.0005;

/// The joints of all arms.
pub struct Plant {
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    facts: Facts,
    brakes: Vec<f64>,
    /// Commands on their way: when they act, and what they say.
    coming: Vec<(f64, Action, f64)>,
    action: Action,
    factor: f64,
}

impl Plant {
    pub fn new(q: Vec<f64>, facts: Facts, rng: &mut Rng) -> Plant {
        let [weak, strong] = facts.brake;
        // The weakest brakes and the strongest, at times.
        let brake = |rng: &mut Rng| if rng.chance(0.3) { weak } else { rng.range(weak, strong) };
        let brakes = q.iter().map(|_| brake(rng)).collect();
        let v = vec![0.0; q.len()];
        let (action, factor) = (Action::Permit, 1.0);
        Plant { t: 0.0, q, v, facts, brakes, coming: Vec::new(), action, factor }
    }

    /// What the joints report: within the errors that the guard was told of.
    pub fn report(&self, rng: &mut Rng) -> (Vec<f64>, Vec<f64>) {
        let mut noisy = |values: &[f64], error: f64| {
            values.iter().map(|v| v + error * rng.range(-1.0, 1.0)).collect::<Vec<f64>>()
        };
        (noisy(&self.q, self.facts.position_error), noisy(&self.v, self.facts.velocity_error))
    }

    /// Takes a command, which acts after a latency.
    pub fn hear(&mut self, action: Action, speed: f64, rng: &mut Rng) {
        let [least, most] = self.facts.latency;
        let latency = if rng.chance(0.3) { most } else { rng.range(least, most) };
        self.coming.push((self.t + latency, action, speed));
    }

    /// Goes on for a tick towards the velocities that are asked for.
    pub fn go(&mut self, asked: &[f64]) {
        self.t += TICK;
        // Commands act in the order in which they were given: the last one whose time has come counts.
        while let Some(k) = self.coming.iter().rposition(|(at, ..)| *at <= self.t) {
            let (_, action, factor) = self.coming[k];
            (self.action, self.factor) = (action, factor);
            self.coming.drain(..=k);
        }
        for (k, asked) in asked.iter().enumerate() {
            let before = self.v[k];
            if self.action == Action::Stop {
                let less = (before.abs() - self.brakes[k] * TICK).max(0.0);
                self.v[k] = less.copysign(before);
                if less == 0.0 {
                    self.v[k] = 0.0;
                }
            } else {
                let wanted = asked * self.factor;
                let most = self.facts.acceleration * TICK;
                self.v[k] = before + (wanted - before).clamp(-most, most);
            }
            self.q[k] += 0.5 * (before + self.v[k]) * TICK;
        }
    }
}
