"""The targets of Markdown links, relative to their file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.renaming.name_meanings import Renaming

_LINK_TARGET = re.compile(
    r"\]\([ \t]*(?:<(?P<angled>[^<>\n]{1,1000})>|(?P<inline>[^\s()<>]{1,1000}))(?=[\s)])"
    r"|^ {0,3}\[[^\[\]\n]{1,200}\]:[ \t]*(?:<(?P<angled_def>[^<>\n]{1,1000})>|(?P<def>\S{1,1000}))",
    re.MULTILINE,
)
_NOT_RELATIVE = re.compile(r"[A-Za-z][\w+.-]*:|/|#|\?")
_FILE_PART = re.compile(r"[^#?]*")


class LinkTarget(NamedTuple):
    """The target of a relative link and its offsets; `path` is as written, without `#…`."""

    start: int
    end: int
    path: str
    angled: bool


def find_link_targets(text: str) -> Iterator[LinkTarget]:
    """Yield the relative links to a file or folder in a text without code."""
    for found in _LINK_TARGET.finditer(text):
        group = found.lastgroup or ""
        start = found.start(group)
        file = _FILE_PART.match(found[group])
        if file and file[0] and not _NOT_RELATIVE.match(found[group]) and _is_path(file[0]):
            is_angled = group in {"angled", "angled_def"}
            yield LinkTarget(start, start + len(file[0]), file[0], is_angled)


def rewrite_link_target(target: LinkTarget, path: str, renaming: Renaming) -> str:
    """Return the target of a link in the file at `path` after the renaming."""
    folder, new_folder = (each.split("/")[:-1] for each in (path, renaming.new_path(path)))
    decoded = target.path if target.angled else unquote(target.path)
    ups, steps = _resolve_relative(folder, decoded)
    new_steps = steps if ups else renaming.new_path("/".join(steps)).split("/") if steps else []
    relative = _make_relative(new_folder, ups, new_steps)
    if relative == _make_relative(folder, ups, steps):
        return target.path
    slash = "/" if decoded.endswith("/") else ""
    text = f"{'/'.join(relative) or '.'}{slash}"
    return text if target.angled or text == unquote(text) == quote(text) else quote(text)


def resolve_link_target(target: LinkTarget, path: str) -> tuple[int, str]:
    """Return the number of folders above the root, and the path, that a link leads to."""
    decoded = target.path if target.angled else unquote(target.path)
    ups, steps = _resolve_relative(path.split("/")[:-1], decoded)
    return ups, "/".join(steps)


def _is_path(target: str) -> bool:
    return "/" in target or "." in target


def _resolve_relative(folder: list[str], relative: str) -> tuple[int, list[str]]:
    """Resolve a relative path: the number of folders above the root, and the rest."""
    ups, steps = 0, list(folder)
    for step in relative.split("/"):
        if step == "..":
            ups, steps = (ups, steps[:-1]) if steps else (ups + 1, steps)
        elif step not in {"", "."}:
            steps.append(step)
    return ups, steps


def _make_relative(folder: list[str], ups: int, steps: list[str]) -> list[str]:
    """Return the relative path from a folder to another place."""
    if ups:
        return [".."] * (len(folder) + ups) + steps
    shared = 0
    while shared < min(len(folder), len(steps) - 1) and folder[shared] == steps[shared]:
        shared += 1
    return [".."] * (len(folder) - shared) + steps[shared:]
