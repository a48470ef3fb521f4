//! A finger in three resolutions (haase10, section II), in the frames of its links.
//!
//! All fingers are alike. The half fingers of level 1 are the limb with the joints at both its ends, and the
//! tip with the joint below it: two boxes. In level 2 a finger is eight boxes. The lower half has five and
//! the upper four, and both have the distal joint's box ("4 or 5"). The paper's Fig. 1 with the parts is
//! lost, so which half has five is our reading. In level 3 the joints are cylinders, and the tip's two boxes
//! are split ([`TipTree`]). What is a box of the limb or the shaft is exact in level 2 already.
//!
//! The clearance `s` enlarges every part, in every level: half extents, radii and half lengths grow by it.

use super::cylinders::FlatCylinder;
use super::dimensions::{Corners, JOINT_LENGTH, JOINT_RADIUS, LIMB_BOXES, LIMB_LENGTH, SHAFT_BOX};
use super::tip::{TipNode, TipTree};
use crate::primitives::OrientedBox;
use elbowroom::bounds::AlignedBox;
use elbowroom::math::{Transform, Vec3, vec3};

/// Elements of a finger: proximal joint, three boxes of the limb, distal joint, shaft, and the tip's lower
/// and upper half.
pub const ELEMENTS: usize = 8;
/// The elements of each half finger; the distal joint is of both.
pub const HALVES: [std::ops::Range<usize>; 2] = [0..5, 4..8];

/// What an element is in level 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A cylinder.
    Joint,
    /// The box that it is in level 2.
    Solid,
    /// The boxes below this one of the tip.
    Tip(TipNode),
}

/// Which link an element moves with: 0 is the limb, 1 the tip.
pub fn element_link(element: usize) -> usize {
    usize::from(element >= HALVES[1].start)
}

/// What an element is.
#[inline]
pub fn element_kind(element: usize) -> Element {
    match element {
        0 | 4 => Element::Joint,
        6 | 7 => Element::Tip(TipNode { depth: 1, index: element as u32 - 6 }),
        _ => Element::Solid,
    }
}

/// How joints are tested in level 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointTests {
    /// Exactly.
    Exact,
    /// By the paper's steps as they are printed, which miss overlaps.
    AsPrinted,
}

/// A finger in all resolutions, in the frames of its links.
#[derive(Clone, Debug)]
pub struct FingerModel {
    /// How joints are tested in level 3.
    pub joint_tests: JointTests,
    halves: [AlignedBox; 2],
    elements: [AlignedBox; ELEMENTS],
    tip: TipTree,
    joint: [f64; 2],
}

impl FingerModel {
    /// Enlarged by the clearance `s` (metres); the tip down to a depth.
    pub fn new(depth: u32, clearance: f64) -> FingerModel {
        let grown = |[low, high]: Corners| {
            let more = vec3(clearance, clearance, clearance);
            AlignedBox { low: Vec3::from(low) - more, high: Vec3::from(high) + more }
        };
        let joint_at = |z: f64| {
            let [r, l] = [JOINT_RADIUS, 0.5 * JOINT_LENGTH];
            grown([[-r, -l, z - r], [r, l, z + r]])
        };
        let tip = TipTree::new(depth.max(1), clearance);
        let half = |index| *tip.node_box(TipNode { depth: 1, index });
        let [lower_neck, body, upper_neck] = LIMB_BOXES.map(grown);
        let elements =
            [joint_at(0.0), lower_neck, body, upper_neck, joint_at(0.0), grown(SHAFT_BOX), half(0), half(1)];
        let around = |boxes: &[AlignedBox]| {
            boxes.iter().fold(AlignedBox::EMPTY, |all, b| AlignedBox {
                low: all.low.min(b.low),
                high: all.high.max(b.high),
            })
        };
        // The distal joint turns in its box of the lower half, too: seen from the limb it is the same.
        let lower = around(&[elements[0], lower_neck, body, upper_neck, joint_at(LIMB_LENGTH)]);
        let upper = around(&elements[HALVES[1].clone()]);
        let joint = [JOINT_RADIUS + clearance, 0.5 * JOINT_LENGTH + clearance];
        let halves = [lower, upper];
        FingerModel { joint_tests: JointTests::Exact, halves, elements, tip, joint }
    }

    /// Its tip.
    pub fn tip(&self) -> &TipTree {
        &self.tip
    }

    /// The box of a half finger in its link's frame: level 1.
    pub fn half_box(&self, half: usize) -> &AlignedBox {
        &self.halves[half]
    }

    /// The box of an element in its link's frame: level 2.
    pub fn element_box(&self, element: usize) -> &AlignedBox {
        &self.elements[element]
    }

    /// A joint whose link is at a place.
    #[inline]
    pub fn joint_cylinder(&self, link_in_palm: &Transform) -> FlatCylinder {
        let [radius, half_length] = self.joint;
        FlatCylinder {
            center: link_in_palm.translation,
            axis: link_in_palm.rotation.cols[1],
            radius,
            half_length,
        }
    }
}

/// A box of a link, where the link is at a place.
#[inline]
pub fn place_box(b: &AlignedBox, link_in_palm: &Transform) -> OrientedBox {
    OrientedBox {
        center: link_in_palm.point(b.center()),
        axes: link_in_palm.rotation,
        half: (b.high - b.low) * 0.5,
    }
}
