//! Writes `robots/puma260/`: a Puma 260 of ten convex polytopes, the cell BOTTLENECK of seven, and a path of 119 poses.
//!
//! henrich97 drives this robot (ten polytopes of 30 vertices on average) along a fixed path of 119 configurations
//! through a cell of seven objects of 7.4 vertices on average, and collides in about half of them. The models were
//! never published; these have the same counts and are our own. What is a fact of the machine are its kinematics:
//! link lengths, axes and limits of the Puma 260B. The shapes are plausible round bodies around those axes.
//!
//! Frames: a link's frame lies in its joint, parallel to the base when all joints are zero; z is up, metres. With all
//! joints at zero the upper arm points along x and the forearm hangs down; joint 5 at 90 degrees stretches the wrist.
//!
//! The cell is a window between two pillars, a bench and a lintel. The path begins beside it, reaches through, swings
//! about inside, and leaves. The seed moves the corners of the objects, so that nothing is exactly parallel.
//! The last step asks the engine whether the result is what the experiment needs, and refuses to write it if not.

use anyhow::{Context, Result, anyhow, bail, ensure};
use elbowroom::check::{Options, smallest};
use elbowroom::compile::compile;
use elbowroom::hull::Hull;
use elbowroom::math::{Vec3, sin_cos, vec3};
use elbowroom::pose::Pose;
use elbowroom::verdict::Verdict;
use elbowroom::world::World;
use elbowroom_files::motion::load_motion_from;
use elbowroom_files::source::InMemory;
use elbowroom_files::world::load_world_from;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Where the corners of the cell's objects move to.
const SEED: u64 = 260;
/// How far a corner may move along each axis (metres).
const JITTER: f64 = 0.003;
/// Configurations of the path.
const SAMPLES: usize = 119;
/// No sample may be closer to touching than this (metres): verdicts must not hang on the last digits.
const CLEAR_CUT: f64 = 1e-5;
/// How many samples are to collide: about half.
const COLLIDING: std::ops::RangeInclusive<usize> = 50..=70;

/// Axis, offset from the parent's frame (metres) and limits (degrees) of each joint: Puma 260B.
const JOINTS: [([i32; 3], [f64; 3], [f64; 2]); 6] = [
    ([0, 0, 1], [0.0, 0.0, 0.3302], [-5.0, 313.0]),
    ([0, 1, 0], [0.0, 0.0, 0.0], [-256.0, 76.0]),
    ([0, 1, 0], [0.19812, -0.12446, -0.01905], [-214.0, 34.0]),
    ([0, 0, 1], [0.0, 0.0, -0.2032], [-384.0, 194.0]),
    ([0, 1, 0], [0.0, 0.0, 0.0], [-32.0, 212.0]),
    ([1, 0, 0], [0.0, 0.0, 0.0], [-267.0, 267.0]),
];
/// The flange in the frame of link 6 (metres).
const TOOL: [f64; 3] = [0.05588, 0.0, 0.0];

/// What the path goes through, evenly in time (degrees).
const VIAS: [[f64; 6]; 10] = [
    [20.0, -140.0, 26.0, 0.0, 100.0, 0.0],
    [58.0, -72.0, -23.0, 10.0, 96.0, 15.0],
    [88.0, -112.0, 4.0, 0.0, 98.0, 30.0],
    [90.0, -62.0, -33.0, 0.0, 95.0, 45.0],
    [72.0, -40.0, -50.0, -20.0, 92.0, 60.0],
    [106.0, -38.0, -46.0, 25.0, 80.0, 30.0],
    [92.0, -22.0, -44.0, 10.0, 80.0, 0.0],
    [90.0, -80.0, -22.0, 0.0, 100.0, -20.0],
    [130.0, -86.0, -11.0, -10.0, 100.0, -30.0],
    [170.0, -140.0, 25.0, 0.0, 100.0, 0.0],
];

/// Path below `robots/puma260/` and contents.
type Written = BTreeMap<String, String>;

