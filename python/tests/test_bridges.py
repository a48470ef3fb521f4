"""Models of MuJoCo and Pinocchio, held against the real packages where they are installed."""

from __future__ import annotations

import numpy as np
import pytest

import elbowroom as er
from conftest import PANDA

MJCF = """<mujoco model="arm"><worldbody>
  <geom name="floor" type="plane" size="1 1 .1"/>
  <body name="post" pos=".9 0 .5"><geom type="box" size=".1 .2 .3"/></body>
  <body name="upper" pos="0 0 .5" quat=".9238795 0 0 .3826834">
    <joint name="turn" axis="0 0 1" range="-2 2" limited="true" ref=".4"/>
    <joint name="lift" axis="0 1 0" pos=".05 0 0" range="-1 1" limited="true"/>
    <geom type="capsule" fromto="0 0 0 .4 0 0" size=".05"/>
    <geom type="sphere" size=".3" contype="0" conaffinity="0"/>
    <body name="lower" pos=".5 0 0">
      <joint name="slide" type="slide" axis="1 0 0" range="-.1 .2" limited="true"/>
      <geom type="ellipsoid" size=".1 .05 .04"/>
      <body name="tip" pos=".2 0 0">
        <joint name="roll" axis="1 0 0" pos="0 .02 .01" range="-1 1" limited="true"/>
        <geom type="cylinder" size=".03 .1" contype="2" conaffinity="2"/>
        <geom type="sphere" size=".02" pos=".1 0 0"/>
      </body>
    </body>
  </body>
  <body name="loose" pos="0 .8 1"><freejoint name="free"/><geom type="sphere" size=".1"/></body>
</worldbody>
<contact><exclude body1="tip" body2="loose"/></contact></mujoco>"""


def test_a_mujoco_model_has_the_same_distances() -> None:
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(MJCF)
    world, data = er.from_mujoco(model), mujoco.MjData(model)
    assert [name.split("/")[1] for name in world.joint_names[:4]] == ["turn", "lift", "slide", "roll"]
    assert world.dof == model.nq
    checker, rng = er.Checker(world), np.random.default_rng(1)

    def bodies_of(names: tuple[str, str] | None) -> frozenset[int]:
        """The numbers of MuJoCo's bodies: shapes of a body have a number behind its name."""
        return frozenset(model.body(name.split("/")[1].rsplit(" ", 1)[0]).id for name in names or ())

    contacts = 0
    for _ in range(200):
        q = np.concatenate([rng.uniform(model.jnt_range[:4, 0], model.jnt_range[:4, 1]), np.zeros(7)])
        turn = rng.normal(size=4)
        q[4:7], q[7:] = rng.uniform(-1, 1, 3) + [0, 0, 0.5], turn / np.linalg.norm(turn)
        data.qpos[:] = q
        mujoco.mj_forward(model, data)
        checker.set(q)
        for body in ("upper", "lower", "tip", "loose"):
            of, name = data.body(body), f"arm/{body}"
            at = checker.body_pose(f"{name} frame" if f"{name} frame" in world.bodies else name)
            assert np.allclose(at[:3, 3], of.xpos, atol=1e-12)
            assert np.allclose(at[:3, :3].ravel(), of.xmat, atol=1e-12)
        # What MuJoCo says touches, overlaps here; and what overlaps deeply here, touches there.
        deep, told = set(), set()
        for contact in data.contact:
            pair = frozenset(int(model.geom_bodyid[geom]) for geom in contact.geom)
            told.add(pair)
            if contact.dist < -1e-4:
                deep.add(pair)
        near = checker.pairs(cutoff=0.0)
        assert deep <= {bodies_of(a.pair) for a in near if a.upper < 0.0}, q
        assert {bodies_of(a.pair) for a in near if a.upper < -1e-2} <= told, q
        contacts += len(deep)
    assert contacts > 20
    assert checker.allowed_reason("arm/tip 5", "arm/loose 6") is not None


def test_what_mujoco_has_and_we_have_not_is_named() -> None:
    mujoco = pytest.importorskip("mujoco")
    ball = MJCF.replace('<freejoint name="free"/>', '<joint name="free" type="ball"/>')
    with pytest.raises(er.Error, match="'free' is a ball joint"):
        er.from_mujoco(mujoco.MjModel.from_xml_string(ball))
    none = MJCF.replace('type="', 'contype="0" conaffinity="0" type="')
    with pytest.raises((er.Error, ValueError)):
        er.from_mujoco(mujoco.MjModel.from_xml_string(none.replace('contype="2" conaffinity="2"', "")))


