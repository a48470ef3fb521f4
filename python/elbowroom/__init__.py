"""Proved collision checks and clearances for robots.

>>> import elbowroom as er
>>> world = er.load("panda.urdf")
>>> a = world.nearest(world.neutral)
>>> a.verdict, a.lower, a.upper, a.pair

Every distance is an interval: the true one is at least ``lower`` and at most ``upper`` (metres), negative
where bodies overlap. Joint values are radians and metres, in the order of ``world.joint_names``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._describe import Cloud, Joint, Link, Obstacle, Robot, Spare
from ._engine import (
    Answer,
    Box,
    Capsule,
    Cells,
    Certificate,
    Checker,
    Clearances,
    Command,
    Cone,
    Convex,
    Cylinder,
    Distance,
    Edge,
    Edges,
    Ellipsoid,
    Guard,
    Mesh,
    OctoMap,
    Pose,
    Proof,
    Shape,
    Sphere,
    World,
    __version__,
    distance,
    load,
    load_motion,
    load_octomap,
    load_splines,
)
from ._errors import (
    BusyError,
    CertificateError,
    ChangeError,
    Error,
    Fault,
    LoadError,
    PoseError,
    WorldError,
)
from ._verdict import Verdict

if TYPE_CHECKING:
    from ._bridges import from_drake, from_mujoco, from_pinocchio, from_yourdfpy

__all__ = [
    "Answer",
    "Box",
    "BusyError",
    "Capsule",
    "Cells",
    "Certificate",
    "CertificateError",
    "ChangeError",
    "Checker",
    "Clearances",
    "Cloud",
    "Command",
    "Cone",
    "Convex",
    "Cylinder",
    "Distance",
    "Edge",
    "Edges",
    "Ellipsoid",
    "Error",
    "Fault",
    "Guard",
    "Joint",
    "Link",
    "LoadError",
    "Mesh",
    "Obstacle",
    "OctoMap",
    "Pose",
    "PoseError",
    "Proof",
    "Robot",
    "Shape",
    "Spare",
    "Sphere",
    "Verdict",
    "World",
    "WorldError",
    "__version__",
    "distance",
    "from_drake",
    "from_mujoco",
    "from_pinocchio",
    "from_yourdfpy",
    "load",
    "load_motion",
    "load_octomap",
    "load_splines",
]


def __getattr__(name: str) -> Any:
    """The bridges, which are imported when one is first wanted: they take as long as all else here."""
    if name in ("from_drake", "from_mujoco", "from_pinocchio", "from_yourdfpy"):
        from . import _bridges

        found = globals()[name] = getattr(_bridges, name)
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__]
