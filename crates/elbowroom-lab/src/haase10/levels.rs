//! The whole hand by three levels (haase10, section II).
//!
//! Level 1 tests twelve pairs: three pairs of fingers, two half fingers against two in each. A pair whose
//! boxes are apart is done. If the boxes meet, these two half fingers alone go to level 2: four or five boxes
//! against four or five. Pairs of these that meet go to level 3: joints are cylinders,
//! limbs stay boxes, and the boxes of tips are split while they meet and until the depth is reached (section
//! III-B, Fig. 4). What then still meets is a collision, and the test ends. Finger 2 against the palm is the
//! line of equation (5).
//!
//! Each level contains the next, and level 3 contains the finger and all within `s` of it. So a hand that is
//! free at a level has its fingers `2 s` apart. A collision that level 3 reports is exact but for tips: at `s
//! = 0` the two fingers are at most twice `A_max` apart.

use super::base_line::says_base_collides;
use super::counts::LevelCounts;
use super::cylinder_box::{does_cylinder_meet_box, overlaps_as_printed};
use super::cylinders::{FlatCylinder, joints_overlap, joints_overlap_as_printed};
use super::finger::{
    ELEMENTS, Element, FingerModel, HALVES, JointTests, element_kind, element_link, place_box,
};
use super::kinematics::{FingerFrames, HandPose, place_fingers};
use super::separating::{KeptAxis, boxes_overlap};
use super::tip::TipNode;
use crate::primitives::OrientedBox;
use elbowroom::math::{Transform, Vec3};

/// The pairs of fingers, counted from 0.
pub const FINGER_PAIRS: [[usize; 2]; 3] = [[0, 1], [0, 2], [1, 2]];

/// One of the three levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Two boxes a finger.
    First,
    /// Eight boxes a finger.
    Second,
    /// Cylinders, boxes, and the tip's boxes to the depth.
    Third,
}

/// What collides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandCollision {
    /// Two fingers, counted from 0, and an element of each.
    Fingers([usize; 2], [usize; 2]),
    /// Finger 2 and the palm, by equation (5).
    Base,
}

/// The levels with what they keep from one pose to the next.
#[derive(Clone, Debug)]
pub struct HandLevels {
    model: FingerModel,
    keeps_axes: bool,
    halves: [[[KeptAxis; 2]; 2]; 3],
    elements: [[[KeptAxis; ELEMENTS]; ELEMENTS]; 3],
    /// What the last test did.
    pub counts: LevelCounts,
}

impl HandLevels {
    /// The levels with tips down to a depth, all enlarged by the clearance `s` (metres).
    pub fn new(depth: u32, clearance: f64) -> HandLevels {
        HandLevels {
            model: FingerModel::new(depth, clearance),
            keeps_axes: true,
            halves: Default::default(),
            elements: Default::default(),
            counts: LevelCounts::default(),
        }
    }

    /// These levels, without keeping the last axis of each pair.
    pub fn without_kept_axes(mut self) -> HandLevels {
        self.keeps_axes = false;
        self
    }

    /// These levels, with joints tested by the paper's steps as they are printed ([`JointTests::AsPrinted`]).
    pub fn as_printed(mut self) -> HandLevels {
        self.model.joint_tests = JointTests::AsPrinted;
        self
    }

    /// The finger in all resolutions.
    pub fn model(&self) -> &FingerModel {
        &self.model
    }

    /// What collides at a pose (radians), the first that is found; `None` if the hand is free.
    pub fn find_collision(&mut self, phi: &HandPose) -> Option<HandCollision> {
        if says_base_collides(phi[3].to_degrees(), phi[4].to_degrees()) {
            self.counts = LevelCounts::default();
            return Some(HandCollision::Base);
        }
        self.find_meeting_fingers(&place_fingers(phi))
    }

    /// At which level the last test ended, with what it found: free at the first, the second or the third (0
    /// to 2), or a collision (3).
    pub fn ending_level(&self, found: Option<HandCollision>) -> usize {
        match found {
            Some(_) => 3,
            None if self.counts.second_entered == 0 => 0,
            None if self.counts.third_entered == 0 => 1,
            None => 2,
        }
    }

