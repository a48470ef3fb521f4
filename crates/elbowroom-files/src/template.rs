//! `[[template]]` of a world file: bodies and their parts as tran91 writes them, as boxes with roles.
//!
//! ```toml
//! [[template]]
//! file = "table.template"        # or text = "(table (...) (30 42 38) (60 50 0))"
//! unit = "inch"                  # or a number of metres
//! anchor = "least_corner"        # or "foot_centre": which point of a box its position is
//! xyz = [0, 0, 0]                # the frame of all positions, in the world
//! movable = false
//! ```
//!
//! A body of the text is the obstacle `world/BODY`, a part of it `world/BODY.PART`. A body with parts is what
//! its parts leave of its box, so that nothing of the box is lost and no part lies under it.

use crate::limits;
use crate::session::Session;
use crate::tree::node::Node;
use crate::tree::{POSE, TreeReader, node_place};
use crate::xml::short_text;
use elbowroom::describe::{Attachment, ObstacleDescription, PlacedShape, ShapeDescription};
use elbowroom::math::{Transform, Vec3};
use elbowroom_monitor::Role;
use elbowroom_monitor::fault::Place;
use elbowroom_monitor::template::{Anchor, Extent, INCH, Template, Units, read};
use std::path::Path;

/// An obstacle of a template.
pub(crate) struct TemplateBody {
    pub role: Role,
    /// The place of the body that stands for the whole, in the list.
    pub of: usize,
    pub obstacle: ObstacleDescription,
}

/// What is left thinner than this (m) is left out: it is what rounding makes of two faces in one plane.
const SLIVER: f64 = 1e-9;

/// The obstacles of an entry; none after a fault.
pub(crate) fn read_template_bodies(
    session: &mut Session<'_>,
    file: &Path,
    node: &Node,
    label: &str,
) -> Vec<TemplateBody> {
    let before = session.log.fault_count();
    let bodies = read_entry(session, file, node, label).unwrap_or_default();
    if session.log.fault_count() > before { Vec::new() } else { bodies }
}

fn read_entry(session: &mut Session<'_>, file: &Path, node: &Node, label: &str) -> Option<Vec<TemplateBody>> {
    let mut r = TreeReader { file, log: &mut session.log };
    if !r.check_keys(node, label, &[&["file", "text", "unit", "anchor", "movable"][..], &POSE[..]].concat()) {
        return None;
    }
    let pose = r.read_pose(node, label);
    let movable = r.read_flag(node, label, "movable", false);
    let metres = read_unit(&mut r, node, label);
    let anchor = read_anchor(&mut r, node, label);
    // The text, and where it stands: lines are counted in the text.
    let source = match (node.get("file"), node.get("text")) {
        (None, Some(text)) => {
            let Some(own) = text.as_text() else {
                r.add_fault(text, label, "text is not a text", "write it in quotes");
                return None;
            };
            let place = format!("{}, its text", node_place(text, label));
            Some((own.as_bytes().to_vec(), file.to_path_buf(), place))
        }
        (Some(_), None) => {
            let path = session.named_file(file, node, label, "file")?;
            let bytes = session.read_plain(&path, limits::TREE_BYTES as u64);
            bytes.map(|bytes| (bytes, path, label.to_string()))
        }
        _ => {
            r.add_fault(node, label, "has not one of file and text", "give a file, or the text itself");
            None
        }
    };
    let units = Units { metres: metres?, anchor: anchor? };
    let ((text, path, whose), pose, movable) = (source?, pose?, movable?);
    let place = |place: Place| format!("{whose}, {place}").trim_end_matches([':', ',', ' ']).to_string();
    let templates = match read(&text, &units) {
        Ok(read) => {
            for warning in read.warnings {
                session.log.add_warning(&path, place(warning.place), warning.what, warning.help);
            }
            read.bodies
        }
        Err(faults) => {
            for fault in faults.0 {
                session.log.add_fault(&path, place(fault.place), fault.what, fault.help);
            }
            return None;
        }
    };
    if templates.is_empty() {
        let help = "write one, as (table (supporting (30 42 38) (60 50 0))), or leave the template out";
        session.log.add_fault(&path, whose, "lists no body", help);
        return None;
    }
    let mut bodies = Vec::new();
    for template in &templates {
        if !add_body(&mut bodies, template, &pose, movable) {
            let name = short_text(&template.name);
            let what = format!("the parts of {name:?} leave more than {} boxes of it", limits::CUTS);
            let help = "use fewer parts, or let neighbours share faces: a gap between them is a box too";
            TreeReader { file, log: &mut session.log }.add_fault(node, label, what, help);
        }
    }
    Some(bodies)
}