/// The chore.
pub fn run(arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        bail!("usage: cargo xtask puma260    (no options: the seed is part of the result)");
    }
    let files = generate()?;
    let figures = survey(&files)?;
    for line in figures.lines() {
        println!("{line}");
    }
    figures.check()?;
    let folder = folder();
    for (name, text) in &files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    println!("wrote {} files to {}", files.len(), folder.display());
    Ok(())
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../robots/puma260")
}

/// All files, the same bytes on every machine.
fn generate() -> Result<Written> {
    let mut files = Written::new();
    for (_, name, points) in parts() {
        files.insert(format!("meshes/{name}.obj"), obj(name, &points)?);
    }
    files.insert("puma260.urdf".into(), urdf());
    files.insert("bottleneck.toml".into(), world_file()?);
    files.insert("path.csv".into(), path_file());
    files.insert("README.md".into(), README.into());
    Ok(files)
}

// ---- The robot ------------------------------------------------------------------------------------------------

/// `n` points around `center`, on the ellipse of half axes `u` and `v`; the first is turned by half a step.
fn ring(n: u32, center: Vec3, u: Vec3, v: Vec3) -> Vec<Vec3> {
    let step = std::f64::consts::TAU / f64::from(n);
    arc(n, step / 2.0, std::f64::consts::TAU - step / 2.0, center, u, v)
}

/// `n` points from angle `from` to angle `to` (radians), counted from `u` towards `v`.
fn arc(n: u32, from: f64, to: f64, center: Vec3, u: Vec3, v: Vec3) -> Vec<Vec3> {
    let at = |i: u32| {
        let (s, c) = sin_cos(from + (to - from) * f64::from(i) / f64::from(n - 1));
        rounded(center + u * c + v * s)
    };
    (0..n).map(at).collect()
}

/// To a hundredth of a millimetre, as the files have it; no negative zero.
fn rounded(p: Vec3) -> Vec3 {
    let r = |x: f64| (x * 1e5).round() / 1e5 + 0.0;
    vec3(r(p.x), r(p.y), r(p.z))
}

/// Link, name and corner points of the ten polytopes, in their links' frames.
fn parts() -> Vec<(usize, &'static str, Vec<Vec3>)> {
    use std::f64::consts::PI;
    let (x, y, z) = (Vec3::X, Vec3::Y, Vec3::Z);
    let about_z = |n, h: f64, r: f64| ring(n, z * h, x * r, y * r);
    let about_y = |n, h: f64, r: f64| ring(n, y * h, z * r, x * r);
    let about_x = |n, h: f64, r: f64| ring(n, x * h, y * r, z * r);
    // The upper arm is a plate beside the plane of the forearm, from the shoulder's disc to the elbow's.
    let plate = |h: f64| {
        let shoulder = arc(9, PI / 2.0, 1.5 * PI, vec3(0.0, h, 0.0), x * 0.052, z * 0.052);
        let elbow = arc(9, -PI / 2.0, PI / 2.0, vec3(0.19812, h, -0.01905), x * 0.040, z * 0.040);
        [shoulder, elbow].concat()
    };
    let elbow = |h: f64| arc(7, 0.0, PI, y * h, x * 0.038, z * 0.038);
    let front = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)]
        .map(|(a, b)| vec3(0.080, a * 0.032, b * 0.016))
        .to_vec();
    let finger = |side: f64| {
        let root = ring(12, vec3(0.078, side * 0.022, 0.0), y * 0.007, z * 0.012);
        let tip = ring(12, vec3(0.135, side * 0.018, 0.0), y * 0.004, z * 0.009);
        [root, tip].concat()
    };
    vec![
        (0, "foot", [about_z(16, 0.0, 0.090), about_z(16, 0.030, 0.084)].concat()),
        (0, "column", [about_z(16, 0.030, 0.062), about_z(16, 0.266, 0.058)].concat()),
        (
            1,
            "shoulder",
            [about_y(12, -0.060, 0.054), about_y(12, 0.010, 0.058), about_y(12, 0.078, 0.046)].concat(),
        ),
        (2, "upper_arm", [plate(-0.066), plate(-0.097)].concat()),
        (3, "forearm", [elbow(-0.0255), elbow(0.0255), about_z(16, -0.150, 0.026)].concat()),
        (4, "wrist_roll", [about_z(12, 0.050, 0.027), about_z(12, 0.004, 0.019)].concat()),
        (
            5,
            "wrist_bend",
            [about_y(10, -0.022, 0.016), about_y(10, 0.0, 0.022), about_y(10, 0.022, 0.016)].concat(),
        ),
        (6, "palm", [about_x(12, 0.028, 0.016), about_x(12, 0.055, 0.030), front].concat()),
        (6, "finger_left", finger(1.0)),
        (6, "finger_right", finger(-1.0)),
    ]
}

