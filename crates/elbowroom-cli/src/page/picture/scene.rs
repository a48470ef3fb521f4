//! The contents of a picture: the two bodies, the robots they belong to, and everything near them.

use super::creases::{Crease, creases};
use super::surface::{Detail, Triangle, count, surface};
use crate::limits::{PICTURE_SHAPES, PICTURE_TRIANGLES};
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom::pair::Shape;
use elbowroom::pair::shape::Core;
use elbowroom::pose::SpareShape;
use elbowroom::world::BodyId;
use elbowroom::{Checker, World};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How shapes are drawn if there are many.
const COARSE: Detail = Detail { round: 16, hulls: true };

/// The role of a body in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The pair's first body.
    First,
    /// Its second.
    Second,
    /// Another link.
    Link,
    /// Another obstacle.
    Obstacle,
}

impl Role {
    /// The role of an obstacle.
    pub fn from_pair(body: BodyId, pair: Option<[BodyId; 2]>) -> Role {
        match pair {
            Some([first, _]) if first == body => Role::First,
            Some([_, second]) if second == body => Role::Second,
            _ => Role::Obstacle,
        }
    }

    /// Whether it is one of the two bodies that the picture is about.
    pub fn is_of_pair(self) -> bool {
        matches!(self, Role::First | Role::Second)
    }
}

/// A fixed body is drawn as glass if it is larger than this part of all that moves: it would hide the robot,
/// or be most of the picture.
const GLASS: f64 = 0.4;

/// A body is shown whole if it lies within so many times the size of all that moves; of a floor or a room the
/// picture shows a part.
const WHOLE: f64 = 2.6;

/// The colours of the pair reach so far around the contact: this part of the size of the smaller body.
const ZONE: f64 = 1.4;

/// ... and at least this part of the size of all that moves.
const ZONE_LEAST: f64 = 0.12;

/// A body with the shapes of it that are drawn.
pub struct Part<'w> {
    /// Its role.
    pub role: Role,
    /// Whether the whole of it is in the picture. The rest is drawn as far as the picture's round edge.
    pub framed: bool,
    /// Whether it is a large body of the cell, which is seen through.
    pub glass: bool,
    /// The shapes and where they are in the world.
    pub shapes: Vec<(&'w Shape, Transform)>,
}

/// Everything that is drawn at a moment.
pub struct Scene<'w> {
    /// The bodies.
    pub parts: Vec<Part<'w>>,
    /// Shapes that are near enough to be drawn, and are not because there are too many.
    pub left_out: usize,
    /// The size of the smaller body of the pair: the radius of a ball around it (metres).
    pub smaller: f64,
    /// Points of clouds farther from this than so many metres are not drawn, as obstacles are not.
    pub around: (Vec3, f64),
    /// Where the pair is coloured: around its nearest points, within so many metres. Everywhere where there
    /// are none.
    pub zone: Option<(Vec3, f64)>,
}

/// A ball in the world.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    center: Vec3,
    radius: f64,
}

impl Round {
    /// A ball around all that moves and the robots' bases, at the pose of a checker; `None` where nothing
    /// moves that has a shape.
    pub fn around_movers(checker: &Checker<'_>) -> Option<Round> {
        let world = checker.world();
        let movers =
            (0..world.bodies().len() as u32).map(BodyId).filter(|id| world.can_move(*id) == Some(true));
        let shapes = movers.flat_map(|id| world.bodies()[id.index()].shapes.clone().map(move |s| (id, s)));
        let balls = shapes.filter_map(|(id, s)| {
            let shape = &world.shapes()[s as usize];
            let at = checker.body_in_world(id)? * shape.shape_in_body();
            Some(Round { center: at.point(shape.shape.center()), radius: shape.shape.bounding_radius() })
        });
        let mut balls: Vec<Round> = balls.collect();
        if !balls.is_empty() {
            let bases = world.robots().iter().map(|robot| robot.base_in_world.translation);
            balls.extend(bases.map(|center| Round { center, radius: 0.0 }));
        }
        Round::enclose_balls(&balls)
    }

    /// A ball that contains all of them; `None` if there are none.
    pub fn enclose_balls(balls: &[Round]) -> Option<Round> {
        let low = balls.iter().map(|b| b.center - vec3(b.radius, b.radius, b.radius)).reduce(Vec3::min)?;
        let high = balls.iter().map(|b| b.center + vec3(b.radius, b.radius, b.radius)).reduce(Vec3::max)?;
        let center = (low + high) * 0.5;
        let radius = balls.iter().map(|b| (b.center - center).norm() + b.radius).fold(0.0, f64::max);
        Some(Round { center, radius })
    }
    fn gap(&self, other: &Round) -> f64 {
        (self.center - other.center).norm() - self.radius - other.radius
    }
}

/// The shapes of a world by number, and behind them those that fill its spare places.
struct Shapes<'c> {
    world: &'c World,
    spares: Vec<(BodyId, &'c SpareShape)>,
}

