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
    """A rigid body of a robot.

    name: Unique within the robot; the body is called ``robot/name``.
    shapes: A shape, ``Cells``, or a list of shapes and of pairs (shape, pose in the link's frame).
    """

    name: str
    shapes: _Shapes = ()


class Joint(NamedTuple):
    """A joint between two links of one robot.

    name: Unique within the robot.
    kind: "fixed", "revolute", "continuous", "prismatic", "planar" (three values) or "floating" (seven).
    parent: The link that it is fixed to.
    child: The link that it moves.
    pose: The joint's frame in the parent link's frame, at value zero.
    axis: In the joint's frame; any length but zero.
    lower: Least value (radians, metres). Revolute and prismatic joints need ``lower`` and ``upper``.
    upper: Greatest value (radians, metres).
    mimic: (joint, factor, offset) for a mimic joint: its value is factor * joint +
        offset (radians, metres).
    """

    name: str
    kind: str
    parent: str
    child: str
    pose: Optional[_PoseLike] = None
    axis: Sequence[float] = (1.0, 0.0, 0.0)
    lower: Optional[float] = None
    upper: Optional[float] = None
    mimic: Optional[Tuple[str, float, float]] = None


class Robot(NamedTuple):
    """A tree of links and joints.

    name: Unique among robots.
    links: Its links.
    joints: Its joints, in the order of joint values.
    pose: The root link's frame in the world.
    allowed: Pairs of its links that are not checked: (link, link, reason).
    """

    name: str
    links: Sequence[Link]
    joints: Sequence[Joint] = ()
    pose: Optional[_PoseLike] = None
    allowed: Sequence[Tuple[str, str, str]] = ()


class Obstacle(NamedTuple):
    """A body that does not move by itself. Its full name is ``world/name``.

    name: Unique among obstacles, clouds and spare places.
    shapes: A shape, ``Cells``, or a list of shapes and of pairs (shape, pose in the obstacle's frame).
    pose: Its frame in the world, or in the body that carries it.
    movable: Whether a ``Checker`` may place, attach and hide it.
    attached_to: The body ``robot/link`` that carries it.
    touch: Bodies, besides its carrier, that it may touch while it is carried.
    """

    name: str
    shapes: _Shapes
    pose: Optional[_PoseLike] = None
    movable: bool = False
    attached_to: Optional[str] = None
    touch: Sequence[str] = ()


class Cloud(NamedTuple):
    """A point cloud. ``Checker.update_cloud`` gives it its points. Each point is a ball.

    name: Unique among obstacles, clouds and spare places; the body is called ``world/name``.
    radius: The radius of each ball (metres).
    capacity: The largest number of points.
    """

    name: str
    radius: float
    capacity: int


class Spare(NamedTuple):
    """A place that ``Checker.insert`` fills with a shape later.

    name: Unique among obstacles, clouds and spare places; the body is called ``world/name``.
    corners: The largest number of corners of its shape: the vertices of a hull, the eight of a box.
    """

    name: str
    corners: int = 64
