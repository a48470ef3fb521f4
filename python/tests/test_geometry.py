"""The shapes and frames of bodies, and their surfaces as triangles."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import elbowroom as er
from elbowroom.pictures._surface import body_surface, shape_surface


def volume(surface: tuple[np.ndarray, np.ndarray]) -> float:
    """The volume inside, if the surface closes and looks outward."""
    a, b, c = (surface[0][surface[1][:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6.0


@pytest.mark.parametrize(
    ("shape", "truth"),
    [
        (er.Sphere(2.0), 4 / 3 * math.pi * 8.0),
        (er.Sphere(1.5, padding=0.5), 4 / 3 * math.pi * 8.0),
        (er.Capsule(1.0, 3.0), math.pi * 3.0 + 4 / 3 * math.pi),
        (er.Box([2.0, 1.0, 0.5]), 1.0),
        (er.Box([2.0, 1.0, 0.5], padding=0.25), 2.5 * 1.5),
        (er.Cylinder(1.0, 1.0), math.pi),
        (er.Cylinder(1.0, 1.0, padding=0.5), math.pi * 2.25 * 2.0),
        (er.Cone(1.0, 3.0), math.pi),
        (er.Ellipsoid([1.0, 0.5, 0.25]), 4 / 3 * math.pi * 0.125),
        (er.Convex([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), 1 / 6),
    ],
)
def test_surfaces_close_and_have_their_volume(shape: er.Shape, truth: float) -> None:
    assert math.isclose(volume(shape_surface(shape, count=160)), truth, rel_tol=0.01)


def test_shapes_tell_what_they_are_made_of() -> None:
    assert [er.Box([1, 2, 3]).kind, er.Box([1, 2, 3]).sizes] == ["box", (1.0, 2.0, 3.0)]
    assert er.Capsule(0.1, 0.5).sizes == (0.1, 0.5) and er.Sphere(2.0).sizes == (2.0,)
    assert er.Sphere(1.0).vertices is None and er.Sphere(1.0).hull() is None
    cube = er.Box([2, 2, 2])
    corners, faces = shape_surface(cube)
    # A dent in the top: the hull fills it.
    dented = np.vstack([corners, [[0.0, 0.0, 0.5]]])
    faces = faces.copy()
    faces[3, 2] = 8
    mesh = er.Mesh(dented, faces)
    assert mesh.vertices is not None and (mesh.vertices == dented).all()
    assert mesh.triangles is not None and mesh.triangles.dtype == np.uint32
    assert (mesh.triangles == faces).all()
    assert math.isclose(volume(shape_surface(mesh, hulls=True)), 8.0)
    assert len(shape_surface(mesh)[1]) == 12
    assert pickle.loads(pickle.dumps(mesh)).kind == "mesh"


def test_geometry_is_what_was_declared_with_the_padding() -> None:
    rod = er.Robot(
        "rod",
        [er.Link("base"), er.Link("arm", [(er.Capsule(0.1, 0.5, padding=0.02), er.Pose([0.0, 0.0, 0.25]))])],
        [er.Joint("turn", "revolute", "base", "arm", axis=(0, 1, 0), lower=-2, upper=2)],
    )
    post = er.Obstacle("post", [er.Sphere(0.2), (er.Box([1, 1, 1]), er.Pose([2.0, 0.0, 0.0]))])
    world = er.World([rod], [post], padding=0.03)
    assert world.geometry("rod/base") == []
    assert world.geometry("rod/arm") == [(er.Capsule(0.1, 0.5, padding=0.05), er.Pose([0.0, 0.0, 0.25]))]
    assert world.geometry("world/post")[0] == (er.Sphere(0.2), er.Pose())
    # What `geometry` gives is what `Obstacle` takes.
    again = er.World([rod], [er.Obstacle("post", world.geometry("world/post"))], padding=0.03)
    assert again.fingerprint == world.fingerprint
    with pytest.raises(er.ChangeError, match="no body .rod/arms.; did you mean"):
        world.geometry("rod/arms")


def test_surfaces_touch_where_the_engine_says(panda: er.World) -> None:
    """A picture shows what is asked: the witness lies on a triangle's plane within its body's surface."""
    a = panda.nearest(panda.neutral)
    assert a.pair is not None and a.witness_a is not None
    frame = panda.frames(panda.neutral)[panda.bodies.index(a.pair[0])]
    vertices, faces = body_surface(panda.geometry(a.pair[0]))
    corners = (vertices @ frame[:3, :3].T + frame[:3, 3])[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    heights = np.einsum("ij,ij->i", normals, a.witness_a - corners[:, 0]) / np.linalg.norm(normals, axis=1)
    assert np.abs(heights).min() < 1e-9


def test_frames_of_one_and_many(rod: er.World) -> None:
    poses = rod.random(7, seed=3)
    many = rod.frames(poses)
    assert many.shape == (7, 3, 4, 4)
    checker = er.Checker(rod)
    for q, frames in zip(poses, many):
        arm = er.Pose(rpy=[0.0, 0.0, q[0]]).matrix
        assert np.allclose(frames[rod.bodies.index("rod/arm")], arm, atol=1e-12)
        assert (rod.frames(q) == frames).all() and (checker.frames(q) == frames).all()
        assert (checker.body_pose("rod/arm") == frames[rod.bodies.index("rod/arm")]).all()
    assert (checker.frames() == many[-1]).all()
    with pytest.raises(er.PoseError) as caught:
        rod.frames([[0.0], [9.0]])
    assert caught.value.rows[0][0] == 1


def test_a_checker_tells_its_changes() -> None:
    world = er.World(
        [er.Robot("rod", [er.Link("arm", er.Sphere(0.1))])],
        [er.Obstacle("part", er.Box([0.1, 0.1, 0.1]), er.Pose([1, 0, 0]), movable=True)],
        clouds=[er.Cloud("seen", 0.01, 10)],
        spares=[er.Spare("place")],
    )
    checker = er.Checker(world)
    assert checker.world is world and checker.hidden == [] and checker.cloud_points("world/seen") is None
    assert world.cloud_radii == {"world/seen": 0.01}
    checker.hide("world/part")
    checker.update_cloud("world/seen", [[1.0, 2.0, 3.0]])
    checker.insert("world/place", (er.Box([1, 1, 1]), er.Pose([0, 0, 1])), er.Pose([5, 0, 0]))
    for same in (checker, checker.copy()):
        assert same.hidden == ["world/part"]
        points = same.cloud_points("world/seen")
        assert points is not None and points.tolist() == [[1.0, 2.0, 3.0]]
        assert same.geometry("world/place") == [(er.Box([1, 1, 1]), er.Pose([0, 0, 1]))]
    with pytest.raises(er.ChangeError):
        checker.hide("world/part")
    checker.show("world/part")
    checker.remove("world/place")
    assert checker.hidden == [] and checker.geometry("world/place") == []
