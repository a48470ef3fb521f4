//! Zones, templates and clouds of world files.

use crate::support::refused;
use crate::worlds::world;
use elbowroom::describe::WorldDescription;
use elbowroom::world::PairStatus;
use elbowroom::{Checker, Question, World};
use elbowroom_files::Faults;
use elbowroom_files::fault::ZoneKind;

/// The world of one robot: a ball of 1 m on link `a`, which is still, and `b` without a shape.
fn with(text: &str) -> Result<WorldDescription, Faults> {
    world(&format!("[[robot]]\nurdf = \"a.urdf\"\n{text}")).map(|loaded| loaded.value)
}

/// A movable ball of 0.1 m.
const BALL: &str = "[[obstacle]]\nname = \"ball\"\nmovable = true\nxyz = [5, 0, 0]\n\
    shape = { type = \"sphere\", radius = 0.1 }\n";

/// The distances of the ball at places from all that it is checked against, with names.
fn distances(d: &WorldDescription, at: [f64; 3]) -> Vec<(String, f64)> {
    let world = World::compile(d).unwrap();
    let ball = world.body_by_name("world/ball").unwrap();
    let mut checker = Checker::new(&world);
    checker.set(&[0.0]).unwrap();
    checker.place(ball, &elbowroom::math::Transform::from_translation(at.into())).unwrap();
    // What nobody carries is not checked against what is as still as it.
    checker.attach(ball, world.body_by_name("arm/b").unwrap(), &[]).unwrap();
    let mut found = Vec::new();
    checker.all_pairs(&Question::distance(), |answer| {
        let [a, b] = world.body_names(world.pairs().get(answer.pair).unwrap()).unwrap();
        let other = if a == "world/ball" { b } else { a };
        let [lower, upper] = [answer.interval.lower, answer.interval.upper];
        assert!(upper - lower < 1e-9, "{other}: {lower} {upper}");
        found.push((other.to_string(), 0.5 * (lower + upper)));
    });
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

fn of<'d>(found: &'d [(String, f64)], name: &str) -> Option<&'d f64> {
    found.iter().find(|(body, _)| body == name).map(|(_, distance)| distance)
}

#[test]
fn a_zone_to_stay_in_is_all_that_is_outside() {
    let zone = "[[zone]]\nname = \"cell\"\nkind = \"keep_in\"\nbodies = [\"world/ball\"]\nxyz = [1, 2, 3]\n\
        rpy = [0, 0, 1.5707963267948966]\n\
        shape = { type = \"box\", size = [4, 2, 2] }\n\
        planes = [{ normal = [0, 0, -3], offset = -1.8 }]\n";
    let d = with(&format!("{BALL}{zone}")).unwrap();
    // The box is 2 m wide and 4 m long, z from 2 to 4, and the plane cuts it at z = 3.6.
    for (at, distance) in [
        ([1.0, 2.0, 3.0], 0.5),
        ([1.0, 2.0, 2.2], 0.1),
        ([1.7, 2.0, 3.0], 0.2),
        ([1.0, 3.6, 3.0], 0.3),
        ([1.0, 0.15, 3.0], 0.05),
        ([0.05, 2.0, 3.0], -0.05),
        ([1.0, 2.0, 3.7], -0.2),
    ] {
        let found = distances(&d, at);
        let told = of(&found, "world/cell").unwrap();
        assert!((told - distance).abs() < 1e-9, "{at:?}: {told}, not {distance}");
    }
}

#[test]
fn a_zone_is_for_the_bodies_that_it_names() {
    let zone = |bodies: &str| {
        format!(
            "{BALL}[[zone]]\nname = \"press\"\nkind = \"keep_out\"\n{bodies}xyz = [0, 4, 0]\n\
             shape = {{ type = \"box\", size = [1, 1, 1] }}\n"
        )
    };
    let named = distances(&with(&zone("bodies = [\"world/ball\"]\n")).unwrap(), [0.0, 3.0, 0.0]);
    assert!((of(&named, "world/press").unwrap() - 0.4).abs() < 1e-9, "{named:?}");
    // Without a list a zone is for links: a ball that nobody carries lies where it likes.
    for bodies in ["", "bodies = [\"arm\"]\n", "bodies = [\"arm/b\"]\n"] {
        let found = distances(&with(&zone(bodies)).unwrap(), [0.0, 4.0, 0.0]);
        assert!(of(&found, "world/press").is_none() && of(&found, "arm/a").is_some(), "{found:?}");
    }
    for all in ["world", "*"] {
        let found = distances(&with(&zone(&format!("bodies = [\"{all}\"]\n"))).unwrap(), [0.0, 3.0, 0.0]);
        assert!(of(&found, "world/press").is_some(), "{all}");
    }
    let group = zone("bodies = [\"parts\"]\n") + "[[group]]\nname = \"parts\"\nmembers = [\"world/ball\"]\n";
    assert!(of(&distances(&with(&group).unwrap(), [0.0; 3]), "world/press").is_some());
}

