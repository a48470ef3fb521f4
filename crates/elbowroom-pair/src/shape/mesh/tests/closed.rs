//! What encloses a volume and what does not: holes, fins, copies, two-sided faces, triangles turned over.

use super::*;
use elbowroom_describe::math::Vec3;

#[test]
fn what_encloses_a_volume_and_what_does_not() {
    let (outer, inner) = (cube(1.0), cube(0.5));
    let dot = mesh(&cube(0.01));
    let place = |m: &Mesh, x: f64| ask(m, &dot, &Transform::from_translation(vec3(x, 0.02, 0.03))).relation;
    // A hollow body: free in the hole, not in the wall.
    let hollow = mesh(&joined(&[&outer, &turned_over(&inner)]));
    assert!(hollow.is_closed());
    assert_eq!(
        (place(&hollow, 0.0), place(&hollow, 0.75), place(&hollow, 2.0)),
        (Relation::Apart, Relation::Inside, Relation::Apart)
    );
    // The hollow body with everything turned over.
    let over = mesh(&joined(&[&turned_over(&outer), &inner]));
    assert_eq!((place(&over, 0.0), place(&over, 0.75)), (Relation::Apart, Relation::Inside));
    // Both outwards: solid throughout.
    let filled = mesh(&joined(&[&outer, &inner]));
    assert_eq!((place(&filled, 0.0), place(&filled, 0.75)), (Relation::Inside, Relation::Inside));
    // Two that overlap, one wound inwards: material where they overlap too.
    let other = block(vec3(0.2, -1.0, -1.0), vec3(2.2, 1.0, 1.0), 1);
    for pair in [
        joined(&[&outer, &other]),
        joined(&[&outer, &turned_over(&other)]),
        joined(&[&turned_over(&outer), &other]),
    ] {
        let both = mesh(&pair);
        for x in [-0.5, 0.6, 1.8] {
            assert_eq!(place(&both, x), Relation::Inside, "at {x}");
        }
    }
    // Some triangles wound the wrong way.
    let mut mixed = cube(1.0);
    for k in [1, 4, 7] {
        mixed.1[k].swap(0, 1);
    }
    let m = mesh(&mixed);
    assert!(m.is_closed());
    assert_eq!((place(&m, 0.0), place(&m, 2.0)), (Relation::Inside, Relation::Apart));
    // One triangle missing: a surface only.
    let mut open = cube(1.0);
    open.1.pop();
    let m = mesh(&open);
    assert!(!m.is_closed() && !m.encloses_volume());
    assert_eq!(place(&m, 0.0), Relation::Apart);
    // Degenerate triangles change nothing, but are still there to be hit.
    let mut spiked = cube(1.0);
    spiked.0.push(vec3(3.0, 0.0, 0.0));
    spiked.1.push([0, 24, 24]);
    let m = mesh(&spiked);
    assert!(m.is_closed());
    assert_eq!(place(&m, 0.0), Relation::Inside);
    let tip = ask(&m, &dot, &Transform::from_translation(vec3(3.51, 0.0, 0.0)));
    assert!((tip.upper - 0.5).abs() < 1e-12 && tip.upper - tip.lower < 1e-9, "{tip:?}");
}

#[test]
fn a_triangle_written_twice_leaves_a_solid_solid() {
    let v: Vec<Vec3> = (0..4)
        .map(|i| vec3((i == 1) as i32 as f64, (i == 2) as i32 as f64, (i == 3) as i32 as f64))
        .collect();
    let mut t = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    assert!(Mesh::new(&v, &t).unwrap().is_closed());
    // A copy, begun at another corner.
    t.push([2, 1, 0]);
    assert!(Mesh::new(&v, &t).unwrap().is_closed());
    assert!(!Mesh::new(&v, &t[1..4]).unwrap().is_closed());
}

