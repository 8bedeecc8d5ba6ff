"""The optional parts of the installation, by the extra that installs each."""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple

from cortexfs.errors import Refused, format_extra_hint


class Extra(NamedTuple):
    """What an extra installs: a title, the packages to look for, and what needs them."""

    title: str
    packages: tuple[str, ...]
    commands: str


EXTRAS = {
    "server": Extra(
        "the server", ("fastapi", "uvicorn", "jinja2", "markdown_it", "nh3"), "`serve` and `ui`"
    ),
    "mcp": Extra("the MCP SDK", ("mcp",), "`mcp`, which connected clients run,"),
    "tui": Extra("Textual", ("textual",), "`tui`"),
}


def is_extra_installed(name: str) -> bool:
    """Return whether all packages of an extra are there."""
    return all(find_spec(package) is not None for package in EXTRAS[name].packages)


def require_extra(name: str) -> None:
    """Raise `Refused` if an extra is not installed."""
    if not is_extra_installed(name):
        message = f"{EXTRAS[name].title} is not installed"
        raise Refused(message, hint=format_extra_hint(name))
