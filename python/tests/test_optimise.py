"""The example that optimises a motion by SciPy with our gradient. Skipped if SciPy is not installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import elbowroom as er
from conftest import PANDA, ROOT

pytest.importorskip("scipy", reason="SKIPPED, SciPy is not installed")

# From one side of a post to the other.
START = np.array([-0.9, 0.2, 0.0, -2.0, 0.0, 2.2, 0.8])
GOAL = START * [-1, 1, 1, 1, 1, 1, 1]

CELL = f"""margin = 0.01
[[robot]]
urdf = "{PANDA.as_posix()}"
[[obstacle]]
name = "post"
xyz = [0.55, 0, 0.3]
shape = {{ type = "box", size = [0.08, 0.08, 0.6] }}
"""


@pytest.fixture
def cell(tmp_path: Path) -> Path:
    if not PANDA.exists():
        pytest.skip(f"SKIPPED, no data folder: {PANDA} (ELBOWROOM_DATA)")
    (tmp_path / "cell.toml").write_text(CELL)
    return tmp_path / "cell.toml"


def optimise(cell: Path, *ends: np.ndarray) -> subprocess.CompletedProcess[str]:
    code = [sys.executable, str(ROOT / "examples/planning/optimise.py"), str(cell)]
    code += [",".join(map(repr, end.tolist())) for end in ends]
    return subprocess.run(code, capture_output=True, text=True)


def test_the_optimised_motion_is_proved_free(cell: Path) -> None:
    world = er.load(cell)
    assert not world.edge(START, GOAL)
    run = optimise(cell, START, GOAL)
    assert run.returncode == 0, run.stderr
    path = np.array([[float(v) for v in line.split(",")] for line in run.stdout.splitlines()])
    assert len(path) == 8 and (path[0] == START).all() and (path[-1] == GOAL).all()
    assert all(world.edge(*ends) for ends in zip(path, path[1:]))
    between = np.concatenate([np.linspace(*ends, 100) for ends in zip(path, path[1:])])
    assert world.clearance(between).lower.min() > world.margin
    # Past the post it is longer than the straight motion, but not by much.
    lengths = np.linalg.norm(np.diff(path, axis=0), axis=1)
    assert 1.0 < lengths.sum() / np.linalg.norm(GOAL - START) < 1.3 and lengths.max() < 2 * lengths.min()


def test_ends_in_contact_are_refused(cell: Path) -> None:
    run = optimise(cell, START, GOAL * [0, 1, 1, 1, 1, 1, 1])
    assert run.returncode == 1 and "not clear" in run.stderr and not run.stdout
