//! Bodies that share faces, edges and vertices are solid together, however the shared faces are written.

use super::*;
use elbowroom_describe::math::Vec3;

/// Boxes by their lower and upper corner that share no inner point.
type Boxes = [(Vec3, Vec3)];

/// Some of the faces of a box, numbered as `block` makes them: low x, high x, low y and so on.
fn faces(low: Vec3, high: Vec3, n: usize, keep: impl Fn(usize) -> bool) -> Parts {
    let (v, t) = block(low, high, n);
    let t = t.into_iter().enumerate().filter(|(i, _)| keep(i / (2 * n * n))).map(|(_, t)| t).collect();
    (v, t)
}

/// Quads cut along their other diagonal.
fn other_diagonals(p: &Parts) -> Parts {
    let pairs = p.1.chunks(2).flat_map(|q| {
        // [a, b, c] and [a, c, d], or turned over [a, c, b] and [a, d, c].
        let [a, x, y] = q[0];
        if q[1][1] == y { [[x, y, q[1][2]], [x, q[1][2], a]] } else { [[y, q[1][1], x], [y, a, q[1][1]]] }
    });
    (p.0.clone(), pairs.collect())
}

fn two_sided(p: &Parts) -> Parts {
    joined(&[p, &turned_over(p)])
}

/// How far a point is from the union of boxes: outside the distance, inside minus the distance from the
/// nearest box face, walls between boxes included.
fn from_boxes(boxes: &Boxes, p: Vec3) -> f64 {
    let of = |&(low, high): &(Vec3, Vec3)| {
        let out = Vec3::max(Vec3::max(low - p, p - high), Vec3::ZERO);
        let within = [p - low, high - p].map(|d| d.x.min(d.y).min(d.z));
        if out == Vec3::ZERO { -within[0].min(within[1]) } else { out.norm() }
    };
    boxes.iter().map(of).fold(f64::INFINITY, f64::min)
}

/// Points inside the boxes are inside the mesh, others outside it, and a small cube outside is as far away as
/// it is by construction. Returns how many points could not be placed outside.
fn check(p: &Parts, boxes: &Boxes, pose: &Transform, rng: &mut Rng, what: &str) -> usize {
    let (mut unknown, mut reached) = (0, [0; 2]);
    for p in [p, &turned_over(p)] {
        let m = mesh(&posed(p, pose));
        assert!(m.is_closed() && is_cycle(&m) && seams_are_near(&m), "{what}: {:?}", m.shells);
        for _ in 0..40 {
            let mut x = rng.point(2.2);
            if rng.chance(0.5) {
                let (low, high) = boxes[rng.below(boxes.len())];
                x = low + (high - low).scaled(vec3(rng.unit(), rng.unit(), rng.unit()));
            }
            let d = from_boxes(boxes, x);
            if d.abs() < 1e-3 {
                continue;
            }
            reached[usize::from(d < 0.0)] += 1;
            match inside::contains(&m, pose.point(x)) {
                Some(found) => assert_eq!(found, d < 0.0, "{what}: {x:?}"),
                None => {
                    assert!(d > 0.0, "{what}: {x:?}");
                    unknown += 1;
                }
            }
            let size = 1e-4;
            let g = ask(&m, &mesh(&cube(size)), &(*pose * Transform::from_translation(x)));
            if d < 0.0 {
                assert_eq!(g.relation, Relation::Inside, "{what}: {x:?} {g:?}");
                let x = pose.point(x);
                let near = m.triangles.iter().map(|t| (triangle::nearest_point(t, x) - x).norm());
                let near = near.fold(f64::INFINITY, f64::min);
                assert!(g.upper < 0.0 && g.upper >= -near - 1e-9, "{what}: {x:?} {g:?}");
            } else {
                assert!(matches!(g.relation, Relation::Apart | Relation::Open), "{what}: {x:?} {g:?}");
                assert!(g.upper <= d && g.upper >= d - 2.0 * size, "{what}: {x:?} {d} {g:?}");
                assert!(g.relation == Relation::Open || g.upper - g.lower < 1e-9, "{what}: {x:?} {g:?}");
            }
        }
    }
    assert!(reached.iter().all(|&n| n > 0), "{what}: {reached:?}");
    unknown
}

