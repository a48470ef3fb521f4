//! SRDF: groups, named configurations, and pairs that need no check; as written, and resolved against a
//! robot.
//!
//! Only what disables pairs decides what is checked: there everything malformed is a fault. Groups and states
//! decide nothing by themselves: what is malformed there is warned about and left out whole, so that a world
//! file that names a group gets all of it or a fault. Real SRDFs often name links that their robot has lost;
//! such names are warned about and left out, which can only leave more pairs to check, never fewer.
//!
//! Reading a robot resolves its SRDF; what is read here is as written:
//!
//! ```
//! use elbowroom_files::{Options, source::InMemory, srdf::load_srdf_from};
//!
//! let srdf = "<robot name='arm'>
//!   <group name='all'><chain base_link='post' tip_link='forearm'/></group>
//!   <group_state name='up' group='all'><joint name='elbow' value='0.5'/></group_state>
//! </robot>";
//! let mut files = InMemory::default();
//! files.0.insert("arm.srdf".into(), srdf.into());
//! let srdf = load_srdf_from(&files, "arm.srdf".as_ref(), &Options::default())?.value;
//! assert_eq!(srdf.groups[0].chains, [["post".to_string(), "forearm".to_string()]]);
//! assert_eq!(srdf.states[0].values, [("elbow".to_string(), vec![0.5])]);
//! # Ok::<(), elbowroom_files::Faults>(())
//! ```

mod neighbours;
mod pairs;
mod resolve;
mod written;

pub use written::Group;

use crate::fault::{Faults, Loaded};
use crate::session::Session;
use crate::source::{Disk, Files, Options};
use crate::urdf::{other_format, uses_xacro, warn_of_properties};
use crate::xacro::{self, expand_command};
use crate::xml::{XmlText, named_children, short_text};
use elbowroom::describe::{NamedState, RobotDescription};
use roxmltree::Node;
use std::path::Path;
use written::Written;

/// What an SRDF says besides which pairs need no check, as written. It may name links and joints that its
/// robot does not have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Srdf {
    /// The robot that it is for.
    pub robot: String,
    /// Groups, in file order.
    pub groups: Vec<Group>,
    /// Named configurations (`group_state`), in file order. The group is empty where the file names none;
    /// values are radians or metres, by joint name, several for a joint that has several.
    pub states: Vec<NamedState>,
}

/// Reads the groups and states of an SRDF; malformed ones are left out, with a warning each.
///
/// # Errors
/// A file that cannot be read or is no SRDF.
pub fn load_srdf(path: &Path, options: &Options) -> Result<Loaded<Srdf>, Faults> {
    load_srdf_from(&Disk, path, options)
}

/// [`load_srdf`] from any [`Files`].
///
/// # Errors
/// See [`load_srdf`].
pub fn load_srdf_from(files: &dyn Files, path: &Path, options: &Options) -> Result<Loaded<Srdf>, Faults> {
    let mut session = Session::new(files, options);
    session.srdfs.insert(path.to_path_buf());
    let srdf = with_document(&mut session, path, |session, text, root| {
        let Written { groups, states, .. } = written::read(root, text, &mut session.log);
        Srdf {
            robot: root.attribute("name").unwrap_or("").to_string(),
            groups: groups.into_iter().map(|g| g.what).collect(),
            states: states.into_iter().map(|s| s.what).collect(),
        }
    });
    session.finish(srdf)
}

/// Adds what an SRDF says to a robot.
pub(crate) fn read(session: &mut Session<'_>, path: &Path, robot: &mut RobotDescription) {
    with_document(session, path, |session, text, root| {
        let name = root.attribute("name").unwrap_or("");
        if name != robot.name {
            let (name, other) = (short_text(name), short_text(&robot.name));
            let what = format!("is for the robot {name:?}, but the URDF's name is {other:?}");
            session.log.add_warning(path, text.node_place(root), what, "check that they belong together");
        }
        let written = written::read(root, text, &mut session.log);
        let clusters = neighbours::Clusters::from_robot(robot);
        let mut resolver = resolve::Resolver::new(&mut session.log, path, robot, written.virtual_joints);
        let groups = resolver.resolve_groups(&written.groups);
        let states = resolver.resolve_states(written.states);
        let disabled = pairs::read_disabled_pairs(root, text, &mut resolver, &clusters);
        resolver.warn_of_unknown();
        (robot.groups, robot.states, robot.disabled_pairs) = (groups, states, disabled);
    });
}

/// Hands the outermost element of an SRDF to `then`, if the file is one.
fn with_document<T>(
    session: &mut Session<'_>,
    path: &Path,
    then: impl FnOnce(&mut Session<'_>, &XmlText, Node<'_, '_>) -> T,
) -> Option<T> {
    let text = xacro::read_xml_text(session, path, "an SRDF")?;
    let document = text.parse(&mut session.log)?;
    let root = document.root_element();
    if let Some((what, help)) = other_format(root, path, "robot", "an SRDF") {
        session.log.add_fault(path, text.node_place(root), what, help);
        return None;
    }
    if let Some(node) = uses_xacro(root) {
        let what = "uses xacro, which must be expanded first";
        session.log.add_fault(path, text.node_place(node), what, expand_command(path));
        return None;
    }
    warn_of_properties(root, &text, &mut session.log);
    if named_children(root, "link").any(|l| named_children(l, "collision").next().is_some()) {
        session.log.add_fault(path, text.node_place(root), "is a URDF, not an SRDF", "give the robot's SRDF");
        return None;
    }
    Some(then(session, &text, root))
}
