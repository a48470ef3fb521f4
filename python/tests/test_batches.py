"""Gradients, points and motions of many rows agree with those of one."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import numpy as np
import pytest

import elbowroom as er


def test_gradients_and_points_of_many(panda: er.World) -> None:
    poses = panda.random(1200, seed=4)
    plain = panda.clearance(poses)
    assert plain.gradient is None and plain.witness_a is None and plain.witness_b is None
    found = panda.clearance(poses, gradient=True, points=True)
    assert (found.lower == plain.lower).all()
    gradient, a, b = found.gradient, found.witness_a, found.witness_b
    assert gradient is not None and a is not None and b is not None
    assert gradient.shape == (1200, 7) and a.shape == b.shape == (1200, 3)
    compared = 0
    for row in range(0, 1200, 40):
        one = panda.nearest(poses[row])
        if one.pair_id == found.pair[row] and found.lower[row] > 1e-4:
            assert one.gradient is not None and one.vector is not None
            assert np.allclose(gradient[row], one.gradient, atol=1e-5)
            assert np.allclose(a[row] - b[row], one.vector, atol=1e-6)
            compared += 1
    assert compared >= 20


def test_where_bounds_decide_there_are_no_points(panda: er.World) -> None:
    found = panda.clearance(panda.random(200, seed=1), cutoff=0.001, gradient=True, points=True)
    assert found.witness_a is not None and found.gradient is not None
    far = np.isinf(found.upper)
    assert far.any() and np.isnan(found.witness_a[far]).all() and np.isnan(found.gradient[far]).all()


def test_many_motions_agree_with_one(rod: er.World) -> None:
    starts, ends = rod.random(200, seed=1), rod.random(200, seed=2)
    told: list[int] = []
    many = rod.edges(starts, ends, progress=told.append)
    assert len(many) == 200 and sum(told) == 200 and many.free.any() and many.contact.any()
    for row in range(200):
        one = rod.edge(starts[row], ends[row])
        assert (one.free, one.pair, one.free_until) == (many.free[row], many.names(row), many.free_until[row])
        assert (one.outcome == "contact") == many.contact[row]
        if one.first_contact is None:
            assert np.isnan(many.first_contact[row]).all()
        else:
            assert one.first_contact == tuple(many.first_contact[row])
    assert len(rod.edges(np.zeros((0, 1)), np.zeros((0, 1)))) == 0
    with pytest.raises(IndexError):
        many.names(200)


def test_the_answer_for_a_motion_does_not_depend_on_others(panda: er.World) -> None:
    poses = panda.random(300, seed=4)
    starts, ends = poses[:-1], poses[1:]
    many, back = panda.edges(starts, ends), panda.edges(starts[::-1], ends[::-1])
    assert many.free.any() and many.contact.any()
    for one, other in (
        (many.free, back.free),
        (many.contact, back.contact),
        (many.free_until, back.free_until),
        (many.first_contact, back.first_contact),
    ):
        assert np.array_equal(one, other[::-1], equal_nan=one.dtype.kind == "f")
    for row in (0, 7, 8, 150, 298):
        assert many.names(row) == back.names(298 - row)


def test_a_few_rows_are_answered_as_many_are(panda: er.World) -> None:
    """A few rows are asked on the thread that calls, in slices here: of one, of the most that are few."""
    starts, goals = panda.random(300, seed=8), panda.random(300, seed=9)
    changed, ends = er.Checker(panda), starts + 0.2 * (goals - starts)
    verdicts, motions = panda.test(starts).tolist(), panda.edges(starts, ends)
    for size in (1, 7, 64):
        slices = [slice(k, k + size) for k in range(0, 300, size)]
        told: list[int] = []
        few_verdicts = [panda.test(starts[s], progress=told.append) for s in slices]
        assert np.concatenate(few_verdicts).tolist() == verdicts
        assert told == [min(size, 300 - s.start) for s in slices]
        for asked in (panda, changed):
            few = [asked.edges(starts[s], ends[s], progress=told.append) for s in slices]
            assert np.concatenate([edges.free for edges in few]).tolist() == motions.free.tolist()
            assert np.concatenate([edges.contact for edges in few]).tolist() == motions.contact.tolist()
        assert sum(told) == 900
    assert motions.free.sum() > 30 and motions.contact.sum() > 30
    # Long motions take longer than a thread asks alone.
    motions, few = panda.edges(starts, goals), [panda.edges(starts[s], goals[s]) for s in slices]
    assert np.concatenate([edges.free_until for edges in few]).tolist() == motions.free_until.tolist()
    assert len(panda.test(starts[:0])) == 0
    starts[[3, 40], 0] = np.nan
    for ask in (panda.test, lambda poses: panda.edges(poses, poses)):
        with pytest.raises(er.PoseError) as caught:
            ask(starts[:60])
        assert [row for row, _ in caught.value.rows] == [3, 40]
    # What a checker changed counts for a few motions, too.
    row = 100 + int(np.flatnonzero(motions.contact[100:])[0])
    a, b = motions.names(row) or ("", "")
    changed.allow(a, b)
    again = changed.edges(starts[row : row + 1], goals[row : row + 1])
    assert again.names(0) != (a, b)


def test_bad_motions_are_refused(rod: er.World) -> None:
    starts = rod.random(10)
    with pytest.raises(ValueError, match="10 starts and 9 ends"):
        rod.edges(starts, starts[:9])
    with pytest.raises(ValueError, match=r"shape \(n, 1\)"):
        rod.edges(starts[0], starts[0])
    ends = starts.copy()
    ends[[3, 7]] = np.nan
    with pytest.raises(er.PoseError) as caught:
        rod.edges(starts, ends)
    assert [row for row, _ in caught.value.rows] == [3, 7]

    def stop(_: int) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        rod.edges(starts, starts, progress=stop)


def test_ctrl_c_ends_many_motions(panda: er.World) -> None:
    poses = panda.random(2000, seed=1)
    timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            panda.edges(poses[:-1], poses[1:])
    timer.join()


def test_motions_are_read_from_files(rod: er.World, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("t,turn\n0,0.5\n0.25,1\n")
    poses, times = er.load_motion(rod, tmp_path / "a.csv")
    assert poses.tolist() == [[0.5], [1.0]] and times is not None and times.tolist() == [0.0, 0.25]
    np.save(tmp_path / "b.npy", poses)
    again, none = er.load_motion(rod, tmp_path / "b.npy")
    assert (again == poses).all() and none is None
    (tmp_path / "c.csv").write_text("t,turns\n0,0.5\n")
    with pytest.raises(er.LoadError, match="turns"):
        er.load_motion(rod, tmp_path / "c.csv")
    (tmp_path / "d.jsonl").write_text('{"t": 0, "q": [0.5]}\n{"hide": {"name": "post"}}\n')
    with pytest.raises(ValueError, match="d.jsonl has events"):
        er.load_motion(rod, tmp_path / "d.jsonl")
