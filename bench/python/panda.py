"""The Panda from Python: elbowroom beside Pinocchio and Coal. Prints what it measured.

    python bench/python/panda.py FOLDER_OF_THE_PANDA

Both read the same URDF and SRDF, with triangles. Pinocchio and Coal (`pip install pin coal`) are left out if
they are not installed. Other programs may run at the same time. So a short call is timed in rounds of about a
millisecond, and the best round counts; for long work it is the CPU time of all threads together. A start is
the best of fifteen.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable

import numpy as np

import elbowroom as er

FOLDER = Path(sys.argv[1])
URDF, SRDF = FOLDER / "panda.urdf", FOLDER / "panda.srdf"
RESULTS: dict[str, float] = {}

NUMPY = "import numpy"

OURS_FIRST = f"""
import elbowroom as er
world = er.load({str(URDF)!r})
answer = world.nearest(world.neutral)
"""

OURS_LIST = f"""
import elbowroom as er
world = er.load({str(URDF)!r})
answer = world.nearest([0.0, -0.5, 0.0, -2.0, 0.0, 1.5, 0.5])
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
{THEIRS_LOADED}
import numpy as np
q = np.array([0.0, -0.5, 0.0, -2.0, 0.0, 1.5, 0.5])
pin.computeDistances(model, data, geometry, of_geometry, q)
least = min(of_geometry.distanceResults, key=lambda result: result.min_distance)
"""


def best(rounds: int, ask: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """The shortest time of some rounds (s)."""
    shortest = float("inf")
    for _ in range(rounds):
        start = clock()
        ask()
        shortest = min(shortest, clock() - start)
    return shortest


def best_call(ask: Callable[[], object], calls: int = 1000) -> float:
    """The shortest time of a call, less that of an empty loop (ns)."""

    def time_rounds(ask: Callable[[], object]) -> float:
        def rounds() -> None:
            for _ in range(calls):
                ask()

        return best(400, rounds)

    return 1e9 * (time_rounds(ask) - time_rounds(lambda: None)) / calls


def measure_start(what: str, code: str, rounds: int = 15) -> None:
    """The least time by the clock, and of the CPU, in which a new Python process runs this code."""
    begin = "import time; begun = time.perf_counter(), time.process_time()"
    end = "print(time.perf_counter() - begun[0], time.process_time() - begun[1])"
    command = [sys.executable, "-W", "ignore", "-c", "\n".join((begin, code, end))]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(rounds)]
    clock, cpu = zip(*((float(word) for word in run.stdout.split()[-2:]) for run in runs))
    RESULTS[f"{what} (ms)"], RESULTS[f"{what}, CPU (ms)"] = 1e3 * min(clock), 1e3 * min(cpu)


def measure_calls() -> None:
    """The cost of a call itself: for two balls the engine has almost no work."""
    links = [er.Link("base"), er.Link("arm", [(er.Sphere(0.1), er.Pose([1, 0, 0]))])]
    turn = er.Joint("turn", "revolute", "base", "arm", axis=(0, 0, 1), lower=-2, upper=2)
    post = er.Obstacle("post", er.Sphere(0.2), er.Pose([0, 1, 0]))
    rod = er.World([er.Robot("rod", links, [turn])], [post])
    at, many, checker = np.array([0.3]), rod.random(512, seed=1), er.Checker(rod)
    RESULTS["NumPy, sum of one number (ns)"] = best_call(at.sum)
    RESULTS["two balls, test at a checker's pose (ns)"] = best_call(checker.test)
    RESULTS["two balls, nearest (ns)"] = best_call(lambda: rod.nearest(at))
    batch = best_call(lambda: rod.clearance(many), 1) / len(many)
    RESULTS["two balls, clearance of 512 poses, one pose (ns)"] = batch


def main() -> None:
    world = er.load(URDF)
    poses = world.random(1000, seed=1)
    free = poses[world.test(poses) == er.Verdict.CLEAR][:512].copy()
    rows = list(free)

    def one_by_one() -> None:
        for q in rows:
            world.nearest(q)

    RESULTS["Panda, nearest, one by one (us)"] = 1e6 * best(400, one_by_one) / len(rows)
    batch = 1e6 * best(400, lambda: world.clearance(free)) / len(free)
    RESULTS["Panda, clearance of 512 poses, one pose (us)"] = batch
    measure_calls()
    million = world.random(1_000_000, seed=2)
    ours = best(5, lambda: world.test(million), time.process_time)
    RESULTS["Panda, a million poses, yes or no (CPU s)"] = ours
    measure_start("import to first answer", OURS_FIRST)
    measure_start("import to first answer, from a list", OURS_LIST)
    measure_start("import of NumPy alone", NUMPY)

    scope: dict[str, object] = {}
    try:
        exec(THEIRS_LOADED, scope)
    except ImportError as error:
        print(f"no peers: {error}")
        return
    pin, model, data = scope["pin"], scope["model"], scope["data"]
    geometry, of_geometry = scope["geometry"], scope["of_geometry"]
    some = million[:2000]

    def collide(rows: np.ndarray) -> list[bool]:
        ask = pin.computeCollisions  # type: ignore[attr-defined]
        return [ask(model, data, geometry, of_geometry, q, True) for q in rows]

    def measure_distances() -> None:
        for q in rows[:2]:
            pin.computeDistances(model, data, geometry, of_geometry, q)  # type: ignore[attr-defined]
            min(result.min_distance for result in of_geometry.distanceResults)  # type: ignore[attr-defined]

    theirs = 500 * best(3, lambda: collide(some), time.process_time)
    RESULTS["pin + coal: a million poses, from 2000 (CPU s)"] = theirs
    RESULTS["times as much"] = theirs / ours
    RESULTS["of these 2000, answers that differ"] = int(
        (np.array(collide(some)) != (world.test(some) == er.Verdict.COLLISION)).sum()
    )
    RESULTS["pin + coal: smallest distance (us)"] = 1e6 * best(200, measure_distances) / 2
    measure_start("pin + coal: import to first answer", THEIRS_FIRST)


main()
print(json.dumps({what: round(value, 1 if value > 10 else 3) for what, value in RESULTS.items()}, indent=2))
