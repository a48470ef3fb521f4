//! Limits that stand for none: the joint is read as what is meant, with a warning, and the robot is not
//! refused.

use crate::support::files;
use elbowroom::describe::{JointKind, JointLimits, WorldDescription};
use elbowroom::{Checker, Question, World};
use elbowroom_files::limits::JOINT_RANGE;
use elbowroom_files::world::load_world_from;
use elbowroom_files::{Faults, Loaded, Options};
use std::path::Path;

/// A link that the joint moves past a fixed one, and a joint that follows.
fn load(kind: &str, limits: [&str; 2], follower: &str) -> Result<Loaded<WorldDescription>, Faults> {
    let [lower, upper] = limits;
    let ball = "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";
    let urdf = format!(
        "<robot name=\"r\"><link name=\"a\">{ball}</link><link name=\"b\">{ball}</link>\
         <link name=\"c\">{ball}</link>
<joint name=\"j\" type=\"{kind}\"><parent link=\"a\"/><child link=\"b\"/><origin xyz=\"0 0 1\"/>\
<limit lower=\"{lower}\" upper=\"{upper}\"/></joint>
<joint name=\"k\" type=\"{follower}\"><parent link=\"b\"/><child link=\"c\"/><origin xyz=\"0 0 1\"/>\
<limit lower=\"{lower}\" upper=\"{upper}\"/>
<mimic joint=\"j\" multiplier=\"-1\"/></joint></robot>"
    );
    load_world_from(&files(&[("/r/a.urdf", &urdf)]), Path::new("/r/a.urdf"), &Options::default())
}

#[test]
fn endless_limits_are_taken_as_what_they_mean() {
    let range = |lower, upper| Some(JointLimits { lower, upper });
    for (kind, limits, taken, taken_limits, words) in [
        (
            "revolute",
            ["-1e+16", "1e16"],
            JointKind::Continuous,
            None,
            "its limits -1e16 to 1e16 stand for none: taken as continuous",
        ),
        (
            "revolute",
            ["-1.7976931348623157e308", "1.7976931348623157e308"],
            JointKind::Continuous,
            None,
            "taken as continuous",
        ),
        ("revolute", ["-inf", "inf"], JointKind::Continuous, None, "its limits -inf to inf stand for none"),
        (
            "revolute",
            ["-1", "1e16"],
            JointKind::Revolute,
            range(-1.0, JOINT_RANGE),
            "-1 to 1000000 rad are taken",
        ),
        (
            "prismatic",
            ["-1e16", "1e16"],
            JointKind::Prismatic,
            range(-JOINT_RANGE, JOINT_RANGE),
            "-1000000 to 1000000 m are taken; distances are known to some nanometres only",
        ),
        (
            "prismatic",
            ["-inf", "0.5"],
            JointKind::Prismatic,
            range(-JOINT_RANGE, 0.5),
            "-1000000 to 0.5 m are taken",
        ),
        ("revolute", ["-1e6", "1e6"], JointKind::Revolute, range(-1e6, 1e6), ""),
        ("prismatic", ["-3", "3"], JointKind::Prismatic, range(-3.0, 3.0), ""),
    ] {
        for follower in ["revolute", "prismatic"] {
            let loaded = load(kind, limits, follower).unwrap_or_else(|f| panic!("{kind} {limits:?}: {f}"));
            let warnings: String = loaded.warnings.iter().map(|w| format!("{w}\n")).collect();
            // One for each of the two joints; and of kilometres, one that slides so far.
            let far = usize::from(limits == ["-1e6", "1e6"] && follower == "prismatic");
            assert_eq!(loaded.warnings.len(), if words.is_empty() { far } else { 2 }, "{warnings}");
            assert!(warnings.contains(words), "{kind} {limits:?}: {words:?} is not in\n{warnings}");
            let named = |joint: &str| warnings.contains(&format!("<joint name={joint:?}>"));
            assert!(words.is_empty() || (named("j") && named("k")), "{warnings}");
            let joint = &loaded.value.robots[0].robot.joints[0];
            assert_eq!((joint.kind, joint.limits), (taken, taken_limits), "{kind} {limits:?}");

            // It compiles, and a pose has its clearance: the second ball is 1 m from the first whichever way
            // it turns; what slides by
            // 0.3 is further off.
            let world = World::compile(&loaded.value).unwrap_or_else(|f| panic!("{kind} {limits:?}: {f:?}"));
            let mut checker = Checker::new(&world);
            checker.set(&[0.3]).unwrap();
            let answer = checker.ask(&Question::distance());
            assert!(
                answer.interval.width() < 1e-7 && answer.interval.lower > 0.0,
                "{kind} {limits:?}: {answer:?}"
            );
        }
    }
}

#[test]
fn limits_that_leave_no_value_are_refused() {
    for (limits, words) in [
        (["1e16", "2e16"], "give finite numbers, the lower first"),
        (["inf", "inf"], "give finite numbers, the lower first"),
        (["-inf", "-inf"], "give finite numbers, the lower first"),
    ] {
        let loaded = load("revolute", limits, "revolute").unwrap();
        let faults = World::compile(&loaded.value).unwrap_err();
        assert!(faults.0[0].to_string().contains(words), "{limits:?}: {}", faults.0[0]);
    }
    for (limits, words) in
        [(["inf", "-inf"], "is above the upper limit"), (["nan", "1"], "is not a finite number")]
    {
        crate::support::refused(&format!("{limits:?}"), load("revolute", limits, "revolute"), &[words]);
    }
}