#[test]
fn a_zone_is_checked_beside_what_is_asked_for() {
    let zone = |bodies: &str| {
        format!(
            "checks = [[\"arm\", \"world/post\"]]\n[[robot]]\nurdf = \"a.urdf\"\n{BALL}\
             [[obstacle]]\nname = \"post\"\n\
             xyz = [0, 9, 0]\nshape = {{ type = \"box\", size = [1, 1, 1] }}\n\
             [[zone]]\nname = \"press\"\nkind = \"keep_out\"\n{bodies}xyz = [0, 4, 0]\n\
             shape = {{ type = \"box\", size = [1, 1, 1] }}\n"
        )
    };
    let found = |bodies: &str| distances(&world(&zone(bodies)).unwrap().value, [0.0; 3]);
    assert!(of(&found("bodies = [\"world/ball\"]\n"), "world/press").is_some());
    assert!(of(&found(""), "world/press").is_none());
    let asked = world(&zone("")).unwrap().value.checks;
    assert!(asked.contains(&["world/press".into(), "arm".into()]), "{asked:?}");
}

#[test]
fn a_tool_on_a_link_is_in_the_zones_of_the_link() {
    // One tool on the link that moves, one on the base, and a part that is only picked up.
    let tools = "[[obstacle]]\nname = \"tool\"\nattached_to = \"arm/b\"\nxyz = [0, 2, 0]\n\
        shape = { type = \"sphere\", radius = 0.1 }\n\
        [[obstacle]]\nname = \"other\"\nattached_to = \"arm/a\"\nxyz = [0, 3, 0]\n\
        shape = { type = \"sphere\", radius = 0.1 }\n";
    let zone = |bodies: &str| {
        format!(
            "[[zone]]\nname = \"press\"\nkind = \"keep_out\"\n{bodies}xyz = [0, 4, 0]\n\
             shape = {{ type = \"box\", size = [1, 1, 1] }}\n"
        )
    };
    let checked = |text: &str| {
        let d = world(text).unwrap().value;
        let world = World::compile(&d).unwrap();
        let [press, tool, other, ball] =
            ["press", "tool", "other", "ball"].map(|n| world.body_by_name(&format!("world/{n}")).unwrap());
        assert!(!matches!(world.status(press, other), Some(PairStatus::Checked(_))), "it never moves");
        [tool, ball].map(|body| matches!(world.status(press, body), Some(PairStatus::Checked(_))))
    };
    let asked = "checks = [[\"arm\", \"world/ball\"]]\n";
    for before in ["", asked] {
        for (bodies, expected) in [
            ("", [true, false]),
            ("bodies = [\"arm\"]\n", [true, false]),
            ("bodies = [\"arm/b\"]\n", [true, false]),
            ("bodies = [\"world/tool\"]\n", [true, false]),
            ("bodies = [\"world/ball\"]\n", [false, true]),
            ("bodies = [\"*\"]\n", [true, true]),
        ] {
            // A link without a shape cannot be asked for by its name.
            if !before.is_empty() && bodies.contains("arm/b") {
                continue;
            }
            let text = format!("{before}[[robot]]\nurdf = \"a.urdf\"\n{BALL}{tools}{}", zone(bodies));
            assert_eq!(checked(&text), expected, "{before}{bodies}");
        }
    }
}

#[test]
fn zones_are_told_by_their_names_and_never_touched() {
    let zone = "[[zone]]\nname = \"press\"\nkind = \"keep_out\"\n\
        shape = { type = \"box\", size = [1, 1, 1] }\n\
        [[zone]]\nname = \"cell\"\nkind = \"keep_in\"\nplanes = [{ normal = [0, 0, 1], offset = 0 }]\n";
    let robot = "[[robot]]\nurdf = \"a.urdf\"\n";
    let zones = world(&format!("{robot}{zone}{BALL}")).unwrap().zones;
    let told: Vec<(&str, ZoneKind)> = zones.iter().map(|(name, kind)| (&**name, *kind)).collect();
    assert_eq!(told, [("world/cell", ZoneKind::KeepIn), ("world/press", ZoneKind::KeepOut)]);
    let touch = "touch = [\"arm/b\", \"world/press\"]\n";
    let spare = format!("[[spare]]\nname = \"place\"\ncorners = 8\n{touch}");
    let tool = format!(
        "[[obstacle]]\nname = \"tool\"\nattached_to = \"arm/b\"\n{touch}\
         shape = {{ type = \"sphere\", radius = 0.1 }}\n"
    );
    for (more, who) in [
        (format!("{BALL}{touch}"), "obstacle \"ball\""),
        (spare, "spare \"place\""),
        (tool, "obstacle \"tool\""),
    ] {
        let words = format!("{who}: touch names the zone \"world/press\", where nothing is; take it out");
        let faults = refused(&words, with(&format!("{more}{zone}")), &[&words]);
        assert_eq!(faults.0.len(), 1, "{faults}");
    }
}

