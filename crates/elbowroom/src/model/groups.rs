//! Collision groups: henrich92's world model (section 3, "collision classes").
//!
//! A group is a set of bodies with a frame. Between which groups collisions are looked for is the *index set*, unordered pairs of them. A
//! description that lists its checks names its groups by that; otherwise every robot is a group, with what it holds, and all fixed
//! obstacles together are one. Here a group may be checked against itself too, the pair (j, j): an arm can hit itself.
//!
//! What a group does over time follows from the tree of joints (henrich92, Tab. 2). It is *moved* if its frame moves in the cell,
//! otherwise fixed; *dynamic* if its bodies move in that frame, otherwise static: a table is fixed and static, a manipulator
//! fixed and dynamic, a vehicle moved and static, a mobile robot moved and dynamic. The frame is that of the body nearest to the bodies of
//! the group that carries them all; what no one body carries is seen from the cell.
//!
//! The example of henrich92, two arms (1, 2) that hang from a gallows (3) on a vehicle (4), contradicts itself: the text takes gallows and
//! vehicle, which are always in contact, out of the index set, the formula has the pair (3, 4) in it. The text's reason is good for any two
//! bodies that never move against each other, and such pairs are not checked here: the index set is (1, 2), (1, 4), (2, 4).
//!
//! ```
//! # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
//! # use example::rod_and_post;
//! use elbowroom::check::{Options, collision_vector};
//! use elbowroom::compile::compile;
//! use elbowroom::pose::Pose;
//! use elbowroom::verdict::Verdict;
//!
//! // The rod of the crate's first example, and the post at (0, 1, 0). Nobody names groups, so the robot is one and the obstacles are one.
//! let world = compile(&rod_and_post([0.0, 1.0, 0.0]))?;
//! let rod = world.group_named("rod").expect("the robot");
//! let cell = world.group_named("world").expect("the obstacles");
//! assert_eq!(world.index_set().collect::<Vec<_>>(), [[rod, cell]]);
//!
//! let mut pose = Pose::new(&world);
//! pose.set(&world, &[0.0])?;
//! let options = Options::of(&world);
//! let between = collision_vector(&world, &mut pose, [rod, cell], &options).expect("groups of this world");
//! let witness = between.witness.expect("a distance has two points");
//! assert_eq!(between.verdict, Verdict::Clear);
//! assert!((witness.vector().norm() - between.distance).abs() < 1e-12);
//!
//! // Within the rod no pair is checked: nothing is proved of it.
//! let within = collision_vector(&world, &mut pose, [rod, rod], &options).expect("groups of this world");
//! assert_eq!(within.verdict, Verdict::Unknown);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::model::id::{BodyId, GroupId};
use crate::model::pairs::{BodyPair, CELL, Selection};
use crate::model::step::Step;
use crate::model::world::World;
use crate::numeric::math::Transform;
use crate::pose::frames::Pose;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// A set of bodies with a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct CollisionGroup {
    /// The robot's name, `world` for the fixed obstacles, or what the description's checks call it.
    pub name: String,
    /// Its bodies that have shapes, sorted.
    pub bodies: Vec<BodyId>,
    /// The body whose frame is the group's; `None` for the cell.
    pub frame: Option<BodyId>,
    /// Whether the frame moves in the cell: moved, not fixed.
    pub moved: bool,
    /// Whether bodies move in the frame: dynamic, not static.
    pub dynamic: bool,
}

impl CollisionGroup {
    /// Whether a body is in it.
    pub fn contains(&self, body: BodyId) -> bool {
        self.bodies.binary_search(&body).is_ok()
    }

    /// What two poses of the world show of the group: whether its frame is elsewhere, and whether a body is elsewhere in that frame, by
    /// more than `tolerance` (metres, and radians for turns). A fixed group never shows the first, a static one never the second.
    pub fn seen(&self, world: &World, poses: [&Pose; 2], tolerance: f64) -> (bool, bool) {
        let at = |pose: &Pose, body: BodyId| pose.body_in_world(world, body).unwrap_or(Transform::IDENTITY);
        let differ = |a: &Transform, b: &Transform| {
            let turned = a.rotation.cols.iter().zip(&b.rotation.cols).map(|(p, q)| (*p - *q).norm());
            (a.translation - b.translation).norm() > tolerance || turned.fold(0.0, f64::max) > tolerance
        };
        let frames = poses.map(|pose| self.frame.map(|f| at(pose, f)).unwrap_or(Transform::IDENTITY));
        let inside = self.bodies.iter().any(|body| {
            let [a, b] = [0, 1].map(|k| frames[k].relative(&at(poses[k], *body)));
            differ(&a, &b)
        });
        (differ(&frames[0], &frames[1]), inside)
    }
}

