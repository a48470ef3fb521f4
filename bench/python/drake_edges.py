"""Short straight motions of an arm: proved here, and by Drake's certificates of C-space polytopes.

    pip install drake ./python
    python bench/python/drake_edges.py JOINTS MOTIONS [--solver NAME] [--limit S] [--seconds S]

The arm has the first joints of a KUKA iiwa (seven at most) and boxes for links; an upright box stands beside
it. Both programs read the same URDF. A motion is 0.3 rad long in joint space and begins at a random pose
within 1.5 rad of zero.

Drake has no certificate of a path in Python (`CspaceFreePath` has no binding), so it is asked for one of a
polytope around the motion (`CspaceFreePolytope`): the thinnest box along the chord that holds the motion in
its coordinates, tan(q / 2). A motion ends when a pair has no certificate, or after the limit. Building what
all motions share is timed by itself. Here a motion is one call of `world.edge`, with margin 0, and one of
`world.spline`, of the cubic from rest to rest between the same ends: it passes the same places, so Drake's
box holds it too. Times are CPU seconds of the process, which asks with one thread; so are the limits.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from pydrake.geometry import Box
from pydrake.geometry.optimization import CspaceFreePolytope, SeparatingPlaneOrder
from pydrake.math import RigidTransform
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction
from pydrake.common import Parallelism
from pydrake.solvers import ClarabelSolver, CsdpSolver, ScsSolver
from pydrake.systems.framework import DiagramBuilder

import elbowroom as er

# Of each joint: how far its axis is above the one below it (metres), and its direction.
JOINTS = [
    (0.1575, "0 0 1"),
    (0.2025, "0 1 0"),
    (0.2045, "0 0 1"),
    (0.2155, "0 -1 0"),
    (0.1845, "0 0 1"),
    (0.2155, "0 1 0"),
    (0.081, "0 0 1"),
]
LIMIT = 2.5
START = 1.5
LENGTH = 0.3
POST_AT, POST_SIZE = [0.5, 0.3, 0.5], [0.2, 0.2, 1.0]
SAMPLES = 201
# What the box is wider than the samples of the motion, which are 0.0015 rad apart: between two of them the
# motion leaves their chord by less than a millionth.
SLACK = 1e-6
SOLVERS = {"clarabel": ClarabelSolver, "scs": ScsSolver, "csdp": CsdpSolver}
INERTIA = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'


def write_box(above: float, size: list[float]) -> str:
    sides = " ".join(map(str, size))
    return (
        f'<collision><origin xyz="0 0 {above}"/><geometry><box size="{sides}"/></geometry></collision>'
    )


def write_urdf(joints: int) -> str:
    """The arm, whose last link is stiff and has all the boxes behind it."""
    bodies = [[write_box(0.07, [0.16, 0.16, 0.14])]]
    lines, rise = [], 0.0
    for k, (above, axis) in enumerate(JOINTS):
        length = JOINTS[k + 1][0] if k + 1 < len(JOINTS) else 0.05
        width = 0.12 if k < 5 else 0.08
        if k < joints:
            rise = 0.0
            bodies.append([])
            lines.append(
                f'<joint name="j{k + 1}" type="revolute"><parent link="l{k}"/><child link="l{k + 1}"/>'
                f'<origin xyz="0 0 {above}"/><axis xyz="{axis}"/>'
                f'<limit lower="{-LIMIT}" upper="{LIMIT}" effort="1" velocity="1"/></joint>'
            )
        else:
            rise += above
        bodies[-1].append(write_box(rise + 0.5 * length, [width, width, 0.9 * length]))
    inertial = f'<inertial><mass value="1"/>{INERTIA}</inertial>'
    links = [f'<link name="l{k}">{inertial}{"".join(boxes)}</link>' for k, boxes in enumerate(bodies)]
    return f'<robot name="arm">{"".join(links + lines)}</robot>'


def load_ours(folder: Path) -> er.World:
    cell = folder / "cell.toml"
    post = f'[[obstacle]]\nname = "post"\nxyz = {POST_AT}\nshape = {{ type = "box", size = {POST_SIZE} }}\n'
    cell.write_text(f'margin = 0\n[[robot]]\nurdf = "arm.urdf"\nname = "arm"\n{post}')
    return er.load(cell)


class Drake:
    """The arm in Drake, and the certificates of boxes in tan(q / 2)."""

    def __init__(self, folder: Path, joints: int, solver: str) -> None:
        builder = DiagramBuilder()
        self.plant, self.scene = AddMultibodyPlantSceneGraph(builder, 0.0)
        Parser(self.plant).AddModels(str(folder / "arm.urdf"))
        self.plant.WeldFrames(self.plant.world_frame(), self.plant.GetFrameByName("l0"))
        self.plant.RegisterCollisionGeometry(
            self.plant.world_body(), RigidTransform(POST_AT), Box(*POST_SIZE), "post", CoulombFriction()
        )
        self.plant.Finalize()
        self.diagram = builder.Build()
        order = SeparatingPlaneOrder.kAffine
        self.certify = CspaceFreePolytope(self.plant, self.scene, order, np.zeros(joints))
        self.pairs = list(self.certify.map_geometries_to_separating_planes())
        self.solver = SOLVERS[solver].id()

    def prove(self, a: np.ndarray, b: np.ndarray, limit: float) -> tuple[str, int]:
        """Whether the motion is proved, and how many pairs were; no pair is begun after the limit."""
        begun = time.process_time()
        rows, ends = box_around(a, b)
        options = CspaceFreePolytope.FindSeparationCertificateGivenPolytopeOptions()
        options.parallelism, options.solver_id = Parallelism(1), self.solver
        for k, pair in enumerate(self.pairs):
            if time.process_time() - begun > limit:
                return "out of time", k
            program = self.certify.MakeIsGeometrySeparableProgram(pair, rows, ends)
            if self.certify.SolveSeparationCertificateProgram(program, options) is None:
                return "not proved", k
        return "proved", len(self.pairs)


def box_around(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The box along the chord that holds the motion in tan(q / 2): rows and ends of `rows @ s <= ends`."""
    s = np.tan(0.5 * (a + np.outer(np.linspace(0.0, 1.0, SAMPLES), b - a)))
    axes, _ = np.linalg.qr(np.column_stack([s[-1] - s[0], np.eye(len(a))[:, 1:]]))
    along = s @ axes
    ends = np.concatenate([along.max(axis=0), -along.min(axis=0)]) + SLACK
    return np.vstack([axes.T, -axes.T]), ends