/// The paper's table, in the units of its text.
const TABLE: &str = "(table ((table-top (supporting (30 42 4) (60 50 34)))) (30 42 38) (60 50 0))";

#[test]
fn a_template_is_the_boxes_that_it_names_and_what_they_leave() {
    let text = format!(
        "{BALL}[[template]]\ntext = \"{TABLE}\"\nunit = \"inch\"\nanchor = \"least_corner\"\n\
         xyz = [1, 0, 0]\n"
    );
    let d = with(&text).unwrap();
    let names: Vec<&str> = d.obstacles.iter().map(|o| &*o.name).collect();
    assert_eq!(names, ["table", "table.table-top", "ball"]);
    let inch = 0.0254;
    // Above the middle of the top, and beside the legs' box below it.
    let found = distances(&d, [1.0 + 75.0 * inch, 71.0 * inch, 48.0 * inch]);
    assert!((of(&found, "world/table.table-top").unwrap() - (10.0 * inch - 0.1)).abs() < 1e-9, "{found:?}");
    assert!((of(&found, "world/table").unwrap() - (14.0 * inch - 0.1)).abs() < 1e-9, "{found:?}");
    let found = distances(&d, [1.0 + 50.0 * inch, 71.0 * inch, 10.0 * inch]);
    assert!((of(&found, "world/table").unwrap() - (10.0 * inch - 0.1)).abs() < 1e-9, "{found:?}");

    // A movable one moves with its parts; what is left around a part in the middle is cut into six boxes.
    let box_ =
        "(oru ((grip (manipulating (1 1 1) (1 1 1))) (side (neither (1 3 1) (0 0 2)))) (3 3 3) (0 0 0))";
    let text = format!(
        "[[template]]\ntext = \"{box_}\"\nunit = 0.1\nanchor = \"least_corner\"\n\
         xyz = [9, 0, 0]\nmovable = true\n"
    );
    let d = with(&text).unwrap();
    let volume = |o: &elbowroom::describe::ObstacleDescription| -> f64 {
        let of = |shape: &elbowroom::describe::PlacedShape| match &shape.shape {
            elbowroom::describe::ShapeDescription::Box { size } => size.iter().product::<f64>(),
            other => panic!("{other:?}"),
        };
        o.shapes.iter().map(of).sum()
    };
    assert_eq!(d.obstacles.iter().map(|o| o.movable).collect::<Vec<_>>(), [true; 3]);
    assert_eq!(d.obstacles[1].attached_to.as_ref().unwrap().body, "world/oru");
    let volumes: Vec<f64> = d.obstacles.iter().map(volume).collect();
    for (volume, expected) in volumes.iter().zip([0.023, 0.001, 0.003]) {
        assert!((volume - expected).abs() < 1e-12, "{volumes:?}");
    }
    let world = World::compile(&d).unwrap();
    let mut checker = Checker::new(&world);
    checker.set(&[0.0]).unwrap();
    let grip = world.body_by_name("world/oru.grip").unwrap();
    let at = checker.body_in_world(grip).unwrap().translation.to_array();
    assert!(at.iter().zip([9.15, 0.15, 0.15]).all(|(a, b)| (a - b).abs() < 1e-12), "{at:?}");
}