#[test]
fn two_boxes_on_a_common_face_are_solid() {
    let mut rng = Rng::new(31);
    let left = (vec3(-1.0, -1.0, -1.0), vec3(0.0, 1.0, 1.0));
    let right = (vec3(0.0, -1.0, -1.0), vec3(1.0, 1.0, 1.0));
    let small = (vec3(0.0, -0.5, -0.5), vec3(1.0, 0.5, 0.25));
    let corner = (vec3(0.0, -1.0, -1.0), vec3(1.0, 0.5, 0.25));
    let third = (vec3(1.0, -1.0, -1.0), vec3(2.0, 1.0, 1.0));
    let whole = |b: (Vec3, Vec3), n: usize| faces(b.0, b.1, n, |_| true);
    let less = |b: (Vec3, Vec3), n: usize, face: usize| faces(b.0, b.1, n, |k| k != face);
    let (a, b) = (whole(left, 1), whole(right, 1));
    let row = [left, right, third];
    let two = &row[..2];
    let cases: [(&str, Parts, &Boxes); 19] = [
        ("twice", joined(&[&a, &b]), two),
        ("twice, on other diagonals", joined(&[&a, &other_diagonals(&b)]), two),
        ("twice, one box turned over", joined(&[&a, &turned_over(&b)]), two),
        (
            "twice, one turned over, on other diagonals",
            joined(&[&a, &turned_over(&other_diagonals(&b))]),
            two,
        ),
        ("twice, once finer", joined(&[&a, &whole(right, 3)]), two),
        ("once", joined(&[&a, &less(right, 1, 0)]), two),
        ("once, one box turned over", joined(&[&a, &turned_over(&less(right, 1, 0))]), two),
        ("once, the other coarser", joined(&[&whole(left, 4), &less(right, 1, 0)]), two),
        ("once, the other finer", joined(&[&a, &less(right, 4, 0)]), two),
        ("never", joined(&[&less(left, 1, 1), &less(right, 1, 0)]), two),
        ("both ways round, twice", two_sided(&joined(&[&a, &b])), two),
        ("both ways round, once", two_sided(&joined(&[&a, &less(right, 1, 0)])), two),
        ("once in a row", joined(&[&a, &less(right, 1, 0), &less(third, 1, 0)]), &row),
        ("a part of the other", joined(&[&a, &whole(small, 1)]), &[left, small]),
        ("a part of the other, turned over", joined(&[&a, &turned_over(&whole(small, 2))]), &[left, small]),
        ("a part, once", joined(&[&a, &less(small, 1, 0)]), &[left, small]),
        ("a part, once, turned over", joined(&[&a, &turned_over(&less(small, 3, 0))]), &[left, small]),
        ("a part at a corner, once", joined(&[&a, &less(corner, 2, 0)]), &[left, corner]),
        (
            "a body beside it",
            joined(&[&a, &less(right, 1, 0), &whole((vec3(1.5, 1.5, 1.5), vec3(1.9, 1.9, 1.9)), 1)]),
            &[left, right, (vec3(1.5, 1.5, 1.5), vec3(1.9, 1.9, 1.9))],
        ),
    ];
    for (what, p, boxes) in &cases {
        assert!(mesh(p).crack_half_width() < 1e-11, "{what}: {}", mesh(p).crack_half_width());
        check(p, boxes, &Transform::IDENTITY, &mut rng, what);
        check(p, boxes, &rng.pose(1.0), &mut rng, what);
    }
    for (what, p, boxes) in &cases {
        // Corners off by less than a crack: solid, or said to be open and what is inside is not told to be
        // free of what closes.
        let m = mesh(&cracked(p, 1e-9, &mut rng));
        assert!(is_cycle(&m) && seams_are_near(&m), "{what}");
        if what.starts_with("once") || what.starts_with("never") || *what == "twice" {
            check(&cracked(p, 1e-9, &mut rng), boxes, &Transform::IDENTITY, &mut rng, what);
        }
    }
}

#[test]
fn boxes_that_touch_along_an_edge_or_at_a_vertex_are_solid() {
    let mut rng = Rng::new(32);
    let first = (vec3(-1.0, -1.0, -1.0), vec3(0.0, 0.0, 0.0));
    for (what, low, high) in [
        ("a whole edge", vec3(0.0, 0.0, -1.0), vec3(1.0, 1.0, 0.0)),
        ("a part of an edge", vec3(0.0, 0.0, -0.75), vec3(1.0, 1.0, -0.25)),
        ("a vertex", vec3(0.0, 0.0, 0.0), vec3(1.0, 1.0, 1.0)),
    ] {
        let (a, b) = (block(first.0, first.1, 1), block(low, high, 1));
        let mut one = b.clone();
        one.1[3].swap(0, 1);
        for (way, other) in [
            ("as it is", b.clone()),
            ("turned over", turned_over(&b)),
            ("one triangle turned over", one),
            ("both ways round", two_sided(&b)),
        ] {
            let p = joined(&[&a, &other]);
            let what = format!("{what}, {way}");
            check(&p, &[first, (low, high)], &Transform::IDENTITY, &mut rng, &what);
            check(&p, &[first, (low, high)], &rng.pose(2.0), &mut rng, &what);
        }
    }
}

