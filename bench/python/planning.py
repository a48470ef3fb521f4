"""OMPL's RRT-Connect over elbowroom, over Pinocchio and Coal, and over MuJoCo. Prints a table.

    pip install ompl pin coal mujoco
    python bench/python/planning.py DATA_FOLDER [ROUNDS]

Ten problems of MotionBenchMaker for the Panda: the first scene of each of the seven sets, and the second of
the first three. Planner, range (OMPL's own) and limits are the same for all. elbowroom proves each motion at
every instant; the others, and "elbowroom, sampled", ask motions at poses in OMPL's own resolution, 1 % of the
space's extent. Pinocchio and Coal have the robot's triangles and the same pairs; MuJoCo has the hulls of its
meshes. Each path is then asked of elbowroom, with triangles.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np
from ompl import geometric as og
from ompl import util

import elbowroom as er
from elbowroom.ompl import make_setup, make_space, prove_path, read_path

DATA = Path(sys.argv[1])
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
SCENES = DATA / "scenes/motionbenchmaker_panda"
ROBOT = DATA / "robots/panda_vamp"
URDF = ROBOT / "panda.urdf"
SECONDS = 10.0
Maker = Callable[[er.World, list[Any]], Callable[[list[float]], bool]]


def chosen_problems() -> list[tuple[str, str]]:
    sets = sorted(folder.name for folder in (SCENES / "sample").iterdir())
    firsts = [(name, "scene0001.yaml") for name in sets]
    return firsts + [(name, "scene0002.yaml") for name in sets[:3]]


def load_problem(name: str, scene: str) -> tuple[er.World, np.ndarray, np.ndarray, list[Any]]:
    """The world, start and goal (a few lie on a limit, rounded outwards), and the scene's boxes."""
    problems = json.loads((SCENES / "truth.json").read_text())["problems"]
    problem = next(p for p in problems if (p["set"], p["scene"]) == (name, scene))
    file = SCENES / "sample" / name / scene
    with tempfile.TemporaryDirectory() as folder:
        cell = Path(folder) / "cell.toml"
        robot = f'[[robot]]\nurdf = "{URDF}"\nname = "panda"\nsrdf = false\n'
        cell.write_text(f'{robot}[[scene]]\nfile = "{file}"\nallowed = true\n')
        world = er.load(cell)
    joints = [joint.split("/")[-1] for joint in world.joint_names]
    ends = [np.array([problem[end][joint] for joint in joints]) for end in ("q_start", "q_goal")]
    start, goal = (np.clip(q, world.lower, world.upper) for q in ends)
    return world, start, goal, read_objects(file)


def read_objects(file: Path) -> list[tuple[str, str, list[float], list[float], list[float]]]:
    """Name, kind, dimensions, position and quaternion xyzw of the shapes of a scene."""
    import yaml

    found = []
    for entry in yaml.safe_load(file.read_text())["world"]["collision_objects"]:
        for shape, pose in zip(entry["primitives"], entry["primitive_poses"]):
            found.append(
                (entry["id"], shape["type"], shape["dimensions"], pose["position"], pose["orientation"])
            )
    return found


def checked_links(world: er.World) -> tuple[list[tuple[str, str]], set[str]]:
    """The pairs of links that elbowroom checks, and the links that it checks against the cell."""
    pairs, outside = [], set()
    for k in range(world.pair_count):
        a, b = world.pair_names(k)
        if b.startswith("world/") or a.startswith("world/"):
            outside.add((a if b.startswith("world/") else b).split("/")[1])
        else:
            pairs.append((a.split("/")[1], b.split("/")[1]))
    return pairs, outside


def pose_checker(world: er.World, objects: list[Any]) -> Callable[[list[float]], bool]:
    return lambda q: world.test(q) == er.Verdict.CLEAR


def coal_checker(world: er.World, objects: list[Any]) -> Callable[[list[float]], bool]:
    import coal
    import pinocchio as pin

    model = pin.buildModelFromUrdf(str(URDF))
    if model.nq > 7:
        fingers = [model.getJointId(name) for name in model.names if "finger" in name]
        model_all, model = model, pin.buildReducedModel(model, fingers, pin.neutral(model))
    else:
        model_all, fingers = model, []
    geometry = pin.buildGeomFromUrdf(model_all, str(URDF), pin.COLLISION, package_dirs=[str(ROBOT)])
    if fingers:
        model, geometry = pin.buildReducedModel(model_all, geometry, fingers, pin.neutral(model_all))
    link_of = {k: shape.name.rsplit("_", 1)[0] for k, shape in enumerate(geometry.geometryObjects)}
    pairs, outside = checked_links(world)
    wanted = {frozenset(pair) for pair in pairs}
    for a in link_of:
        for b in range(a + 1, len(link_of)):
            if frozenset((link_of[a], link_of[b])) in wanted:
                geometry.addCollisionPair(pin.CollisionPair(a, b))
    for name, kind, size, at, turn in objects:
        shape = {
            "box": lambda: coal.Box(*size),
            "cylinder": lambda: coal.Cylinder(size[1], size[0]),
            "sphere": lambda: coal.Sphere(size[0]),
        }[kind]()
        place = pin.XYZQUATToSE3(np.array([*at, *turn]))
        number = geometry.addGeometryObject(pin.GeometryObject(name, 0, place, shape))
        for k, link in link_of.items():
            if link in outside:
                geometry.addCollisionPair(pin.CollisionPair(k, number))
    data, of_geometry = model.createData(), geometry.createData()
    ask = pin.computeCollisions
    return lambda q: not ask(model, data, geometry, of_geometry, np.array(q), True)


