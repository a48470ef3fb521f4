"""The nodes of a scene: bodies, clouds, nearest points."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._camera import close_view, whole_view
from ._surface import body_surface
from ._words import COLOURS, answer_words

if TYPE_CHECKING:
    from .._engine import Answer, Checker

Floats = NDArray[np.float64]

LINK, OBSTACLE, VECTOR = (148, 163, 184), (196, 188, 172), (208, 0, 111)
"""Colours of what is not of the nearest pair, and of the vector."""

LOW, HIGH = np.array([40.0, 60.0, 95.0]), np.array([150.0, 190.0, 225.0])
"""Colours of a cloud's lowest and highest points: in one colour it would be a blot."""

BALL, SMALLEST_BALL = 0.008, 0.0015
"""Radius of the balls at the nearest points, in sizes of the robots: smaller where they are near each other,
so that the vector is seen between them."""

GLASS = 0.8
"""A body that never moves is drawn as glass if it is larger than this part of all that moves: it would hide
the robot, or be most of the picture."""

GLASS_OPACITY, PAIR_OPACITY = 0.25, 0.6

REACHED = 48
"""Samples of a motion that tell how far what moves reaches."""

MOST_POINTS = 100_000
"""Of a cloud with more points every second, third, or so is drawn."""


def node_name(body: str) -> str:
    """The scene node of a body. A name with more slashes makes no parents."""
    robot, _, link = body.partition("/")
    return f"/{robot}/{link.replace('/', '|')}"


