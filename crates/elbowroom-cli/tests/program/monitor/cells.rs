//! What world files tell a guard: zones, templates, clouds, and forces on the hand.

use super::faults::{GUARD, answered, stops_for, told};
use crate::support::{CELL, folder};
use serde_json::{Value, json};

/// The answers to lines about the rod in a cell with more in it.
fn answers(test: &str, more: &str, guard: &str, input: &[Value]) -> Vec<Value> {
    let folder = folder(test);
    let guard = GUARD.replace("[guard]\n", &format!("[guard]\n{guard}"));
    std::fs::write(folder.join("cell.toml"), format!("{CELL}{more}{guard}")).unwrap();
    let text: String = input.iter().map(|line| format!("{line}\n")).collect();
    let out = told(&folder, &[], text.as_bytes());
    assert_eq!(out.status.code(), Some(0), "{}", crate::support::text(&out.stderr));
    answered(&out.stdout)
}

#[test]
fn zones_stop_the_arms_by_their_name() {
    // The rod of a metre lies along x, turned by 0.2 rad; the zone ends 0.4 m beside the x axis.
    let zone = "[[zone]]\nname = \"aisle\"\nkind = \"keep_in\"\n\
        planes = [{ normal = [0, -1, 0], offset = -0.4 }]\n";
    let turning = json!({"t": 0.0, "q": [0.2], "qd": [0.9]});
    let resting = json!({"t": 0.0, "q": [0.2], "qd": [0.0]});
    let free = answers("monitor_no_zone", "", "", std::slice::from_ref(&turning));
    assert_ne!(free[0]["command"], "stop", "{}", free[0]);
    let permitted = answers("monitor_zone", zone, "", &[resting]);
    assert_eq!(permitted[0]["command"], "permit", "{}", permitted[0]);
    let stopped = answers("monitor_zone", zone, "", &[turning]);
    let says = stops_for(&stopped[0], "zone");
    assert!(says.contains("of where world/aisle does not let it before the arms rest"), "{says}");
}

#[test]
fn templates_bring_their_roles() {
    // A shelf that stands where the rod would come by; it may be put down on, and by default not touched.
    let template = "[[template]]\ntext = \"(shelf ((board (supporting (10 10 1) (3 6 4)))) \
        (10 10 10) (3 6 -5))\"\n\
        unit = 0.1\nanchor = \"foot_centre\"\n";
    let turning = json!({"t": 0.0, "q": [0.2], "qd": [0.9]});
    let stopped = answers("monitor_template", template, "", &[turning]);
    let says = stops_for(&stopped[0], "collision");
    assert!(says.contains("world/shelf"), "{says}");
}

#[test]
fn a_cloud_is_seen_line_by_line_and_never_taken_for_empty() {
    let cloud = "[[cloud]]\nname = \"people\"\nradius = 0.05\npoints = 3\n";
    let people = "[guard.people]\nbodies = [\"people\"]\nspeed = 1.6\ntime = 1.2\nintrusion = 0.1\n\
        uncertainty = 0.05\nlate = 0.05\nnear = 1.5\n";
    let state = |k: usize| json!({"t": 0.01 * k as f64, "q": [0.2], "qd": [0.0]});
    let see =
        |k: usize, points: Value| json!({"t": 0.01 * k as f64, "see": {"name": "people", "points": points}});
    let input = [
        state(0),
        see(0, json!([[6.0, 0.0, 0.0]])),
        state(1),
        see(1, json!([[0.5, -0.4, 0.0], [6.0, 0.0, 0.0]])),
        state(2),
        see(2, json!([[6.0, 0.0, 0.0]])),
        state(3),
        state(8),
        see(8, json!([[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]])),
        json!({"t": 0.081, "see": {"name": "people", "points": [[0, 0]]}}),
        json!({"t": 0.082, "see": {"name": "people", "points": []}}),
    ];
    // Nothing is late but the people.
    let told = answers("monitor_cloud", &format!("{cloud}{people}"), "late = 1\n", &input);
    assert!(stops_for(&told[0], "unseen").contains("world/people is has not been told yet"), "{}", told[0]);
    assert_eq!((&told[1]["event"], &told[1]["accepted"]), (&json!("see"), &json!(true)), "{}", told[1]);
    assert_ne!(told[2]["command"], "stop", "{}", told[2]);
    stops_for(&told[4], "separation");
    assert_ne!(told[6]["command"], "stop", "{}", told[6]);
    assert!(stops_for(&told[7], "unseen").contains("told 60.0 ms ago"), "{}", told[7]);
    // More points than the cloud has room for, and points of two numbers.
    stops_for(&told[8], "event");
    assert!(stops_for(&told[9], "unreadable").contains("points holds what is no point"), "{}", told[9]);
    // A sensor that sees nothing at all may be blind: that nobody is there is said by hiding the cloud.
    assert!(stops_for(&told[10], "event").contains("hide it if that means"), "{}", told[10]);
}

