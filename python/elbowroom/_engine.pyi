from os import PathLike
from typing import Any, Callable, Literal, Mapping, Protocol, Sequence, Union, final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import TypeAlias, disjoint_base

from ._describe import Cloud, Obstacle, _Placed, Robot, Spare
from ._verdict import Verdict
from .pictures import Picture

__all__ = [
    "Answer",
    "Box",
    "Capsule",
    "Cells",
    "Certificate",
    "Checker",
    "Clearances",
    "Command",
    "Cone",
    "Convex",
    "Cylinder",
    "Distance",
    "Edge",
    "Edges",
    "Ellipsoid",
    "Guard",
    "Mesh",
    "OctoMap",
    "Pose",
    "Proof",
    "Shape",
    "Sphere",
    "World",
    "__version__",
    "distance",
    "load",
    "load_motion",
    "load_octomap",
    "load_splines",
    "pose_of_matrix",
    "restore_shape",
    "restore_world",
]

__version__: str

_Floats: TypeAlias = NDArray[np.float64]
_Depth: TypeAlias = Literal["rough", "ordinary", "tight"]
_Stop: TypeAlias = Literal[
    "closed_form", "converged", "decided", "stalled", "iteration_limit", "bracketed", "shut_in"
]
_Kind: TypeAlias = Literal[
    "sphere", "capsule", "box", "cylinder", "cone", "ellipsoid", "convex", "mesh"
]
_Progress: TypeAlias = Union[Callable[[int], object], bool]

class _Homogeneous(Protocol):
    @property
    def homogeneous(self) -> Any: ...

_PoseLike: TypeAlias = Union[Pose, ArrayLike, _Homogeneous]

@final
class Pose:
    def __new__(
        cls,
        xyz: ArrayLike | None = None,
        *,
        wxyz: ArrayLike | None = None,
        xyzw: ArrayLike | None = None,
        rpy: ArrayLike | None = None,
    ) -> Pose: ...
    @property
    def matrix(self) -> _Floats: ...
    def inverse(self) -> Pose: ...
    def __matmul__(self, other: Pose, /) -> Pose: ...
    def __rmatmul__(self, other: Pose, /) -> Pose: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, ...]: ...

def pose_of_matrix(matrix: ArrayLike) -> Pose: ...

@disjoint_base
class Shape:
    @property
    def padding(self) -> float: ...
    @property
    def kind(self) -> _Kind: ...
    @property
    def sizes(self) -> tuple[float, ...]: ...
    @property
    def vertices(self) -> _Floats | None: ...
    @property
    def triangles(self) -> NDArray[np.uint32] | None: ...
    def hull(self) -> tuple[_Floats, NDArray[np.uint32]] | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def restore_shape(version: str, state: bytes) -> Shape: ...

@final
class Box(Shape):
    def __new__(cls, size: ArrayLike, *, padding: float = 0.0) -> Box: ...

@final
class Sphere(Shape):
    def __new__(cls, radius: float, *, padding: float = 0.0) -> Sphere: ...

@final
class Capsule(Shape):
    def __new__(cls, radius: float, length: float, *, padding: float = 0.0) -> Capsule: ...

@final
class Cylinder(Shape):
    def __new__(cls, radius: float, length: float, *, padding: float = 0.0) -> Cylinder: ...

@final
class Cone(Shape):
    def __new__(cls, radius: float, length: float, *, padding: float = 0.0) -> Cone: ...

@final
class Ellipsoid(Shape):
    def __new__(cls, radii: ArrayLike, *, padding: float = 0.0) -> Ellipsoid: ...

@final
class Convex(Shape):
    def __new__(cls, vertices: ArrayLike, *, padding: float = 0.0) -> Convex: ...

@final
class Mesh(Shape):
    def __new__(
        cls, vertices: Any, triangles: ArrayLike | None = None, *, padding: float = 0.0
    ) -> Mesh: ...

@final
class Cells:
    def __new__(cls, centres: ArrayLike, edges: ArrayLike) -> Cells: ...
    @property
    def centres(self) -> _Floats: ...
    @property
    def edges(self) -> _Floats: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class OctoMap:
    @property
    def resolution(self) -> float: ...
    @property
    def occupied(self) -> Cells: ...
    @property
    def free(self) -> Cells: ...
    def unknown(self) -> Cells: ...
    @property
    def warnings(self) -> list[str]: ...