/// The hull of points that are all corners of it, as OBJ.
fn obj(name: &str, points: &[Vec3]) -> Result<String> {
    let hull = Hull::from_points(points).map_err(|e| anyhow!("{name}: {e:?}"))?;
    ensure!(
        hull.vertices().len() == points.len(),
        "{name}: {} points, {} of them corners",
        points.len(),
        hull.vertices().len()
    );
    let mut text =
        format!("# {name} of the Puma 260, convex, metres; written by `cargo xtask puma260`\no {name}\n");
    for v in hull.vertices() {
        writeln!(text, "v {:.5} {:.5} {:.5}", v.x, v.y, v.z)?;
    }
    for [a, b, c] in hull.faces() {
        writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1)?;
    }
    Ok(text)
}

fn urdf() -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<!-- Puma 260B: kinematics of the machine, shapes of our own. Written by `cargo xtask puma260`. -->\n\
         <robot name=\"puma260\">\n",
    );
    let parts = parts();
    for link in 0..=JOINTS.len() {
        text += &format!("  <link name=\"link_{link}\">\n");
        for (_, name, _) in parts.iter().filter(|p| p.0 == link) {
            text += &format!(
                "    <collision name=\"{name}\"><geometry><mesh filename=\"meshes/{name}.obj\"/></geometry></collision>\n"
            );
        }
        text += "  </link>\n";
        let Some((axis, offset, limits)) = JOINTS.get(link) else { break };
        let (child, [lower, upper]) = (link + 1, limits.map(f64::to_radians));
        text += &format!(
            "  <joint name=\"joint_{child}\" type=\"revolute\">\n    <parent link=\"link_{link}\"/><child link=\"link_{child}\"/>\n    \
             <origin xyz=\"{} {} {}\"/><axis xyz=\"{} {} {}\"/>\n    \
             <limit lower=\"{lower:.9}\" upper=\"{upper:.9}\" effort=\"100\" velocity=\"3\"/>\n  </joint>\n",
            offset[0], offset[1], offset[2], axis[0], axis[1], axis[2]
        );
    }
    text += &format!(
        "  <link name=\"tool0\"/>\n  <joint name=\"flange\" type=\"fixed\">\n    <parent link=\"link_6\"/><child link=\"tool0\"/>\n    \
         <origin xyz=\"{} {} {}\"/>\n  </joint>\n</robot>\n",
        TOOL[0], TOOL[1], TOOL[2]
    );
    text
}

// ---- The cell -------------------------------------------------------------------------------------------------

