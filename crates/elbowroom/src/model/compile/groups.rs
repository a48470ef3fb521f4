//! The collision groups of a world, and its index set.

use crate::model::checked_pairs::CheckedPairs;
use crate::model::groups::{CollisionGroup, is_pair_between};
use crate::model::id::{BodyId, BodyPair, GroupId};
use crate::model::kinematics::Kinematics;
use crate::model::pairs::{FIXED_CLUSTER, PairRules, Selection};
use crate::model::solids::Solids;
use crate::model::step::KinematicStep;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// The groups where a description does not list its checks: each robot with what it holds, and all fixed
/// obstacles. Bodies are sorted.
pub(super) fn derive_groups(solids: &Solids, kinematics: &Kinematics) -> Vec<(String, Vec<BodyId>)> {
    let mut groups: Vec<(String, Vec<BodyId>)> =
        kinematics.robots.iter().map(|r| (r.name.clone(), Vec::new())).collect();
    let mut obstacles = Vec::new();
    let mut robot_of: Vec<Option<u32>> = solids.bodies.iter().map(|b| b.robot.map(|r| r.0)).collect();
    for step in &kinematics.steps {
        if robot_of[step.child.index()].is_none() {
            robot_of[step.child.index()] = robot_of[step.parent.index()];
        }
    }
    for (i, robot) in robot_of.into_iter().enumerate() {
        match robot {
            Some(robot) => groups[robot as usize].1.push(BodyId(i as u32)),
            None => obstacles.push(BodyId(i as u32)),
        };
    }
    groups.push(("world".into(), obstacles));
    groups
}

/// The groups that a list of checks names. Bodies are sorted.
pub(super) fn collect_named_groups(
    bodies: usize,
    names: &[(String, Selection)],
) -> Vec<(String, Vec<BodyId>)> {
    let all = || (0..bodies as u32).map(BodyId);
    names.iter().map(|(name, s)| (name.clone(), all().filter(|id| s.contains(*id)).collect())).collect()
}

/// Groups with their frames and how they move; a group without a shape is left out.
pub(super) fn compile_groups(
    kinematics: &Kinematics,
    rules: &PairRules,
    sets: Vec<(String, Vec<BodyId>)>,
) -> Vec<CollisionGroup> {
    let mut parent: Vec<Option<BodyId>> = vec![None; rules.bodies.len()];
    for KinematicStep { parent: above, child, .. } in &kinematics.steps {
        parent[child.index()] = Some(*above);
    }
    let cluster = |body: BodyId| rules.bodies[body.index()].cluster;
    // From a body up to its root.
    let chain = |body: BodyId| core::iter::successors(Some(body), |b| parent[b.index()]);
    sets.into_iter()
        .filter_map(|(name, set)| {
            let shaped = |id: &BodyId| rules.bodies[id.index()].shapes > 0;
            let mut bodies: Vec<BodyId> = set.into_iter().filter(shaped).collect();
            bodies.shrink_to_fit();
            // Common carriers of all, the nearest first.
            let mut common: Vec<BodyId> = chain(*bodies.first()?).collect();
            for body in &bodies {
                if common.is_empty() {
                    break;
                }
                let mine: BTreeSet<BodyId> = chain(*body).collect();
                common.retain(|carrier| mine.contains(carrier));
            }
            let frame = common.first().copied();
            let at_rest = frame.map_or(FIXED_CLUSTER, cluster);
            let dynamic = bodies.iter().any(|body| cluster(*body) != at_rest);
            Some(CollisionGroup { name, bodies, frame, moved: at_rest != FIXED_CLUSTER, dynamic })
        })
        .collect()
}

/// Counts a pair of bodies, or with minus one takes it out of the count. A pair of groups without any pair of
/// bodies stays if `keep`.
pub(crate) fn count_pair(
    index_set: &mut Vec<([GroupId; 2], usize)>,
    groups: &[CollisionGroup],
    pair: BodyPair,
    change: isize,
    keep: bool,
) {
    let with = |body: BodyId| {
        (0..).map(GroupId).zip(groups).filter(move |(_, g)| g.contains(body)).map(|(number, _)| number)
    };
    let met: BTreeSet<[GroupId; 2]> =
        with(pair.a).flat_map(|j| with(pair.b).map(move |l| [j.min(l), j.max(l)])).collect();
    for groups in met {
        match index_set.binary_search_by_key(&groups, |(known, _)| *known) {
            Ok(at) => {
                index_set[at].1 = index_set[at].1.saturating_add_signed(change);
                if index_set[at].1 == 0 && !keep {
                    index_set.remove(at);
                }
            }
            Err(at) => index_set.insert(at, (groups, change.max(0) as usize)),
        }
    }
}

