//! Every real file there is: those that are sound load, those that are broken are refused with the right
//! words.

mod support;

use elbowroom::describe::{JointKind, ShapeDescription};
use elbowroom_files::{Options, mesh, robot, scene, world};
use support::{below, data};

/// Robots that are broken on purpose, or need what is not there, and what the refusal must say.
const BROKEN_ROBOTS: [(&str, &str); 11] = [
    ("drake/bad.urdf", "this is not an XML file"),
    ("drake/links_with_visuals_and_collisions.urdf", "has 3 roots"),
    ("all_geometries_as_collision.urdf", "with --package-path"),
    ("collision_filter_group_parsing_test.urdf", "has 10 roots"),
    ("convex_and_nonconvex_test.urdf", "with --package-path"),
    ("joint_parsing_test.urdf", "replace it by URDF joints"),
    ("joint_parsing_test_missing_screw_thread_pitch.urdf", "replace it by URDF joints"),
    ("joint_parsing_test_missing_screw_thread_pitch_attribute.urdf", "replace it by URDF joints"),
    ("joint_parsing_test_tag_mismatch_1.urdf", "a joint of type \"fixed\" in another namespace"),
    ("joint_parsing_test_tag_mismatch_2.urdf", "the joint type \"ball\" is unknown; URDF knows fixed"),
    ("non_conflicting_materials_2.urdf", "has 2 roots"),
];

