//! Random bodies in an octree and beside it, and every answer about them twice.

use super::support::rng::Rng;
use elbowroom::bounds::{AlignedBox, Ball};
use elbowroom::math::{Vec3, vec3};
use elbowroom_lab::primitives::box_gap;
use elbowroom_lab::tran91::{BodyExtent, Compatibility, Octree, Rule, Work};
use std::collections::BTreeMap;

/// Classes of the compatibility rule: fixed, moving, two links that are compatible.
pub const KINDS: usize = 4;
/// The root's edge (metres).
pub const EDGE: f64 = 4.0;

pub fn room() -> AlignedBox {
    AlignedBox { low: vec3(-1.0, -2.0, 0.3), high: vec3(3.0, 1.0, 1.0) }
}

pub fn compatibility() -> Compatibility {
    let mut table = Compatibility::none_compatible(KINDS).unwrap();
    table.make_compatible(0, 0);
    table.make_compatible(2, 3);
    table
}

pub fn around(p: Vec3, half: Vec3) -> AlignedBox {
    AlignedBox { low: p - half, high: p + half }
}

fn empty(b: &AlignedBox) -> bool {
    (0..3).any(|k| b.low[k] > b.high[k])
}

/// Whether two boxes share a point; an empty one shares none.
fn meet(a: &AlignedBox, b: &AlignedBox) -> bool {
    !empty(a) && !empty(b) && (0..3).all(|k| a.low[k] <= b.high[k] && b.low[k] <= a.high[k])
}

/// What a scene has of each.
#[derive(Clone, Copy)]
pub struct Style {
    /// Longest edges, as powers of ten.
    sizes: [f64; 2],
    /// Chance that a body is a point, a ball, coincides with another, is on the grid, is large, has no end.
    point: f64,
    ball: f64,
    coincident: f64,
    gridded: f64,
    large: f64,
    odd: f64,
    pub bodies: usize,
}

impl Style {
    pub fn of(seed: u64) -> Style {
        let plain = Style {
            sizes: [-2.0, 0.0],
            point: 0.02,
            ball: 0.1,
            coincident: 0.05,
            gridded: 0.05,
            large: 0.02,
            odd: 0.01,
            bodies: 60,
        };
        match seed % 5 {
            0 => plain,
            1 => Style { sizes: [-4.5, -3.0], point: 0.5, coincident: 0.5, ..plain },
            2 => Style { gridded: 0.9, ..plain },
            3 => Style { large: 0.3, odd: 0.1, ..plain },
            _ => Style { sizes: [-1.5, -0.5], bodies: 200, ..plain },
        }
    }

    pub fn draw(&self, others: &[AlignedBox], rng: &mut Rng) -> BodyExtent {
        let at = room().low + (rng.point(0.55) + vec3(0.5, 0.5, 0.5)) * EDGE;
        if !others.is_empty() && rng.chance(self.coincident) {
            return BodyExtent::Box(others[rng.below(others.len())]);
        }
        if rng.chance(self.odd) {
            let (inf, nan) = (f64::INFINITY, f64::NAN);
            return BodyExtent::Box(rng.pick(&[
                AlignedBox::EMPTY,
                AlignedBox { low: vec3(-inf, -inf, -inf), high: vec3(inf, inf, inf) },
                AlignedBox { low: vec3(nan, 0.5, 0.5), high: vec3(0.0, 0.6, nan) },
                AlignedBox { low: at, high: vec3(at.x, at.y - 1.0, at.z) },
                around(at * 100.0, vec3(1.0, 1.0, 1.0)),
                around(vec3(1e300, at.y, at.z), Vec3::ZERO),
            ]));
        }
        if rng.chance(self.large) {
            return BodyExtent::Box(around(at, rng.point(EDGE).abs()));
        }
        if rng.chance(self.gridded) {
            let node = EDGE / rng.pick(&[4.0, 16.0, 64.0, 65536.0]);
            let mut corner = || room().low + [0; 3].map(|_| rng.below(17) as f64 * node).into();
            let (p, q) = (corner(), corner());
            return BodyExtent::Box(AlignedBox { low: p.min(q), high: p.max(q) });
        }
        let size = if rng.chance(self.point) { 0.0 } else { rng.decades(self.sizes[0], self.sizes[1]) };
        if rng.chance(self.ball) {
            return BodyExtent::Ball(Ball { center: at, radius: 0.5 * size });
        }
        BodyExtent::Box(around(at, rng.point(0.5 * size).abs()))
    }
}