#[test]
fn random_unions_of_boxes_are_solid() {
    // Boxes of cells of a grid; the faces between two are written twice, once, never or both ways round, the
    // triangles turned over by box or at random.
    let mut rng = Rng::new(33);
    let lines = [-2.0, -0.8, 0.3, 1.1, 2.0];
    let at = |c: [usize; 3]| vec3(lines[c[0]], lines[c[1]], lines[c[2]]);
    let (mut shared, mut touching, mut unknown, mut cases) = ([0; 4], [0; 2], 0, 0);
    let mut closed = 0;
    for case in 0..120 {
        let mut owner = [[[usize::MAX; 4]; 4]; 4];
        let mut boxes = Vec::new();
        for _ in 0..2 + rng.below(6) {
            let (low, size) = ([(); 3].map(|()| rng.below(4)), [(); 3].map(|()| 1 + rng.below(2)));
            let high = [0, 1, 2].map(|k| (low[k] + size[k]).min(4));
            let cells: Vec<[usize; 3]> = (low[0]..high[0])
                .flat_map(|x| (low[1]..high[1]).flat_map(move |y| (low[2]..high[2]).map(move |z| [x, y, z])))
                .collect();
            if cells.iter().all(|c| owner[c[0]][c[1]][c[2]] == usize::MAX) {
                cells.iter().for_each(|c| owner[c[0]][c[1]][c[2]] = boxes.len());
                boxes.push((at(low), at(high)));
            }
        }
        let (mut v, mut t): Parts = (Vec::new(), Vec::new());
        let turned: Vec<bool> = boxes.iter().map(|_| rng.chance(0.3)).collect();
        let at_random = case % 3 == 2;
        let mut quad = |rng: &mut Rng, c: [usize; 3], axis: usize, up: bool, by: usize| {
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            let corner = |a: usize, b: usize| {
                let mut k = c;
                k[i] += a;
                k[j] += b;
                at(k)
            };
            let mut q = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            if rng.chance(0.5) {
                q.rotate_left(1);
            }
            for mut new in [[q[0], q[1], q[2]], [q[0], q[2], q[3]]] {
                if up == turned[by] || (at_random && rng.chance(0.3)) {
                    new.swap(0, 1);
                }
                let first = v.len() as u32;
                v.extend(new);
                t.push([first, first + 1, first + 2]);
            }
        };
        for index in 0..5 * 5 * 5 {
            let c = [index / 25, index / 5 % 5, index % 5];
            for axis in 0..3 {
                if (0..3).any(|k| k != axis && c[k] == 4) {
                    continue;
                }
                let cell = |back: usize| {
                    let mut k: [usize; 3] = c;
                    k[axis] = k[axis].checked_sub(back).filter(|&x| x < 4)?;
                    Some(owner[k[0]][k[1]][k[2]]).filter(|&o| o != usize::MAX)
                };
                match (cell(1), cell(0)) {
                    (Some(a), Some(b)) if a != b => {
                        let way = rng.below(4);
                        shared[way] += 1;
                        if way != 1 {
                            (0..way.min(2)).for_each(|_| quad(&mut rng, c, axis, true, a));
                            (0..way.min(2)).for_each(|_| quad(&mut rng, c, axis, false, b));
                        } else {
                            quad(&mut rng, c, axis, true, a);
                        }
                    }
                    (Some(a), None) => quad(&mut rng, c, axis, true, a),
                    (None, Some(b)) => quad(&mut rng, c, axis, false, b),
                    _ => {}
                }
            }
        }
        for (i, a) in boxes.iter().enumerate() {
            for b in &boxes[..i] {
                let apart = Vec3::max(a.0 - b.1, b.0 - a.1);
                let zeros = apart.to_array().iter().filter(|x| **x == 0.0).count();
                if apart.x.max(apart.y).max(apart.z) <= 0.0 && zeros > 1 {
                    touching[zeros - 2] += 1;
                }
            }
        }
        let pose = if case % 2 == 0 { Transform::IDENTITY } else { rng.pose(3.0) };
        unknown += check(&(v.clone(), t.clone()), &boxes, &pose, &mut rng, &format!("case {case}"));
        cases += 80;
        // Corners off by less than a crack may leave walls over, which is said; what closes is solid all the
        // same.
        let off = [1e-12, 1e-9, 1e-7][case % 3];
        let m = mesh(&posed(&cracked(&(v, t), off, &mut rng), &pose));
        assert!(is_cycle(&m) && seams_are_near(&m), "case {case}");
        closed += usize::from(m.is_closed());
        for x in [(); 10].map(|()| rng.point(2.2)) {
            let d = from_boxes(&boxes, x);
            if d.abs() > 1e-3 {
                let found = inside::contains(&m, pose.point(x));
                assert!(
                    found != Some(d > 0.0) || (d < 0.0 && !m.is_closed()),
                    "case {case}: {x:?} {found:?}"
                );
            }
        }
    }
    assert!(shared.iter().all(|&n| n > 30) && touching.iter().all(|&n| n > 10), "{shared:?} {touching:?}");
    assert!(closed > 80, "{closed}");
    assert!(unknown * 20 < cases, "{unknown} of {cases}");
}

