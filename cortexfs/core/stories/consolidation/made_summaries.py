"""Which scenes and arcs were made of which messages: one that a person removed stays removed.

The file is beside the records of a project, readable and committed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

FILE_NAME = "_consolidated.tsv"
"""The name of the file, in the folder of the chats of a project."""
_FIELD_COUNT = 4


class MadeSummary(NamedTuple):
    """A scene or an arc that was made: its id, its story, its first and last message number."""

    ident: str
    story: str
    first: int
    last: int


def parse_made_summaries(text: str) -> list[MadeSummary]:
    """Return what a file says was made; lines of another form are left out."""
    fields = (line.split("\t") for line in text.splitlines())
    return [
        MadeSummary(parts[0], parts[1], int(parts[2]), int(parts[3]))
        for parts in fields
        if len(parts) == _FIELD_COUNT and _is_number(parts[2]) and _is_number(parts[3])
    ]


def format_made_summaries(made: Iterable[MadeSummary]) -> str:
    """Return the text of the file; the same summaries always give the same text."""
    return "".join("\t".join(map(str, each)) + "\n" for each in sorted(set(made)))


def rename_in_made(text: str, old: str, new: str) -> str:
    """Return the text of the file for a story with another name; without it if that is empty."""
    made = parse_made_summaries(text)
    kept = [each for each in made if each.story != old]
    renamed = [each._replace(story=new) for each in made if new and each.story == old]
    return format_made_summaries([*kept, *renamed])


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10  # noqa: PLR2004 - as in a record
