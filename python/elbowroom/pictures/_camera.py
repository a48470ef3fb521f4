"""Where a picture is seen from."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Sequence

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .._engine import Answer

Floats = NDArray[np.float64]
Solids = Sequence[Floats]
"""The corners of triangles in the world, shape (n, 3, 3), for each body that is not glass."""

DISTANCE = 1.05
"""The distance of the camera from the middle, in sizes of the robots."""

CLOSE = 12.0
"""The distance of a close-up, in lengths of the vector ..."""

CLOSEST = 0.12
"""... and no nearer than this part of the size of the robots."""


def _directions() -> list[Floats]:
    """From the middle to the camera: from above at an angle, all around."""
    turns = [2 * math.pi * (k + 0.5) / 12 for k in range(12)]
    return [np.array([math.cos(a), math.sin(a), 0.5]) / math.sqrt(1.25) for a in turns]


def _best_direction(answer: Answer, centre: Floats, size: float, solids: Solids) -> Floats:
    """Across the vector, from the side on which it is, and best where nothing hides it."""
    a, b, normal = answer.witness_a, answer.witness_b, answer.normal
    directions = _directions()
    if a is None or b is None or normal is None:
        return directions[9]
    middle = (a + b) / 2
    aside = (middle - centre) / size

    def rate(toward: Floats) -> float:
        across = float(np.linalg.norm(np.cross(toward, normal)))
        return across + 2 * float(toward @ aside) - 3 * is_hidden(middle, toward, size, solids)

    return max(directions, key=rate)


def is_hidden(point: Floats, toward: Floats, size: float, solids: Solids) -> bool:
    """Whether a triangle is in front of a point, seen from a direction."""
    for corners in solids:
        a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        across = np.cross(toward, ac)
        volume = np.einsum("ij,ij->i", ab, across)
        with np.errstate(divide="ignore", invalid="ignore"):
            from_a = point - a
            u = np.einsum("ij,ij->i", from_a, across) / volume
            turned = np.cross(from_a, ab)
            v = turned @ toward / volume
            away = np.einsum("ij,ij->i", ac, turned) / volume
            if ((u >= 0) & (v >= 0) & (u + v <= 1) & (away > 1e-3 * size)).any():
                return True
    return False


def whole_view(answer: Answer, centre: Floats, size: float, solids: Solids) -> tuple[Floats, Floats]:
    """The camera's position, and what it looks at, for all robots."""
    return centre + DISTANCE * size * _best_direction(answer, centre, size, solids), centre


def close_view(answer: Answer, centre: Floats, size: float, solids: Solids) -> tuple[Floats, Floats]:
    """The camera's position, and what it looks at, for the nearest points; without them for all robots."""
    a, b = answer.witness_a, answer.witness_b
    if a is None or b is None:
        return whole_view(answer, centre, size, solids)
    away = max(CLOSE * float(np.linalg.norm(a - b)), CLOSEST * size)
    return (a + b) / 2 + away * _best_direction(answer, centre, size, solids), (a + b) / 2
