//! Trajectories of controllers in all kinds of files: of the examples, straight ones, floating joints, what
//! is carried, and long ones.

use crate::splines::{cubic, interval, write};
use crate::support::{checked, folder, text};
use elbowroom::math::sin_cos;
use std::path::Path;

/// The worked example of docs/motions.md, and what toppra and ruckig planned.
#[test]
fn the_trajectories_of_the_examples_are_proved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/trajectories");
    let ask = |motion: &str, more: &[&str]| {
        checked(&folder, "cell.toml", &[&["--motion", motion, "--continuous"], more].concat())
    };
    // Every point is clear and every straight way free, but the controller's spline meets the shelf.
    let (code, rows, said) = ask("pick.yaml", &[]);
    assert!(code == Some(1) && rows.iter().all(|row| row["verdict"] == "clear"), "{said}");
    let [from, to] = interval(&rows[2]["edge"], "first_contact_t");
    assert!(1.07 < from && from <= to && to < 1.08, "{from} {to}");
    let (code, _, said) = ask("calm.yaml", &["--tolerance", "*=0.01"]);
    assert!(code == Some(0) && said.contains("edges: 3 free"), "{said}");
    let words = "on all ways that are apart, without their tolerance: 11.21 mm to 11.32 mm at t = 1.276 s, \
                 between arm/forearm";
    assert!(said.contains(words), "{said}");
    for (motion, pieces) in [("toppra.json", 128), ("ruckig.json", 12)] {
        let (code, rows, said) = ask(motion, &["--tolerance", "*=0.005"]);
        assert!(code == Some(0) && rows.len() == pieces + 1, "{said}");
        assert!(rows.iter().skip(1).all(|row| row["edge"]["verdict"] == "free"), "{said}");
    }
}

/// A ball of 10 cm that floats, and turns a wheel meanwhile, on its way into a ball of 20 cm: at 1 m/s it is
/// there when it has gone 1.2 m, whatever the spline of the wheel is.
#[test]
fn joints_with_transforms_go_straight_beside_splines() {
    let folder = folder("splines_transforms");
    let ball = "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";
    let drone = format!(
        "<robot name=\"drone\"><link name=\"ground\"/><link name=\"body\">{ball}</link><link \
         name=\"wheel\"/><joint name=\"fly\" type=\"floating\"><parent link=\"ground\"/><child \
         link=\"body\"/></joint><joint name=\"spin\" type=\"continuous\"><parent link=\"body\"/><child \
         link=\"wheel\"/><axis xyz=\"0 0 1\"/></joint></robot>"
    );
    write(&folder, "drone.urdf", &drone);
    write(
        &folder,
        "sky.toml",
        "margin = 0\n[[robot]]\nurdf = \"drone.urdf\"\nname = \"drone\"\n[[obstacle]]\nname = \"post\"\n\
         xyz = [1.5, 0, 1]\nshape = { type = \"sphere\", radius = 0.2 }\n",
    );
    let point = |x: f64, t: u32, more: &str| {
        format!(
            "  - {{transforms: [{{translation: {{x: {x}, y: 0, z: 1}}, rotation: {{x: 0, y: 0, z: 0, w: \
             1}}}}]{more}, time_from_start: {{sec: {t}, nanosec: 0}}}}\n"
        )
    };
    let halves = |more: &str| {
        format!(
            "joint_trajectory:\n  joint_names: [spin]\n  points:\n  - {{positions: [0], velocities: [0], \
             time_from_start: {{sec: 0, nanosec: 0}}}}\n  - {{positions: [1], velocities: [0], \
             time_from_start: {{sec: 2, nanosec: 0}}}}\nmulti_dof_joint_trajectory:\n  header: {{frame_id: \
             ground}}\n  joint_names: [fly]\n  points:\n{}{}",
            point(0.0, 0, more),
            point(2.0, 2, "")
        )
    };
    write(&folder, "into.yaml", &halves(""));
    let options = ["--motion", "into.yaml", "--continuous"];
    let (code, rows, said) = checked(&folder, "sky.toml", &options);
    assert_eq!((code, &rows[1]["edge"]["verdict"]), (Some(1), &"contact".into()), "{said}");
    let [a, b] = interval(&rows[1]["edge"], "first_contact_t");
    assert!(a <= 1.2 + 1e-12 && 1.2 <= b + 1e-12 && b - a < 1e-5, "{a} {b}");
    write(&folder, "into.yaml", &halves(", velocities: [{linear: {x: 1, y: 0, z: 0}}]"));
    let (_, _, said) = checked(&folder, "sky.toml", &options);
    assert!(
        said.contains("velocities or accelerations of joints with several values, which are not"),
        "{said}"
    );
    write(&folder, "into.yaml", &halves("").replace("w: 1", "w: 2"));
    let (code, _, said) = checked(&folder, "sky.toml", &options);
    assert_eq!(code, Some(2));
    assert_eq!(
        said.matches("turns by a quaternion of length 2, which must have length 1").count(),
        2,
        "{said}"
    );
}

