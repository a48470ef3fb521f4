"""The Panda from Python: elbowroom beside Pinocchio and Coal. Prints a table.

    python bench/python/panda.py FOLDER_OF_THE_PANDA

Both read the same URDF, triangles and SRDF. Pinocchio and Coal (`pip install pin coal`) are left out where
they are absent. Best of several rounds, since other programs may run beside.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import elbowroom as er

FOLDER = Path(sys.argv[1])
URDF, SRDF = FOLDER / "panda.urdf", FOLDER / "panda.srdf"

OURS_FIRST = f"""
import time; start = time.perf_counter()
import elbowroom as er
world = er.load({str(URDF)!r})
answer = world.nearest([0.0, -0.5, 0.0, -2.0, 0.0, 1.5, 0.5, 0.01, 0.01][: world.dof])
print(time.perf_counter() - start)
"""

THEIRS_LOADED = f"""
import pinocchio as pin, coal
model = pin.buildModelFromUrdf({str(URDF)!r})
geometry = pin.buildGeomFromUrdf(model, {str(URDF)!r}, pin.COLLISION, package_dirs=[{str(FOLDER)!r}])
geometry.addAllCollisionPairs()
pin.removeCollisionPairs(model, geometry, {str(SRDF)!r})
data, of_geometry = model.createData(), geometry.createData()
"""

THEIRS_FIRST = f"""
import time; start = time.perf_counter()
{THEIRS_LOADED}
import numpy as np
q = np.array([0.0, -0.5, 0.0, -2.0, 0.0, 1.5, 0.5, 0.01, 0.01])[: model.nq]
pin.computeDistances(model, data, geometry, of_geometry, q)
least = min(of_geometry.distanceResults, key=lambda result: result.min_distance)
print(time.perf_counter() - start)
"""


def best(rounds: int, ask: object) -> float:
    """The shortest time of some rounds (s)."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        ask()  # type: ignore[operator]
        times.append(time.perf_counter() - start)
    return min(times)


def first_answer(code: str, rounds: int = 7) -> float:
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, capture_output=True, text=True) for _ in range(rounds)]
    return min(float(run.stdout) for run in runs if run.returncode == 0)


def main() -> None:
    told: dict[str, object] = {}
    world = er.load(URDF)
    told["first answer, ours (ms)"] = 1e3 * first_answer(OURS_FIRST)
    try:
        scope: dict[str, object] = {}
        exec(THEIRS_LOADED, scope)
    except ImportError as error:
        print(f"no peers: {error}")
        scope = {}
    if scope:
        told["first answer, pin + coal (ms)"] = 1e3 * first_answer(THEIRS_FIRST)

    poses = world.random(1000, seed=1)
    free = poses[world.test(poses) != er.Verdict.COLLISION]
    rows = list(free)

    def one_by_one() -> None:
        for q in rows:
            world.nearest(q)

    one = best(20, one_by_one) / len(rows)
    told["free poses"] = len(rows)
    told["nearest from Python (us)"] = 1e6 * one

    # A ball before a ball: the engine has next to nothing to do.
    rod = er.World(
        [
            er.Robot(
                "rod",
                [er.Link("base"), er.Link("arm", [(er.Sphere(0.1), er.Pose([1, 0, 0]))])],
                [er.Joint("turn", "revolute", "base", "arm", axis=(0, 0, 1), lower=-2, upper=2)],
            )
        ],
        [er.Obstacle("post", er.Sphere(0.2), er.Pose([0, 1, 0]))],
    )
    at, count = np.array([0.3]), 100000

    def balls() -> None:
        for _ in range(count):
            rod.nearest(at)

    def nothing() -> None:
        for _ in range(count):
            pass

    told["nearest of two balls from Python (ns)"] = 1e9 * (best(5, balls) - best(5, nothing)) / count
    many = rod.random(200000, seed=1)
    batch = best(5, lambda: rod.clearance(many)) / len(many)
    told["two balls, in a batch on all threads (ns a pose)"] = 1e9 * batch

    million = world.random(1_000_000, seed=2)
    told["a million poses, yes or no, ours (s)"] = ours = best(3, lambda: world.test(million))
    told["a thousand of free poses, nearest, in a batch (us a pose)"] = (
        1e6 * best(20, lambda: world.clearance(free)) / len(free)
    )
    if scope:
        pin, model, data = scope["pin"], scope["model"], scope["data"]
        geometry, of_geometry = scope["geometry"], scope["of_geometry"]
        some = million[:2000]

        def loop() -> list[bool]:
            return [pin.computeCollisions(model, data, geometry, of_geometry, q, True) for q in some]

        theirs = best(3, loop) * len(million) / len(some)
        told["a million poses, pin + coal's loop, from 2000 (s)"] = theirs
        told["ratio"] = theirs / ours
        found, right = np.array(loop()), world.test(some) == er.Verdict.COLLISION
        told["of 2000, answers that differ"] = int((found != right).sum())

        def distances() -> None:
            for q in rows[:100]:
                pin.computeDistances(model, data, geometry, of_geometry, q)
                min(result.min_distance for result in of_geometry.distanceResults)

        told["nearest, pin + coal (us)"] = 1e6 * best(3, distances) / 100
    print(json.dumps(told, indent=2))


main()
