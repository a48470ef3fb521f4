"""Planners of OMPL over proved checks. Skipped if OMPL is not installed."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import elbowroom as er
from conftest import ROOT, gap_at, rod_robot

pytest.importorskip("ompl", reason="SKIPPED, OMPL is not installed")

from ompl import base as ob  # noqa: E402
from ompl import geometric as og  # noqa: E402

from elbowroom.ompl import (  # noqa: E402
    MotionValidator,
    StateValidityChecker,
    make_setup,
    make_space,
    prove_path,
    read_path,
)


def state_of(space: ob.RealVectorStateSpace, *values: float) -> ob.State:
    state = space.allocState()
    state[0 : len(values)] = list(values)
    return state


def test_states_follow_the_margin(rod: er.World) -> None:
    space = make_space(rod)
    si = ob.SpaceInformation(space)
    checker = StateValidityChecker(si, rod)
    wide = StateValidityChecker(si, rod, margin=0.5)
    for angle in (-1.0, 0.3, 1.0, 1.25, 1.27, 1.5):
        assert checker.isValid(state_of(space, angle)) == (gap_at(angle) > 0.01)
        assert wide.isValid(state_of(space, angle)) == (gap_at(angle) > 0.5)
        assert checker.clearance(state_of(space, angle)) == pytest.approx(gap_at(angle))
    assert not checker.isValid(state_of(space, 9.0)) and not checker.isValid(state_of(space, float("nan")))


def test_a_motion_through_a_thin_wall_is_refused() -> None:
    # From -1 to 1 the ball passes a post as thin as a wire, at zero; all poses asked first but that are free.
    wire = er.Obstacle("wire", er.Sphere(0.0001), er.Pose([np.cos(0.013), np.sin(0.013), 0.0]))
    links = [er.Link("base"), er.Link("arm", [(er.Sphere(0.0001), er.Pose([1.0, 0.0, 0.0]))])]
    turn = er.Joint("turn", "revolute", "base", "arm", axis=(0, 0, 1), lower=-2.0, upper=2.0)
    world = er.World([er.Robot("rod", links, [turn])], [wire])
    space = make_space(world)
    si = ob.SpaceInformation(space)
    motions = MotionValidator(si, world)
    assert not motions.checkMotion(state_of(space, -1.0), state_of(space, 1.0))
    assert motions.checkMotion(state_of(space, -1.0), state_of(space, 0.01))
    assert motions.checkMotion(state_of(space, 0.5), state_of(space, 0.5))
    assert not motions.checkMotion(state_of(space, 0.5), state_of(space, 9.0))
    assert (motions.free, motions.contact, motions.unknown) == (2, 2, 0)


def test_a_checker_answers_with_its_changes() -> None:
    post = er.Obstacle("post", er.Sphere(0.2), er.Pose([0.0, 1.0, 0.0]), movable=True)
    world = er.World([rod_robot()], [post])
    checker = er.Checker(world)
    with pytest.raises(TypeError, match="make_space"):
        make_setup(checker, [0.0], [1.9])
    setup = make_setup(checker, [0.0], [1.9], space=make_space(world))
    si = setup.getSpaceInformation()
    start, goal = state_of(si.getStateSpace(), 0.0), state_of(si.getStateSpace(), 1.9)
    assert not si.checkMotion(start, goal)
    checker.hide("world/post")
    checker.place("world/post", er.Pose([5.0, 0.0, 0.0]))
    checker.show("world/post")
    assert si.checkMotion(start, goal)


def test_what_does_not_fit_is_refused(rod: er.World) -> None:
    with pytest.raises(TypeError, match="RealVectorStateSpace"):
        StateValidityChecker(ob.SpaceInformation(ob.SE2StateSpace()), rod)
    with pytest.raises(ValueError, match="2 dimensions, the world 1"):
        MotionValidator(ob.SpaceInformation(ob.RealVectorStateSpace(2)), rod)
    with pytest.raises(ValueError, match="part"):
        MotionValidator(ob.SpaceInformation(make_space(rod)), rod, part=0.0)
    with pytest.raises(ValueError, match="goal lies outside"):
        make_setup(rod, [0.0], [3.0])
    with pytest.raises(ValueError, match="start lies outside"):
        make_setup(rod, [float("nan")], [1.0])
    with pytest.raises(ValueError, match=r"start must have shape \(1,\)"):
        make_setup(rod, [0.0, 1.0], [3.0])
    with pytest.raises(ValueError, match="at least 2"):
        prove_path(rod, [[0.0]])


def test_states_that_are_no_numbers_are_not_valid(rod: er.World) -> None:
    si = make_setup(rod, [0.0], [1.0]).getSpaceInformation()
    motions, start, end = si.getMotionValidator(), si.allocState(), si.allocState()
    start[0:1] = [0.0]
    for value in (float("nan"), float("inf"), 1e308):
        end[0:1] = [value]
        assert not si.getStateValidityChecker().isValid(end)
        if value == 1e308:
            with pytest.raises(ValueError, match="give a longer part"):
                motions.checkMotion(start, end)
        else:
            assert not motions.checkMotion(start, end)


@pytest.mark.parametrize("planner", [og.RRTConnect, og.RRT, og.KPIECE1, og.PRM, og.BITstar])
def test_paths_of_planners_are_proved(rod: er.World, planner: type) -> None:
    setup = make_setup(rod, [-1.9], [1.2])
    setup.setPlanner(planner(setup.getSpaceInformation()))
    setup.solve(0.5 if planner is og.BITstar else 10.0)
    assert setup.haveExactSolutionPath()
    path = read_path(setup.getSolutionPath(), 1)
    assert path[0] == [-1.9] and path[-1] == [1.2] and all(prove_path(rod, path))
    through = prove_path(rod, [[0.0], [1.9]])
    assert [edge.outcome for edge in through] == ["contact"] and through[0].first_contact is not None


def test_the_example_plans_in_a_cell() -> None:
    cell = ROOT / "robots/rrc_cell/cell.toml"
    world = er.load(cell)
    poses = world.random(200, seed=5)
    clear = poses[world.test(poses) == er.Verdict.CLEAR]
    ends = [",".join(map(repr, q.tolist())) for q in clear[:2]]
    code = [sys.executable, str(ROOT / "examples/planning/plan.py"), f"{cell}", f" {ends[0]}", f" {ends[1]}"]
    run = subprocess.run(code, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    path = [[float(v) for v in line.split(",")] for line in run.stdout.splitlines()]
    assert len(path) >= 2 and path[0] == clear[0].tolist() and all(prove_path(world, path))
