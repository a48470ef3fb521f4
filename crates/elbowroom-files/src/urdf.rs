//! URDF: links, joints and collision shapes, every fault at its line.
//!
//! The rules are those of the URDF specification and of what ROS accepts. Where loaders in the wild guess (a joint to a link that is
//! not there, a radius of `nan`, geometry they do not know) this one refuses: a link that silently lost its shape never collides.

use crate::fault::did_you_mean;
use crate::limits;
use crate::mesh::UnitRule;
use crate::source::Session;
use crate::xml::{XmlText, elements, is_own, named, number, numbers, shortened};
use elbowroom::describe::{
    JointDescription, JointKind, JointLimits, LinkDescription, Mimic, PlacedShape, RobotDescription,
    ShapeDescription,
};
use elbowroom::math::{Transform, Vec3};
use roxmltree::Node;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Reads a URDF; `None` after at least one fault.
pub(crate) fn read(session: &mut Session<'_>, path: &Path) -> Option<RobotDescription> {
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("xacro")) {
        session.log.fault(path, "", "is a xacro file, not a URDF", expand_command(path));
        return None;
    }
    let bytes = session.read(path, limits::DESCRIPTION_BYTES)?;
    let text = XmlText::new(path, &bytes, &mut session.log)?;
    drop(bytes);
    let document = text.parse(&mut session.log)?;
    let root = document.root_element();
    if let Some((what, help)) = other_format(root, path, "robot", "a URDF") {
        session.log.fault(path, text.place(root), what, help);
        return None;
    }
    if let Some(node) = uses_xacro(root) {
        session.log.fault(
            path,
            text.place(node),
            "uses xacro, which must be expanded first",
            expand_command(path),
        );
        return None;
    }
    let before = session.log.count();
    let mut reader = Reader { session, text: &text };
    let robot = reader.robot(root);
    (session.log.count() == before).then_some(robot)
}

/// The command line that makes a URDF of a xacro file.
pub(crate) fn expand_command(path: &Path) -> String {
    let out = if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("xacro")) {
        let stem = path.with_extension("");
        if stem.extension().is_some() { stem } else { path.with_extension("urdf") }
    } else {
        path.with_extension("expanded.urdf")
    };
    format!("expand it: xacro {} -o {} (pip install xacro, or ROS)", path.display(), out.display())
}

/// What the file is, if its outermost element is not the wanted one.
pub(crate) fn other_format(
    root: Node<'_, '_>,
    path: &Path,
    wanted: &str,
    name: &str,
) -> Option<(String, String)> {
    let found = root.tag_name().name();
    if found == wanted {
        return None;
    }
    let (what, help) = match found {
        "sdf" | "gazebo" => ("is an SDF file", "give the robot's URDF; SDF is not read"),
        "mujoco" | "mujocoinclude" => ("is a MuJoCo (MJCF) file", "give the robot's URDF; MJCF is not read"),
        "COLLADA" => ("is a DAE mesh", "give the robot's URDF"),
        "model" => ("is an SDF model configuration", "give the robot's URDF"),
        "package" => ("is a ROS package manifest", "give the robot's URDF"),
        "launch" => ("is a ROS launch file", "give the robot's URDF"),
        _ => ("", ""),
    };
    if what.is_empty() {
        let what = format!("its outermost element is <{}>, so it is not {name}", shortened(found));
        return Some((
            what,
            format!("{name} begins with <{wanted} name=\"...\">; is {} the right file?", path.display()),
        ));
    }
    Some((format!("{what}, not {name}"), help.to_string()))
}

/// The first element that only xacro understands. A mere declaration of its namespace is common in expanded files.
pub(crate) fn uses_xacro<'d, 'i>(root: Node<'d, 'i>) -> Option<Node<'d, 'i>> {
    root.descendants().filter(Node::is_element).find(|n| {
        n.tag_name().namespace().is_some_and(|ns| ns.contains("xacro"))
            || n.attributes().any(|a| {
                a.value().contains("${")
                    || ["$(find ", "$(arg ", "$(eval "].iter().any(|m| a.value().contains(m))
            }) && n
                .ancestors()
                .all(|a| !matches!(a.tag_name().name(), "gazebo" | "ros2_control" | "plugin"))
    })
}

