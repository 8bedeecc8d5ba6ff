"""Find atoms by their words, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.find.filters import Only
from cortexfs.core.find.parse_query import read_query, spoken
from cortexfs.core.find.snippet import Snippet, snippet
from cortexfs.core.frontmatter.atom_text import parted
from cortexfs.core.indexes.cortex_md import human_part
from cortexfs.operations.embed import meaning_of, told
from cortexfs.operations.record_access import note_look
from cortexfs.operations.shared.filters import require_known
from cortexfs.session.view import Intake

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.catalog.page_index import FoundPage
    from cortexfs.core.changes.plan import Source
    from cortexfs.core.find.parse_query import Query
    from cortexfs.core.find.rank import Found
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView

EVERY = Only()
"""No filter."""
LIMIT = 10
"""Atoms that are given where no number is asked for."""
PAGES = 3
"""Pages that are given beside atoms; where no atom is found, as many as atoms are asked for."""


class Hit(NamedTuple):
    """One atom that was found, with the part of it that answers."""

    found: Found
    snippet: Snippet


class PageHit(NamedTuple):
    """One page that was found, with the part of it that answers."""

    found: FoundPage
    snippet: Snippet


class Answer(NamedTuple):
    """What was found, best first, and what was understood of the question."""

    hits: list[Hit]
    query: Query
    way: str
    unreadable: int
    """Files that could not be looked into."""
    pages: list[PageHit]
    """Markdown files that are not atoms, best first."""


def find(
    session: Session,
    typed: str,
    only: Only = EVERY,
    limit: int = LIMIT,
    *,
    by_words: bool = False,
    pages: bool = True,
) -> Answer:
    """Find what fits a query; any text is one. What is found is not counted as read.

    Raises for a filter, in the query or in `only`, that names nothing in the tree.

    `pages` are searched by their words alone. Where a model is installed the meaning
    counts too, unless it is to go `by_words` alone.
    """
    intake = Intake.TEXTS | Intake.PAGES if pages else Intake.TEXTS
    with session.read(intake, drain=True) as view:
        today = view.clock().date()
        asked = read_query(typed, today)
        query = asked._replace(only=asked.only.joined(only))
        require_known(view, query.only)
        within = view.within()
        cosines: dict[str, float] = {}
        way = "words"
        if query.words and not by_words and (meaning := meaning_of(view, within)):
            cosines, embedded = meaning.near(spoken(typed, today))
            way = told(embedded)
            if embedded.done < embedded.total and view.model is None:  # which another process has
                meaning.wake()
        found = within.search(query, today, limit, cosines)
        wanted = 0 if not pages else min(limit, PAGES) if found else limit
        with view.tree.reading() as read:
            others = [_page(each, read, query) for each in within.pages(query, wanted)]
            hits = [Hit(one, _part(read(one.known.path), query)) for one in found]
        return Answer(hits, query, way, view.catalog.unreadable(), others)


def open_best(view: FileView, answer: Answer) -> str | None:
    """Give the whole text of what fits best; that is a look at it."""
    for hit in answer.hits[:1]:
        source = view.tree.read(hit.found.known.path)
        if not isinstance(source, Flaw):
            note_look(view, source.path)
            return source.text
    for page in answer.pages[:1] if not answer.hits else ():
        source = view.tree.read(page.found.path)
        return None if isinstance(source, Flaw) else source.text
    return None


def _page(found: FoundPage, read: Callable[[str], Source | Flaw], query: Query) -> PageHit:
    source = read(found.path)
    if isinstance(source, Flaw):  # gone since
        return PageHit(found, Snippet(""))
    body = parted(human_part(found.path, source.text))[1]
    return PageHit(found, snippet(body, query.words))


def _part(source: Source | Flaw, query: Query) -> Snippet:
    if isinstance(source, Flaw):  # gone since
        return Snippet("")
    return snippet(parted(source.text)[1], query.words)
