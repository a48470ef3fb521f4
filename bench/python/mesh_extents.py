"""Extents and triangles of every mesh in a folder: as the program reads them, and as trimesh does.

    pip install trimesh pycollada pillow charset-normalizer numpy
    python bench/python/mesh_extents.py FOLDER [PROGRAM]

PROGRAM is `target/release/elbowroom` unless given. Each mesh stands alone in a URDF, and `info --json` says
what was read. Extents agree to a millionth of the largest. trimesh keeps triangles with two equal corners
(ours are left out with a warning), does not turn the axes of glTF (ours does) and does not scale a DAE by
its unit: the script does that before it compares.

A line for each file that differs or is refused, with the explanation where there is one; the last line counts
them. Ends with 1 if a difference is left that nothing explains.
"""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
import trimesh

ENDS = {".stl": "stl", ".stla": "stl", ".stlb": "stl", ".obj": "obj", ".dae": "dae", ".ply": "ply"}
GLTF = {".glb": "glb", ".gltf": "gltf"}
ENDS |= GLTF
AGREE = 1e-6
# Extents (metres) and a number of triangles; or why there are none.
Read = tuple[np.ndarray, int] | str


def read_ours(program: str, mesh: Path, folder: Path) -> Read:
    name = quoteattr(f"file://{mesh}")
    shape = f"<collision><geometry><mesh filename={name}/></geometry></collision>"
    urdf = folder / "mesh.urdf"
    urdf.write_text(f'<robot name="m"><link name="a">{shape}</link></robot>')
    done = subprocess.run([program, "info", urdf, "--json", "-"], capture_output=True, text=True)
    if done.returncode != 0:
        words = done.stderr.strip().splitlines() or ["no word"]
        return words[0].split(": ", 1)[-1][-160:]
    body = json.loads(done.stdout.splitlines()[0])["bodies"][0]
    triangles = sum(shape.get("triangles") or 0 for shape in body["shapes"])
    return np.array(body["size"]), triangles


def unit_of_dae(mesh: Path) -> float:
    """What the file says of its unit (metres); trimesh leaves it to its caller."""
    found = re.search(rb'<unit[^>]*\smeter="([^"]+)"', mesh.read_bytes())
    return float(found.group(1)) if found else 1.0


def read_theirs(mesh: Path) -> tuple[Read, int]:
    """What trimesh reads, and how many of its triangles have two equal corners."""
    kind = ENDS[mesh.suffix.lower()]
    try:
        read: Any = trimesh.load(mesh, file_type=kind, force="mesh", process=False, skip_materials=True)
        if not len(read.faces):
            return "no triangles", 0
        corners = np.asarray(read.vertices)[read.faces]
    except Exception as fault:  # whatever it raises: the file is refused
        return f"{type(fault).__name__}: {str(fault)[:120]}", 0
    if not np.isfinite(corners).all():
        return "a corner is no finite number", 0
    unit = unit_of_dae(mesh) if kind == "dae" else 1.0
    extents = (corners.max((0, 1)) - corners.min((0, 1))) * unit
    equal = [(corners[:, i] == corners[:, j]).all(1) for i, j in ((0, 1), (1, 2), (2, 0))]
    return (extents, len(corners)), int(np.any(equal, 0).sum())


def compare_mesh(mesh: Path, ours: Read, theirs: Read, equal_corners: int) -> tuple[str, str]:
    """The heading under which a file is counted, and the words for its line."""
    if isinstance(ours, str) or isinstance(theirs, str):
        who = [name for name, read in (("ours", ours), ("trimesh", theirs)) if isinstance(read, str)]
        why = "; ".join(read for read in (ours, theirs) if isinstance(read, str))
        return f"refused by {' and '.join(who)}", why
    (mine, my_count), (other, count) = ours, theirs
    largest = max(other.max(), 1e-12)
    lines = f"{mine.tolist()} beside {other.tolist()}"
    if my_count != count - equal_corners:
        return "different", f"{my_count} of {count} triangles, {equal_corners} of them with equal corners"
    if abs(mine - other).max() > AGREE * largest:
        turned = abs(mine - other[[0, 2, 1]]).max() <= AGREE * largest and mesh.suffix.lower() in GLTF
        return ("turned axes of glTF" if turned else "different"), lines
    if equal_corners:
        return "same but for equal corners", f"{my_count} of {count} triangles"
    return "same", ""


def main() -> int:
    logging.disable(logging.CRITICAL)
    root = Path(sys.argv[1]).resolve()
    program = sys.argv[2] if len(sys.argv) > 2 else "target/release/elbowroom"
    headings: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for mesh in sorted(path for path in root.rglob("*") if path.suffix.lower() in ENDS):
            theirs, equal_corners = read_theirs(mesh)
            ours = read_ours(program, mesh, Path(folder))
            heading, words = compare_mesh(mesh, ours, theirs, equal_corners)
            headings[heading] += 1
            if words:
                print(f"{heading}: {mesh.relative_to(root)}: {words}")
    counts = ", ".join(f"{n} {heading}" for heading, n in headings.most_common())
    print(f"{headings.total()} files: {counts}")
    return int(headings["different"] + headings["refused by ours"] > 0)


if __name__ == "__main__":
    sys.exit(main())
