//! One pose of two bodies, and everything that is asked of it.

use crate::bodies::{self, Body, CHANGES, Change};
use crate::checks::{Answer, Case, EXCHANGED, Outcome};
use crate::counting::allocation_count;
use crate::pairs::{Other, Posed};
use crate::poses::{AIMS, Aim, pose};
use crate::support::rng::Rng;
use crate::support::slow;
use elbowroom::math::Transform;
use elbowroom::pair::{Ask, Clearance, Effort, Query, Scratch, Warm, clearance};
use elbowroom_files::mesh::MeshData;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Poses of two bodies, and pairs of bodies that share their first: reading and compiling cost as much as a
/// hundred poses.
const POSES: u64 = 32;
const SECONDS: u64 = 4;

/// What a thread keeps: the bodies of its present block.
#[derive(Default)]
pub struct Kept {
    meshes: BTreeMap<usize, Option<MeshData>>,
    first: Option<(u64, Body, (usize, Change))>,
    pair: Option<(u64, Body, Scratch, Warm)>,
}

fn scale_of(rng: &mut Rng) -> f64 {
    rng.pick(&[1.0, 1.0, 1.0, 1e-3, 1e3])
}

fn padding_of(rng: &mut Rng) -> f64 {
    rng.pick(&[0.0, 0.0, 0.0, 1e-3, 0.05])
}

impl Kept {
    /// The mesh of the file with this number, or of the next that can be read.
    fn read(&mut self, files: &[PathBuf], from: usize) -> (usize, MeshData) {
        self.meshes.retain(|i, m| m.is_none() || *i == from);
        for i in (0..files.len()).map(|k| (from + k) % files.len()) {
            if let Some(m) = self.meshes.entry(i).or_insert_with(|| bodies::read(&files[i])) {
                return (i, m.clone());
            }
        }
        panic!("no mesh can be read");
    }

    /// The bodies of a seed. The first is a mesh whose triangles count.
    fn bodies(&mut self, files: &[PathBuf], seed: u64) {
        let (block, deck) = (seed / POSES, seed / POSES / SECONDS);
        let name = |i: usize| files[i].file_name().unwrap_or_default().to_string_lossy().into_owned();
        if self.first.as_ref().is_none_or(|f| f.0 != deck) {
            let rng = &mut Rng::new(deck ^ 0xdec);
            let (file, data) = self.read(files, deck as usize % files.len());
            let (scale, padding) = (scale_of(rng), padding_of(rng));
            let change = rng.pick(&CHANGES);
            let mut make = |change| bodies::mesh(&name(file), &data, change, scale, padding, rng);
            let body = make(change).filter(|b| matches!(b.slow, Other::Surface(_)));
            // Convex meshes are convex bodies, unless a triangle is lost.
            let (body, change) = match body {
                Some(body) => (body, change),
                None => (make(Change::Open).expect("triangles"), Change::Open),
            };
            (self.first, self.pair) = (Some((deck, body, (file, change))), None);
        }
        let Some((_, a, _)) = self.first.clone() else { return };
        if self.pair.as_ref().is_none_or(|p| p.0 != block) {
            let rng = &mut Rng::new(block ^ 0xb10c);
            let padding = padding_of(rng);
            let ratio = rng.pick(&[1.0, 1.0, 0.3, 0.1, 0.03]) * rng.range(0.5, 1.5);
            let body = match rng.below(10) {
                0 => Some(a.clone()),
                1..=3 => Some(bodies::convex(a.size * ratio, padding, rng)),
                _ => {
                    let (i, data) = self.read(files, rng.below(files.len()));
                    let far = |s: f64, v: &[f64; 3]| s.max(v.iter().fold(0.0, |s: f64, x| s.max(x.abs())));
                    let size = data.vertices.iter().fold(0.0, far);
                    let scale = ratio * a.size / size;
                    let change = rng.pick(&CHANGES);
                    bodies::mesh(&name(i), &data, change, scale, padding, rng)
                }
            };
            let b = body.unwrap_or_else(|| a.clone());
            let scratch = Scratch::new(a.shape.mesh_depth().max(b.shape.mesh_depth()));
            self.pair = Some((block, b, scratch, Warm::default()));
        }
    }
}

