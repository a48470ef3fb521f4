"""Ways between poses, and their certificates."""

from __future__ import annotations

import math

import pytest

import elbowroom as er


def test_a_free_way_is_proved_again(rod: er.World) -> None:
    edge = rod.edge([-2.0], [1.0])
    assert edge and edge.free and edge.outcome == "free" and edge.free_until == 1.0
    assert edge.first_contact is None and edge.pair is None and edge.doubt is None
    certificate = edge.certificate
    assert certificate is not None and len(certificate) == len(certificate.pieces) > 0
    certificate.verify()
    names, (start, end) = certificate.pieces[0]
    assert set(names) <= set(rod.bodies) and 0.0 <= start < end <= 1.0


def test_the_first_contact_is_found(rod: er.World) -> None:
    edge = rod.edge([0.0], [2.0])
    assert not edge and edge.certificate is None and edge.pair == ("rod/arm", "world/post")
    assert edge.first_contact is not None
    before, at = edge.first_contact
    # Where the chord between the centres is the radii and the margin.
    contact = (math.pi / 2 - 2 * math.asin(0.31 / 2)) / 2
    assert before <= contact <= at and at - before < 1e-5
    assert edge.free_until <= before
    touching = rod.edge([0.0], [2.0], margin=0.0).first_contact
    assert touching is not None and touching[0] > at
    assert rod.edge([0.0], [2.0], first=False).outcome == "contact"


def test_what_is_not_decided_is_unknown(rod: er.World) -> None:
    edge = rod.edge([0.0], [2.0], work=1)
    assert edge.outcome == "unknown" and edge.doubt == "work" and not edge


def test_bad_ends_are_refused(rod: er.World) -> None:
    with pytest.raises(er.PoseError, match="rod/turn"):
        rod.edge([0.0], [9.0])
    with pytest.raises(ValueError, match="shape"):
        rod.edge([0.0], [0.0, 0.0])


def test_pairs_are_proved_over_all_poses(rod: er.World) -> None:
    proof = rod.prove("rod/arm", "world/post")
    assert proof.claim == "sometimes" and proof.least is None and proof.overlap_at is not None
    assert rod.nearest(proof.overlap_at).verdict == er.Verdict.COLLISION
    far = rod.extended(obstacles=[er.Obstacle("far", er.Sphere(0.1), er.Pose([3.0, 0.0, 0.0]))])
    proof = far.prove("world/far", "rod/arm")
    assert proof.claim == "never" and proof.least is not None and 0.0 < proof.least <= 1.8
    with pytest.raises(er.ChangeError, match='did you mean "rod/arm"'):
        far.prove("world/far", "rod/amr")


def test_a_spline_is_asked_as_it_is_executed(rod: er.World) -> None:
    # From 1 to 1.1 rad in a second: at rest at both ends, or at speed, which swings out to the post.
    def cubic(v: float, w: float) -> list[list[float]]:
        return [[1.0, v, 0.3 - 2 * v - w, -0.2 + v + w, 0.0, 0.0]]

    calm = rod.spline(1.0, cubic(0.0, 0.0))
    assert calm.free and calm.certificate is not None
    calm.certificate.verify()
    swinging = rod.spline(1.0, cubic(0.9, -1.0))
    assert swinging.outcome == "contact" and swinging.pair == ("rod/arm", "world/post")
    assert rod.spline(1.0, cubic(0.0, 0.0), tolerance=[0.01]).free
    assert rod.spline(1.0, cubic(0.0, 0.0), tolerance=[1.0]).outcome == "unknown"
    with pytest.raises(ValueError, match=r"coefficients have the shape \[1, 4\]: give \(1, 6\)"):
        rod.spline(1.0, [[1.0, 0.0, 0.0, 0.0]])
    with pytest.raises(ValueError, match="must be more than 0"):
        rod.spline(0.0, cubic(0.0, 0.0))
    with pytest.raises(er.PoseError, match="outside its limits"):
        rod.spline(1.0, cubic(90.0, 0.0))
    with pytest.raises(er.PoseError, match="tolerance"):
        rod.spline(1.0, cubic(0.0, 0.0), tolerance=[-1.0])
