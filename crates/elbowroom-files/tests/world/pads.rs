//! Pads of world files.

use crate::support::refused;
use crate::worlds::world;
use elbowroom::describe::PadDescription;
use elbowroom::math::Transform;

/// A world with this pad; link `a` is a ball of 1 m, and `b` has no shape.
fn with(pad: &str) -> Result<Vec<PadDescription>, elbowroom_files::Faults> {
    world(&format!("[[robot]]\nurdf = \"a.urdf\"\n[[pad]]\n{pad}")).map(|loaded| loaded.value.pads)
}

#[test]
fn a_pad_is_what_it_says() {
    let text = "name = \"tip\"\nlink = \"arm/a\"\ndepth = 0.0013\n\
        region = { type = \"box\", size = [1, 2, 3], xyz = [0.1, 0, 0], rpy = [0, 0, 0.5] }\n";
    let pad = PadDescription {
        name: "tip".into(),
        link: "arm/a".into(),
        depth: 0.0013,
        region_in_link: Transform::from_xyz_rpy([0.1, 0.0, 0.0], [0.0, 0.0, 0.5]),
        size: [1.0, 2.0, 3.0],
    };
    assert_eq!(with(text).unwrap(), [pad]);
}

#[test]
fn a_pad_that_says_something_else_is_refused_where_it_says_it() {
    let region = "region = { type = \"box\", size = [3, 3, 3] }";
    for (pad, words) in [
        ("link = \"arm/a\"\ndepth = 0.01", &["pad 1", "name is missing", "region is missing", "line 3"][..]),
        (&format!("name = \"tip\"\nlink = \"arm/c\"\ndepth = 0.01\n{region}"), &["pad \"tip\"", "\"arm/c\""]),
        (
            &format!("name = \"tip\"\nlink = \"arm/a\"\ndepth = 1.3\n{region}"),
            &["depth is 1.3", "0.1", "line 6"],
        ),
        (
            &format!("name = \"tip\"\nlink = \"arm/a\"\ndepth = \"1\"\n{region}"),
            &["depth is not a finite number"],
        ),
        (
            &format!("name = \"tip\"\nlink = \"arm/a\"\ndeep = 0.1\n{region}"),
            &["\"deep\"", "known keys: name, link"],
        ),
        (
            "name = \"tip\"\nlink = \"arm/a\"\ndepth = 0.01\n\
             region = { type = \"box\", size = [1, 1, 1], padding = 1 }",
            &["region is not a box, or has a padding"],
        ),
        (
            "name = \"tip\"\nlink = \"arm/a\"\ndepth = 0.01\nregion = { type = \"sphere\", radius = 1 }",
            &["region is not a box"],
        ),
    ] {
        refused(pad, with(pad), words);
    }
}