#[test]
fn a_hole_is_closed_by_what_covers_it_and_by_nothing_else() {
    let mut rng = Rng::new(34);
    let left = (vec3(-1.0, -1.0, -1.0), vec3(0.0, 1.0, 1.0));
    let a = block(left.0, left.1, 3);
    let lacking = |low: Vec3, high: Vec3, n: usize| faces(low, high, n, |k| k != 0);
    let open = |b: &Parts, what: &str| {
        for b in [b.clone(), turned_over(b)] {
            let m = mesh(&joined(&[&a, &b]));
            assert!(!m.is_closed() && m.encloses_volume() && is_cycle(&m), "{what}: {:?}", m.shells);
            assert_eq!(inside::contains(&m, vec3(-0.5, 0.11, 0.12)), Some(true), "{what}");
            assert!(inside::contains(&m, vec3(0.5, 0.11, 0.12)) != Some(true), "{what}");
        }
    };
    // Beyond the face by a hundredth, off it by ten cracks, and with another hole.
    open(&lacking(vec3(0.0, -0.5, -0.5), vec3(1.0, 0.5, 1.01), 2), "beyond");
    open(&lacking(vec3(2e-5, -0.5, -0.5), vec3(1.0, 0.5, 0.5), 2), "off");
    let mut holed = lacking(vec3(0.0, -0.5, -0.5), vec3(1.0, 0.5, 0.5), 3);
    holed.1.swap_remove(40);
    open(&holed, "another hole");
    // A plate lying on a face closes nothing and is none.
    let mut plate = faces(vec3(0.0, -0.5, -0.5), vec3(1.0, 0.5, 0.5), 3, |k| k == 0);
    open(&plate, "a plate");
    plate.0.iter_mut().for_each(|p| p.x += 1e-9);
    open(&plate, "a plate just off");
    // Off by less than a crack: closed, as wide as that.
    for by in [1e-12, 1e-9, 5e-7] {
        let low = vec3(by, -0.5, -0.5);
        let m = mesh(&joined(&[&a, &lacking(low, vec3(1.0, 0.5, 0.5), 2)]));
        assert!(m.is_closed() && is_cycle(&m) && seams_are_near(&m), "{by}: {:?}", m.shells);
        assert!(
            m.crack_half_width() >= by && m.crack_half_width() < 2.0 * by + 1e-10,
            "{by}: {}",
            m.crack_half_width()
        );
    }
    // At random: boxes of any size on a face of three by three, whole or not.
    let (mut covered, mut beyond) = (0, 0);
    for case in 0..40 {
        let [y, z] = [(); 2].map(|()| rng.range(-1.2, 0.8));
        let [dy, dz] = [(); 2].map(|()| rng.range(0.05, 0.6));
        let (low, high) = (vec3(0.0, y, z), vec3(1.0, y + dy, z + dz));
        let b = lacking(low, high, 1 + case % 3);
        let b = if rng.chance(0.5) { turned_over(&b) } else { b };
        let p = joined(&[&a, &b]);
        if y >= -1.0 && z >= -1.0 && y + dy <= 1.0 && z + dz <= 1.0 {
            covered += 1;
            check(&p, &[left, (low, high)], &rng.pose(2.0), &mut rng, &format!("case {case}"));
        } else {
            beyond += 1;
            open(&b, &format!("case {case}"));
        }
    }
    assert!(covered > 10 && beyond > 5, "{covered} {beyond}");
}
