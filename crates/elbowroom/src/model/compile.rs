//! A description becomes a [`World`], or the list of everything that is wrong with it.
//!
//! The compiler goes on after a fault as long as there is something to look at, so that a person corrects a
//! description once. It works in the order in which the parts depend on each other: bodies and their names,
//! shapes, each robot's tree of joints, held obstacles, rules for pairs, and at last, only if nothing was
//! wrong, the pairs.

mod bounds;
mod fingerprint;
mod fixed;
mod groups;
mod neutral;
mod twins;
mod zero;

use crate::bounds::{Ball, ball_around};
use crate::model::checked::CheckedPairs;
use crate::model::describe::{PlacedShape, WorldDescription};
use crate::model::fault::{CompileFault, CompileFaults};
use crate::model::fixed::FixedShapes;
use crate::model::id::{BodyId, PairId, RobotId, ordered};
use crate::model::pairs::{BodyFacts, CELL, PairRules, Selection};
use crate::model::select::{ByName, Names};
use crate::model::step::{Motion, ROOT, Step};
use crate::model::tolerance::{MAX_BODIES, MAX_CHECKED_PAIRS, MAX_MOVING, MAX_REMEMBERED, MAX_SHAPES};
use crate::model::world::{Body, BodyShape, COLD, OF_SHAPE, Placement, Robot, STILL, World};
use crate::numeric::math::{Mat3, Transform, Vec3};
use crate::numeric::padded::PaddedTransform;
use crate::numeric::pose_error::PoseError;
use crate::numeric::rigid::{rotation_defect, usable};
use crate::numeric::tolerance::{MAX_COORDINATE, NORM_ROUNDING};
use crate::shape::compile::shape_in;
use crate::shape::hull::Room;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use bounds::no_tree;
use core::mem;
use fingerprint::fingerprint;

/// A world to which nothing is proved of its pairs yet: [`with_floors`] makes it whole. On failure: every
/// fault that was found, at least one.
pub(crate) fn compile(description: &WorldDescription) -> Result<World, CompileFaults> {
    let mut compiler = Compiler::new(description);
    compiler.numbers(description);
    compiler.bodies(description);
    for (index, placed) in description.robots.iter().enumerate() {
        compiler.robot(index, &placed.robot);
    }
    compiler.held(description);
    compiler.rules(description);
    compiler.finish(description).map_err(CompileFaults)
}

/// A world with what is proved of its listed pairs over all configurations.
pub(crate) fn with_floors(mut world: World, floors: &[f64]) -> World {
    world.split(floors);
    bounds::heights(&mut world);
    world
}

pub(crate) struct Compiler {
    pub faults: Vec<CompileFault>,
    pub world: World,
    /// What the list of checks names, each once.
    asked: Vec<(String, Selection)>,
    room: Room,
    by_name: ByName,
}

impl Compiler {
    fn new(d: &WorldDescription) -> Compiler {
        // Everything is computed from the first robot's base, or the first obstacle where there is no robot.
        let first = d.robots.first().map(|r| r.base_in_world).or(d.obstacles.first().map(|o| o.pose));
        let origin_in_world = first.map(|t| t.translation).filter(|t| t.max_abs() <= MAX_COORDINATE);
        let world = World {
            robots: Vec::new(),
            bodies: Vec::new(),
            shapes: Vec::new(),
            balls: Vec::new(),
            joints: Vec::new(),
            value_names: Vec::new(),
            value_kinds: Vec::new(),
            limits: Vec::new(),
            steps: Vec::new(),
            step_parents: Vec::new(),
            roots: Vec::new(),
            start_in_cell: Vec::new(),
            errors: Vec::new(),
            bounded: true,
            blind: false,
            moving: Vec::new(),
            rules: PairRules::default(),
            pairs: CheckedPairs::default(),
            fixed: FixedShapes::none(),
            capsules: Vec::new(),
            order: Vec::new(),
            floors: Vec::new(),
            heights: Vec::new(),
            insides: Vec::new(),
            near: 0,
            floor: (f64::INFINITY, PairId(0)),
            radii: Vec::new(),
            listed_capsules: Vec::new(),
            crowd_capsules: Vec::new(),
            crowd_tree: no_tree(),
            groups: Vec::new(),
            index_set: Vec::new(),
            memory: Vec::new(),
            memory_size: 0,
            origin_in_world: origin_in_world.unwrap_or(Vec3::ZERO),
            margin: d.margin,
            fingerprint: 0,
        };
        Compiler {
            faults: Vec::new(),
            world,
            asked: Vec::new(),
            room: Room::new(),
            by_name: ByName::default(),
        }
    }

