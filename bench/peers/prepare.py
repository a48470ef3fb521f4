"""Writes the inputs that every engine reads: one `.work` file an item of `items.json`.

    prepare.py ITEMS DATA OUT CELL [NAME ...]

DATA: the folder with bench/, robots/, scenes/, truth/. CELL: the objects of henrich97's cell, as
`elbowroom-bench cell` writes them. In OUT/robots and OUT/maps is each robot and each map that an item names
by its file, as `elbowroom-bench robot` and `elbowroom-bench cells` write them. Only the named items are
written, without names all. Everything is made from the item's own description and seed, so two runs write the
same bytes. What changes and what sensors saw: `changes.py`, `seen.py`.

Layout, little endian: magic `EBWORK04`; u32 ask; u32 1 if shapes are their triangles, 0 if they are their
hulls; u32 shapes, and per shape u32 vertices, u32 triangles, f64 x 3 each, u32 x 3 each (counter-clockwise
from outside); u32 pairs, u32 x 2 each; u32 steps; u32 poses a step; then the poses, world <- shape, f64 x 12
each (rotation row-major, translation). Pair items have one pair and two poses a step; robot items have one
pose a shape, and all pairs in every step. Where a whole robot is asked, what an engine with kinematics needs
follows, else seven zeros: u32 joints, and per joint u32 kind (0 turns, 1 slides), u32 parent (0 the base, k
joint k), u32 joint that it follows (0 none), f64 x 12 parent <- joint, f64 x 3 axis, f64 x 2 limits, f64 x 2
factor and offset of what it follows; u32 mounts (one a shape), each u32 joint, f64 x 12 joint <- shape; u32
shapes, u32 each, the body of a shape (pairs of the same two bodies follow one another); u32 values, f64 each,
a row of all joints a step (two rows, start and end, for an edge); u32 shapes of obstacles, as above; u32
obstacles, each u32 shape, f64 x 12 world <- obstacle; u32 bytes, and that many of the robot's name, empty
unless the item has a URDF. At the end of every file: u32 1 if structures over obstacles are made anew before
each step; u32 the joint on which what is placed hangs while it is asked about, or 0; u32 shapes, u32 each,
that it must not touch; u32 changes, in the order of steps, each u32 step, u32 obstacle, f64 x 12 world <-
obstacle; f64 radius of points; u32 frames, each u32 points, f64 x 3 each; u32 cells, each f64 x 3 centre, f64
edge.
"""

import hashlib
import json
import os
import struct
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
from changes import Changes, changed
from scipy.spatial import ConvexHull
from seen import Seen, clouds, mapped

ASKS = [
    "distance", "coherent", "depth", "all_distances", "first_collision", "smallest_triangle_distance",
    "self_test", "self_distance", "self_distance_coherent", "scene_distance", "scene_test", "edge",
    "self_test_batch", "self_all_distances", "change_distance", "gradient", "cloud_replace",
    "cloud_distance", "cloud_test", "cells_distance",
]  # fmt: skip

# No obstacles: no shapes, no numbers of them, no places.
NOTHING = ([], [], np.zeros((0, 12)))


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
    """At most `limit` hull vertices: the six extremes first, then whichever sticks out of the hull so far the
    most."""
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
        (triangles[:, 0] != triangles[:, 1])
        & (triangles[:, 1] != triangles[:, 2])
        & (triangles[:, 0] != triangles[:, 2])
    )
    return vertices.astype(np.float64), triangles[whole]


def read_obj(path):
    rows = [line.split() for line in open(path)]
    vertices = np.array([[float(x) for x in row[1:4]] for row in rows if row and row[0] == "v"])
    triangles = np.array(
        [[int(x.split("/")[0]) - 1 for x in row[1:4]] for row in rows if row and row[0] == "f"],
        dtype=np.uint32,
    )
    # Outward: the narrow hulls contain their own centroid.
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inward = np.einsum("ij,ij->i", normals, corners.mean(axis=1) - vertices.mean(axis=0)) < 0
    triangles[inward] = triangles[inward][:, [0, 2, 1]]
    return vertices, triangles


def packed_shapes(shapes):
    yield struct.pack("<I", len(shapes))
    for vertices, triangles in shapes:
        yield struct.pack("<II", len(vertices), len(triangles))
        yield np.ascontiguousarray(vertices, dtype="<f8").tobytes()
        yield np.ascontiguousarray(triangles, dtype="<u4").tobytes()


