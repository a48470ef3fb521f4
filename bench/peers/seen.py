"""What sensors saw of an item's world, and how a work file says it."""

import struct
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np


@dataclass
class Seen:
    """Clouds of points, one after the other, each point a ball of a radius; and cells: centre and edge."""

    radius: float = 0.0
    frames: list = field(default_factory=list)
    cells: np.ndarray = field(default_factory=lambda: np.zeros((0, 4)))

    def packed(self):
        yield struct.pack("<dI", self.radius, len(self.frames))
        for points in self.frames:
            yield struct.pack("<I", len(points)) + np.ascontiguousarray(points, dtype="<f8").tobytes()
        yield struct.pack("<I", len(self.cells)) + np.ascontiguousarray(self.cells, dtype="<f8").tobytes()


# Points lie so far from the surfaces that they are of, in the mean (metres): the noise of a depth camera.
NOISE = 0.002
# How many clouds follow one another.
FRAMES = 4
# Poses of yes or no are those of the path, with this added to each joint (radians, standard deviation).
AWAY = 0.3
# Poses are left out where a point is between these distances of a link (metres): there the answer depends on
# whether a point is a ball of a centimetre or in a cube of two, which reaches 2 * sqrt(3) centimetres.
BETWEEN = (-0.001, 0.036)


def sampled(generator, obstacles, count):
    """Points on the surfaces of all obstacles, as many as their areas say."""
    shapes, numbers, places = obstacles
    corners = []
    for number, place in zip(numbers, places):
        vertices, triangles = shapes[number]
        corners.append((vertices @ place[:9].reshape(3, 3).T + place[9:])[triangles])
    corners = np.concatenate(corners)
    sides = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    areas = np.linalg.norm(np.cross(*sides), axis=1)
    chosen = generator.choice(len(areas), size=count, p=areas / areas.sum())
    u, v = generator.random((2, count))
    u, v = np.where(u + v > 1.0, [1.0 - u, 1.0 - v], [u, v])
    on_surface = corners[chosen, 0] + u[:, None] * sides[0][chosen] + v[:, None] * sides[1][chosen]
    return on_surface + NOISE * generator.standard_normal((count, 3))


class Depths:
    """How far points are from a robot's links, by the planes of their faces: less than they are, exact where
    they are inside."""

    def __init__(self, chain, points):
        from scipy.spatial import ConvexHull, cKDTree

        self.chain, self.points, self.tree = chain, points, cKDTree(points)
        self.links = []
        for vertices, _ in chain.shapes:
            middle = vertices.mean(axis=0)
            reach = np.linalg.norm(vertices - middle, axis=1).max()
            self.links.append((middle, reach, ConvexHull(vertices, qhull_options="Qt").equations))

    def least(self, q):
        least = np.inf
        for row, (middle, reach, planes) in zip(self.chain.poses(q), self.links):
            turned, place = row[:9].reshape(3, 3), row[9:]
            near = self.tree.query_ball_point(turned @ middle + place, reach + BETWEEN[1])
            if near:
                local = (self.points[near] - place) @ turned
                least = min(least, (local @ planes[:, :3].T + planes[:, 3]).max(axis=1).min())
        return least


def clouds(item, chain, path, obstacles):
    """Clouds of points on the obstacles, one after the other, and poses: the path, or of yes or no poses near
    it whose answer is the same in all clouds, and whether points are balls or are put in cubes."""
    generator = np.random.Generator(np.random.PCG64(item["seed"]))
    replaced, distance = item["ask"] == "cloud_replace", item["ask"] == "cloud_distance"
    frames = [sampled(generator, obstacles, item["points"]) for _ in range(FRAMES if replaced else 1)]
    seen = Seen(item["radius_m"], frames)
    if distance:
        return path, seen
    depths = [Depths(chain, points) for points in frames]
    values, hits = [], 0
    while len(values) < item["poses"]:
        q = path[len(values) % len(path)] + AWAY * generator.standard_normal(chain.model.nq)
        q[7:] = path[len(values) % len(path), 7:]
        if not chain.inside(q):
            continue
        least = [each.least(q) for each in depths]
        if min(least) > BETWEEN[1] or max(least) < BETWEEN[0]:
            hits += max(least) < BETWEEN[0]
            values.append(q)
    print(f"  {item['name']}: {hits} of {len(values)} poses touch the points")
    return np.array(values), seen


# The robot is put where no cell is nearer than this (metres) at any pose of its path, and one nearly so near.
CLEAR = 0.04
# Its base is at most so high above the lowest cell (metres).
LIFTED = 0.8


def parts(cells, edge):
    """Cells of one edge, in place of larger ones."""
    made = []
    for size in np.unique(cells[:, 3]):
        of_size = cells[cells[:, 3] == size, :3]
        line = (np.arange(round(size / edge)) + 0.5) * edge - 0.5 * size
        shifts = np.stack(np.meshgrid(line, line, line, indexing="ij"), axis=-1).reshape(-1, 3)
        made.append((of_size[:, None] + shifts[None]).reshape(-1, 3))
    return np.concatenate(made)


def standing(generator, chain, path, middles, edge):
    """Where in a map the robot can stand, and comes near to something on its path: by points on it, at random
    cells, so that the map's own grid is kept."""
    from scipy.spatial import cKDTree

    tree, points = cKDTree(middles), []
    for q in path:
        for row, (vertices, _) in zip(chain.poses(q), chain.shapes):
            some = np.concatenate([vertices, 0.5 * (vertices[:, None] + vertices[None]).reshape(-1, 3)])
            points.append(some @ row[:9].reshape(3, 3).T + row[9:])
    points = np.concatenate(points)
    few, (low, high) = generator.choice(points, size=300), np.percentile(middles, [10, 90], axis=0)
    low[2] = middles[:, 2].min()
    high[2] = low[2] + LIFTED
    half = 0.5 * np.sqrt(3.0) * edge
    clear = lambda some, base: tree.query(some + base, distance_upper_bound=1.0)[0].min() - half
    for _ in range(100000):
        base = np.round((low + (high - low) * generator.random(3)) / edge) * edge
        if CLEAR < clear(few, base) < 8.0 * CLEAR and CLEAR < clear(points, base) < 3.0 * CLEAR:
            return base
    raise SystemExit("the robot finds no place in the map")


def mapped(item, chain, path, maps):
    """The cells of a map about the robot, all of the smallest edge: those nearest to its base, which is the
    origin."""
    cells = np.fromfile(maps / (Path(item["octomap"]).stem + ".cells")).reshape(-1, 4)
    smallest = cells[:, 3].min()
    generator = np.random.Generator(np.random.PCG64(item["seed"]))
    base = standing(generator, chain, path, parts(cells, smallest), smallest)
    edge = item["edge_m"]
    middles = parts(cells, edge) - base
    order = np.argsort(np.linalg.norm(middles, axis=1), kind="stable")[: item["cells"]]
    middles = middles[np.sort(order)]
    print(f"  {item['name']}: base at {base} of the map")
    return Seen(cells=np.column_stack([middles, np.full(len(middles), edge)]))
