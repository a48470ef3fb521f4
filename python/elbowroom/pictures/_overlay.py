"""The clearance over time on a page that stands alone.

A recording of viser has no panel. So the page gets a plot of its own, over the scene. Its line follows the
time of viser's player, and a click on it sets that time, in the player's own field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._words import lower_words

if TYPE_CHECKING:
    from ._motion import Motion

WIDTH, HEIGHT = 400, 170
"""Of the plot, in pixels."""

SCRIPT = """
(() => {
  const plot = document.getElementById("elbowroom-plot"), now = document.getElementById("elbowroom-now");
  const last = Number(plot.dataset.seconds);
  const follow = () => {
    const player = document.querySelector("[role=slider]");
    const x = player && last > 0 ? Number(player.getAttribute("aria-valuenow")) / last * plot.clientWidth : 0;
    now.setAttribute("x1", x);
    now.setAttribute("x2", x);
    requestAnimationFrame(follow);
  };
  follow();
  plot.addEventListener("click", event => {
    const box = plot.getBoundingClientRect(), field = document.querySelector("input");
    const time = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1) * last;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, time.toFixed(4));
    field.dispatchEvent(new Event("input", {bubbles: true}));
  });
})();
"""


def add_plot(page: str, motion: Motion, margin: float) -> str:
    """The page with the plot of a motion. Without any finite clearance it stays as it is."""
    lower = motion.lower
    known = np.isfinite(lower)
    if not known.any() or motion.times[-1] <= motion.times[0]:
        return page
    low, high = min(float(lower[known].min()), 0.0), max(float(lower[known].max()), margin)
    room = 0.08 * (high - low) or 1e-3
    low, high = low - room, high + room
    seconds = float(motion.times[-1] - motion.times[0])

    def height_of(metres: float) -> float:
        return HEIGHT * (high - metres) / (high - low)

    def level(metres: float, colour: str, dash: str) -> str:
        y = f"{height_of(metres):.1f}"
        return f'<line x1="0" x2="{WIDTH}" y1="{y}" y2="{y}" stroke="{colour}" stroke-dasharray="{dash}"/>'

    x = WIDTH * (motion.times - motion.times[0]) / seconds
    dots = " ".join(f"{at:.1f},{height_of(float(v)):.1f}" for at, v in zip(x[known], lower[known]))
    least = motion.least_moments()[0]
    words = f"from {lower_words(float(lower[known].min()))} to {lower_words(float(lower[known].max()))}"
    svg = (
        f'<svg id="elbowroom-plot" data-seconds="{seconds}" width="{WIDTH}" height="{HEIGHT}" '
        f'style="cursor:crosshair;display:block">{level(0.0, "#c22f2f", "none")}'
        f'{level(margin, "#c27803", "6 4")}<polyline points="{dots}" fill="none" stroke="#2563a8" '
        f'stroke-width="2"/><circle cx="{x[least]:.1f}" cy="{height_of(float(lower[least])):.1f}" r="4" '
        f'fill="#2563a8"/><line id="elbowroom-now" y1="0" y2="{HEIGHT}" stroke="#d0006f"/></svg>'
    )
    frame = (
        "position:fixed;right:12px;bottom:58px;z-index:5;background:#fffd;border:1px solid #ccc;"
        "border-radius:6px;padding:8px;font:12px system-ui,sans-serif;color:#444"
    )
    title = f"<div>Proved clearance, {words}. Click to go there.</div>"
    plot = f'<div style="{frame}">{title}{svg}</div><script>{SCRIPT}</script>'
    before, end, after = page.rpartition("</body>")
    return before + plot + end + after
