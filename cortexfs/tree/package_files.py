"""The templates that are part of the package."""

from __future__ import annotations

import os
from functools import cache

from cortexfs.core.atoms.template_text import list_template_lines

_PACKAGE_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def package_path(*steps: str) -> str:
    """Return the path of a file of the package, installed or in a checkout."""
    inside = os.path.join(_PACKAGE_FOLDER, *steps)
    return (
        inside if os.path.exists(inside) else os.path.join(os.path.dirname(_PACKAGE_FOLDER), *steps)
    )


@cache
def read_template(name: str) -> str | None:
    """Return one template; None if there is none of that name."""
    try:
        with open(package_path("templates", *name.split("/")), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


@cache
def read_template_lines(kind: str) -> frozenset[str]:
    """Return the lines of a kind's template that a new atom has: see `blank_template_lines`."""
    return list_template_lines(read_template(f"{kind}.md") or "")


def read_templates(group: str) -> dict[str, str]:
    """Return a group of templates (`tree`, `project`) by their paths within it."""
    return {path: read_template(f"{group}/{path}") or "" for path in _list_templates(group)}


@cache
def _list_templates(group: str) -> tuple[str, ...]:
    """Return the sorted paths of a group of templates."""
    top = package_path("templates", group)
    paths = (os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names)
    return tuple(sorted(os.path.relpath(path, top).replace(os.sep, "/") for path in paths))
