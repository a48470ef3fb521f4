//! A guard that is asked in lines, and answers in lines.

use super::answer::Answer;
use super::record::{Asked, Own};
use super::tally::Tally;
use super::words::{self, Beside};
use crate::changes::change::ResolvedChange;
use crate::changes::resolve::{NameRole, Resolver};
use crate::limits;
use crate::load::LoadedWorld;
use crate::out::{clean_text, say_line};
use crate::units::doubted_cloud;
use elbowroom::world::{BodyId, BodyPair};
use elbowroom_files::fault::counted_things;
use elbowroom_files::motion::event::Change;
use elbowroom_files::states::{Happening, Intent as Told, LINE_BYTES, Line, StateLine, Task, read_line};
use elbowroom_monitor::fault::Place;
use elbowroom_monitor::guard::{Action, Event, Reason, ReasonKind, Refusal, SnapshotFault, State, self_test};
use elbowroom_monitor::roles::Body;
use elbowroom_monitor::{Arm, Command, Fault, Faults, Guard, GuardDescription, Intent};

/// A guard, and the names of its world.
pub struct Judge<'w> {
    guard: Guard<'w>,
    names: Resolver<'w>,
    /// The latest time of the input (s); 0 until one was told.
    t: f64,
    /// Whether a state has told its time: before that the clock is not known.
    has_clock: bool,
    /// What the operator was asked last.
    asked: Option<BodyPair>,
    /// Clouds of whose units a person was warned: once of each.
    doubted: Vec<BodyId>,
    /// Why nothing was judged yet, in words.
    waits: Option<String>,
    /// What was answered.
    pub tally: Tally,
}

/// A snapshot that a guard starts from.
#[derive(Clone, Copy, Debug)]
pub struct Before<'t> {
    /// What it says.
    pub text: &'t str,
    /// The time of day (s).
    pub now: f64,
    /// How old it may be (s).
    pub most: f64,
}

/// Why there is no guard.
#[derive(Debug)]
pub enum Refused {
    /// The settings, or the machine.
    Settings(Faults),
    /// The snapshot.
    Snapshot(SnapshotFault),
}

