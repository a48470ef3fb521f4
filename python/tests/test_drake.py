"""Plants of Drake, held against Drake itself. Skipped if it is not installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elbowroom as er

pytest.importorskip("pydrake", reason="SKIPPED, Drake is not installed (pip install drake)")

from pydrake.common import MemoryFile  # noqa: E402
from pydrake.geometry import (  # noqa: E402
    Box,
    Capsule,
    CollisionFilterDeclaration,
    Convex,
    Cylinder,
    Ellipsoid,
    GeometrySet,
    HalfSpace,
    InMemoryMesh,
    Mesh,
    Sphere,
)
from pydrake.math import RigidTransform, RollPitchYaw  # noqa: E402
from pydrake.multibody import tree  # noqa: E402
from pydrake.multibody.parsing import Parser  # noqa: E402
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction  # noqa: E402
from pydrake.systems.framework import DiagramBuilder  # noqa: E402

# A pyramid that leans: no two of its corners are alike.
PYRAMID = "v 0 0 0\nv .2 0 0\nv 0 .3 0\nv .1 .1 .4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"


class Cell:
    """A plant with a scene graph."""

    def __init__(self) -> None:
        self.builder = DiagramBuilder()
        self.plant, self.scene = AddMultibodyPlantSceneGraph(self.builder, time_step=0.0)
        self.models: dict[str, Any] = {}

    def body(self, name: str, *shapes: Any, model: str = "arm", at: Any = RigidTransform()) -> Any:
        if model not in self.models:
            self.models[model] = self.plant.AddModelInstance(model)
        inertia = tree.SpatialInertia.SolidSphereWithMass(1.0, 0.1)
        body = self.plant.AddRigidBody(name, self.models[model], inertia)
        for number, shape in enumerate(shapes):
            self.collide(body, f"{name}_{number}", shape, at)
        return body

    def collide(self, body: Any, name: str, shape: Any, at: Any = RigidTransform()) -> Any:
        return self.plant.RegisterCollisionGeometry(body, at, shape, name, CoulombFriction(1.0, 1.0))

    def join(self, joint: Any) -> Any:
        return self.plant.AddJoint(joint)

    def world(self) -> er.World:
        self.plant.Finalize()
        return er.from_drake(self.plant, self.scene)

    def context(self) -> Any:
        """A context of the plant, in a diagram that stays."""
        self.diagram = self.builder.Build()
        self.root = self.diagram.CreateDefaultContext()
        return self.plant.GetMyMutableContextFromRoot(self.root)


def place(x: float, y: float, z: float, roll: float = 0.0, pitch: float = 0.0, yaw: float = 0.0) -> Any:
    return RigidTransform(RollPitchYaw(roll, pitch, yaw), [x, y, z])


def busy_cell(folder: Path) -> Cell:
    """Joints of all kinds, with frames away from their bodies, two of them backwards; shapes of all kinds."""
    (folder / "pyramid.obj").write_text(PYRAMID)
    pyramid = str(folder / "pyramid.obj")
    cell = Cell()
    plant, ground = cell.plant, cell.plant.world_body()
    cell.collide(ground, "floor", HalfSpace(), place(0, 0, -0.6))
    cell.collide(ground, "wall", Box(0.1, 1.0, 0.5), place(1.4, 0, 0, 0.3))
    table = cell.body("top", Cylinder(0.3, 0.1), model="table", at=place(0, 0, 0, 1.0))
    plant.WeldFrames(plant.world_frame(), table.body_frame(), place(0.2, -0.9, 0.1, 0.2))

    base = cell.body("base", Sphere(0.1))
    upper = cell.body("upper", Capsule(0.08, 0.4), Ellipsoid(0.2, 0.1, 0.05), at=place(0.2, 0.1, 0, 0, 1.1))
    lower = cell.body("lower", Mesh(pyramid, [1.0, -1.0, 1.5]), Convex(pyramid, 0.5), at=place(0, 0, 0.2))
    tool = cell.body("tool", Box(0.1, 0.2, 0.3))
    cart = cell.body("cart", Box(0.2, 0.2, 0.1), model="cart")
    cell.body("loose", Ellipsoid(0.1, 0.2, 0.15), model="part")
    # Here too the body farther from the world is the parent.
    plant.WeldFrames(base.body_frame(), table.body_frame(), place(0, 0.1, -0.3, 0, 0, 0.5))

    def frame(body: Any, *at: float) -> Any:
        return plant.AddFrame(tree.FixedOffsetFrame(f"{body.name()}_{plant.num_frames()}", body, place(*at)))

    # The moving body is the parent: Drake turns it the other way.
    backwards = frame(upper, 0.1, 0, 0.05, 0.4), frame(base, 0, 0, 0.3, 0, 0.2, 0)
    cell.join(tree.RevoluteJoint("turn", *backwards, [0.0, 0.6, 0.8], -2.5, 2.5))
    ends = frame(upper, 0.4, 0, 0, 0, 0, 0.3), frame(lower, 0, 0.1, 0, 0.7)
    cell.join(tree.PrismaticJoint("slide", *ends, [1.0, 0.0, 0.0], -0.2, 0.3))
    cell.join(tree.RevoluteJoint("spin", lower.body_frame(), frame(tool, 0, 0, -0.3), [0.0, 0.0, 1.0]))
    roll = frame(ground, 0.5, 0.7, 0.3, 0.1, 0.2, 0.3), frame(cart, 0, 0, -0.1, 0.5)
    cell.join(tree.PlanarJoint("drive", *roll))
    return cell


def draw_positions(plant: Any, rng: np.random.Generator) -> Any:
    """Positions within limits, and within a metre where there are none."""
    lower, upper = plant.GetPositionLowerLimits(), plant.GetPositionUpperLimits()
    q = rng.uniform(np.maximum(lower, -1.0), np.minimum(upper, 1.0))
    start = plant.GetJointByName("loose").position_start()
    q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
    return q


def put_position_first(plant: Any, q: Any) -> Any:
    """The world's joint values: those of Drake, whose floating bodies have the quaternion first."""
    start, q = plant.GetJointByName("loose").position_start(), q.copy()
    q[start : start + 7] = np.roll(q[start : start + 7], 3)
    return q