struct Reader<'a, 's, 'f> {
    session: &'a mut Session<'f>,
    text: &'s XmlText,
}

impl Reader<'_, '_, '_> {
    fn fault(&mut self, node: Node<'_, '_>, what: impl Into<String>, help: impl Into<String>) {
        self.session.log.fault(&self.text.path, self.text.place(node), what, help);
    }

    fn warn(&mut self, node: Node<'_, '_>, what: impl Into<String>, help: impl Into<String>) {
        self.session.log.warn(&self.text.path, self.text.place(node), what, help);
    }

    /// A name that must be there.
    fn name(&mut self, node: Node<'_, '_>, key: &str) -> Option<String> {
        match node.attribute(key) {
            Some(name) if !name.trim().is_empty() => Some(name.to_string()),
            Some(_) => {
                self.fault(node, format!("its {key} is empty"), "give it one");
                None
            }
            None => {
                self.fault(node, format!("has no {key}"), format!("write {key}=\"...\""));
                None
            }
        }
    }

    /// A finite number; the default where the attribute is missing and there is one.
    fn number(&mut self, node: Node<'_, '_>, key: &str, default: Option<f64>) -> Option<f64> {
        match (node.attribute(key), default) {
            (Some(text), _) => {
                let value = number(text);
                if value.is_none() {
                    self.fault(
                        node,
                        format!("{key}={:?} is not a finite number", shortened(text)),
                        number_help(text),
                    );
                }
                value
            }
            (None, Some(default)) => Some(default),
            (None, None) => {
                self.fault(node, format!("has no {key}"), format!("write {key}=\"...\""));
                None
            }
        }
    }

    /// A size: finite and not negative.
    fn size(&mut self, node: Node<'_, '_>, key: &str) -> Option<f64> {
        let value = self.number(node, key, None)?;
        if value < 0.0 {
            self.fault(node, format!("{key}=\"{value}\" is negative"), "a size is zero or more");
            return None;
        }
        Some(value)
    }

    fn triple(&mut self, node: Node<'_, '_>, key: &str, default: Option<[f64; 3]>) -> Option<[f64; 3]> {
        match (node.attribute(key), default) {
            (Some(text), _) => {
                let value = numbers::<3>(text);
                if value.is_none() {
                    let what = format!("{key}={:?} is not three finite numbers", shortened(text));
                    self.fault(node, what, number_help(text));
                }
                value
            }
            (None, Some(default)) => Some(default),
            (None, None) => {
                self.fault(node, format!("has no {key}"), format!("write {key}=\"x y z\""));
                None
            }
        }
    }

    /// The pose of the `<origin>` in an element; the identity where there is none.
    fn origin(&mut self, node: Node<'_, '_>) -> Option<Transform> {
        let mut all = named(node, "origin");
        let Some(origin) = all.next() else { return Some(Transform::IDENTITY) };
        if let Some(second) = all.next() {
            self.fault(second, "is the second origin here", "keep one");
        }
        let xyz = self.triple(origin, "xyz", Some([0.0; 3]));
        let rpy = self.triple(origin, "rpy", Some([0.0; 3]));
        Some(Transform::from_xyz_rpy(xyz?, rpy?))
    }

    fn robot(&mut self, root: Node<'_, '_>) -> RobotDescription {
        let mut robot = RobotDescription {
            name: self.name(root, "name").unwrap_or_default(),
            ..RobotDescription::default()
        };
        // Where each name was first used, for messages.
        let mut links: BTreeMap<String, String> = BTreeMap::new();
        let mut joints: BTreeMap<String, String> = BTreeMap::new();
        let mut joint_nodes = Vec::new();
        for node in elements(root) {
            match (node.tag_name().name(), is_own(node)) {
                ("link", true) => {
                    let link = self.link(node);
                    match links.get(&link.name) {
                        Some(first) if !link.name.is_empty() => {
                            let what = format!("the link name {:?} is used twice", shortened(&link.name));
                            let help = format!("rename one; the first is at {first}");
                            self.fault(node, what, help);
                        }
                        _ => {
                            links.insert(link.name.clone(), self.text.place(node));
                            robot.links.push(link);
                        }
                    }
                }
                ("joint", true) => joint_nodes.push(node),
                ("joint", false) => {
                    let kind = node.attribute("type").unwrap_or("");
                    let what = format!(
                        "a joint of type {kind:?} in a namespace of its own is not URDF and is not read"
                    );
                    self.fault(node, what, "replace it by URDF joints (revolute, continuous, prismatic, fixed, planar, floating)");
                }
                ("collision_filter_group", false) => {
                    self.warn(
                        node,
                        "is not applied: its pairs are still checked",
                        "allow them in an SRDF or a world file",
                    );
                }
                (name, true) if name.eq_ignore_ascii_case("link") || name.eq_ignore_ascii_case("joint") => {
                    self.fault(
                        node,
                        format!("<{name}> is not known"),
                        format!("write <{}>", name.to_lowercase()),
                    );
                }
                _ => {}
            }
        }
        self.warn_of_ghosts(root);
        if robot.links.is_empty() {
            self.fault(root, "has no link", "a robot has at least one <link name=\"...\"/>");
        }
        for node in &joint_nodes {
            let joint = self.joint(*node, &mut links, &mut robot.links);
            let Some(joint) = joint else { continue };
            match joints.get(&joint.name) {
                Some(first) => {
                    let what = format!("the joint name {:?} is used twice", shortened(&joint.name));
                    let help = format!("rename one; the first is at {first}");
                    self.fault(*node, what, help);
                }
                None => {
                    joints.insert(joint.name.clone(), self.text.place(*node));
                    robot.joints.push(joint);
                }
            }
        }
        self.check_mimics(&robot, &joints, root);
        self.check_tree(&robot, &links, &joints, root, joint_nodes.len() == robot.joints.len());
        robot
    }

    /// One warning for all links that can be seen but not touched.
    fn warn_of_ghosts(&mut self, root: Node<'_, '_>) {
        let ghosts: Vec<&str> = named(root, "link")
            .filter(|l| named(*l, "visual").next().is_some() && named(*l, "collision").next().is_none())
            .filter_map(|l| l.attribute("name"))
            .collect();
        if !ghosts.is_empty() {
            let what =
                format!("{} have a visual but no collision: they take part in no check", list(&ghosts));
            self.warn(root, what, "give them a <collision> if they can touch anything");
        }
    }

    fn link(&mut self, node: Node<'_, '_>) -> LinkDescription {
        let name = self.name(node, "name").unwrap_or_default();
        let mut shapes = Vec::new();
        for collision in named(node, "collision") {
            if let Some(shape) = self.collision(collision) {
                shapes.push(shape);
            }
        }
        for odd in elements(node).filter(|n| is_own(*n)) {
            let tag = odd.tag_name().name();
            if tag != "collision" && (tag.eq_ignore_ascii_case("collision") || tag == "collisions") {
                self.fault(odd, format!("<{tag}> is not known"), "write <collision>");
            }
        }
        LinkDescription { name, shapes }
    }

    fn collision(&mut self, node: Node<'_, '_>) -> Option<PlacedShape> {
        let shape_in_body = self.origin(node);
        let mut geometries = named(node, "geometry");
        let Some(geometry) = geometries.next() else {
            self.fault(node, "has no geometry", "give it one, or remove the collision");
            return None;
        };
        if let Some(second) = geometries.next() {
            self.fault(second, "is the second geometry of one collision", "write one <collision> for each");
        }
        let mut kinds = elements(geometry);
        let Some(kind) = kinds.next() else {
            self.fault(
                geometry,
                "is empty",
                "name a box, sphere, cylinder, capsule or mesh, or remove the collision",
            );
            return None;
        };
        if let Some(second) = kinds.next() {
            self.fault(second, "is the second shape of one geometry", "write one <collision> for each");
        }
        let shape = self.shape(kind);
        let name = node.attribute("name").unwrap_or("").to_string();
        Some(PlacedShape { name, shape_in_body: shape_in_body?, shape: shape?, padding: 0.0 })
    }

    fn shape(&mut self, node: Node<'_, '_>) -> Option<ShapeDescription> {
        let tag = node.tag_name().name();
        Some(match tag {
            "box" => {
                let size = self.triple(node, "size", None)?;
                if size.iter().any(|s| *s < 0.0) {
                    self.fault(node, format!("the box size {size:?} is negative"), "sizes are zero or more");
                    return None;
                }
                ShapeDescription::Box { size }
            }
            "sphere" => ShapeDescription::Sphere { radius: self.size(node, "radius")? },
            "cylinder" | "capsule" | "cone" => {
                let (radius, length) = (self.size(node, "radius"), self.size(node, "length"));
                let (radius, length) = (radius?, length?);
                match tag {
                    "cylinder" => ShapeDescription::Cylinder { radius, length },
                    "capsule" => ShapeDescription::Capsule { radius, length },
                    _ => ShapeDescription::Cone { radius, length },
                }
            }
            "ellipsoid" => {
                let radii = if node.has_attribute("radii") {
                    self.triple(node, "radii", None)?
                } else {
                    let (a, b, c) = (self.size(node, "a"), self.size(node, "b"), self.size(node, "c"));
                    [a?, b?, c?]
                };
                if radii.iter().any(|r| *r < 0.0) {
                    self.fault(node, format!("the radii {radii:?} are negative"), "sizes are zero or more");
                    return None;
                }
                ShapeDescription::Ellipsoid { radii }
            }
            "mesh" | "convex_mesh" => return self.mesh(node),
            _ => {
                let known = ["box", "sphere", "cylinder", "capsule", "cone", "ellipsoid", "mesh"];
                let mut help = did_you_mean(tag, known);
                if help.is_empty() {
                    help = format!("use one of {}", known.join(", "));
                }
                self.fault(node, format!("<{}> is no shape that is read", shortened(tag)), help);
                return None;
            }
        })
    }

    fn mesh(&mut self, node: Node<'_, '_>) -> Option<ShapeDescription> {
        let file = self.name(node, "filename");
        let scale = self.triple(node, "scale", Some([1.0; 3]));
        let (file, scale) = (file?, scale?);
        if scale.contains(&0.0) {
            self.fault(node, format!("the scale {scale:?} flattens the mesh"), "no factor may be zero");
            return None;
        }
        let path = match self.session.resolve(&file, &self.text.path) {
            Ok(path) => path,
            Err((what, help)) => {
                self.fault(node, what, help);
                return None;
            }
        };
        let convex = node.tag_name().name() == "convex_mesh"
            || elements(node).any(|n| n.tag_name().name() == "declare_convex" && !is_own(n));
        let place = self.text.place(node);
        place_mesh(self.session, &self.text.path, &place, &path, scale, convex, UnitRule::Apply)
    }

    fn joint(
        &mut self,
        node: Node<'_, '_>,
        links: &mut BTreeMap<String, String>,
        all_links: &mut Vec<LinkDescription>,
    ) -> Option<JointDescription> {
        let name = self.name(node, "name");
        let kind = self.joint_kind(node);
        let parent = self.end(node, "parent", links, Some(all_links));
        let child = self.end(node, "child", links, None);
        let joint_in_parent = self.origin(node);
        let mut axis = Vec3::X;
        let mut axis_is_good = true;
        if let Some(element) = named(node, "axis").next() {
            match self.triple(element, "xyz", Some([1.0, 0.0, 0.0])) {
                Some(xyz) => axis = xyz.into(),
                None => axis_is_good = false,
            }
            // A fixed joint's axis is never used; exporters write zeros there.
            let needed = !matches!(kind, Some(JointKind::Fixed | JointKind::Floating));
            if axis_is_good && axis.normalized().is_none() {
                if needed {
                    self.fault(
                        element,
                        format!("the axis {:?} has no direction", axis.to_array()),
                        "give it a direction, e.g. xyz=\"0 0 1\"",
                    );
                    axis_is_good = false;
                } else {
                    axis = Vec3::X;
                }
            }
        }
        let limits = self.limits(node, kind);
        let mimic = self.mimic(node, kind);
        if parent.is_some() && parent == child {
            self.fault(node, "joins a link to itself", "name two links");
            return None;
        }
        if !axis_is_good {
            return None;
        }
        Some(JointDescription {
            name: name?,
            kind: kind?,
            parent: parent?,
            child: child?,
            joint_in_parent: joint_in_parent?,
            axis,
            limits: limits?,
            mimic: mimic?,
        })
    }

    fn joint_kind(&mut self, node: Node<'_, '_>) -> Option<JointKind> {
        let kind = self.name(node, "type")?;
        let known = [
            ("fixed", JointKind::Fixed),
            ("revolute", JointKind::Revolute),
            ("continuous", JointKind::Continuous),
            ("prismatic", JointKind::Prismatic),
            ("planar", JointKind::Planar),
            ("floating", JointKind::Floating),
        ];
        if let Some((_, found)) = known.iter().find(|(n, _)| *n == kind) {
            return Some(*found);
        }
        let mut help = did_you_mean(&kind, known.map(|(n, _)| n));
        if help.is_empty() {
            help = format!("URDF knows {}", known.map(|(n, _)| n).join(", "));
        }
        self.fault(node, format!("the joint type {:?} is not known", shortened(&kind)), help);
        None
    }

    /// The link at one end of a joint. Only a parent called `world` may be undeclared.
    fn end(
        &mut self,
        node: Node<'_, '_>,
        end: &'static str,
        links: &mut BTreeMap<String, String>,
        all_links: Option<&mut Vec<LinkDescription>>,
    ) -> Option<String> {
        let mut found = named(node, end);
        let Some(element) = found.next() else {
            self.fault(node, format!("has no <{end}>"), format!("write <{end} link=\"...\"/>"));
            return None;
        };
        if let Some(second) = found.next() {
            self.fault(second, format!("is the second {end} of one joint"), "keep one");
        }
        let name = self.name(element, "link")?;
        if links.contains_key(&name) {
            return Some(name);
        }
        if let (Some(all_links), "world") = (all_links, name.as_str()) {
            self.warn(
                element,
                "the link \"world\" is not declared; an empty one is taken",
                "write <link name=\"world\"/>",
            );
            links.insert(name.clone(), self.text.place(element));
            all_links.push(LinkDescription { name: name.clone(), shapes: Vec::new() });
            return Some(name);
        }
        let mut help = did_you_mean(&name, links.keys().map(String::as_str));
        if help.is_empty() {
            help = format!("write <link name={name:?}/> or mend the name");
        }
        self.fault(element, format!("there is no link {:?}", shortened(&name)), help);
        None
    }

    /// `Some(None)` where the joint has no limits and needs none.
    fn limits(&mut self, node: Node<'_, '_>, kind: Option<JointKind>) -> Option<Option<JointLimits>> {
        if !matches!(kind, Some(JointKind::Revolute | JointKind::Prismatic)) {
            return Some(None);
        }
        let Some(limit) = named(node, "limit").next() else {
            let help = if kind == Some(JointKind::Revolute) {
                "write <limit lower=\"...\" upper=\"...\" effort=\"...\" velocity=\"...\"/>, or make it continuous"
            } else {
                "write <limit lower=\"...\" upper=\"...\" effort=\"...\" velocity=\"...\"/>"
            };
            self.fault(node, "has no limits", help);
            return None;
        };
        if !limit.has_attribute("lower") && !limit.has_attribute("upper") {
            self.warn(
                limit,
                "has neither lower nor upper: both are 0 and the joint cannot move",
                "write lower and upper",
            );
        }
        let lower = self.number(limit, "lower", Some(0.0));
        let upper = self.number(limit, "upper", Some(0.0));
        let (lower, upper) = (lower?, upper?);
        if lower > upper {
            self.fault(
                limit,
                format!("the lower limit {lower} is above the upper limit {upper}"),
                "swap or mend them",
            );
            return None;
        }
        Some(Some(JointLimits { lower, upper }))
    }

    /// `Some(None)` where the joint follows no other.
    fn mimic(&mut self, node: Node<'_, '_>, kind: Option<JointKind>) -> Option<Option<Mimic>> {
        let mut all = named(node, "mimic");
        let Some(element) = all.next() else { return Some(None) };
        if let Some(second) = all.next() {
            self.fault(second, "is the second mimic of one joint", "keep one");
        }
        let joint = self.name(element, "joint");
        let multiplier = self.number(element, "multiplier", Some(1.0));
        let offset = self.number(element, "offset", Some(0.0));
        match kind {
            Some(JointKind::Fixed) => {
                self.warn(
                    element,
                    "a fixed joint has no value to follow another with: ignored",
                    "remove the mimic",
                );
                return Some(None);
            }
            Some(JointKind::Planar | JointKind::Floating) => {
                self.fault(element, "a joint of several values cannot follow another", "remove the mimic");
                return None;
            }
            _ => {}
        }
        Some(Some(Mimic { joint: joint?, multiplier: multiplier?, offset: offset? }))
    }

    fn check_mimics(
        &mut self,
        robot: &RobotDescription,
        places: &BTreeMap<String, String>,
        root: Node<'_, '_>,
    ) {
        let index: BTreeMap<&str, usize> =
            robot.joints.iter().enumerate().map(|(i, j)| (j.name.as_str(), i)).collect();
        let leader =
            |j: &JointDescription| j.mimic.as_ref().and_then(|m| index.get(m.joint.as_str()).copied());
        // 0: not looked at, 1: on the present chain, 2: known to end.
        let mut state = vec![0_u8; robot.joints.len()];
        for (i, joint) in robot.joints.iter().enumerate() {
            let Some(mimic) = &joint.mimic else { continue };
            let place = places.get(&joint.name).cloned().unwrap_or_else(|| self.text.place(root));
            let Some(target) = leader(joint) else {
                let mut help = did_you_mean(&mimic.joint, index.keys().copied());
                if help.is_empty() {
                    help = "name a joint of this robot".into();
                }
                let what = format!("follows the joint {:?}, which is not there", shortened(&mimic.joint));
                self.session.log.fault(&self.text.path, place, what, help);
                continue;
            };
            if !matches!(
                robot.joints[target].kind,
                JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic
            ) {
                let what =
                    format!("follows the joint {:?}, which has not one value", shortened(&mimic.joint));
                self.session.log.fault(
                    &self.text.path,
                    &*place,
                    what,
                    "follow a revolute, continuous or prismatic joint",
                );
            }
            let (mut chain, mut at) = (Vec::new(), Some(i));
            while let Some(k) = at {
                if state[k] == 1 {
                    let what = format!("follows itself, through {:?}", robot.joints[k].name);
                    self.session.log.fault(&self.text.path, &*place, what, "break the circle of mimics");
                }
                if state[k] != 0 {
                    break;
                }
                state[k] = 1;
                chain.push(k);
                at = leader(&robot.joints[k]);
            }
            for k in chain {
                state[k] = 2;
            }
        }
    }

    /// One root, every other link the child of exactly one joint, no circle.
    fn check_tree(
        &mut self,
        robot: &RobotDescription,
        links: &BTreeMap<String, String>,
        joints: &BTreeMap<String, String>,
        root: Node<'_, '_>,
        joints_complete: bool,
    ) {
        let mut parent_joint: BTreeMap<&str, &str> = BTreeMap::new();
        let mut children: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for joint in &robot.joints {
            if let Some(first) = parent_joint.get(joint.child.as_str()) {
                let what =
                    format!("the link {:?} is already the child of joint {first:?}", shortened(&joint.child));
                let place = joints.get(&joint.name).cloned().unwrap_or_default();
                self.session.log.fault(
                    &self.text.path,
                    place,
                    what,
                    "a link hangs on one joint; remove or turn round one of them",
                );
                continue;
            }
            parent_joint.insert(&joint.child, &joint.name);
            children.entry(&joint.parent).or_default().push(&joint.child);
        }
        // With a joint missing, roots and circles would only be echoes of its fault.
        if !joints_complete || robot.links.is_empty() {
            return;
        }
        let roots: Vec<&str> =
            robot.links.iter().map(|l| l.name.as_str()).filter(|l| !parent_joint.contains_key(l)).collect();
        if roots.len() > 1 {
            let what = format!("has {} roots: {}", roots.len(), list(&roots));
            self.fault(root, what, "join them with fixed joints; a robot is one tree");
        }
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open = roots;
        while let Some(link) = open.pop() {
            if seen.insert(link) {
                open.extend(children.get(link).into_iter().flatten());
            }
        }
        let lost: Vec<&str> =
            robot.links.iter().map(|l| l.name.as_str()).filter(|l| !seen.contains(l)).collect();
        if let Some(first) = lost.first() {
            let what = format!("the links {} hang on each other in a circle", list(&lost));
            let place = links.get(*first).cloned().unwrap_or_default();
            self.session.log.fault(&self.text.path, place, what, "remove the joint that closes the circle");
        }
    }
}

