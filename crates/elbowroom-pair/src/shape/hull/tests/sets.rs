//! Sets of points made to be hard: flat, collinear, cospherical, crowded, thin, tiny and huge.

use super::*;
use crate::rng::Rng;
use alloc::format;
use elbowroom_describe::fault::HullFault;
use elbowroom_describe::math::{Mat3, Vec3};

#[test]
fn ranks_are_exact() {
    assert_eq!(Hull::from_points(&[]).unwrap_err(), HullFault::Empty);
    let nan = [Vec3::ZERO, vec3(0.0, f64::NAN, 0.0)];
    assert_eq!(Hull::from_points(&nan).unwrap_err(), HullFault::NotFinite { index: 1 });
    let infinite = [Vec3::ZERO, Vec3::X, vec3(0.0, 0.0, f64::NEG_INFINITY)];
    assert_eq!(Hull::from_points(&infinite).unwrap_err(), HullFault::NotFinite { index: 2 });
    assert_eq!(Hull::from_points(&[vec3(1e101, 0.0, 0.0)]).unwrap_err(), HullFault::TooLarge { index: 0 });

    let p = vec3(0.1, -0.2, 0.3);
    assert_eq!(Hull::with_ball(&[p; 3]).unwrap().radius, 0.0);
    let h = hull(&vec![p; 1000]);
    assert!(h.rank() == Rank::Point && h.climb_slack(0) == 0.0 && h.neighbours(0).is_empty());
    let h = hull(&[vec3(0.0, 0.0, 0.0), vec3(-0.0, 0.0, -0.0)]);
    assert_eq!(h.rank(), Rank::Point);

    // Exactly collinear: multiples of a direction by small integers.
    let d = vec3(0.1, 0.7, -0.3);
    let line: Vec<Vec3> = (0..9).map(|i| d * [1.0, 2.0, 4.0, 0.5, -8.0, 0.0, 0.25, -1.0, 2.0][i]).collect();
    let h = hull(&line);
    assert!(h.rank() == Rank::Segment && vertices(&h) == [d * -8.0, d * 4.0]);
    assert!(h.climb_slack(0) >= 1.0 && h.climb_slack(0) < 1.1);
    // One ulp off the line is a polygon, one ulp off the plane a solid.
    let mut bent = line.clone();
    bent[3].x = bent[3].x.next_up();
    assert_eq!(hull(&bent).rank(), Rank::Polygon);
    let mut square = vec![vec3(0.0, 0.0, 0.1), vec3(1.0, 0.0, 0.1), vec3(0.0, 1.0, 0.1), vec3(1.0, 1.0, 0.1)];
    assert_eq!(hull(&square).rank(), Rank::Polygon);
    square[3].z = square[3].z.next_up();
    assert_eq!(hull(&square).rank(), Rank::Solid);
}

#[test]
fn polygons_in_every_plane() {
    let mut rng = Rng::new(1);
    for plane in 0..40 {
        // Integer points in an integer lattice plane are exactly coplanar.
        let mut small = || (rng.below(11) as f64) - 5.0;
        let (u, w) = match plane {
            0 => (Vec3::X, Vec3::Y),
            1 => (Vec3::Y, Vec3::Z),
            2 => (Vec3::Z, Vec3::X),
            _ => (vec3(small(), small(), small()), vec3(small(), small(), small())),
        };
        let o = vec3(small(), small(), small());
        let points: Vec<Vec3> = (0..60).map(|_| o + u * small() + w * small()).collect();
        let h = hull(&points);
        assert_eq!(h.rank(), if u.cross(w) == Vec3::ZERO { Rank::Segment } else { Rank::Polygon });
        if plane < 6 {
            assert_eq!(vertices(&h), extreme(&points));
        }
    }
}