/// The groups that nobody named: a robot each, with what it holds, and the fixed obstacles. Bodies sorted.
pub(crate) fn derived(world: &World) -> Vec<(String, Vec<BodyId>)> {
    let mut groups: Vec<(String, Vec<BodyId>)> =
        world.robots.iter().map(|r| (r.name.clone(), Vec::new())).collect();
    let mut obstacles = Vec::new();
    let mut robot_of: Vec<Option<u32>> = world.bodies.iter().map(|b| b.robot.map(|r| r.0)).collect();
    for step in &world.steps {
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

/// The groups that a list of checks names. Bodies sorted.
pub(crate) fn named(world: &World, names: &[(String, Selection)]) -> Vec<(String, Vec<BodyId>)> {
    let all = || (0..world.bodies.len() as u32).map(BodyId);
    names.iter().map(|(name, s)| (name.clone(), all().filter(|id| s.contains(*id)).collect())).collect()
}

/// Groups with their frames and properties; those without a shape are left out.
pub(crate) fn compile(world: &World, sets: Vec<(String, Vec<BodyId>)>) -> Vec<CollisionGroup> {
    let mut parent: Vec<Option<BodyId>> = vec![None; world.bodies.len()];
    for Step { parent: above, child, .. } in &world.steps {
        parent[child.index()] = Some(*above);
    }
    let cluster = |body: BodyId| world.rules.bodies[body.index()].cluster;
    // From a body up to its root.
    let chain = |body: BodyId| core::iter::successors(Some(body), |b| parent[b.index()]);
    sets.into_iter()
        .filter_map(|(name, set)| {
            let shaped = |id: &BodyId| world.rules.bodies[id.index()].shapes > 0;
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
            let at_rest = frame.map_or(CELL, cluster);
            let dynamic = bodies.iter().any(|body| cluster(*body) != at_rest);
            Some(CollisionGroup { name, bodies, frame, moved: at_rest != CELL, dynamic })
        })
        .collect()
}

/// The pairs of groups between which something is checked, and between how many pairs of bodies.
pub(crate) fn index_set(world: &World) -> Vec<([GroupId; 2], usize)> {
    // The groups of each body, in one array.
    let mut starts = vec![0_u32; world.bodies.len() + 1];
    let members = || {
        world
            .groups
            .iter()
            .zip(0_u32..)
            .flat_map(|(g, number)| g.bodies.iter().map(move |b| (b.index(), number)))
    };
    members().for_each(|(body, _)| starts[body + 1] += 1);
    (0..world.bodies.len()).for_each(|body| starts[body + 1] += starts[body]);
    let (mut fill, mut numbers) = (starts.clone(), vec![0_u32; starts[world.bodies.len()] as usize]);
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
    for pair in &world.pairs.listed {
        let other: Vec<(u32, usize)> = of(pair.b).iter().map(|l| (*l, 1)).collect();
        join(of(pair.a), &other);
    }
    // How many of the fixed bodies are in each group, less those that a crowd leaves out.
    let mut fixed = vec![0_usize; world.groups.len()];
    for body in &world.pairs.fixed {
        of(*body).iter().for_each(|g| fixed[*g as usize] += 1);
    }
    for crowd in &world.pairs.crowds {
        let mut left = fixed.clone();
        for place in &crowd.except {
            of(world.pairs.fixed[*place as usize]).iter().for_each(|g| left[*g as usize] -= 1);
        }
        let groups: Vec<(u32, usize)> = (0..).zip(left).filter(|(_, pairs)| *pairs > 0).collect();
        join(of(crowd.body), &groups);
    }
    if starts.windows(2).any(|w| w[1] - w[0] > 1) {
        // A body in several groups has its pairs counted more than once.
        for ([j, l], pairs) in &mut index {
            let [j, l] = [&world.groups[*j as usize], &world.groups[*l as usize]];
            *pairs = world.pairs.iter().filter(|p| between(j, l, *p)).count();
        }
    }
    index.into_iter().map(|(pair, pairs)| (pair.map(GroupId), pairs)).collect()
}

/// Whether one body of a pair is in the one group and the other in the other.
#[inline]
pub(crate) fn between(j: &CollisionGroup, l: &CollisionGroup, pair: BodyPair) -> bool {
    (j.contains(pair.a) && l.contains(pair.b)) || (j.contains(pair.b) && l.contains(pair.a))
}
