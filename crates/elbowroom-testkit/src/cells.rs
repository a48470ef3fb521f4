//! Real robots among obstacles of all kinds, and motions through them: what the tests of right answers share.
//! Included only where files can be read.
// No suite uses everything.
#![allow(dead_code)]

use crate::data::data;
use crate::rng::Rng;
use crate::robots::robots_folder;
use crate::shapes::{self, KINDS};
use elbowroom::describe::*;
use elbowroom::math::{Mat3, Transform, Vec3, vec3};
use elbowroom::motion::ranges;
use elbowroom::{Checker, Question, World};
use elbowroom_files::Options as FileOptions;
use elbowroom_files::world::load_world;
use std::path::{Path, PathBuf};

/// A robot with its cell.
#[derive(Debug)]
pub struct Cell {
    pub name: String,
    pub description: WorldDescription,
}

/// Robots with hands, grippers that mimic, sliding fingers, and triangles that are not convex, two arms as
/// one robot and as two robots, each among so many obstacles.
const ROBOTS: [(&str, &[&str], usize); 9] = [
    ("iiwa", &["kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf"], 40),
    ("panda with its hand", &["dual_panda_moveit/panda.urdf"], 60),
    ("meca500", &["mecademic_meca500_r3/meca_500_r3.urdf"], 24),
    ("lwa4d with an sdh hand", &["schunk_lwa4d_sdh/lwa4d_sdh.urdf"], 30),
    ("sdh hand", &["schunk_sdh2/schunk_sdh.urdf"], 20),
    ("puma before its bottleneck", &["puma260/bottleneck.toml"], 0),
    ("two pandas of one robot", &["dual_panda_moveit/dual_panda.urdf"], 30),
    ("meca500 and panda", &["mecademic_meca500_r3/meca_500_r3.urdf", "dual_panda_moveit/panda.urdf"], 40),
    // Its arms are fixed to links without shapes.
    ("two arms on a bare torso", &["franka_fr3/multi_arm.urdf"], 20),
];

/// Those of many triangles, for long runs: they take seconds to compile.
const LARGE: [(&str, &[&str], usize); 3] = [
    ("ur5", &["ur5_robotiq_vamp/ur5.urdf"], 30),
    ("baxter", &["baxter_vamp/baxter.urdf"], 60),
    ("iiwa and ur5", &["kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf", "ur5_robotiq_vamp/ur5.urdf"], 40),
];

/// All cells made of robots; the large ones only if asked for. `None` without real data.
pub fn load_robot_cells(large: bool) -> Option<Vec<Cell>> {
    let more = if large { &LARGE[..] } else { &[] };
    ROBOTS.iter().chain(more).map(|(name, files, count)| robot(name, files, *count)).collect()
}

/// One of them.
pub fn robot_named(wanted: &str) -> Option<Cell> {
    let (name, files, count) = ROBOTS.iter().chain(&LARGE).find(|r| r.0 == wanted).unwrap();
    robot(name, files, *count)
}

/// Where a robot's file is.
fn robot_path(name: &str) -> Option<PathBuf> {
    if name.starts_with("puma260/") {
        return Some(robots_folder().join(name));
    }
    Some(data()?.join("robots").join(name))
}

/// What a robot's file says; with its SRDF, or without.
pub fn load_description(name: &str, srdf: bool) -> Option<WorldDescription> {
    let options = FileOptions { no_srdf: !srdf, ..FileOptions::default() };
    Some(load_world(&robot_path(name)?, &options).unwrap_or_else(|f| panic!("{name}: {f}")).value)
}

fn robot(name: &str, files: &[&str], count: usize) -> Option<Cell> {
    let mut d = WorldDescription { margin: 0.01, ..WorldDescription::default() };
    for (i, file) in files.iter().enumerate() {
        let mut of_file = load_description(file, true)?;
        // Beside each other, so that they can meet.
        of_file.robots[0].base_in_world.translation += vec3(0.0, 0.75 * i as f64, 0.0);
        of_file.robots[0].name = ["r", "s"][i].into();
        d.robots.append(&mut of_file.robots);
        d.obstacles.append(&mut of_file.obstacles);
    }
    let bare = allow_what_overlaps(&mut d);
    scatter_obstacles(&mut d, &bare, count, 7);
    Some(Cell { name: name.into(), description: d })
}

