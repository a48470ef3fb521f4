"""Worlds from models of other packages. None of them is imported before its function is called.

The world checks exactly the pairs of bodies that the other package checks. Geometry that cannot be taken over
is refused: it is never left out silently.
"""

from ._mujoco import from_mujoco
from ._pinocchio import from_pinocchio

__all__ = ["from_mujoco", "from_pinocchio"]
