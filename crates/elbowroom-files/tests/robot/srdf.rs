//! SRDFs: groups and states as written, what is malformed in them, and what is strict.

use crate::support::{files, refused};
use elbowroom::describe::{NamedState, RobotDescription};
use elbowroom::world::{AllowedReason, PairStatus};
use elbowroom_files::srdf::{Group, load_srdf_from};
use elbowroom_files::world::load_world_from;
use elbowroom_files::{Faults, Loaded, Options, robot};
use std::collections::BTreeSet;
use std::path::Path;

const URDF: &str = "<robot name=\"r\">
<link name=\"a\"><collision><geometry><sphere radius=\"1\"/></geometry></collision></link><link name=\"b\"/>\
<link name=\"c\"/>
<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint>
<joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"c\"/></joint></robot>";

fn srdf(inside: &str) -> String {
    format!("<robot name=\"r\">\n{inside}\n</robot>")
}

fn resolved(inside: &str) -> Result<Loaded<RobotDescription>, Faults> {
    let files = files(&[("/r/a.urdf", URDF), ("/r/a.srdf", &srdf(inside))]);
    robot::load_robot_from(&files, Path::new("/r/a.urdf"), &Options::default())
}

fn texts(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| n.to_string()).collect()
}

#[test]
fn groups_and_states_are_as_written() {
    let text = srdf(
        "<group name=\"arm\"><chain base_link=\"a\" tip_link=\"nowhere\"/><joint name=\"j\"/>\
         <joint name=\"v\"/></group>
<group name=\"all\"><link name=\"c\"/><group name=\"arm\"/><group name=\"lost\"/></group>
<group name=\"none\"/>
<group_state name=\"home\" group=\"arm\"><joint name=\"j\" value=\"0.5\"/><joint name=\"v\" value=\"1 2 3\"/>\
</group_state>
<group_state name=\"up\"><joint name=\"j\" value=\"1.\"/></group_state>",
    );
    let path = Path::new("/r/a.srdf");
    let loaded = load_srdf_from(&files(&[("/r/a.srdf", &text)]), path, &Options::default()).unwrap();
    assert_eq!((loaded.value.robot.as_str(), &loaded.files[..]), ("r", &[path.to_path_buf()][..]));
    let arm = Group {
        name: "arm".into(),
        joints: texts(&["j", "v"]),
        chains: vec![["a", "nowhere"].map(String::from)],
        ..Group::default()
    };
    let all = Group {
        name: "all".into(),
        links: texts(&["c"]),
        groups: texts(&["arm", "lost"]),
        ..Group::default()
    };
    assert_eq!(loaded.value.groups, [arm, all, Group { name: "none".into(), ..Group::default() }]);
    let state = |name: &str, group: &str, values: &[(&str, &[f64])]| NamedState {
        name: name.into(),
        group: group.into(),
        values: values.iter().map(|(joint, v)| (joint.to_string(), v.to_vec())).collect(),
    };
    let home = state("home", "arm", &[("j", &[0.5]), ("v", &[1.0, 2.0, 3.0])]);
    assert_eq!(loaded.value.states, [home, state("up", "", &[("j", &[1.0])])]);
    let [warning] = &loaded.warnings[..] else { panic!("{:?}", loaded.warnings) };
    assert!(warning.to_string().starts_with("/r/a.srdf: line 6, <group_state name=\"up\">: has no group"));
    for (text, words) in [("<sdf/>", "is an SDF file, not an SRDF"), ("<robot", "is not well-formed XML")] {
        refused(text, load_srdf_from(&files(&[("/r/a.srdf", text)]), path, &Options::default()), &[words]);
    }
}

