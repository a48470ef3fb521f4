"""Robots, obstacles and places as plain values, for ``World``. Lengths are metres, angles radians.

``World`` checks them: nothing is refused here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Optional, Sequence, Tuple, Union

if TYPE_CHECKING:
    from ._engine import Pose, _PoseLike, Shape

    _Placed = Union[Shape, Tuple[Shape, _PoseLike]]
    _Shapes = Union[Shape, Sequence[_Placed]]


class Link(NamedTuple):
    """A rigid body of a robot."""

    name: str
    """Unique within the robot; the body is called ``robot/name``."""
    shapes: _Shapes = ()
    """A shape, or a list of shapes and of pairs (shape, pose in the link's frame)."""


class Joint(NamedTuple):
    """A joint between two links of one robot."""

    name: str
    """Unique within the robot."""
    kind: str
    """"fixed", "revolute", "continuous", "prismatic", "planar" (three values) or "floating" (seven)."""
    parent: str
    """The link it hangs on."""
    child: str
    """The link it moves."""
    pose: Optional[_PoseLike] = None
    """The joint's frame in the parent link's frame, at value zero."""
    axis: Sequence[float] = (1.0, 0.0, 0.0)
    """In the joint's frame; of any length but zero."""
    lower: Optional[float] = None
    """Least value; needed for revolute and prismatic joints, and so is ``upper``."""
    upper: Optional[float] = None
    """Greatest value."""
    mimic: Optional[Tuple[str, float, float]] = None
    """(joint, factor, offset) if it follows another joint."""


class Robot(NamedTuple):
    """Links joined into one tree."""

    name: str
    """Unique among robots."""
    links: Sequence[Link]
    """Its links."""
    joints: Sequence[Joint] = ()
    """Its joints, in the order of joint values."""
    pose: Optional[_PoseLike] = None
    """The root link's frame in the world."""
    allowed: Sequence[Tuple[str, str, str]] = ()
    """Pairs of its links that are not checked: (link, link, reason)."""


class Obstacle(NamedTuple):
    """A body that does not move by itself; it is called ``world/name``."""

    name: str
    """Unique among obstacles, clouds and spare places."""
    shapes: _Shapes
    """A shape, or a list of shapes and of pairs (shape, pose in the obstacle's frame)."""
    pose: Optional[_PoseLike] = None
    """Its frame in the world, or in the body that carries it."""
    movable: bool = False
    """Whether a ``Checker`` may place, attach and hide it."""
    attached_to: Optional[str] = None
    """The body ``robot/link`` that carries it."""
    touch: Sequence[str] = ()
    """Bodies that it may touch while it is carried, beside its carrier."""


class Cloud(NamedTuple):
    """A cloud of points, which ``Checker.update_cloud`` gives. Each point is a ball."""

    name: str
    """Unique among obstacles, clouds and spare places; the body is called ``world/name``."""
    radius: float
    """Of each ball."""
    capacity: int
    """Most points that can be given."""


class Spare(NamedTuple):
    """A place for a shape that comes later, by ``Checker.insert``."""

    name: str
    """Unique among obstacles, clouds and spare places; the body is called ``world/name``."""
    corners: int = 64
    """Most corners that its shape can have: the vertices of a hull, the eight of a box."""
