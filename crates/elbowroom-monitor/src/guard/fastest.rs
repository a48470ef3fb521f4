//! How fast the arms may go on: the greatest part of the speed that is asked for whose far box is proved
//! clear. [`super::clear`] says what that box is.

use super::clear::{Class, Clear, PADDED, PressBox, contact_words, unmeant_contact_kind};
use super::command::{Command, Reason, ReasonKind};
use super::now::{Now, WORK, range_ends};
use crate::intent::Contact;
use elbowroom::motion::{OpenPair, PairWork, RangeAnswer, RangeOptions};
use elbowroom::world::{BodyId, BodyPair};

/// Speeds that are tried, and how near two of them lie to each other where the search ends: as parts of the
/// greater.
const BISECTIONS: u32 = 8;
pub(super) const WIDTH: f64 = 1.0 / 16.0;

/// Why a pair that the arms may reach slows them down.
fn in_reach(now: &Now, open: &OpenPair) -> Reason {
    if now.parts.pad_depth(open.pair).is_some() {
        return Reason::new(ReasonKind::ContactSpeed).of_pair(open.pair).with_words(PADDED);
    }
    let (contact, says) = now.parts.contact_verdict(open.pair);
    let kind = match contact {
        Contact::Expected => ReasonKind::ContactSpeed,
        Contact::Collision => unmeant_contact_kind(now, open.pair),
        Contact::Ask => ReasonKind::Ask,
    };
    let reason = Reason::new(kind).of_pair(open.pair).with_words(says);
    match contact {
        Contact::Expected => reason,
        Contact::Collision | Contact::Ask => reason.with_limit(open.upper.min(1e6), now.d.clearance),
    }
}

