"""Worlds from models of Pinocchio."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Iterable

from .._describe import Joint
from .._engine import Box, Capsule, Cone, Convex, Cylinder, Ellipsoid, Mesh, Shape, Sphere, World
from .._errors import Error
from ._assembly import Assembly, clean_name, make_limited_joint


def from_pinocchio(model: Any, geometry_model: Any, *, margin: float = 0.0, padding: float = 0.0) -> World:
    """The world of a ``pinocchio.Model`` and its ``GeometryModel``.

    Each geometry object is a body with its name, and exactly the model's collision pairs are checked. Joint
    values are those of Pinocchio's configuration vector, except for continuous joints, which have one angle
    here.

    Raises ``Error`` for joints of more than one degree of freedom, mimics, helical and composite joints,
    height fields, half spaces and swept spheres, and if the geometry model has no collision pairs.
    """
    if not hasattr(geometry_model, "geometryObjects") or not hasattr(model, "njoints"):
        raise TypeError("from_pinocchio takes a pinocchio.Model, and then its GeometryModel")
    assembly = Assembly(model.name, "universe")
    for number in range(1, model.njoints):
        assembly.add_joint(_read_joint(model, number))
    bodies = []
    for geometry in geometry_model.geometryObjects:
        placed = [(_read_shape(geometry), geometry.placement.homogeneous)]
        bodies.append(
            assembly.fix_link(clean_name(geometry.name), placed, _name_joint(model, geometry.parentJoint))
        )
    for pair in geometry_model.collisionPairs:
        assembly.check_pair(bodies[pair.first], bodies[pair.second])
    nothing = "the geometry model has no collision pairs: its addAllCollisionPairs() adds all"
    return assembly.make_world(nothing, margin=margin, padding=padding)


def _name_joint(model: Any, number: int) -> str:
    """The link that a joint moves, which has the joint's name; the first joint is the world."""
    return "universe" if number == 0 else str(model.names[number])


def _read_joint(model: Any, number: int) -> Joint:
    joint, name = model.joints[number], model.names[number]
    if joint.nv != 1 or joint.shortname().startswith(("JointModelMimic", "JointModelComposite")):
        raise Error(f"joint {name!r} is a {joint.shortname()}, which is not supported")
    data = joint.createData()
    joint.calc(data, import_module("pinocchio").neutral(model))
    motion = data.S.reshape(6)
    slides, turns = motion[:3], motion[3:]
    if slides.any() and turns.any():
        raise Error(f"joint {name!r} is a {joint.shortname()}, which slides and turns: not supported")
    parent, pose = _name_joint(model, model.parents[number]), model.jointPlacements[number].homogeneous
    if joint.nq == 2:
        return Joint(name, "continuous", parent, name, pose, turns)
    kind, axis = ("prismatic", slides) if slides.any() else ("revolute", turns)
    lower = float(model.lowerPositionLimit[joint.idx_q])
    upper = float(model.upperPositionLimit[joint.idx_q])
    return make_limited_joint(name, kind, parent, name, pose, axis, (lower, upper))


def _read_shape(geometry: Any) -> Shape:
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