impl<'w> Judge<'w> {
    /// For a world and its settings; as a snapshot has it, or anew.
    pub fn new(
        loaded: &'w LoadedWorld,
        d: &GuardDescription,
        before: Option<Before>,
    ) -> Result<Judge<'w>, Refused> {
        self_test().map_err(|wrong| {
            let what = format!("the self-test failed: {wrong}");
            let help = "do not use this build on this machine; report it with the machine's processor".into();
            Refused::Settings(Faults(vec![Fault { place: Place::Whole, what, help }]))
        })?;
        let mut guard = Guard::new(&loaded.world, d).map_err(Refused::Settings)?;
        if let Some(Before { text, now, most }) = before {
            guard = Guard::restore(&loaded.world, d, text, (now, most)).map_err(Refused::Snapshot)?;
        }
        let names = Resolver::new(loaded);
        let tally = Tally::default();
        Ok(Judge {
            guard,
            names,
            t: 0.0,
            has_clock: false,
            asked: None,
            doubted: Vec::new(),
            waits: None,
            tally,
        })
    }

    /// Of the world and its settings.
    pub fn guard_fingerprint(&self) -> u64 {
        self.guard.fingerprint()
    }

    /// How long an arm may be silent, and the time between two of its states (s).
    pub fn late_and_period(&self) -> [f64; 2] {
        [self.guard.description().late, self.guard.description().period]
    }

    /// How many arms there are.
    pub fn arm_count(&self) -> usize {
        self.guard.description().arms.len()
    }

    /// By which part the clock of the states may drift, and how far it may lie beside that (s).
    pub fn drift_and_offset(&self) -> [f64; 2] {
        [self.guard.description().clock_drift, self.guard.description().clock_offset]
    }

    /// The latest time of the input (s).
    pub fn latest_time(&self) -> f64 {
        self.t
    }

    /// Why the arms wait for a reset.
    pub fn latched_kind(&self) -> Option<ReasonKind> {
        self.guard.latched_reason().map(|reason| reason.kind)
    }

    /// What a restart needs. `written` is the time of day (s).
    pub fn snapshot_text(&self, written: f64) -> String {
        self.guard.snapshot(written)
    }

    /// Answers what is asked.
    pub fn answer_asked(&mut self, asked: Asked) -> Answer {
        match asked {
            Asked::Line(line) => self.answer_line(line),
            Asked::TooLong => self.answer_unreadable(format!("the line is longer than {LINE_BYTES} bytes")),
            Asked::Silence(t) => self.answer_silence(t),
            Asked::Own(own) => self.answer_own(own),
        }
    }

    /// Answers a line.
    fn answer_line(&mut self, text: &[u8]) -> Answer {
        match read_line(text) {
            Ok(line) => self.answer_parsed_line(&line),
            Err(faults) => {
                let words: Vec<String> = faults.0.iter().take(FAULTS_TOLD).map(ToString::to_string).collect();
                self.answer_unreadable(format!("the line could not be read: {}", words.join("; ")))
            }
        }
    }

    /// Answers a line that is no line.
    fn answer_unreadable(&mut self, what: String) -> Answer {
        self.answer_fault(ReasonKind::Unreadable, what, None)
    }

    /// Answers silence at a time (s).
    fn answer_silence(&mut self, t: f64) -> Answer {
        self.t = self.t.max(t);
        let command = self.guard.step_without(t, None);
        self.answer_command(&command, &Beside { silence: true, ..Beside::default() }, false)
    }

    /// Stops for what the program itself has found out.
    fn answer_own(&mut self, own: Own) -> Answer {
        let command = self.guard.step_without(self.t, Some(own.kind_of_guard()));
        let silence = own.silence;
        self.answer_command(&command, &Beside { own: Some(own), silence, ..Beside::default() }, false)
    }

    fn answer_fault(&mut self, kind: ReasonKind, what: String, event: Option<&'static str>) -> Answer {
        let command = self.guard.step_without(self.t, Some(kind));
        let detail = Some((kind, clean_text(&what)));
        self.answer_command(&command, &Beside { detail, event, ..Beside::default() }, false)
    }

    fn answer_command(&mut self, command: &Command, beside: &Beside, state: bool) -> Answer {
        let waiting = command.reasons().find(|reason| reason.kind == ReasonKind::Waiting);
        let judged = waiting.is_none();
        self.waits = waiting.map(|reason| words::reason_sentence(&self.guard, reason, command.action));
        self.tally.add(command, judged);
        self.asked = command.ask.or(self.asked.filter(|_| command.action == Action::Stop));
        let accepted = beside.event.is_some() && beside.accepted;
        let text = words::json_command(&self.guard, command, beside);
        Answer { text, action: command.action, judged, state, accepted, stamp: None, reset: false }
    }

    /// Whether something tells where people are.
    fn is_of_people(&mut self, event: &Happening) -> bool {
        let name = match event {
            Happening::See { cloud, .. } => cloud,
            Happening::Change { change: Change::Place { name, .. }, .. } => name,
            Happening::Change { change: Change::Hide { name } | Change::Show { name }, .. } => name,
            _ => return false,
        };
        let body = self.names.find_body(name, NameRole::Movable).ok();
        let people = self.guard.description().people.as_ref();
        body.zip(people).is_some_and(|(body, people)| people.bodies.contains(&body))
    }

    /// What a line says is told to the guard in this order: a reset, what is meant and where people are; what
    /// was measured; what changed.
    fn answer_parsed_line(&mut self, line: &Line) -> Answer {
        let asks = line.events.contains(&Happening::Settings);
        // To ask is no event that happens at a time.
        let only_asks = line.state.is_none() && line.events.len() == 1 && asks;
        let t = line.t.filter(|_| !only_asks).unwrap_or(self.t);
        let before: Vec<bool> = line
            .events
            .iter()
            .map(|event| {
                matches!(event, Happening::Intent(_) | Happening::Answer { .. } | Happening::Reset)
                    || self.is_of_people(event)
            })
            .collect();
        let events = || line.events.iter().zip(&before);
        let mut taken = None;
        let mut refused = None;
        for (event, _) in events().filter(|(_, before)| **before) {
            taken = Some(event.event_word());
            refused = refused.or(self.tell_event(t, event).err().map(|what| (event.event_word(), what)));
        }
        let mut command = None;
        if let Some(state) = &line.state {
            match self.step_state(t, state) {
                Ok(judged) => command = Some(judged),
                Err(what) => return self.answer_unreadable(what),
            }
        }
        for (event, _) in events().filter(|(_, before)| !**before) {
            taken = Some(event.event_word());
            refused = refused.or(self.tell_event(t, event).err().map(|what| (event.event_word(), what)));
        }
        if t.is_finite() && (refused.is_none() || line.state.is_some()) {
            // The clock is that of the states, and may be behind what was told before the first.
            self.t = if self.has_clock { self.t.max(t) } else { t };
            self.has_clock |= line.state.is_some();
        }
        if let Some((word, what)) = refused {
            return self.answer_fault(ReasonKind::Event, format!("{word} is refused: {what}"), Some(word));
        }
        let state = line.state.as_ref().filter(|_| command.is_some());
        let command = match command {
            Some(command) => command,
            None => self.guard.step_without(t, None),
        };
        let is_of_counts = |reason: &Reason| reason.kind == ReasonKind::WrongCount;
        let wrong = state.filter(|_| command.reasons().any(is_of_counts));
        let detail = wrong
            .and_then(|state| self.wrong_list_length(state))
            .map(|words| (ReasonKind::WrongCount, words));
        let settings = asks.then(|| self.late_and_period());
        let beside = Beside { event: taken, accepted: true, detail, settings, ..Beside::default() };
        let told = self.answer_command(&command, &beside, state.is_some());
        let arm = |state: &StateLine| Some(self.find_arm(state.robot.as_deref()?).ok()?.0 as usize);
        let stamp = state.map(|state| (t, arm(state)));
        Answer { stamp, reset: line.events.contains(&Happening::Reset), ..told }
    }

    /// Which list of a state has another length than its robots ask for, in words.
    fn wrong_list_length(&self, state: &StateLine) -> Option<String> {
        let arms = &self.guard.description().arms;
        let of_state = match &state.robot {
            None => &arms[..],
            Some(name) => std::slice::from_ref(arms.get(self.find_arm(name).ok()?.0 as usize)?),
        };
        let whose = state.robot.as_deref().map_or("all robots".to_string(), clean_text);
        let values = of_state.iter().map(|arm| arm.joints.len()).sum();
        let lists = [
            ("q", Some(&state.q), values),
            ("qd", state.qd.as_ref(), values),
            ("asked", state.asked.as_ref(), values),
            ("effort", state.effort.as_ref(), values),
            ("current", state.current.as_ref(), values),
            ("force", state.force.as_ref(), of_state.len()),
        ];
        let wrong = lists.into_iter().find(|(_, list, wanted)| list.is_some_and(|l| l.len() != *wanted));
        wrong.map(|(key, list, wanted)| {
            let each = if key == "force" { "one for each robot" } else { "one for each joint value" };
            let has = counted_things(list.map_or(0, Vec::len), "number");
            format!("{key} has {has}, and a state of {whose} has {wanted} there: {each}")
        })
    }

    /// Why nothing was judged yet.
    pub fn waiting_reason(&self) -> Option<&str> {
        self.waits.as_deref()
    }

    fn step_state(&mut self, t: f64, state: &StateLine) -> Result<Command, String> {
        let arm = match &state.robot {
            None => None,
            Some(name) => Some(self.find_arm(name)?.0 as usize),
        };
        Ok(self.guard.step(&State {
            t,
            arm,
            positions: &state.q,
            velocities: state.qd.as_deref(),
            asked: state.asked.as_deref(),
            efforts: state.effort.as_deref(),
            currents: state.current.as_deref(),
            forces: state.force.as_deref(),
        }))
    }

    fn find_arm(&self, name: &str) -> Result<Arm, String> {
        let arms = self.guard.description().arms.len() as u32;
        let known = || (0..arms).filter_map(|arm| Some((arm, words::robot_name(&self.guard, arm)?)));
        known().find(|(_, robot)| *robot == name).map(|(arm, _)| Arm(arm)).ok_or_else(|| {
            let known: Vec<&str> = known().map(|(_, name)| name).collect();
            format!("no robot is called `{name}`; the world has {}", known.join(", "))
        })
    }

    /// Tells the guard; what is wrong with it otherwise.
    fn tell_event(&mut self, t: f64, event: &Happening) -> Result<(), String> {
        let event = match event {
            Happening::Reset => Event::Reset,
            Happening::Settings => return Ok(()),
            Happening::Intent(told) => self.intent_event(told)?,
            Happening::Answer { allow } => {
                let Some(pair) = self.asked.take() else { return Err("nobody was asked".into()) };
                let Some((arm, intent)) = self.guard.intent_for(pair) else {
                    return Err("no task allows this contact any more".into());
                };
                Event::Intent { arm: Some(arm), intent: allow.then_some(intent), until: f64::INFINITY }
            }
            Happening::See { cloud, points } => {
                let body = self.names.find_body(cloud, NameRole::Cloud)?;
                self.warn_of_millimetres(body, cloud, points);
                Event::See { cloud: body, points: points.clone() }
            }
            Happening::Change { change, teleport } => {
                let what = self.names.resolve_change(change).map_err(|unknown| unknown.faults.join("; "))?;
                if let (ResolvedChange::Place(body, at), Change::Place { name, .. }) = (&what, change)
                    && self.is_of_people(&Happening::Change { change: change.clone(), teleport: *teleport })
                {
                    self.warn_of_millimetres(*body, name, &[at.translation.to_array()]);
                }
                change_event(what, *teleport)?
            }
        };
        let done = self.guard.event(t, &event);
        done.map_err(|refusal: Refusal| match &event {
            Event::Intent { intent: Some(intent), .. } => {
                format!("{refusal} ({})", self.object_names(intent))
            }
            _ => refusal.to_string(),
        })
    }

    /// The objects of an intent.
    fn object_names(&self, intent: &Intent) -> String {
        let name = |object: Body| words::body_name(self.guard.world(), object.0);
        match *intent {
            Intent::Pick { object, from: None, .. } => name(object).into(),
            Intent::Pick { object, from: Some(other), .. } | Intent::Place { object, on: other, .. } => {
                format!("{} and {}", name(object), name(other))
            }
        }
    }

    /// Warns once of where people are, or of points, if these are likely millimetres.
    fn warn_of_millimetres(&mut self, body: BodyId, name: &str, points: &[[f64; 3]]) {
        if self.doubted.contains(&body) {
            return;
        }
        if let Some(doubt) = doubted_cloud(self.guard.world(), name, points, limits::SENSOR_FAR) {
            say_line(&format!("warning: {doubt}"));
            self.doubted.push(body);
        }
    }

    fn intent_event(&mut self, told: &Told) -> Result<Event, String> {
        let arm = told.arm.as_deref().map(|name| self.find_arm(name)).transpose()?;
        let (guard, names) = (&self.guard, &mut self.names);
        let mut object = |name: &str, role| Ok::<_, String>(guard.object_of(names.find_body(name, role)?));
        let intent = match &told.task {
            None => None,
            Some(Task::Pick { object: taken, from }) => Some(Intent::Pick {
                object: object(taken, NameRole::Movable)?,
                from: from.as_deref().map(|from| object(from, NameRole::Obstacle)).transpose()?,
                arm,
            }),
            Some(Task::Place { object: held, on }) => {
                let object_held = object(held, NameRole::Movable)?;
                Some(Intent::Place { object: object_held, on: object(on, NameRole::Obstacle)?, arm })
            }
        };
        Ok(Event::Intent { arm, intent, until: told.until.unwrap_or(f64::INFINITY) })
    }
}

/// Faults of one line that its answer names.
const FAULTS_TOLD: usize = 4;

/// A change in the guard's words.
fn change_event(what: ResolvedChange, teleport: bool) -> Result<Event, String> {
    Ok(match what {
        ResolvedChange::Place(body, body_in_world) => Event::Place { body, body_in_world, teleport },
        ResolvedChange::Attach(body, carrier, touch) => Event::Attach { body, carrier, touch },
        ResolvedChange::Open(body, value, _) | ResolvedChange::Close(body, value) => {
            Event::Open { body, value }
        }
        ResolvedChange::Detach(body) => Event::Detach { body },
        ResolvedChange::Hide(body) => Event::Hide { body },
        ResolvedChange::Show(body) => Event::Show { body },
        ResolvedChange::Fill(body, _, shape) => Event::Fill { body, shape: Box::new(shape) },
        ResolvedChange::Empty(body) => Event::Empty { body },
        ResolvedChange::Allow(..) | ResolvedChange::Forbid(_) | ResolvedChange::See(..) => {
            return Err("a guard takes no such event".into());
        }
    })
}