    fn numbers(&mut self, d: &WorldDescription) {
        for (what, value) in [("the world's padding", d.padding), ("the world's margin", d.margin)] {
            if !(0.0..=MAX_COORDINATE).contains(&value) {
                self.faults.push(CompileFault::BadNumber { what, value });
            }
        }
    }

    /// Checks a pose and returns the defect of its rotation.
    pub fn transform(&mut self, t: &Transform, of: impl FnOnce() -> String) -> f64 {
        usable(t).unwrap_or_else(|problem| {
            self.faults.push(CompileFault::BadTransform { of: of(), problem });
            0.0
        })
    }

    // ----
    // Bodies ---------------------------------------------------------------------------------------------

    fn bodies(&mut self, d: &WorldDescription) {
        let links = d.robots.iter().flat_map(|r| &r.robot.links).map(|l| l.shapes.len());
        let shapes = links.chain(d.obstacles.iter().map(|o| o.shapes.len()));
        let (bodies, shapes) = shapes.fold((0, 0), |(bodies, sum), n| (bodies + 1, sum + n));
        self.world.bodies.reserve_exact(bodies);
        self.world.rules.bodies.reserve_exact(bodies);
        self.world.shapes.reserve_exact(shapes);
        for (index, placed) in d.robots.iter().enumerate() {
            let name = &placed.name;
            self.check_robot_name(name);
            self.transform(&placed.base_in_world, || format!("robot `{name}`"));
            let first = self.world.bodies.len() as u32;
            if placed.robot.links.is_empty() {
                self.faults.push(CompileFault::NoLinks { robot: name.clone() });
            }
            for link in &placed.robot.links {
                let full = format!("{name}/{}", link.name);
                self.body(full, Some(RobotId(index as u32)), &link.shapes, d.padding);
            }
            self.world.robots.push(Robot {
                name: name.clone(),
                links: first..self.world.bodies.len() as u32,
                values: 0..0,
                base_in_world: placed.base_in_world,
            });
        }
        for obstacle in &d.obstacles {
            let full = format!("world/{}", obstacle.name);
            self.transform(&obstacle.pose, || format!("obstacle `{}`", obstacle.name));
            self.body(full, None, &obstacle.shapes, 0.0);
        }
        let mut names: Vec<&str> = d.robots.iter().map(|r| r.name.as_str()).collect();
        self.faults.extend(duplicates(&mut names, "robot"));
        self.by_name = ByName::new(&self.world.bodies);
        let mut names = self.by_name.twice(&self.world.bodies);
        self.faults.extend(duplicates(&mut names, "body"));
    }

    fn check_robot_name(&mut self, name: &str) {
        let problem = match name {
            "" => "is empty: give it one",
            "world" | "*" => "has a meaning of its own: choose another",
            _ if name.contains('/') => "contains `/`, which separates a robot from its links: choose another",
            _ => return,
        };
        self.faults.push(CompileFault::BadName { kind: "robot", name: name.into(), problem });
    }

