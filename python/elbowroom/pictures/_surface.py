"""The surfaces of shapes as triangles: flat faces as they are, round ones as many flat ones.

A padded sphere or capsule is a larger one. Other shapes grow with sharp corners: each corner moves so that
the faces around it move outward by the padding. So a picture of a padded shape may show more than is checked,
at its edges, and never less.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Iterable, Tuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .._engine import Pose, Shape

Floats = NDArray[np.float64]
Faces = NDArray[np.uint32]
Surface = Tuple[Floats, Faces]

ROUND = 40
"""Flat faces around something round."""


def join_surfaces(surfaces: Iterable[Surface]) -> Surface:
    """One surface of many."""
    vertices, faces, start = [np.zeros((0, 3))], [np.zeros((0, 3), np.uint32)], 0
    for corners, triangles in surfaces:
        vertices.append(corners)
        faces.append(triangles + np.uint32(start))
        start += len(corners)
    return np.concatenate(vertices), np.concatenate(faces).astype(np.uint32)


def body_surface(shapes: Iterable[tuple[Shape, Pose]], hulls: bool = False) -> Surface:
    """The surface of a body in its frame. ``hulls``: meshes as their convex hulls."""
    return join_surfaces(_move_surface(shape_surface(shape, hulls), pose.matrix) for shape, pose in shapes)


def _move_surface(surface: Surface, matrix: Floats) -> Surface:
    return surface[0] @ matrix[:3, :3].T + matrix[:3, 3], surface[1]


def shape_surface(shape: Shape, hulls: bool = False, count: int = ROUND) -> Surface:
    """The surface of a shape in its frame, with its padding."""
    kind, sizes, padding = shape.kind, shape.sizes, shape.padding
    if kind == "sphere":
        return _turn_profile(_ball_profile(sizes[0] + padding, 0.0, count), count)
    if kind == "capsule":
        return _turn_profile(_ball_profile(sizes[0] + padding, sizes[1] / 2, count), count)
    if kind == "box":
        sharp = _box_surface(np.array(sizes) / 2)
    elif kind == "cylinder":
        radius, half = sizes[0], sizes[1] / 2
        sharp = _turn_profile([(0.0, half), (radius, half), (radius, -half), (0.0, -half)], count)
    elif kind == "cone":
        radius, half = sizes[0], sizes[1] / 2
        sharp = _turn_profile([(0.0, half), (radius, -half), (0.0, -half)], count)
    elif kind == "ellipsoid":
        unit, faces = _turn_profile(_ball_profile(1.0, 0.0, count), count)
        sharp = unit * np.array(sizes), faces
    else:
        sharp = _flat_surface(shape, hulls)
    return _grow_surface(sharp, padding) if padding > 0.0 else sharp


def _flat_surface(shape: Shape, hulls: bool) -> Surface:
    vertices, triangles = shape.vertices, shape.triangles
    if not hulls and vertices is not None and triangles is not None:
        return vertices, triangles
    hull = shape.hull()
    if hull is None:
        raise ValueError(f"a shape of the kind {shape.kind!r} has no surface that is known here")
    return hull


def _ball_profile(radius: float, half: float, count: int) -> list[tuple[float, float]]:
    """Radius and height of points from the top of a ball to its bottom, its halves drawn apart."""
    steps = max(count // 4, 2)
    angles = [math.pi / 2 * k / steps for k in range(steps + 1)]
    top = [(radius * math.sin(a), radius * math.cos(a) + half) for a in angles]
    bottom = [(r, -z) for r, z in reversed(top)]
    return top + bottom[1 if half == 0.0 else 0 :]


def _turn_profile(profile: list[tuple[float, float]], count: int) -> Surface:
    """A profile of radii and heights, from top to bottom, turned around z."""
    turns = 2 * math.pi * np.arange(count) / count
    rings, faces, start = [], [], 0
    for k, (radius, height) in enumerate(profile):
        size = 1 if radius == 0.0 else count
        heights = np.full(size, height)
        rings.append(np.stack([radius * np.cos(turns[:size]), radius * np.sin(turns[:size]), heights], 1))
        if k > 0:
            above = len(rings[-2])
            here = np.arange(count)
            after = (here + 1) % count
            a, b = (start - above + here % above, start - above + after % above)
            c, d = (start + here % size, start + after % size)
            if above > 1:
                faces.append(np.stack([a, c, b], 1))
            if size > 1:
                faces.append(np.stack([b, c, d], 1))
        start += size
    return np.concatenate(rings), np.concatenate(faces).astype(np.uint32)


def _box_surface(half: Floats) -> Surface:
    signs = np.array([[1 if corner >> bit & 1 else -1 for bit in range(3)] for corner in range(8)])
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    faces = [f for a, b, c, d in quads for f in ((a, b, c), (a, c, d))]
    return signs * half, np.array(faces, np.uint32)


def _grow_surface(surface: Surface, by: float) -> Surface:
    """Moves each corner so that the faces around it move outward by a length, as nearly as one step can: by
    least squares over the directions of its faces, each direction once."""
    corners, which = np.unique(surface[0], axis=0, return_inverse=True)
    faces = which.reshape(-1)[surface[1]]
    a, b, c = (corners[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    lengths = np.linalg.norm(normals, axis=1)
    known = lengths > 0.0
    faces, normals = faces[known], normals[known] / lengths[known, None]
    rows = np.column_stack([faces.reshape(-1), np.round(np.repeat(normals, 3, axis=0), 3)])
    rows = np.unique(rows, axis=0)
    at, n = rows[:, 0].astype(np.int64), rows[:, 1:]
    # Faces that all look one way say nothing about other directions: the step stays along theirs.
    systems = np.broadcast_to(np.eye(3) * 1e-4, (len(corners), 3, 3)).copy()
    wanted = np.zeros((len(corners), 3))
    np.add.at(systems, at, n[:, :, None] * n[:, None, :])
    np.add.at(wanted, at, n * by)
    steps = np.linalg.solve(systems, wanted[:, :, None])[:, :, 0]
    # At a needle's tip the step would be far: it is no longer than four times the length.
    steps *= np.minimum(1.0, 4 * by / np.maximum(np.linalg.norm(steps, axis=1), 1e-300))[:, None]
    return corners + steps, faces.astype(np.uint32)
