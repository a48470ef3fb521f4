//! How far each joint of a robot may be from its motion if the robot's clock is wrong, or if it stops on its
//! way.
//!
//! The robot is then where its motion is somewhat earlier or later, by no more than the error of the clock.
//! So a value is off by no more than its largest speed near that way times the error, and by no more than the
//! whole range of its values there. All joints of a robot have one clock. So its links stand to each other,
//! to what it carries and to what rests as they do on the motion, at another instant: the error matters
//! between robots only ([`EdgePairs::BetweenRobots`](elbowroom::motion::EdgePairs::BetweenRobots)).

use elbowroom::World;
use elbowroom::describe::JointKind;
use elbowroom::motion::SplinePiece;
use elbowroom_files::motion::Motion;
use std::collections::VecDeque;

/// What is known of a value on one way.
#[derive(Clone, Copy, Debug)]
struct ValueStretch {
    /// Its largest speed.
    speed: f64,
    low: f64,
    high: f64,
}

impl ValueStretch {
    fn from_spline(spline: &SplinePiece, value: usize) -> ValueStretch {
        let [low, high] = spline.value_range(value, [0.0, 1.0]);
        let [slow, fast] = spline.rate_range(value, 1, [0.0, 1.0]);
        ValueStretch { speed: slow.abs().max(fast.abs()), low, high }
    }
}

/// How far each value may be off, by sample and value; a sample stands for the way that leads to it. Times
/// must grow, and the world must take every way. Orientations are not bounded: they may be turned in any way.
pub fn find_clock_errors(world: &World, motion: &Motion, t: &[f64], seconds: f64) -> Vec<Vec<f64>> {
    let (count, width) = (motion.rows.len(), world.dof_names().len());
    let splines: Vec<_> = (1..count).map(|sample| motion.spline_to(world, sample).ok()).collect();
    let unknown = ValueStretch { speed: f64::NAN, low: f64::NAN, high: f64::NAN };
    let mut errors = vec![Vec::with_capacity(width); count];
    for value in 0..width {
        let stretch = |spline: &Option<SplinePiece>| {
            spline.as_ref().map_or(unknown, |spline| ValueStretch::from_spline(spline, value))
        };
        let ways: Vec<ValueStretch> = splines.iter().map(stretch).collect();
        let turn = if is_orientation(world, value) { std::f64::consts::PI } else { 0.0 };
        // An orientation has no number here. Any other orientation is at most half a turn away. The first
        // sample has no way.
        let found = find_value_errors(&ways, t, seconds);
        let found = found.into_iter().map(|error| if error.is_nan() { turn } else { error });
        errors.iter_mut().zip(std::iter::once(0.0).chain(found)).for_each(|(row, error)| row.push(error));
    }
    errors
}

/// How far one value may be off on each of these ways.
fn find_value_errors(ways: &[ValueStretch], t: &[f64], seconds: f64) -> Vec<f64> {
    let mut windows = [(); 3].map(|()| Largest::default());
    let (mut first, mut last) = (0, 0);
    let error = |way: usize| {
        // The ways on which the motion is within the time of some instant of this one.
        while last < ways.len() && (last <= way || t[last] <= t[way + 1] + seconds) {
            let ValueStretch { speed, low, high } = ways[last];
            windows.iter_mut().zip([speed, -low, high]).for_each(|(w, number)| w.push(last, number));
            last += 1;
        }
        while first < way && t[first + 1] < t[way] - seconds {
            first += 1;
            windows.iter_mut().for_each(|window| window.drop_before(first));
        }
        let [speed, low, high] = [0, 1, 2].map(|k| windows[k].largest_number());
        (speed * seconds).min(high + low)
    };
    (0..ways.len()).map(error).collect()
}

/// Whether a value is the first of the four numbers of an orientation.
fn is_orientation(world: &World, value: usize) -> bool {
    let floating = world.joints().iter().filter(|joint| joint.kind == JointKind::Floating);
    floating.into_iter().any(|joint| joint.values.start + 3 == value)
}

/// The largest number of a sliding window. Numbers that a later one exceeds are dropped.
#[derive(Debug, Default)]
struct Largest(VecDeque<(usize, f64)>);

impl Largest {
    fn push(&mut self, at: usize, number: f64) {
        // NaN is larger than all.
        while self.0.back().is_some_and(|(_, last)| number.is_nan() || *last <= number) {
            self.0.pop_back();
        }
        self.0.push_back((at, number));
    }

    fn drop_before(&mut self, first: usize) {
        while self.0.front().is_some_and(|(at, _)| *at < first) {
            self.0.pop_front();
        }
    }

    fn largest_number(&self) -> f64 {
        self.0.front().map_or(0.0, |(_, number)| *number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_of_a_window_is_that_of_its_numbers() {
        let numbers = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0, 5.0];
        for width in 1..5 {
            let mut window = Largest::default();
            for at in 0..numbers.len() {
                window.push(at, numbers[at]);
                let first = (at + 1).saturating_sub(width);
                window.drop_before(first);
                let expected = numbers[first..=at].iter().copied().fold(0.0, f64::max);
                assert_eq!(window.largest_number(), expected, "{width} {at}");
            }
        }
    }
}