/// Asks and checks the pose with this number.
pub fn run(files: &[PathBuf], seed: u64, kept: &mut Kept) -> Outcome {
    kept.bodies(files, seed);
    let (Some((_, a, first)), Some((_, b, scratch, warm))) = (&kept.first, &mut kept.pair) else {
        panic!("no bodies")
    };
    let Other::Surface(surface) = &a.slow else { panic!("{} is convex", a.name) };
    let rng = &mut Rng::new(seed);
    let aim: Aim = rng.pick(&AIMS);
    let at = pose(a, b, aim, rng);
    let mut faults: Vec<String> = Vec::new();
    let answers = ask_all([a, b], &at, rng, scratch, warm, &mut faults);
    let posed = Posed::new(surface, &b.slow, slow::transform(&at));
    let case = Case { posed: &posed, bodies: [a, b], answers: &answers };
    let (mut checked, found) = case.check(&mut faults);
    checked.first = *first;
    checked.ways = case.ways(&mut Rng::new(seed ^ 0x3a75), &mut faults);
    if !faults.is_empty() {
        let said: Vec<String> = answers.iter().map(Answer::said).collect();
        checked.faults = Some(format!(
            "{}\n  A: {}\n  B: {}\n  B in A: {at:?}\n  reference: {:?} {found:?}\n  {}",
            faults.join("; "),
            a.name,
            b.name,
            checked.proof,
            said.join("\n  ")
        ));
    }
    checked
}

/// Everything that is asked of a pose; the last is asked with the bodies exchanged.
fn ask_all(
    [a, b]: [&Body; 2],
    at: &Transform,
    rng: &mut Rng,
    scratch: &mut Scratch,
    before: &mut Warm,
    faults: &mut Vec<String>,
) -> Vec<Answer> {
    let mut answers = Vec::with_capacity(12);
    let mut ask = |what, query: Query, warm: &mut Warm| {
        let count = allocation_count();
        let c = if what == EXCHANGED {
            let c = clearance(&b.shape, &a.shape, &at.inverse(), &query, warm, scratch);
            // In A's frame again.
            let (witness_a, witness_b) = (at.point(c.witness_b), at.point(c.witness_a));
            Clearance { witness_a, witness_b, normal: -at.direction(c.normal), ..c }
        } else {
            clearance(&a.shape, &b.shape, at, &query, warm, scratch)
        };
        if allocation_count() != count {
            faults.push(format!("{what} {:?} allocated", query.ask));
        }
        answers.push(Answer { what, query, c });
        c
    };
    let distance = Query::default();
    let test = Query { ask: Ask::Test, cutoff: 0.0, ..distance };
    let lower = Query { ask: Ask::LowerBound, ..distance };
    let size = a.size.min(b.size);
    let cold = Warm::default;
    let c = ask("cold", distance, &mut cold());
    if c.interval.upper < 0.0 {
        ask("cold, rough", Query { depth: Effort::Rough, ..distance }, &mut cold());
        if rng.chance(0.25) {
            ask("cold, tight", Query { depth: Effort::TIGHT, ..distance }, &mut cold());
        }
    }
    ask("cold", test, &mut cold());
    ask("cold", Query { cutoff: size * rng.decades(-6.0, 0.0), ..test }, &mut cold());
    ask("cold", lower, &mut cold());
    ask("cold, triangles", Query { margin: f64::INFINITY, ..lower }, &mut cold());
    // From the pose before, and then from this one.
    ask("warm", distance, before);
    ask("warm", test, before);
    if c.interval.upper > 0.0 && c.interval.upper.is_finite() {
        let near = c.interval.upper * rng.pick(&[0.5, 0.999, 1.001, 2.0]);
        ask("warm", Query { cutoff: near, ..test }, before);
        ask("cold", Query { cutoff: near, ..distance }, &mut cold());
        ask("cold", Query { cutoff: near, ..lower }, &mut cold());
    }
    match rng.below(4) {
        0 => ask("slack", Query { slack: size * rng.decades(-9.0, -3.0), ..distance }, &mut cold()),
        1 => ask("slack", Query { slack: size * rng.decades(-9.0, -3.0), ..test }, &mut cold()),
        _ => ask(EXCHANGED, rng.pick(&[distance, test]), &mut cold()),
    };
    answers
}
