"""Plain values that describe robots and obstacles, for ``World``. Lengths are metres, angles radians.

Nothing is checked here: ``World`` checks and refuses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Optional, Sequence, Tuple, Union

if TYPE_CHECKING:
    from ._engine import Cells, Pose, _PoseLike, Shape

    _Placed = Union[Shape, Tuple[Shape, _PoseLike]]
    _Shapes = Union[Shape, Cells, Sequence[_Placed]]


class Link(NamedTuple):
    """A rigid body of a robot."""

    name: str
    """Unique within the robot; the body is called ``robot/name``."""
    shapes: _Shapes = ()
    """A shape, ``Cells``, or a list of shapes and of pairs (shape, pose in the link's frame)."""


class Joint(NamedTuple):
    """A joint between two links of one robot."""

    name: str
    """Unique within the robot."""
    kind: str
    """"fixed", "revolute", "continuous", "prismatic", "planar" (three values) or "floating" (seven)."""
    parent: str
    """The link that it is fixed to."""
    child: str
    """The link that it moves."""
    pose: Optional[_PoseLike] = None
    """The joint's frame in the parent link's frame, at value zero."""
    axis: Sequence[float] = (1.0, 0.0, 0.0)
    """In the joint's frame; any length but zero."""
    lower: Optional[float] = None
    """Least value. Revolute and prismatic joints need ``lower`` and ``upper``."""
    upper: Optional[float] = None
    """Greatest value."""
    mimic: Optional[Tuple[str, float, float]] = None
    """(joint, factor, offset) for a mimic joint: its value is factor * joint + offset."""


class Robot(NamedTuple):
    """A tree of links and joints."""

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
    """A body that does not move by itself. Its full name is ``world/name``."""

    name: str
    """Unique among obstacles, clouds and spare places."""
    shapes: _Shapes
    """A shape, ``Cells``, or a list of shapes and of pairs (shape, pose in the obstacle's frame)."""
    pose: Optional[_PoseLike] = None
    """Its frame in the world, or in the body that carries it."""
    movable: bool = False
    """Whether a ``Checker`` may place, attach and hide it."""
    attached_to: Optional[str] = None
    """The body ``robot/link`` that carries it."""
    touch: Sequence[str] = ()
    """Bodies, besides its carrier, that it may touch while it is carried."""


class Cloud(NamedTuple):
    """A point cloud. ``Checker.update_cloud`` gives it its points. Each point is a ball."""

    name: str
    """Unique among obstacles, clouds and spare places; the body is called ``world/name``."""
    radius: float
    """The radius of each ball."""
    capacity: int
    """The largest number of points."""


class Spare(NamedTuple):
    """A place that ``Checker.insert`` fills with a shape later."""

    name: str
    """Unique among obstacles, clouds and spare places; the body is called ``world/name``."""
    corners: int = 64
    """The largest number of corners of its shape: the vertices of a hull, the eight of a box."""