#[test]
fn a_body_that_its_parts_fill_has_its_name_all_the_same() {
    let text = "(a ((b (supporting (1 1 1) (5 5 5))) (c (neither (1 1 1) (6 5 5)))) (2 1 1) (5 5 5))";
    for movable in [false, true] {
        let d = with(&format!(
            "[[template]]\nunit = 1\nanchor = \"least_corner\"\nmovable = {movable}\ntext = \"{text}\"\n"
        ));
        let world = World::compile(&d.unwrap()).unwrap();
        let mut checker = Checker::new(&world);
        checker.set(&[0.0]).unwrap();
        let [a, c] = ["world/a", "world/a.c"].map(|name| world.body_by_name(name).unwrap());
        assert!(world.bodies()[a.index()].shapes.is_empty() && world.is_movable(a) == Some(movable));
        if movable {
            checker.place(a, &elbowroom::math::Transform::from_translation([0.0, 0.0, 9.0].into())).unwrap();
            let at = checker.body_in_world(c).unwrap().translation.to_array();
            assert!(at.iter().zip([0.5, 0.0, 9.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{at:?}");
        }
    }
}

#[test]
fn a_template_says_where_in_its_text_a_fault_is() {
    let known = "unit = \"inch\"\nanchor = \"foot_centre\"";
    let of = |text: &str| with(&format!("[[template]]\n{known}\ntext = '''\n{text}'''\n"));
    // The text begins in line 6 of the file.
    let faults = refused("", of("(a (neither (1 1 1) (0 0 0)))\n(b (bears (1 1 1) (0 0 0)))"), &[]);
    let told = faults.to_string();
    assert!(told.contains("line 6, template 1, its text, line 2, column 5: `bears` is no role"), "{told}");
    let told = refused("", of(r#"(a (ne"it\her (1 1 1) (0 0 0)))"#), &[]).to_string();
    assert!(told.contains(r#"`ne"it\her` is no role"#), "{told}");
    for nothing in ["", " ; only a remark\n"] {
        let told = refused("", of(nothing), &[]).to_string();
        assert!(told.contains("its text: lists no body; write one"), "{told}");
    }
    // 130 cubes in a row, with gaps.
    let parts: String = (0..130).map(|k| format!("(p{k} (neither (1 1 1) ({} 1 1)))", 2 * k + 1)).collect();
    let text = format!("(a ({parts}) (300 3 3) (0 0 0))");
    let d = with(&format!("[[template]]\nunit = 1\nanchor = \"least_corner\"\ntext = \"{text}\"\n"));
    let told = refused("", d, &[]).to_string();
    assert!(told.contains("the parts of \"a\" leave more than 600 boxes of it; use fewer parts"), "{told}");
}

#[test]
fn what_is_wrong_with_them_is_told() {
    let zone = |rest: &str| format!("[[zone]]\nname = \"z\"\n{rest}\n");
    let template = |rest: &str| format!("[[template]]\n{rest}\n");
    let known = "unit = \"inch\"\nanchor = \"foot_centre\"";
    for (text, words) in [
        (zone(""), "kind is missing"),
        (zone("kind = \"out\""), "the kind \"out\" is unknown; write \"keep_out\" or \"keep_in\""),
        (zone("kind = \"keep_out\""), "has no shape"),
        (zone("kind = \"keep_in\""), "is bounded by nothing"),
        (zone("kind = \"keep_in\"\nshape = { type = \"sphere\", radius = 1 }"), "is not a box"),
        (
            zone("kind = \"keep_in\"\nplanes = [{ normal = [0, 0, 0], offset = 1 }]"),
            "normal has no direction",
        ),
        (zone("kind = \"keep_in\"\nplanes = [{ normal = [0, 0, 1], offset = 1e4 }]"), "more than 100 m from"),
        (
            zone("kind = \"keep_out\"\nplanes = []\nshape = { type = \"sphere\", radius = 1 }"),
            "planes are of a zone to stay in",
        ),
        (
            zone("kind = \"keep_out\"\nshape = { type = \"sphere\", radius = 1 }\nbodies = [\"arm/c\"]"),
            "bodies refers to \"arm/c\", but no body",
        ),
        (template(known), "has not one of file and text"),
        (template(&format!("{known}\nfile = \"no.template\"")), "no.template"),
        (template(&format!("{known}\ntext = \"(table\"")), "line 1"),
        (template(&format!("text = \"{TABLE}\"\nanchor = \"foot_centre\"")), "unit is missing"),
        (template(&format!("text = \"{TABLE}\"\nunit = \"inch\"")), "anchor is missing"),
        (
            template(&format!("text = \"{TABLE}\"\nunit = \"ell\"\nanchor = \"foot_centre\"")),
            "unit is no length",
        ),
        (
            template(&format!("{known}\ntext = \"(ball (neither (1 1 1) (0 0 0)))\"")) + BALL,
            "the obstacle name \"ball\" is used twice",
        ),
        ("[[cloud]]\nname = \"c\"\nradius = 0\npoints = 10\n".into(), "radius is zero"),
        ("[[cloud]]\nname = \"c\"\nradius = 0.1\npoints = 0\n".into(), "points is 0"),
    ] {
        let faults = refused(words, with(&text), &[words]);
        assert_eq!(faults.0.len(), 1, "{faults}");
    }
    let clouds = with("[[cloud]]\nname = \"c\"\nradius = 0.1\npoints = 10\n").unwrap().clouds;
    assert_eq!((&*clouds[0].name, clouds[0].capacity), ("c", 10));
}