    fn body(&mut self, name: String, robot: Option<RobotId>, shapes: &[PlacedShape], extra_padding: f64) {
        let id = BodyId(self.world.bodies.len() as u32);
        if name.ends_with('/') {
            let problem = "is empty after the `/`: give the body a name";
            self.faults.push(CompileFault::BadName { kind: "body", name: name.clone(), problem });
        }
        let first = self.world.shapes.len();
        for (index, placed) in shapes.iter().enumerate() {
            let shape_name =
                || if placed.name.is_empty() { (index + 1).to_string() } else { placed.name.clone() };
            let of = || format!("shape `{}` of body `{name}`", shape_name());
            let defect = self.transform(&placed.shape_in_body, of);
            // Each padding must be sound by itself: a negative one is no correction of the other.
            let padding =
                if placed.padding >= 0.0 { placed.padding + extra_padding.max(0.0) } else { placed.padding };
            match shape_in(&mut self.room, &placed.shape, padding) {
                Err(fault) => {
                    let shape = shape_name();
                    self.faults.push(CompileFault::Shape { body: name.clone(), shape, fault });
                }
                Ok(shape) => {
                    let at = &placed.shape_in_body;
                    let size = (shape.center.norm() + shape.reach) * (1.0 + NORM_ROUNDING);
                    let placement = || {
                        let arm = at.translation.norm() * (1.0 + NORM_ROUNDING);
                        let ball = Placement::ball(&shape, at, defect);
                        Box::new(Placement { shape_in_body: *at, defect, arm, ball })
                    };
                    let placement = (*at != Transform::IDENTITY).then(placement);
                    let name = (!placed.name.is_empty()).then(|| placed.name.as_str().into());
                    self.world.shapes.push(BodyShape { name, body: id, shape, size, placement });
                }
            }
        }
        let own = &self.world.shapes[first..];
        let mut ball = OF_SHAPE;
        if own.len() > 1 || (robot.is_some() && own.len() == 1) {
            let balls: Vec<Ball> = own.iter().map(BodyShape::ball).collect();
            ball = self.world.balls.len() as u32;
            self.world.balls.extend(ball_around(&balls));
        }
        self.world.rules.bodies.push(BodyFacts {
            cluster: CELL,
            parent_cluster: CELL,
            robot: robot.map(|r| r.0),
            shapes: own.len() as u32,
        });
        self.world.bodies.push(Body {
            name: name.into(),
            robot,
            shapes: first as u32..self.world.shapes.len() as u32,
            step: STILL,
            ball,
        });
    }

    // ---- Obstacles that are
    // held --------------------------------------------------------------------------------

    fn held(&mut self, d: &WorldDescription) {
        let first = self.world.bodies.len() - d.obstacles.len();
        for (i, obstacle) in d.obstacles.iter().enumerate() {
            let Some(attachment) = &obstacle.attached_to else { continue };
            let me = BodyId((first + i) as u32);
            let mut find = |name: &String| {
                let id = self.by_name.get(&self.world.bodies, name).filter(|id| id.index() < first);
                if id.is_none() {
                    let by = format!("the attachment of obstacle `{}`", obstacle.name);
                    let wanted = "link `robot/link`";
                    self.faults.push(CompileFault::UnknownName { by, wanted, name: name.clone() });
                }
                id
            };
            let carrier = find(&attachment.body);
            let touched: Vec<BodyId> = attachment.touch.iter().filter_map(find).collect();
            let Some(carrier) = carrier else { continue };
            for other in touched.into_iter().chain([carrier]) {
                self.world.rules.held.insert(ordered(me, other));
            }
            let BodyFacts { cluster, parent_cluster, .. } = self.world.rules.bodies[carrier.index()];
            let facts = &mut self.world.rules.bodies[me.index()];
            (facts.cluster, facts.parent_cluster) = (cluster, parent_cluster);
            self.world.steps.push(Step {
                parent: carrier,
                child: me,
                joint_in_parent: obstacle.pose,
                turned: obstacle.pose.rotation != Mat3::IDENTITY,
                motion: Motion::Fixed,
                value: 0,
                scale: 1.0,
                offset: 0.0,
                rounding: 0.0,
                rounding_offset: 0.0,
                defect: rotation_defect(&obstacle.pose.rotation).unwrap_or(0.0),
            });
        }
    }