def mujoco_checker(world: er.World, objects: list[Any]) -> Callable[[list[float]], bool]:
    import mujoco

    pairs, outside = checked_links(world)
    spec = mujoco.MjSpec.from_string(URDF.read_text(), assets=mesh_assets())
    links = [body.name for body in spec.bodies if body.name != "world"]
    wanted = {frozenset(pair) for pair in pairs}
    for i, a in enumerate(links):
        for b in links[i + 1 :]:
            if frozenset((a, b)) not in wanted:
                spec.add_exclude(bodyname1=a, bodyname2=b)
    kinds = {"box": mujoco.mjtGeom.mjGEOM_BOX, "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER}
    for name, kind, size, at, turn in objects:
        half = [0.5 * v for v in size] if kind == "box" else [size[1], 0.5 * size[0], 0.0]
        place = {"pos": at, "quat": [turn[3], *turn[:3]]}
        body = spec.worldbody.add_body(name=f"object {name}", **place)
        body.add_geom(type=kinds[kind], size=half)
    model = spec.compile()
    data = mujoco.MjData(model)
    if model.nq < world.dof:
        raise ValueError(f"MuJoCo has {model.nq} joints")

    def is_valid(q: list[float]) -> bool:
        data.qpos[: len(q)] = q
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        return data.ncon == 0

    return is_valid


def mesh_assets() -> dict[str, bytes]:
    """Every mesh of the robot, by its name without folders."""
    return {file.name: file.read_bytes() for file in ROBOT.rglob("*.obj")}


def peer_setup(
    world: er.World, start: np.ndarray, goal: np.ndarray, ask: Callable[[list[float]], bool]
) -> Any:
    space = make_space(world)
    setup = og.SimpleSetup(space)
    setup.setStateValidityChecker(lambda state: ask(state[0:7]))
    states = []
    for q in (start, goal):
        state = space.allocState()
        state[0:7] = q.tolist()
        states.append(state)
    setup.setStartAndGoalStates(*states)
    return setup


def main() -> None:
    util.setLogLevel(util.LOG_ERROR)
    makers: dict[str, Maker | None] = {"elbowroom": None, "elbowroom, sampled": pose_checker}
    makers |= {"pinocchio + coal": coal_checker, "mujoco": mujoco_checker}
    times: dict[str, list[float]] = {name: [] for name in makers}
    paths: dict[str, list[int]] = {name: [0, 0, 0, 0] for name in makers}
    for name, scene in chosen_problems():
        world, start, goal, objects = load_problem(name, scene)
        checkers = {key: make(world, objects) if make else None for key, make in makers.items()}
        row = []
        for key, ask in checkers.items():
            if ask and not (ask(start.tolist()) and ask(goal.tolist())):
                row.append(f"{key}: start or goal in collision")
                continue
            took = []
            for _ in range(ROUNDS):
                setup = peer_setup(world, start, goal, ask) if ask else make_setup(world, start, goal)
                setup.setPlanner(og.RRTConnect(setup.getSpaceInformation()))
                begun = time.perf_counter()
                setup.solve(SECONDS)
                took.append(time.perf_counter() - begun)
                if not setup.haveExactSolutionPath():
                    paths[key][3] += 1
                    continue
                edges = prove_path(world, read_path(setup.getSolutionPath(), world.dof))
                paths[key][0] += 1
                paths[key][1] += not all(edges)
                paths[key][2] += any(edge.outcome == "contact" for edge in edges)
            times[key].append(statistics.median(took))
            row.append(f"{key}: {1e3 * times[key][-1]:.1f} ms")
        print(f"{name} {scene}: " + ", ".join(row), flush=True)
    ours = statistics.median(times["elbowroom"])
    for key in makers:
        if times[key]:
            middle = statistics.median(times[key])
            found, unproved, contact, none = paths[key]
            print(
                f"{key}: median {1e3 * middle:.1f} ms over {len(times[key])} problems, {middle / ours:.1f} x;"
                f" {found} paths, {none} not found, {unproved} not proved free, {contact} in proved contact"
            )


main()