def test_bodies_are_where_drake_puts_them(tmp_path: Path) -> None:
    cell = busy_cell(tmp_path)
    world, plant, context, rng = cell.world(), cell.plant, cell.context(), np.random.default_rng(3)
    assert world.dof == plant.num_positions() and "world/wall" in world.bodies
    checker = er.Checker(world)
    for _ in range(200):
        q = draw_positions(plant, rng)
        plant.SetPositions(context, q)
        checker.set(put_position_first(plant, q))
        for name in ("base", "upper", "lower", "tool", "cart", "loose"):
            at = plant.GetBodyByName(name).EvalPoseInWorld(context).GetAsMatrix4()
            assert np.allclose(checker.body_pose(f"plant/{name}"), at, atol=1e-12), name
        at = plant.GetBodyByName("top").EvalPoseInWorld(context).GetAsMatrix4()
        assert np.allclose(checker.body_pose("world/top"), at, atol=1e-12)


def test_signs_and_distances_are_those_of_drake(tmp_path: Path) -> None:
    cell = busy_cell(tmp_path)
    world, plant, context, rng = cell.world(), cell.plant, cell.context(), np.random.default_rng(4)
    checker, query = er.Checker(world), plant.get_geometry_query_input_port()
    apart = deep = 0
    for _ in range(200):
        q = draw_positions(plant, rng)
        plant.SetPositions(context, q)
        scene = query.Eval(context)
        ours = {frozenset(a.pair or ()): a for a in checker.pairs(put_position_first(plant, q), hulls=True)}
        theirs: dict[frozenset[str], float] = {}
        for a, b in scene.inspector().GetCollisionCandidates():
            pair = frozenset(name_body(plant, scene.inspector(), geometry) for geometry in (a, b))
            if "world/floor" not in pair:
                distance = scene.ComputeSignedDistancePairClosestPoints(a, b).distance
                theirs[pair] = min(distance, theirs.get(pair, np.inf))
        assert theirs.keys() == {pair for pair in ours if "world/floor" not in pair}
        for pair, distance in theirs.items():
            if distance > 1e-4:
                # Drake finds the nearest points roughly: its number may be too large, and never too small.
                assert ours[pair].lower - 1e-5 <= distance <= ours[pair].upper + 5e-3, (q, pair)
                apart += 1
            elif distance < -1e-4:
                assert ours[pair].upper < 0.0, (q, pair)
                deep += 1
    assert apart > 1000 and deep > 100


def name_body(plant: Any, inspector: Any, geometry: Any) -> str:
    body, name = plant.GetBodyFromFrameId(inspector.GetFrameId(geometry)), inspector.GetName(geometry)
    if body.index() == plant.world_body().index():
        return f"world/{name}"
    return "world/top" if body.name() == "top" else f"plant/{body.name()}"


def test_a_plant_has_the_distances_of_its_urdf(panda_folder: Path) -> None:
    cell = Cell()
    parser = Parser(cell.plant)
    parser.package_map().Add("meshes", str(panda_folder / "meshes"))
    parser.AddModels(str(panda_folder / "panda.urdf"))
    plant = cell.plant
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("panda_link0"))
    ours, theirs = cell.world(), er.load(panda_folder / "panda.urdf", no_srdf=True)
    assert ours.joint_names == theirs.joint_names
    assert (ours.lower == theirs.lower).all() and (ours.upper == theirs.upper).all()
    pairs = [{frozenset(w.pair_names(k)) for k in range(w.pair_count)} for w in (ours, theirs)]
    # Links that a massless link without geometry joins to link 6 are no neighbours for Drake.
    ends = ("panda_hand", "panda_leftfinger", "panda_rightfinger")
    assert pairs[0] - pairs[1] == {frozenset(("panda/panda_link6", f"panda/{end}")) for end in ends}
    assert not pairs[1] - pairs[0]
    poses, checkers = theirs.random(200, seed=5), [er.Checker(ours), er.Checker(theirs)]
    near = 0
    for q in poses:
        a, b = ({frozenset(a.pair or ()): a for a in checker.pairs(q)} for checker in checkers)
        for pair in b:
            same = pytest.approx((b[pair].lower, b[pair].upper), abs=1e-9, rel=0)
            assert (a[pair].lower, a[pair].upper) == same
        near += min(answer.upper for answer in b.values()) < 0.0
    assert 5 < near < 195
    context, query = cell.context(), plant.get_geometry_query_input_port()
    for q in poses[:50]:
        plant.SetPositions(context, q)
        found = query.Eval(context).ComputeSignedDistancePairwiseClosestPoints()
        answer = ours.nearest(q, hulls=True)
        assert (answer.upper < 0.0) == (min(pair.distance for pair in found) < 0.0), q