def load_octomap(source: str | PathLike[str] | bytes) -> OctoMap: ...

@final
class Distance:
    @property
    def lower(self) -> float: ...
    @property
    def upper(self) -> float: ...
    @property
    def witness_a(self) -> _Floats | None: ...
    @property
    def witness_b(self) -> _Floats | None: ...
    @property
    def vector(self) -> _Floats | None: ...
    @property
    def normal(self) -> _Floats | None: ...
    @property
    def stop(self) -> _Stop: ...
    @property
    def geometry(self) -> Literal["mesh", "hull"]: ...

def distance(
    shape_a: Shape, pose_a: _PoseLike | None, shape_b: Shape, pose_b: _PoseLike | None
) -> Distance: ...

@final
class Answer:
    @property
    def verdict(self) -> Verdict: ...
    @property
    def lower(self) -> float: ...
    @property
    def upper(self) -> float: ...
    @property
    def distance(self) -> float: ...
    @property
    def pair(self) -> tuple[str, str] | None: ...
    @property
    def pair_id(self) -> int: ...
    @property
    def witness_a(self) -> _Floats | None: ...
    @property
    def witness_b(self) -> _Floats | None: ...
    @property
    def vector(self) -> _Floats | None: ...
    @property
    def normal(self) -> _Floats | None: ...
    @property
    def gradient(self) -> _Floats | None: ...
    @property
    def stop(self) -> _Stop | None: ...
    @property
    def geometry(self) -> Literal["mesh", "hull"]: ...

@final
class Clearances:
    @property
    def verdict(self) -> NDArray[np.uint8]: ...
    @property
    def lower(self) -> _Floats: ...
    @property
    def upper(self) -> _Floats: ...
    @property
    def pair(self) -> NDArray[np.int64]: ...
    @property
    def gradient(self) -> _Floats | None: ...
    @property
    def witness_a(self) -> _Floats | None: ...
    @property
    def witness_b(self) -> _Floats | None: ...
    def names(self, row: int) -> tuple[str, str] | None: ...
    def __len__(self) -> int: ...

@final
class Certificate:
    @property
    def pieces(self) -> list[tuple[tuple[str, str], tuple[float, float]]]: ...
    def verify(self) -> None: ...
    def __len__(self) -> int: ...

@final
class Edge:
    @property
    def free(self) -> bool: ...
    @property
    def outcome(self) -> Literal["free", "contact", "unknown"]: ...
    @property
    def first_contact(self) -> tuple[float, float] | None: ...
    @property
    def free_until(self) -> float: ...
    @property
    def pair(self) -> tuple[str, str] | None: ...
    @property
    def doubt(self) -> Literal["touching", "close", "work", "nothing_known"] | None: ...
    @property
    def certificate(self) -> Certificate | None: ...
    def __bool__(self) -> bool: ...

@final
class Edges:
    @property
    def free(self) -> NDArray[np.bool_]: ...
    @property
    def contact(self) -> NDArray[np.bool_]: ...
    @property
    def first_contact(self) -> _Floats: ...
    @property
    def free_until(self) -> _Floats: ...
    def names(self, row: int) -> tuple[str, str] | None: ...
    def __len__(self) -> int: ...

@final
class Proof:
    @property
    def claim(self) -> Literal["never", "always", "sometimes", "open"]: ...
    @property
    def least(self) -> float | None: ...
    @property
    def share(self) -> float: ...
    @property
    def overlap_at(self) -> _Floats | None: ...