    /// Which fingers collide where they are at these places.
    #[inline]
    pub fn find_meeting_fingers(&mut self, frames: &FingerFrames) -> Option<HandCollision> {
        self.counts = LevelCounts::default();
        // Written out: arrays from closures are copied.
        let [lower, upper] = [self.model.half_box(0), self.model.half_box(1)];
        let [one, two, three] = frames;
        let boxes = [
            [place_box(lower, &one[0]), place_box(upper, &one[1])],
            [place_box(lower, &two[0]), place_box(upper, &two[1])],
            [place_box(lower, &three[0]), place_box(upper, &three[1])],
        ];
        for (pair, [a, b]) in FINGER_PAIRS.into_iter().enumerate() {
            for (half_a, box_a) in boxes[a].iter().enumerate() {
                for (half_b, box_b) in boxes[b].iter().enumerate() {
                    self.counts.first_pairs += 1;
                    let mut kept = self.halves[pair][half_a][half_b];
                    let meet = boxes_overlap(box_a, box_b, &mut kept, &mut self.counts);
                    if self.keeps_axes {
                        self.halves[pair][half_a][half_b] = kept;
                    }
                    if !meet {
                        continue;
                    }
                    self.counts.second_entered += 1;
                    if let Some(elements) = self.descend(pair, [half_a, half_b], [&frames[a], &frames[b]]) {
                        return Some(HandCollision::Fingers([a, b], elements));
                    }
                }
            }
        }
        None
    }

    /// Level 2 of two half fingers, and level 3 of its pairs that meet.
    fn descend(
        &mut self,
        pair: usize,
        halves: [usize; 2],
        frames: [&[Transform; 2]; 2],
    ) -> Option<[usize; 2]> {
        let [of_a, of_b] = halves.map(|half| HALVES[half].clone());
        let place = |model: &FingerModel, element: usize, frames: &[Transform; 2]| {
            place_box(model.element_box(element), &frames[element_link(element)])
        };
        let boxes_b: [Option<OrientedBox>; ELEMENTS] =
            std::array::from_fn(|e| of_b.contains(&e).then(|| place(&self.model, e, frames[1])));
        for a in of_a {
            let box_a = place(&self.model, a, frames[0]);
            for (b, box_b) in boxes_b.iter().enumerate() {
                let Some(box_b) = box_b else { continue };
                self.counts.second_pairs += 1;
                let mut kept = self.elements[pair][a][b];
                let meet = boxes_overlap(&box_a, box_b, &mut kept, &mut self.counts);
                if self.keeps_axes {
                    self.elements[pair][a][b] = kept;
                }
                if !meet {
                    continue;
                }
                self.counts.third_entered += 1;
                let places = [&frames[0][element_link(a)], &frames[1][element_link(b)]];
                if elements_overlap(&self.model, [a, b], places, &mut self.counts) {
                    return Some([a, b]);
                }
            }
        }
        None
    }

    /// Whether no two fingers meet at one level, asked of all its pairs, whatever the others say.
    pub fn is_free_at(&self, level: Level, frames: &FingerFrames) -> bool {
        let counts = &mut LevelCounts::default();
        FINGER_PAIRS.into_iter().all(|[f, g]| match level {
            Level::First => {
                let place =
                    |finger: usize, half: usize| place_box(self.model.half_box(half), &frames[finger][half]);
                all_pairs(2).all(|[a, b]| {
                    !boxes_overlap(&place(f, a), &place(g, b), &mut KeptAxis::default(), counts)
                })
            }
            Level::Second | Level::Third => all_pairs(ELEMENTS).all(|[a, b]| {
                let places = [&frames[f][element_link(a)], &frames[g][element_link(b)]];
                if level == Level::Third {
                    return !elements_overlap(&self.model, [a, b], places, counts);
                }
                let [box_a, box_b] =
                    [(a, places[0]), (b, places[1])].map(|(e, at)| place_box(self.model.element_box(e), at));
                !boxes_overlap(&box_a, &box_b, &mut KeptAxis::default(), counts)
            }),
        })
    }
}

