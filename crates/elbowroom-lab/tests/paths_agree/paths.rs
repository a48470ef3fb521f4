//! All that is asked of a cell at a pose.

use crate::boxes::Boxes;
use crate::tally::{Tally, Tells, Truth};
use elbowroom::CheckWork;
use elbowroom::batch::Batch;
use elbowroom::check::{Options, all_pairs, collision_vector, smallest};
use elbowroom::motion::update::{Keep, Update};
use elbowroom::narrow::{Ask, Geometry};
use elbowroom::pairs::BodyPair;
use elbowroom::report::Report;
use elbowroom::verdict::Verdict;
use elbowroom::world::World;
use std::collections::BTreeMap;

/// All that is asked of one cell.
pub struct Paths<'w> {
    worlds: &'w [World; 2],
    poses: [CheckWork; 2],
    cold: CheckWork,
    batches: [Batch; 2],
    updates: Vec<(String, usize, CheckWork, Update)>,
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
                    updates.push((
                        format!("{of}, kept {keep:?} above {above}"),
                        w,
                        CheckWork::new(&worlds[w]),
                        update,
                    ));
                }
            }
        }
        Paths {
            worlds,
            poses: [CheckWork::new(&worlds[0]), CheckWork::new(&worlds[1])],
            cold: CheckWork::new(&worlds[1]),
            batches: [Batch::new(&worlds[0]), Batch::new(&worlds[1])],
            updates,
            geometry: None,
            boxes: Boxes::new(&worlds[1]),
        }
    }

    pub fn step(&mut self, place: &str, k: u64, values: &[f64], tally: &mut Tally) {
        let [tree, listed] = self.worlds;
        let geometry = [Geometry::Hull, Geometry::Mesh][(k / 53 % 2) as usize];
        let options = Options { geometry, ..Options::of(listed) };
        for (pose, world) in self.poses.iter_mut().zip(self.worlds) {
            pose.set(world, values).unwrap();
        }
        self.cold.set(listed, values).unwrap();

        // Every pair by itself: as far as the answer goes, and now and then all the way.
        let first = smallest(listed, &mut self.poses[1], &options);
        let whole = k.is_multiple_of(16);
        let cutoff = if whole { f64::INFINITY } else { first.upper.max(0.0) + 0.02 };
        self.cold.forget();
        let mut pairs: BTreeMap<BodyPair, [f64; 2]> = BTreeMap::new();
        let all = all_pairs(listed, &mut self.cold, &Options { cutoff, ..options }, |p| {
            pairs.insert(listed.pairs().get(p.pair).unwrap(), [p.lower, p.upper]);
        });
        let truth = Truth::of(&all, options.margin);
        tally.poses += 1;
        tally.verdicts[truth.verdict as usize] += 1;
        tally.hold(place, "list, warm", &truth, &first, Tells::All);
        let named = first.pair.and_then(|p| listed.pairs().get(p)).map(|p| pairs[&p]);
        if named.is_none_or(|[lower, _]| lower > first.upper) {
            tally.fault(format!("{place}: a pair is named that is farther off: {first:?}"));
        }

        for (w, of) in [(0, "tree"), (1, "list")] {
            let (world, pose) = (&self.worlds[w], &mut self.poses[w]);
            let report = smallest(world, pose, &options);
            tally.hold(place, &format!("{of}, warm"), &truth, &report, Tells::All);
            for ask in [Ask::Test, Ask::LowerBound] {
                let report = smallest(world, pose, &Options { ask, ..options });
                let tells = if ask == Ask::Test { Tells::Verdict } else { Tells::Bound };
                tally.hold(place, &format!("{of}, warm, {ask:?}"), &truth, &report, tells);
            }
            for cutoff in [0.0, 0.05] {
                let report = smallest(world, pose, &Options { cutoff, ..options });
                tally.hold(place, &format!("{of}, cutoff {cutoff}"), &truth, &report, Tells::To(cutoff));
            }
            // Group by group, each stop rule.
            for ask in [Ask::Distance, Ask::Test, Ask::LowerBound] {
                let mut together: Option<Report> = None;
                for index in world.index_set() {
                    let v = collision_vector(world, pose, index, &Options { ask, ..options }).unwrap();
                    let t = together.get_or_insert(v);
                    (t.lower, t.upper) = (t.lower.min(v.lower), t.upper.min(v.upper));
                }
                let Some(mut report) = together else { continue };
                report.verdict = Verdict::of(report.lower, report.upper, options.margin);
                let tells = match ask {
                    Ask::Distance => Tells::All,
                    Ask::Test => Tells::Verdict,
                    Ask::LowerBound => Tells::Bound,
                };
                tally.hold(place, &format!("{of}, groups, {ask:?}"), &truth, &report, tells);
            }
            // Cold, and of a pose that is new.
            pose.forget();
            let report = smallest(world, pose, &options);
            tally.hold(place, &format!("{of}, cold"), &truth, &report, Tells::All);
            if k.is_multiple_of(32) {
                let mut fresh = CheckWork::new(world);
                fresh.set(world, values).unwrap();
                let new = smallest(world, &mut fresh, &options);
                if (new.lower, new.upper, new.pair) != (report.lower, report.upper, report.pair) {
                    tally
                        .fault(format!("{place}: {of}: a new pose says {new:?}, one that forgot {report:?}"));
                }
            }
            pose.forget();
            let report = smallest(world, pose, &Options { ask: Ask::Test, ..options });
            tally.hold(place, &format!("{of}, cold test"), &truth, &report, Tells::Verdict);
            // A batch says what the pose by itself says, to the word.
            let mut verdict = [Verdict::Unknown];
            let counts = self.batches[w].tests(world, values, &options, &mut verdict).unwrap();
            tally.by_lanes += counts.by_lanes as u64;
            if verdict != [report.verdict] {
                tally.fault(format!("{place}: {of}: a batch says {verdict:?}, one pose {report:?}"));
            }
        }
        // The same pairs one by one in the other world.
        if whole {
            all_pairs(tree, &mut self.poses[0], &options, |p| {
                let bodies = tree.pairs().get(p.pair).unwrap();
                let [lower, upper] = pairs[&bodies];
                if !(p.lower <= upper && lower <= p.upper) {
                    tally.fault(format!("{place}: {bodies:?}: {p:?}, but [{lower}, {upper}]"));
                }
            });
            self.boxes.descend(place, listed, &self.cold, &pairs, &truth, tally);
        }

        // What meshes stand for.
        let of = |geometry: Geometry, pose: &mut CheckWork| {
            smallest(listed, pose, &Options { geometry, ..options })
        };
        let [hull, mesh] = [Geometry::Hull, Geometry::Mesh].map(|g| of(g, &mut self.poses[1]));
        tally.hulls_nearer += u64::from(hull.upper < mesh.lower);
        for (what, ok) in [
            ("hulls are farther off than their triangles", hull.lower <= mesh.upper),
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
        for (path, w, pose, update) in &mut self.updates {
            // What is kept is of what meshes stood for then.
            let still = update.still(values);
            if self.geometry == Some(geometry) && still > truth.upper {
                tally.fault(format!("{place}: {path}: {still} still, truth {truth:?}"));
            }
            // The question differs now and then, what is kept does not.
            let ask = if k % 16 == 5 { Ask::Test } else { Ask::Distance };
            let world = &self.worlds[*w];
            let report = update.smallest(world, pose, values, &Options { ask, ..options }).unwrap();
            let exact = update.above == f64::INFINITY && ask == Ask::Distance;
            let tells = if exact { Tells::All } else { Tells::Kept };
            tally.hold(place, path, &truth, &report, tells);
            tally.kept += u64::from(report.counts.shape_queries == 0);
        }
        self.geometry = Some(geometry);
    }
}
