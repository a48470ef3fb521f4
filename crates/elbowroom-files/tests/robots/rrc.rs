//! The K-1207i of the repository, beside poses that others published for the machine.

use crate::second_opinion::{alone, bare_robot};
use crate::support::data::data;
use elbowroom::math::{Mat3, Transform, vec3};
use elbowroom::pose::SetOptions;
use elbowroom::{Checker, World};
use std::path::Path;

/// Ten poses of the tool plate, from rpiRobotics/ik-geo: a rotation by its columns, a position, and the joint
/// values that reach them.
#[test]
fn the_tool_plate_is_where_it_was_published() {
    let Some(data) = data() else { return };
    let table = data.join("robots/rrc_k1207i_kinematics/ikgeo_RRC_fixed_q6.csv");
    let text = std::fs::read_to_string(table).unwrap();
    let urdf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/rrc_cell/rrc_k1207i.urdf");
    let world = World::compile(&alone(bare_robot(&urdf), Transform::IDENTITY)).unwrap();
    let [first, tool] = ["r/link_0", "r/tool0"].map(|name| world.body_by_name(name).unwrap());
    let mut checker = Checker::new(&world);
    let mut poses = 0;
    for line in text.lines().skip(1) {
        let n: Vec<f64> = line.split(',').map(|v| v.trim().parse().unwrap()).collect();
        // Limits are not published, and ours are narrower than half a turn.
        let options = SetOptions { ignore_limits: true };
        checker.set_with(&n[12..19], options).unwrap();
        let [first, tool] = [first, tool].map(|body| checker.body_in_world(body).unwrap());
        let at = first.relative(&tool);
        let column = |i: usize| vec3(n[i], n[i + 1], n[i + 2]);
        let published = Mat3 { cols: [column(0), column(3), column(6)] };
        let turned = (0..3).map(|k| (at.rotation.cols[k] - published.cols[k]).norm());
        let off = turned.fold((at.translation - column(9)).norm(), f64::max);
        assert!(off < 1e-12, "pose {poses}: off by {off}");
        poses += 1;
    }
    assert!(poses >= 10);
}
