//! Finds elements and attributes that are misspelt, and links, joints and collisions in places where no
//! reader looks for them. Passing over them would lose a shape or move it.
//!
//! URDF files are full of extensions, so unknown elements are ignored as a rule. They are refused if their
//! name is within two letters of a known one, or if they hold a link, joint or collision with contents of
//! its own. A mere reference, such as `<joint name="j"/>` in a transmission, has none.

use super::reader::UrdfReader;
use crate::fault::meant_key;
use crate::xml::{child_elements, is_own, short_text};
use roxmltree::Node;

/// What may stand in an element.
pub(super) struct Known {
    /// Attributes that are read.
    pub attributes: &'static [&'static str],
    /// Attributes that are not read, though their names may be near.
    pub other_attributes: &'static [&'static str],
    /// Elements that are read.
    pub elements: &'static [&'static str],
    /// Elements that are not read, whatever they hold.
    pub other_elements: &'static [&'static str],
}

const NOTHING: Known =
    Known { attributes: &[], other_attributes: &["name"], elements: &[], other_elements: &[] };

pub(super) const ROBOT: Known = Known {
    other_attributes: &["version", "path"],
    elements: &["link", "joint"],
    other_elements: &[
        "gazebo",
        "transmission",
        "ros2_control",
        "material",
        "frame",
        "sensor",
        "mujoco",
        "webots",
    ],
    ..NOTHING
};
pub(super) const LINK: Known =
    Known { elements: &["collision"], other_elements: &["sensor", "gazebo"], ..NOTHING };
pub(super) const COLLISION: Known = Known { elements: &["origin", "geometry"], ..NOTHING };
pub(super) const GEOMETRY: Known = NOTHING;
pub(super) const BOX: Known = Known { attributes: &["size"], ..NOTHING };
pub(super) const ROUND: Known = Known { attributes: &["radius", "length"], ..NOTHING };
pub(super) const ELLIPSOID: Known = Known { attributes: &["radii", "a", "b", "c"], ..NOTHING };
pub(super) const MESH: Known = Known { attributes: &["filename", "scale"], ..NOTHING };
pub(super) const JOINT: Known =
    Known { elements: &["origin", "parent", "child", "axis", "limit", "mimic"], ..NOTHING };
pub(super) const LIMIT: Known = Known {
    attributes: &["lower", "upper"],
    other_attributes: &["effort", "velocity", "acceleration", "deceleration", "jerk", "power"],
    ..NOTHING
};
pub(super) const MIMIC: Known = Known { attributes: &["joint", "multiplier", "offset"], ..NOTHING };

impl UrdfReader<'_, '_, '_> {
    /// Refuses what looks like a slip in an element.
    pub(super) fn check_spelling(&mut self, node: Node<'_, '_>, known: &Known) {
        for attribute in node.attributes().filter(|a| a.namespace().is_none()) {
            let key = attribute.name();
            if known.attributes.contains(&key) || known.other_attributes.contains(&key) {
                continue;
            }
            if let Some(meant) = meant_key(key, known.attributes) {
                let what = format!("its {key}=\"...\" is unknown");
                self.add_fault(node, what, format!("did you mean {meant}=\"...\"?"));
            }
        }
        for part in child_elements(node) {
            let tag = part.tag_name().name();
            if !is_own(part) {
                // Joints of other namespaces have a fault of their own.
                if known.elements.contains(&tag) && tag != "joint" {
                    let what = format!("<{tag}> in another namespace is not URDF and is not supported");
                    self.add_fault(part, what, format!("write <{tag}> without a namespace"));
                }
                continue;
            }
            if known.elements.contains(&tag) || known.other_elements.contains(&tag) {
                continue;
            }
            if let Some(meant) = meant_key(tag, known.elements) {
                let what = format!("<{}> is unknown", short_text(tag));
                self.add_fault(part, what, format!("did you mean <{meant}>?"));
            } else if let Some(lost) = part.descendants().find(|n| is_content(*n)) {
                let within = if lost == part { node } else { part };
                let what =
                    format!("is in <{}>, where it has no effect", short_text(within.tag_name().name()));
                let help = match lost.tag_name().name() {
                    "collision" => "put it directly into a <link>",
                    _ => "put it directly into the <robot>",
                };
                self.add_fault(lost, what, help);
            }
        }
    }
}

/// True of a collision, link or joint that has contents and is no mere reference to one.
fn is_content(node: Node<'_, '_>) -> bool {
    node.is_element()
        && is_own(node)
        && match node.tag_name().name() {
            "collision" => child_elements(node).next().is_some(),
            "link" => child_elements(node)
                .any(|n| matches!(n.tag_name().name(), "collision" | "visual" | "inertial")),
            "joint" => child_elements(node).any(|n| matches!(n.tag_name().name(), "parent" | "child")),
            _ => false,
        }
}
