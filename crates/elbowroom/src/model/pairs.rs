//! Which pairs of bodies are checked, and why the others are not.
//!
//! Every pair of bodies that can move relative to each other is checked unless there is a reason not to. The
//! rules are kept, not a table of all pairs: a cell of ten thousand fixed bodies has fifty million pairs that
//! are never checked. [`AllowedReason`] has the rules in their order.

use crate::model::checked_pairs::CheckedPairs;
use crate::model::id::{BodyId, BodyPair, PairId, order_pair};
use crate::model::movable_pairs::MovablePairs;
use crate::model::tolerance::{CROWD_LEAST, MAX_CHECKED_PAIRS};
use crate::numeric::layered::Layered;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// Whether a pair of bodies is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairStatus<'w> {
    /// It is checked, under this number.
    Checked(PairId),
    /// It is not, and this is why.
    Allowed(AllowedReason<'w>),
}

/// Why a pair of bodies is not checked.
///
/// Every pair of bodies that can move relative to each other is checked unless there is a reason not to. The
/// first rule that applies decides:
///
/// 1. a body without shapes cannot be checked;
/// 2. what the user allows is allowed;
/// 3. what the user asks for by the names of both bodies is checked;
/// 4. bodies that never move relative to each other: both fixed in the cell, or rigidly joined. A movable
///    obstacle is neither; [`Checker::is_checked`](crate::Checker::is_checked) says what is checked while it
///    is where it is;
/// 5. a held obstacle, its carrier, and what it may touch there;
/// 6. neighbours: links of one robot whose rigid clusters are joined by one moving joint. A rigid cluster is
///    everything joined by fixed joints, so a chain of fixed joints counts as one link;
/// 7. pairs that the robot's SRDF disables;
/// 8. if the user lists checks, everything that is not on the list;
/// 9. if the user wants it so, bodies that overlap at the zero pose and would be neighbours (6) if links
///    without shapes were left out.
///
/// The page of [`crate::world`] begins with an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllowedReason<'w> {
    /// One of them has no shape.
    NoShapes,
    /// Both are fixed in the cell.
    BothFixed,
    /// Fixed joints or an attachment join them: they never move relative to each other.
    RigidlyJoined,
    /// One moving joint joins them, or the bodies they are fixed to.
    Adjacent,
    /// One of them is held and may touch the other there.
    Held,
    /// One of them is hidden for the time being.
    Hidden,
    /// The robot's SRDF disables the pair, for the reason it gives.
    Disabled(&'w str),
    /// The world's description allows it, for the reason it gives.
    User(&'w str),
    /// The world's description lists what to check, and this is not on the list.
    NotAsked,
    /// They overlap at the zero pose, only links without shapes are between them, and the world's description
    /// allows such pairs.
    ZeroOverlap,
}

impl AllowedReason<'_> {
    /// A short word for programs.
    pub fn short_name(&self) -> &'static str {
        match self {
            AllowedReason::NoShapes => "no_shapes",
            AllowedReason::BothFixed => "both_fixed",
            AllowedReason::RigidlyJoined => "rigidly_joined",
            AllowedReason::Adjacent => "adjacent",
            AllowedReason::Held => "held",
            AllowedReason::Hidden => "hidden",
            AllowedReason::Disabled(_) => "srdf",
            AllowedReason::User(_) => "user",
            AllowedReason::NotAsked => "not_asked",
            AllowedReason::ZeroOverlap => "zero_overlap",
        }
    }
}

impl fmt::Display for AllowedReason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AllowedReason::NoShapes => f.write_str("no shape to check"),
            AllowedReason::BothFixed => f.write_str("both are fixed in the cell"),
            AllowedReason::RigidlyJoined => f.write_str("rigidly joined"),
            AllowedReason::Adjacent => f.write_str("adjacent"),
            AllowedReason::Held => f.write_str("held, and may touch there"),
            AllowedReason::Hidden => f.write_str("one of them is hidden"),
            AllowedReason::Disabled("") => f.write_str("disabled by the SRDF, which gives no reason"),
            AllowedReason::Disabled(reason) => write!(f, "disabled by the SRDF: {reason}"),
            AllowedReason::User("") => f.write_str("allowed, and no reason is given"),
            AllowedReason::User(reason) => write!(f, "allowed: {reason}"),
            AllowedReason::NotAsked => f.write_str("not among the checks that are asked for"),
            AllowedReason::ZeroOverlap => {
                f.write_str("they overlap at the zero pose, and only links without shapes are between them")
            }
        }
    }
}