/// Name, and corners before they are moved (metres, world frame): five blocks and two wedges.
fn objects() -> Vec<(&'static str, Vec<Vec3>)> {
    let block = |lower: [f64; 3], upper: [f64; 3]| {
        let pick = |i: usize, k: usize| if i >> k & 1 == 0 { lower[k] } else { upper[k] };
        (0..8).map(|i| vec3(pick(i, 0), pick(i, 1), pick(i, 2))).collect::<Vec<_>>()
    };
    // A wedge: a block whose upper edge has shrunk to the side `y = upper[1]`.
    let wedge = |lower: [f64; 3], upper: [f64; 3]| {
        let corners = block(lower, upper);
        [0, 1, 2, 3, 6, 7].map(|i| corners[i]).to_vec()
    };
    vec![
        ("bench", block([-0.25, 0.24, 0.16], [0.50, 0.70, 0.26])),
        ("pillar_left", block([-0.05, 0.27, 0.27], [0.05, 0.37, 0.64])),
        ("pillar_right", block([0.20, 0.27, 0.27], [0.30, 0.37, 0.64])),
        ("lintel", block([-0.10, 0.27, 0.65], [0.35, 0.37, 0.73])),
        ("crate", block([0.20, 0.46, 0.27], [0.36, 0.62, 0.40])),
        ("ramp", wedge([-0.04, 0.42, 0.27], [0.12, 0.60, 0.36])),
        ("brace", wedge([-0.16, 0.38, 0.27], [-0.08, 0.48, 0.50])),
    ]
}

fn world_file() -> Result<String> {
    let mut text = String::from(
        "# The Puma 260 before a window between two pillars, a bench and a lintel: the cell BOTTLENECK.\n\
         # Seven convex objects with 52 corners. Written by `cargo xtask puma260`; metres.\n\nmargin = 0.01\n\n\
         [[robot]]\nname = \"puma\"\nurdf = \"puma260.urdf\"\n",
    );
    let mut random = Random(SEED);
    for (name, corners) in objects() {
        let moved: Vec<Vec3> = corners
            .into_iter()
            .map(|c| {
                rounded(c + vec3(random.around_zero(), random.around_zero(), random.around_zero()) * JITTER)
            })
            .collect();
        let hull = Hull::from_points(&moved).map_err(|e| anyhow!("{name}: {e:?}"))?;
        ensure!(hull.vertices().len() == moved.len(), "{name}: a corner is not one");
        write!(text, "\n[[obstacle]]\nname = \"{name}\"\nshape = {{ type = \"convex\", vertices = [")?;
        for v in moved {
            write!(text, "\n  [{:.5}, {:.5}, {:.5}],", v.x, v.y, v.z)?;
        }
        text += "\n] }\n";
    }
    Ok(text)
}

/// splitmix64.
struct Random(u64);

