//! coulombe20's method: its Algorithm 2, with the recursive GJK of II-C and III-A.
//!
//! The vertices of all links that move are brought into the world once a step. Then every pair of links is
//! asked for its distance, in order, and the first that is at most epsilon ends the step. A distance is
//! GJK's: the support of each body is climbed to on the graph of its vertices, from the vertex of the
//! iteration before (vertex 0 at first), and the sub-distance is a [`SubDistance`], the paper's own or
//! another.
//!
//! It stops when the simplex holds the origin (distance 0) or when no better simplex can be formed: the new
//! corner is one that is there already, or the vector does not become shorter. The paper sets no limit
//! of steps. Here the search ends after [`RGJK_STEPS`], returns the result so far, and sets a flag.
//!
//! The graph is that of the hull. The paper took the graph of the STL file, believing the Meca500's to be
//! convex; they have dents, in which a climb would stop.

use crate::limits::{PROGRESS, RGJK_STEPS};
use crate::simplex::{Corner, Simplex, SubDistance};
use elbowroom::math::{Transform, Vec3};
use elbowroom::pair::shape::hull::Hull;
use elbowroom::world::BodyId;
use elbowroom::{Checker, World};

/// A body as the paper has it: vertices, and which are neighbours.
#[derive(Clone, Debug)]
struct VertexGraph {
    body: BodyId,
    /// Whether any joint moves it.
    moves: bool,
    shape_in_body: Transform,
    local: Vec<Vec3>,
    world: Vec<Vec3>,
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl VertexGraph {
    fn new(body: BodyId, moves: bool, shape_in_body: Transform, hull: &Hull) -> VertexGraph {
        let local: Vec<Vec3> = hull.vertices().collect();
        // Small hulls of a world are without their neighbours.
        let whole = Hull::from_points(&local);
        let hull = whole.as_ref().unwrap_or(hull);
        let (mut starts, mut neighbours) = (vec![0], Vec::new());
        for v in 0..local.len() {
            neighbours.extend_from_slice(hull.neighbours(v));
            starts.push(neighbours.len() as u32);
        }
        VertexGraph { body, moves, shape_in_body, world: local.clone(), local, starts, neighbours }
    }

    /// Brings the vertices to where the pose has them; how many there are.
    fn place_vertices(&mut self, checker: &Checker) -> usize {
        let Some(body) = checker.body_in_world(self.body) else { return 0 };
        let at = body * self.shape_in_body;
        for (to, from) in self.world.iter_mut().zip(&self.local) {
            *to = at.point(*from);
        }
        self.local.len()
    }

    /// Uphill along `d` from `from`, to a vertex with no higher neighbour.
    fn climb_to_support(&self, from: u32, d: Vec3) -> u32 {
        let (mut at, mut height) = (from, self.world[from as usize].dot(d));
        loop {
            let mut next = at;
            let links = self.starts[at as usize] as usize..self.starts[at as usize + 1] as usize;
            for &n in &self.neighbours[links] {
                let h = self.world[n as usize].dot(d);
                if h > height {
                    (next, height) = (n, h);
                }
            }
            if next == at {
                return at;
            }
            at = next;
        }
    }
}

/// The distance of a pair as the paper's method has it: unproved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Metres; 0 where the simplex held the origin.
    pub distance: f64,
    /// Steps of the search.
    pub steps: u32,
    /// It was given up.
    pub capped: bool,
}

/// What Algorithm 2 says of a pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collides {
    /// A pair is at most epsilon apart.
    pub hit: bool,
    /// Pairs that were asked.
    pub pairs: usize,
    /// Steps of their searches.
    pub steps: usize,
}

/// The links of a world and the pairs of them, in order.
#[derive(Clone, Debug)]
pub struct Model {
    parts: Vec<VertexGraph>,
    pairs: Vec<[usize; 2]>,
    bodies: Vec<[BodyId; 2]>,
}

