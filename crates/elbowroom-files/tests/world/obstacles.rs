//! Obstacles of world files that move, that have doors, and that are height fields.

use crate::support::refused;
use crate::worlds::world;
use elbowroom::describe::{DoorDescription, JointKind, JointLimits};
use elbowroom::math::vec3;

#[test]
fn movable_obstacles_may_carry_each_other() {
    let obstacle = |name: &str, more: &str| {
        format!("[[obstacle]]\nname = \"{name}\"\n{more}shape = {{ type = \"sphere\", radius = 1 }}\n")
    };
    let of = |obstacles: &[(&str, &str)]| {
        let all: String = obstacles.iter().map(|(name, more)| obstacle(name, more)).collect();
        world(&format!("[[robot]]\nurdf = \"a.urdf\"\n{all}"))
    };
    let on = |carrier: &str| format!("movable = true\nattached_to = \"{carrier}\"\n");
    let d = of(&[
        ("table", ""),
        ("tray", "movable = true\n"),
        ("cup", &on("world/tray")),
        ("tool", &on("arm/b")),
        ("post", "movable = false\n"),
        ("part", "movable = true\ntouch = [\"arm/a\", \"world/post\"]\n"),
    ]);
    let loaded = d.unwrap();
    let touch = loaded.touch.iter().map(|(name, touch)| (&**name, touch.join(" "))).collect::<Vec<_>>();
    assert_eq!(touch, [("world/part", "arm/a world/post".to_string())]);
    let d = loaded.value;
    assert_eq!(
        d.obstacles.iter().map(|o| o.movable).collect::<Vec<_>>(),
        [false, true, true, true, false, true]
    );
    assert_eq!(d.obstacles[2].attached_to.as_ref().map(|held| &*held.body), Some("world/tray"));
    elbowroom::World::compile(&d).unwrap();
    for (obstacles, words) in [
        (&[("a", "touch = [\"arm/a\"]\n")][..], "touch is only for attached and movable obstacles"),
        (&[("a", "movable = 1\n")], "line 5, obstacle \"a\": movable is not true or false"),
        (
            &[("a", ""), ("b", &on("world/a"))],
            "\"b\": is attached to the obstacle \"a\", which is not movable; write movable = true there",
        ),
        (
            &[("a", "movable = true\n"), ("b", "attached_to = \"world/a\"\n")],
            "attached to the obstacle \"a\", but is not movable; write movable = true here",
        ),
        (
            &[("b", &on("world/a")), ("a", "movable = true\n")],
            "the obstacle \"a\", which does not come before it; put the one that carries first",
        ),
        (&[("b", &on("world/b"))], "which does not come before it"),
        (&[("b", &on("world/c"))], "attached_to refers to \"world/c\", but no body"),
    ] {
        let faults = refused(words, of(obstacles), &[words]);
        assert_eq!(faults.0.len(), 1, "{faults}");
    }
}

#[test]
fn doors_move_on_what_carries_them() {
    let of = |more: &str| {
        world(&format!(
            "[[robot]]\nurdf = \"a.urdf\"\n[[obstacle]]\nname = \"box\"\nmovable = true\n\
             shape = {{ type = \"sphere\", radius = 1 }}\n[[obstacle]]\nname = \"lid\"\n\
             shape = {{ type = \"sphere\", radius = 1 }}\n{more}\n"
        ))
    };
    let on = "movable = true\nattached_to = \"world/box\"\n";
    for (joint, kind) in [("revolute", JointKind::Revolute), ("prismatic", JointKind::Prismatic)] {
        let door = format!("{on}door = {{ joint = \"{joint}\", axis = [0, 0, 2], limits = [-1, 1.5] }}");
        let d = of(&door).unwrap().value;
        let limits = JointLimits { lower: -1.0, upper: 1.5 };
        let (body, axis) = ("world/lid".to_string(), vec3(0.0, 0.0, 2.0));
        assert_eq!(d.doors, [DoorDescription { body, kind, axis, limits }]);
        elbowroom::World::compile(&d).unwrap();
    }
    // All that is wrong with one comes at once, each with its line.
    let said = refused(
        "door",
        of("door = { joint = \"revolut\", axis = [0, 0, 0], limits = [1, 0], hinge = 1 }"),
        &[
            "line 10, obstacle \"lid\", door: is of an obstacle that is not movable; write movable = true",
            "door: is of an obstacle that hangs on nothing; give attached_to",
            "the joint \"revolut\" is unknown; did you mean \"revolute\"?",
            "axis has no direction",
            "limits are no range; give [least, most] in radians or metres",
            "the key \"hinge\" is unknown here",
        ],
    );
    assert_eq!(said.0.len(), 6, "{said}");
    for (door, words) in [
        ("3", "door: is not a table of keys and values"),
        ("{ axis = [1, 0, 0], limits = [0, 1] }", "door: joint is missing"),
        ("{ joint = \"prismatic\", limits = [0, 1] }", "door: axis is missing"),
        ("{ joint = \"prismatic\", axis = [1, 0, 0] }", "door: limits is missing"),
        ("{ joint = \"prismatic\", axis = [1, 0, 0], limits = [0, inf] }", "limits is not 2 finite numbers"),
        ("{ joint = \"prismatic\", axis = [1, 0, 0], limits = [0, 1e10] }", "limits are no range"),
        (
            "{ joint = \"fixed\", axis = [1, 0, 0], limits = [0, 1] }",
            "\"fixed\" is unknown; write revolute or",
        ),
    ] {
        let faults = refused(words, of(&format!("{on}door = {door}")), &[words]);
        assert_eq!(faults.0.len(), 1, "{faults}");
    }
    let fixed = of(
        "movable = true\nattached_to = \"world/none\"\ndoor = { joint = \"prismatic\", axis = [1, 0, 0], \
         limits = [0, 1] }",
    );
    refused("carrier", fixed, &["attached_to refers to \"world/none\""]);
}