#[test]
fn small_sets_against_brute_force() {
    let mut rng = Rng::new(2);
    let mut ranks = [0; 4];
    for case in 0..1500 {
        let n = 1 + rng.below(24);
        let scale = [1e-6, 1e-3, 1.0, 1e3][case % 4];
        // Coarse grids make coplanar, collinear and double points likely.
        let grid = [2.0, 3.0, 5.0, 1e9][case / 4 % 4];
        let mut points: Vec<Vec3> = (0..n)
            .map(|_| {
                let p = rng.point(1.0) * grid;
                vec3(libm::floor(p.x), libm::floor(p.y), libm::floor(p.z)) * (scale / grid)
            })
            .collect();
        if case % 3 == 0 {
            let r = Mat3::from_rpy(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
            points.iter_mut().for_each(|p| *p = r * *p);
        }
        let h = hull(&points);
        ranks[h.rank() as usize] += 1;
        if case % 5 == 0 {
            assert_eq!(vertices(&h), extreme(&points), "case {case}");
        }
        // Neither order nor the shuffled insertion changes a bit.
        let mut other = points.clone();
        rng.shuffle(&mut other);
        let g = Hull::with_budget(&other, Some(0)).unwrap().hull;
        assert_eq!(format!("{h:?}"), format!("{g:?}"));
    }
    assert!(ranks.iter().all(|&r| r > 20), "{ranks:?}");
}

#[test]
fn slivers_and_noise() {
    let mut rng = Rng::new(3);
    // The box 1e3 x 1 x 1e-6, its corners and 2000 points inside.
    let half = vec3(500.0, 0.5, 0.5e-6);
    let mut points: Vec<Vec3> = (0..8)
        .map(|i| half.scaled(vec3([-1.0, 1.0][i & 1], [-1.0, 1.0][i >> 1 & 1], [-1.0, 1.0][i >> 2])))
        .collect();
    points.extend((0..2000).map(|_| half.scaled(rng.point(1.0))));
    let h = hull(&points);
    assert!(h.rank() == Rank::Solid && h.vertex_count() == 8);
    let r = Mat3::from_rpy(0.3, -0.2, 0.9);
    let turned: Vec<Vec3> = points.iter().map(|&p| r * p).collect();
    assert!(hull(&turned).rank() == Rank::Solid);

    // A tilted plane with rounding noise, a line with rounding noise, and both far off.
    for shift in [0.0, 1e3] {
        let o = vec3(shift, -shift, shift);
        let plane: Vec<Vec3> =
            (0..500).map(|_| r * vec3(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), 0.0) + o).collect();
        assert_eq!(hull(&plane).rank(), Rank::Solid);
        let line: Vec<Vec3> = (0..500).map(|_| r * vec3(rng.range(-1.0, 1.0), 0.0, 0.0) + o).collect();
        assert_eq!(hull(&line).rank(), Rank::Solid);
        let dot: Vec<Vec3> = (0..500).map(|_| r * rng.point(1.0) * 1e-15 + vec3(1.0, 1.0, 1.0) + o).collect();
        hull(&dot);
    }
    let noisy: Vec<Vec3> = (0..400)
        .map(|i| vec3((i % 20) as f64, (i / 20) as f64, 1.0 + rng.range(-1.0, 1.0) * 3e-16))
        .collect();
    hull(&noisy);
}

#[test]
fn coplanar_crowds() {
    // A full cube grid: eight corners, turned by a rotation many more.
    let side = 24;
    let mut grid = vec![];
    for i in 0..side * side * side {
        grid.push(vec3((i % side) as f64, (i / side % side) as f64, (i / side / side) as f64) * 0.125);
    }
    let h = hull(&grid);
    assert!(h.vertex_count() == 8 && h.faces().len() == 12);
    assert!((0..8).all(|v| h.neighbours(v).len() == 3));
    let r = Mat3::from_rpy(0.3, -0.2, 0.9);
    let turned: Vec<Vec3> = grid.iter().map(|&p| r * p).collect();
    let h = Hull::from_points(&turned).unwrap();
    assert!(h.vertex_count() >= 8);

    // A cylinder with wide rims: exactly coplanar caps, few neighbours, short climbs.
    let n = 4000;
    let rim = |z: f64| {
        (0..n).map(move |i| {
            let (s, c) = elbowroom_describe::math::sin_cos(i as f64 * core::f64::consts::TAU / n as f64);
            vec3(c, s, z)
        })
    };
    let points: Vec<Vec3> = rim(-1.0).chain(rim(1.0)).collect();
    let h = Hull::from_points(&points).unwrap();
    examine(&points, &h);
    assert_eq!(h.vertex_count(), 2 * n);
    let degree = (0..2 * n).map(|v| h.neighbours(v).len()).max().unwrap();
    assert!(degree <= 40, "{degree}");
    // A cone over a rim: the apex has as many neighbours as there are.
    let points: Vec<Vec3> = rim(0.0).chain([vec3(0.0, 0.0, 2.0)]).collect();
    let h = Hull::from_points(&points).unwrap();
    examine(&points, &h);
    assert_eq!(h.vertex_count(), n + 1);

    // All integer points of a sphere x^2 + y^2 + z^2 = 9 * 25: exactly cospherical, many coplanar circles.
    let mut points = vec![];
    for i in -15i32..=15 {
        for j in -15i32..=15 {
            for k in -15i32..=15 {
                if i * i + j * j + k * k == 225 {
                    points.push(vec3(i as f64, j as f64, k as f64));
                }
            }
        }
    }
    let h = hull(&points);
    assert_eq!(h.vertex_count(), points.len());
}

