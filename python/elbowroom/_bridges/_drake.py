"""Worlds from plants of Drake."""

from __future__ import annotations

from collections import Counter, defaultdict
from importlib import import_module
from itertools import combinations
from typing import Any, NamedTuple, Sequence

from .._describe import Joint
from .._engine import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Ellipsoid,
    Mesh,
    Pose,
    Shape,
    Sphere,
    World,
    pose_of_matrix,
)
from .._errors import Error
from ._assembly import Assembly, clean_name, make_half_space, make_limited_joint

# The number of the world's body, and the link that is the world.
_WORLD, _ROOT = 0, "world"


def from_drake(plant: Any, scene_graph: Any, *, margin: float = 0.0, padding: float = 0.0) -> World:
    """The world of a finalized ``MultibodyPlant`` and its ``SceneGraph``.

    In place of the ``SceneGraph`` an inspector may stand: ``plant.EvalSceneGraphInspector(context)`` knows
    the collision filters that were changed in a context.

    Models with a body that moves are one robot, with the name of its model, or of the plant if there are
    several. All other bodies are obstacles, and so is each geometry of the world's body, with its own name.
    Bodies whose names are not unique are called ``model::body``. Geometries of a body that have other
    collision filters than its first are bodies of their own: ``body 1``, ``body 2``. The checked pairs are
    exactly Drake's collision candidates; all other pairs that can move are allowed, with the reason.

    Joint values are in the order of ``plant.GetPositions``, but a floating body has its position first and
    then its quaternion w, x, y, z. Meshes keep their triangles; Drake takes their convex hulls, as
    ``hulls=True`` does here. A half space is the top of a box of 200 m: nothing is proved about robots that
    leave it. Constraints between joints, which mimics become, and locks are not read.

    Raises ``Error`` for joints that are not revolute, prismatic, planar, floating by a quaternion, or welds;
    for planar and floating joints with limits; for meshes that are not OBJ files; for deformable bodies; and
    for geometry that another system moves.
    """
    if not hasattr(plant, "is_finalized"):
        raise TypeError("from_drake takes a MultibodyPlant, and then its SceneGraph or an inspector")
    if not plant.is_finalized():
        raise Error("this plant is not finalized: call its Finalize() first")
    inspector = scene_graph.model_inspector() if hasattr(scene_graph, "model_inspector") else scene_graph
    tree = _Tree(plant)
    assembly = Assembly(tree.name, _ROOT)
    for number in sorted(tree.links, key=lambda number: int(tree.steps[number].joint.position_start())):
        _add_link(assembly, tree, number)
    groups, names = _group_geometries(plant, inspector), []
    for group in groups:
        label = tree.name_group(group)
        if group.number not in tree.links:
            names.append(assembly.place_obstacle(label, group.placed, tree.still[group.number]))
        elif group.rank == 0:
            names.append(assembly.give_shapes(label, group.placed))
        else:
            names.append(assembly.fix_link(label, group.placed, tree.labels[group.number]))
    _list_pairs(assembly, tree, inspector, names, groups)
    nothing = "this plant has no collision candidates: see its geometry and its collision filters"
    return assembly.make_world(nothing, margin=margin, padding=padding)


class _Step(NamedTuple):
    """How a body is reached from the world."""

    joint: Any
    parent: int
    """The number of the body before it."""
    is_reversed: bool
    """Whether it is the joint's parent and not its child."""

    def end_poses(self) -> tuple[Pose, Pose]:
        """The joint's frame in the body before, and the body in the joint's frame that moves."""
        near, far = self.joint.frame_on_parent(), self.joint.frame_on_child()
        if self.is_reversed:
            near, far = far, near
        return _read_pose(near.GetFixedPoseInBodyFrame()), _read_pose(far.GetFixedPoseInBodyFrame()).inverse()

    def weld_pose(self) -> Pose:
        """The body in the one before, where a weld joins them."""
        near, back = self.end_poses()
        weld = _read_pose(self.joint.X_FM())
        return near @ (weld.inverse() if self.is_reversed else weld) @ back


