//! What the timing examples share: users' robots, their worlds, random configurations and quantiles.

use elbowroom::World;
use elbowroom::describe::{PlacedRobot, WorldDescription};
use elbowroom::math::Random;
use elbowroom::math::Transform;
use elbowroom_files::robot::load_robot;
use elbowroom_files::{Faults, Options};
use std::path::{Path, PathBuf};

/// The six robots whose meshes users have, in the data folder's `robots`.
pub const USERS: [&str; 6] = [
    "ur5_robotiq_vamp/ur5.urdf",
    "schunk_lwa4d_sdh/lwa4d_sdh.urdf",
    "schunk_sdh2/schunk_sdh.urdf",
    "kuka_lbr_iiwa_7_r800_pr31/lbr_iiwa_7_r800.urdf",
    "panda_vamp/panda.urdf",
    "franka_fr3/fr3.urdf",
];

/// The robots that are named, or else the six.
pub fn named_or_users(named: impl Iterator<Item = String>) -> Vec<PathBuf> {
    let named: Vec<PathBuf> = named.map(PathBuf::from).collect();
    if named.is_empty() { USERS.iter().map(|robot| in_data_folder(robot)).collect() } else { named }
}

/// A robot's file in the data folder: that of `ELBOWROOM_DATA`, or the one beside the repository.
pub fn in_data_folder(robot: &str) -> PathBuf {
    let data = std::env::var("ELBOWROOM_DATA").unwrap_or_else(|_| "../shared".into());
    Path::new(&data).join("robots").join(robot)
}

/// A world with one robot and nothing else.
///
/// # Errors
/// The faults of the robot's file.
pub fn lone_robot_world(urdf: &Path) -> Result<WorldDescription, Faults> {
    let robot = load_robot(urdf, &Options::default())?.value;
    let robots = vec![PlacedRobot { name: "r".into(), base_in_world: Transform::IDENTITY, robot }];
    Ok(WorldDescription { robots, ..WorldDescription::default() })
}

/// The folder of a robot's file, which tells robots apart whose files have the same name.
pub fn name(urdf: &Path) -> String {
    urdf.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned()
}

/// Joint values within the limits, uniform in each.
pub fn random_configuration(world: &World, random: &mut Random) -> Vec<f64> {
    let mut q = world.neutral_values();
    for l in world.limits() {
        q[l.value] = random.range(l.lower, l.upper);
    }
    q
}

/// The value below which this share of the values lies; they are sorted, and there is at least one.
pub fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share) as usize]
}
