"""The program ``python -m elbowroom``."""

from __future__ import annotations

import argparse
import sys

from . import Error, __version__, load, load_motion


def main(words: list[str] | None = None) -> int:
    """Runs the program. Returns 0, or 1 if something is wrong with the input."""
    parser = argparse.ArgumentParser(prog="python -m elbowroom", description="Pictures of proved clearances.")
    parser.add_argument("--version", action="version", version=f"elbowroom {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    view = commands.add_parser("view", help="show a world, or a motion of it, in the browser")
    view.add_argument("world", metavar="WORLD", help="a robot (.urdf, .xacro) or a world file (.toml)")
    view.add_argument("--motion", metavar="FILE", help="poses: CSV, NPY, JSON lines, or a ROS message")
    view.add_argument("--save", metavar="FILE", help="write a page that stands alone, and end")
    view.add_argument("--package-path", metavar="DIR", action="append", default=[], help="folder of packages")
    view.add_argument("--hulls", action="store_true", help="meshes count as their convex hulls")
    view.add_argument("--host", default="127.0.0.1", help="address that is served (only this machine)")
    view.add_argument("--port", type=int, default=8080, help="first port that is tried (8080)")
    view.add_argument("--browser", action="store_true", help="open the page in the browser")
    asked = parser.parse_args(words)
    try:
        return _view(asked)
    except (Error, ImportError, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1


def _view(asked: argparse.Namespace) -> int:
    from .pictures import play, show

    world = load(asked.world, package_paths=asked.package_path)
    for warning in world.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    how = {"hulls": asked.hulls, "host": asked.host, "port": asked.port}
    browser = asked.browser and not asked.save
    if asked.motion:
        poses, times = load_motion(world, asked.motion)
        picture = play(world, poses, times, browser=browser, **how)
    else:
        picture = show(world, browser=browser, **how)
    if asked.save:
        picture.save(asked.save)
        picture.close()
        return 0
    picture.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
