//! Bodies and their shapes.

use super::faults::FaultList;
use crate::bounds::{Ball, ball_around};
use crate::model::body::Body;
use crate::model::by_name::ByName;
use crate::model::id::{BodyId, RobotId};
use crate::model::name::Name;
use crate::model::solids::{BodyShape, Solids};
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::Range;
use elbowroom_describe::fault::CompileFault;
use elbowroom_describe::{LinkDescription, PlacedShape, WorldDescription};
use elbowroom_pair::shape::compile::{self, Preparation, ShapeFault};
use elbowroom_pair::shape::equal::Repeats;
use elbowroom_pair::shape::solid::Shape;

/// The bodies of a description, and the links of each robot among them.
pub(super) fn compile_solids(
    d: &WorldDescription,
    preparation: Preparation,
    faults: &mut FaultList,
) -> (Solids, Vec<Range<u32>>) {
    let shapes = links_of(d).map(|l| l.shapes.len());
    let shapes = shapes.chain(d.obstacles.iter().map(|o| o.shapes.len()));
    let (bodies, shapes) = shapes.fold((0, 0), |(bodies, sum), n| (bodies + 1, sum + n));
    let mut described = Vec::with_capacity(shapes);
    described.extend(links_of(d).flat_map(|l| &l.shapes).map(|s| (&s.shape, total_padding(s, d.padding))));
    described.extend(d.obstacles.iter().flat_map(|o| &o.shapes).map(|s| (&s.shape, total_padding(s, 0.0))));
    let repeats = Repeats::new(&described);
    let distinct = repeats.distinct_descriptions(&described);
    let compiled = repeats.repeat_results(compile::compile_shapes(&distinct, preparation));
    let (bodies, shapes) = (Vec::with_capacity(bodies), Vec::with_capacity(shapes));
    let mut maker = Maker { bodies, shapes, balls: Vec::new(), compiled, faults };
    let mut links = Vec::with_capacity(d.robots.len());
    for (index, placed) in d.robots.iter().enumerate() {
        let name = &placed.name;
        maker.check_robot_name(name);
        maker.faults.check_transform(&placed.base_in_world, || format!("robot `{name}`"));
        let first = maker.bodies.len() as u32;
        if placed.robot.links.is_empty() {
            maker.faults.push(CompileFault::NoLinks { robot: name.clone() });
        }
        for link in &placed.robot.links {
            let full = Name::from_parts(&format!("{name}/"), &link.name);
            maker.add_body(full, Some(RobotId(index as u32)), &link.shapes);
        }
        links.push(first..maker.bodies.len() as u32);
    }
    for obstacle in &d.obstacles {
        let full = Name::from_parts("world/", &obstacle.name);
        maker.faults.check_transform(&obstacle.pose, || format!("obstacle `{}`", obstacle.name));
        maker.add_body(full, None, &obstacle.shapes);
    }
    let Maker { bodies, shapes, mut balls, .. } = maker;
    balls.shrink_to_fit();
    let mesh_depth = shapes.iter().map(|s| s.shape.mesh_depth()).max().unwrap_or(0);
    let bodies = bodies.into();
    let by_name = ByName::new(&bodies);
    let own_radii = links_of(d).flat_map(|l| &l.shapes).map(|s| s.shape.own_radius()).collect();
    let (shapes, balls) = (shapes.into(), balls.into());
    (
        Solids {
            bodies,
            shapes,
            balls,
            by_name,
            removed: Vec::new(),
            removed_before: 0,
            mesh_depth,
            own_radii,
        },
        links,
    )
}

fn links_of(d: &WorldDescription) -> impl Iterator<Item = &LinkDescription> {
    d.robots.iter().flat_map(|r| &r.robot.links)
}

/// The padding of a shape where `extra` is added. Each padding must be valid by itself: a negative one must
/// not reduce the other.
pub(super) fn total_padding(placed: &PlacedShape, extra: f64) -> f64 {
    if placed.padding >= 0.0 { placed.padding + extra.max(0.0) } else { placed.padding }
}

/// Bodies and shapes so far, and the compiled shapes that are still to be placed.
struct Maker<'f, C> {
    bodies: Vec<Body>,
    shapes: Vec<BodyShape>,
    balls: Vec<(BodyId, Ball)>,
    compiled: C,
    faults: &'f mut FaultList,
}

impl<C: Iterator<Item = Result<Shape, ShapeFault>>> Maker<'_, C> {
    fn check_robot_name(&mut self, name: &str) {
        let problem = match name {
            "" => "is empty: give it one",
            "world" | "*" => "has a meaning of its own: choose another",
            _ if name.contains('/') => "contains `/`, which separates a robot from its links: choose another",
            _ => return,
        };
        self.faults.push(CompileFault::BadName { kind: "robot", name: name.into(), problem });
    }

    fn add_body(&mut self, name: Name, robot: Option<RobotId>, shapes: &[PlacedShape]) {
        let id = BodyId(self.bodies.len() as u32);
        if name.ends_with('/') {
            let problem = "is empty after the `/`: give the body a name";
            self.faults.push(CompileFault::BadName { kind: "body", name: (*name).into(), problem });
        }
        let first = self.shapes.len();
        let Maker { shapes: all, compiled, faults, .. } = self;
        placed_shapes(id, &name, robot.is_some(), shapes, compiled, faults, |shape| all.push(shape));
        self.balls.extend(own_ball(&self.shapes[first..], robot).map(|ball| (id, ball)));
        self.bodies.push(Body { name, robot, shapes: first as u32..self.shapes.len() as u32 });
    }
}

/// Gives `take` the shapes of a body, in order. `compiled` has what their descriptions were compiled to, and
/// may have more. Those of links have a box each, and so have obstacles of several shapes: of the many
/// obstacles of one shape, which the box around their body serves, none needs the memory.
pub(crate) fn placed_shapes(
    id: BodyId,
    name: &str,
    is_link: bool,
    shapes: &[PlacedShape],
    compiled: &mut impl Iterator<Item = Result<Shape, ShapeFault>>,
    faults: &mut FaultList,
    mut take: impl FnMut(BodyShape),
) {
    let place = if is_link || shapes.len() > 1 { BodyShape::placed_in_box } else { BodyShape::placed_as };
    for (index, (placed, compiled)) in shapes.iter().zip(compiled).enumerate() {
        let shape_name =
            || if placed.name.is_empty() { (index + 1).to_string() } else { placed.name.clone() };
        let defect = faults
            .check_transform(&placed.shape_in_body, || format!("shape `{}` of body `{name}`", shape_name()));
        match compiled {
            Err(fault) => {
                faults.push(CompileFault::Shape { body: name.into(), shape: shape_name(), fault });
            }
            Ok(shape) => take(place(id, placed, shape, defect)),
        }
    }
}

/// A ball around the shapes of a body, in its frame; `None` where that of the first shape serves.
pub(crate) fn own_ball(own: &[BodyShape], robot: Option<RobotId>) -> Option<Ball> {
    if own.len() < 2 && robot.is_none() {
        return None;
    }
    let balls: Vec<Ball> = own.iter().map(BodyShape::ball).collect();
    ball_around(&balls)
}
