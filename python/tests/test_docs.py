"""What the documentation shows runs as it stands there."""

from __future__ import annotations

import re
from importlib.util import find_spec

import numpy as np
import pytest

from conftest import PANDA, ROOT


def test_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    if not PANDA.exists():
        pytest.skip(f"SKIPPED, no data folder: {PANDA} (ELBOWROOM_DATA)")
    monkeypatch.chdir(PANDA.parent)
    scope = {"poses": np.linspace(-1.0, 1.0, 50)[:, None]}
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.S)
    assert len(blocks) == 4
    for block in blocks:
        if "picture" not in block or find_spec("viser") is not None:
            exec(block, scope)


def test_the_readmes_run(monkeypatch: pytest.MonkeyPatch) -> None:
    if not PANDA.exists():
        pytest.skip(f"SKIPPED, no data folder: {PANDA} (ELBOWROOM_DATA)")
    monkeypatch.chdir(PANDA.parent)
    for readme in ("README.md", "python/README.md"):
        for block in re.findall(r"```python\n(.*?)```", (ROOT / readme).read_text(), re.S):
            exec(block.replace("my.urdf", "panda.urdf"), {})