    // ----
    // Pairs
    // --------------------------------------------------------------------------------------------------

    fn rules(&mut self, d: &WorldDescription) {
        let (bodies, by_name) = (mem::take(&mut self.world.bodies), mem::take(&mut self.by_name));
        let names = Names::new(d, &self.world.robots, &bodies, by_name, &mut self.faults);
        for allowed in &d.allowed {
            let by = format!("the allowed pair `{}` - `{}`", allowed.a, allowed.b);
            let a = names.resolve(&allowed.a, &by, &mut self.faults);
            let b = names.resolve(&allowed.b, &by, &mut self.faults);
            if let (Some(a), Some(b)) = (a, b) {
                match (a.one(), b.one()) {
                    (Some(a), Some(b)) => {
                        let reason = allowed.reason.clone();
                        self.world.rules.allowed_by_name.entry(ordered(a, b)).or_insert(reason);
                    }
                    _ => self.world.rules.allowed.push((a, b, allowed.reason.clone())),
                }
            }
        }
        self.world.rules.only_asked = !d.checks.is_empty();
        for [a, b] in &d.checks {
            let by = format!("the check `{a}` - `{b}`");
            let (x, y) = (names.resolve(a, &by, &mut self.faults), names.resolve(b, &by, &mut self.faults));
            let (Some(x), Some(y)) = (x, y) else { continue };
            for (name, selection) in [(a, &x), (b, &y)] {
                if self.asked.iter().all(|(known, _)| known != name) {
                    self.asked.push((name.clone(), selection.clone()));
                }
            }
            match (x.one(), y.one()) {
                (Some(x), Some(y)) if x == y => self.faults.push(CompileFault::SelfCheck { body: a.clone() }),
                (Some(x), Some(y)) => {
                    let shapeless = |id: &&(BodyId, &String, &String)| {
                        !self.world.rules.bodies[id.0.index()].has_shapes()
                    };
                    for (_, body, other) in [(x, a, b), (y, b, a)].iter().filter(shapeless) {
                        let (body, other) = ((*body).clone(), (*other).clone());
                        self.faults.push(CompileFault::NothingToCheck { body, other });
                    }
                    self.world.rules.asked_by_name.insert(ordered(x, y));
                }
                _ => self.world.rules.asked.push((x, y)),
            }
        }
        // A disabled pair whose links do not exist disables nothing, and SRDF files are full of them.
        for placed in &d.robots {
            for disabled in &placed.robot.disabled_pairs {
                let link = |name: &str| names.body(&format!("{}/{name}", placed.name));
                if let (Some(a), Some(b)) = (link(&disabled.link_a), link(&disabled.link_b)) {
                    self.world.rules.disabled.entry(ordered(a, b)).or_insert(disabled.reason.clone());
                }
            }
        }
        self.world.bodies = bodies;
    }

    fn finish(mut self, d: &WorldDescription) -> Result<World, Vec<CompileFault>> {
        let moving = self.world.rules.bodies.iter().filter(|b| b.cluster != CELL).count();
        for (what, count, limit) in [
            ("bodies", self.world.bodies.len(), MAX_BODIES),
            ("bodies that move", moving, MAX_MOVING),
            ("shapes", self.world.shapes.len(), MAX_SHAPES),
        ] {
            if count > limit {
                self.faults.push(CompileFault::TooMany { what, limit });
            }
        }
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        let bodies = d.allow_zero_overlaps.then(|| (self.world.clone(), self.asked.clone()));
        let world = self.checks(d)?;
        let Some((bodies, asked)) = bodies else { return Ok(world) };
        let zero_overlaps = zero::overlaps(&world, d);
        if zero_overlaps.is_empty() {
            return Ok(world);
        }
        let mut again = Compiler { world: bodies, asked, ..Compiler::new(d) };
        again.world.rules.zero_overlaps = zero_overlaps;
        again.checks(d)
    }

