"""What changes in a world before each step of an item, and how a work file says it."""

import struct
from dataclasses import dataclass, field

import numpy as np

# What is placed is at least so far from the robot (metres): coal has a distance only of what is apart.
APART = 0.005
# How far each obstacle moves to and fro about its place (metres, radians), and how fast (radians a step):
# at most about a centimetre a step.
SWAY, TURN, PACE = 0.04, 0.2, 0.25
# Where the middle of what is held is in the hand's frame (metres): between the fingers' tips.
GRIP = (0.0, 0.0, 0.105)


@dataclass
class Changes:
    """Rows are (step, obstacle, world <- obstacle), in the order of steps."""

    anew: bool = False
    held: int = 0
    meets: list = field(default_factory=list)
    rows: list = field(default_factory=list)

    def packed(self):
        yield struct.pack("<III", self.anew, self.held, len(self.meets))
        yield np.array(self.meets, dtype="<u4").tobytes()
        kind = np.dtype([("step", "<u4"), ("obstacle", "<u4"), ("pose", "<f8", (12,))])
        rows = np.zeros(len(self.rows), dtype=kind)
        for k, (step, obstacle, pose) in enumerate(self.rows):
            rows[k] = step, obstacle, pose
        yield struct.pack("<I", len(rows)) + rows.tobytes()


def rotation(axis, angle):
    x, y, z = axis
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * across + (1.0 - np.cos(angle)) * (across @ across)


def units(generator, count):
    rows = generator.standard_normal((count, 3))
    return rows / np.linalg.norm(rows, axis=1)[:, None]


def at(turned, place):
    return np.concatenate([turned.reshape(9), place])


class Near:
    """Distances of an obstacle to the robot's bodies, by coal: used only to choose places."""

    def __init__(self, shapes, poses, obstacles):
        import coal

        self.coal = coal

        def convex(vertices):
            points = coal.StdVec_Vec3s()
            points.extend(list(vertices))
            return coal.Convex.convexHull(points, True, "Qt")

        self.bodies = [convex(vertices) for vertices, _ in shapes]
        self.obstacles = [convex(vertices) for vertices, _ in obstacles]
        middles = np.array([vertices.mean(axis=0) for vertices, _ in shapes])
        reach = lambda vertices, middle: np.linalg.norm(vertices - middle, axis=1).max()
        self.reach = np.array([reach(vertices, m) for (vertices, _), m in zip(shapes, middles)])
        self.sizes = [reach(vertices, 0.0) for vertices, _ in obstacles]
        self.poses = poses
        rotations = poses[:, :, :9].reshape(len(poses), len(shapes), 3, 3)
        self.middles = np.einsum("sbij,bj->sbi", rotations, middles) + poses[:, :, 9:]

    def transform(self, row):
        return self.coal.Transform3s(row[:9].reshape(3, 3), row[9:])

    def free(self, obstacle, pose, steps, bodies=None):
        """Whether an obstacle at a pose is apart from the bodies at all of these steps."""
        away = np.linalg.norm(self.middles[steps] - pose[9:], axis=2) - self.reach - self.sizes[obstacle]
        for k, body in np.argwhere(away < APART):
            if bodies is not None and body not in bodies:
                continue
            request, result = self.coal.DistanceRequest(), self.coal.DistanceResult()
            placed = self.transform(self.poses[steps[k], body]), self.transform(pose)
            one, other = self.bodies[body], self.obstacles[obstacle]
            if self.coal.distance(one, placed[0], other, placed[1], request, result) < APART:
                return False
        return True


def one_placed(generator, near, homes):
    """Another obstacle each step is put somewhere among the others, where it is never in the robot's way."""
    low, high, rows = homes[:, 9:].min(axis=0), homes[:, 9:].max(axis=0), []
    for step in range(len(near.poses)):
        obstacle, rest = int(generator.integers(len(homes))), np.arange(step, len(near.poses))
        while True:
            turned = rotation(units(generator, 1)[0], np.pi * generator.random())
            pose = at(turned, low + (high - low) * generator.random(3))
            if near.free(obstacle, pose, rest):
                break
        rows.append((step, obstacle, pose))
    return rows


def all_placed(generator, near, homes, far):
    """All obstacles each step: each sways about its place or, `far`, takes the place of another; where it
    would be in the robot's way it is in its own."""
    count = len(homes)
    along, about = units(generator, count), units(generator, count)
    phases, rows = 2.0 * np.pi * generator.random((2, count)), []
    for step in range(len(near.poses)):
        for obstacle, home in enumerate(homes):
            if far:
                pose = at(home[:9], homes[(obstacle + 37 * (step + 1)) % count, 9:])
            else:
                swung = np.sin(phases[:, obstacle] + PACE * step)
                turned = rotation(about[obstacle], TURN * swung[1]) @ home[:9].reshape(3, 3)
                pose = at(turned, home[9:] + SWAY * swung[0] * along[obstacle])
            kept = near.free(obstacle, pose, np.array([step]))
            rows.append((step, obstacle, pose if kept else home))
    return rows


def one_held(chain, near, homes):
    """The smallest obstacle, in the hand in every step; the steps at which it is free of all others and of
    the arm, and what of the robot it must not touch."""
    hand = len(chain.places) - 2
    joint = chain.places[hand][0]
    meets = [k for k, (other, _) in enumerate(chain.places) if other < joint]
    obstacle = int(np.argmin(near.sizes))
    rows, steps = [], []
    for step, poses in enumerate(near.poses):
        turned = poses[hand, :9].reshape(3, 3)
        pose = at(turned, poses[hand, 9:] + turned @ np.array(GRIP))
        others = np.linalg.norm(homes[:, 9:] - pose[9:], axis=1) - near.sizes - near.sizes[obstacle]
        free = near.free(obstacle, pose, np.array([step]), meets)
        for other in np.flatnonzero(others < APART):
            if not free or other == obstacle:
                continue
            request, result = near.coal.DistanceRequest(), near.coal.DistanceResult()
            placed = near.transform(pose), near.transform(homes[other])
            one = near.obstacles[obstacle]
            apart = near.coal.distance(one, placed[0], near.obstacles[other], placed[1], request, result)
            free = apart >= APART
        if free:
            rows.append((len(steps), obstacle, pose))
            steps.append(step)
    return rows, steps, joint, meets


def changed(item, chain, path, obstacles):
    """The path, or what is free of it, and the changes."""
    shapes, numbers, homes = obstacles
    if item["change"] == "none":
        return path, Changes()
    generator = np.random.Generator(np.random.PCG64(item["seed"]))
    poses = np.array([chain.poses(q) for q in path])
    near = Near(chain.shapes, poses, [shapes[number] for number in numbers])
    if item["change"] == "attach":
        rows, steps, joint, meets = one_held(chain, near, homes)
        return path[steps], Changes(held=joint, meets=meets, rows=rows)
    if item["change"] == "place":
        return path, Changes(anew=item.get("anew", False), rows=one_placed(generator, near, homes))
    return path, Changes(rows=all_placed(generator, near, homes, item["change"] == "far"))
