"""The guard: a step is a call."""

from __future__ import annotations

import numpy as np
import pytest

import elbowroom as er
from conftest import ROOT

CELL = ROOT / "examples/clients/cell.toml"


def test_states_give_commands() -> None:
    guard, world = er.Guard(CELL), er.load(CELL)
    assert guard.joint_names == world.joint_names
    q = world.neutral
    commands = [guard.step(0.01 * k, q, velocities=np.zeros_like(q)) for k in range(1, 60)]
    assert [command.step for command in commands] == list(range(1, 60))
    last = commands[-1]
    assert last.action in ("permit", "slow", "stop") and 0.0 <= last.speed <= 1.0
    assert (last.category is None) == (last.action != "stop")
    if last.distance is not None:
        a = world.nearest(q)
        assert last.distance[0] <= a.upper and a.lower <= last.distance[1]
    late = guard.silent(10.0)
    assert late.action == "stop" and "late" in [word for word, _ in late.reasons] and "stop" in repr(late)


def test_what_cannot_be_believed_stops() -> None:
    guard, world = er.Guard(CELL), er.load(CELL)
    guard.step(0.01, world.neutral)
    command = guard.step(0.02, np.full(world.dof, np.nan))
    assert command.action == "stop" and command.category == 0
    assert [word for word, _ in command.reasons][0] == "not_finite"
    with pytest.raises(er.ChangeError, match="nothing"):
        guard.place(0.03, "world/nothing", er.Pose())


def test_a_world_without_a_guard_is_refused() -> None:
    with pytest.raises(er.LoadError, match="guard"):
        er.Guard(ROOT / "robots/puma260/bottleneck.toml")
