"""Answers about poses: known numbers, one and many, all layouts of arrays."""

from __future__ import annotations

import math
import signal
import threading
import time

import numpy as np
import pytest

import elbowroom as er
from conftest import gap_at


def test_known_distances(rod: er.World) -> None:
    for angle in (-1.0, 0.0, 0.3, 1.0, 1.5):
        a = rod.nearest([angle])
        assert a.lower <= gap_at(angle) <= a.upper and a.upper - a.lower < 1e-9
        assert a.pair == ("rod/arm", "world/post") and a.pair_id == 0 and a.stop == "closed_form"
        assert a.witness_a is not None and a.witness_b is not None
        assert a.vector is not None and a.normal is not None and a.gradient is not None
        assert np.allclose(a.vector, a.witness_a - a.witness_b)
        assert math.isclose(float(np.linalg.norm(a.normal)), 1.0, abs_tol=1e-12)
        slope = (gap_at(angle + 1e-6) - gap_at(angle - 1e-6)) / 2e-6
        assert math.isclose(a.gradient[0], slope, abs_tol=1e-6)
    assert rod.nearest([0.0]).verdict == er.Verdict.CLEAR
    assert rod.nearest([1.5]).verdict is er.Verdict.COLLISION
    assert str(rod.nearest([0.0], margin=2.0).verdict) == "near"
    assert "rod/arm" in repr(rod.nearest([0.0]))


def test_one_and_many_agree(rod: er.World) -> None:
    poses = rod.random(2000, seed=1)
    codes, all_of = rod.test(poses), rod.clearance(poses)
    assert codes.dtype == np.uint8 and codes.shape == (2000,) and len(all_of) == 2000
    gaps = np.array([gap_at(angle) for angle in poses[:, 0]])
    sure = abs(gaps) > 1e-9
    assert ((codes == er.Verdict.COLLISION) == (gaps < 0))[sure].all()
    assert (all_of.lower <= gaps + 1e-15).all() and (gaps - 1e-15 <= all_of.upper).all()
    assert (all_of.pair == 0).all() and all_of.names(3) == ("rod/arm", "world/post")
    assert (all_of.verdict == [rod.nearest(q).verdict for q in poses]).all()
    assert rod.test(poses[0]) == codes[0] and isinstance(rod.test(poses[0]), er.Verdict)
    with pytest.raises(IndexError):
        all_of.names(2000)


def test_all_layouts_are_taken(panda: er.World) -> None:
    poses = panda.random(50, seed=2)
    right = panda.clearance(poses).lower
    wide = np.zeros((50, 14))
    wide[:, ::2] = poses
    read_only = poses.copy()
    read_only.flags.writeable = False
    backwards = poses[::-1].copy()[::-1]
    for same in (np.asfortranarray(poses), wide[:, ::2], read_only, backwards, poses.tolist(), poses[:, :]):
        assert (panda.clearance(same).lower == right).all()
    swapped = poses.astype(">f8")
    assert (panda.clearance(swapped).lower == right).all()
    for q, lower in zip(poses, right):
        assert abs(panda.nearest(q).lower - lower) < 1e-9
        assert abs(panda.nearest(tuple(q)).lower - lower) < 1e-9
        assert abs(panda.nearest(q.astype(np.float32)).lower - lower) < 1e-5
    assert panda.test(np.zeros((0, panda.dof))).shape == (0,)


@pytest.mark.parametrize(
    ("values", "kind", "words"),
    [
        ([0.0, 0.0], ValueError, r"shape \(1,\).*these have \(2,\)"),
        (np.zeros((2, 2, 2)), ValueError, r"one row.*\(2, 2, 2\)"),
        (np.zeros(1, dtype=complex), TypeError, "complex128"),
        (np.array(["0.5"]), TypeError, "<U3"),
        (np.array([True]), TypeError, "bool"),
        (["a"], TypeError, "real numbers"),
        ("a", TypeError, "<U1"),
        (None, TypeError, "object"),
        ([[0.0]], TypeError, "real numbers"),
        ([math.nan], er.PoseError, "`rod/turn` is NaN"),
        ([math.inf], er.PoseError, "rod/turn"),
        ([2.5], er.PoseError, "outside its limits"),
    ],
)
def test_bad_poses_are_refused(rod: er.World, values: object, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        rod.nearest(values)  # type: ignore[arg-type]


def test_bad_rows_are_named(rod: er.World) -> None:
    poses = rod.random(30000, seed=1)
    poses[[7, 29000], 0] = [np.nan, 9.0]
    with pytest.raises(er.PoseError, match="pose 7: .*NaN") as caught:
        rod.test(poses)
    assert caught.value.rows[0][0] == 7
    poses[7] = 0.0
    with pytest.raises(er.PoseError) as caught:
        rod.clearance(poses)
    assert [row for row, _ in caught.value.rows] == [29000]
    with pytest.raises(ValueError, match=r"\(n, 1\)"):
        rod.test(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="depth"):
        rod.nearest([0.0], depth="deep")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="cutoff"):
        rod.nearest([0.0], cutoff=math.nan)


def test_progress_is_told(rod: er.World) -> None:
    told: list[int] = []
    rod.test(rod.random(50000), progress=told.append)
    assert sum(told) == 50000 and len(told) > 1

    def stop(_: int) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        rod.test(rod.random(50000), progress=stop)


def test_threads_share_a_world(panda: er.World) -> None:
    poses = panda.random(300, seed=5)
    right = panda.clearance(poses).lower
    worst: list[float] = []

    def ask() -> None:
        worst.append(max(abs(panda.nearest(q).lower - lower) for q, lower in zip(poses, right)))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(worst) == 8 and max(worst) < 1e-9


def test_ctrl_c_ends_a_batch(panda: er.World) -> None:
    poses = np.tile(panda.random(1000, seed=1), (400, 1))
    timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            panda.clearance(poses)
    timer.join()
    assert panda.nearest(panda.neutral).pair is not None


def test_other_threads_run_meanwhile(panda: er.World) -> None:
    poses, counted, end = panda.random(20000, seed=1), [0], threading.Event()

    def count() -> None:
        while not end.is_set():
            counted[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    panda.clearance(poses)
    assert counted[0] > before
    end.set()
    thread.join()
