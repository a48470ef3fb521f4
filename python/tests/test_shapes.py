"""Shapes and poses of Python's values, and the distance of two."""

from __future__ import annotations

import math
import pickle
from types import SimpleNamespace

import numpy as np
import pytest

import elbowroom as er

CUBE = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
FACES = [
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
]  # fmt: skip


@pytest.mark.parametrize(
    ("shape", "half"),
    [
        (er.Box([2, 2, 2]), 1.0),
        (er.Sphere(0.5), 0.5),
        (er.Sphere(0.5, padding=0.25), 0.75),
        (er.Capsule(0.25, 1.0), 0.75),
        (er.Cylinder(0.3, 1.0), 0.5),
        (er.Ellipsoid([0.2, 0.3, 0.4]), 0.4),
        (er.Convex(CUBE), 1.0),
        (er.Mesh(CUBE, FACES), 1.0),
        (er.Mesh(SimpleNamespace(vertices=CUBE, faces=np.array(FACES))), 1.0),
    ],
)
def test_known_distances_above_a_ball(shape: er.Shape, half: float) -> None:
    d = er.distance(shape, None, er.Sphere(0.1), er.Pose([0.0, 0.0, 3.0]))
    gap = 3.0 - half - 0.1
    assert d.lower <= gap <= d.upper and d.upper - d.lower < 1e-9
    assert d.vector is not None and d.witness_a is not None and math.isclose(d.witness_a[2], half)
    assert math.isclose(d.vector[2], -gap, abs_tol=1e-9)
    again = pickle.loads(pickle.dumps(shape))
    assert again == shape and type(again) is type(shape) and hash(again) == hash(shape)
    assert again != er.Sphere(9.0) and type(shape).__name__ in repr(shape)


def test_a_cone_stands_on_its_base() -> None:
    d = er.distance(er.Cone(0.5, 2.0), np.eye(4), er.Sphere(0.1), er.Pose([0, 0, 2.0]))
    assert d.lower <= 0.9 <= d.upper


def test_poses_of_all_kinds_mean_the_same() -> None:
    turn, at = math.sqrt(0.5), [0.1, 0.2, 0.3]
    matrix = np.array([[0, -1, 0, 0.1], [1, 0, 0, 0.2], [0, 0, 1, 0.3], [0, 0, 0, 1.0]])
    same = [
        er.Pose(at, wxyz=[turn, 0, 0, turn]),
        er.Pose(at, xyzw=[0, 0, turn, turn]),
        er.Pose(at, rpy=[0, 0, math.pi / 2]),
        er.Pose(at) @ er.Pose(rpy=[0, 0, math.pi / 2]),
        er.Pose(at, rpy=[0, 0, -math.pi / 2]).inverse().inverse() @ er.Pose(rpy=[0, 0, math.pi]),
    ]
    for pose in same:
        assert np.allclose(pose.matrix, matrix, atol=1e-15)
        assert pickle.loads(pickle.dumps(pose)) == pose
    box, ball = er.Box([0.4, 0.2, 0.2]), er.Sphere(0.1)
    homogeneous = SimpleNamespace(homogeneous=matrix)
    found = {er.distance(ball, None, box, pose).lower for pose in (matrix, matrix.tolist(), homogeneous)}
    found.add(er.distance(ball, None, box, same[0]).lower)
    assert max(found) - min(found) < 1e-15


@pytest.mark.parametrize(
    ("make", "kind", "words"),
    [
        (lambda: er.Pose([0, 0]), ValueError, "xyz must be 3 numbers; 2"),
        (lambda: er.Pose(wxyz=[2, 0, 0, 0]), ValueError, "length 1; this has 2"),
        (lambda: er.Pose(wxyz=[1, 0, 0, 0], xyzw=[0, 0, 0, 1]), TypeError, "one of"),
        (lambda: er.distance(er.Sphere(1), np.eye(3), er.Sphere(1), None), ValueError, r"\(n, 4\)"),
        (lambda: er.distance(er.Sphere(1), np.ones((4, 4)), er.Sphere(1), None), ValueError, "last row"),
        (lambda: er.distance(er.Sphere(1), 2 * np.eye(4) - np.diag([0, 0, 0, 1]), er.Sphere(1), None),
         ValueError, "pose of the first shape"),
        (lambda: er.distance(er.Sphere(-1), None, er.Sphere(1), None), ValueError, "radius"),
        (lambda: er.distance(er.Box([1, math.nan, 1]), None, er.Sphere(1), None), ValueError, "size|finite"),
        (lambda: er.Box([1, 1]), ValueError, "size must be 3 numbers; 2"),
        (lambda: er.Sphere(1, padding=-1), ValueError, "padding"),
        (lambda: er.Mesh(CUBE), TypeError, "vertices and triangles"),
        (lambda: er.Mesh(CUBE, [[0, 1, -1]]), ValueError, "from 0"),
        (lambda: er.Mesh(CUBE, [[0, 1, 1.5]]), ValueError, "indices of three vertices"),
        (lambda: er.Mesh(CUBE[:, :2], FACES), ValueError, r"\(n, 3\); this has \(8, 2\)"),
        (lambda: er.distance(er.Mesh(CUBE, [[0, 1, 99]]), None, er.Sphere(1), None), ValueError, "99"),
    ],
)  # fmt: skip
def test_bad_shapes_and_poses_are_refused(make: object, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        make()  # type: ignore[operator]
