//! What is kept of a guard to start again after a stop: where everything is, who holds what, what the task
//! means, and what the arms wait for.
//!
//! A snapshot is text: a head with the fingerprint, a line for each thing, and a hash of all that at the end.
//! Numbers are the bits of doubles, so what is read is what was written. One that is torn, changed or of
//! another world is refused, whole. Shapes of spare places and points of clouds are not kept: a guard that is
//! restored waits for them.
//!
//! A restored guard permits nothing before all arms have reported. Then they must be where the snapshot has
//! them, to within [`GuardDescription::teleport`], and the clock of the states must have gone on: else the
//! cell was worked on, or moved, while nobody watched, and the arms wait for a reset. The world is proved
//! anew by the ordinary step.

use super::changed::Changed;
use super::command::{Reason, ReasonKind};
use super::description::GuardDescription;
use super::event;
use super::kept::Kept;
use super::steps::Guard;
use crate::intent::Intent;
use crate::roles::{Arm, Body};
use elbowroom::World;
use elbowroom::math::{Mat3, Transform, Vec3, hash_bytes};
use elbowroom::pose::SetOptions;
use elbowroom::world::{BodyId, BodyPair};
use std::fmt::{self, Write};

/// The first line.
const HEAD: &str = "elbowroom guard snapshot 2";
/// How the first line of any version begins.
const ANY_HEAD: &str = "elbowroom guard snapshot ";

/// Why a snapshot is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SnapshotFault {
    /// It does not begin as one, or its end is missing.
    Torn,
    /// Another version of this program wrote it.
    OtherVersion,
    /// Its hash is not that of its lines.
    Changed,
    /// It is of another world, or of a guard that was told something else.
    OtherWorld,
    /// It is older than it may be (s).
    Old {
        /// Its age.
        age: f64,
        /// How old it may be.
        most: f64,
    },
    /// A line is not one of a snapshot.
    Line {
        /// The line, from 1.
        number: usize,
    },
    /// No event could have done what it says of a body.
    Impossible {
        /// The body.
        body: BodyId,
    },
    /// The engine refuses what a line says.
    Refused {
        /// The line, from 1.
        number: usize,
    },
}

impl fmt::Display for SnapshotFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SnapshotFault::Torn => {
                f.write_str("the snapshot is not whole, or has more behind its end: it was cut or added to")
            }
            SnapshotFault::OtherVersion => {
                f.write_str("the snapshot was written by another version of this program")
            }
            SnapshotFault::Changed => {
                f.write_str("the snapshot was changed: its hash is not that of its lines")
            }
            SnapshotFault::OtherWorld => {
                f.write_str("the snapshot is of another world, or of a guard with other settings")
            }
            SnapshotFault::Old { age, most } => {
                write!(f, "the snapshot is {age:.1} s old, and may be {most} s: the cell may have changed")
            }
            SnapshotFault::Impossible { body } => write!(
                f,
                "the snapshot says of body {} what no event could have done: it lies in another, is off what \
                 carries it, or is meant to be what it cannot",
                body.0
            ),
            SnapshotFault::Line { number } => write!(f, "line {number} of the snapshot cannot be read"),
            SnapshotFault::Refused { number } => {
                write!(f, "line {number} of the snapshot: the engine refuses what it says")
            }
        }
    }
}

impl std::error::Error for SnapshotFault {}

fn bits_text(numbers: impl IntoIterator<Item = f64>) -> String {
    numbers.into_iter().map(|number| format!(" {:016x}", number.to_bits())).collect()
}