def packed_whole(chain, values, obstacles):
    """What follows the poses; `obstacles` are shapes, the shape of each, and where each is."""
    yield struct.pack("<I", len(chain.joints))
    for kind, parent, placement, axis, limits, (follows, scale, offset) in chain.joints:
        yield struct.pack("<III19d", kind, parent, follows, *placement, *axis, *limits, scale, offset)
    yield struct.pack("<I", len(chain.mounts))
    for joint, placement in chain.mounts:
        yield struct.pack("<I12d", joint, *placement)
    yield struct.pack("<I", len(chain.bodies)) + np.array(chain.bodies, dtype="<u4").tobytes()
    yield struct.pack("<I", values.size) + np.ascontiguousarray(values, dtype="<f8").tobytes()
    shapes, numbers, places = obstacles
    yield from packed_shapes(shapes)
    rows = np.zeros(len(numbers), dtype=np.dtype([("shape", "<u4"), ("pose", "<f8", (12,))]))
    rows["shape"], rows["pose"] = numbers, places
    yield struct.pack("<I", len(rows)) + rows.tobytes()
    yield struct.pack("<I", len(chain.name)) + chain.name.encode()


def write(path, item, shapes, pairs, poses, whole=None, changes=Changes(), seen=Seen()):
    steps, a_step = poses.shape[0], poses.shape[1]
    temporary = path.with_suffix(".part")
    with open(temporary, "wb") as file:
        triangles = item.get("geometry") == "mesh"
        file.write(b"EBWORK04" + struct.pack("<II", ASKS.index(item["ask"]), triangles))
        file.writelines(packed_shapes(shapes))
        file.write(struct.pack("<I", len(pairs)) + np.ascontiguousarray(pairs, dtype="<u4").tobytes())
        file.write(struct.pack("<II", steps, a_step) + np.ascontiguousarray(poses, dtype="<f8").tobytes())
        file.writelines(packed_whole(*whole) if whole else [struct.pack("<7I", *[0] * 7)])
        file.writelines(changes.packed())
        file.writelines(seen.packed())
    os.replace(temporary, path)


def row_of(placement):
    return np.concatenate([placement.rotation.reshape(9), placement.translation])


class Chain:
    """A robot as numbers: its joints and where its convex shapes hang on them."""

    def __init__(self, model, shapes, places):
        import pinocchio

        self.model, self.state, self.pinocchio = model, model.createData(), pinocchio
        self.shapes, self.places = shapes, places
        pinocchio.computeJointJacobians(model, self.state, pinocchio.neutral(model))
        self.joints = []
        for k in range(1, model.njoints):
            screw = np.array(self.state.joints[k].S).reshape(6)  # along the axis, then about it
            slides = bool(np.abs(screw[:3]).max() > 0.5)
            limits = (model.lowerPositionLimit[k - 1], model.upperPositionLimit[k - 1])
            axis = screw[:3] if slides else screw[3:]
            placement = row_of(model.jointPlacements[k])
            self.joints.append((int(slides), model.parents[k], placement, axis, limits, (0, 1.0, 0.0)))
        self.bodies, self.name = range(len(shapes)), ""
        self.mounts = [(joint, row_of(placement)) for joint, placement in places]

    def random(self, generator):
        low, high = self.model.lowerPositionLimit, self.model.upperPositionLimit
        return low + (high - low) * generator.random(self.model.nq)

    def inside(self, q):
        return bool((q >= self.model.lowerPositionLimit).all() and (q <= self.model.upperPositionLimit).all())

    def poses(self, q):
        self.pinocchio.forwardKinematics(self.model, self.state, q)
        return np.array([row_of(self.state.oMi[joint] * placement) for joint, placement in self.places])


class Robot:
    """Kinematics by pinocchio; one collision mesh a link, as its STL file says (shape frame = link frame with
    its origin)."""

    def __init__(self, data, name):
        import pinocchio

        self.pinocchio = pinocchio
        summary = json.load(open(data / "truth" / "summary.json"))["robots"][name]
        urdf = data / "robots" / summary["urdf"]
        self.links = summary["links"]
        checked = [pair.split("|") for pair in summary["pairs_checked"]]
        self.pairs = np.array([[self.links.index(link) for link in pair] for pair in checked])
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
        at_a, at_b = transform(poses[a]), transform(poses[b])
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        if coal.distance(shapes[a], at_a, shapes[b], at_b, request, result) < 1e-3:
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
    drawn = f"{len(chosen)} poses of {tried} drawn"
    print(f"  {item['name']}: {drawn}, {len(robot.pairs)} pairs, vertices {sizes}")
    return shapes, robot.pairs, np.array(chosen)