impl Model {
    /// The checked pairs of a world, all of whose shapes must be hulls or meshes without padding; `None`
    /// otherwise.
    pub fn new(world: &World) -> Option<Model> {
        let mut parts = Vec::new();
        for shape in world.shapes() {
            let hull = shape.shape.core().hull()?;
            if shape.shape.radius() != 0.0 {
                return None;
            }
            let moves = world.can_move(shape.body) != Some(false);
            parts.push(VertexGraph::new(shape.body, moves, shape.shape_in_body(), hull));
        }
        let (mut pairs, mut bodies) = (Vec::new(), Vec::new());
        for pair in world.pairs().iter() {
            let [a, b] = [pair.a, pair.b].map(|id| world.bodies()[id.index()].shapes.clone());
            for (i, j) in a.flat_map(|i| b.clone().map(move |j| (i as usize, j as usize))) {
                pairs.push([i, j]);
                bodies.push([pair.a, pair.b]);
            }
        }
        let mut model = Model { parts, pairs, bodies };
        // What no joint moves is placed once.
        let checker = Checker::new(world);
        model.parts.iter_mut().for_each(|part| _ = part.place_vertices(&checker));
        Some(model)
    }

    /// Brings the vertices that move to where the pose has them; how many there are.
    pub fn update_vertices(&mut self, checker: &Checker) -> usize {
        self.parts.iter_mut().filter(|part| part.moves).map(|part| part.place_vertices(checker)).sum()
    }

    /// How many pairs of shapes there are.
    pub fn pair_count(&self) -> usize {
        self.pairs.len()
    }

    /// The bodies of pair `k`. Panics if there is no such pair.
    pub fn pair_bodies(&self, k: usize) -> [BodyId; 2] {
        self.bodies[k]
    }

    /// The distance of pair `k` at the last [`Model::update_vertices`]. Panics if there is no such pair.
    pub fn pair_distance<Sub: SubDistance>(&self, k: usize, sub: Sub) -> Distance {
        let [a, b] = self.pairs[k].map(|i| &self.parts[i]);
        let mut at = [0, 0];
        let mut simplex = Simplex::default();
        // Any first direction will do: from the first vertex of the difference to the origin.
        let mut v = b.world[0] - a.world[0];
        let mut best = f64::INFINITY;
        for steps in 1..=RGJK_STEPS {
            at = [a.climb_to_support(at[0], v), b.climb_to_support(at[1], -v)];
            let corner = Corner { point: a.world[at[0] as usize] - b.world[at[1] as usize], of: at };
            if simplex.corners().iter().any(|c| c.of == corner.of) {
                return Distance { distance: best, steps, capped: false };
            }
            let progress = v.dot(corner.point) + best * best;
            if Sub::PROGRESS_FIRST && best.is_finite() && progress <= PROGRESS * best {
                return Distance { distance: best, steps, capped: false };
            }
            simplex.push(corner);
            let nearest = sub.nearest_to_origin(&simplex);
            let length = nearest.v.norm();
            if nearest.inside || length == 0.0 {
                return Distance { distance: 0.0, steps, capped: false };
            }
            // Also the way out for NaN.
            if length.is_nan() || length >= best {
                let distance = if best.is_finite() { best } else { length };
                return Distance { distance, steps, capped: false };
            }
            (best, v, simplex) = (length, nearest.v, nearest.kept);
        }
        Distance { distance: best, steps: RGJK_STEPS, capped: true }
    }

    /// Algorithm 2: whether any pair is at most `epsilon` metres apart; stops at the first.
    pub fn any_pair_collides(&self, epsilon: f64, sub: impl SubDistance) -> Collides {
        let mut all = Collides::default();
        for k in 0..self.pairs.len() {
            let found = self.pair_distance(k, sub);
            all.pairs += 1;
            all.steps += found.steps as usize;
            all.hit = found.distance <= epsilon;
            if all.hit {
                break;
            }
        }
        all
    }
}
