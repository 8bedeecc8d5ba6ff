"""The templates that are part of the package."""

from __future__ import annotations

import os
from functools import lru_cache

from cortexfs.core.atoms.template_text import list_template_lines

_PACKAGE_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def package_path(*steps: str) -> str:
    """Return the path of a file of the package, installed or in a checkout."""
    inside = os.path.join(_PACKAGE_FOLDER, *steps)
    return (
        inside if os.path.exists(inside) else os.path.join(os.path.dirname(_PACKAGE_FOLDER), *steps)
    )


def read_template(name: str) -> str | None:
    """Return one template; None if there is none of that name."""
    try:
        with open(package_path("templates", *name.split("/")), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


@lru_cache
def read_template_lines(kind: str) -> frozenset[str]:
    """Return the lines of a kind's template that a new atom has: see `blank_template_lines`."""
    return list_template_lines(read_template(f"{kind}.md") or "")


def read_templates(group: str) -> dict[str, str]:
    """Return a group of templates (`tree`, `project`) by their paths within it."""
    top = package_path("templates", group)
    found = {}
    for folder, _, names in os.walk(top):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), top).replace(os.sep, "/")
            found[path] = read_template(f"{group}/{path}") or ""
    return dict(sorted(found.items()))
