"""What a clearance means."""

from enum import IntEnum


class Verdict(IntEnum):
    """What a proved interval means for a robot, from harmless to worst.

    Arrays of verdicts have these numbers: ``world.test(Q) == er.Verdict.CLEAR`` says which poses are clear.
    CLEAR is 0, so do not test a verdict for truth, and do not fill an array with zeros before its answers.
    """

    CLEAR = 0
    """Proved farther apart than the margin."""
    NEAR = 1
    """Proved apart, but not by the margin."""
    EXPECTED_CONTACT = 2
    """Only soft pads touch, none deeper than it gives way. No call of this package gives it yet."""
    COLLISION = 3
    """Overlap is proved."""
    UNKNOWN = 4
    """None of these is proved. It means stop: it is never turned into CLEAR."""

    def __str__(self) -> str:
        return self.name.lower()