#[test]
fn what_is_malformed_and_disables_nothing_is_left_out_with_a_warning() {
    for (inside, words) in [
        ("<group/>", "line 2, <group>: has no name: the group is left out"),
        ("<group name=\" \"/>", "its name is empty: the group is left out"),
        ("<group name=\"g\"><link/></group>", "line 2, <link>: has no name: the group is left out"),
        (
            "<group name=\"g\"><joint name=\"\"/></group>",
            "<joint name=\"\">: has no name: the group is left out",
        ),
        ("<group name=\"g\"><group/></group>", "has no name: the group is left out"),
        ("<group name=\"g\"><chain base_link=\"a\"/></group>", "has no tip_link: the group is left out"),
        (
            "<group name=\"g\"><chain base_link=\"a\" tip_link=\"cc\"/></group>",
            "its chain names the link \"cc\", which the robot has not: the group is left out; did you mean \
             \"c\"?",
        ),
        (
            "<group name=\"g\"><group name=\"h\"/></group>",
            "names a group \"h\" that does not exist: left out",
        ),
        (
            "<group name=\"g\"><link name=\"a\"/></group><group name=\"g\"/><group name=\"g\"/>",
            "3 groups have this name: they are left out; rename all but one",
        ),
        (
            "<group name=\"g\"><link name=\"a\"/><group name=\"h\"/></group><group name=\"h\">\
             <chain base_link=\"z\" tip_link=\"a\"/></group>",
            "holds a group that was left out: left out too",
        ),
        ("<group_state group=\"g\"/>", "has no name: the state is left out"),
        (
            "<group_state name=\"s\" group=\"g\"><joint name=\"j\" value=\"1\"/><joint name=\"j\"/>\
             </group_state>",
            "has no name or no value: the state is left out",
        ),
        (
            "<group_state name=\"s\" group=\"g\"><joint name=\"j\" value=\"1,5\"/></group_state>",
            "value=\"1,5\" is not finite numbers: the state is left out",
        ),
        (
            "<group_state name=\"s\" group=\"g\"><joint name=\"j\" value=\"inf\"/></group_state>",
            "value=\"inf\" is not finite numbers: the state is left out",
        ),
    ] {
        let loaded = resolved(inside).unwrap_or_else(|faults| panic!("{inside}: {faults}"));
        let warnings: String = loaded.warnings.iter().map(|w| format!("{w}\n")).collect();
        assert!(warnings.contains(words), "{inside}: {words:?} is not in\n{warnings}");
        let robot = loaded.value;
        assert_eq!((robot.groups.len(), robot.states.len()), (0, 0), "{inside}: {robot:?}");
    }
    // These were never read: nothing is wrong with them that matters.
    let loaded = resolved("<end_effector/><virtual_joint/><passive_joint/><unheard_of/>").unwrap();
    assert_eq!(loaded.warnings, []);
    // A state without a group still is a state.
    let loaded = resolved("<group_state name=\"s\"><joint name=\"j\" value=\"1\"/></group_state>").unwrap();
    let state = NamedState { name: "s".into(), group: String::new(), values: vec![("j".into(), vec![1.0])] };
    assert_eq!((loaded.value.states, loaded.warnings.len()), (vec![state], 1));
}

#[test]
fn a_group_that_was_left_out_is_not_to_be_checked_in_part() {
    let world = "checks = [[\"r/g\", \"world\"]]\n[[robot]]\nurdf = \"a.urdf\"\n[[obstacle]]\nname = \"o\"\n\
        shape = { type = \"sphere\", radius = 1 }\n";
    let load = |group: &str| {
        let files = files(&[("/r/a.urdf", URDF), ("/r/a.srdf", &srdf(group)), ("/r/w.toml", world)]);
        load_world_from(&files, Path::new("/r/w.toml"), &Options::default())
    };
    assert!(load("<group name=\"g\"><link name=\"a\"/></group>").is_ok());
    let half = load("<group name=\"g\"><link name=\"a\"/><chain base_link=\"a\"/></group>");
    refused("half a group", half, &["refers to \"r/g\", but no body, group or robot has that name"]);
}

#[test]
fn an_srdf_of_another_robot_is_one_warning_for_its_links_and_one_for_its_joints() {
    let links: String = (0..9)
        .map(|k| format!("<disable_collisions link1=\"a\" link2=\"x{k}\" reason=\"Never\"/>\n"))
        .collect();
    let joints: String = (0..9).map(|k| format!("<joint name=\"y{k}\" value=\"0\"/>")).collect();
    let loaded =
        resolved(&format!("{links}<group_state name=\"s\" group=\"g\">{joints}</group_state>")).unwrap();
    let [joints, links] = &loaded.warnings[..] else { panic!("{:?}", loaded.warnings) };
    assert!(
        links.to_string().contains("the robot has no link \"x0\", \"x1\", \"x2\" and 6 others: ignored"),
        "{links}"
    );
    assert!(
        joints.to_string().contains("the robot has no joint \"y0\", \"y1\", \"y2\" and 6 others: ignored"),
        "{joints}"
    );
}

#[test]
fn what_disables_pairs_is_strict() {
    for (inside, words) in [
        ("<disable_collisions link1=\"a\"/>", "has no link2; write link2=\"...\""),
        ("<disable_collisions link1=\"\" link2=\"b\"/>", "has no link1"),
        ("<enable_collisions link2=\"a\"/>", "has no link1"),
        ("<disable_default_collisions/>", "has no link"),
    ] {
        refused(inside, resolved(inside), &[words]);
    }
}

#[test]
fn a_state_that_names_a_joint_twice_is_left_out() {
    let state = "<group_state name=\"s\" group=\"g\"><joint name=\"j\" value=\"1\"/>\
        <joint name=\"j\" value=\"2\"/></group_state>";
    let loaded = resolved(state).unwrap();
    assert!(loaded.value.states.is_empty());
    let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    let words = "line 2, <joint name=\"j\">: names a joint a second time: the state is left out";
    assert!(warnings.iter().any(|w| w.contains(words)), "{warnings:?}");
}