@final
class World:
    def __new__(
        cls,
        robots: Sequence[Robot] = ...,
        obstacles: Sequence[Obstacle] = ...,
        *,
        clouds: Sequence[Cloud] = ...,
        spares: Sequence[Spare] = ...,
        groups: Mapping[str, Sequence[str]] = ...,
        allowed: Sequence[tuple[str, str, str]] = ...,
        checks: Sequence[tuple[str, str]] = ...,
        margin: float = 0.0,
        padding: float = 0.0,
        allow_zero_overlaps: bool = False,
    ) -> World: ...
    def extended(
        self,
        robots: Sequence[Robot] = ...,
        obstacles: Sequence[Obstacle] = ...,
        *,
        clouds: Sequence[Cloud] = ...,
        spares: Sequence[Spare] = ...,
        groups: Mapping[str, Sequence[str]] = ...,
        allowed: Sequence[tuple[str, str, str]] = ...,
        checks: Sequence[tuple[str, str]] = ...,
        margin: float | None = None,
        padding: float | None = None,
        allow_zero_overlaps: bool | None = None,
    ) -> World: ...
    def edited(
        self,
        *,
        add: Sequence[Obstacle] = ...,
        remove: Sequence[str] = ...,
        replace: Sequence[Obstacle] = ...,
        pad: Mapping[str, float] = ...,
        allow: Sequence[tuple[str, str, str]] = ...,
        check: Sequence[tuple[str, str]] = ...,
    ) -> World: ...
    @property
    def joint_names(self) -> list[str]: ...
    @property
    def dof(self) -> int: ...
    @property
    def lower(self) -> _Floats: ...
    @property
    def upper(self) -> _Floats: ...
    @property
    def neutral(self) -> _Floats: ...
    @property
    def margin(self) -> float: ...
    @property
    def fingerprint(self) -> int: ...
    @property
    def bodies(self) -> list[str]: ...
    @property
    def groups(self) -> list[str]: ...
    @property
    def pair_count(self) -> int: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def files(self) -> list[str]: ...
    def pair_names(self, pair: int) -> tuple[str, str]: ...
    def random(self, n: int, seed: int = 0) -> _Floats: ...
    def nearest(
        self,
        q: ArrayLike,
        *,
        margin: float | None = None,
        cutoff: float | None = None,
        hulls: bool = False,
        depth: _Depth | None = None,
    ) -> Answer: ...
    def test(
        self,
        q: ArrayLike,
        *,
        margin: float | None = None,
        hulls: bool = False,
        progress: _Progress | None = None,
    ) -> Any: ...
    def clearance(
        self,
        q: ArrayLike,
        *,
        margin: float | None = None,
        cutoff: float | None = None,
        hulls: bool = False,
        depth: _Depth | None = None,
        gradient: bool = False,
        points: bool = False,
        progress: _Progress | None = None,
    ) -> Clearances: ...
    def edge(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        *,
        margin: float | None = None,
        hulls: bool = False,
        first: bool = True,
        resolution: float | None = None,
        work: int | None = None,
    ) -> Edge: ...
    def spline(
        self,
        seconds: float,
        coefficients: ArrayLike,
        *,
        tolerance: ArrayLike | None = None,
        margin: float | None = None,
        hulls: bool = False,
        first: bool = True,
        resolution: float | None = None,
        work: int | None = None,
    ) -> Edge: ...
    def edges(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        *,
        margin: float | None = None,
        hulls: bool = False,
        first: bool = True,
        resolution: float | None = None,
        work: int | None = None,
        progress: _Progress | None = None,
    ) -> Edges: ...
    def geometry(self, body: str) -> list[tuple[Shape, Pose]]: ...
    @property
    def cloud_radii(self) -> dict[str, float]: ...
    def frames(self, q: ArrayLike) -> _Floats: ...
    def show(self, q: ArrayLike | None = None, **keywords: Any) -> Picture: ...
    def play(self, q: ArrayLike, t: ArrayLike | None = None, **keywords: Any) -> Picture: ...
    def prove(
        self, body_a: str, body_b: str, *, hulls: bool = False, boxes: int | None = None
    ) -> Proof: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def restore_world(version: str, state: bytes) -> World: ...

