//! A script of the cell: states of the arms, and what changes, in the guard's words.

use crate::error::LabError;
use elbowroom::pose::SetOptions;
use elbowroom::world::BodyId;
use elbowroom::{Checker, World};
use elbowroom_files::motion::event::Change;
use elbowroom_files::states::{Happening, Intent as Told, Task, read_line};
use elbowroom_monitor::guard::{Event, State};
use elbowroom_monitor::{Arm, Command, Guard, GuardDescription, Intent};
use std::collections::BTreeMap;
use std::path::Path;

/// The scripts, and what the task means in each.
pub const NAMES: [(&str, &str); 7] = [
    ("pick", "left takes ORU box 1 from stand 1 and places it on stand 2"),
    ("bump", "right is to touch nothing, and goes down into the table"),
    ("held_box", "left takes ORU box 1 to the table, and swings it against box 3"),
    ("door", "right takes ORU box 2, and its door opens into box 3"),
    ("cross", "both are to touch nothing, and cross over the table"),
    ("self", "right is to touch nothing, and folds into itself"),
    ("mug", "right is to take the mug, and goes down into the book beside it"),
];

/// A line of a script.
#[derive(Clone, Debug)]
pub enum Line {
    /// What one arm reports.
    State {
        /// The arm, by its number in the description.
        arm: usize,
        /// Positions (radians).
        q: Vec<f64>,
        /// Velocities (radians per second).
        qd: Option<Vec<f64>>,
        /// Positions of both arms (radians), where this state completes a sample.
        sample: Option<Vec<f64>>,
    },
    /// A change.
    Event(Event),
}

/// A script: its lines with their times (seconds).
pub type Script = Vec<(f64, Line)>;

/// What is wrong with the cell or a script.
pub fn cell_error(why: impl Into<String>) -> LabError {
    LabError::Robot { robot: "the cell of tran91", why: why.into() }
}

/// A guard of the cell.
pub fn build_guard<'w>(world: &'w World, d: &GuardDescription) -> Result<Guard<'w>, LabError> {
    Guard::new(world, d).map_err(|faults| cell_error(faults.to_string()))
}

/// Reads a script of a folder. `touch` is what the world file lets bodies touch while they are carried.
pub fn read(
    folder: &Path,
    name: &str,
    world: &World,
    d: &GuardDescription,
    touch: &BTreeMap<String, Vec<String>>,
) -> Result<Script, LabError> {
    let path = folder.join(format!("{name}.jsonl"));
    let text = std::fs::read(&path).map_err(|e| cell_error(format!("{}: {e}", path.display())))?;
    let names = Names { world, guard: build_guard(world, d)?, touch };
    let mut known: Vec<Option<Vec<f64>>> = vec![None; d.arms.len()];
    let mut script = Script::new();
    for (number, line) in (1..).zip(text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty())) {
        let at = |what: &str| cell_error(format!("{name}.jsonl, line {number}: {what}"));
        let line = read_line(line)?;
        let t = line.t.ok_or_else(|| at("it has no time"))?;
        for event in &line.events {
            script.push((t, Line::Event(names.resolve_event(event).map_err(|what| at(&what))?)));
        }
        if let Some(state) = line.state {
            let arm =
                names.find_arm(state.robot.as_deref().unwrap_or("")).map_err(|what| at(&what))?.0 as usize;
            // The last arm's state completes a sample.
            known[arm] = Some(state.q.clone());
            let all = known.iter().flatten().flatten().copied();
            let last = arm + 1 == known.len() && known.iter().all(Option::is_some);
            let sample = last.then(|| all.collect());
            script.push((t, Line::State { arm, q: state.q, qd: state.qd, sample }));
        }
    }
    Ok(script)
}

/// Names of the cell.
struct Names<'w> {
    world: &'w World,
    guard: Guard<'w>,
    touch: &'w BTreeMap<String, Vec<String>>,
}

