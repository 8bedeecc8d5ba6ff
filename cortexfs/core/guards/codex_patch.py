"""Parse the patch format of Codex (`apply_patch`), as far as the guards need it."""

from __future__ import annotations

from typing import NamedTuple

BEGIN, END = "*** Begin Patch", "*** End Patch"
ADD, UPDATE = "*** Add File: ", "*** Update File: "


class PatchedFile(NamedTuple):
    """A file in a patch: a new one with its content, or hunks of old and new text."""

    path: str
    content: str | None
    hunks: tuple[tuple[str, str], ...]


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


def _parse_file(head: str, lines: list[str]) -> PatchedFile:
    if head.startswith(ADD):
        added = [line[1:] for line in lines if line.startswith("+")]
        return PatchedFile(head.removeprefix(ADD).strip(), "\n".join([*added, ""]), ())
    hunks: list[list[str]] = [[]]
    for line in lines:
        if line.startswith(("@@", "***")):
            hunks.append([])
        else:
            hunks[-1].append(line)
    texts = tuple((_join_side(hunk, "-"), _join_side(hunk, "+")) for hunk in hunks if any(hunk))
    return PatchedFile(head.removeprefix(UPDATE).strip(), None, texts)


def _join_side(hunk: list[str], sign: str) -> str:
    """Return the text of a hunk before (`-`) or after (`+`) the change."""
    return "\n".join(line[1:] for line in hunk if line.startswith((sign, " ")))
