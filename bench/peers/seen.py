"""What sensors saw of an item's world, and how a work file says it."""

import struct
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Seen:
    """Clouds of points, one after the other, each point a ball of a radius; and cells: centre and edge."""

    radius: float = 0.0
    frames: list = field(default_factory=list)
    cells: np.ndarray = field(default_factory=lambda: np.zeros((0, 4)))

    def packed(self):
        yield struct.pack("<dI", self.radius, len(self.frames))
        for points in self.frames:
            yield struct.pack("<I", len(points)) + np.ascontiguousarray(points, dtype="<f8").tobytes()
        yield struct.pack("<I", len(self.cells)) + np.ascontiguousarray(self.cells, dtype="<f8").tobytes()
