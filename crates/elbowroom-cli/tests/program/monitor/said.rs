//! What reasons say, to people.

use super::faults::{GUARD, answered, at_rest, rod, stops_for, told};
use super::monitor;
use crate::support::{CELL, text};
use serde_json::{Value, json};
use std::path::Path;

fn answers(folder: &Path, input: &[Value]) -> Vec<Value> {
    let text: String = input.iter().map(|line| format!("{line}\n")).collect();
    answered(&told(folder, &[], text.as_bytes()).stdout)
}

fn state(k: usize, q: f64, qd: f64) -> Value {
    json!({"t": 0.01 * k as f64, "q": [q], "qd": [qd]})
}

#[test]
fn what_is_waited_for_is_named_and_what_to_do() {
    let folder = rod("monitor_waits");
    let bare = json!({"t": 0.0, "q": [0.2]});
    let said = answers(&folder, std::slice::from_ref(&bare));
    let words = "the velocity of rod/turn is not known yet: send qd, or another state";
    assert_eq!(stops_for(&said[0], "waiting"), words);
    // One state alone is never judged; the message says what it lacks.
    let once = told(&folder, &["--once"], format!("{bare}\n").as_bytes());
    assert_eq!(once.status.code(), Some(2));
    assert!(text(&once.stderr).contains(&format!("no state was judged: {words}")), "{}", text(&once.stderr));
    let once = told(&folder, &["--once"], b"{\"reset\": {}}\n");
    let says = text(&once.stderr);
    assert!(once.status.code() == Some(2) && says.contains("no state was judged: rod has not rep"), "{says}");
    let once = told(&folder, &["--once"], format!("{}\n", at_rest(0)).as_bytes());
    assert_eq!(once.status.code(), Some(0));
}

#[test]
fn a_cloud_that_was_never_told_is_named() {
    let folder = rod("monitor_untold");
    let cloud = "[[cloud]]\nname = \"scan\"\nradius = 0.05\npoints = 3\n";
    std::fs::write(folder.join("cell.toml"), format!("{CELL}{cloud}{GUARD}")).unwrap();
    let see = |points: Value| json!({"see": {"name": "scan", "points": points}});
    let hide = || json!({"hide": {"name": "scan"}});
    let said = answers(
        &folder,
        &[
            state(0, 0.2, 0.0),
            // Nothing is there, said twice; then something is, at the end of the rod.
            hide(),
            hide(),
            state(1, 0.2, 0.0),
            see(json!([[0.98, 0.05, 0.0]])),
            state(2, 0.2, 0.0),
            hide(),
            state(3, 0.2, 0.0),
            see(json!([])),
            json!({"see": {"name": "scan"}}),
        ],
    );
    let words = "nothing is proved before world/scan is told: send see with its points, or hide if nothing \
                 is there";
    assert_eq!(stops_for(&said[0], "unproved"), words);
    assert!([1, 2, 4, 6].into_iter().all(|k| said[k]["accepted"] == true), "{said:?}");
    assert_ne!(said[3]["command"], "stop", "{}", said[3]);
    assert!(stops_for(&said[5], "collision").contains("world/scan"), "{}", said[5]);
    assert_ne!(said[7]["command"], "stop", "{}", said[7]);
    // A sensor that sees nothing at all may be blind: the points of nothing are refused, here as there.
    assert!(stops_for(&said[8], "event").contains("hide it if that means"), "{}", said[8]);
    assert!(stops_for(&said[9], "unreadable").contains("where nothing is, send {\"hide\""), "{}", said[9]);
}

