"""Starts viser, which is imported here and nowhere else."""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from typing import Any, Iterator


def import_viser() -> Any:
    """The package viser. Raises ImportError, which says how to install it."""
    try:
        viser = import_module("viser")
        import_module("viser.transforms")
        return viser
    except ImportError as error:
        words = f"pictures need viser, which cannot be imported ({error}): pip install 'elbowroom[pictures]'"
        raise ImportError(words) from error


def start_server(viser: Any, host: str, port: int) -> Any:
    """A server that only this machine reaches, unless ``host`` says otherwise. If the port is taken, the next
    free one is used."""
    with _quiet_console():
        server = viser.ViserServer(host=host, port=port, verbose=False)
    server.gui.configure_theme(control_width="large", show_share_button=False)
    server.gui.main_panel.dock_right()
    return server


def stop_server(server: Any) -> None:
    """Ends a server and its threads."""
    with _quiet_console():
        server.stop()


@contextmanager
def _quiet_console() -> Iterator[None]:
    """viser prints by rich whatever it is told."""
    console = import_module("rich").get_console()
    quiet, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = quiet