def narrow_item(item, data):
    vertices, case = item["narrow"]
    folder = data / "bench" / "narrow"
    shapes = [read_obj(folder / f"h{vertices}_{i}.obj") for i in range(8)]
    pairs = np.load(folder / f"n{vertices}_{case}_idx.npy")
    poses = np.load(folder / f"n{vertices}_{case}_X.npy")
    return shapes, pairs, poses


def unit(generator, size):
    direction = generator.standard_normal(size)
    return direction / np.linalg.norm(direction)


def self_item(item, data, robots):
    """A robot alone: random poses, or runs of small steps along straight lines through the joint space."""
    robot = robots.setdefault(item["robot"], None) or Robot(data, item["robot"])
    robots[item["robot"]] = robot
    chain = Chain(robot.model, [hull(vertices) for vertices, _ in robot.meshes], robot.places)
    generator = np.random.Generator(np.random.PCG64(item["seed"]))
    if "step_rad" in item:
        values = []
        while len(values) < item["poses"]:
            start = chain.random(generator)
            step = item["step_rad"] * unit(generator, chain.model.nq)
            run = [start + k * step for k in range(item["run"])]
            if chain.inside(run[-1]):
                values += run
    else:
        values = [chain.random(generator) for _ in range(item["poses"])]
    return chain, robot.pairs, np.array(values), NOTHING


PANDA_LINKS = [f"panda_link{k}" for k in range(8)] + ["panda_hand", "panda_leftfinger"]


def panda(data):
    """The Panda that carries the scene's hulls where the scene's poses put them; its pairs; and its path."""
    import pinocchio

    folder, scene = data / "robots" / "panda_vamp", data / "bench" / "scene"
    description = ElementTree.parse(folder / "panda.urdf")
    # This file closes the fingers; on the path the left one moves.
    for joint in description.getroot().findall("joint"):
        if joint.get("name") == "panda_finger_joint1":
            joint.set("type", "prismatic")
            for name, attributes in (
                ("axis", {"xyz": "0 1 0"}),
                ("limit", {"lower": "0", "upper": "0.04", "effort": "1", "velocity": "1"}),
            ):
                for old in joint.findall(name):
                    joint.remove(old)
                ElementTree.SubElement(joint, name, attributes)
    model = pinocchio.buildModelFromXML(ElementTree.tostring(description.getroot(), encoding="unicode"))
    state = model.createData()
    path, given = np.load(scene / "path_q.npy")[:, : model.nq], np.load(scene / "path_oMg.npy")
    seen = []
    for k in (0, 20, 60, 118):
        pinocchio.forwardKinematics(model, state, path[k])
        seen.append([state.oMi[j].copy() for j in range(model.njoints)])
    placed = lambda k, body: pinocchio.SE3(given[k, body, :9].reshape(3, 3), given[k, body, 9:])
    places = []
    for body in range(10):
        for joint in range(model.njoints):
            offset = seen[0][joint].actInv(placed(0, body))
            along = zip((0, 20, 60, 118), seen)
            if all((at[joint] * offset).isApprox(placed(k, body), 1e-6) for k, at in along):
                places.append((joint, offset))
                break
        else:
            raise SystemExit(f"no joint moves like body {body} of {scene}")
    shapes = [hull(read_obj(scene / f"hull30_{body}.obj")[0]) for body in range(10)]
    rows = ElementTree.parse(folder / "panda.srdf").getroot().findall("disable_collisions")
    allowed = {frozenset((row.get("link1"), row.get("link2"))) for row in rows}
    pairs = [
        (a, b)
        for a in range(10)
        for b in range(a + 1, 10)
        if frozenset((PANDA_LINKS[a], PANDA_LINKS[b])) not in allowed
    ]
    return Chain(model, shapes, places), np.array(pairs), path


def read_clouds(path):
    """Point clouds from text: how many, then of each its vertices and triangles, counted and listed;
    triangles are left out."""
    words = Path(path).read_text().split()
    clouds, at = [], 1
    for _ in range(int(words[0])):
        vertices, triangles = int(words[at]), int(words[at + 1])
        at += 2
        clouds.append(np.array(words[at : at + 3 * vertices], dtype=np.float64).reshape(-1, 3))
        at += 3 * (vertices + triangles)
    return clouds


