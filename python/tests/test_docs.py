"""What the documentation shows runs as it stands there."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from conftest import MAP, ROOT


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, panda_folder: Path) -> Path:
    """A folder to write into, with the Panda, where the test runs."""
    monkeypatch.chdir(panda_folder)
    return panda_folder


def blocks_of(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)


def test_the_page_runs(folder: Path) -> None:
    scope = {"poses": np.linspace(-1.0, 1.0, 50)[:, None]}
    (folder / "room.bt").write_bytes(MAP)
    blocks = blocks_of("docs/python.md")
    assert len(blocks) == 5
    for block in blocks:
        if "picture" not in block or find_spec("viser") is not None:
            exec(block, scope)


@pytest.mark.parametrize("readme", ["README.md", "python/README.md"])
def test_the_readmes_run(folder: Path, readme: str) -> None:
    for block in blocks_of(readme):
        exec(block.replace("my.urdf", "panda.urdf"), {})


@pytest.mark.parametrize("package", ["elbowroom", "pinocchio", "mujoco", "pydrake"])
def test_the_same_task_in_other_packages(
    folder: Path, package: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if find_spec(package) is None:
        pytest.skip(f"SKIPPED, {package} is not installed")
    (block,) = [block for block in blocks_of("docs/coming_from.md") if package in block.split("\n\n")[0]]
    exec(block, {})
    # All find the collision, and name a pair.
    printed = capsys.readouterr().out
    assert "True" in printed or "collision" in printed
    assert len(set(re.findall(r"panda_link\d|panda_hand|panda_\w*finger", printed))) == 2, printed


def test_the_tutorial_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT / "examples")
    notebook = json.loads((ROOT / "examples/tutorial.ipynb").read_text())
    scope: dict[str, object] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), scope)
    printed = capsys.readouterr().out
    assert "pieces verified" in printed and "contact (" in printed and "never" in printed
