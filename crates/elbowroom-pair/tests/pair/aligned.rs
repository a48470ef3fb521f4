//! Curved shapes whose deepest directions form a circle or nearly one: the interval must be as narrow as
//! anywhere.

use crate::support::cases::{Case, draw_case};
use crate::support::engine::{self, Engine};
use crate::support::rng::Rng;
use crate::support::shapes::Kind;
use crate::support::slow::truth;
use elbowroom_pair::Clearance;
use elbowroom_pair::describe::ShapeDescription as Shape;
use elbowroom_pair::math::{Mat3, Transform, Vec3, vec3};

/// Asks engine and reference; the interval holds the truth and is at most `width` of the scale wide.
fn narrow(c: &Case, pose: &Transform, width: f64) -> Clearance {
    let t = truth(&c.a, c.padding[0], &c.b, c.padding[1], pose).unwrap();
    let d = Engine::default().distance(&engine::compile_pair(c).unwrap(), pose);
    assert!(
        d.interval.lower <= t.upper && t.lower <= d.interval.upper,
        "{d:?} is not {t:?}: {}",
        c.as_json_line()
    );
    assert!(
        d.interval.width() <= width * t.scale,
        "width {:e}: {}",
        d.interval.width() / t.scale,
        c.as_json_line()
    );
    let off = (d.witness_a - d.witness_b - d.normal * d.interval.upper).norm();
    assert!(off <= 2.0 * width * t.scale, "witnesses off by {off:e}: {}", c.as_json_line());
    // However the axes are tilted, the witnesses are points of the shapes.
    for (shape, padding, w) in
        [(&c.a, c.padding[0], d.witness_a), (&c.b, c.padding[1], pose.inverse().point(d.witness_b))]
    {
        let outside =
            truth(shape, padding, &Shape::Sphere { radius: 0.0 }, 0.0, &Transform::from_translation(w))
                .unwrap();
        assert!(
            outside.lower <= 1e-14 * t.scale,
            "witness {:e} outside: {}",
            outside.lower,
            c.as_json_line()
        );
    }
    d
}

#[test]
fn on_one_axis() {
    // Two cones, two cylinders, a cylinder in a cone, two ellipsoids, the same a quarter turned.
    for seed in [3799, 2868, 9274, 5390, 1_177_970] {
        let c = draw_case(seed);
        narrow(&c, &c.b_in_a(), 1e-13);
    }
}

#[test]
fn on_parallel_axes() {
    let rng = &mut Rng::new(7);
    let mut overlapping = 0;
    for i in 0..120 {
        let mut shape = |k: u64| {
            let (radius, length) = (rng.decades(-1.5, 0.0), rng.decades(-1.0, 0.5));
            match k {
                0 => Shape::Cylinder { radius, length },
                1 => Shape::Cone { radius, length },
                _ => Shape::Capsule { radius: 0.01 * radius, length },
            }
        };
        let (a, b) = (shape(i % 3), shape(i / 3 % 3));
        // On the axis, beside it, and turned end for end; each a little off.
        let tilt = if i % 5 == 0 { rng.decades(-16.0, -10.0) } else { 0.0 };
        let turn = Mat3::from_rpy(if i % 2 == 0 { core::f64::consts::PI } else { 0.0 } + tilt, 0.0, 0.0);
        let aside = if i % 4 == 0 { 0.0 } else { rng.decades(-12.0, 0.0) };
        let pose = Transform::new(turn, rng.direction().scaled(vec3(aside, aside, rng.unit())));
        let c = Case {
            seed: i,
            kinds: [Kind::Cylinder; 2],
            a,
            b,
            padding: [0.0; 2],
            xyz: pose.translation.to_array(),
            quat_wxyz: [1.0, 0.0, 0.0, 0.0],
            known: None,
        };
        overlapping += u32::from(narrow(&c, &pose, 1e-8).interval.upper < 0.0);
    }
    assert!(overlapping > 30, "{overlapping} overlap");
}

#[test]
fn ball_in_an_ellipsoid() {
    let rng = &mut Rng::new(8);
    for i in 0..120 {
        let mut radii = [0; 3].map(|_| rng.decades(-2.0, 0.0));
        if i % 3 == 0 {
            radii[1] = radii[0];
        }
        // From the centre to the surface, on axes and planes of symmetry, and off them.
        let mut p =
            rng.direction().scaled(Vec3::from(radii)) * rng.pick(&[0.0, 1e-9, 0.1, 0.6, 0.99, 1.0 - 1e-9]);
        for k in 0..3 {
            if rng.chance(0.4) {
                p[k] = 0.0;
            }
        }
        let c = Case {
            seed: i,
            kinds: [Kind::Ellipsoid, Kind::Sphere],
            a: Shape::Ellipsoid { radii },
            b: Shape::Sphere { radius: 0.1 },
            padding: [0.0; 2],
            xyz: p.to_array(),
            quat_wxyz: [1.0, 0.0, 0.0, 0.0],
            known: None,
        };
        narrow(&c, &c.b_in_a(), 1e-13);
    }
}