@final
class Checker:
    def __new__(cls, world: World) -> Checker: ...
    @property
    def world(self) -> World: ...
    def copy(self) -> Checker: ...
    def migrate_to(self, world: World) -> Checker: ...
    def set(self, q: ArrayLike) -> None: ...
    @property
    def values(self) -> _Floats: ...
    @property
    def pair_count(self) -> int: ...
    def body_pose(self, body: str) -> _Floats: ...
    def frames(self, q: ArrayLike | None = None) -> _Floats: ...
    def geometry(self, body: str) -> list[tuple[Shape, Pose]]: ...
    def nearest(
        self,
        q: ArrayLike | None = None,
        *,
        margin: float | None = None,
        cutoff: float | None = None,
        hulls: bool = False,
        depth: _Depth | None = None,
    ) -> Answer: ...
    def test(
        self,
        q: ArrayLike | None = None,
        *,
        margin: float | None = None,
        hulls: bool = False,
        progress: _Progress | None = None,
    ) -> Any: ...
    def clearance(
        self,
        q: ArrayLike,
        *,
        margin: float | None = None,
        cutoff: float | None = None,
        hulls: bool = False,
        depth: _Depth | None = None,
        gradient: bool = False,
        points: bool = False,
        progress: _Progress | None = None,
    ) -> Clearances: ...
    def pairs(
        self,
        q: ArrayLike | None = None,
        *,
        k: int | None = None,
        margin: float | None = None,
        cutoff: float | None = None,
        hulls: bool = False,
        depth: _Depth | None = None,
    ) -> list[Answer]: ...
    def between(
        self,
        group_a: str,
        group_b: str,
        q: ArrayLike | None = None,
        *,
        margin: float | None = None,
        cutoff: float | None = None,
        hulls: bool = False,
        depth: _Depth | None = None,
    ) -> Answer: ...
    def edge(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        *,
        margin: float | None = None,
        hulls: bool = False,
        first: bool = True,
        resolution: float | None = None,
        work: int | None = None,
    ) -> Edge: ...
    def edges(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        *,
        margin: float | None = None,
        hulls: bool = False,
        first: bool = True,
        resolution: float | None = None,
        work: int | None = None,
        progress: _Progress | None = None,
    ) -> Edges: ...
    def place(self, body: str, pose: _PoseLike) -> None: ...
    def attach(
        self, body: str, carrier: str, *, touch: Sequence[str] | None = None, pose: _PoseLike | None = None
    ) -> None: ...
    def detach(self, body: str) -> None: ...
    def hide(self, body: str) -> None: ...
    def show(self, body: str) -> None: ...
    @property
    def hidden(self) -> list[str]: ...
    def allow(self, body_a: str, body_b: str) -> None: ...
    def check_again(self, body_a: str, body_b: str) -> None: ...
    def set_door(self, body: str, value: float) -> None: ...
    def insert(
        self, place: str, shape: _Placed, pose: _PoseLike | None = None, *, hull: bool = False
    ) -> None: ...
    def remove(self, place: str) -> None: ...
    def update_cloud(self, cloud: str, points: ArrayLike) -> None: ...
    def cloud_points(self, cloud: str) -> _Floats | None: ...
    def self_points(self, cloud: str, within: float) -> NDArray[np.int64]: ...
    def allowed_reason(self, body_a: str, body_b: str) -> str | None: ...

def load(
    path: str | PathLike[str],
    *,
    package_paths: Sequence[str | PathLike[str]] = ...,
    srdf: str | PathLike[str] | None = None,
    no_srdf: bool = False,
    honour_up_axis: bool = False,
    xacro: Sequence[str] = ...,
    margin: float | None = None,
    padding: float | None = None,
    allow_zero_overlaps: bool | None = None,
) -> World: ...

def load_motion(world: World, path: str | PathLike[str]) -> tuple[_Floats, _Floats | None]: ...
def load_splines(world: World, path: str | PathLike[str]) -> list[tuple[float, _Floats]]: ...

@final
class Command:
    @property
    def action(self) -> Literal["permit", "slow", "stop"]: ...
    @property
    def speed(self) -> float: ...
    @property
    def category(self) -> Literal[0, 1, 2] | None: ...
    @property
    def distance(self) -> tuple[float, float] | None: ...
    @property
    def pair(self) -> tuple[str, str] | None: ...
    @property
    def reasons(self) -> list[tuple[str, tuple[str, str] | None]]: ...
    @property
    def step(self) -> int: ...

@final
class Guard:
    def __new__(
        cls, path: str | PathLike[str], *, package_paths: Sequence[str | PathLike[str]] = ...
    ) -> Guard: ...
    @property
    def joint_names(self) -> list[str]: ...
    def step(
        self,
        t: float,
        positions: ArrayLike,
        *,
        velocities: ArrayLike | None = None,
        asked: ArrayLike | None = None,
        efforts: ArrayLike | None = None,
        currents: ArrayLike | None = None,
        forces: ArrayLike | None = None,
        arm: int | None = None,
    ) -> Command: ...
    def silent(self, now: float) -> Command: ...
    def reset(self, t: float) -> None: ...
    def place(self, t: float, body: str, pose: _PoseLike, *, teleport: bool = False) -> None: ...
    def attach(self, t: float, body: str, carrier: str, *, touch: Sequence[str] = ...) -> None: ...
    def detach(self, t: float, body: str) -> None: ...
    def see(self, t: float, cloud: str, points: ArrayLike) -> None: ...