def two_arms() -> Cell:
    """Two arms of one link each, with bodies of the same names."""
    cell = Cell()
    for model, x in (("left", 0.0), ("right", 1.0)):
        link = cell.body("link", Sphere(0.1), Sphere(0.1), model=model, at=place(0.3, 0, 0))
        at = cell.plant.AddFrame(tree.FixedOffsetFrame(model, cell.plant.world_body(), place(x, 0, 0)))
        cell.join(tree.RevoluteJoint("turn", at, link.body_frame(), [0.0, 0.0, 1.0], -3.0, 3.0))
    return cell


def test_names_that_are_not_unique_have_their_model() -> None:
    cell = two_arms()
    cell.collide(cell.plant.world_body(), "floor", Box(5, 5, 0.1), place(0, 0, -1))
    world = cell.world()
    assert world.joint_names == ["plant/left::turn", "plant/right::turn"]
    assert {"plant/left::link", "plant/right::link", "world/floor"} <= set(world.bodies)
    a = world.nearest([0.0, 3.0])
    assert a.pair == ("plant/left::link", "plant/right::link")
    gap = np.hypot(0.7 + 0.3 * np.cos(3.0), 0.3 * np.sin(3.0)) - 0.2
    assert a.lower - 1e-9 <= gap <= a.upper + 1e-9


def test_filters_become_allowed_pairs_with_reasons() -> None:
    cell = two_arms()
    plant = cell.plant
    cell.collide(plant.world_body(), "floor", Box(5, 5, 0.1), place(0, 0, -1))
    tip = cell.body("tip", Sphere(0.05), model="left")
    left = plant.GetBodyByName("link", cell.models["left"])
    cell.join(tree.RevoluteJoint("tip", left.body_frame(), tip.body_frame(), [0.0, 0.0, 1.0], -1.0, 1.0))
    plant.Finalize()
    right = plant.GetBodyByName("link", cell.models["right"])
    first, _ = (GeometrySet(k) for k in plant.GetCollisionGeometriesForBody(left))
    others = GeometrySet(list(plant.GetCollisionGeometriesForBody(right)))
    context = cell.context()
    scene = cell.scene.GetMyMutableContextFromRoot(cell.root)
    filters = cell.scene.collision_filter_manager(scene)
    filters.Apply(CollisionFilterDeclaration().ExcludeBetween(first, others))

    before = er.from_drake(plant, cell.scene)
    after = er.from_drake(plant, plant.EvalSceneGraphInspector(context))
    # The first geometry of the left arm keeps the floor alone; its second is a body with all the pairs.
    assert set(after.bodies) - set(before.bodies) == {"plant/left::link 1"}
    assert (before.pair_count, after.pair_count) == (5, 6)
    reason_of = er.Checker(after).allowed_reason
    assert reason_of("plant/left::link", "plant/right::link") == "allowed: collision filter"
    assert reason_of("plant/left::link 1", "plant/right::link") is None
    assert reason_of("plant/left::link", "plant/tip") == "allowed: parent and child"


def test_what_drake_has_and_we_have_not_is_named() -> None:
    def refuse(message: str, join: Any = None, shape: Any = Sphere(0.1), limited: bool = False) -> None:
        cell = Cell()
        body = cell.body("ball", shape)
        if join is not None:
            joint = cell.join(join("j", cell.plant.world_frame(), body.body_frame()))
            if limited:
                joint.set_position_limits([-1.0] * 3, [1.0] * 3)
        with pytest.raises(er.Error, match=message):
            cell.world()

    refuse("'j' is of type screw", lambda n, a, b: tree.ScrewJoint(n, a, b, [0, 0, 1], 0.1, 0.0))
    refuse("'j' is of type ball_rpy", tree.BallRpyJoint)
    refuse("slide 'j' has no limits", lambda n, a, b: tree.PrismaticJoint(n, a, b, [0, 0, 1]))
    refuse("'j' is planar and has limits", tree.PlanarJoint, limited=True)
    refuse("not an OBJ file", shape=Mesh(InMemoryMesh(mesh_file=MemoryFile(PYRAMID, ".obj", "pyramid.obj"))))
    refuse("no collision candidates")
    cell = Cell()
    with pytest.raises(er.Error, match="not finalized"):
        er.from_drake(cell.plant, cell.scene)
