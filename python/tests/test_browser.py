"""Pictures in a real browser: what is shown moves, and its numbers are those of the world.

Needs viser, playwright, and Chromium: the one at `/usr/bin/chromium`, or the one that `playwright install`
brings.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import pytest

import elbowroom as er
from conftest import rod_robot
from elbowroom.pictures import Picture
from elbowroom.pictures._words import COLOURS, lower_words, upper_words

CHROMIUM = Path("/usr/bin/chromium")
PATIENCE = 60_000.0
"""Software draws slowly where other work runs (milliseconds)."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    pytest.importorskip("viser", reason="SKIPPED, viser is not installed: pictures in a browser")
    sync = pytest.importorskip("playwright.sync_api", reason="SKIPPED, playwright is not installed: browser")
    with sync.sync_playwright() as playwright:
        where = {"executable_path": str(CHROMIUM)} if CHROMIUM.exists() else {}
        arguments = ["--use-gl=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
        try:
            browser = playwright.chromium.launch(args=arguments, **where)
        except sync.Error as error:
            pytest.skip(f"SKIPPED, no Chromium: {str(error).splitlines()[0]}")
        yield browser
        browser.close()


@pytest.fixture
def swing() -> Iterator[Picture]:
    """The rod turns through the post."""
    post = er.Obstacle("post", er.Sphere(0.2), er.Pose([0.0, 1.0, 0.0]))
    world = er.World([rod_robot()], [post], margin=0.05)
    with world.play(np.linspace(0.0, 2.0, 41)[:, None], np.linspace(0.0, 4.0, 41)) as picture:
        yield picture


@pytest.fixture
def page(browser: Any, swing: Picture) -> Iterator[Any]:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(PATIENCE)
    page.goto(swing.address)
    page.wait_for_selector(".elbowroom-answer")
    yield page
    page.close()


def wait_for_answer(page: Any, answer: er.Answer) -> None:
    """Waits until the panel shows exactly this answer."""
    bounds = lower_words(answer.lower), upper_words(answer.upper)
    wait_for_words(page, str(answer.verdict), *bounds, *(answer.pair or ()))


def wait_for_words(page: Any, *words: str) -> None:
    code = "words => words.every(w => document.querySelector('.elbowroom-answer').innerText.includes(w))"
    page.wait_for_function(code, arg=list(words))


def count_like(page: Any, colour: tuple[int, int, int]) -> int:
    """How many pixels of the scene, above the plot of a saved page, have about this hue and are as strong."""
    from PIL import Image

    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    scene = np.asarray(image, dtype=np.float64)[160:530, :880]
    strength = np.ptp(scene, axis=2)
    unit = scene - scene.mean(axis=2, keepdims=True)
    unit /= np.linalg.norm(unit, axis=2, keepdims=True) + 1e-9
    aim = np.array(colour, dtype=np.float64) - np.mean(colour)
    return int(((unit @ (aim / np.linalg.norm(aim)) > 0.95) & (strength > 40)).sum())


def wait_for_colour(page: Any, colour: tuple[int, int, int], least: int) -> None:
    for _ in range(60):
        if count_like(page, colour) >= least:
            return
        page.wait_for_timeout(500)
    raise AssertionError(f"{count_like(page, colour)} pixels look like {colour}")


def test_buttons_go_to_the_dips_and_colours_follow(page: Any, swing: Picture) -> None:
    wait_for_answer(page, swing.world.nearest([0.0]))
    wait_for_colour(page, COLOURS[er.Verdict.CLEAR], 500)
    assert swing.motion is not None
    least = swing.motion.least_moments()[0]
    page.get_by_role("button", name=f"{least}: ").click()
    wait_for_answer(page, swing.world.nearest(swing.motion.poses[least]))
    assert swing.sample == least
    wait_for_colour(page, COLOURS[er.Verdict.COLLISION], 500)
    assert count_like(page, COLOURS[er.Verdict.CLEAR]) < 100


def test_the_slider_moves_the_robot(page: Any, swing: Picture) -> None:
    slider = page.get_by_role("slider").first
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    wait_for_words(page, "sample 5 of 41")
    assert swing.motion is not None and swing.sample == 5
    wait_for_answer(page, swing.world.nearest(swing.motion.poses[5]))
    angle = swing.motion.poses[5, 0]
    wxyz = swing.stage.nodes["rod/arm"].wxyz
    assert np.allclose(wxyz, [np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)])


