//! All that is asked of a cell at a pose.

use crate::boxes::Boxes;
use crate::support::ask::{intervals_meet, smaller_distance};
use crate::tally::{Tally, Tells, Truth};
use elbowroom::pair::Ask;
use elbowroom::world::BodyPair;
use elbowroom::{Answer, Batch, Checker, Geometry, Interval, Question, Verdict, World};
use std::collections::BTreeMap;

/// All that is asked of one cell.
pub struct Paths<'w> {
    worlds: &'w [World; 2],
    checkers: [Checker<'w>; 2],
    cold: Checker<'w>,
    batches: [Batch<'w>; 2],
    boxes: Boxes,
}

impl<'w> Paths<'w> {
    pub fn new(worlds: &'w [World; 2]) -> Paths<'w> {
        Paths {
            worlds,
            checkers: [Checker::new(&worlds[0]), Checker::new(&worlds[1])],
            cold: Checker::new(&worlds[1]),
            batches: [Batch::new(&worlds[0]), Batch::new(&worlds[1])],
            boxes: Boxes::new(&worlds[1]),
        }
    }

    pub fn step(&mut self, place: &str, k: u64, values: &[f64], tally: &mut Tally) {
        let [tree, listed] = self.worlds;
        let geometry = [Geometry::Hull, Geometry::Mesh][(k / 53 % 2) as usize];
        let question = Question::distance().geometry(geometry);
        for checker in &mut self.checkers {
            checker.set(values).unwrap();
        }
        self.cold.set(values).unwrap();

        // Every pair by itself: as far as the answer goes, and now and then all the way.
        let first = self.checkers[1].ask(&question);
        let whole = k.is_multiple_of(16);
        let cutoff = if whole { f64::INFINITY } else { first.interval.upper.max(0.0) + 0.02 };
        self.cold.forget_history();
        let mut pairs: BTreeMap<BodyPair, Interval> = BTreeMap::new();
        let all = self.cold.all_pairs(&question.cutoff(cutoff), |p| {
            pairs.insert(listed.pairs().get(p.pair).unwrap(), p.interval);
        });
        let truth = Truth::of(&all, listed.margin());
        tally.poses += 1;
        tally.verdicts[truth.verdict as usize] += 1;
        tally.hold(place, "list, warm", &truth, &first, Tells::All);
        let named = first.pair.and_then(|p| listed.pairs().get(p)).map(|p| pairs[&p]);
        if named.is_none_or(|interval| interval.lower > first.interval.upper) {
            tally.fault(format!("{place}: a pair is named that is farther off: {first:?}"));
        }

        for (w, of) in [(0, "tree"), (1, "list")] {
            let (world, checker) = (&self.worlds[w], &mut self.checkers[w]);
            let answer = checker.ask(&question);
            tally.hold(place, &format!("{of}, warm"), &truth, &answer, Tells::All);
            for ask in [Ask::Test, Ask::LowerBound] {
                let answer = checker.ask(&question.with_ask(ask));
                let tells = if ask == Ask::Test { Tells::Verdict } else { Tells::Bound };
                tally.hold(place, &format!("{of}, warm, {ask:?}"), &truth, &answer, tells);
            }
            for cutoff in [0.0, 0.05] {
                let answer = checker.ask(&question.cutoff(cutoff));
                tally.hold(place, &format!("{of}, cutoff {cutoff}"), &truth, &answer, Tells::To(cutoff));
            }
            // Group by group, each stop rule.
            for ask in [Ask::Distance, Ask::Test, Ask::LowerBound] {
                let mut together: Option<Answer> = None;
                for index in world.index_set() {
                    let answer = checker.between(index, &question.with_ask(ask)).unwrap();
                    let all = together.get_or_insert(answer);
                    all.interval = smaller_distance(&all.interval, &answer.interval);
                }
                let Some(mut answer) = together else { continue };
                answer.verdict = answer.interval.verdict(listed.margin());
                let tells = match ask {
                    Ask::Distance => Tells::All,
                    Ask::Test => Tells::Verdict,
                    Ask::LowerBound => Tells::Bound,
                };
                tally.hold(place, &format!("{of}, groups, {ask:?}"), &truth, &answer, tells);
            }
            // Cold, and of a checker that is new.
            checker.forget_history();
            let answer = checker.ask(&question);
            tally.hold(place, &format!("{of}, cold"), &truth, &answer, Tells::All);
            if k.is_multiple_of(32) {
                let mut fresh = Checker::new(world);
                fresh.set(values).unwrap();
                let new = fresh.ask(&question);
                if (new.interval.lower, new.interval.upper, new.pair)
                    != (answer.interval.lower, answer.interval.upper, answer.pair)
                {
                    tally.fault(format!(
                        "{place}: {of}: a new checker says {new:?}, one that forgot {answer:?}"
                    ));
                }
            }
            checker.forget_history();
            let answer = checker.ask(&question.with_ask(Ask::Test));
            tally.hold(place, &format!("{of}, cold test"), &truth, &answer, Tells::Verdict);
            // A batch says what the pose by itself says, to the word.
            let mut verdict = [Verdict::Unknown];
            let counts = self.batches[w].test(values, &question, &mut verdict).unwrap();
            tally.by_lanes += counts.by_lanes as u64;
            if verdict != [answer.verdict] {
                tally.fault(format!("{place}: {of}: a batch says {verdict:?}, one pose {answer:?}"));
            }
        }
        // The other world answers for these pairs one by one.
        if whole {
            self.checkers[0].all_pairs(&question, |p| {
                let bodies = tree.pairs().get(p.pair).unwrap();
                if !intervals_meet(&p.interval, &pairs[&bodies]) {
                    tally.fault(format!("{place}: {bodies:?}: {p:?}, but {:?}", pairs[&bodies]));
                }
            });
            self.boxes.descend(place, &self.cold, &pairs, &truth, tally);
        }

        // What meshes stand for.
        let of = |geometry: Geometry, checker: &mut Checker| checker.ask(&question.geometry(geometry));
        let [hull, mesh] = [Geometry::Hull, Geometry::Mesh].map(|g| of(g, &mut self.checkers[1]));
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
    }
}
