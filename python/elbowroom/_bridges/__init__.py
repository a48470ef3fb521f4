"""Worlds from models of other packages. None of them is imported before its function is called.

A world of MuJoCo, Pinocchio or Drake checks exactly the pairs of bodies that the other package checks. What
yourdfpy holds is read as a URDF. Geometry that cannot be taken over is refused: it is never left out
silently.
"""

from ._drake import from_drake
from ._mujoco import from_mujoco
from ._pinocchio import from_pinocchio
from ._yourdfpy import from_yourdfpy

__all__ = ["from_drake", "from_mujoco", "from_pinocchio", "from_yourdfpy"]