/// Parts of a robot that overlap at most poses are no question.
fn allow_what_overlaps(d: &mut WorldDescription) -> World {
    const POSES: usize = 40;
    let world = World::compile(d).unwrap();
    let (mut checker, mut hits, rng) = (Checker::new(&world), vec![0; world.pairs().len()], &mut Rng::new(6));
    for _ in 0..POSES {
        checker.set(&draw_values(&world, rng)).unwrap();
        checker.all_pairs(&Question::test(), |p| {
            hits[p.pair.index()] += usize::from(p.interval.lower <= 0.0);
        });
    }
    for (pair, _) in world.pairs().iter().zip(hits).filter(|(_, hits)| hits * 3 > POSES) {
        let [a, b] = [pair.a, pair.b].map(|id| world.bodies()[id.index()].name.to_string());
        d.allowed.push(AllowedPair { a, b, reason: "they overlap nearly always".into() });
    }
    world
}

/// Obstacles of all kinds about the robots, every fifth of several shapes, that leave most poses free.
fn scatter_obstacles(d: &mut WorldDescription, bare: &World, count: usize, seed: u64) {
    if count == 0 {
        return;
    }
    let rng = &mut Rng::new(seed);
    let mut checker = Checker::new(bare);
    let (mut low, mut high) = (Vec3::ZERO, Vec3::ZERO);
    for _ in 0..60 {
        checker.set(&draw_values(bare, rng)).unwrap();
        for body in 0..bare.bodies().len() as u32 {
            let at = checker.body_in_world(elbowroom::world::BodyId(body)).unwrap().translation;
            (low, high) = (low.min(at), high.max(at));
        }
    }
    let reach = (high - low).norm();
    let first = d.obstacles.len();
    for i in 0..2 * count {
        let mut shapes = Vec::new();
        for _ in 0..if i % 5 == 0 { 3 } else { 1 } {
            let kind = KINDS[(i + shapes.len()) % KINDS.len()];
            let shape = shapes::draw_shape(kind, reach * rng.range(0.02, 0.08), rng);
            let padding = if rng.chance(0.2) { 0.002 } else { 0.0 };
            let shape_in_body = if i % 5 == 0 { rng.pose(0.06 * reach) } else { Transform::IDENTITY };
            shapes.push(PlacedShape { name: String::new(), shape_in_body, shape, padding });
        }
        let share = vec3(rng.range(-0.1, 1.1), rng.range(-0.1, 1.1), rng.range(-0.1, 1.1));
        let at = low + (high - low).scaled(share);
        let pose = Transform::new(Mat3::from_quat_wxyz(rng.quaternion()).unwrap(), at);
        d.obstacles.push(ObstacleDescription {
            name: format!("o{i}"),
            pose,
            shapes,
            attached_to: None,
            movable: false,
        });
    }
    // Those that are hit least.
    let world = World::compile(d).unwrap();
    let (mut checker, mut hits) = (Checker::new(&world), vec![0; 2 * count]);
    let bodies = world.bodies().len() - 2 * count;
    for _ in 0..60 {
        checker.set(&draw_values(&world, rng)).unwrap();
        checker.all_pairs(&Question::test(), |p| {
            let of = world.pairs().get(p.pair).unwrap();
            if of.b.index() >= bodies {
                hits[of.b.index() - bodies] += usize::from(p.interval.lower <= 0.0);
            }
        });
    }
    let mut order: Vec<usize> = (0..2 * count).collect();
    order.sort_by_key(|i| (hits[*i], *i));
    let kept = &order[..count];
    let mut i = 0;
    d.obstacles.retain(|_| {
        i += 1;
        i <= first || kept.contains(&(i - 1 - first))
    });
}