def test_a_joint_is_dragged_and_the_clearance_follows(page: Any, swing: Picture) -> None:
    page.get_by_text("Joints", exact=True).click()
    turn = page.get_by_role("slider").nth(1)
    turn.wait_for()
    before = page.inner_text(".elbowroom-answer")
    track = turn.bounding_box()
    page.mouse.move(track["x"] + track["width"] / 2, track["y"] + track["height"] / 2)
    page.mouse.down()
    page.mouse.move(track["x"] + 20, track["y"] + track["height"] / 2, steps=4)
    page.mouse.up()
    wait_for_words(page, "moved by hand")
    page.wait_for_timeout(500)
    assert page.inner_text(".elbowroom-answer") != before and swing.q[0] > 0.1
    wait_for_answer(page, swing.world.nearest(swing.q))


def test_the_plot_survives_the_slider(page: Any, swing: Picture) -> None:
    """Data with gaps once emptied the vertical axis."""
    swing.go(20)
    wait_for_answer(page, swing.answer)
    charts = "Object.values(window.__viserTestpoints.uplots)[0].chart"
    page.wait_for_function(f"{charts}.scales.y.min < 0 && {charts}.scales.y.max > 1000")
    assert page.evaluate(f"{charts}.data[5].findIndex(v => !Number.isNaN(v))") == 20


def test_the_camera_goes_to_the_nearest_points(page: Any, swing: Picture) -> None:
    page.get_by_text("View", exact=True).click()
    page.get_by_role("button", name="Look at the nearest points").click()
    a = swing.answer
    assert a.witness_a is not None and a.witness_b is not None
    for _ in range(60):
        (client,) = swing._server.get_clients().values()
        if np.allclose(client.camera.look_at, (a.witness_a + a.witness_b) / 2, atol=1e-3):
            return
        page.wait_for_timeout(500)
    raise AssertionError(client.camera.look_at)


def test_a_saved_page_needs_no_network(browser: Any, swing: Picture, tmp_path: Path) -> None:
    swing.save(tmp_path / "page.html")
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 800})
    page, asked = context.new_page(), []
    page.set_default_timeout(PATIENCE)
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "page.html").as_uri())
    slider = "document.querySelector('[role=slider]')"
    page.wait_for_function(f"Number({slider}?.getAttribute('aria-valuenow')) > 0.1")
    assert page.evaluate(f"{slider}.getAttribute('aria-valuemax')") == "4"
    # It plays until a click on the plot goes to a moment.
    plot = page.locator("#elbowroom-plot")
    width = plot.bounding_box()["width"]
    for seconds, verdict in [(3.0, er.Verdict.COLLISION), (0.5, er.Verdict.CLEAR)]:
        assert swing.world.nearest([seconds / 2]).verdict == verdict
        plot.click(position={"x": width * seconds / 4.0, "y": 20})
        wait_for_colour(page, COLOURS[verdict], 300)
        line = page.locator("#elbowroom-now").get_attribute("x1")
        assert abs(float(line) - width * seconds / 4.0) < 3.0
    assert not [url for url in asked if not re.match("file:|data:|blob:", url)]
    context.close()


def test_a_motion_plays_to_its_end(page: Any, swing: Picture) -> None:
    page.get_by_role("button", name="Play").click()
    wait_for_words(page, "sample 40 of 41")
    page.get_by_role("button", name="Play").wait_for()
    assert swing.sample == 40
    wait_for_answer(page, swing.world.nearest([2.0]))
