"""A picture: a pose or a motion of a world, in the browser."""

from __future__ import annotations

import html
import threading
import webbrowser
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._engine import Checker, World
from ._motion import Motion
from ._page import make_page
from ._panel import Panel
from ._server import import_viser, start_server, stop_server
from ._stage import Stage

if TYPE_CHECKING:
    from .._engine import Answer

PORT = 8080


def show(
    asked: World | Checker,
    q: ArrayLike | None = None,
    *,
    hulls: bool = False,
    host: str = "127.0.0.1",
    port: int = PORT,
    browser: bool = False,
) -> Picture:
    """Shows a pose of a world, or of a checker with its changes as they are now.

    Parameters
    ----------
    asked: a ``World`` or a ``Checker``. A checker's later changes are not shown.
    q: joint values, shape (dof,). Without it: the checker's pose, or the world's ``neutral``.
    hulls: meshes count as their convex hulls, and are drawn so.
    host: the address that is served. Only this machine reaches 127.0.0.1; anyone on the network who reaches
        another one can move the picture.
    port: the first port that is tried; if it is taken, the next free one is used.
    browser: open the page in the browser.

    Raises ``ImportError`` without viser, and ``PoseError`` for joint values outside limits.
    """
    return Picture(asked, q, None, hulls=hulls, host=host, port=port, browser=browser)


def play(
    asked: World | Checker,
    q: ArrayLike,
    t: ArrayLike | None = None,
    *,
    hulls: bool = False,
    host: str = "127.0.0.1",
    port: int = PORT,
    browser: bool = False,
) -> Picture:
    """Shows a motion: poses ``q`` of shape (n, dof) at the times ``t`` (seconds, shape (n,), ascending).
    Without times it plays 30 poses a second. The clearance between two poses is not shown: ``World.edge``
    proves it. The rest is as in ``show``.
    """
    world = asked if isinstance(asked, World) else asked.world
    motion = Motion(q, t, world.dof)
    return Picture(asked, motion.poses[0], motion, hulls=hulls, host=host, port=port, browser=browser)


class Picture:
    """A pose or a motion in the browser. The page is served while this object lives, until ``close``; a
    script calls ``wait``. All threads may use it."""

    def __init__(
        self,
        asked: World | Checker,
        q: ArrayLike | None,
        motion: Motion | None,
        *,
        hulls: bool,
        host: str,
        port: int,
        browser: bool,
    ) -> None:
        self._viser = import_viser()
        self.world = asked if isinstance(asked, World) else asked.world
        self._changed = isinstance(asked, Checker)
        self._checker = Checker(asked) if isinstance(asked, World) else asked.copy()
        self._lock = threading.RLock()
        self.motion = motion
        self.sample: int | None = None if motion is None else 0
        first: ArrayLike = self._checker.values if q is None else q
        self.answer: Answer = self._checker.nearest(first, hulls=hulls)
        self.q: NDArray[np.float64] = self._checker.values
        if motion is not None:
            motion.ask(self.world, self._checker if self._changed else None, hulls)
        self._server = start_server(self._viser, host, port)
        poses = None if motion is None else motion.poses
        self.stage = Stage(self._server, self._viser, self._checker, hulls, poses)
        self.panel = Panel(self, self._server)
        self._show()
        camera = self._server.initial_camera
        camera.position, camera.look_at = self.stage.view(self.answer)
        if browser:
            webbrowser.open(self.address)

    @property
    def address(self) -> str:
        """The page's address."""
        return f"http://{self._server.get_host()}:{self._server.get_port()}"

    @property
    def where(self) -> str:
        """Which pose is shown, in words."""
        if self.motion is None:
            return ""
        return "moved by hand" if self.sample is None else self.motion.where(self.sample)

    def set(self, q: ArrayLike) -> None:
        """Shows another pose, shape (dof,)."""
        with self._lock:
            self._ask(q)
            self.sample = None
            self._show()

    def go(self, sample: int) -> None:
        """Shows a sample of the motion, by its number from 0."""
        if self.motion is None:
            raise ValueError("this picture has no motion: make it by play")
        if not 0 <= sample < len(self.motion.poses):
            raise ValueError(f"there is no sample {sample}: the motion has {len(self.motion.poses)}")
        with self._lock:
            self._ask(self.motion.poses[sample])
            self.sample = sample
            self._show()

    def drag(self, joint: int, value: float) -> None:
        """Sets one joint value, and keeps the others."""
        with self._lock:
            q = self.q.copy()
            q[joint] = value
            self.set(q)

    def use_hulls(self, hulls: bool) -> None:
        """Whether meshes count as their convex hulls, and are drawn so."""
        with self._lock:
            self.stage.hulls = hulls
            self.stage.show_bodies()
            self._ask(self.q)
            if self.motion is not None:
                self.motion.ask(self.world, self._checker if self._changed else None, hulls)
                self.panel.show_clearances()
            self._show()

    def look(self, client: Any, close: bool) -> None:
        """Moves the camera of one browser: to the nearest points, or so far that all is seen."""
        with self._lock:
            position, target = self.stage.view(self.answer, close)
        with client.atomic():
            client.camera.position, client.camera.look_at = position, target

    def page(self) -> str:
        """A page that stands alone: the pose, or the motion with a slider. It turns, and needs no network."""
        with self._lock:
            checker = self._checker.copy()
            motion = None if self.motion is None or self.sample is None else self.motion
        return make_page(self._viser, checker, self.q, motion, self.stage.hulls)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes ``page`` to a file."""
        Path(path).write_text(self.page(), encoding="utf-8")

    def wait(self) -> None:
        """Prints the address, and serves the page until Ctrl-C."""
        print(self, flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            self.close()

    def close(self) -> None:
        """Ends the server."""
        self.panel.stop()
        stop_server(self._server)

    def __enter__(self) -> Picture:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Picture at {self.address}"

    def _repr_html_(self) -> str:
        source = html.escape(self.address, quote=True)
        return f'<iframe src="{source}" width="100%" height="640" style="border:0"></iframe>'

    def _ask(self, q: ArrayLike) -> None:
        self.answer = self._checker.nearest(q, hulls=self.stage.hulls)
        self.q = self._checker.values

    def _show(self) -> None:
        with self._server.atomic():
            self.stage.show_pose(self._checker.frames(), self.answer)
            self.panel.show()
