"""A motion and its clearances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .._engine import Checker, World

SAMPLES_A_SECOND = 30.0
"""The pace of motions without times."""

LEAST_MOMENTS = 5
"""The most moments that have a button."""


class Motion:
    """Poses at times, and the clearance of each."""

    def __init__(self, poses: Any, times: Any, dof: int) -> None:
        self.poses: NDArray[np.float64] = np.array(poses, dtype=np.float64, ndmin=2)
        count = len(self.poses)
        if self.poses.ndim != 2 or self.poses.shape[1] != dof or count == 0:
            raise ValueError(f"a motion has the shape (n, {dof}); this has {self.poses.shape}")
        self.has_times = times is not None
        own = np.arange(count) / SAMPLES_A_SECOND
        self.times: NDArray[np.float64] = own if times is None else np.array(times, dtype=np.float64)
        fine = self.times.shape == (count,) and np.isfinite(self.times).all()
        if not fine or (np.diff(self.times) < 0).any():
            raise ValueError(f"times must be {count} numbers of seconds, one for each pose, ascending")
        self.lower = self.upper = np.full(count, np.nan)

    def ask(self, world: World, checker: Checker | None, hulls: bool) -> None:
        """Asks the clearances. ``checker``: with its changes, which takes one thread."""
        if checker is None:
            found = world.clearance(self.poses, hulls=hulls)
            self.lower, self.upper = found.lower, found.upper
        else:
            answers = [checker.nearest(q, hulls=hulls) for q in self.poses]
            self.lower = np.array([answer.lower for answer in answers])
            self.upper = np.array([answer.upper for answer in answers])

    def sample_at(self, time: float) -> int:
        """The last sample at or before a time; the first before all."""
        return max(int(np.searchsorted(self.times, time, side="right")) - 1, 0)

    def least_moments(self) -> list[int]:
        """The samples with the least lower bounds, the least of all first. Each is a dip: the least around
        it, and something around it is greater by more than a micrometre."""
        lower, count = np.where(np.isnan(self.lower), -np.inf, self.lower), len(self.lower)
        around = max(count // 20, 1)
        found: list[int] = []
        for k in np.argsort(lower, kind="stable"):
            k = int(k)
            beside = lower[max(k - around, 0) : k + around + 1]
            dips = not found or beside.max() > lower[k] + 1e-6
            if dips and lower[k] <= beside.min() and all(abs(k - other) > around for other in found):
                found.append(k)
                if len(found) == LEAST_MOMENTS:
                    break
        return found

    def where(self, sample: int) -> str:
        """A sample in words."""
        at = f"sample {sample} of {len(self.poses)}"
        return f"{self.times[sample]:.3f} s, {at}" if self.has_times else at