fn read_unit(r: &mut TreeReader<'_>, node: &Node, label: &str) -> Option<f64> {
    let help = "write unit = \"inch\", unit = \"metre\", or a number of metres";
    let Some(unit) = node.get("unit") else {
        r.add_fault(node, label, "unit is missing: the text does not say it", help);
        return None;
    };
    match (unit.as_text(), unit.as_number()) {
        (Some("inch"), _) => Some(INCH),
        (Some("metre" | "meter"), _) => Some(1.0),
        (_, Some(metres)) if metres > 0.0 && metres.is_finite() => Some(metres),
        _ => {
            r.add_fault(unit, label, "unit is no length", help);
            None
        }
    }
}

fn read_anchor(r: &mut TreeReader<'_>, node: &Node, label: &str) -> Option<Anchor> {
    match r.read_text(node, label, "anchor", false)? {
        "least_corner" => Some(Anchor::LeastCorner),
        "foot_centre" | "foot_center" => Some(Anchor::FootCentre),
        other => {
            let what = format!("the anchor {:?} is unknown", short_text(other));
            r.add_fault(node, label, what, "write \"least_corner\" or \"foot_centre\"");
            None
        }
    }
}

/// Adds the obstacles of a body; false if it has too many boxes. Where its parts fill it, it is an obstacle
/// without a shape: it has the name of the whole, and carries the parts.
fn add_body(bodies: &mut Vec<TemplateBody>, t: &Template, pose: &Transform, movable: bool) -> bool {
    let mut left = vec![t.extent];
    for part in &t.parts {
        left = left.iter().flat_map(|whole| subtract_box(whole, &part.extent)).collect();
        if left.len() > limits::CUTS {
            return false;
        }
    }
    let of = bodies.len();
    let middle = box_middle(&t.extent);
    let whole_in_world = *pose * Transform::from_translation(middle);
    let mut add = |name: String, role, centre: Vec3, boxes: &[Extent]| {
        let first = bodies.len() == of;
        let carried = movable && !first;
        let in_whole = Transform::from_translation(centre - middle);
        let carrier = bodies.get(of).map(|body| format!("world/{}", body.obstacle.name));
        let obstacle = ObstacleDescription {
            name,
            pose: if carried { in_whole } else { whole_in_world * in_whole },
            shapes: boxes.iter().map(|extent| placed_box(extent, centre)).collect(),
            attached_to: carrier.filter(|_| carried).map(|body| Attachment { body, touch: Vec::new() }),
            movable,
        };
        bodies.push(TemplateBody { role, of, obstacle });
    };
    add(t.name.clone(), t.role, middle, &left);
    for part in &t.parts {
        let centre = self::box_middle(&part.extent);
        add(format!("{}.{}", t.name, part.name), part.role, centre, &[part.extent]);
    }
    true
}

/// What a box leaves of another: at most six boxes.
fn subtract_box(whole: &Extent, part: &Extent) -> Vec<Extent> {
    let apart = |k: usize| part.most[k] <= whole.least[k] || part.least[k] >= whole.most[k];
    if (0..3).any(apart) {
        return vec![*whole];
    }
    let mut left = Vec::new();
    let mut rest = *whole;
    for k in 0..3 {
        if part.least[k] - rest.least[k] > SLIVER {
            let mut below = rest;
            below.most[k] = part.least[k];
            left.push(below);
            rest.least[k] = part.least[k];
        }
        if rest.most[k] - part.most[k] > SLIVER {
            let mut above = rest;
            above.least[k] = part.most[k];
            left.push(above);
            rest.most[k] = part.most[k];
        }
    }
    left
}

fn box_middle(extent: &Extent) -> Vec3 {
    (Vec3::from(extent.least) + Vec3::from(extent.most)) * 0.5
}

fn placed_box(extent: &Extent, frame: Vec3) -> PlacedShape {
    let size = (Vec3::from(extent.most) - Vec3::from(extent.least)).to_array();
    PlacedShape {
        name: String::new(),
        shape_in_body: Transform::from_translation(box_middle(extent) - frame),
        shape: ShapeDescription::Box { size },
        padding: 0.0,
    }
}
