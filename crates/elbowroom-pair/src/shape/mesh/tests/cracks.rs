//! Cracks and corners on edges leave a solid solid.

use super::*;
use elbowroom_describe::math::Vec3;

#[test]
fn a_cracked_box_is_solid() {
    let mut rng = Rng::new(41);
    for (i, by) in [1e-16, 1e-13, 1e-11, 1e-9, 1e-8, 2e-7].into_iter().enumerate() {
        let (s, n) = ([1e-3, 1.0, 1e3][i % 3], 1 + i % 2);
        let pose = rng.pose(s);
        let whole = posed(&block(vec3(-s, -s, -s), vec3(s, s, s), n), &pose);
        let m = mesh(&cracked(&whole, by * s, &mut rng));
        assert!(m.is_closed() && is_cycle(&m) && seams_are_near(&m), "{by}: {:?}", m.shells);
        assert!(
            m.crack_half_width() <= 1e-5 * s && (by < 1e-15 || m.crack_half_width() > 0.1 * by * s),
            "{by}: {}",
            m.crack_half_width()
        );
        // A small cube inside: as deep as it is by construction, to what the corners are off by.
        let (a, b) = (shape(&cracked(&whole, by * s, &mut rng)), shape(&cube(0.01 * s)));
        let place = vec3(0.3 * s, 0.1 * s, -0.2 * s);
        let b_in_a = pose * Transform::from_translation(place);
        let query = Query { geometry: Geometry::Mesh, ..Query::default() };
        let (mut warm, mut scratch) = (Warm::default(), Scratch::new(a.mesh_depth().max(b.mesh_depth())));
        let c = narrow::clearance(&a, &b, &b_in_a, &query, &mut warm, &mut scratch);
        let (depth, off) = (0.71 * s, 4.0 * by * s + 1e-12 * s);
        assert!(
            c.interval.upper < -0.68 * s
                && c.interval.lower <= off - depth
                && c.interval.upper >= -depth - off,
            "{by}: {c:?}"
        );
        let (b_out, mut warm) = (b_in_a.inverse(), Warm::default());
        let c = narrow::clearance(&b, &a, &b_out, &query, &mut warm, &mut scratch);
        assert!(
            c.interval.upper < -0.68 * s
                && c.interval.lower <= off - depth
                && c.interval.upper >= -depth - off,
            "{by}: {c:?}"
        );
        // And a ball, which goes another way.
        let ball = Shape::new(&ShapeDescription::Sphere { radius: 0.01 * s }, 0.0).unwrap();
        let c = narrow::clearance(&a, &ball, &b_in_a, &query, &mut Warm::default(), &mut scratch);
        assert!(c.interval.upper < -0.68 * s && c.interval.lower <= off - depth, "{by}: {c:?}");
        // Outside it is as far as its triangles.
        let away = pose * Transform::from_translation(vec3(1.5 * s, 0.0, 0.0));
        let c = narrow::clearance(&a, &b, &away, &query, &mut Warm::default(), &mut scratch);
        assert!(
            (c.interval.lower - 0.49 * s).abs() < off && (c.interval.upper - 0.49 * s).abs() < off,
            "{by}: {c:?}"
        );
    }
}

#[test]
fn a_ray_through_a_crack_still_counts() {
    let (mut rng, mut leaks) = (Rng::new(77), 0);
    for by in [1e-9, 3e-7] {
        let whole = ring(1.0, 0.4, 24, 12);
        let m = mesh(&cracked(&whole, by, &mut rng));
        assert!(m.is_closed() && is_cycle(&m) && seams_are_near(&m));
        let without = Mesh { seams: None, ..m.clone() };
        let truth = mesh(&whole);
        for _ in 0..800 {
            // Back along each direction that is tried from a point of a seam.
            let seams = m.seams.as_ref().unwrap();
            let t = &seams.triangles[rng.below(seams.triangles.len())];
            let (u, v) = (rng.unit(), rng.unit());
            let p = t[0] + ((t[1] - t[0]) * (1.0 - u) + (t[2] - t[0]) * u) * v;
            let p = p - inside::DIRECTIONS[0] * rng.range(0.05, 0.8);
            let near = truth.triangles.iter().any(|t| (triangle::nearest_point(t, p) - p).norm() < 1e-5);
            let Some(expected) = inside::contains(&truth, p).filter(|_| !near) else { continue };
            assert_eq!(inside::contains(&m, p), Some(expected));
            leaks += usize::from(inside::contains(&without, p) == Some(!expected));
        }
    }
    assert!(leaks > 30, "only {leaks} rays went through a crack");
}

