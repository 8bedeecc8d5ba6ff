"""Render the map from working folders to projects, as the hook of a session's start reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

WHOLE_TREE = ""
"""In the place of a project: all of them."""


def render_project_map(
    projects: Collection[str], folders: Mapping[str, str], off: Collection[str]
) -> bytes:
    """Return the map: one line for each name, each folder, and each project without injection.

    `folders` has a folder outside the tree for some projects. `off` may contain `WHOLE_TREE`.
    """
    lines = (
        f"{kind}\t{value}\t{project}\n"
        for kind, value, project in _iter_rows(projects, folders, off)
    )
    return "".join(lines).encode("utf-8", "replace")


def _iter_rows(
    projects: Collection[str], folders: Mapping[str, str], off: Collection[str]
) -> Iterator[tuple[str, str, str]]:
    for project in sorted(projects):
        yield "name", project, project
        folder = folders.get(project, "")
        if folder and folder.isprintable():
            yield "folder", folder, project
    for project in sorted(off):
        if project == WHOLE_TREE or project in projects:
            yield "off", "", project
