"""Writes the inputs that every engine reads: one `.work` file an item of `items.json`.

    prepare.py ITEMS DATA OUT     (DATA: the folder with bench/, robots/, truth/)

Everything is made from the item's own description and seed, so two runs write the same bytes.
Layout, little endian: magic `EBWORK01`; u32 ask; u32 shapes, and per shape u32 vertices, u32 triangles, f64 x 3 each,
u32 x 3 each (counter-clockwise from outside); u32 pairs, u32 x 2 each; u32 steps; u32 poses a step; then the poses, world <-
shape, f64 x 12 each (rotation row-major, translation). Pair items have one pair and two poses a step; robot items have one
pose a shape, and all pairs in every step.
"""

import json
import os
import struct
import sys
from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull

ASKS = ["distance", "coherent", "depth", "all_distances", "first_collision", "smallest_triangle_distance"]


def hull(points):
    """Vertices and outward triangles of the convex hull of points, in input order."""
    points = np.unique(points, axis=0) if len(points) > 4096 else points
    made = ConvexHull(points, qhull_options="Qt")
    kept = np.sort(made.vertices)
    number = -np.ones(len(points), dtype=np.int64)
    number[kept] = np.arange(len(kept))
    triangles = made.simplices.copy()
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inward = np.einsum("ij,ij->i", normals, made.equations[:, :3]) < 0
    triangles[inward] = triangles[inward][:, [0, 2, 1]]
    return points[kept], number[triangles].astype(np.uint32)


def reduced(points, limit):
    """At most `limit` hull vertices: the six extremes first, then whichever sticks out of the hull so far the most."""
    points, _ = hull(points)
    chosen = []
    for axis in range(3):
        for index in (int(np.argmin(points[:, axis])), int(np.argmax(points[:, axis]))):
            if index not in chosen:
                chosen.append(index)
    while np.linalg.matrix_rank(points[chosen] - points[chosen[0]], tol=1e-6) < 3:
        base = points[chosen] - points[chosen[0]]
        _, _, rows = np.linalg.svd(base)
        away = np.abs((points - points[chosen[0]]) @ rows[-1])
        chosen.append(int(np.argmax(away)))
    while len(chosen) < min(limit, len(points)):
        planes = ConvexHull(points[chosen], qhull_options="Qt").equations
        out = (points @ planes[:, :3].T + planes[:, 3]).max(axis=1)
        out[chosen] = -np.inf
        best = int(np.argmax(out))
        if out[best] <= 1e-9:
            break
        chosen.append(best)
    return points[sorted(chosen)]


def read_stl(path):
    """Binary STL: distinct vertices (f32 as stored) and triangles."""
    data = Path(path).read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    if len(data) != 84 + 50 * count:
        raise SystemExit(f"{path}: not a binary STL of {count} triangles")
    records = np.frombuffer(data, dtype=np.dtype([("f", "<f4", (12,)), ("a", "<u2")]), offset=84)
    corners = records["f"][:, 3:].reshape(-1, 3)
    vertices, inverse = np.unique(corners, axis=0, return_inverse=True)
    triangles = inverse.reshape(-1, 3).astype(np.uint32)
    whole = (
        (triangles[:, 0] != triangles[:, 1]) & (triangles[:, 1] != triangles[:, 2]) & (triangles[:, 0] != triangles[:, 2])
    )
    return vertices.astype(np.float64), triangles[whole]


def read_obj(path):
    rows = [line.split() for line in open(path)]
    vertices = np.array([[float(x) for x in row[1:4]] for row in rows if row and row[0] == "v"])
    triangles = np.array(
        [[int(x.split("/")[0]) - 1 for x in row[1:4]] for row in rows if row and row[0] == "f"], dtype=np.uint32
    )
    # Outward: the narrow hulls contain their own centroid.
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inward = np.einsum("ij,ij->i", normals, corners.mean(axis=1) - vertices.mean(axis=0)) < 0
    triangles[inward] = triangles[inward][:, [0, 2, 1]]
    return vertices, triangles


def write(path, ask, shapes, pairs, poses):
    steps, a_step = poses.shape[0], poses.shape[1]
    temporary = path.with_suffix(".part")
    with open(temporary, "wb") as file:
        file.write(b"EBWORK01" + struct.pack("<II", ASKS.index(ask), len(shapes)))
        for vertices, triangles in shapes:
            file.write(struct.pack("<II", len(vertices), len(triangles)))
            file.write(np.ascontiguousarray(vertices, dtype="<f8").tobytes())
            file.write(np.ascontiguousarray(triangles, dtype="<u4").tobytes())
        file.write(struct.pack("<I", len(pairs)) + np.ascontiguousarray(pairs, dtype="<u4").tobytes())
        file.write(struct.pack("<II", steps, a_step) + np.ascontiguousarray(poses, dtype="<f8").tobytes())
    os.replace(temporary, path)


