//! Pads: which shape of its link each draws back, and the world that is left.

use super::faults::{FaultList, find_duplicates};
use super::fingerprint;
use super::solids::{own_ball, total_padding};
use super::whole::{WorldParts, complete_world};
use crate::model::id::BodyId;
use crate::model::pads::Pad;
use crate::model::solids::BodyShape;
use crate::model::world::{Pads, World};
use crate::model::world_before::WorldBefore;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use elbowroom_describe::fault::{CompileFault, Faults, PadFault};
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_describe::{LinkDescription, PadDescription, PlacedShape, ShapeDescription, WorldDescription};
use elbowroom_pair::shape::drawn_back::{SoftPart, check_numbers, draw_back};
use elbowroom_pair::shape::solid::Shape;
use elbowroom_pair::shape::tolerance::PAD_SLACK;
use elbowroom_pair::{Ask, Query, Scratch, Warm, posed};

/// The shapes that pads draw back, each with the numbers of its pads.
type PaddedShapes = Vec<(usize, Vec<usize>)>;

/// What is left of a shape.
struct DrawnShape {
    /// The number of the shape.
    number: usize,
    shape: BodyShape,
    /// Its radius without padding (metres).
    own_radius: f64,
}

/// The world with its pads and the drawn-back world, or every fault of the pads.
pub(super) fn add_pads(d: &WorldDescription, world: World) -> Result<World, Faults> {
    if d.pads.is_empty() {
        return Ok(world);
    }
    let mut faults = FaultList::default();
    let mut names: Vec<&str> = d.pads.iter().map(|pad| pad.name.as_str()).collect();
    faults.extend(find_duplicates(&mut names, "pad"));
    let mut list: Vec<Pad> = d.pads.iter().filter_map(|pad| find_pad(pad, &world, &mut faults)).collect();
    if !faults.0.is_empty() {
        return Err(Faults(faults.0));
    }
    let shapes = find_shapes(&list, &world, &mut faults);
    for (shape, pads) in &shapes {
        pads.iter().for_each(|pad| list[*pad].shape = *shape);
    }
    let drawn = draw_shapes(d, &list, &world, &shapes, &mut faults);
    if !faults.0.is_empty() {
        return Err(Faults(faults.0));
    }
    let drawn_back = drawn_world(&world, &list, drawn).map_err(|fault| Faults(alloc::vec![fault]))?;
    let whole = with_pads(world, Pads { list, drawn_back });
    // It is a world of its own, whose edits are edits of no other.
    Ok(World { lineage: whole.fingerprint, ..whole })
}

/// A world with pads; its fingerprint has theirs.
pub(crate) fn with_pads(world: World, pads: Pads) -> World {
    let fingerprint = fingerprint::hash_pads(world.fingerprint, pads.drawn_back.fingerprint);
    World { fingerprint, pads: Some(Arc::new(pads)), ..world }
}

fn pad_fault(pad: &Pad, world: &World, fault: PadFault) -> CompileFault {
    let link = world.solids.bodies[pad.body.index()].name.to_string();
    CompileFault::Pad { pad: pad.name.clone(), link, fault }
}

/// The pad of a description, whose numbers and names are good.
fn find_pad(d: &PadDescription, world: &World, faults: &mut FaultList) -> Option<Pad> {
    let before = faults.0.len();
    if d.name.is_empty() {
        let problem = "is empty: give the pad a name";
        faults.push(CompileFault::BadName { kind: "pad", name: String::new(), problem });
    }
    faults.check_transform(&d.region_in_link, || format!("the region of pad `{}`", d.name));
    let half = Vec3::from(d.size) * 0.5;
    let part = SoftPart { region_in_shape: d.region_in_link, half, depth: d.depth };
    if let Err(fault) = check_numbers(&part) {
        faults.push(CompileFault::Pad { pad: d.name.clone(), link: d.link.clone(), fault });
    }
    let is_link = |body: &BodyId| world.solids.bodies[body.index()].robot.is_some();
    let Some(body) = world.solids.find_body(&d.link).filter(is_link) else {
        let (by, name) = (format!("pad `{}`", d.name), d.link.clone());
        faults.push(CompileFault::UnknownName { by, wanted: "link (robot/link)", name });
        return None;
    };
    let region_in_body = d.region_in_link;
    (faults.0.len() == before).then(|| Pad {
        name: d.name.clone(),
        body,
        depth: d.depth,
        region_in_body,
        half,
        shape: usize::MAX,
    })
}

/// The shape that each pad draws back, or why there is none.
fn find_shapes(list: &[Pad], world: &World, faults: &mut FaultList) -> PaddedShapes {
    let mut found: PaddedShapes = Vec::new();
    for (number, pad) in list.iter().enumerate() {
        let overlapped = list[..number].iter().filter(|other| other.body == pad.body).find(|other| {
            let [(a, a_at), (b, b_at)] = [pad, *other].map(|pad| (region_shape(pad), &pad.region_in_body));
            !(a.zip(b)).is_some_and(|(a, b)| are_apart([&a, &b], [a_at, b_at]))
        });
        if let Some(other) = overlapped {
            faults.push(pad_fault(pad, world, PadFault::Overlaps { other: other.name.clone() }));
            continue;
        }
        match shape_under(pad, world) {
            Ok(shape) => match found.iter_mut().find(|(of, _)| *of == shape) {
                Some((_, pads)) => pads.push(number),
                None => found.push((shape, alloc::vec![number])),
            },
            Err(fault) => faults.push(pad_fault(pad, world, fault)),
        }
    }
    found
}

