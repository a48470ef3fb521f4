//! How tight the primitives around the links of real robots are.

use elbowroom_testkit::data;

use elbowroom::World;
use elbowroom::bounds::fit::FitEffort;
use elbowroom::describe::{PlacedRobot, WorldDescription};
use elbowroom::math::Transform;
use elbowroom::world::BodyId;
use elbowroom_files::Options;
use elbowroom_files::robot::load_robot;
use elbowroom_lab::primitives::{Fitted, Kind};

const ROBOTS: [&str; 8] = [
    "kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf",
    "kuka_lbr_iiwa_7_r800_pr31/lbr_iiwa_7_r800.urdf",
    "panda_vamp/panda.urdf",
    "ur5_robotiq_vamp/ur5.urdf",
    "mecademic_meca500_r3/meca_500_r3.urdf",
    "schunk_lwa4d_sdh/lwa4d_sdh.urdf",
    "puma560_finch16/puma560_robot.urdf",
    "franka_fr3/fr3.urdf",
];

#[test]
fn fits_around_real_links_are_tight() {
    let Some(data) = data::data() else { return };
    let mut ratios = Kind::ALL.map(|_| Vec::new());
    println!(
        "{:40} {:>7} {:>7} {:>8} {:>7} {:>7}",
        "link, volume by the hull's", "corners", "ball", "aligned", "capsule", "box"
    );
    for file in ROBOTS {
        let Ok(robot) = load_robot(&data.join("robots").join(file), &Options::default()) else {
            println!("{file}: not loaded");
            continue;
        };
        let robots =
            vec![PlacedRobot { name: "r".into(), base_in_world: Transform::IDENTITY, robot: robot.value }];
        let world = World::compile(&WorldDescription { robots, ..Default::default() }).unwrap();
        for (i, body) in world.bodies().iter().enumerate() {
            let set = world.ball_set(BodyId(i as u32));
            let start = std::time::Instant::now();
            let Some(fitted) = Fitted::fit_around(&set, FitEffort::Thorough) else { continue };
            let took = start.elapsed();
            let quick = Fitted::fit_around(&set, FitEffort::Quick).unwrap();
            let [quick_capsule, quick_box] = [Kind::Capsule, Kind::Oriented].map(|k| quick.volume_ratio(k));
            let [ball, aligned, capsule, oriented] = Kind::ALL.map(|k| fitted.volume_ratio(k));
            println!(
                "{:40} {:>7} {ball:>7.2} {aligned:>8.2} {capsule:>7.2} {oriented:>7.2}  {took:.0?} \
                 {quick_capsule:.2} {quick_box:.2}",
                format!("{} {}", file.split('/').next().unwrap(), body.name),
                set.balls().len()
            );
            for (list, ratio) in ratios.iter_mut().zip([ball, aligned, capsule, oriented]) {
                assert!(ratio >= 1.0 - 1e-9, "{file} {}: {ratio}", body.name);
                list.push(ratio);
            }
        }
    }
    assert!(ratios[0].len() >= 40, "only {} links", ratios[0].len());
    for (kind, list) in Kind::ALL.iter().zip(&mut ratios) {
        list.sort_by(f64::total_cmp);
        println!("{kind:?}: median {:.2}, worst {:.2}", list[list.len() / 2], list[list.len() - 1]);
        // Held where they are.
        let (median, worst) = match kind {
            Kind::Ball => (3.8, 17.0),
            Kind::Aligned => (1.7, 4.0),
            Kind::Capsule => (2.0, 5.8),
            Kind::Oriented => (1.5, 2.1),
        };
        assert!(list[list.len() / 2] <= median && list[list.len() - 1] <= worst, "{kind:?}");
    }
}
