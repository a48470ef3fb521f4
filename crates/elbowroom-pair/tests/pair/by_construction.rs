//! Answers that are known before anything is computed: by hand, by construction, and by asking the reference
//! twice.

use crate::support::cases::{Case, Put, draw_case, draw_facing_pair};
use crate::support::engine::{self, Engine};
use crate::support::rng::Rng;
use crate::support::shapes::{KINDS, Kind, bracket_mesh};
use crate::support::slow::{self, prepare, truth, truth_of};
use elbowroom_pair::describe::ShapeDescription as Shape;
use elbowroom_pair::math::{Transform, sin_cos};
use elbowroom_reference::solid::Difference;
use elbowroom_reference::{Method, facets, sphere};

/// The reference and the engine hold a known answer.
fn holds(c: &Case, known: f64, engine: &mut Engine) {
    let t = truth(&c.a, c.padding[0], &c.b, c.padding[1], &c.b_in_a()).unwrap();
    let slack = 1e-14 * t.scale;
    let told = |lower: f64, upper: f64, who: &str| {
        assert!(
            lower <= known + slack && known - slack <= upper,
            "{who} says [{lower:e}, {upper:e}], known is {known:e}: {}",
            c.as_json_line()
        );
    };
    told(t.lower, t.upper, "reference");
    let d = engine.distance(&engine::compile_pair(c).unwrap(), &c.b_in_a());
    told(d.interval.lower, d.interval.upper, "engine");
}

fn hand(a: Shape, b: Shape, xyz: [f64; 3], quat_wxyz: [f64; 4]) -> Case {
    Case { seed: 0, kinds: [Kind::Box; 2], a, b, padding: [0.0; 2], xyz, quat_wxyz, known: None }
}

#[test]
fn by_hand() {
    let cube = || Shape::Box { size: [2.0; 3] };
    let ball = |radius| Shape::Sphere { radius };
    let point = || Shape::Convex { vertices: vec![[0.0; 3]] };
    let none = [1.0, 0.0, 0.0, 0.0];
    let (s, c) = sin_cos(core::f64::consts::FRAC_PI_8);
    let eighth_z = [c, 0.0, 0.0, s];
    let cylinder = |radius, length| Shape::Cylinder { radius, length };
    let ell = || bracket_mesh([2.0; 3].into());
    let root2 = 2.0_f64.sqrt();
    let table = [
        (hand(ball(1.0), ball(2.0), [0.0, 0.0, 4.0], none), 1.0),
        (hand(ball(1.0), ball(2.0), [0.0, 3.0, 4.0], none), 2.0),
        (hand(ball(1.0), ball(2.0), [0.0; 3], none), -3.0),
        (hand(cube(), cube(), [3.0, 0.0, 0.0], none), 1.0),
        (hand(cube(), cube(), [3.0, 3.0, 3.0], none), 3.0_f64.sqrt()),
        (hand(cube(), cube(), [1.5, 0.2, 0.1], none), -0.5),
        (hand(cube(), cube(), [0.0; 3], none), -2.0),
        // A vertical edge of B ahead: half a diagonal nearer.
        (hand(cube(), cube(), [4.0, 0.0, 0.0], eighth_z), 3.0 - root2),
        (hand(cube(), ball(0.5), [2.0, 2.0, 0.0], none), root2 - 0.5),
        (hand(cube(), ball(0.5), [0.25, 0.0, 0.0], none), -1.25),
        (hand(cylinder(1.0, 2.0), cylinder(1.0, 2.0), [3.0, 0.0, 0.0], none), 1.0),
        (hand(cylinder(1.0, 2.0), cylinder(1.0, 2.0), [0.0, 0.0, 2.5], none), 0.5),
        (hand(cylinder(1.0, 2.0), cylinder(1.0, 2.0), [0.0; 3], none), -2.0),
        (hand(cylinder(1.0, 8.0), cylinder(1.0, 8.0), [0.0; 3], none), -2.0),
        (hand(cylinder(1.0, 2.0), ball(0.5), [3.0, 0.0, 5.0], none), 20.0_f64.sqrt() - 0.5),
        (hand(Shape::Cone { radius: 3.0, length: 4.0 }, point(), [0.0, 0.0, -2.0], none), 0.0),
        // Depth under the apex: the incircle of the triangle 5, 5, 6 has radius 1.5, its centre 0.5 below the
        // middle.
        (hand(Shape::Cone { radius: 3.0, length: 4.0 }, point(), [0.0, 0.0, -0.5], none), -1.5),
        (hand(Shape::Ellipsoid { radii: [3.0, 2.0, 1.0] }, ball(1.0), [5.0, 0.0, 0.0], none), 1.0),
        (hand(Shape::Ellipsoid { radii: [3.0, 2.0, 1.0] }, ball(1.0), [0.0; 3], none), -2.0),
        (
            hand(
                Shape::Capsule { radius: 0.5, length: 4.0 },
                Shape::Capsule { radius: 0.25, length: 4.0 },
                [1.0, 0.0, 0.0],
                [root2, root2, 0.0, 0.0],
            ),
            0.25,
        ),
        // In the notch of the L: outside, though within its hull.
        (hand(ell(), ball(0.1), [0.5, 0.5, 0.0], none), 0.4),
        (hand(ell(), ball(0.1), [2.0, 0.5, 0.0], none), 1.25_f64.sqrt() - 0.1),
        (hand(ell(), Shape::Box { size: [0.5; 3] }, [0.5, 0.5, 0.0], none), 0.25),
    ];
    let mut engine = Engine::default();
    for (c, known) in &table {
        holds(c, *known, &mut engine);
    }
}