#[test]
fn corners_on_edges_leave_a_box_solid() {
    // Halves and quarters lie on the edges exactly, and the box is its hull.
    let exact = patched(1.0, [1, 2, 4, 1, 2, 8]);
    let m = mesh(&exact);
    assert!(m.is_closed() && m.crack_half_width() == 0.0 && is_cycle(&m), "{:?}", m.shells);
    assert!(matches!(shape(&exact).core, Core::Hull(_)));
    let dot = mesh(&cube(0.01));
    let mut rng = Rng::new(5);
    for cuts in [[1, 2, 3, 4, 5, 6], [7, 1, 3, 2, 1, 1], [5, 3, 5, 3, 5, 3], [30, 1, 29, 1, 7, 1]] {
        for by in [0.0, 1e-10, 1e-7] {
            let pose = rng.pose(3.0);
            let p = posed(&patched(1.0, cuts), &pose);
            let m = mesh(&if by > 0.0 { cracked(&p, by, &mut rng) } else { p });
            assert!(m.is_closed() && is_cycle(&m) && seams_are_near(&m), "{cuts:?} {by}: {:?}", m.shells);
            let place = |x: f64| ask(&m, &dot, &(pose * Transform::from_translation(vec3(x, 0.1, 0.2))));
            let (g, out) = (place(0.5), place(1.5));
            assert!(g.relation == Relation::Inside && (g.upper + 0.49).abs() < 1e-6, "{g:?}");
            assert!(out.relation == Relation::Apart && (out.upper - 0.49).abs() < 1e-6, "{out:?}");
        }
    }
}

#[test]
fn damage_at_random_never_opens_a_body_wider_than_it_is() {
    // Corners off by what is closed, some edges cut, triangles turned over, written twice, slivers and fins
    // added.
    let (mut rng, mut solid) = (Rng::new(2024), 0);
    for case in 0..36 {
        let whole =
            [ring(1.0, 0.3, 10, 7), block(vec3(-1.0, -0.7, -0.4), vec3(1.0, 0.7, 0.4), 3)][case % 2].clone();
        let mut p = cracked(&whole, [0.0, 1e-14, 1e-10, 1e-7][case % 4], &mut rng);
        for t in 0..p.1.len() {
            let [a, b, c] = p.1[t];
            match rng.bits() % 8 {
                0 => p.1[t] = [b, a, c],
                1 => p.1.push([a, b, c]),
                2 | 3 => {
                    // Cut at a point of an edge.
                    let at = rng.range(0.1, 0.9);
                    let m = p.0[a as usize] * (1.0 - at) + p.0[b as usize] * at;
                    p.0.push(m);
                    let m = p.0.len() as u32 - 1;
                    p.1[t] = [a, m, c];
                    p.1.push([m, b, c]);
                }
                4 if case % 3 == 0 => {
                    p.0.push(p.0[a as usize] * 1.5);
                    let m = p.0.len() as u32 - 1;
                    p.1.push([a, b, m]);
                }
                _ => {}
            }
        }
        let (m, truth) = (mesh(&p), mesh(&whole));
        assert!(is_cycle(&m) && seams_are_near(&m), "{case}");
        solid += usize::from(m.encloses_volume());
        for _ in 0..50 {
            let x = rng.point(1.4);
            if let (true, Some(expected)) = (m.encloses_volume(), inside::contains(&truth, x))
                && truth.triangles.iter().all(|t| (triangle::nearest_point(t, x) - x).norm() > 1e-5)
            {
                assert_eq!(inside::contains(&m, x), Some(expected), "{case} {x:?}");
            }
        }
    }
    assert!(solid > 26, "{solid}");
}

