"""The parts of a world that a model of another package makes. All bridges collect them in this form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

from .._describe import Joint, Link, Obstacle, Robot
from .._engine import Box, Pose, Shape, World
from .._errors import Error

if TYPE_CHECKING:
    from .._engine import _PoseLike

    _Placed = Sequence[tuple[Shape, _PoseLike]]

# A plane of another package is infinite. Here it is the top of a box that reaches this far from its middle
# (metres).
_PLANE_REACH = 100.0

# A limit beyond this (radians or metres) is none.
_UNLIMITED = 1e9


class Assembly:
    """One robot, obstacles, the pairs of bodies to check, and the others with the reason why not."""

    robot: str
    """The robot's name; the full name of its link is ``robot/link``."""

    def __init__(self, robot: str, root: str) -> None:
        self.robot = clean_name(robot) or "robot"
        self._shapes: dict[str, _Placed] = {root: ()}
        self._joints: list[Joint] = []
        self._obstacles: list[Obstacle] = []
        self._checks: list[tuple[str, str]] = []
        self._allowed: list[tuple[str, str, str]] = []

    def add_joint(self, joint: Joint) -> None:
        """Adds a joint and the link that it moves. Raises ``Error`` if there is a link of this name."""
        if joint.child in self._shapes:
            raise Error(f"two bodies are called {joint.child!r}: give them other names")
        self._joints.append(joint)
        self._shapes[joint.child] = ()

    def give_shapes(self, link: str, shapes: _Placed) -> str:
        """Gives a link its shapes. Returns its full name."""
        self._shapes[link] = shapes
        return f"{self.robot}/{link}"

    def fix_link(self, name: str, shapes: _Placed, carrier: str, pose: _PoseLike | None = None) -> str:
        """Adds a link that is fixed to its carrier, at a pose in its frame. Returns its full name."""
        self.add_joint(Joint(f"{name} fixed", "fixed", carrier, name, pose))
        return self.give_shapes(name, shapes)

    def place_obstacle(self, name: str, shapes: _Placed, pose: _PoseLike | None = None) -> str:
        """Adds a body that never moves, at a pose in the world. Returns its full name."""
        self._obstacles.append(Obstacle(name, shapes, pose))
        return f"world/{name}"

    def check_pair(self, a: str, b: str) -> None:
        """The pair is checked."""
        self._checks.append((a, b))

    def allow_pair(self, a: str, b: str, reason: str) -> None:
        """The pair is not checked, for this reason."""
        self._allowed.append((a, b, reason))

    def make_world(self, without_pairs: str, *, margin: float, padding: float) -> World:
        """Compiles the world. Raises ``Error``, with the message ``without_pairs``, if no pair is checked."""
        if not self._checks:
            raise Error(without_pairs)
        return World(
            [Robot(self.robot, [Link(*link) for link in self._shapes.items()], self._joints)],
            self._obstacles,
            checks=self._checks,
            allowed=self._allowed,
            margin=margin,
            padding=padding,
        )


def clean_name(name: str) -> str:
    """A name that a body or a joint can have: without slashes."""
    return name.replace("/", "_")


def make_limited_joint(
    name: str,
    kind: str,
    parent: str,
    child: str,
    pose: _PoseLike,
    axis: Sequence[float],
    limits: tuple[float, float],
) -> Joint:
    """A joint that turns ("revolute") or slides ("prismatic") between limits; infinite ones are none.

    Raises ``Error`` for a slide without limits. A limit on one side only is refused by ``World``.
    """
    if all(abs(limit) > _UNLIMITED for limit in limits):
        if kind == "prismatic":
            raise Error(f"slide {name!r} has no limits: give it a range")
        return Joint(name, "continuous", parent, child, pose, axis)
    return Joint(name, kind, parent, child, pose, axis, *limits)


def make_half_space(pose: Pose) -> tuple[Shape, Pose]:
    """What is below the plane z = 0 of a frame, as far as a box reaches."""
    return Box([2 * _PLANE_REACH] * 3), pose @ Pose([0.0, 0.0, -_PLANE_REACH])