/// The warnings of an SRDF, in one text.
fn told(inside: &str) -> String {
    let loaded = resolved(inside).unwrap();
    loaded.warnings.iter().map(|w| format!("{w}\n")).collect()
}

#[test]
fn misspelt_elements_are_told() {
    for (inside, words) in [
        (
            "<disable_colisions link1=\"a\" link2=\"b\"/>",
            "line 2, <disable_colisions link1=\"a\" link2=\"b\">: <disable_colisions> is unknown: ignored; \
             did you mean <disable_collisions>?",
        ),
        ("<enable_collision link1=\"a\" link2=\"b\"/>", "did you mean <enable_collisions>?"),
        ("<Group name=\"g\"/>", "<Group> is unknown: ignored; did you mean <group>?"),
        ("<group_sate name=\"g\"/>", "did you mean <group_state>?"),
        ("<group name=\"g\"><lnk name=\"a\"/></group>", "<lnk> is unknown: the group is left out"),
        (
            "<group_state name=\"s\" group=\"g\"><jont name=\"j\" value=\"1\"/></group_state>",
            "<jont> is unknown: the state is left out; did you mean <joint>?",
        ),
    ] {
        let told = told(inside);
        assert!(told.contains(words), "{words:?} is not in {told}");
        let robot = resolved(inside).unwrap().value;
        assert!(robot.groups.is_empty() && robot.states.is_empty() && robot.disabled_pairs.is_empty());
    }
    // What other programs add is theirs.
    let others = "<group_tcps group=\"g\"/><kinematics_plugin_config filename=\"f\"/><x:groop xmlns:x=\"x\"/>\
        <contact_managers_plugin_config/><calibration_config/><gripper/>";
    assert_eq!(told(others), "");
}

#[test]
fn an_enabled_pair_is_checked_or_it_is_said_that_it_is_not() {
    let urdf = "<robot name=\"r\">
<link name=\"a\"><collision><geometry><sphere radius=\"1\"/></geometry></collision></link>
<link name=\"empty\"/><link name=\"flange\"/>
<link name=\"b\"><collision><geometry><sphere radius=\"1\"/></geometry></collision></link>
<link name=\"tool\"><collision><geometry><sphere radius=\"1\"/></geometry></collision></link>
<link name=\"c\"><collision><geometry><sphere radius=\"1\"/></geometry></collision></link>
<joint name=\"i\" type=\"continuous\"><parent link=\"a\"/><child link=\"empty\"/></joint>
<joint name=\"j\" type=\"continuous\"><parent link=\"empty\"/><child link=\"flange\"/></joint>
<joint name=\"f\" type=\"fixed\"><parent link=\"flange\"/><child link=\"b\"/></joint>
<joint name=\"g\" type=\"fixed\"><parent link=\"b\"/><child link=\"tool\"/></joint>
<joint name=\"k\" type=\"continuous\"><parent link=\"tool\"/><child link=\"c\"/></joint></robot>";
    let all = ["a", "empty", "flange", "b", "tool", "c"];
    let mut kinds = BTreeSet::new();
    for (k, one) in all.iter().enumerate() {
        for two in &all[k + 1..] {
            let text = srdf(&format!("<enable_collisions link1=\"{two}\" link2=\"{one}\"/>"));
            let files = files(&[("/r/a.urdf", urdf), ("/r/a.srdf", &text)]);
            let options = Options::default();
            let loaded = load_world_from(&files, Path::new("/r/a.urdf"), &options).unwrap();
            let said: String = loaded.warnings.iter().map(|w| format!("{w}\n")).collect();
            // What the engine does is the truth.
            let world = elbowroom::World::compile(&loaded.value).unwrap();
            let [one, two] = [one, two].map(|link| world.body_by_name(&format!("r/{link}")).unwrap());
            let told = match world.status(one, two).unwrap() {
                PairStatus::Checked(_) => "",
                PairStatus::Allowed(AllowedReason::Adjacent) => {
                    "enables links that are neighbours: they are not checked"
                }
                PairStatus::Allowed(AllowedReason::RigidlyJoined) => "that never move relative to each other",
                PairStatus::Allowed(AllowedReason::NoShapes) => continue,
                other @ PairStatus::Allowed(_) => panic!("{other:?}"),
            };
            assert!(said.contains(told) && said.is_empty() == told.is_empty(), "{told:?}: {said}");
            kinds.insert(told);
        }
    }
    assert_eq!(kinds.len(), 3, "{kinds:?}");
    // A pair that is both is checked.
    let pair = "link1=\"a\" link2=\"c\"";
    let both = format!("<disable_collisions {pair}/><enable_collisions {pair}/>");
    let loaded = resolved(&both).unwrap();
    assert!(loaded.value.disabled_pairs.is_empty());
    assert!(
        loaded.warnings.iter().any(|w| w.what == "disables a pair that the file enables too: it is checked")
    );
}
