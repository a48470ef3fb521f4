"""The exceptions."""

from __future__ import annotations

from typing import NamedTuple, Sequence, Tuple

_Fields = Tuple[str, str, str, str]


class Fault(NamedTuple):
    """One thing that is wrong with a file or a description."""

    file: str
    """The file it is in; empty for a description made of Python's values."""
    place: str
    """Where in the file; empty for the whole file."""
    what: str
    """What is wrong."""
    help: str
    """What a person can do about it; may be empty."""

    def __str__(self) -> str:
        where = "".join(f"{part}: " for part in (self.file, self.place) if part)
        return f"{where}{self.what}" + (f"; {self.help}" if self.help else "")


class Error(Exception):
    """The base class of this package's exceptions."""


class WorldError(Error, ValueError):
    """A description cannot be used. ``faults`` has everything that is wrong with it."""

    faults: list[Fault]

    def __init__(self, faults: Sequence[_Fields]) -> None:
        super().__init__(faults)
        self.faults = [Fault(*fault) for fault in faults]

    def __str__(self) -> str:
        lines = [str(fault) for fault in self.faults]
        count = len(lines)
        return "\n".join([*lines, f"{count} fault{'' if count == 1 else 's'}"])


class LoadError(WorldError):
    """Files cannot be read or used. ``faults`` has every fault of every file."""


class PoseError(Error, ValueError):
    """Joint values that are not a pose of the world, or outside limits. The message names them all.

    ``rows`` has the first refused poses of a batch: the number of each, and what is wrong.
    """

    rows: list[tuple[int, str]]

    def __init__(self, message: str, rows: Sequence[tuple[int, str]] = ()) -> None:
        super().__init__(message, rows)
        self.rows = list(rows)

    def __str__(self) -> str:
        return str(self.args[0])


class ChangeError(Error, ValueError):
    """A change that makes no sense, or a name that the world does not have. Nothing changes."""


class BusyError(Error, RuntimeError):
    """Another thread is asking this checker. Make one for each thread: ``checker.copy()``."""


class CertificateError(Error):
    """A certificate does not hold, or cannot be verified."""
