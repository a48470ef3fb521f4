//! What is solid and what is not: cracks, corners on edges, fins, copies, two-sided faces, holes.

use super::*;
use crate::describe::ShapeDescription;
use crate::narrow::{self, Geometry, Query, Scratch, Stop, Warm};
use crate::shape::{Core, Shape};
use crate::shape_compile::compile_shape;
use alloc::collections::BTreeMap;

/// Every triangle with corners of its own, each off by up to `by`.
fn cracked(p: &Parts, by: f64, rng: &mut Rng) -> Parts {
    let v: Vec<Vec3> = p.1.iter().flatten().map(|&i| p.0[i as usize] + rng.point(by)).collect();
    (v, (0..p.1.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

/// A box of half extent `h` whose six faces are cut each its own way, so that corners lie on the neighbours' edges.
fn patched(h: f64, cuts: [usize; 6]) -> Parts {
    let mut faces = Vec::new();
    for (k, n) in cuts.into_iter().enumerate() {
        let (v, t) = block(vec3(-h, -h, -h), vec3(h, h, h), n);
        faces.push((v, t[2 * n * n * k..][..2 * n * n].to_vec()));
    }
    joined(&faces.iter().collect::<Vec<_>>())
}

fn posed(p: &Parts, pose: &Transform) -> Parts {
    (p.0.iter().map(|v| pose.point(*v)).collect(), p.1.clone())
}

fn shape(p: &Parts) -> Shape {
    let vertices = p.0.iter().map(|v| v.to_array()).collect();
    compile_shape(&ShapeDescription::Mesh { vertices, triangles: p.1.clone() }, 0.0).unwrap()
}

/// With its seams the surface has no boundary: what each edge is used more one way than the other, and how often by parity shells.
fn is_cycle(m: &Mesh) -> bool {
    let mut edges: BTreeMap<[[u64; 3]; 2], (i64, u64)> = BTreeMap::new();
    let seams = m.seams.iter().flat_map(|s| s.triangles.iter().zip(&s.turns));
    for (t, &turn) in m.triangles.iter().zip(&m.turns).chain(seams) {
        for k in 0..3 {
            let [a, b] = [t[k], t[(k + 1) % 3]].map(|p| p.to_array().map(|x| (x + 0.0).to_bits()));
            let edge = edges.entry([a.min(b), a.max(b)]).or_default();
            match turn {
                0 => {}
                t if t < closed::PARITY => edge.0 += i64::from(t) * if a < b { 1 } else { -1 },
                t => edge.1 ^= 1 << (t - closed::PARITY),
            }
        }
    }
    edges.values().all(|e| *e == (0, 0))
}

/// The corners of the seams are no farther from the triangles than said.
fn seams_are_near(m: &Mesh) -> bool {
    let Some(seams) = &m.seams else { return true };
    // As far as is proved: the nearest point of a needle is not known to the last digit.
    let far =
        |p: Vec3| m.triangles.iter().map(|t| triangle::gap(t, &[p; 3]).lower).fold(f64::INFINITY, f64::min);
    // Two hundred of them.
    seams.triangles.iter().step_by(seams.triangles.len() / 200 + 1).all(|t| {
        let middle = (t[0] + t[1] + t[2]) * (1.0 / 3.0);
        far(middle) <= seams.width && seams.width <= 4.0 * crate::tolerance::CRACKS[2] * m.reach
    })
}

#[test]
fn a_cracked_box_is_solid() {
    let mut rng = Rng::new(41);
    for (i, by) in [1e-16, 1e-13, 1e-11, 1e-9, 1e-8, 2e-7].into_iter().enumerate() {
        let (s, n) = ([1e-3, 1.0, 1e3][i % 3], 1 + i % 2);
        let pose = rng.pose(s);
        let whole = posed(&block(vec3(-s, -s, -s), vec3(s, s, s), n), &pose);
        let m = mesh(&cracked(&whole, by * s, &mut rng));
        assert!(m.is_closed() && is_cycle(&m) && seams_are_near(&m), "{by}: {:?}", m.shells);
        assert!(m.crack() <= 1e-5 * s && (by < 1e-15 || m.crack() > 0.1 * by * s), "{by}: {}", m.crack());
        // A small cube inside: as deep as it is by construction, to what the corners are off by.
        let (a, b) = (shape(&cracked(&whole, by * s, &mut rng)), shape(&cube(0.01 * s)));
        let place = vec3(0.3 * s, 0.1 * s, -0.2 * s);
        let b_in_a = pose * Transform::from_translation(place);
        let query = Query { geometry: Geometry::Mesh, ..Query::default() };
        let (mut warm, mut scratch) = (Warm::default(), Scratch::new(a.mesh_depth().max(b.mesh_depth())));
        let c = narrow::clearance(&a, &b, &b_in_a, &query, &mut warm, &mut scratch);
        let (depth, off) = (0.71 * s, 4.0 * by * s + 1e-12 * s);
        assert!(c.upper < -0.68 * s && c.lower <= off - depth && c.upper >= -depth - off, "{by}: {c:?}");
        let (b_out, mut warm) = (b_in_a.inverse(), Warm::default());
        let c = narrow::clearance(&b, &a, &b_out, &query, &mut warm, &mut scratch);
        assert!(c.upper < -0.68 * s && c.lower <= off - depth && c.upper >= -depth - off, "{by}: {c:?}");
        // And a ball, which goes another way.
        let ball = compile_shape(&ShapeDescription::Sphere { radius: 0.01 * s }, 0.0).unwrap();
        let c = narrow::clearance(&a, &ball, &b_in_a, &query, &mut Warm::default(), &mut scratch);
        assert!(c.upper < -0.68 * s && c.lower <= off - depth, "{by}: {c:?}");
        // Outside it is as far as its triangles.
        let away = pose * Transform::from_translation(vec3(1.5 * s, 0.0, 0.0));
        let c = narrow::clearance(&a, &b, &away, &query, &mut Warm::default(), &mut scratch);
        assert!((c.lower - 0.49 * s).abs() < off && (c.upper - 0.49 * s).abs() < off, "{by}: {c:?}");
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
    assert!(m.is_closed() && m.crack() == 0.0 && is_cycle(&m), "{:?}", m.shells);
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
fn slivers_fins_and_copies_do_not_open_a_box() {
    let dot = mesh(&cube(0.01));
    let at = |m: &Mesh, x: f64| ask(m, &dot, &Transform::from_translation(vec3(x, 0.02, 0.03))).relation;
    let check = |p: &Parts, closed: bool, what: &str| {
        let m = mesh(p);
        assert!(m.encloses() && m.is_closed() == closed && is_cycle(&m), "{what}: {:?}", m.shells);
        assert_eq!((at(&m, 0.3), at(&m, 1.5)), (Relation::Inside, Relation::Apart), "{what}");
    };
    let with = |more: &[Vec3], triangles: &[[u32; 3]]| {
        let mut p = cube(1.0);
        let start = p.0.len() as u32;
        p.0.extend(more);
        p.1.extend(triangles.iter().map(|t| t.map(|i| i + start)));
        p
    };
    let (a, b) = (vec3(-1.0, -1.0, -1.0), vec3(1.0, -1.0, -1.0));
    check(&with(&[a, b, vec3(0.25, -1.0, -1.0)], &[[0, 1, 2]]), true, "a sliver on an edge");
    check(&with(&[a, b, vec3(0.25, -1.0 + 1e-9, -1.0)], &[[0, 2, 1]]), true, "a sliver beside an edge");
    check(&with(&[a, vec3(0.0, 0.5, -1.0), vec3(0.0, 0.5, -1.0)], &[[0, 1, 2]]), true, "a segment");
    // A fin is a surface, on a solid all the same.
    check(&with(&[a, b, vec3(0.0, -2.0, -2.0)], &[[0, 1, 2]]), false, "a fin");
    let strip = [a, b, vec3(0.0, -2.0, -2.0), vec3(0.5, -3.0, -2.0)];
    check(&with(&strip, &[[0, 1, 2], [1, 2, 3]]), false, "a longer fin");
    let twice = |keep: usize, by: f64| {
        let mut p = cube(1.0);
        let copy = cracked(&(p.0.clone(), p.1[..keep].to_vec()), by, &mut Rng::new(3));
        p = joined(&[&p, &copy]);
        p
    };
    check(&twice(5, 0.0), true, "some triangles twice");
    check(&twice(12, 0.0), true, "every triangle twice");
    check(&twice(12, 1e-9), true, "every triangle nearly twice");
    let two_sided = joined(&[&cube(1.0), &turned_over(&cube(1.0))]);
    check(&two_sided, true, "two-sided faces");
    check(&cracked(&two_sided, 1e-9, &mut Rng::new(9)), true, "two-sided faces with cracks");
    let mut thrice = two_sided.clone();
    thrice.1.extend(&two_sided.1[..12]);
    check(&thrice, true, "three times, once the other way round");
    // A wall between two rooms, two-sided: both are material.
    let rooms = joined(&[
        &block(vec3(-1.0, -1.0, -1.0), vec3(0.1, 1.0, 1.0), 1),
        &block(vec3(0.1, -1.0, -1.0), vec3(1.0, 1.0, 1.0), 1),
    ]);
    check(&rooms, true, "a wall");
}

#[test]
fn copies_the_other_way_round_leave_a_box_solid() {
    let dot = mesh(&cube(0.01));
    let at = |m: &Mesh, x: f64| ask(m, &dot, &Transform::from_translation(vec3(x, 0.02, 0.03))).relation;
    let (mut tried, mut left_open) = (0, 0);
    let mut check = |p: &Parts, what: &str| {
        for (m, exact) in [(mesh(p), true), (mesh(&cracked(p, 1e-9, &mut Rng::new(4))), false)] {
            tried += 1;
            if !exact && !m.is_closed() {
                // Copies that are off by about as much as a crack is wide may keep each other from closing: said, not hidden.
                left_open += 1;
                continue;
            }
            assert!(m.is_closed() && is_cycle(&m), "{what}: {:?}", m.shells);
            assert_eq!((at(&m, 0.3), at(&m, 1.5)), (Relation::Inside, Relation::Apart), "{what}");
        }
    };
    let with = |copies: &[usize]| {
        let mut p = block(vec3(-1.0, -1.0, -1.0), vec3(1.0, 1.0, 1.0), 2);
        p.1.extend(copies.iter().map(|&k| p.1[k]).map(|[a, b, c]| [a, c, b]).collect::<Vec<_>>());
        p
    };
    for k in 0..48 {
        check(&with(&[k]), "one");
        check(&with(&[k, (k + 1) % 48]), "two next to each other");
        check(&with(&[k, (7 * k + 20) % 48, k]), "one twice, and another");
        // As the file has it the other way round, the copy is what fits.
        let mut first = with(&[k]);
        first.1.swap(k, 48);
        check(&first, "one in place of what it copies");
    }
    for face in 0..6 {
        let all: Vec<usize> = (8 * face..8 * face + 8).collect();
        check(&with(&all), "a face");
        let rest: Vec<usize> = (0..48).filter(|k| !all.contains(k)).collect();
        check(&with(&rest), "all but a face");
    }
    check(&with(&(0..48).collect::<Vec<_>>()), "all");
    // A two-sided wall across it, from edge to edge.
    let mut walled = with(&[5]);
    let start = walled.0.len() as u32;
    for (y, z) in [(-1.0, 1.0), (0.0, 0.0), (1.0, -1.0)] {
        walled.0.extend([vec3(-1.0, y, z), vec3(0.0, y, z), vec3(1.0, y, z)]);
    }
    for i in [0, 1, 3, 4] {
        let [a, b, c, d] = [i, i + 1, i + 4, i + 3].map(|k| start + k);
        walled.1.extend([[a, b, c], [a, c, d], [b, a, c], [c, a, d]]);
    }
    let m = mesh(&walled);
    assert!(m.is_closed() && is_cycle(&m), "{:?}", m.shells);
    assert_eq!((at(&m, 0.3), at(&m, 1.5)), (Relation::Inside, Relation::Apart));
    // With cracks it is two surfaces, in a solid all the same.
    let m = mesh(&cracked(&walled, 1e-9, &mut Rng::new(4)));
    assert!(m.encloses() && is_cycle(&m) && at(&m, 0.3) == Relation::Inside, "{:?}", m.shells);
    // Rooms on both sides of a two-sided wall, one of which closes by two-sided faces alone.
    let mut rooms = joined(&[
        &block(vec3(-1.0, -1.0, -1.0), vec3(0.0, 1.0, 1.0), 1),
        &block(vec3(0.0, -1.0, -1.0), vec3(1.0, 1.0, 1.0), 1),
    ]);
    rooms.1.extend((14..24).map(|k| rooms.1[k]).map(|[a, b, c]| [a, c, b]).collect::<Vec<_>>());
    check(&rooms, "rooms");
    assert_eq!(at(&mesh(&rooms), -0.3), Relation::Inside);
    assert!(left_open * 50 <= tried, "{left_open} of {tried}");
}

#[test]
fn sheets_that_close_nothing_are_surfaces() {
    let dot = mesh(&cube(0.01));
    let two_sided = |p: &Parts| joined(&[p, &turned_over(p)]);
    let plate: Parts =
        (vec![vec3(-0.5, -0.5, 0.0), vec3(0.5, -0.5, 0.0), vec3(0.5, 0.5, 0.0)], vec![[0, 1, 2]]);
    let at = |m: &Mesh, p: Vec3| ask(m, &dot, &Transform::from_translation(p));
    // Alone it bounds nothing.
    let m = mesh(&two_sided(&plate));
    assert!(!m.encloses() && !m.is_closed());
    let g = at(&m, vec3(0.1, 0.0, 0.3));
    assert!(g.relation == Relation::Apart && (g.upper - 0.29).abs() < 1e-12, "{g:?}");
    // In a body, beside one, and in one that needs a copy of its own faces.
    let mut copied = cube(1.0);
    copied.1.push([copied.1[3][1], copied.1[3][0], copied.1[3][2]]);
    for body in [cube(1.0), copied] {
        let m = mesh(&joined(&[&body, &two_sided(&plate)]));
        assert!(m.is_closed() && is_cycle(&m), "{:?}", m.shells);
        let relations = [0.3, 1.2].map(|z| at(&m, vec3(0.1, 0.0, z)).relation);
        assert_eq!(relations, [Relation::Inside, Relation::Apart]);
        let away: Parts = (plate.0.iter().map(|p| *p + Vec3::X * 3.0).collect(), plate.1.clone());
        let m = mesh(&joined(&[&body, &two_sided(&away)]));
        let g = at(&m, vec3(3.1, 0.0, 0.3));
        assert!(m.is_closed() && g.relation == Relation::Apart && (g.upper - 0.29).abs() < 1e-12, "{g:?}");
        assert_eq!(at(&m, vec3(0.1, 0.0, 0.3)).relation, Relation::Inside);
    }
    // An open box with two-sided faces stays open.
    let mut open = cube(1.0);
    open.1.truncate(10);
    for m in [mesh(&two_sided(&open)), mesh(&joined(&[&open, &two_sided(&plate)]))] {
        assert!(!m.encloses(), "{:?}", m.shells);
        assert_eq!(at(&m, vec3(0.0, 0.0, 0.3)).relation, Relation::Apart);
    }
}

#[test]
fn a_hole_stays_open() {
    let dot = mesh(&cube(0.01));
    let free = |p: &Parts, what: &str| {
        let m = mesh(p);
        assert!(!m.is_closed() && !m.encloses(), "{what}: {:?}", m.shells);
        assert_eq!(ask(&m, &dot, &Transform::IDENTITY).relation, Relation::Apart, "{what}");
    };
    let mut missing = block(vec3(-1.0, -1.0, -1.0), vec3(1.0, 1.0, 1.0), 8);
    missing.1.swap_remove(100);
    free(&missing, "a triangle");
    free(&cracked(&missing, 1e-9, &mut Rng::new(1)), "a triangle, and cracks");
    // A slit ten times as wide as any crack that is closed.
    let mut slit = cube(1.0);
    slit.0.iter_mut().take(4).for_each(|p| p.x += 2e-5);
    free(&slit, "a slit");
    free(&cracked(&cube(1.0), 1e-4, &mut Rng::new(2)), "wide cracks");
    // Three corners that nearly meet make no solid of a triangle, and a needle none of itself.
    free(&(vec![Vec3::Y, vec3(1.0, 1.0, 0.0), vec3(0.5, 1.0 + 1e-9, 0.0)], vec![[0, 1, 2]]), "a needle");
}

#[test]
fn triangles_turned_over_and_shells_that_share_edges() {
    let dot = mesh(&cube(0.01));
    let at = |m: &Mesh, x: f64| ask(m, &dot, &Transform::from_translation(vec3(x, 0.02, 0.03))).relation;
    let mut rng = Rng::new(6);
    for _ in 0..20 {
        let mut p = block(vec3(-1.0, -1.0, -1.0), vec3(1.0, 1.0, 1.0), 3);
        p.1.iter_mut().for_each(|t| {
            if rng.chance(0.3) {
                t.swap(0, 1)
            }
        });
        for m in [mesh(&p), mesh(&cracked(&p, 1e-8, &mut rng))] {
            assert!(m.is_closed() && is_cycle(&m));
            assert_eq!((at(&m, 0.9), at(&m, 1.1)), (Relation::Inside, Relation::Apart));
        }
    }
    // Two boxes on one edge, one triangle turned over: closed, and no winding can be told. Two such pairs through each other.
    let pair = |x: f64| {
        let mut p = joined(&[
            &block(vec3(x, -1.0, -1.0), vec3(x + 2.0, 1.0, 1.0), 1),
            &block(vec3(x + 2.0, 1.0, -1.0), vec3(x + 4.0, 3.0, 1.0), 1),
        ]);
        p.1[0].swap(0, 1);
        p
    };
    let m = mesh(&joined(&[&pair(0.0), &pair(1.0)]));
    assert!(m.is_closed() && is_cycle(&m) && m.shells.parity == 2, "{:?}", m.shells);
    for (x, relation) in [(-0.5, Relation::Apart), (0.5, Relation::Inside), (1.5, Relation::Inside)] {
        assert_eq!(at(&m, x), relation, "at {x}");
    }
}

#[test]
fn damage_at_random_never_opens_a_body_wider_than_it_is() {
    // Corners off by what is closed, some edges cut, triangles turned over, written twice, slivers and fins added.
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
        solid += usize::from(m.encloses());
        for _ in 0..50 {
            let x = rng.point(1.4);
            if let (true, Some(expected)) = (m.encloses(), inside::contains(&truth, x))
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
    // Triangles of any corners of a small lattice, exact or nearly so: many on an edge, twice, collinear, through each other.
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
        assert!(seams_are_near(&m), "{case}: {:?} {:e}", m.shells, m.crack());
        sewn += usize::from(m.seams.is_some());
        parity += m.shells.parity;
    }
    assert!(sewn > 25 && parity > 10, "{sewn} {parity}");
}

#[test]
fn meshes_made_to_be_slow_are_bounded() {
    // Many triangles on one line of many corners; fans of one edge; everything within one crack.
    let mut rng = Rng::new(12);
    let line: Parts = (
        (0..6000).map(|_| vec3(rng.unit(), rng.point(1e-8).y, 0.0)).collect(),
        (0..2000).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
    );
    let mut fan: Parts = (vec![Vec3::ZERO, Vec3::X], Vec::new());
    for i in 0..4001 {
        fan.0.extend([vec3(0.5, 1.0 + f64::from(i), 1.0), vec3(rng.unit(), 0.0, 0.0)]);
        fan.1.extend([[0, 1, 2 * i + 2], [1, 2 * i + 2, 2 * i + 3]]);
    }
    let mut dust = cracked(&ring(1e-8, 1e-9, 40, 40), 1e-9, &mut rng);
    dust.0.extend([Vec3::X, Vec3::Y, Vec3::Z]);
    dust.1.push([9600, 9601, 9602]);
    for p in [line, fan, dust] {
        let m = mesh(&p);
        assert!(!m.is_closed() && is_cycle(&m), "{:?}", m.shells);
    }
    // Powers of ten as far as they go.
    for s in [1e-320, 1e-160, 1e-100, 1e-30, 1e9] {
        let p = block(vec3(-s, -s, -s), vec3(s, s, s), 2);
        let mut open = p.clone();
        open.1.pop();
        assert!(!mesh(&open).is_closed());
        assert!(is_cycle(&mesh(&cracked(&p, 1e-9 * s, &mut rng))));
    }
}

#[test]
fn a_search_that_ends_at_its_limit_says_so() {
    // Every pair of the many copies ties.
    let same = (vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]; 2000]);
    let up = Transform::from_translation(vec3(0.0, 0.0, 10.0));
    let g = ask(&mesh(&same), &mesh(&same), &up);
    assert!(g.limited && g.relation == Relation::Apart && g.lower > 9.0, "{g:?}");
    let a = shape(&same);
    let query = Query { geometry: Geometry::Mesh, ..Query::default() };
    let mut scratch = Scratch::new(a.mesh_depth());
    let c = narrow::clearance(&a, &a, &up, &query, &mut Warm::default(), &mut scratch);
    // The hulls' bound may have ended the search before.
    assert!(c.lower > 9.0 && c.lower <= 10.0 && c.upper >= 10.0, "{c:?}");
    let angle = joined(&[
        &block(vec3(0.0, 0.0, 0.0), vec3(2.0, 0.2, 0.2), 1),
        &block(vec3(0.0, 0.0, 0.0), vec3(0.2, 2.0, 0.2), 1),
    ]);
    let few = shape(&angle);
    let c = narrow::clearance(&few, &few, &up, &query, &mut Warm::default(), &mut scratch);
    assert!(c.stop == Stop::Converged && c.lower > 9.0, "{c:?}");
    // Copies in a row of gaps that the hulls do not see: a tie that only triangles can settle.
    let comb = |z: f64| -> Parts {
        let quad = |x: f64, z: f64| [vec3(x, 0.0, z), vec3(x + 1.0, 0.0, z), vec3(x, 1.0, z)];
        let mut p = (Vec::new(), Vec::new());
        p.0.extend(quad(0.0, z));
        p.1.extend(vec![[0, 1, 2]; 2000]);
        p.0.extend(quad(0.0, z + 4.0));
        p.1.push([3, 4, 5]);
        p
    };
    let (a, b) = (shape(&comb(0.0)), shape(&comb(1.0)));
    let c = narrow::clearance(&a, &b, &Transform::IDENTITY, &query, &mut Warm::default(), &mut scratch);
    assert!(c.stop == Stop::IterationLimit && c.lower > 0.0 && c.lower <= 1.0 && c.upper >= 1.0, "{c:?}");
}

#[test]
fn real_meshes_open_by_corners_on_edges_are_solid() {
    let Some(data) = data() else { return };
    let robots = data.join("robots");
    let palm = "schunk_sdh2/schunk_description/meshes/sdh/";
    for file in [format!("{palm}palm.stl"), format!("{palm}finger_tip.stl")] {
        let parts = read_stl(&robots.join(&file));
        let m = mesh(&parts);
        assert!(m.is_closed() && is_cycle(&m) && seams_are_near(&m), "{file}: {:?}", m.shells);
        assert!(m.seams.is_some() && m.crack() < 1e-7 * m.reach, "{file}: {}", m.crack());
    }
    let base = "mecademic_meca500_r3/mecademic_description/meshes/meca_500_r3_base_collision.stl";
    let m = mesh(&read_stl(&robots.join(base)));
    assert!(m.is_closed() && is_cycle(&m), "{:?}", m.shells);
    // Torn open by centimetres.
    let torso = mesh(&read_stl(&robots.join("baxter_vamp/meshes/torso/base_link_collision_6.stl")));
    assert!(!torso.encloses(), "{:?}", torso.shells);
}