impl Random {
    /// Uniform in [-1, 1).
    fn around_zero(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

// ---- The path -------------------------------------------------------------------------------------------------

/// Joint values (radians) of every sample: the natural cubic spline through the vias, evenly in its parameter.
fn path() -> Vec<[f64; 6]> {
    let curvatures: [Vec<f64>; 6] = std::array::from_fn(|j| curvature(&VIAS.map(|via| via[j])));
    let pieces = VIAS.len() - 1;
    let sample = |k: usize| {
        let t = k as f64 * pieces as f64 / (SAMPLES - 1) as f64;
        let i = (t as usize).min(pieces - 1);
        let (b, a) = (t - i as f64, i as f64 + 1.0 - t);
        std::array::from_fn(|j| {
            let bend = (a * a * a - a) * curvatures[j][i] + (b * b * b - b) * curvatures[j][i + 1];
            (a * VIAS[i][j] + b * VIAS[i + 1][j] + bend / 6.0).to_radians()
        })
    };
    (0..SAMPLES).map(sample).collect()
}

/// Second derivatives at the knots of the natural cubic spline through `y` at 0, 1, 2, ...: a tridiagonal system
/// with 4 on the diagonal and 1 beside it.
fn curvature(y: &[f64]) -> Vec<f64> {
    let n = y.len();
    let (mut m, mut factor) = (vec![0.0; n], vec![0.0; n]);
    for i in 1..n - 1 {
        let pivot = 4.0 - factor[i - 1];
        factor[i] = 1.0 / pivot;
        m[i] = (6.0 * (y[i - 1] - 2.0 * y[i] + y[i + 1]) - m[i - 1]) / pivot;
    }
    for i in (1..n - 1).rev() {
        m[i] -= factor[i] * m[i + 1];
    }
    m
}

fn path_file() -> String {
    let mut text = String::from("joint_1,joint_2,joint_3,joint_4,joint_5,joint_6\n");
    for row in path() {
        let row: Vec<String> = row.iter().map(|q| format!("{:.6}", (q * 1e6).round() / 1e6 + 0.0)).collect();
        text += &row.join(",");
        text.push('\n');
    }
    text
}

const README: &str = "\
# Puma 260 and the cell BOTTLENECK
A Puma 260 of ten convex polytopes (29.6 vertices on average), a cell of seven convex objects (7.4 on average) and a
path of 119 configurations of which about half collide: the experiment of Henrich, Wurll and Woern (1997), whose own
models were never published. The kinematics and limits are those of the machine (Puma 260B); the shapes, the cell and
the path are ours. Written by `cargo xtask puma260`; do not edit, change the generator.

| file | what |
| --- | --- |
| `puma260.urdf`, `meshes/` | the robot; joint 5 at 90 degrees stretches the wrist |
| `bottleneck.toml` | the cell with the robot in it |
| `path.csv` | the path, radians |
";

// ---- What came out --------------------------------------------------------------------------------------------

/// The cell and the path, loaded and compiled from the files as anyone would.
fn load(files: &Written) -> Result<(World, Vec<Vec<f64>>)> {
    let files = InMemory(files.iter().map(|(p, t)| (PathBuf::from(p), t.clone().into_bytes())).collect());
    let options = elbowroom_files::Options::default();
    let world = load_world_from(&files, Path::new("bottleneck.toml"), &options)?;
    ensure!(world.warnings.is_empty(), "warnings: {:?}", world.warnings);
    let world = compile(&world.value).map_err(|faults| anyhow!("{faults:?}"))?;
    let motion = load_motion_from(&files, Path::new("path.csv"), world.value_names(), &options)?;
    Ok((world, motion.rows))
}

/// What the engine says about the path.
#[derive(Debug, Default)]
struct Figures {
    /// Signed distance (metres), verdict and nearest pair of every sample.
    samples: Vec<(f64, Verdict, [String; 2])>,
    /// Largest change of a joint between samples (radians).
    largest_step: f64,
}

fn survey(files: &Written) -> Result<Figures> {
    let (world, rows) = load(files)?;
    let mut pose = Pose::new(&world);
    let mut figures = Figures::default();
    for (i, row) in rows.iter().enumerate() {
        pose.set(&world, row).map_err(|e| anyhow!("sample {i}: {e}"))?;
        let report = smallest(&world, &mut pose, &Options { margin: 0.0, ..Options::default() });
        let names = report.pair.and_then(|p| world.pair_names(p)).unwrap_or(["", ""]).map(String::from);
        figures.samples.push((report.distance, report.verdict, names));
    }
    let steps = rows.windows(2).flat_map(|w| w[0].iter().zip(&w[1]).map(|(a, b)| (a - b).abs()));
    figures.largest_step = steps.fold(0.0, f64::max);
    Ok(figures)
}

impl Figures {
    fn count(&self, verdict: Verdict) -> usize {
        self.samples.iter().filter(|s| s.1 == verdict).count()
    }

    /// Samples whose nearest pair are two links of the robot, and that collide.
    fn self_collisions(&self) -> usize {
        let own = |s: &&(f64, Verdict, [String; 2])| {
            s.1 == Verdict::Collision && s.2.iter().all(|n| n.starts_with("puma/"))
        };
        self.samples.iter().filter(own).count()
    }

    fn lines(&self) -> impl Iterator<Item = String> {
        let each = self.samples.iter().enumerate().map(|(i, (distance, verdict, [a, b]))| {
            format!("{i:4}  {distance:9.5} m  {:<10} {a} {b}", verdict.word())
        });
        let total = format!(
            "{} samples, {} collide ({} with itself), {} unknown, largest step {:.4} rad",
            self.samples.len(),
            self.count(Verdict::Collision),
            self.self_collisions(),
            self.count(Verdict::Unknown),
            self.largest_step
        );
        each.chain([total])
    }

    fn check(&self) -> Result<()> {
        ensure!(self.samples.len() == SAMPLES, "{} samples", self.samples.len());
        ensure!(COLLIDING.contains(&self.count(Verdict::Collision)), "not about half of the samples collide");
        ensure!(self.count(Verdict::Unknown) == 0, "a verdict is unknown");
        ensure!(self.self_collisions() == 0, "the robot hits itself");
        ensure!(self.samples.iter().all(|s| s.0.abs() > CLEAR_CUT), "a sample is too close to call");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::check::all_pairs;

    #[test]
    fn the_files_are_what_the_generator_writes() {
        for (name, text) in generate().unwrap() {
            let path = folder().join(&name);
            let on_disk = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            assert!(on_disk == text.as_bytes(), "{name} differs: run `cargo xtask puma260`");
        }
    }

    #[test]
    fn the_counts_are_those_of_the_experiment() {
        let parts = parts();
        let vertices: usize = parts.iter().map(|p| p.2.len()).sum();
        assert_eq!(parts.len(), 10);
        assert!((280..=320).contains(&vertices), "{vertices}");
        let objects = objects();
        assert_eq!((objects.len(), objects.iter().map(|o| o.1.len()).sum::<usize>()), (7, 52));
        let figures = survey(&generate().unwrap()).unwrap();
        figures.check().unwrap();
        assert!(figures.largest_step < 0.15, "{}", figures.largest_step);
    }

    #[test]
    fn meshes_are_their_own_hulls_and_closed() {
        let (world, _) = load(&generate().unwrap()).unwrap();
        // A mesh that is proved to be closed and its own hull is compiled to the hull.
        for (shape, (_, name, points)) in world.shapes().iter().zip(parts()) {
            let elbowroom::shape::Core::Hull(hull) = &shape.shape.core else { panic!("{name}") };
            assert_eq!(hull.vertices().len(), points.len(), "{name}");
        }
    }

    /// Links that share a joint touch; others never do, over the whole path, and every pair of them is checked.
    #[test]
    fn only_parent_and_child_touch() {
        let (world, rows) = load(&generate().unwrap()).unwrap();
        let own = |pair: elbowroom::id::PairId| {
            world.pair_names(pair).unwrap().iter().all(|n| n.starts_with("puma/"))
        };
        // Seven links: 21 pairs less 6 of neighbours.
        assert_eq!((0..world.pairs().len() as u32).filter(|i| own(elbowroom::id::PairId(*i))).count(), 15);
        let mut pose = Pose::new(&world);
        for (i, row) in rows.iter().enumerate() {
            pose.set(&world, row).unwrap();
            all_pairs(&world, &mut pose, &Options::default(), |pair| {
                let names = world.pair_names(pair.pair).unwrap();
                assert!(!own(pair.pair) || pair.lower > 0.0, "sample {i}: {names:?} {}", pair.distance);
            });
        }
    }

    /// Three poses of the flange published for the Puma 260B, to the four digits they have.
    #[test]
    fn the_flange_is_where_it_was_published() {
        let (world, _) = load(&generate().unwrap()).unwrap();
        let mut pose = Pose::new(&world);
        let published = [
            ([0.0; 6], [0.254, -0.12446, 0.10795]),
            ([180.0, -90.0, -90.0, 90.0, 90.0, 90.0], [-0.01905, 0.12446, 0.7874]),
            ([50.0, -105.0, 31.0, 4.0, 126.0, -184.0], [0.2236, 0.0693, 0.4265]),
        ];
        let tool = world.body_named("puma/tool0").unwrap();
        for (degrees, [x, y, z]) in published {
            pose.set(&world, &degrees.map(f64::to_radians)).unwrap();
            let at = pose.body_in_world(&world, tool).unwrap().translation;
            assert!((at - vec3(x, y, z)).norm() < 1e-4, "{degrees:?}: {at:?}");
        }
    }
}
