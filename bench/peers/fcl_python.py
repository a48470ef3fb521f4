"""FCL through python-fcl, for machines without FCL's headers. The line protocol is that of `common.hpp`.

A Python call is inside every figure of this engine. `load` prints on stderr what a query of two spheres costs
through the same binding: nearly all of it is the call.
"""

import statistics
import struct
import sys
import time

import fcl
import numpy as np

DISTANCE, COHERENT, DEPTH, ALL_DISTANCES, FIRST_COLLISION, TRIANGLES = range(6)


def read_work(path):
    data = memoryview(open(path, "rb").read())
    if data[:8] != b"EBWORK04":
        raise ValueError(f"{path} is not a work file")
    at = 8

    def numbers(count, kind="<u4"):
        nonlocal at
        found = np.frombuffer(data, dtype=kind, count=count, offset=at)
        at += found.nbytes
        return found

    ask, _, shape_count = numbers(3)
    shapes = []
    for _ in range(shape_count):
        vertices, triangles = (int(x) for x in numbers(2))
        shapes.append((numbers(3 * vertices, "<f8").reshape(-1, 3), numbers(3 * triangles).reshape(-1, 3)))
    pairs = numbers(2 * int(numbers(1)[0])).reshape(-1, 2).tolist()
    steps, a_step = (int(x) for x in numbers(2))
    return int(ask), shapes, pairs, steps, a_step, numbers(12 * steps * a_step, "<f8").reshape(-1, 12)


class Engine:
    def __init__(self, path):
        self.ask, shapes, self.pairs, self.steps, self.a_step, poses = read_work(path)
        if self.ask > TRIANGLES:
            raise ValueError("be asked of a whole robot through Python")
        self.objects = []
        for vertices, triangles in shapes:
            if self.ask == TRIANGLES:
                geometry = fcl.BVHModel()
                geometry.beginModel(len(vertices), len(triangles))
                geometry.addSubModel(vertices, triangles)
                geometry.endModel()
            else:
                faces = np.column_stack([np.full(len(triangles), 3), triangles]).flatten()
                geometry = fcl.Convex(vertices, len(triangles), faces)
            self.objects.append([fcl.CollisionObject(geometry), fcl.CollisionObject(geometry)])
        self.poses = [fcl.Transform(row[:9].reshape(3, 3), row[9:]) for row in poses]
        self.plain = fcl.DistanceRequest(True)
        self.signed = fcl.DistanceRequest(True, True)
        self.yes_or_no = fcl.CollisionRequest(1, False)
        self.answers = np.zeros(self.steps * (len(self.pairs) if self.ask == ALL_DISTANCES else 1))
        print(f"python-fcl: a call alone costs {self.null_call():.0f} ns", file=sys.stderr)

    def null_call(self, count=20000):
        a = fcl.CollisionObject(fcl.Sphere(0.1))
        b = fcl.CollisionObject(fcl.Sphere(0.1), fcl.Transform([1, 0, 0]))
        start = time.perf_counter_ns()
        for _ in range(count):
            fcl.distance(a, b, self.plain, fcl.DistanceResult())
        return (time.perf_counter_ns() - start) / count

    def pair(self, a, b, pose_a, pose_b):
        one, other = self.objects[a][0], self.objects[b][1]
        one.setTransform(self.poses[pose_a])
        other.setTransform(self.poses[pose_b])
        try:
            if self.ask == FIRST_COLLISION:
                return fcl.collide(one, other, self.yes_or_no, fcl.CollisionResult())
            request = self.signed if self.ask == DEPTH else self.plain
            return fcl.distance(one, other, request, fcl.DistanceResult())
        except Exception:
            return float("nan")

    def step(self, number):
        first = number * self.a_step
        if self.ask <= DEPTH:
            a, b = self.pairs[number]
            self.answers[number] = self.pair(a, b, first, first + 1)
        elif self.ask == ALL_DISTANCES:
            count = len(self.pairs)
            for place, (a, b) in enumerate(self.pairs):
                self.answers[number * count + place] = self.pair(a, b, first + a, first + b)
        elif self.ask == FIRST_COLLISION:
            hits = (place for place, (a, b) in enumerate(self.pairs) if self.pair(a, b, first + a, first + b))
            self.answers[number] = next(hits, -1)
        else:
            self.answers[number] = min(max(0.0, self.pair(a, b, first + a, first + b)) for a, b in self.pairs)

    def once(self):
        batch, times = max(1, self.steps // 20), []
        for start in range(0, self.steps, batch):
            stop = min(start + batch, self.steps)
            clock = time.perf_counter_ns()
            for number in range(start, stop):
                self.step(number)
            times.append((time.perf_counter_ns() - clock) / (stop - start))
        return times


def main():
    engine = None
    for line in sys.stdin:
        verb, _, rest = line.strip().partition(" ")
        try:
            if verb == "quit":
                return
            if verb == "load":
                engine = Engine(rest)
                reply = f"loaded {engine.steps}"
            elif verb == "answers":
                engine.once()
                open(rest, "wb").write(engine.answers.astype("<f8").tobytes())
                reply = f"written {len(engine.answers)}"
            elif verb == "run":
                start, times, passes = time.monotonic(), [], 0
                while passes == 0 or time.monotonic() - start < float(rest):
                    times += engine.once()
                    passes += 1
                reply = f"ran {statistics.median(times):.3f} {statistics.fmean(times):.3f} {passes}"
            else:
                reply = f"cannot understand {verb}"
        except (OSError, ValueError, AttributeError, struct.error) as error:
            reply = "cannot " + " ".join(str(error).split())
        print(reply, flush=True)


if __name__ == "__main__":
    main()