#[test]
fn a_body_inside_a_closed_mesh_overlaps() {
    let closed = bracket_mesh([2.0; 3].into());
    let inside = Transform::from_translation([-0.5, -0.5, 0.0].into());
    let speck = Shape::Sphere { radius: 0.125 };
    let t = truth(&closed, 0.0, &speck, 0.0, &inside).unwrap();
    assert!(t.upper < -0.37 && t.lower <= -0.5 - 0.125, "{t:?}");
    let Shape::Mesh { vertices, mut triangles } = closed else { unreachable!() };
    triangles.pop();
    let open = Shape::Mesh { vertices, triangles };
    let t = truth(&open, 0.0, &speck, 0.0, &inside).unwrap();
    assert!((t.lower - 0.375).abs() < 1e-12, "a surface has no inside: {t:?}");
}

/// Every pair of kinds in every placement, features of all ranks face to face.
#[test]
fn by_construction_for_every_pair_of_kinds() {
    let mut engine = Engine::default();
    let rng = &mut Rng::new(7);
    let puts = [Put::Clear, Put::Near, Put::Touching, Put::Shallow, Put::Anywhere];
    let (mut asked, mut below) = (0, 0);
    for a in KINDS {
        for b in KINDS {
            for put in puts {
                for _ in 0..3 {
                    let c = draw_facing_pair([a, b], rng.decades(-3.0, 3.0), put, rng);
                    if let Some(known) = c.known {
                        holds(&c, known, &mut engine);
                        asked += 1;
                        below += u32::from(known < 0.0);
                    }
                }
            }
        }
    }
    assert!(asked > 1500 && below > 150, "{asked} known, {below} of them overlap");
}

/// Two ways to the depth of polytopes: every facet normal, and a search over all directions.
#[test]
fn facets_and_directions_agree_on_depth() {
    let mut compared = 0;
    for seed in 0..4000 {
        let c = draw_case(seed);
        if c.kinds.iter().any(|k| k.is_mesh()) {
            continue;
        }
        let (a, b) = (prepare(&c.a, 0.0).unwrap(), prepare(&c.b, 0.0).unwrap());
        let t = truth_of(&a, &b, &c.b_in_a());
        if t.method == Method::Facets {
            let d = Difference::new(&a, &b, &slow::transform(&c.b_in_a()));
            let (f, s) = (facets::polytope_depth(&d), sphere::curved_depth(&d, 1e-12 * t.scale));
            let slack = 4e-15 * t.scale;
            assert!(
                s.lower <= f.upper + slack && f.lower <= s.upper + slack,
                "facets {:e}, directions [{:e}, {:e}], {:e} of the scale: {}",
                f.lower,
                s.lower,
                s.upper,
                (s.lower - f.upper).max(f.lower - s.upper) / t.scale,
                c.as_json_line()
            );
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn swapped_and_scaled_the_reference_says_the_same() {
    for seed in 0..600 {
        let c = draw_case(seed);
        let t = truth(&c.a, c.padding[0], &c.b, c.padding[1], &c.b_in_a()).unwrap();
        let back = truth(&c.b, c.padding[1], &c.a, c.padding[0], &c.b_in_a().inverse()).unwrap();
        let slack = 4e-15 * t.scale;
        assert!(
            back.lower <= t.upper + slack && t.lower <= back.upper + slack,
            "{t:?} {back:?}: {}",
            c.as_json_line()
        );
        let s = c.scale_case(1024.0);
        let big = truth(&s.a, s.padding[0], &s.b, s.padding[1], &s.b_in_a()).unwrap();
        assert!(
            big.lower / 1024.0 <= t.upper && t.lower <= big.upper / 1024.0,
            "{t:?} {big:?}: {}",
            c.as_json_line()
        );
    }
}