def test_a_pinocchio_model_has_the_same_distances(panda: er.World) -> None:
    pin = pytest.importorskip("pinocchio")
    model, folders = pin.buildModelFromUrdf(str(PANDA)), [str(PANDA.parent)]
    geometry = pin.buildGeomFromUrdf(model, str(PANDA), pin.COLLISION, package_dirs=folders)
    with pytest.raises(er.Error, match="no collision pairs"):
        er.from_pinocchio(model, geometry)
    geometry.addAllCollisionPairs()
    pin.removeCollisionPairs(model, geometry, str(PANDA.with_suffix(".srdf")))
    world = er.from_pinocchio(model, geometry)
    assert [n.split("/")[1] for n in world.joint_names] == [n.split("/")[1] for n in panda.joint_names]
    assert np.allclose(world.lower, panda.lower) and np.allclose(world.upper, panda.upper)
    poses = panda.random(300, seed=7)
    ours, theirs = world.clearance(poses), panda.clearance(poses)
    # Pinocchio puts other corners into the triangles of link 6, whose file has lines among its faces.
    same = np.array(["link6" not in str(ours.names(i)) + str(theirs.names(i)) for i in range(len(poses))])
    apart = (ours.lower > 0) & (theirs.lower > 0)
    assert (apart & same).sum() > 50
    assert np.allclose(ours.lower[apart & same], theirs.lower[apart & same], atol=1e-6)
    assert ((ours.verdict == 3) == (theirs.verdict == 3))[same].all()
    data, of_geometry = model.createData(), geometry.createData()
    for q, lower, upper in list(zip(poses[apart], ours.lower[apart], ours.upper[apart]))[:30]:
        pin.computeDistances(model, data, geometry, of_geometry, q)
        least = min(result.min_distance for result in of_geometry.distanceResults)
        assert lower - 1e-6 <= least <= upper + 1e-6


def test_limits_of_pinocchio_are_kept_or_refused() -> None:
    pin = pytest.importorskip("pinocchio")
    coal = pytest.importorskip("coal")

    def make_world(joint: object, lower: float, upper: float) -> er.World:
        model, geometry = pin.Model(), pin.GeometryModel()
        limits = (np.array([v]) for v in (1.0, 1.0, lower, upper))
        turn = model.addJoint(0, joint, pin.SE3.Identity(), "turn", *limits)
        for name, parent in (("post", 0), ("ball", turn)):
            at = pin.SE3(np.eye(3), np.array([0.0, parent, 0.0]))
            geometry.addGeometryObject(pin.GeometryObject(name, parent, at, coal.Sphere(0.1)))
        geometry.addAllCollisionPairs()
        return er.from_pinocchio(model, geometry)

    assert make_world(pin.JointModelRX(), -1.0, 2.0).upper == [2.0]
    assert make_world(pin.JointModelRX(), -np.inf, np.inf).upper == [np.inf]
    with pytest.raises(er.WorldError, match="turn.*-inf to 2"):
        make_world(pin.JointModelRX(), -np.inf, 2.0)
    with pytest.raises(er.Error, match="slide 'turn' has no limits"):
        make_world(pin.JointModelPX(), -np.inf, np.inf)


def test_poses_of_pinocchio_are_taken() -> None:
    pin = pytest.importorskip("pinocchio")
    at = pin.SE3(np.eye(3), np.array([0.0, 0.0, 2.0]))
    d = er.distance(er.Sphere(0.5), None, er.Sphere(0.5), at)
    assert d.lower <= 1.0 <= d.upper


def test_what_is_no_model_is_refused_by_name() -> None:
    for bridge, wanted in [
        (lambda: er.from_pinocchio(1, 2), "pinocchio.Model"),
        (lambda: er.from_drake(1, 2), "MultibodyPlant"),
        (lambda: er.from_yourdfpy("panda.urdf"), "yourdfpy.URDF"),
    ]:
        with pytest.raises(TypeError, match=wanted):
            bridge()
    with pytest.raises((TypeError, ImportError), match="mujoco"):
        er.from_mujoco(1)