fn all_pairs(n: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..n).flat_map(move |a| (0..n).map(move |b| [a, b]))
}

/// Level 3: whether two elements meet, whose links are at these places.
pub fn elements_overlap(
    model: &FingerModel,
    elements: [usize; 2],
    places: [&Transform; 2],
    counts: &mut LevelCounts,
) -> bool {
    let [a, b] = elements;
    let [at_a, at_b] = places;
    let solid = |element: usize, at: &Transform| place_box(model.element_box(element), at);
    match (element_kind(a), element_kind(b)) {
        (Element::Joint, Element::Joint) => {
            counts.joint_pairs += 1;
            let [joint_a, joint_b] = places.map(|at| model.joint_cylinder(at));
            match model.joint_tests {
                JointTests::Exact => joints_overlap(&joint_a, &joint_b, Vec3::Z).is_meeting(),
                JointTests::AsPrinted => joints_overlap_as_printed(&joint_a, &joint_b, Vec3::Z),
            }
        }
        (Element::Joint, Element::Solid) => {
            counts.joint_pairs += 1;
            does_joint_meet(model, &model.joint_cylinder(at_a), &solid(b, at_b))
        }
        (Element::Solid, Element::Solid) => {
            boxes_overlap(&solid(a, at_a), &solid(b, at_b), &mut KeptAxis::default(), counts)
        }
        (Element::Tip(node), Element::Joint) => {
            let cylinder = model.joint_cylinder(at_b);
            does_tip_meet(model, node, at_a, counts, &mut |b, _| does_joint_meet(model, &cylinder, b))
        }
        (Element::Tip(node), Element::Solid) => {
            let other = solid(b, at_b);
            let kept = &mut KeptAxis::default();
            does_tip_meet(model, node, at_a, counts, &mut |b, counts| boxes_overlap(b, &other, kept, counts))
        }
        (Element::Tip(node), Element::Tip(other)) => {
            tips_overlap(model, [node, other], places, &mut KeptAxis::default(), counts)
        }
        (Element::Solid, Element::Joint)
        | (Element::Joint, Element::Tip(_))
        | (Element::Solid, Element::Tip(_)) => elements_overlap(model, [b, a], [at_b, at_a], counts),
    }
}

/// Section III-C.
#[inline]
fn does_joint_meet(model: &FingerModel, joint: &FlatCylinder, b: &OrientedBox) -> bool {
    match model.joint_tests {
        JointTests::Exact => does_cylinder_meet_box(joint, b).is_meeting(),
        JointTests::AsPrinted => overlaps_as_printed(joint, b).is_meeting(),
    }
}

/// Section III-B: whether boxes of two tips meet at the depth. Two boxes that meet are both split; boxes that
/// are apart stay as they are.
pub fn tips_overlap(
    model: &FingerModel,
    nodes: [TipNode; 2],
    places: [&Transform; 2],
    kept: &mut KeptAxis,
    counts: &mut LevelCounts,
) -> bool {
    counts.tip_pairs += 1;
    let a = place_box(model.tip().node_box(nodes[0]), places[0]);
    let b = place_box(model.tip().node_box(nodes[1]), places[1]);
    if !boxes_overlap(&a, &b, kept, counts) {
        return false;
    }
    if nodes[0].depth >= model.tip().depth() {
        return true;
    }
    let [halves_a, halves_b] = nodes.map(TipNode::split);
    all_pairs(2).any(|[i, j]| tips_overlap(model, [halves_a[i], halves_b[j]], places, kept, counts))
}

/// Whether a box of a tip meets something else at the depth.
fn does_tip_meet(
    model: &FingerModel,
    node: TipNode,
    at: &Transform,
    counts: &mut LevelCounts,
    meets: &mut impl FnMut(&OrientedBox, &mut LevelCounts) -> bool,
) -> bool {
    counts.tip_pairs += 1;
    if !meets(&place_box(model.tip().node_box(node), at), counts) {
        return false;
    }
    node.depth >= model.tip().depth()
        || node.split().into_iter().any(|half| does_tip_meet(model, half, at, counts, meets))
}
