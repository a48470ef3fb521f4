"""Starts viser, which is imported here and nowhere else."""

from __future__ import annotations

from importlib import import_module
from typing import Any


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
    console = import_module("rich").get_console()
    quiet, console.quiet = console.quiet, True
    try:
        server = viser.ViserServer(host=host, port=port, verbose=False)
    finally:
        console.quiet = quiet
    server.gui.configure_theme(control_layout="fixed", control_width="large", show_share_button=False)
    return server
