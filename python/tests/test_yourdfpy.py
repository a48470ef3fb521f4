"""What yourdfpy has read, and the files of robot_descriptions. Skipped where these are not installed."""

from __future__ import annotations

import shutil
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elbowroom as er
from conftest import DATA, PANDA

# Has meshes in a package, a hand with a joint that mimics another, and no SRDF.
FR3 = DATA / "robots/franka_fr3/fr3.urdf"


def read_robot(file: str | Path, folder: str | Path) -> Any:
    yourdfpy = pytest.importorskip("yourdfpy", reason="SKIPPED, yourdfpy is not installed")
    if not Path(file).exists():
        pytest.skip(f"SKIPPED, no data folder: {file} (ELBOWROOM_DATA)")
    return yourdfpy.URDF.load(str(file), mesh_dir=str(folder), build_scene_graph=False, load_meshes=False)


def expect_same(ours: er.World, theirs: er.World) -> None:
    assert ours.joint_names == theirs.joint_names and ours.bodies == theirs.bodies
    assert (ours.lower == theirs.lower).all() and (ours.upper == theirs.upper).all()
    poses = theirs.random(200, seed=2)
    a, b = ours.clearance(poses), theirs.clearance(poses)
    assert np.allclose(a.lower, b.lower, atol=1e-9, rtol=0)
    assert np.allclose(a.upper, b.upper, atol=1e-9, rtol=0)
    assert (a.verdict == b.verdict).all() and 0 < (a.verdict == er.Verdict.CLEAR).sum() < len(poses)


def test_a_robot_of_yourdfpy_has_the_distances_of_its_urdf() -> None:
    robot = read_robot(PANDA, PANDA.parent / "meshes")
    ours, theirs = er.from_yourdfpy(robot, srdf=PANDA.with_suffix(".srdf")), er.load(PANDA)
    expect_same(ours, theirs)
    assert ours.pair_count == theirs.pair_count
    assert [name.split("/")[1] for name in ours.joint_names] == robot.actuated_joint_names


def test_a_mimic_stays_one() -> None:
    robot = read_robot(FR3, FR3.parent / "franka_description")
    assert any(joint.mimic for joint in robot.robot.joints)
    ours = er.from_yourdfpy(robot, allow_zero_overlaps=True)
    expect_same(ours, er.load(FR3, allow_zero_overlaps=True))
    assert len(ours.joint_names) == len(robot.actuated_joint_names)


def test_what_was_changed_in_memory_counts() -> None:
    robot = read_robot(PANDA, PANDA.parent / "meshes")
    robot.joint_map["panda_joint1"].limit.upper = 0.5
    assert er.from_yourdfpy(robot).upper[0] == 0.5
    robot.joint_map["panda_joint2"].child = "nobody"
    with pytest.raises(er.LoadError, match="nobody"):
        er.from_yourdfpy(robot)


def test_a_path_of_robot_descriptions_is_read(
    panda_folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The repository that robot_descriptions would clone is a stand-in: other files in the same layout."""
    pytest.importorskip("robot_descriptions", reason="SKIPPED, robot_descriptions is not installed")
    git = pytest.importorskip("git")
    cache = tmp_path_factory.mktemp("robot_descriptions")
    robot = cache / "clone/robots/panda_description"
    shutil.copytree(panda_folder / "meshes/collision", robot / "meshes/collision")
    text = (panda_folder / "panda.urdf").read_text()
    text = text.replace("package://", "package://example-robot-data/robots/panda_description/")
    for kind in ("urdf", "srdf"):
        (robot / kind).mkdir()
        (robot / kind / f"panda.{kind}").write_text((panda_folder / f"panda.{kind}").read_text())
    (robot / "urdf/panda.urdf").write_text(text)
    repository = git.Repo.init(cache / "clone")
    repository.git.add(".")
    with repository.config_writer() as config:
        config.set_value("user", "name", "nobody")
        config.set_value("user", "email", "nobody@example.com")
    repository.git.commit("--quiet", "--no-gpg-sign", "--message", "stand-in")
    commit = repository.head.commit.hexsha
    repository.close()
    (cache / f"example-robot-data-{commit}").mkdir()
    (cache / "clone").rename(cache / f"example-robot-data-{commit}/example-robot-data")
    monkeypatch.setenv("ROBOT_DESCRIPTIONS_CACHE", str(cache))
    monkeypatch.setenv("ROBOT_DESCRIPTION_COMMIT", commit)
    monkeypatch.delitem(sys.modules, "robot_descriptions.panda_description", raising=False)

    panda = import_module("robot_descriptions.panda_description")
    monkeypatch.delitem(sys.modules, "robot_descriptions.panda_description")
    assert panda.URDF_PATH.startswith(str(cache))
    world = er.load(panda.URDF_PATH, srdf=panda.SRDF_PATH)
    expect_same(world, er.load(PANDA))
    robot_in_memory = read_robot(panda.URDF_PATH, panda.PACKAGE_PATH)
    expect_same(er.from_yourdfpy(robot_in_memory, srdf=panda.SRDF_PATH), world)
