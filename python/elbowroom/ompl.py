"""Proved checks for planners of OMPL (``pip install ompl``, version 2 or later).

>>> from ompl import geometric as og
>>> from elbowroom.ompl import make_setup, prove_path, read_path
>>> setup = make_setup(world, start, goal)
>>> setup.setPlanner(og.RRTConnect(setup.getSpaceInformation()))
>>> if setup.solve(10.0) and setup.haveExactSolutionPath():
...     path = read_path(setup.getSolutionPath(), world.dof)
...     edges = prove_path(world, path)

A motion that a planner of OMPL checks is usually sampled, so a path may pass through a thin body. Here each
motion is proved free at every instant. A motion in contact is mostly found at a few poses, so those are asked
first. A long motion is proved in short parts, in one call: bounds on a part get much better as it gets
shorter. The ends of the parts are rounded to numbers of 64 bits, so ``prove_path`` asks the whole of each
segment again.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Sequence, Union

try:
    from ompl import base as _ob  # type: ignore[import-not-found, import-untyped, unused-ignore]
    from ompl import geometric as _og  # type: ignore[import-not-found, import-untyped, unused-ignore]
except ImportError as error:  # pragma: no cover
    raise ImportError("elbowroom.ompl needs OMPL of version 2 or later: pip install ompl") from error

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._engine import Checker, Edge, World
from ._errors import PoseError
from ._verdict import Verdict

__all__ = ["MotionValidator", "StateValidityChecker", "make_setup", "make_space", "prove_path", "read_path"]

# Whatever answers about poses and motions; a Checker answers with its changes.
_Asked = Union[World, Checker]


class StateValidityChecker(_ob.StateValidityChecker):  # type: ignore[misc]
    """A state is valid if it is proved farther from contact than the margin. A state outside limits is not.

    ``asked`` is a ``World``, or a ``Checker`` with changes. ``margin`` and ``hulls`` are as in
    ``World.nearest``. States must be of a ``RealVectorStateSpace`` with the world's joint values. Once a
    planner runs, a ``Checker`` is the planner's alone: another thread gets ``BusyError``.
    """

    def __init__(
        self, si: Any, asked: _Asked, *, margin: float | None = None, hulls: bool = False
    ) -> None:
        super().__init__(si)
        self._dof = _check_space(si, asked)
        self._asked, self._margin, self._hulls = asked, margin, hulls

    def isValid(self, state: Any) -> bool:
        """Whether the state is proved clear of contact by the margin."""
        try:
            verdict = self._asked.test(state[0 : self._dof], margin=self._margin, hulls=self._hulls)
        except PoseError:
            return False
        return bool(verdict == Verdict.CLEAR)

    def clearance(self, state: Any) -> float:
        """The proved lower bound of the distance (metres), which planners may maximise."""
        try:
            return self._asked.nearest(state[0 : self._dof], hulls=self._hulls).lower
        except PoseError:
            return -math.inf


class MotionValidator(_ob.MotionValidator):  # type: ignore[misc]
    """A motion is valid if it is proved farther from contact than the margin at every instant.

    ``part`` is the length of the parts that are proved one by one: the root of the sum of the squares of the
    joints' ways (radians and metres). It changes the time, not what a valid motion means. ``margin``,
    ``hulls`` and ``asked`` are those of ``StateValidityChecker``. What is neither proved free nor in contact
    is not valid; ``unknown`` counts such motions.
    """

    free: int
    """How many motions were proved free."""
    contact: int
    """How many motions were in contact or nearer than the margin."""
    unknown: int
    """How many motions were neither."""

    def __init__(
        self, si: Any, asked: _Asked, *, margin: float | None = None, hulls: bool = False, part: float = 0.25
    ) -> None:
        super().__init__(si)
        if not part > 0.0:
            raise ValueError(f"part must be above zero; it is {part}")
        self._dof = _check_space(si, asked)
        self._asked, self._margin, self._hulls, self._part = asked, margin, hulls, part
        self.free = self.contact = self.unknown = 0

    def checkMotion(self, start: Any, end: Any) -> bool:
        """Whether the straight motion is proved free."""
        try:
            outcome = self._ask_motion(start[0 : self._dof], end[0 : self._dof])
        except PoseError:
            outcome = "contact"
        if outcome == "free":
            self.free += 1
        elif outcome == "contact":
            self.contact += 1
        else:
            self.unknown += 1
        return outcome == "free"

    def _ask_motion(self, start: list[float], end: list[float]) -> str:
        """Tries poses first: the end, the middle, the quarters, and so on. Then proves the parts."""
        length = math.dist(start, end)
        if not math.isfinite(length):
            return "contact"
        if length > _MOST_PARTS * self._part:
            words = f"a motion of length {length:g} has over {_MOST_PARTS} parts"
            raise ValueError(f"{words}: give a longer part")
        count = max(1, math.ceil(length / self._part))
        shares, order = _shares(1 << (count - 1).bit_length())
        poses = (1.0 - shares) * np.asarray(start) + shares * np.asarray(end)
        poses[-1] = end
        asked, margin, hulls = self._asked, self._margin, self._hulls
        for k in order:
            verdict = asked.test(poses[k], margin=margin, hulls=hulls)
            if verdict != Verdict.CLEAR:
                return "unknown" if verdict == Verdict.UNKNOWN else "contact"
        edges = asked.edges(poses[:-1], poses[1:], margin=margin, hulls=hulls, first=False)
        if edges.free.all():
            return "free"
        return "contact" if edges.contact.any() else "unknown"


_MOST_PARTS = 1 << 16
"""Poses of a longer motion would fill the memory."""


@functools.lru_cache(maxsize=32)
def _shares(count: int) -> tuple[NDArray[np.float64], list[int]]:
    """From 0 to 1 in steps, shape (count + 1, 1), and their order: the end, the middle, the quarters, ..."""
    strides = [count >> k for k in range(1, count.bit_length())]
    order = [count, *(k for stride in strides for k in range(stride, count, 2 * stride))]
    return (np.arange(count + 1) / count)[:, None], order


def _check_space(si: Any, asked: _Asked) -> int:
    """The number of joint values, if the space has them."""
    dof = len(asked.values) if isinstance(asked, Checker) else asked.dof
    space = si.getStateSpace()
    if not isinstance(space, _ob.RealVectorStateSpace):
        kind = type(space).__name__
        raise TypeError(f"the state space must be a RealVectorStateSpace, see make_space; it is a {kind}")
    if space.getDimension() != dof:
        found = space.getDimension()
        raise ValueError(f"the state space has {found} dimensions, the world {dof} joint values")
    return dof


def make_space(world: World) -> Any:
    """The ``RealVectorStateSpace`` of the world's joint values, within their limits.

    A continuous joint has the values from -pi to pi, and motions do not cross them. Raises ``ValueError`` for
    joints without limits that slide or float; make a space of your own for them.
    """
    space = _ob.RealVectorStateSpace(world.dof)
    bounds = _ob.RealVectorBounds(world.dof)
    names = world.joint_names
    if len(names) != world.dof:
        raise ValueError("this world has planar or floating joints: make a space of your own")
    for k, (lower, upper) in enumerate(zip(world.lower.tolist(), world.upper.tolist())):
        if math.isinf(lower) or math.isinf(upper):
            lower, upper = -math.pi, math.pi
        bounds.setLow(k, lower)
        bounds.setHigh(k, upper)
    space.setBounds(bounds)
    return space


def make_setup(
    asked: _Asked,
    start: ArrayLike,
    goal: ArrayLike,
    *,
    space: Any = None,
    margin: float | None = None,
    hulls: bool = False,
    part: float = 0.25,
) -> Any:
    """An ``ompl.geometric.SimpleSetup`` with both validators, start and goal (joint values, shape (dof,)).

    For a ``Checker``, give its world's space: ``space=make_space(world)``. Other keywords are those of
    ``MotionValidator``. Raises ``ValueError`` if start or goal have another shape or lie outside the space.
    """
    if space is None:
        if isinstance(asked, Checker):
            raise TypeError("for a Checker, give its world's space: space=make_space(world)")
        space = make_space(asked)
    setup = _og.SimpleSetup(space)
    si = setup.getSpaceInformation()
    setup.setStateValidityChecker(StateValidityChecker(si, asked, margin=margin, hulls=hulls))
    si.setMotionValidator(MotionValidator(si, asked, margin=margin, hulls=hulls, part=part))
    dof, states = space.getDimension(), []
    for name, values in (("start", start), ("goal", goal)):
        row = np.asarray(values, dtype=np.float64)
        if row.shape != (dof,):
            raise ValueError(f"{name} must have shape ({dof},); this has {row.shape}")
        state = space.allocState()
        state[0:dof] = row.tolist()
        if not (np.isfinite(row).all() and space.satisfiesBounds(state)):
            raise ValueError(f"{name} lies outside the limits of the space: {row.tolist()}")
        states.append(state)
    setup.setStartAndGoalStates(*states)
    return setup


def read_path(path: Any, dof: int) -> NDArray[np.float64]:
    """The states of an ``ompl.geometric.PathGeometric``: an array of shape (n, dof)."""
    return np.array([state[0:dof] for state in path.getStates()], dtype=np.float64).reshape(-1, dof)


def prove_path(
    asked: _Asked, path: Union[ArrayLike, Sequence[Any]], *, margin: float | None = None, hulls: bool = False
) -> list[Edge]:
    """The answer for each segment of a path of shape (n, dof), n at least 2: n - 1 values of ``Edge``.

    The path is proved free if all of them are: ``all(prove_path(world, path))``. A segment that is not is
    looked through for its first contact. Raises ``ValueError`` for a path of fewer than two poses.
    """
    rows = np.asarray(path, dtype=np.float64)
    if rows.ndim != 2 or len(rows) < 2:
        raise ValueError(f"a path must have shape (n, dof) with n at least 2; this has {rows.shape}")
    return [asked.edge(a, b, margin=margin, hulls=hulls) for a, b in zip(rows, rows[1:])]