#[test]
fn every_robot_loads_or_is_refused_for_its_reason() {
    let Some(data) = data() else { return };
    let (mut loaded, mut refused) = (0, 0);
    let mut wrong = Vec::new();
    for path in below(&data, &[".urdf"]) {
        if path.strip_prefix(&data).is_ok_and(|p| p.starts_with("bench")) {
            continue;
        }
        let result = robot::load_robot(&path, &Options::default());
        let expected = BROKEN_ROBOTS.iter().find(|(end, _)| path.ends_with(end));
        match (result, expected) {
            (Ok(_), None) => loaded += 1,
            (Err(faults), Some((_, words))) if faults.to_string().contains(words) => {
                refused += 1;
                assert!(faults.0.iter().all(|f| !f.help.is_empty()), "a fault without help: {faults}");
            }
            (Err(faults), _) => wrong.push(format!("{}: {faults}", path.display())),
            (Ok(_), Some(_)) => wrong.push(format!("{} should be refused", path.display())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(loaded >= 45 && refused >= 11, "{loaded} loaded, {refused} refused");
}

#[test]
fn robots_are_what_they_are_known_to_be() {
    let Some(data) = data() else { return };
    let load = |p: &str| robot::load_robot(&data.join("robots").join(p), &Options::default()).unwrap();
    // (file, links, joints with a value, shapes, disabled pairs); counted with yourdfpy and by eye.
    for (file, links, moving, shapes, pairs) in [
        ("kuka_lbr_iiwa_7_r800_pr31/lbr_iiwa_7_r800.urdf", 10, 7, 8, 0),
        ("mecademic_meca500_r3/meca_500_r3.urdf", 7, 6, 7, 0),
        ("dual_panda_moveit/dual_panda.urdf", 25, 18, 22, 68),
        ("panda_vamp/panda.urdf", 13, 7, 11, 34),
        ("ur5_robotiq_vamp/ur5.urdf", 22, 6, 18, 88),
        ("baxter_vamp/baxter.urdf", 49, 14, 42, 338),
    ] {
        let robot = load(file).value;
        let values = robot.joints.iter().filter(|j| j.kind != JointKind::Fixed).count();
        let all: usize = robot.links.iter().map(|l| l.shapes.len()).sum();
        let found = (robot.links.len(), values, all, robot.disabled_pairs.len());
        assert_eq!(found, (links, moving, shapes, pairs), "{file}");
        for shape in robot.links.iter().flat_map(|l| &l.shapes) {
            if let ShapeDescription::Mesh { vertices, triangles } = &shape.shape {
                assert!(!triangles.is_empty());
                assert!(triangles.iter().flatten().all(|i| (*i as usize) < vertices.len()));
            }
        }
    }
    let panda = load("dual_panda_moveit/panda.urdf").value;
    let hand = panda.groups.iter().find(|g| g.name == "hand").unwrap();
    assert_eq!(hand.links, ["panda_hand", "panda_leftfinger", "panda_rightfinger"]);
    let arm = panda.groups.iter().find(|g| g.name == "panda_arm").unwrap();
    assert_eq!((arm.links.len(), &*arm.links[0], &*arm.links[8]), (9, "panda_link0", "panda_link8"));
    assert_eq!(panda.joints.iter().filter(|j| j.mimic.is_some()).count(), 1);
    // Without its SRDF the same robot has no pairs.
    let bare = Options { no_srdf: true, ..Options::default() };
    let path = data.join("robots/dual_panda_moveit/panda.urdf");
    assert!(robot::load_robot(&path, &bare).unwrap().value.disabled_pairs.is_empty());
}

/// Meshes that are broken or of no format that is read, and what the refusal must say.
const BROKEN_MESHES: [(&str, &str); 9] = [
    ("ascii_comma_decimal.stl", "write decimals with a point"),
    ("ascii_nan.stl", "line 6, facet 1: \"nan\" is not a finite number"),
    ("count_lies.stl", "claims 4294967295 triangles but the file holds 392"),
    ("empty_0_triangles.stl", "holds no triangle"),
    ("truncated_binary.stl", "claims 392 triangles but the file holds 195"),
    (".dae", "its visual scene places none of its"),
    (".vtk", "VTK"),
    // Their numbers are not there.
    (".gltf", ".bin\" does not exist"),
    (".xml", "NxuStream"),
];

#[test]
fn every_mesh_loads_or_is_refused_for_its_reason() {
    let Some(data) = data() else { return };
    let (mut loaded, mut refused) = (0, 0);
    let endings =
        [".stl", ".stla", ".stlb", ".obj", ".dae", ".vtk", ".gltf", ".glb", ".ply", "base.xml", "wheel.xml"];
    for path in ["robots", "scenes"].iter().flat_map(|d| below(&data.join(d), &endings)) {
        let name = path.to_string_lossy().into_owned();
        // The PR2's DAE files place their geometry in a physics scene only.
        let expected = BROKEN_MESHES
            .iter()
            .find(|(end, _)| name.ends_with(end) && (*end != ".dae" || name.contains("pr2_convex")));
        match (mesh::load_mesh(&path, &Options::default()), expected) {
            (Ok(found), None) => {
                loaded += 1;
                let m = found.value;
                assert!(m.vertices.iter().flatten().all(|v| v.is_finite()));
                let stray =
                    m.triangles.iter().filter(|t| t[0] == t[1] || t[1] == t[2] || t[2] == t[0]).count();
                assert_eq!(stray, 0, "{name}");
            }
            (Err(faults), Some((_, words))) => {
                refused += 1;
                assert!(faults.to_string().contains(words), "{faults}");
            }
            (Ok(_), Some(_)) => panic!("{name} should be refused"),
            (Err(faults), None) => panic!("{name}: {faults}"),
        }
    }
    assert!(loaded >= 240 && refused >= 25, "{loaded} loaded, {refused} refused");
}

/// The extents of a real glTF file are those that trimesh tells, with y turned to z.
#[test]
fn a_real_gltf_is_as_large_as_others_read_it() {
    let Some(data) = data() else { return };
    let file = "scenes/tesseract_car_seat/tesseract/support/meshes/tesseract_material_mesh.glb";
    let mesh = mesh::load_mesh(&data.join(file), &Options::default()).unwrap().value;
    let extent = |k: usize| {
        let values = || mesh.vertices.iter().map(|v| v[k]);
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    };
    let wanted = [0.25500001478940265, 0.5000000149011611, 1.0];
    assert!((0..3).all(|k| (extent(k) - wanted[k]).abs() < 1e-9) && mesh.triangles.len() == 66);
}

/// STL text and STL binary of the same PR2 hulls agree to the six decimals of the text.
#[test]
fn text_and_binary_stl_agree() {
    let Some(data) = data() else { return };
    let mut pairs = 0;
    for text in below(&data.join("robots/nasty_files/pr2_convex"), &[".stla"]) {
        let load = |p: &std::path::Path| mesh::load_mesh(p, &Options::default()).unwrap().value;
        let (a, b) = (load(&text), load(&text.with_extension("stlb")));
        assert_eq!(a.triangles, b.triangles);
        for (p, q) in a.vertices.iter().zip(&b.vertices) {
            assert!(p.iter().zip(q).all(|(x, y)| (x - y).abs() < 1e-6));
        }
        pairs += 1;
    }
    assert!(pairs >= 7, "{pairs}");
}

/// Bounds of DAE scenes with nested, scaled, rotated and repeated nodes, as trimesh 4 computes them (times
/// the unit).
#[test]
fn dae_scenes_agree_with_another_reader() {
    let Some(data) = data() else { return };
    for (file, triangles, lo, hi) in DAE_BOUNDS {
        let found = mesh::load_mesh(&data.join(file), &Options::default()).unwrap().value;
        assert_eq!(found.triangles.len(), triangles, "{file}");
        for axis in 0..3 {
            let (mut low, mut high) = (f64::MAX, f64::MIN);
            for v in &found.vertices {
                low = low.min(v[axis]);
                high = high.max(v[axis]);
            }
            assert!(
                (low - lo[axis]).abs() < 1e-6 && (high - hi[axis]).abs() < 1e-6,
                "{file} axis {axis}: {low} {high}"
            );
        }
    }
}

#[test]
fn every_scene_loads_or_is_refused_for_its_reason() {
    let Some(data) = data() else { return };
    let (mut loaded, mut refused, mut obstacles) = (0, 0, 0);
    for path in below(&data.join("scenes"), &[".yaml", ".yml"]) {
        let name = path.to_string_lossy().into_owned();
        let words = if name.contains("scene_vicon0006") {
            "holds an OctoMap"
        } else if name.contains("request")
            || name.contains("fetch_path")
            || name.contains("support/urdf")
            || name.ends_with("fetch_pick.yml")
        {
            "is not a planning scene"
        } else if name.ends_with("test.yml") {
            "does not exist; the package \"robowflex_resources\" is "
        } else if name.ends_with("fetch_scene.yml") {
            "does not exist; give the folder that holds the package"
        } else {
            ""
        };
        let package = data.join("scenes/robowflex");
        let options = Options { package_paths: vec![package], ..Options::default() };
        match (scene::load_scene(&path, &options), words) {
            (Ok(found), "") => {
                loaded += 1;
                obstacles += found.value.obstacles.len();
            }
            (Err(faults), words) if !words.is_empty() => {
                refused += 1;
                let text = faults.to_string();
                // One configuration file of another program is broken YAML on purpose.
                let broken = ["is not well-formed YAML", "is XML, and no planning scene"];
                assert!([words].iter().chain(&broken).any(|words| text.contains(words)), "{text}");
            }
            (Ok(_), _) => panic!("{name} should be refused"),
            (Err(faults), _) => panic!("{name}: {faults}"),
        }
    }
    assert!(loaded >= 40 && refused >= 30 && obstacles >= 300, "{loaded} {refused} {obstacles}");
}

/// A cell of the Panda and a planning scene: names of the scene become bodies, its matrix allowed pairs.
#[test]
fn a_planning_scene_joins_a_world() {
    let Some(data) = data() else { return };
    let folder = support::folder("scene-world");
    let sample = data.join("scenes/motionbenchmaker_panda/sample/table_under_pick_panda/scene0001.yaml");
    let (sample, urdf) =
        (sample.canonicalize().unwrap(), data.join("robots/panda_vamp/panda.urdf").canonicalize().unwrap());
    let text = format!(
        "[[robot]]\nurdf = {:?}\nname = \"arm\"\nxyz = [1, 0, 0]\n[[scene]]\nfile = {:?}\n",
        urdf.display().to_string(),
        sample.display().to_string()
    );
    let file = folder.join("cell.toml");
    std::fs::write(&file, text).unwrap();
    let world = world::load_world(&file, &Options::default()).unwrap().value;
    assert_eq!((world.robots.len(), world.obstacles.len()), (1, 12));
    let can = world.obstacles.iter().find(|o| o.name == "Can1").unwrap();
    // The planning frame is called world, so the robot's place does not move the scene.
    let p = can.pose * can.shapes[0].shape_in_body;
    assert!((p.translation.x - 0.5268272843683661).abs() < 1e-15);
    assert_eq!(can.shapes[0].shape, ShapeDescription::Cylinder { radius: 0.03, length: 0.12 });
    assert!(world.allowed.iter().any(|p| (&*p.a, &*p.b) == ("arm/panda_hand", "arm/panda_leftfinger")
        || (&*p.b, &*p.a) == ("arm/panda_hand", "arm/panda_leftfinger")));
    assert!(!world.allowed.iter().any(|p| p.a.starts_with("world/")));
}
/// (file, triangles, smallest and largest corner).
const DAE_BOUNDS: [(&str, usize, [f64; 3], [f64; 3]); 9] = [
    (
        "scenes/tesseract_car_seat/tesseract/support/meshes/box_box.dae",
        24,
        [-0.940536415, -0.47026819, 0.029731739],
        [0.940536415, 2.47026819, 1.94053638],
    ),
    (
        "scenes/tesseract_car_seat/tesseract/support/meshes/tesseract_material_mesh.dae",
        66,
        [-0.25, -0.5, -0.25],
        [0.005000022, 0.5, 0.25],
    ),
    (
        "scenes/tesseract_car_seat/tesseract/support/meshes/sphere_p25m.dae",
        160,
        [-0.237764403, -0.25, -0.25],
        [0.237764403, 0.984408021, 0.25],
    ),
    (
        "scenes/tesseract_car_seat/tesseract/support/meshes/puzzle_piece/grinder_collision.dae",
        1518,
        [-0.02999997, -0.039914481, -0.074749999],
        [0.02999997, 0.02778112, 0.068250041],
    ),
    (
        "scenes/robowflex/robowflex_resources/objects/bookshelf.dae",
        202,
        [0.805148481, 0.445968903, -0.0508],
        [1.211548529, 1.855668903, 2.1336],
    ),
    (
        "scenes/robowflex/robowflex_resources/objects/cafe_table.dae",
        68,
        [-0.4572, -0.4572, -0.0],
        [0.4572, 0.4572, 0.7747],
    ),
    (
        "scenes/meshes_fcl_coal/coal/staircases_koroibot_hr.dae",
        1276,
        [-2.277499981, -0.300000034, 0.0],
        [2.75, 1.70000001, 1.251675096],
    ),
    (
        "robots/baxter_vamp/meshes/head/H1.DAE",
        3486,
        [-0.02432864, -0.09939938, -0.133750007],
        [0.055311259, 0.089292042, 0.133750007],
    ),
    (
        "robots/baxter_vamp/meshes/electric_gripper/fingers/paddle_tip.DAE",
        1422,
        [-0.020302591, -0.000895398, -0.032868799],
        [0.020102619, 0.008099254, 0.003142118],
    ),
];