/// The rigid cluster of everything that is fixed in the cell.
pub(crate) const FIXED_CLUSTER: u32 = 0;

/// What the rules need to know about a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyFacts {
    /// Bodies of one cluster never move relative to each other.
    pub cluster: u32,
    /// How many shapes it has.
    pub shapes: u32,
    /// Whether it can be placed elsewhere while the world is asked.
    pub movable: bool,
}

impl BodyFacts {
    pub fn has_shapes(&self) -> bool {
        self.shapes > 0
    }
}

/// Bodies that a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Selection {
    All,
    One(BodyId),
    /// First and one past the last.
    Range(u32, u32),
    /// These, and all from a number on, which come later.
    Set(Arc<BTreeSet<BodyId>>, u32),
}

impl Selection {
    /// The body, if the name is that of one body.
    pub fn single_body(&self) -> Option<BodyId> {
        if let Selection::One(body) = self { Some(*body) } else { None }
    }
    pub fn contains(&self, body: BodyId) -> bool {
        match self {
            Selection::All => true,
            Selection::One(one) => *one == body,
            Selection::Range(from, to) => (*from..*to).contains(&body.0),
            Selection::Set(set, later) => body.0 >= *later || set.contains(&body),
        }
    }
}

/// Whether one of two bodies is in `x` and the other in `y`.
fn is_between(x: &Selection, y: &Selection, a: BodyId, b: BodyId) -> bool {
    (x.contains(a) && y.contains(b)) || (x.contains(b) && y.contains(a))
}

/// The rules of a world. Keys of maps are ordered pairs.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairRules {
    pub bodies: Layered<BodyFacts>,
    /// By cluster, the one that it hangs on by a moving joint; itself if it hangs on none.
    pub hangs_on: Vec<u32>,
    /// By robot, one past its last link. All obstacles come after all links.
    pub links_end: Vec<u32>,
    pub allowed_by_name: BTreeMap<(BodyId, BodyId), String>,
    pub allowed: Vec<(Selection, Selection, String)>,
    pub asked_by_name: BTreeSet<(BodyId, BodyId)>,
    pub asked: Vec<(Selection, Selection)>,
    pub held: BTreeSet<(BodyId, BodyId)>,
    pub disabled: BTreeMap<(BodyId, BodyId), String>,
    /// True if the description lists checks.
    pub only_asked: bool,
    /// Pairs that overlap at the zero pose, where the description allows them.
    pub zero_overlaps: BTreeSet<(BodyId, BodyId)>,
}

impl PairRules {
    /// Index of the robot whose link a body is; `None` for obstacles.
    fn robot_index(&self, body: BodyId) -> Option<usize> {
        let robot = self.links_end.partition_point(|end| *end <= body.0);
        (robot < self.links_end.len()).then_some(robot)
    }

    /// All bodies with their robots.
    fn with_robots(&self) -> impl Iterator<Item = (&BodyFacts, Option<usize>)> {
        let ids = (0..self.bodies.len() as u32).map(BodyId);
        self.bodies.iter().zip(ids.map(|id| self.robot_index(id)))
    }

