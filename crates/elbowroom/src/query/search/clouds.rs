//! The search among clouds of points: all bodies that meet a cloud are asked about it together.

use super::state::Search;
use crate::model::id::{BodyPair, PairId};
use crate::model::movable_pairs::Partner;
use crate::query::cloud_work::{CloudWork, measured};

/// Searches all pairs of clouds that are checked now.
pub(super) fn search(search: &mut Search) {
    let Some(mut work) = search.space.clouds.take() else { return };
    for cloud in 0..search.space.pose.clouds.len() {
        if search.best.keep > 0 {
            one_by_one(search, &mut work, cloud);
        } else {
            together(search, &mut work, cloud);
        }
    }
    search.space.clouds = Some(work);
}

/// The number of a cloud among movable bodies.
fn movable(search: &Search, cloud: usize) -> u32 {
    let world = search.world;
    (world.movables.capsules.len() - world.movables.clouds.len() + cloud) as u32
}

/// The bodies that may meet clouds: those that joints move, and what links carry.
fn partner(search: &Search, number: usize) -> Option<Partner> {
    let moving = search.world.checks.pairs.movable.moving.len();
    match number.checked_sub(moving) {
        None => Some(Partner::Moving(number as u32)),
        Some(held) => search.space.pose.placements()?.held.get(held).map(|other| Partner::Movable(*other)),
    }
}

/// The pair of a cloud and a body, if it is checked now and asked about.
fn checked(search: &Search, cloud: usize, partner: Partner) -> Option<PairId> {
    let pair = search.space.pose.checked_now(movable(search, cloud), partner)?;
    let bodies = search.world.checks.pairs.movable.get(pair)?;
    search.scope.includes_movable(&search.space.pose, bodies).then_some(pair)
}

/// All bodies together: the nearest of them decides.
fn together(search: &mut Search, work: &mut CloudWork, cloud: usize) {
    let (world, mut some) = (search.world, None);
    work.clear();
    for partner in (0..).map_while(|number| partner(search, number)) {
        if let Some(pair) = checked(search, cloud, partner) {
            some = Some(pair);
            work.add(world, partner);
        }
    }
    let Some(pair) = some else { return };
    if !search.space.pose.clouds[cloud].seen {
        search.best.leave(f64::NEG_INFINITY, pair);
        return;
    }
    let (asked, cutoff) = (search.best.asked, search.best.horizon().min(search.best.cutoff()));
    let answer = work.nearest(&search.space.pose, cloud, &asked, cutoff);
    search.best.counts.nodes += answer.nodes as usize;
    search.space.work.queries += answer.asked;
    let Some(nearest) = answer.nearest else {
        search.best.leave(answer.interval.lower, pair);
        return;
    };
    let pairs = &world.checks.pairs.movable;
    let found = BodyPair {
        a: work.body(&search.space.pose, nearest.shape),
        b: pairs.movable[movable(search, cloud) as usize],
    };
    let measured = measured(&search.space.pose, &answer);
    search.best.counts.asked(measured.outcome(cutoff));
    search.best.take(pairs.find(found).unwrap_or(pair), measured);
}

/// Each body by itself, where several pairs are kept.
fn one_by_one(search: &mut Search, work: &mut CloudWork, cloud: usize) {
    let mut number = 0;
    while let Some(partner) = partner(search, number) {
        number += 1;
        if let Some(pair) = checked(search, cloud, partner) {
            let (asked, cutoff) = (search.best.asked, search.best.cutoff());
            let measured = work.measure(&search.space.pose, (cloud, partner), &asked, cutoff);
            search.best.counts.asked(measured.outcome(cutoff));
            search.keep(pair, measured);
        }
    }
}