class _Tree:
    """The bodies of a plant, by their numbers."""

    steps: dict[int, _Step]
    """How each body but the world's is reached, nearer ones first."""
    labels: dict[int, str]
    """What bodies are called here."""
    joint_labels: dict[int, str]
    """What the joint that leads to a body is called."""
    welded: dict[int, int]
    """The least number of the bodies that are welded to one."""
    still: dict[int, Pose]
    """Where bodies are that never move, in the world."""
    links: set[int]
    """The bodies that are links. All others are obstacles."""
    name: str
    """What the robot is called."""

    def __init__(self, plant: Any) -> None:
        self.steps = _find_steps(plant)
        index = import_module("pydrake.multibody.tree").BodyIndex
        bodies = {number: plant.get_body(index(number)) for number in range(plant.num_bodies())}
        self.labels = dict(zip(bodies, _make_labels([_scoped_name(plant, b) for b in bodies.values()])))
        joints = [_scoped_name(plant, step.joint) for step in self.steps.values()]
        self.joint_labels = dict(zip(self.steps, _make_labels(joints)))
        self.welded = {n: min(int(b.index()) for b in plant.GetBodiesWeldedTo(bodies[n])) for n in bodies}
        self.still = {_WORLD: Pose()}
        for number, step in self.steps.items():
            if self.welded[number] == _WORLD:
                self.still[number] = self.still[step.parent] @ step.weld_pose()
        models = {n: plant.GetModelInstanceName(body.model_instance()) for n, body in bodies.items()}
        robots = {models[n] for n in self.steps if n not in self.still}
        self.links = {n for n in self.steps if models[n] in robots}
        self.name = robots.pop() if len(robots) == 1 else plant.get_name()

    def name_group(self, group: _Group) -> str:
        """What a body of these geometries is called."""
        if group.number == _WORLD:
            return clean_name(f"world::{group.name}" if group.name in self.labels.values() else group.name)
        return self.labels[group.number] + (f" {group.rank}" if group.rank else "")


def _scoped_name(plant: Any, element: Any) -> tuple[str, str]:
    return plant.GetModelInstanceName(element.model_instance()), element.name()


def _make_labels(scoped: Sequence[tuple[str, str]]) -> list[str]:
    """Names, with their scope where a name is not unique."""
    count = Counter(name for _, name in scoped)
    return [clean_name(name if count[name] == 1 else f"{scope}::{name}") for scope, name in scoped]


def _find_steps(plant: Any) -> dict[int, _Step]:
    """How each body is reached, nearer ones first. Drake refuses loops."""
    around = defaultdict(list)
    for joint in map(plant.get_joint, plant.GetJointIndices()):
        parent, child = int(joint.parent_body().index()), int(joint.child_body().index())
        around[parent].append((child, _Step(joint, parent, False)))
        around[child].append((parent, _Step(joint, child, True)))
    steps: dict[int, _Step] = {}
    reached = [_WORLD]
    for number in reached:
        for other, step in around[number]:
            if other != _WORLD and other not in steps:
                steps[other] = step
                reached.append(other)
    return steps


def _add_link(assembly: Assembly, tree: _Tree, number: int) -> None:
    """Adds the link of a body and the joint that leads to it. Its values are those of Drake's joint."""
    step, label, name = tree.steps[number], tree.labels[number], tree.joint_labels[number]
    joint, kind = step.joint, step.joint.type_name()
    if number in tree.still:
        assembly.fix_link(label, (), _ROOT, tree.still[number])
        return
    still = tree.still.get(step.parent)
    carrier = tree.labels[step.parent] if still is None else _ROOT
    if kind == "weld":
        assembly.fix_link(label, (), carrier, step.weld_pose())
        return
    near, back = step.end_poses()
    pose = near if still is None else still @ near
    # Where the body is not at the joint's frame that moves, a fixed joint leads from there to it.
    child = label if back == Pose() else f"{label} joint"
    lower, upper = joint.position_lower_limits(), joint.position_upper_limits()
    if kind in ("revolute", "prismatic"):
        axis = joint.revolute_axis() if kind == "revolute" else joint.translation_axis()
        axis = -axis if step.is_reversed else axis
        limits = (float(lower[0]), float(upper[0]))
        assembly.add_joint(make_limited_joint(name, kind, carrier, child, pose, axis, limits))
    elif kind in ("planar", "quaternion_floating"):
        if any(abs(limit) != float("inf") for limit in (*lower, *upper)):
            raise Error(f"joint {name!r} is {kind} and has limits, which is not supported")
        kind = "planar" if kind == "planar" else "floating"
        assembly.add_joint(Joint(name, kind, carrier, child, pose, (0.0, 0.0, 1.0)))
    else:
        raise Error(f"joint {name!r} is of type {kind}, which is not supported")
    if child != label:
        assembly.fix_link(label, (), child, back)


