//! How far each joint of a robot may be from its motion if its clock is wrong by a time, or if it stops on
//! its way for as long.
//!
//! On a way it is then where the motion is at some instant that is earlier or later by no more than that. So
//! a value changes by no more than its largest speed near that way times the time, and by no more than it
//! moves there at all. All joints of a robot have one clock: its links are to each other, to what it carries
//! and to what rests as on the motion, at another instant. So this counts between two robots alone
//! ([`EdgePairs::BetweenRobots`](elbowroom::motion::EdgePairs::BetweenRobots)).

use elbowroom::World;
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

/// By sample, the way to which it is about: by value, how far each may be off. Times must grow, and every way
/// must be one that the world takes. Orientations are not known, and may be turned in any way.
pub fn find_clock_errors(world: &World, motion: &Motion, t: &[f64], seconds: f64) -> Vec<Vec<f64>> {
    let (count, width) = (motion.rows.len(), world.dof_names().len());
    let mut errors = vec![vec![0.0; width]; count];
    let splines: Vec<_> = (1..count).map(|sample| motion.spline_to(world, sample).ok()).collect();
    for value in 0..width {
        let stretch = |way: usize| match splines.get(way).and_then(Option::as_ref) {
            Some(spline) => {
                let [low, high] = spline.value_range(value, [0.0, 1.0]);
                let [slow, fast] = spline.rate_range(value, 1, [0.0, 1.0]);
                ValueStretch { speed: slow.abs().max(fast.abs()), low, high }
            }
            None => ValueStretch { speed: f64::NAN, low: f64::NAN, high: f64::NAN },
        };
        let ways: Vec<ValueStretch> = (0..count.saturating_sub(1)).map(stretch).collect();
        let mut windows = [(); 3].map(|()| Largest::default());
        let (mut first, mut last) = (0, 0);
        for way in 0..ways.len() {
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
            let [speed, low, high] = [0, 1, 2].map(|k| windows[k].largest());
            let error = (speed * seconds).min(high + low);
            // What is not a number is an orientation: half a turn is any.
            errors[way + 1][value] = if error.is_nan() { turn(world, value) } else { error };
        }
    }
    errors
}

/// The angle by which an orientation may be off: with its first number half a turn, with the others none.
fn turn(world: &World, value: usize) -> f64 {
    let begins =
        world.joints().iter().any(|joint| joint.values.len() == 7 && joint.values.start + 3 == value);
    if begins { std::f64::consts::PI } else { 0.0 }
}

/// The largest of the numbers of a window that goes on: those that a later one exceeds are forgotten.
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

    fn largest(&self) -> f64 {
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
                assert_eq!(window.largest(), expected, "{width} {at}");
            }
        }
    }
}
