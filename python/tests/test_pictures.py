"""Pictures without a browser: the nodes of the scene, the numbers in the panel, the server, the page."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Iterator

import numpy as np
import pytest

import elbowroom as er
from conftest import DATA, rod_robot
from elbowroom.pictures import Picture, play, show
from elbowroom.pictures._motion import Motion
from elbowroom.pictures._stage import node_name
from elbowroom.pictures._words import COLOURS, lower_words, upper_words

UR5 = DATA / "robots/ur5_robotiq_vamp/ur5.urdf"

needs_viser = pytest.mark.usefixtures("viser")


@pytest.fixture(scope="session")
def viser() -> None:
    pytest.importorskip("viser", reason="SKIPPED, viser is not installed: pictures")


@pytest.fixture
def cell() -> er.World:
    post = er.Obstacle("post", er.Sphere(0.2), er.Pose([0.0, 1.0, 0.0]))
    floor = er.Obstacle("floor", er.Box([6.0, 6.0, 0.1]), er.Pose([0.0, 0.0, -1.0]))
    return er.World([rod_robot()], [post, floor], margin=0.05)


@pytest.fixture
def swing(viser: None, cell: er.World) -> Iterator[Picture]:
    """The rod turns through the post."""
    with cell.play(np.linspace(0.0, 2.0, 41)[:, None], np.linspace(0.0, 4.0, 41)) as picture:
        yield picture


def shown_numbers(picture: Picture) -> list[float]:
    return [float(n) for n in re.findall(r"<b>(-?[\d.]+) mm</b>", picture.panel.answer.content)]


def test_without_viser_the_error_says_what_to_install() -> None:
    code = """
import sys
sys.modules["viser"] = None
import elbowroom as er
world = er.World([er.Robot("r", [er.Link("a", er.Sphere(1.0))])])
try:
    world.show()
except ImportError as error:
    assert "pip install 'elbowroom[pictures]'" in str(error), error
    print("refused")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "refused\n", done.stderr


def test_importing_the_package_imports_no_viser() -> None:
    code = "import sys, elbowroom, elbowroom.pictures; print('viser' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


def test_bounds_are_rounded_outward() -> None:
    for metres in (0.0012345678, -0.0012345678, 0.0, 1e-9, -1e-9, 0.001, 123.456):
        low, high = (float(words(metres).removesuffix(" mm")) for words in (lower_words, upper_words))
        assert low / 1e3 <= metres <= high / 1e3 or abs(metres) < 1e-15
        assert high - low <= 0.0011
    assert lower_words(-np.inf) == upper_words(np.inf) == "nothing known"


def test_a_motion_knows_its_dips() -> None:
    times = np.linspace(0.0, 1.0, 101)
    motion = Motion(np.zeros((101, 1)), times, 1)
    motion.lower = 2.0 + np.cos(times * 4 * np.pi) - times
    assert motion.least_moments()[:2] == [76, 26]
    motion.lower = np.full(101, 0.5)
    assert motion.least_moments() == [0]
    assert motion.sample_at(-1.0) == 0 and motion.sample_at(0.305) == 30 and motion.sample_at(9.0) == 100
    for poses, given in [(np.zeros((0, 1)), None), (np.zeros((3, 2)), None), (np.zeros((2, 1)), [1.0, 0.5])]:
        with pytest.raises(ValueError):
            Motion(poses, given, 1)


@needs_viser
def test_nodes_are_the_bodies(cell: er.World) -> None:
    with cell.show([0.5]) as picture:
        assert list(picture.stage.nodes) == cell.bodies
        frames = cell.frames([0.5])
        for body, frame in zip(cell.bodies, frames):
            node = picture.stage.nodes[body]
            assert node.name == node_name(body) == f"/{body}"
            assert np.allclose(node.position, frame[:3, 3])
            assert np.allclose(picture._viser.transforms.SO3(node.wxyz).as_matrix(), frame[:3, :3])
        meshes = picture.stage.meshes
        assert [body for body in cell.bodies if meshes[body]] == ["rod/arm", "world/post", "world/floor"]
        assert picture.stage.glass == {"world/floor"}


@needs_viser
def test_numbers_are_those_of_the_world(cell: er.World) -> None:
    with show(cell, [0.0]) as picture:
        for angle in (0.0, 0.9, 1.2, 1.5, -1.0):
            picture.set([angle])
            a = cell.nearest([angle])
            assert a.pair is not None and a.witness_a is not None and a.witness_b is not None
            low, high = shown_numbers(picture)
            assert low / 1e3 <= a.lower <= a.upper <= high / 1e3 and high - low < 0.003
            assert str(a.verdict) in picture.panel.answer.content
            assert all(name in picture.panel.answer.content for name in a.pair)
            assert np.allclose(picture.stage.points[0].position, a.witness_a)
            assert np.allclose(picture.stage.vector.points[0], [a.witness_b, a.witness_a], atol=1e-6)
            for body, meshes in picture.stage.meshes.items():
                for mesh in meshes.values():
                    assert (tuple(mesh.color) == COLOURS[a.verdict]) == (body in a.pair), (angle, body)
            assert picture.panel.joints[0].value == angle
        with pytest.raises(er.PoseError):
            picture.set([9.0])
        assert picture.q.tolist() == [-1.0]


