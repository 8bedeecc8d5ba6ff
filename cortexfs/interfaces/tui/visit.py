"""The pages that a person has opened, one from another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cortexfs.interfaces.tui.page import PAGE_ROWS, Page, Request
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
    request: Request
    cursor: int = -1
    """The row of the cursor; -1 for where the page begins."""
    content: Content | None = None
    has_failed: bool = False

    @property
    def is_loading(self) -> bool:
        """Whether there is nothing to show yet."""
        return self.content is None and not self.has_failed


def begin_visit(page: Page, argument: str = "") -> Visit:
    """Return a page as it is opened, in its first order."""
    return Visit(page, Request(argument, sort=page.default_sort))


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
    wanted = visit.request._replace(sort=sorts[(sorts.index(sort) + 1) % len(sorts)])
    return replace(visit, request=wanted, cursor=0, content=None)


class OpenPages:
    """The pages that a person has opened, one from another; the last one is shown."""

    def __init__(self, home: Page) -> None:
        self.visits = [begin_visit(home)]

    @property
    def current(self) -> Visit:
        """The page that is shown."""
        return self.visits[-1]

    @current.setter
    def current(self, visit: Visit) -> None:
        self.visits[-1] = visit

    def restart(self, page: Page) -> None:
        """Open a page that has a tab; nothing is behind it."""
        self.visits = [begin_visit(page)]

    def open(self, page: Page, argument: str, cursor: int) -> None:
        """Open a page about something; back leads to the row `cursor` of the one before it."""
        self.current = replace(self.current, cursor=cursor)
        self.visits.append(begin_visit(page, argument))

    def close(self) -> bool:
        """Close the page that is shown; return whether there is one behind it."""
        if len(self.visits) > 1:
            self.visits.pop()
            self.current = replace(self.current, has_failed=False)
            return True
        return False

    def change_words(self, words: str) -> bool:
        """Look for other words, if the page that is shown has words; return whether it does."""
        is_other = self.current.page.has_query and words != self.current.request.query
        if is_other:
            request = Request(query=words)
            self.current = replace(self.current, request=request, cursor=0, content=None)
        return is_other

    def add_rows(self, shown: int) -> bool:
        """Want more rows than are shown; return whether they are not wanted already."""
        request = self.current.request
        is_more = request.limit <= shown
        if is_more:
            more = request._replace(limit=shown + 2 * PAGE_ROWS)
            self.current = replace(self.current, request=more)
        return is_more

    def describe(self, root: str) -> str:
        """Return the pages that lead to the current one, as text; on the first page the tree."""
        if len(self.visits) == 1 and self.current.page.name == "home":
            return root
        shown = self.visits[-SHOWN_PLACES:]
        return " > ".join(f"{each.page.title} {each.request.argument}".strip() for each in shown)
