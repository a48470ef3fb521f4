//! Bodies that rest in a hollow of a mesh, so that their hulls overlap deeply: they touch, to the last
//! digits.

use crate::support::bent::{LEGS, bent, ell};
use crate::support::engine::{ask, compile_unpadded};
use crate::support::number_from_environment;
use crate::support::rng::Rng;
use crate::support::star::bumpy_solid;
use crate::support::turned::{polygon, ring_mesh};
use crate::tight_fits::seen_from;
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Mat3, Transform, vec3};
use elbowroom_pair::{Ask, Effort, Geometry, Query, Shape};

/// How far either end of an interval may be from zero, in units of the bodies' size.
const WITHIN: f64 = 1e-9;
/// How far either end of an interval may be from zero for two meshes where walls meet, in units of the
/// bodies' size: their distance falls short by a share of their size, so a narrow step ends free only at some
/// length.
const IN_CORNERS: f64 = 1e-7;

/// Whether a pair is told to touch to within a share of its size, whichever comes first and with whatever
/// effort.
fn touches(a: &Shape, b: &Shape, b_in_a: &Transform, share: f64) -> bool {
    let within = share * (a.bounding_radius() + b.bounding_radius());
    [(a, b, *b_in_a), (b, a, b_in_a.inverse())].into_iter().all(|(a, b, pose)| {
        [Effort::Ordinary, Effort::TIGHT].into_iter().all(|depth| {
            let c = ask(a, b, &pose, &Query { depth, ..Query::default() });
            assert!(c.interval.lower <= within && c.interval.upper >= -within, "{c:?}");
            c.interval.lower >= -within && c.interval.upper <= within
        })
    })
}

#[test]
fn what_rests_in_a_hollow_touches() {
    // Its hole is from -1 to 1 along x and y, and so are all numbers of the poses exact.
    let square = |half: f64| [[half, half], [-half, half], [-half, -half], [half, -half]];
    let washer = compile_unpadded(&ring_mesh(&square(1.0), &square(2.0), [-1.0, 1.0]));
    let long = compile_unpadded(&ShapeDescription::Box { size: [1.0, 1.0, 8.0] });
    let short = compile_unpadded(&ShapeDescription::Box { size: [1.0, 1.0, 0.5] });
    let ball = compile_unpadded(&ShapeDescription::Sphere { radius: 0.25 });
    let bolt = compile_unpadded(&ShapeDescription::Cylinder { radius: 0.25, length: 4.0 });
    let nut = compile_unpadded(&ring_mesh(&square(0.25), &square(0.5), [-4.0, 4.0]));
    let places = [
        ("a wall", &long, vec3(0.5, 0.0, 0.0)),
        ("a wall, inside", &short, vec3(0.5, 0.125, 0.25)),
        ("two walls", &long, vec3(0.5, 0.5, 0.0)),
        ("a ball on a wall", &ball, vec3(0.0, -0.75, 0.5)),
        ("a ball at two walls", &ball, vec3(0.75, -0.75, 0.5)),
        ("a bolt along a wall", &bolt, vec3(0.0, 0.75, 0.0)),
        ("a bolt in a corner", &bolt, vec3(-0.75, 0.75, 0.0)),
        ("a mesh on a wall", &nut, vec3(0.5, 0.0, 0.0)),
        ("a mesh in a corner", &nut, vec3(0.5, -0.5, 0.0)),
    ];
    for (what, body, at) in places {
        assert!(touches(&washer, body, &Transform::from_translation(at), WITHIN), "{what}");
    }
}

#[test]
fn a_mesh_in_the_corner_of_another_touches_in_any_frame() {
    let mut rng = Rng::new(12);
    let square = |half: f64| [[half, half], [-half, half], [-half, -half], [half, -half]];
    let washer = ring_mesh(&square(1.0), &square(2.0), [-1.0, 1.0]);
    let nut = ring_mesh(&square(0.25), &square(0.5), [-4.0, 4.0]);
    let mut wide = 0;
    for _ in 0..100 {
        let frames =
            [(); 2].map(|()| Transform::new(Mat3::from_quat_wxyz(rng.quaternion()).unwrap(), rng.point(2.0)));
        let [a, b] = [(&washer, &frames[0]), (&nut, &frames[1])]
            .map(|(mesh, f)| compile_unpadded(&seen_from(mesh, f)));
        let b_in_a = frames[0].inverse()
            * Transform::from_translation(vec3(0.5, -0.5, rng.range(-1.0, 1.0)))
            * frames[1];
        wide += u32::from(!touches(&a, &b, &b_in_a, IN_CORNERS));
    }
    assert_eq!(wide, 0, "of 100");
}

/// Bodies of all kinds are moved together along the way in which they are nearest, until they touch: corners
/// on faces, edges on edges, and where several meet.
#[test]
fn what_is_moved_until_it_touches_touches() {
    let mut rng = Rng::new(5);
    let (mut asked, mut wide) = (0, 0);
    while asked < number_from_environment("ELBOWROOM_TIGHT", 300) {
        let ring = ring_mesh(&polygon(rng.pick(&[3, 6, 24]), 0.5), &polygon(24, 1.0), [-0.2, 0.2]);
        let hollow = [ring, ell(LEGS, [-0.3, 0.3]), bent(1.0), bumpy_solid(&mut rng)];
        let small = [
            ShapeDescription::Box { size: [0.2, 0.1, 0.3] },
            ShapeDescription::Sphere { radius: 0.1 },
            ShapeDescription::Cylinder { radius: 0.05, length: 1.0 },
            ell(LEGS.map(|[x, y]| [0.2 * x, 0.2 * y]), [0.0, 0.1]),
        ];
        let [a, b] = [&hollow[rng.below(4)], &small[rng.below(4)]].map(compile_unpadded);
        let mut pose = Transform::new(Mat3::from_quat_wxyz(rng.quaternion()).unwrap(), rng.point(0.6));
        // Each step ends where they touched if nothing else came near: a few are enough.
        for _ in 0..4 {
            let c = ask(&a, &b, &pose, &Query::default());
            if !(c.interval.upper > 0.0) {
                break;
            }
            pose.translation += c.normal * c.interval.lower.max(0.0);
        }
        let hulls = Query { ask: Ask::Distance, geometry: Geometry::Hull, ..Query::default() };
        let c = ask(&a, &b, &pose, &Query::default());
        // Rounding may decide it; what is wanted are contacts in which hulls overlap and nothing is decided.
        let undecided = c.interval.lower <= 0.0 && c.interval.upper >= 0.0;
        if !undecided || ask(&a, &b, &pose, &hulls).interval.upper > -0.01 {
            continue;
        }
        asked += 1;
        wide += u32::from(!touches(&a, &b, &pose, WITHIN));
    }
    assert!(wide == 0, "{wide} of {asked} contacts are not told");
}