/// The one shape of its link that a pad's region meets.
fn shape_under(pad: &Pad, world: &World) -> Result<usize, PadFault> {
    let shapes = world.solids.bodies[pad.body.index()].shapes.clone();
    let shapes = shapes.start as usize..shapes.end as usize;
    let region = region_shape(pad).ok_or(PadFault::NothingThere)?;
    let meets = |number: &usize| {
        let of_body = &world.solids.shapes[*number];
        let bare = of_body.shape.with_radius(world.solids.own_radii[*number]);
        !are_apart([&region, &bare], [&pad.region_in_body, &of_body.shape_in_body()])
    };
    let met: Vec<usize> = shapes.clone().filter(meets).collect();
    match met[..] {
        [shape] => Ok(shape),
        [] if shapes.is_empty() => Err(PadFault::NoShape),
        [] => Err(PadFault::NothingThere),
        _ => {
            let name = |number: &usize| {
                let own = world.solids.shapes[*number].name().map(String::from);
                own.unwrap_or_else(|| (number - shapes.start + 1).to_string())
            };
            Err(PadFault::SeveralShapes { shapes: met.iter().map(name).collect() })
        }
    }
}

/// The region of a pad as a solid.
fn region_shape(pad: &Pad) -> Option<Shape> {
    Shape::new(&ShapeDescription::Box { size: (pad.half * 2.0).to_array() }, 0.0).ok()
}

/// Whether two shapes are proved to be apart.
fn are_apart(shapes: [&Shape; 2], at: [&Transform; 2]) -> bool {
    let depth = shapes[0].mesh_depth().max(shapes[1].mesh_depth());
    let query = Query { ask: Ask::Test, cutoff: 0.0, ..Query::default() };
    let asked = posed::clearance(shapes, at, &query, &mut Warm::default(), &mut Scratch::new(depth));
    asked.is_ok_and(|clearance| clearance.interval.lower > 0.0)
}

/// Draws the shapes back, each with all its pads.
fn draw_shapes(
    d: &WorldDescription,
    list: &[Pad],
    world: &World,
    shapes: &PaddedShapes,
    faults: &mut FaultList,
) -> Vec<DrawnShape> {
    let mut drawn = Vec::new();
    for (number, pads) in shapes {
        let of_body = &world.solids.shapes[*number];
        let Some(described) = described_shape(d, world, *number) else { continue };
        let parts: Vec<SoftPart> = pads
            .iter()
            .map(|pad| &list[*pad])
            .map(|pad| SoftPart {
                region_in_shape: described.shape_in_body.relative(&pad.region_in_body),
                half: pad.half,
                depth: pad.depth,
            })
            .collect();
        let padding = total_padding(described, d.padding) + PAD_SLACK;
        let made = draw_back(&described.shape, &parts).and_then(|left| {
            let at = described.shape_in_body;
            let at = Transform::new(at.rotation, at.point(left.offset));
            let placed = PlacedShape {
                name: described.name.clone(),
                shape_in_body: at,
                shape: left.shape,
                padding: described.padding,
            };
            // What is left of a solid is one.
            let crossing = || (0, PadFault::Crossing { at: at.translation.to_array() });
            let shape = Shape::new(&placed.shape, padding).map_err(|_| crossing())?;
            if !shape.has_inside() {
                return Err(crossing());
            }
            let own_radius = placed.shape.own_radius() + PAD_SLACK;
            let shape = BodyShape::placed_in_box(of_body.body, &placed, shape, of_body.rotation_defect());
            Ok(DrawnShape { number: *number, shape, own_radius })
        });
        match made {
            Ok(shape) => drawn.push(shape),
            Err((part, fault)) => faults.push(pad_fault(&list[pads[part]], world, fault)),
        }
    }
    drawn
}

/// A shape of a link as it is described.
fn described_shape<'d>(d: &'d WorldDescription, world: &World, number: usize) -> Option<&'d PlacedShape> {
    let body = world.solids.shapes[number].body;
    let of_body = &world.solids.bodies[body.index()];
    let robot = of_body.robot?.index();
    let first = world.kinematics.robots[robot].links.start;
    let link: &LinkDescription = d.robots[robot].robot.links.get((body.0 - first) as usize)?;
    link.shapes.get(number - of_body.shapes.start as usize)
}

/// The world with these shapes in the place of the declared ones.
fn drawn_world(world: &World, list: &[Pad], drawn: Vec<DrawnShape>) -> Result<World, CompileFault> {
    let mut solids = world.solids.clone();
    for DrawnShape { number, shape, own_radius } in drawn {
        solids.own_radii[number] = own_radius;
        solids.shapes.base_mut()[number] = shape;
    }
    for pad in list {
        let of_body = &solids.bodies[pad.body.index()];
        let own = of_body.shapes.start as usize..of_body.shapes.end as usize;
        let ball = own_ball(solids.shapes.slice_range(own), of_body.robot);
        for (_, known) in solids.balls.base_mut().iter_mut().filter(|(id, _)| *id == pad.body) {
            *known = ball.unwrap_or(*known);
        }
    }
    solids.mesh_depth = solids.shapes.iter().map(|s| s.shape.mesh_depth()).max().unwrap_or(0);
    let parts = WorldParts {
        solids,
        kinematics: world.kinematics.clone(),
        rules: world.checks.rules.clone(),
        selections: world.checks.selections.clone(),
        asked: world.checks.asked.clone(),
        carriers: world.movables.carriers.clone(),
        spares: world.movables.spares.clone(),
        clouds: world.movables.clouds.clone(),
        margin: world.margin,
    };
    let before = WorldBefore::new(world, list.iter().map(|pad| pad.body).collect());
    complete_world(parts, world.checks.pairs.clone(), Some(&before), None)
}
