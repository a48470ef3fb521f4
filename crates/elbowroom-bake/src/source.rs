//! The constants as Rust.

use crate::baked::Baked;
use elbowroom_baked::{Core, JointMotion};
use std::fmt::Write;

/// `world.rs`: what the library of a baked world has as its module `world`.
pub(crate) fn world_source(baked: &Baked) -> String {
    let world = baked.world();
    let mut text = format!(
        "//! One world as constants. Written by `elbowroom bake`: do not edit it.\n\n\
         use elbowroom_baked::*;\n\n\
         pub const VALUES: usize = {};\npub const JOINTS: usize = {};\npub const SHAPES: usize = {};\n\n",
        world.limits.len(),
        world.joints.len(),
        world.shapes.len()
    );
    let mut list = |name: &str, kind: &str, items: Vec<String>| {
        let _ = writeln!(text, "static {name}: [{kind}; {}] = [", items.len());
        items.iter().for_each(|item| {
            let _ = writeln!(text, "    {item},");
        });
        text.push_str("];\n");
    };
    list("LIMIT_LIST", "[f32; 2]", world.limits.iter().map(|limit| numbers_text(limit)).collect());
    let joints = world.joints.iter().map(|joint| {
        let kind = match joint.kind {
            JointMotion::Turn => "Turn",
            JointMotion::Slide => "Slide",
        };
        format!(
            "BakedJoint {{ parent: {}, value: {}, kind: JointMotion::{kind}, scale: {}, offset: {}, axes: \
             {}, origin: {} }}",
            joint.parent,
            joint.value,
            number_text(joint.scale),
            number_text(joint.offset),
            axes_text(&joint.axes),
            numbers_text(&joint.origin)
        )
    });
    list("JOINT_LIST", "BakedJoint", joints.collect());
    let bodies = world.bodies.iter().map(|body| {
        format!(
            "BakedBody {{ frame: {}, first: {}, count: {}, center: {}, ball: {} }}",
            body.frame,
            body.first,
            body.count,
            numbers_text(&body.center),
            number_text(body.ball)
        )
    });
    list("BODY_LIST", "BakedBody", bodies.collect());
    let shapes = world.shapes.iter().map(|shape| {
        let core = match shape.core {
            Core::Point => "Point".into(),
            Core::Segment => "Segment".into(),
            Core::Box => "Box".into(),
            Core::Cylinder => "Cylinder".into(),
            Core::Cone => "Cone".into(),
            Core::Ellipsoid => "Ellipsoid".into(),
            Core::Hull { first, count } => format!("Hull {{ first: {first}, count: {count} }}"),
        };
        format!(
            "BakedShape {{ core: Core::{core}, center: {}, axes: {}, radius: {}, ball: {} }}",
            numbers_text(&shape.center),
            axes_text(&shape.axes),
            number_text(shape.radius),
            number_text(shape.ball)
        )
    });
    list("SHAPE_LIST", "BakedShape", shapes.collect());
    list("VERTEX_LIST", "[f32; 3]", world.vertices.iter().map(|p| numbers_text(p)).collect());
    let pairs = world.pairs.iter().map(|pair| {
        format!(
            "BakedPair {{ a: {}, b: {}, error: {}, enough: {}, floor: {} }}",
            pair.a,
            pair.b,
            number_text(pair.error),
            number_text(pair.enough),
            number_text(pair.floor)
        )
    });
    list("PAIR_LIST", "BakedPair", pairs.collect());
    let _ = write!(
        text,
        "\npub static WORLD: BakedWorld<'static> = BakedWorld {{\n    fingerprint: {:#018x},\n    margin: \
         {},\n    limits: &LIMIT_LIST,\n    joints: &JOINT_LIST,\n    bodies: &BODY_LIST,\n    shapes: \
         &SHAPE_LIST,\n    vertices: &VERTEX_LIST,\n    pairs: &PAIR_LIST,\n}};\n",
        world.fingerprint,
        number_text(world.margin)
    );
    text
}

/// A number that reads back as the same bits.
fn number_text(x: f32) -> String {
    if x == f32::NEG_INFINITY { "f32::NEG_INFINITY".into() } else { format!("{x:?}") }
}

fn numbers_text(of: &[f32]) -> String {
    let all: Vec<String> = of.iter().map(|x| number_text(*x)).collect();
    format!("[{}]", all.join(", "))
}

fn axes_text(of: &[[f32; 3]; 3]) -> String {
    let all: Vec<String> = of.iter().map(|axis| numbers_text(axis)).collect();
    format!("[{}]", all.join(", "))
}