/// A free trajectory of positions alone is what a controller executes too: its least clearance is told with
/// its time. Without times it has none to tell.
#[test]
fn linear_trajectories_have_their_least_clearance_in_seconds() {
    let folder = folder("splines_linear_least");
    let text = "joint_names: [turn]\npoints:\n- {positions: [-0.5], time_from_start: 0}\n\
                - {positions: [1.0], time_from_start: 3}\n- {positions: [0.25], time_from_start: 4}\n";
    write(&folder, "line.yaml", text);
    write(&folder, "line.csv", "t,turn\n0,-0.5\n3,1\n4,0.25\n");
    write(&folder, "bare.csv", "turn\n-0.5\n1\n0.25\n");
    let clearance = |turn: f64| 2.0 * sin_cos(0.5 * (std::f64::consts::FRAC_PI_2 - turn)).0 - 0.3;
    for motion in ["line.yaml", "line.csv"] {
        let (code, rows, said) = checked(&folder, "cell.toml", &["--motion", motion, "--continuous"]);
        assert_eq!((code, &rows[1]["edge"]["verdict"]), (Some(0), &"free".into()), "{said}");
        // Nearest where both ways meet, after three seconds.
        for row in &rows[1..] {
            let least = &row["edge"]["least"];
            let [low, high] = ["lower", "upper"].map(|key| least[key].as_f64().unwrap());
            let true_one = clearance(1.0);
            assert!(low <= true_one && true_one <= high + 1e-9 && high - low < 0.011 * high, "{least}");
            assert!((least["t"].as_f64().unwrap() - 3.0).abs() < 0.05, "{least}");
        }
        assert!(said.contains("least clearance on all ways that are apart: "), "{said}");
    }
    let (code, rows, said) = checked(&folder, "cell.toml", &["--motion", "bare.csv", "--continuous"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(rows[1]["edge"].get("least").is_none() && !said.contains("least clearance on all"), "{said}");
    // A yes or no is no clearance.
    let options = ["--motion", "line.csv", "--continuous", "--ask", "test"];
    let (_, rows, _) = checked(&folder, "cell.toml", &options);
    assert!(rows[1]["edge"].get("least").is_none());
}

/// A ball of 10 cm that floats, and one that stands in its way.
fn write_sky(folder: &Path, xyz: [f64; 3], radius: f64) {
    let ball = "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";
    let drone = format!(
        "<robot name=\"drone\"><link name=\"ground\"/><link name=\"body\">{ball}</link><joint name=\"fly\" \
         type=\"floating\"><parent link=\"ground\"/><child link=\"body\"/></joint></robot>"
    );
    write(folder, "drone.urdf", &drone);
    let world = format!(
        "margin = 0\n[[robot]]\nurdf = \"drone.urdf\"\nname = \"drone\"\n[[obstacle]]\nname = \"post\"\n\
         xyz = {xyz:?}\nshape = {{ type = \"sphere\", radius = {radius} }}\n"
    );
    write(folder, "sky.toml", &world);
}

/// If it rests at both ends it passes a ball of 10 cm at a distance of 20 cm; at 2 m/s it swings out to it.
#[test]
fn floating_joints_go_by_splines_of_their_velocities() {
    let folder = folder("splines_floating");
    write_sky(&folder, [0.5, 0.4, 0.0], 0.1);
    let values = ["trans_x", "trans_y", "trans_z", "rot_w", "rot_x", "rot_y", "rot_z"];
    let title = |count: usize| {
        let rates = values.iter().take(count).map(|value| format!(",fly/{value}/velocity"));
        values.iter().map(|value| format!(",fly/{value}")).chain(rates).collect::<String>()
    };
    let motion = |v: f64| {
        let rows =
            [[0.0, v], [1.0, -v]].map(|[x, v]| format!("{x},{x},0,0,{},0,0,{x},0,{v},0,0,0,0,0\n", 1.0 - x));
        format!("t{}\n{}", title(7), rows.concat())
    };
    write(&folder, "past.csv", &motion(0.0));
    let (code, _, said) = checked(&folder, "sky.toml", &["--motion", "past.csv", "--continuous"]);
    assert_eq!(code, Some(0), "{said}");
    write(&folder, "past.csv", &motion(2.0));
    let (code, rows, said) = checked(&folder, "sky.toml", &["--motion", "past.csv", "--continuous"]);
    assert_eq!((code, &rows[1]["edge"]["verdict"]), (Some(1), &"contact".into()), "{said}");
    let [a, b] = interval(&rows[1]["edge"], "first_contact_t").map(|t| {
        let [x, y] = [cubic([0.0, 1.0], [0.0, 0.0], t) - 0.5, cubic([0.0, 0.0], [2.0, -2.0], t) - 0.4];
        x.hypot(y)
    });
    assert!(a >= 0.2 - 1e-12 && 0.2 >= b - 1e-12 && a - b < 1e-5, "{a} {b}");
    // All values of the joint have a velocity, or none.
    write(&folder, "few.csv", &format!("t{}\n0,0,0,0,1,0,0,0,0,2,0\n1,1,0,0,1,0,0,0,0,-2,0\n", title(3)));
    let (code, _, said) = checked(&folder, "sky.toml", &["--motion", "few.csv", "--continuous"]);
    assert!(code == Some(2) && said.contains("no velocity for drone/fly/rot_w, drone/fly/rot_x"), "{said}");
}

/// A ball in hand goes with its carrier along the spline, 1.5 m from the axis, into one 1 rad further on.
#[test]
fn what_is_carried_goes_along_the_spline() {
    let folder = folder("splines_carried");
    let (sine, cosine) = sin_cos(1.0);
    let cell = std::fs::read_to_string(folder.join("cell.toml")).unwrap();
    let ball = "shape = { type = \"sphere\", radius = 0.05 }\n";
    let more = format!(
        "[[obstacle]]\nname = \"part\"\nmovable = true\nxyz = [1.5, 0, 0]\n{ball}[[obstacle]]\nname = \
         \"target\"\nxyz = [{}, {}, 0]\n{ball}",
        1.5 * cosine,
        1.5 * sine
    );
    write(&folder, "carried.toml", &(cell + &more));
    let contact = 1.0 - 2.0 * (0.05_f64 / 1.5).asin();
    for speed in [0.0, 2.0] {
        let event = "{\"attach\": {\"name\": \"part\", \"attached_to\": \"rod/arm\"}}";
        let text = format!(
            "{{\"t\": 0, \"q\": [0], \"v\": [0]}}\n{event}\n{{\"t\": 1, \"q\": [1.1], \"v\": [{speed}]}}\n"
        );
        write(&folder, "carry.jsonl", &text);
        let (code, rows, said) =
            checked(&folder, "carried.toml", &["--motion", "carry.jsonl", "--continuous"]);
        let edge = &rows[1]["edge"];
        assert_eq!((code, &edge["verdict"]), (Some(1), &"contact".into()), "{said}");
        assert!(edge["pair"].to_string().contains("world/part"), "{edge}");
        let [a, b] = interval(edge, "first_contact_t").map(|t| cubic([0.0, 1.1], [0.0, speed], t));
        assert!(a <= contact + 1e-12 && contact <= b + 1e-12 && b - a < 1e-5, "{speed}: {a} {b} {contact}");
    }
}

/// Three transforms in a corner: straight it is 5 cm from the post, but the spline of a controller swings out
/// behind the corner, by its formula.
#[test]
fn transforms_go_by_cubics_where_that_is_asked_for() {
    let folder = folder("splines_cubic_transforms");
    write_sky(&folder, [1.35, 0.0, 0.0], 0.2);
    let points = [0.0, 1.0, 1.0].iter().zip(0..).map(|(x, t)| {
        format!("- {{transforms: [{{translation: {{x: {x}, y: 0, z: 0}}}}], time_from_start: {t}}}\n")
    });
    write(
        &folder,
        "corner.yaml",
        &format!("header: {{frame_id: ground}}\njoint_names: [fly]\npoints:\n{}", points.collect::<String>()),
    );
    let ask = |transforms: &str| {
        let options = ["--motion", "corner.yaml", "--continuous", "--transforms", transforms];
        checked(&folder, "sky.toml", &options)
    };
    let (code, rows, said) = ask("straight");
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(rows, checked(&folder, "sky.toml", &["--motion", "corner.yaml", "--continuous"]).1);
    let (code, rows, said) = ask("cubic");
    assert_eq!((code, &rows[1]["edge"]["verdict"]), (Some(1), &"free".into()), "{said}");
    // At the corner it has 3 (1 - 0) / 4 m/s.
    let [a, b] =
        interval(&rows[2]["edge"], "first_contact_t").map(|t| cubic([1.0, 1.0], [0.75, 0.0], t - 1.0));
    assert!(a <= 1.05 + 1e-12 && 1.05 <= b + 1e-12 && b - a < 1e-5, "{a} {b}");
    write(
        &folder,
        "no.csv",
        "t,fly/trans_x,fly/trans_y,fly/trans_z,fly/rot_w,fly/rot_x,fly/rot_y,fly/rot_z\n0,0,0,0,1,0,0,0\n",
    );
    let (code, _, said) = checked(&folder, "sky.toml", &["--motion", "no.csv", "--transforms", "cubic"]);
    assert!(
        code == Some(0) && said.contains("has no joint with transforms, whose ways could be cubics"),
        "{said}"
    );
}

/// Three minutes of a controller at a kilohertz. Each row needs no more than a thousand bytes, and a file
/// that is too large is not read.
#[cfg(unix)]
#[test]
fn long_motions_are_answered_in_bounded_memory_or_refused() {
    const ROWS: u32 = 200_000;
    // Of addresses: what the program itself takes, and those thousand bytes.
    const KILOBYTES: u32 = 300_000;
    let folder = folder("splines_long");
    let mut rows = String::from("t,turn,turn/velocity\n");
    for k in 0..ROWS {
        rows += &format!("{},{},0.005\n", 0.001 * f64::from(k), 5e-6 * f64::from(k));
    }
    write(&folder, "long.csv", &rows);
    let program = env!("CARGO_BIN_EXE_elbowroom");
    let ask = |kilobytes: u32| {
        let options = "--motion long.csv --continuous --ask test --threads 1";
        let script = format!("ulimit -v {kilobytes}; exec '{program}' check cell.toml {options}");
        std::process::Command::new("sh").current_dir(&folder).args(["-c", &script]).output().unwrap()
    };
    let out = ask(KILOBYTES);
    let said = text(&out.stderr) + &text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{said}");
    assert!(said.contains("199999 free"), "{said}");
    // One byte more than is read. The file has a hole, and takes no room.
    let file = std::fs::File::create(folder.join("hole.csv")).unwrap();
    file.set_len(elbowroom_files::limits::FILE_BYTES + 1).unwrap();
    let (code, _, said) = checked(&folder, "cell.toml", &["--motion", "hole.csv", "--continuous"]);
    assert!(code == Some(2) && said.contains("hole.csv: ") && said.contains("268435456 bytes"), "{said}");
    std::fs::remove_file(folder.join("hole.csv")).unwrap();
}
