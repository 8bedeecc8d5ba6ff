"""The targets of Markdown links, relative to their file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.renaming.name_meanings import Renaming

_TARGET = re.compile(
    r"\]\([ \t]*(?:<(?P<angled>[^<>\n]{1,1000})>|(?P<inline>[^\s()<>]{1,1000}))(?=[\s)])"
    r"|^ {0,3}\[[^\[\]\n]{1,200}\]:[ \t]*(?:<(?P<held>[^<>\n]{1,1000})>|(?P<below>\S{1,1000}))",
    re.MULTILINE,
)
_ELSEWHERE = re.compile(r"[A-Za-z][\w+.-]*:|/|#|\?")
_FILE = re.compile(r"[^#?]*")


class Target(NamedTuple):
    """The target of a relative link and its offsets; `path` is as written, without `#…`."""

    start: int
    end: int
    path: str
    angled: bool


def targets(text: str) -> Iterator[Target]:
    """Yield the relative links to a file or folder in a text without code."""
    for found in _TARGET.finditer(text):
        group = found.lastgroup or ""
        start = found.start(group)
        file = _FILE.match(found[group])
        if file and file[0] and not _ELSEWHERE.match(found[group]) and _is_path(file[0]):
            is_angled = group in {"angled", "held"}
            yield Target(start, start + len(file[0]), file[0], is_angled)


def relinked(target: Target, path: str, renaming: Renaming) -> str:
    """Return the target of a link in the file at `path` after the renaming."""
    folder, new_folder = (each.split("/")[:-1] for each in (path, renaming.path(path)))
    written = target.path if target.angled else unquote(target.path)
    ups, steps = _walked(folder, written)
    there = steps if ups else renaming.path("/".join(steps)).split("/") if steps else []
    wanted = _from(new_folder, ups, there)
    if wanted == _from(folder, ups, steps):
        return target.path
    slash = "/" if written.endswith("/") else ""
    text = f"{'/'.join(wanted) or '.'}{slash}"
    return text if target.angled or text == unquote(text) == quote(text) else quote(text)


def leads_to(target: Target, path: str) -> tuple[int, str]:
    """Return the number of folders above the root, and the path, that a link leads to."""
    written = target.path if target.angled else unquote(target.path)
    ups, steps = _walked(path.split("/")[:-1], written)
    return ups, "/".join(steps)


def _is_path(target: str) -> bool:
    return "/" in target or "." in target


def _walked(folder: list[str], relative: str) -> tuple[int, list[str]]:
    """Resolve a relative path: the number of folders above the root, and the rest."""
    ups, steps = 0, list(folder)
    for step in relative.split("/"):
        if step == "..":
            ups, steps = (ups, steps[:-1]) if steps else (ups + 1, steps)
        elif step not in {"", "."}:
            steps.append(step)
    return ups, steps


def _from(folder: list[str], ups: int, steps: list[str]) -> list[str]:
    """Return the relative path from a folder to another place."""
    if ups:
        return [".."] * (len(folder) + ups) + steps
    shared = 0
    while shared < min(len(folder), len(steps) - 1) and folder[shared] == steps[shared]:
        shared += 1
    return [".."] * (len(folder) - shared) + steps[shared:]
