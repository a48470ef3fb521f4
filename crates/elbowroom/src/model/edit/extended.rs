//! The lists of a world that go by body, with the bodies that an edit adds.

use super::plan::EditPlan;
use crate::model::body::Body;
use crate::model::checks::selection_named;
use crate::model::compile::faults::FaultList;
use crate::model::compile::fingerprint::of_body;
use crate::model::compile::solids::{own_ball, placed_shapes};
use crate::model::compile::too_many;
use crate::model::id::{BodyId, order_pair};
use crate::model::kinematics::Kinematics;
use crate::model::movables::FirstCarrier;
use crate::model::name::Name;
use crate::model::pairs::{BodyFacts, FIXED_CLUSTER, PairRules, Selection};
use crate::model::solids::Solids;
use crate::model::world::World;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use elbowroom_describe::ObstacleDescription;
use elbowroom_describe::math::Transform;
use elbowroom_pair::shape::compile::{Preparation, ShapeFault, compile_shapes};
use elbowroom_pair::shape::solid::Shape;

/// The lists of a world that go by body. Added bodies are in them. Removed bodies are still in them too, and
/// are noted as removed.
pub(super) struct Extended {
    pub solids: Solids,
    pub kinematics: Kinematics,
    pub rules: PairRules,
    pub carriers: Vec<Option<FirstCarrier>>,
    pub selections: Vec<(String, Selection)>,
    pub asked: Vec<(String, Selection)>,
    /// The sum of the hashes of all bodies that are there.
    pub bodies_hash: u64,
}

impl Extended {
    pub fn new(world: &World, plan: &EditPlan, faults: &mut FaultList) -> Extended {
        let mut all = Extended {
            solids: world.solids.clone(),
            kinematics: world.kinematics.clone(),
            rules: world.checks.rules.clone(),
            carriers: world.movables.carriers.clone(),
            selections: world.checks.selections.clone(),
            asked: world.checks.asked.clone(),
            bodies_hash: world.bodies_hash,
        };
        for body in &plan.removed {
            all.bodies_hash =
                all.bodies_hash.wrapping_sub(of_body(&all.solids, &all.kinematics.places, *body));
        }
        all.solids.removed.extend(&plan.removed);
        all.solids.removed.sort_unstable();
        let described: Vec<_> =
            plan.added.iter().flat_map(|a| &a.obstacle.shapes).map(|s| (&s.shape, s.padding)).collect();
        let mut compiled = compile_shapes(&described, Preparation::Whole);
        for added in &plan.added {
            all.add(added.obstacle, &mut compiled, faults);
            let id = BodyId(all.solids.bodies.len() as u32 - 1);
            let hash = of_body(&all.solids, &all.kinematics.places, id);
            all.bodies_hash = all.bodies_hash.wrapping_add(hash);
            if let Some(old) = added.instead_of {
                all.replace_body(old, id);
            }
        }
        too_many(&all.solids, &all.rules, faults);
        all
    }

    /// Adds a fixed obstacle.
    fn add(
        &mut self,
        obstacle: &ObstacleDescription,
        compiled: &mut impl Iterator<Item = Result<Shape, ShapeFault>>,
        faults: &mut FaultList,
    ) {
        let Extended { solids, kinematics, rules, .. } = self;
        faults.check_transform(&obstacle.pose, || format!("obstacle `{}`", obstacle.name));
        let id = BodyId(solids.bodies.len() as u32);
        let name = Name::from_parts("world/", &obstacle.name);
        let first = solids.shapes.len();
        let take = |shape| solids.shapes.push(shape);
        placed_shapes(id, &name, false, &obstacle.shapes, compiled, faults, take);
        let own = solids.shapes.slice_range(first..solids.shapes.len());
        if let Some(ball) = own_ball(own, None) {
            solids.balls.push((id, ball));
        }
        let depth = own.iter().map(|s| s.shape.mesh_depth()).max().unwrap_or(0);
        solids.mesh_depth = solids.mesh_depth.max(depth);
        let shapes = first as u32..solids.shapes.len() as u32;
        rules.bodies.push(BodyFacts { cluster: FIXED_CLUSTER, shapes: shapes.len() as u32, movable: false });
        solids.bodies.push(Body { name, robot: None, shapes });
        solids.by_name.add(&solids.bodies);
        let Transform { rotation, translation } = obstacle.pose;
        kinematics.places.add(&Transform::new(rotation, translation - kinematics.origin_in_world));
    }

    /// The bodies that a name stands for.
    pub fn find_selection(&self, name: &str) -> Option<Selection> {
        let group = || selection_named(&self.selections, name).cloned();
        self.solids.find_body(name).map(Selection::One).or_else(group)
    }

    /// Puts another body in the place of one: in rules by name, in groups, and in lists of what may be
    /// touched.
    fn replace_body(&mut self, old: BodyId, new: BodyId) {
        let key = |(a, b): (BodyId, BodyId)| match (a == old, b == old) {
            (true, _) => Some(order_pair(new, b)),
            (_, true) => Some(order_pair(a, new)),
            _ => None,
        };
        let rules = &mut self.rules;
        for map in [&mut rules.allowed_by_name, &mut rules.disabled] {
            let moved: Vec<_> = map.keys().filter_map(|pair| Some((*pair, key(*pair)?))).collect();
            for (from, to) in moved {
                if let Some(reason) = map.remove(&from) {
                    map.insert(to, reason);
                }
            }
        }
        for set in [&mut rules.asked_by_name, &mut rules.held] {
            let moved: Vec<_> = set.iter().filter_map(|pair| Some((*pair, key(*pair)?))).collect();
            for (from, to) in moved {
                set.remove(&from);
                set.insert(to);
            }
        }
        let renamed = |selection: &mut Selection| match selection {
            Selection::One(body) if *body == old => *body = new,
            Selection::Set(set, _) if set.contains(&old) => {
                let set = Arc::make_mut(set);
                set.remove(&old);
                set.insert(new);
            }
            _ => {}
        };
        let of_rules = rules.allowed.iter_mut().flat_map(|(a, b, _)| [a, b]);
        let of_checks = rules.asked.iter_mut().flat_map(|(a, b)| [a, b]);
        of_rules.chain(of_checks).for_each(renamed);
        let named = self.selections.iter_mut().chain(&mut self.asked);
        named.map(|(_, selection)| selection).for_each(renamed);
        for touch in self.carriers.iter_mut().flatten().map(|carrier| &mut carrier.touch) {
            touch.iter_mut().filter(|body| **body == old).for_each(|body| *body = new);
        }
    }
}
