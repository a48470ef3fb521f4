"""Worlds that are edited, and checkers that go over to them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import elbowroom as er
from conftest import gap_at, rod_robot


def post_at(x: float, y: float, name: str = "post") -> er.Obstacle:
    return er.Obstacle(name, er.Sphere(0.2), er.Pose([x, y, 0.0]))


def test_an_edit_is_a_world_of_its_own(rod: er.World) -> None:
    more = rod.edited(add=[post_at(1.5, 0.0, "near")])
    a = more.nearest([0.0])
    assert a.pair == ("rod/arm", "world/near") and a.lower <= 0.2 <= a.upper
    assert "world/near" not in rod.bodies and rod.nearest([0.0]).pair == ("rod/arm", "world/post")
    moved = more.edited(replace=[post_at(3.0, 0.0)], remove=["world/near"])
    assert moved.nearest([0.0]).lower <= 1.7 <= moved.nearest([0.0]).upper
    again = moved.edited(remove=["world/post"], add=[post_at(0.0, 1.0)])
    for angle in (-1.0, 0.0, 1.0):
        assert again.nearest([angle]).lower <= gap_at(angle) <= again.nearest([angle]).upper
    assert again.geometry("world/post") == [(er.Sphere(0.2), er.Pose())]


def test_an_edit_answers_as_a_world_made_anew() -> None:
    rng = np.random.default_rng(5)
    places = rng.uniform(-2.0, 2.0, (30, 2))
    posts = [post_at(x, y, f"p{k}") for k, (x, y) in enumerate(places)]
    begun = er.World([rod_robot()], posts[:20])
    edited = begun.edited(add=posts[20:], remove=["world/p3"]).edited(pad={"rod": 0.01})
    anew = er.World([rod_robot()], [post for post in posts if post.name != "p3"], padding=0.01)
    poses = begun.random(500, seed=3)
    one, other = edited.clearance(poses), anew.clearance(poses)
    assert np.allclose(one.lower, other.lower, atol=1e-12) and (one.verdict == other.verdict).all()
    assert [one.names(k) for k in range(500)] == [other.names(k) for k in range(500)]
    assert (edited.test(poses) == anew.test(poses)).all()
    assert edited.geometry("rod/arm") == anew.geometry("rod/arm")


def test_pairs_are_allowed_and_checked_again(rod: er.World) -> None:
    allowed = rod.edited(allow=[("rod/arm", "world/post", "it gives way")])
    assert allowed.pair_count == 0 and allowed.nearest([1.5]).verdict == er.Verdict.UNKNOWN
    checked = allowed.edited(check=[("rod/arm", "world/post")])
    assert checked.nearest([1.5]).verdict == er.Verdict.COLLISION
    listed = rod.extended(checks=[("rod/arm", "world/post")])
    with pytest.raises(ValueError, match='"world/late" would not be checked'):
        listed.edited(add=[post_at(1.5, 0.0, "late")])


def test_an_edited_world_is_pickled_and_extended(rod: er.World) -> None:
    edited = rod.edited(add=[post_at(1.5, 0.0, "near")]).edited(remove=["world/post"], pad={"rod": 0.05})
    again = pickle.loads(pickle.dumps(edited))
    assert again.fingerprint == edited.fingerprint and "world/post" not in again.bodies
    assert again.nearest([0.0]).lower == edited.nearest([0.0]).lower
    extended = edited.extended(obstacles=[post_at(0.0, -1.2, "third")])
    assert extended.nearest([0.0]).lower == edited.nearest([0.0]).lower
    assert extended.nearest([-1.5]).pair == ("rod/arm", "world/third")
    assert "world/post" not in extended.bodies


def test_every_fault_of_an_edit_is_told(rod: er.World) -> None:
    movable = er.Obstacle("part", er.Sphere(0.1), movable=True)
    with pytest.raises(er.WorldError) as caught:
        rod.edited(add=[movable, post_at(0.0, 1.0)], remove=["world/lamp"], pad={"crane": 0.1})
    words = str(caught.value)
    assert len(caught.value.faults) >= 4
    assert all(word in words for word in ("part", "world/post", "world/lamp", "crane"))
    with pytest.raises(er.WorldError, match="links?"):
        rod.edited(remove=["rod/arm"])
    assert rod.edited().fingerprint == rod.fingerprint


def test_a_checker_goes_over_with_its_state() -> None:
    post = er.Obstacle("post", er.Sphere(0.2), er.Pose([0.0, 1.0, 0.0]), movable=True)
    world = er.World([rod_robot()], [post], clouds=[er.Cloud("scan", 0.01, 10)])
    checker = er.Checker(world)
    checker.set([0.5])
    checker.update_cloud("world/scan", [[50.0, 0.0, 0.0]])
    checker.place("world/post", er.Pose([-1.0, 0.0, 0.0]))
    checker.hide("world/post")
    edited = world.edited(add=[post_at(1.5, 0.0, "near")])
    other = checker.migrate_to(edited)
    assert other.world is edited and other.hidden == ["world/post"] and other.values.tolist() == [0.5]
    assert other.nearest([0.0]).pair == ("rod/arm", "world/near")
    other.show("world/post")
    assert np.allclose(other.body_pose("world/post")[:3, 3], [-1.0, 0.0, 0.0])
    assert checker.hidden == ["world/post"] and checker.nearest([0.0]).pair == ("rod/arm", "world/scan")
    with pytest.raises(er.ChangeError, match="not edited from"):
        checker.migrate_to(er.World([rod_robot()], [post]))