impl<'w> Guard<'w> {
    /// The snapshot, as text. `written` is the time of day (s, as the caller counts), for
    /// [`Guard::restore`].
    pub fn snapshot(&self, written: f64) -> String {
        // Until the arms have reported, a restored guard knows no more than its snapshot, and that ages.
        let kept = self.kept.as_ref().filter(|kept| !kept.seen);
        let (written, t) = kept.map_or((written, self.t), |kept| (kept.written, kept.t));
        let mut text = format!("{HEAD}\nof {:016x}\nwritten{}\n", self.fingerprint, bits_text([written]));
        // Writing to a text cannot fail.
        let _ = writeln!(text, "t{}", bits_text([t]));
        for (number, arm) in self.joints.arms.iter().enumerate() {
            let now = arm.t.zip(self.joints.positions.get(arm.values.clone()));
            let before = kept.and_then(|kept| kept.arms.get(number)?.as_ref());
            let known = if kept.is_some() { before.map(|(t, q)| (*t, &**q)) } else { now };
            if let Some((t, q)) = known {
                let _ = writeln!(text, "arm {number}{}{}", bits_text([t]), bits_text(q.iter().copied()));
            }
        }
        // Carriers before what they carry: by how many carriers each hangs on.
        let mut order: Vec<(usize, u32)> = Vec::new();
        for (body, changed) in (0..).zip(&self.changed) {
            if *changed != Changed::default() {
                order.push((self.carrier_depth(BodyId(body)), body));
            }
        }
        order.sort_unstable();
        for (_, body) in order {
            let id = BodyId(body);
            let (Some(changed), Some(at)) = (self.changed.get(id.index()), self.checker.body_in_world(id))
            else {
                continue;
            };
            if let Some(carrier) = changed.moved {
                let columns = at.rotation.cols.iter().flat_map(|c| c.to_array());
                let place = bits_text(columns.chain(at.translation.to_array()));
                let carrier = carrier.map_or("-".into(), |carrier| carrier.0.to_string());
                let _ = writeln!(text, "moved {body} {carrier}{place}");
            }
            if let Some(value) = changed.opened {
                let _ = writeln!(text, "opened {body}{}", bits_text([value]));
            }
            if let Some(hidden) = changed.hidden {
                let _ = writeln!(text, "{} {body}", if hidden { "hidden" } else { "shown" });
            }
            if changed.filled {
                let _ = writeln!(text, "filled {body}");
            }
        }
        for BodyPair { a, b } in self.parts.excused_pairs() {
            let _ = writeln!(text, "excused {} {}", a.0, b.0);
        }
        for (slot, intent) in self.parts.intents().iter().enumerate() {
            let Some((intent, until)) = intent else { continue };
            let arm = |arm: Option<Arm>| arm.map_or("-".into(), |arm| arm.0.to_string());
            let _ = match *intent {
                Intent::Pick { object, from, arm: by } => {
                    let from = from.map_or("-".into(), |from| from.0.to_string());
                    writeln!(text, "pick {slot} {} {from} {}{}", object.0, arm(by), bits_text([*until]))
                }
                Intent::Place { object, on, arm: by } => {
                    writeln!(text, "place {slot} {} {} {}{}", object.0, on.0, arm(by), bits_text([*until]))
                }
            };
        }
        for (object, moved) in (0..).zip(self.parts.moved_times()).filter(|(_, moved)| moved.is_finite()) {
            let object: u32 = object;
            let _ = writeln!(text, "settles {object}{}", bits_text([*moved]));
        }
        if let Some(reason) = &self.latched {
            let _ = writeln!(text, "latched {}", reason.kind.word());
        }
        if let Some(BodyPair { a, b }) = self.asked {
            let _ = writeln!(text, "asked {} {}", a.0, b.0);
        }
        let _ = writeln!(text, "end {:016x}", hash_bytes(text.bytes()));
        text
    }

    /// On how many carriers a body hangs.
    fn carrier_depth(&self, body: BodyId) -> usize {
        let (mut at, mut depth) = (body, 0);
        while let Some(carrier) = self.checker.carrier(at).filter(|_| depth < self.changed.len()) {
            (at, depth) = (carrier, depth + 1);
        }
        depth
    }

