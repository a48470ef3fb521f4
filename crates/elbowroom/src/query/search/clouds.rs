//! The search among clouds of points: all bodies that meet a cloud are asked about it together.

use super::state::PairSearch;
use crate::model::id::{BodyPair, PairId};
use crate::model::movable_pairs::MovablePartner;
use crate::query::cloud_work::{CloudWork, measured_in_world};

/// Searches all pairs of clouds that are checked now.
pub(super) fn search_clouds(search: &mut PairSearch) {
    let Some(mut work) = search.space.clouds.take() else { return };
    for cloud in 0..search.space.pose.clouds.len() {
        if search.best.keep > 0 {
            one_by_one(search, &mut work, cloud);
        } else {
            measure_together(search, &mut work, cloud);
        }
    }
    search.space.clouds = Some(work);
}

/// The number of a cloud among movable bodies.
fn cloud_movable(search: &PairSearch, cloud: usize) -> u32 {
    let world = search.world;
    (world.movables.capsules.len() - world.movables.clouds.len() + cloud) as u32
}

/// The bodies that may meet clouds: those that joints move, and what links carry.
fn cloud_partner(search: &PairSearch, number: usize) -> Option<MovablePartner> {
    let moving = search.world.checks.pairs.movable.moving.len();
    match number.checked_sub(moving) {
        None => Some(MovablePartner::Moving(number as u32)),
        Some(held) => {
            search.space.pose.placements()?.held.get(held).map(|other| MovablePartner::Movable(*other))
        }
    }
}

/// The pair of a cloud and a body, if it is checked now and asked about.
fn checked_pair(search: &PairSearch, cloud: usize, partner: MovablePartner) -> Option<PairId> {
    let pair = search.space.pose.checked_now(cloud_movable(search, cloud), partner)?;
    let bodies = search.world.checks.pairs.movable.get(pair)?;
    search.scope.includes_movable(&search.space.pose, bodies).then_some(pair)
}

/// All bodies together: the nearest of them decides.
fn measure_together(search: &mut PairSearch, work: &mut CloudWork, cloud: usize) {
    let (world, mut some) = (search.world, None);
    work.clear();
    for partner in (0..).map_while(|number| cloud_partner(search, number)) {
        if let Some(pair) = checked_pair(search, cloud, partner) {
            some = Some(pair);
            work.add(world, partner);
        }
    }
    let Some(pair) = some else { return };
    if !search.space.pose.clouds[cloud].seen {
        search.best.skip_pair(f64::NEG_INFINITY, pair);
        return;
    }
    let (asked, cutoff) = (search.best.asked, search.best.search_horizon().min(search.best.cutoff()));
    let answer = work.measure_added(&search.space.pose, cloud, &asked, cutoff);
    search.best.counts.nodes += answer.nodes as usize;
    search.space.work.queries += answer.asked;
    let Some(nearest) = answer.nearest else {
        search.best.skip_pair(answer.interval.lower, pair);
        return;
    };
    let pairs = &world.checks.pairs.movable;
    let found = BodyPair {
        a: work.shape_body(&search.space.pose, nearest.shape),
        b: pairs.movable[cloud_movable(search, cloud) as usize],
    };
    let measured = measured_in_world(&search.space.pose, &answer);
    search.best.counts.count_pair(measured.outcome(cutoff));
    search.best.add_measured(pairs.find_pair(found).unwrap_or(pair), measured);
}

/// Each body by itself, where several pairs are kept.
fn one_by_one(search: &mut PairSearch, work: &mut CloudWork, cloud: usize) {
    let mut number = 0;
    while let Some(partner) = cloud_partner(search, number) {
        number += 1;
        if let Some(pair) = checked_pair(search, cloud, partner) {
            let (asked, cutoff) = (search.best.asked, search.best.cutoff());
            let measured = work.measure_body(&search.space.pose, (cloud, partner), &asked, cutoff);
            search.best.counts.count_pair(measured.outcome(cutoff));
            search.keep_pair(pair, measured);
        }
    }
}