#[test]
fn shuffled_insertion_gives_the_same_hull() {
    let mut rng = Rng::new(4);
    let sphere: Vec<Vec3> = (0..3000).map(|_| rng.direction()).collect();
    let curve: Vec<Vec3> = (0..1000)
        .map(|i| {
            let t = i as f64 / 1000.0;
            vec3(t, t * t, t * t * t)
        })
        .collect();
    let rim: Vec<Vec3> = (0..1000)
        .map(|i| {
            let (s, c) = elbowroom_describe::math::sin_cos(i as f64);
            vec3(c, s, if i % 2 == 0 { 0.0 } else { c * 1e-9 })
        })
        .chain([vec3(0.0, 0.0, 3.0), vec3(0.0, 0.0, -3.0)])
        .collect();
    // A cone and a roof filled with points: wide fans, over points that they cover, on axes and in planes of
    // symmetry.
    let mut filled = rim.clone();
    for _ in 0..2000 {
        let (p, t) = (rim[rng.below(1000)], rng.below(5) as f64 * 0.25);
        filled.push(vec3(p.x * (1.0 - t), p.y * (1.0 - t), 3.0 * t - 0.5 * t * t));
    }
    let mut roof: Vec<Vec3> = (0..900).map(|i| vec3((i % 30) as f64, (i / 30) as f64, 0.0)).collect();
    roof.extend((0..300).map(|i| vec3(i as f64 * 0.1, 14.0 + (i % 3) as f64, (i % 7) as f64)));
    for points in [sphere, curve, rim, filled, roof] {
        let h = hull(&points);
        let mut other = points.clone();
        rng.shuffle(&mut other);
        for budget in [Some(0), Some(5000), None] {
            let g = Hull::with_budget(&other, budget).unwrap().hull;
            assert_eq!(format!("{h:?}"), format!("{g:?}"));
        }
    }
}

#[test]
fn scale_changes_nothing_but_scale() {
    let mut rng = Rng::new(5);
    let points: Vec<Vec3> = (0..300).map(|_| rng.direction()).collect();
    let h = hull(&points);
    // Down to subnormal results and up to the limit, by powers of two.
    for e in [-900, -500, -120, -20, 10, 300] {
        let moved: Vec<Vec3> = points.iter().map(|&p| points::scaled_vec(p, e)).collect();
        let InBall { hull: g, center, radius } = Hull::with_ball(&moved).unwrap();
        assert_eq!((faces(&g), g.defect()), (faces(&h), 0.0));
        let same = vertices(&g).into_iter().zip(vertices(&h)).all(|(p, q)| p == points::scaled_vec(q, e));
        assert!(same && vertices(&g).iter().all(|&x| (x - center).norm() <= radius));
        assert!(radius > 0.0 && radius.is_finite());
    }
    // Coordinates too small for exact products count as zero, and the defect says so.
    let mut tiny = points.clone();
    tiny.push(vec3(0.0, 1e-300, 2.0));
    let g = Hull::from_points(&tiny).unwrap();
    assert!(g.defect() > 0.0 && g.defect() < 1e-80 && vertices(&g).contains(&vec3(0.0, 0.0, 2.0)));
    let sub = [Vec3::ZERO, vec3(5e-324, 0.0, 0.0), vec3(0.0, 5e-324, 0.0), vec3(0.0, 0.0, 1e-323)];
    let InBall { hull: g, radius, .. } = Hull::with_ball(&sub).unwrap();
    assert!(g.vertex_count() == 4 && g.rank() == Rank::Solid && radius >= 5e-324);
}

