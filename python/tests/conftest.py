"""What tests share: a rod before a post, and the Panda where the data folder is."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path

import pytest

import elbowroom as er

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("ELBOWROOM_DATA", ROOT.parent / "shared"))
PANDA = DATA / "robots/panda_vamp/panda.urdf"

# An OctoMap. The root's first part is free and its last occupied; the six between were not seen. Each is a
# cube of 1 m.
MAP = b"# Octomap OcTree binary file\nid OcTree\nsize 3\nres 0.000030517578125\ndata\n" + bytes([1, 128])


def rod_robot() -> er.Robot:
    """A ball of 0.1 m at the end of a rod of 1 m that turns about z."""
    links = [er.Link("base"), er.Link("arm", [(er.Sphere(0.1), er.Pose([1.0, 0.0, 0.0]))])]
    turn = er.Joint("turn", "revolute", "base", "arm", axis=(0, 0, 1), lower=-2.0, upper=2.0)
    return er.Robot("rod", links, [turn])


def gap_at(angle: float) -> float:
    """The distance of the rod's ball to the post of 0.2 m at (0, 1, 0)."""
    return math.dist((math.cos(angle), math.sin(angle)), (0.0, 1.0)) - 0.3


@pytest.fixture(scope="session")
def rod() -> er.World:
    post = er.Obstacle("post", er.Sphere(0.2), er.Pose([0.0, 1.0, 0.0]))
    return er.World([rod_robot()], [post], margin=0.01)


@pytest.fixture(scope="session")
def panda() -> er.World:
    if not PANDA.exists():
        pytest.skip(f"SKIPPED, no data folder: {PANDA} (ELBOWROOM_DATA)")
    return er.load(PANDA)


@pytest.fixture
def panda_folder(tmp_path: Path) -> Path:
    """A folder to write into, with the Panda. Drake refuses a URDF whose visual meshes are missing."""
    if not PANDA.exists():
        pytest.skip(f"SKIPPED, no data folder: {PANDA} (ELBOWROOM_DATA)")
    (tmp_path / "meshes").symlink_to(PANDA.parent / "meshes")
    (tmp_path / "panda.srdf").symlink_to(PANDA.parent / "panda.srdf")
    text = re.sub(r"<visual>.*?</visual>", "", PANDA.read_text(), flags=re.S)
    (tmp_path / "panda.urdf").write_text(text)
    return tmp_path