@needs_viser
def test_a_slider_goes_over_the_motion(swing: Picture) -> None:
    assert swing.motion is not None
    least = int(np.argmin(swing.motion.lower))
    assert swing.motion.least_moments()[0] == least
    assert swing.panel.moments.options[0] == f"{least}: {lower_words(swing.motion.lower[least])}"
    swing.go(least)
    assert swing.panel.slider.value == least and swing.answer.verdict == er.Verdict.COLLISION
    assert swing.where == f"{swing.motion.times[least]:.3f} s, sample {least} of 41"
    x, lower, upper, margin, contact, now = swing.panel.plot.data
    found = swing.world.clearance(swing.motion.poses)
    assert np.allclose(lower, 1e3 * found.lower) and np.allclose(upper, 1e3 * found.upper)
    assert (x == swing.motion.times).all() and (margin == 50.0).all() and (contact == 0.0).all()
    assert np.flatnonzero(~np.isnan(now)).tolist() == [least]
    swing.drag(0, 0.25)
    assert swing.where == "moved by hand" and swing.q.tolist() == [0.25]
    with pytest.raises(ValueError, match="sample 41"):
        swing.go(41)


@needs_viser
def test_hulls_can_be_switched(viser: None) -> None:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    # Two far triangles: the hull between them is what the other body is in.
    bowl = er.Mesh(corners[[0, 1, 2, 5, 6, 7]], [[0, 1, 2], [3, 4, 5]])
    ball = er.Robot("ball", [er.Link("ball", er.Sphere(0.1))])
    world = er.World([ball], [er.Obstacle("bowl", bowl)], checks=[("ball/ball", "world/bowl")])
    with world.show() as picture:
        meshes = picture.stage.meshes["world/bowl"]
        assert str(picture.answer.verdict) == "clear"
        assert meshes[False].visible and not meshes[True].visible
        picture.use_hulls(True)
        assert str(picture.answer.verdict) == "collision"
        assert meshes[True].visible and not meshes[False].visible


@needs_viser
def test_a_checker_is_shown_with_its_changes(viser: None) -> None:
    world = er.World(
        [rod_robot()],
        [
            er.Obstacle("near", er.Sphere(0.1), er.Pose([1.0, 0.5, 0.0]), movable=True),
            er.Obstacle("far", er.Sphere(0.1), er.Pose([1.0, -0.9, 0.0]), movable=True),
        ],
        clouds=[er.Cloud("seen", 0.02, 100)],
    )
    checker = er.Checker(world)
    checker.update_cloud("world/seen", [[1.0, 0.0, 3.0], [1.0, 0.0, 4.0]])
    checker.hide("world/near")
    checker.place("world/far", er.Pose([1.0, -0.4, 0.0]))
    with show(checker, [0.0]) as picture:
        assert picture.answer.pair == ("rod/arm", "world/far")
        assert np.allclose(picture.stage.nodes["world/far"].position, [1.0, -0.4, 0.0])
        assert not picture.stage.meshes["world/near"][False].visible
        assert picture._server.scene.get_handle_by_name("/world/seen points") is not None
    with play(checker, [[0.0], [0.1]]) as picture:
        assert picture.motion is not None
        assert np.allclose(picture.motion.lower[0], 0.2, atol=1e-6)


@needs_viser
def test_only_this_machine_is_served(cell: er.World) -> None:
    with cell.show() as picture:
        host, port = picture._server.get_host(), picture._server.get_port()
        assert host == "127.0.0.1" and picture.address == f"http://127.0.0.1:{port}"
        socket.create_connection((host, port), timeout=5).close()
        if sys.platform == "linux":
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.2", port), timeout=5)
        assert picture.address in picture._repr_html_()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, port), timeout=5)


def check_page(path: Path) -> None:
    """Under 10 MB, and nothing in its head or body is fetched."""
    text = path.read_text(encoding="utf-8")
    assert 100_000 < len(text.encode()) < 10_000_000
    assert "__VISER_EMBED_DATA__" in text
    assert not re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=[\"'](?!data:)[^\"']", text)


@needs_viser
def test_a_page_stands_alone(swing: Picture, tmp_path: Path) -> None:
    swing.save(tmp_path / "page.html")
    check_page(tmp_path / "page.html")


@needs_viser
def test_the_program_saves_the_page_of_a_ur5(viser: None, tmp_path: Path) -> None:
    if not UR5.exists():
        pytest.skip(f"SKIPPED, no data folder: {UR5} (ELBOWROOM_DATA)")
    table = 'name = "table"\nshape = { type = "box", size = [1.6, 1.6, 0.05] }\nxyz = [0.3, 0, 0.86]\n'
    robot = f"[[robot]]\nurdf = {str(UR5)!r}\nname = 'ur5'\n"
    (tmp_path / "cell.toml").write_text(f"{robot}\n[[obstacle]]\n{table}")
    motion = np.linspace([-1.3, -0.9, 1.3, -1.2, -1.57, 0.0], [1.4, -0.7, 1.3, -1.2, -1.57, 0.0], 300)
    np.save(tmp_path / "motion.npy", motion)
    words = ["view", "cell.toml", "--motion", "motion.npy", "--save", "page.html"]
    run = [sys.executable, "-m", "elbowroom", *words]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    check_page(tmp_path / "page.html")


def test_the_program_says_what_is_wrong(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "elbowroom", "view", str(tmp_path / "none.urdf")]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 1 and "none.urdf" in done.stderr and "Traceback" not in done.stderr