    /// Why the pair of two different bodies is not checked; `None` if it is.
    pub fn allowed_reason(&self, a: BodyId, b: BodyId) -> Option<AllowedReason<'_>> {
        let (fa, fb) = (&self.bodies[a.index()], &self.bodies[b.index()]);
        let key = order_pair(a, b);
        if !(fa.has_shapes() && fb.has_shapes()) {
            return Some(AllowedReason::NoShapes);
        }
        if let Some(reason) = self.allowed_by_name.get(&key) {
            return Some(AllowedReason::User(reason));
        }
        if let Some((_, _, reason)) = self.allowed.iter().find(|(x, y, _)| is_between(x, y, a, b)) {
            return Some(AllowedReason::User(reason));
        }
        if self.asked_by_name.contains(&key) {
            return None;
        }
        let robot = self.robot_index(a);
        let same_robot = robot.is_some() && robot == self.robot_index(b);
        if fa.cluster == fb.cluster {
            let fixed = fa.cluster == FIXED_CLUSTER && !same_robot;
            return Some(if fixed { AllowedReason::BothFixed } else { AllowedReason::RigidlyJoined });
        }
        if self.held.contains(&key) {
            return Some(AllowedReason::Held);
        }
        let hangs = |x: &BodyFacts, y: &BodyFacts| self.hangs_on[x.cluster as usize] == y.cluster;
        let neighbours = hangs(fa, fb) || hangs(fb, fa);
        if same_robot && neighbours {
            return Some(AllowedReason::Adjacent);
        }
        if let Some(reason) = self.disabled.get(&key) {
            return Some(AllowedReason::Disabled(reason));
        }
        if self.only_asked && !self.asked.iter().any(|(x, y)| is_between(x, y, a, b)) {
            return Some(AllowedReason::NotAsked);
        }
        self.zero_overlaps.contains(&key).then_some(AllowedReason::ZeroOverlap)
    }

    /// For each cluster of a robot's links, the nearest cluster above it that has a shape.
    pub fn above_with_shapes(&self) -> BTreeMap<u32, u32> {
        // All robots share the cluster of the cell: of it only a robot's own links count.
        let owner = |(f, robot): (&BodyFacts, Option<usize>)| {
            (f.cluster, robot.filter(|_| f.cluster == FIXED_CLUSTER))
        };
        let shaped: BTreeSet<(u32, Option<usize>)> =
            self.with_robots().filter(|(f, _)| f.has_shapes()).map(owner).collect();
        let parents: BTreeMap<u32, (u32, Option<usize>)> = self
            .with_robots()
            .filter(|(f, robot)| robot.is_some() && f.cluster != FIXED_CLUSTER)
            .map(|(f, robot)| (f.cluster, (self.hangs_on[f.cluster as usize], robot)))
            .collect();
        let above = |cluster: u32| {
            let (mut at, robot) = *parents.get(&cluster)?;
            while !shaped.contains(&(at, robot.filter(|_| at == FIXED_CLUSTER))) {
                at = parents.get(&at)?.0;
            }
            Some((cluster, at))
        };
        parents.keys().filter_map(|cluster| above(*cluster)).collect()
    }

    /// Whether two links of a robot are neighbours, or would be if links without shapes were left out;
    /// `above` is [`PairRules::above_with_shapes`].
    pub fn near_neighbours(&self, above: &BTreeMap<u32, u32>, a: BodyId, b: BodyId) -> bool {
        let robot = self.robot_index(a);
        let same_robot = robot.is_some() && robot == self.robot_index(b);
        let (a, b) = (&self.bodies[a.index()], &self.bodies[b.index()]);
        let hangs = |x: u32, y: u32| above.get(&x) == Some(&y);
        same_robot && (hangs(a.cluster, b.cluster) || hangs(b.cluster, a.cluster))
    }

    /// Every checked pair; `None` if more than `most` of them would be listed.
    pub fn checked_pairs(&self, most: usize) -> Option<CheckedPairs> {
        let count = self.bodies.len() as u32;
        let moves = |facts: &BodyFacts| facts.cluster != FIXED_CLUSTER && !facts.movable;
        let moving: Vec<u32> = (0..count).filter(|i| moves(&self.bodies[*i as usize])).collect();
        let still = |id: &BodyId| {
            self.bodies[id.index()].cluster == FIXED_CLUSTER && self.bodies[id.index()].has_shapes()
        };
        let mut fixed: Vec<BodyId> = (0..count).map(BodyId).filter(still).collect();
        let shapes: u64 = fixed.iter().map(|id| u64::from(self.bodies[id.index()].shapes)).sum();
        let (mut listed, mut crowds) = (Vec::new(), Vec::new());
        for (i, &mover) in moving.iter().enumerate() {
            let mover = BodyId(mover);
            if !self.bodies[mover.index()].has_shapes() {
                continue;
            }
            let mut list = |other: BodyId| {
                if self.allowed_reason(mover, other).is_none() {
                    let (a, b) = order_pair(mover, other);
                    listed.push(BodyPair { a, b });
                }
            };
            moving[i + 1..].iter().for_each(|other| list(BodyId(*other)));
            let except = if shapes < CROWD_LEAST { None } else { self.unchecked_fixed(mover, &fixed) };
            match except {
                Some(except) => crowds.push((mover, except)),
                None => fixed.iter().for_each(|other| list(*other)),
            }
            if listed.len() > most {
                return None;
            }
        }
        // Two fixed bodies are checked only where both are asked for by name.
        let both = |id: BodyId| self.bodies[id.index()].cluster == FIXED_CLUSTER;
        for &(a, b) in self.asked_by_name.iter().filter(|(a, b)| both(*a) && both(*b)) {
            if self.allowed_reason(a, b).is_none() {
                listed.push(BodyPair { a, b });
            }
        }
        listed.sort_unstable();
        listed.dedup();
        listed.shrink_to_fit();
        if listed.len() > most {
            return None;
        }
        let is_movable = |id: &BodyId| self.bodies[id.index()].movable;
        let movable: Vec<BodyId> = (0..count).map(BodyId).filter(is_movable).collect();
        if crowds.is_empty() {
            fixed = Vec::new();
        }
        fixed.shrink_to_fit();
        let pairs = CheckedPairs::new(listed, crowds, fixed.into())?;
        if movable.is_empty() { Some(pairs) } else { self.with_movable(pairs, movable) }
    }

    /// Adds the pairs of movable bodies, but for those that a rule excludes wherever the bodies are. `None`
    /// if there are too many.
    fn with_movable(&self, pairs: CheckedPairs, movable: Vec<BodyId>) -> Option<CheckedPairs> {
        let ids = || (0..self.bodies.len() as u32).map(BodyId);
        let shaped = |id: &BodyId| self.bodies[id.index()].has_shapes() && !self.bodies[id.index()].movable;
        let (still, moving): (Vec<BodyId>, _) =
            ids().filter(shaped).partition(|id| self.bodies[id.index()].cluster == FIXED_CLUSTER);
        let mut of_movable = MovablePairs::new([moving, movable], still.into(), pairs.len() as u32)?;
        let excluded = |pair: &BodyPair| self.allowed_reason(pair.a, pair.b).is_some();
        let bare = of_movable.movable.iter().any(|id| !self.bodies[id.index()].has_shapes());
        if self.only_asked || !self.allowed.is_empty() || bare {
            if of_movable.len() > MAX_CHECKED_PAIRS {
                return None;
            }
            let except: Vec<BodyPair> = of_movable.iter().filter(excluded).collect();
            of_movable.exclude_pairs(except.into_iter());
        } else {
            let named = self.allowed_by_name.keys().map(|&(a, b)| BodyPair { a, b });
            of_movable.exclude_pairs(named);
        }
        Some(pairs.with_movable(of_movable))
    }

    /// Indices in `fixed` of the bodies that a moving body is not checked against; `None` if they are more
    /// than half of all.
    fn unchecked_fixed(&self, mover: BodyId, fixed: &[BodyId]) -> Option<Vec<u32>> {
        let half = fixed.len() / 2;
        let by_group = self.only_asked || !self.allowed.is_empty() || !self.asked.is_empty();
        let mut except: Vec<u32> = Vec::new();
        if by_group {
            for (index, other) in fixed.iter().enumerate() {
                if self.allowed_reason(mover, *other).is_some() {
                    except.push(index as u32);
                    if except.len() > half {
                        return None;
                    }
                }
            }
            return Some(except);
        }
        // Without rules for groups, only named pairs and the robot's own fixed links can be exceptions.
        let robot = self.robot_index(mover);
        let kin = fixed.iter().filter(|f| robot.is_some() && self.robot_index(**f) == robot);
        let named = self.allowed_by_name.keys().chain(&self.held).chain(self.disabled.keys());
        let partner = |&(a, b): &(BodyId, BodyId)| {
            if a == mover {
                Some(b)
            } else if b == mover {
                Some(a)
            } else {
                None
            }
        };
        for other in kin.copied().chain(named.filter_map(partner)) {
            if let (Ok(index), true) =
                (fixed.binary_search(&other), self.allowed_reason(mover, other).is_some())
            {
                except.push(index as u32);
            }
        }
        except.sort_unstable();
        except.dedup();
        (except.len() <= half).then_some(except)
    }
}
