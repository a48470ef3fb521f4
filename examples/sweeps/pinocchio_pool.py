"""The same question to Pinocchio and Coal on a pool of processes, to compare with `elbowroom sweep`.

    pip install pin numpy
    python pinocchio_pool.py ROBOT.urdf POSES.npy [PROCESSES]

Pairs are those that `elbowroom pairs` checks; elbowroom must be on the path. The robot's links may have one
collision shape each.
"""

import json
import multiprocessing
import os
import subprocess
import sys
import time

import numpy
import pinocchio

urdf, poses = sys.argv[1], numpy.load(sys.argv[2])
processes = int(sys.argv[3]) if len(sys.argv) > 3 else os.cpu_count()
model = pinocchio.buildModelFromUrdf(urdf)
shapes = pinocchio.buildGeomFromUrdf(model, urdf, pinocchio.GeometryType.COLLISION, os.path.dirname(urdf))
number = {shape.name.rsplit("_", 1)[0]: k for k, shape in enumerate(shapes.geometryObjects)}

told = subprocess.run(["elbowroom", "pairs", urdf, "--json", "-"], capture_output=True, text=True).stdout
for line in map(json.loads, told.splitlines()):
    if line.get("status") == "checked":
        a, b = (number[body.split("/")[-1]] for body in line["pair"])
        shapes.addCollisionPair(pinocchio.CollisionPair(a, b))


def count_collisions(rows):
    data, buffers = model.createData(), pinocchio.GeometryData(shapes)
    ask = pinocchio.computeCollisions
    return sum(ask(model, data, shapes, buffers, q, True) for q in poses[rows])


if __name__ == "__main__":
    begun = time.time()
    with multiprocessing.Pool(processes) as pool:
        parts = numpy.array_split(numpy.arange(len(poses)), processes)
        collisions = sum(pool.map(count_collisions, parts))
    rate = len(poses) / (time.time() - begun)
    print(f"{len(shapes.collisionPairs)} pairs, {collisions} of {len(poses)} collide")
    print(f"{rate:.0f} poses a second on {processes} processes")
