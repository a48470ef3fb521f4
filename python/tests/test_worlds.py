"""Worlds of Python's values, and checkers that change them."""

from __future__ import annotations

import multiprocessing
import pickle
import threading
from typing import Callable

import numpy as np
import pytest

import elbowroom as er
from conftest import gap_at, rod_robot


def changing() -> er.World:
    """The rod; a movable post, a part, a cloud, and a spare place."""
    obstacles = [
        er.Obstacle("post", er.Sphere(0.2), er.Pose([0.0, 1.0, 0.0]), movable=True),
        er.Obstacle("far", er.Box([0.1, 0.1, 0.1]), er.Pose([9.0, 0.0, 0.0])),
    ]
    clouds, spares = [er.Cloud("scan", 0.01, 1000)], [er.Spare("extra", 16)]
    world = er.World([rod_robot()], obstacles, clouds=clouds, spares=spares)
    return world


def seen(world: er.World) -> er.Checker:
    checker = er.Checker(world)
    checker.update_cloud("world/scan", [[50.0, 0.0, 0.0]])
    return checker


def test_every_fault_of_a_world_is_told() -> None:
    bad = er.Robot("bad", [er.Link("a"), er.Link("a")], [er.Joint("j", "revolute", "a", "b")])
    with pytest.raises(er.WorldError) as caught:
        er.World([bad], [er.Obstacle("o", er.Sphere(-1.0))], margin=-1.0)
    assert len(caught.value.faults) >= 3 and not isinstance(caught.value, er.LoadError)
    told = str(caught.value)
    assert "bad" in told and "margin" in told
    with pytest.raises(ValueError, match="hinge"):
        er.World([er.Robot("r", [er.Link("a"), er.Link("b")], [er.Joint("j", "hinge", "a", "b")])])
    with pytest.raises(TypeError, match="a body has shapes"):
        er.World([], [er.Obstacle("o", [7])])  # type: ignore[list-item]


def test_a_world_is_extended(rod: er.World) -> None:
    more = rod.extended(obstacles=[er.Obstacle("near", er.Sphere(0.1), er.Pose([1.5, 0.0, 0.0]))], margin=0.5)
    a = more.nearest([0.0])
    assert a.pair == ("rod/arm", "world/near") and a.lower <= 0.3 <= a.upper and more.margin == 0.5
    assert rod.nearest([0.0]).pair == ("rod/arm", "world/post") and more.fingerprint != rod.fingerprint
    with pytest.raises(ValueError, match="has no shape"):
        rod.extended(obstacles=[er.Obstacle("empty", [])])
    listed = rod.extended(checks=[("rod/arm", "world/post")])
    late = er.Obstacle("late", er.Sphere(0.1), er.Pose([1.5, 0.0, 0.0]))
    with pytest.raises(ValueError, match='"world/late" would not be checked'):
        listed.extended(obstacles=[late])
    assert listed.extended(obstacles=[late], checks=[("rod/arm", "world/late")]).pair_count == 2
    free = rod.extended(allowed=[("rod/arm", "world/post", "it gives way")])
    assert free.pair_count == 0 and free.nearest([0.0]).verdict == er.Verdict.UNKNOWN


def test_obstacles_move_and_hide() -> None:
    checker = seen(changing())
    assert checker.nearest([0.0]).lower <= gap_at(0.0) <= checker.nearest().upper
    checker.place("world/post", er.Pose([1.5, 0.0, 0.0]))
    a = checker.nearest()
    assert a.lower <= 0.2 <= a.upper and a.pair == ("rod/arm", "world/post")
    assert checker.pairs(k=1)[0].pair == a.pair and len(checker.pairs(cutoff=0.3)) == 1
    assert checker.between("rod", "world").lower == pytest.approx(0.2)
    assert np.allclose(checker.body_pose("world/post")[:3, 3], [1.5, 0.0, 0.0])
    poses = np.array([[-1.0], [0.0], [1.0]])
    assert (checker.test(poses, margin=0.3) == [0, 1, 0]).all()
    assert checker.edge([-1.0], [1.0], margin=0.3).pair == a.pair
    other = checker.copy()
    checker.hide("world/post")
    assert checker.nearest().pair != a.pair and other.nearest().pair == a.pair
    checker.show("world/post")
    pairs = checker.pair_count
    checker.allow("rod/arm", "world/post")
    assert checker.pair_count == pairs - 1 and checker.allowed_reason("rod/arm", "world/post")
    checker.check_again("rod/arm", "world/post")
    assert checker.allowed_reason("rod/arm", "world/post") is None


