"""A motion planned by OMPL and proved free at every instant.

    pip install ompl
    python plan.py WORLD START GOAL

WORLD is a robot or a world file. START and GOAL are joint values in the order of `elbowroom info`, with
commas: radians and metres. Every motion that the planner accepts is proved farther from contact than the
world's margin. Prints the path, a pose a line; the exit code is 1 if no path is found or one is not proved.
"""

import sys

from ompl import geometric as og
from ompl import util

import elbowroom as er
from elbowroom.ompl import make_setup, prove_path, read_path

if len(sys.argv) != 4:
    sys.exit(__doc__)
util.setLogLevel(util.LOG_ERROR)
world = er.load(sys.argv[1])
start, goal = ([float(v) for v in argument.split(",")] for argument in sys.argv[2:4])
for name, pose in (("start", start), ("goal", goal)):
    if len(pose) != world.dof:
        sys.exit(f"the {name} has {len(pose)} values: {', '.join(world.joint_names)} are {world.dof}")
    if world.test(pose) != er.Verdict.CLEAR:
        sys.exit(f"the {name} is not clear: {world.nearest(pose)}")

setup = make_setup(world, start, goal)
setup.setPlanner(og.RRTConnect(setup.getSpaceInformation()))
setup.solve(10.0)
if not setup.haveExactSolutionPath():
    sys.exit("no path found in ten seconds")

path = read_path(setup.getSolutionPath(), world.dof)
for edge in prove_path(world, path):
    if not edge:
        sys.exit(f"not proved free: {edge}")
    if edge.certificate:
        edge.certificate.verify()
for row in path:
    print(",".join(map(repr, row.tolist())))
