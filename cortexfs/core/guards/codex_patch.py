"""Parse the patch format of Codex (`apply_patch`), as far as the guards need it."""

from __future__ import annotations

import re
from typing import NamedTuple

BEGIN, END = "*** Begin Patch", "*** End Patch"
ADD, UPDATE = "*** Add File: ", "*** Update File: "
MOVE = "*** Move to: "

_ENTERED_FOLDER = (
    r"""\s*cd\s+(?:'([^']+)'|"([^"$`\\]+)"|([^\s;&|<>()'"$`\\]+))\s*&&\s*apply_?patch\b"""
)


class PatchedFile(NamedTuple):
    """A file in a patch: a new one with its content, or hunks of old and new text.

    `new_path` is where the file is moved to; empty if it stays.
    """

    path: str
    content: str | None
    hunks: tuple[tuple[str, str], ...]
    new_path: str = ""


def parse_patch(command: str) -> tuple[PatchedFile, ...]:
    """Return the files that the first patch in a shell command adds or updates, in order."""
    patch = command.partition(BEGIN)[2].partition(END)[0]
    files: list[tuple[str, list[str]]] = []
    for line in patch.split("\n"):
        if line.startswith((ADD, UPDATE)):
            files.append((line.rstrip("\r"), []))
        elif files:
            files[-1][1].append(line)
    return tuple(_parse_file(head, lines) for head, lines in files)


def parse_entered_folder(command: str) -> str:
    """Return the folder that a command enters before it applies a patch; empty if none."""
    found = re.match(_ENTERED_FOLDER, command)
    return next(filter(None, found.groups()), "") if found else ""


def _parse_file(head: str, lines: list[str]) -> PatchedFile:
    if head.startswith(ADD):
        added = [line[1:] for line in lines if line.startswith("+")]
        return PatchedFile(head.removeprefix(ADD).strip(), "\n".join([*added, ""]), ())
    hunks: list[list[str]] = [[]]
    moves = [line.removeprefix(MOVE).strip() for line in lines[:1] if line.startswith(MOVE)]
    for line in lines:
        if line.startswith(("@@", "***")):
            hunks.append([])
        else:
            hunks[-1].append(line)
    texts = tuple((_join_side(hunk, "-"), _join_side(hunk, "+")) for hunk in hunks if any(hunk))
    return PatchedFile(head.removeprefix(UPDATE).strip(), None, texts, "".join(moves))


def _join_side(hunk: list[str], sign: str) -> str:
    """Return the text of a hunk before (`-`) or after (`+`) the change."""
    return "\n".join(line[1:] for line in hunk if line.startswith((sign, " ")))