#[test]
fn numbers_are_told_as_they_are() {
    let folder = rod("monitor_numbers");
    let of = |line: Value| answers(&folder, &[state(0, 0.2, 0.0), line]).remove(1);
    let far = of(json!({"t": 0.01, "q": [1e300]}));
    let words = "a value of rod/turn is 1e300: it must be finite, and not beyond 1000000.0";
    assert_eq!(stops_for(&far, "not_finite"), words);
    let strong = of(json!({"t": 0.01, "q": [0.2], "force": 1e7}));
    let words = "the force on the hand of rod is not finite, or beyond 1e6 N";
    assert_eq!(stops_for(&strong, "not_finite"), words);
    let two = of(json!({"t": 0.01, "q": [0.2], "robot": "rod", "force": [1, 2]}));
    let words = "force has 2 numbers, and a state of rod has 1 there: one for each robot";
    assert_eq!(stops_for(&two, "wrong_count"), words);
    let none = of(json!({"t": 0.01, "q": [0.2], "effort": []}));
    let words = "effort has 0 numbers, and a state of all robots has 1 there: one for each joint value";
    assert_eq!(stops_for(&none, "wrong_count"), words);
    // After a stop the speed rises by 2 % a period.
    let input = [state(0, 0.2, 0.0), json!("no line"), json!({"reset": {}}), state(1, 0.2, 0.0)];
    let said = answers(&folder, &input);
    let reason = |k: usize| said[k]["reasons"][0]["text"].as_str().unwrap().to_string();
    assert_eq!(reason(2), "the speed rises slowly from zero, from the next state on");
    assert_eq!(reason(3), "the speed rises slowly, now to 2.0 %");
    // No stop is for a speed that rises.
    assert!(said[2]["command"] == "slow" && said[2]["speed"] == 0.0, "{}", said[2]);
}

/// Where a nearer place was found it is told; where one could only not be excluded, that is said.
#[test]
fn a_contact_that_is_only_not_excluded_is_told_so() {
    let (mut near, mut not_excluded) = (0, 0);
    for script in ["bump", "door", "cross"] {
        for answer in answered(&monitor(&[], script).stdout) {
            for reason in answer["reasons"].as_array().unwrap() {
                if reason["kind"] != "collision" || answer["command"] != "stop" {
                    continue;
                }
                let words = reason["text"].as_str().unwrap();
                let [measured, limit] = ["measured", "limit"].map(|key| reason[key].as_f64().unwrap());
                let found = measured <= limit;
                assert_eq!(found, words.contains(" could come within 3.00 mm of "), "{measured}: {words}");
                let open =
                    words.starts_with("nothing excludes that ") && words.contains(" comes within 3.00");
                assert_eq!(!found, open, "{measured}: {words}");
                near += usize::from(found);
                not_excluded += usize::from(!found);
            }
        }
    }
    println!("{near} found, {not_excluded} not excluded");
    assert!(near > 100 && not_excluded > 10, "{near} {not_excluded}");
}

#[test]
fn points_that_are_likely_millimetres_are_doubted_once() {
    let folder = rod("monitor_millimetres");
    let cloud = "[[cloud]]\nname = \"scan\"\nradius = 0.05\npoints = 3\n";
    std::fs::write(folder.join("cell.toml"), format!("{CELL}{cloud}{GUARD}")).unwrap();
    let warned = |clouds: &[Value]| {
        let see = |points: &Value| format!("{}\n", json!({"see": {"name": "scan", "points": points}}));
        let seen: String = clouds.iter().map(see).collect();
        let out = told(&folder, &[], format!("{}\n{seen}", at_rest(0)).as_bytes());
        assert!(answered(&out.stdout)[1..].iter().all(|answer| answer["accepted"] == true));
        let said = text(&out.stderr);
        let warnings: Vec<String> =
            said.lines().filter(|l| l.starts_with("warning: ")).map(Into::into).collect();
        warnings
    };
    let hand = json!([[480, -2100, 300], [500, -2050, 320]]);
    let found = warned(&[hand.clone(), hand.clone()]);
    let [one] = &found[..] else { panic!("{found:?}") };
    assert!(one.contains("the nearest point of scan is 2134 m from all robots: points are metres"), "{one}");
    assert!(one.contains("if these are millimetres, divide them by 1000"), "{one}");
    // Some of it is very near the base.
    let found = warned(&[json!([[20, 30, 40], [900, 800, 700]])]);
    assert!(found.len() == 1 && found[0].contains("the farthest point of scan is 1393 m"), "{found:?}");
    // What sensors see is not doubted: a far wall, behind a near floor.
    assert!(warned(&[json!([[0.5, 3, -1], [480, 10, 5]]), json!([[80, 0, 0]])]).is_empty());
}

