"""Where an atom comes from, as far as its fields say."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import PROMPT_KIND, SESSION_KIND
from cortexfs.core.memory.memory_record import ORIGIN_KEY

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom


class Author(StrEnum):
    """Who wrote an atom."""

    AGENT = "agent"
    PERSON = "person"
    IMPORT = "import"
    UNKNOWN = ""
    """The atom does not say: a person, or an agent by a command."""


class Origin(NamedTuple):
    """Who wrote an atom, in which session, by which tool, and when.

    `source` is the note or memory that was imported. `time` is in UTC, or a day, or empty.
    """

    author: Author
    session: str = ""
    tool: str = ""
    source: str = ""
    time: str = ""


def read_origin(atom: Atom) -> Origin:
    """Return the origin that the fields of an atom tell. Never raises."""
    session, tool = atom.text_field("session"), atom.text_field("tool")
    source = atom.text_field(ORIGIN_KEY) or atom.text_field("imported-from")
    time = atom.text_field("created") or atom.text_field("date")
    return Origin(_find_author(atom.kind, session or tool, source), session, tool, source, time)


def _find_author(kind: str, session_or_tool: str, source: str) -> Author:
    if source:
        return Author.IMPORT
    if kind == PROMPT_KIND:
        return Author.PERSON
    return Author.AGENT if session_or_tool or kind == SESSION_KIND else Author.UNKNOWN