impl<'c> Shapes<'c> {
    fn from_checker(checker: &'c Checker<'_>) -> Shapes<'c> {
        let world = checker.world();
        let bodies = (0..world.bodies().len() as u32).map(BodyId);
        let spares = bodies.filter_map(|body| Some((body, checker.inserted_obstacle(body)?))).collect();
        Shapes { world, spares }
    }

    fn len(&self) -> usize {
        self.world.shapes().len() + self.spares.len()
    }

    /// A shape, its body, and where it is on the body.
    fn get(&self, index: usize) -> (&'c Shape, BodyId, Transform) {
        match index.checked_sub(self.world.shapes().len()) {
            None => {
                let shape = &self.world.shapes()[index];
                (&shape.shape, shape.body, shape.shape_in_body())
            }
            Some(spare) => {
                let (body, shape) = self.spares[spare];
                (shape.shape(), body, shape.shape_in_body())
            }
        }
    }

    /// The numbers of a body's shapes.
    fn of_body(&self, body: usize) -> Range<usize> {
        match self.spares.iter().position(|(spare, _)| spare.index() == body) {
            Some(spare) => self.world.shapes().len() + spare..self.world.shapes().len() + spare + 1,
            None => {
                let own = &self.world.bodies()[body].shapes;
                own.start as usize..own.end as usize
            }
        }
    }
}

impl<'w> Scene<'w> {
    /// Collects the bodies, without hidden ones. `focus` is where the two bodies are nearest, if that is
    /// known; `reach` holds what moves, at all moments that are drawn, so that these show the same of the
    /// cell. `None` if there is nothing to see.
    pub fn collect_bodies(
        checker: &'w Checker<'_>,
        hidden: &BTreeSet<BodyId>,
        pair: Option<[BodyId; 2]>,
        focus: Option<Vec3>,
        reach: Option<Round>,
    ) -> Option<Scene<'w>> {
        let (world, all) = (checker.world(), Shapes::from_checker(checker));
        let placed = |index: usize| {
            let (shape, body, on_body) = all.get(index);
            if hidden.contains(&body) {
                return None;
            }
            let at = checker.body_in_world(body)? * on_body;
            Some((at, Round { center: at.point(shape.center()), radius: shape.bounding_radius() }))
        };
        let balls_of = |bodies: &[usize]| -> Vec<Round> {
            let shapes = bodies.iter().flat_map(|&b| all.of_body(b));
            shapes.filter_map(|s| Some(placed(s)?.1)).collect()
        };
        let of_pair: Vec<usize> = pair.iter().flatten().map(|id| id.index()).collect();
        // The last carrier of a body, directly or through others; the body itself if nothing carries it.
        let above = |body: BodyId| std::iter::successors(Some(body), |at| checker.carrier(*at)).last();
        let carriers = pair.into_iter().flatten().filter_map(above);
        let pair_robots: Vec<_> = carriers.filter_map(|body| world.bodies()[body.index()].robot).collect();
        // The robots of the pair, or all robots if the pair has none.
        let robots = world
            .robots()
            .iter()
            .enumerate()
            .filter(|(i, _)| pair_robots.is_empty() || pair_robots.iter().any(|id| id.index() == *i));
        let mut links: Vec<usize> = robots.flat_map(|(_, r)| r.links.clone()).map(|l| l as usize).collect();
        // The bodies that they carry belong to them.
        let is_link = |body: &BodyId| links.binary_search(&body.index()).is_ok();
        let bodies = (0..world.bodies().len() as u32).map(BodyId);
        let carried = bodies.filter(|body| !is_link(body) && above(*body).is_some_and(|at| is_link(&at)));
        let carried: Vec<usize> = carried.map(|body| body.index()).collect();
        links.extend(carried);
        let subjects = if of_pair.is_empty() || !pair_robots.is_empty() { &links } else { &of_pair };
        // What moves is the subject, and not the table that a robot's description begins with.
        let moves =
            |body: usize| above(BodyId(body as u32)).is_some_and(|at| world.can_move(at) == Some(true));
        let movers: Vec<usize> = subjects.iter().copied().filter(|body| moves(*body)).collect();
        let subject = Round::enclose_balls(&balls_of(&movers))
            .or_else(|| Round::enclose_balls(&balls_of(subjects)))
            .or_else(|| Round::enclose_balls(&balls_of(&of_pair)))?;
        let reach = reach.filter(|_| !movers.is_empty()).unwrap_or(subject);
        let ball = |body: usize| Round::enclose_balls(&balls_of(&[body]));
        let is_glass = |body: usize| {
            !movers.is_empty() && !moves(body) && ball(body).is_some_and(|b| b.radius > GLASS * reach.radius)
        };
        let is_whole = |body: usize| {
            let far = |b: Round| (b.center - reach.center).norm() + b.radius;
            ball(body).is_some_and(|b| far(b) <= WHOLE * reach.radius)
        };