#[test]
fn people_who_come_back_are_there() {
    let cloud = "[[cloud]]\nname = \"people\"\nradius = 0.05\npoints = 3\n";
    let people = "[guard.people]\nbodies = [\"people\"]\nspeed = 1.6\ntime = 1.2\nintrusion = 0.1\n\
        uncertainty = 0.05\nlate = 0.05\nnear = 1.5\n";
    let line = |t: f64, more: Value| {
        let mut line = json!({"t": t, "q": [0.2], "qd": [0.0]});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        line
    };
    let hide = json!({"hide": {"name": "people"}});
    let at_the_arm = json!({"see": {"name": "people", "points": [[0.6, 0.0, 0.0]]}});
    let input = [
        // A tracker may begin before the arms.
        json!({"t": 0.0, "hide": {"name": "people"}}),
        line(0.01, hide.clone()),
        line(0.02, hide),
        line(0.03, at_the_arm.clone()),
        line(0.04, json!({})),
        json!({"t": 900.0, "hide": {"name": "people"}}),
        json!({"t": 0.05, "reset": {}}),
        line(0.05, at_the_arm),
    ];
    let told = answers("monitor_people", &format!("{cloud}{people}"), "late = 1\n", &input);
    assert_eq!(told[0]["accepted"], true, "{}", told[0]);
    assert_ne!(told[2]["command"], "stop", "{}", told[2]);
    // Seen with the state, and hidden before: the stop is that state's.
    stops_for(&told[3], "separation");
    stops_for(&told[4], "separation");
    // What comes from the future is refused, and holds nothing up.
    assert!(stops_for(&told[5], "event").contains("later than the next one may come"), "{}", told[5]);
    assert_eq!(told[6]["accepted"], true, "{}", told[6]);
    stops_for(&told[7], "separation");
    assert!(!told[7].to_string().contains("latched"), "{}", told[7]);
}

#[test]
fn nobody_and_nothing_are_refused_at_the_start() {
    let people = "[guard.people]\nbodies = []\nspeed = 1.6\ntime = 1.2\nintrusion = 0.1\n\
        uncertainty = 0.05\nlate = 0.05\nnear = 1.5\n";
    let zone = "[[zone]]\nname = \"z\"\nkind = \"keep_out\"\nbodies = [\"rod/base\"]\n\
        shape = { type = \"sphere\", radius = 1 }\n";
    let folder = folder("monitor_nobody");
    let post = people.replace("bodies = []", "bodies = [\"post\"]")
        + "[[obstacle]]\nname = \"post\"\nxyz = [4, 0, 0]\nshape = { type = \"sphere\", radius = 0.1 }\n";
    let cloud = people.replace("bodies = []", "bodies = [\"seen\"]")
        + "[[cloud]]\nname = \"seen\"\nradius = 0.1\npoints = 9\n[[obstacle]]\nname = \"part\"\n\
           movable = true\ntouch = [\"world/seen\"]\nshape = { type = \"sphere\", radius = 0.1 }\n";
    for (more, words) in [
        (people, "nobody is named"),
        (zone, "nothing is checked against world/z"),
        (
            &post,
            "world/post is fixed, so nobody can tell where it is; name movable obstacles, which a tracker",
        ),
        (&cloud, "touch names \"world/seen\", which stands for people; take it out of touch"),
    ] {
        std::fs::write(folder.join("cell.toml"), format!("{CELL}{more}{GUARD}")).unwrap();
        let out = told(&folder, &[], b"");
        let said = crate::support::text(&out.stderr);
        assert!(out.status.code() == Some(2) && said.contains(words), "{said}");
    }
}

#[test]
fn a_force_beyond_its_limit_stops_the_arms() {
    let state =
        |k: usize, force: Value| json!({"t": 0.01 * k as f64, "q": [0.2], "qd": [0.0], "force": force});
    let input =
        [state(0, json!(50.0)), state(1, json!([60.5])), state(2, json!([1, 2])), state(3, json!("1"))];
    let told = answers("monitor_force", "", "contact_force = 60\n", &input);
    assert_eq!(told[0]["command"], "permit", "{}", told[0]);
    let says = stops_for(&told[1], "contact_force");
    assert_eq!(says, "the force on the hand of rod is 60.5 N, and may be 60.0 N");
    stops_for(&told[2], "wrong_count");
    stops_for(&told[3], "unreadable");
}