#[test]
fn soups_of_few_corners_are_cycles_where_they_close() {
    // Triangles of any corners of a small lattice, exact or nearly so: many on an edge, twice, collinear,
    // through each other.
    let (mut rng, mut sewn, mut parity) = (Rng::new(102), 0, 0);
    for case in 0..400 {
        let (n, by) = (20 + rng.bits() % 100, [0.0, 1e-12, 1e-9, 1e-7][case % 4]);
        let mut p = (Vec::new(), Vec::new());
        for i in 0..n as u32 {
            let side = 2 + case as u64 / 4 % 2;
            let mut corner = |_| [(); 3].map(|()| (rng.bits() % side) as f64);
            let t = [0, 1, 2].map(&mut corner).map(|[x, y, z]| vec3(x, y, z));
            p.0.extend(t.map(|c| c + rng.point(by)));
            p.1.push([3 * i, 3 * i + 1, 3 * i + 2]);
        }
        let m = mesh(&p);
        assert!(is_cycle(&m), "{case}: {:?}", m.shells);
        assert!(seams_are_near(&m), "{case}: {:?} {:e}", m.shells, m.crack_half_width());
        sewn += usize::from(m.seams.is_some());
        parity += m.shells.parity;
    }
    assert!(sewn > 25 && parity > 10, "{sewn} {parity}");
}

/// Vertices and triangles of an OBJ file without polygons.
fn obj(path: &std::path::Path) -> Parts {
    let text = std::fs::read_to_string(path).unwrap();
    let lines =
        |key: &'static str| text.lines().filter_map(move |l| l.strip_prefix(key)).map(str::split_whitespace);
    let v = lines("v ").map(|w| {
        Vec3::from(<[f64; 3]>::try_from(w.map(|x| x.parse().unwrap()).collect::<Vec<_>>()).unwrap())
    });
    let index = |w: &str| w.split('/').next().unwrap().parse::<u32>().unwrap() - 1;
    (v.collect(), lines("f ").map(|w| w.map(index).collect::<Vec<_>>().try_into().unwrap()).collect())
}

/// The edges that an odd number of triangles share.
fn rims(p: &Parts) -> Vec<[Vec3; 2]> {
    let mut count: BTreeMap<[[u64; 3]; 2], ([Vec3; 2], usize)> = BTreeMap::new();
    for t in &p.1 {
        for k in 0..3 {
            let ends = [t[k], t[(k + 1) % 3]].map(|i| p.0[i as usize]);
            let [a, b] = ends.map(|v| v.to_array().map(f64::to_bits));
            count.entry([a.min(b), a.max(b)]).or_insert((ends, 0)).1 += 1;
        }
    }
    count.into_values().filter(|e| e.1 % 2 == 1).map(|e| e.0).collect()
}

#[test]
fn real_meshes_open_by_corners_on_edges_are_solid() {
    let Some(data) = data() else { return };
    let robots = data.join("robots");
    let palm = "schunk_sdh2/schunk_description/meshes/sdh/";
    for file in [format!("{palm}palm.stl"), format!("{palm}finger_tip.stl")] {
        let pieces = read_stl(&robots.join(&file));
        let m = mesh(&pieces);
        assert!(m.is_closed() && is_cycle(&m) && seams_are_near(&m), "{file}: {:?}", m.shells);
        assert!(
            m.seams.is_some() && m.crack_half_width() < 1e-7 * m.radius,
            "{file}: {}",
            m.crack_half_width()
        );
    }
    let base = "mecademic_meca500_r3/mecademic_description/meshes/meca_500_r3_base_collision.stl";
    let m = mesh(&read_stl(&robots.join(base)));
    assert!(m.is_closed() && is_cycle(&m), "{:?}", m.shells);
    // 34 pieces of a body, thinned out each for itself: their rims run past each other at a distance of half
    // a millimetre as a rule and 27 at most, a hundredth to a quarter of the body. A gap as wide as that is
    // what separates fingers too, and nothing but a guess closes it.
    let link = obj(&robots.join("panda_vamp/meshes/collision/link6.obj"));
    let m = mesh(&link);
    assert!(!m.is_closed() && !m.encloses_volume() && m.shells.open == 34, "{:?}", m.shells);
    let odd = rims(&link);
    assert_eq!(odd.len(), 586);
    let near = |p: Vec3| {
        let others = odd.iter().filter(|e| e[0] != p && e[1] != p);
        others
            .map(|e| (triangle::nearest_point(&[e[0], e[1], e[1]], p) - p).norm())
            .fold(f64::INFINITY, f64::min)
    };
    let far =
        odd.iter().filter(|e| near(e[0]) > 100.0 * crate::shape::tolerance::CRACKS[2] * m.radius).count();
    assert!(far > 400, "{far}");
    // Torn open by centimetres.
    let torso = mesh(&read_stl(&robots.join("baxter_vamp/meshes/torso/base_link_collision_6.stl")));
    assert!(!torso.encloses_volume(), "{:?}", torso.shells);
}