impl Clear<'_> {
    /// The greatest part of the speed that is asked for that is proved clear, and what is in the way of a
    /// greater one.
    pub(super) fn find_fastest_part(
        &mut self,
        now: Now,
        (top, unbounded): (f64, Option<usize>),
        command: &mut Command,
    ) -> (f64, Reason) {
        if top == 0.0
            && let Some(value) = unbounded
        {
            return (0.0, Reason::new(ReasonKind::Unbounded).of_value(value));
        }
        let (part, reason) = self.fastest_below(now, top, command);
        match unbounded {
            Some(value) if part >= top => (top, Reason::new(ReasonKind::Unbounded).of_value(value)),
            _ => (part, reason),
        }
    }

    fn fastest_below(&mut self, now: Now, top: f64, command: &mut Command) -> (f64, Reason) {
        let (mut floor, mut meant) = (f64::INFINITY, None);
        for k in 0..self.open.len() {
            if let Some((OpenPair { pair, .. }, class)) = self.open.get(k).copied()
                && class.is_slow_contact()
            {
                let bodies = (pair.a, Some(pair.b));
                let (part, speed) = self.part_at(now, bodies, now.d.contact_speed, command);
                if part < floor {
                    let says = contact_words(&now, pair);
                    let reason = Reason::new(ReasonKind::ContactSpeed).of_pair(pair).with_words(says);
                    (floor, meant) = (part, Some(reason.with_limit(speed, now.d.contact_speed)));
                }
            }
        }
        let unproved = Reason::new(ReasonKind::Unproved);
        let Some(meant) = meant else {
            let (part, reason) = self.search_parts(now, (top, top), false, command);
            return (part, reason.unwrap_or(unproved));
        };
        // Towards a contact that is meant the arms become no faster than they are.
        let present = self.asked.part_of_multiple(1.0);
        let (of_all, reason) = self.search_parts(now, (present.max(floor).min(top), top), true, command);
        if of_all >= floor || of_all >= top {
            return (of_all, reason.unwrap_or(meant));
        }
        // Only expected contacts are nearer: the contact speed is enough for them.
        let (others, reason) = self.search_parts(now, (top, top), false, command);
        if others < floor { (others, reason.unwrap_or(unproved)) } else { (floor, meant) }
    }

    /// The part of the speed that is asked for at which a body will not be measured to be faster than `most`
    /// (m/s), by itself or against another one; and how fast it would be measured to be at all of it.
    pub(super) fn part_at(
        &mut self,
        now: Now,
        (of, against): (BodyId, Option<BodyId>),
        most: f64,
        command: &mut Command,
    ) -> (f64, f64) {
        command.work.motions += 2;
        // Arms that obey come to this speed by a ramp, and may pass it a little.
        let most = most * (1.0 - WIDTH);
        now.joints.asked_ranges(&mut self.going);
        let speed = self.going_speed(of, against);
        if now.joints.asked_speed().is_none() {
            return (self.asked.part_of_multiple(most / speed), speed);
        }
        // The errors of velocities do not slow down with the arms.
        now.joints.velocity_errors(&mut self.going);
        let error = self.going_speed(of, against);
        (((most - error).max(0.0) / speed).min(1.0), speed + error)
    }

    /// How fast a body is at the velocities of [`Clear::going`] (m/s).
    fn going_speed(&mut self, of: BodyId, against: Option<BodyId>) -> f64 {
        let speed = self.ranges.bound_speed(range_ends(&self.near), range_ends(&self.going), of, against);
        speed.unwrap_or(f64::INFINITY)
    }

    /// Tries parts of the speed up to `most`: what is proved of one is proved of all below. With what is in
    /// the way of a greater one; `None` if nothing is in the way of `most`.
    fn search_parts(
        &mut self,
        now: Now,
        (most, top): (f64, f64),
        meant: bool,
        command: &mut Command,
    ) -> (f64, Option<Reason>) {
        // What is open at full speed is known.
        let open = self.open.iter().find(|(_, class)| matches!(class, Class::Forbidden | Class::Asked));
        let known = open.filter(|_| most >= top).map(|(open, _)| in_reach(&now, open));
        let mut reason = match known.or_else(|| self.in_the_way(now, most, meant, command)) {
            None => return (most, None),
            Some(found) => found,
        };
        // Most often it is near what it was in the step before: from there on the strides grow.
        let found = if meant { self.found.1 } else { self.found.0 };
        let (mut low, mut high, mut stride) = (0.0, most, WIDTH);
        for k in 0..BISECTIONS {
            if high - low <= high * WIDTH {
                break;
            }
            let (from_below, from_above) = (low > 0.0 && high == most, low == 0.0 && high < most);
            let next = match k {
                0 => found * (1.0 + 0.48 * WIDTH),
                1 if from_above => found * (1.0 - 0.48 * WIDTH),
                _ if from_below => low * (1.0 + stride),
                _ if from_above => high * (1.0 - stride),
                _ => 0.5 * (low + high),
            };
            stride *= if k > 1 { 2.0 } else { 1.0 };
            // Where nothing is known it may be smaller by any power.
            let middle = if low > 0.0 { 0.5 * (low + high) } else { 0.25 * high };
            let part = if low < next && next < high { next } else { middle };
            match self.in_the_way(now, part, meant, command) {
                None => low = part,
                Some(found) => (high, reason) = (part, found),
            }
        }
        *(if meant { &mut self.found.1 } else { &mut self.found.0 }) = low;
        (low, Some(reason))
    }

    /// What is not proved clear if the arms are told a part of the speed.
    fn in_the_way(&mut self, now: Now, part: f64, meant: bool, command: &mut Command) -> Option<Reason> {
        let pace = self.asked.pace_at_part(part);
        let ahead = now.d.look_ahead;
        if let Some(value) = now.joints.fill_far_box((ahead, pace), &mut self.far) {
            return Some(Reason::new(ReasonKind::Unbounded).of_value(value));
        }
        if let Some((value, reached, end)) = now.joints.value_beyond_range(Some((ahead, pace))) {
            return Some(Reason::new(ReasonKind::Range).of_value(value).with_limit(reached, end));
        }
        if let Some(people) = &mut self.people
            && let Some(reason) = people.in_the_way(now, range_ends(&self.far), WORK[2], command)
        {
            return Some(reason);
        }
        if let Some(reason) = self.find_deep_press(now, PressBox::Far, command) {
            return Some(reason);
        }
        let counted = |pair: BodyPair| {
            let class = self.open.iter().find(|(open, _)| open.pair == pair).map(|(_, class)| *class);
            match class {
                Some(Class::Leaving) => false,
                Some(Class::Meant | Class::Padded) => meant,
                Some(Class::Forbidden | Class::Asked) | None => true,
            }
        };
        let work = |pair| if counted(pair) { now.parts.pair_work(pair) } else { PairWork::Skip };
        // One open pair is enough.
        let options = RangeOptions { until_open: true, work: WORK[2], ..now.options };
        let answer = self.ranges.check_narrower_ranges(range_ends(&self.far), &options, work);
        let found = match &answer {
            Ok(answer) if answer.is_free() => None,
            Ok(RangeAnswer { open: [open, ..], .. }) => Some(in_reach(&now, open)),
            Ok(_) | Err(_) => Some(Reason::new(ReasonKind::Unproved)),
        };
        command.work.add(&self.ranges);
        found
    }
}