def test_a_certificate_holds_the_changes_of_its_checker() -> None:
    checker = seen(changing())
    assert checker.edge([0.0], [2.0]).outcome == "contact"
    checker.place("world/post", er.Pose([-1.0, -1.0, 0.0]))
    free = checker.edge([0.0], [2.0])
    assert free.free and free.certificate is not None and len(free.certificate) > 0
    free.certificate.verify()
    # It is proved with the post where it was then, also after the checker has moved it back.
    checker.place("world/post", er.Pose([0.0, 1.0, 0.0]))
    assert not checker.edge([0.0], [2.0]).free
    free.certificate.verify()
    carried = seen(changing())
    carried.set([0.0])
    carried.place("world/post", er.Pose([1.3, 0.0, 0.0]))
    carried.attach("world/post", "rod/arm")
    edge = carried.edge([0.0], [1.0])
    assert edge.certificate is not None
    edge.certificate.verify()


def test_many_poses_and_motions_with_changes() -> None:
    checker = seen(changing())
    checker.place("world/post", er.Pose([1.5, 0.0, 0.0]))
    poses = np.linspace(-1.5, 1.5, 1300)[:, None]
    found = checker.clearance(poses, gradient=True, points=True)
    assert found.gradient is not None and found.witness_a is not None
    assert (checker.values == [0.0]).all()
    for row in range(0, 1300, 100):
        one = checker.nearest(poses[row])
        assert one.pair_id == found.pair[row] and one.gradient is not None and one.witness_a is not None
        assert abs(one.lower - found.lower[row]) < 1e-9
        assert np.allclose(found.gradient[row], one.gradient)
        assert np.allclose(found.witness_a[row], one.witness_a)
    assert (checker.test(poses, margin=0.3) == checker.clearance(poses, margin=0.3).verdict).all()
    starts, ends = poses[:-100:50], poses[100::50]
    many = checker.edges(starts, ends, margin=0.25)
    assert many.free.any() and many.contact.any()
    for row, (start, end) in enumerate(zip(starts, ends)):
        one_edge = checker.edge(start, end, margin=0.25)
        assert (one_edge.free, one_edge.pair) == (many.free[row], many.names(row))
    # Nothing is proved where nothing is checked.
    rod = er.World([rod_robot()], [er.Obstacle("post", er.Sphere(0.2), er.Pose([0.0, 1.0, 0.0]))])
    free = er.Checker(rod)
    assert free.edges([[-2.0]], [[-1.0]]).free.all()
    free.allow("rod/arm", "world/post")
    assert not free.edges([[-2.0]], [[-1.0]]).free.any() and not free.edge([-2.0], [-1.0]).free


def test_a_part_is_carried() -> None:
    checker = seen(changing())
    checker.set([0.0])
    checker.place("world/post", er.Pose([1.3, 0.0, 0.0]))
    checker.attach("world/post", "rod/arm")
    checker.set([1.0])
    at = checker.body_pose("world/post")[:2, 3]
    assert np.allclose(at, [1.3 * np.cos(1.0), 1.3 * np.sin(1.0)])
    checker.detach("world/post")
    checker.set([0.0])
    assert np.allclose(checker.body_pose("world/post")[:2, 3], at)
    assert (checker.values == [0.0]).all()