/// The Panda in cells of MotionBenchMaker, at most so many; none without real data. `ELBOWROOM_SCENES` names
/// a folder with more.
pub fn panda_cells(most: usize) -> Vec<Cell> {
    let Some(data) = data() else { return Vec::new() };
    let folder = data.join("scenes/motionbenchmaker_panda/sample");
    let folder = std::env::var_os("ELBOWROOM_SCENES").map_or(folder, PathBuf::from);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .flat_map(|set| std::fs::read_dir(set.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .filter(|p| p.file_name().unwrap().to_string_lossy().starts_with("scene"))
        .collect();
    files.sort();
    // From all sets alike.
    let step = files.len().div_ceil(most.max(1)).max(1);
    files
        .iter()
        .step_by(step)
        .map(|file| panda_cell(&data.join("robots/panda_vamp/panda.urdf"), file))
        .collect()
}

fn panda_cell(urdf: &Path, scene: &Path) -> Cell {
    let quoted = |path: &Path| format!("{:?}", path.display().to_string());
    let toml = format!(
        "margin = 0.01\n[[robot]]\nurdf = {}\nname = \"r\"\n[[scene]]\nfile = {}\nallowed = true\n",
        quoted(urdf),
        quoted(scene)
    );
    let set = scene.parent().and_then(Path::file_name).unwrap().to_string_lossy();
    let name = format!("{set} {}", scene.file_stem().unwrap().to_string_lossy());
    let world = std::env::temp_dir().join(format!("{}-{}.toml", name.replace(' ', "-"), std::process::id()));
    std::fs::write(&world, toml).unwrap();
    let loaded = load_world(&world, &FileOptions::default()).unwrap_or_else(|f| panic!("{name}: {f}"));
    let _ = std::fs::remove_file(&world);
    Cell { name, description: loaded.value }
}

/// Joint values within limits.
pub fn draw_values(world: &World, rng: &mut Rng) -> Vec<f64> {
    ranges(world).iter().map(|[low, high]| rng.range(low + 1e-8, high - 1e-8)).collect()
}

/// A step from `from` of about `size`, within limits.
pub fn draw_step(world: &World, rng: &mut Rng, from: &[f64], size: f64) -> Vec<f64> {
    let step =
        |([low, high], q): (&[f64; 2], &f64)| (q + rng.range(-size, size)).clamp(low + 1e-8, high - 1e-8);
    ranges(world).iter().zip(from).map(step).collect()
}

/// A motion within limits that is smooth for a while, stands still now and then, and jumps.
#[derive(Debug)]
pub struct Motion {
    pub values: Vec<f64>,
    ranges: Vec<[f64; 2]>,
    velocity: Vec<f64>,
    rng: Rng,
    step: u64,
    /// Steps between jumps; 0 for none.
    pub jumps: u64,
}

impl Motion {
    pub fn new(world: &World, seed: u64, jumps: u64) -> Motion {
        let mut rng = Rng::new(seed);
        let values = draw_values(world, &mut rng);
        Motion { velocity: vec![0.0; values.len()], ranges: ranges(world), values, rng, step: 0, jumps }
    }

    /// The next values; true if they were jumped to.
    pub fn advance(&mut self) -> bool {
        self.step += 1;
        if self.jumps > 0 && self.step.is_multiple_of(self.jumps) {
            for ([low, high], v) in self.ranges.iter().zip(&mut self.values) {
                *v = self.rng.range(low + 1e-8, high - 1e-8);
            }
            return true;
        }
        if self.step % 16 == 1 {
            let speed = self.rng.pick(&[0.0, 1e-6, 1e-3, 5e-3, 0.02]);
            for v in &mut self.velocity {
                *v = speed * self.rng.range(-1.0, 1.0);
            }
        }
        for (([low, high], v), dv) in self.ranges.iter().zip(&mut self.values).zip(&mut self.velocity) {
            let next = *v + *dv;
            if next < low + 1e-8 || next > high - 1e-8 {
                *dv = -*dv;
            } else {
                *v = next;
            }
        }
        false
    }
}

/// A ball that is far away, or allowed.
fn far_ball(name: String, i: usize) -> ObstacleDescription {
    let shape = ShapeDescription::Sphere { radius: 0.1 };
    let placed = PlacedShape { name: String::new(), shape_in_body: Transform::IDENTITY, shape, padding: 0.0 };
    let pose = Transform::from_translation(vec3(30.0 + i as f64, 20.0, -10.0));
    ObstacleDescription { name, pose, shapes: vec![placed], attached_to: None, movable: false }
}

/// As many balls far away as make a crowd.
fn add_far_crowd(d: &WorldDescription) -> WorldDescription {
    let mut d = d.clone();
    d.obstacles.extend((0..16).map(|i| far_ball(format!("far{i}"), i)));
    d
}

/// The world of a description that has no fault.
pub fn compile_world(d: &WorldDescription) -> World {
    World::compile(d).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// A cell whose fixed bodies are in a tree.
pub fn through_tree(d: &WorldDescription) -> World {
    compile_world(&add_far_crowd(d))
}

/// The cell of [`through_tree`] with every pair listed: where most is allowed, what is not is listed.
pub fn pair_by_pair(d: &WorldDescription) -> World {
    let mut d = add_far_crowd(d);
    let count = d.obstacles.len() + d.robots.iter().map(|r| r.robot.links.len()).sum::<usize>() + 1;
    let names: Vec<String> = (0..count).map(|i| format!("elsewhere{i}")).collect();
    d.obstacles.extend(names.iter().map(|name| far_ball(name.clone(), 40)));
    let members = names.iter().map(|name| format!("world/{name}")).collect();
    d.groups.push(BodyGroup { name: "elsewhere".into(), members });
    d.allowed.push(AllowedPair { a: "*".into(), b: "elsewhere".into(), reason: "a test".into() });
    compile_world(&d)
}

/// Both.
pub fn compile_both_ways(d: &WorldDescription) -> [World; 2] {
    [through_tree(d), pair_by_pair(d)]
}