class Stage:
    """A world in a scene of viser."""

    def __init__(
        self, server: Any, viser: Any, checker: Checker, hulls: bool, poses: Floats | None = None
    ) -> None:
        """``poses``: the motion that is shown, to be seen as a whole."""
        self._viser, self._server, self._checker = viser, server, checker
        self._world = checker.world
        self.names = self._world.bodies
        self.hulls, self.cell_shown = hulls, True
        self._hidden = set(checker.hidden)
        self._pair: tuple[str, ...] = ()
        self._coloured: dict[str, tuple[Any, ...]] = {}
        self._frames: dict[str, Any] = {}
        self._meshes: dict[str, dict[bool, Any]] = {}
        self._colours: dict[str, tuple[int, int, int]] = {}
        matrices = checker.frames()
        self._shown = np.full_like(matrices, np.nan)
        surfaces = self._make_surfaces()
        shown = [matrices] if poses is None else list(self._world.frames(poses[:: -(-len(poses) // REACHED)]))
        self.centre, self.size = self._measure(shown, surfaces)
        self.glass = {name for name in surfaces if self._is_glass(surfaces[name][False][0], name)}
        server.scene.world_axes.visible = False
        self._surfaces = {name: surfaces[name][False] for name in surfaces}
        self._add_bodies(surfaces)
        self._add_clouds()
        self._add_nearest()

    @property
    def nodes(self) -> dict[str, Any]:
        """The frame of each body, by its full name."""
        return dict(self._frames)

    @property
    def meshes(self) -> dict[str, dict[bool, Any]]:
        """The surfaces of each body: of its triangles (False) and of its hulls (True)."""
        return dict(self._meshes)

    def view(self, answer: Answer, close: bool = False) -> tuple[Floats, Floats]:
        """The camera's position, and what it looks at: the robots, or the nearest points."""
        solids = []
        for name, (vertices, faces) in self._surfaces.items():
            if name not in self.glass and name not in self._hidden:
                matrix = self._shown[self.names.index(name)]
                solids.append((vertices @ matrix[:3, :3].T + matrix[:3, 3])[faces])
        return (close_view if close else whole_view)(answer, self.centre, self.size, solids)

    def _make_surfaces(self) -> dict[str, dict[bool, Any]]:
        surfaces = {}
        for name in self.names:
            shapes = self._checker.geometry(name)
            if shapes:
                surfaces[name] = {False: body_surface(shapes)}
                if any(shape.kind == "mesh" for shape, _ in shapes):
                    surfaces[name][True] = body_surface(shapes, hulls=True)
        return surfaces

    def _moves(self, name: str) -> bool:
        return not name.startswith("world/")

    def _measure(self, shown: list[Floats], surfaces: dict[str, Any]) -> tuple[Floats, float]:
        """Middle and size of the robots with all their frames, or of everything if there is none."""
        points = []
        for body, name in enumerate(self.names):
            if self._moves(name) or not any(self._moves(other) for other in surfaces):
                vertices = surfaces[name][False][0] if name in surfaces else np.zeros((1, 3))
                low, high = vertices.min(axis=0), vertices.max(axis=0)
                corners = np.array([[x, y, z] for x, y, z in product(*zip(low, high))])
                for matrices in shown:
                    matrix = matrices[body]
                    points += [corners @ matrix[:3, :3].T + matrix[:3, 3], matrix[None, :3, 3]]
        if not points:
            return np.zeros(3), 1.0
        all_points = np.concatenate(points)
        low, high = all_points.min(axis=0), all_points.max(axis=0)
        return (low + high) / 2, float(np.linalg.norm(high - low)) or 1.0

    def _is_glass(self, vertices: Floats, name: str) -> bool:
        return not self._moves(name) and float(np.linalg.norm(np.ptp(vertices, axis=0))) > GLASS * self.size

    def _add_bodies(self, surfaces: dict[str, Any]) -> None:
        scene = self._server.scene
        for name in self.names:
            self._frames[name] = scene.add_frame(node_name(name), show_axes=False)
            self._colours[name] = LINK if self._moves(name) else OBSTACLE
            self._meshes[name] = {}
            for hulls, (vertices, faces) in surfaces.get(name, {}).items():
                self._meshes[name][hulls] = scene.add_mesh_simple(
                    f"{node_name(name)}/{'hulls' if hulls else 'triangles'}",
                    vertices.astype(np.float32),
                    faces,
                    color=self._colours[name],
                    opacity=GLASS_OPACITY if name in self.glass else None,
                    flat_shading=True,
                    side="double",
                    cast_shadow=False,
                    receive_shadow=False,
                )
        self.show_bodies()

    def _add_clouds(self) -> None:
        for name, radius in self._world.cloud_radii.items():
            points = self._checker.cloud_points(name)
            if points is None or name in self._hidden:
                continue
            points = points[:: -(-len(points) // MOST_POINTS)]
            middle = points.mean(axis=0)
            heights = (points[:, 2:] - points[:, 2].min()) / (float(np.ptp(points[:, 2])) or 1.0)
            # Half floats are exact enough around their middle.
            self._server.scene.add_point_cloud(
                f"{node_name(name)} points",
                (points - middle).astype(np.float32),
                (LOW + heights * (HIGH - LOW)).astype(np.uint8),
                point_size=2 * radius,
                point_shape="circle",
                position=middle,
            )

    def _add_nearest(self) -> None:
        scene, radius = self._server.scene, BALL * self.size
        ends = np.zeros((1, 2, 3), np.float32)
        self.vector = scene.add_line_segments(
            "/nearest/vector", ends, VECTOR, thickness=4.0, thickness_units="screen"
        )
        self.points = [
            scene.add_icosphere(f"/nearest/{end}", radius, VECTOR, subdivisions=2, cast_shadow=False)
            for end in "ab"
        ]
        self.label = scene.add_label("/nearest/label", "", anchor="bottom-left")

    def show_bodies(self) -> None:
        """Shows and hides what the switches say."""
        for name, meshes in self._meshes.items():
            seen = name not in self._hidden and (self.cell_shown or self._moves(name))
            for hulls, mesh in meshes.items():
                mesh.visible = seen and hulls == (self.hulls and True in meshes)

    def show_pose(self, matrices: Floats, answer: Answer) -> None:
        """Moves the bodies to their frames, and shows the answer."""
        moved = [k for k in range(len(self.names)) if not np.array_equal(matrices[k], self._shown[k])]
        if moved:
            turns = self._viser.transforms.SO3.from_matrix(matrices[moved, :3, :3]).wxyz
            for k, wxyz in zip(moved, turns):
                frame = self._frames[self.names[k]]
                frame.wxyz, frame.position = wxyz, matrices[k, :3, 3]
        self._shown = matrices
        self._colour_pair(answer)
        self._show_nearest(answer)

    def _colour_pair(self, answer: Answer) -> None:
        colour = COLOURS[answer.verdict]
        wanted = {name: (colour, PAIR_OPACITY) for name in answer.pair or ()}
        for name in {*self._coloured, *wanted}:
            rest = self._colours[name], GLASS_OPACITY if name in self.glass else None
            tint, opacity = wanted.get(name, rest)
            if name in self.glass:
                opacity = GLASS_OPACITY
            if self._coloured.get(name, rest) != (tint, opacity):
                for mesh in self._meshes[name].values():
                    mesh.color, mesh.opacity = tint, opacity
        self._coloured = {
            name: (tint, GLASS_OPACITY if name in self.glass else opacity)
            for name, (tint, opacity) in wanted.items()
        }

    def _show_nearest(self, answer: Answer) -> None:
        a, b = answer.witness_a, answer.witness_b
        known = a is not None and b is not None
        for node in (self.vector, *self.points):
            node.visible = known
        self.label.text = answer_words(answer)
        if a is None or b is None:
            self.label.position = self.centre + [0.0, 0.0, 0.6 * self.size]
            return
        self.vector.points = np.array([[b, a]], np.float32)
        length = float(np.linalg.norm(a - b))
        scale = min(max(length / 4, SMALLEST_BALL * self.size) / (BALL * self.size), 1.0)
        for point, at in zip(self.points, (a, b)):
            point.position, point.scale = at, scale
        self.label.position = (a + b) / 2
