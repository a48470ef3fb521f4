"""A page that stands alone, by viser's recording of a scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._overlay import add_plot
from ._server import start_server, stop_server
from ._stage import Stage

if TYPE_CHECKING:
    from .._engine import Checker
    from ._motion import Motion

MOST_SAMPLES = 400
"""Of a longer motion, a page has every second sample, or every third, and the least clear moments."""


def make_page(
    viser: Any, checker: Checker, q: NDArray[np.float64], motion: Motion | None, hulls: bool
) -> str:
    """The page of a pose, or of a motion. A server of its own records it, so that no browser that looks at
    the picture sees it move."""
    server = start_server(viser, "127.0.0.1", 0)
    try:
        samples = [] if motion is None else _choose_samples(motion)
        first = q if motion is None else motion.poses[0]
        answer = checker.nearest(first, hulls=hulls)
        stage = Stage(server, viser, checker, hulls, None if motion is None else motion.poses)
        stage.show_pose(checker.frames(), answer)
        server.initial_camera.position, server.initial_camera.look_at = stage.view(answer)
        recording = server.get_scene_serializer()
        if motion is not None:
            for before, sample in zip(samples, samples[1:]):
                recording.insert_sleep(float(motion.times[sample] - motion.times[before]))
                answer = checker.nearest(motion.poses[sample], hulls=hulls)
                stage.show_pose(checker.frames(), answer)
        page = recording.as_html()
        assert isinstance(page, str)
        return page if motion is None else add_plot(page, motion, checker.world.margin)
    finally:
        stop_server(server)


def _choose_samples(motion: Motion) -> list[int]:
    count = len(motion.poses)
    step = -(-count // MOST_SAMPLES)
    return sorted({*range(0, count, step), count - 1, *motion.least_moments()})
