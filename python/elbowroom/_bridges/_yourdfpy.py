"""Worlds from what yourdfpy has read."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .._engine import World, load


def from_yourdfpy(robot: Any, **options: Any) -> World:
    """The world of a ``yourdfpy.URDF``, with what was changed in it since it was read.

    It is written as a URDF and read by ``load``, which has the ``options``: name the SRDF, as no file lies
    beside the robot (``srdf="panda.srdf"``). Names of meshes are resolved as yourdfpy does it. Joint values
    are in the order of its ``actuated_joint_names``.

    Raises ``LoadError``, which has every fault of the URDF as ``faults``.
    """
    if not hasattr(robot, "write_xml"):
        raise TypeError("from_yourdfpy takes a yourdfpy.URDF; load() takes the path of a file")
    urdf = robot.write_xml()
    joints = {joint.name: joint for joint in robot.robot.joints}
    for element in urdf.iter("joint"):
        # yourdfpy writes no mimic.
        mimic = joints[element.get("name")].mimic
        if mimic is not None and element.find("mimic") is None:
            values = {"joint": mimic.joint, "multiplier": mimic.multiplier, "offset": mimic.offset}
            element.append(element.makeelement("mimic", {key: str(v) for key, v in values.items()}))
    for element in urdf.iter("mesh"):
        # Where yourdfpy finds no file, its name stays for the folders of packages.
        if Path(element.get("filename")).exists():
            element.set("filename", str(Path(element.get("filename")).resolve()))
    with TemporaryDirectory() as folder:
        file = Path(folder, "robot.urdf")
        urdf.write(str(file))
        return load(file, **options)
