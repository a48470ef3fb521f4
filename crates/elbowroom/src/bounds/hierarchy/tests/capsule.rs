use super::*;

/// The distance of a segment and a box, by halving: it is convex along the segment.
fn distance(ends: [Vec3; 2], b: &AlignedBox) -> f64 {
    let at = |t: f64| {
        let p = ends[0] + (ends[1] - ends[0]) * t;
        (p - p.max(b.low).min(b.high)).norm()
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let (s, t) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(s) < at(t) { high = t } else { low = s }
    }
    at(low).min(at(high))
}

/// A capsule and the box around it.
fn capsule(rng: &mut Rng, r: f64, length: f64) -> ([Vec3; 2], f64, AlignedBox) {
    let p = rng.point(r);
    let q = if rng.chance(0.1) { p } else { p + rng.direction() * length };
    let radius = if rng.chance(0.1) { 0.0 } else { length * rng.range(0.01, 0.5) };
    let around = |c: Vec3| around(c, vec3(radius, radius, radius));
    ([p, q], radius, around(p).join(&around(q)))
}

#[test]
fn bounds_of_capsules_are_below_the_distance() {
    let mut rng = Rng::new(31);
    let (mut tighter, mut close, mut apart, mut crossing) = (0, 0, 0, 0);
    for _ in 0..2000 {
        let size = rng.decades(-3.0, 3.0);
        let edge = size * rng.range(0.01, 1.0);
        let away = rng.point(1.0) * (size * rng.decades(-1.0, 4.0));
        let boxes: Vec<AlignedBox> = scattered(&mut rng, 8, size, edge)
            .into_iter()
            .map(|b| AlignedBox { low: b.low + away, high: b.high + away })
            .collect();
        let tree = WideTree::build(&boxes).unwrap();
        let (ends, radius, b) = capsule(&mut rng, size, edge * 2.0);
        let ends = ends.map(|e| e + away);
        let b = AlignedBox { low: b.low + away, high: b.high + away };
        let (plain, both) = (tree.query(&b), tree.capsule_query(&b, ends, radius));
        let (plain, both) = (tree.children_gaps(0, &plain), tree.children_gaps(0, &both));
        for lane in 0..both.count {
            let Child::Leaf(leaf) = both.child(lane) else { panic!() };
            let cores = distance(ends, &boxes[leaf as usize]);
            let gap = cores - radius;
            let (lower, simple) = (f64::from(both.lower[lane]), f64::from(plain.lower[lane]));
            // The reference is off by rounding where things are far from the origin, and the bound is not to
            // profit.
            let blur = 1e-15 * (away.norm() + size);
            assert!(lower <= gap + blur && lower >= simple, "{lower:e} above {gap:e}");
            tighter += usize::from(lower > simple);
            crossing += usize::from(cores == 0.0);
            if cores > 1e-3 * size {
                apart += 1;
                close += usize::from(gap - lower < 0.05 * (cores + radius) + 1e-6 * (size + away.norm()));
            }
        }
    }
    assert!(tighter > 5000 && crossing > 200, "{tighter} tighter, {crossing} crossing");
    assert!(close * 100 > apart * 90, "{close} of {apart} within a twentieth");
}

#[test]
fn finds_the_nearest_of_capsules() {
    let mut rng = Rng::new(32);
    let (mut fewer, mut rounds) = (0, 0);
    for _ in 0..100 {
        let boxes = scattered(&mut rng, 1000, 1.0, 0.1);
        let tree = WideTree::build(&boxes).unwrap();
        let bodies: Vec<_> = (0..5).map(|_| capsule(&mut rng, 1.0, 0.4)).collect();
        let expected = bodies
            .iter()
            .flat_map(|(ends, radius, _)| boxes.iter().map(move |b| distance(*ends, b) - radius))
            .fold(f64::INFINITY, f64::min);
        let mut leaves = [0; 2];
        for (with, leaves) in leaves.iter_mut().enumerate() {
            let asked: Vec<WideQuery> = bodies
                .iter()
                .map(|(ends, r, b)| if with == 1 { tree.capsule_query(b, *ends, *r) } else { tree.query(b) })
                .collect();
            let mut best = f64::INFINITY;
            let visits = tree.nearest(&asked, best, &mut WideScratch::new(&tree, 10), |q, leaf, _| {
                best = best.min(distance(bodies[q].0, &boxes[leaf as usize]) - bodies[q].1);
                best
            });
            *leaves = visits.leaves;
            assert_eq!(best, expected);
        }
        fewer += usize::from(leaves[1] < leaves[0]);
        rounds += 1;
    }
    assert!(fewer * 4 > rounds, "{fewer} of {rounds} searches shorter");
}

#[test]
fn capsules_without_end_say_nothing() {
    let boxes = scattered(&mut Rng::new(33), 50, 1.0, 0.1);
    let tree = WideTree::build(&boxes).unwrap();
    let b = around(vec3(3.0, 0.0, 0.0), vec3(0.1, 0.1, 0.1));
    let plain = tree.children_gaps(0, &tree.query(&b)).lower;
    for (x, radius) in [
        (f64::NAN, 0.1),
        (f64::INFINITY, 0.1),
        (1e300, 0.1),
        (3.0, f64::NAN),
        (3.0, f64::INFINITY),
        (3.0, 1e200),
    ] {
        let q = tree.capsule_query(&b, [vec3(x, 0.0, 0.0), vec3(3.0, 0.0, 0.0)], radius);
        assert_eq!(tree.children_gaps(0, &q).lower, plain);
    }
}
