"""Render the map from working folders to projects, as the hook of a session's start reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

WHOLE_TREE = ""
"""In the place of a project: all of them."""


def render_project_map(
    projects: Collection[str], folders: Mapping[str, str], off: Collection[str]
) -> bytes:
    """Return the map: one line for each name, each folder, and each project without injection.

    `folders` has a folder outside the tree for some projects. `off` may contain `WHOLE_TREE`.
    """
    lines: list[str] = []
    for project in sorted(projects):
        lines.append(f"name\t{project}\t{project}\n")
        folder = folders.get(project, "")
        if folder and folder.isprintable():
            lines.append(f"folder\t{folder}\t{project}\n")
    known = (*projects, WHOLE_TREE)
    lines += [f"off\t\t{project}\n" for project in sorted(off) if project in known]
    return "".join(lines).encode("utf-8", "replace")