        let middle = focus.unwrap_or(subject.center);
        // The shapes of what moves come first. Then comes the pair, which may be a whole room, and then
        // everything else.
        let mut near: Vec<(u8, f64, usize)> = Vec::new();
        for index in 0..all.len() {
            let Some((_, ball)) = placed(index) else { continue };
            let body = all.get(index).1.index();
            let rank = match (subjects.contains(&body), of_pair.contains(&body)) {
                (true, _) => 0,
                (false, true) => 1,
                (false, false) => 2,
            };
            if rank < 2 || ball.gap(&reach) <= 0.0 {
                near.push((rank, ball.gap(&Round { center: middle, radius: 0.0 }), index));
            }
        }
        near.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        // Shapes are taken until their triangles, if all are drawn coarsely, are too many.
        let mut triangles = 0;
        let drawn = near.iter().take(PICTURE_SHAPES).take_while(|(_, _, index)| {
            triangles += count(all.get(*index).0, COARSE);
            triangles <= PICTURE_TRIANGLES / 2
        });
        let drawn = drawn.count().max(1);
        let left_out = near.len().saturating_sub(drawn);
        near.truncate(drawn);

        let mut bodies: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (_, _, index) in near {
            bodies.entry(all.get(index).1.index()).or_default().push(index);
        }
        let part = |(body, mut shapes): (usize, Vec<usize>)| {
            shapes.sort_unstable();
            let role = match Role::from_pair(BodyId(body as u32), pair) {
                Role::Obstacle if world.bodies()[body].robot.is_some() => Role::Link,
                role => role,
            };
            let shapes = shapes.into_iter().filter_map(|i| Some((all.get(i).0, placed(i)?.0))).collect();
            Part { role, framed: is_whole(body), glass: is_glass(body), shapes }
        };
        let sizes = of_pair.iter().filter_map(|b| Some(ball(*b)?.radius));
        let smaller = sizes.fold(subject.radius, f64::min);
        let around = (reach.center, reach.radius.max(2.0 * (middle - reach.center).norm()));
        let zone = focus.map(|focus| (focus, (ZONE * smaller).max(ZONE_LEAST * reach.radius)));
        Some(Scene { parts: bodies.into_iter().map(part).collect(), left_out, smaller, around, zone })
    }

    /// How finely each part is drawn, so that there are no more than `most` triangles. Meshes other than the
    /// pair's are the first to be drawn as their hulls.
    pub fn details(&self, fine: Detail, most: usize) -> Vec<Detail> {
        let coarse = Detail { round: fine.round.min(COARSE.round), ..COARSE };
        let others = Detail { round: coarse.round, ..fine };
        let choices = [[fine, others], [fine, coarse], [coarse, coarse]];
        let detail = |part: &Part<'_>, [pair, other]: [Detail; 2]| {
            if part.role.is_of_pair() { pair } else { other }
        };
        let triangles = |choice: [Detail; 2]| -> usize {
            let of = |part: &Part<'_>| -> usize {
                part.shapes.iter().map(|(s, _)| count(s, detail(part, choice))).sum()
            };
            self.parts.iter().map(of).sum()
        };
        let choice = choices.into_iter().find(|c| triangles(*c) <= most).unwrap_or([coarse, coarse]);
        self.parts.iter().map(|part| detail(part, choice)).collect()
    }

    /// The triangles of each part in the world; none of parts that `wanted` does not want.
    pub fn triangles(&self, details: &[Detail], wanted: impl Fn(Role) -> bool) -> Vec<Vec<Triangle>> {
        let of = |(part, detail): (&Part<'_>, &Detail)| -> Vec<Triangle> {
            if !wanted(part.role) {
                return Vec::new();
            }
            let shapes = part.shapes.iter();
            let of_shape = |(shape, at): &(&Shape, Transform)| {
                let at = *at;
                surface(shape, *detail).into_iter().map(move |t| t.map(|p| at.point(p)))
            };
            shapes.flat_map(of_shape).collect()
        };
        self.parts.iter().zip(details).map(of).collect()
    }

    /// The edges of the bodies that are drawn as glass.
    pub fn creases(&self, triangles: &[Vec<Triangle>], round: bool) -> Vec<Crease> {
        let glass = self.parts.iter().zip(triangles).filter(|(part, _)| part.glass);
        creases(glass.map(|(part, triangles)| (&triangles[..], round || !part.framed)))
    }

    /// Whether a mesh is drawn as its hull.
    pub fn has_hulls(&self, details: &[Detail]) -> bool {
        let mut parts = self.parts.iter().zip(details).filter(|(_, detail)| detail.hulls);
        parts.any(|(part, _)| part.shapes.iter().any(|(s, _)| s.mesh().is_some()))
    }

    /// Whether something with corners is drawn with padding.
    pub fn has_padding(&self) -> bool {
        let sharp = |s: &Shape| !matches!(s.core(), Core::Point | Core::Segment { .. });
        self.parts.iter().flat_map(|p| &p.shapes).any(|(s, _)| s.radius() > 0.0 && sharp(s))
    }
}
