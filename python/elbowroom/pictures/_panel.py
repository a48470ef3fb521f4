"""The panel beside a scene: the answer, the motion, the joints, the view."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from ._words import answer_html, lower_words

if TYPE_CHECKING:
    from ._picture import Picture

UNBOUNDED = math.pi
"""How far a slider goes for a joint without a limit (radians, metres)."""

STEPS = 2000
"""Steps of a joint's slider."""

CLEARANCE, MARGIN, CONTACT, NOW = "#2563a8", "#c27803", "#c22f2f", "#d0006f"


class Panel:
    """The controls of a picture. What is done in the browser comes with a client; what this package sets
    itself comes without one."""

    def __init__(self, picture: Picture, server: Any) -> None:
        self._picture, self._server, self._gui = picture, server, server.gui
        self._playing = threading.Event()
        self.answer = self._gui.add_html("")
        self.slider: Any = None
        self.plot: Any = None
        self.moments: Any = None
        if picture.motion is not None:
            with self._gui.add_folder("Motion"):
                self._add_motion()
        with self._gui.add_folder("Joints", expand_by_default=picture.motion is None):
            self.joints = [self._add_joint(k) for k in range(len(picture.world.joint_names))]
        with self._gui.add_folder("View", expand_by_default=picture.motion is None):
            self._add_view()

    def _add_motion(self) -> None:
        motion = self._picture.motion
        assert motion is not None
        last = len(motion.poses) - 1
        self.slider = self._gui.add_slider("sample", 0, max(last, 1), 1, 0, disabled=last == 0)
        self.play = self._gui.add_button("Play", disabled=last == 0)
        self.plot = self._gui.add_uplot(
            data=self._plot_data(0),
            series=(
                {"label": "s" if motion.has_times else "sample"},
                {"label": "at least, mm", "stroke": CLEARANCE, "width": 2},
                {"label": "at most", "stroke": CLEARANCE, "width": 1, "dash": (3, 3)},
                {"label": "margin", "stroke": MARGIN, "width": 1, "dash": (6, 4)},
                {"label": "contact", "stroke": CONTACT, "width": 1},
                {"label": "now", "stroke": NOW, "points": {"show": True, "size": 10, "fill": NOW}},
            ),
            # Fixed, for the range of data with NaN would be empty.
            scales={"x": {"time": False}, "y": {"range": self._plot_range()}},
            axes=(
                {"label": "time, s" if motion.has_times else "sample", "size": 32, "labelSize": 22},
                {"label": "clearance, mm", "size": 48, "labelSize": 22},
            ),
            legend={"show": False},
            aspect=1.25,
        )
        self.moments = self._gui.add_button_group("least clear", self._moment_words())
        self.slider.on_update(self._go_to_slider)
        self.moments.on_click(lambda event: self._go_to_moment(str(event.target.value)))
        self.play.on_click(lambda _: self._toggle_play())

    def _go_to_slider(self, event: Any) -> None:
        if event.client is not None:
            self._picture.go(int(self.slider.value))

    def _plot_data(self, sample: int) -> tuple[Any, ...]:
        motion = self._picture.motion
        assert motion is not None
        count = len(motion.poses)
        lower, upper = (1e3 * np.where(np.isfinite(v), v, np.nan) for v in (motion.lower, motion.upper))
        now = np.full(count, np.nan)
        now[sample] = lower[sample]
        x = motion.times if motion.has_times else np.arange(count, dtype=np.float64)
        margin = np.full(count, 1e3 * self._picture.world.margin)
        return x, lower, upper, margin, np.zeros(count), now

    def _plot_range(self) -> tuple[float, float]:
        """From the least to the greatest clearance (millimetres), with contact, the margin, and some room."""
        _, lower, upper, margin, contact, _ = self._plot_data(0)
        known = np.concatenate([lower, upper, margin, contact])
        known = known[np.isfinite(known)]
        low, high = float(known.min()), float(known.max())
        room = 0.06 * (high - low) or 1.0
        return low - room, high + room

    def _moment_words(self) -> list[str]:
        motion = self._picture.motion
        assert motion is not None
        return [f"{sample}: {lower_words(motion.lower[sample])}" for sample in motion.least_moments()]

    def _go_to_moment(self, words: str) -> None:
        self._playing.clear()
        self._picture.go(int(words.partition(":")[0]))

    def _toggle_play(self) -> None:
        if self._playing.is_set():
            self._playing.clear()
            return
        self._playing.set()
        threading.Thread(target=self._play_on, daemon=True).start()

    def _play_on(self) -> None:
        """Plays at the motion's own pace, from where it is, until it ends or is stopped."""
        self.play.label = "Pause"
        picture, motion = self._picture, self._picture.motion
        assert motion is not None
        sample = picture.sample if picture.sample is not None else 0
        sample = 0 if sample == len(motion.poses) - 1 else sample
        while self._playing.is_set() and sample < len(motion.poses) - 1:
            pause = float(motion.times[sample + 1] - motion.times[sample])
            threading.Event().wait(min(pause, 1.0))
            sample += 1
            if self._playing.is_set():
                picture.go(sample)
        self._playing.clear()
        self.play.label = "Play"

    def _add_joint(self, k: int) -> Any:
        world = self._picture.world
        lower = float(world.lower[k]) if math.isfinite(world.lower[k]) else -UNBOUNDED
        upper = float(world.upper[k]) if math.isfinite(world.upper[k]) else UNBOUNDED
        name = world.joint_names[k]
        value = min(max(float(self._picture.q[k]), lower), upper)
        step = (upper - lower) / STEPS or 1e-3
        slider = self._gui.add_slider(name.partition("/")[2], lower, upper, step, value, hint=name)

        def drag(event: Any) -> None:
            if event.client is not None:
                self._playing.clear()
                # A slider rounds to its steps, which may lie beyond the limits.
                self._picture.drag(k, min(max(float(slider.value), lower), upper))

        slider.on_update(drag)
        return slider

    def _add_view(self) -> None:
        picture, stage = self._picture, self._picture.stage
        kinds = ("triangles", "hulls")
        meshes = self._gui.add_dropdown("meshes count as", kinds, initial_value=kinds[stage.hulls])
        cell = self._gui.add_checkbox("cell", True)
        close = self._gui.add_button("Look at the nearest points")
        whole = self._gui.add_button("Look at all")
        save = self._gui.add_button("Save as a page")

        def choose_meshes(event: Any) -> None:
            if event.client is not None:
                picture.use_hulls(meshes.value == "hulls")

        def show_cell(_: Any) -> None:
            stage.cell_shown = bool(cell.value)
            stage.show_bodies()

        def send_page(event: Any) -> None:
            event.client.send_file_download("elbowroom.html", picture.page().encode())

        def look_close(event: Any) -> None:
            picture.look(event.client, close=True)

        def look_at_all(event: Any) -> None:
            picture.look(event.client, close=False)

        meshes.on_update(choose_meshes)
        cell.on_update(show_cell)
        close.on_click(look_close)
        whole.on_click(look_at_all)
        save.on_click(send_page)

    def show(self) -> None:
        """Shows the picture's pose."""
        picture = self._picture
        self.answer.content = answer_html(picture.answer, picture.where)
        for slider, value in zip(self.joints, picture.q):
            slider.value = min(max(float(value), slider.min), slider.max)
        if self.slider is not None and picture.sample is not None:
            self.slider.value = picture.sample
            self.plot.data = self._plot_data(picture.sample)

    def show_clearances(self) -> None:
        """Shows the motion's clearances anew."""
        if self.plot is not None:
            self.plot.data = self._plot_data(self._picture.sample or 0)
            self.plot.scales = {"x": {"time": False}, "y": {"range": self._plot_range()}}
            self.moments.options = tuple(self._moment_words())

    def stop(self) -> None:
        """Ends playing."""
        self._playing.clear()