    /// From bodies and rules to the checked pairs and all that is made for them.
    fn checks(mut self, d: &WorldDescription) -> Result<World, Vec<CompileFault>> {
        let Some(pairs) = self.world.rules.checked_pairs(MAX_CHECKED_PAIRS) else {
            return Err(vec![CompileFault::TooMany { what: "checked pairs", limit: MAX_CHECKED_PAIRS }]);
        };
        self.world.pairs = pairs;
        let blind = self.world.robots_without_shapes().next().is_some();
        self.world.blind = blind;
        self.memory();
        self.start(d);
        bounds::capsules(&mut self.world);
        if !self.world.pairs.crowds.is_empty() {
            let Some(fixed) = fixed::fixed_shapes(&self.world) else {
                return Err(vec![CompileFault::TooMany { what: "shapes", limit: MAX_SHAPES }]);
            };
            self.world.fixed = fixed;
            bounds::join_crowds(&mut self.world);
        }
        let sets = match &self.asked {
            names if names.is_empty() => groups::derived(&self.world),
            names => groups::named(&self.world, names),
        };
        self.world.groups = groups::compile(&self.world, sets);
        self.world.index_set = groups::index_set(&self.world);
        self.world.fingerprint = fingerprint(&self.world, d);
        Ok(self.world)
    }

    /// Gives each checked pair a place for what its shape queries remember, until there is no more room.
    fn memory(&mut self) {
        for pair in &self.world.pairs.listed {
            let [a, b] = [pair.a, pair.b].map(|id| self.world.bodies[id.index()].shapes.len());
            match self.world.memory_size.checked_add(a.saturating_mul(b)) {
                Some(end) if end <= MAX_REMEMBERED => {
                    self.world.memory.push(self.world.memory_size as u32);
                    self.world.memory_size = end;
                }
                _ => self.world.memory.push(COLD),
            }
        }
    }

    /// Poses and errors before any joint moves, and the worst errors while all values are within limits.
    fn start(&mut self, d: &WorldDescription) {
        let world = &mut self.world;
        let origin = world.origin_in_world;
        let roots = world.bodies.iter().map(|body| body.robot.map(|r| world.robots[r.index()].base_in_world));
        let mut obstacles = d.obstacles.iter().map(|o| o.pose);
        let given: Vec<Transform> =
            roots.map(|base| base.or_else(|| obstacles.next()).unwrap_or(Transform::IDENTITY)).collect();
        world.errors.reserve_exact(given.len());
        world.start_in_cell.reserve_exact(given.len());
        for pose in given {
            let in_cell = Transform::new(pose.rotation, pose.translation - origin);
            let defect = rotation_defect(&pose.rotation).unwrap_or(0.0);
            world.errors.push(PoseError::of_placement(in_cell.translation.norm(), defect));
            world.start_in_cell.push(in_cell);
        }
        let size = world.largest_values();
        for step in &world.steps {
            let error = step.error(world.errors[step.parent.index()], |i| size[i]);
            world.bounded &= error.turn.is_finite() && error.shift.is_finite() && error.reach.is_finite();
            world.errors[step.child.index()] = error;
        }
        let ids = world.steps.iter().map(|s| s.child);
        world.moving = ids.filter(|id| !world.bodies[id.index()].shapes.is_empty()).collect();
        for (number, step) in world.steps.iter().enumerate() {
            world.bodies[step.child.index()].step = number as u32;
            let above = world.bodies[step.parent.index()].step;
            world.step_parents.push(if above == STILL { ROOT | world.roots.len() as u32 } else { above });
            if above == STILL {
                world.roots.push(PaddedTransform::new(&world.start_in_cell[step.parent.index()]));
            }
        }
    }
}

/// A fault for each name that occurs more than once.
pub(crate) fn duplicates(names: &mut Vec<&str>, kind: &'static str) -> Vec<CompileFault> {
    names.sort_unstable();
    let mut twice: Vec<&str> = names.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
    twice.dedup();
    twice.into_iter().map(|name| CompileFault::DuplicateName { kind, name: name.into() }).collect()
}