    /// A guard as a snapshot has it. It knows no states yet: the arms report anew, from where they were, and
    /// their speed rises from zero. `now` is the time of day (s), and `most` how old the snapshot may be.
    ///
    /// # Errors
    /// Why the snapshot is refused. Nothing of a refused snapshot is used.
    pub fn restore(
        world: &'w World,
        d: &GuardDescription,
        text: &str,
        (now, most): (f64, f64),
    ) -> Result<Guard<'w>, SnapshotFault> {
        let body = text.strip_suffix('\n').ok_or(SnapshotFault::Torn)?;
        let (lines, end) = body.rsplit_once('\n').ok_or(SnapshotFault::Torn)?;
        let told = end.strip_prefix("end ").ok_or(SnapshotFault::Torn)?;
        let whole = format!("{lines}\n");
        if !whole.starts_with(HEAD) {
            let is_other = whole.starts_with(ANY_HEAD);
            return Err(if is_other { SnapshotFault::OtherVersion } else { SnapshotFault::Torn });
        }
        if told != format!("{:016x}", hash_bytes(whole.bytes())) {
            return Err(SnapshotFault::Changed);
        }
        let mut guard = Guard::new(world, d).map_err(|_| SnapshotFault::OtherWorld)?;
        guard.parts.keep_excused(|_| false);
        // The arms may brake still.
        (guard.joints.permitted, guard.braked) = (0.0, f64::INFINITY);
        let arms = vec![None; guard.joints.arms.len()];
        guard.kept = Some(Kept { written: f64::NAN, t: f64::NAN, arms, seen: false });
        for (number, line) in (1..).zip(lines.lines()).skip(1) {
            guard.take_line(line, number, (now, most))?;
        }
        guard.clear.copy_state_from(&guard.checker);
        guard.parts.update_holders(&guard.checker, None);
        guard.check_kept()?;
        Ok(guard)
    }

    /// Checks what a snapshot says against what events allow. Its hash tells of accidents only: whoever can
    /// write to the folder can write a hash as well.
    fn check_kept(&self) -> Result<(), SnapshotFault> {
        let is_whole = self.kept.as_ref().is_some_and(|kept| kept.written.is_finite() && !kept.t.is_nan());
        if !is_whole {
            return Err(SnapshotFault::Torn);
        }
        for (body, changed) in (0..).map(BodyId).zip(&self.changed) {
            if let Some(carrier) = changed.moved
                && !event::can_be_kept(body, carrier, &self.d, &self.checker, &self.parts)
            {
                return Err(SnapshotFault::Impossible { body });
            }
        }
        for (intent, _) in self.parts.intents().iter().flatten() {
            let (Intent::Pick { object, .. } | Intent::Place { object, .. }) = *intent;
            if event::can_be_meant(intent, &self.parts).is_err() {
                return Err(SnapshotFault::Impossible { body: BodyId(object.0) });
            }
        }
        Ok(())
    }

    fn take_line(&mut self, line: &str, number: usize, (now, most): (f64, f64)) -> Result<(), SnapshotFault> {
        let fault = SnapshotFault::Line { number };
        let mut words = Words { words: line.split(' '), fault };
        let engine = |_| SnapshotFault::Refused { number };
        match words.next()? {
            "of" => {
                if words.next()? != format!("{:016x}", self.fingerprint) {
                    return Err(SnapshotFault::OtherWorld);
                }
            }
            "written" => {
                let written = words.read_number()?;
                let age = now - written;
                self.kept_of(|kept| kept.written = written);
                // A clock that ran back says nothing of the age.
                if !(0.0..=most).contains(&age) {
                    return Err(SnapshotFault::Old { age, most });
                }
            }
            "t" => {
                let t = words.read_number()?;
                self.kept_of(|kept| kept.t = t);
            }
            "arm" => {
                let arm = words.index()?;
                let values = self.joints.arms.get(arm as usize).map(|arm| arm.values.clone()).ok_or(fault)?;
                let t = words.read_number()?;
                let mut positions = self.checker.values().to_vec();
                for value in values.clone() {
                    *positions.get_mut(value).ok_or(fault)? = words.read_number()?;
                }
                let its = positions.get(values).ok_or(fault)?.to_vec();
                self.kept_of(|kept| {
                    if let Some(place) = kept.arms.get_mut(arm as usize) {
                        *place = Some((t, its));
                    }
                });
                let options = SetOptions { ignore_limits: true };
                self.checker.set_with(&positions, options).map_err(|_| SnapshotFault::Refused { number })?;
            }
            "moved" => {
                let id = words.read_body(self.changed.len())?;
                let carrier = words.read_optional_index()?;
                let mut numbers = [0.0; 12];
                for place in &mut numbers {
                    *place = words.read_number()?;
                }
                let [a, b, c, d, e, f, g, h, i, x, y, z] = numbers;
                let v = |x, y, z| Vec3 { x, y, z };
                let cols = [v(a, b, c), v(d, e, f), v(g, h, i)];
                let at = Transform { rotation: Mat3 { cols }, translation: v(x, y, z) };
                // A body that is carried at first is let go, so that it can be placed.
                if self.checker.carrier(id).is_some() {
                    self.checker.detach(id).map_err(engine)?;
                }
                self.checker.place(id, &at).map_err(engine)?;
                let carrier = carrier.map(BodyId);
                if let Some(carrier) = carrier {
                    self.checker.attach(id, carrier, &[]).map_err(engine)?;
                }
                self.changed_of(id, |changed| changed.moved = Some(carrier));
            }
            "opened" => {
                let (id, value) = (words.read_body(self.changed.len())?, words.read_number()?);
                self.checker.set_door(id, value).map_err(engine)?;
                self.changed_of(id, |changed| changed.opened = Some(value));
            }
            "hidden" => {
                let id = words.read_body(self.changed.len())?;
                self.checker.hide(id).map_err(engine)?;
                self.changed_of(id, |changed| changed.hidden = Some(true));
            }
            "shown" => {
                let id = words.read_body(self.changed.len())?;
                self.changed_of(id, |changed| changed.hidden = Some(false));
            }
            "filled" => {
                // What filled it is not known any more: the arms wait until it is told again.
                let id = words.read_body(self.changed.len())?;
                let reason = Reason::new(ReasonKind::Restored).of_pair(BodyPair { a: id, b: id });
                self.latched = self.latched.or(Some(reason));
            }
            "excused" => {
                let count = self.changed.len();
                self.parts.excuse_pair(words.read_body(count)?, words.read_body(count)?);
            }
            "pick" => {
                let (slot, object) = (words.index()?, Body(words.index()?));
                let (from, arm) =
                    (words.read_optional_index()?.map(Body), words.read_optional_index()?.map(Arm));
                let until = words.read_number()?;
                self.parts.restore_intent(slot as usize, Intent::Pick { object, from, arm }, until);
            }
            "place" => {
                let (slot, object, on) = (words.index()?, Body(words.index()?), Body(words.index()?));
                let (arm, until) = (words.read_optional_index()?.map(Arm), words.read_number()?);
                self.parts.restore_intent(slot as usize, Intent::Place { object, on, arm }, until);
            }
            "settles" => {
                let object = words.read_body(self.changed.len())?;
                self.parts.restore_moved(object, words.read_number()?);
            }
            "latched" => {
                let word = words.next()?;
                let kind = ReasonKind::ALL.into_iter().find(|kind| kind.word() == word).ok_or(fault)?;
                self.latched = Some(Reason::new(kind));
            }
            "asked" => {
                let count = self.changed.len();
                self.asked = Some(BodyPair { a: words.read_body(count)?, b: words.read_body(count)? });
            }
            _ => return Err(fault),
        }
        Ok(())
    }

    fn kept_of(&mut self, change: impl FnOnce(&mut Kept)) {
        if let Some(kept) = &mut self.kept {
            change(kept);
        }
    }

    fn changed_of(&mut self, body: BodyId, change: impl FnOnce(&mut Changed)) {
        if let Some(changed) = self.changed.get_mut(body.index()) {
            change(changed);
        }
    }
}

/// The words of a line.
struct Words<'t> {
    words: std::str::Split<'t, char>,
    fault: SnapshotFault,
}

impl<'t> Words<'t> {
    fn next(&mut self) -> Result<&'t str, SnapshotFault> {
        self.words.next().ok_or(self.fault)
    }

    fn read_number(&mut self) -> Result<f64, SnapshotFault> {
        u64::from_str_radix(self.next()?, 16).map(f64::from_bits).map_err(|_| self.fault)
    }

    fn index(&mut self) -> Result<u32, SnapshotFault> {
        self.next()?.parse().map_err(|_| self.fault)
    }

    fn read_optional_index(&mut self) -> Result<Option<u32>, SnapshotFault> {
        match self.next()? {
            "-" => Ok(None),
            word => word.parse().map(Some).map_err(|_| self.fault),
        }
    }

    fn read_body(&mut self, count: usize) -> Result<BodyId, SnapshotFault> {
        let index = self.index()?;
        if (index as usize) < count { Ok(BodyId(index)) } else { Err(self.fault) }
    }
}