def quantiles(seconds: list[float]) -> str:
    return f"median {statistics.median(seconds):.3g} s, longest {max(seconds):.3g} s"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("joints", type=int)
    parser.add_argument("motions", type=int)
    parser.add_argument("--solver", choices=SOLVERS, default="clarabel")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds a motion may take in Drake")
    parser.add_argument("--seconds", type=float, default=600.0, help="no motion is begun after these")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    (folder / "arm.urdf").write_text(write_urdf(options.joints))
    world = load_ours(folder)
    begun = time.process_time()
    drake = Drake(folder, options.joints, options.solver)
    print(
        f"{options.joints} joints: {world.pair_count} pairs of bodies here; Drake {len(drake.pairs)} pairs "
        f"of shapes, built in {time.process_time() - begun:.1f} s"
    )
    random = np.random.default_rng(39)
    table: dict[tuple[str, str], int] = {}
    times: dict[str, list[float]] = {"here, all": [], "here, cubics": []}
    begun = time.process_time()
    for number in range(options.motions):
        a = random.uniform(-START, START, options.joints)
        way = random.normal(size=options.joints)
        b = a + LENGTH * way / np.linalg.norm(way)
        if time.process_time() - begun > options.seconds:
            print(f"ended after {number} motions")
            break
        # The first call of a pose warms caches up; the second is timed.
        world.edge(a, b)
        tick = time.process_time()
        edge: Any = world.edge(a, b)
        times["here, all"].append(time.process_time() - tick)
        still = np.zeros_like(a)
        cubic = np.column_stack([a, still, 3.0 * (b - a), -2.0 * (b - a), still, still])
        world.spline(1.0, cubic)
        tick = time.process_time()
        spline: Any = world.spline(1.0, cubic)
        times["here, cubics"].append(time.process_time() - tick)
        if spline.outcome != edge.outcome:
            print(f"motion {number}: {edge.outcome} here, its cubic {spline.outcome}", flush=True)
        tick = time.process_time()
        told, proved = drake.prove(a, b, options.limit)
        took = time.process_time() - tick
        times.setdefault(f"Drake, {told}", []).append(took)
        table[edge.outcome, told] = table.get((edge.outcome, told), 0) + 1
        if (edge.outcome == "free") != (told == "proved"):
            print(
                f"motion {number}: {edge.outcome} here, {told} by Drake after {proved} pairs, {took:.1f} s, "
                f"nearest here {edge.pair}",
                flush=True,
            )
    for (ours, theirs), count in sorted(table.items()):
        print(f"{ours} here, {theirs} by Drake: {count}")
    for what, seconds in times.items():
        print(f"{what}: {len(seconds)} motions, {quantiles(seconds)}" if seconds else f"{what}: none")


main()
