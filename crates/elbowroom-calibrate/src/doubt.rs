//! Contacts that do not fit to the others.
//!
//! Each contact is held against what all others say (leave-one-out, by formula and not by a fit for each). A
//! contact of leverage `h` takes the share `h` of its own error for itself, so its residual has the deviation
//! `s sqrt(1 - h)`. The one with the largest residual in these units is taken out if that is suspicious, the
//! rest is fitted again, and so on.
//!
//! Taking out another contact may mend the same residual. If both are about as suspicious, nobody can say
//! which of them is wrong (source: Baarda 1968, the reliability of networks: blunders that cannot be
//! separated). Then both are out, as a contradiction. At last each outlier is held against the fit without
//! it: what fits after all was only pulled away by another.
//!
//! Those that are left must be the larger part, or they may be the wrong ones. Beyond what determines the
//! joints, each contact is one witness. If the outliers are more than these witnesses, nobody can say which
//! side is wrong, and all are a contradiction.

use crate::fit::{Fit, Problem, Row};
use crate::limits::{APART, HALF_A_WITNESS, PRIOR, REACH, RETURNS, SUSPECT};
use crate::symmetric::{dot, multiply_vector};

/// What became of a contact.
#[derive(Clone, Debug, PartialEq)]
pub enum ContactState {
    /// It counts.
    Used,
    /// All others say something else: it is left out.
    Outlier,
    /// One of several that cannot all be true, and no other contact says which is wrong: all are left out.
    Contradicts {
        /// The others, by number.
        others: Vec<usize>,
    },
    /// Its distance is not known well enough to be used as a number: a depth of which only a bracket is
    /// known, or nothing.
    Unmeasured,
}

/// A row held against all others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Check {
    /// The residual in its own deviations.
    pub deviations: f64,
    /// The share of an error in this contact that shows in its residual: 0 where no other contact checks it.
    pub redundancy: f64,
}

/// The fit without what does not fit, and the states.
pub(crate) fn fit_without_doubt(problem: &Problem) -> (Fit, Vec<ContactState>) {
    let n = problem.contacts.len();
    let mut states = vec![ContactState::Used; n];
    let mut fit = problem.fit_offsets(&vec![true; n], &vec![0.0; problem.free.len()], REACH);
    take_out(problem, &mut fit, &mut states);
    // Contacts that only others made suspicious come back.
    for _ in 0..RETURNS {
        let covariance = fit.eigen.inverse_with(PRIOR);
        let back: Vec<usize> = (0..n)
            .filter(|k| states[*k] == ContactState::Outlier)
            .filter(|k| fit.readings[*k].row.as_ref().is_some_and(|row| is_expected(row, &covariance)))
            .collect();
        if back.is_empty() {
            break;
        }
        back.iter().for_each(|k| states[*k] = ContactState::Used);
        fit = problem.fit_offsets(&are_used(&states), &fit.shifts, REACH);
        take_out(problem, &mut fit, &mut states);
    }
    let outliers = states.iter().filter(|state| **state == ContactState::Outlier).count();
    if outliers as f64 > count_witnesses(&fit, &states) + HALF_A_WITNESS {
        let side: Vec<usize> = (0..n)
            .filter(|k| fit.readings[*k].row.is_some())
            .filter(|k| matches!(states[*k], ContactState::Used | ContactState::Outlier))
            .collect();
        mark_contradiction(&mut states, &side);
        fit = problem.fit_offsets(&are_used(&states), &vec![0.0; problem.free.len()], REACH);
    }
    if fit.shifts.iter().any(|shift| shift.abs() > 1.0) {
        fit = problem.fit_offsets(&are_used(&states), &fit.shifts, 1.0);
    }
    for (state, reading) in states.iter_mut().zip(&fit.readings) {
        if reading.row.is_none() && *state == ContactState::Used {
            *state = ContactState::Unmeasured;
        }
    }
    (fit, states)
}

/// How many contacts there are that count, less those that determine the joints: the sum of their
/// redundancies.
fn count_witnesses(fit: &Fit, states: &[ContactState]) -> f64 {
    let covariance = fit.eigen.inverse_with(PRIOR);
    let used = fit.readings.iter().zip(states).filter(|(_, state)| **state == ContactState::Used);
    used.filter_map(|(reading, _)| Some(check_row(reading.row.as_ref()?, &covariance).redundancy)).sum()
}

/// Leaves out contacts that cannot all be true. One alone is wrong.
fn mark_contradiction(states: &mut [ContactState], group: &[usize]) {
    for member in group {
        let others: Vec<usize> = group.iter().copied().filter(|k| k != member).collect();
        states[*member] =
            if others.is_empty() { ContactState::Outlier } else { ContactState::Contradicts { others } };
    }
}

fn are_used(states: &[ContactState]) -> Vec<bool> {
    states.iter().map(|state| *state == ContactState::Used).collect()
}

/// Whether the residual of a row that was not used is what the fit expects.
fn is_expected(row: &Row, covariance: &[Vec<f64>]) -> bool {
    let leverage = dot(&row.slopes, &multiply_vector(covariance, &row.slopes));
    row.residual.abs() <= SUSPECT * row.deviation * (1.0 + leverage).sqrt()
}

/// Takes the worst contact out and fits again until none is suspicious.
fn take_out(problem: &Problem, fit: &mut Fit, states: &mut [ContactState]) {
    loop {
        let covariance = fit.eigen.inverse_with(PRIOR);
        let rows: Vec<(usize, &Row)> = (0..states.len())
            .filter(|k| states[*k] == ContactState::Used)
            .filter_map(|k| Some((k, fit.readings[k].row.as_ref()?)))
            .collect();
        let checks: Vec<Check> = rows.iter().map(|(_, row)| check_row(row, &covariance)).collect();
        let size = |k: usize| checks[k].deviations.abs();
        let Some(worst) = (0..rows.len()).max_by(|a, b| size(*a).total_cmp(&size(*b))) else { return };
        if size(worst) <= SUSPECT {
            return;
        }
        // What is left of the worst one's residual once another is out.
        let spread = multiply_vector(&covariance, &rows[worst].1.slopes);
        let left = |other: usize| {
            let common = dot(&rows[other].1.slopes, &spread);
            let share = -common / (checks[worst].redundancy * checks[other].redundancy).sqrt();
            let rest = 1.0 - share * share;
            let left = checks[worst].deviations - share * checks[other].deviations;
            if rest <= 0.0 { 0.0 } else { left.abs() / rest.sqrt() }
        };
        let is_alike = |other: &usize| {
            let behind = size(worst).powi(2) - size(*other).powi(2);
            *other != worst && behind < APART && left(*other) <= SUSPECT
        };
        let mut group: Vec<usize> = (0..rows.len()).filter(is_alike).map(|other| rows[other].0).collect();
        group.push(rows[worst].0);
        group.sort_unstable();
        mark_contradiction(states, &group);
        *fit = problem.fit_offsets(&are_used(states), &fit.shifts, REACH);
    }
}

/// Holds a row that was used against all others.
pub(crate) fn check_row(row: &Row, covariance: &[Vec<f64>]) -> Check {
    let leverage = dot(&row.slopes, &multiply_vector(covariance, &row.slopes));
    // Rounding: what is known before keeps it from one.
    let redundancy = (1.0 - leverage).max(f64::EPSILON);
    Check { deviations: row.residual / row.deviation / redundancy.sqrt(), redundancy }
}