/// Names for a message, the first eight of them.
fn list(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(8).map(|n| format!("{:?}", shortened(n))).collect();
    let more = if names.len() > 8 { format!(" and {} more", names.len() - 8) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

fn number_help(text: &str) -> &'static str {
    if text.contains(',') {
        "write decimals with a point and put white space between numbers"
    } else {
        "mend the number"
    }
}

/// A mesh file as a shape, within the budget of the whole description.
pub(crate) fn place_mesh(
    session: &mut Session<'_>,
    file: &Path,
    place: &str,
    path: &Path,
    scale: [f64; 3],
    convex: bool,
    unit: UnitRule,
) -> Option<ShapeDescription> {
    let before = session.log.count();
    let Some(mesh) = session.mesh(path, unit) else {
        // The mesh's own faults are listed once; each use of it says so too.
        if session.log.count() == before {
            let what = format!("uses the mesh {}, which is faulty", path.display());
            session.log.fault(file, place, what, "see the fault of that mesh above");
        }
        return None;
    };
    let size = mesh.triangles.len() + mesh.vertices.len() / 2;
    if size > session.triangles_left {
        let what = format!("all meshes together hold more than {} triangles", limits::TOTAL_TRIANGLES);
        session.log.fault(file, place, what, "use coarser meshes for collision");
        return None;
    }
    session.triangles_left -= size;
    let scaled = mesh.scaled(scale);
    if scaled.vertices.iter().flatten().any(|v| !v.is_finite()) {
        session.log.fault(
            file,
            place,
            format!("the scale {scale:?} makes vertices infinite"),
            "mend the scale",
        );
        return None;
    }
    Some(if convex {
        ShapeDescription::Convex { vertices: scaled.vertices }
    } else {
        ShapeDescription::Mesh { vertices: scaled.vertices, triangles: scaled.triangles }
    })
}
