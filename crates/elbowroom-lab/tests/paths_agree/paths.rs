//! All that is asked of a cell at a pose.

use crate::boxes::Boxes;
use crate::tally::{Tally, Tells, Truth};
use elbowroom::motion::{Keep, Update};
use elbowroom::pair::Ask;
use elbowroom::world::BodyPair;
use elbowroom::{Answer, Batch, Checker, Geometry, Question, Verdict, World};
use std::collections::BTreeMap;

/// All that is asked of one cell.
pub struct Paths<'w> {
    worlds: &'w [World; 2],
    poses: [Checker<'w>; 2],
    cold: Checker<'w>,
    batches: [Batch<'w>; 2],
    updates: Vec<(String, Update<'w>)>,
    /// What meshes stood for in the last step.
    geometry: Option<Geometry>,
    boxes: Boxes,
}

impl<'w> Paths<'w> {
    pub fn new(worlds: &'w [World; 2]) -> Paths<'w> {
        let mut updates = Vec::new();
        for (w, of) in [(0, "tree"), (1, "list")] {
            for keep in [Keep::Global, Keep::Local] {
                for above in [0.03, f64::INFINITY] {
                    let update = Update::new(&worlds[w], keep, above);
                    updates.push((format!("{of}, kept {keep:?} above {above}"), update));
                }
            }
        }
        Paths {
            worlds,
            poses: [Checker::new(&worlds[0]), Checker::new(&worlds[1])],
            cold: Checker::new(&worlds[1]),
            batches: [Batch::new(&worlds[0]), Batch::new(&worlds[1])],
            updates,
            geometry: None,
            boxes: Boxes::new(&worlds[1]),
        }
    }

    pub fn step(&mut self, place: &str, k: u64, values: &[f64], tally: &mut Tally) {
        let [tree, listed] = self.worlds;
        let geometry = [Geometry::Hull, Geometry::Mesh][(k / 53 % 2) as usize];
        let question = Question::distance().geometry(geometry);
        for pose in &mut self.poses {
            pose.set(values).unwrap();
        }
        self.cold.set(values).unwrap();

        // Every pair by itself: as far as the answer goes, and now and then all the way.
        let first = self.poses[1].nearest(&question);
        let whole = k.is_multiple_of(16);
        let cutoff = if whole { f64::INFINITY } else { first.interval.upper.max(0.0) + 0.02 };
        self.cold.forget();
        let mut pairs: BTreeMap<BodyPair, [f64; 2]> = BTreeMap::new();
        let all = self.cold.all_pairs(&question.cutoff(cutoff), |p| {
            pairs.insert(listed.pairs().get(p.pair).unwrap(), [p.interval.lower, p.interval.upper]);
        });
        let truth = Truth::of(&all, listed.margin());
        tally.poses += 1;
        tally.verdicts[truth.verdict as usize] += 1;
        tally.hold(place, "list, warm", &truth, &first, Tells::All);
        let named = first.pair.and_then(|p| listed.pairs().get(p)).map(|p| pairs[&p]);
        if named.is_none_or(|[lower, _]| lower > first.interval.upper) {
            tally.fault(format!("{place}: a pair is named that is farther off: {first:?}"));
        }

        for (w, of) in [(0, "tree"), (1, "list")] {
            let (world, pose) = (&self.worlds[w], &mut self.poses[w]);
            let report = pose.nearest(&question);
            tally.hold(place, &format!("{of}, warm"), &truth, &report, Tells::All);
            for ask in [Ask::Test, Ask::LowerBound] {
                let report = pose.nearest(&question.asking(ask));
                let tells = if ask == Ask::Test { Tells::Verdict } else { Tells::Bound };
                tally.hold(place, &format!("{of}, warm, {ask:?}"), &truth, &report, tells);
            }
            for cutoff in [0.0, 0.05] {
                let report = pose.nearest(&question.cutoff(cutoff));
                tally.hold(place, &format!("{of}, cutoff {cutoff}"), &truth, &report, Tells::To(cutoff));
            }
            // Group by group, each stop rule.
            for ask in [Ask::Distance, Ask::Test, Ask::LowerBound] {
                let mut together: Option<Answer> = None;
                for index in world.index_set() {
                    let v = pose.between(index, &question.asking(ask)).unwrap();
                    let t = together.get_or_insert(v);
                    (t.interval.lower, t.interval.upper) =
                        (t.interval.lower.min(v.interval.lower), t.interval.upper.min(v.interval.upper));
                }
                let Some(mut report) = together else { continue };
                report.verdict = report.interval.verdict(listed.margin());
                let tells = match ask {
                    Ask::Distance => Tells::All,
                    Ask::Test => Tells::Verdict,
                    Ask::LowerBound => Tells::Bound,
                };
                tally.hold(place, &format!("{of}, groups, {ask:?}"), &truth, &report, tells);
            }
            // Cold, and of a pose that is new.
            pose.forget();
            let report = pose.nearest(&question);
            tally.hold(place, &format!("{of}, cold"), &truth, &report, Tells::All);
            if k.is_multiple_of(32) {
                let mut fresh = Checker::new(world);
                fresh.set(values).unwrap();
                let new = fresh.nearest(&question);
                if (new.interval.lower, new.interval.upper, new.pair)
                    != (report.interval.lower, report.interval.upper, report.pair)
                {
                    tally
                        .fault(format!("{place}: {of}: a new pose says {new:?}, one that forgot {report:?}"));
                }
            }
            pose.forget();
            let report = pose.nearest(&question.asking(Ask::Test));
            tally.hold(place, &format!("{of}, cold test"), &truth, &report, Tells::Verdict);
            // A batch says what the pose by itself says, to the word.
            let mut verdict = [Verdict::Unknown];
            let counts = self.batches[w].tests(values, &question, &mut verdict).unwrap();
            tally.by_lanes += counts.by_lanes as u64;
            if verdict != [report.verdict] {
                tally.fault(format!("{place}: {of}: a batch says {verdict:?}, one pose {report:?}"));
            }
        }
        // The same pairs one by one in the other world.
        if whole {
            self.poses[0].all_pairs(&question, |p| {
                let bodies = tree.pairs().get(p.pair).unwrap();
                let [lower, upper] = pairs[&bodies];
                if !(p.interval.lower <= upper && lower <= p.interval.upper) {
                    tally.fault(format!("{place}: {bodies:?}: {p:?}, but [{lower}, {upper}]"));
                }
            });
            self.boxes.descend(place, &self.cold, &pairs, &truth, tally);
        }

        // What meshes stand for.
        let of = |geometry: Geometry, checker: &mut Checker| checker.nearest(&question.geometry(geometry));
        let [hull, mesh] = [Geometry::Hull, Geometry::Mesh].map(|g| of(g, &mut self.poses[1]));
        tally.hulls_nearer += u64::from(hull.interval.upper < mesh.interval.lower);
        for (what, ok) in [
            ("hulls are farther off than their triangles", hull.interval.lower <= mesh.interval.upper),
            (
                "hulls are clear, triangles are not",
                hull.verdict != Verdict::Clear || mesh.verdict == Verdict::Clear,
            ),
        ] {
            if !ok {
                tally.fault(format!("{place}: {what}: {hull:?} {mesh:?}"));
            }
        }

        // Answers that are kept.
        for (path, update) in &mut self.updates {
            // What is kept is of what meshes stood for then.
            let still = update.still(values);
            if self.geometry == Some(geometry) && still > truth.upper {
                tally.fault(format!("{place}: {path}: {still} still, truth {truth:?}"));
            }
            // The question differs now and then, what is kept does not.
            let ask = if k % 16 == 5 { Ask::Test } else { Ask::Distance };
            let report = update.nearest(values, &question.asking(ask)).unwrap();
            let exact = update.above == f64::INFINITY && ask == Ask::Distance;
            let tells = if exact { Tells::All } else { Tells::Kept };
            tally.hold(place, path, &truth, &report, tells);
            tally.kept += u64::from(report.counts.shape_queries == 0);
        }
        self.geometry = Some(geometry);
    }
}
