//! Makes pairs, groups and bounds of a world again. Shapes are taken as they are compiled.

use super::extended::Extended;
use super::plan::{EditPlan, RuleChange};
use crate::model::body::Body;
use crate::model::compile::solids::own_ball;
use crate::model::compile::whole::{WorldParts, complete_world};
use crate::model::id::{BodyId, order_pair};
use crate::model::kinematics::Kinematics;
use crate::model::pairs::{BodyFacts, PairRules, Selection};
use crate::model::solids::{BodyShape, Placed, Placement, Solids};
use crate::model::tolerance::MAX_CHECKED_PAIRS;
use crate::model::world::World;
use crate::model::world_before::WorldBefore;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use elbowroom_describe::AllowedPair;
use elbowroom_describe::fault::CompileFault;

/// The world after a plan. Bounds are taken from `before` where they hold; no new pair is proved yet.
pub(super) fn made_again(
    world: &World,
    plan: &EditPlan,
    all: Extended,
    before: &WorldBefore,
) -> Result<World, CompileFault> {
    let both = |rule: &RuleChange| rule.names().map(|name| all.find_selection(name));
    let resolved: Vec<_> = plan.rules.iter().map(|rule| (*rule, both(rule))).collect();
    let Extended { solids, kinematics, rules, carriers, selections, asked, .. } = all;
    let solids = pad_robots(without_removed(solids), plan, &kinematics);
    let kinematics = Kinematics { places: kinematics.places.fold_layers(), ..kinematics };
    let facts = |(body, facts): (&Body, &BodyFacts)| BodyFacts {
        // A removed body has no shapes left. A cloud or a spare place has none either, but counts as one.
        shapes: if facts.movable { facts.shapes } else { body.shapes.len() as u32 },
        ..*facts
    };
    let bodies = solids.bodies.iter().zip(&rules.bodies).map(facts).collect();
    let mut rules = PairRules { bodies, ..rules };
    for (rule, both) in resolved {
        if let [Some(a), Some(b)] = both {
            apply_rule(rule, &[a, b], &mut rules)?;
        }
    }
    let too_many = CompileFault::TooMany { what: "checked pairs", limit: MAX_CHECKED_PAIRS };
    let pairs = rules.checked_pairs(MAX_CHECKED_PAIRS).ok_or(too_many)?;
    let (spares, clouds) = (world.movables.spares.clone(), world.movables.clouds.clone());
    let margin = world.margin;
    let parts = WorldParts { solids, kinematics, rules, selections, asked, carriers, spares, clouds, margin };
    complete_world(parts, pairs, Some(before), Some(world.lineage))
}

/// Takes names and shapes from removed bodies. Their numbers stay.
fn without_removed(all: Solids) -> Solids {
    let (mut bodies, mut shapes) = (Vec::with_capacity(all.bodies.len()), Vec::new());
    for (id, body) in (0..).map(BodyId).zip(&all.bodies) {
        let first = shapes.len() as u32;
        if all.is_removed(id) {
            bodies.push(Body { name: "".into(), robot: None, shapes: first..first });
            continue;
        }
        let own = body.shapes.start as usize..body.shapes.end as usize;
        shapes.extend(all.shapes.slice_range(own).iter().cloned());
        bodies.push(Body { shapes: first..shapes.len() as u32, ..body.clone() });
    }
    let balls = all.balls.iter().filter(|(id, _)| !all.is_removed(*id)).copied().collect();
    let mesh_depth = shapes.iter().map(|s: &BodyShape| s.shape.mesh_depth()).max().unwrap_or(0);
    let bodies = bodies.into();
    let by_name = crate::model::by_name::ByName::new(&bodies);
    let removed_before = all.removed.len();
    Solids { bodies, shapes: shapes.into(), balls, by_name, mesh_depth, removed_before, ..all }
}

/// Gives robots the padding that the plan asks for.
fn pad_robots(solids: Solids, plan: &EditPlan, kinematics: &Kinematics) -> Solids {
    let Solids { mut shapes, mut balls, .. } = solids;
    for (robot, padding) in &plan.padded {
        for link in kinematics.robots[robot.index()].links.clone() {
            let range = solids.bodies[link as usize].shapes.clone();
            let range = range.start as usize..range.end as usize;
            let own = &mut shapes.base_mut()[range.clone()];
            for (shape, own_radius) in own.iter_mut().zip(&solids.own_radii[range]) {
                *shape = with_radius(shape, own_radius + padding);
            }
            let link = BodyId(link);
            let ball = own_ball(own, Some(*robot));
            for (_, known) in balls.base_mut().iter_mut().filter(|(id, _)| *id == link) {
                *known = ball.unwrap_or(*known);
            }
        }
    }
    Solids { shapes, balls, ..solids }
}

/// A shape with another radius around its core.
fn with_radius(old: &BodyShape, radius: f64) -> BodyShape {
    let shape = old.shape.with_radius(radius);
    let placed = old.placed.as_ref().map(|placed| {
        let placement = placed.placement.as_ref().map(|p| Placement {
            ball: Placement::bounding_ball(&shape, &p.shape_in_body, p.defect),
            ..p.clone()
        });
        Box::new(Placed { name: placed.name.clone(), placement, around: None })
    });
    let mut changed = BodyShape { body: old.body, size: BodyShape::size_of(&shape), shape, placed };
    let around = old.box_on_body().map(|_| changed.fit_own_box());
    changed.placed.iter_mut().for_each(|placed| placed.around = around);
    changed
}

/// Changes the rules. A fault if nothing allows what is to be checked.
fn apply_rule(rule: RuleChange, both: &[Selection; 2], rules: &mut PairRules) -> Result<(), CompileFault> {
    let one = || Some(order_pair(both[0].single_body()?, both[1].single_body()?));
    match rule {
        RuleChange::Allow(AllowedPair { reason, .. }) => match one() {
            Some(pair) => {
                rules.allowed_by_name.insert(pair, reason.clone());
            }
            None => rules.allowed.push((both[0].clone(), both[1].clone(), reason.clone())),
        },
        RuleChange::Check([a, b]) => {
            let before = rules.allowed.len() + rules.allowed_by_name.len();
            match one() {
                Some(pair) => {
                    rules.allowed_by_name.remove(&pair);
                }
                None => rules.allowed.retain(|(x, y, _)| {
                    let is = |p: &Selection, q: &Selection| *x == *p && *y == *q;
                    !is(&both[0], &both[1]) && !is(&both[1], &both[0])
                }),
            }
            if rules.allowed.len() + rules.allowed_by_name.len() == before {
                let problem = "the world does not allow exactly this pair, so there is nothing to take back";
                return Err(CompileFault::CannotEdit { name: format!("{a}` - `{b}"), problem });
            }
        }
    }
    Ok(())
}
