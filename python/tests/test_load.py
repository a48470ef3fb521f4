"""Worlds from files, and every fault of them."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import elbowroom as er
from conftest import ROOT

CELL = ROOT / "robots/puma260/bottleneck.toml"

URDF = """<robot name="r">
  <link name="base"/>
  <link name="arm"><collision><geometry><sphere radius="{radius}"/></geometry></collision></link>
  <joint name="j" type="revolute"><parent link="{parent}"/><child link="arm"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"""


def test_a_world_file_is_read() -> None:
    world = er.load(CELL)
    assert world.dof == 6 and world.joint_names[0].startswith("puma/")
    assert world.lower.shape == world.upper.shape == world.neutral.shape == (6,)
    assert (world.lower <= world.neutral).all() and (world.neutral <= world.upper).all()
    assert str(CELL) in world.files
    assert "puma" in repr(world) and "world" in world.groups
    assert len(world.bodies) > 6 and world.pair_count > 0
    assert set(world.pair_names(0)) <= set(world.bodies)
    with pytest.raises(ValueError, match="there is no pair"):
        world.pair_names(10**6)


def test_every_fault_is_told(tmp_path: Path) -> None:
    file = tmp_path / "bad.urdf"
    file.write_text(URDF.format(radius="-1", parent="bass"))
    with pytest.raises(er.LoadError) as caught:
        er.load(file)
    faults = caught.value.faults
    assert len(faults) >= 2 and all(fault.file == str(file) for fault in faults)
    assert any("bass" in str(fault) for fault in faults) and any("-1" in str(fault) for fault in faults)
    assert str(caught.value).count("\n") >= 2 and str(caught.value).endswith("faults")
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.faults == faults and isinstance(again, er.LoadError)


def test_no_file_is_one_fault(tmp_path: Path) -> None:
    with pytest.raises(er.LoadError) as caught:
        er.load(tmp_path / "nothing.urdf")
    assert len(caught.value.faults) == 1 and isinstance(caught.value, ValueError)


def test_options_reach_the_reader(tmp_path: Path) -> None:
    file = tmp_path / "r.urdf"
    file.write_text(URDF.format(radius="0.1", parent="base"))
    assert er.load(file, margin=0.25).margin == 0.25
    with pytest.raises(ValueError, match="margin"):
        er.load(file, margin=-1.0)
    with pytest.raises(er.LoadError, match="nothing.srdf"):
        er.load(file, srdf=tmp_path / "nothing.srdf")


def test_random_poses_are_those_of_the_seed() -> None:
    world = er.load(CELL)
    poses = world.random(100, seed=3)
    assert poses.shape == (100, 6) and poses.dtype == np.float64
    assert (poses >= world.lower).all() and (poses <= world.upper).all()
    assert (poses == world.random(100, seed=3)).all() and not (poses == world.random(100, seed=4)).any()
    assert world.random(0).shape == (0, 6)
    with pytest.raises(MemoryError):
        world.random(2**58)


def test_numpy_is_imported_with_the_first_array_or_beside_meshes(tmp_path: Path) -> None:
    file = tmp_path / "r.urdf"
    file.write_text(URDF.format(radius="0.1", parent="base"))
    code = f"""
import sys, threading, elbowroom as er
world = er.load({str(file)!r})
world.nearest([0.0])
assert "numpy" not in sys.modules
world = er.load({str(CELL)!r})
answer = world.nearest([0.0] * 6)
assert answer.lower <= answer.upper and answer.pair
assert "numpy" in sys.modules and threading.active_count() == 1
assert threading.main_thread() is threading.current_thread()
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    missing = f"""
import sys
sys.modules["numpy"] = None
import elbowroom as er
assert er.load({str(CELL)!r}).nearest([0.0] * 6).pair
"""
    subprocess.run([sys.executable, "-c", missing], check=True)


def test_the_package_is_light() -> None:
    code = """
import sys, elbowroom as er
assert not {"numpy", "tempfile", "shutil", "elbowroom._bridges", "elbowroom.pictures"} & set(sys.modules)
assert "from_mujoco" in dir(er) and set(dir(er)) == set(er.__all__)
assert callable(er.from_mujoco) and "elbowroom._bridges" in sys.modules
from elbowroom import from_pinocchio, from_drake
try:
    er.nothing
except AttributeError as error:
    assert "nothing" in str(error)
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", code], check=True)