/// The pairs of groups between which something is checked, and between how many pairs of bodies that are not
/// movable.
pub(super) fn index_set(
    bodies: usize,
    groups: &[CollisionGroup],
    pairs: &CheckedPairs,
) -> Vec<([GroupId; 2], usize)> {
    // The groups of each body, in one array.
    let mut starts = vec![0_u32; bodies + 1];
    let members = || {
        groups.iter().zip(0_u32..).flat_map(|(g, number)| g.bodies.iter().map(move |b| (b.index(), number)))
    };
    members().for_each(|(body, _)| starts[body + 1] += 1);
    (0..bodies).for_each(|body| starts[body + 1] += starts[body]);
    let (mut fill, mut numbers) = (starts.clone(), vec![0_u32; starts[bodies] as usize]);
    for (body, number) in members() {
        numbers[fill[body] as usize] = number;
        fill[body] += 1;
    }
    let of = |body: BodyId| &numbers[starts[body.index()] as usize..starts[body.index() + 1] as usize];
    let mut index: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    let mut join = |a: &[u32], b: &[(u32, usize)]| {
        for (&j, &(l, pairs)) in a.iter().flat_map(|j| b.iter().map(move |l| (j, l))) {
            *index.entry([j.min(l), j.max(l)]).or_default() += pairs;
        }
    };
    for pair in &pairs.listed {
        let other: Vec<(u32, usize)> = of(pair.b).iter().map(|l| (*l, 1)).collect();
        join(of(pair.a), &other);
    }
    // Fixed bodies in each group. A crowd's exceptions are subtracted below.
    let mut fixed = vec![0_usize; groups.len()];
    for body in &pairs.fixed {
        of(*body).iter().for_each(|g| fixed[*g as usize] += 1);
    }
    for crowd in &pairs.crowds {
        let mut left = fixed.clone();
        for index in &crowd.except {
            of(pairs.fixed[*index as usize]).iter().for_each(|g| left[*g as usize] -= 1);
        }
        let left: Vec<(u32, usize)> = (0..).zip(left).filter(|(_, pairs)| *pairs > 0).collect();
        join(of(crowd.body), &left);
    }
    let unmoved = index.clone();
    let mut join = |a: &[u32], b: &[(u32, usize)]| {
        for (&j, &(l, pairs)) in a.iter().flat_map(|j| b.iter().map(move |l| (j, l))) {
            *index.entry([j.min(l), j.max(l)]).or_default() += pairs;
        }
    };
    // A movable body meets all that is not movable, and the movable bodies after it.
    let movable = &pairs.movable;
    let mut others = vec![0_usize; groups.len()];
    for body in movable.moving.iter().chain(&movable.still).chain(&movable.movable) {
        of(*body).iter().for_each(|g| others[*g as usize] += 1);
    }
    for body in &movable.movable {
        of(*body).iter().for_each(|g| others[*g as usize] -= 1);
        let met: Vec<(u32, usize)> = (0..).zip(others.iter().copied()).filter(|(_, n)| *n > 0).collect();
        join(of(*body), &met);
    }
    for pair in movable.excepted_pairs() {
        for (j, l) in of(pair.a).iter().flat_map(|j| of(pair.b).iter().map(move |l| (*j, *l))) {
            index.entry([j.min(l), j.max(l)]).and_modify(|pairs| *pairs -= 1);
        }
    }
    index.retain(|_, pairs| *pairs > 0);
    // What a robot holds counts as a part of it, so it can meet every group, its own included.
    if !movable.is_empty() {
        let all = 0..groups.len() as u32;
        all.clone().flat_map(|j| (j..all.end).map(move |l| [j, l])).for_each(|pair| {
            index.entry(pair).or_default();
        });
    }
    index.iter_mut().for_each(|(groups, pairs)| *pairs = unmoved.get(groups).copied().unwrap_or(0));
    if starts.windows(2).any(|w| w[1] - w[0] > 1) {
        // The pairs of a body in several groups were counted more than once: count them one by one.
        for ([j, l], count) in &mut index {
            let [j, l] = [&groups[*j as usize], &groups[*l as usize]];
            *count = pairs.iter().take(pairs.without_movable()).filter(|p| is_pair_between(j, l, *p)).count();
        }
    }
    index.into_iter().map(|(pair, pairs)| (pair.map(GroupId), pairs)).collect()
}
