//! A contact: two bodies touch while the joints read these values.

use crate::options::CalibrateOptions;
use elbowroom::pose::SetOptions;
use elbowroom::{Checker, fault::Numeral};
use elbowroom::{PairId, World};
use std::fmt;

/// Two bodies touch, and the joints read these values.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// What reports call it.
    pub name: String,
    /// The two bodies: a pair that the world checks.
    pub pair: PairId,
    /// What the encoders read (radians, metres; order of [`World::dof_names`]).
    pub readings: Vec<f64>,
    /// How far apart the bodies may be, or how deep they may overlap (metres, >= 0).
    pub within: f64,
}

/// Why contacts cannot be used at all.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The contact by its number, or none where all are meant.
    pub contact: Option<usize>,
    /// What is wrong, and what to do.
    pub what: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.contact {
            Some(contact) => write!(f, "contact {}: {}", contact + 1, self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for Refusal {}

/// Everything that is wrong with contacts and options.
pub(crate) fn find_refusals(world: &World, contacts: &[Contact], options: &CalibrateOptions) -> Vec<Refusal> {
    let mut found = Vec::new();
    let mut refuse = |contact: Option<usize>, what: String| found.push(Refusal { contact, what });
    let n = world.dof_names().len();
    let lists = [options.steps.len(), options.bounds.len(), options.start.len(), options.free.len()];
    if lists.iter().any(|len| *len != n) {
        refuse(None, format!("the options are not those of a world with {n} joint values"));
        return found;
    }
    if !options.free.contains(&true) {
        refuse(None, "no joint is free: there is nothing to find".into());
    }
    let sizes = options.steps.iter().chain(&options.bounds);
    if !sizes.clone().all(|x| x.is_finite() && *x >= 0.0) || !options.start.iter().all(|x| x.is_finite()) {
        refuse(None, "steps and bounds are finite and not below zero, and known offsets are finite".into());
    }
    for (value, name) in world.dof_names().iter().enumerate() {
        if options.free[value] && options.bounds[value] <= 0.0 {
            refuse(None, format!("the bound of {name} is zero: fix the joint, or give it a bound"));
        }
    }
    let checker = Checker::new(world);
    for (k, contact) in contacts.iter().enumerate() {
        let shapeless = |pair: PairId| {
            let bodies = world.pairs().get(pair)?;
            [bodies.a, bodies.b].into_iter().find(|body| world.bodies()[body.index()].shapes.is_empty())
        };
        if world.pairs().get(contact.pair).is_none() {
            refuse(Some(k), "this world has no such pair".into());
        } else if let Some(body) = shapeless(contact.pair) {
            let name = &world.bodies()[body.index()].name;
            refuse(Some(k), format!("{name} has no shapes: its distance is not known"));
        }
        if let Err(fault) = checker.accepts(&contact.readings, SetOptions { ignore_limits: true }) {
            refuse(Some(k), fault.to_string());
        }
        if !(contact.within.is_finite() && contact.within >= 0.0) {
            let within = Numeral(contact.within);
            refuse(Some(k), format!("within is {within}: give metres, zero or more"));
        }
    }
    found
}
