"""Bad input has a clear exception or a right answer. It never crashes, leaks or hangs."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Iterator

import numpy as np
import pytest

import elbowroom as er
from conftest import ROOT, gap_at, rod_robot


def post(movable: bool = False) -> er.Obstacle:
    return er.Obstacle("post", er.Sphere(0.2), er.Pose([0.0, 1.0, 0.0]), movable=movable)


def test_what_is_asked_outlives_what_made_it() -> None:
    world = er.World([rod_robot()], [post(movable=True)])
    checker, answer, edge = er.Checker(world), world.nearest([0.3]), world.edge([-2.0], [1.0])
    certificate, found, pair = edge.certificate, world.clearance([[0.3]]), world.pair_names
    changed = checker.edge([-2.0], [1.0]).certificate
    del world, edge
    gc.collect()
    assert answer.pair == found.names(0) == pair(0) == ("rod/arm", "world/post")
    assert answer.gradient is not None and answer.lower <= gap_at(0.3) <= answer.upper
    assert checker.nearest([0.3]).lower == answer.lower
    del checker
    gc.collect()
    assert certificate is not None and changed is not None
    certificate.verify()
    changed.verify()


def test_arrays_may_go_while_they_are_asked(rod: er.World) -> None:
    right = rod.test(rod.random(100_000, seed=1))
    kept = [rod.random(100_000, seed=1)]
    told: list[int] = []

    def drop(count: int) -> None:
        told.append(count)
        if kept:
            with pytest.raises(ValueError, match="resize|refer"):
                kept[0].resize((3, 1))
            kept.clear()
            gc.collect()

    assert (rod.test(kept[0], progress=drop) == right).all() and sum(told) == 100_000


class Spoilt:
    """Raises wherever it is asked for numbers."""

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        raise KeyError("spoilt")

    def __float__(self) -> float:
        raise KeyError("spoilt")

    @property
    def homogeneous(self) -> np.ndarray:
        raise KeyError("spoilt")

    def __iter__(self) -> Iterator[object]:
        yield er.Sphere(0.1)
        raise KeyError("spoilt")


@pytest.mark.parametrize("ask", ["nearest", "test", "clearance", "frames"])
def test_exceptions_of_the_callers_objects_pass_through(rod: er.World, ask: str) -> None:
    for values in (Spoilt(), [Spoilt()]):
        with pytest.raises(KeyError, match="spoilt"):
            getattr(rod, ask)(values)
    with pytest.raises(KeyError, match="spoilt"):
        er.World([rod_robot()], [er.Obstacle("o", Spoilt())])  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="spoilt"):
        er.distance(er.Sphere(1), Spoilt(), er.Sphere(1), None)
    with pytest.raises(KeyError, match="spoilt"):
        spoil = lambda _: Spoilt().homogeneous  # noqa: E731
        rod.clearance(rod.random(50_000), progress=spoil)  # type: ignore[arg-type]
    assert rod.nearest([0.3]).lower <= gap_at(0.3)


def test_a_callback_may_ask_and_change() -> None:
    world = er.World([rod_robot()], [post(movable=True)])
    checker = er.Checker(world)
    poses, asked = world.random(60_000, seed=1), []
    right = checker.test(poses)

    def ask(_: int) -> None:
        asked.append(checker.nearest([0.3]).lower)
        asked.append(world.test(poses[:10]).sum())
        checker.place("world/post", er.Pose([5.0, 0.0, 0.0]))

    # The batch goes on with the changes that the checker had when it began.
    assert (checker.test(poses, progress=ask) == right).all() and asked
    assert (checker.test(poses) == er.Verdict.CLEAR).all()


def test_two_threads_share_a_checker_and_change_it() -> None:
    checker = er.Checker(er.World([rod_robot()], [post(movable=True)]))
    wrong: list[object] = []
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            try:
                lower = checker.nearest([0.0]).lower
                checker.edges([[-0.5]] * 20, [[0.5]] * 20)
                checker.clearance([[0.0]] * 20)
            except er.BusyError:
                continue
            except BaseException as error:
                wrong.append(error)
                return
            # The post is at one of two places.
            if min(abs(lower - gap_at(0.0)), abs(lower - 0.2)) > 1e-9:
                wrong.append(lower)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    changes = 0
    while changes < 300:
        at = [1.5, 0.0, 0.0] if changes % 2 else [0.0, 1.0, 0.0]
        try:
            checker.place("world/post", er.Pose(at))
            changes += 1
        except er.BusyError:
            pass
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong


def _answer_in_child(world: er.World, checker: er.Checker, poses: np.ndarray, queue: object) -> None:
    try:
        changed: object = checker.copy().nearest([0.3]).lower
    except er.BusyError:
        # A thread of the parent had it.
        changed = None
    many = world.clearance(poses).lower.tolist()
    again = pickle.loads(pickle.dumps(world)).nearest([0.3]).lower
    queue.put((many, changed, again, world.edge([-2.0], [1.0]).free))  # type: ignore[attr-defined]


def test_a_process_forks_while_threads_ask() -> None:
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("no fork here")
    # A mesh, and nothing asked before: what is made on demand is made while processes fork.
    cell = er.load(ROOT / "robots/puma260/bottleneck.toml")
    world = er.World([rod_robot()], [post()])
    checker, poses, done = er.Checker(world), world.random(3000, seed=1), threading.Event()
    right, wrong = world.clearance(poses).lower.tolist(), []

    def ask() -> None:
        while not done.is_set():
            try:
                checker.nearest([0.3])
                world.clearance(poses)
                cell.nearest(cell.neutral)
            except er.BusyError:
                pass
            except BaseException as error:
                wrong.append(error)
                return

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    context = multiprocessing.get_context("fork")
    for _ in range(10):
        queue = context.Queue()
        child = context.Process(  # type: ignore[attr-defined]
            target=_answer_in_child, args=(world, checker, poses, queue)
        )
        child.start()
        many, changed, again, free = queue.get(timeout=60)
        child.join(60)
        assert child.exitcode == 0 and many == right and free
        assert abs(again - gap_at(0.3)) < 1e-9 and (changed is None or abs(changed - gap_at(0.3)) < 1e-9)
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong


def test_damaged_pickles_are_refused_or_are_worlds() -> None:
    world = er.World([rod_robot()], [post(movable=True)], clouds=[er.Cloud("scan", 0.01, 10)])
    restore, (version, state) = world.__reduce__()
    rng, refused = np.random.default_rng(7), 0
    for _ in range(400):
        bad = bytearray(state)
        for at in rng.integers(0, len(bad), rng.integers(1, 4)):
            bad[at] ^= 1 << rng.integers(0, 8)
        try:
            restore(version, bytes(bad))
        except er.Error:
            refused += 1
    assert refused > 200
    for length in range(0, len(state), 7):
        with pytest.raises(er.Error):
            restore(version, state[:length])
    shape = er.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    restore, (version, state) = shape.__reduce__()
    with pytest.raises(er.Error, match="pickled by elbowroom 9.9"):
        restore("9.9", state)
    with pytest.raises(er.Error, match="damaged"):
        restore(version, state[:9])


def test_no_memory_is_an_exception() -> None:
    pytest.importorskip("resource")
    code = """
