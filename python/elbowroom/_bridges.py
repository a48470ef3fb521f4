"""Worlds from models of MuJoCo and Pinocchio. Neither package is imported before its function is called.

The world checks exactly the pairs of bodies that the other package checks. Geometry that cannot be taken over
is refused: it is never left out silently.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any, Iterable

from ._describe import Joint, Link, Obstacle, Robot
from ._engine import Box, Capsule, Cone, Convex, Cylinder, Ellipsoid, Mesh, Pose, Shape, Sphere, World
from ._errors import Error

# A plane of MuJoCo is infinite. Here it is the top of a box that reaches this far from its middle (metres).
_PLANE_REACH = 100.0


def from_mujoco(model: Any, *, margin: float = 0.0, padding: float = 0.0) -> World:
    """The world of a ``mujoco.MjModel``: its moving bodies are the links of one robot.

    Joint values are in the order of ``qpos``: ``world.nearest(data.qpos)``. Bodies that never move are
    obstacles. Geoms with ``contype`` and ``conaffinity`` zero are left out: MuJoCo never collides them. The
    checked pairs follow ``contype``, ``conaffinity``, excluded pairs, and MuJoCo's rule for parents and
    children; all other pairs are allowed, with the reason. Meshes keep their triangles; MuJoCo takes their
    convex hulls, as ``hulls=True`` does here. A plane is the top of a box of 200 m: nothing is proved about
    robots that leave it. Equality constraints and the margins of geoms are not read.

    Raises ``Error`` for ball joints, height fields, signed distance fields, flexes, mocap bodies that
    collide, and explicit contact pairs.
    """
    mujoco = import_module("mujoco")
    joint_type = mujoco.mjtJoint
    hinge, slide = int(joint_type.mjJNT_HINGE), int(joint_type.mjJNT_SLIDE)
    free = int(joint_type.mjJNT_FREE)
    if model.npair:
        raise Error("this model has explicit contact pairs, which are not supported: leave them out")
    if model.nflex:
        raise Error("this model has flexes, which are not supported: leave them out")
    if int(model.opt.disableflags) & int(mujoco.mjtDisableBit.mjDSBL_FILTERPARENT):
        raise Error("this model checks parents against their children, which is not supported")

    def name_of(kind: Any, number: int) -> str:
        found = mujoco.mj_id2name(model, kind, number)
        return (found or f"{kind.name[6:].lower()}{number}").replace("/", "_")

    names = [name_of(mujoco.mjtObj.mjOBJ_BODY, body) for body in range(model.nbody)]
    name = (model.names[: model.names.index(b"\0")].decode() or "robot").replace("/", "_")

    # The shapes of each body, by their contype and conaffinity.
    shapes: dict[tuple[int, int, int], list[tuple[Shape, Pose]]] = {}
    for geom in range(model.ngeom):
        masks = int(model.geom_contype[geom]), int(model.geom_conaffinity[geom])
        if masks != (0, 0):
            body = int(model.geom_bodyid[geom])
            if model.body_mocapid[model.body_rootid[body]] >= 0:
                raise Error(f"body {names[body]!r} is moved by mocap, which is not supported: leave it out")
            shapes.setdefault((body, *masks), []).append(_mujoco_shape(model, geom, mujoco.mjtGeom))

    links, joints, moving = [Link("world")], [], ["world"] * model.nbody
    for body in range(1, model.nbody):
        parent = moving[model.body_parentid[body]]
        at = Pose(model.body_pos[body], wxyz=model.body_quat[body])
        first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        if count == 0:
            joints.append(Joint(f"{names[body]} fixed", "fixed", parent, names[body], at))
        for joint in range(first, first + count):
            child = names[body] if joint == first + count - 1 else f"{names[body]} {joint - first}"
            kind, label = int(model.jnt_type[joint]), name_of(mujoco.mjtObj.mjOBJ_JOINT, joint)
            if kind == free:
                joints.append(Joint(label, "floating", parent, child))
                at = Pose()
            elif kind in (hinge, slide):
                joints.append(_mujoco_joint(model, joint, label, parent, child, at, kind == hinge))
                at = Pose(-model.jnt_pos[joint]) if kind == hinge else Pose()
            else:
                raise Error(f"joint {label!r} is a ball joint, which is not supported")
            if joint < first + count - 1:
                links.append(Link(child))
                parent = child
        moving[body] = names[body]
        # The anchor of the last hinge is not the body's origin: a fixed joint leads back to it.
        if count and not (at == Pose()):
            moving[body] = f"{names[body]} frame"
            links.append(Link(moving[body]))
            joints.append(Joint(f"{names[body]} frame", "fixed", names[body], moving[body], at))
        links.append(Link(names[body]))

    # Shapes with other masks are bodies of their own, fixed to the moving one.
    obstacles, bodies = [], []
    for number, ((body, contype, conaffinity), placed) in enumerate(shapes.items()):
        label = f"{names[body]} {number}"
        if model.body_weldid[body] == 0:
            obstacles.append(Obstacle(label, placed, _still_pose(model, body)))
            label = f"world/{label}"
        else:
            links.append(Link(label, placed))
            joints.append(Joint(f"{label} fixed", "fixed", moving[body], label))
            label = f"{name}/{label}"
        bodies.append((label, body, contype, conaffinity))
    checks, allowed = _mujoco_pairs(model, bodies)
    robot = Robot(name, links, joints)
    return World([robot], obstacles, checks=checks, allowed=allowed, margin=margin, padding=padding)


def _still_pose(model: Any, body: int) -> Pose:
    pose = Pose()
    while body > 0:
        pose = Pose(model.body_pos[body], wxyz=model.body_quat[body]) @ pose
        body = model.body_parentid[body]
    return pose


def _mujoco_joint(
    model: Any, joint: int, name: str, parent: str, child: str, at: Pose, is_hinge: bool
) -> Joint:
    """A hinge or a slide. Its value is that of ``qpos``; the body is at its pose where that is ``qpos0``."""
    axis, reference = model.jnt_axis[joint], float(model.qpos0[model.jnt_qposadr[joint]])
    limited = bool(model.jnt_limited[joint])
    lower, upper = (float(v) for v in model.jnt_range[joint])
    if is_hinge:
        half = -0.5 * reference
        turn = [math.cos(half), *(math.sin(half) * axis)]
        pose = at @ Pose(model.jnt_pos[joint], wxyz=turn)
        kind = "revolute" if limited else "continuous"
    else:
        pose, kind = at @ Pose(-reference * axis), "prismatic"
        if not limited:
            raise Error(f"slide {name!r} has no limits: give it a range")
    bounds = (lower, upper) if limited else (None, None)
    return Joint(name, kind, parent, child, pose, axis, *bounds)


def _mujoco_shape(model: Any, geom: int, types: Any) -> tuple[Shape, Pose]:
    kind, size = types(int(model.geom_type[geom])), model.geom_size[geom]
    at = Pose(model.geom_pos[geom], wxyz=model.geom_quat[geom])
    if kind == types.mjGEOM_SPHERE:
        return Sphere(size[0]), at
    if kind == types.mjGEOM_CAPSULE:
        return Capsule(size[0], 2 * size[1]), at
    if kind == types.mjGEOM_CYLINDER:
        return Cylinder(size[0], 2 * size[1]), at
    if kind == types.mjGEOM_ELLIPSOID:
        return Ellipsoid(size), at
    if kind == types.mjGEOM_BOX:
        return Box(2 * size), at
    if kind == types.mjGEOM_PLANE:
        return Box([2 * _PLANE_REACH] * 3), at @ Pose([0.0, 0.0, -_PLANE_REACH])
    if kind == types.mjGEOM_MESH:
        mesh = model.geom_dataid[geom]
        corner, face = model.mesh_vertadr[mesh], model.mesh_faceadr[mesh]
        corners = model.mesh_vert[corner : corner + model.mesh_vertnum[mesh]]
        return Mesh(corners, model.mesh_face[face : face + model.mesh_facenum[mesh]]), at
    raise Error(f"geom {geom} has the type {kind.name}, which is not supported")


def _mujoco_pairs(
    model: Any, bodies: list[tuple[str, int, int, int]]
) -> tuple[list[tuple[str, str]], list[tuple[str, str, str]]]:
    """Which pairs MuJoCo checks, and why it does not check the others."""
    excluded = {(int(s) >> 16, int(s) & 0xFFFF) for s in model.exclude_signature}
    checks, allowed = [], []
    for k, (a, body_a, type_a, affinity_a) in enumerate(bodies):
        for b, body_b, type_b, affinity_b in bodies[k + 1 :]:
            weld_a, weld_b = int(model.body_weldid[body_a]), int(model.body_weldid[body_b])
            above_a, above_b = (int(model.body_weldid[model.body_parentid[w]]) for w in (weld_a, weld_b))
            if weld_a == weld_b:
                continue
            if weld_a and weld_b and (weld_a == above_b or weld_b == above_a):
                allowed.append((a, b, "parent and child"))
            elif (body_a, body_b) in excluded or (body_b, body_a) in excluded:
                allowed.append((a, b, "excluded"))
            elif not (type_a & affinity_b or type_b & affinity_a):
                allowed.append((a, b, "contype and conaffinity"))
            else:
                checks.append((a, b))
    if not checks:
        raise Error("this model checks no pair of geoms: see contype and conaffinity")
    return checks, allowed


def from_pinocchio(model: Any, geometry_model: Any, *, margin: float = 0.0, padding: float = 0.0) -> World:
    """The world of a ``pinocchio.Model`` and its ``GeometryModel``.

    Each geometry object is a body with its name, and exactly the model's collision pairs are checked. Joint
    values are those of Pinocchio's configuration vector, except for continuous joints, which have one angle
    here.

    Raises ``Error`` for joints of more than one degree of freedom, mimics, helical and composite joints,
    height fields, half spaces and swept spheres, and if the geometry model has no collision pairs.
    """
    name = (model.name or "robot").replace("/", "_")
    links, joints = [Link("universe")], []
    for number in range(1, model.njoints):
        parent = "universe" if model.parents[number] == 0 else model.names[model.parents[number]]
        links.append(Link(model.names[number]))
        joints.append(_pinocchio_joint(model, number, parent))
    bodies = []
    for geometry in geometry_model.geometryObjects:
        body = geometry.name.replace("/", "_")
        bodies.append(f"{name}/{body}")
        links.append(Link(body, [(_pinocchio_shape(geometry), geometry.placement.homogeneous)]))
        parent = "universe" if geometry.parentJoint == 0 else model.names[geometry.parentJoint]
        joints.append(Joint(f"{body} fixed", "fixed", parent, body))
    checks = [(bodies[pair.first], bodies[pair.second]) for pair in geometry_model.collisionPairs]
    if not checks:
        raise Error("the geometry model has no collision pairs: its addAllCollisionPairs() adds all")
    return World([Robot(name, links, joints)], checks=checks, margin=margin, padding=padding)


def _pinocchio_joint(model: Any, number: int, parent: str) -> Joint:
    joint, name = model.joints[number], model.names[number]
    if joint.nv != 1 or joint.shortname().startswith(("JointModelMimic", "JointModelComposite")):
        raise Error(f"joint {name!r} is a {joint.shortname()}, which is not supported")
    data = joint.createData()
    joint.calc(data, import_module("pinocchio").neutral(model))
    motion = data.S.reshape(6)
    slides, turns = motion[:3], motion[3:]
    if slides.any() and turns.any():
        raise Error(f"joint {name!r} is a {joint.shortname()}, which slides and turns: not supported")
    pose = model.jointPlacements[number].homogeneous
    if joint.nq == 2:
        return Joint(name, "continuous", parent, name, pose, turns)
    kind, axis = ("prismatic", slides) if slides.any() else ("revolute", turns)
    lower = float(model.lowerPositionLimit[joint.idx_q])
    upper = float(model.upperPositionLimit[joint.idx_q])
    if kind == "revolute" and (abs(lower) > 1e9 or abs(upper) > 1e9):
        return Joint(name, "continuous", parent, name, pose, axis)
    return Joint(name, kind, parent, name, pose, axis, lower, upper)


def _pinocchio_shape(geometry: Any) -> Shape:
    shape = geometry.geometry
    kind = type(shape).__name__
    # Coal grows a shape by this radius.
    if hasattr(shape, "getSweptSphereRadius") and shape.getSweptSphereRadius() != 0.0:
        raise Error(f"geometry object {geometry.name!r} has a swept sphere radius, which is not supported")
    if kind == "Box":
        return Box(2 * shape.halfSide)
    if kind == "Sphere":
        return Sphere(shape.radius)
    if kind == "Capsule":
        return Capsule(shape.radius, 2 * shape.halfLength)
    if kind == "Cylinder":
        return Cylinder(shape.radius, 2 * shape.halfLength)
    if kind == "Cone":
        return Cone(shape.radius, 2 * shape.halfLength)
    if kind == "Ellipsoid":
        return Ellipsoid(shape.radii)
    if kind.startswith("Convex"):
        return Convex(_points(getattr(shape, "point", shape.points)(k) for k in range(shape.num_points)))
    if kind.startswith("BVHModel"):
        faces = (shape.tri_indices(k) for k in range(shape.num_tris))
        triangles = [[face[0], face[1], face[2]] for face in faces]
        corner = getattr(shape, "vertex", shape.vertices)
        return Mesh(_points(corner(k) for k in range(shape.num_vertices)), triangles)
    raise Error(f"geometry object {geometry.name!r} is a {kind}, which is not supported")


def _points(points: Iterable[Any]) -> list[list[float]]:
    return [[float(v) for v in point] for point in points]