impl Names<'_> {
    fn find_body(&self, name: &str) -> Result<BodyId, String> {
        let found =
            self.world.body_by_name(name).or_else(|| self.world.body_by_name(&format!("world/{name}")));
        found.ok_or_else(|| format!("no body is called {name}"))
    }

    fn find_arm(&self, name: &str) -> Result<Arm, String> {
        let robots = self.world.robots();
        let is = |robot: usize| robots.get(robot).is_some_and(|robot| robot.name == name);
        let arms = &self.guard.description().arms;
        let found = arms.iter().position(|arm| is(arm.robot.0 as usize));
        found.map(|arm| Arm(arm as u32)).ok_or_else(|| format!("no robot is called {name}"))
    }

    fn resolve_event(&self, event: &Happening) -> Result<Event, String> {
        Ok(match event {
            Happening::Intent(told) => self.resolve_intent(told)?,
            Happening::Change { change: Change::Attach { name, attached_to, touch }, .. } => {
                let body = self.find_body(name)?;
                let own = self.world.bodies().get(body.index()).and_then(|body| self.touch.get(&*body.name));
                let touch = touch.iter().chain(own.into_iter().flatten()).map(|name| self.find_body(name));
                let mut touch = touch.collect::<Result<Vec<_>, _>>()?;
                touch.sort_unstable();
                touch.dedup();
                Event::Attach { body, carrier: self.find_body(attached_to)?, touch }
            }
            Happening::Change { change: Change::Detach { name }, .. } => {
                Event::Detach { body: self.find_body(name)? }
            }
            Happening::Change { change: Change::Open { name, value }, .. } => {
                Event::Open { body: self.find_body(name)?, value: *value }
            }
            other => return Err(format!("{} is no event of these scripts", other.event_word())),
        })
    }

    fn resolve_intent(&self, told: &Told) -> Result<Event, String> {
        let arm = told.arm.as_deref().map(|name| self.find_arm(name)).transpose()?;
        let object = |name: &str| Ok::<_, String>(self.guard.object_of(self.find_body(name)?));
        let intent = match &told.task {
            None => None,
            Some(Task::Pick { object: taken, from }) => {
                let from = from.as_deref().map(object).transpose()?;
                Some(Intent::Pick { object: object(taken)?, from, arm })
            }
            Some(Task::Place { object: held, on }) => {
                Some(Intent::Place { object: object(held)?, on: object(on)?, arm })
            }
        };
        Ok(Event::Intent { arm, intent, until: told.until.unwrap_or(f64::INFINITY) })
    }
}

/// Tells a guard a line; its command for a state.
pub fn tell_guard(guard: &mut Guard, t: f64, line: &Line) -> Result<Option<Command>, LabError> {
    match line {
        Line::State { arm, q, qd, .. } => {
            let state = State { arm: Some(*arm), velocities: qd.as_deref(), ..State::new(t, q) };
            Ok(Some(guard.step(&state)))
        }
        Line::Event(event) => {
            guard.event(t, event).map_err(|refusal| cell_error(format!("at {t} s: {refusal}")))?;
            Ok(None)
        }
    }
}

/// Brings a checker to a line: whether something moved.
pub fn follow_line(checker: &mut Checker, line: &Line) -> Result<bool, LabError> {
    let done = match line {
        Line::State { sample: None, .. } | Line::Event(Event::Intent { .. }) => return Ok(false),
        Line::State { sample: Some(q), .. } => {
            let options = SetOptions { ignore_limits: true };
            return checker.set_with(q, options).map(|()| true).map_err(|e| cell_error(e.to_string()));
        }
        Line::Event(Event::Attach { body, carrier, touch }) => {
            checker.attach(*body, *carrier, touch).map(|_| ()).map_err(|e| e.to_string())
        }
        Line::Event(Event::Detach { body }) => checker.detach(*body).map(|_| ()).map_err(|e| e.to_string()),
        Line::Event(Event::Open { body, value }) => {
            checker.set_door(*body, *value).map(|_| ()).map_err(|e| e.to_string())
        }
        Line::Event(_) => Err("no event of these scripts".into()),
    };
    done.map(|()| true).map_err(cell_error)
}
