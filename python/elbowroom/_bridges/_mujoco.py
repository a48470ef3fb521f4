"""Worlds from models of MuJoCo."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

from .._describe import Joint
from .._engine import Box, Capsule, Cylinder, Ellipsoid, Mesh, Pose, Shape, Sphere, World
from .._errors import Error
from ._assembly import Assembly, clean_name, make_half_space, make_limited_joint


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
    try:
        mujoco = import_module("mujoco")
    except ModuleNotFoundError as error:
        raise ImportError("from_mujoco needs MuJoCo: pip install mujoco") from error
    if not isinstance(model, mujoco.MjModel):
        raise TypeError("from_mujoco takes a mujoco.MjModel, as of MjModel.from_xml_path(file)")
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
        return clean_name(found or f"{kind.name[6:].lower()}{number}")

    names = [name_of(mujoco.mjtObj.mjOBJ_BODY, body) for body in range(model.nbody)]
    assembly = Assembly(model.names[: model.names.index(b"\0")].decode(), "world")

    # The shapes of each body, by their contype and conaffinity.
    shapes: dict[tuple[int, int, int], list[tuple[Shape, Pose]]] = {}
    for geom in range(model.ngeom):
        masks = int(model.geom_contype[geom]), int(model.geom_conaffinity[geom])
        if masks != (0, 0):
            body = int(model.geom_bodyid[geom])
            if model.body_mocapid[model.body_rootid[body]] >= 0:
                raise Error(f"body {names[body]!r} is moved by mocap, which is not supported: leave it out")
            shapes.setdefault((body, *masks), []).append(_read_shape(model, geom, mujoco.mjtGeom))

    moving = ["world"] * model.nbody
    for body in range(1, model.nbody):
        parent = moving[model.body_parentid[body]]
        at = Pose(model.body_pos[body], wxyz=model.body_quat[body])
        first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        if count == 0:
            assembly.fix_link(names[body], (), parent, at)
        for joint in range(first, first + count):
            child = names[body] if joint == first + count - 1 else f"{names[body]} {joint - first}"
            kind, label = int(model.jnt_type[joint]), name_of(mujoco.mjtObj.mjOBJ_JOINT, joint)
            if kind == free:
                assembly.add_joint(Joint(label, "floating", parent, child))
                at = Pose()
            elif kind in (hinge, slide):
                assembly.add_joint(_read_joint(model, joint, label, parent, child, at, kind == hinge))
                at = Pose(-model.jnt_pos[joint]) if kind == hinge else Pose()
            else:
                raise Error(f"joint {label!r} is a ball joint, which is not supported")
            parent = child
        moving[body] = names[body]
        # The anchor of the last hinge is not the body's origin: a fixed joint leads back to it.
        if count and not (at == Pose()):
            moving[body] = f"{names[body]} frame"
            assembly.fix_link(moving[body], (), names[body], at)

    # Shapes with other masks are bodies of their own, fixed to the moving one.
    bodies = []
    for number, ((body, contype, conaffinity), placed) in enumerate(shapes.items()):
        label = f"{names[body]} {number}"
        if model.body_weldid[body] == 0:
            label = assembly.place_obstacle(label, placed, _still_pose(model, body))
        else:
            label = assembly.fix_link(label, placed, moving[body])
        bodies.append((label, body, contype, conaffinity))
    _list_pairs(assembly, model, bodies)
    nothing = "this model checks no pair of geoms: see contype and conaffinity"
    return assembly.make_world(nothing, margin=margin, padding=padding)


def _still_pose(model: Any, body: int) -> Pose:
    pose = Pose()
    while body > 0:
        pose = Pose(model.body_pos[body], wxyz=model.body_quat[body]) @ pose
        body = model.body_parentid[body]
    return pose


def _read_joint(
    model: Any, joint: int, name: str, parent: str, child: str, at: Pose, is_hinge: bool
) -> Joint:
    """A hinge or a slide. Its value is that of ``qpos``; the body is at its pose where that is ``qpos0``."""
    axis, reference = model.jnt_axis[joint], float(model.qpos0[model.jnt_qposadr[joint]])
    lower, upper = (float(v) for v in model.jnt_range[joint])
    limits = (lower, upper) if model.jnt_limited[joint] else (-math.inf, math.inf)
    if is_hinge:
        half = -0.5 * reference
        turn = [math.cos(half), *(math.sin(half) * axis)]
        kind, pose = "revolute", at @ Pose(model.jnt_pos[joint], wxyz=turn)
    else:
        kind, pose = "prismatic", at @ Pose(-reference * axis)
    return make_limited_joint(name, kind, parent, child, pose, axis, limits)


def _read_shape(model: Any, geom: int, types: Any) -> tuple[Shape, Pose]:
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
        return make_half_space(at)
    if kind == types.mjGEOM_MESH:
        mesh = model.geom_dataid[geom]
        corner, face = model.mesh_vertadr[mesh], model.mesh_faceadr[mesh]
        corners = model.mesh_vert[corner : corner + model.mesh_vertnum[mesh]]
        return Mesh(corners, model.mesh_face[face : face + model.mesh_facenum[mesh]]), at
    raise Error(f"geom {geom} has the type {kind.name}, which is not supported")


def _list_pairs(assembly: Assembly, model: Any, bodies: list[tuple[str, int, int, int]]) -> None:
    """Which pairs MuJoCo checks, and why it does not check the others."""
    excluded = {(int(s) >> 16, int(s) & 0xFFFF) for s in model.exclude_signature}
    for k, (a, body_a, type_a, affinity_a) in enumerate(bodies):
        for b, body_b, type_b, affinity_b in bodies[k + 1 :]:
            weld_a, weld_b = int(model.body_weldid[body_a]), int(model.body_weldid[body_b])
            above_a, above_b = (int(model.body_weldid[model.body_parentid[w]]) for w in (weld_a, weld_b))
            if weld_a == weld_b:
                continue
            if weld_a and weld_b and (weld_a == above_b or weld_b == above_a):
                assembly.allow_pair(a, b, "parent and child")
            elif (body_a, body_b) in excluded or (body_b, body_a) in excluded:
                assembly.allow_pair(a, b, "excluded")
            elif not (type_a & affinity_b or type_b & affinity_a):
                assembly.allow_pair(a, b, "contype and conaffinity")
            else:
                assembly.check_pair(a, b)