import resource
import numpy as np
import elbowroom as er
links = [er.Link("base"), er.Link("arm", [(er.Sphere(0.1), er.Pose([1.0, 0.0, 0.0]))])]
turn = er.Joint("turn", "revolute", "base", "arm", axis=(0, 0, 1), lower=-2.0, upper=2.0)
world = er.World([er.Robot("rod", links, [turn])], [er.Obstacle("post", er.Sphere(0.2), er.Pose([0, 1, 0]))])
checker = er.Checker(world)
world.test(world.random(100))
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**28, resource.RLIM_INFINITY))
many = np.broadcast_to(np.array([[0.3]]), (10**9, 1))
asked = 0
for ask in (
    lambda: world.test(many), lambda: world.clearance(many, gradient=True, points=True),
    lambda: world.frames(many), lambda: world.edges(many, many), lambda: world.random(10**9),
    lambda: checker.test(many), lambda: checker.clearance(many), lambda: checker.edges(many, many),
):
    try:
        ask()
    except MemoryError as error:
        asked += 1
assert asked == 8, asked
# What fits is answered.
assert (world.test(many[:100000]) == 0).all()
"""
    if not Path("/proc/self/statm").exists():
        pytest.skip("no /proc here")
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_hundred_million_rows(rod: er.World, tmp_path: Path, dtype: str) -> None:
    count = 10**8
    rows = np.memmap(tmp_path / "rows", dtype, "w+", shape=(count, 1))
    bad = np.array([0, 1, 8191, 8192, 12_345_678, count - 2, count - 1])
    rows[bad] = 1.5
    before = resident_bytes()
    codes = rod.test(rows)
    assert codes.shape == (count,) and (np.flatnonzero(codes != er.Verdict.CLEAR) == bad).all()
    # The verdicts, and the rows themselves where they were read.
    assert resident_bytes() - before < count * (1 + rows.itemsize) + 400e6
    rows[count // 2] = np.nan
    with pytest.raises(er.PoseError, match="50000000") as caught:
        rod.test(rows)
    assert [row for row, _ in caught.value.rows] == [count // 2]


@pytest.mark.slow
def test_memory_is_flat_over_a_million_calls(rod: er.World) -> None:
    checker, row = er.Checker(rod), np.array([0.3])
    box, at = er.Box([0.1, 0.1, 0.1]), er.Pose([2.0, 0.0, 0.0])

    def ask(count: int) -> int:
        for k in range(count):
            a = rod.nearest(row)
            _ = a.vector, a.gradient, a.pair, a.verdict
            checker.nearest(row)
            if k % 10 == 0:
                _ = rod.test([row, row]), rod.edge(row, [0.4]).certificate, er.distance(box, at, box, None)
            if k % 100 == 0:
                with pytest.raises(er.PoseError):
                    rod.nearest([9.0])
                _ = rod.clearance([row], gradient=True), checker.copy(), rod.edges([row], [[0.4]])
        gc.collect()
        return resident_bytes()

    ask(20_000)
    before = ask(20_000)
    assert ask(1_000_000) - before < 4e6


def resident_bytes() -> int:
    if not Path("/proc/self/statm").exists():
        pytest.skip("no /proc here")
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("rows", [4, 20_000])
def test_an_array_may_change_its_type_while_it_is_asked(rod: er.World, rows: int) -> None:
    for ask in (rod.test, rod.clearance, lambda q, progress: rod.edges(q, q, progress=progress)):
        array = np.full((rows, 1), 0.3)
        ask(array, progress=lambda _: setattr(array, "dtype", "f4"))
        assert array.dtype == np.float32


def test_classes_of_arrays_answer_for_nothing(rod: er.World) -> None:
    class Short(np.ndarray):  # type: ignore[type-arg]
        def __getitem__(self, _: object) -> object:
            return np.zeros((1, 1))

    checker = er.Checker(rod)
    for dtype in ("f4", "f8"):
        short = np.full((4, 1), 1.57, dtype).view(Short)
        assert rod.edges(short, short).contact.all() and checker.edges(short, short).contact.all()
        assert (rod.test(short) == er.Verdict.COLLISION).all()
    assert checker.nearest([0.3]).lower <= gap_at(0.3)
    with pytest.raises(TypeError, match="masked"):
        rod.test(np.ma.masked_invalid([[0.3], [np.nan]]))


def test_arrays_that_are_not_aligned_are_copied(rod: er.World) -> None:
    odd = np.frombuffer(b"\0" + np.full(4, 0.3).tobytes(), "f8", offset=1).reshape(4, 1)
    assert not odd.flags.aligned
    assert (rod.test(odd) == er.Verdict.CLEAR).all() and rod.edges(odd, odd).free.all()
    assert len(rod.clearance(odd).lower) == 4 and rod.frames(odd).shape[0] == 4


@pytest.mark.parametrize("rows", [3, 200])
def test_a_checker_may_be_asked_while_its_motions_are(rod: er.World, rows: int) -> None:
    checker, poses = er.Checker(rod), np.full((rows, 1), 0.3)
    seen: list[float] = []

    def look(_: int) -> None:
        seen.append(checker.nearest([0.3]).lower)
        checker.allow("rod/arm", "world/post")

    assert checker.edges(poses, poses + 1.0, progress=look).contact.all() and seen
    assert not checker.edges(poses, poses + 1.0).contact.any(), "the change counts for the next call"