#[test]
fn slivers_fins_and_copies_do_not_open_a_box() {
    let dot = mesh(&cube(0.01));
    let at = |m: &Mesh, x: f64| ask(m, &dot, &Transform::from_translation(vec3(x, 0.02, 0.03))).relation;
    let check = |p: &Parts, closed: bool, what: &str| {
        let m = mesh(p);
        assert!(m.encloses_volume() && m.is_closed() == closed && is_cycle(&m), "{what}: {:?}", m.shells);
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
                // Copies that are off by about as much as a crack is wide may keep each other from closing:
                // said, not hidden.
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
        // If the file has the two the other way round, the copy is the one that fits.
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
    assert!(m.encloses_volume() && is_cycle(&m) && at(&m, 0.3) == Relation::Inside, "{:?}", m.shells);
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
    assert!(!m.encloses_volume() && !m.is_closed());
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
        // A surface outside the solid, and said to be one.
        assert!(!m.is_closed() && m.encloses_volume() && m.shells.open == 1, "{:?}", m.shells);
        assert!(g.relation == Relation::Apart && (g.upper - 0.29).abs() < 1e-12, "{g:?}");
        assert_eq!(at(&m, vec3(0.1, 0.0, 0.3)).relation, Relation::Inside);
    }
    // An open box with two-sided faces stays open.
    let mut open = cube(1.0);
    open.1.truncate(10);
    for m in [mesh(&two_sided(&open)), mesh(&joined(&[&open, &two_sided(&plate)]))] {
        assert!(!m.encloses_volume() && !m.is_closed(), "{:?}", m.shells);
        assert_eq!(at(&m, vec3(0.0, 0.0, 0.3)).relation, Relation::Apart);
    }
    // So does one beside a body that closes: it is not closed, and it is said.
    let far = block(vec3(4.0, -1.0, -1.0), vec3(6.0, 1.0, 1.0), 1);
    for hole in 0..12 {
        let mut open = cube(1.0);
        open.1.remove(hole);
        for open in [two_sided(&open), turned_over(&two_sided(&open)), open] {
            let m = mesh(&joined(&[&open, &far]));
            assert!(m.encloses_volume() && !m.is_closed() && m.shells.open == 1, "{hole}: {:?}", m.shells);
            assert_eq!(at(&m, vec3(5.0, 0.0, 0.3)).relation, Relation::Inside, "{hole}");
            // A surface: a body within it is not in a solid, and not proved free where nothing is seen
            // through the hole.
            assert!(at(&m, Vec3::ZERO).relation != Relation::Inside, "{hole}");
            assert_eq!(at(&m, vec3(0.0, 0.0, 1.5)).relation, Relation::Apart, "{hole}");
        }
    }
}

#[test]
fn a_hole_stays_open() {
    let dot = mesh(&cube(0.01));
    // A body within is in no solid, and not proved to be outside either.
    let open = |p: &Parts, what: &str, relation: Relation| {
        let m = mesh(p);
        assert!(!m.is_closed() && !m.encloses_volume(), "{what}: {:?}", m.shells);
        assert_eq!(ask(&m, &dot, &Transform::IDENTITY).relation, relation, "{what}");
        assert_eq!(ask(&dot, &m, &Transform::IDENTITY).relation, relation, "{what}");
    };
    let shut_in = |p: &Parts, what: &str| open(p, what, Relation::ShutIn);
    let mut missing = block(vec3(-1.0, -1.0, -1.0), vec3(1.0, 1.0, 1.0), 8);
    missing.1.swap_remove(100);
    shut_in(&missing, "a triangle");
    shut_in(&cracked(&missing, 1e-9, &mut Rng::new(1)), "a triangle, and cracks");
    // A slit ten times as wide as any crack that is closed.
    let mut slit = cube(1.0);
    slit.0.iter_mut().take(4).for_each(|p| p.x += 2e-5);
    shut_in(&slit, "a slit");
    shut_in(&cracked(&cube(1.0), 1e-4, &mut Rng::new(2)), "wide cracks");
    // Three corners that nearly meet make no solid of a triangle, and a needle none of itself.
    let needle = (vec![Vec3::Y, vec3(1.0, 1.0, 0.0), vec3(0.5, 1.0 + 1e-9, 0.0)], vec![[0, 1, 2]]);
    open(&needle, "a needle", Relation::Apart);
    // Without a face it hides nothing.
    let mut bin = block(vec3(-1.0, -1.0, -1.0), vec3(1.0, 1.0, 1.0), 2);
    bin.1.truncate(40);
    open(&bin, "a face", Relation::Apart);
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
    // Two boxes on one edge, one triangle turned over: closed, and no winding can be told. Two such pairs
    // through each other.
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
