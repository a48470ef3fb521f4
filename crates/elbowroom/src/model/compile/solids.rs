//! Bodies and their shapes.

use super::faults::FaultList;
use crate::bounds::{Ball, ball_around};
use crate::model::describe::{PlacedShape, WorldDescription};
use crate::model::fault::CompileFault;
use crate::model::id::{BodyId, RobotId};
use crate::model::solids::{Body, BodyShape, Placed, Placement, Solids};
use crate::numeric::math::Transform;
use crate::numeric::tolerance::NORM_ROUNDING;
use crate::shape::compile::{self, ShapeFault};
use crate::shape::solid::Shape;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::{IntoIter, Vec};
use core::ops::Range;

/// The bodies of a description, and the links of each robot among them.
pub(super) fn solids(d: &WorldDescription, faults: &mut FaultList) -> (Solids, Vec<Range<u32>>) {
    let shapes = d.robots.iter().flat_map(|r| &r.robot.links).map(|l| l.shapes.len());
    let shapes = shapes.chain(d.obstacles.iter().map(|o| o.shapes.len()));
    let (bodies, shapes) = shapes.fold((0, 0), |(bodies, sum), n| (bodies + 1, sum + n));
    let mut described = Vec::with_capacity(shapes);
    let links = d.robots.iter().flat_map(|r| &r.robot.links).flat_map(|l| &l.shapes);
    described.extend(links.map(|s| (&s.shape, padding(s, d.padding))));
    described.extend(d.obstacles.iter().flat_map(|o| &o.shapes).map(|s| (&s.shape, padding(s, 0.0))));
    let compiled = compile::shapes(&described).into_iter();
    let (bodies, shapes) = (Vec::with_capacity(bodies), Vec::with_capacity(shapes));
    let mut maker = Maker { bodies, shapes, balls: Vec::new(), compiled, faults };
    let mut links = Vec::with_capacity(d.robots.len());
    for (index, placed) in d.robots.iter().enumerate() {
        let name = &placed.name;
        maker.check_robot_name(name);
        maker.faults.transform(&placed.base_in_world, || format!("robot `{name}`"));
        let first = maker.bodies.len() as u32;
        if placed.robot.links.is_empty() {
            maker.faults.push(CompileFault::NoLinks { robot: name.clone() });
        }
        for link in &placed.robot.links {
            let full = format!("{name}/{}", link.name);
            maker.body(full, Some(RobotId(index as u32)), &link.shapes);
        }
        links.push(first..maker.bodies.len() as u32);
    }
    for obstacle in &d.obstacles {
        let full = ["world/", &obstacle.name].concat();
        maker.faults.transform(&obstacle.pose, || format!("obstacle `{}`", obstacle.name));
        maker.body(full, None, &obstacle.shapes);
    }
    let Maker { bodies, shapes, mut balls, .. } = maker;
    balls.shrink_to_fit();
    (Solids { bodies, shapes, balls }, links)
}

/// The padding of a shape where `extra` is added. Each padding must be valid by itself: a negative one must
/// not reduce the other.
fn padding(placed: &PlacedShape, extra: f64) -> f64 {
    if placed.padding >= 0.0 { placed.padding + extra.max(0.0) } else { placed.padding }
}

/// Bodies and shapes so far, and the compiled shapes that are still to be placed.
struct Maker<'f> {
    bodies: Vec<Body>,
    shapes: Vec<BodyShape>,
    balls: Vec<(BodyId, Ball)>,
    compiled: IntoIter<Result<Shape, ShapeFault>>,
    faults: &'f mut FaultList,
}

impl Maker<'_> {
    fn check_robot_name(&mut self, name: &str) {
        let problem = match name {
            "" => "is empty: give it one",
            "world" | "*" => "has a meaning of its own: choose another",
            _ if name.contains('/') => "contains `/`, which separates a robot from its links: choose another",
            _ => return,
        };
        self.faults.push(CompileFault::BadName { kind: "robot", name: name.into(), problem });
    }

    fn body(&mut self, name: String, robot: Option<RobotId>, shapes: &[PlacedShape]) {
        let id = BodyId(self.bodies.len() as u32);
        if name.ends_with('/') {
            let problem = "is empty after the `/`: give the body a name";
            self.faults.push(CompileFault::BadName { kind: "body", name: name.clone(), problem });
        }
        let first = self.shapes.len();
        let compiled = self.compiled.by_ref().take(shapes.len());
        for (index, (placed, compiled)) in shapes.iter().zip(compiled).enumerate() {
            let shape_name =
                || if placed.name.is_empty() { (index + 1).to_string() } else { placed.name.clone() };
            let of = || format!("shape `{}` of body `{name}`", shape_name());
            let defect = self.faults.transform(&placed.shape_in_body, of);
            match compiled {
                Err(fault) => {
                    let shape = shape_name();
                    self.faults.push(CompileFault::Shape { body: name.clone(), shape, fault });
                }
                Ok(shape) => {
                    let at = &placed.shape_in_body;
                    let size = (shape.center.norm() + shape.bounding_radius) * (1.0 + NORM_ROUNDING);
                    let placement = || {
                        let arm = at.translation.norm() * (1.0 + NORM_ROUNDING);
                        let ball = Placement::ball(&shape, at, defect);
                        Placement { shape_in_body: *at, defect, arm, ball }
                    };
                    let placement = (*at != Transform::IDENTITY).then(placement);
                    let name = (!placed.name.is_empty()).then(|| placed.name.as_str().into());
                    let is_placed = name.is_some() || placement.is_some();
                    let placed = is_placed.then(|| Box::new(Placed { name, placement }));
                    self.shapes.push(BodyShape { body: id, shape, size, placed });
                }
            }
        }
        let own = &self.shapes[first..];
        if own.len() > 1 || (robot.is_some() && own.len() == 1) {
            let balls: Vec<Ball> = own.iter().map(BodyShape::ball).collect();
            self.balls.extend(ball_around(&balls).map(|ball| (id, ball)));
        }
        self.bodies.push(Body { name: name.into(), robot, shapes: first as u32..self.shapes.len() as u32 });
    }
}
