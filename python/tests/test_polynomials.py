"""Trajectories of toppra and ruckig, written as polynomials and read back."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import elbowroom as er

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "trajectories"


def _example() -> Any:
    spec = importlib.util.spec_from_file_location("polynomials", EXAMPLES / "polynomials.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _value(pieces: list[dict[str, Any]], time: float) -> list[float]:
    for piece in pieces:
        if time <= piece["duration"] or piece is pieces[-1]:
            return [sum(c * time**k for k, c in enumerate(row)) for row in piece["coefficients"]]
        time -= piece["duration"]
    raise AssertionError("no piece")


@pytest.mark.parametrize("planner", ["toppra", "ruckig"])
def test_polynomials_are_what_was_planned(planner: str, tmp_path: Path) -> None:
    pytest.importorskip(planner)
    example = _example()
    trajectory = getattr(example, f"plan_with_{planner}")()
    written = getattr(example, f"from_{planner}")(["shoulder", "elbow"], trajectory)
    value: Callable[[float], Any] = (
        trajectory.eval if planner == "toppra" else lambda time: trajectory.at_time(time)[0]
    )
    assert sum(piece["duration"] for piece in written["pieces"]) == pytest.approx(trajectory.duration)
    for time in np.linspace(0.0, trajectory.duration, 400):
        assert np.allclose(_value(written["pieces"], time), value(time), rtol=0, atol=1e-12)
    # The engine takes it, and begins and ends where the planner did.
    path = tmp_path / "motion.json"
    path.write_text(json.dumps(written))
    poses, times = er.load_motion(er.load(EXAMPLES / "cell.toml"), path)
    assert times is not None and len(poses) == len(times) == len(written["pieces"]) + 1
    for row, time in ((poses[0], 0.0), (poses[-1], trajectory.duration)):
        assert np.allclose(row, value(time), rtol=0, atol=1e-12)


def test_a_trajectory_is_asked_way_by_way() -> None:
    world = er.load(EXAMPLES / "cell.toml")
    edges = [world.spline(seconds, c) for seconds, c in er.load_splines(world, EXAMPLES / "pick.yaml")]
    assert [edge.outcome for edge in edges] == ["free", "contact", "free"]
    calm = er.load_splines(world, EXAMPLES / "calm.yaml")
    assert all(world.spline(seconds, c, tolerance=[0.01, 0.01]).free for seconds, c in calm)
    # The same points without their velocities: straight ways.
    poses, _ = er.load_motion(world, EXAMPLES / "pick.yaml")
    assert world.edges(poses[:-1], poses[1:]).free.all()
