"""Verdicts and lengths in words and colours."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

from .._verdict import Verdict

if TYPE_CHECKING:
    from .._engine import Answer

COLOURS = {
    Verdict.CLEAR: (34, 150, 84),
    Verdict.NEAR: (235, 145, 20),
    Verdict.EXPECTED_CONTACT: (235, 145, 20),
    Verdict.COLLISION: (206, 45, 45),
    Verdict.UNKNOWN: (132, 70, 190),
}
"""Red, green and blue, from 0 to 255."""


def lower_words(metres: float) -> str:
    """A lower bound in millimetres, rounded down to a micrometre."""
    return f"{math.floor(metres * 1e6) / 1e3:.3f} mm" if math.isfinite(metres) else "nothing known"


def upper_words(metres: float) -> str:
    """An upper bound in millimetres, rounded up to a micrometre."""
    return f"{math.ceil(metres * 1e6) / 1e3:.3f} mm" if math.isfinite(metres) else "nothing known"


def answer_words(answer: Answer) -> str:
    """The verdict and the clearance, for a label: the lower bound is the number."""
    if not math.isfinite(answer.lower):
        return f"{answer.verdict}: nothing proved"
    return f"{answer.verdict}: {lower_words(answer.lower)}"


def answer_html(answer: Answer, where: str) -> str:
    """What the panel says about a pose."""
    red, green, blue = COLOURS[answer.verdict]
    pair = " and ".join(html.escape(name) for name in answer.pair or ("no pair is checked",))
    small = "font-size:0.85em;opacity:0.75;overflow-wrap:anywhere"
    large = f"color:rgb({red},{green},{blue});font-weight:700;font-size:1.25em"
    lines = [
        f'<div style="{large}">{answer.verdict}</div>',
        f"<div>Clearance at least <b>{lower_words(answer.lower)}</b></div>",
        f"<div>and at most <b>{upper_words(answer.upper)}</b></div>",
        f'<div style="{small}">{pair}<br>{html.escape(where)}</div>',
    ]
    frame = "padding:0 1em 0.5em;line-height:1.45"
    return f'<div class="elbowroom-answer" style="{frame}">{"".join(lines)}</div>'
