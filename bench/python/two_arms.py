"""Motions of two arms: a UR5 with its gripper and a Panda a metre apart, each with a clock of its own.

    python bench/python/two_arms.py DATA POINTS
    elbowroom check w.toml --motion ur5=u.csv --motion panda=p.csv --ask test --threads 1 \\
        --continuous --tolerance '*=0.00872665'

Writes w.toml, u.csv and p.csv into the current folder: 20 points a second with positions and velocities.
Each joint swings about a place of its own at a speed of its own; the arms stay apart. DATA is the folder of
shared data. With --tolerance every joint may be half a degree off at any instant. What proving costs is the
user time of that command, less that of the same command without the last two options.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

STEP = 0.05
# Of each joint: the place that it swings about, and how far (radians).
UR5 = {
    "shoulder_pan_joint": (0.5, 0.4),
    "shoulder_lift_joint": (-1.4, 0.25),
    "elbow_joint": (1.2, 0.3),
    "wrist_1_joint": (-1.2, 0.4),
    "wrist_2_joint": (-1.5, 0.5),
    "wrist_3_joint": (0.0, 1.0),
}
PANDA = {
    "panda_joint1": (2.6, 0.2),
    "panda_joint2": (-0.3, 0.25),
    "panda_joint3": (0.0, 0.3),
    "panda_joint4": (-2.0, 0.3),
    "panda_joint5": (0.0, 0.4),
    "panda_joint6": (1.8, 0.4),
    "panda_joint7": (0.7, 0.5),
}


def write_motion(path: Path, joints: dict[str, tuple[float, float]], points: int) -> None:
    lines = [",".join(["t", *joints, *(f"{joint}/velocity" for joint in joints)])]
    for k in range(points):
        t = STEP * k
        positions, velocities = [], []
        for i, (middle, size) in enumerate(joints.values()):
            speed = 0.5 + 0.13 * i
            positions.append(middle + size * math.sin(speed * t))
            velocities.append(size * speed * math.cos(speed * t))
        lines.append(",".join(repr(number) for number in [t, *positions, *velocities]))
    path.write_text("\n".join(lines) + "\n")


def main() -> None:
    data, points = Path(sys.argv[1]).resolve(), int(sys.argv[2])
    robots = data / "robots"
    Path("w.toml").write_text(
        f'margin = 0.005\n[[robot]]\nurdf = "{robots}/ur5_robotiq_vamp/ur5.urdf"\nname = "ur5"\n'
        f'[[robot]]\nurdf = "{robots}/panda_vamp/panda.urdf"\nname = "panda"\nxyz = [1, 0, 0]\n'
    )
    write_motion(Path("u.csv"), UR5, points)
    write_motion(Path("p.csv"), PANDA, points)


main()
