"""A short motion found by SciPy with the gradient of the clearance, and proved free at every instant.

    pip install scipy
    python optimise.py WORLD START GOAL [WAYPOINTS]

WORLD is a robot or a world file. START and GOAL are joint values in the order of `elbowroom info`, with
commas: radians and metres. SLSQP makes the sum of the squared steps between WAYPOINTS (8) small while some
poses keep clear: at first the waypoints. Then each step is proved. Where one has contact, that pose is kept
clear too, and SLSQP goes on. Prints the path, a pose a line; the exit code is 1 if no path is proved.
"""

import sys

import numpy as np
from scipy.optimize import minimize

import elbowroom as er

ROUNDS = 20
# What poses keep beyond the margin of the world (metres), so that what is between them can be proved.
RESERVE = 0.005
# Poses among which the least clear one of a step is found.
SAMPLES = 33

if len(sys.argv) not in (4, 5):
    sys.exit(__doc__)
world = er.load(sys.argv[1])
start, goal = (np.array(argument.split(","), dtype=float) for argument in sys.argv[2:4])
if len(start) != world.dof or len(goal) != world.dof:
    sys.exit(f"start and goal need {world.dof} values: {', '.join(world.joint_names)}")
count = int(sys.argv[4]) if len(sys.argv) > 4 else 8
inner = (count - 2, world.dof)


def make_path(x):
    return np.vstack([start, x.reshape(inner), goal])


def measure_steps(x):
    """The sum of the squared steps, and its gradient."""
    steps = np.diff(make_path(x), axis=0)
    return np.sum(steps**2), 2 * (steps[:-1] - steps[1:]).ravel()


def mix_poses(x, shares):
    """Poses between waypoints: a row of `shares` says how much of each waypoint is in a pose."""
    return np.clip(shares @ make_path(x), world.lower, world.upper)


def measure_room(x, shares):
    """How much farther from contact each pose is than it must be (metres)."""
    return world.clearance(mix_poses(x, shares)).lower - world.margin - RESERVE


def measure_room_slope(x, shares):
    gradient = world.clearance(mix_poses(x, shares), gradient=True).gradient
    return np.einsum("kw,kj->kwj", shares[:, 1:-1], np.nan_to_num(gradient)).reshape(len(shares), -1)


if (world.test([start, goal]) != er.Verdict.CLEAR).any():
    sys.exit("the start or the goal is not clear")
shares = np.eye(count)[1:-1]
x = np.linspace(start, goal, count)[1:-1].ravel()
bounds = list(zip(np.tile(world.lower, count - 2), np.tile(world.upper, count - 2)))
for _ in range(ROUNDS):
    clear = {"type": "ineq", "fun": measure_room, "jac": measure_room_slope, "args": (shares,)}
    x = minimize(measure_steps, x, jac=True, method="SLSQP", bounds=bounds, constraints=clear).x
    path = np.clip(make_path(x), world.lower, world.upper)
    edges = [world.edge(*ends) for ends in zip(path, path[1:])]
    if all(edges):
        break
    for k in (k for k, edge in enumerate(edges) if not edge):
        along = np.linspace(np.eye(count)[k], np.eye(count)[k + 1], SAMPLES)
        shares = np.vstack([shares, along[np.argmin(measure_room(x, along))]])
else:
    sys.exit(f"no path proved free in {ROUNDS} rounds")

for edge in edges:
    if edge.certificate:
        edge.certificate.verify()
for row in path:
    print(",".join(map(repr, row.tolist())))