class _Group(NamedTuple):
    """Geometries of one body with the same collision filters."""

    number: int
    """That of the body."""
    rank: int
    """Zero for the body's first group."""
    name: str
    """That of the first geometry."""
    geometry: Any
    """The id of the first geometry."""
    placed: list[tuple[Shape, Pose]]
    """The shapes, and their poses in the body."""


def _group_geometries(plant: Any, inspector: Any) -> list[_Group]:
    """The collision geometries of all bodies. Those of the world's body are groups of their own."""
    partners = defaultdict(set)
    for a, b in inspector.GetCollisionCandidates():
        partners[a].add(b)
        partners[b].add(a)
    groups: dict[tuple[int, Any], _Group] = {}
    ranks: Counter[int] = Counter()
    role = import_module("pydrake.geometry").Role.kProximity
    for geometry in sorted(inspector.GetAllGeometryIds(role), key=lambda geometry: int(geometry.get_value())):
        name, body = inspector.GetName(geometry), plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
        if inspector.IsDeformableGeometry(geometry):
            raise Error(f"geometry {name!r} is deformable, which is not supported")
        if body is None:
            raise Error(f"geometry {name!r} is not moved by this plant, which is not supported")
        number = int(body.index())
        key = (number, geometry if number == _WORLD else frozenset(partners[geometry]))
        if key not in groups:
            groups[key] = _Group(number, ranks[number], name, geometry, [])
            ranks[number] += 1
        at = _read_pose(inspector.GetPoseInFrame(geometry))
        groups[key].placed.append(_read_shape(inspector.GetShape(geometry), at, name))
    return list(groups.values())


def _list_pairs(
    assembly: Assembly, tree: _Tree, inspector: Any, names: Sequence[str], groups: Sequence[_Group]
) -> None:
    """Which pairs Drake checks, and why it does not check the others."""
    candidates = {frozenset(pair) for pair in inspector.GetCollisionCandidates()}
    joined = {frozenset((tree.welded[n], tree.welded[step.parent])) for n, step in tree.steps.items()}
    for (a, group_a), (b, group_b) in combinations(zip(names, groups), 2):
        welded = frozenset((tree.welded[group_a.number], tree.welded[group_b.number]))
        if frozenset((group_a.geometry, group_b.geometry)) in candidates:
            assembly.check_pair(a, b)
        elif len(welded) == 2:
            assembly.allow_pair(a, b, "parent and child" if welded in joined else "collision filter")


def _read_pose(transform: Any) -> Pose:
    return pose_of_matrix(transform.GetAsMatrix4())


def _read_shape(shape: Any, at: Pose, name: str) -> tuple[Shape, Pose]:
    """A shape with its pose. ``name`` is that of the geometry, for faults."""
    kind = type(shape).__name__
    if kind == "Sphere":
        return Sphere(shape.radius()), at
    if kind == "Capsule":
        return Capsule(shape.radius(), shape.length()), at
    if kind == "Cylinder":
        return Cylinder(shape.radius(), shape.length()), at
    if kind == "Ellipsoid":
        return Ellipsoid([shape.a(), shape.b(), shape.c()]), at
    if kind == "Box":
        return Box(shape.size()), at
    if kind == "HalfSpace":
        return make_half_space(at)
    if kind == "Convex":
        hull = shape.GetConvexHull()
        return Convex([hull.vertex(k) for k in range(hull.num_vertices())]), at
    if kind == "Mesh":
        return _read_mesh(shape, name), at
    raise Error(f"geometry {name!r} is a {kind}, which is not supported")


def _read_mesh(shape: Any, name: str) -> Mesh:
    source = shape.source()
    if not source.is_path() or shape.extension() != ".obj":
        found = f"mesh {source.description()!r} of geometry {name!r}"
        raise Error(f"{found} is not an OBJ file, which is not supported: register its hull, a Convex")
    mesh = import_module("pydrake.geometry").ReadObjToTriangleSurfaceMesh(source.path(), shape.scale3())
    triangles = [[face.vertex(k) for k in range(3)] for face in mesh.triangles()]
    return Mesh([mesh.vertex(k) for k in range(mesh.num_vertices())], triangles)