#[test]
fn the_check_refuses_what_is_not_convex() {
    let h =
        hull(&(0..8).map(|i| vec3((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect::<Vec<_>>());
    let (v, f) = (vertices(&h), faces(&h));
    assert!(check::check_convex(&v, &f).is_ok());
    let mut dented = v.clone();
    dented[0] = vec3(0.9, 0.9, 0.9);
    assert!(check::check_convex(&dented, &f).is_err());
    let mut turned = f.clone();
    turned[3].swap(0, 1);
    assert!(check::check_convex(&v, &turned).is_err());
    assert!(check::check_convex(&v, &f[1..]).is_err());
    let inside_out: Vec<[u32; 3]> = f.iter().map(|&[a, b, c]| [a, c, b]).collect();
    assert!(check::check_convex(&v, &inside_out).is_err());
    let mut twice = f.clone();
    twice.extend_from_slice(&f);
    assert!(check::check_convex(&v, &twice).is_err());
    let mut far = f.clone();
    far[0][0] = 99;
    assert!(check::check_convex(&v, &far).is_err());
}

/// A million points each, or ELBOWROOM_HULLS.
#[cfg(feature = "std")]
#[test]
#[ignore = "a long run: cargo xtask race 1000000 hulls"]
fn a_million_points() {
    let mut rng = Rng::new(11);
    let wanted = std::env::var("ELBOWROOM_HULLS").ok().and_then(|n| n.parse().ok());
    let n: usize = wanted.unwrap_or(1_000_000);
    let r = Mat3::from_rpy(0.3, -0.2, 0.9);
    let mut sets: Vec<(&str, Vec<Vec3>)> = vec![
        ("cube", (0..n).map(|_| rng.point(1.0)).collect()),
        ("sphere", (0..n).map(|_| rng.direction()).collect()),
        ("duplicates", vec![vec3(1.0, 2.0, 3.0); n]),
        (
            "plane with noise",
            (0..n).map(|_| r * vec3(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), 0.0)).collect(),
        ),
        ("line with noise", (0..n).map(|_| r * vec3(rng.range(-1.0, 1.0), 0.0, 0.0)).collect()),
        ("exact plane", (0..n).map(|_| vec3(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), 0.1)).collect()),
        (
            "f32 sphere",
            (0..n)
                .map(|_| rng.direction())
                .map(|p| vec3(f64::from(p.x as f32), f64::from(p.y as f32), f64::from(p.z as f32)))
                .collect(),
        ),
        ("moment curve", (0..n).map(|_| rng.range(-1.0, 1.0)).map(|t| vec3(t, t * t, t * t * t)).collect()),
        (
            "grid",
            (0..n)
                .map(|i| vec3((i % 100) as f64, (i / 100 % 100) as f64, (i / 10000) as f64) * 0.01)
                .collect(),
        ),
    ];
    let rim: Vec<Vec3> = (0..n)
        .map(|i| {
            let (s, c) = elbowroom_describe::math::sin_cos(i as f64 * 1e-5);
            vec3(c, s, (i % 2) as f64)
        })
        .collect();
    sets.push(("cylinder", rim.clone()));
    sets.push(("cone", rim.iter().map(|p| vec3(p.x, p.y, 0.0)).chain([Vec3::Z]).collect()));
    sets.push(("grid turned", sets[8].1.iter().map(|&p| r * p).collect()));
    for (name, points) in sets {
        let begin = std::time::Instant::now();
        let h = Hull::from_points(&points).unwrap();
        std::println!(
            "{name}: {:?}, {} vertices, {:.2} s",
            h.rank(),
            h.vertex_count(),
            begin.elapsed().as_secs_f64()
        );
    }
}