/// A scene: the octree, and the bodies by themselves.
pub struct Scene {
    pub octree: Octree,
    rule: Rule,
    pub bodies: BTreeMap<u32, (AlignedBox, u8)>,
    work: Work,
    pub told: [u64; 4],
}

impl Scene {
    /// Half as many bodies as there may be.
    pub fn new(rule: Rule, style: &Style, rng: &mut Rng) -> Scene {
        let octree = Octree::new(&room(), rule.clone()).unwrap();
        let mut scene = Scene { octree, rule, bodies: BTreeMap::new(), work: Work::default(), told: [0; 4] };
        while scene.bodies.len() < style.bodies / 2 {
            scene.one_comes(style, rng);
        }
        scene
    }

    fn one_comes(&mut self, style: &Style, rng: &mut Rng) {
        let others: Vec<AlignedBox> = self.bodies.values().map(|b| b.0).collect();
        let (extent, class) = (style.draw(&others, rng), rng.below(KINDS) as u8);
        let body = self.octree.insert(&extent, class).unwrap();
        assert!(self.bodies.insert(body, (extent.bounding_box(), class)).is_none());
    }

    fn apart(&self, a: u8, b: u8) -> bool {
        match &self.rule {
            Rule::Objects(_) => false,
            Rule::Compatibility(table) => table.is_compatible(a, b),
        }
    }

    fn some(&self, rng: &mut Rng) -> Option<(u32, AlignedBox)> {
        let body = self.bodies.iter().nth(rng.below(self.bodies.len().max(1)))?;
        Some((*body.0, body.1.0))
    }

    /// One body comes, moves or goes.
    pub fn step(&mut self, style: &Style, rng: &mut Rng) {
        let full = self.bodies.len() as f64 / style.bodies as f64;
        if rng.chance(0.1) || self.bodies.is_empty() {
            if rng.chance(1.0 - 0.5 * full) || self.bodies.is_empty() {
                self.one_comes(style, rng);
            } else if let Some((body, _)) = self.some(rng) {
                assert!(self.octree.remove(body) && !self.octree.remove(body));
                self.bodies.remove(&body);
            }
            return;
        }
        let Some((body, at)) = self.some(rng) else { return };
        let extent = if rng.chance(0.15) {
            let others: Vec<AlignedBox> = self.bodies.values().map(|b| b.0).collect();
            style.draw(&others, rng)
        } else {
            // A step of any length, at times with another size.
            let by = rng.direction() * (EDGE * rng.decades(-6.0, -0.2));
            let grown = if rng.chance(0.2) {
                rng.point(0.1 * EDGE).abs() * rng.decades(-3.0, 0.0)
            } else {
                Vec3::ZERO
            };
            BodyExtent::Box(AlignedBox { low: at.low + by, high: at.high + by + grown })
        };
        assert!(self.octree.move_to(body, &extent));
        self.bodies.get_mut(&body).unwrap().0 = extent.bounding_box();
    }

