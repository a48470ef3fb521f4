"""Where a picture is seen from."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .._engine import Answer

Floats = NDArray[np.float64]

DISTANCE = 1.25
"""The distance of the camera from the middle, in sizes of the robots."""

CLOSE = 12.0
"""The distance of a close-up, in lengths of the vector ..."""

CLOSEST = 0.12
"""... and no nearer than this part of the size of the robots."""


def _directions() -> list[Floats]:
    """From the middle to the camera: from above at an angle, all around."""
    turns = [2 * math.pi * (k + 0.5) / 12 for k in range(12)]
    return [np.array([math.cos(a), math.sin(a), 0.5]) / math.sqrt(1.25) for a in turns]


def _best_direction(answer: Answer, centre: Floats, size: float) -> Floats:
    """Across the vector, from the side on which it is."""
    a, b, normal = answer.witness_a, answer.witness_b, answer.normal
    if a is None or b is None or normal is None:
        return _directions()[9]
    aside = ((a + b) / 2 - centre) / size
    return max(_directions(), key=lambda d: float(np.linalg.norm(np.cross(d, normal)) + 2 * d @ aside))


def whole_view(answer: Answer, centre: Floats, size: float) -> tuple[Floats, Floats]:
    """The camera's position, and what it looks at, for all robots."""
    return centre + DISTANCE * size * _best_direction(answer, centre, size), centre


def close_view(answer: Answer, centre: Floats, size: float) -> tuple[Floats, Floats]:
    """The same for the nearest points."""
    a, b = answer.witness_a, answer.witness_b
    if a is None or b is None:
        return whole_view(answer, centre, size)
    away = max(CLOSE * float(np.linalg.norm(a - b)), CLOSEST * size)
    return (a + b) / 2 + away * _best_direction(answer, centre, size), (a + b) / 2
