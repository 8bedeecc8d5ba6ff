"""The pages that a person has opened, one from another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cortexfs.interfaces.tui.page import Page, Request
from cortexfs.interfaces.tui.shown_content import Subject, TableContent, TextContent

if TYPE_CHECKING:
    from cortexfs.interfaces.tui.shown_content import Content, Row

ATOM_SUBJECTS = frozenset({Subject.ATOM, Subject.MEMORY, Subject.DECISION})
SHOWN_PLACES = 3
"""Pages that the line above a page names at most."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A page that is open, and where the cursor was on it."""

    page: Page
    request: Request = Request()  # noqa: RUF009 - a value, not a mutable default
    cursor: int = -1
    """The row of the cursor; -1 for where the page begins."""
    content: Content | None = None


class Selection:
    """What the keys are about: the selected row, or the thing of a page of text."""

    __slots__ = ("key", "row", "subject")

    def __init__(self, row: Row | None, content: Content | None) -> None:
        self.row = row
        self.key, self.subject = "", Subject.NONE
        if row:
            self.key, self.subject = row.key, row.subject
        elif isinstance(content, TextContent):
            self.key, self.subject = content.key, content.subject

    @property
    def is_atom(self) -> bool:
        """Whether it is an atom, of whichever kind."""
        return self.subject in ATOM_SUBJECTS


def find_cursor(visit: Visit, content: Content, current: Row | None) -> int:
    """Return the row on which the cursor belongs: that of the same thing, if it is still there."""
    if not isinstance(content, TableContent):
        return 0
    if current:
        keys = [row.key for row in content.rows]
        return keys.index(current.key) if current.key in keys else max(visit.cursor, 0)
    return content.start if visit.cursor < 0 else visit.cursor


def choose_next_sort(visit: Visit) -> Visit:
    """Return the visit with the next order of its page."""
    sorts, sort = visit.page.sorts, visit.request.sort
    at = sorts.index(sort) if sort in sorts else _find_first_sort(visit)
    wanted = visit.request._replace(sort=sorts[(at + 1) % len(sorts)])
    return replace(visit, request=wanted, cursor=0)


def _find_first_sort(visit: Visit) -> int:
    """Return the place of the order that a page has at first: its content names it."""
    about = visit.content.about if visit.content else ""
    return next((at for at, sort in enumerate(visit.page.sorts) if sort in about), 0)


def describe_place(visits: list[Visit], root: str) -> str:
    """Return the pages that lead to the current one, as text; on the first page the tree."""
    if len(visits) == 1 and visits[0].page.name == "home":
        return root
    shown = visits[-SHOWN_PLACES:]
    return " > ".join(f"{each.page.title} {each.request.argument}".strip() for each in shown)
