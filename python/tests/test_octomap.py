"""OctoMaps and cells as obstacles."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import elbowroom as er
from conftest import DATA, MAP, rod_robot

BOX = DATA / "scenes/octomap_pointclouds/tesseract/box_2m.bt"


def test_a_map_has_its_cells(tmp_path: Path) -> None:
    file = tmp_path / "room.bt"
    file.write_bytes(MAP)
    for source in (MAP, file, str(file)):
        found = er.load_octomap(source)
        assert found.resolution == 2.0**-15 and found.warnings == []
        assert found.occupied.centres.tolist() == [[0.5, 0.5, 0.5]] and found.occupied.edges.tolist() == [1.0]
        assert found.free.centres.tolist() == [[-0.5, -0.5, -0.5]] and len(found.free) == 1
        unknown = found.unknown()
        assert len(unknown) == 6 and (unknown.edges == 1.0).all()
        assert "1 cells occupied" in repr(found) and repr(unknown) == "6 Cells"
    again = pickle.loads(pickle.dumps(unknown))
    assert (again.centres == unknown.centres).all() and (again.edges == unknown.edges).all()


def test_cells_are_the_shapes_of_an_obstacle() -> None:
    found = er.load_octomap(MAP)
    at = er.Pose([0.0, 0.0, 0.5])
    room = er.Obstacle("room", found.occupied, at)
    world = er.World([rod_robot()], [room])
    a = world.nearest([0.5])
    assert a.pair == ("rod/arm", "world/room") and a.lower <= 0.4 <= a.upper
    # A grid of one's own: the same cube in eight.
    corners = [[x, y, z] for x in (0.25, 0.75) for y in (0.25, 0.75) for z in (0.25, 0.75)]
    for edges in (0.5, np.full(8, 0.5)):
        grid = er.Obstacle("room", er.Cells(corners, edges), at)
        b = er.World([rod_robot()], [grid]).nearest([0.5])
        assert b.pair == a.pair and abs(b.lower - a.lower) < 1e-12
    unseen = world.extended(obstacles=[er.Obstacle("unseen", found.unknown())])
    assert unseen.nearest([2.0]).verdict == er.Verdict.COLLISION
    assert len(world.geometry("world/room")) == 1


def test_a_real_map_is_read() -> None:
    if not BOX.exists():
        pytest.skip(f"SKIPPED, no data folder: {BOX} (ELBOWROOM_DATA)")
    found = er.load_octomap(BOX)
    cells = found.occupied
    low = (cells.centres - cells.edges[:, None] / 2).min(axis=0)
    high = (cells.centres + cells.edges[:, None] / 2).max(axis=0)
    assert ((high - low > 1.9) & (high - low < 2.3)).all()
    world = er.World([rod_robot()], [er.Obstacle("box", cells, er.Pose([2.0 - low[0], 0.0, 0.0]))])
    a = world.nearest([0.0])
    assert a.pair == ("rod/arm", "world/box") and a.lower <= 0.9 <= a.upper


def test_what_is_no_map_is_refused(tmp_path: Path) -> None:
    with pytest.raises(er.LoadError, match="Octomap"):
        er.load_octomap(b"ply\n")
    with pytest.raises(er.LoadError, match="nothing.bt"):
        er.load_octomap(tmp_path / "nothing.bt")
    with pytest.raises(er.LoadError):
        er.load_octomap(MAP[:-1])
    with pytest.raises(TypeError, match="path of an OctoMap, or its bytes"):
        er.load_octomap(7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="1 centres and 2 edges"):
        er.Cells([[0, 0, 0]], [1.0, 2.0])
    with pytest.raises(ValueError, match="has no shape"):
        er.World([rod_robot()], [er.Obstacle("none", er.Cells(np.zeros((0, 3)), 1.0))])
    with pytest.raises(er.WorldError, match="size"):
        er.World([rod_robot()], [er.Obstacle("flat", er.Cells([[0, 0, 0]], -1.0))])
