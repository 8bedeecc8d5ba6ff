"""Find atoms by their words, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.parse_query import parse_query, strip_operators
from cortexfs.core.find.snippet import Snippet, make_snippet
from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.core.indexes.cortex_md import human_part
from cortexfs.operations.embed import describe_search_method, open_embeddings
from cortexfs.operations.record_access import record_access
from cortexfs.operations.shared.filters import require_known_names
from cortexfs.session.view import IngestScope

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.catalog.page_index import PageMatch
    from cortexfs.core.changes.plan import FileText
    from cortexfs.core.find.parse_query import Query
    from cortexfs.core.find.rank import RankedHit
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView

NO_FILTER = AtomFilter()
"""No filter."""
DEFAULT_LIMIT = 10
"""Atoms that are given where no number is asked for."""
DEFAULT_PAGE_LIMIT = 3
"""Pages that are given beside atoms; where no atom is found, as many as atoms are asked for."""


class SearchHit(NamedTuple):
    """One atom that was found, with the part of it that answers."""

    found: RankedHit
    snippet: Snippet


class PageHit(NamedTuple):
    """One page that was found, with the part of it that answers."""

    found: PageMatch
    snippet: Snippet


class FindResult(NamedTuple):
    """What was found, best first, and what was understood of the question."""

    hits: list[SearchHit]
    query: Query
    method: str
    unreadable: int
    """Files that could not be looked into."""
    pages: list[PageHit]
    """Markdown files that are not atoms, best first."""


def find(
    session: Session,
    typed: str,
    only: AtomFilter = NO_FILTER,
    limit: int = DEFAULT_LIMIT,
    *,
    by_words: bool = False,
    pages: bool = True,
) -> FindResult:
    """Find what fits a query; any text is one. What is found is not counted as read.

    Raises for a filter, in the query or in `only`, that names nothing in the tree.

    `pages` are searched by their words alone. Where a model is installed the meaning
    counts too, unless it is to go `by_words` alone.
    """
    intake = IngestScope.TEXTS | IngestScope.PAGES if pages else IngestScope.TEXTS
    with session.read(intake, drain=True) as view:
        today = view.clock().date()
        asked = parse_query(typed, today)
        query = asked._replace(filters=asked.filters.combine(only))
        require_known_names(view, query.filters)
        within = view.text_queries()
        cosines: dict[str, float] = {}
        way = "words"
        if query.all_terms and not by_words and (meaning := open_embeddings(view, within)):
            cosines, embedded = meaning.compute_similarities(strip_operators(typed, today))
            way = describe_search_method(embedded)
            if embedded.done < embedded.total and view.model is None:  # which another process has
                meaning.start_in_background()
        found = within.search_atoms(query, today, limit, cosines)
        wanted = 0 if not pages else min(limit, DEFAULT_PAGE_LIMIT) if found else limit
        with view.tree.open_batch_reader() as read:
            others = [_page(each, read, query) for each in within.search_pages(query, wanted)]
            hits = [SearchHit(one, _part(read(one.atom.path), query)) for one in found]
        return FindResult(hits, query, way, view.catalog.count_unreadable(), others)


def read_best_match(view: FileView, answer: FindResult) -> str | None:
    """Give the whole text of what fits best; that is a look at it."""
    for hit in answer.hits[:1]:
        source = view.tree.read_text(hit.found.atom.path)
        if not isinstance(source, Flaw):
            record_access(view, source.path)
            return source.text
    for page in answer.pages[:1] if not answer.hits else ():
        source = view.tree.read_text(page.found.path)
        return None if isinstance(source, Flaw) else source.text
    return None


def _page(found: PageMatch, read: Callable[[str], FileText | Flaw], query: Query) -> PageHit:
    source = read(found.path)
    if isinstance(source, Flaw):  # gone since
        return PageHit(found, Snippet(""))
    body = split_front_and_body(human_part(found.path, source.text))[1]
    return PageHit(found, make_snippet(body, query.all_terms))


def _part(source: FileText | Flaw, query: Query) -> Snippet:
    if isinstance(source, Flaw):  # gone since
        return Snippet("")
    return make_snippet(split_front_and_body(source.text)[1], query.all_terms)