#[test]
fn people_in_the_way_are_told_in_metres() {
    let folder = rod("monitor_metres");
    let more = "[[cloud]]\nname = \"people\"\nradius = 0.05\npoints = 3\n[guard.people]\n\
        bodies = [\"people\"]\nspeed = 1.6\ntime = 0.2\nintrusion = 0.1\nuncertainty = 0.05\nlate = 0.05\n\
        near = 1.5\n";
    std::fs::write(folder.join("cell.toml"), format!("{CELL}{more}{GUARD}")).unwrap();
    let with = |at: [f64; 3]| {
        let line = json!({"t": 0.0, "q": [0.2], "qd": [0], "see": {"name": "people", "points": [at]}});
        let said = answers(&folder, &[line]);
        stops_for(&said[0], "separation").to_string()
    };
    let words = with([1.0, -0.4, 0.0]);
    assert!(words.contains("could come within 0.") && words.ends_with(" m of each other, and need 0.550 m"));
    // In the ball at its end.
    let words = with([0.98, 0.1, 0.0]);
    assert!(words.ends_with("could meet, and need 0.550 m between them"), "{words}");
}

#[test]
fn events_without_a_time_follow_the_clock_of_the_states() {
    let folder = rod("monitor_behind");
    let reset = || json!({"reset": {}});
    let at = |t: f64| json!({"t": t, "q": [0.2], "qd": [0]});
    // The clock of the controller is far behind zero, or far ahead.
    for zero in [-5000.0, 1.7e9] {
        let input = [
            reset(),
            at(zero),
            reset(),
            json!("no line"),
            reset(),
            at(zero + 0.01),
            reset(),
            at(zero + 0.02),
        ];
        let said = answers(&folder, &input);
        let accepted: Vec<&Value> = [0, 2, 4, 6].map(|k| &said[k]["accepted"]).into();
        assert_eq!(accepted, [true; 4].map(Value::from).iter().collect::<Vec<_>>(), "{zero}: {said:?}");
        assert!(said[1]["command"] == "permit" && said[5]["command"] == "slow", "{zero}: {said:?}");
        // Behind each reset the speed rises from zero.
        let speed = |k: usize| said[k]["speed"].as_f64().unwrap();
        assert!(speed(5) > 0.019 && (speed(7) - speed(5)).abs() < 1e-6, "{zero}: {said:?}");
    }
}

#[test]
fn whoever_asks_for_the_settings_changes_nothing() {
    let folder = rod("monitor_settings_asked");
    let _ = std::fs::remove_file(folder.join("asked.record"));
    let ask = json!({"t": 1e6, "settings": {}});
    let input: String = [json!({"settings": {}}), state(0, 0.2, 0.0), ask, state(1, 0.2, 0.0)]
        .map(|line| format!("{line}\n"))
        .concat();
    let out = told(&folder, &["--record", "asked.record"], input.as_bytes());
    let said = answered(&out.stdout);
    stops_for(&said[0], "waiting");
    let commands: Vec<&str> = said.iter().map(|answer| answer["command"].as_str().unwrap()).collect();
    assert_eq!(commands, ["stop", "permit", "permit", "permit"]);
    for k in [0, 2] {
        assert_eq!(said[k]["settings"], json!({"period": 0.01, "late": 0.025}));
        assert_eq!(said[k]["fingerprint"], said[1]["fingerprint"]);
    }
    // What holds is that of the state before, whatever time the line names.
    assert_eq!((&said[2]["t"], &said[3]["t"]), (&json!(0.0), &json!(0.01)));
    let again = crate::support::run(&folder, &["replay", "asked.record"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    stops_for(&answers(&folder, &[json!({"settings": {"late": 1}})])[0], "unreadable");
}