def test_clouds_and_spare_places() -> None:
    checker = er.Checker(changing())
    assert checker.nearest([0.0]).verdict == er.Verdict.UNKNOWN
    wall = np.array([[1.5, 0.1 * y, 0.1 * z] for y in range(-15, 15) for z in range(-15, 15)])
    checker.update_cloud("world/scan", wall)
    a = checker.nearest()
    assert a.pair == ("rod/arm", "world/scan") and a.lower <= 0.39 <= a.upper
    checker.update_cloud("world/scan", [[1.11, 0.0, 0.0], [1.5, 0.0, 0.0]])
    assert checker.self_points("world/scan", 0.03).tolist() == [0]
    checker.update_cloud("world/scan", [[50.0, 0.0, 0.0]])
    box = (er.Box([0.1, 0.1, 0.1]), er.Pose([0.2, 0.0, 0.0]))
    checker.insert("world/extra", box, er.Pose([1.0, 0.0, 0.0]))
    a = checker.nearest()
    assert a.pair == ("rod/arm", "world/extra") and a.lower <= 0.05 <= a.upper
    checker.remove("world/extra")
    assert checker.nearest().pair == ("rod/arm", "world/post")


def test_changes_that_make_no_sense_change_nothing() -> None:
    checker = seen(changing())
    before = checker.nearest([0.0]).lower
    changes: list[tuple[Callable[[], object], str]] = [
        (lambda: checker.place("world/past", er.Pose()), 'did you mean "world/post"'),
        (lambda: checker.place("world/far", er.Pose()), "movable|fixed"),
        (lambda: checker.detach("world/post"), "post|carried"),
        (lambda: checker.update_cloud("world/post", [[0, 0, 0]]), "cloud"),
        (lambda: checker.update_cloud("world/scan", np.zeros((2000, 3))), "1000"),
        (lambda: checker.update_cloud("world/scan", [[np.nan, 0, 0]]), "finite|NaN"),
        (lambda: checker.remove("world/extra"), "extra|empty"),
        (lambda: checker.between("rod", "nobody"), "nobody"),
    ]
    for change, words in changes:
        with pytest.raises(er.ChangeError, match=words):
            change()
    with pytest.raises(er.Error):
        checker.insert("world/extra", er.Sphere(-1.0))
    assert checker.nearest([0.0]).lower == before


def test_a_checker_is_for_one_thread() -> None:
    checker, busy, answered = seen(changing()), [0], [0]
    poses = np.linspace(-2.0, 1.0, 3000)

    def ask() -> None:
        for angle in poses:
            try:
                a = checker.nearest([angle])
                assert a.lower <= gap_at(angle) <= a.upper
                answered[0] += 1
            except er.BusyError:
                busy[0] += 1

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answered[0] > 0 and answered[0] + busy[0] <= 4 * len(poses)
    assert checker.nearest([0.0]).lower <= gap_at(0.0)


def test_a_pickled_world_is_the_same(rod: er.World) -> None:
    for world in (rod, changing()):
        again = pickle.loads(pickle.dumps(world))
        assert again.fingerprint == world.fingerprint and again.bodies == world.bodies
    restore, (version, bytes_of) = rod.__reduce__()
    with pytest.raises(er.Error, match="pickled by elbowroom 0.0.1"):
        restore("0.0.1", bytes_of)
    with pytest.raises(er.Error, match="damaged"):
        restore(version, bytes_of[:20])
    with pytest.raises(TypeError):
        pickle.dumps(er.Checker(rod))


def _ask_child(world: er.World, poses: np.ndarray, queue: object) -> None:
    queue.put((world.test(poses).tolist(), world.nearest(poses[0]).lower))  # type: ignore[attr-defined]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_answer(rod: er.World, method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    poses = rod.random(5000, seed=1)
    right = rod.test(poses).tolist()
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(  # type: ignore[attr-defined]
        target=_ask_child, args=(rod, poses, queue)
    )
    child.start()
    codes, lower = queue.get(timeout=120)
    child.join()
    assert codes == right and abs(lower - gap_at(poses[0, 0])) < 1e-9


def test_memory_is_flat(rod: er.World) -> None:
    resource = pytest.importorskip("resource")

    def ask(count: int) -> int:
        for _ in range(count):
            a = rod.nearest([0.3])
            _ = a.vector, a.gradient, a.pair, a.verdict
            with pytest.raises(er.PoseError):
                rod.nearest([9.0])
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    ask(2000)
    before = ask(2000)
    assert ask(20000) - before < 4096