def scattered(clouds, count, room=3.0):
    """`count` obstacles, each in a frame at its middle: the clouds, repeated on a grid of cells (edge `room`,
    metres) that grows from the robot outwards."""
    shapes, middles = [], []
    for cloud in clouds[:count]:
        middles.append(cloud.mean(axis=0))
        shapes.append(hull(cloud - middles[-1]))
    n = max(1, int(np.ceil(np.cbrt(count / len(clouds)))))
    line = range(-n, n + 1)
    grid = ((x, y, z) for x in line for y in line for z in line)
    cells = sorted(grid, key=lambda c: (sum(v * v for v in c), c))
    cells = np.array(cells[: -(-count // len(shapes))], dtype=np.float64)
    places = np.zeros((len(cells), len(shapes), 12))
    places[:, :, [0, 4, 8]] = 1.0
    places[:, :, 9:] = np.array(middles)[None] + room * cells[:, None]
    return shapes, np.tile(np.arange(len(shapes)), len(cells))[:count], places.reshape(-1, 12)[:count]


def moving_only(chain):
    """Without the shapes of the base: a pair of things that both stand still is not asked by anyone."""
    kept = [k for k, (joint, _) in enumerate(chain.places) if joint > 0]
    return Chain(chain.model, [chain.shapes[k] for k in kept], [chain.places[k] for k in kept])


def scene_item(item, data):
    chain, _, path = panda(data)
    if item["obstacles"] == 0:
        return moving_only(chain), [], path, NOTHING
    clouds = read_clouds(data / "bench" / "scene" / "obstacles.txt")
    return moving_only(chain), [], path, scattered(clouds, item["obstacles"])


def cell_item(item, cell):
    """henrich97's robot and path in a cell that has its objects again and again, on each other."""
    import pinocchio

    folder = Path(__file__).resolve().parents[2] / "robots" / "puma260"
    urdf = str(folder / "puma260.urdf")
    model = pinocchio.buildModelFromUrdf(urdf)
    geometry = pinocchio.buildGeomFromUrdf(model, urdf, pinocchio.GeometryType.COLLISION, None, [str(folder)])
    objects = geometry.geometryObjects
    shapes = [hull(read_obj(g.meshPath)[0]) for g in objects]
    chain = Chain(model, shapes, [(g.parentJoint, g.placement) for g in objects])
    path = np.loadtxt(folder / "path.csv", delimiter=",", skiprows=1)
    return moving_only(chain), [], path, scattered(read_clouds(cell), item["obstacles"], room=0.0)


def edge_item(item, data):
    """Straight motions of `length_rad` in the arm's joints, in random directions: from poses of the path, or
    from random ones."""
    chain, pairs, path = panda(data)
    clouds = read_clouds(data / "bench" / "scene" / "obstacles.txt")
    obstacles = scattered(clouds, item["obstacles"]) if item["obstacles"] else NOTHING
    generator = np.random.Generator(np.random.PCG64(item["seed"]))
    values = []
    while len(values) < 2 * item["poses"]:
        start = path[len(values) // 2 % len(path)] if item["obstacles"] else chain.random(generator)
        end = start.copy()
        end[:7] += item["length_rad"] * unit(generator, 7)
        if chain.inside(end):
            values += [start, end]
    return chain, pairs, np.array(values), obstacles


def turned(axis, angle):
    """The rotation about a unit axis, by Rodrigues' formula."""
    x, y, z = axis
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * across + (1.0 - np.cos(angle)) * (across @ across)


# A pair of bodies that collides in this many random poses is left out: an SRDF would allow it.
LOOKED_AT = 50


class ReadRobot:
    """A robot as this project's readers see it: several shapes a body, joints that follow others. Kinematics
    are written here."""

    def __init__(self, path, geometry):
        read = json.loads(path.read_text())
        self.name = path.stem
        self.joints, self.free = [], []
        for k, joint in enumerate(read["joints"]):
            follows = (joint["follows"], joint["scale"], joint["offset"])
            kind, parent = int(joint["slides"]), joint["parent"]
            self.joints.append((kind, parent, joint["in_parent"], joint["axis"], joint["limits"], follows))
            if not joint["follows"]:
                self.free.append(k)
        self.shapes, self.mounts, self.bodies = [], [], []
        self.meshes = []
        for shape in read["shapes"]:
            vertices = np.array(shape["vertices"], dtype=np.float64)
            mesh = vertices, np.array(shape["triangles"], dtype=np.uint32)
            self.meshes.append(mesh)
            self.shapes.append(hull(vertices) if geometry == "hull" else mesh)
            self.mounts.append((shape["joint"], shape["pose"]))
            self.bodies.append(shape["body"])
        of = lambda body: [k for k, its in enumerate(self.bodies) if its == body]
        every = [[(p, q) for p in of(a) for q in of(b)] for a, b in read["pairs"]]
        self.pairs = np.array([pair for pairs in every for pair in pairs])
        free, generator = Free(self), np.random.Generator(np.random.PCG64(0))
        always = every
        for _ in range(LOOKED_AT):
            poses = self.poses(self.random(generator))
            always = [pairs for pairs in always if not free(poses, pairs)]
        self.left_out = [[read["bodies"][self.bodies[shape]] for shape in pairs[0]] for pairs in always]
        self.pairs = np.array([pair for pairs in every if pairs not in always for pair in pairs])

    def whole(self, free):
        """The values of all joints, from those of the joints that follow none."""
        values = np.zeros(len(self.joints))
        values[self.free] = free
        for k, joint in enumerate(self.joints):
            follows, scale, offset = joint[5]
            if follows:
                values[k] = scale * values[follows - 1] + offset
        return values

    def inside(self, values):
        return all(low <= value <= high for value, (low, high) in zip(values, (j[4] for j in self.joints)))

    def random(self, generator):
        """All values, uniform within the limits of joints that follow none; drawn again until the others are
        within theirs."""
        limits = np.array([self.joints[k][4] for k in self.free])
        while True:
            values = self.whole(limits[:, 0] + (limits[:, 1] - limits[:, 0]) * generator.random(len(limits)))
            if self.inside(values):
                return values

    def poses(self, values):
        at = [(np.eye(3), np.zeros(3))]
        for (slides, parent, placement, axis, _, _), value in zip(self.joints, values):
            (rotation, translation), placement = at[parent], np.array(placement)
            here = rotation @ placement[:9].reshape(3, 3)
            origin = translation + rotation @ placement[9:]
            if slides:
                at.append((here, origin + here @ (value * np.array(axis))))
            else:
                at.append((here @ turned(axis, value), origin))
        rows = np.empty((len(self.mounts), 12))
        for row, (joint, placement) in zip(rows, self.mounts):
            (rotation, translation), placement = at[joint], np.array(placement)
            row[:9] = (rotation @ placement[:9].reshape(3, 3)).reshape(9)
            row[9:] = translation + rotation @ placement[9:]
        return rows


class Free:
    """Whether no pair of triangles is nearer than a millimetre, by coal: used only to choose poses."""

    def __init__(self, robot):
        import coal

        self.coal, self.trees = coal, []
        for vertices, triangles in robot.meshes:
            tree = coal.BVHModelOBBRSS()
            tree.beginModel(len(triangles), len(vertices))
            tree.addVertices(vertices)
            tree.addTriangles(triangles.astype(np.int64))
            tree.endModel()
            self.trees.append(tree)

    def __call__(self, poses, pairs):
        at = [self.coal.Transform3s(row[:9].reshape(3, 3), row[9:]) for row in poses]
        for a, b in pairs:
            request, result = self.coal.CollisionRequest(), self.coal.CollisionResult()
            request.security_margin = 1e-3
            if self.coal.collide(self.trees[a], at[a], self.trees[b], at[b], request, result):
                return False
        return True


def read_item(item, out):
    """A robot alone, as it is read from its URDF: for yes or no random poses; for distances poses, or runs of
    small steps, where its triangles are apart, whether the item asks for hulls or for triangles."""
    robot = ReadRobot(out / "robots" / (Path(item["urdf"]).stem + ".json"), item["geometry"])
    generator = np.random.Generator(np.random.PCG64(item["seed"]))
    free = Free(robot) if "test" not in item["ask"] else lambda *_: True
    values, tried = [], 0
    while len(values) < item["poses"]:
        start = robot.random(generator)
        run = [start]
        tried += 1
        if "step_rad" in item:
            step = item["step_rad"] * unit(generator, len(robot.free))
            run = [robot.whole(start[robot.free] + k * step) for k in range(item["run"])]
            if not robot.inside(run[-1]):
                continue
        if all(free(robot.poses(row), robot.pairs) for row in run):
            values += run
        if tried > 1000 and len(values) * 1000 < tried:
            raise SystemExit(f"{item['name']}: {tried} random poses gave only {len(values)} free ones")
    values = np.array(values)
    poses = np.array([robot.poses(row) for row in values])
    sizes = ", ".join(f"{len(vertices)}/{len(triangles)}" for vertices, triangles in robot.shapes)
    asked = f"{len(values)} steps, {tried} drawn, {len(robot.pairs)} pairs"
    print(f"  {item['name']}: {asked}, vertices/triangles {sizes}", flush=True)
    for a, b in robot.left_out:
        print(f"    {a} and {b} always collide: left out")
    return robot.shapes, robot.pairs, poses, (robot, values, NOTHING)


def whole_item(item, data, cell, robots, out):
    if "robot" in item:
        chain, pairs, values, obstacles = self_item(item, data, robots)
    elif item["ask"] == "edge":
        chain, pairs, values, obstacles = edge_item(item, data)
    elif item.get("cell"):
        chain, pairs, values, obstacles = cell_item(item, cell)
    else:
        chain, pairs, values, obstacles = scene_item(item, data)
    changes, seen = Changes(), Seen()
    if "change" in item:
        values, changes = changed(item, chain, values, obstacles)
    if "points" in item:
        values, seen = clouds(item, chain, values, obstacles)
        obstacles = NOTHING
    if "octomap" in item:
        seen = mapped(item, chain, values, out / "maps")
        obstacles = NOTHING
    starts = values[::2] if item["ask"] == "edge" else values
    if not all(chain.inside(q) for q in values):
        raise SystemExit(f"{item['name']}: a pose outside the joints' limits")
    poses = np.array([chain.poses(q) for q in starts])
    sizes = ", ".join(str(len(vertices)) for vertices, _ in chain.shapes)
    asked = f"{len(starts)} steps, {len(pairs)} pairs, {len(obstacles[1])} obstacles"
    asked += f", {len(changes.rows)} changes" if changes.rows else ""
    asked += f", {len(seen.frames)} clouds of points" if seen.frames else ""
    asked += f", {len(seen.cells)} cells" if len(seen.cells) else ""
    print(f"  {item['name']}: {asked}, vertices {sizes}")
    return chain.shapes, pairs, poses, (chain, values, obstacles), changes, seen


def main():
    items, data, out, cell = (Path(argument) for argument in sys.argv[1:5])
    names = sys.argv[5:]
    out.mkdir(parents=True, exist_ok=True)
    robots = {}
    for item in json.load(open(items))["items"]:
        if names and item["name"] not in names:
            continue
        # A file is made anew when its description, or a part of this program, has changed.
        parts = sorted(Path(__file__).parent.glob("*.py"))
        stamp = json.dumps(item, sort_keys=True) + "\n" + "".join(part.read_text() for part in parts)
        stamp += cell.read_text() if item.get("cell") else ""
        stamp += (out / "robots" / (Path(item["urdf"]).stem + ".json")).read_text() if "urdf" in item else ""
        if "octomap" in item:
            cells = out / "maps" / (Path(item["octomap"]).stem + ".cells")
            stamp += hashlib.sha256(cells.read_bytes()).hexdigest()
        stamp = hashlib.sha256(stamp.encode()).hexdigest() + "\n"
        work, stamped = out / f"{item['name']}.work", out / f"{item['name']}.made-from"
        if work.exists() and stamped.exists() and stamped.read_text() == stamp:
            continue
        if "narrow" in item:
            write(work, item, *narrow_item(item, data))
        elif "urdf" in item:
            write(work, item, *read_item(item, out))
        elif ASKS.index(item["ask"]) > ASKS.index("smallest_triangle_distance"):
            made = whole_item(item, data, cell, robots, out)
            write(work, item, *made)
            shapes, numbers, _ = made[3][-1]
            count = sum(len(shapes[number][0]) for number in numbers)
            work.with_suffix(".vertices").write_text(f"{count}\n")
        else:
            write(work, item, *robot_item(item, data, robots))
        stamped.write_text(stamp)


if __name__ == "__main__":
    main()