class Robot:
    """Kinematics by pinocchio; one collision mesh a link, as its STL file says (shape frame = link frame with its origin)."""

    def __init__(self, data, name):
        import pinocchio

        self.pinocchio = pinocchio
        summary = json.load(open(data / "truth" / "summary.json"))["robots"][name]
        urdf = data / "robots" / summary["urdf"]
        self.links = summary["links"]
        self.pairs = np.array([[self.links.index(link) for link in pair.split("|")] for pair in summary["pairs_checked"]])
        self.model = pinocchio.buildModelFromUrdf(str(urdf))
        geometry = pinocchio.buildGeomFromUrdf(
            self.model, str(urdf), pinocchio.GeometryType.COLLISION, None, [str(urdf.parent)]
        )
        self.state = self.model.createData()
        self.places, self.meshes = [], []
        for link in self.links:
            frame = self.model.getFrameId(link)
            mine = [g for g in geometry.geometryObjects if g.parentFrame == frame]
            if len(mine) != 1:
                raise SystemExit(f"{urdf}: {link} has {len(mine)} collision shapes; one was expected")
            if not np.allclose(mine[0].meshScale, 1.0):
                raise SystemExit(f"{urdf}: {link} has a scaled mesh")
            self.places.append((mine[0].parentJoint, mine[0].placement))
            self.meshes.append(read_stl(mine[0].meshPath))

    def random(self, generator):
        low, high = self.model.lowerPositionLimit, self.model.upperPositionLimit
        return low + (high - low) * generator.random(self.model.nq)

    def poses(self, q):
        self.pinocchio.forwardKinematics(self.model, self.state, q)
        rows = np.empty((len(self.places), 12))
        for row, (joint, placement) in zip(rows, self.places):
            world = self.state.oMi[joint] * placement
            row[:9] = world.rotation.reshape(9)
            row[9:] = world.translation
        return rows


def all_separated(shapes, pairs, poses):
    """Whether coal finds every pair at least 1 mm apart: used only to choose poses."""
    import coal

    def transform(row):
        return coal.Transform3s(row[:9].reshape(3, 3), row[9:])

    for a, b in pairs:
        if coal.distance(shapes[a], transform(poses[a]), shapes[b], transform(poses[b]), coal.DistanceRequest(), coal.DistanceResult()) < 1e-3:
            return False
    return True


def robot_item(item, data, robots):
    robot = robots.setdefault(item["robot"], None) or Robot(data, item["robot"])
    robots[item["robot"]] = robot
    if item["geometry"] == "mesh":
        shapes = robot.meshes
    elif item["geometry"] == "hull":
        shapes = [hull(vertices) for vertices, _ in robot.meshes]
    else:
        shapes = [hull(reduced(vertices, int(item["geometry"][4:]))) for vertices, _ in robot.meshes]
    generator = np.random.Generator(np.random.PCG64(item["seed"]))
    keep = lambda poses: True
    if item.get("separated_only"):
        import coal

        def convex(vertices):
            points = coal.StdVec_Vec3s()
            points.extend(list(vertices))
            return coal.Convex.convexHull(points, True, "Qt")

        hulls = [convex(vertices) for vertices, _ in shapes]
        keep = lambda poses: all_separated(hulls, robot.pairs, poses)
    chosen, tried = [], 0
    while len(chosen) < item["poses"]:
        poses = robot.poses(robot.random(generator))
        tried += 1
        if keep(poses):
            chosen.append(poses)
        if tried > 100 * item["poses"]:
            raise SystemExit(f"{item['name']}: {tried} random poses gave only {len(chosen)} separated ones")
    sizes = ", ".join(str(len(vertices)) for vertices, _ in shapes)
    print(f"  {item['name']}: {len(chosen)} poses of {tried} drawn, {len(robot.pairs)} pairs, vertices {sizes}")
    return shapes, robot.pairs, np.array(chosen)


def narrow_item(item, data):
    vertices, case = item["narrow"]
    folder = data / "bench" / "narrow"
    shapes = [read_obj(folder / f"h{vertices}_{i}.obj") for i in range(8)]
    pairs = np.load(folder / f"n{vertices}_{case}_idx.npy")
    poses = np.load(folder / f"n{vertices}_{case}_X.npy")
    return shapes, pairs, poses


def main():
    items, data, out = (Path(argument) for argument in sys.argv[1:4])
    out.mkdir(parents=True, exist_ok=True)
    robots = {}
    for item in json.load(open(items))["items"]:
        # A file is made anew when its description, or this program, has changed.
        stamp = json.dumps(item, sort_keys=True) + "\n" + Path(__file__).read_text()
        work, stamped = out / f"{item['name']}.work", out / f"{item['name']}.made-from"
        if work.exists() and stamped.exists() and stamped.read_text() == stamp:
            continue
        shapes, pairs, poses = narrow_item(item, data) if "narrow" in item else robot_item(item, data, robots)
        write(work, item["ask"], shapes, pairs, poses)
        stamped.write_text(stamp)


if __name__ == "__main__":
    main()