#[test]
fn what_is_wrong_with_heights_is_told_with_its_line() {
    let of = |heights: &str| {
        world(&format!(
            "[[robot]]\nurdf = \"a.urdf\"\n[[obstacle]]\nname = \"ground\"\nheights = {heights}\n"
        ))
    };
    let said = refused(
        "heights",
        of("{ file = \"none.png\", unknown_value = 1.5, unknown = \"no\", first_row = 3, bottom = \"low\", \
             cel = 1 }"),
        &[
            "line 5, obstacle \"ground\", heights: the key \"cel\" is unknown here; did you mean \"cell\"?",
            "heights: cell is missing; give cell as a number",
            "heights: scale is missing",
            "unknown is \"no\"; write \"occupied\" or \"free\"",
            "first_row is \"\"; write \"top\" or \"bottom\"",
            "bottom is not a finite number",
            "unknown_value is not a pixel's; give a whole number to 65535",
            "the file \"none.png\" does not exist",
        ],
    );
    assert_eq!(said.0.len(), 8, "{said}");
    let faulty = of("{ file = \"a.urdf\", cell = 0, scale = 1 }");
    refused(
        "file",
        faulty,
        &["/w/a.urdf: the edge of a cell is 0 m", "/w/a.urdf: is neither NPY nor PNG", "2 faults"],
    );
    refused("table", of("\"a.png\""), &["heights: is not a table of keys and values"]);
}

#[test]
fn spare_places_have_room_for_corners() {
    let of = |spares: &str| world(&format!("[[robot]]\nurdf = \"a.urdf\"\n{spares}"));
    let spare = |name: &str, more: &str| format!("[[spare]]\nname = \"{name}\"\n{more}");
    let table = "[[obstacle]]\nname = \"table\"\nshape = { type = \"sphere\", radius = 1 }\n";
    let rule = "[[allow]]\na = \"arm/b\"\nb = \"world/part\"\n";
    let part = spare("part", "corners = 64\ntouch = [\"world/table\"]\n");
    let loaded = of(&[table, &part, &spare("ball", "corners = 0\n"), rule].concat()).unwrap();
    let room: Vec<(&str, usize)> = loaded.value.spares.iter().map(|s| (&*s.name, s.corners)).collect();
    assert_eq!(room, [("part", 64), ("ball", 0)]);
    assert_eq!(loaded.touch["world/part"], ["world/table"]);
    elbowroom::World::compile(&loaded.value).unwrap();
    for (spares, words) in [
        (spare("part", ""), "line 3, spare \"part\": corners is missing"),
        (spare("part", "corners = -1\n"), "corners is -1; give a whole number from 0"),
        (spare("part", "corners = 1.5\n"), "line 5, spare \"part\": corners is 1.5"),
        (spare("part", "corners = 65537\n"), "corners is 65537; give a whole number from 0, for what is"),
        (spare("part", "corners = nan\n"), "corners is not a finite number"),
        (spare("part", "corners = \"8\"\n"), "corners is not a finite number"),
        (spare("part", "corner = 8\ncorners = 8\n"), "the key \"corner\" is unknown here"),
        (spare("a/b", "corners = 8\n"), "the spare place's name \"a/b\" has a slash"),
        (format!("{table}{}", spare("table", "corners = 8\n")), "name \"table\" is used twice"),
        (spare("part", "corners = 8\ntouch = [\"world/chair\"]\n"), "touch refers to \"world/chair\", but"),
        ("[[spare]]\ncorners = 8\n".into(), "spare 1: name is missing"),
    ] {
        let faults = refused(words, of(&spares), &[words]);
        assert_eq!(faults.0.len(), 1, "{faults}");
    }
}