    /// Every answer against all bodies.
    pub fn check(&mut self, style: &Style, rng: &mut Rng) {
        self.octree.check_invariants().unwrap();
        assert_eq!(self.octree.len(), self.bodies.len());
        // All pairs, each once.
        let mut pairs = Vec::new();
        self.octree.each_pair(&mut self.work, |a, b| pairs.push((a.min(b), a.max(b))));
        pairs.sort_unstable();
        let mut due = Vec::new();
        for (a, (box_a, class_a)) in &self.bodies {
            for (b, (box_b, class_b)) in self.bodies.range(a + 1..) {
                if meet(box_a, box_b) && !self.apart(*class_a, *class_b) {
                    due.push((*a, *b));
                }
            }
        }
        assert_eq!(pairs, due);
        let mut common = Vec::new();
        self.octree.each_in_common_leaf(&mut self.work, |a, b| common.push((a.min(b), a.max(b))));
        common.sort_unstable();
        assert!(due.iter().all(|pair| common.binary_search(pair).is_ok()));
        // What is near a box, and near a body.
        let others: Vec<AlignedBox> = self.bodies.values().map(|b| b.0).collect();
        let asked = style.draw(&others, rng).bounding_box();
        let mut near = Vec::new();
        self.octree.visit_near_bodies(&asked, &mut self.work, |body| near.push(body));
        near.sort_unstable();
        let due: Vec<u32> = self.bodies.iter().filter(|(_, b)| meet(&b.0, &asked)).map(|(k, _)| *k).collect();
        assert_eq!(near, due, "{asked:?}");
        self.told[0] += due.len() as u64;
        if let Some((body, at)) = self.some(rng) {
            let reach = rng.pick(&[-0.01, 0.0, 0.01, 0.3, 10.0]);
            let r = vec3(reach, reach, reach);
            let wide = AlignedBox { low: at.low - r, high: at.high + r };
            let class = self.bodies[&body].1;
            let mut near = Vec::new();
            self.octree.visit_neighbours(body, reach, &mut self.work, |other| near.push(other));
            near.sort_unstable();
            let is_empty = empty(&at);
            let is_due = |k: u32, b: &(AlignedBox, u8)| {
                k != body && !is_empty && meet(&b.0, &wide) && !self.apart(class, b.1)
            };
            let due: Vec<u32> = self.bodies.iter().filter(|(k, b)| is_due(**k, b)).map(|(k, _)| *k).collect();
            assert_eq!(near, due, "{body} {reach}");
            self.told[1] += due.len() as u64;
        }
        self.check_nearest(&asked, rng);
    }

    fn check_nearest(&mut self, asked: &AlignedBox, rng: &mut Rng) {
        let but = self.some(rng).map(|some| some.0);
        let cutoff = rng.pick(&[f64::INFINITY, f64::NAN, 0.5, 0.01, 0.0, -0.1]);
        let found = self.octree.find_nearest(asked, cutoff, &mut self.work, |body| Some(body) != but);
        let wanted = self.bodies.iter().filter(|(k, b)| Some(**k) != but && !empty(&b.0));
        let gaps = wanted.map(|(_, b)| box_gap(asked, &b.0));
        if empty(asked) {
            assert_eq!(found, None);
            return;
        }
        let least = gaps.fold(f64::INFINITY, f64::min);
        match found {
            None => assert!(least >= cutoff || least == f64::INFINITY, "{least} {cutoff}"),
            Some(found) => {
                assert_eq!(found.lower, least, "{asked:?}");
                assert_eq!(box_gap(asked, &self.bodies[&found.body].0), least);
                self.told[if least > 0.0 { 2 } else { 3 }] += 1;
            }
        }
    }

    /// A tree of the same bodies, brought in another order, has the same nodes.
    pub fn check_rebuilt(&mut self, rng: &mut Rng) {
        let mut bodies: Vec<(AlignedBox, u8)> = self.bodies.values().copied().collect();
        rng.shuffle(&mut bodies);
        let mut other = Octree::new(&room(), self.rule.clone()).unwrap();
        for (extent, class) in bodies {
            other.insert(&BodyExtent::Box(extent), class).unwrap();
        }
        other.check_invariants().unwrap();
        assert_eq!(other.node_count(), self.octree.node_count());
    }
}
